use super::line::{Hex, Line};
use super::{Commands, Names, RecordingErrorKind as Kind, TileSums};
use crate::checksum::{Checksum, PHYSICS_VERSION};
use crate::command::Command;
use crate::event::BodyId;
use crate::snapshot::Snapshot;
use crate::world::{Settings, World};
use std::iter::repeat_n;
use surefoot_geometry::Position;

/// A recorded run of a game whose input is an `I`.
///
/// # Examples
/// ```
/// use serde::{Deserialize, Serialize};
/// use surefoot::prelude::*;
/// use surefoot::{Map, World};
/// use surefoot::record::{Recording, Playback, Recorder};
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
/// let mut recorder = Recorder::create(&path, &world, 60)?; // checksums every 60 ticks
/// for i in 0..100 {
///     let stick = Stick(if i < 50 { 1.0 } else { -0.5 });
///     tick(&mut world, &stick);
///     recorder.record_tick_with(&world, &stick)?;
/// }
/// recorder.finish(&world)?;
///
/// let again = World::new(world.map().clone(), Settings::default());
/// let mut player = Playback::with_game(Recording::<Stick>::load(&path)?, again, tick)?;
/// assert_eq!(player.run()?.checksum, world.checksum());
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Recording<I = Commands> {
    pub(crate) physics: u32,
    pub(crate) map: Checksum,
    pub(crate) source: Option<u64>,
    pub(crate) map_file: Option<String>,
    /// What the map's tiles were, if places of bodies are written down.
    pub(crate) tiles: Option<TileSums>,
    pub(crate) start: RecordingStart,
    pub(crate) runs: Vec<Run<I>>,
    pub(crate) ticks: u64,
    pub(crate) checkpoints: Vec<Checkpoint>,
    pub(super) snapshot_ticks: Vec<RecordedState>,
    pub(crate) names: Names,
    pub(super) complete: bool,
    pub(super) dropped_line: Option<u32>,
}

/// What a run begins with.
#[derive(Clone, Debug)]
pub enum RecordingStart {
    /// A new world, and what was done to it before its first tick. It can be played on a map that has changed since.
    New {
        /// The world's settings.
        settings: Settings,
        /// What was done, in order.
        commands: Commands,
    },
    /// A world at any moment, on the map that it was recorded on.
    State(Box<Snapshot>),
}

/// A stretch of ticks with the same input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run<I> {
    /// How many ticks, at least 1.
    pub ticks: u64,
    /// The input of each.
    pub input: I,
}

/// The checksums of a world at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// How many ticks the world had been stepped.
    pub tick: u64,
    /// The checksum of the whole state.
    pub state: Checksum,
    /// The checksum of the motion alone.
    pub motion: Checksum,
    /// Where bodies are, as far as that was written down: for a player that runs otherwise to show where each should have
    /// been. Whether it does is for the checksums to say.
    pub positions: Vec<BodyPosition>,
}

/// Where a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyPosition {
    /// The body.
    pub body: BodyId,
    /// Where it is.
    pub position: Position,
}

/// A state on the way, kept as the bytes of a [`Snapshot`].
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RecordedState {
    pub(super) tick: u64,
    pub(super) bytes: Box<[u8]>,
}

impl RecordingStart {
    /// How a world is now that has been stepped so far: a new one if its commands say how it came to be as it is.
    pub(super) fn of(world: &World) -> RecordingStart {
        if world.is_told_by_its_commands() {
            RecordingStart::New { settings: world.settings(), commands: world.pending.clone() }
        } else {
            RecordingStart::State(Box::new(world.capture()))
        }
    }

    /// How many ticks the world had been stepped.
    #[must_use]
    pub fn tick(&self) -> u64 {
        match self {
            RecordingStart::New { .. } => 0,
            RecordingStart::State(state) => state.tick(),
        }
    }
}

/// Two states are equal if they are to the bit.
impl PartialEq for RecordingStart {
    fn eq(&self, other: &RecordingStart) -> bool {
        match (self, other) {
            (RecordingStart::New { settings, commands }, RecordingStart::New { settings: others, commands: other }) => {
                settings == others && commands == other
            }
            (RecordingStart::State(one), RecordingStart::State(other)) => one.to_bytes() == other.to_bytes(),
            _ => false,
        }
    }
}

impl<I> Recording<I> {
    /// The format version of the files that are written and read.
    pub(crate) const FORMAT: u32 = 1;

    /// The most ticks of a log: 10^8, some 19 days at 60 a second.
    pub const MAX_TICKS: u64 = 100_000_000;

    /// The most places of bodies, in all checkpoints of a log.
    pub const MAX_POSITIONS: usize = 1 << 20;

    /// A log of no ticks that begins with a world as it is.
    pub(super) fn of(world: &World) -> Recording<I> {
        let source = world.terrain().source_identity();
        Recording::new(PHYSICS_VERSION, world.map().checksum(), source, None, RecordingStart::of(world))
    }

    /// A log of no ticks.
    pub(crate) fn new(
        physics: u32,
        map: Checksum,
        source: Option<u64>,
        map_file: Option<String>,
        start: RecordingStart,
    ) -> Recording<I> {
        Recording {
            physics,
            map,
            source,
            map_file,
            tiles: None,
            start,
            runs: Vec::new(),
            ticks: 0,
            checkpoints: Vec::new(),
            snapshot_ticks: Vec::new(),
            names: Names::default(),
            complete: false,
            dropped_line: None,
        }
    }

    /// The log, of which nothing is missing.
    pub(crate) fn whole(self) -> Recording<I> {
        Recording { complete: true, ..self }
    }

    /// Which physics it was made by, see [`PHYSICS_VERSION`].
    #[must_use]
    pub fn physics(&self) -> u32 {
        self.physics
    }

    /// The checksum of the map that it was recorded on, see [`Map::checksum`](crate::map::Map::checksum).
    #[must_use]
    pub fn map_checksum(&self) -> Checksum {
        self.map
    }

    /// For a run on a [streamed](World::streamed) world what the source of its tiles said of itself, see
    /// [`TileSource::identity`](crate::terrain::TileSource::identity).
    #[must_use]
    pub fn source_identity(&self) -> Option<u64> {
        self.source
    }

    /// The file of the map, if the game has named it.
    #[must_use]
    pub fn map_file(&self) -> Option<&str> {
        self.map_file.as_deref()
    }

    /// What it begins with.
    #[must_use]
    pub fn start(&self) -> &RecordingStart {
        &self.start
    }

    /// How many ticks it has.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// The tick that the world is at after the last one.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.start.tick() + self.ticks
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

    /// The checkpoints to compare by, in the order of their ticks.
    #[must_use]
    pub fn checkpoints(&self) -> &[Checkpoint] {
        &self.checkpoints
    }

    /// The ticks of which the whole state is recorded, the beginning not among them.
    pub fn snapshot_ticks(&self) -> impl Iterator<Item = u64> {
        self.snapshot_ticks.iter().map(|state| state.tick)
    }

    /// The name of a body, if it has one.
    #[must_use]
    pub fn name(&self, body: BodyId) -> Option<&str> {
        self.names.name(body)
    }

    /// The body of a name.
    #[must_use]
    pub fn body(&self, name: &str) -> Option<BodyId> {
        self.names.body(name)
    }

    /// Whether its end is there: that it was finished, and not cut off by a crash or a full disk.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// The last line of its file, counted from 1, if it was written in part only and was left out.
    #[must_use]
    pub fn dropped_line(&self) -> Option<u32> {
        self.dropped_line
    }

    /// Takes in the next line; the name of the field that is wrong with it.
    pub(super) fn take(&mut self, line: Line<I>) -> Result<(), (Kind, &'static str)> {
        let now = self.end();
        // Ticks that could still come without the count of them going beyond what can be counted.
        let most = (Self::MAX_TICKS - self.ticks).min(u64::MAX - now);
        let run = |ticks: u64| {
            let fits = (1..=most).contains(&ticks);
            if fits { Ok(ticks) } else { Err((Kind::Ticks { found: ticks, max: most }, "ticks")) }
        };
        let due = |tick: u64, last: Option<u64>| match tick {
            _ if tick != now => Err((Kind::Tick { found: tick, expected: now }, "tick")),
            _ if last == Some(tick) => Err((Kind::Twice { tick }, "tick")),
            _ => Ok(()),
        };
        match line {
            Line::New { .. } => return Err((Kind::Order { expected: "a line of a tick" }, "settings")),
            Line::Inputs { ticks, input } => {
                self.ticks += run(ticks)?;
                self.runs.push(Run { ticks, input });
            }
            Line::Same { ticks } => {
                let ticks = run(ticks)?;
                let last = self.runs.last_mut().ok_or((Kind::Order { expected: "an input" }, "ticks"))?;
                last.ticks += ticks;
                self.ticks += ticks;
            }
            Line::Sums { tick, state, motion, positions } => {
                due(tick, self.checkpoints.last().map(|last| last.tick))?;
                let positions = positions.into_iter().map(|(body, position)| BodyPosition { body, position }).collect();
                self.checkpoints.push(Checkpoint { tick, state, motion, positions });
            }
            Line::State { tick, bytes: Hex(bytes) } => {
                due(tick, Some(self.snapshot_ticks.last().map_or(self.start.tick(), |last| last.tick)))?;
                self.snapshot_ticks.push(RecordedState { tick, bytes: bytes.into() });
            }
            Line::Name { body, name } => {
                self.names.insert(body, name).map_err(|error| (Kind::Name(Box::new(error)), "name"))?;
            }
            Line::End { ticks } => {
                if ticks != self.ticks {
                    return Err((Kind::Tick { found: ticks, expected: self.ticks }, "ticks"));
                }
                self.complete = true;
            }
        }
        Ok(())
    }
}

impl Recording {
    /// What was done, each with the tick that it was done before, in order.
    pub fn commands(&self) -> impl Iterator<Item = (u64, &Command)> {
        let first = match &self.start {
            RecordingStart::New { commands, .. } => &commands[..],
            // What was given before is in the state.
            RecordingStart::State(_) => &[],
        };
        let runs = self.runs.iter().scan(self.start.tick(), |next, run| {
            let from = *next;
            *next += run.ticks;
            Some((from, run))
        });
        // A run of nothing is passed over at once, however long it is.
        let later = runs.filter(|(_, run)| !run.input.is_empty()).flat_map(|(from, run)| {
            (from..from + run.ticks).flat_map(move |tick| run.input.iter().map(move |command| (tick, command)))
        });
        first.iter().map(|command| (0, command)).chain(later)
    }
}
