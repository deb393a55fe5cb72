/// The increment of the state of a [`Random`]: the odd number nearest to 2^64 divided by the golden ratio.
pub const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// Mixes the bits of a word: a bijection in which every bit of the input changes about half of the output.
///
/// Source: G. Steele, D. Lea, C. Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014.
pub fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ word >> 31
}

/// A SplitMix64 random generator: a counter whose values are mixed. Any seed works, including 0.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// Returns the next 64 bits.
    #[allow(clippy::should_implement_trait, reason = "a generator has no end, and nothing iterates over it")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// Returns an integer from 0 to below `end`, or 0 if `end` is 0.
    pub fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u64
    }

    /// Returns an index into a sequence of `length` items.
    pub fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// Returns an integer from `low` to `high`, both included. The difference of the two must be less than 2^63.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low) as u64 + 1) as i64
    }

    /// Returns true with a probability of one in `times`.
    pub fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// Returns one of 2^53 evenly spaced numbers from `low` to below `high`. Rounding may give `high` itself if the
    /// spacing is close to its last bit.
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.next() >> 11) as f64 / (1_u64 << 53) as f64)
    }

    /// Returns one of `from`.
    ///
    /// # Panics
    ///
    /// If `from` is empty.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.index(from.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with the usual test vector of SplitMix64 for seed 1234567.
    #[test]
    fn the_generator_is_splitmix64() {
        let mut random = Random(1_234_567);
        let first = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([random.next(), random.next(), random.next()], first);
    }

    #[test]
    fn random_numbers_cover_their_range_and_stay_inside() {
        let mut random = Random(0);
        let (mut below, mut between) = ([false; 5], [false; 5]);
        let mut least = 1.0_f64;
        let mut most = -1.0_f64;
        for _ in 0..1000 {
            below[random.below(5) as usize] = true;
            between[(random.between(-2, 2) + 2) as usize] = true;
            let number = random.range(-1.0, 1.0);
            assert!((-1.0..1.0).contains(&number));
            (least, most) = (least.min(number), most.max(number));
        }
        assert_eq!((below, between), ([true; 5], [true; 5]));
        assert!(least < -0.98 && most > 0.98);
        assert_eq!((random.below(0), random.below(1), random.one_in(1), random.pick(&[7])), (0, 0, true, 7));
    }
}
