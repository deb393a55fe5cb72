//! Overlap of boxes. Comparisons decide boxes along the axes. f64 decides rotated ones in their own axes, unless in
//! doubt.

use crate::shapes::{Aabb, AnyShape, Circle, Obb};
use crate::tolerance::{BOX_FILTER, TINY};
use glam::DVec2;

/// A box with its own axes.
pub(super) struct Turned {
    center: DVec2,
    half: DVec2,
    axis: DVec2,
}

impl From<&Aabb> for Turned {
    #[inline]
    fn from(aabb: &Aabb) -> Turned {
        Turned { center: aabb.center(), half: aabb.half_extents(), axis: DVec2::X }
    }
}

impl From<&Obb> for Turned {
    #[inline]
    fn from(obb: &Obb) -> Turned {
        Turned { center: obb.center(), half: obb.half_extents(), axis: obb.axis() }
    }
}

impl Turned {
    #[inline]
    fn rounding_error_bound(&self) -> f64 {
        (self.center.x.abs() + self.center.y.abs() + self.half.x + self.half.y) * BOX_FILTER + TINY
    }
}

/// Returns whether two boxes along the axes overlap. A flat box touches itself along its flat axis, so strict
/// comparisons give `false`.
#[inline]
pub(super) fn boxes_overlap(a: &Aabb, b: &Aabb) -> bool {
    a.min().x < b.max().x && b.min().x < a.max().x && a.min().y < b.max().y && b.min().y < a.max().y
}

/// Returns whether two boxes overlap; `None` if f64 cannot tell.
#[inline]
pub(super) fn turned_boxes_overlap(a: &Turned, b: &Turned) -> Option<bool> {
    let doubt = a.rounding_error_bound() + b.rounding_error_bound();
    let way = b.center - a.center;
    // `cos` and `sin`: absolute cosine and sine of the angle between the two boxes.
    let (cos, sin) = (a.axis.dot(b.axis).abs(), a.axis.perp_dot(b.axis).abs());
    let gap = |axis: DVec2, along: DVec2, half: DVec2| {
        let by_x = axis.dot(way).abs() - (along.x + (half.x * cos + half.y * sin));
        let by_y = axis.perp_dot(way).abs() - (along.y + (half.x * sin + half.y * cos));
        by_x.max(by_y)
    };
    let gap = gap(a.axis, a.half, b.half).max(gap(b.axis, b.half, a.half));
    (gap.abs() > doubt).then_some(gap < 0.0)
}

/// Returns whether the closed rotated box contains the point; `None` if f64 cannot tell.
#[inline]
pub(in crate::queries) fn turned_box_contains(obb: &Obb, point: DVec2) -> Option<bool> {
    let turned = Turned::from(obb);
    let doubt = turned.rounding_error_bound() + (point.x.abs() + point.y.abs()) * BOX_FILTER;
    let way = point - turned.center;
    let beyond = DVec2::new(turned.axis.dot(way).abs(), turned.axis.perp_dot(way).abs()) - turned.half;
    let gap = beyond.x.max(beyond.y);
    (gap.abs() > doubt).then_some(gap < 0.0)
}

/// Returns whether a circle overlaps a rotated box.
#[inline]
pub(super) fn circle_overlaps_box(circle: &Circle, obb: &Obb) -> bool {
    let turned = Turned::from(obb);
    let center = circle.center();
    let doubt = turned.rounding_error_bound() + (center.x.abs() + center.y.abs() + circle.radius()) * BOX_FILTER;
    let way = center - turned.center;
    let beyond = DVec2::new(turned.axis.dot(way).abs(), turned.axis.perp_dot(way).abs()) - turned.half;
    let beyond = DVec2::new(beyond.x.max(0.0), beyond.y.max(0.0));
    let gap = beyond.dot(beyond).sqrt() - circle.radius();
    if gap.abs() > doubt {
        gap < 0.0
    } else {
        super::round::cores_overlap(&AnyShape::from(circle).core(), &AnyShape::from(obb).core())
    }
}
