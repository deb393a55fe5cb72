//! Colliding bodies on and next to moving platforms.

use crate::bodies::{TICK, ball_at, crate_at, hero_at, spawn, steps};
use crate::body_laws::{Moment, assert_alike, brought_back, current_moment, describe_body, no_symmetry, seeds, turned};
use crate::body_plans::overlaps;
use crate::platform_plans::Plan;
use crate::platforms::{floor, path, rows};
use crate::scene::{I64Vec2, ONE, often, position};
use crate::symmetry::Symmetry;
use crate::table::{pairs, with_platforms};
use std::collections::BTreeSet;
use surefoot::map::CollisionLayers;
use surefoot::platform::{Path, PlatformId, Repeat};
use surefoot::prelude::*;
use surefoot::{Map, World, geometry::DVec2};

fn falling(map: Map) -> World {
    World::new(map, Settings::default().tick(TICK).gravity((0.0, -30.0)))
}

fn offset(world: &World, body: BodyId, platform: PlatformId) -> I64Vec2 {
    world[body].position().units() - world.platform(platform).unwrap().position().units()
}

/// Three crates and a character on a platform that moves vertically, horizontally or diagonally. The stack moves with
/// it by whole units, and sleeps while the platform waits.
#[test]
fn a_stack_on_a_platform_keeps_its_position_to_the_unit() {
    for (way, speed) in pairs([(0.0, 8.0), (8.0, 0.0), (-6.0, 6.0)], [1.0, 7.3, 20.0]) {
        let (mut world, [lift]) = with_platforms(falling(floor()), |map| {
            [rows(map, &["###"], 20.0, 20.0).path(path(&[(0.0, 0.0), way], speed))]
        });
        world.pause_platform(lift).unwrap();
        // The stack stands on the platform's top at y = 21. Upper bodies are shifted to the side.
        let stack = [crate_at(21.0, 21.5), crate_at(21.25, 22.5), crate_at(22.25, 21.5), hero_at(21.0, 23.45)];
        let stack = spawn(&mut world, stack);
        steps(&mut world, 20);
        let places = stack.map(|id| offset(&world, id, lift));
        let expected = [(1.0, 1.5), (1.25, 2.5), (2.25, 1.5), (1.0, 3.45)].map(|(x, y)| position(x, y).units());
        assert_eq!(places, expected);
        world.resume_platform(lift).unwrap();
        for tick in 1..=600 {
            world.step();
            assert_eq!(stack.map(|id| offset(&world, id, lift)), places, "{way:?} at {speed} in tick {tick}");
        }
    }
}

/// A crate lies on a crate that rides at 3.75 tiles per second. That is its velocity in the world, although it touches
/// no platform. After the platform is gone, it keeps the velocity and moves 1/16 tile per tick.
#[test]
fn a_body_on_a_rider_is_restored_with_its_velocity() {
    let (mut world, [sled]) = with_platforms(falling(floor()), |map| {
        [rows(map, &["###"], 0.0, 20.0).path(path(&[(0.0, 0.0), (60.0, 0.0)], 3.75))]
    });
    let ids = spawn(&mut world, [crate_at(1.5, 21.5), crate_at(1.5, 22.5)]);
    let upper = ids[1];
    steps(&mut world, 60);
    assert_eq!(world[upper].velocity(), DVec2::new(3.75, 0.0));
    for way in 0..4 {
        let (mut world, mut other) = (world.clone(), brought_back(world.clone(), way));
        assert_alike(&world, &other, &ids, "brought back");
        let before = world[upper].position();
        for world in [&mut world, &mut other] {
            world.despawn_platform(sled).unwrap();
        }
        for tick in 1..=20 {
            world.step();
            other.step();
            assert_alike(&world, &other, &ids, &format!("{way} tick {tick}"));
            assert_eq!((other[upper].position() - before).x, tick * ONE / 16, "{way} tick {tick}");
        }
    }
}

/// A crate lies on a crate that rides at 3.75 tiles per second, until the lower crate is gone. The upper crate keeps
/// the velocity and moves 1/16 tile per tick.
#[test]
fn a_body_keeps_the_velocity_of_a_removed_rider() {
    type TakeAway = fn(&mut World, [BodyId; 2]);
    let takes_away: [(&str, TakeAway); 5] = [
        ("removed", |world, [lower, _]| world.despawn(lower).map(drop).unwrap()),
        ("removed after its platform", |world, [lower, _]| {
            let sled = world.platforms().next().unwrap().0;
            world.despawn_platform(sled).unwrap();
            world.step();
            world.despawn(lower).map(drop).unwrap();
        }),
        ("teleported", |world, [lower, _]| world.teleport(lower, position(50.0, 3.0)).unwrap()),
        ("met no more", |world, [lower, _]| world.set_collision_mask(lower, CollisionLayers::NONE).unwrap()),
        ("meeting no more", |world, [_, upper]| world.set_collision_mask(upper, CollisionLayers::NONE).unwrap()),
    ];
    for (how, take_away) in takes_away {
        let map = floor();
        let sled = rows(&map, &["###"], 0.0, 20.0).path(path(&[(0.0, 0.0), (60.0, 0.0)], 3.75));
        let mut world = falling(map);
        world.spawn_platform(sled).unwrap();
        let ids = spawn(&mut world, [crate_at(1.5, 21.5), crate_at(1.5, 22.5)]);
        steps(&mut world, 60);
        take_away(&mut world, ids);
        let before = world[ids[1]].position();
        for tick in 1..=10 {
            world.step();
            assert_eq!(world[ids[1]].velocity().x, 3.75, "{how}, tick {tick}");
            assert_eq!((world[ids[1]].position() - before).x, tick * ONE / 16, "{how}, tick {tick}");
        }
    }
}

/// Two crates without friction, half a tile wide and high, lie on a plank. A ram at a tile per tick pushes the first
/// one by half a tile and gives it 60 tiles per second. The second one is 0.4 tiles further. They collide at 0.8 of the
/// tick and continue with half the speed: the second one moves 30 / 60 of the remaining 0.2.
#[test]
fn a_body_thrown_by_a_platform_hits_a_distant_body() {
    let (mut world, [ram]) = with_platforms(falling(floor()), |map| [rows(map, &["#"], 0.0, 1.375)]);
    let small = |x: f64| Body { shape: Shape::aabb(0.25, 0.25), ..crate_at(x, 1.5).friction(0.0) };
    let plank = Body { shape: Shape::aabb(3.0, 0.125), ..crate_at(4.5, 1.125) };
    let [plank, first, second] = spawn(&mut world, [plank, small(1.75), small(3.15)]);
    steps(&mut world, 20);
    world.drive_platform(ram, position(1.0, 1.375)).unwrap();
    world.step();
    let gap = world[second].position().units().x - world[first].position().units().x - ONE / 2;
    assert!(gap >= 0, "{gap}");
    for (id, x, speed) in [(plank, 4.5, 0.0), (first, 2.65, 30.0), (second, 3.25, 30.0)] {
        let body = &world[id];
        assert!((body.position().to_dvec2().x - x).abs() < 1e-6, "{body:?}");
        assert!((body.velocity() - DVec2::new(speed, 0.0)).length() < 1e-6, "{body:?}");
    }
}

/// A world with a ram at 60 tiles per second that reaches x = 2.
fn world_after_ramming<const N: usize>(balls: [Body; N]) -> (World, [BodyId; N]) {
    let (mut world, [ram]) =
        with_platforms(World::new(floor(), Settings::default().tick(TICK).gravity((0.0, 0.0))), |map| {
            [rows(map, &["#"], 0.0, 5.0)]
        });
    let ids = spawn(&mut world, balls);
    world.drive_platform(ram, position(1.0, 5.0)).unwrap();
    world.step();
    (world, ids)
}

fn is_at(world: &World, id: BodyId, x: f64, speed: f64) -> bool {
    let body = &world[id];
    (body.position().to_dvec2().x - x).abs() < 1e-6 && (body.velocity().x - speed).abs() < 1e-6
}

/// A ball whose left side is at 2.25 flies at the ram as fast as the ram moves.
/// - The ball hits the ram after a quarter of the tick. It leaves at 180 tiles per second, three tiles per tick.
/// - Its right side moves from 2.5 to 4.25, where another ball begins, in 1.75 / 3 of a tick: at 5 / 6 of the tick.
/// - That ball leaves at 180 in its place and moves half a tile.
///
/// The first ball must search for other bodies that far, although its own speed covers only one tile.
#[test]
fn a_body_bounced_by_a_platform_hits_a_distant_body() {
    let balls = [(2.5, -60.0), (4.5, 0.0)];
    let (world, ids) =
        world_after_ramming(balls.map(|(x, speed)| ball_at(0.25, x, 5.5).bounce(1.0).velocity((speed, 0.0))));
    assert!(overlaps(&world, &ids).is_empty() && is_at(&world, ids[0], 4.0, 0.0), "{:?}", world[ids[0]]);
    assert!(is_at(&world, ids[1], 5.0, 180.0), "{:?}", world[ids[1]]);
}

/// A heavy ball at three tiles per tick hits a light ball in the fifteenth tick. It throws the light ball nearly 5.5
/// tiles to x = 40, into the shaft of a platform that falls by 1.5 per tick. Until then no body was near that platform.
/// The platform's underside is at 21.25 at the end of the tick, and at 19.75 one tick later: it pushes the ball, whose
/// top is at 21, and which then moves on to the right.
#[test]
fn a_body_thrown_into_the_path_of_a_platform_is_pushed() {
    let (mut world, [hammer]) =
        with_platforms(World::new(floor(), Settings::default().tick(TICK).gravity((0.0, 0.0))), |map| {
            [rows(map, &["#"], 40.0, 43.75).path(path(&[(0.0, 0.0), (0.0, -30.0)], 90.0))]
        });
    let heavy = ball_at(0.5, -9.25, 20.0).bounce(1.0).mass(1e6).velocity((180.0, 0.0));
    let [_, light] = spawn(&mut world, [heavy, ball_at(1.0, 34.5, 20.0).bounce(1.0)]);
    steps(&mut world, 15);
    let at = world[light].position().to_dvec2();
    assert!((at - DVec2::new(40.0, 20.0)).length() < 0.001, "{at}");
    assert_eq!(world.platform(hammer).unwrap().position(), position(40.0, 21.25));
    world.step();
    assert!((world[light].position().to_dvec2().y - 18.75).abs() < 0.01, "{:?}", world[light]);
}

/// The gaps in the row are a quarter of a tile. A platform pushes any mass, each crate by whole units.
#[test]
fn a_platform_pushes_a_row_of_any_mass() {
    let map = floor();
    let way = Path { repeat: Repeat::Once, ..path(&[(0.0, 0.0), (9.0, 0.0)], 3.0) };
    let ram = rows(&map, &["#"], 0.0, 1.0).path(way);
    let mut world = falling(map);
    let ram = world.spawn_platform(ram).unwrap();
    let row = [(2.0, 1.5), (3.25, 1.5), (4.5, 1.5), (5.75, 1.5)].map(|(x, y)| crate_at(x, y).mass(100.0));
    let row = spawn(&mut world, row);
    let [top] = spawn(&mut world, [crate_at(2.25, 2.5)]);
    let mut touched = false;
    for tick in 1..=180 {
        world.step();
        let gap = offset(&world, row[0], ram).x - ONE - ONE / 2;
        touched |= gap == 0;
        assert!(gap >= 0 && (!touched || gap == 0), "{gap} units in tick {tick}");
        for pair in row.windows(2) {
            assert!(world[pair[1]].position().units().x - world[pair[0]].position().units().x >= ONE, "tick {tick}");
        }
        let above = world[top].position().units() - world[row[0]].position().units();
        assert_eq!(above, I64Vec2::new(ONE / 4, ONE), "tick {tick}");
    }
    // The right side of the ram is at 10.
    assert_eq!(row.map(|id| world[id].position()), [10.5, 11.5, 12.5, 13.5].map(|x| position(x, 1.5)));
    // After the platform stops, a crate moves on at its speed of 3, for at most 9 / (2 x 0.6 x 30) = 0.25 tiles.
    steps(&mut world, 60);
    for (id, x) in row.into_iter().zip([10.5, 11.5, 12.5, 13.5]) {
        let slid = world[id].position().to_dvec2().x - x;
        assert!((0.0..=0.25 + 1e-6).contains(&slid) && world[id].velocity().abs() == DVec2::ZERO, "{slid}");
    }
}

/// A lift rises under a crate that stands half on the floor next to it, with another crate on top.
#[test]
fn a_lift_raises_a_stack() {
    let (mut world, [lift]) = with_platforms(falling(floor()), |map| {
        [rows(map, &["#"], 20.0, 0.5).path(path(&[(0.0, 0.0), (0.0, 4.0)], 4.0))]
    });
    let [lower, upper] = spawn(&mut world, [crate_at(20.5, 2.0), crate_at(20.75, 3.0)]);
    world.pause_platform(lift).unwrap();
    steps(&mut world, 20);
    world.resume_platform(lift).unwrap();
    for tick in 1..=240 {
        world.step();
        assert_eq!(offset(&world, lower, lift), position(0.5, 1.5).units(), "tick {tick}");
        assert_eq!(offset(&world, upper, lift), position(0.75, 2.5).units(), "tick {tick}");
    }
}

/// A plan of platforms and colliding bodies.
fn random_plan_with_collisions(seed: u64) -> Plan {
    let mut plan = Plan::of_seed(seed);
    for (body, _) in &mut plan.bodies {
        body.collision_mask = CollisionLayers::ALL;
        if let Some(character) = &mut body.character {
            character.max_push_mass = 2.0;
        }
    }
    plan
}

/// Bodies that a platform crushes may be passed through and pressed into others.
#[test]
fn no_tick_with_platforms_makes_bodies_overlap() {
    let mut broken = Vec::new();
    'plan: for seed in seeds(60, 11_001) {
        let plan = random_plan_with_collisions(seed);
        let (mut world, ids) = plan.world(no_symmetry(), (0, 0), false);
        let mut crushed = BTreeSet::new();
        for tick in 0..200 {
            plan.steer(&mut world, &ids, no_symmetry(), (0, 0));
            let (before, earlier) = (overlaps(&world, &ids), world.clone());
            world.step();
            let told = world.events().iter().filter(|event| matches!(event.kind, EventKind::Crushed { .. }));
            crushed.extend(told.filter_map(|event| ids.iter().position(|id| *id == event.body)));
            for pair in overlaps(&world, &ids) {
                let (a, b) = pair;
                if !before.contains(&pair) && !crushed.contains(&a) && !crushed.contains(&b) {
                    let both = [a, b].map(|i| {
                        format!("{}\nbefore: {}", describe_body(&world, &ids, i), describe_body(&earlier, &ids, i))
                    });
                    broken.push(format!("seed {seed} tick {tick}: these overlap:\n{}", both.join("\n")));
                    continue 'plan;
                }
            }
            assert!(ids.iter().all(|id| world[*id].velocity().is_finite()), "seed {seed} tick {tick}");
        }
    }
    assert!(broken.is_empty(), "{} plans: {}", broken.len(), broken.join("\n"));
}

#[test]
fn mirrored_turned_and_shifted_bodies_among_platforms_give_the_same_bits() {
    let mut differ = Vec::new();
    for seed in seeds(8, 12_001) {
        let plan = random_plan_with_collisions(seed);
        let (mut world, ids) = plan.world(no_symmetry(), (0, 0), false);
        let mut expected: Vec<Vec<Moment>> = Vec::new();
        for _ in 0..200 {
            plan.steer(&mut world, &ids, no_symmetry(), (0, 0));
            world.step();
            expected.push(ids.iter().map(|id| current_moment(&world, *id)).collect());
        }
        let others = Symmetry::all().skip(1).map(|symmetry| (symmetry, (0, 0)));
        'other: for (symmetry, shift) in others.chain([(no_symmetry(), (1_000_000, -999_999))]) {
            let (mut other, others) = plan.world(symmetry, shift, false);
            for (tick, moments) in expected.iter().enumerate() {
                plan.steer(&mut other, &others, symmetry, shift);
                other.step();
                for (i, (id, expected)) in others.iter().zip(moments).enumerate() {
                    let (found, expected) = (current_moment(&other, *id), turned(*expected, symmetry, shift));
                    if found != expected {
                        let body = describe_body(&other, &others, i);
                        let scene = format!("seed {seed}, {symmetry:?} by {shift:?}, tick {tick}");
                        differ.push(format!("{scene}, body {body}:\n{found:?} and not\n{expected:?}"));
                        continue 'other;
                    }
                }
            }
        }
    }
    assert!(differ.is_empty(), "{} differ: {}", differ.len(), differ.join("\n"));
}

#[test]
fn bodies_among_platforms_saved_and_restored_in_every_tick_continue_alike() {
    // In the last seed, a platform reached a body unseen after the solver had returned the body to its own motion.
    for seed in seeds(often(1, 2).into(), 13_001).chain([910_226]) {
        let plan = random_plan_with_collisions(seed);
        let (mut world, ids) = plan.world(no_symmetry(), (0, 0), false);
        let (mut other, _) = plan.world(no_symmetry(), (0, 0), false);
        for tick in 0..200 {
            plan.steer(&mut world, &ids, no_symmetry(), (0, 0));
            plan.steer(&mut other, &ids, no_symmetry(), (0, 0));
            world.step();
            other.step();
            assert_alike(&world, &other, &ids, &format!("seed {seed} tick {tick}"));
            other = brought_back(other, tick);
        }
    }
}
