//! Moving boxes against convex sets, by separating axes over time.
//!
//! The interiors of two convex sets are apart exactly if their projections on the normal of one of their sides are.
//! During a straight relative motion, each pair of projections overlaps for one open span of times with rational ends.
//! The interiors overlap during the intersection of these spans. A segment counts as a convex set with two sides: the
//! open box overlaps the segment without its ends during such a span too.

use crate::time::Span;
use crate::{Vector, dot, vertex_in_units};

/// Returns when the interior of a box that starts centred at 0 overlaps the interior of the hull of `corners`.
/// `corners` are in order around the hull (three of a triangle, two of a segment). Times before 0 and after 1 continue
/// the motion.
pub(crate) fn overlap_span(half: Vector, motion: Vector, origin: Vector, corners: &[(i32, i32)]) -> Option<Span> {
    let mut span = axis_span((1, 0), half, motion, origin, corners)?.intersect(axis_span(
        (0, 1),
        half,
        motion,
        origin,
        corners,
    )?)?;
    for (i, &a) in corners.iter().enumerate() {
        span = span.intersect(axis_span(
            left_normal(a, corners[(i + 1) % corners.len()]),
            half,
            motion,
            origin,
            corners,
        )?)?;
    }
    Some(span)
}

/// Returns when the projections on one axis overlap by more than a point.
pub(crate) fn axis_span(
    axis: Vector,
    half: Vector,
    motion: Vector,
    origin: Vector,
    corners: &[(i32, i32)],
) -> Option<Span> {
    let reach = extent_along(axis, half);
    let low = corners.iter().map(|&corner| dot(axis, vertex_in_units(origin, corner))).min()?;
    let high = corners.iter().map(|&corner| dot(axis, vertex_in_units(origin, corner))).max()?;
    Span::between(dot(axis, motion), low - reach, high + reach)
}

/// Returns the extent of a box from its centre along an axis, times the length of the axis.
pub(crate) fn extent_along(axis: Vector, half: Vector) -> i128 {
    axis.0.abs() * half.0 + axis.1.abs() * half.1
}

/// Returns the left normal of the segment from `a` to `b`. It is in lattice steps, so that products stay small.
pub(crate) fn left_normal(a: (i32, i32), b: (i32, i32)) -> Vector {
    (i128::from(a.1 - b.1), i128::from(b.0 - a.0))
}
