//! The player's will, the same for every peer: from input to a velocity and a motion, with the numbers of surefoot's
//! default character. What the mover says of floors, walls and ceilings comes back through [`Walker::meet`].

use crate::scene::{Input, TICK};
use surefoot::geometry::Vec2;

const WALK_SPEED: f32 = 8.0;
const GROUND_ACCELERATION: f32 = 60.0;
const GROUND_BRAKING: f32 = 80.0;
const AIR_ACCELERATION: f32 = 40.0;
/// Reaches 3.2 tiles under [`GRAVITY`].
const JUMP_SPEED: f32 = 16.0;
const FALL_SPEED: f32 = 24.0;
/// Tiles per second squared, downwards.
pub const GRAVITY: f32 = 40.0;
/// A normal that points up by more than this is a floor's: 45 degrees is 0.707.
pub const FLOOR: f32 = 0.65;

/// A body that a peer moves: f32, as the peers compute.
#[derive(Clone, Copy, Debug)]
pub struct Walker {
    /// Its centre, in tiles.
    pub at: Vec2,
    /// Tiles per second.
    pub velocity: Vec2,
    /// The walker stood on a floor at the end of the last tick.
    pub on_floor: bool,
    jump_held: bool,
}

impl Walker {
    /// Returns a walker at rest in the air.
    #[must_use]
    pub fn new(at: Vec2) -> Walker {
        Walker { at, velocity: Vec2::ZERO, on_floor: false, jump_held: false }
    }

    /// Takes an input; answers with the motion of the tick. Whether it then stands is for the mover to say.
    pub fn steer(&mut self, input: Input) -> Vec2 {
        let tick = TICK as f32;
        let wanted = WALK_SPEED * f32::from(input.walk);
        let before = self.velocity;
        let rate = match self.on_floor {
            true if wanted * before.x >= 0.0 && wanted.abs() > before.x.abs() => GROUND_ACCELERATION,
            true => GROUND_BRAKING,
            false => AIR_ACCELERATION,
        };
        if self.on_floor || input.walk != 0 {
            let step = rate * tick;
            self.velocity.x += (wanted - before.x).clamp(-step, step);
        }
        let jumps = self.on_floor && input.jump && !self.jump_held;
        self.jump_held = input.jump;
        let rise = if jumps { JUMP_SPEED } else { before.y };
        self.velocity.y = (rise - GRAVITY * tick).max(-FALL_SPEED);
        if jumps {
            self.on_floor = false;
        }
        Vec2::new(before.x + self.velocity.x, rise + self.velocity.y) * (tick / 2.0)
    }

    /// Meets a surface: a floor stops the fall and leaves the speed sideways, everything else takes the speed into
    /// it.
    pub fn meet(&mut self, normal: Vec2) {
        if normal.y > FLOOR {
            self.velocity.y = self.velocity.y.max(0.0);
        } else {
            self.velocity -= normal * self.velocity.dot(normal).min(0.0);
        }
    }
}
