use super::{Body, Character, Input};
use crate::controller::{Controller, Intent};
use crate::motion::{Frame, Shape};
use crate::world::Settings;
use glam::{DVec2, I64Vec2};
use surefoot_geometry::to_lengths;

/// Height, distance and duration of a character's jump on open ground. See [`Character::jump_reach`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JumpReach {
    /// Upward speed when the character leaves the ground, in tiles per second.
    pub jump_speed: f64,
    /// Height of the apex above the take-off, in tiles, measured at the end of a tick.
    pub height: f64,
    /// Ticks from the take-off to the apex.
    pub ticks_to_apex: u32,
    /// Horizontal distance of the jump at full run speed, in tiles. Only whole ticks count.
    ///
    /// The jump ends with the last tick in which the character is at least as high as at the take-off. Between two
    /// floors of equal height, the character can jump a gap as wide as this distance plus the width of the character's
    /// lower side.
    pub distance: f64,
    /// Ticks from the take-off until the character is back at the height of the take-off, rounded down.
    pub ticks: u32,
}

impl Character {
    /// Returns how far and how high the character jumps off flat ground, at full run speed and with the jump button
    /// held.
    ///
    /// `settings` are the settings of the world. Areas, platforms and [`Body::gravity_scale`] are not included.
    ///
    /// Returns `None` if the character cannot jump, or if the jump lasts longer than [`JumpReach::MAX_TICKS`].
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    ///
    /// let hero = Character { jump_height: 3.0, jump_time: 0.3, walk_speed: 6.0, max_fall_speed: 100.0, ..Character::default() };
    /// let reach = hero.jump_reach(&Settings::default()).unwrap();
    /// // As long down as up: 36 ticks at 6 tiles per second.
    /// assert_eq!((reach.ticks_to_apex, reach.ticks, reach.jump_speed), (18, 36, 20.0));
    /// assert!((reach.height - 3.0).abs() < 1e-6 && (reach.distance - 3.6).abs() < 1e-6);
    /// ```
    #[must_use]
    pub fn jump_reach(&self, settings: &Settings) -> Option<JumpReach> {
        let jump = Jump::new(self, settings)?;
        let (up, right, axis) = (jump.frame.up(), jump.frame.right(), jump.frame.up_axis());
        let mut reach =
            JumpReach { jump_speed: jump.velocity.dot(up), height: 0.0, ticks_to_apex: 0, distance: 0.0, ticks: 0 };
        for (tick, way) in (1..=JumpReach::MAX_TICKS).zip(jump) {
            let (height, aside) = (to_lengths(way).dot(up), to_lengths(way).dot(right));
            // Allow one unit of rounding in each tick.
            if way.dot(axis) < -i64::from(tick) {
                return Some(reach);
            }
            if height > reach.height {
                (reach.height, reach.ticks_to_apex) = (height, tick);
            }
            (reach.distance, reach.ticks) = (aside, tick);
        }
        None
    }

    /// Returns the path of the jump that [`Character::jump_reach`] measures, to the right. The path contains, for
    /// each tick, the displacement from the take-off in tiles.
    ///
    /// The path ignores obstacles and has no end: after the jump, it continues to fall below the height of the
    /// take-off. It is empty if the character cannot jump.
    ///
    /// # Examples
    /// ```
    /// use surefoot::geometry::DVec2;
    /// use surefoot::prelude::*;
    ///
    /// let hero = Character { jump_height: 3.0, jump_time: 0.3, walk_speed: 6.0, ..Character::default() };
    /// let path: Vec<DVec2> = hero.jump_path(&Settings::default()).take(24).collect();
    /// // The top after 18 ticks. From there a third of them down is a ninth of the height.
    /// assert!((path[17] - DVec2::new(1.8, 3.0)).length() < 1e-6);
    /// assert!((path[23] - DVec2::new(2.4, 3.0 - 3.0 / 9.0)).length() < 1e-6);
    ///
    /// let walker = Character { jump_height: 0.0, ..hero };
    /// assert_eq!(walker.jump_path(&Settings::default()).next(), None);
    /// ```
    pub fn jump_path(&self, settings: &Settings) -> impl Iterator<Item = DVec2> + use<> {
        Jump::new(self, settings).into_iter().flatten().map(to_lengths)
    }
}

/// A jump on open ground at full speed, tick by tick: the displacement from its start, in units.
struct Jump {
    character: Character,
    frame: Frame,
    gravity: DVec2,
    tick: f64,
    velocity: DVec2,
    displacement: I64Vec2,
}

impl Jump {
    /// Returns `None` for a character that does not jump.
    fn new(character: &Character, settings: &Settings) -> Option<Jump> {
        let frame = Frame::new(settings.up, settings.max_floor_slope);
        let gravity = settings.gravity_of(&Body::new(Shape::circle(0.5)).character(*character), settings.up);
        let velocity = frame.right() * character.walk_speed;
        let mut jump =
            Jump { character: *character, frame, gravity, tick: settings.tick, velocity, displacement: I64Vec2::ZERO };
        let speed = jump.controller().jump_speed();
        jump.velocity += frame.up() * speed;
        (speed > 0.0).then_some(jump)
    }

    fn controller(&self) -> Controller<'_> {
        let input = Input { jump: true, ..Input::walk(1.0) };
        Controller::new_on_open_ground(&self.character, input.into(), &self.frame, &self.gravity, self.tick)
    }
}

impl Iterator for Jump {
    type Item = I64Vec2;

    fn next(&mut self) -> Option<I64Vec2> {
        let Intent::Fly { motion, velocity, .. } = self.controller().intent(None, self.velocity, false) else {
            return None;
        };
        (self.velocity, self.displacement) = (velocity, self.displacement + motion);
        Some(self.displacement)
    }
}

impl JumpReach {
    /// Maximum number of ticks of a jump that [`Character::jump_reach`] measures: half an hour at 60 ticks per second.
    pub const MAX_TICKS: u32 = 108_000;
}
