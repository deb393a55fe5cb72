//! Platforms that move beyond the border of the map, and their riders.

use crate::platforms::{at, hero, path, rows};
use crate::scene::{I64Vec2, ONE, kinds, map_with};
use crate::table::{pairs, with_platforms};
use surefoot::Map;
use surefoot::World;
use surefoot::platform::{OnCrush, PlatformId};
use surefoot::prelude::*;

/// An empty map of 20 by 20 tiles.
fn empty_map_with_border(beyond: &str) -> Map {
    let row = ".".repeat(20);
    map_with(&[row.as_str(); 20], &format!("border: ({beyond})"))
}

fn offset(world: &World, body: BodyId, platform: PlatformId) -> I64Vec2 {
    world[body].position().units() - world.platform(platform).unwrap().position().units()
}

/// The rider starts at (10, 10.98), and moves twelve tiles in one direction and back, a tenth per tick. It is
/// completely outside once it has moved further than its distance from the border.
#[test]
fn a_rider_over_an_open_border_leaves_the_map_once_each_time_and_comes_back() {
    for (way, leaves) in [((12.0, 0.0), 104), ((-12.0, 0.0), 104), ((0.0, 12.0), 95), ((0.0, -12.0), 115)] {
        for walks in [true, false] {
            let (mut world, [lift]) =
                with_platforms(World::new(empty_map_with_border(""), Settings::default()), |map| {
                    [rows(map, &["####"], 8.0, 9.53).path(path(&[(0.0, 0.0), way], 6.0))]
                });
            let body = if walks { hero() } else { Body::new(Shape::aabb(0.35, 0.45)) };
            let rider = world.spawn(body.at((10.0, 10.98))).unwrap();
            let start = offset(&world, rider, lift);
            for tick in 1..=480 {
                world.step();
                let told: &[EventKind] = if tick % 240 == leaves { &[EventKind::LeftMap] } else { &[] };
                assert_eq!(kinds(&world), told, "{way:?} {walks} tick {tick}");
                assert_eq!(
                    (offset(&world, rider, lift), world.platform_under(rider)),
                    (start, Some(lift)),
                    "{way:?} tick {tick}"
                );
                assert!(world[rider].on_floor(), "{way:?} tick {tick}");
            }
            assert_eq!(world[rider].position(), at(10.0, 10.98));
        }
    }
}

/// At a solid side, the rider stops flush, to the unit. The belt moves on into the solid and comes back under the
/// rider. A lift also comes back from below the map and picks the rider up.
#[test]
fn a_rider_stops_flush_at_a_solid_side() {
    for (side, way) in [("right", (14.0, 0.0)), ("left", (-14.0, 0.0)), ("bottom", (0.0, -14.0))] {
        let (mut world, [belt]) =
            with_platforms(World::new(empty_map_with_border(&format!("{side}: Solid")), Settings::default()), |map| {
                [rows(map, &["####################"], 0.0, 9.0).path(path(&[(0.0, 0.0), way], 6.0))]
            });
        let rider = world.spawn(hero().at((10.0, 10.45))).unwrap();
        let half = at(0.35, 0.45).units();
        let start = offset(&world, rider, belt);
        // The platform moves for 140 ticks in each direction.
        for tick in 1..=280 {
            world.step();
            let place = world[rider].position().units();
            let told = kinds(&world);
            assert!(told.iter().all(|kind| matches!(kind, EventKind::HitTile { .. })), "{side} tick {tick}: {told:?}");
            assert!(world[rider].on_floor(), "{side} tick {tick}");
            match side {
                // The rider starts 9.65 tiles from the border and moves 0.1 tiles per tick.
                "right" if (98..=140).contains(&tick) => assert_eq!(place.x + half.x, 20 * ONE, "tick {tick}"),
                "left" if (98..=140).contains(&tick) => assert_eq!(place.x - half.x, 0, "tick {tick}"),
                // The rider moves ten tiles down to the solid bottom, and later up again.
                "bottom" if (101..=180).contains(&tick) => assert_eq!(place.y - half.y, 0, "tick {tick}"),
                _ if tick <= 96 => assert_eq!(offset(&world, rider, belt), start, "{side} tick {tick}"),
                _ => {}
            }
            if side != "bottom" || !(100..=180).contains(&tick) {
                assert_eq!(world.platform_under(rider), Some(belt), "{side} tick {tick}");
            }
        }
        assert_eq!(world.platform(belt).unwrap().position(), at(0.0, 9.0));
        match side {
            "bottom" => assert_eq!(offset(&world, rider, belt), start),
            // The rider comes back with the belt by all 14 tiles.
            _ => {
                let x = if side == "right" { 19.65 - 14.0 } else { 0.35 + 14.0 };
                let place = world[rider].position().to_dvec2();
                assert!((place.x - x).abs() < 0.25 && place.y == at(0.0, 10.45).to_dvec2().y, "{side}: {place}");
            }
        }
    }
}

/// A lift moves its rider against a solid top, and a cart pushes its rider with a wall against a solid side. There is
/// no room for the rider. The platforms stop when the rider is flush, or pass through it. A rider that a cart passes
/// through stands in the air until it falls.
#[test]
fn a_rider_is_crushed_at_a_solid_side() {
    let up = (["####"].as_slice(), (0.0, 14.0), "top");
    let right = (["#...", "####"].as_slice(), (14.0, 0.0), "right");
    for ((tiles, way, side), on_crush) in pairs([up, right], [OnCrush::Stop, OnCrush::PassThrough]) {
        let (mut world, [lift]) =
            with_platforms(World::new(empty_map_with_border(&format!("{side}: Solid")), Settings::default()), |map| {
                [rows(map, tiles, 8.0, 9.0).path(path(&[(0.0, 0.0), way], 6.0)).on_crush(on_crush)]
            });
        // The rider is at the wall of the cart.
        let half = at(0.35, 0.45).units();
        let start = at(9.0, 10.0) + half;
        let rider = world.spawn(hero().at(start)).unwrap();
        let begins = offset(&world, rider, lift);
        // The rider's head is at 10.9, its right side at 9.7, and the solid side at 20. So the rider is flush with the
        // side after 91 or 103 ticks, and crushed one or two ticks later.
        let flush = if side == "top" { 91 } else { 103 };
        let mut crushed = 0;
        for tick in 1..=140 {
            world.step();
            let now = kinds(&world).iter().filter(|kind| **kind == (EventKind::Crushed { platform: lift })).count();
            assert!(now == 0 || (flush..=flush + 1).contains(&tick), "{side} {on_crush:?} tick {tick}");
            crushed += now;
            if tick < flush || on_crush == OnCrush::Stop {
                assert_eq!(offset(&world, rider, lift), begins, "{side} {on_crush:?} tick {tick}");
                assert_eq!(world.platform_under(rider), Some(lift), "{side} {on_crush:?} tick {tick}");
            }
            if tick > flush && on_crush == OnCrush::Stop {
                let gap = at(20.0, 20.0).units() - world[rider].position().units() - half;
                assert_eq!(if side == "top" { gap.y } else { gap.x }, 0, "{side} tick {tick}");
                assert!(world.platform(lift).unwrap().is_blocked(), "{side} tick {tick}");
            }
        }
        assert_eq!(crushed, 1, "{side} {on_crush:?}");
        if on_crush == OnCrush::PassThrough {
            let goal = at(8.0 + way.0, 9.0 + way.1);
            assert_eq!(world.platform(lift).unwrap().position(), goal, "{side}");
            assert_eq!(world.platform_under(rider), None, "{side}");
        }
        assert!(!world[rider].is_stuck());
    }
}
