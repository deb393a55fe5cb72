//! Tile maps of the physics engine surefoot: catalogues of tile shapes, maps, platforms and areas, and their files.
//!
//! Games use the crate `surefoot`, which re-exports this one. The features have the same names and meanings there.

#![cfg_attr(docsrs, feature(doc_cfg))]
// Without the feature `record`, some items have no user, because only recordings and files use them.
#![cfg_attr(not(feature = "record"), allow(dead_code, unused_imports))]

#[cfg(all(test, not(feature = "record")))]
compile_error!("the unit tests need the feature `record`");

pub mod area;
pub mod catalogue;
#[cfg(feature = "record")]
mod checksum;
mod facing;
mod ids;
#[doc(hidden)]
pub mod internals;
#[cfg(feature = "ron")]
pub mod io;
mod lengths;
pub mod map;
mod number;
pub mod platform;
mod range;
#[cfg(test)]
#[allow(dead_code)] // The tests use only a part of this copy of `surefoot-random`.
mod testing;
#[cfg(feature = "ron")]
mod text;
mod told;
mod up;
#[cfg(feature = "serde")]
mod written_position;

#[cfg(feature = "record")]
pub use checksum::{Checksum, ChecksumError};
pub use facing::Facing;
pub use map::Map;
pub use range::RangeError;
#[cfg(feature = "ron")]
pub use text::{FormError, TextError};
pub use up::Up;
