use super::super::error::platform_name_text;
use super::DrawnPlatformError;
use super::words::{inside_advice, layer_suffix, pattern_name_hint, symbol_with_code_point, unknown_symbol_advice};
use super::{
    CataloguePathError, CollisionLayerError, Map, MapAreaError, MapBodyError, MapPartsError, MapPlatformError,
    MarkerError, PixelsError, PropertyError, TileLayerError,
};
use crate::catalogue::VariantNameError;
use crate::range::RangeError;
use crate::text::{FormError, TextError};
use crate::told::{count_with_name, named_variants};
use thiserror::Error;

/// Error in the text of a map, with its line and column.
pub type MapError = TextError<MapErrorKind>;

/// Problem with the text of a map. [`MapError`] adds line and column. Rows of tiles count from 1 at the top.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MapErrorKind {
    /// The text is not RON, or is not a map: for example, a field is unknown or has the wrong type.
    #[error(transparent)]
    Form(#[from] FormError),
    /// The field `format` has a number that this version of the engine cannot read.
    #[error("the map has format {found}; expected format {}", Map::FORMAT)]
    Format {
        /// Number in the field `format`.
        found: i64,
    },
    /// The map has neither `tiles` (rows of one tile layer) nor `layers` (a list of tile layers).
    #[error("the map has neither `tiles` nor `layers`; expected one of the two")]
    NoTiles,
    /// The map has both `tiles` (rows of one tile layer) and `layers` (a list of tile layers).
    #[error("the map has both `tiles` and `layers`; expected one of the two")]
    TilesAndLayers,
    /// The list of rows of a tile layer is empty.
    #[error("the list of rows is empty; expected at least one row of at least one symbol")]
    NoRows,
    /// The first row of a tile layer is empty.
    #[error("row 1 is empty; expected at least one symbol")]
    EmptyRow,
    /// A row of tiles has more or fewer symbols than the first row of its tile layer.
    #[error(
        "row {row}{} has {}; expected {expected}, as in row 1",
        layer_suffix(layer), count_with_name(*length, "symbol")
    )]
    RaggedRow {
        /// Name of the tile layer. `None` if the map has a single tile layer without a name, in the field `tiles`.
        layer: Option<String>,
        /// Number of the row, from 1 at the top.
        row: usize,
        /// Number of symbols in this row.
        length: usize,
        /// Number of symbols in the first row.
        expected: usize,
    },
    /// A row has a symbol that is neither in the map's legend nor in the built-in legend.
    #[error("unknown symbol {} in row {row}{}; {}", symbol_with_code_point(*symbol, like), layer_suffix(layer), unknown_symbol_advice(*symbol, like))]
    UnknownSymbol {
        /// Name of the tile layer. `None` if the map has a single tile layer without a name, in the field `tiles`.
        layer: Option<String>,
        /// The unknown symbol.
        symbol: char,
        /// Number of the row, from 1 at the top.
        row: usize,
        /// Suggestion: a symbol of the legend that looks like the unknown symbol. `None` if no symbol does.
        like: Option<char>,
    },
    /// The legend, which says what each symbol stands for, has two entries for the same symbol.
    #[error("the legend has {symbol:?} twice; expected each symbol once")]
    DuplicateSymbol {
        /// The symbol that occurs twice.
        symbol: char,
    },
    /// A symbol of the legend is a control character, such as a line break.
    #[error("the legend has the control character {symbol:?}; expected a visible symbol")]
    ControlSymbol {
        /// The control character.
        symbol: char,
    },
    /// A symbol of the legend is invisible in a row, or changes the writing direction of the symbols next to it.
    #[error(
        "the legend has the invisible character U+{:04X}; expected a visible symbol",
        u32::from(*symbol)
    )]
    InvisibleSymbol {
        /// The invisible character.
        symbol: char,
    },
    /// Two symbols of the legend (the list of what each symbol stands for) look alike, such as a Latin and a Cyrillic
    /// `a`.
    #[error(
        "the legend has {symbol:?} (U+{:04X}), which looks like {other:?} (U+{:04X}); expected symbols that can be \
         told apart",
        u32::from(*symbol), u32::from(*other)
    )]
    ConfusableSymbol {
        /// The second of the two symbols in the legend.
        symbol: char,
        /// The other symbol, which looks like `symbol`.
        other: char,
    },
    /// The file of the catalogue (tile shapes) is a symbolic link to a file outside the map's folder.
    #[error("catalogue {path:?} is a link out of the map's folder; expected a file in that folder or below it")]
    CatalogueOutside {
        /// Path of the catalogue's file, as written in the map.
        path: String,
    },
    /// The map names a catalogue file (tile shapes), but was read from a text. So the folder of that file is unknown.
    ///
    /// Load such a map with [`Map::load`], or pass the catalogue to [`Map::from_ron_with`].
    #[error(
        "the map names the catalogue file {path:?}, but the map is a text without a folder to search; expected a map \
         without `catalogue`; or load the map from a file with `Map::load`, or pass the catalogue to `Map::from_ron_with`"
    )]
    NoFolder {
        /// Path of the catalogue's file, as written in the map.
        path: String,
    },
    /// The legend, which says what each symbol stands for, has too many entries. A map has at most [`Map::MAX_KINDS`]
    /// tile kinds.
    #[error("the legend has {count} entries; expected at most {limit}")]
    TooManyEntries {
        /// Maximum number of entries.
        limit: usize,
        /// Number of entries in the legend.
        count: usize,
    },
    /// An entry of the legend, which says what each symbol stands for, names a tile that the catalogue does not have.
    #[error("legend entry {symbol:?}: {source}{}", pattern_name_hint(source, known))]
    UnknownTile {
        /// The symbol of the legend entry.
        symbol: char,
        /// Reason why the name is not a tile of the catalogue.
        source: VariantNameError,
        /// Names of all patterns (tile shapes) of the catalogue if the pattern is unknown; otherwise empty.
        known: Vec<String>,
    },
    /// `drop_through` is set for a tile that is not one-way. Characters can drop only through one-way tiles.
    #[error(
        "legend entry {symbol:?}: bodies cannot drop through `{tile}`, because it is not one-way; expected a tile of a \
         pattern with `kind: Open`, such as \"one_way\""
    )]
    DropThrough {
        /// The symbol of the legend entry.
        symbol: char,
        /// Name of the tile in the legend entry.
        tile: String,
    },
    /// `ignored_by` is set for a tile that is not one-way. Only one-way tiles can let the bodies of some collision
    /// layers pass.
    #[error(
        "legend entry {symbol:?}: `ignored_by` is set for `{tile}`, which is not one-way; expected a tile of a pattern \
         with `kind: Open`, such as \"one_way\""
    )]
    IgnoredBy {
        /// The symbol of the legend entry.
        symbol: char,
        /// Name of the tile in the legend entry.
        tile: String,
    },
    /// `ignored_by` of a legend entry names a collision layer (group of bodies) that is not in the map's list
    /// `collision_layers`.
    #[error("legend entry {symbol:?}: {source}")]
    CollisionLayer {
        /// The symbol of the legend entry.
        symbol: char,
        /// The unknown name, and the names in the list.
        source: CollisionLayerError,
    },
    /// A number in the `material` of a legend entry, such as the friction, is out of range.
    #[error("legend entry {symbol:?}: {source}")]
    Material {
        /// The symbol of the legend entry.
        symbol: char,
        /// The number that is out of range, and its range.
        source: RangeError,
    },
    /// `inside` of a legend entry names a symbol without a joined area, or the entry has a joined area itself.
    #[error("legend entry {symbol:?}: {}", inside_advice(*inside, joined))]
    Inside {
        /// The symbol of the legend entry.
        symbol: char,
        /// The symbol in `inside`.
        inside: char,
        /// The symbols with joined areas. Empty if the entry has a joined area itself.
        joined: Vec<char>,
    },
    /// The area of a legend entry has the same tag as the joined area in `inside`, or both have none. Two areas of a
    /// cell would then have the same name.
    #[error(
        "legend entry {symbol:?}: its area and the area of {inside:?} would both be named {name:?} with the cell; expected \
         another `tag`"
    )]
    InsideName {
        /// The symbol of the legend entry.
        symbol: char,
        /// The symbol in `inside`.
        inside: char,
        /// First word of both names: the tag, or `area` without one.
        name: String,
    },
    /// The list `markers` has the same name twice.
    #[error("`markers` has the name {name:?} twice; expected one entry with all cells of the marker")]
    DuplicateMarker {
        /// Name of the repeated marker.
        name: String,
    },
    /// A property (data for your game) occurs twice: in the properties of the map, of a legend entry, or in a map
    /// inside a property.
    #[error("property {name:?} occurs twice; expected each name once")]
    DuplicateProperty {
        /// Name of the property that occurs twice.
        name: String,
    },
    /// An integer in a property (data for your game) does not fit into 64 bits.
    #[error("property {name:?} has an integer beyond 64 bits; expected -2^63 to 2^63 - 1, or a number with a point")]
    LargeInteger {
        /// Name of the property. For an integer in a nested map: name of the property that contains that map.
        name: String,
    },
    /// The rows of a platform have a symbol that places a marker (a named tile). Markers can only be in the rows of the
    /// map itself.
    #[error("marker {name:?} is drawn on a platform; expected tiles only, since markers cannot move with a platform")]
    MarkerOnPlatform {
        /// Name of the marker that the symbol places.
        name: String,
    },
    /// The path or circle of a platform has neither `speed` nor `period`.
    #[error("the motion has neither `speed` nor `period`; expected one of the two")]
    NoSpeedOrPeriod,
    /// The path or circle of a platform has both `speed` and `period`.
    #[error("the motion has both `speed` and `period`; expected one of the two")]
    SpeedAndPeriod,
    /// The field `cells` of a platform, which says that the platform is drawn in the rows of the map, is invalid.
    #[error("{}: {error}", platform_name_text(name))]
    DrawnPlatform {
        /// Name of the platform; empty if it has none.
        name: String,
        /// Reason why the field is invalid.
        #[source]
        error: DrawnPlatformError,
    },
    /// The area of a legend entry has both `shape` and `join: true`, whose shape is the rectangle of the joined cells.
    #[error("the area has both `shape` and `join: true`; expected one of the two")]
    ShapeAndJoin,
    /// The text can be read, but the map that it describes is invalid: for example, two platforms have the same name.
    /// [`Map::from_parts`] returns the same error for a map made by code.
    #[error(transparent)]
    Parts(#[from] MapPartsError),
}

named_variants! {
    MapErrorKind:
        Form Format NoTiles TilesAndLayers NoRows EmptyRow RaggedRow UnknownSymbol DuplicateSymbol ControlSymbol
        InvisibleSymbol ConfusableSymbol CatalogueOutside NoFolder TooManyEntries UnknownTile DropThrough
        IgnoredBy CollisionLayer Material Inside InsideName DuplicateMarker DuplicateProperty LargeInteger MarkerOnPlatform
        NoSpeedOrPeriod SpeedAndPeriod DrawnPlatform ShapeAndJoin Parts
}

/// Converts errors of a map's part into errors of its text.
macro_rules! from_parts {
    ($($part:ident)+) => {
        $(impl From<$part> for MapErrorKind {
            fn from(error: $part) -> MapErrorKind {
                MapErrorKind::Parts(error.into())
            }
        })+
    };
}

from_parts!(CollisionLayerError TileLayerError MarkerError PropertyError PixelsError CataloguePathError MapPlatformError MapAreaError MapBodyError);
