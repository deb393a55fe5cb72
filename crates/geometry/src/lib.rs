//! Exact sweeps of circles and boxes against one-sided edges in fixed point, with f64 counterparts.

pub mod exact;
pub mod float;
mod place;
mod sweep;
pub mod tolerance;

pub use glam::{DVec2, I64Vec2, Vec2};
pub use place::{ONE, Place, PlaceError, UnitsOutOfRange, to_lengths, to_units};
pub use sweep::{Hit, Sweep};
