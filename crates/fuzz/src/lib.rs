//! Fuzz drivers. A driver turns any bytes into input that a user could give to surefoot, and panics if surefoot breaks
//! a guarantee.
//!
//! The fuzzer in `crates/fuzz/cargo-fuzz` calls the drivers. So do the tests of this package, with bytes from fixed
//! seeds and with every file of `corpus/`.
//!
//! | driver | bytes | guarantees |
//! |---|---|---|
//! | [`check_map()`] | a map file | it loads exactly if `check` finds no mistake; a loaded map is written and read back equal, and simulated |
//! | [`check_catalogue()`] | a catalogue file | as for maps; every variant is found by its name; a map of all variants is simulated |
//! | [`check_replay()`] | a replay file with its map in it | as for maps; it plays, and clones of its playback give the same results |
//! | [`check_snapshot()`] | a snapshot, binary or RON | it is written and read back equal; a restored world is simulated; a refused snapshot changes nothing |
//! | [`check_world()`] | a small map, bodies, and commands in any order with any numbers | the oracle accepts every path; refused commands change nothing; clones give the same results |
//!
//! [`surefoot_oracle`] checks every simulation: no body enters a solid, and none crosses a one-sided edge or a thin
//! wall.
//!
//! [`random_world()`] makes a world of the last driver for other tests.
//!
//! A new driver needs a module here, a line in [`DRIVERS`], a folder in `corpus/` and a target in
//! `cargo-fuzz/fuzz_targets`. The tests run all [`DRIVERS`].

mod catalogue;
mod checked_world;
mod map;
mod oracle_scenes;
mod replay;
mod snapshot;
mod text_checks;
mod tick_checks;
mod world;

pub use catalogue::check_catalogue;
pub use map::check_map;
pub use replay::check_replay;
pub use snapshot::{check_snapshot, snapshot_world};
pub use world::{check_world, random_world};

/// A driver. Its name is also that of its corpus and its fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Driver {
    /// The name of the driver.
    pub name: &'static str,
    /// Panics if surefoot breaks a guarantee for these bytes.
    pub run: fn(&[u8]),
}

/// All drivers.
pub const DRIVERS: [Driver; 5] = [
    Driver { name: "map", run: check_map },
    Driver { name: "catalogue", run: check_catalogue },
    Driver { name: "replay", run: check_replay },
    Driver { name: "snapshot", run: check_snapshot },
    Driver { name: "world", run: check_world },
];
