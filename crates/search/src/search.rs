//! The search: takes the most promising states, tries the inputs of each, and keeps the states that are in new cells.
//!
//! States are taken in batches. The size of a batch depends only on the number of states. The threads share the
//! states of a batch, and the results are added in the order of the batch. So any number of threads gives the same
//! answer.

use crate::answer::{Answer, Limit, Nearest, Proof};
use crate::bound::{Bound, MAX_CELLS};
use crate::cell::{LEVELS, Level, Surroundings};
use crate::distance::{Field, Grid};
use crate::error::SearchError;
use crate::frontier::{Child, Frontier, Taken};
use crate::goal::{Goal, Targets};
use crate::moves::{Move, Moves};
use crate::options::{Options, Progress};
use crate::run::FoundRun;
use crate::simulation::{Simulation, State};
use glam::DVec2;
use serde::Serialize;
use std::time::Instant;
use surefoot::World;
use surefoot::prelude::*;
use surefoot::record::GameTick;
use surefoot::replay::{InputRun, ToReplayError};

/// Distance beyond the map at which a body counts as lost, in tiles.
const LOST: f64 = 64.0;
/// Maximum memory that a bound takes for a cell, in bytes.
const BOUND_BYTES: usize = 40;
/// Maximum number of states in a batch.
const MAX_BATCH: usize = 128;
/// Minimum number of states between two reports of progress.
const REPORT: usize = 1 << 13;

/// Search for a run that brings a character to a goal.
///
/// Give it a goal and call [`Search::run`].
pub struct Search<'a, G = ()> {
    world: &'a World,
    body: BodyId,
    game: G,
    tick: Option<GameTick<G, Inputs>>,
    goal: Option<Goal<'a, G>>,
    options: Options,
    progress: Option<&'a dyn Fn(&Progress)>,
}

impl<'a> Search<'a> {
    /// Creates a search for the character `body` from the current state of `world`. No rules of a game run: other
    /// bodies get no inputs.
    #[must_use]
    pub fn new(world: &'a World, body: BodyId) -> Search<'a> {
        Search { world, body, game: (), tick: None, goal: None, options: Options::default(), progress: None }
    }
}

impl<'a, G: Clone + Serialize + Send + Sync> Search<'a, G> {
    /// Creates a search that plays the rules of a game. `tick` is the tick function of its
    /// [`GameRun`](surefoot::record::GameRun), and `game` the state of the game that belongs to the state of `world`.
    ///
    /// Edit a tile only if that changes it: for the search, each edit makes another state of the level.
    ///
    /// The found input is that of the first player. The character of `body` is the one whose position counts.
    #[must_use]
    pub fn with_game(world: &'a World, body: BodyId, game: &G, tick: GameTick<G, Inputs>) -> Search<'a, G> {
        let (game, tick) = (game.clone(), Some(tick));
        Search { world, body, game, tick, goal: None, options: Options::default(), progress: None }
    }

    /// Sets the goal.
    #[must_use]
    pub fn goal(self, goal: Goal<'a, G>) -> Search<'a, G> {
        Search { goal: Some(goal), ..self }
    }

    /// Sets limits and choices.
    #[must_use]
    pub fn options(self, options: Options) -> Search<'a, G> {
        Search { options, ..self }
    }

    /// Calls `report` from time to time while the search runs, from the thread that called [`Search::run`].
    #[must_use]
    pub fn on_progress(self, report: &'a dyn Fn(&Progress)) -> Search<'a, G> {
        Search { progress: Some(report), ..self }
    }

    /// Searches until a run is found or a limit is reached.
    ///
    /// If the bound of the body's motion proves that no run reaches the goal, nothing is searched. Coarse cells come
    /// first. If all their states were tried, the search begins again with finer ones.
    ///
    /// # Errors
    /// Returns [`SearchError`] if there is no goal, no such marker, area or body, if the weight is out of range, if the
    /// threads cannot be started, or if the game does not repeat the found run.
    pub fn run(&self) -> Result<Answer, SearchError> {
        let begin = self.options.max_time.map(|limit| (Instant::now(), limit));
        let plan = Plan::new(self)?;
        let bound = self.bound(&plan.targets);
        if let Some(proof) = bound.as_ref().and_then(|bound| self.proof(bound, &plan.targets)) {
            return Ok(Answer::Unreachable(proof));
        }
        let pool = Pool::new(self.options.threads)?;
        let mut workers: Vec<_> = (0..pool.threads()).map(|_| Worker::new(self)).collect();
        let mut before = 0;
        let mut nearest: Option<(Vec<InputRun>, f64)> = None;
        let mut limit = if self.options.beam.is_some() { Limit::Beam } else { Limit::Exhausted };
        for number in 0..LEVELS.len() {
            if before >= self.options.max_states {
                limit = Limit::States;
                break;
            }
            let mut round = Round::new(self, &plan, number, before)?;
            let end = round.search(&pool, &mut workers, begin);
            before += round.frontier.found();
            if let End::Found(inputs) = end {
                if !self.reaches(&inputs, &plan.targets) {
                    return Err(SearchError::NotRepeatable);
                }
                let least_ticks = bound.map_or(0, |bound| self.least_ticks(&bound, &plan.targets));
                return Ok(Answer::Reachable(FoundRun { inputs, states: before, least_ticks, level: number }));
            }
            let (node, distance) = round.frontier.nearest;
            if nearest.as_ref().is_none_or(|(_, least)| distance < *least) {
                nearest = Some((round.frontier.inputs_to(node), distance));
            }
            if let End::Limit(reached) = end {
                limit = reached;
                break;
            }
        }
        let (inputs, distance) = nearest.unwrap_or((Vec::new(), f64::INFINITY));
        Ok(Answer::NotFound(self.nearest(&plan, inputs, distance, before, limit)))
    }

    /// Makes a replay of a run that this search found. `source` says where the replay has its map.
    ///
    /// The body is named `hero` if it has no name. If the goal is a marker, the replay expects the hero there.
    ///
    /// # Errors
    /// Returns [`ToReplayError`] if the search did not begin with a new world, or if the game gives commands that a
    /// replay cannot contain.
    pub fn replay(&self, inputs: &[InputRun], source: MapSource) -> Result<Replay, ToReplayError> {
        let mut simulation = self.simulation();
        let mut recorder = Recorder::for_replay(&simulation.world, source, 60)?;
        let placed =
            self.world.placed_body(self.body).map(|placed| placed.name.clone()).filter(|name| !name.is_empty());
        let name = placed.unwrap_or_else(|| "hero".to_owned());
        // If another body has the name, the replay gives this body a number.
        let is_named = recorder.name_body(self.body, name.clone()).is_ok();
        let none = Targets::never();
        for run in inputs {
            for _ in 0..run.ticks {
                simulation.step(run.input, &none);
                recorder.record_tick(&simulation.world)?;
            }
        }
        let replay = recorder.finish_replay(&simulation.world)?;
        match &self.goal {
            Some(Goal::Marker(marker)) if is_named => {
                let line = format!("{name} at {marker} before {}", replay.ticks() + 1);
                let plain = replay.clone();
                // If the name contains words of the grammar of expectations, no expectation can be written for it.
                Ok(replay.with_expectations([line.as_str()]).unwrap_or(plain))
            }
            _ => Ok(replay),
        }
    }

    /// Returns the bound of the body's motion. Returns `None` if the search has the rules of a game, if a target may
    /// move, or if the bound does not cover the level or might take more memory than the search may.
    fn bound(&self, targets: &Targets<'_, G>) -> Option<Bound> {
        let is_too_large = self.options.max_memory < MAX_CELLS * BOUND_BYTES;
        if self.tick.is_some() || targets.boxes.is_empty() || targets.may_move || is_too_large {
            return None;
        }
        Bound::new(self.world, self.body).ok()
    }

    /// Returns the proof that a required place is out of reach, or that all alternative places are.
    fn proof(&self, bound: &Bound, targets: &Targets<'_, G>) -> Option<Proof> {
        let reach = bound.reach();
        let mut out = targets.boxes.iter().filter(|(low, high)| !reach.contains(*low, *high));
        let is_proven = targets.all_visited().is_some() || out.clone().count() == targets.boxes.len();
        let (low, high) = out.next().filter(|_| is_proven)?;
        Some(Proof { place: (*low + *high) / 2.0 })
    }

    /// Returns a lower bound of the ticks to the farthest required place, or to the nearest alternative place.
    fn least_ticks(&self, bound: &Bound, targets: &Targets<'_, G>) -> u64 {
        let Some(hero) = self.world.get(self.body) else { return 0 };
        let ticks = |(low, high): &(DVec2, DVec2)| bound.ticks_to(*low, *high).ticks_from(hero.position()).unwrap_or(0);
        let all = targets.boxes.iter().map(ticks);
        if targets.all_visited().is_some() { all.max() } else { all.min() }.unwrap_or(0)
    }

    pub(crate) fn threads(&self) -> usize {
        self.options.threads
    }

    pub(crate) fn simulation(&self) -> Simulation<G> {
        Simulation::new(self.world.clone(), self.game.clone(), self.body, self.tick)
    }

    /// Plays the inputs from the start. Returns whether they reach the goal in their last tick.
    pub(crate) fn reaches(&self, inputs: &[InputRun], targets: &Targets<'_, G>) -> bool {
        let mut simulation = self.simulation();
        let mut is_reached = false;
        for run in inputs {
            for _ in 0..run.ticks {
                is_reached = simulation.step(run.input, targets);
            }
        }
        is_reached
    }

    /// Describes the nearest approach.
    fn nearest(
        &self,
        plan: &Plan<'_, G>,
        inputs: Vec<InputRun>,
        distance: f64,
        states: usize,
        limit: Limit,
    ) -> Nearest {
        let mut simulation = self.simulation();
        let mut stood = simulation.at();
        for run in &inputs {
            for _ in 0..run.ticks {
                simulation.step(run.input, &plan.targets);
                if simulation.hero().is_some_and(BodyState::on_floor) {
                    stood = simulation.at();
                }
            }
        }
        let position = simulation.hero().map_or(Position::ORIGIN, BodyState::position);
        let words = self.words(plan, position.to_dvec2(), stood.unwrap_or_default(), distance, limit);
        Nearest { limit, states, position, distance, inputs, words }
    }

    /// Says in words how near the search came to the goal, and what stopped it.
    fn words(&self, plan: &Plan<'_, G>, at: DVec2, stood: DVec2, distance: f64, limit: Limit) -> String {
        let end = format!("stopped by {limit}");
        let end = if limit == Limit::Exhausted { limit.to_string() } else { end };
        let Some(field) = plan.fields.first() else { return end };
        let target = (field.target().0 + field.target().1) / 2.0;
        let general = format!("{distance:.1} tiles from the goal at ({:.0}, {:.0}), {end}", target.x, target.y);
        let Some(hero) = self.world.get(self.body) else { return general };
        if hero.up() != Up::PlusY {
            return general;
        }
        let feet = stood.y - hero.shape().half_extents().y;
        let Some(ledge) = plan.grid.next_ledge(field, at, feet) else { return general };
        let reach = hero.character().and_then(|character| character.jump_reach(&self.world.settings()));
        let (below, reach) = (ledge.y - feet, reach.map_or(0.0, |reach| reach.height));
        if below <= reach {
            return general;
        }
        format!(
            "{below:.1} tiles below the ledge at ({:.0}, {:.0}); its jump reaches {reach:.1}; {end}",
            ledge.x.floor(),
            ledge.y
        )
    }
}

/// The states of a batch that one thread expands, each with the list for the states reached from it.
type Share<'a, G> = Vec<(&'a Taken<G>, &'a mut Vec<Child<G>>)>;

/// Data that stays the same during a search.
pub(crate) struct Plan<'a, G> {
    pub(crate) targets: Targets<'a, G>,
    moves: Moves,
    surroundings: Surroundings,
    grid: Grid,
    fields: Vec<Field>,
    /// Estimated number of ticks for each tile of the way.
    ticks_per_tile: f64,
    /// Region outside of which a body counts as lost.
    region: (DVec2, DVec2),
}

impl<'a, G: Clone + Serialize + Send + Sync> Plan<'a, G> {
    pub(crate) fn new(search: &Search<'a, G>) -> Result<Plan<'a, G>, SearchError> {
        let world = search.world;
        let hero = world.get(search.body).ok_or(SearchError::NoSuchBody)?;
        let moves = Moves::new(hero, world).ok_or(SearchError::NotACharacter)?;
        let weight = search.options.weight;
        if !(0.0..=1000.0).contains(&weight) {
            return Err(SearchError::Weight { weight });
        }
        if search.options.beam == Some(0) {
            return Err(SearchError::Beam);
        }
        let targets = Targets::new(search.goal.as_ref().ok_or(SearchError::NoGoal)?, world)?;
        // If any one of the targets is enough, a single flood fill from all of them is enough.
        let count = if targets.all_visited().is_some() { targets.boxes.len() } else { 1 };
        let grid = Grid::new(world, hero.shape(), search.tick.is_some(), search.options.max_memory / count);
        let share = targets.boxes.len().div_ceil(count).max(1);
        let fields = targets.boxes.chunks(share).map(|boxes| grid.flood(boxes)).collect();
        let (origin, size) = (world.map().origin(), world.map().size());
        let low = DVec2::new(origin.0.into(), origin.1.into());
        let high = low + DVec2::new(size.0.into(), size.1.into());
        let speed = moves.speed().max(0.1) * world.settings().tick;
        Ok(Plan {
            targets,
            moves,
            surroundings: Surroundings::new(world, search.tick.is_some()),
            grid,
            fields,
            ticks_per_tile: 1.0 / speed,
            region: (low - LOST, high + LOST),
        })
    }

    /// Returns the estimated way to the nearest target, or to all targets that are left, in tiles.
    fn distance(&self, at: DVec2, visited: u64) -> f64 {
        let Some(all) = self.targets.all_visited() else {
            return self.fields.first().map_or(0.0, |field| self.grid.distance(field, at));
        };
        // Always go to the nearest remaining target. This gives a short tour, though not always the shortest.
        let (mut at, mut left, mut way) = (at, all & !visited, 0.0);
        while left != 0 {
            let open = (0..self.fields.len()).filter(|i| left >> i & 1 == 1);
            let distances = open.map(|i| (self.grid.distance(&self.fields[i], at), i));
            let Some((distance, i)) = distances.min_by(|a, b| a.0.total_cmp(&b.0)) else { break };
            way += distance;
            at = self.targets.boxes[i].0;
            left &= !(1 << i);
        }
        way
    }
}

/// How a round ends.
pub(crate) enum End {
    Found(Vec<InputRun>),
    Limit(Limit),
    Exhausted,
}

/// One round of a search: with cells of one fineness.
pub(crate) struct Round<'s, 'a, G> {
    search: &'s Search<'a, G>,
    plan: &'s Plan<'a, G>,
    level: &'static Level,
    number: usize,
    /// Number of states found in earlier rounds, which used coarser cells.
    before: usize,
    pub(crate) frontier: Frontier<G>,
}

impl<'s, 'a, G: Clone + Serialize + Send + Sync> Round<'s, 'a, G> {
    pub(crate) fn new(
        search: &'s Search<'a, G>,
        plan: &'s Plan<'a, G>,
        number: usize,
        before: usize,
    ) -> Result<Round<'s, 'a, G>, SearchError> {
        let level = &LEVELS[number];
        let simulation = search.simulation();
        let cell = plan.surroundings.cell(&simulation, &plan.moves, level).ok_or(SearchError::NoSuchBody)?;
        let at = simulation.at().ok_or(SearchError::NoSuchBody)?;
        let frontier = Frontier::new(simulation.capture(), cell, plan.distance(at, 0), &search.options);
        Ok(Round { search, plan, level, number, before, frontier })
    }

    pub(crate) fn search(
        &mut self,
        pool: &Pool,
        workers: &mut [Worker<G>],
        begin: Option<(Instant, std::time::Duration)>,
    ) -> End {
        let options = &self.search.options;
        let mut batch: Vec<Taken<G>> = Vec::new();
        let mut results: Vec<Vec<Child<G>>> = Vec::new();
        let mut reported = 0;
        loop {
            batch.clear();
            let count = (self.frontier.found() >> 9).clamp(8, MAX_BATCH);
            self.frontier.take(count, &mut batch);
            if batch.is_empty() {
                return End::Exhausted;
            }
            results.resize_with(batch.len(), Vec::new);
            self.expand(pool, workers, &batch, &mut results);
            let bytes = workers[0].state_bytes;
            for (i, taken) in batch.drain(..).enumerate() {
                let worker = i % workers.len();
                for child in results[i].drain(..) {
                    if let Some(limit) = self.frontier.limit(options, self.before, 1, bytes) {
                        return End::Limit(limit);
                    }
                    let (goal, unused) = self.frontier.add(&taken, child);
                    if let Some(node) = goal {
                        return End::Found(self.frontier.inputs_to(node));
                    }
                    workers[worker].keep(unused);
                }
                workers[worker].keep(Some(taken.state));
            }
            if begin.is_some_and(|(begin, limit)| begin.elapsed() >= limit) {
                return End::Limit(Limit::Time);
            }
            if self.frontier.found() >= reported + REPORT {
                reported = self.frontier.found();
                self.report();
            }
        }
    }

    fn report(&self) {
        let Some(report) = self.search.progress else { return };
        report(&Progress {
            states: self.before + self.frontier.found(),
            waiting: self.frontier.waiting(),
            distance: self.frontier.nearest.1,
            level: self.number,
        });
    }

    /// Tries the inputs of each state of the batch. Thread number i takes the states i, i + threads and so on.
    fn expand(&self, pool: &Pool, workers: &mut [Worker<G>], batch: &[Taken<G>], results: &mut [Vec<Child<G>>]) {
        let expansion = Expansion { plan: self.plan, level: self.level, frontier: &self.frontier };
        let threads = workers.len();
        let mut shares: Vec<Share<'_, G>> = Vec::new();
        shares.resize_with(threads, Vec::new);
        for (i, pair) in batch.iter().zip(results).enumerate() {
            shares[i % threads].push(pair);
        }
        pool.each(workers.iter_mut().zip(shares).collect(), |(worker, share)| {
            for (taken, children) in share {
                expansion.children(worker, taken, children);
            }
        });
    }
}

/// Finds the children of states, in all threads at the same time.
struct Expansion<'r, 'a, G> {
    plan: &'r Plan<'a, G>,
    level: &'static Level,
    frontier: &'r Frontier<G>,
}

impl<G: Clone + Serialize + Send + Sync> Expansion<'_, '_, G> {
    /// Plays every possible move from a state, and lists the states that are new.
    fn children(&self, worker: &mut Worker<G>, taken: &Taken<G>, children: &mut Vec<Child<G>>) {
        let plan = self.plan;
        let mut moves = std::mem::take(&mut worker.moves);
        worker.simulation.restore(&taken.state);
        plan.moves.list(&worker.simulation, self.level, &mut moves);
        for (i, &by) in moves.iter().enumerate() {
            if i > 0 {
                worker.simulation.restore(&taken.state);
            }
            let (by, is_goal) = self.play(&mut worker.simulation, by);
            let Some(at) = worker.simulation.at() else { continue };
            let is_lost = at.cmplt(plan.region.0).any() || at.cmpgt(plan.region.1).any();
            let Some(cell) = plan.surroundings.cell(&worker.simulation, &plan.moves, self.level) else { continue };
            if !is_goal && (is_lost || !self.frontier.is_new(cell, taken.ticks + by.ticks)) {
                continue;
            }
            let distance = plan.distance(at, worker.simulation.memory.visited);
            let state = worker.capture();
            children.push(Child { by, cell, estimate: distance * plan.ticks_per_tile, distance, is_goal, state });
        }
        worker.moves = moves;
    }

    /// Holds the input for its ticks, or until the mode of the motion changes, for example when the character lands
    /// or grabs a ledge.
    fn play(&self, simulation: &mut Simulation<G>, by: Move) -> (Move, bool) {
        let mut mode = None;
        for tick in 1..=by.ticks {
            let is_goal = simulation.step(by.input, &self.plan.targets);
            let now = simulation.hero().map(BodyState::mode);
            if is_goal || now.is_none() || mode.is_some() && mode != now {
                return (Move { ticks: tick, ..by }, is_goal);
            }
            mode = now;
        }
        (by, false)
    }
}

/// The world of one thread, and stored states whose memory is reused.
pub(crate) struct Worker<G> {
    simulation: Simulation<G>,
    unused: Vec<State<G>>,
    moves: Vec<Move>,
    /// Estimate of the memory of a state in bytes, equal for all threads.
    state_bytes: usize,
}

impl<G: Clone + Serialize + Send + Sync> Worker<G> {
    /// Maximum number of stored states that are kept for their memory.
    const UNUSED: usize = 256;

    pub(crate) fn new(search: &Search<'_, G>) -> Worker<G> {
        let simulation = search.simulation();
        let first = simulation.capture();
        // Lists grow by doubling, and the number of contacts changes: allow about 300 bytes for each body.
        let snapshot = 2 * first.snapshot.to_bytes().len() + 320 * first.snapshot.body_count();
        let game = postcard::to_allocvec(&search.game).map_or(0, |bytes| 4 * bytes.len());
        let state_bytes = size_of::<State<G>>() + snapshot + game;
        Worker { simulation, unused: Vec::new(), moves: Vec::new(), state_bytes }
    }

    fn keep(&mut self, state: Option<State<G>>) {
        if self.unused.len() < Worker::<G>::UNUSED {
            self.unused.extend(state);
        }
    }

    fn capture(&mut self) -> State<G> {
        match self.unused.pop() {
            Some(mut state) => {
                self.simulation.capture_into(&mut state);
                state
            }
            None => self.simulation.capture(),
        }
    }
}

/// The threads of a search. With one thread, and on wasm, the work runs in the calling thread.
pub(crate) struct Pool {
    #[cfg(not(target_family = "wasm"))]
    pool: Option<rayon::ThreadPool>,
}

#[cfg(not(target_family = "wasm"))]
impl Pool {
    pub(crate) fn new(threads: usize) -> Result<Pool, SearchError> {
        if threads == 1 {
            return Ok(Pool { pool: None });
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.min(MAX_BATCH)).build();
        Ok(Pool { pool: Some(pool.map_err(|_| SearchError::Threads { threads })?) })
    }

    pub(crate) fn threads(&self) -> usize {
        self.pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }

    /// Calls `work` with each share, all at the same time.
    fn each<T: Send>(&self, shares: Vec<T>, work: impl Fn(T) + Send + Sync) {
        use rayon::prelude::*;
        match &self.pool {
            None => shares.into_iter().for_each(work),
            Some(pool) => pool.install(|| shares.into_par_iter().for_each(work)),
        }
    }
}

#[cfg(target_family = "wasm")]
impl Pool {
    pub(crate) fn new(_threads: usize) -> Result<Pool, SearchError> {
        Ok(Pool {})
    }

    pub(crate) fn threads(&self) -> usize {
        1
    }

    fn each<T>(&self, shares: Vec<T>, work: impl Fn(T)) {
        shares.into_iter().for_each(work);
    }
}
