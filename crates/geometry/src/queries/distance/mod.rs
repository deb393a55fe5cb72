//! How far two shapes are apart: the distance of their cores less their radii.

mod foot;
mod meet;

use super::feature::{Feature, nearest_feature};
use crate::exact_arith::double_double::{DoubleDouble, Pair};
use crate::shapes::{AnyShape, Core, Extent};
use crate::tolerance::{FILTER, TOUCHING_SQUARES};
pub(crate) use foot::{Foot, Nearest};
use glam::DVec2;
pub(crate) use meet::{edges, holds, meet, ray_holds};

#[inline(always)]
pub(super) fn distance(a: AnyShape<'_>, b: AnyShape<'_>) -> f64 {
    if let (Some(first), Some(second)) = (RoundBox::of(a), RoundBox::of(b)) {
        let (from, to) = first.facing(second);
        return between_points(from, to, first.radius, second.radius);
    }
    let (a, b) = (a.core(), b.core());
    let quick = match (a.corners.as_slice(), b.corners.as_slice()) {
        (&[center], _) => from_point(center, &b, a.radius),
        (_, &[center]) => from_point(center, &a, b.radius),
        _ => None,
    };
    quick.unwrap_or_else(|| between_cores(&a, &b))
}

/// How far a disc is from a core, in f64; `None` where it cannot tell what is nearest, or whether they meet.
///
/// Of a height over an edge, the way from the nearer end is off by a rounding and by one that turns the edge, the products
/// by one each; their difference, the root and the quotient each by one of the height.
#[inline]
fn from_point(center: DVec2, core: &Core<'_>, radius: f64) -> Option<f64> {
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
        Feature::Edge(beside) => beside.height() - reach,
    })
}

#[inline(never)]
fn between_cores(a: &Core<'_>, b: &Core<'_>) -> f64 {
    let sq = cores_distance_sq(a, b);
    if a.radius == 0.0 && b.radius == 0.0 { sq.to_f64().sqrt() } else { gap(sq, a.radius, b.radius).to_f64() }
}

#[inline]
pub(super) fn distance_sq(a: AnyShape<'_>, b: AnyShape<'_>) -> f64 {
    if let (Some(first), Some(second)) = (RoundBox::of(a), RoundBox::of(b)) {
        let (from, to) = first.facing(second);
        if first.radius == 0.0 && second.radius == 0.0 {
            return from.distance_squared(to);
        }
        let distance = between_points(from, to, first.radius, second.radius);
        return distance * distance;
    }
    let (a, b) = (a.core(), b.core());
    let sq = cores_distance_sq(&a, &b);
    if a.radius == 0.0 && b.radius == 0.0 {
        sq.to_f64()
    } else {
        let gap = gap(sq, a.radius, b.radius);
        (gap * gap).to_f64()
    }
}

/// The square of the distance of two cores, without their radii: 0 exactly if they meet.
pub(crate) fn cores_distance_sq(a: &Core<'_>, b: &Core<'_>) -> DoubleDouble {
    if meet(a, b) {
        return DoubleDouble::ZERO;
    }
    let mut nearest = Nearest::new();
    match (a.corners.as_slice(), b.corners.as_slice()) {
        (&[from], &[to]) => nearest.offer(from, Foot::End(to)),
        // Parallel ones: the four are the same but for their last bits.
        (corners, others) if a.extent == Extent::Line && b.extent == Extent::Line => {
            offer_all(&mut nearest, corners, b);
            offer_all(&mut nearest, others, a);
        }
        _ => {
            offer_all(&mut nearest, a.ends(), b);
            offer_all(&mut nearest, b.ends(), a);
        }
    }
    nearest.sq
}

/// What `sq` is the square of, less the radii; 0 if it is not more than they are.
///
/// With a root r and radii R: r - R = (r^2 - R^2) / (r + R), whose sign is that of the difference of the squares.
pub(crate) fn gap(sq: DoubleDouble, radius: f64, other_radius: f64) -> DoubleDouble {
    let reach = DoubleDouble::from(radius) + DoubleDouble::from(other_radius);
    let square = reach * reach;
    let difference = sq - square;
    // What is no more than rounding is no gap, however `overlaps`, which has no quotient in it, decides there.
    if difference > square * TOUCHING_SQUARES { difference.divided_by(sq.sqrt() + reach) } else { DoubleDouble::ZERO }
}

/// The ways from all of those points to all edges of the core.
fn offer_all(nearest: &mut Nearest, points: &[DVec2], core: &Core<'_>) {
    for (a, b) in edges(core.corners.as_slice()) {
        for &point in points {
            nearest.offer(point, Foot::of(point, a, b, core.extent));
        }
    }
}

/// The distance of two points less two radii.
#[inline]
pub(crate) fn between_points(from: DVec2, to: DVec2, radius: f64, other_radius: f64) -> f64 {
    let (root, reach) = (from.distance(to), radius + other_radius);
    if reach == 0.0 || root - reach > root * FILTER {
        root - reach
    } else if reach - root > reach * FILTER {
        0.0
    } else {
        let way = Pair::difference(from, to);
        gap(way.dot(way), radius, other_radius).to_f64()
    }
}

/// A box along the axes, or a point, with a radius: between those the nearest points are known by comparing coordinates.
#[derive(Clone, Copy)]
struct RoundBox {
    min: DVec2,
    max: DVec2,
    radius: f64,
}

impl RoundBox {
    #[inline]
    fn of(shape: AnyShape<'_>) -> Option<RoundBox> {
        match shape {
            AnyShape::Point(point) => Some(RoundBox { min: point.position(), max: point.position(), radius: 0.0 }),
            AnyShape::Circle(circle) => {
                Some(RoundBox { min: circle.center(), max: circle.center(), radius: circle.radius() })
            }
            AnyShape::Aabb(aabb) => Some(RoundBox { min: aabb.min(), max: aabb.max(), radius: 0.0 }),
            _ => None,
        }
    }

    /// Coordinates of the two that are nearest to each other; both 0 on an axis on which they meet.
    #[inline]
    fn facing(self, other: RoundBox) -> (DVec2, DVec2) {
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
