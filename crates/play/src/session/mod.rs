//! A played map or a watched replay: the world and its time.

mod changes;
mod clock;
mod draft;
mod edit;
mod ghost;
mod held;
mod hero;
mod named;
mod record;
mod reload;
mod rules;
mod run;
mod save;
mod seek;
mod throwable;
mod watch;

pub use changes::Changes;
pub use clock::Time;
pub(crate) use draft::{Draft, DraftKey};
pub use held::Held;
pub(crate) use hero::default_hero_character;
pub(crate) use named::is_nameable;
pub use rules::Rules;
pub use save::SavedReplay;
pub use throwable::Throwable;
pub use watch::{Expected, Watched};

use crate::error::PlayError;
use crate::legend;
use crate::level::{Level, is_editor_file};
use crate::pose::Axes;
use crate::sound::Sound;
use crate::storage::{Disk, Storage, is_replay_file};
use clock::{Clock, Mean, SLOW_MOTION_SPEED};
use ghost::Ghost;
use rules::Played;
use run::Run;
use save::Origin;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use surefoot::body::{Buttons, Character, Input};
use surefoot::catalogue::VariantId;
use surefoot::event::{BodyId, EventKind};
use surefoot::geometry::DVec2;
use surefoot::io::MapLoadError;
use surefoot::map::{Map, TileId};
use surefoot::motion::Shape;
use surefoot::record::Recording;
use surefoot::replay::{Replay, ReplayLoadError};
use surefoot::terrain::Terrain;
use surefoot::world::{Settings, World};
use surefoot_import::Options;
use watch::Watch;

/// Maximum number of sounds that wait for [`Session::take_sounds`].
const MAX_SOUNDS: usize = 32;

/// Minimum speed of a landing that is heard, in tiles per second.
const MIN_LANDING_SPEED: f64 = 5.0;

/// A world to play in, with time that can be rewound.
///
/// Records all commands since the last restart. A command between two ticks takes effect at once. Rewinding past the
/// tick removes it.
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
/// use surefoot::Map;
/// use surefoot_play::{Held, Session};
///
/// let map = Map::from_ron(r#"Map(format: 1, tiles: ["@....", "====="])"#)?;
/// let mut session = Session::play(map, None);
/// let hero = session.hero().ok_or("no hero")?;
/// let before = session.world()[hero].position();
/// for _ in 0..30 {
///     session.advance(1.0 / 60.0, Held { right: true, ..Held::default() });
/// }
/// assert_ne!(session.world()[hero].position(), before);
/// session.set_rewinding(true);
/// for _ in 0..40 {
///     session.advance(1.0 / 60.0, Held::default());
/// }
/// assert_eq!(session.world().tick(), 0);
/// assert_eq!(session.world()[hero].position(), before);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Session {
    mode: Mode,
    origin: Origin,
    time: Time,
    clock: Clock,
    buttons: Buttons,
    /// Jump and dash keys that went down while time stood still. They count once they have been released and pressed
    /// again.
    ignored: Held,
    micros: Mean,
    ghost: Option<Ghost>,
    changes: Changes,
    /// Number of edits of tiles, things and markers, and of rewinds over them.
    edit_count: u64,
    /// The tile layer to paint; `None` is the first that collides.
    layer: Option<usize>,
    /// Sounds since the last query.
    sounds: Vec<Sound>,
    /// The tick that [`Session::seek`] wants to reach.
    seek_target: Option<u64>,
}

#[derive(Debug)]
enum Mode {
    Play(Box<Run>),
    Watch(Box<Watch>),
    Rules(Played),
}

impl Session {
    /// Maximum number of ticks to rewind: 10 seconds.
    pub const REWIND: u64 = 600;

    /// Starts playing on a map. `file`: the file of the map, if any. The hero starts below the marker `start`.
    ///
    /// Extends the legend by all missing variants of the catalogue, so that every variant can be painted.
    #[must_use]
    pub fn play(map: Map, file: Option<PathBuf>) -> Session {
        let origin = Origin::new(file, map.kinds().len());
        let map = legend::with_all_variants(&map);
        let terrain = Terrain::bake(&map);
        let run = Run::new(map, terrain, Settings::default(), default_hero_character(), Self::REWIND);
        Session::new(Mode::Play(Box::new(run)), origin)
    }

    /// Starts watching a replay from `file`.
    ///
    /// # Errors
    /// [`PlayError::Streamed`] for a replay of a streamed world.
    pub fn watch(replay: Replay, file: PathBuf) -> Result<Session, PlayError> {
        if replay.source_identity().is_some() {
            return Err(PlayError::Streamed { name: file.display().to_string() });
        }
        let origin = Origin::new(Some(file), replay.map().kinds().len());
        Ok(Session::new(Mode::Watch(Box::new(Watch::new(replay, Self::REWIND))), origin))
    }

    /// Starts a game with rules of its own. `map_file`: the file of its map.
    #[must_use]
    pub fn with_rules(rules: Box<dyn Rules>, map_file: PathBuf) -> Session {
        let origin = Origin::new(Some(map_file), rules.world().map().kinds().len());
        Session::new(Mode::Rules(Played::new(rules)), origin)
    }

    /// Watches a run of a game with rules of its own. `text`: content of a file whose name ends in `.run.ron`.
    ///
    /// # Errors
    /// Returns an error if the text is not a run of this game.
    pub fn watch_rules(
        mut rules: Box<dyn Rules>,
        map_file: PathBuf,
        text: &str,
    ) -> Result<Session, Box<dyn std::error::Error>> {
        let run = Recording::from_short_ron(text, &rules.recording()?)?;
        rules.watch(Arc::new(run))?;
        Ok(Session::with_rules(rules, map_file))
    }

    /// Plays the map or the level of an editor in a file, or watches the replay in it.
    ///
    /// # Errors
    /// [`PlayError`] if the file is none of them. If its name does not end in `.replay.ron`, the error says why it is
    /// not a map.
    pub fn open(path: impl AsRef<Path>) -> Result<Session, PlayError> {
        Session::open_with(path, &Options::default())
    }

    /// Opens a file as [`Session::open`] does. `options`: how levels of editors are read. Of a file with several
    /// levels, opens the one that [`Options::level`] names, or else the first one with a marker `start`.
    ///
    /// # Errors
    /// Like [`Session::open`].
    pub fn open_with(path: impl AsRef<Path>, options: &Options) -> Result<Session, PlayError> {
        Session::open_from(&Disk::default(), path.as_ref(), options)
    }

    /// Opens the map or the replay in a text. `name`: name of its file. `storage` has the maps that replays name.
    pub(crate) fn open_text(storage: &dyn Storage, name: &str, text: &str) -> Result<Session, PlayError> {
        let file = PathBuf::from(name);
        let replay = || {
            let replay = Replay::from_ron_with(text, |map| storage.load_map(Path::new(map)));
            replay.map_err(|error| ReplayLoadError::from(error.in_file(name)))
        };
        if is_replay_file(&file) {
            return Session::watch(replay()?, file);
        }
        match Map::from_ron(text) {
            Ok(map) => Ok(Session::play(map, Some(file))),
            // As in `open_from`, a replay may have the name of a map.
            Err(error) => match replay() {
                Ok(replay) => Session::watch(replay, file),
                Err(_) => Err(MapLoadError::from(error.in_file(name)).into()),
            },
        }
    }

    /// Opens a file of a storage as [`Session::open_with`] does.
    pub(crate) fn open_from(storage: &dyn Storage, path: &Path, options: &Options) -> Result<Session, PlayError> {
        if is_replay_file(path) {
            return Session::watch(storage.load_replay(path)?, path.to_owned());
        }
        match storage.load_level(path, options) {
            Ok(Level { map, name, notes }) => {
                let mut session = Session::play(map, Some(path.to_owned()));
                (session.origin.level, session.origin.notes) = (name, notes);
                Ok(session)
            }
            Err(error) if is_editor_file(path) => Err(error),
            Err(error) => match storage.load_replay(path) {
                Ok(replay) => Session::watch(replay, path.to_owned()),
                Err(_) => Err(error),
            },
        }
    }

    fn new(mode: Mode, origin: Origin) -> Session {
        Session {
            mode,
            origin,
            time: Time::default(),
            clock: Clock::default(),
            buttons: Buttons::default(),
            ignored: Held::default(),
            micros: Mean::default(),
            ghost: None,
            changes: Changes::All,
            edit_count: 0,
            layer: None,
            sounds: Vec::new(),
            seek_target: None,
        }
    }

    /// Advances time by a frame of `seconds`. `held`: the keys held in the frame. Negative and infinite times count as
    /// 0.
    ///
    /// A key tapped between two ticks counts for the next tick. While time is paused or rewound, or a run is watched,
    /// keys have no effect. When the player goes on, a held jump or dash key counts as held if the last tick had it.
    /// Otherwise it counts once it has been released and pressed again.
    pub fn advance(&mut self, seconds: f64, held: Held) {
        let seconds = if seconds.is_finite() && seconds > 0.0 { seconds } else { 0.0 };
        let time = seconds / self.world().settings().tick;
        if self.try_step_to_seek_target() {
            self.discard_presses(held);
        } else if self.time.rewinding {
            let ticks = self.clock.take_ticks_to_rewind(time, self.rewindable_ticks());
            if ticks > 0 {
                self.rewind_by(ticks);
            }
            self.discard_presses(held);
        } else if self.time.paused || self.is_at_end() {
            self.clock.advance_paused(time);
            self.discard_presses(held);
        } else {
            let is_watching = self.watched().is_some();
            if !is_watching {
                self.ignored.jump &= held.jump;
                self.ignored.dash &= held.dash;
                let jump = held.jump && !self.ignored.jump;
                let dash = held.dash && !self.ignored.dash;
                Held { jump, dash, ..held }.set_buttons(&mut self.buttons);
            }
            for _ in 0..self.clock.take_ticks_to_step(if self.time.slow { time * SLOW_MOTION_SPEED } else { time }) {
                // A slow frame may have more ticks than a watched run has left.
                if self.is_at_end() {
                    break;
                }
                let input = self.buttons.next_input();
                self.step(input);
            }
            if is_watching {
                self.discard_presses(held);
            }
        }
    }

    /// Steps one tick if time is paused; otherwise does nothing.
    pub fn step_if_paused(&mut self, held: Held) {
        if self.time.paused && !self.time.rewinding && !self.is_at_end() {
            self.step(held.to_input());
            self.clock.show_last_tick();
        }
    }

    /// Restarts: the hero is at the start with its tuned character, and all thrown bodies and recorded commands are
    /// gone. Edited tiles stay and are the map of the new run. A replay starts from its beginning.
    pub fn restart(&mut self) {
        match &mut self.mode {
            Mode::Play(run) => **run = run.restarted(Self::REWIND),
            Mode::Watch(watch) => **watch = watch.restarted(),
            Mode::Rules(game) => game.restart(),
        }
        self.clock = Clock::default();
        // A jump key that is still held must not begin the new run with a jump.
        self.buttons.forget_presses();
        self.seek_target = None;
        self.changes = Changes::All;
    }

    /// Returns the world.
    #[must_use]
    pub fn world(&self) -> &World {
        match &self.mode {
            Mode::Play(run) => &run.world,
            Mode::Watch(watch) => watch.player.world(),
            Mode::Rules(game) => game.rules.world(),
        }
    }

    /// Returns the played body; in a replay the first character.
    #[must_use]
    pub fn hero(&self) -> Option<BodyId> {
        match &self.mode {
            Mode::Play(run) => run.hero,
            Mode::Watch(watch) => watch.hero(),
            Mode::Rules(game) => game.rules.hero(),
        }
    }

    /// Returns the interpolation fraction between the previous and the last tick, from 0 to 1, for
    /// [`position_at`](surefoot::world::BodyState::position_at). During a pause it reaches 1 within a tick and stays
    /// there.
    #[must_use]
    pub fn fraction(&self) -> f32 {
        self.clock.fraction() as f32
    }

    /// Returns the flow of time.
    #[must_use]
    pub fn time(&self) -> &Time {
        &self.time
    }

    /// Pauses or resumes time.
    pub fn toggle_pause(&mut self) {
        self.time.paused = !self.time.paused;
    }

    /// Turns slow motion on or off.
    pub fn toggle_slow(&mut self) {
        self.time.slow = !self.time.slow;
    }

    /// Starts or stops rewinding.
    pub fn set_rewinding(&mut self, rewinding: bool) {
        self.time.rewinding = rewinding;
    }

    /// Returns how many ticks can be rewound now, at most [`Session::REWIND`].
    #[must_use]
    pub fn rewindable_ticks(&self) -> u64 {
        match &self.mode {
            Mode::Play(run) => run.rewindable(),
            Mode::Watch(watch) => watch.rewindable(),
            Mode::Rules(game) => game.rules.rewind_ticks().min(Self::REWIND),
        }
    }

    /// Returns the duration of a step in microseconds, averaged over half a second. For a replay it includes commands
    /// and the comparison of checksums.
    #[must_use]
    pub fn step_micros(&self) -> f64 {
        self.micros.value()
    }

    /// Returns the hero's character.
    #[must_use]
    pub fn character(&self) -> Character {
        let hero = self.hero().and_then(|hero| self.world().get(hero)?.character().copied());
        hero.unwrap_or_default()
    }

    /// Changes the hero's character.
    ///
    /// # Errors
    /// [`PlayError`] if a replay is watched, or a number is out of range.
    pub fn tune(&mut self, character: Character) -> Result<(), PlayError> {
        Ok(self.played_run_mut()?.tune(character)?)
    }

    /// Throws a body. `at`: position in tiles; `velocity`: in tiles per second. If there are more than
    /// [`Throwable::MOST`], removes the oldest.
    ///
    /// # Errors
    /// [`PlayError`] if a replay is watched, the body would overlap a solid, or a number is out of range.
    pub fn throw(&mut self, kind: Throwable, at: DVec2, velocity: DVec2) -> Result<BodyId, PlayError> {
        self.played_run_mut()?.throw(kind, at, velocity)
    }

    /// Returns the tile layer to paint: at first the first one that collides.
    #[must_use]
    pub fn layer(&self) -> usize {
        if let Some(layer) = self.layer {
            return layer;
        }
        self.world().map().layers().iter().position(|layer| layer.collides).unwrap_or(0)
    }

    /// Chooses the tile layer to paint. Does nothing if the map does not have it.
    pub fn set_layer(&mut self, layer: usize) {
        if layer < self.world().map().layers().len() {
            self.layer = Some(layer);
        }
    }

    /// Returns the variant of a tile of that layer; `None` for an empty tile and outside the map.
    #[must_use]
    pub fn variant_at(&self, tile: (i32, i32)) -> Option<VariantId> {
        let world = self.world();
        world.tile_at(self.layer(), tile).and_then(|entry| world.map().kind(entry)?.variant)
    }

    /// Sets a tile to a variant, or clears it. Does nothing if the tile has that variant already.
    ///
    /// # Errors
    /// [`PlayError`] if a replay is watched, the tile is outside the map, it cannot share its cell with the tiles of
    /// other layers, or the legend has no entry for it.
    pub fn paint(&mut self, tile: (i32, i32), brush: Option<VariantId>) -> Result<(), PlayError> {
        let kind = match brush {
            None => TileId::EMPTY,
            Some(variant) => {
                let map = self.world().map();
                legend::tile_id_of_variant(map, variant).ok_or(PlayError::NotInLegend { variant: variant.0 })?
            }
        };
        self.set_tile(self.layer(), tile, kind)
    }

    /// Returns the tiles that changed since the last call; at first all tiles.
    pub fn take_changes(&mut self) -> Changes {
        std::mem::take(&mut self.changes)
    }

    /// Returns the file of the map or the replay.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.origin.files.first().map(PathBuf::as_path)
    }

    /// Returns the name of the level, if its file has several levels. Otherwise returns an empty text.
    #[must_use]
    pub fn level_name(&self) -> &str {
        &self.origin.level
    }

    /// Returns what the map lacks of the level of an editor, line by line.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.origin.notes
    }

    /// Shows the first character of a replay as a ghost next to the run, tick by tick.
    ///
    /// # Errors
    /// [`PlayError`] if the replay is of a streamed world or has no character.
    pub fn set_ghost(&mut self, replay: Replay) -> Result<(), PlayError> {
        let mut ghost = Ghost::new(replay)?;
        ghost.play_to(self.world().tick());
        self.ghost = Some(ghost);
        Ok(())
    }

    /// Returns whether there is a ghost, visible or not.
    #[must_use]
    pub fn has_ghost(&self) -> bool {
        matches!(&self.mode, Mode::Rules(game) if game.rules.ghost_at(1.0).is_some()) || self.ghost.is_some()
    }

    /// Returns the ghost's shape and its interpolated centre in tiles. Returns `None` without a ghost, and while the
    /// ghost is not in its world.
    #[must_use]
    pub fn ghost_at(&self, fraction: f32) -> Option<(Shape, DVec2)> {
        if let Mode::Rules(game) = &self.mode {
            return game.rules.ghost_at(fraction.into());
        }
        self.ghost.as_ref()?.shape_and_centre_at(self.world().tick(), fraction.into())
    }

    /// Returns the state of a watched replay, or of the watched run of a game with rules of its own.
    #[must_use]
    pub fn watched(&self) -> Option<Watched<'_>> {
        match &self.mode {
            Mode::Watch(watch) => Some(watch.watched()),
            Mode::Rules(game) => {
                let run = game.rules.watched()?;
                Some(Watched { ticks: run.ticks(), physics: run.physics(), divergence: None, expected: Vec::new() })
            }
            Mode::Play(_) => None,
        }
    }

    /// Returns the line about a game with rules of its own, or the error that ended the game.
    #[must_use]
    pub fn status(&self) -> Option<String> {
        let Mode::Rules(game) = &self.mode else { return None };
        Some(game.failure.clone().unwrap_or_else(|| game.rules.status()))
    }

    /// Returns whether a game with rules of its own is played.
    #[must_use]
    pub fn has_rules(&self) -> bool {
        matches!(self.mode, Mode::Rules(_))
    }

    /// Returns the sounds since the last call.
    pub fn take_sounds(&mut self) -> Vec<Sound> {
        std::mem::take(&mut self.sounds)
    }

    /// Adds the sounds of a tick. `before`: the result of [`Session::coins_platforms_and_fall_speed`] before the tick.
    fn add_sounds_of_tick(&mut self, before: (u32, usize, f64)) {
        // If the window does not play sounds, nothing takes them from the list, so limit it.
        if self.sounds.len() >= MAX_SOUNDS {
            return;
        }
        let (coins, platforms, _) = self.coins_platforms_and_fall_speed();
        let (hero, events) = (self.hero(), self.world().events());
        let of_hero = events.iter().filter(|event| Some(event.body) == hero).filter_map(|event| match event.kind {
            EventKind::Jumped { .. } => Some(Sound::Jump),
            EventKind::Landed { .. } if before.2 > MIN_LANDING_SPEED => Some(Sound::Land),
            _ => None,
        });
        let mut sounds: Vec<Sound> = of_hero.collect();
        sounds.extend((coins > before.0).then_some(Sound::Coin));
        sounds.extend((platforms < before.1).then_some(Sound::Break));
        self.sounds.extend(sounds);
    }

    /// Returns what sounds depend on: the number of coins, the number of present platforms, and the speed at which
    /// the hero falls, in tiles per second.
    fn coins_platforms_and_fall_speed(&self) -> (u32, usize, f64) {
        let coins = if let Mode::Rules(game) = &self.mode { game.rules.coins() } else { 0 };
        let hero = self.hero().and_then(|hero| self.world().get(hero));
        let fall = hero.map_or(0.0, |hero| -hero.velocity().dot(Axes::of_body(hero).up));
        (coins, self.world().platforms().filter(|(_, state)| state.is_present()).count(), fall)
    }

    /// Returns the number of edits of the level so far.
    pub(crate) fn edit_count(&self) -> u64 {
        self.edit_count
    }

    fn played_run_mut(&mut self) -> Result<&mut Run, PlayError> {
        match &mut self.mode {
            Mode::Play(run) => Ok(run),
            Mode::Watch(_) => Err(PlayError::Watching),
            Mode::Rules(_) => Err(PlayError::HasRules),
        }
    }

    /// Returns whether a watched run has no more ticks, or an error has ended a game.
    pub(crate) fn is_at_end(&self) -> bool {
        match &self.mode {
            Mode::Play(_) => false,
            Mode::Rules(game) => {
                let tick = game.rules.world().tick();
                game.failure.is_some() || game.rules.watched().is_some_and(|run| tick >= run.ticks())
            }
            Mode::Watch(watch) => watch.player.world().tick() >= watch.player.recording().ticks(),
        }
    }

    fn hero_input(&self) -> Input {
        self.hero().and_then(|hero| self.world().get(hero)).map(|state| state.input()).unwrap_or_default()
    }

    /// Discards all presses up to this frame. Ignores the jump and dash keys that are held now but were not in the last
    /// tick, until they are released. Of two opposite keys, the one that went down last still counts.
    fn discard_presses(&mut self, held: Held) {
        let last = self.hero_input();
        self.ignored = Held { jump: held.jump && !last.jump, dash: held.dash && !last.dash, ..Held::default() };
        let (jump, dash) = (held.jump && last.jump, held.dash && last.dash);
        Held { jump, dash, ..held }.set_buttons(&mut self.buttons);
        self.buttons.next_input();
    }

    fn step(&mut self, input: Input) {
        let before = self.coins_platforms_and_fall_speed();
        match &mut self.mode {
            Mode::Play(run) => {
                self.micros.add(run.step(input));
                run.put_fallen_hero_back();
            }
            Mode::Watch(watch) => {
                if let Some((micros, tiles)) = watch.step() {
                    self.micros.add(micros);
                    self.changes.add(tiles);
                }
            }
            Mode::Rules(game) => {
                let (micros, tiles) = game.step(input);
                self.micros.add(micros);
                self.changes.add(tiles);
            }
        }
        let tick = self.world().tick();
        if let Some(ghost) = &mut self.ghost {
            ghost.play_to(tick);
        }
        self.add_sounds_of_tick(before);
    }

    fn rewind_by(&mut self, ticks: u64) {
        let tiles = match &mut self.mode {
            Mode::Play(run) => run.rewind_by(ticks),
            Mode::Watch(watch) => watch.rewind_by(ticks),
            Mode::Rules(game) => {
                if game.rewind_and_report_edits(ticks) {
                    self.changes = Changes::All;
                }
                Vec::new()
            }
        };
        self.edit_count += u64::from(!tiles.is_empty());
        self.changes.add(tiles);
    }
}
