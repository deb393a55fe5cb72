use crate::motion::ShapeError;
use crate::range::{RangeError, within};
use glam::DVec2;
use surefoot_geometry::PositionError;
use thiserror::Error;

/// Why a body cannot be in a world.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BodyError {
    /// It has no proper position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// Its shape is too small or too large.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A number is not finite or out of its range.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// A circle has no top for others to land on.
    #[error("a circle that is one-way; expected a box")]
    OneWayCircle,
}

/// The largest absolute value of a velocity's component, in tiles per second. In one tick a body makes at most
/// [`Mover::MAX_MOTION`](crate::motion::Mover::MAX_MOTION) tiles on an axis, whatever its velocity.
pub const MAX_SPEED: f64 = 1e9;

/// The least mass of a body. The masses of two bodies that meet differ by a factor of at most 1e12, so that their sums and
/// shares in f64 keep some four digits of the lighter one.
pub(crate) const MIN_MASS: f64 = 1e-6;

/// The largest mass of a body, and the most that a character pushes; see [`MIN_MASS`].
pub(crate) const MAX_MASS: f64 = 1e6;

/// Refuses a velocity that is not finite or beyond [`MAX_SPEED`].
pub(crate) fn check_velocity(velocity: DVec2) -> Result<(), RangeError> {
    within("velocity.x", velocity.x, -MAX_SPEED, MAX_SPEED)?;
    within("velocity.y", velocity.y, -MAX_SPEED, MAX_SPEED)
}
