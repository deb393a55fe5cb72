//! Jumps shortly after a platform has stopped or turned back, and the velocity that they inherit.

use crate::scene::{Canvas, map_with, position};
use crate::symmetry::Symmetry;
use surefoot::body::PlatformVelocity;
use surefoot::map::{TileId, TileLayer};
use surefoot::platform::{Path, PathTiming, Platform, PlatformId, Repeat};
use surefoot::prelude::*;
use surefoot::{Input, Map, World, geometry::DVec2};

/// Upward speed left after the first tick of a jump with 16.
const RISES: f64 = 16.0 - 40.0 / 60.0;

/// Two blocks side by side, with the lower left corner of the left one at the origin, and an empty map, in a symmetry.
fn blocks(symmetry: Symmetry) -> (Map, TileLayer) {
    let mut parts = Canvas::rows(&["##"], "").map(symmetry).into_parts();
    let layer = parts.layers[0].clone();
    parts.layers[0].cells.fill(TileId::EMPTY);
    (Map::from_parts(parts).unwrap(), layer)
}

/// A platform with tiles at (0, 0) and (1, 0) that moves for 60 ticks, and a character on it with a grace of 6 ticks.
fn ride(symmetry: Symmetry, lift: PlatformVelocity, velocity: DVec2, repeat: Repeat) -> (World, PlatformId, BodyId) {
    let (map, layer) = blocks(symmetry);
    let way = symmetry.position(position(velocity.x, velocity.y));
    let pace = PathTiming::Speed(velocity.length());
    let path = Path { points: vec![Position::ORIGIN, way], timing: pace, repeat, ..Path::default() };
    let mut world = World::new(map, symmetry.settings());
    let platform = world.spawn_platform(Platform::new(vec![layer]).path(path)).unwrap();
    let character = Character { platform_velocity: lift, platform_velocity_grace: 0.1, ..Character::default() };
    let body = Body::new(symmetry.shape(Shape::aabb(0.35, 0.45))).character(character);
    let hero = world.spawn(body.at(symmetry.position(position(1.0, 1.45)))).unwrap();
    (world, platform, hero)
}

fn taken(lift: PlatformVelocity, velocity: DVec2) -> DVec2 {
    match lift {
        PlatformVelocity::All => velocity,
        PlatformVelocity::Upward => DVec2::Y * velocity.y.max(0.0),
        PlatformVelocity::None => DVec2::ZERO,
    }
}

const LIFTS: [PlatformVelocity; 3] = [PlatformVelocity::All, PlatformVelocity::Upward, PlatformVelocity::None];
const VELOCITIES: [(f64, f64); 5] = [(0.0, 8.0), (6.0, 0.0), (6.0, 8.0), (-3.0, 4.0), (4.0, -3.0)];

/// The symmetries that give all four directions of `up`.
fn up_symmetries() -> impl Iterator<Item = Symmetry> {
    Symmetry::all().filter(|symmetry| !symmetry.0.mirrored())
}

/// Returns the velocity after a tick in which the hero jumps, with the symmetry undone.
fn jump(world: &mut World, symmetry: Symmetry, hero: BodyId) -> DVec2 {
    world.set_input(hero, Input { jump: true, ..Input::default() });
    world.step();
    symmetry.inverse().velocity(world[hero].velocity())
}

/// The platform moves for 60 ticks and stops: at the end of its path, by a command, or because it is driven to its own
/// position. A jump in the next six ticks inherits the part of the previous velocity that its character selects, in the
/// seventh nothing.
#[test]
fn a_late_jump_inherits_what_its_character_selects() {
    for symmetry in up_symmetries() {
        for lift in LIFTS {
            for velocity in VELOCITIES.map(DVec2::from) {
                for stops in ["at the end", "told to", "driven"] {
                    for late in [0, 1, 6, 7] {
                        let repeat = if stops == "at the end" { Repeat::Once } else { Repeat::PingPong };
                        let (mut world, platform, hero) = ride(symmetry, lift, velocity, repeat);
                        for tick in 1..60 + late {
                            if tick == 61 && stops == "told to" {
                                world.pause_platform(platform).unwrap();
                            }
                            if tick > 60 && stops == "driven" {
                                let stays = world.platform(platform).unwrap().position();
                                world.drive_platform(platform, stays).unwrap();
                            }
                            world.step();
                        }
                        // The last tick before the jump has its own velocity.
                        match stops {
                            "told to" if late == 0 => world.resume_platform(platform).unwrap(),
                            "told to" => world.pause_platform(platform).unwrap(),
                            "driven" if late > 0 => {
                                let stays = world.platform(platform).unwrap().position();
                                world.drive_platform(platform, stays).unwrap();
                            }
                            _ => {}
                        }
                        let kept = if late <= 6 { taken(lift, velocity) } else { DVec2::ZERO };
                        let found = jump(&mut world, symmetry, hero);
                        let what = format!("{symmetry:?} {lift:?} {velocity} {stops} {late}");
                        assert!((found - kept - DVec2::Y * RISES).length() < 1e-7, "{what}: {found}");
                    }
                }
            }
        }
    }
}

/// A platform that has turned back moves: its current velocity counts, however recently it turned.
#[test]
fn a_jump_after_a_turn_inherits_the_new_velocity() {
    for symmetry in up_symmetries() {
        for lift in LIFTS {
            for velocity in VELOCITIES.map(DVec2::from) {
                for late in [1, 2, 6, 30] {
                    let (mut world, _, hero) = ride(symmetry, lift, velocity, Repeat::PingPong);
                    (1..60 + late).for_each(|_| world.step());
                    let found = jump(&mut world, symmetry, hero);
                    let what = format!("{symmetry:?} {lift:?} {velocity} {late}");
                    let expected = taken(lift, -velocity) + DVec2::Y * RISES;
                    assert!((found - expected).length() < 1e-7, "{what}: {found}");
                }
            }
        }
    }
}

/// 7.5 tiles per second are 1/8 tile per tick. A crate of 1.8 tiles on the lift reaches a block after eight ticks. In
/// the ninth no room is left: the lift stops, and its last velocity was that of the tick before.
#[test]
fn a_jump_off_a_lift_stopped_by_a_crush_inherits_its_velocity() {
    for lift in LIFTS {
        for late in [0, 1, 6, 7] {
            let map = map_with(&[".."], "");
            let path = Path {
                points: vec![Position::ORIGIN, position(0.0, 7.5)],
                timing: PathTiming::Speed(7.5),
                ..Path::default()
            };
            let lift_up = Platform::from_rows(&map, ["####"]).unwrap().path(path);
            let block = Platform::from_rows(&map, ["#"]).unwrap().at((0.0, 3.75));
            let mut world = World::new(map, Settings::default());
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
            let upright = Symmetry(Placement::default());
            let found = jump(&mut world, upright, hero);
            let kept = if late <= 6 { taken(lift, DVec2::Y * 7.5) } else { DVec2::ZERO };
            assert!((found - kept - DVec2::Y * RISES).length() < 1e-7, "{lift:?} {late}: {found}");
        }
    }
}

/// No platform is left to jump off. The rider keeps the velocity that its platform has at that moment, whatever its
/// character selects, and cannot jump in the air.
#[test]
fn a_rider_of_a_removed_platform_keeps_the_velocity_of_that_moment() {
    for symmetry in up_symmetries() {
        for lift in LIFTS {
            for velocity in VELOCITIES.map(DVec2::from) {
                for late in [0, 2] {
                    let (mut world, platform, hero) = ride(symmetry, lift, velocity, Repeat::Once);
                    (0..60 + late).for_each(|_| world.step());
                    world.despawn_platform(platform).unwrap();
                    let kept = if late == 0 { velocity } else { DVec2::ZERO };
                    let found = symmetry.inverse().velocity(world[hero].velocity());
                    let what = format!("{symmetry:?} {lift:?} {velocity} {late}");
                    assert!((found - kept).length() < 1e-7, "{what}: {found}");
                    let found = jump(&mut world, symmetry, hero);
                    assert!((found - kept + DVec2::Y * 40.0 / 60.0).length() < 1e-7, "{what}: {found}");
                }
            }
        }
    }
}

/// Ticks of hit stop do not count towards the six: a jump after them inherits as much as one without them.
#[test]
fn hit_stop_does_not_count_towards_the_grace() {
    for symmetry in up_symmetries() {
        for (late, taken) in [(1, true), (6, true), (7, false)] {
            let velocity = DVec2::new(0.0, 8.0);
            let (mut world, _, hero) = ride(symmetry, PlatformVelocity::All, velocity, Repeat::Once);
            (1..60 + late).for_each(|_| world.step());
            let mut stopped = world.clone();
            stopped.hit_stop(hero, 20).unwrap();
            (0..20).for_each(|_| stopped.step());
            let [plain, found] = [world, stopped].map(|mut world| jump(&mut world, symmetry, hero));
            let jumps = Character::default().jump_height * 2.0 * 40.0;
            let expected = jumps.sqrt() - 40.0 / 60.0 + if taken { 8.0 } else { 0.0 };
            assert!((found.y - expected).abs() < 1e-6, "{symmetry:?} {late}: {found} {expected}");
            assert!((plain - found).length() < 1e-9, "{symmetry:?} {late}: {plain} {found}");
        }
    }
}
