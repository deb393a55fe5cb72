//! Conveyor belts: what stands on one goes with it, by whole units, and keeps its velocity where the belt ends.

use crate::scene::{I64Vec2, ONE, map_with, position};
use surefoot::platform::{Pace, Path, Platform};
use surefoot::prelude::*;
use surefoot::{Input, Map, World, geometry::DVec2};

const TICK: f64 = 1.0 / 60.0;
const LEGEND: &str = r##"legend: {
    '>': (tile: "full_block", surface: (velocity: 3.0)),
    '<': (tile: "full_block", surface: (velocity: -3.0)),
    'u': (tile: "slope_45", surface: (velocity: 3.0)),
    'd': (tile: "slope_45 m", surface: (velocity: 3.0))}"##;

/// Rows of tiles with air above them.
fn map(rows: &[&str]) -> Map {
    let air = ".".repeat(rows[0].len());
    map_with(&[&[air.as_str(); 4], rows].concat(), LEGEND)
}

fn crate_at(x: f64, y: f64, velocity: f64) -> Body {
    Body::new(Shape::aabb(0.25, 0.25)).at((x, y)).moving((velocity, 0.0)).friction(0.5)
}

fn hero_at(x: f64, y: f64, velocity: f64) -> Body {
    Body::new(Shape::aabb(0.25, 0.25)).at((x, y)).moving((velocity, 0.0)).character(Character::default())
}

/// Three tiles per second in whole units of a tick: 2^32 / 20, to the nearest.
fn way() -> I64Vec2 {
    I64Vec2::new((ONE + 10) / 20, 0)
}

#[test]
fn what_rests_on_a_belt_goes_with_it_to_the_unit() {
    for (row, sign) in [(">".repeat(40), 1), ("<".repeat(40), -1)] {
        let mut world = World::new(map(&[&row]), Settings::default());
        let start = position(20.0, 1.25);
        let speed = 3.0 * sign as f64;
        let bodies = [crate_at, hero_at].map(|make| world.spawn(make(20.0, 1.25, speed)).unwrap());
        for tick in 1..=200 {
            world.step();
            for body in bodies {
                assert_eq!(world[body].position() - start, way() * sign * tick, "{tick}");
                assert_eq!(world[body].velocity(), DVec2::new(speed, 0.0));
            }
            assert_eq!(world.events(), []);
        }
    }
}

#[test]
fn a_body_at_rest_is_taken_up_to_the_speed_of_the_belt() {
    let mut world = World::new(map(&[&">".repeat(60)]), Settings::default());
    let bodies = [crate_at, hero_at].map(|make| world.spawn(make(20.0, 1.25, 0.0)).unwrap());
    // Friction takes up the crate by 20 tiles per second squared: in 9 ticks. The hero brakes by 80: in 3.
    for tick in 1..=20 {
        world.step();
        let speeds = [20.0, 80.0].map(|rate| f64::min(3.0, rate * f64::from(tick) * TICK));
        for (body, speed) in bodies.into_iter().zip(speeds) {
            assert!((world[body].velocity() - DVec2::new(speed, 0.0)).length() < 1e-9, "{tick} {speed}");
        }
    }
    assert_eq!(bodies.map(|body| world[body].velocity()), [DVec2::new(3.0, 0.0); 2]);
}

#[test]
fn a_walker_walks_relative_to_the_belt_and_a_jump_keeps_its_velocity() {
    for (walk, speed) in [(127, 11.0), (-127, -5.0)] {
        let mut world = World::new(map(&[&">".repeat(80)]), Settings::default());
        let hero = world.spawn(hero_at(40.0, 1.25, 3.0)).unwrap();
        world.set_input(hero, Input { walk, ..Input::default() });
        (0..30).for_each(|_| world.step());
        assert_eq!(world[hero].velocity(), DVec2::new(speed, 0.0));
        world.set_input(hero, Input { jump: true, ..Input::default() });
        world.step();
        assert!(!world[hero].on_floor());
        assert_eq!(world[hero].velocity().x, speed);
    }
}

#[test]
fn a_wall_stops_what_a_belt_carries_and_is_hit_once() {
    let mut world = World::new(map(&["........#", ">>>>>>>>>"]), Settings::default());
    let bodies = [crate_at, hero_at].map(|make| world.spawn(make(6.0, 1.25, 3.0)).unwrap());
    let mut hits = [0; 2];
    for _ in 0..200 {
        world.step();
        for event in world.events() {
            assert!(matches!(event.kind, EventKind::Hit { side: Side::WallRight, .. }), "{event:?}");
            hits[usize::from(event.body == bodies[1])] += 1;
        }
    }
    for body in bodies {
        assert_eq!(world[body].position(), position(7.75, 1.25));
        assert_eq!(world[body].velocity(), DVec2::ZERO);
    }
    assert_eq!(hits, [1, 1]);
}

#[test]
fn from_belt_to_belt_and_to_the_ground_there_is_no_hop_and_no_event() {
    let mut world = World::new(map(&["=====>>>>>>>>=========================="]), Settings::default());
    let bodies = [crate_at, hero_at].map(|make| world.spawn(make(6.0, 1.25, 3.0)).unwrap());
    for tick in 0..300 {
        world.step();
        assert_eq!(world.events(), [], "{tick}");
        for body in bodies {
            assert_eq!(world[body].position().units().y, position(0.0, 1.25).units().y);
            assert!(world.contacts(body).iter().all(|contact| contact.exact_normal == I64Vec2::Y));
        }
    }
    assert!(bodies.map(|body| world[body].velocity()) == [DVec2::ZERO; 2]);
    assert!(bodies.iter().all(|body| world[*body].position().to_dvec2().x > 13.0));
}

#[test]
fn belts_carry_over_crests_and_through_valleys() {
    let mut world = World::new(map(&["......u>d......", ">>>>>>###>>>>>>"]), Settings::default());
    let bodies = [crate_at, hero_at].map(|make| world.spawn(make(2.0, 1.25, 3.0).friction(2.0)).unwrap());
    for tick in 0..240 {
        world.step();
        assert_eq!(world.events(), [], "{tick}");
        assert!(bodies.iter().all(|body| world[*body].on_floor()), "{tick}");
        assert_eq!(world[bodies[0]].position(), world[bodies[1]].position(), "{tick}");
        assert!((world[bodies[0]].velocity().length() - 3.0).abs() < 1e-12);
    }
}

#[test]
fn a_world_with_belts_is_restored_at_every_tick() {
    let rows = ["...............", "......u<d....#.", ">>>>>>###>>>>>>"];
    let mut world = World::new(map(&rows), Settings::default());
    for x in [1.0, 3.0, 8.0, 11.0] {
        world.spawn(crate_at(x, 2.5, 0.0)).unwrap();
        world.spawn(hero_at(x, 2.5, 0.0)).unwrap();
    }
    for tick in 0..200 {
        let saved = world.snapshot();
        let mut copy = World::new(map(&rows), Settings::default());
        copy.load(&saved).unwrap();
        world.step();
        copy.step();
        assert_eq!(world.checksum(), copy.checksum(), "{tick}");
    }
}

/// To the left and up and back: the platform's way and the belt's, each to the unit.
#[test]
fn a_belt_on_a_platform_that_moves_adds_its_way() {
    let map = map(&[&".".repeat(60)]);
    let path = Path { points: vec![Position::ORIGIN, position(-5.0, 3.0)], ..Path::default() };
    let path = Path { pace: Pace::Period(8.0), ..path };
    let lift = Platform::from_rows(&map, [">".repeat(50)]).unwrap().at((5.0, 0.0)).unwrap().along(path);
    let mut world = World::new(map, Settings::default());
    let lift = world.spawn_platform(lift).unwrap();
    let bodies = [crate_at, hero_at].map(|make| world.spawn(make(20.0, 1.25, 3.0)).unwrap());
    for tick in 1..=480 {
        world.step();
        let moved = world.platform(lift).unwrap().position() - position(5.0, 0.0);
        for body in bodies {
            assert_eq!(world[body].position() - position(20.0, 1.25), moved + way() * tick, "{tick}");
            assert_eq!(world.ride(body), Some(lift));
        }
        assert_eq!(world.events(), [], "{tick}");
    }
    assert_eq!(world.platform(lift).unwrap().position(), position(5.0, 0.0));
}

/// What is painted under a body counts from the next tick on.
#[test]
fn a_belt_that_is_painted_over_turns_around() {
    let map = map(&[&(">".repeat(39) + "<")]);
    let other = map.tile_at(0, (39, 0)).unwrap();
    let mut world = World::new(map, Settings::default());
    let hero = world.spawn(hero_at(10.0, 1.25, 3.0)).unwrap();
    (0..20).for_each(|_| world.step());
    assert_eq!(world[hero].position() - position(10.0, 1.25), way() * 20);
    (0..39).for_each(|x| world.set_tile(0, (x, 0), other).unwrap());
    for _ in 0..20 {
        world.step();
        assert_eq!(world.events(), []);
    }
    assert_eq!(world[hero].velocity(), DVec2::new(-3.0, 0.0));
}

/// Between two belts that meet, a body comes to rest where the one under its centre ends, and stays within a tick's way.
#[test]
fn two_belts_that_meet_hold_a_body_between_them() {
    let mut world = World::new(map(&[">>>>>>>>>><<<<<<<<<<"]), Settings::default());
    let bodies = [crate_at, hero_at].map(|make| world.spawn(make(5.0, 1.25, 3.0)).unwrap());
    for tick in 0..600 {
        world.step();
        assert_eq!(world.events(), [], "{tick}");
        for body in bodies {
            let x = world[body].position().to_dvec2().x;
            assert!(tick < 120 || (x - 10.0).abs() < 0.3, "{tick}: {x}");
        }
    }
}
