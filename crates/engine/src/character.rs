//! A plain walking and jumping character: from input to motion.

use crate::body::{BodyError, within};
use crate::motion::{Impact, Scene, Shape, Surface, Surfaces, Touching, WalkEnd, clip, units};
use crate::travel::{Struck, Travel};
use glam::{DVec2, I64Vec2};
use serde::{Deserialize, Serialize};
use surefoot_geometry::ONE;

/// How a character moves. Speeds in tiles per second, accelerations in tiles per second squared.
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
///
/// let heavy = Character { jump_height: 2.0, walk_speed: 5.0, ..Character::default() };
/// assert!(heavy.check().is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Character {
    /// Speed along the ground at full input.
    pub walk_speed: f64,
    /// How fast it gets there on the ground.
    pub ground_acceleration: f64,
    /// How fast it stops or turns round on the ground.
    pub ground_braking: f64,
    /// How fast its sideways speed follows the input in the air.
    pub air_acceleration: f64,
    /// How high it jumps, in tiles, under the world's gravity.
    pub jump_height: f64,
    /// The fastest fall.
    pub fall_speed: f64,
}

impl Default for Character {
    /// 8 tiles per second, 3.2 tiles high: at home in levels of one-tile steps under the default gravity.
    fn default() -> Character {
        Character {
            walk_speed: 8.0,
            ground_acceleration: 60.0,
            ground_braking: 80.0,
            air_acceleration: 40.0,
            jump_height: 3.2,
            fall_speed: 24.0,
        }
    }
}

impl Character {
    /// Refuses numbers that are not finite or negative.
    ///
    /// # Errors
    /// [`BodyError::OutOfRange`] for the first of them.
    pub fn check(&self) -> Result<(), BodyError> {
        let most = crate::body::MAX_SPEED;
        within("character.walk_speed", self.walk_speed, 0.0, most)?;
        within("character.ground_acceleration", self.ground_acceleration, 0.0, most)?;
        within("character.ground_braking", self.ground_braking, 0.0, most)?;
        within("character.air_acceleration", self.air_acceleration, 0.0, most)?;
        within("character.jump_height", self.jump_height, 0.0, most)?;
        within("character.fall_speed", self.fall_speed, 0.0, most)
    }
}

/// What a player holds down. It stays until it is set again.
///
/// `walk` goes from -127, full speed to the left, to 127, full speed to the right. A jump starts when `jump` goes down
/// while the character stands; `down` lets it drop through tiles whose legend entry says so; `up` is the game's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Input {
    /// -127 to 127, right is positive; -128 counts as -127.
    pub walk: i8,
    /// Jump is held.
    pub jump: bool,
    /// Down is held.
    pub down: bool,
    /// Up is held.
    pub up: bool,
}

/// What a character remembers from tick to tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct CharacterState {
    /// Speed along the ground to the right, while it stands.
    pub(crate) speed: f64,
    /// It stands: it walks by the ground and gravity does not move it.
    pub(crate) standing: bool,
    /// Jump was held in the last tick.
    pub(crate) jump_held: bool,
}

/// One tick of a character.
pub(crate) struct Walker<'a> {
    pub(crate) scene: Scene<'a>,
    pub(crate) shape: Shape,
    pub(crate) character: &'a Character,
    pub(crate) input: Input,
    /// Tiles per second squared, the body's factor included.
    pub(crate) gravity: DVec2,
    /// Seconds.
    pub(crate) tick: f64,
}

impl Walker<'_> {
    /// Moves the character by one tick from where it stands, touching `surfaces`.
    pub(crate) fn step(&self, state: &mut CharacterState, travel: &mut Travel, surfaces: Surfaces) {
        let place = travel.place;
        let floor = Touching::of(&surfaces, place, &self.scene.frame).floor;
        let jumps = self.input.jump && !state.jump_held;
        state.jump_held = self.input.jump;
        if state.standing && floor && !jumps {
            return self.walk(state, travel, surfaces);
        }
        if state.standing && floor {
            let right = self.scene.frame.right();
            travel.velocity = right * travel.velocity.dot(right) + self.scene.frame.up() * self.jump_speed();
        }
        state.standing = false;
        self.fall(state, travel);
    }

    /// The speed that reaches the jump height: v^2 = 2 g h.
    fn jump_speed(&self) -> f64 {
        (2.0 * self.gravity.dot(self.scene.frame.up()).abs() * self.character.jump_height).sqrt()
    }

    /// The speed asked for, to the right.
    fn wanted(&self) -> f64 {
        self.character.walk_speed * f64::from(self.input.walk.max(-127)) / 127.0
    }

    fn walk(&self, state: &mut CharacterState, travel: &mut Travel, surfaces: Surfaces) {
        let wanted = self.wanted();
        let speeds_up = wanted * state.speed >= 0.0 && wanted.abs() > state.speed.abs();
        let rate = if speeds_up { self.character.ground_acceleration } else { self.character.ground_braking };
        let speed = toward(state.speed, wanted, rate * self.tick);
        let length = self.tick * (state.speed + speed) / 2.0;
        state.speed = speed;
        if length == 0.0 && speed == 0.0 {
            travel.velocity = DVec2::ZERO;
            travel.surfaces = Some(surfaces);
            return;
        }
        self.go(state, travel, length, surfaces);
    }

    /// Walks a length along the ground, and goes on through the air where the ground ends.
    fn go(&self, state: &mut CharacterState, travel: &mut Travel, length: f64, surfaces: Surfaces) {
        let walked = self.scene.walk(self.shape, travel.place, length, surfaces);
        travel.path.extend(walked.steps.iter().copied());
        travel.place = walked.place;
        state.standing = true;
        let speed = state.speed;
        for (place, surface) in &walked.struck {
            let normal = surface.normal(*place).as_dvec2().normalize_or_zero();
            let way = self.scene.frame.right() * speed;
            travel.hits.push(Struck { surface: *surface, place: *place, speed: (-normal.dot(way)).max(0.0) });
        }
        match walked.end {
            WalkEnd::OnFloor(direction) => {
                travel.velocity = direction * speed;
                travel.surfaces = Some(walked.surfaces);
            }
            WalkEnd::Blocked => {
                state.speed = 0.0;
                travel.velocity = DVec2::ZERO;
                travel.surfaces = Some(walked.surfaces);
            }
            WalkEnd::InAir { rest, direction } => {
                state.standing = false;
                travel.velocity = direction * speed;
                self.fly(state, travel, rest, false);
            }
        }
    }

    fn fall(&self, state: &mut CharacterState, travel: &mut Travel) {
        let (up, right) = (self.scene.frame.up(), self.scene.frame.right());
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
    fn fly(&self, state: &mut CharacterState, travel: &mut Travel, motion: I64Vec2, lands: bool) {
        let right = self.scene.frame.up.right();
        let frame = self.scene.frame;
        let mut landed = None;
        let on_floor = |impact: &Impact| impact.struck.iter().any(|s| frame.is_floor(s.normal(impact.place)));
        let slid = self.scene.slide_with(self.shape, travel.place, motion, |impact, rest| {
            if lands && on_floor(impact) {
                landed = Some(rest.dot(right));
                return I64Vec2::ZERO;
            }
            self.scene.unclimbed(&impact.held, impact.place, rest)
        });
        travel.place = slid.place;
        travel.path.extend(slid.steps.iter().copied());
        for impact in &slid.impacts {
            travel.note(impact);
            let sideways = travel.velocity.dot(frame.right());
            let held = &impact.held;
            let free = self.scene.unclimbed_velocity(held, impact.place, travel.velocity);
            travel.velocity = clip(held, impact.place, free);
            if landed.is_some() && on_floor(impact) {
                state.speed = sideways;
                let surfaces = self.scene.touching(self.shape, travel.place);
                let rest = landed.unwrap_or_default() as f64 / ONE as f64;
                return self.land(state, travel, rest, surfaces);
            }
        }
        if slid.stopped {
            travel.velocity = DVec2::ZERO;
        }
        let surfaces = self.scene.touching(self.shape, travel.place);
        self.stand(state, travel, &surfaces);
        travel.surfaces = Some(surfaces);
    }

    /// Comes down on a floor with a sideways speed and a rest of the way.
    fn land(&self, state: &mut CharacterState, travel: &mut Travel, rest: f64, surfaces: Surfaces) {
        // A way against the speed is none: landing never moves a character backwards.
        let rest = if rest * state.speed > 0.0 { rest } else { 0.0_f64.copysign(state.speed) };
        self.go(state, travel, rest, surfaces);
    }

    /// Stands if the flight ended on a floor, or between steep surfaces that hold it.
    fn stand(&self, state: &mut CharacterState, travel: &mut Travel, surfaces: &Surfaces) {
        let place = travel.place;
        let rests_on = |surface: &Surface| {
            let normal = surface.normal(place);
            self.scene.frame.is_floor(normal) && normal.as_dvec2().dot(travel.velocity) <= 0.0
        };
        let floor = surfaces.iter().find(|s| rests_on(s));
        let wedged =
            floor.is_none() && travel.velocity == DVec2::ZERO && Touching::of(surfaces, place, &self.scene.frame).floor;
        if floor.is_some() || wedged {
            state.standing = true;
            state.speed = if wedged { 0.0 } else { travel.velocity.dot(self.scene.frame.right()) };
        }
    }
}

/// A value moved towards a goal by at most a step.
fn toward(value: f64, goal: f64, step: f64) -> f64 {
    if (goal - value).abs() <= step { goal } else { value + step * (goal - value).signum() }
}
