//! Bodies with an up of their own, by hand and by laws. `docs/internals/up.md` lists the cases.
//!
//! [`all_ways`] plays every scene of the suite once more with the up of each body in place of the world's: mirrored,
//! and turned by a quarter.

use crate::body_laws::{
    Coverage, current_moment, describe_body, find_new_overlap, no_symmetry, other_symmetries_and_shifts,
    restore_difference, seeds, symmetry_difference, turned,
};
use crate::body_plans::Plan;
use crate::platforms::path;
use crate::prelude::*;
use crate::table::{Run, all_ways_of_one_up, all_ways_to_flip};
use surefoot::map::TileId;
use surefoot::world::MotionMode;

/// Gravity of 64 tiles per second squared and 64 ticks a second: a fall gains 1 tile per second in each tick.
const GRAVITY: f64 = 64.0;
const RATE: f64 = 64.0;

/// A hall 12 wide and 8 high, with a floor below y = 0 and a ceiling above y = 8.
fn hall() -> Canvas {
    let mut canvas = Canvas::default();
    canvas.blocks((-6, -1), (5, -1));
    canvas.blocks((-6, 8), (5, 8));
    canvas
}

fn stage(canvas: &Canvas, way: &Way, body: Body, at: (f64, f64)) -> Stage {
    Stage::at_rate(canvas, way, body, at, (GRAVITY, RATE))
}

fn hero() -> Body {
    let character = Character {
        walk_speed: 8.0,
        jump_height: 2.0,
        coyote_time: 0.25,
        max_fall_speed: 100.0,
        ..Character::default()
    };
    Body::new(Shape::aabb(0.5, 0.5)).character(character).collision_mask(CollisionLayers::ALL)
}

fn crate_() -> Body {
    Body::new(Shape::aabb(0.5, 0.5)).friction(1.0).collision_mask(CollisionLayers::ALL)
}

const FLIPPED: Option<Up> = Some(Up::MinusY);

fn names(run: &Run, body: BodyId) -> Vec<&'static str> {
    run.events().iter().filter(|event| event.body == body).map(|event| event.kind.name()).collect()
}

/// From rest it falls for 8 ticks, to -8 tiles per second. Then each tick takes 1 back: after 16 more ticks it rises
/// with 8 tiles per second through the same height, and 8 ticks later it is back 8 above the start of the flip in
/// speed.
#[test]
fn a_flip_in_the_air_turns_the_fall_round() {
    all_ways_to_flip(|way| {
        let mut stage = stage(&hall(), way, Body::new(Shape::circle(0.25)).velocity((2.0, 0.0)), (-4.0, 4.0));
        (0..8).for_each(|_| stage.world.step());
        let at = stage.place();
        assert_eq!((at, stage.velocity()), (DVec2::new(-3.75, 4.0 - 0.5), DVec2::new(2.0, -8.0)));
        stage.world.set_up(stage.hero, FLIPPED).unwrap();
        assert_eq!((stage.place(), stage.velocity()), (at, DVec2::new(2.0, -8.0)), "a flip turns no velocity");
        (0..16).for_each(|_| stage.world.step());
        assert_eq!((stage.place(), stage.velocity()), (DVec2::new(-3.25, 3.5), DVec2::new(2.0, 8.0)));
    });
}

/// The hero stands on y = 0 and walks to the right. After the flip, its floor is its ceiling. It jumps neither off that
/// nor late, falls 7 tiles up, lands, and goes on to the right. The fall takes sqrt(2 * 7 * 64) = 29.9 ticks.
#[test]
fn a_hero_on_the_floor_falls_to_the_ceiling_and_walks_on_there() {
    all_ways_to_flip(|way| {
        let mut stage = stage(&hall(), way, hero(), (-5.0, 0.5));
        (0..3).for_each(|_| stage.step(127, false));
        assert!(stage.hero().on_floor());
        stage.world.set_up(stage.hero, FLIPPED).unwrap();
        let touching = stage.hero().touching();
        assert!(!stage.hero().on_floor() && touching.ceiling && !touching.floor, "{touching:?}");
        let x = stage.place().x;
        stage.step(127, true);
        assert_eq!(names(&stage.world, stage.hero), ["left_floor"], "there is no late jump");
        assert_eq!(stage.velocity().y, 1.0);
        let mut landed = 1;
        while !stage.hero().on_floor() {
            stage.step(127, false);
            landed += 1;
            assert!(landed < 40);
        }
        assert_eq!(landed, 30);
        assert!(names(&stage.world, stage.hero).contains(&"landed"));
        assert_eq!(stage.place().y, 7.5);
        assert!(stage.place().x > x + 1.0, "right stays right");
        let x = stage.place().x;
        stage.step(127, false);
        assert_eq!((stage.place(), stage.hero().footing()), ((x + 0.125, 7.5).into(), Footing::Ground { speed: 8.0 }));
        assert_eq!(stage.world.probe_walk(stage.hero, 0.5).map(|ahead| ahead.floor), Some(true));
        // The hero jumps 2 tiles down, as exactly as 2 tiles up.
        let mut lowest = 7.5_f64;
        for tick in 0..60 {
            stage.step(0, tick < 30);
            lowest = lowest.min(stage.place().y);
        }
        assert!((lowest - 5.5).abs() < 0.01, "{lowest}");
        assert!(stage.hero().on_floor());
    });
}

#[test]
fn walls_on_the_left_stay_on_the_left() {
    all_ways_to_flip(|way| {
        let mut canvas = hall();
        canvas.blocks((-2, 0), (-2, 7));
        let mut stage = stage(&canvas, way, hero(), (-0.5, 0.5));
        stage.world.set_up(stage.hero, FLIPPED).unwrap();
        stage.world.set_facing(stage.hero, Facing::Right).unwrap();
        (0..40).for_each(|_| stage.step(-127, false));
        let touching = stage.hero().touching();
        assert!(touching.wall_left && !touching.wall_right && stage.hero().on_floor(), "{touching:?}");
        assert_eq!(stage.hero().facing(), Facing::Left, "it turns with its walk");
        let sides: BTreeSet<_> = stage.world.contacts(stage.hero).iter().map(|contact| contact.side as u8).collect();
        assert_eq!(sides, [Side::Floor as u8, Side::WallLeft as u8].into());
        assert_eq!(stage.hero().input().walk, -127);
        stage.world.set_up(stage.hero, None::<Up>).unwrap();
        assert_eq!((stage.hero().input().walk, stage.hero().facing()), (-127, Facing::Left));
    });
}

/// A lift moves to the right with 2 tiles per second, or up with 2. The crate on it flips and goes on with that
/// velocity.
#[test]
fn a_crate_on_a_lift_keeps_the_velocity_of_the_lift() {
    for to in [(2.0, 0.0), (0.0, 2.0)] {
        all_ways_to_flip(|way| {
            let mut world = way.world(&hall(), Settings::default().gravity((0.0, -GRAVITY)).tick(1.0 / RATE));
            let lift = Platform::from_rows(world.map(), ["##"]).unwrap().at((0.0, 1.0));
            let lift =
                Platform { motion: surefoot::platform::PlatformMotion::Path(path(&[(0.0, 0.0), to], 2.0)), ..lift };
            world.spawn_platform(lift).unwrap();
            let body = world.spawn(crate_().at((1.0, 2.5))).unwrap();
            (0..8).for_each(|_| world.step());
            let velocity = DVec2::from(to);
            assert!(world[body].on_floor());
            assert_eq!(world[body].velocity(), velocity);
            world.set_up(body, FLIPPED).unwrap();
            assert!(!world[body].on_floor() && world[body].velocity() == velocity);
            world.step();
            assert_eq!(world[body].velocity(), velocity + DVec2::Y);
            assert_eq!(names(&world, body), ["left_floor"]);
        });
    }
}

#[test]
fn a_hero_flips_off_a_crate_and_back_on_to_it() {
    all_ways_to_flip(|way| {
        let mut stage = stage(&hall(), way, hero(), (0.5, 1.5));
        let below = stage.world.spawn(crate_().at((0.5, 0.5))).unwrap();
        (0..20).for_each(|_| stage.step(0, false));
        assert!(stage.hero().on_floor());
        let start = stage.place();
        stage.world.set_up(stage.hero, FLIPPED).unwrap();
        stage.step(0, false);
        assert!(!stage.hero().on_floor() && stage.velocity() == DVec2::Y);
        assert_eq!(stage.world[below].position(), position(0.5, 0.5));
        (0..10).for_each(|_| stage.step(0, false));
        stage.world.set_up(stage.hero, None::<Up>).unwrap();
        (0..40).for_each(|_| stage.step(0, false));
        assert!(stage.hero().on_floor() && stage.place() == start, "{}", stage.place());
        assert_eq!(stage.world[below].position(), position(0.5, 0.5));
    });
}

/// The one-way floor at y = 4 stops only from above. A hero in it that flips falls out upwards. A hero above it that
/// flips and jumps down is stopped by it, as by a ceiling.
#[test]
fn a_one_way_floor_keeps_its_side() {
    all_ways_to_flip(|way| {
        let mut canvas = hall();
        (-6..6).for_each(|x| canvas.paint((x, 3), "one_way"));
        let mut stage = stage(&canvas, way, hero(), (0.5, 4.0));
        stage.world.set_up(stage.hero, FLIPPED).unwrap();
        (0..40).for_each(|_| stage.step(0, false));
        assert_eq!((stage.place().y, stage.hero().on_floor()), (7.5, true));
        let high = Character { jump_height: 6.0, ..*stage.hero().character().unwrap() };
        stage.world.set_character(stage.hero, high).unwrap();
        let mut lowest = 7.5_f64;
        for _ in 0..40 {
            stage.step(0, true);
            lowest = lowest.min(stage.place().y);
        }
        assert_eq!(lowest, 4.5);
    });
}

/// The lower one flips: each then stands on the other, feet to feet, and neither carries the other. The lower one walks
/// off to the right, and falls to the ceiling.
#[test]
fn a_rider_on_the_head_is_carried_no_longer() {
    all_ways_to_flip(|way| {
        let mut stage = stage(&hall(), way, hero(), (0.5, 0.5));
        let rider = stage.world.spawn(hero().at((0.5, 1.5))).unwrap();
        (0..10).for_each(|_| stage.step(0, false));
        // The lower hero carries the rider as long as both have the same up.
        (0..8).for_each(|_| stage.step(64, false));
        assert!(stage.world[rider].position() > position(0.6, 1.5) && stage.world[rider].on_floor());
        (0..20).for_each(|_| stage.step(0, false));
        let there = stage.world[rider].position();
        stage.world.set_up(stage.hero, FLIPPED).unwrap();
        (0..8).for_each(|_| stage.step(0, false));
        assert_eq!((stage.world[rider].position(), stage.place().y), (there, 0.5));
        assert!(stage.hero().on_floor() && stage.world[rider].on_floor(), "each stands on the other");
        (0..8).for_each(|_| stage.step(64, false));
        assert_eq!((stage.world[rider].position(), stage.place().y), (there, 0.5), "neither carries the other");
        assert!(stage.place().x > there.to_dvec2().x + 0.25);
        (0..12).for_each(|_| stage.step(127, false));
        (0..40).for_each(|_| stage.step(0, false));
        assert_eq!((stage.place().y, stage.hero().on_floor()), (7.5, true));
        assert_eq!(stage.world[rider].position().to_dvec2().y, 0.5);
    });
}

/// A corridor 1.5 high. The flipped hero walks under the ceiling and pushes a crate on the floor, which has the world's
/// up.
#[test]
fn a_hero_under_the_ceiling_pushes_a_crate_on_the_floor() {
    all_ways_to_flip(|way| {
        let mut canvas = Canvas::default();
        canvas.blocks((-6, -1), (9, -1));
        canvas.blocks((-6, 1), (9, 1));
        let character = Character { walk_speed: 4.0, max_push_mass: 1.0, ..Character::default() };
        let pusher = Body::new(Shape::aabb(0.25, 0.375)).character(character).collision_mask(CollisionLayers::ALL);
        let mut stage = stage(&canvas, way, pusher, (-1.0, 0.5));
        let block = Body::new(Shape::aabb(0.25, 0.375)).friction(1.0).collision_mask(CollisionLayers::ALL);
        let block = stage.world.spawn(block.at((0.5, 0.375))).unwrap();
        stage.world.set_up(stage.hero, FLIPPED).unwrap();
        (0..64).for_each(|_| stage.step(127, false));
        assert_eq!(stage.place().y, 0.625);
        let at = stage.world[block].position().to_dvec2();
        assert_eq!((at.y, at.x - stage.place().x), (0.375, 0.5));
        assert!(at.x > 2.0, "{at}");
        assert_eq!(stage.velocity(), DVec2::new(4.0, 0.0));
    });
}

/// A shelf that its negative gravity presses against the ceiling. It is solid from above: for a flipped hero, that is
/// its lower side. A hero that is not flipped passes it from below.
#[test]
fn a_flipped_hero_stands_under_a_one_way_body() {
    all_ways_to_flip(|way| {
        let mut stage = stage(&hall(), way, hero(), (0.5, 0.5));
        let shelf = Body::new(Shape::aabb(1.0, 0.125)).gravity_scale(-1.0).one_way();
        let shelf = stage.world.spawn(shelf.at((0.5, 7.875)).collision_mask(CollisionLayers::ALL)).unwrap();
        stage.world.set_up(stage.hero, FLIPPED).unwrap();
        (0..40).for_each(|_| stage.step(0, false));
        assert_eq!((stage.place().y, stage.hero().on_floor()), (7.25, true));
        assert_eq!(stage.world[shelf].position(), position(0.5, 7.875));
        stage.world.set_up(stage.hero, None::<Up>).unwrap();
        stage.world.teleport(stage.hero, (0.5, 4.0)).unwrap();
        stage.world.set_velocity(stage.hero, DVec2::new(0.0, 40.0)).unwrap();
        let mut highest = 0.0_f64;
        for _ in 0..8 {
            stage.step(0, false);
            highest = highest.max(stage.place().y);
        }
        assert_eq!(highest, 7.5);
    });
}

/// The pool reaches from y = 0 to 6. With a buoyancy of 2, a body floats with half of its height out of the liquid: at
/// y = 6, or flipped at y = 0.
#[test]
fn buoyancy_and_the_gravity_of_an_area_follow_the_up() {
    all_ways_to_flip(|way| {
        let mut stage = stage(&Canvas::default(), way, Body::new(Shape::aabb(0.5, 0.5)), (0.0, 3.0));
        let shape = AreaShape::Aabb(Aabb::from_corners(DVec2::new(-6.0, 0.0), DVec2::new(6.0, 6.0)).unwrap());
        let effects =
            Effects { buoyancy: Some(2.0), drag: Some(8.0), gravity: Some((0.0, -32.0).into()), ..Effects::default() };
        stage.world.spawn_area(Area { effects, ..Area::new(shape) }).unwrap();
        for (up, floats) in [(None, 6.0), (FLIPPED, 0.0)] {
            stage.world.set_up(stage.hero, up).unwrap();
            (0..400).for_each(|_| stage.world.step());
            assert!((stage.place() - DVec2::new(0.0, floats)).length() < 1e-6, "{}", stage.place());
        }
    });
}

/// The left half of the hall has the effect. A hero that is inside when a tick ends flips in the next one, and falls
/// back in the tick after it has left. Its own up stays.
#[test]
fn an_area_flips_the_bodies_inside() {
    all_ways_to_flip(|way| {
        let mut stage = stage(&hall(), way, hero(), (1.0, 0.5));
        let shape = AreaShape::Aabb(Aabb::from_corners(DVec2::new(-6.0, 0.0), DVec2::new(0.0, 8.0)).unwrap());
        let area = Area { effects: Effects { up: FLIPPED, ..Effects::default() }, ..Area::new(shape) };
        let area = stage.world.spawn_area(area.at((0.0, 0.0))).unwrap();
        let is_inside = |stage: &Stage| stage.world.bodies_in(area).any(|body| body == stage.hero);
        while !is_inside(&stage) {
            stage.step(-127, false);
            assert!(stage.hero().on_floor() && stage.place().y == 0.5);
        }
        let up = |stage: &Stage| World::get(&stage.world, stage.hero).unwrap().up();
        let before = up(&stage);
        stage.step(-127, false);
        assert!(!stage.hero().on_floor() && stage.velocity().y == 1.0 && up(&stage) != before);
        assert_eq!(stage.hero().body().up, None);
        (0..40).for_each(|_| stage.step(0, false));
        assert_eq!((stage.place().y, stage.hero().on_floor()), (7.5, true));
        while is_inside(&stage) {
            stage.step(127, false);
            assert!(stage.hero().on_floor() && stage.place().y == 7.5);
        }
        stage.step(127, false);
        assert!(!stage.hero().on_floor() && stage.velocity().y == -1.0 && up(&stage) == before);
        // Without the area, the up of all bodies inside turns back.
        stage.world.teleport(stage.hero, (-4.0, 7.5)).unwrap();
        (0..40).for_each(|_| stage.step(0, false));
        assert_eq!((stage.place().y, stage.hero().on_floor()), (7.5, true));
        stage.world.despawn_area(area).unwrap();
        stage.step(0, false);
        assert_eq!((stage.velocity().y, up(&stage)), (-1.0, before));
    });
}

/// Up is to the left: the hero falls to the wall on the right and stands on it. Right is then towards greater y.
#[test]
fn a_sideways_up_turns_right_with_it() {
    let mut canvas = hall();
    canvas.blocks((5, 0), (5, 7));
    let way = Way::turned(0);
    let mut stage = stage(&canvas, &way, hero(), (0.5, 3.5));
    stage.world.set_up(stage.hero, Some(Up::MinusX)).unwrap();
    (0..40).for_each(|_| stage.step(0, false));
    assert_eq!((stage.place(), stage.hero().on_floor()), ((4.5, 3.5).into(), true));
    assert_eq!(World::get(&stage.world, stage.hero).unwrap().right(), I64Vec2::Y);
    (0..8).for_each(|_| stage.step(127, false));
    assert!(stage.place().y > 3.9 && stage.place().x == 4.5, "{}", stage.place());
}

/// The one-way edge of the platform is at y = 4, in the middle of the hero. It stops only from above, so the hero that
/// falls up passes on to the ceiling at y = 8.
#[test]
fn a_hero_inside_a_one_way_platform_passes_on() {
    all_ways_to_flip(|way| {
        let mut world = way.world(&hall(), Settings::default().gravity((0.0, -GRAVITY)).tick(1.0 / RATE));
        let shelf = Platform::from_rows(world.map(), ["=="]).unwrap().at((0.0, 3.0));
        world.spawn_platform(shelf).unwrap();
        let hero = world.spawn(hero().at((1.0, 4.0))).unwrap();
        world.set_up(hero, FLIPPED).unwrap();
        (0..40).for_each(|_| world.step());
        assert_eq!((world[hero].position(), world[hero].on_floor()), (position(1.0, 7.5), true));
        assert!(!names(&world, hero).contains(&"crushed"));
    });
}

/// The hero is in a block. Once the block is gone, it falls the other way.
#[test]
fn a_stuck_hero_stays_stuck() {
    all_ways_to_flip(|way| {
        let mut canvas = hall();
        canvas.blocks((0, 3), (0, 3));
        let mut stage = stage(&canvas, way, hero(), (0.5, 3.5));
        stage.step(0, false);
        assert!(stage.hero().is_stuck());
        stage.world.set_up(stage.hero, FLIPPED).unwrap();
        assert!(stage.hero().is_stuck());
        (0..8).for_each(|_| stage.step(127, true));
        assert_eq!((stage.place(), stage.hero().is_stuck()), ((0.5, 3.5).into(), true));
        stage.world.set_tile(0, (0, 3), TileId::EMPTY).unwrap();
        (0..40).for_each(|_| stage.step(0, false));
        assert_eq!((stage.place(), stage.hero().on_floor()), ((0.5, 7.5).into(), true));
    });
}

#[test]
fn a_crate_that_is_asleep_wakes_up() {
    all_ways_to_flip(|way| {
        let mut stage = stage(&hall(), way, crate_(), (0.5, 0.5));
        let mut ticks = 0;
        while !names(&stage.world, stage.hero).contains(&"fell_asleep") {
            stage.world.step();
            ticks += 1;
            assert!(ticks < 400, "the crate never falls asleep");
        }
        stage.world.set_up(stage.hero, FLIPPED).unwrap();
        stage.world.step();
        let told = names(&stage.world, stage.hero);
        assert!(told.contains(&"woke_up") && told.contains(&"left_floor"), "{told:?}");
        assert_eq!(stage.velocity(), DVec2::Y);
        (0..40).for_each(|_| stage.world.step());
        assert_eq!((stage.place(), stage.hero().on_floor()), ((0.5, 7.5).into(), true));
    });
}

/// The hero pulls the crate at its right side, at x = 0. After the flip it rises past the crate's top at y = 1, where
/// their sides touch no longer.
#[test]
fn a_pull_ends_when_the_sides_touch_no_longer() {
    all_ways_to_flip(|way| {
        let character = Character { max_push_mass: 2.0, ..hero().character.unwrap() };
        let mut stage = stage(&hall(), way, hero().character(character), (-0.5, 0.5));
        let block = stage.world.spawn(crate_().at((0.5, 0.5))).unwrap();
        (0..4).for_each(|_| stage.step(0, false));
        stage.world.grab(stage.hero, block).unwrap();
        (0..4).for_each(|_| stage.step(0, false));
        assert!(stage.world.held_by(stage.hero).is_some());
        stage.world.set_up(stage.hero, FLIPPED).unwrap();
        let mut broken = 0;
        for _ in 0..40 {
            stage.step(0, false);
            broken += names(&stage.world, stage.hero).iter().filter(|name| **name == "grab_broken").count();
            let is_beside = stage.place().y < 1.5;
            assert!(is_beside || stage.world.held_by(stage.hero).is_none(), "held from {}", stage.place());
        }
        assert_eq!((broken, stage.place().y), (1, 7.5));
        assert_eq!(stage.world[block].position(), position(0.5, 0.5));
    });
}

/// A carried body is at an offset from its character, which the flip does not turn.
#[test]
fn a_carried_crate_stays_at_its_offset() {
    all_ways_to_flip(|way| {
        let mut stage = stage(&hall(), way, hero(), (0.5, 3.5));
        let load = stage.world.spawn(crate_().at((0.5, 4.5))).unwrap();
        stage.world.carry(stage.hero, load, DVec2::Y).unwrap();
        stage.step(0, false);
        stage.world.set_up(stage.hero, FLIPPED).unwrap();
        (0..4).for_each(|_| stage.step(0, false));
        assert_eq!(stage.world[load].position().to_dvec2() - stage.place(), DVec2::Y);
    });
}

/// The plank falls once the hero stands on it. Its fall is that of the same plank under a hero that does not flip.
#[test]
fn a_falling_platform_follows_the_gravity_of_the_world() {
    all_ways_of_one_up(|way| {
        let mut fallen: Vec<Vec<Position>> = Vec::new();
        for flips in [false, true] {
            let mut world = way.world(&hall(), Settings::default().gravity((0.0, -GRAVITY)).tick(1.0 / RATE));
            let plank = Platform::from_rows(world.map(), ["##"]).unwrap().at((0.0, 5.0));
            let fall = OnRide::Fall { delay: 0.0, respawn_time: None };
            let plank = world.spawn_platform(plank.on_ride(fall)).unwrap();
            let hero = world.spawn(hero().at((1.0, 6.5))).unwrap();
            let mut places = Vec::new();
            for tick in 0..24 {
                if tick == 12 && flips {
                    world.set_up(hero, FLIPPED).unwrap();
                }
                world.step();
                places.push(world.platform_at(plank));
            }
            let [plank, above] = [places[23], world[hero].position()].map(|at| at.to_dvec2().y);
            assert!(plank < 4.0, "it falls to {plank}");
            assert_eq!(above - plank > 2.0, flips, "the hero is at {above}, the plank at {plank}");
            fallen.push(places);
        }
        assert_eq!(fallen[0], fallen[1]);
    });
}

#[test]
fn a_move_by_code_does_not_turn() {
    all_ways_to_flip(|way| {
        let mut stage = stage(&hall(), way, Body::new(Shape::circle(0.25)).gravity_scale(0.0), (0.0, 4.0));
        stage.world.set_up(stage.hero, FLIPPED).unwrap();
        stage.world.move_by(stage.hero, DVec2::new(1.0, -2.0)).unwrap();
        stage.world.step();
        assert_eq!((stage.place(), stage.velocity()), ((1.0, 2.0).into(), DVec2::ZERO));
    });
}

fn mode(stage: &Stage) -> MotionMode {
    World::get(&stage.world, stage.hero).unwrap().mode()
}

/// The flip ends a dash, whose gravity was off: the next tick gains 1 tile per second upwards.
#[test]
fn a_flip_ends_a_dash() {
    all_ways_to_flip(|way| {
        let character = Character { dash_speed: 16.0, dash_time: 0.5, ..hero().character.unwrap() };
        let mut stage = stage(&hall(), way, hero().character(character), (-4.0, 4.0));
        let dash = Input { walk: 127, dash: true, ..Input::default() };
        (0..4).for_each(|_| stage.input(dash));
        assert_eq!((mode(&stage), stage.velocity()), (MotionMode::Dash, DVec2::new(16.0, 0.0)));
        stage.world.set_up(stage.hero, FLIPPED).unwrap();
        assert_eq!((mode(&stage), stage.velocity()), (MotionMode::Air, DVec2::new(16.0, 0.0)));
        stage.input(dash);
        assert_eq!((mode(&stage), stage.velocity().y), (MotionMode::Air, 1.0));
    });
}

/// On a ladder that is left without a button, the hero falls up.
#[test]
fn a_flip_ends_a_climb() {
    all_ways_to_flip(|way| {
        let character = Character { climb_speed: 2.0, ..hero().character.unwrap() };
        let mut stage = stage(&hall(), way, hero().character(character), (0.0, 4.0));
        let ladder = AreaShape::Aabb(Aabb::from_corners(DVec2::new(-1.0, 0.0), DVec2::new(1.0, 8.0)).unwrap());
        let effects = Effects { climbable: Some(true), ..Effects::default() };
        stage.world.spawn_area(Area { effects, ..Area::new(ladder) }).unwrap();
        (0..4).for_each(|_| stage.tick((0, 1), false));
        stage.step(0, false);
        assert_eq!((mode(&stage), stage.velocity()), (MotionMode::Climb, DVec2::ZERO));
        stage.world.set_up(stage.hero, FLIPPED).unwrap();
        assert_eq!(mode(&stage), MotionMode::Air);
        stage.step(0, false);
        assert_eq!((mode(&stage), stage.velocity()), (MotionMode::Air, DVec2::Y));
        assert!(names(&stage.world, stage.hero).contains(&"climb_ended"));
    });
}

/// The hero is in water before and after the flip: it swims on from the next tick, and nothing is reported.
#[test]
fn a_flip_in_water_lets_a_swimmer_swim_on() {
    all_ways_to_flip(|way| {
        let character = Character { swim_speed: 4.0, ..hero().character.unwrap() };
        let mut stage = stage(&hall(), way, hero().character(character), (0.0, 4.0));
        let pool = AreaShape::Aabb(Aabb::from_corners(DVec2::new(-6.0, 0.0), DVec2::new(6.0, 8.0)).unwrap());
        let effects = Effects { buoyancy: Some(1.0), ..Effects::default() };
        stage.world.spawn_area(Area { effects, ..Area::new(pool) }).unwrap();
        (0..8).for_each(|_| stage.step(127, false));
        assert_eq!(mode(&stage), MotionMode::Swim);
        stage.world.set_up(stage.hero, FLIPPED).unwrap();
        assert_eq!(mode(&stage), MotionMode::Air, "the swim has ended");
        stage.step(127, false);
        assert_eq!((mode(&stage), stage.velocity().y), (MotionMode::Swim, 0.0));
        // The flipped swimmer's up is down in the world.
        (0..8).for_each(|_| stage.tick((0, 1), false));
        assert!(stage.velocity().y < 0.0, "{}", stage.velocity());
    });
}

/// The hero hangs at the corner of the block at (1, 4). After the flip it lets go and falls up.
#[test]
fn a_flip_ends_a_ledge_hang() {
    all_ways_to_flip(|way| {
        let mut canvas = hall();
        canvas.blocks((1, 0), (3, 3));
        let character = Character { ledge_grab: 0.25, ledge_climb_time: 0.1, ..hero().character.unwrap() };
        let mut stage = stage(&canvas, way, hero().character(character), (0.5, 3.6));
        (0..16).for_each(|_| stage.tick((1, 0), false));
        assert_eq!((mode(&stage), stage.velocity()), (MotionMode::LedgeHang, DVec2::ZERO));
        stage.world.set_up(stage.hero, FLIPPED).unwrap();
        assert_eq!(mode(&stage), MotionMode::Air);
        stage.step(0, false);
        assert_eq!((mode(&stage), stage.velocity()), (MotionMode::Air, DVec2::Y));
        assert!(names(&stage.world, stage.hero).contains(&"ledge_hang_ended"));
    });
}

/// Replays, snapshots and checksums have the up of a body.
#[test]
fn a_flip_is_recorded_and_saved() {
    let mut world = World::new(map(&["###", "...", "...", "###"]), Settings::default());
    let mut recorder = Recorder::for_replay(&world, MapSource::Inline, 5).unwrap();
    let hero = world.spawn(hero().up(Up::MinusY).at((1.5, 1.5))).unwrap();
    for tick in 0..120 {
        if tick % 40 == 20 {
            let up = [Some(Up::PlusY), None, FLIPPED][tick / 40];
            world.set_up(hero, up).unwrap();
        }
        world.step();
        recorder.record_tick(&world).unwrap();
    }
    assert_eq!(world[hero].position(), position(1.5, 2.5));
    let replay = recorder.finish_replay(&world).unwrap();
    let text = replay.to_ron();
    assert!(text.contains(", up: MinusY),") && text.contains("SetUp(\"body_1\", PlusY)"), "{text}");
    assert!(text.contains("SetUp(\"body_1\", None)"), "{text}");
    let read = Replay::from_ron(&text).unwrap();
    assert_eq!(Playback::new(&read).run().unwrap().checksum, world.checksum());
    let mut other = World::new(world.map().clone(), world.settings());
    other.restore(&Snapshot::from_bytes(&world.capture().to_bytes()).unwrap()).unwrap();
    assert_eq!((other.checksum(), other[hero].up()), (world.checksum(), Up::MinusY));
    let before = world.checksum();
    world.set_up(hero, Up::PlusY).unwrap();
    assert_ne!(world.checksum(), before);
    assert!(world.set_up(BodyId::default(), None).is_err());
}

/// Runs a plan, and the plan with an up of its own for each body in the turned room. The world keeps its up and its
/// gravity.
fn own_up_difference(plan: &Plan, symmetry: Symmetry) -> Option<String> {
    let (mut world, mut ids) = plan.world(no_symmetry(), (0, 0));
    let flipped = plan.all_with_up(Up::PlusY, symmetry);
    let mut other = World::new(plan.map(symmetry, (0, 0)), plan.settings(no_symmetry()));
    let mut others = flipped.fill(&mut other, symmetry, (0, 0));
    for tick in 0..200 {
        plan.steer(&mut world, &mut ids, no_symmetry(), (0, 0));
        flipped.steer(&mut other, &mut others, symmetry, (0, 0));
        world.step();
        other.step();
        for (i, (id, here)) in others.iter().zip(&ids).enumerate() {
            // The touched sides stay the same: left and right do not turn with up.
            let expected = turned(current_moment(&world, *here), symmetry, (0, 0)).map(|(at, velocity, _, stuck)| {
                (
                    at,
                    velocity,
                    current_moment(&world, *here).map_or(Touching::default(), |(_, _, sides, _)| sides),
                    stuck,
                )
            });
            if current_moment(&other, *id) != expected {
                return Some(format!(
                    "tick {tick}: {}\nand {}",
                    describe_body(&world, &ids, i),
                    describe_body(&other, &others, i)
                ));
            }
        }
    }
    None
}

#[test]
fn rooms_in_which_every_body_is_flipped_give_the_mirrored_bits() {
    let flip = Symmetry(Placement::new(true, 2));
    assert_eq!(flip.up(Up::PlusY), Up::MinusY);
    for seed in seeds(24, 4001) {
        for symmetry in [flip, Symmetry(Placement::new(false, 1)), Symmetry(Placement::new(false, 3))] {
            let found = own_up_difference(&Plan::of_seed(seed), symmetry);
            assert_eq!(found, None, "seed {seed}, {symmetry:?}");
        }
    }
}

#[test]
fn bodies_with_different_ups_overlap_no_more_than_others() {
    let mut seen = Coverage::default();
    for seed in seeds(30, 6001) {
        let found = find_new_overlap(&Plan::of_seed(seed).with_ups(seed), &mut seen);
        assert!(found.is_none(), "seed {seed}, {}", found.unwrap());
    }
}

#[test]
fn bodies_with_different_ups_give_the_same_bits_mirrored_turned_and_shifted() {
    for seed in seeds(10, 6101) {
        let plan = Plan::of_seed(seed).with_ups(seed);
        for (symmetry, shift) in other_symmetries_and_shifts(seed) {
            let found = symmetry_difference(&plan, symmetry, shift, &mut Coverage::default());
            assert!(found.is_none(), "seed {seed}, {}", found.unwrap());
        }
    }
}

#[test]
fn bodies_with_different_ups_are_saved_and_restored() {
    for seed in seeds(4, 6201) {
        let found = restore_difference(&Plan::of_seed(seed).with_ups(seed));
        assert!(found.is_none(), "seed {seed}, {}", found.unwrap());
    }
}
