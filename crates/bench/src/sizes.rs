//! Measures crowds of 100 to 100,000 bodies on one map, in turn.

use crate::measure::{self, Length};
use crate::movers::{Crowd, Subject};
use crate::scene::{BODIES, Scene};
use surefoot::geometry::DVec2;

/// Bodies of each crowd.
pub const SIZES: [usize; 4] = [100, 1_000, 10_000, 100_000];
/// The most bodies that a slow peer is measured with.
#[cfg(feature = "peers")]
const SLOW: usize = 10_000;
/// Body-steps of a timed round, if that is more than two ticks.
const STEPS: usize = 200_000;
/// Ticks before anything is measured: every body has come down.
const WARM: u64 = 60;

/// A crowd of one size.
#[derive(Clone, Copy, Debug)]
pub struct Sized {
    /// The mover.
    pub subject: Subject,
    /// Number of bodies.
    pub bodies: usize,
    /// Nanoseconds of a body-step.
    pub nanos: f64,
    /// Processor time of a body-step as a multiple of that of 1000 bodies.
    pub ratio: f64,
}

impl Sized {
    /// Returns the milliseconds of a tick.
    #[must_use]
    pub fn millis(&self) -> f64 {
        self.nanos * self.bodies as f64 / 1e6
    }
}

/// The movers that are measured, and the most bodies of each.
const MEASURED: &[(Subject, usize)] = &[
    (Subject::Surefoot, usize::MAX),
    (Subject::Bare, usize::MAX),
    (Subject::CachedMover, usize::MAX),
    #[cfg(feature = "peers")]
    (Subject::Rapier, SLOW),
    #[cfg(feature = "box2d")]
    (Subject::Box2d, SLOW),
    #[cfg(feature = "box2d")]
    (Subject::Box2dBodies, SLOW),
    #[cfg(feature = "box2d")]
    (Subject::Box2dDiscrete, SLOW),
];

/// Measures crowds of all sizes, those of one mover in turn. Short runs leave out the largest.
pub fn sizes(scene: &Scene, crowd: impl Fn(Subject, &[DVec2]) -> Option<Box<dyn Crowd>>, length: Length) -> Vec<Sized> {
    let most = if length.judged == Length::QUICK.judged { BODIES } else { usize::MAX };
    let starts = scene.starts_of(SIZES.into_iter().filter(|&size| size <= most).max().unwrap_or(BODIES));
    let mut lines = Vec::new();
    for &(subject, limit) in MEASURED {
        let sizes: Vec<usize> = SIZES.into_iter().filter(|&size| size <= limit.min(most)).collect();
        let mut crowds: Vec<_> = sizes.iter().filter_map(|&size| crowd(subject, &starts[..size])).collect();
        for crowd in &mut crowds {
            (0..WARM).for_each(|tick| crowd.tick(tick));
        }
        let ticks: Vec<u64> = sizes.iter().map(|size| (STEPS / size).max(2) as u64).collect();
        let nanos = measure::crowd_times(&mut crowds, WARM, &ticks, length.rounds);
        let base = sizes.iter().zip(&nanos).find(|(size, _)| **size == BODIES).map_or(f64::NAN, |(_, nanos)| *nanos);
        let line = |(&bodies, &nanos): (&usize, &f64)| Sized { subject, bodies, nanos, ratio: nanos / base };
        lines.extend(sizes.iter().zip(&nanos).map(line));
    }
    lines
}
