//! Jumps of a character: the requested height and time, jump cuts, coyote jumps and buffered jumps. The expected values
//! come from the formulas of constant acceleration.

use crate::scene::{Canvas, Random, often, position};
use crate::symmetry::Symmetry;
use crate::table::{MASKS, Stage, Way, all_ways, all_ways_of, pairs};
use surefoot::area::{Area, AreaShape, Effects};
use surefoot::map::{CollisionLayers, TileId};
use surefoot::prelude::*;
use surefoot::{Input, World};
use surefoot_geometry::{ONE, to_lengths};
use surefoot_random::mix;

/// Tolerance of a height, in tiles: each tick loses up to half a unit to rounding.
const NEAR: f64 = 1e-6;

fn shapes() -> [Shape; 2] {
    [Shape::aabb(0.375, 0.5), Shape::circle(0.5)]
}

/// A floor with its top at 0, from x = -8 to 4, and a character that stands on it.
fn stand(way: &Way, tick: f64, gravity: f64, shape: Shape, x: f64, character: Character) -> Stage {
    let mut canvas = Canvas::default();
    canvas.blocks((-8, -1), (3, -1));
    let mut stage =
        Stage::at_rate(&canvas, way, Body::new(shape).character(character), (x, 0.5), (gravity, tick.recip()));
    hold(&mut stage, 0, false, 2);
    assert!(stage.hero().on_floor() && stage.hero().position() == position(x, 0.5));
    stage
}

fn hold(stage: &mut Stage, walk: i8, jump: bool, ticks: u32) {
    (0..ticks).for_each(|_| stage.step(walk, jump));
}

/// Returns the height above the floor.
fn height(stage: &Stage) -> f64 {
    stage.place().y - 0.5
}

/// Returns the highest point before the landing, and the tick in which it was reached.
fn highest(stage: &mut Stage, walk: i8, jump: bool) -> (f64, u32) {
    let mut top = (height(stage), 0);
    for tick in 1..=2000 {
        stage.step(walk, jump);
        if height(stage) > top.0 {
            top = (height(stage), tick);
        }
        if stage.hero().on_floor() || height(stage) < -8.0 {
            return top;
        }
    }
    panic!("it does not come down");
}

/// For random heights, times, tick rates and gravities, the top is at the requested height, in the tick nearest to the
/// requested time.
#[test]
fn a_jump_reaches_its_height_in_its_time() {
    let mut random = Random(mix(17));
    for case in 0..often(140, 400) as usize {
        let way = &Way::turned(case % 8);
        let tick = random.pick(&[1.0 / 30.0, 1.0 / 60.0, 1.0 / 120.0, 1.0 / 240.0]);
        let (jump_height, jump_time) = (random.range(0.25, 8.0), random.range(0.05, 1.5));
        let gravity = random.pick(&[0.0, 10.0, 40.0, -40.0]);
        let character = Character { jump_height, jump_time, max_fall_speed: 1e6, ..Character::default() };
        let mut stage = stand(way, tick, gravity, random.pick(&shapes()), 0.25, character);
        let (top, ticks) = highest(&mut stage, 0, true);
        let what = format!("case {case}: {character:?} tick {tick}: {top} after {ticks}");
        assert!((top - jump_height).abs() < NEAR, "{what}");
        assert!((f64::from(ticks) * tick - jump_time).abs() <= 0.5 * tick + 1e-9 || ticks == 1, "{what}");
        assert_eq!(stage.hero().position(), position(0.25, 0.5), "{what}: it comes down where it stood");
    }
}

/// A jump released after its first tick has the minimum height. Released later, it is never lower than one released
/// earlier, and released at the top it has the full height. Under the world's gravity the top differs by g dt^2 / 8.
#[test]
fn a_released_jump_is_cut() {
    let jumps = [(1.0 / 60.0, 0.4, 1.0), (1.0 / 120.0, 0.35, 0.5), (1.0 / 60.0, 0.0, 1.0)];
    all_ways_of(pairs(jumps, shapes()), |way, ((tick, jump_time, tap_height), shape)| {
        let character = Character { jump_height: 3.0, jump_time, min_jump_height: tap_height, ..Character::default() };
        let mut last = 0.0;
        for held in (1..=40).step_by(often(3, 1) as usize) {
            let mut stage = stand(way, tick, 40.0, shape, 0.25, character);
            let mut top: f64 = 0.0;
            for _ in 0..held {
                hold(&mut stage, 0, true, 1);
                top = top.max(height(&stage));
            }
            top = top.max(highest(&mut stage, 0, false).0);
            if held == 1 {
                assert!((top - tap_height).abs() < NEAR, "{character:?}: {top}");
            }
            assert!(top >= last - NEAR, "{character:?}: {top} after {held} ticks, {last} before");
            last = top;
        }
        let most = if jump_time > 0.0 { 3.0 - NEAR } else { 3.0 - 40.0 * tick * tick / 8.0 - NEAR };
        assert!((most..=3.0 + NEAR).contains(&last), "{character:?}: {last}");
    });
}

/// Rises 3 tiles in 24 ticks, and falls with twice the gravity of the rise.
#[test]
fn a_fall_has_a_gravity_of_its_own() {
    all_ways_of([0.5, 1.0, 2.0], |way, fall_gravity_scale| {
        let character = Character {
            jump_height: 3.0,
            jump_time: 0.4,
            fall_gravity_scale,
            max_fall_speed: 1e6,
            ..Character::default()
        };
        let mut stage = stand(way, 1.0 / 60.0, 40.0, shapes()[0], 0.25, character);
        hold(&mut stage, 0, true, 24);
        let pull = fall_gravity_scale * 2.0 * 3.0 / (0.4 * 0.4);
        for n in 0..12 {
            let time = f64::from(n) / 60.0;
            let expected = 3.0 - pull * time * time / 2.0;
            assert!(
                (height(&stage) - expected).abs() < NEAR,
                "{fall_gravity_scale} {n}: {} {expected}",
                height(&stage)
            );
            hold(&mut stage, 0, true, 1);
        }
    });
}

/// A character of width 0.75 walks at 6 tiles per second off a floor that ends at x = 4. A jump in tick `n` of its fall
/// starts at its position. The first 6 ticks count, the 7th does not.
#[test]
fn a_jump_shortly_after_the_edge_counts() {
    all_ways_of(pairs(MASKS, 0..=8), |way, (masks, late)| {
        let character =
            Character { walk_speed: 6.0, jump_height: 3.0, jump_time: 0.4, coyote_time: 0.1, ..Character::default() };
        let mut stage = stand(way, 1.0 / 60.0, 40.0, shapes()[0], 2.0, character);
        stage.world.set_collision_mask(stage.hero, masks).unwrap();
        while stage.hero().on_floor() {
            hold(&mut stage, 127, false, 1);
        }
        hold(&mut stage, 127, false, late);
        let from = height(&stage);
        let (top, ticks) = highest(&mut stage, 127, true);
        if late < 6 {
            assert!((top - from - 3.0).abs() < NEAR && ticks == 24, "{late}: {from} {top} {ticks}");
        } else {
            assert_eq!((top, ticks), (from, 0), "{late}");
        }
    });
}

/// The floor under the character is removed, and it jumps in the next tick. It has not jumped before.
#[test]
fn a_jump_counts_if_the_floor_was_just_removed() {
    all_ways(|way| {
        let character = Character { jump_height: 3.0, jump_time: 0.4, coyote_time: 0.02, ..Character::default() };
        let mut stage = stand(way, 1.0 / 60.0, 40.0, shapes()[0], 0.5, character);
        for x in -1..=1 {
            stage.world.set_tile(0, (x, -1), TileId::EMPTY).unwrap();
        }
        let (top, ticks) = highest(&mut stage, 0, true);
        assert!((top - 3.0).abs() < NEAR && ticks == 24, "{top} {ticks}");
    });
}

/// A press in the air does not jump without coyote time, after a jump made before coyote time was set, or after a
/// teleport. A character that rises faster than a jump keeps its speed.
#[test]
fn any_other_press_in_the_air_does_not_jump() {
    all_ways(|way| {
        let grace = Character { jump_height: 3.0, jump_time: 0.4, coyote_time: 0.5, ..Character::default() };
        let plain = Character { coyote_time: 0.0, ..grace };
        let stage = |character: Character| stand(way, 1.0 / 60.0, 40.0, shapes()[0], 0.5, character);
        let mut painted = stage(Character { min_jump_height: 1.0, ..plain });
        for x in -1..=1 {
            painted.world.set_tile(0, (x, -1), TileId::EMPTY).unwrap();
        }
        assert_eq!(highest(&mut painted, 0, true), (0.0, 0));

        let mut changed = stage(plain);
        hold(&mut changed, 0, true, 1);
        changed.world.set_character(changed.hero, grace).unwrap();
        hold(&mut changed, 0, false, 1);
        assert!((highest(&mut changed, 0, true).0 - 3.0).abs() < NEAR);

        let mut teleported = stage(grace);
        teleported.world.teleport(teleported.hero, (0.5, 4.5)).unwrap();
        assert_eq!(highest(&mut teleported, 0, true).1, 0);

        let mut thrown = stage(grace);
        thrown.world.set_velocity(thrown.hero, (0.0, 30.0)).unwrap();
        hold(&mut thrown, 0, true, 1);
        // The character's own gravity is 2 * 3 / 0.4^2.
        let speed = thrown.hero().velocity().y;
        assert!((speed - (30.0 - 37.5 / 60.0)).abs() < 1e-9, "{speed}");
    });
}

/// No coyote jump follows a jump or a spawn in the air, and no second one follows an edge.
#[test]
fn a_coyote_jump_happens_once_and_not_after_a_jump() {
    all_ways(|way| {
        let character =
            Character { jump_height: 3.0, jump_time: 0.4, coyote_time: 0.5, jump_buffer: 0.05, ..Character::default() };
        let mut stage = stand(way, 1.0 / 60.0, 40.0, shapes()[0], 2.0, character);
        hold(&mut stage, 0, true, 1);
        hold(&mut stage, 0, false, 1);
        assert!((highest(&mut stage, 0, true).0 - 3.0).abs() < NEAR, "a jump and a press");
        hold(&mut stage, 0, false, 4);
        let body = Body::new(shapes()[0]).at((0.0, 6.0)).character(character);
        let other = stage.world.spawn(body).unwrap();
        stage.world.set_input(other, Input { jump: true, ..Input::default() });
        stage.world.step();
        assert!(stage.world[other].velocity().y < 0.0, "a spawn in the air");
        while stage.hero().on_floor() {
            hold(&mut stage, 127, false, 1);
        }
        let from = height(&stage);
        hold(&mut stage, 127, true, 2);
        hold(&mut stage, 127, false, 1);
        assert!((highest(&mut stage, 127, true).0 - from - 3.0).abs() < NEAR, "a press after a late jump");
    });
}

/// The character jumps in place, which takes 48 ticks. A press before the landing is buffered for 6 ticks, held or not:
/// the tick after the landing becomes the first of a jump.
#[test]
fn a_jump_shortly_before_the_landing_counts() {
    let holds = [(CollisionLayers::NONE, true), (CollisionLayers::NONE, false), (CollisionLayers::ALL, true)];
    all_ways_of(pairs(holds, 1..=8), |way, ((masks, is_held), early)| {
        let character = Character { jump_height: 3.0, jump_time: 0.4, jump_buffer: 0.1, ..Character::default() };
        let mut stage = stand(way, 1.0 / 60.0, 40.0, shapes()[0], 0.25, character);
        stage.world.set_collision_mask(stage.hero, masks).unwrap();
        hold(&mut stage, 0, true, 1);
        // The character stands at the end of tick 48. It jumps in tick 49 if the press is in tick 49 - 6 or
        // later.
        hold(&mut stage, 0, false, 47 - early);
        hold(&mut stage, 0, true, 1);
        hold(&mut stage, 0, is_held, early - 1);
        assert!(stage.hero().on_floor() && height(&stage) == 0.0, "{early}");
        let (top, _) = highest(&mut stage, 0, is_held);
        let expected = if early <= 6 { 3.0 } else { 0.0 };
        assert!((top - expected).abs() < NEAR, "{early} {is_held}: {top}");
        assert!(stage.hero().on_floor());
        hold(&mut stage, 0, is_held, 10);
        assert_eq!(height(&stage), 0.0, "one jump alone");
    });
}

/// A character with random fields.
pub fn random_character(random: &mut Random) -> Character {
    let jump_height = random.range(0.5, 4.0);
    Character {
        jump_height,
        walk_speed: random.range(1.0, 10.0),
        jump_time: random.pick(&[0.0, 0.2, 0.4]),
        min_jump_height: jump_height * random.pick(&[0.0, 0.3, 1.0]),
        fall_gravity_scale: random.pick(&[1.0, 0.7, 2.0]),
        coyote_time: random.pick(&[0.0, 0.1, 0.3]),
        jump_buffer: random.pick(&[0.0, 0.1, 0.3]),
        corner_correction: random.pick(&[0.0, 0.125, 0.4]),
        ledge_correction: random.pick(&[0.0, 0.125, 0.4]),
        fast_fall_speed: random.pick(&[0.0, 40.0]),
        ground_turning: random.pick(&[0.0, 30.0, 200.0]),
        air_braking: random.pick(&[0.0, 10.0, 200.0]),
        air_turning: random.pick(&[0.0, 10.0, 200.0]),
        wall_slide_speed: random.pick(&[0.0, 2.0]),
        wall_jump_speed: random.pick(&[0.0, 5.0]),
        air_jumps: random.pick(&[0, 1, 2]),
        air_jump_height: random.pick(&[0.0, 1.5]),
        apex_speed_threshold: random.pick(&[0.0, 3.0, 20.0]),
        apex_gravity_scale: random.pick(&[0.25, 0.5, 1.0]),
        wall_coyote_time: random.pick(&[0.0, 0.1]),
        wall_stick_time: random.pick(&[0.0, 0.1]),
        wall_jump_lock_time: random.pick(&[0.0, 0.2]),
        dash_speed: random.pick(&[0.0, 0.0, 15.0]),
        dash_time: random.pick(&[0.05, 0.2]),
        dash_end_speed_scale: random.pick(&[0.0, 0.7]),
        step_height: random.pick(&[0.0, 0.25, 1.0]),
        uphill_speed_scale: random.pick(&[1.0, 0.5]),
        ledge_grab: random.pick(&[0.0, 0.125, 0.5]),
        ledge_climb_time: random.pick(&[0.0, 0.2]),
        ..Character::default()
    }
}

/// Random jumps over blocks and gaps, with or without a crate. No jump may be higher than the character can jump from
/// where it last stood, touched a wall for a wall jump, hung on a ledge, or swam.
#[test]
fn random_jumps_are_not_too_high() {
    // In the last seed, a dash against a step ends with speed 0, which still has a sign.
    all_ways_of((0..often(12, 400)).chain([26]), random_jumps);
}

fn random_jumps(way: &Way, seed: u32) {
    let mut random = Random(mix(u64::from(seed) + 99));
    let mut canvas = Canvas::default();
    canvas.blocks((-9, -1), (9, -1));
    for x in -9..=9 {
        match random.below(5) {
            0 => canvas.blocks((x, 0), (x, 0)),
            1 => canvas.blocks((x, 3), (x, 3)),
            _ => {}
        }
    }
    canvas.blocks((-10, -1), (-10, 6));
    canvas.blocks((10, -1), (10, 6));
    let mut world = way.world(&canvas, Settings::default());
    // In every second run the character swims, in water that hardly affects flight.
    let mut wet = Random(mix(u64::from(seed) + 7));
    let [swim_speed, float_speed, swim_time] = [&[0.0, 5.0], &[0.0, 2.0], &[0.0, 0.2]].map(|numbers| wet.pick(numbers));
    let character = Character { swim_speed, float_speed, swim_time, ..random_character(&mut random) };
    let half = wet.range(0.5, 2.5);
    let water = Area::new(AreaShape::aabb(6.0, half).unwrap()).at(position(-1.0, 0.0));
    let effects = Effects { buoyancy: Some(1e-12), ..Effects::default() };
    world.spawn_area(water.effects(effects)).unwrap();
    let mask = random.pick(&MASKS);
    let body = Body::new(random.pick(&shapes())).character(character).collision_mask(mask);
    let hero = world.spawn(body.at(position(0.5, 5.5))).unwrap();
    let block = Body::new(Shape::aabb(0.5, 0.5)).friction(0.5).collision_mask(mask);
    let block = world.spawn(block.at(position(3.5, 5.0))).unwrap();
    let mut stood = None;
    for tick in 0..240 {
        if random.one_in(6) {
            let walk = random.pick(&[127, -127, 0, 60]);
            let [jump, down, up, dash] = [2, 8, 4, 5].map(|times| random.one_in(times));
            world.set_input(hero, Input { walk, jump, down, up, dash });
        }
        world.step();
        let (shape, place) = (world[hero].shape(), world[hero].position());
        assert!(!world.is_in_terrain(hero), "seed {seed} tick {tick}: it is in the terrain");
        let off = to_lengths(world[block].position() - place);
        let (wide, high) = (shape.half_units().x as f64 / ONE as f64 + 0.5, 1.0);
        let apart = off.x.abs() >= wide || off.y.abs() >= high || shape.is_circle();
        assert!(mask == CollisionLayers::NONE || apart, "seed {seed} tick {tick}: it is in the block");
        let is_round = world[hero].shape().is_circle();
        let height = world[hero].position().units().y as f64 / ONE as f64;
        let character = *world[hero].character().unwrap();
        let Character { jump_height, air_jump_height, wall_coyote_time, .. } = character;
        let in_air = if air_jump_height > 0.0 { air_jump_height } else { jump_height };
        // A coyote wall jump may start from higher up, after the wall was touched.
        let late = if wall_coyote_time > 0.0 { jump_height } else { 0.0 };
        // A dash rises by its length at most. The speed that it leaves rises as far as the smallest gravity allows.
        let Character {
            dash_speed,
            dash_time,
            dash_end_speed_scale: dash_keep,
            apex_gravity_scale: apex_gravity,
            swim_speed,
            ..
        } = character;
        let gravity = character.jump_gravity(1.0 / 60.0).unwrap_or(40.0) * apex_gravity;
        let left = dash_speed * dash_keep;
        // With its swim speed, the character rises in the same way if it leaves the water at the side.
        let late = late + dash_speed * dash_time + (left * left + swim_speed * swim_speed) / (2.0 * gravity);
        let most = jump_height + character.ledge_correction + f64::from(character.air_jumps) * in_air + late;
        let touching = world[hero].touching();
        let clings = character.wall_jump_speed > 0.0 && (touching.wall_left || touching.wall_right);
        let holds = world[hero].is_hanging() || world[hero].is_climbing_ledge() || world[hero].is_swimming();
        if world[hero].on_floor() || stood.is_none() || clings || holds {
            stood = Some(height);
        }
        // A circle slides up corners that it hits. After an impact within a tick, a body moves on with the speed that
        // fits its position in the tick. That speed differs a little if the body turns sideways in the same tick.
        let near = if world[hero].body().collision_mask == CollisionLayers::NONE { NEAR } else { 1.0 / 64.0 };
        assert!(
            is_round || height <= stood.unwrap() + most + near,
            "seed {seed} tick {tick}: {height} from {stood:?}, {most}"
        );
    }
}

/// A corner correction below the smallest length corrects nothing, but makes the engine handle the character as one
/// with further abilities.
#[test]
fn characters_that_only_walk_and_jump_move_as_any_other() {
    for (seed, up) in (0..24).flat_map(|seed| Symmetry::all().map(move |up| (seed, up))) {
        let mut random = Random(mix(seed));
        let mut canvas = Canvas::default();
        canvas.blocks((-16, -1), (16, -1));
        for x in -15..16 {
            match random.below(6) {
                0 => canvas.blocks((x, 0), (x, random.below(3) as i32)),
                1 => canvas.blocks((x, 3), (x, 3)),
                _ => {}
            }
        }
        canvas.blocks((-17, -1), (-17, 8));
        canvas.blocks((17, -1), (17, 8));
        let speed = random.pick(&[3.0, 8.0, 30.0]);
        let plain =
            Character { walk_speed: speed, platform_velocity_grace: 0.1, max_push_mass: 2.0, ..Character::default() };
        let other = Character { corner_correction: 1e-12, ..plain };
        let body = Body::new(up.shape(random.pick(&shapes()))).at(up.position(position(0.5, 6.5)));
        let mut worlds = [plain, other].map(|character| {
            let mut world = World::new(canvas.map(up), up.settings());
            let hero = world.spawn(body.clone().character(character)).unwrap();
            (world, hero)
        });
        for tick in 0..600 {
            let input = random.one_in(8).then(|| Input {
                walk: up.walk(random.pick(&[127, -127, 0, 60])),
                jump: random.one_in(2),
                down: random.one_in(8),
                ..Input::default()
            });
            let [one, two] = &mut worlds;
            let [one, two] = [one, two].map(|(world, hero)| {
                input.into_iter().for_each(|input| world.set_input(*hero, input));
                world.step();
                let body = &world[*hero];
                let velocity = body.velocity().to_array().map(f64::to_bits);
                (body.position(), velocity, body.footing(), body.touching(), world.events().to_vec())
            });
            assert_eq!(one, two, "seed {seed}, {up:?}, tick {tick}");
        }
    }
}
