//! Walking: a way of a given length along the surface, from floor to floor, legs bounded.

use super::advance::Course;
use super::cast::{Probe, Scene};
use super::slide::points_into;
use super::surface::{Surface, face, relative};
use super::{Path, Shape, Touch, tolerance};
use glam::{DVec2, I64Vec2};
use surefoot_geometry::exact::tolerance::TOUCH;
use surefoot_geometry::exact::{MovingBox, tangent, wide_dot};
use surefoot_geometry::{ONE, Place};

/// A walk under way: everything that it changes.
pub(crate) struct Walk<'a, 't> {
    pub(crate) place: Place,
    /// What the shape touches there, at the start and at the end.
    pub(crate) touch: &'a mut Touch<'t>,
    /// The end of each straight part.
    pub(crate) path: &'a mut Path,
    /// Told about what stands in the way, and where the shape was then.
    pub(crate) struck: &'a mut dyn FnMut(Place, &Surface),
}

/// How a way along the floor ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum WalkEnd {
    /// At its full length, on a floor with that unit direction to the right.
    OnFloor(DVec2),
    /// Something stands in the way.
    Blocked,
    /// The floor ended: what is left of the way, in units, and the unit direction to the right it had.
    InAir { rest: I64Vec2, direction: DVec2 },
}

/// What is left of a way: whole steps of a tangent while the floor goes on in that direction, a length where it turns.
#[derive(Clone, Copy)]
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

impl Probe<'_> {
    /// Walks the shape along the floor it touches: `length` in tiles along the surface, to the right if positive.
    pub(crate) fn walk(&mut self, walk: &mut Walk<'_, '_>, length: f64) -> WalkEnd {
        let mut end = WalkEnd::Blocked;
        let sign = if length.is_sign_negative() { -1 } else { 1 };
        let mut rest = Rest { length: length.abs() * ONE as f64, stride: None };
        let mut line = None;
        let mut turns = 0;
        for _ in 0..tolerance::WALK_LEGS {
            if turns == tolerance::WALK_TURNS {
                break;
            }
            let Some(ground) = self.ground(walk, sign) else { return WalkEnd::Blocked };
            let normal = ground.normal(walk.place);
            let direction = unit(tangent(normal));
            end = WalkEnd::OnFloor(direction);
            let before = rest.length;
            rest = if ground.is_flat() {
                let way = tangent(normal) * sign;
                let steps = rest.steps(way);
                if steps <= 0 {
                    return end;
                }
                // The tiles of one straight floor make one part of the way.
                let on = line == Some(way);
                line = Some(way);
                let parts = walk.path.len();
                let rest = self.stride(walk, &ground, way, steps);
                if on && rest.length < before {
                    if walk.path.len() > parts && parts > 0 {
                        walk.path.swap_remove(parts - 1);
                    }
                } else {
                    turns += 1;
                }
                rest
            } else {
                line = None;
                turns += 1;
                if rest.length < tolerance::NO_WAY {
                    return end;
                }
                self.round_corner(walk, &ground, sign, rest.length)
            };
            let parts = walk.path.len();
            let keeps = self.keeps_floor(walk);
            if walk.path.len() > parts {
                line = None;
            }
            if !keeps {
                let left = direction * (rest.length * sign as f64);
                return WalkEnd::InAir { rest: left.round().as_i64vec2(), direction };
            }
            if rest.stride.is_some_and(|(_, steps)| steps == 0) {
                return end;
            }
        }
        end
    }

    /// The floor to go on along: of those whose direction leads into nothing else, the one that leads down most; of equal
    /// ones a straight one, and the one that reaches furthest, so that it does not matter which was found first.
    fn ground(&self, walk: &Walk<'_, '_>, sign: i64) -> Option<Surface> {
        let (place, surfaces) = (walk.place, walk.touch.now());
        if let [only] = *surfaces {
            return self.scene.frame.is_floor(only.normal(place)).then_some(only);
        }
        let mut best: Option<((f64, bool, f64), Surface)> = None;
        for surface in surfaces.iter() {
            let normal = surface.normal(place);
            if !self.scene.frame.is_floor(normal) {
                continue;
            }
            let way = tangent(normal) * sign;
            if surfaces.iter().any(|other| leads_into(other, place, way)) {
                continue;
            }
            let along = way.as_dvec2();
            let reach = if surface.is_flat() {
                room(self.shape, place, surface, way) as f64
            } else {
                cone_left(surface, normal.as_dvec2(), sign)
            };
            let rank = (along.dot(self.scene.frame.up()) / along.length(), !surface.is_flat(), -reach);
            if best.is_none_or(|(least, _)| rank < least) {
                best = Some((rank, *surface));
            }
        }
        best.map(|(_, surface)| surface)
    }

    /// One leg along a straight floor, at most to where it ends; answers with what is left.
    fn stride(&mut self, walk: &mut Walk<'_, '_>, ground: &Surface, way: I64Vec2, steps: i64) -> Rest {
        let step_sq = way.dot(way);
        // One step past the end, so that whatever comes next supports the shape.
        let taken = steps.min(room(self.shape, walk.place, ground, way) / step_sq + 1);
        let course = Course::Along { tangent: way, steps: taken };
        match self.cast(walk.place, course.displacement()) {
            None => {
                walk.make(course.displacement());
                Rest::after(way, steps - taken)
            }
            Some(toi) => {
                let part = self.approach(walk.place, course, toi);
                walk.make(part);
                self.tell(walk);
                Rest::after(way, steps - part.dot(way) / step_sq)
            }
        }
    }

    /// One leg of a circle round a corner: two tangents of the arc, the end pushed out to the radius.
    fn round_corner(&mut self, walk: &mut Walk<'_, '_>, ground: &Surface, sign: i64, length: f64) -> Rest {
        let normal = ground.normal(walk.place);
        let offset = normal.as_dvec2();
        let radius = offset.length();
        let turn = round_turn(ground, offset, sign, length, radius);
        let clockwise = DVec2::new(offset.y, -offset.x) * sign as f64;
        let first = clockwise * turn.half_tan;
        // The offset turned by twice the angle whose tangent is half_tan, without trigonometry.
        let square = turn.half_tan * turn.half_tan;
        let end = (offset * (1.0 - square) + clockwise * (2.0 * turn.half_tan)) / (1.0 + square);
        let used = radius * turn.angle;
        let target = walk.place.units() - normal + outside(end, self.shape.half().x);
        let first = I64Vec2::new(outwards(first.x, offset.x), outwards(first.y, offset.y));
        let middle = walk.place.units() + first;
        for goal in [middle, target] {
            let leg = goal - walk.place.units();
            match self.cast(walk.place, leg) {
                None => walk.make(leg),
                Some(toi) => {
                    let part = self.approach(walk.place, Course::Free(leg), toi);
                    walk.make(part);
                    self.tell(walk);
                    break;
                }
            }
        }
        Rest { length: (length - used).max(0.0), stride: None }
    }

    /// Finds the floor under the shape after a leg: touched, or within reach straight down.
    fn keeps_floor(&mut self, walk: &mut Walk<'_, '_>) -> bool {
        if self.touches_floor(walk) {
            return true;
        }
        let frame = self.scene.frame;
        let down = -frame.axis() * tolerance::SNAP;
        let Some(toi) = self.cast(walk.place, down) else { return false };
        if !self.hits().iter().any(|s| frame.is_floor(s.normal(walk.place + down))) {
            return false;
        }
        let part = self.approach(walk.place, Course::Free(down), toi);
        walk.make(part);
        self.touches_floor(walk)
    }

    /// Lets the shape down to a floor within touching distance, so that it stands on it and not above.
    pub(crate) fn settle(&mut self, place: Place, path: &mut Path) -> Place {
        let down = -self.scene.frame.axis() * TOUCH;
        let Some(toi) = self.cast(place, down) else { return place };
        let part = self.approach(place, Course::Free(down), toi);
        if part != I64Vec2::ZERO {
            path.push(place + part);
        }
        place + part
    }

    fn touches_floor(&mut self, walk: &mut Walk<'_, '_>) -> bool {
        self.touching(walk.place, walk.touch.renew());
        walk.touch.now().iter().any(|s| self.scene.frame.is_floor(s.normal(walk.place)))
    }

    /// Tells what of the last cast stands in the way: floors do not.
    fn tell(&self, walk: &mut Walk<'_, '_>) {
        for surface in self.hits() {
            if !self.scene.frame.is_floor(surface.normal(walk.place)) {
                (walk.struck)(walk.place, surface);
            }
        }
    }
}

impl Walk<'_, '_> {
    #[inline]
    pub(super) fn make(&mut self, part: I64Vec2) {
        if part != I64Vec2::ZERO {
            self.place = self.place + part;
            self.path.push(self.place);
        }
    }
}

impl Scene<'_> {
    /// What is left of a displacement that a steep slope stops sideways: it is a wall, nobody climbs it.
    pub(crate) fn unclimbed(&self, held: &[Surface], place: Place, rest: I64Vec2) -> I64Vec2 {
        if held.iter().any(|s| self.is_climbed(s.normal(place), rest.as_dvec2())) {
            let up = self.frame.axis();
            up * rest.dot(up)
        } else {
            rest
        }
    }

    /// The same for a velocity.
    pub(crate) fn unclimbed_velocity(&self, held: &[Surface], place: Place, velocity: DVec2) -> DVec2 {
        if held.iter().any(|s| self.is_climbed(s.normal(place), velocity)) {
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

/// The nearest whole number to one that is not negative, halves upwards; without the call that `round` is on some processors.
#[inline]
pub(super) fn nearest(length: f64) -> i64 {
    let whole = length as i64;
    whole + i64::from(length - whole as f64 >= 0.5)
}

/// A direction of length 1; along an axis without any rounding.
pub(super) fn unit(direction: I64Vec2) -> DVec2 {
    if direction.x == 0 || direction.y == 0 { direction.signum().as_dvec2() } else { direction.as_dvec2().normalize() }
}

/// Whether a whole direction leads into a surface: exactly for straight ones, by more than rounding for arcs.
fn leads_into(surface: &Surface, place: Place, way: I64Vec2) -> bool {
    let normal = surface.normal(place);
    if surface.is_flat() { wide_dot(normal, way) < 0 } else { points_into(normal.as_dvec2(), way.as_dvec2()) }
}

/// How far the support of a shape can go along a straight floor to where it ends, in units times the tangent's length.
fn room(shape: Shape, place: Place, ground: &Surface, way: I64Vec2) -> i64 {
    let face = face(&ground.piece);
    let center = relative(place, ground.cell);
    let forward = tangent(face.normal);
    let (from_a, from_b) = if shape.is_circle() {
        (forward.dot(center - face.a), forward.dot(center - face.b))
    } else {
        MovingBox { center, half: shape.half(), motion: I64Vec2::ZERO }.along_face(&face)
    };
    (if way == forward { -from_b } else { from_a }).max(0)
}

/// A turn round a corner.
struct RoundTurn {
    /// Tangent of half the angle.
    half_tan: f64,
    /// The angle in radians.
    angle: f64,
}

/// How far a leg round a corner turns: by the length left, to the end of the corner's cone, or by a bounded angle, in
/// which the series below are good to 1e-9.
fn round_turn(ground: &Surface, offset: DVec2, sign: i64, length: f64, radius: f64) -> RoundTurn {
    let wanted = half_tangent((length / radius).min(2.0 * tolerance::ARC_TURN));
    let to_end = cone_left(ground, offset, sign);
    // A little beyond the end, so that the next face supports the circle.
    let half_tan = wanted.min(to_end + tolerance::PAST_ARC / radius);
    RoundTurn { half_tan, angle: 2.0 * arc_tangent(half_tan) }
}

/// The tangent of half the angle that is left of a corner's cone in a direction of walking.
fn cone_left(ground: &Surface, offset: DVec2, sign: i64) -> f64 {
    // Going right, the circle turns clockwise to where the leaving edge's normal begins: square to the second bound.
    let bound = if sign > 0 { ground.piece.after } else { ground.piece.before }.as_i64vec2().as_dvec2();
    // bound . n falls to 0 at the end of the cone: the tangent of the angle left is bound . n over |bound x n|.
    let (dot, cross) = (bound.dot(offset), bound.perp_dot(offset).abs());
    dot.max(0.0) / (cross + (dot * dot + cross * cross).sqrt())
}

/// tan(angle / 2) by its series, for angles up to 1/2.
fn half_tangent(angle: f64) -> f64 {
    let x = angle / 2.0;
    let s = x * x;
    x * (1.0 + s * (1.0 / 3.0 + s * (2.0 / 15.0 + s * (17.0 / 315.0 + s * (62.0 / 2835.0 + s * (1382.0 / 155_925.0))))))
}

/// atan by its series, for tangents up to about 1/4.
fn arc_tangent(t: f64) -> f64 {
    let s = t * t;
    t * (1.0 - s * (1.0 / 3.0 - s * (1.0 / 5.0 - s * (1.0 / 7.0 - s * (1.0 / 9.0 - s * (1.0 / 11.0 - s / 13.0))))))
}

/// A whole offset in that direction that is at least the radius long.
fn outside(offset: DVec2, radius: i64) -> I64Vec2 {
    let scaled = offset * (radius as f64 / offset.length());
    let mut whole = I64Vec2::new(away(scaled.x), away(scaled.y));
    let length_sq = |v: I64Vec2| i128::from(v.x) * i128::from(v.x) + i128::from(v.y) * i128::from(v.y);
    while length_sq(whole) < i128::from(radius) * i128::from(radius) {
        whole += whole.signum();
    }
    whole
}

fn away(value: f64) -> i64 {
    if value < 0.0 { value.floor() as i64 } else { value.ceil() as i64 }
}

/// A component rounded to the side on which the offset is, so that a tangent leads out rather than in; in between, towards
/// zero.
fn outwards(value: f64, offset: f64) -> i64 {
    if offset < 0.0 {
        value.floor() as i64
    } else if offset > 0.0 {
        value.ceil() as i64
    } else {
        value as i64
    }
}
