//! What can be wrong with a map that is made of parts, whether by code or from a text.

use super::{Map, TileId};
use crate::area::AreaError;
use crate::catalogue::{StackError, VariantId};
use crate::platform::PlatformError;
use crate::range::RangeError;
use std::borrow::Cow;
use std::ops::Range;
use surefoot_geometry::ShapeError;
use thiserror::Error;

/// Why parts are no map.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MapPartsError {
    /// A tile kind.
    #[error(transparent)]
    Kind(#[from] TileKindError),
    /// The table of collision layers.
    #[error(transparent)]
    CollisionLayer(#[from] CollisionLayerError),
    /// A layer, or all layers together.
    #[error(transparent)]
    Layer(#[from] TileLayerError),
    /// A marker.
    #[error(transparent)]
    Marker(#[from] MarkerError),
    /// A property of the map or of a tile kind.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// Tiles without size, or too large.
    #[error(transparent)]
    PixelsPerTile(#[from] PixelsError),
    /// The path of a catalogue that may lie outside the map's folder.
    #[error(transparent)]
    CataloguePath(#[from] CataloguePathError),
    /// A platform, or all of them together.
    #[error(transparent)]
    Platform(#[from] MapPlatformError),
    /// An area, or all of them together.
    #[error(transparent)]
    Area(#[from] MapAreaError),
}

/// What can be wrong with tile kinds.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum TileKindError {
    /// Kind 0 is not the empty cell.
    #[error("tile kind 0 is missing or not empty; expected the empty cell")]
    NoEmpty,
    /// More kinds than a map may have.
    #[error("{count} tile kinds; expected at most {limit}")]
    TooMany {
        /// The most it may have.
        limit: usize,
        /// How many there are.
        count: usize,
    },
    /// A variant that the catalogue lacks.
    #[error("tile kind {}: variant {}; the catalogue has {variants}", kind.0, variant.0)]
    UnknownVariant {
        /// The kind.
        kind: TileId,
        /// The variant.
        variant: VariantId,
        /// How many the catalogue has.
        variants: usize,
    },
    /// A kind to be dropped through that has no floor which stops bodies from one side only.
    #[error(
        "tile kind {}: `{tile}` cannot be dropped through; expected a tile of an open pattern, such as \"one_way\"",
        kind.0
    )]
    DropThrough {
        /// The kind.
        kind: TileId,
        /// Its tile's name.
        tile: String,
    },
    /// A kind that lets bodies pass and has no edge which stops bodies from one side only.
    #[error(
        "tile kind {}: `{tile}` cannot let bodies pass; expected a tile of an open pattern, such as \"one_way\"",
        kind.0
    )]
    IgnoredBy {
        /// The kind.
        kind: TileId,
        /// Its tile's name.
        tile: String,
    },
    /// A kind that lets bodies of a collision layer pass that the map has no name for.
    #[error("tile kind {}: {source}", kind.0)]
    CollisionLayer {
        /// The kind.
        kind: TileId,
        /// The layer.
        source: CollisionLayerError,
    },
    /// A number of a kind's surface that is out of range.
    #[error("tile kind {}: {source}", kind.0)]
    Material {
        /// The kind.
        kind: TileId,
        /// The number.
        source: RangeError,
    },
}

/// What can be wrong with collision layers.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CollisionLayerError {
    /// More names than a map may have.
    #[error("{count} collision layers; expected at most {limit}")]
    TooMany {
        /// The most it may have.
        limit: usize,
        /// How many there are.
        count: usize,
    },
    /// A name that is the empty text.
    #[error("a collision layer has an empty name; expected at least one character")]
    Nameless,
    /// A name that is there twice.
    #[error("two collision layers are named {name:?}; expected each name once")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// A name that the map's table lacks.
    #[error("the map has no collision layer {name:?}{}", hint(name, known))]
    Unknown {
        /// The name.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// A layer by its number that the map's table has no name for.
    #[error("collision layer {layer} has no name; the map names {names}")]
    Unnamed {
        /// The layer, from 0.
        layer: u32,
        /// How many the map names.
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

/// What can be wrong with layers.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TileLayerError {
    /// The list of layers is empty.
    #[error("the map has no layers; expected at least one")]
    None,
    /// More layers than a map may have.
    #[error("{count} layers; expected at most {limit}")]
    TooMany {
        /// The most it may have.
        limit: usize,
        /// How many there are.
        count: usize,
    },
    /// A layer whose name is the empty text.
    #[error("a layer has an empty name; expected at least one character")]
    Nameless,
    /// A name that two layers have.
    #[error("two layers are named {name:?}; expected each name once")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// More cells than a layer may have, or none.
    #[error("{width} x {height} cells; expected at most {limit} and at least one")]
    Size {
        /// The most cells it may have.
        limit: u64,
        /// Columns.
        width: u64,
        /// Rows.
        height: u64,
    },
    /// Layers too far apart: the rectangle around them has more cells than a map may have.
    #[error("the rectangle around all layers has {width} x {height} cells; expected at most {limit}")]
    TooFarApart {
        /// The most cells it may have.
        limit: u64,
        /// Columns.
        width: u64,
        /// Rows.
        height: u64,
    },
    /// A lower left cell too far out.
    #[error("the origin is ({x}, {y}); expected coordinates from -2^28 to 2^28")]
    Origin {
        /// Its x.
        x: i64,
        /// Its y.
        y: i64,
    },
    /// A list of cells that does not fit the layer's size.
    #[error("layer {layer:?} has {found} cells; expected {expected}, width times height")]
    CellCount {
        /// The layer's name.
        layer: String,
        /// Cells in the list.
        found: usize,
        /// Cells of a layer of that size.
        expected: usize,
    },
    /// A cell of a kind that the map lacks.
    #[error("tile kind {} in layer {layer:?}; the map has {kinds}", kind.0)]
    UnknownKind {
        /// The layer's name.
        layer: String,
        /// The kind.
        kind: TileId,
        /// How many the map has.
        kinds: usize,
    },
    /// Tiles of several layers in one cell that cannot be composed there.
    #[error(
        "`{upper}` of layer {layer:?} at ({x}, {y}) cannot share its cell with {}: {}",
        names(lower),
        stack(source)
    )]
    SharedCell {
        /// The uppermost of the layers.
        layer: String,
        /// The cell's x.
        x: i32,
        /// The cell's y.
        y: i32,
        /// The tile of that layer.
        upper: String,
        /// The tiles of the layers below, from behind.
        lower: Vec<String>,
        /// Why not.
        #[source]
        source: Box<StackError>,
    },
}

/// What can be wrong with markers.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MarkerError {
    /// A marker whose name is the empty text.
    #[error("a marker has an empty name; expected at least one character")]
    Nameless,
    /// A tile that one name marks twice.
    #[error("marker {name:?} is at ({x}, {y}) twice; expected once, drawn or listed")]
    Repeated {
        /// The name.
        name: String,
        /// The tile's x.
        x: i32,
        /// The tile's y.
        y: i32,
    },
    /// A marker outside the map.
    #[error(
        "marker {name:?} is at ({x}, {y}), outside the map; expected x from {} to {} and y from {} to {}",
        columns.start, columns.end - 1, rows.start, rows.end - 1
    )]
    Outside {
        /// The name.
        name: String,
        /// The tile's x.
        x: i64,
        /// The tile's y.
        y: i64,
        /// Which x the map has.
        columns: Range<i64>,
        /// Which y the map has.
        rows: Range<i64>,
    },
    /// More marked tiles than a map may have.
    #[error("{count} markers, drawn and listed; expected at most {limit}")]
    TooMany {
        /// How many there are.
        count: usize,
        /// The most it may have.
        limit: usize,
    },
}

/// What can be wrong with properties.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PropertyError {
    /// A number that is NaN or infinite.
    #[error("property {name:?}: a number is not finite; expected a finite one")]
    NotFinite {
        /// The property's name at the top.
        name: String,
    },
    /// Lists and maps too deep in each other to be read back from a text.
    #[error("property {name:?}: {depth} lists and maps in each other; expected at most {}", Map::MAX_DEPTH)]
    TooDeep {
        /// The property's name at the top.
        name: String,
        /// How many there are.
        depth: usize,
    },
    /// More values than the properties of a map and its tile kinds may have, lists and maps included.
    #[error("{count} values in properties; expected at most {limit}")]
    TooMany {
        /// How many there are.
        count: usize,
        /// The most it may have.
        limit: usize,
    },
}

/// What can be wrong with the platforms of a map.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MapPlatformError {
    /// A platform that no world on the map takes.
    #[error("{}: {error}", platform(name))]
    Refused {
        /// Its name; empty if it has none.
        name: String,
        /// Why not.
        error: PlatformError,
    },
    /// A name that two platforms have.
    #[error("two platforms are named {name:?}; expected each name once")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// A platform that is attached to one that the map lacks.
    #[error("{} is attached to {to:?}, which no platform is named", platform(name))]
    AttachedToNothing {
        /// Its name; empty if it has none.
        name: String,
        /// What it is attached to.
        to: String,
    },
    /// A platform that is attached to itself, directly or by way of others.
    #[error("platform {name:?} is attached to itself{}", by_way_of(others))]
    AttachedToItself {
        /// Its name.
        name: String,
        /// Those between, in their order, from the one that it is attached to on.
        others: Vec<String>,
    },
    /// More platforms than a map may have.
    #[error("{count} platforms; expected at most {limit}")]
    TooMany {
        /// How many there are.
        count: usize,
        /// The most it may have.
        limit: usize,
    },
    /// More way points than the platforms of a map may have together.
    #[error("{count} points in the paths of all platforms; expected at most {limit}")]
    TooManyPoints {
        /// How many there are.
        count: usize,
        /// The most it may have.
        limit: usize,
    },
    /// More cells than the platforms of a map may have together.
    #[error("{cells} cells of all platforms, in whole chunks; expected at most {limit}")]
    TooManyCells {
        /// How many there are.
        cells: u64,
        /// The most it may have.
        limit: u64,
    },
}

/// What can be wrong with the areas of a map.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MapAreaError {
    /// An area that no world on the map takes.
    #[error("{}: {error}", area(name))]
    Refused {
        /// Its name; empty if it has none.
        name: String,
        /// Why not.
        #[source]
        error: AreaError,
    },
    /// A name that two areas have.
    #[error("two areas are named {name:?}; expected each name once")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// Numbers that are no shape.
    #[error("{}: {error}", area(name))]
    Shape {
        /// Its name; empty if it has none.
        name: String,
        /// Why not.
        #[source]
        error: ShapeError,
    },
    /// More areas than a map may have.
    #[error("{count} areas; expected at most {limit}")]
    TooMany {
        /// How many there are.
        count: usize,
        /// The most it may have.
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

/// Tiles without size, or too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{found} pixels per tile; expected 1 to {}", Map::MAX_PIXELS_PER_TILE)]
pub struct PixelsError {
    /// How many pixels the map says.
    pub found: i64,
}

/// The path of a catalogue that may lie outside the map's folder.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "catalogue {path:?} may lie outside the map's folder; expected a file in that folder or below it, as a path from there \
     with `/` and without `..`"
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
        1..=4 => format!(", by way of {}", told.join(", ")),
        more => format!(", by way of {} and {} more", told.join(", "), more - 4),
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
        StackError::OffLattice { at: (x, y), .. } => {
            format!("their sides cross at ({x:.2}, {y:.2}) sixteenths of the tile, off the lattice").into()
        }
        other => other.to_string().into(),
    }
}

/// The most tiles of a rectangle that is painted in a streamed terrain.
pub(crate) const MAX_FILL: u64 = 1 << 20;

/// Why a tile cannot be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TileError {
    /// The tile is not one of the map's.
    #[error(
        "tile ({}, {}) is outside the map of {} by {} tiles from ({}, {})",
        tile.0, tile.1, size.0, size.1, origin.0, origin.1
    )]
    Outside {
        /// The tile asked for.
        tile: (i32, i32),
        /// The map's lower left tile.
        origin: (i32, i32),
        /// The map's columns and rows.
        size: (u32, u32),
    },
    /// The tile is not one of the layer of a platform.
    #[error(
        "tile ({}, {}) is outside the platform's layer of {} by {} tiles from ({}, {})",
        tile.0, tile.1, size.0, size.1, origin.0, origin.1
    )]
    OutsidePlatform {
        /// The tile asked for.
        tile: (i32, i32),
        /// The layer's lower left tile.
        origin: (i32, i32),
        /// The layer's columns and rows.
        size: (u32, u32),
    },
    /// The map has no such layer, or it does not collide.
    #[error("layer {layer} is not one of the {layers} that can be painted")]
    UnknownLayer {
        /// The layer asked for, from 0.
        layer: usize,
        /// How many collide.
        layers: usize,
    },
    /// The entry's variant cannot be in one cell with the variants of the other layers.
    #[error("tile ({}, {})", tile.0, tile.1)]
    CannotShare {
        /// The tile.
        tile: (i32, i32),
        /// Why not.
        #[source]
        error: StackError,
    },
    /// The rectangle is too large to be painted in a streamed terrain, which may have no end.
    #[error("a rectangle of {tiles} tiles; in a streamed terrain at most {} are painted at once", MAX_FILL)]
    TooLarge {
        /// How many tiles it has.
        tiles: u64,
    },
    /// The map has no such tile kind.
    #[error("the map has no tile kind {}", tile_id.0)]
    UnknownTile {
        /// The kind asked for.
        tile_id: TileId,
    },
}
