//! Every tolerance of the queries and sweeps in floating point. Lengths are in the unit of your coordinates.
//!
//! [`exact::tolerance`](crate::exact::tolerance) has the tolerances of the sweeps in fixed point.

use crate::shapes::MAX_COORDINATE;

// Pinned by the tests that check for touching at the hit of a sweep.
/// Contact tolerance: shapes touch if they are at most this far apart or this deep in each other. 2^-24, in the unit
/// of your coordinates.
///
/// A shape that moves to a hit found by a sweep is not exactly at the obstacle, because its position is rounded. The
/// tolerance makes the shape count as touching.
///
/// With a larger value, shapes would touch although a game could draw a gap between them. With a value near 2^-29,
/// the spacing of f64 numbers at [`MAX_COORDINATE`], a shape that moved to its hit might not touch the obstacle.
pub const TOUCH: f64 = 1.0 / (1_u64 << 24) as f64;

// Pinned by the comparison of each query with its witness.
/// Largest error of the distances, depths and points that queries return, as a fraction of the scene's size: 2^-50.
///
/// The scene's size is the largest difference between two coordinates of both shapes, radii and half-extents
/// included. Example: in a scene 1024 wide, a distance is wrong by at most 2^-40. In the largest scene, from
/// -[`MAX_COORDINATE`] to [`MAX_COORDINATE`], the error is at most 2^-25.
pub const ROUNDING: f64 = 1.0 / (1_u64 << 50) as f64;

// Pinned by the tests `a_unit_is_more_than_the_slop` and `a_shape_moved_to_its_hit_touches`.
/// Depth up to which a shape in a one-sided edge counts as touching instead of overlapping: 2^-34, in the unit of
/// your coordinates.
///
/// A one-sided edge stops motion from one side only. A shape that moves to its time of impact in f64 may end up to
/// 1e-12 too deep, for coordinates up to 1000. The next sweep must still find the shape in front of the edge.
///
/// The value has two more uses:
/// - A box whose side is in line with an end point may overlap the edge by this length and still falls past.
/// - If two edges continue each other, each one extends past their common end by this length, so no gap is left.
///
/// With a larger value, a box that is 2^-32 inside an edge, one fixed-point unit of [`Position`](crate::Position),
/// would count as touching. With a value near 1e-12, shapes at rest on slopes would count as overlapping and fall
/// through.
pub const ONE_SIDED_SLOP: f64 = 1.0 / (1_u64 << 34) as f64;

// Pinned by the tests `projected_motion_slides` and `a_unit_in_a_hundred_lengths_reaches_the_face`, and by the tests
// of needles.
/// Sine of the angle between a motion and a surface below which the motion counts as parallel to the surface: 2^-48.
///
/// Two kinds of sweep use this value:
/// - Sweeps against a one-sided edge, which stops motion from one side only. A motion parallel to the edge can hit
///   the end points of the edge, but not the part between them.
/// - Sweeps of or against round shapes. If the motion is parallel to the side that it hits, the error of the time of
///   impact has no bound.
///
/// Without the limit, a shape that slides along a slope would stick: its motion, computed in f64, points into the
/// slope by up to a few parts in 2^53. So with a value near 2^-53, the slope would stop the shape at time 0. With a
/// larger value, a motion that comes 2^-32 closer to a face over a distance of 100 would not hit the face.
pub const PARALLEL: f64 = 1.0 / (1_u64 << 48) as f64;

// Pinned by the test `both_ways_agree`.
/// Rounding bound of one-sided sweeps: 2^-49. f64 decides a sign only if the value is further from 0 than this bound
/// times the squared size of the scene.
///
/// A one-sided sweep (against an edge that stops motion from one side only) decides by signs, such as on which side
/// of the edge a corner is. Each sign is that of a sum of products of two lengths. If the sum is within
/// `ONE_SIDED_FILTER * size * size` of 0, rounding could have changed its sign. The sweep then computes the sum again
/// in numbers of about 106 bits. `size` adds up the absolute differences of coordinates, the motion and the radius.
///
/// With a larger value, more sweeps use the slower numbers. With less than 9/16 of this value, a sweep could trust a
/// wrong sign and report a wrong result.
pub const ONE_SIDED_FILTER: f64 = 1.0 / (1_u64 << 49) as f64;

// Pinned by the test `both_ways_agree`.
/// Largest error of a time of impact that one-sided sweeps accept from f64: a quarter of [`ONE_SIDED_SLOP`], 2^-36.
///
/// The error is measured as a distance along the path, in the unit of your coordinates. If the error may be larger,
/// the sweep computes the time again in numbers of about 106 bits. A one-sided sweep is against an edge that stops
/// motion from one side only.
///
/// With a larger value, a shape that has moved to its hit might no longer count as in front of the edge. A smaller
/// value only costs speed.
pub const ONE_SIDED_ACCURACY: f64 = ONE_SIDED_SLOP / 4.0;

// Pinned by the sweeps against a witness in exact rationals.
/// Largest error of the time of impact of a sweep, as a distance along the path: 2^-43 of the scene's size.
///
/// The scene's size is the largest difference between two coordinates of both shapes and the motion, radii included.
/// Example: in a scene 1024 wide, a sweep stops at most 2^-33 too early or too late.
///
/// The gap between the shapes is much smaller than this error: after the motion, they touch within a few [`ROUNDING`]
/// (2^-50 of the scene's size). The larger error comes from shallow angles between path and side, where a small error
/// of the gap becomes a larger one along the path.
pub const IMPACT: f64 = 4.0 * ROUNDING / STEEP;

// Pinned with [`IMPACT`].
/// Sine of the smallest angle between the path of a shape and the side that it hits at which sweeps compute in f64:
/// 1/32.
///
/// At smaller angles, sweeps compute the time of impact in numbers of about 106 bits, which is slower. With a larger
/// value, more sweeps would be slow. With a smaller value, times of impact at shallow angles would be less accurate.
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
