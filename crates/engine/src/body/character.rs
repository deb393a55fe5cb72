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
    /// How high it jumps, in tiles, under the world's gravity, or its own if it has a [`jump_time`](Character::jump_time). Without
    /// gravity along up it does not jump.
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
    /// In how many seconds it jumps to its height; 0 leaves that to the world's gravity. It is rounded to whole ticks, at least one,
    /// and the character has a gravity of its own, straight down, that reaches the height in just these: see
    /// [`own_gravity`](Character::own_gravity).
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::older::of_jumps"))]
    pub jump_time: f64,
    /// How high the shortest jump goes, in tiles, of which the button is let go at once: at most `jump_height`. 0 makes all jumps as
    /// high. A jump is cut as soon as the button is up, to a speed that makes the shortest jump that high. If the first tick alone
    /// makes more, the shortest jump is as high as that.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::older::of_jumps"))]
    pub tap_height: f64,
    /// What gravity is multiplied by while it falls, 0 to 1000.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::older::fall_gravity"))]
    pub fall_gravity: f64,
    /// For how many seconds it may still jump after it has walked off the ground, rounded to whole ticks. After a jump, and
    /// after it was spawned in the air, it may not.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::older::of_jumps"))]
    pub coyote_time: f64,
    /// For how many seconds a jump that is asked for in the air is kept, rounded to whole ticks, at most 62 of them: it jumps if it lands
    /// by then, whether the button is still down or not.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::older::of_jumps"))]
    pub jump_buffer: f64,
}

/// The numbers that hashes leave out at their defaults, by name.
pub(super) const LIFT_GRACE: &str = "character.lift_grace";
pub(super) const PUSH_MASS: &str = "character.push_mass";

/// The numbers of how it jumps, which hashes leave out if all of them are at their defaults.
pub(super) const JUMPS: [&str; 5] =
    ["character.jump_time", TAP_HEIGHT, FALL_GRAVITY, "character.coyote_time", "character.jump_buffer"];
const TAP_HEIGHT: &str = "character.tap_height";
const FALL_GRAVITY: &str = "character.fall_gravity";

/// The most that gravity may be multiplied by for a fall.
const MAX_FALL_GRAVITY: f64 = 1000.0;

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
            jump_time: 0.0,
            tap_height: 0.0,
            fall_gravity: 1.0,
            coyote_time: 0.0,
            jump_buffer: 0.0,
        }
    }
}

impl Character {
    /// Refuses numbers that are negative, not finite, or beyond [`MAX_SPEED`]; a `push_mass` beyond 1e6, a `tap_height` beyond the
    /// `jump_height`, and a `fall_gravity` beyond 1000.
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

    /// The size of the gravity that a character with a [`jump_time`](Character::jump_time) has, in tiles per second squared, in a world
    /// with ticks of so many seconds; `None` for one that falls as the world says, as one without a height does.
    ///
    /// A tick moves by the mean of the old and the new velocity, so a jump of speed `v` is at `v t - g t^2 / 2` after each of them, with
    /// no error that depends on the tick. With `g = 2 h / T^2` and `v = g T` it is at its highest, at `h`, exactly `T` later, which is
    /// a whole number of ticks.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    ///
    /// let quick = Character { jump_height: 3.0, jump_time: 0.3, ..Character::default() };
    /// // 0.3 seconds are 18 ticks of 1 / 60, and 4 of 1 / 12: 1 / 3 seconds.
    /// assert_eq!(quick.own_gravity(1.0 / 60.0).map(f64::round), Some(67.0), "6 / 0.09");
    /// assert_eq!(quick.own_gravity(1.0 / 12.0).map(f64::round), Some(54.0), "6 * 9");
    /// assert_eq!(Character::default().own_gravity(1.0 / 60.0), None);
    /// ```
    #[must_use]
    pub fn own_gravity(&self, tick: f64) -> Option<f64> {
        self.has_own_gravity().then(|| {
            let time = (self.jump_time / tick).round().max(1.0) * tick;
            2.0 * self.jump_height / (time * time)
        })
    }

    #[inline(always)]
    pub(crate) fn has_own_gravity(&self) -> bool {
        self.jump_time > 0.0 && self.jump_height > 0.0
    }

    /// Whether a number of how it jumps is not the default one, to the bit.
    pub(super) fn jumps_otherwise(mut self) -> bool {
        let mut default = Character::default();
        let both = self.numbers().into_iter().zip(default.numbers());
        both.filter(|(own, _)| JUMPS.contains(&own.name)).any(|(own, of)| own.value.to_bits() != of.value.to_bits())
    }

    /// Whether it depends on earlier ticks when and how it jumps.
    #[inline(always)]
    pub(crate) fn has_jump_state(&self) -> bool {
        self.tap_height > 0.0 || self.coyote_time > 0.0 || self.jump_buffer > 0.0
    }

    /// Each number of the character, in the order in which they are checked.
    pub(crate) fn numbers(&mut self) -> [Number<'_>; 13] {
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
            jump_time,
            tap_height,
            fall_gravity,
            coyote_time,
            jump_buffer,
        } = self;
        let highest = if *jump_height >= 0.0 { *jump_height } else { 0.0 };
        let [jump_time_name, _, _, coyote_name, buffer_name] = JUMPS;
        [
            ("character.walk_speed", walk_speed),
            ("character.ground_acceleration", ground_acceleration),
            ("character.ground_braking", ground_braking),
            ("character.air_acceleration", air_acceleration),
            ("character.jump_height", jump_height),
            ("character.fall_speed", fall_speed),
            (LIFT_GRACE, lift_grace),
            (PUSH_MASS, push_mass),
            (jump_time_name, jump_time),
            (TAP_HEIGHT, tap_height),
            (FALL_GRAVITY, fall_gravity),
            (coyote_name, coyote_time),
            (buffer_name, jump_buffer),
        ]
        .map(|(name, value)| Number {
            name,
            value,
            least: 0.0,
            most: match name {
                PUSH_MASS => MAX_MASS,
                TAP_HEIGHT => highest,
                FALL_GRAVITY => MAX_FALL_GRAVITY,
                _ => MAX_SPEED,
            },
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
