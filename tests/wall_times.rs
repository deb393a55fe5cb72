//! Timers at walls: coyote wall jumps, input that is ignored next to a wall, and input away after a wall jump.

use crate::nudges::{body, jump, under};
use crate::prelude::*;

/// Runs in the air at a wall whose left side is at x = 2, with boxes and circles. Plays each run in all ways.
fn at_wall(character: Character, velocity: (f64, f64), run: impl Fn(&mut Stage)) {
    for (shape, half) in [(Shape::aabb(0.375, 0.5), 0.375), (Shape::circle(0.5), 0.5)] {
        all_ways(|way| {
            let mut canvas = under(&[((2, 0), (3, 40))]);
            canvas.blocks((-40, -1), (-9, -1));
            let hero = body(shape, character).velocity(velocity);
            let mut stage = Stage::new(&canvas, way, hero, (2.0 - half, 20.0), 40.0);
            run(&mut stage);
        });
    }
}

fn is_near(one: DVec2, other: DVec2) -> bool {
    (one - other).abs().max_element() < 1e-9
}

/// Velocity after a wall jump: 6 sideways, and up by 2 * 4 / 0.4 minus one tick of gravity.
fn off_the_wall() -> DVec2 {
    DVec2::new(-6.0, 20.0 - 50.0 * TICK)
}

/// The character leaves the wall, and presses jump some ticks later: the first three ticks count. No second jump, and
/// none without wall coyote time.
#[test]
fn a_jump_shortly_after_the_wall_counts() {
    for ticks in [0, 3] {
        for late in 0..5 {
            let wall_coyote_time = f64::from(ticks) * TICK;
            let character = Character { wall_jump_speed: 6.0, wall_coyote_time, ..jump() };
            at_wall(character, (0.0, 0.0), |stage| {
                stage.step(-127, false);
                assert!(stage.hero().touching() == Touching::default());
                (0..late).for_each(|_| stage.step(-127, false));
                let before = stage.velocity();
                stage.step(0, true);
                if late < ticks {
                    assert!(is_near(stage.velocity(), off_the_wall()), "{late}: {}", stage.velocity());
                } else {
                    assert!(is_near(stage.velocity(), before - DVec2::new(0.0, 50.0 * TICK)), "{late}");
                }
                stage.step(0, false);
                let before = stage.velocity();
                stage.step(0, true);
                assert!(is_near(stage.velocity(), before - DVec2::new(0.0, 50.0 * TICK)), "one jump alone");
            });
        }
    }
}

/// Sliding down a wall, input away counts only in the fifth tick. A tick without input does not count, and input
/// against the wall restarts the four ticks. A wall jump is possible all the time.
#[test]
fn input_away_from_a_wall_counts_after_a_time() {
    let character = Character {
        wall_slide_speed: 3.0,
        wall_stick_time: 4.0 * TICK,
        wall_jump_speed: 6.0,
        fall_gravity_scale: 1.0,
        ..jump()
    };
    at_wall(character, (0.0, -3.0), |stage| {
        let at = stage.place().x;
        let slides = |stage: &mut Stage, walk: i8, ticks: u32| {
            for _ in 0..ticks {
                stage.step(walk, false);
                assert_eq!((stage.place().x, stage.velocity()), (at, DVec2::new(0.0, -3.0)));
            }
        };
        slides(stage, 127, 3);
        slides(stage, -127, 4);
        slides(stage, 127, 1);
        slides(stage, -127, 2);
        stage.step(0, false);
        assert!(stage.place().x == at && stage.velocity().y < -3.0, "without input it falls");
        slides_down(stage, at);
        stage.step(-127, false);
        assert!(stage.place().x < at && stage.velocity().x < 0.0, "{}", stage.velocity());
    });
    at_wall(character, (0.0, -3.0), |stage| {
        stage.step(127, false);
        stage.step(-127, false);
        stage.step(-127, true);
        // The character jumps off the wall at once, and is steered away from it.
        assert!(is_near(stage.velocity(), off_the_wall() - DVec2::new(40.0 * TICK, 0.0)), "{}", stage.velocity());
    });
    for character in [Character { wall_stick_time: 0.0, ..character }, Character { wall_slide_speed: 0.0, ..character }]
    {
        at_wall(character, (0.0, -3.0), |stage| {
            let at = stage.place().x;
            stage.step(127, false);
            stage.step(-127, false);
            assert!(stage.place().x < at);
        });
    }
}

/// The last two of four ticks in which input away is ignored, after one tick without input.
fn slides_down(stage: &mut Stage, at: f64) {
    for _ in 0..2 {
        stage.step(-127, false);
        assert!(stage.place().x == at && stage.velocity().x == 0.0);
    }
}

/// A wall jump with input against the wall: for five ticks, including that of the jump, the character steers away
/// anyway, from 6 to 8 by 40 / 60. From the sixth tick on it steers back. Queries report the real input, and a landing
/// ends the timer.
#[test]
fn input_after_a_jump_off_a_wall_is_away_from_it() {
    for lock in [0, 5] {
        let character = Character { wall_jump_speed: 6.0, wall_jump_lock_time: f64::from(lock) * TICK, ..jump() };
        at_wall(character, (0.0, 0.0), |stage| {
            stage.step(127, false);
            let mut expected: f64 = -6.0;
            for tick in 1..=8 {
                stage.step(127, true);
                expected += if tick <= lock { -40.0 * TICK } else { 40.0 * TICK };
                expected = expected.max(-8.0);
                assert!((stage.velocity().x - expected).abs() < 1e-9, "{lock} {tick}: {}", stage.velocity());
                assert_eq!(stage.hero().input(), stage.held(127, true));
            }
        });
    }
    let long = Character { wall_jump_speed: 6.0, wall_jump_lock_time: 10.0, ..jump() };
    at_wall(long, (0.0, 0.0), |stage| {
        stage.step(127, false);
        stage.step(127, true);
        while !stage.hero().on_floor() {
            stage.step(127, false);
            assert!(stage.velocity().x < 0.0, "{}", stage.velocity());
        }
        (0..30).for_each(|_| stage.step(127, false));
        assert!(stage.velocity().x > 0.0 || stage.hero().touching() != Touching::default());
    });
}
