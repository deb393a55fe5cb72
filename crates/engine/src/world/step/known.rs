//! What is known of a body's next ticks, so that they look at nothing.
//!
//! A tick depends on nothing but the body's state and what is around it. Three facts follow:
//!
//! - A tick that has changed nothing but the position asks the same of the next one. If it has not changed the position
//!   either, all ticks to come are the same: a body at rest, or one that presses against a wall. If it was a walk,
//!   `Nearby::times` says how many walks in a row go the same way along the span and end on the same tiles. As many
//!   ticks add the displacement of the last one.
//!   Where tiles have surfaces of their own, that holds only for a character at the speed that its input asks for: no
//!   traction changes it.
//! - A walk that then steps on to other tiles of the span looks for these alone (`Nearby::fast_walk`, `step_over`).
//! - In [`Air`](crate::motion::Air), a rectangle of places from which nothing is within reach, a flight is its formula:
//!   `Controller::intent` for a character, `ballistic::flight` for other bodies.
//!
//! Whatever changes a body from outside takes away what rested on it: another input or character, a velocity, a
//! teleport, a tile painted beside the body or among the pieces that it rests on, another look at what it touches. The
//! air around a body outlives another input. See [`Known::asks_anew`] and [`Known::NOTHING`].

use super::super::BodyState;
use super::super::state::{Known, LastTick, Now};
use super::{Tick, within_limits};
use crate::ballistic::flight;
use crate::body::{Character, Response};
use crate::walker::Intent;
use glam::{DVec2, I64Vec2};
use surefoot_geometry::Position;

/// What a body did in a tick, as far as its state does not tell.
#[derive(Default)]
pub(super) struct Looked {
    /// How far the body was to walk, in tiles.
    pub(super) walked: Option<f64>,
    /// Other surfaces are touched than before, or in another order.
    pub(super) touches_others: bool,
}

impl Tick<'_> {
    /// Moves a body whose tick is known.
    #[inline(always)]
    pub(super) fn goes_on_as_known(&self, state: &mut BodyState) -> bool {
        state.repeat()
            || (!state.known.air.is_none() && self.fly_on(state))
            || (state.known.last == LastTick::FastWalk && self.fast_walk_on(state))
    }

    /// Works out what is known of the next ticks of a body, after one that told of nothing or of something.
    #[inline(always)]
    pub(super) fn find_known(&self, state: &mut BodyState, before: &Now, is_silent: bool, looked: &Looked) {
        if is_silent {
            self.find_repeats(state, before, looked);
        }
        self.find_air(state);
    }

    /// Moves a body through air in which nothing is known to be, if its way stays there.
    #[inline(never)]
    fn fly_on(&self, state: &mut BodyState) -> bool {
        let Some((to, velocity)) = self.flight_in_air(state) else { return false };
        let BodyState { now, known, kind, cold } = state;
        if known.last == LastTick::Parts {
            known.last = LastTick::Any;
            if let Some(cold) = cold {
                cold.path.clear();
            }
        }
        now.jump_held = kind.character.is_some() && now.input.jump();
        (now.previous, now.position, now.velocity) = (now.position, to, within_limits(velocity));
        true
    }

    /// Where a body comes through air in which nothing is known to be, and its velocity then.
    #[inline(always)]
    fn flight_in_air(&self, state: &BodyState) -> Option<(Position, DVec2)> {
        let BodyState { now, known, kind, cold } = state;
        if now.input.down() {
            return None;
        }
        let (motion, velocity) = match &kind.character {
            Some(character) => {
                let air_jumps = cold.as_ref().map_or(0, |cold| cold.timers.air_jumps);
                let controller = self.controller::<false>(character, kind, now, air_jumps);
                let Intent::Fly { motion, velocity, .. } = controller.intent(None, now.velocity, false) else {
                    return None;
                };
                (motion, velocity)
            }
            None => flight(now.velocity, *self.gravity_of(kind), self.rules.settings.tick),
        };
        let to = now.position + motion;
        known.air.holds(to.units()).then_some((to, velocity))
    }

    /// Where a body comes in its tick, if that is known at once and the way there is straight.
    pub(super) fn known_end(&self, state: &BodyState) -> Option<Position> {
        if state.known.repeats > 0 {
            return Some(state.now.position + (state.now.position - state.now.previous));
        }
        if state.known.air.is_none() { None } else { self.flight_in_air(state).map(|(to, _)| to) }
    }

    /// How many ticks are known to be as the last one, which told of nothing: what is asked of a body depends on nothing but
    /// its state, and if that is as it was before but for the place, the same is asked again.
    #[inline(always)]
    fn find_repeats(&self, state: &mut BodyState, before: &Now, looked: &Looked) {
        let now = &state.now;
        // The way of a body that a platform has brought elsewhere first has that part too.
        let parts = if self.from.is_some_and(|from| from != before.position) { 2 } else { 0 };
        let bits = |now: &Now| (now.velocity.to_array().map(f64::to_bits), now.footing.bits());
        let is_alike = bits(now) == bits(before)
            && (now.touching, now.jump_held, now.outside) == (before.touching, before.jump_held, before.outside)
            && state.parts().len() <= parts;
        if !is_alike {
            return;
        }
        let way = now.position - before.position;
        if way == I64Vec2::ZERO {
            let is_endless = !looked.touches_others && !self.may_be_freed(state);
            state.known.repeats = if is_endless { Known::ENDLESS } else { 0 };
            return;
        }
        if self.scene.has_surfaces() && (self.scene.has_belts() || !self.has_its_speed(state)) {
            // On the next surface it may get faster or slower.
            return;
        }
        let (Some(length), Some(cold)) = (looked.walked, &state.cold) else { return };
        // From where it came: that was a fast walk too, or goes as one would.
        if let Some(fast_walk) = cold.near.fast_walk(before.position, length)
            && fast_walk.way == way
        {
            self.expect_strolls(&mut state.known, now.position, way, cold.near.times(&fast_walk));
        }
    }

    /// Whether a character that stands at a wall may get on to a step there when a platform goes off that, which it does not touch.
    fn may_be_freed(&self, BodyState { now, kind, .. }: &BodyState) -> bool {
        let is_nudged =
            |character: &Character| character.furthest_nudge(kind.shape, !now.footing.is_ground()) != DVec2::ZERO;
        let is_at_wall = now.touching.wall_left || now.touching.wall_right;
        self.scene.around.has_platforms() && is_at_wall && kind.character.as_ref().is_some_and(is_nudged)
    }

    /// Whether a character goes at the speed that its input asks for, so that no traction changes it.
    fn has_its_speed(&self, state: &BodyState) -> bool {
        let BodyState { now, kind, .. } = state;
        let wanted = kind.character.as_ref().map(|character| self.controller::<true>(character, kind, now, 0).wanted());
        wanted.is_some() && wanted == now.footing.speed()
    }

    /// Notes that a body walks fast, and how often it goes the same way from a place on the same tiles and within the map.
    #[inline(always)]
    fn expect_strolls(&self, known: &mut Known, position: Position, way: I64Vec2, times: u32) {
        let goes_on = self.rules.map.holds(position.units());
        known.last = if goes_on { LastTick::FastWalk } else { LastTick::Any };
        let end = position.units() + way * i64::from(times);
        known.repeats = if goes_on && self.rules.map.holds(end) { times } else { 0 };
    }

    /// Moves a character that walks fast, on to other tiles of its floor.
    #[inline(never)]
    fn fast_walk_on(&self, state: &mut BodyState) -> bool {
        let BodyState { now, known, kind, cold: Some(cold) } = state else { return false };
        let Some(character) = &kind.character else { return false };
        let intent = self.controller::<false>(character, kind, now, cold.timers.air_jumps).intent(
            now.footing.speed(),
            now.velocity,
            now.asks_to_jump(),
        );
        let Intent::Walk { length, .. } = intent else { return false };
        let (way, to) = (now.position - now.previous, now.position + (now.position - now.previous));
        let Some(fast_walk) = cold.near.fast_walk(now.position, length) else { return false };
        if fast_walk.way != way || !self.rules.map.holds(to.units()) {
            return false;
        }
        (now.previous, now.position) = (now.position, to);
        if fast_walk.steps_over {
            cold.near.step_over(&fast_walk, &mut cold.touched);
        }
        self.expect_strolls(known, now.position, way, cold.near.times(&fast_walk));
        true
    }

    /// Looks for the air around a body that touches nothing and is within the map.
    #[inline(always)]
    pub(super) fn find_air(&self, state: &mut BodyState) {
        let BodyState { now, known, kind, cold: Some(cold) } = state else { return };
        let flies = !now.outside && !now.stuck && cold.touched.is_empty() && !now.footing.is_ground();
        if flies && known.repeats == 0 && (kind.character.is_some() || kind.response != Response::Pass) {
            known.air = cold.near.air(kind.shape, now.position, (self.rules.map.low, self.rules.map.high));
            known.last = if cold.path.is_empty() { LastTick::Any } else { LastTick::Parts };
        }
    }
}
