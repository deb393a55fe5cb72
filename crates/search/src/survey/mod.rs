//! Survey of a whole level: which markers, areas and standing cells a character can reach, and from which cells it
//! cannot get on.
//!
//! The survey plays the inputs of the search from every state that it finds, in the order in which it finds them, and
//! keeps one state of each cell of states. So everything that it calls reachable was reached. Where it found nothing,
//! the [`Bound`] decides whether that is proven.

mod graph;

use crate::answer::Limit;
use crate::bound::{Bound, NotCovered, Reach};
use crate::cell::{CELL_SIZES, Surroundings};
use crate::error::SearchError;
use crate::goal::{Goal, Targets};
use crate::moves::Moves;
use crate::pass::{MAX_BATCH, is_time_up};
use crate::plan::{SURROUNDINGS_SHARE, region_around_map};
use crate::pool::Pool;
use crate::search::Search;
use graph::{Explorer, Found, MoveTester, Seen};
use serde::Serialize;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;
use surefoot::World;
use surefoot::area::{AreaId, AttachedTo};
use surefoot::catalogue::LatticeEdge;
use surefoot::geometry::{DVec2, Position};

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
    /// A marker of the map with its name. Its rectangle is the marker's position, a point.
    Marker(String),
    /// An area with its id and tag.
    Area(AreaId, String),
    /// An empty cell above a tile with a floor. The cell is reached if the character stood on that floor; passing
    /// through the cell does not count. The rectangle of the cell begins at the lowest point of the floor, and ends one
    /// tile above the highest point.
    StandingCell,
}

/// A place of a level.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Kind of the place.
    pub kind: PlaceKind,
    /// Lower left corner of its rectangle, in tiles.
    pub low: DVec2,
    /// Upper right corner of its rectangle, in tiles.
    pub high: DVec2,
    /// Whether the box around the character can overlap the rectangle. For an area: whether the character can be
    /// inside. For a standing cell: whether the character can stand there; `Unreachable` if the bound proves that the
    /// character's box never overlaps the rectangle.
    pub verdict: Verdict,
}

/// Memory of a place in bytes, without its name, the same on all targets. The list grows by doubling.
const PLACE_BYTES: usize = 3 * 96;
const _: () = assert!(size_of::<Place>() <= 96);

/// Cell in which the character can stand, and from which no way to the goal was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SoftLock {
    /// Column and row of the cell above the character's lower side.
    pub cell: (i32, i32),
    /// The bound proves that no way leads from the positions in which the character stood. Otherwise, the survey has
    /// tried all states that follow and found no way: there may be one all the same. With the rules of a game, it may
    /// have left out states that differ only in the game's own state, or in taken areas without effects.
    pub is_proven: bool,
}

/// Result of [`Search::survey`].
#[derive(Clone, Debug)]
pub struct Survey {
    /// Markers, areas and standing cells, in this order.
    pub places: Vec<Place>,
    /// Cells of the map that the box around the character overlapped.
    pub reached: BTreeSet<(i32, i32)>,
    /// Cells in which the character stood, and from which no way to the goal was found. Sorted by row, then column.
    /// Empty if the survey did not reach the goal.
    pub soft_locks: Vec<SoftLock>,
    /// Whether the survey reached the goal.
    pub is_goal_reached: bool,
    /// Number of states that were found.
    pub states: usize,
    /// The limit that ended the survey early. `None`: the survey was complete.
    pub limit: Option<Limit>,
    /// Reason why the bound does not cover this level, so that nothing is proven. `None` if it covers the level.
    pub not_covered: Option<NotCovered>,
}

impl<G: Clone + Serialize + Send + Sync> Search<'_, G> {
    /// Plays everywhere in the level, and returns the places that the character reaches.
    ///
    /// The goal of the search is the place to which a way should lead from everywhere: see [`Survey::soft_locks`].
    /// Without a goal, this is the position of the character now.
    ///
    /// Large cells of states come first. As long as a marker or an area is neither reached nor proven unreachable, the
    /// survey begins again with smaller cells. Of the [`Options`](crate::Options), only the limits, the threads and the
    /// extra inputs count. Without a limit of time, the result is the same for any number of threads.
    ///
    /// # Errors
    /// Returns [`SearchError`] if there is no such body, marker or area, if the body is not a character, or if the
    /// threads cannot be started.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::{Map, World};
    /// use surefoot_search::{Goal, PlaceKind, Search, Verdict};
    ///
    /// let map = Map::from_rows([
    ///     "##########",
    ///     "#........#",
    ///     "#..@....*#",
    ///     "####..####",
    ///     "####..####",
    ///     "####..####",
    ///     "####..####",
    ///     "##########",
    /// ])?;
    /// let mut world = World::new(map, Settings::default());
    /// let body = Body::new(Shape::aabb(0.35, 0.45)).at((3.5, 5.45)).character(Character::default());
    /// let hero = world.spawn(body)?;
    /// let survey = Search::new(&world, hero).goal(Goal::Marker("goal".into())).survey()?;
    /// let goal = survey.places.iter().find(|place| place.kind == PlaceKind::Marker("goal".into())).unwrap();
    /// assert_eq!(goal.verdict, Verdict::Reachable);
    /// // The pit is 4 tiles deep, and the jump 3.2 tiles high.
    /// let locks: Vec<_> = survey.soft_locks.iter().map(|lock| (lock.cell, lock.is_proven)).collect();
    /// assert_eq!(locks, [((4, 1), true), ((5, 1), true)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn survey(&self) -> Result<Survey, SearchError> {
        let begin = self.options.max_time.map(|limit| (Instant::now(), limit));
        let hero = self.world.get(self.body).ok_or(SearchError::NoSuchBody)?;
        let moves = Moves::new(hero, self.world, &self.options)?;
        self.check_game_is_hashable()?;
        let back = Goal::Rectangle { low: hero.position(), high: hero.position() };
        let targets = Targets::new(self.goal.as_ref().unwrap_or(&back), self.world)?;
        let mut places = list_places_to_reach(self.world);
        let seen = Seen::new(self.world, &places);
        let surroundings =
            Surroundings::new(self.world, self.tick.is_some(), self.options.max_memory / SURROUNDINGS_SHARE);
        let used = places.len() * PLACE_BYTES + seen.memory_bytes() + surroundings.memory_bytes();
        let (bound, not_covered) = match self.motion_bound(used) {
            Ok(bound) => (Some(bound), None),
            Err(reason) => (None, Some(reason)),
        };
        if let Some(reach) = bound.as_ref().map(Bound::reach) {
            places.iter_mut().for_each(|place| place.mark_unreachable_if_proven(&reach, self.world));
        }
        let bytes = used + bound.as_ref().map_or(0, Bound::memory_bytes);
        let region = region_around_map(self.world);
        let tester = MoveTester { body: self.body, targets: &targets, moves, surroundings, region, begin };
        let mut explorer = Explorer { search: self, tester, before: 0, bytes };
        let pool = Pool::new(self.options.threads, MAX_BATCH)?;
        let mut surveyors = explorer.create_surveyors(&pool, seen);
        let (mut locks, mut limit) = (Locks::default(), None);
        for number in 0..CELL_SIZES.len() {
            let (states, end) = explorer.explore(number, &pool, &mut surveyors);
            locks.add_states(&states, hero.shape().half_extents());
            limit = end;
            if limit.is_some() || places.iter().all(|place| place.is_decided_or_standing_cell(&surveyors[0].seen)) {
                break;
            }
        }
        let seen = &surveyors[0].seen;
        places.iter_mut().for_each(|place| place.mark_if_reached(seen));
        let is_late = Cell::new(false);
        let is_proven = |from: &[Position]| {
            is_late.set(is_late.get() || is_time_up(begin));
            if is_late.get() {
                return false;
            }
            // The bound proves nothing about a goal that moves or that is a function.
            let fixed = bound.as_ref().filter(|_| !targets.may_move && !targets.boxes.is_empty());
            fixed.is_some_and(|bound| {
                let reach = bound.reach_from_any(from);
                // If the goal is several places, the character may already have visited all of them but one. So it is
                // stuck for certain only if none of the places is in reach.
                !targets.boxes.iter().any(|&(low, high)| reach.contains(low, high))
            })
        };
        let soft_locks = if seen.goal { locks.into_soft_locks(&is_proven) } else { Vec::new() };
        Ok(Survey {
            places,
            reached: seen.overlapped_cells(),
            soft_locks,
            is_goal_reached: seen.goal,
            states: explorer.before,
            limit: limit.or(is_late.get().then_some(Limit::Time)),
            not_covered,
        })
    }
}

impl Place {
    /// Returns the column and the row of a standing cell. For a marker or an area, returns the cell in the upper left
    /// corner of its rectangle.
    #[must_use]
    pub fn cell(&self) -> (i32, i32) {
        (self.low.x.floor() as i32, self.high.y.ceil() as i32 - 1)
    }

    /// Notes that the place is out of reach, if the bound proves it. An area that moves with something may be anywhere.
    fn mark_unreachable_if_proven(&mut self, reach: &Reach<'_>, world: &World) {
        let may_move = match &self.kind {
            PlaceKind::Area(id, _) => world.area(*id).is_none_or(|it| it.area().attached_to != AttachedTo::World),
            _ => false,
        };
        if !may_move && !reach.contains(self.low, self.high) {
            self.verdict = Verdict::Unreachable;
        }
    }

    /// Notes that the place was reached.
    fn mark_if_reached(&mut self, seen: &Seen) {
        if seen.has_reached(self) {
            self.verdict = Verdict::Reachable;
        }
    }

    /// Returns whether smaller cells of states can show nothing more. Standing cells are too many to look for each.
    fn is_decided_or_standing_cell(&self, seen: &Seen) -> bool {
        self.kind == PlaceKind::StandingCell || self.verdict == Verdict::Unreachable || seen.has_reached(self)
    }
}

/// Returns the places of a level, not found so far.
fn list_places_to_reach(world: &World) -> Vec<Place> {
    let cell = |(x, y): (i32, i32)| DVec2::new(x.into(), y.into());
    let place = |kind, low, high| Place { kind, low, high, verdict: Verdict::NotFound };
    let map = world.map();
    let markers = map.all_markers().map(|(name, at)| {
        let at = cell(at) + 0.5;
        place(PlaceKind::Marker(name.to_string()), at, at)
    });
    let areas = world.areas().map(|(id, state)| {
        let ((low, high), at) = (state.area().shape.bounds_tiles(), state.position().to_dvec2());
        place(PlaceKind::Area(id, state.area().tag.clone()), low + at, high + at)
    });
    let terrain = world.terrain();
    let is_empty = |tile| terrain.layers().iter().all(|layer| terrain.variant_at(*layer, tile).is_none());
    let ((left, bottom), (width, height)) = (map.origin(), map.size());
    let cells = (0..height as i32).flat_map(|y| (0..width as i32).map(move |x| (left + x, bottom + y)));
    let standing = cells.filter(|&at| is_empty(at)).filter_map(|(x, y)| {
        let (lowest, highest) = floor_heights(world, (x, y - 1))?;
        Some(place(PlaceKind::StandingCell, DVec2::new(x.into(), lowest), DVec2::new((x + 1).into(), highest + 1.0)))
    });
    markers.chain(areas).chain(standing).collect()
}

/// Returns the lowest and the highest point of the floors of a tile, as y in tiles. `None` if its sides are all walls
/// and ceilings, such as those of an upright thin wall.
fn floor_heights(world: &World, (x, y): (i32, i32)) -> Option<(f64, f64)> {
    let (rise, run): (u16, u16) = world.settings().max_floor_slope.into();
    let terrain = world.terrain();
    let variants = terrain.layers().iter().filter_map(|layer| terrain.variant_at(*layer, (x, y)));
    let edges = variants.flat_map(|variant| &terrain.catalogue().variant(variant).edges);
    let is_floor = |edge: &&LatticeEdge| {
        let normal = edge.normal();
        normal.y > 0 && i64::from(normal.x.abs()) * i64::from(run) <= i64::from(normal.y) * i64::from(rise)
    };
    let heights = edges.filter(is_floor).flat_map(|edge| [edge.a.y, edge.b.y]);
    let heights = heights.map(|sixteenths| f64::from(y) + f64::from(sixteenths) / 16.0);
    heights.fold(None, |range, y| {
        let (lowest, highest) = range.unwrap_or((y, y));
        Some((y.min(lowest), y.max(highest)))
    })
}

/// Cells in which the character stood without a way to the goal, by row and column.
#[derive(Default)]
struct Locks(BTreeMap<(i32, i32), Lock>);

/// What the passes of a survey found out about a cell.
#[derive(Default)]
struct Lock {
    /// Positions in which the character stood in the cell.
    positions: BTreeSet<Position>,
    /// A pass found a way to the goal.
    leads: bool,
    /// A pass tried everything that follows, and found no way.
    is_closed: bool,
}

impl Locks {
    /// Adds the states of a pass. `half`: half the size of the character in tiles.
    fn add_states(&mut self, states: &[Found], half: DVec2) {
        let mut open = BTreeSet::new();
        let mut cells = BTreeSet::new();
        for state in states.iter().filter(|state| state.is_standing) {
            let at = state.position.to_dvec2();
            let cell = ((at.y - half.y + 0.5).floor() as i32, at.x.floor() as i32);
            cells.insert(cell);
            let lock = self.0.entry(cell).or_default();
            lock.leads |= state.leads;
            if lock.leads {
                lock.positions.clear();
            } else {
                lock.positions.insert(state.position);
            }
            if state.is_open {
                open.insert(cell);
            }
        }
        for cell in cells.difference(&open) {
            self.0.entry(*cell).or_default().is_closed = true;
        }
    }

    /// Returns the soft locks. `is_proven`: whether no way leads from any of some positions.
    fn into_soft_locks(self, is_proven: &dyn Fn(&[Position]) -> bool) -> Vec<SoftLock> {
        let locks: Vec<_> = self.0.into_iter().filter(|(_, lock)| !lock.leads).collect();
        let positions: Vec<Vec<Position>> =
            locks.iter().map(|(_, lock)| lock.positions.iter().copied().collect()).collect();
        let mut proven = vec![false; locks.len()];
        mark_proven_groups(&positions, &mut proven, is_proven);
        let locks = locks.iter().zip(proven).filter(|((_, lock), is_proven)| *is_proven || lock.is_closed);
        locks.map(|(((y, x), _), is_proven)| SoftLock { cell: (*x, *y), is_proven }).collect()
    }
}

/// Decides for each group of positions whether no way leads from it. Neighbours are often locked by the same walls, so
/// all groups are tried together first, and halves of them only if that fails.
fn mark_proven_groups(groups: &[Vec<Position>], proven: &mut [bool], is_proven: &dyn Fn(&[Position]) -> bool) {
    if groups.is_empty() {
        return;
    }
    if is_proven(&groups.concat()) {
        proven.fill(true);
    } else if groups.len() > 1 {
        let middle = groups.len() / 2;
        let (first, last) = proven.split_at_mut(middle);
        mark_proven_groups(&groups[..middle], first, is_proven);
        mark_proven_groups(&groups[middle..], last, is_proven);
    }
}
