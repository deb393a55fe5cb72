use crate::motion::ShapeError;
use crate::range::{RangeError, check_in_range};
use crate::told::debug_is_display;
use glam::DVec2;
use surefoot_geometry::PositionError;
use thiserror::Error;

/// Error for a [`Body`](super::Body) that [`Body::check`](super::Body::check) refuses.
#[derive(Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum BodyError {
    /// The position is not finite, or more than 2^29 tiles from the origin on an axis.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The shape is too small or too large.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A number is not finite or out of range, for example a negative mass.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// The body is a one-way circle. Only a box can be one-way.
    #[error("a circle cannot be one-way; expected a box")]
    OneWayCircle,
}

debug_is_display!(BodyError);

/// Maximum absolute value of a velocity on each axis, in tiles per second: 10^9.
///
/// However high its velocity is, a body moves at most [`Mover::MAX_MOTION`](crate::motion::Mover::MAX_MOTION) tiles on
/// each axis in one tick.
pub const MAX_SPEED: f64 = 1e9;

/// Minimum mass of a body. The masses of two colliding bodies differ by a factor of at most 1e12. So their sums and
/// shares in f64 keep about four digits of the lighter one.
pub(crate) const MIN_MASS: f64 = 1e-6;

/// Maximum mass of a body, and maximum mass that a character pushes; see [`MIN_MASS`].
pub(crate) const MAX_MASS: f64 = 1e6;

/// Refuses a velocity that is not finite or exceeds [`MAX_SPEED`].
pub fn check_velocity(velocity: DVec2) -> Result<(), RangeError> {
    check_in_range("velocity.x", velocity.x, -MAX_SPEED, MAX_SPEED)?;
    check_in_range("velocity.y", velocity.y, -MAX_SPEED, MAX_SPEED)
}

/// Limits a velocity to [`MAX_SPEED`] on each axis. A velocity within it keeps its bits.
#[inline(always)]
pub(crate) fn clamp_velocity(velocity: DVec2) -> DVec2 {
    let is_within = velocity.x.abs() <= MAX_SPEED && velocity.y.abs() <= MAX_SPEED;
    if is_within { velocity } else { velocity.clamp(DVec2::splat(-MAX_SPEED), DVec2::splat(MAX_SPEED)) }
}

/// Limits a velocity as [`clamp_velocity`] does, and makes negative zeros positive: equal states then have equal bits.
#[inline(always)]
pub(crate) fn limit_velocity(velocity: DVec2) -> DVec2 {
    clamp_velocity(velocity) + DVec2::ZERO
}
