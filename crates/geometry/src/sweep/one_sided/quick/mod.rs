//! Sweeps against one-sided edges in plain f64, for the scenes that f64 can decide.
//!
//! Each decision is the sign of a sum of products. Its rounding error is at most a bound (`FILTER`) computed from the
//! sizes of the inputs. The sweep trusts a sign only beyond its bound, and a time of impact only if it is right within
//! `ACCURACY`. Otherwise it returns `None`, and pairs of f64 decide.
//!
//! All formulas start from differences of coordinates, so shifted scenes give the same result.
//!
//! Source: the floating-point filters of J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
//! Geometric Predicates", Discrete & Computational Geometry 18 (1997).

mod aabb;
mod circle;
#[cfg(test)]
mod tests;

pub(super) use aabb::sweep as sweep_aabb;
pub(super) use circle::sweep as sweep_circle;

use crate::exact_arith::{larger, smaller};
use crate::tolerance::{ONE_SIDED_ACCURACY as ACCURACY, ONE_SIDED_FILTER as FILTER, ONE_SIDED_SLOP};
use glam::DVec2;

/// Direction of the motion relative to a face.
#[derive(Clone, Copy, PartialEq)]
enum Approach {
    Against,
    /// Exactly perpendicular to the normal.
    Along,
    Away,
}

/// Returns whether the value is positive; `None` within `bound` of 0, and for NaN.
#[inline(always)]
fn is_positive_if_certain(value: f64, bound: f64) -> Option<bool> {
    if value > bound {
        Some(true)
    } else if value < -bound {
        Some(false)
    } else {
        None
    }
}

/// Returns the direction of a motion that comes `approach` closer to a face with this normal, of any length.
#[inline(always)]
fn classify_approach_if_certain(approach: f64, bound: f64, normal: DVec2, motion: DVec2) -> Option<Approach> {
    match is_positive_if_certain(approach, bound) {
        Some(true) => Some(Approach::Against),
        Some(false) => Some(Approach::Away),
        // Both products are exactly 0, so the motion is along the surface.
        None if normal.x * motion.x == 0.0 && normal.y * motion.y == 0.0 => Some(Approach::Along),
        None => None,
    }
}

#[inline(always)]
fn dot(a: DVec2, b: DVec2) -> f64 {
    a.x * b.x + a.y * b.y
}

/// Sum of the absolute values of both components.
#[inline(always)]
fn sum_of_absolute_coordinates(v: DVec2) -> f64 {
    v.x.abs() + v.y.abs()
}
