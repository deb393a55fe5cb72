//! Recordings: a run of a game as its start, the input of each tick, and checksums to compare with.
//!
//! A [`Recorder`] records a run while the game steps it, in memory or into a file. After a crash, the file holds the
//! run up to about the last second. A [`Playback`] plays a [`Recording`] again, compares it with the checksums, and
//! reports the first difference.
//!
//! A recording has the input type of your game, which serde must be able to write and read. The default input type,
//! [`Commands`], holds the commands given to the world. A recording of commands can become a
//! [`Replay`](crate::replay::Replay), a text that people can edit.
//!
//! `docs/formats/recording.md` in the repository describes each line of a recording's file.

mod error;
mod explain;
mod file;
mod game_run;
mod line;
mod log;
mod names;
mod player;
mod position_mismatch;
mod read;
mod recorder;
mod tiles;

#[cfg(test)]
mod tests;

pub use error::{
    GameDivergence, GameRunError, PlaybackError, RecorderError, RecordingError, RecordingErrorKind, RecordingLoadError,
};
pub use explain::{DivergenceReport, FirstDifference};
pub use file::RecordingFile;
pub use game_run::{GameRun, GameRunOptions, GameTick, Inputs, SavedGame};
pub use log::{BodyPosition, Checkpoint, Recording, RecordingStart, Run};
pub use player::{Divergence, DivergenceKind, Playback, PlaybackSummary, TickComparison};
pub use position_mismatch::PositionMismatch;
pub use recorder::{RecordOptions, Recorder};

pub(crate) use names::Names;
pub(crate) use tiles::TileSums;

use crate::command::Command;

/// Default input type of recordings: the [`Command`]s given to the world before one tick, in order.
pub type Commands = Vec<Command>;
