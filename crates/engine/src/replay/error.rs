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
use std::ops::Range;
use surefoot_geometry::PositionError;
use thiserror::Error;

/// What is wrong with the text of a replay, and where.
pub type ReplayError = TextError<ReplayErrorKind>;

/// What can be wrong with a replay.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReplayErrorKind {
    /// The text does not have a replay's form.
    #[error(transparent)]
    Form(#[from] FormError),
    /// The file is of a format that this version does not read.
    #[error("replay format {found}, expected {}", Replay::FORMAT)]
    Format {
        /// The format the file names.
        found: i64,
    },
    /// A physics version that cannot be one.
    #[error("physics version {found}; expected 1 to {}", u32::MAX)]
    Physics {
        /// The version the file names.
        found: i64,
    },
    /// The map in the replay is invalid.
    #[error(transparent)]
    Map(MapErrorKind),
    /// The map's path leads out of the replay's folder, or is not portable.
    #[error("the map's path is {path:?}; expected one below the replay's folder with / between its parts")]
    MapPath {
        /// The path.
        path: String,
    },
    /// The map is a file, and where the replay lies is not known.
    #[error("the map is the file {path:?}; expected an inline map in a replay that is no file itself")]
    NoFolder {
        /// The path.
        path: String,
    },
    /// The map's file gives no map.
    #[error("the map: {source}")]
    MapFile {
        /// Why.
        source: Box<MapLoadError>,
    },
    /// An invalid checksum.
    #[error(transparent)]
    Checksum(ChecksumError),
    /// A setting out of range.
    #[error(transparent)]
    Setting(RangeError),
    /// An invalid steepest floor.
    #[error(transparent)]
    MaxFloorSlope(SlopeLimitError),
    /// A body without a name.
    #[error("a body has an empty name; expected at least one character")]
    NamelessBody,
    /// A name that two bodies have.
    #[error("two bodies have the name {name:?}; expected a name of its own for each, removed ones included")]
    DuplicateBody {
        /// The name.
        name: String,
    },
    /// More bodies than a replay may have.
    #[error("more than {} bodies", Replay::MAX_BODIES)]
    TooManyBodies,
    /// More commands than a replay may have.
    #[error("more than {} commands", Replay::MAX_COMMANDS)]
    TooManyCommands,
    /// A body that no world takes, or an invalid velocity or position.
    #[error("body {name:?}: {error}")]
    Body {
        /// The body's name.
        name: String,
        /// What is wrong.
        #[source]
        error: BodyError,
    },
    /// A collision layer that the map lacks.
    #[error(transparent)]
    CollisionLayer(CollisionLayerError),
    /// A place in units that lies too far out.
    #[error("({x}, {y}) units; expected at most 2^61 from the origin on an axis")]
    UnitsOutOfRange {
        /// The x.
        x: i64,
        /// The y.
        y: i64,
    },
    /// A marker that the map lacks.
    #[error("the map has no marker {name:?}{}", crate::text::hint(name, known))]
    UnknownMarker {
        /// The name.
        name: String,
        /// The names of its markers.
        known: Vec<String>,
    },
    /// A marker without a floor below it that the body can stand on.
    #[error(
        "there is no floor below the marker {marker:?} that the body can stand on; expected floor below it, with room for \
         the body"
    )]
    NoFloor {
        /// The marker's name.
        marker: String,
    },
    /// A name that no body has.
    #[error("there is no body {name:?} in the replay{}", crate::text::hint(name, known))]
    UnknownBody {
        /// The name.
        name: String,
        /// The names of the bodies so far.
        known: Vec<String>,
    },
    /// A body that is not there when a command or a place names it.
    #[error("the body {name:?} is not in the world at tick {tick}; it is removed before, or spawned later")]
    AbsentBody {
        /// The name.
        name: String,
        /// The tick of the command or the checksums.
        tick: u64,
    },
    /// A body with two places in one tick.
    #[error("the body {name:?} has two positions; expected one at most")]
    DuplicatePosition {
        /// The name.
        name: String,
    },
    /// More places than a replay may have.
    #[error("more than {} positions; expected no more in all checksums", Replay::MAX_POSITIONS)]
    TooManyPositions,
    /// A line that says nothing that a run can come to.
    #[error("{text:?} is no expectation{}", expected(meant.as_deref()))]
    Expectation {
        /// The line.
        text: String,
        /// The line that was probably meant, if a word of it is misspelt.
        meant: Option<String>,
    },
    /// A body that is to be at a marker before there is any tick to be there in.
    #[error("before tick {found}; expected at least 2: a run is first looked at after tick 1")]
    BeforeAllTicks {
        /// The tick.
        found: u64,
    },
    /// A body that is to become another character, or to hold another body, and is not a character.
    #[error("the body {name:?} is no character; expected one that was spawned as a character")]
    NotACharacter {
        /// The name.
        name: String,
    },
    /// A name that no platform of the map has.
    #[error("the map has no platform {name:?}{}", crate::text::hint(name, known))]
    UnknownPlatform {
        /// The name.
        name: String,
        /// The names of its platforms.
        known: Vec<String>,
    },
    /// A platform that is not there when a command names it.
    #[error("the platform {name:?} is not in the world at tick {tick}; it is removed before")]
    AbsentPlatform {
        /// The name.
        name: String,
        /// The tick of the command.
        tick: u64,
    },
    /// A name that no area of the map has.
    #[error("the map has no area {name:?}{}", crate::text::hint(name, known))]
    UnknownArea {
        /// The name.
        name: String,
        /// The names of its areas.
        known: Vec<String>,
    },
    /// An area that is not there when a command names it.
    #[error(
        "the area {name:?} is not in the world at tick {tick}; it is removed before, or the platform that it is on"
    )]
    AbsentArea {
        /// The name.
        name: String,
        /// The tick of the command.
        tick: u64,
    },
    /// A position that no platform and no area can have.
    #[error("{name:?}: {error}")]
    Platform {
        /// The name of the platform or the area.
        name: String,
        /// What is wrong.
        #[source]
        error: PositionError,
    },
    /// A body whose inputs are there twice.
    #[error("the inputs of {name:?} are there twice; expected one list of all of them")]
    DuplicateInputs {
        /// The name.
        name: String,
    },
    /// A run of inputs of no length, or longer than a replay.
    #[error("a run of {found} ticks; expected 1 to {}", Replay::MAX_TICKS)]
    RunTicks {
        /// The length.
        found: i64,
    },
    /// An invalid walk.
    #[error("walk is {found}; expected -127 to 127")]
    Walk {
        /// The value.
        found: i64,
    },
    /// More ticks than a replay may have, or less than none.
    #[error("{found} ticks; expected 0 to {}", Replay::MAX_TICKS)]
    Ticks {
        /// The number.
        found: i64,
    },
    /// A tick that comes before the one listed before it, or again where each may be there once.
    #[error("tick {found} after tick {before}; expected at least {min}")]
    TickOrder {
        /// The tick.
        found: i64,
        /// The one before it in the list.
        before: u64,
        /// The least it may be.
        min: u64,
    },
    /// A tick outside the replay.
    #[error("tick {found}; expected {min} to {max} in a replay of that many ticks")]
    TickOutside {
        /// The tick.
        found: i64,
        /// The least it may be.
        min: u64,
        /// The most it may be.
        max: i64,
    },
    /// A tile outside the map.
    #[error(
        "tile ({x}, {y}) is outside the map; expected x from {} to {} and y from {} to {}",
        columns.start, columns.end - 1, rows.start, rows.end - 1
    )]
    TileOutside {
        /// Its x.
        x: i64,
        /// Its y.
        y: i64,
        /// Which x the map has.
        columns: Range<i64>,
        /// Which y the map has.
        rows: Range<i64>,
    },
    /// A tile to paint that is none of a platform.
    #[error("tile ({x}, {y}) is outside the layers of platform {name:?}")]
    TileOutsidePlatform {
        /// Its x.
        x: i64,
        /// Its y.
        y: i64,
        /// The platform.
        name: String,
    },
    /// A layer to paint that a platform lacks.
    #[error("platform {platform:?} has no layer {name:?}{}", crate::text::hint(name, known))]
    UnknownPlatformLayer {
        /// The platform.
        platform: String,
        /// The name.
        name: String,
        /// The names of its layers.
        known: Vec<String>,
    },
    /// A layer to paint that the map lacks.
    #[error("the map has no layer {name:?}{}", crate::text::hint(name, known))]
    UnknownLayer {
        /// The name.
        name: String,
        /// The names of its layers.
        known: Vec<String>,
    },
    /// A tile to paint that is neither a character of the legend nor a tile's name.
    #[error("{name:?} is no character of the map's legend and no tile: {source}{}", crate::map::hint(source, known))]
    UnknownTile {
        /// What the file says.
        name: String,
        /// What is wrong with it as a tile's name.
        source: VariantNameError,
        /// The names there are, if the pattern is unknown.
        known: Vec<String>,
    },
    /// A tile to paint that the legend has no character for.
    #[error("the map's legend has no character for {name:?}; expected a tile of the legend")]
    NotInLegend {
        /// The tile's name.
        name: String,
    },
}

/// The end of a message on an invalid expectation.
fn expected(meant: Option<&str>) -> String {
    match meant {
        Some(meant) => format!("; did you mean `{meant}`?"),
        None => format!(
            "; expected `NAME at MARKER before TICK`, `NAME on_floor at TICK`, or `EVENT COUNT` with or without a name \
             before it; the events are {}",
            EventKind::NAMES.join(", ")
        ),
    }
}

/// Why a log makes no replay.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ToReplayError {
    /// The recorder has not come to its end.
    #[error(transparent)]
    Record(#[from] RecorderError),
    /// The log begins with the state of a world, and not with a new one.
    #[error("the log begins with a state of tick {tick}; expected a world that was new and is told by its commands")]
    NotNew {
        /// The tick of the state.
        tick: u64,
    },
    /// A command that no world on the map takes.
    #[error("a command of tick {tick}: {error}")]
    Command {
        /// The tick that it is given before.
        tick: u64,
        /// Why not.
        #[source]
        error: CommandError,
    },
    /// A command that paints a tile kind which no text names on a map in a file.
    #[error(
        "a command of tick {tick} paints the tile kind {tile_id:?}, which has no character in the map's file and is not the \
         first kind of its tile; expected one of them, or the map in the replay itself"
    )]
    NamelessTile {
        /// The tick that it is given before.
        tick: u64,
        /// The kind.
        tile_id: TileId,
    },
    /// A command that spawns a platform.
    #[error(
        "a platform is spawned by code before tick {tick}; expected the platforms of a replay in its map, where its text \
         names them"
    )]
    SpawnedPlatform {
        /// The tick that it is given before.
        tick: u64,
    },
    /// A command for a platform of the map that has no name.
    #[error("a command of tick {tick} is for a platform without a name; expected one with a name in the map")]
    NamelessPlatform {
        /// The tick that it is given before.
        tick: u64,
    },
    /// A command that spawns an area or makes it another one.
    #[error(
        "an area is made by code before tick {tick}; expected the areas of a replay in its map, where its text names them"
    )]
    SpawnedArea {
        /// The tick that it is given before.
        tick: u64,
    },
    /// A command for an area of the map that has no name.
    #[error("a command of tick {tick} is for an area without a name; expected one with a name in the map")]
    NamelessArea {
        /// The tick that it is given before.
        tick: u64,
    },
    /// A name for a body that never was in the world.
    #[error("the body {0:?} never was in the recorded world")]
    NoSuchBody(BodyId),
    /// More bodies than a replay may have.
    #[error("more than {} bodies", Replay::MAX_BODIES)]
    TooManyBodies,
    /// More commands than a replay may have.
    #[error("more than {} commands", Replay::MAX_COMMANDS)]
    TooManyCommands,
    /// The map's path leads out of the replay's folder, or is not portable.
    #[error("the map's path is {path:?}; expected one below the replay's folder with / between its parts")]
    MapPath {
        /// The path.
        path: String,
    },
    /// The map's variants come from another catalogue than the built-in one, and the map is to be in the replay or
    /// names no file for it.
    #[error(
        "a map with its own catalogue cannot be put into a replay; expected one of the built-in catalogue, or a map file \
         that names its own"
    )]
    OtherCatalogue,
}
