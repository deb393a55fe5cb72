//! Casts a ray from the origin against a segment: the sweep if mover and obstacle together have no width.

use super::mover::Mover;
use super::outline::Corner;
use super::precision::{Number, Vector};
use super::rounded::{CastHit, CastResult};
use crate::exact_arith::double_double::DoubleDouble;
use crate::exact_arith::{twice_signed_area, unit};
use glam::DVec2;
use std::cmp::Ordering;

/// Returns the ends of the obstacle grown by the box if that is a segment. A point gives the same end twice. `None` if
/// the grown obstacle has an area.
pub(super) fn grown_segment_ends(mover: &Mover, corners: &[DVec2]) -> Option<[Corner; 2]> {
    let (a, b) = match *corners {
        [a] => (a, a),
        [a, b] => (a, b),
        _ => return None,
    };
    if mover.is_point() {
        return Some([Corner { on: a, by: mover.min }, Corner { on: b, by: mover.min }]);
    }
    let is_flat = |of: fn(DVec2) -> f64| of(a) == of(b) && of(mover.min) == of(mover.max);
    if is_flat(|at| at.x) || is_flat(|at| at.y) {
        Some([Corner { on: a.min(b), by: mover.max }, Corner { on: a.max(b), by: mover.min }])
    } else {
        None
    }
}

/// Casts a ray by `motion` from the origin against a segment. The ray hits if it crosses the segment, its ends
/// included.
#[cold]
#[inline(never)]
pub(super) fn cast([a, b]: [Corner; 2], motion: DVec2) -> CastResult {
    let way = Vector::<DoubleDouble>::from(motion);
    let (from, to) = (a.position::<DoubleDouble>(), b.position::<DoubleDouble>());
    let (Some(direction), Some(line)) = (axis_or_segment_direction(a, b), a.displacement_to(b)) else {
        return CastResult::Clear;
    };
    // The sign of `side` tells on which side of the segment the ray starts. If both ends use the same corner `by` of
    // the mover, `twice_signed_area` decides the sign exactly. The three points of this area are given, not computed.
    let beside = (from.cross(direction) + to.cross(direction)) * DoubleDouble::from(0.5);
    let side = if a.by == b.by { twice_signed_area(a.by, a.on, b.on) } else { beside.to_f64() };
    let (gap, approach) = if side < 0.0 { (-beside, -way.cross(direction)) } else { (beside, way.cross(direction)) };
    let (left, right) = (way.cross(from).to_f64(), way.cross(to).to_f64());
    let passes_beside = (left > 0.0 && right > 0.0) || (left < 0.0 && right < 0.0);
    // Decide exactly whether the ray ends beyond the segment, so that a mirrored ray gives the mirrored result.
    let end = line.side_of(a.displacement_after(motion));
    let crosses = end == if side < 0.0 { Ordering::Less } else { Ordering::Greater };
    if side == 0.0 || passes_beside || !crosses {
        return CastResult::Clear;
    }
    let across = DVec2::new(direction.y.to_f64(), -direction.x.to_f64());
    let normal = unit(if side < 0.0 { across } else { -across }).unwrap_or(DVec2::ZERO);
    CastResult::At(CastHit::hit_on_side(gap.quotient(approach).to_f64(), normal, a))
}

/// Returns the direction from one end to the other. Along an axis it has length 1, so that nothing is rounded.
fn axis_or_segment_direction(a: Corner, b: Corner) -> Option<Vector<DoubleDouble>> {
    if a.by == b.by {
        return a.direction_to(b);
    }
    // The ends use two different corners of the mover, so the mover is not a point. In this case, `grown_segment_ends`
    // returns ends only if the mover is a segment along an axis, and the obstacle a segment along the same axis or a
    // point. So the direction from `a` to `b` is that of this axis.
    let upright = a.by.x == b.by.x;
    Some(if upright { DVec2::Y } else { DVec2::X }.into())
}
