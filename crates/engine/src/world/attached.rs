//! Platforms that are attached to others: they go where these go, and stop as one with them.
//!
//! Attachments make trees. A tick goes through them from the roots up when platforms set out, and back when they have
//! arrived, so that each adds what its parent makes to its own motion. Where a platform's path counts from moves with the
//! parent, too.

use super::platforms::Platforms;
use super::ridden::Ridden;
use crate::platform::{Path, PlatformId};
use glam::I64Vec2;
use std::collections::BTreeMap;
use surefoot_geometry::{ONE, Position};

/// How far from the origin a platform is at most that is attached to another one, on each axis, in units.
const EDGE: i64 = 1 << 61;

impl Platforms {
    /// Attaches a platform to another one, which is not attached to it in turn.
    pub(super) fn attach(&mut self, platform: PlatformId, to: PlatformId) {
        if let Some(state) = self.get_mut(platform) {
            state.now.attached = Some(to);
            self.find_order();
        }
    }

    /// Attaches all platforms by the names of what they are attached to: in a new world on a map, whose names are checked.
    pub(super) fn attach_by_names(&mut self) {
        let named = self.iter().filter(|(_, state)| !state.platform().name.is_empty());
        let ids: BTreeMap<String, PlatformId> = named.map(|(id, state)| (state.platform().name.clone(), id)).collect();
        for slot in 0..self.shapes.len() {
            let Some(state) = self.state_mut(slot) else { continue };
            state.now.attached = ids.get(&state.platform().attached_to).copied();
        }
        self.find_order();
    }

    /// Works out in which order platforms come after what they are attached to. There is none where nothing is attached.
    pub(super) fn find_order(&mut self) {
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        let count = self.slots.versions().len();
        if self.iter().any(|(_, state)| state.now.attached.is_some()) {
            let (mut is_in, mut chain) = (vec![false; count], Vec::new());
            for slot in 0..count {
                let mut next = Some(slot);
                while let Some(slot) = next.filter(|slot| !is_in[*slot]) {
                    is_in[slot] = true;
                    chain.push(slot as u32);
                    next = self.parent(slot);
                }
                order.extend(chain.drain(..).rev());
            }
        }
        self.groups.clear();
        self.groups.extend(0..count as u32);
        self.order = order;
    }

    /// The slot of what the platform of a slot is attached to.
    pub(super) fn parent(&self, slot: usize) -> Option<usize> {
        self.slots.slot(self.state(slot)?.now.attached?)
    }

    /// By how much the platform of a slot is taken along in the tick under way.
    pub(super) fn taken_along(&self, slot: usize) -> I64Vec2 {
        self.parent(slot).map_or(I64Vec2::ZERO, |parent| self.shapes[parent].step)
    }

    /// By how much the platform of a slot moves on the way to a goal, as part of a group; notes the group.
    pub(super) fn step_in_group(&mut self, slot: usize, goal: I64Vec2, origin: I64Vec2) -> I64Vec2 {
        let is_on_its_own = matches!(self.state(slot).map(|state| state.now.ridden), Some(Ridden::Falls { .. }));
        let parent = self.parent(slot).filter(|_| !is_on_its_own);
        self.groups[slot] = parent.map_or(slot as u32, |parent| self.groups[parent]);
        if parent.is_none() {
            return goal - origin;
        }
        let most = I64Vec2::splat((Path::MAX_STEP_TILES * ONE as f64) as i64);
        (goal.clamp(I64Vec2::splat(-EDGE), I64Vec2::splat(EDGE)) - origin).clamp(-most, most)
    }

    /// What stops as one with the platform of a slot: the slot of one of the group, equal for all of it.
    pub(super) fn group(&self, slot: u32) -> u32 {
        if self.order.is_empty() { slot } else { self.groups[slot as usize] }
    }

    /// A group stops: after a part of the way, if all of it was to make the same way, else where it is.
    pub(super) fn stop_group(&mut self, group: u32, made: I64Vec2) {
        if self.order.is_empty() {
            return self.stop(group, made);
        }
        let members = || (0..self.shapes.len()).filter(|slot| self.group(*slot as u32) == group);
        let mut steps = members().map(|slot| self.shapes[slot].step);
        let first = steps.next();
        let made = if steps.all(|step| Some(step) == first) { made } else { I64Vec2::ZERO };
        for slot in 0..self.shapes.len() {
            if self.group(slot as u32) == group {
                self.stop(slot as u32, made);
            }
        }
    }

    /// Marks what goes along when the platform of a slot is put elsewhere: itself, and what is attached to it, directly and by
    /// way of others. What falls goes its own way, and what is attached to that.
    fn mark_attached(&mut self, slot: usize) {
        self.taken.clear();
        self.taken.resize(self.shapes.len(), false);
        self.taken[slot] = true;
        for i in 0..self.order.len() {
            let slot = self.order[i] as usize;
            let falls = matches!(self.state(slot).map(|state| state.now.ridden), Some(Ridden::Falls { .. }));
            let takes = self.parent(slot).is_some_and(|parent| self.taken[parent]);
            self.taken[slot] |= takes && !falls;
        }
    }

    /// The platform of a slot, if it was put elsewhere with those that were last.
    pub(super) fn taken(&self, slot: usize) -> Option<PlatformId> {
        self.taken.get(slot).filter(|taken| **taken).map(|_| self.slots.id(slot))
    }

    /// The first of what is attached to a platform that would be where no position is, if the platform went there.
    pub(super) fn would_be_nowhere(&mut self, platform: PlatformId, to: I64Vec2) -> Option<PlatformId> {
        let slot = self.slots.slot(platform)?;
        let by = to - self.state(slot)?.now.origin;
        self.mark_attached(slot);
        let is_position = |at: I64Vec2| {
            let at = at.saturating_add(by);
            Position::from_units(at.x, at.y).is_some()
        };
        let attached = (0..self.shapes.len()).filter(|other| *other != slot).filter_map(|other| self.taken(other));
        let mut attached = attached;
        attached.find(|id| {
            self.get(*id).is_some_and(|state| !is_position(state.now.origin) || !is_position(state.now.base))
        })
    }

    /// Takes along what is attached to the platform of a slot, which was put elsewhere: by the same way, at rest. What falls
    /// stays where it is, and comes back to where it would have been taken.
    pub(super) fn take_along(&mut self, slot: usize, by: I64Vec2) {
        self.mark_attached(slot);
        if by == I64Vec2::ZERO {
            // Nothing else is elsewhere.
            (0..self.taken.len()).for_each(|other| self.taken[other] = other == slot);
            return;
        }
        let edge = I64Vec2::splat(EDGE);
        let shifted = |at: I64Vec2| at.saturating_add(by).clamp(-edge, edge);
        for other in (0..self.shapes.len()).filter(|other| *other != slot) {
            let (taken, parent) = (self.taken[other], self.parent(other));
            let Some(state) = self.state_mut(other) else { continue };
            let to = shifted(state.now.origin);
            if taken {
                (state.now.origin, state.now.previous, state.now.made) = (to, to, I64Vec2::ZERO);
                (state.now.base, state.now.target) = (shifted(state.now.base), None);
                self.shapes[other].rest_at(to);
            } else if parent.is_some_and(|parent| self.taken[parent]) {
                self.shift_base(other, by);
            }
        }
    }

    /// Has what is attached to a platform go on without it, from where it is.
    pub(super) fn detach_all(&mut self, from: PlatformId) {
        for slot in 0..self.shapes.len() {
            let Some(state) = self.state_mut(slot).filter(|state| state.now.attached == Some(from)) else { continue };
            state.now.attached = None;
            if state.is_on_its_path() {
                state.now.base = state.now.origin - state.baked.way(state.now.clock);
            }
        }
        self.find_order();
    }

    /// Moves where the path of the platform of a slot counts from, as what it is attached to takes it along.
    pub(super) fn shift_base(&mut self, slot: usize, by: I64Vec2) {
        let edge = I64Vec2::splat(EDGE);
        if let Some(state) = self.state_mut(slot).filter(|_| by != I64Vec2::ZERO) {
            state.now.base = state.now.base.saturating_add(by).clamp(-edge, edge);
        }
    }
}
