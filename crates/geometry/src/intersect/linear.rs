use super::{ChordPoint, Crossing};
use crate::exact_arith::double_double::{DoubleDouble, Pair};
use crate::exact_arith::{cross, twice_signed_area};
use crate::shapes::{Extent, Line, Ray, Segment};
use crate::tolerance::FILTER;
use glam::DVec2;
use std::cmp::Ordering;

/// A line, a ray or a segment, with parameter 0 at `a` and 1 at `b`. Only a segment may have `a == b`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Linear {
    pub(super) a: DVec2,
    pub(super) b: DVec2,
    pub(super) extent: Extent,
}

/// Two linear shapes whose lines cross in one point.
///
/// The numbers tell on which side of each other's lines the four points lie. Each is named by its meaning if positive:
/// the crossing is beyond the start of the first shape, before its end, and so on. Their signs are exact.
pub(super) struct LineCrossing {
    pub(super) first: Linear,
    pub(super) second: Linear,
    beyond_a: f64,
    before_b: f64,
    beyond_p: f64,
    before_q: f64,
}

impl Linear {
    pub(super) fn is_point(&self) -> bool {
        self.a == self.b
    }

    pub(super) fn has_start(&self) -> bool {
        self.extent != Extent::Line
    }

    pub(super) fn has_end(&self) -> bool {
        self.extent == Extent::Bounded
    }

    /// Returns a side of a shape, from its end nearer to the start of `seen_from` to the other end. If both ends are
    /// equally near, the second point of `seen_from` decides.
    ///
    /// The corners of a mirrored shape come in the opposite order. The result must not depend on that order.
    pub(super) fn side_from_nearer_end(a: DVec2, b: DVec2, seen_from: Linear) -> Linear {
        let nearer = match compare_distances(seen_from.a, a, b) {
            Ordering::Equal => compare_distances(seen_from.b, a, b),
            decided => decided,
        };
        let (a, b) = if nearer == Ordering::Greater { (b, a) } else { (a, b) };
        Linear { a, b, extent: Extent::Bounded }
    }

    /// Compares the positions of two points along the line, by their coordinates.
    pub(super) fn compare_along(&self, one: DVec2, other: DVec2) -> Ordering {
        let way = self.b - self.a;
        let (way, one, other) =
            if way.x.abs() >= way.y.abs() { (way.x, one.x, other.x) } else { (way.y, one.y, other.y) };
        let order = one.total_cmp(&other);
        if way < 0.0 { order.reverse() } else { order }
    }

    /// Returns the parameter of a point that is exactly on the line.
    pub(super) fn parameter_of_point(&self, at: DVec2) -> f64 {
        if at == self.a {
            return 0.0;
        }
        if at == self.b {
            return 1.0;
        }
        let (way, gone) = (Pair::difference(self.b, self.a), Pair::difference(at, self.a));
        let t = if way.x.to_f64().abs() >= way.y.to_f64().abs() {
            gone.x.divided_by(way.x)
        } else {
            gone.y.divided_by(way.y)
        };
        t.to_f64() + 0.0
    }

    /// Returns the parameter of a point if the shape contains it; exact.
    pub(super) fn parameter_if_on_shape(&self, at: DVec2) -> Option<f64> {
        let is_on = if self.is_point() {
            at == self.a
        } else {
            twice_signed_area(self.a, self.b, at) == 0.0
                && (!self.has_start() || self.compare_along(at, self.a) != Ordering::Less)
                && (!self.has_end() || self.compare_along(at, self.b) != Ordering::Greater)
        };
        is_on.then(|| self.parameter_of_point(at))
    }

    /// Returns the point at parameter `t`, rounded to f64 once.
    pub(super) fn point_at(&self, t: DoubleDouble) -> ChordPoint {
        let exact = Pair::from(self.a) + Pair::difference(self.b, self.a) * t;
        ChordPoint { point: self.clamp_to_extent(exact.to_dvec2()), t: self.clamp_parameter_to_extent(t.to_f64()) }
    }

    /// Returns the point, clamped to the extent of the shape. Along an axis, the shape's own coordinate replaces the
    /// rounded one.
    fn clamp_to_extent(&self, at: DVec2) -> DVec2 {
        let axis = |at: f64, a: f64, b: f64| {
            if a == b {
                return a;
            }
            let (low, high) = match self.extent {
                Extent::Bounded => (a.min(b), a.max(b)),
                Extent::Ray if a < b => (a, f64::INFINITY),
                Extent::Ray => (f64::NEG_INFINITY, a),
                Extent::Line => (f64::NEG_INFINITY, f64::INFINITY),
            };
            // Adding zero turns -0 into 0.
            at.max(low).min(high) + 0.0
        };
        DVec2::new(axis(at.x, self.a.x, self.b.x), axis(at.y, self.a.y, self.b.y))
    }

    fn clamp_parameter_to_extent(&self, t: f64) -> f64 {
        let t = if self.has_start() { t.max(0.0) } else { t };
        (if self.has_end() { t.min(1.0) } else { t }) + 0.0
    }
}

impl LineCrossing {
    /// Returns `None` if the lines are exactly parallel. Neither shape may be a point.
    pub(super) fn new(first: Linear, second: Linear) -> Option<LineCrossing> {
        let ((a, b), (p, q)) = ((first.a, first.b), (second.a, second.b));
        let turns = cross(Pair::difference(b, a), Pair::difference(q, p));
        if turns == 0.0 {
            return None;
        }
        let way = if turns > 0.0 { 1.0 } else { -1.0 };
        Some(LineCrossing {
            first,
            second,
            beyond_a: way * twice_signed_area(p, q, a),
            before_b: -way * twice_signed_area(p, q, b),
            beyond_p: -way * twice_signed_area(a, b, p),
            before_q: way * twice_signed_area(a, b, q),
        })
    }

    /// Returns whether both shapes contain the crossing.
    pub(super) fn is_on_both(&self) -> bool {
        let within = |extent, start: f64, end: f64| match extent {
            Extent::Line => true,
            Extent::Ray => start >= 0.0,
            Extent::Bounded => start >= 0.0 && end >= 0.0,
        };
        within(self.first.extent, self.beyond_a, self.before_b)
            && within(self.second.extent, self.beyond_p, self.before_q)
    }

    /// Returns whether both shapes contain the crossing, and neither ends there.
    pub(super) fn is_inside_both(&self) -> bool {
        let within = |extent, start: f64, end: f64| match extent {
            Extent::Line => true,
            Extent::Ray => start > 0.0,
            Extent::Bounded => start > 0.0 && end > 0.0,
        };
        within(self.first.extent, self.beyond_a, self.before_b)
            && within(self.second.extent, self.beyond_p, self.before_q)
    }

    /// Returns where the lines cross. If the crossing is one of the four end points, the result is exactly that point,
    /// with parameter 0 or 1.
    pub(super) fn crossing(&self) -> Crossing {
        let (first, second) = (self.first, self.second);
        let (d, e) = (Pair::difference(first.b, first.a), Pair::difference(second.b, second.a));
        let between = Pair::difference(second.a, first.a);
        // The crossing solves `first.a + t d = second.a + u e`. The cross product of both sides with `e` removes `u`,
        // the one with `d` removes `t`.
        let turns = cross(d, e);
        let along_first = cross(between, e).divided_by(turns);
        let along_second = cross(between, d).divided_by(turns);
        let ends =
            [(self.beyond_a, first.a), (self.before_b, first.b), (self.beyond_p, second.a), (self.before_q, second.b)];
        let met = first.point_at(along_first);
        let point = match ends.into_iter().find(|&(side, _)| side == 0.0) {
            Some((_, end)) => end,
            None => second.clamp_to_extent(met.point),
        };
        let exactly = |start: f64, end: f64, t: f64| match (start == 0.0, end == 0.0) {
            (true, _) => 0.0,
            (_, true) => 1.0,
            _ => t,
        };
        Crossing {
            point,
            t: exactly(self.beyond_a, self.before_b, met.t),
            u: exactly(self.beyond_p, self.before_q, second.clamp_parameter_to_extent(along_second.to_f64())),
        }
    }

    /// Returns whether the first shape starts on the left of the second one.
    pub(super) fn first_starts_left_of_second(&self) -> bool {
        twice_signed_area(self.second.a, self.second.b, self.first.a) > 0.0
    }
}

/// Compares the distances of `a` and `b` from a point, with about a hundred bits. Swapped points give the swapped
/// result.
fn compare_distances(at: DVec2, a: DVec2, b: DVec2) -> Ordering {
    let (to_a, to_b) = ((a - at).length_squared(), (b - at).length_squared());
    let difference = if (to_a - to_b).abs() > FILTER * (to_a + to_b) {
        to_a - to_b
    } else {
        let (way, sum) = (Pair::difference(a, b), Pair::difference(a, at) + Pair::difference(b, at));
        way.dot(sum).to_f64()
    };
    difference.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
}

impl From<&Line> for Linear {
    fn from(line: &Line) -> Linear {
        Linear { a: line.a(), b: line.b(), extent: Extent::Line }
    }
}

impl From<&Ray> for Linear {
    fn from(ray: &Ray) -> Linear {
        Linear { a: ray.origin(), b: ray.through(), extent: Extent::Ray }
    }
}

impl From<&Segment> for Linear {
    fn from(segment: &Segment) -> Linear {
        Linear { a: segment.a(), b: segment.b(), extent: Extent::Bounded }
    }
}
