//! Whether a ray from the origin comes into an outline grown by a radius, decided exactly.
//!
//! The part of the ray that is the motion comes nearer to the outline than the radius where it begins, where it ends, beside a
//! corner between the two, or where it goes through a side: the shortest way between two convex shapes that do not meet has
//! a corner at one end.

use super::Sweep;
use super::outline::{Corner, Outline};
use crate::exact_arith::plane::Way;
use crate::tolerance::ROUNDING;
use glam::DVec2;
use std::cmp::Ordering;

/// What a sweep is, without the numbers of a hit. The radii are not both 0.
#[cold]
#[inline(never)]
pub(super) fn verdict(outline: &impl Outline, radii: [f64; 2], motion: DVec2) -> Sweep<()> {
    if is_inside(outline, radii, DVec2::ZERO) {
        Sweep::Overlapping
    } else if is_inside(outline, radii, motion) || passes(outline, radii, motion) {
        Sweep::Hit(())
    } else {
        Sweep::Clear
    }
}

/// Is the end of a way from the origin inside of the grown outline?
fn is_inside(outline: &impl Outline, radii: [f64; 2], gone: DVec2) -> bool {
    let count = outline.count();
    if is_far(outline, radii, gone) {
        return false;
    }
    // Behind each side, of which there is one: not of a point.
    let (mut is_behind, mut has_sides) = (true, false);
    for index in 0..count {
        let (corner, next) = (outline.corner(index), outline.corner((index + 1) % count));
        let way = corner.seen(gone);
        if way.is_within(radii) {
            return true;
        }
        let Some(side) = corner.side(next) else { continue };
        has_sides = true;
        // Of what is outside, the nearest is a corner, or a side that it is outside of.
        if side.side_of(way) == Ordering::Less {
            continue;
        }
        is_behind = false;
        let is_level = side.along(way) == Ordering::Less && side.along(next.seen(gone)) == Ordering::Greater;
        if is_level && side.is_beside(way, radii) {
            return true;
        }
    }
    has_sides && is_behind
}

/// Is all of the outline further along an axis than the radius, surely? That spares most of the exact questions.
fn is_far(outline: &impl Outline, radii: [f64; 2], gone: DVec2) -> bool {
    let radius = radii[0] + radii[1];
    let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    for index in 0..outline.count() {
        let Corner { on, by } = outline.corner(index);
        let (from, at) = (on - by, on - by - gone);
        let doubt = ROUNDING * (from.abs() + gone.abs() + radius);
        (low, high) = (low.min(at - doubt), high.max(at + doubt));
    }
    low.max_element() > radius || high.min_element() < -radius
}

/// Does the motion come near a corner, or through a side, between its ends?
fn passes(outline: &impl Outline, radii: [f64; 2], motion: DVec2) -> bool {
    let count = outline.count();
    let path = Way::between(DVec2::ZERO, motion);
    let is_apart = |one: Ordering, other: Ordering| one != Ordering::Equal && one == other.reverse();
    let mut corner = outline.corner(count - 1);
    let mut beside = path.side_of(corner.seen(DVec2::ZERO));
    (0..count).any(|index| {
        let next = outline.corner(index);
        let (way, rest) = (next.seen(DVec2::ZERO), next.seen(motion));
        let is_level = path.along(way) == Ordering::Greater && path.along(rest) == Ordering::Less;
        if is_level && path.is_beside(way, radii) {
            return true;
        }
        let (before, side) = (beside, corner.side(next));
        (corner, beside) = (next, path.side_of(way));
        is_apart(before, beside) && side.is_some_and(|side| is_apart(side.side_of(way), side.side_of(rest)))
    })
}

impl Corner {
    /// The way to it for what has gone so far.
    pub(super) fn seen(self, gone: DVec2) -> Way {
        Way { from: self.by, to: self.on, less: gone }
    }
}
