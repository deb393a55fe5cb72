//! Writes the results of the pair phase into the bodies: contacts, flags and events, in the order of the slots.

use super::solver_bodies::BodyIndex;
use super::solver_body::{BodyHit, Part, SolverBody};
use super::tolerance::NORMAL_LENGTH;
use super::{PairPhase, Pairs, may_collide};
use crate::body::limit_velocity;
use crate::event::{BodyId, Event, EventKind, LandedOn};
use crate::motion::{Side, Touching};
use crate::world::state::Now;
use crate::world::step::body_tick::Landing;
use crate::world::step::{BodyState, Riding, StepScratch, Tick, sides_and_standing_of_body};
use glam::DVec2;
use surefoot_geometry::Position;

impl PairPhase<'_> {
    /// Finds which sides of a body touch something, and whether it stands: it touches a floor or a body below and
    /// does not move off it.
    pub(super) fn find_touched_sides(&mut self, i: BodyIndex) {
        self.store_sides_at_own_position(i);
        let body = self.body(i);
        if body.given.is_character
            && body.now.ground.is_some()
            && !body.outcome.stands_on_floor
            && self.try_lower_to_floor(i)
        {
            self.store_sides_at_own_position(i);
        }
    }

    /// Stores which sides of a body touch something, and whether the body stands on a floor.
    fn store_sides_at_own_position(&mut self, i: BodyIndex) {
        self.find_touched_surfaces(i);
        let body = self.body(i);
        let (position, velocity) = (body.now.position, body.now.velocity);
        let (mut sides, mut stands) =
            self.scene.sides_and_standing_in_frame(&body.given.upright, &body.lists.touched, position, velocity);
        stands |= self.add_body_sides_and_find_standing(i, position, velocity, &mut sides);
        let body = &mut self.pairs.bodies[i as usize];
        (body.outcome.sides, body.outcome.stands_on_floor) = (sides, stands);
    }

    /// Finds which sides of a body with its own tick touch other bodies.
    pub(super) fn find_touched_sides_of_own_tick(&mut self, i: BodyIndex) {
        let body = self.body(i);
        let position = self.end_position(i);
        let mut sides = Touching::default();
        self.add_body_sides_and_find_standing(i, position, body.now.velocity, &mut sides);
        self.pairs.bodies[i as usize].outcome.sides = sides;
    }

    /// Adds the sides of a body that touch other bodies to `sides`. Returns whether the body stands on another body.
    fn add_body_sides_and_find_standing(
        &self,
        i: BodyIndex,
        position: Position,
        velocity: DVec2,
        sides: &mut Touching,
    ) -> bool {
        let (body, frame) = (self.body(i), self.upright_frame(i));
        let mut stands = false;
        for &j in &body.stage.near {
            let other = self.body(j);
            let Some(contact) = body.touching_contact(other, position - self.end_position(j)) else { continue };
            if self.is_contact_below(i, contact.normal) {
                sides.floor = true;
                // This compares speeds, not angles as `Scene::sides_and_standing` does: the body below moves, and its
                // velocity is rounded.
                stands |=
                    contact.normal.dot(velocity - other.now.velocity) <= self.max_parting_speed(i, other.now.velocity);
                continue;
            }
            match frame.side((contact.normal * NORMAL_LENGTH).as_i64vec2()) {
                Side::WallLeft => sides.wall_left = true,
                Side::WallRight => sides.wall_right = true,
                Side::Ceiling => sides.ceiling = true,
                Side::Floor => {}
            }
        }
        stands
    }

    /// Returns the position of a body at the end of this tick.
    pub(super) fn end_position(&self, i: BodyIndex) -> Position {
        let body = self.body(i);
        if body.stage.part == Part::Alone {
            body.lists.legs.last().map_or(body.start.position, |leg| leg.to)
        } else {
            body.now.position
        }
    }
}

/// Position of a body if it stands still on the ground; otherwise `None`.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::world) struct Stance(Option<Position>);

impl Stance {
    #[inline]
    pub(in crate::world) fn of_state(now: &Now) -> Stance {
        let stands = now.velocity == DVec2::ZERO && now.footing.is_ground();
        Stance(stands.then_some(now.position))
    }

    pub(in crate::world) fn is_standing(self) -> bool {
        self.0.is_some()
    }
}

/// Returns whether a body that moved by its own tick falls asleep.
#[inline]
fn falls_asleep_after_own_tick(state: &BodyState, before: Stance) -> bool {
    // The same state at the same position gives the same tick again. So the next tick would not move the body either.
    let is_still = before.0.is_some() && before == Stance::of_state(&state.now);
    is_still && state.path().is_empty() && state.kind.character.is_none() && !state.now.stuck
}

impl Tick<'_> {
    /// Ends the own tick of a body: sleep, and contacts with other bodies.
    pub(in crate::world) fn finish_own_tick(
        &mut self,
        pairs: &Pairs,
        slot: usize,
        id: BodyId,
        state: &mut BodyState,
        before: Stance,
    ) {
        let is_let = self.rules.acting.is_none() && may_collide(state);
        let quiet = if is_let && falls_asleep_after_own_tick(state, before) { Now::AT_REST } else { 0 };
        let solver_body = pairs.find_own_tick_body(slot);
        if let Some(body) = solver_body {
            self.send_hits_of_own_tick(body);
            self.send_contact_changes(body);
        }
        self.set_sleep_counter_and_send_change(id, state, quiet);
        if let Some(body) = solver_body {
            state.now.touching = state
                .now
                .touching
                .with_walls_and_ceiling(sides_and_standing_of_body(&self.scene, state).0, body.outcome.sides);
        }
    }

    /// Ends the tick of a body that the phase moved, or that is asleep.
    pub(in crate::world) fn finish_collided_body(
        &mut self,
        pairs: &Pairs,
        body: &SolverBody,
        state: &mut BodyState,
        scratch: &mut StepScratch,
    ) {
        let id = body.given.id;
        scratch.carries.skip_carried_body(id);
        let far = Riding::without_platforms(body.start.position);
        let riding = body.start.riding.and_then(|riding| pairs.ridings.get(riding as usize)).unwrap_or(&far);
        let scene = if self.scene.around.has_platforms() { riding.scene(self.scene) } else { self.scene };
        let mut tick = Tick::of_riding_body(scene, self.rules, self.events, riding);
        if body.is_moved_by_phase() {
            tick.finish_moved_body(body, state, scratch, riding);
        } else {
            state.begin_tick();
            tick.begin_tick(state, scratch);
            let BodyState { now, cold, .. } = &mut *state;
            if let Some(cold) = cold {
                cold.store_path(&mut scratch.path, now);
            }
            if !body.stage.near.is_empty() || body.start.had_sides {
                state.now.touching = state
                    .now
                    .touching
                    .with_walls_and_ceiling(sides_and_standing_of_body(&tick.scene, state).0, body.outcome.sides);
            }
            tick.send_hits(body);
        }
        let is_moved = body.is_moved_by_phase();
        self.update_outside_map_flag(id, state, scratch);
        self.send_contact_changes(body);
        self.set_sleep_counter_and_send_change(id, state, if body.start.is_stuck { 0 } else { body.outcome.quiet });
        if !self.scene.around.has_platforms() {
            if is_moved {
                self.find_free_air(state);
            }
            return;
        }
        if !is_moved && body.start.was_on_body {
            if state.last_ride_velocity() != body.start.frame {
                state.cold_mut().carried = body.start.frame;
            }
        } else if !is_moved || !body.is_on_body(riding.velocity) {
            self.switch_to_ridden_frame(state, scratch, riding);
        }
    }

    /// Ends the tick of a body that the pair phase has moved: stores its path and contacts, and sends its events.
    fn finish_moved_body(
        &mut self,
        body: &SolverBody,
        state: &mut BodyState,
        scratch: &mut StepScratch,
        riding: &Riding,
    ) {
        let id = body.given.id;
        self.begin_tick(state, scratch);
        let is_on_body = body.is_on_body(riding.velocity);
        let frame = if is_on_body { body.now.frame } else { riding.velocity };
        let velocity = limit_velocity(body.now.velocity - frame);
        state.replace_state(|now| (now.position, now.velocity) = (body.now.position, velocity));
        let BodyState { now, cold, kind, .. } = &mut *state;
        let cold = cold.get_or_insert_default();
        let mut last = now.previous;
        if let Some(end) = scratch.path.last() {
            last = *end;
        }
        for leg in &body.lists.legs {
            if leg.to != last {
                scratch.path.push(leg.to);
                last = leg.to;
            }
        }
        cold.set_contacts_if_changed(&body.lists.touched);
        cold.store_path(&mut scratch.path, now);
        if is_on_body && cold.carried != frame {
            cold.carried = frame;
        }
        let is_character = kind.character.is_some();
        let is_blocked = body.has_blocked_jump() && !now.mode.has_velocity_set_by_ability();
        now.jump_held = is_character && now.input.is_jump_held() && !is_blocked;
        if is_blocked {
            now.block_jump();
        }
        if body.now.take_off.is_some_and(|run| run.has_run_speed()) {
            now.mode = now.mode.without_jump_rise_or_ability();
        }
        if !body.lists.hits.is_empty() {
            scratch.hits.extend_from_slice(&body.lists.hits);
            self.report_hits(id, state, &mut scratch.hits, false);
        }
        self.send_hits(body);
        self.landed = self.landed.filter(|(landed, _)| *landed == id).or_else(|| self.landing_on_body(body));
        self.jumped = body.now.take_off.map(|_| id);
        // A character whose jump was blocked stays on the floor. It keeps the speed along the ground with which it
        // jumped.
        let run = body.now.take_off.map_or(0.0, |run| run.speed);
        let speed =
            body.outcome.stands_on_floor.then(|| if is_character { body.now.ground.unwrap_or(run) } else { 0.0 });
        self.update_grounded(id, state, body.outcome.sides, speed);
    }

    /// Returns the flattest hit of a body from above.
    fn landing_on_body(&self, body: &SolverBody) -> Option<(BodyId, Landing)> {
        let up = self.scene.frame.up();
        let hits = body.lists.body_hits.iter().filter(|hit| !hit.is_refused && hit.normal.dot(up) > 0.0);
        let flattest = hits.max_by(|a, b| a.normal.dot(up).total_cmp(&b.normal.dot(up)));
        flattest.map(|hit| (body.given.id, Landing { speed: hit.speed, on: Some(LandedOn::Body(hit.other)) }))
    }

    /// Sends an event for each hit with another body.
    fn send_hits(&mut self, body: &SolverBody) {
        for hit in &body.lists.body_hits {
            let BodyHit { other, normal, speed, is_refused } = *hit;
            let kind =
                if is_refused { EventKind::PushRefused { other } } else { EventKind::HitBody { other, normal, speed } };
            self.events.push(Event { body: body.given.id, kind });
        }
    }

    /// Sends the hits of a body that moved by its own tick. They follow its hits with terrain, and come before
    /// `Landed`, `Jumped` and `LeftFloor`.
    fn send_hits_of_own_tick(&mut self, body: &SolverBody) {
        if body.lists.body_hits.is_empty() {
            return;
        }
        let count = self.events.len();
        let is_of_floor = |event: &&Event| {
            event.body == body.given.id
                && matches!(event.kind, EventKind::Landed { .. } | EventKind::Jumped { .. } | EventKind::LeftFloor)
        };
        let floors = self.events.iter().rev().take_while(is_of_floor).count();
        self.send_hits(body);
        self.events[count - floors..].rotate_left(floors);
    }

    /// Sends an event for each contact with another body that began or ended.
    fn send_contact_changes(&mut self, body: &SolverBody) {
        let began = body.lists.began.iter().map(|other| EventKind::BodyContactBegan { other: *other });
        let ended = body.lists.ended.iter().map(|other| EventKind::BodyContactEnded { other: *other });
        self.events.extend(began.chain(ended).map(|kind| Event { body: body.given.id, kind }));
    }

    /// Sends an event if a body has fallen asleep or woken up.
    fn set_sleep_counter_and_send_change(&mut self, body: BodyId, state: &mut BodyState, counter: u8) {
        let rested = state.now.has_slept();
        state.now.quiet = counter;
        if rested != (counter == Now::AT_REST) {
            let kind = if rested { EventKind::WokeUp } else { EventKind::FellAsleep };
            self.events.push(Event { body, kind });
        }
    }
}
