//! Tick prediction: fast paths for bodies whose next ticks are already determined, so that they need no collision
//! query.
//!
//! A tick depends only on the body's state and on its surroundings. Three facts follow:
//!
//! - A tick that has changed only the position is followed by an equal tick. If the position did not change either,
//!   all later ticks are equal: a body at rest, or one that presses against a wall. After a walk,
//!   `Nearby::count_repeats` tells how many more walks have the same displacement and end on the same tiles. That many
//!   ticks repeat the last displacement. Where tiles have their own materials, the character must also walk at the
//!   speed of its input, so that no traction changes it.
//! - A walk that then reaches other tiles of the same floor searches only these (`Nearby::find_fast_walk`,
//!   `fill_with_next_tiles`).
//! - In [`Air`](crate::motion::Air), a rectangle in which the body can hit nothing, a formula gives the end of a
//!   flight: `Controller::intent` for a character, `ballistic::free_flight` for other bodies.
//!
//! Every change from outside clears the predictions that depend on it: another input or character, a velocity, a
//! teleport, an edited tile nearby, a new search for contacts. The free air stays valid after another input. See
//! [`Prediction::drop_predicted_repeats`] and [`Prediction::NOTHING`].
//!
//! Cache: does not affect results.

use super::super::BodyState;
use super::super::state::{LastTick, Now, Prediction};
use super::Tick;
use crate::ballistic::free_flight;
use crate::body::{Character, Response, limit_velocity};
use crate::controller::{Controller, Intent};
use glam::{DVec2, I64Vec2};
use surefoot_geometry::Position;

/// Facts about a tick that the body's state does not contain.
#[derive(Default)]
pub(super) struct TickFacts {
    /// Walking distance of the tick, in tiles.
    pub(super) walked: Option<f64>,
    /// The body touches other surfaces than before, or in another order.
    pub(super) touches_others: bool,
}

impl Tick<'_> {
    /// Moves a body by its prediction. Returns false if there is none.
    #[inline(always)]
    pub(super) fn try_predicted_tick(&self, state: &mut BodyState) -> bool {
        state.try_repeat_tick()
            || (!state.prediction.air.is_empty() && self.try_predicted_flight(state))
            || (state.prediction.last == LastTick::FastWalk && self.try_predicted_walk(state))
    }

    /// Updates the prediction after a tick. `is_silent`: the tick sent no events.
    #[inline(always)]
    pub(super) fn update_prediction(&self, state: &mut BodyState, before: &Now, is_silent: bool, facts: &TickFacts) {
        if is_silent {
            self.store_predicted_repeats(state, before, facts);
        }
        self.find_free_air(state);
    }

    /// Moves a body through free air, if its path stays there.
    #[inline(never)]
    fn try_predicted_flight(&self, state: &mut BodyState) -> bool {
        let Some((to, velocity)) = self.end_of_flight_in_air(state) else { return false };
        let BodyState { now, prediction: known, kind, cold } = state;
        if known.last == LastTick::Parts {
            known.last = LastTick::Any;
            if let Some(cold) = cold {
                cold.path.clear();
            }
        }
        now.jump_held = kind.character.is_some() && now.input.is_jump_held();
        (now.previous, now.position, now.velocity) = (now.position, to, limit_velocity(velocity));
        true
    }

    /// Returns the end position and velocity of a flight in free air.
    #[inline(always)]
    fn end_of_flight_in_air(&self, state: &BodyState) -> Option<(Position, DVec2)> {
        let BodyState { now, prediction: known, kind, cold } = state;
        if now.input.is_down_held() {
            return None;
        }
        let (motion, velocity) = match &kind.character {
            Some(character) => {
                // A character that only walks and jumps needs fewer tests to find the same flight.
                let intent = if kind.is_plain & !self.is_affected_by_areas() {
                    self.new_controller::<true>(character, kind, now).intent(None, now.velocity, false)
                } else {
                    let air_jumps = cold.as_ref().map_or(0, |cold| cold.timers.air_jumps);
                    let hang_end = self.end_speed_of_apex_hang_of((kind, character), now, air_jumps);
                    let controller = Controller { hang_end, ..self.new_controller::<false>(character, kind, now) };
                    controller.intent(None, now.velocity, false)
                };
                let Intent::Fly { motion, velocity, .. } = intent else { return None };
                (motion, velocity)
            }
            None => free_flight(now.velocity, *self.gravity_of(kind), self.rules.settings.tick),
        };
        let to = now.position + motion;
        known.air.contains(to.units()).then_some((to, velocity))
    }

    /// Returns the end position of a body's tick, if it is predicted and the path is straight.
    pub(super) fn predicted_end(&self, state: &BodyState) -> Option<Position> {
        if state.prediction.repeats > 0 {
            return Some(state.now.position + (state.now.position - state.now.previous));
        }
        if state.prediction.air.is_empty() { None } else { self.end_of_flight_in_air(state).map(|(to, _)| to) }
    }

    /// Stores how many ticks will repeat the last one, which sent no events. If the state is as before except for the
    /// position, the next tick does the same.
    #[inline(always)]
    fn store_predicted_repeats(&self, state: &mut BodyState, before: &Now, facts: &TickFacts) {
        let now = &state.now;
        // A path of one straight part has no corners. If a platform moved the body before its own move, the path has
        // two parts.
        let parts = if self.from.is_some_and(|from| from != before.position) { 2 } else { 0 };
        let bits = |now: &Now| (now.velocity.to_array().map(f64::to_bits), now.footing.bits());
        let is_alike = bits(now) == bits(before)
            && (now.touching, now.jump_held, now.flags.outside())
                == (before.touching, before.jump_held, before.flags.outside())
            && state.path_corners().len() <= parts;
        if !is_alike {
            return;
        }
        let displacement = now.position - before.position;
        if displacement == I64Vec2::ZERO {
            let is_endless = !facts.touches_others && !self.may_step_up_later(state);
            state.prediction.repeats = if is_endless { Prediction::ENDLESS_REPEATS } else { 0 };
            return;
        }
        let slides = || state.kind.character.as_ref().is_some_and(Character::slides_on_slopes);
        if self.scene.has_materials() && (self.scene.has_belts() || slides() || !self.walks_at_input_speed(state)) {
            // Tiles with another material may change the walk speed, so do not predict.
            return;
        }
        let (Some(length), Some(cold)) = (facts.walked, &state.cold) else { return };
        // Predict repeats only if the last tick moved the body as a walk on its floor span would (`FastWalk`): the same
        // displacement from the same start.
        if let Some(fast_walk) = cold.near.find_fast_walk(before.position, length)
            && fast_walk.displacement == displacement
        {
            self.store_predicted_walks(
                &mut state.prediction,
                now.position,
                displacement,
                cold.near.count_repeats(&fast_walk),
            );
        }
    }

    /// Returns whether a character at a wall may be able to step up after a platform leaves the step. The character
    /// does not touch that platform, so nothing else would end the prediction.
    fn may_step_up_later(&self, BodyState { now, kind, .. }: &BodyState) -> bool {
        let is_nudged = |character: &Character| {
            character.max_correction_or_step(kind.shape, !now.footing.is_ground()) != DVec2::ZERO
        };
        let is_at_wall = now.touching.wall_left || now.touching.wall_right;
        self.scene.around.has_platforms() && is_at_wall && kind.character.as_ref().is_some_and(is_nudged)
    }

    /// Returns whether a character moves at the speed of its input, so that no traction changes it.
    fn walks_at_input_speed(&self, state: &BodyState) -> bool {
        let BodyState { now, kind, .. } = state;
        let wanted =
            kind.character.as_ref().map(|character| self.new_controller::<true>(character, kind, now).wanted_speed());
        wanted.is_some() && wanted == now.footing.speed()
    }

    /// Records that the last tick of a body was a fast walk, and how often the body can repeat the walk on the same
    /// tiles and within the map.
    #[inline(always)]
    fn store_predicted_walks(&self, known: &mut Prediction, position: Position, displacement: I64Vec2, times: u32) {
        let goes_on = self.rules.map.contains(position.units());
        known.last = if goes_on { LastTick::FastWalk } else { LastTick::Any };
        let end = position.units() + displacement * i64::from(times);
        known.repeats = if goes_on && self.rules.map.contains(end) { times } else { 0 };
    }

    /// Moves a character with a predicted walk on to other tiles of its floor.
    #[inline(never)]
    fn try_predicted_walk(&self, state: &mut BodyState) -> bool {
        let BodyState { now, prediction: known, kind, cold: Some(cold) } = state else { return false };
        let Some(character) = &kind.character else { return false };
        let Some(speed) = now.footing.speed().filter(|_| !now.leaves_ground_by_input()) else { return false };
        let controller = self.new_controller::<false>(character, kind, now);
        let Intent::Walk { length, .. } = controller.intent_on_ground(speed) else { return false };
        let (way, to) = (now.position - now.previous, now.position + (now.position - now.previous));
        let Some(fast_walk) = cold.near.find_fast_walk(now.position, length) else { return false };
        if fast_walk.displacement != way || !self.rules.map.contains(to.units()) {
            return false;
        }
        (now.previous, now.position) = (now.position, to);
        if fast_walk.steps_over {
            cold.near.fill_with_next_tiles(&fast_walk, &mut cold.touched);
        }
        self.store_predicted_walks(known, now.position, way, cold.near.count_repeats(&fast_walk));
        true
    }

    /// Finds the free air around a body that touches nothing and is within the map.
    #[inline(always)]
    pub(super) fn find_free_air(&self, state: &mut BodyState) {
        let BodyState { now, prediction: known, kind, cold: Some(cold) } = state else { return };
        let flies = !now.footing.is_ground() && !now.flags.outside() && !now.stuck && cold.touched.is_empty();
        if flies && known.repeats == 0 && (kind.character.is_some() || kind.response != Response::Pass) {
            known.air = cold.near.free_air_around(kind.shape, now.position, (self.rules.map.low, self.rules.map.high));
            known.last = if cold.path.is_empty() { LastTick::Any } else { LastTick::Parts };
        }
    }
}
