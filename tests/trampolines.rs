//! Characters on floors with a bounce: by [`Character::bounce_scale`] they are thrown back.

use crate::prelude::*;
use crate::surfaces::{PLAIN, upright};
use crate::table::{MASKS, pairs};
use surefoot::motion::Side;

const GRAVITY: f64 = 40.0;

fn trampoline(bounce: f64) -> Material {
    Material { bounce, ..PLAIN }
}

/// A floor of 40 tiles with its top at y = 1 that bounces up to x = 10.
fn floor(bounce: f64) -> Map {
    upright(&["........................................", &"#".repeat(40)], |(x, _)| {
        if x < 10 { trampoline(bounce) } else { PLAIN }
    })
}

fn jumper(bounce_scale: f64) -> Character {
    Character { bounce_scale, max_fall_speed: 100.0, ..Character::default() }
}

/// A character whose lower side is `height` above the floor.
fn above(height: f64, character: Character) -> Body {
    Body::new(Shape::aabb(0.5, 0.5)).at((5.5, 1.5 + height)).character(character)
}

/// Height, upward speed and number of bounces after a time of a point that falls from a height, and keeps a share of
/// its speed at each bounce.
fn bouncing_point(height: f64, share: f64, mut time: f64) -> (f64, f64, i32) {
    let fall = (2.0 * height / GRAVITY).sqrt();
    if time < fall {
        return (height - GRAVITY * time * time / 2.0, -GRAVITY * time, 0);
    }
    time -= fall;
    let (mut speed, mut bounces) = (GRAVITY * fall * share, 1);
    while time > 2.0 * speed / GRAVITY {
        time -= 2.0 * speed / GRAVITY;
        (speed, bounces) = (speed * share, bounces + 1);
    }
    (speed * time - GRAVITY * time * time / 2.0, speed - GRAVITY * time, bounces)
}

/// From 0.8 tiles a fall takes 12 ticks exactly, so that it ends at the floor without a hit. From 2 and 3.2 tiles it
/// ends within a tick.
#[test]
fn a_character_bounces_like_a_point() {
    let shapes = [Shape::aabb(0.5, 0.5), Shape::circle(0.5)];
    let shares = [(1.0, 1.0), (0.75, 1.0), (1.0, 0.75), (0.5, 1.0)];
    let bodies = [(MASKS[0], shapes[0]), (MASKS[1], shapes[0]), (MASKS[1], shapes[1])];
    all_ways_of(triples([0.8, 2.0, 3.2], shares, bodies), |way, (height, (bounce, scale), (mask, shape))| {
        let (map, share, ticks) = (floor(bounce), bounce * scale, 30);
        let mut world = way.world(map, Settings::default());
        let hero = Body { shape, ..above(height, jumper(scale)) };
        let hero = hero.collision_mask(mask).velocity((1.5, 0.0));
        let hero = world.spawn(hero).unwrap();
        let mut speeds = Vec::new();
        for tick in 1..=ticks {
            world.step();
            speeds.extend(world.events().iter().filter_map(floor_hit));
            let (up, speed, _) = bouncing_point(height, share, f64::from(tick) * TICK);
            let (at, what) = (world[hero].position().to_dvec2(), format!("{height} {share} {mask:?} tick {tick}"));
            assert!((at - DVec2::new(5.5 + 1.5 * f64::from(tick) * TICK, 1.5 + up)).length() < 1e-6, "{what}: {at}");
            assert!(!world[hero].on_floor(), "{what}");
            // If a tick ends at the floor, rounding decides whether it ends before or after the bounce.
            let off = world[hero].velocity() - DVec2::new(1.5, speed);
            assert!(up < 1e-6 || off.length() < 1e-6, "{what}: off by {off}");
        }
        let (.., bounces) = bouncing_point(height, share, (f64::from(ticks) + 0.5) * TICK);
        let first = (2.0 * GRAVITY * height).sqrt();
        let expected = std::iter::successors(Some(first), |speed| Some(speed * share)).take(bounces as usize);
        assert!(bounces > 0 && expected.clone().count() == speeds.len(), "{height} {share}: {speeds:?}");
        expected.zip(&speeds).for_each(|(speed, seen)| assert!((speed - seen).abs() < 1e-6, "{seen}, not {speed}"));
    });
}

/// 1000 bounces of 24 ticks each.
#[test]
fn a_bounce_without_loss_keeps_its_height() {
    let mut world = World::new(floor(1.0), Settings::default());
    let hero = world.spawn(above(1.7, jumper(1.0))).unwrap();
    for tick in 0..often(35_000, 350_000) {
        world.step();
        let (up, speed) = (world[hero].position().to_dvec2().y - 1.5, world[hero].velocity().y);
        let height = up + speed * speed / (2.0 * GRAVITY);
        assert!((height - 1.7).abs() < 1e-6, "tick {tick}: {height}");
    }
}

/// With a gravity of 40, a bounce at 1/3 tile per second takes a tick of 1/60 s. Half of an impact speed of 0.6 is
/// less, half of
/// 0.7 more.
#[test]
fn slow_bounces_are_landings() {
    let cases = [(0.6, 0.1, true), (0.7, 0.1, false), (2.9, 3.0, true), (3.1, 3.0, false)];
    for ((speed, rest, lands), mask) in pairs(cases, MASKS) {
        let map = floor(0.5);
        all_ways(|way| {
            let mut world = way.world(map.clone(), Settings::default());
            let hero = above(speed * speed / (2.0 * GRAVITY), jumper(1.0)).rest_speed_threshold(rest);
            let hero = world.spawn(hero.collision_mask(mask)).unwrap();
            while world.events().is_empty() {
                world.step();
            }
            let is_landing = |event: &Event| matches!(event.kind, EventKind::Landed { .. });
            assert_eq!(world.events().iter().any(is_landing), lands, "{speed} {rest}");
            assert_eq!(world[hero].on_floor(), lands, "{speed} {rest}");
            // Every character comes to rest in the end.
            (0..60).for_each(|_| world.step());
            assert!(world[hero].on_floor() && world[hero].velocity() == DVec2::ZERO, "{speed} {rest}");
        });
    }
}

/// A jump of 3.2 tiles starts at 16 tiles per second, and an impact from 2 tiles has 12.6, from 4 tiles 17.9. A press
/// that is stored makes the faster one of the two.
#[test]
fn a_stored_press_jumps_if_the_jump_is_faster() {
    let character = Character { jump_buffer: 0.1, min_jump_height: 1.0, ..jumper(1.0) };
    // Each case has the height of the fall, the ticks before the impact from which jump is held, the height after the
    // impact, and whether the hero jumps.
    let cases = [(2.0, 3, 3.2, true), (4.0, 3, 4.0, false), (2.0, 12, 2.0, false), (2.0, 0, 2.0, false)];
    for ((height, early, top, jumps), mask) in pairs(cases, MASKS) {
        let (map, impact) = (floor(1.0), ((2.0 * height / GRAVITY).sqrt() / TICK).ceil() as u32);
        all_ways(|way| {
            let mut world = way.world(map.clone(), Settings::default());
            let hero = world.spawn(above(height, character).collision_mask(mask)).unwrap();
            let mut jumped = Vec::new();
            for tick in 1..impact + 20 {
                let jump = early > 0 && tick + early > impact;
                world.set_input(hero, Input { jump, ..Input::default() });
                world.step();
                jumped.extend(
                    world.events().iter().filter(|event| matches!(event.kind, EventKind::Jumped { .. })).copied(),
                );
                let (up, speed) = (world[hero].position().to_dvec2().y - 1.5, world[hero].velocity().y);
                let reached = up + speed * speed / (2.0 * GRAVITY);
                let expected = if tick < impact { height } else { top };
                let what = format!("{height} {early} tick {tick}: {reached}, not {expected}");
                assert!((reached - expected).abs() < 1e-6 || (jumps && tick == impact), "{what}");
            }
            let from = EventKind::Jumped { from: surefoot::event::JumpFrom::Ground, buffered: true };
            assert_eq!(jumped.iter().map(|event| event.kind).collect::<Vec<_>>(), vec![from; usize::from(jumps)]);
        });
    }
}

/// The event of a bounce has the position of the impact. From there on the rest of the tick follows.
#[track_caller]
fn check_throw(world: &crate::table::Run, hero: BodyId, from: f64, tick: u32, thrown: impl Fn(f64) -> (f64, DVec2)) {
    let hit = world.events().iter().find_map(|event| match event.kind {
        EventKind::HitTile { side: Side::Floor, speed, position, .. } => Some((speed, position)),
        _ => None,
    });
    let (speed, at) = hit.unwrap();
    let fall = (2.0 * GRAVITY * (from - at.to_dvec2().y)).sqrt();
    let (impact, first) = thrown(fall);
    assert!((speed - impact).abs() < 1e-6, "{speed}, not {impact}");
    let left = f64::from(tick) * TICK - fall / GRAVITY;
    let expected = first - DVec2::Y * GRAVITY * left;
    assert!((world[hero].velocity() - expected).length() < 1e-5, "{}, not {expected}", world[hero].velocity());
}

/// A platform rises at 3 tiles per second: a character that falls on it at u leaves at 3 / 4 (u + 3) + 3. The event has
/// the speed in the world.
#[test]
fn a_platform_that_rises_throws_higher() {
    for mask in MASKS {
        let map = floor(0.75);
        all_ways(|way| {
            let mut parts = map.clone().into_parts();
            let platform = Platform::new(parts.layers.clone()).at((0.0, 0.0));
            parts.layers[0].cells.fill(surefoot::map::TileId::EMPTY);
            let mut world = way.world(Map::from_parts(parts).unwrap(), Settings::default());
            world.spawn_platform(platform.path(along(0.0, 9.0, 3.0))).unwrap();
            let hero = world.spawn(above(4.0, jumper(1.0)).collision_mask(mask)).unwrap();
            let mut tick = 0;
            while world.events().iter().all(|event| floor_hit(event).is_none()) {
                world.step();
                tick += 1;
            }
            check_throw(&world, hero, 5.5, tick, |fall| (fall, DVec2::Y * (0.75 * (fall + 3.0) + 3.0)));
        });
    }
}

/// On a slope of 1:1 a fall turns to the side: (0, -u) becomes (u, 0).
#[test]
fn a_slope_throws_along_its_normal() {
    let rows: Vec<String> = (0..16).map(|row| format!("{}\\{}", "#".repeat(row), ".".repeat(30 - row))).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let map = upright(&rows, |_| trampoline(1.0));
    for mask in MASKS {
        all_ways(|way| {
            let mut world = way.world(map.clone(), Settings::default());
            let hero = Body::new(Shape::aabb(0.25, 0.25)).character(jumper(1.0)).collision_mask(mask);
            let hero = world.spawn(hero.at((3.75, 14.25))).unwrap();
            let mut tick = 0;
            while world.events().iter().all(|event| floor_hit(event).is_none()) {
                world.step();
                tick += 1;
            }
            let half = 0.5_f64.sqrt();
            check_throw(&world, hero, 14.25, tick, |fall| (fall * half, DVec2::X * fall));
        });
    }
}

/// A jump of 3.2 tiles from y = 1 rises through the tile at y = 3, whose top is at 4, and bounces on it by 0.2 from
/// then on.
#[test]
fn a_one_way_tile_throws_only_from_above() {
    let rows = [
        "..........",
        "..........",
        "..........",
        "..........",
        "....--....",
        "..........",
        "..........",
        "##########",
    ];
    let map = upright(&rows, |(_, y)| if y == 3 { trampoline(1.0) } else { PLAIN });
    for mask in MASKS {
        all_ways(|way| {
            let hero = Body::new(Shape::aabb(0.375, 0.375)).character(jumper(1.0)).collision_mask(mask);
            let mut stage = Stage::new(map.clone(), way, hero, (5.0, 1.375), GRAVITY);
            stage.step(0, false);
            let mut bounces = 0;
            for tick in 1..120 {
                stage.step(0, true);
                bounces += stage.world.events().iter().filter_map(floor_hit).count();
                let (up, speed) = (stage.place().y - 1.375, stage.velocity().y);
                let height = up + speed * speed / (2.0 * GRAVITY);
                assert!((height - 3.2).abs() < 1e-6, "tick {tick}: {height}");
            }
            assert!(bounces > 4, "{bounces}");
        });
    }
}

/// A character that presses into a stone beside the trampoline bounces as without it.
#[test]
fn a_character_at_a_stone_bounces_as_high() {
    for (share, shape) in pairs([1.0, 0.75], [Shape::aabb(0.375, 0.5), Shape::circle(0.375)]) {
        let map = floor(share);
        all_ways(|way| {
            let mut world = way.world(map.clone(), Settings::default());
            let hero = Body::new(shape).character(jumper(1.0)).collision_mask(CollisionLayers::ALL);
            let half = if shape == Shape::circle(0.375) { 0.375 } else { 0.5 };
            let hero = world.spawn(hero.at((9.625, 3.0 + half))).unwrap();
            let stone = Body::new(Shape::aabb(0.5, 3.0)).mass(100.0).collision_mask(CollisionLayers::ALL);
            world.spawn(stone.at((10.5, 4.0))).unwrap();
            let (mut height, mut bounces) = (2.0, 0);
            for tick in 0..100 {
                world.set_input(hero, Input { walk: 127, ..Input::default() });
                world.step();
                let hits = world.events().iter().filter_map(floor_hit).count() as i32;
                bounces += hits;
                (0..hits).for_each(|_| height *= share * share);
                let (up, speed) = (world[hero].position().to_dvec2().y - 1.0 - half, world[hero].velocity().y);
                let reached = up + speed * speed / (2.0 * GRAVITY);
                assert!((reached - height).abs() < 1e-6, "{share} tick {tick}: {reached}, not {height}");
                assert!((world[hero].position().to_dvec2().x - 9.625).abs() < 1e-9, "{share} tick {tick}");
            }
            assert!(bounces >= 2, "{bounces}");
        });
    }
}

/// Ticks of 1/64 s and a gravity of 64 change the speed by 1 in a tick, so that a fall of 2 tiles from rest ends
/// exactly at the floor after 16 ticks, at a speed of 16. A bounce that keeps 3/4 rises for 12 ticks and ends there
/// again, after 24. The stone into which the character presses lets it collide in each tick.
#[test]
fn a_fall_that_ends_exactly_at_the_floor_bounces_among_bodies_too() {
    let shapes = [Shape::aabb(0.375, 0.5), Shape::circle(0.375)];
    for ((share, scale), shape) in pairs([(1.0, 1.0), (0.75, 1.0), (1.0, 0.5), (0.5, 0.0)], shapes) {
        let map = floor(share);
        all_ways(|way| {
            let settings = Settings::default().tick(1.0 / 64.0).gravity((0.0, -64.0));
            let mut world = way.world(map.clone(), settings);
            let half = if shape == shapes[0] { 0.5 } else { 0.375 };
            let hero = Body::new(shape).character(jumper(scale)).collision_mask(CollisionLayers::ALL);
            let hero = world.spawn(hero.at((9.625, 3.0 + half))).unwrap();
            let stone = Body::new(Shape::aabb(0.5, 3.0)).mass(100.0).collision_mask(CollisionLayers::ALL);
            world.spawn(stone.at((10.5, 4.0))).unwrap();
            let (mut speed, mut ends, mut height) = (0.0, 16, 2.0);
            for tick in 1..=45 {
                world.set_input(hero, Input { walk: 127, ..Input::default() });
                world.step();
                let what = format!("{share} {scale} tick {tick}");
                let hit = world.events().iter().find_map(floor_hit);
                let landing = world.events().iter().find_map(|event| match event.kind {
                    EventKind::Landed { speed, .. } => Some(speed),
                    _ => None,
                });
                speed -= 1.0;
                if tick == ends {
                    let (bounced, landed) = if scale > 0.0 { (Some(-speed), None) } else { (None, Some(-speed)) };
                    assert_eq!((hit, landing), (bounced, landed), "{what}");
                    (height, speed) = (height * (share * scale * (share * scale)), -speed * share * scale);
                    ends += 2 * speed as i32;
                } else {
                    assert_eq!((hit, landing), (None, None), "{what}");
                }
                if scale == 0.0 && tick >= 16 {
                    speed = 0.0;
                }
                let state = &world[hero];
                assert_eq!(state.velocity().y, speed, "{what}");
                let up = state.position().to_dvec2().y - 1.0 - half;
                assert_eq!(
                    (up, state.on_floor()),
                    (height - speed * speed / 128.0, scale == 0.0 && tick >= 16),
                    "{what}"
                );
            }
        });
    }
}

/// A fall with twice the gravity is faster, and the rise after it is as high as the fall.
#[test]
fn a_fall_gravity_does_not_throw_higher() {
    let map = floor(1.0);
    all_ways(|way| {
        let mut world = way.world(map.clone(), Settings::default());
        let hero = world.spawn(above(3.0, Character { fall_gravity_scale: 2.0, ..jumper(1.0) })).unwrap();
        let (mut last, mut tops) = (0.0, Vec::new());
        for _ in 0..240 {
            world.step();
            let speed = world[hero].velocity().y;
            if speed <= 0.0 && last > 0.0 {
                tops.push(world[hero].position().to_dvec2().y - 1.5);
            }
            last = speed;
        }
        // The tick of the turn has one gravity: each bounce may lose half of what a tick of gravity makes, 0.003 tiles.
        assert!(tops.len() >= 4, "{tops:?}");
        let is_near = |(n, top): (usize, &f64)| *top < 3.0 + 1e-6 && *top > 3.0 - 0.01 * (n + 1) as f64;
        assert!(tops.iter().enumerate().all(is_near), "{tops:?}");
    });
}

/// A dash down on to the trampoline is a landing, and so is a fall of a character without the number.
#[test]
fn a_dash_lands() {
    for ((scale, dash), mask) in pairs([(1.0, true), (0.0, false)], MASKS) {
        let map = floor(1.0);
        all_ways(|way| {
            let character = Character { dash_speed: 20.0, dash_time: 0.2, ..jumper(scale) };
            let mut world = way.world(map.clone(), Settings::default());
            let hero = world.spawn(above(2.0, character).collision_mask(mask)).unwrap();
            let is_landing = |event: &Event| matches!(event.kind, EventKind::Landed { .. });
            for _ in 0..60 {
                world.set_input(hero, Input { dash, down: dash, ..Input::default() });
                world.step();
                if world.events().iter().any(is_landing) {
                    break;
                }
                assert!(world.events().iter().all(|event| floor_hit(event).is_none()));
            }
            assert!(world[hero].on_floor());
        });
    }
}

fn floor_hit(event: &Event) -> Option<f64> {
    match event.kind {
        EventKind::HitTile { side: Side::Floor, speed, .. } => Some(speed),
        _ => None,
    }
}
