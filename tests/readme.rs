//! What the README shows is so.

use surefoot::prelude::*;

const README: &str = include_str!("../README.md");

#[test]
fn the_map_in_the_readme_can_be_walked_from_start_to_goal() {
    let block = README.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a map");
    let map = Map::from_ron(block).unwrap_or_else(|error| panic!("{error}"));
    let (start, goal) = (map.marker("start").unwrap(), map.marker("goal").unwrap());
    let mut world = World::new(map, Settings::default());
    let hero = world.spawn(Body::new(Shape::aabb(0.35, 0.45)).at(start).character(Character::default())).unwrap();
    world.set_input(hero, Input { walk: 127, ..Input::default() });
    let arrives = (0..300).any(|_| {
        world.step();
        (world[hero].place() - goal).x.abs() < surefoot_geometry::ONE / 4
    });
    assert!(arrives, "it stopped at {}", world[hero].place());
}

#[test]
fn the_catalogue_in_the_library_is_the_one_in_assets() {
    let library = include_str!("../crates/engine/assets/patterns.ron");
    let assets = include_str!("../assets/patterns.ron");
    assert_eq!(library, assets, "copy assets/patterns.ron to crates/engine/assets/patterns.ron");
}
