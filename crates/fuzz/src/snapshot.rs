//! The driver for snapshots.

use crate::tick_checks::TickChecker;
use surefoot::prelude::*;
use surefoot::snapshot::Snapshot;
use surefoot::{Map, World};

/// Number of ticks that a restored world is stepped.
const TICKS: usize = 24;

/// Snapshots with more bodies are not simulated, to save time.
const MAX_BODIES: usize = 64;

/// The map of the snapshots in the corpus.
const MAP: &str = r##"Map(format: 1, tiles: [
    "................",
    "..--..../==.....",
    ".=...../##....J.",
    ".12......=..o...",
    "..####...|.34...",
    ".......##....###",
    ".###############"], border: (left: Solid, right: Solid))"##;

/// Creates a world with the map of the snapshots in the corpus.
#[must_use]
pub fn snapshot_world() -> World {
    let map = Map::from_ron(MAP).unwrap_or_else(|error| panic!("the driver's own map: {error}"));
    World::new(map, Settings::default())
}

/// Checks the guarantees of snapshots with bytes as a snapshot, in RON or in the binary format.
///
/// The driver corrects the checksum of a binary snapshot first. Otherwise nearly all inputs would fail there.
///
/// # Panics
/// If reading, writing or restoring breaks a guarantee, or the restored world does.
pub fn check_snapshot(bytes: &[u8]) {
    // Read the bytes unchanged too. Mostly they are refused, because their checksum is wrong.
    let _ = Snapshot::from_bytes(bytes);
    let read = if bytes.starts_with(b"surefoot") && bytes.len() >= 8 {
        let content = &bytes[..bytes.len() - 8];
        Snapshot::from_bytes(&[content, &checksum(content).to_le_bytes()].concat())
    } else {
        let Ok(text) = std::str::from_utf8(bytes) else { return };
        Snapshot::from_ron(text)
    };
    let snapshot = match read {
        Ok(snapshot) => snapshot,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let written = snapshot.to_bytes();
    let again = Snapshot::from_bytes(&written).unwrap_or_else(|error| panic!("what was written is refused: {error}"));
    assert_eq!(again.to_bytes(), written);
    let text = snapshot.to_ron().unwrap_or_else(|error| panic!("it is not written as a text: {error}"));
    let again =
        Snapshot::from_ron(&text).unwrap_or_else(|error| panic!("what was written is refused: {error}\n{text}"));
    assert_eq!(again.to_bytes(), written, "{text}");
    if snapshot.body_count() <= MAX_BODIES {
        simulate_snapshot(&snapshot, &text);
    }
}

/// Restores the snapshot and simulates some ticks. If the world refuses the snapshot, checks that the world is
/// unchanged.
fn simulate_snapshot(snapshot: &Snapshot, text: &str) {
    // Use the settings of the snapshot: a world with other settings would refuse it before reading the rest.
    let new_world = || World::new(snapshot_world().map().clone(), snapshot.settings());
    let mut world = new_world();
    let before = world.checksum();
    if world.restore(snapshot).is_err() {
        assert_eq!(world.checksum(), before, "a refused snapshot has changed the world:\n{text}");
        return;
    }
    let mut twin = new_world();
    twin.restore(snapshot).unwrap_or_else(|error| panic!("loaded once and then refused: {error}\n{text}"));
    assert_eq!(world.capture().first_difference(snapshot), None, "{text}");
    let mut checker = TickChecker::new_ignoring_teleports(&world);
    for _ in 0..TICKS {
        checker.record_positions(&world);
        world.step();
        twin.step();
        assert_eq!(world.checksum(), twin.checksum(), "two worlds of one snapshot differ:\n{text}");
        if let Err(breach) = checker.check_tick(&world) {
            panic!("{breach}\nin tick {} of\n{text}", world.tick());
        }
    }
}

/// Returns the XXH64 checksum at the end of a binary snapshot.
fn checksum(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh64::xxh64(bytes, 0)
}
