//! A map that is played, or a replay that is watched: the world and its time.

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
use clock::{Clock, Mean, SLOW};
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

/// A world to play in, with time that goes both ways.
///
/// All that is done to it is recorded, from the last restart on. What is done between two ticks holds at once, and is
/// gone when time goes back beyond the tick before.
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
    /// How many ticks can be gone back at the most: 10 seconds.
    pub const REWIND: u64 = 600;

    /// Plays on a map, which was read from that file if it is from one: a hero stands below its marker `start`.
    ///
    /// The legend gets an entry for every variant of the catalogue that it lacks, so that all can be painted.
    #[must_use]
    pub fn play(map: Map, file: Option<PathBuf>) -> Session {
        let origin = Origin::new(file, map.kinds().len());
        let map = legend::extended(&map);
        let terrain = Terrain::bake(&map);
        Session::new(Mode::Play(Box::new(Run::new(map, terrain, hero_character(), Self::REWIND))), origin)
    }

    /// Watches a replay, which was read from that file.
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

    /// Plays on the map in a file, or watches the replay in it.
    ///
    /// # Errors
    /// [`PlayError`] for a file that is neither; of one that is not named `*.replay.ron` it is said why it is no map.
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

    /// Moves time on by that of a frame, in seconds, with what the player holds down in it. Times that are negative or
    /// not finite count as none.
    ///
    /// What is tapped between two ticks counts for the next one. While time stands still or goes back, what is held does
    /// nothing.
    pub fn advance(&mut self, seconds: f64, held: Held) {
        let seconds = if seconds.is_finite() && seconds > 0.0 { seconds } else { 0.0 };
        let time = seconds / self.world().settings().tick;
        self.latch.see(held);
        if self.time.rewinding {
            self.latch.reset();
            let ticks = self.clock.back(time, self.rewindable_ticks());
            if ticks > 0 {
                self.back(ticks);
            }
        } else if self.time.paused || self.is_at_end() {
            self.latch.reset();
            self.clock.rest(time);
        } else {
            for _ in 0..self.clock.forward(if self.time.slow { time * SLOW } else { time }) {
                let jump_held = self.hero_input().jump;
                let input = self.latch.take(jump_held);
                self.step(input);
            }
        }
    }

    /// Moves on by one tick while time is paused; otherwise nothing happens.
    pub fn single_tick(&mut self, held: Held) {
        if self.time.paused && !self.time.rewinding && !self.is_at_end() {
            self.step(held.input());
            self.clock.arrive();
        }
    }

    /// Begins anew: the hero at the start, with what it has been tuned to, nothing thrown, nothing recorded. Painted tiles
    /// stay, and are the map of the new run. A replay is watched from its beginning.
    pub fn restart(&mut self) {
        match &mut self.mode {
            Mode::Play(run) => **run = run.again(Self::REWIND),
            Mode::Watch(watch) => **watch = watch.again(),
        }
        self.clock = Clock::default();
        self.latch.reset();
        self.changes = Changes::All;
    }

    /// The world.
    #[must_use]
    pub fn world(&self) -> &World {
        match &self.mode {
            Mode::Play(run) => &run.world,
            Mode::Watch(watch) => watch.player.world(),
        }
    }

    /// The body that is played; of a replay the first character.
    #[must_use]
    pub fn hero(&self) -> Option<BodyId> {
        match &self.mode {
            Mode::Play(run) => run.hero,
            Mode::Watch(watch) => watch.hero(),
        }
    }

    /// How far what is shown is between the last tick but one and the last, in [0, 1]: for
    /// [`position_at`](surefoot::world::BodyState::position_at). In a pause it comes to 1 within a tick and stays there.
    #[must_use]
    pub fn fraction(&self) -> f32 {
        self.clock.fraction() as f32
    }

    /// How time goes on.
    #[must_use]
    pub fn time(&self) -> &Time {
        &self.time
    }

    /// Stops time, or lets it go on.
    pub fn toggle_pause(&mut self) {
        self.time.paused = !self.time.paused;
    }

    /// Slows time down, or no longer.
    pub fn toggle_slow(&mut self) {
        self.time.slow = !self.time.slow;
    }

    /// Has time go back, or no longer.
    pub fn set_rewinding(&mut self, rewinding: bool) {
        self.time.rewinding = rewinding;
    }

    /// How many ticks time can go back now, at most [`Session::REWIND`].
    #[must_use]
    pub fn rewindable_ticks(&self) -> u64 {
        match &self.mode {
            Mode::Play(run) => run.rewindable(),
            Mode::Watch(watch) => watch.rewindable(),
        }
    }

    /// How many microseconds a step takes, smoothed over half a second. Of a replay that is with its commands and the
    /// comparison of its checksums.
    #[must_use]
    pub fn step_micros(&self) -> f64 {
        self.micros.value()
    }

    /// How the hero moves.
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

    /// Changes how the hero moves.
    ///
    /// # Errors
    /// [`PlayError`] while a replay is watched, and for numbers out of range.
    pub fn tune(&mut self, character: Character) -> Result<(), PlayError> {
        Ok(self.run()?.tune(character)?)
    }

    /// Throws something from a place, in tiles, with a velocity in tiles per second. Of more than [`Throwable::MOST`] the
    /// oldest goes.
    ///
    /// # Errors
    /// [`PlayError`] while a replay is watched, in a solid, and for numbers out of range.
    pub fn throw(&mut self, kind: Throwable, at: DVec2, velocity: DVec2) -> Result<BodyId, PlayError> {
        self.run()?.throw(kind, at, velocity)
    }

    /// The layer that is painted: the first that collides.
    #[must_use]
    pub fn layer(&self) -> usize {
        self.world().map().layers().iter().position(|layer| layer.collides).unwrap_or(0)
    }

    /// Which variant a tile of that layer shows; `None` for an empty one and outside the map.
    #[must_use]
    pub fn variant_at(&self, tile: (i32, i32)) -> Option<VariantId> {
        let world = self.world();
        world.tile_at(self.layer(), tile).and_then(|entry| world.map().kind(entry)?.variant)
    }

    /// Paints a tile with a variant, or clears it. What is as it should be already is not painted again.
    ///
    /// # Errors
    /// [`PlayError`] while a replay is watched, outside the map, and for a tile that cannot share its cell with those of
    /// other layers.
    pub fn paint(&mut self, tile: (i32, i32), brush: Option<VariantId>) -> Result<(), PlayError> {
        let layer = self.layer();
        let run = self.run()?;
        let map = run.world.map();
        let entry = match brush {
            None => TileId::EMPTY,
            Some(variant) => legend::entry_of(map, variant).ok_or(PlayError::NotInLegend { variant: variant.0 })?,
        };
        if run.world.tile_at(layer, tile) != Some(entry) {
            run.give(Command::SetTile { layer, tile, tile_id: entry })?;
            self.changes.add([tile]);
        }
        Ok(())
    }

    /// Which tiles have become others since this was last asked; all at first.
    pub fn take_changes(&mut self) -> Changes {
        std::mem::take(&mut self.changes)
    }

    /// The file that the map, or the replay, was opened from.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.origin.files.first().map(PathBuf::as_path)
    }

    /// Shows the first character of a replay beside the run, tick by tick.
    ///
    /// # Errors
    /// [`PlayError`] for a replay of a streamed world, and for one without a character.
    pub fn set_ghost(&mut self, replay: Replay) -> Result<(), PlayError> {
        let mut ghost = Ghost::new(replay)?;
        ghost.reach(self.world().tick());
        self.ghost = Some(ghost);
        Ok(())
    }

    /// Whether there is a ghost, wherever it is.
    #[must_use]
    pub fn has_ghost(&self) -> bool {
        self.ghost.is_some()
    }

    /// Shows no ghost.
    pub fn clear_ghost(&mut self) {
        self.ghost = None;
    }

    /// The ghost's shape and its centre, in tiles, as far between the last tick but one and the last; `None` without a
    /// ghost, and where it was not in its world.
    #[must_use]
    pub fn ghost_at(&self, fraction: f32) -> Option<(Shape, DVec2)> {
        self.ghost.as_ref()?.at(self.world().tick(), fraction.into())
    }

    /// What there is to know of a replay that is watched.
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

    /// Whether a replay has no more ticks.
    fn is_at_end(&self) -> bool {
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
            Mode::Play(run) => self.micros.add(run.step(input)),
            Mode::Watch(watch) => {
                if let Some((micros, tiles)) = watch.step() {
                    self.micros.add(micros);
                    self.changes.add(tiles);
                }
            }
        }
        let tick = self.world().tick();
        if let Some(ghost) = &mut self.ghost {
            ghost.reach(tick);
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
