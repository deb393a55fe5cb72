//! Lengths and positions in texts.

use surefoot_geometry::{ONE, Position, to_units};

/// A place for people to read: two that differ look different.
pub fn position_text(position: Position) -> String {
    let (x, y): (i64, i64) = position.units().into();
    exact_tiles(position).map_or_else(|| format!("({x}, {y}) units"), |(x, y)| format!("({x}, {y})"))
}

/// The coordinates in tiles, if they read back as the same place.
pub fn exact_tiles(position: Position) -> Option<(String, String)> {
    let units = position.units();
    let (x, y) = (tiles(units.x), tiles(units.y));
    let back = |text: &str| text.parse().ok().map(to_units);
    ((back(&x), back(&y)) == (Some(units.x), Some(units.y))).then_some((x, y))
}

/// A length in tiles by the fewest decimals that read back as the same units, if any do.
pub fn tiles(units: i64) -> String {
    let exact = units as f64 / ONE as f64;
    for decimals in 1..=10 {
        let text = format!("{exact:.decimals$}");
        if text.parse().ok().map(to_units) == Some(units) {
            return text;
        }
    }
    format!("{exact:?}")
}
