//! Measures collisions between bodies: cost and final overlap depth, compared with the dynamic bodies of rapier2d and
//! Box2D.
//!
//! ```text
//! bodies                        the table, as Markdown; needs valgrind
//! bodies SCENE ENGINE TICKS     so many ticks of one scene: what callgrind counts
//! ```
//! It fails if a row of this engine takes more than its bound, which is a tenth above what it took when it was set, or
//! if two of its bodies end in each other.

use std::process::ExitCode;
use surefoot_bench::bodies::{Engine, Scene, Ticks, end};
use surefoot_bench::callgrind;
use surefoot_bench::command_line::{expect_none, run_program};

const USAGE: &str = "bodies [SCENE ENGINE TICKS]";

/// Ticks after which bodies are judged.
const TICKS: u64 = 600;

/// The most instructions that a body-step of this engine may take.
fn bound(scene: Scene) -> f64 {
    match scene {
        Scene::Ghosts => 234.0,
        Scene::InAreas => 277.0,
        Scene::Crowd => 373.0,
        Scene::AbleGhosts => 284.0,
        Scene::AbleCrowd => 430.0,
        Scene::Stacks => 2.0,
        Scene::Walker => 112.0,
        Scene::Flight(1_000) => 2160.0,
        Scene::Flight(10_000) => 2256.0,
        Scene::Flight(_) => 2653.0,
        Scene::Crates => 2113.0,
        Scene::Balls => 6011.0,
        Scene::Heap => 20_000.0,
        Scene::Settled => 2.0,
    }
}

fn main() -> ExitCode {
    run_program(|arguments| match *arguments {
        [] => table(),
        [scene, engine, ticks] => run(scene, engine, ticks).ok_or_else(|| USAGE.to_owned()),
        _ => Err(USAGE.to_owned()),
    })
}

fn run(scene: &str, engine: &str, ticks: &str) -> Option<()> {
    let scene = Scene::ALL.into_iter().find(|of| of.key() == scene)?;
    let engine = Engine::ALL.iter().find(|of| of.key() == engine)?;
    let ticks = ticks.parse().ok()?;
    for world in 0..scene.worlds() {
        let mut bodies = engine.bodies(scene, world);
        (0..ticks).for_each(|tick| bodies.tick(tick));
    }
    Some(())
}

fn table() -> Result<(), String> {
    println!(
        "| scene | engine | instructions | times surefoot | bound | deepest after {TICKS} ticks | still moving | tiles/s |"
    );
    println!("|---|---|--:|--:|--:|--:|--:|--:|");
    let mut wrong = Vec::new();
    for scene in Scene::ALL {
        let mut own = f64::NAN;
        for &engine in Engine::ALL {
            let is_own = engine == Engine::Surefoot;
            if !is_own && scene.is_of_surefoot_alone() {
                continue;
            }
            let arguments = |ticks: u64| vec![scene.key().to_owned(), engine.key().to_owned(), ticks.to_string()];
            let (Ticks { from, to }, starts) = (scene.counted(), scene.course(0).starts);
            let bodies = scene.worlds() * starts.len() as u64;
            let count = callgrind::per_step(callgrind::instructions, arguments, from, to, bodies);
            let count = count.ok_or("valgrind does not run this")?;
            if is_own {
                own = count;
            }
            let end = end(engine, scene, TICKS);
            let bound = is_own.then(|| bound(scene));
            let shown = bound.map_or_else(|| "-".to_owned(), |bound| format!("{bound:.0}"));
            let (title, of, times) = (scene.title(), engine.key(), count / own);
            println!(
                "| {title} | {of} | {count:.0} | {times:.3} | {shown} | {:.5} | {} | {:.1} |",
                end.deepest, end.moving, end.speed
            );
            if bound.is_some_and(|bound| count > bound) {
                wrong.push(format!("over its bound: {title}"));
            }
            if is_own && !scene.is_without_masks() && end.is_deep() {
                wrong.push(format!("{} tiles deep: {title}", end.deepest));
            }
        }
    }
    expect_none("not as promised", &wrong)
}
