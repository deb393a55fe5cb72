#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// The border at one side of a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum Border {
    /// Empty space: bodies can leave the map.
    #[default]
    Open,
    /// Full blocks without end.
    Solid,
}

/// The borders at the four sides of a map. A corner outside two sides is solid if either side is solid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields, default))]
pub struct Borders {
    /// Beyond the leftmost column.
    pub left: Border,
    /// Beyond the rightmost column.
    pub right: Border,
    /// Beyond the lowest row, which is the last row of the file.
    pub bottom: Border,
    /// Beyond the highest row, which is the first row of the file.
    pub top: Border,
}
