use super::linear::{LineCrossing, Linear};
use crate::exact_arith::turn;
use glam::DVec2;
use std::cmp::Ordering;

/// The intersection of two lines, rays or segments, in any combination, returned by [`Intersect`](crate::Intersect).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Intersection {
    /// The two shapes share nothing.
    None,
    /// The two shapes share one point.
    Point(Crossing),
    /// The two shapes share a stretch of one line: its start and its end, in order of the first shape's parameter.
    Segment(Crossing, Crossing),
    /// The two shapes share a half-line from the given point on.
    ///
    /// The half-line has the direction of the rays among the two shapes.
    Ray(Crossing),
    /// The two shapes are the same line.
    Line,
}

/// A point in the intersection of two lines, rays or segments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Position of the point.
    pub point: DVec2,
    /// Parameter of the point along the first shape.
    ///
    /// The parameter is in [0, 1] for a segment and at least 0 for a ray. It is 0 for a segment of length 0.
    pub t: f64,
    /// Parameter of the point along the second shape.
    ///
    /// The parameter is in [0, 1] for a segment and at least 0 for a ray. It is 0 for a segment of length 0.
    pub u: f64,
}

pub(super) fn intersection(first: Linear, second: Linear) -> Intersection {
    if first.is_point() || second.is_point() {
        let point = if first.is_point() { first.a } else { second.a };
        return match (first.parameter_if_on(point), second.parameter_if_on(point)) {
            (Some(t), Some(u)) => Intersection::Point(Crossing { point, t, u }),
            _ => Intersection::None,
        };
    }
    match LineCrossing::new(first, second) {
        Some(crossed) if crossed.is_shared() => Intersection::Point(crossed.crossing()),
        Some(_) => Intersection::None,
        None if turn(first.a, first.b, second.a) == 0.0 => stretch(first, second),
        None => Intersection::None,
    }
}

/// What two shapes on the same line share: all from the later start to the earlier end.
fn stretch(first: Linear, second: Linear) -> Intersection {
    let is_along = first.order(second.a, second.b) == Ordering::Less;
    let (second_start, second_end) = {
        let (start, end) = (second.has_start().then_some(second.a), second.has_end().then_some(second.b));
        if is_along { (start, end) } else { (end, start) }
    };
    let pick = |one: Option<DVec2>, other: Option<DVec2>, wanted: Ordering| match (one, other) {
        (Some(one), Some(other)) => Some(if first.order(other, one) == wanted { other } else { one }),
        (one, other) => one.or(other),
    };
    let start = pick(first.has_start().then_some(first.a), second_start, Ordering::Greater);
    let end = pick(first.has_end().then_some(first.b), second_end, Ordering::Less);
    let crossing = |point| Crossing { point, t: first.parameter(point), u: second.parameter(point) };
    match (start, end) {
        (None, None) => Intersection::Line,
        (Some(from), None) | (None, Some(from)) => Intersection::Ray(crossing(from)),
        (Some(from), Some(to)) => match first.order(from, to) {
            Ordering::Less => Intersection::Segment(crossing(from), crossing(to)),
            Ordering::Equal => Intersection::Point(crossing(from)),
            Ordering::Greater => Intersection::None,
        },
    }
}
