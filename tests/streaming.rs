//! Streamed worlds, whose tiles come from a source: loaded chunks never affect results.

use crate::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use surefoot::terrain::{CHUNK_CELLS, CHUNK_SIDE, TileBounds};

/// Tiles computed by a function of their coordinates.
struct Tiles<F> {
    tile: F,
    bounds: Option<TileBounds>,
    filled: AtomicUsize,
}

impl<F: Fn(i32, i32) -> TileId + Send + Sync> TileSource for Tiles<F> {
    fn fill(&self, layer: usize, chunk: (i32, i32), cells: &mut [TileId; CHUNK_CELLS]) {
        assert_eq!(layer, 0);
        assert!(cells.iter().all(|cell| *cell == TileId::EMPTY), "cells come empty");
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

fn source(tile: impl Fn(i32, i32) -> TileId + Send + Sync + 'static) -> Arc<dyn TileSource> {
    Arc::new(Tiles { tile, bounds: None, filled: AtomicUsize::new(0) })
}

/// Returns a map as a source, with its own bounds.
pub fn source_of(map: &Map) -> Arc<dyn TileSource> {
    let bounds = TileBounds { origin: map.origin(), size: map.size() };
    let map = map.clone();
    // A source does not count beyond its bounds: a block there must have no effect.
    let tile = move |x, y| map.tile_at(0, (x, y)).unwrap_or(TileId(1));
    Arc::new(Tiles { tile, bounds: Some(bounds), filled: AtomicUsize::new(0) })
}

/// A random number for a tile, equal in every run.
pub fn hash(x: i32, y: i32) -> u64 {
    Random(u64::from(x as u32) << 32 | u64::from(y as u32)).next()
}

/// A map of all variants: random tiles with a floor below.
fn noise(size: (u32, u32), origin: (i32, i32), seed: i32) -> MapParts {
    let mut parts = MapParts::new(size.0, size.1);
    parts.kinds = TileKind::every_variant(&parts.catalogue);
    let entries = parts.kinds.len() as u64;
    for (i, cell) in (0..).zip(&mut parts.layers[0].cells) {
        let (x, y) = (i % size.0 as i32, i / size.0 as i32);
        let random = hash(x ^ seed << 16, y);
        if random.is_multiple_of(5) {
            *cell = TileId((1 + (random >> 32) % (entries - 1)) as u16);
        }
    }
    parts.layers[0].origin = origin;
    parts
}

pub fn bodies(random: &mut Random, low: (f64, f64), size: (f64, f64), count: usize) -> Vec<Body> {
    (0..count)
        .map(|i| {
            let half = random.range(0.1, 0.6);
            let shape = if i % 2 == 0 { Shape::circle(half) } else { Shape::aabb(half, random.range(0.1, 0.9)) };
            let at = position(low.0 + random.range(0.0, size.0), low.1 + random.range(0.0, size.1));
            let speed = [3.0, 20.0, 300.0, 5_000.0][i % 4];
            let body = Body::new(shape).at(at).velocity((random.range(-speed, speed), random.range(-speed, speed)));
            match i % 5 {
                0 | 1 => body.character(Character::default()),
                2 => body.bounce(0.9),
                3 => body.friction(0.4),
                _ => body.response(if i % 2 == 0 { Response::Stop } else { Response::Pass }),
            }
        })
        .collect()
}

pub fn drive(world: &mut World, crowd: &[BodyId], tick: i32) {
    for (i, &body) in (0..).zip(crowd) {
        let walk = if (tick + 13 * i) / 60 % 2 == 0 { 127 } else { -127 };
        let down = (tick + 3 * i) % 40 < 5;
        world.set_input(body, Input { walk, jump: (tick + 7 * i) % 50 < 8, down, ..Input::default() });
    }
}

/// A world on a map, and one that streams the map.
pub fn whole_and_streamed_world(map: &Map) -> [World; 2] {
    [World::new(map.clone(), Settings::default()), World::streamed(map.clone(), source_of(map), Settings::default())]
}

/// Spawns bodies in two worlds, which must give them the same ids.
pub fn spawn_in_both(worlds: [&mut World; 2], bodies: Vec<Body>) -> Vec<BodyId> {
    let [one, other] = worlds;
    let ids = bodies.into_iter().map(|body| {
        let id = one.spawn(body.clone()).unwrap();
        assert_eq!(other.spawn(body).unwrap(), id);
        id
    });
    ids.collect()
}

/// Everything that can be seen of a tick.
pub fn visible_state(world: &World) -> (Checksum, Vec<Event>, Vec<Vec<Position>>) {
    let paths = world.bodies().map(|(_, body)| body.path().to_vec()).collect();
    (world.motion_checksum(), world.events().to_vec(), paths)
}

#[test]
fn a_map_moves_bodies_alike_baked_and_streamed() {
    for (seed, size, origin) in [(1, (70, 50), (-40, -33)), (2, (33, 31), (5, 1)), (3, (1, 90), (0, 0))] {
        for sides in [Border::Open, Border::Solid] {
            let mut parts = noise(size, origin, seed);
            parts.borders = Borders { left: sides, right: Border::Solid, bottom: sides, top: Border::Open };
            let map = Map::from_parts(parts).unwrap();
            let [mut baked, mut streamed] = whole_and_streamed_world(&map);
            let mut random = Random(7 + seed as u64);
            let low = (f64::from(origin.0) - 3.0, f64::from(origin.1) - 3.0);
            let size = (f64::from(size.0) + 6.0, f64::from(size.1) + 6.0);
            let crowd = spawn_in_both([&mut baked, &mut streamed], bodies(&mut random, low, size, 40));
            for tick in 0..150 {
                drive(&mut baked, &crowd, tick);
                drive(&mut streamed, &crowd, tick);
                if tick % 10 == 0 {
                    let random = hash(tick, seed);
                    let at = (origin.0 + (random >> 8) as i32 % 70, origin.1 + (random >> 40) as i32 % 50);
                    let entry = TileId((random % 90) as u16);
                    let said = [&mut baked, &mut streamed].map(|world| world.set_tile(0, at, entry));
                    assert_eq!(said[0], said[1]);
                }
                let (id, far) = (random.pick(&crowd), random.pick(&[1.0, 40.0]));
                let way = (random.range(-far, far), random.range(-far, far));
                for world in [&mut baked, &mut streamed] {
                    world.move_by(id, way).unwrap();
                }
                baked.step();
                streamed.step();
                assert_eq!(visible_state(&baked), visible_state(&streamed), "tick {tick} of {seed}");
            }
        }
    }
}

/// Endless blocks, slopes and one-way tiles, sparse enough to fall through.
fn endless(parts: &MapParts) -> Arc<dyn TileSource> {
    let entries = parts.kinds.len() as u64;
    source(move |x, y| {
        let random = hash(x, y);
        let some = if y.rem_euclid(12) == 0 { 2 } else { 12 };
        if random.is_multiple_of(some) { TileId((1 + (random >> 32) % (entries - 1)) as u16) } else { TileId::EMPTY }
    })
}

fn template() -> MapParts {
    let mut parts = MapParts::new(1, 1);
    parts.kinds = TileKind::every_variant(&parts.catalogue);
    let is_open = |id| parts.catalogue.variant(id).kind == PatternKind::Open;
    parts.kinds.iter_mut().for_each(|kind| kind.drop_through = kind.variant.is_some_and(is_open));
    parts
}

/// A wall and a ceiling are far beyond the loaded range of a character that stands still.
#[test]
fn a_suddenly_strong_character_moves_as_far_as_there_is_room() {
    let template = Map::from_parts(MapParts::new(1, 1)).unwrap();
    let block = template.find_tile('#').unwrap();
    let hall = source(move |x, y| if y < 0 || y == 100 || x == 200 { block } else { TileId::EMPTY });
    let fast = Character { walk_speed: 4e4, ground_acceleration: 1e9, ..Character::default() };
    let high = Character { jump_height: 1e6, ..Character::default() };
    let walk = Input { walk: 127, ..Input::default() };
    let jump = Input { jump: true, ..Input::default() };
    // At its speed, the character would move 333 tiles along the floor, or 149 up, in one tick.
    for (character, input, end) in [(fast, walk, (199.5, 0.5)), (high, jump, (0.5, 99.5))] {
        let mut world = World::streamed(template.clone(), hall.clone(), Settings::default());
        let hero = Body::new(Shape::aabb(0.5, 0.5)).at(position(0.5, 0.5)).character(Character::default());
        let hero = world.spawn(hero).unwrap();
        (0..3).for_each(|_| world.step());
        assert!(!world.terrain().is_loaded((150, 0)) && !world.terrain().is_loaded((0, 90)));
        world.set_character(hero, character).unwrap();
        world.set_input(hero, input);
        world.step();
        assert_eq!(world[hero].position(), position(end.0, end.1));
    }
}

/// Gives each character far more speed than it had when the chunks around it were loaded.
fn suddenly_strong(world: &mut World) {
    let characters = world.bodies().filter(|(_, body)| body.character().is_some());
    let characters: Vec<_> = characters.map(|(id, _)| id).collect();
    assert!(characters.len() > 10);
    for (i, id) in (0..).zip(characters) {
        let far = [10.0, 2_000.0, 30_000.0][(i + world.tick() as usize) % 3];
        let character = Character { walk_speed: far, ground_acceleration: 1e9, ..Character::default() };
        world.set_character(id, Character { jump_height: far, max_fall_speed: far, ..character }).unwrap();
    }
}

#[test]
fn the_time_of_loading_a_chunk_never_affects_results() {
    let parts = template();
    let source = endless(&parts);
    let map = Map::from_parts(parts).unwrap();
    let start = || {
        let mut world = World::streamed(map.clone(), source.clone(), Settings::default());
        let crowd = bodies(&mut Random(99), (-100.0, -80.0), (200.0, 160.0), 60);
        let crowd: Vec<_> = crowd.into_iter().map(|body| world.spawn(body).unwrap()).collect();
        (world, crowd)
    };
    let ((mut all, crowd), (mut lazy, _), (mut fresh, _)) = (start(), start(), start());
    let whole = ((-500, -500), (500, 500));
    all.keep_loaded(Some(whole));
    let most = all.terrain().loaded_chunks();
    for tick in 0..80 {
        for world in [&mut all, &mut lazy, &mut fresh] {
            drive(world, &crowd, tick);
            if tick % 7 == 0 {
                let random = hash(tick, 5);
                let at = ((random >> 8) as i32 % 90, (random >> 40) as i32 % 90);
                world.set_tile(0, at, TileId((random % 90) as u16)).unwrap();
            }
            if tick == 40 {
                world.teleport(crowd[0], position(1_000_000.25, -3_000_000.5)).unwrap();
                world.set_velocity(crowd[4], (90.0, 4000.0)).unwrap();
                world.despawn(crowd[5]).unwrap();
            }
            if tick % 15 == 9 {
                suddenly_strong(world);
            }
            world.step();
        }
        let expected = (visible_state(&all), all.checksum());
        assert_eq!((visible_state(&lazy), lazy.checksum()), expected, "tick {tick}");
        assert_eq!((visible_state(&fresh), fresh.checksum()), expected, "tick {tick}");
        // Drop all chunks that no body needs now, and load others in between.
        let far = hash(tick, 77) as i32 % 5000;
        fresh.keep_loaded(Some(((far, -far), (far + 40, 40 - far))));
        fresh.keep_loaded(None);
    }
    assert!(most > 1000 && lazy.terrain().loaded_chunks() < 60 * 18, "{}", lazy.terrain().loaded_chunks());
    for (id, _) in lazy.bodies().map(|(id, body)| (id, body.position())).collect::<Vec<_>>() {
        lazy.despawn(id).unwrap();
    }
    assert_eq!(lazy.terrain().loaded_chunks(), 0);
}

/// A world overwritten by a copy, which then restores a snapshot, loads the chunks that the snapshot's bodies need.
#[test]
fn a_snapshot_loaded_into_a_copied_world_has_its_surroundings() {
    let map = wide_random_map((2200, 80));
    let start = || World::streamed(map.clone(), source_of(&map), Settings::default());
    let body = |x: f64| Body::new(Shape::aabb(0.25, 0.25)).at((x, 6.25)).character(Character::default());
    let mut world = start();
    world.spawn(body(100.5)).unwrap();
    let early = world.clone();
    let far = world.spawn(body(1500.5)).unwrap();
    world.step();
    let late = world.capture();
    world.clone_from(&early);
    world.restore(&late).unwrap();
    let mut fresh = start();
    fresh.restore(&late).unwrap();
    for _ in 0..60 {
        for world in [&mut world, &mut fresh] {
            world.set_input(far, Input { walk: 127, ..Input::default() });
            world.step();
        }
        assert_eq!((world.checksum(), world[far].position()), (fresh.checksum(), fresh[far].position()));
    }
    assert!(
        world[far].on_floor() && world[far].position().to_vec2().x > 1501.0,
        "it walks on its floor: {}",
        world[far].position()
    );
}

/// A used world that goes to another moment has the chunks around its bodies, and holds no chunk without bodies.
#[test]
fn a_used_streamed_world_that_goes_to_another_moment_continues_alike() {
    let (map, mut random) = (wide_random_map((2200, 80)), Random(0x57E1));
    let mut world = World::streamed(map.clone(), source_of(&map), Settings::default());
    let body = Body::new(Shape::aabb(0.25, 0.25)).character(Character::default());
    let at = |i: i32| (100.5 + 300.0 * f64::from(i), 6.25);
    let crowd: Vec<BodyId> = (0..6).map(|i| world.spawn(body.clone().at(at(i))).unwrap()).collect();
    let mut moments = Vec::new();
    let mut guest = None;
    for _ in 0..40 {
        // In half of the moments, one more body is in chunks of its own.
        guest = match guest {
            None => Some(world.spawn(body.clone().at((random.range(10.0, 2190.0), 6.25))).unwrap()),
            Some(guest) => {
                world.despawn(guest).unwrap();
                None
            }
        };
        let one = random.pick(&crowd);
        world.teleport(one, (random.range(10.0, 2190.0), 6.25)).unwrap();
        world.set_input(one, Input { walk: random.pick(&[127, -127]), ..Input::default() });
        (0..20).for_each(|_| world.step());
        moments.push(world.clone());
    }
    let mut used = moments[0].clone();
    for i in 0..400 {
        let moment = &moments[random.index(moments.len())];
        // At the end there are only restores: a clone holds just the chunks of its source.
        if random.one_in(3) || i >= 380 {
            used.restore(&moment.capture()).unwrap();
        } else {
            used.clone_from(moment);
        }
        let mut twin = moment.clone();
        for tick in 0..random.below(12) {
            used.step();
            twin.step();
            assert_eq!((used.checksum(), used.events()), (twin.checksum(), twin.events()), "{i}, tick {tick}");
        }
    }
    let all: Vec<BodyId> = used.bodies().map(|(body, _)| body).collect();
    all.iter().for_each(|body| used.despawn(*body).unwrap());
    assert_eq!(used.terrain().loaded_chunks(), 0);
}

/// A map over which bodies move far per tick: long floors with holes and slopes, and little between them.
fn wide_random_map(size: (u32, u32)) -> Map {
    let mut parts = MapParts::new(size.0, size.1);
    parts.kinds = TileKind::every_variant(&parts.catalogue);
    let named = Map::from_parts(parts.clone()).unwrap();
    let entry = |character: char| named.find_tile(character).unwrap();
    let (block, up, down) = (entry('#'), entry('/'), entry('\\'));
    let entries = parts.kinds.len() as u64;
    for (i, cell) in (0..).zip(&mut parts.layers[0].cells) {
        let (x, y) = (i % size.0 as i32, i / size.0 as i32);
        let random = hash(x, y);
        *cell = match y % 40 {
            0 if !hash(x / 3, y + 1).is_multiple_of(97) => block,
            // Place a hill of three tiles now and then.
            1 => match (hash(x / 7, y).is_multiple_of(9), x % 7) {
                (true, 2) => up,
                (true, 3) => block,
                (true, 4) => down,
                _ => TileId::EMPTY,
            },
            _ if random.is_multiple_of(400) => TileId((1 + (random >> 32) % (entries - 1)) as u16),
            _ => TileId::EMPTY,
        };
    }
    Map::from_parts(parts).unwrap()
}

/// Up to the highest speed and the longest motion, with every kind of body.
#[test]
fn streamed_and_baked_maps_are_alike_at_every_legal_speed() {
    let (size, count) = ((2200, 1200), 50);
    let map = wide_random_map(size);
    let [mut whole, mut streamed] = whole_and_streamed_world(&map);
    let mut random = Random(41);
    let (low, room) = ((100.0, 50.0), (f64::from(size.0) - 200.0, f64::from(size.1) - 100.0));
    let crowd = spawn_in_both([&mut whole, &mut streamed], bodies(&mut random, low, room, count));
    let (mut far, mut walked, mut hits) = (0, 0, 0);
    for tick in 0..30 {
        for (i, &id) in crowd.iter().enumerate() {
            let speed = random.pick(&[300.0, 3_000.0, 20_000.0, 60_000.0, 1e6, 1e9]);
            let velocity = (random.range(-speed, speed), random.range(-speed, speed) / 16.0);
            let walker = whole[id].character().is_some() && i % 2 == 0;
            let character = Character { walk_speed: speed.min(1e5), ground_acceleration: 1e9, ..Character::default() };
            let (x, y) = (random.range(low.0, room.0), random.range(low.1, room.1));
            for world in [&mut whole, &mut streamed] {
                if walker {
                    // Put the walker on a floor, where it moves as far as it can walk in a tick.
                    world.set_character(id, character).unwrap();
                    world.set_input(id, Input { walk: if tick % 2 == 0 { 127 } else { -127 }, ..Input::default() });
                }
                if tick % 3 == 0 {
                    let floor = (y / 40.0).floor() * 40.0 + 1.0;
                    let extents = world[id].shape().half_extents();
                    let at = if walker { (x, floor + extents.y) } else { (x, y) };
                    world.teleport(id, at).unwrap();
                }
                if !walker {
                    world.set_velocity(id, velocity).unwrap();
                }
            }
        }
        let (id, way) = (random.pick(&crowd), (random.range(-250.0, 250.0), random.range(-250.0, 250.0)));
        for world in [&mut whole, &mut streamed] {
            world.move_by(id, way).unwrap();
        }
        whole.step();
        streamed.step();
        assert_eq!(visible_state(&whole), visible_state(&streamed), "tick {tick}");
        for &id in &crowd {
            let way = (whole[id].position() - whole[id].previous_position()).as_dvec2().length() / ONE as f64;
            let is_walker = whole[id].character().is_some() && whole[id].on_floor();
            far += usize::from(way > 100.0);
            walked += usize::from(way > 100.0 && is_walker);
        }
        hits += whole.events().iter().filter(|event| matches!(event.kind, EventKind::HitTile { .. })).count();
    }
    assert!(far > 100 && walked > 10 && hits > 300, "{far} far, {walked} of them on floors, {hits} hits");
}

#[test]
fn a_streamed_map_shows_the_faces_of_the_baked_one() {
    for (seed, size, origin) in [(1, (70, 50), (-40, -33)), (4, (31, 33), (1, -1)), (5, (1, 1), (-1, -1))] {
        let mut parts = noise(size, origin, seed);
        parts.borders = Borders { left: Border::Solid, bottom: Border::Solid, ..Borders::default() };
        let map = Map::from_parts(parts).unwrap();
        let mut baked = Terrain::bake(&map);
        let mut streamed = Terrain::streamed(&map, source_of(&map));
        assert!(streamed.is_streamed() && !streamed.matches_map(&map) && streamed.exposed_faces().next().is_none());
        assert_eq!((streamed.origin(), streamed.size(), streamed.borders()), (origin, size, map.borders()));
        for round in 0..3 {
            // Far beyond the bounds, everything equals the border.
            streamed.load_chunks((-1_000_000_000, -1_000_000_000), (1_000_000_000, 1_000_000_000));
            assert!(streamed.exposed_faces().eq(baked.exposed_faces()), "{seed}");
            let far = [(-500, 7), (500, -500), (i32::MIN, i32::MAX), (i32::MAX, 0)];
            assert!(far.iter().all(|tile| streamed.tile_at(0, *tile) == baked.tile_at(0, *tile)));
            if round == 1 {
                streamed.unload_chunks_outside(&[]);
                assert_eq!(streamed.loaded_chunks(), 0);
            }
            // Set a tile while its chunk is loaded, and while it is not.
            let tile = (origin.0 + size.0 as i32 / 2, origin.1 + size.1 as i32 / 2);
            for terrain in [&mut streamed, &mut baked] {
                terrain.set_tile(0, tile, TileId(3 + round)).unwrap();
                assert!(terrain.set_tile(0, tile, TileId(999)).is_err());
                assert!(terrain.set_tile(0, (origin.0 - 1, origin.1), TileId(1)).is_err());
            }
        }
    }
}

#[test]
fn unloaded_chunks_are_solid() {
    let template = Map::from_parts(MapParts::new(1, 1)).unwrap();
    let mut terrain = Terrain::streamed(&template, source(|_, _| TileId::EMPTY));
    let (ball, at) = (Shape::circle(0.5), position(40.0, 20.0));
    assert!(Mover::new(&terrain).overlaps(ball, at) && terrain.is_solid(at) && !terrain.is_loaded((40, 20)));
    terrain.load_chunks((32, 0), (63, 31));
    assert_eq!((terrain.loaded_chunks(), terrain.is_loaded((63, 31)), terrain.is_loaded((64, 31))), (1, true, false));
    let mover = Mover::new(&terrain);
    assert!(!mover.overlaps(ball, at) && !terrain.is_solid(at));
    // The ball stops at the chunk's sides, in all four directions.
    for (motion, end) in [
        ((0.0, -50.0), (40.0, 0.5)),
        ((0.0, 50.0), (40.0, 31.5)),
        ((-50.0, 0.0), (32.5, 20.0)),
        ((50.0, 0.0), (63.5, 20.0)),
    ] {
        assert_eq!(mover.slide(ball, at, motion).position, position(end.0, end.1));
    }
    terrain.load_chunks((40, -1), (40, -1));
    assert_eq!(Mover::new(&terrain).slide(ball, at, (0.0, -900.0)).position, position(40.0, -31.5));
    terrain.unload_chunks_outside(&[((63, 31), (70, 40))]);
    assert_eq!((terrain.loaded_chunks(), terrain.is_loaded((32, 0)), terrain.is_loaded((40, -1))), (1, true, false));
}

#[test]
fn an_invalid_source_counts_as_empty() {
    let template = Map::from_parts(MapParts::new(1, 1)).unwrap();
    let entries = template.kinds().len() as i32;
    let nonsense = source(move |x, _| TileId((entries + x.rem_euclid(70_000 - entries)).min(65_535) as u16));
    let mut world = World::streamed(template, nonsense, Settings::default());
    let ball = world.spawn(Body::new(Shape::circle(0.25)).at((65_400.0, 3.0)).velocity((100.0, 0.0))).unwrap();
    (0..60).for_each(|_| world.step());
    // The ball moves 100 tiles to the side, and falls 20: half of 40.
    let moved = world[ball].position().to_dvec2() - DVec2::new(65_400.0, 3.0);
    assert!((moved - DVec2::new(100.0, -20.0)).length() < 1e-6, "{moved}");
    assert!(world[ball].touching() == Touching::default());
}

#[test]
fn bounds_end_a_streamed_world_as_they_do_a_map() {
    let mut parts = MapParts::new(1, 1);
    parts.borders.bottom = Border::Solid;
    let template = Map::from_parts(parts).unwrap();
    let bounds = Some(TileBounds { origin: (-5, 2), size: (10, 20) });
    let tiles: Arc<dyn TileSource> = Arc::new(Tiles { tile: |_, _| TileId(1), bounds, filled: AtomicUsize::new(0) });
    let mut world = World::streamed(template, tiles, Settings::default());
    let left = world.spawn(Body::new(Shape::aabb(0.5, 0.5)).at((-7.0, 9.0))).unwrap();
    let top = world.spawn(Body::new(Shape::aabb(0.5, 0.5)).at((0.0, 30.0))).unwrap();
    let mut left_map = 0;
    for _ in 0..120 {
        world.step();
        left_map += world.events().iter().filter(|event| event.kind == EventKind::LeftMap).count();
    }
    // One body falls next to the blocks down to the solid ground, the other stands on top of the blocks.
    assert_eq!((world[left].position(), world[top].position()), (position(-7.0, 2.5), position(0.0, 22.5)));
    assert_eq!(left_map, 2);
    assert!(world.set_tile(0, (5, 2), TileId::EMPTY).is_err() && world.set_tile(0, (-5, 21), TileId::EMPTY).is_ok());
}

#[test]
fn edits_stay_when_no_body_is_near() {
    let map = Map::from_parts(MapParts::new(1, 1)).unwrap();
    let block = map.find_tile('#').unwrap();
    let floor = source(move |_, y| if y < 0 { block } else { TileId::EMPTY });
    let mut world = World::streamed(map, floor, Settings::default());
    let ball = world.spawn(Body::new(Shape::aabb(0.25, 0.25)).at((0.5, 0.25))).unwrap();
    world.step();
    let fresh = world.checksum();
    for x in -40..40 {
        world.set_tile(0, (x, -1), TileId::EMPTY).unwrap();
    }
    assert_ne!(world.checksum(), fresh);
    (0..120).for_each(|_| world.step());
    assert_eq!(world[ball].position(), position(0.5, -0.75));
    // Teleport the ball away, and back to the edited tiles.
    for at in [position(9e6, 0.25), position(0.5, 0.25)] {
        world.teleport(ball, at).unwrap();
        let chunks = world.terrain().loaded_chunks();
        assert!(chunks <= 18, "{chunks}");
        (0..120).for_each(|_| world.step());
    }
    assert_eq!(world[ball].position(), position(0.5, -0.75));
    // With the tile restored from afar, the world equals the original except for its ball and its clock.
    world.teleport(ball, position(-9e6, 0.25)).unwrap();
    let painted = world.checksum();
    for x in -40..40 {
        world.set_tile(0, (x, -1), block).unwrap();
    }
    let mut like = world.clone();
    like.set_tile(0, (1000, 1000), TileId::EMPTY).unwrap();
    assert_eq!(like.checksum(), world.checksum(), "painted as it was");
    assert_ne!(world.checksum(), painted);
    world.teleport(ball, position(0.5, 0.25)).unwrap();
    (0..60).for_each(|_| world.step());
    assert_eq!(world[ball].position(), position(0.5, 0.25));
}

#[test]
fn a_walk_back_and_forth_over_a_chunk_border_asks_the_source_once() {
    let template = Map::from_parts(MapParts::new(1, 1)).unwrap();
    let tile = |_: i32, y: i32| TileId(u16::from(y < 0));
    let tiles = Arc::new(Tiles { tile, bounds: None, filled: AtomicUsize::new(0) });
    let mut world = World::streamed(template, tiles.clone(), Settings::default());
    let hero = world.spawn(hero().at((32.0, 0.45))).unwrap();
    let run = |world: &mut World, ticks: i32| {
        for tick in 0..ticks {
            let walk = if tick / 30 % 2 == 0 { 127 } else { -127 };
            world.set_input(hero, Input { walk, jump: tick % 40 < 5, ..Input::default() });
            world.step();
        }
    };
    run(&mut world, 600);
    let filled = tiles.filled.load(Ordering::Relaxed);
    let counted = allocation_counter::measure(|| run(&mut world, 600));
    assert_eq!(counted.count_total, 0, "{counted:?}");
    assert_eq!(tiles.filled.load(Ordering::Relaxed), filled);
}

#[test]
fn a_replay_of_a_streamed_world_plays_with_its_source_only() {
    struct Seeded(u64);
    impl TileSource for Seeded {
        fn fill(&self, _layer: usize, chunk: (i32, i32), cells: &mut [TileId; CHUNK_CELLS]) {
            for (i, cell) in (0..).zip(cells) {
                let tile = (32 * chunk.0 + i % 32, 32 * chunk.1 + i / 32);
                *cell = TileId(u16::from(tile.1 < -3 || hash(tile.0, tile.1) % 7 == self.0));
            }
        }

        fn identity(&self) -> u64 {
            self.0
        }
    }
    let template = Map::from_parts(MapParts::new(1, 1)).unwrap();
    let mut world = World::streamed(template.clone(), Arc::new(Seeded(3)), Settings::default());
    let mut recorder = Recorder::for_replay(&world, MapSource::Inline, 10).unwrap();
    let hero = world.spawn(hero().at((0.5, 9.5))).unwrap();
    for tick in 0..300 {
        world.set_input(hero, Input { walk: 127, jump: tick % 30 < 10, ..Input::default() });
        if tick == 100 {
            world.set_tile(0, (200, -2), TileId(1)).unwrap();
        }
        world.step();
        recorder.record_tick(&world).unwrap();
    }
    let replay = recorder.finish_replay(&world).unwrap();
    let read = Replay::from_ron(&replay.to_ron()).unwrap();
    assert_eq!((read.source_identity(), &read), (Some(3), &replay));
    let played = Playback::streamed(&read, Arc::new(Seeded(3))).run().unwrap();
    assert_eq!((played.ticks, played.compared, played.checksum), (300, 30, world.checksum()));

    let mut none = Playback::new(&replay);
    let message = none.run().unwrap_err().to_string();
    assert_eq!(message, "the world has no tile source; expected the source with the identity 0000000000000003");
    assert!(matches!(none.step(), Some(surefoot::record::TickComparison::Differs(_))) && none.step().is_none());
    let message = Playback::streamed(&replay, Arc::new(Seeded(4))).run().unwrap_err().to_string();
    assert_eq!(message, "the tile source has the identity 0000000000000004; expected 0000000000000003");
    // A replay on a map cannot be played with a source.
    let mut world = World::new(template, Settings::default());
    let mut recorder = Recorder::for_replay(&world, MapSource::Inline, 0).unwrap();
    world.step();
    recorder.record_tick(&world).unwrap();
    let replay = recorder.finish_replay(&world).unwrap();
    assert!(Playback::new(&replay).run().is_ok());
    assert!(Playback::streamed(&replay, Arc::new(Seeded(3))).run().is_err());
}

/// Areas make bodies faster than their loaded range allows for. This must never affect results.
#[test]
fn areas_act_in_a_streamed_world_as_on_a_map() {
    let mut told = 0;
    for seed in 0..4 {
        let mut parts = noise((96, 96), (-48, -48), seed);
        parts.borders =
            Borders { left: Border::Solid, right: Border::Solid, bottom: Border::Solid, ..Borders::default() };
        let map = Map::from_parts(parts).unwrap();
        let mut random = Random(seed as u64);
        let mut worlds = whole_and_streamed_world(&map);
        for _ in 0..8 {
            let mut number = || random.range(-1.0, 1.0);
            let effects = Effects {
                wind: Some((2000.0 * number(), 2000.0 * number()).into()),
                gravity_scale: Some(50.0 * number()),
                drag: Some(1.0 + number()),
                speed_scale: Some(20.0 + 10.0 * number()),
                ..Effects::default()
            };
            let shape = AreaShape::aabb(12.0 + 4.0 * number(), 8.0 + 4.0 * number()).unwrap();
            let area = Area::new(shape).at((40.0 * number(), 40.0 * number())).effects(effects);
            worlds.iter_mut().for_each(|world| _ = world.spawn_area(area.clone()).unwrap());
        }
        for body in bodies(&mut random, (-40.0, -40.0), (80.0, 80.0), 20) {
            worlds.iter_mut().for_each(|world| _ = world.spawn(body.clone()).unwrap());
        }
        for tick in 0..240 {
            worlds.iter_mut().for_each(World::step);
            let [expected, found] = &worlds;
            assert_eq!(found.events(), expected.events(), "seed {seed}, tick {tick}");
            assert_eq!(found.motion_checksum(), expected.motion_checksum(), "seed {seed}, tick {tick}");
            told +=
                expected.events().iter().filter(|event| matches!(event.kind, EventKind::AreaEntered { .. })).count();
        }
    }
    assert!(told > 100, "{told}");
}

/// Colliding crates, balls and characters in noise of all variants: a streamed world has the bits of the map's world.
#[test]
fn colliding_bodies_move_alike_in_streamed_worlds() {
    for seed in 0..6 {
        let map = Map::from_parts(noise((96, 40), (-40, -20), seed)).unwrap();
        let mut worlds = whole_and_streamed_world(&map);
        let mut random = Random(900 + seed as u64);
        let crowd = bodies(&mut random, (-10.0, -10.0), (16.0, 12.0), 40);
        let mut ids = Vec::new();
        for body in crowd {
            let body = body.collision_mask(CollisionLayers::ALL);
            let spawned = worlds.each_mut().map(|world| world.spawn(body.clone()).unwrap());
            assert_eq!(spawned[0], spawned[1]);
            ids.push(spawned[0]);
        }
        for tick in 0..120 {
            for world in &mut worlds {
                for (i, id) in (0..).zip(&ids) {
                    let walk = if (tick + 7 * i) % 60 < 30 { 127 } else { -127 };
                    world.set_input(*id, Input { walk, jump: (tick + i) % 20 < 3, ..Input::default() });
                }
                world.step();
            }
            let [one, other] = &worlds;
            assert_eq!(visible_state(one), visible_state(other), "seed {seed} tick {tick}");
        }
    }
}

/// Towers of many heights, some of which start or end at chunk borders. Characters that fall next to them hang on the
/// same ledges and pull themselves up as on a baked map.
#[test]
fn ledges_are_found_in_chunks_not_loaded_yet() {
    let side = CHUNK_SIDE as i32;
    // Towers are four tiles wide, with four tiles between them.
    let top = |tower: i32| 4 * (hash(tower, 7) % 15) as i32 + 2;
    let mut parts = MapParts::new(96, 96);
    parts.kinds = TileKind::every_variant(&parts.catalogue);
    let block = TileId(parts.catalogue.find_variant("full_block").unwrap().0 + 1);
    for (i, cell) in (0..).zip(&mut parts.layers[0].cells) {
        let (x, y) = (i % 96 - side, i / 96 - side);
        if y == -side || (x.rem_euclid(8) >= 4 && y < top(x.div_euclid(8))) {
            *cell = block;
        }
    }
    parts.layers[0].origin = (-side, -side);
    let map = Map::from_parts(parts).unwrap();
    let mut worlds = whole_and_streamed_world(&map);
    let mut random = Random(0x1ED6E);
    let character = Character { ledge_grab: 0.5, ledge_climb_time: 0.1, ..Character::default() };
    let crowd: Vec<BodyId> = (0..24)
        .map(|i| {
            let shape = if i % 2 == 0 { Shape::aabb(0.3, 0.6) } else { Shape::circle(0.4) };
            let fall_speed = random.pick(&[10.0, 60.0]);
            let body = Body::new(shape)
                .at((f64::from(i), 62.0))
                .character(Character { max_fall_speed: fall_speed, ..character });
            worlds.each_mut().map(|world| world.spawn(body.clone()).unwrap())[0]
        })
        .collect();
    let (mut hung, mut pulled) = (BTreeSet::new(), 0);
    for tick in 0..600 {
        for &id in &crowd {
            if random.one_in(60) {
                let tower = random.between(-4, 7) as i32;
                let (x, walk) = random.pick(&[(3.4, 127), (8.6, -127)]);
                let to = position(f64::from(8 * tower) + x, f64::from(top(tower)) + random.range(0.0, 12.0));
                for world in &mut worlds {
                    world.teleport(id, to).unwrap();
                    world.set_input(id, Input { walk, ..Input::default() });
                }
            } else if random.one_in(30) {
                let (jump, up) = (random.one_in(3), random.one_in(2));
                for world in &mut worlds {
                    world.set_input(id, Input { jump, up, ..world[id].input() });
                }
            }
        }
        worlds.iter_mut().for_each(World::step);
        let [baked, streamed] = &worlds;
        assert_eq!(visible_state(baked), visible_state(streamed), "tick {tick}");
        for &id in &crowd {
            let [one, other] = [baked, streamed].map(|world| (world[id].is_hanging(), world[id].is_climbing_ledge()));
            assert_eq!(one, other, "tick {tick}");
            let (x, y) = baked[id].position().cell();
            if one.0 {
                hung.insert((x.div_euclid(side), y.div_euclid(side)));
            }
            pulled += usize::from(one.1);
        }
    }
    assert!(hung.len() >= 6 && pulled > 20, "{hung:?} {pulled}");
}
