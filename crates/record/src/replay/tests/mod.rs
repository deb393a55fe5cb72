//! Tests of reading, checking, playing and writing replays.

mod bad_input;
mod order;
mod page;
mod runs;
mod things;

use super::*;
