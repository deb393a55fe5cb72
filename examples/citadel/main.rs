//! A game in five rooms: springs and hills; lifts, crushers and belts; crates, buttons and doors; water, ladders and
//! ledges; a chase over crumbling blocks with a flip of gravity. `rules.rs` has all rules of the game.
//!
//! The program plays the kept run without a window, prints what happens, and writes a picture of the run if the command
//! line names an SVG file. With `--window` it opens a window to play against the ghost of the kept run. With `--record`
//! it records the run of the script `best.input` again, after an intended change of the rules, the level or the
//! physics.

mod race;
mod rules;
mod script;
#[cfg(test)]
mod tests;
mod window;

use race::Race;
use rules::Game;
use script::play_script;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use surefoot::prelude::*;
use surefoot::{Map, World};
use surefoot_draw::{MapStyle, Run, RunStyle, draw_run};

/// Returns the path of a file of this example.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("citadel").join(name)
}

fn main() -> Result<(), Box<dyn Error>> {
    let map = Map::load(file("map.ron"))?;
    let argument = std::env::args().nth(1);
    match argument.as_deref() {
        Some("--record") => return record(map),
        Some("--window") => {
            window::open(map);
            return Ok(());
        }
        _ => {}
    }
    let kept = Recording::<Inputs>::load(file("best.recording"))?;
    let mut race = Race::new(map, None)?;
    race.watch(Arc::new(kept))?;
    let (mut run, mut told) = (Run::new(), race.run.game().clone());
    run.name(told.hero, "hero");
    run.begin(race.run.world());
    while race.run.is_playing() {
        race.advance(&Inputs::default())?;
        run.observe(race.run.world());
        tell(race.run.world(), race.run.game(), &mut told);
    }
    if let Some(picture) = argument {
        let style =
            RunStyle { map: MapStyle { tile: 12, normals: false, ..MapStyle::default() }, ..RunStyle::default() };
        let world = race.run.world();
        std::fs::write(&picture, draw_run(world.map(), world.terrain(), &run, &style).to_string())?;
        println!("wrote {picture}");
    }
    race.stop_watching();
    race.restart()?;
    let (ticks, [_, at]) = race.best_ticks().zip(race.ghost_positions()).ok_or("there is no ghost")?;
    let seconds = ticks as f64 * race.run.world().settings().tick;
    println!("the ghost of this run of {seconds:.2} s waits at {at}");
    Ok(())
}

/// Plays the script, and keeps the recording if it reaches the goal without a death.
fn record(map: Map) -> Result<(), Box<dyn Error>> {
    let mut race = play_script(map, &std::fs::read_to_string(file("best.input"))?)?;
    let game = race.run.game();
    if game.goal_tick.is_none() || game.deaths > 0 {
        return Err(format!("the run does not reach the goal: {game:?}").into());
    }
    let new = file("best.recording.new");
    race.run.record_to(&new)?;
    race.run.close_recording()?;
    std::fs::rename(&new, file("best.recording"))?;
    Ok(())
}

/// Prints the differences between two states of the game.
fn tell(world: &World, game: &Game, told: &mut Game) {
    let seconds = world.tick() as f64 * world.settings().tick;
    for room in &game.rooms[told.rooms.len()..] {
        println!("{seconds:6.2} s: enters the room of {room}, with {} coins", game.coins);
    }
    if game.stomps > told.stomps {
        println!("{seconds:6.2} s: stomps on a walker");
    }
    if game.deaths > told.deaths {
        println!("{seconds:6.2} s: dies");
    }
    if game.goal_tick > told.goal_tick {
        let all = game.coins as usize + world.areas_tagged("coin").count();
        println!("{seconds:6.2} s: reaches the goal with {} of {all} coins", game.coins);
    }
    told.clone_from(game);
}
