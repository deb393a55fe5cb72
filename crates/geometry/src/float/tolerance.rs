//! The tolerances of the f64 sweeps, and nothing else.

/// How deep two shapes may overlap and still only touch, in lengths: 2^-34, a quarter of a fixed-point unit.
///
/// A shape that was moved to its time of impact in f64 sits up to 1e-12 lengths too deep or too high (coordinates up to
/// 1000); the next sweep must still find it in front. It is also the overlap up to which a box in line with an end
/// point falls past, and the length by which the faces of two joined segments reach over each other.
///
/// - Larger: a box one fixed-point unit inside a segment would pass for touching.
/// - Smaller, near 1e-12: shapes at rest on slopes would be found overlapping, and fall through.
///
/// Pinned by the tests `a_unit_is_more_than_a_touch` and `a_shape_moved_to_its_hit_touches`.
pub const TOUCH: f64 = 1.0 / (1_u64 << 34) as f64;

/// Sine of the angle up to which a motion counts as parallel to a face, or as going round an end
/// point: 2^-48.
///
/// A motion that was projected onto a slope in f64 goes against its normal by a few parts in 2^53.
///
/// - Larger: motion of one fixed-point unit in 100 lengths would no longer reach a face.
/// - Smaller, near 2^-53: a shape sliding on a slope would be stopped at time 0 by the surface it slides on.
///
/// Pinned by the tests `projected_motion_slides` and `a_unit_in_a_hundred_lengths_reaches_the_face`.
pub const PARALLEL: f64 = 1.0 / (1_u64 << 48) as f64;

// A whole path of 1000 lengths that counts as parallel must not sink deeper than a touch.
const _: () = assert!(1000.0 * PARALLEL < TOUCH);
