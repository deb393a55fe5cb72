//! Swept collision of circles and boxes against one-sided edges.
//!
//! | question | exact, in fixed point | plain f64 |
//! |---|---|---|
//! | where does a moving box first meet an edge | [`exact::sweep_box`] | [`float::sweep_aabb_segment`] |
//! | where does a moving circle first meet an edge | [`exact::sweep_circle`] | [`float::sweep_circle_segment`] |
//!
//! The exact sweeps decide by the same two functions a shape, [`exact::MovingBox::against_face`] for one, that the surefoot
//! engine casts with: a box's time of impact is a fraction of integers, a circle's is f64 but on which side it starts and
//! ends is decided in integers. The f64 ones are for games that want a sweep and
//! nothing else. Both answer with a [`Sweep`]: clear, a hit, or overlapping at the start.
//!
//! - y is up, x to the right. An edge's outward normal is on the left of the way from its start to its end.
//! - Sharing a boundary is touching, not overlapping.
//! - Touching at the start and moving in is a hit at time 0; moving along or away is clear.
//!
//! A length of 1 is [`ONE`] units of 2^-32; a [`Place`] is a point in whole units.

pub mod exact;
pub mod float;
mod place;
mod sweep;

pub use glam::{DVec2, I64Vec2, Vec2};
pub use place::{ONE, Place, PlaceError, UnitsOutOfRange, to_lengths, to_units};
pub use sweep::{Hit, Sweep};
