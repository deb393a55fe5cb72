use glam::I8Vec2;
use surefoot_geometry::ONE;

/// Units in one lattice step.
pub(crate) const STEP: i64 = ONE / crate::catalogue::LATTICE as i64;

/// A piece of a cell that a moving shape can hit, in lattice steps from the cell's lower left corner: one edge, or one
/// part of a corner that is inflated by the shape.
///
/// Directions are primitive integer vectors. Around the outline, the air is on the left of the direction from `a` to
/// `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Piece {
    pub(crate) role: Role,
    /// Index of the side of the cell's shape. With one tile in the cell, the edge of its variant.
    pub(crate) edge: u8,
    /// Face: start of the edge. Arc and vertex: the corner.
    pub(crate) a: I8Vec2,
    /// Face: end of the edge. Arc and vertex: the corner again.
    pub(crate) b: I8Vec2,
    /// Face: the outward normal. Vertex: the axis direction. Arc: the sum of the normals of the two sides. This sum
    /// is not primitive and is never used in sweeps. It is zero at the tip of a thin wall.
    pub(crate) normal: I8Vec2,
    /// Face and vertex: the normal that comes before this piece around the inflated corner at `a`. It is zero if the
    /// outline goes straight on there or is concave. It is opposite to the piece's own normal if the corner of a box
    /// has no room there. Arc: the first bound of the cone of normals `n`, with `before . n >= 0`.
    pub(crate) before: I8Vec2,
    /// Face and vertex: the normal that comes after this piece, at `b`. Arc: the second bound of the cone, with
    /// `after . n >= 0`.
    pub(crate) after: I8Vec2,
    /// Normal of the one-way edge at whose free end the piece is. The piece acts only on motion against it. Zero: no
    /// gate.
    pub(crate) gate: I8Vec2,
    /// Normal of the other one-way edge, if this free end is in a concave corner of two of them. Zero: there is no
    /// other one.
    pub(crate) partner: I8Vec2,
}

/// Shapes on which a [`Piece`] acts, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub(crate) enum Role {
    /// A corner against a circle: an arc of the circle's radius within a cone of normals.
    Arc,
    /// An edge against a circle or a box.
    Face,
    /// A corner against the side of a box that faces against the axis direction `normal`.
    Vertex,
}

impl Role {
    /// Returns the role with a number.
    pub(crate) fn from_number(number: u8) -> Option<Role> {
        [Role::Arc, Role::Face, Role::Vertex].into_iter().find(|role| *role as u8 == number)
    }
}
