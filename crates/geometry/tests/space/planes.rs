use crate::cases::{Texture, config, texture};
use crate::exact::{Along, V, along, at, is_along, is_near, is_unit, is_within, normal};
use crate::scene::{plane, segment, size, vector};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use surefoot_geometry::Intersect;
use surefoot_geometry::space::{DVec3, Plane, PlaneCrossing, Segment3, dvec3};
use surefoot_geometry::tolerance::ROUNDING;

/// The constructor input of a plane, for the witness.
#[derive(Clone, Copy, Debug)]
enum Made {
    Normal(DVec3, DVec3),
    Through([DVec3; 3]),
}

fn check(segment: &Segment3, made: Made) -> TestCaseResult {
    let (plane, point, normal) = match made {
        Made::Normal(point, normal) => (Plane::new(point, normal), point, V::of(normal)),
        Made::Through(points) => (Plane::through(points), points[0], normal(points)),
    };
    let Ok(plane) = plane else { return Ok(()) };
    prop_assert!(is_along(plane.normal(), &normal, ROUNDING), "{:?}", plane.normal());
    let (a, b) = (segment.a(), segment.b());
    let shared = segment.intersect(&plane);
    match along(a, b, point, &normal) {
        Along::All => prop_assert_eq!(shared, PlaneCrossing::Segment),
        Along::At(should) if is_unit(&should) => {
            let PlaneCrossing::Point { point, t } = shared else {
                return Err(TestCaseError::fail(format!("{shared:?} at {should:?}")));
            };
            prop_assert!((0.0..=1.0).contains(&t), "{:?}", shared);
            prop_assert!(is_within("t of a plane", t, &should, ROUNDING), "{:?} at {:?}", shared, should);
            let (exact, bound) = (at(a, b, &should), ROUNDING * size(&[a, b]));
            prop_assert!(is_near("point of a plane", point, &exact, bound), "{:?}", shared);
        }
        _ => prop_assert_eq!(shared, PlaneCrossing::None),
    }
    Ok(())
}

/// Vectors that constructors accept.
fn vectors(texture: Texture) -> BoxedStrategy<DVec3> {
    vector(texture).prop_filter("not flushed", |v| v.to_array().iter().all(|x| *x == 0.0 || x.abs() > 1e-59)).boxed()
}

proptest! {
    #![proptest_config(config(2000))]
    #[test]
    fn plane_crossings_agree_with_the_witness(
        (segment, a, b, c) in texture().prop_flat_map(|t| (segment(t), vectors(t), vectors(t), vectors(t)))
    ) {
        check(&segment, Made::Normal(a, b))?;
        check(&segment, Made::Through([a, b, c]))?;
        // The second segment ends on the plane.
        if let Ok(onto) = Segment3::new(segment.a(), a) {
            check(&onto, Made::Normal(a, b))?;
            check(&onto, Made::Through([a, b, c]))?;
        }
    }

    #[test]
    fn the_order_of_ends_does_not_matter((segment, plane) in texture().prop_flat_map(|t| (segment(t), plane(t)))) {
        let back = Segment3::new(segment.b(), segment.a()).unwrap();
        match (segment.intersect(&plane), back.intersect(&plane)) {
            (PlaneCrossing::Point { t, .. }, PlaneCrossing::Point { t: u, .. }) => {
                prop_assert!((t + u - 1.0).abs() <= 2.0 * ROUNDING);
            }
            (one, other) => prop_assert_eq!(one, other),
        }
    }
}

#[test]
fn degenerate_planes_and_segments() {
    let points = [
        DVec3::ZERO,
        DVec3::X,
        DVec3::Y,
        DVec3::ONE,
        dvec3(1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0),
        dvec3(1.0 + f64::EPSILON, 1.0, 1.0),
        dvec3(1.0, 1.0 + f64::EPSILON, 1.0),
        dvec3(1e-50, 0.0, 0.0),
        dvec3(-5.0, 7.0, 0.1),
    ];
    for &a in &points {
        for &b in &points {
            let segment = Segment3::new(a, b).unwrap();
            for &c in &points {
                for &d in &points {
                    check(&segment, Made::Normal(c, d)).unwrap();
                    check(&segment, Made::Through([c, d, points[8]])).unwrap();
                }
            }
        }
    }
}
