//! Records the shipped runs again: the bodies and inputs of each replay stay, and its checksums become those of this
//! engine.
//!
//! Run it after an intended change of the physics. It does not write a run that no longer reaches the goal.
//!
//! A replay contains the checksum of its map. After a change of the map, remove the line `map_checksum` from the replay
//! first.

use std::error::Error;
use std::fs;
use std::path::Path;
use surefoot::geometry::DVec2;
use surefoot::prelude::*;
use surefoot::record::Playback;
use surefoot::replay::{Expectation, Replay};

/// Interval of checksums in ticks.
const EVERY: u32 = 60;

fn main() -> Result<(), Box<dyn Error>> {
    let maps = Path::new(env!("CARGO_MANIFEST_DIR")).join("../maps");
    for name in ["first_steps.replay.ron", "zoo.replay.ron", "highlands.replay.ron"] {
        let path = maps.join(name);
        let (replay, reached) = record(Replay::load(&path)?)?;
        let reached = reached.ok_or_else(|| format!("{name}: the hero does not reach the goal"))?;
        let same = fs::read_to_string(&path)? == replay.to_ron();
        if !same {
            replay.save(&path)?;
        }
        let change = if same { "as it was" } else { "written" };
        println!("{name}: goal at tick {reached} of {}, {change}", replay.ticks());
    }
    Ok(())
}

/// Runs a replay and records it. Also returns the tick in which the hero reaches the goal.
fn record(replay: Replay) -> Result<(Replay, Option<u64>), Box<dyn Error>> {
    let goal = replay.map().marker("goal").ok_or("the map has no goal")?.to_dvec2();
    let source = replay.map_source().clone();
    let mut player = Playback::new(&replay);
    let mut recorder = Recorder::for_replay(player.world(), source, EVERY)?;
    let mut reached = None;
    while player.step().is_some() {
        recorder.record_tick(player.world())?;
        for (id, name) in player.names() {
            recorder.name_body(id, name)?;
        }
        let hero = player.body("hero").and_then(|id| player.world().get(id)).ok_or("there is no hero")?;
        if covers(hero, goal) {
            reached.get_or_insert(player.world().tick());
        }
    }
    let recorded = recorder.finish_replay(player.world())?;
    Ok((recorded.with_expectations(replay.expectations().iter().map(Expectation::text))?, reached))
}

/// Returns whether the bounding box of a body contains a point.
fn covers(body: &BodyState, point: DVec2) -> bool {
    let away = (body.position().to_dvec2() - point).abs();
    away.cmple(body.shape().half_extents()).all()
}
