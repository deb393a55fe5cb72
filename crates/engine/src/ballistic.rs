//! Dynamic bodies: they fall, slide, bounce and come to rest.
//!
//! What stopped a body is among its contacts, and all impacts at one place count as one.

use crate::belt_ride::Ride;
use crate::body::Response;
use crate::motion::tolerance;
use crate::motion::{Belt, Impact, Owner, Part, Probe, Scene, Shape, Slide, Surface, Surfaces, Trace, Untraced};
use crate::motion::{clip, points_into, units};
use crate::movement::{Movement, less_push, stop_by};
use crate::wall_bounce::Barrier;
use glam::{DVec2, I64Vec2};
use smallvec::SmallVec;
use surefoot_geometry::{Position, to_lengths};

/// One tick of a body.
pub(crate) struct DynamicStep<'a, 'p> {
    pub(crate) probe: &'a mut Probe<'p>,
    pub(crate) response: Response,
    pub(crate) friction: f64,
    pub(crate) rest_speed: f64,
    /// Tiles per second squared, the body's factor included.
    pub(crate) gravity: DVec2,
    /// Seconds.
    pub(crate) tick: f64,
    /// How far platforms have pushed it in this tick, in units.
    pub(crate) pushed: I64Vec2,
}

/// The next part of a body's own tick.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    /// To go straight through everything.
    Pass(I64Vec2),
    /// To fly to the first surface.
    Stop(Slide),
    /// To slide.
    Slide(Sliding),
    /// To go along with a belt.
    Ride(Ride),
    /// To bounce.
    Bounce(Bouncing),
    /// Nothing.
    Done,
}

/// A fall and slide with friction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sliding {
    /// When the slide begins, as a fraction of the tick.
    begin: f64,
    slide: Slide,
    /// Whether the body was at rest.
    rested: bool,
    end: End,
    /// The belt that friction brings it to rest on.
    belt: Belt,
    last: Option<Collision>,
    start: Start,
    /// The bounces of the tick so far, if the body bounces off walls.
    bouncing: Option<Bouncing>,
}

/// How a slide begins.
#[derive(Clone, Copy, Debug)]
struct Start {
    position: Position,
    velocity: DVec2,
    /// Acceleration of the body until it stops, in tiles per second squared.
    acceleration: DVec2,
    /// Time left of the tick, in seconds.
    left: f64,
}

impl Sliding {
    /// What is left of a way on a belt whose floor has ended.
    pub(crate) fn after(begin: f64, from: Position, motion: I64Vec2) -> Sliding {
        let start = Start { position: from, velocity: DVec2::ZERO, acceleration: DVec2::ZERO, left: 0.0 };
        let (end, belt, slide) = (End::Moves, Belt::NONE, Slide::new(from, motion));
        Sliding { begin, slide, rested: false, end, belt, last: None, start, bouncing: None }
    }
}

impl Start {
    /// When within the time left a body that has slid to a position came there, in seconds, and its speed in a direction then.
    ///
    /// As [`Fall::time_to`], so that energy belongs to the position. `toi` is the part of the way.
    fn arrival(&self, direction: DVec2, at: Position, toi: f64) -> (f64, f64) {
        let (speed, acceleration) = (direction.dot(self.velocity), direction.dot(self.acceleration));
        let (distance, left) = (direction.dot(to_lengths(at - self.position)), self.left);
        let then = (speed * speed + 2.0 * acceleration * distance).max(0.0).sqrt();
        let time = if speed >= 0.0 { 2.0 * distance / (speed + then) } else { (then - speed) / acceleration };
        (if time.is_finite() { time.clamp(0.0, left) } else { left * toi }, then)
    }
}

/// The bounces of a tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bouncing {
    factor: f64,
    /// What was left of the tick at the last bounce, in seconds.
    left: f64,
    /// Where the body was when the tick began.
    from: Position,
    bounces: u32,
    /// Whether the body has not moved in all of its bounces.
    squeezed: bool,
    /// Whether the last bounce was off a wall, along a floor.
    keeps_floor: bool,
}

impl Bouncing {
    pub(crate) fn new(factor: f64, left: f64, from: Position) -> Bouncing {
        Bouncing { factor, left, from, bounces: 0, squeezed: true, keeps_floor: false }
    }

    /// Counts a bounce at a position. `left`: seconds of the tick after the bounce.
    pub(crate) fn count(&mut self, at: Position, left: f64, keeps_floor: bool) {
        self.left = left;
        self.squeezed &= is_near(self.from, at);
        self.bounces += 1;
        self.keeps_floor = keeps_floor;
    }
}

impl DynamicStep<'_, '_> {
    /// Moves the body by one tick.
    #[inline(always)]
    pub(crate) fn step<T: Trace>(&mut self, movement: &mut Movement<'_>, trace: T) {
        let way = self.begin(movement);
        if T::RECORDS {
            return self.go_on(way, movement, trace);
        }
        match way {
            Way::Pass(motion) => self.pass_on(motion, movement, Untraced),
            Way::Stop(slide) => self.stop_on(slide, movement, Untraced),
            Way::Slide(mut sliding) => {
                self.slide_on(&mut sliding, movement, Untraced);
            }
            Way::Bounce(mut bouncing) => {
                if let Some(time) = self.bounce_on(&mut bouncing, movement, Untraced) {
                    self.slide_for(movement, time, bouncing);
                }
            }
            Way::Ride(ride) => {
                let next = self.ride_on(ride, movement, Untraced);
                self.go_on(next, movement, Untraced);
            }
            Way::Done => {}
        }
    }

    #[inline(never)]
    fn slide_for(&mut self, movement: &mut Movement<'_>, time: f64, bouncing: Bouncing) {
        let way = self.begin_slide(movement, time, Some(bouncing));
        self.go_on(way, movement, Untraced);
    }

    /// What the body has to do in a tick.
    #[inline(always)]
    pub(crate) fn begin(&mut self, movement: &mut Movement<'_>) -> Way {
        if self.probe.scene.has_belts()
            && self.response != Response::Pass
            && let Some(ride) = self.begin_ride(movement)
        {
            return Way::Ride(ride);
        }
        match self.response {
            Response::Pass => {
                let motion = self.motion(movement.velocity, self.gravity, self.tick);
                movement.velocity += self.gravity * self.tick;
                Way::Pass(motion)
            }
            Response::Stop => {
                let motion = self.motion(movement.velocity, self.gravity, self.tick);
                movement.velocity += self.gravity * self.tick;
                Way::Stop(Slide::new(movement.position, motion))
            }
            Response::Slide if self.probe.scene.has_bouncy_surfaces() => self.begin_bounces(0.0, movement),
            Response::Slide => self.begin_slide(movement, self.tick, None),
            Response::Bounce(factor) => self.begin_bounces(factor, movement),
        }
    }

    #[inline(always)]
    fn begin_bounces(&mut self, factor: f64, movement: &Movement<'_>) -> Way {
        self.probe.discard_bounces();
        Way::Bounce(Bouncing::new(factor, self.tick, movement.position))
    }

    /// Does what the body has to do, to the end of its tick.
    #[inline(always)]
    pub(crate) fn go_on<T: Trace>(&mut self, mut way: Way, movement: &mut Movement<'_>, trace: T) {
        loop {
            way = match way {
                Way::Pass(motion) => return self.pass_on(motion, movement, trace),
                Way::Stop(slide) => return self.stop_on(slide, movement, trace),
                Way::Slide(mut sliding) => match self.slide_on(&mut sliding, movement, trace) {
                    Some(bouncing) => Way::Bounce(bouncing),
                    None => return,
                },
                Way::Bounce(mut bouncing) => match self.bounce_on(&mut bouncing, movement, trace) {
                    Some(time) => self.begin_slide(movement, time, Some(bouncing)),
                    None => return,
                },
                Way::Ride(ride) => self.ride_on(ride, movement, trace),
                Way::Done => return,
            };
        }
    }

    fn pass_on<T: Trace>(&mut self, motion: I64Vec2, movement: &mut Movement<'_>, trace: T) {
        trace.record(movement.position, motion, || (0.0, 1.0));
        movement.position = movement.position + motion;
        movement.path.push(movement.position);
        movement.touch.refresh().clear();
    }

    fn stop_on<T: Trace>(&mut self, slide: Slide, movement: &mut Movement<'_>, trace: T) {
        let (hits, velocity) = (&mut movement.hits, &mut movement.velocity);
        let scene = self.probe.scene;
        let slid = self.probe.slide_on(slide, movement.path, trace, |impact, _| {
            hits.note_all(impact, *velocity);
            // It stops as seen from what it runs into.
            let owners: SmallVec<[Owner; 4]> = impact.struck.iter().map(|surface| surface.owner).collect();
            *velocity = scene.around.joint_velocity(&owners);
            I64Vec2::ZERO
        });
        movement.position = slid.position;
        self.probe.touching_what_stopped(slid, movement.touch.refresh());
    }

    /// Falls and slides for a time, with friction on what is touched at its beginning and on what is hit.
    fn begin_slide(&mut self, movement: &mut Movement<'_>, time: f64, bouncing: Option<Bouncing>) -> Way {
        let Push { acceleration, slowing, end, belt } = self.push(movement, time);
        if end == End::Rests {
            come_to_rest(movement);
            return Way::Done;
        }
        let rested = movement.velocity == DVec2::ZERO;
        let (from, velocity) = (movement.position, movement.velocity);
        let motion = self.motion(velocity, acceleration, time);
        movement.velocity += acceleration * time;
        let (begin, slide) = (1.0 - time / self.tick, Slide::new(from, motion));
        let start = Start { position: from, velocity, acceleration: slowing.unwrap_or(acceleration), left: time };
        Way::Slide(Sliding { begin, slide, rested, end, belt, last: None, start, bouncing })
    }

    /// Slides to a wall off which the body bounces, or to the end of the tick. Returns the bounces that the tick goes on with.
    fn slide_on<T: Trace>(&mut self, sliding: &mut Sliding, movement: &mut Movement<'_>, trace: T) -> Option<Bouncing> {
        let Sliding { begin, slide, rested, end, belt, last, start, bouncing } = sliding;
        let from = slide.start();
        let scene = self.probe.scene;
        let (hits, velocity) = (&mut movement.hits, &mut movement.velocity);
        let (friction, shape) = (self.friction, self.probe.shape);
        let walls = Walls { start: *start, friction, rest: self.rest_speed, gravity: self.gravity };
        let mut thrown = None;
        let slid = self.probe.slide_on(*slide, movement.path, trace.within(*begin), |impact, rest| {
            if let Some(bouncing) = bouncing {
                // A body that has bounced to and fro at one place bounces again once it has slid off.
                let may_bounce = bouncing.bounces < tolerance::BOUNCES || !is_near(bouncing.from, impact.position);
                if may_bounce && let Some(back) = walls.thrown_back(scene, shape, impact, *velocity, bouncing.factor) {
                    hits.note_all(impact, back.before);
                    thrown = Some(back);
                    return I64Vec2::ZERO;
                }
                if bouncing.keeps_floor && impact.position == start.position {
                    // It keeps to the floor that it slid on before the bounce.
                    stop_by(scene, impact, velocity);
                    return rest;
                }
            }
            hits.note_all(impact, *velocity);
            // Impacts at one place are one. Taken one by one, the first could leave a velocity to the side that the
            // others do not take, of a body that has no room to move to that side.
            let new = impact.struck.iter().any(|surface| !hits.knows(surface));
            let collision = match *last {
                Some(last) if is_near(last.position, impact.position) => Collision { new: last.new || new, ..last },
                _ => Collision { position: impact.position, velocity: *velocity, new },
            };
            *velocity = collision.velocity;
            let lost = stop_by(scene, impact, velocity);
            if collision.new {
                let own = friction_on(scene, friction, |scene| scene.friction(shape, impact.position, impact.struck));
                let carried = belt_velocity(scene, |scene| scene.belt(shape, impact.position, impact.struck));
                *velocity = slowed(*velocity - carried, own * lost) + carried;
            }
            *last = Some(collision);
            rest
        });
        movement.position = slid.position;
        if let (Some(back), Some(bouncing)) = (thrown, &mut *bouncing) {
            movement.velocity = back.after;
            bouncing.count(slid.position, back.left, true);
            self.probe.remember_bounce();
            self.probe.touching(slid.position, movement.touch.refresh());
            return Some(*bouncing);
        }
        if *rested && slid.stopped && movement.position == from {
            // Wedged: what it would run into if it moved by some units is nothing new in every tick.
            movement.hits.list.clear();
        }
        if slid.halted {
            self.probe.touching_what_stopped(slid, movement.touch.refresh());
        } else {
            self.probe.touching_end(slid, movement.touch.refresh());
        }
        if movement.position == from {
            // A motion of less than a unit meets nothing: its velocity would grow until it does. A platform that comes to a
            // body with bounce throws it when it pushes.
            let (own, bounces) = (movement.velocity, bouncing.is_some_and(|bouncing| bouncing.factor > 0.0));
            if bounces && scene.around.has_platforms() {
                let comes =
                    |surface: &Surface| surface.normal(from).as_dvec2().dot(scene.around.velocity(surface.owner)) > 0.0;
                let rest: Surfaces = movement.touch.now().iter().filter(|surface| !comes(surface)).copied().collect();
                movement.velocity = scene.clip(&rest, from, own);
            } else {
                movement.velocity = scene.clip(movement.touch.now(), from, own);
            }
        }
        let (position, gravity) = (movement.position, self.gravity);
        let mut under = Belt::NONE;
        if scene.has_belts() {
            under = scene.belt_under(shape, position, movement.touch.now(), gravity);
        }
        let slow = self.friction > 0.0 && (movement.velocity - under.velocity()).length() < self.rest_speed;
        if slid.stopped {
            movement.velocity = DVec2::ZERO;
        } else if *end == End::Stops {
            // It has come to rest on the belt that it was on, and keeps to the floor that it is on now.
            let direction = if under.direction == DVec2::ZERO { belt.direction } else { under.direction };
            movement.velocity = scene.clip(movement.touch.now(), position, direction * belt.speed);
        } else if slow && self.is_held(position, movement.touch.now()) {
            movement.velocity = scene.clip(movement.touch.now(), position, under.velocity());
        }
        if movement.velocity == DVec2::ZERO {
            come_to_rest(movement);
        }
        None
    }

    /// The acceleration in a tick that begins touching surfaces: gravity, and friction on what gravity presses into.
    fn push(&mut self, movement: &Movement<'_>, time: f64) -> Push {
        let free = Push { acceleration: self.gravity, slowing: None, end: End::Moves, belt: Belt::NONE };
        if self.friction == 0.0 || movement.touch.now().is_empty() {
            return free;
        }
        let (scene, shape) = (self.probe.scene, self.probe.shape);
        let pressed = self.probe.pressed(movement.touch.now(), movement.position, self.gravity, movement.velocity);
        if pressed.is_empty() {
            return free;
        }
        let friction = friction_on(scene, self.friction, |scene| scene.friction(shape, movement.position, pressed));
        if friction == 0.0 {
            return free;
        }
        let along = clip(pressed, movement.position, self.gravity);
        let braking = friction * (self.gravity - along).length();
        let mut belt = Belt::NONE;
        if scene.has_belts() {
            belt = scene.belt(shape, movement.position, pressed);
        }
        let velocity = scene.clip(pressed, movement.position, movement.velocity) - belt.velocity();
        let speed = velocity.length();
        if speed == 0.0 {
            // At rest: friction takes what it can of the pull along the surface. What is left of gravity keeps gravity's
            // direction, so that the body goes where it would go without friction, at a corner too.
            let pull = along.length();
            if pull <= braking {
                let end = if belt.speed == 0.0 { End::Rests } else { End::Moves };
                return Push { acceleration: DVec2::ZERO, slowing: None, end, belt };
            }
            let acceleration = self.gravity * (1.0 - braking / pull);
            return Push { acceleration, slowing: None, end: End::Moves, belt };
        }
        let direction = velocity / speed;
        let slowing = braking - along.dot(direction);
        if slowing * time < speed {
            let acceleration = self.gravity - direction * braking;
            return Push { acceleration, slowing: None, end: End::Moves, belt };
        }
        // It stops within the tick after a way of v^2 / 2a; a constant acceleration over the whole tick that makes that
        // way would end in a speed of its own, which is dropped.
        let way = speed * speed / (2.0 * slowing);
        let acceleration = direction * (2.0 * (way - speed * time) / (time * time));
        let slowing = Some(self.gravity - direction * braking);
        Push { acceleration: self.gravity - along + acceleration, slowing, end: End::Stops, belt }
    }

    /// Whether friction holds the body on what it touches.
    fn is_held(&self, position: Position, touched: &[Surface]) -> bool {
        let along = clip(touched, position, self.gravity);
        let pressed = (self.gravity - along).length();
        let (shape, gravity) = (self.probe.shape, self.gravity);
        let under = |scene: &Scene<'_>| scene.friction_under(shape, position, touched, gravity);
        let friction = friction_on(self.probe.scene, self.friction, under);
        pressed > 0.0 && friction > 0.0 && along.length() <= friction * pressed
    }

    /// Bounces: each impact at the velocity of its moment, until the tick is over. What is left of the tick after as many
    /// as there may be is dropped; the velocity stays. But a body that has not moved in all of them is squeezed between
    /// what it bounced off: it loses the velocity that leads into any of that, and slides on.
    ///
    /// Returns the time to slide on, in seconds, if there is any.
    #[inline(always)]
    fn bounce_on<T: Trace>(&mut self, bouncing: &mut Bouncing, movement: &mut Movement<'_>, trace: T) -> Option<f64> {
        while bouncing.bounces < tolerance::BOUNCES {
            let left = bouncing.left;
            let motion = self.motion(movement.velocity, self.gravity, left);
            if !T::RECORDS && self.probe.is_clear(movement.position, motion) {
                movement.make(motion);
                movement.velocity += self.gravity * left;
                movement.touch.refresh().clear();
                return None;
            }
            match self.bounce_among(bouncing, motion, movement, trace) {
                Bounced::Back => {}
                Bounced::Slides => return Some(left),
                Bounced::Done => return None,
            }
        }
        if bouncing.squeezed {
            movement.velocity = self.probe.scene.clip(self.probe.bounced_off(), movement.position, movement.velocity);
            return Some(bouncing.left);
        }
        None
    }

    /// Flies on to the next bounce, or to the end of the tick.
    #[inline(never)]
    fn bounce_among<T: Trace>(
        &mut self,
        bouncing: &mut Bouncing,
        motion: I64Vec2,
        movement: &mut Movement<'_>,
        trace: T,
    ) -> Bounced {
        let (start, left) = (movement.position, bouncing.left);
        let over = |time: f64| 1.0 - (left - time) / self.tick;
        let Part { displacement: part, toi } = self.probe.look_to_impact(start, motion);
        let Some(toi) = toi else {
            trace.record(start, part, || (over(0.0), 1.0));
            movement.make(part);
            movement.velocity += self.gravity * left;
            self.probe.touching(movement.position, movement.touch.refresh());
            return Bounced::Done;
        };
        let position = start + part;
        let mut touched = Surfaces::new();
        self.probe.touching(position, &mut touched);
        let fall = Fall { velocity: movement.velocity, gravity: self.gravity };
        let (scene, shape) = (self.probe.scene, self.probe.shape);
        // The time of the impact in seconds, the velocity then, and that after the bounce.
        let impact = self.probe.impact(toi, position);
        let time = fall.time_to(&impact, start, left);
        let at_impact = fall.velocity + fall.gravity * time;
        let mut bounce =
            Bounce { factor: bouncing.factor, friction: self.friction, rest: self.rest_speed, carried: DVec2::ZERO };
        if scene.has_surfaces() {
            bounce = bounce.off(scene, shape, &impact);
        }
        let has_others = impact.struck.len() > 1 || *impact.struck != touched[..];
        let bounces = (bounce.factor > 0.0 || self.response != Response::Slide)
            && !(has_others && self.keeps_floor(&impact, at_impact, &touched));
        let thrown = if bounces { bounce.thrown_back(scene, &impact, at_impact) } else { None };
        let Some(thrown) = thrown else {
            // Too slow to bounce: the same time is slid.
            return Bounced::Slides;
        };
        trace.record(start, part, || (over(0.0), over(time)));
        movement.make(part);
        movement.hits.note_all(&self.probe.impact(toi, position), at_impact);
        movement.velocity = thrown;
        bouncing.count(movement.position, left - time, false);
        self.probe.remember_bounce();
        let after = movement.touch.refresh();
        after.clear();
        after.extend_from_slice(&touched);
        Bounced::Back
    }

    /// Whether a body keeps to a floor at an impact with that velocity. Then the body slides along the floor, and bounces off walls
    /// alone. Without gravity nothing keeps a body to a floor.
    fn keeps_floor(&self, impact: &Impact<'_>, velocity: DVec2, touched: &[Surface]) -> bool {
        let (scene, position) = (self.probe.scene, impact.position);
        if self.gravity == DVec2::ZERO {
            return false;
        }
        let mut all: Surfaces = impact.struck.iter().copied().collect();
        all.extend(touched.iter().filter(|surface| !impact.struck.contains(surface)).copied());
        let motions = (velocity, self.gravity);
        Barrier::find(scene, position, (impact.struck, &all), motions, self.rest_speed).is_some()
    }

    fn motion(&self, velocity: DVec2, acceleration: DVec2, time: f64) -> I64Vec2 {
        less_push(flight(velocity, acceleration, time).0, self.pushed)
    }
}

/// The way of a time in which nothing is met, and the velocity after it, for every body that is no character and
/// touches nothing, whatever its response.
#[inline(always)]
pub(crate) fn flight(velocity: DVec2, acceleration: DVec2, time: f64) -> (I64Vec2, DVec2) {
    let after = velocity + acceleration * time;
    (units((velocity + after) * (time / 2.0)), after)
}

/// An accelerated motion.
#[derive(Clone, Copy)]
struct Fall {
    velocity: DVec2,
    gravity: DVec2,
}

impl Fall {
    /// When within the time left a body that was at `start` meets a surface, in seconds.
    ///
    /// It speeds up on its way, so this is not the part of the way that it has made: the distance s to the surface along
    /// the normal is v t + a t^2 / 2. With the time of s the energy of a bouncing body does not depend on the tick.
    fn time_to(&self, impact: &Impact<'_>, start: Position, left: f64) -> f64 {
        let way = to_lengths(impact.position - start);
        let times = impact.struck.iter().map(|surface| {
            let inwards = -surface.normal(impact.position).as_dvec2().normalize_or_zero();
            let (speed, acceleration) = (inwards.dot(self.velocity), inwards.dot(self.gravity));
            let distance = inwards.dot(way);
            let root = (speed * speed + 2.0 * acceleration * distance).max(0.0).sqrt();
            // Of the two forms of the solution the one in which nothing cancels; a body on its way out comes back.
            if speed >= 0.0 { 2.0 * distance / (speed + root) } else { (root - speed) / acceleration }
        });
        // Of several surfaces the first in time, not in order.
        let time = times.fold(f64::INFINITY, f64::min);
        if time.is_finite() { time.clamp(0.0, left) } else { left * impact.toi }
    }
}

/// How a body is thrown back.
#[derive(Clone, Copy)]
struct Bounce {
    factor: f64,
    friction: f64,
    /// The speed below which it slides instead.
    rest: f64,
    /// How fast the belts go that it bounces off.
    carried: DVec2,
}

impl Bounce {
    /// The bounce off the surfaces of an impact.
    #[inline(never)]
    fn off(self, scene: &Scene<'_>, shape: Shape, impact: &Impact<'_>) -> Bounce {
        let (position, struck) = (impact.position, impact.struck);
        let factor = self.factor.max(scene.bounce(shape, position, struck));
        let carried = belt_velocity(scene, |scene| scene.belt(shape, position, struck));
        Bounce { factor, friction: self.friction * scene.friction(shape, position, struck), carried, ..self }
    }

    /// The velocity after a bounce; `None` if the body comes too slowly, or not at all, and slides instead.
    fn thrown_back(&self, scene: &Scene<'_>, impact: &Impact<'_>, velocity: DVec2) -> Option<DVec2> {
        if !scene.around.has_platforms() || !scene.around.moves_any(impact.struck) {
            return self.thrown_back_at_rest(impact, velocity);
        }
        let of = |surface: &Surface| scene.around.velocity(surface.owner);
        let first = impact.struck.first().map(of)?;
        // Off surfaces that go different ways at once it slides.
        if impact.struck.iter().any(|surface| of(surface) != first) {
            return None;
        }
        self.thrown_back_at_rest(impact, velocity - first).map(|thrown| thrown + first)
    }

    fn thrown_back_at_rest(&self, impact: &Impact<'_>, velocity: DVec2) -> Option<DVec2> {
        let mut normals = impact.struck.iter().map(|s| s.normal(impact.position).as_dvec2());
        let normal = normals.next()?;
        if normals.any(|other| other.perp_dot(normal) != 0.0) {
            return (velocity.length() > self.rest).then_some(velocity * -self.factor);
        }
        let approach = -normal.dot(velocity) / normal.length();
        if approach <= self.rest || self.factor == 0.0 {
            return None;
        }
        let lost = normal * (normal.dot(velocity) / normal.length_squared());
        let along = slowed(velocity - lost - self.carried, self.friction * approach * (1.0 + self.factor));
        Some(along + self.carried - lost * self.factor)
    }
}

/// What a flight to the next bounce has come to.
enum Bounced {
    /// The body was thrown back.
    Back,
    /// It would come too slowly: it slides from where it is.
    Slides,
    /// The tick is over.
    Done,
}

/// Throws a body that slides along a floor back from walls.
struct Walls {
    start: Start,
    friction: f64,
    rest: f64,
    gravity: DVec2,
}

/// A bounce off a wall, along a floor.
struct Back {
    /// The velocity before and after it.
    before: DVec2,
    after: DVec2,
    /// Time left of the tick, in seconds.
    left: f64,
}

impl Walls {
    /// The bounce of a body that slides at an impact with that velocity at the end of its slide; `None` if it does not bounce.
    fn thrown_back(
        &self,
        scene: &Scene<'_>,
        shape: Shape,
        impact: &Impact<'_>,
        velocity: DVec2,
        own: f64,
    ) -> Option<Back> {
        let (position, struck) = (impact.position, impact.struck);
        let is_floor = |surface: &Surface| scene.frame.is_floor(surface.normal(position));
        if (impact.held.len() == 1 && is_floor(&struck[0])) || (own == 0.0 && !scene.has_bouncy_surfaces()) {
            return None;
        }
        let mut touched: Surfaces = impact.held.iter().copied().collect();
        scene.add_touched(shape, position, &mut touched);
        // The body may have turned since the slide began, and friction may have set the velocity at its end to zero.
        let leads_into = |surface: &Surface| points_into(surface.normal(position).as_dvec2(), self.start.velocity);
        let comes = if struck.iter().any(leads_into) { self.start.velocity } else { velocity };
        let motions = (comes, self.gravity);
        let found = Barrier::find(scene, position, (struck, &touched), motions, f64::INFINITY)?;
        let Barrier::Wall(wall) = found else { return None };
        let mut bounce = own;
        if scene.has_surfaces() {
            bounce = bounce.max(scene.bounce(shape, position, &wall.surfaces));
        }
        let (time, speed) = self.start.arrival(wall.direction, position, impact.toi);
        let speed = speed - wall.direction.dot(wall.floor);
        let mut after = wall.thrown_back(speed, bounce, self.rest)?;
        if scene.has_belts() {
            let friction = self.friction * scene.friction(shape, position, &wall.surfaces);
            let by = friction * wall.approach(speed) * (1.0 + bounce);
            after = wall.carried(after, scene.belt(shape, position, &wall.surfaces), by);
        }
        let before = wall.floor + wall.direction * speed;
        Some(Back { before, after, left: self.start.left - time })
    }
}

/// What acts on a body in a tick.
struct Push {
    /// Tiles per second squared.
    acceleration: DVec2,
    /// Acceleration until the body stops, if it stops within the tick.
    slowing: Option<DVec2>,
    end: End,
    belt: Belt,
}

/// What friction makes of a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The body moves on.
    Moves,
    /// It comes to a stop.
    Stops,
    /// It does not move at all.
    Rests,
}

/// The impacts of a slide at one place.
#[derive(Clone, Copy, Debug)]
struct Collision {
    /// Where the first of them was.
    position: Position,
    /// The velocity before the first, in tiles per second.
    velocity: DVec2,
    /// Whether a surface is struck that was not touched when the tick began.
    new: bool,
}

/// Takes the velocity of a body, and what it ran into without touching it now.
fn come_to_rest(movement: &mut Movement<'_>) {
    movement.velocity = DVec2::ZERO;
    movement.hits.keep_touched(movement.position, movement.touch.now());
}

/// The coefficient of friction of a body on surfaces, of which `factor` says how much of it they leave.
#[inline(always)]
fn friction_on(scene: &Scene<'_>, own: f64, factor: impl FnOnce(&Scene<'_>) -> f64) -> f64 {
    if scene.has_surfaces() { own * factor(scene) } else { own }
}

/// The velocity of a belt, where there are any.
#[inline(always)]
fn belt_velocity(scene: &Scene<'_>, belt: impl FnOnce(&Scene<'_>) -> Belt) -> DVec2 {
    if scene.has_belts() { belt(scene).velocity() } else { DVec2::ZERO }
}

/// Whether two places are so near that a body that is stopped at one of them may be put back to the other.
fn is_near(first: Position, second: Position) -> bool {
    (second - first).abs().max_element() <= tolerance::SETTLE
}

/// A velocity made smaller by an amount, at most to nothing.
fn slowed(velocity: DVec2, by: f64) -> DVec2 {
    let speed = velocity.length();
    if speed <= by { DVec2::ZERO } else { velocity * ((speed - by) / speed) }
}
