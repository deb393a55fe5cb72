//! Character controller: turns input and gravity into walking, jumping and flying, and moves the character.

use crate::body::{Character, Keys, MAX_SPEED};
use crate::motion::{
    FloorBends, Frame, Impact, Mover, Path, Probe, RunOff, Slide, Surface, Touch, Touching, Trace, Walk, WalkEnd,
    WalkProgress, floors_of, tolerance, unit, units,
};
use crate::movement::{Movement, append_last_part_to, subtract_push};
use crate::rebound::{FlightRest, Rebound};
use crate::world::Settings;
use glam::{DVec2, I64Vec2};
use std::cmp::Ordering;
use surefoot_geometry::exact::tangent;
use surefoot_geometry::exact::tolerance::TOUCH;
use surefoot_geometry::{ONE, Position, to_lengths};

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
    lift: f64,
    /// Remaining duration of the jump's first tick, in seconds.
    tick: f64,
}

impl TakeOff {
    /// Returns the velocity and the displacement in units with which the jump leaves the floors ahead. `None` if the
    /// jump has no upward speed, such as a jump with a height of 0.
    ///
    /// `left` is the fraction of the tick that is left, 0 to 1. Sideways, the body moves at most as fast as it ran,
    /// so that air control does not press it into the slope.
    pub(crate) fn clear_floors(
        &mut self,
        frame: &Frame,
        floors: impl Iterator<Item = I64Vec2>,
        (velocity, rest): (DVec2, I64Vec2),
        left: f64,
    ) -> Option<(DVec2, I64Vec2)> {
        let (up, right, axis) = (frame.up(), frame.right(), frame.axis());
        let rise = |direction: DVec2| self.speed * direction.dot(up);
        // Among several floors, the one that the run climbs fastest counts.
        let directions = floors.map(|normal| unit(tangent(normal)));
        let along = directions.max_by(|a, b| rise(*a).total_cmp(&rise(*b)))?;
        if rest.dot(axis) <= 0 {
            return None;
        }
        let (climb, sideways) = ((rise(along) - self.lift).max(0.0), self.speed * along.dot(right));
        self.lift += climb;
        let (least, most) = (sideways.min(0.0), sideways.max(0.0));
        let units = |speed: f64| units_of(speed * self.tick * left);
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
    pub(crate) fn is_uphill_on_any(&self, frame: &Frame, mut floors: impl Iterator<Item = I64Vec2>) -> bool {
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
    pub(crate) fn relative_to_belt_base(self, belt: f64, tick: f64) -> Intent {
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
        // A floor that leans to the left rises to the right.
        let (_, leans) = frame.split_into_axes(normal);
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
    pub(crate) fn find(
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
    /// `fastest`.
    fn speed_after(self, before: f64, fastest: f64, tick: f64) -> f64 {
        let moves = if before == 0.0 { self.pull } else { before };
        let speed = before + self.pull * tick - (self.braking * tick).copysign(moves);
        let most = larger(fastest, before * self.pull.signum());
        if speed * self.pull.signum() > most { most.copysign(self.pull) } else { speed }
    }
}

/// Returns the jump speed of a character with an apex hang. `whole` is the square of the speed without the hang.
pub(crate) fn speed_with_hang(character: &Character, whole: f64) -> f64 {
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
pub(crate) fn released_hang_end(character: &Character, height: f64, pull: f64, tick: f64) -> f64 {
    let Character { apex_speed_threshold: apex_speed, apex_gravity_scale: share, min_jump_height: tap_height, .. } =
        *character;
    let spare = height - tap_height - pull * tick * tick / 8.0;
    if spare > 0.0 { (2.0 * pull * spare * share / (1.0 - share)).sqrt() } else { -apex_speed }
}

/// Converts a length in tiles to whole units, rounded down.
pub(crate) fn units_of(tiles: f64) -> i64 {
    (tiles * ONE as f64) as i64
}

impl<'a> Controller<'a> {
    /// Returns the controller of a character on which no area and no belt acts and which touches no wall.
    pub(crate) fn on_open_ground(
        character: &'a Character,
        input: Keys,
        frame: &'a Frame,
        gravity: &'a DVec2,
        tick: f64,
    ) -> Controller<'a> {
        let touching = Touching::default();
        let hang_end = (character.has_apex_hang() && input.jump()).then_some(-character.apex_speed_threshold);
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
            touching,
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
            Some(speed) if !asks_to_jump => return self.walk(speed),
            _ if !PLAIN && self.is_driven => {
                return Intent::Fly { motion: units(velocity * self.tick), velocity, take_off: None };
            }
            Some(speed) => speed,
            None => return self.fall(velocity, None),
        };
        let right = self.frame.right();
        let take_off = TakeOff { speed, lift: self.lift, tick: self.tick };
        let jump = right * velocity.dot(right) + self.frame.up() * (self.jump_speed() + self.lift);
        self.fall(jump, Some(take_off))
    }

    /// Returns the speed that reaches the jump height.
    pub(crate) fn jump_speed(&self) -> f64 {
        self.speed_for_height(self.character.jump_height)
    }

    /// Returns the speed that reaches a height: v^2 = 2 g h. With an apex hang the height is `(v^2 - s^2) / 2 g + s^2 /
    /// 2 k g`, or `v^2 / 2 k g` if the whole jump is slower than the hang threshold.
    pub(crate) fn speed_for_height(&self, height: f64) -> f64 {
        let whole = 2.0 * self.gravity_size() * height;
        if PLAIN || !self.character.has_apex_hang() { whole.sqrt() } else { speed_with_hang(self.character, whole) }
    }

    /// Returns the upward speed that the apex hang saves in a tick, and a correction of the displacement: with the
    /// hang, the mean of the speeds at start and end of the tick is not the mean speed.
    ///
    /// The tick starts at the upward speed `speed` and would lose `loss` of it without the hang. The hang acts down
    /// to the speed `end`. `least` is the upward speed at which the fall stops accelerating.
    /// the speed `end`. `least` is the upward speed at which the fall stops accelerating.
    #[inline(never)]
    fn apex_hang_gain(&self, speed: f64, loss: f64, end: f64, least: f64) -> (f64, f64) {
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
    pub(crate) fn cut_speed(&self, height: f64) -> f64 {
        let (tick, pull) = (self.tick, self.gravity_size());
        let speed = self.speed_for_height(height);
        let (kept, way) =
            self.apex_hang_gain(speed, pull * tick, -self.character.apex_speed_threshold, f64::NEG_INFINITY);
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

    /// Returns the motion of a character along the ground in this tick. `before`: its speed along the ground.
    #[inline(always)]
    fn walk(&self, before: f64) -> Intent {
        let wanted = if PLAIN { self.wanted_speed() } else { self.wanted_speed() + self.ground_wind };
        if !PLAIN && let Some(slide) = self.slide {
            return self.slide_down(before, wanted, slide);
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
    fn slide_down(&self, before: f64, wanted: f64, slide: SlopeSlide) -> Intent {
        let slid = slide.speed_after(before, self.character.max_fall_speed, self.tick);
        let is_driven = wanted != 0.0 && slid * wanted.signum() < wanted.abs();
        let step = self.character.ground_acceleration * self.tick;
        let speed = if is_driven { move_towards(slid, wanted, step) } else { slid } + 0.0;
        Intent::Walk { length: self.tick * (before + speed) / 2.0, speed }
    }

    /// Returns the motion of a character through the air in this tick. `before`: its velocity at the start of the
    /// tick.
    #[inline(always)]
    fn fall(&self, before: DVec2, take_off: Option<TakeOff>) -> Intent {
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
            if self.input.down() {
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
            let (kept, way) = self.apex_hang_gain(before.dot(up), (before - fallen).dot(up), end, least);
            fallen += up * kept;
            more = up * way;
        }
        let rises = larger(fallen.dot(up), least);
        let velocity = right * (steered + fallen.dot(right) - sideways) + up * rises;
        Intent::Fly { motion: units((before + velocity) * (self.tick / 2.0) + more), velocity, take_off }
    }
}

/// A flight of a character.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flight {
    slide: Slide,
    /// Whether the rest of the motion is walked if the flight hits a floor.
    lands: bool,
    /// Number of corner corrections tried, and the position where the last one failed.
    corrections: u32,
    failed_at: Option<Position>,
    /// The run from which the character jumped in this tick.
    take_off: Option<TakeOff>,
}

impl Flight {
    fn new(from: Position, motion: I64Vec2, lands: bool) -> Flight {
        Flight { slide: Slide::new(from, motion), lands, corrections: 0, failed_at: None, take_off: None }
    }
}

/// The next part of a character's own motion. `begin`: start of the part, as a fraction of the tick.
pub(crate) enum MotionPart {
    /// A walk along the ground of `length` tiles, to the right if positive.
    Walk { begin: f64, length: f64 },
    /// A flight.
    Fly { begin: f64, flight: Flight },
    /// No motion is left.
    Done,
}

impl RunOff {
    /// Returns the flight of a character that runs off the ground at a speed.
    pub(crate) fn of(character: &Character, frame: &Frame, speed: f64, gravity: DVec2) -> RunOff {
        let up = frame.up();
        let more = (character.fall_gravity_scale - 1.0) * gravity.dot(up).min(0.0);
        RunOff { speed, rising: gravity, falling: gravity + up * more }
    }
}

/// One tick of a character in the terrain.
pub(crate) struct Walker<'a> {
    pub(crate) probe: Probe<'a>,
    pub(crate) character: &'a Character,
    pub(crate) input: Keys,
    /// Acceleration by gravity in tiles per second squared, including the body's gravity scale.
    pub(crate) gravity: &'a DVec2,
    pub(crate) settings: &'a Settings,
    /// How floors throw the character back. `None` if it lands on all.
    pub(crate) rebound: Option<Rebound>,
}

/// Maximum corner corrections of a character in flight, in units, and the direction of its input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nudges {
    corner: i64,
    ledge: i64,
    walk: i64,
}

impl Nudges {
    pub(crate) fn of(character: &Character, input: Keys) -> Nudges {
        let (corner, ledge) = (units_of(character.corner_correction), units_of(character.ledge_correction));
        Nudges { corner, ledge, walk: input.walk.into() }
    }

    pub(crate) fn is_none(&self) -> bool {
        self.corner == 0 && self.ledge == 0
    }

    /// Returns the direction of a possible correction for the surfaces hit at a position, with motion `rest` left: up
    /// past a ceiling corner, or sideways past a wall corner.
    fn correction_direction(
        &self,
        frame: &Frame,
        (struck, position): (&[Surface], Position),
        velocity: DVec2,
        rest: I64Vec2,
    ) -> Option<I64Vec2> {
        let (axis, right) = (frame.axis(), frame.right().as_i64vec2());
        let meets = |direction: I64Vec2| struck.iter().any(|surface| surface.normal(position).dot(direction) < 0);
        if self.corner > 0 && velocity.dot(frame.up()) > 0.0 && rest.dot(axis) > 0 && meets(axis) {
            return Some(axis);
        }
        let go = right * rest.dot(right).signum();
        (self.ledge > 0 && meets(go) && !frame.has_floor(struck, position)).then_some(go)
    }

    /// Returns the corner correction at a position for the remaining motion `rest`: the shift, and then some units
    /// onward, so that the character is past the corner.
    pub(crate) fn corner_correction(
        &self,
        probe: &mut Probe<'_>,
        position: Position,
        velocity: DVec2,
        rest: I64Vec2,
    ) -> Option<[I64Vec2; 2]> {
        probe.cast(position, rest)?;
        let frame = probe.scene.frame;
        let onward = self.correction_direction(&frame, (probe.hits(), position), velocity, rest)?;
        let (axis, right) = (frame.axis(), frame.right().as_i64vec2());
        let room = onward * tolerance::MIN_CORRECTION_ROOM_UNITS;
        let sideways = if onward == axis {
            // A correction never shifts the character against its own motion.
            let [to_the_right, to_the_left] = [right, -right].map(|side| {
                let leads = velocity.dot(side.as_dvec2()) >= 0.0;
                leads.then(|| probe.shift_past_corners(position, side, room, self.corner)).flatten()
            });
            let length = |way: Option<I64Vec2>| way.map_or(i64::MAX, |way| way.abs().max_element());
            match length(to_the_right).cmp(&length(to_the_left)).then(0.cmp(&self.walk)) {
                Ordering::Less => to_the_right,
                Ordering::Greater => to_the_left,
                // If both sides are equal, there is no correction.
                Ordering::Equal => None,
            }
        } else {
            probe.shift_past_corners(position, axis, room, self.ledge)
        };
        Some([sideways?, onward * (TOUCH + 1)])
    }
}

/// Moves a character by its intent as far as a quick test shows that nothing blocks it. Returns the rest of the
/// motion, for [`Walker::run_remaining_parts`].
///
/// `ground` becomes the speed along the ground, or `None` in the air.
#[inline(always)]
pub(crate) fn step(
    intent: Intent,
    probe: &mut Probe<'_>,
    ground: &mut Option<f64>,
    (position, velocity): (&mut Position, &mut DVec2),
    (path, touch): (&mut Path, &mut Touch<'_>),
) -> Option<MotionPart> {
    let (motion, lands, take_off) = match intent {
        Intent::Walk { length, speed } => {
            *ground = Some(speed);
            let length = clamp_walk_length(length, speed);
            let Some((way, end)) = probe.find_cached_walk(*position, length, touch) else {
                return Some(MotionPart::Walk { begin: 0.0, length });
            };
            append_last_part_to(position, path, way);
            (apply_walk_end(ground, velocity, end)?, false, None)
        }
        Intent::Fly { motion, velocity: last, take_off } => {
            (*ground, *velocity) = (None, last);
            (motion, true, take_off)
        }
    };
    if probe.is_clear(*position, motion) {
        append_last_part_to(position, path, motion);
        touch.start_refresh().clear();
        None
    } else {
        Some(MotionPart::Fly { begin: 0.0, flight: Flight { take_off, ..Flight::new(*position, motion, lands) } })
    }
}

/// Starts a tick as [`step`] does, without the quick test. `ground` and `velocity` become those of the intent.
pub(crate) fn start_tick(intent: Intent, from: Position, ground: &mut Option<f64>, velocity: &mut DVec2) -> MotionPart {
    match intent {
        Intent::Walk { length, speed } => {
            *ground = Some(speed);
            MotionPart::Walk { begin: 0.0, length: clamp_walk_length(length, speed) }
        }
        Intent::Fly { motion, velocity: last, take_off } => {
            (*ground, *velocity) = (None, last);
            MotionPart::Fly { begin: 0.0, flight: Flight { take_off, ..Flight::new(from, motion, true) } }
        }
    }
}

impl Walker<'_> {
    /// Makes the rest of the character's tick, among pieces of terrain that may block it. `ground` becomes the speed
    /// along the ground if the character ends there.
    #[inline(always)]
    pub(crate) fn run_remaining_parts<T: Trace>(
        &mut self,
        next: MotionPart,
        ground: &mut Option<f64>,
        movement: &mut Movement<'_>,
        trace: T,
    ) {
        match next {
            MotionPart::Walk { begin, length } => self.continue_walk((begin, length), ground, movement, trace),
            MotionPart::Fly { begin, flight } => self.continue_flight((begin, flight), ground, movement, trace),
            MotionPart::Done => {}
        }
    }

    /// Walks among pieces of terrain that may block the character, then makes the next parts of the motion.
    #[inline(never)]
    fn continue_walk<T: Trace>(
        &mut self,
        (begin, length): (f64, f64),
        ground: &mut Option<f64>,
        movement: &mut Movement<'_>,
        trace: T,
    ) {
        let next = self.walk(begin, length, ground, movement, trace);
        self.run_remaining_parts(next, ground, movement, trace);
    }

    /// Flies among pieces of terrain that may block the character, then makes the next parts of the motion.
    #[inline(never)]
    fn continue_flight<T: Trace>(
        &mut self,
        (begin, flight): (f64, Flight),
        ground: &mut Option<f64>,
        movement: &mut Movement<'_>,
        trace: T,
    ) {
        let next = self.fly(begin, flight, ground, movement, trace);
        self.run_remaining_parts(next, ground, movement, trace);
    }

    /// Walks. Returns the next part of the motion.
    #[inline(always)]
    fn walk<T: Trace>(
        &mut self,
        begin: f64,
        length: f64,
        ground: &mut Option<f64>,
        movement: &mut Movement<'_>,
        trace: T,
    ) -> MotionPart {
        let velocity_along = self.probe.scene.frame.right() * ground.unwrap_or_default();
        let hits = &mut movement.hits;
        let mut struck =
            |position, motion, surface: &Surface| hits.record_walking_hit(surface, position, velocity_along, motion);
        let mut walk = Walk {
            position: movement.position,
            touch: &mut movement.touch,
            path: movement.path,
            struck: &mut struck,
            step: units_of(self.character.step_height),
            bends: self.behaviour_at_bends(ground.unwrap_or_default()),
            run_off: self.run_off(ground.unwrap_or_default()),
        };
        let mut legs = WalkProgress::new(length);
        let end = self.probe.walk_among(&mut walk, &mut legs, trace.starting_at(begin));
        movement.position = walk.position;
        let Some(motion) = apply_walk_end(ground, &mut movement.velocity, end) else { return MotionPart::Done };
        if !T::RECORDS && self.probe.is_clear(movement.position, motion) {
            movement.append_last_part(motion);
            movement.touch.start_refresh().clear();
            return MotionPart::Done;
        }
        let over = if T::RECORDS { legs.done_fraction() } else { 0.0 };
        let flight = Flight::new(movement.position, motion, false);
        MotionPart::Fly { begin: begin + (1.0 - begin) * over, flight }
    }

    /// Returns whether and how a circle that walks at a speed takes off where the ground ends. `None` for a box.
    fn run_off(&self, speed: f64) -> Option<RunOff> {
        let frame = &self.probe.scene.frame;
        self.probe.shape.is_circle().then(|| RunOff::of(self.character, frame, speed, *self.gravity))
    }

    /// Returns what a walk at a speed does where the floor bends down.
    fn behaviour_at_bends(&self, speed: f64) -> FloorBends {
        let fastest = self.character.max_floor_snap_speed;
        if fastest >= MAX_SPEED {
            FloorBends::Followed
        } else if speed.abs() <= fastest {
            FloorBends::FollowedNow
        } else {
            FloorBends::Left
        }
    }

    /// Flies. Returns the next part of the motion.
    #[inline(always)]
    fn fly<T: Trace>(
        &mut self,
        begin: f64,
        mut flight: Flight,
        ground: &mut Option<f64>,
        movement: &mut Movement<'_>,
        trace: T,
    ) -> MotionPart {
        let scene = self.probe.scene;
        let frame = scene.frame;
        let from = flight.slide.start();
        let (hits, velocity) = (&mut movement.hits, &mut movement.velocity);
        let lands = flight.lands;
        // Set at a hit on a floor: the remaining motion and the speed, both positive to the right.
        let mut landed: Option<(i64, f64)> = None;
        // Remaining motion at a hit that a corner correction might avoid.
        let mut stopped: Option<I64Vec2> = None;
        let (take_off, took_run) = (&mut flight.take_off, &mut movement.took_run);
        let nudges = Nudges::of(self.character, self.input);
        let (shape, tick, grazes) = (self.probe.shape, self.settings.tick, self.run_off(0.0));
        let rebound = self.rebound.filter(|_| take_off.is_none());
        let acceleration = (*velocity - hits.start) / tick;
        let (may_correct, failed_at) =
            (flight.corrections < tolerance::MAX_CORRECTIONS && !nudges.is_none(), flight.failed_at);
        let slid = self.probe.run_slide_among(flight.slide, movement.path, trace.starting_at(begin), |impact, rest| {
            let &Impact { position, struck, held, .. } = impact;
            let is_floor = frame.has_floor(struck, position);
            let may_pass = || nudges.correction_direction(&frame, (struck, position), *velocity, rest).is_some();
            if may_correct && failed_at != Some(position) && may_pass() {
                stopped = Some(rest);
                return I64Vec2::ZERO;
            }
            let mut lands = lands && is_floor;
            if lands && let Some(run_off) = grazes {
                let floors = floors_of(&frame, struck, position);
                let run_off = RunOff { speed: velocity.length(), ..run_off };
                lands = !run_off.is_grazing(&frame, shape, floors, (*velocity, tick));
            }
            if lands && let Some(rebound) = &rebound {
                let flight = FlightRest { velocity: *velocity, displacement: rest, acceleration };
                let floors = floors_of(&frame, struck, position);
                if let Some(throw) =
                    rebound.throw(scene, (shape, position), floors, |normal| flight.velocity_now(normal))
                {
                    hits.record_all_hits(impact, flight.velocity_now(throw.normal));
                    hits.mark_throwing(position);
                    let thrown = flight.thrown(&throw, rebound);
                    *velocity = scene.clip(held, position, thrown.velocity);
                    return thrown.displacement;
                }
            }
            hits.record_all_hits(impact, *velocity);
            let (mut rest, mut arrives) = (rest, velocity.dot(frame.right()));
            let mut length = rest.dot(tangent(frame.axis()));
            if lands && let Some(run) = take_off {
                let left = (1.0 - begin) * (1.0 - impact.toi);
                let floors = || floors_of(&frame, struck, position).map(|(_, normal)| normal);
                let lift = run.lift;
                if let Some(left) = run.clear_floors(&frame, floors(), (*velocity, rest), left) {
                    ((*velocity, rest), lands) = (left, false);
                    *took_run |= run.lift != lift;
                } else if run.is_uphill_on_any(&frame, floors()) {
                    // The jump is too low to leave the slope, so the character continues its run.
                    (length, arrives) = (units_of(run.speed * run.tick * left), run.speed);
                }
            }
            *velocity = scene.clip(held, position, scene.velocity_without_steep_climb(held, position, *velocity));
            if lands {
                landed = Some((length, arrives));
                return I64Vec2::ZERO;
            }
            scene.without_steep_climb(held, position, rest)
        });
        movement.position = slid.position;
        let begin = begin + (1.0 - begin) * slid.done_fraction;
        if let Some(rest) = stopped {
            return self.try_corner_correction(begin, &flight, movement, rest);
        }
        if slid.stopped {
            movement.velocity = DVec2::ZERO;
        }
        self.probe.touching_after(slid, from, movement.touch.start_refresh());
        match landed {
            Some(landed) => self.land_on_floor(begin, landed, ground, movement, T::RECORDS),
            None => {
                if !(lands && self.throw_off_touched_floor(movement)) {
                    self.stand_if_supported(ground, movement, flight.take_off);
                }
                MotionPart::Done
            }
        }
    }

    /// Lands on a floor with a remaining motion to the right in units and a speed to the right. Returns the next part
    /// of the motion.
    #[inline(always)]
    fn land_on_floor(
        &mut self,
        begin: f64,
        (rest, speed): (i64, f64),
        ground: &mut Option<f64>,
        movement: &mut Movement<'_>,
        is_recorded: bool,
    ) -> MotionPart {
        self.probe.add_floors_held(movement.touch.start_refresh());
        *ground = Some(speed);
        let rest = rest as f64 / ONE as f64;
        // A motion against the speed is dropped: landing never moves a character backwards.
        let length = if rest * speed > 0.0 { rest } else { 0.0_f64.copysign(speed) };
        if !is_recorded
            && let Some((way, end)) = self.probe.find_cached_walk(movement.position, length, &mut movement.touch)
        {
            movement.append_last_part(way);
            let motion = apply_walk_end(ground, &mut movement.velocity, end);
            let fly = |motion| MotionPart::Fly { begin, flight: Flight::new(movement.position, motion, false) };
            return motion.map_or(MotionPart::Done, fly);
        }
        MotionPart::Walk { begin, length }
    }

    /// Tries a corner correction in flight and continues the flight. `rest` is the remaining motion in units.
    #[inline(never)]
    fn try_corner_correction(
        &mut self,
        begin: f64,
        flight: &Flight,
        movement: &mut Movement<'_>,
        rest: I64Vec2,
    ) -> MotionPart {
        let nudges = Nudges::of(self.character, self.input);
        let correction = nudges.corner_correction(&mut self.probe, movement.position, movement.velocity, rest);
        let corrections = flight.corrections + 1;
        let Some(way) = correction else {
            // No correction is possible, so continue the flight unchanged.
            let slide = Slide::resume_at(flight.slide.start(), movement.position, rest);
            let failed_at = Some(movement.position);
            return MotionPart::Fly { begin, flight: Flight { slide, corrections, failed_at, ..*flight } };
        };
        for part in way {
            movement.position = movement.position + part;
            movement.path.push(movement.position);
        }
        let flight =
            Flight { corrections, take_off: flight.take_off, ..Flight::new(movement.position, rest, flight.lands) };
        MotionPart::Fly { begin, flight }
    }

    /// Throws the character off a bouncy floor if its flight ended exactly at the floor, without a hit. Returns
    /// whether it does.
    #[inline(always)]
    fn throw_off_touched_floor(&self, movement: &mut Movement<'_>) -> bool {
        let Some(rebound) = &self.rebound else { return false };
        let (scene, shape, position, velocity) =
            (self.probe.scene, self.probe.shape, movement.position, movement.velocity);
        let touched = movement.touch.now();
        let floors = floors_of(&scene.frame, touched, position);
        let Some(throw) = rebound.throw(scene, (shape, position), floors.clone(), |_| velocity) else { return false };
        floors.for_each(|(floor, _)| movement.hits.record_hit(&floor, position, velocity));
        movement.hits.mark_throwing(position);
        let thrown = velocity + throw.normal * (throw.approach + throw.speed);
        movement.velocity = scene.clip(touched, position, thrown);
        true
    }

    /// Sets the character on the ground if the flight ended on a floor, or between steep surfaces that support it.
    #[inline(always)]
    fn stand_if_supported(&mut self, ground: &mut Option<f64>, movement: &mut Movement<'_>, take_off: Option<TakeOff>) {
        let scene = self.probe.scene;
        let (frame, position) = (scene.frame, movement.position);
        let stands = |touch: &Touch<'_>, velocity| {
            touch.now().iter().any(|surface| scene.is_stood_on(surface, position, velocity))
        };
        if stands(&movement.touch, movement.velocity) {
            let mut speed = movement.velocity.dot(frame.right());
            let floors = || floors_of(&frame, movement.touch.now(), position).map(|(_, normal)| normal);
            if let Some(mut run) = take_off.filter(|run| run.is_uphill_on_any(&frame, floors())) {
                // The jump slid up along the slope without a hit, so make it clear the floors now.
                let left = run.clear_floors(&frame, floors(), (movement.velocity, frame.axis()), 0.0);
                let left = left.map(|(velocity, _)| scene.clip(movement.touch.now(), position, velocity));
                if let Some(velocity) = left.filter(|velocity| !stands(&movement.touch, *velocity)) {
                    (movement.velocity, movement.took_run) = (velocity, true);
                    return;
                }
                speed = run.speed;
            }
            *ground = Some(speed);
            // A flight that ends exactly at the floor counts as a hit too, so that the landing reports a speed.
            let velocity = movement.velocity;
            let floors = floors_of(&frame, movement.touch.now(), position);
            floors.for_each(|(floor, _)| movement.hits.record_hit(&floor, position, velocity));
            movement.velocity = scene.clip(movement.touch.now(), position, velocity);
            movement.position = self.probe.lower_onto_floor(position, movement.path);
            self.probe.touching(movement.position, movement.touch.start_refresh());
        } else if movement.velocity == DVec2::ZERO && Touching::of(movement.touch.now(), position, &frame).floor {
            *ground = Some(0.0);
        }
    }
}

/// Limits a walk to the length for which sweeps are exact. If the length is 0, such as when turning round, the sign
/// of the speed tells the direction.
#[inline(always)]
fn clamp_walk_length(length: f64, speed: f64) -> f64 {
    if length == 0.0 { length.copysign(speed) } else { length.clamp(-Mover::MAX_MOTION, Mover::MAX_MOTION) }
}

/// Applies the end of a walk. Returns the remaining motion through the air if the ground has ended.
#[inline(always)]
fn apply_walk_end(ground: &mut Option<f64>, velocity: &mut DVec2, end: WalkEnd) -> Option<I64Vec2> {
    let speed = ground.unwrap_or_default();
    match end {
        WalkEnd::OnFloor(direction) => *velocity = direction * speed,
        WalkEnd::Blocked => (*ground, *velocity) = (Some(0.0), DVec2::ZERO),
        WalkEnd::InAir { rest, direction } => {
            *ground = None;
            *velocity = direction * speed;
            return Some(rest);
        }
    }
    None
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
