//! Time scale: slow bodies follow the same curves at their own pace, and their timers count their own ticks. Carries,
//! pushes and impacts are not affected.

use crate::body_laws::{assert_alike, brought_back, current_moment, no_symmetry, turned};
use crate::body_plans::{Plan, overlaps, pairs_that_overlap_more};
use crate::nudges::{body, jump, under};
use crate::platforms::{floor, rows, with_platform};
use crate::prelude::*;
use crate::table::Run;
use surefoot::body::MAX_SPEED;

fn hero() -> Shape {
    Shape::aabb(0.375, 0.5)
}

fn set_scale(world: &mut World, id: BodyId, scale: f64) {
    let to = world[id].body().clone().time_scale(scale);
    world.set_body(id, to).unwrap();
    assert_eq!(world[id].body().time_scale, scale);
}

fn is_near(one: DVec2, other: DVec2, near: f64) -> bool {
    (one - other).abs().max_element() < near
}

/// A world with one body in empty space.
fn in_the_air(body: Body, gravity: f64) -> (World, BodyId) {
    let mut world = World::new(map(&["."]), Settings::default().gravity((0.0, -gravity)));
    let id = world.spawn(body.at((0.0, 100.0))).unwrap();
    (world, id)
}

fn steps(world: &mut World, ticks: u32) {
    (0..ticks).for_each(|_| world.step());
}

/// 16 tiles/s under a gravity of 40 rise 3.2 tiles in 24 ticks; with `jump_time`, 4 tiles in 24. At a time scale of 1/2
/// or 1/3, the jump takes two or three times as many ticks.
#[test]
fn a_slow_jump_takes_longer_to_the_same_height() {
    all_ways(|way| {
        for (character, height) in [(Character::default(), 3.2), (jump(), 4.0)] {
            for (scale, ticks) in [(1.0, 24), (0.5, 48), (1.0 / 3.0, 72), (0.125, 192)] {
                let hero = body(hero(), character).time_scale(scale);
                let mut stage = Stage::new(&under(&[]), way, hero, (0.0, 0.5), 40.0);
                stage.step(0, false);
                let (mut top, mut after) = (0.0, 0);
                for tick in 1..300 {
                    stage.step(0, true);
                    if stage.place().y - 0.5 > top {
                        (top, after) = (stage.place().y - 0.5, tick);
                    }
                }
                assert!((top - height).abs() < 1e-3 && after == ticks, "{scale}: {top} after {after}");
            }
        }
    });
}

/// Heights of a held and of a released jump, for all presets: at half the time scale, every second tick has the height
/// of a full tick.
#[test]
fn heights_of_a_jump_are_the_same_at_half_the_time_scale() {
    all_ways(|way| {
        for character in [Character::precise(), Character::floaty(), Character::heavy(), Character::classic()] {
            for hang in [0.0, 2.0] {
                // At half the time scale, a turn within a tick falls into one of two half ticks: the top of a hang, and
                // the end of a fall.
                let character =
                    Character { apex_speed_threshold: hang, apex_gravity_scale: 0.5, max_fall_speed: 1e3, ..character };
                let near = if hang > 0.0 { 5e-3 } else { NEAR };
                let heights = |scale: f64, every: usize| -> Vec<f64> {
                    let hero = body(hero(), character).time_scale(scale);
                    let mut stage = Stage::new(&under(&[]), way, hero, (0.0, 0.5), 40.0);
                    stage.step(0, false);
                    let mut height = || {
                        stage.step(0, true);
                        stage.place().y
                    };
                    (0..40 * every).map(|_| height()).skip(every - 1).step_by(every).collect()
                };
                let (whole, half) = (heights(1.0, 1), heights(0.5, 2));
                // Compare until one of the two lands.
                let flown = whole.iter().zip(&half).take_while(|(a, b)| a.min(**b) > 0.6);
                assert!(flown.clone().count() > 15);
                for (tick, (a, b)) in flown.enumerate() {
                    assert!((a - b).abs() < near, "{character:?} {tick}: {a} and {b}");
                }
            }
        }
    });
}

/// From rest at 60 to 8 tiles/s takes 8 ticks and 8/15 of a tile, then 2/15 per tick. Braking by 80 takes 6 ticks and
/// 6/15. At half the time scale, the same distances take 16 ticks, 1/15 per tick, and 12 ticks.
#[test]
fn a_slow_walk_moves_half_as_far_in_a_tick() {
    all_ways(|way| {
        for (scale, often) in [(1.0, 1), (0.5, 2)] {
            let hero = body(hero(), Character::default()).time_scale(scale);
            let mut stage = Stage::new(&under(&[]), way, hero, (-7.0, 0.5), 40.0);
            stage.step(0, false);
            let mut goes = |walk, ticks: u32| {
                let before = stage.place().x;
                (0..ticks).for_each(|_| stage.step(walk, false));
                (stage.place().x - before, stage.velocity().x)
            };
            let near = |found: (f64, f64), way: f64, speed: f64| {
                assert!((found.0 - way).abs() < NEAR && (found.1 - speed).abs() < NEAR, "{scale}: {found:?}");
            };
            near(goes(127, 8 * often), 8.0 / 15.0, 8.0);
            near(goes(127, 30), 30.0 * scale * 2.0 / 15.0, 8.0);
            near(goes(0, 6 * often), 6.0 / 15.0, 0.0);
        }
    });
}

/// A second of the world is half a second for the body: 1.5 to the right, and 6 / 2 - 20 / 4 = -2 down. Its vertical
/// velocity is then 6 - 40 / 2 = -14.
#[test]
fn a_slow_thrown_body_follows_the_same_path() {
    for thrown in
        [Body::new(Shape::circle(0.25)), body(hero(), Character { max_fall_speed: 1e3, ..Character::default() })]
    {
        let of = |scale: f64| in_the_air(thrown.clone().velocity((3.0, 6.0)).time_scale(scale), 40.0);
        let (mut slow, id) = of(0.5);
        assert_eq!(slow[id].velocity().to_array(), [3.0, 6.0]);
        steps(&mut slow, 60);
        assert!(is_near(slow[id].position().to_dvec2(), DVec2::new(1.5, 98.0), NEAR), "{:?}", slow[id]);
        assert!(is_near(slow[id].velocity(), DVec2::new(3.0, -14.0), NEAR), "{:?}", slow[id]);
        for (scale, often) in [(0.5, 2), (0.25, 4), (1.0 / 3.0, 3)] {
            let ((mut whole, one), (mut slow, other)) = (of(1.0), of(scale));
            for tick in 0..90 {
                whole.step();
                steps(&mut slow, often);
                let (one, other) = (&whole[one], &slow[other]);
                let both = [one, other].map(|state| state.position().to_dvec2());
                assert!(is_near(both[0], both[1], NEAR), "{scale} {tick}: {both:?}");
                assert!(is_near(one.velocity(), other.velocity(), NEAR));
            }
        }
    }
}

/// At half the time scale, a quarter of a gravity of 10^9 tiles/s^2 acts. From 9 * 10^8 of the body's seconds, it takes
/// 12 ticks to the limit.
#[test]
fn a_slow_velocity_stays_within_the_limit() {
    let body = Body::new(Shape::circle(0.25)).velocity((0.0, -9e8)).gravity_scale(1e3).time_scale(0.5);
    let mut world = World::new(map(&["."]), Settings::default().gravity((0.0, -1e6)));
    let id = world.spawn(body.at((0.0, 1e8))).unwrap();
    for tick in 1..30 {
        world.step();
        let velocity = world[id].velocity();
        let expected = (9e8 + 5e8 * f64::from(tick) * TICK).min(MAX_SPEED);
        assert!((velocity.y + expected).abs() < 1.0 && world[id].relative_velocity() == velocity, "{tick}: {velocity}");
        // A command takes every velocity that the world reports.
        world.set_velocity(id, velocity).unwrap();
    }
}

/// Bounces, slides and rests also take twice as many ticks.
#[test]
fn a_ball_bounces_and_a_crate_slides_as_far() {
    let ends = |thrown: Body, scale: f64| {
        let floor = under(&[]).map(no_symmetry());
        let mut world = World::new(floor, Settings::default());
        let id = world.spawn(thrown.time_scale(scale)).unwrap();
        steps(&mut world, (120.0 / scale) as u32);
        world[id].position().to_dvec2()
    };
    let ball = Body::new(Shape::circle(0.25)).at((-4.0, 2.25)).velocity((1.0, 0.0)).bounce(0.5);
    // A friction of 0.5 under a gravity of 40 brakes the crate from 3 tiles per second to rest within 9 / 40 of a tile.
    let crate_ = Body::new(hero()).at((-4.0, 0.5)).velocity((3.0, 0.0)).friction(0.5).rest_speed_threshold(0.0);
    assert!((ends(crate_.clone(), 1.0).x + 4.0 - 0.225).abs() < 1e-6);
    for scale in [0.5, 0.25] {
        let [one, other] = [1.0, scale].map(|scale| ends(ball.clone(), scale));
        assert!(is_near(one, other, 0.02) && one.x > -3.0, "{one} {other}");
        let end = ends(crate_.clone(), scale).x;
        assert!((end + 4.0 - 0.225).abs() < 1e-6, "{end}");
    }
}

/// A wind of 6 tiles/s² for two seconds of the body's own time: 12 tiles and 12 tiles/s. Then drag.
#[test]
fn areas_act_in_the_own_time_of_a_body() {
    for (scale, near) in [(1.0, 1e-4), (0.5, 1e-4)] {
        let (mut world, id) = in_the_air(Body::new(Shape::circle(0.25)).time_scale(scale), 0.0);
        let everywhere = AreaShape::aabb(100.0, 100.0).unwrap();
        let wind = Effects { wind: Some(DVec2::new(6.0, 0.0)), ..Effects::default() };
        world.spawn_area(Area::new(everywhere).at((0.0, 100.0)).effects(wind)).unwrap();
        // The body is in the area from the first tick on.
        world.step();
        let begin = (world[id].position().to_dvec2().x, world[id].velocity().x);
        assert_eq!(begin, (0.0, 0.0));
        steps(&mut world, (120.0 / scale) as u32);
        assert!((world[id].position().to_dvec2().x - 12.0).abs() < near, "{:?}", world[id]);
        assert!((world[id].velocity().x - 12.0).abs() < near, "{:?}", world[id]);
    }
    // Drag slows the body by a factor 1 / (1 + 3 / 120) in each tick of half the length.
    let (mut world, id) = in_the_air(Body::new(Shape::circle(0.25)).time_scale(0.5).velocity((8.0, 0.0)), 0.0);
    let drag = Effects { drag: Some(3.0), ..Effects::default() };
    let everywhere = AreaShape::aabb(100.0, 100.0).unwrap();
    world.spawn_area(Area::new(everywhere).at((0.0, 100.0)).effects(drag)).unwrap();
    steps(&mut world, 11);
    let expected = (0..10).fold(8.0, |speed: f64, _| speed / (1.0 + 3.0 / 120.0));
    assert!((world[id].velocity().x - expected).abs() < NEAR, "{:?}", world[id]);
}

/// At a time scale of 0, a body stays in the air and keeps its velocity. Afterwards it continues.
#[test]
fn at_time_scale_0_a_body_stays_in_place() {
    for thrown in
        [Body::new(Shape::circle(0.25)), body(hero(), Character::default()).collision_mask(CollisionLayers::ALL)]
    {
        let (mut world, id) = in_the_air(thrown.clone().velocity((3.0, -2.0)), 40.0);
        let (mut other, same) = in_the_air(thrown.velocity((3.0, -2.0)), 40.0);
        for world in [&mut world, &mut other] {
            steps(world, 5);
        }
        set_scale(&mut world, id, 0.0);
        for _ in 0..60 {
            world.set_input(id, Input { jump: true, ..Input::walk(1.0) });
            world.step();
            assert_eq!((world[id].position(), world[id].velocity()), (other[same].position(), other[same].velocity()));
        }
        world.set_input(id, Input::default());
        set_scale(&mut world, id, 1.0);
        for _ in 0..30 {
            world.step();
            other.step();
            assert_eq!((world[id].position(), world[id].velocity()), (other[same].position(), other[same].velocity()));
        }
    }
}

/// A lift at 3 tiles/s carries a body by 1/20 of a tile per tick, and a wall pushes a body as far, at any time scale.
#[test]
fn platforms_carry_and_push_in_full() {
    for scale in [1.0, 0.5, 0.1, 0.0] {
        for kind in [Body::new(hero()).friction(0.5), body(hero(), Character::default())] {
            for mask in [CollisionLayers::NONE, CollisionLayers::ALL] {
                let map = floor();
                let lift = rows(&map, &["##"], 20.0, 20.0).path(along(0.0, 8.0, 3.0));
                let wall = rows(&map, &["#"], 40.0, 20.0).path(along(8.0, 0.0, 3.0));
                let mut world = World::new(map, Settings::default());
                world.spawn_platform(lift).unwrap();
                world.spawn_platform(wall).unwrap();
                let kind = kind.clone().collision_mask(mask).time_scale(scale);
                let rider = world.spawn(kind.clone().at((21.0, 21.5))).unwrap();
                let floats = world.spawn(kind.gravity_scale(0.0).at((41.375, 20.5))).unwrap();
                for tick in 1..=100 {
                    world.step();
                    let way = f64::from(tick) / 20.0;
                    let [carried, pushed] = [rider, floats].map(|id| world[id].position().to_dvec2());
                    let what = format!("{scale} {tick}: {carried} and {pushed}");
                    assert!(is_near(carried, DVec2::new(21.0, 21.5 + way), NEAR), "{what}");
                    assert!(is_near(pushed, DVec2::new(41.375 + way, 20.5), NEAR), "{what}");
                }
            }
        }
    }
}

/// On a platform at 2 tiles/s, a walk of 8 at half the time scale moves 2 / 60 + 4 / 60 per tick, and a jump inherits
/// the 2.
#[test]
fn a_slow_walk_adds_to_the_motion_of_a_platform() {
    let (mut world, _) =
        with_platform(&["################"], (20.0, 20.0), |platform| platform.path(along(60.0, 0.0, 2.0)));
    let id = world.spawn(body(hero(), Character::default()).at((21.0, 21.5)).time_scale(0.5)).unwrap();
    let goes = |world: &mut World, input: Input| {
        world.set_input(id, input);
        let before = world[id].position().to_dvec2().x;
        world.step();
        world[id].position().to_dvec2().x - before
    };
    world.step();
    assert!((goes(&mut world, Input::default()) - 2.0 / 60.0).abs() < NEAR);
    let [own, all] = [world[id].relative_velocity().x, world[id].velocity().x];
    assert!(own == 0.0 && (all - 4.0).abs() < NEAR, "2 in the world are 4 of its own: {own} {all}");
    (0..40).for_each(|_| {
        goes(&mut world, Input::walk(1.0));
    });
    assert!((goes(&mut world, Input::walk(1.0)) - 0.1).abs() < NEAR);
    assert!((world[id].relative_velocity().x - 8.0).abs() < NEAR);
    (0..40).for_each(|_| {
        goes(&mut world, Input::default());
    });
    (0..30).for_each(|_| {
        let way = goes(&mut world, Input { jump: true, ..Input::default() });
        assert!((way - 2.0 / 60.0).abs() < NEAR && !world[id].on_floor());
    });
}

/// A character pushes a crate equally far, whatever the crate's time scale.
#[test]
fn a_push_counts_in_full() {
    all_ways(|way| {
        let ends = |scale: f64| {
            let pusher = body(hero(), Character { max_push_mass: 2.0, ..Character::default() })
                .collision_mask(CollisionLayers::ALL);
            let mut stage = Stage::new(&under(&[]), way, pusher, (-5.0, 0.5), 40.0);
            let crate_ =
                Body::new(hero()).at((-3.0, 0.5)).friction(0.6).collision_mask(CollisionLayers::ALL).time_scale(scale);
            let crate_ = stage.world.spawn(crate_).unwrap();
            (0..60).for_each(|_| stage.step(127, false));
            stage.world[crate_].position().to_dvec2().x
        };
        assert!(ends(1.0) > 0.0);
        for scale in [0.5, 0.1] {
            assert!((ends(1.0) - ends(scale)).abs() < NEAR, "{} {}", ends(1.0), ends(scale));
        }
    });
}

fn bouncy_ball(x: f64) -> Body {
    Body::new(Shape::circle(0.25)).at((x, 100.0)).bounce(0.5).collision_mask(CollisionLayers::ALL)
}

/// A ball of mass 1 at 4 tiles/s hits a ball of mass 2 at -2 of its own time, at half the time scale: -1 in the world.
/// In the frame of their mean velocity, (4 - 2) / 3, they separate with half of the approach speed of 5: -1 and 3 / 2.
/// The latter is 3 in its own time.
#[test]
fn an_impact_keeps_the_momentum_measured_in_the_worlds_time() {
    all_ways(|way| {
        let mut world = way.world(map(&["."]), Settings::default().gravity((0.0, 0.0)));
        let one = world.spawn(bouncy_ball(0.0).velocity((4.0, 0.0))).unwrap();
        let other = world.spawn(bouncy_ball(2.0).mass(2.0).time_scale(0.5).velocity((-2.0, 0.0))).unwrap();
        let speeds = |world: &Run| [one, other].map(|id| world[id].velocity().x);
        (0..10).for_each(|_| world.step());
        assert_eq!(speeds(&world), [4.0, -2.0]);
        (0..20).for_each(|_| world.step());
        let [a, b] = speeds(&world);
        assert!((a + 1.0).abs() < 1e-9 && (b - 3.0).abs() < 1e-9, "{a} {b}");
        assert!((a + 2.0 * b * 0.5 - 2.0).abs() < 1e-9);
    });
}

/// A body at time scale 0 stops others as the map does, and keeps its own velocity.
#[test]
fn at_an_impact_a_body_at_time_scale_0_acts_as_the_map() {
    let mut world = World::new(map(&["."]), Settings::default().gravity((0.0, 0.0)));
    let one = world.spawn(bouncy_ball(0.0).velocity((4.0, 0.0))).unwrap();
    let other = world.spawn(bouncy_ball(2.0).velocity((-2.0, 0.0)).time_scale(0.0)).unwrap();
    steps(&mut world, 60);
    assert_eq!([one, other].map(|id| world[id].velocity().x), [-2.0, -2.0]);
    assert_eq!(world[other].position(), position(2.0, 100.0));
}

/// A thrower at 3 tiles/s in the world, 6 in its own time, throws with 4 of its own time on top: 5 in the world.
#[test]
fn a_thrown_body_has_the_velocity_of_the_thrower_and_its_own() {
    let (mut world, by) = in_the_air(body(hero(), Character::default()).velocity((3.0, 0.0)), 0.0);
    let ball = world.spawn(Body::new(Shape::circle(0.25)).at((0.0, 101.0)).time_scale(0.5)).unwrap();
    world.carry(by, ball, (0.0, 1.0)).unwrap();
    steps(&mut world, 10);
    assert_eq!(world[ball].velocity().to_array(), [6.0, 0.0]);
    let from = world[ball].position().to_dvec2();
    world.release(ball, (4.0, 0.0)).unwrap();
    assert_eq!(world[ball].velocity().to_array(), [10.0, 0.0]);
    steps(&mut world, 60);
    assert!(is_near(world[ball].position().to_dvec2(), from + DVec2::new(5.0, 0.0), NEAR));
}

/// Walks until a tick ends in the air: the next tick is the first that starts there.
fn walks_off(stage: &mut Stage) {
    loop {
        stage.step(127, false);
        if !stage.hero().on_floor() {
            return;
        }
    }
}

/// Returns the last tick after the edge at 8 in which a press still jumps.
fn last_late_press(way: &Way, scale: f64) -> u32 {
    let late = |after: u32| {
        let character = Character { coyote_time: 4.0 * TICK, ..jump() };
        let mut stage = Stage::new(&under(&[]), way, body(hero(), character).time_scale(scale), (6.0, 0.5), 40.0);
        walks_off(&mut stage);
        (1..after).for_each(|_| stage.step(127, false));
        stage.step(127, true);
        stage.velocity().y > 0.0
    };
    let all: Vec<bool> = (1..40).map(late).collect();
    let count = all.iter().take_while(|late| **late).count();
    assert!(all[count..].iter().all(|late| !late), "{all:?}");
    count as u32
}

#[test]
fn coyote_time_counts_own_ticks() {
    all_ways_of([(1.0, 4), (0.5, 8), (0.25, 16)], |way, (scale, ticks)| assert_eq!(last_late_press(way, scale), ticks));
}

/// Returns how many ticks before the landing a press already jumps.
fn first_early_press(way: &Way, scale: f64) -> u32 {
    let stage = || {
        let character = Character { jump_buffer: 5.0 * TICK, ..jump() };
        Stage::new(&under(&[]), way, body(hero(), character).time_scale(scale), (0.0, 3.5), 40.0)
    };
    let mut falls = stage();
    let mut lands = 0;
    while !falls.world[falls.hero].on_floor() {
        falls.step(0, false);
        lands += 1;
    }
    // The press is `before` ticks early: after `lands` ticks the hero is on the ground.
    let early = |before: u32| {
        let mut stage = stage();
        (0..lands - before).for_each(|_| stage.step(0, false));
        stage.step(0, true);
        (0..before).for_each(|_| stage.step(0, false));
        stage.velocity().y > 0.0
    };
    let all: Vec<bool> = (0..22).map(early).collect();
    let count = all.iter().take_while(|early| **early).count();
    assert!(all[count..].iter().all(|early| !early), "{all:?}");
    count as u32 - 1
}

#[test]
fn the_jump_buffer_counts_own_ticks() {
    all_ways_of([(1.0, 5), (0.5, 10), (0.25, 20)], |way, (scale, ticks)| {
        assert_eq!(first_early_press(way, scale), ticks)
    });
}

/// 12 tiles/s for 6 ticks of its own time are 1.2 tiles. Half of the speed is left.
#[test]
fn a_slow_dash_goes_as_far() {
    for (scale, ticks) in [(1.0, 6), (0.5, 12), (0.25, 24)] {
        let character = Character {
            dash_speed: 12.0,
            dash_time: 6.0 * TICK,
            dash_end_speed_scale: 0.5,
            air_braking: 0.0,
            ..jump()
        };
        let (mut world, id) = in_the_air(body(hero(), character).time_scale(scale), 0.0);
        world
            .set_body(
                id,
                Body { character: Some(Character { jump_time: 0.0, ..character }), ..world[id].body().clone() },
            )
            .unwrap();
        world.set_input(id, Input { dash: true, ..Input::walk(1.0) });
        for tick in 1..=ticks {
            world.step();
            let way = world[id].position().to_dvec2().x;
            assert!(
                (way - 0.2 * scale * f64::from(tick)).abs() < NEAR && world[id].velocity().x == 12.0,
                "{scale} {tick}"
            );
        }
        world.set_input(id, Input::default());
        world.step();
        assert!((world[id].velocity().x - 6.0).abs() < NEAR, "{scale} {:?}", world[id]);
    }
}

/// A knockback of 12 ticks of its own time goes as far, and ignores input as long.
#[test]
fn a_knockback_counts_own_ticks() {
    for (scale, ticks) in [(1.0, 12), (0.5, 24), (0.25, 48)] {
        let character = Character { air_acceleration: 30.0, ..Character::default() };
        let (mut world, id) = in_the_air(body(hero(), character).time_scale(scale), 0.0);
        world.set_input(id, Input::walk(1.0));
        world.knockback(id, (-3.0, 2.0), 12).unwrap();
        assert_eq!(world.input_lock_left(id), ticks);
        steps(&mut world, ticks);
        let at = world[id].position().to_dvec2() - DVec2::new(0.0, 100.0);
        assert!(is_near(at, DVec2::new(-0.6, 0.4), NEAR), "{scale}: {at}");
        world.step();
        assert!((world[id].velocity().x + 3.0 - 30.0 * TICK * scale).abs() < NEAR);
    }
    // At time scale 0, none of the ticks passes.
    let (mut world, id) = in_the_air(body(hero(), Character::default()).time_scale(0.5), 0.0);
    world.knockback(id, (-3.0, 2.0), 12).unwrap();
    steps(&mut world, 4);
    set_scale(&mut world, id, 0.0);
    steps(&mut world, 100);
    assert_eq!(world.input_lock_left(id), 10, "of its own");
    set_scale(&mut world, id, 0.25);
    assert_eq!(world.input_lock_left(id), 40);
}

/// A pull-up takes the same number of ticks of its own time.
#[test]
fn a_pull_up_counts_own_ticks() {
    all_ways(|way| {
        for (scale, ticks) in [(1.0, 20), (0.5, 40)] {
            let character = Character { ledge_grab: 0.25, ledge_climb_time: 20.0 * TICK, ..jump() };
            let ledge = under(&[((2, 0), (5, 3))]);
            let mut stage = Stage::new(&ledge, way, body(hero(), character).time_scale(scale), (1.625, 4.2), 40.0);
            (0..40).for_each(|_| stage.step(127, false));
            assert!(stage.hero().is_hanging());
            let mut made = 0;
            while stage.place().x < 2.0 {
                let held = Input { up: made == 0, ..Input::default() };
                stage.input(held);
                made += 1;
                assert!(made <= 100, "{:?}", stage.world[stage.hero]);
            }
            assert_eq!(made, ticks, "{scale}");
            assert!(is_near(stage.place(), DVec2::new(2.0, 4.5), NEAR), "{}", stage.place());
        }
    });
}

/// The curve stays the same if the time scale changes on the way: 10 ticks, then 20 at half the scale, 7 at zero, and
/// on.
#[test]
fn a_change_on_the_way_keeps_the_curve() {
    for thrown in [Body::new(Shape::circle(0.25)), body(hero(), jump())] {
        let thrown = thrown.velocity((3.0, 6.0));
        let ((mut whole, one), (mut slow, other)) = (in_the_air(thrown.clone(), 40.0), in_the_air(thrown, 40.0));
        for (scale, ticks, of_its_own) in [(1.0, 10, 10), (0.5, 20, 10), (0.0, 7, 0), (0.25, 8, 2), (1.0, 10, 10)] {
            let before = slow[other].velocity();
            set_scale(&mut slow, other, scale);
            assert!(is_near(slow[other].velocity(), before, 1e-12));
            steps(&mut slow, ticks);
            steps(&mut whole, of_its_own);
            let (one, other) = (&whole[one], &slow[other]);
            assert!(is_near(one.position().to_dvec2(), other.position().to_dvec2(), NEAR), "{scale}");
            assert!(is_near(one.velocity(), other.velocity(), NEAR), "{scale}");
        }
    }
}

/// Of 4 coyote ticks, 2 have passed when the time scale changes. A press in the last remaining tick jumps, one tick
/// later it does not. The same for a jump buffer with 3 of 5 ticks left, and for a dash with 4 of 6.
#[test]
fn the_rest_of_a_timer_continues_at_the_new_time_scale() {
    all_ways(|way| {
        for (scale, left) in [(0.5, 4), (0.25, 8), (1.0, 2)] {
            for (more, jumps) in [(left, true), (left + 1, false)] {
                let character = Character { coyote_time: 4.0 * TICK, ..jump() };
                let mut stage = Stage::new(&under(&[]), way, body(hero(), character), (6.0, 0.5), 40.0);
                walks_off(&mut stage);
                (0..2).for_each(|_| stage.step(127, false));
                stage.set_time_scale(scale);
                (1..more).for_each(|_| stage.step(127, false));
                stage.step(127, true);
                assert_eq!(stage.velocity().y > 0.0, jumps, "{scale} {more}");
            }
            let character = Character { dash_speed: 12.0, dash_time: 6.0 * TICK, ..Character::default() };
            let (mut world, id) = in_the_air(body(hero(), character), 0.0);
            world.set_input(id, Input { dash: true, ..Input::walk(1.0) });
            steps(&mut world, 2);
            set_scale(&mut world, id, scale);
            steps(&mut world, 2 * left);
            assert!((world[id].position().to_dvec2().x - 1.2).abs() < NEAR, "{scale}: {:?}", world[id]);
            world.step();
            assert!((world[id].position().to_dvec2().x - 1.2).abs() < 0.02 * scale, "{scale}: {:?}", world[id]);
        }
        // In a world younger than the coyote time, no late jump is possible.
        let character = Character { coyote_time: 3.0 * TICK, ..jump() };
        let mut stage = Stage::new(&under(&[]), way, body(hero(), character), (8.3, 0.5), 40.0);
        walks_off(&mut stage);
        (0..6).for_each(|_| stage.step(127, false));
        assert!(stage.world.tick() < 20);
        stage.set_time_scale(0.01);
        stage.step(127, true);
        assert!(stage.velocity().y < 0.0);
    });
}

#[test]
fn a_time_scale_out_of_range_is_refused() {
    let (mut world, id) = in_the_air(Body::new(hero()), 0.0);
    for (scale, told) in [(1.5, "1.5"), (-0.25, "-0.25"), (f64::NAN, "NaN")] {
        let refused = world.set_body(id, Body::new(hero()).time_scale(scale)).unwrap_err().to_string();
        assert_eq!(refused, format!("`time_scale` is {told}; expected 0 to 1"));
        assert!(world.spawn(Body::new(hero()).time_scale(scale)).is_err());
    }
    assert_eq!(world[id].body().time_scale, 1.0);
}

/// A run with changing time scales is recorded, and played from its text and its log. The default time scale does not
/// change any checksum.
#[test]
fn the_time_scale_is_recorded_and_hashed() {
    let floor = || Map::from_rows(["@.......", "........", "========"]).unwrap();
    let mut world = World::new(floor(), Settings::default());
    let id =
        world.spawn(body(hero(), Character { coyote_time: 0.1, ..jump() }).at((1.5, 1.5)).time_scale(0.5)).unwrap();
    let mut recorder = Recorder::for_replay(&world, MapSource::Inline, 10).unwrap();
    for tick in 0..120 {
        if tick % 20 == 10 {
            set_scale(&mut world, id, [0.25, 0.0, 1.0, 0.75][tick / 20 % 4]);
        }
        world.set_input(id, Input { jump: tick % 30 < 5, ..Input::walk(0.5) });
        world.step();
        recorder.record_tick(&world).unwrap();
    }
    let replay = recorder.finish_replay(&world).unwrap();
    let text = replay.to_ron();
    assert!(
        text.contains("time_scale: 0.5") && text.contains("SetBody(") && text.contains("time_scale: 0.0"),
        "{text}"
    );
    let again = Replay::from_ron(&text).unwrap();
    let summary = Playback::new(&again).run().unwrap();
    assert_eq!(summary.checksum, world.checksum());
    let twin = |scale: Option<f64>| {
        let (mut world, id) = in_the_air(Body::new(hero()), 40.0);
        scale.into_iter().for_each(|scale| set_scale(&mut world, id, scale));
        world.step();
        world.checksum()
    };
    assert_eq!(twin(None), twin(Some(1.0)));
    assert_ne!(twin(None), twin(Some(0.0)));
}

/// Plans of colliding bodies. Some have a time scale below 1, which changes.
fn plans(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (u64, Plan)> {
    seeds.map(|seed| (seed, Plan::of_seed(seed).in_slow_time(seed)))
}

#[test]
fn no_tick_makes_slow_bodies_overlap() {
    for (seed, plan) in plans(5001..5001 + u64::from(often(25, 60))) {
        let (mut world, mut ids) = plan.world(no_symmetry(), (0, 0));
        for tick in 0..200 {
            plan.steer(&mut world, &mut ids, no_symmetry(), (0, 0));
            let (before, earlier) = (overlaps(&world, &ids), world.clone());
            world.step();
            let after = overlaps(&world, &ids);
            assert!(after.iter().all(|pair| before.contains(pair)), "seed {seed} tick {tick}: {after:?} {before:?}");
            assert_eq!(pairs_that_overlap_more(&earlier, &world, &ids), [], "seed {seed} tick {tick}");
            assert!(world.bodies().all(|(_, state)| state.velocity().is_finite()), "seed {seed} tick {tick}");
        }
    }
}

#[test]
fn slow_bodies_give_the_same_bits_mirrored_turned_and_restored() {
    for (seed, plan) in plans(5101..5101 + u64::from(often(4, 12))) {
        let (mut world, mut ids) = plan.world(no_symmetry(), (0, 0));
        let (mut back, mut back_ids) = plan.world(no_symmetry(), (0, 0));
        let mut others: Vec<_> =
            Symmetry::all().map(|symmetry| (symmetry, plan.world(symmetry, (-37, 4097)))).collect();
        for tick in 0..200 {
            plan.steer(&mut world, &mut ids, no_symmetry(), (0, 0));
            world.step();
            plan.steer(&mut back, &mut back_ids, no_symmetry(), (0, 0));
            back.step();
            assert_alike(&world, &back, &ids, &format!("seed {seed} tick {tick}"));
            back = brought_back(back, tick);
            for (symmetry, (other, others)) in &mut others {
                plan.steer(other, others, *symmetry, (-37, 4097));
                other.step();
                for (id, here) in others.iter().zip(&ids) {
                    let expected = turned(current_moment(&world, *here), *symmetry, (-37, 4097));
                    assert_eq!(current_moment(other, *id), expected, "seed {seed} tick {tick} {symmetry:?}");
                }
            }
        }
    }
}
