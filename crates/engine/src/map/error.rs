//! Errors in the parts of a map, from code or from a text.

use super::{Map, TileId};
use crate::area::AreaError;
use crate::catalogue::{StackError, VariantId};
use crate::platform::PlatformError;
use crate::range::RangeError;
use crate::told::{debug_is_display, named_variants};
use std::borrow::Cow;
use std::ops::Range;
use surefoot_geometry::ShapeError;
use thiserror::Error;

debug_is_display!(
    MapPartsError,
    TileKindError,
    CollisionLayerError,
    MapPlatformError,
    MapAreaError,
    PixelsError,
    CataloguePathError,
    TileError
);

/// Errors of [`Map::from_parts`].
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MapPartsError {
    /// A tile kind is invalid.
    #[error(transparent)]
    Kind(#[from] TileKindError),
    /// A name of a collision layer is invalid.
    #[error(transparent)]
    CollisionLayer(#[from] CollisionLayerError),
    /// A tile layer is invalid, or all tile layers together are.
    #[error(transparent)]
    Layer(#[from] TileLayerError),
    /// A marker is invalid.
    #[error(transparent)]
    Marker(#[from] MarkerError),
    /// A property of the map or of a tile kind is invalid.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// The number of pixels per tile is out of range.
    #[error(transparent)]
    PixelsPerTile(#[from] PixelsError),
    /// The catalogue's path may lead out of the map's folder.
    #[error(transparent)]
    CataloguePath(#[from] CataloguePathError),
    /// A platform is invalid, or all platforms together are.
    #[error(transparent)]
    Platform(#[from] MapPlatformError),
    /// An area is invalid, or all areas together are.
    #[error(transparent)]
    Area(#[from] MapAreaError),
}

/// Errors in the tile kinds of a map.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TileKindError {
    /// Kind 0 is missing or not the empty cell.
    #[error("tile kind 0 is missing or not empty; expected the empty cell")]
    NoEmpty,
    /// There are more tile kinds than [`Map::MAX_KINDS`] or the limit given for loading.
    #[error("the map has {count} tile kinds; expected at most {limit}")]
    TooMany {
        /// Maximum number of tile kinds.
        limit: usize,
        /// Number of tile kinds found.
        count: usize,
    },
    /// The variant of a tile kind is not in the catalogue.
    #[error("tile kind {}: unknown variant {}; expected a variant of the catalogue, which has {variants}", kind.0, variant.0)]
    UnknownVariant {
        /// The tile kind.
        kind: TileId,
        /// The variant.
        variant: VariantId,
        /// Number of variants in the catalogue.
        variants: usize,
    },
    /// `drop_through` is set for a tile without one-way edges.
    #[error(
        "tile kind {}: bodies cannot drop through `{tile}`, because it is not one-way; expected a tile of a pattern with \
         `kind: Open`, such as \"one_way\"",
        kind.0
    )]
    DropThrough {
        /// The tile kind.
        kind: TileId,
        /// Name of the kind's tile.
        tile: String,
    },
    /// `ignored_by` is set for a tile without one-way edges.
    #[error(
        "tile kind {}: `ignored_by` is set for `{tile}`, which is not one-way; expected a tile of a pattern with \
         `kind: Open`, such as \"one_way\"",
        kind.0
    )]
    IgnoredBy {
        /// The tile kind.
        kind: TileId,
        /// Name of the kind's tile.
        tile: String,
    },
    /// `ignored_by` has a collision layer that the map does not name.
    #[error("tile kind {}: {source}", kind.0)]
    CollisionLayer {
        /// The tile kind.
        kind: TileId,
        /// The unnamed collision layer.
        source: CollisionLayerError,
    },
    /// A number of the material is out of range.
    #[error("tile kind {}: {source}", kind.0)]
    Material {
        /// The tile kind.
        kind: TileId,
        /// The number.
        source: RangeError,
    },
}

/// Errors in the names of collision layers.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CollisionLayerError {
    /// There are more names than [`Map::MAX_COLLISION_LAYERS`].
    #[error("the map has {count} collision layers; expected at most {limit}")]
    TooMany {
        /// Maximum number of names.
        limit: usize,
        /// Number of names found.
        count: usize,
    },
    /// A name is empty.
    #[error("a collision layer has an empty name; expected at least one character")]
    Nameless,
    /// A name occurs twice.
    #[error("two collision layers are named {name:?}; expected each name once")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// The map has no collision layer of this name.
    #[error("the map has no collision layer {name:?}{}", hint(name, known))]
    Unknown {
        /// The name.
        name: String,
        /// Names of the map's collision layers.
        known: Vec<String>,
    },
    /// The map has no name for this collision layer.
    #[error("collision layer {layer} has no name; number of named layers in the map: {names}")]
    Unnamed {
        /// The collision layer, from 0.
        layer: u32,
        /// Number of names in the map.
        names: usize,
    },
}

/// What an unknown name may have been meant to be.
#[cfg(feature = "ron")]
fn hint(name: &str, known: &[String]) -> Cow<'static, str> {
    crate::text::hint(name, known)
}

/// Nothing: names are looked for in texts.
#[cfg(not(feature = "ron"))]
fn hint(_: &str, _: &[String]) -> Cow<'static, str> {
    Cow::Borrowed("")
}

/// Errors in tile layers.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TileLayerError {
    /// The map has no tile layers.
    #[error("the map has no tile layers; expected at least one")]
    None,
    /// There are more tile layers than [`Map::MAX_LAYERS`].
    #[error("the map has {count} tile layers; expected at most {limit}")]
    TooMany {
        /// Maximum number of tile layers.
        limit: usize,
        /// Number of tile layers found.
        count: usize,
    },
    /// The name of a tile layer is empty.
    #[error("a tile layer has an empty name; expected at least one character")]
    Nameless,
    /// Two tile layers have the same name.
    #[error("two tile layers are named {name:?}; expected each name once")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// A tile layer has no cells, or more than [`Map::MAX_CELLS`].
    #[error("the tile layer has {width} x {height} cells; expected 1 to {limit}")]
    Size {
        /// Maximum number of cells.
        limit: u64,
        /// Number of columns.
        width: u64,
        /// Number of rows.
        height: u64,
    },
    /// The rectangle around all tile layers has more cells than [`Map::MAX_BOUNDING_CELLS`].
    #[error("the rectangle around all tile layers has {width} x {height} cells; expected at most {limit}")]
    TooFarApart {
        /// Maximum number of cells.
        limit: u64,
        /// Number of columns of the rectangle.
        width: u64,
        /// Number of rows of the rectangle.
        height: u64,
    },
    /// The lower left cell is further than [`Map::MAX_ORIGIN`] from tile (0, 0).
    #[error("the origin is ({x}, {y}); expected coordinates from -2^28 to 2^28")]
    Origin {
        /// The x coordinate of the lower left cell.
        x: i64,
        /// The y coordinate of the lower left cell.
        y: i64,
    },
    /// The number of cells differs from the size of the tile layer.
    #[error("tile layer {layer:?} has {found} cells; expected {expected} (width times height)")]
    CellCount {
        /// Name of the tile layer.
        layer: String,
        /// Number of cells in the list.
        found: usize,
        /// Width times height of the tile layer.
        expected: usize,
    },
    /// A cell has a tile kind that the map does not have.
    #[error("unknown tile kind {} in tile layer {layer:?}; number of kinds in the map: {kinds}", kind.0)]
    UnknownKind {
        /// Name of the tile layer.
        layer: String,
        /// The tile kind.
        kind: TileId,
        /// Number of tile kinds in the map.
        kinds: usize,
    },
    /// The tiles of several layers cannot share a cell.
    #[error(
        "in cell ({x}, {y}), `{upper}` of tile layer {layer:?} and {} behind it cannot be combined: {}",
        names(lower),
        stack(source)
    )]
    SharedCell {
        /// Name of the uppermost of these tile layers.
        layer: String,
        /// The x coordinate of the cell.
        x: i32,
        /// The y coordinate of the cell.
        y: i32,
        /// Name of the tile in the uppermost layer.
        upper: String,
        /// Names of the tiles in the layers below, from back to front.
        lower: Vec<String>,
        /// The reason.
        #[source]
        source: Box<StackError>,
    },
}

named_variants! {
    TileLayerError:
        None TooMany Nameless Duplicate Size TooFarApart Origin CellCount UnknownKind SharedCell
}

/// Errors in markers.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MarkerError {
    /// The name of a marker is empty.
    #[error("a marker has an empty name; expected at least one character")]
    Nameless,
    /// A marker is in the same tile twice.
    #[error(
        "marker {name:?} is in cell ({x}, {y}) twice; expected each marker at most once per cell, either as a symbol in the rows or in `markers`"
    )]
    Repeated {
        /// Name of the marker.
        name: String,
        /// The x coordinate of the tile.
        x: i32,
        /// The y coordinate of the tile.
        y: i32,
    },
    /// A marker is outside the map.
    #[error(
        "marker {name:?} is at ({x}, {y}), outside the map; expected x from {} to {} and y from {} to {}",
        columns.start, columns.end - 1, rows.start, rows.end - 1
    )]
    Outside {
        /// Name of the marker.
        name: String,
        /// The x coordinate of the tile.
        x: i64,
        /// The y coordinate of the tile.
        y: i64,
        /// Range of x in the map.
        columns: Range<i64>,
        /// Range of y in the map.
        rows: Range<i64>,
    },
    /// There are more marked tiles than [`Map::MAX_MARKERS`].
    #[error("the map has {count} markers in its rows and in `markers`; expected at most {limit}")]
    TooMany {
        /// Number of marked tiles found.
        count: usize,
        /// Maximum number of marked tiles.
        limit: usize,
    },
}

named_variants! {
    MarkerError:
        Nameless Repeated Outside TooMany
}

/// Errors in properties.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PropertyError {
    /// A number in a property is NaN or infinite.
    #[error("property {name:?} has a number that is not finite; expected finite numbers")]
    NotFinite {
        /// Name of the outermost property.
        name: String,
    },
    /// Lists and maps in a property are nested deeper than [`Map::MAX_DEPTH`].
    #[error("property {name:?} has {depth} lists and maps inside each other; expected at most {}", Map::MAX_DEPTH)]
    TooDeep {
        /// Name of the outermost property.
        name: String,
        /// The nesting depth found.
        depth: usize,
    },
    /// The map and its tile kinds have more property values than [`Map::MAX_VALUES`].
    #[error("the map has {count} property values; expected at most {limit}")]
    TooMany {
        /// Number of values found, including lists and maps.
        count: usize,
        /// Maximum number of values.
        limit: usize,
    },
}

named_variants! {
    PropertyError:
        NotFinite TooDeep TooMany
}

/// Errors in the platforms of a map.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MapPlatformError {
    /// A platform is invalid.
    #[error("{}: {error}", platform(name))]
    Refused {
        /// Name of the platform; empty if it has none.
        name: String,
        /// The reason.
        error: PlatformError,
    },
    /// Two platforms have the same name.
    #[error("two platforms are named {name:?}; expected each name once")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// A platform is attached to a platform that does not exist.
    #[error("{} is attached to {to:?}, but no platform has that name; expected the name of a platform", platform(name))]
    AttachedToNothing {
        /// Name of the attached platform; empty if it has none.
        name: String,
        /// The name that no platform has.
        to: String,
    },
    /// A platform is attached to itself, directly or through other platforms.
    #[error("platform {name:?} is attached to itself{}; expected attachments without a loop", by_way_of(others))]
    AttachedToItself {
        /// Name of the platform.
        name: String,
        /// Names of the platforms in between, in order, beginning with the one that the platform is attached to.
        others: Vec<String>,
    },
    /// There are more platforms than [`Map::MAX_PLATFORMS`].
    #[error("the map has {count} platforms; expected at most {limit}")]
    TooMany {
        /// Number of platforms found.
        count: usize,
        /// Maximum number of platforms.
        limit: usize,
    },
    /// The paths of all platforms have more points than [`Map::MAX_PATH_POINTS`].
    #[error("the paths of all platforms have {count} points; expected at most {limit}")]
    TooManyPoints {
        /// Number of path points found.
        count: usize,
        /// Maximum number of path points.
        limit: usize,
    },
    /// All platforms together have more cells than [`Map::MAX_PLATFORM_CELLS`].
    #[error("all platforms together have {cells} cells, in whole chunks of 32 x 32; expected at most {limit}")]
    TooManyCells {
        /// Number of cells found, in whole chunks.
        cells: u64,
        /// Maximum number of cells.
        limit: u64,
    },
}

/// Errors in the areas of a map.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MapAreaError {
    /// An area is invalid.
    #[error("{}: {error}", area(name))]
    Refused {
        /// Name of the area; empty if it has none.
        name: String,
        /// The reason.
        #[source]
        error: AreaError,
    },
    /// Two areas have the same name.
    #[error("two areas are named {name:?}; expected each name once")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// The numbers of a shape are invalid.
    #[error("{}: {error}", area(name))]
    Shape {
        /// Name of the area; empty if it has none.
        name: String,
        /// The reason.
        #[source]
        error: ShapeError,
    },
    /// There are more areas than [`Map::MAX_AREAS`].
    #[error("the map has {count} areas; expected at most {limit}")]
    TooMany {
        /// Number of areas found.
        count: usize,
        /// Maximum number of areas.
        limit: usize,
    },
}

/// Words for an area.
fn area(name: &str) -> Cow<'static, str> {
    if name.is_empty() { "an area".into() } else { format!("area {name:?}").into() }
}

/// Words for a platform.
fn platform(name: &str) -> Cow<'static, str> {
    if name.is_empty() { "a platform".into() } else { format!("platform {name:?}").into() }
}

/// The number of pixels per tile is out of range: 1 to [`Map::MAX_PIXELS_PER_TILE`].
#[derive(Clone, Copy, PartialEq, Eq, Error)]
#[error("the number of pixels per tile is {found}; expected 1 to {}", Map::MAX_PIXELS_PER_TILE)]
pub struct PixelsError {
    /// The number of pixels per tile found.
    pub found: i64,
}

/// The path of a catalogue may lead out of the map's folder.
#[derive(Clone, PartialEq, Eq, Error)]
#[error(
    "catalogue path {path:?} may lead out of the map's folder; expected a path with `/` and without `..` to a file in that \
     folder or below it"
)]
pub struct CataloguePathError {
    /// The path.
    pub path: String,
}

/// Words for the platforms between, of which many are not all told.
fn by_way_of(others: &[String]) -> String {
    let told: Vec<String> = others.iter().take(4).map(|name| format!("{name:?}")).collect();
    match others.len() {
        0 => String::new(),
        1..=4 => format!(", through {}", told.join(", ")),
        more => format!(", through {} and {} more", told.join(", "), more - 4),
    }
}

/// Words for tiles.
fn names(tiles: &[String]) -> String {
    let quoted: Vec<String> = tiles.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(" and ")
}

/// Why tiles cannot share a cell, without numbers of variants.
fn stack(error: &StackError) -> Cow<'static, str> {
    match error {
        StackError::OffLattice { at: (x, y), .. } => format!(
            "their outlines cross at ({x:.2}, {y:.2}), in sixteenths of a tile, and cannot be joined there; \
                 expected outlines that cross at whole sixteenths; put one of the tiles into another cell or into a \
                 layer with `collides: false`"
        )
        .into(),
        other => other.to_string().into(),
    }
}

/// The most tiles of a rectangle that is painted in a streamed terrain.
pub(crate) const MAX_FILL: u64 = 1 << 20;

/// Errors when a tile is set.
#[derive(Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TileError {
    /// The tile is outside the map.
    #[error(
        "tile ({}, {}) is outside the map, which has {} x {} tiles from ({}, {}) on",
        tile.0, tile.1, size.0, size.1, origin.0, origin.1
    )]
    Outside {
        /// The tile.
        tile: (i32, i32),
        /// Coordinates of the map's lower left tile.
        origin: (i32, i32),
        /// Columns and rows of the map.
        size: (u32, u32),
    },
    /// The tile is outside the platform's tile layer.
    #[error(
        "tile ({}, {}) is outside the platform's tile layer, which has {} x {} tiles from ({}, {}) on",
        tile.0, tile.1, size.0, size.1, origin.0, origin.1
    )]
    OutsidePlatform {
        /// The tile.
        tile: (i32, i32),
        /// Coordinates of the layer's lower left tile.
        origin: (i32, i32),
        /// Columns and rows of the layer.
        size: (u32, u32),
    },
    /// The tile layer does not exist, or a terrain does not contain it because it does not collide.
    #[error("unknown tile layer {layer}; number of layers that can be edited: {layers}")]
    UnknownLayer {
        /// The tile layer, from 0.
        layer: usize,
        /// Number of tile layers that can be edited.
        layers: usize,
    },
    /// The tile cannot share its cell with the tiles of other layers.
    #[error("tile ({}, {}): {error}", tile.0, tile.1)]
    CannotShare {
        /// The tile.
        tile: (i32, i32),
        /// The reason.
        #[source]
        error: StackError,
    },
    /// The rectangle is too large to be set at once in a streamed terrain.
    #[error("the rectangle has {tiles} tiles; expected at most {} at once in a streamed terrain", MAX_FILL)]
    TooLarge {
        /// Number of tiles in the rectangle.
        tiles: u64,
    },
    /// The map has no such tile kind.
    #[error("the map has no tile kind {}", tile_id.0)]
    UnknownTile {
        /// The tile kind.
        tile_id: TileId,
    },
}
