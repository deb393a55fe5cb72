//! Sweeps computed by hand: a floor from (0, 0) to (4, 0), a box with half-extents 1/2, and a circle of radius 1/2.

use surefoot_geometry::exact::{
    Corner, Edge, EdgeEnd, EdgeError, Face, Fraction, MovingBox, MovingCircle, sweep_box, sweep_circle,
};
use surefoot_geometry::{DVec2, I64Vec2, ONE, Position, Sweep};

const HALF: i64 = ONE / 2;

fn at(x: i64, y: i64) -> Position {
    Position::from_units(x, y).expect("near the origin")
}

fn floor() -> Edge {
    Edge::new(at(0, 0), at(4 * ONE, 0)).expect("an edge")
}

/// Returns time and normal of the box's and the circle's sweep. Both shapes have the same extents.
fn both(center: Position, motion: I64Vec2, edge: &Edge) -> [Sweep<(f64, DVec2)>; 2] {
    let by_box = match sweep_box(center, I64Vec2::splat(HALF), motion, edge) {
        Sweep::Hit(hit) => Sweep::Hit((hit.toi.to_f64(), hit.normal.as_dvec2().normalize())),
        Sweep::Clear => Sweep::Clear,
        Sweep::Overlapping => Sweep::Overlapping,
    };
    let by_circle = match sweep_circle(center, HALF, motion, edge) {
        Sweep::Hit(hit) => Sweep::Hit((hit.toi, hit.normal)),
        Sweep::Clear => Sweep::Clear,
        Sweep::Overlapping => Sweep::Overlapping,
    };
    [by_box, by_circle]
}

fn v(x: i64, y: i64) -> I64Vec2 {
    I64Vec2::new(x, y)
}

#[test]
fn falling_from_two_above_hits_the_floor_at_three_quarters() {
    let expected = Sweep::Hit((0.75, DVec2::Y));
    assert_eq!(both(at(2 * ONE, 2 * ONE), v(0, -2 * ONE), &floor()), [expected; 2]);
}

#[test]
fn touching_at_the_start_and_moving_in_is_a_hit_at_time_0() {
    let expected = Sweep::Hit((0.0, DVec2::Y));
    assert_eq!(both(at(2 * ONE, HALF), v(0, -1), &floor()), [expected; 2]);
    assert_eq!(both(at(2 * ONE, HALF), v(ONE, -1), &floor()), [expected; 2]);
}

#[test]
fn touching_at_the_start_and_moving_along_or_away_is_clear() {
    for motion in [v(ONE, 0), v(-ONE, 0), v(0, 1), v(ONE, 1), v(0, 3 * ONE)] {
        assert_eq!(both(at(2 * ONE, HALF), motion, &floor()), [Sweep::Clear; 2], "{motion}");
    }
}

#[test]
fn overlap_by_one_unit_at_the_start_is_reported() {
    for motion in [v(0, -ONE), v(0, ONE), v(ONE, 0), I64Vec2::ZERO] {
        assert_eq!(both(at(2 * ONE, HALF - 1), motion, &floor()), [Sweep::Overlapping; 2], "{motion}");
    }
}

#[test]
fn no_motion_is_clear() {
    for y in [HALF, 2 * ONE, -HALF, -2 * ONE] {
        assert_eq!(both(at(2 * ONE, y), I64Vec2::ZERO, &floor()), [Sweep::Clear; 2]);
    }
}

#[test]
fn motion_parallel_to_the_face_never_hits_the_face_but_may_hit_an_end() {
    assert_eq!(both(at(-3 * ONE, HALF), v(9 * ONE, 0), &floor()), [Sweep::Clear; 2], "just touching on the way");
    // The lower end of the shape is a quarter below the surface, in front of the floor's start. A wall stands there, so
    // there is a corner to hit.
    let cornered = floor().with_ends(EdgeEnd::Convex { normal: v(-1, 0) }, EdgeEnd::Joined);
    let [by_box, by_circle] = both(at(-3 * ONE, ONE / 4), v(6 * ONE, 0), &cornered);
    // The box does not hit this edge. It would hit the wall, which is another edge.
    assert_eq!(by_box, Sweep::Clear);
    // The circle hits the corner: 1/4 up, so sqrt(1/4 - 1/16) = 0.4330127 to the left.
    let Sweep::Hit((toi, normal)) = by_circle else { panic!("{by_circle:?}") };
    assert!((toi - (3.0 - 0.433_012_701_892_219_3) / 6.0).abs() < 1e-12, "{toi}");
    assert!((normal - DVec2::new(-0.866_025_403_784_438_6, 0.5)).length() < 1e-9, "{normal}");
}

#[test]
fn motions_from_behind_pass() {
    assert_eq!(both(at(2 * ONE, -2 * ONE), v(0, 4 * ONE), &floor()), [Sweep::Clear; 2]);
}

#[test]
fn ends_are_hit_only_if_they_are_selected() {
    // A circle falls half a radius next to the start.
    let start = at(-ONE / 4, 2 * ONE);
    let fall = v(0, -4 * ONE);
    assert_eq!(sweep_circle(start, HALF, fall, &floor()), Sweep::Clear);
    let free = floor().with_ends(EdgeEnd::Free, EdgeEnd::Joined);
    let hit = sweep_circle(start, HALF, fall, &free).hit().expect("the end is free");
    // The corner is 1/4 to the side, so the circle hits it at a height of 0.4330127.
    assert!((hit.toi - (2.0 - 0.433_012_701_892_219_3) / 4.0).abs() < 1e-12, "{hit:?}");
    // A box falls onto the top of a 45-degree hill. The slope alone does not stop the box. A convex end at the top
    // does, because up lies between the normals of the two slopes.
    let slope = Edge::new(at(0, 0), at(ONE, ONE)).expect("an edge");
    let (center, half) = (at(ONE + ONE / 4, 3 * ONE), I64Vec2::splat(HALF));
    assert_eq!(sweep_box(center, half, fall, &slope), Sweep::Clear);
    let hill = slope.with_ends(EdgeEnd::Joined, EdgeEnd::Convex { normal: v(1, 1) });
    let hit = sweep_box(center, half, fall, &hill).hit().expect("it lands on the tip");
    assert_eq!((hit.toi, hit.normal), (Fraction { num: 3, den: 8 }, I64Vec2::Y));
}

#[test]
fn a_box_in_line_with_an_end_falls_past_and_one_unit_further_in_lands() {
    let block = floor().with_ends(EdgeEnd::Convex { normal: v(-1, 0) }, EdgeEnd::Convex { normal: v(1, 0) });
    for (x, lands) in
        [(-HALF - 1, false), (-HALF, false), (-HALF + 1, true), (4 * ONE + HALF - 1, true), (4 * ONE + HALF, false)]
    {
        let answer = sweep_box(at(x, 2 * ONE), I64Vec2::splat(HALF), v(0, -4 * ONE), &block);
        assert_eq!(answer.hit().is_some(), lands, "{x}");
    }
}

#[test]
fn a_segment_of_length_zero_is_not_an_edge() {
    assert_eq!(Edge::new(at(5, 5), at(5, 5)), Err(EdgeError::NoLength));
    assert!(matches!(Edge::new(at(0, 0), at(5000, 1)), Err(EdgeError::Direction { x: 5000, y: 1 })));
}

#[test]
fn a_circle_of_radius_0_is_a_point() {
    let hit = sweep_circle(at(2 * ONE, ONE), 0, v(0, -4 * ONE), &floor()).hit().expect("it lands");
    assert_eq!((hit.toi, hit.normal), (0.25, DVec2::Y));
    assert_eq!(sweep_circle(at(5 * ONE, ONE), 0, v(0, -4 * ONE), &floor()), Sweep::Clear);
    assert_eq!(sweep_circle(at(2 * ONE, 0), 0, v(0, -1), &floor()).hit().map(|hit| hit.toi), Some(0.0));
    assert_eq!(sweep_circle(at(2 * ONE, 0), 0, v(ONE, 0), &floor()), Sweep::Clear);
}

#[test]
fn one_unit_decides_between_touching_and_overlapping() {
    // By the triangle 3, 4, 5: a circle of radius 5 units around (3, 4) touches the corner at the origin exactly.
    let corner = Edge::new(at(-40, 0), at(0, 0)).expect("an edge").with_ends(EdgeEnd::Joined, EdgeEnd::Free);
    assert!(sweep_circle(at(3, 4), 5, v(-1, -1), &corner).hit().is_some_and(|hit| hit.toi == 0.0));
    assert_eq!(sweep_circle(at(3, 4), 6, v(-1, -1), &corner), Sweep::Overlapping);
    assert_eq!(sweep_circle(at(3, 4), 5, v(4, -3), &corner), Sweep::Clear, "along the tangent");
    // A slope: the line through the origin along (4, 3) has the distance 5 from (-3, 4), at any size.
    let line = Edge::new(at(-400 * ONE, -300 * ONE), at(400 * ONE, 300 * ONE)).expect("an edge");
    for scale in [1, 1000, ONE] {
        let center = at(-3 * scale, 4 * scale);
        assert!(sweep_circle(center, 5 * scale, v(3, -4), &line).hit().is_some_and(|hit| hit.toi == 0.0), "{scale}");
        assert_eq!(sweep_circle(center, 5 * scale + 1, v(3, -4), &line), Sweep::Overlapping, "{scale}");
    }
}

#[test]
fn touching_ends_sixteen_units_away() {
    let zero = I64Vec2::ZERO;
    let floor = Face { a: v(0, 0), b: v(4 * ONE, 0), normal: I64Vec2::Y, before: v(-1, 0), after: v(1, 0) };
    let by_box = |x, y| MovingBox { center: v(x, y), half: I64Vec2::splat(HALF), motion: zero }.touches_face(&floor);
    let by_circle = |x, y| MovingCircle { center: v(x, y), radius: HALF, motion: zero }.touches_face(&floor);
    for (gap, touches) in [(-1, false), (0, true), (16, true), (17, false)] {
        assert_eq!(by_box(2 * ONE, HALF + gap), touches, "{gap}");
        // The distance of a circle is an f64, so the test leaves out the overlap of one unit.
        assert_eq!(by_circle(2 * ONE, HALF + gap.max(0)), touches || gap < 0, "{gap}");
    }
    // A box touches an axis-aligned face only if at least one unit of its width is above the face. For a circle, the
    // foot of its centre decides.
    assert!(by_box(-HALF + 1, HALF) && !by_box(-HALF, HALF));
    assert!(by_circle(0, HALF) && !by_circle(-1, HALF));
    let corner = Corner { vertex: zero, first: v(1, 0), second: v(0, 1) };
    let round = |x, y| MovingCircle { center: v(x, y), radius: HALF, motion: zero }.touches_corner(&corner);
    assert!(round(HALF, 0) && round(0, HALF + 16) && !round(0, HALF + 17) && !round(-1, HALF));
}

#[test]
fn a_box_at_an_end_without_room_for_its_corner_hits_nothing() {
    // A slope rises to the right and ends at the origin. The box's lower right corner is on it, or nearly.
    let slope = |after| Face { a: v(-4 * ONE, -4 * ONE), b: v(0, 0), normal: v(-1, 1), before: I64Vec2::ZERO, after };
    let (joined, without_room) = (slope(I64Vec2::ZERO), slope(v(1, -1)));
    let with_corner = |x, y, motion| MovingBox { center: v(x - HALF, y + HALF), half: I64Vec2::splat(HALF), motion };
    let at_the_end = with_corner(0, 0, v(ONE, 0));
    assert!(at_the_end.touches_face(&joined) && at_the_end.against_face(&joined).is_some());
    assert!(!at_the_end.touches_face(&without_room) && at_the_end.against_face(&without_room).is_none());
    // On this path, the corner of the box passes exactly through the end.
    let coming = with_corner(-ONE, 0, v(2 * ONE, 0));
    assert!(coming.against_face(&joined).is_some() && coming.against_face(&without_room).is_none());
    // One unit before the end on each axis, the box touches and hits both faces.
    let before = with_corner(-1, -1, v(ONE, 0));
    for face in [&joined, &without_room] {
        assert!(before.touches_face(face) && before.against_face(face).is_some());
    }
}

#[test]
fn motions_out_of_range_are_clear_and_do_not_overflow() {
    let limit = Position::LIMIT;
    let edge = Edge::new(at(-limit, -limit), at(limit, -limit)).expect("an edge");
    for motion in [v(i64::MIN, i64::MIN), v(i64::MAX, -1), v(0, -limit)] {
        assert_eq!(both(at(limit, limit), motion, &edge), [Sweep::Clear; 2]);
    }
}
