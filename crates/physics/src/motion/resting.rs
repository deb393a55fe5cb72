//! A static body shape as an obstacle: when a moving shape hits it, how far the shape comes, and where the two touch.

use super::advance::truncated_fraction_of;
use super::shape::Form;
use super::surface::Surface;
use super::{Mover, Owner, Shape, tolerance};
use glam::{DVec2, I64Vec2};
use surefoot_geometry::exact::{self, PairContact, PairHit};
use surefoot_geometry::{Position, Sweep};

/// A shape at rest at a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resting {
    pub(crate) shape: Shape,
    /// Position in units.
    pub(crate) center: I64Vec2,
}

impl Resting {
    /// Returns how a shape hits this one on a straight motion. If two corners meet, the lower one along `up` supports
    /// the other.
    #[inline]
    pub(super) fn sweep_shape(&self, shape: Shape, from: I64Vec2, motion: I64Vec2, up: I64Vec2) -> Sweep<PairHit> {
        exact::sweep_pair(shape.collider(), self.shape.collider(), from - self.center, motion, up)
    }

    /// Returns the time at which a moving shape hits this one, as a fraction of the motion. A shape that touches this
    /// one at the start and moves into it hits at 0. An overlap at the start does not stop the shape.
    pub(crate) fn time_of_hit_by(&self, shape: Shape, from: I64Vec2, motion: I64Vec2) -> Option<f64> {
        // `up` decides only which side is reported if two corners meet. The time is the same for any value.
        self.sweep_shape(shape, from, motion, I64Vec2::Y).hit().map(|hit| hit.toi)
    }

    /// Returns whether a shape with its centre at `at` overlaps this one. Exact.
    pub(crate) fn is_overlapped_by(&self, shape: Shape, at: I64Vec2) -> bool {
        exact::overlaps(shape.collider(), self.shape.collider(), at - self.center)
    }

    /// Returns the position of a shape, in whole units, when it hits this one without an overlap. The mover has found
    /// no tiles on the path up to there.
    pub(crate) fn position_at_hit(
        &self,
        mover: Option<&Mover<'_>>,
        shape: Shape,
        from: Position,
        motion: I64Vec2,
        toi: f64,
    ) -> Position {
        let moved = self.motion_until_contact(shape, from.units(), motion, toi);
        // The motion rounded to whole units deviates a little from the motion that was tested, and may hit a tile. So
        // test again.
        let tile = mover.and_then(|mover| mover.first_tile_hit(shape, from, moved));
        tile.map_or(from + moved, |hit| hit.position)
    }

    /// Returns the part of a motion up to this shape, in whole units. At its end the two shapes do not overlap.
    fn motion_until_contact(&self, shape: Shape, from: I64Vec2, motion: I64Vec2, toi: f64) -> I64Vec2 {
        let mut moved = truncated_fraction_of(motion, toi);
        let most = motion.abs().max_element().max(1) as f64;
        let mut back = 1.0;
        while self.is_overlapped_by(shape, from + moved) && back < most {
            moved = truncated_fraction_of(motion, (toi - back / most).max(0.0));
            back *= tolerance::SHORTENING_GROWTH;
        }
        if self.is_overlapped_by(shape, from + moved) { I64Vec2::ZERO } else { moved }
    }

    /// Returns the point where a shape at a position touches this one, and the direction from this shape to it.
    pub(crate) fn touch_point_and_direction(&self, shape: Shape, position: Position) -> (Position, DVec2) {
        let (offset, half) = (position.units() - self.center, shape.half_units());
        let others = self.shape.half_units();
        let (point, normal) = match (shape.0, self.shape.0) {
            (_, Form::Circle { radius }) if shape.is_circle() => {
                let normal = offset.as_dvec2().normalize_or_zero();
                (round_to_units(normal * radius as f64) - offset, normal)
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
                // The axis with the larger gap is the one on which the sides touch. On the other axis they overlap.
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

    /// Returns how a shape at a position touches this one, as colliding bodies touch: the point, and the unit normal to
    /// the shape. `None` if the two do not touch.
    pub(crate) fn contact_with(&self, shape: Shape, position: Position) -> Option<(Position, DVec2)> {
        let contact = self.pair_contact(shape, position)?;
        Some((self.touch_point_and_direction(shape, position).0, contact.normal))
    }

    fn pair_contact(&self, shape: Shape, position: Position) -> Option<PairContact> {
        let contact = exact::contact(shape.collider(), self.shape.collider(), position.units() - self.center);
        contact.filter(is_touch)
    }

    /// Returns how far a shape can move along an axis while one of the two is over a flat side of the other, in units.
    pub(super) fn distance_over_flat_side(&self, shape: Shape, position: Position, direction: I64Vec2) -> i64 {
        let side = half_size_of_flat_core(shape) + half_size_of_flat_core(self.shape);
        (side.dot(direction.abs()) - (position.units() - self.center).dot(direction)).max(0)
    }

    /// Returns the touched side as a surface for a shape at that position.
    pub(super) fn touched_side(&self, owner: Owner, shape: Shape, position: Position) -> Option<Surface> {
        let contact = self.pair_contact(shape, position)?;
        Some(self.surface(owner, shape, position, (contact.flat, contact.normal)))
    }

    /// Returns the side with that normal as a surface for a shape at that position. For round parts the normal is not
    /// of unit length: it leads to the shape's centre from the nearest point of the Minkowski sum of the two shapes
    /// without their radii.
    pub(crate) fn surface(
        &self,
        owner: Owner,
        shape: Shape,
        position: Position,
        (flat, normal): (bool, DVec2),
    ) -> Surface {
        let most = half_size_of_flat_core(shape) + half_size_of_flat_core(self.shape);
        let offset = position.units() - self.center;
        if flat {
            Surface::flat_side_of_body(owner, self.center, normal.as_i64vec2())
        } else {
            Surface::round_side_of_body(owner, self.center + offset.clamp(-most, most))
        }
    }
}

/// Returns the half size of the flat core of a shape. A circle is a point with a radius.
fn half_size_of_flat_core(shape: Shape) -> I64Vec2 {
    if shape.is_circle() { I64Vec2::ZERO } else { shape.half_units() }
}

/// Returns whether two shapes in contact touch: flat sides without a gap, round parts within touching distance.
#[inline]
pub(crate) fn is_touch(contact: &PairContact) -> bool {
    !contact.flat || contact.gap == 0.0
}

/// Rounds to the nearest unit.
pub(crate) fn round_to_units(v: DVec2) -> I64Vec2 {
    I64Vec2::new(v.x.round() as i64, v.y.round() as i64)
}
