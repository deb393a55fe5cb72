//! Recordings that last: the state a game was in, its own input tick by tick, and checksums and states to compare by.
//!
//! A [`Journal`] writes one while the game runs, into a text file that can be read up to the last second before a crash; a
//! [`Recording`] reads it back, replays it through the game's own function and says what differs. The input is whatever
//! the game's own is, as long as serde can write it; with [`Command`](crate::command::Command)s for an input nothing of
//! the game is needed, and a recording becomes a [`Replay`]. `docs/recording-format.md` in the
//! repository lists every line of such a file.
//!
//! [`crate::replay`] is for people and tests, with bodies by name; this is for whatever a game does to its world.

mod commands;
mod error;
mod explain;
mod journal;
mod line;
mod play;
mod read;

#[cfg(test)]
mod tests;

pub use commands::{RecoverError, carry_out};
pub use error::{JournalError, PlayError, RecordingError, RecordingErrorKind, RecordingFileError};
pub use explain::{Explanation, Finding};
pub use journal::{Every, Journal, JournalOptions};

use crate::checksum::Checksum;
use crate::replay::{Checkpoint, Replay};
use crate::snapshot::Snapshot;
use std::iter::repeat_n;

/// A recorded run of a game whose input is an `I`.
///
/// # Examples
/// ```
/// use serde::{Deserialize, Serialize};
/// use surefoot::prelude::*;
/// use surefoot::recording::{Every, Journal, Recording};
///
/// /// What the player of this game does.
/// #[derive(Serialize, Deserialize)]
/// struct Stick(f64);
///
/// fn tick(world: &mut World, stick: &Stick) {
///     let ship = world.bodies().next().map(|(id, _)| id).unwrap_or_default();
///     let _ = world.set_velocity(ship, (4.0 * stick.0, 0.0));
///     world.step();
/// }
///
/// let map = Map::from_ron(r#"Map(format: 1, tiles: ["......", "======"])"#)?;
/// let mut world = World::new(map, Settings::default());
/// world.spawn(Body::new(Shape::circle(0.3)).at((0.5, 1.5)))?;
///
/// let path = std::env::temp_dir().join(format!("surefoot-doc-{}.recording", std::process::id()));
/// let mut journal = Journal::create(&path, &world, Every { checksums: 60, states: 600 })?;
/// for i in 0..100 {
///     let stick = Stick(if i < 50 { 1.0 } else { -0.5 });
///     tick(&mut world, &stick);
///     journal.tick(&world, &stick)?;
/// }
/// journal.finish(&world)?;
///
/// let recording = Recording::<Stick>::load(&path)?;
/// let mut again = World::new(world.map().clone(), Settings::default());
/// assert_eq!(recording.replay(&mut again, tick)?.checksum, world.checksum());
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recording<I> {
    physics: u32,
    map: Checksum,
    map_file: Option<String>,
    start: Snapshot,
    runs: Vec<Run<I>>,
    ticks: u64,
    checkpoints: Vec<Checkpoint>,
    states: Vec<RecordedState>,
    complete: bool,
    left_out: Option<u32>,
}

/// A stretch of ticks with the same input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run<I> {
    /// How many ticks, at least 1.
    pub ticks: u64,
    /// The input of each.
    pub input: I,
}

/// A state on the way, kept as the bytes of a [`Snapshot`].
#[derive(Clone, Debug)]
struct RecordedState {
    tick: u64,
    bytes: Box<[u8]>,
}

impl<I> Recording<I> {
    /// The format version that is written and read.
    pub const FORMAT: u32 = 2;

    /// The most ticks of a recording: 10^8, as of a replay.
    pub const MAX_TICKS: u64 = Replay::MAX_TICKS;

    /// Which physics it was made by, see [`PHYSICS_VERSION`](crate::checksum::PHYSICS_VERSION); apart from the format.
    #[must_use]
    pub fn physics(&self) -> u32 {
        self.physics
    }

    /// The file of the map, if the game has named it; which map it was is known without.
    #[must_use]
    pub fn map_file(&self) -> Option<&str> {
        self.map_file.as_deref()
    }

    /// The state that it begins with; its tick is that of the recording's beginning.
    #[must_use]
    pub fn start(&self) -> &Snapshot {
        &self.start
    }

    /// How many ticks it has.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// The inputs, run by run.
    #[must_use]
    pub fn runs(&self) -> &[Run<I>] {
        &self.runs
    }

    /// The inputs, one for each tick.
    pub fn inputs(&self) -> impl Iterator<Item = &I> {
        self.runs.iter().flat_map(|run| repeat_n(&run.input, run.ticks as usize))
    }

    /// The checksums to compare by, in the order of their ticks.
    #[must_use]
    pub fn checkpoints(&self) -> &[Checkpoint] {
        &self.checkpoints
    }

    /// The ticks of which the whole state is recorded, the beginning not among them.
    pub fn states(&self) -> impl Iterator<Item = u64> {
        self.states.iter().map(|state| state.tick)
    }

    /// Whether its end is there: that it was finished, and not cut off by a crash or a full disk.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// The last line, counted from 1, if it was written in part only and was left out.
    #[must_use]
    pub fn left_out(&self) -> Option<u32> {
        self.left_out
    }
}
