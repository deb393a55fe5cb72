//! The states that one pass of a search has found, and the queue of those that it still has to continue.

use crate::moves::Move;
use crate::options::Options;
use crate::run::join_equal_inputs;
use crate::simulation::{Kept, Simulation};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use surefoot::geometry::Position;
use surefoot::prelude::BodyState;
use surefoot::replay::InputRun;
use surefoot::snapshot::{Snapshot, SnapshotArena};
use xxhash_rust::xxh64::xxh64;

/// A found state, without the state itself.
#[derive(Clone, Copy)]
struct Node {
    /// Index of the state from which this one was reached. [`ROOT`] for the first state.
    parent: u32,
    /// Ticks since the start of the search.
    ticks: u32,
    /// Input that led here from the parent, and its ticks.
    by: Move,
}

/// Number of ticks in a layer of time.
const LAYER_TICKS: u32 = 6;

/// A beam search continues a limited number of states of each layer of time.
struct BeamSearch {
    /// Maximum number of states that are continued in each layer.
    width: usize,
    /// States with at least this many ticks are dropped.
    cutoff: u32,
    /// Layer of the last state that was taken, and how many were taken of it.
    last_layer: (u64, usize),
    /// Whether a state was dropped because its layer was full.
    has_dropped: bool,
}

impl BeamSearch {
    fn new(width: usize, cutoff: u32) -> BeamSearch {
        BeamSearch { width, cutoff, last_layer: (0, 0), has_dropped: false }
    }

    /// Returns the layer of time of a state that is reached after `ticks` ticks.
    fn time_layer_of_ticks(ticks: u32) -> u64 {
        u64::from(ticks / LAYER_TICKS)
    }

    /// Counts a taken state in its layer. Returns whether the search continues the state, or drops it because the layer
    /// is full.
    fn count_state_unless_layer_is_full(&mut self, ticks: u32) -> bool {
        let layer = BeamSearch::time_layer_of_ticks(ticks);
        let (last, count) = self.last_layer;
        self.last_layer = (layer, if layer == last { count + 1 } else { 1 });
        let fits = self.last_layer.1 <= self.width;
        self.has_dropped |= !fits;
        fits
    }
}

const ROOT: u32 = u32::MAX;

/// Bytes of a found state in all lists: its node, and its entries in the queues and in the maps of cells and kinds. The
/// lists grow by doubling, during which the old and the new list exist. The number is the same on all targets.
const NODE_BYTES: usize = 3 * (20 + 24 + 16 + 2 * (16 + 16));
const _: () = assert!(size_of::<Node>() <= 20 && size_of::<Waiting>() <= 24 && size_of::<(u64, u32)>() <= 16);
const _: () = assert!(size_of::<Rare>() <= 16);

/// Bytes of a waiting state in the list of states, which doubles when it grows. Its snapshot and the memory of the
/// game's state are counted elsewhere.
pub(crate) const WAITING_BYTES: usize = 3 * 48;
const _: () = assert!(size_of::<Option<(u32, Kept<()>)>>() <= 48);

/// Entry of the queue: rank, order among equal ranks, index of the node, index of the stored state.
///
/// The rank is the estimated ticks of the whole run in sixteenths, with the weight of the options. In a beam search,
/// its upper bits are the layer of time.
type Waiting = Reverse<(u64, u32, u32, u32)>;

/// Entry of the queue of rare states: number of earlier states of the same kind, rank, index of the node, index of the
/// stored state.
type Rare = Reverse<(u32, u32, u32, u32)>;

/// A search that finds this number of states without coming nearer to the goal is stuck. Every second state that it
/// continues is then a rare one: the estimate may lead into a dead end, or the character must wait for a platform or go
/// back first.
const STUCK_STATES: usize = 1024;

/// A state that a thread has reached from another state.
pub(crate) struct Child<G> {
    pub(crate) by: Move,
    pub(crate) cell: u64,
    /// See [`Surroundings::cell_and_coarse_kind`](crate::cell::Surroundings::cell_and_coarse_kind).
    pub(crate) kind: u64,
    /// Estimated ticks to the goal, or to the end of the guide.
    pub(crate) estimate: f64,
    /// Estimated distance to the goal in tiles.
    pub(crate) distance: f64,
    pub(crate) position: Position,
    pub(crate) is_goal: bool,
    pub(crate) state: Kept<G>,
}

/// A state taken from the queue.
pub(crate) struct Taken<G> {
    pub(crate) node: u32,
    pub(crate) ticks: u32,
    pub(crate) state: Kept<G>,
}

/// States that one pass of a search has found.
pub(crate) struct Frontier<G> {
    nodes: Vec<Node>,
    /// For each cell, the ticks of the first or fastest state in it. Nothing iterates over this map.
    seen: FxHashMap<u64, u32>,
    queue: BinaryHeap<Waiting>,
    /// Second queue of the waiting states. It begins with states of the kinds that have the fewest states. Empty if the
    /// search takes no rare states.
    rare: BinaryHeap<Rare>,
    /// Number of states of each kind. Nothing iterates over this map.
    kinds: FxHashMap<u64, u32>,
    /// Slots of the waiting states, each with its node. Slots are reused: a queue entry whose node differs from the
    /// slot's node is outdated.
    states: Vec<Option<(u32, Kept<G>)>>,
    free: Vec<u32>,
    /// Snapshots of the waiting states.
    arena: SnapshotArena,
    /// Memory of the game's state that belongs to a waiting state, in bytes.
    game_bytes: usize,
    weight: f64,
    seed: u64,
    /// `None`: no layers; all states are continued in the order of their estimates.
    beam: Option<BeamSearch>,
    /// The node nearest to the goal, with its distance in tiles and its position.
    pub(crate) nearest: (u32, f64, Position),
    /// Whether the next state is taken from the queue of rare states, if the search is stuck.
    is_rare_next: bool,
}

impl<G: Clone + Serialize> Frontier<G> {
    pub(crate) fn new(first: &Simulation<G>, cell: u64, distance: f64, options: &Options) -> Frontier<G> {
        let mut arena = SnapshotArena::default();
        let snapshot = arena.add(&first.world.capture());
        let state = Kept { snapshot, game: first.game.clone(), memory: first.memory };
        let root = Node { parent: ROOT, ticks: 0, by: Move::default() };
        Frontier {
            nodes: vec![root],
            seen: FxHashMap::from_iter([(cell, 0)]),
            queue: BinaryHeap::from([Reverse((0, 0, 0, 0))]),
            rare: BinaryHeap::new(),
            kinds: FxHashMap::default(),
            states: vec![Some((0, state))],
            free: Vec::new(),
            arena,
            game_bytes: first.game_bytes(),
            weight: options.weight,
            seed: options.seed,
            beam: options.beam.map(|width| BeamSearch::new(width, u32::MAX)),
            nearest: (0, distance, first.hero().map_or(Position::ORIGIN, BodyState::position)),
            is_rare_next: false,
        }
    }

    /// Turns the search into a beam search that drops states of `ticks` ticks and more.
    pub(crate) fn begin_beam_search(&mut self, width: usize, ticks: u64, weight: f64) {
        self.beam = Some(BeamSearch::new(width, u32::try_from(ticks).unwrap_or(u32::MAX)));
        self.weight = weight;
    }

    /// Returns whether the beam has dropped a state. Otherwise a wider beam would find the same.
    pub(crate) fn has_dropped(&self) -> bool {
        self.beam.as_ref().is_some_and(|beam| beam.has_dropped)
    }

    pub(crate) fn state_count(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn waiting_count(&self) -> usize {
        self.states.len() - self.free.len()
    }

    /// Returns the memory of all states in bytes with `more` states, the same on all targets.
    pub(crate) fn memory_bytes_with(&self, more: usize) -> usize {
        let states = (self.states.len() + more) * (WAITING_BYTES + self.game_bytes);
        (self.nodes.len() + more) * NODE_BYTES + states + self.arena.bytes()
    }

    /// Copies the snapshot of a state into an existing one. Returns `false` if there is none.
    pub(crate) fn try_copy_snapshot_to(&self, taken: &Taken<G>, into: &mut Snapshot) -> bool {
        self.arena.copy_to(taken.state.snapshot, into)
    }

    /// Removes the snapshot of a state that was continued.
    pub(crate) fn remove_snapshot(&mut self, taken: Taken<G>) {
        self.arena.remove(taken.state.snapshot);
    }

    /// Returns whether rare states come earlier if the search is stuck. With a weight of 1 or less, it looks for a
    /// short run, and takes the states in the order of their ticks and estimates.
    fn prefers_rare_states_when_stuck(&self) -> bool {
        self.beam.is_none() && self.weight > 1.0
    }

    /// Returns whether the search has not come nearer to the goal for many states.
    fn is_stuck(&self) -> bool {
        self.prefers_rare_states_when_stuck() && self.nodes.len() - self.nearest.0 as usize > STUCK_STATES
    }

    /// Takes up to `count` states, the most promising first. If the search is stuck, every second one is a rare one.
    pub(crate) fn take_most_promising(&mut self, count: usize, batch: &mut Vec<Taken<G>>) {
        let is_stuck = self.is_stuck();
        while batch.len() < count {
            let next = if is_stuck && self.is_rare_next {
                self.rare.pop().map(|Reverse((_, _, node, slot))| (node, slot))
            } else {
                self.queue.pop().map(|Reverse((_, _, node, slot))| (node, slot))
            };
            let Some((node, slot)) = next else { break };
            // A state that was taken from one queue is still in the other one.
            let Some((_, state)) = self.states[slot as usize].take_if(|(waiting, _)| *waiting == node) else {
                continue;
            };
            self.is_rare_next = !self.is_rare_next;
            self.free.push(slot);
            let ticks = self.nodes[node as usize].ticks;
            if self.beam.as_mut().is_some_and(|beam| !beam.count_state_unless_layer_is_full(ticks)) {
                self.arena.remove(state.snapshot);
                continue;
            }
            batch.push(Taken { node, ticks, state });
        }
    }

    /// Returns whether a state reached after `ticks` ticks is early enough for the beam search.
    fn is_before_cutoff(&self, ticks: u32) -> bool {
        self.beam.as_ref().is_none_or(|beam| ticks < beam.cutoff)
    }

    /// Returns whether a state in this cell, reached after `ticks` ticks, is worth keeping.
    pub(crate) fn is_worth_keeping(&self, cell: u64, ticks: u32) -> bool {
        // With a weight above 1, the first state of a cell stays even if a faster one is found: such a search does
        // not look for the shortest run.
        self.is_before_cutoff(ticks) && self.seen.get(&cell).is_none_or(|&before| self.weight <= 1.0 && ticks < before)
    }

    /// Adds a child of `parent` if it is worth keeping. Returns its node if it is the goal.
    ///
    /// `from` has the child's snapshot. `snapshot` is memory for a copy.
    pub(crate) fn add_child(
        &mut self,
        parent: &Taken<G>,
        child: &Child<G>,
        from: &SnapshotArena,
        snapshot: &mut Snapshot,
    ) -> Option<u32> {
        let ticks = parent.ticks + child.by.ticks;
        let is_kept =
            if child.is_goal { self.is_before_cutoff(ticks) } else { self.is_worth_keeping(child.cell, ticks) };
        if !is_kept {
            return None;
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { parent: parent.node, ticks, by: child.by });
        if child.is_goal {
            return Some(node);
        }
        self.seen.insert(child.cell, ticks);
        if child.distance < self.nearest.1 {
            self.nearest = (node, child.distance, child.position);
        }
        from.copy_to(child.state.snapshot, snapshot);
        let state = &child.state;
        let state = Kept { snapshot: self.arena.add(snapshot), game: state.game.clone(), memory: state.memory };
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => {
                self.states.push(None);
                (self.states.len() - 1) as u32
            }
        };
        self.states[slot as usize] = Some((node, state));
        let whole = ((f64::from(ticks) + self.weight * child.estimate) * 16.0) as u64;
        // A beam search takes the states of one layer of time before those of the next.
        let layer = if self.beam.is_some() { BeamSearch::time_layer_of_ticks(ticks) << 38 } else { 0 };
        self.queue.push(Reverse((
            layer + whole.min((1 << 38) - 1),
            self.random_order_of_equal_states(node),
            node,
            slot,
        )));
        if self.prefers_rare_states_when_stuck() {
            let count = self.kinds.entry(child.kind).or_default();
            self.rare.push(Reverse((*count, u32::try_from(whole).unwrap_or(u32::MAX), node, slot)));
            *count += 1;
        }
        None
    }

    /// Returns the order among states of equal rank.
    fn random_order_of_equal_states(&self, node: u32) -> u32 {
        if self.seed == 0 {
            return node;
        }
        (xxh64(&node.to_le_bytes(), self.seed) >> 32) as u32
    }

    /// Returns the inputs that lead to a node.
    pub(crate) fn inputs_to(&self, node: u32) -> Vec<InputRun> {
        let mut moves = Vec::new();
        let mut at = node;
        while let Some(node) = self.nodes.get(at as usize).filter(|node| node.parent != ROOT) {
            moves.push(InputRun { ticks: node.by.ticks.into(), input: node.by.input });
            at = node.parent;
        }
        join_equal_inputs(moves.into_iter().rev())
    }
}
