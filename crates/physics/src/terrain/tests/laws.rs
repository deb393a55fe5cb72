//! What must hold for every map: symmetries, and that an edit is a bake.

use super::forms::OfMap;
use super::*;
use crate::catalogue::Placement;
use crate::terrain::TileError;
use crate::terrain::legend::StackId;
use crate::testing::Random;
use std::sync::Arc;

const SIZE: (u32, u32) = (7, 5);

/// A piece of a turned map: its role and its points and directions, in lattice steps of the turned map.
type Turned = (Role, [[i32; 2]; 7]);

/// Returns every piece of a map, turned about the origin by a placement.
fn turned_pieces(terrain: &Terrain, placement: Placement) -> Vec<Turned> {
    let zero = placement.apply(v(0, 0)).as_ivec2();
    // `linear` is the placement without its shift, so that it turns about the origin.
    let linear = |d: glam::IVec2| {
        let x = placement.apply(v(1, 0)).as_ivec2() - zero;
        let y = placement.apply(v(0, 1)).as_ivec2() - zero;
        x * d.x + y * d.y
    };
    let mut all = Vec::new();
    for tile in tiles(terrain) {
        for p in pieces(terrain, tile) {
            let corner = glam::IVec2::from(tile) * 16;
            let at = |a: I8Vec2| linear(corner + a.as_ivec2()).to_array();
            let d = |d: I8Vec2| linear(d.as_ivec2()).to_array();
            let (mut a, mut b, mut before, mut after) = (at(p.a), at(p.b), d(p.before), d(p.after));
            if placement.mirrored() {
                // A mirror reverses the direction of edges. So the two ends of a piece change places, and so do
                // `before` and `after`.
                std::mem::swap(&mut a, &mut b);
                std::mem::swap(&mut before, &mut after);
            }
            all.push((p.role, [a, b, d(p.normal), before, after, d(p.gate), d(p.partner)]));
        }
    }
    all.sort_unstable();
    all
}

/// The map under a placement about the origin.
fn turned_map(parts: &MapParts, placement: Placement) -> MapParts {
    let zero = placement.apply(v(0, 0)).as_ivec2();
    let x = placement.apply(v(1, 0)).as_ivec2() - zero;
    let y = placement.apply(v(0, 1)).as_ivec2() - zero;
    let middle = |tile: glam::IVec2| {
        let doubled = tile * 2 + 1;
        (x * doubled.x + y * doubled.y - 1) / 2
    };
    let (origin, (width, height)) = (glam::IVec2::from(parts.layers[0].origin), parts.layers[0].size);
    let far = origin + glam::IVec2::new(width as i32 - 1, height as i32 - 1);
    // The doubled coordinates of the middle of a tile are odd, also after a turn. So `middle` halves only even numbers.
    let (low, high) = (middle(origin).min(middle(far)), middle(origin).max(middle(far)));
    let size = high - low + 1;
    let mut turned = parts.clone();
    let catalogue = &parts.catalogue;
    let turn = |cells: &[TileId]| {
        let mut turned = vec![TileId::EMPTY; cells.len()];
        for (i, entry) in cells.iter().enumerate() {
            let tile = origin + glam::IVec2::new(i as i32 % width as i32, i as i32 / width as i32);
            let at = middle(tile) - low;
            let variant = parts.kinds[usize::from(entry.0)].variant.map(|id| {
                let variant = catalogue.variant(id);
                catalogue.place(variant.pattern, variant.placement.then(placement))
            });
            let entry = parts.kinds.iter().position(|entry| entry.variant == variant).unwrap();
            turned[(at.y * size.x + at.x) as usize] = TileId(entry as u16);
        }
        turned
    };
    for layer in &mut turned.layers {
        layer.cells = turn(&layer.cells);
        (layer.origin, layer.size) = (low.into(), (size.x as u32, size.y as u32));
    }
    let sides = [
        (glam::IVec2::NEG_X, parts.borders.left),
        (glam::IVec2::X, parts.borders.right),
        (glam::IVec2::NEG_Y, parts.borders.bottom),
        (glam::IVec2::Y, parts.borders.top),
    ];
    for (out, beyond) in sides {
        match (x * out.x + y * out.y).to_array() {
            [-1, 0] => turned.borders.left = beyond,
            [1, 0] => turned.borders.right = beyond,
            [0, -1] => turned.borders.bottom = beyond,
            _ => turned.borders.top = beyond,
        }
    }
    turned
}

#[test]
fn a_turned_or_mirrored_map_has_its_pieces_turned() {
    let mut random = Random(1);
    for round in 0..60 {
        let parts = random_layers(&mut random, SIZE, 1 + round % 3, |_| true);
        let terrain = Terrain::bake(&Map::from_parts(parts.clone()).unwrap());
        for placement in Placement::all() {
            let map = Map::from_parts(turned_map(&parts, placement)).unwrap();
            let direct = turned_pieces(&Terrain::bake(&map), Placement::default());
            assert!(direct == turned_pieces(&terrain, placement), "round {round}, placement{placement}");
        }
    }
}

#[test]
fn an_edited_terrain_equals_a_fresh_bake() {
    let mut random = Random(2);
    for round in 0..6 {
        let mut parts = random_map(&mut random, (35, 34), |_| true);
        let catalogue = parts.catalogue.clone();
        let is_open =
            |entry: &TileKind| entry.variant.is_some_and(|id| catalogue.variant(id).kind == PatternKind::Open);
        // In every other round, the map has no drop-through tiles until an edit adds one.
        for entry in parts.kinds.iter_mut().filter(|entry| is_open(entry)) {
            entry.drop_through = true;
        }
        let drops: Vec<bool> = parts.kinds.iter().map(|entry| entry.drop_through).collect();
        if round % 2 == 0 {
            parts.layers[0]
                .cells
                .iter_mut()
                .filter(|cell| drops[usize::from(cell.0)])
                .for_each(|cell| *cell = TileId::EMPTY);
        }
        let mut terrain = Terrain::bake(&Map::from_parts(parts.clone()).unwrap());
        assert_eq!(terrain.dropped.is_some(), round % 2 == 1);
        let before = terrain.clone();
        let original = parts.clone();
        for _ in 0..150 {
            // Edit tiles everywhere: at the borders of the map and of the chunks, and inside.
            let (x, y) = (random.index(35), random.index(34));
            let entry = TileId(if random.index(3) == 0 { 0 } else { random.index(parts.kinds.len()) as u16 });
            parts.layers[0].cells[y * 35 + x] = entry;
            terrain
                .set_tile(0, (parts.layers[0].origin.0 + x as i32, parts.layers[0].origin.1 + y as i32), entry)
                .unwrap();
        }
        for (edited, parts) in [(&terrain, parts), (&before, original)] {
            let fresh = Terrain::bake(&Map::from_parts(parts).unwrap());
            for tile in tiles(&fresh) {
                assert_eq!(edited.tile_at(0, tile), fresh.tile_at(0, tile), "round {round}, tile {tile:?}");
                assert_eq!(pieces(edited, tile), pieces(&fresh, tile), "round {round}, tile {tile:?}");
                let (edited, fresh) = (edited.without_drop_through(), fresh.without_drop_through());
                assert_eq!(pieces(edited, tile), pieces(fresh, tile), "dropped, round {round}, tile {tile:?}");
            }
        }
    }
}

#[test]
fn tiles_outside_and_unknown_entries_are_refused() {
    let mut parts = MapParts::new(3, 2);
    parts.layers[0].origin = (-1, 5);
    let entries = parts.kinds.len() as u16;
    let mut terrain = Terrain::bake(&Map::from_parts(parts).unwrap());
    for tile in [(-2, 5), (2, 5), (0, 4), (0, 7), (i32::MIN, 5), (0, i32::MAX)] {
        let error = terrain.set_tile(0, tile, TileId(1)).unwrap_err();
        assert_eq!(error, TileError::Outside { tile, origin: (-1, 5), size: (3, 2) });
    }
    for entry in [TileId(entries), crate::terrain::OUTSIDE] {
        assert_eq!(terrain.set_tile(0, (0, 5), entry), Err(TileError::UnknownTile { tile_id: entry }));
    }
    assert_eq!(terrain.set_tile(0, (1, 6), TileId(entries - 1)), Ok(()));
}

#[test]
fn slices_overlap_in_the_faces() {
    let mut random = Random(3);
    let terrain = Terrain::bake(&Map::from_parts(random_map(&mut random, (12, 12), |_| true)).unwrap());
    for tile in tiles(&terrain) {
        let cell = terrain.cell(tile.0, tile.1);
        let (circle, aabb) = (terrain.circle_pieces(cell), terrain.box_pieces(cell));
        assert!(circle.is_sorted_by_key(|p| p.role) && aabb.is_sorted_by_key(|p| p.role));
        assert!(circle.iter().all(|p| p.role != Role::Vertex) && aabb.iter().all(|p| p.role != Role::Arc));
        for role in [Role::Arc, Role::Face, Role::Vertex] {
            let edges = circle.iter().chain(aabb).filter(|p| p.role == role).map(|p| p.edge);
            let edges: Vec<_> = edges
                .take(
                    circle.iter().chain(aabb).filter(|p| p.role == role).count()
                        / if role == Role::Face { 2 } else { 1 },
                )
                .collect();
            assert!(edges.is_sorted(), "{tile:?} {role:?} {edges:?}");
        }
    }
}

#[test]
fn what_shows_of_a_rectangle_is_what_shows_of_its_cells() {
    let mut random = Random(0x5110);
    for round in 0..20 {
        // The map has from one chunk to three by three chunks.
        let size = (1 + random.index(80) as u32, 1 + random.index(80) as u32);
        let mut parts = random_map(&mut random, size, |_| true);
        let rare = 1 + random.index(8);
        parts.layers[0].cells.iter_mut().for_each(|cell| {
            if random.index(rare) > 0 {
                *cell = TileId::EMPTY;
            }
        });
        let terrain = Terrain::bake(&Map::from_parts(parts).unwrap());
        let (origin, size) = (terrain.origin(), terrain.size());
        for _ in 0..2000 {
            let columns = 1 + random.index(64) as i32;
            let rows = 1 + random.index(64 / columns as usize) as i32;
            let at = |origin: i32, size: u32, random: &mut Random| origin - 5 + random.index(size as usize + 8) as i32;
            let low = (at(origin.0, size.0, &mut random), at(origin.1, size.1, &mut random));
            let high = (low.0 + columns - 1, low.1 + rows - 1);
            let shown = terrain.bits_of_rectangle_with_pieces(low, high);
            let baked = low.0 >= origin.0 - 2
                && low.1 >= origin.1 - 2
                && high.0 < origin.0 + size.0 as i32 + 2
                && high.1 < origin.1 + size.1 as i32 + 2;
            for bit in 0..64 {
                let tile = (low.0 + bit % columns, low.1 + bit / columns);
                let within = bit < columns * rows;
                let is_empty = terrain.stack_at(tile) == StackId::EMPTY;
                let expected = within && !(baked && is_empty);
                assert_eq!(shown >> bit & 1 == 1, expected, "{round}: {low:?} to {high:?}, bit {bit}");
            }
        }
    }
}

/// Coins and markers change neither the pieces of the tiles around them nor which cells a search looks at.
#[test]
fn blank_tiles_are_as_empty_ones() {
    let mut random = Random(0xC0_14);
    for round in 0..6 {
        let mut plain = random_layers(&mut random, (70, 68), 1 + round % 3, |_| true);
        let blank = plain.kinds.len() as u16;
        plain.kinds.extend([TileKind::default(), TileKind::default()]);
        let mut strewn = plain.clone();
        let mut edits = Vec::new();
        for (layer, cells) in strewn.layers.iter_mut().enumerate() {
            let ((left, bottom), columns) = (cells.origin, cells.size.0 as usize);
            for (i, cell) in cells.cells.iter_mut().enumerate() {
                if *cell == TileId::EMPTY && random.index(2) == 0 {
                    *cell = TileId(blank + random.index(2) as u16);
                    edits.push((layer, (left + (i % columns) as i32, bottom + (i / columns) as i32), *cell));
                }
            }
        }
        assert!(edits.len() > 50, "round {round}");
        let map = Map::from_parts(strewn).unwrap();
        let (plain, strewn) = (Terrain::bake(&Map::from_parts(plain).unwrap()), Terrain::bake(&map));
        let mut streamed = Terrain::streamed(&map, Arc::new(OfMap(map.clone())));
        streamed.load_chunks((-10, -10), (90, 90));
        let (mut placed, mut taken) = (plain.clone(), strewn.clone());
        for (layer, tile, entry) in &edits {
            placed.set_tile(*layer, *tile, *entry).unwrap();
            taken.set_tile(*layer, *tile, TileId::EMPTY).unwrap();
        }
        for tile in tiles(&plain) {
            let looked_at = |terrain: &Terrain| terrain.bits_of_rectangle_with_pieces(tile, tile);
            for other in [&strewn, &placed, &taken, &streamed] {
                assert_eq!(pieces(other, tile), pieces(&plain, tile), "round {round}, {tile:?}");
                assert_eq!(looked_at(other), looked_at(&plain), "round {round}, {tile:?}");
            }
            for layer in 0..plain.layers().len() {
                assert_eq!(placed.tile_at(layer, tile), strewn.tile_at(layer, tile), "round {round}, {tile:?}");
                assert_eq!(taken.tile_at(layer, tile), plain.tile_at(layer, tile), "round {round}, {tile:?}");
            }
        }
        if plain.layers().len() > 1 {
            continue;
        }
        // `set_tiles` bakes the inner cells of a rectangle once, and fills whole chunks with them.
        let (low, size) = (plain.origin(), plain.size());
        let high = (low.0 + size.0 as i32 - 1, low.1 + size.1 as i32 - 1);
        placed.set_tiles(0, low, high, TileId(blank)).unwrap();
        taken.set_tiles(0, low, high, TileId::EMPTY).unwrap();
        for tile in tiles(&plain) {
            assert_eq!(pieces(&placed, tile), pieces(&taken, tile), "round {round}, {tile:?}");
            let looked_at = |terrain: &Terrain| terrain.bits_of_rectangle_with_pieces(tile, tile);
            assert_eq!(looked_at(&placed), looked_at(&taken), "round {round}, {tile:?}");
        }
    }
}

/// For any rectangle of cells, the result contains the rectangle, and all its cells are empty.
#[test]
fn around_empty_cells_there_are_empty_cells() {
    let mut random = Random(77);
    let (mut found, mut wider) = (0, 0);
    for _ in 0..40 {
        let mut parts = random_map(&mut random, (70, 40), |_| true);
        // Mostly air, so that there is something to find.
        parts.layers[0]
            .cells
            .iter_mut()
            .for_each(|cell| *cell = if random.index(30) == 0 { *cell } else { TileId::EMPTY });
        let terrain = Terrain::bake(&Map::from_parts(parts).unwrap());
        for _ in 0..500 {
            let low = (random.index(80) as i32 - 9, random.index(50) as i32 - 9);
            let high = (low.0 + random.index(3) as i32, low.1 + random.index(3) as i32);
            let more = random.index(6);
            let Some((from, to)) = terrain.empty_rectangle_around(low, high, more) else { continue };
            assert!(from.0 <= low.0 && from.1 <= low.1 && high.0 <= to.0 && high.1 <= to.1, "{low:?} {high:?}");
            assert!(to.1 - high.1 <= more as i32 && low.1 - from.1 <= more as i32, "{low:?} {high:?} {more}");
            for y in from.1..=to.1 {
                for x in from.0..=to.0 {
                    assert_eq!(pieces(&terrain, (x, y)), [], "{low:?} {high:?}: {x}, {y}");
                }
            }
            found += 1;
            wider += u32::from((from, to) != (low, high));
        }
    }
    assert!(found > 3000 && wider > 2000, "{found} {wider}");
}
