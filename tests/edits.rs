//! Tiles edited while bodies stand on them, fall past them and walk over them.

use crate::scene::{I64Vec2, ONE, Random, kinds, map, position};
use crate::table::{pairs, triples};
use surefoot::command::CommandError;
use surefoot::map::{MapParts, TileKind};
use surefoot::prelude::*;
use surefoot::terrain::TileError;
use surefoot::{Input, Map, World, geometry::DVec2};

/// A floor of two rows.
fn flat() -> Map {
    map(&["............", "............", "............", "............", "############", "############"])
}

fn block(map: &Map) -> TileId {
    map.find_tile('#').unwrap()
}

fn shapes() -> [Shape; 2] {
    [Shape::aabb(0.375, 0.375), Shape::circle(0.375)]
}

fn all_of(world: &World) -> ((i32, i32), (i32, i32)) {
    let ((x, y), (width, height)) = (world.map().origin(), world.map().size());
    ((x, y), (x + width as i32 - 1, y + height as i32 - 1))
}

/// Returns the displacement and the new velocity of a free fall in one tick.
fn free_fall(velocity: DVec2) -> (DVec2, DVec2) {
    let (gravity, tick) = (Settings::default().gravity, Settings::default().tick);
    (velocity * tick + gravity * (tick * tick / 2.0), velocity + gravity * tick)
}

fn tiles(v: I64Vec2) -> DVec2 {
    v.as_dvec2() / ONE as f64
}

/// Half a unit of rounding, and the error of f64 for the same sum in another order.
const UNIT: f64 = 1.0 / ONE as f64;

#[test]
fn a_body_that_loses_its_floor_falls_in_the_same_tick() {
    let scenes: [(&str, &[&str]); 4] = [
        ("flat", &["............", "............", "............", "############"]),
        ("one_way", &["............", "............", "............", "============"]),
        (
            "slope",
            &[
                "............",
                "......../###",
                "......./####",
                "....../#####",
                "...../######",
                "..../#######",
                ".../########",
            ],
        ),
        (
            "slope down",
            &["............", "###\\........", "####\\.......", "#####\\......", "######\\.....", "#######\\...."],
        ),
    ];
    for ((scene, drawn), shape) in pairs(scenes, shapes()) {
        for how in ["sliding", "held", "standing", "walking", "walking back"] {
            let what = format!("{scene}, {how} {shape:?}");
            let mut world = World::new(map(drawn), Settings::default());
            let height = drawn.len() as f64;
            let feet = position(if scene == "slope down" { 5.5 } else { 6.5 }, height);
            let floor = world.mover().stand_on_floor(shape, feet).expect("there is one below");
            let body = Body::new(shape).at(floor);
            let body = match how {
                "sliding" => body,
                "held" => body.friction(2.0),
                _ => body.character(Character { walk_speed: 3.0, ..Character::default() }),
            };
            let body = world.spawn(body).unwrap();
            let walks = how.starts_with("walking");
            for tick in 0..20 {
                let walk = if !walks || tick < 5 {
                    0
                } else if how == "walking" {
                    127
                } else {
                    -127
                };
                world.set_input(body, Input { walk, ..Input::default() });
                world.step();
            }
            assert!(world[body].on_floor(), "{what}: {:?}", world[body].position());
            assert_eq!(
                world[body].velocity().length() > 2.0,
                walks || how == "sliding" && scene.starts_with("slope"),
                "{what}"
            );
            let (from, velocity) = (world[body].position(), world[body].velocity());
            let (low, high) = all_of(&world);
            world.set_tiles(0, low, high, TileId::EMPTY).unwrap();
            world.step();
            let (way, after) = free_fall(velocity);
            let moved = tiles(world[body].position() - from);
            assert!((moved.y - way.y).abs() <= UNIT, "{what}: fell by {moved}, not by {way}");
            assert!((world[body].velocity().y - after.y).abs() < 1e-12, "{what}: {}", world[body].velocity());
            if !walks {
                // A walking character steers in the air too.
                assert!((moved.x - way.x).abs() <= UNIT, "{what}: moved by {moved}, not by {way}");
            }
            assert!(!world[body].on_floor() && world.contacts(body).is_empty(), "{what}");
            assert_eq!(kinds(&world), [EventKind::LeftFloor], "{what}");
        }
    }
}

#[test]
fn one_tile_is_enough_if_it_is_the_only_one_below() {
    for (shape, character, gone) in triples(shapes(), [false, true], 0..12) {
        let mut world = World::new(flat(), Settings::default());
        let body = Body::new(shape).at((5.75, 2.375));
        let body = if character { body.character(Character::default()) } else { body.friction(1.0) };
        let body = world.spawn(body).unwrap();
        (0..5).for_each(|_| world.step());
        let (start, events) = (world[body].position(), kinds(&world));
        assert!(events.is_empty() && world[body].on_floor());
        world.set_tile(0, (gone, 1), TileId::EMPTY).unwrap();
        world.step();
        // The body reaches from x = 5.375 to 6.125. A box stands on two tiles, a circle only on the tile below its
        // middle.
        let moved = tiles(world[body].position() - start);
        if gone == 5 && shape.is_circle() {
            // In the first tick, the circle does not yet reach the remaining corner.
            assert!((moved - free_fall(DVec2::ZERO).0).abs().max_element() <= UNIT, "{moved}");
            assert_eq!(kinds(&world), [EventKind::LeftFloor]);
        } else {
            assert_eq!(moved, DVec2::ZERO, "{shape:?} with tile {gone} gone");
            assert!(kinds(&world).is_empty(), "{shape:?} with tile {gone} gone");
        }
    }
}

#[test]
fn a_body_overlapped_by_a_new_tile_is_stuck_until_it_is_removed() {
    // The new tiles surround the whole body, overlap a part of it, or overlap it by one unit from the side.
    let by_a_unit = Position::from_units(6 * ONE - (ONE / 8 * 3) + 1, 2 * ONE + ONE / 8 * 3).unwrap();
    let tiles =
        [((4, 2), (7, 3), position(5.5, 2.375)), ((5, 2), (5, 2), position(5.9, 2.375)), ((6, 2), (6, 2), by_a_unit)];
    for (shape, (from, to, at)) in pairs(shapes(), tiles) {
        let plain = Body::new(shape).at(at);
        let walker = plain.clone().character(Character::default());
        for body in [plain.clone(), plain.clone().bounce(0.8), plain.response(Response::Stop), walker] {
            let mut world = World::new(flat(), Settings::default());
            let block = block(world.map());
            let body = world.spawn(body).unwrap();
            (0..2).for_each(|_| world.step());
            for _ in 0..2 {
                let at = world[body].position();
                world.set_tiles(0, from, to, block).unwrap();
                world.set_input(body, Input { walk: -127, jump: true, ..Input::default() });
                world.step();
                assert_eq!(kinds(&world), [EventKind::Stuck], "{shape:?} {from:?}");
                for tick in 0..5 {
                    // A tile set next to the body meanwhile changes nothing.
                    world.set_tiles(0, (8, tick), (9, tick), block).unwrap();
                    world.set_tiles(0, from, to, block).unwrap();
                    world.step();
                    assert!(kinds(&world).is_empty() && world[body].is_stuck());
                    assert_eq!(world[body].position(), at);
                }
                world.set_input(body, Input::default());
                world.set_tiles(0, from, to, TileId::EMPTY).unwrap();
                world.step();
                let seen = kinds(&world);
                assert_eq!(seen.iter().filter(|kind| **kind == EventKind::Unstuck).count(), 1, "{seen:?}");
                assert!(!seen.contains(&EventKind::Stuck) && !world[body].is_stuck());
                for _ in 0..60 {
                    world.step();
                    assert!(!kinds(&world).iter().any(|kind| matches!(kind, EventKind::Stuck | EventKind::Unstuck)));
                }
                assert!(world[body].on_floor());
            }
        }
    }
}

#[test]
fn a_wall_set_next_to_a_body_touches_but_does_not_hold_it() {
    for (shape, character) in pairs([Shape::aabb(0.5, 0.5), Shape::circle(0.5)], [false, true]) {
        let mut world = World::new(flat(), Settings::default());
        let block = block(world.map());
        let body = Body::new(shape).at((5.5, 2.5));
        let body = if character { body.character(Character::default()) } else { body };
        let body = world.spawn(body).unwrap();
        world.step();
        assert!(world[body].on_floor() && !world[body].touching().wall_left && !world[body].touching().ceiling);
        for tile in [(4, 2), (6, 2), (5, 3)] {
            world.set_tile(0, tile, block).unwrap();
        }
        for _ in 0..3 {
            world.step();
            assert!(kinds(&world).is_empty(), "{:?}", kinds(&world));
            let touching = world[body].touching();
            assert!(touching.floor && touching.wall_left && touching.wall_right && touching.ceiling, "{shape:?}");
            assert_eq!(world[body].position(), position(5.5, 2.5));
        }
        world.set_input(body, Input { walk: 127, jump: true, ..Input::default() });
        world.step();
        assert_eq!(world[body].position(), position(5.5, 2.5), "there is no way out");
        world.set_tile(0, (6, 2), TileId::EMPTY).unwrap();
        world.set_input(body, Input { walk: 127, ..Input::default() });
        world.step();
        assert_eq!(world[body].position().units().x > position(5.5, 2.5).units().x, character);
    }
}

/// An empty map with every variant in its legend.
fn bare(width: u32, height: u32) -> Map {
    let mut parts = MapParts::new(width, height);
    parts.kinds = TileKind::every_variant(&parts.catalogue);
    Map::from_parts(parts).unwrap()
}

fn entry_of(map: &Map, name: &str) -> TileId {
    let variant = map.catalogue().find_variant(name).unwrap();
    TileId(map.kinds().iter().position(|entry| entry.variant == Some(variant)).unwrap() as u16)
}

#[test]
fn a_tile_set_in_the_path_of_a_falling_body_stops_it() {
    let tick = Settings::default().tick;
    for shape in shapes() {
        for character in [false, true] {
            // Without the tile, the body would fall past the tile's position in this tick.
            for (gap, speed) in [(0.001, 24.0), (0.3, 24.0), (0.375, 24.0), (0.3, 600.0), (1.0, 200.0)] {
                for (name, top) in [("full_block", 6.0), ("one_way", 6.0), ("half_slab", 5.5)] {
                    let map = bare(6, 12);
                    let entry = entry_of(&map, name);
                    let mut world = World::new(map, Settings::default());
                    let body = Body::new(shape).at((2.5, top + 0.375 + gap)).velocity((0.0, -speed));
                    let fast = Character { max_fall_speed: 1000.0, ..Character::default() };
                    let body = world.spawn(if character { body.character(fast) } else { body }).unwrap();
                    assert!(speed * tick > gap, "it would come further");
                    world.set_tile(0, (2, 5), entry).unwrap();
                    world.step();
                    assert_eq!(world[body].position(), position(2.5, top + 0.375), "{shape:?} {name} {gap} {speed}");
                    assert!(
                        world[body].on_floor()
                            && kinds(&world).iter().any(|kind| matches!(kind, EventKind::Landed { .. }))
                    );
                }
            }
        }
    }
}

#[test]
fn a_rectangle_is_its_cells_one_by_one() {
    const SIDE: u64 = 14;
    let map = bare(SIDE as u32, SIDE as u32);
    let mut random = Random(0xED17_0001);
    let mut whole = World::new(map.clone(), Settings::default());
    let mut single = World::new(map.clone(), Settings::default());
    for i in 0..40 {
        let body = Body::new(shapes()[i % 2]).at((random.range(0.0, 14.0), random.range(0.0, 14.0)));
        let body = if i % 3 == 0 { body.character(Character::default()) } else { body.bounce(0.5) };
        for world in [&mut whole, &mut single] {
            world.spawn(body.clone().velocity((i as f64 - 20.0, 3.0))).unwrap();
        }
    }
    for tick in 0..400 {
        let corner = |random: &mut Random| (random.below(SIDE) as i32, random.below(SIDE) as i32);
        let from = corner(&mut random);
        let (width, height) = (random.below(4) as i32 - 2, random.below(4) as i32 - 2);
        let last = SIDE as i32 - 1;
        let to = ((from.0 + width).clamp(0, last), (from.1 + height).clamp(0, last));
        let entry = TileId(if random.below(2) == 0 { 0 } else { random.below(97) as u16 });
        whole.set_tiles(0, from, to, entry).unwrap();
        for (y, x) in pairs(from.1.min(to.1)..=from.1.max(to.1), from.0.min(to.0)..=from.0.max(to.0)) {
            single.set_tile(0, (x, y), entry).unwrap();
            assert_eq!(whole.tile_at(0, (x, y)), Some(entry));
        }
        for world in [&mut whole, &mut single] {
            world.step();
        }
        assert_eq!(whole.checksum(), single.checksum(), "tick {tick}");
        assert_eq!(whole.events(), single.events(), "tick {tick}");
    }
    // The result equals a map loaded with these tiles.
    let mut painted = map;
    for tile in (0..SIDE as i32).flat_map(|y| (0..SIDE as i32).map(move |x| (x, y))) {
        painted.set_tile(0, tile, whole.tile_at(0, tile).unwrap()).unwrap();
    }
    assert!(whole.terrain().matches_map(&painted) && !whole.terrain().matches_map(whole.map()));
}

#[test]
fn what_is_refused_changes_nothing() {
    let mut world = World::new(flat(), Settings::default());
    let block = block(world.map());
    world.set_tiles(0, (0, 2), (3, 3), block).unwrap();
    world.step();
    let (before, size) = (world.checksum(), world.map().size());
    let refused = |result: Result<(), CommandError>, expected: TileError| {
        assert_eq!(result, Err(CommandError::Tile(expected)));
    };
    let outside = |tile| TileError::Outside { tile, origin: (0, 0), size };
    refused(world.set_tiles(0, (5, 2), (12, 2), block), outside((12, 2)));
    refused(world.set_tiles(0, (5, -1), (12, 2), block), outside((5, -1)));
    refused(world.set_tile(0, (0, 6), block), outside((0, 6)));
    let entry = TileId(u16::MAX);
    refused(world.set_tiles(0, (5, 2), (6, 2), entry), TileError::UnknownTile { tile_id: entry });
    let unknown = TileError::UnknownLayer { layer: 1, layers: 1 };
    refused(world.set_tile(1, (5, 2), block), unknown);
    refused(world.set_tiles(1, (5, 2), (40, 2), block), unknown);
    assert_eq!(unknown.to_string(), "unknown tile layer 1; number of layers that can be edited: 1");
    assert_eq!(world.checksum(), before);
    assert_eq!((world.tile_at(0, (5, 2)), world.tile_at(0, (3, 3))), (Some(TileId::EMPTY), Some(block)));
    assert_eq!((world.tile_at(0, (12, 2)), world.tile_at(1, (5, 2))), (None, None));
    world.step();
    assert!(world.commands().is_empty(), "a recorder sees nothing of it");
}

#[test]
fn edits_of_a_layer_that_does_not_collide_affect_no_body() {
    let map = Map::from_ron(
        r#######"Map(format: 1, layers: [(name: "terrain", tiles: ["......", "......", "######"]),
            (name: "front", collides: false, tiles: ["......", "..#...", "......"])])"#######,
    )
    .unwrap();
    let block = block(&map);
    for shape in shapes() {
        let mut world = World::new(map.clone(), Settings::default());
        let hero = world.spawn(Body::new(shape).at((1.5, 1.375)).character(Character::default())).unwrap();
        world.spawn(Body::new(shape).at((4.5, 2.5)).bounce(0.5)).unwrap();
        (0..5).for_each(|_| world.step());
        let mut plain = world.clone();
        world.set_tiles(1, (0, 0), (3, 2), block).unwrap();
        assert_ne!(world.checksum(), plain.checksum());
        assert_eq!(world.tile_at(1, (1, 1)), Some(block));
        assert_eq!(
            (world.tile_at(0, (1, 1)), world.map().tile_at(1, (1, 1))),
            (Some(TileId::EMPTY), Some(TileId::EMPTY))
        );
        for _ in 0..30 {
            for world in [&mut world, &mut plain] {
                world.set_input(hero, Input { walk: 127, ..Input::default() });
                world.step();
            }
            assert_eq!((world.motion_checksum(), world.events()), (plain.motion_checksum(), plain.events()));
        }
        assert_ne!(world.checksum(), plain.checksum());
        // Restore the tiles of the map.
        world.set_tiles(1, (0, 0), (3, 2), TileId::EMPTY).unwrap();
        world.set_tile(1, (2, 1), block).unwrap();
        assert_eq!(world.checksum(), plain.checksum());
        let outside = TileError::Outside { tile: (6, 0), origin: (0, 0), size: (6, 3) };
        assert_eq!(world.set_tiles(1, (0, 0), (6, 0), block), Err(CommandError::Tile(outside)));
        let unknown = TileError::UnknownTile { tile_id: TileId(999) };
        assert_eq!(world.set_tile(1, (0, 0), TileId(999)), Err(CommandError::Tile(unknown)));
        assert_eq!(world.checksum(), plain.checksum());
    }
}
