use crate::motion::ShapeError;
use glam::DVec2;
use surefoot_geometry::PlaceError;
use thiserror::Error;

/// Why a body cannot be in a world.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BodyError {
    /// It has no proper position.
    #[error("the position {0}")]
    Place(#[from] PlaceError),
    /// Its shape is too small or too large.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A number is not finite or out of its range.
    #[error("`{field}` is {value}; expected {least} to {most}")]
    OutOfRange {
        /// The name of the number.
        field: &'static str,
        /// The value of the number.
        value: f64,
        /// The least it may be.
        least: f64,
        /// The most it may be.
        most: f64,
    },
}

/// The largest absolute value of a velocity's component, in tiles per second. In one tick a body makes at most
/// [`Mover::MAX_MOTION`](crate::motion::Mover::MAX_MOTION) tiles on an axis, whatever its velocity.
pub const MAX_SPEED: f64 = 1e9;

/// Refuses a velocity that is not finite or beyond [`MAX_SPEED`].
pub(crate) fn check_velocity(velocity: DVec2) -> Result<(), BodyError> {
    within("velocity.x", velocity.x, -MAX_SPEED, MAX_SPEED)?;
    within("velocity.y", velocity.y, -MAX_SPEED, MAX_SPEED)
}

/// Refuses a number outside a closed range, and NaN.
pub(crate) fn within(field: &'static str, value: f64, least: f64, most: f64) -> Result<(), BodyError> {
    if value >= least && value <= most { Ok(()) } else { Err(BodyError::OutOfRange { field, value, least, most }) }
}
