//! Drivers: each takes any bytes, makes of them what a user could give to surefoot, and panics if surefoot breaks its word.
//!
//! The fuzzer in `crates/fuzz/cargo-fuzz` calls them, and so do the tests of this package, with bytes from fixed seeds and
//! with every file of `corpus/`.
//!
//! | driver | what the bytes are | what must hold |
//! |---|---|---|
//! | [`map()`] | a map file | it loads exactly if `check` finds nothing; what loads is written and read back equal, baked, and lived in |
//! | [`catalogue()`] | a catalogue file | the same; every variant is found by its name, and a map of all of them is lived in |
//! | [`replay()`] | a replay file with its map in it | the same; it plays, and clones of its player play alike |
//! | [`snapshot()`] | a snapshot, as bytes or RON | what is read is written and read back equal; what is loaded is lived in, what is refused leaves the world as it was |
//! | [`world()`] | a small map, bodies, and commands in any order with any numbers | every sub-move stands before the oracle; refused commands change nothing; clones go on alike |
//!
//! Whatever lives in a world does so before [`surefoot_oracle`]: nothing is entered, no one-sided edge and no thin wall is
//! crossed.
//!
//! Another form of bytes gets a module here, a line in [`DRIVERS`], a folder in `corpus/` and a target in
//! `fuzz/fuzz_targets`; the tests take it from [`DRIVERS`].

mod catalogue;
mod law;
mod map;
mod replay;
mod scenes;
mod snapshot;
mod watched;
mod witness;
mod world;

pub use catalogue::catalogue;
pub use map::map;
pub use replay::replay;
pub use snapshot::{snapshot, snapshot_world};
pub use world::world;

/// A driver and the name of its corpus and of its fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Driver {
    /// Its name.
    pub name: &'static str,
    /// Panics if surefoot breaks its word with these bytes.
    pub run: fn(&[u8]),
}

/// All drivers.
pub const DRIVERS: [Driver; 5] = [
    Driver { name: "map", run: map },
    Driver { name: "catalogue", run: catalogue },
    Driver { name: "replay", run: replay },
    Driver { name: "snapshot", run: snapshot },
    Driver { name: "world", run: world },
];
