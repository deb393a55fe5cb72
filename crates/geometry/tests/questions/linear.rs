//! Lines, rays and segments in exact rationals, and error bounds of results.

use crate::cases::Owned;
use crate::rational::{Q, V, nearest, q, to_f64};
use crate::run::note;
use surefoot_geometry::{DVec2, tolerance::ROUNDING};

/// Half a unit in the last place of 1: coordinates of points are rounded once more.
pub(crate) const ROUNDED: f64 = f64::EPSILON / 2.0;

/// Relative error bound of parameters between straight shapes.
pub(crate) const PARAMETER: f64 = 4.0 * ROUNDED;

/// A linear shape. The parameter has no bound at an infinite end.
#[derive(Clone)]
pub(crate) struct Exact {
    pub a: V,
    pub b: V,
    pub from: Option<Q>,
    pub to: Option<Q>,
}

impl Exact {
    pub(crate) fn of(shape: &Owned) -> Exact {
        let exact = |a, b, from, to| Exact { a: V::of(a), b: V::of(b), from, to };
        match shape {
            Owned::Line(s) => exact(s.a(), s.b(), None, None),
            Owned::Ray(s) => exact(s.origin(), s.through(), Some(Q::zero()), None),
            Owned::Segment(s) => Exact::segment(s.a(), s.b()),
            other => panic!("{other:?} is not linear"),
        }
    }

    pub(crate) fn segment(a: DVec2, b: DVec2) -> Exact {
        Exact { a: V::of(a), b: V::of(b), from: Some(Q::zero()), to: Some(Q::one()) }
    }

    pub(crate) fn way(&self) -> V {
        self.b.minus(&self.a)
    }

    pub(crate) fn at(&self, t: &Q) -> V {
        self.a.plus(&self.way().times(t))
    }

    pub(crate) fn is_point(&self) -> bool {
        self.a == self.b
    }

    pub(crate) fn has(&self, t: &Q) -> bool {
        self.from.as_ref().is_none_or(|from| t >= from) && self.to.as_ref().is_none_or(|to| t <= to)
    }

    pub(crate) fn nearest(&self, p: &V) -> V {
        nearest(p, &self.a, &self.b, self.from.clone(), self.to.clone())
    }

    /// Returns the parameter of a point if the shape contains it.
    pub(crate) fn parameter_of(&self, p: &V) -> Option<Q> {
        if self.is_point() {
            return (*p == self.a).then(Q::zero);
        }
        let (way, gone) = (self.way(), p.minus(&self.a));
        let t = gone.dot(&way) / way.length_sq();
        (way.cross(&gone).is_zero() && self.has(&t)).then_some(t)
    }
}

/// The intersection of two linear shapes, as parameters of both.
#[derive(Debug, PartialEq)]
pub(crate) enum Shared {
    None,
    Point((Q, Q)),
    Segment((Q, Q), (Q, Q)),
    Ray((Q, Q)),
    Line,
}

pub(crate) fn shared(first: &Exact, second: &Exact) -> Shared {
    if first.is_point() || second.is_point() {
        let point = if first.is_point() { &first.a } else { &second.a };
        return match (first.parameter_of(point), second.parameter_of(point)) {
            (Some(t), Some(u)) => Shared::Point((t, u)),
            _ => Shared::None,
        };
    }
    let (d, e, between) = (first.way(), second.way(), second.a.minus(&first.a));
    let turns = d.cross(&e);
    if !turns.is_zero() {
        let (t, u) = (between.cross(&e) / &turns, between.cross(&d) / &turns);
        return if first.has(&t) && second.has(&u) { Shared::Point((t, u)) } else { Shared::None };
    }
    if !d.cross(&between).is_zero() {
        return Shared::None;
    }
    // Convert everything to parameters of the first shape.
    let along = |u: &Q| second.at(u).minus(&first.a).dot(&d) / d.length_sq();
    let (mut low, mut high) = (second.from.as_ref().map(along), second.to.as_ref().map(along));
    if d.dot(&e).is_negative() {
        std::mem::swap(&mut low, &mut high);
    }
    let low = [low, first.from.clone()].into_iter().flatten().max();
    let high = [high, first.to.clone()].into_iter().flatten().min();
    let both = |t: &Q| (t.clone(), first.at(t).minus(&second.a).dot(&e) / e.length_sq());
    match (low, high) {
        (None, None) => Shared::Line,
        (Some(from), None) | (None, Some(from)) => Shared::Ray(both(&from)),
        (Some(from), Some(to)) if from < to => Shared::Segment(both(&from), both(&to)),
        (Some(from), Some(to)) if from == to => Shared::Point(both(&from)),
        _ => Shared::None,
    }
}

/// Returns whether a point is within the bound on each axis.
pub(crate) fn is_near(point: DVec2, expected: &V, size: f64) -> bool {
    let at = V::of(point).minus(expected);
    [(at.x, point.x), (at.y, point.y)].into_iter().all(|(error, coordinate)| {
        note("points", to_f64(&error), size.max(coordinate.abs()));
        error.abs() <= q(ROUNDING * size + ROUNDED * coordinate.abs())
    })
}

/// Returns whether a parameter is within the bound. At ends it must be exact.
pub(crate) fn is_parameter(t: f64, expected: &Q) -> bool {
    let error = (q(t) - expected).abs();
    if expected.is_zero() || expected.is_one() {
        return error.is_zero();
    }
    note("parameters, of themselves", to_f64(&error), to_f64(&expected.abs()));
    error <= expected.abs() * q(PARAMETER)
}
