//! A thousand worlds at once: searches for the shortest run through a map, on one thread and on all of them.
//!
//! `cargo run --release -p surefoot-examples --example many_worlds -- --save FILE` also writes the run as a replay.
//!
//! The search goes on in generations of a few ticks. In each, every world holds something down at random; those that come
//! to where none has been before go on into the next, each several times over. So the world that comes to the goal first has found a
//! short way. What is random comes from the numbers of the generation and of the world alone, and the worlds share nothing
//! that changes: the number of threads has no say in what is found, and the checksums of all worlds show it.
//!
//! Each thread makes, steps and drops the same part of the worlds. A world that another thread has written last comes from
//! that processor's cache: where any thread steps any world, two threads are hardly faster than one.

use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeSet;
use std::error::Error;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use surefoot::prelude::*;
use surefoot::{Input, Map, World};

/// How many worlds are stepped at once.
const WORLDS: usize = 1000;

/// How many ticks the same is held down.
const STRETCH: u64 = 6;

/// After so many generations the search is given up.
const GENERATIONS: u64 = 400;

/// A world on its way, with what has been held down in it, stretch by stretch.
#[derive(Clone)]
struct Runner {
    world: World,
    held: Vec<Input>,
}

/// What a search came to.
#[derive(Default)]
struct Found {
    /// The checksums of every world after every generation, folded in order.
    fold: u64,
    /// Ticks stepped in all worlds, and how long that took.
    stepped: u64,
    time: Duration,
    /// What is held down in the shortest run, and in which tick it comes to the goal.
    best: Option<(Vec<Input>, u64)>,
}

/// A number from two, with all bits well mixed: splitmix64, once for each.
fn mix(first: u64, second: u64) -> u64 {
    [first, second].iter().fold(0, |mixed: u64, &number| {
        let z = (mixed ^ number).wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    })
}

/// What a world holds down in a generation: mostly a direction, in half of all cases a jump, now and then down.
fn input(generation: u64, index: usize) -> Input {
    let random = mix(generation, index as u64);
    let walk = [-127, -127, -127, 0, 64, 127, 127, 127][(random & 7) as usize];
    Input { walk, jump: random >> 3 & 1 == 1, down: random >> 4 & 7 == 0, ..Input::default() }
}

/// Whether the box around the hero covers a place.
fn covers(hero: &BodyState, position: Position) -> bool {
    (hero.position() - position).abs().cmple(hero.shape().half_units()).all()
}

/// Where a hero is and how it moves, so coarsely that a hero that comes to the same later need not go on.
fn whereabouts(hero: &BodyState) -> ([i64; 2], [i8; 2], bool) {
    let speed = hero.velocity().to_array().map(|speed| (speed / 4.0) as i8);
    ((hero.position().units() / (ONE / 4)).to_array(), speed, hero.on_floor())
}

/// The worlds of one thread.
type Lane = Mutex<Vec<Runner>>;

/// Does something on every thread, with the thread's lane and the numbers of its worlds; the results of all in order.
fn on_lanes<T: Send>(lanes: &[Lane], work: impl Fn(&mut Vec<Runner>, Range<usize>) -> Vec<T> + Sync) -> Vec<T> {
    let results = rayon::broadcast(|thread| {
        let (index, count) = (thread.index(), lanes.len());
        let numbers = index * WORLDS / count..(index + 1) * WORLDS / count;
        work(&mut locked(&lanes[index]), numbers)
    });
    results.into_iter().flatten().collect()
}

fn locked(lane: &Lane) -> MutexGuard<'_, Vec<Runner>> {
    lane.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One generation: every world goes on by a stretch. Says of each in which tick it comes to the goal, if it does.
fn advance(lanes: &[Lane], hero: BodyId, goal: Position, generation: u64) -> Vec<Option<u64>> {
    on_lanes(lanes, |runners, numbers| {
        let run = |(Runner { world, held }, number): (&mut Runner, usize)| {
            let input = input(generation, number);
            held.push(input);
            world.set_input(hero, input);
            let mut reached = None;
            for _ in 0..STRETCH {
                world.step();
                reached = reached.or(covers(&world[hero], goal).then(|| world.tick()));
            }
            reached
        };
        runners.iter_mut().zip(numbers).map(run).collect()
    })
}

/// Searches for the shortest run to the goal, from a world with a hero in it.
fn search(start: &World, hero: BodyId, goal: Position, bar: &ProgressBar) -> Found {
    let mut found = Found::default();
    let mut been = BTreeSet::new();
    let threads = rayon::current_num_threads();
    // The worlds of this generation, and room for those of the next.
    let [mut lanes, mut next] = [0, 1].map(|_| (0..threads).map(|_| Lane::default()).collect::<Vec<_>>());
    on_lanes(&lanes, |runners, numbers| -> Vec<()> {
        runners.extend(numbers.map(|_| Runner { world: start.clone(), held: Vec::new() }));
        Vec::new()
    });
    for generation in 0..GENERATIONS {
        let begin = Instant::now();
        let reached = advance(&lanes, hero, goal, generation);
        found.time += begin.elapsed();
        found.stepped += STRETCH * WORLDS as u64;
        let checksums =
            on_lanes(&lanes, |runners, _| runners.iter().map(|runner| runner.world.checksum()).collect::<Vec<_>>());
        found.fold = checksums.iter().fold(found.fold, |fold, checksum| mix(fold, checksum.0));
        let all: Vec<_> = lanes.iter().map(locked).collect();
        let mut runners = all.iter().flat_map(|lane| lane.iter());
        let first = reached.iter().enumerate().filter_map(|(number, tick)| Some(((*tick)?, number))).min();
        if let Some((tick, number)) = first {
            found.best = runners.nth(number).map(|runner| (runner.held.clone(), tick));
            break;
        }
        // Where the hero is where none was before, the search goes on; of too many, with every so-many-th.
        let mut new = Vec::new();
        for runner in runners {
            assert!(Arc::ptr_eq(runner.world.map(), start.map()), "one map for all");
            if been.insert(whereabouts(&runner.world[hero])) {
                new.push(runner);
            }
        }
        if new.is_empty() {
            break;
        }
        on_lanes(&next, |runners, numbers| -> Vec<()> {
            let parent = |i: usize| if new.len() > WORLDS { i * new.len() / WORLDS } else { i % new.len() };
            runners.extend(numbers.map(|i| new[parent(i)].clone()));
            Vec::new()
        });
        drop(all);
        std::mem::swap(&mut lanes, &mut next);
        on_lanes(&next, |runners, _| -> Vec<()> {
            runners.clear();
            Vec::new()
        });
        bar.set_message(format!("generation {generation}, {} places", been.len()));
        bar.tick();
    }
    found
}

/// Runs what a search has found once more and writes it down; with the map in the replay, so that it can lie anywhere.
fn save(mut world: World, hero: Body, held: &[Input], ticks: u64, path: &str) -> Result<(), Box<dyn Error>> {
    let mut recorder = Recorder::new(&world, 60);
    let hero = world.spawn(hero)?;
    recorder.name_body(hero, "hero")?;
    for tick in 0..ticks {
        world.set_input(hero, held[(tick / STRETCH) as usize]);
        world.step();
        recorder.record_tick(&world)?;
    }
    recorder.finish_replay(&world, MapSource::Inline)?.save(path)?;
    println!("{path}: written");
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let file = match &arguments[..] {
        [] => None,
        [flag, file] if flag == "--save" => Some(file),
        _ => return Err("expected nothing, or --save FILE".into()),
    };
    let map = Arc::new(Map::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../maps/first_steps.ron"))?);
    let (start, goal) = (map.marker("start").ok_or("no start")?, map.marker("goal").ok_or("no goal")?);
    let body = Body::new(Shape::aabb(0.35, 0.45)).at(start).character(Character::default());
    // Baked once; every clone of the world shares the map and the terrain.
    let empty = World::with_terrain(map.clone(), Terrain::bake(&map), Settings::default());
    let mut world = empty.clone();
    let hero = world.spawn(body.clone())?;

    // Nothing is drawn where there is no terminal.
    let style = ProgressStyle::with_template("{spinner} {elapsed} {prefix}: {msg}")?;
    let bar = ProgressBar::new_spinner().with_style(style);
    let mut searches = Vec::new();
    for threads in [1, std::thread::available_parallelism()?.get()] {
        bar.set_prefix(format!("{threads} threads"));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let found = pool.install(|| search(&world, hero, goal, &bar));
        let rate = found.stepped as f64 / found.time.as_secs_f64();
        bar.suspend(|| println!("{threads:3} threads: {rate:10.0} worlds x ticks a second"));
        searches.push((rate, found));
    }
    bar.finish_and_clear();

    let [(rate, alone), (fast, together)] = &searches[..] else { return Err("two searches".into()) };
    println!("  ratio: {:.2}; the checksums fold to {:016x}", fast / rate, alone.fold);
    if (alone.fold, &alone.best) != (together.fold, &together.best) {
        return Err(format!("on all threads they fold to {:016x}", together.fold).into());
    }
    let (held, ticks) = alone.best.as_ref().ok_or("no run to the goal was found")?;
    println!("the shortest run to the goal takes {ticks} ticks");
    file.map_or(Ok(()), |file| save(empty, body, held, *ticks, file))
}
