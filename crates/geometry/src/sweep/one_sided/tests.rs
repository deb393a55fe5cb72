use super::Ends;
use crate::shapes::{Aabb, Circle, MAX_COORDINATE, Segment, ShapeError};
use crate::sweep::{Hit, Sweep};
use crate::testing::Random;
use crate::tolerance::{ONE_SIDED_SLOP, PARALLEL};
use glam::{DVec2, dvec2};

const UNIT: f64 = 1.0 / (1_u64 << 32) as f64;
/// Two-sided bound, as a length, for the rounding of points and of decimals computed by hand. No decision is that
/// close.
const CLOSE: f64 = 1e-12;
const UP: DVec2 = DVec2::Y;
pub(super) const RIGHT: DVec2 = DVec2::X;

fn segment(a: (f64, f64), b: (f64, f64)) -> Segment {
    Segment::new(a.into(), b.into()).unwrap()
}

/// The edge from (0, 0) to (4, 0), with its normal up.
fn floor() -> Segment {
    segment((0.0, 0.0), (4.0, 0.0))
}

/// A circle, or a box.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mover {
    Ball(f64),
    Box(f64, f64),
}

pub(super) use Mover::{Ball, Box};

pub(super) fn sweep(
    mover: Mover,
    at: impl Into<DVec2>,
    motion: impl Into<DVec2>,
    segment: &Segment,
    ends: Ends,
) -> Sweep {
    match mover {
        Ball(radius) => Circle::new(at.into(), radius).unwrap().sweep_one_sided(motion.into(), segment, ends),
        Box(x, y) => Aabb::from_center(at.into(), dvec2(x, y)).unwrap().sweep_one_sided(motion.into(), segment, ends),
    }
}

#[track_caller]
fn assert_hit(found: Sweep, toi: f64, point: impl Into<DVec2>, normal: impl Into<DVec2>) {
    let (point, normal) = (point.into(), normal.into());
    let Sweep::Hit(hit) = found else { panic!("{found:?}, not a hit at {toi}") };
    let close = (hit.toi - toi).abs() <= CLOSE
        && hit.point.abs_diff_eq(point, CLOSE)
        && hit.normal.abs_diff_eq(normal.normalize(), CLOSE);
    assert!(close, "{hit:?}, not {toi} at {point} with {normal}");
}

#[track_caller]
fn assert_clear(found: Sweep) {
    assert_eq!(found, Sweep::Clear);
}

/// A ball and a box with equal half-extents, which land on floors at the same time.
const BOTH: [Mover; 2] = [Ball(0.5), Box(0.5, 0.5)];

#[test]
fn falling_onto_a_floor_hits_below_the_middle() {
    for mover in BOTH {
        assert_hit(sweep(mover, (1.0, 2.5), (1.0, -4.0), &floor(), Ends::BOTH), 0.5, (1.5, 0.0), UP);
    }
}

#[test]
fn touching_and_moving_in_hits_at_once() {
    for mover in BOTH {
        assert_hit(sweep(mover, (1.0, 0.5), (3.0, -1.0), &floor(), Ends::BOTH), 0.0, (1.0, 0.0), UP);
        assert_hit(sweep(mover, (1.0, 0.5), (0.0, -UNIT), &floor(), Ends::BOTH), 0.0, (1.0, 0.0), UP);
    }
}

#[test]
fn touching_and_moving_along_or_away_is_clear() {
    for mover in BOTH {
        for motion in [(9.0, 0.0), (-9.0, 0.0), (1.0, UNIT), (0.0, 5.0)] {
            assert_clear(sweep(mover, (1.0, 0.5), motion, &floor(), Ends::BOTH));
        }
    }
}

#[test]
fn touching_where_the_motion_ends_is_clear() {
    for mover in BOTH {
        assert_clear(sweep(mover, (1.0, 2.5), (0.0, -2.0), &floor(), Ends::BOTH));
        let Sweep::Hit(hit) = sweep(mover, (1.0, 2.5), (0.0, -2.0 - UNIT), &floor(), Ends::BOTH) else { panic!() };
        assert!((hit.toi - 2.0 / (2.0 + UNIT)).abs() <= CLOSE);
    }
}

#[test]
fn overlap_at_the_start_is_reported() {
    for mover in BOTH {
        for at in [(1.0, 0.25), (1.0, -0.25), (4.25, 0.25), (-0.25, -0.25), (2.0, 0.0)] {
            for motion in [(0.0, -1.0), (0.0, 1.0), (0.0, 0.0)] {
                for ends in [Ends::BOTH, Ends::NEITHER] {
                    assert_eq!(sweep(mover, at, motion, &floor(), ends), Sweep::Overlapping, "{mover:?} {at:?}");
                }
            }
        }
    }
}

#[test]
fn no_motion_is_clear() {
    for mover in BOTH {
        for at in [(1.0, 0.5), (1.0, 3.0), (4.5, 0.0), (1.0, -0.5)] {
            assert_clear(sweep(mover, at, (0.0, 0.0), &floor(), Ends::BOTH));
        }
    }
}

#[test]
fn from_behind_is_clear() {
    for mover in BOTH {
        assert_clear(sweep(mover, (1.0, -2.0), (0.0, 9.0), &floor(), Ends::BOTH));
        // The mover starts behind the face and moves down.
        assert_clear(sweep(mover, (1.0, -0.5), (0.0, -9.0), &floor(), Ends::BOTH));
        // The mover rises past the end of the edge, close enough to hit it. But a motion along the normal hits nothing.
        assert_clear(sweep(mover, (4.4, -2.0), (0.0, 9.0), &floor(), Ends::BOTH));
    }
}

#[test]
fn parallel_to_the_face_only_an_end_is_hit() {
    for mover in BOTH {
        // The mover moves above the surface, then in contact with the surface, then in line with the edge.
        assert_clear(sweep(mover, (-3.0, 0.75), (9.0, 0.0), &floor(), Ends::BOTH));
        assert_clear(sweep(mover, (-3.0, 0.5), (9.0, 0.0), &floor(), Ends::BOTH));
        assert_clear(sweep(mover, (-3.0, 0.0), (9.0, 0.0), &floor(), Ends { start: false, end: true }));
        assert_hit(sweep(mover, (-2.5, 0.0), (4.0, 0.0), &floor(), Ends::BOTH), 0.5, (0.0, 0.0), -RIGHT);
        assert_hit(sweep(mover, (6.5, 0.0), (-4.0, 0.0), &floor(), Ends::BOTH), 0.5, (4.0, 0.0), RIGHT);
    }
    // The ball's centre is 0.3 above the edge's line, and at the hit it is 0.4 to the left of the end.
    assert_hit(sweep(Ball(0.5), (-2.4, 0.3), (4.0, 0.0), &floor(), Ends::BOTH), 0.5, (0.0, 0.0), (-0.4, 0.3));
    // The ball's contact normal would point down, outside the quarter turn of allowed normals.
    assert_clear(sweep(Ball(0.5), (-2.4, -0.3), (4.0, 0.0), &floor(), Ends::BOTH));
    assert_hit(sweep(Box(0.5, 0.5), (-2.5, -0.3), (4.0, 0.0), &floor(), Ends::BOTH), 0.5, (0.0, 0.0), -RIGHT);
    // The box passes below, because its top is exactly in line with the end.
    assert_clear(sweep(Box(0.5, 0.5), (-2.5, -0.5), (4.0, 0.0), &floor(), Ends::BOTH));
}

#[test]
fn an_end_is_hit_only_if_it_can_be() {
    let only_end = Ends { start: false, end: true };
    let only_start = Ends { start: true, end: false };
    // The ball falls 0.3 outside the end. It hits the end when its centre is 0.4 above the floor.
    let falls = |ends| sweep(Ball(0.5), (4.3, 1.4), (0.0, -2.0), &floor(), ends);
    assert_hit(falls(only_end), 0.5, (4.0, 0.0), (0.3, 0.4));
    assert_clear(falls(only_start));
    // The box moves to the left, below the end of a 45-degree slope: its left side hits the end.
    let slope = segment((0.0, 4.0), (4.0, 0.0));
    let runs = |ends| sweep(Box(0.5, 0.5), (6.5, 0.0), (-4.0, 0.0), &slope, ends);
    assert_hit(runs(only_end), 0.5, (4.0, 0.0), RIGHT);
    assert_clear(runs(only_start));
    let drops = |ends| sweep(Box(0.5, 0.5), (-0.25, 6.5), (0.0, -4.0), &slope, ends);
    assert_hit(drops(only_start), 0.5, (0.0, 4.0), UP);
    assert_clear(drops(only_end));
}

#[test]
fn a_slope_is_hit_by_the_tangent_point_or_the_corner() {
    // The slope lies on the line x + y = 4, with the normal (1, 1).
    let slope = segment((0.0, 4.0), (4.0, 0.0));
    let diagonal = std::f64::consts::FRAC_1_SQRT_2;
    // The ball comes from (4, 4) along the normal. At the hit, its centre is the radius 1 away from (2, 2), which is
    // sqrt(2)/2 on each axis.
    let travelled = (2.0 - diagonal) / 4.0;
    assert_hit(sweep(Ball(1.0), (4.0, 4.0), (-4.0, -4.0), &slope, Ends::BOTH), travelled, (2.0, 2.0), (1.0, 1.0));
    // The box's lower left corner starts at (3, 3).
    assert_hit(sweep(Box(1.0, 1.0), (4.0, 4.0), (-4.0, -4.0), &slope, Ends::BOTH), 0.25, (2.0, 2.0), (1.0, 1.0));
    // The box moves parallel to the slope, exactly in contact.
    assert_clear(sweep(Box(1.0, 1.0), (3.0, 3.0), (3.0, -3.0), &slope, Ends::NEITHER));
}

#[test]
fn a_box_in_line_with_an_end_falls_past_and_one_unit_in_lands() {
    let falls = |x, ends| sweep(Box(0.5, 0.5), (x, 2.5), (0.0, -4.0), &floor(), ends);
    for ends in [Ends::BOTH, Ends::NEITHER] {
        assert_clear(falls(4.5, ends));
        assert_clear(falls(-0.5, ends));
        assert_clear(falls(4.5 + UNIT, ends));
        assert_hit(falls(4.5 - UNIT, ends), 0.5, (4.0, 0.0), UP);
        assert_hit(falls(-0.5 + UNIT, ends), 0.5, (0.0, 0.0), UP);
    }
}

#[test]
fn a_corner_aimed_at_the_corner_of_a_block_hits_its_floor() {
    let wall = segment((4.0, 0.0), (4.0, -4.0));
    let (at, motion) = ((6.5, 2.5), (-4.0, -4.0));
    assert_hit(sweep(Box(0.5, 0.5), at, motion, &floor(), Ends::BOTH), 0.5, (4.0, 0.0), UP);
    assert_hit(sweep(Box(0.5, 0.5), at, motion, &wall, Ends::BOTH), 0.5, (4.0, 0.0), RIGHT);
    // The box passes the corner: down along the wall's line, then left along the floor's line.
    assert_clear(sweep(Box(0.5, 0.5), (4.5, 2.5), (0.0, -4.0), &wall, Ends::BOTH));
    assert_clear(sweep(Box(0.5, 0.5), (6.5, 0.5), (-4.0, 0.0), &wall, Ends::BOTH));
}

#[test]
fn a_slanted_face_holds_its_end_points_at_joins() {
    // The box's lower left corner comes down exactly on an end.
    let slope = segment((0.0, 4.0), (4.0, 0.0));
    let falls = |ends| sweep(Box(0.5, 0.5), (4.5, 2.5), (0.0, -4.0), &slope, ends);
    assert_hit(falls(Ends::NEITHER), 0.5, (4.0, 0.0), (1.0, 1.0));
    // If the ends are free, the box falls past, because its left side is exactly in line with the end.
    assert_clear(falls(Ends::BOTH));
    let from_the_right = sweep(Box(0.5, 0.5), (4.5 + UNIT, 2.5), (-2.0 * UNIT, -4.0), &slope, Ends::BOTH);
    assert_hit(from_the_right, 0.5, (4.0, 0.0), (1.0, 1.0));
}

#[test]
fn joined_faces_leave_no_way_through() {
    // The scenes are a floor and a slope. Each is cut into two segments where the mover arrives, at coordinates that
    // are not binary fractions.
    for (a, cut, b) in [((0.1, 0.3), (0.7, 0.3), (1.9, 0.3)), ((0.1, 0.2), (0.4, 0.8), (0.7, 1.4))] {
        let (left, right) = (segment(a, cut), segment(cut, b));
        let normal = left.normal().unwrap();
        for mover in [Ball(0.5), Ball(0.0), Box(0.0, 0.0), Box(0.4, 0.7)] {
            let support = match mover {
                Ball(radius) => normal * radius,
                Box(x, y) => dvec2(x, y) * normal.signum() * normal.abs().ceil(),
            };
            for step in -3..=3 {
                let aim = DVec2::from(cut) + (DVec2::from(b) - DVec2::from(a)) * f64::from(step) * UNIT / 8.0;
                let found = [&left, &right]
                    .map(|face| sweep(mover, aim + support + normal * 1.3, normal * -2.6, face, Ends::NEITHER));
                assert!(found.iter().any(|sweep| matches!(sweep, Sweep::Hit(_))), "{mover:?} {step}: {found:?}");
            }
        }
    }
}

#[test]
fn a_segment_of_zero_length_is_a_point() {
    let point = segment((1.0, 1.0), (1.0, 1.0));
    let one = Ends { start: true, end: false };
    for mover in BOTH {
        for direction in [UP, -UP, RIGHT, -RIGHT] {
            let at = DVec2::ONE + direction * 1.5;
            assert_hit(sweep(mover, at, direction * -2.0, &point, one), 0.5, DVec2::ONE, direction);
            assert_clear(sweep(mover, at, direction * -2.0, &point, Ends::NEITHER));
            assert_clear(sweep(mover, at, direction * -1.0, &point, Ends::BOTH));
        }
        assert_eq!(sweep(mover, (1.25, 1.25), (1.0, 0.0), &point, Ends::BOTH), Sweep::Overlapping);
        assert_clear(sweep(mover, (1.25, 1.25), (1.0, 0.0), &point, Ends::NEITHER));
        assert_clear(sweep(mover, (1.5, 3.0), (0.0, -9.0), &point, Ends::BOTH));
    }
    // A corner of the box hits a point. The normal is that of the side that opposes the motion more, or halfway between
    // both sides if they oppose it equally.
    assert_hit(sweep(Box(0.5, 0.5), (2.0, 2.5), (-1.0, -2.0), &point, one), 0.5, DVec2::ONE, UP);
    assert_hit(sweep(Box(0.5, 0.5), (2.5, 2.5), (-2.0, -2.0), &point, one), 0.5, DVec2::ONE, (1.0, 1.0));
    assert_clear(sweep(Box(0.5, 0.5), (0.5, 2.5), (-1.0, -1.0), &point, one));
}

#[test]
fn a_point_hits_the_face_and_its_ends() {
    for mover in [Ball(0.0), Box(0.0, 0.0)] {
        assert_hit(sweep(mover, (1.0, 1.0), (2.0, -2.0), &floor(), Ends::BOTH), 0.5, (2.0, 0.0), UP);
        assert_clear(sweep(mover, (1.0, 0.0), (1.0, 0.0), &floor(), Ends::NEITHER));
        assert_hit(sweep(mover, (1.0, 0.0), (1.0, -1.0), &floor(), Ends::BOTH), 0.0, (1.0, 0.0), UP);
        assert_hit(sweep(mover, (5.0, 1.0), (-2.0, -2.0), &floor(), Ends::BOTH), 0.5, (4.0, 0.0), UP);
        assert_hit(sweep(mover, (4.0, 1.0), (0.0, -2.0), &floor(), Ends::NEITHER), 0.5, (4.0, 0.0), UP);
        assert_clear(sweep(mover, (4.0 + UNIT, 1.0), (0.0, -2.0), &floor(), Ends::BOTH));
        assert_clear(sweep(mover, (1.0, -1.0), (0.0, 2.0), &floor(), Ends::BOTH));
    }
}

#[test]
fn a_graze_of_an_end_is_clear() {
    let falls = |x| sweep(Ball(0.5), (x, 2.0), (0.0, -4.0), &floor(), Ends::BOTH);
    assert_clear(falls(4.5));
    // One unit further in, the ball hits the end. Its centre is then a little above the floor's height, so the normal
    // is nearly horizontal.
    let Sweep::Hit(hit) = falls(4.5 - UNIT) else { panic!() };
    let (across, rise) = (0.5 - UNIT, (UNIT - UNIT * UNIT).sqrt());
    assert!((hit.toi * 4.0 - (2.0 - rise)).abs() <= 1e-9, "{hit:?}");
    assert!(hit.normal.abs_diff_eq(dvec2(across, rise) * 2.0, CLOSE), "{hit:?}");
}

#[test]
fn a_unit_is_more_than_the_slop() {
    const { assert!(ONE_SIDED_SLOP < UNIT / 2.0 && ONE_SIDED_SLOP > 1e-12) };
    for mover in BOTH {
        assert_eq!(sweep(mover, (1.0, 0.5 - UNIT), (0.0, -1.0), &floor(), Ends::BOTH), Sweep::Overlapping);
        let found = sweep(mover, (1.0, 0.5 - ONE_SIDED_SLOP / 2.0), (0.0, -1.0), &floor(), Ends::BOTH);
        assert!(matches!(found, Sweep::Hit(Hit { toi: 0.0, normal: UP, .. })), "{found:?}");
    }
}

#[test]
fn a_unit_in_a_hundred_lengths_reaches_the_face() {
    let long = segment((0.0, 0.0), (200.0, 0.0));
    for mover in BOTH {
        let found = sweep(mover, (1.0, 0.5 + UNIT / 2.0), (100.0, -UNIT), &long, Ends::BOTH);
        assert_hit(found, 0.5, (51.0, 0.0), UP);
        assert_hit(sweep(mover, (1.0, 0.5), (100.0, -UNIT), &long, Ends::BOTH), 0.0, (1.0, 0.0), UP);
    }
}

#[test]
fn projected_motion_slides() {
    for k in 1..200 {
        let (x, y) = (f64::from(k) / 7.0, f64::from(k % 13) / 3.0 - 2.0);
        let slope = segment((900.0 - x, 300.0 - y), (900.0 + x, 300.0 + y));
        let normal = slope.normal().unwrap();
        let tangent = -normal.perp();
        for mover in [Ball(0.7), Box(0.3, 0.7)] {
            let reach = if let Box(x, y) = mover { dvec2(x, y).dot(normal.abs()) } else { 0.7 };
            // Start half of the slop deep in the face, so that rounding of the position does not end the contact.
            let at = dvec2(900.0, 300.0) + normal * (reach - ONE_SIDED_SLOP / 2.0);
            assert_clear(sweep(mover, at, tangent * 0.3, &slope, Ends::NEITHER));
            // A motion that points into the face by two parts in 2^47 hits.
            let found = sweep(mover, at, tangent * 0.3 - normal * (PARALLEL * 4.0), &slope, Ends::NEITHER);
            assert!(matches!(found, Sweep::Hit(hit) if hit.toi == 0.0), "{mover:?} {k}: {found:?}");
        }
    }
}

#[test]
fn a_shape_moved_to_its_hit_touches() {
    let mut random = Scenes(Random(7));
    for _ in 0..20_000 {
        let (slope, at, motion) = (random.segment(1000.0), random.point(1000.0), random.point(100.0));
        for mover in [Ball(0.7), Box(0.3, 0.7)] {
            if let Sweep::Hit(hit) = sweep(mover, at, motion, &slope, Ends::BOTH) {
                let again = sweep(mover, at + motion * hit.toi, motion, &slope, Ends::BOTH);
                let close = matches!(again, Sweep::Hit(next) if next.toi * motion.length() <= 1e-9);
                assert!(close, "{mover:?} at {at} by {motion} to {slope:?}: {hit:?}, then {again:?}");
            }
        }
    }
}

/// Returns when a circle of radius 1/2 first reaches the floor from either side, in steps of 1/256 of the motion.
fn two_sided(at: DVec2, motion: DVec2) -> Option<f64> {
    let distance = |center: DVec2| center.distance(dvec2(center.x.clamp(0.0, 4.0), 0.0));
    (0..=256).map(|step| f64::from(step) / 256.0).find(|&time| distance(at + motion * time) < 0.5)
}

/// The usual swept circle reports the first touch of the segment, so the back of the edge stops it too.
#[test]
fn fault_a_two_sided_sweep_stops_at_the_back_and_this_one_does_not() {
    let from_behind = [
        // The ball moves straight up, diagonally, up past the end, and sideways at a height just below the edge.
        (dvec2(2.0, -3.0), dvec2(0.0, 6.0)),
        (dvec2(1.0, -2.0), dvec2(2.0, 4.0)),
        (dvec2(4.25, -3.0), dvec2(0.0, 6.0)),
        (dvec2(-2.0, -0.25), dvec2(4.0, 0.0)),
    ];
    for (at, motion) in from_behind {
        assert!(two_sided(at, motion).is_some(), "{at}");
        assert_clear(sweep(Ball(0.5), at, motion, &floor(), Ends::BOTH));
    }
    // From the front, both sweeps stop the ball at the same time, up to one step of 1/256.
    let (at, motion) = (dvec2(2.0, 3.0), dvec2(0.0, -6.0));
    assert_hit(sweep(Ball(0.5), at, motion, &floor(), Ends::BOTH), 2.5 / 6.0, (2.0, 0.0), UP);
    assert!(two_sided(at, motion).is_some_and(|time| (2.5 / 6.0..2.5 / 6.0 + 1.0 / 256.0).contains(&time)));
    // The reversed edge has its front below.
    let ceiling = segment((4.0, 0.0), (0.0, 0.0));
    assert_hit(sweep(Ball(0.5), -at + RIGHT * 4.0, -motion, &ceiling, Ends::BOTH), 2.5 / 6.0, (2.0, 0.0), -UP);
}

#[test]
fn invalid_shapes_are_rejected() {
    assert!(matches!(Segment::new(DVec2::NAN, DVec2::ZERO), Err(ShapeError::NotFinite { .. })));
    assert!(matches!(Circle::new(dvec2(0.0, f64::INFINITY), 1.0), Err(ShapeError::NotFinite { .. })));
    assert_eq!(Circle::new(DVec2::ZERO, -1.0), Err(ShapeError::BadExtent { extent: -1.0 }));
    assert!(matches!(Circle::new(DVec2::ZERO, f64::NAN), Err(ShapeError::BadExtent { .. })));
    assert_eq!(Aabb::from_center(DVec2::ZERO, dvec2(1.0, -2.0)), Err(ShapeError::BadExtent { extent: -2.0 }));
}

#[test]
fn motion_that_is_not_finite_or_too_long_is_clear() {
    // The longest valid motion goes from one end of the coordinate range to the other.
    let longest = 2.0 * MAX_COORDINATE;
    for mover in BOTH {
        for motion in [(f64::NAN, -1.0), (0.0, f64::NEG_INFINITY), (0.0, -longest.next_up()), (longest.next_up(), -1.0)]
        {
            assert_clear(sweep(mover, (1.0, 0.5), motion, &floor(), Ends::BOTH));
        }
        assert_hit(sweep(mover, (1.0, 0.5), (0.0, -longest), &floor(), Ends::BOTH), 0.0, (1.0, 0.0), UP);
    }
}

/// Generates parts of random scenes.
pub(super) struct Scenes(pub(super) Random);

impl Scenes {
    pub(super) fn point(&mut self, scale: f64) -> DVec2 {
        dvec2(self.0.range(-1.0, 1.0), self.0.range(-1.0, 1.0)) * scale
    }

    /// A segment of a few lengths, with its middle up to `scale` from the origin.
    pub(super) fn segment(&mut self, scale: f64) -> Segment {
        let (middle, half) = (self.point(scale), self.point(2.0));
        Segment::new(middle - half, middle + half).unwrap()
    }
}
