//! Sweep of a box against a straight obstacle in f64: clips the box's path to the part inside all sides.
//!
//! Source: M. Cyrus and J. Beck, "Generalized two- and three-dimensional clipping", Computers & Graphics 3 (1978).

use super::mover::Mover;
use super::outline::Corner;
use super::rounded::{CastHit, CastResult};
use crate::exact_arith::{larger, smaller, unit};
use crate::tolerance::{ROUNDING, STEEP};
use glam::DVec2;

/// The part of the path that is inside, and the side through which it enters.
struct Inside {
    enter: f64,
    /// The second latest time at which the path enters a side.
    second: f64,
    leave: f64,
    through: Through,
    /// Whether the time of leaving has the sign of an exact difference of coordinates.
    leaves_axis: bool,
}

#[derive(Clone, Copy)]
enum Through {
    Axis(DVec2),
    /// The side of the obstacle that starts at this corner, with its normal.
    Side(Corner, DVec2),
}

/// Returns the result of the sweep, or `None` if f64 cannot tell. The obstacle's corners are counter-clockwise.
#[inline(always)]
pub(super) fn cast(mover: &Mover, motion: DVec2, corners: &[DVec2]) -> Option<CastResult> {
    let (mut low, mut high) = (corners[0], corners[0]);
    for &corner in &corners[1..] {
        low = DVec2::new(smaller(low.x, corner.x), smaller(low.y, corner.y));
        high = DVec2::new(larger(high.x, corner.x), larger(high.y, corner.y));
    }
    let (from, to) = (low - mover.max, high - mover.min);
    if from.x == to.x || from.y == to.y || (corners.len() < 3 && mover.is_point()) {
        return None;
    }
    let mut inside = Inside {
        enter: f64::NEG_INFINITY,
        second: f64::NEG_INFINITY,
        leave: f64::INFINITY,
        through: Through::Axis(DVec2::ZERO),
        leaves_axis: true,
    };
    if !inside.try_clip_to_axis_range(from.x, to.x, motion.x, DVec2::X)
        || !inside.try_clip_to_axis_range(from.y, to.y, motion.y, DVec2::Y)
    {
        return Some(CastResult::Clear);
    }
    let path = motion.x.abs() + motion.y.abs();
    let size = larger(from.x.abs(), to.x.abs()) + larger(from.y.abs(), to.y.abs());
    let scene = Scene { mover, motion, path, size, error: ROUNDING / STEEP * (size / path + 2.0) };
    // Fast path: the bounds alone rule out most obstacles.
    if inside.certainly_misses(scene.error) {
        return Some(CastResult::Clear);
    }
    // The motion is clipped at the bounds already. A point has no other sides. A segment counts as two sides, one in
    // each direction.
    if corners.len() > 1 {
        let mut a = corners[corners.len() - 1];
        for &b in corners {
            if !inside.try_clip_to_inner_side(&scene, a, b)? {
                return Some(CastResult::Clear);
            }
            a = b;
        }
    }
    inside.cast_result_if_certain(scene.error)
}

/// The mover and its motion, with the error bounds of f64.
struct Scene<'a> {
    mover: &'a Mover,
    motion: DVec2,
    /// A length not shorter than the motion.
    path: f64,
    /// A length not shorter than the distance of any corner of the obstacle from any corner of the mover.
    size: f64,
    /// Error bound of a time.
    error: f64,
}

impl Inside {
    /// Clips to the part between two values on an axis. Returns `false` if the whole motion is outside.
    #[inline]
    fn try_clip_to_axis_range(&mut self, from: f64, to: f64, motion: f64, axis: DVec2) -> bool {
        if motion == 0.0 {
            return from < 0.0 && to > 0.0;
        }
        let (near, far) = if motion > 0.0 { (from, to) } else { (to, from) };
        let normal = if motion > 0.0 { -axis } else { axis };
        self.raise_entry_time(near / motion, Through::Axis(normal));
        self.lower_exit_time(far / motion, true);
        true
    }

    /// Clips to the inner side of the edge from `a` to `b`. Returns `false` if the whole motion is outside, `None` in
    /// doubt.
    #[inline]
    fn try_clip_to_inner_side(&mut self, scene: &Scene<'_>, a: DVec2, b: DVec2) -> Option<bool> {
        let Scene { mover, motion, path, size, .. } = *scene;
        let side = b - a;
        // The bounds have already clipped at sides along an axis.
        if a.x == b.x || a.y == b.y {
            return Some(true);
        }
        let normal = DVec2::new(side.y, -side.x);
        let by = DVec2::new(
            if normal.x > 0.0 { mover.min.x } else { mover.max.x },
            if normal.y > 0.0 { mover.min.y } else { mover.max.y },
        );
        // `depth` and `leaving` are multiplied by the length of the side. `depth` uses both ends equally, so that their
        // order does not matter.
        let both_ends = (a - by) + (b - by);
        let depth = 0.5 * (both_ends.x * normal.x + both_ends.y * normal.y);
        let leaving = motion.x * normal.x + motion.y * normal.y;
        let length = side.x.abs() + side.y.abs();
        if leaving.abs() < length * path * STEEP {
            let error = ROUNDING * length * (size + path);
            let end = depth - leaving;
            return if depth > error && end > error {
                Some(true)
            } else if depth < -error && end < -error {
                Some(false)
            } else {
                None
            };
        }
        let time = depth / leaving;
        if leaving < 0.0 {
            self.raise_entry_time(time, Through::Side(Corner { on: a, by }, normal));
        } else {
            self.lower_exit_time(time, false);
        }
        Some(true)
    }

    #[inline]
    fn raise_entry_time(&mut self, time: f64, through: Through) {
        if time > self.enter {
            self.second = self.enter;
            (self.enter, self.through) = (time, through);
        } else {
            self.second = larger(self.second, time);
        }
    }

    #[inline]
    fn lower_exit_time(&mut self, time: f64, is_axis: bool) {
        if time < self.leave {
            (self.leave, self.leaves_axis) = (time, is_axis);
        }
    }

    /// Returns whether the whole motion is certainly outside.
    #[inline]
    fn certainly_misses(&self, error: f64) -> bool {
        self.enter > self.leave + error || self.enter > 1.0 + error || self.leave < -error
    }

    /// Returns the result of the sweep; `None` if a decision is within the error.
    #[inline]
    fn cast_result_if_certain(&self, error: f64) -> Option<CastResult> {
        let sign = |time: f64, is_exact: bool| {
            if time > error {
                Some(1.0)
            } else if time < -error {
                Some(-1.0)
            } else if is_exact {
                Some(if time > 0.0 { 1.0 } else { -f64::from(time < 0.0) })
            } else {
                None
            }
        };
        let Inside { enter, second, leave, .. } = *self;
        if self.certainly_misses(error) || sign(leave, self.leaves_axis)? <= 0.0 {
            return Some(CastResult::Clear);
        }
        if enter >= leave - error {
            return None;
        }
        if sign(enter, matches!(self.through, Through::Axis(_)))? < 0.0 {
            // The motion starts after the latest entry, so the shapes overlap. But if the latest two entries are both
            // within the error of 0, f64 cannot tell which one is the latest.
            return if enter < -error || second < -error { Some(CastResult::Overlapping) } else { None };
        }
        if enter >= 1.0 - error || second >= enter - error {
            return None;
        }
        let (normal, corner) = match self.through {
            Through::Axis(normal) => (normal, Corner { on: DVec2::ZERO, by: DVec2::ZERO }),
            Through::Side(corner, across) => (unit(across)?, corner),
        };
        Some(CastResult::At(CastHit::hit_on_side(enter, normal, corner)))
    }
}
