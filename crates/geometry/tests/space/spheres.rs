use crate::cases::{config, texture};
use crate::exact::{V, is_along, is_near, signed_sq};
use crate::rational::{Q, q};
use crate::scene::{size, spheres};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use surefoot_geometry::space::{DVec3, Sphere, dvec3};
use surefoot_geometry::tolerance::{ROUNDING, TOUCH};

/// Compares all tests of two spheres with the witness, which uses squares.
fn check(a: &Sphere, b: &Sphere) -> TestCaseResult {
    let between = V::of(a.center()).minus(&V::of(b.center()));
    let reach = &q(a.radius()) + &q(b.radius());
    let apart_sq = between.length_sq();
    let reach_sq = &reach * &reach;

    prop_assert_eq!(a.overlaps(b), apart_sq < reach_sq, "overlaps");

    let (low, high) = (&reach - &q(TOUCH), &reach + &q(TOUCH));
    let touches = apart_sq <= &high * &high && (low.is_negative() || apart_sq >= &low * &low);
    prop_assert_eq!(a.touches(b), touches, "touches");

    let distance = a.distance(b);
    prop_assert_eq!(distance > 0.0, apart_sq > reach_sq, "distance {}", distance);
    prop_assert!(distance == 0.0 || is_gap(distance, &reach, &apart_sq), "distance {}", distance);

    let contact = a.contact(b);
    prop_assert_eq!(contact.is_some(), apart_sq < reach_sq || touches, "contact {:?}", contact);
    let Some(contact) = contact else { return Ok(()) };
    prop_assert_eq!(contact.depth > 0.0, apart_sq < reach_sq, "depth {}", contact.depth);
    prop_assert!(contact.depth >= -TOUCH, "depth {}", contact.depth);
    prop_assert!(is_gap(-contact.depth, &reach, &apart_sq), "depth {}", contact.depth);
    if apart_sq.is_zero() {
        prop_assert_eq!(contact.normal, DVec3::Y);
    } else {
        prop_assert!(is_along(contact.normal, &between, ROUNDING), "{:?}", contact);
    }
    let point = V::of(b.center()).plus(&V::of(contact.normal).times(&q(b.radius())));
    let size = size(&[a.center(), b.center()]).max(2.0 * a.radius()).max(2.0 * b.radius());
    prop_assert!(is_near("point of a contact", contact.point, &point, ROUNDING * size), "{:?}", contact);
    Ok(())
}

/// Returns whether a gap is right within a relative `ROUNDING`. The exact gap is the root of `apart_sq` minus `reach`.
fn is_gap(gap: f64, reach: &Q, apart_sq: &Q) -> bool {
    let error = &q(gap.abs()) * &q(ROUNDING);
    let middle = &q(gap) + reach;
    let (low, high) = (&middle - &error, &middle + &error);
    signed_sq(&low) <= *apart_sq && *apart_sq <= signed_sq(&high)
}

proptest! {
    #![proptest_config(config(2000))]
    #[test]
    fn spheres_agree_with_the_witness((a, b) in texture().prop_flat_map(spheres)) {
        check(&a, &b)?;
        check(&b, &a)?;
    }
}

#[test]
fn degenerate_spheres() {
    let sphere = |x: f64, y: f64, z: f64, radius: f64| Sphere::new(dvec3(x, y, z), radius).unwrap();
    let bit = f64::EPSILON;
    let cap = surefoot_geometry::MAX_COORDINATE;
    let spheres = [
        sphere(0.0, 0.0, 0.0, 0.0),
        sphere(0.0, 0.0, 0.0, 3.0),
        sphere(2.0, 1.0, 2.0, 0.0),
        sphere(2.0, 1.0, 2.0 + 2.0 * bit, 0.0),
        sphere(2.0, 1.0, 2.0, TOUCH / 2.0),
        sphere(2.0, 1.0, 2.0, TOUCH),
        sphere(2.0, 1.0, 2.0, 3.0),
        sphere(4.0, 2.0, 4.0, 3.0),
        sphere(4.0, 2.0, 4.0, 3.0 - 2.0 * bit),
        sphere(0.0, 1e-50, 0.0, 0.0),
        sphere(cap, cap, cap, cap),
        sphere(-cap, -cap, -cap, 1.0),
    ];
    for a in &spheres {
        for b in &spheres {
            check(a, b).unwrap_or_else(|error| panic!("{a:?} and {b:?}: {error}"));
        }
    }
}
