//! Pushes and pulls by characters that walk or dash: each moves a *row* of bodies, the body that the character touches
//! and all those ahead of it.
//!
//! Every body of the row gets the displacement of the character along the push, to the unit, and no velocity. So a
//! row stops together with the character that pushes it.

use super::solver_bodies::BodyIndex;
use super::solver_body::{Part, Plan};
use super::tolerance::{MAX_GAP_UNITS, MAX_PARTING_SPEED, MIN_CARRY_NORMAL, MIN_STAND_UP};
use super::{PairPhase, take_and_empty_list};
use crate::motion::{Course, Surface, is_touch};
use glam::{DVec2, I64Vec2};
use smallvec::SmallVec;
use surefoot_geometry::exact::{self, PairContact};

impl PairPhase<'_> {
    /// Lets a character push the body that it has hit, together with all bodies ahead of it and on top of them.
    /// Returns `true` if nothing else remains to do for the impact, because the row moves or the character stops.
    pub(super) fn try_push(&mut self, i: BodyIndex, j: BodyIndex, normal: DVec2, time: f64) -> bool {
        let body = self.body(i);
        let axis = normal.as_i64vec2();
        let is_side = axis.as_dvec2() == normal && axis.dot(self.up_axis(i)) == 0;
        let along = |velocity: DVec2| -normal.dot(velocity - body.now.frame);
        let goes = along(body.now.plan.before).max(along(body.now.velocity));
        let leads = -(body.end_position() - body.now.position).dot(axis);
        if !body.given.is_character || !is_side || (leads <= 0 && goes <= 0.0) || self.body(j).impacts.is_done {
            return false;
        }
        let direction = -axis;
        // A body that moves towards the character is not pushed yet. It collides first.
        if self.velocity_at(j, time).dot(direction.as_dvec2()) < -MAX_PARTING_SPEED {
            return false;
        }
        let mut row = take_and_empty_list(&mut self.pairs.lists.row);
        row.push(j);
        let fits = self.try_collect_row(i, direction, time, &mut row);
        if fits {
            self.record_hit(i, j, normal, goes.max(0.0), false);
            self.move_pushed_row(i, direction, &row, time);
        }
        self.pairs.lists.row = row;
        if !fits {
            let speed = normal.dot(self.body(j).now.velocity - self.body(i).now.velocity);
            self.record_refused_push(i, j, normal, speed);
            self.remove_speed_towards(i, j, axis);
            self.plan_bodies_again(&[i], time);
        }
        true
    }

    /// Stops two characters that walk into each other, in whichever order they are given. Returns whether it did.
    pub(super) fn try_stop_both(&mut self, i: BodyIndex, j: BodyIndex, normal: DVec2, time: f64) -> bool {
        let axis = normal.as_i64vec2();
        let is_side = axis.as_dvec2() == normal && [i, j].iter().all(|k| axis.dot(self.up_axis(*k)) == 0);
        let pair = [(i, j, axis), (j, i, -axis)];
        let carries = pair.map(|(k, ..)| self.displacement_of_support_in_rest_of_tick(k, time));
        let goes = |((k, _, axis), carried): &((u32, u32, I64Vec2), I64Vec2)| {
            let body = self.body(*k);
            let own = body.end_position() - body.now.position - *carried;
            body.given.is_character && !body.impacts.is_done && own.dot(*axis) < 0
        };
        if !is_side || !pair.iter().copied().zip(carries).all(|one| goes(&one)) {
            return false;
        }
        let speed = normal.dot(self.body(j).now.velocity - self.body(i).now.velocity);
        self.record_refused_push(i, j, normal, speed);
        self.record_refused_push(j, i, -normal, 0.0);
        for ((k, other, axis), carried) in pair.into_iter().zip(carries) {
            self.remove_speed_towards(k, other, axis);
            // The plan of each character depends on the plan of the other one. So first give each a plan in which only
            // its support moves it.
            let body = &mut self.pairs.bodies[k as usize];
            body.now.plan = Plan {
                course: Course::Free(carried),
                before: body.now.velocity,
                after: body.now.velocity,
                ..body.now.plan
            };
        }
        self.plan_bodies_again(&[i, j], time);
        true
    }

    /// Returns the displacement that the support of body `k` gives it in the rest of the tick.
    fn displacement_of_support_in_rest_of_tick(&self, k: BodyIndex, time: f64) -> I64Vec2 {
        self.body(k).now.plan.base.map_or(I64Vec2::ZERO, |base| self.motion_until_end(base, time).way)
    }

    /// If a character moves away from the body that it pulls, that body moves along, with the bodies on it. A body
    /// that cannot be pulled holds the character back.
    pub(super) fn pull_body(&mut self, i: BodyIndex) {
        let body = self.body(i);
        let Some(j) = body.stage.pulls.filter(|_| body.is_moved_by_phase()) else { return };
        let other = self.body(j);
        let gap = body.flat_gap(other, body.now.position - other.now.position);
        let Some(gap) = gap.filter(|gap| gap.gap == 0 && gap.normal.dot(self.up_axis(i)) == 0) else { return };
        let way = body.end_position() - body.now.position - (self.end_position(j) - other.now.position);
        if other.impacts.is_done || way.dot(gap.normal) <= 0 {
            return;
        }
        let mut row = take_and_empty_list(&mut self.pairs.lists.row);
        row.push(j);
        if self.try_collect_row(i, gap.normal, 0.0, &mut row) {
            self.move_pushed_row(i, gap.normal, &row, 0.0);
        } else {
            self.record_refused_push(i, j, gap.normal.as_dvec2(), 0.0);
            self.stop_pulling(i, gap.normal);
            self.plan_bodies_again(&[i], 0.0);
        }
        self.pairs.lists.row = row;
    }

    /// Removes the character's speed away from its pulled body, for the rest of the tick.
    fn stop_pulling(&mut self, i: BodyIndex, direction: I64Vec2) {
        let body = &mut self.pairs.bodies[i as usize];
        let along = direction.as_dvec2();
        let away = (body.now.velocity - body.now.frame).dot(along);
        body.now.velocity -= along * away.max(0.0);
        if body.now.ground.is_some() {
            body.now.ground = Some(0.0);
        }
        body.impacts.pull_is_blocked = true;
    }

    /// Adds the body that a pushed body has hit to the row. Returns `true` if nothing else remains to do for the
    /// impact.
    pub(super) fn try_extend_row(&mut self, i: BodyIndex, j: BodyIndex, normal: DVec2, time: f64) -> bool {
        let Some((by, direction)) = self.body(i).impacts.pushed_by else { return false };
        if normal != -direction.as_dvec2() + DVec2::ZERO || self.body(j).impacts.is_done {
            return false;
        }
        let mut row = take_and_empty_list(&mut self.pairs.lists.row);
        row.extend(self.pairs.bodies.all_indices().filter(|k| self.is_pushed_by(*k, by)));
        // The body that touches the character comes first.
        let ahead = |k: &u32| !self.is_ahead(by, *k, direction, time);
        row.sort_unstable_by_key(|k| (ahead(k), self.pairs.bodies.sort_key(*k)));
        row.push(j);
        self.advance_to(by, time);
        let fits = self.try_collect_row(by, direction, time, &mut row);
        let along = |k: BodyIndex| self.velocity_at(k, time).dot(direction.as_dvec2());
        let speed = along(by) - along(j);
        self.record_hit(i, j, normal, speed.max(0.0), false);
        if fits {
            self.move_pushed_row(by, direction, &row, time);
            self.end_push_if_blocked(i, j, normal, time);
        }
        self.pairs.lists.row = row;
        if !fits {
            let first =
                self.pairs.lists.row.first().copied().filter(|k| self.is_ahead(by, *k, direction, time)).unwrap_or(j);
            self.record_refused_push(by, first, normal, 0.0);
            self.end_push_at_blocked_body(by, direction, i, time);
        }
        true
    }

    /// Ends the push of body `i` if its plan still leads into body `j` after an impact of the two. Returns whether
    /// the push ends.
    ///
    /// Body `j` was planned again after that impact, so it moves away as far as it can. If the push did not end, the
    /// two would hit each other until both have used up their impacts. If another pushed body moves body `i`, the
    /// push of that one ends.
    pub(super) fn end_push_if_blocked(&mut self, i: BodyIndex, j: BodyIndex, normal: DVec2, time: f64) -> bool {
        let rest = |k: BodyIndex| (self.body(k).end_position() - self.body(k).now.position).as_dvec2();
        if normal.dot(rest(i) - rest(j)) >= -(MAX_GAP_UNITS as f64) {
            return false;
        }
        let mut driving = std::iter::once(i).chain(self.body(i).lists.stopped_by.iter().map(|(by, _)| *by));
        let pushed = driving.find_map(|k| Some((k, self.body(k).impacts.pushed_by?)));
        if let Some((member, (by, direction))) = pushed {
            self.end_and_record_refused_push(by, direction, member, time);
        }
        pushed.is_some()
    }

    /// Ends the push of character `by` because body `member` of the row is blocked, and reports it to the character.
    pub(super) fn end_and_record_refused_push(
        &mut self,
        by: BodyIndex,
        direction: I64Vec2,
        member: BodyIndex,
        time: f64,
    ) {
        let is_first = |k: &u32| self.is_pushed_by(*k, by) && self.is_ahead(by, *k, direction, time);
        let first = self.pairs.bodies.all_indices().find(is_first).unwrap_or(member);
        self.record_refused_push(by, first, -direction.as_dvec2(), 0.0);
        self.end_push_at_blocked_body(by, direction, member, time);
    }

    /// Moves a row by the displacement of its pusher.
    fn move_pushed_row(&mut self, by: BodyIndex, direction: I64Vec2, row: &[BodyIndex], time: f64) {
        let mut changed = take_and_empty_list(&mut self.pairs.lists.changed);
        changed.extend_from_slice(row);
        changed.push(by);
        for &member in row {
            if !self.body(member).is_moved_by_phase() {
                self.wake_with_bodies_on_top(member, time);
            }
            self.advance_to(member, time);
            self.find_touched_surfaces(member);
            // The body keeps no velocity of its own along the push, nor along the slope that it is pushed up.
            let slope = self.tangents_of_touched_slopes(member).next().map(|way| way.as_dvec2().normalize_or_zero());
            let body = &mut self.pairs.bodies[member as usize];
            body.impacts.pushed_by = Some((by, direction));
            for along in [slope.unwrap_or_default(), direction.as_dvec2()] {
                let own = body.now.velocity.dot(along);
                body.now.velocity -= along * own;
            }
        }
        self.plan_bodies_again(&changed, time);
        self.pairs.lists.changed = changed;
    }

    /// Returns whether the character `by` pushes body `k`.
    pub(super) fn is_pushed_by(&self, k: BodyIndex, by: BodyIndex) -> bool {
        self.body(k).impacts.pushed_by.is_some_and(|(pusher, _)| pusher == by)
    }

    /// Records that a character could not push body `j`, and the hit if there was one.
    pub(super) fn record_refused_push(&mut self, by: BodyIndex, j: BodyIndex, normal: DVec2, speed: f64) {
        if self.state(by).kind.character.is_some_and(|character| character.max_push_mass > 0.0) {
            self.record_hit(by, j, normal, speed, true);
        }
        if speed > 0.0 {
            self.record_hit(by, j, normal, speed, false);
        }
    }

    /// Reports a refused push for each character that walked against a body during the whole tick and did not move
    /// it. If both stood still, there was no impact, and so no attempt to push.
    pub(super) fn report_idle_pushes(&mut self) {
        // Only a character pushes. So without characters, the loop would report nothing. Affects speed only.
        if !self.pairs.broad.has_characters {
            return;
        }
        let mut next = 0;
        while let Some(i) = self.pairs.bodies.next_index(&mut next) {
            let body = self.body(i);
            if !body.given.is_character
                || body.start.is_stuck
                || body.start.ground.is_none()
                || body.stage.near.is_empty()
            {
                continue;
            }
            let state = self.state(i);
            let walk = state.now.input.walk.signum();
            let pushes = state.kind.character.as_ref().is_some_and(|character| character.max_push_mass > 0.0);
            if !pushes || walk == 0 {
                continue;
            }
            let onward = self.right(i) * f64::from(walk);
            let floors = self.normals_of_touched_floors(i).filter(|_| body.is_moved_by_phase());
            let slopes =
                floors.map(|normal| self.unit_vector_to_right(i, exact::tangent(normal).as_dvec2()) * f64::from(walk));
            let ways: SmallVec<[DVec2; 4]> = slopes.chain([onward]).collect();
            let (from, to) = (body.start.position, self.end_position(i));
            for n in 0..self.body(i).stage.near.len() {
                let j = self.body(i).stage.near[n];
                let against = |offset: I64Vec2| {
                    let contact = self.contact(i, j, offset).filter(is_touch)?;
                    let is_ahead = |way: &&DVec2| contact.normal.dot(**way) < -MAX_PARTING_SPEED;
                    let way =
                        ways.iter().find(is_ahead).filter(|_| contact.normal.dot(self.up(i)) <= MIN_CARRY_NORMAL)?;
                    Some((contact.normal, *way))
                };
                let (other_from, other_to) = (self.body(j).start.position, self.end_position(j));
                let first = against(from - other_from);
                let Some((normal, way)) = first.and_then(|_| against(to - other_to)) else { continue };
                let is_moved = normal.dot((other_to - other_from).as_dvec2()) <= -1.0;
                if !is_moved && way.dot((to - from).as_dvec2()) <= 0.0 {
                    self.record_refused_push(i, j, normal, 0.0);
                }
            }
        }
    }

    /// Removes the character's speed into another body, for the rest of the tick.
    fn remove_speed_towards(&mut self, i: BodyIndex, j: BodyIndex, axis: I64Vec2) {
        let body = self.body(i);
        let carried = body.now.plan.base.map_or(body.now.frame, |base| self.velocity_at(base, body.now.clock));
        let body = &mut self.pairs.bodies[i as usize];
        let along = axis.as_dvec2();
        let into = (body.now.velocity - carried).dot(along);
        if into < 0.0 && body.now.ground.is_some() && body.now.plan.base.is_none() {
            // On a slope, the character loses all its speed: the rest would lead off the slope.
            body.now.velocity = body.now.frame;
        } else if into < 0.0 {
            body.now.velocity -= along * into;
        }
        if body.now.ground.is_some() {
            body.now.ground = Some(0.0);
        }
        body.lists.stopped_by.retain(|(other, _)| *other != j);
        body.lists.stopped_by.push((j, axis));
    }

    /// Completes a row: adds the bodies in flat contact along the push, and the bodies on top. Returns whether the
    /// character can push it.
    fn try_collect_row(&mut self, by: BodyIndex, direction: I64Vec2, time: f64, row: &mut Vec<BodyIndex>) -> bool {
        let limit = self.state(by).kind.character.map_or(0.0, |character| character.max_push_mass);
        self.pairs.rows.mark += 1;
        let mark = self.pairs.rows.mark;
        self.pairs.bodies[by as usize].stage.mark = mark;
        row.iter().for_each(|k| self.pairs.bodies[*k as usize].stage.mark = mark);
        let mut mass = 0.0;
        let mut next = 0;
        while let Some(&k) = row.get(next) {
            next += 1;
            let is_on_top = self.body(k).stage.mark_on_top == mark;
            if self.body(k).given.is_character {
                // A character on top of the row is carried. A character in the way is not pushed.
                if !is_on_top {
                    return false;
                }
            }
            mass += self.body(k).given.mass;
            if self.body(k).start.is_stuck
                || mass > limit
                || self.body(k).impacts.is_done
                || (!is_on_top && self.test_if_touches_steep_wall(k, -direction))
            {
                return false;
            }
            for n in 0..self.body(k).stage.near.len() {
                let other = self.body(k).stage.near[n];
                let body = self.body(other);
                if body.stage.mark == mark || body.stage.part == Part::Alone {
                    continue;
                }
                if !is_on_top && self.is_ahead(k, other, direction, time) {
                    self.pairs.bodies[other as usize].stage.mark = mark;
                    row.push(other);
                } else if self.stands_on(other, k, time) {
                    let body = &mut self.pairs.bodies[other as usize];
                    (body.stage.mark, body.stage.mark_on_top) = (mark, mark);
                    row.push(other);
                }
            }
        }
        // Friction carries the bodies on top, so the row needs only the bodies that are pushed.
        let on_top = |k: &u32| self.body(*k).stage.mark_on_top == mark;
        row.retain(|k| !on_top(k));
        true
    }

    /// Returns whether a body touches terrain that faces along `normal` and is too steep to be pushed up.
    fn test_if_touches_steep_wall(&mut self, k: BodyIndex, normal: I64Vec2) -> bool {
        self.find_touched_surfaces(k);
        let body = self.body(k);
        let stops = |surface: &Surface| {
            let own = surface.normal(body.now.position);
            own.dot(normal) > 0 && !self.is_pushed_up_surface(k, own, normal) && !surface.lets_pass(-normal)
        };
        body.lists.touched.iter().any(stops)
    }

    /// Returns whether a body that is pushed along an axis goes up a surface with that normal: it is a floor, and the
    /// push is sideways for the body.
    pub(super) fn is_pushed_up_surface(&self, k: BodyIndex, normal: I64Vec2, axis: I64Vec2) -> bool {
        self.upright_frame(k).is_floor(normal) && axis.dot(self.up_axis(k)) == 0
    }

    /// Returns whether body `upper` stands on body `lower`, which carries it.
    fn stands_on(&self, upper: BodyIndex, lower: BodyIndex, time: f64) -> bool {
        let (a, b) = (self.body(upper), self.body(lower));
        let offset = self.position_at(upper, time) - self.position_at(lower, time);
        let is_on = |contact: PairContact| contact.normal.dot(self.up(upper)) > MIN_STAND_UP;
        !self.is_upside_down_to(upper, lower) && a.touching_contact(b, offset).is_some_and(is_on)
    }

    /// Ends a push: the row has reached something that does not give way.
    fn end_push_at_blocked_body(&mut self, by: BodyIndex, direction: I64Vec2, member: BodyIndex, time: f64) {
        let mut changed = take_and_empty_list(&mut self.pairs.lists.changed);
        let mut next = 0;
        while let Some(k) = self.pairs.bodies.next_index(&mut next) {
            if self.is_pushed_by(k, by) {
                self.advance_to(k, time);
                self.pairs.bodies[k as usize].impacts.pushed_by = None;
                changed.push(k);
            }
        }
        self.advance_to(by, time);
        let first = changed.iter().copied().find(|k| self.is_ahead(by, *k, direction, time)).unwrap_or(member);
        self.remove_speed_towards(by, first, -direction);
        if self.body(by).stage.pulls.is_some() {
            self.stop_pulling(by, direction);
        }
        changed.push(by);
        self.count_impact_within_limit(by);
        self.plan_bodies_again(&changed, time);
        self.pairs.lists.changed = changed;
    }
}
