//! Tests the forms of a terrain. A form leaves tiles out. After any edits and loads, it equals a fresh bake of a map
//! without these tiles.

use super::*;
use crate::map::CollisionLayers;
use crate::terrain::TileSource;
use std::sync::Arc;

/// Random layers with every variant in the legend, the open ones in several kinds: some are dropped through, and each
/// lets other layers pass.
fn random_parts_with_passable_tiles(random: &mut Random, size: (u32, u32), layers: usize) -> MapParts {
    let mut parts = random_layers(random, size, layers, |_| true);
    parts.collision_layers = ["a", "b", "c"].map(str::to_owned).to_vec();
    let catalogue = parts.catalogue.clone();
    for kind in &mut parts.kinds {
        if kind.variant.is_some_and(|id| catalogue.variant(id).kind == PatternKind::Open) {
            kind.drop_through = random.index(3) == 0;
            kind.ignored_by = CollisionLayers([0, 1, 2, 4, 5, 6][random.index(6)]);
        }
    }
    parts
}

/// Returns the map of some parts without the tiles that let `layers` pass, and without drop-through tiles if `drops`.
fn map_without_passed_tiles(parts: &MapParts, layers: CollisionLayers, drops: bool) -> Map {
    let mut parts = parts.clone();
    let kinds = parts.kinds.clone();
    for cell in parts.layers.iter_mut().flat_map(|layer| &mut layer.cells) {
        let kind = &kinds[usize::from(cell.0)];
        if kind.ignored_by.intersects(layers) || drops && kind.drop_through {
            *cell = TileId::EMPTY;
        }
    }
    Map::from_parts(parts).unwrap()
}

/// A set of collision layers, whether drop-through tiles are left out, and the bake of the map without all these tiles.
type FreshBake = (CollisionLayers, bool, Terrain);

/// Bakes all forms that bodies of the given layers use from the map itself.
fn bake_forms(parts: &MapParts, known: &[CollisionLayers]) -> Vec<FreshBake> {
    let forms = known.iter().flat_map(|layers| [(*layers, false), (*layers, true)]);
    forms
        .map(|(layers, drops)| (layers, drops, Terrain::bake(&map_without_passed_tiles(parts, layers, drops))))
        .collect()
}

/// Holds all forms against fresh bakes.
fn check(terrain: &Terrain, bakes: &[FreshBake], when: &str) {
    for (layers, drops, fresh) in bakes {
        let form = terrain.form_for_layers(*layers);
        let form = if *drops { form.without_drop_through() } else { form };
        for tile in tiles(fresh) {
            assert_eq!(pieces(form, tile), pieces(fresh, tile), "{when}, {layers:?}, drops {drops}, tile {tile:?}");
        }
    }
}

/// Every set of the three layers.
const ALL: [CollisionLayers; 8] = [
    CollisionLayers(0),
    CollisionLayers(1),
    CollisionLayers(2),
    CollisionLayers(3),
    CollisionLayers(4),
    CollisionLayers(5),
    CollisionLayers(6),
    CollisionLayers(7),
];

#[test]
fn forms_of_edited_terrains_equal_fresh_bakes() {
    // The first four have one to three layers, and one of them begins empty.
    for seed in 0..often(4, 12) {
        let mut random = Random(seed);
        let size = (20 + random.index(25) as u32, 20 + random.index(25) as u32);
        let mut parts = random_parts_with_passable_tiles(&mut random, size, 1 + seed as usize % 3);
        if seed % 4 == 3 {
            // Begin with empty layers, so that only edits bring tiles that bodies pass or drop through.
            parts.layers.iter_mut().for_each(|layer| layer.cells.fill(TileId::EMPTY));
        }
        let mut terrain = Terrain::bake(&Map::from_parts(parts.clone()).unwrap());
        let (early, late) = ALL.split_at(4);
        early.iter().for_each(|layers| terrain.prepare_collision_layers(*layers));
        check(&terrain, &bake_forms(&parts, early), &format!("seed {seed}"));
        for edit in 0..60 {
            let layer = random.index(parts.layers.len());
            let (x, y) = (random.index(size.0 as usize), random.index(size.1 as usize));
            let to = ((x + random.index(4)).min(size.0 as usize - 1), (y + random.index(3)).min(size.1 as usize - 1));
            let id = TileId(random.index(parts.kinds.len()) as u16);
            let origin = parts.layers[0].origin;
            let tile = |(x, y): (usize, usize)| (origin.0 + x as i32, origin.1 + y as i32);
            if terrain.set_tiles(layer, tile((x, y)), tile(to), id).is_ok() {
                for row in y..=to.1 {
                    parts.layers[layer].cells[row * size.0 as usize..][x..=to.0].fill(id);
                }
            }
            if edit == 30 {
                late.iter().for_each(|layers| terrain.prepare_collision_layers(*layers));
            }
        }
        let bakes = bake_forms(&parts, &ALL);
        check(&terrain, &bakes, &format!("seed {seed}, edited"));
        let copy = terrain.clone();
        let origin = parts.layers[0].origin;
        terrain.set_tile(0, origin, TileId::EMPTY).unwrap();
        check(&copy, &bakes, &format!("seed {seed}, a copy"));
    }
}

/// The tiles of a map.
pub(super) struct OfMap(pub(super) Map);

impl TileSource for OfMap {
    fn fill(&self, layer: usize, chunk: (i32, i32), cells: &mut [TileId; 1024]) {
        for (i, cell) in (0..).zip(cells) {
            let tile = (chunk.0 * 32 + i % 32, chunk.1 * 32 + i / 32);
            *cell = self.0.tile_at(layer, tile).unwrap_or_default();
        }
    }

    fn bounds(&self) -> Option<crate::terrain::TileBounds> {
        Some(crate::terrain::TileBounds { origin: self.0.origin(), size: self.0.size() })
    }
}

#[test]
fn forms_of_streamed_terrains_equal_fresh_bakes() {
    for seed in 0..2 {
        let mut random = Random(seed);
        let mut parts = random_parts_with_passable_tiles(&mut random, (40, 34), 1 + seed as usize % 2);
        let map = Map::from_parts(parts.clone()).unwrap();
        let (low, high) = ((-10, -10), (50, 44));
        let mut terrain = Terrain::streamed(&map, Arc::new(OfMap(map.clone())));
        let (early, late) = ALL.split_at(4);
        early.iter().for_each(|layers| terrain.prepare_collision_layers(*layers));
        terrain.load_chunks(low, high);
        let bakes = bake_forms(&parts, &ALL);
        check(&terrain, &bakes[..2 * early.len()], &format!("seed {seed}"));
        late.iter().for_each(|layers| terrain.prepare_collision_layers(*layers));
        check(&terrain, &bakes, &format!("seed {seed}, prepared when loaded"));
        for edit in 0..60 {
            if edit == 20 {
                terrain.unload_chunks_outside(&[((0, 0), (3, 3))]);
            }
            if edit == 40 {
                terrain.load_chunks(low, high);
            }
            let layer = random.index(parts.layers.len());
            let (x, y) = (random.index(40), random.index(34));
            let id = TileId(random.index(parts.kinds.len()) as u16);
            let origin = parts.layers[0].origin;
            if terrain.set_tile(layer, (origin.0 + x as i32, origin.1 + y as i32), id).is_ok() {
                parts.layers[layer].cells[y * 40 + x] = id;
            }
        }
        check(&terrain, &bake_forms(&parts, &ALL), &format!("seed {seed}, edited"));
    }
}

#[test]
fn layers_that_pass_the_same_tiles_share_a_form() {
    let mut parts = MapParts::new(3, 1);
    parts.collision_layers = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
    let ledge = TileKind::new(parts.catalogue.find_variant("one_way").unwrap());
    let of = |layers| TileKind { ignored_by: CollisionLayers(layers), ..ledge.clone() };
    parts.kinds = vec![TileKind::default(), of(0b0011), of(0b0110)];
    let mut terrain = Terrain::bake(&Map::from_parts(parts).unwrap());
    for layers in 0..32 {
        terrain.prepare_collision_layers(CollisionLayers(layers));
    }
    // Three sets of kinds can be passed: only the first kind, both kinds, only the second one.
    assert_eq!(terrain.prepared_layers().collect::<Vec<_>>(), [0b0001, 0b0111, 0b0100].map(CollisionLayers));
    for layers in 0..32_u32 {
        let passed = [0b0011, 0b0110].map(|lets_pass| layers & lets_pass != 0);
        let expected = match passed {
            [false, false] => 0,
            [true, false] => 0b0001,
            [false, true] => 0b0100,
            [true, true] => 0b0111,
        };
        assert_eq!(terrain.layers_passing_same_tiles(CollisionLayers(layers)), CollisionLayers(expected), "{layers:b}");
    }
}
