//! Replays as they are read, checked, played and written.

mod bad_input;
mod order;
#[cfg(repository)]
mod page;
mod runs;

use super::*;
