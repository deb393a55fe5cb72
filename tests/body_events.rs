//! Events of bodies that collide with each other.

use crate::bodies::{RIGHT, ROUNDING, ball_at, crate_at, falling, floating, hero_at, spawn, steps};
use crate::platforms::rows;
use crate::scene::{ONE, position};
use surefoot::World;
use surefoot::geometry::DVec2;
use surefoot::map::{CollisionLayers, TileId};
use surefoot::platform::PlatformId;
use surefoot::prelude::*;

/// Returns the hits of a body in the last tick: the other body, the normal and the speed.
fn hits(world: &World, body: BodyId) -> Vec<(BodyId, DVec2, f64)> {
    let of_body = world.events().iter().filter(|event| event.body == body);
    let hits = of_body.filter_map(|event| match event.kind {
        EventKind::HitBody { other, normal, speed } => Some((other, normal + DVec2::ZERO, speed)),
        _ => None,
    });
    hits.collect()
}

fn count(world: &World, body: BodyId, is_one: impl Fn(&EventKind) -> bool) -> usize {
    world.events().iter().filter(|event| event.body == body && is_one(&event.kind)).count()
}

fn count_falls_asleep(world: &World, body: BodyId) -> usize {
    count(world, body, |kind| matches!(kind, EventKind::FellAsleep))
}

fn count_wake_ups(world: &World, body: BodyId) -> usize {
    count(world, body, |kind| matches!(kind, EventKind::WokeUp))
}

/// The bodies approach at 6 + 4 tiles per second, and close the gap of 1 tile in 6 ticks. Normals point from the other
/// body to this one.
#[test]
fn both_bodies_of_an_impact_get_one_event() {
    for (bounce, radius) in [(0.0, false), (1.0, false), (1.0, true)] {
        let mut world = floating(&[]);
        let body = |x| if radius { ball_at(0.5, x, 5.0) } else { crate_at(x, 5.0).friction(0.0) };
        let left = body(-1.0).velocity((6.0, 0.0)).bounce(bounce);
        let right = body(1.0).velocity((-4.0, 0.0)).bounce(bounce);
        let [left, right] = spawn(&mut world, [left, right]);
        let mut told = Vec::new();
        for tick in 1..=30 {
            world.step();
            for (body, other, normal) in [(left, right, -DVec2::X), (right, left, DVec2::X)] {
                for hit in hits(&world, body) {
                    assert!(tick == 6 || tick == 7, "tick {tick}");
                    assert_eq!(hit.0, other);
                    assert!((hit.1 - normal).length() < 1e-12 && (hit.2 - 10.0).abs() < 1e-9, "{hit:?}");
                    told.push(body);
                }
            }
        }
        told.sort_unstable();
        assert_eq!(told, [left, right], "a bounce of {bounce}, round: {radius}");
    }
}

/// A fall from 2 tiles above: sqrt(2 x 2 x 30) = 10.95 tiles per second. A character gains up to 0.5 more, gravity
/// times one tick.
#[test]
fn a_character_that_lands_on_a_body_gets_events_only_in_that_tick() {
    let mut world = falling(&[]);
    let [block, hero] = spawn(&mut world, [crate_at(0.0, 0.5), hero_at(0.0, 3.45)]);
    for tick in 1..=90 {
        world.step();
        let landed = count(&world, hero, |kind| matches!(kind, EventKind::Landed { .. }));
        let told = hits(&world, hero);
        assert_eq!((landed, told.len()), if tick == 22 { (1, 1) } else { (0, 0) }, "tick {tick}: {told:?}");
        for (other, normal, speed) in told {
            let impact = 120.0_f64.sqrt();
            assert_eq!((other, normal), (block, DVec2::Y));
            assert!((impact - 1e-6..=impact + 0.5 + 1e-6).contains(&speed), "{speed}");
        }
    }
}

#[test]
fn bodies_that_do_not_collide_get_no_events() {
    let mut world = floating(&[]);
    let body = |x: f64, speed: f64| Body::new(Shape::circle(0.5)).at((x, 5.0)).velocity((speed, 0.0));
    spawn(&mut world, [body(-1.0, 6.0), body(1.0, -4.0)]);
    for _ in 0..30 {
        world.step();
        assert_eq!(world.events(), []);
    }
}

/// The hero pushes one crate to the second one. Both together are too heavy.
#[test]
fn a_refused_push_sends_an_event_and_an_accepted_one_does_not() {
    let mut world = falling(&[]);
    let [hero, first, second] =
        spawn(&mut world, [hero_at(-1.0, 0.45), crate_at(1.0, 0.5), crate_at(3.0, 0.5).mass(2.5)]);
    world.set_input(hero, RIGHT);
    let mut told = 0;
    for tick in 1..=90 {
        world.step();
        let refused: Vec<BodyId> = world
            .events()
            .iter()
            .filter_map(|event| match event.kind {
                EventKind::PushRefused { other } if event.body == hero => Some(other),
                _ => None,
            })
            .collect();
        if !refused.is_empty() {
            assert_eq!(refused, [first], "tick {tick}");
            assert_eq!(world[first].position(), position(2.0, 0.5), "tick {tick}");
        }
        told += refused.len();
    }
    assert!(told > 0);
    assert_eq!(world[second].position(), position(3.0, 0.5));
    assert_eq!(world[first].position(), position(2.0, 0.5));
}

#[test]
fn a_crate_falls_asleep_once_and_a_push_wakes_it() {
    let mut world = falling(&[]);
    let [block] = spawn(&mut world, [crate_at(2.0, 3.0)]);
    let mut told = 0;
    for tick in 1..=60 {
        world.step();
        assert_eq!(count_wake_ups(&world, block), 0, "tick {tick}");
        told += count_falls_asleep(&world, block);
        // The fall of 2.5 tiles ends in tick 25.
        assert!(told == 0 || tick >= 25, "tick {tick}");
    }
    assert_eq!(told, 1);
    let [hero] = spawn(&mut world, [hero_at(-1.0, 0.45)]);
    world.set_input(hero, RIGHT);
    let (mut woken, mut moved) = (0, false);
    for tick in 1..=40 {
        world.step();
        woken += count_wake_ups(&world, block);
        moved |= world[block].position() != position(2.0, 0.5);
        assert_eq!(woken, usize::from(moved), "tick {tick}");
        assert_eq!(count_falls_asleep(&world, block), 0, "tick {tick}");
    }
    assert!(moved);
    // The hero walks away, and the crate falls asleep again.
    world.set_input(hero, crate::bodies::LEFT);
    let mut told = 0;
    for _ in 1..=40 {
        world.step();
        told += count_falls_asleep(&world, block);
    }
    assert_eq!(told, 1);
}

/// All crates above it wake up, however high the stack is. Those below stay asleep.
#[test]
fn removing_a_body_wakes_all_bodies_above_it() {
    let mut world = falling(&[]);
    let tower = spawn(&mut world, [0, 1, 2, 3, 4, 5, 6, 7].map(|i| crate_at(0.0, f64::from(i) + 0.5)));
    steps(&mut world, 60);
    world.despawn(tower[3]).unwrap();
    let mut told = [(0, 0); 8];
    for _ in 0..60 {
        world.step();
        for (told, &id) in told.iter_mut().zip(&tower) {
            *told = (told.0 + count_wake_ups(&world, id), told.1 + count_falls_asleep(&world, id));
        }
    }
    assert_eq!(told, [(0, 0), (0, 0), (0, 0), (0, 0), (1, 1), (1, 1), (1, 1), (1, 1)]);
}

/// Impacts that move a body wake it up, and so do commands.
#[test]
fn impacts_and_commands_wake_bodies() {
    let mut world = falling(&[]);
    let [block] = spawn(&mut world, [crate_at(5.0, 0.5)]);
    steps(&mut world, 60);
    // 4 tiles at a speed of 12 take 20 ticks. The crate takes over the whole speed. Friction brakes it by 0.6 x 30 = 18
    // for 40 ticks.
    let [ball] = spawn(&mut world, [ball_at(0.5, 0.0, 0.5).velocity((12.0, 0.0)).bounce(1.0)]);
    let mut woken = 0;
    for tick in 1..=55 {
        world.step();
        woken += count_wake_ups(&world, block);
        assert!(tick == 20 || woken == usize::from(tick > 20), "tick {tick}: {woken}");
    }
    assert_eq!(world[ball].velocity().abs(), DVec2::ZERO);
    steps(&mut world, 120);
    assert_eq!(world[block].velocity().abs(), DVec2::ZERO);
    world.set_velocity(block, (0.0, 5.0)).unwrap();
    world.step();
    assert_eq!(count_wake_ups(&world, block), 1);
}

/// A crate on another crate, a character far from both, and possibly a platform below.
struct Stack {
    lower: BodyId,
    upper: BodyId,
    hero: BodyId,
    platform: PlatformId,
}

/// A command removes the support of the upper crate. The crate wakes up in the next tick, and falls 15 (10 / 60)^2 =
/// 0.41667 tiles in 10 ticks.
#[test]
fn commands_that_remove_a_support_wake_the_body() {
    type Change = fn(&mut World, &Stack) -> Result<(), CommandError>;
    const SECOND: CollisionLayers = CollisionLayers(0b10);
    let on_floor: [(&str, Change); 7] = [
        ("remove", |world, stack| world.despawn(stack.lower)),
        ("teleport", |world, stack| world.teleport(stack.lower, (30.0, 9.0))),
        ("hold", |world, stack| world.carry(stack.hero, stack.lower, (0.0, 1.0))),
        ("mask", |world, stack| world.set_collision_mask(stack.lower, SECOND)),
        ("mask of the upper one", |world, stack| world.set_collision_mask(stack.upper, SECOND)),
        ("layers", |world, stack| world.set_collision_layers(stack.lower, SECOND)),
        ("tiles", |world, _| world.set_tiles(0, (-1, -1), (0, -1), TileId::EMPTY)),
    ];
    let on_platform: [(&str, Change); 4] = [
        ("remove beside a platform", |world, stack| world.despawn(stack.lower)),
        ("remove the platform", |world, stack| world.despawn_platform(stack.platform)),
        ("teleport the platform", |world, stack| world.teleport_platform(stack.platform, position(9.0, 9.0))),
        ("paint the platform", |world, stack| world.set_platform_tile(stack.platform, 0, (0, 0), TileId::EMPTY)),
    ];
    let all = on_floor.map(|change| (0.0, change)).into_iter().chain(on_platform.map(|change| (5.0, change)));
    for (floor, (name, change)) in all {
        let mut world = falling(&[]);
        let mut platform = PlatformId::default();
        if floor > 0.0 {
            let plate = rows(world.map(), &["#.#"], -0.5, floor - 1.0);
            platform = world.spawn_platform(plate).unwrap();
        }
        let block = |y: f64| crate_at(0.0, floor + y).collision_mask(CollisionLayers::FIRST);
        let [lower, upper, hero] = spawn(&mut world, [block(0.5), block(1.5), hero_at(20.0, 0.45)]);
        steps(&mut world, 60);
        let start = world[upper].position();
        assert_eq!((start, world.events()), (position(0.0, floor + 1.5), &[][..]), "{name}");
        change(&mut world, &Stack { lower, upper, hero, platform }).unwrap();
        world.step();
        assert_eq!((count_wake_ups(&world, upper), count_falls_asleep(&world, upper)), (1, 0), "{name}");
        steps(&mut world, 9);
        let fallen = (start - world[upper].position()).as_dvec2() / ONE as f64;
        assert!((fallen - DVec2::new(0.0, 15.0 / 36.0)).length() < ROUNDING, "{name}: {fallen}");
    }
}

/// A crate that falls onto another crate touches it until it is pushed off.
#[test]
fn contacts_start_and_end_once_for_both_bodies() {
    let mut world = falling(&[]);
    let bodies = [crate_at(0.0, 0.5), crate_at(0.0, 2.5).friction(0.0)];
    let [lower, upper] = spawn(&mut world, bodies);
    let mut told = Vec::new();
    for tick in 1..=120 {
        if tick == 60 {
            world.set_velocity(upper, (4.0, 0.0)).unwrap();
        }
        world.step();
        for event in world.events() {
            match event.kind {
                EventKind::BodyContactBegan { other } => told.push((tick, event.body, other, true)),
                EventKind::BodyContactEnded { other } => told.push((tick, event.body, other, false)),
                _ => {}
            }
        }
    }
    // The crate falls by 1 tile, which takes sqrt(2 / 30) = 0.258 s, or 15.5 ticks. From tick 60 on it slides by 1
    // tile, in 15 ticks of 1/15. At the end of tick 74 it is exactly at the edge.
    let (fallen, gone) = (told[0].0, told[2].0);
    assert_eq!(fallen, 16);
    assert!((74..=75).contains(&gone), "{gone}");
    let pairs = [(fallen, lower, upper, true), (fallen, upper, lower, true)];
    assert_eq!(told[..2], pairs);
    assert_eq!(told[2..], [(gone, lower, upper, false), (gone, upper, lower, false)]);
}
