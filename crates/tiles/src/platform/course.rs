#![allow(missing_docs)] // Some items are public only for the other crates of the engine.

use super::PlatformMotion;
use super::circle::Round;
use super::path::{Arrival, Legs, PathError};
use glam::I64Vec2;

/// A motion worked out for a length of tick.
#[derive(Clone, Debug)]
pub enum Course {
    Path(Legs),
    Circle(Round),
}

impl Course {
    /// Computes the positions of a motion for ticks of `tick` seconds. `None` for a driven platform.
    ///
    /// A leg that is too fast or too long for the ticks gets the nearest allowed duration: [`PlatformMotion::check`]
    /// refuses such a motion.
    pub fn new(motion: &PlatformMotion, tick: f64) -> Result<Option<Course>, PathError> {
        Ok(match motion {
            PlatformMotion::Driven => None,
            PlatformMotion::Path(path) => Some(Course::Path(Legs::new(path, tick)?)),
            PlatformMotion::Circle(circle) => Some(Course::Circle(Round::new(circle, tick)?)),
        })
    }

    /// Returns the displacement of the platform from its start position, at tick `clock` of the platform's own clock.
    pub fn displacement_at(&self, clock: u64) -> I64Vec2 {
        match self {
            Course::Path(legs) => legs.displacement_at(clock),
            Course::Circle(round) => round.displacement_at(clock),
        }
    }

    /// Returns the first arrival at a point of a path after tick `clock` of the platform's own clock.
    pub fn arrival_after(&self, clock: u64) -> Option<Arrival> {
        match self {
            Course::Path(legs) => legs.arrival_after(clock),
            Course::Circle(_) => None,
        }
    }

    /// Returns the lower left and upper right corners of the rectangle of all displacements from the start position.
    pub fn extent(&self) -> (I64Vec2, I64Vec2) {
        match self {
            Course::Path(legs) => legs.extent(),
            Course::Circle(round) => round.extent(),
        }
    }
}
