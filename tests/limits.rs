//! The limits of the API: nothing panics, and the documented behaviour holds.

use crate::scene::{ONE, map, position};
use crate::table::pairs;
use surefoot::prelude::*;
use surefoot::{Input, World};

#[test]
fn a_jump_held_from_the_first_tick_starts_at_once() {
    let map = map(&["....", "....", "####"]);
    let hero = || Body::new(Shape::aabb(0.35, 0.45)).at(position(1.5, 1.45)).character(Character::default());
    let mut world = World::new(map.clone(), Settings::default());
    let spawned = world.spawn(hero()).unwrap();
    let moved = world.spawn(hero().at(position(3.5, 3.0))).unwrap();
    let pushed = world.spawn(hero().at(position(2.5, 1.45))).unwrap();
    world.step();
    world.teleport(moved, position(3.5, 1.45)).unwrap();
    world.set_velocity(pushed, (1.0, 0.0)).unwrap();
    let fresh = world.spawn(hero()).unwrap();
    for id in [spawned, moved, pushed, fresh] {
        world.set_input(id, Input { jump: true, ..Input::default() });
    }
    world.step();
    for id in [spawned, moved, pushed, fresh] {
        assert!(world[id].velocity().y > 10.0, "{id:?}: {}", world[id].velocity());
    }
}

#[test]
fn a_walk_of_a_thousand_tiles_does_not_end_at_a_seam() {
    let map = map(&[&".".repeat(1100), &"#".repeat(1100)]);
    let terrain = Terrain::bake(&map);
    let mover = Mover::new(&terrain);
    for (shape, y) in [(Shape::aabb(0.35, 0.45), 1.45), (Shape::circle(0.5), 1.5)] {
        let walked = mover.walk(shape, position(2.0, y), 1000.0);
        assert_eq!(walked.position, position(1002.0, y));
        assert_eq!(walked.path[..], [walked.position], "a straight way is one part");
        assert!(walked.hits.is_empty());
        assert_eq!(mover.walk(shape, walked.position, -1000.0).position, position(2.0, y));
    }
}

#[test]
fn invalid_shapes_touch_and_hit_nothing() {
    let map = map(&["....", "####"]);
    let terrain = Terrain::bake(&map);
    let mover = Mover::new(&terrain);
    let at = position(2.0, 1.0);
    for size in [f64::INFINITY, f64::NAN, -1.0, 0.0, 5000.0, -f64::INFINITY] {
        for shape in [Shape::circle(size), Shape::aabb(size, 0.5), Shape::aabb(0.5, size)] {
            assert!(shape.check().is_err());
            assert!(!mover.overlaps(shape, at) && mover.stand_on_floor(shape, at).is_none());
            for moved in [mover.slide(shape, at, (1.0, -1.0)), mover.walk(shape, at, 1.0), mover.touching(shape, at)] {
                assert_eq!((moved.position, moved.contacts().len()), (at, 0));
            }
        }
    }
    for motion in [(f64::NAN, 0.0), (0.0, f64::INFINITY)] {
        assert_eq!(mover.slide(Shape::circle(0.25), at, motion).position, at);
    }
}

#[test]
fn a_motion_that_is_too_long_is_shortened_in_its_direction() {
    let map = map(&["."]);
    let terrain = Terrain::bake(&map);
    let moved = Mover::new(&terrain).slide(Shape::circle(0.25), Position::ORIGIN, (1e9, 1e6));
    assert_eq!(moved.position, position(1000.0, 1.0));
    let moved = Mover::new(&terrain).slide_units(Shape::circle(0.25), Position::ORIGIN, (i64::MIN, 0));
    assert_eq!(moved.position, position(-1000.0, 0.0));
}

#[test]
fn a_ball_that_keeps_its_speed_keeps_it_however_often_it_bounces() {
    let map = map(&["###", "#.#", "###"]);
    for speed in [100.0, 250.0, 1000.0, 1e5] {
        let mut world = World::new(map.clone(), Settings::default().gravity((0.0, 0.0)));
        let ball = world.spawn(Body::new(Shape::aabb(0.25, 0.25)).at((1.5, 1.5)).velocity((speed, 0.0)).bounce(1.0));
        let ball = ball.unwrap();
        for _ in 0..100 {
            world.step();
            assert!((world[ball].velocity().x.abs() - speed).abs() < 1e-9 * speed);
        }
    }
}

#[test]
fn a_terrain_of_another_map_is_not_taken() {
    let (floor, gap) = (map(&["..", "##"]), map(&["..", "#."]));
    let mut painted = Terrain::bake(&floor);
    painted.set_tile(0, (1, 0), TileId::EMPTY).unwrap();
    for terrain in [Terrain::bake(&gap), painted] {
        let world = World::with_terrain(floor.clone(), terrain, Settings::default());
        assert!(world.terrain().matches_map(&floor));
        assert_eq!(world.checksum(), World::new(floor.clone(), Settings::default()).checksum());
    }
    assert!(Terrain::bake(&floor).matches_map(&floor));
}

#[test]
fn setting_a_tile_back_and_forth_leaves_no_trace() {
    let floor = map(&["..", "##"]);
    let block = floor.find_tile('#').unwrap();
    let mut world = World::new(floor.clone(), Settings::default());
    let before = world.checksum();
    for _ in 0..1000 {
        world.set_tile(0, (1, 0), TileId::EMPTY).unwrap();
        world.set_tile(0, (1, 0), block).unwrap();
    }
    assert_eq!(world.checksum(), before);
    assert!(world.terrain().matches_map(&floor));
}

#[test]
fn worlds_of_one_tile_and_of_extreme_ticks_run() {
    for (tick, rows) in pairs([1e-6, 1.0 / 60.0, 1.0], [&["."][..], &["#"][..], &["...", "#.#", "###"][..]]) {
        let mut world = World::new(map(rows), Settings::default().tick(tick));
        for i in 0..20 {
            let shape = if i % 2 == 0 { Shape::circle(0.3) } else { Shape::aabb(0.2, 0.4) };
            let body = Body::new(shape).at(position(0.5, 2.5)).velocity((1e9, -1e9 + f64::from(i)));
            world.spawn(if i % 3 == 0 { body.character(Character::default()) } else { body.bounce(1.0) }).unwrap();
        }
        for _ in 0..50 {
            world.step();
        }
        for (_, body) in world.bodies() {
            assert!(body.velocity().is_finite());
            assert!(
                body.position().units().abs().max_element() <= Position::LIMIT,
                "{}",
                body.position().units() / ONE
            );
        }
    }
}
