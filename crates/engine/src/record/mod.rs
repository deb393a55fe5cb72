//! Recordings: a run as its start, the input of each tick, and checksums to compare with.
//!
//! A [`Recorder`] records a run while a game steps it, in memory or into a file. After a crash the file is readable up to
//! the last second. A [`Playback`] plays a [`Recording`] again, compares it tick by tick, and reports the first difference.
//!
//! The input type is that of the game; serde must be able to write and read it. The default, [`Commands`], records the
//! commands given to the world, and a recording of commands can become a [`Replay`](crate::replay::Replay).
//! `docs/formats/recording.md` in the repository lists every line of a recording's file.

mod error;
mod explain;
mod file;
mod line;
mod log;
mod names;
mod player;
mod position_mismatch;
mod read;
mod recorder;
mod same;
mod tiles;

#[cfg(test)]
mod tests;

pub use error::{PlaybackError, RecorderError, RecordingError, RecordingErrorKind, RecordingLoadError};
pub use explain::{DivergenceReport, FirstDifference};
pub use file::RecordingFile;
pub use log::{BodyPosition, Checkpoint, Recording, RecordingStart, Run};
pub use player::{Divergence, DivergenceKind, Playback, PlaybackSummary, TickComparison};
pub use position_mismatch::PositionMismatch;
pub use recorder::{RecordOptions, Recorder};

pub(crate) use names::Names;
pub(crate) use tiles::TileSums;

use crate::command::Command;

/// Input of one tick for a recording of commands: the commands given to the world before the step, in order.
pub type Commands = Vec<Command>;
