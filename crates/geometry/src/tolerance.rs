//! Every tolerance of the queries and sweeps in floating point, in lengths. A length is the unit of the coordinates.
//!
//! [`exact::tolerance`](crate::exact::tolerance) has the tolerances of the sweeps in fixed point.

use crate::shapes::MAX_COORDINATE;

// Pinned by the tests that check for touching at the hit of a sweep.
/// Contact tolerance in lengths: shapes touch if they are at most this far apart or this deep in each other. 2^-24.
///
/// A shape that a sweep has moved to a hit misses exact contact by rounding (see [`ROUNDING`]). The tolerance makes
/// it count as touching.
///
/// With a larger value, shapes would touch although a game could draw a gap between them. With a value near the
/// rounding of coordinates at [`MAX_COORDINATE`], a shape moved to its hit would not touch the obstacle.
pub const TOUCH: f64 = 1.0 / (1_u64 << 24) as f64;

// Pinned by the comparison of each query with its witness.
/// Largest error of a length, a point on a shape or a depth, as a fraction of the scene's size: 2^-50.
///
/// The scene's size is the largest difference between two coordinates of both shapes, radii and half-extents
/// included. The error is that of eight f64 roundings. For coordinates at [`MAX_COORDINATE`] it is 2^-25 lengths.
pub const ROUNDING: f64 = 1.0 / (1_u64 << 50) as f64;

// Pinned by the tests `a_unit_is_more_than_the_slop` and `a_shape_moved_to_its_hit_touches`.
/// Depth in lengths up to which a shape in a one-sided edge counts as touching instead of overlapping. 2^-34.
///
/// A shape that is moved to its time of impact in f64 may end up to 1e-12 lengths too deep, for coordinates up to
/// 1000. The next sweep must still find the shape in front of the edge.
///
/// The value has two more uses. A box in line with an end point may overlap the edge by this length and still falls
/// past. The faces of two edges that continue each other extend past their common end by this length.
///
/// With a larger value, a box that is one fixed-point unit (2^-32 length) inside an edge would count as touching.
/// With a value near 1e-12, shapes at rest on slopes would count as overlapping and fall through.
pub const ONE_SIDED_SLOP: f64 = 1.0 / (1_u64 << 34) as f64;

// Pinned by the tests `projected_motion_slides` and `a_unit_in_a_hundred_lengths_reaches_the_face`, and by the tests
// of needles.
/// Sine of the largest angle at which a motion counts as parallel: 2^-48.
///
/// This applies to
/// - motions along a one-sided edge,
/// - motions around an end point of a one-sided edge,
/// - and motions along a side, in sweeps of or against round shapes.
///
/// The value exists because of rounding. A motion that is projected onto a slope in f64 points into the slope by a
/// few parts in 2^53. For round shapes swept along a side at a smaller angle, the error of the time of impact has no
/// bound.
///
/// With a larger value, a motion of one fixed-point unit (2^-32 length) in 100 lengths would not reach a face. With a
/// value near 2^-53, a shape that slides on a slope would be stopped by that slope at time 0.
pub const PARALLEL: f64 = 1.0 / (1_u64 << 48) as f64;

// Pinned by the test `both_ways_agree`.
/// Largest f64 error of a product of two lengths in a one-sided sweep: 2^-49 of the square of the scene's size.
///
/// The scene's size is here the sum of the absolute differences of coordinates, the motion and the radius. If the
/// sign of a product could be wrong because of this error, numbers of about 106 bits decide instead of f64.
///
/// The value is that of sixteen f64 roundings; the longest sum of products needs nine. A larger value only costs
/// speed. With less than nine roundings, a wrong sign could count as correct.
pub const ONE_SIDED_FILTER: f64 = 1.0 / (1_u64 << 49) as f64;

// Pinned by the test `both_ways_agree`.
/// Largest error of a one-sided sweep in f64, in lengths along the path: a quarter of [`ONE_SIDED_SLOP`].
///
/// If the error may be larger, numbers of about 106 bits are used instead of f64.
///
/// With a larger value, a shape moved to its hit might not count as in front of the edge. A smaller value only costs
/// speed.
pub const ONE_SIDED_ACCURACY: f64 = ONE_SIDED_SLOP / 4.0;

// Pinned by the sweeps against a witness in exact rationals.
/// Largest error of a time of impact, measured along the path, as a fraction of the scene's size: 2^-43.
///
/// The scene's size is the largest difference between two coordinates of both shapes and the motion, radii included.
/// The moved shape is closer than that to touching the obstacle: within a few [`ROUNDING`]. At a shallow angle
/// between path and side, a small error across the path becomes a larger error along the path. f64 is used down to an
/// angle with the sine [`STEEP`], 1/32. Shallower angles are computed with more bits.
pub const IMPACT: f64 = 4.0 * ROUNDING / STEEP;

// Pinned with [`IMPACT`].
/// Sine of the smallest angle between path and side at which sweeps use f64: 1/32.
///
/// Shallower angles are computed with more bits. With a larger value, more sweeps would be slow. With a smaller
/// value, times of impact at shallow angles would be less accurate.
pub const STEEP: f64 = 1.0 / 32.0;

/// What a handful of f64 operations may be off, as a share of the numbers that they were computed from: 2^-49, which is 16
/// roundings. Lengths and products that differ by less are compared in numbers of about 106 bits instead. The formulas
/// that use it make at most eight.
///
/// - Larger: more questions take the slow way.
/// - Smaller than eight roundings: a sign is believed that is wrong.
///
/// Pinned by each question about radii against its witness, and by `discs_to_the_last_bit`.
pub(crate) const FILTER: f64 = 1.0 / (1_u64 << 49) as f64;

/// The share of the sum of all coordinates and extents by which gaps between turned boxes may be off in f64: 2^-48. The
/// formulas make less than a dozen roundings, and the rounded corners, which are what counts, four more.
///
/// - Larger: more boxes are compared corner by corner.
/// - Smaller than 16 roundings: boxes that share a side overlap, or those that overlap by the last bit do not.
///
/// Pinned by `turned_boxes_with_a_common_edge_or_corner_do_not_overlap` and by the overlap of all pairs against its witness.
pub(crate) const BOX_FILTER: f64 = 2.0 * FILTER;

/// What taking corners nearer to 0 than 2^-200 for 0 may change in a gap between turned boxes, in lengths: 2^-190.
///
/// - Larger: boxes as small as that are compared corner by corner. Smaller: a sign is believed that is wrong.
///
/// Pinned with [`BOX_FILTER`], by coordinates of all sizes.
pub(crate) const TINY: f64 = {
    let step = 1.0 / (1_u64 << 38) as f64;
    step * step * step * step * step
};

/// By how much the square of a distance may be more than that of the radii that must cover it, as a share of the latter,
/// and the shapes still have a point in common: 2^-101.
///
/// - Larger: less than what [`Shape::distance`](crate::Shape::distance) says of shapes that touch.
/// - Smaller than four roundings of 106 bits: shapes overlap that are apart.
///
/// Pinned by the law that shapes which overlap are not apart.
pub(crate) const TOUCHING_SQUARES: f64 = TWOFOLD_FILTER / 8.0;

/// What numbers of about 106 bits may be off, and what two squares of them may differ by and still count as equal, as a
/// share of themselves: 2^-98. Cross products are right to 2^-100, and squares double that.
///
/// - Larger: a chord that is no tangent is taken for one.
/// - Smaller than eight roundings of 106 bits: a tangent is taken for a chord of no length, or missed.
///
/// Pinned by `a_tangent_of_whole_numbers_is_one_point` and by the chords and rays against their witness.
pub(crate) const TWOFOLD_FILTER: f64 = FILTER * FILTER;

/// The share of its two terms from which on a cross product of about 106 bits is as right as they are: 1/8, which costs
/// it three bits.
///
/// - Larger: more cross products are summed without rounding, which takes several times as long.
/// - Smaller: cross products have fewer than 100 bits.
///
/// Pinned by the test `the_last_bit_of_the_smallest_part_counts`.
pub(crate) const SURE: f64 = 1.0 / 8.0;

/// How far off a sum of two products of two differences of coordinates may be in f64, as a fraction of the sum of their
/// absolute values: 2^-50, eight roundings. It makes four: two in differences, one in products, one in the sum.
///
/// - Larger: more questions about points are asked of pairs of f64, which takes several times as long.
/// - Smaller than four roundings: a sign is believed that is wrong.
///
/// Pinned by the tests of the questions against exact witnesses.
pub(crate) const FEATURE_FILTER: f64 = ROUNDING;

/// By how much of what they were computed from two lengths or squares must differ in f64 for a radius to be known as longer
/// or shorter: 2^-49, 16 roundings. The formulas make at most nine.
///
/// - Larger: more questions about round shapes are asked of pairs of f64.
/// - Smaller than nine roundings: a sign is believed that is wrong.
///
/// Pinned by the tests of the questions against exact witnesses.
pub(crate) const RADIUS_FILTER: f64 = 2.0 * ROUNDING;

/// How far from 1 the square of a vector's length may be if it is to count as of unit length: 2^-50.
///
/// - Larger: a direction that is not of unit length is kept, and a turned box comes out too large or too small.
/// - Smaller than some seven roundings: a direction that was made, written and read again changes its last bits.
///
/// Pinned by the test `a_direction_is_kept_once_it_is_of_unit_length`.
pub(crate) const UNIT: f64 = ROUNDING;

// What is computed at the cap touches.
const _: () = assert!(2.0 * MAX_COORDINATE * ROUNDING < TOUCH);
// A whole path of 1000 lengths that counts as parallel must not sink deeper than the slop.
const _: () = assert!(1000.0 * PARALLEL < ONE_SIDED_SLOP);
// Nearly parallel is in doubt.
const _: () = assert!(4.0 * ONE_SIDED_FILTER > PARALLEL);
