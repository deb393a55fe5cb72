#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// The border at one side of a map: what bodies find beyond the outermost tiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum Border {
    /// Open space: bodies can leave the map.
    #[default]
    Open,
    /// Solid: full blocks continue endlessly beyond the map, so bodies cannot leave on this side.
    Solid,
}

/// The borders at the four sides of a map.
///
/// Diagonally beyond a corner of the map, space is solid if at least one of the two sides that meet there is solid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields, default))]
pub struct Borders {
    /// Border to the left of the leftmost column.
    pub left: Border,
    /// Border to the right of the rightmost column.
    pub right: Border,
    /// Border below the bottom row, which is the last row in a file.
    pub bottom: Border,
    /// Border above the top row, which is the first row in a file.
    pub top: Border,
}
