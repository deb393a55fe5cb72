//! Every tolerance of the queries and sweeps in floating point. Lengths are in the unit of your coordinates.
//!
//! [`exact::tolerance`](crate::exact::tolerance) has the tolerances of the sweeps in fixed point.
//!
//! "Pinned by" names the tests that fail if the value changes.

use crate::shapes::MAX_COORDINATE;

// Pinned by the tests that check for touching at the hit of a sweep.
/// Contact tolerance: shapes touch if they are at most this far apart, or at most this deep in each other. 2^-24, in
/// the unit of your coordinates.
///
/// A shape that moves to a hit found by a sweep is not exactly at the obstacle, because its position is rounded. The
/// tolerance makes the shape count as touching.
///
/// With a larger value, shapes would touch although a game could draw a gap between them. With a value near 2^-29,
/// the spacing of f64 numbers at [`MAX_COORDINATE`], a shape that moved to its hit might not touch the obstacle.
pub const TOUCH: f64 = 1.0 / (1_u64 << 24) as f64;

// The tests compare each query with a slow exact computation, and fail if this value is smaller.
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

// Pinned by the tests `projected_motion_slides` and `a_unit_in_a_hundred_lengths_reaches_the_face`, and by those in
// `tests/questions/needles.rs` with triangles that are long and thin.
/// Sine of the angle between a motion and a surface below which the motion counts as parallel to the surface: 2^-48.
///
/// Two kinds of sweep use this value:
/// - Sweeps against a one-sided edge, which stops motion from one side only. A motion parallel to the edge can hit
///   the end points of the edge, but not the part between them.
/// - Sweeps of or against round shapes. If the motion is parallel to the side that it hits, the error of the time of
///   impact has no bound.
///
/// Without this limit, a shape that slides along a slope would stick: its motion, computed in f64, points into the
/// slope by up to a few parts in 2^53. So with a value near 2^-53, the slope would stop the shape at time 0. With a
/// larger value, the sweep would miss a face that a motion approaches by only 2^-32 over a distance of 100.
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

// The tests compare sweeps with a slow computation in exact fractions, and fail if this value changes.
/// Largest error of the time of impact of a sweep, as a distance along the path: 2^-43 of the scene's size.
///
/// The scene's size is the largest difference between two coordinates of both shapes and the motion, radii included.
/// Example: in a scene 1024 wide, a sweep stops at most 2^-33 too early or too late.
///
/// The gap between the shapes is much smaller than this error: after the motion, they touch within a few [`ROUNDING`]
/// (2^-50 of the scene's size). The larger error comes from shallow angles between path and side, where a small error
/// of the gap becomes a larger one along the path.
pub const IMPACT: f64 = 4.0 * ROUNDING / STEEP;

// Pinned by the same tests as [`IMPACT`].
/// Smallest angle, as its sine, between the path of a shape and the side that it hits for which sweeps compute in f64:
/// 1/32.
///
/// At smaller angles, sweeps compute the time of impact in numbers of about 106 bits, which is slower. With a larger
/// value, more sweeps would be slow. With a smaller value, times of impact at shallow angles would be less accurate.
pub const STEEP: f64 = 1.0 / 32.0;

/// Error bound of a few f64 operations, relative to their inputs: 2^-49, which is 16 roundings.
///
/// If lengths or products differ by less, numbers of about 106 bits decide instead. The formulas that use the bound
/// round at most eight times.
/// - Larger: more queries use the slow numbers.
/// - Smaller than eight roundings: a query may trust a wrong sign.
///
/// Pinned by `discs_to_the_last_bit`, and by the tests that compare the queries of round shapes with a slow exact
/// computation.
pub(crate) const FILTER: f64 = 1.0 / (1_u64 << 49) as f64;

/// Error bound of the gap between rotated boxes in f64, relative to the sum of all coordinates and extents: 2^-48.
///
/// The formulas round less than a dozen times, plus four roundings in the corners, whose rounded values define the box.
/// - Larger: more boxes are compared corner by corner.
/// - Smaller than 16 roundings: boxes that only share a side may count as overlapping, or boxes that overlap by the
///   last bit may not.
///
/// Pinned by `turned_boxes_with_a_common_edge_or_corner_do_not_overlap`, and by the tests that compare the overlap of
/// all pairs of shapes with a slow exact computation.
pub(crate) const BOX_FILTER: f64 = 2.0 * FILTER;

/// Error of a gap between rotated boxes from setting corners nearer to 0 than 2^-200 to 0: at most 2^-190, as a length.
/// - Larger: tiny boxes of that size are compared corner by corner.
/// - Smaller: a query may trust a wrong sign.
///
/// Pinned by the same tests as [`BOX_FILTER`], with coordinates of all sizes.
pub(crate) const TINY: f64 = {
    let step = 1.0 / (1_u64 << 38) as f64;
    step * step * step * step * step
};

/// Largest excess of a squared distance over the squared sum of radii, relative to that square, at which the distance
/// of shapes is 0: 2^-101.
/// - Larger: [`Shape::distance`](crate::Shape::distance) is 0 for more shapes that are apart.
/// - Smaller than four roundings of 106 bits: the distance may exceed 0 for shapes that touch or overlap.
///
/// Pinned by the law that overlapping shapes have distance 0.
pub(crate) const TOUCHING_SQUARES: f64 = TWOFOLD_FILTER / 8.0;

/// Relative error bound of numbers of about 106 bits: 2^-98. Squares that differ by less count as equal.
///
/// Cross products are right to 2^-100, and squaring doubles the relative error.
/// - Larger: a short chord may count as a tangent.
/// - Smaller than eight roundings of 106 bits: a tangent may count as a chord of length 0, or be missed.
///
/// Pinned by `a_segment_that_touches_a_circle_meets_it_in_one_point`, and by the tests that compare chords and rays
/// with a slow exact computation.
pub(crate) const TWOFOLD_FILTER: f64 = FILTER * FILTER;

/// Smallest cross product, relative to its two terms, that 106 bits compute accurately enough: 1/8, which costs 3 bits.
/// - Larger: more cross products are summed without rounding, which takes several times as long.
/// - Smaller: cross products have fewer than 100 bits.
///
/// Pinned by the test `the_last_bit_of_the_smallest_part_counts`.
pub(crate) const SURE: f64 = 1.0 / 8.0;

/// Error bound in f64 of a sum of two products of coordinate differences, relative to the sum of their absolute values:
/// 2^-50, which is eight roundings.
///
/// Such a sum rounds four times: twice in differences, once in products, once in the sum.
/// - Larger: more point queries use pairs of f64, which take several times as long.
/// - Smaller than four roundings: a query may trust a wrong sign.
///
/// Pinned by the tests that compare queries with a slow exact computation.
pub(crate) const FEATURE_FILTER: f64 = ROUNDING;

/// Smallest difference, relative to the inputs, at which f64 can compare a length (or its square) with a radius: 2^-49,
/// which is 16 roundings.
///
/// The formulas round at most nine times.
/// - Larger: more queries of round shapes use pairs of f64.
/// - Smaller than nine roundings: a query may trust a wrong sign.
///
/// Pinned by the tests that compare queries with a slow exact computation.
pub(crate) const RADIUS_FILTER: f64 = 2.0 * ROUNDING;

/// Largest deviation from 1 of a squared length at which a vector counts as a unit vector: 2^-50.
/// - Larger: a direction may be kept although it is not a unit vector, so an oriented box comes out too large or too
///   small.
/// - Smaller than some seven roundings: a computed direction that is written and read again changes its last bits.
///
/// Pinned by the test `a_direction_is_kept_once_it_is_of_unit_length`.
pub(crate) const UNIT: f64 = ROUNDING;

// A point computed at MAX_COORDINATE must still touch its shape.
const _: () = assert!(2.0 * MAX_COORDINATE * ROUNDING < TOUCH);
// A motion of length 1000 that counts as parallel must not sink deeper than the slop.
const _: () = assert!(1000.0 * PARALLEL < ONE_SIDED_SLOP);
// A nearly parallel motion must fail the f64 filter, so that the more precise numbers decide it.
const _: () = assert!(4.0 * ONE_SIDED_FILTER > PARALLEL);
