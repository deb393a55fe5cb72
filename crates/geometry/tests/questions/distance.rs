//! The distance, compared with that of all ends from all edges in exact numbers.

use crate::cases::{Owned, SYMMETRIES, pair, shift, shiftable, size};
use crate::contains::ROUND_DOUBT;
use crate::gap::{Part, distance_sq};
use crate::rational::{is_root_minus_reach, off_by, q};
use crate::run::{note, run};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use surefoot_geometry::tolerance::ROUNDING;
use surefoot_geometry::{Capsule, Circle, DVec2, Line, Obb, Point, Ray, Segment, Shape, dvec2};

fn check(a: &Owned, b: &Owned) -> Result<(), TestCaseError> {
    let square = distance_sq(&Part::of(a), &Part::of(b));
    let reach = q(a.radius()) + q(b.radius());
    let (distance, squared) = (a.any().distance(&b.any()), a.any().distance_sq(&b.any()));
    // 106 bits compare radii: squares that differ by less than a relative 2^-100 may count as equal.
    let doubt = q(ROUND_DOUBT) * &reach * &reach;
    if square != &reach * &reach && (&square - &reach * &reach).abs() < doubt {
        return Ok(());
    }
    let is_zero = square <= &reach * &reach;
    prop_assert_eq!(distance == 0.0, is_zero, "distance {} of squared distance {}", distance, square);
    prop_assert_eq!(squared == 0.0, is_zero, "squared distance {}", squared);
    prop_assert!(distance >= 0.0 && squared >= 0.0);
    if !is_zero {
        let size = size(&[a, b]);
        let error = q(ROUNDING) * q(size);
        note("distance", off_by(&q(distance), &reach, &square), size);
        prop_assert!(is_root_minus_reach(&q(distance), &reach, &square, &error), "{} of {}", distance, square);
        if reach.is_zero() {
            // The squared distance has a relative error of at most 2^-50. If almost all bits cancel, its error is at
            // most the square of 2^-50 of the size.
            let off = q(squared) - &square;
            let least = &error * &error;
            prop_assert!(off <= q(ROUNDING) * &square + &least && -off <= q(ROUNDING) * &square + &least);
        } else {
            // This test's own root is rounded too.
            let root = q(squared.sqrt());
            let error = error + q(f64::EPSILON) * &root;
            prop_assert!(is_root_minus_reach(&root, &reach, &square, &error), "squared {}", squared);
        }
    }
    Ok(())
}

#[test]
fn distance_agrees_with_the_witness() {
    run(("distance_agrees_with_the_witness", file!()), 300, pair(), |(a, b)| check(&a, &b));
}

/// Mirrors, quarter turns and swapped shapes change no bit.
#[test]
fn distance_keeps_its_bits() {
    run(("distance_keeps_its_bits", file!()), 300, pair(), |(a, b)| {
        let answers = |a: &Owned, b: &Owned| {
            let (a, b) = (a.any(), b.any());
            (a.distance(&b).to_bits(), a.distance_sq(&b).to_bits())
        };
        let first = answers(&a, &b);
        for turn in SYMMETRIES {
            let (a, b) = (a.turned(turn), b.turned(turn));
            prop_assert_eq!(answers(&a, &b), first, "{:?} {:?}", &a, &b);
            prop_assert_eq!(answers(&b, &a), first, "{:?} {:?} the other way round", &a, &b);
        }
        Ok(())
    });
}

/// A shift that keeps all coordinates exact changes no bit. Rotated boxes are excluded: the shift rounds their corners
/// again.
#[test]
fn distance_is_the_same_in_shifted_scenes() {
    let cases = (shiftable(), shiftable(), shift());
    run(("distance_is_the_same_in_shifted_scenes", file!()), 300, cases, |(a, b, by)| {
        let (there, other) = (a.shifted(by), b.shifted(by));
        prop_assert_eq!(there.any().distance(&other.any()).to_bits(), a.any().distance(&b.any()).to_bits());
        prop_assert_eq!(there.any().distance_sq(&other.any()).to_bits(), a.any().distance_sq(&b.any()).to_bits());
        Ok(())
    });
}

/// Extremely thin, equal and parallel shapes.
#[test]
fn degenerate_pairs() {
    let segment = |a: (f64, f64), b: (f64, f64)| Owned::Segment(Segment::new(a.into(), b.into()).unwrap());
    let line = |a: (f64, f64), b: (f64, f64)| Owned::Line(Line::new(a.into(), b.into()).unwrap());
    let ray = |a: (f64, f64), b: (f64, f64)| Owned::Ray(Ray::new(a.into(), b.into()).unwrap());
    let capsule = |a: (f64, f64), b: (f64, f64), r| Owned::Capsule(Capsule::new(a.into(), b.into(), r).unwrap());
    let circle = |x, y, r| Owned::Circle(Circle::new(dvec2(x, y), r).unwrap());
    let flat = |axis| Owned::Obb(Obb::new(dvec2(2.0, 1.0), dvec2(1.0, 0.0), axis).unwrap());
    let next = 1.0 + f64::EPSILON;
    let shapes = [
        Owned::Point(Point::new(DVec2::ZERO).unwrap()),
        Owned::Point(Point::new(dvec2(3.0, 4.0)).unwrap()),
        segment((0.0, 0.0), (0.0, 0.0)),
        segment((0.0, 0.0), (3.0, 1.0)),
        segment((6.0, 2.0), (9.0, 3.0)),
        segment((3.0, 1.0), (6.0, 2.0)),
        segment((0.0, 1.0), (6.0, 3.0)),
        segment((0.0, 1.0), (6.0, 3.0 * next)),
        line((0.0, 0.0), (3.0, 1.0)),
        line((3.0, 2.0), (0.0, 1.0)),
        line((0.0, 1.0), (3.0, 1.0 + next)),
        line((-9.0, -3.0), (9.0, 3.0)),
        ray((0.0, 0.0), (3.0, 1.0)),
        ray((0.0, 0.0), (-3.0, -1.0)),
        ray((3.0, 1.0), (6.0, 2.0)),
        ray((0.0, 1.0), (-3.0, 0.0)),
        ray((0.0, 1.0), (3.0, 1.0 + next)),
        circle(0.0, 0.0, 5.0),
        circle(0.0, 0.0, 0.0),
        circle(6.0, 8.0, 5.0),
        circle(6.0, 8.0, 5.0 * next),
        capsule((3.0, 1.0), (3.0, 1.0), 1.0),
        capsule((0.0, 5.0), (4.0, 8.0), 5.0),
        capsule((0.0, 5.0), (4.0, 8.0), 0.0),
        flat(DVec2::X),
        flat(dvec2(3.0, 1.0)),
        flat(dvec2(3.0, 4.0)),
    ];
    for a in &shapes {
        for b in &shapes {
            if let Err(error) = check(a, b) {
                panic!("{a:?} {b:?}: {error}");
            }
        }
    }
}

/// A squared distance computed without a root differs from the square of the rounded root.
#[test]
fn squared_distances_are_not_squared_roots() {
    let (origin, one) = (Point::new(DVec2::ZERO).unwrap(), Point::new(DVec2::ONE).unwrap());
    assert!(origin.distance_sq(&one) == 2.0 && origin.distance(&one) * origin.distance(&one) != 2.0);
    let floor = Segment::new(dvec2(-1.0, 2.0), dvec2(2.0, -1.0)).unwrap();
    assert!(origin.distance_sq(&floor) == 0.5);
}
