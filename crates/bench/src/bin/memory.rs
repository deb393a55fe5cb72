//! Measures the memory of bodies and of the states of a search, and the cost of cloning a world.
//!
//! ```text
//! memory                        the tables, as Markdown
//! memory --no-callgrind         the same without instructions
//! memory run CROWD TIMES        TIMES clones: callgrind counts this
//! ```
//! It fails if a state of a world with one character takes more than 300 bytes in an arena.
//!
//! Crowds: `circle`, `box`, `balls`, of 1000 bodies. Only this program has an allocator that counts bytes and
//! allocations. The terrain, which bodies share, is not counted.
#![forbid(unsafe_code)]

use allocation_counter::{AllocationInfo, measure};
use cpu_time::ThreadTime;
use std::hint::black_box;
use std::process::ExitCode;
use surefoot::World;
use surefoot::geometry::DVec2;
use surefoot::prelude::{Body, BodyId, Character, Settings, Shape};
use surefoot_bench::branching::{self, Stage};
use surefoot_bench::command_line::run_program;
use surefoot_bench::movers::Body as Form;
use surefoot_bench::movers::surefoot::{position, shape};
use surefoot_bench::run::Work;
use surefoot_bench::scene::{BODIES, Scene};
use surefoot_bench::snapshots::{CROWDS, crowd};
use surefoot_bench::solving::LEVELS;
use surefoot_bench::{callgrind, measure as measured, versions};
use surefoot_search::{Goal, Options, Search};

const USAGE: &str = "\
memory [--no-callgrind]
memory run CROWD TIMES
crowds: circle, box, balls";

/// Timed rounds, and clones in each.
const ROUNDS: usize = 9;
const CLONES: u64 = 20;
/// Ticks before a crowd is measured. By then every body has walked, jumped and fallen.
const WARM: u64 = 360;

fn main() -> ExitCode {
    run_program(|arguments| match *arguments {
        [] => tables(callgrind::is_there()),
        ["--no-callgrind"] => tables(false),
        ["run", name, times] => run(name, times),
        _ => Err(USAGE.to_owned()),
    })
}

fn run(name: &str, times: &str) -> Result<(), String> {
    let work = Work::find(name).filter(|work| CROWDS.iter().any(|(crowd, _)| crowd == work)).ok_or(USAGE)?;
    let times: u64 = times.parse().map_err(|_| USAGE)?;
    let crowd = crowd(&Scene::generated(), work, WARM);
    (0..times).for_each(|_| drop(black_box(crowd.world().clone())));
    Ok(())
}

/// Returns a body of a crowd.
fn body(work: Work, at: DVec2) -> Body {
    match work {
        Work::Crowd(form) => Body::new(shape(Form::form(form))).at(position(at)).character(Character::default()),
        _ => Body::new(Shape::circle(0.25)).at(position(at)).bounce(1.0),
    }
}

/// Returns the bytes in use and the number of allocations, per body.
fn by_body(counted: AllocationInfo) -> (f64, f64) {
    let bodies = BODIES as f64;
    (counted.bytes_current as f64 / bodies, counted.count_total as f64 / bodies)
}

fn tables(counted: bool) -> Result<(), String> {
    let scene = Scene::generated();
    let processor = versions::processor().unwrap_or_else(|| "an unnamed processor".to_owned());
    println!("{}, one thread of {processor}.\n", versions::today());
    println!(
        "| spawns into a world | bytes a body | allocations a spawn | after {WARM} ticks, bytes | spawned again, allocations |"
    );
    println!("|---|--:|--:|--:|--:|");
    for (work, title) in CROWDS {
        let [bytes, allocations, later, again] = spawns(&scene, work);
        println!("| {title} | {bytes:.0} | {allocations:.2} | {later:.0} | {again:.2} |");
    }
    println!("\n| `World::clone` | ns a body | instructions | bytes a body | allocations a body |");
    println!("|---|--:|--:|--:|--:|");
    for (work, title) in CROWDS {
        let crowd = crowd(&scene, work, WARM);
        let mut copy = None;
        let (bytes, allocations) = by_body(measure(|| copy = Some(crowd.world().clone())));
        drop(copy);
        let instructions = if counted { Some(instructions(work).ok_or("valgrind does not run this")?) } else { None };
        let instructions = instructions.map_or_else(|| "-".to_owned(), |count| format!("{count:.0}"));
        let nanos = nanoseconds(crowd.world());
        println!("| {title} | {nanos:.0} | {instructions} | {bytes:.0} | {allocations:.2} |");
    }
    states()
}

/// Prints the bytes of the states of searches. Fails if a state takes too many.
fn states() -> Result<(), String> {
    let stage = Stage::new();
    let mut arena = None;
    let counted = measure(|| arena = Some(stage.fill_arena()));
    let states = arena.as_ref().map_or(0, |arena| arena.len()) as f64;
    let (state, estimate) = (counted.bytes_current as f64, arena.map_or(0, |arena| arena.bytes()) as f64);
    println!("\n| states of a search | states | bytes a state | estimated |\n|---|--:|--:|--:|");
    println!(
        "| waiting states of `highlands.ron` in an arena | {states} | {:.0} | {:.0} |",
        state / states,
        estimate / states
    );
    for level in LEVELS {
        let (world, hero) = level.world();
        let small = searched(&world, hero, SMALL_SEARCH);
        let bytes = searched(&world, hero, LARGE_SEARCH) - small;
        let states = (LARGE_SEARCH - SMALL_SEARCH) as f64;
        println!("| found states of a whole search in `{}` | {states} | {:.0} | - |", level.name, bytes / states);
    }
    let most = branching::MOST_BYTES;
    if state / states > most {
        Err(format!("a state takes {:.0} bytes; expected {most}", state / states))
    } else {
        Ok(())
    }
}

/// States of two searches. Their difference leaves out the floods and the worlds.
const SMALL_SEARCH: usize = 10_000;
const LARGE_SEARCH: usize = 50_000;

/// Returns the greatest number of bytes that a search has allocated when it ends after some states.
fn searched(world: &World, hero: BodyId, max_states: usize) -> f64 {
    // No state reaches this goal, so that the search goes on.
    let never = |_: &World, (): &()| false;
    let goal = || Goal::Reached(&never);
    let options = Options { max_states, ..Options::default() };
    measure(|| drop(black_box(Search::new(world, hero).goal(goal()).options(options.clone()).run()))).bytes_max as f64
}

/// Returns the bytes and allocations of a spawn, the bytes of a body after [`WARM`] ticks, and the allocations of a
/// spawn that takes the slot of a removed body.
fn spawns(scene: &Scene, work: Work) -> [f64; 4] {
    let starts = scene.starts();
    let mut world = World::with_terrain(scene.map.clone(), scene.terrain.clone(), Settings::default());
    let bodies: Vec<Body> = starts.iter().map(|&at| body(work, at)).collect();
    let mut ids = Vec::with_capacity(bodies.len());
    let spare = bodies.clone();
    let (bytes, allocations) = by_body(measure(|| {
        ids.extend(bodies.into_iter().map(|body| world.spawn(body).expect("a body in order")));
    }));
    let (more, _) = by_body(measure(|| (0..WARM).for_each(|_| world.step())));
    ids.iter().for_each(|&id| world.despawn(id).expect("it is there"));
    world.step();
    world.step();
    let (_, again) = by_body(measure(|| {
        for body in spare {
            world.spawn(body).expect("a body in order");
        }
    }));
    [bytes, allocations, bytes + more, again]
}

/// Measures nanoseconds of a clone per body: the median of the rounds. As in a game that clones repeatedly, the process
/// already has free memory for the clone.
fn nanoseconds(world: &World) -> f64 {
    let room = world.clone();
    // A later allocation keeps the process from returning the freed memory to the system.
    let above = world.clone();
    drop(room);
    let times = (0..ROUNDS).map(|_| {
        let begin = ThreadTime::now();
        (0..CLONES).for_each(|_| drop(black_box(world.clone())));
        begin.elapsed().as_nanos() as f64 / (CLONES * BODIES as u64) as f64
    });
    let nanos = measured::median(times.collect());
    drop(above);
    nanos
}

/// Counts the instructions that cloning a world takes per body. Returns `None` if valgrind is not installed.
fn instructions(work: Work) -> Option<f64> {
    let arguments = |times: u64| ["run", work.name(), &times.to_string()].map(str::to_owned).to_vec();
    callgrind::per_step(callgrind::instructions, arguments, CLONES, 2 * CLONES, BODIES as u64)
}
