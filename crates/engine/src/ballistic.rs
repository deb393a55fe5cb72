//! Bodies without a will: they fall, slide, bounce and come to rest.

use crate::body::Response;
use crate::motion::{Impact, Scene, Shape, Surface, Surfaces, clip, units};
use crate::travel::Travel;
use glam::{DVec2, I64Vec2};
use surefoot_geometry::{Place, to_lengths};

/// Bounces in one tick; the rest of the tick is slid.
const BOUNCES: u32 = 8;

/// One tick of a body.
pub(crate) struct Thrown<'a> {
    pub(crate) scene: Scene<'a>,
    pub(crate) shape: Shape,
    pub(crate) response: Response,
    pub(crate) friction: f64,
    pub(crate) rest_speed: f64,
    /// Tiles per second squared, the body's factor included.
    pub(crate) gravity: DVec2,
    /// Seconds.
    pub(crate) tick: f64,
}

impl Thrown<'_> {
    /// Moves the body by one tick from where it is, touching `surfaces`.
    pub(crate) fn step(&self, travel: &mut Travel, surfaces: Surfaces) {
        match self.response {
            Response::Pass => self.pass(travel),
            Response::Stop => self.stop(travel),
            Response::Slide => self.slide_on(travel, &surfaces, self.tick),
            Response::Bounce(factor) => self.bounce(travel, &surfaces, factor),
        }
    }

    fn pass(&self, travel: &mut Travel) {
        let motion = self.motion(travel.velocity, self.gravity, self.tick);
        travel.velocity += self.gravity * self.tick;
        travel.place = travel.place + motion;
        travel.path.push(travel.place);
        travel.surfaces = Some(Surfaces::new());
    }

    fn stop(&self, travel: &mut Travel) {
        let motion = self.motion(travel.velocity, self.gravity, self.tick);
        travel.velocity += self.gravity * self.tick;
        let slid = self.scene.slide_with(self.shape, travel.place, motion, |_, _| I64Vec2::ZERO);
        self.take(travel, slid.place, &slid.steps);
        if let Some(impact) = slid.impacts.first() {
            travel.note(impact);
            travel.velocity = DVec2::ZERO;
        }
    }

    /// Falls and slides for a time, with friction on what was touched at its beginning and on what is hit.
    fn slide_on(&self, travel: &mut Travel, touched: &Surfaces, time: f64) {
        let Push { acceleration, end } = self.push(travel, touched, time);
        if end == End::Rests {
            travel.velocity = DVec2::ZERO;
            travel.surfaces = Some(touched.clone());
            return;
        }
        let (from, rested) = (travel.place, travel.velocity == DVec2::ZERO);
        let motion = self.motion(travel.velocity, acceleration, time);
        travel.velocity += acceleration * time;
        let slid = self.scene.slide(self.shape, travel.place, motion);
        self.take(travel, slid.place, &slid.steps);
        for impact in &slid.impacts {
            travel.note(impact);
            let lost = travel.clip(impact);
            if impact.struck.iter().any(|struck| !touched.iter().any(|known| known.continues(struck))) {
                travel.velocity = slowed(travel.velocity, self.friction * lost);
            }
        }
        if rested && slid.stopped && travel.place == from {
            // Wedged: what it would run into if it moved by some units is nothing new in every tick.
            travel.hits.clear();
        }
        if end == End::Stops || slid.stopped {
            travel.velocity = DVec2::ZERO;
        } else if self.friction > 0.0 && travel.velocity.length() < self.rest_speed {
            let surfaces = self.scene.touching(self.shape, travel.place);
            if self.is_held(travel.place, &surfaces) {
                travel.velocity = DVec2::ZERO;
            }
            travel.surfaces = Some(surfaces);
        }
    }

    /// The acceleration in a tick that begins touching surfaces: gravity, and friction on what gravity presses into.
    fn push(&self, travel: &Travel, touched: &Surfaces, time: f64) -> Push {
        let free = Push { acceleration: self.gravity, end: End::Moves };
        if self.friction == 0.0 || touched.is_empty() {
            return free;
        }
        let pressed: Surfaces = touched
            .iter()
            .filter(|surface| {
                let normal = surface.normal(travel.place).as_dvec2();
                normal.dot(self.gravity) < 0.0 && normal.dot(travel.velocity) <= 0.0
            })
            .copied()
            .collect();
        if pressed.is_empty() {
            return free;
        }
        let along = clip(&pressed, travel.place, self.gravity);
        let braking = self.friction * (self.gravity - along).length();
        let velocity = clip(&pressed, travel.place, travel.velocity);
        let speed = velocity.length();
        if speed == 0.0 {
            // At rest: friction takes what it can of the pull along the surface.
            let pull = along.length();
            if pull <= braking {
                return Push { acceleration: DVec2::ZERO, end: End::Rests };
            }
            return Push { acceleration: self.gravity - along * (braking / pull), end: End::Moves };
        }
        let direction = velocity / speed;
        let slowing = braking - along.dot(direction);
        if slowing * time < speed {
            return Push { acceleration: self.gravity - direction * braking, end: End::Moves };
        }
        // It stops within the tick after a way of v^2 / 2a; a constant acceleration over the whole tick that makes that
        // way would end in a speed of its own, which is dropped.
        let way = speed * speed / (2.0 * slowing);
        let acceleration = direction * (2.0 * (way - speed * time) / (time * time));
        Push { acceleration: self.gravity - along + acceleration, end: End::Stops }
    }

    /// Whether friction holds the body on what it touches.
    fn is_held(&self, place: Place, touched: &[Surface]) -> bool {
        let along = clip(touched, place, self.gravity);
        let pressed = (self.gravity - along).length();
        pressed > 0.0 && along.length() <= self.friction * pressed
    }

    /// Bounces: each impact at the velocity of its moment, until the tick is over.
    fn bounce(&self, travel: &mut Travel, touched: &Surfaces, factor: f64) {
        let mut left = self.tick;
        let mut touched = touched.clone();
        for _ in 0..BOUNCES {
            let motion = self.motion(travel.velocity, self.gravity, left);
            let slid = self.scene.slide_with(self.shape, travel.place, motion, |_, _| I64Vec2::ZERO);
            let Some(impact) = slid.impacts.first() else {
                self.take(travel, slid.place, &slid.steps);
                travel.velocity += self.gravity * left;
                return;
            };
            let time = self.time_to(impact, travel, left);
            let at_impact = travel.velocity + self.gravity * time;
            let Some(thrown) = self.thrown_back(impact, at_impact, factor) else {
                return self.slide_on(travel, &touched, left);
            };
            self.take(travel, slid.place, &slid.steps);
            left -= time;
            travel.velocity = at_impact;
            travel.note(impact);
            travel.velocity = thrown;
            touched = self.scene.touching(self.shape, travel.place);
        }
        self.slide_on(travel, &touched, left);
    }

    /// When within the time left the body meets a surface, in seconds.
    ///
    /// It speeds up on its way, so this is not the part of the way that it has made: the distance s to the surface along
    /// the normal is v t + a t^2 / 2. With the time of s the energy of a bouncing body does not depend on the tick.
    fn time_to(&self, impact: &Impact, travel: &Travel, left: f64) -> f64 {
        let way = to_lengths(impact.place - travel.place);
        let times = impact.struck.iter().map(|surface| {
            let inwards = -surface.normal(impact.place).as_dvec2().normalize_or_zero();
            let (speed, acceleration) = (inwards.dot(travel.velocity), inwards.dot(self.gravity));
            let distance = inwards.dot(way);
            let root = (speed * speed + 2.0 * acceleration * distance).max(0.0).sqrt();
            // Of the two forms of the solution the one in which nothing cancels; a body on its way out comes back.
            if speed >= 0.0 { 2.0 * distance / (speed + root) } else { (root - speed) / acceleration }
        });
        // Of several surfaces the first in time, not in order.
        let time = times.fold(f64::INFINITY, f64::min);
        if time.is_finite() { time.clamp(0.0, left) } else { left * impact.toi }
    }

    /// The velocity after a bounce; `None` if the body comes too slowly, or not at all, and slides instead.
    fn thrown_back(&self, impact: &Impact, velocity: DVec2, factor: f64) -> Option<DVec2> {
        let mut normals = impact.struck.iter().map(|s| s.normal(impact.place).as_dvec2());
        let normal = normals.next()?;
        if normals.any(|other| other.perp_dot(normal) != 0.0) {
            let fast = velocity.length() > self.rest_speed;
            return fast.then_some(velocity * -factor);
        }
        let approach = -normal.dot(velocity) / normal.length();
        if approach <= self.rest_speed || factor == 0.0 {
            return None;
        }
        let along = velocity - normal * (normal.dot(velocity) / normal.length_squared());
        let slowed = slowed(along, self.friction * approach * (1.0 + factor));
        Some(slowed - normal * (factor * normal.dot(velocity) / normal.length_squared()))
    }

    fn motion(&self, velocity: DVec2, acceleration: DVec2, time: f64) -> I64Vec2 {
        units((velocity + (velocity + acceleration * time)) * (time / 2.0))
    }

    fn take(&self, travel: &mut Travel, place: Place, steps: &[Place]) {
        travel.place = place;
        travel.path.extend_from_slice(steps);
    }
}

/// What acts on a body in a tick.
struct Push {
    /// Tiles per second squared.
    acceleration: DVec2,
    end: End,
}

/// What friction makes of a tick.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The body moves on.
    Moves,
    /// It comes to a stop.
    Stops,
    /// It does not move at all.
    Rests,
}

/// A velocity made smaller by an amount, at most to nothing.
fn slowed(velocity: DVec2, by: f64) -> DVec2 {
    let speed = velocity.length();
    if speed <= by { DVec2::ZERO } else { velocity * ((speed - by) / speed) }
}
