use super::given_commands::GivenCommands;
use super::line::{Hex, Line};
use super::log::GameState;
use super::{Commands, Names, RecorderError, Recording, RecordingFile, RecordingStart, TileSums};
use crate::checksum::Checksum;
use crate::command::{Command, are_same};
use crate::event::BodyId;
use crate::snapshot::Snapshot;
use crate::world::World;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;
use xxhash_rust::xxh64::xxh64;

/// Records the commands that a world gets, such as [`World::set_input`]: in memory as a [`Recording`], or in a
/// [`RecordingFile`].
///
/// For a [`Replay`](crate::replay::Replay), create the recorder with [`Recorder::for_replay`].
///
/// Call the recorder once after each step. Finish it before [`World::restore`], and create a new one after it. To
/// record the inputs and the rules of a game, use a [`GameRun`](super::GameRun).
///
/// A file gets the new ticks at least once per second of game time, so a crash loses at most one second. If a recorder
/// is dropped without [`Recorder::finish`], it writes its last ticks, but the recording has no end:
/// [`Recording::is_complete`] returns `false`.
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
/// use surefoot::record::Playback;
/// use surefoot::{Input, Map, World};
///
/// let map = Map::from_ron(r##"Map(format: 1, tiles: ["@...", "===="])"##)?;
/// let start = map.marker("start").ok_or("no start")?;
/// let mut world = World::new(map, Settings::default());
/// let hero = world.spawn(Body::new(Shape::aabb(0.35, 0.45)).at(start).character(Character::default()))?;
///
/// let mut recorder = Recorder::new(&world, 60);
/// recorder.name_body(hero, "hero")?;
/// for tick in 0..100 {
///     world.set_input(hero, Input { walk: if tick < 50 { 127 } else { 0 }, ..Input::default() });
///     world.step();
///     recorder.record_tick(&world)?;
/// }
/// let recording = recorder.finish(&world)?;
/// let mut playback = Playback::of_commands(recording, World::new(world.map().clone(), Settings::default()))?;
/// assert_eq!(playback.run()?.checksum, world.checksum());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recorder<I = Commands, S: Sink<I> = Recording<I>> {
    /// `None` after the end of the recording, or after an error of the sink.
    sink: Option<S>,
    options: RecordOptions,
    /// Tick of the world at the start of the recording.
    first: u64,
    ticks: u64,
    /// Number of ticks in a second: lines are written to the file once a second.
    second: u64,
    run: InputRun<I>,
    /// Ticks of the last checksums and of the last recorded state.
    last: (u64, u64),
    snapshot: Snapshot,
    names: Names,
    /// Number of body positions recorded so far.
    positions: usize,
    /// Number of commands that the world had after its last recorded step. If `finish` finds more, the world has
    /// changed since that step.
    pending: usize,
    /// Number of commands that the game gave in the first tick before the recorder was created. The start of the
    /// recording contains them.
    before: usize,
    game: GameData,
    over: bool,
}

/// The data that only a recorder of a game with its own inputs has.
#[derive(Clone, Debug, Default)]
struct GameData {
    /// The game's own state after the last tick, as RON. `None` without a game.
    state: Option<String>,
    /// The state that was last written.
    written: Option<GameState>,
    /// Commands of the ticks that are not written yet. Used only with a game.
    commands: GivenCommands,
}

impl GameData {
    fn set_state(&mut self, ron: &str) {
        let state = self.state.get_or_insert_default();
        state.clear();
        state.push_str(ron);
    }

    /// Returns the state to write after `tick` and marks it as written. `None` if it has not changed since it was last
    /// written.
    fn take_changed_state(&mut self, tick: u64) -> Option<GameState> {
        let state = self.state.as_ref()?;
        if self.written.as_ref().is_some_and(|written| written.tick == tick || written.ron == *state) {
            return None;
        }
        self.written = Some(GameState { tick, ron: state.clone() });
        self.written.clone()
    }
}

/// A run of ticks with equal input.
#[derive(Clone, Debug)]
struct InputRun<I> {
    last: LastInput,
    /// The input, until it is written.
    input: Option<I>,
    /// Ticks that are not written yet.
    ticks: u64,
}

/// Last input, for the comparison with the next one.
#[derive(Clone, Debug)]
enum LastInput {
    /// No tick is recorded yet.
    None,
    /// The game's own input as text, because its type only has to be writable, not comparable.
    Text(String),
    Commands(Commands),
}

/// Options of a [`Recorder`]: which data to record besides the inputs, and how often.
///
/// Functions that take options also accept a number: it sets [`checksum_interval`](RecordOptions::checksum_interval),
/// and the other options keep their defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordOptions {
    /// Number of ticks between recorded checksums, default 60. 0 records checksums only at the end.
    ///
    /// Computing the checksums takes time proportional to the number of bodies.
    pub checksum_interval: u32,
    /// Number of ticks between recorded states of the whole world. 0, the default, records no states.
    ///
    /// With states, [`GameRun::verify`](super::GameRun::verify) names the field of the world that differs. The size of
    /// a state is proportional to the number of bodies. Checksums are recorded with each state.
    pub snapshot_interval: u32,
    /// Whether the positions of all bodies are recorded with all checksums; `false` by default.
    ///
    /// If a run differs, the positions show which body is at another position: see
    /// [`Playback::mismatches`](super::Playback::mismatches). After [`Recording::MAX_POSITIONS`] positions, no further
    /// positions are recorded.
    ///
    /// With positions, the recording also stores a summary of the map's tiles. A playback can then show which tiles of
    /// the map file were edited after the recording. A file has no summary if the number of rows plus the number of
    /// columns of the map exceeds about 10,000.
    pub positions: bool,
    /// Path of the map's file; `None` by default. The program that plays the recording can load the map from there.
    ///
    /// The recorder and the playback do not open the file.
    pub map_file: Option<String>,
    /// Whether each write waits until the data is on the disk; `false` by default.
    ///
    /// With `true`, even a power failure loses at most one second. But a write may take longer than a frame.
    pub sync: bool,
}

impl Default for RecordOptions {
    fn default() -> RecordOptions {
        RecordOptions { checksum_interval: 60, snapshot_interval: 0, positions: false, map_file: None, sync: false }
    }
}

/// Sets the ticks from one checkpoint to the next; all other options keep their defaults.
impl From<u32> for RecordOptions {
    fn from(checksums: u32) -> RecordOptions {
        RecordOptions { checksum_interval: checksums, ..RecordOptions::default() }
    }
}

impl RecordOptions {
    /// Creates an empty recording that starts with the world as it is. A tile source has no tile sums, because its
    /// tiles do not change.
    pub(crate) fn new_recording<I>(&self, world: &World) -> Recording<I> {
        let has_tiles = self.positions && !world.terrain().is_streamed();
        let tiles = has_tiles.then(|| TileSums::of_map(world.map()));
        Recording { map_file: self.map_file.clone(), tiles, ..Recording::empty_for_world(world) }
    }
}

/// Destination of a recorder: a [`Recording`] in memory or a [`RecordingFile`].
pub trait Sink<I> {
    /// Appends the next line.
    fn add_line(&mut self, line: Line<I>) -> Result<(), RecorderError>;

    /// Returns whether lines should be passed on now.
    fn is_flush_due(&self) -> bool {
        false
    }

    /// Passes the appended lines on, such as to the operating system.
    fn flush(&mut self) -> Result<(), RecorderError> {
        Ok(())
    }
}

impl<I> Sink<I> for Recording<I> {
    fn add_line(&mut self, line: Line<I>) -> Result<(), RecorderError> {
        // A recorder adds its lines in order, so a recording does not refuse them.
        Recording::add_line(self, line).map_err(|(kind, _)| RecorderError::Line { kind: Box::new(kind) })
    }
}

impl Recorder {
    /// Creates a recorder in memory. The recording starts with the current state of `world`, which may already have
    /// bodies.
    #[must_use]
    pub fn new(world: &World, options: impl Into<RecordOptions>) -> Recorder {
        let options = options.into();
        Recorder::with_sink(options.new_recording(world), world, options)
    }
}

impl<I: Serialize> Recorder<I, MemoryAndFile<I>> {
    /// Creates a recorder in memory, which may write into a file later. It writes the state of the game first.
    pub(super) fn new_for_game(world: &World, game: &str, options: RecordOptions) -> Result<Self, RecorderError> {
        let log = MemoryAndFile { log: options.new_recording(world), file: None };
        let mut recorder = Recorder::with_sink(log, world, options);
        recorder.continue_at_tick(world, world.tick());
        recorder.write_first_checksums_and_state(world, game)?;
        Ok(recorder)
    }

    /// Returns the recording up to now.
    pub(super) fn recording_so_far(&mut self) -> Result<&Recording<I>, RecorderError> {
        self.write_waiting_ticks()?;
        self.write_buffered_commands()?;
        self.sink.as_ref().map(|sink| &sink.log).ok_or(RecorderError::Over)
    }

    /// Writes what is recorded into a new file, and continues there.
    pub(super) fn record_to(&mut self, path: &Path) -> Result<(), RecorderError> {
        self.close_file()?;
        let sync = self.options.sync;
        let sink = self.sink.as_mut().ok_or(RecorderError::Over)?;
        sink.file = Some(RecordingFile::create_with_content(path, &sink.log, sync)?);
        Ok(())
    }

    /// Writes the waiting ticks into the file, if there is one, and closes it.
    pub(super) fn close_file(&mut self) -> Result<(), RecorderError> {
        self.write_waiting_ticks()?;
        self.write_buffered_commands()?;
        let ticks = self.ticks;
        let file = self.sink.as_mut().and_then(|sink| sink.file.take());
        file.map_or(Ok(()), |mut file| {
            Sink::<I>::add_line(&mut file, Line::End { ticks })?;
            Sink::<I>::flush(&mut file)
        })
    }

    /// Writes the checksums of the last tick now, whether they are due or not.
    pub(super) fn write_checksums(&mut self, world: &World) -> Result<(), RecorderError> {
        self.write_checkpoint(world, false)
    }

    /// Drops what was recorded after the tick of `world`, which was set back to that tick.
    pub(super) fn rewind_to_world(&mut self, world: &World, game: &str) -> Result<(), RecorderError> {
        self.write_waiting_ticks()?;
        self.write_buffered_commands()?;
        self.write_line(Line::Rewind { tick: world.tick() })?;
        self.set_game_state(game);
        self.continue_at_tick(world, self.first);
        self.flush()
    }

    /// Drops everything recorded and starts again with the world as it is.
    pub(super) fn restart_at_world(&mut self, world: &World, game: &str) -> Result<(), RecorderError> {
        self.write_waiting_ticks()?;
        self.game.commands = GivenCommands::default();
        let start = RecordingStart::of_world(world);
        let sink = self.sink.as_mut().ok_or(RecorderError::Over)?;
        if let Some(file) = &mut sink.file {
            file.add_line(Line::<I>::Restart)?;
            file.add_line(start.to_line::<I>())?;
        }
        sink.log.restart_from(start);
        self.names = Names::default();
        self.continue_at_tick(world, world.tick());
        self.write_first_checksums_and_state(world, game)?;
        self.flush()
    }

    /// Continues at the present tick of `world`, in a recording that starts at the tick `first`.
    fn continue_at_tick(&mut self, world: &World, first: u64) {
        let tick = world.tick();
        (self.first, self.ticks) = (first, tick - first);
        let log = self.sink.as_ref().map(|sink| &sink.log);
        let has_checkpoint = log.is_some_and(|log| log.checkpoint_of_tick(tick).is_some());
        self.last = (if has_checkpoint { tick } else { u64::MAX }, tick);
        self.run = InputRun { last: LastInput::None, input: None, ticks: 0 };
        (self.pending, self.before) = (world.pending().len(), world.pending().len());
        self.game.written = log.and_then(|log| log.game_states.last()).cloned();
    }

    fn write_first_checksums_and_state(&mut self, world: &World, game: &str) -> Result<(), RecorderError> {
        self.set_game_state(game);
        self.write_checksums(world)?;
        self.write_game_state_if_changed(world.tick())
    }
}

/// A recording in memory, and also in a file if there is one.
#[derive(Debug)]
pub(super) struct MemoryAndFile<I> {
    log: Recording<I>,
    file: Option<RecordingFile>,
}

impl<I: Serialize> Sink<I> for MemoryAndFile<I> {
    fn add_line(&mut self, line: Line<I>) -> Result<(), RecorderError> {
        if let Some(file) = &mut self.file {
            file.append_line(&line)?;
        }
        Sink::add_line(&mut self.log, line)
    }

    fn is_flush_due(&self) -> bool {
        self.file.as_ref().is_some_and(Sink::<I>::is_flush_due)
    }

    fn flush(&mut self) -> Result<(), RecorderError> {
        self.file.as_mut().map_or(Ok(()), Sink::<I>::flush)
    }
}

/// Returns the checksum of the game's own state, given as RON.
pub(super) fn game_checksum(ron: &str) -> Checksum {
    Checksum(xxh64(ron.as_bytes(), 0))
}

impl Recorder<Commands, RecordingFile> {
    /// Creates a recorder that writes to the new file `path`. The recording starts with the current state of `world`.
    ///
    /// # Errors
    /// - Returns [`RecorderError::Exists`] if the file exists.
    /// - Returns [`RecorderError::LongHeader`] if [`map_file`](RecordOptions::map_file) is too long.
    /// - Returns [`RecorderError::Io`] if the operating system returns an error.
    pub fn create(
        path: impl AsRef<Path>,
        world: &World,
        options: impl Into<RecordOptions>,
    ) -> Result<Recorder<Commands, RecordingFile>, RecorderError> {
        let options = options.into();
        let file =
            RecordingFile::create_with_content(path.as_ref(), &options.new_recording::<Commands>(world), options.sync)?;
        Ok(Recorder::with_sink(file, world, options))
    }
}

impl<I, S: Sink<I>> Recorder<I, S> {
    pub(crate) fn with_sink(sink: S, world: &World, options: RecordOptions) -> Recorder<I, S> {
        let tick = world.tick();
        Recorder {
            sink: Some(sink),
            options,
            first: tick,
            ticks: 0,
            second: ticks_per_second(world.settings().tick),
            run: InputRun { last: LastInput::None, input: None, ticks: 0 },
            last: (tick, tick),
            snapshot: Snapshot::default(),
            names: Names::default(),
            positions: 0,
            pending: world.pending().len(),
            before: world.pending().len(),
            game: GameData::default(),
            over: false,
        }
    }

    /// Returns the number of ticks recorded so far.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Gives a body a name in the recording. This is possible at any time, even after the body was removed.
    ///
    /// # Errors
    /// - Returns [`RecorderError::NamelessBody`] if `name` is empty.
    /// - Returns [`RecorderError::DuplicateName`] if another body has the name.
    /// - Returns another [`RecorderError`] if the name cannot be written.
    pub fn name_body(&mut self, body: BodyId, name: impl Into<String>) -> Result<(), RecorderError> {
        let name = name.into();
        if self.names.name(body) == Some(&name) {
            return Ok(());
        }
        self.names.insert(body, name.clone())?;
        self.write_line(Line::Name { body, name })
    }

    /// Ends the recording and returns it: the [`Recording`] or the [`RecordingFile`].
    ///
    /// Records the checksums of `world` at the end, and the state of `world` if
    /// [`snapshot_interval`](RecordOptions::snapshot_interval) is not 0. If `world` got commands since the last
    /// recorded tick, the recording has no checksums and no state at the end.
    ///
    /// If the recorder stopped after an error of [`Recorder::record_tick`], returns all ticks before that error.
    /// [`Recording::is_complete`] is then `false`.
    ///
    /// # Errors
    /// - Returns [`RecorderError::MissedTick`] if the last tick of `world` was not recorded. A recording in memory is
    ///   then lost, so finish it before [`World::restore`].
    /// - Returns another [`RecorderError`] if the operating system returned an error. Lines written before stay.
    pub fn finish(mut self, world: &World) -> Result<S, RecorderError> {
        if self.over {
            return self.sink.take().ok_or(RecorderError::Over);
        }
        self.check_running_and_at_tick(world, self.first + self.ticks)?;
        self.write_waiting_ticks()?;
        if self.ticks > 0 && world.pending().len() == self.pending {
            self.write_checkpoint(world, self.options.snapshot_interval > 0)?;
        }
        if self.ticks > 0 {
            self.write_game_state_if_changed(world.tick())?;
        }
        self.write_buffered_commands()?;
        self.write_line(Line::End { ticks: self.ticks })?;
        self.over = true;
        let mut sink = self.sink.take().ok_or(RecorderError::Over)?;
        sink.flush()?;
        Ok(sink)
    }

    /// Checks that the recorder has not stopped, and that the world is at the expected tick.
    fn check_running_and_at_tick(&self, world: &World, expected: u64) -> Result<(), RecorderError> {
        if self.over {
            return Err(RecorderError::Over);
        }
        let found = world.tick();
        if found == expected { Ok(()) } else { Err(RecorderError::MissedTick { expected, found }) }
    }

    fn write_line(&mut self, line: Line<I>) -> Result<(), RecorderError> {
        self.sink.as_mut().ok_or(RecorderError::Over)?.add_line(line)
    }

    /// Writes the line of the waiting ticks.
    fn write_waiting_ticks(&mut self) -> Result<(), RecorderError> {
        let ticks = std::mem::take(&mut self.run.ticks);
        match self.run.input.take() {
            _ if ticks == 0 => Ok(()),
            Some(input) => self.write_line(Line::Inputs { ticks, input }),
            None => self.write_line(Line::Same { ticks }),
        }
    }

    fn write_checkpoint(&mut self, world: &World, with_state: bool) -> Result<(), RecorderError> {
        self.write_waiting_ticks()?;
        let tick = world.tick();
        if self.last.0 != tick {
            let mut positions = Vec::new();
            if self.options.positions {
                self.positions = self.positions.saturating_add(world.bodies().count());
                let bodies = world.bodies().filter(|_| self.positions <= Recording::<I>::MAX_POSITIONS);
                positions.extend(bodies.map(|(id, state)| (id, state.position())));
            }
            let game = self.game.state.as_deref().map(game_checksum);
            self.write_line(Line::Sums {
                tick,
                state: world.checksum(),
                motion: world.motion_checksum(),
                positions,
                game,
            })?;
            self.last.0 = tick;
        }
        if with_state && self.last.1 != tick {
            world.capture_into(&mut self.snapshot);
            self.write_line(Line::State { tick, bytes: Hex(self.snapshot.to_bytes()) })?;
            self.last.1 = tick;
        }
        Ok(())
    }
}

impl<I: Serialize + DeserializeOwned, S: Sink<I>> Recorder<I, S> {
    /// Records the last step of the world of a game, and its input.
    pub(super) fn record_tick_with(&mut self, world: &World, input: &I) -> Result<(), RecorderError> {
        self.record_step(world, |recorder| recorder.start_run_if_input_differs(input))
    }

    /// Starts another run if the input differs from the last tick.
    fn start_run_if_input_differs(&mut self, input: &I) -> Result<(), RecorderError> {
        let text = ron::to_string(input).map_err(|error| RecorderError::Unwritable { error })?;
        // Compare the texts of inputs, because they also tell 0.0 from -0.0.
        if matches!(&self.run.last, LastInput::Text(last) if *last == text) {
            return Ok(());
        }
        let back = ron::from_str::<I>(&text).ok();
        let back = back.filter(|back| ron::to_string(back).is_ok_and(|again| again == text));
        let back = back.filter(|_| !text.contains(['\n', '\r']));
        let Some(back) = back else { return Err(RecorderError::ReadsOtherwise { text }) };
        self.write_waiting_ticks()?;
        self.run = InputRun { last: LastInput::Text(text), input: Some(back), ticks: 0 };
        Ok(())
    }
}

impl<S: Sink<Commands>> Recorder<Commands, S> {
    /// Records the last step of `world` and the commands that `world` got before it. Call this method after each step.
    ///
    /// # Errors
    /// Returns [`RecorderError`] if an earlier tick of `world` was not recorded, or if this tick cannot be recorded.
    /// The recorder then stops, and [`Recorder::finish`] returns all ticks before. The game can continue with a new
    /// recorder.
    pub fn record_tick(&mut self, world: &World) -> Result<(), RecorderError> {
        // In the first tick, leave out the commands that came before the recorder: the start of the recording has them.
        let known = if self.ticks == 0 { self.before } else { 0 };
        let given = world.commands().get(known..).unwrap_or_default();
        self.record_step(world, |recorder| recorder.start_run_if_commands_differ(given))
    }

    /// Starts another run if the commands differ from the last tick. They are compared as values: only files turn them
    /// into text, and every command of a world reads back exactly.
    fn start_run_if_commands_differ(&mut self, given: &[Command]) -> Result<(), RecorderError> {
        if matches!(&self.run.last, LastInput::Commands(last) if are_same(last, given)) {
            return Ok(());
        }
        self.write_waiting_ticks()?;
        self.run.input = Some(given.to_vec());
        match &mut self.run.last {
            LastInput::Commands(last) => {
                last.clear();
                last.extend_from_slice(given);
            }
            last => *last = LastInput::Commands(given.to_vec()),
        }
        Ok(())
    }
}

impl<I, S: Sink<I>> Recorder<I, S> {
    /// Records a step of the world. `take_input` starts a new run if the input of the tick differs.
    fn record_step(
        &mut self,
        world: &World,
        take_input: impl FnOnce(&mut Self) -> Result<(), RecorderError>,
    ) -> Result<(), RecorderError> {
        let done = self.check_running_and_at_tick(world, self.first + self.ticks + 1).and_then(|()| {
            if self.ticks >= Recording::<I>::MAX_TICKS {
                return Err(RecorderError::TooManyTicks);
            }
            take_input(self)?;
            self.count_tick_and_write_due(world)
        });
        if done.is_err() && !self.over {
            // The first error is the one to report, so ignore errors of this last write.
            self.write_rest_and_stop();
        }
        done
    }

    /// Counts a recorded tick, and adds the checksums and the state that are due after it.
    fn count_tick_and_write_due(&mut self, world: &World) -> Result<(), RecorderError> {
        if self.game.state.is_some() {
            self.buffer_commands_of_tick(world);
        }
        self.run.ticks += 1;
        self.ticks += 1;
        self.pending = world.pending().len();
        let due = |every: u32| every > 0 && self.ticks.is_multiple_of(every.into());
        let (sums, state) = (due(self.options.checksum_interval), due(self.options.snapshot_interval));
        if sums || state {
            self.write_checkpoint(world, state)?;
        }
        if self.ticks.is_multiple_of(self.second) || self.sink.as_ref().is_some_and(S::is_flush_due) {
            self.write_waiting_ticks()?;
            self.write_game_state_if_changed(world.tick())?;
            self.write_buffered_commands()?;
            self.flush()?;
        }
        Ok(())
    }

    /// Sets the game's own state, as RON, before a tick is recorded.
    pub(super) fn set_game_state(&mut self, ron: &str) {
        self.game.set_state(ron);
    }

    /// Keeps the commands of the last tick, those before its step and those after. Commands from before the recorder
    /// was created are part of the start of the recording.
    fn buffer_commands_of_tick(&mut self, world: &World) {
        let given = world.commands().get(self.pending..).unwrap_or_default();
        self.game.commands.add_tick(world.tick(), given, world.pending());
    }

    /// Writes the commands of the last ticks.
    fn write_buffered_commands(&mut self) -> Result<(), RecorderError> {
        std::mem::take(&mut self.game.commands).into_line().map_or(Ok(()), |line| self.write_line(line))
    }

    /// Writes the game's own state if it has changed since it was last written.
    fn write_game_state_if_changed(&mut self, tick: u64) -> Result<(), RecorderError> {
        let changed = self.game.take_changed_state(tick);
        changed.map_or(Ok(()), |GameState { tick, ron }| self.write_line(Line::Game { tick, state: ron }))
    }

    /// Passes the appended lines on. After an error, only a part of them may be written. So the recorder stops and
    /// drops its sink.
    fn flush(&mut self) -> Result<(), RecorderError> {
        let done = self.sink.as_mut().map_or(Ok(()), S::flush);
        done.inspect_err(|_| (self.over, self.sink) = (true, None))
    }

    /// Writes the buffered lines as far as possible. Ignores further errors, because an earlier one is already
    /// reported.
    fn write_rest_and_stop(&mut self) {
        let _ = self.write_waiting_ticks();
        let _ = self.flush();
        self.over = true;
    }
}

impl<I, S: Sink<I>> Drop for Recorder<I, S> {
    fn drop(&mut self) {
        if !self.over {
            self.write_rest_and_stop();
        }
    }
}

/// Returns the number of whole ticks in a second, at least one.
fn ticks_per_second(tick: f64) -> u64 {
    let about = (1.0 / tick) as u64;
    // Correct the rounding of the quotient.
    if (about + 1) as f64 * tick <= 1.0 { about + 1 } else { about.max(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_per_second_are_rounded_down() {
        for (tick, ticks) in [(1.0 / 60.0, 60), (1.0 / 49.0, 49), (0.4, 2), (0.5, 2), (1.0, 1), (1e-6, 1_000_000)] {
            assert_eq!(ticks_per_second(tick), ticks, "{tick}");
        }
    }
}
