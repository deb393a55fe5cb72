//! Attached platforms stop as a group.

use crate::platforms::{at, at_units, floor, hero, path, rows};
use crate::scene::{I64Vec2, ONE};
use surefoot::platform::{OnCrush, PlatformId};
use surefoot::prelude::*;
use surefoot::{Event, World};

fn corner(world: &World, id: PlatformId) -> I64Vec2 {
    world.platform(id).unwrap().position().units()
}

/// Returns the bodies crushed in the last tick, and by which platforms.
fn crushes(world: &World) -> Vec<(BodyId, PlatformId)> {
    let crushed = |event: &Event| match event.kind {
        EventKind::Crushed { platform } => Some((event.body, platform)),
        _ => None,
    };
    world.events().iter().filter_map(crushed).collect()
}

/// A cart, a platform attached to it, and one attached to that, all moving up by 1/8 tile per tick. The rider of the
/// last one reaches a block 1.3 tiles above its head, in tick 11. The crush rule of the crushing platform decides for
/// all: either all continue or all stop.
#[test]
fn three_attached_platforms_stop_together_if_the_last_one_crushes() {
    for rules in [
        [OnCrush::Stop, OnCrush::Stop, OnCrush::Stop],
        [OnCrush::PassThrough, OnCrush::Stop, OnCrush::Stop],
        [OnCrush::PassThrough, OnCrush::PassThrough, OnCrush::Stop],
        [OnCrush::Stop, OnCrush::Stop, OnCrush::PassThrough],
    ] {
        let map = floor();
        let mut world = World::new(map.clone(), Settings::default());
        let puts = [(0.0, 10.0), (10.0, 15.0), (20.0, 5.0)];
        let mut ids = Vec::new();
        for (i, (x, y)) in puts.into_iter().enumerate() {
            let part = rows(&map, &["##"], x, y).name(i.to_string()).on_crush(rules[i]);
            let part = match i {
                0 => part.path(path(&[(0.0, 0.0), (0.0, 15.0)], 7.5)),
                _ => part.attached_to((i - 1).to_string()),
            };
            ids.push(world.spawn_platform(part).unwrap());
        }
        let block = rows(&map, &["##"], 0.0, 0.0);
        let above = at(20.0, 5.0).units() + at_units(0.0, 1.45) + at_units(0.0, 0.45) + at_units(0.0, 1.3);
        world.spawn_platform(block.at(Position::from_units(above.x, above.y).unwrap())).unwrap();
        let riders: Vec<_> = puts.iter().map(|(x, y)| world.spawn(hero().at((x + 1.0, y + 1.45))).unwrap()).collect();
        let stops = rules[2] == OnCrush::Stop;
        let way = |ticks: i64| I64Vec2::Y * (ticks * ONE / 8);
        for tick in 1..=40 {
            world.step();
            let what = format!("{rules:?} tick {tick}");
            let expected = if tick == 11 { vec![(riders[2], ids[2])] } else { vec![] };
            assert_eq!(crushes(&world), expected, "{what}");
            let made = if tick <= 10 || !stops { way(tick) } else { at_units(0.0, 1.3) };
            for (i, (x, y)) in puts.into_iter().enumerate() {
                assert_eq!(corner(&world, ids[i]), at_units(x, y) + made, "{what} part {i}");
                let is_stopped = world.platform(ids[i]).unwrap().is_blocked();
                assert_eq!(is_stopped, stops && tick > 10, "{what} part {i}");
                // A rider that its platform passed through falls.
                if stops || i < 2 || tick <= 10 {
                    let place = world[riders[i]].position().units() - corner(&world, ids[i]);
                    assert_eq!(
                        (place, world.platform_under(riders[i])),
                        (at_units(1.0, 1.45), Some(ids[i])),
                        "{what} part {i}"
                    );
                }
            }
        }
        if stops {
            // No path has advanced: with room again, the next tick is the eleventh of the path.
            world.despawn(riders[2]).unwrap();
            world.step();
            for (i, (x, y)) in puts.into_iter().enumerate() {
                assert_eq!(corner(&world, ids[i]), at_units(x, y) + way(11), "{rules:?} part {i}");
                assert!(!world.platform(ids[i]).unwrap().is_blocked());
            }
        }
    }
}

/// Two presses in one group come down on two crates on the floor, by 1/8 per tick. The gaps are 1.3 and 1.26 tiles. In
/// tick 11 neither crate has room. The group moves by the smaller gap, so one press is flush and the other 0.04 away.
#[test]
fn a_group_that_crushes_two_bodies_moves_by_the_smaller_gap() {
    for first in [0.0, 0.04] {
        let map = floor();
        let mut world = World::new(map.clone(), Settings::default());
        let body = |x: f64| Body::new(Shape::aabb(0.5, 0.5)).at((x, 1.5));
        let bodies = [body(21.0), body(31.0)].map(|body| world.spawn(body).unwrap());
        let gaps = [1.26 + first, 1.3 - first];
        let press = rows(&map, &["##"], 20.0, 2.0 + gaps[0]).name("press").path(path(&[(0.0, 0.0), (0.0, -7.5)], 7.5));
        let other = rows(&map, &["##"], 30.0, 2.0 + gaps[1]).name("other").attached_to("press");
        let seat = rows(&map, &["##"], 40.0, 20.0).attached_to("other");
        let ids = [press, other, seat].map(|part| world.spawn_platform(part).unwrap());
        let rider = world.spawn(hero().at((41.0, 21.45))).unwrap();
        let puts = ids.map(|id| corner(&world, id));
        for tick in 1..=40 {
            world.step();
            let mut told = crushes(&world);
            told.sort();
            let mut expected = vec![(bodies[0], ids[0]), (bodies[1], ids[1])];
            expected.sort();
            assert_eq!(told, if tick == 11 { expected } else { vec![] }, "{first} tick {tick}");
            let shorter = (puts[0].y - 2 * ONE).min(puts[1].y - 2 * ONE);
            let made = if tick <= 10 { tick * ONE / 8 } else { shorter };
            for (id, put) in ids.into_iter().zip(puts) {
                assert_eq!(put - corner(&world, id), I64Vec2::Y * made, "{first} tick {tick}");
                assert_eq!(world.platform(id).unwrap().is_blocked(), tick > 10, "{first} tick {tick}");
            }
            assert_eq!(bodies.map(|body| world[body].position()), [at(21.0, 1.5), at(31.0, 1.5)]);
            assert_eq!(world[rider].position().units() - corner(&world, ids[2]), at_units(1.0, 1.45), "tick {tick}");
        }
        // Without the flush body, the other one stops the group when it is flush.
        let (near, far) = if first > 0.0 { (1, 0) } else { (0, 1) };
        world.despawn(bodies[near]).unwrap();
        (0..5).for_each(|_| world.step());
        for (id, put) in ids.into_iter().zip(puts) {
            assert_eq!(put - corner(&world, id), I64Vec2::Y * (puts[far].y - 2 * ONE), "{first}");
        }
        // Then nothing stops the group.
        world.despawn(bodies[far]).unwrap();
        world.step();
        assert!(ids.iter().all(|id| !world.platform(*id).unwrap().is_blocked()));
    }
}
