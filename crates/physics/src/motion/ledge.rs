//! One-way tiles of moving platforms that pass a body.
//!
//! Platforms move first, then bodies. A one-way tile of a platform can move down faster than a body that drops
//! through it. The tile is then below the body when the body's own move begins. It would catch the body, although the
//! body came from behind. At the end of the tick, the body may be behind the tile again. So during its own move, a
//! body passes each one-way tile that moved past it, and the tiles joined to that one. The position at the end of the
//! tick decides about the next tick.
//!
//! Adjacent one-way tiles in one straight line count as one line. The centres at which a shape overlaps such a line
//! form a convex set. The body's path, as seen from the platform, tells whether the line has moved past the body: the
//! path starts in that set, or enters it through its back or its sides.

use super::source::Source;
use super::surface::{Surface, lattice_to_units};
use super::visit::Bounds;
use super::{Shape, shape::Form, tolerance};
use crate::catalogue::PatternKind;
use crate::terrain::{Piece, Role};
use glam::{DVec2, I64Vec2};
use surefoot_geometry::exact::tangent;

/// Path of a body as a platform sees it, in units.
///
/// From the body's position at the start of the tick, shifted by the platform's motion since then, to its position at
/// the start of its own move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ApproachPath {
    pub(super) from: I64Vec2,
    pub(super) to: I64Vec2,
}

/// A straight line of one-way tiles. Adjacent tiles in one line count as one.
#[derive(Clone, Copy, Debug)]
struct OneWayLine {
    a: I64Vec2,
    b: I64Vec2,
    /// Points to the front.
    normal: I64Vec2,
}

impl Source<'_> {
    /// Returns whether a surface belongs to a one-way tile.
    pub(super) fn is_one_way_tile(&self, surface: &Surface) -> bool {
        let variant = self.terrain.source_of(self.tile_at_offset(surface.at), &surface.piece).variant;
        variant.is_some_and(|id| self.terrain.catalogue().variant(id).kind == PatternKind::Open)
    }

    /// Returns whether a surface belongs to a one-way line that moved past a shape since its tick began, or to a line
    /// joined to that one.
    #[inline]
    pub(super) fn belongs_to_passed_line(&self, shape: Shape, at: I64Vec2, piece: &Piece) -> bool {
        self.approach.is_some_and(|approach| {
            // Fast path: if the whole shape was in front of a face, the face blocks it as usual.
            let is_face = piece.role == Role::Face;
            !(is_face && is_in_front_of_face(piece, shape, approach.from - at))
                && self.has_one_way_line_moved_past(shape, &Surface { owner: self.owner, at, piece: *piece }, approach)
        })
    }

    /// Returns whether a one-way line at the surface has moved past the shape. If the shape came to a joined line from
    /// the front, or a solid tile has the same corner, the answer is no.
    #[inline(never)]
    fn has_one_way_line_moved_past(&self, shape: Shape, surface: &Surface, approach: ApproachPath) -> bool {
        if !self.is_one_way_tile(surface) {
            return false;
        }
        let (low, high) =
            (approach.from.min(approach.to) - shape.half_units(), approach.from.max(approach.to) + shape.half_units());
        let reach = Bounds { low, high };
        // If the shape enters any of the joined lines from the front, all of them block it.
        let (mut past, mut held) = (false, false);
        let mut test = |line: &OneWayLine| match line.find_entry(shape, approach) {
            Some(Entry::FromFront) => held = true,
            Some(Entry::Elsewhere) => past = true,
            None => {}
        };
        let is_face = surface.piece.role == Role::Face;
        let ends = if is_face {
            let own_line = self.one_way_line(shape, surface, &reach);
            test(&own_line);
            [own_line.a, own_line.b]
        } else {
            [surface.at + lattice_to_units(surface.piece.a); 2]
        };
        let mut solid = false;
        for end in &ends[..if is_face { 2 } else { 1 }] {
            self.for_each_face_at(shape, *end, |face| {
                if self.is_one_way_tile(face) {
                    test(&self.one_way_line(shape, face, &reach));
                } else {
                    solid = true;
                }
            });
        }
        // A corner that also belongs to a solid tile blocks in any case.
        past && !held && (is_face || !solid)
    }

    /// Calls `see` with the faces that end at a point.
    fn for_each_face_at(&self, shape: Shape, point: I64Vec2, mut see: impl FnMut(&Surface)) {
        let all = Source { approach: None, ..*self };
        all.for_each_piece(shape, all.cells(&Bounds { low: point, high: point }), |face| {
            if face.piece.role == Role::Face && face_ends(&face).contains(&point) {
                see(&face);
            }
        });
    }

    /// Returns the straight one-way line that a face belongs to, as far as bounds reach.
    fn one_way_line(&self, shape: Shape, face: &Surface, reach: &Bounds) -> OneWayLine {
        let normal = face.piece.normal.as_i64vec2();
        let along = tangent(normal);
        let [mut a, mut b] = face_ends(face);
        if along.dot(b - a) < 0 {
            std::mem::swap(&mut a, &mut b);
        }
        let next = |end: I64Vec2, way: I64Vec2| {
            let mut next = None;
            self.for_each_face_at(shape, end, |other| {
                if other.piece.normal == face.piece.normal && self.is_one_way_tile(other) {
                    next = next.or(face_ends(other).into_iter().find(|other| way.dot(other - end) > 0));
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
        OneWayLine { a, b, normal }
    }
}

/// Returns the ends of a face, in units.
fn face_ends(face: &Surface) -> [I64Vec2; 2] {
    [face.piece.a, face.piece.b].map(|end| face.at + lattice_to_units(end))
}

/// Returns whether a shape is wholly in front of the line of a face. A circle that is behind by rounding counts as in
/// front.
fn is_in_front_of_face(face: &Piece, shape: Shape, center: I64Vec2) -> bool {
    let (normal, away) = (face.normal.as_i64vec2(), center - lattice_to_units(face.a));
    match shape.0 {
        Form::Aabb { half } => normal.dot(away) >= normal.abs().dot(half.into()),
        Form::Circle { radius } => normal.dot(away) as f64 >= normal.as_dvec2().length() * (radius - 1) as f64,
    }
}

/// The part of a path inside a convex set, as fractions of the path. `facing` says how far the side through which the
/// path enters faces the front of the one-way line: the dot product of the two normals.
#[derive(Clone, Copy, Debug)]
struct PathInside {
    enter: f64,
    leave: f64,
    facing: f64,
}

impl PathInside {
    const WHOLE: PathInside = PathInside { enter: f64::NEG_INFINITY, leave: f64::INFINITY, facing: 0.0 };

    /// Cuts this part to the half-plane behind one more side. At the start of the path, its distance to the line of
    /// that side is `outside`. `speed` is the motion along the side's normal.
    ///
    /// If the path enters through two sides at once, the side that faces the front more counts, whatever their order
    /// is.
    fn cut_path_behind_line(self, facing: f64, outside: f64, speed: f64) -> Option<PathInside> {
        if speed == 0.0 {
            return (outside < 0.0).then_some(self);
        }
        let time = -outside / speed;
        let cut = if speed > 0.0 {
            PathInside { leave: self.leave.min(time), ..self }
        } else {
            self.later_entered(PathInside { enter: time, facing, ..self })
        };
        (cut.enter < cut.leave).then_some(cut)
    }

    /// Returns the one of the two that is entered later.
    fn later_entered(self, other: PathInside) -> PathInside {
        if (other.enter, other.facing) > (self.enter, self.facing) { other } else { self }
    }

    /// Returns the union of two parts, if the two sets form one convex set.
    fn union(self, other: PathInside) -> PathInside {
        let first = if (other.enter, -other.facing) < (self.enter, -self.facing) { other } else { self };
        PathInside { leave: self.leave.max(other.leave), ..first }
    }
}

/// The way in which a shape enters a one-way line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    /// From the front.
    FromFront,
    /// From another side, or it was inside from the start.
    Elsewhere,
}

impl OneWayLine {
    /// Returns how a shape on its path enters the one-way line. `None` if it does not.
    fn find_entry(&self, shape: Shape, ApproachPath { from, to }: ApproachPath) -> Option<Entry> {
        let inside = match shape.0 {
            Form::Aabb { half } => self.path_inside_for_box(half.into(), from, to - from),
            Form::Circle { radius } => self.path_inside_for_circle(radius, from, to - from),
        };
        let PathInside { enter, leave, facing } = inside?;
        // A path enters from the front only if it points against the line's normal. The same rule applies at the
        // ends of the line.
        let is_against = self.normal.dot(to - from) < 0;
        let is_from_front = is_against && enter >= 0.0 && facing > 0.0;
        (enter < 1.0 && leave > 0.0).then_some(if is_from_front { Entry::FromFront } else { Entry::Elsewhere })
    }

    fn path_inside_for_box(&self, half: I64Vec2, from: I64Vec2, motion: I64Vec2) -> Option<PathInside> {
        let slanted = self.normal.x != 0 && self.normal.y != 0;
        let axes = [I64Vec2::X, I64Vec2::Y].into_iter().chain(slanted.then_some(self.normal));
        axes.flat_map(|axis| [axis, -axis]).try_fold(PathInside::WHOLE, |inside, side| {
            let reach = side.dot(self.a - from).max(side.dot(self.b - from)) + side.abs().dot(half);
            inside.cut_path_behind_line(side.dot(self.normal) as f64, -reach as f64, side.dot(motion) as f64)
        })
    }

    fn path_inside_for_circle(&self, radius: i64, from: I64Vec2, motion: I64Vec2) -> Option<PathInside> {
        // Make the circle a little smaller: a circle that rests on the line may be inside it by rounding.
        let radius = radius as f64 - tolerance::LEDGE_DEPTH_UNITS;
        let [a, b] = [self.a, self.b].map(|end| (from - end).as_dvec2());
        let (motion, normal) = (motion.as_dvec2(), self.normal.as_dvec2().normalize());
        let along = (a - b).normalize();
        let sides = [(normal, radius, a), (-normal, radius, a), (along, 0.0, b), (-along, 0.0, a)];
        let between = sides.into_iter().try_fold(PathInside::WHOLE, |inside, (side, reach, off)| {
            inside.cut_path_behind_line(side.dot(normal), side.dot(off) - reach, side.dot(motion))
        });
        let around = |off: DVec2| {
            let (nears, square) = (off.dot(motion), motion.length_squared());
            let under = nears * nears - square * (off.length_squared() - radius * radius);
            (under > 0.0 && square > 0.0).then(|| {
                let [enter, leave] = [-1.0, 1.0].map(|sign| (-nears + sign * under.sqrt()) / square);
                PathInside { enter, leave, facing: (off + motion * enter).dot(normal) }
            })
        };
        [between, around(a), around(b)].into_iter().flatten().reduce(PathInside::union)
    }
}
