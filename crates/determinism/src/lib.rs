//! Runs of surefoot as lines of hashes, to be the same on every target.
//!
//! A [`Run`] is a recorded run of `maps/`, a scene of its own, or ticks of random commands. Played, it makes one
//! [`Line`]: its name, how many ticks it has, a hash of all that could be seen after each of them, and the checksum of
//! the state after the last. `hashes.txt` beside this package holds the lines of all of them; `targets` builds and runs
//! the program for several machines and compares what they print.
//!
//! No file is read, so that the program runs where there are none.

mod fold;
mod replays;
mod run;
mod scene;
mod scenes;
mod storms;

pub use run::{Line, Run, Tick, runs};
