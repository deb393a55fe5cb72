//! Platforms, with results computed by hand.

use crate::prelude::*;
use surefoot::replay::ReplayRecorder;

pub fn at(x: f64, y: f64) -> Position {
    Position::new(x, y).unwrap()
}

/// A map 40 high with a floor whose top is at y = 1, from x = -100 to 100.
pub fn floor() -> Map {
    let mut parts = MapParts::new(1, 1);
    let block = parts.catalogue.find_variant("full_block").unwrap();
    let block = parts.kinds.iter().position(|kind| kind.variant == Some(block)).unwrap();
    let mut layer = TileLayer::new(TileLayer::DEFAULT_NAME, 200, 40);
    layer.origin = (-100, 0);
    layer.cells[..200].fill(surefoot::map::TileId(block as u16));
    parts.layers = vec![layer];
    Map::from_parts(parts).unwrap()
}

pub fn rows(map: &Map, rows: &[&str], x: f64, y: f64) -> Platform {
    Platform::from_rows(map, rows).unwrap().at((x, y))
}

pub fn path(points: &[(f64, f64)], speed: f64) -> Path {
    Path {
        points: points.iter().map(|&(x, y)| at(x, y)).collect(),
        timing: PathTiming::Speed(speed),
        ..Path::default()
    }
}

/// A world on the floor with one platform, given its tiles and its lower left corner.
pub fn with_platform(
    tiles: &[&str],
    (x, y): (f64, f64),
    change: impl FnOnce(Platform) -> Platform,
) -> (World, PlatformId) {
    let mut world = World::new(floor(), Settings::default());
    let platform = change(rows(world.map(), tiles, x, y));
    let platform = world.spawn_platform(platform).unwrap();
    (world, platform)
}

/// Returns where a body is, relative to the lower left corner of a platform.
pub fn offset(world: &World, body: BodyId, platform: PlatformId) -> I64Vec2 {
    world[body].position().units() - world.platform(platform).unwrap().position().units()
}

/// A path from the start to (x, y) and back, in tiles.
pub fn along(x: f64, y: f64, speed: f64) -> Path {
    path(&[(0.0, 0.0), (x, y)], speed)
}

pub fn hero() -> Body {
    Body::new(Shape::aabb(0.35, 0.45)).character(Character::default())
}

pub fn count_crushes(world: &World) -> usize {
    world.events().iter().filter(|event| matches!(event.kind, EventKind::Crushed { .. })).count()
}

/// Eight tiles up at 8 tiles per second: 60 ticks each way.
#[test]
fn a_rider_of_a_lift_keeps_its_place_to_the_unit() {
    let (mut world, lift) = with_platform(&["##"], (20.0, 20.0), |platform| platform.path(along(0.0, 8.0, 8.0)));
    let hero = world.spawn(hero().at((21.0, 21.45))).unwrap();
    let start = world[hero].position().units();
    for k in 1..=36_000_i64 {
        world.step();
        let turn = k % 120;
        let up = if turn <= 60 { turn } else { 120 - turn };
        let exact = (2 * 8 * i128::from(up) * i128::from(ONE) + 60) / 120;
        let moved = world[hero].position().units() - start;
        assert_eq!((moved.x, i128::from(moved.y)), (0, exact), "tick {k}");
        assert!(world[hero].on_floor() && body_events(&world).is_empty(), "tick {k}: {:?}", body_events(&world));
        assert_eq!(world.platform_under(hero), Some(lift));
        assert_eq!(world[hero].relative_velocity(), DVec2::ZERO);
    }
}

/// A ceiling with its underside at 8 moves down at 40 tiles per second, onto a box of 0.9 on a floor at 1.
#[test]
fn a_press_stops_flush_or_passes_through() {
    for on_crush in [OnCrush::Stop, OnCrush::PassThrough] {
        let (mut world, press) =
            with_platform(&["##"], (20.0, 8.0), |platform| platform.path(along(0.0, -8.0, 40.0)).on_crush(on_crush));
        let hero = world.spawn(hero().at((21.0, 1.45))).unwrap();
        let start = world[hero].position();
        for tick in 1..=12 {
            world.step();
            // The press is 8 - 1.9 tiles above the hero's head and moves by 2 / 3 per tick: 9.15 ticks. So it crushes
            // the hero in the tenth tick.
            assert_eq!(count_crushes(&world), usize::from(tick == 10), "{on_crush:?} tick {tick}");
            assert_eq!(world[hero].position(), start);
            if tick >= 10 && on_crush == OnCrush::Stop {
                assert_eq!(world.platform(press).unwrap().position(), at(20.0, 1.9));
                assert!(world.platform(press).unwrap().is_blocked());
            }
        }
        assert!(!world[hero].is_stuck());
        if on_crush == OnCrush::PassThrough {
            assert_eq!(world.platform(press).unwrap().position(), at(20.0, 0.0));
        }
    }
}

/// A wheel of radius 3 turns in 240 ticks: its quarters are exact. The rider moves around with it.
#[test]
fn a_rider_of_a_wheel_keeps_its_place_to_the_unit() {
    let wheel = CirclePath { radius: 3.0, timing: PathTiming::Period(4.0), ..CirclePath::default() };
    for (clockwise, tops) in [(false, [(20.0, 23.0), (17.0, 20.0)]), (true, [(20.0, 17.0), (17.0, 20.0)])] {
        let map = floor();
        let seat = rows(&map, &["##"], 20.0, 20.0).circle(CirclePath { clockwise, ..wheel });
        assert_eq!(seat.start_position(TICK).unwrap(), at(23.0, 20.0));
        let mut world = World::new(map, Settings::default());
        let seat = world.spawn_platform(seat).unwrap();
        let hero = world.spawn(hero().at((24.0, 21.45))).unwrap();
        let place = world[hero].position().units() - at(23.0, 20.0).units();
        for tick in 1..=960 {
            world.step();
            let corner = world.platform(seat).unwrap().position();
            assert_eq!(world[hero].position().units() - corner.units(), place, "tick {tick}");
            assert!(world[hero].on_floor() && world.events().is_empty(), "tick {tick}: {:?}", world.events());
            match tick % 240 {
                0 => assert_eq!(corner, at(23.0, 20.0)),
                60 => assert_eq!(corner, at(tops[0].0, tops[0].1)),
                120 => assert_eq!(corner, at(tops[1].0, tops[1].1)),
                _ => {}
            }
        }
        let mut copy = World::new(floor(), Settings::default());
        copy.restore(&Snapshot::from_bytes(&world.capture().to_bytes()).unwrap()).unwrap();
        assert_eq!(copy.checksum(), world.checksum());
        copy.step();
        world.step();
        assert_eq!(copy.checksum(), world.checksum());
    }
    let map = floor();
    let fast = rows(&map, &["##"], 0.0, 9.0).circle(CirclePath { timing: PathTiming::Speed(-1.0), ..wheel });
    let error = World::new(map, Settings::default()).spawn_platform(fast).unwrap_err();
    assert_eq!(error.to_string(), "the speed is -1; expected a finite number above 0");
}

/// Eight tiles per second up, from the tick after the one at whose end it is first ridden.
#[test]
fn a_lift_may_wait_for_its_first_rider() {
    let (mut world, lift) =
        with_platform(&["##"], (20.0, 1.0), |platform| platform.path(along(0.0, 8.0, 8.0)).on_ride(OnRide::Start));
    for _ in 0..100 {
        world.step();
        assert_eq!(world.platform(lift).unwrap().position(), at(20.0, 1.0));
    }
    let hero = world.spawn(hero().at((21.0, 2.45))).unwrap();
    for tick in 1..=60_i64 {
        world.step();
        let exact = (2 * 8 * i128::from(tick - 1) * i128::from(ONE) + 60) / 120;
        let up = world.platform(lift).unwrap().position().units() - at(20.0, 1.0).units();
        assert_eq!((up.x, i128::from(up.y)), (0, exact), "tick {tick}");
    }
    // The lift continues without its rider.
    world.despawn(hero).unwrap();
    (0..61).for_each(|_| world.step());
    assert_eq!(world.platform(lift).unwrap().position(), at(20.0, 1.0));
}

/// The platform waits 30 ticks, then falls 20 t^2. Its top reaches the bottom of the map at 21 = 20 t^2, in the 62nd
/// tick of its fall. The rider moves down with it to the floor at 1.
#[test]
fn a_platform_falls_after_it_was_ridden_and_comes_back() {
    let (mut world, plank) = with_platform(&["##"], (20.0, 20.0), |platform| {
        platform.on_ride(OnRide::Fall { delay: 0.5, respawn_time: Some(1.0) })
    });
    let hero = world.spawn(hero().at((21.0, 21.45))).unwrap();
    let start = world[hero].position();
    let fallen = |ticks: i64| {
        let ticks = i128::from(ticks.max(0));
        -((2 * 20 * ticks * ticks * i128::from(ONE) + 3600) / 7200)
    };
    for tick in 1..=153_i64 {
        world.step();
        let state = world.platform(plank).unwrap();
        assert_eq!(state.is_present(), tick < 94, "tick {tick}");
        if tick < 94 {
            let way = state.position().units() - at(20.0, 20.0).units();
            assert_eq!((way.x, i128::from(way.y)), (0, fallen(tick - 31)), "tick {tick}");
        } else {
            assert_eq!((world.platform_under(hero), state.displacement()), (None, DVec2::ZERO));
        }
        // After 60 ticks, the platform has fallen by 20 t^2 = 20 tiles.
        let way = world[hero].position().units() - start.units();
        if tick < 91 {
            assert_eq!((way.x, i128::from(way.y)), (0, fallen(tick - 31)), "tick {tick}");
            assert_eq!(world.platform_under(hero), Some(plank));
        } else {
            assert_eq!(world[hero].position(), at(21.0, 1.45));
        }
        assert!(world[hero].on_floor() && world.events().is_empty(), "tick {tick}: {:?}", world.events());
    }
    for _ in 0..10 {
        world.step();
        let state = world.platform(plank).unwrap();
        assert_eq!((state.is_present(), state.position()), (true, at(20.0, 20.0)));
    }
    // The platform falls again if it is ridden again.
    world.teleport(hero, (21.0, 21.45)).unwrap();
    (0..32).for_each(|_| world.step());
    assert!(world.platform(plank).unwrap().displacement().y < 0.0);
}

/// From the tick in which the platform is gone, the rider falls as if the platform had never existed.
#[test]
fn a_platform_crumbles_and_a_body_in_it_when_it_returns_passes_through_it() {
    let (mut world, plank) = with_platform(&["##"], (20.0, 1.5), |platform| {
        platform.on_ride(OnRide::Crumble { delay: 0.25, respawn_time: Some(2.0) })
    });
    let rider = world.spawn(hero().at((21.0, 2.95))).unwrap();
    (0..16).for_each(|_| world.step());
    assert!(world.platform(plank).unwrap().is_present() && world[rider].on_floor());
    let mut twin = World::new(floor(), Settings::default());
    let alone = twin.spawn(hero().at((21.0, 2.95))).unwrap();
    for tick in 17..=136 {
        world.step();
        twin.step();
        assert!(!world.platform(plank).unwrap().is_present(), "tick {tick}");
        assert_eq!(world[rider].position(), twin[alone].position(), "tick {tick}");
        assert_eq!(world[rider].velocity(), twin[alone].velocity(), "tick {tick}");
    }
    for _ in 0..30 {
        world.step();
        assert!(world.platform(plank).unwrap().is_present());
        assert!(world.events().is_empty() && !world[rider].is_stuck());
        assert_eq!(world[rider].position(), at(21.0, 1.45));
    }
    // Once outside, the rider can stand on the platform again, and the platform crumbles again.
    world.teleport(rider, (21.0, 2.95)).unwrap();
    (0..20).for_each(|_| world.step());
    assert!(!world.platform(plank).unwrap().is_present());
}

/// The platform's underside comes down on a box of 0.9 on the floor at 1, and stays there.
#[test]
fn a_platform_that_falls_stops_at_a_body() {
    let (mut world, plank) = with_platform(&["##"], (20.0, 5.0), |platform| {
        platform.on_ride(OnRide::Fall { delay: 0.0, respawn_time: None })
    });
    world.spawn(hero().at((21.5, 1.45))).unwrap();
    let rider = world.spawn(hero().at((20.5, 6.45))).unwrap();
    for tick in 1..=100 {
        world.step();
        // The plank falls by 3.1 = 20 t^2 in 23.6 ticks. It falls from the second tick on, because it is ridden in the
        // first.
        if tick >= 25 {
            let state = world.platform(plank).unwrap();
            assert_eq!((state.position(), state.is_blocked()), (at(20.0, 1.9), true), "tick {tick}");
            let above = world[rider].position().units() - state.position().units();
            assert_eq!(above, at(20.5, 6.45).units() - at(20.0, 5.0).units());
        }
    }
}

/// The rider slept on the platform, so it ran no collision queries.
#[test]
fn a_rider_falls_when_its_platform_is_teleported_away() {
    let map = floor();
    let plank = rows(&map, &["##"], 20.0, 5.0).on_ride(OnRide::Crumble { delay: 0.0, respawn_time: None });
    let belt = rows(&map, &["##"], 30.0, 5.0).path(along(60.0, 0.0, 6.0));
    let mut world = World::new(map, Settings::default());
    let (plank, belt) = (world.spawn_platform(plank).unwrap(), world.spawn_platform(belt).unwrap());
    let rider = world.spawn(hero().at((20.5, 6.45))).unwrap();
    let second = world.spawn(hero().at((31.0, 6.45))).unwrap();
    world.step();
    world.teleport_platform(plank, (20.0, 10.0)).unwrap();
    world.teleport_platform(belt, (30.0, 10.0)).unwrap();
    assert_eq!((world.platform_under(rider), world.platform_under(second)), (None, None));
    assert!((world[second].velocity() - DVec2::new(6.0, 0.0)).length() < 1e-8);
    let start = world[rider].position().units();
    world.step();
    // In one tick, the rider falls by 20 t^2.
    let fallen = world[rider].position().units() - start;
    assert!((fallen.y as f64 + 20.0 / 3600.0 * ONE as f64).abs() <= 1.0, "{fallen}");
    (0..60).for_each(|_| world.step());
    assert_eq!(world[rider].position(), at(20.5, 1.45));
    // The plank was ridden and is gone. A teleport brings it back.
    assert!(!world.platform(plank).unwrap().is_present());
    world.teleport_platform(plank, (20.0, 10.0)).unwrap();
    for _ in 0..10 {
        world.step();
        let state = world.platform(plank).unwrap();
        assert_eq!((state.is_present(), state.position()), (true, at(20.0, 10.0)));
    }
}

/// Everything that riding triggers is saved and restored in every tick.
#[test]
fn effects_of_riding_are_saved() {
    crate::table::all_ways_of_one_up(|way| {
        let mut world = way.world(floor(), Settings::default());
        let fall = |back| OnRide::Fall { delay: 0.1, respawn_time: back };
        let crumble = |back| OnRide::Crumble { delay: 0.2, respawn_time: back };
        let effects = [OnRide::Start, fall(Some(0.5)), fall(None), crumble(Some(0.5)), crumble(None)];
        for (x, effect) in (0..).map(|i| 4.0 * f64::from(i)).zip(effects) {
            let plank = rows(world.map(), &["##"], 0.0, 0.0).at((x, 20.0)).on_ride(effect);
            let plank = if effect == OnRide::Start { plank.path(along(0.0, 8.0, 8.0)) } else { plank };
            world.spawn_platform(plank).unwrap();
            world.spawn(hero().at((x + 1.0, 21.45))).unwrap();
        }
        (0..200).for_each(|_| world.step());
        let there: Vec<bool> = world.platforms().map(|(_, state)| state.is_present()).collect();
        assert_eq!(there, [true, true, false, true, false]);
    });
}

/// Two platforms at one height, and a third attached to the second. The second moves right and the third up on it: 8
/// tiles and 4 tiles in 120 ticks.
#[test]
fn attached_platforms_add_the_motion_of_their_parent() {
    let map = floor();
    let cart = rows(&map, &["##"], 20.0, 20.0).name("cart").path(along(8.0, 0.0, 4.0));
    let side = rows(&map, &["##"], 22.0, 20.0).name("side").attached_to("cart");
    let lift = rows(&map, &["##"], 30.0, 22.0).attached_to("side").path(along(0.0, 4.0, 2.0));
    let mut world = World::new(map, Settings::default());
    let ids = [cart, side, lift].map(|platform| world.spawn_platform(platform).unwrap());
    assert_eq!(ids.map(|id| world.platform(id).unwrap().attached_to()), [None, Some(ids[0]), Some(ids[1])]);
    let riders = [(21.0, 21.45), (23.0, 21.45), (31.0, 23.45)].map(|at| world.spawn(hero().at(at)).unwrap());
    let places = |world: &World| {
        let corner = |i: usize| world.platform(ids[i]).unwrap().position().units();
        [0, 1, 2].map(|i| world[riders[i]].position().units() - corner(i))
    };
    let start = places(&world);
    for tick in 1..=480_i64 {
        world.step();
        let turn = if tick % 240 <= 120 { tick % 240 } else { 240 - tick % 240 };
        let of = |tiles: i64| ((2 * tiles * turn * (ONE / 120)) + 2 * tiles * turn * (ONE % 120) / 120 + 1) / 2;
        let at = ids.map(|id| world.platform(id).unwrap().position().units());
        let put = [at_units(20.0, 20.0), at_units(22.0, 20.0), at_units(30.0, 22.0)];
        assert_eq!((at[0] - put[0]).to_array(), [of(8), 0], "tick {tick}");
        assert_eq!((at[1] - put[1]).to_array(), [of(8), 0], "tick {tick}");
        assert_eq!((at[2] - put[2]).to_array(), [of(8), of(4)], "tick {tick}");
        assert_eq!(places(&world), start, "tick {tick}");
        assert!(body_events(&world).is_empty(), "tick {tick}: {:?}", body_events(&world));
    }
    let lost = rows(world.map(), &["##"], 0.0, 20.0).attached_to("crat");
    let error = world.spawn_platform(lost).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the platform is attached to the unknown platform \"crat\"; expected the name of a platform in the world"
    );
    assert_eq!(world.platforms().count(), 3);
}

pub fn at_units(x: f64, y: f64) -> I64Vec2 {
    at(x, y).units()
}

#[test]
fn attached_platforms_follow_driven_and_teleported_parents_and_stay_without_one() {
    let map = floor();
    let cart = rows(&map, &["##"], 20.0, 20.0).name("cart");
    let side = rows(&map, &["##"], 30.0, 25.0).name("side").attached_to("cart");
    let lift = rows(&map, &["##"], 40.0, 20.0).attached_to("side").path(along(0.0, 6.0, 6.0));
    let mut world = World::new(map, Settings::default());
    let ids = [cart, side, lift].map(|platform| world.spawn_platform(platform).unwrap());
    let places = |world: &World| ids.map(|id| world.platform(id).map(|state| state.position()));
    let rider = world.spawn(hero().at((31.0, 26.45))).unwrap();
    // The lift also moves up by its own path, a tenth of a tile per tick.
    world.drive_platform(ids[0], (20.5, 21.0)).unwrap();
    world.step();
    assert_eq!(places(&world), [Some(at(20.5, 21.0)), Some(at(30.5, 26.0)), Some(at(40.5, 21.1))]);
    assert_eq!(world[rider].position(), at(31.5, 27.45));
    // A driven platform moves to its target, even if it is attached to another platform.
    world.drive_platform(ids[0], (20.5, 22.0)).unwrap();
    world.drive_platform(ids[1], (30.5, 26.5)).unwrap();
    world.step();
    assert_eq!(places(&world), [Some(at(20.5, 22.0)), Some(at(30.5, 26.5)), Some(at(40.5, 21.7))]);
    world.teleport_platform(ids[0], (10.5, 20.0)).unwrap();
    assert_eq!(places(&world), [Some(at(10.5, 20.0)), Some(at(20.5, 24.5)), Some(at(30.5, 19.7))]);
    assert_eq!((world.platform_under(rider), world[rider].position()), (None, at(31.5, 27.95)));
    world.step();
    assert_eq!(places(&world), [Some(at(10.5, 20.0)), Some(at(20.5, 24.5)), Some(at(30.5, 19.8))]);
    // Without its parent the lift moves on, even if another platform gets the parent's name.
    world.despawn_platform(ids[1]).unwrap();
    world.drive_platform(ids[0], (10.5, 21.0)).unwrap();
    world.step();
    assert_eq!(places(&world), [Some(at(10.5, 21.0)), None, Some(at(30.5, 19.9))]);
    let again = rows(world.map(), &["##"], 0.0, 20.0).name("side");
    let again = world.spawn_platform(again).unwrap();
    world.drive_platform(again, (0.0, 21.0)).unwrap();
    world.step();
    assert_eq!(world.platform(ids[2]).unwrap().position(), at(30.5, 20.0));
    assert_eq!(world.platform(ids[2]).unwrap().attached_to(), None);
    let far = rows(world.map(), &["##"], -4e8, 20.0).attached_to("cart");
    let far = world.spawn_platform(far).unwrap();
    let error = world.teleport_platform(ids[0], (-2e8, 20.0)).unwrap_err();
    assert_eq!(error, CommandError::AttachedOutOfRange(far));
    assert_eq!(world.platform(ids[0]).unwrap().position(), at(10.5, 21.0));
}

/// A ceiling with its underside at 8 moves down at 40 tiles per second onto a box of 0.9 on a floor at 1, in the tenth
/// tick. An attached platform has the same displacement, or another one: then nothing moves in that tick.
#[test]
fn a_group_stops_as_one() {
    for (aside, down) in [(false, -6.1), (true, -6.0)] {
        let map = floor();
        let press = rows(&map, &["##"], 20.0, 8.0).name("press").path(along(0.0, -12.0, 40.0));
        let seat = rows(&map, &["##"], 40.0, 20.0).attached_to("press");
        // The path of the seat moves it by 1/12 tile per tick.
        let seat = if aside { seat.path(along(20.0, 0.0, 5.0)) } else { seat };
        let mut world = World::new(map, Settings::default());
        let press = world.spawn_platform(press).unwrap();
        let seat = world.spawn_platform(seat).unwrap();
        let hero_below = world.spawn(hero().at((21.0, 1.45))).unwrap();
        let rider = world.spawn(hero().at((41.0, 21.45))).unwrap();
        let place = world[rider].position().units() - at_units(40.0, 20.0);
        for tick in 1..=30 {
            world.step();
            assert_eq!(count_crushes(&world), usize::from(tick == 10), "tick {tick}");
            let [press, seat] = [press, seat].map(|id| world.platform(id).unwrap());
            assert_eq!(world[rider].position().units() - seat.position().units(), place);
            if tick >= 10 {
                assert!(press.is_blocked() && seat.is_blocked());
                let off = press.position().units() - at_units(20.0, 8.0 + down);
                assert!(off.abs().max_element() <= 1, "{aside} tick {tick}: {off}");
                let x = if aside { 40.75 } else { 40.0 };
                let off = seat.position().units() - at_units(x, 20.0 + down);
                assert!(off.abs().max_element() <= 1, "{aside} tick {tick}: {off}");
            }
        }
        world.despawn(hero_below).unwrap();
        world.step();
        // No path has advanced: the next tick is the tenth of the path.
        let [press, seat] = [press, seat].map(|id| world.platform(id).unwrap().position().units());
        assert!((press.y as f64 / ONE as f64 - (8.0 - 20.0 / 3.0)).abs() < 1e-9, "{aside}");
        assert!((seat.y as f64 / ONE as f64 - (20.0 - 20.0 / 3.0)).abs() < 1e-9, "{aside}");
        assert!((seat.x as f64 / ONE as f64 - if aside { 40.0 + 10.0 / 12.0 } else { 40.0 }).abs() < 1e-9, "{aside}");
    }
}

/// In the world of a map that lists the platforms in any order, saved and restored in every tick. The lamp falls off
/// the cart. Later the cart moves all but the lamp, which returns to its place on the cart.
#[test]
fn attached_platforms_fall_apart_and_come_back_and_are_saved() {
    let map = Map::from_ron(
        r###"Map(format: 1, tiles: ["....................", "....................", "...................."], platforms: [
            (name: "flag", tiles: ["#"], at: (4, 3), attached_to: "lamp"),
            (name: "lamp", tiles: ["##"], at: (4, 2), attached_to: "cart", on_ride: Fall(delay: 0.0, respawn_time: 0.5)),
            (name: "cart", tiles: ["##"], at: (0, 1), motion: Path(points: [(0, 0), (6, 0)], speed: 3), on_ride: Crumble(delay: 1.0, respawn_time: 0.5)),
            (name: "bell", tiles: ["#"], at: (9, 1), motion: Circle(radius: 1, period: 2), attached_to: "cart"),
        ])"###,
    )
    .unwrap();
    assert_eq!(Map::from_ron(&map.to_ron()).unwrap(), map);
    let mut world = World::new(map.clone(), Settings::default());
    let [flag, lamp, cart, bell] = ["flag", "lamp", "cart", "bell"].map(|name| world.find_platform(name).unwrap());
    let of = |world: &World, id| world.platform(id).unwrap().position().units();
    world.spawn(hero().at((5.5, 3.45))).unwrap();
    let (mut copy, mut clone) = (World::new(map.clone(), Settings::default()), world.clone());
    for tick in 1..=240 {
        let read = Snapshot::from_bytes(&world.capture().to_bytes()).unwrap();
        copy.restore(&read).unwrap();
        assert_eq!(Snapshot::from_ron(&read.to_ron().unwrap()).unwrap().to_bytes(), read.to_bytes());
        clone.clone_from(&world);
        if tick == 20 {
            let rider = hero().at((of(&world, cart).as_dvec2().x / ONE as f64 + 0.5, 2.45));
            for world in [&mut world, &mut copy, &mut clone] {
                world.spawn(rider.clone()).unwrap();
            }
        }
        [&mut world, &mut copy, &mut clone].into_iter().for_each(World::step);
        assert_eq!((copy.checksum(), clone.checksum()), (world.checksum(), world.checksum()), "tick {tick}");
        // The cart moves 0.05 tiles per tick, until it crumbles in tick 81, and again from tick 111 on.
        let way = ((8.0_f64.min(tick.min(80) as f64 / 10.0) + (tick as f64 - 110.0).max(0.0) / 10.0) / 2.0).min(6.0);
        let by = of(&world, cart) - at_units(way, 1.0);
        if tick <= 150 {
            assert!(by.abs().max_element() <= 1, "tick {tick}: {by}");
        }
        assert_eq!(world.platform(cart).unwrap().is_present(), !(81..111).contains(&tick), "tick {tick}");
        let radius = (of(&world, bell) - of(&world, cart) - at_units(9.0, 0.0)).as_dvec2().length() / ONE as f64;
        assert!((radius - 1.0).abs() < 1e-9, "tick {tick}");
        assert_eq!((of(&world, flag) - of(&world, lamp)).to_array(), [0, ONE], "tick {tick}");
        let fallen = of(&world, lamp) - of(&world, cart) - at_units(4.0, 1.0);
        // The lamp starts to fall in tick 2. After 24 ticks it has fallen three tiles and is gone, and it is back 30
        // ticks later.
        match tick {
            1 => assert_eq!(fallen, I64Vec2::ZERO),
            2..=25 => assert!(fallen.y < 0 && world.platform(lamp).unwrap().is_present(), "tick {tick}"),
            26..=55 => assert!(!world.platform(lamp).unwrap().is_present(), "tick {tick}"),
            _ => assert_eq!(fallen, I64Vec2::ZERO, "tick {tick}"),
        }
    }
}

#[test]
fn snapshots_with_platforms_attached_in_a_circle_or_to_nothing_are_refused() {
    let map = floor();
    let mut world = World::new(map, Settings::default());
    let cart = world.spawn_platform(rows(world.map(), &["##"], 0.0, 20.0).name("cart")).unwrap();
    world.spawn_platform(rows(world.map(), &["##"], 0.0, 20.0).attached_to("cart")).unwrap();
    let text = world.capture().to_ron().unwrap();
    let start = text.find("attached: Some(").unwrap();
    let attached = &text[start..start + text[start..].find("))").unwrap() + 2];
    let circle = text.replacen("attached: None", attached, 1);
    assert_ne!(circle, text);
    let error = Snapshot::from_ron(&circle).unwrap_err();
    assert_eq!(error.field, "platforms.platforms[0].state.attached");
    world.despawn_platform(cart).unwrap();
    let other = world.capture().to_ron().unwrap();
    let gone = other.replacen("attached: None", attached, 1);
    assert!(Snapshot::from_ron(&other).is_ok());
    let error = Snapshot::from_ron(&gone).unwrap_err();
    assert_eq!(error.field, "platforms.platforms[0].state.attached");
}

/// Eight tiles per second up. The rider of the removed tile keeps the lift's velocity; the other rider is not affected.
#[test]
fn a_rider_falls_when_its_tile_is_removed() {
    let map = floor();
    let block = map.find_tile('#').unwrap();
    let lift = rows(&map, &["###"], 20.0, 20.0).path(along(0.0, 16.0, 8.0));
    let mut world = World::new(map, Settings::default());
    let lift = world.spawn_platform(lift).unwrap();
    let (first, second) = (hero().at((20.5, 21.45)), hero().at((22.5, 21.45)));
    let (first, second) = (world.spawn(first).unwrap(), world.spawn(second).unwrap());
    (0..10).for_each(|_| world.step());
    let above = offset(&world, second, lift);
    world.set_platform_tile(lift, 0, (0, 0), TileId::EMPTY).unwrap();
    assert_eq!((world.platform_under(first), world.platform_under(second)), (None, Some(lift)));
    assert!((world[first].velocity() - DVec2::new(0.0, 8.0)).length() < 1e-8);
    let start = world[first].position().units();
    for tick in 1..=30 {
        world.step();
        let time = f64::from(tick) / 60.0;
        let up = (world[first].position().units() - start).as_dvec2() / ONE as f64;
        assert!((up - DVec2::new(0.0, 8.0 * time - 20.0 * time * time)).length() < 1e-7, "tick {tick}: {up}");
        let corner = world.platform(lift).unwrap().position().units();
        assert_eq!(world[second].position().units() - corner, above);
        assert_eq!(world.platform_under(second), Some(lift));
    }
    // The edit is part of the layers, of snapshots and of clones.
    let mut copy = World::new(floor(), Settings::default());
    copy.restore(&Snapshot::from_bytes(&world.capture().to_bytes()).unwrap()).unwrap();
    let mut clone = World::new(floor(), Settings::default());
    clone.clone_from(&world);
    let before = world.capture();
    for world in [&mut world, &mut copy, &mut clone] {
        assert_eq!(world.platform(lift).unwrap().platform().layers[0].cells[0], TileId::EMPTY);
        world.set_platform_tile(lift, 0, (1, 0), TileId::EMPTY).unwrap();
        (0..30).for_each(|_| world.step());
    }
    assert_eq!((copy.checksum(), clone.checksum()), (world.checksum(), world.checksum()));
    copy.restore(&before).unwrap();
    assert_eq!(copy.platform(lift).unwrap().platform().layers[0].cells[1], block);
    copy.set_platform_tile(lift, 0, (1, 0), TileId::EMPTY).unwrap();
    (0..30).for_each(|_| copy.step());
    assert_eq!(copy.checksum(), world.checksum());
}

/// A body overlapped by a new tile passes through the platform to the floor below. Afterwards it collides with the
/// platform again.
#[test]
fn a_body_passes_through_a_tile_set_in_it_and_touches_one_set_next_to_it() {
    let map = floor();
    let block = map.find_tile('#').unwrap();
    let tub = rows(&map, &["..", "##"], 20.0, 5.0);
    let wall = rows(&map, &[".#"], 32.0, 1.0);
    let mut world = World::new(map, Settings::default());
    let (tub, wall) = (world.spawn_platform(tub).unwrap(), world.spawn_platform(wall).unwrap());
    let inside = world.spawn(hero().at((20.5, 6.45))).unwrap();
    let square = Body::new(Shape::aabb(0.5, 0.5)).character(Character::default());
    let beside = world.spawn(square.at((31.5, 1.5))).unwrap();
    (0..5).for_each(|_| world.step());
    world.set_platform_tile(tub, 0, (0, 1), block).unwrap();
    world.set_platform_tile(wall, 0, (0, 0), block).unwrap();
    world.step();
    assert!(world[beside].touching().wall_right && world[beside].on_floor());
    for _ in 0..60 {
        assert!(!world[inside].is_stuck() && count_crushes(&world) == 0 && world.platform_under(inside).is_none());
        world.step();
    }
    assert_eq!(world[inside].position(), at(20.5, 1.45));
    world.teleport(inside, (20.5, 7.45)).unwrap();
    (0..5).for_each(|_| world.step());
    assert_eq!(world.platform_under(inside), Some(tub));
}

#[test]
fn tiles_that_a_platform_cannot_have_are_refused() {
    let map = floor();
    let block = map.find_tile('#').unwrap();
    let layers = [("back", true), ("front", true)].map(|(name, collides)| {
        let mut layer = TileLayer::new(name, 2, 1);
        (layer.origin, layer.collides) = ((3, -1), collides);
        layer.cells[0] = if name == "back" { block } else { TileId::EMPTY };
        layer
    });
    let mut world = World::new(map, Settings::default());
    let plate = Platform::new(layers.into()).at((0.0, 5.0));
    let plate = world.spawn_platform(plate).unwrap();
    let before = world.checksum();
    let mut refused = |layer, tile, tile_id| {
        let error = world.set_platform_tile(plate, layer, tile, tile_id).unwrap_err();
        assert_eq!((world.checksum(), world.platform(plate).unwrap().platform().layers[0].cells[0]), (before, block));
        error.to_string()
    };
    assert_eq!(
        refused(0, (2, -1), block),
        "tile (2, -1) is outside the platform's tile layer, which has 2 x 1 tiles from (3, -1) on"
    );
    assert_eq!(
        refused(0, (3, 0), block),
        "tile (3, 0) is outside the platform's tile layer, which has 2 x 1 tiles from (3, -1) on"
    );
    assert_eq!(refused(2, (3, -1), block), "unknown tile layer 2; number of layers that can be edited: 2");
    assert_eq!(refused(0, (3, -1), TileId(9999)), "the map has no tile kind 9999");
    assert_eq!(
        refused(0, (3, -1), TileId::EMPTY),
        "the platform has no tile that bodies collide with; expected at least one"
    );
    world.despawn_platform(plate).unwrap();
    let gone = world.set_platform_tile(plate, 0, (3, -1), block);
    assert_eq!(gone, Err(CommandError::NoSuchPlatform(plate)));
}

/// A jump has 16 - 40 / 60 upwards after its first tick, plus the inherited platform velocity.
#[test]
fn a_jump_inherits_what_its_character_selects() {
    let rises = 16.0 - 40.0 / 60.0;
    for (lift, taken) in [
        (PlatformVelocity::All, [(6.0, 0.0), (0.0, 8.0), (0.0, -8.0), (6.0, 8.0)]),
        (PlatformVelocity::Upward, [(0.0, 0.0), (0.0, 8.0), (0.0, 0.0), (0.0, 8.0)]),
        (PlatformVelocity::None, [(0.0, 0.0); 4]),
    ] {
        for (velocity, taken) in [(6.0, 0.0), (0.0, 8.0), (0.0, -8.0), (6.0, 8.0)].into_iter().zip(taken) {
            for jumps in [true, false] {
                let map = floor();
                let way = along(velocity.0 * 2.0, velocity.1 * 2.0, DVec2::from(velocity).length());
                let belt = rows(&map, &["##"], 0.0, 20.0).path(way);
                let mut world = World::new(map, Settings::default());
                let belt = world.spawn_platform(belt).unwrap();
                let character = Character { platform_velocity: lift, jump_height: 3.2, ..Character::default() };
                let body = Body::new(Shape::aabb(0.35, 0.45)).character(character);
                let hero = world.spawn(body.at((1.0, 21.45))).unwrap();
                (0..10).for_each(|_| world.step());
                if jumps {
                    world.set_input(hero, Input { jump: true, ..Input::default() });
                    world.step();
                    let expected = DVec2::new(taken.0, taken.1 + rises);
                    assert!((world[hero].velocity() - expected).length() < 1e-8, "{lift:?} {velocity:?}");
                } else {
                    // A body that falls off inherits everything.
                    world.despawn_platform(belt).unwrap();
                    let expected = DVec2::new(velocity.0, velocity.1);
                    assert!((world[hero].velocity() - expected).length() < 1e-8, "{lift:?} {velocity:?}");
                }
            }
        }
    }
}

/// The lift moves 8 tiles up at 8 tiles per second, in 60 ticks, and stops. A tenth of a second is 6 ticks.
#[test]
fn a_late_jump_has_the_last_velocity_of_its_platform() {
    let rises = 16.0 - 40.0 / 60.0;
    all_ways(|way| {
        for (grace, tick, taken) in
            [(0.1, 60, 8.0), (0.1, 61, 8.0), (0.1, 66, 8.0), (0.1, 67, 0.0), (0.0, 60, 8.0), (0.0, 61, 0.0)]
        {
            let mut world = way.world(floor(), Settings::default());
            let path = Path { repeat: Repeat::Once, ..along(0.0, 8.0, 8.0) };
            world.spawn_platform(rows(&floor(), &["##"], 0.0, 20.0).path(path)).unwrap();
            let character = Character { platform_velocity_grace: grace, ..Character::default() };
            let hero = world.spawn(hero().character(character).at((1.0, 21.45))).unwrap();
            (1..tick).for_each(|_| world.step());
            world.set_input(hero, Input { jump: true, ..Input::default() });
            world.step();
            let expected = DVec2::new(0.0, rises + taken);
            assert!((world[hero].velocity() - expected).length() < 1e-8, "{grace} {tick}: {}", world[hero].velocity());
            // In the air nothing is stored, and an unused velocity is not stored at all.
            world.step();
            assert!(!world.capture().to_ron().unwrap().contains("platform_velocity: Some"));
        }
    });
}

/// A wall comes from the left at 4 tiles per second; 32 x 4 / 60 = 2.133 < 2.15.
#[test]
fn a_wall_pushes_a_walker_from_the_tick_in_which_it_reaches_it() {
    let (mut world, wall) = with_platform(&["#", "#"], (10.0, 1.0), |platform| platform.path(along(40.0, 0.0, 4.0)));
    let hero = world.spawn(hero().at((13.5, 1.45))).unwrap();
    for tick in 1..=300 {
        world.step();
        let x = world[hero].position().units().x;
        if tick <= 32 {
            assert_eq!(x, at(13.5, 0.0).units().x, "tick {tick}");
        } else {
            let side = world.platform(wall).unwrap().position().units().x + ONE;
            assert_eq!(x, side + at(0.35, 0.0).units().x, "tick {tick}");
        }
        assert!(world[hero].on_floor());
    }
}

/// A jump with 16 upwards lasts 48 ticks: 16 t - 20 t^2 = 0. Relative to a belt at 6 tiles per second, the body lands
/// where it jumped, or as far behind as the belt moves in the 47 ticks in which it does not carry the body.
#[test]
fn a_jump_off_a_platform_inherits_its_velocity() {
    for (lift, taken) in [(PlatformVelocity::All, 6.0), (PlatformVelocity::Upward, 0.0), (PlatformVelocity::None, 0.0)]
    {
        let (mut world, belt) =
            with_platform(&["############"], (0.0, 10.0), |platform| platform.path(along(60.0, 0.0, 6.0)));
        let character = Character { jump_height: 3.2, platform_velocity: lift, ..Character::default() };
        let gravity = -world.settings().gravity.y;
        let hero = world.spawn(hero().character(character).at((10.0, 11.45))).unwrap();
        world.step();
        world.step();
        let before = offset(&world, hero, belt);
        world.set_input(hero, Input { jump: true, ..Input::default() });
        let jump = (2.0 * gravity * 3.2).sqrt();
        for tick in 1..=48 {
            assert!(tick == 1 || !world[hero].on_floor(), "{lift:?} tick {tick}");
            world.step();
            let time = f64::from(tick) * TICK;
            let rise = jump * time - gravity / 2.0 * time * time;
            let behind = (taken - 6.0) * f64::from(tick - 1) * TICK;
            let moved = (offset(&world, hero, belt) - before).as_dvec2() / ONE as f64;
            assert!((moved - DVec2::new(behind, rise)).length() < 1e-7, "{lift:?} tick {tick}: {moved} {rise}");
            // A displacement in whole units is off by half a unit at most.
            let velocity = world[hero].velocity() - DVec2::new(taken, jump - gravity * time);
            assert!(tick == 48 || velocity.length() < 1e-7, "{lift:?} tick {tick}: {velocity}");
            assert_eq!(world.platform_under(hero), (tick == 48).then_some(belt), "{lift:?} tick {tick}");
        }
        assert!(world[hero].on_floor() && offset(&world, hero, belt).y == before.y, "{lift:?}");
        // Braking by 80 makes up for the missing belt speed: v^2 / 160 further back.
        (0..60).for_each(|_| world.step());
        let behind = (offset(&world, hero, belt) - before).x as f64 / ONE as f64;
        let slides = (taken - 6.0) * 47.0 * TICK - (taken - 6.0) * (taken - 6.0) / 160.0;
        assert!((behind - slides).abs() < 0.06, "{lift:?}: {behind} and not {slides}");
        assert_eq!((world[hero].relative_velocity(), world.platform_under(hero)), (DVec2::ZERO, Some(belt)));
    }
}

/// D = (0.1, 0), and N = (1, 1) of a slope of 45 degrees: q = N (N.D) / 2, in the air as on a floor. Under a ceiling
/// the body moves sideways by D, in front of a wall up by as much, and with both it is crushed.
#[test]
fn a_wedge_lifts_touching_bodies_and_crushes_those_without_room() {
    let map = floor();
    for shape in [Shape::aabb(0.25, 0.25), Shape::circle(0.25)] {
        for (floor, ceiling, wall, expected) in [
            (false, false, false, (0.05, 0.05)),
            (true, false, false, (0.05, 0.05)),
            (false, true, false, (0.1, 0.0)),
            (true, true, false, (0.1, 0.0)),
            (false, false, true, (0.0, 0.1)),
            (true, false, true, (0.0, 0.1)),
            (false, true, true, (0.0, 0.0)),
            (true, true, true, (0.0, 0.0)),
        ] {
            let wedge = rows(&map, &["\\"], 10.0, 5.0).path(along(30.0, 0.0, 6.0));
            // No slope is a floor here, so that no body rides a wedge.
            let floor_limit = SlopeLimit::new(0, 1).unwrap();
            let settings = Settings { gravity: DVec2::ZERO, max_floor_slope: floor_limit, ..Settings::default() };
            let mut world = World::new(map.clone(), settings);
            world.spawn_platform(wedge).unwrap();
            // The corner of a box, or the foot of a circle, is at the middle of the slope: (10.5, 5.5).
            let aside = if shape.is_circle() { 0.25 * 0.5_f64.sqrt() + 1e-9 } else { 0.25 };
            let body = world.spawn(Body::new(shape).at((10.5 + aside, 5.5 + aside))).unwrap();
            let centre = world[body].position();
            let beside = |world: &mut World, x: i64, y: i64| {
                let at = centre + I64Vec2::new(x, y) * (ONE / 4);
                world.spawn_platform(rows(&map, &["#"], 0.0, 0.0).at(at)).unwrap();
            };
            for (is_there, x, y) in [(floor, -2, -5), (ceiling, -2, 1), (wall, 1, -2)] {
                if is_there {
                    beside(&mut world, x, y);
                }
            }
            let start = centre.units();
            world.step();
            let moved = (world[body].position().units() - start).as_dvec2() / ONE as f64;
            let what = format!("{shape:?} {floor} {ceiling} {wall}");
            // From the next tick on, the body's own motion adds its new velocity.
            assert!((moved - DVec2::from(expected)).length() < 5e-9, "{what}: {moved}");
            assert_eq!(count_crushes(&world), usize::from(ceiling && wall), "{what}");
        }
    }
}

/// The peaks of the wedges reach the lower corners after half a tile, in 7.5 ticks, when the body is as high as they
/// are. Without gravity it continues at 4 tiles per second. With gravity it comes down on the peaks and between them to
/// the floor. It is never a unit off the middle.
#[test]
fn two_wedges_lift_a_body_straight_up() {
    for (falls, are_floors) in [(false, false), (false, true), (true, false), (true, true)] {
        let map = floor();
        let floor_limit = SlopeLimit::new(u16::from(are_floors), 1).unwrap();
        let mut world = World::new(map.clone(), Settings { max_floor_slope: floor_limit, ..Settings::default() });
        let up = along(8.0, 0.0, 4.0);
        let down = along(-8.0, 0.0, 4.0);
        world.spawn_platform(rows(&map, &["\\"], 10.0, 5.0).path(up)).unwrap();
        world.spawn_platform(rows(&map, &["/"], 11.0, 5.0).path(down)).unwrap();
        let gravity_scale = if falls { 1.0 } else { 0.0 };
        let body = Body::new(Shape::aabb(0.5, 0.25)).at((11.0, 5.75)).gravity_scale(gravity_scale);
        let body = world.spawn(body).unwrap();
        let start = world[body].position().units();
        for tick in 1..=400 {
            world.step();
            let moved = world[body].position().units() - start;
            assert_eq!(moved.x, 0, "{falls} tick {tick}");
            if !falls || tick <= 7 {
                // The body is flush with both wedges as long as their peaks are below it.
                let up = f64::from(tick) * 4.0 / 60.0;
                assert!((moved.y as f64 / ONE as f64 - up).abs() < 1e-6, "{falls} tick {tick}: {moved}");
            }
            assert_eq!(count_crushes(&world), 0, "{falls} tick {tick}");
        }
        assert!(!falls || world[body].position() == at(11.0, 1.25));
    }
}

/// A body one unit deeper passes. A circle resting on a one-way edge may be up to 128 units inside it by rounding.
#[test]
fn a_rising_one_way_edge_catches_bodies_completely_in_front_of_it() {
    for (shape, deeper) in [(Shape::aabb(0.25, 0.25), 1), (Shape::circle(0.25), 129)] {
        for character in [None, Some(Character::default())] {
            for behind in [0, deeper] {
                let map = floor();
                let ledge = rows(&map, &["-"], 10.0, 5.0).path(along(0.0, 20.0, 40.0));
                // The one-way edge is at the top of its tile.
                let bottom = at(0.0, 6.25).units().y;
                let start = Position::from_units(at(10.5, 0.0).units().x, bottom - behind).unwrap();
                let run = |ledges: bool| {
                    let mut world = World::new(map.clone(), Settings::default());
                    let id = ledges.then(|| world.spawn_platform(ledge.clone()).unwrap());
                    let body = Body { character, ..Body::new(shape) };
                    let body = world.spawn(body.at(start)).unwrap();
                    let ticks = (0..20).map(|_| {
                        world.step();
                        let rides = world.platform_under(body) == id && id.is_some();
                        (world[body].position(), world[body].velocity(), rides, world.events().to_vec())
                    });
                    ticks.collect::<Vec<_>>()
                };
                let (with, without) = (run(true), run(false));
                if behind > 0 {
                    assert_eq!(with, without, "it passes as if there were no ledge");
                } else {
                    for (tick, with) in (1..).zip(&with) {
                        assert!(with.2, "{with:?}");
                        let way = (2 * 40 * ONE * tick + 60) / 120;
                        assert_eq!(with.0.units().y - start.units().y, way, "{shape:?} tick {tick}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_ball_at_rest_gets_the_velocity_of_a_wall() {
    for bounce in [0.0, 0.5, 1.0] {
        let map = floor();
        let settings = Settings { gravity: DVec2::ZERO, ..Settings::default() };
        let mut world = World::new(map.clone(), settings);
        world.spawn_platform(rows(&map, &["#"], 10.0, 5.0).path(along(50.0, 0.0, 5.0))).unwrap();
        let ball = Body::new(Shape::circle(0.25)).at((11.75, 5.5)).bounce(bounce);
        let ball = world.spawn(ball).unwrap();
        // The gap of half a tile closes in the sixth tick; with the platform's rounding, in the seventh at the latest.
        for tick in 1..=60 {
            world.step();
            let velocity = world[ball].velocity();
            let expected = if tick <= 5 { 0.0 } else { 5.0 * (1.0 + bounce) };
            assert!(tick == 6 || (velocity - DVec2::new(expected, 0.0)).length() < 1e-7, "tick {tick}: {velocity}");
        }
    }
}

#[test]
fn a_rider_next_to_a_wall_of_another_platform_keeps_its_position_in_every_order() {
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let map = floor();
        let mut world = World::new(map.clone(), Settings::default());
        let parts = [(0.0, &["..", "##"]), (2.0, &["..", "##"]), (4.0, &["##", "##"])];
        let mut ids = [None; 3];
        for i in order {
            let (x, tiles) = parts[i];
            let platform = rows(&map, tiles, x, 10.0).path(along(7.0, 3.0, 2.3));
            ids[i] = Some(world.spawn_platform(platform).unwrap());
        }
        let hero = world.spawn(hero().at((3.65, 11.45))).unwrap();
        let off = |world: &World| {
            world[hero].position().units() - world.platform(ids[1].unwrap()).unwrap().position().units()
        };
        let start = off(&world);
        for tick in 0..600 {
            world.step();
            assert_eq!(off(&world), start, "{order:?} tick {tick}");
            assert!(body_events(&world).is_empty(), "{:?}", body_events(&world));
        }
    }
}

const WITH_PLATFORMS: &str = r##"Map(
    format: 1,
    tiles: ["........", "........", "........", "========"],
    platforms: [
        (name: "lift", tiles: ["=="], at: (1, 0), motion: Path(points: [(0, 0), (0, 2)], speed: 3.0)),
        (name: "door", tiles: ["#"], at: (5, 1)),
    ],
)"##;

/// Two tiles up at 3 tiles per second: 40 ticks.
#[test]
fn a_world_on_a_map_begins_with_its_platforms() {
    let map = Map::from_ron(WITH_PLATFORMS).unwrap();
    let terrain = surefoot::terrain::Terrain::bake(&map);
    for mut world in
        [World::new(map.clone(), Settings::default()), World::with_terrain(map, terrain, Settings::default())]
    {
        let names: Vec<_> = world.platforms().map(|(_, state)| state.platform().name.clone()).collect();
        assert_eq!(names, ["lift", "door"]);
        let (lift, door) = (world.find_platform("lift").unwrap(), world.find_platform("door").unwrap());
        let hero = world.spawn(hero().at((2.0, 1.45))).unwrap();
        for _ in 0..40 {
            world.step();
        }
        assert_eq!(world.platform(lift).unwrap().position(), at(1.0, 2.0));
        assert_eq!((world[hero].position(), world.platform_under(hero)), (at(2.0, 3.45), Some(lift)));
        assert_eq!(world.platform(door).unwrap().position(), at(5.0, 1.0));
    }
}

#[test]
fn a_map_with_platforms_is_the_map_with_platforms_spawned() {
    let map = Map::from_ron(WITH_PLATFORMS).unwrap();
    let mut parts = map.clone().into_parts();
    let platforms = std::mem::take(&mut parts.platforms);
    let bare = Map::from_parts(parts).unwrap();
    assert_ne!(bare.checksum(), map.checksum());
    let mut worlds = [World::new(map, Settings::default()), World::new(bare, Settings::default())];
    for platform in platforms {
        worlds[1].spawn_platform(platform).unwrap();
    }
    for world in &mut worlds {
        world.spawn(hero().at((2.0, 1.45))).unwrap();
    }
    for _ in 0..200 {
        worlds.iter_mut().for_each(World::step);
        let [a, b] = worlds.each_ref().map(World::motion_checksum);
        assert_eq!(a, b);
        assert!(worlds[0].platforms().map(|(_, p)| p.position()).eq(worlds[1].platforms().map(|(_, p)| p.position())));
    }
}

/// With ticks of one second, a leg of 30,000 tiles takes at least 120 ticks. With ticks of a microsecond, it takes at
/// most 2^21.
#[test]
fn a_valid_map_gives_worlds_with_ticks_of_any_length() {
    let map = Map::from_ron(
        r##"Map(format: 1, tiles: ["."], platforms: [
            (tiles: ["#"], motion: Path(points: [(0, 0), (30000, 0)], speed: 15000)),
            (tiles: ["#"], motion: Path(points: [(0, 0), (0, 1)], speed: 1e-4, wait: 10000))])"##,
    )
    .unwrap();
    for tick in [1e-6, 1.0] {
        let mut world = World::new(map.clone(), Settings { tick, ..Settings::default() });
        assert_eq!(world.platforms().count(), 2);
        world.step();
        let fast = world.platforms().next().unwrap().1.position();
        assert_eq!(fast, if tick == 1.0 { at(250.0, 0.0) } else { at(0.015, 0.0) });
        // A game that spawns this platform in a world with such ticks gets an error.
        for platform in map.platforms().iter().skip(usize::from(tick < 1.0)).take(1) {
            assert!(world.spawn_platform(platform.clone()).is_err());
        }
    }
}

/// A one-way edge that allows dropping through carries a character up. The character then drops through it.
#[test]
fn a_character_drops_through_a_moving_one_way_edge() {
    let (mut world, ledge) = with_platform(&["---"], (10.0, 5.0), |platform| platform.path(along(0.0, 6.0, 2.0)));
    // The one-way edge is at the top of its tile.
    let hero = world.spawn(hero().at((11.5, 6.45))).unwrap();
    for _ in 0..60 {
        world.step();
        assert_eq!(world.platform_under(hero), Some(ledge));
    }
    world.set_input(hero, Input { down: true, ..Input::default() });
    world.step();
    assert_eq!(world.platform_under(hero), None);
    world.set_input(hero, Input::default());
    for _ in 0..60 {
        world.step();
    }
    assert_eq!((world[hero].position(), world.platform_under(hero)), (at(11.5, 1.45), None));
    assert!(world[hero].on_floor());
}

/// The character falls half a tile relative to the platform.
#[test]
fn a_character_has_the_velocity_of_the_platform_from_the_tick_in_which_it_lands() {
    for velocity in [(0.0, 3.0), (0.0, -6.0), (-12.0, 3.0), (5.0, -2.0)] {
        let map = floor();
        let mut world = World::new(map.clone(), Settings::default());
        let way = (velocity.0 * 4.0, velocity.1 * 4.0);
        let speed = DVec2::from(velocity).length();
        let lift = rows(&map, &["####"], 0.0, 30.0).path(path(&[(0.0, 0.0), way], speed));
        let lift = world.spawn_platform(lift).unwrap();
        world.step();
        let start = world.platform(lift).unwrap().position() + at(2.0, 1.95).units();
        let hero = world.spawn(hero().at(start).velocity(velocity)).unwrap();
        let landed = (0..30).any(|_| {
            world.step();
            world[hero].on_floor()
        });
        assert!(landed && world.platform_under(hero) == Some(lift), "{velocity:?}");
        let (own, whole) = (world[hero].relative_velocity(), world[hero].velocity());
        assert!(own.length() < 1e-6, "{velocity:?}: {own}");
        assert!((whole - DVec2::from(velocity)).length() < 1e-6, "{velocity:?}: {whole}");
    }
}

#[test]
fn a_teleported_platform_is_no_longer_driven() {
    let map = floor();
    let mut world = World::new(map.clone(), Settings::default());
    let door = world.spawn_platform(rows(&map, &["#"], 0.0, 5.0)).unwrap();
    world.drive_platform(door, (0.0, 8.0)).unwrap();
    world.teleport_platform(door, (1e8, 5.0)).unwrap();
    world.step();
    assert_eq!(world.platform(door).unwrap().position(), at(1e8, 5.0));
}

#[test]
fn a_rider_stays_on_its_lift_when_a_touched_wall_is_removed() {
    let map = floor();
    let mut world = World::new(map.clone(), Settings::default());
    let lift = rows(&map, &["####"], 2.0, 3.0).path(along(0.0, 20.0, 6.0));
    let lift = world.spawn_platform(lift).unwrap();
    let wall = rows(&map, &["#", "#"], 4.35, 4.0).path(along(0.0, 20.0, 6.0));
    let wall = world.spawn_platform(wall).unwrap();
    let hero = world.spawn(hero().at((4.0, 4.45))).unwrap();
    let start = offset(&world, hero, lift);
    for tick in 0..60 {
        if tick == 40 {
            assert!(world[hero].touching().wall_right);
            world.despawn_platform(wall).unwrap();
        }
        world.step();
        assert_eq!((offset(&world, hero, lift), world.platform_under(hero)), (start, Some(lift)), "tick {tick}");
    }
    // The hero's support is gone, so the hero flies on with its velocity in the world.
    let velocity = world[hero].velocity();
    assert!((velocity - DVec2::new(0.0, 6.0)).length() < 1e-7, "{velocity}");
    world.despawn_platform(lift).unwrap();
    assert_eq!((world[hero].velocity(), world[hero].relative_velocity()), (velocity, velocity));
    world.set_velocity(hero, (1.0, 2.0)).unwrap();
    assert_eq!(world[hero].velocity(), DVec2::new(1.0, 2.0));
}

/// Slopes of 1:2 that approach by an odd number of units: either wedge alone would move the body one unit off the
/// middle.
#[test]
fn two_gentle_wedges_lift_a_body_straight_up_despite_rounding() {
    let map = floor();
    let floor_limit = SlopeLimit::new(0, 1).unwrap();
    let mut world =
        World::new(map.clone(), Settings { gravity: DVec2::ZERO, max_floor_slope: floor_limit, ..Settings::default() });
    world.spawn_platform(rows(&map, &["34"], 10.0, 5.0).path(along(8.0, 0.0, 4.0))).unwrap();
    world.spawn_platform(rows(&map, &["12"], 12.0, 5.0).path(along(-8.0, 0.0, 4.0))).unwrap();
    // The lower corners of the body touch the slopes at x = 11.25 and 12.75, y = 5.375.
    let body = world.spawn(Body::new(Shape::aabb(0.75, 0.25)).at((12.0, 5.625))).unwrap();
    let start = world[body].position().units();
    world.step();
    let moved = world[body].position().units() - start;
    // The body moves up by (4 / 60) / 2 tiles, in whole steps of 2 sideways and 1 up.
    assert_eq!((moved.x, (moved.y - (4 * ONE / 60 + 1) / 2).abs() <= 1), (0, true), "{moved}");
}

/// A ball moves 1.5 tiles per tick through air that it knows to be empty. A wall comes down into its path, one tile
/// ahead.
#[test]
fn a_fast_ball_hits_a_wall_that_moves_into_air_cached_as_empty() {
    let map = floor();
    let mut world = World::new(map.clone(), Settings { gravity: DVec2::ZERO, ..Settings::default() });
    let wall = world.spawn_platform(rows(&map, &["##", "##", "##"], 0.0, 30.0)).unwrap();
    let ball = Body::new(Shape::circle(0.25)).bounce(1.0).at((-60.0, 5.5)).velocity((90.0, 0.0));
    let ball = world.spawn(ball).unwrap();
    for tick in 1..=60 {
        // The ball is at -60 + 1.5 x 39 = -1.5 when the wall comes down.
        if tick == 40 {
            world.drive_platform(wall, (0.0, 4.0)).unwrap();
        }
        world.step();
        assert!(world[ball].position().to_dvec2().x <= -0.25 + 1e-6, "tick {tick}: {}", world[ball].position());
    }
    assert_eq!(world[ball].velocity(), DVec2::new(-90.0, 0.0));
}

const LIFT: &str = "motion: Path(points: [(0, 0), (0, 6)], speed: 2.0)";

/// Replays the recorded run, and compares each checksum.
fn plays_back(recorder: ReplayRecorder, world: &World) {
    let text = recorder.finish_replay(world).unwrap().to_ron();
    let replay = Replay::from_ron(&text).unwrap();
    assert_eq!(replay.to_ron(), text);
    assert_eq!(Playback::new(&replay).run().unwrap().checksum, world.checksum());
}

/// A lift that begins paused rests with its rider until the game resumes it: then 60 ticks at 2 tiles/s are 2 tiles.
#[test]
fn a_platform_may_begin_paused() {
    let map = |lift: &str, row: &str| {
        Map::from_ron(&format!(
            r##"Map(format: 1, platforms: [{lift}], tiles: ["........", "........", "{row}", "========"])"##
        ))
        .unwrap()
    };
    let drawn = map(&format!("(cells: '-', name: \"lift\", {LIFT}, paused: true)"), "..--....");
    let listed = map(&format!("(name: \"lift\", at: (2, 1), tiles: [\"==\"], {LIFT}, paused: true)"), "........");
    let moving = map(&format!("(name: \"lift\", at: (2, 1), tiles: [\"==\"], {LIFT})"), "........");
    assert!(listed.to_ron().contains("paused: true") && !moving.to_ron().contains("paused"));
    assert_ne!(listed.checksum(), moving.checksum());
    let spawned = {
        let mut world = World::new(map("", "........"), Settings::default());
        let lift = rows(world.map(), &["=="], 2.0, 1.0).name("lift").path(along(0.0, 6.0, 2.0)).paused();
        world.spawn_platform(lift).unwrap();
        world
    };
    for map in [&drawn, &listed] {
        assert_eq!(Map::from_ron(&map.to_ron()).unwrap(), *map);
    }
    let of_map = |map: &Map| World::new(map.clone(), Settings::default());
    for mut world in [of_map(&drawn), of_map(&listed), spawned] {
        let mut recorder = Recorder::for_replay(&world, MapSource::Inline, 7).unwrap();
        let lift = world.find_platform("lift").unwrap();
        // The one-way tile of the lift carries bodies on its upper side, at 2.
        let rider = world.spawn(hero().at((3.0, 2.45))).unwrap();
        for tick in 0..120 {
            if tick == 60 {
                world.resume_platform(lift).unwrap();
            }
            assert_eq!(world.platform(lift).unwrap().is_paused(), tick < 60);
            world.step();
            recorder.record_tick(&world).unwrap();
            let y = 1.0 + (f64::from(tick) - 59.0).max(0.0) / 30.0;
            let lift_y = world.platform(lift).unwrap().position().to_dvec2().y;
            assert!((lift_y - y).abs() < 1e-9, "tick {tick}: {lift_y}");
            assert!((world[rider].position().to_dvec2().y - y - 1.45).abs() < 1e-8, "tick {tick}");
        }
        assert_eq!(world.platform(lift).unwrap().position(), at(2.0, 3.0));
        plays_back(recorder, &world);
    }
}

/// A lift that waits for a rider and for the game starts when it has both. With a phase it waits in the middle of its
/// round.
#[test]
fn a_paused_platform_waits_for_its_rider_too() {
    for (is_ridden, is_resumed) in [(false, false), (true, false), (false, true), (true, true)] {
        let path = Path { phase: 0.25, ..along(0.0, 6.0, 2.0) };
        let (mut world, lift) =
            with_platform(&["##"], (20.0, 20.0), |platform| platform.path(path).on_ride(OnRide::Start).paused());
        // A quarter of the round is half of the way up.
        assert_eq!(world.platform(lift).unwrap().position(), at(20.0, 23.0));
        if is_ridden {
            world.spawn(hero().at((21.0, 24.45))).unwrap();
        }
        if is_resumed {
            world.resume_platform(lift).unwrap();
        }
        (0..60).for_each(|_| world.step());
        let moved = world.platform(lift).unwrap().position() != at(20.0, 23.0);
        assert_eq!(moved, is_ridden && is_resumed, "ridden {is_ridden}, resumed {is_resumed}");
    }
}

/// A platform that is removed and spawned again restarts at the beginning, and waits for a rider again. 2 tiles/s for
/// 90 ticks are 3 tiles.
#[test]
fn a_platform_that_is_spawned_again_restarts() {
    for on_ride in [OnRide::Nothing, OnRide::Start] {
        let (mut world, mut lift) = with_platform(&["##"], (20.0, 20.0), |platform| {
            platform.name("lift").path(along(0.0, 6.0, 2.0)).on_ride(on_ride)
        });
        let mut recorder = Recorder::for_replay(&world, MapSource::Inline, 7).unwrap();
        let rider = world.spawn(hero().at((21.0, 21.45))).unwrap();
        let mut run = |world: &mut World, ticks: u32| {
            for _ in 0..ticks {
                world.step();
                recorder.record_tick(world).unwrap();
            }
        };
        // The first tick may only find the rider.
        run(&mut world, 91);
        let y = world.platform(lift).unwrap().position().to_dvec2().y;
        assert!((23.0..=23.04).contains(&y), "{on_ride:?}: {y}");
        let again = world.platform(lift).unwrap().platform().clone();
        world.despawn(rider).unwrap();
        world.despawn_platform(lift).unwrap();
        lift = world.spawn_platform(again).unwrap();
        assert_eq!(
            (world.platform(lift).unwrap().position(), world.find_platform("lift")),
            (at(20.0, 20.0), Some(lift))
        );
        run(&mut world, 30);
        let y = if on_ride == OnRide::Start { 20.0 } else { 21.0 };
        assert_eq!(world.platform(lift).unwrap().position(), at(20.0, y), "{on_ride:?}");
        plays_back(recorder, &world);
    }
}
