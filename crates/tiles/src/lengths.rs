//! Lengths and positions in texts.

use surefoot_geometry::{ONE, Position, to_units};

/// Returns a position as text for messages. Different positions have different texts.
pub fn position_text(position: Position) -> String {
    let (x, y): (i64, i64) = position.units().into();
    exact_tiles(position).map_or_else(|| format!("({x}, {y}) units"), |(x, y)| format!("({x}, {y})"))
}

/// Returns the coordinates in tiles as decimals, if they read back as the same position.
pub fn exact_tiles(position: Position) -> Option<(String, String)> {
    let units = position.units();
    let (x, y) = (tiles_text(units.x), tiles_text(units.y));
    let back = |text: &str| text.parse().ok().map(to_units);
    ((back(&x), back(&y)) == (Some(units.x), Some(units.y))).then_some((x, y))
}

/// Returns a length in tiles with the fewest decimals that read back as the same number of units.
pub fn tiles_text(units: i64) -> String {
    let exact = units as f64 / ONE as f64;
    for decimals in 1..=10 {
        let text = format!("{exact:.decimals$}");
        if text.parse().ok().map(to_units) == Some(units) {
            return text;
        }
    }
    format!("{exact:?}")
}
