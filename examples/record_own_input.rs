//! A game that moves its bodies itself, with its own type of input. The run is recorded, verified by the game's own
//! function, and then broken on purpose to show the error.

use serde::{Deserialize, Serialize};
use std::error::Error;
use surefoot::prelude::*;
use surefoot::record::{GameRunOptions, GameTick, RecordOptions};
use surefoot::{Map, World, geometry::DVec2};

/// Input of the player in a tick.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Flight {
    thrust: (f64, f64),
    boost: bool,
}

/// The state of the game outside its world.
#[derive(Clone, Serialize, Deserialize)]
struct Chase {
    ship: BodyId,
    hunter: BodyId,
}

/// Runs one tick of the game: the ship follows its input, and the hunter follows the ship.
fn play(world: &mut World, game: &Chase, flight: &Flight, hunter_speed: f64) {
    let [ship, hunter] = [game.ship, game.hunter].map(|body| world[body].position().to_dvec2());
    let speed = if flight.boost { 9.0 } else { 5.0 };
    let way = (ship - hunter).normalize_or_zero() * hunter_speed;
    // The commands cannot fail: both bodies exist in the world, and their speeds are in range.
    let _ = world.set_velocity(game.ship, DVec2::from(flight.thrust) * speed);
    let _ = world.set_velocity(game.hunter, way);
    world.step();
}

fn main() -> Result<(), Box<dyn Error>> {
    let map = Map::from_rows([
        "....................",
        "....#####...........",
        ".............####...",
        "....................",
        "####################",
    ])?;
    let mut world = World::new(map.clone(), Settings::default());
    let flies = |x, y| Body::new(Shape::circle(0.3)).at((x, y)).gravity_scale(0.0);
    let game = Chase { ship: world.spawn(flies(2.0, 2.0))?, hunter: world.spawn(flies(18.0, 4.0))? };

    let tick: GameTick<Chase, Flight> = |world, game, flight| play(world, game, flight, 3.0);
    let record = RecordOptions { snapshot_interval: 120, ..RecordOptions::from(1) };
    let mut run = GameRun::with_options(world, game, tick, GameRunOptions { record, ..GameRunOptions::default() })?;
    for i in 0..480 {
        let up = if i / 60 % 2 == 0 { 0.5 } else { -0.5 };
        run.advance(&Flight { thrust: (if i < 240 { 1.0 } else { -1.0 }, up), boost: i % 90 < 20 })?;
    }
    let recording = run.recording()?.clone();
    let summary = GameRun::verify_on(recording.clone(), map.clone(), tick)?;
    println!("{} ticks, {} checksums agree: {}", summary.ticks, summary.compared, summary.checksum);

    // A later version of the game, in which the hunter is faster.
    let changed: GameTick<Chase, Flight> = |world, game, flight| play(world, game, flight, 3.25);
    let error = GameRun::verify_on(recording, map, changed).expect_err("the hunter is faster");
    println!("{error}");
    assert!(error.to_string().contains(&format!("{:?}: `position", run.game().hunter)), "the hunter differs");
    Ok(())
}
