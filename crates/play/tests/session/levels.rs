//! Levels of editors: opened, played, and saved as maps beside their files.

use super::{Folder, TICK};
use std::fs;
use std::path::{Path, PathBuf};
use surefoot::map::Map;
use surefoot::replay::MapSource;
use surefoot_import::Options;
use surefoot_play::{Held, PlayError, Session};

/// A floor, a wall, and a tile that says nothing, in 8 x 4 cells. The hero starts in the second column.
const LEVEL: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="8" height="4" tilewidth="16" tileheight="16" infinite="0">
 <tileset firstgid="1" name="tiles" tilewidth="16" tileheight="16" tilecount="2" columns="2">
  <image source="tiles.png" width="32" height="16"/>
  <tile id="0" type="walls"/>
 </tileset>
 <layer id="1" name="Ground" width="8" height="4"><data encoding="csv">
0,0,0,0,0,0,0,0,
0,0,0,0,2,0,0,1,
0,0,0,0,0,0,0,1,
1,1,1,1,1,1,1,1</data></layer>
 <objectgroup id="2" name="things">
  <object id="1" type="player" x="24" y="40"><point/></object>
  <object id="2" type="goal" x="104" y="40"><point/></object>
 </objectgroup>
</map>
"#;

/// The same by hand.
const DRAWN: [&str; 4] = ["........", ".......#", ".@....*#", "########"];

fn level(folder: &Folder) -> PathBuf {
    let file = folder.at("cave.tmx");
    fs::write(&file, LEVEL).expect("a file");
    file
}

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../import/tests/files").join(name)
}

#[test]
fn a_level_is_played_like_the_same_level_drawn_by_hand() {
    let folder = Folder::new("level");
    let mut session = Session::open(level(&folder)).expect("a level");
    assert_eq!(session.notes().len(), 1, "{:?}", session.notes());
    let (note, place) = (&session.notes()[0], "; first at column 4, row 2 from the bottom");
    assert!(note.starts_with("left out 1 time: ") && note.ends_with(place), "{note}");
    let mut drawn = Session::play(Map::from_rows(DRAWN).expect("a map"), None);
    for tick in 0..90 {
        let held = Held { right: true, jump: tick > 20, ..Held::default() };
        session.advance(TICK, held);
        drawn.advance(TICK, held);
        let position = |session: &Session| session.world()[session.hero().expect("a hero")].position();
        assert_eq!(position(&session), position(&drawn), "tick {tick}");
    }
}

#[test]
fn a_level_is_saved_as_a_map_beside_it_and_its_file_stays() {
    let folder = Folder::new("saved_level");
    let file = level(&folder);
    let mut session = Session::open(&file).expect("a level");
    let full = session.world().map().catalogue().find_variant("full_block").ok();
    session.paint((2, 2), full).expect("a tile");
    session.advance(TICK, Held::default());
    session.advance(TICK, Held::default());
    let saved = session.new_map_file();
    assert_eq!(saved, folder.at("cave-1.ron"));
    session.save_map(&saved).expect("a saved map");
    let map = Map::load(&saved).expect("a map");
    assert_eq!((map.variant_at(0, (2, 2)), map.variant_at(0, (7, 1))), (full, full));
    assert_eq!(session.new_map_file(), folder.at("cave-2.ron"));
    for result in [session.save_map(&file), session.save_replay(&file).map(drop)] {
        assert!(matches!(&result, Err(PlayError::EditorFile { path }) if *path == file), "{result:?}");
    }
    assert_eq!(fs::read_to_string(&file).expect("a file"), LEVEL);
    // A replay cannot name the editor's file, so it contains the map.
    let replay = session.save_replay(folder.at("run.replay.ron")).expect("a replay");
    assert_eq!(*replay.replay.map_source(), MapSource::Inline);
}

#[test]
fn of_several_levels_one_is_opened_and_the_others_are_listed() {
    let folder = Folder::new("levels");
    let text = fs::read_to_string(sample("ldtk/int_grid.ldtk")).expect("a file");
    let mut project: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let mut second = project["levels"][0].clone();
    second["identifier"] = "Second".into();
    project["levels"].as_array_mut().expect("levels").push(second);
    let file = folder.at("world.ldtk");
    fs::write(&file, project.to_string()).expect("a file");
    let first = Session::open(&file).expect("a level");
    assert!(!first.level_name().is_empty() && first.notes()[0].contains("--level NAME"), "{:?}", first.notes());
    for import in surefoot_import::import(&file, &Options::default()).expect("levels") {
        let options = Options { level: Some(import.name.clone()), ..Options::default() };
        let session = Session::open_with(&file, &options).expect("a level");
        assert_eq!((session.level_name(), session.world().map().size()), (&*import.name, import.map.size()));
    }
}

#[test]
fn a_wrong_level_is_refused_with_its_place() {
    let error = Session::open(sample("tiled/wrong_short.tmx")).expect_err("a wrong file");
    assert!(matches!(&error, PlayError::Import(_)) && error.to_string().contains("wrong_short.tmx:"), "{error}");
}
