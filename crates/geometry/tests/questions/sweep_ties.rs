//! Sweeps of shapes that exactly touch, exactly pass, or stop exactly where they touch. The results are fixed even if
//! the numbers have many bits.

use crate::cases::{self, Owned, SYMMETRIES, Texture, config, coordinate, extent, vector};
use crate::sweeps::{check, sweep};
use proptest::prelude::*;
use surefoot_geometry::{
    Aabb, Capsule, Circle, ConvexPolygon, DVec2, Hit, Obb, Point, Segment, Sweep, Triangle, dvec2,
};

/// Coordinates most of which are not f32 values.
pub(crate) fn rough() -> BoxedStrategy<Texture> {
    prop_oneof![3 => Just(Texture::Fraction), 2 => Just(Texture::Plain), 1 => Just(Texture::Lattice), 1 => Just(Texture::Whole)].boxed()
}

fn length(texture: Texture) -> BoxedStrategy<f64> {
    extent(texture).prop_filter("more than 0", |&length| length > 0.0).boxed()
}

/// A shape whose right side or corner is at `(0, y)`, with everything else to the left. A second corner is `size` away.
fn obstacle(kind: usize, texture: Texture) -> BoxedStrategy<Owned> {
    let numbers = (coordinate(texture), length(texture), length(texture), length(texture));
    numbers
        .prop_filter_map("no such shape", move |(y, a, b, c)| {
            let at = dvec2(0.0, y);
            let triangle = |corners| Triangle::new(corners).map(Owned::Triangle);
            match kind {
                0 => Point::new(at).map(Owned::Point),
                1 => Segment::new(at, dvec2(0.0, y + a)).map(Owned::Segment),
                2 => Segment::new(at, dvec2(-b, y + a)).map(Owned::Segment),
                3 => Circle::new(dvec2(-a, y), a).map(Owned::Circle),
                4 => Aabb::new(dvec2(-a, y - b), at).map(Owned::Aabb),
                5 => Obb::new(dvec2(-a, y), dvec2(a, b), DVec2::X).map(Owned::Obb),
                6 => Capsule::new(dvec2(-a, y), dvec2(-a, y + b), a).map(Owned::Capsule),
                7 => Capsule::new(dvec2(-a, y), dvec2(-a - b, y - c), a).map(Owned::Capsule),
                8 => triangle([at, dvec2(0.0, y + a), dvec2(-b, y)]),
                9 => triangle([at, dvec2(-b, y + a), dvec2(-b, y - c)]),
                _ => ConvexPolygon::new(&[at, dvec2(-b, y + a), dvec2(-b - c, y), dvec2(-b, y - a)])
                    .map(Owned::ConvexPolygon),
            }
            .ok()
        })
        .boxed()
}

/// A mover whose left side or leftmost point is at `(0, y)`.
fn mover(texture: Texture) -> BoxedStrategy<Owned> {
    (coordinate(texture), length(texture), length(texture), 0..3)
        .prop_filter_map("no such shape", |(y, a, b, kind)| {
            match kind {
                0 => Circle::new(dvec2(a, y), a).map(Owned::Circle),
                1 => Aabb::new(dvec2(0.0, y), dvec2(a, y + b)).map(Owned::Aabb),
                _ => Aabb::new(dvec2(0.0, y), dvec2(0.0, y + b)).map(Owned::Aabb),
            }
            .ok()
        })
        .boxed()
}

/// A mover and an obstacle separated by a vertical line that both touch.
fn level() -> BoxedStrategy<(Owned, Owned, DVec2)> {
    (rough(), 0..11_usize)
        .prop_flat_map(|(texture, kind)| (mover(texture), obstacle(kind, texture), vector(texture)))
        .boxed()
}

fn mirrored(found: Sweep, turn: fn(DVec2) -> DVec2) -> Sweep {
    match found {
        Sweep::Hit(Hit { toi, point, normal }) => Sweep::Hit(Hit { toi, point: turn(point), normal: turn(normal) }),
        other => other,
    }
}

/// Checks the result in all mirrors.
fn check_all(mover: &Owned, motion: DVec2, obstacle: &Owned) {
    check(mover, motion, obstacle);
    let found = sweep(mover, motion, obstacle);
    for turn in SYMMETRIES {
        assert_eq!(
            sweep(&mover.turned(turn), turn(motion), &obstacle.turned(turn)),
            mirrored(found, turn),
            "{mover:?} by {motion} against {obstacle:?}"
        );
    }
}

proptest! {
    #![proptest_config(config(80))]

    #[test]
    fn sliding_along_an_axis_is_clear((mover, obstacle, motion) in level()) {
        for y in [motion.y, -motion.y] {
            prop_assert_eq!(sweep(&mover, dvec2(0.0, y), &obstacle), Sweep::Clear);
            check_all(&mover, dvec2(0.0, y), &obstacle);
        }
        prop_assert_eq!(sweep(&mover, DVec2::ZERO, &obstacle), Sweep::Clear);
    }

    #[test]
    fn a_motion_onto_an_upright_line_stops_there((mover, obstacle, motion) in level()) {
        // Start where the shift away from the line is exact. Then move back to the line, and beyond the line.
        let by = dvec2(motion.x.abs(), motion.y);
        let away = |v: DVec2| v + by;
        if let Ok(away) = mover.moved(&away, &|v| v)
            && away.moved(&|v| v - by, &|v| v).is_ok_and(|back| back.corners() == mover.corners())
        {
            check_all(&away, -by, &obstacle);
            check_all(&away, -by * 2.0, &obstacle);
        }
        check_all(&mover, -by, &obstacle);
        check_all(&mover, by, &obstacle);
    }

    #[test]
    fn touching_along_a_slope_is_right(
        (circle, obstacle, along) in rough().prop_flat_map(|t| (length(t), cases::bounded(t), vector(t))),
        share in prop_oneof![Just(1.0), Just(0.5), Just(2.0), -2.0..2.0],
    ) {
        // The circle touches a corner of the obstacle. The offset of its centre is a multiple of (3, 4) or a similar
        // pair, so that the length of the offset, the radius, is exact.
        let corner = obstacle.corners()[0];
        for (x, y) in [(3.0, 4.0), (4.0, -3.0), (-3.0, 4.0), (5.0, 12.0), (8.0, 15.0)] {
            let unit = f64::from(circle as f32) / 16.0;
            let length = if x == 5.0 { 13.0 } else if x == 8.0 { 17.0 } else { 5.0 };
            let Ok(mover) = Circle::new(corner + dvec2(x, y) * unit, length * unit) else { continue };
            let mover = Owned::Circle(mover);
            check_all(&mover, dvec2(-y, x) * unit * share, &obstacle);
            check_all(&mover, dvec2(-y, x) * share, &obstacle);
            check_all(&mover, along, &obstacle);
            let Ok(before) = mover.moved(&|v| v - dvec2(-y, x) * unit, &|v| v) else { continue };
            check_all(&before, dvec2(-y, x) * unit * 2.0, &obstacle);
            check_all(&before, dvec2(-y, x) * unit, &obstacle);
        }
    }

    #[test]
    fn a_motion_past_two_corners_is_right(
        (radius, one, obstacle, share) in rough().prop_flat_map(|t| (prop_oneof![Just(0.0).boxed(), length(t)], vector(t), cases::bounded(t), coordinate(t))),
    ) {
        // The motions go from a corner of the mover to a corner of the obstacle, and along a side of the obstacle.
        let corners = obstacle.corners();
        let (first, last) = (corners[0], corners[corners.len() - 1]);
        for mover in [Circle::new(one, radius).map(Owned::Circle), Aabb::new(one, one + radius).map(Owned::Aabb)] {
            let Ok(mover) = mover else { continue };
            for from in mover.corners() {
                for motion in [first - from, last - from, (first - from) * 2.0, first - last, (last - first) * share] {
                    check_all(&mover, motion, &obstacle);
                }
            }
        }
    }

    #[test]
    fn a_box_of_no_size_is_a_circle_of_no_size(
        (at, obstacle, motion) in cases::texture().prop_flat_map(|t| (vector(t), cases::bounded(t), vector(t))),
    ) {
        let grain = Owned::Aabb(Aabb::new(at, at).unwrap());
        let ball = Owned::Circle(Circle::new(at, 0.0).unwrap());
        for motion in [motion, obstacle.corners()[0] - at, (obstacle.corners()[0] - at) * 2.0] {
            prop_assert_eq!(sweep(&grain, motion, &obstacle), sweep(&ball, motion, &obstacle));
            check(&grain, motion, &obstacle);
        }
    }
}

#[test]
fn a_circle_that_slides_or_passes_is_clear() {
    let circle = |x, y, radius| Owned::Circle(Circle::new(dvec2(x, y), radius).unwrap());
    let wall = Owned::Segment(Segment::new(dvec2(0.0, -9.0), dvec2(0.0, 9.0)).unwrap());
    assert_eq!(sweep(&circle(0.3, 0.0, 0.3), dvec2(0.0, 7.0), &wall), Sweep::Clear);
    let block = Owned::Aabb(Aabb::new(dvec2(-9.0, -4.0), DVec2::ZERO).unwrap());
    assert_eq!(sweep(&circle(0.1, 1.1, 0.1), dvec2(0.0, -3.3), &block), Sweep::Clear);
}

#[test]
fn a_box_of_size_zero_hits_the_end_of_a_slope() {
    let grain = Owned::Aabb(Aabb::new(DVec2::ZERO, DVec2::ZERO).unwrap());
    let slope = Owned::Segment(Segment::new(dvec2(1.0, 0.0), dvec2(2.0, 1.0)).unwrap());
    let Sweep::Hit(hit) = sweep(&grain, dvec2(2.0, 0.0), &slope) else { panic!("it goes through the end") };
    assert_eq!((hit.toi, hit.point), (0.5, dvec2(1.0, 0.0)));
    check_all(&grain, dvec2(2.0, 0.0), &slope);
}

/// The corner is 2^-110 below the top of the circle. 106 bits cannot hold both this number's square and that of the
/// motion.
#[test]
fn a_corner_passed_within_less_than_106_bits_is_hit() {
    let tiny = f64::powi(2.0, -110);
    let ball = Owned::Circle(Circle::new(dvec2(-3.0, 1.0), 1.0).unwrap());
    for (x, length) in [(6.3, 6.3), (4.7, 4.7), (9.1, 9.1), (3.3, 3.3)] {
        let peg = |y: f64| Owned::Point(Point::new(dvec2(0.0, y)).unwrap());
        check_all(&ball, dvec2(x, 0.0), &peg(tiny));
        let Sweep::Hit(hit) = sweep(&ball, dvec2(x, 0.0), &peg(tiny)) else { panic!("it is met") };
        // Seen from the ball, the peg is inside for a distance of less than 2^-53. So the expected time is that of the
        // middle, with an error of either sign.
        let is_on_top = hit.normal.abs_diff_eq(DVec2::Y, 8.0 * f64::EPSILON);
        assert!((hit.toi * length - 3.0).abs() < 8.0 * f64::EPSILON && is_on_top, "{hit:?}");
        assert_eq!(sweep(&ball, dvec2(x, 0.0), &peg(0.0)), Sweep::Clear);
        assert_eq!(sweep(&ball, dvec2(x, 0.0), &peg(-tiny)), Sweep::Clear);
    }
}

/// The box and the upright capsule together form one side. A corner within it must pass exactly: in one mirror it is
/// where the box starts, in the other where it ends.
#[test]
fn a_corner_within_a_side_is_ignored() {
    let load = Owned::Aabb(Aabb::new(dvec2(3.0, -5.0), dvec2(5.0, -4.0)).unwrap());
    for (a, b) in [(2.0, 5.0), (5.0, 2.0)] {
        let pole = Owned::Capsule(Capsule::new(dvec2(-1.0, a), dvec2(-1.0, b), 1.0).unwrap());
        check_all(&load, dvec2(-6.0, 8.0), &pole);
    }
}
