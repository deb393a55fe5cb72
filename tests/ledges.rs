//! A body that drops through a one-way tile collides with everything else as if that tile did not exist.

use crate::scene::{I64Vec2, ONE, units};
use crate::symmetry::{Square, Symmetry};
use surefoot::prelude::*;

/// Moves a circle of radius 5/16 that drops through the one-way tile (1, 0), with that tile and without it.
fn beside(kept: ((i32, i32), &str), dropped: &str, start: (i64, i64), motion: (i64, i64)) {
    let catalogue = Catalogue::builtin();
    let shape = Shape::circle_units(5 * ONE / 16);
    let square = |with: bool| {
        let mut cells = vec![None; 16];
        let ((x, y), name) = kept;
        cells[((y + 2) * 4 + x + 2) as usize] = catalogue.find_variant(name).ok();
        cells[2 * 4 + 3] = catalogue.find_variant(dropped).ok().filter(|_| with);
        Square::new(2, cells).with_ledge_at((1, 0))
    };
    for symmetry in Symmetry::all() {
        let [with, without] = [true, false].map(|with| {
            let terrain = Terrain::bake(&square(with).map(symmetry, (0, 0)));
            let mover = Mover::new(&terrain).up(symmetry.up(Up::PlusY)).drop_through();
            let (from, motion) = (symmetry.position(units(start.0, start.1)), I64Vec2::new(motion.0, motion.1));
            let moved = mover.slide_units(shape, from, symmetry.vector(motion));
            let hits: Vec<_> = moved.hits.iter().map(|hit| (hit.normal, hit.tile)).collect();
            (moved.position, hits)
        });
        assert_eq!(with, without, "{symmetry:?}");
    }
}

#[test]
fn dropping_through_a_one_way_tile_still_hits_the_end_of_the_next_one() {
    beside(((0, 0), "one_way"), "one_way", (ONE + ONE / 8, ONE + ONE / 2), (0, -ONE));
}

#[test]
fn a_corner_with_a_dropped_one_way_tile_is_gone_in_all_symmetries() {
    beside(((1, -1), "one_way_corner r3"), "one_way r2", (9_953_109_488, 425_678_983), (-281_558_967, 157_482_135));
}

#[test]
fn a_single_one_way_tile_is_dropped_through() {
    beside(((-2, -2), "full_block"), "one_way", (ONE + ONE / 2, ONE + ONE / 2), (0, -ONE));
}
