//! Windows: parts of a found run that are searched again, each from its first state, for a way to a later state of the
//! run in fewer ticks.
//!
//! A window is short compared with the level, so a narrow beam searches it well. The rest of the run follows after the
//! new way. It begins earlier now and at a slightly different position, so it may miss a ledge or a platform. Then the
//! changed run is searched again from a state before the miss, as long as it stays ahead of the run.

use crate::best::Best;
use crate::cell::{CELL_SIZES, CellSize};
use crate::error::SearchError;
use crate::pass::{End, Pass, Worker};
use crate::plan::Plan;
use crate::pool::Pool;
use crate::random::Random;
use crate::run::input_of_each_tick;
use crate::search::Search;
use crate::simulation::Simulation;
use glam::DVec2;
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::ops::Range;
use std::time::{Duration, Instant};
use surefoot::Input;

/// Windows have this number of ticks or more, unless the run ends before.
const MIN_TICKS: usize = 40;
/// Number of ranges of lengths: 40 to 79 ticks, 80 to 159, and so on.
const LENGTHS: usize = 6;
/// Width of the narrowest beam, and number of widths. Each is twice as wide as the one before.
const MIN_WIDTH: usize = 16;
const WIDTHS: usize = 7;
/// A way may end in the last quarter of a window.
const END_SHARE: usize = 4;
/// Most searches for one change of the run: the first, and those after the rest of the run has missed something.
const MAX_SEARCHES: usize = 6;
/// Distance in tiles from the old run, to the side or up or down, beyond which the rest of the run has missed
/// something.
const MISS_DISTANCE: f64 = 1.5;
/// Most ticks before a miss at which a search begins.
const MAX_BACK: usize = 64;
/// Number of choices for the ticks by which states of a window may fall behind the run: 0 to 23.
const SLACKS: usize = 24;
/// Ticks between two positions of a guide.
const POSITION_TICKS: usize = 4;

/// Part of a run that guides a search. The search may begin at a state that is ahead of the run.
pub(crate) struct Guide {
    /// Ticks in which the run comes to the end of the part, counted from the begin of the search.
    ticks: u32,
    /// Cells of states that the run passes in the last quarter of the part, each with its last tick there, counted from
    /// the begin of the search. A search that comes into one of them earlier has found a faster way.
    cells: FxHashMap<u64, u32>,
    /// Positions of the run, with the ticks from there to the end of the part.
    path: Vec<(DVec2, f64)>,
    /// Ticks for a tile to the side, and for a tile up or down, at the speeds of
    /// [`Moves::window_speeds`](crate::moves::Moves).
    ticks_per_tile: DVec2,
    /// Most ticks by which a state may be behind the run. States further behind are dropped.
    slack: f64,
}

impl Guide {
    /// Returns the last tick at which the run is in the cell, if a state in that cell after `ticks` ticks is ahead of
    /// the run.
    pub(crate) fn run_tick_if_ahead(&self, cell: u64, ticks: u32) -> Option<u32> {
        self.cells.get(&cell).copied().filter(|&tick| tick > ticks)
    }

    /// Returns the ticks to the end of the part, if the body moves straight to a position of the run and then follows
    /// it.
    pub(crate) fn estimate_ticks(&self, at: DVec2) -> f64 {
        let ticks = |(place, rest): &(DVec2, f64)| rest + ((*place - at).abs() * self.ticks_per_tile).max_element();
        self.path.iter().map(ticks).fold(f64::INFINITY, f64::min)
    }

    /// Returns whether a state after `ticks` ticks is too far behind the run.
    pub(crate) fn is_behind(&self, ticks: u32, estimate: f64) -> bool {
        f64::from(ticks) + estimate > f64::from(self.ticks) + self.slack
    }
}

/// Searches windows of a run.
pub(crate) struct Windows<'s, 'a, G> {
    search: &'s Search<'a, G>,
    plan: &'s Plan<'a, G>,
    simulation: Simulation<G>,
    /// Number of windows so far.
    count: u64,
    /// Number of states found so far, and one more for each window.
    pub(crate) states: usize,
}

/// Choices for a window that are drawn from the seed.
struct Window {
    ticks: usize,
    /// Index of the cells in [`CELL_SIZES`].
    cells: usize,
    width: usize,
    slack: f64,
}

impl<'s, 'a, G: Clone + Serialize + Send + Sync> Windows<'s, 'a, G> {
    pub(crate) fn new(search: &'s Search<'a, G>, plan: &'s Plan<'a, G>) -> Windows<'s, 'a, G> {
        Windows { search, plan, simulation: search.simplified_simulation(), count: 0, states: 0 }
    }

    /// Searches a window drawn from the seed. If that makes the run shorter, the shorter run replaces it.
    pub(crate) fn shorten_run(
        &mut self,
        best: &mut Best<G>,
        pool: &Pool,
        workers: &mut [Worker<G>],
        begin: (Instant, Duration),
    ) -> Result<(), SearchError> {
        // Invert the seed, so that windows and splices draw different numbers.
        let mut random = Random::new(!self.search.options.seed, self.count);
        self.count += 1;
        // Count each window, so that the turn ends even if no search begins.
        self.states += 1;
        let all = best.inputs.len();
        let least = MIN_TICKS << random.random_below(LENGTHS);
        let mut window = Window {
            ticks: (least + random.random_below(least)).min(all),
            cells: 1 + random.random_below(2),
            // Narrow beams take less time, so they are drawn more often.
            width: MIN_WIDTH << random.random_below(WIDTHS).min(random.random_below(WIDTHS)),
            slack: random.random_below(SLACKS) as f64,
        };
        // Draw a start between one window length before the run and the run's end. A start before the run becomes tick
        // 0. So windows at the start are as frequent as windows that are cut off by the goal.
        let from = random.random_below(all + window.ticks).saturating_sub(window.ticks);
        // `inputs` contains the inputs of the changed run so far. `ahead` is the number of ticks saved: the changed run
        // is in the same place this much earlier.
        let (mut inputs, mut ahead) = (best.inputs[..from].to_vec(), 0);
        for _ in 0..MAX_SEARCHES {
            let first = inputs.len();
            let end = (first + ahead + window.ticks).min(all);
            let Some(guide) = self.play_part_to_build_guide(best, first + ahead..end, ahead, &window) else { break };
            self.play_inputs_and_check_goal(best, &inputs, from);
            let mut pass = Pass::from_state(self.search, self.plan, window.cells, &self.simulation, Some(&guide))?;
            pass.frontier.begin_beam_search(window.width, guide.ticks.into(), self.search.options.weight);
            let end = pass.search_until_end(pool, workers, Some(begin));
            self.states += pass.frontier.state_count();
            let End::Found(found) = end else { break };
            inputs.extend(input_of_each_tick(&found));
            let mut is_goal = self.play_inputs_and_check_goal(best, &inputs, from);
            if !is_goal {
                let cells = &CELL_SIZES[window.cells];
                let cell = self.plan.surroundings.state_cell(&self.simulation, cells);
                let searched = inputs.len() - first;
                let Some(tick) = cell.and_then(|cell| guide.run_tick_if_ahead(cell, searched as u32)) else { break };
                ahead = tick as usize - searched;
                let known = inputs.len();
                is_goal = self.append_rest_and_check_goal(best, &mut inputs, ahead);
                if !is_goal {
                    // The rest of the run missed something. Go back some ticks, but not into the part just found, and
                    // search a short window from there.
                    let back = 1 + random.random_below(MAX_BACK);
                    inputs.truncate(inputs.len().saturating_sub(back).max(known));
                    window.ticks = 2 * MIN_TICKS + random.random_below(2 * MIN_TICKS);
                }
            }
            if is_goal {
                best.replace_run(inputs, from, &self.plan.targets);
                break;
            }
        }
        Ok(())
    }

    /// Plays a changed run that differs from the tick `from` on. Returns whether it reaches the goal in its last tick.
    fn play_inputs_and_check_goal(&mut self, best: &Best<G>, inputs: &[Input], from: usize) -> bool {
        best.restore_simulation_at_tick(from, &mut self.simulation, &self.plan.targets);
        inputs[from..].iter().fold(false, |_, &input| self.simulation.step_and_check_goal(input, &self.plan.targets))
    }

    /// Adds the rest of the run to a changed run, as long as the body stays near the run. Returns whether it reaches
    /// the goal.
    fn append_rest_and_check_goal(&mut self, best: &Best<G>, inputs: &mut Vec<Input>, ahead: usize) -> bool {
        for tick in inputs.len() + ahead..best.inputs.len() {
            inputs.push(best.inputs[tick]);
            if self.simulation.step_and_check_goal(best.inputs[tick], &self.plan.targets) {
                return true;
            }
            let Some(at) = self.simulation.position() else { return false };
            if (at - best.positions[tick]).abs().max_element() > MISS_DISTANCE {
                return false;
            }
        }
        false
    }

    /// Plays a part of the run that guides a search from a state `ahead` ticks ahead of the run. Returns `None` if the
    /// part is empty or the body is gone.
    fn play_part_to_build_guide(
        &mut self,
        best: &Best<G>,
        part: Range<usize>,
        ahead: usize,
        window: &Window,
    ) -> Option<Guide> {
        let (plan, cells): (_, &CellSize) = (self.plan, &CELL_SIZES[window.cells]);
        if part.is_empty() {
            return None;
        }
        let ticks = part.len();
        let (mut path, mut latest) = (Vec::new(), FxHashMap::default());
        let per_tick = DVec2::from(plan.moves.window_speeds()) * self.search.world.settings().tick;
        best.restore_simulation_at_tick(part.start, &mut self.simulation, &plan.targets);
        for (tick, &input) in (1..).zip(&best.inputs[part]) {
            self.simulation.step_and_check_goal(input, &plan.targets);
            let at = self.simulation.position()?;
            if tick % POSITION_TICKS == 0 || tick == ticks {
                path.push((at, (ticks - tick) as f64));
            }
            if tick >= ticks - ticks / END_SHARE {
                let cell = plan.surroundings.state_cell(&self.simulation, cells)?;
                latest.insert(cell, (tick + ahead) as u32);
            }
        }
        let (ticks, ticks_per_tile) = ((ticks + ahead) as u32, per_tick.recip());
        Some(Guide { ticks, cells: latest, path, ticks_per_tile, slack: window.slack })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::MAX_BATCH;
    use crate::{Answer, Goal, Options};
    use surefoot::prelude::*;
    use surefoot::replay::InputRun;
    use surefoot::{Map, World};

    /// A guide along a floor at 8 tiles per second, with falls of 20 tiles per second. The body is 6 tiles above the
    /// second position: 18 ticks. Straight to the last position, 8 tiles to the side, it would take 60 ticks.
    #[test]
    fn a_guide_estimates_the_ticks_to_its_end() {
        let path = vec![(DVec2::new(0.0, 1.0), 120.0), (DVec2::new(8.0, 1.0), 60.0), (DVec2::new(16.0, 1.0), 0.0)];
        let ticks_per_tile = DVec2::new(60.0 / 8.0, 60.0 / 20.0);
        let cells = FxHashMap::from_iter([(7, 110)]);
        let guide = Guide { ticks: 130, cells, path, ticks_per_tile, slack: 5.0 };
        let estimate = guide.estimate_ticks(DVec2::new(8.0, 7.0));
        assert_eq!(estimate, 60.0);
        assert_eq!(guide.estimate_ticks(DVec2::new(8.0, 29.0)), 84.0);
        // The run needs 130 ticks, and a state may be 5 ticks behind it.
        assert!(!guide.is_behind(75, estimate));
        assert!(guide.is_behind(76, estimate));
        assert_eq!(
            (guide.run_tick_if_ahead(7, 109), guide.run_tick_if_ahead(7, 110), guide.run_tick_if_ahead(8, 0)),
            (Some(110), None, None)
        );
    }

    /// Windows leave out most of a pause of a second. Any number of threads makes the same run.
    #[test]
    fn windows_leave_out_a_pause() {
        let rows = ["....................", "....................", ".@................*.", "####...####...######"];
        let mut world = World::new(Map::from_rows(rows).unwrap(), Settings::default());
        let body = Body::new(Shape::aabb(0.35, 0.45)).at((1.5, 1.45)).character(Character::default());
        let hero = world.spawn(body).unwrap();
        let shortened = |threads: usize| {
            let options = Options { threads, ..Options::default() };
            let search = Search::new(&world, hero).goal(Goal::Marker("goal".to_owned())).options(options);
            let Answer::Reachable(run) = search.run().unwrap() else { panic!("not found") };
            let mut inputs = run.inputs.clone();
            inputs.insert(0, InputRun { ticks: 60, input: Input::default() });
            let plan = Plan::new(&search).unwrap();
            let pool = Pool::new(threads, MAX_BATCH).unwrap();
            let mut workers: Vec<_> = (0..pool.threads()).map(|_| Worker::new(&search)).collect();
            let mut best = Best::new(&search, &inputs, &plan.targets);
            let mut windows = Windows::new(&search, &plan);
            for _ in 0..40 {
                windows.shorten_run(&mut best, &pool, &mut workers, (Instant::now(), Duration::MAX)).unwrap();
            }
            assert!(search.reaches_goal(&best.joined_inputs(), &plan.targets));
            assert!(best.ticks() < run.ticks() + 30, "{} of {}", best.ticks(), run.ticks());
            (best.inputs, windows.states)
        };
        let [one, two, eight] = [1, 2, 8].map(shortened);
        assert!(one == two && one == eight);
    }
}
