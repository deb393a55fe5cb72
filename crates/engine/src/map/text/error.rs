use super::words::{advice, count, hint, of, point};
use super::{
    CataloguePathError, CollisionLayerError, Map, MapAreaError, MapPartsError, MapPlatformError, MarkerError,
    PixelsError, PropertyError, TileLayerError,
};
use crate::catalogue::VariantNameError;
use crate::range::RangeError;
use crate::text::{FormError, TextError};
use thiserror::Error;

/// What is wrong with the text of a map, and where.
pub type MapError = TextError<MapErrorKind>;

/// What can be wrong with the text of a map.
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
    #[error("there are `tiles` and `layers`; expected one of the two")]
    TilesAndLayers,
    /// The list of rows is empty.
    #[error("there are no rows; expected at least one row of at least one character")]
    NoRows,
    /// The first row is empty.
    #[error("row 1 is empty; expected at least one character")]
    EmptyRow,
    /// A row that is longer or shorter than the first one.
    #[error(
        "row {row}{} has {}; expected {expected}, as in row 1",
        of(layer), count(*length, "character")
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
    #[error("unknown character {} in row {row}{}; {}", point(*symbol, like), of(layer), advice(like))]
    UnknownSymbol {
        /// The layer's name, if the map names its layers.
        layer: Option<String>,
        /// The character.
        symbol: char,
        /// Which row, from 1 at the top.
        row: usize,
        /// The character of the legend that it looks like, if there is one.
        like: Option<char>,
    },
    /// A character that the file's legend explains twice.
    #[error("the legend has {symbol:?} twice; expected each character once")]
    DuplicateSymbol {
        /// The character.
        symbol: char,
    },
    /// A character that cannot be drawn, such as a line break.
    #[error("the legend explains the control character {symbol:?}; expected one that can be drawn in a row")]
    ControlSymbol {
        /// The character.
        symbol: char,
    },
    /// A character that cannot be seen in a row, or that changes how its neighbours are shown.
    #[error(
        "the legend explains U+{:04X}, which cannot be seen in a row; expected a character that can",
        u32::from(*symbol)
    )]
    InvisibleSymbol {
        /// The character.
        symbol: char,
    },
    /// A character that looks like another one of the legend.
    #[error(
        "the legend has {symbol:?} (U+{:04X}), which looks like {other:?} (U+{:04X}); expected characters that can be \
         told apart",
        u32::from(*symbol), u32::from(*other)
    )]
    ConfusableSymbol {
        /// The character.
        symbol: char,
        /// The one that it looks like.
        other: char,
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
    /// More legend entries than a map may have.
    #[error("{count} legend entries; expected at most {limit}")]
    TooManyEntries {
        /// The most it may have.
        limit: usize,
        /// How many there are.
        count: usize,
    },
    /// A tile in the legend that the catalogue does not know.
    #[error("legend entry {symbol:?}: {source}{}", hint(source, known))]
    UnknownTile {
        /// The character.
        symbol: char,
        /// What is wrong with the tile's name.
        source: VariantNameError,
        /// The names there are, if the pattern is unknown.
        known: Vec<String>,
    },
    /// A legend entry to be dropped through that has no edge which stops bodies from one side only.
    #[error(
        "legend entry {symbol:?}: `{tile}` cannot be dropped through; expected a tile of an open pattern, such as \
         \"one_way\""
    )]
    DropThrough {
        /// The character.
        symbol: char,
        /// Its tile.
        tile: String,
    },
    /// A legend entry that lets bodies pass and has no edge which stops bodies from one side only.
    #[error(
        "legend entry {symbol:?}: `{tile}` cannot let bodies pass; expected a tile of an open pattern, such as \"one_way\""
    )]
    IgnoredBy {
        /// The character.
        symbol: char,
        /// Its tile.
        tile: String,
    },
    /// A legend entry that lets bodies of a collision layer pass that the map lacks.
    #[error("legend entry {symbol:?}: {source}")]
    CollisionLayer {
        /// The character.
        symbol: char,
        /// The name.
        source: CollisionLayerError,
    },
    /// A number of a legend entry's surface that is out of range.
    #[error("legend entry {symbol:?}: {source}")]
    Material {
        /// The character.
        symbol: char,
        /// The number.
        source: RangeError,
    },
    /// A name that the list of markers has twice.
    #[error("the markers name {name:?} twice; expected one list of all its tiles")]
    DuplicateMarker {
        /// The name.
        name: String,
    },
    /// A key that a map of properties has twice.
    #[error("the property {name:?} is there twice; expected each name once")]
    DuplicateProperty {
        /// The key.
        name: String,
    },
    /// A property that is an integer of more than 64 bits, or holds one.
    #[error("property {name:?}: an integer beyond 64 bits; expected -2^63 to 2^63 - 1, or a number with a point")]
    LargeInteger {
        /// The property's name at the top.
        name: String,
    },
    /// A character that places a marker in the rows of a platform.
    #[error("marker {name:?} is drawn on a platform; expected tiles only, since markers do not move")]
    MarkerOnPlatform {
        /// The marker's name.
        name: String,
    },
    /// A path or a circle that does not say how fast it is.
    #[error("the motion has neither `speed` nor `period`; expected one of the two")]
    NoSpeedOrPeriod,
    /// A path or a circle that says twice how fast it is.
    #[error("the motion has `speed` and `period`; expected one of the two")]
    SpeedAndPeriod,
    /// What parts made by code could not be either: the table of collision layers, a layer, a marker, a property, pixels, the path of a catalogue, a
    /// platform or an area.
    #[error(transparent)]
    Parts(#[from] MapPartsError),
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
