//! The simulation of the physics engine surefoot: terrain, motion, worlds, queries, events and snapshots.
//!
//! Games use the crate `surefoot`, which re-exports this one. The features have the same names and meanings there.

#![cfg_attr(docsrs, feature(doc_cfg))]
// Without `record`, items that only recordings and files use are unused.
#![cfg_attr(not(feature = "record"), allow(dead_code, unused_imports))]

#[cfg(all(test, not(feature = "record")))]
compile_error!("the unit tests need the feature `record`");

mod area_overlap;
mod ballistic;
mod belt_ride;
pub mod body;
mod bounce;
#[cfg(feature = "record")]
pub mod checksum;
pub mod command;
mod controller;
pub mod event;
#[doc(hidden)]
pub mod internals;
pub mod motion;
mod movement;
pub mod query;
mod rebound;
#[cfg(feature = "record")]
mod same_commands;
#[cfg(feature = "record")]
pub mod snapshot;
pub mod terrain;
#[cfg(test)]
#[path = "../../tiles/src/testing.rs"]
mod testing;
pub mod timestep;
mod version;
mod walker;
pub mod world;

// Import the modules of `surefoot-tiles`, so that code and docs of this crate can write `crate::map` for them. The
// public modules have the same paths in `surefoot`; the others are the private ones in `internals`.
use surefoot_tiles::internals as tiles;
#[cfg(feature = "ron")]
use surefoot_tiles::io;
use surefoot_tiles::{area, catalogue, map, platform};
#[cfg(feature = "ron")]
use tiles::text;
#[cfg(feature = "serde")]
use tiles::written_position;
use tiles::{ids, lengths, number, range, told};

pub use body::Input;
pub use command::Command;
pub use event::Event;
pub use world::World;
