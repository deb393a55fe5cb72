//! Tests thrown bodies and the hero among them.

use crate::{hall, tick};
use surefoot::geometry::DVec2;
use surefoot_play::{Held, Session, Throwable};

/// Half size of a box.
const HALF: f64 = 0.28;

/// Rounding of half sizes and positions to units.
const ROUNDING: f64 = 1e-8;

fn at(session: &Session, body: surefoot::event::BodyId) -> DVec2 {
    session.world()[body].position().to_dvec2()
}

#[track_caller]
fn near(found: DVec2, x: f64, y: f64) {
    assert!((found - DVec2::new(x, y)).abs().max_element() < ROUNDING, "{found} instead of {x}, {y}");
}

/// The floor is at 1. The hero's right side, at 3.85, reaches the boxes after 4.37 tiles, within 37 ticks. In 60 ticks
/// it moves 8 / 15 tiles less than 8.
#[test]
fn boxes_stack_and_the_hero_pushes_them() {
    let mut session = hall();
    session.toggle_pause();
    let [lower, upper] = [1.5, 2.5].map(|y| session.throw(Throwable::Box, DVec2::new(8.5, y), DVec2::ZERO).unwrap());
    (0..60).for_each(|_| tick(&mut session, Held::default()));
    near(at(&session, lower), 8.5, 1.0 + HALF);
    near(at(&session, upper), 8.5, 1.0 + 3.0 * HALF);
    (0..60).for_each(|_| tick(&mut session, Held { right: true, ..Held::default() }));
    let hero = 3.5 + 8.0 - 8.0 / 15.0;
    near(at(&session, session.hero().unwrap()), hero, 1.45);
    near(at(&session, lower), hero + 0.35 + HALF, 1.0 + HALF);
    near(at(&session, upper), hero + 0.35 + HALF, 1.0 + 3.0 * HALF);
}

/// Five boxes are one more than the hero can push, so it stops at the first one.
#[test]
fn the_hero_does_not_push_five_boxes() {
    let mut session = hall();
    session.toggle_pause();
    let boxes = [0.0, 1.0, 2.0, 3.0, 4.0]
        .map(|i| session.throw(Throwable::Box, DVec2::new(8.5, 1.3 + 0.6 * i), DVec2::ZERO).unwrap());
    (0..90).for_each(|_| tick(&mut session, Held { right: true, ..Held::default() }));
    for (i, body) in (0..).zip(boxes) {
        near(at(&session, body), 8.5, 1.0 + HALF * f64::from(1 + 2 * i));
    }
    near(at(&session, session.hero().unwrap()), 8.5 - HALF - 0.35, 1.45);
}

/// A ball thrown from the hero's position leaves it freely. A box dropped on the hero's head stays there.
#[test]
fn thrown_bodies_leave_the_hero_and_a_box_on_its_head_stays() {
    let mut session = hall();
    session.toggle_pause();
    let hero = session.hero().unwrap();
    let start = at(&session, hero);
    let ball = session.throw(Throwable::Ball, start, DVec2::new(12.0, 2.0)).unwrap();
    tick(&mut session, Held::default());
    // The ball moves a fifth of a tile per tick.
    assert!((at(&session, ball).x - start.x - 0.2).abs() < ROUNDING);
    let load = session.throw(Throwable::Box, start + DVec2::new(0.1, 1.5), DVec2::ZERO).unwrap();
    (0..60).for_each(|_| tick(&mut session, Held::default()));
    near(at(&session, load), start.x + 0.1, 1.9 + HALF);
    near(at(&session, hero), start.x, 1.45);
}
