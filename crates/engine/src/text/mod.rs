//! Texts in RON: where their parts are, what is wrong with them, how their strings are written. No map, no replay.

#[cfg(test)]
pub(crate) mod damage;
mod locate;
mod near;
mod pairs;
mod quote;
mod syntax;

pub(crate) use locate::{Step, integer_field, is_integer, line_and_column, locate};
pub(crate) use near::hint;
pub(crate) use pairs::{Pairs, bare};
pub(crate) use quote::{quoted, quoted_char};
pub(crate) use syntax::{describe, describe_end, ends_early, position};
