//! Ray against a body at rest. [`Resting`](crate::motion::Resting) tests moving shapes against a body.

use super::grid::Entry;
use super::ray::{Time, compare_directness, time_of_crossing};
use super::way::StraightPath;
use crate::motion::Form;
use glam::I64Vec2;
use surefoot_geometry::exact::{Corner, MovingCircle};

/// Outward normals of a box.
const SIDES: [I64Vec2; 4] = [I64Vec2::X, I64Vec2::NEG_X, I64Vec2::Y, I64Vec2::NEG_Y];

/// Returns the two ends of the side with that normal of a box around the origin. The air is on the left of the
/// direction from one to the other.
fn ends_of_box_side(half: I64Vec2, normal: I64Vec2) -> (I64Vec2, I64Vec2) {
    let along = I64Vec2::new(normal.y, -normal.x);
    ((normal - along) * half, (normal + along) * half)
}

/// Returns when a ray hits a body, and the normal of a box's side. At a corner, the side most opposed to the ray
/// counts, then the one that faces up or down.
///
/// A box has four sides, each of which the ray hits like the side of a tile. A ray hits a circle where it enters it. A
/// ray that only touches a circle does not hit it.
pub(super) fn time_and_normal_of_ray_hit(
    path: &StraightPath,
    up: I64Vec2,
    entry: &Entry,
) -> Option<(Time, Option<I64Vec2>)> {
    match entry.body.shape.0 {
        Form::Circle { radius } => {
            let circle = MovingCircle { center: path.from - entry.body.center, radius, motion: path.motion };
            // Swap the roles: the ray is a moving circle, and the centre of the body is a corner. The corner can be hit
            // from every direction.
            let middle = Corner { vertex: I64Vec2::ZERO, first: I64Vec2::ZERO, second: I64Vec2::ZERO };
            Some((Time::Near(circle.against_corner(&middle)?), None))
        }
        Form::Aabb { half } => {
            let path = path.relative_to(entry.body.center);
            let hits = SIDES.iter().filter_map(|normal| {
                let (a, b) = ends_of_box_side(half.into(), *normal);
                Some((time_of_crossing(&path, a, b, *normal)?, *normal))
            });
            let first = hits.min_by(|a, b| {
                let squarely = compare_directness(b.1, a.1, path.motion).then_with(|| compare_directness(b.1, a.1, up));
                a.0.cmp(&b.0).then(squarely)
            });
            first.map(|(time, normal)| (Time::Exact(time), Some(normal)))
        }
    }
}
