//! Which bodies come into areas and go out of them in a tick.
//!
//! A body is inside of an area if their interiors meet where both are at the end of the tick: touching is not inside. One that
//! is inside at neither end of the tick, but comes over the area on the straight way between where it was and where it is, seen
//! from the area, has entered and left it.
//!
//! Most bodies need no look: a [`Zone`] says how far a body can go without a change, as far as areas at rest go. It decides
//! about speed alone.

use super::super::BodyState;
use super::super::bodies::Bodies;
use super::{AreaState, Areas, Inside, order};
use crate::area::{AreaId, Carrier};
use crate::event::{BodyId, Event, EventKind};
use crate::motion::Shape;
use glam::I64Vec2;
use surefoot_geometry::ONE;

/// How far around a body areas are looked for, in units: four tiles. Decides about speed alone.
const AROUND: i64 = 4 * ONE;

/// Where the centre of a body can be without a change of what it is inside of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Zone {
    low: I64Vec2,
    high: I64Vec2,
    /// It was on the border of an area when it was looked at last, or in one that has to be asked each time.
    is_on_border: bool,
}

impl Zone {
    /// No place.
    pub(super) const NONE: Zone = Zone { low: I64Vec2::MAX, high: I64Vec2::MIN, is_on_border: false };

    #[inline]
    fn holds(&self, at: I64Vec2) -> bool {
        at.x >= self.low.x && at.x <= self.high.x && at.y >= self.low.y && at.y <= self.high.y
    }
}

/// What a tick has done to a body and an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pair: Inside,
    what: Passage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Passage {
    Entered,
    Left,
    /// Both in one tick.
    Crossed,
}

/// How a body lies to an area.
enum Relation {
    /// Its bounds and those of the area share no interior.
    Apart,
    /// Its bounds lie within a box in the area.
    Within(I64Vec2, I64Vec2),
    /// Neither: whether it is inside.
    OnBorder(bool),
}

impl AreaState {
    /// The lower left and the upper right corner of a box around it, in units.
    pub(super) fn bounds(&self) -> (I64Vec2, I64Vec2) {
        let (low, high) = self.area.shape.bounds();
        (self.origin + low, self.origin + high)
    }

    fn counts(&self, id: BodyId, body: &BodyState) -> bool {
        self.area.collision_mask.meets(body.kind.collision_layers) && self.area.on != Carrier::Body(id)
    }

    fn relation(&self, shape: Shape, at: I64Vec2) -> Relation {
        let (low, high) = self.bounds();
        let (own_low, own_high) = (at - shape.half(), at + shape.half());
        if own_high.cmple(low).any() || own_low.cmpge(high).any() {
            return Relation::Apart;
        }
        if let Some((low, high)) = self.area.shape.within() {
            let (low, high) = (self.origin + low, self.origin + high);
            if own_low.cmpge(low).all() && own_high.cmple(high).all() {
                return Relation::Within(low, high);
            }
        }
        Relation::OnBorder(self.area.shape.overlaps(shape, at - self.origin))
    }

    /// Whether a body that is not inside now has come over it in the last tick.
    fn was_crossed(&self, body: &BodyState) -> bool {
        let (shape, now, before) = (body.kind.shape, body.now.position.units(), body.now.previous.units());
        // As seen from the area.
        let (from, to) = (before - self.previous, now - self.origin);
        let (low, high) = self.area.shape.bounds();
        let (own_low, own_high) = (from.min(to) - shape.half(), from.max(to) + shape.half());
        if from == to || own_high.cmple(low).any() || own_low.cmpge(high).any() {
            return false;
        }
        self.area.shape.overlaps_way(shape, from, to)
    }
}

impl Areas {
    /// Finds which bodies have come in and gone out in the tick that has just been made, and tells of them: by the slots of
    /// the bodies, then of the areas.
    pub(in crate::world) fn look(&mut self, bodies: &Bodies, events: &mut Vec<Event>) {
        self.changes.clear();
        if self.removed {
            self.removed = false;
            for i in 0..self.inside.len() {
                let pair = self.inside[i];
                if bodies.get(pair.body).is_none() || self.get(pair.area).is_none() {
                    self.changes.push(Change { pair, what: Passage::Left });
                }
            }
        }
        self.index.prepare(&self.states);
        let slots = bodies.slots.versions().len();
        self.zones.resize(slots, Zone::NONE);
        let mut first = 0;
        for (id, state) in bodies.iter() {
            let slot = (order(id) >> 32) as usize - 1;
            let is_known = self.zones[slot].holds(state.now.position.units());
            if is_known && self.carried.is_empty() {
                continue;
            }
            // Both are in the order of the slots.
            first += self.inside[first..].iter().take_while(|pair| order(pair.body) < order(id)).count();
            let last = first + self.inside[first..].iter().take_while(|pair| pair.body == id).count();
            if !is_known {
                self.zones[slot] = self.look_at_rest(id, state, first..last, self.zones[slot].is_on_border);
            }
            for i in 0..self.carried.len() {
                self.compare(id, state, self.carried[i], first..last);
            }
        }
        if self.changes.is_empty() {
            return;
        }
        self.changes.sort_unstable_by_key(|change| change.pair.order());
        self.take_changes(events);
    }

    /// Compares a body with the areas at rest around it, and answers how far it can go without a change.
    fn look_at_rest(&mut self, id: BodyId, body: &BodyState, own: std::ops::Range<usize>, was_on_border: bool) -> Zone {
        let (shape, now, before) = (body.kind.shape, body.now.position.units(), body.now.previous.units());
        let (low, high) = (now.min(before) - shape.half(), now.max(before) + shape.half());
        let mut near = std::mem::take(&mut self.near);
        // A body on a border is looked at each time that it moves.
        let on_border = Zone { low: now, high: now, is_on_border: true };
        let is_on_border = |areas: &Areas, near: &[u32]| {
            near.iter().any(|slot| {
                let state = areas.states[*slot as usize].as_ref().filter(|state| state.counts(id, body));
                state.is_some_and(|state| matches!(state.relation(shape, now), Relation::OnBorder(_)))
            })
        };
        self.index.find((low, high), &mut near);
        let mut zone = if was_on_border && is_on_border(self, &near) {
            on_border
        } else {
            self.index.find((low - AROUND, high + AROUND), &mut near);
            self.zone_among(id, body, &near).unwrap_or(on_border)
        };
        zone.is_on_border = zone.low == zone.high;
        // What it has left far behind is not near any more.
        for i in own.clone() {
            let pair = self.inside[i];
            let slot = self.slots.slot(pair.area).map(|slot| slot as u32);
            if let Some(slot) = slot.filter(|slot| !self.carried.contains(slot) && !near.contains(slot)) {
                near.push(slot);
            }
        }
        for slot in &near {
            self.compare(id, body, *slot, own.clone());
        }
        self.near = near;
        zone
    }

    /// How far a body can go among areas at rest, which are all within [`AROUND`]; `None` on the border of one.
    fn zone_among(&self, id: BodyId, body: &BodyState, near: &[u32]) -> Option<Zone> {
        let (shape, now) = (body.kind.shape, body.now.position.units());
        let half = shape.half();
        let (mut low, mut high) = (now - half - AROUND, now + half + AROUND);
        for slot in near {
            let state = self.states[*slot as usize].as_ref().filter(|state| state.counts(id, body));
            let Some(state) = state else { continue };
            match state.relation(shape, now) {
                Relation::OnBorder(_) => return None,
                Relation::Within(least, most) => (low, high) = (low.max(least), high.min(most)),
                Relation::Apart => {
                    let (least, most) = state.bounds();
                    // Up to the area on the side on which there is most room.
                    let gaps = [
                        now.x - half.x - most.x,
                        least.x - now.x - half.x,
                        now.y - half.y - most.y,
                        least.y - now.y - half.y,
                    ];
                    match (0..4).max_by_key(|side| gaps[*side]) {
                        Some(0) => low.x = low.x.max(most.x),
                        Some(1) => high.x = high.x.min(least.x),
                        Some(2) => low.y = low.y.max(most.y),
                        _ => high.y = high.y.min(least.y),
                    }
                }
            }
        }
        Some(Zone { low: low + half, high: high - half, is_on_border: false })
    }

    /// Notes what has changed between a body, which was inside of these, and the area in a slot.
    fn compare(&mut self, id: BodyId, body: &BodyState, slot: u32, own: std::ops::Range<usize>) {
        let Some(state) = &self.states[slot as usize] else { return };
        let area: AreaId = self.slots.id(slot as usize);
        let was = self.inside[own].iter().any(|pair| pair.area == area);
        let counts = state.counts(id, body);
        let is = counts
            && match state.relation(body.kind.shape, body.now.position.units()) {
                Relation::Apart => false,
                Relation::Within(..) => true,
                Relation::OnBorder(is) => is,
            };
        let what = match (was, is) {
            (false, true) => Passage::Entered,
            (true, false) => Passage::Left,
            (false, false) if counts && state.was_crossed(body) => Passage::Crossed,
            _ => return,
        };
        self.changes.push(Change { pair: Inside { body: id, area }, what });
    }

    /// Tells of the changes, which are in order, and makes them.
    fn take_changes(&mut self, events: &mut Vec<Event>) {
        let Areas { changes, inside, .. } = self;
        for Change { pair: Inside { body, area }, what } in changes.iter().copied() {
            if what != Passage::Left {
                events.push(Event { body, kind: EventKind::Entered { area } });
            }
            if what != Passage::Entered {
                events.push(Event { body, kind: EventKind::Left { area } });
            }
        }
        changes.retain(|change| change.what != Passage::Crossed);
        if changes.is_empty() {
            return;
        }
        let has_left = |pair: &Inside| {
            let at = changes.binary_search_by_key(&pair.order(), |change| change.pair.order());
            at.is_ok_and(|at| changes[at].what == Passage::Left)
        };
        inside.retain(|pair| !has_left(pair));
        inside.extend(changes.iter().filter(|change| change.what == Passage::Entered).map(|change| change.pair));
        inside.sort_unstable_by_key(Inside::order);
        self.unknown = true;
    }
}
