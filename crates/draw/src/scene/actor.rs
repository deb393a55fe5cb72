//! A character that a window follows: its pose and the dust at its feet.

use super::dust::Dust;
use super::pose::{Axes, Pose};
use surefoot::geometry::DVec2;
use surefoot::prelude::BodyState;

/// How a followed character looks from frame to frame. The world never depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Actor {
    /// The pose.
    pub pose: Pose,
    /// Whether the body was on the ground in the last frame, and its speed of falling then.
    shown: Option<(bool, f64)>,
    /// Time until a turn raises dust again, in seconds.
    next_dust: f64,
}

/// Minimum speeds that raise dust, in tiles per second: of a landing, and of a turn while walking the other way.
const MIN_LANDING_SPEED: f64 = 5.0;
const MIN_TURN_SPEED: f64 = 2.0;
/// Speed of the dust of a landing or jump, in tiles per second.
const DUST_SPEED: f64 = 2.5;
/// Time between two puffs of a turn, in seconds.
const TURN_DUST_SECONDS: f64 = 0.04;

impl Actor {
    /// Moves the pose for a frame of `seconds`, and adds the dust of landings, jumps and turns. `at`: where the body is
    /// drawn.
    pub fn update(&mut self, body: &BodyState, at: DVec2, seconds: f64, dust: &mut Dust) {
        let Axes { right, up } = Axes::of_body(body);
        let (on_floor, fall) = (body.on_floor(), -body.velocity().dot(up));
        let (along, input) = (body.velocity().dot(right), f64::from(body.input().walk));
        let foot = at - up * body.shape().half_extents().y;
        let wanted = Pose::of_body(body, at);
        let (was_on_floor, fell) = self.shown.replace((on_floor, fall)).unwrap_or((on_floor, fall));
        let landing = if on_floor && !was_on_floor { fell.max(0.0) } else { 0.0 };
        self.pose.approach(wanted, along, seconds, landing);
        if landing > MIN_LANDING_SPEED || (was_on_floor && !on_floor && fall < -MIN_LANDING_SPEED) {
            dust.burst(foot, (right, up), DUST_SPEED);
        }
        self.next_dust -= seconds;
        if on_floor && along * input < 0.0 && along.abs() > MIN_TURN_SPEED && self.next_dust <= 0.0 && seconds > 0.0 {
            dust.add(foot, right * along * 0.4 + up * 1.2);
            self.next_dust = TURN_DUST_SECONDS;
        }
    }
}
