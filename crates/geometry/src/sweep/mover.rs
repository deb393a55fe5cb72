//! Common part of the sweeps of circles and boxes: chooses the algorithm, and computes the hit point.

use super::exact_clip::cast_exactly;
use super::outline::{Around, Corner, Grown, Outline};
use super::rounded::{CastHit, CastResult, cast, clamp_time_to_motion};
use super::verdict::classify_sweep;
use super::{Hit, Sweep, clip, flat};
use crate::exact_arith::double_double::DoubleDouble;
use crate::shapes::{Core, MAX_COORDINATE, flush_small_to_zero};
use glam::DVec2;

/// The moving shape: a box with a radius around it. One of the two has size 0.
#[derive(Clone, Copy)]
pub(super) struct Mover {
    pub(super) min: DVec2,
    pub(super) max: DVec2,
    pub(super) radius: f64,
}

impl Mover {
    #[inline]
    pub(super) fn center(&self) -> DVec2 {
        if self.is_point() { self.min } else { (self.min + self.max) * 0.5 }
    }

    #[inline]
    pub(super) fn is_point(&self) -> bool {
        self.min == self.max
    }

    /// Sweeps by `motion` in the frame of the obstacle, which itself moves by `carried`.
    // Always inline: if the kinds of shapes are known at compile time, most decisions disappear.
    #[inline(always)]
    pub(super) fn sweep(&self, motion: DVec2, obstacle: &Core<'_>, carried: DVec2) -> Sweep {
        let Some(motion) = motion_if_in_range(motion) else { return Sweep::Clear };
        // Without motion, cast in any direction: the direction does not change whether the shapes overlap.
        let moves = motion != DVec2::ZERO;
        let way = if moves { motion } else { DVec2::X };
        let met = self.cast(way, obstacle);
        match met {
            CastResult::Overlapping => Sweep::Overlapping,
            CastResult::At(meeting) if moves => {
                let point = self.touch_point_after_motion(obstacle, &meeting, motion * meeting.toi);
                Sweep::Hit(Hit { toi: meeting.toi, point: point + carried * meeting.toi, normal: meeting.normal })
            }
            CastResult::At(_) | CastResult::Clear => Sweep::Clear,
        }
    }

    #[inline(always)]
    fn cast(&self, motion: DVec2, obstacle: &Core<'_>) -> CastResult {
        let corners = obstacle.corners.as_slice();
        if self.radius == 0.0 && obstacle.radius == 0.0 {
            if let Some(met) = clip::cast(self, motion, corners) {
                return met;
            }
            return match flat::grown_segment_ends(self, corners) {
                Some(ends) => flat::cast(ends, motion),
                None => cast_exactly(&Grown::new(corners, self.min, self.max), motion),
            };
        }
        let radii = [self.radius, obstacle.radius];
        if self.is_point() {
            return cast_rounded_outline(&Around { corners, center: self.min }, radii, motion);
        }
        let mut outline = Grown::new(corners, self.min, self.max);
        if let &[a, b] = corners
            && (a.x == b.x || a.y == b.y)
        {
            outline.drop_corners_on_axis_sides();
        }
        cast_rounded_outline(&outline, radii, motion)
    }

    /// Returns the point where mover and obstacle touch after the mover has moved by `motion`.
    #[inline]
    fn touch_point_after_motion(&self, obstacle: &Core<'_>, hit: &CastHit, motion: DVec2) -> DVec2 {
        let CastHit { normal, corner, is_corner, .. } = *hit;
        if is_corner {
            return corner.on + normal * obstacle.radius;
        }
        if self.radius > 0.0 {
            return self.min + (motion - normal * self.radius);
        }
        if normal.x != 0.0 && normal.y != 0.0 {
            return corner.by + motion;
        }
        self.touch_point_on_axis_side_after_motion(obstacle, normal, motion)
    }

    /// Returns the touch point on a side of the box along an axis: of the obstacle's points furthest along the normal,
    /// the one nearest to the middle of the box.
    #[inline]
    fn touch_point_on_axis_side_after_motion(&self, obstacle: &Core<'_>, normal: DVec2, motion: DVec2) -> DVec2 {
        let corners = obstacle.corners.as_slice();
        let middle = self.center() + motion;
        let (upright, sign) = (normal.x != 0.0, normal.x + normal.y);
        // Returns the coordinates of a vector along the normal and across the normal.
        let turned = |v: DVec2| if upright { (v.x * sign, v.y) } else { (v.y * sign, v.x) };
        let (mut level, mut low) = turned(corners[0]);
        let mut high = low;
        for &corner in &corners[1..] {
            let (along, across) = turned(corner);
            if along > level {
                (level, low, high) = (along, across, across);
            } else if along == level {
                low = if across < low { across } else { low };
                high = if across > high { across } else { high };
            }
        }
        let across = turned(middle).1;
        let nearest = if across < low {
            low
        } else if across > high {
            high
        } else {
            across
        };
        let outside = (level + obstacle.radius) * sign;
        if upright { DVec2::new(outside, nearest) } else { DVec2::new(nearest, outside) }
    }
}

#[inline(always)]
fn cast_rounded_outline(outline: &impl Outline, radii: [f64; 2], motion: DVec2) -> CastResult {
    cast::<f64>(outline, radii, motion).unwrap_or_else(|| cast_in_double_double(outline, radii, motion))
}

#[cold]
#[inline(never)]
fn cast_in_double_double(outline: &impl Outline, radii: [f64; 2], motion: DVec2) -> CastResult {
    match classify_sweep(outline, radii, motion) {
        Sweep::Clear => CastResult::Clear,
        Sweep::Overlapping => CastResult::Overlapping,
        Sweep::Hit(()) => cast::<DoubleDouble>(outline, radii, motion).unwrap_or(CastResult::Clear),
    }
}

impl CastHit {
    /// Returns the hit on a side that starts at `corner`.
    #[inline]
    pub(super) fn hit_on_side(toi: f64, normal: DVec2, corner: Corner) -> CastHit {
        // Adding zero turns -0 into 0.
        CastHit { toi: clamp_time_to_motion(toi), normal: normal + DVec2::ZERO, corner, is_corner: false }
    }
}

/// Returns the motion if a sweep accepts it, with tiny components set to 0.
#[inline]
fn motion_if_in_range(motion: DVec2) -> Option<DVec2> {
    // Do not write `>`: NaN must be rejected too.
    if !(motion.x.abs() <= 2.0 * MAX_COORDINATE && motion.y.abs() <= 2.0 * MAX_COORDINATE) {
        return None;
    }
    Some(DVec2::new(flush_small_to_zero(motion.x), flush_small_to_zero(motion.y)))
}

/// Returns the motion in the frame of an obstacle that moves by `carried`.
#[inline]
pub(super) fn relative_motion(motion: DVec2, carried: DVec2) -> DVec2 {
    if motion_if_in_range(motion).is_some() && motion_if_in_range(carried).is_some() {
        motion - carried
    } else {
        DVec2::NAN
    }
}
