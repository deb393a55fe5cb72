//! Casts of a small circle, and balls that bounce by casting.

use crate::scene::TICK;
use crate::tolerance::NUDGE;
use crate::walker::GRAVITY;
use surefoot::geometry::Vec2;

/// The end of a cast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The fraction of the motion.
    pub time: f32,
    /// The surface's outward normal.
    pub normal: Vec2,
}

/// A peer that casts the one shape it was made for.
pub trait Cast {
    /// The first thing that is met on the way, or come nearer to than `skin`; `None` if there is nothing.
    fn cast(&mut self, from: Vec2, motion: Vec2, skin: f32) -> Option<Hit>;
}

/// What a bouncing ball keeps of its speed along the normal: all, so that it does not come to rest while it is
/// measured.
pub const BOUNCE: f32 = 1.0;
/// The distance that bouncing balls keep, in tiles.
const SKIN: f32 = 0.005;
/// Below this speed along the normal a ball does not bounce: Box2D's threshold.
const REST_SPEED: f32 = 1.0;
const CASTS: usize = 8;

/// A ball.
#[derive(Clone, Copy, Debug)]
pub struct Ball {
    /// Its centre, in tiles.
    pub at: Vec2,
    /// Tiles per second.
    pub velocity: Vec2,
}

/// One tick of a ball by the casts of a peer: to each impact, thrown back, and on with the time that is left.
pub fn bounce(caster: &mut impl Cast, ball: &mut Ball) {
    let mut left = TICK as f32;
    let mut nudge = Vec2::ZERO;
    let mut acceleration = Vec2::new(0.0, -GRAVITY);
    for _ in 0..CASTS {
        let motion = (ball.velocity + acceleration * (left / 2.0)) * left + nudge;
        let Some(hit) = caster.cast(ball.at, motion, SKIN) else {
            ball.at += motion;
            ball.velocity += acceleration * left;
            return;
        };
        ball.at += motion * hit.time;
        ball.velocity += acceleration * (left * hit.time);
        left *= 1.0 - hit.time;
        let into = ball.velocity.dot(hit.normal);
        if into < 0.0 {
            if -into > REST_SPEED {
                ball.velocity -= hit.normal * (into * (1.0 + BOUNCE));
                continue;
            }
            ball.velocity -= hit.normal * into;
        }
        // The ball rests on the surface, so gravity does not pull it into the surface for the rest of the tick.
        acceleration -= hit.normal * acceleration.dot(hit.normal).min(0.0);
        nudge = hit.normal * NUDGE;
    }
}
