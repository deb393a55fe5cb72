//! A plain walking and jumping character: from input to motion.

use crate::body::{Character, CharacterState, Input};
use crate::motion::{Impact, Probe, Surface, Touching, Walk, WalkEnd, clip, units};
use crate::travel::Travel;
use glam::{DVec2, I64Vec2};
use surefoot_geometry::ONE;
use surefoot_geometry::exact::tangent;

/// One tick of a character.
pub(crate) struct Walker<'a, 'p> {
    pub(crate) probe: &'a mut Probe<'p>,
    pub(crate) character: &'a Character,
    pub(crate) input: Input,
    /// Whether it touches a floor, or is held like on one, as the tick begins.
    pub(crate) on_floor: bool,
    /// Tiles per second squared, the body's factor included.
    pub(crate) gravity: DVec2,
    /// Seconds.
    pub(crate) tick: f64,
}

impl Walker<'_, '_> {
    /// Moves the character by one tick.
    pub(crate) fn step(&mut self, state: &mut CharacterState, travel: &mut Travel<'_>) {
        let frame = self.probe.scene.frame;
        let jumps = self.input.jump && !state.jump_held;
        state.jump_held = self.input.jump;
        let stands = state.standing && self.on_floor;
        if stands && !jumps {
            return self.walk(state, travel);
        }
        if stands {
            let right = frame.right();
            travel.velocity = right * travel.velocity.dot(right) + frame.up() * self.jump_speed();
        }
        state.standing = false;
        self.fall(state, travel);
    }

    /// The speed that reaches the jump height: v^2 = 2 g h.
    fn jump_speed(&self) -> f64 {
        (2.0 * self.gravity.dot(self.probe.scene.frame.up()).abs() * self.character.jump_height).sqrt()
    }

    /// The speed asked for, to the right.
    fn wanted(&self) -> f64 {
        self.character.walk_speed * f64::from(self.input.walk.max(-127)) / 127.0
    }

    fn walk(&mut self, state: &mut CharacterState, travel: &mut Travel<'_>) {
        let wanted = self.wanted();
        let speeds_up = wanted * state.speed >= 0.0 && wanted.abs() > state.speed.abs();
        let rate = if speeds_up { self.character.ground_acceleration } else { self.character.ground_braking };
        let speed = toward(state.speed, wanted, rate * self.tick);
        let length = self.tick * (state.speed + speed) / 2.0;
        state.speed = speed;
        if length == 0.0 && speed == 0.0 {
            travel.velocity = DVec2::ZERO;
            return;
        }
        self.go(state, travel, length);
    }

    /// Walks a length along the ground, and goes on through the air where the ground ends.
    fn go(&mut self, state: &mut CharacterState, travel: &mut Travel<'_>, length: f64) {
        let speed = state.speed;
        let way = self.probe.scene.frame.right() * speed;
        let hits = &mut travel.hits;
        let mut struck = |place, surface: &Surface| hits.note(surface, place, way);
        let mut walk = Walk { place: travel.place, touch: &mut travel.touch, path: travel.path, struck: &mut struck };
        if let Some(direction) = self.probe.stroll(&mut walk, length) {
            travel.place = walk.place;
            travel.velocity = direction * speed;
            state.standing = true;
            return;
        }
        let end = self.probe.walk(&mut walk, length);
        if matches!(end, WalkEnd::OnFloor(_)) {
            self.probe.find_run(&walk);
        }
        travel.place = walk.place;
        state.standing = true;
        match end {
            WalkEnd::OnFloor(direction) => travel.velocity = direction * speed,
            WalkEnd::Blocked => {
                state.speed = 0.0;
                travel.velocity = DVec2::ZERO;
            }
            WalkEnd::InAir { rest, direction } => {
                state.standing = false;
                travel.velocity = direction * speed;
                self.fly(state, travel, rest, false);
            }
        }
    }

    fn fall(&mut self, state: &mut CharacterState, travel: &mut Travel<'_>) {
        let frame = self.probe.scene.frame;
        let (up, right) = (frame.up(), frame.right());
        let before = travel.velocity;
        let sideways = before.dot(right);
        let steered = toward(sideways, self.wanted(), self.character.air_acceleration * self.tick);
        // Without input the air neither brakes nor pushes.
        let steered = if self.input.walk == 0 { sideways } else { steered };
        let fallen = before + self.gravity * self.tick;
        let rises = fallen.dot(up).max(-self.character.fall_speed.max(-before.dot(up)));
        let after = right * (steered + fallen.dot(right) - sideways) + up * rises;
        travel.velocity = after;
        let motion = units((before + after) * (self.tick / 2.0));
        self.fly(state, travel, motion, true);
    }

    /// Flies by a displacement; comes it to a floor, the rest of the way is walked if `lands`.
    fn fly(&mut self, state: &mut CharacterState, travel: &mut Travel<'_>, motion: I64Vec2, lands: bool) {
        let scene = self.probe.scene;
        let frame = scene.frame;
        // The rest of the way and the speed, to the right, with which it comes to a floor.
        let mut landed: Option<(i64, f64)> = None;
        let from = travel.place;
        if self.probe.is_clear(from, motion) {
            if motion != I64Vec2::ZERO {
                travel.place = from + motion;
                travel.path.push(travel.place);
            }
            travel.touch.renew().clear();
            return;
        }
        let (hits, velocity) = (&mut travel.hits, &mut travel.velocity);
        let slid = self.probe.slide(from, motion, travel.path, |impact, rest| {
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
        self.probe.touching_after(slid, from, travel.touch.renew());
        match landed {
            Some((rest, speed)) => self.land(state, travel, rest as f64 / ONE as f64, speed),
            None => self.stand(state, travel),
        }
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

/// A value moved towards a goal by at most a step.
fn toward(value: f64, goal: f64, step: f64) -> f64 {
    if (goal - value).abs() <= step { goal } else { value + step * (goal - value).signum() }
}
