//! Overlap changes: detects which bodies enter and leave areas in a tick.
//!
//! A body is inside an area if their interiors intersect at the end of the tick; touching is not inside. A fast body
//! can cross an area within one tick and be inside at neither end. The straight path between its two positions, as
//! seen from the area, tells this. The body then enters and leaves the area in the same tick.
//!
//! Most bodies need no test: an [`UnchangedZone`] tells how far a body can move without entering or leaving an area
//! at rest. Affects speed only.

use super::super::BodyState;
use super::super::bodies::Bodies;
use super::index::bounds_of_whole_cells;
use super::{AreaState, Areas, Inside, Top, sort_key};
use crate::area::{AreaId, AreaShape, AttachedTo, inner_box_of};
use crate::area_overlap::{BodyOverlap, centres_overlapping_box};
use crate::event::{BodyId, Event, EventKind};
use crate::motion::{Bounds, Shape};
use crate::version::Version;
use glam::I64Vec2;
use smallvec::SmallVec;
use std::ops::Range;
use surefoot_geometry::{Aabb, ONE, to_lengths};

/// Distance around a body within which areas are searched, in units: four tiles. Affects speed only.
const SEARCH_DISTANCE_UNITS: i64 = 4 * ONE;

/// Number of changes per tick above which the list of overlaps is sorted instead of changed one by one. Affects speed
/// only.
const MAX_SINGLE_CHANGES: usize = 32;

/// Bounds in which the centre of a body can move without entering or exiting an area.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnchangedZone {
    low: I64Vec2,
    high: I64Vec2,
    /// Set if the body must be tested each time it moves, because it is on the border of an area or in an area whose
    /// bounds do not decide. The bounds contain only one area at rest: the one in the given slot, or none.
    border: Option<(Bounds, Option<u32>)>,
}

impl UnchangedZone {
    /// An empty zone.
    pub(super) const NONE: UnchangedZone = UnchangedZone { low: I64Vec2::MAX, high: I64Vec2::MIN, border: None };

    #[inline]
    fn contains(&self, at: I64Vec2) -> bool {
        at.x >= self.low.x && at.x <= self.high.x && at.y >= self.low.y && at.y <= self.high.y
    }
}

/// A change between a body and an area in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pair: Inside,
    what: Passage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Passage {
    Entered,
    Left,
    /// Entered and exited in one tick.
    Crossed,
}

/// Relation between a body and an area.
enum Relation {
    /// The bounds of the body and of the area share no interior.
    Apart,
    /// The body is inside while its centre is within these bounds.
    Within(Bounds),
    /// The bounds do not decide, so an exact test has decided. `true` if the body is inside.
    OnBorder(bool),
}

impl AreaState {
    /// Returns a box around the area, in units.
    pub(super) fn bounds(&self) -> Bounds {
        self.bounds_around_shape().moved(self.origin)
    }

    /// Returns the top of the area relative to a point `lower` units below the centre of a body.
    pub(super) fn top_relative_to_point(&self, state: &BodyState, lower: i64, up: I64Vec2) -> Top {
        let at = state.now.position.units();
        let below = super::component_along_up(self.origin - at, up) + self.top_height_at_body(state, up) + lower;
        let on = if let AttachedTo::Platform(platform) = self.fields().attached_to { Some(platform) } else { None };
        Top { below, motion: self.origin - self.previous, on }
    }

    /// Returns the top of the area relative to the lower side of a character.
    pub(super) fn top_of_ladder(&self, state: &BodyState, up: I64Vec2) -> Top {
        let half = super::component_along_up(state.kind.shape.half_units(), up).abs();
        self.top_relative_to_point(state, half, up)
    }

    /// Returns the height of the area's top above its origin, in units. If the area has several boxes, only boxes at
    /// the body count.
    pub(super) fn top_height_at_body(&self, state: &BodyState, up: I64Vec2) -> i64 {
        let mut top = None;
        self.visit_boxes_at_body(state, up, |aabb| top = top.max(Some(AreaShape::Aabb(*aabb).top(up))));
        top.unwrap_or_else(|| self.fields().shape.top(up))
    }

    /// Visits the boxes of the area that a body overlaps, or else those that it would overlap one unit further down.
    /// None for other shapes.
    fn visit_boxes_at_body(&self, state: &BodyState, up: I64Vec2, mut visit: impl FnMut(&Aabb)) {
        let AreaShape::Boxes(boxes) = &self.fields().shape else { return };
        let (body, half) = (state.kind.shape, to_lengths(state.kind.shape.half_units()));
        let at = state.now.position.units() - self.origin;
        let mut is_any = false;
        for at in [at, at - up] {
            boxes.any_near(to_lengths(at) - half, to_lengths(at) + half, |aabb| {
                if AreaShape::Aabb(*aabb).overlaps(body, at) {
                    is_any = true;
                    visit(aabb);
                }
                false
            });
            if is_any {
                return;
            }
        }
    }

    /// Returns the distances to the right from a body to the middle of the nearest column of the area, in tiles: one,
    /// or one for each box at the body. A box has one column for each tile of its width, at least one.
    pub(super) fn distances_to_columns(
        &self,
        state: &BodyState,
        (up, right): (I64Vec2, I64Vec2),
    ) -> SmallVec<[f64; 4]> {
        let at = state.now.position.units() - self.origin;
        let mut distances = SmallVec::new();
        self.visit_boxes_at_body(state, up, |aabb| {
            let (low, high) = AreaShape::Aabb(*aabb).bounds();
            distances.push(distance_to_nearest_column(&Bounds { low, high }, at, right));
        });
        if distances.is_empty() {
            distances.push(distance_to_nearest_column(&self.bounds_around_shape(), at, right));
        }
        distances
    }

    /// Returns whether the collision mask of the area has a layer of the body, and the body does not carry the area.
    pub(in crate::world) fn detects_body(&self, id: BodyId, body: &BodyState) -> bool {
        self.fields().collision_mask.intersects(body.kind.collision_layers)
            && self.fields().attached_to != AttachedTo::Body(id)
    }

    /// Returns the relation between the area and a shape with its centre at `at`.
    fn relation_to_shape(&self, shape: Shape, at: I64Vec2) -> Relation {
        // Compare positions relative to the area.
        let (at, half) = (at - self.origin, shape.half_units());
        let body_bounds = Bounds { low: at - half, high: at + half };
        if are_apart(&body_bounds, &self.bounds_around_shape()) {
            return Relation::Apart;
        }
        let within = match &self.fields().shape {
            AreaShape::Boxes(boxes) => {
                let (mut found, at_tiles, half) = (None, to_lengths(at), to_lengths(half));
                boxes.any_near(at_tiles - half, at_tiles + half, |aabb| {
                    let own = inner_box_of(aabb).map(|(low, high)| Bounds { low, high });
                    found = own.and_then(|own| centres_overlapping_box(&own, shape, at));
                    found.is_some()
                });
                found
            }
            _ => self.bounds_inside_shape().and_then(|within| centres_overlapping_box(&within, shape, at)),
        };
        match within {
            Some(within) => Relation::Within(within.moved(self.origin)),
            None => Relation::OnBorder(self.fields().shape.overlaps(shape, at)),
        }
    }

    /// Returns whether a body that is not inside now crossed the area in the last tick.
    fn was_crossed_by(&self, body: &BodyState) -> bool {
        let (shape, now, before) = (body.kind.shape, body.now.position.units(), body.now.previous.units());
        // Both positions are relative to the area.
        let (from, to) = (before - self.previous, now - self.origin);
        let path_bounds = Bounds { low: from.min(to) - shape.half_units(), high: from.max(to) + shape.half_units() };
        from != to
            && !are_apart(&path_bounds, &self.bounds_around_shape())
            && self.fields().shape.overlaps_path(shape, from, to)
    }
}

/// Returns the distance to the right from `at` to the middle of the nearest column of a shape, in tiles.
fn distance_to_nearest_column(around: &Bounds, at: I64Vec2, right: I64Vec2) -> f64 {
    let Bounds { low, high } = *around;
    let along = |v: I64Vec2| super::component_along_up(v, right) as f64 / ONE as f64;
    // Measure from the middle of the shape, so that a mirrored scene only changes the sign.
    let from_middle = along(at * 2 - low - high) / 2.0;
    // The box around the shape is one unit larger on each side; remove these two units.
    let width = along(high - low - 2).abs();
    let columns = width.round().max(1.0);
    let in_columns = from_middle * columns / width;
    let most = (columns - 1.0) / 2.0;
    let nearest = if columns % 2.0 == 1.0 {
        in_columns.round()
    } else if in_columns == 0.0 {
        0.0
    } else {
        in_columns.trunc() + 0.5_f64.copysign(in_columns)
    };
    nearest.clamp(-most, most) * (width / columns) - from_middle
}

/// Returns whether two boxes share no interior.
#[inline]
fn are_apart(a: &Bounds, b: &Bounds) -> bool {
    a.high.x <= b.low.x || a.low.x >= b.high.x || a.high.y <= b.low.y || a.low.y >= b.high.y
}

impl Areas {
    /// Finds which bodies entered and exited areas in the last tick, and sends the events: by the slots of the bodies,
    /// then of the areas.
    pub(in crate::world) fn detect_changes(&mut self, bodies: &Bodies, events: &mut Vec<Event>) {
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
        if self.index.refill_if_outdated(&self.states, self.version) {
            self.zones.clear();
        }
        let states = bodies.states();
        self.zones.resize(states.len(), UnchangedZone::NONE);
        let (mut slot, mut first) = (0, 0);
        while let Some(next) = self.next_body_to_check(states, slot) {
            slot = next + 1;
            let Some(state) = &states[next] else { continue };
            let id: BodyId = bodies.slots.id(next);
            // `inside` and `states` are both in the order of the bodies' slots. So one pass through both finds the
            // pairs of each body.
            first += self.inside[first..].iter().take_while(|pair| sort_key(pair.body) < sort_key(id)).count();
            let last = first + self.inside[first..].iter().take_while(|pair| pair.body == id).count();
            if !self.zones[next].contains(state.now.position.units()) {
                self.zones[next] =
                    self.record_changes_at_resting_areas(id, state, first..last, self.zones[next].border);
            }
            for i in 0..self.lists.carried.len() {
                self.record_change_and_find_relation(id, state, self.lists.carried[i], first..last);
            }
        }
        if self.changes.is_empty() {
            return;
        }
        self.changes.sort_unstable_by_key(|change| change.pair.sort_key());
        self.apply_and_send_changes(events);
    }

    /// Returns the slot of the next body to test, from slot `from` on.
    #[inline]
    fn next_body_to_check(&self, states: &[Option<BodyState>], from: usize) -> Option<usize> {
        let mut rest = states[from..].iter().zip(&self.zones[from..]);
        let next = if self.lists.carried.is_empty() {
            rest.position(|(state, zone)| {
                state.as_ref().is_some_and(|state| !zone.contains(state.now.position.units()))
            })
        } else {
            rest.position(|(state, _)| state.is_some())
        };
        next.map(|next| from + next)
    }

    /// Compares a body with the areas at rest around it. Returns how far it can move without a change.
    fn record_changes_at_resting_areas(
        &mut self,
        id: BodyId,
        body: &BodyState,
        own: Range<usize>,
        border: Option<(Bounds, Option<u32>)>,
    ) -> UnchangedZone {
        let (half, now, before) = (body.kind.shape.half_units(), body.now.position.units(), body.now.previous.units());
        let (low, high) = (now.min(before) - half, now.max(before) + half);
        let mut near = std::mem::take(&mut self.near);
        // A body on the border of an area is tested each time it moves. If only one area is near, search the index
        // again only after the body leaves the searched cells.
        let reached = Bounds { low, high };
        let was_on_border = border.is_some();
        let border = match border {
            Some((within, Some(slot))) if within.covers(&reached) => {
                near.clear();
                near.push(slot);
                border
            }
            Some(_) => {
                self.index.find_areas_within(&reached, &mut near);
                let only = if let [only] = near[..] { Some(only) } else { None };
                Some((bounds_of_whole_cells(&reached), only))
            }
            None => {
                self.index.find_areas_within(&reached.grown(SEARCH_DISTANCE_UNITS), &mut near);
                Some((Bounds::NONE, None))
            }
        };
        // Areas that the body has left far behind are not in the search result, so compare them here.
        for i in own.clone() {
            let slot = self.slots.slot(self.inside[i].area).map(|slot| slot as u32);
            if let Some(slot) = slot.filter(|slot| !self.lists.carried.contains(slot) && !near.contains(slot)) {
                near.push(slot);
            }
        }
        let (mut free, mut is_on_border) =
            (Bounds { low: now - SEARCH_DISTANCE_UNITS, high: now + SEARCH_DISTANCE_UNITS }, false);
        for slot in &near {
            match self.record_change_and_find_relation(id, body, *slot, own.clone()) {
                None => {}
                Some(Relation::OnBorder(_)) => is_on_border = true,
                Some(relation) if !was_on_border => self.limit_free_bounds_by_area(&mut free, body, *slot, &relation),
                Some(_) => {}
            }
        }
        if was_on_border && !is_on_border {
            // The body has left the border. Its changes are recorded, so only find the bounds in which it can move
            // freely.
            self.index.find_areas_within(&reached.grown(SEARCH_DISTANCE_UNITS), &mut near);
            for slot in &near {
                let state = self.states[*slot as usize].as_ref().filter(|state| state.detects_body(id, body));
                let Some(state) = state else { continue };
                self.limit_free_bounds_by_area(&mut free, body, *slot, &state.relation_to_shape(body.kind.shape, now));
            }
        }
        self.near = near;
        if is_on_border {
            return UnchangedZone { low: now, high: now, border };
        }
        UnchangedZone { low: free.low, high: free.high, border: None }
    }

    /// Cuts the region in which the centre of a body can move without a change at an area.
    fn limit_free_bounds_by_area(&self, free: &mut Bounds, body: &BodyState, slot: u32, relation: &Relation) {
        let (now, half) = (body.now.position.units(), body.kind.shape.half_units());
        match (relation, &self.states[slot as usize]) {
            (Relation::Within(within), _) => {
                (free.low, free.high) = (free.low.max(within.low), free.high.min(within.high));
            }
            (Relation::Apart, Some(state)) => {
                let Bounds { low, high } = state.bounds();
                // Cut on the axis and side that keep the largest free region.
                let other = Bounds { low: low - half, high: high + half };
                let (before, behind) = (now - other.high, other.low - now);
                let most = before.max_element().max(behind.max_element());
                if before.x == most {
                    free.low.x = free.low.x.max(other.high.x);
                } else if behind.x == most {
                    free.high.x = free.high.x.min(other.low.x);
                } else if before.y == most {
                    free.low.y = free.low.y.max(other.high.y);
                } else {
                    free.high.y = free.high.y.min(other.low.y);
                }
            }
            _ => {}
        }
    }

    /// Records the change between a body and the area in a slot. `own`: the areas that contained the body. Returns
    /// their relation, if the area detects the body.
    fn record_change_and_find_relation(
        &mut self,
        id: BodyId,
        body: &BodyState,
        slot: u32,
        own: Range<usize>,
    ) -> Option<Relation> {
        let state = self.states[slot as usize].as_ref()?;
        let area: AreaId = self.slots.id(slot as usize);
        let was = self.inside[own].iter().any(|pair| pair.area == area);
        let relation =
            state.detects_body(id, body).then(|| state.relation_to_shape(body.kind.shape, body.now.position.units()));
        let is = matches!(relation, Some(Relation::Within(_) | Relation::OnBorder(true)));
        let what = match (was, is) {
            (false, true) => Passage::Entered,
            (true, false) => Passage::Left,
            (false, false) if relation.is_some() && state.was_crossed_by(body) => Passage::Crossed,
            _ => return relation,
        };
        self.changes.push(Change { pair: Inside { body: id, area }, what });
        relation
    }

    /// Sends the events of the sorted changes, and applies the changes.
    fn apply_and_send_changes(&mut self, events: &mut Vec<Event>) {
        let Areas { changes, inside, .. } = self;
        for Change { pair: Inside { body, area }, what } in changes.iter().copied() {
            if what != Passage::Left {
                events.push(Event { body, kind: EventKind::AreaEntered { area } });
            }
            if what != Passage::Entered {
                events.push(Event { body, kind: EventKind::AreaExited { area } });
            }
        }
        changes.retain(|change| change.what != Passage::Crossed);
        if changes.is_empty() {
            return;
        }
        if self.lists.acts {
            self.inside_version = Version::next();
        }
        if changes.len() <= MAX_SINGLE_CHANGES {
            for Change { pair, what } in changes.drain(..) {
                match (inside.binary_search_by_key(&pair.sort_key(), Inside::sort_key), what) {
                    (Ok(at), Passage::Left) => drop(inside.remove(at)),
                    (Err(at), Passage::Entered) => inside.insert(at, pair),
                    _ => {}
                }
            }
            return;
        }
        let has_left = |pair: &Inside| {
            let at = changes.binary_search_by_key(&pair.sort_key(), |change| change.pair.sort_key());
            at.is_ok_and(|at| changes[at].what == Passage::Left)
        };
        inside.retain(|pair| !has_left(pair));
        inside.extend(changes.iter().filter(|change| change.what == Passage::Entered).map(|change| change.pair));
        inside.sort_unstable_by_key(Inside::sort_key);
    }
}
