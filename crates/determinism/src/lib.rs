//! Checks that simulations give the same results on every target, by hashing runs of surefoot.
//!
//! A [`Run`] is a recorded run of `maps/`, a scripted scene, a storm of random commands, or the answer of a search.
//! Playing it gives a [`Line`]:
//!
//! - the name of the run,
//! - its number of ticks,
//! - a hash of the checksums and events of all ticks,
//! - the checksum of the final state.
//!
//! `hashes.txt` next to this package contains the expected lines. The script `targets` builds and runs the program for
//! several machines and compares the output.
//!
//! The program reads no files, so that it also runs on targets without a file system.

mod fold;
mod replays;
mod run;
mod scene;
mod scenes;
mod searches;
mod storms;

pub use run::{Line, Run, Tick, runs};
