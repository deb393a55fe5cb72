//! Recordings of the physics engine surefoot: logs, replays, rollback, and checks of files.
//!
//! Games use the crate `surefoot`, which re-exports this one.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod check;
#[cfg(test)]
#[path = "../../tiles/src/text/damage.rs"]
#[allow(dead_code)] // The samples of maps are for the tests of surefoot-tiles.
mod damage;
#[cfg(test)]
#[path = "../../random/src/random.rs"]
#[allow(dead_code, unreachable_pub)] // The tests use only a part of this copy.
mod random;
pub mod record;
pub mod replay;
pub mod rollback;
#[cfg(test)]
#[path = "../../tiles/src/testing.rs"]
#[allow(dead_code)] // The tests use only a part of this copy.
mod testing;

// Import the modules of the lower crates, so that paths here are the same as in `surefoot`.
use physics::{body, command, world};
use surefoot_physics::internals as physics;
use surefoot_physics::{checksum, event, motion, snapshot, terrain};
#[cfg(test)]
use surefoot_tiles::TextError;
use surefoot_tiles::internals as tiles;
use surefoot_tiles::{area, catalogue, io, map, platform};
use tiles::{lengths, range, text, told};
