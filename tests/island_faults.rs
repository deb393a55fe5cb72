//! Hand-computed scenes of sleeping bodies and of touching bodies, with platforms beside and below them.

use crate::bodies::{ball_at, crate_at, floating, hero_at, spawn, steps};
use crate::body_faults::rack;
use crate::islands::{Stage, block, found, row, row_at, wall};
use crate::platforms::{floor, rows};
use crate::scene::{I64Vec2, ONE, position};
use crate::table::{MASKS, pairs, with_platforms};
use surefoot::geometry::DVec2;
use surefoot::map::{CollisionLayers, TileId};
use surefoot::platform::{OnCrush, OnRide, Path, PathTiming, PlatformId};
use surefoot::prelude::*;
use surefoot::{Input, Map, World};

/// The wall's underside is half a tile below the row's top and rises by a tile: it has passed after half of the tick.
/// Until then it pushes by half of 0.5.
#[test]
fn a_wall_pushes_until_it_has_passed() {
    for count in [1, 2] {
        Stage::floating(&[])
            .with(&[wall(-1.0, 0.5, 1, 1)], &row(count, 0.0))
            .check(1, &[(0.5, 1.0)], |_| found(&row_at(count, 0.25), &[(-0.5, 1.5)], &[]));
    }
}

/// A lift moves up by 1 and sideways by 0.5. Terrain blocks its rider sideways until the rider's feet are at the top of
/// the terrain, half a tile higher: after half of the first tick, or of the second if the terrain is two tiles high.
#[test]
fn a_rider_moves_sideways_as_soon_as_it_has_passed_a_wall() {
    for (height, count) in pairs([1, 2], [1, 2]) {
        let terrain: Vec<(i32, i32)> = (0..height).map(|y| (1, y)).collect();
        let bodies: Vec<Body> = (0..count).map(|i| block(0.5, 1.0 + f64::from(i))).collect();
        Stage::falling(&terrain).with(&[wall(-3.0, -0.5, 4, 1)], &bodies).check(2, &[(0.5, 1.0)], |tick| {
            let up = f64::from(tick);
            let aside = (0.5 * (up - f64::from(height)) + 0.25).max(0.0);
            let bodies: Vec<(f64, f64)> = (0..count).map(|i| (0.5 + aside, 1.0 + f64::from(i) + up)).collect();
            found(&bodies, &[(0.5 * up - 3.0, up - 0.5)], &[])
        });
    }
}

/// A lift moves a rider down by an odd number of units. A wall moves up by the same number and sideways; its underside
/// starts that far below the rider's top. The wall has passed after half of the tick, where both positions end in half
/// a unit. Rounding must leave a unit between them.
#[test]
fn a_wall_passes_in_whole_units() {
    for (odd, aside) in [(1_000_001, 4_000_000), (12_345, 777_776)] {
        let map = floor();
        let (lift, wall) = (rows(&map, &["####"], 20.0, 9.0), rows(&map, &["#"], 20.0, 11.0));
        let mut world = World::new(map, Settings::default());
        let [lift, wall] = [lift, wall].map(|platform| world.spawn_platform(platform).unwrap());
        let [rider] = spawn(&mut world, [block(21.5, 10.5)]);
        steps(&mut world, 5);
        // This puts the wall's underside `odd` units below the rider's top, which is at 11.
        let to = world.platform(wall).unwrap().position().units() - I64Vec2::new(0, odd);
        world.teleport_platform(wall, Position::from_units(to.x, to.y).unwrap()).unwrap();
        let before = world[rider].position().units();
        for (platform, way) in [(lift, I64Vec2::new(0, -odd)), (wall, I64Vec2::new(aside, odd))] {
            let to = world.platform(platform).unwrap().position() + way;
            world.drive_platform(platform, to).unwrap();
        }
        world.step();
        let made = world[rider].position().units() - before;
        // Wall and rider pass each other after half of their relative motion of 2 * odd units. Rounding may add one
        // unit to that half, and the wall moves sideways meanwhile.
        let most = 1 + aside / (2 * odd) + 1;
        assert!(made.y == -odd && (made.x - aside / 2).abs() <= most, "{odd} {aside}: {made}");
    }
}

/// A ball hits a rider that a platform presses to a wall, and bounces back in the middle of a tick. The rider stays.
#[test]
fn a_rider_that_is_hit_at_a_wall_stays_there() {
    let (mut world, [lift]) = with_platforms(World::new(floor_with_column(20..25), Settings::default()), |map| {
        [rows(map, &["################"], 9.0, 19.0)]
    });
    let character = Character { walk_speed: 7.5, ground_acceleration: 1e6, ..Character::default() };
    // The rider's left side is at 24. The ball's side gets there after 4.5 ticks.
    let ball = ball_at(0.25, 19.25, 20.5).velocity((60.0, 0.0)).gravity_scale(0.0).bounce(1.0);
    let [rider] = spawn(&mut world, [block(24.5, 20.5).character(character)]);
    steps(&mut world, 5);
    let [ball] = spawn(&mut world, [ball]);
    world.set_input(rider, Input::walk(-1.0));
    for tick in 1..=8 {
        let to = world.platform(lift).unwrap().position() + I64Vec2::new(ONE / 4, 0);
        world.drive_platform(lift, to).unwrap();
        world.step();
        let off = (world[rider].position() - position(24.5, 20.5)).abs().max_element();
        assert!(off <= 2, "tick {tick}: {}", world[rider].position());
        assert_eq!(world[ball].velocity().x > 0.0, tick < 5, "tick {tick}: {}", world[ball].velocity());
    }
}

/// A lift carries two bodies by 0.125, and a wall pushes the upper one by 0.25. The upper one is a character, so the
/// wall gives it no velocity.
#[test]
fn a_wall_pushes_a_body_on_a_carried_body() {
    let bodies = [block(0.5, 0.5), block(0.5, 1.5)];
    let walls = [wall(-3.0, -1.0, 7, 1), wall(-1.0, 1.25, 1, 1)];
    Stage::falling(&[]).with(&walls, &bodies).check(4, &[(0.125, 0.0), (0.25, 0.0)], |tick| {
        let way = 0.25 * f64::from(tick);
        found(&[(way / 2.0 + 0.5, 0.5), (way + 0.5, 1.5)], &[(way / 2.0 - 3.0, -1.0), (way - 1.0, 1.25)], &[])
    });
}

/// A platform next to the upper body moves away from it, up or down. A side contact carries nothing.
#[test]
fn a_platform_next_to_a_body_on_a_body_carries_nothing() {
    let ground: Vec<(i32, i32)> = (-4..4).map(|x| (x, -1)).collect();
    for (of, way) in pairs([block, crate_at], [(-0.0625, 0.0), (0.0, 0.0625), (0.0, -0.0625)]) {
        let bodies = [of(0.5, 0.5), of(0.5, 1.5)];
        Stage::falling(&ground).with(&[wall(-1.0, 1.25, 1, 2)], &bodies).check(3, &[way], |tick| {
            let [x, y] = [way.0, way.1].map(|way| way * f64::from(tick));
            found(&[(0.5, 0.5), (0.5, 1.5)], &[(x - 1.0, y + 1.25)], &[])
        });
    }
}

/// A wall of the map touches the whole stack from the side, and blocks nothing.
#[test]
fn a_stack_on_a_lift_slides_along_a_wall() {
    let terrain: Vec<(i32, i32)> = (-3..6).map(|y| (2, y)).collect();
    for (of, way) in pairs([block, crate_at], [0.0625, -0.0625]) {
        let bodies = [of(1.5, 0.5), of(1.5, 1.5)];
        Stage::falling(&terrain).with(&[wall(0.0, -1.0, 2, 1)], &bodies).check(8, &[(0.0, way)], |tick| {
            let way = way * f64::from(tick);
            found(&[(1.5, way + 0.5), (1.5, way + 1.5)], &[(0.0, way - 1.0)], &[])
        });
    }
}

/// A world with a platform of eight tiles whose top is at 21, and a stack of two crates asleep on it.
fn ride(map: Map) -> (World, PlatformId, [BodyId; 2]) {
    let lift = rows(&map, &["########"], 20.0, 20.0);
    let mut world = World::new(map, Settings::default());
    let lift = world.spawn_platform(lift).unwrap();
    let ids = spawn(&mut world, [crate_at(24.5, 21.5), crate_at(24.5, 22.5)]);
    steps(&mut world, 40);
    (world, lift, ids)
}

/// 1/8 tile per tick is 7.5 tiles per second, whether or not any body of the world is awake.
#[test]
fn sleeping_crates_on_a_platform_have_its_velocity() {
    for is_awake in [true, false] {
        let (mut world, lift, ids) = ride(floor());
        if is_awake {
            spawn(&mut world, [hero_at(0.0, 1.45)]);
            steps(&mut world, 10);
        }
        for tick in 1..=12 {
            let moves = tick <= 6;
            if moves {
                let to = world.platform(lift).unwrap().position() + position(0.125, 0.0).units();
                world.drive_platform(lift, to).unwrap();
            }
            world.step();
            for id in ids {
                let what = format!("awake: {is_awake}, tick {tick}");
                assert_eq!(world[id].relative_velocity().abs(), DVec2::ZERO, "{what}");
                let expected = DVec2::new(if moves { 7.5 } else { 0.0 }, 0.0);
                assert_eq!(world[id].velocity() + DVec2::ZERO, expected, "{what}");
            }
        }
    }
}

/// An overhang blocks the upper crate, while the platform moves the lower one away under it. After 1.5 tiles, in 12
/// ticks, the upper crate falls from 22.5 to 21.5, onto the platform.
#[test]
fn a_crate_whose_base_a_platform_takes_away_falls() {
    let mut parts = floor().into_parts();
    let full = parts.layers[0].cells[0];
    // Fill the cell at (25, 22), whose left side is at the upper crate's right side.
    parts.layers[0].cells[22 * 200 + 125] = full;
    let (mut world, lift, [lower, upper]) = ride(Map::from_parts(parts).unwrap());
    for _ in 0..12 {
        let to = world.platform(lift).unwrap().position() + position(0.125, 0.0).units();
        world.drive_platform(lift, to).unwrap();
        world.step();
    }
    assert_eq!(world[lower].position(), position(26.0, 21.5));
    steps(&mut world, 60);
    assert_eq!(world[lower].position(), position(26.0, 21.5));
    assert_eq!(world[upper].position().units().y, position(0.0, 21.5).units().y);
}

/// A plank lies on two crates, equally far from its middle, each on its own platform. It moves with the slower one. If
/// the faster one is nearer then, it moves with that one, after which both are equally near again. If the crates move
/// apart, it moves with neither. The order of spawning does not matter.
#[test]
fn a_plank_across_two_platforms_moves_by_what_both_have_in_common() {
    let cases = [
        ((0.125, 0.0625), (0.0625, 0.125)),
        ((0.0625, 0.125), (0.0625, 0.0625)),
        ((-0.125, -0.0625), (-0.0625, -0.0625)),
        ((-0.0625, 0.0625), (0.0, 0.0)),
    ];
    for (((left, right), (first, then)), order) in pairs(cases, [[0, 1], [1, 0]]) {
        let map = floor();
        let platform = |i: usize| rows(&map, &["##"], [18.0, 22.0][i], 20.0);
        let platforms = order.map(platform);
        let mut world = World::new(map.clone(), Settings::default());
        let lifts = platforms.map(|platform| world.spawn_platform(platform).unwrap());
        let crates = order.map(|i| crate_at([19.0, 23.0][i], 21.5));
        let ids = spawn(&mut world, crates);
        let plank = Body { shape: Shape::aabb(2.5, 0.5), ..crate_at(21.0, 22.5) };
        let [plank] = spawn(&mut world, [plank]);
        steps(&mut world, 40);
        let mut way = 0.0;
        for tick in 1..=8 {
            for (lift, i) in lifts.into_iter().zip(order) {
                let to = world.platform(lift).unwrap().position() + position([left, right][i], 0.0).units();
                world.drive_platform(lift, to).unwrap();
            }
            world.step();
            let what = format!("{left} {right} {order:?} tick {tick}");
            for (id, i) in ids.into_iter().zip(order) {
                let way = [left, right][i] * f64::from(tick);
                assert_eq!(world[id].position(), position([19.0, 23.0][i] + way, 21.5), "{what}");
            }
            way += if tick % 2 == 1 { first } else { then };
            assert_eq!(world[plank].position(), position(21.0 + way, 22.5), "{what}");
            let next = if tick % 2 == 1 { then } else { first };
            assert_eq!(world[plank].velocity() + DVec2::ZERO, DVec2::new(60.0 * next, 0.0), "{what}");
        }
    }
}

/// The event for a crate that sleeps on a platform of eight tiles, whose top is at 21 and whose left side is at 20.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cause {
    /// The platform is removed, teleported, or crumbles.
    Removed,
    Teleported,
    Crumbles,
    /// The platform moves sideways by 1/8 tile per tick, and stops after ten ticks.
    Carried,
    /// The platform presses the crate against terrain nine tiles above its top, by 1/4 tile per tick, and moves on.
    Pressed,
    /// A wall from the left pushes the crate over the edge, by 1/8 tile per tick.
    PushedOff,
    /// The crate lies on the ground, which is then removed.
    Dug,
}

/// Runs a single sleeping crate, with or without a collision mask. Returns its position and velocity after each tick.
fn run(done: Cause, meets: bool) -> Vec<(Position, DVec2)> {
    let mut parts = floor().into_parts();
    let full = parts.layers[0].cells[0];
    parts.layers[0].cells[30 * 200 + 115..30 * 200 + 135].fill(full);
    let map = Map::from_parts(parts).unwrap();
    let mut lift = rows(&map, &["########"], 20.0, 20.0);
    if done == Cause::Crumbles {
        lift = lift.on_ride(OnRide::Crumble { delay: 1.0, respawn_time: None });
    }
    let lift = lift.on_crush(if done == Cause::Pressed { OnCrush::PassThrough } else { OnCrush::Stop });
    let wall = rows(&map, &["#", "#"], 22.5, 21.0);
    let mut world = World::new(map, Settings::default());
    let lift = world.spawn_platform(lift).unwrap();
    let mask = if meets { CollisionLayers::ALL } else { CollisionLayers::NONE };
    let y = if done == Cause::Dug { 1.5 } else { 21.5 };
    let [id] = spawn(&mut world, [crate_at(24.5, y).collision_mask(mask)]);
    steps(&mut world, 40);
    let wall = (done == Cause::PushedOff).then(|| world.spawn_platform(wall).unwrap());
    let drive = |world: &mut World, platform: PlatformId, way: (f64, f64)| {
        let to = world.platform(platform).unwrap().position() + position(way.0, way.1).units();
        world.drive_platform(platform, to).unwrap();
    };
    let mut seen = Vec::new();
    for tick in 0..60 {
        match done {
            Cause::Removed if tick == 0 => world.despawn_platform(lift).unwrap(),
            Cause::Teleported if tick == 0 => world.teleport_platform(lift, (50.0, 25.0)).unwrap(),
            Cause::Dug if tick == 0 => (20..30).for_each(|x| world.set_tile(0, (x, 0), TileId::EMPTY).unwrap()),
            Cause::Carried if tick < 10 => drive(&mut world, lift, (0.125, 0.0)),
            Cause::Pressed if tick < 40 => drive(&mut world, lift, (0.0, 0.25)),
            Cause::PushedOff if tick < 40 => drive(&mut world, wall.unwrap(), (0.125, 0.0)),
            _ => {}
        }
        world.step();
        seen.push((world[id].position(), world[id].velocity() + DVec2::ZERO));
    }
    seen
}

/// A crate that may collide with others but has none nearby moves as a crate without a mask, bit for bit, asleep or
/// not. Without ground, it falls by 20 t^2.
#[test]
fn platforms_move_a_sleeping_crate_as_one_without_a_mask() {
    let mut differ = Vec::new();
    for done in [
        Cause::Removed,
        Cause::Teleported,
        Cause::Crumbles,
        Cause::Carried,
        Cause::Pressed,
        Cause::PushedOff,
        Cause::Dug,
    ] {
        let (alone, meets) = (run(done, false), run(done, true));
        if matches!(done, Cause::Removed | Cause::Teleported) {
            // In 30 ticks, the body falls by 20 t^2 = 5 tiles.
            assert!((alone[29].0.to_dvec2().y - 16.5).abs() < 1e-7, "{:?}", alone[29]);
        }
        if let Some(tick) = (0..alone.len()).find(|tick| alone[*tick] != meets[*tick]) {
            differ.push(format!("{done:?}: {:?} and not {:?} in tick {tick}", meets[tick], alone[tick]));
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}

/// With any bounce, the total momentum after all impacts is that of the first body.
#[test]
fn a_rack_of_three_keeps_the_momentum() {
    for bounce in [0.0, 0.5, 0.8, 1.0] {
        let mut world = floating(&[]);
        let ids = rack(&mut world, 2, bounce);
        for tick in 1..=20 {
            world.step();
            let momentum: DVec2 = ids.iter().map(|id| world[*id].velocity()).sum();
            let error = (momentum - DVec2::new(30.0, 0.0)).length();
            assert!(error < 1e-9, "bounce {bounce}, tick {tick}: {momentum}");
        }
    }
}

/// A floor with a column of cells at x = 25.
fn floor_with_column(heights: std::ops::Range<usize>) -> Map {
    let mut parts = floor().into_parts();
    let full = parts.layers[0].cells[0];
    for y in heights {
        parts.layers[0].cells[y * 200 + 125] = full;
    }
    Map::from_parts(parts).unwrap()
}

/// A character lands next to a wall, on a platform that moves towards the wall. Its velocity in the world is zero, and
/// the platform pushes it into the wall: it does not leave the wall.
#[test]
fn a_character_that_lands_beside_a_wall_on_a_platform_stays_there() {
    let (mut world, [lift]) = with_platforms(World::new(floor_with_column(20..25), Settings::default()), |map| {
        [rows(map, &["########"], 17.0, 19.0)]
    });
    let [hero] = spawn(&mut world, [block(24.5, 20.75)]);
    for _ in 1..=30 {
        let to = world.platform(lift).unwrap().position() + I64Vec2::new(ONE / 4, 0);
        world.drive_platform(lift, to).unwrap();
        world.step();
        assert_eq!(world[hero].position().units().x, position(24.5, 0.0).units().x);
    }
}

/// A character at a wall walks away from it, on a platform that moves into the wall.
/// - It walks half of 1/8 tile in the first tick, in which it speeds up, then 1/8 per tick.
/// - Against a platform at 1/4 it stays at the wall; against 1/16 it leaves with the difference.
///
/// Alone and among bodies that collide with it.
#[test]
fn a_rider_walks_off_a_wall_at_its_speed_in_the_world() {
    for (mask, (into, first, then)) in pairs(MASKS, [(0.25, 0.0, 0.0), (0.0625, 0.0, 0.0625), (0.0, 0.0625, 0.125)]) {
        let (mut world, [lift]) = with_platforms(World::new(floor_with_column(20..25), Settings::default()), |map| {
            [rows(map, &["################"], 9.0, 19.0)]
        });
        let character = Character { walk_speed: 7.5, ground_acceleration: 1e6, ..Character::default() };
        let rider = block(24.5, 20.5).character(character).collision_mask(mask);
        // A crate on the rider's head makes the solver move the rider with the others, if the two collide.
        let [rider, _] = spawn(&mut world, [rider, crate_at(24.5, 21.25).collision_mask(mask)]);
        steps(&mut world, 5);
        world.set_input(rider, Input::walk(-1.0));
        for tick in 1..=8 {
            let to = world.platform(lift).unwrap().position() + position(into, 0.0).units();
            world.drive_platform(lift, to).unwrap();
            world.step();
            let at = position(24.5 - first - then * f64::from(tick - 1), 20.5);
            let off = (world[rider].position() - at).abs().max_element();
            assert!(off <= 2, "{mask:?} {into} tick {tick}: {} and not {at}", world[rider].position());
        }
    }
}

/// A ball is known to be clear of a lift's range until another ball knocks it there, against a wall, within one tick.
/// The lift's top is then at the ball's foot, and it lifts the ball in the next tick.
#[test]
fn a_ball_knocked_into_the_path_of_a_lift_is_lifted() {
    let map = floor_with_column(10..40);
    let path = Path {
        points: vec![Position::ORIGIN, position(0.0, 40.0)],
        timing: PathTiming::Speed(30.0),
        ..Path::default()
    };
    let lift = rows(&map, &["###"], 22.0, 10.0).path(path);
    let mut world = World::new(map, Settings { gravity: DVec2::ZERO, ..Settings::default() });
    world.spawn_platform(lift).unwrap();
    // The thrown ball moves 20 tiles per tick, and hits the other ball after three tenths of tick 18. Then both move on
    // at half of that speed, by 4.75 tiles to the wall.
    let thrown = ball_at(0.25, 19.5 - 20.0 * 17.3, 20.25).velocity((1200.0, 0.0));
    let [still, _] = spawn(&mut world, [ball_at(0.25, 20.0, 20.25), thrown]);
    for tick in 1..=19 {
        world.step();
        let height = if tick < 19 { 20.25 } else { 20.75 };
        assert_eq!(world[still].position().to_dvec2().y, height, "tick {tick}: {}", world[still].position());
    }
    assert_eq!(world[still].position().to_dvec2().x, 24.75);
}
