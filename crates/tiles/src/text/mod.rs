//! RON texts: their values, their errors with positions, and how strings are written. Knows nothing about maps or
//! replays.
//!
//! `ron` says whether a text is RON, and where it is not. [`Node`] is a value as a slice of the text. [`Reader`] reads
//! one value after another, reports each error and continues. The errors are [`Mistakes`]: loading returns the first of
//! them, checking returns all, so the two always agree.

#[cfg(test)]
#[allow(dead_code)] // Only the tests of the crate `surefoot` use the replay in this module.
pub(crate) mod damage;
/// Maximum size of a file that [`Map::load`](crate::map::Map::load) and
/// [`Replay::load`](../replay/struct.Replay.html#method.load) read, in bytes: 64 MiB.
pub const MAX_FILE_SIZE: u64 = 64 << 20;

mod diagnosed;
mod erased;
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

pub use diagnosed::{Diagnosed, Mistakes, Problems};
pub use erased::{from_ron, to_ron};
pub use form::FormError;
pub use form::split_at_semicolon;
pub use near::{name_hint, similar_name};
pub use node::{Node, Shape};
pub use placed::TextError;
pub use quote::{quoted, quoted_char};
pub use reader::{Fields, Reader, Struct, Variant, is_short};
pub use syntax::{describe_ron_error, error_line_and_column};
pub use tree::{Step, Tree, line_and_column, locate};
