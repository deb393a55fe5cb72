//! Commands that change bodies: adding to their velocity, and replacing their properties while the world runs.

use crate::nudges::under;
use crate::scene::{map, map_with, position};
use crate::table::{Stage, all_ways_with, pairs};
use surefoot::body::BodyError;
use surefoot::geometry::DVec2;
use surefoot::map::CollisionLayers;
use surefoot::platform::Platform;
use surefoot::prelude::*;
use surefoot::record::Playback;
use surefoot::replay::Replay;
use surefoot::snapshot::Snapshot;
use surefoot::{Input, Map, World};

const TICK: f64 = 1.0 / 60.0;

fn floor() -> Map {
    map(&["............", "............", "............", "############"])
}

fn world_with_gravity(gravity: f64) -> World {
    World::new(floor(), Settings::default().gravity((0.0, gravity)).tick(TICK))
}

fn ball() -> Body {
    Body::new(Shape::circle(0.25))
}

fn spawn_at(world: &mut World, body: Body, at: (f64, f64)) -> BodyId {
    world.spawn(body.at(position(at.0, at.1))).unwrap()
}

/// In air without gravity, (2, 1) and (1, -0.5) add up to (3, 0.5), and a tick moves 1/60 of that.
#[test]
fn velocities_add_up() {
    let mut world = world_with_gravity(0.0);
    let id = spawn_at(&mut world, ball().velocity((2.0, 1.0)), (2.0, 3.0));
    world.add_velocity(id, (1.0, -0.5)).unwrap();
    assert_eq!(world[id].velocity(), DVec2::new(3.0, 0.5));
    (0..60).for_each(|_| world.step());
    let off = world[id].position().to_dvec2() - DVec2::new(5.0, 3.5);
    assert!(off.abs().max_element() < 1e-6, "{off}");
}

/// An impulse of (6, 3) changes the velocity of a mass of 3 by (2, 1), and of a mass of 1/2 by (12, 6).
#[test]
fn an_impulse_changes_heavy_bodies_less() {
    for (mass, expected) in [(3.0, (2.0, 1.0)), (0.5, (12.0, 6.0)), (1.0, (6.0, 3.0))] {
        let mut world = world_with_gravity(0.0);
        let id = spawn_at(&mut world, ball().mass(mass).velocity((1.0, 0.0)), (2.0, 3.0));
        world.apply_impulse(id, (6.0, 3.0)).unwrap();
        assert_eq!(world[id].velocity(), DVec2::from(expected) + DVec2::X, "{mass}");
    }
}

/// A world with bodies in the air, on the floor, on a platform, carried, and asleep on another platform.
fn scene() -> (World, Vec<BodyId>) {
    let level = map_with(
        &["................", "................", "................", "................", "================"],
        r#"collision_layers: ["a", "b"]"#,
    );
    let mut world = World::new(level, Settings::default().tick(TICK));
    let lift = Platform::from_rows(world.map(), ["=="]).unwrap().at((12.0, 1.5));
    let lift = world.spawn_platform(lift).unwrap();
    let hero = Body::new(Shape::aabb(0.25, 0.5)).character(Character { air_jumps: 1, ..Character::precise() });
    let crate_of =
        |mass| Body::new(Shape::aabb(0.25, 0.25)).friction(0.5).mass(mass).collision_mask(CollisionLayers::ALL);
    let ids = vec![
        spawn_at(&mut world, hero.clone(), (1.0, 1.5)),
        spawn_at(&mut world, hero, (13.0, 3.0)),
        spawn_at(&mut world, ball().bounce(0.5), (3.0, 3.0)),
        spawn_at(&mut world, crate_of(2.0), (6.0, 1.25)),
        spawn_at(&mut world, crate_of(1.0), (6.0, 1.75)),
        spawn_at(&mut world, ball().response(Response::Pass).gravity_scale(0.0).velocity((1.0, 0.5)), (8.0, 2.0)),
    ];
    for tick in 0..50 {
        world.set_input(ids[0], Input::walk(if tick < 30 { 0.0 } else { 0.5 }));
        world.drive_platform(lift, position(12.0, 1.5 + f64::from(tick) / 100.0)).unwrap();
        world.step();
    }
    assert!(world[ids[0]].on_floor() && world[ids[1]].on_floor() && world[ids[4]].on_floor());
    assert!(world.platform_under(ids[1]).is_some());
    (world, ids)
}

/// Checks that both worlds continue in the same way.
fn assert_equal_steps(mut one: World, mut other: World, what: &str) {
    for tick in 0..40 {
        assert_eq!(one.checksum(), other.checksum(), "{what}, {tick} ticks later");
        assert_eq!(one.events(), other.events(), "{what}, {tick} ticks later");
        one.step();
        other.step();
    }
}

/// Adding a velocity equals setting the sum, to the bit: on the floor, in the air, on a moving platform, and for
/// sleeping bodies.
#[test]
fn an_addition_sets_the_sum() {
    let (world, ids) = scene();
    for (id, by) in pairs(ids, [(0.0, 0.0), (3.0, 0.0), (-2.0, 7.0), (0.0, -1.0)]) {
        let (mut one, mut other) = (world.clone(), world.clone());
        let sum = one[id].velocity() + DVec2::from(by);
        one.add_velocity(id, by).unwrap();
        other.set_velocity(id, sum).unwrap();
        assert_eq!(one[id].on_floor(), other[id].on_floor());
        assert_equal_steps(one, other, &format!("{id:?} {by:?}"));
    }
}

/// An upward velocity added to a character on the floor makes it leave the floor at once. After one tick, gravity has
/// slowed it down by one tick.
#[test]
fn an_addition_throws_a_character_off_the_floor() {
    let mut world = world_with_gravity(-30.0);
    let hero = spawn_at(&mut world, Body::new(Shape::aabb(0.25, 0.5)).character(Character::default()), (2.0, 1.5));
    world.step();
    assert!(world[hero].on_floor());
    world.add_velocity(hero, (0.0, 6.0)).unwrap();
    assert!(!world[hero].on_floor());
    world.step();
    assert!((world[hero].velocity().y - 5.5).abs() < 1e-9, "{}", world[hero].velocity());
    assert!(world[hero].position().to_dvec2().y > 1.5);
}

/// A velocity out of range, by itself or as a sum, and a missing body are rejected: nothing changes and nothing is
/// recorded.
#[test]
fn additions_that_are_refused_change_nothing() {
    let mut world = world_with_gravity(0.0);
    let id = spawn_at(&mut world, ball().velocity((9e8, 0.0)), (2.0, 3.0));
    let gone = spawn_at(&mut world, ball(), (4.0, 3.0));
    world.despawn(gone).unwrap();
    let before = (world.checksum(), world.commands().len());
    for by in [(2e8, 0.0), (f64::NAN, 0.0), (0.0, 2e9)] {
        assert!(matches!(world.add_velocity(id, by), Err(CommandError::Body(BodyError::Range(_)))), "{by:?}");
    }
    assert_eq!(world.add_velocity(gone, (1.0, 0.0)), Err(CommandError::NoSuchBody(gone)));
    assert_eq!(world.apply_impulse(gone, (1.0, 0.0)), Err(CommandError::NoSuchBody(gone)));
    assert_eq!(world.set_body(gone, ball()), Err(CommandError::NoSuchBody(gone)));
    assert!(world.set_body(id, ball().mass(0.0)).is_err() && world.set_body(id, ball().bounce(2.0)).is_err());
    assert!(
        world.set_body(id, ball().one_way()).is_err()
            && world.set_body(id, ball().collision_layers(CollisionLayers(8))).is_err()
    );
    assert_eq!((world.checksum(), world.commands().len()), before);
}

/// `set_body` uses only the configuration of the given body. Its position, velocity and shape do not count, whether
/// they are valid or not.
#[test]
fn set_body_keeps_position_and_shape() {
    let (world, ids) = scene();
    for id in ids {
        let (mut one, mut other) = (world.clone(), world.clone());
        let now = one[id].body().clone();
        let elsewhere = Body { shape: Shape::circle(0.0), ..now.clone().at((f64::NAN, 0.0)).velocity((1e30, 0.0)) };
        let (to, to_elsewhere) = (now.clone().mass(8.0), elsewhere.clone().mass(8.0));
        let state = (one[id].position(), one[id].velocity(), one[id].shape(), one[id].on_floor(), one[id].input());
        one.set_body(id, to.clone()).unwrap();
        other.set_body(id, to_elsewhere).unwrap();
        assert_eq!(*one[id].body(), to);
        assert_eq!(
            (one[id].position(), one[id].velocity(), one[id].shape(), one[id].on_floor(), one[id].input()),
            state
        );
        assert_eq!(one.commands(), other.commands(), "what is kept is what counts");
        assert_equal_steps(one, other, &format!("{id:?}"));
        // A body set to its own configuration continues as if nothing had happened.
        let mut same = world.clone();
        same.set_body(id, elsewhere).unwrap();
        assert_equal_steps(same, world.clone(), &format!("{id:?} as it is"));
    }
}

/// Properties with a command of their own change in the same way through `set_body`, to the bit.
#[test]
fn a_body_and_the_commands_for_parts_of_it_do_the_same() {
    let (world, ids) = scene();
    let quick = Character { walk_speed: 12.0, ..Character::floaty() };
    for id in ids {
        for layers in [CollisionLayers(2), CollisionLayers::NONE] {
            let (mut one, mut other) = (world.clone(), world.clone());
            one.set_body(id, world[id].body().clone().collision_layers(layers)).unwrap();
            other.set_collision_layers(id, layers).unwrap();
            assert_equal_steps(one, other, &format!("{id:?} layers {layers:?}"));
            let (mut one, mut other) = (world.clone(), world.clone());
            one.set_body(id, world[id].body().clone().collision_mask(layers)).unwrap();
            other.set_collision_mask(id, layers).unwrap();
            assert_equal_steps(one, other, &format!("{id:?} mask {layers:?}"));
        }
        if world[id].character().is_some() {
            let (mut one, mut other) = (world.clone(), world.clone());
            one.set_body(id, world[id].body().clone().character(quick)).unwrap();
            other.set_character(id, quick).unwrap();
            assert_equal_steps(one, other, &format!("{id:?} character"));
        }
    }
}

/// The body falls onto the floor and leaves at half of its speed. A body without bounce stays there.
#[test]
fn a_body_bounces_as_soon_as_its_bounce_is_set() {
    let mut world = world_with_gravity(-20.0);
    let id = spawn_at(&mut world, ball(), (2.0, 3.0));
    (0..10).for_each(|_| world.step());
    world.set_body(id, world[id].body().clone().bounce(0.5)).unwrap();
    let mut before = world[id].velocity().y;
    while world[id].velocity().y < 0.0 {
        before = world[id].velocity().y;
        world.step();
    }
    // The tick of the impact adds less than a tick of gravity before the impact, and removes as little after it.
    assert!((world[id].velocity().y + 0.5 * before).abs() <= 1.5 * 20.0 * TICK, "{} {before}", world[id].velocity().y);
    assert!(world[id].velocity().y > 2.0);
}

/// A mass of 3 at 2 tiles per second and a mass of 1 at -2 continue at (3 * 2 - 1 * 2) / 4 = 1. With a mass of 1 each,
/// both would stop.
#[test]
fn a_body_is_heavier_as_soon_as_its_mass_is_set() {
    for (mass, expected) in [(3.0, 1.0), (1.0, 0.0)] {
        let mut world = world_with_gravity(0.0);
        let meets = ball().collision_mask(CollisionLayers::ALL);
        let left = spawn_at(&mut world, meets.clone().velocity((2.0, 0.0)), (3.0, 3.0));
        let right = spawn_at(&mut world, meets.velocity((-2.0, 0.0)), (5.0, 3.0));
        world.step();
        world.set_body(left, world[left].body().clone().mass(mass)).unwrap();
        (0..60).for_each(|_| world.step());
        for id in [left, right] {
            assert!((world[id].velocity().x - expected).abs() < 1e-9, "{mass}: {}", world[id].velocity());
        }
    }
}

/// A body set to pass falls through its floor, at the speed of a fall of that many ticks. Set to collide again, it is
/// stuck where it overlaps a block, and falls on next to the map's tiles.
#[test]
fn a_body_can_be_set_to_pass_and_to_collide_again() {
    let mut world = world_with_gravity(-30.0);
    let id = spawn_at(&mut world, ball(), (2.0, 1.25));
    world.step();
    assert!(world[id].on_floor());
    let solid = world[id].body().clone();
    world.set_body(id, solid.clone().response(Response::Pass)).unwrap();
    (0..12).for_each(|_| world.step());
    assert!(!world[id].on_floor());
    assert!((world[id].velocity().y + 12.0 * 30.0 * TICK).abs() < 1e-9, "{}", world[id].velocity());
    let at = world[id].position();
    assert!((0.25..0.75).contains(&at.to_dvec2().y), "{at:?}");
    world.set_body(id, solid.clone()).unwrap();
    world.step();
    assert!(world[id].is_stuck() && world[id].position() == at);
    world.set_body(id, solid.response(Response::Pass)).unwrap();
    world.step();
    assert!(!world[id].is_stuck() && world[id].position() != at);
}

/// A ball becomes a character that walks, and then a ball again that ignores input. It releases the body that it
/// pulled.
#[test]
fn a_body_becomes_a_character_and_a_plain_body_again() {
    let mut world = world_with_gravity(-30.0);
    let id = spawn_at(
        &mut world,
        Body::new(Shape::aabb(0.25, 0.5)).collision_mask(CollisionLayers::ALL).friction(1.0),
        (2.0, 1.5),
    );
    let load =
        spawn_at(&mut world, Body::new(Shape::aabb(0.25, 0.25)).collision_mask(CollisionLayers::ALL), (2.5, 1.25));
    world.set_input(id, Input::walk(-1.0));
    (0..5).for_each(|_| world.step());
    assert_eq!(world[id].position(), position(2.0, 1.5), "a body that is no character has no will");
    let plain = world[id].body().clone();
    world.set_body(id, plain.clone().character(Character { max_push_mass: 4.0, ..Character::default() })).unwrap();
    world.grab(id, load).unwrap();
    (0..5).for_each(|_| world.step());
    assert!(world[id].velocity().x < 0.0 && world.held_by(id).is_some());
    world.set_body(id, plain).unwrap();
    assert!(world.held_by(id).is_none());
    (0..60).for_each(|_| world.step());
    assert!(world[id].velocity() == DVec2::ZERO && world[id].on_floor());
    let bytes = world.capture().to_bytes();
    assert_eq!(Snapshot::from_bytes(&bytes).unwrap().to_bytes(), bytes);
}

/// A replay text has both commands, reads back as written, and plays as the code does.
#[test]
fn both_are_written_in_replays() {
    let text = r#"Replay(format: 1, ticks: 30, map: Inline(Map(format: 1, tiles: ["........", "........", "========"])),
        bodies: [(name: "ball", shape: Circle(0.25), at: At(2.0, 2.0))],
        commands: [
            (tick: 3, do: AddVelocity("ball", (3.0, 0.5))),
            (tick: 5, do: SetBody("ball", (response: Bounce(0.5), gravity_scale: 0.5, mass: 2.0, collision_mask: All))),
            (tick: 9, do: SetBody("ball", (character: (walk_speed: 4.0)))),
            (tick: 9, do: SetCharacter("ball", ())),
            (tick: 20, do: SetBody("ball", ())),
        ])"#;
    let replay = Replay::from_ron(text).unwrap();
    let written = replay.to_ron();
    assert_eq!(Replay::from_ron(&written).unwrap(), replay, "{written}");
    assert!(
        written.contains(
            r#"SetBody("ball", (response: Bounce(0.5), gravity_scale: 0.5, mass: 2.0, collision_mask: All))"#
        ),
        "{written}"
    );
    let mut world = World::new(replay.map().clone(), replay.settings());
    let id = spawn_at(&mut world, ball(), (2.0, 2.0));
    for tick in 0..30 {
        match tick {
            3 => world.add_velocity(id, (3.0, 0.5)).unwrap(),
            5 => {
                let body = ball().bounce(0.5).gravity_scale(0.5).mass(2.0).collision_mask(CollisionLayers::ALL);
                world.set_body(id, body).unwrap();
            }
            9 => {
                world.set_body(id, ball().character(Character { walk_speed: 4.0, ..Character::default() })).unwrap();
                world.set_character(id, Character::default()).unwrap();
            }
            20 => world.set_body(id, ball()).unwrap(),
            _ => {}
        }
        world.step();
    }
    let mut player = Playback::new(&replay);
    player.run().unwrap();
    assert_eq!(player.world().checksum(), world.checksum());
}

/// A tag survives in worlds, snapshots of both forms and replays, up to the largest tag. It changes with the body, and
/// does not affect motion.
#[test]
fn a_tag_stays_with_its_body() {
    for tag in [1, 7, 1 << 40, u64::MAX] {
        let (mut world, mut plain) = (world_with_gravity(-20.0), world_with_gravity(-20.0));
        let id = spawn_at(&mut world, ball().bounce(0.5).tag(tag), (2.0, 3.0));
        spawn_at(&mut plain, ball().bounce(0.5), (2.0, 3.0));
        (0..60).for_each(|_| [&mut world, &mut plain].into_iter().for_each(World::step));
        assert_eq!((world[id].tag(), world[id].body().tag), (tag, tag));
        assert_eq!(world.motion_checksum(), plain.motion_checksum());
        assert_ne!(world.checksum(), plain.checksum());
        let snapshot = world.capture();
        for read in [
            Snapshot::from_bytes(&snapshot.to_bytes()).unwrap(),
            Snapshot::from_ron(&snapshot.to_ron().unwrap()).unwrap(),
        ] {
            let mut other = world_with_gravity(-20.0);
            other.restore(&read).unwrap();
            assert_eq!((other[id].tag(), other.checksum()), (tag, world.checksum()));
        }
        world.set_body(id, world[id].body().clone().tag(0)).unwrap();
        plain.set_body(id, plain[id].body().clone().mass(2.0)).unwrap();
        plain.set_body(id, plain[id].body().clone().mass(1.0)).unwrap();
        assert_eq!(world.checksum(), plain.checksum(), "the tag 0 and the mass 1 again");

        let text = format!(
            r#"Replay(format: 1, ticks: 9, map: Inline(Map(format: 1, tiles: ["....", "===="])), bodies: [(name: "a",
            shape: Circle(0.25), tag: {tag})], commands: [(tick: 2, do: SetBody("a", (tag: {}))), (tick: 4, do: SetBody("a", ()))])"#,
            tag - 1
        );
        let replay = Replay::from_ron(&text).unwrap();
        assert_eq!(Replay::from_ron(&replay.to_ron()).unwrap(), replay);
        let mut player = Playback::new(&replay);
        for expected in [tag, tag, tag - 1, tag - 1, 0] {
            player.step();
            assert_eq!(player.world()[player.body("a").unwrap()].tag(), expected);
        }
    }
}

/// A character whose gravity points up leaves the floor in the first tick and rises on the parabola. The gravity comes
/// from its own `gravity_scale`, from the world, or from its jumps.
#[test]
fn a_character_under_an_upward_gravity_leaves_the_floor() {
    // The character of the second case has its own gravity of 2 * 2 / 0.5^2.
    let floating = Character { jump_height: 2.0, jump_time: 0.5, ..Character::default() };
    let cases = [
        (Character::default(), -1.0, 30.0, 30.0),
        (floating, -0.5, 30.0, 8.0),
        (Character::precise(), -0.25, 0.0, 0.0),
        (Character::default(), 1.0, -12.0, 12.0),
    ];
    all_ways_with([30.0, 60.0, 120.0, 240.0], |way, rate, mask| {
        for (shape, (character, scale, gravity, expected)) in
            pairs([Shape::aabb(0.375, 0.5), Shape::circle(0.5)], cases)
        {
            let own = character.jump_gravity(1.0 / rate).map(|own| own * -scale);
            let expected = own.unwrap_or(expected);
            let hero = Body::new(shape).gravity_scale(scale).character(character).collision_mask(mask);
            let mut stage = Stage::at_rate(&under(&[]), way, hero, (0.0, 0.5), (gravity, rate));
            for n in 1..=8 {
                stage.world.step();
                let (time, height) = (f64::from(n) / rate, stage.place().y - 0.5);
                let what = format!("{rate} {shape:?} {mask:?} {scale} {n}: {height}");
                assert!(!stage.hero().on_floor(), "{what}");
                assert!((height - expected * time * time / 2.0).abs() < 1e-6, "{what}");
            }
        }
    });
}
