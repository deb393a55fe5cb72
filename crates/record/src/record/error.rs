use super::{Divergence, Recording, RecordingFile};
use crate::checksum::Checksum;
use crate::io::{MapLoadError, ReadError, WriteError};
use crate::replay::ToReplayError;
use crate::rollback::RollbackError;
use crate::snapshot::{FieldDifference, SnapshotError};
use crate::text::TextError;
use crate::told::debug_is_display;
use std::path::PathBuf;
use thiserror::Error;

/// Error in the text of a recording, with its line and column.
pub type RecordingError = TextError<RecordingErrorKind>;

/// Problem with the text of a recording. [`RecordingError`] adds line and column.
#[derive(Error)]
#[non_exhaustive]
pub enum RecordingErrorKind {
    /// The first line does not begin with `Recording(`, so the file is not a recording.
    #[error("the file is not a recording; expected a first line such as `Recording(format:1,...`")]
    NotARecording,
    /// The first line has a format number that this version of the engine cannot read.
    #[error("the recording has format {found}; expected {}", Recording::<()>::FORMAT)]
    Format {
        /// Format number in the first line of the file.
        found: i64,
    },
    /// The text ends before the line with the world at the start of the run.
    #[error("the recording is truncated; expected a line with the world that the run begins with")]
    Truncated,
    /// A line has bytes that are not UTF-8 text.
    #[error("the line has a byte that is not UTF-8; expected text")]
    NotUtf8,
    /// A line does not end with a checksum, such as ` // 01234567`.
    #[error("the line has no checksum; expected one at its end, such as ` // 01234567`")]
    NoChecksum,
    /// The checksum at the end of a line is wrong: the line was changed after the recorder wrote it, or the line
    /// before it is missing.
    #[error(
        "the line is damaged, or the line before it is missing: the checksum is {found:08x}; expected {expected:08x}"
    )]
    Damaged {
        /// Checksum computed from the line and the line before it, as they are now.
        found: u32,
        /// Checksum that is written at the end of the line.
        expected: u32,
    },
    /// A line is not valid RON, is not a line of a recording, or its input cannot be read as the game's input type.
    #[error("{}", crate::text::describe_ron_error(error))]
    Syntax {
        /// Message of the RON reader.
        #[source]
        error: ron::Error,
    },
    /// A line is valid, but not at this position. The second line of the file must be the start of the run, and no line
    /// may follow the end of the run.
    #[error("the line is out of order; expected {expected}")]
    Order {
        /// Description of the line that is expected at this position.
        expected: &'static str,
    },
    /// The tick number of a line is wrong: after the lines before it, the world is at another tick.
    #[error("the line has tick {found}; expected {expected}, the number of ticks so far")]
    Tick {
        /// Tick of the line.
        found: u64,
        /// Expected tick: the tick of the world after the lines before.
        expected: u64,
    },
    /// A tick has two lines of the same kind, such as two lines with checksums.
    #[error("tick {tick} has a second line of this kind; expected one at most")]
    Twice {
        /// The tick that has both lines.
        tick: u64,
    },
    /// A line repeats an input for 0 ticks, or the recording would have more than [`Recording::MAX_TICKS`] ticks.
    #[error("the run of inputs has {found} ticks; expected 1 to {max}")]
    Ticks {
        /// Number of ticks of the line.
        found: u64,
        /// Maximum number of ticks that this line may have. The minimum is 1.
        max: u64,
    },
    /// A recorded world state is not a valid snapshot.
    #[error("the recorded state is invalid: {0}")]
    State(#[source] Box<SnapshotError>),
    /// Two recorded world states belong to worlds on different maps.
    #[error("the recorded state belongs to a different map; expected the map of the first recorded state")]
    OtherMap,
    /// The name of a body is empty, or another body of the recording has that name.
    #[error(transparent)]
    Name(Box<RecorderError>),
    /// A run in short form was played on another map than that of the game.
    #[error(
        "the run was recorded on another map than that of this game; expected a run of this game, whose map has not changed \
         since: play it in the game and the version that recorded it"
    )]
    OtherGame {
        /// Checksum of the map of the run.
        found: Checksum,
        /// Checksum of the map of the game.
        expected: Checksum,
    },
    /// The checksums of a run in short form are not in the order of their ticks, or one belongs to a tick after the end
    /// of the run.
    #[error(
        "the run has a checksum of tick {found}; expected a tick after {after} and at most {end}, the end of the run"
    )]
    ChecksumTick {
        /// Tick of the checksum.
        found: u64,
        /// Tick of the checksum before, or the tick at which the run begins.
        after: u64,
        /// Last tick of the run.
        end: u64,
    },
}

/// Error of [`Recording::load`].
#[derive(Error)]
#[non_exhaustive]
pub enum RecordingLoadError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file is not a recording, or a line before its last line is damaged.
    #[error(transparent)]
    Recording(#[from] RecordingError),
}

/// Error of a [`Recorder`](super::Recorder).
///
/// After a tick that cannot be recorded, a recorder in memory keeps all ticks before that tick. A recorder to a file
/// keeps the lines that are already in the file.
#[derive(Error)]
#[non_exhaustive]
pub enum RecorderError {
    /// The file exists already. The recorder does not change the file.
    #[error("{}: the file exists; expected the name of a new file", path.display())]
    Exists {
        /// Path of the file.
        path: PathBuf,
    },
    /// The operating system returned an error for the file.
    #[error("{}: {source}", path.display())]
    Io {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// The input of a tick cannot be written as RON text.
    #[error("the input cannot be written as RON: {error}")]
    Unwritable {
        /// Message of the RON writer.
        #[source]
        error: ron::Error,
    },
    /// The input of a tick, written as RON, is not read back as an equal input. The `Serialize` and the `Deserialize`
    /// of the input type do not agree.
    #[error(
        "the input written as RON is not read back as an equal input; expected a `Serialize` and a `Deserialize` that agree: {text}"
    )]
    ReadsOtherwise {
        /// The input as RON.
        text: String,
    },
    /// The recorder was not called after each step, [`World::restore`](crate::world::World::restore) changed the tick,
    /// or the recorder was called with another world.
    #[error(
        "the world is at tick {found}; expected {expected}: call the recorder once after each step, and create a new \
         recorder after `World::restore`"
    )]
    MissedTick {
        /// Tick of the world that the recorder expected.
        expected: u64,
        /// Tick of the world that the recorder got.
        found: u64,
    },
    /// [`Recording::to_short_ron`] leaves out the start, which only a new game has.
    #[error("the recording begins at tick {tick}; expected one that begins with a new game, at tick 0")]
    NoNewGame {
        /// First tick of the recording.
        tick: u64,
    },
    /// The recording has reached [`Recording::MAX_TICKS`]. Further ticks are not recorded.
    #[error("the recording is full; expected at most {} ticks", Recording::<()>::MAX_TICKS)]
    TooManyTicks,
    /// The file has reached [`RecordingFile::MAX_SIZE`]. Further ticks are not recorded.
    #[error("{}: the file is full; expected at most {} bytes", path.display(), RecordingFile::MAX_SIZE)]
    TooLarge {
        /// Path of the file.
        path: PathBuf,
    },
    /// The first line of the file would be too long, because the path
    /// [`RecordOptions::map_file`](super::RecordOptions::map_file) is too long.
    #[error("{}: the first line would have {found} bytes; expected at most {}: use a shorter `map_file`", path.display(), super::line::MAX_HEADER_BYTES)]
    LongHeader {
        /// Path of the file. The recorder does not create the file.
        path: PathBuf,
        /// Length of the line in bytes.
        found: usize,
    },
    /// The recorder stopped after an earlier error and records no further ticks.
    #[error("the recorder already stopped after an earlier error; expected a new recorder")]
    Over,
    /// The name given to a body is empty.
    #[error("the name of the body is empty; expected at least one character")]
    NamelessBody,
    /// The name given to a body belongs to another body already.
    #[error("another body has the name {name:?}; expected a unique name")]
    DuplicateName {
        /// Name that both bodies would have.
        name: String,
    },
    /// The recorder is one of a replay, and the tick has a command that a replay cannot contain. Only a
    /// [`ReplayRecorder`](crate::replay::ReplayRecorder) returns this error.
    #[error(transparent)]
    Replay {
        /// Reason why the command cannot be written.
        error: Box<ToReplayError>,
    },
    /// The recorder cannot add the next line to the recording, because a reader would refuse the line.
    #[error(transparent)]
    Line {
        /// Reason why a reader would refuse the line.
        kind: Box<RecordingErrorKind>,
    },
}

/// Error of a [`Playback`](super::Playback).
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum PlaybackError {
    /// A recorded world state cannot be restored on the map of the world: for example, it was recorded on another
    /// map.
    #[error("the state recorded at tick {tick} does not fit the world: {error}")]
    State {
        /// Tick of the recorded world state.
        tick: u64,
        /// Reason why the state cannot be restored.
        #[source]
        error: Box<SnapshotError>,
    },
    /// The run differs from the recording.
    #[error(transparent)]
    Diverges(#[from] Divergence),
}

/// The first tick in which a played game differs from its recording. See [`GameRun`](super::GameRun).
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum GameDivergence {
    /// The world differs.
    #[error("{divergence}{}", differing_field_suffix(divergence.tick, recorded.as_ref()))]
    World {
        /// The first difference between the checksums.
        divergence: Divergence,
        /// The next tick with a recorded state of the world, and the body and field that differ there: `first` is its
        /// recorded value. `None` if no recorded state shows the difference. See
        /// [`RecordOptions::snapshot_interval`](super::RecordOptions::snapshot_interval).
        recorded: Option<(u64, FieldDifference)>,
    },
    /// The world is as recorded, but the state of the game outside the world differs.
    #[error(
        "the state of the game outside the world differs after tick {tick}{}", differing_field_suffix(*tick, recorded.as_ref())
    )]
    Game {
        /// Tick of the world at the difference.
        tick: u64,
        /// The next tick with a recorded state, and the field that differs there: `first` is its recorded value. `None`
        /// if no recorded state shows the difference.
        recorded: Option<(u64, FieldDifference)>,
    },
}

fn differing_field_suffix(tick: u64, recorded: Option<&(u64, FieldDifference)>) -> String {
    match recorded {
        Some((at, difference)) if *at == tick => format!(": {difference}"),
        Some((at, difference)) => format!("; after tick {at}: {difference}"),
        None => String::new(),
    }
}

/// Error of a [`GameRun`](super::GameRun).
#[derive(Error)]
#[non_exhaustive]
pub enum GameRunError {
    /// A played recording differs from the game.
    #[error(transparent)]
    Differs(#[from] GameDivergence),
    /// A tick, the state of the game, or a file cannot be recorded.
    #[error(transparent)]
    Recorder(#[from] RecorderError),
    /// Fewer ticks can be rewound than asked.
    #[error(transparent)]
    Rollback(#[from] RollbackError),
    /// The saved state does not fit the world.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// The recording cannot be played on the world.
    #[error(transparent)]
    Playback(#[from] PlaybackError),
    /// The file cannot be read.
    #[error(transparent)]
    Load(#[from] RecordingLoadError),
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The map of the recording cannot be read.
    #[error(transparent)]
    Map(Box<MapLoadError>),
    /// The recording names no map, or one outside its folder.
    #[error(
        "the recording names no map file in its folder; expected `RecordOptions::map_file` to be such a path, or use \
         `GameRun::verify_on` with a map"
    )]
    NoMapFile,
    /// The recording has no state of the game: a [`Recorder`](super::Recorder) made it, not a `GameRun`.
    #[error("the recording has no state of the game at its start; expected a recording made by a `GameRun`")]
    NoGame,
    /// The recorded state of the game cannot be read as the type of the state that the game has now.
    #[error("the recorded state of the game cannot be read: {}", crate::text::describe_ron_error(&error.code))]
    Game {
        /// Message of the RON reader, with the position in the text of the state.
        #[source]
        error: ron::error::SpannedError,
    },
    /// The file is a recording of a run, not a saved state.
    #[error("the recording has {ticks} ticks; expected a saved state, or use `GameRun::play`")]
    NotASave {
        /// Number of ticks of the recording.
        ticks: u64,
    },
}

debug_is_display!(RecordingErrorKind, RecordingLoadError, RecorderError, PlaybackError, GameDivergence, GameRunError);
