use crate::cases::{config, pair, size};
use crate::gap::{Part, distance_sq, overlap, parts_overlap, penetration_sq};
use crate::rational::{Q, q};
use proptest::prelude::*;
use surefoot_geometry::tolerance::{ROUNDING, TOUCH};
use surefoot_geometry::{Aabb, Circle, DVec2, Line, Point, Segment, Shape, dvec2};

/// Returns whether `length` minus the root of `square` exceeds `limit`; exact.
fn exceeds_root_by_more_than(length: &Q, square: &Q, limit: f64) -> bool {
    let rest = length - q(limit);
    rest.is_positive() && &rest * &rest > *square
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn touching_shapes_are_neither_apart_nor_deep((a, b) in pair()) {
        let slack = ROUNDING * size(&[&a, &b]);
        let (part_a, part_b) = (Part::of(&a), Part::of(&b));
        let reach = &part_a.radius + &part_b.radius;
        // Bounds of the depth, from below and from above.
        let is_deeper_than = |limit: f64| {
            if parts_overlap(&part_a, &part_b) {
                let Some(square) = penetration_sq(&part_a, &part_b) else { return true };
                let rest = q(limit) - &reach;
                rest.is_negative() || &rest * &rest < square
            } else {
                exceeds_root_by_more_than(&reach, &distance_sq(&part_a, &part_b), limit)
            }
        };
        let touches = a.any().touches(&b.any());
        prop_assert_eq!(b.any().touches(&a.any()), touches);
        if touches {
            prop_assert!(is_deeper_than(-TOUCH - slack) && !is_deeper_than(TOUCH + slack));
        } else {
            prop_assert!(is_deeper_than(TOUCH - slack) || !is_deeper_than(-TOUCH + slack));
            prop_assert!(overlap(&part_a, &part_b) || !is_deeper_than(-TOUCH + slack));
        }
    }
}

fn check(a: &impl Shape, b: &impl Shape, expected: bool) {
    assert_eq!(a.touches(b), expected);
    assert_eq!(b.touches(a), expected);
}

#[test]
fn within_the_tolerance_on_both_sides() {
    let ground = Aabb::new(dvec2(0.0, -2.0), dvec2(10.0, 0.0)).unwrap();
    for (height, expected) in [(0.0, true), (TOUCH, true), (-TOUCH, true), (1.5 * TOUCH, false), (-1.5 * TOUCH, false)]
    {
        check(&Aabb::new(dvec2(4.0, height), dvec2(5.0, 2.0)).unwrap(), &ground, expected);
        check(&Circle::new(dvec2(4.0, 1.0 + height), 1.0).unwrap(), &ground, expected);
        check(
            &Circle::new(dvec2(4.0, 1.0 + height), 1.0).unwrap(),
            &Circle::new(dvec2(4.0, -2.0), 2.0).unwrap(),
            expected,
        );
        check(&Point::new(dvec2(4.0, height)).unwrap(), &ground, expected);
        check(&Segment::new(dvec2(4.0, height), dvec2(4.0, 2.0)).unwrap(), &ground, expected);
        check(&Line::new(dvec2(4.0, height), dvec2(5.0, height)).unwrap(), &ground, expected);
    }
    // The first box touches the corner of the ground. The second one is diagonally too far away, and the point is too
    // deep inside.
    check(&Aabb::new(dvec2(10.0, 0.0), dvec2(11.0, 1.0)).unwrap(), &ground, true);
    check(&Aabb::new(dvec2(10.0 + TOUCH, TOUCH), dvec2(11.0, 1.0)).unwrap(), &ground, false);
    check(&Point::new(dvec2(5.0, -1.0)).unwrap(), &ground, false);
    check(&Line::new(DVec2::ZERO, DVec2::X).unwrap(), &Line::new(DVec2::ZERO, DVec2::Y).unwrap(), false);
}
