//! Double-double arithmetic: numbers of about 106 bits as the unevaluated sum of two f64, without fused multiply-add.
//!
//! Source: T. J. Dekker, "A floating-point technique for extending the available precision", Numerische Mathematik 18
//! (1971); D. E. Knuth, "The Art of Computer Programming", volume 2, section 4.2.2, theorem B (the exact sum).
//!
//! Every operation commutes and treats both signs alike. Therefore mirrored and turned scenes give equal bits.

use super::operator::operator;
use glam::DVec2;
use std::ops::Neg;

/// The number `hi + lo`, where `hi` is the f64 nearest to the sum. Exact if the value fits into 106 bits. Comparison
/// looks at `hi` first.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) struct DoubleDouble {
    hi: f64,
    lo: f64,
}

/// A vector of two [`DoubleDouble`] components.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) x: DoubleDouble,
    pub(crate) y: DoubleDouble,
}

impl DoubleDouble {
    pub(crate) const ZERO: DoubleDouble = DoubleDouble { hi: 0.0, lo: 0.0 };

    pub(crate) fn to_f64(self) -> f64 {
        self.hi
    }

    /// Returns the two f64 whose sum is the number, the larger one first.
    pub(crate) fn parts(self) -> [f64; 2] {
        [self.hi, self.lo]
    }

    /// Exactly `a - b`.
    pub(crate) fn difference(a: f64, b: f64) -> DoubleDouble {
        exact_sum(a, -b)
    }

    pub(crate) fn abs(self) -> DoubleDouble {
        if self < 0.0 { -self } else { self }
    }

    pub(crate) fn at_least_zero(self) -> DoubleDouble {
        if self > 0.0 { self } else { DoubleDouble::ZERO }
    }

    /// Returns the square root, or 0 for numbers that are not positive.
    pub(crate) fn sqrt(self) -> DoubleDouble {
        if self > 0.0 {
            // One Newton step doubles the number of correct bits of the f64 root.
            let root = self.hi.sqrt();
            let rest = self - exact_product(root, root);
            exact_sum_if_ordered(root, rest.hi / (2.0 * root))
        } else {
            DoubleDouble::ZERO
        }
    }

    pub(crate) fn divided_by(self, divisor: DoubleDouble) -> DoubleDouble {
        let first = self.hi / divisor.hi;
        let rest = self - divisor * first;
        exact_sum_if_ordered(first, rest.hi / divisor.hi)
    }
}

impl Pair {
    /// Exactly `a - b`.
    pub(crate) fn difference(a: DVec2, b: DVec2) -> Pair {
        Pair { x: DoubleDouble::difference(a.x, b.x), y: DoubleDouble::difference(a.y, b.y) }
    }

    pub(crate) fn dot(self, other: Pair) -> DoubleDouble {
        self.x * other.x + self.y * other.y
    }

    pub(crate) fn cross(self, other: Pair) -> DoubleDouble {
        self.x * other.y - self.y * other.x
    }

    pub(crate) fn length(self) -> DoubleDouble {
        self.dot(self).sqrt()
    }

    /// Returns the vector after a quarter turn to the left.
    pub(crate) fn perp(self) -> Pair {
        Pair { x: -self.y, y: self.x }
    }

    pub(crate) fn to_dvec2(self) -> DVec2 {
        DVec2::new(self.x.hi, self.y.hi)
    }
}

impl From<f64> for DoubleDouble {
    fn from(hi: f64) -> DoubleDouble {
        DoubleDouble { hi, lo: 0.0 }
    }
}

impl From<DVec2> for Pair {
    fn from(v: DVec2) -> Pair {
        Pair { x: v.x.into(), y: v.y.into() }
    }
}

impl Neg for DoubleDouble {
    type Output = DoubleDouble;

    fn neg(self) -> DoubleDouble {
        DoubleDouble { hi: -self.hi, lo: -self.lo }
    }
}

operator!(Add add, DoubleDouble, DoubleDouble: |a: DoubleDouble, b: DoubleDouble| {
    let high = exact_sum(a.hi, b.hi);
    let low = exact_sum(a.lo, b.lo);
    let sum = exact_sum_if_ordered(high.hi, high.lo + low.hi);
    exact_sum_if_ordered(sum.hi, sum.lo + low.lo)
});
operator!(Sub sub, DoubleDouble, DoubleDouble: |a: DoubleDouble, b: DoubleDouble| a + -b);
operator!(Mul mul, DoubleDouble, DoubleDouble: |a: DoubleDouble, b: DoubleDouble| {
    let high = exact_product(a.hi, b.hi);
    exact_sum_if_ordered(high.hi, high.lo + (a.hi * b.lo + a.lo * b.hi))
});
operator!(Mul mul, DoubleDouble, f64: |a: DoubleDouble, b: f64| a * DoubleDouble::from(b));

operator!(Add add, Pair, Pair: |a: Pair, b: Pair| Pair { x: a.x + b.x, y: a.y + b.y });
operator!(Mul mul, Pair, DoubleDouble: |a: Pair, by: DoubleDouble| Pair { x: a.x * by, y: a.y * by });

impl Neg for Pair {
    type Output = Pair;

    fn neg(self) -> Pair {
        Pair { x: -self.x, y: -self.y }
    }
}

impl PartialEq<f64> for DoubleDouble {
    fn eq(&self, other: &f64) -> bool {
        self.hi == *other && self.lo == 0.0
    }
}

impl PartialOrd<f64> for DoubleDouble {
    fn partial_cmp(&self, other: &f64) -> Option<std::cmp::Ordering> {
        Some(self.hi.partial_cmp(other)?.then(self.lo.partial_cmp(&0.0)?))
    }
}

/// Returns `a + b` as the rounded sum and its exact error.
pub(crate) fn exact_sum(a: f64, b: f64) -> DoubleDouble {
    let hi = a + b;
    let b_part = hi - a;
    let a_part = hi - b_part;
    DoubleDouble { hi, lo: (a - a_part) + (b - b_part) }
}

/// Returns the exact sum if `|b|` is at most `|a|`.
fn exact_sum_if_ordered(a: f64, b: f64) -> DoubleDouble {
    let hi = a + b;
    DoubleDouble { hi, lo: b - (hi - a) }
}

/// Returns `a * b` as the rounded product and its exact error, computed from halves of 26 bits.
pub(crate) fn exact_product(a: f64, b: f64) -> DoubleDouble {
    let hi = a * b;
    let (a_high, a_low) = split_into_halves(a);
    let (b_high, b_low) = split_into_halves(b);
    let error = ((a_high * b_high - hi) + (a_high * b_low + a_low * b_high)) + a_low * b_low;
    DoubleDouble { hi, lo: error }
}

fn split_into_halves(a: f64) -> (f64, f64) {
    const SPLIT: f64 = ((1_u64 << 27) + 1) as f64;
    let scaled = SPLIT * a;
    let high = scaled - (scaled - a);
    (high, a - high)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Multiples of 2^-32 up to 1024 fit into i64, and their products into i128. A DoubleDouble must hold them exactly.
    #[test]
    fn sums_of_products_of_lattice_numbers_are_exact() {
        let (ax, ay) = (4_398_046_511_103_i64, -2_199_023_255_553_i64);
        let (bx, by) = (1_099_511_627_777_i64, 2_199_023_255_551_i64);
        let pair = |x: i64, y: i64| Pair::from(DVec2::new(x as f64, y as f64));
        let (a, b) = (pair(ax, ay), pair(bx, by));
        let value = |t: DoubleDouble| t.hi as i128 + t.lo as i128;
        assert_eq!(value(a.dot(b)), i128::from(ax) * i128::from(bx) + i128::from(ay) * i128::from(by));
        assert_eq!(value(a.cross(b)), i128::from(ax) * i128::from(by) - i128::from(ay) * i128::from(bx));
    }

    #[test]
    fn roots_and_quotients_have_a_hundred_bits() {
        // The error may have either sign. It is at most 2^-100, for numbers near 1.
        let tolerance = 1.0 / (1_u128 << 100) as f64;
        let two = DoubleDouble::from(2.0);
        let rest = two - two.sqrt() * two.sqrt();
        assert!(rest.abs() < tolerance, "{rest:?}");
        let third = DoubleDouble::from(1.0).divided_by(DoubleDouble::from(3.0));
        let rest = DoubleDouble::from(1.0) - third * 3.0;
        assert!(rest.abs() < tolerance, "{rest:?}");
    }
}
