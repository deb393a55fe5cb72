//! Files of the editors, one for each feature, each with what it must become: a map drawn by hand in RON, the report of
//! what is left out, or the printed error.

mod round_trip;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use surefoot::event::Event;
use surefoot::map::{CollisionLayers, TileId, TileKind};
use surefoot::prelude::*;
use surefoot::{Input, Map, World};
use surefoot_import::{Import, ImportError, ImportProblem, Options, import, import_from_memory, load};

fn files(folder: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(folder);
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let wanted = |path: &PathBuf| extensions.iter().any(|e| path.extension().is_some_and(|found| found == *e));
    let mut paths: Vec<_> = paths.filter(wanted).collect();
    paths.sort();
    paths
}

fn is_wrong(path: &Path) -> bool {
    path.file_name().unwrap().to_str().unwrap().starts_with("wrong_")
}

/// Returns the tile kinds of all cells. The numbers of the kinds may differ between maps.
fn cells(map: &Map) -> BTreeMap<(String, bool, i32, i32), TileKind> {
    let mut cells = BTreeMap::new();
    for layer in map.layers() {
        for (i, id) in layer.cells.iter().enumerate() {
            let (column, row) = (i as i32 % layer.size.0 as i32, i as i32 / layer.size.0 as i32);
            let at = (layer.name.clone(), layer.collides, layer.origin.0 + column, layer.origin.1 + row);
            cells.insert(at, map.kind(*id).unwrap().clone());
        }
    }
    cells
}

fn markers(map: &Map) -> Vec<(String, (i32, i32))> {
    let mut markers: Vec<_> = map.all_markers().map(|(name, cell)| (name.to_owned(), cell)).collect();
    markers.sort();
    markers
}

/// A tick of a played map. Checksums would have the numbers of the tile kinds, which may differ between maps.
#[derive(Debug, PartialEq)]
struct Tick {
    /// Positions and the bits of the velocities: first the bodies of the map, then a hero and a ball.
    bodies: Vec<(Position, [u64; 2])>,
    platforms: Vec<Position>,
    /// Events as texts, with the kinds of tiles instead of their numbers.
    events: Vec<String>,
}

fn event_text(map: &Map, event: &Event) -> String {
    let text = format!("{event:?}");
    let mut parts = text.split("TileId(");
    let mut shown = parts.next().unwrap().to_owned();
    for part in parts {
        let (number, rest) = part.split_once(')').unwrap();
        // The border of a map has no kind.
        let kind = map.kind(TileId(number.parse().unwrap()));
        shown += &format!("{kind:?}{rest}");
    }
    shown
}

/// Ticks after which the hero is put into another cell, so that it gets everywhere.
const VISIT: usize = 20;

/// Plays a map with all its things: random inputs for all its characters and for a hero, who collides with all bodies
/// and visits random cells, and a ball.
fn play(map: &Map) -> Vec<Tick> {
    let start = map.marker("start").unwrap_or_else(|| Position::new(0.5, map.size().1 as f64 - 0.5).unwrap());
    let mut world = World::from_map(map.clone(), Settings::default());
    let hero = Body::new(Shape::aabb(0.25, 0.25)).at(start).character(Character::default());
    let hero = world.spawn(hero.collision_mask(CollisionLayers::ALL)).unwrap();
    let ball = Body::new(Shape::circle(0.25)).at(start).velocity((7.0, 1.0)).response(Response::Bounce(0.5));
    world.spawn(ball).unwrap();
    let mut random = 7_u64;
    let mut below = |limit: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % limit
    };
    let ids: Vec<BodyId> = world.bodies().map(|(id, _)| id).collect();
    let mut ticks = Vec::new();
    for tick in 0..300 {
        for &id in ids.iter().filter(|id| world[**id].character().is_some()).collect::<Vec<_>>() {
            let walk = if below(2) == 0 { 127 } else { -127 };
            world.set_input(id, Input { walk, jump: below(2) == 0, ..Input::default() });
        }
        if tick % VISIT == VISIT - 1 {
            let cell = [(map.origin().0, map.size().0), (map.origin().1, map.size().1)];
            let [x, y] = cell.map(|(low, side)| f64::from(low) + below(side.into()) as f64 + 0.5);
            // In a solid cell, the hero gets stuck. The imported map and the map drawn by hand must agree on that too.
            let _ = world.teleport(hero, (x, y));
        }
        world.step();
        ticks.push(Tick {
            bodies: world.bodies().map(|(_, s)| (s.position(), s.velocity().to_array().map(f64::to_bits))).collect(),
            platforms: world.platforms().map(|(_, platform)| platform.position()).collect(),
            events: world.events().iter().map(|event| event_text(map, event)).collect(),
        });
    }
    ticks
}

/// Parts of maps that took part in runs: areas that a body entered, platforms that moved, platforms that a body stood
/// on, bodies of the map that moved.
#[derive(Debug, Default)]
struct Seen {
    areas: usize,
    platforms: usize,
    rides: usize,
    bodies: usize,
}

impl Seen {
    fn add(&mut self, ticks: &[Tick]) {
        let (first, last) = (&ticks[0], &ticks[ticks.len() - 1]);
        let moved = |(a, b): (&Position, &Position)| a != b;
        self.platforms += first.platforms.iter().zip(&last.platforms).filter(|pair| moved(*pair)).count();
        let of_map = first.bodies.len() - 2;
        self.bodies += (0..of_map).filter(|&i| first.bodies[i].0 != last.bodies[i].0).count();
        for event in ticks.iter().flat_map(|tick| &tick.events) {
            self.areas += usize::from(event.contains("AreaEntered"));
            self.rides += usize::from(event.contains("Landed") && event.contains("platform: Some"));
        }
    }
}

/// The number of files that are right, of those that are wrong, and the parts that took part in runs.
fn check_folder(folder: &str, extensions: &[&str]) -> (usize, usize, Seen) {
    let (mut right, mut wrong, mut seen) = (0, 0, Seen::default());
    for path in files(folder, extensions) {
        let name = path.display();
        if is_wrong(&path) {
            wrong += 1;
            continue;
        }
        right += 1;
        let mut imports = import(&path, &Options::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let import = imports.pop().unwrap();
        assert!(imports.is_empty(), "{name}");
        let drawn = Map::load(path.with_extension("ron")).unwrap();
        assert_eq!(cells(&import.map), cells(&drawn), "{name}");
        assert_eq!(import.map.size(), drawn.size(), "{name}");
        assert_eq!(import.map.areas(), drawn.areas(), "{name}");
        assert_eq!(import.map.bodies(), drawn.bodies(), "{name}");
        assert_eq!(markers(&import.map), markers(&drawn), "{name}");
        assert_eq!(import.map.properties(), drawn.properties(), "{name}");
        let [imported, by_hand] = [&import.map, &drawn].map(|map| {
            let platforms = map.platforms().iter().cloned();
            let kinds = |platform: &surefoot::platform::Platform| -> Vec<TileKind> {
                platform.layers[0].cells.iter().map(|id| map.kind(*id).unwrap().clone()).collect()
            };
            let plain = |p: surefoot::platform::Platform| (kinds(&p), p.name, p.position, p.motion, p.layers[0].size);
            platforms.map(plain).collect::<Vec<_>>()
        });
        assert_eq!(imported, by_hand, "{name}");
        let (report, list) = (import.report.to_string(), path.with_extension("txt"));
        if std::env::var_os("SUREFOOT_WRITE_BAD").is_some() && !report.is_empty() {
            fs::write(&list, &report).unwrap();
        }
        assert_eq!(report, fs::read_to_string(list).unwrap_or_default(), "{name}");
        let [imported, by_hand] = [&import.map, &drawn].map(play);
        assert!(imported == by_hand, "{name}: other bits than the map drawn by hand");
        seen.add(&imported);
        // The written map reads back.
        assert_eq!(Map::from_ron(&import.map.to_ron()).unwrap(), import.map, "{name}");
    }
    (right, wrong, seen)
}

#[test]
fn levels_of_tiled_are_the_maps_drawn_by_hand() {
    let (right, wrong, seen) = check_folder("tiled", &["tmx", "tmj"]);
    assert!(right >= 12 && wrong >= 12, "{right} {wrong}");
    assert!(seen.areas > 5 && seen.platforms > 0 && seen.rides > 0 && seen.bodies > 1, "{seen:?}");
}

#[test]
fn levels_of_ldtk_are_the_maps_drawn_by_hand() {
    let (right, wrong, seen) = check_folder("ldtk", &["ldtk"]);
    assert!(right >= 12 && wrong >= 12, "{right} {wrong}");
    assert!(seen.areas > 5 && seen.platforms > 0 && seen.rides > 0 && seen.bodies > 1, "{seen:?}");
}

/// Adds the files of a folder and of those below it, with their paths from `root`.
fn read_folder(root: &Path, folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            read_folder(root, &path, files);
        } else {
            files.insert(path.strip_prefix(root).unwrap().to_owned(), fs::read(&path).unwrap());
        }
    }
}

/// Maps, reports and errors of levels in memory, right and wrong, must be those of the same files on the disk.
#[test]
fn files_in_memory_give_what_files_on_the_disk_give() {
    let (mut right, mut missing) = (0, 0);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let mut memory = BTreeMap::new();
    read_folder(&root, &root, &mut memory);
    for folder in ["tiled", "ldtk"] {
        let plain = |result: Result<Vec<Import>, ImportError>| {
            let parts = |import: Import| (import.name, import.map, import.report.to_string(), import.neighbours);
            result.map(|imports| imports.into_iter().map(parts).collect::<Vec<_>>())
        };
        for path in files(folder, &["tmx", "tmj", "ldtk", "ron"]) {
            let name = path.strip_prefix(&root).unwrap();
            let options = Options::default();
            let (disk, found) = (import(&path, &options), import_from_memory(name, &memory, &options));
            match (plain(disk), plain(found)) {
                // On the disk, a level may name files only in its own folder or that of its project. In memory, it may
                // name all files of `memory`. So this error of the disk is expected.
                (Err(disk), _) if matches!(*disk.problem, ImportProblem::Outside { .. }) => {}
                (Err(disk), Err(found)) if disk.missing_file().is_some() => {
                    missing += 1;
                    let path = root.join(found.missing_file().unwrap_or_else(|| panic!("{found}")));
                    assert_eq!(fs::canonicalize(path).unwrap_err().kind(), std::io::ErrorKind::NotFound, "{found}");
                }
                (Err(disk), Err(found)) => {
                    let disk = disk.to_string().replace(&format!("{}/", root.display()), "");
                    assert_eq!(found.to_string(), disk, "{}", name.display());
                }
                (disk, found) => {
                    assert_eq!(found.unwrap(), disk.unwrap(), "{}", name.display());
                    right += 1;
                }
            }
        }
    }
    assert!(right >= 48 && missing >= 2, "{right} {missing}");
}

#[test]
fn a_map_in_memory_names_a_catalogue_in_memory() {
    let map = r#"Map(format: 1, tiles: ["r"], legend: {'r': "ramp"}, catalogue: "sub/own.ron")"#;
    let own = r#"Catalogue(format: 1, patterns: [(name: "ramp", kind: Solid, paths: [[(0, 0), (16, 4), (16, 0)]])])"#;
    let at = |name: &str, text: &str| (PathBuf::from(name), text.as_bytes().to_vec());
    let load = |files: &[(PathBuf, Vec<u8>)]| {
        let files = files.iter().cloned().collect();
        import_from_memory("maps/a.ron", &files, &Options::default()).map(|mut imports| imports.remove(0).map)
    };
    let error = load(&[at("maps/a.ron", map)]).unwrap_err();
    assert_eq!(error.missing_file(), Some(Path::new("maps/sub/own.ron")));
    let loaded = load(&[at("maps/a.ron", map), at("maps/sub/own.ron", own)]).unwrap();
    assert!(loaded.catalogue().patterns().iter().any(|pattern| pattern.name == "ramp"));
    let error = load(&[at("maps/a.ron", map), at("maps/sub/own.ron", "Catalogue(")]).unwrap_err().to_string();
    assert!(error.contains("maps/a.ron:1:") && error.contains("maps/sub/own.ron"), "{error}");
    let outside = map.replace("sub/own", "../../own");
    let error = load(&[at("maps/a.ron", &outside)]).unwrap_err().to_string();
    assert!(error.contains("out of the map's folder"), "{error}");
}

/// The level's own file is in a folder below that of the project, and both folders have a map of names.
#[test]
fn levels_in_files_of_their_own_name_files_from_the_folder_of_the_project() {
    let at = |name: &str, text: String| (PathBuf::from(name), text.into_bytes());
    let read = |name: &str| {
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/ldtk").join(name)).unwrap()
    };
    let names = |tile: &str| {
        format!(
            r#"Map(format: 1, tiles: ["."], legend: {{'s': (tile: "{tile}", properties: {{"import": ["walls"]}})}})"#
        )
    };
    let field = r#""fieldInstances": [{"__identifier": "surefoot", "__type": "String", "__value": "names.ron"}]"#;
    let level = read("room.ldtkl").replace("\"fieldInstances\": []", field);
    let files = BTreeMap::from([
        at("world.ldtk", read("external.ldtk").replace("room.ldtkl", "world/room.ldtkl")),
        at("world/room.ldtkl", level),
        at("names.ron", names("half_slab")),
        at("world/names.ron", names("spike")),
    ]);
    let map = import_from_memory("world.ldtk", &files, &Options::default()).unwrap().remove(0).map;
    assert_eq!(map.variant_at(0, (0, 0)), map.catalogue().find_variant("half_slab").ok());
}

/// `SUREFOOT_WRITE_BAD=1` writes the list; read what changed.
#[test]
fn wrong_files_have_the_printed_errors() {
    let mut printed = String::new();
    for path in [files("tiled", &["tmx", "tmj"]), files("ldtk", &["ldtk"])].concat() {
        if is_wrong(&path) && !(cfg!(feature = "zstd") && path.ends_with("wrong_zstd.tmx")) {
            let error = load(&path).expect_err(&path.display().to_string());
            // If `main` returns an error, Rust prints its `Debug` form. So this form must be the message.
            assert_eq!(format!("{error:?}"), error.to_string());
            let error = error.to_string();
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/");
            printed += &format!("{}\n", error.replace(folder, ""));
        }
    }
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/errors.txt");
    if std::env::var_os("SUREFOOT_WRITE_BAD").is_some() {
        fs::write(&list, &printed).unwrap();
    }
    let mut wanted = fs::read_to_string(list).unwrap();
    if cfg!(feature = "zstd") {
        wanted = wanted.lines().filter(|line| !line.contains("zstd")).map(|line| format!("{line}\n")).collect();
    }
    assert_eq!(printed, wanted);
}

#[cfg(feature = "zstd")]
#[test]
fn layers_in_zstd_are_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/tiled/wrong_zstd.tmx");
    let drawn = Map::from_ron(r##"Map(format: 1, layers: [(name: "Ground", tiles: ["#/"])])"##).unwrap();
    assert_eq!(cells(&load(path).unwrap()), cells(&drawn));
}

#[test]
fn levels_of_a_world_know_their_neighbours() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/ldtk/wrong_levels.ldtk");
    let levels = import(file, &Options::default()).unwrap().into_iter().map(|import| (import.name, import.neighbours));
    let expected = [("East".to_owned(), vec![("w".to_owned(), "West".to_owned())]), ("West".to_owned(), Vec::new())];
    assert!(levels.eq(expected));
}

#[test]
fn names_that_nothing_has_are_reported() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/ldtk");
    let names = Map::from_ron(
        r#"Map(format: 1, tiles: ["."], legend: {
            's': (tile: "half_slab", properties: {"import": ["Collisions/3", "mud"]})})"#,
    );
    let options = Options { names: Some(names.unwrap()), ..Options::default() };
    let imports = import(folder.join("nameless.ldtk"), &options).unwrap();
    let lines = imports[0].report.to_string();
    assert_eq!(lines, "nothing has the name \"mud\" of the map of names\n");
}

/// 500 objects of a template with a megabyte of text would take half a gigabyte in the map.
#[test]
fn large_properties_of_templates_and_classes_are_refused() {
    let folder = std::env::temp_dir().join(format!("surefoot-template-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let text = "x".repeat(1 << 20);
    let property = format!(r#"<properties><property name="text" value="{text}"/></properties>"#);
    fs::write(folder.join("t.tx"), format!("<template><object name=\"a\">{property}</object></template>")).unwrap();
    let objects = |count: usize| {
        let objects: String =
            (1..=count).map(|id| format!(r#"<object id="{id}" template="t.tx" x="1" y="1"/>"#)).collect();
        let map = r#"<map orientation="orthogonal" width="4" height="4" tilewidth="16" tileheight="16">"#;
        fs::write(folder.join("a.tmx"), format!("{map}<objectgroup name=\"o\">{objects}</objectgroup></map>")).unwrap();
        import(folder.join("a.tmx"), &Options::default())
    };
    assert!(objects(3).is_ok());
    let error = objects(500).unwrap_err().to_string();
    let words =
        ": everything up to here has too many properties of templates, tiles and classes; expected at most 16 MiB";
    assert!(error.ends_with(&format!("object 16 of layer \"o\"{words}")), "{error}");
    // Each class has ten members of the next class: twenty classes would make 10^20 members.
    let class = |depth: usize| {
        let member =
            |i| format!(r#"{{"name": "m{i}", "type": "class", "propertyType": "c{}", "value": {{}}}}"#, depth + 1);
        let members: Vec<String> = (0..10).map(member).collect();
        format!(r#"{{"name": "c{depth}", "type": "class", "members": [{}]}}"#, members.join(","))
    };
    let classes: Vec<String> = (0..20).map(class).collect();
    fs::write(folder.join("a.tiled-project"), format!(r#"{{"propertyTypes": [{}]}}"#, classes.join(","))).unwrap();
    fs::write(folder.join("t.tx"), r#"<template><object type="c0"/></template>"#).unwrap();
    let error = objects(1).unwrap_err().to_string();
    assert!(error.ends_with(&format!("object 1 of layer \"o\"{words}")), "{error}");
    fs::write(folder.join("a.tiled-project"), "{\"propertyTypes\": 3}").unwrap();
    let error = objects(1).unwrap_err().to_string();
    assert!(
        error.ends_with("a.tiled-project:1:19: not a project of Tiled: the value is the number 3; expected a list"),
        "{error}"
    );
    fs::remove_dir_all(folder).unwrap();
}

/// A file of 64 MiB may have a million objects. A map has at most 65,535 tile kinds, and each object with data is one,
/// so the others are counted, with the reason and their first place. `SUREFOOT_LIMITS` reads a million.
#[test]
fn objects_that_no_map_can_hold_are_counted() {
    let (side, count) = if std::env::var_os("SUREFOOT_LIMITS").is_some() { (1000, 1_000_000) } else { (300, 70_000) };
    let at = |i: u64| (2 * (i % side) + 1, 2 * (i / side) + 1);
    let object = |i: u64| format!("<object id=\"{}\" x=\"{}\" y=\"{}\"><point/></object>", i + 1, at(i).0, at(i).1);
    let objects: String = (0..count).map(object).collect();
    let tiled = format!(
        r#"<map orientation="orthogonal" width="{side}" height="{side}" tilewidth="2" tileheight="2"><objectgroup>{objects}</objectgroup></map>"#
    );
    let entity = |i: u64| format!(r#"{{"__identifier":"T","px":[{},{}],"width":0,"height":0}}"#, at(i).0, at(i).1);
    let entities: Vec<String> = (0..count).map(entity).collect();
    let layer = format!(
        r#""__identifier": "Things", "__cWid": {side}, "__cHei": {side}, "__gridSize": 2, "layerDefUid": 1, "entityInstances": [{}]"#,
        entities.join(",")
    );
    let ldtk = format!(
        r#"{{"jsonVersion": "1.5.3", "defs": {{"layers": [], "tilesets": []}}, "levels": [{{"identifier": "L", "pxWid": {0}, "pxHei": {0}, "layerInstances": [{{{layer}}}]}}]}}"#,
        2 * side
    );
    for (ending, text) in [("tmx", tiled), ("ldtk", ldtk)] {
        let file = std::env::temp_dir().join(format!("surefoot-objects-{}.{ending}", std::process::id()));
        fs::write(&file, text).unwrap();
        let imports = import(&file, &Options::default()).unwrap();
        fs::remove_file(&file).unwrap();
        let [left] = &imports[0].report.left_over[..] else { panic!("{}", imports[0].report) };
        let held = imports[0].map.all_markers().count() as u64;
        assert_eq!(left.what, "object with properties, of which the map has as many as it can hold");
        assert!(held > 65_000 && held + left.count == count, "{ending}: {held} and {}", left.count);
        // Objects count from the upper left, and rows of the map from the lowest one.
        assert_eq!(left.first, ((held % side) as i64, (side - 1 - held / side) as i64), "{ending}");
    }
}

/// Files that are cut or changed at random places are read or refused, and nothing panics. `SUREFOOT_IMPORTS` is the
/// number of cases for each file.
#[test]
fn any_bytes_are_read_or_refused() {
    let folder = std::env::temp_dir().join(format!("surefoot-import-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    for name in [
        "level.tiled-project",
        "tiles.tsx",
        "tiles.tsj",
        "crate.tx",
        "crate.tj",
        "circle_a.tx",
        "circle_b.tx",
        "level.names.ron",
    ] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/tiled").join(name);
        fs::copy(from, folder.join(name)).unwrap();
    }
    let cases: usize = std::env::var("SUREFOOT_IMPORTS").map_or(20, |cases| cases.parse().unwrap());
    let mut random = 1_u64;
    let mut below = |limit: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % limit
    };
    let (mut read, mut refused) = (0, 0);
    for path in [files("tiled", &["tmx", "tmj"]), files("ldtk", &["ldtk"])].concat() {
        let bytes = fs::read(&path).unwrap();
        let file = folder.join("any").with_extension(path.extension().unwrap());
        for _ in 0..cases {
            let mut bytes = bytes.clone();
            for _ in 0..=below(3) {
                let at = below(bytes.len());
                match below(4) {
                    0 => bytes.truncate(at + 1),
                    1 => bytes[at] = b"0123456789-\"<>{}[],."[below(20)],
                    2 => drop(bytes.splice(at..at, b"9999999".iter().copied())),
                    _ => drop(bytes.remove(at)),
                }
                if bytes.is_empty() {
                    break;
                }
            }
            fs::write(&file, &bytes).unwrap();
            match import(&file, &Options::default()) {
                Ok(_) => read += 1,
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    refused += 1;
                }
            }
        }
    }
    fs::remove_dir_all(folder).unwrap();
    assert!(read > 40 && refused > 40, "{read} {refused}");
}
