//! A pass of a search: takes the most promising states, tries the inputs of each, and keeps the states in new cells.
//!
//! A search makes up to five passes. Each tells states apart by smaller cells than the one before.
//!
//! States are taken in batches. The size of a batch depends on the number of states and the limit of memory only, the
//! threads share the states of a batch, and the results are added in the batch's order. So any number of threads gives
//! the same answer.

use crate::answer::Limit;
use crate::best::SAVE_TICKS;
use crate::cell::{CELL_SIZES, CellSize};
use crate::error::SearchError;
use crate::frontier::{Child, Frontier, Taken};
use crate::moves::Move;
use crate::options::Progress;
use crate::plan::Plan;
use crate::pool::Pool;
use crate::search::Search;
use crate::simulation::{Kept, Simulation};
use crate::window::Guide;
use serde::Serialize;
use std::time::{Duration, Instant};
use surefoot::prelude::BodyState;
use surefoot::replay::InputRun;
use surefoot::snapshot::{Snapshot, SnapshotArena};

/// Most states that are continued at the same time.
pub(crate) const MAX_BATCH: usize = 128;
/// The states of a batch may take one eighth of the memory of a search.
const BATCH_SHARE: usize = 8;
/// Least number of states between two reports of progress.
const REPORT: usize = 1 << 13;

/// States that one thread expands, each with the list for what it finds.
type Share<'a, G> = Vec<(&'a Taken<G>, &'a mut Vec<Child<G>>)>;

/// Begin of a search, and its limit of time if it has one.
pub(crate) type Begin = Option<(Instant, Duration)>;

pub(crate) fn is_time_up(begin: Begin) -> bool {
    begin.is_some_and(|(begin, limit)| begin.elapsed() >= limit)
}

/// Returns the number of states that are continued next: more while the search grows, as far as the memory allows.
/// `children_bytes`: memory of all that may follow from one state.
pub(crate) fn batch_size(states: usize, children_bytes: usize, max_memory: usize) -> usize {
    (states >> 9).clamp(8, MAX_BATCH).min(max_memory / BATCH_SHARE / children_bytes).max(1)
}

/// End of a pass.
pub(crate) enum End {
    Found(Vec<InputRun>),
    Limit(Limit),
    Exhausted,
}

/// Search with cells of one size.
pub(crate) struct Pass<'s, 'a, G> {
    search: &'s Search<'a, G>,
    plan: &'s Plan<'a, G>,
    cells: &'static CellSize,
    number: usize,
    /// Number of states found in earlier passes.
    before: usize,
    /// Part of a run that the pass follows. Without it, the pass only searches for the goal.
    guide: Option<&'s Guide>,
    pub(crate) frontier: Frontier<G>,
}

impl<'s, 'a, G: Clone + Serialize + Send + Sync> Pass<'s, 'a, G> {
    /// Begins the pass with the cells of index `number` in [`CELL_SIZES`], after `before` states of earlier passes.
    pub(crate) fn new(
        search: &'s Search<'a, G>,
        plan: &'s Plan<'a, G>,
        number: usize,
        before: usize,
    ) -> Result<Pass<'s, 'a, G>, SearchError> {
        let pass = Pass::from_state(search, plan, number, &search.simplified_simulation(), None)?;
        Ok(Pass { before, ..pass })
    }

    /// Begins a pass from a state of the simulation. It ends at the goal, or in a cell of the guide that the run of the
    /// guide leaves only at a later tick.
    pub(crate) fn from_state(
        search: &'s Search<'a, G>,
        plan: &'s Plan<'a, G>,
        number: usize,
        first: &Simulation<G>,
        guide: Option<&'s Guide>,
    ) -> Result<Pass<'s, 'a, G>, SearchError> {
        let cells = &CELL_SIZES[number];
        let cell = plan.surroundings.state_cell(first, cells).ok_or(SearchError::NoSuchBody)?;
        let at = first.position().ok_or(SearchError::NoSuchBody)?;
        let distance = plan.estimate_distance(at, first.memory.visited);
        let frontier = Frontier::new(first, cell, distance, &search.options);
        Ok(Pass { search, plan, cells, number, before: 0, guide, frontier })
    }

    pub(crate) fn search_until_end(&mut self, pool: &Pool, workers: &mut [Worker<G>], begin: Begin) -> End {
        // If time was up within a batch of an earlier pass, its states are still in the arenas. Drop them.
        workers.iter_mut().for_each(|worker| worker.arena = SnapshotArena::default());
        let mut batch: Vec<Taken<G>> = Vec::new();
        let mut results: Vec<Vec<Child<G>>> = Vec::new();
        let mut reported = 0;
        loop {
            let children_bytes = self.plan.moves.max_moves() * workers[0].child_bytes;
            let count = batch_size(self.frontier.state_count(), children_bytes, self.search.options.max_memory);
            if let Some(limit) = self.limit_exceeded_by_more_states(0, count, workers[0].child_bytes) {
                return End::Limit(limit);
            }
            self.frontier.take_most_promising(count, &mut batch);
            if batch.is_empty() {
                return End::Exhausted;
            }
            results.resize_with(batch.len(), Vec::new);
            self.expand_batch(pool, workers, &batch, &mut results, begin);
            if is_time_up(begin) {
                // The batch may be incomplete, so drop it.
                return End::Limit(Limit::Time);
            }
            if let Some(end) = self.add_children(workers, &mut batch, &mut results, count) {
                return end;
            }
            if self.frontier.state_count() >= reported + REPORT {
                reported = self.frontier.state_count();
                self.report_progress();
            }
        }
    }

    /// Returns the limit that `more` states would pass, while a batch of `count` states is continued.
    fn limit_exceeded_by_more_states(&self, more: usize, count: usize, child_bytes: usize) -> Option<Limit> {
        let options = &self.search.options;
        let used = self.plan.bytes + count * self.plan.moves.max_moves() * child_bytes;
        if self.before + self.frontier.state_count() + more > options.max_states.min(u32::MAX as usize) {
            Some(Limit::States)
        } else if used + self.frontier.memory_bytes_with(more) > options.max_memory {
            Some(Limit::Memory)
        } else {
            None
        }
    }

    /// Adds what a batch of up to `count` states has found, in the order of the batch. Returns the end of the pass if
    /// it is reached.
    fn add_children(
        &mut self,
        workers: &mut [Worker<G>],
        batch: &mut Vec<Taken<G>>,
        results: &mut [Vec<Child<G>>],
        count: usize,
    ) -> Option<End> {
        let threads = workers.len();
        let mut snapshot = std::mem::take(&mut workers[0].snapshot);
        let mut end = None;
        for (i, taken) in batch.drain(..).enumerate() {
            let worker = &mut workers[i % threads];
            for child in results[i].drain(..) {
                if end.is_none() {
                    end = self.limit_exceeded_by_more_states(1, count, worker.child_bytes).map(End::Limit);
                }
                if end.is_none() {
                    let goal = self.frontier.add_child(&taken, &child, &worker.arena, &mut snapshot);
                    end = goal.map(|node| End::Found(self.frontier.inputs_to(node)));
                }
                worker.arena.remove(child.state.snapshot);
            }
            self.frontier.remove_snapshot(taken);
        }
        workers[0].snapshot = snapshot;
        end
    }

    fn report_progress(&self) {
        let Some(report) = self.search.progress else { return };
        report(&Progress {
            states: self.before + self.frontier.state_count(),
            waiting: self.frontier.waiting_count(),
            distance: self.frontier.nearest.1,
            position: self.frontier.nearest.2,
            level: self.number,
        });
    }

    /// Tries the inputs of each state of the batch. Thread i takes the states i, i + threads and so on.
    fn expand_batch(
        &self,
        pool: &Pool,
        workers: &mut [Worker<G>],
        batch: &[Taken<G>],
        results: &mut [Vec<Child<G>>],
        begin: Begin,
    ) {
        let expansion =
            Expansion { plan: self.plan, cells: self.cells, frontier: &self.frontier, begin, guide: self.guide };
        let threads = workers.len();
        let mut shares: Vec<Share<'_, G>> = Vec::new();
        shares.resize_with(threads, Vec::new);
        for (i, pair) in batch.iter().zip(results).enumerate() {
            shares[i % threads].push(pair);
        }
        pool.for_each_share(workers.iter_mut().zip(shares).collect(), |(worker, share)| {
            for (taken, children) in share {
                expansion.find_children(worker, taken, children);
            }
        });
    }
}

/// Finds the children of states, in all threads at the same time.
struct Expansion<'r, 'a, G> {
    plan: &'r Plan<'a, G>,
    cells: &'static CellSize,
    frontier: &'r Frontier<G>,
    guide: Option<&'r Guide>,
    begin: Begin,
}

impl<G: Clone + Serialize + Send + Sync> Expansion<'_, '_, G> {
    fn find_children(&self, worker: &mut Worker<G>, taken: &Taken<G>, children: &mut Vec<Child<G>>) {
        let plan = self.plan;
        let Worker { simulation, arena, parent, snapshot, moves, .. } = worker;
        if !self.frontier.try_copy_snapshot_to(taken, parent) {
            return;
        }
        simulation.restore_state(parent, &taken.state.game, taken.state.memory);
        plan.moves.list_moves(simulation, &plan.surroundings, self.cells, moves);
        for (i, &by) in moves.iter().enumerate() {
            if is_time_up(self.begin) {
                return;
            }
            if i > 0 {
                simulation.restore_state(parent, &taken.state.game, taken.state.memory);
            }
            let (by, is_goal) = self.hold_input_and_check_goal(simulation, by);
            let Some(position) = simulation.hero().map(BodyState::position) else { continue };
            let at = position.to_dvec2();
            let is_lost = at.cmplt(plan.region.0).any() || at.cmpgt(plan.region.1).any();
            let Some((cell, kind)) = plan.surroundings.cell_and_coarse_kind(simulation, self.cells) else { continue };
            let is_goal = is_goal
                || self.guide.is_some_and(|guide| guide.run_tick_if_ahead(cell, taken.ticks + by.ticks).is_some());
            if !is_goal && (is_lost || !self.frontier.is_worth_keeping(cell, taken.ticks + by.ticks)) {
                continue;
            }
            let distance = plan.estimate_distance(at, simulation.memory.visited);
            let estimate = self.guide.map_or(distance * plan.ticks_per_tile, |guide| guide.estimate_ticks(at));
            let is_behind = self.guide.is_some_and(|guide| guide.is_behind(taken.ticks + by.ticks, estimate));
            if !is_goal && is_behind {
                continue;
            }
            simulation.world.capture_into(snapshot);
            let (game, memory) = (simulation.game.clone(), simulation.memory);
            let state = Kept { snapshot: arena.add(snapshot), game, memory };
            children.push(Child { by, cell, kind, estimate, distance, position, is_goal, state });
        }
    }

    /// Holds the input of `by` for its ticks, or until the motion changes: the character lands, or grabs a ledge.
    /// Returns the input as long as it was held, and whether the goal was reached.
    fn hold_input_and_check_goal(&self, simulation: &mut Simulation<G>, by: Move) -> (Move, bool) {
        let mut mode = None;
        for tick in 1..=by.ticks {
            let is_goal = simulation.step_and_check_goal(by.input, &self.plan.targets);
            let now = simulation.hero().map(BodyState::mode);
            if is_goal || now.is_none() || mode.is_some() && mode != now {
                return (Move { ticks: tick, ..by }, is_goal);
            }
            mode = now;
        }
        (by, false)
    }
}

/// A thread's own world, and the states that it has found in a batch.
pub(crate) struct Worker<G> {
    pub(crate) simulation: Simulation<G>,
    pub(crate) arena: SnapshotArena,
    /// State that the thread continues, and memory for others.
    pub(crate) parent: Snapshot,
    pub(crate) snapshot: Snapshot,
    pub(crate) moves: Vec<Move>,
    /// Estimated bytes of a found state during a batch, the same in all threads.
    pub(crate) child_bytes: usize,
}

impl<G: Clone + Serialize + Send + Sync> Worker<G> {
    pub(crate) fn new(search: &Search<'_, G>) -> Worker<G> {
        let simulation = search.simplified_simulation();
        let snapshot = simulation.world.capture();
        // A snapshot in the arena takes less than three times the bytes of the same snapshot in a file.
        let child_bytes = CHILD_BYTES + 3 * snapshot.to_bytes().len() + simulation.game_bytes();
        let (arena, parent) = (SnapshotArena::default(), snapshot.clone());
        Worker { simulation, arena, parent, snapshot, moves: Vec::new(), child_bytes }
    }

    /// Returns the memory of the states along a run of `ticks` ticks, with its inputs and positions, in bytes.
    pub(crate) fn bytes_along_run(&self, ticks: usize) -> usize {
        (ticks / SAVE_TICKS + 1) * self.child_bytes + ticks * TICK_BYTES
    }
}

/// Bytes of a tick of a run: its input and its position, in lists that double when they grow.
const TICK_BYTES: usize = 3 * (8 + 16);

/// Bytes of a found state in the lists of a batch, which double when they grow, and of its events and contacts.
const CHILD_BYTES: usize = 1024;
