//! The time to solve levels, with the length of the found runs as a witness of their quality.

use crate::measure;
use cpu_time::ThreadTime;
use std::path::Path;
use surefoot::prelude::*;
use surefoot::{Map, World};
use surefoot_search::{Answer, Goal, Options, Search, spawn_hero};

/// A level, and the greatest cost of solving it.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// File in `maps`.
    pub name: &'static str,
    /// Most seconds on one core.
    pub seconds: f64,
    /// Most ticks of the found run.
    pub ticks: u64,
}

/// The levels.
pub const LEVELS: [Level; 2] = [
    Level { name: "highlands.ron", seconds: 0.3, ticks: 3885 },
    Level { name: "first_steps.ron", seconds: 0.5, ticks: 924 },
];

/// A solved level.
#[derive(Clone, Copy, Debug)]
pub struct Solved {
    /// The level.
    pub level: Level,
    /// Seconds of this thread, from the loaded world to the answer.
    pub seconds: f64,
    /// States that the search has found.
    pub states: usize,
    /// Ticks of the found run.
    pub ticks: u64,
}

impl Level {
    /// Loads the level and spawns its hero.
    ///
    /// # Panics
    /// Panics if the map cannot be loaded.
    #[must_use]
    pub fn world(&self) -> (World, BodyId) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps").join(self.name);
        let mut world = World::from_map(Map::load(path).expect("a map of the repository"), Settings::default());
        let hero = spawn_hero(&mut world, Character::default()).expect("the map has a start");
        (world, hero)
    }

    /// Solves the level once.
    ///
    /// # Panics
    /// Panics if no run is found.
    #[must_use]
    pub fn solve(&self, world: &World, hero: BodyId) -> Solved {
        let begin = ThreadTime::now();
        let search = Search::new(world, hero).goal(Goal::Marker("goal".to_owned())).options(Options::default());
        let Ok(Answer::Reachable(run)) = search.run() else { panic!("{} is not solved", self.name) };
        let seconds = begin.elapsed().as_secs_f64();
        Solved { level: *self, seconds, states: run.states, ticks: run.ticks() }
    }

    /// Solves the level `rounds` times. Returns the median of the times.
    #[must_use]
    pub fn measure(&self, rounds: usize) -> Solved {
        let (world, hero) = self.world();
        let runs: Vec<Solved> = (0..rounds.max(1)).map(|_| self.solve(&world, hero)).collect();
        Solved { seconds: measure::median(runs.iter().map(|run| run.seconds).collect()), ..runs[0] }
    }
}

impl Solved {
    /// Returns a sentence if the search took too long, or found a run that is too long.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        let Level { name, seconds, ticks } = self.level;
        let is_slow = self.seconds > seconds;
        (is_slow || self.ticks > ticks).then(|| {
            format!("{name}: {:.2} s and {} ticks; expected {seconds} s and {ticks} ticks", self.seconds, self.ticks)
        })
    }
}

/// Returns the table.
#[must_use]
pub fn table(solved: &[Solved]) -> String {
    let mut text = "| solved | s | at most | states | states a second | ticks of the run | at most |\n".to_owned();
    text += "|---|--:|--:|--:|--:|--:|--:|\n";
    for Solved { level, seconds, states, ticks } in solved {
        let rate = *states as f64 / seconds;
        text += &format!(
            "| `{}` | {seconds:.3} | {} | {states} | {rate:.0} | {ticks} | {} |\n",
            level.name, level.seconds, level.ticks
        );
    }
    text
}
