//! Formulas in differences of coordinates, evaluated with as many bits as their value or sign needs.
//!
//! A formula is written once. It is evaluated in f64 first, then in about 106 bits, then exactly. So nearly cancelling
//! terms never give a wrong sign or a wrong last bit.
//!
//! Source: J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates" (1997),
//! theorem 10 (growing an expansion by a number).

use super::double_double::{DoubleDouble, exact_product, exact_sum};
use super::exact::Exact;
use super::operator::operator;
use crate::tolerance::TWOFOLD_FILTER;
use std::cmp::Ordering;
use std::ops::{Add, Mul, Sub};

/// Error bound of an f64 value, relative to the sum of its terms' magnitudes: less than 12 roundings. The sign of a
/// larger value is right.
const DOUBT_F64: f64 = 1.0 / (1_u64 << 48) as f64;

/// Smallest value, relative to the terms' magnitudes, that 106 bits give to the last bit of f64. The error is less than
/// 2^-98 of the magnitudes, so less than 2^-54 of a larger value.
const DOUBT_TWOFOLD: f64 = 1.0 / (1_u64 << 44) as f64;

/// A number type in which a formula can be evaluated.
pub(crate) trait Number: Clone + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// `a - b`.
    fn difference(a: f64, b: f64) -> Self;
}

/// A sum of products of at most three differences of coordinates.
pub(crate) trait Formula {
    /// Evaluates the formula in the number type `N`.
    fn evaluate_in<N: Number>(&self) -> N;
}

/// Returns the value with an error of less than 1.1 roundings of f64. So the sign is right, and only an exact 0 gives
/// 0.
pub(crate) fn evaluate(formula: &impl Formula) -> f64 {
    let value = formula.evaluate_in::<DoubleDouble>().to_f64();
    let Magnitude(magnitude) = formula.evaluate_in();
    if value.abs() > magnitude * DOUBT_TWOFOLD { value } else { evaluate_exactly(formula) }
}

/// Returns a number with the exact sign of the value.
pub(crate) fn sign(formula: &impl Formula) -> f64 {
    let value = formula.evaluate_in::<f64>();
    let Magnitude(magnitude) = formula.evaluate_in();
    if value.abs() > magnitude * DOUBT_F64 { value } else { evaluate(formula) }
}

/// Compares the value of a 2D formula with 0; exact. The formula must be a sum of products of up to four factors, each
/// a sum of three coordinates or radii.
pub(crate) fn compare_with_zero(formula: &impl Formula) -> Ordering {
    let Magnitude(magnitude) = formula.evaluate_in();
    if magnitude == 0.0 {
        return Ordering::Equal;
    }
    let rounded = formula.evaluate_in::<f64>();
    let value = if rounded.abs() > magnitude * DOUBT_F64 + f64::MIN_POSITIVE {
        rounded
    } else {
        let value = formula.evaluate_in::<DoubleDouble>().to_f64();
        if value.abs() <= magnitude * TWOFOLD_FILTER + f64::MIN_POSITIVE {
            return exact_sign(formula);
        }
        value
    };
    if value > 0.0 { Ordering::Greater } else { Ordering::Less }
}

#[cold]
#[inline(never)]
fn exact_sign(formula: &impl Formula) -> Ordering {
    formula.evaluate_in::<Exact>().sign()
}

#[cold]
fn evaluate_exactly(formula: &impl Formula) -> f64 {
    formula.evaluate_in::<Expansion>().to_f64()
}

impl Number for f64 {
    fn difference(a: f64, b: f64) -> f64 {
        a - b
    }
}

impl Number for DoubleDouble {
    fn difference(a: f64, b: f64) -> DoubleDouble {
        DoubleDouble::difference(a, b)
    }
}

/// The sum of the absolute values of a formula's terms. Error bounds are relative to it.
#[derive(Clone)]
struct Magnitude(f64);

impl Number for Magnitude {
    fn difference(a: f64, b: f64) -> Magnitude {
        Magnitude((a - b).abs())
    }
}

// A difference also gets the sum of the two magnitudes: this is the largest absolute value that it can have.
operator!(Add add, Magnitude, Magnitude: |a: Magnitude, b: Magnitude| Magnitude(a.0 + b.0));
operator!(Sub sub, Magnitude, Magnitude: |a: Magnitude, b: Magnitude| Magnitude(a.0 + b.0));
operator!(Mul mul, Magnitude, Magnitude: |a: Magnitude, b: Magnitude| Magnitude(a.0 * b.0));

/// An exact number: a sum of f64 of growing size that share no bits.
#[derive(Clone)]
struct Expansion {
    parts: [f64; Expansion::CAPACITY],
    len: usize,
}

impl Expansion {
    /// Largest number of parts. A difference has 2 parts, a product of two differences 8, a minor 16, and its product
    /// with a third difference 64. A determinant adds three of those.
    const CAPACITY: usize = 192;
    const ZERO: Expansion = Expansion { parts: [0.0; Expansion::CAPACITY], len: 0 };

    fn parts(&self) -> &[f64] {
        &self.parts[..self.len]
    }

    /// Adds a number exactly. Zero parts are dropped, so cancelled bits take no room.
    fn add_exactly(&mut self, number: f64) {
        let (mut rest, mut len) = (number, 0);
        for i in 0..self.len {
            let [sum, error] = exact_sum(rest, self.parts[i]).parts();
            if error != 0.0 {
                self.parts[len] = error;
                len += 1;
            }
            rest = sum;
        }
        if rest != 0.0 {
            self.parts[len] = rest;
            len += 1;
        }
        self.len = len;
    }

    fn to_f64(&self) -> f64 {
        self.parts().iter().sum()
    }
}

impl Number for Expansion {
    fn difference(a: f64, b: f64) -> Expansion {
        let mut difference = Expansion::ZERO;
        difference.add_exactly(a);
        difference.add_exactly(-b);
        difference
    }
}

operator!(Add add, Expansion, Expansion: |mut sum: Expansion, other: Expansion| {
    other.parts().iter().for_each(|&part| sum.add_exactly(part));
    sum
});
operator!(Sub sub, Expansion, Expansion: |mut sum: Expansion, other: Expansion| {
    other.parts().iter().for_each(|&part| sum.add_exactly(-part));
    sum
});
operator!(Mul mul, Expansion, Expansion: |one: Expansion, other: Expansion| {
    let mut product = Expansion::ZERO;
    for &a in one.parts() {
        for &b in other.parts() {
            let [high, low] = exact_product(a, b).parts();
            product.add_exactly(low);
            product.add_exactly(high);
        }
    }
    product
});

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "powers of two are exact")]
mod tests {
    use super::*;
    use crate::space::Volume;
    use glam::dvec3;

    /// Rows that differ in their last bit: the volume is the third power of that bit.
    #[test]
    fn a_volume_that_all_but_cancels_is_seen() {
        let bit = 1.0 / (1_u64 << 49) as f64;
        let row = |x: f64, y: f64, z: f64| (dvec3(1.0 + x * bit, 1.0 + y * bit, 1.0 + z * bit), glam::DVec3::ZERO);
        // The matrix is J + bit K, where all elements of J are 1 and K = diag(2, 2, -1). Its determinant has terms of
        // bit^2 and bit^3. The terms of bit^2 cancel (2 * 2 - 2 - 2 = 0), and 2 * 2 * -1 bit^3 is left.
        let volume = Volume([row(2.0, 0.0, 0.0), row(0.0, 2.0, 0.0), row(0.0, 0.0, -1.0)]);
        assert_eq!(evaluate(&volume), -4.0 * bit * bit * bit);
        assert!(sign(&volume) < 0.0);
        // The value in f64 is too close to 0 for its sign to be certain.
        assert!(volume.evaluate_in::<f64>().abs() < DOUBT_F64);
    }

    #[test]
    fn expansions_hold_what_f64_does_not() {
        let (large, small) = (f64::powi(2.0, 80), f64::powi(2.0, -200));
        let difference = |a, b| <Expansion as Number>::difference(a, b);
        // (large + small)(large - small) - large^2 = -small^2.
        let product = difference(large, -small) * difference(large, small);
        let rest = product - difference(large, 0.0) * difference(large, 0.0);
        assert_eq!(rest.parts(), [-small * small]);
    }
}
