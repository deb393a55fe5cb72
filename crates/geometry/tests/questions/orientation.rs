use crate::cases::{config, texture, vector};
use crate::rational::{V, turn};
use proptest::prelude::*;
use surefoot_geometry::{DVec2, Orientation, dvec2, orientation};

fn check(a: DVec2, b: DVec2, c: DVec2) {
    let exact = turn(&V::of(a), &V::of(b), &V::of(c));
    let expected = if exact.is_zero() {
        Orientation::Collinear
    } else if exact.is_positive() {
        Orientation::CounterClockwise
    } else {
        Orientation::Clockwise
    };
    assert_eq!(orientation(a, b, c), expected, "{a:?} {b:?} {c:?}");
}

/// Returns the vector moved by a few units in the last place.
pub(crate) fn nudged(v: DVec2, [x, y]: [i8; 2]) -> DVec2 {
    let step = |x: f64, by: i8| (0..by.abs()).fold(x, |x, _| if by > 0 { x.next_up() } else { x.next_down() });
    dvec2(step(v.x, x), step(v.y, y))
}

proptest! {
    #![proptest_config(config(5000))]

    #[test]
    fn the_orientation_of_any_three_points_agrees_with_exact_rationals(
        [a, b, c] in texture().prop_flat_map(|texture| [vector(texture), vector(texture), vector(texture)]),
    ) {
        check(a, b, c);
    }

    #[test]
    fn orientations_next_to_a_line_agree_with_exact_rationals(
        [a, b] in (texture(), texture()).prop_flat_map(|(one, other)| [vector(one).boxed(), vector(other).boxed()]),
        part in prop_oneof![(-4..=8_i8).prop_map(|n| f64::from(n) / 4.0), -2.0..2.0],
        by in [-2..=2_i8, -2..=2_i8],
    ) {
        let c = nudged(a + (b - a) * part, by);
        // Numbers closer to 0 than shapes allow may exceed the exact range of the predicate.
        let is_coordinate = |x: f64| x == 0.0 || x.abs() >= f64::powi(2.0, -200);
        prop_assume!([a, b, c].iter().all(|v| is_coordinate(v.x) && is_coordinate(v.y)));
        check(a, b, c);
        check(b, c, a);
        check(c, b, a);
    }
}

#[test]
fn orientations_around_a_diagonal_agree_with_exact_rationals() {
    // A classic test of predicates compares points near (0.5, 0.5), one bit apart, with the line through (12, 12) and
    // (24, 24).
    for (x, y) in (0..16_i32).flat_map(|x| (0..16_i32).map(move |y| (f64::from(x), f64::from(y)))) {
        let near = dvec2(0.5 + x * f64::EPSILON / 2.0, 0.5 + y * f64::EPSILON / 2.0);
        check(near, DVec2::splat(12.0), DVec2::splat(24.0));
    }
}

#[test]
fn numbers_that_are_not_finite_do_not_panic() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX] {
        for place in 0..6 {
            let mut numbers = [0.0, 1.0, 2.0, 3.0, 5.0, 4.0];
            numbers[place] = bad;
            let [ax, ay, bx, by, cx, cy] = numbers;
            let _ = orientation(dvec2(ax, ay), dvec2(bx, by), dvec2(cx, cy));
        }
        let _ = orientation(DVec2::splat(bad), DVec2::splat(bad), DVec2::splat(-bad));
    }
}
