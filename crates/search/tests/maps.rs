//! The maps of the repository are solved, and the found runs are verified as replays.

use std::path::Path;
use surefoot::prelude::*;
use surefoot::replay::ExpectationCheck;
use surefoot::{Map, World};
use surefoot_search::{Answer, Goal, Search, spawn_hero};

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Solves a map of the repository and plays the run again as the text of a replay. Returns the ticks.
fn solve(name: &str) -> Result<u64> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps").join(name);
    let mut world = World::from_map(Map::load(&path)?, Settings::default());
    let hero = spawn_hero(&mut world, Character::default())?;
    let search = Search::new(&world, hero).goal(Goal::Marker("goal".into()));
    let Answer::Reachable(run) = search.run()? else { return Err(format!("{name} is not solved").into()) };
    let replay = search.replay(&run.inputs, MapSource::File(name.into()))?;
    assert_eq!(replay.ticks(), run.ticks());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder)?;
    std::fs::copy(&path, folder.join(name))?;
    replay.save(folder.join("run.replay.ron"))?;

    let read = Replay::load(folder.join("run.replay.ron"))?;
    read.verify()?;
    let (mut playback, mut check) = (surefoot::record::Playback::new(&read), ExpectationCheck::new(&read));
    assert_eq!(read.expectations().len(), 1);
    while playback.step().is_some() {
        check.observe(playback.world());
    }
    assert!(check.unmet().is_none());
    Ok(run.ticks())
}

#[test]
fn first_steps_is_solved() -> Result {
    assert!(solve("first_steps.ron")? <= 1212, "the recorded run takes 1212 ticks");
    Ok(())
}

#[test]
fn highlands_is_solved() -> Result {
    assert!(solve("highlands.ron")? <= 6000, "the recorded run takes a minute and a half");
    Ok(())
}
