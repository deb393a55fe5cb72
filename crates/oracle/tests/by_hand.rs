//! Compares the oracle with placements worked out by hand.

use surefoot_oracle::{Kind, Manner, Obstacle, Scene, Shape, Side, Time};

const ONE: i64 = 1 << 32;
const STEP: i64 = 1 << 28;
const BLOCK: [(i32, i32); 4] = [(0, 16), (16, 16), (16, 0), (0, 0)];
const HALF: (i64, i64) = (ONE / 4, ONE / 4);
const BOX: Shape = Shape::Box { half: HALF };

fn block() -> Scene {
    let mut scene = Scene::new();
    scene.solid((0, 0), &BLOCK);
    scene
}

/// A slope that rises from the lower left to the upper right corner, with the solid below it.
fn slope() -> Scene {
    let mut scene = Scene::new();
    scene.solid((0, 0), &[(0, 0), (16, 16), (16, 0)]);
    scene
}

#[test]
fn touching_is_not_an_overlap_and_one_unit_deeper_is() {
    let scene = block();
    for (at, inward) in [
        ((ONE / 2, ONE + HALF.1), (0, -1)),
        ((ONE / 2, -HALF.1), (0, 1)),
        ((-HALF.0, ONE / 2), (1, 0)),
        ((ONE + HALF.0, ONE / 2), (-1, 0)),
        ((ONE + HALF.0, ONE + HALF.1), (-1, -1)),
    ] {
        assert_eq!(scene.overlap(&BOX, at), None, "{at:?}");
        let deeper = (at.0 + inward.0, at.1 + inward.1);
        assert_eq!(scene.overlap(&BOX, deeper).map(|o| o.obstacle), Some(Obstacle::Cell((0, 0))), "{deeper:?}");
    }
}

#[test]
fn a_box_touches_a_slope_with_its_corner() {
    // The lower right corner (x + h, y - h) is on the line y = x if y = x + 2h.
    let at = (ONE / 2, ONE / 2 + 2 * HALF.0);
    assert_eq!(slope().overlap(&BOX, at), None);
    assert!(slope().overlap(&BOX, (at.0, at.1 - 1)).is_some());
    assert!(slope().overlap(&BOX, (at.0 + 1, at.1)).is_some());
}

#[test]
fn a_box_inside_a_solid_and_one_around_it_overlap() {
    assert!(block().overlap(&Shape::Box { half: (1, 1) }, (ONE / 2, ONE / 3)).is_some());
    assert!(slope().overlap(&Shape::Box { half: (5 * ONE, 5 * ONE) }, (ONE / 2, ONE / 3)).is_some());
}

#[test]
fn a_box_over_the_diagonal_of_a_block_overlaps_it() {
    // The shapes are centred on seams: the block's diagonal and the border of two blocks.
    let mut scene = block();
    scene.solid((1, 0), &BLOCK);
    for at in [(ONE / 2, ONE / 2), (ONE, ONE / 2), (ONE, ONE)] {
        assert!(scene.overlap(&Shape::Box { half: (1, 1) }, at).is_some(), "{at:?}");
        assert!(scene.overlap(&Shape::Circle { radius: 1 }, at).is_some(), "{at:?}");
    }
}

#[test]
fn a_box_flush_with_the_side_of_a_block_falls_past() {
    let from = (ONE + HALF.0, 500 * ONE);
    assert_eq!(block().entry_time(HALF, from, (0, -1000 * ONE)), None);
    let inside = (from.0 - 1, from.1);
    // The box falls 500 - 1/4 - 1 of 1000 cells before its bottom reaches the block's top.
    assert_eq!(block().entry_time(HALF, inside, (0, -1000 * ONE)), Some(Time::new(1995, 4000)));
}

#[test]
fn a_box_aimed_at_a_corner_enters_or_grazes_it() {
    let corner = (ONE + HALF.0, ONE + HALF.1);
    let from = (corner.0 + 3 * ONE, corner.1 + 3 * ONE);
    assert_eq!(block().entry_time(HALF, from, (-6 * ONE, -6 * ONE)), Some(Time::new(1, 2)));
    // The box passes the corner from the upper left to the lower right.
    let from = (corner.0 - 3 * ONE, corner.1 + 3 * ONE);
    assert_eq!(block().entry_time(HALF, from, (6 * ONE, -6 * ONE)), None);
    assert!(block().entry_time(HALF, (from.0 - 1, from.1), (6 * ONE, -6 * ONE)).is_some());
    // The box reaches the corner at the end of its motion.
    let from = (corner.0 + ONE, corner.1 + ONE);
    assert_eq!(block().entry_time(HALF, from, (-ONE, -ONE)), None);
    assert!(block().entry_time(HALF, from, (-ONE - 1, -ONE - 1)).is_some());
}

#[test]
fn the_entry_time_at_a_slope_is_rational() {
    // The lower right corner starts 4 steps above the line y = x, at x = 4 steps. It moves by (5, -2), so its height over
    // the line falls by 7 during the motion and is 0 at 4/7.
    let from = (4 * STEP - HALF.0, 8 * STEP + HALF.1);
    assert_eq!(slope().entry_time(HALF, from, (5 * STEP, -2 * STEP)), Some(Time::new(4, 7)));
    // A box that moves along the slope never enters. With a unit more to the right it does: at once if it touches the
    // slope, later if it starts a unit above.
    let touching = (4 * STEP - HALF.0, 4 * STEP + HALF.1);
    assert_eq!(slope().entry_time(HALF, touching, (ONE, ONE)), None);
    assert_eq!(slope().entry_time(HALF, touching, (STEP + 1, STEP)), Some(Time::ZERO));
    let above = (touching.0, touching.1 + 1);
    assert_eq!(slope().entry_time(HALF, above, (STEP + 2, STEP)), Some(Time::new(1, 2)));
    assert_eq!(slope().entry_time(HALF, above, (STEP + 1, STEP)), None);
}

#[test]
fn entry_times_are_exact_far_from_the_origin_and_at_high_speed() {
    let far = 1 << 28;
    let mut scene = Scene::new();
    scene.solid((far, -far), &BLOCK);
    let corner = ((i64::from(far) + 1) * ONE + HALF.0, (1 - i64::from(far)) * ONE + HALF.1);
    let from = (corner.0 + 1000 * ONE - 1, corner.1 + 1000 * ONE);
    let time = scene.entry_time(HALF, from, (-1000 * ONE, -1000 * ONE - 1));
    assert_eq!(time, Some(Time::new((1000 * ONE).into(), (1000 * ONE + 1).into())));
    assert!(scene.path_overlap(HALF, from, (corner.0 - 1, corner.1 - 1)).is_some());
    assert!(scene.path_overlap(HALF, from, (corner.0 - 1, corner.1)).is_none());
}

#[test]
fn a_circle_touches_a_corner_in_a_three_four_five_triangle() {
    let unit = ONE / 8;
    let circle = Shape::Circle { radius: 5 * unit };
    let at = (ONE + 3 * unit, ONE + 4 * unit);
    assert_eq!(block().overlap(&circle, at), None);
    assert!(block().overlap(&circle, (at.0 - 1, at.1)).is_some());
    assert!(block().overlap(&circle, (at.0, at.1 - 1)).is_some());
    assert!(block().overlap(&Shape::Circle { radius: 5 * unit + 1 }, at).is_some());
    // Then on the flat side, and deep inside.
    assert_eq!(block().overlap(&circle, (ONE / 2, ONE + 5 * unit)), None);
    assert!(block().overlap(&circle, (ONE / 2, ONE + 5 * unit - 1)).is_some());
    assert!(block().overlap(&Shape::Circle { radius: 1 }, (ONE / 2, ONE / 3)).is_some());
}

#[test]
fn the_depth_of_a_circle_is_measured_where_its_centre_is_nearest() {
    let radius = ONE / 2;
    let depth = |from, to| block().circle_path_depth(radius, from, to);
    // Over the block with the centre a quarter above its top.
    let height = ONE + ONE / 4;
    assert!((depth((-5 * ONE, height), (7 * ONE, height)) - (ONE / 4) as f64).abs() <= 2.0);
    assert_eq!(depth((-5 * ONE, ONE + radius), (7 * ONE, ONE + radius)), 0.0);
    // Straight through the block.
    assert_eq!(depth((-5 * ONE, ONE / 3), (7 * ONE, ONE / 2)), radius as f64);
    // Past the corner along the line x + y = 2 + 1/2, at a distance of sqrt 2 / 4.
    let expected = radius as f64 - ONE as f64 * 0.125_f64.sqrt();
    let found = depth((-ONE, 3 * ONE + ONE / 2), (4 * ONE, -ONE - ONE / 2));
    assert!((found - expected).abs() <= 2.0, "{found} {expected}");
}

#[test]
fn a_one_sided_edge_is_crossed_from_above_only() {
    let mut scene = Scene::new();
    scene.edge((0, 0), (0, 16), (16, 16));
    let radius = ONE / 4;
    for shape in [BOX, Shape::Circle { radius }] {
        let crossed = |from, to| scene.crossed(&shape, from, to).map(|crossing| crossing.manner);
        let x = ONE / 3;
        assert_eq!(crossed((x, ONE + radius), (x, ONE + radius - 1)), Some(Manner::Front));
        assert_eq!(crossed((x, 500 * ONE), (x, -500 * ONE)), Some(Manner::Front));
        assert_eq!(crossed((x, 500 * ONE), (x, ONE + radius)), None);
        assert_eq!(crossed((x, -5 * ONE), (x, 5 * ONE)), None);
        // Start straddling by one unit, start below, and move along the edge.
        assert_eq!(crossed((x, ONE + radius - 1), (x, -ONE)), None);
        assert_eq!(crossed((x, ONE), (x, -ONE)), None);
        assert_eq!(crossed((-5 * ONE, ONE + radius), (5 * ONE, ONE + radius)), None);
        // Down past the end, flush with it; then sideways while straddling the line.
        assert_eq!(crossed((-radius, 2 * ONE), (-radius, 0)), None);
        assert_eq!(crossed((-5 * ONE, ONE), (5 * ONE, ONE)), None);
        // Down the line x + y = 7/10: the shape is below the edge's height before it gets there, so the end blocks nothing.
        let start = (-3 * ONE, 37 * ONE / 10);
        assert_eq!(crossed(start, (start.0 + 5 * ONE, start.1 - 5 * ONE)), None);
        // Down x + y = 12/10: the disc hits the end while its centre is in front, and the box comes over the top.
        let start = (-3 * ONE, 42 * ONE / 10);
        assert_eq!(crossed(start, (start.0 + 5 * ONE, start.1 - 5 * ONE)), Some(Manner::Front));
    }
    let x = -HALF.0 + 1;
    assert_eq!(scene.crossed(&BOX, (x, 2 * ONE), (x, 0)).map(|c| c.manner), Some(Manner::Front));
    // The lower right corner comes down exactly on the end and moves inwards.
    let from = (-HALF.0 - ONE, ONE + HALF.1 + ONE);
    assert_eq!(scene.crossed(&BOX, from, (from.0 + 2 * ONE, from.1 - 2 * ONE)).map(|c| c.manner), Some(Manner::Front));
    assert_eq!(scene.crossed(&BOX, (from.0 - 1, from.1), (from.0 + 2 * ONE - 1, from.1 - 2 * ONE)), None);
    let named = scene.crossed(&BOX, (0, 2 * ONE), (0, 0)).unwrap();
    assert_eq!((named.cell, named.a, named.b), ((0, 0), (0, 16), (16, 16)));
}

#[test]
fn a_slanted_edge_is_crossed_by_a_side_at_its_end_too() {
    let mut scene = Scene::new();
    // The air is on the upper left of the edge.
    scene.edge((0, 0), (0, 0), (16, 16));
    let crossed = |from, to| scene.crossed(&BOX, from, to).map(|crossing| crossing.manner);
    assert_eq!(crossed((0, ONE), (ONE, 0)), Some(Manner::Front));
    assert_eq!(crossed((ONE, 0), (0, ONE)), None);
    // The bottom side comes down on the upper end: the box starts over the end, a unit in front of the line.
    let start = (ONE + HALF.0 - 1, ONE + 3 * HALF.1 + 1);
    assert_eq!(crossed(start, (start.0, ONE)), Some(Manner::Beside));
    // The box only touches the end on its way down.
    assert_eq!(crossed((ONE + HALF.0, ONE + 3 * HALF.1), (ONE + HALF.0, 0)), None);
}

#[test]
fn walls_have_two_sides_and_tips() {
    let mut scene = Scene::new();
    scene.paint((0, 0), Kind::Wall, &[vec![(8, 0), (8, 16)]], false, 0);
    let radius = ONE / 4;
    for shape in [BOX, Shape::Circle { radius }] {
        let crossed = |from, to| scene.crossed(&shape, from, to).is_some();
        let (left, right, y) = (ONE / 2 - radius, ONE / 2 + radius, ONE / 2);
        assert!(crossed((left, y), (left + 1, y)) && crossed((right, y), (right - 1, y)));
        assert!(crossed((left, y), (5 * ONE, y)) && crossed((right, y), (-5 * ONE, y)));
        assert!(!crossed((left, y), (left, 5 * ONE)) && !crossed((left + 1, y), (right, y)));
        // The upper tip.
        assert!(!crossed((ONE / 2, 2 * ONE), (ONE / 2, ONE + radius)));
        assert!(crossed((ONE / 2, 2 * ONE), (ONE / 2, ONE + radius - 1)));
    }
}

#[test]
fn everything_beyond_a_side_is_solid() {
    for (side, at, inward) in [
        (Side::Left, (-3 * ONE + HALF.0, 700 * ONE), (-1, 0)),
        (Side::Right, (-3 * ONE - HALF.0, 700 * ONE), (1, 0)),
        (Side::Bottom, (700 * ONE, -3 * ONE + HALF.1), (0, -1)),
        (Side::Top, (700 * ONE, -3 * ONE - HALF.1), (0, 1)),
    ] {
        let mut scene = Scene::new();
        scene.solid_beyond(side, -3);
        let moved = |by: i64| (at.0 + inward.0 * by, at.1 + inward.1 * by);
        for shape in [BOX, Shape::Circle { radius: HALF.0 }] {
            assert_eq!(scene.overlap(&shape, at), None, "{side:?}");
            assert_eq!(scene.overlap(&shape, moved(1)).map(|o| o.obstacle), Some(Obstacle::Beyond(side)));
            assert!(scene.overlap(&shape, moved(50 * ONE)).is_some(), "{side:?}");
        }
        let motion = (inward.0 * 4 * ONE, inward.1 * 4 * ONE);
        assert_eq!(scene.entry_time(HALF, moved(-ONE), motion), Some(Time::new(1, 4)), "{side:?}");
        assert_eq!(scene.entry_time(HALF, at, (inward.1 * ONE, inward.0 * ONE)), None, "{side:?}");
        assert_eq!(scene.circle_path_depth(HALF.0, moved(-ONE), moved(7)), 7.0, "{side:?}");
        assert_eq!(scene.circle_path_depth(HALF.0, moved(-ONE), at), 0.0, "{side:?}");
    }
}

#[test]
#[should_panic(expected = "needs a size")]
fn a_shape_without_size_is_refused() {
    let _ = block().overlap(&Shape::Box { half: (0, 1) }, (0, 0));
}
