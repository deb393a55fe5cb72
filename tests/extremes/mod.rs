//! Extreme values: rejected values give an error, and accepted values work.
//!
//! The expected results come from geometry by hand: rooms, shafts and floors whose faces stand where the rows say.

mod coordinates;
mod crowd;
mod sizes;
mod speeds;
mod ticks;
