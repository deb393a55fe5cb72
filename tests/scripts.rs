//! Scripts of inputs with `until`, with ticks computed by hand.

use crate::prelude::*;
use surefoot::replay::{Script, ScriptError, ScriptErrorKind};

/// A hero at x = 1.5 on a floor, 0.9 high and 0.7 wide, between walls at x = 1 and x = 7.
fn hall(is_mirrored: bool) -> (World, BodyId) {
    let rows = ["#........", "#......##", "#......##", "#########"];
    let mirrored = rows.map(|row| row.chars().rev().collect::<String>());
    let rows = if is_mirrored { mirrored } else { rows.map(str::to_owned) };
    let mut world = World::new(Map::from_rows(rows.each_ref().map(String::as_str)).unwrap(), Settings::default());
    let x = if is_mirrored { 7.5 } else { 1.5 };
    let body = Body::new(Shape::aabb(0.35, 0.45)).at((x, 1.45)).character(Character::default());
    let hero = world.spawn(body).unwrap();
    // From the first tick on, the hero stands.
    world.step();
    (world, hero)
}

/// Plays a script and returns the number of ticks.
fn play(world: &mut World, hero: BodyId, script: &str) -> Result<u64, ScriptError> {
    let mut player = Script::parse(script)?.player();
    let before = world.tick();
    while let Some(input) = player.next_input(world, hero)? {
        world.set_input(hero, input);
        world.step();
    }
    Ok(world.tick() - before)
}

/// A hero that walks speeds up evenly to 8 tiles per second, for 8 ticks. After k >= 8 ticks, it is (8 k - 32) / 60
/// tiles further.
#[test]
fn a_line_ends_in_the_first_tick_in_which_its_condition_holds() {
    for (script, mirrored, ticks) in [
        // After 19 ticks, the hero is at x = 3.5.
        ("right until x > 3.49", "left until x < 5.51", 19),
        ("right until x > 3.51", "left until x < 5.49", 20),
        // The wall is 5.15 tiles away, which takes k >= 42.6 ticks.
        ("right until wall", "left until wall", 43),
        ("right until wall_right", "left until wall_left", 43),
        // The jump leaves the floor at once. Nothing is above.
        ("jump until air", "jump until air", 1),
        ("jump until jumped", "jump until jumped", 1),
        ("until floor", "until floor", 1),
        ("5 right\n20 right until x > 3.49\n7", "5 left\n20 left until x < 5.51\n7", 26),
        ("repeat 2\n3 right until floor\nend", "repeat 2\n3 left until floor\nend", 2),
    ] {
        let [(mut world, hero), (mut other, twin)] = [false, true].map(hall);
        assert_eq!(play(&mut world, hero, script), Ok(ticks), "{script}");
        assert_eq!(play(&mut other, twin, mirrored), Ok(ticks), "{mirrored}");
        let [at, mirror] = [world[hero].position().units(), other[twin].position().units()];
        assert_eq!((9 * ONE - at.x, at.y), (mirror.x, mirror.y), "{script}");
    }
}

/// A fall of 2 tiles takes sqrt(2 * 2 / 40) s = 18.97 ticks. Half of it takes 13.42 ticks.
#[test]
fn a_fall_ends_on_the_floor() {
    for (script, ticks) in [("until floor", 19), ("until landed", 19), ("until y < 2.45", 14)] {
        let (mut world, hero) = hall(false);
        world.teleport(hero, Position::new(3.0, 3.45).unwrap()).unwrap();
        assert_eq!(play(&mut world, hero, script), Ok(ticks), "{script}");
    }
}

#[test]
fn a_condition_that_never_holds_is_an_error_at_its_position() {
    let (mut world, hero) = hall(false);
    let error = play(&mut world, hero, "5\n18 right until x > 3.5\n9").unwrap_err();
    assert_eq!((world.tick(), error.line, error.column), (24, 2, 16));
    let ScriptErrorKind::NotReached { condition, ticks: 18, found } = &error.kind else { panic!("{error}") };
    assert_eq!((condition.as_str(), *found), ("x > 3.5", world[hero].position()));
    let text = error.to_string();
    assert!(
        text.starts_with("line 2, column 16: `x > 3.5` does not hold within 18 ticks: the body is at (3.36"),
        "{text}"
    );

    let (mut world, hero) = hall(false);
    let error = play(&mut world, hero, "left until x > 3.5").unwrap_err();
    assert!(matches!(error.kind, ScriptErrorKind::NotReached { ticks: Script::DEFAULT_LIMIT, .. }), "{error}");
    assert_eq!(world.tick(), 1 + Script::DEFAULT_LIMIT);

    world.despawn(hero).unwrap();
    let error = play(&mut world, hero, "2 until floor").unwrap_err();
    assert!(matches!(error.kind, ScriptErrorKind::MissingBody { ticks: 1 }), "{error}");
}

#[test]
fn a_marker_is_checked_between_the_lines() {
    let map = Map::from_rows([".........", "@...*....", "========="]).unwrap();
    let mut world = World::new(map, Settings::default());
    let body = Body::new(Shape::aabb(0.35, 0.45)).at((0.5, 1.45)).character(Character::default());
    let hero = world.spawn(body).unwrap();
    // To move more than 3.7 tiles takes k > 31.75 ticks.
    assert_eq!(play(&mut world, hero, "at start\nright until x > 4.2\nat goal"), Ok(32));
    let error = play(&mut world, hero, "1\nat start").unwrap_err();
    assert!(matches!(&error.kind, ScriptErrorKind::NotThere { marker, ticks: 1, .. } if marker == "start"), "{error}");
    assert_eq!((error.line, error.column), (2, 4));
    let error = play(&mut world, hero, "at gaol").unwrap_err();
    assert!(error.to_string().ends_with("the map has no marker \"gaol\"; did you mean `goal`?"), "{error}");
}
