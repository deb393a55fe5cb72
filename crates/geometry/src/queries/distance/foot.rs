//! Nearest point of a segment, ray or line to a point, and its distance, with about 100 bits.

use crate::exact_arith::cross;
use crate::exact_arith::double_double::{DoubleDouble, Pair};
use crate::shapes::Extent;
use crate::tolerance::{FILTER, TWOFOLD_FILTER};
use glam::DVec2;
use std::cmp::Ordering;

/// Foot of the perpendicular from a point to a stretch: a segment, ray or line.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Foot {
    /// The foot is exactly an end of the stretch.
    End(DVec2),
    /// The foot is on the line through `a` and `b`. `near` is the one of them nearer to the point.
    Inside { a: DVec2, b: DVec2, near: DVec2 },
}

impl Foot {
    /// Returns the foot on the stretch from `a` to `b`, which must differ. `extent` tells whether the stretch continues
    /// beyond them.
    #[inline]
    pub(crate) fn nearest_on_stretch(point: DVec2, a: DVec2, b: DVec2, extent: Extent) -> Foot {
        if extent != Extent::Line && !is_past_perpendicular(a, b, point) {
            Foot::End(a)
        } else if extent == Extent::Bounded && !is_past_perpendicular(b, a, point) {
            Foot::End(b)
        } else {
            Foot::Inside { a, b, near: nearer_end(point, a, b) }
        }
    }

    /// Returns the squared distance of the foot from the point, which must not be on the stretch's line.
    pub(crate) fn distance_sq(self, point: DVec2) -> DoubleDouble {
        match self {
            Foot::End(end) => {
                let way = Pair::difference(point, end);
                way.dot(way)
            }
            Foot::Inside { a, b, near } => {
                let along = Pair::difference(b, a);
                let cross = cross(along, Pair::difference(point, near));
                (cross * cross).divided_by(along.dot(along))
            }
        }
    }

    /// Returns whether the squared distance certainly exceeds `best`. Decided in f64, so that few feet need exact
    /// numbers.
    #[inline]
    pub(crate) fn is_certainly_farther(self, point: DVec2, best: f64) -> bool {
        match self {
            Foot::End(end) => point.distance_squared(end) * (1.0 - FILTER) > best,
            Foot::Inside { a, b, near } => {
                let (along, way) = (b - a, point - near);
                let (left, right) = (along.x * way.y, along.y * way.x);
                let least = (left - right).abs() - FILTER * (left.abs() + right.abs());
                least > 0.0 && least * least * (1.0 - FILTER) > best * along.length_squared()
            }
        }
    }

    /// Returns the foot itself.
    pub(crate) fn position(self, point: DVec2) -> Pair {
        match self {
            Foot::End(end) => Pair::from(end),
            Foot::Inside { a, b, near } => {
                let along = Pair::difference(b, a);
                // If both ends are equally near, start from the middle, so that the order of the ends does not matter.
                // The middle itself may not be the foot. If the ends are close together and the foot is far beyond
                // them, both ends seem equally near within 106 bits. So add the offset along the line to the middle
                // too.
                let (from, way) = if compare_distances(point, a, b).is_eq() {
                    let half = DoubleDouble::from(0.5);
                    let both_ways = Pair::difference(point, a) + Pair::difference(point, b);
                    ((Pair::from(a) + Pair::from(b)) * half, both_ways * half)
                } else {
                    (Pair::from(near), Pair::difference(point, near))
                };
                from + along * way.dot(along).divided_by(along.dot(along))
            }
        }
    }
}

/// The nearest of several feet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest {
    /// Squared distance of the nearest foot.
    pub(crate) sq: DoubleDouble,
    pub(crate) foot: Option<Foot>,
}

impl Nearest {
    #[inline]
    pub(crate) fn new() -> Nearest {
        Nearest { sq: DoubleDouble::from(f64::INFINITY), foot: None }
    }

    /// Keeps the foot of `point` if it is nearer than the best so far. The result does not depend on the order of
    /// calls.
    #[inline]
    pub(crate) fn keep_if_nearer(&mut self, point: DVec2, foot: Foot) {
        if !foot.is_certainly_farther(point, self.sq.to_f64()) {
            let sq = foot.distance_sq(point);
            // If an end of the edge is as near as a foot inside the edge, both are the same point. Prefer the end,
            // which is exact.
            if sq < self.sq || (sq == self.sq && matches!(foot, Foot::End(_))) {
                *self = Nearest { sq, foot: Some(foot) };
            }
        }
    }
}

/// Returns the nearer of two points; `a` if 106 bits cannot tell them apart.
#[inline]
fn nearer_end(point: DVec2, a: DVec2, b: DVec2) -> DVec2 {
    if compare_distances(point, a, b).is_gt() { b } else { a }
}

/// Compares the distances of `a` and `b` from the point.
#[inline]
fn compare_distances(point: DVec2, a: DVec2, b: DVec2) -> Ordering {
    let (to_a, to_b) = (point.distance_squared(a), point.distance_squared(b));
    let order = if to_a == to_b {
        Foot::End(a).distance_sq(point).partial_cmp(&Foot::End(b).distance_sq(point))
    } else {
        to_a.partial_cmp(&to_b)
    };
    order.unwrap_or(Ordering::Equal)
}

/// Returns whether the point lies beyond the perpendicular through `from`, on the side of `to`.
#[inline]
fn is_past_perpendicular(from: DVec2, to: DVec2, point: DVec2) -> bool {
    let (along, way) = (to - from, point - from);
    let (x, y) = (along.x * way.x, along.y * way.y);
    let doubt = FILTER * (x.abs() + y.abs());
    let dot = x + y;
    if dot.abs() > doubt {
        dot > 0.0
    } else {
        // A dot product within the error of `DoubleDouble` counts as 0. Then the foot is the end itself.
        let dot = Pair::difference(to, from).dot(Pair::difference(point, from));
        dot > TWOFOLD_FILTER * (x.abs() + y.abs())
    }
}
