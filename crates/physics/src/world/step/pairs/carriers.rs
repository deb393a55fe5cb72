//! Velocities with which bodies enter the phase, if the world has platforms: each body gets the velocity of the
//! platform or body that carries it, and of the platforms that push it.
//!
//! A body that lies on another one has the platform velocity of that one, and takes over the push.

use super::solver_bodies::BodyIndex;
use super::solver_body::{BodyHit, Part, SolverBody, Start};
use super::tolerance::{MAX_PARTING_SPEED, MIN_CARRY_NORMAL};
use super::{Pairs, lies_on, take_and_empty_list};
use crate::motion::{
    Surface, Surfaces, Touching, combine_displacements, common_velocity, motion_to_units, project_out_of_surfaces,
    sideways_distance,
};
use crate::world::World;
use crate::world::step::platforms::Carried;
use crate::world::step::riding::find_push_limits_and_bounce;
use crate::world::step::{Riding, Rules};
use glam::{DVec2, I64Vec2};
use surefoot_geometry::exact::PairContact;
use surefoot_geometry::to_lengths;

impl World {
    /// Finds how platforms moved and pushed the listed bodies.
    pub(super) fn find_rides(&mut self, pairs: &mut Pairs) {
        let World { terrain, platforms, settings, bodies, scratch, tick, areas, .. } = self;
        let scene = platforms.scene(terrain, settings);
        let rules = Rules::of_next_tick(settings, terrain, *tick);
        let acting = areas.active_effects();
        for body in pairs.bodies.iter_mut() {
            let Some(state) = bodies.get(body.given.id) else { continue };
            let scene = scene.of_kind(&state.kind);
            body.start.riding = Some(pairs.ridings.len() as u32);
            let rules = rules.with_area_effects(acting.find_effects_on(body.given.id));
            let riding = Riding::begin_own_move_in_any_order(&scene, &rules, body.given.id, state, scratch);
            if riding.rides_a_platform() {
                body.start.frame = riding.velocity;
                // To other bodies, a stuck body has only the velocity of its platforms. Its own velocity is kept until
                // it is free.
                let own = if body.start.is_stuck { DVec2::ZERO } else { state.now.velocity };
                body.start.velocity = own + body.start.frame;
            }
            if riding.carried.pushed != I64Vec2::ZERO && body.stage.part == Part::Asleep && !body.start.is_stuck {
                // A platform pushes the body, directly or through other bodies. So the body wakes up and continues
                // with the platform's speed.
                (body.stage.part, body.outcome.quiet) = (Part::Alone, 0);
            }
            if body.stage.part != Part::Asleep {
                let (limits, bounce) = find_push_limits_and_bounce(&scene, state, riding.pushers(scratch.carries()));
                let mut raised = project_out_of_surfaces(body.start.velocity, &limits, bounce);
                if state.kind.character.is_none() {
                    raised = raise_velocity_to_at_least(riding.carried.chain, raised);
                }
                body.start.kick = raised - body.start.velocity;
                body.start.velocity = raised;
            }
            let Carried { from, pushed, chain, .. } = riding.carried;
            body.start.push_velocity = raise_velocity_to_at_least(chain, body.start.velocity);
            body.start.pushed = match riding.is_pushed_by_platforms() {
                true => pushed,
                false => displacement_of_chain_push((pushed, chain), body.start.velocity, settings.tick),
            };
            body.start.before_platforms = from;
            pairs.ridings.push(riding);
        }
    }

    /// Returns whether terrain or a platform supports the body. Only surfaces that rise at least as fast as `rise`
    /// count.
    fn is_supported_by_terrain(&self, body: &SolverBody, rise: f64) -> bool {
        let Some(state) = self.bodies.get(body.given.id) else { return false };
        let scene = self.platforms.scene(&self.terrain, &self.settings).of_kind(&state.kind);
        let keeps_up = |surface: &&Surface| scene.around.velocity(surface.owner).dot(scene.frame.up()) >= rise;
        let touched: Surfaces = state.touched().iter().filter(keeps_up).copied().collect();
        Touching::from_surfaces(&touched, body.start.position, &scene.frame).floor
    }

    /// Finds the platform velocity of bodies that lie on others, from the lowest upwards. Each gets the velocity of
    /// the body below.
    pub(super) fn find_carrier_velocities(&mut self, pairs: &mut Pairs) {
        let mut order = take_and_empty_list(&mut pairs.lists.order);
        order.extend(pairs.bodies.all_indices());
        pairs.bodies.sort_by_rank(&mut order);
        for &i in &order {
            let body = &pairs.bodies[i as usize];
            let rides = body.start.riding.is_some_and(|riding| pairs.ridings[riding as usize].rides_a_platform());
            let (base, up) = (pairs.body_that_carries(body), body.given.upright.up());
            let is_held = self.is_supported_by_terrain(body, f64::NEG_INFINITY);
            let lies = |j: &u32| {
                let other = &pairs.bodies[*j as usize];
                lies_on(
                    body.given.gravity,
                    (body.given.collider, other.given.collider),
                    body.start.position - other.start.position,
                )
            };
            let lies_on_any = body.stage.near.iter().any(lies);
            let id = body.given.id;
            let passes =
                body.start.riding.is_some_and(|riding| !pairs.ridings[riding as usize].carried.ignored.is_empty());
            let is_left = !rides && !passes && base.is_none() && !body.start.is_stuck;
            if is_left && body.start.frame != DVec2::ZERO {
                // The body that carried this one has gone. From now on, the inherited velocity counts as this body's
                // own velocity.
                let right = body.given.upright.right();
                let Some(state) = self.bodies.get_mut(id) else { continue };
                state.set_frame_velocity(DVec2::ZERO, right);
                let body = &mut pairs.bodies[i as usize];
                (body.start.frame, body.now.frame, body.start.last_frame) = (DVec2::ZERO, DVec2::ZERO, DVec2::ZERO);
                body.start.ground = state.now.footing.speed();
                body.now.ground = body.start.ground;
            }
            if passes && !rides && base.is_none() && !pairs.bodies[i as usize].start.is_stuck {
                // A platform that has crushed the body gives it no velocity.
                let body = &mut pairs.bodies[i as usize];
                let frame = std::mem::take(&mut body.start.frame);
                (body.start.velocity, body.start.push_velocity) =
                    (body.start.velocity - frame, body.start.push_velocity - frame);
                (body.now.frame, body.start.last_frame) = (DVec2::ZERO, DVec2::ZERO);
            }
            let body = &pairs.bodies[i as usize];
            if body.stage.part == Part::Asleep && !body.start.is_stuck && !is_held && !lies_on_any {
                // A platform has moved away from under the body, so the body wakes up.
                let body = &mut pairs.bodies[i as usize];
                (body.stage.part, body.outcome.quiet) = (Part::Alone, 0);
                continue;
            }
            // If terrain supports this body, a body below carries it only by lifting it off. For that, the body below
            // must rise faster than the terrain.
            let is_held = |base: &BodyBelow| {
                is_held && self.is_supported_by_terrain(&pairs.bodies[i as usize], base.frame.dot(up))
            };
            let Some(base) = base.filter(|base| !rides && !is_held(base)) else { continue };
            let BodyBelow { frame, last_frame, velocity, kick, pushed, .. } = base;
            let body = &mut pairs.bodies[i as usize];
            let change = inherited_velocity_change(body, (frame, last_frame, velocity), up);
            body.start.velocity += change;
            body.start.push_velocity += change;
            (body.start.frame, body.start.last_frame, body.start.was_on_body) = (frame, last_frame, true);
            if kick != DVec2::ZERO && body.start.pushed == I64Vec2::ZERO && !body.start.is_stuck {
                // A platform has pushed the body below, and this body has moved along. So this body wakes up and also
                // gets the velocity of the push.
                if body.stage.part == Part::Asleep {
                    (body.stage.part, body.outcome.quiet) = (Part::Alone, 0);
                }
                let kick = push_velocity_from_below(kick, velocity + kick, body.start.velocity);
                body.start.velocity += kick;
                body.start.push_velocity += kick;
                (body.start.kick, body.start.pushed) = (kick, pushed);
            }
        }
        pairs.lists.order = order;
    }
}

/// Returns a velocity that is at least `least` on each axis on which that is not 0.
fn raise_velocity_to_at_least(least: DVec2, velocity: DVec2) -> DVec2 {
    let raise = |own: f64, least: f64| {
        if least == 0.0 {
            own
        } else if least > 0.0 {
            own.max(least)
        } else {
            own.min(least)
        }
    };
    DVec2::new(raise(velocity.x, least.x), raise(velocity.y, least.y))
}

/// Returns the velocity change of a body that lies on a rider: the velocity of the platform that the rider rode when
/// the tick began. If the rider changes to another platform, the upper body is not affected. But if the rider's own
/// floor stops it along up, the upper body stays on the rider. `velocity` is the rider's velocity.
fn inherited_velocity_change(
    body: &SolverBody,
    (frame, last_frame, velocity): (DVec2, DVec2, DVec2),
    up: DVec2,
) -> DVec2 {
    let (change, all) = (frame - last_frame, frame - body.start.frame);
    if change == all {
        return change;
    }
    let parts = (body.start.velocity + change - velocity).dot(up);
    let stopped = (change - all).dot(up);
    change - up * parts.min(stopped).max(0.0)
}

/// The body below that carries this one: the nearest to the centre line. If several are equally near, the values that
/// all share.
#[derive(Clone, Copy)]
struct BodyBelow {
    away: i64,
    frame: DVec2,
    last_frame: DVec2,
    velocity: DVec2,
    kick: DVec2,
    pushed: I64Vec2,
}

impl Pairs {
    /// Returns whether platforms brought two bodies into contact in this tick, and gave one of them a velocity by
    /// pushing it.
    pub(super) fn are_pressed_together(&self, i: BodyIndex, j: BodyIndex) -> bool {
        let (a, b) = (&self.bodies[i as usize], &self.bodies[j as usize]);
        (a.start.kick != DVec2::ZERO || b.start.kick != DVec2::ZERO) && a.contact_made_by_platforms(b).is_some()
    }

    /// Records hits with other bodies while platforms moved. Speeds are those before the platform push, except for a
    /// body that was pushed and pushes on.
    pub(super) fn record_hits_by_platforms(&mut self, i: BodyIndex, tick: f64) {
        let up = self.bodies[i as usize].given.upright.up();
        for n in 0..self.bodies[i as usize].stage.near.len() {
            let j = self.bodies[i as usize].stage.near[n];
            let (a, b) = (&self.bodies[i as usize], &self.bodies[j as usize]);
            let Some(PairContact { normal, flat, .. }) = a.contact_made_by_platforms(b) else { continue };
            let before = |body: &SolverBody| normal.dot(body.start.velocity - body.start.kick);
            let after = |body: &SolverBody| normal.dot(body.start.push_velocity);
            let speed = (before(b) - before(a)).max(after(b) - before(a)).max(before(b) - after(a));
            // If the velocities show no approach, take it from the distance by which platforms moved the two bodies
            // towards each other in this tick.
            let made = (a.start.position - a.start.before_platforms) - (b.start.position - b.start.before_platforms);
            let closed = -normal.dot(to_lengths(made)) / tick;
            let speed = if speed > MAX_PARTING_SPEED { speed } else { closed };
            let lift = normal.dot(up);
            let gravity =
                if lift > MIN_CARRY_NORMAL { a.given.gravity.dot(-normal) } else { b.given.gravity.dot(normal) };
            let is_soft =
                !flat && lift.abs() > MIN_CARRY_NORMAL && gravity > 0.0 && speed.max(closed) <= 2.0 * gravity * tick;
            if speed > MAX_PARTING_SPEED && !is_soft {
                let hit = BodyHit { other: b.given.id, normal: normal + DVec2::ZERO, speed, is_refused: false };
                self.bodies[i as usize].lists.body_hits.push(hit);
            }
        }
    }

    /// Returns the body below that carries this one, if there is one.
    fn body_that_carries(&self, body: &SolverBody) -> Option<BodyBelow> {
        let up = body.given.upright.up_axis();
        let mut found: Option<BodyBelow> = None;
        for j in &body.stage.near {
            let other = &self.bodies[*j as usize];
            let offset = body.start.position - other.start.position;
            let contact = body.contact(other, offset);
            let Some(contact) = contact.filter(|contact| contact.normal.dot(up.as_dvec2()) > MIN_CARRY_NORMAL) else {
                continue;
            };
            // A body below does not carry this one in three cases: gravity does not pull this one towards it, the two
            // have opposite ups, or they touch only since platforms moved.
            let is_carried = contact.normal.dot(body.given.gravity) < 0.0
                && other.given.upright.up_axis() != -up
                && body.contact(other, body.start.before_platforms - other.start.before_platforms).is_some();
            if !is_carried {
                continue;
            }
            let away = sideways_distance(other.given.shape, contact.flat, offset, up);
            let Start { frame, last_frame, velocity, kick, pushed, .. } = other.start;
            let velocity = velocity - kick;
            let under = BodyBelow { away, frame, last_frame, velocity, kick, pushed };
            found = Some(match found {
                Some(known) if known.away < away => known,
                Some(known) if known.away == away => known.values_common_with(under),
                _ => under,
            });
        }
        found
    }
}

impl BodyBelow {
    /// Keeps the values that two bodies below have in common.
    fn values_common_with(self, other: BodyBelow) -> BodyBelow {
        BodyBelow {
            away: self.away,
            frame: common_velocity(self.frame, other.frame),
            last_frame: common_velocity(self.last_frame, other.last_frame),
            velocity: common_velocity(self.velocity, other.velocity),
            kick: common_velocity(self.kick, other.kick),
            pushed: combine_displacements([self.pushed, other.pushed].into_iter()),
        }
    }
}

/// Returns the push velocity that a body takes over from the body that it lies on. It makes the body at most as fast
/// as `pusher`, the velocity of the body below. `own`: the body's velocity before.
fn push_velocity_from_below(kick: DVec2, pusher: DVec2, own: DVec2) -> DVec2 {
    let along = |kick: f64, pusher: f64, own: f64| {
        let ahead = (own + kick - pusher) * kick.signum();
        if ahead > MAX_PARTING_SPEED { (pusher - own).clamp(kick.min(0.0), kick.max(0.0)) } else { kick }
    };
    DVec2::new(along(kick.x, pusher.x, own.x), along(kick.y, pusher.y, own.y))
}

/// Returns the part of a body's own motion that a push through other bodies has already made in this tick, in units.
/// If the body is no faster than the body that pushes it, this is all of the motion, so that the two stay in contact.
/// `velocity` includes the push.
fn displacement_of_chain_push((pushed, chain): (I64Vec2, DVec2), velocity: DVec2, tick: f64) -> I64Vec2 {
    let own = motion_to_units(velocity * tick);
    let along = |axis: usize| {
        let goes_along = velocity[axis].abs() <= chain[axis].abs() + MAX_PARTING_SPEED
            && own[axis].signum() == pushed[axis].signum();
        if goes_along && own[axis].abs() > pushed[axis].abs() { own[axis] } else { pushed[axis] }
    };
    I64Vec2::new(along(0), along(1))
}

impl SolverBody {
    /// Returns the contact of two bodies when the phase begins, if platforms brought them together in this tick.
    fn contact_made_by_platforms(&self, other: &SolverBody) -> Option<PairContact> {
        let (before, offset) =
            (self.start.before_platforms - other.start.before_platforms, self.start.position - other.start.position);
        if before == offset {
            None
        } else {
            self.touching_contact(other, offset).filter(|_| self.touching_contact(other, before).is_none())
        }
    }
}
