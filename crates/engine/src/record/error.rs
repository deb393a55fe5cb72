use super::{Divergence, Recording, RecordingFile};
use crate::io::ReadError;
use crate::snapshot::SnapshotError;
use crate::text::TextError;
use std::path::PathBuf;
use thiserror::Error;

/// What is wrong with the text of a log, and where.
pub type RecordingError = TextError<RecordingErrorKind>;

/// What can be wrong with a log.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordingErrorKind {
    /// The first line does not begin as the first line of a log.
    #[error("this is no log; expected `Recording(` and a format in the first line")]
    NotARecording,
    /// A format that this version does not read.
    #[error("log format {found}, expected {}", Recording::<()>::FORMAT)]
    Format {
        /// The format that the first line names.
        found: i64,
    },
    /// It ends before what the run begins with.
    #[error("the file ends here; expected the world that the run begins with")]
    Truncated,
    /// The line's bytes are no text.
    #[error("a byte that is not UTF-8")]
    NotUtf8,
    /// The line does not end in a checksum.
    #[error("the line has no checksum; expected one such as ` // 01234567` at its end")]
    NoChecksum,
    /// The line is not what was written, or a line before it is missing.
    #[error("the line is damaged, or one before it is missing: its checksum is {found:08x}, expected {expected:08x}")]
    Damaged {
        /// The checksum of the line as it is.
        found: u32,
        /// The one that it names.
        expected: u32,
    },
    /// The line is no RON, or none of a log's, or its input is not of the game's type.
    #[error("{}", crate::text::describe(error))]
    Syntax {
        /// What the RON reader says.
        #[source]
        error: ron::Error,
    },
    /// A line where another one belongs: the beginning comes first, nothing after the end.
    #[error("a line that does not belong here; expected {expected}")]
    Order {
        /// What belongs here.
        expected: &'static str,
    },
    /// A line of another tick than the run is in.
    #[error("tick {found}; expected {expected}")]
    Tick {
        /// What the line says.
        found: u64,
        /// In which tick it stands.
        expected: u64,
    },
    /// A second line of the same kind for one tick.
    #[error("tick {tick} is there twice")]
    Twice {
        /// The tick.
        tick: u64,
    },
    /// A run of no ticks, or of more than a log has.
    #[error("{found} ticks; expected 1 to {max}")]
    Ticks {
        /// What the line says.
        found: u64,
        /// How many there could be.
        max: u64,
    },
    /// An invalid state.
    #[error("the state: {0}")]
    State(#[source] Box<SnapshotError>),
    /// States of worlds on different maps.
    #[error("the state is of another map than the states before")]
    OtherMap,
    /// A name that no body can have.
    #[error(transparent)]
    Name(Box<RecorderError>),
}

/// Why a file gives no log.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordingLoadError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// What is in it is no log, or is damaged before its last line.
    #[error(transparent)]
    Recording(#[from] RecordingError),
}

/// Why something is not in a log. All before it is.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecorderError {
    /// There is such a file already; it is left as it is.
    #[error("{}: the file exists; expected the name of a new one", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The system does not take it.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The input cannot be written in RON.
    #[error("the input cannot be written: {error}")]
    Unwritable {
        /// What the RON writer says.
        #[source]
        error: ron::Error,
    },
    /// What is written of the input does not read back as what it was.
    #[error("the input does not read back as it was: {text}")]
    ReadsOtherwise {
        /// What is written of it.
        text: String,
    },
    /// A tick was not shown to the recorder, or it was shown another world.
    #[error("the world is at tick {found}; expected {expected}, one after each step")]
    MissedTick {
        /// The tick that should have come.
        expected: u64,
        /// The tick that came.
        found: u64,
    },
    /// The log has as many ticks as one may have.
    #[error("more than {} ticks", Recording::<()>::MAX_TICKS)]
    TooManyTicks,
    /// The file is as large as one may be.
    #[error("{}: more than {} bytes", path.display(), RecordingFile::MAX_SIZE)]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// The first line would be longer than one may be, for a long [`map_file`](super::RecordOptions::map_file).
    #[error("{}: a first line of {found} bytes; expected at most {} and a shorter `map_file`", path.display(), super::line::FIRST)]
    LongHeader {
        /// The file, which is not created.
        path: PathBuf,
        /// How many bytes the line would have.
        found: usize,
    },
    /// It went wrong before; nothing is written any more.
    #[error("the recorder has ended with an error before")]
    Over,
    /// A name that cannot be one.
    #[error("a body cannot have an empty name")]
    NamelessBody,
    /// A name that another body has.
    #[error("another body has the name {name:?}")]
    DuplicateName {
        /// The name.
        name: String,
    },
    /// A line that the log does not take.
    #[error(transparent)]
    Line {
        /// Why not.
        kind: Box<RecordingErrorKind>,
    },
}

/// Why a log is not played, or not to its end.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PlaybackError {
    /// A recorded state does not fit this world.
    #[error("the state recorded at tick {tick}: {error}")]
    State {
        /// Which one.
        tick: u64,
        /// Why not.
        #[source]
        error: Box<SnapshotError>,
    },
    /// It runs otherwise than recorded.
    #[error(transparent)]
    Diverges(#[from] Divergence),
}
