//! What must hold of edits: each is as a fresh bake, costs what it touches, and leaves nothing behind.

use super::*;
use crate::terrain::TileError;
use crate::testing::Random;
use std::collections::HashSet;

/// Returns random parts with every variant in the legend. Bodies can drop through all one-way tiles.
fn random_parts_with_droppable_tiles(random: &mut Random, size: (u32, u32)) -> MapParts {
    let mut parts = random_map(random, size, |_| true);
    let catalogue = parts.catalogue.clone();
    for entry in &mut parts.kinds {
        entry.drop_through = entry.variant.is_some_and(|id| catalogue.variant(id).kind == PatternKind::Open);
    }
    parts
}

/// A corner of a rectangle: near a border of the map or of chunks as often as anywhere.
fn corner(random: &mut Random, (width, height): (usize, usize)) -> (usize, usize) {
    let mut along = |count: usize| match random.index(4) {
        0 => random.index(2),
        1 => count - 1 - random.index(2),
        // The first chunk contains two rings around the map, so it ends after 30 cells of the map.
        2 => (28 + random.index(4)).min(count - 1),
        _ => random.index(count),
    };
    (along(width), along(height))
}

fn assert_same(edited: &Terrain, parts: &MapParts, when: &str) {
    let fresh = Terrain::bake(&Map::from_parts(parts.clone()).unwrap());
    for tile in tiles(&fresh) {
        assert_eq!(edited.tile_at(0, tile), fresh.tile_at(0, tile), "{when}, tile {tile:?}");
        assert_eq!(pieces(edited, tile), pieces(&fresh, tile), "{when}, tile {tile:?}");
        let (edited, fresh) = (edited.without_drop_through(), fresh.without_drop_through());
        assert_eq!(pieces(edited, tile), pieces(fresh, tile), "dropped, {when}, tile {tile:?}");
    }
    assert!(edited.matches_map(&Map::from_parts(parts.clone()).unwrap()), "{when}");
}

#[test]
fn ten_thousand_edits_equal_a_fresh_bake() {
    const SIZE: (usize, usize) = (37, 35);
    let mut random = Random(4);
    let mut parts = random_parts_with_droppable_tiles(&mut random, (SIZE.0 as u32, SIZE.1 as u32));
    let mut terrain = Terrain::bake(&Map::from_parts(parts.clone()).unwrap());
    let mut copies = Vec::new();
    for edit in 0..10_000 {
        let from = corner(&mut random, SIZE);
        let span = match random.index(20) {
            0..16 => 1,
            16..19 => 5,
            _ => 12,
        };
        let mut along = |from: usize, count: usize| (from + random.index(span)).min(count - 1);
        let to = (along(from.0, SIZE.0), along(from.1, SIZE.1));
        let entry = TileId(if random.index(3) == 0 { 0 } else { random.index(parts.kinds.len()) as u16 });
        for y in from.1..=to.1 {
            parts.layers[0].cells[y * SIZE.0 + from.0..=y * SIZE.0 + to.0].fill(entry);
        }
        let tile = |(x, y): (usize, usize)| (parts.layers[0].origin.0 + x as i32, parts.layers[0].origin.1 + y as i32);
        // The order of the corners must not matter, so swap them at random.
        let (mut from, mut to) = (tile(from), tile(to));
        if random.index(2) == 0 {
            std::mem::swap(&mut from.0, &mut to.0);
        }
        if random.index(2) == 0 {
            std::mem::swap(&mut from, &mut to);
        }
        terrain.set_tiles(0, from, to, entry).unwrap();
        if edit % 2_500 == 1_000 {
            copies.push((terrain.clone(), parts.clone()));
        }
        if edit % 1_000 == 999 {
            assert_same(&terrain, &parts, &format!("after {edit} edits"));
        }
    }
    assert_eq!(copies.len(), 4);
    for (i, (terrain, parts)) in copies.iter().enumerate() {
        assert_same(terrain, parts, &format!("copy {i}"));
    }
}

#[test]
fn large_rectangles_equal_a_fresh_bake() {
    let mut random = Random(5);
    for round in 0..6 {
        let (width, height) = (110, 75);
        let mut parts = random_parts_with_droppable_tiles(&mut random, (width as u32, height as u32));
        let mut terrain = Terrain::bake(&Map::from_parts(parts.clone()).unwrap());
        let before = (terrain.clone(), parts.clone());
        // The whole map, a rectangle with whole chunks in it, one column, and a square of about one chunk.
        for (from, to) in [((0, 0), (109, 74)), ((20, 25), (105, 70)), ((50, 3), (50, 72)), ((30, 30), (63, 63))] {
            let entry = TileId(random.index(parts.kinds.len()) as u16);
            for y in from.1..=to.1 {
                parts.layers[0].cells[y * width + from.0..=y * width + to.0].fill(entry);
            }
            let (left, bottom) = parts.layers[0].origin;
            let tile = |(x, y): (usize, usize)| (left + x as i32, bottom + y as i32);
            terrain.set_tiles(0, tile(from), tile(to), entry).unwrap();
            if round < 2 {
                assert_same(&terrain, &parts, &format!("round {round}, {from:?} to {to:?}"));
            }
            // The next edit must not write into memory that whole chunks share.
            let at = (33 + random.index(40), 33 + random.index(30));
            parts.layers[0].cells[at.1 * width + at.0] = TileId(1);
            terrain.set_tile(0, tile(at), TileId(1)).unwrap();
        }
        assert_same(&terrain, &parts, &format!("round {round}"));
        if round < 2 {
            assert_same(&before.0, &before.1, &format!("before, round {round}"));
        }
    }
}

#[test]
fn an_edit_bakes_what_it_touches_on_a_map_of_any_size() {
    for size in [64, 700] {
        let mut terrain = Terrain::bake(&Map::from_parts(MapParts::new(size, size)).unwrap());
        let block = TileId(1);
        // An edit bakes the edited cells and their neighbours.
        assert_eq!(terrain.bake_rectangle((30, 30), (30, 30), 0, block), 9);
        assert_eq!(terrain.bake_rectangle((0, 0), (0, 0), 0, block), 9);
        assert_eq!(terrain.bake_rectangle((28, 40), (29, 41), 0, block), 16);
        // From three by three cells on, the inner cells of the rectangle are equal, so only one of them is baked.
        assert_eq!(terrain.bake_rectangle((10, 10), (12, 12), 0, block), 24 + 1);
        assert_eq!(terrain.bake_rectangle((5, 5), (54, 44), 0, block), 52 * 42 - 48 * 38 + 1);
    }
}

#[test]
fn refused_rectangles_change_nothing() {
    let mut random = Random(6);
    let parts = random_parts_with_droppable_tiles(&mut random, (9, 7));
    let (x, y) = parts.layers[0].origin;
    let mut terrain = Terrain::bake(&Map::from_parts(parts.clone()).unwrap());
    let outside = |tile| TileError::Outside { tile, origin: (x, y), size: (9, 7) };
    let inside = (x + 4, y + 3);
    for tile in [(x - 1, y), (x + 9, y), (x, y - 1), (x, y + 7), (i32::MIN, i32::MAX), (i32::MAX, y)] {
        assert_eq!(terrain.set_tiles(0, inside, tile, TileId(1)), Err(outside(tile)));
        assert_eq!(terrain.set_tiles(0, tile, inside, TileId(1)), Err(outside(tile)));
    }
    let entry = TileId(parts.kinds.len() as u16);
    assert_eq!(terrain.set_tiles(0, inside, (x, y), entry), Err(TileError::UnknownTile { tile_id: entry }));
    for layer in [1, usize::MAX] {
        let error = terrain.set_tiles(layer, inside, inside, TileId(1)).unwrap_err();
        assert_eq!(error, TileError::UnknownLayer { layer, layers: 1 });
        assert_eq!(terrain.set_tile(layer, inside, TileId(1)), Err(error));
    }
    assert_same(&terrain, &parts, "nothing was painted");
}

#[test]
fn a_hundred_thousand_edits_leave_no_cells_behind() {
    const SIDE: usize = 16;
    let mut parts = MapParts::new(SIDE as u32, SIDE as u32);
    parts.kinds = TileKind::every_variant(&parts.catalogue);
    let mut random = Random(7);
    let mut terrain = Terrain::bake(&Map::from_parts(parts.clone()).unwrap());
    let (mut seen, mut most) = (HashSet::new(), 0);
    let mut painted = std::collections::VecDeque::new();
    for edit in 0..100_000 {
        let at = (random.index(SIDE) as i32, random.index(SIDE) as i32);
        let entry = TileId(1 + random.index(parts.kinds.len() - 1) as u16);
        terrain.set_tile(0, at, entry).unwrap();
        parts.layers[0].cells[at.1 as usize * SIDE + at.0 as usize] = entry;
        painted.push_back(at);
        if painted.len() > 24 {
            let old = painted.pop_front().unwrap();
            terrain.set_tile(0, old, TileId::EMPTY).unwrap();
            parts.layers[0].cells[old.1 as usize * SIDE + old.0 as usize] = TileId::EMPTY;
        }
        seen.insert((entry, pieces(&terrain, at)));
        if edit % 500 == 0 {
            most = most.max(terrain.cells.piece_count());
        }
    }
    // At most 25 cells are painted at a time, and the first bake stored the empty cell. While an edit replaces nine
    // cells one after the other, a replaced cell may still be stored.
    let cells = terrain.cells.len();
    assert!(cells <= 28, "{cells} cells");
    // A cell has at most about 60 pieces. Up to as many pieces may be unused as are in use.
    assert!(most <= 2 * 28 * 64, "{most} pieces");
    assert!(seen.len() > 100 * cells, "{} different cells were painted", seen.len());
    assert_same(&terrain, &parts, "in the end");
}
