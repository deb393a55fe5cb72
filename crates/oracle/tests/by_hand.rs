//! Compares the oracle with placements worked out by hand.

use surefoot_oracle::{Kind, Manner, Obstacle, Scene, Shape, Side, Time};

const UNITS_PER_CELL: i64 = 1 << 32;
const UNITS_PER_STEP: i64 = 1 << 28;
const BLOCK: [(i32, i32); 4] = [(0, 16), (16, 16), (16, 0), (0, 0)];
const HALF: (i64, i64) = (UNITS_PER_CELL / 4, UNITS_PER_CELL / 4);
const BOX: Shape = Shape::Box { half: HALF };

fn block() -> Scene {
    let mut scene = Scene::new();
    scene.add_solid((0, 0), &BLOCK);
    scene
}

/// A slope that rises from the lower left to the upper right corner, with the solid below it.
fn slope() -> Scene {
    let mut scene = Scene::new();
    scene.add_solid((0, 0), &[(0, 0), (16, 16), (16, 0)]);
    scene
}

#[test]
fn touching_is_not_an_overlap_and_one_unit_deeper_is() {
    let scene = block();
    for (at, inward) in [
        ((UNITS_PER_CELL / 2, UNITS_PER_CELL + HALF.1), (0, -1)),
        ((UNITS_PER_CELL / 2, -HALF.1), (0, 1)),
        ((-HALF.0, UNITS_PER_CELL / 2), (1, 0)),
        ((UNITS_PER_CELL + HALF.0, UNITS_PER_CELL / 2), (-1, 0)),
        ((UNITS_PER_CELL + HALF.0, UNITS_PER_CELL + HALF.1), (-1, -1)),
    ] {
        assert_eq!(scene.overlap(&BOX, at), None, "{at:?}");
        let deeper = (at.0 + inward.0, at.1 + inward.1);
        assert_eq!(scene.overlap(&BOX, deeper).map(|o| o.obstacle), Some(Obstacle::Cell((0, 0))), "{deeper:?}");
    }
}

#[test]
fn a_box_touches_a_slope_with_its_corner() {
    // The lower right corner (x + h, y - h) is on the line y = x if y = x + 2h.
    let at = (UNITS_PER_CELL / 2, UNITS_PER_CELL / 2 + 2 * HALF.0);
    assert_eq!(slope().overlap(&BOX, at), None);
    assert!(slope().overlap(&BOX, (at.0, at.1 - 1)).is_some());
    assert!(slope().overlap(&BOX, (at.0 + 1, at.1)).is_some());
}

#[test]
fn a_box_inside_a_solid_and_one_around_it_overlap() {
    assert!(block().overlap(&Shape::Box { half: (1, 1) }, (UNITS_PER_CELL / 2, UNITS_PER_CELL / 3)).is_some());
    assert!(
        slope()
            .overlap(
                &Shape::Box { half: (5 * UNITS_PER_CELL, 5 * UNITS_PER_CELL) },
                (UNITS_PER_CELL / 2, UNITS_PER_CELL / 3)
            )
            .is_some()
    );
}

#[test]
fn a_box_over_the_diagonal_of_a_block_overlaps_it() {
    // The shapes are centred on seams: the block's diagonal and the border of two blocks.
    let mut scene = block();
    scene.add_solid((1, 0), &BLOCK);
    for at in [
        (UNITS_PER_CELL / 2, UNITS_PER_CELL / 2),
        (UNITS_PER_CELL, UNITS_PER_CELL / 2),
        (UNITS_PER_CELL, UNITS_PER_CELL),
    ] {
        assert!(scene.overlap(&Shape::Box { half: (1, 1) }, at).is_some(), "{at:?}");
        assert!(scene.overlap(&Shape::Circle { radius: 1 }, at).is_some(), "{at:?}");
    }
}

#[test]
fn a_box_flush_with_the_side_of_a_block_falls_past() {
    let from = (UNITS_PER_CELL + HALF.0, 500 * UNITS_PER_CELL);
    assert_eq!(block().entry_time(HALF, from, (0, -1000 * UNITS_PER_CELL)), None);
    let inside = (from.0 - 1, from.1);
    // The box falls 500 - 1/4 - 1 of 1000 cells before its bottom reaches the block's top.
    assert_eq!(block().entry_time(HALF, inside, (0, -1000 * UNITS_PER_CELL)), Some(Time::new(1995, 4000)));
}

#[test]
fn a_box_aimed_at_a_corner_enters_or_grazes_it() {
    let corner = (UNITS_PER_CELL + HALF.0, UNITS_PER_CELL + HALF.1);
    let from = (corner.0 + 3 * UNITS_PER_CELL, corner.1 + 3 * UNITS_PER_CELL);
    assert_eq!(block().entry_time(HALF, from, (-6 * UNITS_PER_CELL, -6 * UNITS_PER_CELL)), Some(Time::new(1, 2)));
    // The box passes the corner from the upper left to the lower right.
    let from = (corner.0 - 3 * UNITS_PER_CELL, corner.1 + 3 * UNITS_PER_CELL);
    assert_eq!(block().entry_time(HALF, from, (6 * UNITS_PER_CELL, -6 * UNITS_PER_CELL)), None);
    assert!(block().entry_time(HALF, (from.0 - 1, from.1), (6 * UNITS_PER_CELL, -6 * UNITS_PER_CELL)).is_some());
    // The box reaches the corner at the end of its motion.
    let from = (corner.0 + UNITS_PER_CELL, corner.1 + UNITS_PER_CELL);
    assert_eq!(block().entry_time(HALF, from, (-UNITS_PER_CELL, -UNITS_PER_CELL)), None);
    assert!(block().entry_time(HALF, from, (-UNITS_PER_CELL - 1, -UNITS_PER_CELL - 1)).is_some());
}

#[test]
fn the_entry_time_at_a_slope_is_rational() {
    // The lower right corner starts 4 steps above the line y = x, at x = 4 steps. It moves by (5, -2), so its height
    // over the line falls by 7 during the motion and is 0 at 4/7.
    let from = (4 * UNITS_PER_STEP - HALF.0, 8 * UNITS_PER_STEP + HALF.1);
    assert_eq!(slope().entry_time(HALF, from, (5 * UNITS_PER_STEP, -2 * UNITS_PER_STEP)), Some(Time::new(4, 7)));
    // A box that moves along the slope never enters. With a unit more to the right it does: at once if it touches the
    // slope, later if it starts a unit above.
    let touching = (4 * UNITS_PER_STEP - HALF.0, 4 * UNITS_PER_STEP + HALF.1);
    assert_eq!(slope().entry_time(HALF, touching, (UNITS_PER_CELL, UNITS_PER_CELL)), None);
    assert_eq!(slope().entry_time(HALF, touching, (UNITS_PER_STEP + 1, UNITS_PER_STEP)), Some(Time::ZERO));
    let above = (touching.0, touching.1 + 1);
    assert_eq!(slope().entry_time(HALF, above, (UNITS_PER_STEP + 2, UNITS_PER_STEP)), Some(Time::new(1, 2)));
    assert_eq!(slope().entry_time(HALF, above, (UNITS_PER_STEP + 1, UNITS_PER_STEP)), None);
}

#[test]
fn entry_times_are_exact_far_from_the_origin_and_at_high_speed() {
    let far = 1 << 28;
    let mut scene = Scene::new();
    scene.add_solid((far, -far), &BLOCK);
    let corner = ((i64::from(far) + 1) * UNITS_PER_CELL + HALF.0, (1 - i64::from(far)) * UNITS_PER_CELL + HALF.1);
    let from = (corner.0 + 1000 * UNITS_PER_CELL - 1, corner.1 + 1000 * UNITS_PER_CELL);
    let time = scene.entry_time(HALF, from, (-1000 * UNITS_PER_CELL, -1000 * UNITS_PER_CELL - 1));
    assert_eq!(time, Some(Time::new((1000 * UNITS_PER_CELL).into(), (1000 * UNITS_PER_CELL + 1).into())));
    assert!(scene.path_overlap(HALF, from, (corner.0 - 1, corner.1 - 1)).is_some());
    assert!(scene.path_overlap(HALF, from, (corner.0 - 1, corner.1)).is_none());
}

#[test]
fn a_circle_touches_a_corner_in_a_three_four_five_triangle() {
    let unit = UNITS_PER_CELL / 8;
    let circle = Shape::Circle { radius: 5 * unit };
    let at = (UNITS_PER_CELL + 3 * unit, UNITS_PER_CELL + 4 * unit);
    assert_eq!(block().overlap(&circle, at), None);
    assert!(block().overlap(&circle, (at.0 - 1, at.1)).is_some());
    assert!(block().overlap(&circle, (at.0, at.1 - 1)).is_some());
    assert!(block().overlap(&Shape::Circle { radius: 5 * unit + 1 }, at).is_some());
    // The circle is on the flat side of the block, and then deep inside.
    assert_eq!(block().overlap(&circle, (UNITS_PER_CELL / 2, UNITS_PER_CELL + 5 * unit)), None);
    assert!(block().overlap(&circle, (UNITS_PER_CELL / 2, UNITS_PER_CELL + 5 * unit - 1)).is_some());
    assert!(block().overlap(&Shape::Circle { radius: 1 }, (UNITS_PER_CELL / 2, UNITS_PER_CELL / 3)).is_some());
}

#[test]
fn the_depth_of_a_circle_is_measured_where_its_centre_is_nearest() {
    let radius = UNITS_PER_CELL / 2;
    let depth = |from, to| block().circle_path_depth(radius, from, to);
    // The circle passes over the block with its centre a quarter above the block's top.
    let height = UNITS_PER_CELL + UNITS_PER_CELL / 4;
    assert!(
        (depth((-5 * UNITS_PER_CELL, height), (7 * UNITS_PER_CELL, height)) - (UNITS_PER_CELL / 4) as f64).abs() <= 2.0
    );
    assert_eq!(
        depth((-5 * UNITS_PER_CELL, UNITS_PER_CELL + radius), (7 * UNITS_PER_CELL, UNITS_PER_CELL + radius)),
        0.0
    );
    // The circle passes straight through the block.
    assert_eq!(
        depth((-5 * UNITS_PER_CELL, UNITS_PER_CELL / 3), (7 * UNITS_PER_CELL, UNITS_PER_CELL / 2)),
        radius as f64
    );
    // The circle passes the corner along the line x + y = 2 + 1/2, at a distance of sqrt 2 / 4.
    let expected = radius as f64 - UNITS_PER_CELL as f64 * 0.125_f64.sqrt();
    let found = depth(
        (-UNITS_PER_CELL, 3 * UNITS_PER_CELL + UNITS_PER_CELL / 2),
        (4 * UNITS_PER_CELL, -UNITS_PER_CELL - UNITS_PER_CELL / 2),
    );
    assert!((found - expected).abs() <= 2.0, "{found} {expected}");
}

#[test]
fn a_one_sided_edge_is_crossed_from_above_only() {
    let mut scene = Scene::new();
    scene.add_one_sided_edge((0, 0), (0, 16), (16, 16));
    let radius = UNITS_PER_CELL / 4;
    for shape in [BOX, Shape::Circle { radius }] {
        let crossed = |from, to| scene.find_crossing(&shape, from, to).map(|crossing| crossing.manner);
        let x = UNITS_PER_CELL / 3;
        assert_eq!(crossed((x, UNITS_PER_CELL + radius), (x, UNITS_PER_CELL + radius - 1)), Some(Manner::Front));
        assert_eq!(crossed((x, 500 * UNITS_PER_CELL), (x, -500 * UNITS_PER_CELL)), Some(Manner::Front));
        assert_eq!(crossed((x, 500 * UNITS_PER_CELL), (x, UNITS_PER_CELL + radius)), None);
        assert_eq!(crossed((x, -5 * UNITS_PER_CELL), (x, 5 * UNITS_PER_CELL)), None);
        // The shape starts astride the edge by one unit, starts below it, and moves along it.
        assert_eq!(crossed((x, UNITS_PER_CELL + radius - 1), (x, -UNITS_PER_CELL)), None);
        assert_eq!(crossed((x, UNITS_PER_CELL), (x, -UNITS_PER_CELL)), None);
        assert_eq!(
            crossed((-5 * UNITS_PER_CELL, UNITS_PER_CELL + radius), (5 * UNITS_PER_CELL, UNITS_PER_CELL + radius)),
            None
        );
        // The shape moves down past the end, flush with it. Then it moves sideways while it is astride the line.
        assert_eq!(crossed((-radius, 2 * UNITS_PER_CELL), (-radius, 0)), None);
        assert_eq!(crossed((-5 * UNITS_PER_CELL, UNITS_PER_CELL), (5 * UNITS_PER_CELL, UNITS_PER_CELL)), None);
        // The shape moves down the line x + y = 7/10. It is below the edge's height before it gets there, so the end
        // blocks nothing.
        let start = (-3 * UNITS_PER_CELL, 37 * UNITS_PER_CELL / 10);
        assert_eq!(crossed(start, (start.0 + 5 * UNITS_PER_CELL, start.1 - 5 * UNITS_PER_CELL)), None);
        // The shape moves down the line x + y = 12/10. The disc hits the end while its centre is in front, and the box
        // comes over the top.
        let start = (-3 * UNITS_PER_CELL, 42 * UNITS_PER_CELL / 10);
        assert_eq!(crossed(start, (start.0 + 5 * UNITS_PER_CELL, start.1 - 5 * UNITS_PER_CELL)), Some(Manner::Front));
    }
    let x = -HALF.0 + 1;
    assert_eq!(scene.find_crossing(&BOX, (x, 2 * UNITS_PER_CELL), (x, 0)).map(|c| c.manner), Some(Manner::Front));
    // The lower right corner comes down exactly on the end and moves inwards.
    let from = (-HALF.0 - UNITS_PER_CELL, UNITS_PER_CELL + HALF.1 + UNITS_PER_CELL);
    assert_eq!(
        scene.find_crossing(&BOX, from, (from.0 + 2 * UNITS_PER_CELL, from.1 - 2 * UNITS_PER_CELL)).map(|c| c.manner),
        Some(Manner::Front)
    );
    assert_eq!(
        scene.find_crossing(&BOX, (from.0 - 1, from.1), (from.0 + 2 * UNITS_PER_CELL - 1, from.1 - 2 * UNITS_PER_CELL)),
        None
    );
    let named = scene.find_crossing(&BOX, (0, 2 * UNITS_PER_CELL), (0, 0)).unwrap();
    assert_eq!((named.cell, named.a, named.b), ((0, 0), (0, 16), (16, 16)));
}

#[test]
fn a_slanted_edge_is_crossed_by_a_side_at_its_end_too() {
    let mut scene = Scene::new();
    // The air is on the upper left of the edge.
    scene.add_one_sided_edge((0, 0), (0, 0), (16, 16));
    let crossed = |from, to| scene.find_crossing(&BOX, from, to).map(|crossing| crossing.manner);
    assert_eq!(crossed((0, UNITS_PER_CELL), (UNITS_PER_CELL, 0)), Some(Manner::Front));
    assert_eq!(crossed((UNITS_PER_CELL, 0), (0, UNITS_PER_CELL)), None);
    // The bottom side comes down on the upper end: the box starts over the end, a unit in front of the line.
    let start = (UNITS_PER_CELL + HALF.0 - 1, UNITS_PER_CELL + 3 * HALF.1 + 1);
    assert_eq!(crossed(start, (start.0, UNITS_PER_CELL)), Some(Manner::Beside));
    // The box only touches the end on its way down.
    assert_eq!(crossed((UNITS_PER_CELL + HALF.0, UNITS_PER_CELL + 3 * HALF.1), (UNITS_PER_CELL + HALF.0, 0)), None);
}

#[test]
fn walls_have_two_sides_and_tips() {
    let mut scene = Scene::new();
    scene.paint((0, 0), Kind::Wall, &[vec![(8, 0), (8, 16)]], false, 0);
    let radius = UNITS_PER_CELL / 4;
    for shape in [BOX, Shape::Circle { radius }] {
        let crossed = |from, to| scene.find_crossing(&shape, from, to).is_some();
        let (left, right, y) = (UNITS_PER_CELL / 2 - radius, UNITS_PER_CELL / 2 + radius, UNITS_PER_CELL / 2);
        assert!(crossed((left, y), (left + 1, y)) && crossed((right, y), (right - 1, y)));
        assert!(crossed((left, y), (5 * UNITS_PER_CELL, y)) && crossed((right, y), (-5 * UNITS_PER_CELL, y)));
        assert!(!crossed((left, y), (left, 5 * UNITS_PER_CELL)) && !crossed((left + 1, y), (right, y)));
        // Now the shape comes down on the upper tip.
        assert!(!crossed((UNITS_PER_CELL / 2, 2 * UNITS_PER_CELL), (UNITS_PER_CELL / 2, UNITS_PER_CELL + radius)));
        assert!(crossed((UNITS_PER_CELL / 2, 2 * UNITS_PER_CELL), (UNITS_PER_CELL / 2, UNITS_PER_CELL + radius - 1)));
    }
}

#[test]
fn everything_beyond_a_side_is_solid() {
    for (side, at, inward) in [
        (Side::Left, (-3 * UNITS_PER_CELL + HALF.0, 700 * UNITS_PER_CELL), (-1, 0)),
        (Side::Right, (-3 * UNITS_PER_CELL - HALF.0, 700 * UNITS_PER_CELL), (1, 0)),
        (Side::Bottom, (700 * UNITS_PER_CELL, -3 * UNITS_PER_CELL + HALF.1), (0, -1)),
        (Side::Top, (700 * UNITS_PER_CELL, -3 * UNITS_PER_CELL - HALF.1), (0, 1)),
    ] {
        let mut scene = Scene::new();
        scene.add_solid_beyond(side, -3);
        let moved = |by: i64| (at.0 + inward.0 * by, at.1 + inward.1 * by);
        for shape in [BOX, Shape::Circle { radius: HALF.0 }] {
            assert_eq!(scene.overlap(&shape, at), None, "{side:?}");
            assert_eq!(scene.overlap(&shape, moved(1)).map(|o| o.obstacle), Some(Obstacle::Beyond(side)));
            assert!(scene.overlap(&shape, moved(50 * UNITS_PER_CELL)).is_some(), "{side:?}");
        }
        let motion = (inward.0 * 4 * UNITS_PER_CELL, inward.1 * 4 * UNITS_PER_CELL);
        assert_eq!(scene.entry_time(HALF, moved(-UNITS_PER_CELL), motion), Some(Time::new(1, 4)), "{side:?}");
        assert_eq!(
            scene.entry_time(HALF, at, (inward.1 * UNITS_PER_CELL, inward.0 * UNITS_PER_CELL)),
            None,
            "{side:?}"
        );
        assert_eq!(scene.circle_path_depth(HALF.0, moved(-UNITS_PER_CELL), moved(7)), 7.0, "{side:?}");
        assert_eq!(scene.circle_path_depth(HALF.0, moved(-UNITS_PER_CELL), at), 0.0, "{side:?}");
    }
}

#[test]
#[should_panic(expected = "needs a size")]
fn a_shape_without_size_is_refused() {
    let _ = block().overlap(&Shape::Box { half: (0, 1) }, (0, 0));
}
