//! Recordings: a run of a game as its start, the input of each tick, and checksums to compare with.
//!
//! A [`GameRun`] runs a game and records the inputs of its players, in memory or into a file. After a crash, the file
//! holds the run up to about the last second. [`GameRun::verify`] plays a [`Recording`] through the rules of the game
//! again, and reports the first difference. The inputs have any type that serde can write and read.
//!
//! A [`Recorder`] records the [`Commands`] given to a world instead, without a game. Such a recording can become a
//! [`Replay`](crate::replay::Replay), a text that people can edit. A [`Playback`] plays it and compares it with the
//! checksums.
//!
//! `docs/formats/recording.md` in the repository describes each line of a recording's file.

mod error;
mod file;
mod game_run;
mod given_commands;
mod line;
mod log;
mod names;
mod player;
mod position_mismatch;
mod read;
mod recorder;
mod short;
mod tiles;

#[cfg(test)]
mod tests;

pub use error::{
    GameDivergence, GameRunError, PlaybackError, RecorderError, RecordingError, RecordingErrorKind, RecordingLoadError,
};
pub use file::RecordingFile;
pub use game_run::{GameRun, GameRunOptions, GameTick, Inputs, SavedGame};
pub use log::{BodyPosition, Checkpoint, Recording, RecordingStart, Run};
pub use player::{Divergence, DivergenceKind, Playback, PlaybackSummary, TickComparison};
pub use position_mismatch::PositionMismatch;
pub use recorder::{RecordOptions, Recorder};

pub(crate) use line::Line;
pub(crate) use names::Names;
pub(crate) use recorder::Sink;
pub(crate) use tiles::TileSums;

use crate::command::Command;

/// Default input type of recordings: the [`Command`]s given to the world before one tick, in order.
pub type Commands = Vec<Command>;
