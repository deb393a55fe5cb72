//! Dynamic bodies: they fall, slide, bounce and come to rest.
//!
//! What stopped a body is among its contacts, and all impacts at one place count as one.

use crate::belt_ride::Ride;
use crate::body::Response;
use crate::motion::tolerance;
use crate::motion::{Belt, Course, Cut, Impact, Limit, Owner, Part, Probe, Scene, Shape, Slide, Surface, Whole};
use crate::motion::{clip, units};
use crate::movement::{Movement, less_push, stop_by};
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

/// What a body has still to do in its tick.
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

/// A fall and slide with friction under way.
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
}

impl Sliding {
    /// What is left of a way on a belt whose floor has ended.
    pub(crate) fn after(begin: f64, from: Position, motion: I64Vec2) -> Sliding {
        let slide = Slide::new(from, motion);
        Sliding { begin, slide, rested: false, end: End::Moves, belt: Belt::NONE, last: None }
    }
}

/// Bounces under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bouncing {
    factor: f64,
    /// What was left of the tick at the last bounce, in seconds.
    left: f64,
    /// The time since then and the way made in it, if the flight was cut: else it begins with the bounce.
    since: f64,
    made: I64Vec2,
    /// Where the body was when the tick began.
    from: Position,
    bounces: u32,
    /// Whether the body has not moved in all of its bounces.
    squeezed: bool,
}

impl Bouncing {
    fn new(factor: f64, left: f64, from: Position) -> Bouncing {
        Bouncing { factor, left, since: 0.0, made: I64Vec2::ZERO, from, bounces: 0, squeezed: true }
    }
}

impl DynamicStep<'_, '_> {
    /// Moves the body by one tick.
    #[inline(always)]
    pub(crate) fn step(&mut self, movement: &mut Movement<'_>) {
        match self.begin(movement) {
            Way::Pass(motion) => {
                let Ok(()) = self.pass_on(motion, movement, Whole);
            }
            Way::Stop(mut slide) => {
                let Ok(()) = self.stop_on(&mut slide, movement, Whole);
            }
            Way::Slide(mut sliding) => {
                let Ok(()) = self.slide_on(&mut sliding, movement, Whole);
            }
            Way::Bounce(mut bouncing) => {
                let Ok(rest) = self.bounce_on(&mut bouncing, movement, Whole);
                if let Some(time) = rest {
                    self.slide_for(movement, time);
                }
            }
            Way::Ride(mut ride) => {
                let Ok(next) = self.ride_on(&mut ride, movement, Whole);
                if let Some(mut sliding) = next {
                    let Ok(()) = self.slide_on(&mut sliding, movement, Whole);
                }
            }
            Way::Done => {}
        }
    }

    #[inline(never)]
    fn slide_for(&mut self, movement: &mut Movement<'_>, time: f64) {
        if let Way::Slide(mut sliding) = self.begin_slide(movement, time) {
            let Ok(()) = self.slide_on(&mut sliding, movement, Whole);
        }
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
            Response::Slide => self.begin_slide(movement, self.tick),
            Response::Bounce(factor) => self.begin_bounces(factor, movement),
        }
    }

    #[inline(always)]
    fn begin_bounces(&mut self, factor: f64, movement: &Movement<'_>) -> Way {
        self.probe.discard_bounces();
        Way::Bounce(Bouncing::new(factor, self.tick, movement.position))
    }

    /// Goes on with what was left of a way at a cut, from there or from another place.
    pub(crate) fn take_up(&self, way: &mut Way, cut: &Cut, position: Position) {
        match way {
            Way::Pass(motion) => *motion -= cut.made.displacement(),
            Way::Stop(slide) | Way::Slide(Sliding { slide, .. }) => slide.take_up(cut, position),
            Way::Ride(ride) => ride.legs.take_up(cut, position),
            Way::Bounce(bouncing) => {
                bouncing.made += cut.made.displacement();
                bouncing.since = (bouncing.left - self.tick * (1.0 - cut.time)).max(bouncing.since);
            }
            Way::Done => {}
        }
    }

    /// Goes on with what the body has to do, up to a limit on the tick.
    #[inline(always)]
    pub(crate) fn advance<L: Limit>(
        &mut self,
        way: &mut Way,
        movement: &mut Movement<'_>,
        limit: L,
    ) -> Result<(), L::Pause> {
        loop {
            if let Way::Ride(ride) = way {
                let next = self.ride_on(ride, movement, limit)?;
                *way = next.map_or(Way::Done, Way::Slide);
            }
            let rest = match way {
                Way::Pass(motion) => self.pass_on(*motion, movement, limit).map(|()| None)?,
                Way::Stop(slide) => self.stop_on(slide, movement, limit).map(|()| None)?,
                Way::Slide(sliding) => self.slide_on(sliding, movement, limit).map(|()| None)?,
                Way::Bounce(bouncing) => self.bounce_on(bouncing, movement, limit)?,
                Way::Ride(_) | Way::Done => return Ok(()),
            };
            *way = rest.map_or(Way::Done, |time| self.begin_slide(movement, time));
        }
    }

    fn pass_on<L: Limit>(&mut self, motion: I64Vec2, movement: &mut Movement<'_>, limit: L) -> Result<(), L::Pause> {
        limit.check_pass(movement.position, motion)?;
        movement.position = movement.position + motion;
        movement.path.push(movement.position);
        movement.touch.refresh().clear();
        Ok(())
    }

    fn stop_on<L: Limit>(&mut self, slide: &mut Slide, movement: &mut Movement<'_>, limit: L) -> Result<(), L::Pause> {
        let (hits, velocity) = (&mut movement.hits, &mut movement.velocity);
        let scene = self.probe.scene;
        let slid = self.probe.slide_on(slide, movement.path, limit, |impact, _| {
            hits.note_all(impact, *velocity);
            // It stops as seen from what it runs into.
            let owners: SmallVec<[Owner; 4]> = impact.struck.iter().map(|surface| surface.owner).collect();
            *velocity = scene.around.joint_velocity(&owners);
            I64Vec2::ZERO
        })?;
        movement.position = slid.position;
        self.probe.touching_what_stopped(slid, movement.touch.refresh());
        Ok(())
    }

    /// Falls and slides for a time, with friction on what is touched at its beginning and on what is hit.
    fn begin_slide(&mut self, movement: &mut Movement<'_>, time: f64) -> Way {
        let Push { acceleration, end, belt } = self.push(movement, time);
        if end == End::Rests {
            come_to_rest(movement);
            return Way::Done;
        }
        let rested = movement.velocity == DVec2::ZERO;
        let motion = self.motion(movement.velocity, acceleration, time);
        movement.velocity += acceleration * time;
        let begin = 1.0 - time / self.tick;
        Way::Slide(Sliding { begin, slide: Slide::new(movement.position, motion), rested, end, belt, last: None })
    }

    fn slide_on<L: Limit>(
        &mut self,
        sliding: &mut Sliding,
        movement: &mut Movement<'_>,
        limit: L,
    ) -> Result<(), L::Pause> {
        let Sliding { begin, slide, rested, end, belt, last } = sliding;
        let from = slide.start();
        let scene = self.probe.scene;
        let (hits, velocity) = (&mut movement.hits, &mut movement.velocity);
        let (friction, shape) = (self.friction, self.probe.shape);
        let slid = self.probe.slide_on(slide, movement.path, limit.within(*begin), |impact, rest| {
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
        })?;
        movement.position = slid.position;
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
            // A motion of less than a unit meets nothing: its velocity would grow until it does.
            movement.velocity = self.probe.scene.clip(movement.touch.now(), from, movement.velocity);
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
        Ok(())
    }

    /// The acceleration in a tick that begins touching surfaces: gravity, and friction on what gravity presses into.
    fn push(&mut self, movement: &Movement<'_>, time: f64) -> Push {
        let free = Push { acceleration: self.gravity, end: End::Moves, belt: Belt::NONE };
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
                return Push { acceleration: DVec2::ZERO, end, belt };
            }
            return Push { acceleration: self.gravity * (1.0 - braking / pull), end: End::Moves, belt };
        }
        let direction = velocity / speed;
        let slowing = braking - along.dot(direction);
        if slowing * time < speed {
            return Push { acceleration: self.gravity - direction * braking, end: End::Moves, belt };
        }
        // It stops within the tick after a way of v^2 / 2a; a constant acceleration over the whole tick that makes that
        // way would end in a speed of its own, which is dropped.
        let way = speed * speed / (2.0 * slowing);
        let acceleration = direction * (2.0 * (way - speed * time) / (time * time));
        Push { acceleration: self.gravity - along + acceleration, end: End::Stops, belt }
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
    /// Answers with the time to slide on, in seconds, if there is any.
    #[inline(always)]
    fn bounce_on<L: Limit>(
        &mut self,
        bouncing: &mut Bouncing,
        movement: &mut Movement<'_>,
        limit: L,
    ) -> Result<Option<f64>, L::Pause> {
        while bouncing.bounces < tolerance::BOUNCES {
            let left = bouncing.left;
            let motion = self.motion(movement.velocity, self.gravity, left);
            let motion = if L::PAUSES { motion - bouncing.made } else { motion };
            if limit.takes_shortcuts() && self.probe.is_clear(movement.position, motion) {
                movement.make(motion);
                movement.velocity += self.gravity * left;
                movement.touch.refresh().clear();
                return Ok(None);
            }
            match self.bounce_among(bouncing, motion, movement, limit)? {
                Bounced::Back => {}
                Bounced::Slides => {
                    if L::PAUSES {
                        movement.velocity += self.gravity * bouncing.since;
                        return Ok(Some(left - bouncing.since));
                    }
                    return Ok(Some(left));
                }
                Bounced::Done => return Ok(None),
            }
        }
        if bouncing.squeezed {
            movement.velocity = self.probe.scene.clip(self.probe.bounced_off(), movement.position, movement.velocity);
            return Ok(Some(bouncing.left));
        }
        Ok(None)
    }

    /// Flies on to the next bounce, or to the end of the tick.
    #[inline(never)]
    fn bounce_among<L: Limit>(
        &mut self,
        bouncing: &mut Bouncing,
        motion: I64Vec2,
        movement: &mut Movement<'_>,
        limit: L,
    ) -> Result<Bounced, L::Pause> {
        let (start, left, since) = (movement.position, bouncing.left, bouncing.since);
        let over = |time: f64| 1.0 - (left - time) / self.tick;
        let Part { displacement: part, toi } = self.probe.look_to_impact(start, motion, limit)?;
        let Some(toi) = toi else {
            limit.check_time(self.probe, start, Course::Free(part), || (over(since), 1.0))?;
            movement.make(part);
            movement.velocity += self.gravity * left;
            self.probe.touching(movement.position, movement.touch.refresh());
            return Ok(Bounced::Done);
        };
        let position = start + part;
        let fall = Fall { velocity: movement.velocity, gravity: self.gravity };
        let (scene, shape) = (self.probe.scene, self.probe.shape);
        // The time of the impact in seconds, the velocity then, and that after the bounce.
        let impact = self.probe.impact(toi, position);
        let from = if L::PAUSES { start + -bouncing.made } else { start };
        let time = fall.time_to(&impact, from, left);
        let at_impact = fall.velocity + fall.gravity * time;
        let mut bounce =
            Bounce { factor: bouncing.factor, friction: self.friction, rest: self.rest_speed, carried: DVec2::ZERO };
        if scene.has_surfaces() {
            bounce = bounce.off(scene, shape, &impact);
        }
        let bounces = bounce.factor > 0.0 || self.response != Response::Slide;
        let thrown = if bounces { bounce.thrown_back(scene, &impact, at_impact) } else { None };
        let Some(thrown) = thrown else {
            // Too slow to bounce: the same time is slid.
            return Ok(Bounced::Slides);
        };
        limit.check_time(self.probe, start, Course::Free(part), || (over(since), over(time)))?;
        // From here on the bounce counts.
        movement.make(part);
        movement.hits.note_all(&self.probe.impact(toi, position), at_impact);
        movement.velocity = thrown;
        bouncing.left = left - time;
        if L::PAUSES {
            (bouncing.since, bouncing.made) = (0.0, I64Vec2::ZERO);
        }
        bouncing.squeezed &= is_near(bouncing.from, movement.position);
        bouncing.bounces += 1;
        self.probe.remember_bounce();
        self.probe.touching(movement.position, movement.touch.refresh());
        Ok(Bounced::Back)
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

/// What acts on a body in a tick.
struct Push {
    /// Tiles per second squared.
    acceleration: DVec2,
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
