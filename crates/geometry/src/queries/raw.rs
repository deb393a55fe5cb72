//! Points that callers give as they are, without a constructor that checks them.

use crate::shapes::{MAX_COORDINATE, flushed};
use glam::DVec2;

/// As far as a bounded shape can reach: from the cap by a radius.
const REACH: f64 = 2.0 * MAX_COORDINATE;

/// As far as is decided on which side of a line a point lies: products with coordinates stay numbers. 2^900.
const DECIDABLE: f64 = {
    let step = (1_u64 << 60) as f64;
    let step = step * step * step * step * step;
    step * step * step
};

/// The point, without what is too small, if it may be in a shape.
#[inline]
pub(super) fn decidable(point: DVec2, is_unbounded: bool) -> Option<DVec2> {
    let limit = if is_unbounded { DECIDABLE } else { REACH };
    // NaN is not within the limit either.
    let is_within = point.x.abs() <= limit && point.y.abs() <= limit;
    is_within.then(|| DVec2::new(flushed(point.x), flushed(point.y)))
}

/// The point with coordinates that are numbers, not too small and not too far out.
#[inline]
pub(super) fn brought_in(point: DVec2) -> DVec2 {
    let number = |coordinate: f64| if coordinate.is_nan() { 0.0 } else { flushed(coordinate.clamp(-REACH, REACH)) };
    DVec2::new(number(point.x), number(point.y))
}
