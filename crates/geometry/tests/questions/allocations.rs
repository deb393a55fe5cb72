//! No query allocates memory, for any shapes.

use surefoot_geometry::{
    Aabb, AnyShape, Capsule, Circle, ConvexPolygon, DVec2, Ends, Intersect, Line, Obb, Point, Ray, Segment, Shape,
    Triangle, dvec2,
};

#[test]
fn no_query_allocates() {
    let (a, b) = (dvec2(-2.0, -1.0), dvec2(3.0, 1.0));
    let corners = [dvec2(-2.0, -2.0), dvec2(2.0, -1.0), dvec2(0.0, 3.0)];
    let point = Point::new(dvec2(0.25, 0.5)).unwrap();
    let line = Line::new(a, b).unwrap();
    let ray = Ray::new(dvec2(-5.0, 0.5), dvec2(-4.0, 0.5)).unwrap();
    let segment = Segment::new(b, dvec2(-1.0, 2.0)).unwrap();
    let circle = Circle::new(DVec2::ZERO, 1.0).unwrap();
    let aabb = Aabb::new(a, b).unwrap();
    let obb = Obb::new(DVec2::ZERO, dvec2(2.0, 1.0), dvec2(3.0, 4.0)).unwrap();
    let capsule = Capsule::new(a, b, 0.5).unwrap();
    let triangle = Triangle::new(corners).unwrap();
    let polygon = ConvexPolygon::new(&corners).unwrap();
    let all: [AnyShape<'_>; 10] = [
        (&point).into(),
        (&line).into(),
        (&ray).into(),
        (&segment).into(),
        (&circle).into(),
        (&aabb).into(),
        (&obb).into(),
        (&capsule).into(),
        (&triangle).into(),
        (&polygon).into(),
    ];
    // Include touching and collinear shapes, because queries compute them in slower numbers with more bits.
    let (ball, chest) = (Circle::new(dvec2(-7.0, 0.0), 1.0).unwrap(), Aabb::new(dvec2(-9.0, -1.0), dvec2(-6.0, 1.0)));
    let chest = chest.unwrap();
    let mut answers = 0;
    let taken = allocation_counter::measure(|| {
        for first in &all {
            for second in &all {
                answers += u32::from(first.distance(second) == 0.0) + u32::from(first.distance_sq(second) == 0.0);
                answers += u32::from(first.overlaps(second)) + u32::from(first.touches(second));
                answers += u32::from(first.contact(second).is_some());
            }
            answers += u32::from(first.contains(a)) + u32::from(first.closest_point(b) == b);
            answers += u32::from(first.cast_ray(&ray).is_some());
            if let Some(solid) = first.bounded() {
                for motion in [dvec2(12.0, 0.0), dvec2(12.0, 0.7), dvec2(1.0, 0.0)] {
                    answers += u32::from(ball.sweep(motion, &solid).hit().is_some());
                    answers += u32::from(chest.sweep_moving(motion, &solid, DVec2::Y).hit().is_some());
                }
            }
        }
        answers += u32::from(ball.sweep_one_sided(DVec2::X, &segment, Ends::BOTH).hit().is_some());
        let _ = (line.intersect(&ray), ray.intersect(&polygon), segment.intersect(&capsule), aabb.intersect(&aabb));
    });
    assert_eq!(taken.count_total, 0);
    assert!(answers > 200, "{answers}");
}
