//! Random levels made from a known run: a random run carves a way through noise, so the goal at its end is reachable.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use surefoot::prelude::*;
use surefoot::{Input, Map, World};
use surefoot_random::Random;
use surefoot_search::{Answer, Goal, Options, Search};

const WIDTH: i32 = 64;
const HEIGHT: i32 = 32;
const HALF: (f64, f64) = (0.35, 0.45);

/// Held buttons of a random run: mostly to one side, with jumps.
fn random_input(random: &mut Random, forwards: bool) -> Input {
    let walk = if random.one_in(5) {
        0
    } else if forwards ^ random.one_in(4) {
        127
    } else {
        -127
    };
    Input { walk, jump: random.one_in(2), ..Input::default() }
}

/// Cells that the box of a hero overlaps.
fn covered(world: &World, hero: BodyId) -> BTreeSet<(i32, i32)> {
    let at = world[hero].position().to_dvec2();
    // Contact is not overlap: a box that stands on y = 1 is not in the cells below.
    let range = |at: f64, half: f64| (at - half + 1e-6).floor() as i32..=(at + half - 1e-6).floor() as i32;
    range(at.x, HALF.0).flat_map(|x| range(at.y, HALF.1).map(move |y| (x, y))).collect()
}

fn hero_at(map: Map, start: Position) -> (World, BodyId) {
    let mut world = World::new(map, Settings::default());
    let body = Body::new(Shape::aabb(HALF.0, HALF.1)).at(start).character(Character::default());
    let hero = world.spawn(body).unwrap();
    (world, hero)
}

fn map_of(solid: &BTreeSet<(i32, i32)>, goal: Option<(i32, i32)>) -> Map {
    let letter = |x, y| {
        if goal == Some((x, y)) {
            '*'
        } else if solid.contains(&(x, y)) {
            '#'
        } else {
            '.'
        }
    };
    let rows: Vec<String> = (0..HEIGHT).rev().map(|y| (0..WIDTH).map(|x| letter(x, y)).collect()).collect();
    let border = "(left: Solid, right: Solid, bottom: Solid, top: Solid)";
    Map::from_ron(&format!("Map(format: 1, border: {border}, tiles: {rows:?})")).unwrap()
}

/// A level with a run through it: the map, the start, and the inputs of the run.
struct Carved {
    map: Map,
    start: Position,
    inputs: Vec<Input>,
}

/// Plays a random run on a few random floors. Then fills every cell that the run did not cover with noise, and keeps
/// the floors and walls that the run touched. The run on the new level is checked to be the same.
fn carve(seed: u64) -> Option<Carved> {
    let mut random = Random(seed);
    let mut solid = BTreeSet::new();
    for _ in 0..24 {
        let (x, y) = (random.between(0, i64::from(WIDTH) - 6) as i32, random.between(0, i64::from(HEIGHT) - 1) as i32);
        let (long, high) = (random.between(2, 7) as i32, random.between(1, 2) as i32);
        solid.extend((x..x + long).flat_map(|x| (y..y + high).map(move |y| (x, y))));
    }
    let start = Position::new(2.5, HALF.1).ok()?;
    solid.retain(|&(x, y)| x >= 6 || y >= 3);
    let (mut world, hero) = hero_at(map_of(&solid, None), start);
    let (mut inputs, mut way, mut kept) = (Vec::new(), covered(&world, hero), BTreeSet::new());
    let mut path = Vec::new();
    while inputs.len() < 600 {
        let forwards = !random.one_in(3);
        for _ in 0..random.between(2, 6) {
            let (input, ticks) = (random_input(&mut random, forwards), random.between(4, 24));
            for _ in 0..ticks {
                world.set_input(hero, input);
                world.step();
                inputs.push(input);
                path.push(world[hero].position());
                way.append(&mut covered(&world, hero));
                kept.extend(world.contacts(hero).iter().map(|contact| contact.tile));
                kept.extend(world.events().iter().filter_map(|event| match event.kind {
                    EventKind::HitTile { tile, .. } => Some(tile),
                    _ => None,
                }));
            }
        }
    }
    let goal = way.iter().copied().max_by_key(|&(x, y)| (x - 2).abs() + y)?;
    let noise = 1 + random.below(6);
    let mut filled: BTreeSet<(i32, i32)> = kept.into_iter().filter(|tile| solid.contains(tile)).collect();
    for cell in (0..WIDTH).flat_map(|x| (0..HEIGHT).map(move |y| (x, y))) {
        if !way.contains(&cell) && random.below(10) < noise {
            filled.insert(cell);
        }
    }
    let map = map_of(&filled, Some(goal));
    // Noise next to the path may change the run, for example by a corner correction. Then drop the level.
    let (mut world, hero) = hero_at(map.clone(), start);
    for (input, at) in inputs.iter().zip(&path) {
        world.set_input(hero, *input);
        world.step();
        if world[hero].position() != *at {
            return None;
        }
    }
    let level = Carved { map, start, inputs };
    // Also drop the level if the goal is next to the start, because it would show nothing.
    ticks_to_goal(&level, &level.inputs).is_some_and(|ticks| ticks > 60).then_some(level)
}

/// Returns the first tick in which the run reaches the goal.
fn ticks_to_goal(level: &Carved, inputs: &[Input]) -> Option<usize> {
    let goal = level.map.marker("goal")?.to_dvec2();
    let (mut world, hero) = hero_at(level.map.clone(), level.start);
    inputs.iter().position(|input| {
        world.set_input(hero, *input);
        world.step();
        let off = (world[hero].position().to_dvec2() - goal).abs();
        off.x < HALF.0 && off.y < HALF.1
    })
}

/// `SUREFOOT_CARVED` is the number of levels of a long run, in which each search has 10 s.
#[test]
fn carved_levels_are_solved() {
    let long: Option<usize> = std::env::var("SUREFOOT_CARVED").ok().and_then(|count| count.parse().ok());
    let count = long.unwrap_or(12);
    // Limit the short run by states, so that only the long run depends on the speed of the machine.
    let options = match long {
        Some(_) => Options { max_time: Some(Duration::from_secs(10)), ..Options::default() },
        None => Options { max_states: 200_000, ..Options::default() },
    };
    let levels = (0..).filter_map(carve).take(count);
    let (mut missed, mut slowest) = (Vec::new(), Duration::ZERO);
    for (index, level) in levels.enumerate() {
        let (world, hero) = hero_at(level.map.clone(), level.start);
        let begun = Instant::now();
        let search = Search::new(&world, hero).goal(Goal::Marker("goal".to_owned())).options(options.clone());
        match search.run().unwrap() {
            Answer::Reachable(run) => {
                let inputs: Vec<Input> =
                    run.inputs.iter().flat_map(|part| (0..part.ticks).map(|_| part.input)).collect();
                assert_eq!(ticks_to_goal(&level, &inputs), Some(inputs.len() - 1), "level {index}");
                slowest = slowest.max(begun.elapsed());
            }
            Answer::NotFound(nearest) => missed.push(format!("{index}: {nearest}")),
            Answer::Unreachable(proof) => panic!("level {index}: {proof}, but a run reaches its goal"),
        }
    }
    println!("{} of {count} levels found, the slowest in {slowest:?}; missed {missed:?}", count - missed.len());
    assert!(missed.len() * 100 <= count, "{missed:?}");
}

#[test]
fn the_generator_makes_different_levels() {
    let levels: Vec<Carved> = (0..200).filter_map(carve).collect();
    // Noise may disturb a run, and a random run may stay near its start.
    assert!(levels.len() >= 10, "{}", levels.len());
    let cells: BTreeSet<_> = levels.iter().map(|level| level.map.layers()[0].cells.clone()).collect();
    assert_eq!(cells.len(), levels.len());
}
