//! Sweeps computed by hand: cases exactly at the boundary, and cases in which simpler formulas fail.

use crate::cases::Owned;
use crate::sweeps::{check, sweep};
use surefoot_geometry::{
    Aabb, Capsule, Circle, ConvexPolygon, DVec2, Hit, Obb, Point, Segment, Shape, Sweep, Triangle, dvec2,
};

/// With an error of either sign: a dozen roundings of numbers below 16.
const CLOSE: f64 = 64.0 * f64::EPSILON;

fn ball(x: f64, y: f64, radius: f64) -> Owned {
    Owned::Circle(Circle::new(dvec2(x, y), radius).unwrap())
}

fn crate_at(x: f64, y: f64, half_x: f64, half_y: f64) -> Owned {
    Owned::Aabb(Aabb::from_center(dvec2(x, y), dvec2(half_x, half_y)).unwrap())
}

fn segment(ax: f64, ay: f64, bx: f64, by: f64) -> Owned {
    Owned::Segment(Segment::new(dvec2(ax, ay), dvec2(bx, by)).unwrap())
}

/// Checks a sweep: a hit with time, point and normal, or another result.
#[track_caller]
fn expect(mover: &Owned, motion: (f64, f64), obstacle: &Owned, expected: Sweep) {
    let motion = DVec2::from(motion);
    let found = sweep(mover, motion, obstacle);
    let is_same = match (found, expected) {
        (Sweep::Hit(a), Sweep::Hit(b)) => {
            (a.toi - b.toi).abs() < CLOSE
                && (a.point - b.point).length() < CLOSE
                && (a.normal - b.normal).length() < CLOSE
        }
        (a, b) => a == b,
    };
    assert!(is_same, "{found:?} is not {expected:?}: {mover:?} by {motion} against {obstacle:?}");
    check(mover, motion, obstacle);
}

fn hit(toi: f64, point: (f64, f64), normal: (f64, f64)) -> Sweep {
    Sweep::Hit(Hit { toi, point: point.into(), normal: normal.into() })
}

use Sweep::{Clear, Overlapping};

#[test]
fn a_ball_and_a_floor() {
    let floor = segment(0.0, 0.0, 4.0, 0.0);
    expect(&ball(2.0, 2.0, 1.0), (0.0, -2.0), &floor, hit(0.5, (2.0, 0.0), (0.0, 1.0)));
    // The ball hits from below too, because the obstacle has two sides.
    expect(&ball(2.0, -2.0, 1.0), (0.0, 2.0), &floor, hit(0.5, (2.0, 0.0), (0.0, -1.0)));
    // The ball touches the floor at the start. It moves into the floor, along it, away from it, and not at all.
    expect(&ball(2.0, 1.0, 1.0), (0.0, -2.0), &floor, hit(0.0, (2.0, 0.0), (0.0, 1.0)));
    expect(&ball(2.0, 1.0, 1.0), (2.0, 0.0), &floor, Clear);
    expect(&ball(2.0, 1.0, 1.0), (0.0, 2.0), &floor, Clear);
    expect(&ball(2.0, 1.0, 1.0), (0.0, 0.0), &floor, Clear);
    // The ball only touches the floor at the end of the motion.
    expect(&ball(2.0, 3.0, 1.0), (0.0, -2.0), &floor, Clear);
    // The first ball only grazes the end of the floor. The second one hits the end.
    expect(&ball(5.0, 2.0, 1.0), (0.0, -4.0), &floor, Clear);
    expect(&ball(4.6, 2.8, 1.0), (0.0, -4.0), &floor, hit(0.5, (4.0, 0.0), (0.6, 0.8)));
    // The ball moves along the floor's line, onto its end.
    expect(&ball(7.0, 0.0, 1.0), (-4.0, 0.0), &floor, hit(0.5, (4.0, 0.0), (1.0, 0.0)));
    expect(&ball(2.0, 0.5, 1.0), (0.0, 9.0), &floor, Overlapping);
    expect(&ball(2.0, 0.5, 1.0), (0.0, 0.0), &floor, Overlapping);
}

#[test]
fn a_crate_and_a_floor() {
    let floor = segment(0.0, 0.0, 4.0, 0.0);
    expect(&crate_at(1.0, 2.0, 0.5, 0.5), (0.0, -3.0), &floor, hit(0.5, (1.0, 0.0), (0.0, 1.0)));
    // The hit point is the point of the shared stretch that is nearest to the crate's middle.
    expect(&crate_at(4.25, 2.0, 0.5, 0.5), (0.0, -3.0), &floor, hit(0.5, (4.0, 0.0), (0.0, 1.0)));
    // The crate's side is in line with the end, so the crate falls past.
    expect(&crate_at(4.5, 2.0, 0.5, 0.5), (0.0, -3.0), &floor, Clear);
    expect(&crate_at(1.0, 0.5, 0.5, 0.5), (2.0, 0.0), &floor, Clear);
    expect(&crate_at(1.0, 0.5, 0.5, 0.5), (2.0, -1.0), &floor, hit(0.0, (1.0, 0.0), (0.0, 1.0)));
    expect(&crate_at(1.0, 0.5, 0.5, 0.5), (0.0, 1.0), &floor, Clear);
    // A corner of the crate hits a slope.
    let slope = segment(0.0, 0.0, 4.0, 4.0);
    let across = std::f64::consts::FRAC_1_SQRT_2;
    expect(&crate_at(1.5, 4.5, 0.5, 0.5), (0.0, -4.0), &slope, hit(0.5, (2.0, 2.0), (-across, across)));
}

#[test]
fn crates_corner_on_corner() {
    let block = crate_at(0.0, 0.0, 1.0, 1.0);
    let half = std::f64::consts::FRAC_1_SQRT_2;
    // The side that opposes the motion more gives the normal, or the halfway direction if both oppose it equally.
    expect(&crate_at(3.0, 3.0, 1.0, 1.0), (-2.0, -2.0), &block, hit(0.5, (1.0, 1.0), (half, half)));
    expect(&crate_at(3.0, 4.0, 1.0, 1.0), (-2.0, -4.0), &block, hit(0.5, (1.0, 1.0), (0.0, 1.0)));
    expect(&crate_at(4.0, 3.0, 1.0, 1.0), (-4.0, -2.0), &block, hit(0.5, (1.0, 1.0), (1.0, 0.0)));
    // The crates touch at a corner at the start.
    expect(&crate_at(2.0, 2.0, 1.0, 1.0), (-1.0, -1.0), &block, hit(0.0, (1.0, 1.0), (half, half)));
    expect(&crate_at(2.0, 2.0, 1.0, 1.0), (-1.0, 0.0), &block, Clear);
    expect(&crate_at(2.0, 2.0, 1.0, 1.0), (-1.0, 1.0), &block, Clear);
    // The crate passes the corner and touches it on the way.
    expect(&crate_at(1.0, 3.0, 1.0, 1.0), (2.0, -2.0), &block, Clear);
}

#[test]
fn shapes_without_width_hit_what_they_cross() {
    let fence = segment(0.0, 0.0, 4.0, 0.0);
    let across = std::f64::consts::FRAC_1_SQRT_2;
    let grain = |x: f64, y: f64| [ball(x, y, 0.0), crate_at(x, y, 0.0, 0.0)];
    for at in grain(1.0, 1.0) {
        expect(&at, (0.0, -2.0), &fence, hit(0.5, (1.0, 0.0), (0.0, 1.0)));
        expect(&at, (0.0, -1.0), &fence, Clear);
        expect(&at, (-2.0, -2.0), &fence, hit(0.5, (0.0, 0.0), (0.0, 1.0)));
        expect(&at, (-4.0, -2.0), &fence, Clear);
        // The first motion is horizontal and goes through the lower end of a slope, so it hits the end. The second
        // motion stops before the end.
        expect(&at, (2.0, 0.0), &segment(2.0, 1.0, 3.0, 2.0), hit(0.5, (2.0, 1.0), (-across, across)));
        expect(&at, (0.5, 0.0), &segment(2.0, 1.0, 3.0, 2.0), Clear);
        expect(&at, (0.0, -2.0), &Owned::Point(Point::new(DVec2::X).unwrap()), Clear);
    }
    for on in grain(1.0, 0.0) {
        expect(&on, (0.0, -2.0), &fence, Clear);
        expect(&on, (1.0, 0.0), &fence, Clear);
    }
    // A flat box falls on a point, and then on segments parallel to it.
    let plank = crate_at(1.0, 1.0, 1.0, 0.0);
    expect(&plank, (0.0, -2.0), &Owned::Point(Point::new(dvec2(1.5, 0.0)).unwrap()), hit(0.5, (1.5, 0.0), (0.0, 1.0)));
    expect(&plank, (0.0, -2.0), &fence, hit(0.5, (1.0, 0.0), (0.0, 1.0)));
    expect(&plank, (0.0, -2.0), &segment(2.0, 0.0, 4.0, 0.0), hit(0.5, (2.0, 0.0), (0.0, 1.0)));
    expect(&plank, (0.0, -2.0), &segment(2.5, 0.0, 4.0, 0.0), Clear);
    // Moving along its own line, a flat box hits no obstacle that is equally flat.
    expect(&crate_at(-3.0, 0.0, 1.0, 0.0), (4.0, 0.0), &fence, Clear);
    expect(&plank, (0.0, -2.0), &segment(1.0, -1.0, 1.0, 0.0), hit(0.5, (1.0, 0.0), (0.0, 1.0)));
}

#[test]
fn every_kind_of_obstacle_is_hit() {
    let at = |x: f64, y: f64| dvec2(x, y);
    let falling = [ball(2.0, 3.0, 1.0), crate_at(2.0, 3.0, 1.0, 1.0)];
    let obstacles = [
        Owned::Point(Point::new(at(2.0, 0.0)).unwrap()),
        segment(2.0, 0.0, 2.0, -4.0),
        Owned::Circle(Circle::new(at(2.0, -1.0), 1.0).unwrap()),
        crate_at(2.0, -1.0, 1.0, 1.0),
        Owned::Obb(Obb::new(at(2.0, -5.0), at(3.0, 5.0), DVec2::X).unwrap()),
        Owned::Capsule(Capsule::new(at(0.0, -1.0), at(4.0, -1.0), 1.0).unwrap()),
        Owned::Triangle(Triangle::new([at(0.0, -2.0), at(4.0, -2.0), at(2.0, 0.0)]).unwrap()),
        Owned::ConvexPolygon(ConvexPolygon::new(&[at(1.0, -1.0), at(2.0, -2.0), at(3.0, -1.0), at(2.0, 0.0)]).unwrap()),
    ];
    for mover in &falling {
        for obstacle in &obstacles {
            expect(mover, (0.0, -4.0), obstacle, hit(0.5, (2.0, 0.0), (0.0, 1.0)));
            expect(mover, (0.0, -2.0), obstacle, Clear);
            expect(mover, (0.0, 4.0), obstacle, Clear);
        }
    }
}

#[test]
fn invalid_motions_are_clear() {
    let (mover, floor) = (ball(2.0, 2.0, 1.0), segment(0.0, 0.0, 4.0, 0.0));
    for motion in [DVec2::NAN, DVec2::INFINITY, dvec2(0.0, -1e300), dvec2(f64::NAN, -3.0)] {
        assert_eq!(sweep(&mover, motion, &floor), Clear);
    }
    assert_eq!(sweep(&mover, dvec2(0.0, -5e-324), &floor), Clear);
}

#[test]
fn a_moving_obstacle_is_hit_where_it_is_at_that_time() {
    let (ball, lift) =
        (Circle::new(dvec2(1.0, 3.0), 1.0).unwrap(), Segment::new(DVec2::ZERO, dvec2(4.0, 0.0)).unwrap());
    let met = ball.sweep_moving(dvec2(1.0, -2.0), &lift, dvec2(0.0, 2.0));
    assert_eq!(met, hit(0.5, (1.5, 1.0), (0.0, 1.0)));
    assert_eq!(ball.sweep_moving(dvec2(0.0, 2.0), &lift, dvec2(0.0, 2.0)), Clear);
}

/// The time at which a ray from `center` hits the circle around `end`, as in many tutorials: the smaller root if it is
/// in (0, 1].
fn root(center: DVec2, radius: f64, motion: DVec2, end: DVec2) -> Option<f64> {
    let from = center - end;
    let (a, b, c) = (motion.dot(motion), 2.0 * from.dot(motion), from.dot(from) - radius * radius);
    let t = (-b - (b * b - 4.0 * a * c).sqrt()) / (2.0 * a);
    (t > 0.0 && t <= 1.0).then_some(t)
}

/// The naive formula of a swept circle: the first end point that is hit, else the line.
fn naive_end_hit_time(center: DVec2, radius: f64, motion: DVec2, a: DVec2, b: DVec2) -> Option<f64> {
    root(center, radius, motion, a).or_else(|| root(center, radius, motion, b))
}

/// The time at which the line is hit, from the height above it.
fn line_time(center: DVec2, radius: f64, motion: DVec2, a: DVec2, b: DVec2) -> f64 {
    let normal = (b - a).perp().normalize();
    (radius - (center - a).dot(normal)) / motion.dot(normal)
}

#[test]
fn fault_the_first_end_found_is_not_the_earliest() {
    let (center, motion, a, b) = (dvec2(6.0, 0.0), dvec2(-10.0, 0.0), DVec2::ZERO, dvec2(2.0, 0.0));
    assert_eq!(naive_end_hit_time(center, 1.0, motion, a, b), Some(0.5));
    expect(&ball(6.0, 0.0, 1.0), (-10.0, 0.0), &segment(0.0, 0.0, 2.0, 0.0), hit(0.3, (2.0, 0.0), (1.0, 0.0)));
}

#[test]
fn fault_a_contact_at_time_0_is_not_seen() {
    let (center, motion, end) = (dvec2(3.0, 0.0), dvec2(-2.0, 0.0), dvec2(2.0, 0.0));
    assert_eq!(root(center, 1.0, motion, end), None);
    expect(&ball(3.0, 0.0, 1.0), (-2.0, 0.0), &segment(0.0, 0.0, 2.0, 0.0), hit(0.0, (2.0, 0.0), (1.0, 0.0)));
}

#[test]
fn fault_a_parallel_motion_divides_0_by_0() {
    let (center, motion, a, b) = (dvec2(0.0, 1.0), dvec2(2.0, 0.0), DVec2::ZERO, dvec2(4.0, 0.0));
    assert!(line_time(center, 1.0, motion, a, b).is_nan());
    expect(&ball(0.0, 1.0, 1.0), (2.0, 0.0), &segment(0.0, 0.0, 4.0, 0.0), Clear);
}

/// The time alone does not tell in which direction to slide: two ends hit at the same time have different normals.
#[test]
fn fault_a_time_without_a_normal_does_not_tell_where_to_slide() {
    let (center, motion) = (dvec2(0.0, 2.8), dvec2(0.0, -4.0));
    let times = [dvec2(0.6, 0.0), dvec2(-0.6, 0.0)].map(|end| root(center, 1.0, motion, end).unwrap());
    assert!((times[0] - times[1]).abs() < CLOSE);
    expect(&ball(0.0, 2.8, 1.0), (0.0, -4.0), &segment(0.6, 0.0, 4.0, 0.0), hit(0.5, (0.6, 0.0), (-0.6, 0.8)));
    expect(&ball(0.0, 2.8, 1.0), (0.0, -4.0), &segment(-0.6, 0.0, -4.0, 0.0), hit(0.5, (-0.6, 0.0), (0.6, 0.8)));
}

/// The slope passes 4e-19 below the lower right corner of the crate. f64 cannot tell this from the time at which the
/// crate reaches the top of the slope.
#[test]
fn a_slope_just_below_a_corner_is_not_overlapped() {
    let load = Owned::Aabb(Aabb::new(dvec2(-1.2758409643116151e-5, 0.0), dvec2(0.0, 0.18687204055406356)).unwrap());
    let (low, high) =
        (dvec2(-0.15694328504963123, -9.926859532775313e-9), dvec2(3.181767821203821e-11, 1.6271940889078632e-18));
    let edge = Owned::Segment(Segment::new(low, high).unwrap());
    let hill = Owned::Triangle(Triangle::new([low, dvec2(0.0, -1.0), high]).unwrap());
    for obstacle in [edge, hill] {
        assert!(!load.any().overlaps(&obstacle.any()));
        check(&load, dvec2(0.0, -0.37109755386243326), &obstacle);
        assert!(matches!(sweep(&load, dvec2(0.0, -0.37109755386243326), &obstacle), Sweep::Hit(_)));
    }
}

/// Onto the corner between sides of 45 degrees, which oppose the motion equally.
#[test]
fn a_point_onto_a_corner_of_equal_sides_has_the_normal_between_them() {
    let wedge = Owned::Triangle(Triangle::new([dvec2(0.0, -1.0), dvec2(3.0, 2.0), dvec2(-2.0, 1.0)]).unwrap());
    for mover in [ball(0.0, -3.0, 0.0), boxed(0.0, -3.0)] {
        let Sweep::Hit(found) = sweep(&mover, dvec2(0.0, 4.0), &wedge) else { panic!("it comes to the corner") };
        assert_eq!((found.toi, found.point, found.normal), (0.5, dvec2(0.0, -1.0), DVec2::NEG_Y));
    }
}

/// A box of size 0.
fn boxed(x: f64, y: f64) -> Owned {
    Owned::Aabb(Aabb::new(dvec2(x, y), dvec2(x, y)).unwrap())
}

/// Sizes that differ by 2^147: between the ends of this capsule, 106 bits of a product cannot tell that the box is
/// above it.
#[test]
fn a_tiny_gap_beside_a_long_capsule() {
    let load = Owned::Aabb(
        Aabb::new(dvec2(-2.4650880631350587e-45, 2.1615459387681554e-44), dvec2(0.0, 1.7130641567803423e-18)).unwrap(),
    );
    let (a, b) =
        (dvec2(-2.4174603628622103e-48, 9.063964772563075e-51), dvec2(0.011522071041109893, 1.0299434449691912e-7));
    let motion = dvec2(-3.758523572041043e-18, -3.820987243747069e-28);
    for (a, b) in [(a, b), (b, a)] {
        let pole = Owned::Capsule(Capsule::new(a, b, 2.8028128357463763e-53).unwrap());
        assert!(!load.any().overlaps(&pole.any()));
        assert_ne!(sweep(&load, motion, &pole), Overlapping);
        check(&load, motion, &pole);
    }
}
