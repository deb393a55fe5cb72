//! Sweeps against one-sided edges.
//!
//! Inputs count as exact numbers. Plain f64 decides if every decision exceeds its rounding error (`quick`). Otherwise,
//! pairs of f64 compute the deciding sums and products (`scene`). So times are right within 1e-9 lengths along the
//! path, even if the motion is nearly parallel to a face or nearly misses an end point (paths up to 100 lengths,
//! coordinates up to 1000). A mirrored or turned scene gives the mirrored or turned result, bit for bit.
//!
//! # What counts as a hit
//!
//! Only a motion against the face's normal hits the face, and only if the shape starts in front of it. [`Ends`] selects
//! the end points that can be hit:
//! - A selected end point is a free end, as of a one-way platform. It stops motions that do not run along the face's
//!   normal. Contact normals range from the face's normal to the outward tangent, a quarter turn that includes both
//!   bounds.
//! - Any other end point counts as a join: the next edge stops a shape that passes there.

mod aabb;
mod circle;
mod quick;
mod scene;
#[cfg(test)]
mod symmetries;
#[cfg(test)]
mod tests;

/// Selects which end points of an edge a sweep such as [`Circle::sweep_one_sided`](crate::Circle::sweep_one_sided)
/// can hit.
///
/// Select convex corners (those that stick out) and free ends. Do not select an end point where a neighbouring edge
/// continues straight on, or turns towards the open side of the edge: the neighbour stops the shape there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ends {
    /// Whether the sweep can hit the start `a` of the edge, a [`Segment`](crate::Segment).
    pub start: bool,
    /// Whether the sweep can hit the end `b` of the edge, a [`Segment`](crate::Segment).
    pub end: bool,
}

impl Ends {
    /// The sweep can hit both end points.
    pub const BOTH: Ends = Ends { start: true, end: true };

    /// The sweep can hit only the part between the end points.
    pub const NEITHER: Ends = Ends { start: false, end: false };
}
