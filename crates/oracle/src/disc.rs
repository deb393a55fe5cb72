//! Discs against triangles and segments: exact squared distances at one position, f64 distances along a path.

use crate::{Vector, cross, dot, minus, vertex_in_units};

/// Returns whether the open disc around `c` overlaps a counter-clockwise triangle in more than a point of its border.
pub(crate) fn disc_overlaps_triangle(c: Vector, radius: i128, origin: Vector, corners: [(i32, i32); 3]) -> bool {
    triangle_contains(corners.map(|corner| vertex_in_units(origin, corner)), c)
        || (0..3).any(|i| disc_overlaps_segment(c, radius, origin, corners[i], corners[(i + 1) % 3]))
}

/// Returns whether the distance of `c` from the segment is less than the radius.
pub(crate) fn disc_overlaps_segment(c: Vector, radius: i128, origin: Vector, a: (i32, i32), b: (i32, i32)) -> bool {
    // The direction is in lattice steps, so that the squared cross product does not overflow.
    let direction = (i128::from(b.0 - a.0), i128::from(b.1 - a.1));
    let from_a = minus(c, vertex_in_units(origin, a));
    let from_b = minus(c, vertex_in_units(origin, b));
    if dot(direction, from_a) <= 0 {
        dot(from_a, from_a) < radius * radius
    } else if dot(direction, from_b) >= 0 {
        dot(from_b, from_b) < radius * radius
    } else {
        let off = cross(direction, from_a);
        off * off < radius * radius * dot(direction, direction)
    }
}

/// Returns the distance of the path from `p` to `q` from a triangle, in units; 0 if the path passes through it.
pub(crate) fn path_distance_to_triangle(p: Vector, q: Vector, origin: Vector, corners: [(i32, i32); 3]) -> f64 {
    let corners = corners.map(|corner| vertex_in_units(origin, corner));
    if triangle_contains(corners, p) {
        return 0.0;
    }
    (0..3).map(|i| distance_of_segments(p, q, corners[i], corners[(i + 1) % 3])).fold(f64::INFINITY, f64::min)
}

/// Returns the distance of the path from `p` to `q` from a lattice segment, in units; 0 if they share a point.
pub(crate) fn path_distance_to_segment(p: Vector, q: Vector, origin: Vector, a: (i32, i32), b: (i32, i32)) -> f64 {
    distance_of_segments(p, q, vertex_in_units(origin, a), vertex_in_units(origin, b))
}

fn triangle_contains([a, b, c]: [Vector; 3], p: Vector) -> bool {
    [(a, b), (b, c), (c, a)].iter().all(|&(from, to)| cross(minus(to, from), minus(p, from)) >= 0)
}

/// Returns the distance of two segments. If they share no point, the distance is attained at an end of one of them.
fn distance_of_segments(p: Vector, q: Vector, a: Vector, b: Vector) -> f64 {
    let apart = |p: Vector, q: Vector, a: Vector, b: Vector| {
        let (to_a, to_b) = (cross(minus(q, p), minus(a, p)), cross(minus(q, p), minus(b, p)));
        to_a.signum() * to_b.signum() > 0 || (p == q) || (to_a == 0 && to_b == 0)
    };
    // Two segments on one line count as apart here: if they share a point, an end of one is on the other, at distance
    // 0.
    if !apart(p, q, a, b) && !apart(a, b, p, q) {
        return 0.0;
    }
    distance_from_segment(p, a, b)
        .min(distance_from_segment(q, a, b))
        .min(distance_from_segment(a, p, q))
        .min(distance_from_segment(b, p, q))
}

/// Returns the distance of `p` from the segment from `a` to `b`.
fn distance_from_segment(p: Vector, a: Vector, b: Vector) -> f64 {
    let (direction, from_a, from_b) = (minus(b, a), minus(p, a), minus(p, b));
    if dot(direction, from_a) <= 0 {
        length(from_a)
    } else if dot(direction, from_b) >= 0 {
        length(from_b)
    } else {
        // The cross product is exact and rounded once, so no large numbers are subtracted in f64.
        cross(direction, from_a).unsigned_abs() as f64 / length(direction)
    }
}

fn length(v: Vector) -> f64 {
    (dot(v, v) as f64).sqrt()
}
