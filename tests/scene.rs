//! Small maps and what every module needs to build them.

use surefoot::prelude::*;
pub use surefoot_geometry::{I64Vec2, ONE};

/// A map from rows with the built-in legend and a few steep slopes: `A` and `V` rise and fall at 2:1 in two rows.
pub fn map(rows: &[&str]) -> Map {
    map_with(rows, "")
}

/// The same with more fields, as they are written in the file.
pub fn map_with(rows: &[&str], fields: &str) -> Map {
    let rows: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
    let text = format!("Map(format: 1, tiles: [{}], {fields})", rows.join(", "));
    Map::from_ron(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A number of tiles in units.
pub fn tiles(count: f64) -> i64 {
    surefoot_geometry::to_units(count)
}

pub fn place(x: f64, y: f64) -> Place {
    Place::new(x, y).expect("test places are in range")
}

/// A place from units.
pub fn units(x: i64, y: i64) -> Place {
    Place::from_units(x, y).expect("test places are in range")
}

/// xorshift64*: the tests' own random numbers, the same on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// In 0..n.
    pub fn below(&mut self, n: u64) -> u64 {
        (u128::from(self.next()) * u128::from(n) >> 64) as u64
    }

    /// In low..high.
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}
