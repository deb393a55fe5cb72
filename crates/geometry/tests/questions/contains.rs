//! Which points shapes contain, compared with exact numbers.

use crate::cases::{Owned, SYMMETRIES, Texture, shape, shift, shiftable, texture, vector};
use crate::gap::Part;
use crate::rational::{V, q};
use crate::run::run;
use proptest::prelude::*;
use surefoot_geometry::{Aabb, Circle, DVec2, Line, MAX_COORDINATE, Ray, Segment, Shape, dvec2};

/// How to choose a point relative to the shape.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Probe {
    /// A corner or the centre.
    Corner(usize),
    /// Between two corners, rounded.
    Between(usize, f64),
    /// In some direction from a corner, about as far as the radius.
    Radius(usize, usize),
    /// Anywhere.
    Free,
}

pub(crate) fn probe() -> BoxedStrategy<Probe> {
    prop_oneof![
        1 => (0..16_usize).prop_map(Probe::Corner),
        3 => (0..16_usize, prop_oneof![Just(0.5), Just(2.0), Just(-1.0), 0.0..1.0]).prop_map(|(i, t)| Probe::Between(i, t)),
        2 => (0..16_usize, 0..12_usize).prop_map(|(i, way)| Probe::Radius(i, way)),
        2 => Just(Probe::Free),
    ].boxed()
}

/// Returns the point that the probe selects; `free` if it selects none.
pub(crate) fn point_of_probe(shape: &Owned, probe: Probe, free: DVec2) -> DVec2 {
    let (corners, radius) = (shape.corners(), shape.radius());
    let corner = |i: usize| corners[i % corners.len()];
    match probe {
        Probe::Corner(i) => corner(i),
        Probe::Between(i, t) => corner(i) + (corner(i + 1) - corner(i)) * t,
        Probe::Radius(i, way) => {
            let ways = [dvec2(1.0, 0.0), dvec2(0.6, 0.8), dvec2(0.28, 0.96)];
            corner(i) + SYMMETRIES[way % 4](ways[way / 4]) * radius
        }
        Probe::Free => free,
    }
}

/// A shape and a point of the same texture.
pub(crate) fn shape_and_point() -> BoxedStrategy<(Owned, DVec2)> {
    texture()
        .prop_flat_map(|texture| (shape(texture), probe(), vector(texture)))
        .prop_map(|(shape, probe, free)| (shape.clone(), point_of_probe(&shape, probe, free)))
        // Smaller numbers count as 0; another test covers them.
        .prop_filter("too small", |(_, at)| at.to_array().iter().all(|x| *x == 0.0 || x.abs() > 1e-59))
        .boxed()
}

/// Round shapes are decided with 106 bits: squares that differ by less than a relative 2^-100 may count as equal.
pub(crate) const ROUND_DOUBT: f64 = 1.0 / (1_u128 << 100) as f64;

/// Returns whether the shape contains the point; `None` if a round shape may decide either way.
pub(crate) fn witness(shape: &Owned, point: DVec2) -> Option<bool> {
    let square = Part::of(shape).distance_sq_to(&V::of(point));
    let reach = q(shape.radius()) * q(shape.radius());
    let is_clear = reach.is_zero() || square == reach || (&square - &reach).abs() > q(ROUND_DOUBT) * &reach;
    is_clear.then(|| square <= reach)
}

#[test]
fn contains_is_exact() {
    run(("contains_is_exact", file!()), 1000, shape_and_point(), |(shape, point)| {
        let got = shape.any().contains(point);
        prop_assert_eq!(got, witness(&shape, point).unwrap_or(got));
        Ok(())
    });
}

#[test]
fn contains_is_the_same_in_the_mirror() {
    run(("contains_is_the_same_in_the_mirror", file!()), 500, shape_and_point(), |(shape, point)| {
        let here = shape.any().contains(point);
        for turn in SYMMETRIES {
            let there = shape.turned(turn);
            prop_assert_eq!(there.any().contains(turn(point)), here, "{:?}", there);
        }
        Ok(())
    });
}

#[test]
fn contains_is_the_same_in_shifted_scenes() {
    let cases = (shiftable(), probe(), vector(Texture::Lattice), shift());
    run(("contains_is_the_same_in_shifted_scenes", file!()), 500, cases, |(shape, probe, free, by)| {
        let point = point_of_probe(&shape, probe, free);
        // The shift must be exact for the point too.
        let point = (point * 1024.0).round() / 1024.0;
        prop_assert_eq!(shape.shifted(by).any().contains(point + by), shape.any().contains(point));
        Ok(())
    });
}

/// Radii are roots rounded up, rounded down, and their neighbours. f64 alone would count some outer points as inside.
#[test]
fn discs_to_the_last_bit() {
    for (x, y) in (1..=12).flat_map(|x| (0..=12).map(move |y| (f64::from(x) / 7.0, f64::from(y) / 1100.0))) {
        let (center, at) = (dvec2(1.0 / 3.0, 200.0 / 7.0), dvec2(x, y));
        let root = at.distance(center);
        let way = V::of(at).minus(&V::of(center));
        for radius in [root.next_down(), root, root.next_up()] {
            let disc = Circle::new(center, radius).unwrap();
            let is_inside = way.length_sq() <= q(radius) * q(radius);
            assert_eq!(disc.contains(at), is_inside, "{at} in {disc:?}");
            let halves = [center, at].map(|at| Circle::new(at, radius * 0.5).unwrap());
            assert_eq!(halves[0].distance(&halves[1]) == 0.0, is_inside, "{at} within {radius}");
        }
    }
}

/// Points that no constructor has checked.
#[test]
fn points_from_anywhere() {
    let line = Line::new(DVec2::ZERO, dvec2(3.0, 1.0)).unwrap();
    let ray = Ray::new(DVec2::ZERO, dvec2(3.0, 1.0)).unwrap();
    let disc = Circle::new(dvec2(MAX_COORDINATE, 0.0), 2.0).unwrap();
    let square = Aabb::new(-DVec2::ONE, DVec2::ONE).unwrap();
    let dot = Segment::new(DVec2::ZERO, DVec2::ZERO).unwrap();
    for bad in [DVec2::NAN, DVec2::INFINITY, dvec2(0.0, f64::NAN), dvec2(f64::NEG_INFINITY, 0.0)] {
        assert!(!line.contains(bad) && !ray.contains(bad) && !disc.contains(bad) && !square.contains(bad), "{bad}");
    }
    let far = 2.0_f64.powi(880);
    assert!(line.contains(dvec2(3.0 * far, far)) && !line.contains(dvec2(3.0 * far, far * (1.0 + f64::EPSILON))));
    assert!(ray.contains(dvec2(3.0 * far, far)) && !ray.contains(-dvec2(3.0 * far, far)));
    assert!(!line.contains(DVec2::splat(f64::MAX)) && !disc.contains(DVec2::splat(f64::MAX)));
    assert!(disc.contains(dvec2(MAX_COORDINATE + 2.0, 0.0)) && !disc.contains(dvec2(MAX_COORDINATE + 2.5, 0.0)));
    assert!(dot.contains(DVec2::splat(1e-300)) && !dot.contains(DVec2::splat(1e-50)));
}
