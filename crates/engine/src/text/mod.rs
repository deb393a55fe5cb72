//! Texts in RON: where their parts are, what is wrong with them, how their strings are written. No map, no replay.

#[cfg(test)]
pub(crate) mod damage;
mod expects;
mod fault;
mod locate;
mod near;
mod pairs;
mod placed;
mod quote;
mod read;
mod stand_in;
mod syntax;
mod tree;
mod typed;

pub(crate) use expects::{Expects, is_short};
pub(crate) use fault::{Fault, Faults};
pub(crate) use locate::{
    Step, first_name, has_field, integer_field, is_integer, line_and_column, locate, offset_of, start_of,
};
pub(crate) use near::hint;
pub(crate) use pairs::{Pairs, bare};
pub use placed::Placed;
pub(crate) use quote::{quoted, quoted_char};
pub(crate) use read::read;
pub(crate) use syntax::{describe, describe_end, ends_early, position};
pub(crate) use tree::{Shape, Tree};
pub(crate) use typed::typed;
