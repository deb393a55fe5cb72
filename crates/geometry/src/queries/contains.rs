use super::distance::{Foot, contains_point, distance_minus_radii, point_distance, ray_contains};
use super::feature::{Feature, nearest_feature};
use super::overlaps::turned_box_contains;
use super::raw;
use crate::exact_arith::twice_signed_area;
use crate::shapes::{AnyShape, Capsule, Extent};
use glam::DVec2;

#[inline]
pub(super) fn contains(shape: AnyShape<'_>, point: DVec2) -> bool {
    let Some(point) = raw::point_if_near_enough(point, matches!(shape, AnyShape::Line(_) | AnyShape::Ray(_))) else {
        return false;
    };
    match shape {
        AnyShape::Point(at) => at.position() == point,
        // Pass `point` first, because it may be very far away: then each product has only one very large factor. Two
        // such factors could overflow.
        AnyShape::Line(line) => twice_signed_area(point, line.a(), line.b()) == 0.0,
        AnyShape::Ray(ray) => ray_contains(ray.origin(), ray.through(), point),
        AnyShape::Circle(circle) => Feature::Corner(circle.center())
            .is_within(point, circle.radius())
            .unwrap_or_else(|| disc_contains(circle.center(), point, circle.radius())),
        AnyShape::Aabb(aabb) => aabb.min().cmple(point).all() && point.cmple(aabb.max()).all(),
        AnyShape::Capsule(capsule) => {
            let core = shape.core();
            nearest_feature(core.corners.as_slice(), point)
                .and_then(|feature| feature.is_within(point, core.radius))
                .unwrap_or_else(|| capsule_contains(capsule, point))
        }
        AnyShape::Obb(obb) => turned_box_contains(obb, point).unwrap_or_else(|| contains_point(obb.corners(), point)),
        AnyShape::Segment(_) | AnyShape::Triangle(_) | AnyShape::ConvexPolygon(_) => {
            contains_point(shape.core().corners.as_slice(), point)
        }
    }
}

#[cold]
#[inline(never)]
fn disc_contains(center: DVec2, point: DVec2, radius: f64) -> bool {
    point_distance(center, point, radius, 0.0) == 0.0
}

#[cold]
#[inline(never)]
fn capsule_contains(capsule: &Capsule, point: DVec2) -> bool {
    let (a, b, radius) = (capsule.a(), capsule.b(), capsule.radius());
    if a == b {
        return disc_contains(a, point, radius);
    }
    contains_point(&[a, b], point) || {
        let foot = Foot::nearest_on_stretch(point, a, b, Extent::Bounded);
        distance_minus_radii(foot.distance_sq(point), radius, 0.0) == 0.0
    }
}
