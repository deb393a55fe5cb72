//! A ray, or a shape on its way, against a body at rest.

use super::grid::Entry;
use super::ray::{Time, length_sq, passes, square};
use super::way::Way;
use crate::motion::{Form, Shape, truncated};
use glam::{DVec2, I64Vec2};
use std::cmp::Ordering;
use surefoot_geometry::exact::{Corner, Face, MovingCircle};

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
    match (shape.0, entry.shape.0) {
        (Form::Circle { radius }, Form::Circle { radius: other }) => {
            MovingCircle { center: offset, radius: radius + other, motion }.against_corner(&point(I64Vec2::ZERO))
        }
        (Form::Aabb { half }, Form::Aabb { half: other }) => {
            enters(offset, motion, I64Vec2::from(half) + I64Vec2::from(other))
        }
        (Form::Circle { radius }, Form::Aabb { half }) => circle_enters(radius, offset, motion, half.into()),
        // As a circle that comes the other way.
        (Form::Aabb { half }, Form::Circle { radius }) => circle_enters(radius, -offset, -motion, half.into()),
    }
}

/// When a point goes into a box around the origin; decided in integers.
fn enters(offset: I64Vec2, motion: I64Vec2, half: I64Vec2) -> Option<f64> {
    // Both as fractions with a positive denominator.
    let (mut enter, mut leave) = ((-1_i128, 1_i128), (i128::MAX, 1_i128));
    for axis in 0..2 {
        let (offset, motion, half) = (i128::from(offset[axis]), i128::from(motion[axis]), i128::from(half[axis]));
        if motion == 0 {
            if offset.abs() >= half {
                return None;
            }
            continue;
        }
        // Seen so that the way leads up.
        let (offset, motion) = (offset * motion.signum(), motion.abs());
        let (near, far) = ((-half - offset, motion), (half - offset, motion));
        if is_after(near, enter) {
            enter = near;
        }
        if leave.0 == i128::MAX || is_after(leave, far) {
            leave = far;
        }
    }
    let inside = leave.0 != i128::MAX && is_after(leave, enter);
    (inside && enter.0 >= 0 && enter.0 < enter.1).then(|| enter.0 as f64 / enter.1 as f64)
}

fn is_after(a: (i128, i128), b: (i128, i128)) -> bool {
    (a.0 * b.1).cmp(&(b.0 * a.1)) == Ordering::Greater
}

/// When a circle runs into a box around the origin.
fn circle_enters(radius: i64, center: I64Vec2, motion: I64Vec2, half: I64Vec2) -> Option<f64> {
    let circle = MovingCircle { center, radius, motion };
    if overlaps_box(radius, center, half) {
        return None;
    }
    let faces = SIDES.iter().filter_map(|normal| {
        let (a, b) = side(half, *normal);
        let (before, after) = (I64Vec2::ZERO, I64Vec2::ZERO);
        circle.against_face(&Face { a, b, normal: *normal, before, after })
    });
    let corners =
        [I64Vec2::ONE, I64Vec2::NEG_ONE, I64Vec2::new(1, -1), I64Vec2::new(-1, 1)].into_iter().filter_map(|sign| {
            circle.against_corner(&Corner {
                at: sign * half,
                first: I64Vec2::new(sign.x, 0),
                second: I64Vec2::new(0, sign.y),
            })
        });
    faces.chain(corners).min_by(f64::total_cmp)
}

/// Whether the interiors of a circle and of a box around the origin meet.
fn overlaps_box(radius: i64, center: I64Vec2, half: I64Vec2) -> bool {
    let outside = (center.abs() - half).max(I64Vec2::ZERO);
    let beside = (center.abs() - half).max_element() < 0;
    beside || length_sq(outside) < i128::from(radius) * i128::from(radius)
}

/// Whether a shape with its centre there overlaps a body; exact.
pub(super) fn overlaps(shape: Shape, at: I64Vec2, entry: &Entry) -> bool {
    let offset = at - entry.at;
    match (shape.0, entry.shape.0) {
        (Form::Circle { radius: a }, Form::Circle { radius: b }) => {
            length_sq(offset) < i128::from(a + b) * i128::from(a + b)
        }
        (Form::Aabb { half: a }, Form::Aabb { half: b }) => {
            offset.abs().cmplt(I64Vec2::from(a) + I64Vec2::from(b)).all()
        }
        (Form::Circle { radius }, Form::Aabb { half }) | (Form::Aabb { half }, Form::Circle { radius }) => {
            overlaps_box(radius, offset, half.into())
        }
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

/// To the nearest unit.
pub(super) fn rounded(v: DVec2) -> I64Vec2 {
    I64Vec2::new(v.x.round() as i64, v.y.round() as i64)
}
