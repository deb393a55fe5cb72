//! Measures the cost of platforms, for bodies far from them, for riders and for the platforms themselves; and the cost
//! of areas.
//!
//! ```text
//! platforms                 the table, as Markdown; needs valgrind
//! platforms SCENE TICKS     so many ticks of one scene: what callgrind counts
//! ```
//! 1000 walkers with jumps over one storey of hills and blocks, 824 tiles long, with a hundred platforms of 4 x 1 tiles
//! that go to and fro over 4 tiles at 3 tiles per second: far above, or 7 tiles over the floor, where no jump reaches.
//! 1000 characters on a hundred such platforms over 6 tiles, a third each up, sideways and slanted, that stand or walk
//! to and fro. 10,000 platforms without a body. The same walkers through 1000 areas side by side along the storey, each
//! 0.8 tiles wide, so that a body is always on a border: boxes or circles that tell of who comes in and goes out, and
//! boxes of mud.
//!
//! It fails if a row takes more than its bound, which is a tenth above what it took when it was set.

use std::process::ExitCode;
use surefoot::area::{Area, AreaShape, Effects};
use surefoot::geometry::{DVec2, Position};
use surefoot::platform::{Path, PathTiming, Platform};
use surefoot::prelude::{Body, BodyId, Character, Settings, Shape};
use surefoot::{Input, Map, World};
use surefoot_bench::callgrind;
use surefoot_bench::command_line::{expect_none, run_program};
use surefoot_bench::movers::surefoot::position;
use surefoot_bench::scene::{input, storeys};

const USAGE: &str = "platforms [SCENE TICKS]";

/// A scene: its name, what it is, and the most instructions that a body-step, or the tick of a platform, may take in
/// it.
const SCENES: [(&str, &str, f64); 11] = [
    ("none", "1000 walkers, no platform in the world", 590.0),
    ("far", "and 100 platforms far away that move", 682.0),
    ("far-rest", "and 100 platforms far away at rest", 650.0),
    ("near", "and 100 platforms near but out of reach", 742.0),
    ("stand", "1000 riders that stand on 100 platforms", 455.0),
    ("walk", "1000 riders that walk on 100 platforms", 795.0),
    ("move", "10,000 platforms that move, a platform", 362.0),
    ("rest", "10,000 platforms at rest, a platform", 30.0),
    ("boxes", "1000 walkers in 1000 areas, boxes", 4376.0),
    ("circles", "and circles", 2739.0),
    ("mud", "and boxes with drag and half the speed", 4866.0),
];

/// Columns and rows of the storey.
const STOREY: (usize, usize) = (824, 24);

fn main() -> ExitCode {
    run_program(|arguments| match *arguments {
        [] => table(),
        [scene, ticks] => ticks.parse().map_err(|_| USAGE.to_owned()).and_then(|ticks| run(scene, ticks)),
        _ => Err(USAGE.to_owned()),
    })
}

fn table() -> Result<(), String> {
    println!("| scene | instructions | bound |\n|---|--:|--:|");
    let mut over = Vec::new();
    for (scene, what, bound) in SCENES {
        let (short, long, steps) = if what.contains("10,000") { (20, 60, 10_000) } else { (120, 420, 1000) };
        let arguments = |ticks: u64| vec![scene.to_owned(), ticks.to_string()];
        let count = callgrind::per_step(callgrind::instructions, arguments, short, long, steps);
        let count = count.ok_or("valgrind does not run this")?;
        println!("| {what} | {count:.0} | {bound:.0} |");
        if count > bound {
            over.push(what.to_owned());
        }
    }
    expect_none("over their bounds", &over)
}

/// Puts platforms at `places`. Each follows the next displacement of `ways`, or rests if not `playing`.
fn put(world: &mut World, places: impl Iterator<Item = DVec2>, ways: &[DVec2], playing: bool) {
    let kind = Platform::from_rows(world.map(), ["####"]).expect("full tiles");
    for (at, way) in places.zip(ways.iter().cycle()) {
        let points = vec![Position::ORIGIN, position(*way)];
        let path = Path { points, timing: PathTiming::Speed(3.0), ..Path::default() };
        let platform = kind.clone().at(position(at)).path(path);
        let id = world.spawn_platform(platform).expect("a platform");
        if !playing {
            world.pause_platform(id).expect("it is there");
        }
    }
}

fn walkers(world: &mut World) -> Vec<BodyId> {
    let shape = Shape::aabb(0.35, 0.45);
    let at = |i: usize| (2.0 + 0.82 * i as f64, 4.5);
    let spawn = |i| world.spawn(Body::new(shape).at(at(i)).character(Character::default())).expect("a body");
    (0..1000).map(spawn).collect()
}

/// Puts areas over the whole length of the storey.
fn put_areas(world: &mut World, scene: &str) {
    let round = scene == "circles";
    let shape = if round { AreaShape::circle(0.4) } else { AreaShape::aabb(0.4, 1.5) };
    let mud = Effects { drag: Some(1.0), speed_scale: Some(0.5), ..Effects::default() };
    let area = Area::new(shape.expect("of a size")).effects(if scene == "mud" { mud } else { Effects::default() });
    for i in 0..1000 {
        let at = (2.0 + 0.82 * f64::from(i), 2.5);
        world.spawn_area(area.clone().at(at)).expect("an area");
    }
}

/// Ten riders on each of a hundred platforms that are twelve tiles apart.
fn riders() -> (World, Vec<BodyId>) {
    let mut rows = vec![".".repeat(200); 130];
    rows.push("#".repeat(200));
    let mut world = World::new(Map::from_rows(&rows).expect("the rows are a map"), Settings::default());
    let place = |i: usize| DVec2::new(41.0 + 12.0 * (i % 10) as f64, 3.0 + 12.0 * (i / 10) as f64);
    let ways = [DVec2::new(0.0, 6.0), DVec2::new(6.0, 0.0), DVec2::new(3.6, 4.8)];
    put(&mut world, (0..100).map(place), &ways, true);
    let character = Character { walk_speed: 1.0, ..Character::default() };
    let bodies = (0..1000).map(|i| {
        let at = place(i / 10) + DVec2::new(2.0 + 0.25 * ((i % 10) as f64 - 4.5), 1.45);
        let body = Body::new(Shape::aabb(0.35, 0.45)).at((at.x, at.y));
        world.spawn(body.character(character)).expect("a body")
    });
    let bodies = bodies.collect();
    (world, bodies)
}

fn run(scene: &str, ticks: u64) -> Result<(), String> {
    let sideways = [DVec2::new(4.0, 0.0)];
    let row = |y: f64, from: f64| (0..100).map(move |i| DVec2::new(8.0 * f64::from(i) + from, y));
    let map = || Map::from_rows(storeys(STOREY, 1)).expect("the rows are a map");
    let of_storey = || World::new(map(), Settings::default());
    let (mut world, bodies) = match scene {
        "none" | "far" | "far-rest" | "near" => {
            let mut world = of_storey();
            match scene {
                "near" => put(&mut world, row(9.0, 6.0), &sideways, true),
                "none" => {}
                _ => put(&mut world, row(200.0, 4.0), &sideways, scene == "far"),
            }
            let bodies = walkers(&mut world);
            (world, bodies)
        }
        "boxes" | "circles" | "mud" => {
            let mut world = of_storey();
            put_areas(&mut world, scene);
            let bodies = walkers(&mut world);
            (world, bodies)
        }
        "stand" | "walk" => riders(),
        "move" | "rest" => {
            let mut world = of_storey();
            let place = |i: i32| DVec2::new(12.0 * f64::from(i % 100), 100.0 + 4.0 * f64::from(i / 100));
            let ways = [DVec2::new(4.0, 0.0), DVec2::new(0.0, 3.0), DVec2::new(3.0, 4.0)];
            put(&mut world, (0..10_000).map(place), &ways, scene == "move");
            (world, Vec::new())
        }
        _ => return Err(USAGE.to_owned()),
    };
    // Test the scene before the loop, so that the counts hold little besides the engine.
    let (with_input, turns) = (if scene == "stand" { &[] } else { &bodies[..] }, scene == "walk");
    for tick in 0..ticks {
        for (i, body) in with_input.iter().enumerate() {
            // Riders do not jump, and turn every third of a second.
            let right = ((tick + 7 * i as u64) / 20).is_multiple_of(2);
            let rider = Input { walk: if right { 127 } else { -127 }, ..Input::default() };
            world.set_input(*body, if turns { rider } else { input(tick, i).into() });
        }
        world.step();
    }
    Ok(())
}
