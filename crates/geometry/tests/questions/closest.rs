//! The closest point of a shape, compared with the exact one.

use crate::cases::{Owned, SYMMETRIES, Texture, shift, shiftable, size, vector};
use crate::contains::{ROUND_DOUBT, point_of_probe, probe, shape_and_point, witness};
use crate::gap::Part;
use crate::rational::{Q, V, is_root_minus_reach, q, to_f64};
use crate::run::{note, run};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use surefoot_geometry::tolerance::ROUNDING;
use surefoot_geometry::{Aabb, Capsule, Circle, DVec2, Line, MAX_COORDINATE, Point, Segment, Shape, dvec2};

/// Returns the nearest point of the edges of a shape that does not contain `point`, and the corner if it is one.
fn foot(shape: &Owned, point: DVec2) -> (V, Option<DVec2>) {
    let (part, at) = (Part::of(shape), V::of(point));
    let foot = part.nearest_of_edges(&at);
    // The given points of an unbounded shape do not count as corners.
    let corner = shape.corners().into_iter().find(|&corner| !part.is_unbounded() && V::of(corner) == foot);
    (foot, corner)
}

fn check(shape: &Owned, point: DVec2) -> Result<(), TestCaseError> {
    let got = shape.any().closest_point(point);
    if witness(shape, point).unwrap_or(got == point) {
        prop_assert_eq!((got.x.to_bits(), got.y.to_bits()), (point.x.to_bits(), point.y.to_bits()));
        return Ok(());
    }
    let radius = shape.radius();
    let (foot, corner) = foot(shape, point);
    let size = size(&[shape, &Owned::Point(Point::new(point).unwrap())]);
    // Even the best result is rounded to f64 on each axis.
    let rounding = got.abs().max_element() * f64::EPSILON * 0.5;
    let error = q(ROUNDING) * q(size) + q(rounding);
    let noted = |error: f64| note("point", (error - rounding).max(0.0), size);
    if radius == 0.0 {
        if let Some(corner) = corner {
            // If the squared distances of two corners differ by less than a relative 2^-100, either may be chosen.
            let (way, best) = (V::of(point).minus(&V::of(got)).length_sq(), V::of(point).minus(&foot).length_sq());
            let is_as_near = shape.corners().contains(&got) && way <= &best + &best * q(ROUND_DOUBT);
            prop_assert!(got == corner || is_as_near, "{} is not the corner {}", got, corner);
        }
        let off = V::of(got).minus(&foot);
        noted(to_f64(&off.length_sq()).sqrt() * std::f64::consts::FRAC_1_SQRT_2);
        for off in [&off.x, &off.y] {
            prop_assert!(*off <= error && -off <= error, "{} is off by {}", got, to_f64(off));
        }
    } else {
        // The result must be on the circle around the foot, in the direction from the foot to the point.
        let error = error * q(std::f64::consts::SQRT_2);
        let (arm, way) = (V::of(got).minus(&foot), V::of(point).minus(&foot));
        let side = arm.cross(&way);
        prop_assert!(is_root_minus_reach(&q(radius), &Q::zero(), &arm.length_sq(), &error), "{} is not on it", got);
        // The result must be ahead of the foot, towards the point. An arm shorter than the error may lean in any
        // direction.
        let ahead = arm.dot(&way);
        prop_assert!(ahead >= Q::zero() || &ahead * &ahead <= &error * &error * way.length_sq(), "{} is behind", got);
        prop_assert!(&side * &side <= &error * &error * way.length_sq(), "{} is beside the way", got);
    }
    Ok(())
}

#[test]
fn closest_point_agrees_with_the_witness() {
    let cases = shape_and_point().prop_filter("beyond the cap", |(_, at)| at.abs().max_element() <= MAX_COORDINATE);
    run(("closest_point_agrees_with_the_witness", file!()), 300, cases, |(shape, point)| check(&shape, point));
}

/// No other known point of the shape is closer, and the distance is that to the point found.
#[test]
fn no_other_point_is_nearer() {
    let cases = (shape_and_point(), probe())
        .prop_filter("beyond the cap", |((_, at), _)| at.abs().max_element() <= MAX_COORDINATE);
    run(("no_other_point_is_nearer", file!()), 300, cases, |((shape, point), probe)| {
        let got = shape.any().closest_point(point);
        let other = point_of_probe(&shape, probe, point);
        let at = Owned::Point(Point::new(point).unwrap());
        let size = size(&[&shape, &at]).max((other - point).length());
        let largest = got.abs().max(other.abs()).max_element();
        // The error covers the roots and differences that this test computes, and twice the rounding of a point.
        let error = 4.0 * ROUNDING * size + 4.0 * f64::EPSILON * largest;
        if shape.any().contains(other) {
            prop_assert!(got.distance(point) <= other.distance(point) + error, "{} is nearer than {}", other, got);
        }
        prop_assert!((got.distance(point) - shape.any().distance(&at.any())).abs() <= error);
        Ok(())
    });
}

#[test]
fn closest_point_keeps_its_bits() {
    run(("closest_point_keeps_its_bits", file!()), 300, shape_and_point(), |(shape, point)| {
        let got = shape.any().closest_point(point);
        for turn in SYMMETRIES {
            let there = shape.turned(turn);
            prop_assert_eq!(there.any().closest_point(turn(point)), turn(got), "{:?}", there);
        }
        Ok(())
    });
}

/// A shift changes only the rounding of the result's coordinates.
#[test]
fn closest_point_is_the_same_in_shifted_scenes() {
    let cases = (shiftable(), vector(Texture::Lattice), shift());
    run(("closest_point_is_the_same_in_shifted_scenes", file!()), 300, cases, |(shape, point, by)| {
        let there = shape.shifted(by);
        let (here, there) = (shape.any().closest_point(point), there.any().closest_point(point + by));
        let error = f64::EPSILON * (here.abs().max(there.abs()).max_element() + by.abs().max_element());
        prop_assert!((there - by - here).abs().max_element() <= error, "{} and {}", here, there);
        Ok(())
    });
}

/// The two points of a line may be so close together that 106 bits cannot tell which one is nearer to a third point.
#[test]
fn a_line_through_neighbouring_points_is_infinite() {
    let point = dvec2(0.1, -0.7);
    for exponent in [-90, -106, -120, -199] {
        let tiny = f64::powi(2.0, exponent);
        let line = |to: DVec2| Line::new(DVec2::ZERO, to * tiny).unwrap();
        assert_eq!(line(DVec2::X).closest_point(point), dvec2(0.1, 0.0), "2^{exponent}");
        assert_eq!(line(DVec2::Y).closest_point(point), dvec2(0.0, -0.7), "2^{exponent}");
        // By hand, the point is (0.4, -0.4). The error may have either sign.
        let off = line(dvec2(1.0, -1.0)).closest_point(point) - dvec2(0.4, -0.4);
        assert!(off.abs().max_element() <= ROUNDING, "2^{exponent} {off}");
    }
}

/// Points that no constructor has checked, with results computed by hand.
#[test]
fn points_from_anywhere() {
    let square = Aabb::new(DVec2::ZERO, DVec2::ONE).unwrap();
    let floor = Segment::new(DVec2::ZERO, dvec2(4.0, 3.0)).unwrap();
    let disc = Circle::new(dvec2(1.0, 1.0), 5.0).unwrap();
    let pill = Capsule::new(DVec2::ZERO, dvec2(4.0, 0.0), 0.5).unwrap();
    let line = Line::new(DVec2::ZERO, DVec2::X).unwrap();
    assert_eq!(square.closest_point(dvec2(f64::NAN, 3.0)), DVec2::Y);
    assert_eq!(square.closest_point(dvec2(f64::INFINITY, f64::NEG_INFINITY)), DVec2::X);
    assert_eq!(floor.closest_point(dvec2(-1.0, 7.0)), dvec2(2.72, 2.04));
    assert_eq!(floor.closest_point(dvec2(f64::MAX, 0.0)), dvec2(4.0, 3.0));
    assert_eq!(disc.closest_point(dvec2(7.0, 9.0)), dvec2(4.0, 5.0));
    assert_eq!(pill.closest_point(dvec2(1.0, 2.0)), dvec2(1.0, 0.5));
    assert_eq!(line.closest_point(dvec2(1e9, 0.0)), dvec2(1e9, 0.0));
    assert_eq!(line.closest_point(dvec2(1e9, 1.0)), dvec2(2.0 * MAX_COORDINATE, 0.0));
    for x in [f64::NAN, f64::INFINITY, -f64::MAX, 1e-310] {
        for y in [f64::NAN, f64::NEG_INFINITY, f64::MAX, -1e-310] {
            for got in [
                square.closest_point(dvec2(x, y)),
                floor.closest_point(dvec2(x, y)),
                disc.closest_point(dvec2(x, y)),
                pill.closest_point(dvec2(x, y)),
                line.closest_point(dvec2(x, y)),
            ] {
                assert!(got.is_finite(), "{x} {y}");
            }
        }
    }
}
