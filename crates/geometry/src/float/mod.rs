//! Sweeps in plain f64, for games that want them without fixed point.
//!
//! Lengths are in any unit, y is up. Inputs are taken as the exact numbers they are; inside, the sums and products that
//! decide are carried in pairs of f64, so that times stay within 1e-9 lengths along the path even where the motion is
//! nearly parallel to a face or nearly misses an end point (paths up to 100 lengths, coordinates up to 1000).
//! Numbers beyond 1e100 are outside what is promised. A mirrored
//! or turned scene gives the mirrored or turned answer, bit for bit.
//!
//! # What counts as a hit
//!
//! A [`Segment`] is one-sided. Its face is hit only by a motion against its normal, of a shape that starts in front of
//! it. [`Ends`] says which of its end points can be hit. An end point that can be hit is the rim of a one-way platform:
//! it stops a motion that does not go along the face's normal, with contact normals from the face's normal to the
//! outward tangent, a quarter turn with both its bounds. An end point that cannot be hit is taken for a join: the next
//! segment is there to stop what comes by.
//!
//! Overlap means that interiors meet, and touching is contact: see [`tolerance::TOUCH`].

mod aabb;
mod circle;
mod scene;
mod shape;
#[cfg(test)]
mod tests;
pub mod tolerance;
mod twofold;

pub use aabb::sweep_aabb_segment;
pub use circle::sweep_circle_segment;
pub use shape::{Aabb, Circle, Ends, Segment, ShapeError};
