//! Worlds whose tiles come from a source: what is loaded never shows.

use crate::scene::{Random, place};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use surefoot::checksum::Checksum;
use surefoot::map::{Beyond, LegendEntry, MapParts, Sides};
use surefoot::prelude::*;
use surefoot::terrain::{CHUNK_CELLS, CHUNK_SIDE, TileBounds};

/// Tiles by a function of their coordinates.
struct Tiles<F> {
    tile: F,
    bounds: Option<TileBounds>,
    filled: AtomicUsize,
}

impl<F: Fn(i32, i32) -> EntryId + Send + Sync> TileSource for Tiles<F> {
    fn fill(&self, layer: usize, chunk: (i32, i32), cells: &mut [EntryId; CHUNK_CELLS]) {
        assert_eq!(layer, 0);
        assert!(cells.iter().all(|cell| *cell == EntryId::EMPTY), "cells come empty");
        self.filled.fetch_add(1, Ordering::Relaxed);
        let side = CHUNK_SIDE as i32;
        for (i, cell) in (0..).zip(cells) {
            *cell = (self.tile)(chunk.0 * side + i % side, chunk.1 * side + i / side);
        }
    }

    fn bounds(&self) -> Option<TileBounds> {
        self.bounds
    }
}

fn source(tile: impl Fn(i32, i32) -> EntryId + Send + Sync + 'static) -> Arc<dyn TileSource> {
    Arc::new(Tiles { tile, bounds: None, filled: AtomicUsize::new(0) })
}

/// A map as a source, with its own bounds.
fn source_of(map: &Map) -> Arc<dyn TileSource> {
    let bounds = TileBounds { origin: map.origin(), size: map.size() };
    let map = map.clone();
    // A source has no say beyond its bounds: a block there must not show.
    let tile = move |x, y| map.entry_at((x, y)).unwrap_or(EntryId(1));
    Arc::new(Tiles { tile, bounds: Some(bounds), filled: AtomicUsize::new(0) })
}

/// A random number for a tile, the same every time.
fn hash(x: i32, y: i32) -> u64 {
    let mut z = (u64::from(x as u32) << 32 | u64::from(y as u32)).wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A map of all variants: tiles here and there, a floor below.
fn noise(size: (u32, u32), origin: (i32, i32), seed: i32) -> MapParts {
    let mut parts = MapParts::new(size.0, size.1);
    parts.legend = LegendEntry::every_variant(&parts.catalogue);
    let entries = parts.legend.len() as u64;
    for (i, cell) in (0..).zip(&mut parts.cells) {
        let (x, y) = (i % size.0 as i32, i / size.0 as i32);
        let random = hash(x ^ seed << 16, y);
        if random % 5 == 0 {
            *cell = EntryId((1 + (random >> 32) % (entries - 1)) as u16);
        }
    }
    parts.origin = origin;
    parts
}

fn bodies(random: &mut Random, low: (f64, f64), size: (f64, f64), count: usize) -> Vec<Body> {
    (0..count)
        .map(|i| {
            let half = random.range(0.1, 0.6);
            let shape = if i % 2 == 0 { Shape::circle(half) } else { Shape::aabb(half, random.range(0.1, 0.9)) };
            let at = place(low.0 + random.range(0.0, size.0), low.1 + random.range(0.0, size.1));
            let speed = [3.0, 20.0, 300.0, 20_000.0][i % 4];
            let body = Body::new(shape).at(at).moving((random.range(-speed, speed), random.range(-speed, speed)));
            match i % 5 {
                0 | 1 => body.character(Character::default()),
                2 => body.bounce(0.9),
                3 => body.friction(0.4),
                _ => body.response(if i % 2 == 0 { Response::Stop } else { Response::Pass }),
            }
        })
        .collect()
}

fn drive(world: &mut World, crowd: &[surefoot::event::BodyId], tick: i32) {
    for (i, &body) in (0..).zip(crowd) {
        let walk = if (tick + 13 * i) / 60 % 2 == 0 { 127 } else { -127 };
        let down = (tick + 3 * i) % 40 < 5;
        world.set_input(body, Input { walk, jump: (tick + 7 * i) % 50 < 8, down, ..Input::default() });
    }
}

/// Everything that can be seen of a tick.
fn seen(world: &World) -> (Checksum, Vec<Event>, Vec<Vec<Place>>) {
    let paths = world.bodies().map(|(_, body)| body.path().to_vec()).collect();
    (world.motion_checksum(), world.events().to_vec(), paths)
}

#[test]
fn a_map_moves_bodies_alike_baked_and_streamed() {
    for (seed, size, origin) in [(1, (70, 50), (-40, -33)), (2, (33, 31), (5, 1)), (3, (1, 90), (0, 0))] {
        for sides in [Beyond::Open, Beyond::Solid] {
            let mut parts = noise(size, origin, seed);
            parts.sides = Sides { left: sides, right: Beyond::Solid, bottom: sides, top: Beyond::Open };
            let map = Map::from_cells(parts).unwrap();
            let mut baked = World::new(map.clone(), Settings::default());
            let mut streamed = World::streamed(map.clone(), source_of(&map), Settings::default());
            let mut random = Random(7 + seed as u64);
            let low = (f64::from(origin.0) - 3.0, f64::from(origin.1) - 3.0);
            let size = (f64::from(size.0) + 6.0, f64::from(size.1) + 6.0);
            let crowd = bodies(&mut random, low, size, 40).into_iter();
            let crowd: Vec<_> = crowd
                .map(|body| (baked.spawn(body.clone()).unwrap(), streamed.spawn(body).unwrap()))
                .map(|(a, b)| {
                    assert_eq!(a, b);
                    a
                })
                .collect();
            for tick in 0..150 {
                drive(&mut baked, &crowd, tick);
                drive(&mut streamed, &crowd, tick);
                if tick % 10 == 0 {
                    let random = hash(tick, seed);
                    let at = (origin.0 + (random >> 8) as i32 % 70, origin.1 + (random >> 40) as i32 % 50);
                    let entry = EntryId((random % 90) as u16);
                    let said = [&mut baked, &mut streamed].map(|world| world.set_tile(at, entry));
                    assert_eq!(said[0], said[1]);
                }
                baked.step();
                streamed.step();
                assert_eq!(seen(&baked), seen(&streamed), "tick {tick} of {seed}");
            }
        }
    }
}

/// Blocks, slopes and ledges without end, thin enough to fall through.
fn endless(parts: &MapParts) -> Arc<dyn TileSource> {
    let entries = parts.legend.len() as u64;
    source(move |x, y| {
        let random = hash(x, y);
        let some = if y.rem_euclid(12) == 0 { 2 } else { 12 };
        if random % some == 0 { EntryId((1 + (random >> 32) % (entries - 1)) as u16) } else { EntryId::EMPTY }
    })
}

fn template() -> MapParts {
    let mut parts = MapParts::new(1, 1);
    parts.legend = LegendEntry::every_variant(&parts.catalogue);
    for entry in &mut parts.legend {
        let open =
            entry.variant.is_some_and(|id| matches!(parts.catalogue.variant(id).kind, surefoot::catalogue::Kind::Open));
        entry.drop_through = open;
    }
    parts
}

#[test]
fn when_a_chunk_is_loaded_never_shows() {
    let parts = template();
    let source = endless(&parts);
    let map = Map::from_cells(parts).unwrap();
    let start = || {
        let mut world = World::streamed(map.clone(), source.clone(), Settings::default());
        let crowd = bodies(&mut Random(99), (-100.0, -80.0), (200.0, 160.0), 60);
        let crowd: Vec<_> = crowd.into_iter().map(|body| world.spawn(body).unwrap()).collect();
        (world, crowd)
    };
    let ((mut all, crowd), (mut lazy, _), (mut fresh, _)) = (start(), start(), start());
    let whole = ((-1500, -1500), (1500, 1500));
    all.keep_loaded(Some(whole));
    let most = all.terrain().loaded_chunks();
    for tick in 0..120 {
        for world in [&mut all, &mut lazy, &mut fresh] {
            drive(world, &crowd, tick);
            if tick % 7 == 0 {
                let random = hash(tick, 5);
                let at = ((random >> 8) as i32 % 90, (random >> 40) as i32 % 90);
                world.set_tile(at, EntryId((random % 90) as u16)).unwrap();
            }
            if tick == 60 {
                world.teleport(crowd[0], place(1_000_000.25, -3_000_000.5)).unwrap();
                world.set_velocity(crowd[4], (90.0, 4000.0)).unwrap();
                world.remove(crowd[5]).unwrap();
            }
            world.step();
        }
        let expected = (seen(&all), all.checksum());
        assert_eq!((seen(&lazy), lazy.checksum()), expected, "tick {tick}");
        assert_eq!((seen(&fresh), fresh.checksum()), expected, "tick {tick}");
        // Drops whatever no body needs now, and loads other things in between.
        let far = hash(tick, 77) as i32 % 5000;
        fresh.keep_loaded(Some(((far, -far), (far + 40, 40 - far))));
        fresh.keep_loaded(None);
    }
    assert!(most > 8000 && lazy.terrain().loaded_chunks() < 60 * 16, "{}", lazy.terrain().loaded_chunks());
    for (id, _) in lazy.bodies().map(|(id, body)| (id, body.place())).collect::<Vec<_>>() {
        lazy.remove(id).unwrap();
    }
    assert_eq!(lazy.terrain().loaded_chunks(), 0);
}
