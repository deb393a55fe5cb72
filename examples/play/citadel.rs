//! The game `citadel` in the window. Its rules are those of the example `citadel`.

use crate::race::Race;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use surefoot::geometry::DVec2;
use surefoot::prelude::*;
use surefoot::{Input, Map, World};
use surefoot_play::Rules;

/// A race in the citadel against the best run, at first the one in the folder of the map.
#[derive(Debug)]
struct Citadel(Race);

/// Returns the file of the map, in the working directory or in the clone from which the program was built.
pub(crate) fn map_file() -> PathBuf {
    let here = PathBuf::from("examples/citadel/map.ron");
    if here.exists() { here } else { Path::new(env!("CARGO_MANIFEST_DIR")).join("citadel/map.ron") }
}

/// Starts the game on a map.
pub(crate) fn start(map: &Path) -> Result<Box<dyn Rules>, Box<dyn Error>> {
    let best = Recording::<Inputs>::load(map.with_file_name("best.recording"))?;
    Ok(Box::new(Citadel(Race::new(Map::load(map)?, Some(Arc::new(best)))?)))
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
        Ok(self.0.run.rewind(ticks)?)
    }

    fn restart(&mut self) -> Result<(), Box<dyn Error>> {
        self.0.restart()
    }

    fn status(&self) -> String {
        let (world, game) = (self.world(), self.0.run.game());
        let all = game.coins as usize + world.areas_tagged("coin").count();
        let seconds = |ticks: u64| ticks as f64 * world.settings().tick;
        let time = seconds(game.goal_tick.unwrap_or(world.tick()));
        let best = self.0.best_ticks().map_or(String::new(), |ticks| format!("   best {:.1} s", seconds(ticks)));
        let place = match (game.goal_tick, game.rooms.last()) {
            (Some(_), _) => "THE GOAL",
            (None, room) => room.map_or("", String::as_str),
        };
        format!("{place}   coins {} of {all}   deaths {}   {time:.1} s{best}", game.coins, game.deaths)
    }

    fn coins(&self) -> u32 {
        self.0.run.game().coins
    }

    fn ghost_at(&self, fraction: f64) -> Option<(Shape, DVec2)> {
        let [from, to] = self.0.ghost_between()?.map(Position::to_dvec2);
        // A hero that is put back to a checkpoint does not glide there.
        let from = if from.distance(to) > 1.0 { to } else { from };
        Some((self.world()[self.0.run.game().hero].shape(), from.lerp(to, fraction)))
    }
}
