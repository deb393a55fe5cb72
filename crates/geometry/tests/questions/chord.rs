//! Chords: lines, rays and segments against points and shapes with an area.

use crate::cases::{
    Owned, SYMMETRIES, Texture, aabb, capsule, circle, config, coordinate, obb, point, polygon, shift, size, texture,
    triangle, vector,
};
use crate::intersect::{linear, make, with_linear};
use crate::linear::{Exact, ROUNDED, Shared, is_near, is_parameter, shared};
use crate::rational::{Q, V, is_root, nearest_of_segment, q};
use crate::run::run;
use crate::sweep_ties::rough;
use proptest::prelude::*;
use surefoot_geometry::{
    Aabb, Capsule, Chord, ChordPoint, Circle, DVec2, Intersect, Segment, Triangle, dvec2, tolerance::ROUNDING,
};

/// With a radius, squares that differ by less than this fraction may count as equal. Four times the documented bound: a
/// square changes twice as much as its root, and both ends of a chord are decided.
fn doubt() -> Q {
    let part = q(f64::powi(2.0, -48));
    &part * &part
}

pub(crate) fn straight(texture: Texture) -> BoxedStrategy<Owned> {
    prop_oneof![
        1 => point(texture).prop_map(Owned::Point),
        2 => aabb(texture).prop_map(Owned::Aabb),
        2 => obb(texture).prop_map(Owned::Obb),
        2 => triangle(texture).prop_map(Owned::Triangle),
        2 => polygon(texture).prop_map(Owned::ConvexPolygon),
    ]
    .boxed()
}

pub(crate) fn round(texture: Texture) -> BoxedStrategy<Owned> {
    prop_oneof![circle(texture).prop_map(Owned::Circle), capsule(texture).prop_map(Owned::Capsule)].boxed()
}

/// A linear shape and a straight shape. In some cases, the linear shape goes through corners of the other.
pub(crate) fn straight_pair(first: fn(Texture) -> BoxedStrategy<Owned>) -> BoxedStrategy<(Owned, Owned)> {
    let corner = (any::<bool>(), any::<prop::sample::Index>(), any::<prop::sample::Index>());
    let both = texture().prop_flat_map(move |texture| (first(texture), straight(texture)));
    (both, corner)
        .prop_map(|((first, second), (through, one, other))| {
            let corners = second.corners();
            let (one, other) = (corners[one.index(corners.len())], corners[other.index(corners.len())]);
            let through = through.then(|| match first {
                Owned::Line(s) => make(0, s.a(), one),
                Owned::Ray(s) => make(1, s.origin(), one),
                _ => make(2, one, other),
            });
            (through.flatten().unwrap_or(first), second)
        })
        .boxed()
}

pub(crate) fn any_linear(texture: Texture) -> BoxedStrategy<Owned> {
    linear(texture).boxed()
}

/// Returns the range of parameters inside straight sides: each side cuts off the part on its right.
pub(crate) fn clipped(linear: &Exact, corners: &[DVec2]) -> Option<(Option<Q>, Option<Q>)> {
    if let [a, .., b] | [a @ b] = corners
        && corners.len() < 3
    {
        return match shared(linear, &Exact::segment(*a, *b)) {
            Shared::Point((t, _)) => Some((Some(t.clone()), Some(t))),
            Shared::Segment((from, _), (to, _)) => Some((Some(from), Some(to))),
            _ => None,
        };
    }
    let (mut low, mut high) = (linear.from.clone(), linear.to.clone());
    for (side, &a) in corners.iter().enumerate() {
        let (a, b) = (V::of(a), V::of(corners[(side + 1) % corners.len()]));
        let (inside, grows) = (b.minus(&a).cross(&linear.a.minus(&a)), b.minus(&a).cross(&linear.way()));
        if grows.is_zero() {
            if inside.is_negative() {
                return None;
            }
        } else {
            let at = -inside / &grows;
            if grows.is_positive() {
                low = low.into_iter().chain([at]).max();
            } else {
                high = high.into_iter().chain([at]).min();
            }
        }
    }
    (low <= high || high.is_none()).then_some((low, high))
}

fn intersect(first: &Owned, second: &Owned) -> Chord {
    macro_rules! with {
        ($first:expr) => {
            match second {
                Owned::Point(second) => both($first, second),
                Owned::Circle(second) => both($first, second),
                Owned::Aabb(second) => both($first, second),
                Owned::Obb(second) => both($first, second),
                Owned::Capsule(second) => both($first, second),
                Owned::Triangle(second) => both($first, second),
                Owned::ConvexPolygon(second) => both($first, second),
                other => panic!("{other:?} is linear"),
            }
        };
    }
    with_linear!(first, first => with!(first))
}

/// Returns the chord. Checks that both orders give the same.
fn both<A: Intersect<B, Shared = Chord>, B: Intersect<A, Shared = Chord>>(a: &A, b: &B) -> Chord {
    let chord = a.intersect(b);
    assert_eq!(chord, b.intersect(a));
    chord
}

fn check_straight(first: &Owned, second: &Owned) -> Result<(), TestCaseError> {
    let (exact, size) = (Exact::of(first), size(&[first, second]));
    let expected = if exact.is_point() {
        let inside =
            clipped(&Exact { b: exact.a.plus(&V { x: Q::one(), y: Q::zero() }), ..exact.clone() }, &second.corners());
        inside.filter(|(low, _)| low.as_ref().is_some_and(Q::is_zero)).map(|_| (Some(Q::zero()), Some(Q::zero())))
    } else {
        clipped(&exact, &second.corners())
    };
    let got = intersect(first, second);
    let is_right = |at: ChordPoint, t: &Q| is_near(at.point, &exact.at(t), size) && is_parameter(at.t, t);
    let is_right = match (&expected, got) {
        (None, Chord::None) => true,
        (Some((Some(from), Some(to))), Chord::Point(at)) => from == to && is_right(at, from),
        (Some((Some(from), Some(to))), Chord::Segment(a, b)) => {
            from < to && is_right(a, from) && is_right(b, to) && a.t <= b.t
        }
        _ => false,
    };
    prop_assert!(is_right, "{first:?} with {second:?}: {got:?}, expected {expected:?}");
    Ok(())
}

/// Returns the straight core of a circle or capsule, and its radius.
pub(crate) fn middle(shape: &Owned) -> (V, V, f64) {
    let corners = shape.corners();
    (V::of(corners[0]), V::of(corners[corners.len() - 1]), shape.radius())
}

/// Returns the squared distance between a linear shape and a segment.
pub(crate) fn distance_sq(linear: &Exact, p: &V, q: &V) -> Q {
    let segment = Exact { a: p.clone(), b: q.clone(), from: Some(Q::zero()), to: Some(Q::one()) };
    if shared(linear, &segment) != Shared::None {
        return Q::zero();
    }
    let ends = [(linear.from.is_some(), &linear.a), (linear.to.is_some(), &linear.b)];
    let to_segment =
        ends.into_iter().filter(|(is_end, _)| *is_end).map(|(_, end)| (end.clone(), nearest_of_segment(end, p, q)));
    let to_linear = [p, q].into_iter().map(|end| (end.clone(), linear.nearest(end)));
    to_segment.chain(to_linear).map(|(one, other)| one.minus(&other).length_sq()).min().unwrap()
}

fn check_round(first: &Owned, second: &Owned) -> Result<(), TestCaseError> {
    let (linear, size, (p, q_, radius)) = (Exact::of(first), size(&[first, second]), middle(second));
    if radius == 0.0 {
        return check_straight(first, second);
    }
    let (got, square) = (intersect(first, second), q(radius) * q(radius));
    let nearest = distance_sq(&linear, &p, &q_);
    let (less, more) = (&square * (Q::one() - doubt()), &square * (Q::one() + doubt()));
    let is_parallel = linear.way().cross(&q_.minus(&p)).is_zero();
    let is_kind = match got {
        Chord::None => nearest > less,
        Chord::Point(_) if linear.is_point() => nearest <= more,
        Chord::Point(_) => nearest >= less && nearest <= more,
        Chord::Segment(..) => nearest < more && (nearest < square || is_parallel || nearest > less),
    };
    prop_assert!(is_kind, "{first:?} with {second:?}: {got:?}");
    let ends = match got {
        Chord::None => vec![],
        Chord::Point(at) => vec![(at, None)],
        Chord::Segment(from, to) => vec![(from, Some(&linear.from)), (to, Some(&linear.to))],
    };
    for (end, limit) in &ends {
        let at = V::of(end.point);
        // Rounding a point to f64 on both axes moves it by up to the root of 2 times the larger rounding.
        let bound = ROUNDING * size + 2.0 * ROUNDED * end.point.abs().max_element();
        let off_line = linear.nearest(&at).minus(&at).length_sq();
        prop_assert!(off_line <= q(bound) * q(bound), "{first:?} with {second:?}: {end:?} is off the line");
        let core_sq = nearest_of_segment(&at, &p, &q_).minus(&at).length_sq();
        let is_limit =
            limit.is_some_and(|limit| limit.as_ref().is_some_and(|limit| *limit == q(end.t) && linear.at(limit) == at));
        let reached = q(radius) + q(bound);
        let is_there = if is_limit { core_sq <= &reached * &reached } else { is_root(radius, &core_sq, bound) };
        prop_assert!(is_there || linear.is_point(), "{first:?} with {second:?}: {end:?} is off the boundary");
        // The parameter must give the point.
        prop_assert!(
            is_near(end.point, &linear.at(&q(end.t)), size),
            "{first:?} with {second:?}: {end:?} is not at its parameter"
        );
        prop_assert!(linear.has(&q(end.t)));
        if let Some(Some(limit)) = limit {
            // A chord starts at the start of the linear shape exactly if this start is inside. The same holds for the
            // ends.
            let end_sq = {
                let at = linear.at(limit);
                nearest_of_segment(&at, &p, &q_).minus(&at).length_sq()
            };
            prop_assert!(end_sq <= &reached * &reached || !is_limit, "{first:?} with {second:?}: {end:?} is outside");
            prop_assert!(end_sq >= less || is_limit, "{first:?} with {second:?}: the end is inside, not {end:?}");
        }
        if p == q_ && !linear.is_point() && !is_limit {
            let (d, m) = (linear.way(), p.minus(&linear.a));
            let (length_sq, off) = (d.length_sq(), d.cross(&m));
            let rest = &square * &length_sq - &off * &off;
            let root = (q(end.t) * &length_sq - m.dot(&d)).abs();
            // `error` bounds the error of `root`: the documented error of the parameter, 2^-48 of the size along the
            // path, plus its rounding. Like `root`, both are multiplied by the squared length.
            let error =
                q(4.0 * ROUNDING * size) * (d.x.abs() + d.y.abs()) + &length_sq * q(2.0 * ROUNDED * end.t.abs());
            let (low, high) = (&root - &error, &root + &error);
            let is_parameter = (low.is_negative() || &low * &low <= rest) && rest <= &high * &high;
            prop_assert!(is_parameter, "{first:?} with {second:?}: {end:?} has another parameter");
        }
    }
    if let [(from, _), (to, _)] = ends[..] {
        prop_assert!(from.t <= to.t, "{first:?} with {second:?}: {got:?}");
    }
    Ok(())
}

#[test]
fn chords_of_straight_shapes_agree_with_exact_rationals() {
    let pairs = straight_pair(any_linear);
    run(("chords_of_straight_shapes", file!()), 2000, pairs, |(a, b)| check_straight(&a, &b));
}

#[test]
fn chords_of_round_shapes_agree_with_exact_rationals() {
    let pairs = texture().prop_flat_map(|texture| (linear(texture), round(texture)));
    run(("chords_of_round_shapes", file!()), 2000, pairs, |(a, b)| check_round(&a, &b));
}

#[test]
fn degenerate_chords_agree_with_exact_rationals() {
    let points: Vec<DVec2> = (-2..=2).flat_map(|x| (-2..=2).map(move |y| dvec2(f64::from(x), f64::from(y)))).collect();
    let make_box = |min: [f64; 2], max: [f64; 2]| Owned::Aabb(Aabb::new(min.into(), max.into()).unwrap());
    let straight = [
        make_box([-1.0, -1.0], [1.0, 1.0]),
        make_box([-1.0, 0.0], [1.0, 0.0]),
        make_box([0.0, 0.0], [0.0, 0.0]),
        Owned::Triangle(Triangle::new([dvec2(-1.0, -1.0), dvec2(2.0, -1.0), dvec2(-1.0, 2.0)]).unwrap()),
    ];
    let capsule = |a: [f64; 2], b: [f64; 2], radius| Owned::Capsule(Capsule::new(a.into(), b.into(), radius).unwrap());
    let round = [
        Owned::Circle(Circle::new(DVec2::ZERO, 1.0).unwrap()),
        Owned::Circle(Circle::new(DVec2::ZERO, 0.0).unwrap()),
        capsule([0.0, 0.0], [1.0, 0.0], 1.0),
        capsule([0.0, 0.0], [0.0, 0.0], 1.0),
        capsule([0.0, 0.0], [1.0, 1.0], 0.0),
    ];
    for (&a, &b) in points.iter().flat_map(|a| points.iter().map(move |b| (a, b))) {
        for first in (0..3).filter_map(|kind| make(kind, a, b)) {
            straight.iter().for_each(|second| check_straight(&first, second).unwrap());
            round.iter().for_each(|second| check_round(&first, second).unwrap());
        }
    }
}

#[test]
fn a_segment_that_touches_a_circle_meets_it_in_one_point() {
    // The line 3 x + 4 y = 25 touches the circle of radius 5 at (3, 4), shifted and scaled by powers of two.
    for (scale, shift) in [(1.0, 0.0), (1024.0, 0.375), (1.0 / 1024.0, 12.0)] {
        let at = |x: f64, y: f64| dvec2(x, y) * scale + DVec2::splat(shift);
        let segment = Segment::new(at(7.0, 1.0), at(-5.0, 10.0)).unwrap();
        let chord = segment.intersect(&Circle::new(at(0.0, 0.0), 5.0 * scale).unwrap());
        let Chord::Point(touch) = chord else { panic!("{chord:?}") };
        // On the x axis, the touching point is 4 of 12 along the segment: a third of the length.
        assert_eq!((touch.point, touch.t), (at(3.0, 4.0), 1.0 / 3.0));
    }
}

/// A line at exactly the distance of the radius from the centre of a circle or capsule end, perpendicular to that
/// radius: by the triangle 3, 4, 5.
fn tangent() -> BoxedStrategy<(Owned, Owned)> {
    let numbers = |t| (vector(t), vector(t), coordinate(t), [coordinate(t), coordinate(t)]);
    let kinds = (0..4_usize, 0..3_u8, 0..3_u8, 0..3_u8);
    (rough().prop_flat_map(numbers), kinds)
        .prop_filter_map("no such shapes", |((center, way, unit, [at, far]), kinds)| {
            let (pick, kind, ends, capsule) = kinds;
            let [x, y, length] = [[3.0, 4.0, 5.0], [-4.0, 3.0, 5.0], [5.0, 12.0, 13.0], [8.0, -15.0, 17.0]][pick];
            // A number with the few bits of f32 keeps all products exact in f64.
            let unit = f64::from(unit.abs() as f32);
            let (touch, along) = (center + dvec2(x, y) * unit, dvec2(-y, x));
            let (from, to) = match ends {
                0 => (touch + along * at, touch + along * far),
                1 => (touch, touch + along * far),
                _ => (touch - along * unit, touch + along * unit),
            };
            let other = match capsule {
                0 => center,
                1 => center + way,
                _ => center + along * at,
            };
            let round = Capsule::new(center, other, length * unit).ok()?;
            Some((make(kind, from, to)?, Owned::Capsule(round)))
        })
        .boxed()
}

#[test]
fn a_tangent_is_one_point_and_not_a_chord_of_length_zero() {
    run(("a_tangent_is_no_stretch", file!()), 4000, tangent(), |(linear, capsule)| {
        check_round(&linear, &capsule)?;
        if let Chord::Segment(from, to) = intersect(&linear, &capsule) {
            let ((p, q_, radius), tangent) = (middle(&capsule), q(1.0) - q(f64::powi(2.0, -98)));
            let is_tangent = distance_sq(&Exact::of(&linear), &p, &q_) >= q(radius) * q(radius) * tangent;
            prop_assert!(from.point != to.point || !is_tangent, "{linear:?} with {capsule:?}: {from:?} {to:?}");
        }
        Ok(())
    });
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn mirrored_and_turned_chords_are_the_same_to_the_bit(
        (a, b) in texture().prop_flat_map(|texture| (linear(texture), prop_oneof![straight(texture), round(texture)])),
        symmetry in 0..8_usize,
    ) {
        let to = SYMMETRIES[symmetry];
        let plain = intersect(&a, &b);
        let moved = intersect(&a.turned(to), &b.turned(to));
        let moved_plain = |at: ChordPoint| ChordPoint { point: to(at.point), ..at };
        let expected = match plain {
            Chord::None => Chord::None,
            Chord::Point(at) => Chord::Point(moved_plain(at)),
            Chord::Segment(from, to) => Chord::Segment(moved_plain(from), moved_plain(to)),
        };
        prop_assert_eq!(expected, moved);
    }

    #[test]
    fn shifted_chords_keep_their_parameters_to_the_bit(
        (a, b) in (linear(Texture::Lattice), prop_oneof![straight(Texture::Lattice), round(Texture::Lattice)])
            .prop_filter("corners that are rounded", |(_, b)| !matches!(b, Owned::Obb(_))),
        by in shift(),
    ) {
        let (plain, moved) = (intersect(&a, &b), intersect(&a.shifted(by), &b.shifted(by)));
        let parameters = |chord: Chord| match chord {
            Chord::None => None,
            Chord::Point(at) => Some((at.t, None)),
            Chord::Segment(from, to) => Some((from.t, Some(to.t))),
        };
        prop_assert_eq!(parameters(plain), parameters(moved));
    }
}
