//! Jumps, falls, bounces and braking follow the formulas of constant acceleration.

use crate::scene::{Canvas, ONE, position};
use crate::symmetry::Symmetry;
use surefoot::prelude::*;
use surefoot::{Input, Map, World, geometry::DVec2};
use surefoot_geometry::to_lengths;

/// Tolerance of the formulas, in tiles and seconds.
const TOLERANCE: f64 = 1e-9;

/// Each tick loses up to half a unit to rounding.
const ROUNDING: f64 = 0.5 / ONE as f64;

const TICKS: [f64; 5] = [1.0 / 30.0, 1.0 / 50.0, 1.0 / 60.0, 1.0 / 120.0, 0.0123];

fn floor(symmetry: Symmetry) -> Map {
    let mut canvas = Canvas::default();
    canvas.blocks((-2, -1), (2, -1));
    canvas.map(symmetry)
}

fn settings(symmetry: Symmetry, tick: f64, gravity: f64) -> Settings {
    let down = symmetry.velocity(DVec2::new(0.0, -gravity));
    Settings::default().tick(tick).gravity(down).up(symmetry.up(Up::PlusY))
}

/// Returns how far a body is from its start along `up`, and its speed in that direction.
fn height(world: &World, body: BodyId, start: Position) -> (f64, f64) {
    let up = world.settings().up.direction().as_dvec2();
    (to_lengths(world[body].position() - start).dot(up), world[body].velocity().dot(up))
}

fn close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found}, expected {expected}");
}

#[test]
fn a_jump_reaches_its_height_in_the_time_that_the_formula_says() {
    for turns in 0..4 {
        let symmetry = Symmetry(Placement::new(false, turns));
        let map = floor(symmetry);
        for tick in TICKS {
            for (gravity, jump_height) in [(10.0, 1.0), (40.0, 3.2), (40.0, 0.5), (100.0, 7.0)] {
                for shape in [Shape::aabb(0.375, 0.5), Shape::circle(0.5)] {
                    let mut world = World::new(map.clone(), settings(symmetry, tick, gravity));
                    let start = symmetry.position(position(0.25, 0.5));
                    let character = Character { jump_height, max_fall_speed: 1e6, ..Character::default() };
                    let body = Body::new(symmetry.shape(shape)).at(start).character(character);
                    let body = world.spawn(body).unwrap();
                    world.step();
                    world.step();
                    assert!(world[body].on_floor() && world[body].position() == start);
                    world.set_input(body, Input { jump: true, ..Input::default() });
                    let thrown = (2.0 * gravity * jump_height).sqrt();
                    let mut highest = 0.0_f64;
                    for n in 1.. {
                        world.step();
                        let time = f64::from(n) * tick;
                        let expected = thrown * time - gravity * time * time / 2.0;
                        if expected <= 0.0 {
                            break;
                        }
                        let (risen, speed) = height(&world, body, start);
                        let what = format!("{symmetry:?} tick {tick} gravity {gravity} height {jump_height} at {n}");
                        let lost = TOLERANCE.max(f64::from(n) * ROUNDING);
                        close(risen, expected, lost, &what);
                        close(speed, thrown - gravity * time, TOLERANCE, &what);
                        // From any tick: the remaining height and the remaining time.
                        close(risen + speed * speed / (2.0 * gravity), jump_height, TOLERANCE, &what);
                        close(time + speed / gravity, thrown / gravity, TOLERANCE, &what);
                        highest = highest.max(risen);
                    }
                    // The top lies within half a tick of the highest tick.
                    assert!(jump_height - highest <= gravity * tick * tick / 8.0 + TOLERANCE);
                    for _ in 0..3 {
                        world.step();
                    }
                    assert_eq!(world[body].position(), start, "it comes down where it stood");
                }
            }
        }
    }
}

#[test]
fn a_body_falls_by_half_g_t_squared() {
    for turns in 0..4 {
        let symmetry = Symmetry(Placement::new(true, turns));
        let map = Canvas::default().map(symmetry);
        for tick in TICKS {
            for gravity in [5.0, 40.0] {
                let mut world = World::new(map.clone(), settings(symmetry, tick, gravity));
                let start = symmetry.position(position(0.5, 0.5));
                let velocity = symmetry.velocity(DVec2::new(3.0, 2.0));
                let body = world.spawn(Body::new(Shape::circle(0.25)).at(start).velocity(velocity)).unwrap();
                for n in 1..=60 {
                    world.step();
                    let time = f64::from(n) * tick;
                    let (risen, speed) = height(&world, body, start);
                    close(
                        risen,
                        2.0 * time - gravity * time * time / 2.0,
                        TOLERANCE.max(f64::from(n) * ROUNDING),
                        "fall",
                    );
                    close(speed, 2.0 - gravity * time, TOLERANCE, "speed of fall");
                }
            }
        }
    }
}

#[test]
fn a_ball_bounces_to_the_square_of_its_factor_times_the_height() {
    for turns in 0..4 {
        let symmetry = Symmetry(Placement::new(false, turns));
        let map = floor(symmetry);
        for tick in TICKS {
            for factor in [1.0, 0.9, 0.5] {
                for shape in [Shape::circle(0.25), Shape::aabb(0.25, 0.25)] {
                    let (gravity, fallen) = (40.0, 3.0);
                    let mut world = World::new(map.clone(), settings(symmetry, tick, gravity));
                    let rest = symmetry.position(position(0.5, 0.25));
                    let body = Body::new(shape).at(symmetry.position(position(0.5, 0.25 + fallen))).bounce(factor);
                    let body = world.spawn(body).unwrap();
                    let mut bounces = 0;
                    let mut expected: f64 = fallen;
                    while bounces < 4 {
                        world.step();
                        let hits =
                            world.events().iter().filter(|e| matches!(e.kind, EventKind::HitTile { .. })).count();
                        assert!(hits <= 1);
                        bounces += hits;
                        if hits == 1 {
                            expected *= factor * factor;
                        }
                        let (above, speed) = height(&world, body, rest);
                        let what = format!("tick {tick}, factor {factor}, bounce {bounces}");
                        // Energy as a height in tiles. Each impact loses a unit or two to rounding.
                        close(above + speed * speed / (2.0 * gravity), expected, 1e-8, &what);
                    }
                }
            }
        }
    }
}

#[test]
fn friction_stops_a_body_after_v_squared_over_two_mu_g() {
    let mut canvas = Canvas::default();
    canvas.blocks((-40, -1), (40, -1));
    for turns in 0..4 {
        let symmetry = Symmetry(Placement::new(false, turns));
        let map = canvas.map(symmetry);
        for tick in TICKS {
            for (friction, speed) in [(0.5, 10.0), (1.0, 10.0), (0.2, -10.0), (0.05, 3.0), (2.0, 33.0)] {
                for shape in [Shape::circle(0.25), Shape::aabb(0.25, 0.25)] {
                    let gravity = 40.0;
                    let mut world = World::new(map.clone(), settings(symmetry, tick, gravity));
                    let start = position(0.5, 0.25);
                    let body = Body::new(shape)
                        .at(symmetry.position(start))
                        .velocity(symmetry.velocity(DVec2::new(speed, 0.0)))
                        .friction(friction)
                        .rest_speed_threshold(0.0);
                    let body = world.spawn(body).unwrap();
                    let time = speed.abs() / (friction * gravity);
                    for _ in 0..=(time / tick).ceil() as u32 {
                        world.step();
                    }
                    let way = speed * speed.abs() / (2.0 * friction * gravity);
                    let end = to_lengths(world[body].position() - symmetry.position(start));
                    let expected = symmetry.velocity(DVec2::new(way, 0.0));
                    let lost = TOLERANCE.max((time / tick).ceil() * ROUNDING);
                    assert!(
                        (end - expected).length() <= lost,
                        "{symmetry:?} {tick} {friction} {speed}: {end} {expected}"
                    );
                    assert_eq!(world[body].velocity(), DVec2::ZERO);
                    let before = world[body].position();
                    world.step();
                    assert_eq!(world[body].position(), before);
                }
            }
        }
    }
}
