//! The two number types of a sweep: f64 first, and [`DoubleDouble`] if f64 is in doubt.

use crate::exact_arith;
use crate::exact_arith::double_double::{DoubleDouble, Pair};
use crate::tolerance::STEEP;
use glam::DVec2;
use std::ops::{Add, Mul, Neg, Sub};

/// A number type for sweeps. Returns `None` if the type cannot decide safely.
pub(super) trait Number:
    Copy + From<f64> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// Whether the ray is already known to enter within the motion. Then the sweep only asks when and where.
    const ENTERS: bool;

    /// Returns `a - b`, with at most one rounding for each component.
    fn difference(a: DVec2, b: DVec2) -> Vector<Self>;

    /// Returns the cross product: positive if `b` is on the left of `a`.
    fn cross(a: Vector<Self>, b: Vector<Self>) -> Self;

    fn square_root(self) -> Self;

    fn quotient(self, divisor: Self) -> Self;

    /// Returns the nearest f64, with the sign of the number.
    fn to_f64(self) -> f64;

    /// Returns a number with the same sign, unless an error of that size could change the sign.
    fn sign_if_certain(self, error: f64) -> Option<f64>;

    /// Returns whether the number is so small compared with `whole` that a quotient by it would be too inaccurate.
    fn is_poor_divisor(self, whole: f64) -> bool;
}

impl Number for f64 {
    const ENTERS: bool = false;

    #[inline]
    fn difference(a: DVec2, b: DVec2) -> Vector<f64> {
        (a - b).into()
    }

    #[inline]
    fn cross(a: Vector<f64>, b: Vector<f64>) -> f64 {
        a.x * b.y - a.y * b.x
    }

    #[inline]
    fn square_root(self) -> f64 {
        self.sqrt()
    }

    #[inline]
    fn quotient(self, divisor: f64) -> f64 {
        self / divisor
    }

    #[inline]
    fn to_f64(self) -> f64 {
        self
    }

    #[inline]
    fn sign_if_certain(self, error: f64) -> Option<f64> {
        (self.abs() > error).then_some(self)
    }

    #[inline]
    fn is_poor_divisor(self, whole: f64) -> bool {
        self < whole * STEEP
    }
}

impl Number for DoubleDouble {
    const ENTERS: bool = true;

    fn difference(a: DVec2, b: DVec2) -> Vector<DoubleDouble> {
        let Pair { x, y } = Pair::difference(a, b);
        Vector { x, y }
    }

    /// Has a relative error of 2^-100 if both vectors are differences. 106 bits of the terms are not enough for shapes
    /// of very different sizes.
    fn cross(a: Vector<DoubleDouble>, b: Vector<DoubleDouble>) -> DoubleDouble {
        exact_arith::cross(Pair { x: a.x, y: a.y }, Pair { x: b.x, y: b.y })
    }

    fn square_root(self) -> DoubleDouble {
        self.sqrt()
    }

    fn quotient(self, divisor: DoubleDouble) -> DoubleDouble {
        self.divided_by(divisor)
    }

    fn to_f64(self) -> f64 {
        DoubleDouble::to_f64(self)
    }

    fn sign_if_certain(self, _error: f64) -> Option<f64> {
        Some(self.to_f64())
    }

    fn is_poor_divisor(self, _whole: f64) -> bool {
        false
    }
}

/// A vector of two numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vector<N> {
    pub(super) x: N,
    pub(super) y: N,
}

impl<N: Number> Vector<N> {
    #[inline]
    pub(super) fn dot(self, other: Vector<N>) -> N {
        self.x * other.x + self.y * other.y
    }

    #[inline]
    pub(super) fn cross(self, other: Vector<N>) -> N {
        N::cross(self, other)
    }

    #[inline]
    pub(super) fn minus(self, other: Vector<N>) -> Vector<N> {
        Vector { x: self.x - other.x, y: self.y - other.y }
    }

    #[inline]
    pub(super) fn times(self, by: N) -> Vector<N> {
        Vector { x: self.x * by, y: self.y * by }
    }

    #[inline]
    pub(super) fn to_dvec2(self) -> DVec2 {
        DVec2::new(self.x.to_f64(), self.y.to_f64())
    }
}

impl<N: Number> From<DVec2> for Vector<N> {
    #[inline]
    fn from(v: DVec2) -> Vector<N> {
        Vector { x: v.x.into(), y: v.y.into() }
    }
}
