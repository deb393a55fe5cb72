//! Intersections of lines, rays and segments.

use crate::cases::{Owned, SYMMETRIES, Texture, config, line, ray, segment, shift, size, texture, vector};
use crate::linear::{Exact, Shared, is_near, is_parameter, shared};
use crate::orientation::nudged;
use crate::run::run;
use proptest::prelude::*;
use surefoot_geometry::{Aabb, Crossing, DVec2, Intersect, Intersection, Line, MAX_COORDINATE, Ray, Segment, dvec2};

pub(crate) fn linear(texture: Texture) -> BoxedStrategy<Owned> {
    prop_oneof![
        1 => line(texture).prop_map(Owned::Line),
        1 => ray(texture).prop_map(Owned::Ray),
        3 => segment(texture).prop_map(Owned::Segment),
    ]
    .boxed()
}

pub(crate) fn make(kind: u8, a: DVec2, b: DVec2) -> Option<Owned> {
    match kind {
        0 => Line::new(a, b).ok().map(Owned::Line),
        1 => Ray::new(a, b).ok().map(Owned::Ray),
        _ => Segment::new(a, b).ok().map(Owned::Segment),
    }
}

/// Two shapes on one line or on parallel lines, up to a few units in the last place.
fn nearly_parallel() -> BoxedStrategy<(Owned, Owned)> {
    let points = texture().prop_flat_map(|texture| (vector(texture), vector(texture), vector(texture)));
    let ulps = || [-1..=1_i8, -1..=1_i8];
    let scales = prop_oneof![(-3..=3_i8).prop_map(f64::from), (-40..20_i32).prop_map(|e| f64::powi(2.0, e))];
    (points, scales, -2..=2_i8, any::<bool>(), [ulps(), ulps()], [0..4_u8, 0..4_u8])
        .prop_filter_map("no such shapes", |((a, b, p), scale, start, same_line, [at_p, at_q], [first, second])| {
            let p = nudged(if same_line { a + (b - a) * f64::from(start) * 0.5 } else { p }, at_p);
            let q = nudged(p + (b - a) * scale, at_q);
            Some((make(first, a, b)?, make(second, p, q)?))
        })
        .boxed()
}

fn pairs() -> BoxedStrategy<(Owned, Owned)> {
    prop_oneof![
        2 => texture().prop_flat_map(|texture| (linear(texture), linear(texture))),
        1 => (texture(), texture()).prop_flat_map(|(one, other)| (linear(one), linear(other))),
        2 => nearly_parallel(),
    ]
    .boxed()
}

/// Evaluates an expression with the line, ray or segment in a shape.
macro_rules! with_linear {
    ($shape:expr, $linear:ident => $value:expr) => {
        match $shape {
            Owned::Line($linear) => $value,
            Owned::Ray($linear) => $value,
            Owned::Segment($linear) => $value,
            other => panic!("{other:?} is not linear"),
        }
    };
}
pub(crate) use with_linear;

fn intersect(first: &Owned, second: &Owned) -> Intersection {
    with_linear!(first, first => with_linear!(second, second => first.intersect(second)))
}

fn check(first: &Owned, second: &Owned) -> Result<(), TestCaseError> {
    let (one, other) = (Exact::of(first), Exact::of(second));
    let (expected, got) = (shared(&one, &other), intersect(first, second));
    let size = size(&[first, second]);
    let is_right = |crossing: Crossing, (t, u): &(_, _)| {
        is_near(crossing.point, &one.at(t), size) && is_parameter(crossing.t, t) && is_parameter(crossing.u, u)
    };
    let is_right = match (&expected, got) {
        (Shared::None, Intersection::None) | (Shared::Line, Intersection::Line) => true,
        (Shared::Point(at), Intersection::Point(got)) => is_right(got, at),
        (Shared::Ray(at), Intersection::Ray(got)) => is_right(got, at),
        (Shared::Segment(from, to), Intersection::Segment(a, b)) => is_right(a, from) && is_right(b, to) && a.t <= b.t,
        _ => false,
    };
    prop_assert!(is_right, "{first:?} with {second:?}: {got:?}, expected {expected:?}");
    Ok(())
}

fn crossings(of: Intersection) -> Vec<Crossing> {
    match of {
        Intersection::None | Intersection::Line => Vec::new(),
        Intersection::Point(at) | Intersection::Ray(at) => vec![at],
        Intersection::Segment(from, to) => vec![from, to],
    }
}

#[test]
fn line_intersections_agree_with_exact_rationals() {
    run(("line_intersections_agree_with_exact_rationals", file!()), 3000, pairs(), |(a, b)| check(&a, &b));
}

#[test]
fn degenerate_line_intersections_agree_with_exact_rationals() {
    let cap = MAX_COORDINATE;
    let points =
        [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [0.0, 2.0], [2.0, 0.0], [1.0, 1.0_f64.next_up()], [cap, cap]];
    let shapes: Vec<Owned> = points
        .iter()
        .flat_map(|&a| points.iter().map(move |&b| (DVec2::from(a), DVec2::from(b))))
        .flat_map(|(a, b)| (0..3).filter_map(move |kind| make(kind, a, b)))
        .collect();
    for (first, second) in shapes.iter().flat_map(|first| shapes.iter().map(move |second| (first, second))) {
        check(first, second).unwrap();
    }
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn swapped_lines_share_the_same_points((a, b) in pairs()) {
        let (one, other) = (intersect(&a, &b), intersect(&b, &a));
        prop_assert_eq!(std::mem::discriminant(&one), std::mem::discriminant(&other));
        let (one, mut other) = (crossings(one), crossings(other));
        if one.len() == 2 && one[0].u > one[1].u {
            other.reverse();
        }
        for (one, other) in one.iter().zip(&other) {
            prop_assert_eq!((one.t, one.u), (other.u, other.t));
            // Each of the two results is wrong by at most half of this bound on each axis.
            let bound = surefoot_geometry::tolerance::ROUNDING * size(&[&a, &b]) + f64::EPSILON * one.point.abs();
            prop_assert!((one.point - other.point).abs().cmple(bound).all());
        }
    }

    #[test]
    fn mirrored_and_turned_lines_share_the_same_to_the_bit((a, b) in pairs(), symmetry in 0..8_usize) {
        let to = SYMMETRIES[symmetry];
        let plain = intersect(&a, &b);
        let moved = intersect(&a.turned(to), &b.turned(to));
        prop_assert_eq!(std::mem::discriminant(&plain), std::mem::discriminant(&moved));
        for (plain, moved) in crossings(plain).iter().zip(crossings(moved)) {
            prop_assert_eq!((to(plain.point), plain.t, plain.u), (moved.point, moved.t, moved.u));
        }
    }

    #[test]
    fn shifted_lines_keep_their_parameters_to_the_bit(
        (a, b) in (linear(Texture::Lattice), linear(Texture::Lattice)),
        by in shift(),
    ) {
        let (plain, moved) = (intersect(&a, &b), intersect(&a.shifted(by), &b.shifted(by)));
        prop_assert_eq!(std::mem::discriminant(&plain), std::mem::discriminant(&moved));
        for (plain, moved) in crossings(plain).iter().zip(crossings(moved)) {
            prop_assert_eq!((plain.t, plain.u), (moved.t, moved.u));
        }
    }
}

fn of(a: [f64; 2], b: [f64; 2]) -> Segment {
    Segment::new(a.into(), b.into()).unwrap()
}

/// The common test by products: the ends of each segment are on both sides of the other segment, or on it.
fn crosses_by_products(one: &Segment, other: &Segment) -> bool {
    let cross = |a: DVec2, b: DVec2, c: DVec2| (b - a).perp_dot(c - a);
    cross(one.a(), one.b(), other.a()) * cross(one.a(), one.b(), other.b()) <= 0.0
        && cross(other.a(), other.b(), one.a()) * cross(other.a(), other.b(), one.b()) <= 0.0
}

#[test]
fn fault_products_call_collinear_segments_that_are_apart_a_crossing() {
    let (one, other) = (of([0.0, 0.0], [1.0, 0.0]), of([2.0, 0.0], [3.0, 0.0]));
    assert!(crosses_by_products(&one, &other));
    assert_eq!(one.intersect(&other), Intersection::None);
}

#[test]
fn fault_products_call_a_point_beside_a_segment_a_crossing() {
    // The line through the segment contains the point, but the segment ends before it.
    let (point, segment) = (of([5.0, 5.0], [5.0, 5.0]), of([0.0, 0.0], [1.0, 1.0]));
    assert!(crosses_by_products(&point, &segment));
    assert_eq!(point.intersect(&segment), Intersection::None);
    assert_eq!(segment.intersect(&point), Intersection::None);
}

#[test]
fn fault_products_of_large_integers_overflow() {
    // For an ordinary crossing at 2^17, both products of cross products exceed 64 bits and wrap to a meaningless sign.
    let (far, near) = (1_i64 << 17, 0_i64);
    let cross = |a: [i64; 2], b: [i64; 2], c: [i64; 2]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let (a, b, p, q) = ([near, near], [far, far], [near, far], [far, near]);
    assert_eq!(cross(a, b, p).checked_mul(cross(a, b, q)), None);
    let float = |[x, y]: [i64; 2]| [x as f64, y as f64];
    let Intersection::Point(crossing) = of(float(a), float(b)).intersect(&of(float(p), float(q))) else {
        panic!("they cross")
    };
    assert_eq!((crossing.point, crossing.t, crossing.u), (DVec2::splat(65536.0), 0.5, 0.5));
}

#[test]
fn fault_an_absolute_epsilon_calls_small_segments_parallel() {
    let small = f64::powi(2.0, -20);
    let (one, other) = (of([0.0, 0.0], [small, small]), of([0.0, small], [small, 0.0]));
    assert!((one.b() - one.a()).perp_dot(other.b() - other.a()).abs() < 1e-8);
    let Intersection::Point(crossing) = one.intersect(&other) else { panic!("they cross") };
    assert_eq!((crossing.point, crossing.t), (DVec2::splat(small / 2.0), 0.5));
}

#[test]
fn fault_identical_lines_are_not_reported_as_apart() {
    let line = Line::new(dvec2(0.1, 0.2), dvec2(0.3, -0.7)).unwrap();
    // A test that divides by the cross product of the directions would divide by 0.
    assert_eq!((line.b() - line.a()).perp_dot(line.b() - line.a()), 0.0);
    assert_eq!(line.intersect(&line), Intersection::Line);
    assert_eq!(line.intersect(&Line::new(line.b(), line.a()).unwrap()), Intersection::Line);
}

#[test]
fn lines_that_cross_beyond_the_cap_cross_at_a_finite_point() {
    let cap = MAX_COORDINATE;
    let level = Line::new(dvec2(-cap, 0.0), dvec2(cap, 0.0)).unwrap();
    let slope = Line::new(dvec2(-cap, 1.0), dvec2(cap, 1.0_f64.next_up())).unwrap();
    let Intersection::Point(crossing) = level.intersect(&slope) else { panic!("they cross") };
    // Over a width of 2^25, the slope rises by only 2^-52. It starts 1 above the level line, so the two cross 2^52 *
    // 2^25 = 2^77 to the left of the start.
    assert_eq!(crossing.point, dvec2(-cap - f64::powi(2.0, 77), 0.0));
}

#[test]
fn the_intersection_of_boxes_is_a_box() {
    let make = |min: [f64; 2], max: [f64; 2]| Aabb::new(min.into(), max.into()).unwrap();
    let room = make([0.0, 0.0], [4.0, 3.0]);
    assert_eq!(room.intersect(&room), Some(room));
    assert_eq!(room.intersect(&make([1.0, 1.0], [2.0, 2.0])), Some(make([1.0, 1.0], [2.0, 2.0])));
    assert_eq!(room.intersect(&make([4.0, 3.0], [5.0, 5.0])), Some(make([4.0, 3.0], [4.0, 3.0])));
    assert_eq!(room.intersect(&make([0.0, 3.0_f64.next_up()], [5.0, 5.0])), None);
}
