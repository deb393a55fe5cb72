//! Deterministic sweeps in fixed point, decided in integers: circles and boxes against one-sided edges and each other.
//!
//! Coordinates are in fixed-point units (2^32 units = 1.0). [`sweep_box`] and [`sweep_circle`] sweep one shape against
//! one [`Edge`]. [`sweep_pair`] sweeps two moving shapes against each other.
//!
//! The lower-level types are for engines that sweep one shape against many edges. They treat the moving shape as a
//! point, and grow the outline by the size of the shape instead (Minkowski sum):
//!
//! - [`Face`] is a flat part of the grown outline.
//! - [`Corner`] is the round part that a circle adds at a convex corner of the outline.
//! - A box adds a [`Face`] of length 0 at a convex corner. The normal of that face is along an axis.
//!
//! The caller chooses the origin of the coordinates. Motions, and distances between shape and edge, must be at most
//! 2^42 units (1024.0) on each axis. Components of normals must be at most [`MAX_NORMAL`].
//!
//! [`sweep_pair`] takes the relative motion of two bodies, which may be twice as long: 2^43 units. Integers decide
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

/// Largest absolute value of a component of an [`Edge`]'s normal: 4096.
///
/// The normal is an integer vector, divided by the greatest common divisor of its components. So an edge may be long,
/// but its slope must be a ratio of small integers, such as 3 to 4.
pub const MAX_NORMAL: i64 = 4096;

/// A straight side of an obstacle's outline, grown by the size of a moving shape (Minkowski sum).
///
/// The sweep treats the moving shape as a point, and grows the outline by the size of the shape instead. The face
/// stops motion only from its open side, which is on the left when looking from `a` to `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face {
    /// Start of the original edge, before the outline grows, in fixed-point units (2^32 units = 1.0).
    pub a: I64Vec2,
    /// End of the original edge, before the outline grows, in fixed-point units (2^32 units = 1.0).
    ///
    /// For a box, a convex corner of the outline adds a face whose `b` equals its `a`.
    pub b: I64Vec2,
    /// Outward normal, as an integer vector, not a unit vector. Its components have no common divisor above 1.
    pub normal: I64Vec2,
    /// Normal of the next face of the grown outline, which joins this one at `a`.
    ///
    /// - Zero: a sweep cannot hit the point `a` itself. The outline continues straight there, or turns towards the
    ///   open side (a concave corner).
    /// - Opposite to `normal`: the outline folds back at `a`, as at the end of a thin wall. A box exactly in line
    ///   with `a` hits nothing.
    pub before: I64Vec2,
    /// Normal of the next face of the grown outline, which joins this one at `b`.
    ///
    /// - Zero: a sweep cannot hit the point `b` itself. The outline continues straight there, or turns towards the
    ///   open side (a concave corner).
    /// - Opposite to `normal`: the outline folds back at `b`, as at the end of a thin wall. A box exactly in line
    ///   with `b` hits nothing.
    pub after: I64Vec2,
}

/// Position of a moving shape relative to a [`Face`]. Computed once, it serves several sweeps from the same position.
///
/// A [`Face`] is a straight side of an obstacle's outline. All distances are in fixed-point units (2^32 units = 1.0)
/// times the length of `normal`, which keeps them integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaceOffsets {
    /// Outward normal of the face, as an integer vector, not a unit vector.
    pub normal: I64Vec2,
    /// Distance of the shape from the face's line: positive in front of the face, negative behind it.
    ///
    /// In fixed-point units (2^32 units = 1.0) times the length of the face's normal. For a box, this is the distance
    /// of its nearest corner or side. For a circle, it is the distance of its centre.
    pub gap: i64,
    /// Distance along the face from the start of the face to the shape's centre; negative before the start.
    ///
    /// In fixed-point units (2^32 units = 1.0) times the length of the face's normal, which is not a unit vector. For a
    /// box, the face counts as longer at both ends by the box's half size along the face. For a circle, the face keeps
    /// its length.
    pub from_a: i64,
    /// Distance along the face from the end of the face to the shape's centre; positive past the end.
    ///
    /// In fixed-point units (2^32 units = 1.0) times the length of the face's normal, which is not a unit vector. For a
    /// box, the face counts as longer at both ends by the box's half size along the face. For a circle, the face keeps
    /// its length.
    pub from_b: i64,
}

impl FaceOffsets {
    /// Placeholder for a list of offsets: a sweep against these offsets never hits.
    pub const NONE: FaceOffsets = FaceOffsets { normal: I64Vec2::ZERO, gap: -1, from_a: 0, from_b: 0 };

    /// Returns whether the shape may come next to the face on `motion` or on a part of it. Touching counts. A part
    /// may deviate from the motion by at most `slack`, in units times the length of the normal.
    #[inline(always)]
    fn may_get_between_face_ends(&self, motion: I64Vec2, slack: i64) -> bool {
        let passed = tangent(self.normal).dot(motion);
        self.from_a + passed.max(0) + slack >= 0 && self.from_b + passed.min(0) - slack <= 0
    }
}

/// A convex corner of an outline, for sweeps of circles.
///
/// A circle can hit the corner only with a contact normal `n` whose dot products with `first` and with `second` are 0
/// or more. These directions are called the corner's cone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corner {
    /// Position of the corner of the obstacle, in fixed-point units (2^32 units = 1.0).
    pub vertex: I64Vec2,
    /// First of the two vectors that limit the directions in which a circle can hit the corner: the contact normal must
    /// have a dot product of 0 or more with this vector.
    pub first: I64Vec2,
    /// Second of the two vectors that limit the directions in which a circle can hit the corner: the contact normal
    /// must have a dot product of 0 or more with this vector.
    pub second: I64Vec2,
}

/// Returns the direction of the edge that has the outward normal `normal`: the normal turned clockwise by 90 degrees.
#[must_use]
pub const fn tangent(normal: I64Vec2) -> I64Vec2 {
    I64Vec2::new(normal.y, -normal.x)
}

/// Returns the dot product of `a` and `b` as i128, so that components of any size do not overflow.
///
/// The only exception: the sum overflows if all four components are `i64::MIN`.
#[must_use]
pub const fn wide_dot(a: I64Vec2, b: I64Vec2) -> i128 {
    a.x as i128 * b.x as i128 + a.y as i128 * b.y as i128
}

/// Cross product in i128, so that it never overflows.
pub(crate) const fn wide_cross(a: I64Vec2, b: I64Vec2) -> i128 {
    a.x as i128 * b.y as i128 - a.y as i128 * b.x as i128
}
