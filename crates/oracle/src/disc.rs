//! Discs against triangles, segments: squared distances where the disc stands, f64 along its way.

use crate::{Vector, cross, dot, minus, vertex};

/// Whether the open disc around `c` meets the triangle (counter-clockwise) in more than a point of its border.
pub(crate) fn meets_triangle(c: Vector, radius: i128, origin: Vector, corners: [(i32, i32); 3]) -> bool {
    holds(corners.map(|corner| vertex(origin, corner)), c)
        || (0..3).any(|i| meets_segment(c, radius, origin, corners[i], corners[(i + 1) % 3]))
}

/// Whether the distance of `c` from the segment is less than the radius.
pub(crate) fn meets_segment(c: Vector, radius: i128, origin: Vector, a: (i32, i32), b: (i32, i32)) -> bool {
    // The direction in lattice steps, so that the squared cross product fits.
    let way = (i128::from(b.0 - a.0), i128::from(b.1 - a.1));
    let from_a = minus(c, vertex(origin, a));
    let from_b = minus(c, vertex(origin, b));
    if dot(way, from_a) <= 0 {
        dot(from_a, from_a) < radius * radius
    } else if dot(way, from_b) >= 0 {
        dot(from_b, from_b) < radius * radius
    } else {
        let off = cross(way, from_a);
        off * off < radius * radius * dot(way, way)
    }
}

/// How far the way from `p` to `q` stays away from a triangle, in units; 0 if it passes through.
pub(crate) fn distance_of_triangle(p: Vector, q: Vector, origin: Vector, corners: [(i32, i32); 3]) -> f64 {
    let corners = corners.map(|corner| vertex(origin, corner));
    if holds(corners, p) {
        return 0.0;
    }
    (0..3).map(|i| between_segments(p, q, corners[i], corners[(i + 1) % 3])).fold(f64::INFINITY, f64::min)
}

/// How far the way from `p` to `q` stays away from a lattice segment, in units; 0 if they share a point.
pub(crate) fn distance_of_segment(p: Vector, q: Vector, origin: Vector, a: (i32, i32), b: (i32, i32)) -> f64 {
    between_segments(p, q, vertex(origin, a), vertex(origin, b))
}

fn holds([a, b, c]: [Vector; 3], p: Vector) -> bool {
    [(a, b), (b, c), (c, a)].iter().all(|&(from, to)| cross(minus(to, from), minus(p, from)) >= 0)
}

/// Two segments that share no point are nearest at an end of one of them.
fn between_segments(p: Vector, q: Vector, a: Vector, b: Vector) -> f64 {
    let apart = |p: Vector, q: Vector, a: Vector, b: Vector| {
        let (to_a, to_b) = (cross(minus(q, p), minus(a, p)), cross(minus(q, p), minus(b, p)));
        to_a.signum() * to_b.signum() > 0 || (p == q) || (to_a == 0 && to_b == 0)
    };
    // Parallel ones on one line count as apart here: if they share a point, then one's end is on the other.
    if !apart(p, q, a, b) && !apart(a, b, p, q) {
        return 0.0;
    }
    from_segment(p, a, b).min(from_segment(q, a, b)).min(from_segment(a, p, q)).min(from_segment(b, p, q))
}

fn from_segment(p: Vector, a: Vector, b: Vector) -> f64 {
    let (way, from_a, from_b) = (minus(b, a), minus(p, a), minus(p, b));
    if dot(way, from_a) <= 0 {
        length(from_a)
    } else if dot(way, from_b) >= 0 {
        length(from_b)
    } else {
        // The cross product is exact and rounded once: no difference of large numbers is taken in f64.
        cross(way, from_a).unsigned_abs() as f64 / length(way)
    }
}

fn length(v: Vector) -> f64 {
    (dot(v, v) as f64).sqrt()
}
