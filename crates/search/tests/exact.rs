//! Levels whose answer follows by hand from the reach of a jump: a ledge or a gap that is one unit too much is never reached.

use surefoot::prelude::*;
use surefoot::{Map, World};
use surefoot_search::{Answer, Goal, Options, Search, spawn_hero};

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// A ledge of 3 tiles.
const LEDGE: [&str; 6] = ["........", "......*.", "....####", "....####", ".@..####", "########"];
/// A gap of 5 tiles.
const GAP: [&str; 5] = ["...............", "...............", "...............", ".@...........*.", "#####.....#####"];
/// Size of a position's unit in tiles.
const UNIT: f64 = 1.0 / 4_294_967_296.0;

fn solve(rows: &[&str], character: Character) -> Result<Answer> {
    let text = format!("Map(format: 1, border: (left: Solid, right: Solid), tiles: {rows:?})");
    let mut world = World::from_map(Map::from_ron(&text)?, Settings::default());
    let hero = spawn_hero(&mut world, character)?;
    let options = Options { max_states: 20_000, ..Options::default() };
    Ok(Search::new(&world, hero).goal(Goal::Marker("goal".into())).options(options).run()?)
}

/// Returns the last number from `low` to `high` for which `is_enough` is still false. It is false for `low`, true for `high`,
/// and changes once.
fn last_too_little(mut low: f64, mut high: f64, is_enough: impl Fn(f64) -> bool) -> f64 {
    assert!(!is_enough(low) && is_enough(high));
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if is_enough(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    low
}

fn jumper(jump_height: f64) -> Character {
    Character { jump_height, ..Character::default() }
}

fn height(character: &Character) -> f64 {
    character.jump_reach(&Settings::default()).map_or(0.0, |reach| reach.height)
}

#[test]
fn a_ledge_that_is_a_few_units_too_high_is_not_reached() -> Result {
    let jump = last_too_little(2.5, 3.5, |jump| height(&jumper(jump)) >= 3.0);
    let missing = 3.0 - height(&jumper(jump));
    assert!((UNIT..64.0 * UNIT).contains(&missing), "{missing} tiles are missing");
    assert!(!matches!(solve(&LEDGE, jumper(jump))?, Answer::Reachable(_)));
    assert!(matches!(solve(&LEDGE, jumper(jump + 1.0 / 64.0))?, Answer::Reachable(_)));
    // The apex is between two ticks: up to g / 8 * tick^2 = 0.0014 tiles higher than at the end of a tick. The bound adds 0.0002.
    assert!(matches!(solve(&LEDGE, jumper(jump - 1.0 / 64.0))?, Answer::Unreachable(_)));
    Ok(())
}

/// The jump takes 24 ticks up and 24 ticks down, so it ends at the height of its take-off. It starts before the hero's left
/// side passes the left edge, and ends on the floor only if the right side has passed the right edge: the centre moves by more
/// than 5 - 0.7 tiles.
#[test]
fn a_gap_that_is_a_few_units_too_wide_is_not_reached() -> Result {
    let runner = |walk_speed: f64| Character { walk_speed, jump_time: 0.4, ..Character::default() };
    let distance = |speed: f64| runner(speed).jump_reach(&Settings::default()).map_or(0.0, |reach| reach.distance);
    let width = 2.0 * Shape::aabb(0.35, 0.45).half_extents().x;
    let speed = last_too_little(3.0, 8.0, |speed| distance(speed) > 5.0 - width);
    let missing = 5.0 - width - distance(speed);
    assert!((0.0..256.0 * UNIT).contains(&missing), "{missing} tiles are missing");
    assert!(!matches!(solve(&GAP, runner(speed))?, Answer::Reachable(_)));
    // At this speed, the hero moves 0.09 tiles a tick. The jump is 0.2 tiles longer than needed.
    assert!(matches!(solve(&GAP, runner(speed + 0.25))?, Answer::Reachable(_)));
    Ok(())
}
