//! Changes the velocities at an impact of two bodies, or of a body and terrain.
//!
//! Two bodies exchange an impulse along the normal, by their masses and mobilities. The mobility of a body is how
//! freely it can move in a direction. It is zero if terrain blocks the body there, directly or through a row of
//! bodies. A body that falls slowly on another one lands on it. Characters set their own velocity: they move only
//! with what they stand on, and they do not throw the bodies that they hit.

use super::plan::Limits;
use super::solver_bodies::BodyIndex;
use super::solver_body::{Ahead, BodyHit, Part, Plan};
use super::tolerance::{
    MAX_GAP_UNITS, MAX_PARTING_FRACTION, MAX_PARTING_SPEED, MIN_CARRY_NORMAL, MIN_MOBILITY, MIN_SAME_SIDE_DOT,
    MIN_STAND_UP, NORMAL_LENGTH, SAME_NORMAL_SINE,
};
use super::{PairPhase, take_and_empty_list};
use crate::bounce::{Barrier, Bounce};
use crate::motion::{
    Bounds, Crest, Grip, RunOff, Surface, Surfaces, Toucher, distance_past_ends, floors_of, friction_between, is_touch,
    points_into, project_out_of_surfaces, reduce_speed, reduce_speed_on_belt, tiles_to_units,
};
use crate::movement::Hits;
use crate::rebound::Throw;
use crate::walker::Nudges;
use crate::world::step::body_tick::find_rebound;
use glam::{DVec2, I64Vec2};
use smallvec::SmallVec;
use surefoot_geometry::Sweep;
use surefoot_geometry::exact;
use surefoot_geometry::exact::tolerance::TOUCH;

/// A collision of two bodies. The normal points from the second to the first.
struct Encounter {
    normal: DVec2,
    /// Speed towards each other along the normal.
    approach: f64,
    /// The first body lands on the second, which is then its ground.
    lands: bool,
    /// The second body lands on the first, which is then its ground.
    is_under: bool,
    /// The impact is too slow for a bounce.
    is_slow: bool,
}

impl PairPhase<'_> {
    /// Handles the collision of two bodies at `time`. `normal` points from the second body to the first.
    pub(super) fn resolve_collision(&mut self, i: BodyIndex, j: BodyIndex, normal: DVec2, time: f64) {
        if (self.body(i).given.is_one_way || self.body(j).given.is_one_way)
            && normal.dot(self.up(i)) <= MIN_CARRY_NORMAL
            && -normal.dot(self.up(j)) <= MIN_CARRY_NORMAL
        {
            return self.let_bodies_pass_through(i, j);
        }
        self.advance_to(i, time);
        self.advance_to(j, time);
        for k in [i, j] {
            self.pairs.bodies[k as usize].impacts.has_collided = true;
        }
        let normal = self.find_normal_and_separate_corners(i, j, normal);
        // The roles of the two bodies must not depend on which of them the caller passed first. So let the first body
        // be the faster one, or else the higher one.
        let along = |k| normal.dot(self.body(k).now.velocity).abs();
        let height = |k| self.body(k).height();
        let swap = match along(j).total_cmp(&along(i)).then(height(j).cmp(&height(i))) {
            std::cmp::Ordering::Greater => true,
            std::cmp::Ordering::Equal => self.pairs.bodies.sort_key(j) < self.pairs.bodies.sort_key(i),
            std::cmp::Ordering::Less => false,
        };
        let (i, j, normal) =
            if swap && self.body(j).is_moved_by_phase() { (j, i, -normal + DVec2::ZERO) } else { (i, j, normal) };
        if self.try_step_up_body(i, j, time) || self.try_step_up_body(j, i, time) {
            return;
        }
        self.close_gap(i, j, normal);
        let was_done = [i, j].map(|k| self.body(k).impacts.is_done);
        let (goes, other_goes) = (self.count_impact_within_limit(i), self.count_impact_within_limit(j));
        if goes && other_goes && self.try_stop_both(i, j, normal, time) {
            return;
        }
        if goes && self.try_push(i, j, normal, time) {
            return;
        }
        if other_goes && self.body(j).is_moved_by_phase() && self.try_push(j, i, -normal + DVec2::ZERO, time) {
            return;
        }
        if self.try_extend_row(i, j, normal, time) || self.try_extend_row(j, i, -normal + DVec2::ZERO, time) {
            return;
        }
        let held = self.exchange_velocities_or_hold_back(i, j, normal, time);
        // An impact can stop a body for the rest of the tick (`is_done`). Plan such a body again too. This also checks
        // the bodies that lie on it or run into it.
        let mut changed: SmallVec<[u32; 2]> = SmallVec::new();
        for (k, was_done) in [i, j].into_iter().zip(was_done) {
            let is_changed = held.is_none_or(|held| held == k) || self.body(k).impacts.is_done;
            if !was_done && is_changed {
                changed.push(k);
            }
        }
        self.plan_bodies_again(&changed, time);
        if !self.end_push_if_blocked(i, j, normal, time) {
            self.end_push_if_blocked(j, i, -normal + DVec2::ZERO, time);
        }
    }

    /// Returns the normal of a collision. If two boxes hit corner to corner and one walks or is pushed sideways, it
    /// is that of the side. Otherwise a box could stand on a corner that it does not touch, and would be hit again at
    /// once.
    fn find_normal_and_separate_corners(&mut self, i: BodyIndex, j: BodyIndex, normal: DVec2) -> DVec2 {
        let (a, b) = (self.body(i), self.body(j));
        let axis = self.frame_that_decides(a, b).up_axis();
        let offset = a.now.position - b.now.position;
        let across = axis.perp() * axis.perp().dot(offset).signum();
        let goes = |k: BodyIndex, way: I64Vec2| {
            let body = self.body(k);
            body.keeps_to_floor() && (body.end_position() - body.now.position).dot(way) > 0
        };
        let is_side = normal.dot(axis.as_dvec2()).abs() == 1.0 && (goes(i, -across) || goes(j, across));
        let depth = a.given.shape.half_units() + b.given.shape.half_units() - offset.abs();
        let is_corner = !a.given.shape.is_circle()
            && !b.given.shape.is_circle()
            && depth.cmple(I64Vec2::splat(MAX_GAP_UNITS)).all();
        if !is_side || !is_corner {
            return normal;
        }
        // Rounding may have put one box over the other by a few units (`aside`). Then move one of them back sideways.
        let aside = depth.dot(across.abs()).max(0);
        let mut ways = [(i, across * aside), (j, -across * aside)];
        ways.sort_by_key(|(k, way)| (goes(*k, -*way), self.pairs.bodies.sort_key(*k)));
        let move_back = |(k, way): (u32, I64Vec2)| {
            let (position, clock) = (self.body(k).now.position, self.body(k).now.clock);
            let is_free = self.body(k).is_moved_by_phase()
                && self.probe_terrain(k, |probe, _| probe.cast(position, way).is_none());
            if is_free {
                self.move_and_record_leg(k, way, clock);
            }
            is_free
        };
        if aside == 0 || ways.into_iter().any(move_back) { across.as_dvec2() } else { normal }
    }

    /// Returns whether two boxes stand corner to corner, except for rounding. `offset` is that between their centres.
    pub(super) fn are_corner_to_corner(&self, i: BodyIndex, j: BodyIndex, offset: I64Vec2) -> bool {
        let (a, b) = (self.body(i), self.body(j));
        let is_box = !a.given.shape.is_circle() && !b.given.shape.is_circle();
        let apart = offset.abs() - a.given.shape.half_units() - b.given.shape.half_units();
        is_box && apart.cmpge(I64Vec2::ZERO).all() && apart.cmple(I64Vec2::splat(MAX_GAP_UNITS)).all()
    }

    /// Lets two bodies pass through each other for the rest of the tick, because one of them is one-way and the other
    /// one hits its side. When the next tick begins, they either overlap or have passed.
    fn let_bodies_pass_through(&mut self, i: BodyIndex, j: BodyIndex) {
        for (k, other) in [(i, j), (j, i)] {
            let body = &mut self.pairs.bodies[k as usize];
            body.stage.near.retain(|near| *near != other);
            body.stage.passes.push(other);
        }
    }

    /// Lifts a body on to another one whose top is a few units higher. Returns whether it has moved.
    fn try_step_up_body(&mut self, i: BodyIndex, j: BodyIndex, time: f64) -> bool {
        let (body, other) = (self.body(i), self.body(j));
        let axis = self.up_axis(i);
        let offset = body.now.position - other.now.position;
        let reach = (body.given.shape.half_units() + other.given.shape.half_units()).dot(axis.abs());
        let step = reach - offset.dot(axis);
        // If the body rises past the top of the other one, it must not be put on that top, where it would lose its
        // velocity.
        let rises = || {
            !body.keeps_to_floor()
                && (body.now.velocity - self.velocity_at(j, time)).dot(self.up(i)) > MAX_PARTING_SPEED
        };
        if !body.is_moved_by_phase()
            || body.impacts.is_done
            || step <= 0
            || step > TOUCH
            || other.given.shape.is_circle()
            || rises()
        {
            return false;
        }
        let (position, way) = (body.now.position, axis * step);
        if self.would_overlap_bodies(i, way, time)
            || !self.count_impact_within_limit(i)
            || self.probe_terrain(i, |probe, _| probe.cast(position, way).is_some())
        {
            return false;
        }
        self.move_and_record_leg(i, way, time);
        self.pairs.bodies[i as usize].impacts.stepped_on = Some(Some(j));
        self.plan_bodies_again(&[i], time);
        true
    }

    /// Returns whether a body would overlap another one at `time` if it were lifted by `displacement`.
    fn would_overlap_bodies(&self, i: BodyIndex, displacement: I64Vec2, time: f64) -> bool {
        let body = self.body(i);
        body.stage.near.iter().any(|k| {
            let (other, offset) = (self.body(*k), body.now.position + displacement - self.position_at(*k, time));
            other.stage.part != Part::Alone && body.overlaps(other, offset)
        })
    }

    /// Changes the velocities of two colliding bodies and returns `None`. If they hardly approach, or if both are
    /// characters, it only holds one of them back for the rest of the tick, and returns that one.
    fn exchange_velocities_or_hold_back(
        &mut self,
        i: BodyIndex,
        j: BodyIndex,
        normal: DVec2,
        time: f64,
    ) -> Option<BodyIndex> {
        let encounter = self.find_encounter(i, j, normal);
        let Encounter { approach, is_slow, .. } = encounter;
        if approach > MAX_PARTING_SPEED {
            self.record_hit(i, j, normal, approach, false);
        }
        let (a, b) = (self.body(i), self.body(j));
        if approach <= MAX_PARTING_SPEED || (a.given.is_character && b.given.is_character) {
            return Some(self.hold_back_one_of_colliding(i, j, &encounter, time));
        }
        let bounce = if is_slow { 0.0 } else { a.given.contact.bounce.max(b.given.contact.bounce) };
        let gives = self.find_mobilities(i, j, &encounter, time);
        let (impulse, velocities) = self.exchange_impulse((i, j), (normal, approach), gives, bounce, time);
        let velocities = self.velocities_after_side_friction((i, j), normal, gives, impulse, velocities);
        let [v_a, v_b] = self.velocities_after_full_stop((i, j), normal, velocities);
        let b = self.body(j);
        let wakes = v_b != b.now.velocity && !b.start.is_stuck;
        self.pairs.bodies[i as usize].now.velocity = v_a;
        if !self.body(j).is_moved_by_phase() && wakes {
            self.wake_with_bodies_on_top(j, time);
        }
        if self.body(j).is_moved_by_phase() {
            self.pairs.bodies[j as usize].now.velocity = v_b;
        }
        let parts = normal.dot(v_a - v_b);
        if bounce == 0.0 && parts.abs() <= MAX_PARTING_SPEED.max(approach * MAX_PARTING_FRACTION) {
            self.hold_back_one_of_pair(i, j, normal);
        }
        None
    }

    /// Returns how two bodies meet: how fast, and whether one of them lands on the other.
    fn find_encounter(&self, i: BodyIndex, j: BodyIndex, normal: DVec2) -> Encounter {
        let (a, b) = (self.body(i), self.body(j));
        let approach = -normal.dot(a.now.velocity - b.now.velocity);
        let pull = a.given.gravity.length().max(b.given.gravity.length());
        let mut slow = a.given.contact.rest_speed.max(b.given.contact.rest_speed);
        // The lower body counts as ground only if gravity pulls the upper one on to it.
        let (lands, is_under) = (self.is_contact_below(i, normal), self.is_contact_below(j, -normal));
        if lands || is_under {
            slow = slow.max(2.0 * pull * self.rules.settings.tick);
        }
        // With opposite gravities, each of the two may land on the other. Then neither is the ground of the other.
        let are_both = lands && is_under;
        Encounter {
            normal,
            approach,
            lands: lands && !are_both,
            is_under: is_under && !are_both,
            is_slow: approach <= slow,
        }
    }

    /// Holds back one of two bodies for the rest of the tick, and returns it. The two are characters, or their paths
    /// collide although their velocities do not approach, as with carried bodies.
    fn hold_back_one_of_colliding(
        &mut self,
        i: BodyIndex,
        j: BodyIndex,
        encounter: &Encounter,
        time: f64,
    ) -> BodyIndex {
        let &Encounter { normal, approach, .. } = encounter;
        let (a, b) = (self.body(i), self.body(j));
        let up = self.frame_that_decides(a, b).up();
        let lift = normal.dot(up);
        let are_characters = a.given.is_character && b.given.is_character;
        // A jump against the round side of another character moves that character sideways. So handle such a jump like
        // an impact at the sides.
        let lower = if lift > 0.0 { b } else { a };
        let jumps =
            lift.abs() < 1.0 && lower.now.plan.ground.is_none() && lower.now.velocity.dot(up) > MAX_PARTING_SPEED;
        if are_characters && (lift.abs() < MIN_STAND_UP || jumps) {
            return self.hold_back_one_at_sides(i, j, normal, time);
        }
        if approach > MAX_PARTING_SPEED && a.is_moved_by_phase() && !a.impacts.is_done {
            // The first body lands on the other, or stops under it. If it kept its speed, it would hit again at once.
            self.pairs.bodies[i as usize].now.velocity += normal * approach;
        }
        // If `j` already holds back character `i` in this tick, that did not prevent this impact. Hold back `j`
        // instead.
        let swap = are_characters && self.is_held_back_by(i, j) && !self.body(j).stays_in_place();
        let (i, j, normal) = if swap { (j, i, -normal + DVec2::ZERO) } else { (i, j, normal) };
        self.hold_back_one_of_pair(i, j, normal)
    }

    /// Returns the mobilities of two colliding bodies along the normal, each away from the other.
    fn find_mobilities(&mut self, i: BodyIndex, j: BodyIndex, encounter: &Encounter, time: f64) -> [DVec2; 2] {
        let &Encounter { normal, lands, is_under, is_slow, .. } = encounter;
        let (mut give_a, mut give_b) =
            (self.find_mobility_along(i, normal, time), self.find_mobility_along(j, -normal, time));
        let (a, b) = (self.body(i), self.body(j));
        if is_slow {
            // At a slow impact, the body on which the other one lands is ground and does not give way. Neither does a
            // body with friction that this phase does not move, such as a sleeping one.
            if lands || (!b.is_moved_by_phase() && b.given.contact.friction > 0.0) {
                give_b = DVec2::ZERO;
            } else if is_under || (!a.is_moved_by_phase() && a.given.contact.friction > 0.0) {
                give_a = DVec2::ZERO;
            }
        }
        [give_a, give_b]
    }

    /// Returns the impulse between two bodies and their velocities after it. Bodies that move together with one of them
    /// get its change of velocity.
    fn exchange_impulse(
        &mut self,
        (i, j): (BodyIndex, BodyIndex),
        (normal, approach): (DVec2, f64),
        [give_a, give_b]: [DVec2; 2],
        bounce: f64,
        time: f64,
    ) -> (f64, [DVec2; 2]) {
        let (a, b) = (self.body(i), self.body(j));
        let (v_a, v_b) = (a.now.velocity, b.now.velocity);
        let (m_a, m_b) = (a.given.mass, b.given.mass);
        let speeds = (v_a.dot(normal), v_b.dot(normal));
        let (w_a, w_b) = (give_a.dot(normal) / m_a, -give_b.dot(normal) / m_b);
        if w_a + w_b == 0.0 {
            // Neither body can give way along the normal. So each loses the speed that moves it into the other.
            (0.0, [v_a - normal * speeds.0.min(0.0), v_b - normal * speeds.1.max(0.0)])
        } else if a.given.is_character {
            // The body leaves with the speed of the character, or with the speed of its own bounce if that is faster.
            let leaves = speeds.0.min(-bounce * speeds.1);
            ((speeds.1 - leaves).abs() * m_b, [v_a, v_b + normal * (leaves - speeds.1)])
        } else if b.given.is_character {
            let leaves = speeds.1.max(-bounce * speeds.0);
            ((speeds.0 - leaves).abs() * m_a, [v_a + normal * (leaves - speeds.0), v_b])
        } else if bounce == 0.0 && give_a == normal && give_b == -normal {
            // The two bodies continue with one velocity. So do the bodies that each of them has hit in this tick and
            // now moves with.
            let (one, other) =
                (self.bodies_moving_together_along(i, normal), self.bodies_moving_together_along(j, normal));
            let mass = |all: &[u32]| all.iter().map(|k| self.body(*k).given.mass).sum::<f64>();
            let (m_a, m_b) = (mass(&one), mass(&other));
            let impulse = approach / (1.0 / m_a + 1.0 / m_b);
            let (change_a, change_b) = (normal * (impulse / m_a), normal * (-impulse / m_b));
            for (all, change) in [(one, change_a), (other, change_b)] {
                for k in all.into_iter().filter(|k| *k != i && *k != j) {
                    self.advance_to(k, time);
                    self.pairs.bodies[k as usize].now.velocity += change;
                    self.pairs.lists.woken.push(k);
                }
            }
            (impulse, [v_a + change_a, v_b + change_b])
        } else {
            let impulse = (1.0 + bounce) * approach / (w_a + w_b);
            (impulse, [v_a + give_a * (impulse / m_a), v_b + give_b * (impulse / m_b)])
        }
    }

    /// Returns the velocities of two bodies after friction along the sides in contact. The two share its impulse by
    /// their masses, which [`reduce_speed`](crate::motion::reduce_speed) with one mass rounds differently.
    fn velocities_after_side_friction(
        &self,
        (i, j): (BodyIndex, BodyIndex),
        normal: DVec2,
        [give_a, give_b]: [DVec2; 2],
        impulse: f64,
        [mut v_a, mut v_b]: [DVec2; 2],
    ) -> [DVec2; 2] {
        let (a, b) = (&self.body(i).given, &self.body(j).given);
        let friction = friction_between(a.contact.friction, b.contact.friction) * impulse;
        let relative = v_a - v_b;
        let along = relative - normal * relative.dot(normal);
        let speed = along.length();
        let share = |weight: f64, mass: f64| if weight > 0.0 { 1.0 / mass } else { 0.0 };
        let (s_a, s_b) = (share(give_a.dot(normal) / a.mass, a.mass), share(-give_b.dot(normal) / b.mass, b.mass));
        if friction > 0.0 && speed > 0.0 && s_a + s_b > 0.0 {
            let taken = friction.min(speed / (s_a + s_b));
            v_a -= along * (taken * s_a / speed);
            v_b += along * (taken * s_b / speed);
        }
        [v_a, v_b]
    }

    /// Returns the velocities after an impact if one of the two bodies loses all of its velocity at an impact. The
    /// other body then stops as at a wall.
    fn velocities_after_full_stop(
        &self,
        (i, j): (BodyIndex, BodyIndex),
        normal: DVec2,
        [mut v_a, mut v_b]: [DVec2; 2],
    ) -> [DVec2; 2] {
        let [a_stops, b_stops] = [i, j].map(|k| self.body(k).given.stops_at_all);
        if a_stops {
            v_a = DVec2::ZERO;
        }
        if b_stops {
            v_b = DVec2::ZERO;
        }
        let left = -normal.dot(v_a - v_b);
        if left > MAX_PARTING_SPEED && a_stops {
            v_b -= normal * left;
        } else if left > MAX_PARTING_SPEED && b_stops {
            v_a += normal * left;
        }
        [v_a, v_b]
    }

    /// Stops two characters that walk into each other's sides, at least one of which is round. Returns the one that
    /// is held back. If the lower one rises into the upper one, the upper one is held back, so that it cannot block
    /// the jump. Otherwise it is the one whose path leads into the other.
    fn hold_back_one_at_sides(&mut self, i: BodyIndex, j: BodyIndex, normal: DVec2, time: f64) -> BodyIndex {
        for (k, normal) in [(i, normal), (j, -normal)] {
            let body = self.body(k);
            let carried = body.now.plan.base.map_or(body.now.frame, |base| self.velocity_at(base, time));
            let walks_into = body.now.ground.is_some() && normal.dot(body.now.velocity - carried) < 0.0;
            if walks_into {
                let body = &mut self.pairs.bodies[k as usize];
                (body.now.velocity, body.now.ground) = (carried, Some(0.0));
            }
        }
        let upright = self.frame_that_decides(self.body(i), self.body(j));
        let (up, right) = (upright.up(), upright.right());
        let lift = normal.dot(up);
        let (upper, lower) = if lift > 0.0 { (i, j) } else { (j, i) };
        let way = |k: BodyIndex| (self.body(k).end_position() - self.body(k).now.position).as_dvec2();
        let rise = lift.abs() * (way(lower) - way(upper)).dot(up);
        let leads_into = |k: BodyIndex, normal: DVec2| way(k).dot(normal) < 0.0;
        let aside = way(lower).dot(right) * right.dot(if lower == i { -normal } else { normal });
        // `rises`: the lower character hits the upper one because it rises, rather than because it moves sideways.
        let rises =
            lift != 0.0 && self.body(lower).now.velocity.dot(up) > MAX_PARTING_SPEED && (aside <= 0.0 || rise >= aside);
        let held = if rises {
            upper
        } else if leads_into(j, -normal) && !leads_into(i, normal) {
            j
        } else {
            i
        };
        // Holding back this character may be useless: it already stays in place, or the other one already holds it
        // back. Then hold back the other one instead.
        let other = i ^ j ^ held;
        let swap = self.body(held).stays_in_place()
            || (!rises && self.is_held_back_by(held, other) && !self.body(other).stays_in_place());
        let held = if swap { other } else { held };
        let (held, other, normal) = if held == i { (i, j, normal) } else { (j, i, -normal + DVec2::ZERO) };
        let approach = -normal.dot(self.body(held).now.velocity - self.body(other).now.velocity);
        if approach > 0.0 && self.body(held).is_moved_by_phase() {
            self.pairs.bodies[held as usize].now.velocity += normal * approach;
        }
        self.hold_back_one_of_pair(held, other, normal)
    }

    /// Returns whether body `j` already holds body `i` back in this tick.
    fn is_held_back_by(&self, i: BodyIndex, j: BodyIndex) -> bool {
        self.body(i).lists.stopped_by.iter().any(|(other, _)| *other == j)
    }

    /// Returns a body, together with the bodies that it has hit along `normal` in this tick and now moves with.
    fn bodies_moving_together_along(&self, i: BodyIndex, normal: DVec2) -> SmallVec<[BodyIndex; 64]> {
        let mut all: SmallVec<[BodyIndex; 64]> = SmallVec::from_slice(&[i]);
        let mut next = 0;
        while let Some(&k) = all.get(next) {
            next += 1;
            for &j in &self.body(k).stage.near {
                let (a, b) = (self.body(k), self.body(j));
                let is_held = |by: BodyIndex, list: &[(u32, I64Vec2)]| {
                    let along =
                        |held: I64Vec2| held.as_dvec2().normalize_or_zero().perp_dot(normal).abs() < MIN_MOBILITY;
                    list.iter().any(|(other, held)| *other == by && along(*held))
                };
                let goes_along = (is_held(j, &a.lists.stopped_by) || is_held(k, &b.lists.stopped_by))
                    && normal.dot(a.now.velocity - b.now.velocity).abs() <= MAX_PARTING_SPEED
                    && !b.given.is_character
                    && b.is_moved_by_phase()
                    && !b.impacts.is_done;
                if goes_along && !all.contains(&j) {
                    all.push(j);
                }
            }
        }
        all
    }

    /// Keeps two bodies that do not approach from moving into each other for the rest of the tick, and returns the
    /// one that is held back. It is the body that moves towards the other, or the upper one if gravity pulls it down
    /// onto the lower one.
    fn hold_back_one_of_pair(&mut self, i: BodyIndex, j: BodyIndex, normal: DVec2) -> BodyIndex {
        // If gravity pulls `j` onto `i`, hold back `j`, unless `j` stays in place or one of the two is a character.
        let (a, b) = (self.body(i), self.body(j));
        let comes_down = b.given.gravity.dot(normal) > MIN_CARRY_NORMAL * b.given.gravity.length();
        let swap = comes_down && !b.stays_in_place() && !a.given.is_character && !b.given.is_character;
        let (i, j, normal) = if swap { (j, i, -normal + DVec2::ZERO) } else { (i, j, normal) };
        let exact = if normal.x == 0.0 || normal.y == 0.0 {
            normal.as_i64vec2()
        } else {
            (normal * NORMAL_LENGTH).as_i64vec2()
        };
        self.pairs.bodies[j as usize].lists.stopped_by.retain(|(other, _)| *other != i);
        let is_below = normal.dot(self.up(i)) < 0.0;
        let held = &mut self.pairs.bodies[i as usize];
        held.impacts.was_held_down |= is_below;
        held.lists.stopped_by.retain(|(other, _)| *other != j);
        held.lists.stopped_by.push((j, exact));
        i
    }

    /// Returns how freely a body can move along a direction (its mobility): the full vector in the air, a part of it
    /// with supports, zero if something blocks the body.
    fn find_mobility_along(&mut self, i: BodyIndex, direction: DVec2, time: f64) -> DVec2 {
        let body = self.body(i);
        if body.is_immovable() {
            return DVec2::ZERO;
        }
        self.find_touched_surfaces(i);
        let body = self.body(i);
        let (position, velocity) = (body.now.position, body.now.velocity);
        let mut limits = Limits::new();
        let mut friction: f64 = 0.0;
        for surface in &body.lists.touched {
            if surface.is_velocity_let_through(direction) {
                continue;
            }
            let normal = surface.normal(position).as_dvec2().normalize_or_zero();
            if normal.dot(velocity - self.velocity_of_surface(surface)) <= MAX_PARTING_SPEED {
                limits.push((normal, DVec2::ZERO));
                let factor = self.scene_of(i).friction(body.given.shape, position, [surface]);
                friction = friction.max(body.given.contact.friction * factor);
            }
        }
        for n in 0..body.stage.near.len() {
            let body = self.body(i);
            let j = body.stage.near[n];
            let other = self.body(j);
            if other.keeps_margin_from(body.given.shape.half_units(), (position.units(), position.units()), TOUCH + 1) {
                continue;
            }
            let offset = position - self.position_at(j, time);
            // A contact has no normal against `direction` if the other body is behind on both axes. Affects speed only.
            if (offset.as_dvec2() * direction).cmpge(DVec2::ZERO).all() {
                continue;
            }
            let Some(contact) = self.contact(i, j, offset).filter(is_touch) else { continue };
            let parts = contact.normal.dot(velocity - self.velocity_at(j, time));
            if parts > MAX_PARTING_SPEED || contact.normal.dot(direction) >= 0.0 {
                continue;
            }
            let is_held = if self.is_contact_below(i, contact.normal) {
                self.is_supported(j)
            } else {
                contact.flat
                    && contact.normal.dot(direction) < -MIN_SAME_SIDE_DOT
                    && self.test_if_blocked(j, contact.normal.as_i64vec2(), time)
            };
            if is_held {
                let (own, other) = (self.body(i).given.contact.friction, self.body(j).given.contact.friction);
                friction = friction.max(friction_between(own, other));
                limits.push((contact.normal, DVec2::ZERO));
            }
        }
        let gives = project_out_of_surfaces(direction, &limits, 0.0);
        if limits.iter().any(|(normal, _)| points_into(*normal, gives)) {
            return DVec2::ZERO;
        }
        let Grip { braking, .. } = Grip::new(direction, gives, friction);
        if gives.length() - braking < MIN_MOBILITY { DVec2::ZERO } else { reduce_speed(gives, braking) }
    }

    /// Returns whether a contact with that unit normal is below a body: it faces up, and gravity pulls the body on to
    /// it.
    pub(super) fn is_contact_below(&self, i: BodyIndex, normal: DVec2) -> bool {
        normal.dot(self.up(i)) > MIN_CARRY_NORMAL && normal.dot(self.body(i).given.gravity) < 0.0
    }

    /// Returns whether something under a body supports it, so that it counts as ground.
    fn is_supported(&self, j: BodyIndex) -> bool {
        let body = self.body(j);
        !body.is_moved_by_phase() || body.now.plan.base.is_some() || !body.lists.touched.is_empty()
    }

    /// Returns whether something keeps a body from moving against `normal`, an axis direction. A row of bodies that
    /// ends at a wall blocks as the wall itself does.
    fn test_if_blocked(&mut self, j: BodyIndex, normal: I64Vec2, time: f64) -> bool {
        let mut row = take_and_empty_list(&mut self.pairs.lists.row);
        row.push(j);
        let mut next = 0;
        let mut blocked = false;
        while let Some(&k) = row.get(next) {
            next += 1;
            if self.body(k).is_immovable() || self.test_if_touches_wall_facing(k, normal) {
                blocked = true;
                break;
            }
            for n in 0..self.body(k).stage.near.len() {
                let other = self.body(k).stage.near[n];
                if self.is_ahead(k, other, -normal, time) && !row.contains(&other) {
                    row.push(other);
                }
            }
        }
        self.pairs.lists.row = row;
        blocked
    }

    /// Returns whether a body touches terrain that faces along `normal`.
    pub(super) fn test_if_touches_wall_facing(&mut self, k: BodyIndex, normal: I64Vec2) -> bool {
        self.find_touched_surfaces(k);
        let body = self.body(k);
        let faces = |surface: &Surface| {
            let own = surface.normal(body.now.position).as_dvec2().normalize_or_zero();
            own.dot(normal.as_dvec2()) > MIN_SAME_SIDE_DOT && !surface.lets_pass(-normal)
        };
        body.lists.touched.iter().any(faces)
    }

    /// Returns whether `other` is in flat contact with body `k` in an axis direction.
    pub(super) fn is_ahead(&self, k: BodyIndex, other: BodyIndex, direction: I64Vec2, time: f64) -> bool {
        let offset = self.position_at(other, time) - self.position_at(k, time);
        let gap = self.body(other).flat_gap(self.body(k), offset);
        gap.is_some_and(|gap| gap.gap == 0 && gap.normal == direction)
    }

    /// Handles the collision of a body and terrain at `time`.
    pub(super) fn resolve_terrain_collision(&mut self, i: BodyIndex, time: f64) {
        let (mut struck, mut held) =
            (std::mem::take(&mut self.pairs.lists.struck), std::mem::take(&mut self.pairs.lists.held));
        struck.clear();
        self.move_to_terrain(i, time, &mut struck);
        let body = self.body(i);
        let stops = |direction: I64Vec2| {
            struck.iter().any(|surface| {
                let normal = surface.normal(body.now.position);
                normal.dot(direction) < 0 && !self.is_pushed_up_surface(i, normal, direction)
            })
        };
        match body.impacts.pushed_by.filter(|(_, direction)| stops(*direction)) {
            Some((by, direction)) => self.end_and_record_refused_push(by, direction, i, time),
            None if self.try_step_up_terrain(i, &struck, time) || self.try_pass_corner(i, &struck, time) => {}
            None => {
                self.find_touched_surfaces(i);
                held.clear();
                held.extend_from_slice(&struck);
                let others = self.body(i).lists.touched.iter().filter(|surface| !struck.contains(surface));
                held.extend(others.copied());
                self.apply_terrain_impact(i, &struck, &held);
                self.count_impact_within_limit(i);
                self.plan_bodies_again(&[i], time);
            }
        }
        (self.pairs.lists.struck, self.pairs.lists.held) = (struck, held);
    }

    /// Handles the flights of characters that end exactly at a floor: nothing stops them, and still the floor is hit.
    pub(super) fn land_ended_flights(&mut self) {
        let (mut struck, mut held) =
            (std::mem::take(&mut self.pairs.lists.struck), std::mem::take(&mut self.pairs.lists.held));
        let mut next = 0;
        while let Some(i) = self.pairs.bodies.next_index(&mut next) {
            let body = self.body(i);
            let flies = body.given.is_character && body.now.ground.is_none() && body.now.take_off.is_none();
            if !(flies && body.stage.is_open && body.is_moved_by_phase()) || body.impacts.is_done {
                continue;
            }
            self.find_touched_surfaces(i);
            let body = self.body(i);
            let (at, velocity) = (body.now.position, body.now.velocity);
            struck.clear();
            let floors = floors_of(self.upright_frame(i), &body.lists.touched, at).map(|(surface, _)| surface);
            struck.extend(floors.filter(|floor| floor.is_against(at, velocity - self.velocity_of_surface(floor))));
            if !struck.is_empty() {
                held.clear();
                held.extend_from_slice(&struck);
                held.extend(body.lists.touched.iter().filter(|surface| !struck.contains(surface)).copied());
                self.apply_terrain_impact(i, &struck, &held);
            }
        }
        (self.pairs.lists.struck, self.pairs.lists.held) = (struck, held);
    }

    /// Moves a body to the crest of its floor, and lets it go on along the next floor.
    pub(super) fn move_over_crest(&mut self, i: BodyIndex, crest: Crest, time: f64) {
        let (body, [first, second]) = (self.body(i), crest.ways);
        let (clock, velocity) = (body.now.clock, body.velocity_at(time));
        let fraction = if clock < 1.0 { ((time - clock) / (1.0 - clock)).min(1.0) } else { 1.0 };
        let ground = body.now.plan.ground.map(|last| body.now.ground.map_or(last, |now| now + fraction * (last - now)));
        if !self.count_impact_within_limit(i) {
            return self.plan_bodies_again(&[i], time);
        }
        let lengths = [first, second].map(|way| way.as_dvec2().length());
        let middle = if lengths[1] > 0.0 { lengths[0] / (lengths[0] + lengths[1]) } else { 1.0 };
        self.move_and_record_leg(i, first, clock + (time - clock) * middle);
        self.move_and_record_leg(i, second, time);
        let position = self.body(i).now.position;
        let (step, frame) = (crest.step, *self.upright_frame(i));
        self.probe_terrain(i, |probe, body| {
            // At the crest, one floor ends and the next one begins, and a box touches both. From here on, only the next
            // floor supports the box.
            probe.find_touching(position + step, &mut body.lists.touched);
            let is_left = |normal| frame.is_floor(normal) && exact::wide_dot(normal, step) < 0;
            body.lists.touched.retain(|surface| !is_left(surface.normal(position)));
            body.lists.touched_at = Some(position);
        });
        let way = [step, second, first].into_iter().find(|way| *way != I64Vec2::ZERO).unwrap_or_default();
        let along = self.unit_vector_to_right(i, way.as_dvec2());
        let off = if along.perp().dot(self.up(i)) < 0.0 { -along.perp() } else { along.perp() };
        let body = &mut self.pairs.bodies[i as usize];
        let leaves = off.dot(velocity - body.now.frame).max(0.0);
        (body.now.ground, body.now.asks_to_jump) = (ground, false);
        body.now.velocity = ground.map_or(velocity - off * leaves, |speed| along * speed + body.now.frame);
        self.plan_bodies_again(&[i], time);
    }

    /// Moves a body to the terrain that it hits on its plan, and lists the surfaces.
    fn move_to_terrain(&mut self, i: BodyIndex, time: f64, struck: &mut Surfaces) {
        let body = self.body(i);
        let (position, course) = (body.now.position, body.now.plan.course);
        let motion = course.displacement();
        let velocity = body.velocity_at(time);
        let ground = body.now.plan.ground;
        let part = self.probe_terrain(i, |probe, _| match probe.cast(position, motion) {
            Some(toi) => {
                struck.extend_from_slice(probe.hits());
                probe.find_displacement_to_hit(position, course, toi)
            }
            None => motion,
        });
        self.move_and_record_leg(i, part, time);
        let body = &mut self.pairs.bodies[i as usize];
        (body.now.velocity, body.now.ground, body.now.asks_to_jump) = (velocity, ground, false);
    }

    /// Changes the velocity of a body that hits terrain, and records the hits.
    fn apply_terrain_impact(&mut self, i: BodyIndex, struck: &[Surface], held: &[Surface]) {
        let body = self.body(i);
        let (given, velocity) = (body.given, body.now.velocity);
        // `of`: velocity of the terrain or platform that the body hits. `after` is relative to it.
        let of = self.scene_of(i).around.combined_velocity(struck.iter().map(|surface| surface.owner));
        let mut throws = false;
        let after = if given.is_character {
            let (after, is_thrown) = self.land_or_throw_character(i, struck, held, of);
            throws = is_thrown;
            after
        } else if given.stops_at_all {
            DVec2::ZERO
        } else {
            self.velocity_after_bounce_or_slide(i, struck, held, of)
        };
        self.pairs.bodies[i as usize].now.velocity = after + of;
        self.record_terrain_hits(i, struck, velocity, throws);
        if given.stops_at_all {
            self.stop_for_rest_of_tick(i, Plan::STAYS);
        }
    }

    /// Records the surfaces that a body hit with that velocity. `throws`: they throw a character back.
    fn record_terrain_hits(&mut self, i: BodyIndex, struck: &[Surface], velocity: DVec2, throws: bool) {
        let body = &mut self.pairs.bodies[i as usize];
        let (at, seen) = (body.now.position, velocity - body.now.frame);
        let state = self.states[body.given.slot as usize].as_ref().expect("the phase holds bodies that exist");
        let toucher = Toucher { shape: &state.kind.shape, frame: &body.given.upright, faces: state.now.facing as i8 };
        let (known, start) = (state.touched(), state.now.velocity);
        let mut hits = Hits { known, start, toucher, list: &mut body.lists.hits };
        struck.iter().for_each(|surface| hits.record_hit(surface, at, seen));
        if throws {
            hits.mark_hits_as_throwing(at);
        }
    }

    /// Keeps a body where it is for the rest of the tick.
    pub(super) fn stop_for_rest_of_tick(&mut self, i: BodyIndex, plan: Plan) {
        self.pairs.queue.any_is_done = true;
        let body = &mut self.pairs.bodies[i as usize];
        (body.impacts.is_done, body.now.plan, body.now.take_off) = (true, plan, None);
        body.update_bounds();
        body.next.stamp = self.pairs.queue.stamp;
        self.pairs.queue.stamp += 1;
    }

    /// Returns the velocity of a character after it hits terrain, and whether a floor throws it back. The terrain
    /// moves with the velocity `of`; the result is relative to it. Updates the character's speed along the ground and
    /// its jump.
    fn land_or_throw_character(
        &mut self,
        i: BodyIndex,
        struck: &[Surface],
        held: &[Surface],
        of: DVec2,
    ) -> (DVec2, bool) {
        let (body, frame) = (self.body(i), *self.upright_frame(i));
        let (at, velocity, shape) = (body.now.position, body.now.velocity, body.given.shape);
        let own = velocity - of;
        let floors = || floors_of(&frame, struck, at).map(|(_, normal)| normal);
        let mut is_floor = floors().next().is_some();
        if is_floor
            && shape.is_circle()
            && body.now.plan.ground.is_none()
            && let Some(character) = &self.state(i).kind.character
        {
            let run_off = RunOff::at_speed(character, &frame, own.length(), body.given.gravity);
            let tick = self.rules.settings.tick;
            is_floor = !run_off.only_grazes_corners(&frame, shape, floors_of(&frame, struck, at), (own, tick));
        }
        if is_floor && let Some(throw) = self.find_floor_throw_back(i, struck) {
            let after =
                self.scene_of(i).clip_velocity(held, at, velocity + throw.normal * (throw.approach + throw.speed)) - of;
            self.pairs.bodies[i as usize].now.ground = None;
            return (after, true);
        }
        let (mut take_off, rest) = (body.now.take_off, body.now.plan.course.displacement());
        let leaves = take_off.as_mut().and_then(|run| run.add_climb_of_floors(&frame, floors(), (own, rest), 0.0));
        let after = self.scene_of(i).clip_velocity(held, at, leaves.map_or(velocity, |(own, _)| own + of)) - of;
        let climbs = take_off.filter(|run| run.runs_uphill_on_any(&frame, floors()));
        let ground = match body.now.plan.ground {
            Some(speed) if is_floor => Some(speed),
            Some(_) => Some(0.0),
            None if leaves.is_some() => None,
            None if is_floor => Some(climbs.map_or(after.dot(frame.right()), |run| run.speed)),
            None => None,
        };
        let body = &mut self.pairs.bodies[i as usize];
        (body.now.ground, body.now.take_off) = (ground, take_off);
        (after, false)
    }

    /// Returns how the floors that a flying character hits throw it back, if they do.
    fn find_floor_throw_back(&self, i: BodyIndex, struck: &[Surface]) -> Option<Throw> {
        let (body, state, scene) = (self.body(i), self.state(i), self.scene_of(i));
        let rebound = find_rebound(&scene, (&state.kind, &state.now), (body.given.gravity, self.rules.settings.tick))?;
        let (at, velocity) = (body.now.position, body.now.velocity);
        let flies = body.now.plan.ground.is_none() && body.now.take_off.is_none();
        let floors = floors_of(self.upright_frame(i), struck, at);
        flies.then(|| rebound.find_floor_throw(&scene, (body.given.shape, at), floors, |_| velocity))?
    }

    /// Returns the velocity of a dynamic body after it hits terrain. The terrain moves with the velocity `of`; the
    /// result is relative to it. The body bounces off a wall along its floor, bounces off one surface, or slides with
    /// friction.
    fn velocity_after_bounce_or_slide(&self, i: BodyIndex, struck: &[Surface], held: &[Surface], of: DVec2) -> DVec2 {
        let (body, scene) = (self.body(i), self.scene_of(i));
        let (at, velocity, given) = (body.now.position, body.now.velocity, &body.given);
        let own = velocity - of;
        let bounce = given.contact.to_bounce().with_materials(&scene, given.shape, at, struck);
        // `ahead`: the obstacle that the body hits while it stays on a floor.
        let ahead = if bounce.factor > 0.0 || scene.has_bouncy_materials() {
            Barrier::find_barrier(&scene, at, (struck, held), (velocity, given.gravity), given.contact.rest_speed)
        } else {
            None
        };
        if let Some(Barrier::Wall(wall)) = &ahead {
            let speed = wall.direction.dot(velocity - wall.floor);
            let of_wall = Bounce { factor: given.contact.bounce, ..bounce };
            if let Some(thrown) = wall.velocity_after_wall_bounce(&scene, (given.shape, at), speed, &of_wall) {
                return thrown - of;
            }
        }
        let normals: SmallVec<[DVec2; 4]> =
            struck.iter().map(|surface| surface.normal(at).as_dvec2().normalize_or_zero()).collect();
        let first = normals.first().copied().unwrap_or(self.up(i));
        // At several surfaces that face or move differently, a body does not bounce but slides.
        let is_one = normals.iter().all(|normal| normal.perp_dot(first).abs() < SAME_NORMAL_SINE)
            && struck.iter().all(|surface| scene.around.velocity(surface.owner) == of);
        let approach = -first.dot(own);
        if ahead.is_none()
            && is_one
            && let Some(thrown) = bounce.bounce_velocity(own, approach, first * -approach)
        {
            return thrown;
        }
        let after = scene.clip_velocity(held, at, velocity) - of;
        reduce_speed_on_belt(bounce.carried, after, bounce.friction * (own - after).length())
    }

    /// Lifts a walker on to terrain that is a few units higher. Returns whether it has moved.
    fn try_step_up_terrain(&mut self, i: BodyIndex, struck: &[Surface], time: f64) -> bool {
        let body = self.body(i);
        let (axis, position) = (self.up_axis(i), body.now.position);
        let Some(step) = distance_past_ends(struck, body.given.shape, position, axis) else { return false };
        let walks = body.given.is_character && body.now.plan.ground.is_some() && body.now.plan.base.is_some();
        if !walks || step <= 0 || step > TOUCH {
            return false;
        }
        let way = axis * step;
        if self.would_overlap_bodies(i, way, time)
            || self.probe_terrain(i, |probe, _| probe.cast(position, way).is_some())
        {
            return false;
        }
        // Do not merge this with `try_step_up_body`, which counts the impact before it tests the terrain and stops if
        // no impacts are left. The order affects results.
        self.count_impact_within_limit(i);
        self.move_and_record_leg(i, way, time);
        self.find_touched_surfaces(i);
        let body = &mut self.pairs.bodies[i as usize];
        // The walker now stands above the edge that it hit.
        body.lists.touched.retain(|surface| !struck.contains(surface));
        body.impacts.stepped_on = Some(None);
        self.plan_bodies_again(&[i], time);
        true
    }

    /// Moves a walker up a step of the terrain and on to it, or a character in the air past the corner that it hit.
    /// Returns whether it has moved.
    fn try_pass_corner(&mut self, i: BodyIndex, struck: &[Surface], time: f64) -> bool {
        let way = self.find_path_past_corner(i, struck);
        let is_moved = way.is_some_and(|way| self.try_move_past(i, way, time));
        if is_moved {
            self.find_touched_surfaces(i);
            self.plan_bodies_again(&[i], time);
        }
        is_moved
    }

    /// Returns the path of a character up the step or past the corner that it hit, as its own tick finds it.
    fn find_path_past_corner(&mut self, i: BodyIndex, struck: &[Surface]) -> Option<[I64Vec2; 2]> {
        let (body, state, frame) = (self.body(i), self.state(i), *self.upright_frame(i));
        let (position, velocity, rest) = (body.now.position, body.now.velocity, body.now.plan.course.displacement());
        let character = state.kind.character.as_ref()?;
        if body.now.plan.ground.is_none() {
            let nudges = Nudges::of_character(character, state.now.input);
            return self.probe_terrain(i, |probe, _| {
                (!nudges.is_none()).then(|| nudges.find_corner_correction(probe, position, velocity, rest))?
            });
        }
        let (step, right) = (tiles_to_units(character.step_height), frame.right().as_i64vec2());
        if step == 0 || frame.has_floor(struck, position) {
            return None;
        }
        self.probe_terrain(i, |probe, _| probe.find_path_up_step(position, right * rest.dot(right).signum(), step))
    }

    /// Moves a body past a corner: first `aside`, then `onward`. Returns whether it has moved.
    fn try_move_past(&mut self, i: BodyIndex, [aside, onward]: [I64Vec2; 2], time: f64) -> bool {
        let position = self.body(i).now.position;
        self.widen_zone(i, Bounds::of_motion(self.body(i).given.shape, position, aside + onward));
        let body = self.body(i);
        let is_in_the_way = |j: &u32| {
            let (other, offset) = (self.body(*j), position - self.position_at(*j, time));
            let meets = |offset, way| self.sweep(body, other, offset, way) != Sweep::Clear;
            other.stage.part != Part::Alone && (meets(offset, aside) || meets(offset + aside, onward))
        };
        if body.stage.near.iter().any(is_in_the_way) || !self.count_impact_within_limit(i) {
            return false;
        }
        self.move_and_record_leg(i, aside, time);
        self.move_and_record_leg(i, onward, time);
        true
    }

    /// Wakes a body at `time`, and the bodies that lie on it.
    pub(super) fn wake_with_bodies_on_top(&mut self, j: BodyIndex, time: f64) {
        let mut work: SmallVec<[BodyIndex; 64]> = SmallVec::from_slice(&[j]);
        while let Some(k) = work.pop() {
            if self.body(k).is_moved_by_phase() || self.body(k).start.is_stuck {
                continue;
            }
            let body = &mut self.pairs.bodies[k as usize];
            body.impacts.is_awake = true;
            body.outcome.quiet = 0;
            self.move_and_record_leg(k, I64Vec2::ZERO, time);
            let body = &mut self.pairs.bodies[k as usize];
            body.next.stamp = self.pairs.queue.stamp;
            body.next.ahead = Ahead::Nothing;
            self.pairs.queue.stamp += 1;
            for n in 0..self.body(k).stage.near.len() {
                let upper = self.body(k).stage.near[n];
                if !self.body(upper).is_moved_by_phase()
                    && self.body(upper).stage.part != Part::Alone
                    && self.lies_on(upper, k)
                {
                    work.push(upper);
                }
            }
            self.pairs.lists.woken.push(k);
        }
    }

    /// Records a hit of two bodies. Bodies that touched when the tick began, or collided while platforms moved, make
    /// no new hit. Hits after the first in a tick count only if the bodies bounce.
    pub(super) fn record_hit(&mut self, i: BodyIndex, j: BodyIndex, normal: DVec2, speed: f64, is_refused: bool) {
        let (a, b) = (self.body(i), self.body(j));
        if is_refused && a.lists.body_hits.iter().any(|hit| hit.is_refused && hit.other == b.given.id) {
            return;
        }
        if !is_refused && a.contact(b, a.start.before_platforms - b.start.before_platforms).is_some() {
            return;
        }
        let is_noted = |hit: &BodyHit| hit.other == b.given.id && !hit.is_refused;
        // Bodies that do not bounce off each other stay together, so their further impacts are not new hits.
        let bounces = a.given.contact.bounce.max(b.given.contact.bounce) > 0.0
            && speed > a.given.contact.rest_speed.max(b.given.contact.rest_speed)
            && !(a.given.is_character && b.given.is_character);
        let is_at_start = (a.now.position, b.now.position) == (a.start.position, b.start.position);
        if !is_refused && (is_at_start || !bounces) && a.lists.body_hits.iter().any(is_noted) {
            return;
        }
        let hits = [(i, b.given.id, normal), (j, a.given.id, -normal)];
        for (k, other, normal) in hits.into_iter().take(if is_refused { 1 } else { 2 }) {
            let hit = BodyHit { other, normal: normal + DVec2::ZERO, speed, is_refused };
            self.pairs.bodies[k as usize].lists.body_hits.push(hit);
        }
    }
}
