//! Maps: tile layers, tile kinds, markers, platforms, areas and bodies.
//!
//! A tile layer is a rectangle of cells. Each cell has one of the map's tile kinds. A tile kind has a shape, a material
//! and data for your game, or is the empty cell. The shapes come from a [catalogue](crate::catalogue). Markers are
//! named tiles, such as the start or the goal.
//!
//! A [`Map`] comes from a RON file ([`Map::load`]), from rows of text ([`Map::from_rows`]), or from code
//! ([`MapParts`]). `docs/formats/map.md` in the repository lists every field of the file.

mod areas;
pub(crate) mod bodies;
pub(crate) mod error;
mod frame;
mod from_rows;
mod kind;
mod layer;
pub(crate) mod layer_mask;
pub(crate) mod legend;
mod markers;
pub(crate) mod parts;
mod platforms;
mod shared;
mod shared_area;
mod sides;
pub(crate) mod surface;
#[cfg(feature = "ron")]
pub(crate) mod text;
mod things;
mod value;

pub use bodies::{BodyFieldError, BodyFields, BodyThing, PlacedBody};
pub use error::{
    CataloguePathError, CollisionLayerError, MapAreaError, MapBodyError, MapPartsError, MapPlatformError, MarkerError,
    PixelsError, PropertyError, TileError, TileKindError, TileLayerError,
};
pub use from_rows::RowsError;
pub use kind::TileKind;
pub use layer::TileLayer;
pub(crate) use layer_mask::check_mask;
pub(crate) use legend::EMPTY as EMPTY_TILE;
#[cfg(feature = "ron")]
pub use legend::TileNameError;
pub use parts::MapParts;
#[doc(hidden)]
pub use shared_area::{AreaKind, AreaName, SharedArea};
pub use sides::{Border, Borders};
pub use surface::Material;
#[cfg(feature = "ron")]
pub use text::{DrawnPlatformError, MapError, MapErrorKind, MapLimits};
pub use things::{AreaThing, MarkerThing, Things};
pub use value::Value;

pub use crate::ids::{CollisionLayers, TileId};

use crate::area::Area;
use crate::catalogue::{Catalogue, VariantId};
use crate::platform::Platform;
use markers::Markers;
use parts::TileRectangle;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// A checked map: tile layers, tile kinds, markers (named tiles), platforms and areas. Every map is valid: for
/// example, all its cells have tile kinds that exist.
///
/// Two maps are equal (`==`) if all their parts are equal, except the symbols (letters that stand for tile kinds in a
/// text). The catalogues (tile shapes) are equal if they have the same patterns.
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
    /// The parts, without the markers. At least one tile layer.
    parts: MapParts,
    /// The rectangle around all layers.
    frame: TileRectangle,
    /// The listed markers, and those of symbols that only place a marker.
    markers: Markers,
    /// Number of cells that place a body.
    placed_bodies: usize,
    /// Number of areas that the cells placed when the map was made. Affects only how much memory is reserved.
    placed_areas: usize,
    /// Lazily computed markers that tile kinds place.
    placed_markers: OnceLock<Markers>,
    /// Lazily computed areas: those of the parts, then those that tile kinds place. `None` if no tile kind places one.
    areas: OnceLock<Option<Vec<Area>>>,
    /// Lazily computed areas for worlds.
    shared_areas: OnceLock<Vec<SharedArea>>,
    /// Lazily computed bodies, as the areas.
    bodies: OnceLock<Option<Vec<PlacedBody>>>,
    /// Lazily computed indices of the bodies, sorted by name.
    bodies_by_name: OnceLock<Vec<u32>>,
    /// Lazily computed checksum.
    pub(crate) checksum: OnceLock<u64>,
}

impl Map {
    /// The format version that [`Map::from_ron`] reads and [`Map::to_ron`] writes.
    pub(crate) const FORMAT: u32 = 1;

    /// Maximum number of tile layers per map: 16.
    pub const MAX_LAYERS: usize = 16;

    /// Maximum number of collision layers (groups of bodies) per map: 32.
    pub const MAX_COLLISION_LAYERS: usize = 32;

    /// Maximum number of cells per tile layer, columns times rows: 2^28.
    pub const MAX_CELLS: u64 = 1 << 28;

    /// Maximum number of cells in the rectangle around all tile layers of a map: 2^22.
    ///
    /// If a map has a large tile layer, its limit is higher: four times the number of cells of its largest layer. For
    /// this check, the rectangle and the layers are rounded up to whole chunks of 32 by 32 cells.
    pub const MAX_BOUNDING_CELLS: u64 = 1 << 22;

    /// Maximum distance of a tile layer's lower left cell from tile (0, 0), in tiles on each axis: 2^28.
    pub const MAX_ORIGIN: i32 = 1 << 28;

    /// Maximum number of tile kinds per map, including the empty cell: 65,534.
    pub const MAX_KINDS: usize = 65_534;

    /// Maximum number of tiles with a marker (a name, such as `start`) per map: 2^20. Markers drawn as symbols and
    /// markers in the list `markers` count together.
    pub const MAX_MARKERS: usize = 1 << 20;

    /// Maximum number of names in the list `markers` (named tiles) of a map file: 2^16.
    pub const MAX_MARKER_NAMES: usize = 1 << 16;

    /// Maximum number of property values (data for your game) of a map and its tile kinds together: 2^20.
    ///
    /// A list counts as one value, and a dictionary as 8. Each value inside counts too.
    pub const MAX_VALUES: usize = 1 << 20;

    /// Maximum nesting depth of lists and maps in a property (data for your game).
    pub const MAX_DEPTH: usize = 32;

    /// Maximum number of platforms per map: 2^17.
    pub const MAX_PLATFORMS: usize = 1 << 17;

    /// Maximum number of path points of all platforms of a map together: 2^19.
    pub const MAX_PATH_POINTS: usize = 1 << 19;

    /// Maximum number of cells of all platforms of a map together: 2^27. The size of each platform is rounded up to
    /// whole chunks of 32 by 32 cells.
    pub const MAX_PLATFORM_CELLS: u64 = 1 << 27;

    /// Maximum number of areas per map, listed and placed by cells: 2^20.
    pub const MAX_AREAS: usize = 1 << 20;

    /// Maximum number of boxes of all [joined](AreaThing::join) areas of a map together: 2^20. [`Map::set_tile`] does
    /// not check the limit.
    pub const MAX_JOINED_BOXES: usize = 1 << 20;

    /// Maximum number of areas in the list `areas` of a map: 2^16.
    pub const MAX_LISTED_AREAS: usize = 1 << 16;

    /// Maximum number of bodies per map, listed and placed by cells: 2^20.
    pub const MAX_BODIES: usize = 1 << 20;

    /// Maximum number of bodies in the list `bodies` of a map: 2^16.
    pub const MAX_LISTED_BODIES: usize = 1 << 16;

    /// Maximum number of pixels along one side of a tile: 65,536.
    pub const MAX_PIXELS_PER_TILE: u32 = 65_536;

    /// Returns the catalogue: the set of tile shapes that the map's tile kinds use.
    #[must_use]
    pub fn catalogue(&self) -> &Arc<Catalogue> {
        &self.parts.catalogue
    }

    /// Returns the path of the catalogue's file (tile shapes), relative to the folder of the map's file.
    ///
    /// Returns `None` if the map uses the built-in catalogue, or a catalogue passed in by code.
    #[must_use]
    pub fn catalogue_file(&self) -> Option<&str> {
        self.parts.catalogue_file.as_deref()
    }

    /// Returns the tile kinds of the map. A [`TileId`] is an index into the slice.
    ///
    /// Kind 0 is the empty cell. Other kinds may also have no shape, such as coins: bodies pass through them, and your
    /// game recognises them by their [`TileId`] or properties.
    ///
    /// A symbol that only places a marker, such as a spawn point, stands for no tile kind. Its cells are empty: they
    /// have kind 0.
    #[must_use]
    pub fn kinds(&self) -> &[TileKind] {
        &self.parts.kinds
    }

    /// Returns the number of columns and rows of the map: the rectangle around all tile layers.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        self.frame.size
    }

    /// Returns column and row of the map's lower left tile. The map is the rectangle around all tile layers.
    #[must_use]
    pub fn origin(&self) -> (i32, i32) {
        self.frame.origin
    }

    /// Returns for each side of the map whether open space or solid blocks are beyond it.
    #[must_use]
    pub fn borders(&self) -> Borders {
        self.parts.borders
    }

    /// Returns the names of the collision layers. Name `i` is bit `i` of a [`CollisionLayers`].
    ///
    /// Collision layers are groups of bodies. They are not the tile layers of [`Map::layers`].
    #[must_use]
    pub fn collision_layers(&self) -> &[String] {
        &self.parts.collision_layers
    }

    /// Returns the set of the collision layers (groups of bodies) with these `names`.
    ///
    /// # Errors
    /// Returns [`CollisionLayerError::Unknown`] for the first name that is not in [`Map::collision_layers`].
    pub fn collision_layers_named<S: AsRef<str>>(
        &self,
        names: impl IntoIterator<Item = S>,
    ) -> Result<CollisionLayers, CollisionLayerError> {
        CollisionLayers::of_names(names, &self.parts.collision_layers)
    }

    /// Returns the tile layers from back to front; at least one.
    #[must_use]
    pub fn layers(&self) -> &[TileLayer] {
        &self.parts.layers
    }

    /// Returns the platforms that every world on this map starts with, in the order of the map.
    ///
    /// Loading checks that each path is possible with ticks of 1/60 second. In a world with another tick length, a
    /// platform may be too fast or too slow between two points of its path. The platform then takes the nearest
    /// possible number of ticks from the one point to the other.
    #[must_use]
    pub fn platforms(&self) -> &[Platform] {
        &self.parts.platforms
    }

    /// Returns the properties of the map: data for your game, by name. The physics ignores them.
    #[must_use]
    pub fn properties(&self) -> &BTreeMap<String, Value> {
        &self.parts.properties
    }

    /// Returns the tile kind with the index `id`, or `None` if the map has no such kind.
    #[must_use]
    pub fn kind(&self, id: TileId) -> Option<&TileKind> {
        self.parts.kinds.get(usize::from(id.0))
    }

    /// Returns the symbols: the letters of the map's text, each with the tile kind that it stands for.
    ///
    /// A map made by code needs no symbols. [`Map::to_ron`] chooses a symbol for each tile kind that has none.
    #[must_use]
    pub fn symbols(&self) -> &BTreeMap<char, TileId> {
        &self.parts.symbols
    }

    /// Returns the tile kind that the symbol `character` stands for in the rows of the map's text.
    ///
    /// Returns `None` if the map has no such symbol, or if the symbol only places a marker (a named tile).
    #[must_use]
    pub fn find_tile(&self, character: char) -> Option<TileId> {
        self.parts.symbols.get(&character).copied()
    }

    /// Returns the tile kind at column and row `tile` of the tile layer with the index `layer`, from 0.
    ///
    /// Returns [`TileId::EMPTY`] inside the map but outside the layer. Returns `None` outside the map, or if the map
    /// has no such layer.
    #[must_use]
    pub fn tile_at(&self, layer: usize, tile: (i32, i32)) -> Option<TileId> {
        self.parts.layers.get(layer).filter(|_| self.frame.contains(tile)).map(|layer| layer.tile_at(tile))
    }

    /// Returns the variant (tile shape, possibly mirrored or turned) at column and row `tile` of the tile layer with
    /// the index `layer`, from 0.
    ///
    /// Returns `None` if the cell is empty or outside the map, or if the map has no such layer.
    #[must_use]
    pub fn variant_at(&self, layer: usize, tile: (i32, i32)) -> Option<VariantId> {
        self.tile_at(layer, tile).and_then(|id| self.kind(id)?.variant)
    }

    /// Sets the cell at column and row `tile` of the tile layer with the index `layer`, from 0.
    ///
    /// [`TileId::EMPTY`] clears the cell. If the cell is inside the map but outside the layer, the layer grows to
    /// include the cell.
    ///
    /// The cell loses the [`Things`] that its old tile kind placed, and gets those of `tile_id`. Markers that no tile
    /// kind places stay: those of the list `markers`, and of symbols that only place a marker.
    ///
    /// # Errors
    /// Returns [`TileError`] and changes nothing:
    ///
    /// - if the map has no such layer or tile kind;
    /// - if the cell is outside the map;
    /// - if the tile's shape cannot be combined with the tiles of other layers in that cell;
    /// - if the tile kind places a marker that the cell has already, or an area or body whose name a listed
    ///   one has.
    pub fn set_tile(&mut self, layer: usize, tile: (i32, i32), tile_id: TileId) -> Result<(), TileError> {
        let (TileRectangle { origin, size }, layers) = (self.frame, self.parts.layers.len());
        if layer >= layers {
            return Err(TileError::UnknownLayer { layer, layers });
        }
        if !self.frame.contains(tile) {
            return Err(TileError::Outside { tile, origin, size });
        }
        if usize::from(tile_id.0) >= self.parts.kinds.len() {
            return Err(TileError::UnknownTile { tile_id });
        }
        shared::check_cell(&self.parts.catalogue, &self.parts.kinds, &self.parts.layers, tile, (layer, tile_id))
            .map_err(|error| TileError::CannotShare { tile, error })?;
        let before = self.parts.layers[layer].tile_at(tile);
        if before == tile_id {
            return Ok(());
        }
        if self.would_repeat_thing((layer, tile), before, tile_id) {
            return Err(TileError::RepeatedThing { tile, tile_id });
        }
        self.checksum.take();
        self.areas.take();
        self.shared_areas.take();
        self.bodies.take();
        self.bodies_by_name.take();
        let places_body = |id: TileId| usize::from(self.parts.kinds[usize::from(id.0)].things.body.is_some());
        self.placed_bodies = self.placed_bodies + places_body(tile_id) - places_body(before);
        let of_kind = |id: TileId| self.parts.kinds[usize::from(id.0)].things.marker.as_ref();
        if let Some(markers) = self.placed_markers.get_mut() {
            if let Some(marker) = of_kind(before) {
                markers.remove(&marker.name, tile);
            }
            if let Some(marker) = of_kind(tile_id) {
                markers.insert(&marker.name, tile);
            }
        }
        let own = &mut self.parts.layers[layer];
        if own.cell_index(tile).is_none() {
            own.grow_to_contain(tile);
        }
        if let Some(index) = own.cell_index(tile) {
            own.cells[index] = tile_id;
        }
        Ok(())
    }
}

impl PartialEq for Map {
    fn eq(&self, other: &Map) -> bool {
        let same_catalogue = Arc::ptr_eq(&self.parts.catalogue, &other.parts.catalogue)
            || self.parts.catalogue.patterns() == other.parts.catalogue.patterns();
        same_catalogue
            && self.parts.catalogue_file == other.parts.catalogue_file
            && self.parts.kinds == other.parts.kinds
            && self.parts.layers == other.parts.layers
            && self.parts.borders == other.parts.borders
            && self.parts.collision_layers == other.parts.collision_layers
            && self.markers == other.markers
            && self.parts.platforms == other.parts.platforms
            && self.parts.areas == other.parts.areas
            && self.parts.bodies == other.parts.bodies
            && self.parts.area_properties == other.parts.area_properties
            && self.parts.platform_properties == other.parts.platform_properties
            && self.parts.pixels_per_tile == other.parts.pixels_per_tile
            && self.parts.properties == other.parts.properties
    }
}
