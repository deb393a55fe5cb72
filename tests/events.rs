//! Events are sent once. A body that overlaps a solid is frozen until it is free.

use crate::scene::{Random, kinds, map, map_with, often, position};
use crate::table::pairs;
use surefoot::prelude::*;
use surefoot::world::Footing;
use surefoot::{Input, World};

const ROWS: [&str; 5] = [".....", ".....", ".....", "#####", "#####"];

fn shapes() -> [Shape; 2] {
    [Shape::aabb(0.375, 0.375), Shape::circle(0.375)]
}

fn bodies(shape: Shape) -> [Body; 4] {
    [
        Body::new(shape),
        Body::new(shape).character(Character::default()),
        Body::new(shape).bounce(0.5),
        Body::new(shape).response(Response::Stop),
    ]
}

#[test]
fn a_body_spawned_inside_a_solid_is_stuck_once_and_does_not_move() {
    for (body, at) in pairs(shapes().map(bodies).concat(), [(2.5, 0.5), (2.5, 1.9), (2.5, 2.0), (0.0, 1.0)]) {
        let mut world = World::new(map(&ROWS), Settings::default());
        let body = world.spawn(body.clone().at(at).velocity((3.0, 5.0))).unwrap();
        world.set_input(body, Input { walk: 127, jump: true, ..Input::default() });
        world.step();
        assert_eq!(kinds(&world), [EventKind::Stuck]);
        for _ in 0..100 {
            world.step();
            assert!(world.events().is_empty() && world[body].is_stuck());
            assert_eq!(world[body].position(), position(at.0, at.1));
        }
    }
}

#[test]
fn touching_is_not_stuck() {
    for body in shapes().map(bodies).concat() {
        let mut world = World::new(map(&ROWS), Settings::default());
        let body = world.spawn(body.at((2.5, 2.375))).unwrap();
        for _ in 0..100 {
            world.step();
            assert!(!kinds(&world).contains(&EventKind::Stuck));
        }
        assert_eq!(world[body].position(), position(2.5, 2.375));
        assert!(world[body].on_floor() && !world[body].is_stuck());
    }
}

#[test]
fn a_body_falls_when_its_floor_is_taken_away() {
    for shape in shapes() {
        for body in [Body::new(shape).friction(1.0), Body::new(shape).character(Character::default())] {
            let mut world = World::new(map(&ROWS), Settings::default());
            let body = world.spawn(body.at((2.5, 2.375))).unwrap();
            for _ in 0..5 {
                world.step();
                assert!(world.events().is_empty());
            }
            world.set_tile(0, (2, 1), TileId::EMPTY).unwrap();
            let mut seen = vec![];
            for _ in 0..60 {
                world.step();
                seen.extend(kinds(&world));
            }
            assert_eq!(world[body].position(), position(2.5, 1.375));
            seen.retain(|kind| !matches!(kind, EventKind::HitTile { .. }));
            assert!(matches!(seen[..], [EventKind::LeftFloor, EventKind::Landed { .. }]), "{shape:?} {seen:?}");
        }
    }
}

#[test]
fn a_teleport_into_a_solid_sticks_and_one_out_of_it_frees() {
    for body in shapes().map(bodies).concat() {
        let mut world = World::new(map(&ROWS), Settings::default());
        let body = world.spawn(body.at((2.5, 2.375))).unwrap();
        world.step();
        world.teleport(body, (2.5, 1.0)).unwrap();
        world.step();
        assert!(kinds(&world).contains(&EventKind::Stuck) && world[body].is_stuck());
        // A teleport from one solid into another sends no new event.
        world.teleport(body, (1.5, 1.0)).unwrap();
        world.step();
        assert!(world.events().is_empty() && world[body].is_stuck());
        assert_eq!(world[body].position(), position(1.5, 1.0));
        world.teleport(body, (1.5, 3.0)).unwrap();
        assert_eq!(world[body].position_at(0.0), world[body].position().to_vec2(), "a teleport is not smoothed over");
        world.step();
        assert!(kinds(&world).contains(&EventKind::Unstuck) && !world[body].is_stuck());
        assert!(world[body].position().units().y <= position(1.5, 3.0).units().y, "it falls again");
    }
}

#[test]
fn a_body_that_passes_is_never_stuck() {
    let mut world = World::new(map(&ROWS), Settings::default());
    let body = Body::new(Shape::circle(0.375)).at((2.5, 1.0)).response(Response::Pass).gravity_scale(0.0);
    let body = world.spawn(body.velocity((0.0, 1.0))).unwrap();
    for _ in 0..60 {
        world.step();
        assert!(world.events().is_empty());
    }
    assert!((world[body].position().to_dvec2().y - 2.0).abs() < 1e-7);
}

#[test]
fn a_body_leaves_the_map_once_and_again_after_it_came_back() {
    for shape in shapes() {
        for (velocity, out) in [((20.0, 0.0), (5.375, 4.5)), ((-20.0, 0.0), (-0.375, 4.5)), ((0.0, 20.0), (2.5, 5.375))]
        {
            let mut world = World::new(map(&ROWS), Settings::default().gravity((0.0, 0.0)));
            let body = world.spawn(Body::new(shape).at((2.5, 3.5)).velocity(velocity)).unwrap();
            for _ in 0..2 {
                let mut seen = vec![];
                for _ in 0..60 {
                    world.step();
                    seen.extend(kinds(&world));
                }
                assert_eq!(seen, [EventKind::LeftMap]);
                world.teleport(body, (2.5, 3.5)).unwrap();
                world.step();
                assert!(world.events().is_empty());
            }
            // A body has left the map when it is completely outside. One unit further in, it has not.
            world.set_velocity(body, (0.0, 0.0)).unwrap();
            for (inwards, leaves) in [(1, false), (0, true)] {
                world.teleport(body, (2.5, 3.5)).unwrap();
                world.step();
                let towards = (position(2.5, 3.5) - position(out.0, out.1)).signum() * inwards;
                world.teleport(body, position(out.0, out.1) + towards).unwrap();
                world.step();
                assert_eq!(kinds(&world).contains(&EventKind::LeftMap), leaves, "{velocity:?} {inwards}");
            }
        }
    }
}

#[test]
fn solid_sides_keep_bodies_in_the_map() {
    let sides = "border: (left: Solid, right: Solid, bottom: Solid, top: Solid),";
    for shape in shapes() {
        let map = map_with(&[".....", ".....", "....."], sides);
        let mut world = World::new(map, Settings::default());
        let body = world.spawn(Body::new(shape).at((2.5, 1.5)).velocity((13.0, 37.0)).bounce(1.0)).unwrap();
        for tick in 0..600 {
            world.step();
            assert!(!kinds(&world).contains(&EventKind::LeftMap));
            let at = world[body].position().to_dvec2();
            assert!(at.x >= 0.375 && at.x <= 4.625 && at.y >= 0.375 && at.y <= 2.625, "tick {tick} {at}");
        }
    }
}

/// Returns whether a body is grounded according to its events, and updates since when it is in the air.
fn seen(world: &World, body: BodyId, since: &mut Option<u64>) -> bool {
    let state = &world[body];
    assert_eq!(state.touching().floor, state.on_floor());
    match state.footing() {
        Footing::Ground { speed } => {
            assert!(state.on_floor() && (state.character().is_some() || speed == 0.0));
            *since = None;
        }
        Footing::Air { since: told } => {
            assert!(!state.on_floor());
            assert_eq!(told, *since.get_or_insert(world.tick()), "since when it is in the air");
        }
    }
    state.on_floor()
}

#[test]
fn events_contacts_and_grounding_agree() {
    let map = map(&["........", "..--....", ".....^..", ".//..--.", "#--##.##", "########"]);
    let [block, empty] = ['#', '.'].map(|character| map.find_tile(character).unwrap());
    let mut random = Random(0xF007);
    let (mut landed, mut left, mut early) = (0, 0, 0);
    for (round, body) in pairs(0..often(40, 2000), shapes().map(bodies).concat()) {
        let mut world = World::new(map.clone(), Settings::default());
        let body = world.spawn(body.at((random.range(1.0, 7.0), random.range(2.6, 6.0)))).unwrap();
        let mut since = None;
        let mut told = seen(&world, body, &mut since);
        for tick in 0..150 {
            match random.below(40) {
                0 => world.set_velocity(body, (random.range(-9.0, 9.0), random.range(-9.0, 9.0))).unwrap(),
                1 => world.teleport(body, (random.range(1.0, 7.0), random.range(2.0, 6.0))).unwrap(),
                2 => {
                    let tile = (1 + random.below(6) as i32, random.below(5) as i32);
                    world.set_tile(0, tile, random.pick(&[block, empty])).unwrap();
                }
                3..6 => {
                    let walk = random.pick(&[-127, 0, 127]);
                    world.set_input(body, Input { walk, jump: random.below(2) == 0, ..Input::default() });
                }
                _ => {}
            }
            let (was, before) = (told, seen(&world, body, &mut since));
            world.step();
            for kind in kinds(&world) {
                match kind {
                    EventKind::Landed { .. } => (told, landed) = (true, landed + 1),
                    EventKind::LeftFloor => (told, left) = (false, left + 1),
                    _ => {}
                }
            }
            early += u32::from(was != before);
            let on_floor = seen(&world, body, &mut since);
            if !world[body].is_stuck() {
                assert_eq!(told, on_floor, "round {round} tick {tick}: {:?}", kinds(&world));
            }
        }
    }
    assert!(landed > 200 && left > 200 && early > 100, "{landed} {left} {early}");
}

/// Returns the speed of the only hit in some ticks.
fn hit_speed(world: &mut World, ticks: u32) -> f64 {
    let mut speeds = Vec::new();
    for _ in 0..ticks {
        world.step();
        speeds.extend(kinds(world).iter().filter_map(|kind| match kind {
            EventKind::HitTile { speed, .. } => Some(*speed),
            _ => None,
        }));
        if !speeds.is_empty() {
            break;
        }
    }
    assert_eq!(speeds.len(), 1, "{speeds:?}");
    speeds[0]
}

/// A fall of 0.06 tiles: 20 (3 / 60)^2 = 0.05 are done after three ticks, and 20 (4 / 60)^2 = 0.089 after four. A
/// sliding body reports the speed at the end of that tick, a bouncing body that at the impact.
#[test]
fn a_hit_reports_the_speed_at_the_impact_for_bounces_and_at_the_end_of_the_tick_for_slides() {
    for shape in shapes() {
        let body = Body::new(shape).at((2.5, 2.435));
        for (body, speed) in [
            (body.clone().bounce(0.5).rest_speed_threshold(0.0), (2.0_f64 * 40.0 * 0.06).sqrt()),
            (body.clone(), 40.0 * 4.0 / 60.0),
            (body.clone().response(Response::Stop), 40.0 * 4.0 / 60.0),
        ] {
            let mut world = World::new(map(&ROWS), Settings::default());
            world.spawn(body).unwrap();
            let found = hit_speed(&mut world, 4);
            assert!((found - speed).abs() < 1e-6, "{shape:?}: {found} and not {speed}");
        }
    }
}

/// A wall at 3 tiles per second and a ball at 6, 0.56 tiles apart, approach by 0.15 tiles per tick. In the fourth tick
/// the wall comes within 0.06, and the ball moves 0.1.
#[test]
fn the_velocity_of_a_platform_that_is_hit_is_not_taken_off_the_speed() {
    let platforms = r###"platforms: [(tiles: ["#"], at: (3, 0), motion: Path(points: [(0, 0), (-3, 0)], speed: 3))]"###;
    for response in [Response::Slide, Response::Bounce(1.0), Response::Stop] {
        let map = map_with(&["......", "......"], platforms);
        let mut world = World::new(map, Settings::default().gravity((0.0, 0.0)));
        let ball = Body::new(Shape::circle(0.25)).at((3.0 - 0.25 - 0.56, 0.5)).velocity((6.0, 0.0));
        world.spawn(ball.response(response)).unwrap();
        let found = hit_speed(&mut world, 4);
        assert!((found - 6.0).abs() < 1e-6, "{response:?}: {found}");
    }
}

/// A character walks up a slope of 45 degrees into a wall on the slope. Its velocity to the right is 8 / sqrt 2.
#[test]
fn a_hit_of_a_walk_reports_the_speed_along_the_ground() {
    for shape in [Shape::aabb(0.25, 0.25), Shape::circle(0.25)] {
        let mut world = World::new(map(&["........#", "........#", "......./#", "#########"]), Settings::default());
        let hero = world.spawn(Body::new(shape).at((1.5, 1.25)).character(Character::default())).unwrap();
        world.set_input(hero, Input { walk: 127, ..Input::default() });
        let found = hit_speed(&mut world, 120);
        assert!((found - 8.0).abs() < 1e-6, "{shape:?}: {found}");
    }
}

/// A character walks at 8 on a platform that moves in the same direction at 3, into a wall of the map.
#[test]
fn a_hit_of_a_rider_reports_the_speed_on_its_platform() {
    let platforms =
        r###"platforms: [(tiles: ["========="], at: (0, 0), motion: Path(points: [(0, 0), (9, 0)], speed: 3))]"###;
    let mut world = World::new(map_with(&[".........#", ".........."], platforms), Settings::default());
    let hero = world.spawn(Body::new(Shape::aabb(0.25, 0.25)).at((1.5, 1.25)).character(Character::default())).unwrap();
    world.set_input(hero, Input { walk: 127, ..Input::default() });
    let found = hit_speed(&mut world, 120);
    assert!(world.platform_under(hero).is_some() && (found - 8.0).abs() < 1e-6, "{found}");
}
