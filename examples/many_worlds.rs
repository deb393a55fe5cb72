//! A thousand worlds at once: searches for the shortest run through a map, on one thread and on all threads.
//!
//! `cargo run --release -p surefoot-examples --example many_worlds -- --save FILE` also writes the run as a replay.
//!
//! The search runs in generations of a few ticks. In each generation, every world holds random buttons. A world that
//! reaches a new position continues into the next generation, as several copies. So the first world to reach the goal
//! has found a short run.
//!
//! Random numbers depend only on the numbers of the generation and of the world, and worlds share no changing data.
//! Therefore the number of threads does not affect the result, as the checksums of all worlds show.
//!
//! Each thread creates, steps and drops the same part of the worlds. A world last written by another thread would come
//! from that processor's cache. With worlds on arbitrary threads, two threads are hardly faster than one.

use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeSet;
use std::error::Error;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use surefoot::prelude::*;
use surefoot::{Input, Map, World};

/// Number of worlds stepped at once.
const WORLDS: usize = 1000;

/// Number of ticks for which the same buttons are held.
const STRETCH: u64 = 6;

/// Number of generations after which the search gives up.
const GENERATIONS: u64 = 400;

/// A world of the search, with the buttons held in each stretch of ticks.
#[derive(Clone)]
struct Runner {
    world: World,
    held: Vec<Input>,
}

/// The result of a search.
#[derive(Default)]
struct Found {
    /// The checksums of every world after every generation, folded in order.
    fold: u64,
    /// Number of ticks stepped in all worlds, and the time.
    stepped: u64,
    time: Duration,
    /// Inputs of the shortest run, and the tick in which it reaches the goal.
    best: Option<(Vec<Input>, u64)>,
}

/// Mixes two numbers into one: splitmix64, once for each.
fn mix(first: u64, second: u64) -> u64 {
    [first, second].iter().fold(0, |mixed: u64, &number| {
        let z = (mixed ^ number).wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    })
}

/// Input of a world in a generation: mostly a direction, a jump in half of all cases, sometimes down.
fn input(generation: u64, index: usize) -> Input {
    let random = mix(generation, index as u64);
    let walk = [-127, -127, -127, 0, 64, 127, 127, 127][(random & 7) as usize];
    Input { walk, jump: random >> 3 & 1 == 1, down: random >> 4 & 7 == 0, ..Input::default() }
}

/// Returns whether the bounding box of the hero contains a position.
fn covers(hero: &BodyState, position: Position) -> bool {
    (hero.position() - position).abs().cmple(hero.shape().half_units()).all()
}

/// Returns position and motion of a hero, rounded coarsely. A hero that gets there later need not continue.
fn coarse_state(hero: &BodyState) -> ([i64; 2], [i8; 2], bool) {
    let speed = hero.velocity().to_array().map(|speed| (speed / 4.0) as i8);
    ((hero.position().units() / (ONE / 4)).to_array(), speed, hero.on_floor())
}

/// The worlds of one thread.
type Lane = Mutex<Vec<Runner>>;

/// Runs `work` on every thread, with the thread's lane and the numbers of its worlds. Returns all results in order.
fn run_on_lanes<T: Send>(lanes: &[Lane], work: impl Fn(&mut Vec<Runner>, Range<usize>) -> Vec<T> + Sync) -> Vec<T> {
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

/// Runs one generation: every world advances by a stretch. Returns for each the tick in which it reaches the goal, if
/// it does.
fn advance(lanes: &[Lane], hero: BodyId, goal: Position, generation: u64) -> Vec<Option<u64>> {
    run_on_lanes(lanes, |runners, numbers| {
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
    // `lanes` contains the worlds of this generation, and `next` has space for those of the next one.
    let [mut lanes, mut next] = [0, 1].map(|_| (0..threads).map(|_| Lane::default()).collect::<Vec<_>>());
    run_on_lanes(&lanes, |runners, numbers| -> Vec<()> {
        runners.extend(numbers.map(|_| Runner { world: start.clone(), held: Vec::new() }));
        Vec::new()
    });
    for generation in 0..GENERATIONS {
        let begin = Instant::now();
        let reached = advance(&lanes, hero, goal, generation);
        found.time += begin.elapsed();
        found.stepped += STRETCH * WORLDS as u64;
        let checksums =
            run_on_lanes(&lanes, |runners, _| runners.iter().map(|runner| runner.world.checksum()).collect::<Vec<_>>());
        found.fold = checksums.iter().fold(found.fold, |fold, checksum| mix(fold, checksum.0));
        let all: Vec<_> = lanes.iter().map(locked).collect();
        let mut runners = all.iter().flat_map(|lane| lane.iter());
        let first = reached.iter().enumerate().filter_map(|(number, tick)| Some(((*tick)?, number))).min();
        if let Some((tick, number)) = first {
            found.best = runners.nth(number).map(|runner| (runner.held.clone(), tick));
            break;
        }
        // Continue with heroes at new positions. If there are too many, take every n-th.
        let mut new = Vec::new();
        for runner in runners {
            assert!(Arc::ptr_eq(runner.world.map(), start.map()), "one map for all");
            if been.insert(coarse_state(&runner.world[hero])) {
                new.push(runner);
            }
        }
        if new.is_empty() {
            break;
        }
        run_on_lanes(&next, |runners, numbers| -> Vec<()> {
            let parent = |i: usize| if new.len() > WORLDS { i * new.len() / WORLDS } else { i % new.len() };
            runners.extend(numbers.map(|i| new[parent(i)].clone()));
            Vec::new()
        });
        drop(all);
        std::mem::swap(&mut lanes, &mut next);
        run_on_lanes(&next, |runners, _| -> Vec<()> {
            runners.clear();
            Vec::new()
        });
        bar.set_message(format!("generation {generation}, {} places", been.len()));
        bar.tick();
    }
    found
}

/// Repeats the found run and writes it as a replay that includes the map, so that the file can be anywhere.
fn save(mut world: World, hero: Body, held: &[Input], ticks: u64, path: &str) -> Result<(), Box<dyn Error>> {
    let mut recorder = Recorder::for_replay(&world, MapSource::Inline, 60)?;
    let hero = world.spawn(hero)?;
    recorder.name_body(hero, "hero")?;
    for tick in 0..ticks {
        world.set_input(hero, held[(tick / STRETCH) as usize]);
        world.step();
        recorder.record_tick(&world)?;
    }
    recorder.finish_replay(&world)?.save(path)?;
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
    // The terrain is baked once. Every clone of the world shares the map and the terrain.
    let empty = World::with_terrain(map.clone(), Terrain::bake(&map), Settings::default());
    let mut world = empty.clone();
    let hero = world.spawn(body.clone())?;

    // Without a terminal, no progress is drawn.
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
