//! Well-known wrong formulas for a point in a triangle, each next to the right result.

use surefoot_geometry::space::{Ray3, Segment3, Triangle3, TriangleCrossing, dvec3};
use surefoot_geometry::{DVec2, Intersect, Shape, ShapeError, Triangle, dvec2};

/// Twice the signed area of the triangle.
fn double_area(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}

/// The formula with s and t: the point is `a + s (b - a) + t (c - a)`. Each is a cross product divided by twice the
/// area.
fn s_and_t([a, b, c]: [DVec2; 3], p: DVec2) -> (f64, f64) {
    let area = double_area(a, b, c);
    let s = (a.y * c.x - a.x * c.y + (c.y - a.y) * p.x + (a.x - c.x) * p.y) / area;
    let t = (a.x * b.y - a.y * b.x + (a.y - b.y) * p.x + (b.x - a.x) * p.y) / area;
    (s, t)
}

/// The corners in these tests are counter-clockwise, as those of a [`Triangle`].
fn triangle(corners: [DVec2; 3]) -> Triangle {
    let triangle = Triangle::new(corners).unwrap();
    assert_eq!(triangle.corners(), corners);
    triangle
}

const CORNERS: [DVec2; 3] = [dvec2(1.0, 1.0), dvec2(5.0, 1.0), dvec2(1.0, 5.0)];

#[test]
fn fault_a_term_that_adds_where_it_must_multiply() {
    let with_a_plus = |[a, b, c]: [DVec2; 3], p: DVec2| {
        let area = double_area(a, b, c);
        //                                            here: + for *
        let s = (a.y * c.x - a.x * c.y + (c.y - a.y) + p.x + (a.x - c.x) * p.y) / area;
        let (_, t) = s_and_t([a, b, c], p);
        s >= 0.0 && t >= 0.0 && s + t <= 1.0
    };
    let triangle = triangle(CORNERS);
    // Far to the left, both formulas reject the point. Just left of the edge, the one with the plus accepts it.
    let (inside, outside) = (dvec2(4.0, 1.5), dvec2(0.5, 2.0));
    assert!(!with_a_plus(CORNERS, dvec2(-4.0, 1.0)) && !triangle.contains(dvec2(-4.0, 1.0)));
    assert!(with_a_plus(CORNERS, outside) && !triangle.contains(outside));
    // In a rotated triangle, the wrong formula rejects an inner point.
    let turned = [dvec2(-1.0, -1.0), dvec2(-5.0, -1.0), dvec2(-1.0, -5.0)];
    assert!(!with_a_plus(turned, -inside) && self::triangle(turned).contains(-inside));
}

#[test]
fn fault_the_sum_of_s_and_t_must_be_tested_too() {
    let without_the_sum = |corners, p| {
        let (s, t) = s_and_t(corners, p);
        (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t)
    };
    let triangle = triangle(CORNERS);
    // The wrong formula accepts the whole parallelogram: here its far corner, and a point just across the long edge.
    for outside in [dvec2(5.0, 5.0), dvec2(3.0, 3.5)] {
        assert!(without_the_sum(CORNERS, outside) && !triangle.contains(outside));
    }
    for shared in [dvec2(2.0, 2.0), dvec2(3.0, 3.0), CORNERS[1]] {
        assert!(without_the_sum(CORNERS, shared) && triangle.contains(shared));
    }
}

#[test]
fn fault_areas_and_an_epsilon_in_units_of_area() {
    let by_areas = |[a, b, c]: [DVec2; 3], p: DVec2| {
        let parts = double_area(a, b, p).abs() + double_area(b, c, p).abs() + double_area(c, a, p).abs();
        (parts - double_area(a, b, c).abs()).abs() < 1e-6
    };
    // The triangle has sides of 2^-20, and the point is a hundred times its width away. All areas are below the
    // epsilon.
    let small = CORNERS.map(|corner| corner / 4_194_304.0);
    let outside = small[0] - dvec2(100.0 / 1_048_576.0, 0.0);
    assert!(by_areas(small, outside) && !triangle(small).contains(outside));

    // The triangle has sides of 100000, with tenths in its coordinates. Rounding changes the areas by more than the
    // epsilon.
    let large = [dvec2(0.1, 0.1), dvec2(100_000.3, 0.7), dvec2(0.3, 100_000.7)];
    let triangle = triangle(large);
    let mut refused = 0;
    for i in 1..300 {
        let inside = dvec2(f64::from(i) * 100.1, f64::from(i) * 50.3 + 10.0);
        assert!(triangle.contains(inside), "{inside}");
        refused += usize::from(!by_areas(large, inside));
    }
    assert!(refused > 0);
}

#[test]
fn fault_a_triangle_seen_edge_on() {
    // The corners lie on one line, so each weight is 0 / 0.
    let flat = [dvec2(0.0, 0.0), dvec2(2.0, 2.0), dvec2(6.0, 6.0)];
    let (s, t) = s_and_t(flat, dvec2(1.0, 1.0));
    assert!(s.is_nan() && t.is_nan());
    assert_eq!(Triangle::new(flat), Err(ShapeError::Flat));

    // In 3D, the line lies in the plane of a triangle. Its parameter is a distance of 0 divided by a slope of 0.
    let wall = Triangle3::new([dvec3(0.0, 0.0, 0.0), dvec3(4.0, 0.0, 0.0), dvec3(0.0, 4.0, 0.0)]).unwrap();
    let (from, to) = (dvec3(-1.0, 1.0, 0.0), dvec3(5.0, 1.0, 0.0));
    let [a, b, c] = wall.corners();
    let normal = (b - a).cross(c - a);
    assert!((normal.dot(a - from) / normal.dot(to - from)).is_nan());
    assert_eq!(Segment3::new(from, to).unwrap().intersect(&wall), TriangleCrossing::InPlane);
    assert_eq!(Ray3::new(from, to).unwrap().cast_ray(&wall), None);
    // In a parallel plane, the line shares no point with the triangle.
    let beside = Segment3::new(from + dvec3(0.0, 0.0, 1.0), to + dvec3(0.0, 0.0, 1.0)).unwrap();
    assert_eq!(beside.intersect(&wall), TriangleCrossing::None);
}
