//! Characters that hang on ledges of platforms: they move along to the unit, pull themselves up, jump off and release.
//! Computed by hand.

use crate::late_jumps::{LIFTS, inherited_velocity};
use crate::nudges::{TICK, jump};
use crate::platforms::{at, count_crushes, path, rows};
use crate::scene::ONE;
use crate::table::{MASKS, Run, Way, all_ways_with, pairs, triples, with_platforms};
use surefoot::geometry::DVec2;
use surefoot::map::{CollisionLayers, Map, MapParts, TileLayer};
use surefoot::platform::{OnCrush, OnRide, Platform, PlatformId};
use surefoot::prelude::*;
use surefoot::{Input, World};

const UNIT: f64 = 1.0 / ONE as f64;

/// How far past the corner a centre is after a pull-up: the contact tolerance and one unit.
const PAST: f64 = 17.0 * UNIT;

/// Directions of a platform's motion.
pub const WAYS: [DVec2; 5] = [DVec2::Y, DVec2::NEG_Y, DVec2::X, DVec2::NEG_X, DVec2::new(0.75, -1.0)];
pub const SPEEDS: [f64; 4] = [0.01, 1.0, 17.3, 60.0];

fn shapes() -> [(Shape, f64); 2] {
    [(Shape::aabb(0.375, 0.5), 0.375), (Shape::circle(0.5), 0.5)]
}

/// An empty map around the platform.
pub fn sky() -> Map {
    let mut parts = MapParts::new(1, 1);
    let mut layer = TileLayer::new(TileLayer::DEFAULT_NAME, 240, 240);
    layer.origin = (-100, -100);
    parts.layers = vec![layer];
    Map::from_parts(parts).unwrap()
}

/// A character that falls with 50 tiles per second squared, and pulls itself up in 12 ticks.
fn hanger() -> Character {
    Character { ledge_grab: 0.25, ledge_climb_time: 0.2, ..jump() }
}

/// A pillar of 2 x 3 tiles with its lower left corner at (20, 20), and a character that hangs on its left corner.
struct Scene {
    world: World,
    hero: BodyId,
    pillar: PlatformId,
}

impl Scene {
    /// Creates the scene. The character hangs while the pillar waits.
    fn new((shape, half): (Shape, f64), mask: CollisionLayers, character: Character, way: DVec2) -> Scene {
        let map = sky();
        let pillar = rows(&map, &["##", "##", "##"], 20.0, 20.0);
        let length = way * 79.0 * TICK;
        let pillar =
            if way == DVec2::ZERO { pillar } else { pillar.path(path(&[(0.0, 0.0), length.into()], way.length())) };
        let mut world = World::new(map, Settings::default().tick(TICK));
        let pillar = world.spawn_platform(pillar).unwrap();
        world.pause_platform(pillar).unwrap();
        let hero = Body::new(shape).character(character).collision_mask(mask).at((20.0 - half, 22.4));
        let hero = world.spawn(hero).unwrap();
        let mut scene = Scene { world, hero, pillar };
        scene.tick(Input::walk(1.0));
        assert!(scene.state().is_hanging(), "{:?}", scene.state());
        assert_eq!(scene.off(), DVec2::new(-half, 2.5), "the hands are at the end");
        scene.world.resume_platform(pillar).unwrap();
        scene
    }

    fn tick(&mut self, input: Input) {
        self.world.set_input(self.hero, input);
        self.world.step();
    }

    fn rides(&self) -> bool {
        self.world.platform_under(self.hero) == Some(self.pillar)
    }

    fn state(&self) -> &surefoot::world::BodyState {
        &self.world[self.hero]
    }

    /// Position relative to the pillar's corner.
    fn off(&self) -> DVec2 {
        let pillar = self.world.platform(self.pillar).unwrap().position();
        (self.state().position().units() - pillar.units()).as_dvec2() / ONE as f64
    }
}

/// Runs with each shape, with and without a collision mask, and with each direction and speed of the pillar.
fn for_each_scene(mut run: impl FnMut((Shape, f64), CollisionLayers, DVec2)) {
    for (shape, mask, way) in triples(shapes(), MASKS, WAYS) {
        SPEEDS.into_iter().for_each(|speed| run(shape, mask, way * speed));
    }
}

/// The path turns every 79 ticks, so 300 ticks contain three turns.
#[test]
fn a_hanging_character_moves_along_to_the_unit() {
    for_each_scene(|shape, mask, way| {
        let mut scene = Scene::new(shape, mask, hanger(), way);
        let what = format!("{shape:?} {mask:?} {way}");
        for tick in 1..=300 {
            scene.tick(Input::default());
            assert_eq!(scene.off(), DVec2::new(-shape.1, 2.5), "{what}: tick {tick}");
            assert!(scene.state().is_hanging() && scene.rides(), "{what}: tick {tick}");
            assert_eq!(scene.state().relative_velocity(), DVec2::ZERO, "{what}: tick {tick}");
            let toward = if (tick - 1) / 79 % 2 == 0 { 1.0 } else { -1.0 };
            // The platform turns within a tick.
            if tick % 79 != 0 && tick % 79 != 1 {
                let velocity = scene.state().velocity() - way * toward;
                assert!(velocity.length() < 1e-6, "{what}: tick {tick}: {velocity}");
            }
        }
    });
}

/// A pull-up takes 12 ticks relative to the pillar, as on a wall: upwards, then onto the ledge until the centre is over
/// it. Then the character rides.
#[test]
fn a_character_pulls_itself_up_on_a_moving_platform() {
    for_each_scene(|shape, mask, way| {
        let mut scene = Scene::new(shape, mask, hanger(), way);
        let what = format!("{shape:?} {mask:?} {way}");
        (0..20).for_each(|_| scene.tick(Input::default()));
        let top = DVec2::new(PAST, 3.5);
        for n in 1..=12 {
            let before = scene.off();
            scene.tick(Input { up: n == 1, ..Input::default() });
            let made = scene.off() - before;
            assert!(made.min_element() == 0.0 && made.max_element() > 0.0, "{what}: {n}: {made}");
            assert!(made.x == 0.0 || before.y == 3.5, "{what}: up, and then onward");
            assert!(scene.state().is_climbing_ledge() && scene.rides(), "{what}: {n}");
            assert_eq!(scene.off() == top, n == 12, "{what}: {n}: {}", scene.off());
        }
        for tick in 0..200 {
            scene.tick(Input::default());
            assert_eq!(scene.off(), top, "{what}: {tick}");
            assert!(scene.state().on_floor() && scene.rides(), "{what}: {tick}");
        }
    });
}

/// A character that releases falls from its position with the pillar's velocity, which is 0.6 and -0.8 of its speed.
/// Down and input away both release.
#[test]
fn a_released_character_keeps_the_velocity_of_the_platform() {
    for (shape, mask) in pairs(shapes(), MASKS) {
        for (input, aside) in [(Input { down: true, ..Input::default() }, 0.0), (Input::walk(-1.0), -1.0)] {
            for way in WAYS.map(|way| way * 3.0) {
                let character = Character { air_acceleration: 6.0, ..hanger() };
                let mut scene = Scene::new(shape, mask, character, way);
                (0..10).for_each(|_| scene.tick(Input::default()));
                let from = scene.state().position().to_dvec2();
                scene.tick(input);
                assert!(!scene.state().is_hanging() && scene.world.platform_under(scene.hero).is_none());
                // In this tick the character moves at the mean of both velocities, so half of the gained fall speed
                // counts.
                let more = DVec2::new(aside * 6.0, -50.0) * TICK;
                let velocity = scene.state().velocity() - way - more;
                assert!(velocity.length() < 1e-5, "{shape:?} {mask:?} {way}: {velocity} missing");
                let made = scene.state().position().to_dvec2() - from - (way + more / 2.0) * TICK;
                assert!(made.length() < 1e-6, "{shape:?} {mask:?} {way}: {made} missing");
            }
        }
    }
}

/// A jump is as high as off a wall, plus the part of the pillar's velocity that `platform_velocity` selects.
#[test]
fn a_jump_inherits_its_part_of_the_velocity() {
    for ((shape, mask), lift, way) in triples(pairs(shapes(), MASKS), LIFTS, WAYS.map(|way| way * 2.0)) {
        let mut scene = Scene::new(shape, mask, Character { platform_velocity: lift, ..hanger() }, way);
        (0..10).for_each(|_| scene.tick(Input::default()));
        scene.tick(Input { jump: true, ..Input::default() });
        let taken = inherited_velocity(lift, way);
        let velocity = scene.state().velocity() - DVec2::new(0.0, 20.0 - 50.0 * TICK) - taken;
        assert!(velocity.length() < 1e-5, "{shape:?} {mask:?} {lift:?} {way}: {velocity} missing");
        assert!(!scene.state().is_hanging() && scene.world.platform_under(scene.hero).is_none());
    }
}

/// A set velocity counts in world space, whatever the pillar does. If a command ends the ability to hang, or a new
/// shape lowers the hands, the character keeps the pillar's velocity.
#[test]
fn commands_end_hanging() {
    for shape in shapes() {
        for mask in MASKS {
            for how in 0..3 {
                for way in WAYS.map(|way| way * 2.0) {
                    let set = how == 0;
                    let mut scene = Scene::new(shape, mask, hanger(), way);
                    (0..10).for_each(|_| scene.tick(Input::default()));
                    let expected = if set { DVec2::new(-3.0, 6.0) } else { way };
                    let gravity = if how == 1 { 40.0 } else { 50.0 };
                    let low = if shape.0.is_circle() { Shape::circle(0.25) } else { Shape::aabb(0.375, 0.25) };
                    match how {
                        0 => scene.world.set_velocity(scene.hero, expected).unwrap(),
                        1 => scene.world.set_character(scene.hero, Character::default()).unwrap(),
                        _ => scene.world.set_shape(scene.hero, low).unwrap(),
                    }
                    let velocity = scene.state().velocity() - expected;
                    assert!(velocity.length() < 1e-5, "{shape:?} {mask:?} {how} {way}: {velocity} missing");
                    scene.tick(Input::default());
                    let velocity = scene.state().velocity() - expected + DVec2::new(0.0, gravity * TICK);
                    assert!(velocity.length() < 1e-5, "{shape:?} {mask:?} {how} {way}: {velocity} missing after");
                    assert!(!scene.state().is_hanging() && scene.world.platform_under(scene.hero).is_none());
                }
            }
        }
    }
}

/// In hit stop or at time scale 0, a character moves along too. Afterwards, it continues to hang or pull itself up.
#[test]
fn a_frozen_character_keeps_hanging() {
    for (shape, mask) in pairs(shapes(), MASKS) {
        for (stands_still, pulls) in [(false, false), (false, true), (true, false), (true, true)] {
            for way in WAYS.map(|way| way * 3.0) {
                let mut scene = Scene::new(shape, mask, hanger(), way);
                (0..10).for_each(|_| scene.tick(Input::default()));
                for n in 0..u32::from(pulls) * 5 {
                    scene.tick(Input { up: n == 0, ..Input::default() });
                }
                let off = scene.off();
                let usual = scene.world[scene.hero].body().clone();
                if stands_still {
                    scene.world.set_body(scene.hero, usual.clone().time_scale(0.0)).unwrap();
                } else {
                    scene.world.hit_stop(scene.hero, 20).unwrap();
                }
                for tick in 0..20 {
                    scene.tick(Input::default());
                    assert_eq!(scene.off(), off, "{shape:?} {mask:?} {stands_still} {pulls} {way}: {tick}");
                }
                if stands_still {
                    scene.world.set_body(scene.hero, usual).unwrap();
                }
                for tick in 0..20 {
                    scene.tick(Input::default());
                    let expected = if pulls && tick >= 6 { DVec2::new(PAST, 3.5) } else { scene.off() };
                    let is_held = scene.state().is_hanging() || scene.state().is_climbing_ledge() || pulls && tick > 6;
                    assert!(is_held, "{shape:?} {mask:?} {stands_still} {pulls} {way}: {tick}");
                    assert_eq!(scene.off(), expected, "{shape:?} {mask:?} {stands_still} {pulls} {way}: {tick}");
                }
                assert_eq!(scene.off() == off, !pulls);
            }
        }
    }
}

/// Another character takes it into its hands, which ends hanging. Thrown, it has the velocity of the throw.
#[test]
fn a_hanging_character_can_be_carried_off_and_thrown() {
    for (shape, way) in pairs(shapes(), WAYS.map(|way| way * 3.0)) {
        let mut scene = Scene::new(shape, CollisionLayers::NONE, hanger(), way);
        let porter = Body::new(Shape::aabb(0.5, 0.5)).character(Character::default()).gravity_scale(0.0);
        let porter = scene.world.spawn(porter.at((5.0, 20.0))).unwrap();
        (0..10).for_each(|_| scene.tick(Input::default()));
        scene.world.carry(porter, scene.hero, (0.0, 2.0)).unwrap();
        (0..3).for_each(|_| scene.tick(Input::default()));
        assert!(!scene.state().is_hanging() && scene.world.platform_under(scene.hero).is_none());
        assert_eq!(scene.state().position(), at(5.0, 22.0));
        scene.world.release(scene.hero, (2.0, 5.0)).unwrap();
        scene.tick(Input::default());
        let velocity = scene.state().velocity() - DVec2::new(2.0, 5.0 - 50.0 * TICK);
        assert!(velocity.length() < 1e-5, "{shape:?} {way}: {velocity} missing");
    }
}

/// For six ticks after the pillar's last motion, a jump inherits its velocity, and then no longer.
#[test]
fn a_jump_inherits_the_last_velocity_within_its_grace() {
    for ((shape, mask), (waits, counts)) in pairs(pairs(shapes(), MASKS), [(0, true), (5, true), (6, false)]) {
        let way = DVec2::new(-1.0, 2.0);
        let mut scene = Scene::new(shape, mask, Character { platform_velocity_grace: 6.0 * TICK, ..hanger() }, way);
        (0..10).for_each(|_| scene.tick(Input::default()));
        scene.world.pause_platform(scene.pillar).unwrap();
        (0..waits).for_each(|_| scene.tick(Input::default()));
        scene.tick(Input { jump: true, ..Input::default() });
        let taken = if counts { way } else { DVec2::ZERO };
        let velocity = scene.state().velocity() - DVec2::new(0.0, 20.0 - 50.0 * TICK) - taken;
        assert!(velocity.length() < 1e-5, "{shape:?} {mask:?} {waits}: {velocity} missing");
    }
}

/// If the platform is removed, teleported or crumbles, the character falls with the velocity that the platform gave it.
#[test]
fn a_character_falls_when_its_platform_is_removed() {
    for ((shape, mask, pulls), how) in pairs(triples(shapes(), MASKS, [false, true]), 0..2) {
        let way = DVec2::new(1.0, 2.0);
        // If a dash ended here, it would halve the character's velocity.
        let character = Character { dash_speed: 9.0, dash_end_speed_scale: 0.5, ..hanger() };
        let mut scene = Scene::new(shape, mask, character, way);
        (0..10).for_each(|_| scene.tick(Input::default()));
        for n in 0..i32::from(pulls) * 6 {
            scene.tick(Input { up: n == 0, ..Input::default() });
        }
        let own = scene.state().relative_velocity();
        assert_eq!((own == DVec2::ZERO, scene.state().is_climbing_ledge()), (!pulls, pulls));
        match how {
            0 => scene.world.despawn_platform(scene.pillar).map(drop).unwrap(),
            _ => scene.world.teleport_platform(scene.pillar, at(60.0, 20.0)).unwrap(),
        }
        assert!(!scene.state().is_hanging() && !scene.state().is_climbing_ledge());
        let velocity = scene.state().velocity() - own - way;
        assert!(velocity.length() < 1e-5, "{shape:?} {mask:?} {pulls} {how}: {velocity}");
        scene.tick(Input::default());
        let velocity = scene.state().velocity() - own - way + DVec2::new(0.0, 50.0 * TICK);
        assert!(velocity.length() < 1e-5, "{shape:?} {mask:?} {pulls} {how}: {velocity}");
    }
}

/// Hanging counts as riding: a platform that falls half a second after it was ridden falls with the hanging character.
#[test]
fn hanging_counts_as_riding() {
    for (shape, mask) in pairs(shapes(), MASKS) {
        let map = sky();
        let pillar = rows(&map, &["##", "##", "##"], 20.0, 30.0);
        let mut world = World::new(map, Settings::default().tick(TICK));
        let pillar = Platform { on_ride: OnRide::Fall { delay: 0.5, respawn_time: None }, ..pillar };
        let pillar = world.spawn_platform(pillar).unwrap();
        let hero = Body::new(shape.0).character(hanger()).collision_mask(mask).at((20.0 - shape.1, 32.5));
        let hero = world.spawn(hero).unwrap();
        let (mut fell, start) = (0, world.platform(pillar).unwrap().position());
        for tick in 0..60 {
            world.set_input(hero, Input::walk(1.0));
            world.step();
            let state = world.platform(pillar).unwrap();
            fell += i32::from(state.position() != start);
            let off = (world[hero].position().units() - state.position().units()).as_dvec2() / ONE as f64;
            assert!(world[hero].is_hanging() && off == DVec2::new(-shape.1, 2.5), "{shape:?} {mask:?} {tick}: {off}");
        }
        assert!((25..35).contains(&fell), "{fell}");
    }
}

/// A lift moves the character against a ceiling, which blocks it while the lift moves on: it falls, and overlaps
/// nothing.
#[test]
fn a_ceiling_ends_hanging() {
    for (shape, mask, speed) in triples(shapes(), MASKS, [0.5, 6.0, 30.0]) {
        let rows_of_map = ["####...", ".......", ".......", ".......", ".......", ".......", "#######"];
        let (mut world, [lift]) =
            with_platforms(World::new(Map::from_rows(rows_of_map).unwrap(), Settings::default().tick(TICK)), |map| {
                [rows(map, &["#", "#"], 3.5, 1.0).path(path(&[(0.0, 0.0), (0.0, 3.75)], speed))]
            });
        let hero = Body::new(shape.0).character(hanger()).collision_mask(mask).at((3.5 - shape.1, 2.5));
        let hero = world.spawn(hero).unwrap();
        let (mut hung, mut highest) = (0, 0.0_f64);
        for tick in 0..(240.0 / speed) as i32 + 40 {
            world.set_input(hero, if hung == 0 { Input::walk(1.0) } else { Input::default() });
            world.step();
            let state = &world[hero];
            hung += i32::from(state.is_hanging());
            highest = highest.max(state.position().to_dvec2().y);
            let what = format!("{shape:?} {mask:?} {speed} {tick}: {}", state.position());
            assert!(!world.mover().overlaps(state.shape(), state.position()), "{what}");
            let off = (state.position() - world.platform(lift).unwrap().position()).as_dvec2() / ONE as f64;
            assert!(off.x <= -shape.1 || off.y >= 2.5, "{what}: in the lift");
        }
        // The ceiling ends hanging as soon as less than 1/16 tile is free above the ledge.
        assert!(hung > 0 && (5.4..=5.5).contains(&highest), "{shape:?} {mask:?} {speed}: {hung} {highest}");
        assert!(!world[hero].is_hanging() && world[hero].on_floor(), "{shape:?} {mask:?} {speed}");
    }
}

/// A pillar moving at 3 tiles per second crushes the character against a wall. The pillar passes through it, and it
/// falls straight down without being thrown against the wall.
#[test]
fn a_crushed_character_is_not_thrown() {
    for (shape, mask) in pairs(shapes(), MASKS) {
        let mut rows_of_map = vec!["#..........."; 20];
        rows_of_map.push("############");
        let map = Map::from_rows(rows_of_map).unwrap();
        let pillar = rows(&map, &["##", "##", "##"], 3.0, 12.0).path(path(&[(0.0, 0.0), (-2.5, 0.0)], 3.0));
        let mut world = World::new(map, Settings::default().tick(TICK));
        let pillar = Platform { on_crush: OnCrush::PassThrough, ..pillar };
        world.spawn_platform(pillar).unwrap();
        let hero = Body::new(shape.0).character(hanger()).collision_mask(mask).at((3.0 - shape.1, 14.5));
        let hero = world.spawn(hero).unwrap();
        let (mut crushed, mut hung) = (None, 0);
        for tick in 0..60 {
            world.set_input(hero, if tick == 0 { Input::walk(1.0) } else { Input::default() });
            world.step();
            if count_crushes(&world) > 0 {
                crushed.get_or_insert(tick);
            }
            hung += i32::from(world[hero].is_hanging());
            let aside = world[hero].velocity().x;
            let is_in_time = crushed.is_some_and(|crushed| (crushed + 1..crushed + 10).contains(&tick));
            assert!(!is_in_time || aside == 0.0, "{shape:?} {mask:?} {tick}: {aside}");
        }
        assert!(hung > 5 && crushed.is_some() && !world[hero].is_hanging(), "{shape:?} {mask:?}: {hung} {crushed:?}");
    }
}

/// The character grabs the ledge of a platform that rises next to it, in flight or while falling along the wall, and
/// then moves along.
#[test]
fn a_character_grabs_a_moving_ledge() {
    for (shape, mask) in pairs(shapes(), MASKS) {
        for way in [DVec2::new(0.0, 3.0), DVec2::new(0.0, -3.0), DVec2::new(-3.0, 0.0), DVec2::new(0.5, 0.0)] {
            for gap in [0.0, 0.1] {
                let map = sky();
                let pillar = rows(&map, &["##", "##", "##"], 20.0, 20.0);
                let pillar = pillar.path(path(&[(0.0, 0.0), (way * 2.0).into()], way.length()));
                let mut world = World::new(map, Settings::default().tick(TICK));
                let pillar = world.spawn_platform(pillar).unwrap();
                let hero = Body::new(shape.0).character(hanger()).collision_mask(mask);
                let hero = world.spawn(hero.at((20.0 - shape.1 - gap, 22.8))).unwrap();
                let mut hung = None;
                for tick in 0..100 {
                    world.set_input(hero, Input::walk(1.0));
                    world.step();
                    let pillar = world.platform(pillar).unwrap().position();
                    let off = (world[hero].position().units() - pillar.units()).as_dvec2() / ONE as f64;
                    let what = format!("{shape:?} {mask:?} {way} {gap} {tick}: {off}");
                    if world[hero].is_hanging() {
                        hung.get_or_insert(tick);
                    }
                    if hung.is_some() {
                        assert!(world[hero].is_hanging() && off == DVec2::new(-shape.1, 2.5), "{what}");
                    }
                }
                assert!(hung.is_some_and(|tick| tick < 30), "{shape:?} {mask:?} {way} {gap}: {hung:?}");
            }
        }
    }
}

/// A world with a block of one tile, whose corner is at (2, 3). The block moves back and forth at 2.5 tiles per second.
pub fn block_on_its_way(way: &Way) -> (Run, PlatformId) {
    let map = Map::from(&crate::nudges::under(&[]));
    let block = rows(&map, &["#"], 2.0, 3.0).path(path(&[(0.0, 0.0), (0.75, 1.5)], 2.5));
    let mut world = way.world(map, Settings::default().tick(TICK));
    let block = world.spawn_platform(block).unwrap();
    (world, block)
}

/// The character hangs and pulls itself up. In the second run, it releases before that, and falls.
#[test]
fn hanging_is_the_same_in_all_ways() {
    all_ways_with(shapes(), |way, (shape, half), mask| {
        for (walks, down, up, expected) in [([0..5, 0..0], 90, 50, [50, 12]), ([0..5, 22..28], 20, 30, [20, 0])] {
            let (mut world, _) = block_on_its_way(way);
            let hero = Body::new(shape).character(hanger()).collision_mask(mask).at((2.0 - half, 3.4));
            let (hero, mut did) = (world.spawn(hero).unwrap(), [0; 2]);
            for tick in 0..90 {
                let walk = if walks.iter().any(|walks| walks.contains(&tick)) { 127 } else { 0 };
                world.set_input(hero, Input { walk, up: tick == up, down: tick == down, ..Input::default() });
                world.step();
                did[0] += i32::from(world[hero].is_hanging());
                did[1] += i32::from(world[hero].is_climbing_ledge());
            }
            assert_eq!(did, expected, "{shape:?} {mask:?}");
        }
    });
}
