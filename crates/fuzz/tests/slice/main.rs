//! Runs the drivers on the shipped files and the corpus, unchanged and mutated with fixed seeds.

mod mutate;

use mutate::Seeds;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use surefoot::Input;
use surefoot::prelude::*;
use surefoot::snapshot::Snapshot;
use surefoot_fuzz::{DRIVERS, Driver, snapshot_world};
use surefoot_random::Random;

/// Returns the files of the repository for a driver: valid ones and invalid ones.
fn shipped(driver: &str) -> [Vec<PathBuf>; 2] {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let named = |folder: &str, beginning: &str, choose: fn(&str) -> bool| -> Vec<PathBuf> {
        let mut files = files(&root.join(folder));
        let name = |path: &PathBuf| path.file_name().and_then(|name| name.to_str()).map(str::to_owned);
        files.retain(|path| name(path).is_some_and(|name| name.starts_with(beginning) && choose(&name)));
        files
    };
    let good = match driver {
        "map" => named("maps", "", |name| name.ends_with(".ron") && !name.ends_with(".replay.ron")),
        "catalogue" => named("assets", "", |name| name.ends_with(".ron")),
        "replay" => named("maps", "", |name| name.ends_with(".replay.ron")),
        _ => return [Vec::new(), Vec::new()],
    };
    [good, named("tests/bad", driver, |name| name.ends_with(".ron"))]
}

/// Returns the files of a folder, sorted by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("the folder is read").path()).collect();
    files.sort();
    files
}

fn corpus(driver: &str) -> Vec<PathBuf> {
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(driver))
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Runs a driver. If it fails, writes the bytes to a file that can be added to the corpus.
fn run(driver: &Driver, bytes: &[u8], from: &str) {
    if catch_unwind(AssertUnwindSafe(|| (driver.run)(bytes))).is_err() {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}_fails", driver.name));
        fs::write(&path, bytes).expect("the folder for temporary files is there");
        panic!("the driver `{}` fails on {from}; the bytes are in {}", driver.name, path.display());
    }
}

/// Returns the number of mutated inputs: that of `SUREFOOT_FUZZ` if set, else `default`.
fn mutated_input_count(default: u32) -> u32 {
    std::env::var("SUREFOOT_FUZZ").map_or(default, |count| count.parse().expect("a number of inputs"))
}

/// Runs a driver on every file, then on `default_count` mutated files.
fn run_slice(name: &str, seed: u64, default_count: u32) {
    let driver = DRIVERS.iter().find(|driver| driver.name == name).expect("there is a driver of that name");
    let [good, bad] = shipped(name);
    let run_all = |paths: Vec<PathBuf>| {
        let read = |path: PathBuf| {
            let bytes = read(&path);
            run(driver, &bytes, &path.display().to_string());
            bytes
        };
        // Do not mutate large files: they take long and contain nothing that smaller files lack.
        paths.into_iter().map(read).filter(|bytes| bytes.len() <= 8 << 10).collect()
    };
    let seeds = Seeds { good: run_all([corpus(name), good].concat()), bad: run_all(bad) };
    let mut random = Random(seed);
    for round in 0..mutated_input_count(default_count) {
        let bytes = mutate::mutated(&mut random, &seeds);
        run(driver, &bytes, &format!("input {round} of seed {seed:#x}"));
    }
}

#[test]
fn map() {
    run_slice("map", 0x5EED_0401, 1500);
}

#[test]
fn catalogue() {
    run_slice("catalogue", 0x5EED_0402, 1200);
}

#[test]
fn replay() {
    run_slice("replay", 0x5EED_0403, 2000);
}

#[test]
fn snapshot() {
    run_slice("snapshot", 0x5EED_0405, 600);
}

/// Writes the corpus of snapshots again if `SUREFOOT_WRITE_SNAPSHOTS` is set. Do so after a change of their format.
#[test]
fn snapshots_of_the_corpus_are_current() {
    let mut world = snapshot_world();
    let mut made: Vec<(&str, Snapshot)> = vec![("fresh", world.capture())];
    let hero = Body::new(Shape::aabb(0.35, 0.45)).at((3.5, 4.5)).character(Character::default());
    let hero = world.spawn(hero).expect("a body in order");
    let ball = Body::new(Shape::circle(0.3)).at((9.5, 6.0)).velocity((3.0, 1.0)).bounce(0.8);
    let ball = world.spawn(ball).expect("a body in order");
    world.set_input(hero, Input { walk: 127, jump: true, ..Input::default() });
    for tick in 0..30 {
        world.step();
        if tick == 9 {
            made.push(("running", world.capture()));
        }
    }
    world.despawn(ball).expect("it is there");
    world.set_tile(0, (4, 2), TileId::EMPTY).expect("a tile of the map");
    let block = world.map().find_tile('#').expect("the letter of a block");
    world.set_tile(0, (2, 1), block).expect("a tile of the map");
    made.push(("painted", world.capture()));
    for _ in 0..20 {
        world.step();
    }
    made.push(("landed", world.capture()));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/snapshot");
    let keep = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        if std::env::var("SUREFOOT_WRITE_SNAPSHOTS").is_ok() {
            fs::create_dir_all(&folder).expect("a folder");
            fs::write(&path, bytes).expect("a file");
        }
        assert!(read(&path) == bytes, "{}", path.display());
    };
    for (name, snapshot) in &made {
        keep(&format!("{name}.bytes"), &snapshot.to_bytes());
        keep(&format!("{name}.ron"), snapshot.to_ron().expect("snapshots are texts").as_bytes());
    }
    // Drivers have failed on the following snapshots. Each is a changed copy of a snapshot from above, so that it
    // always has the current format.
    let landed = world.capture().to_ron().expect("snapshots are texts");
    let changed = |from: &str, to: &str| {
        assert_eq!(landed.matches(from).count(), 1, "{from}");
        landed.replace(from, to)
    };
    let teleport = "        pending: [Teleport(SerKey(idx: 1, version: 1), (15032385536, 19327352832))],\n";
    for (name, text) in [
        ("teleport_that_was_not_made.ron", changed("        pending: [],\n", teleport)),
        ("way_of_no_part.ron", changed("previous: (", "previous: (1")),
    ] {
        assert!(Snapshot::from_ron(&text).is_ok(), "{name}");
        keep(name, text.as_bytes());
    }
}

#[test]
fn world() {
    run_slice("world", 0x5EED_0404, 150);
}

#[test]
fn every_driver_has_a_corpus_and_a_fuzz_target() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let names = |folder: &str, ending: &str| -> Vec<String> {
        let name = |path: PathBuf| path.file_name().and_then(|name| name.to_str()).map(str::to_owned);
        let names = files(&root.join(folder)).into_iter().filter_map(name);
        names.filter_map(|name| name.strip_suffix(ending).map(str::to_owned)).collect()
    };
    let mut drivers: Vec<&str> = DRIVERS.iter().map(|driver| driver.name).collect();
    drivers.sort_unstable();
    assert_eq!(names("corpus", ""), drivers);
    assert_eq!(names("cargo-fuzz/fuzz_targets", ".rs"), drivers);
}
