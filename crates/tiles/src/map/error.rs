//! Errors in the parts of a map, from code or from a text.

use super::{BodyFieldError, Map, TileId};
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
    TileKindError,
    CollisionLayerError,
    MapPlatformError,
    MapAreaError,
    MapBodyError,
    PixelsError,
    CataloguePathError,
    TileError
);

/// Error of [`Map::from_parts`]: which of the [`MapParts`](super::MapParts) is invalid.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MapPartsError {
    /// A tile kind (the type of tile that a cell can have) is invalid.
    #[error(transparent)]
    Kind(#[from] TileKindError),
    /// A name in the list of collision layers (groups of bodies) is invalid.
    #[error(transparent)]
    CollisionLayer(#[from] CollisionLayerError),
    /// A tile layer is invalid, or conflicts with another tile layer. For example, both have the same name, or the
    /// shapes of their tiles in one cell cannot be combined.
    #[error(transparent)]
    Layer(#[from] TileLayerError),
    /// A marker (a named tile, such as the start or the goal) is invalid.
    #[error(transparent)]
    Marker(#[from] MarkerError),
    /// A property (data for your game) of the map or of a tile kind is invalid.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// The number of pixels per tile is less than 1 or more than [`Map::MAX_PIXELS_PER_TILE`].
    #[error(transparent)]
    PixelsPerTile(#[from] PixelsError),
    /// The path of the catalogue file (tile shapes) could lead out of the map's folder, for example with `..`.
    #[error(transparent)]
    CataloguePath(#[from] CataloguePathError),
    /// A platform is invalid, or conflicts with the other platforms: for example, two have the same name, or one is
    /// attached to a platform that the map does not have.
    #[error(transparent)]
    Platform(#[from] MapPlatformError),
    /// An area (a sensor region) is invalid, two areas have the same name, or there are too many areas.
    #[error(transparent)]
    Area(#[from] MapAreaError),
    /// A body is invalid, two bodies have the same name, or there are too many bodies.
    #[error(transparent)]
    Body(#[from] MapBodyError),
}

named_variants! {
    MapPartsError: Kind CollisionLayer Layer Marker Property PixelsPerTile CataloguePath Platform Area Body
}

/// Error in the tile kinds of a map.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TileKindError {
    /// The list of tile kinds is empty, or its first entry is not the empty cell.
    #[error("tile kind 0 is missing or not empty; expected the empty cell")]
    NoEmpty,
    /// The first tile kind, the empty cell, places [things](super::Things).
    #[error("tile kind 0 places things; expected an empty cell that places nothing")]
    EmptyPlaces,
    /// The list has more tile kinds than [`Map::MAX_KINDS`], or than the lower limit `MapLimits::kinds` that was passed
    /// when loading the map.
    #[error("the map has {count} tile kinds; expected at most {limit}")]
    TooMany {
        /// Maximum number of tile kinds.
        limit: usize,
        /// Number of tile kinds in the list.
        count: usize,
    },
    /// The shape of a tile kind is a variant that the catalogue (set of tile shapes) does not have.
    #[error("tile kind {}: unknown variant {}; expected a variant of the catalogue, which has {variants}", kind.0, variant.0)]
    UnknownVariant {
        /// Index of the invalid tile kind.
        kind: TileId,
        /// The variant that the catalogue does not have.
        variant: VariantId,
        /// Number of variants (shapes) in the catalogue.
        variants: usize,
    },
    /// `drop_through` is set for a tile that is not one-way. Characters can drop only through one-way tiles.
    #[error(
        "tile kind {}: bodies cannot drop through `{tile}`, because it is not one-way; expected a tile of a pattern with \
         `kind: Open`, such as \"one_way\"",
        kind.0
    )]
    DropThrough {
        /// Index of the invalid tile kind.
        kind: TileId,
        /// Name of the tile's shape, such as `full_block`.
        tile: String,
    },
    /// `ignored_by` is set for a tile that is not one-way. Only one-way tiles can let the bodies of some collision
    /// layers pass.
    #[error(
        "tile kind {}: `ignored_by` is set for `{tile}`, which is not one-way; expected a tile of a pattern with \
         `kind: Open`, such as \"one_way\"",
        kind.0
    )]
    IgnoredBy {
        /// Index of the invalid tile kind.
        kind: TileId,
        /// Name of the tile's shape, such as `full_block`.
        tile: String,
    },
    /// `ignored_by` of a tile kind contains a collision layer (a group of bodies) that has no name in the map.
    #[error("tile kind {}: {source}", kind.0)]
    CollisionLayer {
        /// Index of the invalid tile kind.
        kind: TileId,
        /// Number of the collision layer without a name, and how many collision layers of the map have one.
        source: CollisionLayerError,
    },
    /// [`Things::inside`](super::Things::inside) names a tile kind without a joined area, or the tile kind has a joined
    /// area itself.
    #[error(
        "tile kind {}: its cells are inside those of tile kind {}; expected a tile kind with an area with `join`, and none \
         in this one",
        kind.0, inside.0
    )]
    Inside {
        /// Index of the invalid tile kind.
        kind: TileId,
        /// The tile kind in `inside`.
        inside: TileId,
    },
    /// The area of a tile kind has the same tag as the joined area in [`Things::inside`](super::Things::inside), or
    /// both have none. Two areas of a cell would then have the same name.
    #[error(
        "tile kind {}: its area and the area of tile kind {} would both be named {name:?} with the cell; expected another \
         tag",
        kind.0, inside.0
    )]
    InsideName {
        /// Index of the invalid tile kind.
        kind: TileId,
        /// The tile kind in `inside`.
        inside: TileId,
        /// First word of both names: the tag, or `area` without one.
        name: String,
    },
    /// A number of a tile kind's material, such as its friction, is out of range.
    #[error("tile kind {}: {source}", kind.0)]
    Material {
        /// Index of the invalid tile kind.
        kind: TileId,
        /// The number that is out of range, and its range.
        source: RangeError,
    },
}

/// Error in the collision layers (groups of bodies) of a map.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CollisionLayerError {
    /// The list has more names than [`Map::MAX_COLLISION_LAYERS`].
    #[error("the map has {count} collision layers; expected at most {limit}")]
    TooMany {
        /// Maximum number of names.
        limit: usize,
        /// Number of names in the list.
        count: usize,
    },
    /// The name of a collision layer (a group of bodies) is empty.
    #[error("a collision layer has an empty name; expected at least one character")]
    Nameless,
    /// Two collision layers (groups of bodies) have the same name.
    #[error("two collision layers are named {name:?}; expected each name once")]
    Duplicate {
        /// Name that both collision layers have.
        name: String,
    },
    /// The map has no collision layer (group of bodies) with this name.
    #[error("the map has no collision layer {name:?}{}", hint_at_similar_name(name, known))]
    Unknown {
        /// Name of the unknown collision layer.
        name: String,
        /// Names of all collision layers of the map.
        known: Vec<String>,
    },
    /// A collision layer (group of bodies) is used that has no name in the map.
    #[error("collision layer {layer} has no name; number of named layers in the map: {names}")]
    Unnamed {
        /// Number of the collision layer, from 0: the bit in a [`CollisionLayers`](super::CollisionLayers).
        layer: u32,
        /// Number of collision layers that have a name in the map.
        names: usize,
    },
}

/// Returns the names that an unknown name could have been.
#[cfg(feature = "ron")]
fn hint_at_similar_name(name: &str, known: &[String]) -> Cow<'static, str> {
    crate::text::name_hint(name, known)
}

/// Without texts there are no names to search, so there is no hint.
#[cfg(not(feature = "ron"))]
fn hint_at_similar_name(_: &str, _: &[String]) -> Cow<'static, str> {
    Cow::Borrowed("")
}

/// Error in the tile layers of a map or a platform.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TileLayerError {
    /// The list of tile layers is empty; a map needs at least one.
    #[error("the map has no tile layers; expected at least one")]
    None,
    /// The list has more tile layers than [`Map::MAX_LAYERS`].
    #[error("the map has {count} tile layers; expected at most {limit}")]
    TooMany {
        /// Maximum number of tile layers.
        limit: usize,
        /// Number of tile layers in the list.
        count: usize,
    },
    /// The name of a tile layer is empty.
    #[error("a tile layer has an empty name; expected at least one character")]
    Nameless,
    /// Two tile layers have the same name.
    #[error("two tile layers are named {name:?}; expected each name once")]
    Duplicate {
        /// Name that both tile layers have.
        name: String,
    },
    /// The tile layer has no cells, or more cells than [`Map::MAX_CELLS`].
    #[error("the tile layer has {width} x {height} cells; expected 1 to {limit}")]
    Size {
        /// Maximum number of cells: columns times rows.
        limit: u64,
        /// Number of columns of the tile layer.
        width: u64,
        /// Number of rows of the tile layer.
        height: u64,
    },
    /// The tile layers are too far apart: the rectangle around all of them has more cells than
    /// [`Map::MAX_BOUNDING_CELLS`] allows.
    #[error("the rectangle around all tile layers has {width} x {height} cells; expected at most {limit}")]
    TooFarApart {
        /// Maximum number of cells in the rectangle.
        limit: u64,
        /// Number of columns of the rectangle.
        width: u64,
        /// Number of rows of the rectangle.
        height: u64,
    },
    /// The lower left cell of a tile layer is more than [`Map::MAX_ORIGIN`] tiles from tile (0, 0), on one of the axes.
    #[error("the origin is ({x}, {y}); expected coordinates from -2^28 to 2^28")]
    Origin {
        /// Column of the lower left cell.
        x: i64,
        /// Row of the lower left cell.
        y: i64,
    },
    /// The list of cells of a tile layer is too short or too long for its size.
    #[error("tile layer {layer:?} has {found} cells; expected {expected} (width times height)")]
    CellCount {
        /// Name of the tile layer.
        layer: String,
        /// Number of cells in the list.
        found: usize,
        /// Expected number of cells: columns times rows of the tile layer.
        expected: usize,
    },
    /// A cell has a tile kind that is not in the list of tile kinds.
    #[error("unknown tile kind {} in tile layer {layer:?}; number of kinds in the map: {kinds}", kind.0)]
    UnknownKind {
        /// Name of the tile layer.
        layer: String,
        /// The unknown tile kind.
        kind: TileId,
        /// Number of tile kinds in the map.
        kinds: usize,
    },
    /// Tiles of several layers lie in the same cell, and their shapes cannot be combined. See
    /// [`Catalogue::check_stack`](crate::catalogue::Catalogue::check_stack).
    #[error(
        "in cell ({x}, {y}), `{upper}` of tile layer {layer:?} and {} behind it cannot be combined: {}",
        quoted_names(lower),
        stack_error_text(source)
    )]
    SharedCell {
        /// Name of the front tile layer: of the layers that have a tile in this cell, the one in front of the others.
        layer: String,
        /// Column of the cell.
        x: i32,
        /// Row of the cell.
        y: i32,
        /// Name of the tile in the front layer, such as `slope_45`.
        upper: String,
        /// Names of the tiles in the layers behind the front layer, from back to front.
        lower: Vec<String>,
        /// Reason why the shapes cannot be combined.
        #[source]
        source: Box<StackError>,
    },
}

named_variants! {
    TileLayerError:
        None TooMany Nameless Duplicate Size TooFarApart Origin CellCount UnknownKind SharedCell
}

/// Error in the markers (named tiles) of a map.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MarkerError {
    /// The name of a marker is empty.
    #[error("a marker has an empty name; expected at least one character")]
    Nameless,
    /// A tile has the same marker (name) twice.
    #[error(
        "marker {name:?} is in cell ({x}, {y}) twice; expected each marker at most once per cell, either as a symbol in the rows or in `markers`"
    )]
    Repeated {
        /// Name of the marker.
        name: String,
        /// Column of the marked tile.
        x: i32,
        /// Row of the marked tile.
        y: i32,
    },
    /// A marker (a named tile) is outside the map.
    #[error(
        "marker {name:?} is at ({x}, {y}), outside the map; expected x from {} to {} and y from {} to {}",
        columns.start, columns.end - 1, rows.start, rows.end - 1
    )]
    Outside {
        /// Name of the marker.
        name: String,
        /// Column of the marked tile.
        x: i64,
        /// Row of the marked tile.
        y: i64,
        /// Columns of the map.
        columns: Range<i64>,
        /// Rows of the map.
        rows: Range<i64>,
    },
    /// The map has more marked tiles than [`Map::MAX_MARKERS`].
    #[error("the map has {count} markers in its rows and in `markers`; expected at most {limit}")]
    TooMany {
        /// Number of marked tiles in the map.
        count: usize,
        /// Maximum number of marked tiles.
        limit: usize,
    },
}

named_variants! {
    MarkerError:
        Nameless Repeated Outside TooMany
}

/// Error in the properties (data for your game) of a map or of its tile kinds.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PropertyError {
    /// A property (data for your game) has a number that is NaN or infinite.
    #[error("property {name:?} has a number that is not finite; expected finite numbers")]
    NotFinite {
        /// Name of the property. For a number inside lists or maps: name of the property that contains these.
        name: String,
    },
    /// The lists and maps in a property (data for your game) are nested deeper than [`Map::MAX_DEPTH`].
    #[error("property {name:?} has {depth} lists and maps inside each other; expected at most {}", Map::MAX_DEPTH)]
    TooDeep {
        /// Name of the property that contains the nested lists and maps.
        name: String,
        /// Nesting depth of the lists and maps in the property.
        depth: usize,
    },
    /// An area or a platform in a list has properties (data for your game), but no name by which the game finds them.
    #[error("the {owner} has properties and no name; expected a `name`, by which the game finds the properties")]
    Nameless {
        /// `area` or `platform`.
        owner: &'static str,
    },
    /// The properties (data for your game) of the map, its tile kinds and its things have more values together than
    /// [`Map::MAX_VALUES`].
    #[error("the map has {count} property values; expected at most {limit}")]
    TooMany {
        /// Number of values. Lists and maps count as values too.
        count: usize,
        /// Maximum number of values.
        limit: usize,
    },
}

named_variants! {
    PropertyError:
        NotFinite TooDeep Nameless TooMany
}

/// Error in the platforms (moving tile maps) of a map.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MapPlatformError {
    /// A platform is invalid, whatever the other platforms are: for example, no tile of the platform collides with
    /// bodies, or its path is impossible.
    #[error("{}: {error}", platform_name_text(name))]
    Refused {
        /// Name of the platform; empty if it has none.
        name: String,
        /// Reason why the platform is invalid.
        error: PlatformError,
    },
    /// Two platforms have the same name.
    #[error("two platforms are named {name:?}; expected each name once")]
    Duplicate {
        /// Name that both platforms have.
        name: String,
    },
    /// A platform is attached to another platform by name, but the map has no platform with that name.
    #[error(
        "{} is attached to {to:?}, but no platform has that name; expected the name of a platform",
        platform_name_text(name)
    )]
    AttachedToNothing {
        /// Name of the platform that is attached; empty if it has none.
        name: String,
        /// Name of the missing platform to which `name` is attached.
        to: String,
    },
    /// A platform is attached to itself, directly or through a chain of other platforms.
    #[error(
        "platform {name:?} is attached to itself{}; expected attachments without a loop",
        attachment_chain_text(others)
    )]
    AttachedToItself {
        /// Name of the platform.
        name: String,
        /// Names of the other platforms in the chain, in order: first the platform to which `name` is attached, then
        /// the platform to which that one is attached, and so on.
        others: Vec<String>,
    },
    /// A cell of a platform has a tile kind that places [things](super::Things), such as an area. Only cells of the
    /// map's own tile layers can place things.
    #[error(
        "{} has a tile that places things; expected tiles that place nothing, since only the rows of the map place things",
        platform_name_text(name)
    )]
    Things {
        /// Name of the platform; empty if it has none.
        name: String,
    },
    /// The map has more platforms than [`Map::MAX_PLATFORMS`].
    #[error("the map has {count} platforms; expected at most {limit}")]
    TooMany {
        /// Number of platforms in the map.
        count: usize,
        /// Maximum number of platforms.
        limit: usize,
    },
    /// The paths of all platforms together have more points than [`Map::MAX_PATH_POINTS`].
    #[error("the paths of all platforms have {count} points; expected at most {limit}")]
    TooManyPoints {
        /// Number of path points in the map.
        count: usize,
        /// Maximum number of path points.
        limit: usize,
    },
    /// All platforms together have more cells than [`Map::MAX_PLATFORM_CELLS`].
    #[error("all platforms together have {cells} cells, in whole chunks of 32 x 32; expected at most {limit}")]
    TooManyCells {
        /// Number of cells of all platforms, rounded up to whole chunks of 32 by 32 cells.
        cells: u64,
        /// Maximum number of cells.
        limit: u64,
    },
}

/// Error in the areas (sensor regions) of a map.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MapAreaError {
    /// An area is invalid, whatever the other areas are: for example, one of its effects is out of range, or its
    /// platform does not exist.
    #[error("{}: {error}", area_name_text(name))]
    Refused {
        /// Name of the area; empty if it has none.
        name: String,
        /// Reason why the area is invalid.
        #[source]
        error: AreaError,
    },
    /// Two areas have the same name.
    #[error("two areas are named {name:?}; expected each name once")]
    Duplicate {
        /// Name that both areas have.
        name: String,
    },
    /// The shape of an area is invalid, such as a negative radius.
    #[error("{}: {error}", area_name_text(name))]
    Shape {
        /// Name of the area; empty if it has none.
        name: String,
        /// Reason why the shape is invalid.
        #[source]
        error: ShapeError,
    },
    /// The map has more areas than [`Map::MAX_AREAS`], or its list more than [`Map::MAX_LISTED_AREAS`].
    #[error("the map has {count} areas; expected at most {limit}")]
    TooMany {
        /// Number of areas in the map.
        count: usize,
        /// Maximum number of areas.
        limit: usize,
    },
    /// All [joined](super::AreaThing::join) areas together have more boxes than [`Map::MAX_JOINED_BOXES`].
    #[error("all joined areas together have {count} boxes; expected at most {limit}")]
    TooManyBoxes {
        /// Number of boxes in all joined areas.
        count: usize,
        /// Maximum number of boxes.
        limit: usize,
    },
}

/// Error in the bodies of a map.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MapBodyError {
    /// A field of a body is invalid: for example, its mass is out of range.
    #[error("{}: {error}", body_name_text(name))]
    Refused {
        /// Name of the body. For a body that cells place: its kind.
        name: String,
        /// Reason why the body is invalid.
        #[source]
        error: BodyFieldError,
    },
    /// The name of a body is empty.
    #[error("a body has an empty name; expected at least one character")]
    Nameless,
    /// The kind of a body is empty.
    #[error("{} has an empty kind; expected a word of your game, such as \"walker\"", body_name_text(name))]
    NoKind {
        /// Name of the body.
        name: String,
    },
    /// Two bodies have the same name.
    #[error("two bodies are named {name:?}; expected each name once")]
    Duplicate {
        /// Name that both bodies have.
        name: String,
    },
    /// The map has more bodies than [`Map::MAX_BODIES`], or its list more than [`Map::MAX_LISTED_BODIES`].
    #[error("the map has {count} bodies; expected at most {limit}")]
    TooMany {
        /// Number of bodies in the map.
        count: usize,
        /// Maximum number of bodies.
        limit: usize,
    },
}

/// Returns the words for a body.
fn body_name_text(name: &str) -> Cow<'static, str> {
    if name.is_empty() { "a body".into() } else { format!("body {name:?}").into() }
}

/// Returns the words for an area.
fn area_name_text(name: &str) -> Cow<'static, str> {
    if name.is_empty() { "an area".into() } else { format!("area {name:?}").into() }
}

/// Returns the words for a platform.
pub(super) fn platform_name_text(name: &str) -> Cow<'static, str> {
    if name.is_empty() { "a platform".into() } else { format!("platform {name:?}").into() }
}

/// Error in the number of pixels per tile: it must be from 1 to [`Map::MAX_PIXELS_PER_TILE`].
#[derive(Clone, Copy, PartialEq, Eq, Error)]
#[error("the number of pixels per tile is {found}; expected 1 to {}", Map::MAX_PIXELS_PER_TILE)]
pub struct PixelsError {
    /// The refused number of pixels per tile.
    pub found: i64,
}

/// Error: the path of the catalogue file (tile shapes) may lead out of the map's folder.
///
/// An allowed path is relative, has `/` between its parts, and has no `..`.
#[derive(Clone, PartialEq, Eq, Error)]
#[error(
    "catalogue path {path:?} may lead out of the map's folder; expected a path with `/` and without `..` to a file in that \
     folder or below it"
)]
pub struct CataloguePathError {
    /// The refused path of the catalogue file.
    pub path: String,
}

/// Returns the words for a chain of platforms. A long chain is shortened.
fn attachment_chain_text(others: &[String]) -> String {
    let named: Vec<String> = others.iter().take(4).map(|name| format!("{name:?}")).collect();
    match others.len() {
        0 => String::new(),
        1..=4 => format!(", through {}", named.join(", ")),
        more => format!(", through {} and {} more", named.join(", "), more - 4),
    }
}

/// Returns the words for tiles.
fn quoted_names(tiles: &[String]) -> String {
    let quoted: Vec<String> = tiles.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(" and ")
}

/// Returns the reason why tiles cannot share a cell, without variant numbers.
fn stack_error_text(error: &StackError) -> Cow<'static, str> {
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

/// Maximum number of tiles in a rectangle that is set in a streamed terrain.
pub const MAX_FILL: u64 = 1 << 20;

/// Error of setting a tile in a map, a world or a terrain (the tiles that bodies collide with).
#[derive(Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TileError {
    /// The tile is outside the map.
    #[error(
        "tile ({}, {}) is outside the map, which has {} x {} tiles from ({}, {}) on",
        tile.0, tile.1, size.0, size.1, origin.0, origin.1
    )]
    Outside {
        /// Column and row of the tile.
        tile: (i32, i32),
        /// Column and row of the map's lower left tile.
        origin: (i32, i32),
        /// Number of columns and rows of the map.
        size: (u32, u32),
    },
    /// The tile is outside the tile layer of the platform.
    #[error(
        "tile ({}, {}) is outside the platform's tile layer, which has {} x {} tiles from ({}, {}) on",
        tile.0, tile.1, size.0, size.1, origin.0, origin.1
    )]
    OutsidePlatform {
        /// Column and row of the tile.
        tile: (i32, i32),
        /// Column and row of the layer's lower left tile.
        origin: (i32, i32),
        /// Number of columns and rows of the layer.
        size: (u32, u32),
    },
    /// The tile layer does not exist. Also returned by a terrain for a tile layer of its map that bodies do not collide
    /// with, because a terrain has only the other layers.
    #[error("unknown tile layer {layer}; number of layers that can be edited: {layers}")]
    UnknownLayer {
        /// Index of the tile layer, from 0.
        layer: usize,
        /// Number of tile layers that can be edited.
        layers: usize,
    },
    /// The shape of the tile cannot be combined with the tiles of other layers in the same cell. See
    /// [`Catalogue::check_stack`](crate::catalogue::Catalogue::check_stack).
    #[error("tile ({}, {}): {error}", tile.0, tile.1)]
    CannotShare {
        /// Column and row of the tile.
        tile: (i32, i32),
        /// Reason why the shapes cannot be combined.
        #[source]
        error: StackError,
    },
    /// The rectangle has more than 2^20 tiles, too many to be set in one call. This limit holds only in streamed
    /// worlds, whose tiles come from a [`TileSource`](../terrain/trait.TileSource.html).
    #[error("the rectangle has {tiles} tiles; expected at most {} at once in a streamed terrain", MAX_FILL)]
    TooLarge {
        /// Number of tiles in the rectangle.
        tiles: u64,
    },
    /// The tile kind places a marker that the cell has already, or an area or body whose name a listed one has.
    /// Returned by [`Map::set_tile`].
    #[error(
        "tile kind {} places a marker, an area or a body that the map already has at tile ({}, {}); expected each once",
        tile_id.0, tile.0, tile.1
    )]
    RepeatedThing {
        /// Column and row of the tile.
        tile: (i32, i32),
        /// The tile kind that would place the thing again.
        tile_id: TileId,
    },
    /// The map has no tile kind with this [`TileId`].
    #[error("the map has no tile kind {}", tile_id.0)]
    UnknownTile {
        /// The unknown tile kind.
        tile_id: TileId,
    },
}
