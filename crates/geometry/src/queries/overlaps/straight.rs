//! Overlap of shapes without a radius; exact.
//!
//! Two convex shapes do not overlap if and only if one lies on the closed outer side of an edge of the other. The
//! reason: the edges of their Minkowski difference are parallel to edges of the two. An edge of a shape without area
//! has two outer sides.
//!
//! Points and shapes on one line need no separate case: a point and a segment lie on a closed side of each line that
//! contains the segment.

use crate::exact_arith::twice_signed_area;
use crate::shapes::{Aabb, Core, Extent, Segment};
use glam::DVec2;
use robust::{Coord3D, orient3d};

/// Returns whether shapes with these corners and without radii overlap.
pub(in crate::queries) fn cores_overlap(a: &Core<'_>, b: &Core<'_>) -> bool {
    let points = a.corners.as_slice().len() + b.corners.as_slice().len();
    // Three corners or fewer are two points, or a point and a segment, which never overlap.
    points > 3 && !has_separating_edge(a, b) && !has_separating_edge(b, a)
}

/// Returns whether all of `other` lies on the closed outer side of an edge of `edges`.
fn has_separating_edge(edges: &Core<'_>, other: &Core<'_>) -> bool {
    let corners = edges.corners.as_slice();
    // A point has no edges. The two corners of a segment give two edges, one in each direction.
    if corners.len() < 2 {
        return false;
    }
    let mut start = corners[corners.len() - 1];
    corners.iter().any(|&end| {
        let parts = is_outside_edge(start, end, other);
        start = end;
        parts
    })
}

/// Returns whether no point of the shape lies on the left of the line from `start` to `end`.
#[inline]
fn is_outside_edge(start: DVec2, end: DVec2, shape: &Core<'_>) -> bool {
    let corners = shape.corners.as_slice();
    match (shape.extent, corners) {
        (Extent::Ray, &[origin, through]) => {
            twice_signed_area(start, end, origin) <= 0.0 && cross(start, end, origin, through) <= 0.0
        }
        (Extent::Line, &[a, b]) => twice_signed_area(start, end, a) <= 0.0 && cross(start, end, a, b) == 0.0,
        _ => corners.iter().all(|&corner| twice_signed_area(start, end, corner) <= 0.0),
    }
}

/// Cross product of the displacements from `a` to `b` and from `c` to `d`. The sign is exact, the value is rounded.
///
/// Derivation: the two segments at the heights 0 and 1 span a tetrahedron. Its volume times six is the cross product.
pub(in crate::queries) fn cross(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> f64 {
    let at = |p: DVec2, z: f64| Coord3D { x: p.x, y: p.y, z };
    orient3d(at(a, 0.0), at(b, 0.0), at(c, 1.0), at(d, 1.0))
}

/// Returns whether two segments cross, each at an inner point of the other.
#[inline]
pub(super) fn segments_overlap(a: &Segment, b: &Segment) -> bool {
    let cross = |of: &Segment, other: &Segment| {
        let (from, to) = (twice_signed_area(of.a(), of.b(), other.a()), twice_signed_area(of.a(), of.b(), other.b()));
        (from < 0.0 && to > 0.0) || (from > 0.0 && to < 0.0)
    };
    cross(a, b) && cross(b, a)
}

/// Returns whether a box overlaps a shape with these corners and no radius.
pub(super) fn box_overlaps(aabb: &Aabb, other: &Core<'_>) -> bool {
    let (min, max) = (aabb.min(), aabb.max());
    let corners = other.corners.as_slice();
    if other.extent != Extent::Bounded {
        return cores_overlap(&crate::shapes::AnyShape::from(aabb).core(), other);
    }
    let is_beyond = corners.iter().all(|c| c.x <= min.x)
        || corners.iter().all(|c| c.x >= max.x)
        || corners.iter().all(|c| c.y <= min.y)
        || corners.iter().all(|c| c.y >= max.y);
    if is_beyond {
        return false;
    }
    if corners.len() < 2 {
        return true;
    }
    let mut start = corners[corners.len() - 1];
    !corners.iter().any(|&end| {
        // Select the corner of the box that is furthest to the left of the edge.
        let x = if end.y < start.y { max.x } else { min.x };
        let y = if end.x > start.x { max.y } else { min.y };
        let parts = twice_signed_area(start, end, DVec2::new(x, y)) <= 0.0;
        start = end;
        parts
    })
}
