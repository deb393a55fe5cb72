use crate::run::{Run, Simulation};
use surefoot::prelude::*;
use surefoot::{Input, Map, World};
use surefoot_search::{Answer, Goal, Options, Search, spawn_hero};

/// Returns the found runs of searches, or the runs to the nearest approach. A line changes with the answer, with the
/// run, and with the number of states that the search has found.
pub(crate) fn search_runs() -> Vec<Run> {
    macro_rules! searched {
        ($($name:literal $path:literal $character:expr, $options:expr;)*) => {
            vec![$(Run::new(concat!("search_", $name), || {
                Searched::new(include_str!(concat!("../../../maps/", $path)), $character, $options)
            })),*]
        };
    }
    searched![
        "lift" "showcase/lift.ron" Character::default(), options_with_max_states(20_000);
        "flip" "showcase/solve_flip.ron" Character::default(), options_with_max_states(20_000);
        "ladder" "showcase/ladder.ron" Character { climb_speed: 6.0, ..Character::default() }, options_with_max_states(20_000);
        "states" "highlands.ron" Character::default(), options_with_max_states(1500);
        "memory" "first_steps.ron" Character::default(), options_with_max_memory(1 << 21);
    ]
}

fn options_with_max_states(max_states: usize) -> Options {
    Options { max_states, threads: THREADS, ..Options::default() }
}

fn options_with_max_memory(max_memory: usize) -> Options {
    Options { max_memory, threads: THREADS, ..Options::default() }
}

/// Threads of the searches. A build for wasm has one, and must give the same answers.
const THREADS: usize = 3;

/// Plays the run of a search.
struct Searched {
    world: World,
    hero: BodyId,
    inputs: Vec<Input>,
    states: usize,
}

impl Searched {
    fn new(map: &str, character: Character, options: Options) -> Searched {
        let map = Map::from_ron(map).unwrap_or_else(|error| panic!("{error}"));
        let mut world = World::from_map(map, Settings::default());
        let hero = spawn_hero(&mut world, character).unwrap_or_else(|error| panic!("{error}"));
        let answer = Search::new(&world, hero).goal(Goal::Marker("goal".to_owned())).options(options).run();
        let (runs, states) = match answer.unwrap_or_else(|error| panic!("{error}")) {
            Answer::Reachable(run) => (run.inputs, run.states),
            Answer::NotFound(nearest) => (nearest.inputs, nearest.states),
            Answer::Unreachable(_) => (Vec::new(), 0),
        };
        let inputs = runs.into_iter().flat_map(|run| (0..run.ticks).map(move |_| run.input));
        let mut inputs: Vec<Input> = inputs.collect();
        inputs.reverse();
        Searched { world, hero, inputs, states }
    }
}

impl Simulation for Searched {
    fn step_unless_finished(&mut self) -> bool {
        let Some(input) = self.inputs.pop() else { return false };
        self.world.set_input(self.hero, input);
        self.world.step();
        true
    }

    fn world(&self) -> &World {
        &self.world
    }

    /// Returns the checksum of the world, mixed with the number of states: it is part of the answer of a search.
    fn checksum(&self) -> Checksum {
        Checksum(self.world.checksum().0 ^ surefoot_random::mix(self.states as u64))
    }
}
