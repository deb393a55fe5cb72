//! Goals of a search, and the targets that they become in a world.

use crate::SearchError;
use glam::DVec2;
use surefoot::World;
use surefoot::area::{Area, AreaId, AttachedTo};
use surefoot::geometry::Position;
use surefoot::prelude::{BodyId, BodyState};

/// Place that the character must reach. `G` is the game's own state, `()` without a game.
#[derive(Clone)]
pub enum Goal<'a, G = ()> {
    /// Any marker of that name. The marker's position must be inside the box around the body. For the expectation
    /// `hero at goal` of a replay, a position on the boundary of the box counts too.
    Marker(String),
    /// All markers of those names, in any order, such as all coins of a level. At most 64 markers.
    Markers(Vec<String>),
    /// Any area with that name or tag: the world reports that the body is inside.
    Area(String),
    /// All areas with that name or tag, in any order, such as all coins of a level. An area counts once the body was
    /// inside, and also if the rules of a game have removed it. At most 64 areas.
    Areas(String),
    /// The box around the body overlaps the rectangle between the corners `low` and `high`, in tiles.
    Rectangle {
        /// Lower left corner.
        low: Position,
        /// Upper right corner.
        high: Position,
    },
    /// The function returns true for the state of the world and the game after a tick. The search has no direction and
    /// visits near states first.
    Reached(&'a (dyn Fn(&World, &G) -> bool + Sync)),
}

/// The goal in the form that the search tests: rectangles to reach, in tiles, each given by its lower and upper
/// corner.
pub(crate) struct Targets<'a, G> {
    pub(crate) boxes: Vec<(DVec2, DVec2)>,
    /// Whether all boxes must be visited. Otherwise one is enough.
    all: bool,
    /// Whether a box may move while the world steps.
    pub(crate) may_move: bool,
    by: By<'a, G>,
}

enum By<'a, G> {
    Boxes,
    Area(String),
    Areas(Vec<AreaId>),
    Function(&'a (dyn Fn(&World, &G) -> bool + Sync)),
    Never,
}

impl<'a, G> Targets<'a, G> {
    pub(crate) fn new(goal: &Goal<'a, G>, world: &World) -> Result<Targets<'a, G>, SearchError> {
        let markers = |name: &String| -> Result<Vec<_>, SearchError> {
            let at: Vec<_> = world.map().markers(name).map(|at| (at.to_dvec2(), at.to_dvec2())).collect();
            if at.is_empty() { Err(SearchError::NoMarker { name: name.clone() }) } else { Ok(at) }
        };
        let any = |boxes, by| Ok(Targets { boxes, all: false, may_move: false, by });
        match goal {
            Goal::Marker(name) => any(markers(name)?, By::Boxes),
            Goal::Markers(names) => {
                let lists: Result<Vec<_>, _> = names.iter().map(markers).collect();
                let boxes = lists?.concat();
                match boxes.len() {
                    0 => Err(SearchError::NoMarkers),
                    1..=64 => Ok(Targets { boxes, all: true, may_move: false, by: By::Boxes }),
                    count => Err(SearchError::TooManyMarkers { count }),
                }
            }
            Goal::Area(name) | Goal::Areas(name) => {
                let is_it = |area: &Area| area.name == *name || area.tag == *name;
                let found: Vec<_> = world.areas().filter(|(_, state)| is_it(state.area())).collect();
                let boxes: Vec<_> = found.iter().map(|(_, state)| box_of_area(state)).collect();
                let may_move = found.iter().any(|(_, state)| state.area().attached_to != AttachedTo::World);
                let all = matches!(goal, Goal::Areas(_));
                match boxes.len() {
                    0 => return Err(SearchError::NoArea { name: name.clone() }),
                    count @ 65.. if all => return Err(SearchError::TooManyMarkers { count }),
                    _ => {}
                }
                let ids = found.iter().map(|(id, _)| *id).collect();
                let by = if all { By::Areas(ids) } else { By::Area(name.clone()) };
                Ok(Targets { boxes, all, may_move, by })
            }
            Goal::Rectangle { low, high } => any(vec![(low.to_dvec2(), high.to_dvec2())], By::Boxes),
            Goal::Reached(function) => any(Vec::new(), By::Function(*function)),
        }
    }

    /// Returns targets that are never reached, to play inputs to their end.
    pub(crate) fn never_reached() -> Targets<'a, G> {
        Targets { boxes: Vec::new(), all: false, may_move: false, by: By::Never }
    }

    /// Returns a mask with a bit for each box if all boxes must be visited, or `None` if one is enough.
    pub(crate) fn mask_of_all_boxes(&self) -> Option<u64> {
        self.all.then(|| u64::MAX >> (64 - self.boxes.len()))
    }

    /// Adds the boxes that the body reaches to `visited`. Returns whether the goal is reached.
    pub(crate) fn mark_visited_and_check_goal(&self, world: &World, game: &G, body: BodyId, visited: &mut u64) -> bool {
        match &self.by {
            By::Never => false,
            By::Function(reached) => reached(world, game),
            By::Area(name) => world.areas_of(body).any(|area| {
                let area = world.area(area).map(|state| state.area());
                area.is_some_and(|area| area.name == *name || area.tag == *name)
            }),
            By::Areas(areas) => {
                for (i, &area) in areas.iter().enumerate() {
                    if *visited >> i & 1 == 0
                        && (world.area(area).is_none() || world.areas_of(body).any(|inside| inside == area))
                    {
                        *visited |= 1 << i;
                    }
                }
                Some(*visited) == self.mask_of_all_boxes()
            }
            By::Boxes => {
                let Some(state) = world.get(body) else { return false };
                let Some(all) = self.mask_of_all_boxes() else {
                    return self.boxes.iter().any(|&target| body_overlaps_box(state, target));
                };
                for (i, &target) in self.boxes.iter().enumerate() {
                    if *visited >> i & 1 == 0 && body_overlaps_box(state, target) {
                        *visited |= 1 << i;
                    }
                }
                *visited == all
            }
        }
    }
}

/// A point counts as a box of size 0: the interior of the body's box must contain it.
fn body_overlaps_box(state: &BodyState, (low, high): (DVec2, DVec2)) -> bool {
    let (at, half) = (state.position().to_dvec2(), state.shape().half_extents());
    (at + half).cmpgt(low).all() && (at - half).cmplt(high).all()
}

fn box_of_area(state: &surefoot::world::AreaState) -> (DVec2, DVec2) {
    let (low, high) = state.area().shape.bounds();
    let at = state.position().to_dvec2();
    (at + surefoot::geometry::to_lengths(low), at + surefoot::geometry::to_lengths(high))
}
