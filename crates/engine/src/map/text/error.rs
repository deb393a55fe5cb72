use super::words::{advice, count, hint, of, point};
use super::{
    CataloguePathError, CollisionLayerError, Map, MapAreaError, MapPartsError, MapPlatformError, MarkerError,
    PixelsError, PropertyError, TileLayerError,
};
use crate::catalogue::VariantNameError;
use crate::range::RangeError;
use crate::text::{FormError, TextError};
use crate::told::named_variants;
use thiserror::Error;

/// An error in the text of a map, with its line and column.
pub type MapError = TextError<MapErrorKind>;

/// Kinds of errors in the text of a map. Rows count from 1 at the top.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MapErrorKind {
    /// The text does not have the form of a map, such as an unknown field.
    #[error(transparent)]
    Form(#[from] FormError),
    /// This version of the engine does not read the file's format.
    #[error("the map has format {found}; expected format {}", Map::FORMAT)]
    Format {
        /// The format of the file.
        found: i64,
    },
    /// The map has neither `tiles` nor `layers`.
    #[error("the map has neither `tiles` nor `layers`; expected one of the two")]
    NoTiles,
    /// The map has both `tiles` and `layers`.
    #[error("the map has both `tiles` and `layers`; expected one of the two")]
    TilesAndLayers,
    /// The list of rows is empty.
    #[error("the list of rows is empty; expected at least one row of at least one symbol")]
    NoRows,
    /// The first row is empty.
    #[error("row 1 is empty; expected at least one symbol")]
    EmptyRow,
    /// A row is longer or shorter than the first row.
    #[error(
        "row {row}{} has {}; expected {expected}, as in row 1",
        of(layer), count(*length, "symbol")
    )]
    RaggedRow {
        /// Name of the tile layer, if the map names its layers.
        layer: Option<String>,
        /// The row, from 1 at the top.
        row: usize,
        /// Number of symbols in the row.
        length: usize,
        /// Number of symbols in the first row.
        expected: usize,
    },
    /// The legend has no entry for a symbol in a row.
    #[error("unknown symbol {} in row {row}{}; {}", point(*symbol, like), of(layer), advice(*symbol, like))]
    UnknownSymbol {
        /// Name of the tile layer, if the map names its layers.
        layer: Option<String>,
        /// The symbol.
        symbol: char,
        /// The row, from 1 at the top.
        row: usize,
        /// A symbol of the legend that looks like `symbol`, if there is one.
        like: Option<char>,
    },
    /// The legend has a symbol twice.
    #[error("the legend has {symbol:?} twice; expected each symbol once")]
    DuplicateSymbol {
        /// The symbol.
        symbol: char,
    },
    /// The legend has a control character, such as a line break.
    #[error("the legend has the control character {symbol:?}; expected a visible symbol")]
    ControlSymbol {
        /// The character.
        symbol: char,
    },
    /// The legend has a character that is invisible in a row, or that changes the direction of its neighbours.
    #[error(
        "the legend has the invisible character U+{:04X}; expected a visible symbol",
        u32::from(*symbol)
    )]
    InvisibleSymbol {
        /// The character.
        symbol: char,
    },
    /// The legend has two symbols that look alike.
    #[error(
        "the legend has {symbol:?} (U+{:04X}), which looks like {other:?} (U+{:04X}); expected symbols that can be \
         told apart",
        u32::from(*symbol), u32::from(*other)
    )]
    ConfusableSymbol {
        /// The symbol.
        symbol: char,
        /// The symbol that looks like `symbol`.
        other: char,
    },
    /// The catalogue's file is a link out of the map's folder.
    #[error("catalogue {path:?} is a link out of the map's folder; expected a file in that folder or below it")]
    CatalogueOutside {
        /// Path of the catalogue.
        path: String,
    },
    /// A text without a folder names a catalogue file.
    #[error(
        "the map names the catalogue file {path:?}, but the map is a text without a folder to search; expected a map \
         without `catalogue`; or load the map from a file with `Map::load`, or pass the catalogue to `Map::from_ron_with`"
    )]
    NoFolder {
        /// Path of the catalogue.
        path: String,
    },
    /// The legend has too many entries: a map has at most [`Map::MAX_KINDS`] tile kinds.
    #[error("the legend has {count} entries; expected at most {limit}")]
    TooManyEntries {
        /// Maximum number of entries.
        limit: usize,
        /// Number of entries found.
        count: usize,
    },
    /// The catalogue has no tile of this name.
    #[error("legend entry {symbol:?}: {source}{}", hint(source, known))]
    UnknownTile {
        /// The symbol of the legend entry.
        symbol: char,
        /// The error in the tile's name.
        source: VariantNameError,
        /// Names of all patterns, if the pattern is unknown.
        known: Vec<String>,
    },
    /// `drop_through` is set for a tile without one-way edges.
    #[error(
        "legend entry {symbol:?}: bodies cannot drop through `{tile}`, because it is not one-way; expected a tile of a \
         pattern with `kind: Open`, such as \"one_way\""
    )]
    DropThrough {
        /// The symbol of the legend entry.
        symbol: char,
        /// Name of the tile.
        tile: String,
    },
    /// `ignored_by` is set for a tile without one-way edges.
    #[error(
        "legend entry {symbol:?}: `ignored_by` is set for `{tile}`, which is not one-way; expected a tile of a pattern \
         with `kind: Open`, such as \"one_way\""
    )]
    IgnoredBy {
        /// The symbol of the legend entry.
        symbol: char,
        /// Name of the tile.
        tile: String,
    },
    /// `ignored_by` has a collision layer that the map does not have.
    #[error("legend entry {symbol:?}: {source}")]
    CollisionLayer {
        /// The symbol of the legend entry.
        symbol: char,
        /// The unknown name.
        source: CollisionLayerError,
    },
    /// A number of the material is out of range.
    #[error("legend entry {symbol:?}: {source}")]
    Material {
        /// The symbol of the legend entry.
        symbol: char,
        /// The number.
        source: RangeError,
    },
    /// `markers` has a name twice.
    #[error("`markers` has the name {name:?} twice; expected one entry with all cells of the marker")]
    DuplicateMarker {
        /// The name.
        name: String,
    },
    /// A property occurs twice.
    #[error("property {name:?} occurs twice; expected each name once")]
    DuplicateProperty {
        /// Name of the property.
        name: String,
    },
    /// An integer in a property has more than 64 bits.
    #[error("property {name:?} has an integer beyond 64 bits; expected -2^63 to 2^63 - 1, or a number with a point")]
    LargeInteger {
        /// Name of the outermost property.
        name: String,
    },
    /// A platform's rows have a symbol that places a marker.
    #[error("marker {name:?} is drawn on a platform; expected tiles only, since markers cannot move with a platform")]
    MarkerOnPlatform {
        /// Name of the marker.
        name: String,
    },
    /// A path or a circle has neither `speed` nor `period`.
    #[error("the motion has neither `speed` nor `period`; expected one of the two")]
    NoSpeedOrPeriod,
    /// A path or a circle has both `speed` and `period`.
    #[error("the motion has both `speed` and `period`; expected one of the two")]
    SpeedAndPeriod,
    /// A part of the map is invalid. [`Map::from_parts`] refuses the same parts.
    #[error(transparent)]
    Parts(#[from] MapPartsError),
}

named_variants! {
    MapErrorKind:
        Form Format NoTiles TilesAndLayers NoRows EmptyRow RaggedRow UnknownSymbol DuplicateSymbol ControlSymbol
        InvisibleSymbol ConfusableSymbol CatalogueOutside NoFolder TooManyEntries UnknownTile DropThrough
        IgnoredBy CollisionLayer Material DuplicateMarker DuplicateProperty LargeInteger MarkerOnPlatform
        NoSpeedOrPeriod SpeedAndPeriod Parts
}

/// What a check of a map's part refuses is wrong with the text too.
macro_rules! from_parts {
    ($($part:ident)+) => {
        $(impl From<$part> for MapErrorKind {
            fn from(error: $part) -> MapErrorKind {
                MapErrorKind::Parts(error.into())
            }
        })+
    };
}

from_parts!(CollisionLayerError TileLayerError MarkerError PropertyError PixelsError CataloguePathError MapPlatformError MapAreaError);
