use super::contains::contains;
use super::distance::{Foot, Nearest, edges};
use super::feature::{Beside, Feature, nearest_feature};
use super::raw;
use crate::exact_arith::double_double::{DoubleDouble, Pair};
use crate::exact_arith::turn;
use crate::shapes::{AnyShape, Core};
use glam::DVec2;

#[inline]
pub(super) fn closest_point(shape: AnyShape<'_>, point: DVec2) -> DVec2 {
    quick(shape, point).unwrap_or_else(|| careful(shape, point))
}

/// For shapes with edges: what is nearest in f64, and `None` where that cannot tell.
///
/// Of a capsule the point is had in f64 too. With the nearer end as origin, of the foot f of the way v onto the direction
/// d, d is off by a rounding, which turns it by less than one; v by one; the product with d by two, d² by two, and the
/// quotient and the product with d by one each. With S the size of the scene, |v| ≤ √2 S and |f| on each axis at most S/2,
/// that is 7.1 roundings of S on an axis; eight are [`ROUNDING`](crate::tolerance::ROUNDING). The radius makes v and f
/// shorter by more than it adds.
#[inline]
fn quick(shape: AnyShape<'_>, point: DVec2) -> Option<DVec2> {
    if matches!(
        shape,
        AnyShape::Point(_) | AnyShape::Circle(_) | AnyShape::Aabb(_) | AnyShape::Line(_) | AnyShape::Ray(_)
    ) {
        return None;
    }
    let core = shape.core();
    let at = raw::decidable(point, false)?;
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
        // Hand arithmetic comes out to the bit, as 2.72 and not one rounding less.
        Feature::Edge(Beside { a, b, near, .. }) if core.radius == 0.0 => Foot::Inside { a, b, near }.at(at).to_dvec2(),
        Feature::Edge(beside) => beside.near + (beside.to_foot() + beside.normal() * core.radius),
    })
}

#[inline]
fn careful(shape: AnyShape<'_>, point: DVec2) -> DVec2 {
    if contains(shape, point) {
        return point;
    }
    let point = raw::brought_in(point);
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
        | AnyShape::ConvexPolygon(_) => on_core(&shape.core(), point),
    }
}

#[cold]
#[inline(never)]
fn on_core(core: &Core<'_>, point: DVec2) -> DVec2 {
    let corners = core.corners.as_slice();
    let mut nearest = Nearest::new();
    for (a, b) in edges(corners) {
        // Of an area the side that faces away is never nearer; 106 bits may not see that of a thin one.
        if corners.len() < 3 || turn(a, b, point) < 0.0 {
            nearest.offer(point, Foot::of(point, a, b, core.extent));
        }
    }
    let foot = nearest.foot.unwrap_or(Foot::End(corners[0])).at(point);
    towards(foot, point, core.radius)
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
    (foot + way * DoubleDouble::from(radius).divided_by(length)).to_dvec2()
}
