//! The facts in the samples of the guides, with the numbers that the guides leave out.

use std::error::Error;
use surefoot::map::CollisionLayers;
use surefoot::prelude::*;
use surefoot::{Input, Map, World};

/// From any height, including a fall that ends a tick exactly at the enemy's head.
#[test]
fn a_hero_stomps_on_an_enemy() -> Result<(), Box<dyn Error>> {
    let rows = ["....", "....", "....", "===="];
    let walker = Body::new(Shape::aabb(0.3, 0.4)).character(Character::default()).collision_mask(CollisionLayers::ALL);
    let mut without_hit = 0;
    for hundredth in 0..100 {
        let mut world = World::new(Map::from_rows(rows)?, Settings::default());
        let enemy = world.spawn(walker.clone().at((2.0, 1.4)))?;
        let hero = world.spawn(walker.clone().at((2.1, 2.5 + 0.01 * f64::from(hundredth))))?;
        while !world.events().iter().any(|event| event.body == hero && matches!(event.kind, EventKind::Landed { .. })) {
            world.step();
        }
        let began = EventKind::BodyContactBegan { other: enemy };
        assert!(world.events().iter().any(|event| event.body == hero && event.kind == began));
        let is_hit = |kind| matches!(kind, EventKind::HitBody { .. });
        without_hit += u32::from(!world.events().iter().any(|event| is_hit(event.kind)));
        let mut contacts = Vec::new();
        world.body_contacts(hero, &mut contacts);
        assert_eq!(
            contacts.iter().map(|contact| (contact.other, contact.normal.y)).collect::<Vec<_>>(),
            [(enemy, 1.0)]
        );
    }
    // A fall that ends a tick exactly at the head is a touch, not a hit.
    assert!((1..10).contains(&without_hit), "{without_hit}");
    Ok(())
}

/// The sample of `docs/guide/areas.md`.
fn respawn(world: &mut World, hero: BodyId, checkpoint: &mut Position) -> Result<(), CommandError> {
    let kind = |contact: Contact| world.map().kind(contact.tile_id);
    let mut dies = world.contacts(hero).iter().filter_map(kind).any(|kind| kind.properties.contains_key("damage"));
    for event in world.events().iter().filter(|event| event.body == hero) {
        dies |= matches!(event.kind, EventKind::LeftMap | EventKind::Crushed { .. });
        if let EventKind::AreaEntered { area } = event.kind {
            let entered = world.area(area).filter(|state| state.area().tag == "checkpoint");
            *checkpoint = entered.map_or(*checkpoint, |state| state.position());
        }
    }
    if dies {
        world.teleport(hero, *checkpoint)?;
        world.knockback(hero, (0.0, 0.0), 0)?; // no velocity, and no input lock from a hit before
    }
    Ok(())
}

/// On the tips of spikes, on tips flush with the floor, and out of the map.
#[test]
fn spikes_and_a_checkpoint() -> Result<(), Box<dyn Error>> {
    let spikes = |rows: &str| {
        Map::from_ron(&format!(
            r#"Map(format: 1, legend: {{'^': (tile: "spike", properties: {{"damage": 1}})}},
            areas: [(tag: "checkpoint", shape: Aabb(0.5, 1.5), at: (2.5, 3.5))],
            tiles: ["..........", "..........", "..........", {rows}])"#
        ))
    };
    let body = Body::new(Shape::aabb(0.35, 0.45)).character(Character::precise());
    // Each case has a start position, the hero's walk, and the events up to the first death.
    let high = "\".....^....\", \"==========\"";
    let flush = "\"#####^^###\", \"##########\"";
    let hole = "\"#####.....\", \"#####.....\"";
    let cases = [
        (high, (5.5, 4.0), 0.0, vec!["landed"]),
        (flush, (1.5, 2.45), 1.0, vec!["area_entered", "area_exited"]),
        (hole, (1.5, 2.45), 1.0, vec!["area_entered", "area_exited", "left_floor", "left_map"]),
    ];
    for (rows, start, walk, expected) in cases {
        let mut world = World::new(spikes(rows)?, Settings::default());
        let hero = world.spawn(body.clone().at(start))?;
        let mut checkpoint = Position::new(1.5, 2.45)?;
        world.knockback(hero, (0.0, 0.0), 0)?;
        let mut names = Vec::new();
        for tick in 0.. {
            assert!(tick < 200, "{names:?}");
            world.set_input(hero, Input::walk(walk));
            world.step();
            names.extend(world.events().iter().map(|event| event.kind.name()));
            let before = world[hero].position();
            respawn(&mut world, hero, &mut checkpoint)?;
            if world[hero].position() != before {
                break;
            }
        }
        assert_eq!(names, expected, "{rows}");
        let at = if walk == 0.0 { (1.5, 2.45) } else { (2.5, 3.5) };
        assert_eq!(world[hero].position(), Position::new(at.0, at.1)?);
        assert_eq!((world[hero].velocity().length(), world.input_lock_left(hero)), (0.0, 0));
    }
    Ok(())
}

/// Distance that a hero with a preset's braking is thrown, against its stick.
#[test]
fn a_knockback_goes_as_far_as_the_braking_lets_it() -> Result<(), Box<dyn Error>> {
    let rows = ["................................"; 4].into_iter().chain(["================================"]);
    let map = Map::from_rows(rows)?;
    for (speed, low, high) in [(8.0, 0.3, 0.4), (16.0, 1.4, 1.6)] {
        let mut world = World::new(map.clone(), Settings::default());
        let character =
            Character { jump_height: 3.2, jump_time: 0.38, fall_gravity_scale: 1.6, ..Character::precise() };
        let hero = world.spawn(Body::new(Shape::aabb(0.35, 0.45)).at((8.0, 1.45)).character(character))?;
        world.step();
        world.set_input(hero, Input::walk(-1.0));
        world.knockback(hero, (speed, 6.0), 20)?;
        (0..20).for_each(|_| world.step());
        let distance = world[hero].position().to_dvec2().x - 8.0;
        // Constant braking gives v^2 / 2 a. The tick in which the hero stops may add a little.
        assert!(distance < speed * speed / (2.0 * 81.25) + 0.003 && (low..high).contains(&distance), "{distance}");
    }
    Ok(())
}

/// The door of `docs/guide/platforms.md`, as a platform and as a tile.
#[test]
fn a_button_opens_a_door_that_closes_on_a_hero() -> Result<(), Box<dyn Error>> {
    let map = Map::from_ron(
        r##"Map(
        format: 1,
        areas: [(name: "button", shape: Aabb(0.4, 0.2), at: (1.5, 1.2))],
        platforms: [(name: "door", at: (4, 1), tiles: ["#", "#"])],
        tiles: ["........", "........", "........", "........", "=======#"],
    )"##,
    )?;
    let mut world = World::new(map, Settings::default());
    let (button, door) = (world.find_area("button").unwrap(), world.find_platform("door").unwrap());
    let stone = world.spawn(Body::new(Shape::aabb(0.3, 0.3)).at((1.5, 1.3)))?;
    let hero = world.spawn(Body::new(Shape::aabb(0.35, 0.45)).at((6.5, 1.45)).character(Character::default()))?;
    let mut crushed = 0;
    let mut step = |world: &mut World, ticks: u32| -> Result<(f64, usize), CommandError> {
        for _ in 0..ticks {
            let goal = if world.bodies_in(button).next().is_some() { 3.0 } else { 1.0 };
            let at = world.platform(door).unwrap().position().to_dvec2();
            let step = 4.0 * world.settings().tick;
            world.drive_platform(door, (at.x, at.y + (goal - at.y).clamp(-step, step)))?;
            world.step();
            crushed +=
                world.events().iter().filter(|event| event.kind == EventKind::Crushed { platform: door }).count();
        }
        Ok((world.platform(door).unwrap().position().to_dvec2().y, crushed))
    };
    assert_eq!(step(&mut world, 60)?, (3.0, 0));
    world.teleport(hero, (4.5, 1.45))?;
    world.despawn(stone)?;
    let (height, count) = step(&mut world, 60)?;
    assert!((height - 1.9).abs() < 1e-6 && count == 1, "at the head of the hero: {height}, {count}");
    world.teleport(hero, (6.5, 1.45))?;
    assert_eq!(step(&mut world, 60)?, (1.0, 1));

    let block = world.map().find_tile('#').unwrap();
    world.set_tile(0, (6, 1), block)?;
    world.set_input(hero, Input::walk(1.0));
    world.step();
    assert!(world.events().iter().any(|event| event.body == hero && event.kind == EventKind::Stuck));
    (0..60).for_each(|_| world.step());
    assert_eq!(world[hero].position(), Position::new(6.5, 1.45)?);
    world.set_tile(0, (6, 1), TileId::EMPTY)?;
    (0..10).for_each(|_| world.step());
    assert!(world[hero].position().to_dvec2().x > 6.5);
    Ok(())
}

#[test]
fn a_ladder_and_a_vine() -> Result<(), Box<dyn Error>> {
    let map = Map::from_ron(
        r##"Map(
        format: 1,
        areas: [
            // A ladder to the one-way floor, and a vine along the left side of the wall, a quarter of a tile wide.
            (name: "ladder", shape: Aabb(0.5, 1.5), at: (1.5, 2.5), effects: (climbable: true)),
            (name: "vine", shape: Aabb(0.125, 1.5), at: (5.875, 2.5), effects: (climbable: true)),
        ],
        tiles: [
            "........",
            "........",
            "===...##",
            "......##",
            "......##",
            "=#######",
        ],
    )"##,
    )?;
    let mut world = World::new(map, Settings::default());
    let character = Character { climb_speed: 6.0, ..Character::default() };
    let hero = world.spawn(Body::new(Shape::aabb(0.35, 0.5)).at((1.5, 1.5)).character(character))?;
    world.step();
    let mut hold = |input: Input, ticks: u32| {
        world.set_input(hero, input);
        (0..ticks).for_each(|_| world.step());
        (world[hero].position().to_dvec2(), world[hero].is_climbing(), world[hero].on_floor())
    };
    let up = Input { up: true, ..Input::default() };
    let (at, climbs, _) = hold(up, 10);
    assert!((at.y - 2.5).abs() < 1e-6 && climbs, "a tenth of a tile in each tick");
    let (at, climbs, stands) = hold(up, 30);
    assert!(at.y == 4.5 && !climbs && stands, "through the one-way floor and onto it");
    // The hero goes down from the one-way floor to the wall, and climbs up the vine.
    hold(Input::walk(1.0), 60);
    let (at, climbs, _) = hold(Input { up: true, ..Input::walk(1.0) }, 10);
    assert!(climbs && at.y > 2.0, "{at}");
    let (at, _, stands) = hold(Input { up: true, ..Input::walk(1.0) }, 40);
    assert!(stands && at.y == 4.5 && at.x > 6.0, "{at}");
    Ok(())
}

#[test]
fn super_mario_figures() -> Result<(), Box<dyn Error>> {
    let stand = Character {
        jump_height: 4.0,
        jump_time: 32.0 / 60.0,
        fall_gravity_scale: 3.5,
        max_fall_speed: 15.0,
        walk_speed: 5.625,
        min_jump_height: 1.0,
        ..Character::default()
    };
    let run = Character { jump_height: 5.0, fall_gravity_scale: 3.6, walk_speed: 9.375, ..stand };
    // Pixels per frame squared, times 60 * 60 / 16, are tiles per second squared.
    for (character, pixels) in [(stand, 32.0 / 256.0), (run, 40.0 / 256.0)] {
        let gravity = character.jump_gravity(1.0 / 60.0).unwrap();
        assert!((gravity - pixels * 225.0).abs() < 1e-9);
        assert!(character.check().is_ok());
    }
    Ok(())
}

#[test]
fn two_crates_land_and_stack() -> Result<(), Box<dyn Error>> {
    let mut world =
        World::new(Map::from_rows(["......", "......", "......", "......", "======"])?, Settings::default());
    let block = Body::new(Shape::aabb(0.5, 0.5)).friction(0.6).collision_mask(CollisionLayers::ALL);
    let lower = world.spawn(block.clone().at((2.0, 2.5)))?;
    let upper = world.spawn(block.at((2.25, 4.5)))?;
    let mut told = Vec::new();
    for tick in 1..=60 {
        world.step();
        told.extend(world.events().iter().map(|event| (tick, event.body, event.kind.name())));
    }
    // The floor is at y = 1. The crates stand exactly on it and on each other.
    assert_eq!(world[lower].position(), Position::new(2.0, 1.5)?);
    assert_eq!(world[upper].position(), Position::new(2.25, 2.5)?);
    assert!(world[lower].on_floor() && world[upper].on_floor());
    // The lower crate falls 1 tile in the root of 2 / 40 seconds, the upper one 2 tiles in the root of 4 / 40: ticks 14
    // and 19.
    let lands: Vec<_> =
        told.iter().filter(|(.., name)| *name == "landed").map(|&(tick, body, _)| (tick, body)).collect();
    assert_eq!(lands, [(14, lower), (19, upper)]);
    // Both crates get the event of the collision.
    assert!(told.contains(&(19, upper, "hit_body")) && told.contains(&(19, lower, "hit_body")));
    Ok(())
}
