//! The highest velocities, in every direction.

use crate::scene::{ONE, map, position, units};
use surefoot::RangeError;
use surefoot::body::MAX_SPEED;
use surefoot::prelude::*;
use surefoot::{
    Input, World,
    geometry::{DVec2, I64Vec2},
};

const SHAPES: [fn() -> Shape; 3] = [|| Shape::aabb(0.35, 0.45), || Shape::circle(0.4), || Shape::aabb(0.001, 0.001)];

/// Velocities of the highest size: along the axes, along the diagonals, and between.
fn velocities() -> Vec<DVec2> {
    let parts = [-1.0, -0.999_999, -0.5, -1e-3, -1e-9, 0.0, 1e-9, 1e-3, 0.5, 0.999_999, 1.0];
    let all = parts.iter().flat_map(|&x| parts.iter().map(move |&y| DVec2::new(x, y) * MAX_SPEED));
    all.filter(|velocity| velocity.abs().max_element() >= MAX_SPEED).collect()
}

/// Bodies of every kind with a velocity.
fn bodies(shape: Shape, velocity: DVec2) -> [Body; 5] {
    let body = Body::new(shape).velocity(velocity);
    let fast = Character { walk_speed: MAX_SPEED, max_fall_speed: MAX_SPEED, ..Character::default() };
    [
        body.clone().bounce(1.0),
        body.clone().friction(0.5),
        body.clone().response(Response::Stop),
        body.clone(),
        body.character(fast),
    ]
}

#[test]
fn velocities_beyond_the_limit_are_refused() {
    let mut world = World::new(map(&["."]), Settings::default());
    let ball = || Body::new(Shape::circle(0.25));
    let id = world.spawn(ball().velocity((MAX_SPEED, -MAX_SPEED))).unwrap();
    for speed in [MAX_SPEED.next_up(), f64::MAX, f64::INFINITY, f64::NAN] {
        for (velocity, field) in [
            ((speed, 0.0), "velocity.x"),
            ((-speed, 0.0), "velocity.x"),
            ((0.0, speed), "velocity.y"),
            ((0.0, -speed), "velocity.y"),
        ] {
            let refused = world.spawn(ball().velocity(velocity)).unwrap_err();
            let same = world.set_velocity(id, velocity).unwrap_err();
            assert!(matches!(refused, CommandError::Body(BodyError::Range(RangeError { field: f, .. })) if f == field));
            assert!(matches!(same, CommandError::Body(BodyError::Range(RangeError { field: f, .. })) if f == field));
        }
    }
    assert_eq!(world[id].velocity(), DVec2::new(MAX_SPEED, -MAX_SPEED));
}

#[test]
fn no_body_leaves_a_room_at_the_highest_speed() {
    let (width, height) = (40, 9);
    let wall = "#".repeat(width);
    let row = format!("#{}#", ".".repeat(width - 2));
    let mut rows = vec![row.as_str(); height];
    (rows[0], rows[height - 1]) = (&wall, &wall);
    let map = map(&rows);
    let terrain = Terrain::bake(&map);
    let high = I64Vec2::new(width as i64 - 1, height as i64 - 1) * ONE;
    for (tick, gravity) in [(1.0, -40.0), (1.0 / 60.0, 1e6), (1e-6, 0.0)] {
        let settings = Settings::default().tick(tick).gravity((0.0, gravity));
        let mut world = World::with_terrain(map.clone(), terrain.clone(), settings);
        for shape in SHAPES {
            for velocity in velocities() {
                for body in bodies(shape(), velocity) {
                    let id = world.spawn(body.at(position(20.3, 4.4))).unwrap();
                    world.set_input(id, Input { walk: if velocity.x < 0.0 { -127 } else { 127 }, ..Input::default() });
                }
            }
        }
        for tick in 0..20 {
            world.step();
            for (id, body) in world.bodies() {
                let (half, what) = (body.shape().half_units(), format!("{id:?} {:?} in tick {tick}", body.shape()));
                for at in body.path().iter().map(|position| position.units()).chain([body.position().units()]) {
                    let inside = (at - half).cmpge(I64Vec2::splat(ONE)).all() && (at + half).cmple(high).all();
                    assert!(inside, "{what} at {:?}", Position::clamped(at));
                }
                assert!(body.velocity().abs().max_element() <= MAX_SPEED, "{what}");
            }
        }
    }
}

#[test]
fn the_first_wall_on_the_path_stops_a_fast_body() {
    // The body starts in the middle between two walls, at a distance of `away` and a half tiles from each.
    for away in [1_i64, 2, 50, 333, 990] {
        let gap = ".".repeat(away as usize);
        let row = format!("#{gap}.{gap}#");
        let map = map(&[&row]);
        let terrain = Terrain::bake(&map);
        let settings = Settings::default().tick(1.0).gravity((0.0, 0.0));
        for shape in SHAPES.map(|shape| shape()) {
            let half = shape.half_units();
            for direction in [-1, 1_i64] {
                let mut world = World::with_terrain(map.clone(), terrain.clone(), settings);
                let velocity = DVec2::new(direction as f64 * MAX_SPEED, 0.0);
                let stopped: Vec<BodyId> = bodies(shape, velocity)[1..4]
                    .iter()
                    .map(|body| world.spawn(body.clone().at(units((2 * away + 3) * ONE / 2, ONE / 2))).unwrap())
                    .collect();
                world.step();
                let face = if direction < 0 { ONE + half.x } else { (2 * away + 2) * ONE - half.x };
                for id in stopped {
                    let at = world[id].position().units();
                    assert_eq!(at, I64Vec2::new(face, ONE / 2), "{shape:?} {direction} {away}");
                }
            }
        }
    }
}

#[test]
fn one_way_floors_stop_bodies_falling_at_the_highest_speed() {
    let map = map(&["....", "....", "==--", "....", "=-=-", "...."]);
    let settings = Settings::default().tick(1.0);
    for shape in SHAPES.map(|shape| shape()) {
        for over in [0.001, 1.0, 500.0] {
            let mut world = World::new(map.clone(), settings);
            let mut stand = Vec::new();
            for x in [0.5, 1.5, 2.5, 3.5] {
                for body in &bodies(shape, DVec2::new(0.0, -MAX_SPEED))[1..] {
                    let y = 4.0 + over + shape.half_extents().y;
                    stand.push(world.spawn(body.clone().at(position(x, y))).unwrap());
                }
            }
            world.step();
            for id in stand {
                assert_eq!(world[id].position().units().y, 4 * ONE + shape.half_units().y, "{shape:?} from {over}");
            }
        }
    }
}

#[test]
fn a_tick_moves_at_most_a_thousand_tiles_over_an_open_map() {
    let map = map(&["."]);
    let settings = Settings::default().tick(1.0).gravity((0.0, 0.0));
    let most = (Mover::MAX_MOTION * ONE as f64) as i64;
    for velocity in velocities() {
        let mut world = World::new(map.clone(), settings);
        let thrown: Vec<BodyId> =
            bodies(Shape::circle(0.3), velocity).into_iter().map(|body| world.spawn(body).unwrap()).collect();
        for tick in 1..=5 {
            let before: Vec<Position> = thrown.iter().map(|&id| world[id].position()).collect();
            world.step();
            for (&id, &before) in thrown[..4].iter().zip(&before) {
                let moved = world[id].position() - before;
                assert_eq!(moved.abs().max_element(), most, "{velocity} {moved}");
                // The body moves in the direction of its velocity, to the unit.
                let expected = velocity / MAX_SPEED * most as f64;
                assert!((moved.as_dvec2() - expected).abs().max_element() <= 1.0, "{velocity} {moved}");
                assert_eq!(world[id].velocity(), velocity, "tick {tick}");
            }
            assert!((world[thrown[4]].position() - before[4]).abs().max_element() <= most, "a character");
        }
    }
    // The strongest gravity gives the highest speed and no more.
    let settings = Settings::default().tick(1.0).gravity((1e6, -1e6));
    let mut world = World::new(map, settings);
    let pulled = world.spawn(Body::new(Shape::circle(0.3)).gravity_scale(1000.0)).unwrap();
    for tick in 1..=3 {
        world.step();
        assert_eq!(world[pulled].velocity(), DVec2::new(MAX_SPEED, -MAX_SPEED));
        assert_eq!(world[pulled].position(), position(1000.0 * f64::from(tick), -1000.0 * f64::from(tick)));
    }
}

#[test]
fn a_character_runs_over_a_long_floor_at_the_greatest_speed() {
    let length = 10_000;
    let map = map(&[&".".repeat(length), &"#".repeat(length)]);
    let character = Character { walk_speed: MAX_SPEED, ground_acceleration: MAX_SPEED, ..Character::default() };
    let mut world = World::new(map, Settings::default().tick(1.0));
    let shape = Shape::aabb(0.35, 0.45);
    let hero = world.spawn(Body::new(shape).at(position(0.5, 1.45)).character(character)).unwrap();
    world.set_input(hero, Input { walk: 127, ..Input::default() });
    for tick in 1..=9 {
        world.step();
        assert_eq!(world[hero].position(), position(0.5 + 1000.0 * f64::from(tick), 1.45));
        assert!(world[hero].on_floor());
    }
}
