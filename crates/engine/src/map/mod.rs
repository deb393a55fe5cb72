//! Maps: rows of characters with a legend, as a person writes them.
//!
//! A map file is RON; `docs/map-format.md` in the repository lists every field. A [`Map`] is that file, checked: each
//! cell is an entry of the legend, and each entry a variant of the catalogue.

mod capped;
mod error;
pub(crate) mod format;
mod frame;
mod layer;
mod legend;
mod limits;
mod look;
mod markers;
pub(crate) mod parse;
mod parts;
mod properties;
mod row_list;
mod rows;
pub(crate) mod scan;
mod shared;
mod sides;
mod value;
mod write;

#[cfg(test)]
mod tests;

pub(crate) use error::hint;
pub use error::{MapError, MapErrorKind};
pub(crate) use format::{I64, MapFile};
pub use layer::Layer;
pub(crate) use legend::{EMPTY as EMPTY_TILE, known_tiles};
pub use legend::{EntryId, LegendEntry};
pub use limits::Limits;
pub use parts::MapParts;
pub use sides::{Beyond, Sides};
pub use value::Value;

use crate::catalogue::{Catalogue, VariantId};
use markers::Markers;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// A map, checked: every cell's entry is in the legend and every variant in the catalogue.
///
/// Two maps are equal if their catalogues hold the same patterns and everything else is equal too.
///
/// # Examples
/// ```
/// use surefoot::map::Map;
///
/// let map = Map::from_ron(r#"Map(format: 1, tiles: ["@..*", "===="])"#)?;
/// assert_eq!(map.size(), (4, 2));
/// assert_eq!(map.marker_cell("start"), Some((0, 1)));
/// assert!(map.variant_at((2, 0)).is_some() && map.variant_at((2, 1)).is_none());
///
/// let error = Map::from_ron(r#"Map(format: 1, tiles: ["..q"])"#).unwrap_err();
/// assert_eq!((error.line, error.column), (1, 27));
/// # Ok::<(), surefoot::map::MapError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Map {
    catalogue: Arc<Catalogue>,
    catalogue_file: Option<String>,
    legend: Vec<LegendEntry>,
    width: u32,
    height: u32,
    origin: (i32, i32),
    /// At least one, the one behind all others first.
    layers: Vec<Layer>,
    sides: Sides,
    markers: Markers,
    pixels_per_tile: u32,
    properties: BTreeMap<String, Value>,
    /// The checksum, once somebody has asked for it.
    pub(crate) checksum: OnceLock<u64>,
}

impl Map {
    /// The format version that [`Map::from_ron`] reads and [`Map::to_ron`] writes.
    pub const FORMAT: u32 = 1;

    /// The most layers a map may have.
    pub const MAX_LAYERS: usize = 16;

    /// The most cells a layer may have: 2^28.
    pub const MAX_CELLS: u64 = 1 << 28;

    /// How far the lower left cell may lie from tile (0, 0) on an axis: 2^28 tiles.
    pub const MAX_ORIGIN: i32 = 1 << 28;

    /// The most legend entries, the empty cell's included.
    pub const MAX_ENTRIES: usize = 65_534;

    /// The most marked tiles, drawn and listed: 2^20.
    pub const MAX_MARKERS: usize = 1 << 20;

    /// The most values in properties, lists and maps included: 2^16.
    pub const MAX_VALUES: usize = 1 << 16;

    /// The most pixels that a tile may measure.
    pub const MAX_PIXELS_PER_TILE: u32 = 65_536;

    /// The catalogue its variants come from.
    #[must_use]
    pub fn catalogue(&self) -> &Arc<Catalogue> {
        &self.catalogue
    }

    /// The file of the catalogue, as a path from the folder of the map's file; `None` for the built-in catalogue and for
    /// one that came from elsewhere.
    #[must_use]
    pub fn catalogue_file(&self) -> Option<&str> {
        self.catalogue_file.as_deref()
    }

    /// The legend; an [`EntryId`] is an index into it.
    ///
    /// Entry 0 is the empty cell. The map's own legend may have more entries without a variant: bodies pass through their
    /// cells as through all that are empty, and the game tells them apart, as a coin or a zone. Characters that only
    /// place a marker have no entry of their own: their cells are of entry 0.
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

    /// The layers of tiles, the one behind all others first; there is at least one.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// All cells of the first layer row by row, the lowest row first, from left to right.
    #[must_use]
    pub fn cells(&self) -> &[EntryId] {
        &self.layers[0].cells
    }

    /// The game's own data, by name.
    #[must_use]
    pub fn properties(&self) -> &BTreeMap<String, Value> {
        &self.properties
    }

    /// The legend entry of that id; `None` if it comes from another, larger legend.
    #[must_use]
    pub fn entry(&self, id: EntryId) -> Option<&LegendEntry> {
        self.legend.get(usize::from(id.0))
    }

    /// The entry that a character paints; `None` for one that the legend lacks or that only places a marker.
    #[must_use]
    pub fn find_entry(&self, character: char) -> Option<EntryId> {
        self.legend.iter().position(|entry| entry.character == character).map(|i| EntryId(i as u16))
    }

    /// Which entry a tile of the first layer is; `None` outside the map.
    #[must_use]
    pub fn entry_at(&self, tile: (i32, i32)) -> Option<EntryId> {
        self.entry_in(0, tile)
    }

    /// Which entry a tile of a layer is; `None` outside the map and for a layer that it lacks.
    #[must_use]
    pub fn entry_in(&self, layer: usize, tile: (i32, i32)) -> Option<EntryId> {
        self.layers.get(layer).and_then(|layer| self.index(tile).map(|i| layer.cells[i]))
    }

    /// Which variant a tile of the first layer shows; `None` for an empty cell and outside the map.
    #[must_use]
    pub fn variant_at(&self, tile: (i32, i32)) -> Option<VariantId> {
        self.entry_at(tile).and_then(|id| self.legend[usize::from(id.0)].variant)
    }

    /// Makes a tile of the first layer another legend entry. Markers stay as they are.
    ///
    /// # Errors
    /// [`MapErrorKind::OutsideMap`], [`MapErrorKind::UnknownEntry`], and [`MapErrorKind::SharedCell`] for a tile that
    /// cannot share its cell with those of other layers; the map is then unchanged.
    pub fn set_entry(&mut self, tile: (i32, i32), entry: EntryId) -> Result<(), MapErrorKind> {
        self.set_entry_in(0, tile, entry)
    }

    /// Makes a tile of a layer another legend entry. Markers stay as they are.
    ///
    /// # Errors
    /// As [`Map::set_entry`], and [`MapErrorKind::NoLayer`].
    pub fn set_entry_in(&mut self, layer: usize, tile: (i32, i32), entry: EntryId) -> Result<(), MapErrorKind> {
        let layers = self.layers.len();
        if layer >= layers {
            return Err(MapErrorKind::NoLayer { layer, layers });
        }
        let (x, y) = tile;
        let index = self.index(tile).ok_or(MapErrorKind::OutsideMap { x, y })?;
        if usize::from(entry.0) >= self.legend.len() {
            return Err(MapErrorKind::UnknownEntry { entry, entries: self.legend.len() });
        }
        self.checksum.take();
        let before = std::mem::replace(&mut self.layers[layer].cells[index], entry);
        let shared = shared::check_cell(&self.catalogue, &self.legend, &self.layers, index, tile);
        if shared.is_err() {
            self.layers[layer].cells[index] = before;
        }
        shared
    }

    /// Where in `cells` a tile is.
    fn index(&self, (x, y): (i32, i32)) -> Option<usize> {
        let column = u32::try_from(i64::from(x) - i64::from(self.origin.0)).ok().filter(|&c| c < self.width)?;
        let row = u32::try_from(i64::from(y) - i64::from(self.origin.1)).ok().filter(|&r| r < self.height)?;
        Some(row as usize * self.width as usize + column as usize)
    }
}

impl PartialEq for Map {
    fn eq(&self, other: &Map) -> bool {
        let same_catalogue =
            Arc::ptr_eq(&self.catalogue, &other.catalogue) || self.catalogue.patterns() == other.catalogue.patterns();
        same_catalogue
            && self.catalogue_file == other.catalogue_file
            && self.legend == other.legend
            && (self.size(), self.origin) == (other.size(), other.origin)
            && self.layers == other.layers
            && self.sides == other.sides
            && self.markers == other.markers
            && self.pixels_per_tile == other.pixels_per_tile
            && self.properties == other.properties
    }
}
