//! Games with rules of their own.

use crate::error::PlayError;
use crate::stopwatch::Stopwatch;
use std::error::Error;
use std::fmt::Debug;
use std::sync::Arc;
use surefoot::body::Input;
use surefoot::event::BodyId;
use surefoot::geometry::DVec2;
use surefoot::motion::Shape;
use surefoot::record::{Inputs, Recording};
use surefoot::world::World;
use surefoot_link::Link;

/// A game with rules of its own, which a window plays instead of a bare map: coins, enemies, doors and the like.
///
/// [`Game::add_rules`](crate::Game::add_rules) adds the game to the menu, and
/// [`Session::with_rules`](crate::Session::with_rules) plays it without a menu. In each tick, the session calls
/// [`Rules::advance`] once, and the window draws [`Rules::world`]. Pausing needs no method. The other methods rewind,
/// restart, save and watch runs. Throwing, building and tuning are off.
///
/// Most methods can pass their call to a [`GameRun`](surefoot::record::GameRun), which records, rewinds and plays runs.
/// `examples/citadel/shown.rs` in the repository does so.
pub trait Rules: Debug {
    /// Returns the world.
    fn world(&self) -> &World;

    /// Returns the body that the player controls.
    fn hero(&self) -> Option<BodyId>;

    /// Plays a tick. `input`: the player's input, ignored while a run is watched. The input of the run then counts.
    ///
    /// # Errors
    /// Returns an error if the game cannot go on. The window shows the error and stops the time until a restart.
    fn advance(&mut self, input: Input) -> Result<(), Box<dyn Error>>;

    /// Returns how many ticks can be rewound now.
    fn rewind_ticks(&self) -> u64;

    /// Goes back by at most [`Rules::rewind_ticks`] ticks. A watched run goes on from there: see
    /// [`GameRun::resume_playing`](surefoot::record::GameRun::resume_playing).
    ///
    /// # Errors
    /// Like [`Rules::advance`].
    fn rewind(&mut self, ticks: u64) -> Result<(), Box<dyn Error>>;

    /// Starts again. A watched run starts from its beginning.
    ///
    /// # Errors
    /// Like [`Rules::advance`].
    fn restart(&mut self) -> Result<(), Box<dyn Error>>;

    /// Returns the recording of the run so far, with the checksums of its last tick. The recording of a new game has no
    /// ticks. Its start is needed to play a run from a link, because links leave the start out.
    ///
    /// # Errors
    /// Returns an error if the run cannot be recorded.
    fn recording(&mut self) -> Result<Recording<Inputs>, Box<dyn Error>>;

    /// Starts again and watches a run: until [`Rules::stop_watching`], each tick has the input of the run and is
    /// compared with it.
    ///
    /// # Errors
    /// Returns an error if the run is not of this game.
    fn watch(&mut self, run: Arc<Recording<Inputs>>) -> Result<(), Box<dyn Error>>;

    /// Returns the watched run, or `None` while the player plays.
    fn watched(&self) -> Option<&Recording<Inputs>>;

    /// Goes back in the watched run, to a tick at or before `tick`, from which the run goes on. Is only called while a
    /// run is watched.
    ///
    /// # Errors
    /// Like [`Rules::advance`].
    fn go_back_to(&mut self, tick: u64) -> Result<(), Box<dyn Error>>;

    /// Ends watching: the player goes on from here.
    fn stop_watching(&mut self);

    /// Returns a line about the game, such as `coins 3   time 12.4 s`.
    fn status(&self) -> String;

    /// Returns the number of taken coins. A higher number than before plays a sound.
    fn coins(&self) -> u32;

    /// Returns shape and centre in tiles of the hero of the best run, at `fraction` of the time from the previous to
    /// the last tick. Returns `None` if there is no best run.
    fn ghost_at(&self, fraction: f64) -> Option<(Shape, DVec2)>;
}

/// A game with rules, and the data that the window stores about it.
#[derive(Debug)]
pub(super) struct Played {
    pub(super) rules: Box<dyn Rules>,
    /// The error that ended the game.
    pub(super) failure: Option<String>,
    /// Whether the rules have edited tiles since the last restart.
    edits_tiles: bool,
}

impl Played {
    pub(super) fn new(rules: Box<dyn Rules>) -> Played {
        Played { rules, failure: None, edits_tiles: false }
    }

    /// Returns the run in a link.
    pub(super) fn create_link(&mut self, name: &str) -> Result<Link, PlayError> {
        let failed = |error: Box<dyn Error>| PlayError::Run { path: name.into(), reason: error.to_string() };
        let run = match self.rules.watched() {
            Some(run) => run.clone(),
            None => self.rules.recording().map_err(failed)?,
        };
        Ok(Link::of_recording(name, &run)?)
    }

    /// Plays a tick. Returns its duration in microseconds, and the edited tiles.
    pub(super) fn step(&mut self, input: Input) -> (f64, Vec<(i32, i32)>) {
        let watch = Stopwatch::start();
        let result = self.rules.advance(input);
        let micros = watch.micros();
        self.record_failure_of(result);
        let tiles: Vec<_> = self.rules.world().commands().iter().flat_map(super::changes::tiles_set_by).collect();
        self.edits_tiles |= !tiles.is_empty();
        (micros, tiles)
    }

    /// Rewinds. Returns whether tiles may have changed.
    pub(super) fn rewind_and_report_edits(&mut self, ticks: u64) -> bool {
        let ticks = ticks.min(self.rules.rewind_ticks());
        let result = self.rules.rewind(ticks);
        self.record_failure_of(result);
        self.edits_tiles
    }

    /// Goes back in a watched run.
    pub(super) fn go_back_to(&mut self, tick: u64) {
        // A run that differs from its recording fails. Clear the error: the part before the difference can be watched
        // again.
        self.failure = None;
        let result = self.rules.go_back_to(tick);
        self.record_failure_of(result);
    }

    pub(super) fn restart(&mut self) {
        self.failure = None;
        self.edits_tiles = false;
        let result = self.rules.restart();
        self.record_failure_of(result);
    }

    fn record_failure_of(&mut self, result: Result<(), Box<dyn Error>>) {
        self.failure = result.err().map(|error| error.to_string()).or(self.failure.take());
    }
}
