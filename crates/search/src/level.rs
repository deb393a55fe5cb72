//! Survey of a whole level: which markers, areas and standing places a character can reach, and from which places it
//! cannot get on.
//!
//! The survey plays every input for some ticks from every state that it finds, in the order in which it finds them.
//! Of states that are alike, it keeps only the first: in the same quarter of a tile, with about the same velocity. So
//! everything that it calls reachable was really reached. Where it found nothing, the [`Bound`] decides whether that
//! is proven.

use crate::bound::{Bound, NotCovered, Reach};
use std::collections::{BTreeMap, BTreeSet};
use surefoot::area::AreaId;
use surefoot::event::BodyId;
use surefoot::geometry::{DVec2, I64Vec2, ONE, Position};
use surefoot::snapshot::{SnapshotArena, SnapshotKey};
use surefoot::{Input, World};

/// Ticks for which each input is held.
const HELD_TICKS: usize = 6;

/// Whether a place can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The survey reached the place.
    Reachable,
    /// The survey did not reach the place. A longer search might.
    NotFound,
    /// The bound proves that no run reaches the place.
    Unreachable,
}

/// Kind of a place of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceKind {
    /// A marker of the map with its name. Its rectangle is its cell.
    Marker(String),
    /// An area with its id and tag.
    Area(AreaId, String),
    /// An empty cell above a tile.
    StandingCell,
}

/// A place of a level.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The kind of the place.
    pub kind: PlaceKind,
    /// Lower left corner of its rectangle, in tiles.
    pub low: DVec2,
    /// Upper right corner of its rectangle, in tiles.
    pub high: DVec2,
    /// Whether the character can touch the rectangle. For an area: whether it can be inside.
    pub verdict: Verdict,
}

/// A cell in which the character can stand, and from which no way leads to the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SoftLock {
    /// Column and row of the cell above the character's lower side.
    pub cell: (i32, i32),
    /// The bound proves it. Otherwise, only the survey found no way.
    pub is_proven: bool,
}

/// Result of [`survey`].
#[derive(Clone, Debug)]
pub struct Survey {
    /// Markers, areas and standing cells, in this order.
    pub places: Vec<Place>,
    /// Cells without a way to the target, by row and column.
    pub soft_locks: Vec<SoftLock>,
    /// Number of states that were kept.
    pub states: usize,
    /// No state was left when the survey ended. Otherwise, the limit of states ended it.
    pub is_complete: bool,
    /// The reason why the bound proves nothing here.
    pub not_covered: Option<NotCovered>,
}

/// Plays a level from the state of `world` on, with at most `max_states` kept states.
///
/// `target`: rectangle in tiles to which a way should lead from everywhere, such as the goal. With `None`, this is the
/// position of the body now. Only the engine is played, without the rules of a game.
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
/// use surefoot::{Map, World};
/// use surefoot_search::{PlaceKind, Verdict, survey};
///
/// let rows = [
///     "##########",
///     "#.......*#",
///     "#.......##",
///     "#.......##",
///     "#.......##",
///     "#.......##",
///     "#..@....##",
///     "####..####",
///     "####..####",
///     "####..####",
///     "####..####",
///     "##########",
/// ];
/// let mut world = World::new(Map::from_rows(rows)?, Settings::default());
/// let body = Body::new(Shape::aabb(0.35, 0.45)).at((3.5, 5.45)).character(Character::default());
/// let hero = world.spawn(body)?;
/// let survey = survey(&world, hero, None, 4000);
/// // The goal is 5 tiles up, and the pit 4 tiles deep. The jump is 3.2 tiles high.
/// let goal = survey.places.iter().find(|place| place.kind == PlaceKind::Marker("goal".into())).unwrap();
/// assert_eq!(goal.verdict, Verdict::Unreachable);
/// assert!(survey.soft_locks.iter().any(|lock| lock.cell == (4, 1) && lock.is_proven));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn survey(world: &World, body: BodyId, target: Option<(DVec2, DVec2)>, max_states: usize) -> Survey {
    let Some(state) = world.get(body) else {
        let not_covered = Some(NotCovered::UnknownBody);
        return Survey { places: Vec::new(), soft_locks: Vec::new(), states: 0, is_complete: true, not_covered };
    };
    let here = state.position().to_dvec2();
    let target = target.unwrap_or((here, here));
    let bound = Bound::new(world, body);
    let explored = Explored::new(world, body, target, max_states.max(1));
    let reach = bound.as_ref().ok().map(Bound::reach);
    let places = places_of(world).into_iter().map(|(kind, low, high)| {
        let verdict = explored.verdict(&kind, (low, high), reach.as_ref());
        Place { kind, low, high, verdict }
    });
    Survey {
        places: places.collect(),
        soft_locks: explored.soft_locks(bound.as_ref().ok(), target),
        states: explored.nodes.len(),
        is_complete: explored.is_complete,
        not_covered: bound.err(),
    }
}

/// Returns the places of a level with their rectangles.
fn places_of(world: &World) -> Vec<(PlaceKind, DVec2, DVec2)> {
    let cell = |(x, y): (i32, i32)| (DVec2::new(x.into(), y.into()), DVec2::new(x.into(), y.into()) + 1.0);
    let map = world.map();
    let markers = map.all_markers().map(|(name, at)| {
        let (low, high) = cell(at);
        (PlaceKind::Marker(name.to_string()), low, high)
    });
    let areas = world.areas().map(|(id, state)| {
        let ((low, high), at) = (state.area().shape.bounds_tiles(), state.position().to_dvec2());
        (PlaceKind::Area(id, state.area().tag.clone()), low + at, high + at)
    });
    let is_empty = |(x, y): (i32, i32)| {
        let variants = |layer: &usize| world.terrain().variant_at(*layer, (x, y)).is_some();
        !world.terrain().layers().iter().any(variants)
    };
    let ((left, bottom), (width, height)) = (map.origin(), map.size());
    let cells = (0..height as i32).flat_map(|y| (0..width as i32).map(move |x| (left + x, bottom + y)));
    let standing = cells.filter(|&(x, y)| is_empty((x, y)) && !is_empty((x, y - 1))).map(|at| {
        let (low, high) = cell(at);
        (PlaceKind::StandingCell, low, high)
    });
    markers.chain(areas).chain(standing).collect()
}

/// A state that the survey has kept.
struct Node {
    snapshot: SnapshotKey,
    position: Position,
    is_standing: bool,
    is_at_target: bool,
}

/// Everything that the survey has reached.
struct Explored {
    nodes: Vec<Node>,
    snapshots: SnapshotArena,
    /// Pairs of nodes: the second one is reached from the first one.
    edges: Vec<(usize, usize)>,
    /// Cells that the body touched after a tick.
    touched: BTreeSet<(i64, i64)>,
    areas: BTreeSet<AreaId>,
    half: DVec2,
    is_complete: bool,
}

/// Key of a state: of all states with the same key, the first one is kept.
type Key = ([i64; 2], [i64; 2], bool, u64);

impl Explored {
    fn new(world: &World, body: BodyId, target: (DVec2, DVec2), max_states: usize) -> Explored {
        let mut world = world.clone();
        let half = world[body].shape().half_extents();
        let mut explored = Explored {
            nodes: Vec::new(),
            snapshots: SnapshotArena::default(),
            edges: Vec::new(),
            touched: BTreeSet::new(),
            areas: BTreeSet::new(),
            half,
            is_complete: true,
        };
        let inputs = inputs();
        let mut known: BTreeMap<Key, usize> = BTreeMap::new();
        explored.note(&world, body);
        explored.keep(&world, body, target);
        known.insert(key_of(&world, body), 0);
        let mut snapshot = world.capture();
        let mut next = 0;
        while next < explored.nodes.len() {
            explored.snapshots.copy_to(explored.nodes[next].snapshot, &mut snapshot);
            for input in &inputs {
                if world.restore(&snapshot).is_err() {
                    continue;
                }
                world.set_input(body, *input);
                for _ in 0..HELD_TICKS {
                    world.step();
                    explored.note(&world, body);
                }
                if world.get(body).is_none() {
                    continue;
                }
                let count = explored.nodes.len();
                let node = *known.entry(key_of(&world, body)).or_insert(count);
                if node == count && count < max_states {
                    explored.keep(&world, body, target);
                }
                explored.is_complete &= node < explored.nodes.len();
                explored.edges.push((next, node));
            }
            next += 1;
        }
        let count = explored.nodes.len();
        explored.edges.retain(|(_, node)| *node < count);
        explored
    }

    fn keep(&mut self, world: &World, body: BodyId, target: (DVec2, DVec2)) {
        let state = &world[body];
        let at = state.position().to_dvec2();
        let is_at_target = (at - self.half).cmple(target.1).all() && target.0.cmple(at + self.half).all();
        let (position, is_standing) = (state.position(), state.on_floor());
        let snapshot = self.snapshots.add(&world.capture());
        self.nodes.push(Node { snapshot, position, is_standing, is_at_target });
    }

    /// Records the cells and areas that a body touches after a tick.
    fn note(&mut self, world: &World, body: BodyId) {
        let Some(state) = world.get(body) else { return };
        self.areas.extend(world.areas_of(body));
        let at = state.position().to_dvec2();
        let (low, high) = ((at - self.half).floor().as_i64vec2(), (at + self.half).floor().as_i64vec2());
        for y in low.y..=high.y {
            self.touched.extend((low.x..=high.x).map(|x| (x, y)));
        }
    }

    fn verdict(&self, kind: &PlaceKind, (low, high): (DVec2, DVec2), reach: Option<&Reach<'_>>) -> Verdict {
        let is_reached = match kind {
            PlaceKind::Area(id, _) => self.areas.contains(id),
            _ => self.touched.contains(&(low.x as i64, low.y as i64)),
        };
        match reach {
            _ if is_reached => Verdict::Reachable,
            Some(reach) if !reach.contains(low, high) => Verdict::Unreachable,
            _ => Verdict::NotFound,
        }
    }

    /// Returns the cells in which the body stands, and from which no way to the target was found.
    fn soft_locks(&self, bound: Option<&Bound>, target: (DVec2, DVec2)) -> Vec<SoftLock> {
        let mut before = vec![Vec::new(); self.nodes.len()];
        self.edges.iter().for_each(|(from, to)| before[*to].push(*from));
        let mut leads: Vec<bool> = self.nodes.iter().map(|node| node.is_at_target).collect();
        let mut open: Vec<usize> = (0..self.nodes.len()).filter(|node| leads[*node]).collect();
        while let Some(node) = open.pop() {
            for from in &before[node] {
                if !std::mem::replace(&mut leads[*from], true) {
                    open.push(*from);
                }
            }
        }
        // Key: row and column of a cell. Value: positions of its nodes, or `None` if one of them leads to the target.
        let mut cells: BTreeMap<(i32, i32), Option<Vec<Position>>> = BTreeMap::new();
        for (node, leads) in self.nodes.iter().zip(leads).filter(|(node, _)| node.is_standing) {
            let at = node.position.to_dvec2();
            let cell = ((at.y - self.half.y + 0.5).floor() as i32, at.x.floor() as i32);
            let positions = cells.entry(cell).or_insert_with(|| Some(Vec::new()));
            match positions {
                Some(known) if !leads => known.push(node.position),
                _ => *positions = None,
            }
        }
        let is_proven = |positions: &Vec<Position>| {
            bound.is_some_and(|bound| positions.iter().all(|at| !bound.reach_from(*at).contains(target.0, target.1)))
        };
        let locks = cells.into_iter().filter_map(|((y, x), positions)| Some(((x, y), positions?)));
        locks.map(|(cell, positions)| SoftLock { cell, is_proven: is_proven(&positions) }).collect()
    }
}

/// Returns the inputs that are tried.
fn inputs() -> Vec<Input> {
    let buttons = [
        Input::default(),
        Input { jump: true, ..Input::default() },
        Input { down: true, ..Input::default() },
        Input { up: true, ..Input::default() },
        Input { dash: true, ..Input::default() },
    ];
    let walks = [127, -127, 0];
    walks.into_iter().flat_map(|walk| buttons.map(|input| Input { walk, ..input })).collect()
}

fn key_of(world: &World, body: BodyId) -> Key {
    let Some(state) = world.get(body) else { return ([0; 2], [0; 2], false, 0) };
    let quarters = state.position().units().div_euclid(I64Vec2::splat(ONE / 4));
    let speeds = (state.velocity() / 4.0).round().as_i64vec2();
    // Platforms move with time, so the same position at another time is another state.
    let time = if world.platforms().next().is_some() { world.tick() / 16 % 64 } else { 0 };
    (quarters.to_array(), speeds.to_array(), state.on_floor(), time)
}
