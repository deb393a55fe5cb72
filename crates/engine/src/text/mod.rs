//! Texts in RON: their values, what is wrong with them and where, how their strings are written. No map, no replay.
//!
//! `ron` says whether a text is RON and where it is not any more. [`Node`] is a value as a slice of the text, [`Reader`]
//! reads one after the other, tells of each mistake and goes on. What is wrong are [`Mistakes`]: loading fails with the
//! first of them, checking tells of all, so the two cannot disagree.

#[cfg(test)]
pub(crate) mod damage;
/// Maximum size of a file that [`Map::load`](crate::map::Map::load) and [`Replay::load`](crate::replay::Replay::load)
/// read, in bytes: 64 MiB.
pub const MAX_FILE_SIZE: u64 = 64 << 20;

mod diagnosed;
mod form;
mod near;
mod node;
mod placed;
mod quote;
mod reader;
mod syntax;
#[cfg(test)]
mod tests;
mod tree;

pub(crate) use diagnosed::{Diagnosed, Mistakes, Problems};
pub use form::FormError;
pub(crate) use form::split;
pub(crate) use near::{hint, meant};
pub(crate) use node::{FieldName, Node, Shape};
pub use placed::TextError;
pub(crate) use quote::{quoted, quoted_char};
pub(crate) use reader::{Fields, Reader, Struct, Variant, is_short};
pub(crate) use syntax::{describe, place};
pub(crate) use tree::{Step, Tree, line_and_column, locate};
