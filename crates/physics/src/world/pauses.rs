//! Pauses of bodies: input locks after a knockback, and hit stops, in which a body is frozen.
//!
//! While platforms move, a frozen body counts as a normal body, so platforms carry and push it. While bodies move, it
//! counts as stuck, so nothing else moves it. Its tick counters, such as the first tick in the air, shift by the
//! length of the freeze. A body with a time scale of 0 is treated in the same way.

use super::character::{JumpBuffer, Timers};
use super::step::StepScratch;
use super::{BodyState, Footing, World};
use crate::body::{BodyError, Character, Keys, MAX_SPEED, limit_velocity, rescale_counted_ticks, rescale_pause_ticks};
use crate::command::{Command, CommandError, check_ticks};
use crate::event::BodyId;
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use slotmap::Key;
use surefoot_geometry::Vector;

/// Remaining pause of a body, in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub(crate) struct Pause {
    /// Ticks left with the input ignored. Counts down only once `motion` is 0.
    pub(crate) input: u32,
    /// Ticks left of the freeze.
    pub(crate) motion: u32,
}

impl Pause {
    /// Sort key: the slot of the body, which has at most one pause.
    const NONE: Pause = Pause { input: 0, motion: 0 };

    /// Returns whether the values are valid, for a character or for another body.
    #[cfg(feature = "record")]
    pub(crate) fn is_valid(&self, is_character: bool) -> bool {
        *self != Pause::NONE
            && (is_character || self.input == 0)
            && [self.input, self.motion].into_iter().all(|ticks| check_ticks(ticks).is_ok())
    }
}

impl World {
    /// Knocks a character back: sets its velocity, in tiles per second, and ignores its player's input for `ticks`
    /// ticks.
    ///
    /// For a body with a [`time_scale`](crate::body::Body::time_scale) below 1, the velocity and the ticks are in the
    /// body's slower time.
    ///
    /// The velocity acts as in [`World::set_velocity`]. While the input is ignored (the lock), the character brakes
    /// and falls as without input. [`World::input_lock_left`] returns the remaining ticks.
    ///
    /// - The held input counts again in the first tick after the lock.
    /// - Presses of jump or dash during the lock are lost, and so is a press that the
    ///   [`jump_buffer`](crate::body::Character::jump_buffer) still stored.
    /// - Another knockback replaces the velocity and the lock. A knockback with 0 ticks ends the lock.
    ///
    /// # Errors
    /// Returns [`CommandError`] in each of these cases:
    ///
    /// - The body is not in the world, or it is not a character.
    /// - The velocity is out of range.
    /// - `ticks` exceeds [`MAX_PAUSE_TICKS`](crate::command::MAX_PAUSE_TICKS).
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::{Input, Map, World};
    ///
    /// let mut world = World::new(Map::from_rows(["........", "........", "========"])?, Settings::default());
    /// let hero = Body::new(Shape::aabb(0.25, 0.5)).at((4.0, 1.5)).character(Character::default());
    /// let hero = world.spawn(hero)?;
    /// world.set_input(hero, Input::walk(1.0));
    /// world.knockback(hero, (-3.0, 4.0), 20)?;
    /// (0..10).for_each(|_| world.step());
    /// assert!(world[hero].position().to_dvec2().x < 4.0);
    /// assert_eq!((world.input_lock_left(hero), world[hero].input()), (10, Input::walk(1.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn knockback(&mut self, body: BodyId, velocity: impl Vector, ticks: u32) -> Result<(), CommandError> {
        self.apply(Command::Knockback(body, velocity.to_lengths(), ticks)).map(drop)
    }

    /// Hit stop: freezes a body for `ticks` ticks of the world, typically both bodies of a hit.
    ///
    /// After the freeze, the body continues with exactly the same velocity and timers. While frozen, the body is an
    /// obstacle that other bodies cannot push, but platforms carry and push it. Another call replaces the remaining
    /// ticks, and 0 ends the freeze. [`World::hit_stop_left`] returns the remaining ticks.
    ///
    /// A press of jump during the freeze starts a jump in the first tick after it, if the button is still held.
    ///
    /// # Errors
    /// Returns [`CommandError`] if `body` is not in the world, or if `ticks` exceeds
    /// [`MAX_PAUSE_TICKS`](crate::command::MAX_PAUSE_TICKS).
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::{Map, World};
    ///
    /// let mut world = World::new(Map::from_rows(["....", "....", "===="])?, Settings::default());
    /// let ball = world.spawn(Body::new(Shape::circle(0.25)).at((1.0, 2.0)).velocity((2.0, 3.0)))?;
    /// world.hit_stop(ball, 5)?;
    /// (0..5).for_each(|_| world.step());
    /// assert_eq!(world[ball].position(), Position::new(1.0, 2.0)?);
    /// assert_eq!(world[ball].velocity().to_array(), [2.0, 3.0]);
    /// world.step();
    /// assert_ne!(world[ball].position(), Position::new(1.0, 2.0)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn hit_stop(&mut self, body: BodyId, ticks: u32) -> Result<(), CommandError> {
        self.apply(Command::HitStop(body, ticks)).map(drop)
    }

    /// Returns for how many more ticks of the world the player's input of `body` is ignored after
    /// [`World::knockback`]. Returns 0 if the input counts.
    ///
    /// A [hit stop](World::hit_stop) (freeze) of the body delays the end of the lock: the ticks of the freeze come in
    /// addition to the result.
    ///
    /// For a body that is not in the world, returns 0.
    #[must_use]
    pub fn input_lock_left(&self, body: BodyId) -> u32 {
        self.pause_of(body).map_or(0, |pause| pause.input)
    }

    /// Returns for how many more ticks of the world `body` stays frozen after [`World::hit_stop`]. Returns 0 if the
    /// body is not frozen.
    #[must_use]
    pub fn hit_stop_left(&self, body: BodyId) -> u32 {
        self.pause_of(body).map_or(0, |pause| pause.motion)
    }

    /// Sets the velocity of a character and ignores its player's input.
    pub(super) fn knock_back(&mut self, body: BodyId, velocity: DVec2, ticks: u32) -> Result<(), CommandError> {
        check_ticks(ticks).map_err(BodyError::from)?;
        self.character_mut(body)?;
        self.change_velocity(body, velocity)?;
        let state = self.body_mut(body)?;
        state.change(|now| now.jump_buffer = JumpBuffer::NONE);
        state.set_timers(Timers { stick: 0, lock_away: 0, lock: 0, ..state.timers() });
        let pace = state.kind.time_factor();
        self.change_pause(body, |pause| pause.input = rescale_pause_ticks(ticks, (1.0, pace)));
        Ok(())
    }

    /// Freezes a body.
    pub(super) fn freeze(&mut self, body: BodyId, ticks: u32) -> Result<(), CommandError> {
        check_ticks(ticks).map_err(BodyError::from)?;
        self.body_mut(body)?;
        self.wake_with_bodies_on_top(body);
        self.change_pause(body, |pause| pause.motion = ticks);
        Ok(())
    }

    fn pause_of(&self, body: BodyId) -> Option<&Pause> {
        self.pauses.iter().find(|(paused, _)| *paused == body).map(|(_, pause)| pause)
    }

    /// Changes the pause of a body.
    pub(super) fn change_pause(&mut self, body: BodyId, set: impl FnOnce(&mut Pause)) {
        let mut pause = self.pause_of(body).copied().unwrap_or(Pause::NONE);
        set(&mut pause);
        self.pauses.retain(|(paused, _)| *paused != body);
        if pause != Pause::NONE {
            let slot = |body: BodyId| body.data().as_ffi() as u32;
            let at = self.pauses.partition_point(|(paused, _)| slot(*paused) < slot(body));
            self.pauses.insert(at, (body, pause));
        }
    }

    /// Counts down all pauses, and freezes bodies for this tick. Characters with locked input get an empty input for
    /// this tick.
    #[inline(always)]
    pub(super) fn count_down_pauses_and_freeze(&mut self) {
        if !self.pauses.is_empty() || self.bodies.features_in_use().stand_still {
            self.count_down_pauses();
        }
    }

    #[inline(always)]
    pub(super) fn restore_inputs_and_unfreeze(&mut self) {
        if !self.scratch.overrides.steered.is_empty() || !self.scratch.overrides.asked.is_empty() {
            self.restore_replaced_inputs();
        }
        if !self.scratch.overrides.stopped.is_empty() || !self.pauses.is_empty() {
            self.unfreeze_bodies_and_drop_ended_pauses();
        }
    }

    /// Counts down the remaining ticks of all pauses, and lists the bodies that do not move by themselves in this
    /// tick. A character whose input is locked gets an empty input until the end of the tick.
    #[inline(never)]
    fn count_down_pauses(&mut self) {
        let World { bodies, pauses, scratch, .. } = self;
        if bodies.features_in_use().stand_still {
            for (slot, state) in bodies.iter_mut_with_slots().1.filter(|(_, state)| state.kind.is_time_stopped()) {
                freeze_for_tick(slot, state, scratch);
            }
        }
        for (body, pause) in pauses {
            let Some(slot) = bodies.slots.slot(*body) else { continue };
            let Some(state) = bodies.slot_mut(slot) else { continue };
            let stands_still = state.kind.is_time_stopped();
            if pause.motion > 0 {
                pause.motion -= 1;
                if !stands_still {
                    freeze_for_tick(slot, state, scratch);
                }
            } else if !stands_still {
                pause.input -= 1;
                scratch.overrides.steered.push((slot, state.now.input));
                state.change(|now| now.input = Keys::NONE);
            }
        }
        self.set_frozen_bodies_stuck(true);
    }

    /// Marks frozen bodies as stuck for this tick (`true`), or clears the mark (`false`).
    pub(super) fn set_frozen_bodies_stuck(&mut self, stuck: bool) {
        for &slot in &self.scratch.overrides.stopped {
            if let Some(state) = self.bodies.slot_mut(slot) {
                state.change(|now| now.stuck = stuck);
            }
        }
    }

    /// Converts the velocity and the remaining times of a body after its time scale has changed.
    pub(super) fn rescale_velocity_and_timers(&mut self, body: BodyId, before: f64) {
        let Some(state) = self.bodies.get_mut(body) else { return };
        let (tick, after) = (self.tick, state.kind.time_factor());
        if before == after {
            return;
        }
        let has_jump_state = state.kind.character.as_ref().is_some_and(Character::has_jump_state);
        let paces = (before, after);
        state.change(|now| {
            now.velocity = limit_velocity(now.velocity * after / before);
            match &mut now.footing {
                Footing::Ground { speed } => *speed = (*speed * after / before).clamp(-MAX_SPEED, MAX_SPEED),
                Footing::Air { since } => {
                    // If the floor disappears during a freeze, the body is in the air from the next tick on, so `since`
                    // may be later than `tick`.
                    let in_air = rescale_counted_ticks(tick.saturating_sub(*since), paces);
                    *since = tick.max(*since).saturating_sub(in_air);
                    if in_air > tick && has_jump_state {
                        // The time in the air would have to begin before tick 0, which cannot be stored. End the
                        // coyote time instead.
                        now.mode = now.mode.without_coyote_time();
                    }
                }
            }
            now.jump_buffer = now.jump_buffer.rescaled(paces);
        });
        state.set_timers(state.timers().rescaled(paces));
        if let Some(lift) = state.cold.as_mut().and_then(|cold| cold.lift.as_mut()) {
            lift.tick = tick.saturating_sub(rescale_counted_ticks(tick - lift.tick, paces));
        }
        if self.input_lock_left(body) > 0 {
            self.change_pause(body, |pause| pause.input = rescale_pause_ticks(pause.input, paces));
        }
    }

    /// Clears the marks of frozen bodies after the tick, and drops finished pauses.
    #[inline(never)]
    fn unfreeze_bodies_and_drop_ended_pauses(&mut self) {
        self.set_frozen_bodies_stuck(false);
        let World { bodies, pauses, scratch, platforms, terrain, settings, .. } = self;
        let scene = platforms.scene(terrain, settings);
        for slot in scratch.overrides.stopped.drain(..) {
            let Some(state) = bodies.slot_mut(slot) else { continue };
            // The body moved along with its platform during the freeze, so give it the platform's velocity.
            let carried = state.carrier_velocity(&scene.of_kind(&state.kind));
            if state.last_ride_velocity() == DVec2::ZERO && carried != DVec2::ZERO {
                state.cold_mut().carried = carried;
            }
        }
        pauses.retain(|(_, pause)| *pause != Pause::NONE);
    }
}

/// Freezes a body for this tick. Its counters continue afterwards as if this tick had not happened.
fn freeze_for_tick(slot: usize, state: &mut BodyState, scratch: &mut StepScratch) {
    if !state.now.stuck {
        scratch.overrides.stopped.push(slot);
    }
    state.change(|now| {
        if let Footing::Air { since } = &mut now.footing {
            *since += 1;
        }
    });
    if let Some(lift) = state.cold.as_mut().and_then(|cold| cold.lift.as_mut()) {
        lift.tick += 1;
    }
}
