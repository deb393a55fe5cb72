//! Casts a ray from the origin against an outline without a radius, with pairs of f64, if f64 is in doubt.

use super::outline::{Corner, Outline};
use super::precision::{Number, Vector};
use super::rounded::{CastHit, CastResult, clamp_time_to_motion};
use crate::exact_arith::double_double::DoubleDouble;
use crate::exact_arith::{halfway_direction, twice_signed_area, unit};
use glam::DVec2;
use std::cmp::Ordering;

/// A side of the outline between two different corners.
#[derive(Clone, Copy)]
struct Side {
    from: Corner,
    to: Corner,
    direction: Vector<DoubleDouble>,
    /// On which side of the ray the side starts and ends: positive is left.
    begins: f64,
    ends: f64,
}

/// Casts a ray by `motion` from the origin against an outline with an interior.
///
/// The ray enters through the side that starts on its left and does not end there. It leaves through the side that
/// starts on its right and does not end there. On which side of these two the origin lies is decided exactly.
#[cold]
#[inline(never)]
pub(super) fn cast_exactly(outline: &impl Outline, motion: DVec2) -> CastResult {
    let way = Vector::<DoubleDouble>::from(motion);
    let sides = || {
        let count = outline.corner_count();
        (0..count).filter_map(move |index| {
            let (from, to) = (outline.corner(index), outline.corner((index + 1) % count));
            let direction = from.direction_to::<DoubleDouble>(to)?;
            let left = |corner: Corner| way.cross(corner.position()).to_f64();
            Some(Side { from, to, direction, begins: left(from), ends: left(to) })
        })
    };
    if sides().all(|side| side.inner_side_sign() > 0.0) {
        return CastResult::Overlapping;
    }
    let enters = sides().find(|side| side.begins > 0.0 && side.ends <= 0.0);
    let leaves = sides().find(|side| side.begins < 0.0 && side.ends >= 0.0);
    let (Some(enters), Some(leaves)) = (enters, leaves) else { return CastResult::Clear };
    // The line only grazes the outline, or the origin is beyond the side through which the line leaves.
    if sides().all(|side| side.begins >= 0.0)
        || sides().all(|side| side.begins <= 0.0)
        || leaves.inner_side_sign() <= 0.0
    {
        return CastResult::Clear;
    }
    // The motion must end on the inner side of the entry side, not on it or before it.
    let ends_within = enters
        .from
        .displacement_to(enters.to)
        .is_some_and(|side| side.side_of(enters.from.displacement_after(motion)) == Ordering::Less);
    if !ends_within {
        return CastResult::Clear;
    }
    let time = enters.crossing_time(way);
    // If the ray enters at a corner, it enters through the next side too.
    let also = if enters.ends == 0.0 { sides().find(|side| side.begins == 0.0 && side.ends < 0.0) } else { None };
    let toi = clamp_time_to_motion(time.to_f64());
    CastResult::At(match also {
        Some(next) => hit_on_corner(toi, &enters, &next, way),
        None => CastHit::hit_on_side(toi, enters.normal(), enters.from),
    })
}

/// Returns the hit on the corner between two sides. The side that opposes the motion more gives the normal. If both
/// oppose it equally, the normal is halfway between.
fn hit_on_corner(toi: f64, first: &Side, second: &Side, motion: Vector<DoubleDouble>) -> CastHit {
    let more = first.signed_opposition_squared(motion) * second.length_sq()
        - second.signed_opposition_squared(motion) * first.length_sq();
    let (normal, is_corner) = if more.to_f64() > 0.0 {
        (first.normal(), false)
    } else if more.to_f64() < 0.0 {
        (second.normal(), false)
    } else {
        let (one, other) = (first.normal(), second.normal());
        (halfway_direction(one, other).unwrap_or(one), one != other)
    };
    CastHit { toi, normal, corner: second.from, is_corner }
}

impl Side {
    /// Returns a positive number if the origin is on the inner side, 0 if it is on the side's line.
    fn inner_side_sign(&self) -> f64 {
        if self.from.by == self.to.by {
            twice_signed_area(self.from.by, self.from.on, self.to.on)
        } else {
            twice_signed_area(self.from.on, self.from.by, self.to.by)
        }
    }

    /// Returns the time at which the ray crosses the side's line.
    fn crossing_time(&self, motion: Vector<DoubleDouble>) -> DoubleDouble {
        let beside = |corner: Corner| corner.position().cross(self.direction);
        let gap = -((beside(self.from) + beside(self.to)) * DoubleDouble::from(0.5));
        let approach = -motion.cross(self.direction);
        gap.quotient(approach)
    }

    fn normal(&self) -> DVec2 {
        let Vector { x, y } = self.direction;
        unit(DVec2::new(y.to_f64(), -x.to_f64())).unwrap_or(DVec2::ZERO)
    }

    /// Returns how much the motion opposes the side's normal, squared with its sign, times the squared length of the
    /// side. No square root is needed, so equally opposed sides compare as equal.
    fn signed_opposition_squared(&self, motion: Vector<DoubleDouble>) -> DoubleDouble {
        let against = -motion.cross(self.direction);
        against * against.abs()
    }

    fn length_sq(&self) -> DoubleDouble {
        self.direction.dot(self.direction)
    }
}
