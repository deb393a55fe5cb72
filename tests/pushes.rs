//! The effect of a pushing platform on a body over many ticks.

use crate::prelude::*;

/// A wall at 5 tiles per second reaches a ball at rest. From the tick of contact on, the ball is flush with the wall,
/// although it has the wall's velocity: the wall moves first, and its push counts towards the ball's own displacement.
#[test]
fn a_pushed_ball_does_not_run_ahead_of_the_wall() {
    let map = map_with(&["."], "");
    for shape in [Shape::circle(0.25), Shape::aabb(0.25, 0.25)] {
        let mut world = World::new(map.clone(), Settings::default().gravity(DVec2::ZERO));
        let wall = Platform::from_rows(&map, ["#"]).unwrap().path(along(50.0, 0.0, 5.0));
        let wall = world.spawn_platform(wall).unwrap();
        // The ball is 0.2 tiles from the wall, which arrives in the third tick.
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

/// The upper right corner of a block reaches a circle of radius r whose centre is r / 2 higher. So the normal n is 30
/// degrees above the direction D of the block. The circle moves by n (n.D), and n turns meanwhile. With the angle a
/// from D to n, and the block's displacement s: da / ds = sin a / r. Integrated from 30 to 90 degrees, where the circle
/// leaves, it moves r (1 - sin a) up and r (-ln tan (a / 2) - cos a) sideways, at any speed. A character gets no
/// velocity from a wall.
#[test]
fn a_small_circle_rolls_around_a_fast_corner() {
    let map = map_with(&["."], "");
    let radius = 1.0 / 16.0;
    // The number 1.316... is -ln (tan 15 degrees) = ln (2 + sqrt 3).
    let expected = DVec2::new(1.316_957_896_924_817 - 0.75_f64.sqrt(), 0.5) * radius;
    for (right, speed) in [(1, 6.0), (1, 30.0), (-1, 30.0), (1, 120.0), (1, 1200.0), (1, 12000.0)] {
        let mut world = World::new(map.clone(), Settings::default().gravity(DVec2::ZERO));
        let block = Platform::from_rows(&map, ["#"]).unwrap().path(along(f64::from(right) * 10000.0, 0.0, speed));
        let block = world.spawn_platform(block).unwrap();
        let off = I64Vec2::new((radius * 0.75_f64.sqrt() * ONE as f64).ceil() as i64, ONE / 32);
        let corner = if right > 0 { ONE } else { 0 };
        let at = units(corner + i64::from(right) * off.x, ONE + off.y);
        let circle = world.spawn(Body::new(Shape::circle(radius)).at(at).character(Character::default())).unwrap();
        for _ in 1..=20 {
            world.step();
            assert_eq!(world[circle].velocity(), DVec2::ZERO);
        }
        let gone = (world[circle].position() - at).as_dvec2() / ONE as f64 * DVec2::new(f64::from(right), 1.0);
        assert!((gone - expected).length() < radius / 8.0, "{right} {speed}: {gone} and not {expected}");
        assert_eq!(world.platform(block).unwrap().position(), position(f64::from(right) * speed / 3.0, 0.0));
    }
}
