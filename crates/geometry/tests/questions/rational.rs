//! Exact rational numbers and vectors: what the witnesses compute with. Every f64 is one of them.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use surefoot_geometry::DVec2;

/// An exact number.
pub(crate) type Q = BigRational;

/// An exact vector or point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct V {
    pub(crate) x: Q,
    pub(crate) y: Q,
}

/// The f64 as the number that it is.
pub(crate) fn q(number: f64) -> Q {
    Q::from_float(number).expect("a finite number")
}

impl V {
    pub(crate) fn of(at: DVec2) -> V {
        V { x: q(at.x), y: q(at.y) }
    }

    pub(crate) fn minus(&self, other: &V) -> V {
        V { x: &self.x - &other.x, y: &self.y - &other.y }
    }

    pub(crate) fn plus(&self, other: &V) -> V {
        V { x: &self.x + &other.x, y: &self.y + &other.y }
    }

    pub(crate) fn times(&self, by: &Q) -> V {
        V { x: &self.x * by, y: &self.y * by }
    }

    pub(crate) fn dot(&self, other: &V) -> Q {
        &self.x * &other.x + &self.y * &other.y
    }

    pub(crate) fn cross(&self, other: &V) -> Q {
        &self.x * &other.y - &self.y * &other.x
    }

    pub(crate) fn length_sq(&self) -> Q {
        self.dot(self)
    }
}

/// Twice the signed area of the triangle: positive if it goes round to the left.
pub(crate) fn turn(a: &V, b: &V, c: &V) -> Q {
    b.minus(a).cross(&c.minus(a))
}

/// The point of the way from `a` to `b` that is nearest to `p`. `from` and `to` bound the parameter: (0, 1) for a segment,
/// (0, none) for a ray, none for a line.
pub(crate) fn nearest(p: &V, a: &V, b: &V, from: Option<Q>, to: Option<Q>) -> V {
    let along = b.minus(a);
    if along.length_sq().is_zero() {
        return a.clone();
    }
    let mut t = p.minus(a).dot(&along) / along.length_sq();
    if let Some(from) = from.filter(|from| t < *from) {
        t = from;
    }
    if let Some(to) = to.filter(|to| t > *to) {
        t = to;
    }
    a.plus(&along.times(&t))
}

/// The point of a segment that is nearest to `p`.
pub(crate) fn nearest_of_segment(p: &V, a: &V, b: &V) -> V {
    nearest(p, a, b, Some(Q::zero()), Some(Q::one()))
}

/// Is `length` within `error` of the square root of `square`? Decided exactly, two-sided.
pub(crate) fn is_root(length: f64, square: &Q, error: f64) -> bool {
    let (low, high) = (q(length) - q(error), q(length) + q(error));
    (low.is_negative() || &low * &low <= *square) && !high.is_negative() && *square <= &high * &high
}

/// The f64 nearest to a number, give or take its last bit.
pub(crate) fn to_f64(number: &Q) -> f64 {
    num_traits::ToPrimitive::to_f64(number).expect("a number")
}
