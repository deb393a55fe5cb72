use super::double_double::{DoubleDouble, Pair};
use crate::tolerance::SURE;

/// Cross product of two exact differences, with a relative error of at most 2^-100. The sign is exact, and 0 is exactly
/// 0.
///
/// If the two terms nearly cancel, the sum is computed without rounding: 16 products of two f64 each.
///
/// Source: J. R. Shewchuk (see [`orientation`](crate::orientation)), theorem 10, growing an expansion.
pub(crate) fn cross(d: Pair, e: Pair) -> DoubleDouble {
    let (left, right) = (d.x * e.y, d.y * e.x);
    let quick = left - right;
    if quick.to_f64().abs() >= SURE * (left.to_f64().abs() + right.to_f64().abs()) { quick } else { exact_cross(d, e) }
}

/// Dot product of two exact differences, with the accuracy of [`cross`].
pub(crate) fn exact_dot(d: Pair, e: Pair) -> DoubleDouble {
    cross(d, e.perp())
}

#[cold]
#[inline(never)]
fn exact_cross(d: Pair, e: Pair) -> DoubleDouble {
    let mut products = [0.0; 16];
    let mut count = 0;
    for (left, right) in [(d.x, e.y), (-d.y, e.x)] {
        for left in split_off_rounding_error(left) {
            for right in split_off_rounding_error(right) {
                for part in split_off_rounding_error(DoubleDouble::from(left) * right) {
                    products[count] = part;
                    count += 1;
                }
            }
        }
    }
    // Sort by size, so that a rotated scene adds the products in the same order.
    products.sort_unstable_by(|one, other| one.abs().total_cmp(&other.abs()));
    let mut parts_of_sum = [0.0; 16];
    for (count, part) in products.into_iter().enumerate() {
        let mut carried = part;
        for held in &mut parts_of_sum[..count] {
            [carried, *held] = split_off_rounding_error(DoubleDouble::from(carried) + DoubleDouble::from(*held));
        }
        parts_of_sum[count] = carried;
    }
    // Add from the smallest part up. The parts share no bits, so no digits are lost here.
    parts_of_sum.iter().fold(DoubleDouble::ZERO, |sum, &part| sum + DoubleDouble::from(part))
}

/// Splits a number into its rounded value and the rounding error.
fn split_off_rounding_error(number: DoubleDouble) -> [f64; 2] {
    let high = number.to_f64();
    [high, (number - DoubleDouble::from(high)).to_f64()]
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "powers of two are exact")]
mod tests {
    use super::*;
    use glam::{DVec2, dvec2};

    fn check_cross(a: DVec2, b: DVec2, p: DVec2, q: DVec2, expected: f64) {
        let cross = cross(Pair::difference(b, a), Pair::difference(q, p));
        assert_eq!(cross.to_f64(), expected, "{a} {b} {p} {q}");
    }

    #[test]
    fn the_last_bit_of_the_smallest_part_counts() {
        let tiny = f64::powi(2.0, -190);
        // Directions (2^24 + tiny, 1) and (2^24, 1): the x of the first one does not fit into one f64.
        let (cap, none) = (f64::powi(2.0, 24), DVec2::ZERO);
        check_cross(dvec2(-tiny, 0.0), dvec2(cap, 1.0), none, dvec2(cap, 1.0), tiny);
        check_cross(none, dvec2(cap, 1.0), dvec2(-tiny, 0.0), dvec2(cap, 1.0), -tiny);
        check_cross(dvec2(-tiny, 0.0), dvec2(cap, 1.0), dvec2(-tiny, 0.0), dvec2(cap, 1.0), 0.0);
        // (1 + small) (1 - small) - 1: only the square of `small` is left.
        let small = f64::powi(2.0, -100);
        check_cross(dvec2(-small, 0.0), DVec2::ONE, dvec2(0.0, small), DVec2::ONE, -(small * small));
    }
}
