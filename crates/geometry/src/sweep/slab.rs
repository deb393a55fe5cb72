//! Sweep of a box against a segment in f64, with three pairs of parallel lines (slabs): one pair per axis, and one
//! along the segment. The box hits while its centre, relative to the segment grown by the box, is between the lines of
//! each pair.
//!
//! Source: T. L. Kay and J. T. Kajiya, "Ray Tracing Complex Scenes", Computer Graphics 20 (1986).

use super::{Hit, Sweep};
use crate::exact_arith::{larger, smaller, unit};
use crate::shapes::{Aabb, MAX_COORDINATE, Segment, flush_small_to_zero};
use crate::tolerance::{ROUNDING, STEEP};
use glam::{DVec2, dvec2};

/// The time span in which the box is between two lines.
type TimeSpan = (f64, f64);

/// The span without bounds, for a pair of lines that decides nothing.
const UNBOUNDED_SPAN: TimeSpan = (f64::NEG_INFINITY, f64::INFINITY);

/// Sweeps a box by `motion`, in the frame of a segment that itself moves by `carried`.
///
/// Returns `None` if f64 cannot tell, and for unusual input: an invalid motion or no motion, a flat box, or a point.
#[inline(always)]
pub(super) fn sweep(aabb: &Aabb, motion: DVec2, segment: &Segment, carried: DVec2) -> Option<Sweep> {
    let (a, b) = (segment.a(), segment.b());
    let (low, high) = (dvec2(smaller(a.x, b.x), smaller(a.y, b.y)), dvec2(larger(a.x, b.x), larger(a.y, b.y)));
    let (from, to) = (low - aabb.max(), high - aabb.min());
    let motion = dvec2(flush_small_to_zero(motion.x), flush_small_to_zero(motion.y));
    if !(is_between_at_some_time_if_certain(from.x, to.x, motion.x)?
        && is_between_at_some_time_if_certain(from.y, to.y, motion.y)?)
    {
        // The box can cross the segment without overlapping it in two cases. Box and segment both have no extent on one
        // of the axes, or the box is a point. Leave these cases to the caller.
        let is_flat = from.x >= to.x || from.y >= to.y || aabb.min() == aabb.max();
        return (!is_flat).then_some(Sweep::Clear);
    }
    let path = motion.x.abs() + motion.y.abs();
    // Reject a zero, too long or NaN motion. Both comparisons are false for NaN.
    let is_usual = path > 0.0 && larger(motion.x.abs(), motion.y.abs()) <= 2.0 * MAX_COORDINATE;
    if !is_usual {
        return None;
    }
    let size = larger(from.x.abs(), to.x.abs()) + larger(from.y.abs(), to.y.abs());
    // Largest accepted error of a time.
    let most_error = 2.0 * ROUNDING / STEEP * (size / path + 1.0);

    let side = b - a;
    let normal = dvec2(side.y, -side.x);
    let (slanted, error) = if side.x == 0.0 || side.y == 0.0 {
        (UNBOUNDED_SPAN, most_error)
    } else {
        // These values are multiplied by the length of the segment. They are doubled so that both ends count equally,
        // and their order does not matter.
        // - `ahead`: distance of the segment's line from the box's centre.
        // - `reach`: half the size of the box across the line.
        // - `speed`: approach to the line.
        let ahead = normal.x * (from.x + to.x) + normal.y * (from.y + to.y);
        let speed = 2.0 * (normal.x * motion.x + normal.y * motion.y);
        let extent = aabb.max() - aabb.min();
        let reach = normal.x.abs() * extent.x + normal.y.abs() * extent.y;
        let (ahead, speed) = if speed < 0.0 { (-ahead, -speed) } else { (ahead, speed) };
        // `ahead`, `reach` and `speed` are sums of products. The error of each sum is less than 16 roundings of its
        // products (16 * 2^-53 = 2 * `ROUNDING`). `bound` covers the errors of two such values.
        let bound = 4.0 * ROUNDING * (normal.x.abs() + normal.y.abs()) * (size + path);
        if ahead - reach > speed + bound || ahead + reach < -bound {
            return Some(Sweep::Clear);
        }
        if speed <= bound {
            return None;
        }
        (((ahead - reach) / speed, (ahead + reach) / speed), larger(most_error, bound / speed))
    };
    let (x, y) = (time_span_between(from.x, to.x, motion.x), time_span_between(from.y, to.y, motion.y));
    let (later, earlier) = (larger(x.0, y.0), smaller(x.0, y.0));
    let (enter, second) = (larger(later, slanted.0), larger(earlier, smaller(later, slanted.0)));
    let leave = smaller(smaller(x.1, y.1), slanted.1);
    if enter > leave + error || enter > 1.0 + error || slanted.1 < -error {
        return Some(Sweep::Clear);
    }
    if enter >= leave - error || slanted.1 <= error {
        return None;
    }
    let is_slanted = slanted.0 > later;
    // The sign of `later` is always right: it comes from one difference, whose sign rounding cannot change. The sign of
    // `slanted.0` is right only if its absolute value exceeds `error`.
    if later < 0.0 && slanted.0 <= error {
        return if slanted.0 < -error { Some(Sweep::Overlapping) } else { None };
    }
    if (is_slanted && (enter <= error || error > most_error)) || enter >= 1.0 - error || second >= enter - error {
        return None;
    }
    let way = motion * enter;
    let (normal, point) = if is_slanted {
        let against = normal.x * motion.x + normal.y * motion.y < 0.0;
        let normal = if against { normal } else { -normal };
        let by = dvec2(
            if normal.x > 0.0 { aabb.min().x } else { aabb.max().x },
            if normal.y > 0.0 { aabb.min().y } else { aabb.max().y },
        );
        (unit(normal)?, by + way)
    } else {
        let is_upright = x.0 > y.0;
        let middle = aabb.center() + way;
        // Returns the coordinate of the hit point along the hit side; `level` is its other coordinate. If the box hits
        // both ends of the segment at once, the point nearest to the middle of the box counts.
        let nearest = |level: f64, a: (f64, f64), b: (f64, f64), middle: f64| {
            if a.0 == b.0 {
                larger(smaller(a.1, b.1), smaller(larger(a.1, b.1), middle))
            } else if a.0 == level {
                a.1
            } else {
                b.1
            }
        };
        if is_upright {
            let (level, normal) = if motion.x > 0.0 { (low.x, DVec2::NEG_X) } else { (high.x, DVec2::X) };
            (normal, dvec2(level, nearest(level, (a.x, a.y), (b.x, b.y), middle.y)))
        } else {
            let (level, normal) = if motion.y > 0.0 { (low.y, DVec2::NEG_Y) } else { (high.y, DVec2::Y) };
            (normal, dvec2(nearest(level, (a.y, a.x), (b.y, b.x), middle.x), level))
        }
    };
    // Adding zero turns -0 into 0.
    let toi = larger(enter, 0.0) + 0.0;
    Some(Sweep::Hit(Hit { toi, point: point + carried * toi, normal: normal + DVec2::ZERO }))
}

/// Returns whether the motion is between two values on an axis at some time; `None` if only rounding decides.
#[inline(always)]
fn is_between_at_some_time_if_certain(from: f64, to: f64, motion: f64) -> Option<bool> {
    if from < larger(motion, 0.0) && to > smaller(motion, 0.0) {
        Some(true)
    } else if motion != 0.0 && (from == motion || to == motion) {
        None
    } else {
        Some(false)
    }
}

/// Returns the time span in which the centre is between two values on an axis.
#[inline(always)]
fn time_span_between(from: f64, to: f64, motion: f64) -> TimeSpan {
    if motion > 0.0 {
        (from / motion, to / motion)
    } else if motion < 0.0 {
        (to / motion, from / motion)
    } else {
        UNBOUNDED_SPAN
    }
}
