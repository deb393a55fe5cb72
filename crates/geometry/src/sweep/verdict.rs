//! Whether a ray from the origin comes into an outline grown by a radius, decided exactly.
//!
//! The part of the ray that is the motion comes nearer to the outline than the radius where it begins, where it ends, beside a
//! corner between the two, or where it goes through a side: the shortest way between two convex shapes that do not meet has
//! a corner at one end.

use super::outline::{Corner, Outline};
use crate::number::plane::Way;
use glam::DVec2;
use std::cmp::Ordering;

/// What a sweep is, without the numbers of a hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Verdict {
    Clear,
    Overlapping,
    Hit,
}

/// The radii are not both 0.
#[cold]
#[inline(never)]
pub(super) fn verdict(outline: &impl Outline, radii: [f64; 2], motion: DVec2) -> Verdict {
    if is_inside(outline, radii, DVec2::ZERO) {
        Verdict::Overlapping
    } else if passes(outline, radii, motion) || is_inside(outline, radii, motion) {
        Verdict::Hit
    } else {
        Verdict::Clear
    }
}

/// Is the end of a way from the origin inside of the grown outline?
fn is_inside(outline: &impl Outline, radii: [f64; 2], gone: DVec2) -> bool {
    let count = outline.count();
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
        is_behind = is_behind && side.side_of(way) == Ordering::Less;
        let is_level = side.along(way) == Ordering::Less && side.along(next.seen(gone)) == Ordering::Greater;
        if is_level && side.is_beside(way, radii) {
            return true;
        }
    }
    has_sides && is_behind
}

/// Does the motion come near a corner, or through a side, between its ends?
fn passes(outline: &impl Outline, radii: [f64; 2], motion: DVec2) -> bool {
    let count = outline.count();
    let path = Way::between(DVec2::ZERO, motion);
    (0..count).any(|index| {
        let (corner, next) = (outline.corner(index), outline.corner((index + 1) % count));
        let (way, rest) = (corner.seen(DVec2::ZERO), corner.seen(motion));
        let is_level = path.along(way) == Ordering::Greater && path.along(rest) == Ordering::Less;
        if is_level && path.is_beside(way, radii) {
            return true;
        }
        let Some(side) = corner.side(next) else { return false };
        let is_apart = |one: Ordering, other: Ordering| one != Ordering::Equal && one == other.reverse();
        is_apart(path.side_of(way), path.side_of(next.seen(DVec2::ZERO)))
            && is_apart(side.side_of(way), side.side_of(rest))
    })
}

impl Corner {
    /// The way to it for what has gone so far.
    pub(super) fn seen(self, gone: DVec2) -> Way {
        Way { from: self.by, to: self.on, less: gone }
    }
}
