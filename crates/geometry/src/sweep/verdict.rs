//! Decides exactly whether a ray from the origin enters an outline grown by a radius.
//!
//! Two convex shapes that do not overlap have a shortest connection that starts at a corner of one of them. So the
//! motion enters the grown outline in one of these cases:
//! - It starts or ends inside.
//! - It passes a corner closer than the radius.
//! - It crosses a side.

use super::Sweep;
use super::outline::{Corner, Outline};
use crate::exact_arith::plane::Displacement;
use crate::tolerance::ROUNDING;
use glam::DVec2;
use std::cmp::Ordering;

/// Decides the kind of the sweep's result, without the numbers of a hit. The radii must not both be 0.
#[cold]
#[inline(never)]
pub(super) fn classify_sweep(outline: &impl Outline, radii: [f64; 2], motion: DVec2) -> Sweep<()> {
    if is_inside_after_moving(outline, radii, DVec2::ZERO) {
        Sweep::Overlapping
    } else if is_inside_after_moving(outline, radii, motion) || passes_corner_or_crosses_side(outline, radii, motion) {
        Sweep::Hit(())
    } else {
        Sweep::Clear
    }
}

/// Returns whether the mover is inside the grown outline after it has moved by `displacement`.
fn is_inside_after_moving(outline: &impl Outline, radii: [f64; 2], displacement: DVec2) -> bool {
    let count = outline.corner_count();
    if is_certainly_far_after_moving(outline, radii, displacement) {
        return false;
    }
    // The mover is a point here (see `outline.rs`). `is_behind`: whether it is on the inner side of every side. An
    // outline that is itself a point has no sides.
    let (mut is_behind, mut has_sides) = (true, false);
    for index in 0..count {
        let (corner, next) = (outline.corner(index), outline.corner((index + 1) % count));
        let way = corner.displacement_after(displacement);
        if way.is_shorter_than_sum(radii) {
            return true;
        }
        let Some(side) = corner.displacement_to(next) else { continue };
        has_sides = true;
        // Skip the sides that have the point on their inner side: they are not nearest to a point outside.
        if side.side_of(way) == Ordering::Less {
            continue;
        }
        is_behind = false;
        let is_level = side.dot_sign(way) == Ordering::Less
            && side.dot_sign(next.displacement_after(displacement)) == Ordering::Greater;
        if is_level && side.is_line_near_end_of(way, radii) {
            return true;
        }
    }
    has_sides && is_behind
}

/// Returns whether the whole outline is certainly further away than the radius on an axis. This test avoids most exact
/// decisions.
fn is_certainly_far_after_moving(outline: &impl Outline, radii: [f64; 2], displacement: DVec2) -> bool {
    let radius = radii[0] + radii[1];
    let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    for index in 0..outline.corner_count() {
        let Corner { on, by } = outline.corner(index);
        let (from, at) = (on - by, on - by - displacement);
        let doubt = ROUNDING * (from.abs() + displacement.abs() + radius);
        (low, high) = (low.min(at - doubt), high.max(at + doubt));
    }
    low.max_element() > radius || high.min_element() < -radius
}

/// Returns whether the motion passes a corner closer than the radius, or crosses a side, between its ends.
fn passes_corner_or_crosses_side(outline: &impl Outline, radii: [f64; 2], motion: DVec2) -> bool {
    let count = outline.corner_count();
    let path = Displacement::between(DVec2::ZERO, motion);
    let is_apart = |one: Ordering, other: Ordering| one != Ordering::Equal && one == other.reverse();
    let mut corner = outline.corner(count - 1);
    let mut beside = path.side_of(corner.displacement_after(DVec2::ZERO));
    (0..count).any(|index| {
        let next = outline.corner(index);
        let (way, rest) = (next.displacement_after(DVec2::ZERO), next.displacement_after(motion));
        let is_level = path.dot_sign(way) == Ordering::Greater && path.dot_sign(rest) == Ordering::Less;
        if is_level && path.is_line_near_end_of(way, radii) {
            return true;
        }
        let (before, side) = (beside, corner.displacement_to(next));
        (corner, beside) = (next, path.side_of(way));
        is_apart(before, beside) && side.is_some_and(|side| is_apart(side.side_of(way), side.side_of(rest)))
    })
}

impl Corner {
    /// Returns the displacement to the corner after the mover has moved by `gone`.
    pub(super) fn displacement_after(self, gone: DVec2) -> Displacement {
        Displacement { from: self.by, to: self.on, less: gone }
    }
}
