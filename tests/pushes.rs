//! What a platform that pushes does to a body over many ticks. What is not as it should be is asserted as it is.

use crate::scene::{I64Vec2, ONE, map_with, position, units};
use surefoot::platform::{Pace, Path, Platform};
use surefoot::prelude::*;
use surefoot::{World, geometry::DVec2};

fn along(x: f64, y: f64, speed: f64) -> Path {
    Path { points: vec![Position::ORIGIN, position(x, y)], pace: Pace::Speed(speed), ..Path::default() }
}

/// A wall at 5 tiles per second comes to a ball at rest. From the tick of contact on the ball is flush with it, though it has the
/// wall's velocity: the wall moves first, and what it pushes is taken from the ball's own way.
#[test]
fn a_pushed_ball_does_not_run_ahead_of_what_pushes_it() {
    let map = map_with(&["."], "");
    for shape in [Shape::circle(0.25), Shape::aabb(0.25, 0.25)] {
        let mut world = World::new(map.clone(), Settings::default().gravity(DVec2::ZERO));
        let wall = Platform::from_rows(&map, ["#"]).unwrap().along(along(50.0, 0.0, 5.0));
        let wall = world.spawn_platform(wall).unwrap();
        // 0.2 tiles from the wall: it comes in the third tick.
        let ball = world.spawn(Body::new(shape).at((1.45, 0.5))).unwrap();
        for tick in 1..=120 {
            world.step();
            let gap = (world[ball].position() - world.platform(wall).unwrap().position()).x - ONE - ONE / 4;
            let gap = gap as f64 / ONE as f64;
            let expected = match tick {
                1 => 0.2 - 5.0 / 60.0,
                2 => 0.2 - 10.0 / 60.0,
                _ => 0.0,
            };
            assert!((gap - expected).abs() < 1e-7, "{shape:?} {tick}: {gap}");
            let speed = if tick < 3 { 0.0 } else { 5.0 };
            assert!((world[ball].velocity() - DVec2::new(speed, 0.0)).length() < 1e-6, "{shape:?} {tick}");
        }
    }
}

/// The upper right corner of a block comes to a circle of 1/16 whose centre is by half of that higher, so that the normal is
/// (sqrt(3) / 2, 1 / 2). A character takes no velocity from a wall.
///
/// FIXME: the circle goes along the tangent for the whole tick, n (n.D) with D the way of the block, and is flicked off the corner.
/// As long as the corner is in the way the circle should roll round it, and be left higher by 1/16.
#[test]
fn a_small_circle_at_a_fast_corner_is_flicked_off_by_a_tangent() {
    let map = map_with(&["."], "");
    let radius = 1.0 / 16.0;
    for speed in [30.0, 120.0] {
        let mut world = World::new(map.clone(), Settings::default().gravity(DVec2::ZERO));
        let block = Platform::from_rows(&map, ["#"]).unwrap().along(along(20.0, 0.0, speed));
        let block = world.spawn_platform(block).unwrap();
        let off = I64Vec2::new((radius * 0.75_f64.sqrt() * ONE as f64).ceil() as i64, ONE / 32);
        let circle =
            Body::new(Shape::circle(radius)).at(units(ONE + off.x, ONE + off.y)).character(Character::default());
        let circle = world.spawn(circle).unwrap();
        let way = speed / 60.0;
        for tick in 1..=5 {
            world.step();
            let at = world[circle].position().to_dvec2() - DVec2::ONE - off.as_dvec2() / ONE as f64;
            let expected = DVec2::new(0.75, 0.75_f64.sqrt() / 2.0) * way;
            assert!((at - expected).length() < 1e-6, "{speed} {tick}: {at} and not {expected}");
            assert_eq!(world[circle].velocity(), DVec2::ZERO);
        }
        assert_eq!(world.platform(block).unwrap().position(), position(way * 5.0, 0.0));
    }
}
