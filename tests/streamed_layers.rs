//! Streamed worlds with several layers act as a map with the same layers.

use crate::prelude::*;
use crate::streaming::{bodies, drive, hash, spawn_in_both, visible_state};
use surefoot::terrain::{CHUNK_CELLS, TileBounds};

/// The layers of the maps in this file. The second is only drawn.
const NAMES: [&str; 3] = ["back", "moss", "front"];

const DRAWN: usize = 1;

/// Random tiles in every layer, whether or not they can share their cells.
struct Noise {
    entries: u64,
    bounds: TileBounds,
}

impl Noise {
    fn tile(&self, layer: usize, x: i32, y: i32) -> TileId {
        let random = hash(x ^ (layer as i32) << 20, y);
        let some = [4, 3, 6][layer];
        if random.is_multiple_of(some) {
            TileId((1 + (random >> 32) % (self.entries - 1)) as u16)
        } else {
            TileId::EMPTY
        }
    }
}

impl TileSource for Noise {
    fn fill(&self, layer: usize, chunk: (i32, i32), cells: &mut [TileId; CHUNK_CELLS]) {
        assert_ne!(layer, DRAWN, "what does not collide is not asked for");
        for (i, cell) in (0..).zip(cells) {
            *cell = self.tile(layer, 32 * chunk.0 + i % 32, 32 * chunk.1 + i / 32);
        }
    }

    fn bounds(&self) -> Option<TileBounds> {
        Some(self.bounds)
    }
}

/// A map of noise, without tiles that cannot share a cell with an earlier layer, and the same noise as a source.
fn noise(size: (u32, u32), origin: (i32, i32), sides: Borders) -> (Map, Arc<Noise>) {
    let mut parts = MapParts::new(size.0, size.1);
    parts.kinds = TileKind::every_variant(&parts.catalogue);
    for entry in &mut parts.kinds {
        entry.drop_through = entry.variant.is_some_and(|id| parts.catalogue.variant(id).kind == PatternKind::Open);
    }
    parts.borders = sides;
    let noise = Noise { entries: parts.kinds.len() as u64, bounds: TileBounds { origin, size } };
    let count = (size.0 * size.1) as usize;
    let mut cells = NAMES.map(|_| Vec::with_capacity(count));
    let mut left_out = 0;
    for (x, y) in (0..size.0 * size.1).map(|i| (origin.0 + (i % size.0) as i32, origin.1 + (i / size.0) as i32)) {
        let mut stack = Vec::new();
        for (layer, cells) in cells.iter_mut().enumerate() {
            let mut entry = noise.tile(layer, x, y);
            if layer != DRAWN {
                stack.extend(parts.kinds[usize::from(entry.0)].variant);
                if parts.catalogue.check_stack(&stack).is_err() {
                    stack.pop();
                    left_out += 1;
                    entry = TileId::EMPTY;
                }
            }
            cells.push(entry);
        }
    }
    assert!(left_out > 0 || count < 1000, "the noise must have tiles that cannot share a cell");
    let layer = |(name, cells)| TileLayer { origin, cells, ..TileLayer::new(name, size.0, size.1) };
    parts.layers = NAMES.into_iter().zip(cells).map(layer).collect();
    parts.layers[DRAWN].collides = false;
    (Map::from_parts(parts).unwrap(), Arc::new(noise))
}

#[test]
fn a_map_of_layers_moves_bodies_alike_baked_and_streamed() {
    let mut refused = 0;
    for (seed, size, origin) in [(1, (70, 60), (-40, -33)), (2, (33, 31), (5, 1))] {
        let sides = Borders { left: Border::Solid, bottom: Border::Solid, ..Borders::default() };
        let (map, source) = noise(size, origin, sides);
        let mut baked = World::new(map.clone(), Settings::default());
        let mut streamed = World::streamed(map.clone(), source, Settings::default());
        let low = (f64::from(origin.0) - 3.0, f64::from(origin.1) - 3.0);
        let around = (f64::from(size.0) + 6.0, f64::from(size.1) + 6.0);
        let crowd = bodies(&mut Random(31 + seed as u64), low, around, 40);
        let crowd = spawn_in_both([&mut baked, &mut streamed], crowd);
        for tick in 0..200 {
            drive(&mut baked, &crowd, tick);
            drive(&mut streamed, &crowd, tick);
            if tick % 4 == 0 {
                let random = hash(tick, seed);
                let from = (origin.0 + (random >> 8) as i32 % 30, origin.1 + (random >> 40) as i32 % 30);
                let to = if tick % 3 == 0 { (from.0 + 2, from.1 - 1) } else { from };
                let (layer, entry) = ((random >> 20) as usize % 4, TileId((random >> 24) as u16 % 97));
                let said = [&mut baked, &mut streamed].map(|world| world.set_tiles(layer, from, to, entry));
                assert_eq!(said[0], said[1]);
                refused += usize::from(layer != 3 && said[0].is_err());
            }
            baked.step();
            streamed.step();
            assert_eq!(visible_state(&baked), visible_state(&streamed), "tick {tick} of {seed}");
            for &body in &crowd {
                assert!(baked.contacts(body).iter().eq(streamed.contacts(body).iter()), "tick {tick} of {seed}");
            }
        }
        let everything = (origin, (origin.0 + size.0 as i32 - 1, origin.1 + size.1 as i32 - 1));
        streamed.keep_loaded(Some(everything));
        for tile in (0..size.0 * size.1).map(|i| (origin.0 + (i % size.0) as i32, origin.1 + (i / size.0) as i32)) {
            assert!(
                [0, 2].into_iter().all(|layer| baked.tile_at(layer, tile) == streamed.tile_at(layer, tile)),
                "{tile:?}"
            );
        }
        let faces = |world: &World| {
            let faces = world.terrain().exposed_faces().filter(|face| map.tile_at(0, face.tile).is_some());
            faces.collect::<Vec<_>>()
        };
        assert!(faces(&baked) == faces(&streamed));
    }
    assert!(refused > 0, "some tile must not fit in");
}

#[test]
fn a_layer_that_does_not_collide_can_be_edited_and_is_not_requested() {
    let (map, source) = noise((40, 40), (0, 0), Borders::default());
    let mut world = World::streamed(map, source, Settings::default());
    world.keep_loaded(Some(((0, 0), (39, 39))));
    assert_eq!(world.tile_at(DRAWN, (3, 3)), None, "only the game knows");
    let (fresh, motion) = (world.checksum(), world.motion_checksum());
    world.set_tiles(DRAWN, (3, 3), (5, 4), TileId(2)).unwrap();
    assert_eq!(
        [(3, 3), (5, 4), (6, 4)].map(|tile| world.tile_at(DRAWN, tile)),
        [Some(TileId(2)), Some(TileId(2)), None]
    );
    assert!(world.checksum() != fresh && world.motion_checksum() == motion);
    assert_eq!(world.terrain().tile_at(DRAWN, (3, 3)), None);
    assert!(world.set_tile(3, (3, 3), TileId(2)).is_err());
}

#[test]
fn a_rectangle_painted_at_once_has_a_limit_where_there_is_no_end() {
    let template = Map::from_parts(MapParts::new(1, 1)).unwrap();
    struct Empty;
    impl TileSource for Empty {
        fn fill(&self, _layer: usize, _chunk: (i32, i32), _cells: &mut [TileId; CHUNK_CELLS]) {}
    }
    let mut world = World::streamed(template, Arc::new(Empty), Settings::default());
    let refused = |world: &mut World, to| world.set_tiles(0, (0, 0), to, TileId(1)).map_err(|error| error.to_string());
    assert!(refused(&mut world, (1023, 1024)).is_err() && refused(&mut world, (1 << 28, 1 << 28)).is_err());
    assert_eq!((world.tile_at(0, (0, 0)), world.commands().len()), (None, 0));
    assert_eq!(refused(&mut world, (1023, 63)), Ok(()));
    assert_eq!(world.tile_at(0, (1023, 63)), Some(TileId(1)));
}
