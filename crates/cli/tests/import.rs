//! Tests `surefoot import` as a user runs it.

use crate::folder::{Folder, text};
use std::path::Path;
use surefoot::Map;

fn example(name: &str) -> String {
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("../import/tests/files");
    std::fs::read_to_string(files.join(name)).unwrap()
}

#[test]
fn a_level_becomes_a_map_and_what_is_left_out_is_listed() {
    let folder = Folder::new("import").with("room.ldtk", example("ldtk/nameless.ldtk")).with(
        "names.ron",
        r#"Map(format: 1, tiles: ["."], legend: {'s': (tile: "half_slab", properties: {"import": ["Collisions/3"]})})"#,
    );
    let done = folder.tool(&["import", "room.ldtk", "-o", "room.ron"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let lines = "room.ldtk: level \"Room\": 3 x 1 cells; 0 areas, 0 bodies, 0 platforms, 0 markers\n  \
        left out 2: value 3 of layer \"Collisions\"; first at (1, 0)\n  wrote room.ron\n";
    assert_eq!(text(&done.stdout), lines);
    let map = Map::load(folder.0.join("room.ron")).unwrap();
    assert_eq!((map.tile_at(0, (0, 0)), map.variant_at(0, (1, 0))), (map.find_tile('#'), None));

    // The map of names says that the value 3 is a half slab.
    let done = folder.tool(&["import", "room.ldtk", "--names", "names.ron", "-o", "room.ron"]);
    assert!(!text(&done.stdout).contains("left out"), "{}", text(&done.stdout));
    let map = Map::load(folder.0.join("room.ron")).unwrap();
    assert_eq!(map.variant_at(0, (1, 0)), Some(map.catalogue().find_variant("half_slab").unwrap()));
}

#[test]
fn each_level_of_a_file_gets_a_map_of_its_name() {
    let folder = Folder::new("import-levels").with("two.ldtk", example("ldtk/wrong_levels.ldtk"));
    std::fs::create_dir(folder.0.join("maps")).unwrap();
    let done = folder.tool(&["import", "two.ldtk", "-o", "maps"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    for name in ["East", "West"] {
        assert_eq!(Map::load(folder.0.join(format!("maps/{name}.ron"))).unwrap().size(), (2, 1));
    }
    let done = folder.tool(&["import", "two.ldtk", "--level", "North", "-o", "north.ron"]);
    assert_eq!(done.status.code(), Some(1));
    let words = "two.ldtk: no level is named \"North\"; expected one of \"East\", \"West\"\n";
    assert_eq!(text(&done.stderr), words);
}

#[test]
fn levels_of_editors_are_drawn_and_a_recording_names_the_import() {
    let folder = Folder::new("import-hint").with("room.ldtk", example("ldtk/fields.ldtk")).with("a.input", "right 1");
    assert_eq!(folder.tool(&["draw", "room.ldtk", "-o", "room.svg"]).status.code(), Some(0));
    assert!(folder.read_text("room.svg").unwrap().starts_with("<svg"));
    let message = "room.ldtk: the file is a level of an editor; expected a map in RON";
    folder.expect_refusals("record", "run.replay.ron", &[(&["room.ldtk", "-i", "a.input"], 1, message)]);
}
