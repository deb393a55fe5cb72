use super::contains::contains;
use super::distance::{Foot, Nearest, edges};
use super::raw;
use crate::number::twofold::{Pair, Twofold};
use crate::shapes::AnyShape;
use glam::DVec2;

#[inline]
pub(super) fn closest_point(shape: AnyShape<'_>, point: DVec2) -> DVec2 {
    if contains(shape, point) {
        return point;
    }
    let point = raw::brought_in(point);
    if contains(shape, point) {
        return point;
    }
    match shape {
        AnyShape::Point(at) => at.at(),
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
        | AnyShape::ConvexPolygon(_) => {
            let core = shape.core();
            let corners = core.corners.as_slice();
            let mut nearest = Nearest::new();
            for (a, b) in edges(corners) {
                nearest.offer(point, Foot::of(point, a, b, core.extent));
            }
            let foot = nearest.foot.unwrap_or(Foot::End(corners[0])).at(point);
            towards(foot, point, core.radius)
        }
    }
}

/// From a point of a core towards one outside, by the radius.
fn towards(foot: Pair, point: DVec2, radius: f64) -> DVec2 {
    if radius == 0.0 {
        return foot.to_dvec2();
    }
    let way = Pair::from(point) + -foot;
    let length = way.length();
    // Nearer to the core than 106 bits can tell, and yet not within the radius, which is shorter still.
    if length == 0.0 {
        return foot.to_dvec2();
    }
    (foot + way * Twofold::from(radius).divided_by(length)).to_dvec2()
}
