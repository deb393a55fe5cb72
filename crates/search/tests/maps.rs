//! The maps of the repository are solved, and the found runs are verified as replays.

use std::path::Path;
use surefoot::prelude::*;
use surefoot::replay::ExpectationCheck;
use surefoot::{Map, World};
use surefoot_search::{Answer, Goal, Search, spawn_hero};

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The crates that the hero pushes in `tour` are bodies of its replay. The search plays on from the first state of the
/// replay.
#[test]
fn the_tour_is_solved_with_the_crates_of_its_replay() -> Result {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps/showcase/tour.replay.ron");
    let mut world = surefoot::record::Playback::new(&Replay::load(path)?).world().clone();
    let (hero, _) = world.bodies().find(|(_, state)| state.character().is_some()).ok_or("no hero")?;
    let Answer::Reachable(run) = Search::new(&world, hero).goal(Goal::Marker("goal".into())).run()? else {
        return Err("the tour is not solved".into());
    };
    for input in run.inputs.iter().flat_map(|run| (0..run.ticks).map(|_| run.input)) {
        world.set_input(hero, input);
        world.step();
    }
    let goal = world.map().marker("goal").ok_or("no goal")?.to_dvec2();
    let distance = (world[hero].position().to_dvec2() - goal).abs();
    assert!(distance.cmple(world[hero].shape().half_extents()).all(), "{distance} tiles from the goal");
    Ok(())
}

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
