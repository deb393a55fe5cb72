//! Tests whether the interiors of two shapes overlap.

mod boxes;
mod round;
mod straight;

use crate::shapes::AnyShape;
pub(super) use boxes::turned_box_contains;
pub(super) use straight::{cores_overlap as straight_cores_overlap, cross};

#[inline]
pub(super) fn overlaps(a: AnyShape<'_>, b: AnyShape<'_>) -> bool {
    use AnyShape::{Aabb, Capsule, Circle, Obb, Point, Segment};
    match (a, b) {
        (Circle(a), Circle(b)) => round::circles_overlap(a, b),
        (Circle(circle), Aabb(aabb)) | (Aabb(aabb), Circle(circle)) => round::circle_overlaps_box(circle, aabb),
        (Circle(circle), Obb(obb)) | (Obb(obb), Circle(circle)) => boxes::circle_overlaps_box(circle, obb),
        (Circle(circle), Segment(segment)) | (Segment(segment), Circle(circle)) => {
            round::circle_overlaps_segment(circle, segment)
        }
        (Aabb(a), Aabb(b)) => boxes::boxes_overlap(a, b),
        (Aabb(aabb), Obb(obb)) | (Obb(obb), Aabb(aabb)) => {
            boxes::turned_boxes_overlap(&boxes::Turned::from(aabb), &boxes::Turned::from(obb))
                .unwrap_or_else(|| straight::box_overlaps(aabb, &AnyShape::from(obb).core()))
        }
        (Obb(a), Obb(b)) => boxes::turned_boxes_overlap(&boxes::Turned::from(a), &boxes::Turned::from(b))
            .unwrap_or_else(|| straight::cores_overlap(&AnyShape::from(a).core(), &AnyShape::from(b).core())),
        (Segment(a), Segment(b)) => straight::segments_overlap(a, b),
        // These pairs never overlap: points and segments have no area, and a point crosses nothing.
        (Point(_), Point(_) | Segment(_)) | (Segment(_), Point(_)) => false,
        (Circle(circle), other) | (other, Circle(circle)) => round::circle_overlaps_core(circle, &other.core()),
        (Capsule(_), _) | (_, Capsule(_)) => round::cores_overlap(&a.core(), &b.core()),
        (Aabb(aabb), other) | (other, Aabb(aabb)) => straight::box_overlaps(aabb, &other.core()),
        (a, b) => straight::cores_overlap(&a.core(), &b.core()),
    }
}
