//! A ray, or a shape on its way, against a body at rest.

use super::grid::Entry;
use super::ray::{Time, passes, square};
use super::way::Way;
use crate::motion::{Form, Shape, truncated};
use glam::{DVec2, I64Vec2};
use surefoot_geometry::exact::{self, Collider, Corner, MovingCircle};

/// The outward normals of a box.
const SIDES: [I64Vec2; 4] = [I64Vec2::X, I64Vec2::NEG_X, I64Vec2::Y, I64Vec2::NEG_Y];

/// A corner that is met from everywhere.
const fn point(at: I64Vec2) -> Corner {
    Corner { at, first: I64Vec2::ZERO, second: I64Vec2::ZERO }
}

/// The side of a box around the origin with that normal: its two ends, the air on the left of the way.
fn side(half: I64Vec2, normal: I64Vec2) -> (I64Vec2, I64Vec2) {
    let along = I64Vec2::new(normal.y, -normal.x);
    ((normal - along) * half, (normal + along) * half)
}

/// When a ray meets a body, with the normal of a box's side; at a corner of the side that the ray meets most squarely, else of
/// the one that faces up or down.
///
/// A box is four sides, each of which is met as a tile's is. A circle is met where the ray goes into it: one that touches it
/// in passing does not meet it.
pub(super) fn ray_against(way: &Way, up: I64Vec2, entry: &Entry) -> Option<(Time, Option<I64Vec2>)> {
    match entry.shape.0 {
        Form::Circle { radius } => {
            let circle = MovingCircle { center: way.from - entry.at, radius, motion: way.motion };
            Some((Time::Near(circle.against_corner(&point(I64Vec2::ZERO))?), None))
        }
        Form::Aabb { half } => {
            let way = way.seen_from(entry.at);
            let hits = SIDES.iter().filter_map(|normal| {
                let (a, b) = side(half.into(), *normal);
                Some((passes(&way, a, b, *normal)?, *normal))
            });
            let first = hits.min_by(|a, b| {
                let squarely = square(b.1, a.1, way.motion).then_with(|| square(b.1, a.1, up));
                a.0.cmp(&b.0).then(squarely)
            });
            first.map(|(time, normal)| (Time::Exact(time), Some(normal)))
        }
    }
}

/// When a shape meets a body at rest on a straight way, as a fraction of its motion; touching at the start and moving in is a
/// hit at 0, and a body that it overlaps at the start lets it out.
pub(super) fn sweep_against(shape: Shape, from: I64Vec2, motion: I64Vec2, entry: &Entry) -> Option<f64> {
    let offset = from - entry.at;
    let [own, other] = [shape, entry.shape].map(collider);
    // Which side two corners meet on does not show in the time.
    exact::sweep_pair(own, other, offset, motion, I64Vec2::Y).hit().map(|hit| hit.toi)
}

/// Whether a shape with its centre there overlaps a body; exact.
pub(super) fn overlaps(shape: Shape, at: I64Vec2, entry: &Entry) -> bool {
    exact::overlaps(collider(shape), collider(entry.shape), at - entry.at)
}

/// A shape as the tests of two shapes have it.
fn collider(shape: Shape) -> Collider {
    match shape.0 {
        Form::Circle { radius } => Collider::Circle { radius },
        Form::Aabb { half } => Collider::Aabb { half: half.into() },
    }
}

/// The part of a motion up to a body, in whole units, at whose end the two do not overlap.
pub(super) fn up_to(shape: Shape, from: I64Vec2, motion: I64Vec2, toi: f64, entry: &Entry) -> I64Vec2 {
    let mut made = truncated(motion, toi);
    let most = motion.abs().max_element().max(1) as f64;
    let mut back = 1.0;
    while overlaps(shape, from + made, entry) && back < most {
        made = truncated(motion, (toi - back / most).max(0.0));
        back *= crate::motion::tolerance::GIVE_WAY;
    }
    if overlaps(shape, from + made, entry) { I64Vec2::ZERO } else { made }
}

/// Where a shape at a place touches a body, from the place, and the direction from the body to the shape.
pub(super) fn touch(shape: Shape, at: I64Vec2, entry: &Entry) -> (I64Vec2, DVec2) {
    let (offset, half) = (at - entry.at, shape.half());
    let others = entry.shape.half();
    match (shape.0, entry.shape.0) {
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
    }
}

/// How a shape at a place touches a body, if it does: as bodies that meet touch.
pub(super) fn contact(shape: Shape, at: I64Vec2, entry: &Entry) -> Option<(I64Vec2, DVec2)> {
    let contact = exact::contact(collider(shape), collider(entry.shape), at - entry.at)?;
    (!contact.flat || contact.gap == 0.0).then(|| (at + touch(shape, at, entry).0, contact.normal))
}

/// To the nearest unit.
pub(super) fn rounded(v: DVec2) -> I64Vec2 {
    I64Vec2::new(v.x.round() as i64, v.y.round() as i64)
}
