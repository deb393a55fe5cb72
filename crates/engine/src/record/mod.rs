//! One record of a run: how it began, what was done in each tick, and what to compare by.
//!
//! A [`Recording`] begins with a new world or with a whole state, has the input of each tick, and checkpoints: checksums, the
//! places of bodies, whole states. A [`Recorder`] writes one while a game runs, in memory or into a file that can be read
//! up to the last second before a crash; a [`Playback`] runs it again, compares, and says what differs.
//!
//! The input is whatever the game's own is, as long as serde can write it. With the engine's own [`Commands`], which is
//! what a log holds if nothing is said, nothing of the game is needed, and a log becomes a
//! [`Replay`](crate::replay::Replay), a text for people and tests. `docs/formats/recording.md` in the repository lists
//! every line of a log's file.

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

/// The input of a tick of a game that is driven by the engine's own commands: those given before the step, in order.
pub type Commands = Vec<Command>;
