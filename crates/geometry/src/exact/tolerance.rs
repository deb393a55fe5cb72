//! Every tolerance of the sweeps in fixed point, in fixed-point units (2^32 units = 1.0) unless a constant says
//! otherwise.
//!
//! Integers decide sweeps of boxes against edges, without any of these tolerances. Only contact lists of boxes use one:
//! [`TOUCH`]. "Pinned by" names the tests that fail if the value changes.

// Pinned by `touching_ends_sixteen_units_away`.
/// Contact tolerance in fixed-point units (2^32 units = 1.0): a surface at most this far away counts as touched.
///
/// Positions are whole units, so a shape that stops at a slanted surface is up to 2 units away from the surface. A
/// slide along several surfaces adds a few such gaps, together less than 16 units.
///
/// With a smaller value, a body that has stopped at two slanted surfaces would lose one of the contacts and jitter.
/// With a larger value, a body would report contacts with surfaces that it does not reach.
pub const TOUCH: i64 = 16;

// Pinned by `one_unit_decides_between_touching_and_overlapping`.
/// Distance between a circle and a surface below which integers, instead of f64, decide whether the circle overlaps
/// the surface: 64.
///
/// In fixed-point units (2^32 units = 1.0). f64 alone can be wrong by up to half this distance, for circles with the
/// largest allowed radius. With a smaller value, a circle that only touches could count as overlapping. A larger
/// value only costs speed.
pub const SIDE_FILTER: f64 = 64.0;

/// How deep behind a face's line a circle may be when its perpendicular foot enters the face, and still count as
/// hitting the face. In units.
///
/// The corner's arc should stop the circle earlier, but rounding hides a graze in about one of a million motions.
/// - Smaller: such a circle gets into the terrain.
/// - Larger: the face stops circles that pass its end.
///
/// Pinned by the tests that compare random cases with a slow exact computation.
pub(crate) const GRAZE: f64 = 64.0;

/// Largest depth, as a fraction of the radius, at which a circle counts as nearly grazing a corner. f64 cannot tell the
/// depth there, so integers compute it.
///
/// The depth is a difference of two products that f64 rounds to 2^-51 of themselves. At this depth, the error is 2^-35
/// of the depth: less than a unit along the path for a radius up to 2^36 units.
/// - Larger: only slower.
/// - Smaller: grazes are missed, or hit some hundred units off.
///
/// Pinned by the tests that compare random cases with a slow exact computation.
pub(crate) const NEAR_GRAZE: f64 = 1.0 / 65536.0;

/// Margin of the f64 filter for corners, in units: a motion that passes a corner by less than this plus the radius may
/// hit it.
///
/// The error of f64 is less than 2^-7 units there, see [`super::MovingCircle::may_hit_corner`].
/// - Smaller: a sweep may miss a corner that is hit.
/// - Larger: only slower.
///
/// Pinned by `a_corner_hit_by_a_part_of_a_motion_is_never_ruled_out`.
pub(crate) const CORNER_FILTER: f64 = 1.0;

/// How far outside a corner's cone the contact of a circle may lie, as a multiple of the cone's bounding direction.
///
/// Covers the rounding of the time of impact along the longest motion, with a margin: 2^42 units in 53 bits give 2^-11
/// of a unit, times the number of operations.
/// - Smaller: a circle that hits where arc and face join may hit neither.
/// - Larger: a corner may stop a circle that should hit the face beside it, at almost the same time.
pub(crate) const CONE: f64 = 2048.0;

/// How much earlier than a face a circle must hit a corner for the sweep to report the corner: 1e-12 of the motion.
///
/// If the lead of the corner is smaller, the sweep reports the face. Where a face ends at a corner, a circle hits both
/// at the same time, and only rounding makes one of the two earlier. The face is preferred because its normal is exact.
///
/// With a smaller value, such a hit would get the corner's rounded normal. With a larger value, hits on the corner
/// alone would be reported as hits on the face.
pub const ARC_LEAD: f64 = 1e-12;

const _: () = assert!((TOUCH as f64) < SIDE_FILTER && GRAZE <= SIDE_FILTER && SIDE_FILTER < CONE);
