//! Cache of sleeping and isolated bodies, kept from tick to tick. An isolated body is far from all others. The broad
//! phase skips the bodies of this cache while nothing comes near them. Cache: does not affect results.

use super::grid::Grid;
use super::tolerance::{MAX_LIE_GAP_UNITS, MAX_WALK_FACTOR};
use crate::body::Character;
use crate::motion::Bounds;
use crate::motion::tolerance::{MAX_SEARCH_UNITS, MAX_SNAP_UNITS};
use crate::world::state::Now;
use crate::world::step::BodyState;
use glam::{DVec2, I64Vec2, Vec2Swizzles};
use surefoot_geometry::{ONE, Position};

/// Maximum number of grid entries per body, outdated entries included. Beyond it, the grid is built again. Affects
/// speed only.
const MAX_ENTRIES_PER_BODY: usize = 8;

/// Distance that an isolated body may move before others near it are searched again, in units: 1.25 tiles. Affects
/// speed only.
const FREE_MOVE_UNITS: i64 = 5 * ONE / 4;

/// A body in the cache, or one that was in it.
#[derive(Clone, Copy, Debug)]
struct CachedBody {
    status: Status,
    /// Position when the body was added.
    at: Position,
    /// Bounds in which the body may be or be touched.
    zone: Bounds,
    /// Free space around an isolated body. `None` for another body.
    free_space: Option<FreeSpace>,
    /// Whether the free space is only valid while the character stays on the ground. A jump or a corner correction
    /// would need more.
    stays_on_ground: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// The body is cached, and the broad phase does not list it in this tick.
    Skipped,
    /// The body is cached, and the broad phase lists it in this tick.
    Listed,
    /// The body is not cached. Its zone stays in the grid: if the body falls asleep again at the same position, it
    /// needs no new entry.
    Removed,
}

impl CachedBody {
    const NONE: CachedBody = CachedBody {
        status: Status::Removed,
        at: Position::ORIGIN,
        zone: Bounds::NONE,
        free_space: None,
        stays_on_ground: false,
    };
}

/// Free space around an isolated body: how far it may move before others near it are searched again.
#[derive(Clone, Copy, Debug)]
pub(super) struct FreeSpace {
    /// Half the size of the free space around the body's cached position, in units, reduced by the shifts of corner
    /// correction.
    within: f64,
    /// Largest distance in a tick, in units, that acceleration and walking may add to the body's speed.
    by_gain: f64,
    /// Largest distance in a tick, in units, for each tile per second of speed.
    by_speed: f64,
}

#[derive(Debug, Default)]
pub(super) struct SleepGrid {
    grid: Grid,
    /// The cached bodies by their slots.
    cached: Vec<CachedBody>,
    /// Number of cached bodies.
    count: usize,
    /// Bounds of all zones that were added to the grid.
    all: Option<Bounds>,
    /// Whether every body was searched since something other than a tick changed a body. If so, the contacts of all
    /// sleeping bodies are known.
    pub(super) is_complete: bool,
}

/// Returns the bounds in which a sleeping body may be touched.
pub(super) fn contact_zone(state: &BodyState) -> Bounds {
    Bounds::of_motion(state.kind.shape, state.now.position, I64Vec2::ZERO).grown(MAX_LIE_GAP_UNITS)
}

/// Returns whether a body is in the air or jumps in this tick.
#[inline]
fn is_airborne(state: &BodyState) -> bool {
    !state.now.footing.is_ground() || state.now.leaves_ground_by_input()
}

/// Returns whether a character moves no further than it could by walking: it neither jumps nor needs corner
/// correction.
pub(super) fn stays_on_ground(state: &BodyState) -> bool {
    !state.kind.is_plain && state.kind.character.is_some() && !is_airborne(state)
}

/// Returns the maximum shift on each axis by corner correction or step-up in the body's own tick, in tiles.
pub(super) fn max_correction_shift(state: &BodyState) -> DVec2 {
    let nudge = |character: &Character| character.max_correction_or_step(state.kind.shape, is_airborne(state));
    let nudge = state.kind.character.as_ref().map_or(DVec2::ZERO, nudge);
    if state.kind.up.direction().x == 0 { nudge } else { nudge.yx() }
}

/// Returns an upper bound of a body's speed.
fn max_speed(state: &BodyState) -> f64 {
    let velocity = state.now.velocity.abs();
    (velocity.x + velocity.y).max(state.now.footing.speed().unwrap_or_default().abs())
}

impl FreeSpace {
    /// Computes the free space of a body whose speed may grow by at most `max_gain` in a tick.
    pub(super) fn of_body(state: &BodyState, max_gain: f64, tick: f64) -> FreeSpace {
        let by_speed = MAX_WALK_FACTOR * tick * ONE as f64;
        let by_gain = by_speed * max_gain + (MAX_LIE_GAP_UNITS + MAX_SNAP_UNITS + 1) as f64;
        FreeSpace { within: by_gain + by_speed * max_speed(state) + FREE_MOVE_UNITS as f64, by_gain, by_speed }
    }
}

impl SleepGrid {
    /// Clears the cache.
    pub(super) fn clear(&mut self) {
        self.cached.clear();
        (self.count, self.all, self.is_complete) = (0, None, false);
    }

    /// Makes room for `slots` slots. Builds the grid again if most of its entries are outdated.
    pub(super) fn prepare_for_tick(&mut self, slots: usize) {
        let is_new = self.cached.len() != slots;
        if is_new {
            self.clear();
            self.cached.resize(slots, CachedBody::NONE);
        }
        let is_unused = self.count == 0 && self.grid.len() > 0;
        if is_new || is_unused || self.grid.len() > MAX_ENTRIES_PER_BODY * slots {
            self.grid.clear(slots);
            self.grid.reserve(2 * MAX_ENTRIES_PER_BODY * slots);
            self.all = None;
            for slot in 0..slots {
                match self.cached[slot] {
                    CachedBody { status: Status::Removed, .. } => self.cached[slot] = CachedBody::NONE,
                    CachedBody { zone, .. } => self.insert(slot, &zone),
                }
            }
        }
    }

    fn insert(&mut self, slot: usize, zone: &Bounds) {
        self.grid.insert(slot as u32, zone);
        self.all = Some(self.all.map_or(*zone, |all| all.union(zone)));
    }

    /// Adds the body of a slot.
    fn insert_body(&mut self, slot: usize, cached: CachedBody) {
        let before = std::mem::replace(&mut self.cached[slot], cached);
        self.count += usize::from(before.status == Status::Removed);
        if before.zone != cached.zone {
            self.insert(slot, &cached.zone);
        }
    }

    /// Adds a sleeping body.
    pub(super) fn insert_sleeping(&mut self, slot: usize, state: &BodyState) {
        let (status, at, zone) = (Status::Skipped, state.now.position, contact_zone(state));
        self.insert_body(slot, CachedBody { status, at, zone, free_space: None, stays_on_ground: false });
    }

    /// Adds the body of a slot, if no other body is in its free space: neither a cached body nor one of those that
    /// `find` lists for this tick.
    pub(super) fn insert_if_isolated(
        &mut self,
        slot: usize,
        state: &BodyState,
        (free_space, nudge): (FreeSpace, DVec2),
        found: &mut Vec<u32>,
        find: impl FnOnce(&Bounds, &mut Vec<u32>),
    ) {
        let stays_on_ground = stays_on_ground(state);
        let more = nudge * ONE as f64 + free_space.within;
        if more.max_element() > MAX_SEARCH_UNITS as f64 {
            return;
        }
        let at = state.now.position;
        let own = Bounds::of_motion(state.kind.shape, at, I64Vec2::ZERO);
        let more = more.as_i64vec2();
        let zone = Bounds { low: own.low - more, high: own.high + more };
        let is_hit = |slot: u32| {
            let known = &self.cached[slot as usize];
            known.status != Status::Removed && known.zone.intersects(&zone)
        };
        self.grid.find_overlapping(&zone, is_hit, self.cached.len(), found);
        if !found.is_empty() {
            return;
        }
        find(&zone, found);
        if found.len() == 1 {
            let (status, free_space) = (Status::Listed, Some(free_space));
            self.insert_body(slot, CachedBody { status, at, zone, free_space, stays_on_ground });
        }
    }

    /// Marks a cached body as skipped in this tick. Returns whether the cache still holds for it: it sleeps where it
    /// did, or it is still isolated. `None` if it sleeps and is not cached there, or if it was not isolated.
    #[inline]
    pub(super) fn skip_and_recheck(&mut self, slot: usize, state: &BodyState) -> Option<bool> {
        let CachedBody { status, at, free_space, stays_on_ground, .. } = self.cached.get_mut(slot)?;
        if state.now.quiet == Now::AT_REST {
            let is_known = *status != Status::Removed && *at == state.now.position && free_space.is_none();
            return is_known.then(|| {
                *status = Status::Skipped;
                true
            });
        }
        let free_space = (*free_space)?;
        *status = Status::Skipped;
        if *stays_on_ground && is_airborne(state) {
            return Some(false);
        }
        let off = (state.now.position - *at).abs().max_element() as f64;
        Some(off + free_space.by_gain + free_space.by_speed * max_speed(state) <= free_space.within)
    }

    /// Removes the body of a slot, as it is neither asleep nor isolated.
    #[inline]
    pub(super) fn remove(&mut self, slot: usize) {
        if self.count > 0 && self.cached[slot].status != Status::Removed {
            (self.cached[slot].status, self.cached[slot].free_space) = (Status::Removed, None);
            self.count -= 1;
        }
    }

    /// Number of cached bodies.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Fills `found` with the slots of cached bodies in `bounds` that are not listed yet, in order.
    pub(super) fn find_unlisted_within(&self, bounds: &Bounds, found: &mut Vec<u32>) {
        if !self.all.is_some_and(|all| all.intersects(bounds)) {
            found.clear();
            return;
        }
        let is_hit = |slot: u32| {
            let known = &self.cached[slot as usize];
            known.status == Status::Skipped && known.zone.intersects(bounds)
        };
        self.grid.find_overlapping(bounds, is_hit, self.cached.len(), found);
    }

    /// Marks the body of a slot as listed in this tick.
    pub(super) fn mark_listed(&mut self, slot: usize) {
        let known = &mut self.cached[slot];
        if known.status != Status::Removed {
            known.status = Status::Listed;
        }
    }
}
