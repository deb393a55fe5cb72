//! Character controller: turns input and gravity into an intent to walk, jump or fly. `walker` moves the character by
//! it.

use crate::body::{Character, Keys};
use crate::motion::{Frame, Touching, motion_to_units, tiles_to_units, tolerance, unit_vector};
use crate::movement::subtract_push;
use glam::{DVec2, I64Vec2};
use std::cmp::Ordering;
use surefoot_geometry::exact::tangent;
use surefoot_geometry::to_lengths;

/// Input and forces of a character in a tick.
pub(crate) struct Controller<'a, const PLAIN: bool = false> {
    pub(crate) character: &'a Character,
    pub(crate) input: Keys,
    pub(crate) frame: &'a Frame,
    /// Acceleration by gravity in tiles per second squared, including the body's gravity scale.
    pub(crate) gravity: &'a DVec2,
    /// Gravity by which jumps are computed: without the effects of areas.
    pub(crate) jump_gravity: &'a DVec2,
    /// Factor on the walk speed.
    pub(crate) speed_factor: f64,
    /// Speed to the right on the ground that wind adds to the wanted speed, in tiles per second.
    pub(crate) ground_wind: f64,
    /// The slide down the floor under the character, if friction does not hold the character there.
    pub(crate) slide: Option<SlopeSlide>,
    /// Tick length in seconds.
    pub(crate) tick: f64,
    /// Upward speed of the belt below, in tiles per second.
    pub(crate) lift: f64,
    /// Sides that the character touches.
    pub(crate) touching: Touching,
    /// Whether an ability sets the velocity. The velocity then stays constant.
    pub(crate) is_driven: bool,
    /// Speed along up, in tiles per second, down to which `apex_gravity_scale` acts in this tick. `None` if it does not
    /// act.
    pub(crate) hang_end: Option<f64>,
}

/// A slide of a character down a slope whose friction is too low to stand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlopeSlide {
    /// Acceleration by gravity along the floor, to the right, in tiles per second squared.
    pull: f64,
    /// Deceleration by friction.
    braking: f64,
}

/// How a character intends to move in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Intent {
    /// A length in tiles along the ground, to the right if positive, and the speed at the end of it.
    Walk { length: f64, speed: f64 },
    /// A motion through the air, and the velocity at the end of the tick. `take_off` is set for a jump off the ground.
    Fly { motion: I64Vec2, velocity: DVec2, take_off: Option<TakeOff> },
}

/// The run from which a character jumps off the ground. A jump up a slope may be too flat to leave it. Then the speed
/// of the run along the slope is added to the jump, so that the body rises off the slope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TakeOff {
    /// Speed along the ground when the jump begins, positive to the right, in tiles per second.
    pub(crate) speed: f64,
    /// Upward speed that is added to the jump's own, in tiles per second: of a belt, or of the run.
    pub(crate) lift: f64,
    /// Remaining duration of the jump's first tick, in seconds.
    pub(crate) tick: f64,
}

impl TakeOff {
    /// Adds the climb of the run up the floors ahead to the jump. Returns the velocity and the displacement in units
    /// with which the jump leaves these floors. `None` if the jump has no upward speed, such as a jump with a height of
    /// 0.
    ///
    /// `left` is the fraction of the tick that is left, 0 to 1. Sideways, the body moves at most as fast as it ran,
    /// so that air control does not press it into the slope.
    pub(crate) fn add_climb_of_floors(
        &mut self,
        frame: &Frame,
        floors: impl Iterator<Item = I64Vec2>,
        (velocity, rest): (DVec2, I64Vec2),
        left: f64,
    ) -> Option<(DVec2, I64Vec2)> {
        let (up, right, axis) = (frame.up(), frame.right(), frame.up_axis());
        let rise = |direction: DVec2| self.speed * direction.dot(up);
        // Among several floors, the one that the run climbs fastest counts.
        let directions = floors.map(|normal| unit_vector(tangent(normal)));
        let along = directions.max_by(|a, b| rise(*a).total_cmp(&rise(*b)))?;
        if rest.dot(axis) <= 0 {
            return None;
        }
        let (climb, sideways) = ((rise(along) - self.lift).max(0.0), self.speed * along.dot(right));
        self.lift += climb;
        let (least, most) = (sideways.min(0.0), sideways.max(0.0));
        let units = |speed: f64| tiles_to_units(speed * self.tick * left);
        let across = right.as_i64vec2();
        let velocity = right * velocity.dot(right).clamp(least, most) + up * (velocity.dot(up) + climb);
        let displacement =
            across * rest.dot(across).clamp(units(least), units(most)) + axis * (rest.dot(axis) + units(climb));
        Some((velocity, displacement))
    }

    /// Returns this run with `tick` seconds left of the first tick of the jump.
    pub(crate) fn with_time_left(self, tick: f64) -> TakeOff {
        TakeOff { tick, ..self }
    }

    /// Returns whether the speed of a run up a slope was added to the jump. The speed is relative to the belt under
    /// the character.
    pub(crate) fn has_run_speed(&self) -> bool {
        self.lift > 0.0
    }

    /// Returns whether the run leads up along any of the floors.
    pub(crate) fn runs_uphill_on_any(&self, frame: &Frame, mut floors: impl Iterator<Item = I64Vec2>) -> bool {
        floors.any(|normal| self.speed * tangent(normal).as_dvec2().dot(frame.up()) > 0.0)
    }
}

impl Intent {
    /// Returns whether the intent is a jump off the ground.
    #[inline(always)]
    pub(crate) fn is_jump(&self) -> bool {
        matches!(self, Intent::Fly { take_off: Some(_), .. })
    }

    /// Converts an intent relative to a belt of that speed to one relative to what the belt belongs to.
    pub(crate) fn relative_to_owner_of_belt(self, belt: f64, tick: f64) -> Intent {
        match self {
            Intent::Walk { length, speed } => Intent::Walk { length: length + belt * tick, speed: speed + belt },
            Intent::Fly { motion, velocity, take_off } => {
                let take_off = take_off.map(|run| TakeOff { speed: run.speed + belt, ..run });
                Intent::Fly { motion, velocity, take_off }
            }
        }
    }

    /// Subtracts the part of the motion that the push of a platform has already made, in units.
    ///
    /// A character that is pushed along its floor walks no further than without the push. If a wall blocks a rider,
    /// its speed away from the wall counts in the world.
    #[inline(never)]
    pub(crate) fn subtract_push(&mut self, push: I64Vec2, frame: &Frame) {
        match self {
            Intent::Walk { length, .. } => {
                let push = to_lengths(push).dot(frame.right());
                *length = if *length * push <= 0.0 {
                    *length
                } else if push.abs() < length.abs() {
                    *length - push
                } else {
                    0.0
                };
            }
            Intent::Fly { motion, .. } => *motion = subtract_push(*motion, push),
        }
    }
}

impl Character {
    /// Returns the speed factor along a floor of that normal, in the direction of the input.
    pub(crate) fn slope_factor(&self, frame: &Frame, normal: I64Vec2, input: Keys) -> f64 {
        // A floor whose normal leans to the left rises to the right.
        let (_, leans) = frame.components_up_and_right(normal);
        match (-leans.signum() * i64::from(input.walk.signum())).cmp(&0) {
            Ordering::Greater => self.uphill_speed_scale,
            Ordering::Less => self.downhill_speed_scale,
            Ordering::Equal => 1.0,
        }
    }
}

impl SlopeSlide {
    /// Returns the slide of a character down a floor of that normal and material, or `None` if its feet hold there.
    /// `friction`: friction of the material.
    #[inline(never)]
    pub(crate) fn find_slide_down_floor(
        character: &Character,
        frame: &Frame,
        normal: I64Vec2,
        (gravity, friction): (DVec2, f64),
    ) -> Option<SlopeSlide> {
        let (normal, weight) = (normal.as_dvec2().normalize_or_zero(), -gravity.dot(frame.up()));
        let (pull, pressure) = (weight * normal.dot(frame.right()), weight * normal.dot(frame.up()));
        let braking = character.slope_friction * friction * pressure;
        (character.slides_on_slopes() && pull.abs() > braking).then_some(SlopeSlide { pull, braking })
    }

    /// Returns the speed along the floor after a tick without input. Gravity accelerates the slide up to the speed
    /// `max_speed`.
    fn slide_speed_after_tick(self, speed_before: f64, max_speed: f64, tick: f64) -> f64 {
        let moves = if speed_before == 0.0 { self.pull } else { speed_before };
        let speed = speed_before + self.pull * tick - (self.braking * tick).copysign(moves);
        let most = larger(max_speed, speed_before * self.pull.signum());
        if speed * self.pull.signum() > most { most.copysign(self.pull) } else { speed }
    }
}

/// Returns the jump speed of a character with an apex hang. `whole` is the square of the speed without the hang.
pub(crate) fn jump_speed_with_apex_hang(character: &Character, whole: f64) -> f64 {
    let Character { apex_speed_threshold: slow, apex_gravity_scale: share, .. } = *character;
    if whole * share <= slow * slow {
        (whole * share).sqrt()
    } else {
        (whole - slow * slow * (1.0 - share) / share).sqrt()
    }
}

/// Returns the upward speed in tiles per second at which the apex hang of a released jump ends. It is chosen so that
/// the jump reaches `min_jump_height`.
///
/// The apex hang is the time around the apex in which gravity is reduced to `k` times its value `g`. `height` is the
/// height of the whole jump in tiles, `pull` the gravity against up, `tick` the tick length in seconds.
///
/// Within the hang, a held jump with the remaining speed `u` is at `height - u^2 / 2 k g`. Full gravity adds `u^2 / 2
/// g` from there. The sum is `height - q u^2 / 2 g` with `q = (1 - k) / k`, solved for `min_jump_height`. The apex
/// may lie between two ticks, so an additional `g dt^2 / 8` puts a tick at `min_jump_height`. If the whole jump is no
/// higher than that, the hang continues as if the button were held.
pub(crate) fn end_speed_of_released_hang(character: &Character, height: f64, pull: f64, tick: f64) -> f64 {
    let Character { apex_speed_threshold: apex_speed, apex_gravity_scale: share, min_jump_height: tap_height, .. } =
        *character;
    let spare = height - tap_height - pull * tick * tick / 8.0;
    if spare > 0.0 { (2.0 * pull * spare * share / (1.0 - share)).sqrt() } else { -apex_speed }
}

impl<'a, const PLAIN: bool> Controller<'a, PLAIN> {
    /// Returns the controller of a character on which no area and no belt acts and which touches no wall.
    #[inline(always)]
    pub(crate) fn new_on_open_ground(
        character: &'a Character,
        input: Keys,
        frame: &'a Frame,
        gravity: &'a DVec2,
        tick: f64,
    ) -> Controller<'a, PLAIN> {
        let hang_end = (character.has_apex_hang() && input.is_jump_held()).then_some(-character.apex_speed_threshold);
        Controller {
            character,
            input,
            frame,
            gravity,
            jump_gravity: gravity,
            speed_factor: 1.0,
            ground_wind: 0.0,
            slide: None,
            tick,
            lift: 0.0,
            touching: Touching::default(),
            is_driven: false,
            hang_end,
        }
    }
}

impl<const PLAIN: bool> Controller<'_, PLAIN> {
    /// Returns the intent of a character. `ground` is its speed along the ground, or `None` in the air; `velocity` is
    /// in tiles per second. `asks_to_jump`: it jumps or dashes if it is on the ground.
    #[inline(always)]
    pub(crate) fn intent(&self, ground: Option<f64>, velocity: DVec2, asks_to_jump: bool) -> Intent {
        let speed = match ground {
            Some(speed) if !asks_to_jump => return self.intent_on_ground(speed),
            _ if !PLAIN && self.is_driven => {
                return Intent::Fly { motion: motion_to_units(velocity * self.tick), velocity, take_off: None };
            }
            Some(speed) => speed,
            None => return self.intent_in_air(velocity, None),
        };
        let right = self.frame.right();
        let take_off = TakeOff { speed, lift: self.lift, tick: self.tick };
        let jump = right * velocity.dot(right) + self.frame.up() * (self.jump_speed() + self.lift);
        self.intent_in_air(jump, Some(take_off))
    }

    /// Returns the intent of a character with the velocity `velocity` in the world, relative to its carrier of the
    /// velocity `carrier`.
    pub(crate) fn intent_on_carrier(
        &self,
        carrier: DVec2,
        ground: Option<f64>,
        velocity: DVec2,
        asks_to_jump: bool,
    ) -> Intent {
        self.intent(ground, velocity - carrier, asks_to_jump)
    }

    /// Returns the speed that reaches the jump height.
    pub(crate) fn jump_speed(&self) -> f64 {
        self.speed_for_height(self.character.jump_height)
    }

    /// Returns the speed that reaches a height: v^2 = 2 g h. With an apex hang the height is `(v^2 - s^2) / 2 g + s^2 /
    /// 2 k g`, or `v^2 / 2 k g` if the whole jump is slower than the hang threshold.
    pub(crate) fn speed_for_height(&self, height: f64) -> f64 {
        let whole = 2.0 * self.gravity_size() * height;
        if PLAIN || !self.character.has_apex_hang() {
            whole.sqrt()
        } else {
            jump_speed_with_apex_hang(self.character, whole)
        }
    }

    /// Returns the upward speed that the apex hang saves in a tick, and a correction of the displacement: with the
    /// hang, the mean of the speeds at start and end of the tick is not the mean speed.
    ///
    /// The tick starts at the upward speed `speed` and would lose `loss` of it without the hang. The hang acts down
    /// to the speed `end`. `least` is the upward speed at which the fall stops accelerating.
    #[inline(never)]
    fn speed_and_distance_gained_by_hang(&self, speed: f64, loss: f64, end: f64, least: f64) -> (f64, f64) {
        let Character { apex_speed_threshold: slow, apex_gravity_scale: share, .. } = *self.character;
        if !self.character.has_apex_hang() || loss <= 0.0 || speed <= end || end >= slow || speed - loss >= slow {
            return (0.0, 0.0);
        }
        // Split the tick into the parts before, during and after the hang.
        let enters = speed.min(slow);
        let before = (speed - enters) / loss;
        let within = ((enters - end) / (share * loss)).min(1.0 - before);
        let after = 1.0 - before - within;
        let (leaves, kept) = (enters - share * loss * within, (1.0 - share) * loss * within);
        let (leaves, end) = (larger(leaves, least), larger(speed - loss + kept, least));
        let distance = (speed + enters) * before + (enters + leaves) * within + (leaves + end) * after;
        (kept, (distance - speed - end) * self.tick / 2.0)
    }

    /// Returns the size of gravity's component along up.
    pub(crate) fn gravity_size(&self) -> f64 {
        self.jump_gravity.dot(self.frame.up()).abs()
    }

    /// Returns the speed to which a jump of that height is slowed when the button is released, in tiles per second.
    ///
    /// If the jump is cut after its first tick, it then reaches `min_jump_height` after a whole number of ticks. A
    /// flight of speed `v` is at `v t - g t^2 / 2` after each tick.
    pub(crate) fn speed_after_jump_cut(&self, height: f64) -> f64 {
        let (tick, pull) = (self.tick, self.gravity_size());
        let speed = self.speed_for_height(height);
        let (kept, way) = self.speed_and_distance_gained_by_hang(
            speed,
            pull * tick,
            -self.character.apex_speed_threshold,
            f64::NEG_INFINITY,
        );
        let left = self.character.min_jump_height - (speed - pull * tick / 2.0) * tick - (kept * tick / 2.0 + way);
        if left <= 0.0 || pull == 0.0 {
            return 0.0;
        }
        let time = ((2.0 * left / pull).sqrt() / tick).round().max(1.0) * tick;
        left / time + pull * time / 2.0
    }

    /// Returns whether the input points against a wall that the character touches.
    fn is_pressing_wall(&self) -> bool {
        let Controller { input, touching, .. } = self;
        (input.walk > 0 && touching.wall_right) || (input.walk < 0 && touching.wall_left)
    }

    /// Returns the walk speed that the input requests, to the right.
    #[inline(always)]
    pub(crate) fn wanted_speed(&self) -> f64 {
        self.character.walk_speed * self.speed_factor * f64::from(self.input.walk.max(-127)) / 127.0
    }

    /// Returns the intent of a character that stays on the ground. `before`: its speed along the ground.
    #[inline(always)]
    pub(crate) fn intent_on_ground(&self, before: f64) -> Intent {
        let wanted = if PLAIN { self.wanted_speed() } else { self.wanted_speed() + self.ground_wind };
        if !PLAIN && let Some(slide) = self.slide {
            return self.intent_sliding_down(before, wanted, slide);
        }
        if before == wanted {
            let speed = wanted + 0.0;
            return Intent::Walk { length: self.tick * (before + speed) / 2.0, speed };
        }
        let speeds_up = wanted * before >= 0.0 && wanted.abs() > before.abs();
        let Character { ground_acceleration, ground_braking, ground_turning, .. } = *self.character;
        let (goal, rate) = if speeds_up {
            (wanted, ground_acceleration)
        } else if !PLAIN && wanted * before < 0.0 && ground_turning > 0.0 {
            // In this tick, only brake to a stop. The next tick accelerates in the new direction.
            (0.0, ground_turning)
        } else {
            (wanted, ground_braking)
        };
        // Adding zero turns a negative zero into a positive one, so that equal speeds have equal bits.
        let speed = move_towards(before, goal, rate * self.tick) + 0.0;
        Intent::Walk { length: self.tick * (before + speed) / 2.0, speed }
    }

    /// Walks on a slope that the character slides down. Its input accelerates it, and does not brake it.
    #[inline(never)]
    fn intent_sliding_down(&self, before: f64, wanted: f64, slide: SlopeSlide) -> Intent {
        let slid = slide.slide_speed_after_tick(before, self.character.max_fall_speed, self.tick);
        let is_driven = wanted != 0.0 && slid * wanted.signum() < wanted.abs();
        let step = self.character.ground_acceleration * self.tick;
        let speed = if is_driven { move_towards(slid, wanted, step) } else { slid } + 0.0;
        Intent::Walk { length: self.tick * (before + speed) / 2.0, speed }
    }

    #[inline(always)]
    fn intent_in_air(&self, before: DVec2, take_off: Option<TakeOff>) -> Intent {
        let (up, right) = (self.frame.up(), self.frame.right());
        let sideways = before.dot(right);
        let wanted = self.wanted_speed();
        let Character { air_acceleration, air_braking, air_turning, .. } = *self.character;
        let (goal, rate) = if self.input.walk == 0 {
            // Without input, nothing changes the horizontal speed except `air_braking`.
            (0.0, if PLAIN { 0.0 } else { air_braking })
        } else if !PLAIN && wanted * sideways < 0.0 && air_turning > 0.0 {
            (0.0, air_turning)
        } else {
            (wanted, air_acceleration)
        };
        let drifts = self.input.walk == 0 && rate == 0.0;
        let steered = if drifts { sideways } else { move_towards(sideways, goal, rate * self.tick) };
        let mut fallen = before + self.gravity * self.tick;
        if !PLAIN && self.character.fall_gravity_scale != 1.0 && before.dot(up) <= tolerance::MAX_FALLING_RISE_SPEED {
            fallen += up * ((self.character.fall_gravity_scale - 1.0) * self.gravity.dot(up).min(0.0) * self.tick);
        }
        let (mut fastest, mut falls) = (self.character.max_fall_speed, -before.dot(up));
        if !PLAIN && self.character.fast_fall_speed > fastest {
            if self.input.is_down_held() {
                fastest = self.character.fast_fall_speed;
            } else {
                falls -= self.gravity.dot(up).abs() * self.tick;
            }
        }
        let mut least = -larger(fastest, falls);
        let slides = self.character.wall_slide_speed;
        if !PLAIN && slides > 0.0 && self.is_pressing_wall() {
            let braked = -before.dot(up) - self.character.ground_braking * self.tick;
            least = larger(least, -larger(slides, braked));
        }
        let mut more = DVec2::ZERO;
        if !PLAIN && let Some(end) = self.hang_end {
            let (kept, way) =
                self.speed_and_distance_gained_by_hang(before.dot(up), (before - fallen).dot(up), end, least);
            fallen += up * kept;
            more = up * way;
        }
        let rises = larger(fallen.dot(up), least);
        let velocity = right * (steered + fallen.dot(right) - sideways) + up * rises;
        Intent::Fly { motion: motion_to_units((before + velocity) * (self.tick / 2.0) + more), velocity, take_off }
    }
}

/// Returns the larger of two numbers. Neither is NaN.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Moves a value towards a goal by at most `step`, which is not negative.
fn move_towards(value: f64, goal: f64, step: f64) -> f64 {
    if (goal - value).abs() <= step { goal } else { value + step.copysign(goal - value) }
}
