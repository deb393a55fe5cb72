//! Tiles and positions around 2^31, 2^29 and 2^28.

use crate::scene::{ONE, map, map_with, units};
use std::sync::{Arc, Mutex};
use surefoot::map::{MapErrorKind, MapParts, MapPartsError, TileLayerError};
use surefoot::prelude::*;
use surefoot::{
    Input, Map, World,
    geometry::{DVec2, I64Vec2},
};

use surefoot::terrain::{TileBounds, TileError};
use surefoot_geometry::PositionError;

/// 2^31, to which the tests add small numbers.
const FAR: i64 = 1 << 31;

/// Largest distance of a position from the origin on an axis, in tiles.
const LIMIT: i32 = 1 << 29;

#[test]
fn a_map_begins_within_its_limit() {
    for far in [FAR - 1, FAR, FAR + 1, -FAR, -FAR - 1, i64::MAX, i64::MIN, (1 << 28) + 1, -(1 << 28) - 1] {
        for (x, y) in [(far, 0), (0, far), (far, far)] {
            let text = format!("Map(format: 1, tiles: [\".\"], origin: ({x}, {y}))");
            let error = Map::from_ron(&text).expect_err("too far out");
            assert!(
                matches!(error.kind, MapErrorKind::Parts(MapPartsError::Layer(TileLayerError::Origin { x: a, y: b })) if (a, b) == (x, y)),
                "{error}"
            );
        }
    }
    // Beyond 64 bits, the format cannot hold the number.
    let error = Map::from_ron("Map(format: 1, tiles: [\".\"], origin: (9223372036854775808, 0))").unwrap_err();
    assert!(matches!(error.kind, MapErrorKind::Form(_)), "{error}");
    for origin in [(i32::MAX, 0), (0, i32::MIN), (Map::MAX_ORIGIN + 1, 0)] {
        let mut parts = MapParts::new(1, 1);
        parts.layers[0].origin = origin;
        let error = Map::from_parts(parts).unwrap_err();
        assert!(matches!(error, MapPartsError::Layer(TileLayerError::Origin { .. })), "{error}");
    }
}

#[test]
fn a_body_at_the_furthest_origin_walks_as_at_home() {
    let rows = ["#.........#", "#.........#", "#.........#", "#......--.#", "#..../#\\..#", "###########"];
    let run = |(x, y): (i64, i64)| {
        let map = map_with(&rows, &format!("origin: ({x}, {y})"));
        let mut world = World::new(map, Settings::default());
        let start = units((2 * x + 3) * (ONE / 2), (y + 2) * ONE);
        let hero = world.spawn(Body::new(Shape::aabb(0.35, 0.45)).at(start).character(Character::default())).unwrap();
        let mut way = Vec::new();
        for tick in 0..200 {
            world.set_input(hero, Input { walk: 127, jump: tick % 30 == 10, ..Input::default() });
            world.step();
            way.push(world[hero].position().units() - I64Vec2::new(x, y) * ONE);
        }
        way
    };
    let home = run((0, 0));
    // The body ends at the wall on the right, whose face is at x = 10.
    assert_eq!(home.last().unwrap().x, 10 * ONE - Shape::aabb(0.35, 0.45).half_units().x);
    let far = i64::from(Map::MAX_ORIGIN);
    for origin in [(far, far), (-far, far), (far, -far), (-far, -far)] {
        assert_eq!(run(origin), home, "{origin:?}");
    }
}

#[test]
fn tiles_outside_are_refused_and_nothing_changes() {
    let floor = map(&["..", "##"]);
    let block = floor.find_tile('#').unwrap();
    let mut world = World::new(floor, Settings::default());
    let before = world.checksum();
    for tile in [(i32::MAX, 0), (i32::MIN, 0), (0, i32::MAX), (0, i32::MIN), (i32::MAX, i32::MIN), (2, 0), (0, -1)] {
        let outside = Err(CommandError::Tile(TileError::Outside { tile, origin: (0, 0), size: (2, 2) }));
        assert_eq!(world.set_tile(0, tile, block), outside);
        assert_eq!(world.set_tiles(0, (0, 0), tile, block), outside);
        assert_eq!(world.set_tiles(0, tile, (0, 0), TileId::EMPTY), outside);
        assert_eq!(world.tile_at(0, tile), None);
        assert_eq!(world.map().tile_at(0, tile), None);
        assert_eq!(world.terrain().tile_at(0, tile), Some(TileId::EMPTY), "all sides are open");
    }
    assert_eq!((world.checksum(), world.commands().len()), (before, 0));
}

#[test]
fn positions_end_at_the_limit() {
    let limit = f64::from(LIMIT);
    let mut world = World::new(map(&["."]), Settings::default().gravity((0.0, 0.0)));
    let ball = Body::new(Shape::circle(0.25));
    for far in [2.0 * limit, 4.0 * limit, -4.0 * limit, limit.next_up(), 1e300] {
        for (x, y) in [(far, 0.0), (0.0, far)] {
            let error = PositionError::OutOfRange { x, y };
            assert_eq!(Position::new(x, y), Err(error));
            assert_eq!(world.spawn(ball.clone().at((x, y))), Err(CommandError::Body(BodyError::Position(error))));
        }
    }
    // A body that moves outwards stays there; a body that moves inwards leaves.
    for (x, y) in [(limit, 0.0), (-limit, 0.0), (0.0, limit), (-limit, -limit)] {
        let out = DVec2::new(x, y).signum() * DVec2::new(x, y).abs().clamp(DVec2::ZERO, DVec2::ONE);
        let stays = world.spawn(ball.clone().at((x, y)).velocity(out * 1e9)).unwrap();
        let comes = world.spawn(ball.clone().at((x, y)).velocity(out * -60.0)).unwrap();
        let sent = world.spawn(ball.clone()).unwrap();
        assert!(matches!(world.teleport(sent, (4.0 * x, 4.0 * y)), Err(CommandError::Position(_))));
        world.teleport(sent, (x, y)).unwrap();
        (0..60).for_each(|_| world.step());
        assert_eq!([stays, sent].map(|id| world[id].position()), [Position::new(x, y).unwrap(); 2]);
        // The body moves for 60 ticks of 1/60 second, at 60 tiles per second.
        assert_eq!(world[comes].position(), Position::new(x - 60.0 * out.x, y - 60.0 * out.y).unwrap());
    }
}

/// Ground below y = 0 everywhere. Records the requested chunks.
struct Ground {
    block: TileId,
    asked: Mutex<Vec<(i32, i32)>>,
    bounds: Option<TileBounds>,
}

impl TileSource for Ground {
    fn fill(&self, _layer: usize, chunk: (i32, i32), cells: &mut [TileId; 1024]) {
        self.asked.lock().unwrap().push(chunk);
        cells.fill(if chunk.1 < 0 { self.block } else { TileId::EMPTY });
    }

    fn bounds(&self) -> Option<TileBounds> {
        self.bounds
    }
}

#[test]
fn a_streamed_world_ends_at_the_limit_of_positions() {
    let template = map(&["."]);
    let block = template.find_tile('#').unwrap();
    let everything = TileBounds { origin: (i32::MIN, i32::MIN), size: (u32::MAX, u32::MAX) };
    for bounds in [None, Some(everything)] {
        let source = Arc::new(Ground { block, asked: Mutex::new(Vec::new()), bounds });
        let mut world = World::streamed(template.clone(), source.clone(), Settings::default());
        assert_eq!((world.terrain().origin(), world.terrain().size()), ((-LIMIT, -LIMIT), (1 << 30, 1 << 30)));
        // The outermost tiles can be set, tiles beyond cannot.
        for (tile, entry) in [((LIMIT - 1, LIMIT - 1), block), ((-LIMIT, -LIMIT), TileId::EMPTY)] {
            assert_eq!(world.tile_at(0, tile), None, "not loaded");
            world.set_tile(0, tile, entry).unwrap();
            assert_eq!(world.tile_at(0, tile), Some(entry));
        }
        for tile in [(LIMIT, 0), (0, -LIMIT - 1), (i32::MAX, 0), (i32::MIN, i32::MIN)] {
            let refused = world.set_tile(0, tile, block);
            assert!(matches!(refused, Err(CommandError::Tile(TileError::Outside { .. }))), "{refused:?}");
        }
        let (low, high) = ((-LIMIT, -LIMIT), (LIMIT - 1, LIMIT - 1));
        let refused = world.set_tiles(0, low, high, TileId::EMPTY);
        assert_eq!(refused, Err(CommandError::Tile(TileError::TooLarge { tiles: 1 << 60 })));
        // The runners start ten tiles from either end of the ground and move towards that end.
        let hero = |x: i32| {
            let position = units(i64::from(x) * ONE, 2 * ONE);
            Body::new(Shape::aabb(0.35, 0.45)).at(position).character(Character::default())
        };
        let runners = [(hero(LIMIT - 10), 127, LIMIT), (hero(10 - LIMIT), -127, -LIMIT)];
        let runners = runners.map(|(body, walk, end)| {
            let id = world.spawn(body).unwrap();
            world.set_input(id, Input { walk, ..Input::default() });
            (id, end)
        });
        for tick in 0..180 {
            world.step();
            for (id, _) in runners {
                assert!(
                    world[id].position().units().y >= Shape::aabb(0.35, 0.45).half_units().y,
                    "fell in tick {tick}"
                );
            }
        }
        for (id, end) in runners {
            let at = world[id].position().units();
            // The runner stops at the limit of positions, on the ground that reaches up to there.
            assert_eq!(at, I64Vec2::new(i64::from(end) * ONE, Shape::aabb(0.35, 0.45).half_units().y));
            assert!(world[id].on_floor());
        }
        let chunks = source.asked.lock().unwrap();
        assert!(chunks.iter().all(|&(x, y)| [x, y].iter().all(|c| (-LIMIT / 32..LIMIT / 32).contains(c))));
        assert!(chunks.len() < 100, "{}", chunks.len());
    }
}
