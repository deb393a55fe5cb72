//! Sweeps against one-sided edges.
//!
//! Inputs are taken as the exact numbers they are. Plain f64 answers where every decision is beyond its rounding
//! (`quick`); elsewhere the sums and products that decide are carried in pairs of f64 (`scene`), so that times stay
//! within 1e-9 lengths along the path even where the motion is nearly parallel to a face or nearly misses an end point
//! (paths up to 100 lengths, coordinates up to 1000). A mirrored or turned scene gives the mirrored or turned answer,
//! bit for bit.
//!
//! # What counts as a hit
//!
//! A face is hit only by a motion against its normal, of a shape that starts in front of it. [`Ends`] says which of the
//! edge's end points can be hit. An end point that can be hit is the rim of a one-way platform: it stops a motion that
//! does not go along the face's normal, with contact normals from the face's normal to the outward tangent, a quarter
//! turn with both its bounds. An end point that cannot be hit is taken for a join: the next edge is there to stop what
//! comes by.

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
/// Select convex corners and free ends. Do not select an end point where a neighbouring edge continues the outline
/// straight on or turns towards its open side: the neighbour stops the shape there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ends {
    /// Whether the sweep can hit the start `a` of the [`Segment`](crate::Segment).
    pub start: bool,
    /// Whether the sweep can hit the end `b` of the [`Segment`](crate::Segment).
    pub end: bool,
}

impl Ends {
    /// The sweep can hit both end points.
    pub const BOTH: Ends = Ends { start: true, end: true };

    /// The sweep can hit only the part between the end points.
    pub const NEITHER: Ends = Ends { start: false, end: false };
}
