//! The sweeps in plain f64, for the scenes that it decides.
//!
//! Each decision is the sign of a sum of products, whose rounding error is at most a bound taken from the sizes
//! involved (`FILTER`). A sign is believed only beyond its bound, a time of impact only if it is right within
//! `ACCURACY`; otherwise the answer is `None` and pairs of f64 decide. All starts from differences of coordinates, so
//! that a shift changes nothing.
//!
//! Source: the floating-point filters of J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
//! Geometric Predicates", Discrete & Computational Geometry 18 (1997).

mod aabb;
mod circle;
#[cfg(test)]
mod tests;

pub(super) use aabb::sweep as sweep_aabb;
pub(super) use circle::sweep as sweep_circle;

use crate::exact_arith::{least, most};
use crate::tolerance::{ONE_SIDED_ACCURACY as ACCURACY, ONE_SIDED_FILTER as FILTER, ONE_SIDED_SLOP};
use glam::DVec2;

/// How the motion goes to a face.
#[derive(Clone, Copy, PartialEq)]
enum Approach {
    Against,
    /// At a right angle to the normal, exactly.
    Along,
    Away,
}

/// Whether it is positive; not known nearer to 0 than `bound`, nor of what is no number.
#[inline(always)]
fn is_positive(value: f64, bound: f64) -> Option<bool> {
    if value > bound {
        Some(true)
    } else if value < -bound {
        Some(false)
    } else {
        None
    }
}

/// How a motion goes that comes `approach` closer, on a face with that normal of any length.
#[inline(always)]
fn approach_of(approach: f64, bound: f64, normal: DVec2, motion: DVec2) -> Option<Approach> {
    match is_positive(approach, bound) {
        Some(true) => Some(Approach::Against),
        Some(false) => Some(Approach::Away),
        // Products that are 0 are exact.
        None if normal.x * motion.x == 0.0 && normal.y * motion.y == 0.0 => Some(Approach::Along),
        None => None,
    }
}

#[inline(always)]
fn dot(a: DVec2, b: DVec2) -> f64 {
    a.x * b.x + a.y * b.y
}

/// The sum of the sizes of its coordinates.
#[inline(always)]
fn size(v: DVec2) -> f64 {
    v.x.abs() + v.y.abs()
}
