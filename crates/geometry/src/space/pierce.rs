//! Where a line goes through a triangle.
//!
//! Whether it does is decided by the side on which it passes each edge, which is the orientation of four of the points as
//! given, exactly. A line passes the edge that two triangles share on one side of it or meets it, for both of them alike:
//! so it cannot slip through between them.

use super::Triangle3;
use super::formula::{Volume, side};
use crate::exact_arith::formula::evaluate;
use glam::DVec3;

/// A stretch of a line: from a point to another one, or through it and on.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub(super) from: DVec3,
    pub(super) to: DVec3,
    pub(super) is_ray: bool,
}

pub(super) enum Pierce {
    None,
    InPlane,
    Point {
        t: f64,
        /// Does a segment end there? Its parameter is then 1.
        is_end: bool,
        barycentric: [f64; 3],
        /// Does the line come from where the corners go round clockwise?
        from_behind: bool,
    },
}

pub(super) fn pierce(Line { from, to, is_ray }: Line, triangle: &Triangle3) -> Pierce {
    let [a, b, c] = triangle.corners();
    let past = [side(to, b, c, from), side(to, c, a, from), side(to, a, b, from)];
    let (some_left, some_right) = (past.iter().any(|&s| s > 0.0), past.iter().any(|&s| s < 0.0));
    if some_left && some_right {
        return Pierce::None;
    }
    let start = side(a, b, c, from);
    if !some_left && !some_right {
        // Past all three edges on neither side: the line is in the plane, or a segment is a point.
        return if start == 0.0 { Pierce::InPlane } else { Pierce::None };
    }
    // The line crosses the plane, with all signs those of the direction: it goes with the normal if they are positive.
    let is_ahead = start == 0.0 || (start > 0.0) == some_left;
    if !is_ahead {
        return Pierce::None;
    }
    let end = if is_ray { 0.0 } else { side(a, b, c, to) };
    if end != 0.0 && start != 0.0 && (start > 0.0) == (end > 0.0) {
        return Pierce::None;
    }
    let is_end = !is_ray && end == 0.0;

    // With d the direction and n the normal of the triangle's double area: t = (a - from) n / d n, and the share of the
    // corner a in the point is d ((b - from) x (c - from)) / d n. Derived here.
    let crossing = evaluate(&Volume([(to, from), (b, a), (c, a)]));
    let share = |side: f64, b: DVec3, c: DVec3| {
        if side == 0.0 { 0.0 } else { evaluate(&Volume([(to, from), (b, from), (c, from)])) / crossing }
    };
    let t = match () {
        () if start == 0.0 => 0.0,
        () if is_end => 1.0,
        () => evaluate(&Volume([(a, from), (b, a), (c, a)])) / crossing,
    };
    Pierce::Point {
        t: if is_ray { t } else { t.min(1.0) },
        is_end,
        barycentric: [share(past[0], b, c), share(past[1], c, a), share(past[2], a, b)],
        from_behind: some_left,
    }
}
