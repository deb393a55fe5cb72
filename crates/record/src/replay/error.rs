use super::Replay;
use crate::body::BodyError;
use crate::catalogue::VariantNameError;
use crate::checksum::{ChecksumError, PHYSICS_VERSION};
use crate::command::CommandError;
use crate::event::EventKind;
use crate::io::MapLoadError;
use crate::map::{CollisionLayerError, MapErrorKind, TileId};
use crate::motion::SlopeLimitError;
use crate::range::RangeError;
use crate::record::RecorderError;
use crate::text::{FormError, TextError};
use crate::tiles::map::UNITS;
use crate::told::{debug_is_display, named_variants};
use std::ops::Range;
use surefoot_geometry::PositionError;
use thiserror::Error;

/// Error in the text of a replay, with its line and column.
pub type ReplayError = TextError<ReplayErrorKind>;

/// Problem with the text of a replay. [`ReplayError`] adds line and column.
#[derive(Error)]
#[non_exhaustive]
pub enum ReplayErrorKind {
    /// The text is not RON, or is not a replay: for example, a field is unknown, missing or of the wrong type.
    #[error(transparent)]
    Form(#[from] FormError),
    /// The field `format` has a number that this version of the engine cannot read.
    #[error("the replay has format {found}; expected format {}", Replay::FORMAT)]
    Format {
        /// Number in the field `format`.
        found: i64,
    },
    /// The field `physics`, the version of the physics that recorded the run, is not a possible version number.
    #[error(
        "no engine has physics version {found}; expected a positive number; this engine has version {PHYSICS_VERSION}"
    )]
    Physics {
        /// Number in the field `physics`.
        found: i64,
    },
    /// The map in the text of the replay is invalid, or an area or a platform that a command spawns.
    #[error(transparent)]
    Map(MapErrorKind),
    /// The world refuses a command in every run. For example, another area in the world has the same name.
    #[error(transparent)]
    Command(CommandError),
    /// The path of the map's file leads out of the replay's folder, or is not possible on every operating system.
    #[error(
        "the map path {path:?} is not allowed; expected a path below the replay's folder with `/` between its parts"
    )]
    MapPath {
        /// Path of the map's file.
        path: String,
    },
    /// The map is a file, but the replay was read from a text, so its folder is unknown. Use [`Replay::load`].
    #[error(
        "the map is the file {path:?}, but the folder of the replay is unknown; expected an inline map, or use `Replay::load`"
    )]
    NoFolder {
        /// Path of the map's file.
        path: String,
    },
    /// The file with the map cannot be loaded.
    #[error("the map of the replay cannot be loaded: {source}")]
    MapFile {
        /// Reason why the map cannot be loaded.
        source: Box<MapLoadError>,
    },
    /// A checksum is not a text of 16 hexadecimal digits.
    #[error("`{field}` is {:?}; expected {} of 16 hexadecimal digits", error.text, describe_checksum_field(field))]
    Checksum {
        /// Name of the field with that text.
        field: &'static str,
        /// Error of parsing the text as a checksum.
        error: ChecksumError,
    },
    /// A setting of the world, such as the length of a tick, is out of range.
    #[error(transparent)]
    Setting(RangeError),
    /// The world setting `max_floor_slope` is invalid. It is the steepest slope that counts as floor.
    #[error(transparent)]
    MaxFloorSlope(SlopeLimitError),
    /// The name of a body is empty.
    #[error("the name of a body is empty; expected at least one character")]
    NamelessBody,
    /// Two bodies have the same name. Names must be unique even if one of the bodies was removed before.
    #[error("two bodies have the name {name:?}; expected a unique name, also among removed bodies")]
    DuplicateBody {
        /// Name that both bodies have.
        name: String,
    },
    /// The replay has more than [`Replay::MAX_BODIES`] bodies.
    #[error("the replay has too many bodies; expected at most {}", Replay::MAX_BODIES)]
    TooManyBodies,
    /// The replay has more than [`Replay::MAX_COMMANDS`] commands.
    #[error("the replay has too many commands; expected at most {}", Replay::MAX_COMMANDS)]
    TooManyCommands,
    /// A body is invalid, or a command gives a body an invalid velocity or position: for example, a number is out of
    /// range.
    #[error("body {name:?}: {error}")]
    Body {
        /// Name of the body.
        name: String,
        /// Reason why the body, position or velocity is invalid.
        #[source]
        error: BodyError,
    },
    /// A body names a collision layer (a group of bodies) that the map does not have.
    #[error(transparent)]
    CollisionLayer(CollisionLayerError),
    /// A position that is written in units (2^-32 tile) is out of range.
    #[error("the position ({x}, {y}) in units is out of range; expected coordinates from {UNITS}")]
    UnitsOutOfRange {
        /// The x coordinate in units of 2^-32 tile.
        x: i64,
        /// The y coordinate in units of 2^-32 tile.
        y: i64,
    },
    /// A position or an expectation names a marker (a named tile) that the map does not have.
    #[error("the map has no marker {name:?}{}", crate::text::name_hint(name, known))]
    UnknownMarker {
        /// Name of the unknown marker.
        name: String,
        /// Names of all markers of the map.
        known: Vec<String>,
    },
    /// A body is placed on the floor below a marker (named tile), but no floor there has room for the body to stand.
    #[error(
        "marker {marker:?} has no floor below it that the body can stand on; expected a floor with room for the body"
    )]
    NoFloor {
        /// Name of the marker.
        marker: String,
    },
    /// The replay has no body with this name.
    #[error("the replay has no body {name:?}{}", crate::text::name_hint(name, known))]
    UnknownBody {
        /// Name of the unknown body.
        name: String,
        /// Names of the bodies that exist at this point of the replay, including removed ones.
        known: Vec<String>,
    },
    /// A command or a recorded position is for a body that is not in the world at that tick: not yet spawned, or
    /// removed.
    #[error("body {name:?} is not in the world at tick {tick}; expected a tick between its spawn and its removal")]
    AbsentBody {
        /// Name of the body.
        name: String,
        /// Tick of the command, or of the checksums that the position is listed with.
        tick: u64,
    },
    /// The positions listed with a checksum have two entries for the same body.
    #[error("body {name:?} has two positions in one entry of `checksums`; expected at most one")]
    DuplicatePosition {
        /// Name of the body.
        name: String,
    },
    /// The replay has more than [`Replay::MAX_POSITIONS`] body positions. The positions listed with all checksums count
    /// together.
    #[error("the replay has too many positions; expected at most {} in all checksums", Replay::MAX_POSITIONS)]
    TooManyPositions,
    /// A line in the list `expect` is not an expectation, such as `hero at goal before 1300`.
    #[error("{text:?} is not an expectation{}", expectation_advice(meant.as_deref()))]
    Expectation {
        /// Text of the line.
        text: String,
        /// Suggested correction: the line with a misspelt word replaced. `None` if there is no likely correction.
        meant: Option<String>,
    },
    /// An expectation such as `hero at goal before 1` can never be true. The first check comes after tick 1, so
    /// `before` needs a tick of at least 2.
    #[error("no check comes before tick {found}; expected at least 2, since the first check is after tick 1")]
    BeforeAllTicks {
        /// Tick after `before` in the line.
        found: u64,
    },
    /// A command is only for characters, but its body is not a character.
    #[error("body {name:?} is not a character; expected a body that was spawned with `character`")]
    NotACharacter {
        /// Name of the body.
        name: String,
    },
    /// Neither the map nor an earlier command has a platform with this name.
    #[error("the replay has no platform {name:?}{}", crate::text::name_hint(name, known))]
    UnknownPlatform {
        /// Name of the unknown platform.
        name: String,
        /// Names of the platforms that exist at this point of the replay, including removed ones.
        known: Vec<String>,
    },
    /// A command is for a platform that an earlier command has removed.
    #[error("platform {name:?} is not in the world at tick {tick}; expected a tick before its removal")]
    AbsentPlatform {
        /// Name of the platform.
        name: String,
        /// Tick of the command.
        tick: u64,
    },
    /// Neither the map nor an earlier command has an area with this name.
    #[error("the replay has no area {name:?}{}", crate::text::name_hint(name, known))]
    UnknownArea {
        /// Name of the unknown area.
        name: String,
        /// Names of the areas that exist at this point of the replay, including removed ones.
        known: Vec<String>,
    },
    /// A command is for an area that an earlier command has removed, alone or together with its carrier.
    #[error(
        "area {name:?} is not in the world at tick {tick}; expected a tick before the removal of the area or its carrier"
    )]
    AbsentArea {
        /// Name of the area.
        name: String,
        /// Tick of the command.
        tick: u64,
    },
    /// A command sets an invalid position for a platform or an area, such as a position out of range.
    #[error("the position of {name:?} is invalid: {error}")]
    Platform {
        /// Name of the platform or the area.
        name: String,
        /// Reason why the position is invalid.
        #[source]
        error: PositionError,
    },
    /// The field `inputs` lists the same body twice.
    #[error("the inputs of {name:?} are listed twice; expected one list with all of them")]
    DuplicateInputs {
        /// Name of the body.
        name: String,
    },
    /// An entry of `inputs` has 0 ticks or fewer, or more than [`Replay::MAX_TICKS`].
    #[error("the run of inputs has {found} ticks; expected 1 to {}", Replay::MAX_TICKS)]
    RunTicks {
        /// Number of ticks in the entry.
        found: i64,
    },
    /// The input `walk` is not -127 to 127.
    #[error("`walk` is {found}; expected -127 to 127")]
    Walk {
        /// Number in the field `walk`.
        found: i64,
    },
    /// The field `ticks`, the length of the run, is negative or more than [`Replay::MAX_TICKS`].
    #[error("the replay has {found} ticks; expected 0 to {}", Replay::MAX_TICKS)]
    Ticks {
        /// Number in the field `ticks`.
        found: i64,
    },
    /// A list of the replay is not in the order of ticks: an entry has a lower tick than the entry before. In a list
    /// of checksums, a tick also must not occur twice.
    #[error("tick {found} comes after tick {before} in the list; expected ticks in rising order, here at least {min}")]
    TickOrder {
        /// The tick that is too low.
        found: i64,
        /// Tick of the entry before, in the same list.
        before: u64,
        /// Lowest tick that is allowed at this position.
        min: u64,
    },
    /// A command, a checksum or an expectation has a tick that is not within the run.
    #[error("tick {found} is outside the replay; expected {min} to {max}")]
    TickOutside {
        /// The tick that is outside the run.
        found: i64,
        /// Lowest tick that is allowed at this position.
        min: u64,
        /// Highest tick that is allowed at this position.
        max: i64,
    },
    /// A command sets a tile outside the map.
    #[error(
        "tile ({x}, {y}) is outside the map; expected x from {} to {} and y from {} to {}",
        columns.start, columns.end - 1, rows.start, rows.end - 1
    )]
    TileOutside {
        /// Column of the tile.
        x: i64,
        /// Row of the tile.
        y: i64,
        /// Range of the map's columns.
        columns: Range<i64>,
        /// Range of the map's rows.
        rows: Range<i64>,
    },
    /// A command sets a tile outside the tile layers of a platform.
    #[error("tile ({x}, {y}) is outside platform {name:?}; expected a tile of its layers")]
    TileOutsidePlatform {
        /// Column of the tile.
        x: i64,
        /// Row of the tile.
        y: i64,
        /// Name of the platform.
        name: String,
    },
    /// A command sets a tile in a tile layer that the platform does not have.
    #[error("platform {platform:?} has no layer {name:?}{}", crate::text::name_hint(name, known))]
    UnknownPlatformLayer {
        /// Name of the platform.
        platform: String,
        /// Name of the unknown tile layer.
        name: String,
        /// Names of all tile layers of the platform.
        known: Vec<String>,
    },
    /// A command sets a tile in a tile layer that the map does not have.
    #[error("the map has no layer {name:?}{}", crate::text::name_hint(name, known))]
    UnknownLayer {
        /// Name of the unknown tile layer.
        name: String,
        /// Names of all tile layers of the map.
        known: Vec<String>,
    },
    /// A command sets a tile by a text that is neither a symbol (letter) of the map nor the name of a tile, such as
    /// `slope_45`.
    #[error(
        "{name:?} is neither a symbol of the map's legend nor a tile: {source}{}",
        crate::tiles::map::pattern_name_hint(source, known)
    )]
    UnknownTile {
        /// The text that is not a tile.
        name: String,
        /// Reason why the text is not the name of a tile.
        source: VariantNameError,
        /// Names of all patterns (tile shapes) of the catalogue if the pattern is unknown; otherwise empty.
        known: Vec<String>,
    },
    /// A command sets a tile that the catalogue (set of tile shapes) has, but that is not a tile kind of the map. Add
    /// the tile to the map's legend.
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
        Form Format Physics Map Command MapPath NoFolder MapFile Checksum Setting MaxFloorSlope NamelessBody DuplicateBody
        TooManyBodies TooManyCommands Body CollisionLayer UnitsOutOfRange UnknownMarker NoFloor UnknownBody
        AbsentBody DuplicatePosition TooManyPositions Expectation BeforeAllTicks NotACharacter UnknownPlatform
        AbsentPlatform UnknownArea AbsentArea Platform DuplicateInputs RunTicks Walk Ticks TickOrder TickOutside
        TileOutside TileOutsidePlatform UnknownPlatformLayer UnknownLayer UnknownTile NotInLegend
}

/// Returns the end of a message about an invalid expectation.
fn expectation_advice(meant: Option<&str>) -> String {
    match meant {
        Some(meant) => format!("; did you mean `{meant}`?"),
        None => format!(
            "; expected `NAME at MARKER before TICK`, `NAME on_floor at TICK`, `EVENT COUNT` or \
             `NAME EVENT COUNT`; the events are {}",
            EventKind::names().join(", ")
        ),
    }
}

/// Error of making a replay: see [`Replay::new`](super::Replay::new) and
/// [`Recorder::for_replay`](crate::record::Recorder::for_replay).
#[derive(Error)]
#[non_exhaustive]
pub enum ToReplayError {
    /// The recorder could not finish the recording. The value is the reason.
    #[error(transparent)]
    Record(#[from] RecorderError),
    /// The recording starts with a saved state of a world. A replay needs a recording that starts with a new world.
    #[error(
        "the recording starts from a saved state at tick {tick}; expected a recording that starts with a new world"
    )]
    NotNew {
        /// Tick of the saved state at the start of the recording.
        tick: u64,
    },
    /// A world on the given map refuses a command of the recording, for example because a tile is outside the map.
    #[error("the command at tick {tick} is refused: {error}")]
    Command {
        /// Tick of the world at the command: the number of times that the world had been stepped.
        tick: u64,
        /// Reason why the command is refused.
        #[source]
        error: CommandError,
    },
    /// A command of the recording uses a tile kind that the text of a replay cannot name: the map is in a file, and no
    /// symbol of that file stands for the tile kind.
    ///
    /// A command that sets tiles can also name a kind by its tile, if the kind is the first one of that tile.
    #[error(
        "the command at tick {tick} uses the tile kind {tile_id:?}, which has no symbol in the map's file; expected a kind with a symbol, or an inline map"
    )]
    NamelessTile {
        /// Tick of the world at the command: the number of times that the world had been stepped.
        tick: u64,
        /// The tile kind that cannot be named.
        tile_id: TileId,
    },
    /// A command of the recording is for a platform of the map without a name. In the replay it has a name such as
    /// `platform 1`, but the game has spawned another platform with that name.
    #[error(
        "the command at tick {tick} is for a platform without a name, whose name in the replay another platform has; expected a name in the map"
    )]
    NamelessPlatform {
        /// Tick of the world at the command: the number of times that the world had been stepped.
        tick: u64,
    },
    /// A command of the recording is for an area of the map without a name. In the replay it has a name such as `area
    /// 1`, but the game has spawned another area with that name.
    #[error(
        "the command at tick {tick} is for an area without a name, whose name in the replay another area has; expected a name in the map"
    )]
    NamelessArea {
        /// Tick of the world at the command: the number of times that the world had been stepped.
        tick: u64,
    },
    /// The replay would have more than [`Replay::MAX_BODIES`] bodies.
    #[error("the recording has too many bodies for a replay; expected at most {}", Replay::MAX_BODIES)]
    TooManyBodies,
    /// The replay would have more than [`Replay::MAX_COMMANDS`] commands.
    #[error("the recording has too many commands for a replay; expected at most {}", Replay::MAX_COMMANDS)]
    TooManyCommands,
    /// The path of the map's file leads out of the replay's folder, or is not possible on every operating system.
    #[error(
        "the map path {path:?} is not allowed; expected a path below the replay's folder with `/` between its parts"
    )]
    MapPath {
        /// Path of the map's file.
        path: String,
    },
    /// The map uses a catalogue (tile shapes) of its own, which the text of a replay cannot contain.
    ///
    /// Use a map in a file that names its catalogue file.
    #[error(
        "the map has its own catalogue, which a replay cannot contain; expected the built-in catalogue, or a map file that names its own"
    )]
    OtherCatalogue,
}

/// Names the value of a field that holds 16 hexadecimal digits.
fn describe_checksum_field(field: &str) -> &'static str {
    if field == "source" { "the fingerprint of a tile source: a text" } else { "a checksum: a text" }
}

debug_is_display!(ToReplayError);
