use super::file::recording_text;
use super::log::GameState;
use super::player::{Cursor, is_only_motion_compared, map_has_changed, restore_start};
use super::recorder::{MemoryAndFile, game_checksum};
use super::{
    Checkpoint, GameDivergence, GameRunError, PlaybackSummary, RecordOptions, Recorder, RecorderError, Recording,
    RecordingStart, TickComparison,
};
use crate::body::Input;
use crate::checksum::Checksum;
use crate::event::BodyId;
use crate::io::write_atomic;
use crate::map::Map;
use crate::rollback::{Rollback, RollbackError};
use crate::snapshot::{FieldDifference, Snapshot, difference_of};
use crate::text::to_ron;
use crate::world::World;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ops::Index;
use std::path::Path;
use std::sync::Arc;

/// The inputs of all players in a tick. A player who has none does nothing: `inputs[7]` is the default [`Input`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Inputs(Vec<Input>);

impl From<Input> for Inputs {
    /// The input of the only player.
    fn from(input: Input) -> Inputs {
        Inputs(vec![input])
    }
}

impl FromIterator<Input> for Inputs {
    /// The inputs of the players in order.
    fn from_iter<T: IntoIterator<Item = Input>>(inputs: T) -> Inputs {
        Inputs(inputs.into_iter().collect())
    }
}

impl Index<usize> for Inputs {
    type Output = Input;

    /// Returns the input of a player, counted from 0.
    fn index(&self, player: usize) -> &Input {
        const NONE: Input = Input { walk: 0, jump: false, down: false, up: false, dash: false };
        self.0.get(player).unwrap_or(&NONE)
    }
}

/// The tick function of a game: applies the rules to the world and to the game's own state, and steps the world once.
pub type GameTick<G, I> = fn(&mut World, &mut G, &I);

/// A running game: its world, its own state, and everything needed to rewind, save, record and replay it.
///
/// - `G` is the state of the game outside the world, such as coins and timers. It is cloned in each tick for the
///   rewind, and written as RON in each tick for the comparison with a recording. So keep it small; the map and the
///   bodies belong to the world.
/// - `I` is the input of a tick. The default, [`Inputs`], has one [`Input`] for each player.
///
/// The rules of the game are one function, [`GameTick`]. It must depend only on the world, the state and the input.
/// Nothing else changes the world, so every run can be played again.
///
/// All methods work together in any order. After [`GameRun::rewind`], the recording continues from the earlier tick.
/// [`GameRun::load`] of a state that the recording contains does the same; after any other state the recording starts
/// again with that state. A recording that is played can be rewound, saved, and continued by hand.
///
/// # Examples
/// ```
/// use serde::{Deserialize, Serialize};
/// use surefoot::prelude::*;
/// use surefoot::record::{GameRun, Inputs};
/// use surefoot::{Input, Map, World};
///
/// #[derive(Clone, Serialize, Deserialize)]
/// struct Rules {
///     hero: BodyId,
///     landings: u32,
/// }
///
/// fn tick(world: &mut World, rules: &mut Rules, inputs: &Inputs) {
///     world.set_input(rules.hero, inputs[0]);
///     world.step();
///     rules.landings += world.events().iter().filter(|event| event.kind.name() == "landed").count() as u32;
/// }
///
/// let mut world = World::new(Map::from_rows(["....", "....", "===="])?, Settings::default());
/// let hero = world.spawn(Body::new(Shape::circle(0.3)).at((1.5, 1.3)).character(Character::default()))?;
/// let mut run = GameRun::new(world, Rules { hero, landings: 0 }, tick)?;
/// let jump = Inputs::from(Input { jump: true, ..Input::default() });
/// for _ in 0..120 {
///     run.advance(&jump)?;
/// }
/// assert_eq!(run.game().landings, 1);
/// run.rewind(100)?;
/// assert_eq!((run.world().tick(), run.game().landings), (20, 0));
///
/// let recording = run.recording()?.clone();
/// run.play(recording)?;
/// while run.is_playing() {
///     run.advance(&jump)?; // Plays the recorded input and compares the tick.
/// }
/// assert_eq!(run.world().tick(), 20);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GameRun<G: Clone, I = Inputs>
where
    I: Serialize,
{
    world: World,
    game: G,
    tick: GameTick<G, I>,
    history: Rollback<I, G>,
    options: GameRunOptions,
    recorder: Recorder<I, MemoryAndFile<I>>,
    played: Option<Played<I>>,
    /// The game's own state as RON.
    ron: String,
}

/// Options of a [`GameRun`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRunOptions {
    /// Number of ticks that can be rewound, default 600. Each holds a snapshot of the world and a clone of the game's
    /// own state.
    pub rewind_ticks: usize,
    /// Options of the recording. By default a checksum is recorded in each tick, so that [`GameRun::verify`] names the
    /// first tick that differs.
    pub record: RecordOptions,
}

impl Default for GameRunOptions {
    fn default() -> GameRunOptions {
        GameRunOptions { rewind_ticks: 600, record: RecordOptions::from(1) }
    }
}

/// A saved state of a [`GameRun`]: the world and the game's own state. [`GameRun::save`] makes one in memory.
#[derive(Clone, Debug)]
pub struct SavedGame<G> {
    world: Snapshot,
    game: G,
    pub(super) sums: Sums,
}

impl<G> SavedGame<G> {
    /// Returns the tick of the world in the saved state.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.world.tick()
    }

    /// Returns the saved state of the game outside the world.
    #[must_use]
    pub fn game(&self) -> &G {
        &self.game
    }
}

/// Checksums of a state: of the world, of its motion, and of the game's own state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sums(Checksum, Checksum, Option<Checksum>);

/// A recording that is being played.
#[derive(Debug)]
struct Played<I> {
    recording: Arc<Recording<I>>,
    cursor: Cursor,
}

impl<G, I> GameRun<G, I>
where
    G: Clone + Serialize + DeserializeOwned,
    I: Clone + Serialize + DeserializeOwned,
{
    /// Starts a game with the default [`GameRunOptions`].
    ///
    /// # Errors
    /// Returns the errors of [`GameRun::with_options`].
    pub fn new(world: World, game: G, tick: GameTick<G, I>) -> Result<GameRun<G, I>, GameRunError> {
        GameRun::with_options(world, game, tick, GameRunOptions::default())
    }

    /// Starts a game on a world that has its first bodies.
    ///
    /// # Errors
    /// Returns [`GameRunError::Recorder`] if `game` cannot be written as RON and read back equal.
    pub fn with_options(
        world: World,
        game: G,
        tick: GameTick<G, I>,
        options: GameRunOptions,
    ) -> Result<GameRun<G, I>, GameRunError> {
        let ron = game_to_ron(&game)?;
        let back = ron::from_str::<G>(&ron).ok().and_then(|back| game_to_ron(&back).ok());
        if back.as_ref() != Some(&ron) {
            return Err(RecorderError::ReadsOtherwise { text: ron }.into());
        }
        let recorder = Recorder::new_for_game(&world, &ron, options.record.clone())?;
        let history = Rollback::new(options.rewind_ticks);
        Ok(GameRun { world, game, tick, history, options, recorder, played: None, ron })
    }

    /// Returns the world.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Returns the state of the game outside the world.
    #[must_use]
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Gives a body a name in the recording: see [`Recorder::name_body`].
    ///
    /// # Errors
    /// Returns the errors of [`Recorder::name_body`].
    pub fn name_body(&mut self, body: BodyId, name: impl Into<String>) -> Result<(), GameRunError> {
        Ok(self.recorder.name_body(body, name)?)
    }

    /// Plays one tick with that input. While a recording is played, the tick gets the recorded input instead.
    ///
    /// # Errors
    /// - Returns [`GameRunError::Differs`] if a played recording differs in this tick. The game can go on.
    /// - Returns [`GameRunError::Recorder`] if the tick function does not step the world exactly once, or if the state
    ///   of the game or the input cannot be written.
    pub fn advance(&mut self, input: &I) -> Result<(), GameRunError> {
        if let Some(done) = self.play_tick_of_recording() {
            return done;
        }
        self.history.advance_with(&mut self.world, &mut self.game, input.clone(), self.tick);
        self.record_played_tick(input)
    }

    /// Plays one tick of the recording that is played. Returns `None` if there is none.
    fn play_tick_of_recording(&mut self) -> Option<Result<(), GameRunError>> {
        let GameRun { world, game, tick, history, played, .. } = self;
        let Played { recording, cursor } = played.as_mut()?;
        let recording = Arc::clone(recording);
        let mut used = None;
        let compared = cursor.step(&recording, world, |world, input| {
            history.advance_with(world, game, input.clone(), *tick);
            used = Some(input);
        });
        if used.is_none() || cursor.is_over(&recording) {
            *played = None;
        }
        if let Some(Err(error)) = used.map(|input| self.record_played_tick(input)) {
            return Some(Err(error));
        }
        Some(match compared {
            Some(TickComparison::Differs(divergence)) => {
                Err(GameDivergence::World { divergence, recorded: self.world_difference_to(&recording) }.into())
            }
            _ => self.compare_game_state(&recording),
        })
    }

    /// Records the tick that was just played.
    fn record_played_tick(&mut self, input: &I) -> Result<(), GameRunError> {
        self.ron = game_to_ron(&self.game)?;
        self.recorder.set_game_state(&self.ron);
        Ok(self.recorder.record_tick_with(&self.world, input)?)
    }

    /// Compares the game's own state with a recording.
    fn compare_game_state(&self, recording: &Recording<I>) -> Result<(), GameRunError> {
        let tick = self.world.tick();
        let expected = recording.checkpoint_of_tick(tick).and_then(|checkpoint| checkpoint.game);
        if expected.is_none_or(|expected| expected == game_checksum(&self.ron)) {
            return Ok(());
        }
        Err(GameDivergence::Game { tick, recorded: self.game_difference_to(recording) }.into())
    }

    /// Returns the field in which the game's own state differs from the one that is recorded for this tick.
    fn game_difference_to(&self, recording: &Recording<I>) -> Option<(u64, FieldDifference)> {
        let tick = self.world.tick();
        let recorded = recording.game_states.iter().find(|state| state.tick == tick)?;
        let recorded: G = ron::from_str(&recorded.ron).ok()?;
        difference_of(&recorded, &self.game).map(|difference| (tick, difference))
    }

    /// Returns the body and field in which the world differs from the state that is recorded for this tick.
    fn world_difference_to(&self, recording: &Recording<I>) -> Option<(u64, FieldDifference)> {
        let tick = self.world.tick();
        let recorded = recording.snapshot_ticks.iter().find(|state| state.tick == tick)?.snapshot().ok()?;
        recorded.first_difference(&self.world.capture()).map(|difference| (tick, difference))
    }

    /// Goes back by a number of ticks, as if they had not been played. A played recording ends.
    ///
    /// # Errors
    /// Returns [`GameRunError::Rollback`] if there are fewer ticks to rewind than `ticks`: see
    /// [`GameRun::rewind_ticks`].
    pub fn rewind(&mut self, ticks: u64) -> Result<(), GameRunError> {
        let (now, most) = (self.world.tick(), self.rewind_ticks());
        if ticks > most {
            return Err(RollbackError::TooOld { tick: now.saturating_sub(ticks), oldest: now - most }.into());
        }
        self.history.rewind_with(&mut self.world, &mut self.game, now - ticks)?;
        self.played = None;
        self.ron = game_to_ron(&self.game)?;
        Ok(self.recorder.rewind_to_world(&self.world, &self.ron)?)
    }

    /// Returns the number of ticks that can be rewound now.
    #[must_use]
    pub fn rewind_ticks(&self) -> u64 {
        let ticks = self.history.ticks();
        if ticks.end == self.world.tick() { ticks.end - ticks.start } else { 0 }
    }

    /// Returns the present state, to go back to it with [`GameRun::load`].
    ///
    /// # Errors
    /// Returns [`GameRunError::Recorder`] if an earlier error has stopped the recording.
    pub fn save(&mut self) -> Result<SavedGame<G>, GameRunError> {
        self.recorder.write_checksums(&self.world)?;
        Ok(SavedGame { world: self.world.capture(), game: self.game.clone(), sums: self.checksums() })
    }

    pub(super) fn checksums(&self) -> Sums {
        Sums(self.world.checksum(), self.world.motion_checksum(), Some(game_checksum(&self.ron)))
    }

    /// Continues from a saved state. A played recording ends.
    ///
    /// If the recording contains that state, the ticks after it are dropped. Otherwise the recording starts again with
    /// the state.
    ///
    /// # Errors
    /// Returns [`GameRunError::Snapshot`] if the state belongs to another map or has other settings. Nothing has
    /// changed then.
    pub fn load(&mut self, saved: &SavedGame<G>) -> Result<(), GameRunError> {
        self.world.restore(&saved.world)?;
        self.game.clone_from(&saved.game);
        self.ron = game_to_ron(&self.game)?;
        self.played = None;
        let tick = saved.tick();
        let known =
            self.recorder.recording_so_far()?.checkpoint_of_tick(tick).map(|at| Sums(at.state, at.motion, at.game));
        if known == Some(saved.sums) {
            let history = self.history.ticks();
            if history.contains(&tick) {
                self.history.drop_ticks_from(tick);
            } else if history.end != tick {
                self.forget_rollback_history();
            }
            Ok(self.recorder.rewind_to_world(&self.world, &self.ron)?)
        } else {
            self.forget_rollback_history();
            Ok(self.recorder.restart_at_world(&self.world, &self.ron)?)
        }
    }

    fn forget_rollback_history(&mut self) {
        self.history = Rollback::new(self.options.rewind_ticks);
    }

    /// Writes the present state to a file, completely or not at all. The file is a recording without ticks.
    ///
    /// # Errors
    /// Returns [`GameRunError::Write`] if the file cannot be written. An existing file keeps its content then.
    pub fn save_file(&mut self, path: impl AsRef<Path>) -> Result<(), GameRunError> {
        let (tick, Sums(state, motion, game)) = (self.world.tick(), self.checksums());
        let save = Recording::<I> {
            start: RecordingStart::State(Box::new(self.world.capture())),
            map_file: self.options.record.map_file.clone(),
            checkpoints: vec![Checkpoint { tick, state, motion, positions: Vec::new(), game }],
            game_states: vec![GameState { tick, ron: self.ron.clone() }],
            ..Recording::empty_for_world(&self.world)
        };
        let path = path.as_ref();
        Ok(write_atomic(path, recording_text(path, &save.marked_complete())?.as_bytes())?)
    }

    /// Continues from a file of [`GameRun::save_file`]. Works as [`GameRun::load`].
    ///
    /// # Errors
    /// - Returns [`GameRunError::Load`] if the file cannot be read.
    /// - Returns [`GameRunError::NotASave`] if it is a recording with ticks; [`GameRun::play`] plays such a file.
    /// - Returns [`GameRunError::Game`] if the state in it cannot be read as `G`.
    /// - Returns [`GameRunError::Snapshot`] if the state belongs to another map.
    pub fn load_file(&mut self, path: impl AsRef<Path>) -> Result<(), GameRunError> {
        let recording = Recording::<I>::load(path)?;
        let (game, state) = match &recording.start {
            RecordingStart::State(state) if recording.ticks == 0 => (game_at_start(&recording)?, state),
            _ => return Err(GameRunError::NotASave { ticks: recording.ticks }),
        };
        let sums = recording.checkpoints.first().map(|at| Sums(at.state, at.motion, at.game));
        let sums = sums.unwrap_or(Sums(Checksum(0), Checksum(0), None));
        self.load(&SavedGame { world: (**state).clone(), game, sums })
    }

    /// Returns the recording of the run up to now.
    ///
    /// # Errors
    /// Returns [`GameRunError::Recorder`] if an earlier error has stopped the recording.
    pub fn recording(&mut self) -> Result<&Recording<I>, GameRunError> {
        Ok(self.recorder.recording_so_far()?)
    }

    /// Writes the recording into the new file `path` from now on, with everything recorded so far. An earlier file is
    /// closed.
    ///
    /// The file gets the new ticks at least once per second of game time, so a crash loses at most one second.
    ///
    /// # Errors
    /// Returns [`GameRunError::Recorder`] if the file exists or cannot be written.
    pub fn record_to(&mut self, path: impl AsRef<Path>) -> Result<(), GameRunError> {
        Ok(self.recorder.record_to(path.as_ref())?)
    }

    /// Ends the file of [`GameRun::record_to`]. The recording in memory continues.
    ///
    /// # Errors
    /// Returns [`GameRunError::Recorder`] if the file cannot be written.
    pub fn close_recording(&mut self) -> Result<(), GameRunError> {
        Ok(self.recorder.close_file()?)
    }

    /// Goes to the start of a recording and plays it: from now on, each [`GameRun::advance`] takes the recorded input
    /// and compares the tick, until the recording ends.
    ///
    /// # Errors
    /// - Returns [`GameRunError::Playback`] if the recording starts with a state of another map.
    /// - Returns [`GameRunError::Game`] or [`GameRunError::NoGame`] if the recording has no state of the game that can
    ///   be read as `G`.
    pub fn play(&mut self, recording: impl Into<Arc<Recording<I>>>) -> Result<(), GameRunError> {
        let recording = recording.into();
        let game = game_at_start(&recording)?;
        restore_start(&mut self.world, &recording.start)?;
        self.game = game;
        self.ron = game_to_ron(&self.game)?;
        self.forget_rollback_history();
        self.recorder.restart_at_world(&self.world, &self.ron)?;
        for (body, name) in recording.names.iter() {
            self.recorder.name_body(body, name)?;
        }
        self.resume_playing(recording);
        Ok(())
    }

    /// Continues to play a recording from the present tick, as [`GameRun::play`] does from the start.
    ///
    /// [`GameRun::rewind`] and [`GameRun::load`] end the playing of a recording. Call this method after them if the
    /// recording should go on from there. The run must have come to this tick by the inputs of the recording: other
    /// runs differ at the next checksum. Does nothing if the recording has ended at this tick.
    pub fn resume_playing(&mut self, recording: impl Into<Arc<Recording<I>>>) {
        let recording = recording.into();
        let cursor = Cursor::at_tick(&recording, &self.world);
        self.played = (!cursor.is_over(&recording)).then_some(Played { recording, cursor });
    }

    /// Returns whether a recording is being played.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.played.is_some()
    }

    /// Ends the playing of a recording. The next [`GameRun::advance`] takes its own input.
    pub fn stop_playing(&mut self) {
        self.played = None;
    }

    /// Plays a recording of the game on the map that the recording names, and compares each tick: the world and the
    /// game's own state.
    ///
    /// The path of the map is [`RecordOptions::map_file`], relative to the folder of the recording. It must not lead
    /// out of that folder; for such a recording, use [`GameRun::verify_on`].
    ///
    /// # Errors
    /// - Returns [`GameRunError::Differs`] with the first tick that differs. If the game's own state differs, the error
    ///   names the field.
    /// - Returns another [`GameRunError`] if the recording or the map cannot be read.
    ///
    /// # Examples
    /// ```no_run
    /// # use serde::{Deserialize, Serialize};
    /// # use surefoot::{World, record::Inputs};
    /// # #[derive(Clone, Serialize, Deserialize)]
    /// # struct Rules;
    /// # fn tick(world: &mut World, rules: &mut Rules, inputs: &Inputs) {}
    /// use surefoot::record::GameRun;
    ///
    /// // In a test of the game:
    /// GameRun::verify("runs/level_1.recording", tick).unwrap();
    /// ```
    pub fn verify(path: impl AsRef<Path>, tick: GameTick<G, I>) -> Result<PlaybackSummary, GameRunError> {
        let path = path.as_ref();
        let recording = Recording::<I>::load(path)?;
        let map = recording.map_path(path).ok_or(GameRunError::NoMapFile)?;
        let map = Map::load(map).map_err(|error| GameRunError::Map(Box::new(error)))?;
        GameRun::verify_on(recording, map, tick)
    }

    /// Plays a recording of the game on that map, as [`GameRun::verify`] does.
    ///
    /// # Errors
    /// Returns the errors of [`GameRun::verify`].
    pub fn verify_on(
        recording: impl Into<Arc<Recording<I>>>,
        map: impl Into<Arc<Map>>,
        tick: GameTick<G, I>,
    ) -> Result<PlaybackSummary, GameRunError> {
        let recording = recording.into();
        let options = GameRunOptions { rewind_ticks: 1, record: RecordOptions::from(0) };
        let world = recording.new_world_on(map);
        let mut run = GameRun::with_options(world, game_at_start(&recording)?, tick, options)?;
        run.play(Arc::clone(&recording))?;
        let mut compared = 0;
        while let Some(done) = run.play_tick_of_recording() {
            if let Err(GameRunError::Differs(first)) = done {
                return Err(run.play_to_differing_field(&recording, first).into());
            }
            done?;
            compared += usize::from(recording.checkpoint_of_tick(run.world.tick()).is_some());
        }
        Ok(PlaybackSummary {
            ticks: recording.ticks,
            checksum: run.world.checksum(),
            compared,
            motion_only: is_only_motion_compared(&recording, &run.world),
            map_changed: map_has_changed(&recording, &run.world),
        })
    }

    /// Plays on to the next tick whose recorded state shows the difference.
    fn play_to_differing_field(mut self, recording: &Recording<I>, mut first: GameDivergence) -> GameDivergence {
        loop {
            let (recorded, found) = match &mut first {
                GameDivergence::World { recorded, .. } => (recorded, self.world_difference_to(recording)),
                GameDivergence::Game { recorded, .. } => (recorded, self.game_difference_to(recording)),
            };
            *recorded = found;
            if recorded.is_some() || self.play_tick_of_recording().is_none() {
                return first;
            }
        }
    }
}

/// Reads the game's own state at the start of a recording.
fn game_at_start<G: DeserializeOwned, I>(recording: &Recording<I>) -> Result<G, GameRunError> {
    let first = recording.game_states.first().filter(|state| state.tick == recording.start.tick());
    let first = first.ok_or(GameRunError::NoGame)?;
    ron::from_str(&first.ron).map_err(|error| GameRunError::Game { error })
}

fn game_to_ron(game: &impl Serialize) -> Result<String, RecorderError> {
    to_ron(game, None).map_err(|error| RecorderError::Unwritable { error })
}
