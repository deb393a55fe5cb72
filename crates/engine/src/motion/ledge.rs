//! Ledges of platforms that come past a body.
//!
//! Platforms move first, then bodies. A ledge that goes down faster than a body that drops through it is below that body
//! when the body's own move begins, and would catch it, though the body has come there from behind: at the end of the tick
//! it may be behind the ledge as before. So in its own move a body passes a ledge that has come past it as the platforms
//! moved, and the ledges joined to that at its ends. Where it ends decides about the next tick.
//!
//! The centres at which a shape overlaps a straight ledge are a convex set. A ledge has come past a body if the way from where
//! the body was to where it is, as the platform sees it, leads through that set: it begins in the set, or comes in through
//! its back or its sides.

use super::source::Source;
use super::surface::{Surface, lattice};
use super::visit::Bounds;
use super::{Shape, shape::Form, tolerance};
use crate::catalogue::PatternKind;
use crate::terrain::{Piece, Role};
use glam::{DVec2, I64Vec2};
use surefoot_geometry::exact::tangent;

/// How a body came to a platform, in units: where it was when its tick began, shifted by what the platform has moved since,
/// and where it was when its own move began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Came {
    pub(super) from: I64Vec2,
    pub(super) to: I64Vec2,
}

/// A straight ledge: tiles of it that go on in one line are one.
#[derive(Clone, Copy, Debug)]
struct Ledge {
    a: I64Vec2,
    b: I64Vec2,
    /// To the front.
    normal: I64Vec2,
}

impl Source<'_> {
    /// Whether a surface is a one-way ledge.
    pub(super) fn is_open(&self, surface: &Surface) -> bool {
        let variant = self.terrain.source_of(self.tile(surface.at), &surface.piece).variant;
        variant.is_some_and(|id| self.terrain.catalogue().variant(id).kind == PatternKind::Open)
    }

    /// Whether a surface is part of a ledge that has come past a shape since its tick began, or of one joined to that.
    #[inline]
    pub(super) fn is_passed(&self, shape: Shape, at: I64Vec2, piece: &Piece) -> bool {
        self.came.is_some_and(|came| {
            // What was wholly in front of a face has not come from behind it.
            let is_face = piece.role == Role::Face;
            !(is_face && was_in_front(piece, shape, came.from - at))
                && self.comes_past(shape, &Surface { owner: self.owner, at, piece: *piece }, came)
        })
    }

    #[inline(never)]
    fn comes_past(&self, shape: Shape, surface: &Surface, came: Came) -> bool {
        if !self.is_open(surface) {
            return false;
        }
        let (low, high) = (came.from.min(came.to) - shape.half_units(), came.from.max(came.to) + shape.half_units());
        let reach = Bounds { low, high };
        // What has come to one of them from the front was held there.
        let (mut past, mut held) = (false, false);
        let mut ask = |ledge: &Ledge| match ledge.met(shape, came) {
            Some(Met::InFront) => held = true,
            Some(Met::Past) => past = true,
            None => {}
        };
        let is_face = surface.piece.role == Role::Face;
        let ends = if is_face {
            let own = self.ledge(shape, surface, &reach);
            ask(&own);
            [own.a, own.b]
        } else {
            [surface.at + lattice(surface.piece.a); 2]
        };
        let mut solid = false;
        for end in &ends[..if is_face { 2 } else { 1 }] {
            self.each_face_at(shape, *end, |face| {
                if self.is_open(face) {
                    ask(&self.ledge(shape, face, &reach));
                } else {
                    solid = true;
                }
            });
        }
        // A corner that is a solid's too is not passed.
        past && !held && (is_face || !solid)
    }

    /// Shows the faces that end at a point.
    fn each_face_at(&self, shape: Shape, point: I64Vec2, mut see: impl FnMut(&Surface)) {
        let all = Source { came: None, ..*self };
        all.each_piece(shape, all.cells(&Bounds { low: point, high: point }), |face| {
            if face.piece.role == Role::Face && ends(&face).contains(&point) {
                see(&face);
            }
        });
    }

    /// The straight ledge that a face belongs to, as far as bounds reach.
    fn ledge(&self, shape: Shape, face: &Surface, reach: &Bounds) -> Ledge {
        let normal = face.piece.normal.as_i64vec2();
        let along = tangent(normal);
        let [mut a, mut b] = ends(face);
        if along.dot(b - a) < 0 {
            std::mem::swap(&mut a, &mut b);
        }
        let next = |end: I64Vec2, way: I64Vec2| {
            let mut next = None;
            self.each_face_at(shape, end, |other| {
                if other.piece.normal == face.piece.normal && self.is_open(other) {
                    next = next.or(ends(other).into_iter().find(|other| way.dot(other - end) > 0));
                }
            });
            next
        };
        let middle = (reach.low + reach.high) / 2;
        let room = along.abs().dot(reach.high - reach.low);
        while along.dot(b - middle) <= room {
            let Some(end) = next(b, along) else { break };
            b = end;
        }
        while along.dot(middle - a) <= room {
            let Some(end) = next(a, -along) else { break };
            a = end;
        }
        Ledge { a, b, normal }
    }
}

/// The ends of a face, in units.
fn ends(face: &Surface) -> [I64Vec2; 2] {
    [face.piece.a, face.piece.b].map(|end| face.at + lattice(end))
}

/// Whether the whole of a shape is in front of the line of a face; a circle that is behind by rounding is in front.
fn was_in_front(face: &Piece, shape: Shape, center: I64Vec2) -> bool {
    let (normal, away) = (face.normal.as_i64vec2(), center - lattice(face.a));
    match shape.0 {
        Form::Aabb { half } => normal.dot(away) >= normal.abs().dot(half.into()),
        Form::Circle { radius } => normal.dot(away) as f64 >= normal.as_dvec2().length() * (radius - 1) as f64,
    }
}

/// The part of a way, as fractions of it, on which it is in something convex, and how far the side where it comes in faces the
/// front: its outward normal times that of the ledge.
#[derive(Clone, Copy, Debug)]
struct Inside {
    enter: f64,
    leave: f64,
    facing: f64,
}

impl Inside {
    const WHOLE: Inside = Inside { enter: f64::NEG_INFINITY, leave: f64::INFINITY, facing: 0.0 };

    /// What is left of it before the line that a way comes to the nearer the greater its speed against the normal: it is
    /// outside of that line by so much at the beginning. Of two sides that it comes in through at once the one that faces the
    /// front more counts, in whatever order they are asked.
    fn behind(self, facing: f64, outside: f64, speed: f64) -> Option<Inside> {
        if speed == 0.0 {
            return (outside < 0.0).then_some(self);
        }
        let time = -outside / speed;
        let cut = if speed > 0.0 {
            Inside { leave: self.leave.min(time), ..self }
        } else {
            self.later(Inside { enter: time, facing, ..self })
        };
        (cut.enter < cut.leave).then_some(cut)
    }

    /// Of both, what is entered last.
    fn later(self, other: Inside) -> Inside {
        if (other.enter, other.facing) > (self.enter, self.facing) { other } else { self }
    }

    /// Both, of sets that are one convex set together.
    fn with(self, other: Inside) -> Inside {
        let first = if (other.enter, -other.facing) < (self.enter, -self.facing) { other } else { self };
        Inside { leave: self.leave.max(other.leave), ..first }
    }
}

/// How a shape comes to be in a ledge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Met {
    /// From the front.
    InFront,
    /// From elsewhere, or it was there from the beginning.
    Past,
}

impl Ledge {
    /// How a shape that goes from one place to another comes to be in the ledge on its way; `None` if it does not.
    fn met(&self, shape: Shape, Came { from, to }: Came) -> Option<Met> {
        let inside = match shape.0 {
            Form::Aabb { half } => self.inside_of_box(half.into(), from, to - from),
            Form::Circle { radius } => self.inside_of_circle(radius, from, to - from),
        };
        let Inside { enter, leave, facing } = inside?;
        // Only a way against its normal meets a ledge, at its ends too.
        let is_against = self.normal.dot(to - from) < 0;
        let is_from_front = is_against && enter >= 0.0 && facing > 0.0;
        (enter < 1.0 && leave > 0.0).then_some(if is_from_front { Met::InFront } else { Met::Past })
    }

    fn inside_of_box(&self, half: I64Vec2, from: I64Vec2, way: I64Vec2) -> Option<Inside> {
        let slanted = self.normal.x != 0 && self.normal.y != 0;
        let axes = [I64Vec2::X, I64Vec2::Y].into_iter().chain(slanted.then_some(self.normal));
        axes.flat_map(|axis| [axis, -axis]).try_fold(Inside::WHOLE, |inside, side| {
            let reach = side.dot(self.a - from).max(side.dot(self.b - from)) + side.abs().dot(half);
            inside.behind(side.dot(self.normal) as f64, -reach as f64, side.dot(way) as f64)
        })
    }

    fn inside_of_circle(&self, radius: i64, from: I64Vec2, way: I64Vec2) -> Option<Inside> {
        // What rests on a ledge is in it by rounding.
        let radius = radius as f64 - tolerance::LEDGE_DEPTH;
        let [a, b] = [self.a, self.b].map(|end| (from - end).as_dvec2());
        let (way, normal) = (way.as_dvec2(), self.normal.as_dvec2().normalize());
        let along = (a - b).normalize();
        let sides = [(normal, radius, a), (-normal, radius, a), (along, 0.0, b), (-along, 0.0, a)];
        let between = sides.into_iter().try_fold(Inside::WHOLE, |inside, (side, reach, off)| {
            inside.behind(side.dot(normal), side.dot(off) - reach, side.dot(way))
        });
        let around = |off: DVec2| {
            let (nears, square) = (off.dot(way), way.length_squared());
            let under = nears * nears - square * (off.length_squared() - radius * radius);
            (under > 0.0 && square > 0.0).then(|| {
                let [enter, leave] = [-1.0, 1.0].map(|sign| (-nears + sign * under.sqrt()) / square);
                Inside { enter, leave, facing: (off + way * enter).dot(normal) }
            })
        };
        [between, around(a), around(b)].into_iter().flatten().reduce(Inside::with)
    }
}
