//! Sweeps in fixed point against one-sided edges, decided in integers.
//!
//! An edge grown by the moving shape turns the shape into a point: [`Face`] is the flat part of that outline, [`Corner`]
//! the round part that a circle adds at a convex vertex; what a box adds there is again a [`Face`], of no length, with an
//! axis direction as its normal. All coordinates are in units of 2^-32 and relative to whatever origin the caller likes,
//! as long as differences and motions stay within 2^42 units (1024 lengths) on each axis and the components of primitive
//! normals within [`MAX_NORMAL`].

mod circle;
mod edge;
mod fraction;
mod moving_box;
pub mod tolerance;
mod wide;

pub use circle::{CircleHit, MovingCircle};
pub use edge::{Edge, EdgeEnd, EdgeError, box_meets_segment, circle_meets_segment, sweep_box, sweep_circle};
pub use fraction::Fraction;
pub use moving_box::{BoxHit, FaceHit, MovingBox};

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
    /// The same after `b`.
    pub after: I64Vec2,
}

/// A convex corner of an outline, as a circle meets it: normals n with first . n >= 0 and second . n >= 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corner {
    /// The vertex.
    pub at: I64Vec2,
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
