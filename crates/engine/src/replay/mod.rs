//! Runs as texts, for people and tests: a map, bodies by name, and what is done to them tick by tick, with checksums to
//! compare by.
//!
//! A replay file is RON; `docs/formats/replay.md` in the repository lists every field. It is compiled to a
//! [`Recording`] when it is read. A game writes one with a [`Recorder`](crate::record::Recorder), or a person by hand; a
//! [`Playback`] runs it, and [`verify`] does so in a test:
//!
//! ```no_run
//! surefoot::replay::verify("maps/first_steps.replay.ron").unwrap();
//! ```

mod check;
mod command;
mod error;
mod expect;
mod files;
mod follow_on;
pub(crate) mod format;
pub(crate) mod parse;
mod path;
mod platforms;
mod scenario;
mod script;
mod write;

#[cfg(test)]
mod tests;

pub use crate::checksum::PHYSICS_VERSION;
pub use error::{ReplayError, ReplayErrorKind, ToReplayError};
pub use expect::{Expectation, ExpectationCheck, Outcome, UnmetExpectation};
pub use files::{ReplayLoadError, VerifyError, verify};
pub(crate) use path::inside;
pub use script::{Script, ScriptError, ScriptErrorKind, ScriptExpectation, ScriptStop};

use crate::body::Input;
use crate::map::Map;
use crate::record::{Checkpoint, Playback, Recording, RecordingStart};
use crate::terrain::TileSource;
use crate::world::{Settings, World};
use std::sync::Arc;

/// A run on a map, checked: every name is a body's, every tick lies within the run, every position is valid.
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
/// use surefoot::{Map, Playback};
///
/// let replay = Replay::from_ron(r##"Replay(
///     map: Inline(Map(format: 1, tiles: ["@...", "===="])),
///     bodies: [(name: "hero", shape: Aabb(0.35, 0.45), at: Marker("start"), character: ())],
///     inputs: {"hero": [(ticks: 30, walk: 127), (ticks: 1, walk: 127, jump: true)]},
///     ticks: 60,
/// )"##)?;
/// let mut player = Playback::new(&replay);
/// while player.step().is_some() {}
/// assert_eq!(player.world().tick(), 60);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    source: MapSource,
    map: Arc<Map>,
    /// It begins with a new world, and all its bodies have names.
    recording: Arc<Recording>,
    expect: Vec<Expectation>,
}

/// Where a replay has its map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MapSource {
    /// In a file of that path, relative to the replay's folder and below it, with `/` between its parts.
    File(String),
    /// In the replay itself.
    Inline,
}

/// A stretch of ticks in which a player holds the same down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputRun {
    /// How many ticks, at least 1.
    pub ticks: u64,
    /// What is held down.
    pub input: Input,
}

impl Replay {
    /// The format version that is written and read.
    pub(crate) const FORMAT: u32 = 1;

    /// The most ticks of a replay: as many as a log may have.
    pub const MAX_TICKS: u64 = Recording::<()>::MAX_TICKS;

    /// The most bodies that may be spawned in a replay.
    pub const MAX_BODIES: usize = 1 << 20;

    /// The most commands of a replay, inputs and the bodies before the first tick not among them.
    pub const MAX_COMMANDS: usize = 1 << 20;

    /// The most places of bodies, in all checkpoints of a replay: as many as a log may have.
    pub const MAX_POSITIONS: usize = Recording::<()>::MAX_POSITIONS;

    /// What is done in it, and what it is compared by.
    #[must_use]
    pub fn recording(&self) -> &Arc<Recording> {
        &self.recording
    }

    /// What the run should come to; [`ExpectationCheck`] holds it against that.
    #[must_use]
    pub fn expectations(&self) -> &[Expectation] {
        &self.expect
    }

    /// The replay with these expectations in place of those that it has, such as `hero at goal before 1300`.
    ///
    /// # Errors
    /// [`ReplayErrorKind`] for an invalid line, a body or a marker that is not there, and a tick after the last.
    pub fn with_expectations<'a>(self, lines: impl IntoIterator<Item = &'a str>) -> Result<Replay, ReplayErrorKind> {
        let parse = |line| Expectation::parse(line, &self.recording.names, Some(&self.map), self.recording.ticks);
        let expect = lines.into_iter().map(parse).collect::<Result<_, _>>()?;
        Ok(Replay { expect, ..self })
    }

    /// Which physics it was made by, see [`PHYSICS_VERSION`].
    #[must_use]
    pub fn physics(&self) -> u32 {
        self.recording.physics
    }

    /// The map it runs on.
    #[must_use]
    pub fn map(&self) -> &Arc<Map> {
        &self.map
    }

    /// Whether the map is not as it was when the replay was recorded. Only the motion is then compared.
    #[must_use]
    pub(crate) fn map_has_changed(&self) -> bool {
        self.recording.map != self.map.checksum()
    }

    /// Where the replay has its map.
    #[must_use]
    pub fn map_source(&self) -> &MapSource {
        &self.source
    }

    /// For a recording of a [streamed](World::streamed) world what the source of its tiles said of itself, see
    /// [`TileSource::identity`]; the map is then the template. Such a replay is played by [`Playback::streamed`].
    #[must_use]
    pub fn source_identity(&self) -> Option<u64> {
        self.recording.source
    }

    /// The world's settings.
    #[must_use]
    pub fn settings(&self) -> Settings {
        match &self.recording.start {
            RecordingStart::New { settings, .. } => *settings,
            RecordingStart::State(state) => state.settings,
        }
    }

    /// How many ticks it has.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.recording.ticks
    }

    /// The checksums to compare by, in the order of their ticks.
    #[must_use]
    pub fn checksums(&self) -> &[Checkpoint] {
        &self.recording.checkpoints
    }
}

impl Playback {
    /// A player at the beginning of a replay: its first bodies are in the world, and no tick is stepped.
    ///
    /// A replay of a streamed world is not played so: the first step tells of
    /// [`Difference::NoSource`](crate::record::Difference::NoSource) and is the last.
    #[must_use]
    pub fn new(replay: &Replay) -> Playback {
        Playback::of_new(replay.recording.clone(), World::new(replay.map.clone(), replay.settings()))
    }

    /// A player of a replay of a streamed world, with the source that its tiles came from.
    ///
    /// A replay of another source, or of a world on a map, is not played: the first step tells of
    /// [`Difference::Source`](crate::record::Difference::Source) and is the last.
    #[must_use]
    pub fn streamed(replay: &Replay, source: Arc<dyn TileSource>) -> Playback {
        Playback::of_new(replay.recording.clone(), World::streamed(replay.map.clone(), source, replay.settings()))
    }
}
