use super::{Divergence, Recording, RecordingFile};
use crate::io::ReadError;
use crate::snapshot::SnapshotError;
use crate::text::TextError;
use crate::told::debug_is_display;
use std::path::PathBuf;
use thiserror::Error;

/// Error in the text of a recording, with its line and column.
pub type RecordingError = TextError<RecordingErrorKind>;

/// Problem with the text of a recording, without its position.
#[derive(Error)]
#[non_exhaustive]
pub enum RecordingErrorKind {
    /// The first line does not begin with `Recording(`.
    #[error("the file is not a recording; expected a first line such as `Recording(format:1,...`")]
    NotARecording,
    /// The format number is not the one that this version reads.
    #[error("the recording has format {found}; expected {}", Recording::<()>::FORMAT)]
    Format {
        /// Format number in the first line.
        found: i64,
    },
    /// The text ends before the line that describes the world at the start of the run.
    #[error("the recording is truncated; expected a line with the world that the run begins with")]
    Truncated,
    /// The line has bytes that are not UTF-8.
    #[error("the line has a byte that is not UTF-8; expected text")]
    NotUtf8,
    /// The line does not end with a checksum.
    #[error("the line has no checksum; expected one at its end, such as ` // 01234567`")]
    NoChecksum,
    /// The line was changed after it was written, or the line before it is missing.
    #[error(
        "the line is damaged, or the line before it is missing: the checksum is {found:08x}; expected {expected:08x}"
    )]
    Damaged {
        /// Checksum of the line as it is now.
        found: u32,
        /// Checksum at the end of the line.
        expected: u32,
    },
    /// The line is not valid RON, is not a line of a recording, or its input does not have the game's input type.
    #[error("{}", crate::text::describe(error))]
    Syntax {
        /// Message of the RON reader.
        #[source]
        error: ron::Error,
    },
    /// The line is valid but not at this position: the start of the run comes first, and nothing follows the end.
    #[error("the line is out of order; expected {expected}")]
    Order {
        /// Description of the line that belongs here.
        expected: &'static str,
    },
    /// The tick of the line does not match the lines before.
    #[error("the line has tick {found}; expected {expected}, the number of ticks so far")]
    Tick {
        /// Tick in the line.
        found: u64,
        /// Tick after the lines before.
        expected: u64,
    },
    /// One tick has two lines of the same kind, such as two lines with checksums.
    #[error("tick {tick} has a second line of this kind; expected one at most")]
    Twice {
        /// The tick.
        tick: u64,
    },
    /// A run of inputs has no ticks, or the recording would exceed [`Recording::MAX_TICKS`].
    #[error("the run of inputs has {found} ticks; expected 1 to {max}")]
    Ticks {
        /// Number of ticks in the line.
        found: u64,
        /// Greatest number of ticks that the line may have.
        max: u64,
    },
    /// A recorded state is not a valid snapshot.
    #[error("the recorded state is invalid: {0}")]
    State(#[source] Box<SnapshotError>),
    /// Two recorded states belong to worlds on different maps.
    #[error("the recorded state belongs to a different map; expected the map of the states before")]
    OtherMap,
    /// The name of a body is empty, or another body has that name.
    #[error(transparent)]
    Name(Box<RecorderError>),
}

/// Error of loading a recording from a file.
#[derive(Error)]
#[non_exhaustive]
pub enum RecordingLoadError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file was read but is not a recording, or a line before its last line is damaged.
    #[error(transparent)]
    Recording(#[from] RecordingError),
}

/// Error of recording a run. All ticks before the error are recorded.
#[derive(Error)]
#[non_exhaustive]
pub enum RecorderError {
    /// The file exists already. Its content stays.
    #[error("{}: the file exists; expected the name of a new file", path.display())]
    Exists {
        /// Path of the file.
        path: PathBuf,
    },
    /// The operating system returned an error.
    #[error("{}: {source}", path.display())]
    Io {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// The input cannot be written as RON.
    #[error("the input cannot be written as RON: {error}")]
    Unwritable {
        /// Message of the RON writer.
        #[source]
        error: ron::Error,
    },
    /// The input written as RON is not read back as an equal input.
    #[error(
        "the input written as RON is not read back as an equal input; expected a `Serialize` and a `Deserialize` that agree: {text}"
    )]
    ReadsOtherwise {
        /// The input, written as RON.
        text: String,
    },
    /// The recorder was not called after each step, or was called with another world.
    #[error("the world is at tick {found}; expected {expected}: call the recorder once after each step")]
    MissedTick {
        /// Tick that the recorder needs next.
        expected: u64,
        /// Tick of the world.
        found: u64,
    },
    /// The recording has reached [`Recording::MAX_TICKS`].
    #[error("the recording is full; expected at most {} ticks", Recording::<()>::MAX_TICKS)]
    TooManyTicks,
    /// The file has reached [`RecordingFile::MAX_SIZE`].
    #[error("{}: the file is full; expected at most {} bytes", path.display(), RecordingFile::MAX_SIZE)]
    TooLarge {
        /// Path of the file.
        path: PathBuf,
    },
    /// The first line of the file would be too long, because [`map_file`](super::RecordOptions::map_file) is long.
    #[error("{}: the first line would have {found} bytes; expected at most {}: use a shorter `map_file`", path.display(), super::line::FIRST)]
    LongHeader {
        /// Path of the file. It is not created.
        path: PathBuf,
        /// Length that the line would have, in bytes.
        found: usize,
    },
    /// The recorder stopped after an earlier error and records nothing further.
    #[error("the recorder already stopped after an earlier error; expected a new recorder")]
    Over,
    /// The name of a body is empty.
    #[error("the name of the body is empty; expected at least one character")]
    NamelessBody,
    /// Another body has that name.
    #[error("another body has the name {name:?}; expected a unique name")]
    DuplicateName {
        /// The name.
        name: String,
    },
    /// A line of the text is not valid at its position in the recording.
    #[error(transparent)]
    Line {
        /// Reason why the line is not accepted.
        kind: Box<RecordingErrorKind>,
    },
}

/// Error of playing a recording.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum PlaybackError {
    /// A recorded state does not fit the world.
    #[error("the state recorded at tick {tick} does not fit the world: {error}")]
    State {
        /// Tick of the recorded state.
        tick: u64,
        /// Problem with the state.
        #[source]
        error: Box<SnapshotError>,
    },
    /// The run differs from the recording.
    #[error(transparent)]
    Diverges(#[from] Divergence),
}

debug_is_display!(RecordingErrorKind, RecordingLoadError, RecorderError, PlaybackError);
