//! Boxes in line with the sides of blocks, and corners that hit corners.

use crate::scene::{Canvas, I64Vec2, ONE, map, map_with, position, units};
use crate::symmetry::Symmetry;
use crate::table::{all_ways_of, pairs};
use surefoot::geometry::DVec2;
use surefoot::prelude::*;

const HALF: i64 = ONE / 2;

fn block() -> Terrain {
    Terrain::bake(&map(&[".....", ".....", "..#..", ".....", "....."]))
}

fn fall(terrain: &Terrain, x: i64) -> Position {
    let shape = Shape::aabb_units(I64Vec2::splat(HALF));
    Mover::new(terrain).slide_units(shape, units(x, 4 * ONE), I64Vec2::new(0, -3 * ONE)).position
}

#[test]
fn a_side_in_line_falls_past_and_one_unit_further_in_lands() {
    let terrain = block();
    // The block covers x 2..3 and y 2..3. The box is 1 wide.
    for (x, lands) in [
        (2 * ONE - HALF - 1, false),
        (2 * ONE - HALF, false),
        (2 * ONE - HALF + 1, true),
        (3 * ONE + HALF - 1, true),
        (3 * ONE + HALF, false),
        (3 * ONE + HALF + 1, false),
    ] {
        let end = fall(&terrain, x);
        let expected = if lands { 3 * ONE + HALF } else { ONE };
        assert_eq!(end, units(x, expected), "x {x}");
    }
}

#[test]
fn a_corner_aimed_at_a_corner_is_stopped_by_one_face_and_slides_on() {
    let terrain = block();
    let shape = Shape::aabb_units(I64Vec2::splat(HALF));
    // The lower right corner of the box moves towards the block's upper left corner.
    let start = units(2 * ONE - HALF - ONE, 3 * ONE + HALF + ONE);
    let moved = Mover::new(&terrain).slide_units(shape, start, I64Vec2::new(2 * ONE, -2 * ONE));
    // The floor wins: the box continues to the right on top of the block.
    assert_eq!(moved.position, units(2 * ONE - HALF + ONE, 3 * ONE + HALF));
    assert!(moved.touching.floor);
    let hit = moved.hits[0];
    assert_eq!((hit.normal, hit.side, hit.tile), (DVec2::Y, Side::Floor, (2, 2)));
}

#[test]
fn a_box_as_wide_as_a_shaft_and_in_line_with_it_falls_freely() {
    let terrain = Terrain::bake(&map(&["....", "#.##", "#.##", "#.##", "#.##", "...."]));
    let shape = Shape::aabb_units(I64Vec2::splat(HALF));
    let free = units(ONE + HALF, 6 * ONE - HALF);
    let moved = Mover::new(&terrain).slide_units(shape, free, I64Vec2::new(0, -6 * ONE));
    assert_eq!(moved.position, units(ONE + HALF, -HALF));
    assert!(moved.hits.is_empty());
    // One unit to the side, the box lands on the rim.
    let aside = units(ONE + HALF + 1, 6 * ONE - HALF);
    let moved = Mover::new(&terrain).slide_units(shape, aside, I64Vec2::new(0, -6 * ONE));
    assert_eq!(moved.position, units(ONE + HALF + 1, 5 * ONE + HALF));
}

/// A box corner one tile away from a corner of the block at (0, 0), and a motion that brings it there. The expected
/// end, normal and side are computed by hand for `up` along y.
struct Aim {
    start: (i64, i64),
    motion: (i64, i64),
    end: (i64, i64),
    normal: DVec2,
    side: Side,
}

#[test]
fn a_corner_aimed_at_a_corner_from_any_diagonal_hits_the_winning_face() {
    let mut canvas = Canvas::default();
    canvas.paint((0, 0), "full_block");
    let shape = Shape::aabb_units(I64Vec2::splat(HALF));
    let left_above = (-HALF - ONE, ONE + HALF + ONE);
    let left_below = (-HALF - ONE, -HALF - ONE);
    let aims = [
        // From above, the floor wins.
        Aim { start: left_above, motion: (2, -2), end: (HALF, ONE + HALF), normal: DVec2::Y, side: Side::Floor },
        // From below at 45 degrees, both faces oppose the motion equally. The face that stops motion along `up` wins.
        Aim { start: left_below, motion: (2, 2), end: (HALF, -HALF), normal: DVec2::NEG_Y, side: Side::Ceiling },
    ];
    for Aim { start, motion, end, normal, side } in aims {
        // Two hand-computed cases in eight symmetries give all four diagonals, with `up` on each half axis.
        for symmetry in Symmetry::all() {
            let terrain = canvas.terrain(symmetry);
            let mover = Mover::new(&terrain).up(symmetry.up(Up::PlusY));
            let from = symmetry.position(units(start.0, start.1));
            let motion = symmetry.vector(I64Vec2::new(motion.0, motion.1) * ONE);
            let moved = mover.slide_units(shape, from, motion);
            let what = format!("{symmetry:?} {side:?}");
            assert_eq!(moved.position, symmetry.position(units(end.0, end.1)), "{what}");
            assert_eq!(moved.hits.len(), 1, "{what}: {:?}", moved.hits);
            let hit = moved.hits[0];
            let tile = symmetry.tile((0, 0));
            assert_eq!((hit.normal, hit.side, hit.tile), (symmetry.velocity(normal), side, tile), "{what}");
            let expected = Touching {
                floor: side == Side::Floor,
                ceiling: side == Side::Ceiling,
                wall_left: false,
                wall_right: false,
            };
            assert_eq!(moved.touching, expected, "{what}");
        }
    }
}

#[test]
fn a_body_as_wide_as_a_shaft_and_in_line_with_it_falls_freely() {
    // The shaft is x 1..2, y 1..5.
    let canvas = Canvas::rows(&["#.##", "#.##", "#.##", "#.##", "...."], "");
    let start = units(ONE + HALF, 6 * ONE - HALF);
    let shapes = [
        Shape::circle_units(HALF),
        Shape::aabb_units(I64Vec2::splat(HALF)),
        Shape::aabb_units(I64Vec2::new(HALF, ONE / 3)),
    ];
    for (shape, symmetry) in shapes.into_iter().flat_map(|shape| Symmetry::all().map(move |symmetry| (shape, symmetry)))
    {
        let terrain = canvas.terrain(symmetry);
        let mover = Mover::new(&terrain).up(symmetry.up(Up::PlusY));
        let down = symmetry.vector(I64Vec2::new(0, -6 * ONE));
        let moved = mover.slide_units(symmetry.shape(shape), symmetry.position(start), down);
        assert_eq!(moved.position, symmetry.position(units(ONE + HALF, -HALF)), "{shape:?} {symmetry:?}");
        assert!(moved.hits.is_empty(), "{shape:?} {symmetry:?}: {:?}", moved.hits);
    }
    // Under gravity, the body falls as in an empty map.
    all_ways_of(pairs(shapes, [false, true]), |way, (shape, walks)| {
        let [(mut shaft, body), (mut free, reference)] = [&canvas, &Canvas::default()].map(|canvas| {
            let mut world = way.world(canvas, Settings::default());
            let body = Body::new(shape).at(start).friction(0.5);
            let id = world.spawn(if walks { body.character(Character::default()) } else { body }).unwrap();
            (world, id)
        });
        for tick in 0..60 {
            shaft.step();
            free.step();
            let (a, b, what) = (&shaft[body], &free[reference], format!("{shape:?} {walks} tick {tick}"));
            assert_eq!((a.position(), a.velocity()), (b.position(), b.velocity()), "{what}");
            assert!(!a.on_floor(), "{what}");
            let hit = shaft.events().iter().any(|event| matches!(event.kind, EventKind::HitTile { .. }));
            assert!(!hit, "{what}: {:?}", shaft.events());
        }
        assert!(shaft[body].position().units().y < 0, "{shape:?} {walks}: at {}", shaft[body].position());
    });
}

#[test]
fn nothing_passes_between_two_blocks_that_touch_at_a_corner() {
    let terrain = Terrain::bake(&map(&["....", ".#..", "..#.", "...."]));
    for shape in [Shape::aabb(0.01, 0.01), Shape::circle(0.01)] {
        // The shape moves straight at the point where the two blocks touch, from the upper right.
        let moved = Mover::new(&terrain).slide(shape, position(2.5, 2.5), (-2.0, -2.0));
        let at = moved.position.to_dvec2();
        assert!(at.x > 2.0 && at.y > 2.0, "{at}");
        assert!(moved.touching.floor && moved.touching.wall_left, "{:?}", moved.touching);
    }
}

#[test]
fn a_box_that_passes_a_one_way_side_lands_on_the_one_way_tile_next_to_it() {
    // The one-way tile of cell (1, 0) and the right side of cell (0, 1) touch at (1, 1). The box is behind that side,
    // which lets it pass to the right. Its lower right corner is exactly at (1, 1).
    let map = map_with(&["....", "S...", ".=..", "...."], "legend: {'S': \"one_way r1\"}, origin: (0, -1)");
    let terrain = Terrain::bake(&map);
    let shape = Shape::aabb_units((HALF, HALF / 2));
    let moved = Mover::new(&terrain).slide_units(shape, units(HALF, ONE + HALF / 2), I64Vec2::new(ONE, -HALF));
    assert_eq!(moved.position, units(ONE + HALF, ONE + HALF / 2));
    assert_eq!((moved.hits[0].normal, moved.hits[0].tile), (DVec2::Y, (1, 0)));
}
