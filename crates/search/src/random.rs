//! Random numbers of a splice or a window. They depend on the seed and on its number only.

use xxhash_rust::xxh64::xxh64;

/// Random numbers of one splice or one window.
pub(crate) struct Random {
    seed: u64,
    /// Number of the splice or the window.
    number: u64,
    drawn: u64,
}

impl Random {
    /// Creates the random numbers of the splice or the window `number`.
    pub(crate) fn new(seed: u64, number: u64) -> Random {
        Random { seed, number, drawn: 0 }
    }

    /// Returns a number below `end`, or 0 if `end` is 0.
    pub(crate) fn random_below(&mut self, end: usize) -> usize {
        self.drawn += 1;
        let place = u128::from(self.number) << 64 | u128::from(self.drawn);
        (xxh64(&place.to_le_bytes(), self.seed) % end.max(1) as u64) as usize
    }

    /// Returns a number from 1 to `most`. Small numbers are more likely: if `most` is 64, about half are 13 or less.
    pub(crate) fn random_small(&mut self, most: usize) -> usize {
        let most = 1 + self.random_below(most.max(1));
        1 + self.random_below(most)
    }
}
