//! Maps that are exported to an editor and imported again are the same maps, and play the same bits.

use super::{files, is_wrong, play};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use surefoot::Map;
use surefoot::area::{Area, AreaShape, AttachedTo, Boxes};
use surefoot::geometry::{Aabb, Circle, ConvexPolygon, Position, dvec2};
use surefoot::map::{Borders, MapParts, MarkerThing, Material, PlacedBody, TileId, TileKind, TileLayer, Value};
use surefoot::platform::{CirclePath, Easing, OnCrush, Path as TilePath, PathTiming, Platform, PlatformMotion, Repeat};
use surefoot::prelude::{Catalogue, VariantId};
use surefoot_import::{Form, Import, Options, export, export_project, import};

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("surefoot-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Exports a map and imports its level. Returns the report of the export, and the import.
fn round_trip(folder: &Folder, map: &Map, form: Form) -> (String, Import) {
    let export = export(map, "level", form).unwrap();
    for (name, text) in &export.files {
        std::fs::write(folder.0.join(name), text).unwrap();
    }
    let level = folder.0.join(format!("level.{}", form.extension()));
    let mut imports = import(&level, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(imports.len(), 1);
    (export.report.to_string(), imports.remove(0))
}

/// Prints the first lines that differ, and not two whole maps.
fn assert_same(again: &Map, map: &Map, name: &str) {
    if again != map {
        let texts = [again, map].map(|map| format!("{}\n{:#?}", map.to_ron(), map.clone().into_parts().kinds));
        let lines = texts[0].lines().zip(texts[1].lines()).find(|(a, b)| a != b);
        panic!("{name}: another map came back: {lines:?}");
    }
}

/// Returns all maps of the repository: those that it ships, and those of the files of editors.
fn shipped() -> Vec<(PathBuf, Map)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut maps = Vec::new();
    for folder in ["maps", "maps/showcase"] {
        let entries = std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        let is_map = |path: &PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy();
            name.ends_with(".ron") && !name.ends_with(".replay.ron")
        };
        maps.extend(entries.filter(is_map));
    }
    maps.extend([files("tiled", &["ron"]), files("ldtk", &["ron"])].concat());
    maps.sort();
    maps.into_iter()
        .filter(|path| !is_wrong(path))
        .filter_map(|path| Some((path.clone(), Map::load(&path).ok()?)))
        .collect()
}

#[test]
fn shipped_maps_come_back_from_both_editors() {
    let folder = Folder::new("round-trip");
    let maps = shipped();
    assert!(maps.len() > 40, "{}", maps.len());
    for (path, map) in &maps {
        let name = path.display();
        let (report, again) = round_trip(&folder, map, Form::Tiled);
        // An import removes the property `import` of a map of names.
        if path.ends_with("ldtk/bodies.names.ron") {
            let lost = "left out 1 time: legend entry 'w'; first at column 0, row 0 from the bottom\n\
                left out 1 time: legend entry 'b'; first at column 0, row 0 from the bottom\n";
            assert_eq!(report, lost);
            continue;
        }
        assert_eq!(report, "", "{name}");
        assert_eq!(again.report.to_string(), "", "{name}");
        assert_same(&again.map, map, &name.to_string());
        let (report, again) = round_trip(&folder, map, Form::Ldtk);
        // Layers of LDtk are as large as the level, and have identifiers as names.
        let is_known = |line: &str| line.contains("size of layer") || line.contains("name of layer");
        assert!(report.lines().all(is_known), "{name}: {report}");
        assert_eq!(again.report.to_string(), "", "{name}");
        if report.is_empty() {
            assert_same(&again.map, map, &name.to_string());
        }
        if map.size().0 <= 128 {
            assert!(play(&again.map) == play(map), "{name}: other bits");
        }
    }
}

#[test]
fn ready_projects_are_those_that_the_export_writes() {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    let mut levels = Vec::new();
    for (form, folder) in [(Form::Tiled, "tiled"), (Form::Ldtk, "ldtk")] {
        for (name, text) in export_project("surefoot", form, 16).files {
            let path = assets.join(folder).join(name);
            let words = "write it again by `surefoot export --new --theme stone`";
            assert!(std::fs::read_to_string(&path).unwrap() == text, "{}: {words}", path.display());
        }
        let level = assets.join(folder).join(format!("surefoot.{}", form.extension()));
        let import = import(level, &Options::default()).unwrap().remove(0);
        assert_eq!(import.report.to_string(), "");
        let cells = super::cells(&import.map).into_iter().map(|((_, collides, x, y), kind)| ((collides, x, y), kind));
        levels.push(cells.collect::<BTreeMap<_, _>>());
    }
    assert_eq!(levels[0], levels[1]);
}

/// A random number below a limit.
type Random<'a> = &'a mut dyn FnMut(usize) -> usize;

/// Words that files must escape, and words that they cannot say.
const WORDS: [&str; 12] = [
    "a",
    "\"quoted\"",
    "<tag/> & 'more'",
    "two\nlines",
    "tab\tand\rreturn",
    " spaces ",
    "ü ∆ 🦀",
    "]]>",
    "\u{1}object 3",
    "\u{7}bell",
    "layer 0",
    "Surefoot/3",
];

fn value(random: Random<'_>, depth: usize) -> Value {
    match random(if depth == 0 { 6 } else { 4 }) {
        0 => Value::Bool(random(2) == 0),
        1 => Value::Integer([0, -1, 7, i64::from(i32::MAX), i64::MAX, i64::MIN][random(6)]),
        2 => Value::Float([0.0, -0.0, 0.1, 1e300, -2.5e-8, 3.0][random(6)]),
        3 => Value::Text(WORDS[random(12)].to_owned()),
        4 => Value::List((0..random(3)).map(|_| value(random, depth + 1)).collect()),
        _ => Value::Map((0..random(3)).map(|i| (WORDS[i].to_owned(), value(random, depth + 1))).collect()),
    }
}

fn properties(random: Random<'_>) -> BTreeMap<String, Value> {
    let names = ["hp", "opens", "name", "dx", "surefoot", "two words", "\u{2}", "<x>"];
    (0..random(4)).map(|_| (names[random(8)].to_owned(), value(random, 0))).collect()
}

/// A position on a fine or a coarse lattice.
fn position(random: Random<'_>) -> Position {
    let mut axis = || match random(3) {
        0 => (random(20) as i64 - 4) << 32,
        1 => (random(320) as i64 - 64) << 28,
        _ => (random(1 << 20) as i64) * 70_003 - (1 << 33),
    };
    let (x, y) = (axis(), axis());
    Position::from_units(x, y).unwrap()
}

fn kinds(random: Random<'_>, catalogue: &Catalogue) -> Vec<TileKind> {
    let count = catalogue.variants().len();
    let mut kinds = vec![TileKind::default()];
    for index in 0..8 + random(12) {
        let mut kind = TileKind::new(VariantId(random(count) as u16));
        match random(6) {
            0 => kind.material = Material { friction: 0.25, bounce: 0.5, ..Material::default() },
            1 => kind.properties = properties(random),
            2 => {
                let name = WORDS[random(12)].to_owned();
                kind.things.marker = Some(Box::new(MarkerThing { name, properties: properties(random) }));
            }
            3 if index % 2 == 0 => kind = TileKind::default(),
            _ => {}
        }
        kinds.push(kind);
    }
    kinds
}

fn layers(random: Random<'_>, kinds: usize) -> Vec<TileLayer> {
    let origin = (random(9) as i32 - 4, random(9) as i32 - 4);
    let names = ["tiles", "far away", "<near>"];
    let count = 1 + random(3);
    let layer = |(index, name): (usize, &&str)| {
        let mut layer = TileLayer::new(*name, 4 + random(12) as u32, 3 + random(9) as u32);
        layer.origin = (origin.0 + random(3) as i32, origin.1 + random(3) as i32);
        // Only the first layer collides, because some pairs of tiles cannot share a cell in colliding layers.
        layer.collides = index == 0;
        layer.cells.iter_mut().for_each(|cell| *cell = TileId(random(kinds * 2).saturating_sub(kinds) as u16));
        layer
    };
    names[..count].iter().enumerate().map(layer).collect()
}

fn area_shape(random: Random<'_>) -> AreaShape {
    let mut size = || 0.25 + random(40) as f64 / 7.0;
    let (a, b) = (size(), size());
    match random(6) {
        0 => AreaShape::circle(a).unwrap(),
        1 => Circle::new(dvec2(a, -b), b).unwrap().into(),
        2 => AreaShape::aabb(a, b).unwrap(),
        3 => Aabb::new(dvec2(-a, 0.0), dvec2(b, 0.5)).unwrap().into(),
        4 => ConvexPolygon::new(&[dvec2(0.0, 0.0), dvec2(a, 0.1), dvec2(b, 3.0)]).unwrap().into(),
        _ => {
            let boxes = [Aabb::new(dvec2(0.0, 0.0), dvec2(a, 1.0)), Aabb::new(dvec2(0.0, 1.0), dvec2(b, 2.0))];
            AreaShape::Boxes(Boxes::new(boxes.map(Result::unwrap)))
        }
    }
}

fn motion(random: Random<'_>) -> PlatformMotion {
    match random(4) {
        0 => PlatformMotion::Driven,
        1 => PlatformMotion::Circle(CirclePath {
            radius: 1.5,
            timing: PathTiming::Period(3.0),
            clockwise: random(2) == 0,
            phase: 0.25,
        }),
        _ => {
            let start = if random(4) == 0 { position(random) } else { Position::default() };
            let mut points = vec![start];
            points.extend((0..1 + random(3)).map(|i| Position::new(i as f64 + 1.0, random(9) as f64 / 2.0).unwrap()));
            let timing = if random(2) == 0 { PathTiming::Speed(1.5) } else { PathTiming::Period(9.0) };
            let repeat = [Repeat::Once, Repeat::Loop, Repeat::PingPong][random(3)];
            let easing = [Easing::Linear, Easing::Smooth][random(2)];
            PlatformMotion::Path(TilePath { points, timing, repeat, easing, wait: 0.5, phase: 0.125 })
        }
    }
}

fn map(random: Random<'_>) -> Map {
    let catalogue = Catalogue::builtin();
    let mut parts = MapParts::new(1, 1);
    parts.kinds = kinds(random, &catalogue);
    parts.layers = layers(random, parts.kinds.len());
    // A cell cannot have the same marker twice, so only the first layer keeps tiles with markers.
    for cell in parts.layers.iter_mut().skip(1).flat_map(|layer| &mut layer.cells) {
        if parts.kinds[usize::from(cell.0)].things.marker.is_some() {
            *cell = TileId::EMPTY;
        }
    }
    parts.pixels_per_tile = [16, 32, 24, 20][random(4)];
    parts.borders = Borders::default();
    parts.collision_layers = vec!["hero".to_owned(), "two words".to_owned()];
    parts.properties = properties(random);
    let solid = parts.kinds.len();
    parts.kinds.push(TileKind::new(catalogue.find_variant("full_block").unwrap()));
    for i in 0..random(4) {
        let mut layer = TileLayer::new("tiles", 1 + random(3) as u32, 1 + random(2) as u32);
        layer.cells.fill(TileId(solid as u16));
        layer.origin = (random(3) as i32 - 1, 0);
        let name = if random(3) == 0 { String::new() } else { format!("{} {i}", WORDS[random(12)]) };
        let mut platform = Platform::new(vec![layer]).name(name);
        platform.position = Ok(position(random));
        platform.motion = motion(random);
        platform.paused = random(2) == 0;
        platform.on_crush = [OnCrush::Stop, OnCrush::PassThrough][random(2)];
        parts.platforms.push(platform);
    }
    let named: Vec<String> = parts.platforms.iter().map(|platform| platform.name.clone()).collect();
    for name in named.iter().filter(|name| !name.is_empty()) {
        parts.platform_properties.insert(name.clone(), properties(random));
    }
    for i in 0..random(5) {
        let mut area = Area::new(area_shape(random)).at((0.0, 0.0)).tag(["", "water", "a \"tag\"", "goal"][random(4)]);
        area.position = Ok(position(random));
        area.name = if random(3) == 0 { String::new() } else { format!("{} {i}", WORDS[random(12)]) };
        area.priority = random(3) as i32;
        if !area.name.is_empty() {
            parts.area_properties.insert(area.name.clone(), properties(random));
        }
        if let Some(name) = named.get(random(6)).filter(|name| !name.is_empty()) {
            area.attached_to = AttachedTo::Named(name.clone());
        }
        parts.areas.push(area);
    }
    let bodies = Map::from_ron(
        r#"Map(format: 1, tiles: ["."], bodies: [
            (name: "a", kind: "walker", shape: Aabb(0.3, 0.45), facing: Left, character: (walk_speed: 3.0)),
            (name: "b", kind: "a ball", shape: Circle(0.2), velocity: (1.0, 2.0)),
            (name: "c", kind: "crate", shape: Aabb(0.5, 0.5), friction: 0.2)])"#,
    );
    let known = bodies.unwrap();
    for i in 0..random(5) {
        let mut thing = known.bodies()[random(3)].thing.clone();
        Arc::make_mut(&mut thing).properties = properties(random);
        let name = format!("{} {i}", WORDS[random(12)]);
        parts.bodies.push(PlacedBody { name, position: position(random), thing });
    }
    let map = Map::from_parts(parts.clone()).unwrap_or_else(|error| panic!("{error}"));
    let (low, size) = (map.origin(), map.size());
    for i in 0..random(4) {
        let cell = (low.0 + random(size.0 as usize) as i32, low.1 + random(size.1 as usize) as i32);
        parts.markers.push((["start", "goal", "check point", "water"][i].to_owned(), cell));
    }
    // If a cell already has a marker of the same name, the parts are refused. Then use the map without the added
    // markers.
    Map::from_parts(parts).unwrap_or(map)
}

/// `SUREFOOT_EXPORTS` is the number of maps.
#[test]
fn random_maps_come_back_or_the_differences_are_reported() {
    let folder = Folder::new("random-trip");
    let count: u64 = std::env::var("SUREFOOT_EXPORTS").map_or(60, |count| count.parse().unwrap());
    let (mut equal, mut with_report) = (0_u64, 0_u64);
    for seed in 0..count {
        let mut state = seed;
        let mut random = |limit: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % limit
        };
        let map = map(&mut random);
        for form in [Form::Tiled, Form::Ldtk] {
            let (report, again) = round_trip(&folder, &map, form);
            assert_eq!(again.report.to_string(), "", "seed {seed}, {form:?}");
            if report.is_empty() {
                assert_same(&again.map, &map, &format!("seed {seed}, {form:?}"));
                equal += 1;
            } else {
                // If the report is not empty, the maps must differ.
                assert!(again.map != map, "seed {seed}, {form:?}: {report}");
                with_report += 1;
            }
        }
    }
    assert!(equal > count / 2 && with_report > 0, "{equal} {with_report}");
}
