//! Contacts: point, normal and depth of two shapes that touch or overlap.

mod apart;
mod axes;
mod face_point;

use super::feature::{Feature, nearest_feature};
use super::overlaps::{overlaps, straight_cores_overlap};
use crate::exact_arith::unit;
use crate::shapes::{AnyShape, Core, Extent};
use crate::tolerance::{FEATURE_FILTER, TOUCH};
use glam::DVec2;

/// A contact between two shapes that touch or overlap, returned by [`Shape::contact`](crate::Shape::contact).
///
/// After `a.contact(&b)`, a move of `a` by `depth * normal` separates `a` from `b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Contact point on the boundary of the other shape. If the shapes touch along a stretch of their boundaries, such
    /// as a box on a floor, this is the middle of the stretch.
    pub point: DVec2,
    /// Contact normal: a unit vector that points from the other shape to this shape.
    pub normal: DVec2,
    /// Penetration depth: how far this shape must move along the normal until the two shapes only touch.
    ///
    /// The depth is above 0 if the shapes overlap. If the shapes only touch, the depth is from
    /// -[`tolerance::TOUCH`](crate::tolerance::TOUCH) (-2^-24) to 0; a negative depth is a gap.
    pub depth: f64,
}

/// Distance of one straight core from another along a normal, negative if they overlap.
#[derive(Clone, Copy)]
struct Gap {
    /// Unit vector from the second core to the first.
    normal: DVec2,
    distance: f64,
}

#[inline(always)]
pub(super) fn contact(a: AnyShape<'_>, b: AnyShape<'_>) -> Option<Contact> {
    if let (AnyShape::Circle(_), AnyShape::Circle(_)) = (a, b) {
        let (core_a, core_b) = (a.core(), b.core());
        let gap = gap_between_points(core_a.corners.as_slice()[0], core_b.corners.as_slice()[0]);
        let depth = depth_with_exact_sign(depth_along_gap_normal(&core_a, &core_b, gap), || overlaps(a, b))?;
        let point = core_b.corners.as_slice()[0] + gap.normal * core_b.radius;
        return Some(Contact { point, normal: gap.normal, depth });
    }
    let (core_a, core_b) = (a.core(), b.core());
    let quick = match (a, b) {
        (AnyShape::Circle(_), _) => circle_contact_if_certain(&core_a, &core_b, true),
        (_, AnyShape::Circle(_)) => circle_contact_if_certain(&core_b, &core_a, false),
        _ => None,
    };
    quick.unwrap_or_else(|| contact_of_any_shapes(a, b))
}

/// Returns the contact of a circle whose centre is outside the straight core of the other, bounded shape.
///
/// `None` if f64 cannot tell which feature is nearest to the centre, or whether the shapes overlap.
#[inline]
fn circle_contact_if_certain(circle: &Core<'_>, other: &Core<'_>, is_first: bool) -> Option<Option<Contact>> {
    if other.extent != Extent::Bounded {
        return None;
    }
    let center = circle.corners.as_slice()[0];
    let feature = nearest_feature(other.corners.as_slice(), center)?;
    // Compute the foot relative to a corner, so that the point's coordinates are rounded only once.
    let (gap, corner, to_foot) = match feature {
        Feature::Inside => return None,
        Feature::Corner(corner) => (gap_between_points(center, corner), corner, DVec2::ZERO),
        // Leave this case to `contact_of_any_shapes`: f64 cannot tell on which side of the edge the centre is.
        Feature::Edge(beside) if beside.cross.abs() <= FEATURE_FILTER * beside.cross_size => return None,
        Feature::Edge(beside) => {
            let gap = Gap { normal: beside.normal(), distance: beside.distance() };
            (gap, beside.near, beside.displacement_to_foot())
        }
    };
    let depth = depth_along_gap_normal(circle, other, gap);
    if depth < -TOUCH {
        return Some(None);
    }
    let is_overlapping = feature.is_within(center, circle.radius + other.radius)?;
    let depth = if is_overlapping { depth.max(f64::MIN_POSITIVE) } else { depth.min(0.0) + 0.0 };
    Some(Some(if is_first {
        Contact { point: corner + (to_foot + gap.normal * other.radius), normal: gap.normal, depth }
    } else {
        let normal = -gap.normal + DVec2::ZERO;
        Contact { point: center + normal * circle.radius, normal, depth }
    }))
}

fn contact_of_any_shapes(a: AnyShape<'_>, b: AnyShape<'_>) -> Option<Contact> {
    let (core_a, core_b) = (a.core(), b.core());
    let size = scene_size_if_near(&core_a, &core_b)?;
    let gap = if straight_cores_overlap(&core_a, &core_b) {
        // `None` for two lines that cross: no shift separates them.
        axes::widest_gap_along_normals(&core_a, &core_b)?
    } else {
        // `widest_gap` returns `None` only for two equal points. The normal of their gap is up.
        apart::widest_gap(&core_a, &core_b, size)
            .unwrap_or_else(|| gap_between_points(core_a.corners.as_slice()[0], core_b.corners.as_slice()[0]))
    };
    let depth = depth_with_exact_sign(depth_along_gap_normal(&core_a, &core_b, gap), || overlaps(a, b))?;
    let point = face_point::shared_touch_point(&core_a, &core_b, gap, size);
    Some(Contact { point, normal: gap.normal, depth })
}

/// Returns the gap between two points, along the line between them. The normal of two equal points is up.
fn gap_between_points(a: DVec2, b: DVec2) -> Gap {
    let way = a - b;
    Gap { normal: unit(way).unwrap_or(DVec2::Y), distance: way.dot(way).sqrt() }
}

fn depth_along_gap_normal(a: &Core<'_>, b: &Core<'_>, gap: Gap) -> f64 {
    (a.radius + b.radius) - gap.distance
}

/// Returns the depth with the sign of the exact overlap test; `None` if the shapes neither overlap nor touch.
fn depth_with_exact_sign(depth: f64, overlaps: impl Fn() -> bool) -> Option<f64> {
    if depth < -TOUCH {
        None
    } else if overlaps() {
        // Rounding may have made the depth of a slight overlap 0 or negative. Then return the smallest depth above 0.
        Some(depth.max(f64::MIN_POSITIVE))
    } else {
        // Adding zero turns -0 into 0.
        Some(depth.min(0.0) + 0.0)
    }
}

/// Returns whether to prefer `one` over `other`: two normals along which the gap between the cores is equal in f64.
///
/// The rules, in this order:
/// - The normal that points more from the middle of the box around `from` to the middle of the box around `to`.
/// - The less slanted normal, then the one along which the box around `to` is longer.
/// - The rest of the first rule with cubes, which distinguishes opposite normals next to a slanted displacement.
/// - The normal that points more upwards, then more to the right.
///
/// All but the last rule commute with mirrors and quarter turns, and do not depend on the order of corners.
#[cold]
#[inline(never)]
fn is_first_normal_preferred(one: DVec2, other: DVec2, from: &Core<'_>, to: &Core<'_>) -> bool {
    let ((from_min, from_max), (to_min, to_max)) = (from.bounds(), to.bounds());
    let (way, extent) = ((to_min + to_max) - (from_min + from_max), to_max - to_min);
    let cube = |normal: DVec2| normal * normal * normal;
    // Subtract the normals before projecting them. f64 subtracts two nearly equal normals without an error, but the
    // difference of their rounded projections could be lost.
    let more = [
        (one - other).dot(way),
        other.abs().min_element() - one.abs().min_element(),
        (one.abs() - other.abs()).dot(extent),
        (cube(one) - cube(other)).dot(way),
        one.y - other.y,
        one.x - other.x,
    ];
    more.into_iter().find(|&more| more != 0.0).is_some_and(|more| more > 0.0)
}

/// Returns the size of the scene; `None` if the shapes' bounding boxes are too far apart to touch.
fn scene_size_if_near(a: &Core<'_>, b: &Core<'_>) -> Option<f64> {
    let ((a_min, a_max), (b_min, b_max)) = (a.bounds(), b.bounds());
    let reach = a.radius + b.radius;
    if a.extent == Extent::Bounded && b.extent == Extent::Bounded {
        let gap = (b_min - a_max).max(a_min - b_max).max_element();
        // Bounding boxes are only a fast test. With twice the tolerance, their rounding does not matter.
        if gap - reach > 2.0 * TOUCH {
            return None;
        }
    }
    Some((a_max.max(b_max) - a_min.min(b_min)).max_element() + reach)
}

/// Returns how far a point lies on the right of the line from `p` to `q`. Both ends count equally, so swapping them
/// changes only the sign.
fn distance_right_of_line(p: DVec2, q: DVec2, point: DVec2) -> f64 {
    let along = q - p;
    let from = (point - p) + (point - q);
    (along.y * from.x - along.x * from.y) * 0.5 / along.dot(along).sqrt()
}

/// Returns the unit normal on the right of the line from `p` to `q`, which must differ.
fn right_normal(p: DVec2, q: DVec2) -> DVec2 {
    let along = q - p;
    unit(DVec2::new(along.y, -along.x)).unwrap_or(DVec2::Y)
}
