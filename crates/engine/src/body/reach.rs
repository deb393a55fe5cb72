use super::{Body, Character, Input};
use crate::motion::{Frame, Shape};
use crate::walker::{Controller, Intent};
use crate::world::Settings;
use glam::{DVec2, I64Vec2};
use surefoot_geometry::to_lengths;

/// How far and how high a character's jump goes on open ground, see [`Character::reach`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// The speed upwards with which it begins, in tiles per second.
    pub jump_speed: f64,
    /// How high it is at the top, in tiles: after a whole number of ticks.
    pub height: f64,
    /// After how many ticks.
    pub ticks_up: u32,
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
    /// `None` if it does not jump, or comes down in no [`Reach::MOST`] ticks.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    ///
    /// let hero = Character { jump_height: 3.0, jump_time: 0.3, walk_speed: 6.0, fall_speed: 100.0, ..Character::default() };
    /// let reach = hero.reach(&Settings::default()).unwrap();
    /// // As long down as up: 36 ticks at 6 tiles per second.
    /// assert_eq!((reach.ticks_up, reach.ticks, reach.jump_speed), (18, 36, 20.0));
    /// assert!((reach.height - 3.0).abs() < 1e-6 && (reach.distance - 3.6).abs() < 1e-6);
    /// ```
    #[must_use]
    pub fn reach(&self, settings: &Settings) -> Option<Reach> {
        let frame = Frame::new(settings.up, settings.floor_limit);
        let (up, right) = (frame.up(), frame.right());
        let gravity = settings.gravity_of(&Body::new(Shape::circle(0.5)).character(*self));
        let input = Input { jump: true, ..Input::walk(1.0) };
        let controller = Controller::on_open_ground(self, input, &frame, gravity, settings.tick);
        let jump_speed = controller.jump_speed();
        let (mut velocity, mut way): (DVec2, I64Vec2) = (right * self.walk_speed + up * jump_speed, I64Vec2::ZERO);
        let mut reach = Reach { jump_speed, height: 0.0, ticks_up: 0, distance: 0.0, ticks: 0 };
        if jump_speed == 0.0 {
            return None;
        }
        for tick in 1..=Reach::MOST {
            let Intent::Fly { motion, velocity: after } = controller.intent(None, velocity, false) else { break };
            (velocity, way) = (after, way + motion);
            let (height, aside) = (to_lengths(way).dot(up), to_lengths(way).dot(right));
            // Rounding loses half a unit in each tick.
            if way.dot(frame.axis()) < -i64::from(tick) {
                return Some(reach);
            }
            if height > reach.height {
                (reach.height, reach.ticks_up) = (height, tick);
            }
            (reach.distance, reach.ticks) = (aside, tick);
        }
        None
    }
}

impl Reach {
    /// After how many ticks a jump is no longer followed: half an hour at 60 a second.
    pub const MOST: u32 = 108_000;
}
