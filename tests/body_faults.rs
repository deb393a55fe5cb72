//! Regression tests: faults of a first version of body collisions. The table names the test that fails if a fault comes
//! back, in this file or elsewhere.
//!
//! | # | fault | test |
//! |---|---|---|
//! | 1 | lost motion: a body advanced in time blocks a body that has passed before it | `paths_that_cross_at_different_times_do_not_collide`, `four_circling_balls_pass_each_other_and_hit_others` |
//! | 2 | a body waits for the partner of its impact as if that were an obstacle | as 1: the tests compare the exact impacts |
//! | 3 | two bodies that wait for each other stop | `four_circling_balls_pass_each_other_and_hit_others`: each ball passes the later position of the next one |
//! | 4 | a tower keeps gaps of some units | `bodies::a_crate_that_falls_on_a_crate_stands_on_it_to_the_unit`, `bodies::a_pyramid_that_is_let_fall_stands` |
//! | 5 | a circle on flush crates hovers by some units | `bodies::a_crate_slides_over_the_seams_of_a_row`, `bodies::crates_in_a_pit_are_walked_over_at_full_speed` |
//! | 6 | a crate that is a few units higher stops a walker for ever | `bodies::crates_in_a_pit_are_walked_over_at_full_speed` |
//! | 7 | a sleeping body counts as fixed in every direction: a row does not pass on impacts | `bodies::a_ball_on_a_row_of_balls_sends_off_the_last_one`, `body_events::impacts_and_commands_wake_bodies` |
//! | 8 | a body on a falling crate hangs in the air | `a_body_on_a_falling_crate_falls_with_it`, `a_body_that_slides_on_a_falling_crate_is_not_braked` |
//! | 9 | a slow push throws a nearly wedged ball away | `a_push_does_not_throw_a_ball_that_is_nearly_wedged` |
//! | 10 | the floor still holds a body that leaves it: speeds grow without limit | `a_floor_does_not_hold_a_body_that_leaves_it`, `bouncing_bodies_in_a_room_gain_no_energy` |
//! | 11 | a ball between a walker and a wall gets faster without limit | `bodies::a_ball_between_a_walker_and_a_wall_gets_no_faster` |
//! | 12 | a refused push throws the crate | `bodies::a_character_without_push_mass_and_one_at_too_heavy_a_crate_stop_at_it`, `body_events::a_refused_push_sends_an_event_and_an_accepted_one_does_not` |
//! | 13 | a body on a pushed crate slides on when the crate stops | `a_body_on_a_pushed_crate_stops_with_it` |
//! | 14 | a character on a pushed crate is left behind | `bodies::a_character_on_a_crate_on_a_pushed_crate_comes_along` |
//! | 15 | a rest speed below one tick of gravity: no body falls asleep | `body_laws::a_pile_falls_asleep`, `body_events::a_crate_falls_asleep_once_and_a_push_wakes_it` |
//! | 16 | piles tremble: a body without impacts left keeps its velocity | `body_laws::a_pile_falls_asleep`, `a_body_without_impacts_left_moves_on` |
//! | 17 | an endless tick: the support of a body without impacts left still moves it | `a_body_without_impacts_left_moves_on` |
//! | 18 | the mobility of a ball is computed through round contacts, in a time that doubles with each row | `a_rack_of_balls_is_broken_in_time` |
//! | 19 | bodies wedged from the sides never fall asleep | `body_laws::a_pile_falls_asleep` |
//! | 20 | the order of cells decides the order of candidates: mirrored and shifted scenes differ | `body_laws::mirrored_turned_and_shifted_bodies_give_the_same_bits` |
//! | 21 | x comes before y at an exact corner: turned scenes differ | `corner_to_corner_the_face_along_up_is_hit` |
//! | 22 | bodies above a removed crate hang in the air | `body_events::removing_a_body_wakes_all_bodies_above_it`, `bodies::a_tower_that_loses_a_crate_comes_down_by_its_height` |
//! | 23 | rows keep two units of gap | `bodies::a_character_pushes_a_row_up_to_its_limit`, `bodies::a_row_that_a_character_pushes_ends_at_a_wall` |
//! | 24 | unsaved state affects results: ties by stamps, pushers of the last tick | `body_laws::a_settling_pile_restored_in_every_tick_continues_alike`, `body_laws::bodies_saved_and_restored_in_every_tick_continue_alike` |
//! | 25 | the order of spawning decides which of two colliding bodies counts as the moving one | `bodies::the_order_in_which_bodies_are_spawned_does_not_show` |
//! | 26 | an overlap, because a recursion moved the body after its position was read | no recursion moves bodies any longer; `body_laws::no_tick_makes_bodies_overlap` finds any overlap |
//! | 27 | impulses of bounces are kept for the next tick and add energy | impulses are no longer kept; `bouncing_bodies_in_a_room_gain_no_energy`, `body_laws::free_impacts_keep_momentum_and_add_no_energy` |
//! | 28 | a character hangs in the air between a wall and a crate that it walks against | `a_character_falls_between_a_wall_and_a_wedged_crate` |

use crate::bodies::{
    GRAVITY, LEFT, RIGHT, ROUNDING, TICK, ball_at, colliding, crate_at, falling, floating, hero_at, positions, spawn,
};
use crate::scene::{Canvas, I64Vec2, ONE, Random, map, position};
use crate::symmetry::Symmetry;
use crate::table::{all_ways_of, pairs};
use surefoot::geometry::DVec2;
use surefoot::prelude::*;
use surefoot::{Input, World};

#[track_caller]
fn assert_near(found: DVec2, expected: (f64, f64), tolerance: f64, what: &str) {
    let error = (found - DVec2::from(expected)).abs().max_element();
    assert!(error <= tolerance, "{what}: {found} is {error:e} from {expected:?}");
}

/// Twice the kinetic energy of bodies of mass 1.
fn energy(world: &World, ids: &[BodyId]) -> f64 {
    ids.iter().map(|id| world[*id].velocity().length_squared()).sum()
}

fn offset(world: &World, body: BodyId, other: BodyId) -> I64Vec2 {
    world[body].position().units() - world[other].position().units()
}

/// All bodies move two tiles per tick. A passes x = 0 after a quarter of the tick, when B is 1 below. B hits the crate
/// after 7/8 and stops. The crate moves on by a quarter of a tile.
#[test]
fn paths_that_cross_at_different_times_do_not_collide() {
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let mut world = floating(&[]);
        let bodies = [
            ball_at(0.125, -0.5, 5.0).bounce(1.0).velocity((120.0, 0.0)),
            ball_at(0.125, 0.0, 3.5).bounce(1.0).velocity((0.0, 120.0)),
            colliding(Shape::aabb(0.25, 0.25)).bounce(1.0).at((0.0, 5.625)),
        ];
        let mut ids = [BodyId::default(); 3];
        order.into_iter().for_each(|i| ids[i] = world.spawn(bodies[i].clone()).unwrap());
        world.step();
        let expected = [((1.5, 5.0), (120.0, 0.0)), ((0.0, 5.25), (0.0, 0.0)), ((0.0, 5.875), (0.0, 120.0))];
        for (id, (at, velocity)) in ids.into_iter().zip(expected) {
            assert_near(world[id].position().to_dvec2(), at, ROUNDING, "position");
            assert_near(world[id].velocity(), velocity, 1e-9, "velocity");
        }
    }
}

/// Four balls move two tiles along the sides of a square of one tile. Each passes a corner after a quarter of the tick;
/// the ball behind it passes the same corner after three quarters. After 7/8, each hits another ball, which moves on by
/// a quarter of a tile.
#[test]
fn four_circling_balls_pass_each_other_and_hit_others() {
    for has_targets in [false, true] {
        let mut world = floating(&[]);
        // `turn` rotates by quarter turns to the left.
        let turn = |(x, y): (f64, f64), quarters: u32| (0..quarters).fold((x, y), |(x, y), _| (-y, x));
        let at = |v: (f64, f64)| (v.0, v.1 + 10.0);
        let ball = |v: (f64, f64), velocity| {
            let (x, y) = at(v);
            ball_at(0.125, x, y).bounce(1.0).velocity(velocity)
        };
        let movers = [0, 1, 2, 3].map(|i| ball(turn((-1.0, -0.5), i), turn((120.0, 0.0), i)));
        let movers = spawn(&mut world, movers);
        let targets: Vec<BodyId> = (0..if has_targets { 4 } else { 0 })
            .map(|i| world.spawn(ball(turn((1.0, -0.5), i), (0.0, 0.0))).unwrap())
            .collect();
        world.step();
        for i in 0..4 {
            let end = at(turn((if has_targets { 0.75 } else { 1.0 }, -0.5), i));
            let what = format!("body {i}, targets: {has_targets}");
            assert_near(world[movers[i as usize]].position().to_dvec2(), end, ROUNDING, &what);
            if let Some(target) = targets.get(i as usize) {
                assert_near(world[*target].position().to_dvec2(), at(turn((1.25, -0.5), i)), ROUNDING, &what);
                assert_near(world[*target].velocity(), turn((120.0, 0.0), i), 1e-9, &what);
            }
        }
    }
}

/// A fall of 4.5 tiles takes sqrt(9 / 30) = 0.548 s, 32.9 ticks.
#[test]
fn a_body_on_a_falling_crate_falls_with_it() {
    let mut world = falling(&[]);
    let [lower, upper, rider] = spawn(&mut world, [crate_at(0.0, 5.0), crate_at(0.25, 6.0), hero_at(0.25, 6.95)]);
    let begun = offset(&world, rider, upper);
    for tick in 1..=120 {
        world.step();
        assert_eq!(offset(&world, upper, lower), I64Vec2::new(ONE / 4, ONE), "tick {tick}");
        assert!((offset(&world, rider, upper) - begun).abs().max_element() <= 1, "tick {tick}");
        let fallen = GRAVITY / 2.0 * f64::from(tick * tick) * TICK * TICK;
        assert_near(world[lower].position().to_dvec2(), (0.0, (5.0 - fallen).max(0.5)), ROUNDING, "the lower one");
    }
    assert_eq!(positions(&world, [lower, upper]), [position(0.0, 0.5), position(0.25, 1.5)]);
}

/// A falling crate has no contact force, so friction does not brake a crate that slides on it: 3 tiles per second give
/// 1.5 tiles in 30 ticks.
#[test]
fn a_body_that_slides_on_a_falling_crate_is_not_braked() {
    let mut world = falling(&[]);
    let wide = colliding(Shape::aabb(3.0, 0.5)).friction(0.6).at((0.0, 10.0));
    let [wide, slider] = spawn(&mut world, [wide, crate_at(-1.0, 11.0).velocity((3.0, 0.0))]);
    for tick in 1..=30 {
        world.step();
        let fallen = GRAVITY / 2.0 * f64::from(tick * tick) * TICK * TICK;
        assert_eq!(offset(&world, slider, wide).y, ONE, "tick {tick}");
        assert_near(world[slider].velocity(), (3.0, -GRAVITY * f64::from(tick) * TICK), 1e-6, "the slider");
        let at = (3.0 * f64::from(tick) * TICK - 1.0, 11.0 - fallen);
        assert_near(world[slider].position().to_dvec2(), at, ROUNDING, "the slider");
        assert_near(world[wide].position().to_dvec2(), (0.0, 10.0 - fallen), ROUNDING, "the wide one");
    }
}

/// A ball on a slope of 45 degrees is hit from the side. The part of the impact along the slope is 0.707. A friction of
/// 0.9 takes all but 0.07 of it, too little to move the ball. A friction of 0.5 takes half: the ball moves at (0.2,
/// 0.2), and the other ball keeps as much of its speed of 1.
#[test]
fn a_push_does_not_throw_a_ball_that_is_nearly_wedged() {
    for (friction, gives) in [(0.9, 0.0), (0.5, 0.2)] {
        let mut canvas = Canvas::default();
        for x in -4..4 {
            canvas.paint((x, x), "slope_45");
        }
        let settings = Settings::default().tick(TICK).gravity((0.0, 0.0));
        let mut world = World::new(canvas.map(Symmetry(Placement::default())), settings);
        // Place the ball four units away from the slope, so that rounding does not put it into the slope.
        let aside = 0.5 * 0.5_f64.sqrt() + 4.0 / ONE as f64;
        let (x, y) = (0.5 - aside, 0.5 + aside);
        let [ball, pusher] =
            spawn(&mut world, [ball_at(0.5, x, y).friction(friction), ball_at(0.5, x - 1.25, y).velocity((1.0, 0.0))]);
        let at = world[ball].position();
        for tick in 1..=120 {
            world.step();
            let speeds = [ball, pusher].map(|id| world[id].velocity().length());
            assert!(speeds.into_iter().all(|speed| speed <= 1.0 + 1e-9), "{friction}, tick {tick}: {speeds:?}");
            assert!(energy(&world, &[ball, pusher]) <= 1.0 + 1e-9, "{friction}, tick {tick}");
            if gives == 0.0 {
                assert!((world[ball].position() - at).abs().max_element() <= 1, "tick {tick}");
            }
            if tick == 20 {
                // The gap of 0.25 takes 15 ticks.
                assert_near(world[ball].velocity(), (gives, gives), 1e-5, "the ball");
                assert_near(world[pusher].velocity(), (gives, 0.0), 1e-5, "the pusher");
            }
        }
    }
}

/// The lower body leaves the floor at 10 and hits the upper body, which falls at 10. By their masses, the upper one
/// leaves at 10 or 20, the lower one at -10 or 0. If the floor still held the lower body, it would act as a wall moving
/// at 10 and throw the upper one off at 30.
///
/// With a gap of 0.25 they collide above the floor, and no energy is lost. Without a gap, the lower body is thrown
/// against the floor, and may lose energy there.
#[test]
fn a_floor_does_not_hold_a_body_that_leaves_it() {
    for ((mass, leaves), gap) in pairs([(1.0, 10.0), (3.0, 20.0)], [0.0, 0.25]) {
        let mut world = floating(&[]);
        let lower = crate_at(0.0, 0.5).friction(0.0).bounce(1.0).mass(mass).velocity((0.0, 10.0));
        let upper = crate_at(0.0, 1.5 + gap).friction(0.0).bounce(1.0).velocity((0.0, -10.0));
        let [lower, upper] = spawn(&mut world, [lower, upper]);
        for tick in 1..=60 {
            world.step();
            let [a, b] = [lower, upper].map(|id| world[id].velocity());
            let total = mass * a.length_squared() + b.length_squared();
            let whole = 100.0 * (mass + 1.0);
            assert!(total <= whole + 1e-6 && (gap == 0.0 || total >= whole - 1e-6), "tick {tick}: {a} {b}");
            assert!(
                offset(&world, upper, lower).y >= ONE && world[lower].position().units().y >= ONE / 2,
                "tick {tick}"
            );
            assert!((b.y - leaves).abs() < 1e-9, "{mass} from {gap}, tick {tick}: {b}");
        }
    }
}

/// A closed room of 8 by 8 tiles without gravity: two dozen balls and crates with a bounce of 1.
#[test]
fn bouncing_bodies_in_a_room_gain_no_energy() {
    let mut canvas = Canvas::default();
    canvas.blocks((-5, -5), (4, -5));
    canvas.blocks((-5, 4), (4, 4));
    canvas.blocks((-5, -4), (-5, 3));
    canvas.blocks((4, -4), (4, 3));
    let settings = Settings::default().tick(TICK).gravity((0.0, 0.0));
    let mut world = World::new(canvas.map(Symmetry(Placement::default())), settings);
    let mut random = Random(0xF00D);
    let ids: Vec<BodyId> = (0..25)
        .map(|i| {
            let at = (f64::from(i % 5) * 1.5 - 3.0, f64::from(i / 5) * 1.5 - 3.0);
            let shape = if random.one_in(2) { Shape::circle(0.4) } else { Shape::aabb(0.4, 0.3) };
            let velocity = (random.range(-30.0, 30.0), random.range(-30.0, 30.0));
            world.spawn(colliding(shape).at(at).bounce(1.0).velocity(velocity)).unwrap()
        })
        .collect();
    let mut before = energy(&world, &ids);
    for tick in 1..=300 {
        world.step();
        let now = energy(&world, &ids);
        assert!(now <= before * (1.0 + 1e-9), "tick {tick}: {now} after {before}");
        before = now;
        let inside = |id: &BodyId| world[*id].position().to_dvec2().abs().max_element() < 4.0;
        assert!(ids.iter().all(inside), "tick {tick}");
    }
}

/// Two crates stacked on a crate that is pushed. The crate moves for a while, then turns back, and nothing slides on.
#[test]
fn a_body_on_a_pushed_crate_stops_with_it() {
    let mut world = falling(&[]);
    let [hero, lower, middle, upper] =
        spawn(&mut world, [hero_at(-1.0, 0.45), crate_at(0.5, 0.5), crate_at(0.75, 1.5), crate_at(0.5, 2.5)]);
    world.set_input(hero, RIGHT);
    let mut stopped = None;
    for tick in 1..=90 {
        if tick == 41 {
            world.set_input(hero, LEFT);
        }
        world.step();
        assert_eq!(offset(&world, middle, lower), I64Vec2::new(ONE / 4, ONE), "tick {tick}");
        assert_eq!(offset(&world, upper, middle), I64Vec2::new(-ONE / 4, ONE), "tick {tick}");
        if tick >= 50 {
            let at = world[lower].position();
            assert_eq!(*stopped.get_or_insert(at), at, "tick {tick}");
        }
    }
    assert!(world[lower].position().to_dvec2().x > 2.0);
}

/// A ball at 4000 tiles per second under a heavy lid on two pillars could have 44 impacts in a tick. Two crates and a
/// character stand on the lid, and a ball on one of the crates.
#[test]
fn a_body_without_impacts_left_moves_on() {
    for gravity_scale in [0.0, 1.0] {
        let map = map(&["......", "......", "#....#", "#....#", "######"]);
        let mut world = World::new(map, Settings::default().tick(TICK).gravity((0.0, -GRAVITY)));
        let lid = colliding(Shape::aabb(3.0, 0.25)).friction(0.6).bounce(1.0).mass(1e6).at((3.0, 3.25));
        let bodies =
            [lid, crate_at(1.0, 4.0), crate_at(2.0, 4.0), ball_at(0.5, 2.0, 5.0).friction(0.5), hero_at(4.5, 3.95)];
        let [lid, first, second, top, hero] = spawn(&mut world, bodies);
        let fast = ball_at(0.25, 3.0, 1.5).bounce(1.0).velocity((0.0, 4000.0)).gravity_scale(gravity_scale);
        let [fast] = spawn(&mut world, [fast]);
        for tick in 1..=120 {
            if tick == 60 {
                world.set_input(hero, Input { jump: true, ..Input::default() });
            }
            world.step();
            let gap = |upper: BodyId, lower: BodyId| {
                offset(&world, upper, lower).y
                    - world[upper].shape().half_units().y
                    - world[lower].shape().half_units().y
            };
            assert!(gap(lid, fast) >= 0 && world[fast].position().units().y >= 5 * ONE / 4, "tick {tick}");
            assert!([first, second, hero].into_iter().all(|id| gap(id, lid) >= 0), "tick {tick}");
            assert!(gap(top, second) >= 0, "tick {tick}");
            assert!(world[fast].velocity().length() <= 4000.0 + GRAVITY, "tick {tick}");
            assert!(world[lid].velocity().length() <= 1.0, "tick {tick}: {}", world[lid].velocity());
        }
    }
}

/// Ten rows of touching balls, 55 in total, and one that hits them at 30. There are too many paths through the contacts
/// to follow each.
#[test]
fn a_rack_of_balls_is_broken_in_time() {
    let mut world = floating(&[]);
    let ids = rack(&mut world, 10, 1.0);
    for tick in 1..=60 {
        world.step();
        assert!(energy(&world, &ids) <= 900.0 * (1.0 + 1e-9), "tick {tick}");
    }
    let moved = ids.iter().filter(|id| world[**id].velocity() != DVec2::ZERO).count();
    assert!(moved >= 3, "{moved}");
}

/// Rows of touching balls, and a last ball that moves towards them at 30.
pub fn rack(world: &mut World, rows: u32, bounce: f64) -> Vec<BodyId> {
    let ball = |x, y| ball_at(0.5, x, y).bounce(bounce);
    let mut ids = Vec::new();
    for row in 0..rows {
        for i in 0..=row {
            let (x, y) = (f64::from(row) * 0.75_f64.sqrt(), 20.0 + f64::from(i) - 0.5 * f64::from(row));
            ids.push(world.spawn(ball(x, y)).unwrap());
        }
    }
    ids.push(world.spawn(ball(-1.625, 20.0).velocity((30.0, 0.0))).unwrap());
    ids
}

/// A box moves diagonally by a tile on each axis. After half of that, its corner reaches another box's corner. The face
/// along `up` is hit: the upward speed is transferred, the sideways speed stays. The same holds in every turn of the
/// scene.
#[test]
fn corner_to_corner_the_face_along_up_is_hit() {
    all_ways_of([[0, 1], [1, 0]], |way, order| {
        let mut world = way.world(map(&["."]), Settings::default().tick(TICK).gravity((0.0, 0.0)));
        let body = |x: f64, y: f64| crate_at(x, y).friction(0.0).bounce(1.0);
        let bodies = [body(-1.5, -1.5).velocity((60.0, 60.0)), body(0.0, 0.0)];
        let mut ids = [BodyId::default(); 2];
        order.into_iter().for_each(|i| ids[i] = world.spawn(bodies[i].clone()).unwrap());
        world.step();
        let expected = [((-0.5, -1.0), (60.0, 0.0)), ((0.0, 0.5), (0.0, 60.0))];
        for (id, (at, velocity)) in ids.into_iter().zip(expected) {
            assert_near(world[id].position().to_dvec2(), at, ROUNDING, &format!("{order:?}"));
            assert_near(world[id].velocity(), velocity, 1e-9, &format!("{order:?}"));
        }
    });
}

/// Three sleeping crates touch in a row, and the middle one is removed: none wakes up, and their sides are free.
#[test]
fn bodies_next_to_a_removed_sleeping_crate_lose_the_contact() {
    let mut world = falling(&[]);
    let row = spawn(&mut world, [crate_at(0.0, 0.5), crate_at(1.0, 0.5), crate_at(2.0, 0.5)]);
    (0..30).for_each(|_| world.step());
    assert!(world[row[0]].touching().wall_right && world[row[2]].touching().wall_left);
    world.despawn(row[1]).unwrap();
    world.step();
    assert!(!world[row[0]].touching().wall_right && !world[row[2]].touching().wall_left);
    assert!(world.events().is_empty(), "{:?}", world.events());
}

/// A crate is wedged between a slope above it and a slope below it, on which it would slide down towards a wall. A
/// character fits exactly between crate and wall. It walks against the crate and falls freely: after n ticks by
/// 30 / 2 (n / 60)^2.
#[test]
fn a_character_falls_between_a_wall_and_a_wedged_crate() {
    let mut canvas = Canvas::default();
    canvas.paint((0, 3), "slope_45 r2");
    canvas.paint((0, 1), "slope_45 m");
    canvas.paint((1, 1), "full_block");
    for push_mass in [0.0, 0.5] {
        all_ways_of([[0, 1], [1, 0]], |way, order| {
            let settings = Settings::default().tick(TICK).gravity((0.0, -GRAVITY));
            let mut world = way.world(canvas.map(Symmetry(Placement::default())), settings);
            let character = Character { max_push_mass: push_mass, ..Character::default() };
            let tall = |x: f64| colliding(Shape::aabb(0.25, 0.5)).friction(0.0).at((x, 2.5));
            let bodies = [tall(0.25), tall(0.75).mass(4.6).character(character)];
            let mut ids = [BodyId::default(); 2];
            order.into_iter().for_each(|i| ids[i] = world.spawn(bodies[i].clone()).unwrap());
            world.set_input(ids[1], LEFT);
            for tick in 1..=8 {
                world.step();
                let seconds = f64::from(tick) * TICK;
                let fallen = GRAVITY / 2.0 * seconds * seconds;
                let what = format!("{order:?}, tick {tick}");
                assert_near(world[ids[1]].position().to_dvec2(), (0.75, 2.5 - fallen), ROUNDING, &what);
                assert_near(world[ids[0]].position().to_dvec2(), (0.25, 2.5), ROUNDING, &what);
            }
        });
    }
}
