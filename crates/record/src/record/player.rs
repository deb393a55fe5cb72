use super::log::RecordedState;
use super::{PlaybackError, PositionMismatch, Recording, RecordingStart, TileSums};
use crate::checksum::{Checksum, PHYSICS_VERSION};
use crate::event::BodyId;
use crate::snapshot::Snapshot;
use crate::told::debug_is_display;
use crate::world::World;
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// Plays a recording of commands tick by tick on a world, and compares the world with the recorded checksums.
///
/// For a [`Replay`](crate::replay::Replay), use [`Playback::new`]. To play a recording through the rules of a game, use
/// [`GameRun::verify`](super::GameRun::verify) or [`GameRun::play`](super::GameRun::play).
#[derive(Clone, Debug)]
pub struct Playback {
    recording: Arc<Recording>,
    pub(super) world: World,
    pub(super) cursor: Cursor,
}

/// How far a recording was played, and the result of the comparisons so far.
#[derive(Clone, Debug)]
pub(super) struct Cursor {
    /// Index of the current run of equal inputs. The next field counts the ticks of that run that were played.
    run: usize,
    done: u64,
    next_checkpoint: usize,
    /// Mismatches of the last comparison of positions.
    pub(super) mismatches: Vec<PositionMismatch>,
    /// Tile sums of the present map, if the map has changed and the recording has tile sums to compare with.
    pub(super) tiles: Option<Arc<TileSums>>,
    /// Reason why playing stopped, if it did.
    refused: Option<Divergence>,
    /// Whether [`Cursor::step`] has returned the reason.
    is_refusal_reported: bool,
}

/// Result of comparing the world with the recording after one tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TickComparison {
    /// The recording has no checksums for this tick, so nothing was compared.
    Unchecked,
    /// The checksums of the world equal the recorded checksums.
    Matches,
    /// The checksums of the world differ from the recorded checksums, or the run cannot be played.
    Differs(Divergence),
}

/// The first difference between a run and its recording.
#[derive(Clone, Copy, PartialEq, Eq, Error)]
#[error("{}", describe_divergence(self))]
pub struct Divergence {
    /// Tick of the world at the difference: the number of times that the world had been stepped.
    pub tick: u64,
    /// The recorded checksum. If `kind` is `NoSource` or `Source`, this is another number instead: see
    /// [`DivergenceKind`].
    pub expected: Checksum,
    /// The checksum of the world in the playback. If `kind` is `NoSource` or `Source`, this is another number instead:
    /// see [`DivergenceKind`].
    pub found: Checksum,
    /// Kind of the difference, such as a body at another position.
    pub kind: DivergenceKind,
}

debug_is_display!(Divergence);

fn describe_divergence(Divergence { tick, expected, found, kind: what }: &Divergence) -> String {
    match what {
        DivergenceKind::NoSource => {
            format!("the world has no tile source; expected the source with the identity {expected}")
        }
        DivergenceKind::Source => format!("the tile source has the identity {found}; expected {expected}"),
        DivergenceKind::Motion | DivergenceKind::State => {
            format!("the {what} differs after tick {tick}: checksum {found}, expected {expected}")
        }
        DivergenceKind::ChangedMap => format!(
            "the {what} differs after tick {tick}: checksum {found}, expected {expected}; the map has changed since the \
             recording"
        ),
    }
}

/// Kind of a difference between a run and its recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DivergenceKind {
    /// The position or velocity of a body differs.
    Motion,
    /// The position or velocity of a body differs, and the map has changed since the recording.
    ChangedMap,
    /// All positions and velocities match, but something else in the world differs, such as a setting, an input, a tile
    /// or a contact.
    State,
    /// The run was recorded on a streamed world (with a [`TileSource`](crate::terrain::TileSource)), but the world of
    /// the playback has no tile source.
    ///
    /// The run is not played. `expected` in [`Divergence`] is the recorded identity of the source.
    NoSource,
    /// The world of the playback has another [`TileSource`](crate::terrain::TileSource) (which supplies the tiles of
    /// a streamed world) than the recorded world.
    ///
    /// The run is not played. `expected` and `found` in [`Divergence`] are the identities of the sources, 0 for a world
    /// without a source.
    Source,
}

impl fmt::Display for DivergenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DivergenceKind::Motion | DivergenceKind::ChangedMap => "motion",
            DivergenceKind::State => "state",
            DivergenceKind::NoSource | DivergenceKind::Source => "tile source",
        })
    }
}

/// Summary of a run that was played to its end without a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaybackSummary {
    /// Number of ticks that were played.
    pub ticks: u64,
    /// Checksum of the whole state of the world at the end: see [`World::checksum`].
    pub checksum: Checksum,
    /// Number of ticks whose checksums were compared. 0 if the recording has no checksums.
    pub compared: usize,
    /// Whether only positions and velocities were compared.
    ///
    /// `true` if the physics version or the map has changed since the recording. Otherwise the whole state was
    /// compared.
    pub motion_only: bool,
    /// Whether the map has changed since the recording.
    pub map_changed: bool,
}

/// Applies commands in order. Refused commands are skipped: a recorded run contains none, unless it has diverged
/// already.
fn apply_commands(world: &mut World, commands: &[crate::command::Command]) {
    for command in commands {
        let _ = world.apply(command.clone());
    }
}

impl Playback {
    /// Creates a playback at the start of `log`, a recording of commands.
    ///
    /// `world` may be any world on the map of the recording. The playback replaces the state of `world` by the start of
    /// the recording. Bodies that the recorder did not name get their names of the map, or else `body_1`, `body_2` and
    /// so on. If the recording starts with a saved state, names of the map need a `world` of [`World::from_map`].
    ///
    /// If `world` has another [`TileSource`](crate::terrain::TileSource) than the recorded world, the run is not
    /// played. Then the first call of [`Playback::step`] returns [`DivergenceKind::Source`] or
    /// [`DivergenceKind::NoSource`], and the second returns `None`.
    ///
    /// # Errors
    /// Returns [`PlaybackError::State`] if the recording starts with a saved state that cannot be restored on the map
    /// of `world`: for example, it was recorded on another map.
    pub fn of_commands(log: impl Into<Arc<Recording>>, mut world: World) -> Result<Playback, PlaybackError> {
        let mut log = log.into();
        restore_start(&mut world, &log.start)?;
        let names = log.all_names(&world);
        if names != log.names {
            Arc::make_mut(&mut log).names = names;
        }
        Ok(Playback::at_start(log, world))
    }

    /// Creates a playback of a recording that starts with a new world, on a new world with its settings.
    pub(crate) fn from_new_world(log: Arc<Recording>, mut world: World) -> Playback {
        if let RecordingStart::New { commands, .. } = &log.start {
            apply_commands(&mut world, commands);
        }
        Playback::at_start(log, world)
    }

    /// Creates a playback on a world that equals the start of the recording.
    fn at_start(log: Arc<Recording>, world: World) -> Playback {
        let cursor = Cursor::at_start(&log, &world);
        Playback { recording: log, world, cursor }
    }

    /// Plays one tick and compares the world with the recording. Returns `None` at the end of the recording.
    ///
    /// After a difference, you can call `step` again to see how the run continues.
    pub fn step(&mut self) -> Option<TickComparison> {
        self.cursor.step(&self.recording, &mut self.world, |world, commands| {
            apply_commands(world, commands);
            world.step();
        })
    }

    /// Plays until the world is at `tick`, or to the end of the recording. Stops at the first difference.
    ///
    /// # Errors
    /// Returns the first [`Divergence`]: its tick, and the expected and the found checksum.
    pub fn run_to(&mut self, tick: u64) -> Result<(), Divergence> {
        if let Some(divergence) = self.cursor.refused {
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

    /// Plays to the end of the recording. Stops at the first difference.
    ///
    /// # Errors
    /// Returns the first [`Divergence`]: its tick, and the expected and the found checksum.
    pub fn run(&mut self) -> Result<PlaybackSummary, Divergence> {
        self.run_to(u64::MAX)?;
        Ok(self.cursor.summary(&self.recording, &self.world))
    }

    /// Returns the world that the playback steps.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Returns the world that the playback steps, and drops the playback. You can then step the world yourself, for
    /// example with new inputs.
    #[must_use]
    pub fn into_world(self) -> World {
        self.world
    }

    /// Returns the recording that is played.
    #[must_use]
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// Returns the checksum of the world that the playback steps: see [`World::checksum`].
    #[must_use]
    pub fn checksum(&self) -> Checksum {
        self.world.checksum()
    }

    /// Returns all bodies that are in the world now and have a name in the recording, with their names.
    ///
    /// The bodies come in the order of [`World::bodies`].
    pub fn names(&self) -> impl Iterator<Item = (BodyId, &str)> {
        self.world.bodies().filter_map(|(id, _)| self.name(id).map(|name| (id, name)))
    }

    /// Returns the name of a body in the recording, even if the body was removed. Returns `None` if the body has no
    /// name.
    #[must_use]
    pub fn name(&self, body: BodyId) -> Option<&str> {
        self.recording.name(body)
    }

    /// Returns the body with the given name in the recording.
    ///
    /// Returns `None` if no body has the name, or if the body is not in the world now.
    #[must_use]
    pub fn body(&self, name: &str) -> Option<BodyId> {
        self.recording.body(name).filter(|&id| self.world.get(id).is_some())
    }
}

impl Cursor {
    /// Creates a cursor at the start of a log, for a world that equals that start.
    pub(super) fn at_start<I>(log: &Recording<I>, world: &World) -> Cursor {
        let own = world.terrain().source_identity();
        let [expected, found] = [log.source, own].map(|identity| Checksum(identity.unwrap_or(0)));
        let what = if own.is_none() { DivergenceKind::NoSource } else { DivergenceKind::Source };
        let refused = (log.source != own).then_some(Divergence { tick: world.tick(), expected, found, kind: what });
        let tick = log.start.tick();
        let next_checkpoint = log.checkpoints.partition_point(|checkpoint| checkpoint.tick <= tick);
        let has_changed = log.tiles.is_some() && map_has_changed(log, world);
        let tiles = has_changed.then(|| Arc::new(TileSums::of_map(world.map())));
        Cursor { run: 0, done: 0, next_checkpoint, mismatches: Vec::new(), tiles, refused, is_refusal_reported: false }
    }

    /// Creates a cursor at the tick of a world that was played up to there.
    pub(super) fn at_tick<I>(log: &Recording<I>, world: &World) -> Cursor {
        let tick = world.tick();
        let mut left = tick.saturating_sub(log.start.tick());
        let run = log.runs.iter().position(|run| {
            let is_here = left < run.ticks;
            left -= if is_here { 0 } else { run.ticks };
            is_here
        });
        let next_checkpoint = log.checkpoints.partition_point(|checkpoint| checkpoint.tick <= tick);
        let run = run.unwrap_or(log.runs.len());
        let done = if run == log.runs.len() { 0 } else { left };
        Cursor { run, done, next_checkpoint, ..Cursor::at_start(log, world) }
    }

    /// Returns whether the cursor is at the end of a log.
    pub(super) fn is_over<I>(&self, log: &Recording<I>) -> bool {
        self.run == log.runs.len()
    }

    /// Plays one tick and compares the world with the recording. Returns `None` at the end of the recording.
    pub(super) fn step<'l, I>(
        &mut self,
        log: &'l Recording<I>,
        world: &mut World,
        game: impl FnOnce(&mut World, &'l I),
    ) -> Option<TickComparison> {
        if let Some(divergence) = self.refused {
            return (!std::mem::replace(&mut self.is_refusal_reported, true))
                .then_some(TickComparison::Differs(divergence));
        }
        let run = log.runs.get(self.run)?;
        game(world, &run.input);
        self.done += 1;
        if self.done == run.ticks {
            (self.run, self.done) = (self.run + 1, 0);
        }
        Some(self.compare_with_checkpoint(log, world))
    }

    /// Compares the world with the next checkpoint of the recording, if that checkpoint belongs to the present tick.
    fn compare_with_checkpoint<I>(&mut self, log: &Recording<I>, world: &World) -> TickComparison {
        let tick = world.tick();
        let checkpoint = log.checkpoints.get(self.next_checkpoint);
        let Some(checkpoint) = checkpoint.filter(|checkpoint| checkpoint.tick == tick) else {
            return TickComparison::Unchecked;
        };
        self.next_checkpoint += 1;
        let (state, motion) = (checkpoint.state, checkpoint.motion);
        if !checkpoint.positions.is_empty() {
            self.mismatches = self.differing_bodies(log, world, checkpoint);
        }
        let differs = |what, expected, found| TickComparison::Differs(Divergence { tick, expected, found, kind: what });
        let found = world.motion_checksum();
        if found != motion {
            let changed = map_has_changed(log, world);
            return differs(if changed { DivergenceKind::ChangedMap } else { DivergenceKind::Motion }, motion, found);
        }
        if !is_only_motion_compared(log, world) {
            let found = world.checksum();
            if found != state {
                return differs(DivergenceKind::State, state, found);
            }
        }
        TickComparison::Matches
    }

    /// Returns the summary of a run without a difference so far.
    pub(super) fn summary<I>(&self, log: &Recording<I>, world: &World) -> PlaybackSummary {
        let at_first = log.checkpoints.partition_point(|checkpoint| checkpoint.tick <= log.start.tick());
        PlaybackSummary {
            ticks: world.tick() - log.start.tick(),
            checksum: world.checksum(),
            compared: self.next_checkpoint - at_first,
            motion_only: is_only_motion_compared(log, world),
            map_changed: map_has_changed(log, world),
        }
    }
}

/// Returns whether the map has changed since the recording. Then only the motion is compared.
pub(super) fn map_has_changed<I>(log: &Recording<I>, world: &World) -> bool {
    log.map != world.map().checksum()
}

/// Returns whether only the motion is compared: the log comes from another physics version or another state of its map.
pub(super) fn is_only_motion_compared<I>(log: &Recording<I>, world: &World) -> bool {
    log.physics != PHYSICS_VERSION || map_has_changed(log, world)
}

/// Sets a world to the start of a recording.
pub(super) fn restore_start(world: &mut World, start: &RecordingStart) -> Result<(), PlaybackError> {
    match start {
        RecordingStart::State(state) => restore_state(world, state),
        RecordingStart::New { settings, commands } => {
            let new = Snapshot::empty(world.identity(), *settings);
            restore_state(world, &new)?;
            world.restart_platforms();
            apply_commands(world, commands);
            Ok(())
        }
    }
}

/// Restores a state in a world, with the settings of the log.
fn restore_state(world: &mut World, state: &Snapshot) -> Result<(), PlaybackError> {
    let loaded = world.load_with_settings(state);
    loaded.map_err(|error| PlaybackError::State { tick: state.tick(), error: Box::new(error) })
}

impl RecordedState {
    pub(super) fn snapshot(&self) -> Result<Snapshot, PlaybackError> {
        Snapshot::from_bytes(&self.bytes)
            .map_err(|error| PlaybackError::State { tick: self.tick, error: Box::new(error) })
    }
}
