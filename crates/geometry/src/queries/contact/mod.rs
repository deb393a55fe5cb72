//! Where and how deep two shapes meet.

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
    /// Contact point on the boundary of the other shape. If the shapes touch along a piece of boundary, this is the
    /// middle of that piece.
    pub point: DVec2,
    /// Contact normal: a unit vector that points from the other shape to this shape.
    pub normal: DVec2,
    /// Penetration depth: how far this shape must move along the normal until the two shapes only touch.
    ///
    /// The depth is above 0 if the shapes overlap. If the shapes only touch, the depth is from
    /// -[`tolerance::TOUCH`](crate::tolerance::TOUCH) (-2^-24) to 0; a negative depth is a gap.
    pub depth: f64,
}

/// How far one straight part is outside another one along a normal: less than 0 if they overlap.
#[derive(Clone, Copy)]
struct Gap {
    /// Unit vector, from the second one to the first one.
    normal: DVec2,
    distance: f64,
}

#[inline(always)]
pub(super) fn contact(a: AnyShape<'_>, b: AnyShape<'_>) -> Option<Contact> {
    if let (AnyShape::Circle(_), AnyShape::Circle(_)) = (a, b) {
        let (core_a, core_b) = (a.core(), b.core());
        let gap = of_points(core_a.corners.as_slice()[0], core_b.corners.as_slice()[0]);
        let depth = signed(depth(&core_a, &core_b, gap), || overlaps(a, b))?;
        let point = core_b.corners.as_slice()[0] + gap.normal * core_b.radius;
        return Some(Contact { point, normal: gap.normal, depth });
    }
    let (core_a, core_b) = (a.core(), b.core());
    let quick = match (a, b) {
        (AnyShape::Circle(_), _) => of_circle(&core_a, &core_b, true),
        (_, AnyShape::Circle(_)) => of_circle(&core_b, &core_a, false),
        _ => None,
    };
    quick.unwrap_or_else(|| any_contact(a, b))
}

/// The contact of a circle whose centre is outside the straight part of the other shape, which is bounded; `None` where f64
/// cannot tell what is nearest to the centre, or whether they overlap.
#[inline]
fn of_circle(circle: &Core<'_>, other: &Core<'_>, is_first: bool) -> Option<Option<Contact>> {
    if other.extent != Extent::Bounded {
        return None;
    }
    let center = circle.corners.as_slice()[0];
    let feature = nearest_feature(other.corners.as_slice(), center)?;
    // The point's own coordinates are rounded once: to the foot it is from a corner.
    let (gap, corner, to_foot) = match feature {
        Feature::Inside => return None,
        Feature::Corner(corner) => (of_points(center, corner), corner, DVec2::ZERO),
        // On which side of a segment?
        Feature::Edge(beside) if beside.cross.abs() <= FEATURE_FILTER * beside.cross_size => return None,
        Feature::Edge(beside) => {
            let gap = Gap { normal: beside.normal(), distance: beside.height() };
            (gap, beside.near, beside.to_foot())
        }
    };
    let depth = depth(circle, other, gap);
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

fn any_contact(a: AnyShape<'_>, b: AnyShape<'_>) -> Option<Contact> {
    let (core_a, core_b) = (a.core(), b.core());
    let size = size_if_near(&core_a, &core_b)?;
    let gap = if straight_cores_overlap(&core_a, &core_b) {
        // Nothing parts two lines that cross.
        axes::widest(&core_a, &core_b)?
    } else {
        // Two points that are the same have no edge and no way between them.
        apart::widest(&core_a, &core_b, size)
            .unwrap_or_else(|| of_points(core_a.corners.as_slice()[0], core_b.corners.as_slice()[0]))
    };
    let depth = signed(depth(&core_a, &core_b, gap), || overlaps(a, b))?;
    let point = face_point::shared(&core_a, &core_b, gap, size);
    Some(Contact { point, normal: gap.normal, depth })
}

/// What parts two points: the way between them. Two points that are one are parted upwards.
fn of_points(a: DVec2, b: DVec2) -> Gap {
    let way = a - b;
    Gap { normal: unit(way).unwrap_or(DVec2::Y), distance: way.dot(way).sqrt() }
}

fn depth(a: &Core<'_>, b: &Core<'_>, gap: Gap) -> f64 {
    (a.radius + b.radius) - gap.distance
}

/// The depth with the sign that the exact decision gives it; `None` for shapes that neither overlap nor touch.
fn signed(depth: f64, overlaps: impl Fn() -> bool) -> Option<f64> {
    if depth < -TOUCH {
        None
    } else if overlaps() {
        // Deeper than 0 by less than rounding.
        Some(depth.max(f64::MIN_POSITIVE))
    } else {
        // Adding zero turns -0 into 0.
        Some(depth.min(0.0) + 0.0)
    }
}

/// Of two normals along which the gap between the parts is equally wide in f64: is the one to be taken, and not the other?
///
/// The one that leads more from the middle of the box around `from` to that of the box around `to`; then the less slanted
/// one, and the one along which the latter is longer; then what is left of the first rule with cubes, which tells opposite
/// normals beside a slanted way. All of this is the same in every mirror and quarter turn, whichever corner is the first.
/// Else the one that leads more upwards, then to the right.
#[cold]
#[inline(never)]
fn is_rather(one: DVec2, other: DVec2, from: &Core<'_>, to: &Core<'_>) -> bool {
    let ((from_min, from_max), (to_min, to_max)) = (from.bounds(), to.bounds());
    let (way, extent) = ((to_min + to_max) - (from_min + from_max), to_max - to_min);
    let cube = |normal: DVec2| normal * normal * normal;
    // Differences of normals, and not of what they lead along: of two that are nearly the same, f64 keeps what parts them.
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

/// The size of the scene; `None` if the boxes around the shapes are too far apart for them to touch.
fn size_if_near(a: &Core<'_>, b: &Core<'_>) -> Option<f64> {
    let ((a_min, a_max), (b_min, b_max)) = (a.bounds(), b.bounds());
    let reach = a.radius + b.radius;
    if a.extent == Extent::Bounded && b.extent == Extent::Bounded {
        let gap = (b_min - a_max).max(a_min - b_max).max_element();
        // Twice, so that rounding does not matter.
        if gap - reach > 2.0 * TOUCH {
            return None;
        }
    }
    Some((a_max.max(b_max) - a_min.min(b_min)).max_element() + reach)
}

/// How far a point is on the right of the way from `p` to `q`. Going back from `q` to `p` changes no more than the sign:
/// both ends count the same.
fn height(p: DVec2, q: DVec2, point: DVec2) -> f64 {
    let along = q - p;
    let from = (point - p) + (point - q);
    (along.y * from.x - along.x * from.y) * 0.5 / along.dot(along).sqrt()
}

/// The unit normal on the right of the way from `p` to `q`, which differ.
fn right_of(p: DVec2, q: DVec2) -> DVec2 {
    let along = q - p;
    unit(DVec2::new(along.y, -along.x)).unwrap_or(DVec2::Y)
}
