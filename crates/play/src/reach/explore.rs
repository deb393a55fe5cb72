//! Explores a level: searches for a run to its goal, and notes each cell and place that the hero reaches.

use crate::session::Draft;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use surefoot::World;
use surefoot::area::{AreaId, AttachedTo};
use surefoot::event::BodyId;
use surefoot::geometry::DVec2;
use surefoot::replay::InputRun;
use surefoot_draw::Findings;
use surefoot_search::{Answer, Bound, Goal, Options, Progress, Search};

/// Limits of each of the two searches of an exploration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Maximum time; `None` for no limit.
    pub(crate) time: Option<Duration>,
    /// Maximum number of states.
    pub(crate) states: usize,
}

/// Places that the hero is known to reach.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Reach {
    pub(crate) findings: Findings,
    /// The answer in words.
    pub(crate) words: String,
}

/// Marker, or name or tag of an area, to which a run is searched.
const GOAL: &str = "goal";
/// Marker at which the hero starts.
const START: &str = "start";
/// Maximum memory of a search in bytes.
const MAX_MEMORY: usize = 256 << 20;
/// Maximum number of groups of things in the words.
const MAX_GROUPS: usize = 5;

/// Explores a level. Calls `tell` with each better answer; the last one is final.
///
/// `is_stopped`: ends the exploration early if it returns true. The search for a run to the goal ends only by its
/// limits.
pub(crate) fn explore(
    draft: &Draft,
    limits: Limits,
    is_stopped: &(dyn Fn() -> bool + Sync),
    tell: &mut dyn FnMut(Reach),
) {
    let wrong = |words: String| Reach { words, ..Reach::default() };
    match draft.start_world() {
        Ok((world, Some(hero))) => Exploration::new(&world, hero, limits).explore(is_stopped, tell),
        Ok((_, None)) => tell(wrong("there is no room for the hero".to_owned())),
        Err(error) => tell(wrong(error.to_string())),
    }
}

/// A marker or an area that the hero may reach.
struct Place {
    name: String,
    tag: String,
    /// Middle, and distances from it to the lower left and the upper right corner.
    at: DVec2,
    bounds: (DVec2, DVec2),
    /// `None` for a marker.
    area: Option<AreaId>,
    may_move: bool,
}

impl Place {
    /// Returns the name by which places are counted.
    fn group_name(&self) -> &str {
        if self.tag.is_empty() { &self.name } else { &self.tag }
    }

    fn is_goal(&self) -> bool {
        self.name == GOAL || self.tag == GOAL
    }
}

/// Cells and places that the hero has reached.
#[derive(Clone, Debug, Default)]
struct Seen {
    cells: BTreeSet<(i32, i32)>,
    places: BTreeSet<usize>,
}

struct Exploration<'a> {
    world: &'a World,
    hero: BodyId,
    limits: Limits,
    places: Vec<Place>,
    /// Indices of the markers by cell, and of the areas.
    markers: BTreeMap<(i32, i32), Vec<usize>>,
    areas: BTreeMap<AreaId, usize>,
}

impl<'a> Exploration<'a> {
    fn new(world: &'a World, hero: BodyId, limits: Limits) -> Exploration<'a> {
        let (mut places, mut markers, mut areas) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        for (name, (x, y)) in world.map().all_markers().filter(|(name, _)| *name != START) {
            markers.entry((x, y)).or_insert_with(Vec::new).push(places.len());
            let at = DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
            let (name, tag, bounds) = (name.to_owned(), String::new(), (DVec2::ZERO, DVec2::ZERO));
            places.push(Place { name, tag, at, bounds, area: None, may_move: false });
        }
        for (id, state) in world.areas() {
            let area = state.area();
            if area.name.is_empty() && area.tag.is_empty() {
                continue;
            }
            areas.insert(id, places.len());
            places.push(Place {
                name: area.name.clone(),
                tag: area.tag.clone(),
                at: state.position().to_dvec2(),
                bounds: area.shape.bounds_tiles(),
                area: Some(id),
                may_move: area.attached_to != AttachedTo::World,
            });
        }
        Exploration { world, hero, limits, places, markers, areas }
    }

    fn explore(&self, is_stopped: &(dyn Fn() -> bool + Sync), tell: &mut dyn FnMut(Reach)) {
        let mut seen = Seen::default();
        self.record_reached_cells_and_places(self.world, &mut seen);
        let (goal, run) = self.search_goal_and_describe();
        let path = self.play_run_and_list_positions(&run, &mut seen);
        tell(self.answer_so_far(&goal, &path, &seen, None));
        let seen = Mutex::new(seen);
        let look = || seen.lock().unwrap_or_else(PoisonError::into_inner);
        let has_all = |world: &World, (): &()| {
            let mut seen = look();
            self.record_reached_cells_and_places(world, &mut seen);
            is_stopped()
        };
        let tell = RefCell::new(tell);
        let report = |_: &Progress| {
            let reach = self.answer_so_far(&goal, &path, &look(), None);
            (tell.borrow_mut())(reach);
        };
        let search = Search::new(self.world, self.hero).goal(Goal::Reached(&has_all));
        // Ignore the answer of the search: `seen` has all that the search has tried.
        let _ = search.options(self.search_options()).on_progress(&report).run();
        if !is_stopped() {
            let bound = Bound::new(self.world, self.hero).ok();
            let reach = self.answer_so_far(&goal, &path, &look(), bound.as_ref());
            (tell.borrow_mut())(reach);
        }
    }

    fn search_options(&self) -> Options {
        let Limits { time, states } = self.limits;
        Options { max_states: states, max_time: time, max_memory: MAX_MEMORY, threads: 1, ..Options::default() }
    }

    /// Searches for a run to the goal. Returns the answer in words, and the run.
    fn search_goal_and_describe(&self) -> (String, Vec<InputRun>) {
        let Some(goal) = self.places.iter().find(|place| place.is_goal()) else {
            return (format!("no goal to run to: place the marker {GOAL}"), Vec::new());
        };
        let goal = if goal.area.is_some() { Goal::Area(GOAL.to_owned()) } else { Goal::Marker(GOAL.to_owned()) };
        match Search::new(self.world, self.hero).goal(goal).options(self.search_options()).run() {
            Ok(Answer::Reachable(run)) => {
                let seconds = run.ticks() as f64 * self.world.settings().tick;
                (format!("{GOAL} reachable in {seconds:.1} s"), run.inputs)
            }
            Ok(Answer::NotFound(nearest)) => (format!("{GOAL} not found: {nearest}"), Vec::new()),
            Ok(Answer::Unreachable(_)) => (format!("{GOAL} unreachable"), Vec::new()),
            Err(error) => (error.to_string(), Vec::new()),
        }
    }

    /// Plays a run. Returns the positions of the hero before it and after each of its ticks.
    fn play_run_and_list_positions(&self, run: &[InputRun], seen: &mut Seen) -> Vec<DVec2> {
        let mut world = self.world.clone();
        let at = |world: &World| world.get(self.hero).map(|hero| hero.position().to_dvec2());
        let mut path = Vec::new();
        for input in run.iter().flat_map(|part| (0..part.ticks).map(|_| part.input)) {
            if path.is_empty() {
                path.extend(at(&world));
            }
            world.set_input(self.hero, input);
            world.step();
            self.record_reached_cells_and_places(&world, seen);
            path.extend(at(&world));
        }
        path
    }

    /// Notes the cells and places at which the hero is.
    fn record_reached_cells_and_places(&self, world: &World, seen: &mut Seen) {
        let Some(state) = world.get(self.hero) else { return };
        let (at, half) = (state.position().to_dvec2(), state.shape().half_extents());
        let ((left, bottom), (columns, rows)) = (self.world.map().origin(), self.world.map().size());
        let lowest = DVec2::new(left.into(), bottom.into());
        let highest = lowest + DVec2::new(columns.into(), rows.into());
        let low = (at - half).floor().max(lowest).as_ivec2();
        let high = (at + half).ceil().min(highest).as_ivec2();
        for cell in (low.y..high.y).flat_map(|y| (low.x..high.x).map(move |x| (x, y))) {
            seen.cells.insert(cell);
            let markers = self.markers.get(&cell).into_iter().flatten().copied();
            seen.places.extend(markers.filter(|&place| (self.places[place].at - at).abs().cmplt(half).all()));
        }
        seen.places.extend(world.areas_of(self.hero).filter_map(|area| self.areas.get(&area)));
    }

    /// Returns the answer so far. `bound`: proves that places cannot be reached; before the end there is none.
    fn answer_so_far(&self, goal: &str, path: &[DVec2], seen: &Seen, bound: Option<&Bound>) -> Reach {
        let mut findings = Findings { reached: seen.cells.clone(), path: path.to_vec(), ..Findings::default() };
        let proof = bound.map(Bound::reach);
        // The counts of a group are those of all its places, of the reached ones, and of the ones proven unreachable.
        let mut groups: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
        for (i, place) in self.places.iter().enumerate() {
            let (low, high) = (place.at + place.bounds.0, place.at + place.bounds.1);
            let is_reached = seen.places.contains(&i);
            let is_proven =
                !is_reached && !place.may_move && proof.as_ref().is_some_and(|proof| !proof.contains(low, high));
            let counts = groups.entry(place.group_name()).or_default();
            for (count, one) in counts.iter_mut().zip([true, is_reached, is_proven]) {
                *count += usize::from(one);
            }
            let named = (place.group_name().to_owned(), place.at);
            match (is_reached, is_proven) {
                (true, _) => {}
                (false, true) => findings.unreachable.push(named),
                (false, false) => findings.not_found.push(named),
            }
        }
        let mut words = vec![goal.to_owned()];
        groups.remove(GOAL);
        let others = groups.len().saturating_sub(MAX_GROUPS);
        words.extend(groups.into_iter().take(MAX_GROUPS).map(|(group, [all, reached, unreachable])| {
            let proven = if unreachable > 0 { format!(", {unreachable} unreachable") } else { String::new() };
            format!("{group} {reached} of {all}{proven}")
        }));
        words.extend((others > 0).then(|| format!("{others} other kinds of things")));
        words.push(format!("{} cells", seen.cells.len()));
        Reach { findings, words: words.join("; ") }
    }
}
