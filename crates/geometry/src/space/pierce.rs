//! Crossing of a line and a 3D triangle.
//!
//! The line crosses the triangle if it passes all three edges on the same side. The orientation of four of the given
//! points decides the side, exactly. Two triangles that share an edge use the same decision for this edge, so no line
//! slips between them.

use super::Triangle3;
use super::formula::{Volume, side_of_plane};
use crate::exact_arith::formula::evaluate;
use glam::DVec3;

/// Part of a line: from one point to another, or a ray from the first through the second.
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
        /// Whether a segment ends at the crossing. The parameter is then 1.
        is_end: bool,
        barycentric: [f64; 3],
        /// Whether the line comes from the back, where the corners look clockwise.
        from_behind: bool,
    },
}

pub(super) fn pierce(Line { from, to, is_ray }: Line, triangle: &Triangle3) -> Pierce {
    let [a, b, c] = triangle.corners();
    let past = [side_of_plane(to, b, c, from), side_of_plane(to, c, a, from), side_of_plane(to, a, b, from)];
    let (some_left, some_right) = (past.iter().any(|&s| s > 0.0), past.iter().any(|&s| s < 0.0));
    if some_left && some_right {
        return Pierce::None;
    }
    let start = side_of_plane(a, b, c, from);
    if !some_left && !some_right {
        // All three volumes are 0. So the line lies in the plane of the triangle, or the segment is a point.
        return if start == 0.0 { Pierce::InPlane } else { Pierce::None };
    }
    // The line crosses the plane along the triangle's normal if `some_left`, else against it. `start` is positive if
    // the plane lies along the normal, seen from the start of the line. So the plane is ahead if the two agree.
    let is_ahead = start == 0.0 || (start > 0.0) == some_left;
    if !is_ahead {
        return Pierce::None;
    }
    let end = if is_ray { 0.0 } else { side_of_plane(a, b, c, to) };
    if end != 0.0 && start != 0.0 && (start > 0.0) == (end > 0.0) {
        return Pierce::None;
    }
    let is_end = !is_ray && end == 0.0;

    // With the direction d and the normal n = (b - a) x (c - a), the time of the crossing is ((a - from) . n) / (d .
    // n). The weight of corner a there is (d . ((b - from) x (c - from))) / (d . n).
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
