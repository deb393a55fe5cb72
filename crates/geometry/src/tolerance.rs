//! Every tolerance of the questions and sweeps in lengths. Those of the sweeps in units are in
//! [`exact::tolerance`](crate::exact::tolerance).

use crate::shapes::MAX_COORDINATE;

/// How far apart, or how deep in each other, two shapes may be and still touch, in lengths: 2^-24.
///
/// A shape that was moved to where it meets another one lies there within [`ROUNDING`] of the scene's size.
///
/// - Larger: shapes touch between which a game could draw a gap.
/// - Smaller than the rounding at the cap: a shape moved to its hit no longer touches what it hit.
///
/// Pinned by the tests that ask what touches at a sweep's hit.
pub const TOUCH: f64 = 1.0 / (1_u64 << 24) as f64;

/// How far off a length, a point on a shape or a depth may be, as a fraction of the scene's size: 2^-50.
///
/// The size of a scene is the largest difference of two of its coordinates, extents and radii included. It is eight
/// roundings of f64; at the cap it makes 2^-25.
///
/// - Larger: promises less than holds. Smaller: promises more than f64 keeps.
///
/// Pinned by the comparison of each question with its witness.
pub const ROUNDING: f64 = 1.0 / (1_u64 << 50) as f64;

/// How far off along the path a time of impact may be, as a fraction of the scene's size, the motion included: 2^-43.
///
/// The moved shape is nearer than that to touching: within a few [`ROUNDING`]. But where the path meets a side at an angle
/// so slight that its sine is [`STEEP`], an error across the path is so many times as large along it; a slighter one is
/// worked out in more bits than f64 has.
///
/// - Larger: promises less than holds. Smaller: more sweeps take the slow way.
///
/// Pinned by the sweeps against a witness in exact rationals.
pub const IMPACT: f64 = 4.0 * ROUNDING / STEEP;

/// Sine of the angle from which on a path counts as steep enough for f64: 1/32.
///
/// - Larger: more sweeps take the slow way. Smaller: the time of impact of the others is less exact.
///
/// Pinned with [`IMPACT`].
pub(crate) const STEEP: f64 = 1.0 / 32.0;

// What is computed at the cap touches.
const _: () = assert!(2.0 * MAX_COORDINATE * ROUNDING < TOUCH);
