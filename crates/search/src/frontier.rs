//! The states that one round of a search has found, and the queue of those that it still has to continue.

use crate::Limit;
use crate::moves::Move;
use crate::options::Options;
use crate::run::joined;
use crate::simulation::State;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use surefoot::replay::InputRun;
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

/// Number of ticks in a layer of time. A beam search continues a limited number of states of each layer.
const LAYER_TICKS: u32 = 6;

const ROOT: u32 = u32::MAX;

/// Bytes of a found state in all lists: its node, its place in the map of cells and in the queue. The lists grow by
/// doubling, during which the old and the new list exist.
const NODE_BYTES: usize = 3 * (size_of::<Node>() + size_of::<Waiting>() + 2 * size_of::<(u64, u32)>());

/// Entry of the queue: estimated ticks of the whole run, order among equal estimates, index of the node, index of the
/// stored state.
type Waiting = Reverse<(u64, u32, u32, u32)>;

/// A state that a thread has reached from another state.
pub(crate) struct Child<G> {
    pub(crate) by: Move,
    pub(crate) cell: u64,
    /// Estimated ticks to the goal.
    pub(crate) estimate: f64,
    /// Estimated distance to the goal, in tiles.
    pub(crate) distance: f64,
    pub(crate) is_goal: bool,
    pub(crate) state: State<G>,
}

/// A state taken from the queue.
pub(crate) struct Taken<G> {
    pub(crate) node: u32,
    pub(crate) ticks: u32,
    pub(crate) state: State<G>,
}

/// The states that one round of a search has found. A round uses cells of one fineness.
pub(crate) struct Frontier<G> {
    nodes: Vec<Node>,
    /// For each cell, the ticks of the first or fastest state in it. Nothing iterates over this map.
    seen: FxHashMap<u64, u32>,
    queue: BinaryHeap<Waiting>,
    states: Vec<Option<State<G>>>,
    free: Vec<u32>,
    weight: f64,
    seed: u64,
    /// States with at least this many ticks are dropped.
    cutoff: u32,
    /// Maximum number of states that are continued in each layer of time. `None`: no layers; all states are continued
    /// in the order of their estimates.
    beam: Option<usize>,
    /// Layer of the last state that was taken, and how many were taken of it.
    layer: (u64, usize),
    /// The node nearest to the goal, with its distance in tiles.
    pub(crate) nearest: (u32, f64),
}

impl<G> Frontier<G> {
    pub(crate) fn new(first: State<G>, cell: u64, distance: f64, options: &Options) -> Frontier<G> {
        let root = Node { parent: ROOT, ticks: 0, by: Move::default() };
        Frontier {
            nodes: vec![root],
            seen: FxHashMap::from_iter([(cell, 0)]),
            queue: BinaryHeap::from([Reverse((0, 0, 0, 0))]),
            states: vec![Some(first)],
            free: Vec::new(),
            weight: options.weight,
            seed: options.seed,
            cutoff: u32::MAX,
            beam: options.beam,
            layer: (0, 0),
            nearest: (0, distance),
        }
    }

    /// Turns the search into a beam search that drops states of `ticks` ticks and more.
    pub(crate) fn set_beam(&mut self, width: usize, ticks: u64) {
        self.beam = Some(width);
        self.cutoff = u32::try_from(ticks).unwrap_or(u32::MAX);
    }

    pub(crate) fn found(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Returns the memory of all states in bytes, if one waiting state takes `state_bytes`.
    pub(crate) fn bytes(&self, state_bytes: usize) -> usize {
        self.nodes.len() * NODE_BYTES + self.states.len() * (state_bytes + 2 * size_of::<Option<State<G>>>())
    }

    /// Takes up to `count` states, the most promising first.
    pub(crate) fn take(&mut self, count: usize, batch: &mut Vec<Taken<G>>) {
        while batch.len() < count
            && let Some(Reverse((_, _, node, slot))) = self.queue.pop()
        {
            let Some(state) = self.states[slot as usize].take() else { continue };
            self.free.push(slot);
            let ticks = self.nodes[node as usize].ticks;
            if let Some(beam) = self.beam {
                let layer = u64::from(ticks / LAYER_TICKS);
                self.layer = if layer == self.layer.0 { (layer, self.layer.1 + 1) } else { (layer, 1) };
                if self.layer.1 > beam {
                    continue;
                }
            }
            batch.push(Taken { node, ticks, state });
        }
    }

    /// Returns whether a state in this cell, reached after `ticks` ticks, is worth keeping.
    pub(crate) fn is_new(&self, cell: u64, ticks: u32) -> bool {
        // With a weight above 1, the first state of a cell stays even if a faster one is found: such a search does
        // not look for the shortest run.
        ticks < self.cutoff && self.seen.get(&cell).is_none_or(|&before| self.weight <= 1.0 && ticks < before)
    }

    /// Adds a child of `parent`. Returns its node if it has reached the goal, and its stored state if that is not
    /// needed any longer.
    pub(crate) fn add(&mut self, parent: &Taken<G>, child: Child<G>) -> (Option<u32>, Option<State<G>>) {
        let ticks = parent.ticks + child.by.ticks;
        let is_kept = if child.is_goal { ticks < self.cutoff } else { self.is_new(child.cell, ticks) };
        if !is_kept {
            return (None, Some(child.state));
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { parent: parent.node, ticks, by: child.by });
        if child.is_goal {
            return (Some(node), Some(child.state));
        }
        self.seen.insert(child.cell, ticks);
        if child.distance < self.nearest.1 {
            self.nearest = (node, child.distance);
        }
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => {
                self.states.push(None);
                (self.states.len() - 1) as u32
            }
        };
        self.states[slot as usize] = Some(child.state);
        let whole = ((f64::from(ticks) + self.weight * child.estimate) * 16.0) as u64;
        // A beam search takes the states of one layer of time before those of the next.
        let layer = if self.beam.is_some() { u64::from(ticks / LAYER_TICKS) << 38 } else { 0 };
        self.queue.push(Reverse((layer + whole.min((1 << 38) - 1), self.order(node), node, slot)));
        (None, None)
    }

    /// Returns the order among states with equal estimates.
    fn order(&self, node: u32) -> u32 {
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
        joined(moves.into_iter().rev())
    }

    /// Returns the limit that adding `more` states might exceed.
    pub(crate) fn limit(&self, options: &Options, before: usize, more: usize, state_bytes: usize) -> Option<Limit> {
        let states = before + self.nodes.len() + more;
        let bytes = self.bytes(state_bytes) + more * (NODE_BYTES + state_bytes);
        if states > options.max_states.min(ROOT as usize) {
            Some(Limit::States)
        } else if bytes > options.max_memory {
            Some(Limit::Memory)
        } else {
            None
        }
    }
}
