//! Numbers and files that constructors accept or reject.

use crate::cases::{Owned, config, shape, texture};
use proptest::collection::vec;
use proptest::prelude::*;
use serde::{Serialize, de::DeserializeOwned};
use surefoot_geometry::{
    Aabb, Capsule, Circle, ConvexPolygon, DVec2, Line, MAX_COORDINATE, MAX_CORNERS, Obb, Orientation, Point, Ray,
    Segment, ShapeError, Triangle, dvec2, orientation,
};

const CAP: f64 = MAX_COORDINATE;

/// Checks that a shape read back equals the written one, bit for bit.
fn check_round_trip<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(shape: &T) {
    let text = ron::to_string(shape).unwrap();
    assert_eq!(ron::from_str::<T>(&text).as_ref(), Ok(shape), "{text}");
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn shapes_read_back_from_files(shape in texture().prop_flat_map(shape)) {
        match &shape {
            Owned::Point(shape) => check_round_trip(shape),
            Owned::Line(shape) => check_round_trip(shape),
            Owned::Ray(shape) => check_round_trip(shape),
            Owned::Segment(shape) => check_round_trip(shape),
            Owned::Circle(shape) => check_round_trip(shape),
            Owned::Aabb(shape) => check_round_trip(shape),
            Owned::Capsule(shape) => check_round_trip(shape),
            Owned::Triangle(shape) => check_round_trip(shape),
            Owned::ConvexPolygon(shape) => check_round_trip(shape),
            Owned::Obb(shape) => check_round_trip(shape),
        }
    }
}

/// A bad coordinate is rejected in every position of every shape, with the right error.
#[test]
fn coordinates_must_be_finite_and_within_the_cap() {
    let too_far = CAP.next_up();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, too_far, -too_far] {
        for at in [dvec2(bad, 0.0), dvec2(0.0, bad)] {
            let refusals = [
                Point::new(at).map(drop),
                Line::new(at, DVec2::ONE).map(drop),
                Line::new(DVec2::ONE, at).map(drop),
                Ray::new(at, DVec2::ONE).map(drop),
                Ray::new(DVec2::ONE, at).map(drop),
                Ray::towards(at, DVec2::X).map(drop),
                Segment::new(at, DVec2::ONE).map(drop),
                Segment::new(DVec2::ONE, at).map(drop),
                Circle::new(at, 1.0).map(drop),
                Aabb::new(at, DVec2::ONE).map(drop),
                Aabb::new(DVec2::ONE, at).map(drop),
                Aabb::from_center(at, DVec2::ONE).map(drop),
                Obb::new(at, DVec2::ONE, DVec2::X).map(drop),
                Obb::new(DVec2::ZERO, DVec2::ONE, at).map(drop),
                Capsule::new(at, DVec2::ONE, 1.0).map(drop),
                Capsule::new(DVec2::ONE, at, 1.0).map(drop),
                Triangle::new([at, DVec2::X, DVec2::Y]).map(drop),
                Triangle::new([DVec2::X, at, DVec2::Y]).map(drop),
                Triangle::new([DVec2::X, DVec2::Y, at]).map(drop),
                ConvexPolygon::new(&[DVec2::X, DVec2::Y, at]).map(drop),
            ];
            for (which, refusal) in refusals.into_iter().enumerate() {
                let is_right = match refusal {
                    Err(ShapeError::NotFinite { .. }) => !bad.is_finite(),
                    Err(ShapeError::TooFar { at: told }) => bad.is_finite() && (told == at || which == 5),
                    _ => false,
                };
                assert!(is_right, "{which}: {at} gives {refusal:?}");
            }
        }
    }
    assert!(Point::new(DVec2::splat(CAP)).is_ok() && Point::new(DVec2::splat(-CAP)).is_ok());
    let beyond = Aabb::from_center(dvec2(CAP, 0.0), DVec2::ONE);
    assert_eq!(beyond, Err(ShapeError::TooFar { at: dvec2(CAP + 1.0, 1.0) }));
    let beyond = Obb::new(dvec2(CAP, 0.0), DVec2::ONE, DVec2::X);
    assert_eq!(beyond, Err(ShapeError::TooFar { at: dvec2(CAP + 1.0, -1.0) }));
}

#[test]
fn extents_must_be_numbers_from_0_to_the_cap() {
    for bad in [-1.0, -f64::MIN_POSITIVE, f64::NAN, f64::INFINITY, CAP.next_up()] {
        let refusals = [
            Circle::new(DVec2::ZERO, bad).map(drop),
            Capsule::new(DVec2::ZERO, DVec2::X, bad).map(drop),
            Aabb::from_center(DVec2::ZERO, dvec2(bad, 1.0)).map(drop),
            Aabb::from_center(DVec2::ZERO, dvec2(1.0, bad)).map(drop),
            Obb::new(DVec2::ZERO, dvec2(bad, 1.0), DVec2::X).map(drop),
            Obb::new(DVec2::ZERO, dvec2(1.0, bad), DVec2::X).map(drop),
        ];
        for refusal in refusals {
            let Err(ShapeError::BadExtent { extent }) = refusal else { panic!("{bad} gives {refusal:?}") };
            assert_eq!(extent.to_bits(), bad.to_bits());
        }
    }
    for good in [0.0, -0.0, CAP] {
        assert_eq!(Circle::new(DVec2::ZERO, good).unwrap().radius(), good);
    }
}

#[test]
fn shapes_without_direction_or_area_are_rejected() {
    let at = dvec2(3.0, 4.0);
    assert_eq!(Line::new(at, at), Err(ShapeError::NoDirection { at }));
    assert_eq!(Ray::new(at, at), Err(ShapeError::NoDirection { at }));
    // The direction is too short to reach another f64.
    assert_eq!(Ray::towards(at, DVec2::splat(f64::powi(2.0, -60))), Err(ShapeError::NoDirection { at }));
    assert_eq!(Obb::new(at, DVec2::ONE, DVec2::ZERO), Err(ShapeError::NoDirection { at: DVec2::ZERO }));
    assert_eq!(Triangle::new([at, DVec2::ZERO, at * 2.0]), Err(ShapeError::Flat));
    assert_eq!(Triangle::new([at, at, DVec2::X]), Err(ShapeError::Flat));
    for (min, max) in [(DVec2::X, DVec2::Y), (DVec2::Y, DVec2::X), (DVec2::ONE, DVec2::ZERO)] {
        assert_eq!(Aabb::new(min, max), Err(ShapeError::Inverted { min, max }));
    }
    // Points and flat boxes are valid shapes.
    assert!(Segment::new(at, at).is_ok() && Capsule::new(at, at, 0.0).is_ok() && Aabb::new(at, at).is_ok());
}

#[test]
fn negative_zero_and_tiny_numbers_are_zero() {
    let smallest = f64::powi(2.0, -200);
    for tiny in [-0.0, smallest.next_down(), -smallest.next_down(), f64::MIN_POSITIVE, -f64::from_bits(1)] {
        let at = Point::new(DVec2::splat(tiny)).unwrap().position();
        assert_eq!((at.x.to_bits(), at.y.to_bits()), (0, 0), "{tiny}");
        let circle = Circle::new(DVec2::splat(tiny), tiny.abs()).unwrap();
        assert_eq!((circle.center().x.to_bits(), circle.radius().to_bits()), (0, 0));
        assert_eq!(Line::new(DVec2::splat(tiny), DVec2::ZERO), Err(ShapeError::NoDirection { at: DVec2::ZERO }));
    }
    assert_eq!(Point::new(DVec2::splat(-smallest)).unwrap().position(), DVec2::splat(-smallest));
}

/// Corners on a parabola turn in the same direction at each corner, exactly.
fn parabola(count: u32) -> Vec<DVec2> {
    (0..count).map(f64::from).map(|x| dvec2(x, x * x)).collect()
}

#[test]
fn polygons_have_3_to_16_corners() {
    assert_eq!(ConvexPolygon::new(&parabola(16)).unwrap().corners(), parabola(16));
    assert_eq!(MAX_CORNERS, 16);
    for count in [0, 1, 2, 17, 40] {
        let refusal = ConvexPolygon::new(&parabola(count));
        assert_eq!(refusal, Err(ShapeError::CornerCount { count: count as usize }));
    }
}

#[test]
fn clockwise_corners_are_reversed() {
    let (a, b, c, d) = (DVec2::ZERO, dvec2(2.0, 0.0), dvec2(3.0, 2.0), dvec2(0.0, 2.0));
    assert_eq!(Triangle::new([a, c, b]).unwrap().corners(), [a, b, c]);
    assert_eq!(Triangle::new([a, b, c]).unwrap().corners(), [a, b, c]);
    assert_eq!(ConvexPolygon::new(&[a, d, c, b]).unwrap().corners(), &[a, b, c, d]);
    assert_eq!(ConvexPolygon::new(&[a, d, c, b]), ConvexPolygon::new(&[a, b, c, d]));
}

#[test]
fn polygons_that_are_not_convex_are_refused() {
    // Each corner of a five-pointed star turns left, but the outline winds around twice.
    let round = [dvec2(0.0, 4.0), dvec2(-4.0, 1.0), dvec2(-2.0, -4.0), dvec2(2.0, -4.0), dvec2(4.0, 1.0)];
    assert!(ConvexPolygon::new(&round).is_ok());
    let star = [0, 2, 4, 1, 3].map(|corner| round[corner]);
    assert_eq!(ConvexPolygon::new(&star), Err(ShapeError::Winding));
    let twice: Vec<DVec2> = round.iter().chain(&round).copied().collect();
    assert_eq!(ConvexPolygon::new(&twice), Err(ShapeError::Winding));

    let square = [DVec2::ZERO, dvec2(4.0, 0.0), dvec2(4.0, 4.0), dvec2(0.0, 4.0)];
    let with = |corner: DVec2| ConvexPolygon::new(&[square[0], square[1], corner, square[2], square[3]]);
    // The added corner is in line with its neighbours, dented by one bit, and bulging by one bit. The last one repeats
    // a corner.
    assert_eq!(with(dvec2(4.0, 2.0)), Err(ShapeError::NotConvex { corner: 2 }));
    assert_eq!(with(dvec2(4.0_f64.next_down(), 2.0)), Err(ShapeError::NotConvex { corner: 2 }));
    assert!(with(dvec2(4.0_f64.next_up(), 2.0)).is_ok());
    assert_eq!(with(square[1]), Err(ShapeError::NotConvex { corner: 1 }));
    assert!(matches!(ConvexPolygon::new(&[DVec2::ZERO, DVec2::X, DVec2::X * 2.0]), Err(ShapeError::NotConvex { .. })));
}

#[test]
fn turned_boxes_without_width_are_segments_and_points() {
    let at = dvec2(5.0, 5.0);
    let corners = |half: DVec2| Obb::new(at, half, dvec2(3.0, 4.0)).unwrap().corners().to_vec();
    assert_eq!(corners(dvec2(5.0, 0.0)), [dvec2(2.0, 1.0), dvec2(8.0, 9.0)]);
    assert_eq!(corners(dvec2(0.0, 5.0)), [dvec2(9.0, 2.0), dvec2(1.0, 8.0)]);
    assert_eq!(corners(DVec2::ZERO), [at]);
    // The boxes are so thin that some corners become equal.
    assert_eq!(corners(dvec2(5.0, f64::powi(2.0, -80))).len(), 2);
    assert_eq!(corners(DVec2::splat(f64::powi(2.0, -80))), [at]);
    assert_eq!(corners(dvec2(5.0, 5.0)).len(), 4);
}

fn refuses<T: DeserializeOwned + std::fmt::Debug>(text: &str, why: &str) {
    let error = ron::from_str::<T>(text).expect_err(text).to_string();
    assert!(error.contains(why), "{text}: {error}");
}

#[test]
fn files_are_checked_as_constructors_check() {
    refuses::<Point>("(16777217.0, 0.0)", "are out of range; expected numbers from -16777216 to 16777216");
    refuses::<Line>("(a: (1.0, 2.0), b: (1.0, 2.0))", "gives no direction");
    refuses::<Ray>("(origin: (1.0, 2.0), through: (1.0, 2.0))", "gives no direction");
    refuses::<Segment>("(a: (NaN, 2.0), b: (1.0, 2.0))", "are not finite");
    refuses::<Circle>(
        "(center: (0.0, 0.0), radius: -1.0)",
        "the radius or half-extent -1 is out of range; expected a number from 0 to 16777216",
    );
    refuses::<Aabb>("(min: (1.0, 0.0), max: (0.0, 1.0))", "expected the lower left, then the upper right");
    refuses::<Obb>("(center: (0.0, 0.0), half_extents: (1.0, 1.0), axis: (0.0, 0.0))", "gives no direction");
    refuses::<Capsule>("(a: (0.0, 0.0), b: (1.0, 0.0), radius: inf)", "the radius or half-extent inf");
    refuses::<Triangle>("(corners: ((0.0, 0.0), (1.0, 1.0), (2.0, 2.0)))", "on one line");
    refuses::<ConvexPolygon>("(corners: [(0.0, 0.0), (1.0, 1.0)])", "the polygon has 2 corners; expected 3 to 16");
}

#[test]
fn files_with_unknown_fields_are_refused() {
    let unknown = "Unexpected field named `colour`";
    refuses::<Line>("(a: (0.0, 0.0), b: (1.0, 2.0), colour: 1)", unknown);
    refuses::<Ray>("(origin: (0.0, 0.0), through: (1.0, 2.0), colour: 1)", unknown);
    refuses::<Segment>("(a: (0.0, 0.0), b: (1.0, 2.0), colour: 1)", unknown);
    refuses::<Circle>("(center: (0.0, 0.0), radius: 1.0, colour: 1)", unknown);
    refuses::<Aabb>("(min: (0.0, 0.0), max: (1.0, 1.0), colour: 1)", unknown);
    refuses::<Obb>("(center: (0.0, 0.0), half_extents: (1.0, 1.0), axis: (1.0, 0.0), colour: 1)", unknown);
    refuses::<Capsule>("(a: (0.0, 0.0), b: (1.0, 0.0), radius: 1.0, colour: 1)", unknown);
    refuses::<Triangle>("(corners: ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)), colour: 1)", unknown);
    refuses::<ConvexPolygon>("(corners: [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)], colour: 1)", unknown);
}

/// Returns whether every corner is on the left of each edge that does not contain it: convex and counter-clockwise, by
/// definition.
fn is_convex(corners: &[DVec2]) -> bool {
    let count = corners.len();
    (0..count).all(|i| {
        let (from, to) = (corners[i], corners[(i + 1) % count]);
        (2..count).all(|k| orientation(from, to, corners[(i + k) % count]) == Orientation::CounterClockwise)
    })
}

/// Corners that all turn in one direction, but the outline crosses itself. A fan of triangles around the first corner
/// would not detect this.
#[test]
fn polygons_that_cross_themselves_are_refused() {
    let crossed = [(-3.0, 0.0), (-5.0, -3.0), (1.0, 3.0), (-7.0, -2.0), (4.0, -2.0)];
    let another = [(-4.0, 5.0), (4.0, 6.0), (-6.0, 6.0), (-6.0, 0.0), (-1.0, 6.0)];
    for corners in [crossed, another] {
        assert_eq!(ConvexPolygon::new(&corners.map(DVec2::from)), Err(ShapeError::Winding), "{corners:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: config(20_000).cases.max(20_000), ..config(20_000) })]

    #[test]
    fn polygons_are_convex_by_the_definition(
        corners in vec((-7..=7_i32, -7..=7_i32).prop_map(|(x, y)| dvec2(x.into(), y.into())), 3..7),
    ) {
        let mut backwards = corners.clone();
        backwards.reverse();
        let expected = is_convex(&corners) || is_convex(&backwards);
        prop_assert_eq!(ConvexPolygon::new(&corners).is_ok(), expected, "{:?}", corners);
    }
}

#[test]
fn shapes_are_moved_by_constructing_them_again() {
    let (by, far) = (dvec2(0.5, -2.0), dvec2(CAP, 0.0));
    let aabb = Aabb::from_corners(dvec2(3.0, 1.0), dvec2(-1.0, 2.0)).unwrap();
    assert_eq!(aabb.translated(by), Aabb::new(dvec2(-0.5, -1.0), dvec2(3.5, 0.0)));
    assert_eq!(aabb.translated(far), Err(ShapeError::TooFar { at: dvec2(CAP + 3.0, 2.0) }));
    assert_eq!(aabb.union(&Aabb::new(by, by).unwrap()), Aabb::new(dvec2(-1.0, -2.0), dvec2(3.0, 2.0)).unwrap());
    let corners = [DVec2::ZERO, DVec2::X, DVec2::Y];
    let (triangle, polygon) = (Triangle::new(corners).unwrap(), ConvexPolygon::new(&corners).unwrap());
    assert_eq!(triangle.translated(by).unwrap().corners(), corners.map(|corner| corner + by));
    assert_eq!(polygon.translated(by).unwrap().corners(), corners.map(|corner| corner + by));
    // Near 1e6, f64 numbers are 2^-33 apart. So corners that are only 2^-40 apart become equal there.
    let speck = corners.map(|corner| corner / (1_u64 << 40) as f64);
    assert_eq!(Triangle::new(speck).unwrap().translated(dvec2(1e6, 1e6)), Err(ShapeError::Flat));
    assert!(ConvexPolygon::new(&speck).unwrap().translated(dvec2(1e6, 1e6)).is_err());
    let circle = Circle::new(DVec2::ZERO, 2.0).unwrap();
    assert_eq!(circle.translated(by), Circle::new(by, 2.0));
    assert!(circle.translated(dvec2(f64::NAN, 0.0)).is_err());
    let capsule = Capsule::new(DVec2::ZERO, DVec2::X, 2.0).unwrap();
    assert_eq!(capsule.translated(by), Capsule::new(by, by + DVec2::X, 2.0));
    let obb = Obb::new(DVec2::ZERO, DVec2::ONE, dvec2(3.0, 4.0)).unwrap();
    assert_eq!(obb.translated(by), Obb::new(by, DVec2::ONE, dvec2(3.0, 4.0)));
    let (segment, line) = (Segment::new(DVec2::ZERO, DVec2::X).unwrap(), Line::new(DVec2::ZERO, DVec2::X).unwrap());
    assert_eq!(segment.translated(by), Segment::new(by, by + DVec2::X));
    assert_eq!(line.translated(by), Line::new(by, by + DVec2::X));
    assert_eq!(Ray::new(DVec2::ZERO, DVec2::X).unwrap().translated(by), Ray::new(by, by + DVec2::X));
    assert_eq!(Point::new(DVec2::ZERO).unwrap().translated(by), Point::new(by));
}

/// A file may have any number of corners, but reading stores at most as many as a polygon can have.
#[test]
fn files_with_too_many_corners_are_refused_by_their_number() {
    let corners = vec!["(0.0, 0.0)"; 5000].join(", ");
    refuses::<ConvexPolygon>(&format!("(corners: [{corners}])"), "the polygon has 5000 corners");
}
