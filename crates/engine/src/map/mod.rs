//! Maps: layers of tiles, each tile of one of the map's kinds, and each kind a variant of the catalogue.
//!
//! A [`Map`] comes from a file, which is RON with rows of characters and a legend (`docs/formats/map.md` in the repository
//! lists every field), from rows alone ([`Map::from_rows`]), or from code ([`MapParts`]).

mod areas;
mod error;
mod frame;
mod from_rows;
mod kind;
mod layer;
mod layer_mask;
mod legend;
mod markers;
mod parts;
mod platforms;
mod shared;
mod sides;
mod surface;
#[cfg(feature = "ron")]
pub(crate) mod text;
mod value;

pub(crate) use error::MAX_FILL;
pub use error::{
    CataloguePathError, CollisionLayerError, MapAreaError, MapPartsError, MapPlatformError, MarkerError, PixelsError,
    PropertyError, TileError, TileKindError, TileLayerError,
};
pub use from_rows::RowsError;
pub use kind::{TileId, TileKind};
pub use layer::TileLayer;
pub use layer_mask::CollisionLayers;
pub(crate) use legend::EMPTY as EMPTY_TILE;
#[cfg(feature = "ron")]
pub(crate) use legend::known_tiles;
pub(crate) use parts::CHUNK_SIDE;
pub use parts::MapParts;
pub use sides::{Border, Borders};
pub use surface::Material;
pub(crate) use surface::slower;
#[cfg(feature = "ron")]
pub(crate) use text::{I64, MapFile, hint, parse, read_names, scan};
#[cfg(feature = "ron")]
pub use text::{MapError, MapErrorKind, MapLimits};
pub use value::Value;

use crate::area::Area;
use crate::catalogue::{Catalogue, VariantId};
use crate::platform::Platform;
use markers::Markers;
use parts::Frame;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// A map, checked: every cell is of one of its kinds, and every kind's variant in the catalogue.
///
/// Two maps are equal if their catalogues hold the same patterns and everything else is equal too, but for the characters
/// of their kinds.
///
/// # Examples
/// ```
/// use surefoot::map::Map;
///
/// let map = Map::from_ron(r#"Map(format: 1, tiles: ["@..*", "===="])"#)?;
/// assert_eq!(map.size(), (4, 2));
/// assert_eq!(map.marker_cell("start"), Some((0, 1)));
/// assert!(map.variant_at(0, (2, 0)).is_some() && map.variant_at(0, (2, 1)).is_none());
///
/// let error = Map::from_ron(r#"Map(format: 1, tiles: ["..q"])"#).unwrap_err();
/// assert_eq!((error.line, error.column), (1, 27));
/// # Ok::<(), surefoot::map::MapError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Map {
    catalogue: Arc<Catalogue>,
    catalogue_file: Option<String>,
    kinds: Vec<TileKind>,
    /// The characters of kinds in the map's text; those of no text need not have one.
    symbols: BTreeMap<char, TileId>,
    /// Around all layers.
    frame: Frame,
    /// At least one, the one behind all others first.
    layers: Vec<TileLayer>,
    borders: Borders,
    /// The names of the collision layers.
    collision_layers: Vec<String>,
    markers: Markers,
    platforms: Vec<Platform>,
    areas: Vec<Area>,
    pixels_per_tile: u32,
    properties: BTreeMap<String, Value>,
    /// The checksum, once it was asked for.
    pub(crate) checksum: OnceLock<u64>,
}

impl Map {
    /// The format version that [`Map::from_ron`] reads and [`Map::to_ron`] writes.
    pub(crate) const FORMAT: u32 = 1;

    /// The most layers a map may have.
    pub const MAX_LAYERS: usize = 16;

    /// The most names of collision layers.
    pub const MAX_COLLISION_LAYERS: usize = 32;

    /// The most cells a layer may have: 2^28.
    pub const MAX_CELLS: u64 = 1 << 28;

    /// The most cells of the rectangle around all layers, unless one layer has more than a quarter of that: 2^22. The
    /// rectangle then has at most four times the cells of the largest layer. Both are counted in whole chunks of 32 by 32.
    pub const MAX_BOUNDING_CELLS: u64 = 1 << 22;

    /// How far the lower left cell may lie from tile (0, 0) on an axis: 2^28 tiles.
    pub const MAX_ORIGIN: i32 = 1 << 28;

    /// The most tile kinds, the empty cell included.
    pub const MAX_KINDS: usize = 65_534;

    /// The most marked tiles, drawn and listed: 2^20.
    pub const MAX_MARKERS: usize = 1 << 20;

    /// The most names that markers are listed under in a file: 2^16.
    pub const MAX_MARKER_NAMES: usize = 1 << 16;

    /// The most values in properties, of the map and its tile kinds together, lists and maps included: 2^16.
    pub const MAX_VALUES: usize = 1 << 16;

    /// The most lists and maps of a property that may be inside each other.
    pub const MAX_DEPTH: usize = 32;

    /// The most platforms: 2^14.
    pub const MAX_PLATFORMS: usize = 1 << 14;

    /// The most way points of all platforms together: 2^16.
    pub const MAX_PATH_POINTS: usize = 1 << 16;

    /// The most cells of all platforms together, counted in whole chunks of 32 by 32: 2^24.
    pub const MAX_PLATFORM_CELLS: u64 = 1 << 24;

    /// The most areas: 2^14.
    pub const MAX_AREAS: usize = 1 << 14;

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

    /// What cells can be; an [`TileId`] is an index into it.
    ///
    /// Kind 0 is the empty cell. There may be more kinds without a variant: bodies pass through their cells as through all
    /// that are empty, and the game tells them apart, as a coin or a zone. Characters of a text that only place a marker
    /// have no kind of their own: their cells are of kind 0.
    #[must_use]
    pub fn kinds(&self) -> &[TileKind] {
        &self.kinds
    }

    /// Columns and rows of the rectangle around all layers.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        self.frame.size
    }

    /// Which tile the lower left cell of that rectangle is.
    #[must_use]
    pub fn origin(&self) -> (i32, i32) {
        self.frame.origin
    }

    /// What lies beyond each side.
    #[must_use]
    pub fn borders(&self) -> Borders {
        self.borders
    }

    /// The names of the collision layers: name `i` is bit `i` of a [`CollisionLayers`]. They are of bodies, and have nothing to do
    /// with [`Map::layers`].
    #[must_use]
    pub fn collision_layers(&self) -> &[String] {
        &self.collision_layers
    }

    /// The collision layers of those names.
    ///
    /// # Errors
    /// [`CollisionLayerError::Unknown`] for the first name that [`Map::collision_layers`] lacks.
    pub fn collision_layers_named<S: AsRef<str>>(
        &self,
        names: impl IntoIterator<Item = S>,
    ) -> Result<CollisionLayers, CollisionLayerError> {
        CollisionLayers::of_names(names, &self.collision_layers)
    }

    /// The layers of tiles, the one behind all others first; there is at least one.
    #[must_use]
    pub fn layers(&self) -> &[TileLayer] {
        &self.layers
    }

    /// What moves on it: a world on the map begins with these platforms, in their order.
    ///
    /// Their paths are in order in ticks of 1/60 second. In a world with ticks of another length, a leg that would be too
    /// fast or too long for a platform takes as many ticks as are nearest to its pace.
    #[must_use]
    pub fn platforms(&self) -> &[Platform] {
        &self.platforms
    }

    /// The areas in it: a world on the map begins with them, in their order.
    #[must_use]
    pub fn areas(&self) -> &[Area] {
        &self.areas
    }

    /// The game's own data, by name.
    #[must_use]
    pub fn properties(&self) -> &BTreeMap<String, Value> {
        &self.properties
    }

    /// The tile kind of that id; `None` if it comes from a map with more kinds.
    #[must_use]
    pub fn kind(&self, id: TileId) -> Option<&TileKind> {
        self.kinds.get(usize::from(id.0))
    }

    /// The characters that kinds have in the map's text. A map made by code need not have any: [`Map::to_ron`] gives one to
    /// each kind that has none.
    #[must_use]
    pub fn symbols(&self) -> &BTreeMap<char, TileId> {
        &self.symbols
    }

    /// The kind that a character of the map's text stands for; `None` for one that its legend lacks or that only places a
    /// marker.
    #[must_use]
    pub fn find_tile(&self, character: char) -> Option<TileId> {
        self.symbols.get(&character).copied()
    }

    /// Of which kind a tile of a layer is: empty where the map goes beyond the layer. `None` outside the map and for a layer
    /// that it lacks.
    #[must_use]
    pub fn tile_at(&self, layer: usize, tile: (i32, i32)) -> Option<TileId> {
        self.layers.get(layer).filter(|_| self.frame.contains(tile)).map(|layer| layer.tile_at(tile))
    }

    /// Which variant a tile of a layer shows; `None` for an empty cell, outside the map and for a layer that it lacks.
    #[must_use]
    pub fn variant_at(&self, layer: usize, tile: (i32, i32)) -> Option<VariantId> {
        self.tile_at(layer, tile).and_then(|id| self.kind(id)?.variant)
    }

    /// Makes a tile of a layer one of another kind. Markers stay as they are. Where the map goes beyond the layer, the layer
    /// grows as far as the tile.
    ///
    /// # Errors
    /// [`TileError`] for an unknown layer or kind, a tile outside the map, and one that cannot share its cell with those of
    /// other layers; the map is then unchanged.
    pub fn set_tile(&mut self, layer: usize, tile: (i32, i32), tile_id: TileId) -> Result<(), TileError> {
        let (Frame { origin, size }, layers) = (self.frame, self.layers.len());
        if layer >= layers {
            return Err(TileError::UnknownLayer { layer, layers });
        }
        if !self.frame.contains(tile) {
            return Err(TileError::Outside { tile, origin, size });
        }
        if usize::from(tile_id.0) >= self.kinds.len() {
            return Err(TileError::UnknownTile { tile_id });
        }
        shared::check_cell(&self.catalogue, &self.kinds, &self.layers, tile, (layer, tile_id))
            .map_err(|error| TileError::CannotShare { tile, error })?;
        let own = &mut self.layers[layer];
        if own.tile_at(tile) == tile_id {
            return Ok(());
        }
        self.checksum.take();
        if own.index(tile).is_none() {
            own.grow(tile);
        }
        if let Some(index) = own.index(tile) {
            own.cells[index] = tile_id;
        }
        Ok(())
    }
}

impl PartialEq for Map {
    fn eq(&self, other: &Map) -> bool {
        let same_catalogue =
            Arc::ptr_eq(&self.catalogue, &other.catalogue) || self.catalogue.patterns() == other.catalogue.patterns();
        same_catalogue
            && self.catalogue_file == other.catalogue_file
            && self.kinds == other.kinds
            && self.layers == other.layers
            && self.borders == other.borders
            && self.collision_layers == other.collision_layers
            && self.markers == other.markers
            && self.platforms == other.platforms
            && self.areas == other.areas
            && self.pixels_per_tile == other.pixels_per_tile
            && self.properties == other.properties
    }
}
