//! Exact results, from first principles and slow.

use crate::rational::{Q, V, q, to_f64};
use surefoot_geometry::{AnyShape, DVec2, dvec2};

/// The convex hull of some points, grown by a radius.
#[derive(Clone, Debug)]
pub struct Hull {
    points: Vec<V>,
    radius: Q,
}

/// The relation of two closed convex shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// They share no point.
    Apart,
    /// They share points, but arbitrarily short shifts separate them.
    Touching,
    /// They share a point after every sufficiently short shift.
    Overlapping,
}

impl Hull {
    pub fn point(at: DVec2) -> Hull {
        Hull { points: vec![V::of(at)], radius: Q::zero() }
    }

    pub fn of(shape: AnyShape<'_>) -> Hull {
        let hull = |points: &[DVec2], radius: f64| Hull {
            points: points.iter().map(|&p| V::of(p)).collect(),
            radius: q(radius),
        };
        match shape {
            AnyShape::Segment(s) => hull(&[s.a(), s.b()], 0.0),
            AnyShape::Circle(s) => hull(&[s.center()], s.radius()),
            AnyShape::Aabb(s) => {
                let (min, max) = (s.min(), s.max());
                hull(&[min, dvec2(max.x, min.y), max, dvec2(min.x, max.y)], 0.0)
            }
            AnyShape::Obb(s) => hull(s.corners(), 0.0),
            AnyShape::Capsule(s) => hull(&[s.a(), s.b()], s.radius()),
            AnyShape::Triangle(s) => hull(&s.corners(), 0.0),
            AnyShape::ConvexPolygon(s) => hull(s.corners(), 0.0),
            other => panic!("parry has no {other:?}"),
        }
    }

    /// Returns the hull moved by a part of a motion.
    pub fn moved(&self, motion: DVec2, part: &Q) -> Hull {
        let shift = V::of(motion).times(part);
        Hull { points: self.points.iter().map(|p| p.plus(&shift)).collect(), radius: self.radius.clone() }
    }

    /// Returns the hull of everything that the shape covers while it moves by a part of a motion.
    pub fn swept(&self, motion: DVec2, part: &Q) -> Hull {
        let end = self.moved(motion, part);
        Hull { points: [self.points.clone(), end.points].concat(), radius: self.radius.clone() }
    }

    /// Returns the vectors between all points. All edges are among them.
    fn ways(&self) -> Vec<V> {
        let from = |i: usize| (0..i).map(move |j| (i, j));
        let pairs = (0..self.points.len()).flat_map(from);
        pairs.map(|(i, j)| self.points[i].minus(&self.points[j])).filter(|way| !way.dot(way).is_zero()).collect()
    }

    fn along(&self, axis: &V) -> (Q, Q) {
        let along: Vec<Q> = self.points.iter().map(|p| p.dot(axis)).collect();
        (along.iter().min().expect("it has points").clone(), along.iter().max().expect("it has points").clone())
    }

    /// Returns axes across and along the edges of both hulls. If any axis separates the hulls of the points, one of
    /// these does.
    fn axes(&self, other: &Hull) -> Vec<V> {
        let basis = [dvec2(1.0, 0.0), dvec2(0.0, 1.0)].map(V::of);
        let ways = [self.ways(), other.ways(), basis.to_vec()].concat();
        ways.iter().flat_map(|way| [way.perp(), way.clone()]).collect()
    }

    /// Returns the overlap of the hulls of the points along an axis, as a multiple of its length. Negative if the axis
    /// separates them.
    fn depth_along(&self, other: &Hull, axis: &V) -> Q {
        let ((low, high), (other_low, other_high)) = (self.along(axis), other.along(axis));
        (high - other_low).min(other_high - low)
    }

    /// Returns the squared distance of the hulls of the points, without radii.
    pub fn core_distance_sq(&self, other: &Hull) -> Q {
        if self.axes(other).iter().all(|axis| !self.depth_along(other, axis).is_negative()) {
            return Q::zero();
        }
        let from_points =
            |points: &Hull, to: &Hull| points.points.iter().map(|p| to.nearest_sq(p)).min().expect("it has points");
        from_points(self, other).min(from_points(other, self))
    }

    /// Returns the squared distance of an outer point from the segments between all points.
    fn nearest_sq(&self, p: &V) -> Q {
        let mut nearest: Option<Q> = None;
        for a in &self.points {
            for b in &self.points {
                let (way, from) = (b.minus(a), p.minus(a));
                let square = way.dot(&way);
                let t = if square.is_zero() { Q::zero() } else { (from.dot(&way) / square).max(Q::zero()).min(q(1.0)) };
                let rest = from.minus(&way.times(&t));
                let distance = rest.dot(&rest);
                nearest = Some(nearest.map_or(distance.clone(), |nearest| nearest.min(distance)));
            }
        }
        nearest.expect("it has points")
    }

    pub fn relation(&self, other: &Hull) -> Relation {
        let reach = &self.radius + &other.radius;
        if reach.is_zero() {
            let depth =
                self.axes(other).iter().map(|axis| self.depth_along(other, axis)).min().expect("there are axes");
            return match depth {
                depth if depth.is_positive() => Relation::Overlapping,
                depth if depth.is_zero() => Relation::Touching,
                _ => Relation::Apart,
            };
        }
        match self.core_distance_sq(other).cmp(&(&reach * &reach)) {
            std::cmp::Ordering::Less => Relation::Overlapping,
            std::cmp::Ordering::Equal => Relation::Touching,
            std::cmp::Ordering::Greater => Relation::Apart,
        }
    }

    /// Returns the distance, or as a negative number the shift until the shapes only touch. A few roundings of f64 off.
    pub fn gap(&self, other: &Hull) -> f64 {
        let (reach, square) = (to_f64(&(&self.radius + &other.radius)), self.core_distance_sq(other));
        if square.is_positive() {
            return to_f64(&square).sqrt() - reach;
        }
        let depth = |axis: &V| to_f64(&self.depth_along(other, axis)) / to_f64(&axis.dot(axis)).sqrt();
        -self.axes(other).iter().map(depth).fold(f64::INFINITY, f64::min) - reach
    }

    /// Returns whether a length is the distance within an error. Decided exactly.
    pub fn is_distance(&self, other: &Hull, length: f64, error: f64) -> bool {
        let (reach, square) = (&self.radius + &other.radius, self.core_distance_sq(other));
        let (low, high) = (q(length) - q(error) + &reach, q(length) + q(error) + &reach);
        let is_far_enough = length <= error || &low * &low <= square;
        is_far_enough && length >= 0.0 && square <= &high * &high
    }
}
