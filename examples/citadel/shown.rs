//! The game as the play window shows it.

use crate::race::Race;
use std::error::Error;
use std::sync::Arc;
use surefoot::geometry::DVec2;
use surefoot::prelude::*;
use surefoot::{Input, Map, World};
use surefoot_play::Rules;

/// A race in the citadel against the best run, at first the one given.
#[derive(Debug)]
struct Citadel(Race);

/// Starts the game on its map, beside the ghost of the best run.
pub(crate) fn start_against_best_run(map: Map, best: Recording<Inputs>) -> Result<Box<dyn Rules>, Box<dyn Error>> {
    Ok(Box::new(Citadel(Race::new(map, Some(Arc::new(best)))?)))
}

impl Rules for Citadel {
    fn world(&self) -> &World {
        self.0.run.world()
    }

    fn hero(&self) -> Option<BodyId> {
        Some(self.0.run.game().hero)
    }

    fn advance(&mut self, input: Input) -> Result<(), Box<dyn Error>> {
        self.0.advance(&Inputs::from(input))
    }

    fn rewind_ticks(&self) -> u64 {
        self.0.run.rewind_ticks()
    }

    fn rewind(&mut self, ticks: u64) -> Result<(), Box<dyn Error>> {
        self.0.rewind(ticks)
    }

    fn restart(&mut self) -> Result<(), Box<dyn Error>> {
        self.0.restart()
    }

    fn recording(&mut self) -> Result<Recording<Inputs>, Box<dyn Error>> {
        self.0.recording()
    }

    fn watch(&mut self, run: Arc<Recording<Inputs>>) -> Result<(), Box<dyn Error>> {
        self.0.watch(run)
    }

    fn watched(&self) -> Option<&Recording<Inputs>> {
        self.0.watched()
    }

    fn go_back_to(&mut self, tick: u64) -> Result<(), Box<dyn Error>> {
        self.0.go_back_to(tick)
    }

    fn stop_watching(&mut self) {
        self.0.stop_watching();
    }

    fn status(&self) -> String {
        self.0.status()
    }

    fn coins(&self) -> u32 {
        self.0.run.game().coins
    }

    fn ghost_at(&self, fraction: f64) -> Option<(Shape, DVec2)> {
        let [from, to] = self.0.ghost_positions()?.map(Position::to_dvec2);
        // A hero that respawns at a checkpoint does not glide there.
        let from = if from.distance(to) > 1.0 { to } else { from };
        Some((self.world()[self.0.run.game().hero].shape(), from.lerp(to, fraction)))
    }
}
