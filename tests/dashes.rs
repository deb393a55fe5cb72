//! Dashes: eight directions, a number of ticks, the speed kept afterwards, and one dash in the air. Computed by hand.

use crate::nudges::{NEAR, TICK, body, jump, under};
use crate::table::{MASKS, Stage, all_ways_of, pairs, triples};
use surefoot::Input;
use surefoot::geometry::DVec2;
use surefoot::prelude::*;

fn shapes() -> [Shape; 2] {
    [Shape::aabb(0.375, 0.5), Shape::circle(0.5)]
}

/// Dashes six ticks at 24 tiles per second and keeps half of the speed. Falls with 50.
fn dasher() -> Character {
    Character { dash_speed: 24.0, dash_time: 6.0 * TICK, dash_end_speed_scale: 0.5, ..jump() }
}

/// Makes a tick with a direction held, and dash held or not.
fn tick(stage: &mut Stage, (x, y): (i8, i8), dash: bool) {
    let input = Input { up: y > 0, down: y < 0, dash, ..stage.held(127 * x, false) };
    stage.input(input);
}

fn is_near(one: DVec2, other: DVec2) -> bool {
    (one - other).abs().max_element() < NEAR
}

/// In the air, from rest: 24 / 60 in each of six ticks, then half of that with gravity in the seventh.
#[test]
fn a_dash_has_eight_directions() {
    let ways = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
    all_ways_of(triples(MASKS, shapes(), ways), |how, (mask, shape, way)| {
        let hero = body(shape, dasher()).collision_mask(mask);
        let mut stage = Stage::new(&under(&[]), how, hero, (0.0, 30.0), 40.0);
        let direction = DVec2::new(way.0.into(), way.1.into()).normalize() * 24.0;
        for made in 1..=6 {
            // The dash continues, whatever is held.
            if made == 1 {
                tick(&mut stage, way, true)
            } else {
                tick(&mut stage, (0, 0), made < 3)
            }
            let what = format!("{way:?} {made}: {} {}", stage.place(), stage.velocity());
            assert!(is_near(stage.velocity(), direction), "{what}");
            let place = DVec2::new(0.0, 30.0) + direction * (TICK * f64::from(made));
            assert!(is_near(stage.place(), place), "{what}");
        }
        tick(&mut stage, (0, 0), false);
        let after = direction / 2.0 - DVec2::new(0.0, 50.0 * TICK);
        assert!(is_near(stage.velocity(), after), "{way:?}: {}", stage.velocity());
    });
}

/// One dash in the air until the character has stood on the ground. A button that stays down gives one dash. Without a
/// direction, the dash follows the motion, and from rest there is none.
#[test]
fn one_dash_in_the_air() {
    all_ways_of(shapes(), |how, shape| {
        let new = |velocity| Stage::new(&under(&[]), how, body(shape, dasher()).velocity(velocity), (0.0, 12.0), 40.0);
        let mut stage = new((0.0, 0.0));
        tick(&mut stage, (1, 0), true);
        assert!(is_near(stage.velocity(), DVec2::new(24.0, 0.0)));
        (0..5).for_each(|_| tick(&mut stage, (1, 0), true));
        (0..3).for_each(|_| tick(&mut stage, (-1, 0), true));
        (0..2).for_each(|_| tick(&mut stage, (-1, 0), false));
        let before = stage.velocity();
        tick(&mut stage, (-1, 0), true);
        assert!(stage.velocity().x > before.x - 1.0, "no other one in the air: {}", stage.velocity());
        while !stage.hero().on_floor() {
            tick(&mut stage, (-1, 0), true);
        }
        for _ in 0..3 {
            (0..6).for_each(|_| tick(&mut stage, (-1, 0), false));
            tick(&mut stage, (0, 1), true);
            assert!(is_near(stage.velocity(), DVec2::new(0.0, 24.0)), "{}", stage.velocity());
            while !stage.hero().on_floor() || stage.velocity().y > 0.0 {
                tick(&mut stage, (0, 0), true);
            }
        }
        let mut stage = new((0.0, 0.0));
        tick(&mut stage, (0, 0), true);
        assert!(is_near(stage.velocity(), DVec2::new(0.0, -50.0 * TICK)), "{}", stage.velocity());
        let mut stage = new((-1.0, 0.0));
        tick(&mut stage, (0, 0), true);
        assert!(is_near(stage.velocity(), DVec2::new(-24.0, 0.0)), "{}", stage.velocity());
    });
}

/// A dash along the ground stays on it, and keeps half of its speed. A dash time of zero lasts one tick.
#[test]
fn a_dash_along_the_ground() {
    all_ways_of(pairs(shapes(), [(6.0 * TICK, 6), (0.0, 1), (2.4 * TICK, 2)]), |how, (shape, (dash_time, ticks))| {
        let character = Character { dash_time, ground_braking: 60.0, ..dasher() };
        let mut stage = Stage::new(&under(&[]), how, body(shape, character), (-6.0, 0.5), 40.0);
        tick(&mut stage, (0, 0), false);
        for made in 1..=ticks {
            tick(&mut stage, (1, 0), true);
            let what = format!("{shape:?} {made}: {} {}", stage.place(), stage.velocity());
            assert!(stage.hero().on_floor(), "{what}");
            assert!(is_near(stage.velocity(), DVec2::new(24.0, 0.0)), "{what}");
            assert!(is_near(stage.place(), DVec2::new(-6.0 + 0.4 * f64::from(made), 0.5)), "{what}");
        }
        tick(&mut stage, (1, 0), true);
        assert!(is_near(stage.velocity(), DVec2::new(12.0 - 1.0, 0.0)), "{}", stage.velocity());
    });
}

/// At a wall, a straight dash stops. A diagonal one moves along the wall with its part along it, and passes over the
/// wall's top.
#[test]
fn a_dash_at_a_wall() {
    let canvas = under(&[((2, 0), (3, 10))]);
    all_ways_of([(Shape::aabb(0.375, 0.5), 0.375), (Shape::circle(0.5), 0.5)], |how, (shape, half)| {
        for way in [(1, 0), (1, 1), (1, -1)] {
            let at = DVec2::new(2.0 - half, 6.0);
            let mut stage = Stage::new(&canvas, how, body(shape, dasher()), at.into(), 40.0);
            for made in 1..=6 {
                tick(&mut stage, way, true);
                let along = 24.0 / 2.0_f64.sqrt() * f64::from(way.1);
                let expected = at + DVec2::new(0.0, along * TICK * f64::from(made));
                assert!(is_near(stage.place(), expected), "{shape:?} {way:?}: {}", stage.place());
                assert!(is_near(stage.velocity(), DVec2::new(0.0, along)), "{}", stage.velocity());
            }
        }
        for (ledge_correction, passes) in [(0.25, true), (0.125, false)] {
            let character = Character { ledge_correction, ..dasher() };
            // The character's underside is a quarter of a tile below the top of the wall.
            let mut stage = Stage::new(&canvas, how, body(shape, character), (0.5, 11.25), 40.0);
            (0..6).for_each(|_| tick(&mut stage, (1, 0), true));
            // A circle rises over the corner by itself.
            assert!(shape.is_circle() || (stage.place().x > 2.0) == passes, "{}", stage.place());
        }
    });
}
