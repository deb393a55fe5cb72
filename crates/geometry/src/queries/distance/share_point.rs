//! Tests whether two straight cores have a point in common; exact, by signs of [`twice_signed_area`] and comparisons of
//! coordinates.

use super::super::overlaps::cross;
use crate::exact_arith::twice_signed_area;
use crate::shapes::{Core, Extent};
use glam::DVec2;

/// Returns whether the closed cores, without their radii, share a point.
///
/// For bounded cores, the edge normals of both decide: they are the normals of the Minkowski difference. If all points
/// are on one line, the bounding boxes decide. Each pair with an unbounded core has its own signs.
#[inline]
pub(crate) fn cores_share_point(a: &Core<'_>, b: &Core<'_>) -> bool {
    let (corners, others) = (a.corners.as_slice(), b.corners.as_slice());
    match (a.extent, b.extent) {
        (Extent::Bounded, Extent::Bounded) => bounded_share_point(corners, others),
        (Extent::Bounded, Extent::Ray) => ray_shares_point(others[0], others[1], corners),
        (Extent::Ray, Extent::Bounded) => ray_shares_point(corners[0], corners[1], others),
        (Extent::Bounded, Extent::Line) => !all_on_one_side(others[0], others[1], corners),
        (Extent::Line, Extent::Bounded) => !all_on_one_side(corners[0], corners[1], others),
        (Extent::Line, Extent::Line) => {
            cross(corners[0], corners[1], others[0], others[1]) != 0.0
                || twice_signed_area(corners[0], corners[1], others[0]) == 0.0
        }
        (Extent::Line, Extent::Ray) => line_shares_point_with_ray([corners[0], corners[1]], [others[0], others[1]]),
        (Extent::Ray, Extent::Line) => line_shares_point_with_ray([others[0], others[1]], [corners[0], corners[1]]),
        (Extent::Ray, Extent::Ray) => rays_share_point([corners[0], corners[1]], [others[0], others[1]]),
    }
}

/// Returns whether the closed core with these corners contains the point. The core is a point, a segment or a convex
/// polygon.
#[inline]
pub(crate) fn contains_point(corners: &[DVec2], point: DVec2) -> bool {
    match *corners {
        [corner] => corner == point,
        [a, b] => is_in_bounding_box(a, b, point) && twice_signed_area(a, b, point) == 0.0,
        _ => edges(corners).all(|(a, b)| twice_signed_area(a, b, point) >= 0.0),
    }
}

/// Returns whether the ray contains the point.
#[inline]
pub(crate) fn ray_contains(origin: DVec2, through: DVec2, point: DVec2) -> bool {
    // Along a ray, each coordinate only grows, only falls or stays equal. So comparing coordinates tells exactly
    // whether a point of the ray's line is ahead of the origin.
    let is_ahead = |from: f64, to: f64, at: f64| if from < to { from <= at } else { from == to || at <= from };
    is_ahead(origin.x, through.x, point.x)
        && is_ahead(origin.y, through.y, point.y)
        // Pass `point` first, because it may be very far away: then each product has only one very large factor. Two
        // such factors could overflow.
        && twice_signed_area(point, origin, through) == 0.0
}

/// Returns the edges of a core: none, one, or those of the whole outline.
#[inline]
pub(crate) fn edges(corners: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
    let count = corners.len();
    let edges = if count < 3 { count - 1 } else { count };
    (0..edges).map(move |i| (corners[i], corners[if i + 1 == count { 0 } else { i + 1 }]))
}

#[inline]
fn bounded_share_point(corners: &[DVec2], others: &[DVec2]) -> bool {
    match (corners, others) {
        (corners, &[point]) | (&[point], corners) => contains_point(corners, point),
        _ => {
            bounding_boxes_share_point(corners, others)
                && !is_separated(corners, others)
                && !is_separated(others, corners)
        }
    }
}

/// Returns whether all other corners are strictly outside of one edge of the core.
fn is_separated(corners: &[DVec2], others: &[DVec2]) -> bool {
    match *corners {
        [a, b] => all_on_one_side(a, b, others),
        _ => edges(corners).any(|(a, b)| others.iter().all(|&other| twice_signed_area(a, b, other) < 0.0)),
    }
}

/// Returns whether all points are strictly on the same side of the line through `a` and `b`.
fn all_on_one_side(a: DVec2, b: DVec2, points: &[DVec2]) -> bool {
    let first = twice_signed_area(a, b, points[0]);
    first != 0.0 && points[1..].iter().all(|&point| has_same_sign(first, twice_signed_area(a, b, point)))
}

/// Returns whether a ray shares a point with a bounded core: its origin is in the core, or the ray crosses an edge.
fn ray_shares_point(origin: DVec2, through: DVec2, corners: &[DVec2]) -> bool {
    if let [point] = *corners {
        return ray_contains(origin, through, point);
    }
    contains_point(corners, origin) || edges(corners).any(|(a, b)| ray_crosses(origin, through, a, b))
}

/// Returns whether the ray crosses the edge from `a` to `b`, which must not contain its origin.
///
/// The lines cross at the parameter `twice_signed_area(origin, a, b)` divided by the cross product of the directions.
/// The sign of that product tells in which direction the edge passes the ray.
fn ray_crosses(origin: DVec2, through: DVec2, a: DVec2, b: DVec2) -> bool {
    let (from, to) = (twice_signed_area(origin, through, a), twice_signed_area(origin, through, b));
    if from == 0.0 && to == 0.0 {
        ray_contains(origin, through, a)
    } else if from <= 0.0 && to >= 0.0 {
        twice_signed_area(origin, a, b) >= 0.0
    } else if from >= 0.0 && to <= 0.0 {
        twice_signed_area(origin, a, b) <= 0.0
    } else {
        false
    }
}

/// Returns whether a ray reaches a line: the ray starts on the line or points towards it.
fn line_shares_point_with_ray(line: [DVec2; 2], ray: [DVec2; 2]) -> bool {
    let start = twice_signed_area(line[0], line[1], ray[0]);
    start == 0.0 || has_same_sign(start, -cross(line[0], line[1], ray[0], ray[1]))
}

/// The lines of the rays `o + t d` and `p + s e` meet at `t = (p - o) x e / (d x e)` and `s = (p - o) x d / (d x e)`.
fn rays_share_point(a: [DVec2; 2], b: [DVec2; 2]) -> bool {
    let turned = cross(a[0], a[1], b[0], b[1]);
    if turned == 0.0 {
        ray_contains(a[0], a[1], b[0]) || ray_contains(b[0], b[1], a[0])
    } else {
        let (along_a, along_b) = (twice_signed_area(a[0], b[0], b[1]), twice_signed_area(b[0], a[0], a[1]));
        // `along_a` is `t * turned`, and `along_b` is `-s * turned`. The rays miss each other if `t` or `s` is
        // negative.
        !has_same_sign(along_a, -turned) && !has_same_sign(along_b, turned)
    }
}

/// Returns whether both numbers are positive or both negative. Their product could underflow.
fn has_same_sign(a: f64, b: f64) -> bool {
    (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0)
}

fn is_in_bounding_box(a: DVec2, b: DVec2, point: DVec2) -> bool {
    point.cmpge(a.min(b)).all() && point.cmple(a.max(b)).all()
}

fn bounding_boxes_share_point(corners: &[DVec2], others: &[DVec2]) -> bool {
    let around =
        |points: &[DVec2]| points.iter().fold((points[0], points[0]), |(min, max), &p| (min.min(p), max.max(p)));
    let ((a_min, a_max), (b_min, b_max)) = (around(corners), around(others));
    a_min.cmple(b_max).all() && b_min.cmple(a_max).all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::Corners;

    /// Squares and triangles that share a corner or part of an edge, or miss each other by the last bit.
    #[test]
    fn cores_that_share_boundaries_share_a_point() {
        let square = [DVec2::ZERO, DVec2::X, DVec2::ONE, DVec2::Y];
        let check = |other: &[DVec2], is_met: bool| {
            let (a, b) = (Core::new(Corners::Four(square), 0.0), Core::new(Corners::Borrowed(other), 0.0));
            assert_eq!((cores_share_point(&a, &b), cores_share_point(&b, &a)), (is_met, is_met), "{other:?}");
        };
        let past = 1.0_f64.next_up();
        let moved = |by: DVec2| square.map(|corner| corner + by);
        check(&moved(DVec2::ONE), true);
        check(&moved(DVec2::X), true);
        check(&moved(DVec2::new(past, 0.0)), false);
        check(&moved(DVec2::new(-1.0, past)), false);
        // The first slope goes through the corner (1, 1). The second one is just past it, and bounding boxes cannot
        // tell the two apart.
        check(&[DVec2::new(2.0, 0.0), DVec2::splat(2.0), DVec2::new(0.0, 2.0)], true);
        check(&[DVec2::new(2.0, 0.0), DVec2::splat(2.0), DVec2::new(0.0, 2.0_f64.next_up())], false);
        check(&[DVec2::new(2.0, 0.0), DVec2::new(0.0, 2.0)], true);
        check(&[DVec2::new(2.0, 0.0), DVec2::new(0.0, 2.0_f64.next_up())], false);
    }
}
