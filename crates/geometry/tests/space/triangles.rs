use crate::cases::{config, texture};
use crate::exact::{Along, V, along, at, is_along, is_near, is_unit, is_within, normal, parts};
use crate::rational::{Q, q};
use crate::scene::{aimed, size};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use surefoot_geometry::Intersect;
use surefoot_geometry::space::{DVec3, Ray3, Segment3, Triangle3, TriangleCrossing, dvec3};
use surefoot_geometry::tolerance::ROUNDING;

/// Checks a reported hit: parameter, point and barycentric coordinates.
fn check_hit(
    triangle: &Triangle3,
    (a, b): (DVec3, DVec3),
    should: &Q,
    (t, point, barycentric): (f64, DVec3, [f64; 3]),
) -> TestCaseResult {
    prop_assert!(is_within("t of a triangle", t, should, ROUNDING), "{} for {:?}", t, should);
    let exact = at(a, b, should);
    let [c, d, e] = triangle.corners();
    let bound = ROUNDING * size(&[a, b, c, d, e]);
    prop_assert!(is_near("point of a triangle", point, &exact, bound), "{:?}", point);
    let shares = parts(&exact, triangle.corners(), &normal(triangle.corners()));
    for (number, share) in barycentric.into_iter().zip(&shares) {
        prop_assert!(number >= 0.0, "{:?}", barycentric);
        prop_assert!(is_within("barycentric", number, share, ROUNDING), "{} for {:?}", number, share);
    }
    let [u, v, w] = barycentric.map(q);
    prop_assert!((u + v + w - q(1.0)).abs() <= q(ROUNDING), "{:?}", barycentric);
    Ok(())
}

fn check(triangle: &Triangle3, a: DVec3, b: DVec3) -> TestCaseResult {
    let normal = normal(triangle.corners());
    prop_assert!(is_along(triangle.normal(), &normal, ROUNDING), "{:?}", triangle.normal());
    let along = along(a, b, triangle.corners()[0], &normal);
    // `met` is the exact crossing, if the line crosses the triangle in one point.
    let met = match &along {
        Along::At(t) => {
            let parts = parts(&at(a, b, t), triangle.corners(), &normal);
            parts.iter().all(is_unit).then_some(t)
        }
        _ => None,
    };

    let shared = Segment3::new(a, b).unwrap().intersect(triangle);
    match (&along, met.filter(|t| is_unit(t))) {
        (Along::All, _) => prop_assert_eq!(shared, TriangleCrossing::InPlane),
        (_, None) => prop_assert_eq!(shared, TriangleCrossing::None),
        (_, Some(should)) => {
            let TriangleCrossing::Point { point, t, barycentric } = shared else {
                return Err(TestCaseError::fail(format!("{shared:?} at {should:?}")));
            };
            prop_assert!((0.0..=1.0).contains(&t), "{:?}", shared);
            check_hit(triangle, (a, b), should, (t, point, barycentric))?;
        }
    }

    let Ok(ray) = Ray3::new(a, b) else { return Ok(()) };
    let hit = ray.cast_ray(triangle);
    match (met.filter(|t| !t.is_negative()), hit) {
        (None, hit) => prop_assert_eq!(hit, None),
        (Some(should), None) => return Err(TestCaseError::fail(format!("missed at {should:?}"))),
        (Some(should), Some(hit)) => {
            check_hit(triangle, (a, b), should, (hit.t, hit.point, hit.barycentric))?;
            let against = normal.dot(&V::of(b).minus(&V::of(a))).is_negative();
            let should = if against { normal } else { normal.times(&q(-1.0)) };
            prop_assert!(is_along(hit.normal, &should, ROUNDING), "{:?}", hit);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(2000))]
    #[test]
    fn triangle_crossings_agree_with_the_witness((triangle, a, b) in texture().prop_flat_map(aimed)) {
        check(&triangle, a, b)?;
        check(&triangle, b, a)?;
        // The first line starts at a corner. The second one runs along an edge.
        let [c, d, _] = triangle.corners();
        check(&triangle, c, b)?;
        check(&triangle, c, d)?;
    }
}

#[test]
fn degenerate_lines_and_triangles() {
    let bit = f64::EPSILON;
    let points = [
        DVec3::ZERO,
        DVec3::X,
        DVec3::Y,
        DVec3::Z,
        DVec3::ONE,
        dvec3(0.5, 0.5, 0.0),
        dvec3(1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0),
        dvec3(1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0 + bit),
        dvec3(1.0 + bit, 1.0, 1.0),
        dvec3(2.0, 2.0, 2.0 + 2.0 * bit),
    ];
    let mut met = 0;
    for corners in [[0, 1, 2], [1, 2, 3], [4, 8, 1], [0, 4, 9], [0, 6, 7], [1, 4, 7]] {
        let triangle = Triangle3::new(corners.map(|i| points[i])).unwrap();
        for &a in &points {
            for &b in &points {
                check(&triangle, a, b).unwrap_or_else(|error| panic!("{triangle:?}, {a} to {b}: {error}"));
                met += usize::from(a != b && Ray3::new(a, b).unwrap().cast_ray(&triangle).is_some());
            }
        }
    }
    // Many pairs must hit, so that the test does not only compare misses.
    assert!(met > 100, "{met}");
    assert!(Triangle3::new([points[0], points[4], dvec3(7.0, 7.0, 7.0)]).is_err());
}
