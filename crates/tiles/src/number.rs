//! A named number of a configuration, with the range that it may have.

#![allow(missing_docs)] // Some items are public only for the other crates of the engine.

use crate::range::{RangeError, check_in_range};

/// A number that a game sets, for example of a character, with its name and range. Checks, files and hashes visit it.
pub struct Number<'a> {
    /// Name in texts and errors. The names of a character's numbers start with `character.`.
    pub name: &'static str,
    pub value: &'a mut f64,
    pub least: f64,
    pub most: f64,
}

impl Number<'_> {
    /// Refuses a value out of range, and NaN.
    pub fn check(&self) -> Result<(), RangeError> {
        check_in_range(self.name, *self.value, self.least, self.most)
    }
}

/// Returns the numbers that differ in any bit from those of another configuration, with their names.
pub fn changed_numbers<'a>(
    numbers: impl IntoIterator<Item = Number<'a>>,
    of_other: impl IntoIterator<Item = Number<'a>>,
) -> Vec<(&'static str, f64)> {
    let pairs = numbers.into_iter().zip(of_other);
    let changed = pairs.filter(|(number, other)| number.value.to_bits() != other.value.to_bits());
    changed.map(|(number, _)| (number.name, *number.value)).collect()
}
