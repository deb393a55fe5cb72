//! Every tolerance of the exact sweeps, in units of 2^-32 unless said otherwise.
//!
//! Boxes against edges are decided in integers and need none of them, but for [`TOUCH`], which is about contact lists and
//! not about motion.

/// How near a surface counts as touched.
///
/// A shape that stops at a slanted surface stands up to 2 units away from it, since places are whole units; the sum of a
/// few such roundings stays below 16. Smaller: a body that stopped at two slanted surfaces forgets one of them and
/// trembles. Larger: a body reports contact with what it does not reach. Pinned by `touching_ends_sixteen_units_away`.
pub const TOUCH: i64 = 16;

/// Within this distance of a surface f64 does not decide on which side a circle is; integers do.
///
/// Twice the rounding error of r |N| for the largest radius. Smaller: a circle may be judged overlapping that touches.
/// Larger: only slower. Pinned by `one_unit_decides_between_touching_and_overlapping`.
pub const SIDE_FILTER: f64 = 64.0;

/// How far past a face's line a circle may be when its foot enters the face, and still be told that it hit the face.
///
/// The corner's arc should have caught it earlier; rounding hides a graze in one of some million motions. Smaller: such a
/// circle gets in. Larger: circles are stopped that pass beside the end. Pinned by the random cases of the witness.
pub(crate) const GRAZE: f64 = 64.0;

/// How near to grazing a corner, as a fraction of the radius, f64 no longer tells how deep a circle passes it.
///
/// The depth is a difference of two products that f64 rounds to 2^-51 of themselves; at this depth that is 2^-35 of it,
/// less than a unit along the path for a radius up to 2^36 units. Larger: only slower. Smaller: grazes are missed, or met
/// some hundred units off. Pinned by the random cases of the witness.
pub(crate) const NEAR_GRAZE: f64 = 1.0 / 65536.0;

/// How near, in units more than the radius, a motion passes a corner that f64 alone does not rule out.
///
/// f64 is off by less than 2^-7 units there, see [`super::MovingCircle::may_hit_corner`]. Smaller: a corner is passed
/// over that is met. Larger: only slower. Pinned by `a_corner_that_a_part_of_a_motion_meets_is_never_ruled_out`.
pub(crate) const CORNER_FILTER: f64 = 1.0;

/// How far outside a corner's cone the contact of a circle may lie, as a multiple of the cone's bounding direction.
///
/// Covers the rounding of the time of impact along the longest motion (2^42 units in 53 bits: 2^-11 of a unit, times the
/// number of operations), with room. Smaller: a circle aimed at the end of an arc meets neither arc nor face. Larger: a
/// circle is stopped by a corner beside the face that it should have met, at almost the same time.
pub(crate) const CONE: f64 = 2048.0;

/// By how much, as a fraction of the motion, an arc must be earlier than every face to count.
///
/// Where a face ends in an arc both are met at the same time, give or take rounding, and the face has the exact normal.
/// Smaller: the arc's rounded normal is taken at seams with a corner. Larger: true corner hits are lost to faces.
pub const ARC_LEAD: f64 = 1e-12;

const _: () = assert!((TOUCH as f64) < SIDE_FILTER && GRAZE <= SIDE_FILTER && SIDE_FILTER < CONE);
