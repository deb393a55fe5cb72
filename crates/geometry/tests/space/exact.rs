//! The witness: exact vectors, and textbook results in other formulas than the library's.

use crate::rational::{Q, q, to_f64};
use std::collections::BTreeMap;
use std::sync::Mutex;
use surefoot_geometry::space::DVec3;

/// An exact vector or point.
#[derive(Clone, Debug)]
pub(crate) struct V(pub(crate) [Q; 3]);

/// Returns whether a number is in [0, 1].
pub(crate) fn is_unit(number: &Q) -> bool {
    !number.is_negative() && *number <= Q::one()
}

/// Returns the square with the sign of the number.
pub(crate) fn signed_sq(number: &Q) -> Q {
    number * &number.abs()
}

impl V {
    pub(crate) fn of(v: DVec3) -> V {
        V(v.to_array().map(q))
    }

    pub(crate) fn minus(&self, other: &V) -> V {
        V(std::array::from_fn(|i| &self.0[i] - &other.0[i]))
    }

    pub(crate) fn plus(&self, other: &V) -> V {
        V(std::array::from_fn(|i| &self.0[i] + &other.0[i]))
    }

    pub(crate) fn times(&self, by: &Q) -> V {
        V(std::array::from_fn(|i| &self.0[i] * by))
    }

    pub(crate) fn dot(&self, other: &V) -> Q {
        let [x, y, z] = [0, 1, 2].map(|i| &self.0[i] * &other.0[i]);
        x + y + z
    }

    pub(crate) fn cross(&self, other: &V) -> V {
        let minor = |i: usize, j: usize| &self.0[i] * &other.0[j] - &self.0[j] * &other.0[i];
        V([minor(1, 2), minor(2, 0), minor(0, 1)])
    }

    pub(crate) fn length_sq(&self) -> Q {
        self.dot(self)
    }
}

/// Cross product of two sides of a triangle.
pub(crate) fn normal(corners: [DVec3; 3]) -> V {
    let [a, b, c] = corners.map(V::of);
    b.minus(&a).cross(&c.minus(&a))
}

/// The intersection of a line with a plane.
pub(crate) enum Along {
    Nothing,
    At(Q),
    All,
}

/// Returns where the line from `a` to `b` crosses the plane through `point`. The parameter may have any value.
pub(crate) fn along(a: DVec3, b: DVec3, point: DVec3, normal: &V) -> Along {
    let (a, b, point) = (V::of(a), V::of(b), V::of(point));
    let rise = normal.dot(&b.minus(&a));
    let missing = normal.dot(&point.minus(&a));
    match (rise.is_zero(), missing.is_zero()) {
        (true, true) => Along::All,
        (true, false) => Along::Nothing,
        (false, _) => Along::At(missing / rise),
    }
}

/// Returns the point at parameter `t`.
pub(crate) fn at(a: DVec3, b: DVec3, t: &Q) -> V {
    let (a, b) = (V::of(a), V::of(b));
    a.plus(&b.minus(&a).times(t))
}

/// Returns the weight of each corner in a point of the triangle's plane, from areas along the normal.
pub(crate) fn parts(point: &V, corners: [DVec3; 3], normal: &V) -> [Q; 3] {
    let [a, b, c] = corners.map(|corner| V::of(corner).minus(point));
    [b.cross(&c), c.cross(&a), a.cross(&b)].map(|area| area.dot(normal) / normal.length_sq())
}

/// Returns whether a number is within the relative error `bound` of the expected one. Two-sided.
pub(crate) fn is_within(what: &'static str, number: f64, should: &Q, bound: f64) -> bool {
    holds(what, &(q(number) - should).abs(), &(should.abs() * q(bound)))
}

/// Returns whether a point is within `bound` of the expected one on each axis, plus its own rounding.
pub(crate) fn is_near(what: &'static str, point: DVec3, should: &V, bound: f64) -> bool {
    let own = q(f64::EPSILON / 2.0);
    point
        .to_array()
        .iter()
        .zip(&should.0)
        .all(|(&x, should)| holds(what, &(q(x) - should).abs(), &(q(bound) + should.abs() * &own)))
}

/// Returns whether a unit vector points along `v`, within `bound` on each axis. Squares with their signs decide.
pub(crate) fn is_along(unit: DVec3, v: &V, bound: f64) -> bool {
    let length_sq = v.length_sq();
    unit.to_array().iter().zip(&v.0).all(|(&x, should)| {
        let square = signed_sq(should);
        let (low, high) = (q(x) - q(bound), q(x) + q(bound));
        signed_sq(&low) * &length_sq <= square && square <= signed_sq(&high) * &length_sq
    })
}

/// Returns whether the error is within the bound. Prints new worst errors on request.
fn holds(what: &'static str, error: &Q, bound: &Q) -> bool {
    static WORST: Mutex<BTreeMap<&str, f64>> = Mutex::new(BTreeMap::new());
    if error.is_zero() {
        return true;
    }
    if std::env::var_os("SUREFOOT_WORST").is_some() && !bound.is_zero() {
        let ratio = to_f64(&(error / bound));
        let mut worst = WORST.lock().unwrap();
        let worst = worst.entry(what).or_default();
        if ratio > *worst {
            *worst = ratio;
            eprintln!("{what}: {ratio:.3} of the bound");
        }
    }
    error <= bound
}

/// Compares the exact numbers with those of `num-rational`.
#[test]
fn exact_numbers_are_those_of_rationals() {
    use num_rational::BigRational;
    let rational = |x: f64| BigRational::from_float(x).unwrap();
    let numbers = [0.0, 1.0, -0.1, 1e-60, -3e7, 1.0 / 3.0, 12.000_000_000_000_002];
    for a in numbers {
        for b in numbers {
            let (left, right) = (q(a) * q(b) + q(b), q(a) - q(b));
            let by_rationals = (rational(a) * rational(b) + rational(b)).cmp(&(rational(a) - rational(b)));
            assert_eq!(left.partial_cmp(&right), Some(by_rationals), "{a} {b}");
        }
    }
}
