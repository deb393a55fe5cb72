//! Shortens a found run: trims its inputs, searches for a shorter run with beam searches of growing width, and splices
//! parts of the run at random.

use crate::error::SearchError;
use crate::pass::{End, MAX_BATCH, Pass, Worker};
use crate::plan::Plan;
use crate::pool::Pool;
use crate::run::{FoundRun, join_equal_inputs};
use crate::search::Search;
use crate::simulation::Simulation;
use crate::splice::Splicer;
use serde::Serialize;
use std::time::{Duration, Instant};
use surefoot::replay::InputRun;

/// Number of states per layer of time in the first beam search. Each further one uses twice as many.
const FIRST_BEAM: usize = 64;
/// Index of the cells of the beams in [`CELL_SIZES`](crate::cell::CELL_SIZES).
const BEAM_CELLS: usize = 1;
/// States of a beam search for which one splice is tried. Both then take about the same time.
const STATES_PER_SPLICE: usize = 16;
/// Minimum number of splices after a beam search, and their number in each turn after the last one.
const SPLICES: usize = 1024;

impl<G: Clone + Serialize + Send + Sync> Search<'_, G> {
    /// Returns a run that is at most as long as `run`, a run that this search found.
    ///
    /// The search first trims the run. Then it takes turns: it follows a beam, each twice as wide as the one before, and
    /// tries random splices, drawn from [`Options::seed`](crate::Options::seed). Once a beam reaches the limits of states
    /// or memory, only splices go on. It ends when the time is up, or when the run is as short as its lower bound. The run
    /// depends on the time that the machine needs.
    ///
    /// # Errors
    /// Returns the errors of [`Search::run`], and [`SearchError::NotRepeatable`] if `run` does not reach the goal.
    pub fn improve(&self, run: &FoundRun, time: Duration) -> Result<FoundRun, SearchError> {
        let begin = (Instant::now(), time);
        let plan = Plan::new(self)?;
        let pool = Pool::new(self.options.threads, MAX_BATCH)?;
        let mut workers: Vec<_> = (0..pool.threads()).map(|_| Worker::new(self)).collect();
        if !self.reaches_goal(&run.inputs, &plan.targets) {
            return Err(SearchError::NotRepeatable);
        }
        let mut best = run.clone();
        self.shorten_inputs(&plan, &mut best.inputs, begin);
        let mut splicer = Splicer::new(self, &plan.targets, &pool);
        let mut width = Some(FIRST_BEAM);
        while begin.0.elapsed() < time && best.ticks() > best.least_ticks {
            let mut splices = SPLICES;
            if let Some(states) = width {
                let mut pass = Pass::new(self, &plan, BEAM_CELLS, 0)?;
                pass.frontier.begin_beam_search(states, best.ticks());
                let end = pass.search_until_end(&pool, &mut workers, Some(begin));
                best.states += pass.frontier.state_count();
                splices = splices.max(pass.frontier.state_count() / STATES_PER_SPLICE);
                width = match end {
                    End::Limit(_) => None,
                    _ => states.checked_mul(2),
                };
                if let End::Found(inputs) = end {
                    best.inputs = inputs;
                    self.shorten_inputs(&plan, &mut best.inputs, begin);
                }
            }
            let ticks = best.ticks();
            best.inputs = splicer.shorten_run(&best.inputs, splices, &pool, begin);
            if best.ticks() < ticks {
                self.shorten_inputs(&plan, &mut best.inputs, begin);
            }
        }
        if !self.reaches_goal(&best.inputs, &plan.targets) {
            return Err(SearchError::NotRepeatable);
        }
        Ok(best)
    }

    /// Shortens or removes single inputs, as long as the run still reaches the goal.
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
                self.first_tick_at_goal(&mut simulation, plan, rest)
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
                simulation.step(run.input, &plan.targets);
            }
        }
    }

    /// Plays inputs until the goal. Returns those up to the goal, or `None` if they do not reach it.
    fn first_tick_at_goal(
        &self,
        simulation: &mut Simulation<G>,
        plan: &Plan<'_, G>,
        inputs: impl Iterator<Item = InputRun>,
    ) -> Option<Vec<InputRun>> {
        let mut played = Vec::new();
        for run in inputs {
            for tick in 1..=run.ticks {
                if simulation.step(run.input, &plan.targets) {
                    played.push(InputRun { ticks: tick, ..run });
                    return Some(played);
                }
            }
            played.push(run);
        }
        None
    }
}
