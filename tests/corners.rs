//! Box sides in line with block sides, and corners aimed at corners.

use crate::scene::{I64Vec2, ONE, map, place, units};
use surefoot::prelude::*;

const HALF: i64 = ONE / 2;

fn block() -> Terrain {
    Terrain::bake(&map(&[".....", ".....", "..#..", ".....", "....."]))
}

fn fall(terrain: &Terrain, x: i64) -> Place {
    let shape = Shape::aabb_units(I64Vec2::splat(HALF));
    Mover::new(terrain).slide_units(shape, units(x, 4 * ONE), I64Vec2::new(0, -3 * ONE)).place
}

#[test]
fn a_side_in_line_falls_past_and_one_unit_further_in_lands() {
    let terrain = block();
    // The block covers x 2..3 and y 2..3; the box is 1 wide.
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
    // The lower right corner of the box is aimed at the block's upper left corner.
    let start = units(2 * ONE - HALF - ONE, 3 * ONE + HALF + ONE);
    let moved = Mover::new(&terrain).slide_units(shape, start, I64Vec2::new(2 * ONE, -2 * ONE));
    // The floor wins: it goes on to the right on top of the block.
    assert_eq!(moved.place, units(2 * ONE - HALF + ONE, 3 * ONE + HALF));
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
    assert_eq!(moved.place, units(ONE + HALF, -HALF));
    assert!(moved.hits.is_empty());
    // One unit aside it lands on the rim.
    let aside = units(ONE + HALF + 1, 6 * ONE - HALF);
    let moved = Mover::new(&terrain).slide_units(shape, aside, I64Vec2::new(0, -6 * ONE));
    assert_eq!(moved.place, units(ONE + HALF + 1, 5 * ONE + HALF));
}

#[test]
fn nothing_passes_between_two_blocks_that_touch_at_a_corner() {
    let terrain = Terrain::bake(&map(&["....", ".#..", "..#.", "...."]));
    for shape in [Shape::aabb(0.01, 0.01), Shape::circle(0.01)] {
        // Straight at the point where the two blocks meet, from the upper right.
        let moved = Mover::new(&terrain).slide(shape, place(2.5, 2.5), (-2.0, -2.0));
        let at = moved.place.to_dvec2();
        assert!(at.x > 2.0 && at.y > 2.0, "{at}");
        assert!(moved.touching.floor && moved.touching.wall_left, "{:?}", moved.touching);
    }
}
