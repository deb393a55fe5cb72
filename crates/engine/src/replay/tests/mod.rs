//! Tests of reading, checking, playing and writing replays.

#[cfg(repository)]
mod bad_input;
mod order;
#[cfg(repository)]
mod page;
mod runs;

use super::*;
