//! The shortest and the longest tick.

use crate::scene::{ONE, map, position};
use surefoot::prelude::*;
use surefoot::{Input, RangeError, World, geometry::I64Vec2};

#[test]
fn ticks_beyond_the_limits_are_refused() {
    for seconds in [1e-6, 1.0] {
        assert_eq!(Settings::default().tick(seconds).check(), Ok(()));
    }
    for seconds in [1e-6_f64.next_down(), 1.0_f64.next_up(), 0.0, -1.0 / 60.0, f64::INFINITY, f64::MIN_POSITIVE] {
        let refused = Settings::default().tick(seconds).check();
        assert_eq!(refused, Err(RangeError { field: "tick", value: seconds, min: 1e-6, max: 1.0 }));
        let made = std::panic::catch_unwind(|| World::new(map(&["."]), Settings::default().tick(seconds)));
        assert!(made.is_err(), "a world of {seconds} s a tick");
    }
    assert!(Settings::default().tick(f64::NAN).check().is_err());
    let replay =
        |tick: &str| format!("Replay(map: Inline(Map(format: 1, tiles: [\".\"])), settings: (tick: {tick}), ticks: 1)");
    assert!(Replay::from_ron(&replay("0.000001")).is_ok() && Replay::from_ron(&replay("1.0")).is_ok());
    for tick in ["0.0000009999", "1.0000000000000002", "0", "-1", "inf", "NaN", "1e999"] {
        assert!(Replay::from_ron(&replay(tick)).is_err(), "{tick}");
    }
}

/// Every tick rounds a motion to whole units, by at most half a unit.
fn assert_near(found: i64, expected: f64, ticks: u32, what: &str) {
    let most = f64::from(ticks) / 2.0 + 1.0;
    let expected = expected * ONE as f64;
    assert!((found as f64 - expected).abs() <= most, "{what}: {found} units, expected {expected} within {most}");
}

#[test]
fn in_ticks_of_a_microsecond_bodies_move_as_the_formulas_say() {
    let ticks = 1_000_000;
    let time = f64::from(ticks) * 1e-6;
    let map = map(&["................................", "................................"]);
    let mut world = World::new(map, Settings::default().tick(1e-6));
    let start = position(2.0, 60.0);
    let thrown = world.spawn(Body::new(Shape::circle(0.25)).at(start).velocity((7.3, 3.0))).unwrap();
    let floats = Body::new(Shape::aabb(0.25, 0.25)).at(start).velocity((-0.7, 0.3)).gravity_scale(0.0);
    let floats = world.spawn(floats).unwrap();
    (0..ticks).for_each(|_| world.step());
    let moved = world[thrown].position() - start;
    assert_near(moved.x, 7.3 * time, ticks, "thrown, x");
    assert_near(moved.y, 3.0 * time - 20.0 * time * time, ticks, "thrown, y");
    let moved = world[floats].position() - start;
    assert_near(moved.x, -0.7 * time, ticks, "floats, x");
    assert_near(moved.y, 0.3 * time, ticks, "floats, y");
}

#[test]
fn in_ticks_of_a_microsecond_a_character_lands_walks_and_jumps() {
    let map = map(&["#......", "#......", "#######"]);
    let mut world = World::new(map, Settings::default().tick(1e-6));
    let half = Shape::aabb(0.35, 0.45).half_units();
    let body = Body::new(Shape::aabb(0.35, 0.45)).at(position(2.0, 1.45 + 0.001)).character(Character::default());
    let hero = world.spawn(body).unwrap();
    // A fall of a thousandth of a tile takes sqrt(2 h / g) = 7071 microseconds.
    (0..7_000).for_each(|_| world.step());
    assert!(!world[hero].on_floor());
    (0..200).for_each(|_| world.step());
    assert!(world[hero].on_floor());
    assert_eq!(world[hero].position().units().y, ONE + half.y);
    world.set_input(hero, Input { walk: 127, ..Input::default() });
    let ticks = 20_000;
    (0..ticks).for_each(|_| world.step());
    // The hero accelerates by 60 tiles per second squared for 0.02 seconds.
    assert_near(world[hero].position().units().x - 2 * ONE, 30.0 * 0.02 * 0.02, ticks, "walked");
    assert_eq!(world[hero].position().units().y, ONE + half.y);
    world.set_input(hero, Input { jump: true, ..Input::default() });
    world.step();
    assert!(!world[hero].on_floor());
    // v^2 = 2 g h, with h = 3.2 and g = 40: 16 tiles per second.
    assert!((world[hero].velocity().y - 16.0).abs() < 1e-3);
}

#[test]
fn no_tile_is_passed_through_in_ticks_of_a_second() {
    let rows =
        ["#..............................#", "#..............................#", "#...--..===..............12##34#"];
    let mut rows = rows.to_vec();
    rows.extend(["#..............................#"; 6]);
    rows.push("################################");
    let map = map(&rows);
    let mut world = World::new(map, Settings::default().tick(1.0));
    let shape = Shape::aabb(0.35, 0.45);
    let hero = |x: f64, y: f64| Body::new(shape).at(position(x, y)).character(Character::default());
    // The heroes start above a one-way tile with drop-through, above one without, and above the ground. A fall from
    // there takes a tick or more.
    let over = [(5.0, 7.0, 8), (9.5, 7.0, 8), (15.0, 6.0, 1)].map(|(x, up, floor)| {
        let id = world.spawn(hero(x, f64::from(floor) + up)).unwrap();
        (id, I64Vec2::new((x * ONE as f64) as i64, i64::from(floor) * ONE + shape.half_units().y))
    });
    (0..3).for_each(|_| world.step());
    for (id, at) in over {
        assert_eq!(world[id].position().units(), at);
        assert!(world[id].on_floor());
    }
    // In the first tick, the hero speeds up to 8 tiles per second and moves 4 tiles. Then it moves 8, up to the wall at
    // x = 31.
    world.set_input(over[2].0, Input { walk: 127, ..Input::default() });
    for x in [19 * ONE, 27 * ONE, 31 * ONE - shape.half_units().x, 31 * ONE - shape.half_units().x] {
        world.step();
        assert_eq!(world[over[2].0].position().units(), I64Vec2::new(x, ONE + shape.half_units().y));
    }
    // A jump at 16 tiles per second under 40 tiles per second squared is over within the tick, and ends on the floor.
    world.set_input(over[2].0, Input { jump: true, ..Input::default() });
    (0..2).for_each(|_| world.step());
    assert_eq!(world[over[2].0].position().units().y, ONE + shape.half_units().y);
}
