//! Bodies in a snapshot: which state of a body is saved, how a world saves it, and how a world restores it.
//!
//! [`Saved`] and [`Extra`] list that state. Snapshot files contain their fields as they are. So a new field of
//! [`Now`] is saved, loaded and compared without more code. A new field of [`Extra`] must also be gathered and
//! restored below.

use super::bodies::Bodies;
use super::character::Timers;
use super::kinds::Kind;
use super::pauses::Pause;
use super::slots::Slots;
use super::state::{Cold, Lifted, Now, Prediction};
use super::{BodyState, Settings, World};
use crate::event::BodyId;
use crate::motion::{Surface, Up};
use crate::version::{HashedVersion, Version};
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::slice;
use std::sync::Arc;
use surefoot_geometry::Position;

/// Bodies in a snapshot.
#[derive(Clone, Debug, Default)]
pub(crate) struct SavedBodies {
    pub(crate) slots: Slots,
    /// Configurations of the bodies, in the order of their slots.
    pub(crate) kinds: Vec<Arc<Kind>>,
    /// Version of the slots and the configurations.
    pub(crate) version: Version,
    pub(crate) states: Vec<Saved>,
    /// Contacts of all bodies, one body after the other.
    pub(crate) surfaces: Vec<Surface>,
    /// Paths of bodies with more than one straight part.
    pub(crate) paths: Vec<Position>,
    /// State that few bodies have, in the order of their slots.
    pub(crate) extras: Vec<(BodyId, Extra)>,
    /// Terrain for which the predictions hold, if they may be used.
    pub(crate) predicted_in: Option<Version>,
}

/// A body in a snapshot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Saved {
    pub(crate) now: Now,
    /// Prediction of its next ticks. Not part of the saved state.
    prediction: Prediction,
    /// Number of the body's contacts.
    pub(crate) touched: u32,
    /// Number of the parts of its path. [`Saved::STRAIGHT_PATH`] for a straight path to its position, which is not
    /// stored.
    pub(crate) way: u32,
}

/// State that few bodies have.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub(crate) struct Extra {
    /// Timers of a character, if they are not all 0.
    pub(crate) timers: Option<Timers>,
    pub(crate) pause: Option<Pause>,
    /// Last velocity of the platform under a character with a `platform_velocity_grace`.
    pub(crate) platform_velocity: Option<Lifted>,
    /// Velocity that the body's own velocity is relative to, if it does not follow from the contacts.
    pub(crate) carried: Option<DVec2>,
    /// Direction of up of the areas around the body.
    pub(crate) area_up: Option<Up>,
}

impl Saved {
    /// Marks a straight path, as most bodies have.
    pub(crate) const STRAIGHT_PATH: u32 = u32::MAX;

    /// A placeholder, to be overwritten.
    const NONE: Saved = Saved::new(Now::NONE, 0, 0);

    /// Returns the state of a body without a prediction.
    pub(crate) const fn new(now: Now, touched: u32, way: u32) -> Saved {
        Saved { now, prediction: Prediction::NOTHING, touched, way }
    }
}

impl SavedBodies {
    /// Returns an empty list of bodies that belong to no world yet.
    pub(crate) fn empty_without_world() -> SavedBodies {
        SavedBodies { version: Version::next(), ..SavedBodies::default() }
    }
}

impl Bodies {
    /// Captures the bodies in existing memory, without the state that few bodies have.
    pub(super) fn capture_into(&self, into: &mut SavedBodies) {
        if into.version != self.version.version() {
            into.slots.copy(&self.slots);
            into.kinds.clear();
            into.kinds.extend(self.values().map(|state| state.kind.clone()));
            into.version = self.version.version();
        }
        into.surfaces.clear();
        into.paths.clear();
        into.states.resize(self.len(), Saved::NONE);
        for (saved, state) in into.states.iter_mut().zip(self.values()) {
            let now = &state.now;
            copy_all_bytes(&mut saved.now, now);
            saved.prediction = state.prediction;
            let (touched, path) = (state.touched(), state.path_corners());
            saved.touched = touched.len() as u32;
            match touched {
                [] => {}
                [one] => into.surfaces.push(*one),
                more => into.surfaces.extend_from_slice(more),
            }
            saved.way = match *path {
                [] if now.position == now.previous => 0,
                // A single part ends at the body's position, so it needs no corner.
                [] | [_] => Saved::STRAIGHT_PATH,
                _ => {
                    into.paths.extend_from_slice(path);
                    path.len() as u32
                }
            };
        }
    }

    /// Returns the bodies to a saved state, without the state that few bodies have. `are_predicted`: whether the
    /// predictions in it hold for this world.
    pub(super) fn restore(&mut self, from: &SavedBodies, are_predicted: bool) {
        let (mut surfaces, mut paths) = (from.surfaces.iter(), from.paths.iter());
        for (state, saved) in self.values_mut().zip(&from.states) {
            state.restore(saved, &mut surfaces, &mut paths);
            state.replace_prediction(if are_predicted { saved.prediction } else { Prediction::NOTHING });
        }
    }

    /// Prepares the slots for the bodies of a snapshot. Calls `leaves` with each body that is not in the snapshot.
    pub(super) fn prepare_slots_for(
        &mut self,
        from: &SavedBodies,
        settings: &Settings,
        mut leaves: impl FnMut(&mut BodyState),
    ) {
        for (id, state) in self.iter_mut() {
            if from.slots.slot(id()).is_none() {
                leaves(state);
            }
        }
        self.slots.copy(&from.slots);
        self.version = HashedVersion::new(from.version);
        let mut bodies = from.kinds.iter().zip(&from.states);
        let (slots, states, of_kinds, spare) = self.parts_mut();
        of_kinds.set_settings(settings);
        spare.extend(states.drain(slots.versions().len().min(states.len())..).flatten());
        states.resize_with(slots.versions().len(), || None);
        for (state, version) in states.iter_mut().zip(slots.versions()) {
            if version % 2 == 0 {
                spare.extend(state.take());
                continue;
            }
            let Some((kind, saved)) = bodies.next() else { break };
            let kind = of_kinds.intern(kind.original_body(), kind.area_up);
            match state {
                Some(state) if Arc::ptr_eq(&state.kind, &kind) => {}
                Some(state) => drop(state.change_kind(kind)),
                None => {
                    *state = Some(match spare.pop() {
                        Some(spare) => spare.reused_for_new_body(kind, saved.now),
                        None => BodyState::new(kind, saved.now),
                    });
                }
            }
        }
        self.drop_unused_kinds_if_many();
        self.update_features();
    }
}

impl World {
    /// Captures the state that few bodies have, in existing memory.
    pub(super) fn capture_extras(&self, into: &mut Vec<(BodyId, Extra)>) {
        into.clear();
        let (may_time, were_platforms) = (self.bodies.features_in_use().have_timers, self.platforms.has_ever_had_any());
        if !may_time && !were_platforms && self.pauses.is_empty() && !self.bodies.features_in_use().have_ups {
            return;
        }
        let (mut pauses, scene) = (self.pauses.iter().peekable(), self.platforms.scene(&self.terrain, &self.settings));
        for (id, state) in self.bodies.iter() {
            let extra = Extra {
                timers: Some(state.timers()).filter(|timers| *timers != Timers::NONE),
                pause: pauses.next_if(|(body, _)| *body == id).map(|(_, pause)| *pause),
                platform_velocity: state.inheritable_velocity().filter(|_| were_platforms),
                carried: Some(state.last_ride_velocity())
                    .filter(|_| were_platforms && state.is_indirect_rider(&scene.of_kind(&state.kind))),
                area_up: state.kind.area_up,
            };
            if extra != Extra::default() {
                into.push((id, extra));
            }
        }
    }

    /// Returns bodies to the saved state that few bodies have. The other state of bodies and platforms must be
    /// restored.
    ///
    /// `were_platforms`: whether the world ever had a platform, in the saved state or in the state before.
    pub(super) fn restore_extras(&mut self, from: &[(BodyId, Extra)], were_platforms: bool) {
        self.pauses.clear();
        let World { bodies, pauses, platforms, terrain, settings, .. } = self;
        for (body, extra) in from {
            let Some(state) = bodies.get_mut(*body) else { continue };
            let Extra { timers, pause, platform_velocity, carried: _, area_up: _ } = *extra;
            state.set_timers(timers.unwrap_or(Timers::NONE));
            if platform_velocity.is_some() {
                state.cold_mut().lift = platform_velocity;
            }
            pauses.extend(pause.map(|pause| (*body, pause)));
        }
        if !were_platforms {
            return;
        }
        let (scene, mut extras) = (platforms.scene(terrain, settings), from.iter().peekable());
        for (id, state) in bodies.iter_mut() {
            let extra = extras.next_if(|(body, _)| *body == id());
            let carried = extra.and_then(|(_, extra)| extra.carried).unwrap_or_else(|| {
                let scene = scene.of_kind(&state.kind);
                state.carrier_velocity(&scene)
            });
            if carried.to_array().map(f64::to_bits) != state.last_ride_velocity().to_array().map(f64::to_bits) {
                state.cold_mut().carried = carried;
            }
        }
    }
}

impl BodyState {
    /// Returns to a saved state. Takes its contacts and its path from lists of all bodies.
    #[inline(always)]
    fn restore(
        &mut self,
        saved: &Saved,
        surfaces: &mut slice::Iter<'_, Surface>,
        paths: &mut slice::Iter<'_, Position>,
    ) {
        self.replace_state(|now| copy_all_bytes(now, &saved.now));
        // An empty path, and the straight path of a body that moved, follow from the positions before and after the
        // tick. So such a path is not stored.
        let is_told = saved.way == 0 || (saved.way == Saved::STRAIGHT_PATH && self.now.position != self.now.previous);
        if self.cold.is_none() && saved.touched == 0 && is_told {
            return;
        }
        let Cold { touched, path, lift, .. } = &mut **self.cold.get_or_insert_default();
        match (saved.touched, touched.as_mut_slice()) {
            (0, []) => {}
            (1, [one]) => surfaces.next().into_iter().for_each(|surface| *one = *surface),
            (count, _) => refill_from_iterator(touched, surfaces, count as usize),
        }
        match saved.way {
            _ if is_told && path.is_empty() => {}
            _ if is_told => path.clear(),
            Saved::STRAIGHT_PATH => {
                path.clear();
                path.push(self.now.position);
            }
            count => {
                path.clear();
                path.extend(paths.by_ref().take(count as usize));
            }
        }
        *lift = None;
        if !self.has_no_timers() {
            self.set_timers(Timers::NONE);
        }
    }
}

/// Fills a list with the next `count` items of an iterator. There are usually few, so a call to copy bytes would cost
/// more than the copy.
#[inline(always)]
fn refill_from_iterator<A: smallvec::Array<Item: Copy>>(
    list: &mut SmallVec<A>,
    next: &mut slice::Iter<'_, A::Item>,
    count: usize,
) {
    if list.len() == count {
        list.iter_mut().zip(next).for_each(|(position, item)| *position = *item);
        return;
    }
    list.clear();
    next.take(count).for_each(|item| list.push(*item));
}

/// Copies all bytes at once. An assignment would copy field by field.
#[inline(always)]
fn copy_all_bytes(to: &mut Now, from: &Now) {
    slice::from_mut(to).copy_from_slice(slice::from_ref(from));
}
