//! Straight parts that do not overlap: the shortest way between them has a corner at one end.

use super::{Gap, height, of_points, right_of};
use crate::number::turn;
use crate::shapes::{Core, Extent};
use glam::DVec2;

/// The shortest way between two parts; `None` if it has no length.
pub(super) fn nearest(a: &Core<'_>, b: &Core<'_>) -> Option<Gap> {
    let mut least = None;
    nearest_edge(a, b, 1.0, &mut least)?;
    nearest_edge(b, a, -1.0, &mut least)?;
    nearest_corners(a, b, false, &mut least)?;
    if least.is_none() {
        // Rounding left no corner and no edge to be the nearest one.
        nearest_corners(a, b, true, &mut least)?;
    }
    least
}

/// Shortens the way to the one from an edge straight to a corner of the other part; `None` if the corner is on the edge.
/// `sign` is -1 for ways that lead from the first part to the second one.
fn nearest_edge(corners: &Core<'_>, edges: &Core<'_>, sign: f64, least: &mut Option<Gap>) -> Option<()> {
    let ends = edges.corners.as_slice();
    if ends.len() < 2 {
        return Some(());
    }
    let mut start = ends[ends.len() - 1];
    for &end in ends {
        let (p, q) = (start, end);
        start = end;
        for &corner in corners.corners.as_slice() {
            // Of the edges there and back of a ray, the first corner is the end of the one and the start of the other.
            let is_open = match edges.extent {
                Extent::Bounded => [false, false],
                Extent::Ray => [p != ends[0], q != ends[0]],
                Extent::Line => [true, true],
            };
            if (!is_open[0] && is_behind(corner, p, q)) || (!is_open[1] && is_behind(corner, q, p)) {
                continue;
            }
            // The way is straight out of an edge that faces the corner.
            let side = turn(p, q, corner);
            if side == 0.0 {
                return None;
            }
            if side < 0.0 {
                let distance = height(p, q, corner).max(0.0);
                shorten(least, Gap { normal: right_of(p, q) * sign + DVec2::ZERO, distance });
            }
        }
    }
    Some(())
}

/// Shortens the way to the one between two corners, each of which is the point of its part that is nearest to the other,
/// or any two corners; `None` if two corners are the same.
fn nearest_corners(a: &Core<'_>, b: &Core<'_>, of_any: bool, least: &mut Option<Gap>) -> Option<()> {
    for (i, &p) in a.corners.as_slice().iter().enumerate() {
        for (j, &q) in b.corners.as_slice().iter().enumerate() {
            if of_any || (is_nearest(a, i, q) && is_nearest(b, j, p)) {
                if p == q {
                    return None;
                }
                shorten(least, of_points(p, q));
            }
        }
    }
    Some(())
}

/// Is a corner the nearest point to a point outside, as far as the edges at it can tell?
fn is_nearest(core: &Core<'_>, index: usize, point: DVec2) -> bool {
    let corners = core.corners.as_slice();
    let count = corners.len();
    let corner = corners[index];
    match core.extent {
        Extent::Line => false,
        Extent::Ray => index == 0 && is_behind(point, corner, corners[1]),
        Extent::Bounded => {
            count == 1
                || (is_behind(point, corner, corners[(index + 1) % count])
                    && is_behind(point, corner, corners[(index + count - 1) % count]))
        }
    }
}

/// Is a point no further than `p` on the way from `p` to `q`?
fn is_behind(point: DVec2, p: DVec2, q: DVec2) -> bool {
    (q - p).dot(point - p) <= 0.0
}

fn shorten(least: &mut Option<Gap>, gap: Gap) {
    if least.is_none_or(|least| gap.distance < least.distance) {
        *least = Some(gap);
    }
}
