use super::error::{MAX_MASS, MAX_SPEED};
use super::{Number, changed};
use crate::range::RangeError;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// How a character moves. Speeds in tiles per second, accelerations in tiles per second squared.
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
///
/// let heavy = Character { jump_height: 2.0, walk_speed: 5.0, ..Character::default() };
/// assert!(heavy.check().is_ok());
/// ```
#[derive(Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
pub struct Character {
    /// Speed along the ground at full input.
    pub walk_speed: f64,
    /// How fast it gets there on the ground; times the traction of the [`Surface`](crate::map::Surface) that it stands on.
    pub ground_acceleration: f64,
    /// How fast it stops or turns round on the ground; times that traction too.
    pub ground_braking: f64,
    /// How fast its sideways speed follows the input in the air.
    pub air_acceleration: f64,
    /// How high it jumps, in tiles, under the world's gravity. Without gravity along up it does not jump.
    pub jump_height: f64,
    /// The fastest fall.
    pub fall_speed: f64,
    /// What a jump takes along of the velocity of the platform that it leaves. A fall off it takes all.
    pub lift: Lift,
    /// For how long a platform that has stopped still gives a jump its last velocity, in seconds.
    pub lift_grace: f64,
    /// The total mass of the bodies that it pushes at once by walking against them, 0 to 1e6; 0 pushes nothing.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::older::or_default"))]
    pub push_mass: f64,
}

/// The numbers that hashes leave out at their defaults, by name.
pub(super) const LIFT_GRACE: &str = "character.lift_grace";
pub(super) const PUSH_MASS: &str = "character.push_mass";

/// What a jump takes along of the velocity of a platform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum Lift {
    /// All of it: as high as the platform makes it, and as far.
    #[default]
    All,
    /// The part of it that leads up, and nothing of one that goes down.
    Upward,
    /// Nothing.
    None,
}

impl Default for Character {
    /// 8 tiles per second, 3.2 tiles high: at home in levels of one-tile steps under the default gravity.
    fn default() -> Character {
        Character {
            walk_speed: 8.0,
            ground_acceleration: 60.0,
            ground_braking: 80.0,
            air_acceleration: 40.0,
            jump_height: 3.2,
            fall_speed: 24.0,
            lift: Lift::All,
            lift_grace: 0.0,
            push_mass: 0.0,
        }
    }
}

impl Character {
    /// Refuses numbers that are negative, not finite, or beyond [`MAX_SPEED`]; and a `push_mass` beyond 1e6.
    ///
    /// # Errors
    /// [`RangeError`] for the first of them.
    pub fn check(&self) -> Result<(), RangeError> {
        let mut character = *self;
        character.numbers().into_iter().try_for_each(|number| number.check())
    }

    /// The character on ground of that traction.
    #[inline(never)]
    pub(crate) fn with_traction(&self, traction: f64) -> Character {
        Character {
            ground_acceleration: self.ground_acceleration * traction,
            ground_braking: self.ground_braking * traction,
            ..*self
        }
    }

    /// Each number of the character, in the order in which they are checked.
    pub(crate) fn numbers(&mut self) -> [Number<'_>; 8] {
        let Character {
            walk_speed,
            ground_acceleration,
            ground_braking,
            air_acceleration,
            jump_height,
            fall_speed,
            lift: _,
            lift_grace,
            push_mass,
        } = self;
        [
            ("character.walk_speed", walk_speed),
            ("character.ground_acceleration", ground_acceleration),
            ("character.ground_braking", ground_braking),
            ("character.air_acceleration", air_acceleration),
            ("character.jump_height", jump_height),
            ("character.fall_speed", fall_speed),
            (LIFT_GRACE, lift_grace),
            (PUSH_MASS, push_mass),
        ]
        .map(|(name, value)| Number {
            name,
            value,
            least: 0.0,
            most: if name == PUSH_MASS { MAX_MASS } else { MAX_SPEED },
        })
    }

    /// The numbers that are not the default ones, by the names of their fields.
    pub(crate) fn changed(mut self) -> Vec<(&'static str, f64)> {
        let changed = changed(self.numbers(), Character::default().numbers());
        changed.into_iter().map(|(name, value)| (name.strip_prefix("character.").unwrap_or(name), value)).collect()
    }
}

/// What a player holds down. It stays until it is set again.
///
/// `walk` goes from -127, full speed to the left, to 127, full speed to the right. A jump starts when `jump` goes down
/// while the character stands; `down` lets it drop through tiles whose kind says so; `up` is the game's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
#[repr(C)]
pub struct Input {
    /// -127 to 127, right is positive; -128 counts as -127.
    pub walk: i8,
    /// Jump is held.
    pub jump: bool,
    /// Down is held.
    pub down: bool,
    /// Up is held.
    pub up: bool,
}

impl Input {
    /// The input with -127 in place of -128.
    pub(crate) fn normal(self) -> Input {
        Input { walk: self.walk.max(-127), ..self }
    }
}
