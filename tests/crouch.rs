//! Shape changes: the underside stays in place, and the new shape must fit. Characters that crouch.

use crate::nudges::{TICK, body, jump, under};
use crate::scene::{ONE, position};
use crate::symmetry::Symmetry;
use crate::table::{MASKS, Stage, Way, all_ways, all_ways_of, pairs};
use surefoot::body::BodyError;
use surefoot::geometry::DVec2;
use surefoot::map::CollisionLayers;
use surefoot::motion::Side;
use surefoot::platform::Platform;
use surefoot::prelude::*;
use surefoot::{Input, World};

const UNIT: f64 = 1.0 / ONE as f64;

/// Upright and crouched shapes: boxes, and a circle that becomes a lower box.
fn postures() -> [(Shape, Shape); 3] {
    [
        (Shape::aabb(0.25, 0.5), Shape::aabb(0.25, 0.25)),
        (Shape::circle(0.5), Shape::circle(0.25)),
        (Shape::circle(0.5), Shape::aabb(0.5, 0.125)),
    ]
}

fn half_height(shape: Shape) -> f64 {
    shape.half_units().y as f64 * UNIT
}

/// A crouched body on the floor at x = 0, under a ceiling that continues to the right.
fn crouched(how: &Way, shape: Shape, ceiling: i32, foot: f64, gravity: f64) -> Stage {
    let canvas = under(&[((0, ceiling), (7, ceiling))]);
    let floats = Character { jump_time: 0.0, ..jump() };
    Stage::new(&canvas, how, body(shape, floats), (1.0, foot + half_height(shape)), gravity)
}

/// A body that exactly fits under a ceiling at 1 stands up. One unit above the floor, it does not.
#[test]
fn standing_up_needs_room_to_the_unit() {
    all_ways_of(pairs(postures(), [(0.0, true), (UNIT, false)]), |how, ((upright, low), (foot, fits))| {
        let mut stage = crouched(how, low, 1, foot, 0.0);
        let (hero, before) = (stage.hero, stage.world.checksum());
        let what = format!("{upright:?} {low:?} {foot}");
        assert_eq!(stage.world.fits(hero, upright), fits, "{what}");
        let done = stage.world.set_shape(hero, upright);
        if fits {
            assert_eq!(done, Ok(()), "{what}");
            assert_eq!(stage.place(), DVec2::new(1.0, 0.5), "{what}");
            assert_eq!(stage.world[hero].shape(), upright);
        } else {
            assert_eq!(done, Err(CommandError::NoRoomForShape(hero)), "{what}");
            assert_eq!((stage.world.checksum(), stage.world[hero].shape()), (before, low), "{what}");
        }
        (0..5).for_each(|_| stage.step(0, false));
        assert!(!stage.world[hero].is_stuck(), "{what}");
    });
}

/// A character crouches and stands up on the ground without leaving it. Its speed and its underside stay the same, to
/// the unit, and it sends no event.
#[test]
fn crouching_keeps_the_underside_and_the_motion() {
    all_ways_of(postures(), |how, (upright, low)| {
        let mut stage = Stage::new(&under(&[]), how, body(upright, jump()), (-6.0, 0.5), 40.0);
        let mut level = Stage::new(&under(&[]), how, body(upright, jump()), (-6.0, 0.5), 40.0);
        let hero = stage.hero;
        for tick in 0..60 {
            if tick % 10 == 5 {
                let shape = if tick % 20 == 5 { low } else { upright };
                let before = stage.world[hero].velocity();
                stage.world.set_shape(hero, shape).unwrap();
                assert!(stage.world[hero].on_floor());
                assert_eq!(stage.world[hero].velocity(), before);
                let way = stage.world[hero].position() - stage.world[hero].previous_position();
                let other = level.world[level.hero].position() - level.world[level.hero].previous_position();
                assert_eq!(way, other, "the way of the last tick is as it was");
            }
            stage.step(127, false);
            level.step(127, false);
            let what = format!("{tick} {low:?}: {}", stage.place());
            let shape = stage.world[hero].shape();
            let high = if shape == low { half_height(low) } else { 0.5 };
            assert_eq!(stage.place(), DVec2::new(level.place().x, high), "{what}");
            assert_eq!(stage.velocity(), level.velocity(), "{what}");
            assert_eq!(stage.world.events().len(), level.world.events().len(), "{what}");
        }
    });
}

/// A low character in the air stretches out its feet and keeps its head, only where there is room below it, to the
/// unit. It pulls them up again.
#[test]
fn a_crouch_from_the_top_keeps_the_head() {
    all_ways_of(pairs(postures(), [(0.0, true), (-UNIT, false)]), |how, ((upright, low), (foot, fits))| {
        let floats = Character { jump_time: 0.0, ..jump() };
        // The head of the low shape is `foot` above the head of an upright body on the floor.
        let start = (1.0, 1.0 + foot - half_height(low));
        let mut stage = Stage::new(&under(&[]), how, body(low, floats), start, 0.0);
        let (hero, before) = (stage.hero, stage.place());
        let what = format!("{upright:?} {low:?} {foot}");
        assert_eq!(stage.world.fits_from_top(hero, upright), fits, "{what}");
        let done = stage.world.set_shape_from_top(hero, upright);
        if fits {
            assert_eq!(done, Ok(()), "{what}");
            assert_eq!(stage.place(), DVec2::new(1.0, 1.0 - half_height(upright)), "{what}");
            assert_eq!(stage.world.set_shape_from_top(hero, low), Ok(()), "{what}");
        } else {
            assert_eq!(done, Err(CommandError::NoRoomForShape(hero)), "{what}");
        }
        assert_eq!((stage.place(), stage.world[hero].shape()), (before, low), "{what}");
    });
}

/// Steps the hero with input `walk`. Checks that it is grounded only with a floor contact, and returns whether it is.
fn step_on_contacts(stage: &mut Stage, walk: i8, what: &str) -> bool {
    stage.step(walk, false);
    let state = &stage.world[stage.hero];
    let has_floor = stage.world.contacts(stage.hero).iter().any(|contact| contact.side == Side::Floor);
    assert_eq!(state.on_floor(), has_floor, "{what}: {}", stage.place());
    state.on_floor()
}

/// Runs `check` in all ways with each tick rate, collision mask and character with or without a step height.
fn each_walker(mut check: impl FnMut(&Way, f64, Character, CollisionLayers, &str)) {
    all_ways(|how| {
        for (rate, mask) in [30.0, 60.0, 120.0, 240.0].into_iter().flat_map(|rate| MASKS.map(|mask| (rate, mask))) {
            for step_height in [0.0, 0.3] {
                let character = Character { step_height, ..jump() };
                check(how, rate, character, mask, &format!("{rate} {mask:?} {step_height}"));
            }
        }
    });
}

/// A circle on a slope of 1:1 touches it beside its lowest point. At half the size, it is above the slope by (sqrt(2) -
/// 1) / 4 and falls onto it.
#[test]
fn a_smaller_circle_falls_on_to_its_slope() {
    let mut canvas = under(&[]);
    for x in -8..8 {
        canvas.blocks((x, -1), (x, x + 7));
        canvas.paint((x, x + 8), "slope_45");
    }
    each_walker(|how, rate, character, mask, what| {
        for walk in [0, 127, -127] {
            let hero = body(Shape::circle(0.5), character).collision_mask(mask);
            // The slope's surface is at y = x + 8.
            let start = (-4.0, 4.0 + 0.5 * 2.0_f64.sqrt() + UNIT);
            let mut stage = Stage::at_rate(&canvas, how, hero, start, (40.0, rate));
            while !step_on_contacts(&mut stage, 0, what) {}
            let (hero, before) = (stage.hero, stage.place());
            stage.world.set_shape(hero, Shape::circle(0.25)).unwrap();
            assert_eq!(stage.place(), before - DVec2::new(0.0, 0.25), "{what}");
            assert!(!step_on_contacts(&mut stage, walk, what), "{what} {walk}");
            let ticks = (0..rate as u32).take_while(|_| !step_on_contacts(&mut stage, walk, what)).count();
            assert!(ticks < rate as usize / 4, "{what} {walk}: {ticks} ticks in the air");
            let above = stage.place().y - stage.place().x - 8.0 - 0.25 * 2.0_f64.sqrt();
            assert!((0.0..=16.0 * UNIT).contains(&above), "{what} {walk}: {above}");
        }
    });
}

/// A box stands with its left end on a floor that ends below it. A narrower box has no floor, and falls straight down
/// to the floor 1 below.
#[test]
fn a_narrower_box_falls_past_the_end_of_its_floor() {
    let canvas = under(&[((-8, 0), (-1, 0))]);
    each_walker(|how, rate, character, mask, what| {
        let hero = body(Shape::aabb(0.5, 0.5), character).collision_mask(mask);
        let mut stage = Stage::at_rate(&canvas, how, hero, (0.25, 1.5), (40.0, rate));
        while !step_on_contacts(&mut stage, 0, what) {}
        assert_eq!(stage.place(), DVec2::new(0.25, 1.5), "{what}");
        stage.world.set_shape(stage.hero, Shape::aabb(0.125, 0.25)).unwrap();
        assert!(!step_on_contacts(&mut stage, 0, what), "{what}");
        (0..rate as u32).for_each(|_| _ = step_on_contacts(&mut stage, 0, what));
        assert_eq!(stage.place(), DVec2::new(0.25, 0.25), "{what}");
        assert!(stage.hero().on_floor(), "{what}");
    });
}

/// A wall or a platform next to the body blocks a new shape. Another body does not, because the two separate later.
/// Nothing blocks a body that passes.
#[test]
fn obstacles_of_a_new_shape() {
    let wide = Shape::aabb(1.0, 0.25);
    let low = Shape::aabb(0.25, 0.25);
    let canvas = under(&[((2, 0), (2, 0))]);
    let mut world = World::new(canvas.map(Symmetry(Placement::default())), Settings::default());
    let put = |world: &mut World, body: Body, x: f64| world.spawn(body.at(position(x, 0.25))).unwrap();
    // With the new shape, this body would reach one unit into the block at x = 2.
    let beside = put(&mut world, Body::new(low), 1.0 + UNIT);
    assert_eq!(world.set_shape(beside, wide), Err(CommandError::NoRoomForShape(beside)));
    let passes = put(&mut world, Body::new(low).response(Response::Pass).gravity_scale(0.0), 1.5);
    assert_eq!(world.set_shape(passes, wide), Ok(()));
    world.despawn(beside).unwrap();
    let exact = put(&mut world, Body::new(low), 1.0);
    assert_eq!(world.set_shape(exact, wide), Ok(()));
    world.despawn(exact).unwrap();

    let platform = Platform::from_rows(world.map(), ["#"]).unwrap().at((-3.0, 0.0));
    world.spawn_platform(platform).unwrap();
    let by_platform = put(&mut world, Body::new(low), -1.0 - UNIT);
    assert_eq!(world.set_shape(by_platform, wide), Err(CommandError::NoRoomForShape(by_platform)));
    world.teleport(by_platform, position(-1.0, 0.25)).unwrap();
    assert_eq!(world.set_shape(by_platform, wide), Ok(()));

    let meeting =
        |x: f64| Body::new(Shape::aabb(0.25, 0.25)).collision_mask(CollisionLayers::ALL).at(position(x, 0.25));
    let [left, right] = [-6.0, -5.5].map(|x| world.spawn(meeting(x)).unwrap());
    assert_eq!(world.set_shape(left, Shape::aabb(0.5, 0.5)), Ok(()), "bodies part by themselves");
    (0..30).for_each(|_| world.step());
    assert_eq!(world[right].position(), position(-5.5, 0.25));
    assert_eq!(world[left].position(), position(-6.0, 0.5));
}

/// Invalid shapes, a circle as a one-way body, and missing bodies are rejected.
#[test]
fn invalid_shapes_are_refused() {
    let mut world = World::new(under(&[]).map(Symmetry(Placement::default())), Settings::default());
    let plate = world.spawn(Body::new(Shape::aabb(1.0, 0.25)).one_way().at((0.0, 3.0))).unwrap();
    assert_eq!(world.set_shape(plate, Shape::circle(0.5)), Err(BodyError::OneWayCircle.into()));
    assert!(matches!(world.set_shape(plate, Shape::circle(0.0)), Err(CommandError::Body(BodyError::Shape(_)))));
    assert!(!world.fits(plate, Shape::circle(65.0)) && world.fits(plate, Shape::aabb(1.0, 0.25)));
    world.despawn(plate).unwrap();
    assert_eq!(world.set_shape(plate, Shape::circle(0.5)), Err(CommandError::NoSuchBody(plate)));
    assert!(!world.fits(plate, Shape::circle(0.5)));
}

/// A stuck body with a smaller shape is free again.
#[test]
fn a_stuck_body_is_free_once_it_is_small_enough() {
    let mut world = World::new(under(&[]).map(Symmetry(Placement::default())), Settings::default());
    let hero = world.spawn(Body::new(Shape::aabb(0.25, 1.0)).at((0.5, 1.0)).character(jump())).unwrap();
    let block = world.tile_at(0, (0, -1)).unwrap();
    world.set_tile(0, (0, 1), block).unwrap();
    world.step();
    assert!(world[hero].is_stuck());
    world.set_shape(hero, Shape::aabb(0.25, 0.5)).unwrap();
    world.step();
    assert!(!world[hero].is_stuck() && world[hero].position() == position(0.5, 0.5));
}

/// Crouches while down is held, and stands up where there is room, as a game would.
fn crouch_by_input(world: &mut World, hero: BodyId, input: Input) {
    let (upright, low) = (Shape::aabb(0.25, 0.75), Shape::aabb(0.25, 0.375));
    let (run, crawl) =
        (Character { ground_braking: 40.0, ..jump() }, Character { walk_speed: 2.0, ground_braking: 8.0, ..jump() });
    let is_low = world[hero].shape() == low;
    let (shape, character) =
        if input.down || (is_low && !world.fits(hero, upright)) { (low, crawl) } else { (upright, run) };
    if world[hero].shape() != shape {
        world.set_shape(hero, shape).unwrap();
        world.set_character(hero, character).unwrap();
    }
    world.set_input(hero, input);
    world.step();
}

/// The hero runs at 8 and slides under a ceiling at 1 from x = 0 to 8, slowing down by 8 per second. Under the ceiling
/// it crawls at 2, whatever is held, and stands up behind it.
#[test]
fn a_character_slides_crawls_and_stands_up() {
    let mut canvas = under(&[((0, 1), (7, 1))]);
    canvas.blocks((8, -1), (30, -1));
    let mut world = World::new(canvas.map(Symmetry(Placement::default())), Settings::default());
    let hero = world.spawn(Body::new(Shape::aabb(0.25, 0.75)).at((-6.0, 0.75)).character(jump())).unwrap();
    let (run, slide) = (Input::walk(1.0), Input { down: true, ..Input::walk(1.0) });
    while world[hero].position().to_dvec2().x < -0.5 {
        crouch_by_input(&mut world, hero, run);
    }
    assert_eq!(world[hero].velocity(), DVec2::new(8.0, 0.0));
    let mut speed = 8.0;
    for tick in 0..400 {
        crouch_by_input(&mut world, hero, if tick < 10 { slide } else { run });
        let state = &world[hero];
        let x = state.position().to_dvec2().x;
        assert!(state.on_floor());
        if x - 0.25 >= 8.0 {
            break;
        }
        speed = f64::max(speed - 8.0 * TICK, 2.0);
        assert!((state.velocity().x - speed).abs() < 1e-9, "{tick}: {}", state.velocity());
        assert_eq!(state.position().to_dvec2().y, 0.375, "{tick}");
    }
    assert_eq!(speed, 2.0);
    (0..30).for_each(|_| crouch_by_input(&mut world, hero, run));
    assert_eq!((world[hero].velocity(), world[hero].position().to_dvec2().y), (DVec2::new(8.0, 0.0), 0.75));
}
