//! Do two straight cores have a point in common? Decided exactly, by signs of [`turn`] and comparisons of coordinates.

use super::super::overlaps::cross;
use crate::exact_arith::turn;
use crate::shapes::{Core, Extent};
use glam::DVec2;

/// Do the closed cores, without their radii, share a point?
///
/// Bounded ones: by the normals of the edges of both, which are those of their Minkowski difference; the boxes around
/// them decide for what is all on one line. Each unbounded pair by its own signs.
#[inline]
pub(crate) fn meet(a: &Core<'_>, b: &Core<'_>) -> bool {
    let (corners, others) = (a.corners.as_slice(), b.corners.as_slice());
    match (a.extent, b.extent) {
        (Extent::Bounded, Extent::Bounded) => bounded_meet(corners, others),
        (Extent::Bounded, Extent::Ray) => ray_meets(others[0], others[1], corners),
        (Extent::Ray, Extent::Bounded) => ray_meets(corners[0], corners[1], others),
        (Extent::Bounded, Extent::Line) => !all_on_one_side(others[0], others[1], corners),
        (Extent::Line, Extent::Bounded) => !all_on_one_side(corners[0], corners[1], others),
        (Extent::Line, Extent::Line) => {
            cross(corners[0], corners[1], others[0], others[1]) != 0.0 || turn(corners[0], corners[1], others[0]) == 0.0
        }
        (Extent::Line, Extent::Ray) => line_meets_ray([corners[0], corners[1]], [others[0], others[1]]),
        (Extent::Ray, Extent::Line) => line_meets_ray([others[0], others[1]], [corners[0], corners[1]]),
        (Extent::Ray, Extent::Ray) => rays_meet([corners[0], corners[1]], [others[0], others[1]]),
    }
}

/// Is the point in the closed core of those corners: a point, a segment or a convex polygon?
#[inline]
pub(crate) fn holds(corners: &[DVec2], point: DVec2) -> bool {
    match *corners {
        [corner] => corner == point,
        [a, b] => in_box(a, b, point) && turn(a, b, point) == 0.0,
        _ => edges(corners).all(|(a, b)| turn(a, b, point) >= 0.0),
    }
}

/// Is the point on the ray?
#[inline]
pub(crate) fn ray_holds(origin: DVec2, through: DVec2, point: DVec2) -> bool {
    // On one line the order of points is that of their coordinates.
    let is_ahead = |from: f64, to: f64, at: f64| if from < to { from <= at } else { from == to || at <= from };
    is_ahead(origin.x, through.x, point.x)
        && is_ahead(origin.y, through.y, point.y)
        // The point first: of it only differences with the ray are taken, so that it may be very far out.
        && turn(point, origin, through) == 0.0
}

/// The edges of a core: none, one, or those all round.
#[inline]
pub(crate) fn edges(corners: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
    let count = corners.len();
    let edges = if count < 3 { count - 1 } else { count };
    (0..edges).map(move |i| (corners[i], corners[if i + 1 == count { 0 } else { i + 1 }]))
}

#[inline]
fn bounded_meet(corners: &[DVec2], others: &[DVec2]) -> bool {
    match (corners, others) {
        (corners, &[point]) | (&[point], corners) => holds(corners, point),
        _ => boxes_meet(corners, others) && !is_separated(corners, others) && !is_separated(others, corners),
    }
}

/// Is there an edge of the core that has all of the others strictly outside?
fn is_separated(corners: &[DVec2], others: &[DVec2]) -> bool {
    match *corners {
        [a, b] => all_on_one_side(a, b, others),
        _ => edges(corners).any(|(a, b)| others.iter().all(|&other| turn(a, b, other) < 0.0)),
    }
}

/// Are all points strictly on the same side of the line through `a` and `b`?
fn all_on_one_side(a: DVec2, b: DVec2, points: &[DVec2]) -> bool {
    let first = turn(a, b, points[0]);
    first != 0.0 && points[1..].iter().all(|&point| has_same_sign(first, turn(a, b, point)))
}

/// A ray meets a bounded core if its origin is in it or the ray crosses an edge.
fn ray_meets(origin: DVec2, through: DVec2, corners: &[DVec2]) -> bool {
    if let [point] = *corners {
        return ray_holds(origin, through, point);
    }
    holds(corners, origin) || edges(corners).any(|(a, b)| ray_crosses(origin, through, a, b))
}

/// Does the ray meet the edge from `a` to `b`, which does not hold its origin?
///
/// The lines meet at the parameter `turn(origin, a, b)` over the cross product of the directions, and the latter has the
/// sign of the way in which the edge passes the ray.
fn ray_crosses(origin: DVec2, through: DVec2, a: DVec2, b: DVec2) -> bool {
    let (from, to) = (turn(origin, through, a), turn(origin, through, b));
    if from == 0.0 && to == 0.0 {
        ray_holds(origin, through, a)
    } else if from <= 0.0 && to >= 0.0 {
        turn(origin, a, b) >= 0.0
    } else if from >= 0.0 && to <= 0.0 {
        turn(origin, a, b) <= 0.0
    } else {
        false
    }
}

/// A ray meets a line if it begins on it or leads towards it.
fn line_meets_ray(line: [DVec2; 2], ray: [DVec2; 2]) -> bool {
    let start = turn(line[0], line[1], ray[0]);
    start == 0.0 || has_same_sign(start, -cross(line[0], line[1], ray[0], ray[1]))
}

/// The lines of the rays `o + t d` and `p + s e` meet at `t = (p - o) x e / (d x e)` and `s = (p - o) x d / (d x e)`.
fn rays_meet(a: [DVec2; 2], b: [DVec2; 2]) -> bool {
    let turned = cross(a[0], a[1], b[0], b[1]);
    if turned == 0.0 {
        ray_holds(a[0], a[1], b[0]) || ray_holds(b[0], b[1], a[0])
    } else {
        let (along_a, along_b) = (turn(a[0], b[0], b[1]), turn(b[0], a[0], a[1]));
        // `turn(p, o, o + d)` is `(o - p) x d`.
        !has_same_sign(along_a, -turned) && !has_same_sign(along_b, turned)
    }
}

/// Are both more than 0 or both less? A product could be too small for f64.
fn has_same_sign(a: f64, b: f64) -> bool {
    (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0)
}

fn in_box(a: DVec2, b: DVec2, point: DVec2) -> bool {
    point.cmpge(a.min(b)).all() && point.cmple(a.max(b)).all()
}

fn boxes_meet(corners: &[DVec2], others: &[DVec2]) -> bool {
    let around =
        |points: &[DVec2]| points.iter().fold((points[0], points[0]), |(min, max), &p| (min.min(p), max.max(p)));
    let ((a_min, a_max), (b_min, b_max)) = (around(corners), around(others));
    a_min.cmple(b_max).all() && b_min.cmple(a_max).all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::Corners;

    /// Squares and triangles that share a corner, a stretch of an edge, or miss each other by the last bit.
    #[test]
    fn boundaries_meet() {
        let square = [DVec2::ZERO, DVec2::X, DVec2::ONE, DVec2::Y];
        let check = |other: &[DVec2], is_met: bool| {
            let (a, b) = (Core::new(Corners::Four(square), 0.0), Core::new(Corners::Borrowed(other), 0.0));
            assert_eq!((meet(&a, &b), meet(&b, &a)), (is_met, is_met), "{other:?}");
        };
        let past = 1.0_f64.next_up();
        let moved = |by: DVec2| square.map(|corner| corner + by);
        check(&moved(DVec2::ONE), true);
        check(&moved(DVec2::X), true);
        check(&moved(DVec2::new(past, 0.0)), false);
        check(&moved(DVec2::new(-1.0, past)), false);
        // A slope through the corner (1, 1), and one past it that the boxes do not tell apart.
        check(&[DVec2::new(2.0, 0.0), DVec2::splat(2.0), DVec2::new(0.0, 2.0)], true);
        check(&[DVec2::new(2.0, 0.0), DVec2::splat(2.0), DVec2::new(0.0, 2.0_f64.next_up())], false);
        check(&[DVec2::new(2.0, 0.0), DVec2::new(0.0, 2.0)], true);
        check(&[DVec2::new(2.0, 0.0), DVec2::new(0.0, 2.0_f64.next_up())], false);
    }
}
