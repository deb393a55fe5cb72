//! Areas: which bodies enter and leave, and how areas change their motion.

use crate::scene::{map, map_with, position};
use crate::surfaces::{PLAIN, upright};
use crate::table::{MASKS, Run, Way, all_ways, pairs};
use surefoot::area::{Area, AreaError, AreaId, AreaShape, AttachedTo, Effects};
use surefoot::command::Command;
use surefoot::geometry::{Capsule, DVec2, Obb, Triangle, dvec2};
use surefoot::map::{CollisionLayers, MapParts, Material};
use surefoot::platform::{Path, PathTiming, Platform};
use surefoot::prelude::*;
use surefoot::query::{Filter, Target};
use surefoot::record::{Commands, Playback, RecordOptions, RecordingFile};
use surefoot::{Input, Map, World};
use surefoot_random::Random;

/// Seconds of a tick.
const TICK: f64 = 1.0 / 60.0;

/// Error bound of a sum of some hundred f64 and positions in whole units, in tiles and tiles per second.
const NEAR: f64 = 1e-6;

fn empty(width: u32, height: u32) -> World {
    World::new(Map::from_parts(MapParts::new(width, height)).unwrap(), Settings::default())
}

fn aabb(width: f64, height: f64) -> AreaShape {
    AreaShape::aabb(width, height).unwrap()
}

fn area(shape: AreaShape, at: (f64, f64)) -> Area {
    Area::new(shape).at(at)
}

fn floating(at: (f64, f64)) -> Body {
    Body::new(Shape::circle(0.25)).at(at).gravity_scale(0.0)
}

/// Returns the area events of the last step: the body, the area, and whether the body entered.
fn area_changes(world: &World) -> Vec<(BodyId, AreaId, bool)> {
    let events = world.events().iter().filter_map(|event| match event.kind {
        EventKind::AreaEntered { area } => Some((event.body, area, true)),
        EventKind::AreaExited { area } => Some((event.body, area, false)),
        _ => None,
    });
    events.collect()
}

fn step(world: &mut World) -> Vec<(BodyId, AreaId, bool)> {
    world.step();
    area_changes(world)
}

#[track_caller]
fn assert_near(found: DVec2, expected: DVec2) {
    assert!((found - expected).abs().max_element() < NEAR, "{found}, not {expected}");
}

#[test]
fn a_body_is_inside_from_the_tick_in_which_interiors_overlap() {
    let mut world = empty(8, 4);
    let gate = world.spawn_area(area(aabb(1.0, 1.0), (4.0, 2.0))).unwrap();
    // The body moves right at one tile per second. Its right side starts at 2.5 + 0.25, so it touches the area after 15
    // ticks.
    let body = world.spawn(floating((2.5, 2.0)).velocity((1.0, 0.0))).unwrap();
    let mut changes = Vec::new();
    for tick in 1..=200 {
        changes.extend(step(&mut world).into_iter().map(|(_, _, is_in)| (tick, is_in)));
        let is_in = world.areas_of(body).any(|area| area == gate);
        assert_eq!(world.bodies_in(gate).collect::<Vec<_>>(), if is_in { vec![body] } else { vec![] });
    }
    // The body touches the area after the 15 ticks from 2.75 to 3. Its left side reaches 5 after another 2.75 - 0.25 +
    // 0.25 tiles. A tick's displacement is rounded to units, so some units may be missing at the touch.
    let [(enters, true), (leaves, false)] = changes[..] else { panic!("{changes:?}") };
    assert!((15..=16).contains(&enters) && (165..=166).contains(&leaves), "{changes:?}");
}

#[test]
fn touching_is_not_inside() {
    let mut world = empty(8, 4);
    let gate = world.spawn_area(area(aabb(1.0, 1.0), (4.0, 2.0))).unwrap();
    let still = |at| Body::new(Shape::aabb(0.25, 0.25)).at(at).gravity_scale(0.0);
    world.spawn(still((2.75, 2.0))).unwrap();
    let inside = world.spawn(still((2.75 + 1.0 / 65536.0, 2.0))).unwrap();
    assert_eq!(step(&mut world), [(inside, gate, true)]);
    assert_eq!(step(&mut world), []);
}

#[test]
fn a_body_that_crosses_an_area_in_a_tick_enters_and_leaves_it() {
    let thin = Triangle::new([dvec2(0.0, -0.5), dvec2(0.01, 0.0), dvec2(0.0, 0.5)]).unwrap();
    let tilted = Obb::new(DVec2::ZERO, dvec2(0.5, 0.01), dvec2(3.0, 4.0)).unwrap();
    let pill = Capsule::new(dvec2(0.0, -0.5), dvec2(0.0, 0.5), 0.01).unwrap();
    let shapes = [aabb(0.01, 0.5), AreaShape::circle(0.1).unwrap(), thin.into(), tilted.into(), pill.into()];
    for ((i, shape), body) in pairs(shapes.into_iter().enumerate(), [Shape::circle(0.1), Shape::aabb(0.1, 0.05)]) {
        let mut world = empty(40, 40);
        let gate = world.spawn_area(area(shape, (10.0, 10.0))).unwrap();
        // Both bodies move by 10 tiles per tick, lengthwise and across. The path of the second body misses the area.
        let fast = Body::new(body).gravity_scale(0.0).velocity((600.0, 600.0));
        let one = world.spawn(fast.clone().at((5.0, 5.0))).unwrap();
        world.spawn(fast.at((7.0, 5.0))).unwrap();
        assert_eq!(step(&mut world), [(one, gate, true), (one, gate, false)], "shape {i}, {body:?}");
        assert_eq!((world.bodies_in(gate).count(), step(&mut world)), (0, vec![]));
    }
}

#[test]
fn events_are_in_the_order_of_bodies_then_of_areas() {
    let mut world = empty(40, 4);
    let areas = [10.0, 8.0, 12.0].map(|x| world.spawn_area(area(aabb(0.5, 0.5), (x, 2.0))).unwrap());
    let fast = |x| floating((x, 2.0)).velocity((600.0, 0.0));
    let bodies = [6.0, 5.0].map(|x| world.spawn(fast(x)).unwrap());
    // The second area ends at 15 too: both bodies pass all three areas.
    let expected: Vec<_> = bodies
        .iter()
        .flat_map(|body| areas.iter().flat_map(|area| [true, false].map(|is_in| (*body, *area, is_in))))
        .collect();
    assert_eq!(step(&mut world), expected);
}

#[test]
fn spawns_teleports_masks_and_removals_send_events_in_the_next_tick() {
    let map = map_with(&["........", "........", "........", "........"], r#"collision_layers: ["hero", "ghost"]"#);
    let [hero, ghost] = ["hero", "ghost"].map(|name| map.collision_layers_named([name]).unwrap());
    let mut world = World::new(map, Settings::default());
    let pond = world.spawn_area(area(aabb(2.0, 1.0), (4.0, 2.0)).collision_mask(hero)).unwrap();
    let body = world.spawn(floating((4.0, 2.0))).unwrap();
    assert_eq!(area_changes(&world), [], "a spawn tells nothing by itself");
    assert_eq!(step(&mut world), [(body, pond, true)]);

    world.teleport(body, (0.5, 2.0)).unwrap();
    assert_eq!(world.areas_of(body).collect::<Vec<_>>(), [pond], "as the last tick has told");
    assert_eq!(step(&mut world), [(body, pond, false)]);
    world.teleport(body, (7.5, 2.0)).unwrap();
    assert_eq!(step(&mut world), [], "a teleport comes over nothing");
    world.teleport(body, (4.0, 2.0)).unwrap();
    assert_eq!(step(&mut world), [(body, pond, true)]);

    world.set_collision_layers(body, ghost).unwrap();
    assert_eq!(step(&mut world), [(body, pond, false)]);
    let for_ghosts = world.area(pond).unwrap().area().clone().collision_mask(ghost);
    world.set_area(pond, for_ghosts.clone()).unwrap();
    assert_eq!(step(&mut world), [(body, pond, true)]);
    world.set_area(pond, for_ghosts.collision_mask(hero)).unwrap();
    assert_eq!(step(&mut world), [(body, pond, false)]);
    world.set_collision_layers(body, hero).unwrap();
    assert_eq!(step(&mut world), [(body, pond, true)]);

    world.move_area(pond, (4.0, 12.0)).unwrap();
    assert_eq!(step(&mut world), [(body, pond, false)]);
    world.move_area(pond, (4.0, 2.0)).unwrap();
    assert_eq!(step(&mut world), [(body, pond, true)]);

    world.despawn_area(pond).unwrap();
    assert_eq!(world.areas_of(body).count(), 0, "it is not there");
    assert_eq!(step(&mut world), [(body, pond, false)]);
    let pond = world.spawn_area(area(aabb(2.0, 1.0), (4.0, 2.0))).unwrap();
    assert_eq!(step(&mut world), [(body, pond, true)]);
    world.despawn(body).unwrap();
    let next = world.spawn(floating((4.0, 2.0))).unwrap();
    assert_eq!(step(&mut world), [(body, pond, false), (next, pond, true)], "in one slot the one that was there first");
    assert_eq!(step(&mut world), []);
}

#[test]
fn many_bodies_enter_and_leave_in_one_tick() {
    let mut world = empty(8, 8);
    let place = |at| area(aabb(2.0, 2.0), at);
    let ponds = [(2.0, 4.0), (5.0, 4.0)].map(|at| world.spawn_area(place(at)).unwrap());
    let bodies: Vec<BodyId> =
        (0..100).map(|i| world.spawn(floating((0.5 + 0.07 * f64::from(i), 4.0))).unwrap()).collect();
    let x = |body: BodyId, world: &World| world[body].position().to_dvec2().x;
    let expected = |world: &World| {
        let is_in = |body: &BodyId, pond: f64| (x(*body, world) - pond).abs() < 2.25;
        let inside = |pond: f64| bodies.iter().copied().filter(|body| is_in(body, pond)).collect::<Vec<_>>();
        [inside(2.0), inside(5.0)]
    };
    let told = step(&mut world);
    let [left, right] = expected(&world);
    assert!(left.len() > 40 && right.len() > 40 && left.len() + right.len() > 100);
    assert_eq!(told.len(), left.len() + right.len());
    assert!(told.is_sorted_by_key(|(body, area, _)| (*body, *area)) && told.iter().all(|(.., is_in)| *is_in));
    assert_eq!(ponds.map(|pond| world.bodies_in(pond).collect::<Vec<_>>()), [left.clone(), right.clone()]);
    for (pond, gone) in [(0, left.len()), (1, right.len())] {
        world.move_area(ponds[pond], (100.0, 100.0)).unwrap();
        assert_eq!(step(&mut world).len(), gone);
    }
    assert_eq!(ponds.map(|pond| world.bodies_in(pond).count()), [0, 0]);
}

#[test]
fn an_area_moves_with_its_platform_or_body_and_is_removed_with_it() {
    let map = map(&["............"; 6]);
    let path =
        Path { points: vec![Position::ORIGIN, position(6.0, 0.0)], timing: PathTiming::Speed(6.0), ..Path::default() };
    let lift = Platform::from_rows(&map, ["=="]).unwrap().at((1.0, 1.0)).path(path).name("lift");
    let mut world = World::new(map, Settings::default());
    let lift = world.spawn_platform(lift).unwrap();
    // The position of the area is relative to the lift at (1, 1), so the area starts at (2.5, 4.5).
    let on_lift = area(aabb(0.5, 0.5), (1.5, 3.5)).attached_to(AttachedTo::Named("lift".to_owned()));
    let on_lift = world.spawn_area(on_lift).unwrap();
    assert_eq!(world.area(on_lift).unwrap().area().attached_to, AttachedTo::Platform(lift));
    let body = world.spawn(floating((6.0, 4.5))).unwrap();
    let aura = world
        .spawn_area(area(AreaShape::circle(1.0).unwrap(), (0.0, 0.0)).attached_to(AttachedTo::Body(body)))
        .unwrap();
    let other = world.spawn(floating((6.0, 3.6))).unwrap();
    // A body never enters its own area.
    assert_eq!(step(&mut world), [(other, aura, true)]);
    let mut changes = Vec::new();
    for tick in 2..=60 {
        changes.extend(step(&mut world).into_iter().map(|change| (tick, change)));
        assert_eq!(world.area(on_lift).unwrap().position(), position(2.5 + 0.1 * f64::from(tick), 4.5));
    }
    // The right side of the area, at 3 + 0.1 per tick, reaches 5.75 after 27.5 ticks. Its left side passes 6.25 after
    // 42.5.
    let expected = [(28, true), (43, false)].map(|(tick, is_in)| (tick, (body, on_lift, is_in)));
    assert_eq!(changes, expected);

    world.teleport(body, (1.0, 1.0)).unwrap();
    assert_eq!(world.area(aura).unwrap().position(), position(1.0, 1.0), "at once");
    assert_eq!(step(&mut world), [(other, aura, false)]);
    world.despawn(body).unwrap();
    world.despawn_platform(lift).unwrap();
    assert!(world.areas().next().is_none());
    assert_eq!(world.despawn_area(aura), Err(CommandError::NoSuchArea(aura)));
}

#[test]
fn a_body_enters_and_leaves_a_moving_area_that_passes_it_in_a_tick() {
    let map = map(&["....................................................."; 4]);
    let mut world = World::new(map, Settings::default());
    let carrier = world.spawn(floating((2.0, 0.5)).velocity((600.0, 0.0))).unwrap();
    let blade = world.spawn_area(area(aabb(0.1, 0.5), (0.0, 2.0)).attached_to(AttachedTo::Body(carrier))).unwrap();
    let still = world.spawn(floating((7.0, 2.5))).unwrap();
    // This body is as fast as the blade, so the two are at rest relative to each other.
    world.spawn(floating((2.5, 2.5)).velocity((600.0, 0.0))).unwrap();
    assert_eq!(step(&mut world), [(still, blade, true), (still, blade, false)]);
}

/// Velocity and position after `ticks` of `v' = a - drag v`, by the engine's formula.
fn motion_by_hand(start: (DVec2, DVec2), acceleration: DVec2, drag: f64, ticks: u32) -> (DVec2, DVec2) {
    let (mut at, mut velocity) = start;
    for _ in 0..ticks {
        let before = velocity / (1.0 + drag * TICK);
        velocity = before + acceleration * TICK;
        at += (before + velocity) * (TICK / 2.0);
    }
    (at, velocity)
}

fn effects(change: impl FnOnce(&mut Effects)) -> Effects {
    let mut effects = Effects::default();
    change(&mut effects);
    effects
}

#[test]
fn gravity_drag_and_wind_move_a_body_by_their_formula() {
    let cases = [
        (effects(|e| e.gravity_scale = Some(0.25)), dvec2(0.0, -10.0), 0.0),
        (effects(|e| e.gravity_scale = Some(-0.5)), dvec2(0.0, 20.0), 0.0),
        (effects(|e| e.gravity = Some(dvec2(30.0, 5.0))), dvec2(30.0, 5.0), 0.0),
        (effects(|e| e.drag = Some(3.0)), dvec2(0.0, -40.0), 3.0),
        (effects(|e| e.wind = Some(dvec2(-12.0, 40.0))), dvec2(-12.0, 0.0), 0.0),
        (
            effects(|e| {
                (e.gravity, e.gravity_scale, e.wind, e.drag) =
                    (Some(dvec2(0.0, -8.0)), Some(2.0), Some(DVec2::X), Some(1.0))
            }),
            dvec2(1.0, -16.0),
            1.0,
        ),
    ];
    for (effects, acceleration, drag) in cases {
        let mut world = empty(100, 100);
        world.spawn_area(area(aabb(50.0, 50.0), (50.0, 50.0)).effects(effects)).unwrap();
        let start = (dvec2(50.0, 50.0), dvec2(4.0, 3.0));
        let body = Body::new(Shape::circle(0.25)).at((start.0.x, start.0.y)).velocity((4.0, 3.0));
        let balls = [body.clone(), body.character(Character { max_fall_speed: 1e6, ..Character::default() })];
        let balls = balls.map(|body| world.spawn(body).unwrap());
        // Effects start in the tick after the body was found inside, so the first tick has none.
        world.step();
        let first = motion_by_hand(start, dvec2(0.0, -40.0), 0.0, 1);
        balls.iter().for_each(|ball| assert_near(world[*ball].velocity(), first.1));
        (0..60).for_each(|_| world.step());
        let (at, velocity) = motion_by_hand(first, acceleration, drag, 60);
        for ball in balls {
            assert_near(world[ball].velocity(), velocity);
            assert_near(world[ball].position().to_dvec2(), at);
            assert_eq!(world.effects(ball), effects);
        }
    }
}

#[test]
fn a_body_floats_where_buoyancy_balances_gravity() {
    for (buoyancy, part) in [(2.0, 0.5), (4.0, 0.25), (1.25, 0.8)] {
        for body in [Shape::circle(0.5), Shape::aabb(0.25, 0.5)] {
            let mut world = empty(8, 12);
            let water = effects(|e| (e.buoyancy, e.drag) = (Some(buoyancy), Some(4.0)));
            // The top of the area is at 8.
            world.spawn_area(area(aabb(4.0, 4.0), (4.0, 4.0)).effects(water)).unwrap();
            let float = world.spawn(Body::new(body).at((4.0, 9.0)).gravity_scale(0.5)).unwrap();
            let character = Body::new(body).at((2.0, 3.0)).character(Character::default());
            let diver = world.spawn(character).unwrap();
            (0..1200).for_each(|_| world.step());
            for body in [float, diver] {
                // `depth` is how far the body's lowest point is below the surface.
                let depth = 8.0 - (world[body].position().to_dvec2().y - 0.5);
                assert!((depth - part).abs() < 1e-3, "{depth}, not {part}");
                assert!(world[body].velocity().y.abs() < 1e-2);
            }
        }
    }
}

#[test]
fn a_ball_falls_into_water_by_hand() {
    let mut world = empty(8, 12);
    let water = effects(|e| (e.buoyancy, e.drag) = (Some(1.5), Some(2.0)));
    world.spawn_area(area(aabb(4.0, 4.0), (4.0, 4.0)).effects(water)).unwrap();
    let ball = world.spawn(Body::new(Shape::circle(0.25)).at((4.0, 9.0))).unwrap();
    let (mut y, mut speed, mut is_in) = (9.0_f64, 0.0_f64, false);
    for tick in 0..240 {
        let (mut before, mut acceleration) = (speed, -40.0);
        if is_in {
            let part = ((8.0 - (y - 0.25)) / 0.5).clamp(0.0, 1.0);
            before = speed / (1.0 + 2.0 * TICK);
            acceleration = -40.0 * (1.0 - 1.5 * part);
        }
        speed = before + acceleration * TICK;
        y += (before + speed) * (TICK / 2.0);
        is_in = y - 0.25 < 8.0;
        world.step();
        assert_near(world[ball].position().to_dvec2(), dvec2(4.0, y));
        assert_near(world[ball].velocity(), dvec2(0.0, speed));
        assert_eq!(world.areas_of(ball).count(), usize::from(is_in), "tick {tick}");
    }
}

#[test]
fn a_character_walks_at_its_speed_times_the_factor() {
    let mut world = World::new(map(&["......................", "######################"]), Settings::default());
    let mud = effects(|e| e.speed_scale = Some(0.5));
    world.spawn_area(area(aabb(4.0, 1.0), (6.0, 1.0)).effects(mud)).unwrap();
    let hero = Body::new(Shape::aabb(0.25, 0.5)).at((1.0, 1.5)).character(Character::default());
    let hero = world.spawn(hero).unwrap();
    world.set_input(hero, Input { walk: 127, ..Input::default() });
    let mut speeds = Vec::new();
    for _ in 0..180 {
        world.step();
        speeds.push((world[hero].position().to_dvec2().x, world[hero].velocity().x));
    }
    let at = |from: f64, to: f64| speeds.iter().filter(move |(x, _)| (from..to).contains(x)).map(|(_, speed)| *speed);
    assert!(at(1.6, 1.75).all(|speed| speed == 8.0), "before");
    // The hero brakes by 80 tiles per second squared: from 8 to 4 in three ticks, over 0.3 tiles.
    assert!(at(2.2, 10.2).all(|speed| speed == 4.0) && at(2.2, 10.2).count() > 100, "in it");
    assert!(at(11.0, 19.0).all(|speed| speed == 8.0) && at(11.0, 19.0).count() > 10, "after it");
    assert_eq!(world.effects(hero), Effects::default());
}

#[test]
fn a_jump_begins_as_outside_and_goes_higher_in_lower_gravity() {
    let mut world = World::new(map(&["...."; 12]), Settings::default());
    world.set_tiles(0, (0, 0), (3, 0), world.map().find_tile('#').unwrap()).unwrap();
    let moon = effects(|e| e.gravity_scale = Some(0.5));
    world.spawn_area(area(aabb(2.0, 6.0), (2.0, 6.0)).effects(moon)).unwrap();
    let hero = Body::new(Shape::aabb(0.25, 0.5)).at((2.0, 1.5)).character(Character::default());
    let hero = world.spawn(hero).unwrap();
    (0..5).for_each(|_| world.step());
    world.set_input(hero, Input { jump: true, ..Input::default() });
    let mut highest = 0.0_f64;
    for _ in 0..100 {
        world.step();
        highest = highest.max(world[hero].position().to_dvec2().y - 1.5);
    }
    // Outside, v^2 = 2 g h. At half the gravity the jump is twice as high, up to the part of a tick in which it turns.
    assert!((highest - 6.4).abs() < 0.01, "{highest}");
}

/// Two characters, which collide with each other or not, stand, walk with the wind and against it, and jump. A wind of
/// 3 adds 3 to the wanted speed on the ground: 1 tile per second in a tick for speeding up, 4/3 for braking. In the air
/// and for a crate it adds nothing.
#[test]
fn ground_wind_carries_characters_that_stand() {
    let rows = [".".repeat(60), ".".repeat(60), ".".repeat(60), "#".repeat(60)];
    let map = map(&rows.each_ref().map(String::as_str));
    for mask in MASKS {
        all_ways(|way| {
            let mut world = way.world(map.clone(), Settings::default());
            let body = Body::new(Shape::aabb(0.25, 0.25)).collision_mask(mask);
            let spawn = |world: &mut Run, body: &Body, x: f64| world.spawn(body.clone().at((x, 1.25))).unwrap();
            let heroes = [20.0, 21.0].map(|x| spawn(&mut world, &body.clone().character(Character::default()), x));
            let crates = spawn(&mut world, &body.clone().friction(0.5), 22.0);
            let all = area(aabb(30.0, 3.0), (30.0, 2.0));
            let gust = world.spawn_area(all.effects(effects(|e| e.ground_wind = Some(dvec2(3.0, -9.0))))).unwrap();
            world.step();
            let (mut x, mut speed) = (20.0, 0.0_f64);
            for (walk, ticks, wind) in [(0, 10, 3.0), (-127, 30, 3.0), (0, 9, 3.0), (0, 9, 0.0), (127, 12, 0.0)] {
                if wind == 0.0 && speed == 3.0 {
                    world.despawn_area(gust).unwrap();
                }
                for tick in 0..ticks {
                    heroes.iter().for_each(|hero| world.set_input(*hero, Input { walk, ..Input::default() }));
                    world.step();
                    let wanted = 8.0 * f64::from(walk) / 127.0 + wind;
                    let away = wanted.abs() > speed.abs() && wanted * speed >= 0.0;
                    let step = TICK * if away { 60.0 } else { 80.0 };
                    let next = speed + (wanted - speed).clamp(-step, step);
                    x += TICK * (speed + next) / 2.0;
                    speed = next;
                    for (hero, off) in heroes.iter().zip([0.0, 1.0]) {
                        assert_near(world[*hero].position().to_dvec2(), dvec2(x + off, 1.25));
                        assert_near(world[*hero].velocity(), dvec2(speed, 0.0));
                    }
                    assert_eq!(world[crates].velocity(), DVec2::ZERO, "{walk} {tick}");
                }
            }
            let gust = area(aabb(30.0, 3.0), (30.0, 2.0)).effects(effects(|e| e.ground_wind = Some(dvec2(-3.0, 0.0))));
            world.spawn_area(gust).unwrap();
            for _ in 0..8 {
                heroes.iter().for_each(|hero| world.set_input(*hero, Input { jump: true, ..Input::default() }));
                world.step();
                assert_near(world[heroes[0]].velocity() * DVec2::X, dvec2(speed, 0.0));
            }
        });
    }
}

/// Friction takes up to its coefficient times the pressure from a wind along the floor: 20 at a coefficient of 0.5, and
/// 2 on ice. A wind that lifts takes its part from the pressure. On a crate that the same wind pulls along lies another
/// one. Once the wind is over, friction brakes by as much.
#[test]
fn wind_moves_crates_by_the_law_of_friction() {
    let ice = Material { friction: 0.1, ..PLAIN };
    let winds = [(PLAIN, (19.0, 0.0), 0.0), (PLAIN, (26.0, 0.0), 6.0), (ice, (1.5, 0.0), 0.0), (ice, (3.0, 0.0), 1.0)];
    let lifting = [(PLAIN, (14.0, 10.0), 0.0), (PLAIN, (-18.0, 10.0), -3.0)];
    let rows = [".".repeat(60), "#".repeat(60)];
    for ((material, wind, speeds_up), mask) in pairs(winds.into_iter().chain(lifting), MASKS) {
        let map = upright(&rows.each_ref().map(String::as_str), |_| material);
        all_ways(|way| {
            let mut world = way.world(map.clone(), Settings::default());
            let body = Body::new(Shape::aabb(0.25, 0.25)).friction(0.5).collision_mask(mask);
            let places =
                if mask == CollisionLayers::ALL { [(30.0, 1.25), (30.0, 1.75)] } else { [(30.0, 1.25), (35.0, 1.25)] };
            let crates = places.map(|at| world.spawn(body.clone().at(at)).unwrap());
            // Wait until the colliding bodies are asleep.
            (0..120).for_each(|_| world.step());
            let gust = area(aabb(30.0, 3.0), (30.0, 2.0)).effects(effects(|e| e.wind = Some(wind.into())));
            let gust = world.spawn_area(gust).unwrap();
            world.step();
            for tick in 1..=30 {
                world.step();
                let time = f64::from(tick) * TICK;
                for (id, at) in crates.iter().zip(places) {
                    let way = world[*id].position().to_dvec2() - DVec2::from(at);
                    let what = format!("{material:?} {wind:?} {mask:?} tick {tick}: {way}");
                    assert!((way - DVec2::X * (speeds_up * time * time / 2.0)).length() < 1e-6, "{what}");
                    assert!((world[*id].velocity() - DVec2::X * (speeds_up * time)).length() < 1e-6, "{what}");
                }
            }
            world.despawn_area(gust).unwrap();
            (0..120).for_each(|_| world.step());
            let holds = 20.0 * material.friction;
            let speed = speeds_up * 0.5;
            let way = world[crates[0]].position().to_dvec2().x - 30.0;
            let expected = speed * 0.25 + speed * speed.abs() / (2.0 * holds);
            // Below 0.1 tiles per second, a crate stops at once.
            let near = 0.01 / (2.0 * holds) + 1e-6;
            assert!((way - expected).abs() < near, "{way}, not {expected}");
            assert_eq!(world[crates[0]].velocity(), DVec2::ZERO);
        });
    }
}

#[test]
fn a_fan_lifts_a_character_off_the_ground() {
    let mut world = World::new(map(&["....", "....", "....", "####"]), Settings::default());
    let hero = Body::new(Shape::aabb(0.25, 0.5)).at((2.0, 1.5)).character(Character::default());
    let hero = world.spawn(hero).unwrap();
    (0..5).for_each(|_| world.step());
    assert!(world[hero].on_floor());
    let wind = |speed| area(aabb(1.0, 2.0), (2.0, 3.0)).effects(effects(|e| e.wind = Some(dvec2(0.0, speed))));
    // A fan weaker than the character's weight has no effect on the ground.
    let fan = world.spawn_area(wind(39.0)).unwrap();
    (0..10).for_each(|_| world.step());
    assert!(world[hero].on_floor() && world[hero].position() == position(2.0, 1.5));
    world.set_area(fan, wind(52.0)).unwrap();
    (0..30).for_each(|_| world.step());
    // The fan of 52 exceeds the gravity of 40, so the hero accelerates by 12 tiles per second squared for half a
    // second.
    let (at, _) = motion_by_hand((dvec2(2.0, 1.5), DVec2::ZERO), dvec2(0.0, 12.0), 0.0, 30);
    assert!(!world[hero].on_floor());
    assert_near(world[hero].position().to_dvec2(), at);
}

#[test]
fn the_area_with_the_highest_priority_gives_each_effect_and_the_first_wins_ties() {
    let mut world = empty(8, 8);
    let place = |priority, effects| area(aabb(4.0, 4.0), (4.0, 4.0)).priority(priority).effects(effects);
    let all = [
        (0, effects(|e| (e.drag, e.wind) = (Some(1.0), Some(DVec2::X)))),
        (2, effects(|e| (e.gravity_scale, e.speed_scale) = (Some(0.5), Some(2.0)))),
        (2, effects(|e| (e.gravity_scale, e.buoyancy) = (Some(3.0), Some(1.0)))),
        (-5, effects(|e| (e.gravity, e.climbable, e.ground_wind) = (Some(DVec2::Y), Some(true), Some(DVec2::X)))),
        (1, effects(|e| (e.drag, e.climbable, e.up) = (Some(7.0), Some(false), Some(Up::MinusY)))),
    ];
    let ids = all.map(|(priority, effects)| world.spawn_area(place(priority, effects)).unwrap());
    let body = world.spawn(floating((4.0, 4.0))).unwrap();
    assert_eq!(world.effects(body), Effects::default(), "not before a tick has found it inside");
    world.step();
    assert_eq!(world.areas_of(body).collect::<Vec<_>>(), ids);
    let together = Effects {
        gravity: Some(DVec2::Y),
        gravity_scale: Some(0.5),
        drag: Some(7.0),
        buoyancy: Some(1.0),
        wind: Some(DVec2::X),
        speed_scale: Some(2.0),
        climbable: Some(false),
        ground_wind: Some(DVec2::X),
        up: Some(Up::MinusY),
    };
    assert_eq!(world.effects(body), together);
    world.despawn_area(ids[1]).unwrap();
    assert_eq!(world.effects(body), Effects { gravity_scale: Some(3.0), speed_scale: None, ..together });
}

/// Paths of bodies in areas with and without effects.
#[test]
fn mirrored_turned_and_shifted_areas_have_the_same_effect() {
    let water = effects(|e| (e.buoyancy, e.drag, e.wind) = (Some(2.0), Some(1.5), Some(dvec2(3.0, 1.0))));
    let turned_gravity = effects(|e| (e.gravity, e.gravity_scale) = (Some(dvec2(20.0, 7.0)), Some(0.75)));
    let triangle = Triangle::new([dvec2(-3.0, -2.0), dvec2(3.0, -2.5), dvec2(0.5, 2.0)]).unwrap();
    let tilted = Obb::new(DVec2::ZERO, dvec2(3.0, 1.0), dvec2(3.0, 4.0)).unwrap();
    let areas = [
        area(aabb(5.0, 2.0), (0.0, -2.0)).effects(water),
        area(AreaShape::circle(2.5).unwrap(), (4.0, 3.0)).effects(turned_gravity),
        area(triangle.into(), (-6.0, 2.0)).effects(water),
        area(tilted.into(), (-1.0, 6.0)),
    ];
    all_ways(|way| {
        let mut parts = MapParts::new(64, 64);
        parts.layers[0].origin = (-32, -32);
        let mut world = way.world(Map::from_parts(parts).unwrap(), Settings::default());
        for area in &areas {
            world.spawn_area(area.clone()).unwrap();
        }
        for i in 0..12 {
            let x = f64::from(i) - 6.0;
            let shape = if i % 2 == 0 { Shape::circle(0.3) } else { Shape::aabb(0.4, 0.2) };
            let body = Body::new(shape).at((x, 8.0)).velocity((x / 2.0, -f64::from(i) * 20.0));
            world.spawn(if i % 3 == 0 { body.character(Character::default()) } else { body }).unwrap();
        }
        let mut told = 0;
        for _ in 0..240 {
            world.step();
            told += area_changes(&world).len();
        }
        assert!(told > 30, "{told}");
    });
}

/// A joined pool moves bodies as its rectangles would that are areas of their own, and reports bodies only where they
/// enter or leave all of it.
#[test]
fn a_joined_pool_acts_as_its_rectangles_and_reports_a_body_once() {
    let pool = Map::from_ron(
        r#"Map(format: 1, legend: {'~': (area: (tag: "pool", join: true))}, tiles: [
            "................",
            ".~.......~~.....",
            ".~~~~~~~~~~.....",
            ".~~~~~~~~~~~~~~.",
            "...~~~..~~......",
            "...~~~~~~~~.~~~.",
            ".........~~~~~~.",
            "................"])"#,
    )
    .unwrap();
    let [joined] = pool.areas() else { panic!("{:?}", pool.areas()) };
    let at = joined.position.unwrap();
    let mut pieces: Vec<Area> =
        joined.shape.pieces().map(|piece| joined_piece(piece.bounds()).at(at).tag("pool")).collect();
    assert_eq!(pieces.len(), 9);
    // If areas have equal priority, the first counts: here the highest, whose top is that of the water.
    pieces.sort_by(|a, b| b.shape.bounds_tiles().1.y.total_cmp(&a.shape.bounds_tiles().1.y));
    let effects_of_pool = [
        effects(|e| (e.buoyancy, e.drag) = (Some(2.0), Some(1.5))),
        effects(|e| (e.climbable, e.gravity_scale) = (Some(true), Some(0.5))),
    ];
    let room = map(&[
        "################",
        "#..............#",
        "#..............#",
        "#..............#",
        "#..............#",
        "#..............#",
        "#..............#",
        "################",
    ]);
    for effects in effects_of_pool {
        all_ways(|way| {
            let [mut whole, mut parts] = [(); 2].map(|()| way.world(room.clone(), Settings::default()));
            let area = whole.spawn_area(joined.clone().effects(effects)).unwrap();
            let areas: Vec<AreaId> =
                pieces.iter().map(|piece| parts.spawn_area(piece.clone().effects(effects)).unwrap()).collect();
            let able =
                Character { swim_speed: 4.0, climb_speed: 3.0, ladder_center_speed: 2.0, ..Character::default() };
            let mut random = Random(5);
            let bodies: Vec<BodyId> = (0..14)
                .map(|i| {
                    let at = (random.range(1.5, 14.5), random.range(1.5, 6.5));
                    let shape = if i % 2 == 0 { Shape::circle(0.3) } else { Shape::aabb(0.3, 0.45) };
                    let body = Body::new(shape).at(at).velocity((random.range(-30.0, 30.0), random.range(-9.0, 9.0)));
                    let body = if i % 3 == 0 { body.bounce(0.9) } else { body.character(able) };
                    let [one, other] = [&mut whole, &mut parts].map(|world| world.spawn(body.clone()).unwrap());
                    assert_eq!(one, other);
                    one
                })
                .collect();
            let mut was = vec![false; bodies.len()];
            let (mut told, mut crossed, mut moves) = (0, 0, 0);
            for tick in 0..300 {
                for (i, body) in bodies.iter().enumerate().filter(|_| tick % 16 == 0) {
                    let mut axis = || random.pick(&[-127, 0, 127]);
                    let (walk, climb, jump) = (axis(), axis(), axis() > 0);
                    let input = Input { walk, jump, up: climb > 0, down: climb < 0, ..Input::default() };
                    if i % 3 != 0 {
                        [&mut whole, &mut parts].into_iter().for_each(|world| world.set_input(*body, input));
                    }
                }
                whole.step();
                parts.step();
                let (own, of_parts) = (area_changes(&whole), area_changes(&parts));
                for (body, was) in bodies.iter().zip(&mut was) {
                    assert_eq!(whole[*body], parts[*body], "{tick}");
                    let is = areas.iter().any(|area| parts.bodies_in(*area).any(|other| other == *body));
                    assert_eq!(whole.bodies_in(area).any(|other| other == *body), is, "{tick}");
                    let found: Vec<bool> = own.iter().filter(|(of, ..)| of == body).map(|(.., is_in)| *is_in).collect();
                    let of_parts = of_parts.iter().filter(|(of, ..)| of == body).count();
                    let expected = match (*was, is) {
                        (false, false) if of_parts > 0 => vec![true, false],
                        (false, true) => vec![true],
                        (true, false) => vec![false],
                        _ => vec![],
                    };
                    assert_eq!(found, expected, "{tick}");
                    told += found.len();
                    crossed += usize::from(found.len() == 2);
                    moves += usize::from(found.is_empty() && of_parts > 0);
                    *was = is;
                }
            }
            assert!(told > 60 && moves > 60, "{told} {moves} {crossed}");
        });
    }
}

/// A coin that is drawn above a drawn lift starts where it is drawn, and moves with the lift.
#[test]
fn an_area_of_the_legend_rides_a_drawn_platform() {
    let map = Map::from_ron(
        r#"Map(format: 1, legend: {'P': "full_block", 'c': (area: (tag: "coin", shape: Circle(0.25), attached_to: "lift"))},
            platforms: [(cells: 'P', name: "lift", motion: Path(points: [(0, 0), (0, 2)], speed: 1.0, repeat: Once))],
            tiles: [".....", "..c..", ".PP..", "....."])"#,
    );
    let mut world = World::from_map(map.unwrap(), Settings::default());
    let (lift, coin) = (world.find_platform("lift").unwrap(), world.find_area("coin 2,2").unwrap());
    // The lower left corner of the lift is (1, 1), the centre of the coin (2.5, 2.5). Both rise by a tile in a second.
    for (seconds, up) in [(0, 0.0), (1, 1.0), (1, 2.0), (1, 2.0)] {
        (0..60 * seconds).for_each(|_| world.step());
        assert_near(world.platform(lift).unwrap().position().to_dvec2(), dvec2(1.0, 1.0 + up));
        assert_near(world.area(coin).unwrap().position().to_dvec2(), dvec2(2.5, 2.5 + up));
    }
}

fn joined_piece((low, high): (DVec2, DVec2)) -> Area {
    Area::new(surefoot::geometry::Aabb::new(low, high).unwrap())
}

#[test]
fn an_invalid_area_is_rejected_and_changes_nothing() {
    let mut world = World::new(map(&["...."]), Settings::default());
    world.spawn_area(area(aabb(1.0, 1.0), (0.0, 0.0)).name("pond")).unwrap();
    let before = world.capture();
    let ok = || area(aabb(1.0, 1.0), (0.0, 0.0));
    let gone = {
        let mut other = empty(4, 4);
        other.spawn(floating((1.0, 1.0))).unwrap()
    };
    let with = |change: fn(&mut Effects)| ok().effects(effects(change));
    let refused = [
        (Area::new(aabb(1.0, 0.0)), "the area's shape has no interior; expected a width and a height above 0"),
        (Area::new(AreaShape::circle(0.0).unwrap()), "has no interior"),
        (
            Area::new(AreaShape::circle(70_000.0).unwrap()),
            "reaches 70000 tiles from the area's position along x or y; expected at most 65536 tiles",
        ),
        (with(|e| e.drag = Some(-1.0)), "`drag` is -1; expected 0 to 1000"),
        (with(|e| e.gravity = Some(dvec2(0.0, f64::NAN))), "`gravity.y` is NaN"),
        (with(|e| e.wind = Some(dvec2(f64::INFINITY, 0.0))), "`wind.x` is inf"),
        (with(|e| e.buoyancy = Some(1001.0)), "`buoyancy` is 1001"),
        (with(|e| e.gravity_scale = Some(-1e9)), "`gravity_scale` is -1000000000"),
        (with(|e| e.speed_scale = Some(f64::NAN)), "`speed_scale` is NaN"),
        (ok().name("pond"), "the area name \"pond\" is already in use"),
        (
            ok().attached_to(AttachedTo::Named("lift".to_owned())),
            "is attached to the unknown platform \"lift\"; expected",
        ),
        (ok().attached_to(AttachedTo::Named(String::new())), "the unknown platform \"\""),
        (ok().attached_to(AttachedTo::Body(gone)), "which is not in the world"),
        (ok().collision_mask(CollisionLayers(2)), "collision layer 1 has no name"),
    ];
    for (area, words) in refused {
        let error = world.spawn_area(area.clone()).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
        let pond = world.find_area("pond").unwrap();
        // An area may keep its own name.
        let own = area.name == "pond";
        assert_eq!(world.set_area(pond, area).is_ok(), own, "{words}");
    }
    assert_eq!(world.areas().count(), 1);
    let gone = world.spawn_area(ok()).unwrap();
    world.despawn_area(gone).unwrap();
    for refused in [world.despawn_area(gone), world.move_area(gone, (1.0, 1.0)), world.set_area(gone, ok())] {
        assert_eq!(refused, Err(CommandError::NoSuchArea(gone)));
    }
    assert!(world.area(gone).is_none() && world.bodies_in(gone).next().is_none());
    assert!(matches!(world.move_area(gone, (1e30, 0.0)), Err(CommandError::Position(_))));
    let error = world.spawn_area(Area::new(aabb(1.0, 0.0))).unwrap_err();
    assert_eq!(error, CommandError::Area(AreaError::NoInterior));
    world.restore(&before).unwrap();
    assert_eq!(world.find_area("pond"), world.areas().next().map(|(id, _)| id));
}

/// A scene with all effects of areas, and commands at some ticks.
fn play(world: &mut Run, tick: u32) {
    let bodies: Vec<BodyId> = world.bodies().map(|(id, _)| id).collect();
    let pond = world.find_area("pond").unwrap_or_default();
    match tick {
        0 => {
            world
                .spawn_area(area(AreaShape::circle(1.0).unwrap(), (0.0, 0.5)).attached_to(AttachedTo::Body(bodies[0])))
                .unwrap();
        }
        20 => world.move_area(pond, (6.0, 3.0)).unwrap(),
        40 => world.teleport(bodies[1], (6.0, 3.0)).unwrap(),
        60 => {
            let calm = world.area(pond).unwrap().effects(effects(|e| e.drag = Some(9.0)));
            world.set_area(pond, calm).unwrap();
        }
        80 => world.despawn(bodies[0]).unwrap(),
        100 => world.despawn_area(pond).unwrap(),
        110 => {
            world.spawn_area(area(aabb(1.0, 1.0), (3.0, 2.0)).name("pond")).unwrap();
        }
        _ => {}
    }
}

fn play_in_way(way: &Way) -> Run {
    let mut world = way.world(
        Map::from_ron(
            r#"Map(format: 1, border: (left: Solid, right: Solid, bottom: Solid), areas: [
                (name: "pond", shape: Aabb(3.0, 1.0), at: (4.0, 2.0), effects: (buoyancy: 2.0, drag: 1.5)),
                (name: "fan", shape: Aabb(1.0, 3.0), at: (10.0, 3.0), attached_to: "lift", effects: (wind: (3.0, 50.0)), priority: 1),
            ], platforms: [(name: "lift", at: (0.0, 0.5), tiles: ["=="], motion: Path(points: [(0, 0), (2, 0)], speed: 3.0))],
            tiles: ["............", "............", "............", "............", "............", "============"])"#,
        )
        .unwrap(),
        Settings::default(),
    );
    for i in 0..6 {
        let body =
            Body::new(Shape::circle(0.25)).at((1.5 + 1.6 * f64::from(i), 5.0)).velocity((f64::from(i) - 3.0, 0.0));
        let body = if i % 2 == 0 { body.bounce(0.5) } else { body.character(Character::default()) };
        world.spawn(body).unwrap();
    }
    world
}

#[test]
fn a_world_restored_in_any_tick_continues_the_same() {
    let mut moments = Vec::new();
    all_ways(|way| {
        let (mut world, mut inside) = (play_in_way(way), 0);
        moments.clear();
        for tick in 0..140 {
            play(&mut world, tick);
            let saved = world.capture();
            world.step();
            inside += world.areas().map(|(area, _)| world.bodies_in(area).count()).sum::<usize>();
            moments.push((World::clone(&world), saved));
        }
        assert!(inside > 200, "{inside}");
    });
    // Restore the snapshots in the opposite order.
    let mut other = moments[0].0.clone();
    for (i, (world, saved)) in moments.iter().enumerate().rev() {
        other.restore(saved).unwrap();
        other.step();
        assert_eq!(other.checksum(), world.checksum(), "from tick {i}");
    }
}

#[test]
fn a_recorded_run_plays_again() {
    let way = &Way::turned(0);
    let played = || World::clone(&play_in_way(way));
    let mut world = self::play_in_way(way);
    let mut recorder = Recorder::new(&world, 1);
    for tick in 0..140 {
        play(&mut world, tick);
        world.step();
        recorder.record_tick(&world).unwrap();
    }
    let log = recorder.finish(&world).unwrap();
    let count = log.commands().filter(|(_, command)| {
        matches!(
            command,
            Command::SpawnArea(_) | Command::MoveArea(..) | Command::SetArea(..) | Command::DespawnArea(_)
        )
    });
    assert_eq!(count.count(), 5);
    let mut player = Playback::of_commands(log.clone(), played()).unwrap();
    let summary = player.run().unwrap();
    assert_eq!((summary.ticks, summary.compared, summary.checksum), (140, 140, world.checksum()));

    // Record into a file too.
    let path = std::env::temp_dir().join(format!("surefoot-areas-{}.recording", std::process::id()));
    let mut world = self::play_in_way(way);
    let options = RecordOptions { checksum_interval: 1, snapshot_interval: 50, ..RecordOptions::default() };
    let mut recorder = Recorder::<Commands, RecordingFile>::create(&path, &world, options).unwrap();
    for tick in 0..140 {
        play(&mut world, tick);
        world.step();
        recorder.record_tick(&world).unwrap();
    }
    recorder.finish(&world).unwrap();
    let read = Recording::<Commands>::load(&path);
    std::fs::remove_file(&path).unwrap();
    let read = read.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read.commands().count(), log.commands().count());
    assert!(read.commands().eq(log.commands()), "each command reads back as it was");
    let summary = Playback::of_commands(read, played()).unwrap().run().unwrap();
    assert_eq!((summary.ticks, summary.checksum), (140, world.checksum()));
}

#[test]
fn commands_for_the_areas_of_a_map_are_in_replays() {
    let mut world = World::new(play_in_way(&Way::turned(0)).map().clone(), Settings::default());
    let mut recorder = Recorder::for_replay(&world, MapSource::Inline, 10).unwrap();
    for tick in 0..60 {
        match tick {
            0 => _ = world.spawn(floating((6.0, 3.0))).unwrap(),
            10 => world.move_area(world.find_area("pond").unwrap(), (6.0, 3.0)).unwrap(),
            30 => world.despawn_area(world.find_area("fan").unwrap()).unwrap(),
            _ => {}
        }
        world.step();
        recorder.record_tick(&world).unwrap();
    }
    let text = recorder.finish_replay(&world).unwrap().to_ron();
    assert!(text.contains(r#"MoveArea("pond", At(6.0, 3.0))"#) && text.contains(r#"DespawnArea("fan")"#), "{text}");
    let read = Replay::from_ron(&text).unwrap();
    assert_eq!(read.to_ron(), text);
}

/// Positions at the limit, and the fastest bodies.
#[test]
fn areas_far_from_the_origin_report_their_bodies() {
    let far = f64::from(1 << 29) - 1.0;
    let mut world = empty(4, 4);
    let corners = [(far, far), (-far, far), (-far, -far), (far, -far)];
    let ids = corners.map(|at| world.spawn_area(area(AreaShape::circle(65_000.0).unwrap(), at)).unwrap());
    let bodies = corners.map(|at| world.spawn(floating(at)).unwrap());
    // The position of the carried area is clamped at the limit, where the area still overlaps a corner of its carrier.
    let carried = area(aabb(60_000.0, 60_000.0), (far, far)).attached_to(AttachedTo::Body(bodies[0]));
    let carried = world.spawn_area(carried).unwrap();
    let fast = Body::new(Shape::circle(64.0)).at((0.0, 0.0)).response(Response::Pass).gravity_scale(0.0);
    // This body moves a thousand tiles per tick.
    let fast = world.spawn(fast.velocity((1e9, 1e9))).unwrap();
    let small = world.spawn_area(area(AreaShape::circle(1e-9).unwrap(), (500.0, 500.0))).unwrap();
    let told = step(&mut world);
    for (body, area) in bodies.iter().zip(ids) {
        assert!(told.contains(&(*body, area, true)));
    }
    assert!(told.contains(&(fast, small, true)) && told.contains(&(fast, small, false)), "{told:?}");
    for _ in 0..120 {
        world.step();
    }
    assert_eq!(world.areas_of(bodies[1]).collect::<Vec<_>>(), [ids[1]]);
    world.teleport(bodies[0], (-far, -far)).unwrap();
    assert_eq!(world.area(carried).unwrap().position(), Position::ORIGIN);
    assert!(step(&mut world).contains(&(bodies[0], ids[2], true)));
}

#[test]
fn written_areas_read_back_the_same() {
    let shapes = [
        "Circle(0.1)",
        "Circle(0.1, (0.3, -0.7))",
        "Aabb(0.1, 0.2)",
        "Aabb((0.1, 0.2), (0.7, 0.9))",
        "Obb(0.1, 0.3, (0.6, 0.7))",
        "Obb(1.0, 0.3, (3.0, -4.0), (0.1, 0.2))",
        "Capsule((0.1, 0.2), (0.3, 0.7), 0.9)",
        "Capsule((0.0, 0.0), (0.0, 0.0), 1.0)",
        "Triangle((0.1, 0.2), (0.3, 0.1), (0.9, 0.7))",
        "Polygon([(0.1, 0.0), (2.0, 0.1), (1.9, 1.3), (0.2, 1.1)])",
    ];
    let mut areas: Vec<String> = shapes.iter().map(|shape| format!("(shape: {shape})")).collect();
    areas.push(
        r#"(name: "a\"b", tag: "é", shape: Circle(1.0), at: Units(1, -7), attached_to: "lift", collision_mask: ["hero"], priority: -3,
            effects: (gravity: (0.1, -0.2), gravity_scale: 0.0, drag: 0.3, buoyancy: 1e-7, wind: (0.7, 0.1), speed_scale: 0.1, climbable: false, ground_wind: (0.3, -1e-7)))"#
            .to_owned(),
    );
    areas.push("(shape: Circle(1.0), collision_mask: [])".to_owned());
    let text = format!(
        r#"Map(format: 1, collision_layers: ["hero"], tiles: ["."], platforms: [(name: "lift", tiles: ["="])], areas: [{}])"#,
        areas.join(", ")
    );
    let map = Map::from_ron(&text).unwrap_or_else(|error| panic!("{error} in {text}"));
    assert_eq!(map.areas().len(), 12);
    assert_eq!(map.areas()[11].collision_mask, CollisionLayers::NONE);
    assert_eq!(Map::from_ron(&map.to_ron()).unwrap(), map);
    assert_eq!(Map::from_parts(map.clone().into_parts()).unwrap(), map);
    // The checksum contains what bodies can notice of an area. Names and tags are not part of it.
    let with = |change: &dyn Fn(&mut Area)| {
        let mut parts = map.clone().into_parts();
        change(&mut parts.areas[10]);
        Map::from_parts(parts).unwrap().checksum()
    };
    assert_eq!(with(&|area| (area.name, area.tag) = ("c".to_owned(), String::new())), map.checksum());
    let changes: [&dyn Fn(&mut Area); 6] = [
        &|area| area.shape = aabb(1.0, 1.0),
        &|area| area.position = Ok(Position::ORIGIN),
        &|area| area.attached_to = AttachedTo::World,
        &|area| area.collision_mask = CollisionLayers::ALL,
        &|area| area.priority = 0,
        &|area| area.effects.climbable = None,
    ];
    changes.iter().enumerate().for_each(|(i, change)| assert_ne!(with(change), map.checksum(), "{i}"));
}

#[test]
fn queries_find_areas_if_the_filter_includes_them() {
    let mut world = empty(8, 8);
    let pond = world.spawn_area(area(aabb(2.0, 1.0), (4.0, 4.0))).unwrap();
    let with = Filter { areas: true, ..Filter::default() };
    let mut found = Vec::new();
    let probe = surefoot::geometry::Circle::new(dvec2(6.5, 4.0), 0.75).unwrap();
    for (filter, expected) in [(Filter::default(), vec![]), (with, vec![Target::Area(pond)])] {
        world.overlap(&probe, &filter, &mut found);
        assert_eq!(found, expected);
    }
    // The circle touches the area.
    world.overlap(&surefoot::geometry::Circle::new(dvec2(6.5, 4.0), 0.5).unwrap(), &with, &mut found);
    assert_eq!(found, []);
}
