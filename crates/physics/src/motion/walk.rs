//! Walks: a character moves a given length along the surface, from floor to floor, in a bounded number of legs.
//!
//! - A leg is one straight part of the walk. It follows one straight floor and ends one step of the floor's tangent
//!   past the end of the floor, so that the next floor supports the shape.
//! - Where the floor bends down and another floor follows, a box moves with its corner exactly to the end of the
//!   first floor, and then along the next floor. One step past the end would raise the box by a unit. A circle moves
//!   round the corner in legs that end where it is exactly above or next to the corner (`round`). So a shape that is as
//!   high as a passage gets into the passage from every floor.
//! - A leg that hits a floor continues along that floor. After a leg that ends without contact, the shape steps down
//!   by up to [`tolerance::MAX_SNAP_UNITS`].
//! - A slope too steep for a floor is a wall, in the air too. The slide first removes the sideways motion into the
//!   slope, so that no walker climbs it.
//! - If a low step blocks a leg, the shape climbs it there: straight up, and onto its edge ([`past`](super::past)).
//!   The rest of the walk continues from there.
//! - If no floor continues behind a corner, a circle follows the corner only while gravity holds it there
//!   ([`RunOff`]). If it is faster, it takes off.
//! - A walk may leave the ground where the floor bends down ([`FloorBends`]): a box exactly at the end of its floor,
//!   a circle at a corner. It then does not step down either.
//! - [`tolerance::MAX_STALLED_LEGS`] legs without progress block the walk. The surfaces that stopped it are among the
//!   contacts.

use super::advance::{Course, Part};
use super::cast::{Probe, Scene};
use super::round::{RoundTurn, half_angle_tangent_to_cone_end};
use super::shape::Form;
use super::slide::points_into;
use super::surface::{Surface, face};
use super::trace::{Trace, Untraced};
use super::{Frame, Path, Shape, Touch, tolerance};
use glam::{DVec2, I64Vec2};
use surefoot_geometry::exact::tolerance::TOUCH;
use surefoot_geometry::exact::{MovingBox, MovingCircle, tangent, wide_dot};
use surefoot_geometry::{ONE, Position};

/// The state that a walk changes.
pub(crate) struct Walk<'a, 't> {
    pub(crate) position: Position,
    /// Surfaces that the shape touches, at the start and at the end.
    pub(crate) touch: &'a mut Touch<'t>,
    /// End of each straight part.
    pub(crate) path: &'a mut Path,
    /// Receives each surface that blocks the walk, the shape's position at that time, and the stopped displacement.
    pub(crate) struck: &'a mut dyn FnMut(Position, I64Vec2, &Surface),
    /// Maximum step height, in units.
    pub(crate) step: i64,
    pub(crate) bends: FloorBends,
    /// Take-off of a circle where the ground ends. `None` keeps it on corners at every speed.
    pub(crate) run_off: Option<RunOff>,
}

/// Decides whether a circle takes off from the corner at which its floor ends.
///
/// Round the corner, its centre moves on an arc. Gravity holds it there while the part of gravity towards the corner is
/// at least speed² / radius. As soon as it is less, the parabola of the centre stays outside the arc.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunOff {
    /// Speed along the ground, in tiles per second.
    pub(crate) speed: f64,
    /// Acceleration in the air while the circle rises and while it falls, in tiles per second squared.
    pub(crate) rising: DVec2,
    pub(crate) falling: DVec2,
}

impl RunOff {
    /// Returns the minimum acceleration towards a corner that holds a circle there, in tiles per second squared.
    fn min_acceleration_to_stay_at_corner(&self, radius: i64) -> f64 {
        self.speed * self.speed * (ONE as f64 / radius as f64)
    }

    /// Returns whether a circle takes off from all corners that it touches, in its direction of motion.
    ///
    /// It does not if a floor continues behind the corner. It does not if it rises to the corner along a surface that
    /// is not a floor.
    pub(crate) fn takes_off_from_corners(
        &self,
        frame: &Frame,
        shape: Shape,
        mut arcs: impl Iterator<Item = (Surface, I64Vec2)>,
        sign: i64,
    ) -> bool {
        arcs.all(|(arc, normal)| {
            let gravity = if is_uphill(frame, normal, sign) { self.rising } else { self.falling };
            floor_ends_at_corner(frame, &arc, normal, sign)
                && self.min_acceleration_to_stay_at_corner(shape.half_units().x) > -unit_vector(normal).dot(gravity)
        })
    }

    /// Returns whether a circle in the air only grazes the corners that it hits, and does not land.
    ///
    /// At its speed it would leave them again, and one tick of gravity alone explains its speed towards them. The path
    /// of a tick is straight and a little below the parabola, so a circle may hit the corner that it has just left.
    pub(crate) fn only_grazes_corners(
        &self,
        frame: &Frame,
        shape: Shape,
        mut arcs: impl Iterator<Item = (Surface, I64Vec2)> + Clone,
        (velocity, tick): (DVec2, f64),
    ) -> bool {
        let sign = if velocity.dot(frame.right()) < 0.0 { -1 } else { 1 };
        let most = self.falling.length() * tick;
        self.takes_off_from_corners(frame, shape, arcs.clone(), sign)
            && arcs.all(|(arc, normal)| !arc.is_flat() && -unit_vector(normal).dot(velocity) <= most)
    }

    /// Returns the direction from the corner in which a descending circle leaves it.
    fn take_off_direction(&self, radius: i64, sign: i64) -> Option<DVec2> {
        let pull = self.falling.length();
        let up = -self.falling / pull;
        let part = self.min_acceleration_to_stay_at_corner(radius) / pull;
        (part < 1.0).then(|| up * part - up.perp() * (sign as f64 * (1.0 - part * part).sqrt()))
    }
}

/// Returns whether a path along a surface of that normal leads upwards: to the right for `sign` 1.
fn is_uphill(frame: &Frame, normal: I64Vec2, sign: i64) -> bool {
    (tangent(normal) * sign).dot(frame.up_axis()) > 0
}

/// Returns whether the floor ends at the corner of an arc, for a circle that moves round it.
fn floor_ends_at_corner(frame: &Frame, arc: &Surface, normal: I64Vec2, sign: i64) -> bool {
    let (behind, ahead) = arc.normals_beside_arc(sign);
    ahead.is_none_or(|ahead| !frame.is_floor(ahead)) && (!is_uphill(frame, normal, sign) || frame.is_floor(behind))
}

/// Next motion of a circle at the corner that it walks round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AtCorner {
    /// Follow the corner at every speed.
    Follows,
    /// Follow the corner while gravity holds it there.
    IsHeld,
    /// Take off.
    Leaves,
}

/// Behaviour of a walk where the floor falls away from its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FloorBends {
    /// Follow the floor at every speed.
    Followed,
    /// Follow the floor at the present speed.
    FollowedNow,
    /// Continue straight through the air.
    Left,
}

/// How a walk ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum WalkEnd {
    /// The walk ended at its full length, on a floor with that unit direction to the right.
    OnFloor(DVec2),
    /// A surface blocks the walk.
    Blocked,
    /// The floor ended. `rest` is the remaining displacement in units, `direction` the floor's unit direction to the
    /// right.
    InAir { rest: I64Vec2, direction: DVec2 },
}

/// Rest of a walk: whole steps along a tangent while the floor keeps its direction, and a length once it turns.
#[derive(Clone, Copy, Debug)]
struct WalkRest {
    /// Remaining length, in units.
    length: f64,
    stride: Option<(I64Vec2, i64)>,
}

impl WalkRest {
    /// Returns how many steps of a tangent remain.
    fn remaining_tangent_steps(&self, tangent: I64Vec2) -> i64 {
        match self.stride {
            Some((known, steps)) if known == tangent => steps,
            _ => round_to_nearest(self.length / tangent.as_dvec2().length()),
        }
    }

    /// Returns the end of a walk that continues straight through the air. `direction` points to the right.
    fn to_straight_end_in_air(self, direction: DVec2, sign: i64) -> WalkEnd {
        let left = direction * (self.length * sign as f64);
        WalkEnd::InAir { rest: left.round().as_i64vec2(), direction }
    }

    fn rest_of_steps(tangent: I64Vec2, steps: i64) -> WalkRest {
        WalkRest { length: steps as f64 * tangent.as_dvec2().length(), stride: Some((tangent, steps)) }
    }
}

/// A leg of a walk along a straight floor.
#[derive(Clone, Copy, Debug)]
enum Leg {
    /// At most `most` steps of the floor's tangent.
    Straight { most: i64 },
    /// To the end of the floor, which is less than a step away.
    ToEnd(I64Vec2),
    /// One step along the next floor.
    Turn(I64Vec2),
}

impl Leg {
    /// Returns the smallest displacement of the leg, given a step along the floor.
    fn min_displacement_of_leg(self, along: I64Vec2) -> I64Vec2 {
        match self {
            Leg::Straight { .. } => along,
            Leg::ToEnd(way) | Leg::Turn(way) => way,
        }
    }
}

/// Progress of a walk in legs. If the last leg made no progress, the surfaces that stopped it are in the probe's
/// scratch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WalkProgress {
    /// Length of the walk in tiles, to the right if positive.
    length: f64,
    rest: WalkRest,
    /// Tangent of the straight floor of the last leg.
    line: Option<I64Vec2>,
    legs: u32,
    turns: u32,
    /// Legs in a row without progress.
    stalls: u32,
    /// Result of the walk if there are no more legs.
    end: WalkEnd,
}

impl WalkProgress {
    /// Starts a walk of `length` tiles along the surface, to the right if positive.
    pub(crate) fn new(length: f64) -> WalkProgress {
        let rest = WalkRest { length: length.abs() * ONE as f64, stride: None };
        let end = WalkEnd::Blocked;
        WalkProgress { length, rest, line: None, legs: 0, turns: 0, stalls: 0, end }
    }

    /// Returns the fraction of the walk that is done if `rest` remains, in [0, 1].
    fn fraction_walked_if_left(&self, rest: WalkRest) -> f64 {
        let length = self.length.abs() * ONE as f64;
        if length > 0.0 { (1.0 - rest.length / length).clamp(0.0, 1.0) } else { 1.0 }
    }

    /// Returns the fraction of the walk that is done.
    pub(crate) fn done_fraction(&self) -> f64 {
        self.fraction_walked_if_left(self.rest)
    }
}

/// A point where a floor falls away from the walk direction and the next floor follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Crest {
    /// The two straight parts of the path to that point.
    pub(crate) ways: [I64Vec2; 2],
    /// First step of a box along the next floor. Zero for a circle, which touches the next floor by itself.
    pub(crate) step: I64Vec2,
}

impl Crest {
    /// No crest.
    pub(crate) const NONE: Crest = Crest { ways: [I64Vec2::ZERO; 2], step: I64Vec2::ZERO };
}

/// A leg of a circle round a corner, if nothing blocks it.
#[derive(Clone, Copy, Debug)]
struct Turn {
    from: Position,
    /// Ends of the two tangents that the circle follows, in units.
    goals: [I64Vec2; 2],
    /// Remaining length of the walk before the leg, and the length that the leg uses, in units.
    length: f64,
    used: f64,
}

/// Result of one leg of a walk.
struct LegResult {
    /// Straight parts of the leg, in order.
    parts: [I64Vec2; 2],
    /// Course to which the first part belongs.
    course: Course,
    /// Remaining walk after the leg.
    rest: WalkRest,
    /// Whether the surfaces that the last cast hit ended the leg.
    ended: bool,
}

/// The next leg of a walk, before the walk makes it.
struct NextLeg {
    /// Unit direction of the floor, to the right.
    direction: DVec2,
    result: LegResult,
    /// Tangent of the straight floor that the leg follows.
    line: Option<I64Vec2>,
    /// Whether the leg turns round a corner.
    turns: bool,
    /// Whether no floor leads on, so that the walk can continue only by a step up.
    is_blocked: bool,
}

impl LegResult {
    fn new(part: I64Vec2, course: Course, rest: WalkRest, ended: bool) -> LegResult {
        LegResult { parts: [part, I64Vec2::ZERO], course, rest, ended }
    }
}

impl Probe<'_> {
    /// Walks the shape along the floor that it touches: `length` tiles along the surface, to the right if positive.
    #[inline(always)]
    pub(crate) fn walk(&mut self, walk: &mut Walk<'_, '_>, length: f64) -> WalkEnd {
        match self.find_cached_walk(walk.position, length, walk.touch) {
            Some((way, end)) => {
                walk.move_by_and_add_to_path(way);
                end
            }
            None => self.walk_near_pieces(walk, &mut WalkProgress::new(length), Untraced),
        }
    }

    /// Walks among pieces that the shape may hit. Afterwards searches for a span, so that the next walks need no query.
    #[inline(never)]
    pub(crate) fn walk_near_pieces<T: Trace>(
        &mut self,
        walk: &mut Walk<'_, '_>,
        legs: &mut WalkProgress,
        trace: T,
    ) -> WalkEnd {
        let length = legs.length;
        if !T::RECORDS
            && self.try_find_span(walk.touch.surfaces(), walk.position, length)
            && let Some((way, end)) = self.find_cached_walk(walk.position, length, walk.touch)
        {
            walk.move_by_and_add_to_path(way);
            return end;
        }
        self.near.forget_touched_tiles();
        let end = self.walk_legs(walk, legs, trace);
        if matches!(end, WalkEnd::OnFloor(_)) && self.near.benefits_from_spans() {
            self.find_span(walk.touch.surfaces(), walk.position);
        }
        end
    }

    /// Walks leg by leg.
    fn walk_legs<T: Trace>(&mut self, walk: &mut Walk<'_, '_>, legs: &mut WalkProgress, trace: T) -> WalkEnd {
        let sign = if legs.length.is_sign_negative() { -1 } else { 1 };
        let mut now = WalkProgress::new(legs.length);
        while now.legs < tolerance::MAX_WALK_LEGS && now.turns != tolerance::MAX_WALK_TURNS {
            let (from, parts, before) = (walk.position, walk.path.len(), now.rest);
            let next = match self.cast_next_leg(walk, &now, sign) {
                Ok(next) => next,
                Err(end) => return end,
            };
            let NextLeg { direction, mut result, mut line, mut turns, is_blocked } = next;
            record_leg(walk.position, &now, &result, trace);
            // Without length left, take no step up: a shape that stands has `sign` 1, but does not go to the right.
            let may_step = walk.step > 0 && result.ended && before.length >= tolerance::MIN_WALK_UNITS;
            let step = if may_step { self.find_step_up(walk, &result, is_blocked, sign) } else { None };
            if is_blocked && step.is_none() {
                return WalkEnd::Blocked;
            }
            result.parts.into_iter().for_each(|part| walk.move_by_and_add_to_path(part));
            if let Some(way) = step {
                way.into_iter().for_each(|part| walk.move_by_and_add_to_path(part));
                let onward = way[1].abs().max_element() as f64;
                result.rest = WalkRest { length: (result.rest.length - onward).max(0.0), stride: None };
                (line, turns) = (None, false);
                now.turns += 1;
            } else if result.ended {
                self.report_hits(walk, result.course.displacement());
            }
            if line.is_some() && now.line == line && result.rest.length < before.length {
                // Merge the tiles of one straight floor into one part of the path.
                if walk.path.len() > parts && parts > 0 {
                    walk.path.swap_remove(parts - 1);
                }
            } else if line.is_some() || turns {
                now.turns += 1;
            }
            (now.legs, now.rest, now.line, now.end) = (now.legs + 1, result.rest, line, WalkEnd::OnFloor(direction));
            if T::RECORDS {
                *legs = now;
            }
            if walk.position == from {
                // Save the surfaces that stopped the leg: the search for a floor below casts again and overwrites them.
                std::mem::swap(&mut self.scratch.spare, &mut self.scratch.held);
                self.scratch.held.clear();
                self.scratch.held.extend_from_slice(&self.scratch.hits.surfaces);
            }
            let parts = walk.path.len();
            let keeps = self.try_keep_floor(walk);
            if walk.path.len() > parts {
                now.line = None;
            }
            if !keeps {
                return now.rest.to_straight_end_in_air(direction, sign);
            }
            if now.rest.stride.is_some_and(|(_, steps)| steps == 0) {
                return now.end;
            }
            now.stalls = if walk.position == from { now.stalls + 1 } else { 0 };
            if now.stalls == tolerance::MAX_STALLED_LEGS {
                // A surface can block every leg without being within touching distance. So add the blocking surfaces
                // to the contacts.
                self.add_held_surfaces(walk.touch.start_adding_surfaces());
                return WalkEnd::Blocked;
            }
        }
        now.end
    }

    /// Makes the cast of the next leg of a walk. Returns the end of the walk if there is no such leg.
    #[inline(always)]
    fn cast_next_leg(&mut self, walk: &Walk<'_, '_>, now: &WalkProgress, sign: i64) -> Result<NextLeg, WalkEnd> {
        let before = now.rest;
        let Some(ground) = self.find_floor_to_walk_on(walk.position, walk.touch.surfaces(), sign) else {
            if walk.step <= 0 {
                return Err(WalkEnd::Blocked);
            }
            let result = LegResult::new(I64Vec2::ZERO, Course::Free(I64Vec2::ZERO), before, true);
            let direction = self.scene.frame.right();
            return Ok(NextLeg { direction, result, line: None, turns: false, is_blocked: true });
        };
        let normal = ground.normal(walk.position);
        let direction = unit_vector(tangent(normal));
        if walk.bends == FloorBends::Left
            && let Some(direction) = self.direction_if_floor_falls_away(walk, &ground, sign, now.end)
        {
            return Err(before.to_straight_end_in_air(direction, sign));
        }
        let (mut line, turns) = (None, !ground.is_flat());
        let result = if turns {
            let at_corner = match walk.run_off {
                Some(run_off) => self.decide_how_to_go_on_at_corner(walk, normal, sign, &run_off),
                None => AtCorner::Follows,
            };
            if at_corner == AtCorner::Leaves {
                let last = if now.line.is_some() { now.end } else { WalkEnd::Blocked };
                let direction = self.direction_if_floor_falls_away(walk, &ground, sign, last).unwrap_or(direction);
                return Err(before.to_straight_end_in_air(direction, sign));
            }
            if before.length < tolerance::MIN_WALK_UNITS {
                return Err(WalkEnd::OnFloor(direction));
            }
            let is_held = at_corner == AtCorner::IsHeld && !is_uphill(&self.scene.frame, normal, sign);
            let turn =
                self.find_corner_turn(walk.position, &ground, sign, (before.length, walk.run_off.filter(|_| is_held)));
            self.walk_round_corner(walk.position, &turn)
        } else {
            let along = tangent(normal) * sign;
            let steps = before.remaining_tangent_steps(along);
            if steps <= 0 {
                return Err(WalkEnd::OnFloor(direction));
            }
            let room = scaled_distance_to_floor_end(self.shape, walk.position, &ground, along);
            match self.find_next_leg(walk.position, &ground, along, room) {
                Leg::Straight { most } => {
                    line = Some(along);
                    self.walk_straight(walk.position, along, steps, steps.min(most))
                }
                Leg::ToEnd(way) => self.move_to_floor_end(walk.position, way, before),
                Leg::Turn(way) => {
                    let steps = before.remaining_tangent_steps(way);
                    self.walk_straight(walk.position, way, steps, steps.min(1))
                }
            }
        };
        Ok(NextLeg { direction, result, line, turns, is_blocked: false })
    }

    /// Returns the path up a step that ended a leg. `None` for a floor, along which the walk continues.
    #[inline(never)]
    fn find_step_up(
        &mut self,
        walk: &Walk<'_, '_>,
        result: &LegResult,
        is_blocked: bool,
        sign: i64,
    ) -> Option<[I64Vec2; 2]> {
        let (frame, at) = (self.scene.frame, walk.position + result.parts[0] + result.parts[1]);
        if !is_blocked && frame.has_floor(self.hits(), at) {
            return None;
        }
        self.find_path_up_step(at, frame.right().as_i64vec2() * sign, walk.step)
    }

    /// Returns the next leg of a walk along a straight floor with `room` left to its end.
    ///
    /// If another floor follows round a corner, a box moves with its own corner exactly to the end, and from there
    /// along the next floor. Only then does a box as high as a passage get into it.
    #[inline]
    fn find_next_leg(&self, position: Position, ground: &Surface, along: I64Vec2, room: i64) -> Leg {
        let normal = ground.piece.normal.as_i64vec2();
        let forward = along == tangent(normal);
        let step_sq = along.dot(along);
        let Some(next) = self.normal_of_next_floor(ground, along) else {
            // Go one step past the end, so that the next floor supports the shape.
            return Leg::Straight { most: room / step_sq + 1 };
        };
        if room >= step_sq {
            return Leg::Straight { most: room / step_sq };
        }
        if let Some(to_end) =
            self.displacement_to_slope_end(position, ground, along).filter(|to_end| *to_end != I64Vec2::ZERO)
        {
            return Leg::ToEnd(to_end);
        }
        Leg::Turn(if forward { tangent(next) } else { -tangent(next) })
    }

    /// Finds the crest of the floor that a shape follows, at most about `length` units ahead. `None` if the floor does
    /// not fall away from the walk direction.
    pub(crate) fn find_crest(
        &mut self,
        position: Position,
        touched: &[Surface],
        sign: i64,
        length: f64,
    ) -> Option<Crest> {
        let ground = self.find_floor_to_walk_on(position, touched, sign)?;
        let normal = ground.normal(position);
        if !ground.is_flat() {
            let [middle, end] = self.find_corner_turn(position, &ground, sign, (length, None)).goals;
            return Some(Crest { ways: [middle - position.units(), end - middle], step: I64Vec2::ZERO });
        }
        let direction = tangent(normal) * sign;
        let left = scaled_distance_to_floor_end(self.shape, position, &ground, direction) / direction.dot(direction);
        if self.shape.is_circle() {
            let next = if sign > 0 { ground.piece.after } else { ground.piece.before }.as_i64vec2();
            let turns = next != I64Vec2::ZERO && self.scene.frame.is_floor(next);
            return turns.then(|| Crest { ways: [direction * (left + 1), I64Vec2::ZERO], step: I64Vec2::ZERO });
        }
        let step = tangent(self.normal_of_next_floor(&ground, direction)?) * sign;
        let to_end = self.displacement_to_slope_end(position, &ground, direction).unwrap_or(direction * left);
        Some(Crest { ways: [to_end, I64Vec2::ZERO], step })
    }

    /// Returns the displacement of a box's own corner to the end of a slope in the walk direction. `None` for an
    /// axis-aligned floor.
    fn displacement_to_slope_end(&self, position: Position, ground: &Surface, along: I64Vec2) -> Option<I64Vec2> {
        let normal = ground.piece.normal.as_i64vec2();
        let face = face(&ground.piece);
        let corner = ground.relative_position(position) - normal.signum() * self.shape.half_units();
        let end = if along == tangent(normal) { face.b } else { face.a };
        (normal.x != 0 && normal.y != 0).then_some(end - corner)
    }

    /// Returns the normal of the floor that follows a straight floor round a corner at its end, for a box.
    #[inline]
    fn normal_of_next_floor(&self, ground: &Surface, along: I64Vec2) -> Option<I64Vec2> {
        let normal = ground.piece.normal.as_i64vec2();
        let forward = along == tangent(normal);
        let next = if forward { ground.piece.after } else { ground.piece.before }.as_i64vec2();
        let turns = next != I64Vec2::ZERO && next != -normal && self.scene.frame.is_floor(next);
        (turns && !self.shape.is_circle()).then_some(next)
    }

    /// Moves a box with its corner to the end of a straight floor, less than a step away.
    fn move_to_floor_end(&mut self, position: Position, to_end: I64Vec2, rest: WalkRest) -> LegResult {
        let moved = self.find_free_part(position, Course::Free(to_end)).displacement;
        let rest = WalkRest { length: (rest.length - moved.as_dvec2().length()).max(0.0), stride: None };
        LegResult::new(moved, Course::Free(to_end), rest, moved != to_end)
    }

    /// Returns the floor along which to continue. Of the floors that lead into no other surface, it is the one that
    /// leads down most. Of equal ones it is a straight floor, and then the one that reaches furthest. So the order does
    /// not matter.
    #[inline(always)]
    fn find_floor_to_walk_on(&self, position: Position, surfaces: &[Surface], sign: i64) -> Option<Surface> {
        if let [only] = *surfaces {
            return self.scene.frame.is_floor_of(&only, position).then_some(only);
        }
        let mut best: Option<((f64, bool, f64, f64), Surface)> = None;
        for surface in surfaces.iter() {
            let normal = surface.normal(position);
            if !self.scene.frame.is_floor_of(surface, position) {
                continue;
            }
            let direction = tangent(normal) * sign;
            let room = if surface.is_flat() {
                scaled_distance_to_floor_end(self.shape, position, surface, direction)
            } else {
                0
            };
            let step = if surface.is_flat() {
                self.find_next_leg(position, surface, direction, room).min_displacement_of_leg(direction)
            } else {
                direction
            };
            if surfaces.iter().any(|other| surface_blocks_step(self.shape, other, position, step)) {
                continue;
            }
            let along = direction.as_dvec2();
            let reach =
                if surface.is_flat() { room as f64 } else { half_angle_tangent_to_cone_end(surface, normal, sign) };
            let rise = |along: DVec2| along.dot(self.scene.frame.up()) / along.length();
            // Among two floors that end at one point, prefer the one with a next floor.
            let next = if surface.is_flat() { self.normal_of_next_floor(surface, direction) } else { None };
            let after = next.map_or(f64::INFINITY, |next| rise((tangent(next) * sign).as_dvec2()));
            let rank = (rise(along), !surface.is_flat(), -reach, after);
            if best.is_none_or(|(least, _)| rank < least) {
                best = Some((rank, *surface));
            }
        }
        best.map(|(_, surface)| surface)
    }

    /// Decides how a circle continues at a corner whose surface has that normal. It takes off if gravity does not hold
    /// it there and no floor continues a little lower.
    #[inline(never)]
    fn decide_how_to_go_on_at_corner(
        &mut self,
        walk: &Walk<'_, '_>,
        normal: I64Vec2,
        sign: i64,
        run_off: &RunOff,
    ) -> AtCorner {
        let (frame, position) = (self.scene.frame, walk.position);
        let mut arcs = floors_of(&frame, walk.touch.surfaces(), position).filter(|(surface, _)| !surface.is_flat());
        if arcs.clone().any(|(arc, normal)| !floor_ends_at_corner(&frame, &arc, normal, sign)) {
            return AtCorner::Follows;
        }
        if !run_off.takes_off_from_corners(&frame, self.shape, &mut arcs, sign) {
            return AtCorner::IsHeld;
        }
        if is_uphill(&frame, normal, sign) {
            return AtCorner::Leaves;
        }
        // `far`: how far ahead to look for a floor. A circle that rolls over the corner this far is more than
        // `MAX_SNAP_UNITS` lower, too low to step down to a floor. For very large circles, `far` is limited to
        // `MAX_SNAP_AHEAD_UNITS`.
        let radius = self.shape.half_units().x as f64;
        let far = ((2.0 * radius * tolerance::MAX_SNAP_UNITS as f64).sqrt() as i64 + tolerance::MAX_SNAP_UNITS)
            .min(tolerance::MAX_SNAP_AHEAD_UNITS);
        let ahead = frame.right().as_i64vec2() * (sign * far);
        if self.cast(position, ahead).is_some() {
            return AtCorner::Leaves;
        }
        let (at, down) = (position + ahead, -frame.up_axis() * tolerance::MAX_SNAP_UNITS);
        let goes_on = self.cast(at, down).is_some()
            && self.hits().iter().any(|surface| surface.is_flat() && frame.is_floor(surface.normal(at + down)));
        if goes_on { AtCorner::Follows } else { AtCorner::Leaves }
    }

    /// Returns the direction to the right of the previous floor if `ground` falls away from it at the shape's position.
    #[inline(never)]
    fn direction_if_floor_falls_away(
        &self,
        walk: &Walk<'_, '_>,
        ground: &Surface,
        sign: i64,
        last: WalkEnd,
    ) -> Option<DVec2> {
        let (position, surfaces) = (walk.position, walk.touch.surfaces());
        let rise = |direction: DVec2| direction.dot(self.scene.frame.up()) * sign as f64;
        let own_direction = unit_vector(tangent(ground.normal(position)));
        let mut highest = own_direction;
        let mut compare = |direction: DVec2| {
            if rise(direction) > rise(highest) {
                highest = direction;
            }
        };
        if let WalkEnd::OnFloor(direction) = last {
            compare(direction);
        }
        for surface in surfaces.iter().filter(|surface| surface.is_flat()) {
            let normal = surface.normal(position);
            let direction = tangent(normal) * sign;
            let stands = || {
                signed_scaled_distance_to_floor_end(self.shape, position, surface, direction)
                    >= -direction.dot(direction)
            };
            let leads = || surfaces.iter().any(|other| surface_blocks_step(self.shape, other, position, direction));
            if self.scene.frame.is_floor(normal) && stands() && !leads() {
                compare(unit_vector(tangent(normal)));
            }
        }
        (!ground.is_flat() || rise(highest) > rise(own_direction)).then_some(highest)
    }

    /// Moves along a straight floor by up to `count` of the remaining `steps`.
    fn walk_straight(&mut self, position: Position, along: I64Vec2, steps: i64, count: i64) -> LegResult {
        let course = Course::Along { tangent: along, steps: count };
        let Part { displacement: mut part, toi } = self.find_free_part(position, course);
        if toi.is_none() {
            return LegResult::new(part, course, WalkRest::rest_of_steps(along, steps - count), false);
        }
        if part == I64Vec2::ZERO && count > 1 && self.cast_keeping_last_hits(position, along).is_none() {
            // The time of impact is rounded, so one step may be possible although the cast allows none.
            part = along;
        }
        LegResult::new(part, course, WalkRest::rest_of_steps(along, steps - part.dot(along) / along.dot(along)), true)
    }

    /// Moves a circle round a corner: along two tangents of the arc, never nearer than the radius.
    ///
    /// A leg ends at the latest where the circle is exactly above or next to the corner. Its position there is exact,
    /// so a circle as high as a passage gets into it.
    fn walk_round_corner(&mut self, position: Position, turn: &Turn) -> LegResult {
        let mut parts = [I64Vec2::ZERO; 2];
        let (mut used, mut ended) = (turn.used, false);
        let mut at = position;
        for (goal, made) in turn.goals.into_iter().zip(&mut parts) {
            let part = self.find_free_part(at, Course::Free(goal - at.units()));
            at = at + part.displacement;
            *made = part.displacement;
            if part.toi.is_some() {
                used = used.min((at - turn.from).as_dvec2().length());
                ended = true;
                break;
            }
        }
        let rest = WalkRest { length: (turn.length - used).max(0.0), stride: None };
        LegResult { parts, course: Course::Free(at - position), rest, ended }
    }

    /// Returns the turn of a circle round a corner with which the rest of a walk begins.
    ///
    /// Not inlined, so that walks without a corner do none of its work. Affects speed only.
    #[inline(never)]
    fn find_corner_turn(
        &self,
        from: Position,
        ground: &Surface,
        sign: i64,
        (length, run_off): (f64, Option<RunOff>),
    ) -> Turn {
        let start = ground.normal(from);
        let radius = self.shape.half_units().x;
        let leaves = run_off.and_then(|run_off| run_off.take_off_direction(radius, sign));
        let turn = RoundTurn::turn_of_next_leg(ground, start, sign, (length, radius), leaves);
        let used = radius as f64 * turn.angle();
        let goals = turn.leg_middle_and_end(start, sign, radius).map(|goal| from.units() - start + goal);
        Turn { from, goals, length, used }
    }

    /// Finds the floor under the shape after a leg: a touched floor, or one within step-down distance.
    #[inline(always)]
    fn try_keep_floor(&mut self, walk: &mut Walk<'_, '_>) -> bool {
        if self.refresh_contacts_and_test_floor(walk) {
            return true;
        }
        if walk.bends == FloorBends::Left {
            return false;
        }
        let frame = self.scene.frame;
        let down = -frame.up_axis() * tolerance::MAX_SNAP_UNITS;
        let Some(toi) = self.cast(walk.position, down) else { return false };
        if !frame.has_floor(self.hits(), walk.position + down) {
            return false;
        }
        let part = self.find_displacement_to_hit(walk.position, Course::Free(down), toi);
        walk.move_by_and_add_to_path(part);
        self.refresh_contacts_and_test_floor(walk)
    }

    /// Lowers the shape onto a floor within touching distance, so that it stands on the floor and not above.
    pub(crate) fn lower_onto_floor(&mut self, position: Position, path: &mut Path) -> Position {
        let down = -self.scene.frame.up_axis() * TOUCH;
        let Some(toi) = self.cast(position, down) else { return position };
        let part = self.find_displacement_to_hit(position, Course::Free(down), toi);
        if part != I64Vec2::ZERO {
            path.push(position + part);
        }
        position + part
    }

    /// Finds again what the walker touches. Returns whether a floor is among it.
    fn refresh_contacts_and_test_floor(&mut self, walk: &mut Walk<'_, '_>) -> bool {
        self.find_touching(walk.position, walk.touch.start_refresh());
        self.scene.frame.has_floor(walk.touch.surfaces(), walk.position)
    }

    /// Reports the surfaces of the last cast that block the walk. Floors do not.
    fn report_hits(&self, walk: &mut Walk<'_, '_>, motion: I64Vec2) {
        for surface in self.hits() {
            if !self.scene.frame.is_floor_of(surface, walk.position) {
                (walk.struck)(walk.position, motion, surface);
            }
        }
    }
}

/// Records the straight parts of a leg.
#[inline(always)]
fn record_leg<T: Trace>(position: Position, legs: &WalkProgress, result: &LegResult, trace: T) {
    let [first, second] = result.parts;
    let (begin, end) = (|| legs.fraction_walked_if_left(legs.rest), || legs.fraction_walked_if_left(result.rest));
    let middle = || {
        let [one, other] = [first, second].map(|part| part.as_dvec2().length());
        begin() + (end() - begin()) * if other > 0.0 { one / (one + other) } else { 1.0 }
    };
    trace.record(position, first, || (begin(), middle()));
    trace.record(position + first, second, || (middle(), end()));
}

impl Walk<'_, '_> {
    #[inline]
    pub(super) fn move_by_and_add_to_path(&mut self, part: I64Vec2) {
        if part != I64Vec2::ZERO {
            self.position = self.position + part;
            self.path.push(self.position);
        }
    }
}

impl Scene<'_> {
    /// Removes the sideways part of a displacement into a steep slope. The slope is a wall, so no walker climbs it.
    pub(crate) fn displacement_without_steep_climb(
        &self,
        held: &[Surface],
        position: Position,
        rest: I64Vec2,
    ) -> I64Vec2 {
        if held.iter().any(|s| self.is_steep_climb(s.normal(position), rest.as_dvec2())) {
            let up = self.frame.up_axis();
            up * rest.dot(up)
        } else {
            rest
        }
    }

    /// Removes the sideways part of a velocity into a steep slope.
    pub(crate) fn velocity_without_steep_climb(&self, held: &[Surface], position: Position, velocity: DVec2) -> DVec2 {
        if held.iter().any(|s| self.is_steep_climb(s.normal(position), velocity)) {
            let up = self.frame.up();
            up * velocity.dot(up)
        } else {
            velocity
        }
    }

    /// Returns whether a direction points sideways into a slope that faces up and is too steep for a floor.
    fn is_steep_climb(&self, normal: I64Vec2, direction: DVec2) -> bool {
        let (rises, leans) = self.frame.components_up_and_right(normal);
        rises > 0 && !self.frame.is_floor(normal) && leans as f64 * direction.dot(self.frame.right()) < 0.0
    }
}

/// Returns the floors among surfaces, with their normals for a shape at a position.
pub(crate) fn floors_of(
    frame: &Frame,
    surfaces: &[Surface],
    position: Position,
) -> impl Iterator<Item = (Surface, I64Vec2)> + Clone {
    let floors = surfaces.iter().filter(move |surface| frame.is_floor_of(surface, position));
    floors.map(move |surface| (*surface, surface.normal(position)))
}

/// Rounds a non-negative number to the nearest integer, halves upwards. On some processors `round` would be a function
/// call.
#[inline]
pub(super) fn round_to_nearest(length: f64) -> i64 {
    let whole = length as i64;
    whole + i64::from(length - whole as f64 >= 0.5)
}

/// Returns a direction of length 1, without rounding for an axis.
pub(crate) fn unit_vector(direction: I64Vec2) -> DVec2 {
    if direction.x == 0 || direction.y == 0 { direction.signum().as_dvec2() } else { direction.as_dvec2().normalize() }
}

/// Returns whether a touched surface leaves no room for a step. The test is exact for straight surfaces; at arcs it
/// allows for rounding. A circle whose step leads past the corner, no nearer than its radius, has room.
fn surface_blocks_step(shape: Shape, surface: &Surface, position: Position, step: I64Vec2) -> bool {
    if surface.lets_pass(step) {
        return false;
    }
    if !surface.is_flat() {
        let (offset, radius) = (surface.normal(position), i128::from(shape.half_units().x));
        let (aside, length_sq) = (wide_dot(offset.perp(), step), wide_dot(step, step));
        // The step may be the tangent of another arc. It can be so long that these products overflow. Then only the
        // rounded test decides.
        let squares = aside.checked_mul(aside).zip((radius * radius).checked_mul(length_sq));
        let passes = squares.is_some_and(|(aside_sq, reach_sq)| aside_sq >= reach_sq);
        return !passes && points_into(offset.as_dvec2(), step.as_dvec2());
    }
    if surface.piece.normal.as_i64vec2().dot(step) >= 0 {
        return false;
    }
    let (center, face) = (surface.relative_position(position), face(&surface.piece));
    match shape.0 {
        Form::Aabb { half } => MovingBox { center, half: half.into(), motion: step }.against_face(&face).is_some(),
        Form::Circle { radius } => MovingCircle { center, radius, motion: step }.against_face(&face).is_some(),
    }
}

/// Returns how far a shape can move along a straight floor before its support ends, in units times the tangent's
/// length.
fn scaled_distance_to_floor_end(shape: Shape, position: Position, ground: &Surface, along: I64Vec2) -> i64 {
    signed_scaled_distance_to_floor_end(shape, position, ground, along).max(0)
}

/// Returns [`scaled_distance_to_floor_end`], but negative if the support is past the end.
fn signed_scaled_distance_to_floor_end(shape: Shape, position: Position, ground: &Surface, along: I64Vec2) -> i64 {
    let face = face(&ground.piece);
    let center = ground.relative_position(position);
    let forward = tangent(face.normal);
    let (from_a, from_b) = if shape.is_circle() {
        (forward.dot(center - face.a), forward.dot(center - face.b))
    } else {
        MovingBox { center, half: shape.half_units(), motion: I64Vec2::ZERO }.along_face(&face)
    };
    if along == forward { -from_b } else { from_a }
}
