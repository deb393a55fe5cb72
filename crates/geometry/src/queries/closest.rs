use super::contains::contains;
use super::distance::{Foot, Nearest, edges};
use super::feature::{Beside, Feature, nearest_feature};
use super::raw;
use crate::exact_arith::double_double::{DoubleDouble, Pair};
use crate::exact_arith::twice_signed_area;
use crate::shapes::{AnyShape, Core};
use glam::DVec2;

#[inline]
pub(super) fn closest_point(shape: AnyShape<'_>, point: DVec2) -> DVec2 {
    closest_in_f64(shape, point).unwrap_or_else(|| closest_in_double_double(shape, point))
}

/// Computes the closest point of a shape with edges in f64; `None` if f64 cannot tell which feature is nearest.
///
/// The error bound of a capsule, in roundings of the scene's size S. The origin is the nearer end, v is the
/// displacement to the point, and f its foot on the direction d:
/// - d has one rounding, which turns it by less than one rounding. v has one.
/// - The product of v with d has two, d² two, the quotient and the product with d one each.
/// - |v| ≤ √2 S, and f is at most S/2 on each axis. In total, 7.1 roundings of S on an axis.
///
/// [`ROUNDING`](crate::tolerance::ROUNDING) is eight roundings. The radius shortens v and f by more than it adds.
#[inline]
fn closest_in_f64(shape: AnyShape<'_>, point: DVec2) -> Option<DVec2> {
    if matches!(
        shape,
        AnyShape::Point(_) | AnyShape::Circle(_) | AnyShape::Aabb(_) | AnyShape::Line(_) | AnyShape::Ray(_)
    ) {
        return None;
    }
    let core = shape.core();
    let at = raw::point_if_near_enough(point, false)?;
    let feature = nearest_feature(core.corners.as_slice(), at)?;
    if feature.is_within(at, core.radius)? {
        return Some(point);
    }
    Some(match feature {
        Feature::Inside => point,
        Feature::Corner(corner) if core.radius == 0.0 => corner,
        Feature::Corner(corner) => {
            let way = at - corner;
            corner + way * (core.radius / way.length())
        }
        // Compute with double the digits, so that simple scenes give exact results, such as 2.72 instead of
        // 2.7199999999999998.
        Feature::Edge(Beside { a, b, near, .. }) if core.radius == 0.0 => {
            Foot::Inside { a, b, near }.position(at).to_dvec2()
        }
        Feature::Edge(beside) => beside.near + (beside.displacement_to_foot() + beside.normal() * core.radius),
    })
}

#[inline]
fn closest_in_double_double(shape: AnyShape<'_>, point: DVec2) -> DVec2 {
    if contains(shape, point) {
        return point;
    }
    let point = raw::clamped_point(point);
    if contains(shape, point) {
        return point;
    }
    match shape {
        AnyShape::Point(at) => at.position(),
        AnyShape::Circle(circle) => {
            let way = point - circle.center();
            circle.center() + way * (circle.radius() / way.length())
        }
        AnyShape::Aabb(aabb) => point.clamp(aabb.min(), aabb.max()),
        AnyShape::Line(_)
        | AnyShape::Ray(_)
        | AnyShape::Segment(_)
        | AnyShape::Obb(_)
        | AnyShape::Capsule(_)
        | AnyShape::Triangle(_)
        | AnyShape::ConvexPolygon(_) => closest_on_core(&shape.core(), point),
    }
}

#[cold]
#[inline(never)]
fn closest_on_core(core: &Core<'_>, point: DVec2) -> DVec2 {
    let corners = core.corners.as_slice();
    let mut nearest = Nearest::new();
    for (a, b) in edges(corners) {
        // In a shape with an area, only an edge with the point on its outer side can be nearest. Skip the others: the
        // distances have 106 bits, which might not tell the two sides of a thin shape apart.
        if corners.len() < 3 || twice_signed_area(a, b, point) < 0.0 {
            nearest.keep_if_nearer(point, Foot::nearest_on_stretch(point, a, b, core.extent));
        }
    }
    let foot = nearest.foot.unwrap_or(Foot::End(corners[0])).position(point);
    point_at_radius_towards(foot, point, core.radius)
}

/// Returns the point at distance `radius` from a foot on the core, towards a point outside.
fn point_at_radius_towards(foot: Pair, point: DVec2, radius: f64) -> DVec2 {
    if radius == 0.0 {
        return foot.to_dvec2();
    }
    let way = Pair::from(point) + -foot;
    let length = way.length();
    // If the length is 0, 106 bits cannot tell the point from its foot on the core. The point is outside the shape, so
    // the radius is smaller than the rounding error. Return the foot.
    if length == 0.0 {
        return foot.to_dvec2();
    }
    (foot + way * DoubleDouble::from(radius).divided_by(length)).to_dvec2()
}
