//! Recorded runs: a map, bodies, and what was done to them tick by tick, with checksums to compare by.
//!
//! A replay file is RON; `docs/replay-format.md` in the repository lists every field. A game writes one with a
//! [`Recorder`], or a person by hand; a [`Player`] runs it, and [`verify`] does so in a test:
//!
//! ```no_run
//! surefoot::replay::verify("maps/first_steps.replay.ron").unwrap();
//! ```

mod check;
mod doubts;
mod error;
mod files;
pub(crate) mod format;
mod misplaced;
pub(crate) mod parse;
mod path;
mod play;
mod record;
mod script;
mod write;

#[cfg(test)]
mod tests;

pub use crate::checksum::PHYSICS_VERSION;
pub use error::{RecordError, ReplayError, ReplayErrorKind};
pub use files::{ReplayFileError, VerifyError, verify};
pub use misplaced::Misplaced;
pub(crate) use path::inside;
pub use play::{Difference, Divergence, Player, Summary, Verdict};
pub use record::Recorder;
pub use script::{Script, ScriptError, ScriptErrorKind, ScriptStop};

use crate::body::{Body, Character, Input};
use crate::checksum::Checksum;
use crate::map::{EntryId, Map};
use crate::world::Settings;
use glam::DVec2;
use std::sync::Arc;
use surefoot_geometry::Place;

/// A recorded run, checked: every name is that of a body, every tick lies within the run, every place is one.
///
/// # Examples
/// ```
/// use surefoot::replay::{Player, Replay};
///
/// let replay = Replay::from_ron(r##"Replay(
///     map: Inline(Map(format: 1, tiles: ["@...", "===="])),
///     bodies: [(name: "hero", shape: Aabb(0.35, 0.45), at: Marker("start"), character: ())],
///     inputs: {"hero": [(ticks: 30, walk: 127), (ticks: 1, walk: 127, jump: true)]},
///     ticks: 60,
/// )"##)?;
/// let mut player = Player::new(replay);
/// while player.step().is_some() {}
/// assert_eq!(player.world().tick(), 60);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    physics: u32,
    source: MapSource,
    map: Arc<Map>,
    /// The checksum of the map that it was recorded on.
    recorded_on: Checksum,
    /// For a streamed world what the source of its tiles said of itself.
    tiles: Option<u64>,
    settings: Settings,
    bodies: Vec<NamedBody>,
    inputs: Vec<(String, Vec<InputRun>)>,
    commands: Vec<TimedAction>,
    ticks: u64,
    checksums: Vec<Checkpoint>,
}

/// Where a replay has its map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MapSource {
    /// In a file of that path, relative to the replay's folder and below it, with `/` between its parts.
    File(String),
    /// In the replay itself.
    Inline,
}

/// A body of a replay.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedBody {
    /// Its name, of its own in the replay.
    pub name: String,
    /// The body as it is spawned.
    pub body: Body,
}

/// A stretch of ticks in which a player holds the same down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputRun {
    /// How many ticks, at least 1.
    pub ticks: u64,
    /// What is held down.
    pub input: Input,
}

/// Something done to the world before a tick.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedAction {
    /// Before which tick: that many have been stepped before.
    pub tick: u64,
    /// What is done.
    pub action: Action,
}

/// A [`Command`](crate::command::Command) with bodies by their names.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Action {
    /// Puts a body into the world.
    Spawn(Box<NamedBody>),
    /// Takes a body out of it.
    Remove(String),
    /// Sets a body's velocity, in tiles per second.
    SetVelocity(String, DVec2),
    /// Puts a body somewhere else.
    Teleport(String, Place),
    /// Changes how a character moves.
    SetCharacter(String, Character),
    /// Paints a cell of a layer with an entry of the map's legend.
    SetTile {
        /// Which of the map's layers, from 0.
        layer: usize,
        /// The cell.
        tile: (i32, i32),
        /// What it becomes.
        entry: EntryId,
    },
    /// Paints all cells of a rectangle with an entry of the map's legend.
    SetTiles {
        /// Which of the map's layers, from 0.
        layer: usize,
        /// A corner of the rectangle.
        from: (i32, i32),
        /// The opposite corner; both belong to it.
        to: (i32, i32),
        /// What each cell becomes.
        entry: EntryId,
    },
}

/// The checksums of a world at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// How many ticks have been stepped.
    pub tick: u64,
    /// The checksum of the whole state.
    pub state: Checksum,
    /// The checksum of the motion alone.
    pub motion: Checksum,
    /// Where bodies are, as far as that was written down: for a player that runs otherwise to show where each should have
    /// been. Whether it does is for the checksums to say.
    pub places: Vec<NamedPlace>,
}

/// Where the body of a name is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPlace {
    /// The body's name.
    pub name: String,
    /// Where it is.
    pub place: Place,
}

impl Replay {
    /// The format version that is written and read.
    pub const FORMAT: u32 = 2;

    /// The most ticks of a replay: 10^8, some 19 days at 60 a second.
    pub const MAX_TICKS: u64 = 100_000_000;

    /// The most bodies that may be spawned in a replay.
    pub const MAX_BODIES: usize = 1 << 20;

    /// The most places of bodies, in all checkpoints of a replay.
    pub const MAX_PLACES: usize = 1 << 20;

    /// Which physics it was made by, see [`PHYSICS_VERSION`].
    #[must_use]
    pub fn physics(&self) -> u32 {
        self.physics
    }

    /// The map it runs on.
    #[must_use]
    pub fn map(&self) -> &Arc<Map> {
        &self.map
    }

    /// Whether the map is not as it was when the replay was recorded. Only the motion is then compared.
    #[must_use]
    pub fn map_has_changed(&self) -> bool {
        self.recorded_on != self.map.checksum()
    }

    /// Where the replay has its map.
    #[must_use]
    pub fn map_source(&self) -> &MapSource {
        &self.source
    }

    /// For a recording of a [streamed](crate::world::World::streamed) world what the source of its tiles said of itself,
    /// see [`TileSource::identity`](crate::terrain::TileSource::identity); the map is then the template. Such a replay is
    /// played by [`Player::streamed`].
    #[must_use]
    pub fn source_identity(&self) -> Option<u64> {
        self.tiles
    }

    /// The world's settings.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// The bodies that are in the world from the first tick on, in the order they are spawned in.
    #[must_use]
    pub fn bodies(&self) -> &[NamedBody] {
        &self.bodies
    }

    /// Bodies by name with their inputs, each from its first tick on. After the last run its input stays.
    #[must_use]
    pub fn inputs(&self) -> &[(String, Vec<InputRun>)] {
        &self.inputs
    }

    /// What else is done to the world, in order.
    #[must_use]
    pub fn commands(&self) -> &[TimedAction] {
        &self.commands
    }

    /// How many ticks it has.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// The checksums to compare by, in the order of their ticks.
    #[must_use]
    pub fn checksums(&self) -> &[Checkpoint] {
        &self.checksums
    }
}
