//! The naive answers about nearness, in whole numbers: every f64 of a scene is one after scaling by a power of two.

use crate::cases::{Owned, config};
use crate::rational::{Q, q, to_f64};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use std::cell::Cell;
use surefoot_geometry::{DVec2, dvec2};

/// A point of a scaled scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct W {
    pub x: BigInt,
    pub y: BigInt,
}

impl W {
    pub(crate) fn minus(&self, other: &W) -> W {
        W { x: &self.x - &other.x, y: &self.y - &other.y }
    }

    pub(crate) fn dot(&self, other: &W) -> BigInt {
        &self.x * &other.x + &self.y * &other.y
    }

    pub(crate) fn cross(&self, other: &W) -> BigInt {
        &self.x * &other.y - &self.y * &other.x
    }
}

/// How far the stretch between two corners goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    Segment,
    Ray,
    Line,
}

/// The corners of a shape without its radius, and the radius.
#[derive(Clone, Debug)]
pub(crate) struct Straight {
    pub corners: Vec<DVec2>,
    pub reach: Reach,
    pub radius: f64,
}

pub(crate) fn straight(shape: &Owned) -> Straight {
    let of = |corners: &[DVec2], radius| Straight { corners: corners.to_vec(), reach: Reach::Segment, radius };
    match shape {
        Owned::Point(s) => of(&[s.at()], 0.0),
        Owned::Line(s) => Straight { reach: Reach::Line, ..of(&[s.a(), s.b()], 0.0) },
        Owned::Ray(s) => Straight { reach: Reach::Ray, ..of(&[s.origin(), s.through()], 0.0) },
        Owned::Segment(s) => of(&[s.a(), s.b()], 0.0),
        Owned::Circle(s) => of(&[s.center()], s.radius()),
        // A flat box goes round as a flat polygon; nothing here minds.
        Owned::Aabb(s) => {
            let (min, max) = (s.min(), s.max());
            of(&[min, dvec2(max.x, min.y), max, dvec2(min.x, max.y)], 0.0)
        }
        Owned::Obb(s) => of(s.corners(), 0.0),
        Owned::Capsule(s) => of(&[s.a(), s.b()], s.radius()),
        Owned::Triangle(s) => of(&s.corners(), 0.0),
        Owned::ConvexPolygon(s) => of(s.corners(), 0.0),
    }
}

/// What scales all of those numbers to whole ones.
pub(crate) fn scale<'a>(points: impl Iterator<Item = &'a DVec2>) -> BigInt {
    points.flat_map(|p| [p.x, p.y]).map(|x| q(x).denom().clone()).fold(BigInt::one(), |a, b| a.max(b))
}

pub(crate) fn whole(point: DVec2, scale: &BigInt) -> W {
    let number = |x: f64| {
        let x = q(x);
        x.numer() * (scale / x.denom())
    };
    W { x: number(point.x), y: number(point.y) }
}

/// A scaled core.
#[derive(Debug)]
pub(crate) struct Part {
    corners: Vec<W>,
    reach: Reach,
}

impl Part {
    pub(crate) fn of(shape: &Straight, scale: &BigInt) -> Part {
        Part { corners: shape.corners.iter().map(|&corner| whole(corner, scale)).collect(), reach: shape.reach }
    }

    pub(crate) fn edges(&self) -> Vec<(&W, &W)> {
        let corners = &self.corners;
        let count = if corners.len() == 2 { 1 } else { corners.len() };
        (0..count).map(|i| (&corners[i], &corners[(i + 1) % corners.len()])).collect()
    }

    fn ends(&self) -> &[W] {
        match self.reach {
            Reach::Segment => &self.corners,
            Reach::Ray => &self.corners[..1],
            Reach::Line => &self.corners[..0],
        }
    }

    /// Is the point in the core: on an edge, or on no edge's outer side?
    pub(crate) fn holds(&self, point: &W) -> bool {
        self.edges().into_iter().any(|(a, b)| nearest(point, a, b, self.reach).0.is_zero())
            || self.corners.len() > 2
                && self.edges().into_iter().all(|(a, b)| b.minus(a).cross(&point.minus(a)).is_positive())
    }
}

/// The square of the distance of a point from a stretch, as a fraction, and the parameter of the nearest point as one.
pub(crate) fn nearest(point: &W, a: &W, b: &W, reach: Reach) -> (Fraction, Fraction) {
    let (along, way) = (b.minus(a), point.minus(a));
    let (t, length_sq) = (way.dot(&along), along.dot(&along));
    if length_sq.is_zero() || reach != Reach::Line && !t.is_positive() {
        (Fraction(way.dot(&way), BigInt::one()), Fraction(BigInt::zero(), BigInt::one()))
    } else if reach == Reach::Segment && t >= length_sq {
        let way = point.minus(b);
        (Fraction(way.dot(&way), BigInt::one()), Fraction(BigInt::one(), BigInt::one()))
    } else {
        let cross = along.cross(&way);
        (Fraction(&cross * &cross, length_sq.clone()), Fraction(t, length_sq))
    }
}

/// A numerator over a positive denominator, not reduced.
#[derive(Clone, Debug)]
pub(crate) struct Fraction(pub BigInt, pub BigInt);

impl Fraction {
    pub(crate) fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    pub(crate) fn is_less(&self, other: &Fraction) -> bool {
        &self.0 * &other.1 < &other.0 * &self.1
    }

    pub(crate) fn to_q(&self) -> Q {
        Q::new(self.0.clone(), self.1.clone())
    }
}

/// Do two stretches cross? Solved for the two parameters; parallel ones do not.
fn cross((a, b): (&W, &W), reach: Reach, (c, d): (&W, &W), other: Reach) -> bool {
    let (along, across, way) = (b.minus(a), d.minus(c), c.minus(a));
    let mut by = along.cross(&across);
    let (mut t, mut s) = (way.cross(&across), way.cross(&along));
    if by.is_negative() {
        (by, t, s) = (-by, -t, -s);
    }
    let is_on = |t: &BigInt, reach| match reach {
        Reach::Line => true,
        Reach::Ray => !t.is_negative(),
        Reach::Segment => !t.is_negative() && *t <= by,
    };
    by.is_positive() && is_on(&t, reach) && is_on(&s, other)
}

/// Do the cores share a point? They do if an end of one is in the other one, or if edges cross.
pub(crate) fn cores_meet(a: &Part, b: &Part) -> bool {
    let lines_are_one = a.reach == Reach::Line && b.reach == Reach::Line && b.holds(&a.corners[0]);
    lines_are_one
        || a.ends().iter().any(|end| b.holds(end))
        || b.ends().iter().any(|end| a.holds(end))
        || a.edges().iter().any(|&edge| b.edges().iter().any(|&other| cross(edge, a.reach, other, b.reach)))
}

/// The square of the distance of the cores of two shapes: 0 if they meet, else the least of all ends from all edges.
pub(crate) fn cores_distance_sq(a: &Straight, b: &Straight) -> Q {
    let scale = scale(a.corners.iter().chain(&b.corners));
    let (a, b) = (Part::of(a, &scale), Part::of(b, &scale));
    if cores_meet(&a, &b) {
        return Q::zero();
    }
    let mut least: Option<Fraction> = None;
    let points = if a.reach == Reach::Line { &a.corners } else { a.ends() };
    for (points, other) in [(points, &b), (b.ends(), &a)] {
        for point in points {
            // A point of a line says nothing about a ray, which may come nearer to it elsewhere.
            if std::ptr::eq(other, &b) && a.reach == Reach::Line && b.reach != Reach::Line {
                continue;
            }
            for (from, to) in other.edges() {
                let (sq, _) = nearest(point, from, to, other.reach);
                if least.as_ref().is_none_or(|least| sq.is_less(least)) {
                    least = Some(sq);
                }
            }
        }
    }
    least.expect("two shapes have a distance").to_q() / Q::from_integer(&scale * &scale)
}

/// Is `length` within `error` of the root of `square`, less `reach`? Exact and two-sided.
pub(crate) fn is_root_less(length: &Q, reach: &Q, square: &Q, error: &Q) -> bool {
    let (low, high) = (length + reach - error, length + reach + error);
    (low.is_negative() || &low * &low <= *square) && !high.is_negative() && *square <= &high * &high
}

/// By how much it is off, about: the difference of the squares over twice the root.
pub(crate) fn off_by(length: &Q, reach: &Q, square: &Q) -> f64 {
    let root = length + reach;
    if root.is_zero() { 0.0 } else { to_f64(&((&root * &root - square) / (&root * Q::from_integer(2.into())))).abs() }
}

thread_local! {
    static WORST: Cell<f64> = const { Cell::new(0.0) };
}

/// Remembers an error, as a multiple of 2^-53 of the scene's size.
pub(crate) fn note(error: f64, size: f64) {
    if size > 0.0 {
        WORST.set(WORST.get().max(error / (size * f64::EPSILON * 0.5)));
    }
}

/// Runs a test on cases of the strategy. A long run says how many there were and the worst error noted.
pub(crate) fn run<S: Strategy>(
    (name, file): (&'static str, &'static str),
    everyday: u32,
    strategy: &S,
    test: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    WORST.set(0.0);
    let config =
        Config { source_file: Some(file), test_name: Some(name), max_local_rejects: u32::MAX, ..config(everyday) };
    let cases = config.cases;
    if let Err(failure) = TestRunner::new(config).run(strategy, test) {
        panic!("{name}: {failure}");
    }
    if std::env::var("SUREFOOT_CASES").is_ok() {
        println!("{name}: {cases} cases, worst error {:.2} x 2^-53 x size", WORST.get());
    }
}
