//! Graph of the states of a level: each state leads to those that its inputs reach.

use super::{Place, PlaceKind, floor_heights};
use crate::answer::Limit;
use crate::cell::{CELL_SIZES, Surroundings};
use crate::frontier::WAITING_BYTES;
use crate::goal::Targets;
use crate::moves::{Move, Moves};
use crate::options::Progress;
use crate::search::Search;
use crate::simulation::{Kept, Simulation};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::{BTreeSet, VecDeque};
use std::time::{Duration, Instant};
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
pub(super) struct Seen {
    low: (i32, i32),
    width: i32,
    /// How the character was in each cell of the map, row by row: [`OVERLAPPED`] and [`STOOD`].
    cells: Vec<u8>,
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
            cells: vec![0; width as usize * height as usize],
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
            PlaceKind::StandingCell => self.cell_index(place.cell()).is_some_and(|i| self.cells[i] & STOOD != 0),
        }
    }

    /// Returns the memory of the cells in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        self.cells.len()
    }

    /// Returns the cells that the box around the character overlapped.
    pub(super) fn overlapped_cells(&self) -> BTreeSet<(i32, i32)> {
        let overlapped = self.cells.iter().enumerate().filter(|(_, how)| **how & OVERLAPPED != 0);
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

    fn mark_cell(&mut self, cell: (i32, i32), how: u8) {
        if let Some(i) = self.cell_index(cell) {
            self.cells[i] |= how;
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
        // The feet may be inside the cell of a tile whose floor is low or slopes. Then the cell above it is the standing cell.
        let is_on_floor_of = |tile| {
            let heights = floor_heights(world, tile);
            heights.is_some_and(|(lowest, highest)| (lowest - CONTACT..=highest + CONTACT).contains(&feet))
        };
        for x in low.x..high.x {
            for y in low.y..high.y {
                self.mark_cell((x, y), OVERLAPPED);
            }
            if state.on_floor() {
                self.mark_cell((x, low.y + i32::from(is_on_floor_of((x, low.y)))), STOOD);
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
    fn leads_flag_mut(&mut self) -> &mut bool {
        &mut self.leads
    }

    fn open_flag_mut(&mut self) -> &mut bool {
        &mut self.is_open
    }
}

/// Memory of a state in a graph in bytes, without the waiting state: its node, its cell, and the edges that lead to it. Lists
/// grow by doubling, during which the old and the new list exist.
const NODE_BYTES: usize = 3 * (24 + 2 * 16);
const EDGE_BYTES: usize = 3 * 8;
/// Memory of a position in which the character stood, in the sets of [`Locks`](super::Locks).
const POSITION_BYTES: usize = 3 * 16;
const _: () = assert!(size_of::<Found>() <= 24 && size_of::<(u64, u32)>() <= 16);

/// States of one pass, and the ways between them.
pub(super) struct Graph {
    nodes: Vec<Found>,
    /// Pairs of states: the second one follows the first one.
    edges: Vec<(u32, u32)>,
}

impl Graph {
    /// Returns the memory of the lists in bytes.
    fn memory_bytes(&self) -> usize {
        self.nodes.len() * (NODE_BYTES + POSITION_BYTES) + self.edges.len() * EDGE_BYTES
    }

    /// Returns all states, each with what can be reached from it.
    pub(super) fn into_marked_states(mut self) -> Vec<Found> {
        // Sort the edges by their ends, so that they can be followed backwards.
        let mut edges = std::mem::take(&mut self.edges);
        edges.sort_unstable_by_key(|&(from, to)| (to, from));
        for flag in [Found::leads_flag_mut, Found::open_flag_mut] {
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

/// Plays the level from the start, and makes a graph of the states.
pub(super) struct Explorer<'s, 'a, G> {
    pub(super) search: &'s Search<'a, G>,
    pub(super) targets: &'s Targets<'a, G>,
    pub(super) moves: Moves,
    pub(super) surroundings: Surroundings,
    /// Region outside of which a body counts as lost.
    pub(super) region: (DVec2, DVec2),
    pub(super) simulation: Simulation<G>,
    pub(super) seen: Seen,
    pub(super) begin: Option<(Instant, Duration)>,
    /// Number of states found in all passes so far.
    pub(super) before: usize,
    /// Memory of everything but the states of a pass, in bytes.
    pub(super) bytes: usize,
}

impl<G: Clone + Serialize + Send + Sync> Explorer<'_, '_, G> {
    /// Plays everything from the start, with the cells of index `number` in [`CELL_SIZES`]. Returns the limit that ended
    /// it early.
    pub(super) fn explore(&mut self, number: usize) -> (Graph, Option<Limit>) {
        let mut graph = Graph { nodes: Vec::new(), edges: Vec::new() };
        self.simulation = self.search.simplified_simulation();
        let state_bytes = WAITING_BYTES + self.simulation.game_bytes();
        let (mut parent, mut snapshot) = (self.simulation.world.capture(), self.simulation.world.capture());
        let mut arena = SnapshotArena::default();
        let mut known: FxHashMap<u64, u32> = FxHashMap::default();
        let mut waiting: VecDeque<Kept<G>> = VecDeque::from([self.store_state(&mut arena, &mut snapshot)]);
        let Some(cell) = self.state_cell(number) else { return (graph, None) };
        known.insert(cell, 0);
        graph.nodes.extend(self.current_state());
        self.seen.mark_reached(&self.simulation.world, self.search.body);
        let (mut moves, mut next, mut limit) = (Vec::new(), 0, None);
        while let Some(state) = waiting.pop_front() {
            limit = limit.or_else(|| {
                self.passed_limit(self.bytes + graph.memory_bytes() + waiting.len() * state_bytes + arena.bytes())
            });
            if limit.is_some() {
                // Mark the states that were found and not continued.
                graph.nodes[next..].iter_mut().for_each(|node| node.is_open = true);
                break;
            }
            arena.copy_to(state.snapshot, &mut parent);
            arena.remove(state.snapshot);
            self.simulation.restore_state(&parent, &state.game, state.memory);
            self.moves.list_moves(&self.simulation, &self.surroundings, &CELL_SIZES[number], &mut moves);
            for &by in &moves {
                self.simulation.restore_state(&parent, &state.game, state.memory);
                graph.nodes[next].leads |= self.play_move_and_check_goal(by);
                let (Some(cell), Some(node)) = (self.state_cell(number), self.current_state()) else { continue };
                let count = graph.nodes.len() as u32;
                let at = known.get(&cell).copied().unwrap_or(count);
                if at == count {
                    if self.before + graph.nodes.len() >= self.max_states() {
                        (limit, graph.nodes[next].is_open) = (Some(Limit::States), true);
                        continue;
                    }
                    known.insert(cell, count);
                    graph.nodes.push(node);
                    waiting.push_back(self.store_state(&mut arena, &mut snapshot));
                }
                graph.edges.push((next as u32, at));
            }
            next += 1;
            if next % REPORT == 0 {
                self.report_progress(number, graph.nodes.len(), waiting.len());
            }
        }
        self.before += graph.nodes.len();
        self.bytes += graph.nodes.len() * POSITION_BYTES;
        (graph, limit)
    }

    /// Copies the state now into the arena. `snapshot` is memory for it.
    fn store_state(&self, arena: &mut SnapshotArena, snapshot: &mut Snapshot) -> Kept<G> {
        self.simulation.world.capture_into(snapshot);
        Kept { snapshot: arena.add(snapshot), game: self.simulation.game.clone(), memory: self.simulation.memory }
    }

    /// Plays a move, and notes the cells, areas and markers that the character reaches. Returns whether it reaches the goal.
    fn play_move_and_check_goal(&mut self, by: Move) -> bool {
        let (mut reaches, mut mode) = (false, None);
        for _ in 0..by.ticks {
            reaches |= self.simulation.step_and_check_goal(by.input, self.targets);
            self.seen.mark_reached(&self.simulation.world, self.search.body);
            let now = self.simulation.hero().map(BodyState::mode);
            // A change of the mode, such as a landing, ends the move: other inputs may help there.
            if now.is_none() || mode.is_some() && mode != now {
                break;
            }
            mode = now;
        }
        self.seen.goal |= reaches;
        reaches
    }

    /// Returns the cell of the state now. `None` if the character is gone or lost.
    fn state_cell(&self, number: usize) -> Option<u64> {
        let at = self.simulation.position()?;
        let is_lost = at.cmplt(self.region.0).any() || at.cmpgt(self.region.1).any();
        let cell = self.surroundings.state_cell(&self.simulation, &CELL_SIZES[number]);
        cell.filter(|_| !is_lost)
    }

    fn current_state(&self) -> Option<Found> {
        let hero = self.simulation.hero()?;
        Some(Found { position: hero.position(), is_standing: hero.on_floor(), leads: false, is_open: false })
    }

    fn max_states(&self) -> usize {
        self.search.options.max_states.min(u32::MAX as usize)
    }

    fn passed_limit(&self, bytes: usize) -> Option<Limit> {
        if bytes > self.search.options.max_memory {
            Some(Limit::Memory)
        } else if self.begin.is_some_and(|(begin, limit)| begin.elapsed() >= limit) {
            Some(Limit::Time)
        } else {
            None
        }
    }

    fn report_progress(&self, level: usize, states: usize, waiting: usize) {
        if let Some(report) = self.search.progress {
            let position = self.search.world.get(self.search.body).map_or(Position::ORIGIN, BodyState::position);
            report(&Progress { states: self.before + states, waiting, distance: 0.0, position, level });
        }
    }
}
