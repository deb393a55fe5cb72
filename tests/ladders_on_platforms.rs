//! Ladders and water on platforms: a climbing or swimming character moves along to the unit, and moves as on a platform
//! at rest. Computed by hand.

use crate::hanging_on_platforms::{SPEEDS, WAYS, block_on_its_way, sky};
use crate::late_jumps::{LIFTS, inherited_velocity};
use crate::nudges::{TICK, jump};
use crate::platforms::{at, path, rows};
use crate::scene::ONE;
use crate::table::{MASKS, all_ways_with, pairs, triples, with_platforms};
use surefoot::area::{Area, AreaId, AreaShape, AttachedTo, Effects};
use surefoot::geometry::{DVec2, I64Vec2};
use surefoot::map::{CollisionLayers, Map};
use surefoot::platform::PlatformId;
use surefoot::prelude::*;
use surefoot::{Input, World};

fn shapes() -> [Shape; 2] {
    [Shape::aabb(0.375, 0.5), Shape::circle(0.5)]
}

/// A character that falls with 50 tiles per second squared, and climbs and swims 1/8 tile per tick. It needs 15 ticks
/// to reach its swim speed.
fn climber_and_swimmer() -> Character {
    Character { climb_speed: 7.5, swim_speed: 7.5, swim_time: 0.25, ..jump() }
}

fn ladder() -> Effects {
    Effects { climbable: Some(true), ..Effects::default() }
}

/// Water that hardly affects a body that does not swim.
fn water() -> Effects {
    Effects { buoyancy: Some(1e-12), ..Effects::default() }
}

/// A raft of one tile, far to the side. Its area is 4 tiles wide and high, above the raft's corner, and a character is
/// in its middle.
struct Scene {
    world: World,
    hero: BodyId,
    raft: PlatformId,
    area: AreaId,
}

impl Scene {
    /// Creates the scene. The character climbs or swims while the raft waits.
    fn new(shape: Shape, mask: CollisionLayers, character: Character, (way, effects): (DVec2, Effects)) -> Scene {
        let map = sky();
        let raft = rows(&map, &["#"], 30.0, 20.0);
        let length = way * 79.0 * TICK;
        let raft = if way == DVec2::ZERO { raft } else { raft.path(path(&[(0.0, 0.0), length.into()], way.length())) };
        let mut world = World::new(map, Settings::default().tick(TICK));
        let raft = world.spawn_platform(raft).unwrap();
        world.pause_platform(raft).unwrap();
        let area = Area::new(AreaShape::aabb(2.0, 2.0).unwrap()).at((-10.0, 2.0));
        let area = world.spawn_area(area.effects(effects).attached_to(AttachedTo::Platform(raft))).unwrap();
        let hero = Body::new(shape).character(character).collision_mask(mask).at((20.0, 22.0));
        let hero = world.spawn(hero).unwrap();
        let mut scene = Scene { world, hero, raft, area };
        scene.tick((0, 0), false);
        scene.tick((0, 1), false);
        scene.tick((0, 0), false);
        assert!(scene.holds(), "{:?}", scene.state());
        scene.world.resume_platform(raft).unwrap();
        scene
    }

    fn tick(&mut self, (x, y): (i8, i8), jump: bool) {
        let input = Input { up: y > 0, down: y < 0, walk: 127 * x, jump, ..Input::default() };
        self.world.set_input(self.hero, input);
        self.world.step();
    }

    fn rides(&self) -> bool {
        self.world.platform_under(self.hero) == Some(self.raft)
    }

    fn state(&self) -> &surefoot::world::BodyState {
        &self.world[self.hero]
    }

    fn holds(&self) -> bool {
        let state = self.state();
        (state.is_climbing() || state.is_swimming()) && self.rides()
    }

    /// Position relative to the raft, in units.
    fn off(&self) -> I64Vec2 {
        self.state().position().units() - self.world.platform(self.raft).unwrap().position().units()
    }
}

/// Runs with each shape, with and without a collision mask, on a ladder and in water.
fn for_each_scene(mut run: impl FnMut(Shape, CollisionLayers, Effects)) {
    for (shape, mask) in pairs(shapes(), MASKS) {
        [ladder(), water()].into_iter().for_each(|effects| run(shape, mask, effects));
    }
}

/// Input for a tick: up to the top, sideways, none, and down again.
fn input_of_tick(tick: i32) -> (i8, i8) {
    match tick {
        0..30 => (0, 1),
        30..40 => (1, 0),
        40..130 => (0, 0),
        130..140 => (-1, -1),
        140..150 => (-1, 1),
        _ => (0, 0),
    }
}

/// The path turns every 79 ticks, so 240 ticks contain three turns.
#[test]
fn climbing_and_swimming_are_as_on_a_platform_at_rest() {
    for_each_scene(|shape, mask, effects| {
        let run = |way: DVec2| {
            let mut scene = Scene::new(shape, mask, climber_and_swimmer(), (way, effects));
            let first = scene.off();
            let seen = (0..240).map(|tick| {
                scene.tick(input_of_tick(tick), false);
                let what = format_args!("{shape:?} {mask:?} {effects:?} {way} {tick}");
                assert!(scene.holds(), "{what}: {:?}", scene.state());
                let toward = if (tick % 158) < 79 { way } else { -way };
                // The platform turns within a tick.
                if (tick + 1) % 79 > 1 {
                    let velocity = scene.state().velocity() - scene.state().relative_velocity() - toward;
                    assert!(velocity.length() < 1e-6, "{what}: {velocity}");
                }
                (scene.off() - first, scene.state().relative_velocity() + DVec2::ZERO)
            });
            seen.collect::<Vec<_>>()
        };
        let rests = run(DVec2::ZERO);
        let far = |of: fn(I64Vec2) -> i64| rests.iter().map(|(off, _)| of(*off)).max().unwrap();
        assert!(far(|off| off.y) > ONE && far(|off| off.x) > ONE / 2, "{rests:?}");
        for (way, speed) in pairs(WAYS, SPEEDS) {
            let found = run(way * speed);
            for (tick, (found, expected)) in found.iter().zip(&rests).enumerate() {
                assert_eq!(found, expected, "{shape:?} {mask:?} {effects:?} {way} {speed}: {tick}");
            }
        }
    });
}

/// From a ladder into water the character swims, and back on the ladder it climbs, as on a raft at rest.
#[test]
fn a_ladder_in_the_water_can_be_left_and_climbed_again() {
    for (shape, mask) in pairs(shapes(), MASKS) {
        let run = |way: DVec2| {
            let mut scene = Scene::new(shape, mask, climber_and_swimmer(), (way, water()));
            let area = Area::new(AreaShape::aabb(0.5, 2.0).unwrap()).at((-10.0, 2.0));
            scene.world.spawn_area(area.effects(ladder()).attached_to(AttachedTo::Platform(scene.raft))).unwrap();
            let (first, mut did) = (scene.off(), [0; 2]);
            let seen = (0..90).map(|tick| {
                let led = match tick {
                    5..12 => (0, 1),
                    12..20 => (1, 0),
                    30..45 => (-1, -1),
                    _ => (0, 0),
                };
                scene.tick(led, false);
                assert!(scene.holds(), "{shape:?} {mask:?} {way} {tick}: {:?}", scene.state());
                did[usize::from(scene.state().is_swimming())] += 1;
                (scene.off() - first, scene.state().relative_velocity() + DVec2::ZERO)
            });
            let seen: Vec<_> = seen.collect();
            assert!(did[0] > 10 && did[1] > 10, "{did:?}");
            seen
        };
        let rests = run(DVec2::ZERO);
        for (way, speed) in pairs(WAYS, SPEEDS) {
            let found = run(way * speed);
            for (tick, (found, expected)) in found.iter().zip(&rests).enumerate() {
                assert_eq!(found, expected, "{shape:?} {mask:?} {way} {speed}: {tick}");
            }
        }
    }
}

/// On a ladder, a tap of jump with down held releases it. In water, the character leaves at the underside, 1.9 below
/// the middle. It continues with the raft's velocity plus its own.
#[test]
fn a_released_character_keeps_the_velocity_of_the_platform() {
    for_each_scene(|shape, mask, effects| {
        for way in WAYS.map(|way| way * 3.0) {
            let mut scene = Scene::new(shape, mask, climber_and_swimmer(), (way, effects));
            for _ in 0..10 {
                scene.tick((0, -1), false);
            }
            let swims = scene.state().is_swimming();
            let mut ticks = 0;
            while scene.holds() {
                scene.tick((0, -1), !swims);
                ticks += 1;
                assert!(ticks < 60);
            }
            // The character leaves with its climbing speed of 7.5 downwards, and gains the fall speed of a tick.
            let velocity = scene.state().velocity() - way - DVec2::new(0.0, -7.5 - 50.0 * TICK);
            assert!(velocity.length() < 1e-5, "{shape:?} {mask:?} {effects:?} {way}: {velocity} missing");
            assert_eq!(
                (scene.world.platform_under(scene.hero), scene.state().relative_velocity()),
                (None, scene.state().velocity())
            );
            assert!((ticks == 1) != swims, "{ticks}");
        }
    });
}

/// A jump off a ladder, and one out of the water with the head above it, is as high as off the ground, plus the part of
/// the raft's velocity that `platform_velocity` selects.
#[test]
fn a_jump_inherits_its_part_of_the_velocity() {
    for_each_scene(|shape, mask, effects| {
        for (lift, way) in pairs(LIFTS, WAYS.map(|way| way * 2.0)) {
            let mut scene =
                Scene::new(shape, mask, Character { platform_velocity: lift, ..climber_and_swimmer() }, (way, effects));
            for tick in 0..40 {
                scene.tick((0, i8::from(tick < 35)), false);
            }
            scene.tick((0, 0), true);
            let taken = inherited_velocity(lift, way);
            let velocity = scene.state().velocity() - DVec2::new(0.0, 20.0 - 50.0 * TICK) - taken;
            assert!(velocity.length() < 1e-5, "{shape:?} {mask:?} {effects:?} {lift:?} {way}: {velocity} missing");
            assert!(scene.world.platform_under(scene.hero).is_none());
        }
    });
}

/// A dash has its own speed, whatever the platform does.
#[test]
fn a_dash_off_a_moving_platform_has_its_own_speed() {
    for_each_scene(|shape, mask, effects| {
        for way in WAYS.map(|way| way * 2.0) {
            let character = Character { dash_speed: 12.0, dash_time: 0.1, ..climber_and_swimmer() };
            let mut scene = Scene::new(shape, mask, character, (way, effects));
            (0..10).for_each(|_| scene.tick((0, 0), false));
            let input = Input { walk: 127, dash: true, ..Input::default() };
            scene.world.set_input(scene.hero, input);
            scene.world.step();
            let velocity = scene.state().velocity() - DVec2::new(12.0, 0.0);
            assert!(velocity.length() < 1e-5, "{shape:?} {mask:?} {effects:?} {way}: {velocity} missing");
            assert!(scene.world.platform_under(scene.hero).is_none());
        }
    });
}

/// A body that flies into moving water keeps its velocity in the world. The water then slows it down to the water's own
/// velocity, by half a tile per second in each tick.
#[test]
fn a_body_enters_moving_water_with_its_world_velocity() {
    for ((shape, mask), way) in pairs(pairs(shapes(), MASKS), WAYS.map(|way| way * 4.0)) {
        let mut scene = Scene::new(shape, mask, climber_and_swimmer(), (way, water()));
        let own = DVec2::new(3.0, -4.0);
        (0..5).for_each(|_| scene.tick((0, 0), false));
        scene.world.set_velocity(scene.hero, way + own).unwrap();
        let velocity = scene.state().velocity() - way - own;
        assert!(velocity.length() < 1e-9, "{velocity}");
        for tick in 1..=12 {
            scene.tick((0, 0), false);
            let left = own * (1.0 - 0.1 * f64::from(tick)).max(0.0);
            let velocity = scene.state().velocity() - way - left;
            let what = format_args!("{shape:?} {mask:?} {way} {tick}: {velocity} missing");
            assert!(scene.holds() && velocity.length() < 1e-5, "{what}");
        }
    }
}

/// A set velocity counts in world space. A character that loses both abilities keeps the raft's velocity.
#[test]
fn commands_end_climbing_and_swimming() {
    for_each_scene(|shape, mask, effects| {
        for (way, is_set) in pairs(WAYS.map(|way| way * 2.0), [true, false]) {
            let mut scene = Scene::new(shape, mask, climber_and_swimmer(), (way, effects));
            (0..10).for_each(|_| scene.tick((0, 0), false));
            let expected = if is_set { DVec2::new(-3.0, 6.0) } else { way };
            if is_set {
                scene.world.set_velocity(scene.hero, expected).unwrap();
            } else {
                scene.world.set_character(scene.hero, jump()).unwrap();
            }
            let velocity = scene.state().velocity() - expected;
            assert!(velocity.length() < 1e-5, "{shape:?} {mask:?} {effects:?} {is_set} {way}: {velocity} missing");
            assert!(scene.world.platform_under(scene.hero).is_none());
            scene.world.despawn_area(scene.area).unwrap();
            scene.tick((0, 0), false);
            let velocity = scene.state().velocity() - expected + DVec2::new(0.0, 50.0 * TICK);
            assert!(velocity.length() < 1e-5, "{shape:?} {mask:?} {effects:?} {is_set} {way}: {velocity} missing");
        }
    });
}

/// If the raft is removed or teleported, with its area, the character falls with the velocity that the raft gave it. In
/// water that was there at the end of the last tick, it swims for one more tick.
#[test]
fn a_character_falls_when_its_platform_is_removed() {
    for_each_scene(|shape, mask, effects| {
        for (way, is_removed) in pairs(WAYS.map(|way| way * 2.0), [true, false]) {
            let mut scene = Scene::new(shape, mask, climber_and_swimmer(), (way, effects));
            (0..10).for_each(|_| scene.tick((0, 0), false));
            if !is_removed && scene.state().is_swimming() {
                continue;
            }
            if is_removed {
                scene.world.despawn_platform(scene.raft).map(drop).unwrap();
            } else {
                scene.world.teleport_platform(scene.raft, at(70.0, 20.0)).unwrap();
            }
            for ticks in 0..3 {
                let velocity = scene.state().velocity() - way + DVec2::new(0.0, 50.0 * TICK * f64::from(ticks));
                let what = format_args!("{shape:?} {mask:?} {effects:?} {way} {is_removed}: {velocity} missing");
                assert!(velocity.length() < 1e-5 && scene.world.platform_under(scene.hero).is_none(), "{what}");
                scene.tick((0, 0), false);
            }
        }
    });
}

/// A ladder moves over the ground at 2 tiles per second. A character that climbs down to the ground stands there, and
/// brakes from the ladder's velocity. On the floor of the raft itself, it stands and moves along.
#[test]
fn a_climber_steps_off_a_moving_ladder_onto_a_floor() {
    for (shape, mask, on_raft) in triples(shapes(), MASKS, [false, true]) {
        let (mut world, [raft]) = with_platforms(
            World::new(Map::from_rows(["#".repeat(30)]).unwrap(), Settings::default().tick(TICK)),
            |map| [rows(map, &["####"], 4.0, 1.5).path(path(&[(0.0, 0.0), (20.0, 0.0)], 2.0))],
        );
        let x = if on_raft { 2.0 } else { -1.0 };
        let ladder_on = Area::new(AreaShape::aabb(0.5, 2.5).unwrap()).at((x, 2.0));
        world.spawn_area(ladder_on.effects(ladder()).attached_to(AttachedTo::Platform(raft))).unwrap();
        let character = Character { ground_braking: 6.0, ..climber_and_swimmer() };
        let hero = Body::new(shape).character(character).collision_mask(mask).at((4.0 + x, 4.5));
        let hero = world.spawn(hero).unwrap();
        let floor = if on_raft { 3.0 } else { 1.5 };
        let (mut landed, mut climbed) = (None, 0);
        for tick in 0..120 {
            let (before, ladder_at) = (world[hero].position(), world.platform(raft).unwrap().position());
            world.set_input(hero, Input { down: tick > 0 && landed.is_none(), ..Input::default() });
            world.step();
            let state = &world[hero];
            let what = format_args!("{shape:?} {mask:?} {on_raft} {tick}: {state:?}");
            climbed += i32::from(state.is_climbing());
            if landed.is_none() && state.on_floor() {
                landed = Some(tick);
            }
            let way = (state.position() - before).as_dvec2() / ONE as f64 / TICK;
            let raft_way = (world.platform(raft).unwrap().position() - ladder_at).as_dvec2() / ONE as f64 / TICK;
            if let Some(landed) = landed {
                assert!(state.on_floor() && state.position().to_dvec2().y == floor, "{what}");
                // In a tick, the body moves by the mean of its velocities before and after the tick.
                let since = f64::from(tick - landed);
                let left = if on_raft { 2.0 } else { 2.0 - 6.0 * TICK * (since - 0.5).max(0.0) };
                let is_sure = since > 1.0 && (on_raft || left > 0.1);
                assert!(!is_sure || (way.x - left).abs() < 0.11, "{what}: {way} and not {left}");
            } else if climbed > 1 {
                assert!((way.x - raft_way.x).abs() < 1e-6, "{what}: {way}");
            }
        }
        assert!(climbed > 10 && landed.is_some(), "{climbed} {landed:?}");
        assert_eq!(world.platform_under(hero).is_some(), on_raft);
        let goes = world[hero].velocity().x - if on_raft { 2.0 } else { 0.0 };
        assert!(goes.abs() < 1e-6, "{goes}");
    }
}

/// In hit stop or at time scale 0, a character moves along too. Afterwards, it continues to climb or swim.
#[test]
fn a_frozen_character_moves_along() {
    for_each_scene(|shape, mask, effects| {
        for (stands_still, way) in pairs([false, true], WAYS.map(|way| way * 3.0)) {
            let mut scene =
                Scene::new(shape, mask, Character { swim_time: 0.0, ..climber_and_swimmer() }, (way, effects));
            (0..5).for_each(|_| scene.tick((0, 1), false));
            let off = scene.off();
            let usual = scene.world[scene.hero].body().clone();
            if stands_still {
                scene.world.set_body(scene.hero, usual.clone().time_scale(0.0)).unwrap();
            } else {
                scene.world.hit_stop(scene.hero, 20).unwrap();
            }
            for tick in 0..20 {
                scene.tick((0, 1), false);
                assert_eq!(scene.off(), off, "{shape:?} {mask:?} {effects:?} {stands_still} {way}: {tick}");
            }
            if stands_still {
                scene.world.set_body(scene.hero, usual).unwrap();
            }
            scene.tick((0, 1), false);
            let made = (scene.off() - off).as_dvec2() / ONE as f64;
            let what = format_args!("{shape:?} {mask:?} {effects:?} {stands_still} {way}: {made}");
            assert!(scene.holds() && (made - DVec2::new(0.0, 0.125)).length() < 1e-9, "{what}");
        }
    });
}

#[test]
fn moving_along_is_the_same_in_all_ways() {
    all_ways_with(shapes(), |way, shape, mask| {
        for (effects, jumps) in [ladder(), water()].into_iter().flat_map(|on| [(on, [90, 90]), (on, [60, 100])]) {
            let (mut world, block) = block_on_its_way(way);
            let area = Area::new(AreaShape::aabb(2.0, 2.0).unwrap()).at((-3.0, 1.0));
            world.spawn_area(area.effects(effects).attached_to(AttachedTo::Platform(block))).unwrap();
            let hero = Body::new(shape).character(climber_and_swimmer()).collision_mask(mask).at((-1.0, 4.0));
            let (hero, mut held) = (world.spawn(hero).unwrap(), 0);
            for tick in 0..120 {
                let (x, y) = input_of_tick(tick);
                let jump = jumps.contains(&tick);
                world.set_input(hero, Input { up: y > 0, down: y < 0, walk: 127 * x, jump, ..Input::default() });
                world.step();
                held += i32::from(world.platform_under(hero) == Some(block));
            }
            assert!(held > if jumps[0] == 90 { 60 } else { 30 }, "{shape:?} {mask:?} {effects:?}: {held}");
        }
    });
}
