//! Events of platforms that arrive at points of their paths, with ticks computed by hand.

use crate::platforms::{at, path, with_platform};
use crate::prelude::*;

type Arrivals = Vec<(u64, PlatformId, u32, bool)>;

/// Returns the arrivals of the last tick.
fn arrival_events(tick: u64, events: &[Event]) -> Arrivals {
    let of = |event: &Event| match event.kind {
        EventKind::PlatformArrived { platform, point, is_end } => {
            assert_eq!(event.body, BodyId::default());
            Some((tick, platform, point, is_end))
        }
        _ => None,
    };
    events.iter().filter_map(of).collect()
}

/// Steps a world and returns all arrivals.
fn run(world: &mut World, ticks: u64) -> Arrivals {
    let mut all = Vec::new();
    for _ in 0..ticks {
        world.step();
        all.extend(arrival_events(world.tick(), world.events()));
    }
    all
}

/// Legs of 3, 4 and 5 tiles at 6 tiles per second: 30, 40 and 50 ticks, with a wait of 15 ticks at each point.
#[test]
fn each_point_sends_an_event_in_the_tick_of_the_arrival() {
    let legs = |repeat| Path { repeat, wait: 0.25, ..path(&[(0.0, 0.0), (3.0, 0.0), (3.0, 4.0)], 6.0) };
    all_ways(|way| {
        let map = Map::from_rows(["....", "####"]).unwrap();
        let mut world = way.world(map.clone(), Settings::default());
        let mut lift = |x, parent: &str, repeat, phase| {
            let platform = Platform::from_rows(&map, ["##"]).unwrap().at((x, 20.0)).name(format!("{x}"));
            let platform = platform.path(Path { phase, ..legs(repeat) }).attached_to(parent);
            world.spawn_platform(platform).unwrap()
        };
        let back = lift(0.0, "", Repeat::PingPong, 0.0);
        let once = lift(10.0, "", Repeat::Once, 0.0);
        let round = lift(20.0, "", Repeat::Loop, 0.0);
        // The phase of 0.25 is 50 of the 200 ticks.
        let rider = lift(30.0, "0", Repeat::PingPong, 0.25);
        let mut all = Vec::new();
        for tick in 1..=260 {
            world.step();
            all.extend(arrival_events(tick, world.events()));
        }
        let expected = [
            (45, back, 1, false),
            (45, once, 1, false),
            (45, round, 1, false),
            (50, rider, 2, true),
            (100, back, 2, true),
            (100, once, 2, true),
            (100, round, 2, false),
            (105, rider, 1, false),
            (150, rider, 0, true),
            (155, back, 1, false),
            (165, round, 0, false),
            (195, rider, 1, false),
            (200, back, 0, true),
            (210, round, 1, false),
            (245, back, 1, false),
            (250, rider, 2, true),
        ];
        assert_eq!(all, expected);
    });
}

/// A press needs 10 ticks for 7 tiles, from 8 down to the floor. After 8 ticks, 1.4 tiles are left, and the body below
/// is 0.9 high. It blocks the press in the ticks 9 to 20.
#[test]
fn a_blocked_or_paused_platform_arrives_later() {
    let press = || with_platform(&["##"], (20.0, 8.0), |press| press.path(along(0.0, -7.0, 42.0)));
    let (mut world, id) = press();
    let body = world.spawn(hero().at((21.0, 1.45))).unwrap();
    assert_eq!(run(&mut world, 20), []);
    world.despawn(body).unwrap();
    assert_eq!(run(&mut world, 12), [(22, id, 1, true), (32, id, 0, true)]);

    let (mut world, id) = press();
    run(&mut world, 3);
    world.pause_platform(id).unwrap();
    assert_eq!(run(&mut world, 5), []);
    world.resume_platform(id).unwrap();
    assert_eq!(run(&mut world, 10), [(15, id, 1, true)]);
}

/// A lift that starts when it is ridden: the body lands in the first tick, and the path takes 10 ticks from the second.
#[test]
fn a_lift_that_waits_for_a_rider_sends_nothing_before() {
    let (mut world, id) =
        with_platform(&["##"], (20.0, 8.0), |lift| lift.path(along(0.0, 2.0, 12.0)).on_ride(OnRide::Start));
    assert_eq!(run(&mut world, 30), []);
    world.spawn(hero().at((21.0, 9.45))).unwrap();
    assert_eq!(run(&mut world, 12), [(41, id, 1, true)]);
}

#[test]
fn a_driven_or_teleported_platform_sends_nothing_for_that_motion() {
    let (mut world, id) = with_platform(&["##"], (20.0, 8.0), |lift| lift.path(along(0.0, 2.0, 12.0)));
    world.drive_platform(id, at(20.0, 10.0)).unwrap();
    assert_eq!(run(&mut world, 1), []);
    world.teleport_platform(id, at(20.0, 12.0)).unwrap();
    // The path has not begun yet, so its end is 2 tiles above the new position.
    assert_eq!(run(&mut world, 10), [(11, id, 1, true)]);
    assert_eq!(world.platform(id).unwrap().position(), at(20.0, 14.0));
}

/// A world that goes back sends the events again, and none that belongs to later ticks.
#[test]
fn a_restored_world_sends_the_events_again() {
    let (mut world, id) = with_platform(&["##"], (20.0, 8.0), |lift| lift.path(along(0.0, 2.0, 12.0)));
    let start = world.capture();
    let mut twin = world.clone();
    let expected = [(10, id, 1, true), (20, id, 0, true)];
    assert_eq!(run(&mut world, 25), expected);
    world.restore(&start).unwrap();
    assert_eq!(run(&mut world, 25), expected);
    run(&mut twin, 15);
    world.restore(&start).unwrap();
    twin.clone_from(&world);
    assert_eq!(run(&mut twin, 25), expected);
}
