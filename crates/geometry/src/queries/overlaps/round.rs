//! Overlap of shapes with a radius: the distance of their straight cores is less than the sum of the radii. f64 decides
//! unless its error leaves a doubt. Then exact numbers decide.

use super::straight;
use crate::exact_arith::plane::Displacement;
use crate::queries::feature::nearest_feature;
use crate::shapes::{Aabb, AnyShape, Circle, Core, Extent, Segment};
use crate::tolerance::FILTER;
use glam::DVec2;
use std::cmp::Ordering;

/// A straight part of a core: a segment, a ray, a line, or a point.
#[derive(Clone, Copy)]
struct Edge {
    a: DVec2,
    b: DVec2,
    extent: Extent,
}

#[inline]
pub(super) fn circles_overlap(a: &Circle, b: &Circle) -> bool {
    points_are_closer_than_radii(a.center(), b.center(), (a.radius(), b.radius()))
}

#[inline]
pub(super) fn circle_overlaps_segment(circle: &Circle, segment: &Segment) -> bool {
    let edge = Edge { a: segment.a(), b: segment.b(), extent: Extent::Bounded };
    edge_is_closer_than_radii(circle.center(), edge, (circle.radius(), 0.0))
}

#[inline]
pub(super) fn circle_overlaps_box(circle: &Circle, aabb: &Aabb) -> bool {
    let (center, min, max) = (circle.center(), aabb.min(), aabb.max());
    if circle.radius() > 0.0 {
        // Clamping gives the nearest point of the box exactly.
        points_are_closer_than(center, center.max(min).min(max), circle.radius(), (circle.radius(), 0.0))
    } else {
        min.x < center.x && center.x < max.x && min.y < center.y && center.y < max.y
    }
}

/// Returns whether two shapes overlap. Either may have a radius.
pub(super) fn cores_overlap(a: &Core<'_>, b: &Core<'_>) -> bool {
    let radii = (a.radius, b.radius);
    // If the straight cores do not overlap, the shortest distance between them starts at a corner of one of them. So
    // for the radii, it is enough to test the corners.
    (radii.0 + radii.1 > 0.0
        && (some_corner_is_closer_than_radii(a, b, radii) || some_corner_is_closer_than_radii(b, a, radii)))
        || straight::cores_overlap(a, b)
}

/// Returns whether a circle overlaps a shape.
#[inline]
pub(super) fn circle_overlaps_core(circle: &Circle, other: &Core<'_>) -> bool {
    let (center, reach) = (circle.center(), circle.radius() + other.radius);
    if other.extent == Extent::Bounded
        && reach > 0.0
        && let Some(feature) = nearest_feature(other.corners.as_slice(), center)
        && let Some(is_within) = feature.is_within(center, reach)
    {
        return is_within;
    }
    circle_overlaps_exactly(circle, other)
}

#[cold]
#[inline(never)]
fn circle_overlaps_exactly(circle: &Circle, other: &Core<'_>) -> bool {
    cores_overlap(&AnyShape::from(circle).core(), other)
}

/// Returns whether a corner of one shape is near an edge of the other.
fn some_corner_is_closer_than_radii(corners: &Core<'_>, edges: &Core<'_>, radii: (f64, f64)) -> bool {
    let ends = edges.corners.as_slice();
    // A segment has one edge. A point is its own edge.
    let from = if ends.len() < 3 { 1 } else { 0 };
    let last = ends[ends.len() - 1];
    corners.corners.as_slice().iter().any(|&corner| {
        let mut a = if from == 0 { last } else { ends[0] };
        ends[from.min(ends.len() - 1)..].iter().any(|&b| {
            let edge = Edge { a, b, extent: edges.extent };
            a = b;
            edge_is_closer_than_radii(corner, edge, radii)
        })
    })
}

/// Returns whether two points are closer together than the sum of the radii.
#[inline]
fn points_are_closer_than_radii(p: DVec2, q: DVec2, radii: (f64, f64)) -> bool {
    points_are_closer_than(p, q, radii.0 + radii.1, radii)
}

/// Returns whether two points are closer together than `reach`, the sum of the radii.
#[inline]
fn points_are_closer_than(p: DVec2, q: DVec2, reach: f64, radii: (f64, f64)) -> bool {
    let way = p - q;
    let (square, limit) = (way.dot(way), reach * reach);
    if (square - limit).abs() > limit * FILTER {
        square < limit
    } else {
        points_are_closer_than_radii_exactly(p, q, radii)
    }
}

#[cold]
#[inline(never)]
fn points_are_closer_than_radii_exactly(p: DVec2, q: DVec2, radii: (f64, f64)) -> bool {
    Displacement::between(p, q).is_shorter_than_sum([radii.0, radii.1])
}

/// Returns whether a point is closer to an edge than the sum of the radii.
#[inline]
fn edge_is_closer_than_radii(p: DVec2, edge: Edge, radii: (f64, f64)) -> bool {
    let (along, from) = (edge.b - edge.a, p - edge.a);
    // `ahead` returns how far the point is from an end towards the other end, times the length of the edge. The second
    // value is whether rounding may have changed the sign. The sign decides whether the end or the line counts. With a
    // small radius, a wrong choice changes the result.
    let ahead = |along: DVec2, way: DVec2| {
        let (x, y) = (along.x * way.x, along.y * way.y);
        (x + y, (x + y).abs() < (x.abs() + y.abs()) * FILTER)
    };
    if edge.extent != Extent::Line {
        match ahead(along, from) {
            (_, true) => return edge_is_closer_than_radii_exactly(p, edge, radii),
            (ahead, false) if ahead <= 0.0 => return points_are_closer_than_radii(p, edge.a, radii),
            _ => {}
        }
    }
    if edge.extent == Extent::Bounded {
        match ahead(along, edge.b - p) {
            (_, true) => return edge_is_closer_than_radii_exactly(p, edge, radii),
            (ahead, false) if ahead <= 0.0 => return points_are_closer_than_radii(p, edge.b, radii),
            _ => {}
        }
    }
    let square = along.dot(along);
    let (left, right) = (along.x * from.y, along.y * from.x);
    let (height, limit) = ((left - right).abs(), (radii.0 + radii.1) * square.sqrt());
    if (height - limit).abs() > (left.abs() + right.abs() + limit) * FILTER {
        height < limit
    } else {
        edge_is_closer_than_radii_exactly(p, edge, radii)
    }
}

#[cold]
#[inline(never)]
fn edge_is_closer_than_radii_exactly(p: DVec2, edge: Edge, radii: (f64, f64)) -> bool {
    let (along, from, to) =
        (Displacement::between(edge.a, edge.b), Displacement::between(edge.a, p), Displacement::between(edge.b, p));
    if edge.extent != Extent::Line && along.dot_sign(from) != Ordering::Greater {
        return points_are_closer_than_radii_exactly(p, edge.a, radii);
    }
    if edge.extent == Extent::Bounded && along.dot_sign(to) != Ordering::Less {
        return points_are_closer_than_radii_exactly(p, edge.b, radii);
    }
    along.is_line_near_end_of(from, [radii.0, radii.1])
}
