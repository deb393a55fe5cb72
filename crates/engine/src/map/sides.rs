#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// What lies beyond one side of a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum Border {
    /// Nothing: bodies leave the map there.
    #[default]
    Open,
    /// Full blocks without end.
    Solid,
}

/// What lies beyond the four sides; a corner outside two sides is solid if either is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields, default))]
pub struct Borders {
    /// Beyond the first column.
    pub left: Border,
    /// Beyond the last column.
    pub right: Border,
    /// Beyond the last row of the file, the lowest.
    pub bottom: Border,
    /// Beyond the first row of the file, the highest.
    pub top: Border,
}
