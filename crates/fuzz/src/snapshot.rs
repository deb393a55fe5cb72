use crate::witness::Witness;
use surefoot::prelude::*;
use surefoot::snapshot::Snapshot;
use surefoot::{Map, World};

/// The ticks that a loaded world is stepped.
const TICKS: usize = 24;

/// The most bodies of a snapshot that is lived in.
const BODIES: usize = 64;

/// What the worlds of the kept snapshots are on.
const MAP: &str = r##"Map(format: 1, tiles: [
    "................",
    "..--..../==.....",
    ".=...../##....J.",
    ".12......=..o...",
    "..####...|.34...",
    ".......##....###",
    ".###############"], border: (left: Solid, right: Solid))"##;

/// A world on the map of the kept snapshots.
#[must_use]
pub fn snapshot_world() -> World {
    let map = Map::from_ron(MAP).unwrap_or_else(|error| panic!("the driver's own map: {error}"));
    World::new(map, Settings::default())
}

/// Takes bytes as a snapshot: as a RON text, or as bytes whose checksum is put right first, so that what it guards is
/// reached.
///
/// # Panics
/// If reading, writing or loading it is not as promised, or what is loaded breaks its word.
pub fn snapshot(bytes: &[u8]) {
    // As it is: a wrong checksum, mostly.
    let _ = Snapshot::from_bytes(bytes);
    let read = if bytes.starts_with(b"surefoot") && bytes.len() >= 8 {
        let content = &bytes[..bytes.len() - 8];
        Snapshot::from_bytes(&[content, &sum(content).to_le_bytes()].concat())
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
    if snapshot.body_count() <= BODIES {
        live(&snapshot, &text);
    }
}

/// Loads it into a world: that is then as it was, or lives.
fn live(snapshot: &Snapshot, text: &str) {
    // A world with the snapshot's settings: one with others refuses it before anything else is looked at.
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
    let mut witness = Witness::after_commands(&world);
    for _ in 0..TICKS {
        witness.look(&world);
        world.step();
        twin.step();
        assert_eq!(world.checksum(), twin.checksum(), "two worlds of one snapshot differ:\n{text}");
        if let Err(breach) = witness.tick(&world) {
            panic!("{breach}\nin tick {} of\n{text}", world.tick());
        }
    }
}

/// XXH64, which snapshots end in.
fn sum(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh64::xxh64(bytes, 0)
}
