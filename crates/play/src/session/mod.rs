//! A played map or a watched replay: the world and its time.

mod changes;
mod clock;
mod ghost;
mod held;
mod hero;
mod record;
mod run;
mod save;
mod throwable;
mod watch;

pub use changes::Changes;
pub use clock::Time;
pub use held::Held;
pub(crate) use hero::character as hero_character;
pub use save::SavedReplay;
pub use throwable::Throwable;
pub use watch::{Expected, Watched};

use crate::error::PlayError;
use crate::legend;
use clock::{Clock, Mean, SLOW_MOTION_SPEED};
use ghost::Ghost;
use held::Latch;
use run::Run;
use save::Origin;
use std::path::{Path, PathBuf};
use surefoot::body::{Character, Input};
use surefoot::catalogue::VariantId;
use surefoot::command::Command;
use surefoot::event::BodyId;
use surefoot::geometry::DVec2;
use surefoot::map::{Map, TileId};
use surefoot::motion::Shape;
use surefoot::replay::Replay;
use surefoot::terrain::Terrain;
use surefoot::world::World;
use watch::Watch;

/// A world to play in, with time that can be rewound.
///
/// Records all commands since the last restart. A command between two ticks takes effect at once. Rewinding past the tick
/// removes it.
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
    latch: Latch,
    micros: Mean,
    ghost: Option<Ghost>,
    changes: Changes,
}

#[derive(Debug)]
enum Mode {
    Play(Box<Run>),
    Watch(Box<Watch>),
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
        Session::new(Mode::Play(Box::new(Run::new(map, terrain, hero_character(), Self::REWIND))), origin)
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

    /// Plays the map in a file, or watches the replay in it.
    ///
    /// # Errors
    /// [`PlayError`] if the file is neither. If its name does not end in `.replay.ron`, the error says why it is not a map.
    pub fn open(path: impl AsRef<Path>) -> Result<Session, PlayError> {
        let path = path.as_ref();
        if path.to_string_lossy().ends_with(".replay.ron") {
            return Session::watch(Replay::load(path)?, path.to_owned());
        }
        match Map::load(path) {
            Ok(map) => Ok(Session::play(map, Some(path.to_owned()))),
            Err(error) => match Replay::load(path) {
                Ok(replay) => Session::watch(replay, path.to_owned()),
                Err(_) => Err(error.into()),
            },
        }
    }

    fn new(mode: Mode, origin: Origin) -> Session {
        Session {
            mode,
            origin,
            time: Time::default(),
            clock: Clock::default(),
            latch: Latch::default(),
            micros: Mean::default(),
            ghost: None,
            changes: Changes::All,
        }
    }

    /// Advances time by a frame of `seconds`. `held`: the keys held in the frame. Negative and infinite times count as 0.
    ///
    /// A key tapped between two ticks counts for the next tick. While time is paused or rewound, keys have no effect.
    pub fn advance(&mut self, seconds: f64, held: Held) {
        let seconds = if seconds.is_finite() && seconds > 0.0 { seconds } else { 0.0 };
        let time = seconds / self.world().settings().tick;
        self.latch.add_frame(held);
        if self.time.rewinding {
            self.latch.reset();
            let ticks = self.clock.back(time, self.rewindable_ticks());
            if ticks > 0 {
                self.back(ticks);
            }
        } else if self.time.paused || self.is_at_end() {
            self.latch.reset();
            self.clock.advance_paused(time);
        } else {
            for _ in 0..self.clock.forward(if self.time.slow { time * SLOW_MOTION_SPEED } else { time }) {
                let jump_held = self.hero_input().jump;
                let input = self.latch.take_input(jump_held);
                self.step(input);
            }
        }
    }

    /// Steps one tick if time is paused; otherwise does nothing.
    pub fn single_tick(&mut self, held: Held) {
        if self.time.paused && !self.time.rewinding && !self.is_at_end() {
            self.step(held.input());
            self.clock.show_last_tick();
        }
    }

    /// Restarts: the hero is at the start with its tuned character, and all thrown bodies and recorded commands are gone.
    /// Edited tiles stay and are the map of the new run. A replay starts from its beginning.
    pub fn restart(&mut self) {
        match &mut self.mode {
            Mode::Play(run) => **run = run.again(Self::REWIND),
            Mode::Watch(watch) => **watch = watch.again(),
        }
        self.clock = Clock::default();
        self.latch.reset();
        self.changes = Changes::All;
    }

    /// Returns the world.
    #[must_use]
    pub fn world(&self) -> &World {
        match &self.mode {
            Mode::Play(run) => &run.world,
            Mode::Watch(watch) => watch.player.world(),
        }
    }

    /// Returns the played body; in a replay the first character.
    #[must_use]
    pub fn hero(&self) -> Option<BodyId> {
        match &self.mode {
            Mode::Play(run) => run.hero,
            Mode::Watch(watch) => watch.hero(),
        }
    }

    /// Returns the interpolation fraction between the previous and the last tick, from 0 to 1, for
    /// [`position_at`](surefoot::world::BodyState::position_at). During a pause it reaches 1 within a tick and stays there.
    #[must_use]
    pub fn fraction(&self) -> f32 {
        self.clock.fraction() as f32
    }

    /// Returns the shown moment in seconds since the beginning.
    pub(crate) fn seconds(&self) -> f64 {
        (self.world().tick() as f64 + self.clock.fraction()) * self.world().settings().tick
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
        }
    }

    /// Returns the duration of a step in microseconds, averaged over half a second. For a replay it includes commands and
    /// the comparison of checksums.
    #[must_use]
    pub fn step_micros(&self) -> f64 {
        self.micros.value()
    }

    /// Returns the hero's character.
    #[must_use]
    pub fn character(&self) -> Character {
        match &self.mode {
            Mode::Play(run) => run.character(),
            Mode::Watch(watch) => {
                let hero = watch.hero().and_then(|hero| watch.player.world().get(hero)?.character().copied());
                hero.unwrap_or_default()
            }
        }
    }

    /// Changes the hero's character.
    ///
    /// # Errors
    /// [`PlayError`] if a replay is watched, or a number is out of range.
    pub fn tune(&mut self, character: Character) -> Result<(), PlayError> {
        Ok(self.run()?.tune(character)?)
    }

    /// Throws a body. `at`: position in tiles; `velocity`: in tiles per second. If there are more than [`Throwable::MOST`],
    /// removes the oldest.
    ///
    /// # Errors
    /// [`PlayError`] if a replay is watched, the body would overlap a solid, or a number is out of range.
    pub fn throw(&mut self, kind: Throwable, at: DVec2, velocity: DVec2) -> Result<BodyId, PlayError> {
        self.run()?.throw(kind, at, velocity)
    }

    /// Returns the tile layer to paint: the first that collides.
    #[must_use]
    pub fn layer(&self) -> usize {
        self.world().map().layers().iter().position(|layer| layer.collides).unwrap_or(0)
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
    /// Like [`Session::set_tile`], and [`PlayError::NotInLegend`].
    pub fn paint(&mut self, tile: (i32, i32), brush: Option<VariantId>) -> Result<(), PlayError> {
        let kind = match brush {
            None => TileId::EMPTY,
            Some(variant) => {
                let map = self.world().map();
                legend::entry_of(map, variant).ok_or(PlayError::NotInLegend { variant: variant.0 })?
            }
        };
        self.set_tile(tile, kind)
    }

    /// Sets a tile of the painted layer. Does nothing if the tile is of that kind already.
    ///
    /// # Errors
    /// [`PlayError`] if a replay is watched, the tile is outside the map, or it cannot share its cell with the tiles of
    /// other layers.
    pub fn set_tile(&mut self, tile: (i32, i32), kind: TileId) -> Result<(), PlayError> {
        let layer = self.layer();
        let run = self.run()?;
        if run.world.tile_at(layer, tile) != Some(kind) {
            run.apply(Command::SetTile { layer, tile, tile_id: kind })?;
            self.changes.add([tile]);
        }
        Ok(())
    }

    /// Returns the kind of a tile of the painted layer; the empty kind outside the map.
    #[must_use]
    pub fn tile_at(&self, tile: (i32, i32)) -> TileId {
        self.world().tile_at(self.layer(), tile).unwrap_or(TileId::EMPTY)
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
        self.ghost.is_some()
    }

    /// Returns the ghost's shape and its interpolated centre in tiles. Returns `None` without a ghost, and while the ghost
    /// is not in its world.
    #[must_use]
    pub fn ghost_at(&self, fraction: f32) -> Option<(Shape, DVec2)> {
        self.ghost.as_ref()?.at(self.world().tick(), fraction.into())
    }

    /// Returns the state of a watched replay.
    #[must_use]
    pub fn watched(&self) -> Option<Watched<'_>> {
        match &self.mode {
            Mode::Play(_) => None,
            Mode::Watch(watch) => Some(watch.watched()),
        }
    }

    fn run(&mut self) -> Result<&mut Run, PlayError> {
        match &mut self.mode {
            Mode::Play(run) => Ok(run),
            Mode::Watch(_) => Err(PlayError::Watching),
        }
    }

    /// Returns whether a replay has no more ticks.
    pub(crate) fn is_at_end(&self) -> bool {
        match &self.mode {
            Mode::Play(_) => false,
            Mode::Watch(watch) => watch.player.world().tick() >= watch.player.recording().ticks(),
        }
    }

    fn hero_input(&self) -> Input {
        self.hero().and_then(|hero| self.world().get(hero)).map(|state| state.input()).unwrap_or_default()
    }

    fn step(&mut self, input: Input) {
        match &mut self.mode {
            Mode::Play(run) => {
                self.micros.add(run.step(input));
                run.return_fallen_hero();
            }
            Mode::Watch(watch) => {
                if let Some((micros, tiles)) = watch.step() {
                    self.micros.add(micros);
                    self.changes.add(tiles);
                }
            }
        }
        let tick = self.world().tick();
        if let Some(ghost) = &mut self.ghost {
            ghost.play_to(tick);
        }
    }

    fn back(&mut self, ticks: u64) {
        let tiles = match &mut self.mode {
            Mode::Play(run) => run.back(ticks),
            Mode::Watch(watch) => watch.back(ticks),
        };
        self.changes.add(tiles);
    }
}
