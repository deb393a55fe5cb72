//! Pulling and carrying, with results computed by hand: walking speed is 8 tiles per second, a tick is 1/60 s.

use crate::bodies::{LEFT, RIGHT, TICK, colliding, crate_at, falling, ground, hero_at, positions, spawn, steps};
use crate::platforms::rows;
use crate::scene::{ONE, map, position};
use crate::table::{all_ways, with_platforms};
use surefoot::platform::PlatformId;
use surefoot::prelude::*;
use surefoot::{Input, World, geometry::DVec2};

fn has_event_of_name(world: &World, body: BodyId, name: &str) -> bool {
    world.events().iter().any(|event| event.body == body && event.kind.name() == name)
}

/// A hero at the left or right side of a crate, which grabs the crate and walks away from it.
fn pulling(side: f64, crates: &[Body], push_mass: f64) -> (World, BodyId, Vec<BodyId>) {
    let mut world = falling(&[]);
    let character = Character { max_push_mass: push_mass, ..Character::default() };
    let [hero] = spawn(&mut world, [hero_at(side * 0.85, 0.45).character(character)]);
    let ids: Vec<BodyId> = crates.iter().map(|body| world.spawn(body.clone()).unwrap()).collect();
    steps(&mut world, 40);
    world.grab(hero, ids[0]).unwrap();
    world.set_input(hero, if side > 0.0 { RIGHT } else { LEFT });
    (world, hero, ids)
}

/// From rest to 8 tiles per second at 60 per second squared takes 8 ticks and 8^2 / 120 tiles. The other 52 ticks are
/// at full speed.
#[test]
fn a_pulled_crate_moves_at_walking_speed_and_keeps_its_distance_to_the_unit() {
    for side in [1.0, -1.0] {
        // The pulled crate has another crate on top.
        let (mut world, hero, ids) = pulling(side, &[crate_at(0.0, 0.5), crate_at(0.125, 1.5)], 3.0);
        let offsets = |world: &World| [0, 1].map(|i| world[ids[i]].position() - world[hero].position());
        let before = offsets(&world);
        for tick in 1..=60 {
            world.step();
            assert_eq!(offsets(&world), before, "tick {tick}");
            assert!(
                !has_event_of_name(&world, hero, "push_refused") && !has_event_of_name(&world, hero, "grab_broken")
            );
        }
        let way = side * (64.0 / 120.0 + 52.0 * 8.0 * TICK);
        let found = (world[ids[0]].position() - Position::ORIGIN).x as f64 / ONE as f64;
        assert!((found - way).abs() < 1e-6, "{found} and not {way}");
        // The crate stops with the hero.
        world.set_input(hero, Input::default());
        steps(&mut world, 30);
        assert_eq!(offsets(&world), before);
    }
}

/// A released crate has the velocity of the hero at first. Then the hero leaves it behind.
#[test]
fn a_released_crate_stays_behind() {
    let (mut world, hero, ids) = pulling(1.0, &[crate_at(0.0, 0.5)], 1.0);
    steps(&mut world, 10);
    world.release(ids[0], (0.0, 0.0)).unwrap();
    assert!(world.held_by(hero).is_none() && world.held_bodies().len() == 0);
    let velocity = world[ids[0]].velocity();
    assert_eq!(velocity, world[hero].velocity(), "it has that of the hero");
    steps(&mut world, 60);
    assert!(world[ids[0]].position().to_vec2().x < world[hero].position().to_vec2().x - 2.0);
}

/// A mass of 2 for a hero that can pull 1.5: the crate stays in place, and an event reports it.
#[test]
fn a_crate_too_heavy_to_pull_stops_the_hero() {
    let (mut world, hero, ids) = pulling(-1.0, &[crate_at(0.0, 0.5), crate_at(0.0, 1.5)], 1.5);
    let before = positions(&world, [hero, ids[0], ids[1]]);
    for _ in 0..30 {
        world.step();
        assert!(has_event_of_name(&world, hero, "push_refused"));
        assert_eq!(positions(&world, [hero, ids[0], ids[1]]), before);
    }
    // Without the crate on top, the lower crate follows the hero.
    world.teleport(ids[1], (20.0, 0.5)).unwrap();
    steps(&mut world, 30);
    assert!(world[hero].position().to_vec2().x < -3.0);
    assert_eq!(world[ids[0]].position() - world[hero].position(), before[1] - before[0]);
}

/// The step is a quarter of a tile high, three tiles to the left of the crate's left side, at -0.5: it stops the crate.
/// The ground left of -3.5 is lower.
#[test]
fn a_pulled_crate_that_hits_a_wall_stops_the_hero() {
    // The hero is in a pit as deep as the wall is high. It jumps over the wall, which ends the grip.
    let rows = ["............", "............", "............", "##..........", "============"];
    let mut world = World::new(map(&rows), Settings::default());
    // A crate as high as two heroes stands on the ground at 5.5. The hero, above the top of the wall, stands on a crate
    // of its own.
    let [hero, block] =
        spawn(&mut world, [hero_at(4.15, 1.45), colliding(Shape::aabb(0.5, 1.0)).friction(0.6).at((5.0, 2.0))]);
    steps(&mut world, 5);
    world.grab(hero, block).unwrap();
    world.set_input(hero, LEFT);
    for _ in 0..60 {
        world.step();
        assert_eq!(world[block].position() - world[hero].position(), position(0.85, 0.55) - Position::ORIGIN);
    }
    // The hero stands at the wall, and the crate did not move on.
    assert_eq!(world[hero].position(), position(2.35, 1.45));
    // After jumping over the wall, the hero has released the crate, because its side no longer reaches it.
    world.set_input(hero, Input { jump: true, ..LEFT });
    let mut told = 0;
    for _ in 0..60 {
        world.step();
        told += u32::from(has_event_of_name(&world, hero, "grab_broken"));
    }
    assert_eq!((told, world.held_bodies().len()), (1, 0));
}

/// Slopes of 45 degrees, up from x = 4 to 6 and down from 7 to 9. A hero of 0.9 tiles would be below the crate's
/// underside before the crate leaves the top, so this one is 1.2 high.
#[test]
fn a_crate_is_pulled_over_a_hill() {
    let rows = ["............", "............", "............", "...../#\\....", "..../###\\...", "============"];
    let mut world = World::new(map(&rows), Settings::default());
    let [hero, block] =
        spawn(&mut world, [Body { shape: Shape::aabb(0.35, 0.6), ..hero_at(2.85, 1.6) }, crate_at(2.0, 1.5)]);
    steps(&mut world, 2);
    world.grab(hero, block).unwrap();
    let gap = |world: &World| world[hero].position().units().x - world[block].position().units().x;
    let before = gap(&world);
    // The hero walks slowly: over the edge, the crate must move down as fast as it falls.
    world.set_input(hero, Input { walk: 40, ..RIGHT });
    for tick in 0..240 {
        world.step();
        if world.held_bodies().len() == 1 {
            assert_eq!(gap(&world), before, "tick {tick}");
        }
    }
    // The crate is on its way down.
    assert!(world[block].position().to_vec2().x > 8.0, "{:?}", world[block].position());
    assert_eq!(world.held_bodies().len(), 1);
}

/// The hero stands in the corner of the floor and a slope of 45 degrees, which leaves half of each sideways step.
/// - In the first tick it moves 1/120 tile, and is then on the slope.
/// - After 8 ticks it has its full speed and has moved 64/120 tiles.
/// - In 12 more ticks it moves 12 * 8/60. In total 2.133 along the slope, 1.5085 sideways.
/// - The first tick moves less than that, by at most 1/240.
#[test]
fn a_crate_is_pulled_up_a_slope_from_its_foot() {
    let rows = ["............", "............", "............", "...../#\\....", "..../###\\...", "============"];
    // The slopes end at x = 4 and x = 9, equally far from 6.5.
    for side in [1.0, -1.0] {
        let at = |x: f64, y: f64| position(6.5 + side * (x - 6.5), y);
        let mut world = World::new(map(&rows), Settings::default());
        let start = at(3.625, 1.625);
        let hero = Body { shape: Shape::aabb(0.375, 0.625), ..hero_at(0.0, 0.0) }.at(start);
        let [hero, block] = spawn(&mut world, [hero, crate_at(0.0, 0.0).at(at(2.75, 1.5))]);
        steps(&mut world, 2);
        world.grab(hero, block).unwrap();
        world.set_input(hero, if side > 0.0 { RIGHT } else { LEFT });
        let gap = |world: &World| (world[hero].position() - world[block].position()).x;
        let before = gap(&world);
        for tick in 1..=20 {
            world.step();
            let way = world[hero].position() - start;
            assert!(way.y > 0 && way.x.abs() == way.y, "{way} in tick {tick}");
            assert_eq!((gap(&world), world.held_bodies().len()), (before, 1), "tick {tick}");
        }
        let made = (world[hero].position() - start).y as f64 / ONE as f64;
        let whole = (64.0 / 120.0 + 12.0 * 8.0 * TICK) / 2.0_f64.sqrt();
        assert!(made <= whole && made > whole - 1.0 / 240.0, "{made} of {whole}");
    }
}

#[test]
fn a_carried_body_moves_with_its_character_and_collides_with_nothing() {
    let mut world = falling(&[4]);
    let [hero, block, ball] =
        spawn(&mut world, [hero_at(0.0, 0.45), crate_at(2.0, 0.5), colliding(Shape::circle(0.25)).at((-1.0, 0.25))]);
    steps(&mut world, 2);
    world.carry(hero, ball, (0.5, 0.25)).unwrap();
    world.set_input(hero, RIGHT);
    for _ in 0..60 {
        world.step();
        assert_eq!(world[ball].position() - world[hero].position(), position(0.5, 0.25) - Position::ORIGIN);
        assert_eq!(world[ball].velocity(), world[hero].velocity());
        assert!(world[ball].is_carried() && !world[ball].on_floor() && world.contacts(ball).iter().next().is_none());
        assert!(
            !world
                .events()
                .iter()
                .any(|event| event.body == ball && !["left_floor", "woke_up"].contains(&event.kind.name()))
        );
    }
    // The crate stands at the wall, and the ball is inside the crate.
    assert_eq!(world[block].position(), position(3.5, 0.5));
    assert_eq!(world[hero].position(), position(2.65, 0.45));
    // A ball released inside the crate collides with it only once the two have separated. Thrown upwards and back, it
    // lands on the ground.
    world.set_input(hero, Input::default());
    world.release(ball, (-6.0, 6.0)).unwrap();
    assert_eq!(world[ball].velocity(), world[hero].velocity() + DVec2::new(-6.0, 6.0));
    steps(&mut world, 120);
    assert!(world[ball].on_floor() && world[ball].position().to_vec2().x < 1.0, "{:?}", world[ball]);
    assert_eq!(world[ball].position().to_vec2().y, 0.25);
}

#[test]
fn no_body_is_released_inside_or_behind_a_solid() {
    let mut world = falling(&[1]);
    let [hero, ball] = spawn(&mut world, [hero_at(0.625, 0.45), colliding(Shape::circle(0.25)).at((-1.0, 0.25))]);
    for x in [0.75, 1.625] {
        // First the ball is in the wall, then behind it.
        world.carry(hero, ball, (x, 0.25)).unwrap();
        world.step();
        assert_eq!(world.release(ball, (1.0, 0.0)), Err(CommandError::NoRoom(ball)));
        assert!(world[ball].is_carried());
    }
    world.carry(hero, ball, (-0.75, 0.25)).unwrap();
    world.step();
    world.release(ball, (0.0, 0.0)).unwrap();
    // The character is removed while its ball is in the wall: the ball is stuck there.
    world.carry(hero, ball, (0.75, 0.25)).unwrap();
    world.step();
    world.despawn(hero).unwrap();
    assert_eq!(world.held_bodies().len(), 0);
    let before = world[ball].position();
    steps(&mut world, 10);
    assert_eq!(world[ball].position(), before);
    world.teleport(ball, (-5.0, 3.0)).unwrap();
    steps(&mut world, 60);
    assert!(world[ball].on_floor());
}

/// The wall's left side is at x = 1. From the hero, nothing is in front of the centre of the ball, whose radius is a
/// quarter.
#[test]
fn a_carried_body_is_released_flush_with_a_wall_to_the_unit() {
    let mut world = falling(&[1]);
    let [hero, ball] = spawn(&mut world, [hero_at(0.625, 0.45), colliding(Shape::circle(0.25)).at((-1.0, 0.25))]);
    let flush = 0.75 - 0.625;
    for into in [0.0625, 1.0 / ONE as f64] {
        world.carry(hero, ball, (flush + into, 0.25)).unwrap();
        world.step();
        let before = world[ball].position();
        assert_eq!(world.release(ball, (0.0, 0.0)), Err(CommandError::NoRoom(ball)), "{into} in the wall");
        assert!(world[ball].is_carried() && world[ball].position() == before);
    }
    world.carry(hero, ball, (flush, 0.25)).unwrap();
    world.step();
    world.release(ball, (0.0, 0.0)).unwrap();
    world.step();
    assert!(!world[ball].is_carried() && !world[ball].is_stuck());
    assert_eq!(world[ball].position().units().x, position(0.75, 0.0).units().x);
}

/// A world with a platform whose top is at y = 3.
fn on_platform() -> (World, PlatformId) {
    let (world, [platform]) = with_platforms(World::new(ground(&[]), Settings::default()), |map| {
        [rows(map, &["################"], -8.0, 2.0)]
    });
    (world, platform)
}

/// Makes a tick in which the platform moves 1/16 tile to the right: 3.75 tiles per second.
fn step_driven(world: &mut World, platform: PlatformId) {
    let to = world.platform(platform).unwrap().position() + position(0.0625, 0.0).units();
    world.drive_platform(platform, to).unwrap();
    world.step();
}

/// A body carried by a character on a platform at 3.75 tiles per second has that velocity once, not twice.
#[test]
fn a_body_carried_on_a_platform_is_dropped_with_its_velocity() {
    let (mut world, platform) = on_platform();
    let [hero, block] = spawn(&mut world, [hero_at(0.0, 3.45), crate_at(3.0, 3.5)]);
    steps(&mut world, 2);
    world.carry(hero, block, (1.0, 0.05)).unwrap();
    let step = |world: &mut World| step_driven(world, platform);
    (0..4).for_each(|_| step(&mut world));
    assert_eq!(world[block].velocity(), DVec2::new(3.75, 0.0));
    world.despawn(hero).unwrap();
    assert_eq!(world[block].velocity(), DVec2::new(3.75, 0.0));
    let before = world[block].position();
    (0..4).for_each(|_| step(&mut world));
    let way = (world[block].position() - before).x as f64 / ONE as f64;
    assert!((way - 0.25).abs() < 0.01, "{way}");
}

#[test]
fn hands_hold_one_body_that_is_within_reach() {
    let mut world = falling(&[]);
    let [hero, other, near, far] =
        spawn(&mut world, [hero_at(0.85, 0.45), hero_at(-0.85, 0.45), crate_at(0.0, 0.5), crate_at(5.0, 0.5)]);
    let ghost = world.spawn(Body::new(Shape::aabb(0.5, 0.5)).at((0.85 + 0.85, 0.5))).unwrap();
    world.step();
    assert_eq!(world.grab(near, far), Err(CommandError::NotACharacter(near)));
    assert_eq!(world.grab(hero, far), Err(CommandError::OutOfReach(far)));
    assert_eq!(world.grab(hero, ghost), Err(CommandError::OutOfReach(ghost)), "its mask meets nothing");
    assert_eq!(world.grab(hero, other), Err(CommandError::OutOfReach(other)));
    assert_eq!(world.grab(hero, hero), Err(CommandError::AlreadyCarrying(hero)));
    assert_eq!(world.release(near, (0.0, 0.0)), Err(CommandError::NotHeld(near)));
    for offset in [(1025.0, 0.0), (0.0, -1025.0), (f64::NAN, 0.0), (0.0, f64::INFINITY)] {
        let refused = world.carry(hero, far, offset).unwrap_err().to_string();
        assert!(refused.starts_with(if offset.0 == 0.0 { "`offset.y` is" } else { "`offset.x` is" }), "{refused}");
    }
    world.grab(hero, near).unwrap();
    assert_eq!(world.grab(hero, near), Err(CommandError::AlreadyHeld(near)));
    assert_eq!(world.grab(other, near), Err(CommandError::AlreadyHeld(near)));
    assert_eq!(world.carry(hero, far, (0.0, 1.0)), Err(CommandError::AlreadyCarrying(hero)));
    assert_eq!(world.carry(other, hero, (0.0, 1.0)), Err(CommandError::AlreadyCarrying(hero)));
    // A pulled body can be lifted and carried. A carried hero cannot carry anything.
    world.carry(hero, near, (0.0, 1.0)).unwrap();
    assert_eq!(world.holder_of(near).map(|grip| grip.by), Some(hero));
    world.release(near, (0.0, 0.0)).unwrap();
    world.carry(hero, other, (0.0, 1.0)).unwrap();
    assert_eq!(world.carry(other, far, (0.0, 1.0)), Err(CommandError::AlreadyHeld(other)));
    world.despawn(far).unwrap();
    assert_eq!(world.carry(hero, far, (0.0, 1.0)), Err(CommandError::NoSuchBody(far)));
    assert_eq!(world.grab(far, near), Err(CommandError::NoSuchBody(far)));
    world.despawn(other).unwrap();
    assert!(world.held_by(hero).is_none());
}

/// In a world that pulls, carries and throws.
#[test]
fn grips_are_part_of_the_state() {
    all_ways(|way| {
        let mut world = way.world(ground(&[]), Settings::default());
        let ball = colliding(Shape::circle(0.25)).at((9.0, 0.25));
        let bodies = [hero_at(0.85, 0.45), hero_at(8.0, 0.45), crate_at(0.0, 0.5), ball];
        let [hero, porter, block, ball] = bodies.map(|body| world.spawn(body).unwrap());
        (0..2).for_each(|_| world.step());
        world.grab(hero, block).unwrap();
        world.carry(porter, ball, (0.0, 0.75)).unwrap();
        [hero, porter].into_iter().for_each(|id| world.set_input(id, RIGHT));
        for tick in 0..60 {
            if tick == 30 {
                world.release(ball, (5.0, 5.0)).unwrap();
            }
            world.step();
        }
        let far = |id| world[id].position().to_dvec2().x;
        assert!(far(ball) > far(porter) && far(block) > 5.0);
    });
}

/// The platform moves 1/16 tile per tick, and the hero walks against it.
#[test]
fn a_hero_pulls_and_carries_on_a_platform() {
    let (mut world, platform) = on_platform();
    let [hero, block, porter, ball] = spawn(
        &mut world,
        [hero_at(0.85, 3.45), crate_at(0.0, 3.5), hero_at(5.0, 3.45), colliding(Shape::circle(0.25)).at((6.0, 3.25))],
    );
    steps(&mut world, 2);
    world.grab(hero, block).unwrap();
    world.carry(porter, ball, (0.0, 0.75)).unwrap();
    world.set_input(hero, Input { walk: 64, ..RIGHT });
    for tick in 1..=30 {
        step_driven(&mut world, platform);
        assert_eq!(world[block].position() - world[hero].position(), position(-0.85, 0.05) - Position::ORIGIN);
        assert_eq!(world[ball].position() - world[porter].position(), position(0.0, 0.75) - Position::ORIGIN);
        assert_eq!(world[porter].position(), position(5.0 + 0.0625 * f64::from(tick), 3.45));
    }
    assert!(world[block].position().to_vec2().x > 0.0625 * 30.0 + 1.0);
    assert_eq!(world[ball].velocity(), DVec2::new(3.75, 0.0));
}
