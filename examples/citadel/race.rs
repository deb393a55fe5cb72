//! A race against the ghost of the best run.

use crate::rules::{Game, start, tick};
use std::error::Error;
use std::sync::Arc;
use surefoot::Map;
use surefoot::prelude::*;
use surefoot::record::{GameRunOptions, RecordOptions, SavedGame};

/// The game of the player, and beside it the best run so far, which plays again in a world of its own.
#[derive(Debug)]
pub(crate) struct Race {
    pub(crate) run: GameRun<Game>,
    map: Map,
    best: Option<Best>,
    ghost: Option<Ghost>,
    /// The run that plays instead of the player.
    watched: Option<Watched>,
}

/// A watched run, with saved games to go back to.
#[derive(Debug)]
struct Watched {
    run: Arc<Recording<Inputs>>,
    saves: Vec<SavedGame<Game>>,
}

/// Number of ticks between two saved games of a watched run.
const SAVE_TICKS: u64 = 300;

/// The best run, and the number of ticks that it took.
#[derive(Clone, Debug)]
struct Best {
    recording: Arc<Recording<Inputs>>,
    ticks: u64,
}

/// The best run as far as it has been played again.
#[derive(Debug)]
struct Ghost {
    run: GameRun<Game>,
    /// Position of its hero at the start and after each tick, so that the player can rewind.
    track: Vec<Position>,
}

impl Race {
    /// Starts a game beside the ghost of `best`, if there is one.
    pub(crate) fn new(map: Map, best: Option<Arc<Recording<Inputs>>>) -> Result<Race, Box<dyn Error>> {
        let best = best.map(|recording| Best { ticks: recording.ticks(), recording });
        let ghost = best.as_ref().map(|best| Ghost::new(&map, best)).transpose()?;
        Ok(Race { run: new_game(map.clone())?, map, best, ghost, watched: None })
    }

    /// Starts again. The last run is the ghost from now on if it reached the goal earlier than the best so far.
    pub(crate) fn restart(&mut self) -> Result<(), Box<dyn Error>> {
        if self.watched().is_some() {
            return self.go_back_to(0);
        }
        let ticks = self.run.game().goal_tick;
        if let Some(ticks) = ticks.filter(|ticks| self.best.as_ref().is_none_or(|best| *ticks < best.ticks)) {
            self.best = Some(Best { recording: Arc::new(self.recording()?), ticks });
        }
        self.ghost = self.best.as_ref().map(|best| Ghost::new(&self.map, best)).transpose()?;
        self.run = new_game(self.map.clone())?;
        Ok(())
    }

    /// Plays a tick of the game and of the ghost.
    pub(crate) fn advance(&mut self, inputs: &Inputs) -> Result<(), Box<dyn Error>> {
        self.run.advance(inputs)?;
        let tick = self.run.world().tick();
        if let Some(watched) = self.watched.as_mut().filter(|_| tick.is_multiple_of(SAVE_TICKS)) {
            watched.saves.push(self.run.save()?);
        }
        self.ghost.as_mut().map_or(Ok(()), |ghost| ghost.play_to(tick))
    }

    /// Starts again, and plays a run instead of the player.
    pub(crate) fn watch(&mut self, run: Arc<Recording<Inputs>>) -> Result<(), Box<dyn Error>> {
        self.run = new_game(self.map.clone())?;
        self.run.play(Arc::clone(&run))?;
        self.watched = Some(Watched { run, saves: vec![self.run.save()?] });
        Ok(())
    }

    /// Returns the run that plays instead of the player.
    pub(crate) fn watched(&self) -> Option<&Recording<Inputs>> {
        Some(&*self.watched.as_ref()?.run)
    }

    /// Goes back by a number of ticks. A watched run plays on from there.
    pub(crate) fn rewind(&mut self, ticks: u64) -> Result<(), Box<dyn Error>> {
        self.run.rewind(ticks)?;
        self.resume_watched();
        Ok(())
    }

    /// Goes back to the last saved game of a watched run at or before a tick.
    pub(crate) fn go_back_to(&mut self, tick: u64) -> Result<(), Box<dyn Error>> {
        let mut saves = self.watched.iter().flat_map(|watched| &watched.saves);
        if let Some(saved) = saves.rfind(|saved| saved.tick() <= tick) {
            self.run.load(saved)?;
        }
        self.resume_watched();
        Ok(())
    }

    /// Plays the watched run on, and drops the games that were saved later than now.
    fn resume_watched(&mut self) {
        if let Some(watched) = &mut self.watched {
            let tick = self.run.world().tick();
            watched.saves.retain(|saved| saved.tick() <= tick);
            self.run.resume_playing(Arc::clone(&watched.run));
        }
    }

    /// Lets the player go on from here.
    pub(crate) fn stop_watching(&mut self) {
        self.run.stop_playing();
        self.watched = None;
    }

    /// Returns the recording of the run, with the checksums of the last tick.
    pub(crate) fn recording(&mut self) -> Result<Recording<Inputs>, Box<dyn Error>> {
        // Saving the game records its checksums.
        self.run.save()?;
        Ok(self.run.recording()?.clone())
    }

    /// Returns how long the best run took.
    pub(crate) fn best_ticks(&self) -> Option<u64> {
        Some(self.best.as_ref()?.ticks)
    }

    /// Returns where the hero of the best run was at this time of its game, and one tick earlier.
    pub(crate) fn ghost_positions(&self) -> Option<[Position; 2]> {
        let (ghost, tick) = (self.ghost.as_ref()?, self.run.world().tick() as usize);
        let at = |tick: usize| ghost.track[tick.min(ghost.track.len() - 1)];
        Some([at(tick.saturating_sub(1)), at(tick)])
    }

    /// Returns a line with the room, the coins, the time and the best time.
    pub(crate) fn status(&self) -> String {
        let (world, game) = (self.run.world(), self.run.game());
        let all = game.coins as usize + world.areas_tagged("coin").count();
        let seconds = |ticks: u64| ticks as f64 * world.settings().tick;
        let time = seconds(game.goal_tick.unwrap_or(world.tick()));
        let best = self.best_ticks().map_or(String::new(), |ticks| format!("   best {:.1} s", seconds(ticks)));
        let place = match (game.goal_tick, game.rooms.last()) {
            (Some(_), _) => "THE GOAL",
            (None, room) => room.map_or("", String::as_str),
        };
        format!("{place}   coins {} of {all}   deaths {}   {time:.1} s{best}", game.coins, game.deaths)
    }
}

impl Ghost {
    fn new(map: &Map, best: &Best) -> Result<Ghost, Box<dyn Error>> {
        let mut run = new_game(map.clone())?;
        run.play(Arc::clone(&best.recording))?;
        let start = run.world()[run.game().hero].position();
        Ok(Ghost { run, track: vec![start] })
    }

    /// Plays up to a tick, or to the end.
    fn play_to(&mut self, tick: u64) -> Result<(), Box<dyn Error>> {
        while self.track.len() as u64 <= tick && self.run.is_playing() {
            self.run.advance(&Inputs::default())?;
            self.track.push(self.run.world()[self.run.game().hero].position());
        }
        Ok(())
    }
}

fn new_game(map: Map) -> Result<GameRun<Game>, Box<dyn Error>> {
    let (world, game) = start(map)?;
    let hero = game.hero;
    let record = RecordOptions { map_file: Some("map.ron".to_owned()), ..RecordOptions::from(60) };
    let mut run = GameRun::with_options(world, game, tick, GameRunOptions { record, ..GameRunOptions::default() })?;
    run.name_body(hero, "hero")?;
    Ok(run)
}
