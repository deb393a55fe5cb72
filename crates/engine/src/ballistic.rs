//! Bodies without a will: they fall, slide, bounce and come to rest.

use crate::body::Response;
use crate::motion::tolerance;
use crate::motion::{Impact, Probe, Surface, clip, units};
use crate::travel::{Travel, stop_by};
use glam::{DVec2, I64Vec2};
use surefoot_geometry::{Place, to_lengths};

/// One tick of a body.
pub(crate) struct Thrown<'a, 'p> {
    pub(crate) probe: &'a mut Probe<'p>,
    pub(crate) response: Response,
    pub(crate) friction: f64,
    pub(crate) rest_speed: f64,
    /// Tiles per second squared, the body's factor included.
    pub(crate) gravity: DVec2,
    /// Seconds.
    pub(crate) tick: f64,
}

impl Thrown<'_, '_> {
    /// Moves the body by one tick.
    pub(crate) fn step(&mut self, travel: &mut Travel<'_>) {
        match self.response {
            Response::Pass => self.pass(travel),
            Response::Stop => self.stop(travel),
            Response::Slide => self.slide_on(travel, self.tick),
            Response::Bounce(factor) => self.bounce(travel, factor),
        }
    }

    fn pass(&mut self, travel: &mut Travel<'_>) {
        let motion = self.motion(travel.velocity, self.gravity, self.tick);
        travel.velocity += self.gravity * self.tick;
        travel.place = travel.place + motion;
        travel.path.push(travel.place);
        travel.touch.renew().clear();
    }

    fn stop(&mut self, travel: &mut Travel<'_>) {
        let motion = self.motion(travel.velocity, self.gravity, self.tick);
        travel.velocity += self.gravity * self.tick;
        let (hits, velocity) = (&mut travel.hits, &mut travel.velocity);
        let slid = self.probe.slide(travel.place, motion, travel.path, |impact, _| {
            hits.note_all(impact, *velocity);
            *velocity = DVec2::ZERO;
            I64Vec2::ZERO
        });
        travel.place = slid.place;
        self.probe.touching_what_stopped(slid, travel.touch.renew());
    }

    /// Falls and slides for a time, with friction on what is touched at its beginning and on what is hit.
    fn slide_on(&mut self, travel: &mut Travel<'_>, time: f64) {
        let Push { acceleration, end } = self.push(travel, time);
        if end == End::Rests {
            return come_to_rest(travel);
        }
        let (from, rested) = (travel.place, travel.velocity == DVec2::ZERO);
        let motion = self.motion(travel.velocity, acceleration, time);
        travel.velocity += acceleration * time;
        let (hits, velocity, friction) = (&mut travel.hits, &mut travel.velocity, self.friction);
        let mut last: Option<Collision> = None;
        let slid = self.probe.slide(travel.place, motion, travel.path, |impact, rest| {
            hits.note_all(impact, *velocity);
            // Impacts at one place are one. Taken one by one, the first could leave a velocity to the side that the
            // others do not take, of a body that has no room to move to that side.
            let new = impact.struck.iter().any(|surface| !hits.knows(surface));
            let collision = match last {
                Some(last) if is_near(last.place, impact.place) => Collision { new: last.new || new, ..last },
                _ => Collision { place: impact.place, velocity: *velocity, new },
            };
            *velocity = collision.velocity;
            let lost = stop_by(impact, velocity);
            if collision.new {
                *velocity = slowed(*velocity, friction * lost);
            }
            last = Some(collision);
            rest
        });
        travel.place = slid.place;
        if rested && slid.stopped && travel.place == from {
            // Wedged: what it would run into if it moved by some units is nothing new in every tick.
            travel.hits.list.clear();
        }
        if slid.halted {
            self.probe.touching_what_stopped(slid, travel.touch.renew());
        } else {
            self.probe.touching_end(slid, travel.touch.renew());
        }
        if travel.place == from {
            // A motion of less than a unit meets nothing: its velocity would grow until it does.
            travel.velocity = clip(travel.touch.now(), from, travel.velocity);
        }
        let slow = self.friction > 0.0 && travel.velocity.length() < self.rest_speed;
        if end == End::Stops || slid.stopped || (slow && self.is_held(travel.place, travel.touch.now())) {
            travel.velocity = DVec2::ZERO;
        }
        if travel.velocity == DVec2::ZERO {
            come_to_rest(travel);
        }
    }

    /// The acceleration in a tick that begins touching surfaces: gravity, and friction on what gravity presses into.
    fn push(&mut self, travel: &Travel<'_>, time: f64) -> Push {
        let free = Push { acceleration: self.gravity, end: End::Moves };
        if self.friction == 0.0 || travel.touch.now().is_empty() {
            return free;
        }
        let pressed = self.probe.pressed(travel.touch.now(), travel.place, self.gravity, travel.velocity);
        if pressed.is_empty() {
            return free;
        }
        let along = clip(pressed, travel.place, self.gravity);
        let braking = self.friction * (self.gravity - along).length();
        let velocity = clip(pressed, travel.place, travel.velocity);
        let speed = velocity.length();
        if speed == 0.0 {
            // At rest: friction takes what it can of the pull along the surface. What is left of gravity keeps gravity's
            // direction, so that the body goes where it would go without friction, at a corner too.
            let pull = along.length();
            if pull <= braking {
                return Push { acceleration: DVec2::ZERO, end: End::Rests };
            }
            return Push { acceleration: self.gravity * (1.0 - braking / pull), end: End::Moves };
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

    /// Bounces: each impact at the velocity of its moment, until the tick is over. What is left of the tick after as many
    /// as there may be is dropped; the velocity stays. But a body that has not moved in all of them is squeezed between
    /// what it bounced off: it loses the velocity that leads into any of that, and slides on.
    fn bounce(&mut self, travel: &mut Travel<'_>, factor: f64) {
        let mut left = self.tick;
        let from = travel.place;
        let mut squeezed = true;
        self.probe.forget_bounces();
        for _ in 0..tolerance::BOUNCES {
            let motion = self.motion(travel.velocity, self.gravity, left);
            let (start, steps) = (travel.place, travel.path.len());
            // The time of the impact in seconds and the velocity after the bounce.
            let mut met: Option<(f64, Option<DVec2>)> = None;
            let fall = Fall { velocity: travel.velocity, gravity: self.gravity };
            let (hits, bounce) = (&mut travel.hits, Bounce { factor, friction: self.friction, rest: self.rest_speed });
            let slid = self.probe.slide(start, motion, travel.path, |impact, _| {
                let time = fall.time_to(impact, start, left);
                let at_impact = fall.velocity + fall.gravity * time;
                let thrown = bounce.thrown_back(impact, at_impact);
                if thrown.is_some() {
                    hits.note_all(impact, at_impact);
                }
                met = Some((time, thrown));
                I64Vec2::ZERO
            });
            match met {
                None => {
                    travel.place = slid.place;
                    travel.velocity += self.gravity * left;
                    return self.probe.touching_end(slid, travel.touch.renew());
                }
                Some((_, None)) => {
                    // Too slow to bounce: the same time is slid.
                    travel.path.truncate(steps);
                    return self.slide_on(travel, left);
                }
                Some((time, Some(thrown))) => {
                    travel.place = slid.place;
                    travel.velocity = thrown;
                    left -= time;
                    squeezed &= is_near(from, travel.place);
                    self.probe.remember_bounce();
                    self.probe.touching(travel.place, travel.touch.renew());
                }
            }
        }
        if squeezed {
            travel.velocity = clip(self.probe.bounced_off(), travel.place, travel.velocity);
            self.slide_on(travel, left);
        }
    }

    fn motion(&self, velocity: DVec2, acceleration: DVec2, time: f64) -> I64Vec2 {
        units((velocity + (velocity + acceleration * time)) * (time / 2.0))
    }
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
    fn time_to(&self, impact: &Impact<'_>, start: Place, left: f64) -> f64 {
        let way = to_lengths(impact.place - start);
        let times = impact.struck.iter().map(|surface| {
            let inwards = -surface.normal(impact.place).as_dvec2().normalize_or_zero();
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
}

impl Bounce {
    /// The velocity after a bounce; `None` if the body comes too slowly, or not at all, and slides instead.
    fn thrown_back(&self, impact: &Impact<'_>, velocity: DVec2) -> Option<DVec2> {
        let mut normals = impact.struck.iter().map(|s| s.normal(impact.place).as_dvec2());
        let normal = normals.next()?;
        if normals.any(|other| other.perp_dot(normal) != 0.0) {
            return (velocity.length() > self.rest).then_some(velocity * -self.factor);
        }
        let approach = -normal.dot(velocity) / normal.length();
        if approach <= self.rest || self.factor == 0.0 {
            return None;
        }
        let lost = normal * (normal.dot(velocity) / normal.length_squared());
        let along = slowed(velocity - lost, self.friction * approach * (1.0 + self.factor));
        Some(along - lost * self.factor)
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

/// The impacts of a slide at one place.
#[derive(Clone, Copy)]
struct Collision {
    /// Where the first of them was.
    place: Place,
    /// The velocity before the first, in tiles per second.
    velocity: DVec2,
    /// Whether a surface is struck that was not touched when the tick began.
    new: bool,
}

/// Takes the velocity of a body, and what it ran into without touching it now.
fn come_to_rest(travel: &mut Travel<'_>) {
    travel.velocity = DVec2::ZERO;
    travel.hits.keep_touched(travel.place, travel.touch.now());
}

/// Whether two places are so near that a body that is stopped at one of them may be put back to the other.
fn is_near(first: Place, second: Place) -> bool {
    (second - first).abs().max_element() <= tolerance::SETTLE
}

/// A velocity made smaller by an amount, at most to nothing.
fn slowed(velocity: DVec2, by: f64) -> DVec2 {
    let speed = velocity.length();
    if speed <= by { DVec2::ZERO } else { velocity * ((speed - by) / speed) }
}
