//! Bound of motion: a superset of the cells that a character can reach. Goals outside of it are proven to be
//! unreachable.
//!
//! The bound over-approximates motion, so it never calls a reachable goal unreachable. It may call a goal reachable
//! that is not. It includes only the physics: not the commands and the rules of a game.
//!
//! # Law
//!
//! The space of the positions of the character's centre is divided into square cells. A *flight* is a part of a run
//! between two *supports*. The bound keeps for each cell the greatest height that a flight through that cell can still
//! reach, its *ceiling*. The law has four parts:
//!
//! 1. **Walls.** Every sub-move is swept, so the centre moves continuously through free positions. A cell is *blocked*
//!    if at each of its positions the box of the character overlaps a full solid tile. Of the other cells the lowest
//!    position that is free of such tiles is known. Slopes, parts of tiles, thin walls, one-way tiles, platforms and other
//!    bodies block nothing.
//! 2. **Flights.** Within a flight, a character moves sideways and down without limit, and up to the ceiling. A cell
//!    can be entered if its lowest free position is not above the ceiling.
//! 3. **Supports.** At a support at height `s`, the ceiling becomes `min(ceiling, s) + rise`, if that is higher.
//!    Supports are the tops of full tiles without a full tile above them, the boxes of all other tiles, the swept boxes of
//!    platforms, and the boxes of ladders and of water. For a character that jumps off walls or grabs ledges, everything
//!    that its box touches is a support.
//! 4. **Rise.** The rise is at most the sum of these heights:
//!    - `u^2 / 2 g` for the greatest upward speed `u`: the speed of a jump, plus the upward speed of a platform, plus the
//!      upward part of the greatest run up the steepest floor. With an apex hang, the last part of the rise counts with
//!      the reduced gravity. Water with a buoyancy above 1 adds its work to `u^2`.
//!    - the heights of all jumps in the air, a late jump off a wall, and a dash up with the flight after it;
//!    - ledge correction, step-up and ledge grab: their reaches.
//!
//! A sub-move that lifts without speed (a step-up, a ledge correction, a pull-up onto a ledge) ends on a support, so it
//! counts once between two supports.
//!
//! # Speed along slopes
//!
//! The engine turns speed into other directions only where a surface is neither level nor upright. On a floor, a fall
//! is lost and the horizontal speed stays. On a surface that faces up and is too steep for a floor, the horizontal
//! speed becomes at most `f / tan a` for a fall speed `f` and the steepest floor `a`, and no horizontal speed becomes
//! upward speed. Sloped ceilings and platforms that move sideways can make a character faster and faster, without a
//! limit that is known here. So levels that have those and sloped floors too are not covered: see [`NotCovered`].
//!
//! # Ticks
//!
//! A run needs at least as many ticks as the greatest speed needs for the straight line, on each axis. Through the
//! cells, it needs the time of one cell for each two cells on the shortest way, because a way that leaves the eight
//! neighbours of a cell is at least as long as a cell.

mod grid;
mod law;
mod scan;

use grid::MAX_CELLS;
pub use law::NotCovered;

use grid::{Cell, Grid};
use law::Law;
use std::collections::{BinaryHeap, VecDeque};
use surefoot::World;
use surefoot::event::BodyId;
use surefoot::geometry::{DVec2, I64Vec2, ONE, Position};

/// Most memory that a bound takes, in bytes: 40 for each cell.
pub(crate) const MAX_BYTES: usize = MAX_CELLS * 40;

/// Height that stands for "not reached".
const NEVER: i64 = i64::MIN;

/// The greatest motion that a character is capable of in a world, as a grid of cells. See the [module](self).
///
/// # Examples
/// ```
/// use surefoot::geometry::dvec2;
/// use surefoot::prelude::*;
/// use surefoot::{Map, World};
/// use surefoot_search::Bound;
///
/// let map = Map::from_rows(["......##", "......##", "......##", "......##", "...#..##", "########"])?;
/// let mut world = World::new(map, Settings::default());
/// let body = Body::new(Shape::aabb(0.35, 0.45)).at((1.5, 1.45)).character(Character::default());
/// let hero = world.spawn(body)?;
/// let bound = Bound::new(&world, hero)?;
/// let reach = bound.reach();
/// // A jump of 3.2 tiles is enough for the wall of 1 tile, and not for the one of 5 tiles.
/// assert!(reach.contains(dvec2(5.0, 1.0), dvec2(6.0, 2.0)));
/// assert!(!reach.contains(dvec2(6.5, 6.5), dvec2(7.5, 7.5)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Bound {
    law: Law,
    grid: Grid,
    start: Position,
}

/// The cells that a character can reach at most, from a start. [`Bound::reach_from`] returns it.
#[derive(Clone, Debug)]
pub struct Reach<'a> {
    bound: &'a Bound,
    ceilings: Vec<i64>,
}

/// Lower bounds of the ticks to a goal, for each cell. [`Bound::ticks_to`] returns it.
#[derive(Clone, Debug)]
pub struct TicksTo<'a> {
    bound: &'a Bound,
    low: DVec2,
    high: DVec2,
    /// Number of cells on the shortest way to the goal. `u32::MAX` if there is no way.
    steps: Vec<u32>,
}

impl Bound {
    /// Returns the bound of the motion of `body` from now on.
    ///
    /// The bound holds as long as no command changes the world, except inputs.
    ///
    /// # Errors
    /// Returns [`NotCovered`] with the reason if something in the world can move the character in a way that the bound
    /// does not cover.
    pub fn new(world: &World, body: BodyId) -> Result<Bound, NotCovered> {
        let state = world.get(body).ok_or(NotCovered::UnknownBody)?;
        let scan = scan::Scan::new(world, body)?;
        let law = Law::new(world, body, &scan)?;
        let grid = Grid::new(&scan, &law, state.position().units())?;
        let at = state.position().units();
        if grid.cells_containing(at).all(|cell| grid.is_blocked(cell) || grid.lowest_height(cell) > at.y) {
            return Err(NotCovered::Stuck);
        }
        Ok(Bound { law, grid, start: state.position() })
    }

    /// Returns the cells that the character can reach at most, from its position when the bound was made.
    #[must_use]
    pub fn reach(&self) -> Reach<'_> {
        self.max_reachable_heights(&[self.start], self.law.first_rise)
    }

    /// Returns the cells that the character can reach at most from a position at which it is at rest.
    ///
    /// Where the character cannot be, nothing is reached.
    #[must_use]
    pub fn reach_from(&self, position: Position) -> Reach<'_> {
        self.reach_from_any(&[position])
    }

    /// Returns the cells that the character can reach at most if it is at rest at any of some positions.
    pub(crate) fn reach_from_any(&self, positions: &[Position]) -> Reach<'_> {
        self.max_reachable_heights(positions, self.law.rise)
    }

    /// Returns the most memory that the bound takes, in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.grid.len() * (MAX_BYTES / MAX_CELLS)
    }

    /// Returns the greatest height in tiles that the character can gain between two supports.
    #[must_use]
    pub fn rise(&self) -> f64 {
        self.law.rise as f64 / ONE as f64
    }

    /// Finds the greatest height in each cell that the character can reach from any of some positions. `rise`: height
    /// above each position that it can gain at first.
    fn max_reachable_heights(&self, from: &[Position], rise: i64) -> Reach<'_> {
        let grid = &self.grid;
        let mut ceilings = vec![NEVER; grid.len()];
        let mut open: BinaryHeap<(i64, usize)> = BinaryHeap::new();
        for at in from.iter().map(|position| position.units()) {
            for cell in grid.cells_containing(at) {
                if !grid.is_blocked(cell) && at.y + rise > ceilings[cell] {
                    ceilings[cell] = at.y + rise;
                    open.push((at.y + rise, cell));
                }
            }
        }
        while let Some((ceiling, cell)) = open.pop() {
            if ceiling < ceilings[cell] {
                continue;
            }
            let ceiling = grid.support_heights(cell).map_or(ceiling, |(least, most)| {
                // If any part of the cell's support is in reach, count all of it. Otherwise the cell would be raised
                // again and again by small amounts.
                if least <= ceiling { ceiling.max(most + self.law.rise) } else { ceiling }
            });
            ceilings[cell] = ceiling;
            for next in grid.neighbours(cell) {
                if ceiling > ceilings[next] && !grid.is_blocked(next) && grid.lowest_height(next) <= ceiling {
                    ceilings[next] = ceiling;
                    open.push((ceiling, next));
                }
            }
        }
        Reach { bound: self, ceilings }
    }

    /// Returns lower bounds of the ticks until the box of the character touches the rectangle from `low` to `high`, in
    /// tiles.
    #[must_use]
    pub fn ticks_to(&self, low: DVec2, high: DVec2) -> TicksTo<'_> {
        let grid = &self.grid;
        if !grid.contains_rectangle(low, high) {
            // If the goal is partly outside of the cells, the path is unknown. 0 steps are always a valid lower bound.
            return TicksTo { bound: self, low, high, steps: vec![0; grid.len()] };
        }
        let mut steps = vec![u32::MAX; grid.len()];
        let mut open = VecDeque::new();
        for cell in (0..grid.len()).filter(|&cell| !grid.is_blocked(cell)) {
            if self.can_touch_rectangle(cell, i64::MAX, low, high) {
                steps[cell] = 0;
                open.push_back(cell);
            }
        }
        while let Some(cell) = open.pop_front() {
            for next in grid.all_neighbours(cell) {
                if steps[next] == u32::MAX && !grid.is_blocked(next) {
                    steps[next] = steps[cell] + 1;
                    open.push_back(next);
                }
            }
        }
        TicksTo { bound: self, low, high, steps }
    }

    /// Returns whether the box of the character touches a rectangle at a position of the cell that is not above
    /// `ceiling`.
    fn can_touch_rectangle(&self, cell: usize, ceiling: i64, low: DVec2, high: DVec2) -> bool {
        let (from, to) = self.grid.cell_corners(cell);
        let (lowest, highest) = (self.grid.lowest_height(cell), to.y.min(ceiling));
        let half = self.law.half;
        let tiles = |units: i64| units as f64 / ONE as f64;
        tiles(to.x + half.x) >= low.x
            && tiles(from.x - half.x) <= high.x
            && tiles(highest + half.y) >= low.y
            && tiles(lowest - half.y) <= high.y
    }
}

impl Reach<'_> {
    /// Returns whether the character can perhaps touch the rectangle from `low` to `high`, in tiles.
    ///
    /// `false`: proven impossible. `true`: not ruled out. A rectangle that is not wholly within the cells of the level
    /// is never ruled out.
    #[must_use]
    pub fn contains(&self, low: DVec2, high: DVec2) -> bool {
        let bound = self.bound;
        if !bound.grid.contains_rectangle(low, high) {
            return true;
        }
        // The character's box can only touch the rectangle from cells at most half a body away.
        bound
            .grid
            .cells_touching_rectangle(low, high, bound.law.half)
            .any(|cell| self.ceilings[cell] != NEVER && bound.can_touch_rectangle(cell, self.ceilings[cell], low, high))
    }

    /// Returns whether the centre of the character can perhaps reach a position.
    ///
    /// `false`: proven impossible. `true`: not ruled out.
    #[must_use]
    pub fn contains_position(&self, position: Position) -> bool {
        let at = position.units();
        let is_below = |cell: Cell| at.y <= self.ceilings[cell] && at.y >= self.bound.grid.lowest_height(cell);
        self.bound.grid.is_outside(at) || self.bound.grid.cells_containing(at).any(is_below)
    }
}

impl TicksTo<'_> {
    /// Returns a number of ticks that a run from `position` to the goal needs at least.
    ///
    /// `None` if walls separate the position from the goal, however high the character jumps.
    #[must_use]
    pub fn ticks_from(&self, position: Position) -> Option<u64> {
        let bound = self.bound;
        let cells = bound.grid.cells_containing(position.units());
        let steps = cells.map(|cell| self.steps[cell]).min().unwrap_or(0);
        if steps == u32::MAX {
            return None;
        }
        let (at, half) = (position.to_dvec2(), bound.law.half.as_dvec2() / ONE as f64);
        let missing = (self.low - half - at).max(at - half - self.high).max(DVec2::ZERO);
        let most = bound.law.most_a_tick.max(DVec2::splat(1e-9));
        let along = (missing / most).max_element();
        let through = f64::from(steps / 2) * bound.grid.cell_size_in_tiles() / most.max_element();
        // Subtract a little, so that rounding does not make a run of n ticks seem to need n + 1 ticks.
        Some((along.max(through) - 1e-6).max(0.0).ceil() as u64)
    }
}

/// Height in tiles above which no level fits into a grid: 2^22.
const MAX_RISE: f64 = 4_194_304.0;

/// Returns a height in tiles as units, rounded up. Heights above [`MAX_RISE`] become that height.
fn round_up_to_units(tiles: f64) -> i64 {
    (tiles.min(MAX_RISE) * ONE as f64).ceil() as i64
}

/// Returns a vector in tiles as units, rounded to the outside of a box: down for its lower corner, up for its upper
/// one.
fn round_outwards(low: DVec2, high: DVec2) -> (I64Vec2, I64Vec2) {
    let units = ONE as f64;
    ((low * units).floor().as_i64vec2(), (high * units).ceil().as_i64vec2())
}
