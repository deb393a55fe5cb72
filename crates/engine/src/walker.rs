//! A plain walking and jumping character: from input to motion.

use crate::body::{Character, CharacterState, Input};
use crate::motion::{Frame, Impact, Mover, Probe, Surface, Touching, Walk, WalkEnd, clip, units};
use crate::travel::Travel;
use glam::{DVec2, I64Vec2};
use surefoot_geometry::ONE;
use surefoot_geometry::exact::tangent;

/// What a character's player and gravity ask of a tick.
pub(crate) struct Gait<'a> {
    pub(crate) character: &'a Character,
    pub(crate) input: Input,
    pub(crate) frame: &'a Frame,
    /// Tiles per second squared, the body's factor included.
    pub(crate) gravity: DVec2,
    /// Seconds.
    pub(crate) tick: f64,
}

/// How a character is to move in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Intent {
    /// Along the ground: a length in tiles, to the right if positive, and the speed at the end of it.
    Walk { length: f64, speed: f64 },
    /// Through the air, with the velocity at the end of the tick.
    Fly { motion: I64Vec2, velocity: DVec2 },
}

impl Gait<'_> {
    /// What is asked of a character that touches a floor, or is held like on one, or does not; with its velocity in tiles
    /// per second.
    #[inline(always)]
    pub(crate) fn intent(&self, state: &CharacterState, on_floor: bool, velocity: DVec2) -> Intent {
        let jumps = self.input.jump && !state.jump_held;
        let stands = state.standing && on_floor;
        if stands && !jumps {
            return self.walk(state.speed);
        }
        if !stands {
            return self.fall(velocity);
        }
        let right = self.frame.right();
        self.fall(right * velocity.dot(right) + self.frame.up() * self.jump_speed())
    }

    /// The speed that reaches the jump height: v^2 = 2 g h.
    fn jump_speed(&self) -> f64 {
        (2.0 * self.gravity.dot(self.frame.up()).abs() * self.character.jump_height).sqrt()
    }

    /// The speed asked for, to the right.
    #[inline(always)]
    fn wanted(&self) -> f64 {
        self.character.walk_speed * f64::from(self.input.walk.max(-127)) / 127.0
    }

    #[inline(always)]
    fn walk(&self, before: f64) -> Intent {
        let wanted = self.wanted();
        let speeds_up = wanted * before >= 0.0 && wanted.abs() > before.abs();
        let rate = if speeds_up { self.character.ground_acceleration } else { self.character.ground_braking };
        // Adding nothing makes a negative zero positive.
        let speed = toward(before, wanted, rate * self.tick) + 0.0;
        Intent::Walk { length: self.tick * (before + speed) / 2.0, speed }
    }

    #[inline(always)]
    fn fall(&self, before: DVec2) -> Intent {
        let (up, right) = (self.frame.up(), self.frame.right());
        let sideways = before.dot(right);
        let steered = toward(sideways, self.wanted(), self.character.air_acceleration * self.tick);
        // Without input the air neither brakes nor pushes.
        let steered = if self.input.walk == 0 { sideways } else { steered };
        let fallen = before + self.gravity * self.tick;
        let rises = larger(fallen.dot(up), -larger(self.character.fall_speed, -before.dot(up)));
        let velocity = right * (steered + fallen.dot(right) - sideways) + up * rises;
        Intent::Fly { motion: units((before + velocity) * (self.tick / 2.0)), velocity }
    }
}

/// One tick of a character among the terrain.
pub(crate) struct Walker<'a> {
    pub(crate) probe: Probe<'a>,
}

impl Walker<'_> {
    /// Moves the character as it is meant to go.
    #[inline(always)]
    pub(crate) fn step(&mut self, intent: Intent, state: &mut CharacterState, travel: &mut Travel<'_>) {
        match intent {
            Intent::Walk { length, speed } => {
                state.speed = speed;
                // Beyond the longest motion the sweeps do not reach.
                self.go(state, travel, length.clamp(-Mover::MAX_MOTION, Mover::MAX_MOTION));
            }
            Intent::Fly { motion, velocity } => {
                state.standing = false;
                travel.velocity = velocity;
                self.fly(state, travel, motion, true);
            }
        }
    }

    /// Walks a length along the ground, and goes on through the air where the ground ends.
    #[inline(always)]
    fn go(&mut self, state: &mut CharacterState, travel: &mut Travel<'_>, length: f64) {
        match self.probe.known_walk(travel.place, length, &mut travel.touch) {
            Some((way, end)) => {
                travel.make_last(way);
                self.walked(state, travel, end);
            }
            None => self.aside(travel, |walker, travel| walker.go_among(state, travel, length)),
        }
    }

    /// Walks among pieces that are in the way.
    #[inline(never)]
    fn go_among(&mut self, state: &mut CharacterState, travel: &mut Travel<'_>, length: f64) {
        let way = self.probe.scene.frame.right() * state.speed;
        let hits = &mut travel.hits;
        let mut struck = |place, surface: &Surface| hits.note(surface, place, way);
        let mut walk = Walk { place: travel.place, touch: &mut travel.touch, path: travel.path, struck: &mut struck };
        let end = self.probe.walk_among(&mut walk, length);
        travel.place = walk.place;
        self.walked(state, travel, end);
    }

    /// Takes the end of a walk.
    #[inline(always)]
    fn walked(&mut self, state: &mut CharacterState, travel: &mut Travel<'_>, end: WalkEnd) {
        state.standing = true;
        match end {
            WalkEnd::OnFloor(direction) => travel.velocity = direction * state.speed,
            WalkEnd::Blocked => {
                state.speed = 0.0;
                travel.velocity = DVec2::ZERO;
            }
            WalkEnd::InAir { rest, direction } => {
                state.standing = false;
                travel.velocity = direction * state.speed;
                self.fly(state, travel, rest, false);
            }
        }
    }

    /// Flies by a displacement; comes it to a floor, the rest of the way is walked if `lands`.
    #[inline(always)]
    fn fly(&mut self, state: &mut CharacterState, travel: &mut Travel<'_>, motion: I64Vec2, lands: bool) {
        if self.probe.is_clear(travel.place, motion) {
            travel.make_last(motion);
            travel.touch.renew().clear();
        } else {
            self.aside(travel, |walker, travel| walker.fly_among(state, travel, motion, lands));
        }
    }

    /// Flies among pieces that are in the way.
    #[inline(never)]
    fn fly_among(&mut self, state: &mut CharacterState, travel: &mut Travel<'_>, motion: I64Vec2, lands: bool) {
        let scene = self.probe.scene;
        let frame = scene.frame;
        // The rest of the way and the speed, to the right, with which it comes to a floor.
        let mut landed: Option<(i64, f64)> = None;
        let from = travel.place;
        let (hits, velocity) = (&mut travel.hits, &mut travel.velocity);
        let slid = self.probe.slide_among(from, motion, travel.path, |impact, rest| {
            let &Impact { place, struck, held, .. } = impact;
            hits.note_all(impact, *velocity);
            let lands = lands && struck.iter().any(|s| frame.is_floor(s.normal(place)));
            let arrives = velocity.dot(frame.right());
            *velocity = clip(held, place, scene.unclimbed_velocity(held, place, *velocity));
            if lands {
                landed = Some((rest.dot(tangent(frame.axis())), arrives));
                return I64Vec2::ZERO;
            }
            scene.unclimbed(held, place, rest)
        });
        travel.place = slid.place;
        if slid.stopped {
            travel.velocity = DVec2::ZERO;
        }
        match landed {
            Some((rest, speed)) => {
                self.probe.touching_after(slid, from, travel.touch.renew());
                self.probe.add_floors_held(travel.touch.renew());
                self.land(state, travel, rest as f64 / ONE as f64, speed);
            }
            None => {
                self.probe.touching_after(slid, from, travel.touch.renew());
                self.stand(state, travel);
            }
        }
    }

    /// Does what takes longer on a copy of its own, so that what is quick stays in registers.
    #[inline(always)]
    fn aside(&mut self, travel: &mut Travel<'_>, slow: impl FnOnce(&mut Walker<'_>, &mut Travel<'_>)) {
        let mut walker = Walker { probe: self.probe.reborrow() };
        let mut own = travel.reborrow();
        slow(&mut walker, &mut own);
        let (place, velocity, news) = (own.place, own.velocity, own.touch.news());
        (travel.place, travel.velocity) = (place, velocity);
        travel.touch.take_over(news);
    }

    /// Comes down on a floor with a sideways speed and a rest of the way.
    fn land(&mut self, state: &mut CharacterState, travel: &mut Travel<'_>, rest: f64, speed: f64) {
        state.speed = speed;
        // A way against the speed is none: landing never moves a character backwards.
        let rest = if rest * speed > 0.0 { rest } else { 0.0_f64.copysign(speed) };
        self.go(state, travel, rest);
    }

    /// Stands if the flight ended on a floor, or between steep surfaces that hold it.
    fn stand(&mut self, state: &mut CharacterState, travel: &mut Travel<'_>) {
        let frame = self.probe.scene.frame;
        let place = travel.place;
        let rests_on = |surface: &Surface| {
            let normal = surface.normal(place);
            frame.is_floor(normal) && normal.as_dvec2().dot(travel.velocity) <= 0.0
        };
        if travel.touch.now().iter().any(rests_on) {
            state.standing = true;
            state.speed = travel.velocity.dot(frame.right());
            travel.velocity = clip(travel.touch.now(), place, travel.velocity);
            travel.place = self.probe.settle(place, travel.path);
            self.probe.touching(travel.place, travel.touch.renew());
        } else if travel.velocity == DVec2::ZERO && Touching::of(travel.touch.now(), place, &frame).floor {
            state.standing = true;
            state.speed = 0.0;
        }
    }
}

/// The larger of two numbers that are no NaN.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// A value moved towards a goal by at most a step.
fn toward(value: f64, goal: f64, step: f64) -> f64 {
    if (goal - value).abs() <= step { goal } else { value + step * (goal - value).signum() }
}
