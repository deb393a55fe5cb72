//! Deterministic sweeps in fixed point, decided in integers: circles and boxes against one-sided edges and each other.
//!
//! Coordinates are in units of 2^-32 lengths. [`sweep_box`] and [`sweep_circle`] sweep one shape against one [`Edge`].
//! [`sweep_pair`] sweeps two moving shapes against each other.
//!
//! The lower-level types serve engines that cast one shape against many edges. The moving shape is shrunk to a point,
//! and the outline is inflated by the shape (Minkowski sum):
//!
//! - [`Face`] is a flat part of the inflated outline.
//! - [`Corner`] is the round part that a circle adds at a convex vertex.
//! - A box adds a [`Face`] of length 0 there, with an axis direction as its normal.
//!
//! Coordinates are relative to any origin that the caller chooses. Differences of coordinates and motions must be at
//! most 2^42 units (1024 lengths) on each axis. Components of primitive normals must be at most [`MAX_NORMAL`].
//!
//! A pair is swept with the relative motion of two bodies. It may be twice as long, 2^43 units. Integers decide
//! overlap, hits and contacts of pairs too.

mod circle;
mod edge;
mod fraction;
mod moving_box;
mod pair;
pub mod tolerance;
mod wide;

pub use circle::{CircleHit, MovingCircle};
pub use edge::{Edge, EdgeEnd, EdgeError, box_overlaps_segment, circle_overlaps_segment, sweep_box, sweep_circle};
pub use fraction::Fraction;
pub use moving_box::{BoxHit, FaceHit, MovingBox};
pub use pair::{Collider, FlatGap, PairContact, PairHit, contact, flat_gap, overlaps, sweep_pair};

use glam::I64Vec2;

/// Largest absolute component of a primitive normal.
///
/// A primitive normal is an integer vector whose components have no common divisor above 1.
pub const MAX_NORMAL: i64 = 4096;

/// One flat part of an outline inflated by a moving shape (Minkowski sum).
///
/// A sweep casts the shape as a point against the inflated outline. The air is on the left when looking from `a` to
/// `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face {
    /// Start of the edge in units, not inflated.
    pub a: I64Vec2,
    /// End of the edge in units, not inflated. Equal to `a` for the part that a corner adds for boxes.
    pub b: I64Vec2,
    /// Outward normal: an integer vector whose components have no common divisor above 1.
    pub normal: I64Vec2,
    /// Normal of the previous part of the inflated outline, next to `a`.
    ///
    /// - Zero: nothing can be hit at `a`, because the outline continues flat or turns towards the air (a concave
    ///   corner).
    /// - Opposite to `normal`: the outline turns so far that a box's corner has no room there. A box exactly at that
    ///   end is in a different region of air and hits nothing.
    pub before: I64Vec2,
    /// Normal of the next part of the inflated outline, next to `b`.
    ///
    /// Zero, and the opposite of the face's own normal, mean the same as for `before`.
    pub after: I64Vec2,
}

/// Offsets of a shape to a face, in units times the length of the normal.
///
/// The offsets hold everything that a sweep needs about shape and face, except the motion. Several motions from one
/// position can share them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaceOffsets {
    /// Outward normal of the face.
    pub normal: I64Vec2,
    /// Distance of the shape in front of the face's line, negative behind it.
    ///
    /// For a box the distance counts from its nearest corner or side, for a circle from its centre.
    pub gap: i64,
    /// Distance of the shape's centre past the start of the inflated face, along the face.
    pub from_a: i64,
    /// Distance of the shape's centre past the end of the inflated face, along the face.
    pub from_b: i64,
}

impl FaceOffsets {
    /// Placeholder: offsets behind a face without a direction, which no motion hits.
    pub const NONE: FaceOffsets = FaceOffsets { normal: I64Vec2::ZERO, gap: -1, from_a: 0, from_b: 0 };

    /// Whether the shape may come to be beside the face on a motion or on a part of it that strays from it by at most
    /// `slack`, in units times the length of the normal; touching counts.
    #[inline(always)]
    fn nears(&self, motion: I64Vec2, slack: i64) -> bool {
        let passed = tangent(self.normal).dot(motion);
        self.from_a + passed.max(0) + slack >= 0 && self.from_b + passed.min(0) - slack <= 0
    }
}

/// A convex corner of an outline, for sweeps of circles.
///
/// A circle hits the corner only with a contact normal `n` for which `first . n >= 0` and `second . n >= 0`. These
/// normals form the corner's cone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corner {
    /// Position of the corner's vertex, in units.
    pub vertex: I64Vec2,
    /// One bound of the cone: a vector whose dot product with every contact normal is 0 or more.
    pub first: I64Vec2,
    /// Other bound of the cone: a vector whose dot product with every contact normal is 0 or more.
    pub second: I64Vec2,
}

/// Returns the direction of an edge with outward normal `normal`: the normal turned clockwise by a quarter turn.
#[must_use]
pub const fn tangent(normal: I64Vec2) -> I64Vec2 {
    I64Vec2::new(normal.y, -normal.x)
}

/// Returns the dot product of `a` and `b` as i128.
///
/// The product cannot overflow unless all four components are `i64::MIN`.
#[must_use]
pub const fn wide_dot(a: I64Vec2, b: I64Vec2) -> i128 {
    a.x as i128 * b.x as i128 + a.y as i128 * b.y as i128
}

/// A cross product that fits whatever the two vectors are.
pub(crate) const fn wide_cross(a: I64Vec2, b: I64Vec2) -> i128 {
    a.x as i128 * b.y as i128 - a.y as i128 * b.x as i128
}
