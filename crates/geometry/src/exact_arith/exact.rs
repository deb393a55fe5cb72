//! Exact fixed-size numbers: multiples of 2^-1024 up to 2^126. Formulas use them if pairs of f64 cannot decide a sign.

use super::formula::Number;
use super::operator::operator;
use crate::shapes::flush_small_to_zero;
use std::cmp::Ordering;

/// Number of 64-bit words. They hold a sum of products of four factors. Each factor is a sum of three coordinates,
/// radii or motion steps: a multiple of 2^-252 of at most 2^25.
const WORDS: usize = 18;

/// Number of fraction bits of a coordinate: it counts multiples of 2^-256.
const POINT: u64 = 256;

/// A whole number in two's complement, lowest word first.
///
/// A product has more fraction bits than its factors. So add only products of equally many factors.
#[derive(Clone, Copy)]
pub(super) struct Exact([u64; WORDS]);

impl Exact {
    const ZERO: Exact = Exact([0; WORDS]);

    fn from_f64(number: f64) -> Exact {
        /// Exponent field of an f64 that equals 2^-256 times its mantissa.
        const WHOLE: u64 = 1075 - POINT;
        let bits = flush_small_to_zero(number).to_bits();
        let exponent = (bits >> 52) & 0x7FF;
        let mut words = [0; WORDS];
        if let Some(shift) = exponent.checked_sub(WHOLE) {
            let mantissa = u128::from((bits & ((1 << 52) - 1)) | (1 << 52)) << (shift % 64);
            let word = (shift / 64) as usize;
            (words[word], words[word + 1]) = (mantissa as u64, (mantissa >> 64) as u64);
        }
        if number < 0.0 { Exact(words).negated() } else { Exact(words) }
    }

    fn is_negative(&self) -> bool {
        self.0[WORDS - 1] >> 63 == 1
    }

    fn negated(self) -> Exact {
        Exact::ZERO - self
    }

    fn bitwise_complement(self) -> Exact {
        Exact(self.0.map(|word| !word))
    }

    fn magnitude(self) -> Exact {
        if self.is_negative() { self.negated() } else { self }
    }

    pub(super) fn sign(&self) -> Ordering {
        if self.is_negative() {
            Ordering::Less
        } else if self.0 == [0; WORDS] {
            Ordering::Equal
        } else {
            Ordering::Greater
        }
    }
}

impl Number for Exact {
    fn difference(a: f64, b: f64) -> Exact {
        Exact::from_f64(a) - Exact::from_f64(b)
    }
}

operator!(Add add, Exact, Exact: |mut sum: Exact, other: Exact| {
    let mut carry = false;
    for (word, other) in sum.0.iter_mut().zip(other.0) {
        let (part, over) = word.overflowing_add(other);
        let (part, over_again) = part.overflowing_add(u64::from(carry));
        (*word, carry) = (part, over || over_again);
    }
    sum
});
// The bitwise complement of a number x is -x - 1. So the complement of -a - 1 + b is a - b.
operator!(Sub sub, Exact, Exact: |a: Exact, b: Exact| (a.bitwise_complement() + b).bitwise_complement());
operator!(Mul mul, Exact, Exact: |a: Exact, b: Exact| {
    let (one, two) = (a.magnitude(), b.magnitude());
    let used = WORDS - two.0.iter().rev().take_while(|&&word| word == 0).count();
    let mut product = [0; WORDS];
    for (shift, &left) in one.0.iter().enumerate().filter(|&(_, &word)| word != 0) {
        let mut carry = 0;
        for (word, &right) in product[shift..].iter_mut().zip(&two.0[..(used + 1).min(WORDS)]) {
            let sum = u128::from(left) * u128::from(right) + u128::from(*word) + carry;
            (*word, carry) = (sum as u64, sum >> 64);
        }
    }
    if a.is_negative() == b.is_negative() { Exact(product) } else { Exact(product).negated() }
});

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "powers of two are exact")]
mod tests {
    use super::*;

    #[test]
    fn the_last_bit_of_the_largest_products_counts() {
        let (large, tiny) = (f64::powi(2.0, 25), f64::powi(2.0, -200));
        let sum = Exact::difference(large, -tiny) + Exact::from_f64(large);
        let less = Exact::difference(large, tiny) + Exact::from_f64(large);
        // With l = `large` and t = `tiny`, (2 l + t)^2 (2 l - t)^2 is less than (2 l)^4, but more than
        // (2 l + t) (2 l - t)^3.
        let square = |number: Exact| number * number;
        let whole = square(square(Exact::from_f64(large) + Exact::from_f64(large)));
        let product = square(sum) * square(less);
        assert_eq!((product - whole).sign(), Ordering::Less);
        assert_eq!((product - sum * less * square(less)).sign(), Ordering::Greater);
        assert_eq!((sum * less - less * sum).sign(), Ordering::Equal);
        assert_eq!((square(sum.negated()) * square(less) - product).sign(), Ordering::Equal);
    }

    #[test]
    fn sums_and_products_of_whole_numbers_are_those_of_i128() {
        let numbers = [0.0, 1.0, -1.0, 3.0, -7.0, 1234567.0, -16777216.0, 0.5, -0.375];
        for a in numbers {
            for b in numbers {
                for c in numbers {
                    let exact = Exact::from_f64(a) * Exact::from_f64(b) - Exact::from_f64(c) * Exact::from_f64(a)
                        + Exact::from_f64(b) * Exact::from_f64(c);
                    // The value has at most 50 bits, so f64 is exact.
                    let value = a * b - c * a + b * c;
                    assert_eq!(Some(exact.sign()), value.partial_cmp(&0.0), "{a} {b} {c}");
                }
            }
        }
    }
}
