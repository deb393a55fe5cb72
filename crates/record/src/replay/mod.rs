//! Replays: recorded runs as text that people can read, edit and use as tests.
//!
//! A replay has a map, named bodies, their inputs, commands, and checksums to compare with. A replay file is RON;
//! `docs/formats/replay.md` in the repository lists every field.
//!
//! Games write replays with a [`Recorder`](crate::record::Recorder), and people write them by hand. A [`Playback`]
//! plays a replay. [`verify`] checks a replay file in a test:
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
mod recorder;
mod scenario;
mod script;
mod things;
mod write;

#[cfg(test)]
mod tests;

pub use crate::checksum::PHYSICS_VERSION;
pub use error::{ReplayError, ReplayErrorKind, ToReplayError};
pub use expect::{Expectation, ExpectationCheck, Outcome, UnmetExpectation};
pub use files::{ReplayLoadError, VerifyError, verify};
pub(crate) use path::parts_inside_folder;
pub use recorder::{ReplayLog, ReplayRecorder};
pub use script::{Script, ScriptError, ScriptErrorKind, ScriptExpectation, ScriptPlayer, ScriptRun, ScriptStop};

use crate::body::Input;
use crate::map::Map;
use crate::record::{Checkpoint, Playback, Recording};
use crate::terrain::TileSource;
use crate::world::{Settings, World};
use std::sync::Arc;

/// A run as text that people can edit: a map, named bodies, their inputs, commands and checksums.
///
/// Play a replay with [`Playback::new`], or check a replay file with [`verify`]. Every `Replay` is valid: its names
/// exist, its ticks lie within the run, and its positions are in range.
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
/// use surefoot::record::Playback;
/// use surefoot::Map;
///
/// let replay = Replay::from_ron(r##"Replay(
///     map: Inline(Map(format: 1, tiles: ["@...", "===="])),
///     bodies: [(name: "hero", shape: Aabb(0.35, 0.45), at: Marker("start"), character: ())],
///     inputs: {"hero": [(ticks: 30, walk: 127), (ticks: 1, walk: 127, jump: true)]},
///     ticks: 60,
/// )"##)?;
/// let mut playback = Playback::new(&replay);
/// while playback.step().is_some() {}
/// assert_eq!(playback.world().tick(), 60);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    source: MapSource,
    map: Arc<Map>,
    /// The run. It starts with a new world, and all its bodies have names.
    recording: Arc<Recording>,
    expect: Vec<Expectation>,
}

/// Where the map of a replay is: in a file, or in the text of the replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MapSource {
    /// Path of the map's file, relative to the folder of the replay.
    ///
    /// The path must stay in that folder or below it, with `/` between its parts.
    File(String),
    /// The text of the replay contains the map.
    Inline,
}

/// Consecutive ticks in which the player holds the same buttons: the number of ticks, and the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputRun {
    /// Number of ticks, at least 1.
    pub ticks: u64,
    /// Input of each of these ticks.
    pub input: Input,
}

impl Replay {
    /// Format version of the files.
    pub(crate) const FORMAT: u32 = 1;

    /// Maximum number of ticks in a replay: 10^8, about 19 days at 60 ticks per second.
    pub const MAX_TICKS: u64 = Recording::<()>::MAX_TICKS;

    /// Maximum number of bodies in a replay: 2^20.
    pub const MAX_BODIES: usize = 1 << 20;

    /// Maximum number of commands in a replay: 2^20. Inputs, and the bodies spawned before the first tick, do not
    /// count.
    pub const MAX_COMMANDS: usize = 1 << 20;

    /// Maximum number of body positions in a replay: 2^20. The positions of all ticks count together.
    pub const MAX_POSITIONS: usize = Recording::<()>::MAX_POSITIONS;

    /// Returns the run as a recording: its start, the commands of each tick, and the checksums.
    #[must_use]
    pub fn recording(&self) -> &Arc<Recording> {
        &self.recording
    }

    /// Returns the expectations about the run, such as `hero at goal before 1300`. Check them with
    /// [`ExpectationCheck`].
    #[must_use]
    pub fn expectations(&self) -> &[Expectation] {
        &self.expect
    }

    /// Replaces the expectations about the run by `lines`, such as `hero at goal before 1300`.
    ///
    /// `docs/formats/replay.md` in the repository lists the forms of a line.
    ///
    /// # Errors
    /// Returns [`ReplayErrorKind`]:
    ///
    /// - if a line is not an expectation;
    /// - if a line names a body or a marker that does not exist;
    /// - if a tick is outside the run, or `before` has a tick below 2.
    pub fn with_expectations<'a>(self, lines: impl IntoIterator<Item = &'a str>) -> Result<Replay, ReplayErrorKind> {
        let parse = |line| Expectation::parse(line, &self.recording.names, Some(&self.map), self.recording.ticks);
        let expect = lines.into_iter().map(parse).collect::<Result<_, _>>()?;
        Ok(Replay { expect, ..self })
    }

    /// Returns the version of the physics that recorded the run. The version of this engine is [`PHYSICS_VERSION`].
    #[must_use]
    pub fn physics(&self) -> u32 {
        self.recording.physics
    }

    /// Returns the map that the run is played on.
    #[must_use]
    pub fn map(&self) -> &Arc<Map> {
        &self.map
    }

    /// Returns whether the map has changed since the recording. Then only the motion is compared.
    #[must_use]
    pub(crate) fn map_has_changed(&self) -> bool {
        self.recording.map != self.map.checksum()
    }

    /// Returns where the map of the replay is: in a file or in the text of the replay.
    #[must_use]
    pub fn map_source(&self) -> &MapSource {
        &self.source
    }

    /// Returns the number that identifies the tile source of the recorded world, or `None` for a world without a tile
    /// source.
    ///
    /// A [streamed](World::streamed) world gets its tiles from a tile source, and the number is
    /// [`TileSource::identity`]. The map of the replay then only gives the tile kinds, the tile layers and the
    /// borders. Play such a replay with [`Playback::streamed`].
    #[must_use]
    pub fn source_identity(&self) -> Option<u64> {
        self.recording.source
    }

    /// Returns the settings of the world, such as gravity and the length of a tick.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.recording.start.settings()
    }

    /// Returns the length of the run in ticks.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.recording.ticks
    }

    /// Returns the checksums in the replay, in the order of their ticks. A playback compares its world with them.
    #[must_use]
    pub fn checksums(&self) -> &[Checkpoint] {
        &self.recording.checkpoints
    }
}

/// Returns the names of a map's markers.
fn marker_names(map: &Map) -> Vec<String> {
    let mut names: Vec<String> = map.all_markers().map(|(name, _)| name.to_owned()).collect();
    names.dedup();
    names
}

impl Playback {
    /// Creates a playback at the start of a replay: a new world with the bodies that the replay spawns before its first
    /// tick.
    ///
    /// For a replay of a streamed world (with a [`TileSource`]), use [`Playback::streamed`] instead. `new` creates a
    /// playback that does not play such a replay: the first call of [`Playback::step`] returns
    /// [`DivergenceKind::NoSource`](crate::record::DivergenceKind::NoSource), and the second returns `None`.
    #[must_use]
    pub fn new(replay: &Replay) -> Playback {
        Playback::from_new_world(replay.recording.clone(), World::new(replay.map.clone(), replay.settings()))
    }

    /// Creates a playback at the start of a replay of a streamed world, which gets its tiles from `source`.
    ///
    /// If the replay was recorded with another source or without one, the replay is not played. The first call of
    /// [`Playback::step`] then returns [`DivergenceKind::Source`](crate::record::DivergenceKind::Source), and the
    /// second returns `None`.
    #[must_use]
    pub fn streamed(replay: &Replay, source: Arc<dyn TileSource>) -> Playback {
        Playback::from_new_world(
            replay.recording.clone(),
            World::streamed(replay.map.clone(), source, replay.settings()),
        )
    }
}
