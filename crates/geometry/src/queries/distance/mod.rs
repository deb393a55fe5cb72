//! Distance of two shapes: the distance of their cores minus their radii.

mod foot;
mod share_point;

use super::feature::{Feature, nearest_feature};
use crate::exact_arith::double_double::{DoubleDouble, Pair};
use crate::shapes::{AnyShape, Core, Extent};
use crate::tolerance::{FILTER, TOUCHING_SQUARES};
pub(crate) use foot::{Foot, Nearest};
use glam::DVec2;
pub(crate) use share_point::{contains_point, cores_share_point, edges, ray_contains};

#[inline(always)]
pub(super) fn distance(a: AnyShape<'_>, b: AnyShape<'_>) -> f64 {
    if let (Some(first), Some(second)) = (RoundBox::from_shape(a), RoundBox::from_shape(b)) {
        let (from, to) = first.nearest_points(second);
        return point_distance(from, to, first.radius, second.radius);
    }
    let (a, b) = (a.core(), b.core());
    let quick = match (a.corners.as_slice(), b.corners.as_slice()) {
        (&[center], _) => disc_distance_in_f64(center, &b, a.radius),
        (_, &[center]) => disc_distance_in_f64(center, &a, b.radius),
        _ => None,
    };
    quick.unwrap_or_else(|| core_distance(&a, &b))
}

/// Returns the distance of a disc from a core in f64; `None` if f64 cannot tell the nearest feature or whether they
/// overlap.
///
/// Error of a height over an edge: the displacement from the nearer end has one rounding, and the turn of the edge
/// another. The products have one each. Their difference, the root and the quotient have one rounding of the height
/// each.
#[inline]
fn disc_distance_in_f64(center: DVec2, core: &Core<'_>, radius: f64) -> Option<f64> {
    if core.extent != Extent::Bounded {
        return None;
    }
    let feature = nearest_feature(core.corners.as_slice(), center)?;
    let reach = radius + core.radius;
    if feature.is_within(center, reach)? {
        return Some(0.0);
    }
    Some(match feature {
        Feature::Inside => 0.0,
        Feature::Corner(corner) => center.distance(corner) - reach,
        Feature::Edge(beside) => beside.distance() - reach,
    })
}

#[inline(never)]
fn core_distance(a: &Core<'_>, b: &Core<'_>) -> f64 {
    let sq = cores_distance_sq(a, b);
    if a.radius == 0.0 && b.radius == 0.0 {
        sq.to_f64().sqrt()
    } else {
        distance_minus_radii(sq, a.radius, b.radius).to_f64()
    }
}

#[inline]
pub(super) fn distance_sq(a: AnyShape<'_>, b: AnyShape<'_>) -> f64 {
    if let (Some(first), Some(second)) = (RoundBox::from_shape(a), RoundBox::from_shape(b)) {
        let (from, to) = first.nearest_points(second);
        if first.radius == 0.0 && second.radius == 0.0 {
            return from.distance_squared(to);
        }
        let distance = point_distance(from, to, first.radius, second.radius);
        return distance * distance;
    }
    let (a, b) = (a.core(), b.core());
    let sq = cores_distance_sq(&a, &b);
    if a.radius == 0.0 && b.radius == 0.0 {
        sq.to_f64()
    } else {
        let gap = distance_minus_radii(sq, a.radius, b.radius);
        (gap * gap).to_f64()
    }
}

/// Returns the squared distance of two cores without their radii; exactly 0 if they share a point.
pub(crate) fn cores_distance_sq(a: &Core<'_>, b: &Core<'_>) -> DoubleDouble {
    if cores_share_point(a, b) {
        return DoubleDouble::ZERO;
    }
    let mut nearest = Nearest::new();
    match (a.corners.as_slice(), b.corners.as_slice()) {
        (&[from], &[to]) => nearest.keep_if_nearer(from, Foot::End(to)),
        // Lines without a common point are parallel. So each of the four given points has the same distance from the
        // other line, except for rounding. Test all four, so that the order of the two lines does not matter.
        (corners, others) if a.extent == Extent::Line && b.extent == Extent::Line => {
            keep_nearest_feet(&mut nearest, corners, b);
            keep_nearest_feet(&mut nearest, others, a);
        }
        _ => {
            keep_nearest_feet(&mut nearest, a.ends(), b);
            keep_nearest_feet(&mut nearest, b.ends(), a);
        }
    }
    nearest.sq
}

/// Returns the distance whose square is `sq`, minus the radii; 0 if it is not larger than the radii.
///
/// With the distance r and the sum of radii R: r - R = (r^2 - R^2) / (r + R). The sign is that of the difference of
/// squares.
pub(crate) fn distance_minus_radii(sq: DoubleDouble, radius: f64, other_radius: f64) -> DoubleDouble {
    let reach = DoubleDouble::from(radius) + DoubleDouble::from(other_radius);
    let square = reach * reach;
    let difference = sq - square;
    // If rounding of `sq` alone may have caused the difference, the distance is 0. So shapes that touch or overlap have
    // the distance 0. `overlaps` is exact and may be false for shapes whose distance is 0.
    if difference > square * TOUCHING_SQUARES { difference.divided_by(sq.sqrt() + reach) } else { DoubleDouble::ZERO }
}

/// Offers the feet of all points on all edges of the core.
fn keep_nearest_feet(nearest: &mut Nearest, points: &[DVec2], core: &Core<'_>) {
    for (a, b) in edges(core.corners.as_slice()) {
        for &point in points {
            nearest.keep_if_nearer(point, Foot::nearest_on_stretch(point, a, b, core.extent));
        }
    }
}

/// Returns the distance of two points minus two radii.
#[inline]
pub(crate) fn point_distance(from: DVec2, to: DVec2, radius: f64, other_radius: f64) -> f64 {
    let (root, reach) = (from.distance(to), radius + other_radius);
    if reach == 0.0 || root - reach > root * FILTER {
        root - reach
    } else if reach - root > reach * FILTER {
        0.0
    } else {
        let way = Pair::difference(from, to);
        distance_minus_radii(way.dot(way), radius, other_radius).to_f64()
    }
}

/// A point or a box along the axes, with a radius. Comparing coordinates gives the nearest points of two of them.
#[derive(Clone, Copy)]
struct RoundBox {
    min: DVec2,
    max: DVec2,
    radius: f64,
}

impl RoundBox {
    #[inline]
    fn from_shape(shape: AnyShape<'_>) -> Option<RoundBox> {
        match shape {
            AnyShape::Point(point) => Some(RoundBox { min: point.position(), max: point.position(), radius: 0.0 }),
            AnyShape::Circle(circle) => {
                Some(RoundBox { min: circle.center(), max: circle.center(), radius: circle.radius() })
            }
            AnyShape::Aabb(aabb) => Some(RoundBox { min: aabb.min(), max: aabb.max(), radius: 0.0 }),
            _ => None,
        }
    }

    /// Returns the coordinates of the two shapes that are nearest to each other; both 0 on an axis on which they
    /// overlap.
    #[inline]
    fn nearest_points(self, other: RoundBox) -> (DVec2, DVec2) {
        let axis = |min: f64, max: f64, other_min: f64, other_max: f64| {
            if max < other_min {
                (max, other_min)
            } else if other_max < min {
                (min, other_max)
            } else {
                (0.0, 0.0)
            }
        };
        let x = axis(self.min.x, self.max.x, other.min.x, other.max.x);
        let y = axis(self.min.y, self.max.y, other.min.y, other.max.y);
        (DVec2::new(x.0, y.0), DVec2::new(x.1, y.1))
    }
}
