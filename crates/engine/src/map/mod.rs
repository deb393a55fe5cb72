//! Maps: rows of characters with a legend, as a person writes them.

use crate::catalogue::{Catalogue, VariantId};
use std::sync::Arc;

/// Names a legend entry within its map. Entry 0 is always the empty cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryId(pub u16);

impl EntryId {
    /// The empty cell.
    pub const EMPTY: EntryId = EntryId(0);
}

/// What one character of a map's rows stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegendEntry {
    /// The character.
    pub character: char,
    /// The variant it paints; `None` for an empty cell.
    pub variant: Option<VariantId>,
    /// Whether a character may drop through it: only of use on open patterns.
    pub drop_through: bool,
}

/// What lies beyond one side of a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Beyond {
    /// Nothing: bodies leave the map there.
    #[default]
    Open,
    /// Full blocks without end.
    Solid,
}

/// What lies beyond the four sides; a corner outside two sides is solid if either is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sides {
    /// Beyond the first column.
    pub left: Beyond,
    /// Beyond the last column.
    pub right: Beyond,
    /// Beyond the last row of the file, the lowest.
    pub bottom: Beyond,
    /// Beyond the first row of the file, the highest.
    pub top: Beyond,
}

/// A map, checked: every cell's entry is in the legend and every variant in the catalogue.
#[derive(Clone, Debug)]
pub struct Map {
    catalogue: Arc<Catalogue>,
    legend: Vec<LegendEntry>,
    width: u32,
    height: u32,
    origin: (i32, i32),
    /// Row by row, the lowest row first, from left to right.
    cells: Vec<EntryId>,
    sides: Sides,
}

impl Map {
    /// The catalogue its variants come from.
    #[must_use]
    pub fn catalogue(&self) -> &Arc<Catalogue> {
        &self.catalogue
    }

    /// The legend; an [`EntryId`] is an index into it.
    #[must_use]
    pub fn legend(&self) -> &[LegendEntry] {
        &self.legend
    }

    /// Columns and rows.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Which tile the lower left cell is.
    #[must_use]
    pub fn origin(&self) -> (i32, i32) {
        self.origin
    }

    /// What lies beyond each side.
    #[must_use]
    pub fn sides(&self) -> Sides {
        self.sides
    }

    /// All cells row by row, the lowest row first, from left to right.
    #[must_use]
    pub fn cells(&self) -> &[EntryId] {
        &self.cells
    }
}
