//! The game of the guide about saving and replays: the guide's listings are parts of this file.

use serde::{Deserialize, Serialize};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use surefoot::area::{Area, AreaShape};
use surefoot::prelude::*;
use surefoot::{Input, Map, World};

const PAGE: &str = include_str!("../docs/guide/saving-and-replays.md");
const LEVEL: &str =
    r#"Map(format: 1, legend: {'c': (marker: "coin")}, tiles: ["............", ".@..c.c.c...", "============"])"#;

#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct Pad {
    walk: i8,
    jump: bool,
}

/// The state of the game outside the world.
#[derive(Clone, Serialize, Deserialize)]
struct Rules {
    hero: BodyId,
    coins: usize,
}

/// Spawns what the markers of the map stand for.
fn start(world: &mut World) -> Result<Rules, Box<dyn Error>> {
    let map = world.map().clone();
    let start = map.marker("start").ok_or("no start")?;
    let hero = world.spawn(Body::new(Shape::aabb(0.35, 0.45)).at(start).character(Character::default()))?;
    for coin in map.markers("coin") {
        world.spawn_area(Area::new(AreaShape::circle(0.4)?).at(coin))?;
    }
    Ok(Rules { hero, coins: 0 })
}

fn tick(world: &mut World, rules: &mut Rules, pad: &Pad) {
    world.set_input(rules.hero, Input { walk: pad.walk, jump: pad.jump, ..Input::default() });
    world.step();
    rules.coins += world.events().iter().filter(|event| matches!(event.kind, EventKind::AreaEntered { .. })).count();
}

/// The path of a file of the game, in a folder of this process. The first call writes the level and records a run.
fn file(name: &str) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("surefoot-saving-guide-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("level_1.ron"), LEVEL).unwrap();
        record(&folder).unwrap();
        folder
    });
    folder.join(name)
}

fn record(folder: &Path) -> Result<(), Box<dyn Error>> {
    let file = |name| folder.join(name);
    let mut world = World::new(Map::load(file("level_1.ron"))?, Settings::default());
    let rules = start(&mut world)?;
    let mut run = GameRun::new(world, rules, tick)?;
    run.record_to(file("level_1.recording"))?;
    for _ in 0..90 {
        let pad = Pad { walk: 127, jump: false };
        // in each tick:
        run.advance(&pad)?;
    }
    // at the end:
    run.close_recording()?;
    Ok(())
}

#[test]
fn the_first_level_can_be_finished() -> Result<(), Box<dyn Error>> {
    let recording = Recording::<Pad>::load(file("level_1.recording"))?;
    let mut world = World::new(Map::load(file("level_1.ron"))?, Settings::default());
    let mut rules = start(&mut world)?;
    for pad in recording.inputs() {
        tick(&mut world, &mut rules, pad);
    }
    assert!(rules.coins >= 3, "the run collects three coins");
    Ok(())
}

#[test]
fn the_run_is_equal_to_the_bit() -> Result<(), Box<dyn Error>> {
    let recording = Recording::<Pad>::load(file("level_1.recording"))?;
    GameRun::verify_on(recording, Map::load(file("level_1.ron"))?, tick)?;
    Ok(())
}

/// The trap described in the guide: a moved marker affects the game's own run, but not a playback.
#[test]
fn only_the_run_of_the_game_itself_sees_markers() -> Result<(), Box<dyn Error>> {
    let recording = Recording::<Pad>::load(file("level_1.recording"))?;
    let moved = Map::from_ron(&LEVEL.replace("............", "c...........").replace(".@..c.", ".@...."))?;
    let mut world = World::new(moved.clone(), Settings::default());
    let mut rules = start(&mut world)?;
    recording.inputs().for_each(|pad| tick(&mut world, &mut rules, pad));
    assert_eq!(rules.coins, 2);
    let summary = GameRun::verify_on(recording, moved, tick)?;
    assert_eq!((summary.ticks, summary.map_changed), (90, false));
    Ok(())
}

/// A save file belongs to the tiles of a map, not to its markers.
#[test]
fn a_save_file_loads_after_a_marker_has_moved() -> Result<(), Box<dyn Error>> {
    let mut world = World::new(Map::from_ron(LEVEL)?, Settings::default());
    let rules = start(&mut world)?;
    let snapshot = world.capture();
    let at = world[rules.hero].position();
    let mut moved = World::new(Map::from_ron(&LEVEL.replace(".@..", "..@."))?, snapshot.settings());
    moved.restore(&snapshot)?;
    assert_eq!(moved[rules.hero].position(), at);
    let mut other = World::new(Map::from_ron(&LEVEL.replace("====", "=-=="))?, snapshot.settings());
    assert!(other.restore(&snapshot).is_err());
    Ok(())
}

#[test]
fn the_listings_of_the_guide_are_in_this_file() {
    let program = include_str!("saving_guide.rs").replace("file(\"level_1.ron\")", "\"level_1.ron\"");
    let program = program.replace("file(\"level_1.recording\")", "\"level_1.recording\"");
    let mut lines = program.lines().map(str::trim);
    let listings: Vec<&str> =
        PAGE.split("```rust,ignore\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(listings.len(), 5);
    for shown in listings.iter().flat_map(|listing| listing.lines()).map(str::trim).filter(|line| !line.is_empty()) {
        assert!(lines.any(|line| line == shown), "the program has no `{shown}` after the lines before");
    }
}
