//! A ray against a body at rest; shapes on their way are in [`Resting`](crate::motion::Resting).

use super::grid::Entry;
use super::ray::{Time, passes, square};
use super::way::Way;
use crate::motion::Form;
use glam::I64Vec2;
use surefoot_geometry::exact::{Corner, MovingCircle};

/// The outward normals of a box.
const SIDES: [I64Vec2; 4] = [I64Vec2::X, I64Vec2::NEG_X, I64Vec2::Y, I64Vec2::NEG_Y];

/// A corner that is met from everywhere.
const fn point(at: I64Vec2) -> Corner {
    Corner { vertex: at, first: I64Vec2::ZERO, second: I64Vec2::ZERO }
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
    match entry.body.shape.0 {
        Form::Circle { radius } => {
            let circle = MovingCircle { center: way.from - entry.body.at, radius, motion: way.motion };
            Some((Time::Near(circle.against_corner(&point(I64Vec2::ZERO))?), None))
        }
        Form::Aabb { half } => {
            let way = way.seen_from(entry.body.at);
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
