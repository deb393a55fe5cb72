use super::distance::{Foot, between_points, gap, holds, ray_holds};
use super::raw;
use crate::number::turn;
use crate::shapes::{AnyShape, Extent};
use glam::DVec2;

#[inline]
pub(super) fn contains(shape: AnyShape<'_>, point: DVec2) -> bool {
    let Some(point) = raw::decidable(point, matches!(shape, AnyShape::Line(_) | AnyShape::Ray(_))) else {
        return false;
    };
    match shape {
        AnyShape::Point(at) => at.at() == point,
        // The point first, which may be very far out: of it only differences with the line are taken.
        AnyShape::Line(line) => turn(point, line.a(), line.b()) == 0.0,
        AnyShape::Ray(ray) => ray_holds(ray.origin(), ray.through(), point),
        AnyShape::Circle(circle) => between_points(circle.center(), point, circle.radius(), 0.0) == 0.0,
        AnyShape::Aabb(aabb) => aabb.min().cmple(point).all() && point.cmple(aabb.max()).all(),
        AnyShape::Capsule(capsule) => {
            let core = shape.core();
            holds(core.corners.as_slice(), point)
                || match *core.corners.as_slice() {
                    [a, b] => {
                        let foot = Foot::of(point, a, b, Extent::Bounded);
                        gap(foot.distance_sq(point), capsule.radius(), 0.0) == 0.0
                    }
                    _ => between_points(capsule.a(), point, capsule.radius(), 0.0) == 0.0,
                }
        }
        AnyShape::Segment(_) | AnyShape::Obb(_) | AnyShape::Triangle(_) | AnyShape::ConvexPolygon(_) => {
            holds(shape.core().corners.as_slice(), point)
        }
    }
}
