use super::given_commands::GivenCommands;
use super::line::{Hex, Line};
use super::{Commands, Names, RecordingErrorKind as Kind, TileSums};
use crate::body::Body;
use crate::checksum::{Checksum, PHYSICS_VERSION};
use crate::command::Command;
use crate::event::BodyId;
use crate::map::Map;
use crate::snapshot::Snapshot;
use crate::world::{Settings, Slots, World};
use std::iter::repeat_n;
use std::sync::Arc;
use surefoot_geometry::Position;

/// A recorded run: its start, the input of each tick, and checksums to compare with.
///
/// `I` is the input type of the game. A [`GameRun`](super::GameRun) makes and plays such recordings.
///
/// The default of `I`, [`Commands`], is the list of commands given to the world in a tick. A
/// [`Recorder`](super::Recorder) makes such recordings, and a [`Playback`](super::Playback) plays them.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording<I = Commands> {
    pub(crate) physics: u32,
    pub(crate) map: Checksum,
    pub(crate) source: Option<u64>,
    pub(crate) map_file: Option<String>,
    /// Tile sums of the map, if positions of bodies are recorded.
    pub(crate) tiles: Option<TileSums>,
    pub(crate) start: RecordingStart,
    pub(crate) runs: Vec<Run<I>>,
    pub(crate) ticks: u64,
    pub(crate) checkpoints: Vec<Checkpoint>,
    pub(super) snapshot_ticks: Vec<RecordedState>,
    /// The game's own state as RON, at the start and then whenever it was recorded.
    pub(super) game_states: Vec<GameState>,
    /// The commands that a game with its own inputs gave to its world, up to the last ticks.
    pub(super) given: GivenCommands,
    pub(crate) names: Names,
    pub(super) complete: bool,
    pub(super) dropped_line: Option<u32>,
}

/// The world at the start of a recorded run.
#[derive(Clone, Debug)]
pub enum RecordingStart {
    /// A new world, with the commands that the world got before its first tick. The run can be played even if the map
    /// has changed since the recording.
    New {
        /// Settings of the new world.
        settings: Settings,
        /// Commands that the world got before its first tick, in order.
        commands: Commands,
    },
    /// State of a world in the middle of a game. The run can be played only on the map on which the run was recorded.
    State(Box<Snapshot>),
}

/// Consecutive ticks with the same input: the number of ticks, and the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run<I> {
    /// Number of ticks, at least 1.
    pub ticks: u64,
    /// The input of each of these ticks.
    pub input: I,
}

/// Checksums of the world after one tick of a recorded run. A playback compares its world with them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// Tick of the world: the number of times that the world had been stepped.
    pub tick: u64,
    /// Checksum of the whole state of the world: see [`World::checksum`].
    pub state: Checksum,
    /// Checksum of the positions and velocities of all bodies: see [`World::motion_checksum`].
    pub motion: Checksum,
    /// Positions of the bodies, to show where a body should have been if the run differs.
    ///
    /// Empty if positions were not recorded. Only the checksums decide whether a run matches.
    pub positions: Vec<BodyPosition>,
    /// Checksum of the game's own state, the text of its RON. `None` if the recording has only the world, as one made
    /// without a [`GameRun`](super::GameRun).
    pub game: Option<Checksum>,
}

/// Recorded position of one body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyPosition {
    /// Id of the body in the recorded world.
    pub body: BodyId,
    /// Position of the centre of the body.
    pub position: Position,
}

/// A state during the run, as the bytes of a [`Snapshot`].
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RecordedState {
    pub(super) tick: u64,
    pub(super) bytes: Box<[u8]>,
}

/// The game's own state after a tick, as RON.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GameState {
    pub(super) tick: u64,
    pub(super) ron: String,
}

impl RecordingStart {
    /// Returns the start of a recording that begins now: a new world if its commands reproduce the world, else its
    /// state.
    pub(super) fn of_world(world: &World) -> RecordingStart {
        if world.is_told_by_its_commands() {
            RecordingStart::New { settings: world.settings(), commands: world.pending().to_vec() }
        } else {
            RecordingStart::State(Box::new(world.capture()))
        }
    }

    /// Returns the settings of the world.
    #[must_use]
    pub fn settings(&self) -> Settings {
        match self {
            RecordingStart::New { settings, .. } => *settings,
            RecordingStart::State(state) => state.settings(),
        }
    }

    /// Returns the commands before the first tick. None for a saved state, which contains their effects.
    pub(crate) fn commands(&self) -> &[Command] {
        match self {
            RecordingStart::New { commands, .. } => commands,
            RecordingStart::State(_) => &[],
        }
    }

    /// Returns the line of a file with this start.
    pub(super) fn to_line<I>(&self) -> Line<I> {
        match self {
            RecordingStart::New { settings, commands } => Line::New { settings: *settings, commands: commands.clone() },
            RecordingStart::State(state) => Line::State { tick: state.tick(), bytes: Hex(state.to_bytes()) },
        }
    }

    /// Returns the tick of the world at the start of the run: 0 for a new world, more if the recording began in the
    /// middle of a game.
    #[must_use]
    pub fn tick(&self) -> u64 {
        match self {
            RecordingStart::New { .. } => 0,
            RecordingStart::State(state) => state.tick(),
        }
    }
}

/// Compares two states bit by bit.
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
    /// Format version of the files.
    pub(crate) const FORMAT: u32 = 1;

    /// Maximum number of ticks in a recording: 10^8, about 19 days at 60 ticks per second.
    pub const MAX_TICKS: u64 = 100_000_000;

    /// Maximum number of body positions in a recording, counted over all ticks: 2^20.
    pub const MAX_POSITIONS: usize = 1 << 20;

    /// Creates an empty log that starts with the world as it is.
    pub(super) fn empty_for_world(world: &World) -> Recording<I> {
        let source = world.terrain().source_identity();
        Recording::new(PHYSICS_VERSION, world.map().checksum(), source, None, RecordingStart::of_world(world))
    }

    /// Creates an empty log.
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
            game_states: Vec::new(),
            given: GivenCommands::default(),
            names: Names::default(),
            complete: false,
            dropped_line: None,
        }
    }

    /// Drops everything, and starts again with another world on the same map.
    pub(super) fn restart_from(&mut self, start: RecordingStart) {
        let header = (self.physics, self.map, self.source, self.map_file.take());
        let tiles = self.tiles.take();
        *self = Recording { tiles, ..Recording::new(header.0, header.1, header.2, header.3, start) };
    }

    /// Marks the log as complete.
    pub(crate) fn marked_complete(self) -> Recording<I> {
        Recording { complete: true, ..self }
    }

    /// Returns the version of the physics that recorded the run. The version of this engine is [`PHYSICS_VERSION`].
    #[must_use]
    pub fn physics(&self) -> u32 {
        self.physics
    }

    /// Returns the checksum of the map on which the run was recorded: see [`Map::checksum`](crate::map::Map::checksum).
    #[must_use]
    pub fn map_checksum(&self) -> Checksum {
        self.map
    }

    /// Returns the number that identifies the tile source of the recorded world, or `None` for a world without a tile
    /// source.
    ///
    /// A [streamed](World::streamed) world gets its tiles from a tile source, and the number is
    /// [`TileSource::identity`](crate::terrain::TileSource::identity).
    #[must_use]
    pub fn source_identity(&self) -> Option<u64> {
        self.source
    }

    /// Returns the path of the map's file that the game gave to the recorder, or `None`.
    ///
    /// The game gives the path in [`RecordOptions::map_file`](super::RecordOptions::map_file).
    #[must_use]
    pub fn map_file(&self) -> Option<&str> {
        self.map_file.as_deref()
    }

    /// Returns the world at the start of the run.
    #[must_use]
    pub fn start(&self) -> &RecordingStart {
        &self.start
    }

    /// Returns the number of recorded ticks.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Returns the tick of the world at the end of the run: its tick at the start plus the number of recorded ticks.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.start.tick() + self.ticks
    }

    /// Returns the inputs in order. Consecutive ticks with the same input are one entry.
    #[must_use]
    pub fn runs(&self) -> &[Run<I>] {
        &self.runs
    }

    /// Returns the inputs, one for each tick. Use them to test your game without comparing checksums: start the game as
    /// a player does, and call its tick function with each input.
    pub fn inputs(&self) -> impl Iterator<Item = &I> {
        self.runs.iter().flat_map(|run| repeat_n(&run.input, run.ticks as usize))
    }

    /// Returns the recorded checksums and body positions, in the order of their ticks.
    #[must_use]
    pub fn checkpoints(&self) -> &[Checkpoint] {
        &self.checkpoints
    }

    /// Keeps only the last checksums, and those at least `ticks` ticks apart. Removes the positions of bodies and the
    /// states during the run.
    ///
    /// The recording becomes small enough for a message. A playback still finds each difference, but later, and cannot
    /// say which body differs.
    #[must_use]
    pub fn with_fewer_checkpoints(mut self, ticks: u64) -> Recording<I> {
        let (mut next, last) = (ticks, self.checkpoints.last().map(|last| last.tick));
        self.checkpoints.retain_mut(|checkpoint| {
            checkpoint.positions = Vec::new();
            let is_due = checkpoint.tick >= next;
            if is_due {
                next = checkpoint.tick.saturating_add(ticks);
            }
            is_due || Some(checkpoint.tick) == last
        });
        (self.tiles, self.snapshot_ticks) = (None, Vec::new());
        self
    }

    /// Returns the ticks after which the recording has the whole state of the world, without the state at the start:
    /// see [`RecordOptions::snapshot_interval`](super::RecordOptions::snapshot_interval).
    pub fn snapshot_ticks(&self) -> impl Iterator<Item = u64> {
        self.snapshot_ticks.iter().map(|state| state.tick)
    }

    /// Returns the name that the recorder gave to `body`, or `None` if `body` has no name in the recording.
    #[must_use]
    pub fn name(&self, body: BodyId) -> Option<&str> {
        self.names.name(body)
    }

    /// Returns the body with the given name in the recording, or `None` if no body has it.
    #[must_use]
    pub fn body(&self, name: &str) -> Option<BodyId> {
        self.names.body(name)
    }

    /// Returns whether the recording is complete: [`Recorder::finish`](super::Recorder::finish) was called.
    ///
    /// Returns `false` if the game crashed or the disk was full before the end.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Returns the line number, from 1, of an incomplete last line that was left out when the file was read.
    ///
    /// A crash of the recording program can leave such a line.
    ///
    /// Returns `None` if all lines of the file were complete.
    #[must_use]
    pub fn dropped_line(&self) -> Option<u32> {
        self.dropped_line
    }

    /// Creates a world on the map of the recording, which a playback then sets to the start of the recording.
    ///
    /// A saved state does not contain the names of bodies, so the world gets them from the map. The commands of a new
    /// world spawn the bodies of the map themselves.
    pub(crate) fn new_world_on(&self, map: impl Into<Arc<Map>>) -> World {
        let settings = self.start.settings();
        match self.start {
            RecordingStart::New { .. } => World::new(map, settings),
            RecordingStart::State(_) => World::from_map(map, settings),
        }
    }

    /// Adds the next line. On an error, returns the name of the invalid field.
    pub(super) fn add_line(&mut self, line: Line<I>) -> Result<(), (Kind, &'static str)> {
        let now = self.end();
        // `most`: number of ticks that can still follow, within `MAX_TICKS` and without an overflow of the tick
        // counter.
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
            Line::New { .. } => return Err((Kind::Order { expected: "a line that belongs to a tick" }, "settings")),
            Line::Restart => return Err((Kind::Order { expected: "a line that belongs to a tick" }, "")),
            Line::Inputs { ticks, input } => {
                self.ticks += run(ticks)?;
                self.runs.push(Run { ticks, input });
            }
            Line::Same { ticks } => {
                let ticks = run(ticks)?;
                let last = self
                    .runs
                    .last_mut()
                    .ok_or((Kind::Order { expected: "an `Inputs` line before `Same`" }, "ticks"))?;
                last.ticks += ticks;
                self.ticks += ticks;
            }
            Line::Sums { tick, state, motion, positions, game } => {
                due(tick, self.checkpoints.last().map(|last| last.tick))?;
                let positions = positions.into_iter().map(|(body, position)| BodyPosition { body, position }).collect();
                self.checkpoints.push(Checkpoint { tick, state, motion, positions, game });
            }
            Line::State { tick, bytes: Hex(bytes) } => {
                due(tick, Some(self.snapshot_ticks.last().map_or(self.start.tick(), |last| last.tick)))?;
                self.snapshot_ticks.push(RecordedState { tick, bytes: bytes.into() });
            }
            Line::Game { tick, state } => {
                due(tick, self.game_states.last().map(|last| last.tick))?;
                self.game_states.push(GameState { tick, ron: state });
            }
            Line::Given { runs, after } => {
                self.given.add_line(runs, after, self.start.tick(), self.ticks)?;
            }
            Line::Rewind { tick } => {
                if !(self.start.tick()..=now).contains(&tick) {
                    return Err((Kind::Tick { found: tick, expected: now }, "tick"));
                }
                self.drop_ticks_after(tick);
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

    /// Drops everything after `tick`, which is a tick of the recording.
    fn drop_ticks_after(&mut self, tick: u64) {
        self.ticks = tick - self.start.tick();
        keep_first_ticks(&mut self.runs, self.ticks);
        self.given.drop_ticks_after(tick, self.ticks);
        self.checkpoints.truncate(self.checkpoints.partition_point(|checkpoint| checkpoint.tick <= tick));
        self.snapshot_ticks.truncate(self.snapshot_ticks.partition_point(|state| state.tick <= tick));
        self.game_states.truncate(self.game_states.partition_point(|state| state.tick <= tick));
    }

    /// Returns the checkpoint of a tick, if the recording has one.
    pub(super) fn checkpoint_of_tick(&self, tick: u64) -> Option<&Checkpoint> {
        let found = self.checkpoints.binary_search_by_key(&tick, |checkpoint| checkpoint.tick);
        found.ok().map(|at| &self.checkpoints[at])
    }

    /// Calls `write` with each line after the header, in the order of a file.
    pub(super) fn for_each_line<E>(&self, mut write: impl FnMut(Line<&I>) -> Result<(), E>) -> Result<(), E> {
        write(self.start.to_line())?;
        for (body, name) in self.names.iter() {
            write(Line::Name { body, name: name.to_owned() })?;
        }
        let (mut sums, mut states, mut games) = (
            self.checkpoints.iter().peekable(),
            self.snapshot_ticks.iter().peekable(),
            self.game_states.iter().peekable(),
        );
        let mut now = self.start.tick();
        let mut write_state_of = |now: u64, write: &mut dyn FnMut(Line<&I>) -> Result<(), E>| {
            if let Some(at) = sums.next_if(|sums| sums.tick == now) {
                let positions = at.positions.iter().map(|body| (body.body, body.position)).collect();
                let (state, motion, game) = (at.state, at.motion, at.game);
                write(Line::Sums { tick: now, state, motion, positions, game })?;
            }
            if let Some(state) = states.next_if(|state| state.tick == now) {
                write(Line::State { tick: now, bytes: Hex(state.bytes.to_vec()) })?;
            }
            if let Some(state) = games.next_if(|state| state.tick == now) {
                write(Line::Game { tick: now, state: state.ron.clone() })?;
            }
            let next = [sums.peek().map(|at| at.tick), states.peek().map(|at| at.tick), games.peek().map(|at| at.tick)];
            Ok(next.into_iter().flatten().min())
        };
        let mut next = write_state_of(now, &mut write)?;
        for run in &self.runs {
            let end = now + run.ticks;
            let mut is_first = true;
            while now < end {
                let ticks = next.map_or(end, |next| next.min(end)) - now;
                write(if is_first { Line::Inputs { ticks, input: &run.input } } else { Line::Same { ticks } })?;
                is_first = false;
                now += ticks;
                next = write_state_of(now, &mut write)?;
            }
        }
        if let Some(line) = self.given.clone().into_line() {
            write(line)?;
        }
        if self.complete { write(Line::End { ticks: self.ticks }) } else { Ok(()) }
    }
}

/// Drops the ticks after the first `left` ones.
pub(super) fn keep_first_ticks<I>(runs: &mut Vec<Run<I>>, mut left: u64) {
    runs.retain_mut(|run| {
        run.ticks = run.ticks.min(left);
        left -= run.ticks;
        run.ticks > 0
    });
}

impl<I> Recording<I> {
    /// Returns the recording of the commands that the game gave to its world. It can be played without the rules of the
    /// game. `None` if the recording does not have them: only a [`GameRun`](super::GameRun) records them.
    #[must_use]
    pub fn into_commands(mut self) -> Option<Recording> {
        let ticks = self.given.ticks();
        if ticks == 0 && self.ticks > 0 {
            return None;
        }
        // After a crash, the commands of the last ticks may be missing. So drop these ticks.
        self.drop_ticks_after(self.start.tick() + ticks);
        let runs = self.given.commands_before_steps(self.start.tick());
        // A replay plays commands before a step. So it cannot compare a state that contains the effects of commands
        // after a step.
        self.checkpoints.retain(|checkpoint| !self.given.has_commands_after_step(checkpoint.tick));
        self.snapshot_ticks.retain(|state| !self.given.has_commands_after_step(state.tick));
        let (names, snapshot_ticks) = (self.names, self.snapshot_ticks);
        let start = Recording::new(self.physics, self.map, self.source, self.map_file, self.start);
        Some(Recording {
            tiles: self.tiles,
            runs,
            ticks,
            checkpoints: self.checkpoints,
            snapshot_ticks,
            names,
            complete: self.complete,
            dropped_line: self.dropped_line,
            ..start
        })
    }
}

impl Recording {
    /// Returns all recorded commands in order. Each command comes with its tick: the number of times that the world had
    /// been stepped before the command.
    pub fn commands(&self) -> impl Iterator<Item = (u64, &Command)> {
        let runs = self.runs.iter().scan(self.start.tick(), |next, run| {
            let from = *next;
            *next += run.ticks;
            Some((from, run))
        });
        // A run without input is skipped at once, however long it is.
        let later = runs.filter(|(_, run)| !run.input.is_empty()).flat_map(|(from, run)| {
            (from..from + run.ticks).flat_map(move |tick| run.input.iter().map(move |command| (tick, command)))
        });
        self.start.commands().iter().map(|command| (0, command)).chain(later)
    }

    /// Returns the commands, as [`Recording::commands`], without repeated inputs of bodies. Each run is visited once,
    /// however long it is.
    pub(crate) fn commands_without_repeats(&self) -> impl Iterator<Item = (u64, &Command)> {
        let is_not_input = |command: &&Command| !matches!(command, Command::SetInput(..));
        let runs = self.runs.iter().scan(self.start.tick(), |next, run| {
            let from = *next;
            *next += run.ticks;
            Some((from, run))
        });
        let later = runs.flat_map(move |(from, Run { ticks, input })| {
            let others = if input.iter().any(|command| is_not_input(&command)) { from + 1..from + ticks } else { 0..0 };
            let others =
                others.flat_map(move |tick| input.iter().filter(is_not_input).map(move |command| (tick, command)));
            input.iter().map(move |command| (from, command)).chain(others)
        });
        self.start.commands().iter().map(|command| (0, command)).chain(later)
    }

    /// Returns a name for each body of the run. A body that the recorder did not name has its name of the map, or else
    /// `body_1`, `body_2` and so on, in the order of spawning.
    ///
    /// `start`: a world on the map of the recording. If the recording starts with a saved state, the world has that
    /// state.
    pub(crate) fn all_names(&self, start: &World) -> Names {
        let mut names = self.names.clone();
        let (mut slots, mut bodies, mut placed) = (Slots::default(), Vec::new(), Vec::new());
        if let RecordingStart::State(_) = self.start {
            slots = start.body_slots().clone();
            bodies = start.bodies().map(|(id, _)| id).collect();
            placed = bodies.iter().filter_map(|&id| Some((id, start.placed_body(id)?.name.clone()))).collect();
        }
        // If the world was created by `World::from_map`, its first bodies are those of the map.
        let mut of_map = matches!(self.start, RecordingStart::New { .. }).then(|| start.map().bodies().iter());
        for (_, command) in self.commands_without_repeats() {
            match command {
                Command::Spawn(body) => {
                    let id = slots.insert();
                    bodies.push(id);
                    let next = of_map.as_mut().and_then(Iterator::next).filter(|next| **body == Body::from(*next));
                    match next {
                        Some(next) => placed.push((id, next.name.clone())),
                        None => of_map = None,
                    }
                }
                Command::Despawn(id) => drop(slots.remove(*id)),
                _ => {}
            }
        }
        for (id, name) in placed {
            if names.name(id).is_none() {
                // If the game has given this name to another body, that body keeps it.
                let _ = names.insert(id, name);
            }
        }
        for (i, &id) in bodies.iter().enumerate() {
            if names.name(id).is_none() {
                names.insert_numbered_name(id, i + 1);
            }
        }
        names
    }
}
