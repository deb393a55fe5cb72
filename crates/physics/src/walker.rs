//! One tick of a character in the terrain: walks and flies by the intent of its [`controller`](crate::controller).

use crate::body::{Character, Keys, MAX_SPEED};
use crate::controller::{Intent, TakeOff};
use crate::motion::{
    FloorBends, Frame, Impact, Mover, Path, Probe, RunOff, Slide, Surface, Touch, Touching, Trace, Walk, WalkEnd,
    WalkProgress, floors_of, tiles_to_units, tolerance,
};
use crate::movement::{Movement, move_position_by_last_part};
use crate::rebound::{FlightRest, Rebound};
use crate::world::Settings;
use glam::{DVec2, I64Vec2};
use std::cmp::Ordering;
use surefoot_geometry::exact::tangent;
use surefoot_geometry::exact::tolerance::TOUCH;
use surefoot_geometry::{ONE, Position};

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
    pub(crate) fn at_speed(character: &Character, frame: &Frame, speed: f64, gravity: DVec2) -> RunOff {
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
    pub(crate) fn of_character(character: &Character, input: Keys) -> Nudges {
        let (corner, ledge) = (tiles_to_units(character.corner_correction), tiles_to_units(character.ledge_correction));
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
        let (axis, right) = (frame.up_axis(), frame.right().as_i64vec2());
        let meets = |direction: I64Vec2| struck.iter().any(|surface| surface.normal(position).dot(direction) < 0);
        if self.corner > 0 && velocity.dot(frame.up()) > 0.0 && rest.dot(axis) > 0 && meets(axis) {
            return Some(axis);
        }
        let go = right * rest.dot(right).signum();
        (self.ledge > 0 && meets(go) && !frame.has_floor(struck, position)).then_some(go)
    }

    /// Returns the corner correction at a position for the remaining motion `rest`: the shift, and then some units
    /// onward, so that the character is past the corner.
    pub(crate) fn find_corner_correction(
        &self,
        probe: &mut Probe<'_>,
        position: Position,
        velocity: DVec2,
        rest: I64Vec2,
    ) -> Option<[I64Vec2; 2]> {
        probe.cast(position, rest)?;
        let frame = probe.scene.frame;
        let onward = self.correction_direction(&frame, (probe.hits(), position), velocity, rest)?;
        let (axis, right) = (frame.up_axis(), frame.right().as_i64vec2());
        let room = onward * tolerance::MIN_CORRECTION_ROOM_UNITS;
        let sideways = if onward == axis {
            // A correction never shifts the character against its own motion.
            let [to_the_right, to_the_left] = [right, -right].map(|side| {
                let leads = velocity.dot(side.as_dvec2()) >= 0.0;
                leads.then(|| probe.find_shift_past_corners(position, side, room, self.corner)).flatten()
            });
            let length = |way: Option<I64Vec2>| way.map_or(i64::MAX, |way| way.abs().max_element());
            match length(to_the_right).cmp(&length(to_the_left)).then(0.cmp(&self.walk)) {
                Ordering::Less => to_the_right,
                Ordering::Greater => to_the_left,
                // Both shifts are equally long, or neither is possible, and the input walks to neither side.
                Ordering::Equal => None,
            }
        } else {
            probe.find_shift_past_corners(position, axis, room, self.ledge)
        };
        Some([sideways?, onward * (TOUCH + 1)])
    }
}

/// Moves a character by its intent as far as a quick test shows that nothing is in its way. Returns the rest of the
/// motion, which [`Walker::run_remaining_parts`] makes among pieces: all of it if the parts are recorded.
///
/// `ground` becomes the speed along the ground, or `None` in the air.
#[inline(always)]
pub(crate) fn move_as_far_as_clear<T: Trace>(
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
            let walked = if T::RECORDS { None } else { probe.find_cached_walk(*position, length, touch) };
            let Some((way, end)) = walked else {
                return Some(MotionPart::Walk { begin: 0.0, length });
            };
            move_position_by_last_part(position, path, way);
            (apply_walk_end(ground, velocity, end)?, false, None)
        }
        Intent::Fly { motion, velocity: last, take_off } => {
            (*ground, *velocity) = (None, last);
            (motion, true, take_off)
        }
    };
    if !T::RECORDS && probe.test_if_surely_clear(*position, motion) {
        move_position_by_last_part(position, path, motion);
        touch.start_refresh().clear();
        None
    } else {
        Some(MotionPart::Fly { begin: 0.0, flight: Flight { take_off, ..Flight::new(*position, motion, lands) } })
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
            step: tiles_to_units(self.character.step_height),
            bends: self.reaction_where_floor_bends_down(ground.unwrap_or_default()),
            run_off: self.find_run_off_at_ground_end(ground.unwrap_or_default()),
        };
        let mut legs = WalkProgress::new(length);
        let end = self.probe.walk_near_pieces(&mut walk, &mut legs, trace.starting_at(begin));
        movement.position = walk.position;
        let Some(motion) = apply_walk_end(ground, &mut movement.velocity, end) else { return MotionPart::Done };
        if !T::RECORDS && self.probe.test_if_surely_clear(movement.position, motion) {
            movement.move_by_last_part(motion);
            movement.touch.start_refresh().clear();
            return MotionPart::Done;
        }
        let over = if T::RECORDS { legs.done_fraction() } else { 0.0 };
        let flight = Flight::new(movement.position, motion, false);
        MotionPart::Fly { begin: begin + (1.0 - begin) * over, flight }
    }

    /// Returns whether and how a circle that walks at a speed takes off where the ground ends. `None` for a box.
    fn find_run_off_at_ground_end(&self, speed: f64) -> Option<RunOff> {
        let frame = &self.probe.scene.frame;
        self.probe.shape.is_circle().then(|| RunOff::at_speed(self.character, frame, speed, *self.gravity))
    }

    /// Returns what a walk at a speed does where the floor bends down.
    fn reaction_where_floor_bends_down(&self, speed: f64) -> FloorBends {
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
        let nudges = Nudges::of_character(self.character, self.input);
        let (shape, tick, grazes) = (self.probe.shape, self.settings.tick, self.find_run_off_at_ground_end(0.0));
        let rebound = self.rebound.filter(|_| take_off.is_none());
        let acceleration = (*velocity - hits.start) / tick;
        let (may_correct, failed_at) =
            (flight.corrections < tolerance::MAX_CORRECTIONS && !nudges.is_none(), flight.failed_at);
        let slid = self.probe.slide_by_casts(flight.slide, movement.path, trace.starting_at(begin), |impact, rest| {
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
                lands = !run_off.only_grazes_corners(&frame, shape, floors, (*velocity, tick));
            }
            if lands && let Some(rebound) = &rebound {
                let flight = FlightRest { velocity: *velocity, displacement: rest, acceleration };
                let floors = floors_of(&frame, struck, position);
                if let Some(throw) =
                    rebound.find_floor_throw(scene, (shape, position), floors, |normal| flight.velocity_at_hit(normal))
                {
                    hits.record_all_hits(impact, flight.velocity_at_hit(throw.normal));
                    hits.mark_hits_as_throwing(position);
                    let thrown = flight.after_throw(&throw, rebound);
                    *velocity = scene.clip_velocity(held, position, thrown.velocity);
                    return thrown.displacement;
                }
            }
            hits.record_all_hits(impact, *velocity);
            let (mut rest, mut arrives) = (rest, velocity.dot(frame.right()));
            let mut length = rest.dot(tangent(frame.up_axis()));
            if lands && let Some(run) = take_off {
                let left = (1.0 - begin) * (1.0 - impact.toi);
                let floors = || floors_of(&frame, struck, position).map(|(_, normal)| normal);
                let lift = run.lift;
                if let Some(left) = run.add_climb_of_floors(&frame, floors(), (*velocity, rest), left) {
                    ((*velocity, rest), lands) = (left, false);
                    *took_run |= run.lift != lift;
                } else if run.runs_uphill_on_any(&frame, floors()) {
                    // The jump is too low to leave the slope, so the character continues its run.
                    (length, arrives) = (tiles_to_units(run.speed * run.tick * left), run.speed);
                }
            }
            *velocity =
                scene.clip_velocity(held, position, scene.velocity_without_steep_climb(held, position, *velocity));
            if lands {
                landed = Some((length, arrives));
                return I64Vec2::ZERO;
            }
            scene.displacement_without_steep_climb(held, position, rest)
        });
        movement.position = slid.position;
        let begin = begin + (1.0 - begin) * slid.done_fraction;
        if let Some(rest) = stopped {
            return self.try_corner_correction(begin, &flight, movement, rest);
        }
        if slid.stopped {
            movement.velocity = DVec2::ZERO;
        }
        self.probe.find_touching_when_wedged(slid, from, movement.touch.start_refresh());
        match landed {
            Some(landed) => self.land_on_floor(begin, landed, ground, movement, T::RECORDS),
            None => {
                if !(lands && self.try_throw_off_touched_floor(movement)) {
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
        self.probe.add_floors_hit(movement.touch.start_refresh());
        *ground = Some(speed);
        let rest = rest as f64 / ONE as f64;
        // A motion against the speed is dropped: landing never moves a character backwards.
        let length = if rest * speed > 0.0 { rest } else { 0.0_f64.copysign(speed) };
        if !is_recorded
            && let Some((way, end)) = self.probe.find_cached_walk(movement.position, length, &mut movement.touch)
        {
            movement.move_by_last_part(way);
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
        let nudges = Nudges::of_character(self.character, self.input);
        let correction = nudges.find_corner_correction(&mut self.probe, movement.position, movement.velocity, rest);
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
    fn try_throw_off_touched_floor(&self, movement: &mut Movement<'_>) -> bool {
        let Some(rebound) = &self.rebound else { return false };
        let (scene, shape, position, velocity) =
            (self.probe.scene, self.probe.shape, movement.position, movement.velocity);
        let touched = movement.touch.surfaces();
        let floors = floors_of(&scene.frame, touched, position);
        let Some(throw) = rebound.find_floor_throw(scene, (shape, position), floors.clone(), |_| velocity) else {
            return false;
        };
        floors.for_each(|(floor, _)| movement.hits.record_hit(&floor, position, velocity));
        movement.hits.mark_hits_as_throwing(position);
        let thrown = velocity + throw.normal * (throw.approach + throw.speed);
        movement.velocity = scene.clip_velocity(touched, position, thrown);
        true
    }

    /// Sets the character on the ground if the flight ended on a floor, or between steep surfaces that support it.
    #[inline(always)]
    fn stand_if_supported(&mut self, ground: &mut Option<f64>, movement: &mut Movement<'_>, take_off: Option<TakeOff>) {
        let scene = self.probe.scene;
        let (frame, position) = (scene.frame, movement.position);
        let stands = |touch: &Touch<'_>, velocity| {
            touch.surfaces().iter().any(|surface| scene.is_stood_on(surface, position, velocity))
        };
        if stands(&movement.touch, movement.velocity) {
            let mut speed = movement.velocity.dot(frame.right());
            let floors = || floors_of(&frame, movement.touch.surfaces(), position).map(|(_, normal)| normal);
            if let Some(mut run) = take_off.filter(|run| run.runs_uphill_on_any(&frame, floors())) {
                // The jump moved up along the slope without a hit. At a hit, the upward speed of the run would have
                // been added, so that the jump leaves the slope. So add that speed here.
                let left = run.add_climb_of_floors(&frame, floors(), (movement.velocity, frame.up_axis()), 0.0);
                let left = left.map(|(velocity, _)| scene.clip_velocity(movement.touch.surfaces(), position, velocity));
                if let Some(velocity) = left.filter(|velocity| !stands(&movement.touch, *velocity)) {
                    (movement.velocity, movement.took_run) = (velocity, true);
                    return;
                }
                speed = run.speed;
            }
            *ground = Some(speed);
            // A flight that ends exactly at the floor counts as a hit too, so that the landing reports a speed.
            let velocity = movement.velocity;
            let floors = floors_of(&frame, movement.touch.surfaces(), position);
            floors.for_each(|(floor, _)| movement.hits.record_hit(&floor, position, velocity));
            movement.velocity = scene.clip_velocity(movement.touch.surfaces(), position, velocity);
            movement.position = self.probe.lower_onto_floor(position, movement.path);
            self.probe.find_touching(movement.position, movement.touch.start_refresh());
        } else if movement.velocity == DVec2::ZERO
            && Touching::from_surfaces(movement.touch.surfaces(), position, &frame).floor
        {
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
