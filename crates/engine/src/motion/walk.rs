//! Walking: a way of a given length along the surface, from floor to floor, legs bounded.
//!
//! - A leg goes along one straight floor and ends one step past its end, so that whatever comes next supports the
//!   shape.
//! - Where the outline turns away from the air and another floor follows, a box goes with its corner exactly to the end
//!   and then along the floor that follows: one step past the end would raise the box by a unit. A circle goes round
//!   the corner in legs that end where it is straight over or beside the corner, at an exact position (`round`). So a
//!   shape as high as a passage gets into the passage from every floor.
//! - A leg that hits a floor goes on along that floor. After a leg that ends without contact the shape reaches down by
//!   [`tolerance::SNAP`].
//! - A slope too steep for a floor is a wall, in the air too. What would press the shape into it sideways is taken away
//!   before the slide, so no walker climbs it.
//! - A step in the way that is not too high is gone up where the leg that meets it ends: straight up, and on to its edge
//!   ([`past`](super::past)). The rest of the walk goes on from there.
//! - Where no floor goes on behind a corner, a circle keeps to the corner only while gravity holds it there ([`RunOff`]).
//!   Faster it flies on.
//! - A walk may leave the ground where the floor falls away ([`Bends`]): where a box has come exactly to the end of a floor
//!   that another one follows, and where a circle comes to a corner. Then it does not reach down either.
//! - Legs that make no way block the walk after [`tolerance::STALLS`] of them. What stopped it is among the contacts.

use super::advance::{Course, Part};
use super::cast::{Probe, Scene};
use super::round::{RoundTurn, cone_left};
use super::shape::Form;
use super::slide::points_into;
use super::surface::{Surface, face};
use super::trace::{Trace, Untraced};
use super::{Frame, Path, Shape, Touch, tolerance};
use glam::{DVec2, I64Vec2};
use surefoot_geometry::exact::tolerance::TOUCH;
use surefoot_geometry::exact::{MovingBox, MovingCircle, tangent, wide_dot};
use surefoot_geometry::{ONE, Position};

/// What a walk changes.
pub(crate) struct Walk<'a, 't> {
    pub(crate) position: Position,
    /// What the shape touches there, at the start and at the end.
    pub(crate) touch: &'a mut Touch<'t>,
    /// The end of each straight part.
    pub(crate) path: &'a mut Path,
    /// Receives each surface that stands in the way, where the shape was then, and the displacement that was stopped.
    pub(crate) struck: &'a mut dyn FnMut(Position, I64Vec2, &Surface),
    /// How high a step it goes up, in units.
    pub(crate) step: i64,
    pub(crate) bends: Bends,
    /// The flight of a circle where the ground ends. `None` keeps it on corners at every speed.
    pub(crate) run_off: Option<RunOff>,
}

/// Decides whether a circle leaves the corner at which its floor ends.
///
/// Round the corner its centre is on an arc. Gravity holds it there while the part of gravity towards the corner is at least
/// speed² / radius. From where it is less, the parabola of the centre stays outside the arc.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunOff {
    /// Speed along the ground, in tiles per second.
    pub(crate) speed: f64,
    /// Acceleration in flight while the circle rises and while it falls, in tiles per second squared.
    pub(crate) rising: DVec2,
    pub(crate) falling: DVec2,
}

impl RunOff {
    /// The least pull towards a corner that holds a circle there, in tiles per second squared.
    fn needed(&self, radius: i64) -> f64 {
        self.speed * self.speed * (ONE as f64 / radius as f64)
    }

    /// Whether a circle that touches those arcs leaves all of them, which way it goes.
    ///
    /// It does not where a floor goes on behind the corner, and not on its way up to a corner off no floor.
    pub(crate) fn leaves(
        &self,
        frame: &Frame,
        shape: Shape,
        mut arcs: impl Iterator<Item = (Surface, I64Vec2)>,
        sign: i64,
    ) -> bool {
        arcs.all(|(arc, normal)| {
            let gravity = if rises(frame, normal, sign) { self.rising } else { self.falling };
            ends_floor(frame, &arc, normal, sign) && self.needed(shape.half_units().x) > -unit(normal).dot(gravity)
        })
    }

    /// Whether a circle in flight only grazes the corners that it comes to, and does not land: it would leave them again at its speed,
    /// and gravity alone makes it as fast towards them in a tick.
    ///
    /// The way of a tick is straight and a little below the parabola, so that a circle may come to the corner that it has just left.
    pub(crate) fn grazes(
        &self,
        frame: &Frame,
        shape: Shape,
        mut arcs: impl Iterator<Item = (Surface, I64Vec2)> + Clone,
        (velocity, tick): (DVec2, f64),
    ) -> bool {
        let sign = if velocity.dot(frame.right()) < 0.0 { -1 } else { 1 };
        let most = self.falling.length() * tick;
        self.leaves(frame, shape, arcs.clone(), sign)
            && arcs.all(|(arc, normal)| !arc.is_flat() && -unit(normal).dot(velocity) <= most)
    }

    /// The direction from the corner in which a circle leaves it on its way down.
    fn leaves_at(&self, radius: i64, sign: i64) -> Option<DVec2> {
        let pull = self.falling.length();
        let up = -self.falling / pull;
        let part = self.needed(radius) / pull;
        (part < 1.0).then(|| up * part - up.perp() * (sign as f64 * (1.0 - part * part).sqrt()))
    }
}

/// Whether a way along a surface of that normal leads upwards: to the right for sign 1.
fn rises(frame: &Frame, normal: I64Vec2, sign: i64) -> bool {
    (tangent(normal) * sign).dot(frame.axis()) > 0
}

/// Whether the floor ends at the corner of an arc for a circle that goes round it.
fn ends_floor(frame: &Frame, arc: &Surface, normal: I64Vec2, sign: i64) -> bool {
    let (behind, ahead) = arc.beside_arc(sign);
    ahead.is_none_or(|ahead| !frame.is_floor(ahead)) && (!rises(frame, normal, sign) || frame.is_floor(behind))
}

/// A circle's next motion at the corner that it walks round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AtCorner {
    /// It keeps to the corner at every speed.
    Follows,
    /// It keeps to the corner while gravity holds it there.
    IsHeld,
    /// It flies on.
    Leaves,
}

/// What a walk does where the floor falls away from its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bends {
    /// It follows the floor, at every speed.
    Followed,
    /// It follows the floor, at its speed now.
    FollowedNow,
    /// It goes on straight through the air.
    Left,
}

/// How a way along the floor ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum WalkEnd {
    /// The walk ended at its full length, on a floor with that unit direction to the right.
    OnFloor(DVec2),
    /// Something stands in the way.
    Blocked,
    /// The floor ended: what is left of the way, in units, and the unit direction to the right it had.
    InAir { rest: I64Vec2, direction: DVec2 },
}

/// What is left of a way: whole steps of a tangent while the floor goes on in that direction, a length where it turns.
#[derive(Clone, Copy, Debug)]
struct Rest {
    /// In units.
    length: f64,
    stride: Option<(I64Vec2, i64)>,
}

impl Rest {
    /// How many steps of a tangent are left.
    fn steps(&self, tangent: I64Vec2) -> i64 {
        match self.stride {
            Some((known, steps)) if known == tangent => steps,
            _ => nearest(self.length / tangent.as_dvec2().length()),
        }
    }

    fn after(tangent: I64Vec2, steps: i64) -> Rest {
        Rest { length: steps as f64 * tangent.as_dvec2().length(), stride: Some((tangent, steps)) }
    }
}

/// A leg of a walk along a straight floor.
#[derive(Clone, Copy, Debug)]
enum Leg {
    /// A leg of at most so many steps of the floor's tangent.
    Straight { most: i64 },
    /// A leg to the end of the floor, less than a step away.
    ToEnd(I64Vec2),
    /// A step along the floor that follows.
    Turn(I64Vec2),
}

impl Leg {
    /// The least that is made of the leg, given a step along the floor.
    fn step(self, along: I64Vec2) -> I64Vec2 {
        match self {
            Leg::Straight { .. } => along,
            Leg::ToEnd(way) | Leg::Turn(way) => way,
        }
    }
}

/// The legs of a walk. What stopped the last leg, if that made no way, is in the probe's scratch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Legs {
    /// The length of the walk in tiles, to the right if positive.
    length: f64,
    rest: Rest,
    /// The tangent of the straight floor along which the last leg went.
    line: Option<I64Vec2>,
    legs: u32,
    turns: u32,
    /// Legs in a row that made no way.
    stalls: u32,
    /// How the walk ends if there are no more legs.
    end: WalkEnd,
}

impl Legs {
    /// A walk that is still to begin: `length` in tiles along the surface, to the right if positive.
    pub(crate) fn new(length: f64) -> Legs {
        let rest = Rest { length: length.abs() * ONE as f64, stride: None };
        let end = WalkEnd::Blocked;
        Legs { length, rest, line: None, legs: 0, turns: 0, stalls: 0, end }
    }

    /// How much of the way is made when so much is left of it, in [0, 1].
    fn made(&self, rest: Rest) -> f64 {
        let length = self.length.abs() * ONE as f64;
        if length > 0.0 { (1.0 - rest.length / length).clamp(0.0, 1.0) } else { 1.0 }
    }

    /// How much of the way is made.
    pub(crate) fn over(&self) -> f64 {
        self.made(self.rest)
    }
}

/// Where a floor falls away from the direction of a walk, and the next floor follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Crest {
    /// The two straight parts of the way there.
    pub(crate) ways: [I64Vec2; 2],
    /// A box's first step along the next floor. Zero for a circle, which touches what comes next.
    pub(crate) step: I64Vec2,
}

impl Crest {
    /// No crest.
    pub(crate) const NONE: Crest = Crest { ways: [I64Vec2::ZERO; 2], step: I64Vec2::ZERO };
}

/// A leg of a circle round a corner, as it would be if nothing stood in the way.
#[derive(Clone, Copy, Debug)]
struct Turn {
    from: Position,
    /// The end of its first tangent, and of its second, in units.
    goals: [I64Vec2; 2],
    /// What was left of the walk before it, in units, and what it uses of that.
    length: f64,
    used: f64,
}

/// What a leg of a walk comes to.
struct Taken {
    /// The straight parts of the leg, in order.
    parts: [I64Vec2; 2],
    /// What the first of them is a part of.
    course: Course,
    /// What is left of the walk after it.
    rest: Rest,
    /// Whether what the last cast met ended it.
    ended: bool,
}

impl Taken {
    fn new(part: I64Vec2, course: Course, rest: Rest, ended: bool) -> Taken {
        Taken { parts: [part, I64Vec2::ZERO], course, rest, ended }
    }
}

impl Probe<'_> {
    /// Walks the shape along the floor it touches: `length` in tiles along the surface, to the right if positive.
    #[inline(always)]
    pub(crate) fn walk(&mut self, walk: &mut Walk<'_, '_>, length: f64) -> WalkEnd {
        match self.known_walk(walk.position, length, walk.touch) {
            Some((way, end)) => {
                walk.make(way);
                end
            }
            None => self.walk_among(walk, &mut Legs::new(length), Untraced),
        }
    }

    /// Walks among pieces that the shape may meet, and looks for what lets the next walks do without.
    #[inline(never)]
    pub(crate) fn walk_among<T: Trace>(&mut self, walk: &mut Walk<'_, '_>, legs: &mut Legs, trace: T) -> WalkEnd {
        let length = legs.length;
        if !T::RECORDS
            && self.looks_for_span(walk.touch.now(), walk.position, length)
            && let Some((way, end)) = self.known_walk(walk.position, length, walk.touch)
        {
            walk.make(way);
            return end;
        }
        self.near.invalidate();
        let (from, parts) = (walk.position, walk.path.len());
        let end = self.walk_legs(walk, legs, trace);
        match end {
            WalkEnd::OnFloor(_) if self.near.looks_for_spans() => {
                self.find_span(walk.touch.now(), walk.position);
            }
            WalkEnd::Blocked
                // At another speed it may leave the ground there.
                if walk.bends == Bends::Followed
                    && (walk.run_off.is_none() || walk.touch.now().iter().all(Surface::is_flat))
                    && walk.position == from
                    && walk.path.len() == parts
                    && !walk.touch.is_refreshed() =>
            {
                self.block(from, length);
            }
            WalkEnd::OnFloor(_) | WalkEnd::Blocked | WalkEnd::InAir { .. } => {}
        }
        end
    }

    /// Walks leg by leg.
    fn walk_legs<T: Trace>(&mut self, walk: &mut Walk<'_, '_>, legs: &mut Legs, trace: T) -> WalkEnd {
        let sign = if legs.length.is_sign_negative() { -1 } else { 1 };
        let mut now = Legs::new(legs.length);
        while now.legs < tolerance::WALK_LEGS {
            if now.turns == tolerance::WALK_TURNS {
                break;
            }
            let (from, parts, before) = (walk.position, walk.path.len(), now.rest);
            // The straight floor that this leg goes along, or the turn that it makes.
            let (mut line, mut turns) = (None, false);
            let mut is_blocked = false;
            let (direction, mut taken) = if let Some(ground) = self.ground(walk.position, walk.touch.now(), sign) {
                let normal = ground.normal(walk.position);
                let direction = unit(tangent(normal));
                if walk.bends == Bends::Left
                    && let Some(direction) = self.falls_away(walk, &ground, sign, now.end)
                {
                    let left = direction * (before.length * sign as f64);
                    return WalkEnd::InAir { rest: left.round().as_i64vec2(), direction };
                }
                let at_corner = match walk.run_off {
                    Some(run_off) if !ground.is_flat() => self.at_corner(walk, normal, sign, &run_off),
                    _ => AtCorner::Follows,
                };
                if at_corner == AtCorner::Leaves {
                    let last = if now.line.is_some() { now.end } else { WalkEnd::Blocked };
                    let direction = self.falls_away(walk, &ground, sign, last).unwrap_or(direction);
                    let left = direction * (before.length * sign as f64);
                    return WalkEnd::InAir { rest: left.round().as_i64vec2(), direction };
                }
                let taken = if ground.is_flat() {
                    let way = tangent(normal) * sign;
                    let steps = before.steps(way);
                    if steps <= 0 {
                        return WalkEnd::OnFloor(direction);
                    }
                    let room = room(self.shape, walk.position, &ground, way);
                    match self.leg(walk.position, &ground, way, room) {
                        Leg::Straight { most } => {
                            line = Some(way);
                            self.stride(walk.position, way, steps, steps.min(most))
                        }
                        Leg::ToEnd(way) => self.go_to_end(walk.position, way, before),
                        Leg::Turn(way) => {
                            let steps = before.steps(way);
                            self.stride(walk.position, way, steps, steps.min(1))
                        }
                    }
                } else {
                    if before.length < tolerance::NO_WAY {
                        return WalkEnd::OnFloor(direction);
                    }
                    let run_off = walk
                        .run_off
                        .filter(|_| at_corner == AtCorner::IsHeld && !rises(&self.scene.frame, normal, sign));
                    turns = true;
                    let turn = self.turn(walk.position, &ground, sign, (before.length, run_off));
                    self.round_corner(walk.position, &turn)
                };
                (direction, taken)
            } else if walk.step > 0 {
                is_blocked = true;
                let stays = Taken::new(I64Vec2::ZERO, Course::Free(I64Vec2::ZERO), before, true);
                (self.scene.frame.right(), stays)
            } else {
                return WalkEnd::Blocked;
            };
            record_leg(walk.position, &now, &taken, trace);
            // Without a way to go nothing says to which side a step would be.
            let may_step = walk.step > 0 && taken.ended && before.length >= tolerance::NO_WAY;
            let step = if may_step { self.step_after(walk, &taken, is_blocked, sign) } else { None };
            if is_blocked && step.is_none() {
                return WalkEnd::Blocked;
            }
            taken.parts.into_iter().for_each(|part| walk.make(part));
            if let Some(way) = step {
                way.into_iter().for_each(|part| walk.make(part));
                let onward = way[1].abs().max_element() as f64;
                taken.rest = Rest { length: (taken.rest.length - onward).max(0.0), stride: None };
                (line, turns) = (None, false);
                now.turns += 1;
            } else if taken.ended {
                self.tell(walk, taken.course.displacement());
            }
            if line.is_some() && now.line == line && taken.rest.length < before.length {
                // The tiles of one straight floor make one part of the way.
                if walk.path.len() > parts && parts > 0 {
                    walk.path.swap_remove(parts - 1);
                }
            } else if line.is_some() || turns {
                now.turns += 1;
            }
            (now.legs, now.rest, now.line, now.end) = (now.legs + 1, taken.rest, line, WalkEnd::OnFloor(direction));
            if T::RECORDS {
                *legs = now;
            }
            if walk.position == from {
                // What stopped the leg, before the look for a floor casts again.
                std::mem::swap(&mut self.scratch.spare, &mut self.scratch.held);
                self.scratch.held.clear();
                self.scratch.held.extend_from_slice(&self.scratch.hits.surfaces);
            }
            let parts = walk.path.len();
            let keeps = self.keeps_floor(walk);
            if walk.path.len() > parts {
                now.line = None;
            }
            if !keeps {
                let left = direction * (now.rest.length * sign as f64);
                return WalkEnd::InAir { rest: left.round().as_i64vec2(), direction };
            }
            if now.rest.stride.is_some_and(|(_, steps)| steps == 0) {
                return now.end;
            }
            if walk.position == from {
                // What stops the shape may be further away than what it touches: no leg is possible, so the walk has ended.
                now.stalls += 1;
                if now.stalls == tolerance::STALLS {
                    let surfaces = walk.touch.refreshed();
                    for surface in &self.scratch.held {
                        if !surfaces.contains(surface) {
                            surfaces.push(*surface);
                        }
                    }
                    return WalkEnd::Blocked;
                }
            } else {
                now.stalls = 0;
            }
        }
        now.end
    }

    /// The way up a step that has ended a leg; not up a floor, along which the walk goes on.
    #[inline(never)]
    fn step_after(&mut self, walk: &Walk<'_, '_>, taken: &Taken, is_blocked: bool, sign: i64) -> Option<[I64Vec2; 2]> {
        let (frame, at) = (self.scene.frame, walk.position + taken.parts[0] + taken.parts[1]);
        if !is_blocked && self.hits().iter().any(|surface| frame.is_floor_of(surface, at)) {
            return None;
        }
        self.past_step(at, frame.right().as_i64vec2() * sign, walk.step)
    }

    /// The leg that a way along a straight floor begins with, on which there is so much room.
    ///
    /// Where another floor follows the end of one round a corner, a box goes with its own corner exactly to the end and from
    /// there along the next floor: a box as high as a passage gets into it only so.
    #[inline]
    fn leg(&self, position: Position, ground: &Surface, way: I64Vec2, room: i64) -> Leg {
        let normal = ground.piece.normal.as_i64vec2();
        let forward = way == tangent(normal);
        let step_sq = way.dot(way);
        let Some(next) = self.next_floor(ground, way) else {
            // One step past the end, so that whatever comes next supports the shape.
            return Leg::Straight { most: room / step_sq + 1 };
        };
        if room >= step_sq {
            return Leg::Straight { most: room / step_sq };
        }
        if let Some(to_end) = self.to_end(position, ground, way).filter(|to_end| *to_end != I64Vec2::ZERO) {
            return Leg::ToEnd(to_end);
        }
        Leg::Turn(if forward { tangent(next) } else { -tangent(next) })
    }

    /// Finds the crest of the floor that a shape goes along, at most about a length ahead, in units. `None` if the floor does not
    /// fall away from the direction.
    pub(crate) fn crest(&mut self, position: Position, touched: &[Surface], sign: i64, length: f64) -> Option<Crest> {
        let ground = self.ground(position, touched, sign)?;
        let normal = ground.normal(position);
        if !ground.is_flat() {
            let [middle, end] = self.turn(position, &ground, sign, (length, None)).goals;
            return Some(Crest { ways: [middle - position.units(), end - middle], step: I64Vec2::ZERO });
        }
        let way = tangent(normal) * sign;
        let left = room(self.shape, position, &ground, way) / way.dot(way);
        if self.shape.is_circle() {
            let next = if sign > 0 { ground.piece.after } else { ground.piece.before }.as_i64vec2();
            let turns = next != I64Vec2::ZERO && self.scene.frame.is_floor(next);
            return turns.then(|| Crest { ways: [way * (left + 1), I64Vec2::ZERO], step: I64Vec2::ZERO });
        }
        let step = tangent(self.next_floor(&ground, way)?) * sign;
        let to_end = self.to_end(position, &ground, way).unwrap_or(way * left);
        Some(Crest { ways: [to_end, I64Vec2::ZERO], step })
    }

    /// The way of a box's own corner to the end of a slope to which a way along it leads; `None` for a floor along an axis.
    fn to_end(&self, position: Position, ground: &Surface, way: I64Vec2) -> Option<I64Vec2> {
        let normal = ground.piece.normal.as_i64vec2();
        let face = face(&ground.piece);
        let corner = ground.seen(position) - normal.signum() * self.shape.half_units();
        let end = if way == tangent(normal) { face.b } else { face.a };
        (normal.x != 0 && normal.y != 0).then_some(end - corner)
    }

    /// The normal of the floor that follows a straight floor round a corner at the end to which a way leads, for a box.
    #[inline]
    fn next_floor(&self, ground: &Surface, way: I64Vec2) -> Option<I64Vec2> {
        let normal = ground.piece.normal.as_i64vec2();
        let forward = way == tangent(normal);
        let next = if forward { ground.piece.after } else { ground.piece.before }.as_i64vec2();
        let turns = next != I64Vec2::ZERO && next != -normal && self.scene.frame.is_floor(next);
        (turns && !self.shape.is_circle()).then_some(next)
    }

    /// One leg of a box with its corner to the end of a straight floor, less than a step away.
    fn go_to_end(&mut self, position: Position, way: I64Vec2, rest: Rest) -> Taken {
        let made = self.look_ahead(position, Course::Free(way)).displacement;
        let rest = Rest { length: (rest.length - made.as_dvec2().length()).max(0.0), stride: None };
        Taken::new(made, Course::Free(way), rest, made != way)
    }

    /// The floor to go on along: of the floors that lead into nothing else, the one that leads down most. Of equal ones
    /// it is a straight one, and the one that reaches furthest, so that it does not matter which was found first.
    #[inline(always)]
    fn ground(&self, position: Position, surfaces: &[Surface], sign: i64) -> Option<Surface> {
        if let [only] = *surfaces {
            return self.scene.frame.is_floor_of(&only, position).then_some(only);
        }
        let mut best: Option<((f64, bool, f64, f64), Surface)> = None;
        for surface in surfaces.iter() {
            let normal = surface.normal(position);
            if !self.scene.frame.is_floor_of(surface, position) {
                continue;
            }
            let way = tangent(normal) * sign;
            let room = if surface.is_flat() { room(self.shape, position, surface, way) } else { 0 };
            let step = if surface.is_flat() { self.leg(position, surface, way, room).step(way) } else { way };
            if surfaces.iter().any(|other| leads_into(self.shape, other, position, step)) {
                continue;
            }
            let along = way.as_dvec2();
            let reach = if surface.is_flat() { room as f64 } else { cone_left(surface, normal, sign) };
            let rise = |along: DVec2| along.dot(self.scene.frame.up()) / along.length();
            // Of two that end at one point, one with a floor that follows.
            let next = if surface.is_flat() { self.next_floor(surface, way) } else { None };
            let after = next.map_or(f64::INFINITY, |next| rise((tangent(next) * sign).as_dvec2()));
            let rank = (rise(along), !surface.is_flat(), -reach, after);
            if best.is_none_or(|(least, _)| rank < least) {
                best = Some((rank, *surface));
            }
        }
        best.map(|(_, surface)| surface)
    }

    /// Decides how a circle goes on at a corner, where the corner's surface has that normal. The circle flies on if gravity does
    /// not hold it there and no floor goes on a little lower.
    #[inline(never)]
    fn at_corner(&mut self, walk: &Walk<'_, '_>, normal: I64Vec2, sign: i64, run_off: &RunOff) -> AtCorner {
        let (frame, position) = (self.scene.frame, walk.position);
        let mut arcs = floors_of(&frame, walk.touch.now(), position).filter(|(surface, _)| !surface.is_flat());
        if arcs.clone().any(|(arc, normal)| !ends_floor(&frame, &arc, normal, sign)) {
            return AtCorner::Follows;
        }
        if !run_off.leaves(&frame, self.shape, &mut arcs, sign) {
            return AtCorner::IsHeld;
        }
        if rises(&frame, normal, sign) {
            return AtCorner::Leaves;
        }
        // So far ahead the corner is no longer above a floor within reach.
        let radius = self.shape.half_units().x as f64;
        let far = ((2.0 * radius * tolerance::SNAP as f64).sqrt() as i64 + tolerance::SNAP).min(tolerance::SNAP_AHEAD);
        let ahead = frame.right().as_i64vec2() * (sign * far);
        if self.cast(position, ahead).is_some() {
            return AtCorner::Leaves;
        }
        let (at, down) = (position + ahead, -frame.axis() * tolerance::SNAP);
        let goes_on = self.cast(at, down).is_some()
            && self.hits().iter().any(|surface| surface.is_flat() && frame.is_floor(surface.normal(at + down)));
        if goes_on { AtCorner::Follows } else { AtCorner::Leaves }
    }

    /// The direction to the right of a floor from which the one to go on along falls away, where the shape is.
    #[inline(never)]
    fn falls_away(&self, walk: &Walk<'_, '_>, ground: &Surface, sign: i64, last: WalkEnd) -> Option<DVec2> {
        let (position, surfaces) = (walk.position, walk.touch.now());
        let rise = |direction: DVec2| direction.dot(self.scene.frame.up()) * sign as f64;
        let own = unit(tangent(ground.normal(position)));
        let mut highest = own;
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
            let way = tangent(normal) * sign;
            let stands = || room_left(self.shape, position, surface, way) >= -way.dot(way);
            let leads = || surfaces.iter().any(|other| leads_into(self.shape, other, position, way));
            if self.scene.frame.is_floor(normal) && stands() && !leads() {
                compare(unit(tangent(normal)));
            }
        }
        (!ground.is_flat() || rise(highest) > rise(own)).then_some(highest)
    }

    /// One leg of some steps along a straight floor, of all that are left.
    fn stride(&mut self, position: Position, way: I64Vec2, steps: i64, taken: i64) -> Taken {
        let course = Course::Along { tangent: way, steps: taken };
        let Part { displacement: mut part, toi } = self.look_ahead(position, course);
        if toi.is_none() {
            return Taken::new(part, course, Rest::after(way, steps - taken), false);
        }
        if part == I64Vec2::ZERO && taken > 1 && self.recast(position, way).is_none() {
            // The time of impact is rounded: exactly one step may be left.
            part = way;
        }
        Taken::new(part, course, Rest::after(way, steps - part.dot(way) / way.dot(way)), true)
    }

    /// One leg of a circle round a corner: along two tangents of the arc, never nearer than the radius.
    ///
    /// A leg ends at the latest where the circle is straight over or beside the corner, and there its position is exact:
    /// so a circle as high as a passage gets into it.
    fn round_corner(&mut self, position: Position, turn: &Turn) -> Taken {
        let mut parts = [I64Vec2::ZERO; 2];
        let (mut used, mut ended) = (turn.used, false);
        let mut at = position;
        for (goal, made) in turn.goals.into_iter().zip(&mut parts) {
            let part = self.look_ahead(at, Course::Free(goal - at.units()));
            at = at + part.displacement;
            *made = part.displacement;
            if part.toi.is_some() {
                used = used.min((at - turn.from).as_dvec2().length());
                ended = true;
                break;
            }
        }
        let rest = Rest { length: (turn.length - used).max(0.0), stride: None };
        Taken { parts, course: Course::Free(at - position), rest, ended }
    }

    /// The turn of a circle round a corner that a way of a length begins with.
    #[inline(always)]
    fn turn(&self, from: Position, ground: &Surface, sign: i64, (length, run_off): (f64, Option<RunOff>)) -> Turn {
        let start = ground.normal(from);
        let radius = self.shape.half_units().x;
        let leaves = run_off.and_then(|run_off| run_off.leaves_at(radius, sign));
        let turn = RoundTurn::of(ground, start, sign, (length, radius), leaves);
        let used = radius as f64 * turn.angle();
        let goals = turn.legs(start, sign, radius).map(|goal| from.units() - start + goal);
        Turn { from, goals, length, used }
    }

    /// Finds the floor under the shape after a leg: touched, or within reach straight down.
    #[inline(always)]
    fn keeps_floor(&mut self, walk: &mut Walk<'_, '_>) -> bool {
        if self.touches_floor(walk) {
            return true;
        }
        if walk.bends == Bends::Left {
            return false;
        }
        let frame = self.scene.frame;
        let down = -frame.axis() * tolerance::SNAP;
        let Some(toi) = self.cast(walk.position, down) else { return false };
        if !self.hits().iter().any(|s| frame.is_floor_of(s, walk.position + down)) {
            return false;
        }
        let part = self.approach(walk.position, Course::Free(down), toi);
        walk.make(part);
        self.touches_floor(walk)
    }

    /// Lets the shape down to a floor within touching distance, so that it stands on it and not above.
    pub(crate) fn settle(&mut self, position: Position, path: &mut Path) -> Position {
        let down = -self.scene.frame.axis() * TOUCH;
        let Some(toi) = self.cast(position, down) else { return position };
        let part = self.approach(position, Course::Free(down), toi);
        if part != I64Vec2::ZERO {
            path.push(position + part);
        }
        position + part
    }

    fn touches_floor(&mut self, walk: &mut Walk<'_, '_>) -> bool {
        self.touching(walk.position, walk.touch.refresh());
        walk.touch.now().iter().any(|s| self.scene.frame.is_floor_of(s, walk.position))
    }

    /// Tells what of the last cast stands in the way: floors do not.
    fn tell(&self, walk: &mut Walk<'_, '_>, motion: I64Vec2) {
        for surface in self.hits() {
            if !self.scene.frame.is_floor_of(surface, walk.position) {
                (walk.struck)(walk.position, motion, surface);
            }
        }
    }
}

/// Records the straight parts of a leg.
#[inline(always)]
fn record_leg<T: Trace>(position: Position, legs: &Legs, taken: &Taken, trace: T) {
    let [first, second] = taken.parts;
    let (begin, end) = (|| legs.made(legs.rest), || legs.made(taken.rest));
    let middle = || {
        let [one, other] = [first, second].map(|part| part.as_dvec2().length());
        begin() + (end() - begin()) * if other > 0.0 { one / (one + other) } else { 1.0 }
    };
    trace.record(position, first, || (begin(), middle()));
    trace.record(position + first, second, || (middle(), end()));
}

impl Walk<'_, '_> {
    #[inline]
    pub(super) fn make(&mut self, part: I64Vec2) {
        if part != I64Vec2::ZERO {
            self.position = self.position + part;
            self.path.push(self.position);
        }
    }
}

impl Scene<'_> {
    /// What is left of a displacement that a steep slope stops sideways: the slope is a wall, and is not climbed.
    pub(crate) fn unclimbed(&self, held: &[Surface], position: Position, rest: I64Vec2) -> I64Vec2 {
        if held.iter().any(|s| self.is_climbed(s.normal(position), rest.as_dvec2())) {
            let up = self.frame.axis();
            up * rest.dot(up)
        } else {
            rest
        }
    }

    /// What is left of a velocity that a steep slope stops sideways.
    pub(crate) fn unclimbed_velocity(&self, held: &[Surface], position: Position, velocity: DVec2) -> DVec2 {
        if held.iter().any(|s| self.is_climbed(s.normal(position), velocity)) {
            let up = self.frame.up();
            up * velocity.dot(up)
        } else {
            velocity
        }
    }

    /// Whether a direction leads sideways into a slope that faces up and is too steep for a floor.
    fn is_climbed(&self, normal: I64Vec2, direction: DVec2) -> bool {
        let (rises, leans) = self.frame.split(normal);
        rises > 0 && !self.frame.is_floor(normal) && leans as f64 * direction.dot(self.frame.right()) < 0.0
    }
}

/// The floors among surfaces, with their normals for a shape at a position.
pub(crate) fn floors_of(
    frame: &Frame,
    surfaces: &[Surface],
    position: Position,
) -> impl Iterator<Item = (Surface, I64Vec2)> + Clone {
    let floors = surfaces.iter().filter(move |surface| frame.is_floor_of(surface, position));
    floors.map(move |surface| (*surface, surface.normal(position)))
}

/// The nearest whole number to one that is not negative, halves upwards; without the call that `round` is on some processors.
#[inline]
pub(super) fn nearest(length: f64) -> i64 {
    let whole = length as i64;
    whole + i64::from(length - whole as f64 >= 0.5)
}

/// A direction of length 1; along an axis without any rounding.
pub(crate) fn unit(direction: I64Vec2) -> DVec2 {
    if direction.x == 0 || direction.y == 0 { direction.signum().as_dvec2() } else { direction.as_dvec2().normalize() }
}

/// Whether a surface that is touched leaves no room for a step: exactly for straight ones, by more than rounding for arcs. A circle that
/// the line of its step leads past the corner, no nearer than its radius, has room.
fn leads_into(shape: Shape, surface: &Surface, position: Position, step: I64Vec2) -> bool {
    if surface.lets_pass(step) {
        return false;
    }
    if !surface.is_flat() {
        let (offset, radius) = (surface.normal(position), i128::from(shape.half_units().x));
        let (aside, length_sq) = (wide_dot(offset.perp(), step), wide_dot(step, step));
        // Along another arc the products may be too large, and rounding decides.
        let squares = aside.checked_mul(aside).zip((radius * radius).checked_mul(length_sq));
        let passes = squares.is_some_and(|(aside_sq, reach_sq)| aside_sq >= reach_sq);
        return !passes && points_into(offset.as_dvec2(), step.as_dvec2());
    }
    if surface.piece.normal.as_i64vec2().dot(step) >= 0 {
        return false;
    }
    let (center, face) = (surface.seen(position), face(&surface.piece));
    match shape.0 {
        Form::Aabb { half } => MovingBox { center, half: half.into(), motion: step }.against_face(&face).is_some(),
        Form::Circle { radius } => MovingCircle { center, radius, motion: step }.against_face(&face).is_some(),
    }
}

/// How far the support of a shape can go along a straight floor to where it ends, in units times the tangent's length.
fn room(shape: Shape, position: Position, ground: &Surface, way: I64Vec2) -> i64 {
    room_left(shape, position, ground, way).max(0)
}

/// [`room`], negative for a support that is past the end.
fn room_left(shape: Shape, position: Position, ground: &Surface, way: I64Vec2) -> i64 {
    let face = face(&ground.piece);
    let center = ground.seen(position);
    let forward = tangent(face.normal);
    let (from_a, from_b) = if shape.is_circle() {
        (forward.dot(center - face.a), forward.dot(center - face.b))
    } else {
        MovingBox { center, half: shape.half_units(), motion: I64Vec2::ZERO }.along_face(&face)
    };
    if way == forward { -from_b } else { from_a }
}
