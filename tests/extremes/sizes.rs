//! The smallest and the longest maps, and a long replay.

use crate::scene::{ONE, map_with, position};
use surefoot::prelude::*;
use surefoot::record::Playback;
use surefoot::{Input, World};

/// Number of columns or rows of the long maps.
const LONG: usize = 1_000_000;

/// Shape of a character.
const SHAPE: fn() -> Shape = || Shape::aabb(0.35, 0.45);

fn left_the_map(world: &World) -> bool {
    world.events().iter().any(|event| event.kind == EventKind::LeftMap)
}

#[test]
fn on_a_map_of_one_tile_a_body_stands_or_leaves() {
    let solid = "border: (left: Solid, right: Solid, bottom: Solid, top: Solid)";
    let hero = || Body::new(SHAPE()).character(Character::default());
    // A character on a block walks to the block's edge and falls past it.
    let mut world = World::new(map_with(&["#"], ""), Settings::default());
    let on = world.spawn(hero().at(position(0.5, 1.45))).unwrap();
    (0..60).for_each(|_| world.step());
    assert_eq!((world[on].position(), world[on].on_floor()), (position(0.5, 1.45), true));
    world.set_input(on, Input { walk: 127, ..Input::default() });
    for _ in 0..60 {
        world.step();
        let at = world[on].position().units();
        assert!(at.y >= ONE + SHAPE().half_units().y || at.x >= ONE + SHAPE().half_units().x, "through the block");
    }
    assert!(world[on].position().units().y < 0, "{}", world[on].position());
    // A character is in a cell without exits.
    let mut world = World::new(map_with(&["."], solid), Settings::default());
    let walled = world.spawn(hero().at(position(0.4, 0.5))).unwrap();
    for (walk, x) in [(127, 0.65), (-127, 0.35)] {
        world.set_input(walled, Input { walk, jump: true, ..Input::default() });
        (0..90).for_each(|_| world.step());
        assert_eq!(world[walled].position(), position(x, 0.45));
    }
    // With a block set in the cell, the character is stuck. Without the block, it is free again.
    let block = world.map().find_tile('#').unwrap();
    world.set_tile(0, (0, 0), block).unwrap();
    world.step();
    assert!(world[walled].is_stuck());
    world.set_tile(0, (0, 0), TileId::EMPTY).unwrap();
    world.step();
    assert!(!world[walled].is_stuck());
    // From an empty map, the character falls out.
    let mut world = World::new(map_with(&["."], ""), Settings::default());
    world.spawn(hero().at(position(0.5, 0.5))).unwrap();
    assert!((0..60).any(|_| {
        world.step();
        left_the_map(&world)
    }));
}

#[test]
fn a_floor_of_a_million_tiles_is_one_floor() {
    let map = map_with(&[&"=".repeat(LONG)], "origin: (-500000, -1)");
    assert_eq!(map.size(), (LONG as u32, 1));
    let mut world = World::new(map, Settings::default().tick(1.0));
    let character = Character { walk_speed: 1000.0, ground_acceleration: 1e6, ..Character::default() };
    let start = position(-499_999.5, 0.45);
    let hero = world.spawn(Body::new(SHAPE()).at(start).character(character)).unwrap();
    world.set_input(hero, Input { walk: 127, ..Input::default() });
    // The first tick speeds up, and moves half as far as the others.
    for tick in 0..1000_u32 {
        world.step();
        let x = start.to_dvec2().x + 500.0 + 1000.0 * f64::from(tick);
        assert_eq!((world[hero].position(), world[hero].on_floor()), (position(x, 0.45), true), "tick {tick}");
    }
    // The floor ends at x = 500000, 499.5 tiles away.
    world.step();
    let end = world[hero].position().to_dvec2();
    assert!(end.x > 500_000.35 && !world[hero].on_floor(), "{end}");
    world.step();
    assert!(world[hero].position().to_dvec2().y < end.y, "it falls");
}

#[test]
fn a_shaft_of_a_million_tiles_has_a_bottom_and_two_walls() {
    let mut rows = vec!["."; LONG];
    rows[LONG - 1] = "#";
    let map = map_with(&rows, "border: (left: Solid, right: Solid)");
    assert_eq!(map.size(), (1, LONG as u32));
    let mut world = World::new(map, Settings::default());
    // One body is exactly as wide as the shaft. The ball is narrower, and is thrown from wall to wall.
    let exact = world.spawn(Body::new(Shape::aabb(0.5, 0.45)).at(position(0.5, 999_999.0))).unwrap();
    let ball = Body::new(Shape::circle(0.3)).at(position(0.5, 999_999.0)).velocity((300.0, 0.0)).bounce(1.0);
    let ball = world.spawn(ball).unwrap();
    let fast = Character { max_fall_speed: 5000.0, ..Character::default() };
    let hero = world.spawn(Body::new(SHAPE()).at(position(0.5, 999_999.0)).character(fast)).unwrap();
    world.set_input(hero, Input { walk: 127, ..Input::default() });
    let mut landed = 0;
    // By h = g t^2 / 2, the fall takes sqrt(2 10^6 / 40) = 223.6 seconds; limited to 5000 tiles per second, 262.5.
    for tick in 0..16_000 {
        world.step();
        for id in [exact, ball, hero] {
            let (at, half) = (world[id].position().units(), world[id].shape().half_units());
            assert!(
                at.x >= half.x && at.x + half.x <= ONE && at.y - half.y >= ONE,
                "tick {tick}: {}",
                world[id].position()
            );
        }
        if landed == 0 && world[exact].on_floor() {
            landed = tick;
        }
    }
    assert!((f64::from(landed) / 60.0 - 223.6).abs() < 0.1, "in tick {landed}");
    assert_eq!(world[exact].position(), position(0.5, 1.45));
    assert_eq!(world[hero].position(), position(0.65, 1.45));
}

#[test]
fn a_replay_of_a_million_ticks_is_written_read_and_played() {
    let ticks = 1_000_000_u32;
    let rows = ["#..........#", "#....--....#", "#.../##\\...#", "############"];
    let mut world = World::new(map_with(&rows, ""), Settings::default());
    let mut recorder = Recorder::for_replay(&world, MapSource::Inline, 600).unwrap();
    let hero = world.spawn(Body::new(SHAPE()).at(position(2.5, 1.45)).character(Character::default())).unwrap();
    recorder.name_body(hero, "hero").unwrap();
    for tick in 0..ticks {
        let walk = if tick / 90 % 2 == 0 { 127 } else { -100 };
        world.set_input(hero, Input { walk, jump: tick % 47 < 9, ..Input::default() });
        world.step();
        recorder.record_tick(&world).unwrap();
    }
    let replay = recorder.finish_replay(&world).unwrap();
    assert_eq!((replay.ticks(), replay.checksums().len()), (ticks.into(), ticks.div_ceil(600) as usize));
    let text = replay.to_ron();
    let read = Replay::from_ron(&text).unwrap();
    assert_eq!(read, replay);
    let summary = Playback::new(&read).run().unwrap();
    assert_eq!((summary.ticks, summary.checksum), (ticks.into(), world.checksum()));
    // A changed bit of the last checksum, after all those ticks, is found.
    let last = replay.checksums().last().unwrap().motion.to_string();
    let wrong = text.replace(&last, &format!("{:016x}", u64::from_str_radix(&last, 16).unwrap() ^ 1));
    let told = Playback::new(&Replay::from_ron(&wrong).unwrap()).run().unwrap_err();
    assert_eq!(told.tick, u64::from(ticks));
}
