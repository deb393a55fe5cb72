//! Boxes against convex sets: separating axes over time.
//!
//! The interiors of two convex sets are apart exactly if their projections on the normal of one of their sides are. Under
//! a straight relative motion each projection overlaps during one open span of times, with rational ends; the
//! interiors meet during what these spans have in common. A segment is a convex set with two sides: the open box
//! meets the segment without its ends during the same kind of span.

use crate::time::Span;
use crate::{Vector, dot, vertex};

/// When the interior of a box that starts centred at 0 meets the inside of the hull of `corners`, given in order around it
/// (three of a triangle, two of a segment). Times before 0 and after 1 continue the motion.
pub(crate) fn meeting(half: Vector, motion: Vector, origin: Vector, corners: &[(i32, i32)]) -> Option<Span> {
    let mut span = along((1, 0), half, motion, origin, corners)?.and(along((0, 1), half, motion, origin, corners)?)?;
    for (i, &a) in corners.iter().enumerate() {
        span = span.and(along(normal(a, corners[(i + 1) % corners.len()]), half, motion, origin, corners)?)?;
    }
    Some(span)
}

/// When the projections on one axis overlap by more than a point.
pub(crate) fn along(
    axis: Vector,
    half: Vector,
    motion: Vector,
    origin: Vector,
    corners: &[(i32, i32)],
) -> Option<Span> {
    let reach = support(axis, half);
    let low = corners.iter().map(|&corner| dot(axis, vertex(origin, corner))).min()?;
    let high = corners.iter().map(|&corner| dot(axis, vertex(origin, corner))).max()?;
    Span::between(dot(axis, motion), low - reach, high + reach)
}

/// How far a box reaches from its centre along an axis, times the axis' length.
pub(crate) fn support(axis: Vector, half: Vector) -> i128 {
    axis.0.abs() * half.0 + axis.1.abs() * half.1
}

/// The normal on the left of the way from `a` to `b`, in lattice steps: small, so that products stay small.
pub(crate) fn normal(a: (i32, i32), b: (i32, i32)) -> Vector {
    (i128::from(a.1 - b.1), i128::from(b.0 - a.0))
}
