/// Returns `a * b - c * d`, computed with 256 bits and rounded to f64 once. Exact even if the two products are nearly
/// equal.
pub(super) fn product_difference([a, b]: [u128; 2], [c, d]: [u128; 2]) -> f64 {
    let (first, second) = (product(a, b), product(c, d));
    if first >= second { to_f64(subtract(first, second)) } else { -to_f64(subtract(second, first)) }
}

/// The upper and lower 128 bits of a 256-bit number.
type Wide = (u128, u128);

/// Multiplies by halves of 64 bits (long multiplication).
fn product(a: u128, b: u128) -> Wide {
    const LOW: u128 = u64::MAX as u128;
    let (a_high, a_low, b_high, b_low) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let lowest = a_low * b_low;
    // No overflow: a product of two halves plus two carries is at most (2^64 - 1)^2 + 2 * (2^64 - 1) = 2^128 - 1.
    let middle = a_high * b_low + (lowest >> 64);
    let other_middle = a_low * b_high + (middle & LOW);
    (a_high * b_high + (middle >> 64) + (other_middle >> 64), (other_middle << 64) | (lowest & LOW))
}

/// Returns `a - b`. `a` must not be smaller than `b`.
fn subtract(a: Wide, b: Wide) -> Wide {
    let (low, borrow) = a.1.overflowing_sub(b.1);
    (a.0 - b.0 - u128::from(borrow), low)
}

fn to_f64(wide: Wide) -> f64 {
    const HIGH: f64 = (1_u128 << 64) as f64 * (1_u128 << 64) as f64;
    wide.0 as f64 * HIGH + wide.1 as f64
}

/// Returns the f64 nearest to a number, as the operator `as` does, but without a call for numbers of less than 85 bits.
#[inline(always)]
pub(super) fn nearest_f64(value: i128) -> f64 {
    // A function of its own: otherwise the compiler converts all 128 bits first, and then chooses.
    #[cold]
    #[inline(never)]
    fn nearest_to_large(value: i128) -> f64 {
        value as f64
    }
    const EXACT: i128 = 1 << f64::MANTISSA_DIGITS;
    const HIGH: f64 = (1_u64 << 32) as f64;
    let (high, low) = (value >> 32, value as u32);
    // Both parts are exact, so only the sum rounds.
    if (-EXACT..=EXACT).contains(&high) { high as i64 as f64 * HIGH + f64::from(low) } else { nearest_to_large(value) }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "powers of two are exact")]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn product_difference_loses_no_digits() {
        // (n - 1)(n + 1) = n^2 - 1, with squares of 220 bits.
        let n = (1_u128 << 110) + 12_345;
        assert_eq!(product_difference([n, n], [n - 1, n + 1]), 1.0);
        assert_eq!(product_difference([n - 1, n + 1], [n, n]), -1.0);
        // Computed by hand: (2^128 - 1)^2 = 2^256 - 2^129 + 1.
        assert_eq!(product(u128::MAX, u128::MAX), (u128::MAX - 1, 1));
        assert_eq!(product_difference([1 << 100, 1 << 100], [0, 0]), 2.0_f64.powi(200));
    }

    #[test]
    fn the_nearest_f64_is_that_of_the_operator() {
        let check = |value: i128| {
            for value in [value, -value] {
                assert_eq!(nearest_f64(value).to_bits(), (value as f64).to_bits(), "{value}");
            }
        };
        let mut random = Random(7);
        for bits in 0..126 {
            // Numbers halfway between two neighbours of f64, and those next to them.
            let power = 1_i128 << bits;
            let half = power >> f64::MANTISSA_DIGITS;
            for value in [power, power + half, power + 3 * half] {
                [value - 1, value, value + 1].into_iter().for_each(check);
            }
            for _ in 0..1000 {
                let any = u128::from(random.below(u64::MAX)) << 64 | u128::from(random.below(u64::MAX));
                check((any >> (127 - bits)) as i128);
            }
        }
    }
}
