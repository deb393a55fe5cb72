//! Jumps, falls, bounces and braking follow the formulas of constant acceleration.

use crate::scene::{Canvas, ONE, map, position};
use crate::table::{Stage, all_ways_of, pairs};
use surefoot::geometry::DVec2;
use surefoot::prelude::*;

/// Tolerance of the formulas, in tiles and seconds.
const TOLERANCE: f64 = 1e-9;

/// Each tick loses up to half a unit to rounding.
const ROUNDING: f64 = 0.5 / ONE as f64;

/// Ticks per second.
const RATES: [f64; 5] = [30.0, 50.0, 60.0, 120.0, 1.0 / 0.0123];

const GRAVITY: f64 = 40.0;

fn floor(half: i32) -> Canvas {
    let mut canvas = Canvas::default();
    canvas.blocks((-half, -1), (half, -1));
    canvas
}

fn small() -> [Shape; 2] {
    [Shape::circle(0.25), Shape::aabb(0.25, 0.25)]
}

fn assert_close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found}, expected {expected}");
}

#[test]
fn a_jump_reaches_its_height_in_the_time_that_the_formula_says() {
    let jumps =
        pairs([(10.0, 1.0), (40.0, 3.2), (40.0, 0.5), (100.0, 7.0)], [Shape::aabb(0.375, 0.5), Shape::circle(0.5)]);
    all_ways_of(pairs(RATES, jumps.collect::<Vec<_>>()), |way, (rate, ((gravity, jump_height), shape))| {
        let character = Character { jump_height, max_fall_speed: 1e6, ..Character::default() };
        let hero = Body::new(shape).character(character);
        let mut stage = Stage::at_rate(&floor(2), way, hero, (0.25, 0.5), (gravity, rate));
        (0..2).for_each(|_| stage.step(0, false));
        assert!(stage.hero().on_floor() && stage.hero().position() == position(0.25, 0.5));
        let thrown = (2.0 * gravity * jump_height).sqrt();
        let mut highest = 0.0_f64;
        for n in 1.. {
            stage.step(0, true);
            let time = f64::from(n) / rate;
            let expected = thrown * time - gravity * time * time / 2.0;
            if expected <= 0.0 {
                break;
            }
            let (risen, speed) = (stage.place().y - 0.5, stage.velocity().y);
            let what = format!("rate {rate} gravity {gravity} height {jump_height} at {n}");
            assert_close(risen, expected, TOLERANCE.max(f64::from(n) * ROUNDING), &what);
            assert_close(speed, thrown - gravity * time, TOLERANCE, &what);
            // From any tick of the rise, the speed gives the remaining height and the remaining time.
            assert_close(risen + speed * speed / (2.0 * gravity), jump_height, TOLERANCE, &what);
            assert_close(time + speed / gravity, thrown / gravity, TOLERANCE, &what);
            highest = highest.max(risen);
        }
        // The top lies within half a tick of the highest tick.
        assert!(jump_height - highest <= gravity / (rate * rate) / 8.0 + TOLERANCE);
        (0..3).for_each(|_| stage.step(0, true));
        assert_eq!(stage.hero().position(), position(0.25, 0.5), "it comes down where it stood");
    });
}

#[test]
fn a_body_falls_by_half_g_t_squared() {
    all_ways_of(pairs(RATES, [5.0, 40.0]), |way, (rate, gravity)| {
        let ball = Body::new(Shape::circle(0.25)).velocity((3.0, 2.0));
        let mut stage = Stage::at_rate(map(&["."]), way, ball, (0.5, 0.5), (gravity, rate));
        for n in 1..=60 {
            stage.world.step();
            let time = f64::from(n) / rate;
            let fallen = 2.0 * time - gravity * time * time / 2.0;
            assert_close(stage.place().y - 0.5, fallen, TOLERANCE.max(f64::from(n) * ROUNDING), "fall");
            assert_close(stage.velocity().y, 2.0 - gravity * time, TOLERANCE, "speed of fall");
        }
    });
}

#[test]
fn a_ball_bounces_to_the_square_of_its_factor_times_the_height() {
    all_ways_of(pairs(RATES, pairs([1.0, 0.9, 0.5], small()).collect::<Vec<_>>()), |way, (rate, (factor, shape))| {
        let ball = Body::new(shape).bounce(factor);
        let mut stage = Stage::at_rate(&floor(2), way, ball, (0.5, 3.25), (GRAVITY, rate));
        let (mut bounces, mut expected) = (0, 3.0_f64);
        while bounces < 4 {
            stage.world.step();
            let events = stage.world.events().iter();
            let hits = events.filter(|event| matches!(event.kind, EventKind::HitTile { .. })).count();
            assert!(hits <= 1);
            bounces += hits;
            if hits == 1 {
                expected *= factor * factor;
            }
            let (above, speed) = (stage.place().y - 0.25, stage.velocity().y);
            let what = format!("rate {rate}, factor {factor}, bounce {bounces}");
            // Compare the energy, as a height in tiles. Each impact loses a unit or two to rounding.
            assert_close(above + speed * speed / (2.0 * GRAVITY), expected, 1e-8, &what);
        }
    });
}

#[test]
fn friction_stops_a_body_after_v_squared_over_two_mu_g() {
    let slides = pairs([(0.5, 10.0), (1.0, 10.0), (0.2, -10.0), (0.05, 3.0), (2.0, 33.0)], small());
    all_ways_of(pairs(RATES, slides.collect::<Vec<_>>()), |way, (rate, ((friction, speed), shape))| {
        let body = Body::new(shape).velocity((speed, 0.0)).friction(friction).rest_speed_threshold(0.0);
        let mut stage = Stage::at_rate(&floor(40), way, body, (0.5, 0.25), (GRAVITY, rate));
        let ticks = (f64::abs(speed) / (friction * GRAVITY) * rate).ceil();
        (0..=ticks as u32).for_each(|_| stage.world.step());
        let slid = stage.place() - DVec2::new(0.5, 0.25);
        let expected = DVec2::new(speed * speed.abs() / (2.0 * friction * GRAVITY), 0.0);
        let lost = TOLERANCE.max(ticks * ROUNDING);
        assert!((slid - expected).length() <= lost, "{rate} {friction} {speed}: {slid} {expected}");
        assert_eq!(stage.velocity(), DVec2::ZERO);
        let before = stage.hero().position();
        stage.world.step();
        assert_eq!(stage.hero().position(), before);
    });
}
