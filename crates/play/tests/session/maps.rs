//! Tests painting on maps and saving them.

use crate::{Folder, HALL, TICK, hall, paused, shipped, tick, tiles};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use surefoot::catalogue::VariantId;
use surefoot::map::Map;
use surefoot_play::{Held, PlayError, Session};

/// Returns all shipped maps, and one with the catalogue of gentle hills.
fn all_maps(folder: &Folder) -> Vec<Map> {
    let mut maps: Vec<Map> =
        ["first_steps.ron", "highlands.ron", "zoo.ron"].map(|map| Map::load(shipped(map)).unwrap()).into();
    let found = fs::read_dir(shipped("")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let found = found.filter(|name| name.ends_with(".ron") && !name.ends_with(".replay.ron")).count();
    assert_eq!(found, maps.len(), "a shipped map is not tested");
    maps.push(Map::load(gentle(folder, "gentle_map.ron", "@.")).unwrap());
    maps.push(Map::from_ron(HALL).unwrap());
    // The symbols that the session adds to the legend must not repeat these symbols.
    let odd =
        r#"Map(format: 1, legend: {'Ā': "disc", 'ă': "stud", '─': "spike", 'あ': "one_way r1"}, tiles: ["@.Āă─あ"])"#;
    maps.push(Map::from_ron(odd).unwrap());
    maps
}

/// Writes a map of gentle hills with its catalogue in the same folder.
fn gentle(folder: &Folder, name: &str, row: &str) -> std::path::PathBuf {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    fs::copy(assets.join("gentle.ron"), folder.at("gentle.ron")).unwrap();
    let rows = format!("\"{row}\", \"{}\"", "#".repeat(row.len()));
    fs::write(folder.at(name), format!("Map(format: 1, catalogue: \"gentle.ron\", tiles: [{rows}])")).unwrap();
    folder.at(name)
}

#[test]
fn every_variant_can_be_painted_on_every_map() {
    let folder = Folder::new("legends");
    for map in all_maps(&folder) {
        let (checksum, own, catalogue) = (map.checksum(), map.kinds().to_vec(), map.catalogue().clone());
        if map.catalogue_file().is_none() {
            assert_eq!(catalogue.variants().len(), 96);
        }
        let origin = map.origin();
        let mut session = Session::play(map, None);
        let played = session.world().map().clone();
        assert_eq!(played.checksum(), checksum, "what bodies meet is the same");
        assert_eq!(&played.kinds()[..own.len()], own, "the file's entries stay what they are");
        // A file with this legend can be loaded.
        let back = Map::from_ron_with(&played.to_ron(), &catalogue).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(back, *played);
        for variant in (0..catalogue.variants().len()).map(|i| VariantId(i as u16)) {
            session.paint(origin, Some(variant)).unwrap();
            assert_eq!(session.variant_at(origin), Some(variant), "{}", catalogue.variant_name(variant));
            assert_eq!(session.world().terrain().variant_at(0, origin), Some(variant));
            tick(pause_if_running(&mut session), Held::default());
        }
        session.paint(origin, None).unwrap();
        assert_eq!(session.variant_at(origin), None);
        let unknown = VariantId(catalogue.variants().len() as u16);
        assert!(matches!(session.paint(origin, Some(unknown)), Err(PlayError::NotInLegend { .. })));
    }
}

/// Pauses the session.
fn pause_if_running(session: &mut Session) -> &mut Session {
    if !session.time().paused {
        session.toggle_pause();
    }
    session
}

#[test]
fn painting_a_one_way_tile_prefers_one_without_drop_through() {
    let mut session = hall();
    let ledge = crate::variant(&session, "one_way");
    session.paint((5, 3), Some(ledge)).unwrap();
    let entry = session.world().tile_at(0, (5, 3)).unwrap();
    assert!(!session.world().map().kind(entry).unwrap().drop_through);
}

/// Paints tiles that the legend had, tiles that it lacked, and one of them twice.
fn paint(session: &mut Session, at: (i32, i32)) -> BTreeSet<VariantId> {
    let [octagon, caltrop, beam, block] =
        ["octagon", "caltrop", "beam r1", "full_block"].map(|name| crate::variant(session, name));
    let mut tile = at;
    for variant in [octagon, caltrop, beam, block] {
        session.paint(tile, Some(variant)).unwrap();
        tile.0 += 1;
    }
    session.paint((at.0 + 1, at.1), None).unwrap();
    BTreeSet::from([octagon, beam, block])
}

#[test]
fn a_saved_map_has_the_painted_tiles_and_no_unused_new_symbols() {
    let folder = Folder::new("saved");
    let layers = r##"Map(format: 1, origin: (-2, 5), pixels_per_tile: 24, border: (left: Solid, top: Solid),
        markers: {"here": [(0, 5)]}, properties: {"wind": 1.5}, layers: [
        (name: "behind", collides: false, tiles: ["o......", "o......"]),
        (name: "ground", tiles: ["@......", ".#---=="]), (name: "front", tiles: [".....L.", "......."])])"##;
    fs::write(folder.at("layers.ron"), layers).unwrap();
    for name in ["first_steps.ron", "zoo.ron", "layers.ron"] {
        let file = if name == "layers.ron" { folder.at(name) } else { folder.copy(name) };
        let before = Map::load(&file).unwrap();
        let mut session = paused(Session::open(&file).unwrap());
        let (left, bottom) = before.origin();
        let painted = paint(&mut session, (left + 1, bottom));
        tick(&mut session, Held::default());
        let saved = folder.at("sub/saved.ron");
        session.save_map(&saved).unwrap();
        let after = Map::load(&saved).unwrap();
        assert_eq!(
            tiles(&surefoot::world::World::new(after.clone(), session.world().settings())),
            tiles(session.world())
        );
        let layer = session.layer();
        assert_eq!(layer, usize::from(name == "layers.ron"));
        let octagon = crate::variant(&session, "octagon");
        assert_eq!(
            after.kind(after.tile_at(layer, (left + 1, bottom)).unwrap()).unwrap().variant,
            Some(octagon),
            "{name}"
        );
        // The legend has all entries of the file in order, then those of the painted tiles.
        let had: BTreeSet<VariantId> = before.kinds().iter().filter_map(|entry| entry.variant).collect();
        assert_eq!(&after.kinds()[..before.kinds().len()], before.kinds());
        let added: Vec<VariantId> = after.kinds()[before.kinds().len()..].iter().filter_map(|e| e.variant).collect();
        let expected: Vec<VariantId> = painted.difference(&had).copied().collect();
        assert_eq!(added, expected, "{name}");
        assert_eq!(added.is_empty(), name == "zoo.ron");
        assert!(after.all_markers().eq(before.all_markers()));
        assert_eq!((after.borders(), after.origin(), after.size()), (before.borders(), before.origin(), before.size()));
        assert_eq!((after.pixels_per_tile(), after.properties()), (before.pixels_per_tile(), before.properties()));
        assert!(after.layers().iter().zip(before.layers()).all(|(a, b)| a.name == b.name && a.collides == b.collides));
        assert_eq!(Map::load(&file).unwrap(), before, "the file it came from stays");
    }
}

#[test]
fn new_files_are_named_after_the_map_and_overwrite_nothing() {
    let folder = Folder::new("names");
    let session = hall();
    assert_eq!(session.file(), None);
    // File names in the current folder have no folder part.
    assert_eq!(session.new_map_file().parent(), Some(Path::new("")));
    assert!(session.new_map_file().to_str().is_some_and(|name| name.starts_with("map-") && name.ends_with(".ron")));
    let session = Session::open(folder.copy("zoo.ron")).unwrap();
    assert!(
        session
            .new_replay_file()
            .to_str()
            .is_some_and(|name| name.starts_with("zoo-") && name.ends_with(".replay.ron"))
    );
    // The catalogue of this map is a file in the same folder.
    let mut session = Session::open(gentle(&folder, "hills.ron", "@...")).unwrap();
    let file = session.new_map_file();
    assert_eq!(file, folder.at("hills-1.ron"));
    session.save_map(&file).unwrap();
    assert_eq!(session.new_map_file(), folder.at("hills-2.ron"));
    assert!(Map::load(&file).is_ok());
}

#[test]
fn a_map_is_only_saved_next_to_its_catalogue() {
    let folder = Folder::new("catalogue");
    let mut session = Session::open(gentle(&folder, "hills.ron", "@...")).unwrap();
    let away = folder.at("sub/hills.ron");
    let error = session.save_map(&away).unwrap_err();
    assert!(matches!(error, PlayError::CatalogueElsewhere { .. }), "{error}");
    assert!(error.to_string().starts_with(&format!("{}: nothing was saved", away.display())), "{error}");
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/patterns.ron"), folder.at("sub/gentle.ron"))
        .unwrap();
    let error = session.save_map(&away).unwrap_err();
    assert!(matches!(error, PlayError::OtherCatalogue { .. }), "{error}");
    assert!(!away.exists());
    fs::copy(folder.at("gentle.ron"), folder.at("sub/gentle.ron")).unwrap();
    session.save_map(&away).unwrap();
    assert_eq!(Map::load(&away).unwrap(), Map::load(folder.at("hills.ron")).unwrap());
    let error = session.save_map(folder.at("none/hills.ron")).unwrap_err();
    assert!(error.to_string().contains("none/hills.ron"), "{error}");
    let error = hall().save_map(folder.at("none/hall.ron")).unwrap_err();
    assert!(matches!(&error, PlayError::Write(_)) && error.to_string().contains("none/hall.ron"), "{error}");
}

/// The bodies of a map are there, move, and are part of the saved run.
#[test]
fn the_bodies_of_a_map_are_played() {
    let map = Map::from_ron(
        r#"Map(format: 1, legend: {'g': (body: (kind: "walker", shape: Aabb(0.4, 0.5), velocity: (2.0, 0.0)))},
        tiles: ["@..g....", "========"])"#,
    );
    let mut session = Session::play(map.unwrap(), None);
    let walker = session.world().find_body("walker 3,1").expect("the map places it");
    let start = session.world()[walker].position();
    (0..30).for_each(|_| session.advance(TICK, Held::default()));
    assert_ne!(session.world()[walker].position(), start);
    let folder = Folder::new("placed");
    let saved = session.save_replay(folder.at("placed.replay.ron")).unwrap();
    assert!(saved.replay.to_ron().contains("walker 3,1"));
    session.restart();
    assert_eq!(session.world()[session.world().find_body("walker 3,1").unwrap()].position(), start);
}
