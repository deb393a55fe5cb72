//! Well-known wrong overlap tests, each next to the right result.
//!
//! Wrong tests for sweeps, segments and triangles are in the files about them. All these tests start with `fault_`.

use surefoot_geometry::{Aabb, Circle, ConvexPolygon, DVec2, Obb, Segment, Shape, dvec2};

/// The separating axis test of two rotated boxes that only separates at gaps above 0: touching counts as a hit.
fn hit_by_separating_axes(a: &Obb, b: &Obb) -> bool {
    let axes = [a.axis(), a.axis().perp(), b.axis(), b.axis().perp()];
    axes.into_iter().all(|axis| {
        let along = |shape: &Obb| {
            let ends = shape.corners().iter().map(|corner| corner.dot(axis));
            ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), end| (low.min(end), high.max(end)))
        };
        let ((a_low, a_high), (b_low, b_high)) = (along(a), along(b));
        a_low <= b_high && b_low <= a_high
    })
}

/// Tests a circle against each side only.
fn hit_by_the_sides(circle: &Circle, corners: &[DVec2]) -> bool {
    (0..corners.len()).any(|i| {
        let side = Segment::new(corners[i], corners[(i + 1) % corners.len()]).unwrap();
        side.closest_point(circle.center()).distance(circle.center()) <= circle.radius()
    })
}

#[test]
fn fault_turned_boxes_that_touch_are_called_a_hit() {
    let tipped = |x: f64, y: f64| Obb::new(dvec2(x, y), dvec2(5.0, 5.0), dvec2(3.0, 4.0)).unwrap();
    // The sides of a box are (6, 8) and (-8, 6). So the first other box shares a side with it, and the second one a
    // corner.
    for other in [tipped(6.0, 8.0), tipped(-2.0, 14.0)] {
        let here = tipped(0.0, 0.0);
        assert!(hit_by_separating_axes(&here, &other));
        assert!(!here.overlaps(&other) && here.touches(&other));
        assert_eq!(here.contact(&other).map(|contact| contact.depth), Some(0.0));
    }
    // Upright boxes and circles follow the same rule as rotated boxes.
    let upright = |x: f64| Aabb::new(dvec2(x, 0.0), dvec2(x + 1.0, 1.0)).unwrap();
    assert!(!upright(0.0).overlaps(&upright(1.0)) && upright(0.0).touches(&upright(1.0)));
    let ball = |x: f64| Circle::new(dvec2(x, 0.0), 0.5).unwrap();
    assert!(!ball(0.0).overlaps(&ball(1.0)) && ball(0.0).touches(&ball(1.0)));
}

#[test]
fn fault_the_four_sides_miss_a_circle_wholly_inside_a_rectangle() {
    let (low, high) = (dvec2(-4.0, -3.0), dvec2(4.0, 3.0));
    let room = [low, dvec2(high.x, low.y), high, dvec2(low.x, high.y)];
    let ball = Circle::new(dvec2(0.5, 0.25), 1.0).unwrap();
    assert!(!hit_by_the_sides(&ball, &room));
    let aabb = Aabb::new(low, high).unwrap();
    assert!(ball.overlaps(&aabb) && aabb.overlaps(&ball));
    // The shortest way out is up: 3 - 0.25 plus the radius.
    let contact = ball.contact(&aabb).unwrap();
    assert_eq!((contact.normal, contact.depth), (DVec2::Y, 3.75));
    assert!(ball.overlaps(&Obb::new(DVec2::ZERO, dvec2(4.0, 3.0), DVec2::X).unwrap()));
}

#[test]
fn fault_the_sides_miss_a_circle_wholly_inside_a_polygon() {
    let corners = [dvec2(0.0, -6.0), dvec2(6.0, 0.0), dvec2(0.0, 6.0), dvec2(-6.0, 0.0)];
    let ball = Circle::new(dvec2(0.0, 0.5), 1.0).unwrap();
    assert!(!hit_by_the_sides(&ball, &corners));
    let polygon = ConvexPolygon::new(&corners).unwrap();
    assert!(ball.overlaps(&polygon) && polygon.overlaps(&ball) && ball.distance(&polygon) == 0.0);
}
