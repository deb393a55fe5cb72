//! Platforms attached to other platforms: they move with their parent, and stop as one group.
//!
//! Attachments form trees. When platforms set out, a tick goes through the trees from the roots up, so that each
//! platform adds its parent's motion to its own. When they have arrived, it goes back down. The origin of a platform's
//! path moves with the parent too.

use super::platforms::Platforms;
use super::ridden::RideState;
use crate::platform::{Path, PlatformId};
use glam::I64Vec2;
use std::collections::BTreeMap;
use surefoot_geometry::{ONE, Position};

/// Maximum distance of an attached platform from the origin, on each axis, in units.
const MAX_COORDINATE: i64 = 1 << 61;

impl Platforms {
    /// Attaches a platform to another one, which must not be attached to it in turn.
    pub(super) fn attach(&mut self, platform: PlatformId, to: PlatformId) {
        if let Some(state) = self.get_mut(platform) {
            state.now.attached = Some(to);
            self.sort_parents_first();
        }
    }

    /// Attaches all platforms of a new world by the names in the map, which are already checked.
    pub(super) fn attach_all_by_names(&mut self) {
        let named = self.iter().filter(|(_, state)| !state.platform().name.is_empty());
        let ids: BTreeMap<String, PlatformId> = named.map(|(id, state)| (state.platform().name.clone(), id)).collect();
        for slot in 0..self.shapes.len() {
            let Some(state) = self.state_mut(slot) else { continue };
            state.now.attached = ids.get(&state.platform().attached_to).copied();
        }
        self.sort_parents_first();
    }

    /// Finds an order in which each platform comes after its parent. Empty if no platform is attached.
    pub(super) fn sort_parents_first(&mut self) {
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

    /// Returns the slot of the parent of the platform in a slot.
    pub(super) fn parent(&self, slot: usize) -> Option<usize> {
        self.slots.slot(self.state(slot)?.now.attached?)
    }

    /// Returns the displacement that the platform in a slot inherits from its parent this tick.
    pub(super) fn inherited_step(&self, slot: usize) -> I64Vec2 {
        self.parent(slot).map_or(I64Vec2::ZERO, |parent| self.shapes[parent].step)
    }

    /// Returns the step of the platform in a slot towards a goal, as a member of a group. Records the group.
    pub(super) fn record_group_and_find_step(&mut self, slot: usize, goal: I64Vec2, origin: I64Vec2) -> I64Vec2 {
        let is_on_its_own = matches!(self.state(slot).map(|state| state.now.ridden), Some(RideState::Falls { .. }));
        let parent = self.parent(slot).filter(|_| !is_on_its_own);
        self.groups[slot] = parent.map_or(slot as u32, |parent| self.groups[parent]);
        if parent.is_none() {
            return goal - origin;
        }
        let most = I64Vec2::splat((Path::MAX_STEP_TILES * ONE as f64) as i64);
        (goal.clamp(I64Vec2::splat(-MAX_COORDINATE), I64Vec2::splat(MAX_COORDINATE)) - origin).clamp(-most, most)
    }

    /// Returns the group of the platform in a slot: the slot of one member, equal for all members.
    pub(super) fn group(&self, slot: u32) -> u32 {
        if self.order.is_empty() { slot } else { self.groups[slot as usize] }
    }

    /// Stops a group of attached platforms. If all members move by the same displacement, they stop after `made`,
    /// else they do not move in this tick.
    pub(super) fn stop_group(&mut self, group: u32, made: I64Vec2) {
        if self.order.is_empty() {
            return self.stop_after_displacement(group, made);
        }
        let members = || (0..self.shapes.len()).filter(|slot| self.group(*slot as u32) == group);
        let mut steps = members().map(|slot| self.shapes[slot].step);
        let first = steps.next();
        let made = if steps.all(|step| Some(step) == first) { made } else { I64Vec2::ZERO };
        for slot in 0..self.shapes.len() {
            if self.group(slot as u32) == group {
                self.stop_after_displacement(slot as u32, made);
            }
        }
    }

    /// Marks the platforms that move along if the platform in a slot is teleported: itself and all descendants. A
    /// falling platform and its descendants do not move along.
    fn mark_platform_and_descendants(&mut self, slot: usize) {
        self.taken.clear();
        self.taken.resize(self.shapes.len(), false);
        self.taken[slot] = true;
        for i in 0..self.order.len() {
            let slot = self.order[i] as usize;
            let falls = matches!(self.state(slot).map(|state| state.now.ridden), Some(RideState::Falls { .. }));
            let takes = self.parent(slot).is_some_and(|parent| self.taken[parent]);
            self.taken[slot] |= takes && !falls;
        }
    }

    /// Returns the platform in a slot if the last teleport moved it.
    pub(super) fn teleported_platform(&self, slot: usize) -> Option<PlatformId> {
        self.taken.get(slot).filter(|taken| **taken).map(|_| self.slots.id(slot))
    }

    /// Returns the first attached platform that would leave the valid coordinates if `platform` moved to `to`.
    pub(super) fn find_first_out_of_range(&mut self, platform: PlatformId, to: I64Vec2) -> Option<PlatformId> {
        let slot = self.slots.slot(platform)?;
        let by = to - self.state(slot)?.now.origin;
        self.mark_platform_and_descendants(slot);
        let is_position = |at: I64Vec2| {
            let at = at.saturating_add(by);
            Position::from_units(at.x, at.y).is_some()
        };
        let attached =
            (0..self.shapes.len()).filter(|other| *other != slot).filter_map(|other| self.teleported_platform(other));
        let mut attached = attached;
        attached.find(|id| {
            self.get(*id).is_some_and(|state| !is_position(state.now.origin) || !is_position(state.now.base))
        })
    }

    /// Moves all descendants of a teleported platform by the same displacement, at rest. A falling platform stays in
    /// place, but the position to which it returns moves along.
    pub(super) fn move_descendants(&mut self, slot: usize, by: I64Vec2) {
        self.mark_platform_and_descendants(slot);
        if by == I64Vec2::ZERO {
            // Nothing moves along if the platform does not move.
            (0..self.taken.len()).for_each(|other| self.taken[other] = other == slot);
            return;
        }
        let edge = I64Vec2::splat(MAX_COORDINATE);
        let shifted = |at: I64Vec2| at.saturating_add(by).clamp(-edge, edge);
        for other in (0..self.shapes.len()).filter(|other| *other != slot) {
            let (taken, parent) = (self.taken[other], self.parent(other));
            let Some(state) = self.state_mut(other) else { continue };
            let to = shifted(state.now.origin);
            if taken {
                (state.now.origin, state.now.previous, state.now.made) = (to, to, I64Vec2::ZERO);
                (state.now.base, state.now.target) = (shifted(state.now.base), None);
                self.shapes[other].place_at_rest(to);
            } else if parent.is_some_and(|parent| self.taken[parent]) {
                self.shift_path_origin(other, by);
            }
        }
    }

    /// Detaches all platforms from `from`. They continue from their positions.
    pub(super) fn detach_platforms_from(&mut self, from: PlatformId) {
        for slot in 0..self.shapes.len() {
            let Some(state) = self.state_mut(slot).filter(|state| state.now.attached == Some(from)) else { continue };
            state.now.attached = None;
            if state.is_on_its_path() {
                state.now.base = state.now.origin - state.baked.path_displacement(state.now.clock);
            }
        }
        self.sort_parents_first();
    }

    /// Moves the path origin of the platform in a slot, because its parent moved.
    pub(super) fn shift_path_origin(&mut self, slot: usize, by: I64Vec2) {
        let edge = I64Vec2::splat(MAX_COORDINATE);
        if let Some(state) = self.state_mut(slot).filter(|_| by != I64Vec2::ZERO) {
            state.now.base = state.now.base.saturating_add(by).clamp(-edge, edge);
        }
    }
}
