use super::log::RecordedState;
use super::{Commands, PlaybackError, PositionMismatch, Recording, RecordingStart, TileSums};
use crate::checksum::{Checksum, PHYSICS_VERSION};
use crate::event::BodyId;
use crate::snapshot::Snapshot;
use crate::world::World;
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// Runs a log on a world of its own, tick by tick, and compares it with what was recorded.
///
/// `G` is what the game does in a tick with the input of that tick, the one step of the world included. A log of commands
/// has [`Playback::of_commands`], which applies them in order and steps.
#[derive(Clone, Debug)]
pub struct Playback<I = Commands, G = fn(&mut World, &Commands)> {
    recording: Arc<Recording<I>>,
    pub(super) world: World,
    pub(super) game: G,
    /// Which run of inputs comes next, and how many ticks of it were stepped.
    run: usize,
    done: u64,
    next_checkpoint: usize,
    /// The last tick that was as recorded.
    pub(super) good: u64,
    /// What was found elsewhere when places were last compared.
    pub(super) mismatches: Vec<PositionMismatch>,
    /// What the tiles are now, if they have changed and the log knows of them.
    pub(super) tiles: Option<Arc<TileSums>>,
    /// Why nothing is played any more, and whether that was told.
    refused: Option<Divergence>,
    told: bool,
}

/// What comparing a tick has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TickComparison {
    /// The log has no checksums for this tick.
    Unchecked,
    /// They are those of the world.
    Matches,
    /// They are not.
    Differs(Divergence),
}

/// A tick after which a world is not as it was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{}", told(self))]
pub struct Divergence {
    /// How many ticks had been stepped.
    pub tick: u64,
    /// The recorded checksum.
    pub expected: Checksum,
    /// The checksum of the world.
    pub found: Checksum,
    /// Whether bodies are elsewhere, or only something else is different.
    pub kind: DivergenceKind,
}

fn told(Divergence { tick, expected, found, kind: what }: &Divergence) -> String {
    match what {
        DivergenceKind::NoSource => {
            format!("the tiles come from a source that is not given; expected the one of {expected}")
        }
        DivergenceKind::Source => format!("the tiles come from the source of {found}; expected the one of {expected}"),
        DivergenceKind::Ticks => format!(
            "the game's function left the world at tick {tick}; expected {}, one step for each input",
            expected.0
        ),
        DivergenceKind::Motion | DivergenceKind::State => {
            format!("the {what} differs after tick {tick}: checksum {found}, expected {expected}")
        }
        DivergenceKind::ChangedMap => format!(
            "the {what} differs after tick {tick}: checksum {found}, expected {expected}; the map has changed since it was \
             recorded"
        ),
    }
}

/// What is different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DivergenceKind {
    /// The motion: a body's place or velocity.
    Motion,
    /// The motion, on a map that is not as it was when the run was recorded.
    ChangedMap,
    /// The state but not the motion: a setting, an input, a tile, a contact.
    State,
    /// The run was on a streamed world, and the player has no source of its tiles; nothing was played. Expected is what
    /// the source has said of itself.
    NoSource,
    /// The player has another source of tiles than the run was recorded with; nothing was played. What is compared is
    /// what the two say of themselves, 0 for a log without a source.
    Source,
    /// The game's function has not made one tick; nothing more is played. What is compared are the numbers of ticks.
    Ticks,
}

impl fmt::Display for DivergenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DivergenceKind::Motion | DivergenceKind::ChangedMap => "motion",
            DivergenceKind::State => "state",
            DivergenceKind::NoSource | DivergenceKind::Source => "source of the tiles",
            DivergenceKind::Ticks => "number of ticks",
        })
    }
}

/// What a run came to that went to its end without a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaybackSummary {
    /// How many ticks were stepped.
    pub ticks: u64,
    /// The checksum of the whole state at the end.
    pub checksum: Checksum,
    /// How many checkpoints were compared; 0 for a log without checksums.
    pub compared: usize,
    /// Only the motion was compared: the log was made by another physics version or on another state of its map.
    pub motion_only: bool,
    /// The map is not as it was when the run was recorded.
    pub map_changed: bool,
}

/// One tick of a game that is driven by commands: they are applied in order, then the world is stepped.
///
/// What is refused is passed over: in a recorded run nothing is, unless it differs already.
// The input of a log of commands is a list; players hand out references to it.
#[allow(clippy::ptr_arg)]
pub(crate) fn apply_and_step(world: &mut World, commands: &Commands) {
    apply(world, commands);
    world.step();
}

fn apply(world: &mut World, commands: &[crate::command::Command]) {
    for command in commands {
        let _ = world.apply(command.clone());
    }
}

impl Playback {
    /// A player of a log of commands on a world; see [`Playback::with_game`].
    ///
    /// # Errors
    /// As [`Playback::with_game`].
    pub fn of_commands(log: impl Into<Arc<Recording>>, world: World) -> Result<Playback, PlaybackError> {
        Playback::with_game(log, world, apply_and_step)
    }

    /// A player of a log that begins with a new world, on a new world with its settings.
    pub(crate) fn of_new(log: Arc<Recording>, mut world: World) -> Playback {
        if let RecordingStart::New { commands, .. } = &log.start {
            apply(&mut world, commands);
        }
        Playback::begin(log, world, apply_and_step)
    }
}

impl<I, G: FnMut(&mut World, &I)> Playback<I, G> {
    /// A player at the beginning of a log, on a world that becomes what the log begins with: any world on its map.
    ///
    /// With another source of tiles than the log's nothing is played: the first step tells of [`Difference::Source`] or
    /// [`Difference::NoSource`] and is the last.
    ///
    /// # Errors
    /// [`PlaybackError::State`] for a log that begins with a state of another map.
    pub fn with_game(
        log: impl Into<Arc<Recording<I>>>,
        mut world: World,
        game: G,
    ) -> Result<Playback<I, G>, PlaybackError> {
        let log = log.into();
        match &log.start {
            RecordingStart::State(state) => load(&mut world, state)?,
            RecordingStart::New { settings, commands } => {
                let new = Snapshot { identity: world.identity(), settings: *settings, ..Snapshot::unloaded() };
                load(&mut world, &new)?;
                world.restart_platforms();
                apply(&mut world, commands);
            }
        }
        Ok(Playback::begin(log, world, game))
    }

    /// A player on a world that is as the log begins.
    fn begin(log: Arc<Recording<I>>, world: World, game: G) -> Playback<I, G> {
        let own = world.terrain().source_identity();
        let [expected, found] = [log.source, own].map(|identity| Checksum(identity.unwrap_or(0)));
        let what = if own.is_none() { DivergenceKind::NoSource } else { DivergenceKind::Source };
        let refused = (log.source != own).then_some(Divergence { tick: world.tick(), expected, found, kind: what });
        let tick = log.start.tick();
        let next_checkpoint = log.checkpoints.partition_point(|checkpoint| checkpoint.tick <= tick);
        let has_changed = log.tiles.is_some() && log.map != world.map().checksum();
        let tiles = has_changed.then(|| Arc::new(TileSums::of(world.map())));
        Playback {
            recording: log,
            world,
            game,
            run: 0,
            done: 0,
            next_checkpoint,
            good: tick,
            mismatches: Vec::new(),
            tiles,
            refused,
            told: false,
        }
    }

    /// Moves the world on by one tick; `None` at the end of the log.
    ///
    /// After a tick that differs the player goes on all the same, so that one can look at what comes of it.
    pub fn step(&mut self) -> Option<TickComparison> {
        if let Some(divergence) = self.refused {
            return (!std::mem::replace(&mut self.told, true)).then_some(TickComparison::Differs(divergence));
        }
        let run = self.recording.runs.get(self.run)?;
        let expected = self.world.tick() + 1;
        (self.game)(&mut self.world, &run.input);
        self.done += 1;
        if self.done == run.ticks {
            (self.run, self.done) = (self.run + 1, 0);
        }
        let tick = self.world.tick();
        if tick != expected {
            let (expected, found) = (Checksum(expected), Checksum(tick));
            let divergence = Divergence { tick, expected, found, kind: DivergenceKind::Ticks };
            (self.refused, self.told) = (Some(divergence), true);
            return Some(TickComparison::Differs(divergence));
        }
        Some(self.compare())
    }

    /// Steps to a tick, or to the end of the log, at most to the first tick that differs.
    ///
    /// # Errors
    /// [`Divergence`]: that tick and the two checksums.
    pub fn run_to(&mut self, tick: u64) -> Result<(), Divergence> {
        if let Some(divergence) = self.refused {
            return Err(divergence);
        }
        while self.world.tick() < tick {
            match self.step() {
                Some(TickComparison::Differs(divergence)) => return Err(divergence),
                Some(_) => {}
                None => break,
            }
        }
        Ok(())
    }

    /// Runs the rest of the log, at most to the first tick that differs.
    ///
    /// # Errors
    /// [`Divergence`]: that tick and the two checksums.
    pub fn run(&mut self) -> Result<PlaybackSummary, Divergence> {
        self.run_to(u64::MAX)?;
        let at_first =
            self.recording.checkpoints.partition_point(|checkpoint| checkpoint.tick <= self.recording.start.tick());
        Ok(PlaybackSummary {
            ticks: self.world.tick() - self.recording.start.tick(),
            checksum: self.checksum(),
            compared: self.next_checkpoint - at_first,
            motion_only: self.is_motion_only(),
            map_changed: self.map_has_changed(),
        })
    }

    /// The world as it is now.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world as it is now, to do something else with.
    #[must_use]
    pub fn into_world(self) -> World {
        self.world
    }

    /// The log.
    #[must_use]
    pub fn recording(&self) -> &Recording<I> {
        &self.recording
    }

    /// Whether the map is not as it was when the run was recorded. Only the motion is then compared.
    #[must_use]
    pub(crate) fn map_has_changed(&self) -> bool {
        self.recording.map != self.world.map().checksum()
    }

    /// Whether only the motion is compared: the log was made by another physics version or on another state of its map.
    #[must_use]
    pub(crate) fn is_motion_only(&self) -> bool {
        self.recording.physics != PHYSICS_VERSION || self.map_has_changed()
    }

    /// The checksum of the world: [`World::checksum`].
    #[must_use]
    pub fn checksum(&self) -> Checksum {
        self.world.checksum()
    }

    /// The bodies in the world that have names, in the order of their slots.
    pub fn names(&self) -> impl Iterator<Item = (BodyId, &str)> {
        self.world.bodies().filter_map(|(id, _)| self.name(id).map(|name| (id, name)))
    }

    /// The name of a body, also of one that has been removed.
    #[must_use]
    pub fn name(&self, body: BodyId) -> Option<&str> {
        self.recording.name(body)
    }

    /// The body of a name; `None` if there is none, not yet or no longer.
    #[must_use]
    pub fn body(&self, name: &str) -> Option<BodyId> {
        self.recording.body(name).filter(|&id| self.world.get(id).is_some())
    }

    fn compare(&mut self) -> TickComparison {
        let tick = self.world.tick();
        let checkpoint = self.recording.checkpoints.get(self.next_checkpoint);
        let Some(checkpoint) = checkpoint.filter(|checkpoint| checkpoint.tick == tick) else {
            return TickComparison::Unchecked;
        };
        self.next_checkpoint += 1;
        let (state, motion) = (checkpoint.state, checkpoint.motion);
        if !checkpoint.positions.is_empty() {
            self.mismatches = self.differing(checkpoint);
        }
        let differs = |what, expected, found| TickComparison::Differs(Divergence { tick, expected, found, kind: what });
        let found = self.world.motion_checksum();
        if found != motion {
            let changed = self.map_has_changed();
            return differs(if changed { DivergenceKind::ChangedMap } else { DivergenceKind::Motion }, motion, found);
        }
        if !self.is_motion_only() {
            let found = self.checksum();
            if found != state {
                return differs(DivergenceKind::State, state, found);
            }
        }
        self.good = tick;
        TickComparison::Matches
    }
}

/// Makes a world what it was in a state, with the settings of the log.
pub(super) fn load(world: &mut World, state: &Snapshot) -> Result<(), PlaybackError> {
    let loaded = world.load_with_settings(state);
    loaded.map_err(|error| PlaybackError::State { tick: state.tick(), error: Box::new(error) })
}

impl RecordedState {
    pub(super) fn snapshot(&self) -> Result<Snapshot, PlaybackError> {
        Snapshot::from_bytes(&self.bytes)
            .map_err(|error| PlaybackError::State { tick: self.tick, error: Box::new(error) })
    }
}
