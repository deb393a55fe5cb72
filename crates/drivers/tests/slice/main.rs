//! The drivers on bytes from fixed seeds: the shipped files and the kept ones as they are, and mutated.

mod mutate;

use mutate::{Random, Seeds};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use surefoot_drivers::{DRIVERS, Driver};

/// The files of the repository that a driver reads: good ones, and those that are refused.
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

/// The files of a folder in the order of their names.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("the folder is read").path()).collect();
    files.sort();
    files
}

fn kept(driver: &str) -> Vec<PathBuf> {
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(driver))
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Runs a driver; what it fails on is written to a file that can be kept.
fn run(driver: &Driver, bytes: &[u8], from: &str) {
    if catch_unwind(AssertUnwindSafe(|| (driver.run)(bytes))).is_err() {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}_fails", driver.name));
        fs::write(&path, bytes).expect("the folder for temporary files is there");
        panic!("the driver `{}` fails on {from}; the bytes are in {}", driver.name, path.display());
    }
}

/// The everyday number of mutated inputs, or that of `SUREFOOT_FUZZ`.
fn count(everyday: u32) -> u32 {
    std::env::var("SUREFOOT_FUZZ").map_or(everyday, |count| count.parse().expect("a number of inputs"))
}

/// Every file as it is, then so many mutated.
fn slice(name: &str, seed: u64, everyday: u32) {
    let driver = DRIVERS.iter().find(|driver| driver.name == name).expect("there is a driver of that name");
    let [good, bad] = shipped(name);
    let all = |paths: Vec<PathBuf>| {
        let read = |path: PathBuf| {
            let bytes = read(&path);
            run(driver, &bytes, &path.display().to_string());
            bytes
        };
        // What is large takes long and has nothing that smaller files do not have.
        paths.into_iter().map(read).filter(|bytes| bytes.len() <= 8 << 10).collect()
    };
    let seeds = Seeds { good: all([kept(name), good].concat()), bad: all(bad) };
    let mut random = Random(seed);
    for round in 0..count(everyday) {
        let bytes = mutate::mutated(&mut random, &seeds);
        run(driver, &bytes, &format!("input {round} of seed {seed:#x}"));
    }
}

#[test]
fn map() {
    slice("map", 0x5EED_0401, 1500);
}

#[test]
fn catalogue() {
    slice("catalogue", 0x5EED_0402, 1200);
}

#[test]
fn replay() {
    slice("replay", 0x5EED_0403, 2000);
}

#[test]
fn world() {
    slice("world", 0x5EED_0404, 150);
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
    assert_eq!(names("fuzz/fuzz_targets", ".rs"), drivers);
}
