//! Witness of a box against an edge: the times at which their projections on an axis overlap.
//!
//! The projections on x, on y and on the edge's normal each overlap during a time span, whose bounds are fractions of
//! integers. The last span to start tells which part is hit, and when. Nothing is grown or rounded. Comparing the
//! fractions does not overflow.

use crate::scene::{End, Scene};
use num_rational::Ratio;
use std::cmp::Ordering;
use surefoot_geometry::I64Vec2;

/// A fraction with a positive denominator, not reduced.
pub(crate) type Fraction = Ratio<i128>;

const ZERO: Fraction = Ratio::new_raw(0, 1);

pub(crate) fn fraction(num: i128, den: i128) -> Fraction {
    if den < 0 { Ratio::new_raw(-num, -den) } else { Ratio::new_raw(num, den) }
}

/// The time span in which two projections overlap on an axis.
#[derive(Clone, Copy, Debug)]
enum Shadows {
    Apart,
    /// In line with each other all the time: at most a point is shared.
    InLine,
    Always,
    /// From and to, both exclusive.
    During(Fraction, Fraction),
}

impl Shadows {
    /// The overlap of the origin with a moving projection from `low` to `high`.
    fn of_origin(low: i128, high: i128, speed: i128) -> Shadows {
        match speed.cmp(&0) {
            Ordering::Greater => Shadows::During(fraction(-high, speed), fraction(-low, speed)),
            Ordering::Less => Shadows::During(fraction(-low, speed), fraction(-high, speed)),
            Ordering::Equal if low < 0 && 0 < high => Shadows::Always,
            Ordering::Equal if low <= 0 && 0 <= high => Shadows::InLine,
            Ordering::Equal => Shadows::Apart,
        }
    }

    /// Returns `Less` if apart, `Equal` if in line with at most a point shared, `Greater` if overlapping.
    fn at(self, time: Fraction) -> Ordering {
        match self {
            Shadows::Apart => Ordering::Less,
            Shadows::InLine => Ordering::Equal,
            Shadows::Always => Ordering::Greater,
            Shadows::During(from, to) => time.cmp(&from).min(to.cmp(&time)),
        }
    }
}

/// The expected result of the sweep.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expected {
    Clear,
    Overlapping,
    /// The time, and the allowed normals of any length.
    Hit(Fraction, Vec<I64Vec2>),
}

const AXES: [I64Vec2; 4] = [I64Vec2::X, I64Vec2::Y, I64Vec2::NEG_X, I64Vec2::NEG_Y];

pub(crate) fn expected(scene: &Scene) -> Expected {
    if overlaps(scene) {
        return Expected::Overlapping;
    }
    let face = face(scene);
    let mut hits: Vec<(Fraction, I64Vec2)> = face.map(|time| (time, scene.normal())).into_iter().collect();
    for (vertex, at_end, end) in [(scene.a, false, scene.start), (scene.b, true, scene.end)] {
        let directions = directions(scene, at_end, end);
        for index in 0..directions.len() {
            hits.extend(corner(scene, vertex, at_end, end, &directions, index).map(|time| (time, directions[index])));
        }
    }
    let Some(first) = hits.iter().map(|hit| hit.0).min() else { return Expected::Clear };
    assert_first_contact(scene, first);
    if face == Some(first) {
        return Expected::Hit(first, vec![scene.normal()]);
    }
    Expected::Hit(first, hits.into_iter().filter(|hit| hit.0 == first).map(|hit| hit.1).collect())
}

fn dot(a: I64Vec2, b: I64Vec2) -> i128 {
    i128::from(a.x) * i128::from(b.x) + i128::from(a.y) * i128::from(b.y)
}

fn cross(a: I64Vec2, b: I64Vec2) -> i128 {
    i128::from(a.x) * i128::from(b.y) - i128::from(a.y) * i128::from(b.x)
}

/// Returns the projections of box and edge on an axis direction.
fn projections_on(axis: I64Vec2, scene: &Scene) -> Shadows {
    let (from_a, from_b) = (dot(axis, scene.center - scene.a), dot(axis, scene.center - scene.b));
    let reach = dot(axis.abs(), scene.half);
    Shadows::of_origin(from_a.min(from_b) - reach, from_a.max(from_b) + reach, dot(axis, scene.motion))
}

fn overlaps(scene: &Scene) -> bool {
    let normal = scene.normal();
    [I64Vec2::X, I64Vec2::Y, normal].into_iter().all(|axis| {
        // A segment of length 0 has no normal, so it has no projection on one.
        axis == I64Vec2::ZERO || projections_on(axis, scene).at(ZERO).is_gt()
    })
}

/// Checks that the projections are in line or overlap on every axis, and did not overlap on all of them earlier.
fn assert_first_contact(scene: &Scene, time: Fraction) {
    let axes = [I64Vec2::X, I64Vec2::Y, scene.normal()].map(|axis| projections_on(axis, scene));
    assert!(axes.iter().all(|shadows| shadows.at(time).is_ge()), "no contact at {time:?} in {scene:?}");
    let begins = |shadows: &Shadows| match *shadows {
        Shadows::During(from, _) => Some(from),
        _ => None,
    };
    // The projections overlap on all axes once the last one starts to overlap, if no other one has ended by then.
    let last = axes.iter().filter_map(begins).max();
    let earlier = last.is_some_and(|last| {
        let still = |shadows: &Shadows| match *shadows {
            Shadows::During(_, to) => last < to,
            Shadows::Always => true,
            Shadows::InLine | Shadows::Apart => false,
        };
        last < time && axes.iter().all(still)
    });
    assert!(!earlier, "inside before {time:?} in {scene:?}");
}

/// Returns when the motion hits the face.
fn face(scene: &Scene) -> Option<Fraction> {
    let normal = scene.normal();
    let approach = -dot(normal, scene.motion);
    let gap = dot(normal, scene.center - scene.a) - dot(normal.abs(), scene.half);
    if approach <= 0 || gap < 0 || gap >= approach {
        return None;
    }
    let time = fraction(gap, approach);
    // On the axes along which the edge has a length, the projections tell where along the edge the box is.
    for axis in [I64Vec2::X, I64Vec2::Y] {
        if dot(axis, scene.tangent()) == 0 {
            continue;
        }
        match projections_on(axis, scene).at(time) {
            Ordering::Less => return None,
            Ordering::Greater => {}
            Ordering::Equal => {
                // The box is in line with an end of the edge. Use the end on the side of the box's middle.
                let twice = |p: I64Vec2| dot(axis, p * 2);
                let middle = dot(axis, scene.a + scene.b);
                let box_now = fraction(
                    twice(scene.center) * time.denom() - middle * time.denom() + twice(scene.motion) * time.numer(),
                    *time.denom(),
                );
                let up = box_now > ZERO;
                let at_end = (dot(axis, scene.tangent()) > 0) == up;
                let end = if at_end { scene.end } else { scene.start };
                if !face_stops_box_in_line_with_end(scene, at_end, end) {
                    return None;
                }
            }
        }
    }
    Some(time)
}

/// Is the face met by a box that is exactly in line with an end of it?
fn face_stops_box_in_line_with_end(scene: &Scene, at_end: bool, end: End) -> bool {
    match end {
        // A box in line with the end of an axis-aligned edge shares only a point with it, and the next edge begins
        // there.
        End::Joined => scene.normal().x != 0 && scene.normal().y != 0,
        End::Rim | End::Free => dot(quarter(scene, at_end), scene.motion) < 0,
        End::Convex(last) => {
            let next = directions(scene, at_end, end).first().copied().unwrap_or(last);
            dot(next, scene.motion) < 0
        }
    }
}

/// Returns the axis direction after the normal, up to the outward tangent.
fn quarter(scene: &Scene, at_end: bool) -> I64Vec2 {
    let normal = scene.normal();
    let outward = if at_end { scene.tangent() } else { -scene.tangent() };
    AXES.into_iter()
        .find(|&axis| dot(axis, outward) > 0 && dot(axis, normal) >= 0)
        .expect("a quarter turn holds an axis")
}

/// Returns the axis directions in which an end can stop a side of the box, from the normal outwards.
fn directions(scene: &Scene, at_end: bool, end: End) -> Vec<I64Vec2> {
    match end {
        End::Joined => vec![],
        End::Rim => vec![quarter(scene, at_end)],
        // At a free end, the quarter turn excludes the tangent. So leave out the axis if it is along the edge.
        End::Free => {
            let axis = quarter(scene, at_end);
            if dot(axis, scene.normal()) > 0 { vec![axis] } else { vec![] }
        }
        End::Convex(last) => {
            // Outwards is clockwise at the end and counter-clockwise at the start.
            let turns = |from, to| if at_end { cross(to, from) } else { cross(from, to) };
            let normal = scene.normal();
            let inside = |axis: &I64Vec2| {
                // `last` is at most half a turn away. So an axis beyond `last` is more than half a turn away from
                // `normal` or from `last`.
                turns(normal, *axis) > 0 && turns(*axis, last) > 0
            };
            let mut axes: Vec<_> = AXES.into_iter().filter(inside).collect();
            axes.sort_by(|a, b| 0.cmp(&turns(*a, *b)));
            axes
        }
    }
}

/// Returns when the side that faces against `directions[index]` hits the end point.
fn corner(
    scene: &Scene,
    vertex: I64Vec2,
    at_end: bool,
    end: End,
    directions: &[I64Vec2],
    index: usize,
) -> Option<Fraction> {
    let normal = scene.normal();
    let along = dot(normal, scene.motion);
    if (end == End::Rim && along > 0) || (end == End::Free && along >= 0) {
        return None;
    }
    let direction = directions[index];
    let approach = -dot(direction, scene.motion);
    let gap = dot(direction, scene.center - vertex) - dot(direction.abs(), scene.half);
    if approach <= 0 || gap < 0 || gap >= approach {
        return None;
    }
    let time = fraction(gap, approach);
    let across = direction.perp();
    let place = dot(across, scene.center - vertex);
    let reach = dot(across.abs(), scene.half);
    match Shadows::of_origin(place - reach, place + reach, dot(across, scene.motion)).at(time) {
        Ordering::Less => return None,
        Ordering::Greater => return Some(time),
        Ordering::Equal => {}
    }
    // A corner of the box is exactly on the end point. The box is stopped only if it also moves against the next
    // direction of the turn, on the side of this corner.
    let left = place * time.denom() + dot(across, scene.motion) * time.numer() > 0;
    let towards = if left { across } else { -across };
    let outwards = left != at_end;
    let next = match (outwards, index) {
        (false, 0) => normal,
        (false, _) => directions[index - 1],
        (true, _) => match (directions.get(index + 1), end) {
            (Some(&next), _) => next,
            (None, End::Convex(last)) => last,
            (None, _) => towards,
        },
    };
    (dot(next, scene.motion) < 0).then_some(time)
}

#[test]
fn fractions_are_compared_exactly() {
    let third = fraction(i128::MAX / 3, i128::MAX - 1);
    assert!(fraction(1, 3) > fraction(i128::MAX / 3 - 1, i128::MAX - 1));
    assert!(third > fraction(-1, 3) && fraction(2, -6) == fraction(-1, 3));
    assert!(fraction(7, 5) < fraction(3, 2) && fraction(3, 2) < fraction(8, 5));
    assert!(fraction(1, 1) == fraction(5, 5));
}
