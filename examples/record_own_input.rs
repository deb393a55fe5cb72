//! A game that moves its bodies itself, with its own type of input. The run is recorded, replayed by the game's own
//! function, and then broken on purpose to show the error.

use serde::{Deserialize, Serialize};
use std::error::Error;
use std::sync::Arc;
use surefoot::prelude::*;
use surefoot::record::{Playback, RecordOptions};
use surefoot::{Map, World, geometry::DVec2};

/// Input of the player in a tick.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Flight {
    thrust: (f64, f64),
    boost: bool,
}

/// Runs one tick of the game: the ship follows its input, and the hunter follows the ship.
fn tick(world: &mut World, flight: &Flight, hunter_speed: f64) {
    let [ship, hunter] = [0, 1].map(|i| world.bodies().nth(i).map(|(id, _)| id).unwrap_or_default());
    let speed = if flight.boost { 9.0 } else { 5.0 };
    let thrust = DVec2::from(flight.thrust) * speed;
    let way =
        (world[ship].position().to_dvec2() - world[hunter].position().to_dvec2()).normalize_or_zero() * hunter_speed;
    // Both exist in the world, and their speeds are in range.
    let _ = world.set_velocity(ship, thrust).and_then(|()| world.set_velocity(hunter, way));
    world.step();
}

fn game(world: &mut World, flight: &Flight) {
    tick(world, flight, 3.0);
}

/// A later version of the game.
fn changed_game(world: &mut World, flight: &Flight) {
    tick(world, flight, 3.25);
}

fn main() -> Result<(), Box<dyn Error>> {
    let rows = [
        "....................",
        "....#####...........",
        ".............####...",
        "....................",
        "####################",
    ];
    let rows: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
    let map = Map::from_ron(&format!("Map(format: 1, tiles: [{}])", rows.join(", ")))?;
    let mut world = World::new(map, Settings::default());
    let flies = |x, y| Body::new(Shape::circle(0.3)).at((x, y)).gravity_scale(0.0);
    world.spawn(flies(2.0, 2.0))?;
    let hunter = world.spawn(flies(18.0, 4.0))?;
    let fresh = world.clone();

    let path = std::env::temp_dir().join(format!("surefoot-example-{}.recording", std::process::id()));
    let options = RecordOptions { snapshot_interval: 120, ..RecordOptions::default() };
    let mut recorder = Recorder::create(&path, &world, options)?;
    for i in 0..480 {
        let up = if i / 60 % 2 == 0 { 0.5 } else { -0.5 };
        let flight = Flight { thrust: (if i < 240 { 1.0 } else { -1.0 }, up), boost: i % 90 < 20 };
        game(&mut world, &flight);
        recorder.record_tick_with(&world, &flight)?;
    }
    recorder.finish(&world)?;
    let log = Recording::<Flight>::load(&path);
    std::fs::remove_file(&path)?;
    let log = Arc::new(log?);

    let summary = Playback::with_game(log.clone(), fresh.clone(), game)?.run()?;
    println!("{} ticks, {} checksums agree: {}", summary.ticks, summary.compared, summary.checksum);
    assert_eq!(summary.checksum, world.checksum());

    let mut broken = Playback::with_game(log.clone(), fresh.clone(), changed_game)?;
    assert!(broken.run().is_err(), "the hunter is faster");
    // The game has no state outside its world, so its state is `()`.
    let told = Playback::explain(log, fresh, (), |(), world, flight| changed_game(world, flight))?;
    let told = told.ok_or("nothing differs")?;
    println!("{told}");
    assert!(told.to_string().contains(&format!("{hunter:?}")), "it is the hunter that differs");
    Ok(())
}
