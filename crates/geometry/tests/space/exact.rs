//! The witness: exact numbers and vectors, and textbook results in other formulas than the library's.

use num_bigint::{BigInt, Sign};
use num_traits::{Float as _, Signed as _, ToPrimitive as _, Zero as _};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::{Add, Mul, Neg, Sub};
use std::sync::Mutex;
use surefoot_geometry::space::DVec3;

/// An exact number: an integer times a power of two, as every f64 is.
///
/// Rationals of `num-rational` would spend most of the time on common divisors, and this module never divides.
#[derive(Clone, Debug)]
pub(crate) struct Exact {
    whole: BigInt,
    power: i64,
}

/// A fraction with a denominator above 0.
#[derive(Clone, Debug)]
pub(crate) struct Fraction {
    pub(crate) over: Exact,
    pub(crate) under: Exact,
}

/// An exact vector or point.
#[derive(Clone, Debug)]
pub(crate) struct V(pub(crate) [Exact; 3]);

/// Converts an f64 exactly.
pub(crate) fn q(number: f64) -> Exact {
    assert!(number.is_finite(), "{number}");
    let (mantissa, power, sign) = number.integer_decode();
    Exact { whole: BigInt::from(mantissa) * sign, power: i64::from(power) }
}

impl Exact {
    pub(crate) fn is_zero(&self) -> bool {
        self.whole.is_zero()
    }

    pub(crate) fn is_negative(&self) -> bool {
        self.whole.is_negative()
    }

    pub(crate) fn is_positive(&self) -> bool {
        self.whole.is_positive()
    }

    pub(crate) fn abs(&self) -> Exact {
        Exact { whole: self.whole.abs(), power: self.power }
    }

    /// Returns the square with the sign of the number.
    pub(crate) fn signed_sq(&self) -> Exact {
        self * &self.abs()
    }

    /// Returns `self / other` in f64, for messages.
    fn ratio(&self, other: &Exact) -> f64 {
        let head = |number: &Exact| {
            let spare = number.whole.bits().saturating_sub(64);
            ((&number.whole >> spare).to_f64().unwrap(), spare as i64 + number.power)
        };
        let ((a, a_power), (b, b_power)) = (head(self), head(other));
        a / b * f64::powi(2.0, (a_power - b_power) as i32)
    }

    fn whole_at(&self, power: i64) -> BigInt {
        &self.whole << (self.power - power)
    }
}

impl Add for &Exact {
    type Output = Exact;

    fn add(self, other: &Exact) -> Exact {
        let power = self.power.min(other.power);
        Exact { whole: self.whole_at(power) + other.whole_at(power), power }
    }
}

impl Sub for &Exact {
    type Output = Exact;

    fn sub(self, other: &Exact) -> Exact {
        self + &-other
    }
}

impl Mul for &Exact {
    type Output = Exact;

    fn mul(self, other: &Exact) -> Exact {
        Exact { whole: &self.whole * &other.whole, power: self.power + other.power }
    }
}

impl Neg for &Exact {
    type Output = Exact;

    fn neg(self) -> Exact {
        Exact { whole: -&self.whole, power: self.power }
    }
}

impl PartialEq for Exact {
    fn eq(&self, other: &Exact) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Exact) -> Option<Ordering> {
        Some((self - other).whole.sign().cmp(&Sign::NoSign))
    }
}

impl Fraction {
    fn new(over: Exact, under: Exact) -> Fraction {
        assert!(!under.is_zero());
        if under.is_negative() { Fraction { over: -&over, under: -&under } } else { Fraction { over, under } }
    }

    /// Returns whether the fraction is in [0, 1].
    pub(crate) fn is_unit(&self) -> bool {
        !self.over.is_negative() && self.over <= self.under
    }
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

    pub(crate) fn times(&self, by: &Exact) -> V {
        V(std::array::from_fn(|i| &self.0[i] * by))
    }

    pub(crate) fn dot(&self, other: &V) -> Exact {
        let [x, y, z] = [0, 1, 2].map(|i| &self.0[i] * &other.0[i]);
        &(&x + &y) + &z
    }

    pub(crate) fn cross(&self, other: &V) -> V {
        let minor = |i: usize, j: usize| &(&self.0[i] * &other.0[j]) - &(&self.0[j] * &other.0[i]);
        V([minor(1, 2), minor(2, 0), minor(0, 1)])
    }

    pub(crate) fn length_sq(&self) -> Exact {
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
    At(Fraction),
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
        (false, _) => Along::At(Fraction::new(missing, rise)),
    }
}

/// Returns the point at parameter `t`, times the denominator of `t`.
pub(crate) fn at(a: DVec3, b: DVec3, t: &Fraction) -> V {
    let (a, b) = (V::of(a), V::of(b));
    a.times(&t.under).plus(&b.minus(&a).times(&t.over))
}

/// Returns the weight of each corner in a point of the triangle's plane, from areas along the normal. `point` is given
/// times `under`.
pub(crate) fn parts(point: &V, under: &Exact, corners: [DVec3; 3], normal: &V) -> [Fraction; 3] {
    let [a, b, c] = corners.map(|corner| V::of(corner).times(under).minus(point));
    let double_area = &normal.length_sq() * &(under * under);
    [b.cross(&c), c.cross(&a), a.cross(&b)].map(|area| Fraction::new(area.dot(normal), double_area.clone()))
}

/// Returns whether a number is within the relative error `bound` of the expected one. Two-sided.
pub(crate) fn is_within(what: &'static str, number: f64, should: &Fraction, bound: f64) -> bool {
    let error = (&(&q(number) * &should.under) - &should.over).abs();
    holds(what, &error, &(&should.over.abs() * &q(bound)))
}

/// Returns whether a point is within `bound` of the expected one on each axis, plus its own rounding. `should` is given
/// times `under`, which is above 0.
pub(crate) fn is_near(what: &'static str, point: DVec3, should: &V, under: &Exact, bound: f64) -> bool {
    assert!(under.is_positive());
    let own = q(f64::EPSILON / 2.0);
    point.to_array().iter().zip(&should.0).all(|(&x, should)| {
        let error = (&(&q(x) * under) - should).abs();
        holds(what, &error, &(&(&q(bound) * under) + &(&should.abs() * &own)))
    })
}

/// Returns whether a unit vector points along `v`, within `bound` on each axis. Squares with their signs decide.
pub(crate) fn is_along(unit: DVec3, v: &V, bound: f64) -> bool {
    let length_sq = v.length_sq();
    unit.to_array().iter().zip(&v.0).all(|(&x, should)| {
        let square = should.signed_sq();
        let (low, high) = (&q(x) - &q(bound), &q(x) + &q(bound));
        &low.signed_sq() * &length_sq <= square && square <= &high.signed_sq() * &length_sq
    })
}

/// Returns whether the error is within the bound. Prints new worst errors on request.
fn holds(what: &'static str, error: &Exact, bound: &Exact) -> bool {
    static WORST: Mutex<BTreeMap<&str, f64>> = Mutex::new(BTreeMap::new());
    if error.is_zero() {
        return true;
    }
    if std::env::var_os("SUREFOOT_WORST").is_some() && !bound.is_zero() {
        let ratio = error.ratio(bound);
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
            let (left, right) = (&(&q(a) * &q(b)) + &q(b), &q(a) - &q(b));
            let by_rationals = (rational(a) * rational(b) + rational(b)).cmp(&(rational(a) - rational(b)));
            assert_eq!(left.partial_cmp(&right), Some(by_rationals), "{a} {b}");
        }
    }
}
