//! A shape against another one that rests: when it meets it, how far it comes, and where the two touch.

use super::advance::truncated;
use super::shape::Form;
use super::surface::Surface;
use super::{Mover, Owner, Shape, tolerance};
use crate::terrain::{Piece, Role};
use glam::{DVec2, I8Vec2, I64Vec2};
use surefoot_geometry::exact::{self, Collider, PairContact, PairHit};
use surefoot_geometry::{Position, Sweep};

/// A shape that rests at a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resting {
    pub(crate) shape: Shape,
    /// Its position in units.
    pub(crate) at: I64Vec2,
}

impl Resting {
    /// How a shape meets it on a straight way. Of two corners that meet, the lower one along `up` is stood on.
    #[inline]
    pub(super) fn swept_by(&self, shape: Shape, from: I64Vec2, motion: I64Vec2, up: I64Vec2) -> Sweep<PairHit> {
        exact::sweep_pair(collider(shape), collider(self.shape), from - self.at, motion, up)
    }

    /// When a shape meets it on a straight way, as a fraction of the motion; touching at the start and moving in is a hit at
    /// 0. What the shape overlaps at the start lets it out.
    pub(crate) fn met_by(&self, shape: Shape, from: I64Vec2, motion: I64Vec2) -> Option<f64> {
        // Which side two corners meet on does not show in the time.
        self.swept_by(shape, from, motion, I64Vec2::Y).hit().map(|hit| hit.toi)
    }

    /// Whether a shape with its centre there overlaps it; exact.
    pub(crate) fn is_overlapped_by(&self, shape: Shape, at: I64Vec2) -> bool {
        exact::overlaps(collider(shape), collider(self.shape), at - self.at)
    }

    /// Where a shape is, in whole units, when it meets it on a way that a mover finds free of tiles up to there; the two do not
    /// overlap then.
    pub(crate) fn reached_by(
        &self,
        mover: Option<&Mover<'_>>,
        shape: Shape,
        from: Position,
        motion: I64Vec2,
        toi: f64,
    ) -> Position {
        let made = self.up_to(shape, from.units(), motion, toi);
        // Rounded to whole units the way leads a little aside, where tiles may be.
        let tile = mover.and_then(|mover| mover.first_tile(shape, from, made));
        tile.map_or(from + made, |hit| hit.position)
    }

    /// The part of a motion up to it, in whole units, at whose end the two do not overlap.
    fn up_to(&self, shape: Shape, from: I64Vec2, motion: I64Vec2, toi: f64) -> I64Vec2 {
        let mut made = truncated(motion, toi);
        let most = motion.abs().max_element().max(1) as f64;
        let mut back = 1.0;
        while self.is_overlapped_by(shape, from + made) && back < most {
            made = truncated(motion, (toi - back / most).max(0.0));
            back *= tolerance::GIVE_WAY;
        }
        if self.is_overlapped_by(shape, from + made) { I64Vec2::ZERO } else { made }
    }

    /// Where a shape at a position touches it, and the direction from it to the shape.
    pub(crate) fn touched_by(&self, shape: Shape, position: Position) -> (Position, DVec2) {
        let (offset, half) = (position.units() - self.at, shape.half_units());
        let others = self.shape.half_units();
        let (point, normal) = match (shape.0, self.shape.0) {
            (_, Form::Circle { radius }) if shape.is_circle() => {
                let normal = offset.as_dvec2().normalize_or_zero();
                (rounded(normal * radius as f64) - offset, normal)
            }
            (Form::Circle { .. }, _) => {
                let nearest = offset.clamp(-others, others);
                (nearest - offset, (offset - nearest).as_dvec2().normalize_or_zero())
            }
            (Form::Aabb { .. }, Form::Circle { .. }) => {
                let nearest = (-offset).clamp(-half, half);
                (nearest, (nearest + offset).as_dvec2().normalize_or_zero())
            }
            (Form::Aabb { .. }, Form::Aabb { .. }) => {
                // The side with the larger gap is the one that they share; they overlap on the other axis.
                let gap = offset.abs() - half - others;
                let normal =
                    if gap.x > gap.y { I64Vec2::new(offset.x.signum(), 0) } else { I64Vec2::new(0, offset.y.signum()) };
                let low = (-half).max(-offset - others);
                let high = half.min(-offset + others);
                let middle = low + (high - low) / 2;
                let point = I64Vec2::select(normal.cmpeq(I64Vec2::ZERO), middle, -normal * half);
                (point, normal.as_dvec2())
            }
        };
        (position + point, normal)
    }

    /// How a shape at a position touches it, if it does, as bodies that meet touch: the point, and the unit normal to the
    /// shape.
    pub(crate) fn contact_with(&self, shape: Shape, position: Position) -> Option<(Position, DVec2)> {
        let contact = self.pair_contact(shape, position)?;
        Some((self.touched_by(shape, position).0, contact.normal))
    }

    fn pair_contact(&self, shape: Shape, position: Position) -> Option<PairContact> {
        let contact = exact::contact(collider(shape), collider(self.shape), position.units() - self.at);
        contact.filter(|contact| !contact.flat || contact.gap == 0.0)
    }

    /// How far a shape at a position can go along an axis until it is not over a flat side of it any more, nor it under one
    /// of the shape; in units.
    pub(super) fn reach(&self, shape: Shape, position: Position, way: I64Vec2) -> i64 {
        let side = core(shape) + core(self.shape);
        (side.dot(way.abs()) - (position.units() - self.at).dot(way)).max(0)
    }

    /// What a shape touches of it, as a surface for a shape at that position, and the unit normal to the shape.
    pub(super) fn surface_at(&self, shape: Shape, position: Position) -> Option<(Surface, DVec2)> {
        let contact = self.pair_contact(shape, position)?;
        Some((self.surface(shape, position, contact.flat, contact.normal), contact.normal))
    }

    /// What a shape has hit of it, as a surface for a shape at the position to which it came.
    pub(super) fn surface_hit(&self, shape: Shape, position: Position, hit: &PairHit) -> Surface {
        self.surface(shape, position, hit.flat.is_some(), hit.normal)
    }

    /// A surface is a tile's in all but this: it has a normal and nothing else to ask about. That of round parts is the way
    /// out of the box to which the two shapes add up, as an arc's is the way from its vertex.
    fn surface(&self, shape: Shape, position: Position, flat: bool, normal: DVec2) -> Surface {
        let most = core(shape) + core(self.shape);
        let offset = position.units() - self.at;
        let (role, normal, at) = if flat {
            (Role::Face, I8Vec2::new(normal.x as i8, normal.y as i8), self.at)
        } else {
            (Role::Arc, I8Vec2::ZERO, self.at + offset.clamp(-most, most))
        };
        let none = I8Vec2::ZERO;
        let piece =
            Piece { role, edge: 0, a: none, b: none, normal, before: none, after: none, gate: none, partner: none };
        Surface { owner: Owner::Terrain, at, piece }
    }
}

/// The half sizes of what of a shape is flat: a circle is a point with a radius.
fn core(shape: Shape) -> I64Vec2 {
    if shape.is_circle() { I64Vec2::ZERO } else { shape.half_units() }
}

/// A shape as the tests of two shapes have it.
fn collider(shape: Shape) -> Collider {
    match shape.0 {
        Form::Circle { radius } => Collider::Circle { radius },
        Form::Aabb { half } => Collider::Aabb { half: half.into() },
    }
}

/// To the nearest unit.
pub(crate) fn rounded(v: DVec2) -> I64Vec2 {
    I64Vec2::new(v.x.round() as i64, v.y.round() as i64)
}
