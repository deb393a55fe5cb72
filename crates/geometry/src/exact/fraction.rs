use std::cmp::Ordering;

/// A time of impact as an exact fraction of a motion: `num / den`, from 0 to less than 1.
///
/// Fractions compare by value, without rounding: 1 / 2 equals 2 / 4.
#[derive(Clone, Copy, Debug)]
pub struct Fraction {
    /// Numerator: distance from the moving shape to the surface at the start, along the surface's normal.
    ///
    /// In fixed-point units (2^32 units = 1.0) times the length of the normal.
    pub num: i64,
    /// Denominator: distance that the whole motion covers towards the surface, along the surface's normal.
    ///
    /// In fixed-point units (2^32 units = 1.0) times the length of the normal.
    pub den: i64,
}

impl Fraction {
    /// Returns the f64 nearest to the fraction.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.num as f64 / self.den as f64
    }

    fn numerator_times(self, other: i64) -> i128 {
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
        self.numerator_times(other.den).cmp(&other.numerator_times(self.den))
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
