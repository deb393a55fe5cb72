//! Finds the bodies that fall asleep at the end of a tick, and those that wake up.
//!
//! A body falls asleep once it stays on terrain or on sleeping bodies that hold all of its weight, with the help of
//! friction. A sleeping body is not moved and costs nothing. An impact, a push or a command wakes it. It also wakes
//! up if the body under it moves away or wakes up, and then it wakes the bodies on it.

use super::rolling::minkowski_sum;
use super::solver_bodies::BodyIndex;
use super::solver_body::Part;
use super::tolerance::{
    FRICTION_SLACK, MAX_CREEP_UNITS, MAX_LIE_GAP_UNITS, MIN_CARRY_NORMAL, QUIET_TICKS, STILL_TICKS,
};
use super::{PairPhase, take_and_empty_list};
use crate::motion::{Grip, Touching, friction_between, is_touch, points_into, project_out_of_surfaces};
use crate::world::state::Now;
use glam::DVec2;
use surefoot_geometry::exact;
use surefoot_geometry::exact::tolerance::TOUCH;

impl PairPhase<'_> {
    /// Finds which of the moved bodies fall asleep, from the lowest upwards.
    pub(super) fn find_sleeping_bodies(&mut self) {
        let tick = self.rules.settings.tick;
        let mut order = take_and_empty_list(&mut self.pairs.lists.order);
        order.extend(self.pairs.bodies.all_indices().filter(|i| self.body(*i).is_moved_by_phase()));
        self.sort_upwards(&mut order);
        // Visit lower bodies first, because a body can fall asleep on a body that sleeps. A body may lie on one of
        // equal height that comes later in the list. Then it falls asleep in the next tick.
        for &i in &order {
            let body = self.body(i);
            if body.given.is_character {
                continue;
            }
            let velocity = body.now.velocity - body.now.frame;
            let moved = (body.now.position - body.start.position).abs().max_element();
            let creeps = moved <= MAX_CREEP_UNITS && velocity.length() <= 2.0 * body.given.gravity.length() * tick;
            let is_held = velocity.length() <= body.given.contact.rest_speed && self.test_if_weight_held_by_sleeping(i);
            let quiet = self.state(i).now.quiet;
            let quiet = if quiet > STILL_TICKS { 0 } else { quiet };
            let mut next = if creeps { (quiet + 1).min(STILL_TICKS) } else { 0 };
            let is_weight_held_by_unmoved = next == STILL_TICKS && moved == 0 && self.test_if_weight_held_by_unmoved(i);
            let lies = (next >= QUIET_TICKS && moved > 0) || next == STILL_TICKS;
            // This loop lets bodies fall asleep from the lowest upwards. Only a body that gravity pulls down lies on
            // lower bodies. So a body with gravity in another direction does not fall asleep here.
            let body = self.body(i);
            let is_let = !body.given.is_in_area && body.given.gravity.dot(self.up(i)) < 0.0;
            // A body on an awake body may have to move along with it.
            let follows = |j: &u32| {
                let lower = self.body(*j);
                let goes = lower.is_moved_by_phase()
                    && (lower.now.position - lower.start.position).abs().max_element() > MAX_CREEP_UNITS;
                goes && self.lies_on(i, *j)
            };
            let is_still = is_let && is_weight_held_by_unmoved;
            let is_let = is_let && !self.body(i).stage.near.iter().any(follows);
            if is_still || (is_let && ((is_held && moved == 0) || (lies && self.lies_on_terrain_or_sleeping_body(i)))) {
                next = Now::AT_REST;
            }
            let rests = next == Now::AT_REST;
            let body = &mut self.pairs.bodies[i as usize];
            if rests {
                body.now.velocity = body.now.frame;
            }
            body.outcome.quiet = next;
        }
        self.pairs.lists.order = order;
        let mut next = 0;
        while let Some(i) = self.pairs.bodies.next_index(&mut next) {
            if !self.body(i).is_moved_by_phase()
                && (!self.body(i).stage.near.is_empty() || self.body(i).start.had_sides)
            {
                self.find_touched_sides_of_own_tick(i);
            }
        }
    }

    /// Finds what touches the moved bodies at their end positions.
    pub(super) fn find_touched_sides_of_all(&mut self) {
        let mut order = take_and_empty_list(&mut self.pairs.lists.order);
        order.extend(self.pairs.bodies.all_indices().filter(|i| self.body(*i).is_moved_by_phase()));
        if self.pairs.broad.has_characters {
            // A character that is lowered to its floor moves, and the bodies after it see that. No other body moves
            // here.
            self.pairs.bodies.sort_by_rank(&mut order);
        }
        order.iter().for_each(|i| self.find_touched_sides(*i));
        self.pairs.lists.order = order;
    }

    /// Finds which bodies began or ended to touch each other in the tick.
    pub(super) fn find_contact_changes(&mut self) {
        let mut next = 0;
        while let Some(i) = self.pairs.bodies.next_index(&mut next) {
            for n in 0..self.body(i).stage.near.len() {
                let j = self.body(i).stage.near[n];
                let (a, b) = (self.body(i), self.body(j));
                let (end_a, end_b) = (self.end_position(i), self.end_position(j));
                if j < i || (end_a == a.start.before_platforms && end_b == b.start.before_platforms) {
                    continue;
                }
                let touches = |offset| a.touching_contact(b, offset).is_some();
                let (before, after) =
                    (touches(a.start.before_platforms - b.start.before_platforms), touches(end_a - end_b));
                if before != after {
                    let ids = (a.given.id, b.given.id);
                    for (k, other) in [(i, ids.1), (j, ids.0)] {
                        let body = &mut self.pairs.bodies[k as usize];
                        let list = if after { &mut body.lists.began } else { &mut body.lists.ended };
                        list.push(other);
                    }
                }
            }
        }
    }

    /// Wakes sleeping bodies if a body under them has moved away.
    pub(super) fn wake_unsupported_bodies(&mut self) {
        let mut work = take_and_empty_list(&mut self.pairs.lists.work);
        let moved = |i: &u32| {
            let body = self.body(*i);
            let goes = match body.stage.part {
                Part::Alone => self.end_position(*i) != body.start.position || self.state(*i).now.has_slept(),
                Part::Asleep | Part::Collides => body.is_moved_by_phase(),
            };
            goes && body.outcome.quiet != Now::AT_REST
        };
        work.extend(self.pairs.bodies.all_indices().filter(moved));
        while let Some(i) = work.pop() {
            for n in 0..self.body(i).stage.near.len() {
                let j = self.body(i).stage.near[n];
                let (lower, upper) = (self.body(i), self.body(j));
                if upper.is_moved_by_phase() || upper.outcome.quiet != Now::AT_REST {
                    continue;
                }
                if lies_on(
                    upper.given.gravity,
                    (upper.given.collider, lower.given.collider),
                    upper.start.position - lower.start.position,
                ) {
                    self.pairs.bodies[j as usize].outcome.quiet = 0;
                    work.push(j);
                }
            }
        }
        self.pairs.lists.work = work;
    }

    /// Returns whether terrain and sleeping bodies, with friction, hold all of the body's weight.
    fn test_if_weight_held_by_sleeping(&mut self, i: BodyIndex) -> bool {
        self.body(i).given.gravity != DVec2::ZERO
            && self.find_unsupported_gravity(i, |phase, j| phase.counts_as_asleep(j)) == DVec2::ZERO
    }

    /// Returns whether the body's weight is held with the help of friction by terrain and by bodies that have not
    /// moved in this tick, awake or asleep. Without this rule, bodies that hold each other could not fall asleep:
    /// each would wait for the others.
    fn test_if_weight_held_by_unmoved(&mut self, i: BodyIndex) -> bool {
        let stays = |phase: &PairPhase<'_>, j: BodyIndex| {
            let other = phase.body(j);
            phase.end_position(j) == other.start.before_platforms && !other.start.is_stuck
        };
        self.find_unsupported_gravity(i, stays) == DVec2::ZERO
    }

    /// Returns the part of gravity that remains after terrain, friction and the bodies selected by `counts` have held
    /// the body.
    pub(super) fn find_unsupported_gravity(
        &mut self,
        i: BodyIndex,
        counts: impl Fn(&PairPhase<'_>, BodyIndex) -> bool,
    ) -> DVec2 {
        self.find_touched_surfaces(i);
        let body = self.body(i);
        let (gravity, position) = (body.given.gravity, body.now.position);
        let up = self.up(i);
        let touched = &body.lists.touched;
        let factor = self.scene_of(i).friction_under(body.given.shape, position, touched, gravity);
        let mut friction = body.given.contact.friction * factor;
        let mut normals: smallvec::SmallVec<[(DVec2, DVec2); 8]> = smallvec::SmallVec::new();
        for surface in body.lists.touched.iter().filter(|surface| !surface.is_velocity_let_through(gravity)) {
            normals.push((surface.normal(position).as_dvec2().normalize_or_zero(), DVec2::ZERO));
        }
        for &j in body.stage.near.iter().filter(|j| counts(self, **j)) {
            let other = self.body(j);
            let offset = position - self.end_position(j);
            let contact = body.touching_contact(other, offset).filter(|contact| contact.normal.dot(gravity) < 0.0);
            let Some(contact) = contact else { continue };
            if contact.normal.dot(up) > 0.0 {
                friction = friction.min(friction_between(body.given.contact.friction, other.given.contact.friction));
            }
            normals.push((contact.normal, DVec2::ZERO));
        }
        if normals.is_empty() {
            return gravity;
        }
        let along = project_out_of_surfaces(gravity, &normals, 0.0);
        let is_held = normals.iter().any(|(normal, _)| points_into(*normal, along))
            || Grip::new(gravity, along, friction).holds_at_rest(gravity.length() * FRICTION_SLACK);
        if is_held { DVec2::ZERO } else { along }
    }

    /// Returns whether a body counts as asleep so far in this search.
    fn counts_as_asleep(&self, j: BodyIndex) -> bool {
        let other = self.body(j);
        if other.is_moved_by_phase() {
            other.outcome.quiet == Now::AT_REST
        } else {
            other.stage.part == Part::Asleep && !other.start.is_stuck
        }
    }

    /// Returns whether a body lies on terrain or a sleeping body: on a flat side without a gap, on a round side
    /// within [`MAX_LIE_GAP_UNITS`].
    fn lies_on_terrain_or_sleeping_body(&self, i: BodyIndex) -> bool {
        let body = self.body(i);
        let touching = Touching::from_surfaces(&body.lists.touched, body.now.position, self.upright_frame(i));
        let carries = |&j: &u32| {
            let offset = body.now.position - self.end_position(j);
            let contact = self.contact(i, j, offset).filter(is_touch);
            let contact = contact.or_else(|| self.landing_contact(i, j, offset, MAX_LIE_GAP_UNITS));
            self.counts_as_asleep(j) && contact.is_some_and(|contact| self.is_contact_below(i, contact.normal))
        };
        touching.floor || body.stage.near.iter().any(carries)
    }

    /// Returns whether body `i` lies on body `j`.
    pub(super) fn lies_on(&self, i: BodyIndex, j: BodyIndex) -> bool {
        let (upper, lower) = (self.body(i), self.body(j));
        lies_on(
            upper.given.gravity,
            (upper.given.collider, lower.given.collider),
            upper.now.position - lower.now.position,
        )
    }
}

/// Returns whether the shape `upper` lies on `lower`; `offset` is that between their centres. Gravity must pull it
/// against a side within [`MAX_LIE_GAP_UNITS`], or, for round shapes, towards the other centre. If the two touch, the
/// smallest pull is enough, because a body may be wedged between two such sides.
pub(in crate::world) fn lies_on(
    gravity: DVec2,
    (upper, lower): (exact::Collider, exact::Collider),
    offset: glam::I64Vec2,
) -> bool {
    let (half, radius) = minkowski_sum(upper, lower);
    // Make the box of the Minkowski sum one unit smaller. So `out` is not zero if two flat sides touch, and has the
    // direction of their normal.
    let inner = (half - 1).max(glam::I64Vec2::ZERO);
    let out = offset - offset.clamp(-inner, inner);
    let is_corner = radius == 0 && out.x != 0 && out.y != 0;
    let distance = out.as_dvec2().length();
    let lift = if distance <= (radius + TOUCH) as f64 { 0.0 } else { MIN_CARRY_NORMAL };
    let is_drawn_against = |way: glam::I64Vec2| {
        let way = way.as_dvec2();
        way.dot(gravity) < -lift * way.length() * gravity.length()
    };
    !is_corner
        && distance < (radius + MAX_LIE_GAP_UNITS) as f64
        && (is_drawn_against(out) || (radius > 0 && is_drawn_against(offset)))
}
