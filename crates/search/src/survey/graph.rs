//! Graph of the states of a level: each state leads to those that its inputs reach.

use super::{Place, PlaceKind, floor_heights};
use crate::answer::Limit;
use crate::cell::{CELL_SIZES, Surroundings};
use crate::frontier::WAITING_BYTES;
use crate::goal::Targets;
use crate::moves::{Move, Moves};
use crate::options::Progress;
use crate::pass::{Begin, Worker, batch_size, is_time_up};
use crate::pool::Pool;
use crate::search::Search;
use crate::simulation::{Kept, Memory, Simulation};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use surefoot::World;
use surefoot::area::AreaId;
use surefoot::geometry::{DVec2, Position};
use surefoot::prelude::{BodyId, BodyState};
use surefoot::snapshot::{Snapshot, SnapshotArena};

/// Least number of states between two reports of progress.
const REPORT: usize = 1 << 12;

/// Greatest overlap in tiles that counts as contact.
const CONTACT: f64 = 1e-6;

/// The box around the character overlapped the cell.
const OVERLAPPED: u8 = 1;
/// The character stood in the cell, on the tile below it or on a slope.
const STOOD: u8 = 2;

/// Everything that a survey has reached so far.
#[derive(Clone)]
pub(super) struct Seen {
    low: (i32, i32),
    width: i32,
    /// How the character was in each cell of the map, row by row: [`OVERLAPPED`] and [`STOOD`]. All threads share the
    /// list. Flags are only added, so their order does not matter.
    cells: Arc<[AtomicU8]>,
    areas: BTreeSet<AreaId>,
    markers: BTreeSet<(i32, i32)>,
    /// Positions of the markers that were not reached yet.
    missing: Vec<DVec2>,
    pub(super) goal: bool,
}

/// Returns the cell at a point.
fn cell_at(at: DVec2) -> (i32, i32) {
    (at.x.floor() as i32, at.y.floor() as i32)
}

impl Seen {
    pub(super) fn new(world: &World, places: &[Place]) -> Seen {
        let (low, (width, height)) = (world.map().origin(), world.map().size());
        let markers = places.iter().filter(|place| matches!(place.kind, PlaceKind::Marker(_)));
        Seen {
            low,
            width: width as i32,
            cells: (0..width as usize * height as usize).map(|_| AtomicU8::new(0)).collect(),
            areas: BTreeSet::new(),
            markers: BTreeSet::new(),
            missing: markers.map(|place| place.low).collect(),
            goal: false,
        }
    }

    /// Returns whether a place was reached.
    pub(super) fn has_reached(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Area(id, _) => self.areas.contains(id),
            PlaceKind::Marker(_) => self.markers.contains(&cell_at(place.low)),
            PlaceKind::StandingCell => {
                self.cell_index(place.cell()).is_some_and(|i| self.cells[i].load(Relaxed) & STOOD != 0)
            }
        }
    }

    /// Adds what another thread has reached.
    fn merge(&mut self, other: &Seen) {
        self.areas.extend(&other.areas);
        self.markers.extend(&other.markers);
        self.missing.retain(|marker| other.missing.contains(marker));
        self.goal |= other.goal;
    }

    /// Returns the memory of the cells in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        self.cells.len()
    }

    /// Returns the cells that the box around the character overlapped.
    pub(super) fn overlapped_cells(&self) -> BTreeSet<(i32, i32)> {
        let overlapped = self.cells.iter().enumerate().filter(|(_, how)| how.load(Relaxed) & OVERLAPPED != 0);
        overlapped.map(|(i, _)| (self.low.0 + i as i32 % self.width, self.low.1 + i as i32 / self.width)).collect()
    }

    fn cell_index(&self, (x, y): (i32, i32)) -> Option<usize> {
        let (x, y) = (x.checked_sub(self.low.0)?, y.checked_sub(self.low.1)?);
        if !(0..self.width).contains(&x) || y < 0 {
            return None;
        }
        let i = y as usize * self.width as usize + x as usize;
        (i < self.cells.len()).then_some(i)
    }

    /// Adds the flags `OVERLAPPED` or `STOOD` to a cell of the map.
    fn add_cell_flags(&mut self, cell: (i32, i32), flags: u8) {
        // Most flags are set already, and reading is cheaper than writing to memory that threads share.
        if let Some(i) = self.cell_index(cell)
            && self.cells[i].load(Relaxed) & flags != flags
        {
            self.cells[i].fetch_or(flags, Relaxed);
        }
    }

    /// Notes everything at which the character is after a tick.
    fn mark_reached(&mut self, world: &World, body: BodyId) {
        let Some(state) = world.get(body) else { return };
        self.areas.extend(world.areas_of(body));
        let (at, half) = (state.position().to_dvec2(), state.shape().half_extents());
        // Contact is not overlap: a box that stands on y = 1 is not in the cells below.
        let inner = half - CONTACT;
        let (low, high) = ((at - inner).floor().as_ivec2(), (at + inner).ceil().as_ivec2());
        let feet = at.y - half.y;
        // A standing cell is the empty cell above a tile with a floor. On a low or sloping floor, such as that of half
        // a block, the feet are inside the cell of the tile itself. Then mark the cell above it.
        let is_on_floor_of = |tile| {
            let heights = floor_heights(world, tile);
            heights.is_some_and(|(lowest, highest)| (lowest - CONTACT..=highest + CONTACT).contains(&feet))
        };
        for x in low.x..high.x {
            for y in low.y..high.y {
                self.add_cell_flags((x, y), OVERLAPPED);
            }
            if state.on_floor() {
                self.add_cell_flags((x, low.y + i32::from(is_on_floor_of((x, low.y)))), STOOD);
            }
        }
        let markers = &mut self.markers;
        self.missing.retain(|&marker| {
            let is_here = (marker - at).abs().cmplt(half).all();
            if is_here {
                markers.insert(cell_at(marker));
            }
            !is_here
        });
    }
}

/// A state of a level, as a survey reports it.
pub(super) struct Found {
    pub(super) position: Position,
    pub(super) is_standing: bool,
    /// A way leads from the state to the goal.
    pub(super) leads: bool,
    /// A way leads from the state to a state that was not continued.
    pub(super) is_open: bool,
}

impl Found {
    fn leads_to_goal_mut(&mut self) -> &mut bool {
        &mut self.leads
    }

    fn leads_to_open_state_mut(&mut self) -> &mut bool {
        &mut self.is_open
    }
}

/// Memory of a state in a graph in bytes, without the waiting state: its node, its cell, and the edges that lead to it.
/// Lists grow by doubling, during which the old and the new list exist.
const NODE_BYTES: usize = 3 * (24 + 2 * 16);
const EDGE_BYTES: usize = 3 * 8;
/// Memory of a position in which the character stood, in the sets of [`Locks`](super::Locks).
const POSITION_BYTES: usize = 3 * 16;
const _: () = assert!(size_of::<Found>() <= 24 && size_of::<(u64, u32)>() <= 16);

/// States of one pass, and the ways between them.
pub(super) struct Graph<G> {
    nodes: Vec<Found>,
    /// Pairs of states: the second one follows the first one.
    edges: Vec<(u32, u32)>,
    /// The state of each cell. Nothing iterates over this map.
    known: FxHashMap<u64, u32>,
    /// States that are still to be continued, in the order in which they were found.
    waiting: VecDeque<Kept<G>>,
    /// Snapshots of the waiting states.
    arena: SnapshotArena,
    /// Memory of the game's state that belongs to a waiting state, in bytes.
    game_bytes: usize,
}

impl<G> Graph<G> {
    fn new(game_bytes: usize) -> Graph<G> {
        Graph {
            nodes: Vec::new(),
            edges: Vec::new(),
            known: FxHashMap::default(),
            waiting: VecDeque::new(),
            arena: SnapshotArena::default(),
            game_bytes,
        }
    }

    /// Returns the memory of the lists in bytes.
    fn memory_bytes(&self) -> usize {
        let waiting = self.waiting.len() * (WAITING_BYTES + self.game_bytes) + self.arena.bytes();
        self.nodes.len() * (NODE_BYTES + POSITION_BYTES) + self.edges.len() * EDGE_BYTES + waiting
    }

    /// Adds a state in a new cell.
    fn add_state(&mut self, cell: u64, node: Found, snapshot: &Snapshot, game: G, memory: Memory) {
        self.known.insert(cell, self.nodes.len() as u32);
        self.nodes.push(node);
        self.waiting.push_back(Kept { snapshot: self.arena.add(snapshot), game, memory });
    }

    /// Marks the states from index `first` on as found and not continued.
    fn mark_states_as_open(&mut self, first: usize) {
        self.nodes[first..].iter_mut().for_each(|node| node.is_open = true);
    }

    /// Returns all states, each with what can be reached from it.
    fn spread_flags_backwards_and_take_states(mut self) -> Vec<Found> {
        // Sort the edges by their ends, so that they can be followed backwards.
        let mut edges = std::mem::take(&mut self.edges);
        edges.sort_unstable_by_key(|&(from, to)| (to, from));
        for flag in [Found::leads_to_goal_mut, Found::leads_to_open_state_mut] {
            let mut open: Vec<u32> = (0..self.nodes.len() as u32).collect();
            open.retain(|&node| *flag(&mut self.nodes[node as usize]));
            while let Some(node) = open.pop() {
                let first = edges.partition_point(|&(_, to)| to < node);
                for &(from, _) in edges[first..].iter().take_while(|&&(_, to)| to == node) {
                    if !std::mem::replace(flag(&mut self.nodes[from as usize]), true) {
                        open.push(from);
                    }
                }
            }
        }
        self.nodes
    }
}

/// Result of a move from a state.
struct Outcome<G> {
    reaches_goal: bool,
    /// The state after the move. `None` if the character is gone or lost.
    child: Option<Child<G>>,
}

/// A state after a move.
struct Child<G> {
    cell: u64,
    node: Found,
    /// The state itself, in the arena of the thread. `None` if its cell was known before the batch.
    state: Option<Kept<G>>,
}

/// A thread of the survey, and everything that it has reached.
pub(super) struct Surveyor<G> {
    worker: Worker<G>,
    pub(super) seen: Seen,
}

/// States that one thread continues, each with the list for the outcomes of its moves.
type Share<'a, G> = Vec<(&'a Kept<G>, &'a mut Vec<Outcome<G>>)>;

/// Tests moves, in all threads at the same time.
pub(super) struct MoveTester<'s, 'a, G> {
    pub(super) body: BodyId,
    pub(super) targets: &'s Targets<'a, G>,
    pub(super) moves: Moves,
    pub(super) surroundings: Surroundings,
    /// Region outside of which a body counts as lost.
    pub(super) region: (DVec2, DVec2),
    pub(super) begin: Begin,
}

impl<G: Clone + Serialize + Send + Sync> MoveTester<'_, '_, G> {
    /// Tries the moves of a state.
    fn play_moves(
        &self,
        number: usize,
        surveyor: &mut Surveyor<G>,
        graph: &Graph<G>,
        state: &Kept<G>,
        outcomes: &mut Vec<Outcome<G>>,
    ) {
        let Surveyor { worker, seen } = surveyor;
        let Worker { simulation, arena, parent, snapshot, moves, .. } = worker;
        graph.arena.copy_to(state.snapshot, parent);
        simulation.restore_state(parent, &state.game, state.memory);
        self.moves.list_moves(simulation, &self.surroundings, &CELL_SIZES[number], moves);
        for &by in moves.iter() {
            if is_time_up(self.begin) {
                return;
            }
            simulation.restore_state(parent, &state.game, state.memory);
            let reaches_goal = self.play_move_and_check_goal(simulation, seen, by);
            let child = self.state_cell_unless_lost(simulation, number).zip(node_of_current_state(simulation)).map(
                |(cell, node)| {
                    let is_new = !graph.known.contains_key(&cell);
                    let state = is_new.then(|| {
                        simulation.world.capture_into(snapshot);
                        let (game, memory) = (simulation.game.clone(), simulation.memory);
                        Kept { snapshot: arena.add(snapshot), game, memory }
                    });
                    Child { cell, node, state }
                },
            );
            outcomes.push(Outcome { reaches_goal, child });
        }
    }

    /// Plays a move, and notes the cells, areas and markers that the character reaches. Returns whether it reaches the
    /// goal.
    fn play_move_and_check_goal(&self, simulation: &mut Simulation<G>, seen: &mut Seen, by: Move) -> bool {
        let (mut reaches, mut mode) = (false, None);
        for _ in 0..by.ticks {
            reaches |= simulation.step_and_check_goal(by.input, self.targets);
            seen.mark_reached(&simulation.world, self.body);
            let now = simulation.hero().map(BodyState::mode);
            // A change of the mode, such as a landing, ends the move: other inputs may help there.
            if now.is_none() || mode.is_some() && mode != now {
                break;
            }
            mode = now;
        }
        seen.goal |= reaches;
        reaches
    }

    /// Returns the cell of a state. `None` if the character is gone or lost.
    fn state_cell_unless_lost(&self, simulation: &Simulation<G>, number: usize) -> Option<u64> {
        let at = simulation.position()?;
        let is_lost = at.cmplt(self.region.0).any() || at.cmpgt(self.region.1).any();
        let cell = self.surroundings.state_cell(simulation, &CELL_SIZES[number]);
        cell.filter(|_| !is_lost)
    }
}

/// Plays the level from the start, and makes a graph of the states.
///
/// States are continued in batches whose size does not depend on the number of threads, and the outcomes are added in
/// the batch's order. So any number of threads makes the same graph.
pub(super) struct Explorer<'s, 'a, G> {
    pub(super) search: &'s Search<'a, G>,
    pub(super) tester: MoveTester<'s, 'a, G>,
    /// Number of states found in all passes so far.
    pub(super) before: usize,
    /// Memory of everything but the states of a pass, in bytes.
    pub(super) bytes: usize,
}

impl<G: Clone + Serialize + Send + Sync> Explorer<'_, '_, G> {
    /// Creates a surveyor for each thread of the pool. None has reached anything yet.
    pub(super) fn create_surveyors(&self, pool: &Pool, seen: Seen) -> Vec<Surveyor<G>> {
        let seen = std::iter::repeat_n(seen, pool.threads());
        seen.map(|seen| Surveyor { worker: Worker::new(self.search), seen }).collect()
    }

    /// Plays everything from the start, with the cells of index `number` in [`CELL_SIZES`]. Returns the states, and the
    /// limit that ended it early. Afterwards, `surveyors[0].seen` contains everything that any of them has reached.
    pub(super) fn explore(
        &mut self,
        number: usize,
        pool: &Pool,
        surveyors: &mut [Surveyor<G>],
    ) -> (Vec<Found>, Option<Limit>) {
        let start = self.search.simplified_simulation();
        let mut graph = Graph::new(start.game_bytes());
        if let (Some(cell), Some(node)) =
            (self.tester.state_cell_unless_lost(&start, number), node_of_current_state(&start))
        {
            surveyors[0].seen.mark_reached(&start.world, self.search.body);
            if self.before >= self.search.options.max_states {
                return (Vec::new(), Some(Limit::States));
            }
            graph.add_state(cell, node, &start.world.capture(), start.game.clone(), start.memory);
        }
        // The states of the batch count too, so one more for each.
        let children_bytes = (self.tester.moves.max_moves() + 1) * surveyors[0].worker.child_bytes;
        let (mut batch, mut outcomes) = (Vec::new(), Vec::new());
        // Number of states that were continued, and that number at the last report.
        let (mut next, mut reported) = (0, 0);
        let mut limit = None;
        while !graph.waiting.is_empty() {
            let count = batch_size(graph.nodes.len(), children_bytes, self.search.options.max_memory);
            let batch_bytes = count * children_bytes;
            limit = limit.or_else(|| self.limit_exceeded_by_more_states(0, &graph, batch_bytes));
            if limit.is_none() {
                batch.extend(graph.waiting.drain(..count.min(graph.waiting.len())));
                outcomes.resize_with(batch.len(), Vec::new);
                self.play_batch(number, pool, surveyors, &graph, &batch, &mut outcomes);
                // After the limit of time, the batch may be incomplete, so drop it.
                limit = is_time_up(self.tester.begin).then_some(Limit::Time);
            }
            if limit.is_some() {
                graph.mark_states_as_open(next);
                break;
            }
            for (i, state) in batch.drain(..).enumerate() {
                graph.arena.remove(state.snapshot);
                let worker = &mut surveyors[i % pool.threads()].worker;
                for outcome in outcomes[i].drain(..) {
                    graph.nodes[next].leads |= outcome.reaches_goal;
                    let Some(child) = outcome.child else { continue };
                    let passed = self.add_child(&mut graph, next, child, worker, batch_bytes);
                    limit = limit.or(passed);
                }
                next += 1;
            }
            if next >= reported + REPORT {
                reported = next;
                self.report_progress(number, &graph);
            }
        }
        let (first, others) = surveyors.split_at_mut(1);
        others.iter().for_each(|other| first[0].seen.merge(&other.seen));
        self.before += graph.nodes.len();
        self.bytes += graph.nodes.len() * POSITION_BYTES;
        (graph.spread_flags_backwards_and_take_states(), limit)
    }

    /// Tries the moves of each state of the batch. Thread i takes the states i, i + threads and so on.
    fn play_batch(
        &self,
        number: usize,
        pool: &Pool,
        surveyors: &mut [Surveyor<G>],
        graph: &Graph<G>,
        batch: &[Kept<G>],
        outcomes: &mut [Vec<Outcome<G>>],
    ) {
        let threads = surveyors.len();
        let mut shares: Vec<Share<'_, G>> = Vec::new();
        shares.resize_with(threads, Vec::new);
        for (i, pair) in batch.iter().zip(outcomes).enumerate() {
            shares[i % threads].push(pair);
        }
        let tester = &self.tester;
        pool.for_each_share(surveyors.iter_mut().zip(shares).collect(), |(surveyor, share)| {
            for (state, outcomes) in share {
                tester.play_moves(number, surveyor, graph, state, outcomes);
            }
        });
    }

    /// Adds a state that follows from the state of index `from`, or only the way to it if its cell is known. Returns
    /// the limit that keeps the state out.
    fn add_child(
        &self,
        graph: &mut Graph<G>,
        from: usize,
        child: Child<G>,
        worker: &mut Worker<G>,
        batch_bytes: usize,
    ) -> Option<Limit> {
        let Child { cell, node, state } = child;
        let known = graph.known.get(&cell).copied();
        let limit = if known.is_none() { self.limit_exceeded_by_more_states(1, graph, batch_bytes) } else { None };
        if limit.is_some() {
            graph.nodes[from].is_open = true;
        } else {
            graph.edges.push((from as u32, known.unwrap_or(graph.nodes.len() as u32)));
        }
        if let Some(state) = state {
            if known.is_none() && limit.is_none() {
                worker.arena.copy_to(state.snapshot, &mut worker.snapshot);
                graph.add_state(cell, node, &worker.snapshot, state.game, state.memory);
            }
            worker.arena.remove(state.snapshot);
        }
        limit
    }

    /// Returns the limit that `more` states would pass, while a batch takes `batch_bytes`.
    fn limit_exceeded_by_more_states(&self, more: usize, graph: &Graph<G>, batch_bytes: usize) -> Option<Limit> {
        let options = &self.search.options;
        if self.before + graph.nodes.len() + more > options.max_states.min(u32::MAX as usize) {
            Some(Limit::States)
        } else if self.bytes + batch_bytes + graph.memory_bytes() > options.max_memory {
            Some(Limit::Memory)
        } else {
            None
        }
    }

    fn report_progress(&self, level: usize, graph: &Graph<G>) {
        if let Some(report) = self.search.progress {
            let position = self.search.world.get(self.search.body).map_or(Position::ORIGIN, BodyState::position);
            let states = self.before + graph.nodes.len();
            report(&Progress { states, waiting: graph.waiting.len(), distance: 0.0, position, level });
        }
    }
}

fn node_of_current_state<G: Clone>(simulation: &Simulation<G>) -> Option<Found> {
    let hero = simulation.hero()?;
    Some(Found { position: hero.position(), is_standing: hero.on_floor(), leads: false, is_open: false })
}
