//! Checks that the README is correct.

use crate::prelude::*;

const README: &str = include_str!("../README.md");
const LEVEL: &str = include_str!("../examples/window/level.ron");

/// The first map on a page.
fn map_of(page: &str) -> Map {
    let block = page.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a map");
    Map::from_ron(block).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_map_in_the_readme_can_be_walked_from_start_to_goal() {
    let map = map_of(README);
    let (start, goal) = (map.marker("start").unwrap(), map.marker("goal").unwrap());
    let mut world = World::new(map, Settings::default());
    let hero = world.spawn(hero().at(start)).unwrap();
    world.set_input(hero, Input { walk: 127, ..Input::default() });
    let arrives = (0..300).any(|_| {
        world.step();
        (world[hero].position() - goal).x.abs() < surefoot_geometry::ONE / 4
    });
    assert!(arrives, "it stopped at {}", world[hero].position());
}

/// The first program of the page is an example, which CI runs. Its output is compared with the comment at its end.
#[test]
fn the_quick_start_is_the_example() {
    let program = README.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a program");
    let (docs, example) = include_str!("../examples/quick_start.rs").split_once("\n\n").expect("docs and a program");
    assert!(docs.starts_with("//! "));
    assert_eq!(program, example);
}

#[test]
fn the_readme_is_short() {
    assert!(README.lines().count() <= 200);
}

#[test]
fn the_map_for_a_window_has_a_start_a_goal_and_balls() {
    let map = Map::from_ron(LEVEL).unwrap();
    let (terrain, hero) = (Terrain::bake(&map), Shape::aabb(0.35, 0.45));
    for marker in ["start", "goal"] {
        let position = map.marker(marker).unwrap_or_else(|| panic!("{marker}"));
        let stands = Mover::new(&terrain).stand_on_floor(hero, position);
        assert!(stands.is_some_and(|on| (on - position).y.abs() < surefoot_geometry::ONE), "{marker}: {stands:?}");
    }
    let balls: Vec<_> = map.markers("ball").collect();
    assert_eq!(balls.len(), 2);
    assert!(balls.iter().all(|ball| !Mover::new(&terrain).overlaps(Shape::circle(0.25), *ball)));
}

/// One command runs the main job, one runs the tests.
#[test]
fn two_commands_set_everything_up() {
    let commands = "\ncargo run --release -- replay maps/first_steps.replay.ron\ncargo test\n";
    assert!(include_str!("../README.md").contains(commands));
}
