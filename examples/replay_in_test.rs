//! A recorded run as a test: record it once while the game runs, then replay it in `cargo test`.
//!
//! `cargo run -p surefoot-examples --example replay_in_test` records a run and replays the file. The `#[test]` below is
//! all that a game needs.

use surefoot::prelude::*;
use surefoot::{Input, Map, World};

/// Walks and jumps for four seconds and records the run.
fn record(path: &std::path::Path) -> Result<(), Box<dyn std::error::Error>> {
    let rows = ["....................", ".@....--......12==34", "===================="];
    let rows: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
    let map = Map::from_ron(&format!("Map(format: 1, tiles: [{}])", rows.join(", ")))?;
    let start = map.marker("start").ok_or("no start")?;
    let mut world = World::new(map, Settings::default());
    let hero = world.spawn(Body::new(Shape::circle(0.4)).at(start).character(Character::default()))?;

    let mut recorder = Recorder::for_replay(&world, MapSource::Inline, 30)?;
    recorder.name_body(hero, "hero")?;
    for tick in 0..240 {
        world.set_input(hero, Input { walk: 100, jump: tick % 80 < 10, ..Input::default() });
        world.step();
        recorder.record_tick(&world)?;
    }
    recorder.finish_replay(&world)?.save(path)?;
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::temp_dir().join(format!("surefoot-example-{}.replay.ron", std::process::id()));
    record(&path)?;
    let summary = surefoot::replay::verify(&path);
    std::fs::remove_file(&path)?;
    let summary = summary?;
    println!("{} ticks, checksum {}", summary.ticks, summary.checksum);
    assert_eq!(summary.ticks, 240);
    Ok(())
}

#[test]
fn the_first_level_can_be_finished() {
    surefoot::replay::verify(concat!(env!("CARGO_MANIFEST_DIR"), "/../maps/first_steps.replay.ron")).unwrap();
}
