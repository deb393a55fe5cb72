//! Searches in worlds that are made to break them: nothing panics, and states, memory and time stay within the limits.

use std::time::Duration;
use surefoot::map::{CollisionLayers, MapParts};
use surefoot::prelude::*;
use surefoot::{Map, World};
use surefoot_random::Random;
use surefoot_search::{Answer, Goal, Limit, Options, Search, spawn_hero};

/// Bytes that a search may take besides its limit: the worlds and snapshots in which it plays, and the first chunks of
/// its lists.
const BESIDE_THE_STATES: u64 = 600 << 10;

/// Searches, surveys and improves a found run for a moment, and checks the limits. Returns the number of states of the
/// search.
fn search(name: &str, world: &World, hero: BodyId, goal: Goal<'_>, options: &Options) -> usize {
    let (mut answer, mut copy) = (None, None);
    let of_world = allocation_counter::measure(|| copy = Some((world.clone(), world.capture()))).bytes_max;
    drop(copy);
    let most = options.max_memory as u64 + 4 * of_world + BESIDE_THE_STATES;
    let check = |what: &str, work: &mut dyn FnMut()| {
        let used = allocation_counter::measure(work).bytes_max;
        assert!(used <= most, "{name}: {used} bytes of the {what}; expected at most {most}");
    };
    let search = Search::new(world, hero).goal(goal).options(options.clone());
    check("search", &mut || answer = Some(search.run().unwrap_or_else(|error| panic!("{name}: {error}"))));
    let mut survey = None;
    check("survey", &mut || survey = Some(search.survey().unwrap_or_else(|error| panic!("{name}: {error}"))));
    assert!(survey.is_some_and(|survey| survey.states <= options.max_states), "{name}");
    if let Some(Answer::Reachable(run)) = &answer {
        check("improvement", &mut || {
            let better =
                search.improve(run, Duration::from_millis(50)).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(better.ticks() <= run.ticks(), "{name}");
        });
    }
    let (inputs, states) = match answer {
        Some(Answer::Reachable(run)) => (run.inputs, run.states),
        Some(Answer::NotFound(nearest)) => (nearest.inputs, nearest.states),
        _ => (Vec::new(), 0),
    };
    assert!(states <= options.max_states, "{name}: {states} states");
    let mut played = world.clone();
    for run in inputs {
        for _ in 0..run.ticks {
            played.set_input(hero, run.input);
            played.step();
        }
    }
    states
}

fn first_character(world: &World) -> Option<BodyId> {
    world.bodies().find(|(_, state)| state.character().is_some()).map(|(id, _)| id)
}

/// Random small maps with bodies of all sorts, and characters with numbers of all sorts.
#[test]
fn random_worlds_stay_within_the_limits() {
    let (mut random, mut searched) = (Random(47), 0);
    for case in 0..60 {
        let bytes: Vec<u8> = (0..2000).map(|_| random.below(256) as u8).collect();
        let Some(world) = surefoot_fuzz::random_world(&bytes) else { continue };
        let Some(hero) = first_character(&world) else { continue };
        let (origin, size) = (world.map().origin(), world.map().size());
        let goal_cell = (origin.0 + random.below(size.0.into()) as i32, origin.1 + random.below(size.1.into()) as i32);
        let low = Position::new(f64::from(goal_cell.0), f64::from(goal_cell.1)).unwrap();
        let high = Position::new(f64::from(goal_cell.0) + 1.0, f64::from(goal_cell.1) + 1.0).unwrap();
        let options = Options { max_states: 150, max_memory: 1 << 20, ..Options::default() };
        search(&format!("world {case}"), &world, hero, Goal::Rectangle { low, high }, &options);
        searched += 1;
    }
    assert!(searched > 20, "{searched} worlds with a character");
}

/// Returns a world with a hero at the marker `start` of a text map.
fn hero_in(text: &str) -> (World, BodyId) {
    let mut world = World::from_map(Map::from_ron(text).unwrap(), Settings::default());
    let hero = spawn_hero(&mut world, Character::default()).unwrap();
    (world, hero)
}

fn goal() -> Goal<'static> {
    Goal::Marker("goal".to_owned())
}

/// A map of a million cells has larger cells in the flood if the memory is small.
#[test]
fn a_large_map_stays_within_the_memory() {
    let map = Map::from_parts(MapParts::new(2000, 500)).unwrap();
    let mut world = World::new(map, Settings::default());
    let body = Body::new(Shape::aabb(0.35, 0.45)).at((1000.0, 250.0)).character(Character::default());
    let hero = world.spawn(body).unwrap();
    let [low, high] = [(1900.0, 490.0), (1901.0, 491.0)].map(|(x, y)| Position::new(x, y).unwrap());
    for max_memory in [1 << 20, 4 << 20] {
        let options = Options { max_states: 400, max_memory, ..Options::default() };
        search("a large map", &world, hero, Goal::Rectangle { low, high }, &options);
    }
}

/// The run over a long floor is found, so that it is improved too.
#[test]
fn a_long_floor_stays_within_the_memory() {
    let rows = ["@".to_owned() + &".".repeat(150) + "*", "#".repeat(152)];
    let (world, hero) = hero_in(&format!("Map(format: 1, tiles: {rows:?})"));
    let options = Options { max_states: 20_000, max_memory: 2 << 20, ..Options::default() };
    assert!(search("a long floor", &world, hero, goal(), &options) > 50);
}

/// Each of 64 targets has a flood of its own.
#[test]
fn many_targets_share_the_memory() {
    let row: String = (0..64).map(|_| "o..").collect();
    let floor = "#".repeat(row.len() + 1);
    let rows: Vec<String> = (0..24).map(|_| ".".repeat(row.len() + 1)).chain([format!("{row}@"), floor]).collect();
    let text = format!("Map(format: 1, legend: {{'o': (marker: \"coin\")}}, tiles: {rows:?})");
    let (world, hero) = hero_in(&text);
    let options = Options { max_states: 3000, max_memory: 2 << 20, ..Options::default() };
    search("many targets", &world, hero, Goal::Markers(vec!["coin".to_owned()]), &options);
}

/// A maze with one way, which is long for the flood and for the hero.
#[test]
fn a_maze_stays_within_the_limits() {
    let mut rows = vec!["@".to_owned() + &".".repeat(63)];
    for row in 0..20 {
        let gap = if row % 2 == 0 { 63 } else { 0 };
        rows.push((0..64).map(|x| if x == gap { '.' } else { '#' }).collect());
        rows.push(".".repeat(64));
    }
    rows.push(".".repeat(40) + "*" + &".".repeat(23));
    rows.push("#".repeat(64));
    let border = "border: (left: Solid, right: Solid)";
    let (world, hero) = hero_in(&format!("Map(format: 1, {border}, tiles: {rows:?})"));
    let options = Options { max_states: 20_000, max_memory: 1 << 20, ..Options::default() };
    search("a maze", &world, hero, goal(), &options);
}

/// Each crate and each platform makes other states of the level.
#[test]
fn many_crates_and_platforms_stay_within_the_limits() {
    let rows =
        ["..............................*", "@..............................", "###############################"];
    let platform = |i: usize| {
        let (x, y) = (2 + i % 24, 2 + i / 24);
        format!("(at: ({x}, {y}), motion: Path(points: [(0, 0), (3, 0)], speed: {}.5), tiles: [\"#\"])", 1 + i % 7)
    };
    let platforms: Vec<String> = (0..40).map(platform).collect();
    let text = format!("Map(format: 1, tiles: {rows:?}, platforms: [{}])", platforms.join(", "));
    let (mut world, hero) = hero_in(&text);
    for i in 0..40 {
        let at = (3.0 + 0.6 * f64::from(i), 4.0 + f64::from(i % 5));
        let body = Body::new(Shape::aabb(0.2, 0.2)).at(at).collision_mask(CollisionLayers::ALL);
        world.spawn(body).unwrap();
    }
    let options = Options { max_states: 100_000, max_memory: 2 << 20, ..Options::default() };
    let states = search("crates and platforms", &world, hero, goal(), &options);
    assert!(states < 100_000, "the memory ends the search");
}

/// A limit of time ends a search within a batch: no input is tried after it.
#[test]
fn no_input_is_tried_after_the_limit_of_time() {
    let (world, hero) =
        hero_in("Map(format: 1, tiles: [\"...............*\", \"@...............\", \"################\"])");
    let options = Options { max_time: Some(Duration::ZERO), ..Options::default() };
    match Search::new(&world, hero).goal(goal()).options(options).run() {
        Ok(Answer::NotFound(nearest)) => assert_eq!((nearest.limit, nearest.states), (Limit::Time, 1)),
        other => panic!("{other:?}"),
    }
}
