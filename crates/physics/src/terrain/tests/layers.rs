//! Maps of several layers against maps of one.

use super::*;
use crate::terrain::TileError;
use crate::testing::Random;

/// A map of all kinds of tiles in one layer, about half of the open ones to drop through, and where each cell goes.
fn to_be_split(random: &mut Random, size: (u32, u32)) -> MapParts {
    let mut parts = random_map(random, size, |_| true);
    for i in 1..parts.kinds.len() {
        let TileKind { variant: Some(id), .. } = parts.kinds[i] else { continue };
        if parts.catalogue.variant(id).kind == PatternKind::Open {
            parts.kinds.push(TileKind { drop_through: true, ..TileKind::new(id) });
        }
    }
    for cell in &mut parts.layers[0].cells {
        if random.index(6) == 0 {
            *cell = TileId((97 + random.index(parts.kinds.len() - 97)) as u16);
        }
    }
    parts
}

#[test]
fn a_map_split_over_layers_is_the_same_terrain() {
    let mut random = Random(0x11);
    for round in 0..30 {
        let whole = to_be_split(&mut random, (9, 8));
        let only = &whole.layers[0];
        let mut layers = vec![vec![TileId::EMPTY; only.cells.len()]; 3];
        let position: Vec<usize> = only.cells.iter().map(|_| random.index(3)).collect();
        for (i, entry) in only.cells.iter().enumerate() {
            layers[position[i]][i] = *entry;
        }
        let like = |name: &str, cells| TileLayer { name: name.to_owned(), cells, ..only.clone() };
        let split = layers.into_iter().enumerate().map(|(i, cells)| like(&i.to_string(), cells));
        let mut split = MapParts { layers: split.collect(), ..whole.clone() };
        // Insert a layer that does not collide.
        let drawn = (0..only.cells.len()).map(|_| TileId(random.index(97) as u16)).collect();
        split.layers.insert(1, TileLayer { collides: false, ..like("drawn", drawn) });
        let (one, map) = (Terrain::bake(&Map::from_parts(whole.clone()).unwrap()), Map::from_parts(split).unwrap());
        let several = Terrain::bake(&map);
        assert!(several.matches_map(&map) && !several.matches_map(&Map::from_parts(whole.clone()).unwrap()));
        assert_eq!(several.layers(), [0, 2, 3]);
        for tile in tiles(&one) {
            assert_eq!(pieces(&several, tile), pieces(&one, tile), "round {round}, tile {tile:?}");
            assert_eq!(
                pieces(several.without_drop_through(), tile),
                pieces(one.without_drop_through(), tile),
                "dropped, {round}, {tile:?}"
            );
            assert_eq!(several.solid_outlines(tile), one.solid_outlines(tile));
        }
        for (i, entry) in only.cells.iter().enumerate() {
            let tile = (only.origin.0 + i as i32 % 9, only.origin.1 + i as i32 / 9);
            let layer = [0, 2, 3][position[i]];
            assert_eq!(several.tile_at(layer, tile), Some(*entry));
            assert_eq!(several.variant_at(layer, tile), one.variant_at(0, tile));
            assert_eq!(several.tile_at(0, tile), Some(if layer == 0 { *entry } else { TileId::EMPTY }));
            assert_eq!((several.tile_at(1, tile), several.tile_at(4, tile)), (None, None));
            assert!(several.exposed_faces_of(tile).all(|face| face.layer == layer && face.tile_id == *entry));
            let without_layer =
                |t: &Terrain| t.exposed_faces_of(tile).map(|f| (f.edge, f.kind, f.a, f.b)).collect::<Vec<_>>();
            assert_eq!(without_layer(&several), without_layer(&one));
        }
    }
}

#[test]
fn an_edited_layer_equals_a_fresh_bake() {
    let mut random = Random(0x12);
    for _ in 0..4 {
        let mut parts = random_layers(&mut random, (12, 10), 3, |_| true);
        let catalogue = parts.catalogue.clone();
        for entry in &mut parts.kinds {
            entry.drop_through = entry.variant.is_some_and(|id| catalogue.variant(id).kind == PatternKind::Open);
        }
        let mut map = Map::from_parts(parts.clone()).unwrap();
        let mut terrain = Terrain::bake(&map);
        let before = terrain.clone();
        let original = map.clone();
        let mut refused = 0;
        for _ in 0..300 {
            let tile = (
                parts.layers[0].origin.0 + random.index(12) as i32,
                parts.layers[0].origin.1 + random.index(10) as i32,
            );
            let (layer, entry) = (random.index(3), TileId(random.index(97) as u16));
            let entries = (0..3).map(|other| if other == layer { Some(entry) } else { map.tile_at(other, tile) });
            let variants: Vec<_> = entries.filter_map(|id| parts.kinds[usize::from(id?.0)].variant).collect();
            match terrain.set_tile(layer, tile, entry) {
                Ok(()) => map.set_tile(layer, tile, entry).unwrap(),
                Err(TileError::CannotShare { tile: at, error }) => {
                    assert_eq!((at, Err(error)), (tile, catalogue.check_stack(&variants)));
                    refused += 1;
                }
                Err(other) => panic!("{other}"),
            }
        }
        assert!(refused < 30, "{refused}");
        for (edited, map) in [(&terrain, &map), (&before, &original)] {
            assert!(edited.matches_map(map));
            let fresh = Terrain::bake(map);
            for tile in tiles(&fresh) {
                assert_eq!(pieces(edited, tile), pieces(&fresh, tile), "tile {tile:?}");
                assert_eq!(
                    pieces(edited.without_drop_through(), tile),
                    pieces(fresh.without_drop_through(), tile),
                    "dropped, tile {tile:?}"
                );
            }
        }
        assert_eq!(
            terrain.set_tile(3, parts.layers[0].origin, TileId(1)),
            Err(TileError::UnknownLayer { layer: 3, layers: 3 })
        );
    }
}

#[test]
fn a_map_without_a_layer_that_collides_is_empty() {
    let mut parts = MapParts::new(2, 1);
    parts.layers[0].cells.fill(TileId(1));
    parts.layers[0].collides = false;
    parts.borders.bottom = Border::Solid;
    let map = Map::from_parts(parts).unwrap();
    let mut terrain = Terrain::bake(&map);
    assert!(terrain.matches_map(&map));
    assert_eq!((terrain.tile_at(0, (0, 0)), terrain.tile_at(0, (0, -1))), (None, None), "no layer is in the terrain");
    assert!(terrain.exposed_faces_of((0, 0)).next().is_none() && terrain.exposed_faces_of((0, -1)).next().is_some());
    assert_eq!(terrain.set_tile(0, (0, 0), TileId(1)), Err(TileError::UnknownLayer { layer: 0, layers: 0 }));
}

#[test]
fn what_is_dropped_through_is_gone_from_its_layer_alone() {
    // A one-way tile lies over the slab of another layer. A block of a third layer covers the right half of both.
    let mut parts = MapParts::new(1, 1);
    parts.kinds = TileKind::every_variant(&parts.catalogue);
    let id = |name: &str| parts.catalogue.find_variant(name).unwrap();
    let (slab, ledge, quarter) = (id("half_slab"), id("one_way"), id("quarter_block r2"));
    parts.kinds[usize::from(ledge.0) + 1].drop_through = true;
    let layer = |name: &str, id: VariantId| TileLayer { cells: vec![TileId(id.0 + 1)], ..TileLayer::new(name, 1, 1) };
    parts.layers = vec![layer("a", slab), layer("b", ledge), layer("c", quarter)];
    let terrain = Terrain::bake(&Map::from_parts(parts).unwrap());
    let tops = |terrain: &Terrain| {
        let up = terrain.exposed_faces_of((0, 0)).filter(|face| face.normal == v(0, 1));
        up.map(|face| (face.layer, face.kind, face.a.in_cell().0 >> 28)).collect::<Vec<_>>()
    };
    // Expected: the left half of the slab's top, the block's top, and the part of the one-way tile that the block
    // leaves free.
    assert_eq!(tops(&terrain), [(0, PatternKind::Solid, 0), (2, PatternKind::Solid, 8), (1, PatternKind::Open, 0)]);
    assert_eq!(tops(terrain.without_drop_through()), [(0, PatternKind::Solid, 0), (2, PatternKind::Solid, 8)]);
    assert_eq!(terrain.without_drop_through().tile_at(1, (0, 0)), Some(TileId(ledge.0 + 1)));
}

#[test]
fn layers_of_different_sizes_match_layers_padded_with_empty_cells() {
    let text = r###"Map(format: 1, origin: (2, -1), layers: [
        (name: "terrain", tiles: ["@..", "##."]),
        (name: "ledges", origin: (4, 0), tiles: ["=..", "=.*"]),
        (name: "front", origin: (0, -2), collides: false, tiles: ["#"])])"###;
    let padded = r###"Map(format: 1, origin: (0, -2), layers: [
        (name: "terrain", tiles: [".......", "..@....", "..##...", "......."]),
        (name: "ledges", tiles: ["....=..", "....=.*", ".......", "......."]),
        (name: "front", collides: false, tiles: [".......", ".......", ".......", "#......"])])"###;
    let [map, padded] = [text, padded].map(|text| Map::from_ron(text).unwrap());
    let terrain = Terrain::bake(&map);
    assert!(terrain.matches_map(&padded) && terrain.matches_map(&map));
}
