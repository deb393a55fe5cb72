use std::cmp::Ordering;

/// A time of impact as an exact fraction of a motion: `num / den` with `0 <= num < den`.
#[derive(Clone, Copy, Debug)]
pub struct Fraction {
    /// The distance to the surface along its normal.
    pub num: i64,
    /// The approach along the normal in the whole motion.
    pub den: i64,
}

impl Fraction {
    /// The nearest f64.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.num as f64 / self.den as f64
    }

    fn times(self, other: i64) -> i128 {
        i128::from(self.num) * i128::from(other)
    }
}

impl PartialEq for Fraction {
    fn eq(&self, other: &Fraction) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Fraction {}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Fraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Fraction) -> Ordering {
        self.times(other.den).cmp(&other.times(self.den))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_compare_without_rounding() {
        let big = 1 << 60;
        assert!(Fraction { num: 1, den: 3 } < Fraction { num: big, den: 3 * big - 1 });
        assert_eq!(Fraction { num: 2, den: 6 }, Fraction { num: big, den: 3 * big });
    }
}
