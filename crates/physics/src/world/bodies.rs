use super::BodyState;
use super::Settings;
use super::character::{Mode, Timers};
use super::kinds::{Kind, Kinds};
use super::slots::Slots;
use super::state::Now;
use crate::body::{Body, Character};
use crate::command::CommandError;
use crate::event::BodyId;
use crate::motion::Up;
use crate::version::{HashedVersion, Version};
use std::ops::{Index, IndexMut};
use std::sync::Arc;

/// Bodies of a world in the order of their slots.
#[derive(Debug)]
pub(crate) struct Bodies {
    pub(crate) slots: Slots,
    /// A state for each slot; `None` in a free one.
    states: Vec<Option<BodyState>>,
    /// Configurations of the bodies.
    kinds: Kinds,
    /// Number of bodies of the map that were spawned. They have the first slots.
    pub(super) placed: usize,
    /// Features that any body ever used.
    features: Features,
    /// Whether any body may be marked for a recheck. If not, no body is visited.
    pub(super) disturbed: bool,
    /// Memory of removed bodies, to be reused.
    spare: Vec<BodyState>,
    /// Memory of executed spawns, to be reused.
    #[expect(clippy::vec_box, reason = "a command holds the box")]
    pub(super) spare_spawns: Vec<Box<Body>>,
    /// Identifies the slots and the configurations, with a hash of each.
    pub(crate) version: HashedVersion<[u64; 2]>,
    /// Identifies the state of the world except inputs. Each command, each restore and each tick that moves anything
    /// takes a new one.
    pub(super) moment: Version,
}

/// Features that any body of a world ever had. A step skips the work for features that no body has. Affects speed
/// only.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Features {
    /// A body with a collision mask, so that bodies can collide.
    pub(super) collide: bool,
    /// A character whose jumps depend on earlier ticks.
    pub(super) have_jump_state: bool,
    /// A character whose abilities count ticks.
    pub(super) have_timers: bool,
    /// A body with a time scale of 0.
    pub(super) stand_still: bool,
    /// A body with an up of its own.
    pub(super) have_ups: bool,
}

impl Features {
    fn add_features_of(&mut self, kind: &Body) {
        self.collide |= !kind.collision_mask.is_empty();
        self.have_jump_state |= has_jump_state(kind);
        self.have_timers |= has_timers(kind);
        self.stand_still |= kind.is_time_stopped();
        self.have_ups |= kind.up.is_some();
    }
}

impl Bodies {
    /// Creates an empty list for a world with those settings.
    pub(super) fn new(settings: Settings) -> Bodies {
        Bodies {
            slots: Slots::default(),
            states: Vec::new(),
            kinds: Kinds::new(settings),
            placed: 0,
            features: Features::default(),
            disturbed: false,
            spare: Vec::new(),
            spare_spawns: Vec::new(),
            version: HashedVersion::default(),
            moment: Version::next(),
        }
    }

    pub(super) fn parts_mut(&mut self) -> (&Slots, &mut Vec<Option<BodyState>>, &mut Kinds, &mut Vec<BodyState>) {
        (&self.slots, &mut self.states, &mut self.kinds, &mut self.spare)
    }

    /// Drops configurations that no body uses, if there are many of them.
    pub(super) fn drop_unused_kinds_if_many(&mut self) {
        if self.kinds.may_be_mostly_unused() {
            self.kinds.retain_used(self.states.iter().flatten().map(|state| &state.kind));
        }
    }

    /// Returns the features that any body ever used.
    #[inline]
    pub(super) fn features_in_use(&self) -> &Features {
        &self.features
    }

    /// Finds the features that bodies use, after all bodies were replaced.
    #[cfg(feature = "record")]
    pub(super) fn update_features(&mut self) {
        let mut features = Features::default();
        for state in self.values() {
            features.add_features_of(&state.kind);
            features.have_ups |= state.kind.area_up.is_some();
            // A command can take the ability away while the ability lasts. The next tick must still report its end.
            features.have_jump_state |= state.now.flags.has_ability();
        }
        self.features = features;
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns the number of bodies for which memory is allocated.
    pub(super) fn capacity(&self) -> usize {
        self.len() + self.spare.len()
    }

    /// Returns the configuration of a new body.
    pub(super) fn intern_kind(&mut self, body: &Body) -> Arc<Kind> {
        self.drop_unused_kinds_if_many();
        self.kinds.intern(body, None)
    }

    /// Reserves memory for `count` more bodies.
    pub(super) fn reserve(&mut self, count: usize) {
        self.slots.reserve(count);
        self.states.reserve_exact(count);
    }

    /// Creates the state of a new body in the memory of a removed one.
    pub(super) fn new_state(&mut self, kind: Arc<Kind>, now: Now) -> BodyState {
        match self.spare.pop() {
            Some(spare) => spare.reused_for_new_body(kind, now),
            None => BodyState::new(kind, now),
        }
    }

    /// Inserts a body. Call [`Bodies::renew_version_after_insertions`] after the last of several insertions.
    pub(crate) fn insert(&mut self, state: BodyState) -> BodyId {
        self.features.add_features_of(&state.kind);
        let slot = self.slots.next_slot();
        if slot == self.states.len() {
            self.states.push(Some(state));
        } else {
            self.states[slot] = Some(state);
        }
        self.slots.insert()
    }

    /// Renews the version, once after all insertions: once per body would slow down the loading of maps.
    pub(crate) fn renew_version_after_insertions(&mut self) {
        self.version.renew();
    }

    /// Removes a body. Its last state can be read until the next insertion.
    pub(crate) fn remove(&mut self, body: BodyId) -> Option<&mut BodyState> {
        let slot = self.slots.remove(body)?;
        self.version.renew();
        self.spare.push(self.states[slot].take()?);
        self.spare.last_mut()
    }

    /// Changes the configuration of a body.
    pub(super) fn change_configuration(
        &mut self,
        body: BodyId,
        change: impl FnOnce(&mut Body),
    ) -> Result<&mut BodyState, CommandError> {
        self.drop_unused_kinds_if_many();
        let state = self.slots.slot(body).and_then(|slot| self.states[slot].as_mut());
        let state = state.ok_or(CommandError::NoSuchBody(body))?;
        let mut to = state.kind.original_body().configuration();
        change(&mut to);
        let before = state.change_kind(self.kinds.intern(&to, state.kind.area_up));
        self.features.add_features_of(&to);
        if !has_timers(&to) {
            state.release_ride_hold();
            state.set_timers(Timers::NONE);
            if state.now.mode.has_velocity_set_by_ability() {
                state.change(|now| now.enter_mode(Mode::Air));
            }
        }
        if has_jump_state(&before) != has_jump_state(&to) {
            // The new character did not make the current jump, so reset the mode.
            state.change(|now| now.enter_mode(Mode::after_placement(&to)));
        }
        if to.character.is_none() {
            state.change(|now| now.jump_held = false);
        }
        if to.character.is_none()
            && let Some(cold) = &mut state.cold
        {
            cold.lift = None;
        }
        self.version.renew();
        Ok(state)
    }

    /// Changes the up direction that areas give a body. Returns the former configuration of the body.
    pub(super) fn set_area_up(&mut self, body: BodyId, up: Option<Up>) -> Option<Arc<Kind>> {
        self.drop_unused_kinds_if_many();
        let state = self.slots.slot(body).and_then(|slot| self.states[slot].as_mut())?;
        self.features.have_ups = true;
        self.version.renew();
        let kind = self.kinds.intern(state.kind.original_body(), up);
        Some(state.change_kind(kind))
    }

    #[inline]
    pub(crate) fn get(&self, body: BodyId) -> Option<&BodyState> {
        self.slots.slot(body).and_then(|slot| self.states[slot].as_ref())
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, body: BodyId) -> Option<&mut BodyState> {
        self.slots.slot(body).and_then(|slot| self.states[slot].as_mut())
    }

    /// Returns the body in a slot.
    pub(super) fn slot_mut(&mut self, slot: usize) -> Option<&mut BodyState> {
        self.states.get_mut(slot).and_then(Option::as_mut)
    }

    /// Returns a state for each slot; `None` in a free one.
    #[inline]
    pub(super) fn states(&self) -> &[Option<BodyState>] {
        &self.states
    }

    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (BodyId, &BodyState)> {
        let slots = self.slots.versions().iter().zip(&self.states).enumerate();
        slots.filter_map(|(slot, (&version, state))| {
            state.as_ref().map(|state| (super::slots::id(slot, version), state))
        })
    }

    /// Returns each body with a function for its id, which most ticks of a body do not need.
    #[inline]
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (impl Fn() -> BodyId, &mut BodyState)> {
        let slots = self.slots.versions().iter().zip(&mut self.states).enumerate();
        slots.filter_map(|(slot, (version, state))| {
            state.as_mut().map(|state| (move || super::slots::id(slot, *version), state))
        })
    }

    /// Returns the slots, which know the ids, and the bodies with their slots.
    #[inline]
    pub(super) fn iter_mut_with_slots(&mut self) -> (&Slots, impl Iterator<Item = (usize, &mut BodyState)>) {
        let states = self.states.iter_mut().enumerate();
        (&self.slots, states.filter_map(|(slot, state)| state.as_mut().map(|state| (slot, state))))
    }

    #[inline]
    pub(crate) fn values(&self) -> impl Iterator<Item = &BodyState> {
        self.states.iter().flatten()
    }

    #[inline]
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut BodyState> {
        self.states.iter_mut().flatten()
    }
}

fn has_timers(kind: &Body) -> bool {
    kind.character.as_ref().is_some_and(Character::has_timers)
}

fn has_jump_state(kind: &Body) -> bool {
    kind.character.as_ref().is_some_and(Character::has_jump_state)
}

impl Clone for Bodies {
    /// Copies everything except the memory of removed bodies.
    fn clone(&self) -> Bodies {
        Bodies {
            slots: self.slots.clone(),
            states: self.states.clone(),
            kinds: self.kinds.clone(),
            placed: self.placed,
            features: self.features,
            disturbed: self.disturbed,
            spare: Vec::new(),
            spare_spawns: Vec::new(),
            version: self.version.clone(),
            moment: self.moment,
        }
    }
}

impl Bodies {
    /// Copies into the memory of the existing bodies.
    pub(super) fn copy(&mut self, from: &Bodies) {
        let Bodies { slots, states, kinds, placed, features, disturbed, version, moment, spare: _, spare_spawns: _ } =
            from;
        (self.placed, self.features, self.disturbed, self.moment) = (*placed, *features, *disturbed, *moment);
        let same = self.version.version() == version.version();
        if !same {
            self.slots.copy(slots);
            self.kinds.copy(kinds);
            self.version.clone_from(version);
        }
        self.spare.extend(self.states.drain(states.len().min(self.states.len())..).flatten());
        self.states.resize_with(states.len(), || None);
        for (own, state) in self.states.iter_mut().zip(states) {
            match (own.as_mut(), state) {
                (Some(own), Some(state)) => own.copy(state, same),
                (None, Some(state)) => {
                    let mut made = self.spare.pop().unwrap_or_else(|| state.clone());
                    made.copy(state, false);
                    *own = Some(made);
                }
                (_, None) => self.spare.extend(own.take()),
            }
        }
    }
}

impl Index<BodyId> for Bodies {
    type Output = BodyState;

    #[track_caller]
    fn index(&self, body: BodyId) -> &BodyState {
        self.get(body).unwrap_or_else(|| panic!("body {body:?} is not in the world"))
    }
}

impl IndexMut<BodyId> for Bodies {
    fn index_mut(&mut self, body: BodyId) -> &mut BodyState {
        self.get_mut(body).unwrap_or_else(|| panic!("body {body:?} is not in the world"))
    }
}
