//! Watches real files: replaced by rename, written in part, removed and written again.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use surefoot::prelude::*;
use surefoot::{Map, World};
use surefoot_import::{Applied, ImportError, MapChange, MapWatcher, Options};

/// A level in a folder of its own, and its watcher.
struct Watched {
    folder: PathBuf,
    watcher: MapWatcher,
}

/// The least distance between two positions, in tiles.
const UNIT_TILES: f64 = 1.0 / (1_u64 << 32) as f64;

/// Longest wait for a change, for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Writes a level of Tiled with one layer, whose tiles are in another file: 1 is a wall.
fn tmx(rows: &str) -> String {
    format!(
        r#"<map version="1.10" orientation="orthogonal" width="6" height="3" tilewidth="16" tileheight="16">
 <tileset firstgid="1" source="tiles.tsx"/>
 <layer id="1" name="Ground" width="6" height="3"><data encoding="csv">{rows}</data></layer>
</map>"#
    )
}

fn tsx(class: &str) -> String {
    format!(
        r#"<tileset name="tiles" tilewidth="16" tileheight="16" tilecount="1" columns="1">
 <image source="tiles.png" width="16" height="16"/><tile id="0" type="{class}"/>
</tileset>"#
    )
}

const FLAT: &str = "0,0,0,0,0,0, 0,0,0,0,0,0, 1,1,1,1,1,1";
const STEP: &str = "0,0,0,0,0,0, 0,0,0,0,1,1, 1,1,1,1,1,1";

impl Watched {
    fn new(name: &str) -> Watched {
        let folder = std::env::temp_dir().join(format!("surefoot-watch-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("tiles.tsx"), tsx("walls")).expect("a file");
        let file = folder.join("level.tmx");
        fs::write(&file, tmx(FLAT)).expect("a file");
        let watcher = MapWatcher::new(&file, Options::default()).expect("a watcher");
        Watched { folder, watcher }
    }

    /// Replaces a file at once, so that no part of it is seen.
    fn write(&self, name: &str, text: &str) {
        let new = self.folder.join("written.new");
        fs::write(&new, text).expect("a file");
        fs::rename(new, self.folder.join(name)).expect("a rename");
    }

    /// Waits for the next change.
    fn next(&mut self) -> Result<MapChange, ImportError> {
        let begin = Instant::now();
        loop {
            if let Some(change) = self.watcher.poll() {
                return change;
            }
            assert!(begin.elapsed() < PATIENCE, "no change comes");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn is_wall(map: &Map, tile: (i32, i32)) -> bool {
    map.variant_at(0, tile).is_some()
}

/// Starts a world with a character that walks to the right.
fn world(map: &std::sync::Arc<Map>) -> (World, BodyId) {
    let mut world = World::new(map.clone(), Settings::default());
    let body = Body::new(Shape::aabb(0.35, 0.45)).at((1.0, 1.45)).character(Character::default());
    let hero = world.spawn(body).expect("a hero");
    world.set_input(hero, surefoot::Input::walk(1.0));
    (world, hero)
}

#[test]
fn a_file_that_a_rename_replaces_edits_the_running_world() {
    let mut watched = Watched::new("rename");
    let [(mut world, hero), (mut by_hand, _)] = [0; 2].map(|_| world(watched.watcher.map()));
    for _ in 0..10 {
        world.step();
        by_hand.step();
    }
    watched.write("level.tmx", &tmx(STEP));
    let change = watched.next().expect("a change");
    assert_eq!(change.apply(&mut world).expect("it fits"), Applied::Edited);
    let wall = watched.watcher.map().tile_at(0, (0, 0)).expect("a tile");
    for x in [4, 5] {
        by_hand.set_tile(0, (x, 1), wall).expect("a tile");
    }
    for tick in 0..60 {
        world.step();
        by_hand.step();
        assert_eq!(world.checksum(), by_hand.checksum(), "tick {tick}");
    }
    // The new step stops the walk: the hero's right side touches the step's left side.
    assert!((world[hero].position().to_dvec2().x - (4.0 - 0.35)).abs() < UNIT_TILES);
}

#[test]
fn a_file_that_is_written_in_part_keeps_the_old_map() {
    let mut watched = Watched::new("part");
    let whole = tmx(STEP);
    watched.write("level.tmx", &whole[..whole.len() / 2]);
    let error = watched.next().expect_err("half a file");
    assert!(error.to_string().contains("level.tmx:"), "{error}");
    assert!(!is_wall(watched.watcher.map(), (4, 1)));
    // `fs::write` first empties the file and then fills it, so a slow machine may see the empty file in between.
    fs::write(watched.folder.join("level.tmx"), &whole).expect("a file");
    let mut next = watched.next();
    while next.is_err() {
        next = watched.next();
    }
    let change = next.expect("a whole file");
    assert!(!is_wall(&change.before, (4, 1)) && is_wall(&change.after, (4, 1)));
    assert!(is_wall(watched.watcher.map(), (4, 1)));
}

#[test]
fn an_old_file_that_comes_back_after_an_error_ends_the_error() {
    let mut watched = Watched::new("back");
    watched.write("level.tmx", "<map");
    assert!(watched.next().is_err());
    watched.write("level.tmx", &tmx(FLAT));
    let change = watched.next().expect("the old file");
    assert_eq!(change.before, change.after);
    let (mut world, _) = world(watched.watcher.map());
    assert_eq!(change.apply(&mut world).expect("it fits"), Applied::Edited);
    assert_eq!(world.pending().len(), 2, "no tile is set");
}

#[test]
fn another_file_that_is_always_written_does_not_delay_the_end_of_an_error() {
    let mut watched = Watched::new("log");
    watched.write("level.tmx", "<map");
    assert!(watched.next().is_err());
    watched.write("level.tmx", &tmx(STEP));
    let begin = Instant::now();
    let change = loop {
        // Write like a game that writes to a log in each frame.
        fs::write(watched.folder.join("log.txt"), "a frame").expect("a file");
        if let Some(Ok(change)) = watched.watcher.poll() {
            break change;
        }
        assert!(begin.elapsed() < PATIENCE, "no change comes");
        std::thread::sleep(Duration::from_millis(10));
    };
    assert!(is_wall(&change.after, (4, 1)));
}

#[test]
fn a_file_that_is_removed_and_written_again_is_loaded() {
    let mut watched = Watched::new("removed");
    fs::remove_file(watched.folder.join("level.tmx")).expect("a file");
    watched.write("level.tmx", &tmx(STEP));
    let change = watched.next().expect("no error comes before");
    assert!(is_wall(&change.after, (5, 1)));
}

#[test]
fn reading_the_file_is_no_change_and_others_in_the_folder_are_none() {
    let mut watched = Watched::new("read");
    for i in 0..20 {
        fs::read(watched.folder.join("level.tmx")).expect("a file");
        watched.write(&format!("other_{i}.txt"), "another file");
    }
    watched.write("level.tmx", &tmx(STEP));
    let first = watched.next().expect("a change");
    // The same text again is not a change either.
    watched.write("level.tmx", &tmx(STEP));
    watched.write("level.tmx", &tmx(FLAT));
    let second = watched.next().expect("a change");
    assert!(std::sync::Arc::ptr_eq(&first.after, &second.before), "no change in between");
    assert_eq!(*second.after, *first.before);
}

/// The picture is in a folder of its own, and the art file is written in part in between.
#[test]
fn a_changed_art_file_and_its_picture_are_told() {
    let mut watched = Watched::new("art");
    fs::create_dir(watched.folder.join("pictures")).expect("a folder");
    let art = |symbol: &str| {
        format!("Art(format: 1, picture: \"pictures/tiles.png\", tiles: {{\"{symbol}\": Joined(0, 0)}})")
    };
    watched.write("pictures/tiles.png", "old pixels");
    watched.write("level.art.ron", &art("#"));
    let property = "<properties><property name=\"art\" value=\"level.art.ron\"/></properties><tileset";
    watched.write("level.tmx", &tmx(FLAT).replace("<tileset", property));
    let change = watched.next().expect("the level names its art");
    assert!(change.before.properties().is_empty() && change.after.properties().contains_key("art"));
    for (file, text) in [
        ("pictures/tiles.png", "new pixels"),
        ("level.art.ron", &art("+")[..20]),
        ("level.art.ron", &art("+")),
        ("pictures/tiles.png", "newer pixels"),
    ] {
        watched.write(file, text);
        let change = watched.next().expect("a change");
        assert_eq!(change.before, change.after, "{file}: {text}");
    }
    // The same pixels again are not a change.
    watched.write("pictures/tiles.png", "newer pixels");
    watched.write("level.tmx", &tmx(STEP));
    assert!(is_wall(&watched.next().expect("a change").after, (5, 1)));
}

#[test]
fn a_changed_tileset_changes_the_level_and_the_body_stays() {
    let mut watched = Watched::new("tileset");
    let (mut world, hero) = world(watched.watcher.map());
    for _ in 0..10 {
        world.step();
    }
    let (position, velocity) = (world[hero].position(), world[hero].velocity());
    watched.write("tiles.tsx", &tsx("one_way"));
    let change = watched.next().expect("a change");
    // The legend already has one-way tiles, though no cell had one. So the running world can be edited.
    assert_eq!(change.apply(&mut world).expect("it fits"), Applied::Edited);
    let now = &world[hero];
    assert_eq!((now.position(), now.velocity(), now.input().walk), (position, velocity, 127));
    world.step();
    assert!(world[hero].on_floor());
}
