//! Contact point of two straight cores along a normal: at a corner, or in the middle of a common stretch.

use super::super::distance::{Foot, Nearest, edges};
use super::Gap;
use crate::exact_arith::double_double::exact_sum;
use crate::shapes::{Core, Extent};
use crate::tolerance::ROUNDING;
use glam::DVec2;

/// The part of a core that is furthest along a normal: from a first to a last point along the tangent.
struct Feature {
    first: DVec2,
    last: DVec2,
    /// Whether the part is infinite beyond the first and the last point.
    is_open: [bool; 2],
}

/// Returns the point of `b`, its radius included, that `a` touches along the gap's normal (which points from `b` to
/// `a`). It is the middle of the stretch that the two share.
///
/// Lengths are added up first, so each coordinate is rounded only once.
pub(super) fn shared_touch_point(a: &Core<'_>, b: &Core<'_>, gap: Gap, size: f64) -> DVec2 {
    let normal = gap.normal;
    let tangent = normal.perp();
    let slack = size * ROUNDING;
    let below = Feature::furthest_along_normal(b, normal, tangent, slack);
    let above = Feature::furthest_along_normal(a, -normal, tangent, slack);
    let out = normal * b.radius;
    let first = match (above.is_open[0], below.is_open[0]) {
        (true, true) => None,
        (false, true) => Some(SharedEnd::Above(above.first)),
        (false, false) if tangent.dot(above.first - below.first) > 0.0 => Some(SharedEnd::Above(above.first)),
        _ => Some(SharedEnd::Below(below.first)),
    };
    let last = match (above.is_open[1], below.is_open[1]) {
        (true, true) => None,
        (false, true) => Some(SharedEnd::Above(above.last)),
        (false, false) if tangent.dot(above.last - below.last) < 0.0 => Some(SharedEnd::Above(above.last)),
        _ => Some(SharedEnd::Below(below.last)),
    };
    // `apart` contains the distance from one feature to the other along the tangent, then an end of the upper feature
    // and an end of the lower one. The features miss each other if the distance is above 0.
    let apart = match (first, last) {
        (Some(SharedEnd::Below(end)), Some(SharedEnd::Above(other))) => Some((tangent.dot(end - other), other, end)),
        (Some(SharedEnd::Above(other)), Some(SharedEnd::Below(end))) => Some((tangent.dot(other - end), other, end)),
        _ => None,
    };
    if let Some((by, of_a, of_b)) = apart
        && by > 0.0
    {
        return if by > slack { contact_point_if_features_miss(a, b, gap, of_a, of_b) } else { of_b } + out;
    }
    // Returns an end, and the displacement along the normal that moves it onto the lower feature.
    let on_below = |end: SharedEnd| match end {
        SharedEnd::Above(point) => {
            let from = (point - below.first) + (point - below.last);
            (point, normal * (normal.dot(from) * -0.5))
        }
        SharedEnd::Below(point) => (point, DVec2::ZERO),
    };
    match (first, last) {
        (Some(first), Some(last)) => {
            let ((one, to_one), (other, to_other)) = (on_below(first), on_below(last));
            let rest = (to_one + to_other) * 0.5 + out;
            let middle = |one: f64, other: f64, rest: f64| {
                let [sum, less] = exact_sum(one, other).parts();
                sum * 0.5 + (less * 0.5 + rest)
            };
            DVec2::new(middle(one.x, other.x, rest.x), middle(one.y, other.y, rest.y))
        }
        (Some(end), None) | (None, Some(end)) => {
            let (corner, to_foot) = on_below(end);
            corner + (to_foot + out)
        }
        (None, None) => b.corners.as_slice()[0] + out,
    }
}

/// Returns the contact point if the features along the normal miss each other along the tangent.
///
/// The cause: f64 has chosen the normal of one side instead of the next one, along which the gap is equal. Then the end
/// of one core touches the next side of the other.
#[cold]
#[inline(never)]
fn contact_point_if_features_miss(a: &Core<'_>, b: &Core<'_>, gap: Gap, of_a: DVec2, of_b: DVec2) -> DVec2 {
    // Move the end of each core across the gap, to where the other core is.
    let way = gap.normal * gap.distance;
    let (moved_a, moved_b) = (of_a - way, of_b + way);
    let (on_b, on_a) =
        (nearest_on_facing_side(b, gap.normal, moved_a), nearest_on_facing_side(a, -gap.normal, moved_b));
    match on_b.foot {
        Some(foot) if on_b.sq < on_a.sq => foot.position(moved_a).to_dvec2(),
        _ => of_b,
    }
}

/// Returns the point closest to `point` on the side of `core` that faces `normal`.
fn nearest_on_facing_side(core: &Core<'_>, normal: DVec2, point: DVec2) -> Nearest {
    let corners = core.corners.as_slice();
    let mut nearest = Nearest::new();
    if let &[corner] = corners {
        nearest.keep_if_nearer(point, Foot::End(corner));
    }
    for (start, end) in edges(corners) {
        if corners.len() < 3 || normal.perp_dot(end - start) > 0.0 {
            nearest.keep_if_nearer(point, Foot::nearest_on_stretch(point, start, end, core.extent));
        }
    }
    nearest
}

/// An end of the stretch that two cores share.
#[derive(Clone, Copy)]
enum SharedEnd {
    /// An end of the upper core.
    Above(DVec2),
    /// An end of the lower core.
    Below(DVec2),
}

impl Feature {
    fn furthest_along_normal(core: &Core<'_>, normal: DVec2, tangent: DVec2, slack: f64) -> Feature {
        let corners = core.corners.as_slice();
        match (core.extent, corners) {
            (Extent::Line, &[a, b]) => {
                let (first, last) = if tangent.dot(b - a) > 0.0 { (a, b) } else { (b, a) };
                return Feature { first, last, is_open: [true; 2] };
            }
            (Extent::Ray, &[origin, through]) => {
                let way = through - origin;
                let (out, along) = (normal.dot(way), tangent.dot(way));
                let is_parallel = out.abs() <= along.abs() * ROUNDING;
                return Feature {
                    first: origin,
                    last: origin,
                    is_open: [is_parallel && along < 0.0, is_parallel && along > 0.0],
                };
            }
            _ => {}
        }
        // Compare each corner with all others. If it were compared only with the furthest corner so far, the result
        // would depend on the order of the corners, because of `slack`.
        let is_furthest = |corner: DVec2| corners.iter().all(|&other| normal.dot(other - corner) <= slack);
        // Of two corners equally far along the tangent, the one further along the normal counts.
        let is_past = |corner: DVec2, end: DVec2, tangent: DVec2| {
            let past = tangent.dot(corner - end);
            past > 0.0 || (past == 0.0 && normal.dot(corner - end) > 0.0)
        };
        let mut ends: Option<(DVec2, DVec2)> = None;
        for &corner in corners.iter().filter(|&&corner| is_furthest(corner)) {
            let (first, last) = ends.unwrap_or((corner, corner));
            ends = Some((
                if is_past(corner, first, -tangent) { corner } else { first },
                if is_past(corner, last, tangent) { corner } else { last },
            ));
        }
        let (first, last) = ends.unwrap_or((corners[0], corners[0]));
        Feature { first, last, is_open: [false; 2] }
    }
}
