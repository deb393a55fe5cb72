//! Witness of overlap and depth, with exact corners and a radius.
//!
//! Clipping finds what two shapes share. Trying every corner, edge and normal finds their distance or depth.

use crate::cases::Owned;
use crate::rational::{Q, V, nearest, q, turn};

/// The exact straight core of a shape.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// Corners, counter-clockwise: two for a segment, one for a point.
    pub(crate) corners: Vec<V>,
    pub(crate) radius: Q,
    /// Whether a core of two corners continues beyond the first and the second one.
    pub(crate) is_open: [bool; 2],
}

impl Part {
    pub(crate) fn of(shape: &Owned) -> Part {
        let is_open = match shape {
            Owned::Line(_) => [true, true],
            Owned::Ray(_) => [false, true],
            _ => [false, false],
        };
        Part { corners: shape.corners().into_iter().map(V::of).collect(), radius: q(shape.radius()), is_open }
    }

    pub(crate) fn shifted(&self, by: &V) -> Part {
        Part { corners: self.corners.iter().map(|corner| corner.plus(by)).collect(), ..self.clone() }
    }

    pub(crate) fn is_unbounded(&self) -> bool {
        self.is_open != [false, false]
    }

    /// Replaces a ray or line by a segment long enough to pass all of `other`.
    fn cut_to_segment_beyond(&self, other: &Part) -> Part {
        let [a, b] = &self.corners[..] else { return self.clone() };
        let reach = self.corners.iter().chain(&other.corners).fold(Q::one(), |sum, c| sum + c.x.abs() + c.y.abs());
        let along = b.minus(a);
        let far = along.times(&(reach * q(4.0) / (along.x.abs() + along.y.abs())));
        let start = if self.is_open[0] { a.minus(&far) } else { a.clone() };
        let end = if self.is_open[1] { b.plus(&far) } else { b.clone() };
        Part { corners: vec![start, end], radius: self.radius.clone(), is_open: [false, false] }
    }

    pub(crate) fn edges(&self) -> Vec<(V, V)> {
        let count = self.corners.len();
        (0..count).map(|i| (self.corners[i].clone(), self.corners[(i + 1) % count].clone())).collect()
    }

    /// Returns the point of the edges that is closest to `point`.
    pub(crate) fn nearest_of_edges(&self, point: &V) -> V {
        let bound = |is_open: bool, bound: Q| (!is_open).then_some(bound);
        let edges = if self.corners.len() == 2 { self.edges()[..1].to_vec() } else { self.edges() };
        let foot = |(a, b): (V, V)| {
            nearest(point, &a, &b, bound(self.is_open[0], Q::zero()), bound(self.is_open[1], Q::one()))
        };
        edges.into_iter().map(foot).min_by_key(|foot| point.minus(foot).length_sq()).expect("an edge")
    }

    /// Returns the squared distance of a point from the edges.
    pub(crate) fn distance_sq_to_edges(&self, point: &V) -> Q {
        point.minus(&self.nearest_of_edges(point)).length_sq()
    }

    /// Returns the squared distance of a point from the core.
    pub(crate) fn distance_sq_to(&self, point: &V) -> Q {
        let is_inside = self.corners.len() > 2 && self.edges().iter().all(|(a, b)| !turn(a, b, point).is_negative());
        if is_inside { Q::zero() } else { self.distance_sq_to_edges(point) }
    }
}

/// Returns whether the cores share more than boundaries, by cutting one with the other.
pub(crate) fn parts_overlap(a: &Part, b: &Part) -> bool {
    match (a.corners.len(), b.corners.len()) {
        (1, 1 | 2) | (2, 1) => false,
        (2, 2) => lines_cross(a, b),
        (1, _) => is_strictly_inside(&a.corners[0], b),
        (_, 1) => is_strictly_inside(&b.corners[0], a),
        (2, _) => some_stretch_is_inside(&a.cut_to_segment_beyond(b), b),
        (_, 2) => some_stretch_is_inside(&b.cut_to_segment_beyond(a), a),
        _ => twice_common_area(a, b).is_positive(),
    }
}

/// Returns whether the shapes overlap, radii included.
pub(crate) fn overlap(a: &Part, b: &Part) -> bool {
    let reach = &a.radius + &b.radius;
    parts_overlap(a, b) || (reach.is_positive() && distance_sq(a, b) < &reach * &reach)
}

/// Returns the squared distance of two cores.
pub(crate) fn distance_sq(a: &Part, b: &Part) -> Q {
    if parts_overlap(a, b) {
        return Q::zero();
    }
    let from = |a: &Part, b: &Part| a.corners.iter().map(|corner| b.distance_sq_to_edges(corner)).min();
    // The corners of a line or a ray are its two given points. They do not make the result too small, because both are
    // points of the shape.
    from(a, b).min(from(b, a)).expect("a corner")
}

/// Returns the square of the shortest shift that separates overlapping cores; `None` if no shift does.
pub(crate) fn penetration_sq(a: &Part, b: &Part) -> Option<Q> {
    let normals = a.edges().into_iter().chain(b.edges()).flat_map(|(p, q)| {
        let left = q.minus(&p).perp();
        [left.times(&q_minus_one()), left]
    });
    normals
        .filter(|normal| !normal.length_sq().is_zero())
        .filter_map(|normal| {
            let shift = support(b, &normal)? + support(a, &normal.times(&q_minus_one()))?;
            Some(&shift * &shift / normal.length_sq())
        })
        .min()
}

/// Returns how far a core reaches along a normal; `None` if infinitely far.
pub(crate) fn support(part: &Part, normal: &V) -> Option<Q> {
    if let ([a, b], true) = (&part.corners[..], part.is_unbounded()) {
        let slope = b.minus(a).dot(normal);
        if (part.is_open[1] && slope.is_positive()) || (part.is_open[0] && slope.is_negative()) {
            return None;
        }
    }
    part.corners.iter().map(|corner| corner.dot(normal)).max()
}

fn q_minus_one() -> Q {
    -Q::one()
}

fn is_strictly_inside(point: &V, polygon: &Part) -> bool {
    polygon.edges().iter().all(|(a, b)| turn(a, b, point).is_positive())
}

/// Returns whether two segments, rays or lines cross, by solving for their crossing.
fn lines_cross(a: &Part, b: &Part) -> bool {
    let (along_a, along_b) = (a.corners[1].minus(&a.corners[0]), b.corners[1].minus(&b.corners[0]));
    let way = b.corners[0].minus(&a.corners[0]);
    let slope = along_a.cross(&along_b);
    if slope.is_zero() {
        return false;
    }
    let is_within = |t: &Q, part: &Part| (part.is_open[0] || t.is_positive()) && (part.is_open[1] || *t < Q::one());
    is_within(&(way.cross(&along_b) / &slope), a) && is_within(&(way.cross(&along_a) / &slope), b)
}

/// Cuts a segment at the lines of all edges, and tests the middle of each piece.
fn some_stretch_is_inside(segment: &Part, polygon: &Part) -> bool {
    let (start, along) = (&segment.corners[0], segment.corners[1].minus(&segment.corners[0]));
    let (mut from, mut to) = (Q::zero(), Q::one());
    for (a, b) in polygon.edges() {
        let edge = b.minus(&a);
        let (height, rise) = (edge.cross(&start.minus(&a)), edge.cross(&along));
        if rise.is_zero() {
            continue;
        }
        let t = -height / &rise;
        if rise.is_positive() { from = from.max(t) } else { to = to.min(t) }
    }
    from < to && is_strictly_inside(&start.plus(&along.times(&((from + to) / q(2.0)))), polygon)
}

/// Returns twice the common area of two polygons: one is cut by each edge of the other in turn.
fn twice_common_area(a: &Part, b: &Part) -> Q {
    let mut left = a.corners.clone();
    for (start, end) in b.edges() {
        let mut kept = Vec::new();
        for i in 0..left.len() {
            let (p, q) = (&left[i], &left[(i + 1) % left.len()]);
            let (at_p, at_q) = (turn(&start, &end, p), turn(&start, &end, q));
            if !at_p.is_negative() {
                kept.push(p.clone());
            }
            if (at_p.is_positive() && at_q.is_negative()) || (at_p.is_negative() && at_q.is_positive()) {
                kept.push(p.plus(&q.minus(p).times(&(&at_p / (&at_p - &at_q)))));
            }
        }
        left = kept;
    }
    (1..left.len().saturating_sub(1)).map(|i| turn(&left[0], &left[i], &left[i + 1])).fold(Q::zero(), |sum, t| sum + t)
}
