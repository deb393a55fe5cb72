//! The facts in the samples of the guides, with the numbers that the guides leave out.

use std::error::Error;
use surefoot::area::{Area, AreaShape, Effects};
use surefoot::map::{CollisionLayers, Material, TileKind, Value};
use surefoot::motion::Obstacles;
use surefoot::platform::{OnCrush, Path, PathTiming, Platform, PlatformId};
use surefoot::prelude::*;
use surefoot::{Input, Map, World};

#[test]
fn jump_height_and_coyote_time() -> Result<(), Box<dyn Error>> {
    let rows = ["............"; 7].into_iter().chain(["======......"]);
    let mut world = World::new(Map::from_rows(rows)?, Settings::default());
    let jumps = Character {
        jump_height: 3.0,
        jump_time: 0.35,
        min_jump_height: 1.0,
        coyote_time: 0.1,
        jump_buffer: 0.1,
        ..Character::default()
    };
    let hero = world.spawn(Body::new(Shape::aabb(0.35, 0.5)).at((2.0, 1.5)).character(jumps))?;
    let top = |world: &mut World, held: u32| {
        let (mut top, mut after) = (0.0, 0);
        for tick in 1..=60 {
            world.set_input(hero, Input { jump: tick <= held, ..Input::default() });
            world.step();
            let height = world[hero].position().to_dvec2().y - 1.5;
            if height > top {
                (top, after) = (height, tick);
            }
        }
        (top, after)
    };
    world.step();
    // 0.35 seconds are 21 ticks.
    let (height, ticks) = top(&mut world, 30);
    assert!((height - 3.0).abs() < 1e-6 && ticks == 21, "{height} after {ticks}");
    let (height, _) = top(&mut world, 1);
    assert!((height - 1.0).abs() < 1e-6, "{height}");

    // The hero walks off the edge at x = 6 and jumps four ticks later, within its coyote time.
    world.set_input(hero, Input { walk: 127, ..Input::default() });
    while world[hero].on_floor() {
        world.step();
    }
    (0..4).for_each(|_| world.step());
    world.set_input(hero, Input { walk: 127, jump: true, ..Input::default() });
    world.step();
    assert!(world[hero].velocity().y > 15.0);
    Ok(())
}

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
        while !world.events().iter().any(|event| event.body == hero && event.kind == EventKind::Landed) {
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
    // Start position, whether the hero walks, and the events up to the first death.
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
        // The law of constant braking, plus a part of the tick in which the hero stops.
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
fn time_scale_slows_a_throw() -> Result<(), Box<dyn Error>> {
    let mut world = World::new(Map::from_rows(["..", ".."])?, Settings::default().gravity((0.0, -8.0)));
    let ball = Body::new(Shape::circle(0.25)).at((0.0, 9.0)).velocity((3.0, 2.0));
    let [slow, other] = [ball.clone().time_scale(0.5), ball].map(|ball| world.spawn(ball).unwrap());
    (0..60).for_each(|_| world.step());
    let [at, there] = [slow, other].map(|ball| world[ball].position().to_dvec2());
    // The heights after one second and after half a second: 2 - 8 / 2 and 2 / 2 - 8 / 8 above the start.
    assert!((at.x - 1.5).abs() < 1e-6 && (at.y - 9.0).abs() < 1e-6, "{at}");
    assert!((there.x - 3.0).abs() < 1e-6 && (there.y - 7.0).abs() < 1e-6, "{there}");
    assert!((world[slow].velocity().x - 3.0).abs() < 1e-6);
    // At scale 0 the ball stands still. Back at 1 it continues as the other one did.
    world.set_body(slow, world[slow].body().clone().time_scale(0.0))?;
    (0..60).for_each(|_| world.step());
    assert_eq!(world[slow].position().to_dvec2(), at);
    world.set_body(slow, world[slow].body().clone().time_scale(1.0))?;
    (0..30).for_each(|_| world.step());
    let at = world[slow].position().to_dvec2();
    assert!((at - there).abs().max_element() < 1e-6, "{at}");
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
    // Down from the one-way floor to the wall, and up the vine.
    hold(Input::walk(1.0), 60);
    let (at, climbs, _) = hold(Input { up: true, ..Input::walk(1.0) }, 10);
    assert!(climbs && at.y > 2.0, "{at}");
    let (at, _, stands) = hold(Input { up: true, ..Input::walk(1.0) }, 40);
    assert!(stands && at.y == 4.5 && at.x > 6.0, "{at}");
    Ok(())
}

#[test]
fn swimming_to_a_shore() -> Result<(), Box<dyn Error>> {
    let map = Map::from_ron(
        r#"Map(
        format: 1,
        areas: [
            (name: "water", shape: Aabb(2.0, 1.5), at: (5.0, 2.5), effects: (buoyancy: 1.0)),
        ],
        tiles: [
            "..........",
            "..........",
            ".##....##.",
            ".##....##.",
            ".##....##.",
            ".########.",
        ],
    )"#,
    )?;
    let mut world = World::new(map, Settings::default());
    let character = Character { swim_speed: 6.0, ..Character::default() };
    let hero = world.spawn(Body::new(Shape::aabb(0.35, 0.5)).at((5.0, 2.0)).character(character))?;
    world.step();
    let mut hold = |input: Input, ticks: u32| {
        world.set_input(hero, input);
        (0..ticks).for_each(|_| world.step());
        (world[hero].position().to_dvec2(), world[hero].is_swimming(), world[hero].on_floor())
    };
    let (before, ..) = hold(Input::default(), 10);
    let (at, swims, _) = hold(Input::walk(1.0), 5);
    assert!((at.x - before.x - 0.5).abs() < 1e-6 && at.y == before.y && swims, "a tenth of a tile in each tick");
    let (at, swims, _) = hold(Input { up: true, ..Input::default() }, 60);
    assert!(at.y == 4.0 && swims, "at the surface");
    // To the shore and onto it.
    hold(Input::walk(1.0), 20);
    let (at, swims, stands) = hold(Input { jump: true, ..Input::walk(0.25) }, 60);
    assert!(at.y == 4.5 && at.x > 6.65 && !swims && stands, "{at}");
    Ok(())
}

#[test]
fn crouching_through_a_tunnel() -> Result<(), Box<dyn Error>> {
    fn crouch(world: &mut World, hero: BodyId, input: Input) -> Result<(), CommandError> {
        let (upright, low) = (Shape::aabb(0.35, 0.75), Shape::aabb(0.35, 0.375));
        // A crouching hero crawls; from a run it slides.
        let crawl = Character { walk_speed: 2.0, ground_braking: 10.0, jump_height: 0.0, ..Character::default() };
        let is_low = world[hero].shape() == low;
        if input.down && !is_low {
            world.set_shape(hero, low)?;
            world.set_character(hero, crawl)?;
        } else if !input.down && is_low && world.fits(hero, upright) {
            world.set_shape(hero, upright)?;
            world.set_character(hero, Character::default())?;
        }
        world.set_input(hero, input);
        Ok(())
    }

    let map = Map::from_rows(["......####......", "................", "================"])?;
    let mut world = World::new(map, Settings::default());
    let hero = world.spawn(Body::new(Shape::aabb(0.35, 0.75)).at((1.5, 1.75)).character(Character::default()))?;
    let mut heights = Vec::new();
    for tick in 0.. {
        // The player holds down for half a second. The tunnel is longer.
        crouch(&mut world, hero, Input { down: (30..60).contains(&tick), ..Input::walk(1.0) })?;
        world.step();
        let at = world[hero].position().to_dvec2();
        if (6.0..10.0).contains(&at.x) {
            heights.push(at.y);
        }
        if at.x > 12.0 {
            break;
        }
    }
    assert!(heights.len() > 60 && heights.iter().all(|height| *height == 1.375));
    assert_eq!(world[hero].position().to_dvec2().y, 1.75, "behind the tunnel the hero stands up");
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
    // Pixels per frame squared, in tiles per second squared: times 60 * 60 / 16.
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
    // The lower crate falls 1 tile in the root of 2 / 40 seconds, the upper one 2 tiles in the root of 4 / 40: ticks 14 and 19.
    let lands: Vec<_> =
        told.iter().filter(|(.., name)| *name == "landed").map(|&(tick, body, _)| (tick, body)).collect();
    assert_eq!(lands, [(14, lower), (19, upper)]);
    // Both crates get the event of the collision.
    assert!(told.contains(&(19, upper, "hit_body")) && told.contains(&(19, lower, "hit_body")));
    Ok(())
}

#[test]
fn bounce_between_unequal_masses() -> Result<(), Box<dyn Error>> {
    let space = Settings::default().gravity((0.0, 0.0));
    for (bounce, speeds) in [(1.0, [-5.0, 5.0]), (0.0, [2.5, 2.5])] {
        let mut world = World::new(Map::from_rows(["............"; 3])?, space);
        let ball = Body::new(Shape::circle(0.5)).bounce(bounce).collision_mask(CollisionLayers::ALL);
        let light = world.spawn(ball.clone().at((2.0, 1.5)).velocity((10.0, 0.0)))?;
        let heavy = world.spawn(ball.at((5.0, 1.5)).mass(3.0))?;
        for _ in 0..20 {
            world.step();
        }
        // Masses 1 and 3. With full bounce the light ball keeps (1 - 3) / (1 + 3) of the speed and the heavy one gets 2 / (1 + 3).
        // Without bounce both have a quarter of the speed.
        for (body, speed) in [light, heavy].into_iter().zip(speeds) {
            assert!((world[body].velocity().x - speed).abs() < 1e-9);
        }
    }
    Ok(())
}

#[test]
fn a_row_of_crates_is_pushed() -> Result<(), Box<dyn Error>> {
    let mut world = World::new(Map::from_rows(["..........", "..........", "=========="])?, Settings::default());
    let hero = Body::new(Shape::aabb(0.35, 0.45)).at((1.0, 1.45)).collision_mask(CollisionLayers::ALL);
    let hero = world.spawn(hero.character(Character { max_push_mass: 2.0, ..Character::default() }))?;
    let block = Body::new(Shape::aabb(0.5, 0.5)).friction(0.6).collision_mask(CollisionLayers::ALL);
    let row = [2.5, 3.5, 6.0].map(|x| world.spawn(block.clone().at((x, 1.5))));
    let mut refused = 0;
    world.set_input(hero, Input { walk: 127, ..Input::default() });
    for _ in 0..120 {
        world.step();
        refused += world.events().iter().filter(|event| event.kind.name() == "push_refused").count();
    }
    // The hero pushes two crates for one and a half tiles. With the third one the row is too heavy.
    for (body, x) in row.into_iter().zip([4.0, 5.0, 6.0]) {
        assert_eq!(world[body?].position(), Position::new(x, 1.5)?);
    }
    assert_eq!(world[hero].position(), Position::new(3.15, 1.45)?);
    assert!(refused > 0);
    Ok(())
}

#[test]
fn a_rider_keeps_its_place() -> Result<(), Box<dyn Error>> {
    let settings = Settings::default().gravity((0.0, -30.0));
    let mut world =
        World::new(Map::from_rows(["................"; 8].into_iter().chain(["================"]))?, settings);
    let sled =
        Body::new(Shape::aabb(1.0, 0.5)).at((2.0, 1.5)).velocity((3.0, 0.0)).collision_mask(CollisionLayers::ALL);
    let hero =
        Body::new(Shape::aabb(0.35, 0.45)).at((2.25, 2.45)).velocity((3.0, 0.0)).collision_mask(CollisionLayers::ALL);
    let sled = world.spawn(sled)?;
    let hero =
        world.spawn(hero.character(Character { air_acceleration: 0.0, jump_height: 1.0, ..Character::default() }))?;
    let offset = |world: &World| world[hero].position() - world[sled].position();
    let before = offset(&world);
    for _ in 0..60 {
        world.step();
        assert_eq!(offset(&world), before);
    }
    // A jump of 1 tile takes twice the root of 2 / 30 seconds: 31 ticks. The hero lands where it stood.
    world.set_input(hero, Input { jump: true, ..Input::default() });
    for _ in 0..30 {
        world.step();
        assert!(!world[hero].on_floor());
    }
    for _ in 0..2 {
        world.step();
    }
    assert!(world[hero].on_floor());
    assert!((offset(&world) - before).abs().max_element() < 1 << 12, "a millionth of a tile");
    Ok(())
}

#[test]
fn a_crate_is_pulled_and_a_ball_thrown() -> Result<(), Box<dyn Error>> {
    let mut world = World::new(Map::from_rows(["............", "............", "============"])?, Settings::default());
    let hero = Body::new(Shape::aabb(0.35, 0.45)).at((3.5, 1.45)).collision_mask(CollisionLayers::ALL);
    let hero = world.spawn(hero.character(Character { max_push_mass: 2.0, ..Character::default() }))?;
    let block = Body::new(Shape::aabb(0.5, 0.5)).friction(0.6).collision_mask(CollisionLayers::ALL);
    let block = world.spawn(block.at((2.65, 1.5)))?;
    let ball = world.spawn(Body::new(Shape::circle(0.25)).at((6.0, 1.25)).bounce(0.5))?;
    // The hero pulls the crate to the right, from rest to 8 tiles per second after 8 ticks.
    world.grab(hero, block)?;
    world.set_input(hero, Input { walk: 127, ..Input::default() });
    let offset = world[block].position() - world[hero].position();
    for _ in 0..20 {
        world.step();
        assert_eq!(world[block].position() - world[hero].position(), offset);
    }
    world.release(block, (0.0, 0.0))?;
    // The hero takes the ball over its head and throws it.
    world.carry(hero, ball, (0.0, 0.75))?;
    world.step();
    assert_eq!(world[ball].position() - world[hero].position(), Position::new(0.0, 0.75)? - Position::ORIGIN);
    world.release(ball, (6.0, 4.0))?;
    assert_eq!(world[ball].velocity().to_array(), [8.0 + 6.0, 4.0]);
    Ok(())
}

#[test]
fn obstacles_of_a_mover() -> Result<(), Box<dyn Error>> {
    // One crate fills a pit up to the floor. Another one stands on the floor behind the pit.
    let terrain = Terrain::bake(&Map::from_rows(["........", "........", "##.#####"])?);
    let mut obstacles = Obstacles::default();
    obstacles.add_body(Shape::aabb(0.5, 0.5), Position::new(2.5, 0.5)?)?;
    let behind = obstacles.add_body(Shape::aabb(0.5, 0.5), Position::new(6.5, 1.5)?)?;
    let mover = Mover::new(&terrain).with_obstacles(&obstacles);

    let walked = mover.walk(Shape::aabb(0.25, 0.5), Position::new(1.0, 1.5)?, 10.0);
    assert_eq!(walked.position, Position::new(5.75, 1.5)?);
    assert_eq!(walked.body_hits[0].other, behind);
    Ok(())
}

#[test]
fn a_lift_carries_the_hero() -> Result<(), Box<dyn Error>> {
    let map = Map::from_ron(
        r#"Map(
        format: 1,
        platforms: [
            (name: "lift", at: (3, 0), motion: Path(points: [(0, 0), (0, 3)], speed: 2.0), tiles: ["=="]),
        ],
        tiles: [
            "........",
            "........",
            "........",
            ".@......",
            "===..===",
        ],
    )"#,
    )?;
    let mut world = World::new(map, Settings::default());
    let lift = world.find_platform("lift").expect("the map has a lift");
    let hero = world.spawn(Body::new(Shape::aabb(0.35, 0.5)).at((4.0, 1.5)).character(Character::default()))?;
    for _ in 0..60 {
        world.step();
    }
    // The lift rises two tiles in a second, and the hero with it.
    assert_eq!(world.platform(lift).expect("it is there").position(), Position::new(3.0, 2.0)?);
    assert_eq!(world[hero].position(), Position::new(4.0, 3.5)?);
    assert_eq!(world.platform_under(hero), Some(lift));
    Ok(())
}

#[test]
fn a_driven_door() -> Result<(), Box<dyn Error>> {
    /// Opens a door upwards, at 4 tiles per second.
    fn open(world: &mut World, door: PlatformId) -> Result<(), CommandError> {
        let tick = world.settings().tick;
        let Some(state) = world.platform(door) else { return Ok(()) };
        let (x, y) = state.position().to_dvec2().into();
        if y < 3.0 {
            let next: f64 = y + 4.0 * tick;
            world.drive_platform(door, (x, next.min(3.0)))?;
        }
        Ok(())
    }

    let map = Map::from_rows(["......", "......", "......", "......", "######"])?;
    let door = Platform::from_rows(&map, ["|", "|"])?.at((3.0, 1.0)).name("door");
    let mut world = World::new(map, Settings::default());
    let door = world.spawn_platform(door)?;
    let hero = world.spawn(Body::new(Shape::aabb(0.35, 0.5)).at((1.5, 1.5)).character(Character::default()))?;
    world.set_input(hero, Input { walk: 127, ..Input::default() });
    for tick in 0..120 {
        if tick >= 60 {
            open(&mut world, door)?;
        }
        world.step();
        // The wall is in the middle of its tile.
        assert!(tick >= 60 || world[hero].position().to_dvec2().x <= 3.5 - 0.35);
    }
    assert_eq!(world.platform(door).expect("it is there").position(), Position::new(3.0, 3.0)?);
    assert!(world[hero].position().to_dvec2().x > 3.5);
    Ok(())
}

#[test]
fn a_press_crushes_once() -> Result<(), Box<dyn Error>> {
    let map = Map::from_rows(["....", "....", "....", "....", "####"])?;
    let down = Path {
        points: vec![Position::ORIGIN, Position::new(0.0, -3.0)?],
        timing: PathTiming::Period(2.0),
        ..Path::default()
    };
    let press = Platform::from_rows(&map, ["##"])?.at((1.0, 4.0)).path(down).on_crush(OnCrush::PassThrough);
    let mut world = World::new(map, Settings::default());
    let press = world.spawn_platform(press)?;
    let crate_ = world.spawn(Body::new(Shape::aabb(0.4, 0.4)).at((2.0, 1.4)))?;
    let mut crushed = 0;
    for _ in 0..120 {
        world.step();
        let of_crate = world.events().iter().filter(|event| event.body == crate_);
        crushed += of_crate.filter(|event| event.kind == EventKind::Crushed { platform: press }).count();
    }
    // The press goes down and up once. A game would have removed the crate.
    assert_eq!(crushed, 1);
    Ok(())
}

#[test]
fn a_cork_floats_in_water() -> Result<(), Box<dyn Error>> {
    let map = Map::from_ron(
        r#"Map(
        format: 1,
        areas: [
            (name: "water", shape: Aabb(3.0, 1.0), at: (4.0, 2.0), effects: (buoyancy: 2.0, drag: 8.0)),
        ],
        tiles: [
            "........",
            "........",
            "=......=",
            "=......=",
            "========",
        ],
    )"#,
    )?;
    let mut world = World::new(map, Settings::default());
    let water = world.find_area("water").expect("the map has water");
    let cork = world.spawn(Body::new(Shape::circle(0.25)).at((4.0, 4.5)))?;
    let mut entered = 0;
    for _ in 0..600 {
        world.step();
        entered += world.events().iter().filter(|event| event.kind == EventKind::AreaEntered { area: water }).count();
    }
    // The cork floats half above the surface at y = 3, and has entered the water once.
    assert!((world[cork].position().to_dvec2().y - 3.0).abs() < 1e-3);
    assert_eq!(entered, 1);
    assert!(world.bodies_in(water).eq([cork]) && world.areas_of(cork).eq([water]));
    Ok(())
}

#[test]
fn effects_combine_by_priority() -> Result<(), Box<dyn Error>> {
    let mut world = World::new(Map::from_rows(["........"; 8])?, Settings::default());
    let calm = Effects { drag: Some(1.0), gravity_scale: Some(0.0), ..Effects::default() };
    let gust = Effects { drag: Some(3.0), wind: Some((9.0, 0.0).into()), ..Effects::default() };
    for (priority, effects) in [(0, calm), (1, gust)] {
        let area = Area::new(AreaShape::aabb(4.0, 4.0)?).at((4.0, 4.0));
        world.spawn_area(area.priority(priority).effects(effects))?;
    }
    let leaf = world.spawn(Body::new(Shape::circle(0.1)).at((1.0, 4.0)))?;
    world.step();
    assert_eq!(world.effects(leaf), Effects { gravity_scale: Some(0.0), ..gust });
    Ok(())
}

#[test]
fn a_belt_and_ice() -> Result<(), Box<dyn Error>> {
    let map = Map::from_ron(
        r#"Map(
        format: 1,
        legend: {
            '>': (tile: "full_block", material: (belt_velocity: 3.0)),
            'i': (tile: "full_block", material: (friction: 0.1, traction: 0.25)),
        },
        tiles: [
            "....................",
            ".@..................",
            ">>>>>>>>>>iiiiiiiiii",
        ],
    )"#,
    )?;
    let mut world = World::new(map, Settings::default());
    let crate_ = world.spawn(Body::new(Shape::aabb(0.25, 0.25)).at((1.5, 1.25)).friction(0.5))?;
    let sled = world.spawn(
        Body::new(Shape::aabb(0.25, 0.25))
            .at((11.0, 1.25))
            .velocity((4.0, 0.0))
            .friction(0.5)
            .rest_speed_threshold(0.0),
    )?;
    for _ in 0..120 {
        world.step();
    }
    let x = |body| world[body].position().to_dvec2().x;
    // Friction accelerates the crate by 0.5 x 40 to the speed 3 of the belt, in 9 ticks and 3^2 / 40 tiles. Then the crate rides.
    assert!((x(crate_) - (1.5 + 9.0 / 40.0 + 3.0 * 111.0 / 60.0)).abs() < 1e-6);
    // A tenth of its friction slows the sled down on ice: v^2 / (2 mu g) = 16 / 4.
    assert!((x(sled) - (11.0 + 4.0)).abs() < 1e-6);
    Ok(())
}

#[test]
fn tags_of_tiles() -> Result<(), Box<dyn Error>> {
    /// Returns the tag of a tile kind, if it has one.
    fn tag(map: &Map, tile: TileId) -> Option<&str> {
        map.kind(tile)?.properties.get("tag").and_then(Value::as_str)
    }

    let map = Map::from_ron(
        r#"Map(
        format: 1,
        legend: {
            'l': (tile: "full_block", properties: {"tag": "lava"}),
            'H': (tile: "mid_wall", material: (climbable: true)),
        },
        tiles: [
            "......",
            "...H..",
            "==llll",
        ],
    )"#,
    )?;
    let mut world = World::new(map, Settings::default());
    let ball = world.spawn(Body::new(Shape::circle(0.25)).at((4.5, 2.5)))?;
    let hero = Body::new(Shape::aabb(0.25, 0.5)).at((3.25, 1.5)).character(Character::default());
    let hero = world.spawn(hero)?;
    let mut burnt = Vec::new();
    for _ in 0..60 {
        world.step();
        for event in world.events() {
            if let EventKind::HitTile { tile_id, .. } = event.kind
                && tag(world.map(), tile_id) == Some("lava")
            {
                burnt.push(event.body);
            }
        }
    }
    assert_eq!(burnt, [ball]);
    // A character reports hits of walls and ceilings. Its floor is among its contacts, and so is a ladder next to it.
    let contacts = world.contacts(hero);
    assert!(contacts.iter().any(|contact| tag(world.map(), contact.tile_id) == Some("lava")));
    assert!(contacts.iter().any(|contact| contact.material.climbable));
    Ok(())
}

#[test]
fn traction_from_code() -> Result<(), Box<dyn Error>> {
    let mut parts = Map::from_rows(["............", "............", "############"])?.into_parts();
    let block = parts.catalogue.find_variant("full_block")?;
    let ice = Material { friction: 0.1, traction: 0.25, ..Material::default() };
    parts.kinds.push(TileKind { material: ice, ..TileKind::new(block) });
    let ice = TileId((parts.kinds.len() - 1) as u16);

    let mut world = World::new(Map::from_parts(parts)?, Settings::default());
    world.set_tiles(0, (0, 0), (11, 0), ice)?; // layer 0, two opposite corners
    let hero = world.spawn(Body::new(Shape::aabb(0.35, 0.45)).at((2.0, 1.45)).character(Character::default()))?;
    world.set_input(hero, Input { walk: 127, ..Input::default() });
    for _ in 0..30 {
        world.step();
    }
    // A quarter of 60 tiles per second squared for half a second.
    assert!((world[hero].velocity().x - 7.5).abs() < 1e-9);
    Ok(())
}

#[test]
fn order_of_events() -> Result<(), Box<dyn Error>> {
    let map = Map::from_ron(
        r#"Map(
        format: 1,
        areas: [(name: "goal", shape: Aabb(0.5, 0.5), at: (3.5, 1.5))],
        tiles: [
            ".....",
            ".....",
            ".....",
            "=====",
        ],
    )"#,
    )?;
    let mut world = World::new(map, Settings::default());
    // The ball falls by its own size and bounces. The dart flies above the floor into the goal.
    let ball = world.spawn(Body::new(Shape::circle(0.25)).at((1.5, 1.75)).bounce(0.5))?;
    let dart = world.spawn(Body::new(Shape::circle(0.1)).at((2.55, 1.5)).velocity((6.0, 0.0)).gravity_scale(0.0))?;
    let mut told = Vec::new();
    for tick in 1..=30 {
        world.step();
        told.extend(world.events().iter().map(|event| (tick, event.body, event.kind.name())));
    }
    // At a tenth of a tile per tick, the dart enters after 0.35 tiles, leaves after 1.55 and is outside the map after 2.55.
    let of = |body| told.iter().filter(move |(_, of, _)| *of == body).map(|&(tick, _, name)| (tick, name));
    assert!(of(dart).eq([(4, "area_entered"), (16, "area_exited"), (26, "left_map")]), "{told:?}");
    // The ball falls half a tile in 9.5 ticks, bounces at half of its speed, and is in the air for as long again.
    let hits: Vec<_> = of(ball).filter(|(_, name)| *name == "hit_tile").map(|(tick, _)| tick).take(2).collect();
    assert_eq!(hits, [10, 19], "{told:?}");
    Ok(())
}
