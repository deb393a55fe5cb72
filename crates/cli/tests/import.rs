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
    let lines = "room.ldtk: level \"Room\": 3 x 1 cells; tiles: 1, areas: 0, bodies: 0, platforms: 0, markers: 0\n  \
        left out 2 times: value 3 of layer \"Collisions\": nothing says what it is; first at column 1, row 0 from the bottom\n  \
        wrote room.ron\n";
    assert_eq!(text(&done.stdout), lines);
    let map = Map::load(folder.0.join("room.ron")).unwrap();
    assert_eq!((map.tile_at(0, (0, 0)), map.variant_at(0, (1, 0))), (map.find_tile('#'), None));

    // The map of names says that the value 3 is a half slab.
    let done = folder.tool(&["import", "room.ldtk", "--names", "names.ron", "-o", "room.ron"]);
    assert!(!text(&done.stdout).contains("left out"), "{}", text(&done.stdout));
    let map = Map::load(folder.0.join("room.ron")).unwrap();
    assert_eq!(map.variant_at(0, (1, 0)), Some(map.catalogue().find_variant("half_slab").unwrap()));
}

/// A marker with a wrong name is seen in the list, and so is a level whose rules were not run.
#[test]
fn names_of_markers_and_a_level_without_tiles_are_told() {
    let level = r#"<map orientation="orthogonal" width="2" height="1" tilewidth="8" tileheight="8">
        <tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="1" columns="1"><tile id="0" type="walls"/></tileset>
        <layer name="ground" width="2" height="1"><data encoding="csv">0,1</data></layer>
        <objectgroup name="things"><object id="1" type="strat" x="4" y="4"><point/></object></objectgroup></map>"#;
    let folder = Folder::new("import-told").with("level.tmx", level).with("empty.tmx", level.replace("0,1<", "0,0<"));
    let done = ["level.tmx", "empty.tmx"].map(|file| folder.tool(&["import", file]));
    let [first, empty] = [text(&done[0].stdout), text(&done[1].stdout)];
    let counts = "tiles: 1, areas: 0, bodies: 0, platforms: 0, markers: 1 (\"strat\")\n";
    assert_eq!(first, format!("level.tmx: 2 x 1 cells; {counts}"));
    assert!(empty.contains("tiles: 0,") && empty.contains("\n  no tile has a shape; "), "{empty}");
}

/// Both tiles are blocks, but look different, and a third one is decoration. The picture of the art has the pixels of
/// the tileset, and the play of both maps is the same.
#[cfg(feature = "png")]
#[test]
fn pictures_of_an_editor_become_art() {
    use surefoot_draw::{Art, Canvas, Color, Paint, Point, Svg, to_png};

    let mut tileset = Svg::new(24.0, 8.0, "");
    for (x, grey) in [(0.0, 10), (8.0, 20), (16.0, 30)] {
        tileset.rect(Point { x, y: 0.0 }, 8.0, 8.0, &Paint::fill(Color([grey; 3])));
        tileset.rect(Point { x, y: 0.0 }, 4.0, 2.0, &Paint::fill(Color([grey + 100; 3])));
    }
    let level = r#"<map orientation="orthogonal" width="4" height="2" tilewidth="8" tileheight="8">
        <tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="3" columns="3">
        <image source="pictures/t.png" width="24" height="8"/><tile id="0" type="walls"/><tile id="1" type="walls"/></tileset>
        <layer name="ground" width="4" height="2"><data encoding="csv">0,0,3,0, 1,2147483650,1,2</data></layer></map>"#;
    let folder = Folder::new("import-art").with("level.tmx", level);
    std::fs::create_dir(folder.0.join("pictures")).unwrap();
    std::fs::write(folder.0.join("pictures/t.png"), to_png(&tileset, 1.0).unwrap()).unwrap();
    let done = folder.tool(&["import", "level.tmx", "-o", "level.ron", "--art"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    assert!(text(&done.stdout).contains("left out 1 time: tile 2 of tileset"), "{}", text(&done.stdout));
    assert!(text(&done.stdout).ends_with("  wrote level.art.png\n  wrote level.art.ron\n  wrote level.ron\n"));
    let map = Map::load(folder.0.join("level.ron")).unwrap();
    let kinds: Vec<_> = (0..4).map(|x| map.tile_at(0, (x, 0)).unwrap()).collect();
    assert!(kinds[0] == kinds[2] && kinds[0] != kinds[1] && kinds[1] != kinds[3], "{kinds:?}");
    let full = map.find_tile('#').map(|id| map.kind(id).unwrap().variant);
    assert!(kinds.iter().all(|&id| map.kind(id).map(|kind| kind.variant) == full));
    assert!(map.variant_at(0, (2, 1)).is_none() && map.tile_at(0, (2, 1)) != map.tile_at(0, (1, 1)));
    // The picture has the four looks of the tiles in a square. If tiles are drawn with 8 pixels, they are not scaled.
    let art = Art::load(folder.0.join("level.ron"), &map).unwrap().unwrap();
    assert_eq!((art.picture_size(), art.pixels()), ((16, 16), 8));
    let done = folder.tool(&["draw", "level.ron", "--art", "--tile-pixels", "8", "-o", "drawn.png"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    assert_eq!(folder.read("drawn.png")[16..24], [0, 0, 0, 32, 0, 0, 0, 16]);

    std::fs::write(folder.0.join("pictures/t.png"), "GIF89a").unwrap();
    let message = "pictures/t.png: the picture of a tileset is not a PNG";
    folder.expect_refusals("import", "other.ron", &[(&["level.tmx", "--art"], 1, message)]);
    std::fs::remove_file(folder.0.join("pictures/t.png")).unwrap();
    let done = folder.tool(&["import", "level.tmx", "-o", "other.ron", "--art"]);
    assert!(text(&done.stderr).contains("pictures/t.png"), "{}", text(&done.stderr));
    assert_eq!(folder.tool(&["import", "level.tmx", "-o", "other.ron"]).status.code(), Some(0));
}

/// The art at several times against pictures drawn by hand from the tileset: an animated tile, plain and mirrored, as
/// Tiled shows it, and tiles on top of each other, as LDtk shows them.
#[cfg(feature = "png")]
#[test]
fn animated_and_stacked_tiles_look_as_in_the_editor() {
    use surefoot::prelude::Terrain;
    use surefoot_draw::{Art, ArtLayers, Canvas, CellPicture, Color, Paint, Point, Region, Svg, draw_sprites, to_png};

    const SIDE: f64 = 8.0;
    // A tile is a square with a mark in its upper left corner, or upper right if it is mirrored. Tile 3 has only the
    // mark, and is transparent around it.
    let draw = |picture: &mut Svg, column: f64, tile: u8, mirrored: bool| {
        let left = column * SIDE;
        if tile != 3 {
            picture.rect(Point { x: left, y: 0.0 }, SIDE, SIDE, &Paint::fill(Color([10 + tile; 3])));
        }
        let mark = if mirrored { left + 5.0 } else { left };
        picture.rect(Point { x: mark, y: 0.0 }, 3.0, 2.0, &Paint::fill(Color([100 + tile; 3])));
    };
    let picture_of = |columns: usize, tiles: &[(usize, u8, bool)]| {
        let mut picture = Svg::new(columns as f64 * SIDE, SIDE, "");
        tiles.iter().for_each(|&(column, tile, mirrored)| draw(&mut picture, column as f64, tile, mirrored));
        to_png(&picture, 1.0).unwrap()
    };
    let tmx = r#"<map orientation="orthogonal" width="3" height="1" tilewidth="8" tileheight="8">
        <tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="4" columns="4"><image source="t.png" width="32" height="8"/>
        <tile id="0" type="walls"><animation><frame tileid="1" duration="200"/><frame tileid="2" duration="100"/></animation></tile>
        </tileset><layer name="ground" width="3" height="1"><data encoding="csv">1,2147483649,4</data></layer></map>"#;
    let ldtk = r#"{"jsonVersion": "1.5.3", "defs": {
        "layers": [{"uid": 1, "intGridValues": [{"value": 1, "identifier": "walls"}]}],
        "tilesets": [{"uid": 9, "identifier": "t", "relPath": "t.png", "tileGridSize": 8}]},
        "levels": [{"identifier": "Room", "pxWid": 24, "pxHei": 8, "layerInstances": [{
            "__identifier": "Walls", "__cWid": 3, "__cHei": 1, "__gridSize": 8, "layerDefUid": 1, "__tilesetDefUid": 9,
            "intGridCsv": [1, 1, 0], "autoLayerTiles": [
                {"px": [0, 0], "src": [8, 0], "t": 1, "f": 0}, {"px": [0, 0], "src": [24, 0], "t": 3, "f": 1},
                {"px": [8, 0], "src": [24, 0], "t": 3, "f": 0}, {"px": [8, 0], "src": [16, 0], "t": 2, "f": 1},
                {"px": [16, 0], "src": [24, 0], "t": 3, "f": 0}]}]}]}"#;
    let folder = Folder::new("import-looks").with("level.tmx", tmx).with("room.ldtk", ldtk);
    std::fs::write(folder.0.join("t.png"), picture_of(4, &[0, 1, 2, 3].map(|i| (i, i as u8, false)))).unwrap();
    let first = [(0, 1, false), (1, 1, true), (2, 3, false)];
    let second = [(0, 2, false), (1, 2, true), (2, 3, false)];
    let stacked = [(0, 1, false), (0, 3, true), (1, 3, false), (1, 2, true), (2, 3, false)];
    // The first frame is shown for 0.2 seconds, the second one for 0.1, and then the first one again.
    for (level, seconds, tiles) in [
        ("level.tmx", 0.0, &first[..]),
        ("level.tmx", 0.15, &first),
        ("level.tmx", 0.25, &second),
        ("level.tmx", 0.35, &first),
        ("level.tmx", 0.55, &second),
        ("room.ldtk", 0.0, &stacked),
        ("room.ldtk", 0.25, &stacked),
    ] {
        let done = folder.tool(&["import", level, "-o", "out.ron", "--art"]);
        assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
        let map = Map::load(folder.0.join("out.ron")).unwrap();
        let art = Art::load(folder.0.join("out.ron"), &map).unwrap().unwrap();
        let mut sprites = Vec::new();
        for in_front in [false, true] {
            let layers = ArtLayers { region: Region::of(&map), in_front, seconds };
            art.show_map(&map, &Terrain::bake(&map), layers, &mut |cell| match cell {
                CellPicture::Sprite(sprite) => sprites.push((0, sprite)),
                CellPicture::Plain(tile, _) => panic!("{level}: no picture at {tile:?}"),
            });
        }
        let shown = draw_sprites(&[art.picture().to_vec()], &sprites, map.size(), art.pixels()).unwrap();
        assert!(shown == picture_of(3, tiles), "{level} after {seconds} s");
    }
}

/// The map of names is in a folder of its own, and its catalogue in another one below.
#[test]
fn the_written_map_finds_the_catalogue_of_its_names() {
    let level = r#"<map orientation="orthogonal" width="1" height="1" tilewidth="8" tileheight="8">
        <properties><property name="surefoot" value="names/cave.ron"/></properties>
        <tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="1"><tile id="0" type="mud"/></tileset>
        <layer name="ground" width="1" height="1"><data encoding="csv">1</data></layer></map>"#;
    let folder = Folder::new("import-catalogue").with("level.tmx", level);
    let gentle = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/gentle.ron");
    std::fs::create_dir_all(folder.0.join("names/shapes")).unwrap();
    std::fs::copy(&gentle, folder.0.join("names/shapes/gentle.ron")).unwrap();
    let names = r#"Map(format: 1, catalogue: "shapes/gentle.ron", tiles: ["."],
        legend: {'m': (tile: "full_block", properties: {"import": ["mud"]})})"#;
    std::fs::write(folder.0.join("names/cave.ron"), names).unwrap();
    std::fs::create_dir(folder.0.join("maps")).unwrap();
    // The path of the catalogue is relative to the level, or to the file of `--names`. If the map is written to another
    // folder, the catalogue is copied to the same path there.
    for (call, catalogue) in [
        (&["import", "level.tmx", "-o", "level.ron"][..], "names/shapes/gentle.ron"),
        (&["import", "level.tmx", "-o", "maps/level.ron"], "names/shapes/gentle.ron"),
        (&["import", "level.tmx", "--names", "names/cave.ron", "-o", "maps/other.ron"], "shapes/gentle.ron"),
    ] {
        let done = folder.tool(call);
        assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
        let map = Map::load(folder.0.join(call.last().unwrap())).unwrap();
        assert_eq!(map.catalogue_file(), Some(catalogue), "{call:?}");
        assert_eq!(map.variant_at(0, (0, 0)), map.catalogue().find_variant("full_block").ok(), "{call:?}");
    }
    assert_eq!(std::fs::read(folder.0.join("maps/shapes/gentle.ron")).unwrap(), std::fs::read(gentle).unwrap());
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

/// A floor with a start and a goal.
const WALK: &str = r#"<map orientation="orthogonal" width="6" height="3" tilewidth="16" tileheight="16">
    <tileset firstgid="1" name="t" tilewidth="16" tileheight="16" tilecount="1"><tile id="0" type="walls"/></tileset>
    <layer name="Ground" width="6" height="3"><data encoding="csv">0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,1,1,1</data></layer>
    <objectgroup name="things"><object id="1" type="start" x="24" y="24"><point/></object>
    <object id="2" type="goal" x="72" y="24"><point/></object></objectgroup></map>"#;

/// The commands load levels of editors themselves. A replay has the map of the level in it.
#[test]
fn levels_of_editors_are_drawn_recorded_solved_and_exported() {
    let folder = Folder::new("import-direct").with("room.ldtk", example("ldtk/fields.ldtk")).with("walk.tmx", WALK);
    let folder = folder.with("two.ldtk", example("ldtk/wrong_levels.ldtk")).with("a.input", "26 right\nat goal");
    let folder = folder.with("b.input", "1 right");
    for call in [
        &["draw", "room.ldtk", "-o", "room.svg"][..],
        &["record", "walk.tmx", "-i", "a.input", "-o", "walk.replay.ron"],
        &["replay", "walk.replay.ron"],
        &["solve", "walk.tmx", "-o", "solved.replay.ron"],
        &["replay", "solved.replay.ron"],
    ] {
        let done = folder.tool(call);
        assert_eq!(done.status.code(), Some(0), "{call:?}: {}", text(&done.stderr));
    }
    assert!(folder.read_text("room.svg").unwrap().starts_with("<svg"));
    let done = folder.tool(&["export", "walk.tmx", "-o", "other.ldtk"]);
    assert_eq!(done.status.success(), cfg!(feature = "png"), "{}", text(&done.stderr));
    let levels = "two.ldtk: the file has several levels; name one of them, as `Options::level` or with `--level`: \"East\", \"West\"";
    folder.expect_refusals("record", "run.replay.ron", &[(&["two.ldtk", "-i", "b.input"], 1, levels)]);
    folder.expect_refusals("solve", "run.replay.ron", &[(&["two.ldtk"], 3, levels)]);
    // Only the map of names says that `floor_1` is a floor. Without it, no command loads the level.
    let folder = folder.with("mud.tmx", WALK.replace("walls", "floor_1")).with(
        "names.ron",
        r#"Map(format: 1, tiles: ["."], legend: {'f': (tile: "full_block", properties: {"import": ["floor_1"]})})"#,
    );
    for call in [
        &["draw", "mud.tmx", "-o", "mud.svg"][..],
        &["record", "mud.tmx", "-i", "a.input", "-o", "mud.replay.ron"],
        &["solve", "mud.tmx", "--expect", "goal reachable"],
        #[cfg(feature = "png")]
        &["export", "mud.tmx", "-o", "mud.ldtk"],
    ] {
        let done = folder.tool(&[call, &["--names", "names.ron"]].concat());
        assert_eq!(done.status.code(), Some(0), "{call:?}: {}", text(&done.stderr));
    }
    // The level whose floor needs the map of names looks like the level whose floor has a usual name.
    folder.tool(&["draw", "walk.tmx", "-o", "walk.svg"]);
    assert_eq!(folder.read("mud.svg"), folder.read("walk.svg"));
    // The levels have no start.
    let west = folder.tool(&["record", "two.ldtk", "--level", "West", "-i", "b.input", "-o", "west.replay.ron"]);
    assert!(text(&west.stderr).contains("no marker"), "{}", text(&west.stderr));
    let done = folder.tool(&["check", "walk.tmx"]);
    let words = "walk.tmx: a level of an editor; `surefoot import walk.tmx` lists what is wrong or left out";
    assert!(done.status.code() == Some(1) && text(&done.stdout).contains(words), "{}", text(&done.stdout));
}
