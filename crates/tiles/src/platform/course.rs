#![allow(missing_docs)] // Some items are public only for the other crates of the engine.

use super::PlatformMotion;
use super::circle::Round;
use super::path::{Legs, PathError};
use glam::I64Vec2;

/// A motion worked out for a length of tick.
#[derive(Clone, Debug)]
pub enum Course {
    Path(Legs),
    Circle(Round),
}

impl Course {
    /// A motion in ticks of that many seconds, `None` for one that is driven. What is too fast or too long for them is as
    /// near to it as it may be; [`Motion::check`] refuses such a motion.
    pub fn new(motion: &PlatformMotion, tick: f64) -> Result<Option<Course>, PathError> {
        Ok(match motion {
            PlatformMotion::Driven => None,
            PlatformMotion::Path(path) => Some(Course::Path(Legs::new(path, tick)?)),
            PlatformMotion::Circle(circle) => Some(Course::Circle(Round::new(circle, tick)?)),
        })
    }

    /// Where the platform is at a tick of its clock, from where it was put.
    pub fn at(&self, clock: u64) -> I64Vec2 {
        match self {
            Course::Path(legs) => legs.at(clock),
            Course::Circle(round) => round.at(clock),
        }
    }

    /// The lower left and the upper right corner of a rectangle that it never leaves, from where the platform was put.
    pub fn extent(&self) -> (I64Vec2, I64Vec2) {
        match self {
            Course::Path(legs) => legs.extent(),
            Course::Circle(round) => round.extent(),
        }
    }
}
