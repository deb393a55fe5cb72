//! Ledges of platforms that come past a body.
//!
//! Platforms move first, then bodies. A ledge that goes down faster than a body that drops through it is below that body
//! when the body's own move begins, and would catch it though the body has never been in front of it: at the end of the
//! tick it may be behind the ledge as before. So in its own move a body passes the ledges in front of which only the
//! platforms have brought it. Where it ends decides about the next tick.

use super::Shape;
use super::shape::Form;
use super::source::Source;
use super::surface::{Surface, lattice};
use super::visit::Bounds;
use crate::catalogue::Kind;
use crate::terrain::{Piece, Role};
use glam::{I8Vec2, I64Vec2};

/// Where a body was when its tick began, as a platform saw it that stands where it stands now, and where the body was when its
/// own move began; in units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Came {
    pub(super) from: I64Vec2,
    pub(super) to: I64Vec2,
}

impl Source<'_> {
    /// Whether a surface is a one-way ledge.
    pub(super) fn is_open(&self, surface: &Surface) -> bool {
        let variant = self.terrain.source_of(self.tile(surface.at), &surface.piece).variant;
        variant.is_some_and(|id| self.terrain.catalogue().variant(id).kind == Kind::Open)
    }

    /// Whether a surface is part of a ledge in front of which a shape is only since the platforms have moved.
    #[inline]
    pub(super) fn is_passed(&self, shape: Shape, at: I64Vec2, piece: &Piece) -> bool {
        self.came.is_some_and(|Came { from, to }| {
            !is_in_front(piece, shape, from - at)
                && is_in_front(piece, shape, to - at)
                && self.is_ledge(shape, &Surface { owner: self.owner, at, piece: *piece })
        })
    }

    /// Whether a surface belongs to a ledge and to nothing else: an arc may lie between a ledge and a solid.
    fn is_ledge(&self, shape: Shape, surface: &Surface) -> bool {
        let corner = surface.at + lattice(surface.piece.a);
        let mut is_ledge = self.is_open(surface);
        if is_ledge && surface.piece.role == Role::Arc && surface.piece.gate == I8Vec2::ZERO {
            let mut all = *self;
            all.came = None;
            all.each_piece(shape, all.cells(&Bounds { low: corner, high: corner }), |other| {
                let ends = [other.piece.a, other.piece.b].map(|end| other.at + lattice(end));
                is_ledge &= other.piece.role != Role::Face || !ends.contains(&corner) || all.is_open(&other);
            });
        }
        is_ledge
    }
}

/// Whether a shape is in front of a piece: the whole of it in front of the edge's line, or beside the end at which the piece
/// stands; there the centre of a circle must not be behind the line. A circle that is behind by rounding is in front.
fn is_in_front(piece: &Piece, shape: Shape, center: I64Vec2) -> bool {
    let away = center - lattice(piece.a);
    let is_end = piece.role != Role::Face;
    let line = if is_end { piece.gate } else { piece.normal }.as_i64vec2();
    match shape.0 {
        Form::Aabb { half } => {
            let is_off = |normal: I64Vec2| normal.dot(away) >= normal.abs().dot(half.into());
            is_off(line) || (is_end && is_off(piece.normal.as_i64vec2()))
        }
        Form::Circle { radius } => {
            let is_beside = |bound: I8Vec2| bound.as_i64vec2().dot(away) >= 0;
            if is_end && is_beside(piece.before) && is_beside(piece.after) {
                away.as_dvec2().length() >= (radius - 1) as f64
            } else {
                line.dot(away) as f64 >= line.as_dvec2().length() * (radius - 1) as f64
            }
        }
    }
}
