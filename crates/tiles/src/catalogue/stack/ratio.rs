use std::cmp::Ordering;

/// An exact fraction; the denominator is positive.
///
/// Cross products of lattice vectors are at most 2 * 16 * 16, so nothing here comes near 64 bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ratio {
    pub(super) num: i64,
    pub(super) den: i64,
}

impl Ratio {
    pub(super) fn new(num: i64, den: i64) -> Ratio {
        Ratio { num: num * den.signum(), den: den.abs() }
    }

    pub(super) fn floor(self) -> i64 {
        self.num.div_euclid(self.den)
    }

    pub(super) fn ceil(self) -> i64 {
        -(-self.num).div_euclid(self.den)
    }

    pub(super) fn is_whole(self) -> bool {
        self.num % self.den == 0
    }

    /// Returns the middle of two fractions.
    pub(super) fn middle_with(self, other: Ratio) -> Ratio {
        Ratio::new(self.num * other.den + other.num * self.den, 2 * self.den * other.den)
    }
}

impl PartialEq for Ratio {
    fn eq(&self, other: &Ratio) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ratio {}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Ratio) -> Ordering {
        (self.num * other.den).cmp(&(other.num * self.den))
    }
}
