//! Dynamic bodies, which have no character: they fall, slide, bounce and come to rest. The step runs this code for
//! each body that collides with no other body in this tick.
//!
//! The surfaces that stopped a body are among its contacts. All impacts at one position count as one.

use crate::belt_ride::Ride;
use crate::body::Response;
use crate::bounce::{Barrier, Bounce};
use crate::motion::tolerance;
use crate::motion::{
    Belt, Braked, Grip, Impact, Part, Probe, Scene, Shape, Slide, SlideResult, Surface, Surfaces, Trace,
};
use crate::motion::{Untraced, motion_to_units, points_into, project_velocity, reduce_speed_on_belt};
use crate::movement::{Movement, remove_blocked_velocity, subtract_push};
use glam::{DVec2, I64Vec2};
use surefoot_geometry::{Position, to_lengths};

/// One tick of a dynamic body.
pub(crate) struct DynamicStep<'a, 'p> {
    pub(crate) probe: &'a mut Probe<'p>,
    pub(crate) response: Response,
    pub(crate) friction: f64,
    pub(crate) rest_speed: f64,
    /// Acceleration by gravity in tiles per second squared, including the body's gravity scale.
    pub(crate) gravity: DVec2,
    /// Tick length in seconds.
    pub(crate) tick: f64,
    /// Displacement of the body by platforms in this tick, in units.
    pub(crate) pushed: I64Vec2,
}

/// The next part of a body's own motion.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MotionPart {
    /// Move straight through everything.
    Pass(I64Vec2),
    /// Fly to the first surface.
    Stop(Slide),
    /// Slide.
    Slide(Sliding),
    /// Move along with a belt.
    Ride(Ride),
    /// Bounce.
    Bounce(Bouncing),
    /// No motion is left.
    Done,
}

/// A fall or slide in which friction brakes the body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sliding {
    /// Start of the slide, as a fraction of the tick.
    begin: f64,
    slide: Slide,
    /// Whether the body was at rest.
    rested: bool,
    end: SlideOutcome,
    /// The belt on which friction brings the body to rest.
    belt: Belt,
    last: Option<ImpactGroup>,
    start: SlideStart,
    /// Bounces of the tick so far, if the body bounces off walls.
    bouncing: Option<Bouncing>,
}

/// State of the body at the start of a slide.
#[derive(Clone, Copy, Debug)]
struct SlideStart {
    position: Position,
    velocity: DVec2,
    /// Acceleration of the body until it stops, in tiles per second squared.
    acceleration: DVec2,
    /// Time left of the tick, in seconds.
    left: f64,
}

impl Sliding {
    /// Starts a slide for the rest of a displacement on a belt whose floor has ended.
    pub(crate) fn new_after_belt_end(begin: f64, from: Position, motion: I64Vec2) -> Sliding {
        let start = SlideStart { position: from, velocity: DVec2::ZERO, acceleration: DVec2::ZERO, left: 0.0 };
        let (end, belt, slide) = (SlideOutcome::Moves, Belt::NONE, Slide::new(from, motion));
        Sliding { begin, slide, rested: false, end, belt, last: None, start, bouncing: None }
    }
}

impl SlideStart {
    /// Returns when a sliding body arrives at `at`, in seconds within the time left, and its speed in `direction`
    /// then.
    ///
    /// Computes both from the distance, as [`Fall::time_to_impact`] does, so that the body's energy depends only on
    /// its position. `toi` is the fraction of the displacement.
    fn arrival_time_and_speed(&self, direction: DVec2, at: Position, toi: f64) -> (f64, f64) {
        let (speed, acceleration) = (direction.dot(self.velocity), direction.dot(self.acceleration));
        let (distance, left) = (direction.dot(to_lengths(at - self.position)), self.left);
        let then = (speed * speed + 2.0 * acceleration * distance).max(0.0).sqrt();
        let time = if speed >= 0.0 { 2.0 * distance / (speed + then) } else { (then - speed) / acceleration };
        (if time.is_finite() { time.clamp(0.0, left) } else { left * toi }, then)
    }
}

/// Bounces of a body in one tick so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bouncing {
    factor: f64,
    /// Time left of the tick at the last bounce, in seconds.
    left: f64,
    /// Position of the body at the start of the tick.
    from: Position,
    bounces: u32,
    /// Whether the body has not moved during all of its bounces.
    squeezed: bool,
    /// Whether the last bounce was off a wall, along a floor.
    keeps_floor: bool,
}

impl Bouncing {
    pub(crate) fn new(factor: f64, left: f64, from: Position) -> Bouncing {
        Bouncing { factor, left, from, bounces: 0, squeezed: true, keeps_floor: false }
    }

    /// Counts a bounce at a position. `left`: seconds of the tick after the bounce.
    pub(crate) fn count_bounce(&mut self, at: Position, left: f64, keeps_floor: bool) {
        self.left = left;
        self.squeezed &= is_within_move_back_distance(self.from, at);
        self.bounces += 1;
        self.keeps_floor = keeps_floor;
    }
}

impl DynamicStep<'_, '_> {
    /// Moves the body by one tick.
    #[inline(always)]
    pub(crate) fn move_body<T: Trace>(&mut self, movement: &mut Movement<'_>, trace: T) {
        let part = self.find_first_part_of_tick(movement);
        if T::RECORDS {
            return self.run_remaining_parts(part, movement, trace);
        }
        match part {
            MotionPart::Pass(motion) => self.move_through_everything(motion, movement, Untraced),
            MotionPart::Stop(slide) => self.stop_at_first_hit(slide, movement, Untraced),
            MotionPart::Slide(mut sliding) => {
                self.continue_slide(&mut sliding, movement, Untraced);
            }
            MotionPart::Bounce(mut bouncing) => {
                if let Some(time) = self.continue_bouncing(&mut bouncing, movement, Untraced) {
                    self.slide_for_time(movement, time, bouncing);
                }
            }
            MotionPart::Ride(ride) => {
                let next = self.continue_ride(ride, movement, Untraced);
                self.run_remaining_parts(next, movement, Untraced);
            }
            MotionPart::Done => {}
        }
    }

    #[inline(never)]
    fn slide_for_time(&mut self, movement: &mut Movement<'_>, time: f64, bouncing: Bouncing) {
        let part = self.start_slide(movement, time, Some(bouncing));
        self.run_remaining_parts(part, movement, Untraced);
    }

    /// Returns the first part of the body's motion in a tick.
    #[inline(always)]
    pub(crate) fn find_first_part_of_tick(&mut self, movement: &mut Movement<'_>) -> MotionPart {
        if self.probe.scene.has_belts()
            && self.response != Response::Pass
            && let Some(ride) = self.find_belt_ride(movement)
        {
            return MotionPart::Ride(ride);
        }
        match self.response {
            Response::Pass | Response::Stop => {
                let displacement_after_push = self.displacement_after_push(movement.velocity, self.gravity, self.tick);
                movement.velocity += self.gravity * self.tick;
                let passes = self.response == Response::Pass;
                if passes {
                    MotionPart::Pass(displacement_after_push)
                } else {
                    MotionPart::Stop(Slide::new(movement.position, displacement_after_push))
                }
            }
            Response::Slide if self.probe.scene.has_bouncy_materials() => self.start_bouncing(0.0, movement),
            Response::Slide => self.start_slide(movement, self.tick, None),
            Response::Bounce(factor) => self.start_bouncing(factor, movement),
        }
    }

    #[inline(always)]
    fn start_bouncing(&mut self, bounce_factor: f64, movement: &Movement<'_>) -> MotionPart {
        self.probe.clear_bounced_surfaces();
        MotionPart::Bounce(Bouncing::new(bounce_factor, self.tick, movement.position))
    }

    /// Runs the parts of the body's motion, to the end of the tick.
    #[inline(always)]
    pub(crate) fn run_remaining_parts<T: Trace>(&mut self, mut way: MotionPart, movement: &mut Movement<'_>, trace: T) {
        loop {
            way = match way {
                MotionPart::Pass(motion) => return self.move_through_everything(motion, movement, trace),
                MotionPart::Stop(slide) => return self.stop_at_first_hit(slide, movement, trace),
                MotionPart::Slide(mut sliding) => match self.continue_slide(&mut sliding, movement, trace) {
                    Some(bouncing) => MotionPart::Bounce(bouncing),
                    None => return,
                },
                MotionPart::Bounce(mut bouncing) => match self.continue_bouncing(&mut bouncing, movement, trace) {
                    Some(time) => self.start_slide(movement, time, Some(bouncing)),
                    None => return,
                },
                MotionPart::Ride(ride) => self.continue_ride(ride, movement, trace),
                MotionPart::Done => return,
            };
        }
    }

    fn move_through_everything<T: Trace>(&mut self, motion: I64Vec2, movement: &mut Movement<'_>, trace: T) {
        trace.record(movement.position, motion, || (0.0, 1.0));
        movement.position = movement.position + motion;
        movement.path.push(movement.position);
        movement.touch.start_refresh().clear();
    }

    fn stop_at_first_hit<T: Trace>(&mut self, slide: Slide, movement: &mut Movement<'_>, trace: T) {
        let (hits, velocity) = (&mut movement.hits, &mut movement.velocity);
        let scene = self.probe.scene;
        let slid = self.probe.run_slide(slide, movement.path, trace, |impact, _| {
            hits.record_all_hits(impact, *velocity);
            // The body stops relative to the surfaces that it hits.
            *velocity = scene.around.combined_velocity(impact.struck.iter().map(|surface| surface.owner));
            I64Vec2::ZERO
        });
        movement.position = slid.position;
        self.probe.find_touching_and_stopping(slid, movement.touch.start_refresh());
    }

    /// Starts a fall or slide for a time, with friction on the surfaces touched at the start and on the surfaces hit.
    fn start_slide(&mut self, movement: &mut Movement<'_>, time: f64, bouncing: Option<Bouncing>) -> MotionPart {
        let Forces { acceleration, slowing, end, belt } = self.find_forces(movement, time);
        if end == SlideOutcome::Rests {
            stop_and_drop_untouched_hits(movement);
            return MotionPart::Done;
        }
        let rested = movement.velocity == DVec2::ZERO;
        let (from, velocity) = (movement.position, movement.velocity);
        let motion = self.displacement_after_push(velocity, acceleration, time);
        movement.velocity += acceleration * time;
        let (begin, slide) = (1.0 - time / self.tick, Slide::new(from, motion));
        let start = SlideStart { position: from, velocity, acceleration: slowing.unwrap_or(acceleration), left: time };
        MotionPart::Slide(Sliding { begin, slide, rested, end, belt, last: None, start, bouncing })
    }

    /// Slides to a wall off which the body bounces, or to the end of the tick. Returns the bounces if the tick
    /// continues with a bounce.
    fn continue_slide<T: Trace>(
        &mut self,
        sliding: &mut Sliding,
        movement: &mut Movement<'_>,
        trace: T,
    ) -> Option<Bouncing> {
        let Sliding { begin, slide, last, start, bouncing, .. } = &mut *sliding;
        let scene = self.probe.scene;
        let (hits, velocity) = (&mut movement.hits, &mut movement.velocity);
        let (friction, shape) = (self.friction, self.probe.shape);
        let walls = WallBouncer { start: *start, friction, rest: self.rest_speed, gravity: self.gravity };
        let mut thrown = None;
        let slid = self.probe.run_slide(*slide, movement.path, trace.starting_at(*begin), |impact, rest| {
            if let Some(bouncing) = bouncing {
                // The maximum number of bounces holds only near the position where the tick began. A body that has
                // slid away from there may bounce again.
                let may_bounce = bouncing.bounces < tolerance::MAX_BOUNCES
                    || !is_within_move_back_distance(bouncing.from, impact.position);
                if may_bounce
                    && let Some(back) = walls.bounce_velocity_of_slide(scene, shape, impact, *velocity, bouncing.factor)
                {
                    hits.record_all_hits(impact, back.before);
                    thrown = Some(back);
                    return I64Vec2::ZERO;
                }
                if bouncing.keeps_floor && impact.position == start.position {
                    // At the start position, the body only touches the floor on which it slid before the bounce. So the
                    // slide continues along that floor, and the floor is not reported as a hit.
                    remove_blocked_velocity(scene, impact, velocity);
                    return rest;
                }
            }
            hits.record_all_hits(impact, *velocity);
            // Resolve all impacts at one position from the same velocity. If each began with the result of the one
            // before, the first impact could leave a velocity into a surface that later impacts do not remove.
            let new = impact.struck.iter().any(|surface| !hits.was_touched(surface));
            let group = match *last {
                Some(last) if is_within_move_back_distance(last.position, impact.position) => {
                    ImpactGroup { new: last.new || new, ..last }
                }
                _ => ImpactGroup { position: impact.position, velocity: *velocity, new },
            };
            *velocity = group.velocity;
            let lost = remove_blocked_velocity(scene, impact, velocity);
            if group.new {
                let factor = friction * scene.friction(shape, impact.position, impact.struck);
                let carried = scene.nearest_belt(shape, impact.position, impact.struck).velocity();
                *velocity = reduce_speed_on_belt(carried, *velocity, factor * lost);
            }
            *last = Some(group);
            rest
        });
        movement.position = slid.position;
        if let (Some(back), Some(bouncing)) = (thrown, &mut *bouncing) {
            movement.velocity = back.after;
            bouncing.count_bounce(slid.position, back.left, true);
            self.probe.record_hits_as_bounced();
            self.probe.find_touching(slid.position, movement.touch.start_refresh());
            return Some(*bouncing);
        }
        self.end_slide(sliding, slid, movement);
        None
    }

    /// Finds the contacts at the end of a slide, and the velocity with which the body stays or moves on.
    #[inline(always)]
    fn end_slide(&mut self, sliding: &Sliding, slid: SlideResult, movement: &mut Movement<'_>) {
        let (scene, shape, from) = (self.probe.scene, self.probe.shape, sliding.slide.start());
        if sliding.rested && slid.stopped && movement.position == from {
            // In every tick, a wedged body moves by a few units and hits the surfaces that it touches. Do not report
            // these surfaces as new hits.
            movement.hits.list.clear();
        }
        if slid.halted {
            self.probe.find_touching_and_stopping(slid, movement.touch.start_refresh());
        } else {
            self.probe.find_touching_at_end(slid, movement.touch.start_refresh());
        }
        if movement.position == from {
            // A motion of less than a unit hits nothing. Gravity would then accelerate the body in every tick without
            // moving it. So remove the velocity into the touched surfaces. Exception: a platform that pushes a bouncy
            // body throws the body.
            let (own, bounces) = (movement.velocity, sliding.bouncing.is_some_and(|bouncing| bouncing.factor > 0.0));
            if bounces && scene.around.has_platforms() {
                let comes =
                    |surface: &Surface| surface.normal(from).as_dvec2().dot(scene.around.velocity(surface.owner)) > 0.0;
                let rest: Surfaces =
                    movement.touch.surfaces().iter().filter(|surface| !comes(surface)).copied().collect();
                movement.velocity = scene.clip_velocity(&rest, from, own);
            } else {
                movement.velocity = scene.clip_velocity(movement.touch.surfaces(), from, own);
            }
        }
        let (position, gravity) = (movement.position, self.gravity);
        let under = scene.belt_of_pressed_surfaces(shape, position, movement.touch.surfaces(), gravity);
        let slow = self.friction > 0.0 && (movement.velocity - under.velocity()).length() < self.rest_speed;
        if slid.stopped {
            movement.velocity = DVec2::ZERO;
        } else if sliding.end == SlideOutcome::Stops {
            // The body has come to rest on a belt, so it gets the velocity of the belt. The direction is that of the
            // floor that the body touches now.
            let belt = sliding.belt;
            let direction = if under.direction == DVec2::ZERO { belt.direction } else { under.direction };
            movement.velocity = scene.clip_velocity(movement.touch.surfaces(), position, direction * belt.speed);
        } else if slow && self.is_held_by_friction(position, movement.touch.surfaces()) {
            movement.velocity = scene.clip_velocity(movement.touch.surfaces(), position, under.velocity());
        }
        if movement.velocity == DVec2::ZERO {
            stop_and_drop_untouched_hits(movement);
        }
    }

    /// Returns the forces at the start of a tick: gravity, and friction on the surfaces into which gravity presses the
    /// body.
    fn find_forces(&mut self, movement: &Movement<'_>, time: f64) -> Forces {
        let free = Forces { acceleration: self.gravity, slowing: None, end: SlideOutcome::Moves, belt: Belt::NONE };
        if self.friction == 0.0 || movement.touch.surfaces().is_empty() {
            return free;
        }
        let (scene, shape) = (self.probe.scene, self.probe.shape);
        let pressed = self.probe.find_pressed_surfaces(
            movement.touch.surfaces(),
            movement.position,
            self.gravity,
            movement.velocity,
        );
        if pressed.is_empty() {
            return free;
        }
        let friction = self.friction * scene.friction(shape, movement.position, pressed);
        if friction == 0.0 {
            return free;
        }
        let grip = Grip::new(self.gravity, project_velocity(pressed, movement.position, self.gravity), friction);
        let belt = scene.nearest_belt(shape, movement.position, pressed);
        let velocity = scene.clip_velocity(pressed, movement.position, movement.velocity) - belt.velocity();
        match grip.brake(velocity, time, (0.0, 0.0)) {
            Braked::Held => {
                let end = if belt.speed == 0.0 { SlideOutcome::Rests } else { SlideOutcome::Moves };
                Forces { acceleration: DVec2::ZERO, end, belt, ..free }
            }
            // Friction scales the acceleration and keeps the direction of gravity. So the body moves along the same
            // path as without friction, also in a corner between surfaces.
            Braked::Starts { left } => Forces { acceleration: self.gravity * left, belt, ..free },
            Braked::Slides { direction } => {
                Forces { acceleration: self.gravity - direction * grip.braking, belt, ..free }
            }
            // The body stops within the time. Choose the constant acceleration that covers the braking distance in
            // exactly this time. The speed that remains at the end has no meaning, so `SlideOutcome::Stops` drops the
            // speed.
            Braked::Stops { direction, distance } => {
                let braked = direction * (2.0 * (distance - velocity.length() * time) / (time * time));
                let slowing = Some(self.gravity - direction * grip.braking);
                Forces { acceleration: self.gravity - grip.along + braked, slowing, end: SlideOutcome::Stops, belt }
            }
        }
    }

    /// Returns whether friction holds the body on the surfaces that it touches.
    fn is_held_by_friction(&self, position: Position, touched: &[Surface]) -> bool {
        let factor = self.probe.scene.friction_under(self.probe.shape, position, touched, self.gravity);
        let grip = Grip::new(self.gravity, project_velocity(touched, position, self.gravity), self.friction * factor);
        grip.braking > 0.0 && grip.holds_at_rest(0.0)
    }

    /// Bounces until the tick is over. Each impact uses the velocity at its moment.
    ///
    /// After the maximum number of bounces, the rest of the tick is dropped and the velocity stays. A body that has not
    /// moved during all bounces is squeezed between surfaces. It loses its velocity into all of them and slides on.
    ///
    /// Returns the time to slide on, in seconds, if there is any.
    #[inline(always)]
    fn continue_bouncing<T: Trace>(
        &mut self,
        bouncing: &mut Bouncing,
        movement: &mut Movement<'_>,
        trace: T,
    ) -> Option<f64> {
        while bouncing.bounces < tolerance::MAX_BOUNCES {
            let left = bouncing.left;
            let motion = self.displacement_after_push(movement.velocity, self.gravity, left);
            if !T::RECORDS && self.probe.test_if_surely_clear(movement.position, motion) {
                movement.move_by_and_add_to_path(motion);
                movement.velocity += self.gravity * left;
                movement.touch.start_refresh().clear();
                return None;
            }
            match self.fly_to_next_bounce(bouncing, motion, movement, trace) {
                Bounced::Again => {}
                Bounced::Slides => return Some(left),
                Bounced::Done => return None,
            }
        }
        if bouncing.squeezed {
            movement.velocity =
                self.probe.scene.clip_velocity(self.probe.surfaces_bounced_off(), movement.position, movement.velocity);
            return Some(bouncing.left);
        }
        None
    }

    /// Flies to the next bounce, or to the end of the tick.
    #[inline(never)]
    fn fly_to_next_bounce<T: Trace>(
        &mut self,
        bouncing: &mut Bouncing,
        motion: I64Vec2,
        movement: &mut Movement<'_>,
        trace: T,
    ) -> Bounced {
        let (start, left) = (movement.position, bouncing.left);
        let over = |time: f64| 1.0 - (left - time) / self.tick;
        let Part { displacement: part, toi } = self.probe.find_part_to_impact(start, motion);
        let Some(toi) = toi else {
            trace.record(start, part, || (over(0.0), 1.0));
            movement.move_by_and_add_to_path(part);
            movement.velocity += self.gravity * left;
            self.probe.find_touching(movement.position, movement.touch.start_refresh());
            return Bounced::Done;
        };
        let position = start + part;
        let mut touched = Surfaces::new();
        self.probe.find_touching(position, &mut touched);
        let fall = Fall { velocity: movement.velocity, gravity: self.gravity };
        let (scene, shape) = (self.probe.scene, self.probe.shape);
        let impact = self.probe.last_impact(toi, position);
        let time = fall.time_to_impact(&impact, start, left);
        let at_impact = fall.velocity + fall.gravity * time;
        let bounce = Bounce::new(bouncing.factor, self.friction, self.rest_speed);
        let bounce = bounce.with_materials(scene, shape, position, impact.struck);
        let has_others = impact.struck.len() > 1 || *impact.struck != touched[..];
        let bounces = (bounce.factor > 0.0 || self.response != Response::Slide)
            && !(has_others && self.stays_on_floor(&impact, at_impact, &touched));
        let thrown = if bounces { bounce_velocity(&bounce, scene, &impact, at_impact) } else { None };
        let Some(thrown) = thrown else {
            // The body does not bounce, for example because it is too slow or stays on a floor. The caller lets it
            // slide instead, from `start` and for all of the time `left`.
            return Bounced::Slides;
        };
        trace.record(start, part, || (over(0.0), over(time)));
        movement.move_by_and_add_to_path(part);
        movement.hits.record_all_hits(&self.probe.last_impact(toi, position), at_impact);
        movement.velocity = thrown;
        bouncing.count_bounce(movement.position, left - time, false);
        self.probe.record_hits_as_bounced();
        let after = movement.touch.start_refresh();
        after.clear();
        after.extend_from_slice(&touched);
        Bounced::Again
    }

    /// Returns whether a body stays on a floor at an impact with that velocity. The body then slides along the floor
    /// and bounces off walls only. Without gravity, no body stays on a floor.
    fn stays_on_floor(&self, impact: &Impact<'_>, velocity: DVec2, touched: &[Surface]) -> bool {
        let (scene, position) = (self.probe.scene, impact.position);
        if self.gravity == DVec2::ZERO {
            return false;
        }
        let mut all: Surfaces = impact.struck.iter().copied().collect();
        all.extend(touched.iter().filter(|surface| !impact.struck.contains(surface)).copied());
        let motions = (velocity, self.gravity);
        Barrier::find_barrier(scene, position, (impact.struck, &all), motions, self.rest_speed).is_some()
    }

    fn displacement_after_push(&self, velocity: DVec2, acceleration: DVec2, time: f64) -> I64Vec2 {
        subtract_push(free_flight(velocity, acceleration, time).0, self.pushed)
    }
}

/// Returns the displacement of a body that touches nothing in a time without impacts, and the velocity after it.
#[inline(always)]
pub(crate) fn free_flight(velocity: DVec2, acceleration: DVec2, time: f64) -> (I64Vec2, DVec2) {
    let after = velocity + acceleration * time;
    (motion_to_units((velocity + after) * (time / 2.0)), after)
}

/// An accelerated motion.
#[derive(Clone, Copy)]
struct Fall {
    velocity: DVec2,
    gravity: DVec2,
}

impl Fall {
    /// Returns when a body that was at `start` hits a surface, in seconds within the time left.
    ///
    /// The body accelerates, so the time differs from the fraction of the displacement. The distance s to the surface
    /// along the normal is v t + a t^2 / 2. With the time of s, the energy of a bouncing body does not depend on the
    /// tick length.
    fn time_to_impact(&self, impact: &Impact<'_>, start: Position, left: f64) -> f64 {
        let displacement = to_lengths(impact.position - start);
        let times = impact.struck.iter().map(|surface| {
            let inwards = -surface.normal(impact.position).as_dvec2().normalize_or_zero();
            let (speed, acceleration) = (inwards.dot(self.velocity), inwards.dot(self.gravity));
            let distance = inwards.dot(displacement);
            let root = (speed * speed + 2.0 * acceleration * distance).max(0.0).sqrt();
            // The quadratic equation has two equivalent forms of the solution. The sign of `speed` decides which of
            // them does not subtract nearly equal numbers. If `speed` is negative, the body first moves away and then
            // comes back.
            if speed >= 0.0 { 2.0 * distance / (speed + root) } else { (root - speed) / acceleration }
        });
        // Among several surfaces, the earliest in time counts.
        let time = times.fold(f64::INFINITY, f64::min);
        if time.is_finite() { time.clamp(0.0, left) } else { left * impact.toi }
    }
}

/// Returns the velocity after a bounce off the surfaces of an impact. `None` if the body does not move towards them, or
/// too slowly. It then slides.
fn bounce_velocity(bounce: &Bounce, scene: &Scene<'_>, impact: &Impact<'_>, velocity: DVec2) -> Option<DVec2> {
    if !scene.around.has_platforms() || !scene.around.may_any_surface_move(impact.struck) {
        return bounce_velocity_off_unmoving(bounce, impact, velocity);
    }
    let of = |surface: &Surface| scene.around.velocity(surface.owner);
    let first = impact.struck.first().map(of)?;
    // If the surfaces move at different velocities, the body slides.
    if impact.struck.iter().any(|surface| of(surface) != first) {
        return None;
    }
    bounce_velocity_off_unmoving(bounce, impact, velocity - first).map(|thrown| thrown + first)
}

fn bounce_velocity_off_unmoving(bounce: &Bounce, impact: &Impact<'_>, velocity: DVec2) -> Option<DVec2> {
    let mut normals = impact.struck.iter().map(|s| s.normal(impact.position).as_dvec2());
    let normal = normals.next()?;
    // In a corner between two surfaces, the body goes back the way it came. A body that also collides with other bodies
    // slides there instead: see `velocity_after_bounce_or_slide`.
    if normals.any(|other| other.perp_dot(normal) != 0.0) {
        return (velocity.length() > bounce.rest).then_some(velocity * -bounce.factor);
    }
    let approach = -normal.dot(velocity) / normal.length();
    bounce.bounce_velocity(velocity, approach, normal * (normal.dot(velocity) / normal.length_squared()))
}

/// Result of a flight to the next bounce.
enum Bounced {
    /// The body has bounced.
    Again,
    /// The body would hit something but not bounce, so it slides from the start of this flight.
    Slides,
    /// The tick is over.
    Done,
}

/// Bounces a body off walls while it slides along a floor.
struct WallBouncer {
    start: SlideStart,
    friction: f64,
    rest: f64,
    gravity: DVec2,
}

/// A bounce of a body off a wall, while the body stays on its floor.
struct WallBounce {
    /// Velocity before and after the bounce.
    before: DVec2,
    after: DVec2,
    /// Time left of the tick, in seconds.
    left: f64,
}

impl WallBouncer {
    /// Returns the bounce of a sliding body at an impact. `velocity` is the velocity at the end of its slide. `None` if
    /// it does not bounce.
    fn bounce_velocity_of_slide(
        &self,
        scene: &Scene<'_>,
        shape: Shape,
        impact: &Impact<'_>,
        velocity: DVec2,
        own_bounce_factor: f64,
    ) -> Option<WallBounce> {
        let (position, struck) = (impact.position, impact.struck);
        let is_floor = |surface: &Surface| scene.frame.is_floor(surface.normal(position));
        if (impact.held.len() == 1 && is_floor(&struck[0]))
            || (own_bounce_factor == 0.0 && !scene.has_bouncy_materials())
        {
            return None;
        }
        let mut touched: Surfaces = impact.held.iter().copied().collect();
        scene.add_touched_surfaces(shape, position, &mut touched);
        // If the velocity at the start of the slide does not point into the hit surfaces, use the velocity at its
        // end: the body may have turned around or stopped by friction while sliding.
        let leads_into = |surface: &Surface| points_into(surface.normal(position).as_dvec2(), self.start.velocity);
        let comes = if struck.iter().any(leads_into) { self.start.velocity } else { velocity };
        let motions = (comes, self.gravity);
        let found = Barrier::find_barrier(scene, position, (struck, &touched), motions, f64::INFINITY)?;
        let Barrier::Wall(wall) = found else { return None };
        let (time, speed) = self.start.arrival_time_and_speed(wall.direction, position, impact.toi);
        let speed = speed - wall.direction.dot(wall.floor);
        let friction = self.friction * scene.friction(shape, position, &wall.surfaces);
        let after = wall.velocity_after_wall_bounce(
            scene,
            (shape, position),
            speed,
            &Bounce::new(own_bounce_factor, friction, self.rest),
        )?;
        let before = wall.floor + wall.direction * speed;
        Some(WallBounce { before, after, left: self.start.left - time })
    }
}

/// Forces on a body in a tick.
struct Forces {
    /// Acceleration in tiles per second squared.
    acceleration: DVec2,
    /// Acceleration until the body stops, if it stops within the tick.
    slowing: Option<DVec2>,
    end: SlideOutcome,
    belt: Belt,
}

/// Effect of friction on the motion in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SlideOutcome {
    /// The body continues to move.
    Moves,
    /// The body stops.
    Stops,
    /// The body does not move at all.
    Rests,
}

/// The impacts of a slide at one position.
#[derive(Clone, Copy, Debug)]
struct ImpactGroup {
    /// Position of the first of these impacts.
    position: Position,
    /// Velocity before the first of these impacts, in tiles per second.
    velocity: DVec2,
    /// Whether a hit surface was not touched at the start of the tick.
    new: bool,
}

/// Sets the velocity to zero and drops the hits on surfaces that the body does not touch now.
fn stop_and_drop_untouched_hits(movement: &mut Movement<'_>) {
    movement.velocity = DVec2::ZERO;
    movement.hits.drop_untouched_hits(movement.position, movement.touch.surfaces());
}

/// Returns whether two positions are so near that a body stopped at one of them may be moved back to the other.
fn is_within_move_back_distance(first: Position, second: Position) -> bool {
    (second - first).abs().max_element() <= tolerance::MAX_SETTLE_UNITS
}
