//! Checks of points that callers pass directly, without a constructor.

use crate::shapes::{MAX_COORDINATE, flush_small_to_zero};
use glam::DVec2;

/// Largest coordinate of a bounded shape: [`MAX_COORDINATE`] plus a radius of the same size.
const REACH: f64 = 2.0 * MAX_COORDINATE;

/// Largest coordinate of a point whose side of a line can be decided, 2^900: products with coordinates stay finite.
const DECIDABLE: f64 = {
    let step = (1_u64 << 60) as f64;
    let step = step * step * step * step * step;
    step * step * step
};

/// Returns the point with tiny coordinates set to 0; `None` if it is too far away to be in a shape.
#[inline]
pub(super) fn point_if_near_enough(point: DVec2, is_unbounded: bool) -> Option<DVec2> {
    let limit = if is_unbounded { DECIDABLE } else { REACH };
    // NaN fails this comparison too.
    let is_within = point.x.abs() <= limit && point.y.abs() <= limit;
    is_within.then(|| DVec2::new(flush_small_to_zero(point.x), flush_small_to_zero(point.y)))
}

/// Returns the point with coordinates clamped to [`REACH`]. NaN and tiny coordinates become 0.
#[inline]
pub(super) fn clamped_point(point: DVec2) -> DVec2 {
    let number =
        |coordinate: f64| if coordinate.is_nan() { 0.0 } else { flush_small_to_zero(coordinate.clamp(-REACH, REACH)) };
    DVec2::new(number(point.x), number(point.y))
}
