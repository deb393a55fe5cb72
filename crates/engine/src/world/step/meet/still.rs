//! Where bodies at rest are, kept from tick to tick: those that nothing comes near are not looked at. Nothing in it is state.

use super::grid::Grid;
use super::tolerance::LIES;
use crate::motion::Bounds;
use crate::world::step::BodyState;
use glam::I64Vec2;
use surefoot_geometry::Position;

/// A body at rest.
#[derive(Clone, Copy, Debug)]
struct Resting {
    at: Position,
    /// Where it may be touched.
    zone: Bounds,
    /// It is looked at in this tick.
    is_listed: bool,
}

#[derive(Debug, Default)]
pub(super) struct Still {
    grid: Grid,
    /// By the slot.
    resting: Vec<Option<Resting>>,
    /// How often one has been put into the grid since it was empty.
    inserted: usize,
    /// Where all that have been put in were.
    all: Option<Bounds>,
    /// All bodies have been looked at since something from outside has changed them: what those at rest touch is known.
    pub(super) is_known: bool,
}

/// Where a body at rest may be touched.
pub(super) fn zone_of(state: &BodyState) -> Bounds {
    Bounds::of(state.kind.shape, state.now.position, I64Vec2::ZERO).grown(LIES)
}

impl Still {
    /// Forgets all bodies.
    pub(super) fn clear(&mut self) {
        self.resting.clear();
        (self.inserted, self.all, self.is_known) = (0, None, false);
    }

    /// Makes room for so many slots, and begins anew if most of what is in the grid is there no more.
    pub(super) fn begin(&mut self, slots: usize) {
        if self.resting.len() != slots || self.inserted > 2 * slots {
            self.clear();
            self.resting.resize(slots, None);
        }
        if self.inserted == 0 {
            self.grid.clear(slots);
        }
    }

    /// Notes that the body of a slot is at rest.
    #[inline]
    pub(super) fn keep(&mut self, slot: usize, state: &BodyState) {
        let at = state.now.position;
        match &mut self.resting[slot] {
            Some(known) if known.at == at => known.is_listed = false,
            known => {
                let zone = zone_of(state);
                *known = Some(Resting { at, zone, is_listed: false });
                self.grid.insert(slot as u32, &zone);
                self.all = Some(self.all.map_or(zone, |all| all.with(&zone)));
                self.inserted += 1;
            }
        }
    }

    /// Notes that no body of a slot is at rest.
    #[inline]
    pub(super) fn forget(&mut self, slot: usize) {
        if self.all.is_some() {
            self.resting[slot] = None;
        }
    }

    /// Whether no body is at rest, as far as is known.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_none()
    }

    /// Fills a list with the slots of bodies at rest within bounds that are not listed yet, in their order.
    pub(super) fn find(&self, bounds: &Bounds, found: &mut Vec<u32>) {
        if !self.all.is_some_and(|all| all.meets(bounds)) {
            found.clear();
            return;
        }
        let zone = |slot: u32| match &self.resting[slot as usize] {
            Some(Resting { is_listed: false, zone, .. }) => *zone,
            _ => Bounds::NONE,
        };
        self.grid.find(bounds, zone, self.resting.len(), found);
    }

    /// Lists the body of a slot.
    pub(super) fn list(&mut self, slot: usize) {
        if let Some(known) = &mut self.resting[slot] {
            known.is_listed = true;
        }
    }
}
