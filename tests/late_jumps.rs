//! Jumps shortly after a platform has stopped or turned back, and the velocity that they inherit.

use crate::scene::{map_with, position};
use crate::table::{Run, Way, all_ways_of, pairs, triples};
use surefoot::body::PlatformVelocity;
use surefoot::platform::{Path, PathTiming, Platform, PlatformId, Repeat};
use surefoot::prelude::*;
use surefoot::{Input, geometry::DVec2};

/// Upward speed left after the first tick of a jump with 16.
const RISES: f64 = 16.0 - 40.0 / 60.0;

/// An empty map and a platform with tiles at (0, 0) and (1, 0) that moves for 60 ticks, and a character on it with a
/// grace of 6 ticks.
fn ride(way: &Way, lift: PlatformVelocity, velocity: DVec2, repeat: Repeat) -> (Run, PlatformId, BodyId) {
    let map = map_with(&[".."], "");
    let points = vec![Position::ORIGIN, position(velocity.x, velocity.y)];
    let path = Path { points, timing: PathTiming::Speed(velocity.length()), repeat, ..Path::default() };
    let platform = Platform::from_rows(&map, ["##"]).unwrap().path(path);
    let mut world = way.world(map, Settings::default());
    let platform = world.spawn_platform(platform).unwrap();
    let character = Character { platform_velocity: lift, platform_velocity_grace: 0.1, ..Character::default() };
    let hero = world.spawn(Body::new(Shape::aabb(0.35, 0.45)).character(character).at((1.0, 1.45))).unwrap();
    (world, platform, hero)
}

/// Returns the part of a platform's velocity that a jump inherits.
pub fn inherited_velocity(lift: PlatformVelocity, velocity: DVec2) -> DVec2 {
    match lift {
        PlatformVelocity::All => velocity,
        PlatformVelocity::Upward => DVec2::Y * velocity.y.max(0.0),
        PlatformVelocity::None => DVec2::ZERO,
    }
}

pub const LIFTS: [PlatformVelocity; 3] = [PlatformVelocity::All, PlatformVelocity::Upward, PlatformVelocity::None];
const VELOCITIES: [(f64, f64); 5] = [(0.0, 8.0), (6.0, 0.0), (6.0, 8.0), (-3.0, 4.0), (4.0, -3.0)];

/// Returns the velocity after a tick in which the hero jumps.
fn jump(world: &mut Run, hero: BodyId) -> DVec2 {
    world.set_input(hero, Input { jump: true, ..Input::default() });
    world.step();
    world[hero].velocity()
}

/// The platform moves for 60 ticks and stops: at the end of its path, by a command, or because it is driven to its own
/// position. A jump in the next six ticks inherits the part of the previous velocity that its character selects, in the
/// seventh nothing.
#[test]
fn a_late_jump_inherits_what_its_character_selects() {
    let rides = triples(LIFTS, VELOCITIES.map(DVec2::from), ["at the end", "told to", "driven"]);
    all_ways_of(rides, |way, (lift, velocity, stops)| {
        for late in [0, 1, 6, 7] {
            let repeat = if stops == "at the end" { Repeat::Once } else { Repeat::PingPong };
            let (mut world, platform, hero) = ride(way, lift, velocity, repeat);
            for tick in 1..60 + late {
                if tick == 61 && stops == "told to" {
                    world.pause_platform(platform).unwrap();
                }
                if tick > 60 && stops == "driven" {
                    let stays = world.platform_at(platform);
                    world.drive_platform(platform, stays).unwrap();
                }
                world.step();
            }
            // Also command the platform for the tick of the jump itself.
            match stops {
                "told to" if late == 0 => world.resume_platform(platform).unwrap(),
                "told to" => world.pause_platform(platform).unwrap(),
                "driven" if late > 0 => {
                    let stays = world.platform_at(platform);
                    world.drive_platform(platform, stays).unwrap();
                }
                _ => {}
            }
            let kept = if late <= 6 { inherited_velocity(lift, velocity) } else { DVec2::ZERO };
            let found = jump(&mut world, hero);
            let what = format!("{lift:?} {velocity} {stops} {late}");
            assert!((found - kept - DVec2::Y * RISES).length() < 1e-7, "{what}: {found}");
        }
    });
}

/// A platform that has turned back moves: its current velocity counts, however recently it turned.
#[test]
fn a_jump_after_a_turn_inherits_the_new_velocity() {
    all_ways_of(triples(LIFTS, VELOCITIES.map(DVec2::from), [1, 2, 6, 30]), |way, (lift, velocity, late)| {
        let (mut world, _, hero) = ride(way, lift, velocity, Repeat::PingPong);
        (1..60 + late).for_each(|_| world.step());
        let found = jump(&mut world, hero);
        let what = format!("{lift:?} {velocity} {late}");
        let expected = inherited_velocity(lift, -velocity) + DVec2::Y * RISES;
        assert!((found - expected).length() < 1e-7, "{what}: {found}");
    });
}

/// 7.5 tiles per second are 1/8 tile per tick. A crate of 1.8 tiles on the lift reaches a block after eight ticks. In
/// the ninth no room is left: the lift stops, and its last velocity was that of the tick before.
#[test]
fn a_jump_off_a_lift_stopped_by_a_crush_inherits_its_velocity() {
    all_ways_of(pairs(LIFTS, [0, 1, 6, 7]), |way, (lift, late)| {
        let map = map_with(&[".."], "");
        let path = Path {
            points: vec![Position::ORIGIN, position(0.0, 7.5)],
            timing: PathTiming::Speed(7.5),
            ..Path::default()
        };
        let lift_up = Platform::from_rows(&map, ["####"]).unwrap().path(path);
        let block = Platform::from_rows(&map, ["#"]).unwrap().at((0.0, 3.75));
        let mut world = way.world(map, Settings::default());
        let lift_up = world.spawn_platform(lift_up).unwrap();
        world.spawn_platform(block).unwrap();
        world.spawn(Body::new(Shape::aabb(0.25, 0.875)).at((0.5, 1.875))).unwrap();
        let character = Character { platform_velocity: lift, platform_velocity_grace: 0.1, ..Character::default() };
        let hero = Body::new(Shape::aabb(0.35, 0.45)).character(character);
        let hero = world.spawn(hero.at((3.0, 1.45))).unwrap();
        for tick in 1..8 + late {
            world.step();
            assert_eq!(world.platform(lift_up).unwrap().is_blocked(), tick > 8, "tick {tick}");
        }
        let found = jump(&mut world, hero);
        let kept = if late <= 6 { inherited_velocity(lift, DVec2::Y * 7.5) } else { DVec2::ZERO };
        assert!((found - kept - DVec2::Y * RISES).length() < 1e-7, "{lift:?} {late}: {found}");
    });
}

/// No platform is left to jump off. The rider keeps the velocity that its platform has at that moment, whatever its
/// character selects, and cannot jump in the air.
#[test]
fn a_rider_of_a_removed_platform_keeps_the_velocity_of_that_moment() {
    all_ways_of(triples(LIFTS, VELOCITIES.map(DVec2::from), [0, 2]), |way, (lift, velocity, late)| {
        let (mut world, platform, hero) = ride(way, lift, velocity, Repeat::Once);
        (0..60 + late).for_each(|_| world.step());
        world.despawn_platform(platform).unwrap();
        let kept = if late == 0 { velocity } else { DVec2::ZERO };
        let found = world[hero].velocity();
        let what = format!("{lift:?} {velocity} {late}");
        assert!((found - kept).length() < 1e-7, "{what}: {found}");
        let found = jump(&mut world, hero);
        assert!((found - kept + DVec2::Y * 40.0 / 60.0).length() < 1e-7, "{what}: {found}");
    });
}

/// Ticks of hit stop do not count towards the six: a jump after them inherits as much as one without them.
#[test]
fn hit_stop_does_not_count_towards_the_grace() {
    all_ways_of([(1, true), (6, true), (7, false)], |way, (late, taken)| {
        let velocity = DVec2::new(0.0, 8.0);
        let (mut world, _, hero) = ride(way, PlatformVelocity::All, velocity, Repeat::Once);
        (1..60 + late).for_each(|_| world.step());
        let mut stopped = world.twin();
        stopped.hit_stop(hero, 20).unwrap();
        (0..20).for_each(|_| stopped.step());
        let [plain, found] = [world, stopped].map(|mut world| jump(&mut world, hero));
        let jumps = Character::default().jump_height * 2.0 * 40.0;
        let expected = jumps.sqrt() - 40.0 / 60.0 + if taken { 8.0 } else { 0.0 };
        assert!((found.y - expected).abs() < 1e-6, "{late}: {found} {expected}");
        assert!((plain - found).length() < 1e-9, "{late}: {plain} {found}");
    });
}
