use super::{Body, Character, Input};
use crate::motion::{Frame, Shape};
use crate::walker::{Controller, Intent};
use crate::world::Settings;
use glam::{DVec2, I64Vec2};
use surefoot_geometry::to_lengths;

/// How far and how high a character's jump goes on open ground, see [`Character::jump_reach`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JumpReach {
    /// The speed upwards with which it begins, in tiles per second.
    pub jump_speed: f64,
    /// How high it is at the top, in tiles: after a whole number of ticks.
    pub height: f64,
    /// After how many ticks.
    pub ticks_to_apex: u32,
    /// How far it comes sideways at full speed until it would be lower than where it began, in tiles, in whole ticks: the widest gap
    /// between two floors of one height, less the width of its foot.
    pub distance: f64,
    /// In how many ticks.
    pub ticks: u32,
}

impl Character {
    /// How far and how high it jumps in a world with those settings, off level ground at full speed and with the button held. Areas,
    /// platforms and a body's own [`gravity_scale`](Body::gravity_scale) count on top.
    ///
    /// `None` if it does not jump, or comes down in no [`JumpReach::MAX_TICKS`] ticks.
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
        let (up, right, axis) = (jump.frame.up(), jump.frame.right(), jump.frame.axis());
        let mut reach =
            JumpReach { jump_speed: jump.velocity.dot(up), height: 0.0, ticks_to_apex: 0, distance: 0.0, ticks: 0 };
        for (tick, way) in (1..=JumpReach::MAX_TICKS).zip(jump) {
            let (height, aside) = (to_lengths(way).dot(up), to_lengths(way).dot(right));
            // Rounding loses half a unit in each tick.
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

    /// Where such a jump to the right leads, as [`Character::jump_reach`] measures it: how far it is from where it began, in tiles, after each
    /// tick, through free air and on below where it began, without an end. Nothing if it does not jump.
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

/// A jump on open ground at full speed, tick by tick: the way from where it began, in units.
struct Jump {
    character: Character,
    frame: Frame,
    gravity: DVec2,
    tick: f64,
    velocity: DVec2,
    way: I64Vec2,
}

impl Jump {
    /// `None` for a character that does not jump.
    fn new(character: &Character, settings: &Settings) -> Option<Jump> {
        let frame = Frame::new(settings.up, settings.max_floor_slope);
        let gravity = settings.gravity_of(&Body::new(Shape::circle(0.5)).character(*character));
        let velocity = frame.right() * character.walk_speed;
        let mut jump =
            Jump { character: *character, frame, gravity, tick: settings.tick, velocity, way: I64Vec2::ZERO };
        let speed = jump.controller().jump_speed();
        jump.velocity += frame.up() * speed;
        (speed > 0.0).then_some(jump)
    }

    fn controller(&self) -> Controller<'_> {
        let input = Input { jump: true, ..Input::walk(1.0) };
        Controller::on_open_ground(&self.character, input.into(), &self.frame, &self.gravity, self.tick)
    }
}

impl Iterator for Jump {
    type Item = I64Vec2;

    fn next(&mut self) -> Option<I64Vec2> {
        let Intent::Fly { motion, velocity, .. } = self.controller().intent(None, self.velocity, false) else {
            return None;
        };
        (self.velocity, self.way) = (velocity, self.way + motion);
        Some(self.way)
    }
}

impl JumpReach {
    /// After how many ticks a jump is no longer followed: half an hour at 60 a second.
    pub const MAX_TICKS: u32 = 108_000;
}
