//! A race against the ghost of the best run.

use crate::rules::{Game, start, tick};
use std::error::Error;
use std::sync::Arc;
use surefoot::Map;
use surefoot::prelude::*;
use surefoot::record::{GameRunOptions, RecordOptions};

/// The game of the player, and beside it the best run so far, which plays again in a world of its own.
pub(crate) struct Race {
    pub(crate) run: GameRun<Game>,
    map: Map,
    best: Option<Arc<Recording<Inputs>>>,
    ghost: Option<GameRun<Game>>,
}

impl Race {
    /// Starts a game beside the ghost of `best`, if there is one.
    pub(crate) fn new(map: Map, best: Option<Arc<Recording<Inputs>>>) -> Result<Race, Box<dyn Error>> {
        let mut ghost = None;
        if let Some(best) = &best {
            let mut run = new_game(map.clone())?;
            run.play(Arc::clone(best))?;
            ghost = Some(run);
        }
        Ok(Race { run: new_game(map.clone())?, map, best, ghost })
    }

    /// Starts again. The last run is the ghost from now on if it reached the goal and is shorter than the best so far.
    pub(crate) fn restart(mut self) -> Result<Race, Box<dyn Error>> {
        let is_at_goal = self.run.game().goal_tick.is_some();
        let run = self.run.recording()?;
        if is_at_goal && self.best.as_ref().is_none_or(|best| run.ticks() < best.ticks()) {
            self.best = Some(Arc::new(run.clone()));
        }
        Race::new(self.map, self.best)
    }

    /// Plays a tick of the game and of the ghost.
    pub(crate) fn advance(&mut self, inputs: &Inputs) -> Result<(), Box<dyn Error>> {
        self.run.advance(inputs)?;
        if let Some(ghost) = self.ghost.as_mut().filter(|ghost| ghost.is_playing()) {
            ghost.advance(inputs)?;
        }
        Ok(())
    }

    /// Returns where the hero of the best run was at this time of its game.
    pub(crate) fn ghost_at(&self) -> Option<Position> {
        let ghost = self.ghost.as_ref()?;
        Some(ghost.world()[ghost.game().hero].position())
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
