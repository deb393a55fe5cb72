//! Random numbers that are the same on every machine.

/// xorshift64*, for any seed but 0. Apart from `surefoot-random`, which the tests share: the tables of
/// `docs/benchmarks.md` were counted on the scenes that these numbers make, and stay comparable from one version to the
/// next.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// In `0..n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((u128::from(self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)) * u128::from(n)) >> 64) as u64
    }

    /// From `low` to `high` in sixteenths: such numbers are exact in f32 as in f64.
    pub fn sixteenths(&mut self, low: i32, high: i32) -> f64 {
        f64::from(low) + self.below((high - low) as u64 * 16) as f64 / 16.0
    }
}
