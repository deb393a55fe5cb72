//! Sweeps in fixed point, decided in integers: of a circle or box against one-sided edges, and of two that both move.
//!
//! An edge grown by the moving shape turns the shape into a point: [`Face`] is the flat part of that outline, [`Corner`]
//! the round part that a circle adds at a convex vertex; what a box adds there is again a [`Face`], of no length, with an
//! axis direction as its normal. All coordinates are in units of 2^-32 and relative to whatever origin the caller likes,
//! as long as differences and motions stay within 2^42 units (1024 lengths) on each axis and the components of primitive
//! normals within [`MAX_NORMAL`].
//!
//! Of a pair ([`sweep_pair`]) the relative motion counts, which is that of two bodies: it may be twice as long, 2^43 units.
//! A pair overlaps, meets and touches in integers too.

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

/// The largest component of a primitive normal.
pub const MAX_NORMAL: i64 = 4096;

/// One flat part of an outline that has been grown by a moving shape; air on the left of the way from `a` to `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face {
    /// Where the edge starts.
    pub a: I64Vec2,
    /// Where it ends; the same point for the part that a corner adds for boxes.
    pub b: I64Vec2,
    /// Outward normal, a primitive integer vector.
    pub normal: I64Vec2,
    /// The normal that comes before this one around the grown outline; zero where the outline goes on flat or turns
    /// towards the air, so that nothing can be hit at that end. Opposite to the face's own normal where it turns so far
    /// that a box's corner has no room there: a box that is exactly at that end is in other air, and meets nothing.
    pub before: I64Vec2,
    /// The normal that comes after this one, at `b`.
    pub after: I64Vec2,
}

/// How a shape stands before a face: all that a sweep asks of the two but the motion, so that several motions from one
/// place share it. In units times the length of the normal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaceOffsets {
    /// The face's outward normal.
    pub normal: I64Vec2,
    /// How far in front of the face's line a box is, or the centre of a circle; negative behind.
    pub gap: i64,
    /// How far the shape's centre is past the start of the grown face, along the face.
    pub from_a: i64,
    /// How far it is past its end.
    pub from_b: i64,
}

impl FaceOffsets {
    /// Behind a face without a direction, which nothing runs into.
    pub const NONE: FaceOffsets = FaceOffsets { normal: I64Vec2::ZERO, gap: -1, from_a: 0, from_b: 0 };

    /// Whether the shape may come to be beside the face on a motion or on a part of it that strays from it by at most
    /// `slack`, in units times the length of the normal; touching counts.
    #[inline(always)]
    fn nears(&self, motion: I64Vec2, slack: i64) -> bool {
        let passed = tangent(self.normal).dot(motion);
        self.from_a + passed.max(0) + slack >= 0 && self.from_b + passed.min(0) - slack <= 0
    }
}

/// A convex corner of an outline, as a circle meets it: normals n with first . n >= 0 and second . n >= 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corner {
    /// The vertex.
    pub vertex: I64Vec2,
    /// One bound of the cone of normals.
    pub first: I64Vec2,
    /// The other.
    pub second: I64Vec2,
}

/// The direction of an edge with that outward normal.
#[must_use]
pub const fn tangent(normal: I64Vec2) -> I64Vec2 {
    I64Vec2::new(normal.y, -normal.x)
}

/// A dot product that fits whatever the two vectors are.
#[must_use]
pub const fn wide_dot(a: I64Vec2, b: I64Vec2) -> i128 {
    a.x as i128 * b.x as i128 + a.y as i128 * b.y as i128
}

/// A cross product that fits whatever the two vectors are.
pub(crate) const fn wide_cross(a: I64Vec2, b: I64Vec2) -> i128 {
    a.x as i128 * b.y as i128 - a.y as i128 * b.x as i128
}
