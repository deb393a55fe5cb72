//! Bullets: casts of a small circle over 2 to 4 tiles.

use crate::oracle::{COARSE, FINE, Form};
use crate::random::Random;
use crate::scene::{HEIGHT, Scene, WIDTH};
use surefoot::geometry::DVec2;

/// Number of shots.
pub const SHOTS: usize = 100_000;
/// The circle's radius, in tiles.
pub const RADIUS: f64 = 0.1;
/// Free distance around a start. With it, no mover touches anything at the start, even with its skin.
const CLEAR: f64 = 0.02;

/// One cast.
#[derive(Clone, Copy, Debug)]
pub struct Shot {
    /// Free start position of the circle.
    pub from: DVec2,
    /// Its motion, 2 to 4 tiles.
    pub motion: DVec2,
}

/// An engine that casts the circle.
pub trait Shooter {
    /// The fraction of the motion up to the hit; 1 without a hit.
    fn shoot(&mut self, shot: &Shot) -> f64;
}

/// Shots from random free places in all directions; all numbers are exact in f32.
#[must_use]
pub fn shots(scene: &Scene, count: usize) -> Vec<Shot> {
    let mut random = Random(0xB0_11E7);
    let mut shots = Vec::with_capacity(count);
    while shots.len() < count {
        let from = DVec2::new(random.sixteenths(5, WIDTH as i32 - 5), random.sixteenths(2, HEIGHT as i32 - 5));
        let motion = DVec2::new(random.sixteenths(-4, 4), random.sixteenths(-4, 4));
        let length = motion.length();
        let free = || scene.judged.depth(Form::circle(RADIUS + CLEAR), from) == 0.0;
        if (2.0..=4.0).contains(&length) && free() {
            shots.push(Shot { from, motion });
        }
    }
    shots
}

/// Shots that meet something on their way, and those that meet nothing, by the oracle; both in their order.
#[must_use]
pub fn split(scene: &Scene, shots: &[Shot]) -> (Vec<Shot>, Vec<Shot>) {
    let meets = |shot: &&Shot| scene.judged.depth_on_way(RADIUS, shot.from, shot.from + shot.motion) > 0.0;
    shots.iter().partition(meets)
}

/// Faults of casts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ShotFaults {
    /// Number of checked casts.
    pub seen: u64,
    /// Number of casts that stopped before their end.
    pub hits: u64,
    /// Number of casts that got deeper than [`FINE`]: they missed something or stopped too late.
    pub late: u64,
    /// Number of casts that stopped with more than [`COARSE`] of free path before them.
    pub early: u64,
    /// The deepest on the way, in tiles.
    pub deepest: f64,
}

impl ShotFaults {
    /// Looks at a cast that made this fraction of its way.
    pub fn see(&mut self, scene: &Scene, shot: &Shot, fraction: f64) {
        let to = shot.from + shot.motion * fraction;
        let depth = scene.judged.depth_on_way(RADIUS, shot.from, to);
        self.seen += 1;
        self.deepest = self.deepest.max(depth);
        self.late += u64::from(depth > FINE);
        if fraction < 1.0 {
            self.hits += 1;
            let on = COARSE / shot.motion.length();
            // A skin is a distance along the normal, so along a slanted path it is longer. Judge the path further on
            // for a larger circle, which a skin of that size would stop.
            let further = shot.from + shot.motion * (fraction + on).min(1.0);
            self.early += u64::from(scene.judged.depth_on_way(RADIUS + COARSE, to, further) == 0.0);
        }
    }
}
