//! Levels whose answer follows by hand from the path of a jump: a ledge that is one unit too high and a gap that is two
//! units too wide are never reached.
//!
//! A jump of 16 ticks up moves by `(33 - 2 i) / 256` of its height in tick i: each of these is a whole number of units
//! for a height of 3 tiles. A unit is the smallest distance between two positions. Each tick is rounded to whole units
//! by itself, so the height of the path is a sum of rounded numbers.

use surefoot::prelude::*;
use surefoot::{Input, Map, World};
use surefoot_search::{Answer, Bound, Goal, Options, Search, spawn_hero_at};

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// A ledge of 3 tiles.
const LEDGE: [&str; 6] = ["........", "......*.", "....####", "....####", ".@..####", "########"];
/// A gap of 5 tiles.
const GAP: [&str; 5] = ["...............", "...............", "...............", "..@..........*.", "#####.....#####"];
/// Size of a position's unit in tiles.
const UNIT: f64 = 1.0 / 4_294_967_296.0;
/// Ticks from the take-off to the top of a jump, and their time in seconds.
const RISE_TICKS: u32 = 16;
const RISE_TIME: f64 = 16.0 / 60.0;

fn world(rows: &[&str], shape: Shape, character: Character) -> Result<(World, BodyId)> {
    let text = format!("Map(format: 1, border: (left: Solid, right: Solid), tiles: {rows:?})");
    let mut world = World::from_map(Map::from_ron(&text)?, Settings::default());
    let hero = spawn_hero_at(&mut world, "start", shape, character)?;
    Ok((world, hero))
}

fn solve(world: &World, hero: BodyId) -> Result<Answer> {
    let options = Options { max_states: 20_000, ..Options::default() };
    Ok(Search::new(world, hero).goal(Goal::Marker("goal".into())).options(options).run()?)
}

fn jumper(jump_height: f64) -> Character {
    Character { jump_height, jump_time: RISE_TIME, ..Character::default() }
}

/// Returns the height of the highest tick of a jump, by hand: each tick's motion is rounded to units.
fn height_by_hand(jump_height: f64) -> f64 {
    let motion = |tick: u32| (f64::from(33 - 2 * tick) / 256.0 * jump_height / UNIT).round();
    (1..=RISE_TICKS).map(motion).sum::<f64>() * UNIT
}

fn solve_ledge(jump_height: f64) -> Result<Answer> {
    let (world, hero) = world(&LEDGE, Shape::aabb(0.35, 0.45), jumper(jump_height))?;
    solve(&world, hero)
}

#[test]
fn a_ledge_that_is_one_unit_too_high_is_not_reached() -> Result {
    let height = |character: Character| character.jump_reach(&Settings::default()).map(|reach| reach.height);
    assert_eq!((height_by_hand(3.0), height(jumper(3.0))), (3.0, Some(3.0)));
    assert!(matches!(solve_ledge(3.0)?, Answer::Reachable(_)));
    // The jump is 4.2 units lower. The first tick loses 31 / 256 of that: more than half a unit, which rounds to one
    // unit. Each later tick loses less than half a unit, which rounds to none.
    let low = 3.0 - 4.2 * UNIT;
    assert_eq!((height_by_hand(low), height(jumper(low))), (3.0 - UNIT, Some(3.0 - UNIT)));
    assert!(matches!(solve_ledge(low)?, Answer::NotFound(_)));
    Ok(())
}

/// The bound rounds up, so it proves nothing about a ledge that is only a little too high. The bound adds 1/4096 tile
/// to the rise, and counts floor and ledge as touched from 1/4096 tile away: 3/4096 in all.
///
/// Gravity adds a speed of `3 / 128 * 60` tiles per second in a tick. If the fall is limited to less than this speed,
/// the bound adds `4 g t^2 / 8` more. For a rise of 16 ticks, that is 1/256 of the jump's height.
#[test]
fn a_ledge_is_proven_out_of_reach_if_it_is_more_than_the_spare_of_the_bound_too_high() -> Result {
    let gravity_of_tick = 3.0 / 128.0 * 60.0;
    let spare = 3.0 / 4096.0;
    for (max_fall_speed, last) in [
        (Character::default().max_fall_speed, 3.0 - spare),
        (gravity_of_tick + 0.01, 3.0 - spare),
        (gravity_of_tick - 0.01, (3.0 - spare) * 256.0 / 257.0),
    ] {
        let character = |jump_height: f64| Character { max_fall_speed, ..jumper(jump_height) };
        let is_proven = |jump_height: f64| -> Result<bool> {
            let (world, hero) = world(&LEDGE, Shape::aabb(0.35, 0.45), character(jump_height))?;
            let bound = Bound::new(&world, hero)?;
            let goal = world.map().marker("goal").ok_or("no goal")?.to_dvec2();
            Ok(!bound.reach().contains(goal, goal))
        };
        let (proven, not_proven) = (is_proven(last - 4.0 * UNIT)?, is_proven(last + 4.0 * UNIT)?);
        assert!(proven && !not_proven, "{max_fall_speed}: {proven} {not_proven}");
    }
    assert!(matches!(solve_ledge(3.0 - spare - 4.0 * UNIT)?, Answer::Unreachable(_)));
    Ok(())
}

/// The jump takes 32 ticks back to the height of its take-off, and moves 17 / 128 tiles in each: 4.25 tiles together.
/// It starts before the left side of the hero passes the edge of the gap, and ends on the floor only if its right side
/// is beyond the other edge. Both take one unit. So a hero that is 0.75 tiles and 2 units wide just jumps 5 tiles, from
/// one position alone.
#[test]
fn a_gap_that_is_two_units_too_wide_is_not_jumped() -> Result {
    const TICK_TILES: f64 = 17.0 / 128.0;
    // With this acceleration, the hero has its full speed at the end of the first tick. Its mean speed in that tick is
    // half of it.
    let at_once = 4000.0;
    let runner = Character {
        walk_speed: TICK_TILES * 60.0,
        ground_acceleration: at_once,
        ground_braking: at_once,
        air_acceleration: at_once,
        ..jumper(3.0)
    };
    for (half, expected) in [(0.375 + UNIT, vec![21]), (0.375, vec![])] {
        let (mut world, hero) = world(&GAP, Shape::aabb(half, 0.45), runner)?;
        // After 21 ticks of running, one unit of the lower side is on the floor.
        world.teleport(hero, (5.375 - 20.5 * TICK_TILES, 1.45))?;
        let lands = |press: &u32| {
            let mut world = world.clone();
            for tick in 0..100 {
                world.set_input(hero, Input { jump: tick >= *press, ..Input::walk(1.0) });
                world.step();
            }
            world[hero].position().to_dvec2().y > 1.0
        };
        assert_eq!((0..40).filter(lands).collect::<Vec<_>>(), expected);
        assert_eq!(matches!(solve(&world, hero)?, Answer::Reachable(_)), !expected.is_empty());
    }
    Ok(())
}
