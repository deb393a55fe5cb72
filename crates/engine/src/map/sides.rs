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
/// The region outside of a corner of the map is solid if either of its two sides is solid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields, default))]
pub struct Borders {
    /// Border beyond the leftmost column.
    pub left: Border,
    /// Border beyond the rightmost column.
    pub right: Border,
    /// Border beyond the bottom row, which is the last row in a file.
    pub bottom: Border,
    /// Border beyond the top row, which is the first row in a file.
    pub top: Border,
}
