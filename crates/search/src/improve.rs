//! Shortens a found run: trims its inputs, searches for a shorter run with beam searches of growing width, searches
//! parts of the run again, and splices parts at random.

use crate::best::Best;
use crate::cell::CELL_SIZES;
use crate::error::SearchError;
use crate::pass::{End, MAX_BATCH, Pass, Worker};
use crate::plan::Plan;
use crate::pool::Pool;
use crate::run::{FoundRun, join_equal_inputs};
use crate::search::Search;
use crate::simulation::Simulation;
use crate::splice::Splicer;
use crate::window::Windows;
use serde::Serialize;
use std::time::{Duration, Instant};
use surefoot::replay::InputRun;

/// Number of states per layer of time in the first beam search. Each further one uses twice as many.
const FIRST_BEAM: usize = 64;
/// Index of the cells of the first beam in [`CELL_SIZES`].
const FIRST_CELLS: usize = 1;
/// One splice is tried for each 16 states that the windows may find: both take about the same time.
const STATES_PER_SPLICE: usize = 16;
/// Number of states that the windows of a turn find at least, if the time is not up.
const WINDOW_STATES: usize = 1 << 14;
/// Windows take about half of the time of a large beam, and so do splices.
const BEAM_TO_WINDOWS: usize = 2;

/// Choices for a beam search of the whole level.
struct Beam {
    /// Number of states per layer of time.
    width: usize,
    /// Index of the cells in [`CELL_SIZES`].
    cells: usize,
    /// Weight of the estimate. It falls to 1 from beam to beam: only then, a faster state takes the cell of a slower
    /// one.
    weight: f64,
}

impl Beam {
    /// Returns the next beam after one that has ended, or `None` if there are no more beams.
    fn next_beam(self, end: &End, has_dropped_states: bool) -> Option<Beam> {
        let Beam { width, cells, weight } = self;
        let beam = Beam { weight: weight.min((weight / 2.0).max(1.0)), ..self };
        match end {
            End::Limit(_) => None,
            _ if has_dropped_states => Some(Beam { width: width.checked_mul(2)?, ..beam }),
            End::Exhausted if weight <= 1.0 => {
                (cells + 1 < CELL_SIZES.len()).then_some(Beam { cells: cells + 1, ..beam })
            }
            _ => Some(beam),
        }
    }
}

impl<G: Clone + Serialize + Send + Sync> Search<'_, G> {
    /// Returns a run that is at most as long as `run`, a run that this search found.
    ///
    /// The search first trims the run. Then it takes turns: it searches the whole level with a beam,
    /// searches parts of the run again, and tries random splices. [`Options::seed`](crate::Options::seed) also chooses
    /// the parts and the splices. The weight is halved from beam to beam, down to 1. If a beam dropped states, the next
    /// one is twice as wide. A beam of weight 1 that drops no state and finds no shorter run gives
    /// [`FoundRun::shortest_cells`], and the next one has smaller cells. After the smallest cells, or at the limits of
    /// states or memory, the turns go on without beams. The search ends when the time is up, or when the run is as
    /// short as its lower bound. The run depends on the time that the machine needs.
    ///
    /// Not available on wasm32-unknown-unknown, which has no clock: the call panics there.
    ///
    /// # Errors
    /// Returns the errors of [`Search::run`], and [`SearchError::NotRepeatable`] if `run` does not reach the goal.
    pub fn improve(&self, run: &FoundRun, time: Duration) -> Result<FoundRun, SearchError> {
        self.improve_in_turns(run, time, usize::MAX)
    }

    /// Improves a run for at most `turns` turns. Without a limit of time, the result does not depend on the machine.
    fn improve_in_turns(&self, run: &FoundRun, time: Duration, turns: usize) -> Result<FoundRun, SearchError> {
        let begin = (Instant::now(), time);
        let mut plan = Plan::new(self)?;
        let pool = Pool::new(self.options.threads, MAX_BATCH)?;
        let mut workers: Vec<_> = (0..pool.threads()).map(|_| Worker::new(self)).collect();
        // Count the states along the best run too. Later runs are never longer, so this is enough for them.
        plan.bytes += workers[0].bytes_along_run(run.ticks() as usize);
        if !self.reaches_goal(&run.inputs, &plan.targets) {
            return Err(SearchError::NotRepeatable);
        }
        let mut best = self.best_after_shortening(&plan, run.inputs.clone(), begin);
        let (mut splicer, mut windows) = (Splicer::new(self, &plan.targets, &pool), Windows::new(self, &plan));
        let (mut states, mut shortest_cells) = (run.states, run.shortest_cells);
        let mut beam = Some(Beam { width: FIRST_BEAM, cells: FIRST_CELLS, weight: self.options.weight });
        for _ in 0..turns {
            if begin.0.elapsed() >= time || best.ticks() <= run.least_ticks {
                break;
            }
            let mut turn_states = WINDOW_STATES;
            if let Some(now) = beam.take() {
                let mut pass = Pass::new(self, &plan, now.cells, 0)?;
                pass.frontier.begin_beam_search(now.width, best.ticks(), now.weight);
                let end = pass.search_until_end(&pool, &mut workers, Some(begin));
                states += pass.frontier.state_count();
                turn_states = turn_states.max(pass.frontier.state_count() / BEAM_TO_WINDOWS);
                let has_dropped = pass.frontier.has_dropped();
                if matches!(end, End::Exhausted) && !has_dropped && now.weight <= 1.0 {
                    shortest_cells = Some(CELL_SIZES[now.cells].cells);
                }
                beam = now.next_beam(&end, has_dropped);
                if let End::Found(inputs) = end {
                    best = self.best_after_shortening(&plan, inputs, begin);
                }
            }
            let ticks = best.ticks();
            let end = windows.states + turn_states;
            while windows.states < end && begin.0.elapsed() < time {
                windows.shorten_run(&mut best, &pool, &mut workers, begin)?;
            }
            splicer.shorten_run(&mut best, turn_states / STATES_PER_SPLICE, &pool, begin);
            if best.ticks() < ticks {
                best = self.best_after_shortening(&plan, best.joined_inputs(), begin);
            }
        }
        let inputs = best.joined_inputs();
        if !self.reaches_goal(&inputs, &plan.targets) {
            return Err(SearchError::NotRepeatable);
        }
        Ok(FoundRun { inputs, states: states + windows.states, shortest_cells, ..run.clone() })
    }

    /// Returns the run after `shorten_inputs`, with saved states along it.
    fn best_after_shortening(
        &self,
        plan: &Plan<'_, G>,
        mut inputs: Vec<InputRun>,
        begin: (Instant, Duration),
    ) -> Best<G> {
        self.shorten_inputs(plan, &mut inputs, begin);
        Best::new(self, &inputs, &plan.targets)
    }

    /// Shortens or removes single inputs, as long as the run still reaches the goal. Tries few lengths of each input,
    /// and stops if the time is up. So needless inputs may stay.
    fn shorten_inputs(&self, plan: &Plan<'_, G>, inputs: &mut Vec<InputRun>, begin: (Instant, Duration)) {
        let mut simulation = self.simplified_simulation();
        let mut before = (simulation.world.capture(), simulation.game.clone(), simulation.memory);
        let mut i = 0;
        while i < inputs.len() && begin.0.elapsed() < begin.1 {
            let ticks = inputs[i].ticks;
            let cuts = [ticks, ticks / 2, ticks / 4, 1];
            let shorter = cuts.iter().filter(|&&cut| cut > 0).find_map(|cut| {
                let changed = InputRun { ticks: ticks - cut, ..inputs[i] };
                simulation.restore_state(&before.0, &before.1, before.2);
                let rest = std::iter::once(changed).chain(inputs[i + 1..].iter().copied());
                self.play_up_to_goal(&mut simulation, plan, rest)
            });
            if let Some(rest) = shorter {
                inputs.truncate(i);
                inputs.extend(rest);
                *inputs = join_equal_inputs(inputs.drain(..));
                // Two neighbours may have been joined, so try again from the input before this one.
                simulation = self.simplified_simulation();
                i = i.saturating_sub(1).min(inputs.len());
                self.play_inputs(&mut simulation, plan, &inputs[..i]);
            } else {
                simulation.restore_state(&before.0, &before.1, before.2);
                self.play_inputs(&mut simulation, plan, &inputs[i..=i]);
                i += 1;
            }
            simulation.world.capture_into(&mut before.0);
            (before.1, before.2) = (simulation.game.clone(), simulation.memory);
        }
    }

    fn play_inputs(&self, simulation: &mut Simulation<G>, plan: &Plan<'_, G>, inputs: &[InputRun]) {
        for run in inputs {
            for _ in 0..run.ticks {
                simulation.step_and_check_goal(run.input, &plan.targets);
            }
        }
    }

    /// Plays inputs until the goal. Returns those up to the goal, or `None` if they do not reach it.
    fn play_up_to_goal(
        &self,
        simulation: &mut Simulation<G>,
        plan: &Plan<'_, G>,
        inputs: impl Iterator<Item = InputRun>,
    ) -> Option<Vec<InputRun>> {
        let mut played = Vec::new();
        for run in inputs {
            for tick in 1..=run.ticks {
                if simulation.step_and_check_goal(run.input, &plan.targets) {
                    played.push(InputRun { ticks: tick, ..run });
                    return Some(played);
                }
            }
            played.push(run);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, Goal, Options, spawn_hero};
    use std::collections::BTreeMap;
    use std::path::Path;
    use surefoot::prelude::*;
    use surefoot::{Input, Map, World};

    /// A turn with a beam, windows and splices makes a run over lifts shorter. The run and the number of states are the
    /// same for any number of threads.
    #[test]
    fn turns_are_the_same_for_any_number_of_threads() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps/showcase/lift.ron");
        let mut world = World::from_map(Map::load(path).unwrap(), Settings::default());
        let hero = spawn_hero(&mut world, Character::default()).unwrap();
        let improved = |threads: usize, seed: u64| {
            let options = Options { threads, seed, ..Options::default() };
            let search = Search::new(&world, hero).goal(Goal::Marker("goal".to_owned())).options(options);
            let Answer::Reachable(run) = search.run().unwrap() else { panic!("not found") };
            let improved = search.improve_in_turns(&run, Duration::MAX, 1).unwrap();
            assert!(improved.ticks() <= run.ticks(), "{} of {}", improved.ticks(), run.ticks());
            assert!(search.replay(&improved.inputs, MapSource::Inline).unwrap().verify().unwrap().compared > 0);
            improved
        };
        let [one, two, eight] = [1, 2, 8].map(|threads| improved(threads, 3));
        assert!(one == two && one == eight);
    }

    /// Returns the ticks of the shortest run to the goal of all runs whose walk input is full or 0 in each tick, and
    /// which may jump: tries all inputs in each tick, and joins equal worlds only.
    fn ticks_of_shortest_run(world: &World, hero: BodyId) -> Option<u64> {
        let goal = world.map().marker("goal")?.to_dvec2();
        let walks = [127, 0, -127].map(|walk| Input { walk, ..Input::default() });
        let inputs = walks.into_iter().flat_map(|input| [input, Input { jump: true, ..input }]);
        let inputs: Vec<Input> = inputs.collect();
        let mut worlds = vec![world.clone()];
        for tick in 1..40 {
            let mut next = BTreeMap::new();
            for (before, input) in worlds.iter().flat_map(|world| inputs.iter().map(move |input| (world, *input))) {
                let mut world = before.clone();
                world.set_input(hero, input);
                world.step();
                let off = (world[hero].position().to_dvec2() - goal).abs();
                if off.cmplt(world[hero].shape().half_extents()).all() {
                    return Some(tick);
                }
                next.insert(world.checksum().0, world);
            }
            worlds = next.into_values().collect();
        }
        None
    }

    /// The hero has its full speed at once, so few positions are possible, and a witness can try all inputs.
    #[test]
    fn an_improved_run_is_the_shortest_within_its_cells() {
        let rows = ["#######", "#.....#", "#.....#", "#@.#.*#", "#######"];
        let mut world = World::from_map(Map::from_rows(rows).unwrap(), Settings::default());
        let (walk_speed, at_once) = (15.0, 4000.0);
        let character = Character {
            walk_speed,
            ground_acceleration: at_once,
            ground_braking: at_once,
            air_acceleration: at_once,
            jump_height: 1.5,
            jump_time: 0.1,
            ..Character::default()
        };
        let hero = spawn_hero(&mut world, character).unwrap();
        let search = Search::new(&world, hero).goal(Goal::Marker("goal".to_owned()));
        let Answer::Reachable(run) = search.run().unwrap() else { panic!("not found") };
        assert_eq!(run.shortest_cells, None);
        let improved = search.improve_in_turns(&run, Duration::MAX, 16).unwrap();
        let shortest = ticks_of_shortest_run(&world, hero);
        assert_eq!((Some(improved.ticks()), improved.shortest_cells), (shortest, Some(64)), "first {}", run.ticks());
        // With few states, a beam search stops at the limit. Whether a shorter run exists is not known then.
        let few = Options { max_states: 40, ..Options::default() };
        let limited = Search::new(&world, hero).goal(Goal::Marker("goal".to_owned())).options(few);
        assert_eq!(limited.improve_in_turns(&run, Duration::MAX, 2).unwrap().shortest_cells, None);
    }
}
