//! The point of a stretch that is nearest to a point, and how far away it is, in about 100 bits.

use crate::exact_arith::cross;
use crate::exact_arith::double_double::{DoubleDouble, Pair};
use crate::shapes::Extent;
use crate::tolerance::{FILTER, TWOFOLD_FILTER};
use glam::DVec2;
use std::cmp::Ordering;

/// Where the perpendicular from a point to a stretch ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Foot {
    /// At an end of the stretch, exactly.
    End(DVec2),
    /// Somewhere on the line through `a` and `b`; `near` is the one of them that is nearer to the point.
    Inside { a: DVec2, b: DVec2, near: DVec2 },
}

impl Foot {
    /// The foot on the stretch from `a` to `b`, which are not the same, or what goes on beyond them.
    #[inline]
    pub(crate) fn of(point: DVec2, a: DVec2, b: DVec2, extent: Extent) -> Foot {
        if extent != Extent::Line && !is_ahead(a, b, point) {
            Foot::End(a)
        } else if extent == Extent::Bounded && !is_ahead(b, a, point) {
            Foot::End(b)
        } else {
            Foot::Inside { a, b, near: nearer(point, a, b) }
        }
    }

    /// The square of its distance from the point, which is not on the line of the stretch.
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

    /// Is that square certainly more than `best`? Decided in f64, so that few feet are measured.
    #[inline]
    pub(crate) fn is_farther(self, point: DVec2, best: f64) -> bool {
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

    /// The point itself.
    pub(crate) fn at(self, point: DVec2) -> Pair {
        match self {
            Foot::End(end) => Pair::from(end),
            Foot::Inside { a, b, near } => {
                let along = Pair::difference(b, a);
                // From the middle if no end is nearer, so that it does not matter which one comes first. The ends may be so
                // near to each other that the foot is far beyond them and yet neither is nearer in 106 bits.
                let (from, way) = if nearness(point, a, b).is_eq() {
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
    /// The square of its distance.
    pub(crate) sq: DoubleDouble,
    pub(crate) foot: Option<Foot>,
}

impl Nearest {
    #[inline]
    pub(crate) fn new() -> Nearest {
        Nearest { sq: DoubleDouble::from(f64::INFINITY), foot: None }
    }

    /// Takes the foot of `point` if it is nearer than what was found so far. The answer does not depend on the order.
    #[inline]
    pub(crate) fn offer(&mut self, point: DVec2, foot: Foot) {
        if !foot.is_farther(point, self.sq.to_f64()) {
            let sq = foot.distance_sq(point);
            // An end as near as a foot beside it is the same point, but to the bit.
            if sq < self.sq || (sq == self.sq && matches!(foot, Foot::End(_))) {
                *self = Nearest { sq, foot: Some(foot) };
            }
        }
    }
}

/// Which of the two is nearer to the point; `a` of two that 106 bits do not tell apart.
#[inline]
fn nearer(point: DVec2, a: DVec2, b: DVec2) -> DVec2 {
    if nearness(point, a, b).is_gt() { b } else { a }
}

/// How far `a` is from the point, compared with `b`.
#[inline]
fn nearness(point: DVec2, a: DVec2, b: DVec2) -> Ordering {
    let (to_a, to_b) = (point.distance_squared(a), point.distance_squared(b));
    let order = if to_a == to_b {
        Foot::End(a).distance_sq(point).partial_cmp(&Foot::End(b).distance_sq(point))
    } else {
        to_a.partial_cmp(&to_b)
    };
    order.unwrap_or(Ordering::Equal)
}

/// Is the point ahead of `from` on the way to `to`: on the far side of the line across it through `from`?
#[inline]
fn is_ahead(from: DVec2, to: DVec2, point: DVec2) -> bool {
    let (along, way) = (to - from, point - from);
    let (x, y) = (along.x * way.x, along.y * way.y);
    let doubt = FILTER * (x.abs() + y.abs());
    let dot = x + y;
    if dot.abs() > doubt {
        dot > 0.0
    } else {
        // What DoubleDouble cannot tell from 0 counts as 0, so that across the end the foot is the end.
        let dot = Pair::difference(to, from).dot(Pair::difference(point, from));
        dot > TWOFOLD_FILTER * (x.abs() + y.abs())
    }
}
