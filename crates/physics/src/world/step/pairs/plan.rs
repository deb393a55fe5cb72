//! Plans the rest of a body's tick from its velocity, gravity, input and supports, as if it would hit nothing.
//!
//! A *support* is a surface of terrain or of another body that carries or stops this body. The plan is relative to
//! the *base*, the support that carries the body. If friction holds the body there, its displacement is that of the
//! base, unit for unit. The part of the displacement that would move into another support is removed.

use super::PairPhase;
use super::solver_bodies::BodyIndex;
use super::solver_body::{Part, Plan, Progress};
use super::tolerance::{MAX_FLOOR_TURN, MAX_GAP_UNITS, MAX_PARTING_SPEED, MIN_CARRY_NORMAL, MIN_SAME_SIDE_DOT};
use crate::body::{Character, MAX_SPEED};
use crate::controller::{Controller, Intent, SlopeSlide, TakeOff};
use crate::motion::{
    Belt, Braked, Course, Crest, Grip, Owner, Resting, RunOff, Surface, combine_displacements, common_velocity,
    course_along_surfaces, displacement_along_arc, floors_of, friction_between, is_touch, motion_to_units, points_into,
    project_out_of_surfaces, sideways_distance, tolerance, truncated_fraction_of,
};
use crate::movement::subtract_push;
use crate::world::character::end_speed_of_apex_hang;
use glam::{DVec2, I64Vec2};
use smallvec::SmallVec;
use std::cmp::Ordering;
use surefoot_geometry::exact::tolerance::TOUCH;
use surefoot_geometry::exact::{self, PairContact};
use surefoot_geometry::{ONE, Position, Sweep};

/// Motion of the terrain or body that a surface belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motion {
    /// Velocity in the world now.
    velocity: DVec2,
    /// Velocity in the world at the end of the tick.
    after: DVec2,
    /// Displacement until the end of the tick.
    pub(super) way: I64Vec2,
    /// Velocity of the platform that carries the body.
    frame: DVec2,
    /// Belt of the terrain's material, which is part of the velocities and of the displacement.
    belt: Belt,
}

/// A surface that carries or stops a body, with its motion in the rest of the tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Support {
    surface: Surface,
    motion: Motion,
    /// Unit normal of the surface at the body's position.
    normal: DVec2,
    /// Distance of the body from the surface, in units.
    gap: f64,
}

impl Support {
    fn new(surface: Surface, normal: DVec2, motion: Motion) -> Support {
        Support { surface, motion, normal, gap: 0.0 }
    }

    /// Returns the supporting body; `None` for terrain.
    fn body(&self) -> Option<u32> {
        if let Owner::Body(body) = self.surface.owner { Some(body) } else { None }
    }

    /// Returns whether the surface is straight and along an axis.
    fn is_flat(&self) -> bool {
        let normal = self.surface.piece.normal;
        self.surface.is_flat() && (normal.x == 0 || normal.y == 0)
    }

    /// Returns whether a displacement of the body at a position moves into the support.
    fn moves_into_support(&self, position: Position, displacement: I64Vec2) -> bool {
        exact::wide_dot(self.surface.normal(position), displacement - self.motion.way) < 0
    }

    /// Removes all motion of this support except that along an axis. The support is a floor that carries nothing.
    fn remove_motion_except_along(&mut self, axis: I64Vec2) {
        let up = axis.as_dvec2();
        for velocity in [&mut self.motion.velocity, &mut self.motion.after] {
            *velocity = up * velocity.dot(up);
        }
        (self.motion.way, self.motion.frame) = (axis * self.motion.way.dot(axis), DVec2::ZERO);
    }

    /// Removes the sideways motion of this support into the body.
    fn remove_sideways_motion(&mut self, right: DVec2) {
        let side = self.normal.dot(right);
        for velocity in [&mut self.motion.velocity, &mut self.motion.after] {
            let along = velocity.dot(right);
            if along * side > 0.0 {
                *velocity -= right * along;
            }
        }
        let right = right.as_i64vec2();
        let along = self.motion.way.dot(right);
        if along as f64 * side > 0.0 {
            self.motion.way -= right * along;
        }
    }
}

impl Motion {
    /// The motion of terrain at rest.
    const NONE: Motion = Motion::with_velocity(DVec2::ZERO);

    /// Returns the motion of terrain or of a platform, which does not move while bodies move.
    const fn with_velocity(velocity: DVec2) -> Motion {
        Motion { velocity, after: velocity, way: I64Vec2::ZERO, frame: DVec2::ZERO, belt: Belt::NONE }
    }

    /// Returns the motion that two supports share. Both carry the body equally.
    fn motion_common_with(&self, other: &Motion) -> Motion {
        Motion {
            velocity: common_velocity(self.velocity, other.velocity),
            after: common_velocity(self.after, other.after),
            way: combine_displacements([self.way, other.way].into_iter()),
            frame: common_velocity(self.frame, other.frame),
            belt: Belt::NONE,
        }
    }
}

pub(super) type Supports = SmallVec<[Support; 8]>;

/// Normals and velocities of supports.
pub(super) type Limits = SmallVec<[(DVec2, DVec2); 8]>;

/// Motion of a body if nothing is in its way: its displacement, and its velocity in the world before and after.
struct PlannedMotion {
    way: I64Vec2,
    before: DVec2,
    after: DVec2,
    /// A character's speed along the ground at the end of the tick.
    ground: Option<f64>,
}

impl PairPhase<'_> {
    /// Plans the rest of a body's tick. Its supports must already be planned.
    pub(super) fn plan_rest_of_tick(&mut self, i: BodyIndex) {
        let mut supports = Supports::new();
        let base = self.find_supports_and_base(i, &mut supports);
        let body = self.body(i);
        let position = body.now.position;
        let frame = base.filter(|base| base.body().is_some()).map_or(body.now.frame, |base| base.motion.frame);
        let time = (1.0 - body.now.clock) * self.rules.settings.tick;
        self.pairs.bodies[i as usize].now.frame = frame;
        let PlannedMotion { way, before, mut after, mut ground } = if self.body(i).given.is_character {
            let (going, take_off) = self.plan_character(i, base, time);
            self.pairs.bodies[i as usize].now.take_off = take_off;
            going
        } else {
            self.plan_dynamic_body(i, &supports, base, time)
        };
        self.drop_passed_ceilings(i, way);
        let course = self.clamp_to_supports(i, &supports, way);
        if let (Some((_, direction)), Course::Along { tangent, .. }) = (self.body(i).impacts.pushed_by, course) {
            // A body that is pushed up a slope must not begin to slide back.
            let along = tangent.as_dvec2().normalize_or_zero() * tangent.dot(direction).signum() as f64;
            after -= along * along.dot(after).min(0.0);
        }
        let is_pressed = |base: &Support| {
            base.body().is_some() && exact::wide_dot(base.surface.normal(position), base.motion.way) > 0
        };
        if course.displacement() == I64Vec2::ZERO && base.as_ref().is_some_and(is_pressed) {
            // The body below presses this one against terrain. This body stops here, and at the next impact it stops
            // the body below.
            after = velocity_clear_of_limits(DVec2::ZERO, normals_and_velocities_of_terrain(&supports));
            ground = ground.and(Some(0.0));
        } else if let Some(speed) = ground {
            // A walker keeps its speed along the ground, unless an obstacle stops it.
            let Motion { way: base_way, after: base_after, .. } = base.map_or(Motion::NONE, |base| base.motion);
            let belt = base.map_or(0.0, |base| base.motion.belt.speed);
            let made = course.displacement();
            let is_stopped = made == I64Vec2::ZERO && way != I64Vec2::ZERO;
            if is_stopped && base.is_some_and(|base| base.body().is_none()) {
                (ground, after) =
                    (Some(0.0), base_after - base.map_or(DVec2::ZERO, |base| base.motion.belt.velocity()));
            } else if way != base_way && made == base_way {
                (ground, after) = (Some(belt), base_after);
            } else if is_stopped || self.follows_steep_slope(i, course) {
                // Something stops the walk, or it follows a slope that is too steep to walk on. Then the speed along
                // the ground is the speed at which the body still moves over the moving floor.
                after = velocity_clear_of_supports(after, &supports);
                ground = Some((after - base_after).dot(self.right(i)) + belt);
            } else {
                if let Course::Along { tangent, .. } = course {
                    after = self.unit_vector_to_right(i, tangent.as_dvec2()) * speed + base_after;
                }
                ground = Some(speed + belt);
            }
        } else {
            after = velocity_clear_of_supports(after, &supports);
        }
        let bound = DVec2::splat(MAX_SPEED);
        let after = after.clamp(-bound, bound) + DVec2::ZERO;
        let carrier = base.and_then(|base| base.body()).filter(|j| !self.is_upside_down_to(i, *j));
        let stamp = self.pairs.queue.stamp;
        self.pairs.queue.stamp += 1;
        let body = &mut self.pairs.bodies[i as usize];
        body.now.plan = Plan { course, before, after, ground, base: carrier };
        body.update_bounds();
        body.next.stamp = stamp;
    }

    /// Lists the supports of a body and marks them as having collided. Returns the base, with the motion of the belt
    /// under the body.
    #[inline]
    fn find_supports_and_base(&mut self, i: BodyIndex, supports: &mut Supports) -> Option<Support> {
        self.find_touched_surfaces(i);
        self.find_supports(i, supports);
        let mut base = self.find_carrying_support(i, supports);
        if let (None, Some(lower)) = (base, self.body(i).impacts.stepped_on) {
            base = Some(self.support_after_step_up(i, lower));
        }
        if base.is_none() && self.body(i).now.ground.is_some() && self.try_lower_to_floor(i) {
            self.find_touched_surfaces(i);
            self.find_supports(i, supports);
            base = self.find_carrying_support(i, supports);
        }
        if let Some(base) = &mut base {
            match base.body() {
                None => self.add_belt_motion(i, &mut base.motion),
                Some(j) if self.is_upside_down_to(i, j) => base.remove_motion_except_along(self.up_axis(i)),
                Some(_) => {}
            }
        }
        self.mark_supports_and_adjust_motion(i, supports);
        base
    }

    /// Marks the body and its supports as having collided, and lists the supports that the body rolls on. For a
    /// character, removes motion of the supports that would move it sideways.
    fn mark_supports_and_adjust_motion(&mut self, i: BodyIndex, supports: &mut Supports) {
        for support in supports.iter() {
            if let Some(j) = support.body() {
                (
                    self.pairs.bodies[i as usize].impacts.has_collided,
                    self.pairs.bodies[j as usize].impacts.has_collided,
                ) = (true, true);
            }
        }
        self.list_rolled_on_bodies(i, supports);
        if self.body(i).given.is_character {
            // Only the support that carries a character moves it sideways: the caller has a copy of that support, which
            // keeps its motion. Otherwise, a round body that moves sideways against the character would lift it.
            let right = self.right(i);
            supports
                .iter_mut()
                .filter(|support| support.body().is_some() && !support.is_flat())
                .for_each(|support| support.remove_sideways_motion(right));
        }
    }

    /// Finds the bodies below that a body rolls on, and its height above each.
    fn list_rolled_on_bodies(&mut self, i: BodyIndex, supports: &Supports) {
        self.pairs.bodies[i as usize].lists.rolls_on.clear();
        if self.body(i).given.is_character {
            return;
        }
        for support in supports.iter().filter(|support| !support.is_flat()) {
            if let Some(lower) = support.body().filter(|_| self.is_contact_below(i, support.normal)) {
                self.pairs.bodies[i as usize].lists.rolls_on.push((lower, support.gap));
            }
        }
    }

    /// Adds the belt of the tiles under a body to their motion.
    fn add_belt_motion(&self, i: BodyIndex, motion: &mut Motion) {
        let (body, scene) = (self.body(i), self.scene_of(i));
        if !scene.has_materials() {
            return;
        }
        let (shape, position) = (body.given.shape, body.now.position);
        let belt = scene.belt_of_pressed_surfaces(shape, position, &body.lists.touched, body.given.gravity);
        let time = (1.0 - body.now.clock) * self.rules.settings.tick;
        motion.belt = belt;
        motion.velocity += belt.velocity();
        motion.after += belt.velocity();
        motion.way += motion_to_units(belt.velocity() * time);
    }

    /// Returns whether a course follows a slope that is too steep to walk on.
    fn follows_steep_slope(&self, i: BodyIndex, course: Course) -> bool {
        let Course::Along { tangent, .. } = course else { return false };
        [tangent.perp(), -tangent.perp()].iter().all(|normal| !self.upright_frame(i).is_floor(*normal))
    }

    /// Returns the unit vector along `along` that points to the right of a body.
    pub(super) fn unit_vector_to_right(&self, i: BodyIndex, along: DVec2) -> DVec2 {
        let along = along.normalize_or_zero();
        if along.dot(self.right(i)) < 0.0 { -along } else { along }
    }

    /// Lists the contacts that support or stop a body at its position.
    pub(super) fn find_supports(&self, i: BodyIndex, supports: &mut Supports) {
        supports.clear();
        let body = self.body(i);
        let (position, gravity) = (body.now.position, body.given.gravity);
        for surface in &body.lists.touched {
            let velocity = self.velocity_of_surface(surface);
            let relative = body.now.velocity - velocity;
            if surface.is_velocity_let_through(if relative == DVec2::ZERO { gravity } else { relative }) {
                continue;
            }
            let normal = surface.normal(position).as_dvec2().normalize_or_zero();
            supports.push(Support::new(*surface, normal, Motion::with_velocity(velocity)));
        }
        let slow = 2.0 * gravity.length() * self.rules.settings.tick;
        let (at, axis) = ((position.units(), position.units()), self.up_axis(i));
        let reach = self.max_landing_gap(i);
        for &j in &body.stage.near {
            let other = self.body(j);
            if other.keeps_margin_from(body.given.shape.half_units(), at, reach) {
                continue;
            }
            let center = self.position_at(j, body.now.clock);
            let offset = position - center;
            // Body `j` must be below to support this body, except in three cases: this body pulls `j`, pushes `j`, or
            // was stopped by `j` in this tick.
            let is_known = || body.stage.pulls == Some(j) || body.lists.stopped_by.iter().any(|(by, _)| *by == j);
            let pushes = || self.pairs.rows.counts && other.impacts.pushed_by.is_some_and(|(by, _)| by == i);
            if offset.dot(axis) <= 0 && !is_known() && !pushes() {
                continue;
            }
            let contact = self.contact(i, j, offset).or_else(|| self.landing_contact(i, j, offset, reach));
            let Some(contact) = contact.or_else(|| self.blocking_corner_contact(i, j, offset)) else {
                continue;
            };
            if !is_touch(&contact) {
                continue;
            }
            let velocity = self.velocity_at(j, body.now.clock);
            let approach = -contact.normal.dot(body.now.velocity - velocity);
            let is_below = self.is_contact_below(i, contact.normal);
            let is_slow = approach <= slow.max(body.given.contact.rest_speed).max(other.given.contact.rest_speed)
                && approach >= -self.max_parting_speed(i, velocity);
            let stops =
                |&(by, normal): &(u32, I64Vec2)| by == j && normal.as_dvec2().dot(contact.normal) > MIN_SAME_SIDE_DOT;
            let is_stopped = body.lists.stopped_by.iter().any(stops) && approach <= MAX_PARTING_SPEED;
            // A body that pushes this one is not a support, because a support would hold this one back: on a slope, a
            // pushed body may move faster than its pusher.
            let is_pushed = body.impacts.pushed_by.is_some_and(|(by, _)| by == j);
            let pushes = self.pairs.rows.counts
                && contact.flat
                && other.impacts.pushed_by.is_some_and(|(by, way)| by == i && way.as_dvec2().dot(contact.normal) < 0.0);
            // A character moves no further than the body that it pulls.
            let pulls = body.stage.pulls == Some(j)
                && contact.flat
                && (body.impacts.pull_is_blocked
                    || (self.pairs.rows.counts && other.impacts.pushed_by.is_some_and(|(by, _)| by == i)))
                && contact.normal.dot(self.up(i)) == 0.0;
            if !pushes && !pulls && (is_pushed || !(is_below && is_slow || is_stopped)) {
                continue;
            }
            let normal = if pulls { -contact.normal } else { contact.normal };
            let resting = Resting { shape: other.given.shape, center: center.units() };
            let surface = resting.surface(Owner::Body(j), body.given.shape, position, (contact.flat, normal));
            let mut motion = self.motion_until_end(j, body.now.clock);
            if pushes || (pulls && !body.impacts.pull_is_blocked) {
                // This body pushes or pulls the support, which must not change the speed of this body. So give the
                // motion of the support the velocity of this body.
                (motion.velocity, motion.after) = (body.now.velocity, body.now.velocity);
            }
            supports.push(Support { gap: contact.gap, ..Support::new(surface, normal, motion) });
        }
        if body.given.shape.is_circle() && supports.len() > 1 {
            drop_inner_corners(supports, position, body.given.shape.half_units().x);
        }
    }

    /// Returns the contact at a corner with a body that has stopped this walker in this tick, or that this body
    /// pushes.
    fn blocking_corner_contact(&self, i: BodyIndex, j: BodyIndex, offset: I64Vec2) -> Option<PairContact> {
        let (body, other, axis) = (self.body(i), self.body(j), self.up_axis(i));
        if !self.are_corner_to_corner(i, j, offset) {
            return None;
        }
        let normal = axis.perp() * axis.perp().dot(offset).signum();
        let stops = body.lists.stopped_by.iter().any(|(by, from)| *by == j && *from == normal);
        let pushes = other.impacts.pushed_by.is_some_and(|(by, way)| by == i && way == -normal);
        (stops || pushes).then(|| PairContact { normal: normal.as_dvec2(), gap: 0.0, flat: true })
    }

    /// Returns the speed at which a body may part from a support with the given velocity and still be supported. For
    /// a walker it is higher, so that it walks over corners that stand out by a few units.
    pub(super) fn max_parting_speed(&self, i: BodyIndex, velocity: DVec2) -> f64 {
        let body = self.body(i);
        let walks = body.given.is_character && body.now.ground.is_some();
        if walks {
            MAX_PARTING_SPEED.max((body.now.velocity - velocity).length() * MAX_FLOOR_TURN)
        } else {
            MAX_PARTING_SPEED
        }
    }

    /// Moves a character down on to a floor that is a few units lower. Returns whether there is one.
    pub(super) fn try_lower_to_floor(&mut self, i: BodyIndex) -> bool {
        let body = self.body(i);
        let (axis, up) = (self.up_axis(i), self.up(i));
        let (position, clock) = (body.now.position, body.now.clock);
        // At the end of a tick on terrain, search as deep as the character has walked, but at most one tile: the floor
        // may bend down, as at the top of a slope.
        let walked = if clock >= 1.0 && body.now.plan.base.is_none() {
            (position - body.start.position).dot(axis.perp()).abs() + tolerance::MAX_SNAP_UNITS
        } else {
            TOUCH
        };
        if !body.given.is_character || (clock < 1.0 && body.now.velocity.dot(up) > MAX_PARTING_SPEED) {
            return false;
        }
        let below = |j: &u32| {
            let other = self.body(*j);
            let gap = body.flat_gap(other, position - self.position_at(*j, clock))?;
            (gap.normal == axis && gap.gap <= TOUCH && other.stage.part != Part::Alone).then_some(gap.gap)
        };
        let gap = body.stage.near.iter().filter_map(below).min();
        let deep = gap.unwrap_or(walked.min(ONE));
        // At the end of a tick, a circle that has run off its floor must not be moved down onto the corner where the
        // floor ended.
        let run_off = self.state(i).kind.character.as_ref().filter(|_| clock >= 1.0 && body.given.shape.is_circle());
        let speed = body.now.ground.unwrap_or_default();
        let run_off =
            run_off.map(|character| RunOff::at_speed(character, self.upright_frame(i), speed, body.given.gravity));
        let sign = if speed < 0.0 { -1 } else { 1 };
        let met = self.probe_terrain(i, |probe, body| {
            let down = axis * -deep;
            let toi = probe.cast(position, down)?;
            let frame = probe.scene.frame;
            let floors = || floors_of(&frame, probe.hits(), position);
            let is_off = |run_off: RunOff| {
                let is_corner = floors().all(|(surface, _)| !surface.is_flat());
                is_corner && run_off.takes_off_from_corners(&frame, body.given.shape, floors(), sign)
            };
            let is_held = floors().next().is_some() && !run_off.is_some_and(is_off);
            is_held.then(|| probe.find_displacement_to_hit(position, Course::Free(down), toi))
        });
        let Some(way) = met.or(gap.map(|deep| axis * -deep)) else { return false };
        let body = self.body(i);
        let comes_into = |j: &u32| {
            let other = self.body(*j);
            let at = if clock >= 1.0 { self.end_position(*j) } else { self.position_at(*j, clock) };
            (clock >= 1.0 || other.stage.part != Part::Alone)
                && self.sweep(body, other, position - at, way) != Sweep::Clear
        };
        if body.stage.near.iter().any(comes_into) {
            return false;
        }
        self.move_and_record_leg(i, way, clock);
        if clock >= 1.0 && gap.is_none() {
            self.find_touched_surfaces(i);
            let body = self.body(i);
            // Choose the flattest floor. In a valley, choose the side ahead.
            let (level, ahead) = (|normal: DVec2| normal.dot(up), self.walk_direction(i));
            let floors =
                self.normals_of_touched_floors(i).map(|normal| (normal, normal.as_dvec2().normalize_or_zero()));
            let best = floors.max_by(|(_, a), (_, b)| {
                level(*a).total_cmp(&level(*b)).then_with(|| b.dot(ahead).total_cmp(&a.dot(ahead)))
            });
            if let Some((normal, _)) = best {
                let along = self.unit_vector_to_right(i, exact::tangent(normal).as_dvec2());
                let velocity = along * body.now.ground.unwrap_or_default() + body.now.frame;
                self.pairs.bodies[i as usize].now.velocity = velocity;
            }
        }
        true
    }

    /// Returns the direction of a body along the ground. A body that stands has the direction of its input.
    fn walk_direction(&self, i: BodyIndex) -> DVec2 {
        let (body, right) = (self.body(i), self.right(i));
        let speed = body.now.ground.unwrap_or(body.now.velocity.dot(right));
        right * if speed == 0.0 { f64::from(self.state(i).now.input.walk) } else { speed }
    }

    /// Returns a support for a body that was lifted by a few units onto something higher. It carries the body until
    /// the body is wholly over that.
    fn support_after_step_up(&self, i: BodyIndex, lower: Option<BodyIndex>) -> Support {
        let Progress { position, clock, .. } = self.body(i).now;
        let motion = lower.map_or(Motion::NONE, |j| self.motion_until_end(j, clock));
        let surface =
            Surface::flat_side_of_body(lower.map_or(Owner::Terrain, Owner::Body), position.units(), self.up_axis(i));
        Support::new(surface, self.up(i), motion)
    }

    /// Returns the motion of a body from `time` to the end of the tick.
    pub(super) fn motion_until_end(&self, j: BodyIndex, time: f64) -> Motion {
        let (other, velocity) = (self.body(j), self.velocity_at(j, time));
        let (after, way) = if other.stays_in_place() {
            (velocity, I64Vec2::ZERO)
        } else {
            (other.now.plan.after, other.end_position() - self.position_at(j, time))
        };
        Motion { velocity, after, way, frame: other.now.frame, belt: Belt::NONE }
    }

    /// Returns the support that carries a body, chosen among the terrain and the bodies that support it.
    ///
    /// The support whose normal points up most carries the body. If several do so equally, terrain carries before a
    /// body, then the body nearest to the centre line. In a valley, the side ahead carries, so that the body moves
    /// up. Bodies that are equally near to the centre line carry together, by the motion that all of them share. A
    /// body on the side to which gravity does not pull never carries.
    fn find_carrying_support(&self, i: BodyIndex, supports: &Supports) -> Option<Support> {
        let body = self.body(i);
        let floors = supports.iter().filter(|support| {
            let lift = support.normal.dot(self.up(i));
            let is_drawn_off = support.body().is_some() && support.normal.dot(body.given.gravity) >= 0.0;
            lift > MIN_CARRY_NORMAL
                && !is_drawn_off
                && support.normal.dot(body.now.velocity - support.motion.velocity)
                    <= self.max_parting_speed(i, support.motion.velocity)
        });
        let ahead = self.walk_direction(i);
        let mut found: Option<Support> = None;
        for support in floors {
            let Some(best) = &mut found else {
                found = Some(*support);
                continue;
            };
            let (lift, most) = (support.normal.dot(self.up(i)), best.normal.dot(self.up(i)));
            if lift != most {
                if lift > most {
                    *best = *support;
                }
                continue;
            }
            match (support.body(), best.body()) {
                (Some(one), Some(other)) => {
                    match self
                        .sideways_distance_to_support(i, support, one)
                        .cmp(&self.sideways_distance_to_support(i, best, other))
                    {
                        Ordering::Less => *best = *support,
                        Ordering::Equal => best.motion = best.motion.motion_common_with(&support.motion),
                        Ordering::Greater => {}
                    }
                }
                (None, None) if support.normal.dot(ahead) >= best.normal.dot(ahead) => {}
                (None, _) => *best = *support,
                _ => {}
            }
        }
        found
    }

    /// Returns how far sideways from a body's centre line its support `j` lies.
    fn sideways_distance_to_support(&self, i: BodyIndex, support: &Support, j: BodyIndex) -> i64 {
        let offset = self.body(i).now.position - self.position_at(j, self.body(i).now.clock);
        sideways_distance(self.body(j).given.shape, support.is_flat(), offset, self.up_axis(i))
    }

    /// Plans the motion of a body that is not a character.
    fn plan_dynamic_body(&self, i: BodyIndex, supports: &Supports, base: Option<Support>, time: f64) -> PlannedMotion {
        let body = self.body(i);
        let gravity = body.given.gravity;
        let Some(base) = base else {
            let own = body.now.velocity - body.now.frame;
            let after = own + gravity * time;
            let way =
                subtract_push(motion_to_units((own + after) * (time / 2.0)), self.platform_push_in_rest_of_tick(i));
            return PlannedMotion { way, before: body.now.velocity, after: after + body.now.frame, ground: None };
        };
        let Motion { velocity: base_velocity, after: base_after, way: base_way, .. } = base.motion;
        let fallen = if time > 0.0 { (base_after - base_velocity) / time } else { DVec2::ZERO };
        let pull = gravity - fallen;
        let limits = supports.iter().map(|support| (support.normal, support.motion.velocity - base_velocity));
        let velocity = velocity_clear_of_limits(body.now.velocity - base_velocity, limits);
        let pressed = supports.iter().map(|support| support.normal).filter(|normal| normal.dot(pull) < 0.0);
        let mut along = velocity_clear_of_limits(pull, pressed.clone().map(|normal| (normal, DVec2::ZERO)));
        if pressed.clone().any(|normal| points_into(normal, along)) {
            along = DVec2::ZERO;
        }
        let friction = match base.body() {
            Some(j) => friction_between(body.given.contact.friction, self.body(j).given.contact.friction),
            None => {
                let (shape, position, touched) = (body.given.shape, body.now.position, &body.lists.touched);
                body.given.contact.friction * self.scene_of(i).friction_under(shape, position, touched, gravity)
            }
        };
        let grip = Grip::new(pull, along, friction);
        // `slack`: the part of gravity that is only rounding. Friction holds the body if no more than `slack` of the
        // pull is left.
        let slack = gravity.length() * tolerance::EQUAL_VELOCITY_FRACTION;
        let (way, after) = match grip.brake(velocity, time, (MAX_PARTING_SPEED, slack)) {
            Braked::Held => (I64Vec2::ZERO, DVec2::ZERO),
            Braked::Starts { left } => (motion_to_units(along * left * (time * time / 2.0)), along * left * time),
            Braked::Slides { direction } => {
                let after = velocity + (along - direction * grip.braking) * time;
                (motion_to_units((velocity + after) * (time / 2.0)), after)
            }
            Braked::Stops { direction, distance } => (motion_to_units(direction * distance), DVec2::ZERO),
        };
        let is_slow = body.given.contact.friction > 0.0 && after.length() < body.given.contact.rest_speed;
        let after = if is_slow && grip.holds_at_rest(slack) { DVec2::ZERO } else { after };
        let way = subtract_push(way, self.platform_push_in_rest_of_tick(i));
        let (before, after) = (velocity + base_velocity, after + base_after);
        PlannedMotion { way: way + base_way, before, after, ground: None }
    }

    /// Returns the part of a platform's push that falls into the rest of the tick. The body's own motion must not
    /// make it again.
    fn platform_push_in_rest_of_tick(&self, i: BodyIndex) -> I64Vec2 {
        let body = self.body(i);
        if body.start.pushed == I64Vec2::ZERO {
            body.start.pushed
        } else {
            truncated_fraction_of(body.start.pushed, 1.0 - body.now.clock)
        }
    }

    /// Plans the motion of a character by its input.
    fn plan_character(&self, i: BodyIndex, base: Option<Support>, time: f64) -> (PlannedMotion, Option<TakeOff>) {
        let body = self.body(i);
        let frame = *self.upright_frame(i);
        let (up, right) = (frame.up(), frame.right());
        let state = self.state(i);
        let (before, after) = (body.now.velocity, body.now.velocity);
        let stays = PlannedMotion { way: I64Vec2::ZERO, before, after, ground: None };
        let Some(character) = &state.kind.character else { return (stays, None) };
        let is_lifted = body.given.gravity.dot(up) > 0.0;
        let exact = |base: &Support| base.surface.normal(body.now.position);
        let stands = base.filter(|base| !is_lifted && (base.body().is_some() || frame.is_floor(exact(base))));
        let carried = stands.map_or(body.now.frame, |base| base.motion.velocity);
        let ground = stands.map(|base| match (base.body(), body.now.ground) {
            (None, Some(speed)) => speed - base.motion.belt.speed,
            _ => (body.now.velocity - carried).dot(right),
        });
        // The floor under a character that asks to jump may rise so fast that the character no longer counts as
        // standing. It can still jump off that floor.
        let ground = ground.or_else(|| body.now.ground.filter(|_| body.now.asks_to_jump && !is_lifted));
        let terrain = base.filter(|base| ground.is_some() && base.body().is_none());
        let on_surface;
        let mut character = character;
        if terrain.is_some() && self.scene.has_materials() {
            let (shape, touched) = (body.given.shape, &body.lists.touched);
            on_surface = character.with_traction(self.scene_of(i).traction(shape, body.now.position, touched));
            character = &on_surface;
        }
        let slide = terrain.and_then(|base| self.find_slide(i, character, exact(&base)));
        let on_slope = terrain.map_or(1.0, |base| character.slope_factor(&frame, exact(&base), state.now.input));
        let acts = if body.given.is_in_area { self.acting.find_effects_on(body.given.id) } else { None };
        let controller = Controller::<false> {
            gravity: &body.given.gravity,
            speed_factor: body.given.speed_factor * on_slope,
            ground_wind: acts.map_or(0.0, |acting| acting.ground_wind),
            slide,
            touching: state.now.touching,
            is_driven: state.now.mode.has_velocity_set_by_ability(),
            hang_end: self.end_speed_of_apex_hang_of(i, character),
            ..Controller::new_on_open_ground(character, state.now.input, &frame, &state.kind.gravity, time)
        };
        // After an impact, the character no longer jumps off (`asks_to_jump`). But an ability that sets its velocity,
        // such as a dash (`is_driven`), goes on and still takes it off the ground.
        let leaves = body.now.asks_to_jump || controller.is_driven;
        match (controller.intent_on_carrier(carried, ground, body.now.velocity, leaves), stands) {
            (Intent::Walk { length, speed }, Some(base)) => {
                let tangent = if base.body().is_some() { right } else { exact::tangent(exact(&base)).as_dvec2() };
                let along = self.unit_vector_to_right(i, tangent);
                let (before, after) = (along * ground.unwrap_or_default(), along * speed);
                let way = subtract_push(motion_to_units(along * length), self.platform_push_in_rest_of_tick(i))
                    + base.motion.way;
                let (before, after) = (before + base.motion.velocity, after + base.motion.after);
                (PlannedMotion { way, before, after, ground: Some(speed) }, None)
            }
            (Intent::Fly { mut motion, mut velocity, take_off }, _) => {
                let jumps_on = body.now.take_off.map(|run| run.with_time_left(time));
                let mut take_off = take_off.or(jumps_on.filter(|_| ground.is_none()));
                (velocity, motion) = self.add_climb_to_jump(i, take_off.as_mut(), (velocity, motion));
                let taken = match stands {
                    None => body.now.frame,
                    // Keep the whole velocity of the platform for now. At the end of the tick, `frame_change` computes
                    // which part of it the jump inherits.
                    Some(base) if base.body().is_none() => carried,
                    Some(_) => character.platform_velocity.part_inherited_by_jump(carried, up),
                };
                // The displacement is relative to the ridden platform, which does not move in this part of the step.
                let way = subtract_push(motion, self.platform_push_in_rest_of_tick(i))
                    + motion_to_units((taken - body.now.frame) * time);
                let jumps = if ground.is_some() && !controller.is_driven {
                    velocity - body.given.gravity * time
                } else {
                    body.now.velocity - carried
                };
                (PlannedMotion { way, before: jumps + taken, after: velocity + taken, ground: None }, take_off)
            }
            (Intent::Walk { .. }, None) => (stays, None),
        }
    }

    /// Returns the end of a character's hang at the top of its jump: see [`end_speed_of_apex_hang`].
    #[inline]
    fn end_speed_of_apex_hang_of(&self, i: BodyIndex, character: &Character) -> Option<f64> {
        let (state, up) = (self.state(i), self.upright_frame(i).up());
        // The formula needs the whole tick, even if only a part of the tick is left after an impact.
        let times = (state.kind.gravity.dot(up).abs(), self.rules.settings.tick);
        end_speed_of_apex_hang((character, &state.now), state.timers().air_jumps, up, times)
    }

    /// Returns the slide of a character down the terrain of that normal, if its feet do not hold there.
    fn find_slide(&self, i: BodyIndex, character: &Character, normal: I64Vec2) -> Option<SlopeSlide> {
        let body = self.body(i);
        if !character.slides_on_slopes() {
            return None;
        }
        let friction = self.scene_of(i).friction_of_floors(body.given.shape, body.now.position, &body.lists.touched);
        SlopeSlide::find_slide_down_floor(character, &self.scene.frame, normal, (body.given.gravity, friction))
    }

    /// Returns the velocity and the displacement of a jump that clears the slopes that the character touches.
    fn add_climb_to_jump(&self, i: BodyIndex, run: Option<&mut TakeOff>, jump: (DVec2, I64Vec2)) -> (DVec2, I64Vec2) {
        let floors = self.normals_of_touched_floors(i).filter(|normal| exact::wide_dot(*normal, jump.1) <= 0);
        run.and_then(|run| run.add_climb_of_floors(self.upright_frame(i), floors, jump, 1.0)).unwrap_or(jump)
    }

    /// Returns the displacement of a body that is pushed by `made` along the slope under it. It consists of whole
    /// steps of the slope's tangent, and its sideways part is at most that of the push.
    fn course_of_pushed_body(&self, i: BodyIndex, direction: I64Vec2, made: i64) -> Option<Course> {
        let body = self.body(i);
        let normals = || body.lists.touched.iter().map(|surface| surface.normal(body.now.position));
        let courses = self.tangents_of_touched_slopes(i).map(|tangent| {
            let tangent = tangent * tangent.dot(direction).signum();
            Course::Along { tangent, steps: made.max(0) / tangent.dot(direction) }
        });
        let leads_into = |way: I64Vec2| normals().any(|normal| exact::wide_dot(normal, way) < 0);
        // If there are several slopes, take the one on which the body moves furthest.
        let far = |course: &Course| course.displacement().dot(direction);
        courses.filter(|course| !leads_into(course.displacement())).max_by_key(far)
    }

    /// Returns the normals of the floors of terrain that touch a body.
    pub(super) fn normals_of_touched_floors(&self, i: BodyIndex) -> impl Iterator<Item = I64Vec2> {
        let (body, frame) = (self.body(i), *self.upright_frame(i));
        let normals = body.lists.touched.iter().map(|surface| surface.normal(body.now.position));
        normals.filter(move |normal| frame.is_floor(*normal))
    }

    /// Returns the tangents of the straight slopes that touch a body.
    pub(super) fn tangents_of_touched_slopes(&self, i: BodyIndex) -> impl Iterator<Item = I64Vec2> {
        let (body, frame) = (self.body(i), *self.upright_frame(i));
        let flats = body.lists.touched.iter().filter(|surface| surface.is_flat());
        let normals = flats.map(|surface| surface.normal(body.now.position));
        normals.filter(move |n| frame.is_floor(*n) && n.x != 0 && n.y != 0).map(exact::tangent)
    }

    /// Ignores walls and ceilings that the body touches only within the tolerance of contacts, if the floor leads
    /// past them. Without this, a body could not enter a passage with a sloped ceiling that is exactly as high as the
    /// body.
    fn drop_passed_ceilings(&mut self, i: BodyIndex, displacement: I64Vec2) {
        let (body, frame) = (self.body(i), *self.upright_frame(i));
        let position = body.now.position;
        let displacement = body.impacts.pushed_by.map_or(displacement, |(_, direction)| direction);
        let across = displacement.dot(frame.right().as_i64vec2()).signum();
        let is_floor = |surface: &Surface| frame.is_floor(surface.normal(position));
        let is_against = |surface: &Surface| exact::wide_dot(surface.normal(position), displacement) < 0;
        let keeps_to_floor = body.now.ground.is_some() || body.impacts.pushed_by.is_some();
        if across == 0
            || !keeps_to_floor
            || !body.lists.touched.iter().any(|surface| !is_floor(surface) && is_against(surface))
        {
            return;
        }
        let passes = self.probe_terrain(i, |probe, body| {
            let mut is_free = |at: I64Vec2, displacement: I64Vec2| probe.cast(position + at, displacement).is_none();
            let floors = body.lists.touched.iter().filter(|surface| surface.is_flat() && is_floor(surface));
            let mut steps = floors.map(|floor| exact::tangent(floor.normal(position)) * across);
            if steps.any(|step| is_free(I64Vec2::ZERO, step * (TOUCH + 1))) {
                return true;
            }
            let crest = probe.find_crest(position, &body.lists.touched, across, TOUCH as f64);
            crest.is_some_and(|Crest { ways: [first, second], step }| {
                let mut is_free =
                    |at: I64Vec2, displacement: I64Vec2| probe.cast(position + at, displacement).is_none();
                let is_near = (first + second).abs().max_element() <= TOUCH;
                is_near && is_free(I64Vec2::ZERO, first) && is_free(first, second) && is_free(first + second, step)
            })
        });
        if passes {
            self.pairs.bodies[i as usize].lists.touched.retain(|surface| frame.is_floor(surface.normal(position)));
        }
    }

    /// Returns the part of a displacement that moves into no support.
    fn clamp_to_supports(&self, i: BodyIndex, supports: &Supports, mut displacement: I64Vec2) -> Course {
        let body = self.body(i);
        let position = body.now.position;
        if let Some((by, direction)) = body.impacts.pushed_by {
            let pusher = self.body(by);
            let made = direction.dot(pusher.end_position() - self.position_at(by, body.now.clock));
            if let Some(course) = self.course_of_pushed_body(i, direction, made) {
                return course;
            }
            displacement += direction * (made - direction.dot(displacement));
        }
        let clamped = |displacement: &mut I64Vec2| {
            for support in supports.iter().filter(|support| support.is_flat() && support.body().is_some()) {
                let normal = support.surface.normal(position);
                let into = normal.dot(*displacement - support.motion.way);
                if into < 0 {
                    *displacement -= normal * into;
                }
            }
        };
        // If the path of a character leads into the body that it pulls, try the path along the terrain first. That path
        // may be shorter, for example at the foot of a slope. Then it does not lead into the body.
        let leads_into = |displacement: I64Vec2| {
            let mut bodies = supports.iter().filter(|support| support.body().is_some());
            bodies.any(|support| support.moves_into_support(position, displacement))
        };
        if body.stage.pulls.is_some()
            && leads_into(displacement)
            && let Some(course) = course_along_surfaces(&body.lists.touched, position, displacement)
            && !leads_into(course.displacement())
        {
            return course;
        }
        let wished = displacement;
        // A walker on a slope stops before the side of a body that blocks it. It must not be pushed up along that
        // side.
        let stops = |support: &Support| {
            let normal = support.surface.normal(position);
            support.is_flat()
                && support.body().is_some()
                && normal.dot(support.motion.way) >= 0
                && normal.dot(wished) < 0
        };
        let walks_up = body.now.ground.is_some() && !body.now.asks_to_jump && displacement.dot(self.up_axis(i)) > 0;
        let is_on_slope = || self.normals_of_touched_floors(i).next().is_some();
        let is_side = |support: &&Support| support.surface.normal(position).dot(self.up_axis(i)) == 0;
        if walks_up && is_on_slope() && supports.iter().filter(is_side).any(stops) {
            return Course::Free(I64Vec2::ZERO);
        }
        clamped(&mut displacement);
        let is_round_body = |support: &&Support| !support.is_flat() && support.body().is_some();
        for support in supports.iter().filter(is_round_body) {
            if support.moves_into_support(position, displacement) {
                let of = support.motion.way;
                displacement = displacement_along_arc(support.surface.normal(position), displacement - of) + of;
            }
        }
        let is_round = supports.iter().any(|support| is_round_body(&support));
        if is_round && !self.moves_into_no_support(i, supports, displacement) {
            let off = velocity_clear_of_limits(
                wished.as_dvec2(),
                supports.iter().map(|support| (support.normal, support.motion.way.as_dvec2())),
            );
            displacement = self.round_clear_of_supports(i, supports, off).unwrap_or(displacement);
        }
        let course = course_along_surfaces(&body.lists.touched, position, displacement);
        let Some(course) = course else { return Course::Free(I64Vec2::ZERO) };
        let made = course.displacement();
        if made == displacement {
            return course;
        }
        // Terrain has changed the displacement, so check it against the bodies again. If a body beside this one moves
        // towards it, and terrain stops this one from moving away, the two collide at the next impact. This does not
        // forbid the course: for example, this body may go on falling between the other body and a wall. A body at the
        // side forbids the course only if the course would lead into it even while that body stays in place.
        let is_clear = |support: &Support| {
            let normal = support.surface.normal(position);
            normal.dot(made - support.motion.way) >= 0 || (is_side(&support) && normal.dot(made) >= 0)
        };
        let mut flat_bodies = supports.iter().filter(|support| support.is_flat() && support.body().is_some());
        if flat_bodies.all(is_clear) { course } else { Course::Free(I64Vec2::ZERO) }
    }

    /// Returns whether a displacement moves into no support, and moves out of those that overlap by rounding.
    fn moves_into_no_support(&self, i: BodyIndex, supports: &Supports, displacement: I64Vec2) -> bool {
        let body = self.body(i);
        let position = body.now.position;
        supports.iter().all(|support| {
            let overlaps = |j: BodyIndex| {
                let (other, offset) = (self.body(j), position - self.position_at(j, body.now.clock));
                body.overlaps(other, offset) && body.overlaps(other, offset + displacement - support.motion.way)
            };
            // A support that keeps a gap cannot overlap the body, so it needs no test.
            !support.moves_into_support(position, displacement)
                && !support.body().filter(|_| support.gap == 0.0).is_some_and(overlaps)
        })
    }

    /// Returns a displacement rounded to whole units that moves into no support. `None` if no rounding does.
    fn round_clear_of_supports(&self, i: BodyIndex, supports: &Supports, displacement: DVec2) -> Option<I64Vec2> {
        let rounded = displacement.round().as_i64vec2();
        let out: DVec2 = supports.iter().map(|support| support.normal).sum();
        let mut tries = (0..=MAX_GAP_UNITS).map(|units| rounded + (out * units as f64).round().as_i64vec2());
        tries.find(|displacement| self.moves_into_no_support(i, supports, *displacement))
    }
}

/// Returns the velocity at the end of the tick, without the parts that move into supports. If bodies press the body
/// against terrain, it stops there. Its velocity is then not theirs; the next impact changes theirs.
fn velocity_clear_of_supports(after: DVec2, supports: &Supports) -> DVec2 {
    let after = velocity_clear_of_limits(after, supports.iter().map(|support| (support.normal, support.motion.after)));
    velocity_clear_of_limits(after, normals_and_velocities_of_terrain(supports))
}

/// Returns the normals and velocities of the supports that are terrain.
fn normals_and_velocities_of_terrain(supports: &Supports) -> impl Iterator<Item = (DVec2, DVec2)> + Clone {
    let terrain = supports.iter().filter(|support| support.body().is_none());
    terrain.map(|support| (support.normal, support.motion.after))
}

/// Returns the velocity nearest to `velocity` that moves into no support. In most cases it is `velocity` itself.
fn velocity_clear_of_limits(velocity: DVec2, limits: impl Iterator<Item = (DVec2, DVec2)> + Clone) -> DVec2 {
    let leads_into = |(normal, of): (DVec2, DVec2)| points_into(normal, velocity - of);
    if limits.clone().any(leads_into) {
        project_out_of_surfaces(velocity, &limits.collect::<Limits>(), 0.0)
    } else {
        velocity
    }
}

/// Removes the contacts with corners that do not stand out of a flat side: the tops of bodies side by side count as
/// one floor.
fn drop_inner_corners(supports: &mut Supports, position: Position, radius: i64) {
    let flats: SmallVec<[I64Vec2; 4]> =
        supports.iter().filter(|support| support.is_flat()).map(|flat| flat.surface.normal(position)).collect();
    supports.retain(|support| {
        let exact = support.surface.normal(position);
        let is_corner = !support.is_flat() && exact.abs().max_element() <= radius + TOUCH;
        !is_corner || flats.iter().all(|flat| flat.dot(exact) < radius - TOUCH)
    });
}
