//! Constructors reject bad numbers; all other numbers give results without NaN.

use crate::cases::{Texture, config};
use crate::scene::{aimed, plane, ray, segment, sphere, triangle};
use proptest::prelude::*;
use surefoot_geometry::space::{
    DVec3, Plane, PlaneCrossing, Ray3, Segment3, SpaceError, Sphere, Triangle3, TriangleCrossing, dvec3, pick,
};
use surefoot_geometry::{Intersect, MAX_COORDINATE};

#[test]
fn constructors_reject_bad_numbers() {
    let (cap, beyond) = (DVec3::splat(MAX_COORDINATE), dvec3(0.0, 0.0, MAX_COORDINATE * 2.0));
    assert!(Segment3::new(cap, -cap).is_ok());
    assert_eq!(Segment3::new(cap, beyond), Err(SpaceError::TooFar { at: beyond }));
    assert!(matches!(Segment3::new(DVec3::NAN, cap), Err(SpaceError::NotFinite { .. })));
    assert!(matches!(Sphere::new(DVec3::INFINITY, 1.0), Err(SpaceError::NotFinite { .. })));
    for radius in [-1.0, f64::NAN, f64::INFINITY, MAX_COORDINATE * 2.0] {
        assert!(matches!(Sphere::new(cap, radius), Err(SpaceError::BadRadius { .. })));
    }
    assert_eq!(Ray3::new(cap, cap), Err(SpaceError::NoDirection { at: cap }));
    assert!(Ray3::towards(cap, DVec3::splat(-1e-12)).is_err());
    assert!(matches!(Plane::new(cap, DVec3::splat(1e-100)), Err(SpaceError::NoDirection { .. })));
    let third = DVec3::splat(1.0 / 3.0);
    for middle in [DVec3::ZERO, cap, third] {
        assert_eq!(Triangle3::new([DVec3::ZERO, middle, cap]), Err(SpaceError::Flat));
        assert_eq!(Plane::through([middle, cap, DVec3::ZERO]), Err(SpaceError::Flat));
    }
    // A corner that is one bit off the line is enough for a triangle.
    let off = third + dvec3(0.0, 0.0, 1.0 / (1_u64 << 54) as f64);
    let normal = Triangle3::new([DVec3::ZERO, off, cap]).unwrap().normal();
    assert!((normal.length() - 1.0).abs() < 4.0 * f64::EPSILON, "{normal}");
}

#[test]
fn shapes_read_from_files_are_checked() {
    let triangle = |text: &str| ron::from_str::<Triangle3>(text);
    assert!(triangle("(corners: ((0, 0, 0), (1, 0, 0), (0, 1, 0)))").is_ok());
    let error = triangle("(corners: ((0, 0, 0), (1, 1, 1), (2, 2, 2)))").unwrap_err().to_string();
    assert!(error.contains("on one line"), "{error}");
    assert!(ron::from_str::<Sphere>("(center: (0, 0, 0), radius: -1)").is_err());
    assert!(ron::from_str::<Ray3>("(origin: (0, 0, 0), through: (0, 0, 0))").is_err());
    assert!(ron::from_str::<Plane>("Normal(point: (0, 0, 0), normal: (0, 0, 0))").is_err());
    assert!(ron::from_str::<Plane>("Through(((0, 0, 1), (1, 0, 0), (0, 0, 0)))").is_ok());
}

/// Coordinates from 2^-200 to the maximum, of one magnitude or of all.
fn extreme() -> BoxedStrategy<Texture> {
    prop_oneof![Just(Texture::Mixed), Just(Texture::Far)].boxed()
}

proptest! {
    #![proptest_config(config(1000))]
    #[test]
    fn no_result_is_nan(
        (a, b, plane, ray, segment, triangle, (other, from, to)) in extreme().prop_flat_map(|t| {
            (sphere(t), sphere(t), plane(t), ray(t), segment(t), triangle(t), aimed(t))
        })
    ) {
        prop_assert!(a.distance(&b).is_finite());
        if let Some(contact) = a.contact(&b) {
            prop_assert!(contact.point.is_finite() && contact.normal.is_normalized() && contact.depth.is_finite());
        }
        prop_assert!(plane.normal().is_normalized() && plane.point().is_finite());
        let aimed = Segment3::new(from, to).unwrap();
        for segment in [segment, aimed] {
            if let PlaneCrossing::Point { point, t } = segment.intersect(&plane) {
                prop_assert!(point.is_finite() && (0.0..=1.0).contains(&t));
            }
            for triangle in [triangle, other] {
                if let TriangleCrossing::Point { point, t, barycentric } = segment.intersect(&triangle) {
                    prop_assert!(point.is_finite() && (0.0..=1.0).contains(&t));
                    prop_assert!(barycentric.iter().all(|part| (0.0..=1.0).contains(part)));
                }
            }
        }
        for ray in [ray, Ray3::new(from, to).unwrap()] {
            if let Some(pick) = pick(&ray, &[triangle, other]) {
                let hit = pick.hit;
                prop_assert!(hit.t.is_finite() && hit.point.is_finite() && hit.normal.is_normalized());
                prop_assert!(hit.barycentric.iter().all(|part| (0.0..=1.0).contains(part)));
            }
        }
    }
}
