use super::Replay;
use crate::body::BodyError;
use crate::catalogue::VariantNameError;
use crate::checksum::ChecksumError;
use crate::command::CommandError;
use crate::event::{BodyId, EventKind};
use crate::io::MapLoadError;
use crate::map::{CollisionLayerError, MapErrorKind, TileId};
use crate::motion::SlopeLimitError;
use crate::range::RangeError;
use crate::record::RecorderError;
use crate::text::{FormError, TextError};
use crate::told::{debug_is_display, named_variants};
use std::ops::Range;
use surefoot_geometry::PositionError;
use thiserror::Error;

/// Error in the text of a replay, with its line and column.
pub type ReplayError = TextError<ReplayErrorKind>;

/// Problem with the text of a replay, without its position.
#[derive(Error)]
#[non_exhaustive]
pub enum ReplayErrorKind {
    /// The text is not valid RON, or a field is missing, unknown or of the wrong type.
    #[error(transparent)]
    Form(#[from] FormError),
    /// The format number is not the one that this version reads.
    #[error("the replay has format {found}; expected format {}", Replay::FORMAT)]
    Format {
        /// Format number in the file.
        found: i64,
    },
    /// The physics version is out of range.
    #[error("the physics version is {found}; expected 1 to {}", u32::MAX)]
    Physics {
        /// Physics version in the file.
        found: i64,
    },
    /// The inline map is invalid.
    #[error(transparent)]
    Map(MapErrorKind),
    /// The path of the map leaves the replay's folder, or is not portable.
    #[error(
        "the map path {path:?} is not allowed; expected a path below the replay's folder with `/` between its parts"
    )]
    MapPath {
        /// The path.
        path: String,
    },
    /// The map is a file, but the replay was read from a text, so its folder is unknown.
    #[error(
        "the map is the file {path:?}, but the folder of the replay is unknown; expected an inline map, or use `Replay::load`"
    )]
    NoFolder {
        /// Path of the map.
        path: String,
    },
    /// The file of the map cannot be loaded.
    #[error("the map of the replay cannot be loaded: {source}")]
    MapFile {
        /// Reason why the map cannot be loaded.
        source: Box<MapLoadError>,
    },
    /// A checksum is not 16 hexadecimal digits.
    #[error(transparent)]
    Checksum(ChecksumError),
    /// A setting of the world is out of range.
    #[error(transparent)]
    Setting(RangeError),
    /// The setting `max_floor_slope`, the steepest slope that counts as floor, is invalid.
    #[error(transparent)]
    MaxFloorSlope(SlopeLimitError),
    /// A body has an empty name.
    #[error("the name of a body is empty; expected at least one character")]
    NamelessBody,
    /// Two bodies have the same name.
    #[error("two bodies have the name {name:?}; expected a unique name, also among removed bodies")]
    DuplicateBody {
        /// The name.
        name: String,
    },
    /// The replay has more than [`Replay::MAX_BODIES`] bodies.
    #[error("the replay has too many bodies; expected at most {}", Replay::MAX_BODIES)]
    TooManyBodies,
    /// The replay has more than [`Replay::MAX_COMMANDS`] commands.
    #[error("the replay has too many commands; expected at most {}", Replay::MAX_COMMANDS)]
    TooManyCommands,
    /// A body, a velocity or a position is invalid.
    #[error("body {name:?}: {error}")]
    Body {
        /// Name of the body.
        name: String,
        /// Problem with the body.
        #[source]
        error: BodyError,
    },
    /// The map has no collision layer of that name.
    #[error(transparent)]
    CollisionLayer(CollisionLayerError),
    /// A position in units is out of range.
    #[error("the position ({x}, {y}) in units of 2^-32 tile is out of range; expected coordinates from -2^61 to 2^61")]
    UnitsOutOfRange {
        /// X coordinate in units of 2^-32 tile.
        x: i64,
        /// Y coordinate in units of 2^-32 tile.
        y: i64,
    },
    /// The map has no marker of that name.
    #[error("the map has no marker {name:?}{}", crate::text::hint(name, known))]
    UnknownMarker {
        /// The name.
        name: String,
        /// Names of the map's markers.
        known: Vec<String>,
    },
    /// Below the marker there is no floor that the body can stand on.
    #[error(
        "marker {marker:?} has no floor below it that the body can stand on; expected a floor with room for the body"
    )]
    NoFloor {
        /// Name of the marker.
        marker: String,
    },
    /// The replay has no body of that name.
    #[error("the replay has no body {name:?}{}", crate::text::hint(name, known))]
    UnknownBody {
        /// The name.
        name: String,
        /// Names of the bodies spawned so far.
        known: Vec<String>,
    },
    /// A command or a position names a body that is not in the world at that tick.
    #[error("body {name:?} is not in the world at tick {tick}; expected a tick between its spawn and its removal")]
    AbsentBody {
        /// Name of the body.
        name: String,
        /// Tick of the command or of the checksums.
        tick: u64,
    },
    /// A checkpoint has two positions for the same body.
    #[error("body {name:?} has two positions in one entry of `checksums`; expected at most one")]
    DuplicatePosition {
        /// Name of the body.
        name: String,
    },
    /// The checksums of the replay have more than [`Replay::MAX_POSITIONS`] positions of bodies.
    #[error("the replay has too many positions; expected at most {} in all checksums", Replay::MAX_POSITIONS)]
    TooManyPositions,
    /// A line of `expect` is not an expectation.
    #[error("{text:?} is not an expectation{}", expected(meant.as_deref()))]
    Expectation {
        /// The line.
        text: String,
        /// Corrected line, if only a word seems misspelt.
        meant: Option<String>,
    },
    /// An expectation `before TICK` leaves no tick to check: the first check is after tick 1.
    #[error("no check comes before tick {found}; expected at least 2, since the first check is after tick 1")]
    BeforeAllTicks {
        /// Tick in the line.
        found: u64,
    },
    /// A command needs a character, but the body is not a character.
    #[error("body {name:?} is not a character; expected a body that was spawned with `character`")]
    NotACharacter {
        /// Name of the body.
        name: String,
    },
    /// The map has no platform of that name.
    #[error("the map has no platform {name:?}{}", crate::text::hint(name, known))]
    UnknownPlatform {
        /// The name.
        name: String,
        /// Names of the map's platforms.
        known: Vec<String>,
    },
    /// A command names a platform that was removed before.
    #[error("platform {name:?} is not in the world at tick {tick}; expected a tick before its removal")]
    AbsentPlatform {
        /// Name of the platform.
        name: String,
        /// Tick of the command.
        tick: u64,
    },
    /// The map has no area of that name.
    #[error("the map has no area {name:?}{}", crate::text::hint(name, known))]
    UnknownArea {
        /// The name.
        name: String,
        /// Names of the map's areas.
        known: Vec<String>,
    },
    /// A command names an area that was removed before, alone or with its platform.
    #[error(
        "area {name:?} is not in the world at tick {tick}; expected a tick before the removal of the area or its platform"
    )]
    AbsentArea {
        /// Name of the area.
        name: String,
        /// Tick of the command.
        tick: u64,
    },
    /// The position of a platform or an area is invalid.
    #[error("the position of {name:?} is invalid: {error}")]
    Platform {
        /// Name of the platform or the area.
        name: String,
        /// Problem with the position.
        #[source]
        error: PositionError,
    },
    /// The inputs of a body are listed twice.
    #[error("the inputs of {name:?} are listed twice; expected one list with all of them")]
    DuplicateInputs {
        /// Name of the body.
        name: String,
    },
    /// A run of inputs has no ticks, or more than [`Replay::MAX_TICKS`].
    #[error("the run of inputs has {found} ticks; expected 1 to {}", Replay::MAX_TICKS)]
    RunTicks {
        /// Number of ticks in the file.
        found: i64,
    },
    /// The walk input is out of range.
    #[error("`walk` is {found}; expected -127 to 127")]
    Walk {
        /// Value in the file.
        found: i64,
    },
    /// The number of ticks is negative, or more than [`Replay::MAX_TICKS`].
    #[error("the replay has {found} ticks; expected 0 to {}", Replay::MAX_TICKS)]
    Ticks {
        /// Number of ticks in the file.
        found: i64,
    },
    /// A tick is lower than the tick before it in the list. In a list of checksums, ticks also must not repeat.
    #[error("tick {found} comes after tick {before} in the list; expected ticks in rising order, here at least {min}")]
    TickOrder {
        /// The tick.
        found: i64,
        /// Tick of the entry before.
        before: u64,
        /// Lowest tick allowed here.
        min: u64,
    },
    /// A tick is outside the replay.
    #[error("tick {found} is outside the replay; expected {min} to {max}")]
    TickOutside {
        /// The tick.
        found: i64,
        /// Lowest tick allowed.
        min: u64,
        /// Highest tick allowed.
        max: i64,
    },
    /// A tile is outside the map.
    #[error(
        "tile ({x}, {y}) is outside the map; expected x from {} to {} and y from {} to {}",
        columns.start, columns.end - 1, rows.start, rows.end - 1
    )]
    TileOutside {
        /// Column of the tile.
        x: i64,
        /// Row of the tile.
        y: i64,
        /// Columns of the map.
        columns: Range<i64>,
        /// Rows of the map.
        rows: Range<i64>,
    },
    /// A command sets a tile outside the platform's tile layers.
    #[error("tile ({x}, {y}) is outside platform {name:?}; expected a tile of its layers")]
    TileOutsidePlatform {
        /// Column of the tile.
        x: i64,
        /// Row of the tile.
        y: i64,
        /// Name of the platform.
        name: String,
    },
    /// A command sets a tile in a layer that the platform does not have.
    #[error("platform {platform:?} has no layer {name:?}{}", crate::text::hint(name, known))]
    UnknownPlatformLayer {
        /// Name of the platform.
        platform: String,
        /// Name of the layer in the file.
        name: String,
        /// Names of the platform's tile layers.
        known: Vec<String>,
    },
    /// A command sets a tile in a layer that the map does not have.
    #[error("the map has no layer {name:?}{}", crate::text::hint(name, known))]
    UnknownLayer {
        /// Name of the layer in the file.
        name: String,
        /// Names of the map's tile layers.
        known: Vec<String>,
    },
    /// A command sets a tile whose text is neither a symbol of the legend nor the name of a tile.
    #[error("{name:?} is neither a symbol of the map's legend nor a tile: {source}{}", crate::map::hint(source, known))]
    UnknownTile {
        /// Text in the file.
        name: String,
        /// Problem with the text as the name of a tile.
        source: VariantNameError,
        /// Names of the catalogue's patterns, if the pattern is unknown.
        known: Vec<String>,
    },
    /// A command sets a tile for which the map's legend has no symbol.
    #[error(
        "the map's legend has no symbol for {name:?}; expected a tile of the legend; add it to `legend` in the map"
    )]
    NotInLegend {
        /// Name of the tile.
        name: String,
    },
}

named_variants! {
    ReplayErrorKind:
        Form Format Physics Map MapPath NoFolder MapFile Checksum Setting MaxFloorSlope NamelessBody DuplicateBody
        TooManyBodies TooManyCommands Body CollisionLayer UnitsOutOfRange UnknownMarker NoFloor UnknownBody
        AbsentBody DuplicatePosition TooManyPositions Expectation BeforeAllTicks NotACharacter UnknownPlatform
        AbsentPlatform UnknownArea AbsentArea Platform DuplicateInputs RunTicks Walk Ticks TickOrder TickOutside
        TileOutside TileOutsidePlatform UnknownPlatformLayer UnknownLayer UnknownTile NotInLegend
}

/// The end of a message on an invalid expectation.
fn expected(meant: Option<&str>) -> String {
    match meant {
        Some(meant) => format!("; did you mean `{meant}`?"),
        None => format!(
            "; expected `NAME at MARKER before TICK`, `NAME on_floor at TICK`, `EVENT COUNT` or \
             `NAME EVENT COUNT`; the events are {}",
            EventKind::NAMES.join(", ")
        ),
    }
}

/// Error of making a replay from a recording.
#[derive(Error)]
#[non_exhaustive]
pub enum ToReplayError {
    /// The recorder could not finish the recording.
    #[error(transparent)]
    Record(#[from] RecorderError),
    /// The recording starts with a saved state instead of a new world.
    #[error(
        "the recording starts from a saved state at tick {tick}; expected a recording that starts with a new world"
    )]
    NotNew {
        /// Tick of the saved state.
        tick: u64,
    },
    /// The world on this map refuses a command of the recording.
    #[error("the command at tick {tick} is refused: {error}")]
    Command {
        /// Number of ticks stepped before the command.
        tick: u64,
        /// Reason why the command is refused.
        #[source]
        error: CommandError,
    },
    /// A command sets a tile kind that cannot be named in the text, because the map is in a file.
    #[error(
        "the command at tick {tick} sets the tile kind {tile_id:?}, which has no symbol in the map's file and is not the first kind of its tile; expected a kind with a symbol, or an inline map"
    )]
    NamelessTile {
        /// Number of ticks stepped before the command.
        tick: u64,
        /// The tile kind.
        tile_id: TileId,
    },
    /// A command spawns a platform. The platforms of a replay come from its map.
    #[error(
        "code spawned a platform before tick {tick}; expected all platforms in the map, since a replay cannot spawn one"
    )]
    SpawnedPlatform {
        /// Number of ticks stepped before the command.
        tick: u64,
    },
    /// A command is for a platform of the map that has no name.
    #[error(
        "the command at tick {tick} is for a platform without a name; expected a platform that is named in the map"
    )]
    NamelessPlatform {
        /// Number of ticks stepped before the command.
        tick: u64,
    },
    /// A command spawns an area or replaces its definition. The areas of a replay come from its map.
    #[error(
        "code spawned or changed an area before tick {tick}; expected all areas in the map, since a replay cannot spawn one"
    )]
    SpawnedArea {
        /// Number of ticks stepped before the command.
        tick: u64,
    },
    /// A command is for an area of the map that has no name.
    #[error("the command at tick {tick} is for an area without a name; expected an area that is named in the map")]
    NamelessArea {
        /// Number of ticks stepped before the command.
        tick: u64,
    },
    /// A body was named that was never in the recorded world.
    #[error("body {0:?} has a name but was never in the recorded world; expected a body that was spawned")]
    NoSuchBody(BodyId),
    /// The replay would have more than [`Replay::MAX_BODIES`] bodies.
    #[error("the recording has too many bodies for a replay; expected at most {}", Replay::MAX_BODIES)]
    TooManyBodies,
    /// The replay would have more than [`Replay::MAX_COMMANDS`] commands.
    #[error("the recording has too many commands for a replay; expected at most {}", Replay::MAX_COMMANDS)]
    TooManyCommands,
    /// The path of the map leaves the replay's folder, or is not portable.
    #[error(
        "the map path {path:?} is not allowed; expected a path below the replay's folder with `/` between its parts"
    )]
    MapPath {
        /// The path.
        path: String,
    },
    /// The map uses its own catalogue, and the map would be inline or its file does not name the catalogue.
    #[error(
        "the map has its own catalogue, which a replay cannot contain; expected the built-in catalogue, or a map file that names its own"
    )]
    OtherCatalogue,
}

debug_is_display!(ToReplayError);
