//! Exact numbers and vectors for the witnesses. Every f64 converts to one exactly.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Float, One, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};
use surefoot_geometry::DVec2;

/// Number of bits from which a fraction is reduced. Without it, numbers that are clipped many times would grow without
/// limit.
const LONG: u64 = 2048;

/// An exact number: `above / below` times 2 to the power of `shift`.
///
/// Not reduced at every step, which makes [`BigRational`] slow. Sums and products of f64 have no denominator at all.
#[derive(Clone, Debug)]
pub(crate) struct Q {
    above: BigInt,
    /// Denominator, above 0.
    below: BigInt,
    shift: i64,
}

/// An exact vector or point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct V {
    pub(crate) x: Q,
    pub(crate) y: Q,
}

/// Converts an f64 exactly.
pub(crate) fn q(number: f64) -> Q {
    assert!(number.is_finite(), "a finite number");
    let (mantissa, exponent, sign) = Float::integer_decode(number);
    let zeros = mantissa.trailing_zeros().min(63);
    Q::of(BigInt::from(mantissa >> zeros) * sign, BigInt::one(), i64::from(exponent) + i64::from(zeros))
}

impl Q {
    fn of(above: BigInt, below: BigInt, shift: i64) -> Q {
        if above.is_zero() {
            return Q::zero();
        }
        if !below.is_one() && above.bits() + below.bits() > LONG {
            let (above, below) = BigRational::new(above, below).into_raw();
            return Q { above, below, shift };
        }
        Q { above, below, shift }
    }

    pub(crate) fn zero() -> Q {
        Q { above: BigInt::zero(), below: BigInt::one(), shift: 0 }
    }

    pub(crate) fn one() -> Q {
        Q { above: BigInt::one(), below: BigInt::one(), shift: 0 }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.above.is_zero()
    }

    pub(crate) fn is_one(&self) -> bool {
        *self == Q::one()
    }

    pub(crate) fn is_positive(&self) -> bool {
        self.above.is_positive()
    }

    pub(crate) fn is_negative(&self) -> bool {
        self.above.is_negative()
    }

    pub(crate) fn abs(&self) -> Q {
        Q { above: self.above.abs(), ..self.clone() }
    }
}

impl Add for &Q {
    type Output = Q;

    fn add(self, other: &Q) -> Q {
        if self.is_zero() {
            return other.clone();
        }
        if other.is_zero() {
            return self.clone();
        }
        let shift = self.shift.min(other.shift);
        let shifted = |number: &Q| &number.above << (number.shift - shift).unsigned_abs();
        let (one, two) = (shifted(self), shifted(other));
        if self.below == other.below {
            Q::of(one + two, self.below.clone(), shift)
        } else {
            Q::of(one * &other.below + two * &self.below, &self.below * &other.below, shift)
        }
    }
}

impl Neg for &Q {
    type Output = Q;

    fn neg(self) -> Q {
        Q { above: -&self.above, ..self.clone() }
    }
}

impl Sub for &Q {
    type Output = Q;

    fn sub(self, other: &Q) -> Q {
        self + &-other
    }
}

impl Mul for &Q {
    type Output = Q;

    fn mul(self, other: &Q) -> Q {
        Q::of(&self.above * &other.above, &self.below * &other.below, self.shift + other.shift)
    }
}

impl Div for &Q {
    type Output = Q;

    fn div(self, by: &Q) -> Q {
        assert!(!by.is_zero(), "a quotient by 0");
        let (above, below) = (&self.above * &by.below, &self.below * by.above.abs());
        Q::of(if by.is_negative() { -above } else { above }, below, self.shift - by.shift)
    }
}

macro_rules! by_value {
    ($($trait:ident $operation:ident),*) => {
        $(
            impl $trait for Q {
                type Output = Q;

                fn $operation(self, other: Q) -> Q {
                    (&self).$operation(&other)
                }
            }

            impl $trait<&Q> for Q {
                type Output = Q;

                fn $operation(self, other: &Q) -> Q {
                    (&self).$operation(other)
                }
            }

            impl $trait<Q> for &Q {
                type Output = Q;

                fn $operation(self, other: Q) -> Q {
                    self.$operation(&other)
                }
            }
        )*
    };
}

by_value!(Add add, Sub sub, Mul mul, Div div);

impl Neg for Q {
    type Output = Q;

    fn neg(self) -> Q {
        -&self
    }
}

impl Ord for Q {
    fn cmp(&self, other: &Q) -> Ordering {
        (self - other).above.cmp(&BigInt::zero())
    }
}

impl PartialOrd for Q {
    fn partial_cmp(&self, other: &Q) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Q {
    fn eq(&self, other: &Q) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Q {}

impl std::fmt::Display for Q {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to_f64(self).fmt(f)
    }
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

    /// Returns the vector turned left by a quarter.
    pub(crate) fn perp(&self) -> V {
        V { x: -&self.y, y: self.x.clone() }
    }
}

/// Twice the signed area of the triangle: positive if it is counter-clockwise.
pub(crate) fn turn(a: &V, b: &V, c: &V) -> Q {
    b.minus(a).cross(&c.minus(a))
}

/// Returns the point on the line through `a` and `b` that is closest to `p`. `from` and `to` bound the parameter: (0,
/// 1) for a segment, (0, none) for a ray, none for a line.
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

/// Returns the point of a segment that is closest to `p`.
pub(crate) fn nearest_of_segment(p: &V, a: &V, b: &V) -> V {
    nearest(p, a, b, Some(Q::zero()), Some(Q::one()))
}

/// Returns whether `length` is within `error` of the square root of `square`. Exact and two-sided.
pub(crate) fn is_root(length: f64, square: &Q, error: f64) -> bool {
    is_root_minus_reach(&q(length), &Q::zero(), square, &q(error))
}

/// Returns whether `length` is within `error` of the root of `square` minus `reach`. Exact and two-sided.
pub(crate) fn is_root_minus_reach(length: &Q, reach: &Q, square: &Q, error: &Q) -> bool {
    let (low, high) = (length + reach - error, length + reach + error);
    (low.is_negative() || &low * &low <= *square) && !high.is_negative() && *square <= &high * &high
}

/// Returns the approximate error: the difference of the squares divided by twice the root.
pub(crate) fn off_by(length: &Q, reach: &Q, square: &Q) -> f64 {
    let root = length + reach;
    if root.is_zero() { 0.0 } else { to_f64(&((&root * &root - square) / (&root * q(2.0)))).abs() }
}

/// Returns the nearest f64, up to its last bit.
pub(crate) fn to_f64(number: &Q) -> f64 {
    let by = number.shift.unsigned_abs();
    let (above, below) = if number.shift < 0 {
        (number.above.clone(), &number.below << by)
    } else {
        (&number.above << by, number.below.clone())
    };
    BigRational::new_raw(above, below).to_f64().expect("a number")
}
