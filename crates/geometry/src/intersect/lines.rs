use super::linear::{LineCrossing, Linear};
use crate::exact_arith::twice_signed_area;
use glam::DVec2;
use std::cmp::Ordering;

/// The points that two lines, rays or segments have in common, returned by [`Intersect`](crate::Intersect).
///
/// The two shapes may be of different kinds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Intersection {
    /// The two shapes have no point in common.
    None,
    /// The two shapes have one point in common.
    Point(Crossing),
    /// The two shapes are on one line and have a segment in common: its start and its end.
    ///
    /// Start and end are in the direction of the first shape, so [`Crossing::t`] of the start is the smaller one.
    Segment(Crossing, Crossing),
    /// The two shapes are on one line and have a half-line in common, which starts at this point.
    ///
    /// The half-line points in the direction of the ray. If both shapes are rays, they point in the same direction.
    Ray(Crossing),
    /// The two shapes are the same infinite line.
    Line,
}

/// A point that two lines, rays or segments have in common: its coordinates, and its position along each of the two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Coordinates of the point.
    pub point: DVec2,
    /// Position of the point along the first shape: 0 at the first and 1 at the second of the two points that define
    /// that shape.
    ///
    /// On a segment, `t` is from 0 to 1. On a ray, `t` is 0 or more. On a segment of length 0, `t` is 0.
    pub t: f64,
    /// Position of the point along the second shape: 0 at the first and 1 at the second of the two points that define
    /// that shape.
    ///
    /// On a segment, `u` is from 0 to 1. On a ray, `u` is 0 or more. On a segment of length 0, `u` is 0.
    pub u: f64,
}

pub(super) fn intersection(first: Linear, second: Linear) -> Intersection {
    if first.is_point() || second.is_point() {
        let point = if first.is_point() { first.a } else { second.a };
        return match (first.parameter_if_on_shape(point), second.parameter_if_on_shape(point)) {
            (Some(t), Some(u)) => Intersection::Point(Crossing { point, t, u }),
            _ => Intersection::None,
        };
    }
    match LineCrossing::new(first, second) {
        Some(crossed) if crossed.is_on_both() => Intersection::Point(crossed.crossing()),
        Some(_) => Intersection::None,
        None if twice_signed_area(first.a, first.b, second.a) == 0.0 => common_part_of_collinear(first, second),
        None => Intersection::None,
    }
}

/// Returns the common part of two shapes on the same line: from the later start to the earlier end.
fn common_part_of_collinear(first: Linear, second: Linear) -> Intersection {
    let is_along = first.compare_along(second.a, second.b) == Ordering::Less;
    let (second_start, second_end) = {
        let (start, end) = (second.has_start().then_some(second.a), second.has_end().then_some(second.b));
        if is_along { (start, end) } else { (end, start) }
    };
    let pick = |one: Option<DVec2>, other: Option<DVec2>, wanted: Ordering| match (one, other) {
        (Some(one), Some(other)) => Some(if first.compare_along(other, one) == wanted { other } else { one }),
        (one, other) => one.or(other),
    };
    let start = pick(first.has_start().then_some(first.a), second_start, Ordering::Greater);
    let end = pick(first.has_end().then_some(first.b), second_end, Ordering::Less);
    let crossing = |point| Crossing { point, t: first.parameter_of_point(point), u: second.parameter_of_point(point) };
    match (start, end) {
        (None, None) => Intersection::Line,
        (Some(from), None) | (None, Some(from)) => Intersection::Ray(crossing(from)),
        (Some(from), Some(to)) => match first.compare_along(from, to) {
            Ordering::Less => Intersection::Segment(crossing(from), crossing(to)),
            Ordering::Equal => Intersection::Point(crossing(from)),
            Ordering::Greater => Intersection::None,
        },
    }
}
