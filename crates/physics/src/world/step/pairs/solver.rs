//! Event loop of the pair phase: advances the bodies through the tick and takes their impacts in the order of time.

use super::rolling::minkowski_sum;
use super::solver_bodies::BodyIndex;
use super::solver_body::{Ahead, Leg, Part, Plan, Planned, SolverBody};
use super::tolerance::{MAX_DEEPENING_UNITS, MAX_GAP_UNITS, MAX_IMPACTS, MAX_OVERLAP_UNITS, MAX_PLAN_PASSES, MAX_ROW};
use super::{Lists, PairPhase, Pairs, Queue, take_and_empty_list};
use crate::motion::{Bounds, Course, Crest, Frame, Probe, Scene, Surface, motion_to_units, truncated_fraction_of};
use crate::world::step::BodyState;
use glam::{DVec2, I64Vec2};
use std::cmp::Reverse;
use surefoot_geometry::exact::tolerance::TOUCH;
use surefoot_geometry::exact::{self, FlatGap, PairContact, PairHit};
use surefoot_geometry::{Position, Sweep};

/// Queue entry for a body's next impact. The earliest impact comes first. At equal times, terrain comes before
/// bodies, and lower bodies before higher ones. Then the hash of the properties and the index decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct DueImpact {
    /// Bits of the time. Times are not negative, so their bits have their order.
    time_bits: u64,
    is_body: bool,
    height: i64,
    property_hash: u64,
    body: BodyIndex,
    stamp: u32,
}

impl PairPhase<'_> {
    /// Moves the bodies that collide through the tick, if they are still to be moved.
    pub(super) fn run_impacts(&mut self) {
        if std::mem::take(&mut self.pairs.broad.opens_all) {
            self.pairs.bodies.iter_mut().for_each(|body| body.stage.is_open = true);
        }
        self.pairs.queue.due.clear();
        self.pairs.lists.woken.clear();
        self.pairs.queue.stamp += 1;
        self.pairs.queue.any_is_done = false;
        // `ridings` is empty only in a world without platforms. Then there are no hits by platforms to record.
        let has_platforms = !self.pairs.ridings.is_empty();
        let mut next = 0;
        while let Some(i) = self.pairs.bodies.next_index(&mut next) {
            if self.body(i).stage.is_open {
                self.pairs.bodies.reset_to_tick_start(i);
                if has_platforms {
                    self.pairs.record_hits_by_platforms(i, self.rules.settings.tick);
                }
            }
        }
        let mut order = take_and_empty_list(&mut self.pairs.lists.order);
        let is_moved = |body: &SolverBody| body.stage.is_open && body.stage.part == Part::Collides;
        order.extend(self.pairs.bodies.all_indices().filter(|i| is_moved(self.body(*i))));
        self.pairs.bodies.sort_by_rank(&mut order);
        order.iter().for_each(|i| self.plan_rest_of_tick(*i));
        order.iter().for_each(|i| self.find_next_impact(*i));
        let mut pulling = take_and_empty_list(&mut self.pairs.lists.work);
        pulling.extend(order.iter().filter(|i| self.body(**i).stage.pulls.is_some()));
        self.pairs.lists.order = order;
        pulling.iter().for_each(|i| self.pull_body(*i));
        self.pairs.lists.work = pulling;
        while let Some(Reverse(due)) = self.pairs.queue.due.pop() {
            let (i, time) = (due.body, f64::from_bits(due.time_bits));
            let body = self.body(i);
            if due.stamp != body.next.stamp || time != body.next.when || body.stays_in_place() {
                continue;
            }
            match body.next.ahead {
                Ahead::Nothing => {}
                Ahead::Body { other, stamp, .. } if self.body(other).next.stamp != stamp => self.find_next_impact(i),
                Ahead::Body { other, normal, .. } => self.resolve_collision(i, other, normal, time),
                Ahead::Terrain => self.resolve_terrain_collision(i, time),
                Ahead::Crest => self.move_over_crest(i, body.next.crest, time),
            }
            // If the impact has changed only the other body, this body has no new prediction. So search for its next
            // impact again.
            if self.body(i).next.stamp == due.stamp && self.body(i).next.when == time {
                self.find_next_impact(i);
            }
        }
        let mut next = 0;
        while let Some(i) = self.pairs.bodies.next_index(&mut next) {
            if self.body(i).stage.is_open && self.body(i).is_moved_by_phase() {
                self.advance_to(i, 1.0);
            }
        }
        self.put_rolling_bodies_back();
        self.put_back_overlapping_bodies();
        if self.pairs.queue.any_is_done {
            self.let_unsupported_bodies_fall();
        }
        if self.pairs.broad.has_characters {
            self.land_ended_flights();
        }
    }

    /// Handles bodies that have used up all impacts near where the tick began, or were put back there. If nothing
    /// supports such a body, it falls. Without this it would hang in the air as long as the ticks are alike.
    fn let_unsupported_bodies_fall(&mut self) {
        let mut order = take_and_empty_list(&mut self.pairs.lists.order);
        let tick = self.rules.settings.tick;
        let hangs = |i: &u32| {
            let body = self.body(*i);
            // A body that falls moves at least as far as one that starts at rest. If a body moved less, something below
            // holds it or it hangs in the air.
            let far = motion_to_units(body.given.gravity * (tick * tick / 2.0)).abs().max_element();
            let moved = (body.now.position - body.start.position).abs().max_element();
            body.stage.is_open && body.impacts.is_done && moved < far
        };
        order.extend(self.pairs.bodies.all_indices().filter(hangs));
        self.sort_upwards(&mut order);
        for &i in &order {
            let pull = self.find_unsupported_gravity(i, |_, _| true);
            let (position, up) = (self.body(i).now.position, self.up(i));
            // A character can stand on a slope by itself, so it does not hang there.
            if self.body(i).given.is_character && pull != self.body(i).given.gravity {
                continue;
            }
            // Also try straight down and sideways: a box on the corner of another one falls past it that way.
            let down = up * pull.dot(up);
            for pull in [pull, down, pull - down] {
                let course = Course::Free(motion_to_units(pull * (tick * tick / 2.0)));
                let way = self.probe_terrain(i, |probe, _| match probe.cast(position, course.displacement()) {
                    Some(toi) => probe.find_displacement_to_hit(position, course, toi),
                    None => course.displacement(),
                });
                let body = self.body(i);
                let first = |j: &u32| {
                    let (other, offset) = (self.body(*j), position - self.end_position(*j));
                    if let Sweep::Hit(hit) = self.sweep(body, other, offset, way) { hit.toi } else { 1.0 }
                };
                let part = body.stage.near.iter().map(first).fold(1.0, f64::min);
                let way = if part < 1.0 { truncated_fraction_of(way, part) } else { way };
                if way != I64Vec2::ZERO && self.try_move_by(i, way) {
                    let body = &mut self.pairs.bodies[i as usize];
                    body.now.velocity = body.now.frame + pull * tick;
                    break;
                }
            }
        }
        self.pairs.lists.order = order;
    }

    /// Puts bodies that overlap others at the end of the tick back to where the tick began. Does the same with bodies
    /// that have passed through a body that stays for the rest of the tick, and with all bodies that are in their way
    /// there.
    fn put_back_overlapping_bodies(&mut self) {
        let Lists { work, order, .. } = &mut self.pairs.lists;
        let (mut work, mut order) = (std::mem::take(work), std::mem::take(order));
        work.clear();
        order.clear();
        let is_moved = |i: &u32| self.body(*i).stage.is_open && self.body(*i).is_moved_by_phase();
        let overlap = |phase: &PairPhase<'_>, i: BodyIndex, j: BodyIndex| {
            let (body, other) = (phase.body(i), phase.body(j));
            let is_there = other.stage.part != Part::Alone;
            is_there && body.overlaps(other, body.now.position - other.now.position)
        };
        let is_first = |phase: &PairPhase<'_>, i: BodyIndex, j: BodyIndex| {
            let bodies = &phase.pairs.bodies;
            !phase.body(j).is_moved_by_phase() || bodies.sort_key(i) < bodies.sort_key(j)
        };
        // Comparing the end positions is not enough. Other bodies collide with the plan of a body. If the body then
        // stays where it is for the rest of the tick, they may already have passed through it.
        let pass = |phase: &PairPhase<'_>, i: BodyIndex, j: BodyIndex| {
            let (body, other) = (phase.body(i), phase.body(j));
            (body.impacts.is_done || other.impacts.is_done)
                && other.stage.part != Part::Alone
                && is_first(phase, i, j)
                && phase.paths_lead_through(i, j)
        };
        order.extend(self.pairs.bodies.all_indices().filter(is_moved));
        order.retain(|&i| self.body(i).stage.near.iter().any(|&j| overlap(self, i, j) || pass(self, i, j)));
        self.pairs.bodies.sort_by_rank(&mut order);
        for &i in &order {
            for n in 0..self.body(i).stage.near.len() {
                let j = self.body(i).stage.near[n];
                if is_first(self, i, j) && (overlap(self, i, j) && !self.try_separate(i, j) || pass(self, i, j)) {
                    work.push(i);
                    work.extend(self.body(j).is_moved_by_phase().then_some(j));
                }
            }
        }
        self.pairs.lists.order = order;
        while let Some(i) = work.pop() {
            let body = &mut self.pairs.bodies[i as usize];
            if body.now.position == body.start.position && body.lists.legs.is_empty() {
                continue;
            }
            (body.now.position, body.impacts.is_done) = (body.start.position, true);
            body.update_bounds();
            if body.given.gravity != DVec2::ZERO {
                body.now.velocity = body.now.frame;
            }
            body.lists.legs.clear();
            self.pairs.queue.any_is_done = true;
            // Body `i` now stays at its start. Put back each body whose path leads into body `i` there, even a body
            // that passes through it.
            let body = self.body(i);
            for &j in body.stage.near.iter().chain(&body.stage.passes) {
                let other = self.body(j);
                if other.is_moved_by_phase()
                    && other.stage.part != Part::Alone
                    && !other.lists.legs.is_empty()
                    && self.paths_collide(i, j)
                {
                    work.push(j);
                }
            }
        }
        self.pairs.lists.work = work;
    }

    /// Separates two bodies that overlap by a few units of rounding at the end of the tick. Returns whether there was
    /// room.
    fn try_separate(&mut self, i: BodyIndex, j: BodyIndex) -> bool {
        let (a, b) = (self.body(i), self.body(j));
        let (one, other, offset) = (a.given.collider, b.given.collider, a.now.position - b.now.position);
        let ((normal, _), axes) = (self.separation(a, b, offset), [i, j].map(|k| self.up_axis(k)));
        // If neither body has room, the bodies that touch them are moved too.
        for row in [0, MAX_ROW] {
            for units in 1..=MAX_OVERLAP_UNITS as i64 {
                let out = (normal * units as f64).round().as_i64vec2();
                if exact::overlaps(one, other, offset + out) {
                    continue;
                }
                // On a slope, the body must also move up.
                for lift in [0, units] {
                    if self.try_move_with_blockers(i, out + axes[0] * lift, row)
                        || self.try_move_with_blockers(j, axes[1] * lift - out, row)
                    {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Moves a body at the end of the tick if nothing is in the way. Returns whether it has moved.
    pub(super) fn try_move_by(&mut self, i: BodyIndex, displacement: I64Vec2) -> bool {
        self.try_move_with_blockers(i, displacement, 0)
    }

    /// Moves a body at the end of the tick. Before that, moves up to `max_blockers` bodies, one behind the other, that
    /// block it. Returns whether the body has moved.
    fn try_move_with_blockers(&mut self, i: BodyIndex, displacement: I64Vec2, max_blockers: u32) -> bool {
        let position = self.body(i).now.position;
        let is_free =
            |phase: &mut Self| phase.probe_terrain(i, |probe, _| probe.cast(position, displacement).is_none());
        if !self.body(i).is_moved_by_phase() {
            return false;
        }
        let offset_from = |phase: &Self, j: BodyIndex| position - phase.end_position(j);
        let ends_in =
            |phase: &Self, j: BodyIndex| phase.body(i).overlaps(phase.body(j), offset_from(phase, j) + displacement);
        // Most motions that are blocked end in a body, which is found faster than a body on the way.
        if max_blockers == 0 && self.body(i).stage.near.iter().any(|&j| ends_in(self, j)) {
            return false;
        }
        for n in 0..self.body(i).stage.near.len() {
            let (body, j) = (self.body(i), self.body(i).stage.near[n]);
            let way = (offset_from(self, j), displacement);
            let is_in_the_way = ends_in(self, j) || self.leads_through(body, self.body(j), way, MAX_OVERLAP_UNITS);
            if is_in_the_way
                && (max_blockers == 0
                    || !is_free(self)
                    || !self.try_move_with_blockers(j, displacement, max_blockers - 1))
            {
                return false;
            }
        }
        let has_room = is_free(self);
        if has_room {
            self.move_and_record_leg(i, displacement, 1.0);
        }
        has_room
    }

    #[inline]
    pub(super) fn body(&self, i: BodyIndex) -> &SolverBody {
        &self.pairs.bodies[i as usize]
    }

    pub(super) fn state(&self, i: BodyIndex) -> &BodyState {
        self.states[self.body(i).given.slot as usize].as_ref().expect("the phase holds bodies that exist")
    }

    /// Returns the position of a body at `time`.
    #[inline]
    pub(super) fn position_at(&self, i: BodyIndex, time: f64) -> Position {
        let body = self.body(i);
        if body.stays_in_place() { body.now.position } else { body.position_at(time) }
    }

    /// Returns the velocity of a body in the world at `time`.
    #[inline]
    pub(super) fn velocity_at(&self, i: BodyIndex, time: f64) -> DVec2 {
        let body = self.body(i);
        if body.stays_in_place() { body.now.velocity } else { body.velocity_at(time) }
    }

    /// Sorts bodies by their current height.
    pub(super) fn sort_upwards(&self, list: &mut [u32]) {
        list.sort_unstable_by_key(|i| {
            let body = self.body(*i);
            (body.height(), body.given.rank.1, *i)
        });
    }

    /// Queries the terrain around a body.
    pub(super) fn probe_terrain<R>(
        &mut self,
        i: BodyIndex,
        ask: impl FnOnce(&mut Probe<'_>, &mut SolverBody) -> R,
    ) -> R {
        let PairPhase { scene, states, scratch, pairs, .. } = self;
        let Pairs { bodies, ridings, .. } = &mut **pairs;
        let body = &mut bodies[i as usize];
        let state = states[body.given.slot as usize].as_mut().expect("the phase holds bodies that exist");
        let mut scene = Scene { frame: body.given.upright, ..scene.for_layers(state.kind.collision_layers) };
        if let Some(riding) = body.start.riding {
            scene = ridings[riding as usize].scene(scene);
        }
        let drops = state.is_dropping_through();
        if drops {
            scene = Scene { around: scene.around.for_drop_through(), ..scene };
            scratch.near.clear();
        }
        let shape = body.given.shape;
        let cold = state.cold_mut();
        cold.near.take_memory(&mut scratch.spare_lists);
        let near = if drops { &mut scratch.near } else { &mut cold.near };
        let answer = ask(&mut Probe::new(&scene, shape, near, &mut scratch.probe), body);
        cold.near.return_memory(&mut scratch.spare_lists, true);
        answer
    }

    /// Returns the velocity in the world of the terrain or platform that a surface belongs to.
    pub(super) fn velocity_of_surface(&self, surface: &Surface) -> DVec2 {
        self.scene.around.velocity(surface.owner)
    }

    /// Finds the surfaces of terrain and platforms that touch a body at its position.
    pub(super) fn find_touched_surfaces(&mut self, i: BodyIndex) {
        let position = self.body(i).now.position;
        if self.body(i).lists.touched_at == Some(position) {
            return;
        }
        self.probe_terrain(i, |probe, body| {
            probe.find_touching(position, &mut body.lists.touched);
            body.lists.touched_at = Some(position);
        });
    }

    /// Advances a body along its plan up to `time`.
    pub(super) fn advance_to(&mut self, i: BodyIndex, time: f64) {
        let body = self.body(i);
        if time <= body.now.clock || !body.is_moved_by_phase() {
            return;
        }
        let velocity = if time >= 1.0 { body.now.plan.after } else { body.velocity_at(time) };
        if body.impacts.is_done {
            return self.move_and_record_leg(i, I64Vec2::ZERO, time);
        }
        let (position, course, left) = (body.now.position, body.now.plan.course, 1.0 - body.now.clock);
        let fraction = if time >= 1.0 { 1.0 } else { (time - body.now.clock) / left };
        let whole = course.displacement();
        let part = if whole == I64Vec2::ZERO {
            whole
        } else {
            self.probe_terrain(i, |probe, _| probe.find_clear_part_until(position, course, fraction))
        };
        self.move_and_record_leg(i, part, time);
        let body = &mut self.pairs.bodies[i as usize];
        let last = body.now.plan.ground;
        body.now.ground = last.map(|last| body.now.ground.map_or(last, |first| first + fraction * (last - first)));
        (body.now.velocity, body.now.plan.before, body.now.asks_to_jump) = (velocity, velocity, false);
    }

    /// Moves a body by `part`, sets its clock to `time` and records the leg.
    pub(super) fn move_and_record_leg(&mut self, i: BodyIndex, part: I64Vec2, time: f64) {
        let body = &mut self.pairs.bodies[i as usize];
        let (begin, from) = (body.now.clock, body.now.position);
        let end = body.end_position();
        body.now.position = from + part;
        body.now.clock = time;
        // The rest of the plan still ends where the whole plan ended.
        body.now.plan.course = match body.now.plan.course {
            _ if body.impacts.is_done || time >= 1.0 => Course::Free(I64Vec2::ZERO),
            Course::Along { tangent, steps } => {
                let made = part.dot(tangent) / tangent.dot(tangent);
                if tangent * made == part {
                    Course::Along { tangent, steps: steps - made }
                } else {
                    Course::Free(end - body.now.position)
                }
            }
            Course::Free(_) => Course::Free(end - body.now.position),
        };
        body.update_bounds();
        // Step-up and corner correction take no time but are legs of their own, so that the path does not cut the
        // corner.
        if part != I64Vec2::ZERO || time > begin {
            let to = body.now.position;
            body.lists.legs.push(Leg { begin, end: time, from, to });
        }
    }

    /// Finds the next impact on a body's plan, and puts it into the queue.
    pub(super) fn find_next_impact(&mut self, i: BodyIndex) {
        let body = self.body(i);
        if body.stays_in_place() || body.now.clock >= 1.0 {
            return;
        }
        let (position, course, clock) = (body.now.position, body.now.plan.course, body.now.clock);
        let motion = course.displacement();
        let all = Bounds::of_motion(body.given.shape, position, motion);
        if !body.stage.zone.covers(&all) {
            self.widen_zone(i, all);
        }
        let mut first = (f64::INFINITY, Ahead::Nothing);
        if motion != I64Vec2::ZERO
            && let Some(toi) = self.probe_terrain(i, |probe, _| probe.cast(position, motion))
        {
            first = (clock + (1.0 - clock) * toi, Ahead::Terrain);
            if let Some((part, crest)) = self.find_crest_before_hit(i, toi) {
                first = (clock + (1.0 - clock) * part, Ahead::Crest);
                self.pairs.bodies[i as usize].next.crest = crest;
            }
        }
        let body = self.body(i);
        let end = body.end_position();
        let mut best_height = i64::MAX;
        let half = body.given.shape.half_units();
        let (low, high) = (position.units().min(end.units()), position.units().max(end.units()));
        for &j in &body.stage.near {
            let other = self.body(j);
            if other.stage.part == Part::Alone || other.keeps_margin_from(half, (low, high), 0) {
                continue;
            }
            let Some((time, normal, height)) = self.impact_time_normal_and_height(body, end, other) else { continue };
            if time < first.0 || (time == first.0 && matches!(first.1, Ahead::Body { .. }) && height < best_height) {
                first = (time, Ahead::Body { other: j, normal, stamp: other.next.stamp });
                best_height = height;
            }
        }
        let height = body.height().min(best_height);
        let body = &mut self.pairs.bodies[i as usize];
        (body.next.when, body.next.ahead) = first;
        if first.1 != Ahead::Nothing {
            let is_body = matches!(first.1, Ahead::Body { .. });
            let (time_bits, property_hash, stamp) = (first.0.to_bits(), body.given.rank.1, body.next.stamp);
            self.pairs.queue.due.push(Reverse(DueImpact { time_bits, is_body, height, property_hash, body: i, stamp }));
        }
    }

    /// Returns when two bodies collide on their plans, with the normal and the height of the other body. `end`: where
    /// the plan of `body` ends.
    #[inline(always)]
    fn impact_time_normal_and_height(
        &self,
        body: &SolverBody,
        end: Position,
        other: &SolverBody,
    ) -> Option<(f64, DVec2, i64)> {
        // A clock is the moment up to which a body has moved. Positions and plans hold only from then on, so begin at
        // the later clock. This also counts for a body that stays in place: it may have moved until its clock.
        let begin = body.now.clock.max(other.now.clock);
        let (other_from, other_end) = match other.stays_in_place() {
            true => (other.now.position, other.now.position),
            false => (other.position_at(begin), other.end_position()),
        };
        let from = body.position_at(begin);
        let offset = from - other_from;
        let relative = (end - from) - (other_end - other_from);
        if relative == I64Vec2::ZERO {
            return None;
        }
        let (time, normal) = match self.sweep(body, other, offset, relative) {
            Sweep::Clear => return None,
            Sweep::Hit(hit) => (begin + (1.0 - begin) * hit.toi, hit.normal),
            Sweep::Overlapping => {
                // The two overlap only because their positions are rounded.
                let (normal, depth) = self.separation(body, other, offset);
                let tolerance = (depth + MAX_DEEPENING_UNITS).min(MAX_OVERLAP_UNITS);
                if !body.overlaps(other, offset + relative)
                    && !self.leads_through(body, other, (offset, relative), tolerance)
                {
                    return None;
                }
                (begin, normal)
            }
        };
        Some((time, normal, other.given.height_at(other_from)))
    }

    /// Returns whether a motion leads into another body or through it, even if the body began `tolerance` units further
    /// away. `offset`: from the centre of the other body to that of this one. `way`: relative motion. A motion of at
    /// most `tolerance` units leads through no body, and whether it leads into one shows at its end.
    pub(super) fn leads_through(
        &self,
        body: &SolverBody,
        other: &SolverBody,
        (offset, way): (I64Vec2, I64Vec2),
        tolerance: f64,
    ) -> bool {
        if way.abs().max_element() as f64 <= tolerance {
            return false;
        }
        let (normal, _) = self.separation(body, other, offset);
        let out = (normal * tolerance).round().as_i64vec2();
        way.as_dvec2().dot(normal) < 0.0 && self.sweep(body, other, offset + out, way) != Sweep::Clear
    }

    /// Finds the crest that a body on a floor reaches before it hits terrain on its plan, and the fraction of the
    /// plan until then. At a crest, the floor bends down. On a straight path the body would be above the next floor.
    /// Only over the crest does a body get into a passage that is exactly as high as the body, as it does without
    /// other bodies.
    fn find_crest_before_hit(&mut self, i: BodyIndex, toi: f64) -> Option<(f64, Crest)> {
        let (body, frame) = (self.body(i), *self.upright_frame(i));
        let (position, motion) = (body.now.position, body.now.plan.course.displacement());
        let across = motion.dot(frame.right().as_i64vec2());
        if !body.keeps_to_floor() || across == 0 || body.lists.touched_at != Some(position) {
            return None;
        }
        self.probe_terrain(i, |probe, body| {
            let at = position + body.now.plan.course.displacement_until(toi);
            if probe.hits().iter().any(|surface| frame.is_floor(surface.normal(at))) {
                return None;
            }
            let crest = probe.find_crest(position, &body.lists.touched, across.signum(), motion.as_dvec2().length())?;
            let [first, second] = crest.ways;
            let part = (first + second).dot(frame.right().as_i64vec2()) as f64 / across as f64;
            // A path in two parts leaves the straight path at its start. So the hit at `toi`, which is on the straight
            // path, does not limit it.
            let last = if second == I64Vec2::ZERO { toi } else { 1.0 };
            let is_before = part >= 0.0 && part <= last + TOUCH as f64 / across.abs() as f64;
            let mut is_free =
                || probe.cast(position, first).is_none() && probe.cast(position + first, second).is_none();
            (is_before && is_free()).then_some((part.min(1.0), crest))
        })
    }

    /// Returns the contact of two bodies at a distance of `offset`. Round sides that overlap by a few units of
    /// rounding count as touching.
    pub(super) fn contact(&self, i: BodyIndex, j: BodyIndex, offset: I64Vec2) -> Option<PairContact> {
        let (a, b) = (self.body(i).given.collider, self.body(j).given.collider);
        let contact = exact::contact(a, b, offset);
        if contact.is_some() || !exact::overlaps(a, b, offset) {
            return contact;
        }
        let (normal, _) = self.separation(self.body(i), self.body(j), offset);
        let out = (normal * MAX_OVERLAP_UNITS).round().as_i64vec2();
        let is_round = normal.x != 0.0 && normal.y != 0.0;
        (is_round && !exact::overlaps(a, b, offset + out)).then_some(PairContact { normal, gap: 0.0, flat: false })
    }

    /// Returns the direction in which two shapes that overlap by rounding are separated with the least motion, and the
    /// depth of the overlap in units.
    pub(super) fn separation(&self, a: &SolverBody, b: &SolverBody, offset: I64Vec2) -> (DVec2, f64) {
        let up = self.frame_that_decides(a, b).up_axis();
        let (half, radius) = minkowski_sum(a.given.collider, b.given.collider);
        let out = offset - offset.clamp(-half, half);
        if radius > 0 && out.x != 0 && out.y != 0 {
            let out = out.as_dvec2();
            return (out.normalize_or(up.as_dvec2()), radius as f64 - out.length());
        }
        let depth = half + radius - offset.abs();
        let along_up = depth.dot(up.abs()) <= depth.dot(up.perp().abs());
        let axis = if along_up { up.abs() } else { up.perp().abs() };
        let side = if offset.dot(axis) < 0 { -1.0 } else { 1.0 };
        (axis.as_dvec2() * side, depth.dot(axis) as f64)
    }

    /// Closes the gap that rounding has left between the flat sides of two bodies that collided.
    pub(super) fn close_gap(&mut self, i: BodyIndex, j: BodyIndex, normal: DVec2) {
        let axis = normal.as_i64vec2();
        if axis.as_dvec2() != normal {
            return;
        }
        let (a, b) = (self.body(i), self.body(j));
        let offset = a.now.position - b.now.position;
        let reach = a.given.shape.half_units() + b.given.shape.half_units();
        let is_flat = match a.flat_gap(b, offset) {
            Some(FlatGap { normal, .. }) => normal == axis,
            None => a.overlaps(b, offset),
        };
        let gap = axis.dot(offset) - axis.abs().dot(reach);
        if !is_flat || gap == 0 || gap.abs() > MAX_GAP_UNITS {
            return;
        }
        let clock = a.now.clock;
        let part = axis * -gap;
        let position = a.now.position;
        let free = self.probe_terrain(i, |probe, _| probe.cast(position, part).is_none());
        if free {
            self.move_and_record_leg(i, part, clock);
        } else {
            let position = self.body(j).now.position;
            if self.body(j).is_moved_by_phase()
                && self.probe_terrain(j, |probe, _| probe.cast(position, -part).is_none())
            {
                self.move_and_record_leg(j, -part, clock);
            }
        }
    }

    /// Counts an impact. Returns whether the body may go on in this tick.
    pub(super) fn count_impact_within_limit(&mut self, i: BodyIndex) -> bool {
        let body = &mut self.pairs.bodies[i as usize];
        if !(body.stage.part == Part::Collides || body.impacts.is_awake) {
            return true;
        }
        if body.impacts.is_done {
            return false;
        }
        body.impacts.count += 1;
        if body.impacts.count <= MAX_IMPACTS {
            return true;
        }
        if body.given.gravity != DVec2::ZERO {
            body.now.velocity = body.now.frame;
        }
        let plan = Plan { after: body.now.velocity, ..Plan::STAYS };
        self.stop_for_rest_of_tick(i, plan);
        false
    }

    /// Plans bodies again after an impact has changed them. Then plans all bodies again that they support, push or
    /// hold back, as far as the change has an effect.
    pub(super) fn plan_bodies_again(&mut self, changed: &[u32], time: f64) {
        let mut order = take_and_empty_list(&mut self.pairs.lists.order);
        self.pairs.queue.turn += 1;
        for &i in changed {
            self.queue_for_planning(i, true, &mut order);
        }
        for n in 0..self.pairs.lists.woken.len() {
            self.queue_for_planning(self.pairs.lists.woken[n], true, &mut order);
        }
        self.pairs.lists.woken.clear();
        // A supporting body is planned before the bodies on it. A body that others hold back is planned again after
        // those others.
        while let Some(Reverse((_, _, i))) = self.pairs.queue.upwards.pop() {
            let is_struck = std::mem::take(&mut self.pairs.bodies[i as usize].impacts.planned.is_struck);
            if !(self.plan_again_and_compare(i) || is_struck) {
                continue;
            }
            for n in 0..self.body(i).stage.near.len() {
                let j = self.body(i).stage.near[n];
                if self.plan_depends_on(j, i) {
                    self.advance_to(j, time);
                    self.queue_for_planning(j, false, &mut order);
                }
            }
        }
        self.sort_upwards(&mut order);
        if order.iter().any(|i| self.body(*i).impacts.pushed_by.is_some()) {
            // So far, the character was planned as if the row of bodies that it pushes did not slow it down, and the
            // row was planned after it. From now on, the row limits the character.
            self.pairs.rows.counts = true;
            for _ in 1..MAX_PLAN_PASSES {
                let mut again = false;
                for &i in &order {
                    again |= self.plan_again_and_compare(i);
                }
                if !again {
                    break;
                }
            }
            self.pairs.rows.counts = false;
        }
        for &i in &order {
            if !self.body(i).impacts.is_done {
                self.find_next_impact(i);
                continue;
            }
            // A body that stays for the rest of the tick does not search for further impacts. Instead, test which near
            // bodies run into it, and predict only those. The list of near bodies depends on a grid that does not turn
            // with the scene. Each new prediction rounds times differently. So predicting all near bodies could give a
            // turned scene another result.
            for n in 0..self.body(i).stage.near.len() {
                let j = self.body(i).stage.near[n];
                if self.would_hit_unmoved_body(j, i) {
                    self.find_next_impact(j);
                }
            }
        }
        self.pairs.lists.order = order;
    }

    /// Returns whether the rest of a body's plan runs into another body that stays in place.
    fn would_hit_unmoved_body(&self, i: BodyIndex, j: BodyIndex) -> bool {
        let (body, other) = (self.body(i), self.body(j));
        let offset = body.now.position - other.now.position;
        !body.stays_in_place() && self.sweep(body, other, offset, body.now.plan.course.displacement()) != Sweep::Clear
    }

    /// Puts a body into the queue of bodies to plan again, at most [`MAX_PLAN_PASSES`] times after one impact.
    fn queue_for_planning(&mut self, i: BodyIndex, is_struck: bool, order: &mut Vec<u32>) {
        let height = self.body(i).height();
        let Pairs { bodies, queue: Queue { turn, upwards, .. }, .. } = &mut *self.pairs;
        let body = &mut bodies[i as usize];
        if !body.is_moved_by_phase() {
            return;
        }
        let planned = &mut body.impacts.planned;
        if planned.turn != *turn {
            *planned = Planned { turn: *turn, is_struck, ..Planned::default() };
            order.push(i);
        }
        if !planned.is_due && planned.times < MAX_PLAN_PASSES {
            planned.is_due = true;
            upwards.push(Reverse((height, body.given.rank.1, i)));
        }
    }

    /// Plans a body again, unless it stays in place for the rest of the tick. Returns whether the plan has changed.
    fn plan_again_and_compare(&mut self, i: BodyIndex) -> bool {
        let body = &mut self.pairs.bodies[i as usize];
        body.impacts.planned.times += 1;
        body.impacts.planned.is_due = false;
        if body.impacts.is_done {
            return false;
        }
        let before = (body.now.plan.course, body.now.plan.after);
        self.plan_rest_of_tick(i);
        let plan = &self.body(i).now.plan;
        (plan.course, plan.after) != before
    }

    /// Returns whether the plan of `j` depends on the plan of `i`.
    fn plan_depends_on(&self, j: BodyIndex, i: BodyIndex) -> bool {
        let body = self.body(j);
        // A character moves no further than the body that it pulls. On a slope, that body moves by whole steps of the
        // tangent.
        let pulls = || body.stage.pulls == Some(i) && self.is_pushed_by(i, j);
        !body.stays_in_place()
            && (body.now.plan.base == Some(i)
                || pulls()
                || body.impacts.pushed_by.is_some_and(|(by, _)| by == i)
                || body.lists.stopped_by.iter().any(|(by, _)| *by == i))
    }
}

impl<'a> PairPhase<'a> {
    /// Returns the scene for a body: without the tiles that let its collision layers pass.
    pub(super) fn scene_of(&self, i: BodyIndex) -> Scene<'a> {
        self.scene.of_kind(&self.state(i).kind)
    }

    /// Returns the up direction of a body, together with its steepest floor.
    #[inline]
    pub(super) fn upright_frame(&self, i: BodyIndex) -> &Frame {
        &self.body(i).given.upright
    }

    /// Returns the up direction of a body, in f64.
    #[inline]
    pub(super) fn up(&self, i: BodyIndex) -> DVec2 {
        self.upright_frame(i).up()
    }

    /// Returns the up direction of a body.
    #[inline]
    pub(super) fn up_axis(&self, i: BodyIndex) -> I64Vec2 {
        self.upright_frame(i).up_axis()
    }

    /// Returns the right direction of a body.
    #[inline]
    pub(super) fn right(&self, i: BodyIndex) -> DVec2 {
        self.upright_frame(i).right()
    }

    /// Returns whether two bodies have opposite directions of up. They can stand on each other, and then neither
    /// carries the other.
    pub(super) fn is_upside_down_to(&self, i: BodyIndex, j: BodyIndex) -> bool {
        self.up_axis(i) == -self.up_axis(j)
    }

    /// Returns the up direction that decides between two bodies if neither stands or pushes. If their directions
    /// differ, it is the world's.
    #[inline]
    pub(super) fn frame_that_decides<'b>(&'b self, a: &'b SolverBody, b: &SolverBody) -> &'b Frame {
        // Equal levels mean equal directions of up (see `sort_height_offset_for_up`). Affects speed only.
        if a.given.level == b.given.level { &a.given.upright } else { &self.scene.frame }
    }

    /// Sweeps a body against another one, see [`exact::sweep_pair`].
    #[inline(always)]
    pub(super) fn sweep(&self, a: &SolverBody, b: &SolverBody, offset: I64Vec2, motion: I64Vec2) -> Sweep<PairHit> {
        exact::sweep_pair(a.given.collider, b.given.collider, offset, motion, self.frame_that_decides(a, b).up_axis())
    }
}
