//! Where bodies at rest are, and bodies that are far from all others: kept from tick to tick, so that those that nothing comes
//! near are not looked at. Nothing in it is state.

use super::grid::Grid;
use super::tolerance::{LIES, LONGER};
use crate::body::Character;
use crate::motion::tolerance::{FARTHEST, SNAP};
use crate::motion::{Bounds, Up};
use crate::world::step::BodyState;
use glam::{DVec2, I64Vec2, Vec2Swizzles};
use surefoot_geometry::{ONE, Position};

/// How many entries of the grid a body has on average, those that are out of date among them, until all are put in anew. Decides
/// about speed alone.
const ENTRIES: usize = 8;

/// How far a body that is far from all others may go until others are looked for again, in units: a tile and a quarter. Decides
/// about speed alone.
const FAR: i64 = 5 * ONE / 4;

/// A body that is kept.
#[derive(Clone, Copy, Debug)]
struct Kept {
    /// Where it was when it was put in.
    at: Position,
    /// Where it may come or be touched.
    zone: Bounds,
    /// How far it may come, if it is not at rest.
    room: Option<Room>,
    /// It is looked at in this tick.
    is_listed: bool,
    /// It has such room on the ground alone: to jump, and to be nudged past a corner in flight, takes more.
    stays_down: bool,
}

/// How far a body that is far from others may come until it is looked at again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// From where it was, in units, besides what it may be nudged.
    within: f64,
    /// How far it may come in a tick: by its own will, and for each tile per second that it has.
    by_will: f64,
    by_speed: f64,
}

#[derive(Debug, Default)]
pub(super) struct SleepGrid {
    grid: Grid,
    /// By the slot.
    kept: Vec<Option<Kept>>,
    /// How many are kept.
    count: usize,
    /// Where all that have been put in were.
    all: Option<Bounds>,
    /// All bodies have been looked at since something from outside has changed them: what those at rest touch is known.
    pub(super) is_known: bool,
}

/// Where a body at rest may be touched.
pub(super) fn contact_zone(state: &BodyState) -> Bounds {
    Bounds::of(state.kind.shape, state.now.position, I64Vec2::ZERO).grown(LIES)
}

/// Whether a body is in the air or jumps in this tick.
#[inline]
fn flies(state: &BodyState) -> bool {
    !state.now.footing.is_ground() || state.now.asks_to_jump()
}

/// Whether a character may come as far as one on the ground alone: it does not jump, nor is it nudged past a corner in flight. Of a plain
/// one it costs less to count its jumps than to ask.
pub(super) fn stays_down(state: &BodyState) -> bool {
    !state.kind.is_plain() && state.kind.character.is_some() && !flies(state)
}

/// How far a body may be brought on each axis in its own tick besides its way, in tiles.
pub(super) fn correction_reach(state: &BodyState, up: Up) -> DVec2 {
    let nudge = |character: &Character| character.furthest_nudge(state.kind.shape, flies(state));
    let nudge = state.kind.character.as_ref().map_or(DVec2::ZERO, nudge);
    if up.direction().x == 0 { nudge } else { nudge.yx() }
}

/// How fast a body goes at most.
fn speed_of(state: &BodyState) -> f64 {
    let velocity = state.now.velocity.abs();
    (velocity.x + velocity.y).max(state.now.footing.speed().unwrap_or_default().abs())
}

impl Room {
    /// The room of a body that may get so much faster in a tick than it is.
    pub(super) fn of(state: &BodyState, will: f64, tick: f64) -> Room {
        let by_speed = LONGER * tick * ONE as f64;
        let by_will = by_speed * will + (LIES + SNAP + 1) as f64;
        Room { within: by_will + by_speed * speed_of(state) + FAR as f64, by_will, by_speed }
    }
}

impl SleepGrid {
    /// Forgets all bodies.
    pub(super) fn clear(&mut self) {
        self.kept.clear();
        (self.count, self.all, self.is_known) = (0, None, false);
    }

    /// Makes room for so many slots, and puts all in anew if most of what is in the grid is there no more.
    pub(super) fn begin(&mut self, slots: usize) {
        let is_new = self.kept.len() != slots;
        if is_new {
            self.clear();
            self.kept.resize(slots, None);
        }
        let is_unused = self.count == 0 && self.grid.len() > 0;
        if is_new || is_unused || self.grid.len() > ENTRIES * slots {
            self.grid.clear(slots);
            self.grid.reserve(2 * ENTRIES * slots);
            self.all = None;
            for slot in 0..slots {
                if let Some(Kept { zone, .. }) = self.kept[slot] {
                    self.insert(slot, &zone);
                }
            }
        }
    }

    fn insert(&mut self, slot: usize, zone: &Bounds) {
        self.grid.insert(slot as u32, zone);
        self.all = Some(self.all.map_or(*zone, |all| all.with(zone)));
    }

    /// Keeps the body of a slot.
    fn put_in(&mut self, slot: usize, kept: Kept) {
        self.count += usize::from(self.kept[slot].replace(kept).is_none());
        self.insert(slot, &kept.zone);
    }

    /// Notes that the body of a slot is at rest.
    #[inline]
    pub(super) fn keep(&mut self, slot: usize, state: &BodyState) {
        let at = state.now.position;
        match &mut self.kept[slot] {
            Some(known) if known.at == at && known.room.is_none() => known.is_listed = false,
            _ => self
                .put_in(slot, Kept { at, zone: contact_zone(state), room: None, is_listed: false, stays_down: false }),
        }
    }

    /// Keeps the body of a slot, which is looked at in this tick, if no other one is in its room: none that is kept, and of those that
    /// `find` finds it alone.
    pub(super) fn insert_if_far(
        &mut self,
        slot: usize,
        state: &BodyState,
        (room, nudge): (Room, DVec2),
        found: &mut Vec<u32>,
        find: impl FnOnce(&Bounds, &mut Vec<u32>),
    ) {
        let stays_down = stays_down(state);
        let more = nudge * ONE as f64 + room.within;
        if more.max_element() > FARTHEST as f64 {
            return;
        }
        let at = state.now.position;
        let own = Bounds::of(state.kind.shape, at, I64Vec2::ZERO);
        let more = more.as_i64vec2();
        let zone = Bounds { low: own.low - more, high: own.high + more };
        let kept = |slot: u32| self.kept[slot as usize].map_or(Bounds::NONE, |kept| kept.zone);
        self.grid.find(&zone, kept, self.kept.len(), found);
        if !found.is_empty() {
            return;
        }
        find(&zone, found);
        if found.len() == 1 {
            self.put_in(slot, Kept { at, zone, room: Some(room), is_listed: true, stays_down });
        }
    }

    /// Whether the body of a slot is as far from all others as it was; `None` if it was not. Not for one that is at rest.
    #[inline]
    pub(super) fn is_far(&mut self, slot: usize, state: &BodyState) -> Option<bool> {
        let Some(Some(Kept { at, room, is_listed, stays_down, .. })) = self.kept.get_mut(slot) else { return None };
        let room = (*room)?;
        *is_listed = false;
        if *stays_down && flies(state) {
            return Some(false);
        }
        let off = (state.now.position - *at).abs().max_element() as f64;
        Some(off + room.by_will + room.by_speed * speed_of(state) <= room.within)
    }

    /// Notes that the body of a slot is neither at rest nor far from others.
    #[inline]
    pub(super) fn forget(&mut self, slot: usize) {
        if self.count > 0 && self.kept[slot].take().is_some() {
            self.count -= 1;
        }
    }

    /// Whether no body is kept.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Fills a list with the slots of bodies kept within bounds that are not listed yet, in their order.
    pub(super) fn find(&self, bounds: &Bounds, found: &mut Vec<u32>) {
        if !self.all.is_some_and(|all| all.meets(bounds)) {
            found.clear();
            return;
        }
        let zone = |slot: u32| match &self.kept[slot as usize] {
            Some(Kept { is_listed: false, zone, .. }) => *zone,
            _ => Bounds::NONE,
        };
        self.grid.find(bounds, zone, self.kept.len(), found);
    }

    /// Lists the body of a slot.
    pub(super) fn list(&mut self, slot: usize) {
        if let Some(known) = &mut self.kept[slot] {
            known.is_listed = true;
        }
    }
}
