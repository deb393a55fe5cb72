mod words;

use super::{EntryId, Map};
use crate::catalogue::{StackError, VariantId, VariantNameError};
use crate::text::{FormError, Placed};
use std::ops::Range;
use thiserror::Error;
pub(crate) use words::hint;
use words::{advice, count, first, names, of, point, stack};

/// What is wrong with the text of a map, and where.
pub type MapError = Placed<MapErrorKind>;

/// What can be wrong with a map.
///
/// Rows count from 1 at the top, as they stand in the file.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MapErrorKind {
    /// The text does not have a map's form.
    #[error(transparent)]
    Form(#[from] FormError),
    /// The file is of a format that this version does not read.
    #[error("map format {found}, expected {}", Map::FORMAT)]
    Format {
        /// The format the file names.
        found: i64,
    },
    /// There are no rows at all.
    #[error("the map has neither `tiles` nor `layers`; expected one of the two")]
    NoTiles,
    /// There are rows of one layer and layers of rows.
    #[error("the map has `tiles` and `layers`; expected one of the two")]
    TilesAndLayers,
    /// The list of layers is empty.
    #[error("the map has no layers; expected at least one")]
    NoLayers,
    /// More layers than a map may have.
    #[error("{count} layers; expected at most {limit}")]
    TooManyLayers {
        /// The most it may have.
        limit: usize,
        /// How many there are.
        count: usize,
    },
    /// A layer whose name is the empty text.
    #[error("a layer has an empty name; expected at least one character")]
    NamelessLayer,
    /// A name that two layers have.
    #[error("two layers are named {name:?}; expected each name once")]
    DuplicateLayer {
        /// The name.
        name: String,
    },
    /// A layer that is higher or lower than the first one.
    #[error("layer {layer:?} has {}; expected {expected}, as in the first layer", count(*rows, "row"))]
    LayerRows {
        /// The layer's name.
        layer: String,
        /// Rows in it.
        rows: usize,
        /// Rows in the first layer.
        expected: usize,
    },
    /// The list of rows is empty.
    #[error("the map has no rows; expected at least one row of at least one character")]
    NoRows,
    /// The first row is empty.
    #[error("row 1 is empty; expected at least one character")]
    EmptyRow,
    /// A row that is longer or shorter than the first one.
    #[error(
        "row {row}{} has {}; expected {expected}, as in row 1{}",
        of(layer), count(*length, "character"), first(layer)
    )]
    RaggedRow {
        /// The layer's name, if the map names its layers.
        layer: Option<String>,
        /// Which row, from 1 at the top.
        row: usize,
        /// Characters in it.
        length: usize,
        /// Characters in the first row.
        expected: usize,
    },
    /// A character in a row that the legend does not explain.
    #[error("unknown character {} in row {row}{}; {}", point(*character, like), of(layer), advice(like))]
    UnknownCharacter {
        /// The layer's name, if the map names its layers.
        layer: Option<String>,
        /// The character.
        character: char,
        /// Which row, from 1 at the top.
        row: usize,
        /// The character of the legend that it looks like, if there is one.
        like: Option<char>,
    },
    /// More cells than a map may have.
    #[error("{width} x {height} cells; expected at most {limit} and at least one")]
    Size {
        /// The most cells it may have.
        limit: u64,
        /// Columns.
        width: u64,
        /// Rows.
        height: u64,
    },
    /// A character that the file's legend explains twice.
    #[error("the legend has {character:?} twice; expected each character once")]
    DuplicateCharacter {
        /// The character.
        character: char,
    },
    /// A character that cannot be drawn, such as a line break.
    #[error("the legend explains the control character {character:?}; expected one that can be drawn in a row")]
    ControlCharacter {
        /// The character.
        character: char,
    },
    /// A character that nobody sees in a row, or that changes how its neighbours are shown.
    #[error(
        "the legend explains U+{:04X}, which cannot be seen in a row; expected a character that can",
        u32::from(*character)
    )]
    InvisibleCharacter {
        /// The character.
        character: char,
    },
    /// A character that looks like another one of the legend.
    #[error(
        "the legend has {character:?} (U+{:04X}), which looks like {other:?} (U+{:04X}); expected characters that can be \
         told apart",
        u32::from(*character), u32::from(*other)
    )]
    ConfusableCharacter {
        /// The character.
        character: char,
        /// The one that it looks like.
        other: char,
    },
    /// More marked tiles than a map may have, drawn and listed.
    #[error("{count} markers, drawn and listed; expected at most {limit}")]
    TooManyMarkers {
        /// How many there are.
        count: usize,
        /// The most it may have.
        limit: usize,
    },
    /// More values in properties than a map may have, lists and maps included.
    #[error("{count} values in properties; expected at most {limit}")]
    TooManyValues {
        /// How many there are.
        count: usize,
        /// The most it may have.
        limit: usize,
    },
    /// The path of a catalogue that may lie outside the map's folder.
    #[error(
        "catalogue {path:?} may lie outside the map's folder; expected a file in that folder or below it, as a path from \
         there with `/` and without `..`"
    )]
    CataloguePath {
        /// The path.
        path: String,
    },
    /// A catalogue in a file that a link puts outside the map's folder.
    #[error("catalogue {path:?} leads out of the map's folder; expected a file in it or below it")]
    CatalogueOutside {
        /// The path.
        path: String,
    },
    /// A map of another catalogue in a text without a folder to look for it.
    #[error(
        "the map names the catalogue {path:?}, which is looked for beside a map file; expected the map in a file, for \
         `Map::load`, or the catalogue given to `Map::from_ron_with`"
    )]
    NoFolder {
        /// The path.
        path: String,
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
    /// More legend entries than a map may have.
    #[error("{count} legend entries; expected at most {limit}")]
    TooManyEntries {
        /// The most it may have.
        limit: usize,
        /// How many there are.
        count: usize,
    },
    /// A tile in the legend that the catalogue does not know.
    #[error("legend entry {character:?}: {source}{}", hint(source, known))]
    UnknownTile {
        /// The character.
        character: char,
        /// What is wrong with the tile's name.
        source: VariantNameError,
        /// The names there are, if the pattern is unknown.
        known: Vec<String>,
    },
    /// A legend entry that a character may drop through, but that nobody can stand on from one side only.
    #[error(
        "legend entry {character:?}: `{tile}` cannot be dropped through; expected a tile of an open pattern, such as \
         \"ledge\""
    )]
    DropThrough {
        /// The character.
        character: char,
        /// Its tile.
        tile: String,
    },
    /// A marker whose name is the empty text.
    #[error("a marker has an empty name; expected at least one character")]
    NamelessMarker,
    /// A name that the list of markers has twice.
    #[error("the markers name {name:?} twice; expected one list of all its tiles")]
    DuplicateMarker {
        /// The name.
        name: String,
    },
    /// A tile that one name marks twice.
    #[error("marker {name:?} is at ({x}, {y}) twice; expected once, drawn or listed")]
    RepeatedMarker {
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
    MarkerOutside {
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
    /// A lower left cell too far out.
    #[error("the origin is ({x}, {y}); expected coordinates from -2^28 to 2^28")]
    OriginOutOfRange {
        /// Its x.
        x: i64,
        /// Its y.
        y: i64,
    },
    /// Tiles without size, or too large.
    #[error("{found} pixels per tile; expected 1 to {}", Map::MAX_PIXELS_PER_TILE)]
    PixelsPerTile {
        /// What the map says.
        found: i64,
    },
    /// A key that a map of properties has twice.
    #[error("the property {name:?} is there twice; expected each name once")]
    DuplicateProperty {
        /// The key.
        name: String,
    },
    /// A property that is NaN or infinite, or holds such a number.
    #[error("property {name:?}: a number is not finite; expected a finite one")]
    NotFinite {
        /// The property's name at the top.
        name: String,
    },
    /// A property that is an integer of more than 64 bits, or holds one.
    #[error("property {name:?}: an integer beyond 64 bits; expected -2^63 to 2^63 - 1, or a number with a point")]
    LargeInteger {
        /// The property's name at the top.
        name: String,
    },
    /// A property with lists and maps too deep in each other to be read back.
    #[error("property {name:?}: {depth} lists and maps in each other; expected at most {}", super::parts::MAX_DEPTH)]
    TooDeep {
        /// The property's name at the top.
        name: String,
        /// How many there are.
        depth: usize,
    },
    /// A map made by code whose legend does not begin with the empty cell.
    #[error("the legend's entry 0 is missing or has a variant; expected the empty cell")]
    NoEmptyEntry,
    /// A variant that the catalogue lacks.
    #[error("legend entry {character:?}: variant {}; the catalogue has {variants}", variant.0)]
    UnknownVariant {
        /// The character.
        character: char,
        /// The variant.
        variant: VariantId,
        /// How many the catalogue has.
        variants: usize,
    },
    /// A list of cells that does not fit the size.
    #[error("{found} cells; expected {expected}, width times height")]
    CellCount {
        /// Cells in the list.
        found: usize,
        /// Cells of a map of that size.
        expected: usize,
    },
    /// Cells of a map made by code given as one layer and in layers.
    #[error("{found} cells beside layers; expected cells or layers")]
    CellsAndLayers {
        /// Cells beside the layers.
        found: usize,
    },
    /// A layer that the map lacks.
    #[error("layer {layer}; the map has {layers}")]
    NoLayer {
        /// The layer's number, from 0.
        layer: usize,
        /// How many the map has.
        layers: usize,
    },
    /// A cell's entry that the legend lacks.
    #[error("legend entry {}; the legend has {entries}", entry.0)]
    UnknownEntry {
        /// The entry.
        entry: EntryId,
        /// How many the legend has.
        entries: usize,
    },
    /// A tile outside the map.
    #[error("tile ({x}, {y}) is outside the map")]
    OutsideMap {
        /// Its x.
        x: i32,
        /// Its y.
        y: i32,
    },
}
