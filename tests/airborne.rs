//! Air jumps, and reduced gravity near the top of a jump. Speeds, heights and times are computed by hand.

use crate::nudges::{NEAR, TICK, body, jump, under};
use crate::scene::{Canvas, Random};
use crate::table::{Stage, all_ways, all_ways_of};
use surefoot::geometry::DVec2;
use surefoot::prelude::*;
use surefoot_random::mix;

fn shapes() -> [Shape; 2] {
    [Shape::aabb(0.375, 0.5), Shape::circle(0.5)]
}

/// A character whose ground jump rises 4 tiles in 24 ticks, under a gravity of 50. Its air jump rises 1 tile, at 10
/// tiles per second for 12 ticks.
fn airborne(air_jumps: u8) -> Character {
    Character { air_jumps, air_jump_height: 1.0, ..jump() }
}

/// Plays a run of each shape in all ways.
fn each_shape(canvas: &Canvas, at: (f64, f64), character: Character, run: impl Fn(&mut Stage)) {
    all_ways_of(shapes(), |way, shape| {
        let mut stage = Stage::new(canvas, way, body(shape, character), at, 40.0);
        run(&mut stage);
    });
}

/// The character has two air jumps after one off the ground, each from where it starts. A third press does nothing.
/// Landing restores the air jumps.
#[test]
fn only_the_available_air_jumps_are_made() {
    // `fallen` is the fall of one tick without the button.
    let fallen = 50.0 * TICK * TICK / 2.0;
    each_shape(&under(&[]), (-2.0, 0.5), airborne(2), |stage| {
        stage.step(0, false);
        for round in 0..2 {
            for (jumps, ticks) in [(0, 24), (1, 12), (2, 12)] {
                (0..ticks).for_each(|_| stage.step(0, true));
                let top = stage.place();
                let expected = 0.5 + 4.0 + f64::from(jumps) * (1.0 - fallen);
                assert!((top.y - expected).abs() < NEAR, "{round} {jumps}: {top}");
                stage.step(0, false);
            }
            stage.step(0, true);
            assert!((stage.velocity().y + 2.0 * 50.0 * TICK).abs() < 1e-9, "{}", stage.velocity());
            (0..60).for_each(|_| stage.step(0, false));
            assert!(stage.hero().on_floor());
        }
    });
}

/// Without a height of its own, an air jump is as high as a ground jump. A count of half an air jump is rounded up to
/// one, a smaller count down to none.
#[test]
fn an_air_jump_is_as_high_as_a_ground_jump() {
    for (air_jumps, speed) in [(0, -50.0 * TICK), (1, 20.0)] {
        let character = Character { air_jumps, ..jump() };
        each_shape(&under(&[]), (-2.0, 20.0), character, |stage| {
            stage.step(0, false);
            stage.step(0, true);
            assert!((stage.velocity().y - (speed - 50.0 * TICK)).abs() < 1e-9, "{air_jumps}: {}", stage.velocity());
        });
    }
}

/// The hero walks off an edge. A press in the first 6 ticks is a coyote jump, and the air jump remains. A press in the
/// seventh tick is the air jump. Each press gives one jump: even with a jump buffer, a third press does nothing before
/// the landing.
#[test]
fn a_coyote_jump_comes_before_air_jumps() {
    let character = Character { coyote_time: 6.0 * TICK, jump_buffer: 6.0 * TICK, ..airborne(1) };
    for late in 0..8 {
        each_shape(&under(&[]), (7.0, 0.5), character, |stage| {
            while stage.place().x < 8.0 || stage.hero().on_floor() {
                stage.step(127, false);
            }
            (0..late).for_each(|_| stage.step(127, false));
            let mut seen = Vec::new();
            let expected = if late < 6 { [20.0, 10.0, 0.0] } else { [10.0, 0.0, 0.0] };
            for _ in expected {
                stage.step(127, true);
                seen.push(stage.velocity());
                // Wait until the hero falls again.
                (0..30).for_each(|_| stage.step(127, false));
                assert!(stage.velocity().y < 0.0);
            }
            for (velocity, speed) in seen.iter().zip(expected) {
                if speed > 0.0 {
                    assert!((velocity.y - (speed - 50.0 * TICK)).abs() < 1e-9, "{late}: {seen:?}");
                } else {
                    assert!(velocity.y < 0.0, "{late}: {seen:?}");
                }
            }
        });
    }
}

/// A press three ticks before the landing is an air jump, and does not jump again on landing. Without an air jump left,
/// the press is buffered.
#[test]
fn a_press_that_gives_an_air_jump_is_not_buffered() {
    for air_jumps in [0, 1] {
        let character = Character { jump_buffer: 6.0 * TICK, ..airborne(air_jumps) };
        each_shape(&under(&[]), (-2.0, 0.5), character, |stage| {
            stage.step(0, false);
            stage.step(0, true);
            (0..44).for_each(|_| stage.step(0, false));
            stage.step(0, true);
            assert_eq!(stage.velocity().y > 0.0, air_jumps == 1);
            let mut tops: Vec<f64> = Vec::new();
            let mut last = (stage.place().y, stage.place().y);
            for _ in 0..120 {
                stage.step(0, false);
                let height = stage.place().y;
                if last.1 > last.0 && height < last.1 {
                    tops.push(last.1);
                }
                last = (last.1, height);
            }
            assert_eq!(tops.len(), 1, "{air_jumps}: {tops:?}");
            // Three ticks before landing, the height is (24^2 - 21^2) halves of g dt^2.
            let height = 50.0 * TICK * TICK / 2.0 * f64::from(24 * 24 - 21 * 21);
            let expected = if air_jumps == 1 { 0.5 + height + 1.0 } else { 4.5 };
            assert!((tops[0] - expected).abs() < NEAR, "{air_jumps}: {tops:?} {expected}");
        });
    }
}

/// A wall jump does not restore air jumps. A press next to a wall is a wall jump first.
#[test]
fn a_wall_jump_does_not_restore_air_jumps() {
    let canvas = under(&[((2, 0), (3, 40))]);
    let character = Character { wall_jump_speed: 6.0, ..airborne(1) };
    for uses_it_first in [false, true] {
        each_shape(&canvas, (1.25, 20.0), character, |stage| {
            stage.step(0, false);
            if uses_it_first {
                stage.step(0, true);
                stage.step(0, false);
            }
            (0..12).for_each(|_| stage.step(127, false));
            stage.step(127, false);
            stage.step(0, true);
            assert!((stage.velocity() - DVec2::new(-6.0, 20.0 - 50.0 * TICK)).abs().max_element() < 1e-9);
            stage.step(0, false);
            (0..30).for_each(|_| stage.step(0, false));
            stage.step(0, true);
            assert_eq!(stage.velocity().y > 0.0, !uses_it_first, "{}", stage.velocity());
        });
    }
}

/// A jump of 2 tiles under a gravity of 40, halved below a speed of 4. The speed is 12 at first, 4 after 12 ticks (at
/// 1.6 tiles), 0 after 24. The fall is equally slow until the speed is 4. A button released at the top restores full
/// gravity.
#[test]
fn gravity_is_reduced_near_the_top() {
    let character = Character {
        jump_height: 2.0,
        apex_speed_threshold: 4.0,
        apex_gravity_scale: 0.5,
        max_fall_speed: 1e3,
        ..Character::default()
    };
    for is_held in [true, false] {
        each_shape(&under(&[]), (-2.0, 0.5), character, |stage| {
            stage.step(0, false);
            let mut seen = Vec::new();
            for tick in 1..=60_u32 {
                stage.step(0, is_held || tick <= 24);
                let velocity = stage.velocity().y;
                let steps = |from: u32, to: u32| f64::from(tick.clamp(from, to) - from);
                let down = if is_held { [20.0, 40.0] } else { [40.0, 40.0] };
                let slowed =
                    40.0 * steps(0, 12) + 20.0 * steps(12, 24) + down[0] * steps(24, 36) + down[1] * steps(36, 99);
                if stage.hero().on_floor() {
                    break;
                }
                assert!((velocity - (12.0 - slowed * TICK)).abs() < 1e-9, "{tick}: {velocity}");
                if tick == 12 || tick == 24 {
                    let expected = if tick == 12 { 2.1 } else { 2.5 };
                    assert!((stage.place().y - expected).abs() < NEAR, "{tick}: {}", stage.place());
                }
                seen.push(stage.place());
            }
            assert!(seen.len() > 36);
        });
    }
}

/// For random heights, times, speeds, factors and tick rates: a jump with its button held reaches the requested height
/// in the requested time, however long the hang is. Without a requested time, the top lies between two ticks. `reach`
/// reports the same.
#[test]
fn a_jump_with_a_hang_reaches_its_height_in_its_time() {
    let mut random = Random(mix(4242));
    for case in 0..300 {
        let tick = random.pick(&[1.0 / 30.0, 1.0 / 60.0, 1.0 / 120.0]);
        let character = Character {
            jump_height: random.range(0.5, 6.0),
            jump_time: random.pick(&[0.0, 0.2, 0.4, 1.0]),
            apex_speed_threshold: random.pick(&[0.5, 3.0, 5.0, 40.0]),
            apex_gravity_scale: random.pick(&[0.05, 0.25, 0.5, 0.9, 1.0]),
            max_fall_speed: 1e3,
            ..Character::default()
        };
        assert!(character.check().is_ok());
        let settings = Settings::default().tick(tick);
        let reach = character.jump_reach(&settings).unwrap();
        let pull = character.jump_gravity(tick).unwrap_or(40.0);
        let between = if character.jump_time > 0.0 { 0.0 } else { pull * tick * tick / 8.0 };
        let miss = character.jump_height - reach.height;
        let what = format!("case {case}: {character:?} {tick} {reach:?}");
        assert!((-NEAR..=between + NEAR).contains(&miss), "{what}");
        if character.jump_time > 0.0 {
            assert_eq!(f64::from(reach.ticks_to_apex), (character.jump_time / tick).round(), "{what}");
        }
        let mut world = surefoot::World::new(surefoot::Map::from_rows(["####"]).unwrap(), settings);
        let hero = world.spawn(body(shapes()[0], character).at((2.0, 1.5))).unwrap();
        world.step();
        world.set_input(hero, surefoot::Input { jump: true, ..Default::default() });
        (0..reach.ticks_to_apex).for_each(|_| world.step());
        let height = world[hero].position().to_dvec2().y - 1.5;
        assert!((height - reach.height).abs() < NEAR, "{what} {height}");
    }
}

/// A jump with a hang whose button is released after one tick has the minimum height and lasts a whole number of ticks.
#[test]
fn a_tap_with_a_hang_reaches_the_minimum_height() {
    for (apex_speed, tap_height) in [(4.0, 1.0), (12.0, 1.0), (30.0, 1.5)] {
        let character = Character {
            min_jump_height: tap_height,
            apex_speed_threshold: apex_speed,
            apex_gravity_scale: 0.5,
            ..jump()
        };
        each_shape(&under(&[]), (-2.0, 0.5), character, |stage| {
            stage.step(0, false);
            stage.step(0, true);
            let mut top = stage.place();
            for _ in 0..40 {
                stage.step(0, false);
                if stage.place().y > top.y {
                    top = stage.place();
                }
            }
            assert!((top.y - 0.5 - tap_height).abs() < NEAR, "{apex_speed}: {top}");
        });
    }
}

/// A jump that lasts one tick or less has a gravity that reaches `max_fall_speed` within one tick. Under a ceiling at
/// 3, the character falls at once by `max_fall_speed` a tick, although the hang is active at that speed.
#[test]
fn a_hang_does_not_cancel_the_fall_speed_limit() {
    let canvas = under(&[((-8, 3), (7, 3))]);
    let character = Character { jump_height: 3.0, jump_time: 0.004, max_fall_speed: 4.0, ..Character::default() };
    all_ways(|way| {
        for (rate, apex_gravity) in [30.0, 60.0, 120.0, 240.0].into_iter().flat_map(|rate| [(rate, 0.5), (rate, 0.9)]) {
            for walk in [0, 127, -127] {
                let character = Character { apex_speed_threshold: 16.0, apex_gravity_scale: apex_gravity, ..character };
                let hero = body(Shape::aabb(0.375, 0.5), character);
                let mut stage = Stage::at_rate(&canvas, way, hero, (0.0, 0.5), (40.0, rate));
                let what = format!("{rate} {apex_gravity} {walk}");
                stage.step(0, false);
                let mut before = stage.place().y;
                while before < 2.5 {
                    stage.step(walk, true);
                    assert!(stage.place().y > before, "{what}: it rises to the ceiling");
                    before = stage.place().y;
                }
                // In the first tick, the speed rises from 0 to `max_fall_speed`.
                let way = 4.0 / rate;
                for tick in 0..(rate * 0.4) as u32 {
                    let start = stage.velocity().y;
                    stage.step(walk, true);
                    let made = before - stage.place().y;
                    let expected =
                        if start == -4.0 { (way - NEAR, way + NEAR) } else { (way / 2.0 - NEAR, way + NEAR) };
                    assert!((expected.0..=expected.1).contains(&made), "{what} {tick}: {made} of {way} from {start}");
                    before = stage.place().y;
                }
            }
        }
    });
}
