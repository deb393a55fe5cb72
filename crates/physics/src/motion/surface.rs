use super::shape::Form;
use super::slide::points_into;
use super::{Owner, Shape};
use crate::terrain::{Piece, Role, STEP};
use glam::{DVec2, I8Vec2, I64Vec2};
use surefoot_geometry::exact::{Corner, Face, MovingBox, MovingCircle, tangent};
use surefoot_geometry::{ONE, Position};

/// A piece of a tile or side of a body that a shape touches or hits. Its owner, its cell and its position in that cell
/// identify it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Surface {
    pub(crate) owner: Owner,
    /// Lower left corner of its cell, in units.
    pub(crate) at: I64Vec2,
    pub(crate) piece: Piece,
}

impl Surface {
    /// Returns a surface of the map's terrain.
    pub(crate) fn of_terrain(cell: (i32, i32), piece: Piece) -> Surface {
        Surface { owner: Owner::Terrain, at: I64Vec2::new(i64::from(cell.0), i64::from(cell.1)) * ONE, piece }
    }

    /// Returns a flat side of a body. `normal`: an axis direction.
    pub(crate) fn flat_side_of_body(owner: Owner, at: I64Vec2, normal: I64Vec2) -> Surface {
        Surface::part_of_body(owner, at, Role::Face, normal)
    }

    /// Returns the round part of a body whose normal points away from `at`.
    pub(crate) fn round_side_of_body(owner: Owner, at: I64Vec2) -> Surface {
        Surface::part_of_body(owner, at, Role::Arc, I64Vec2::ZERO)
    }

    /// Returns a part of a body. `at`: the point from which an arc's normal points away.
    pub(crate) fn part_of_body(owner: Owner, at: I64Vec2, role: Role, normal: I64Vec2) -> Surface {
        let (a, edge, normal) = (I8Vec2::ZERO, 0, normal.as_i8vec2());
        let piece = Piece { role, edge, a, b: a, normal, before: a, after: a, gate: a, partner: a };
        Surface { owner, at, piece }
    }

    /// Returns the cell of the surface in a source whose point (0, 0) is at `origin`.
    pub(crate) fn cell_in_source_at(&self, origin: I64Vec2) -> (i32, i32) {
        let units = self.at.wrapping_sub(origin);
        ((units.x >> 32) as i32, (units.y >> 32) as i32)
    }

    /// Returns the cell of a surface of the map's terrain.
    #[inline]
    pub(crate) fn terrain_cell(&self) -> (i32, i32) {
        ((self.at.x >> 32) as i32, (self.at.y >> 32) as i32)
    }

    /// Returns a position relative to the lower left corner of the surface's cell.
    #[inline(always)]
    pub(crate) fn relative_position(&self, position: Position) -> I64Vec2 {
        position.units() - self.at
    }

    /// Returns the outward direction for a shape at that position: the normal of a face, or the vector from the vertex
    /// of an arc.
    #[inline]
    pub(crate) fn normal(&self, position: Position) -> I64Vec2 {
        match self.piece.role {
            Role::Face | Role::Vertex => self.piece.normal.as_i64vec2(),
            Role::Arc => self.relative_position(position) - lattice_to_units(self.piece.a),
        }
    }

    /// Returns whether the surface belongs to a body.
    #[inline]
    pub(crate) fn is_of_body(&self) -> bool {
        matches!(self.owner, Owner::Body(_))
    }

    /// Returns the outward direction with length 1, without -0 and exact along an axis.
    pub(crate) fn unit_normal(&self, position: Position) -> DVec2 {
        let normal = self.normal(position).as_dvec2();
        // Divide by the length: `normalize()` multiplies by a rounded reciprocal, so a result along an axis would not
        // be exact.
        normal / normal.length() + DVec2::ZERO
    }

    /// Returns the point where a shape at that position touches the surface; see
    /// [`Contact::point`](super::Contact::point).
    pub(crate) fn point(&self, shape: Shape, position: Position) -> Position {
        let center = self.relative_position(position);
        let (a, b) = (lattice_to_units(self.piece.a) - center, lattice_to_units(self.piece.b) - center);
        let normal = self.piece.normal.as_i64vec2();
        // Compute relative to the centre and round away from it, so that mirrored and turned scenes give the same
        // point.
        let offset = match (self.piece.role, shape.0) {
            (Role::Arc | Role::Vertex, _) => a,
            (Role::Face, Form::Circle { .. }) => {
                let (along, square) = (normal.dot(a), normal.dot(normal));
                I64Vec2::new(round_fraction(normal.x * along, square), round_fraction(normal.y * along, square))
            }
            (Role::Face, Form::Aabb { half }) if normal.x != 0 && normal.y != 0 => {
                -normal.signum() * I64Vec2::from(half)
            }
            (Role::Face, Form::Aabb { half }) => {
                let half = I64Vec2::from(half);
                let shared = a.min(b).max(-half) + a.max(b).min(half);
                let middle = I64Vec2::new(round_fraction(shared.x, 2), round_fraction(shared.y, 2));
                I64Vec2::select(normal.cmpeq(I64Vec2::ZERO), middle, a)
            }
        };
        position + offset
    }

    /// Returns whether the surface is at the free end of a one-way edge, and a motion along the edge or away from it
    /// passes that end.
    #[inline]
    pub(crate) fn lets_pass(&self, motion: I64Vec2) -> bool {
        self.piece.gate != I8Vec2::ZERO && self.piece.gate.as_i64vec2().dot(motion) >= 0
    }

    /// Returns whether a velocity points into the surface at the shape's contact. The end of a one-way edge blocks only
    /// a velocity against the edge's normal, by more than rounding.
    #[inline]
    pub(crate) fn is_against(&self, position: Position, velocity: DVec2) -> bool {
        points_into(self.normal(position).as_dvec2(), velocity) && !self.is_velocity_let_through(velocity)
    }

    /// Returns [`Surface::lets_pass`] for a velocity: a velocity that is along the edge except for rounding counts as
    /// along it.
    #[inline]
    pub(crate) fn is_velocity_let_through(&self, velocity: DVec2) -> bool {
        self.piece.gate != I8Vec2::ZERO && !points_into(self.piece.gate.as_dvec2(), velocity)
    }

    /// Returns whether the normal is a small integer vector, so that slides by whole tangents keep the gap.
    #[inline]
    pub(crate) fn is_flat(&self) -> bool {
        self.piece.role != Role::Arc
    }

    /// Returns whether another surface is part of the same straight surface: the same piece, or a flat piece on the
    /// same line with the same normal, such as the next tile of a floor.
    pub(crate) fn is_same_straight_surface(&self, other: &Surface) -> bool {
        if self == other {
            return true;
        }
        if self.join_arcs(other).is_some() {
            return true;
        }
        let normal = self.piece.normal.as_i64vec2();
        self.is_flat() && other.is_flat() && self.piece.normal == other.piece.normal && {
            let between = other.at - self.at;
            normal.dot(between + lattice_to_units(other.piece.a) - lattice_to_units(self.piece.a)) == 0
        }
    }

    /// Returns whether this face continues straight on at a corner of a face of another source. Then there is no
    /// corner.
    pub(crate) fn continues_at_end(&self, other: &Surface) -> bool {
        let end = if other.piece.before == self.piece.normal { other.piece.a } else { other.piece.b };
        self.face_passes_through_corner(other.at + lattice_to_units(end), other.piece.normal)
    }

    /// Returns whether this face continues straight on at the corner of an arc of another source. Then there is no
    /// corner.
    pub(crate) fn continues_at_arc(&self, arc: &Surface) -> bool {
        let Piece { role, a, normal, before, after, .. } = arc.piece;
        let is_bound = |bound: I8Vec2| bound.as_i64vec2().dot(self.piece.normal.as_i64vec2()) >= 0;
        role == Role::Arc
            && is_bound(before)
            && is_bound(after)
            && self.face_passes_through_corner(arc.at + lattice_to_units(a), normal)
    }

    /// Returns the corner that two arcs of different sources form at one point: the intersection of their cones.
    pub(crate) fn join_arcs(&self, other: &Surface) -> Option<Surface> {
        let corner = |surface: &Surface| surface.at + lattice_to_units(surface.piece.a);
        let are_arcs = !self.is_flat() && !other.is_flat();
        if !are_arcs || self.owner == other.owner || corner(self) != corner(other) {
            return None;
        }
        let (piece, beside) = (&self.piece, &other.piece);
        // A circle can touch the joined corner only with normals that both corners allow. So take a bound of the other
        // corner if this corner allows it too, else this corner's own bound.
        let holds = |end: I64Vec2| piece.before.as_i64vec2().dot(end) >= 0 && piece.after.as_i64vec2().dot(end) >= 0;
        let first = if holds(beside.before.as_i64vec2().perp()) { beside.before } else { piece.before };
        let second = if holds(-beside.after.as_i64vec2().perp()) { beside.after } else { piece.after };
        let normal = first.perp() - second.perp();
        Some(Surface { piece: Piece { before: first, after: second, normal, ..*piece }, ..*self })
    }

    /// Returns whether a face that ends at a corner is one of the two sides that form that corner.
    pub(crate) fn is_corner_of(&self, face: &Surface) -> bool {
        let begins = face.at + lattice_to_units(face.piece.a) == self.at + lattice_to_units(self.piece.a);
        let along = tangent(face.piece.normal.as_i64vec2());
        // The bounds `before` and `after` of the corner's cone of normals are each parallel to one side of the corner
        // and point away from that side.
        let (out, bound) = if begins { (-along, self.piece.after) } else { (along, self.piece.before) };
        let bound = bound.as_i64vec2();
        out.perp_dot(bound) == 0 && out.dot(bound) > 0
    }

    /// Returns whether a face passes through a corner, or ends there on the side to which the corner's normals lean.
    fn face_passes_through_corner(&self, corner: I64Vec2, leans: I8Vec2) -> bool {
        let (normal, leans) = (self.piece.normal.as_i64vec2(), leans.as_i64vec2());
        let along = tangent(normal);
        let [a, b] = [self.piece.a, self.piece.b].map(|end| self.at + lattice_to_units(end) - corner);
        self.is_flat()
            && normal.dot(a) == 0
            && along.dot(a) <= 0
            && along.dot(b) >= 0
            && (leans.dot(a) > 0 || leans.dot(b) > 0)
    }

    /// Returns the normals of the two sides that meet at the arc's corner: the side behind a body that walks round it,
    /// then the side ahead. The body walks to the right for `sign` 1. The side ahead is `None` at a free end.
    pub(crate) fn normals_beside_arc(&self, sign: i64) -> (I64Vec2, Option<I64Vec2>) {
        let Piece { before, after, gate, partner, .. } = self.piece;
        let (behind, ahead) = if sign > 0 { (before, after) } else { (after, before) };
        // `before` and `after` of an arc are each perpendicular to the normal of one side of the corner.
        let (behind, ahead) = (behind.as_i64vec2().perp() * sign, -ahead.as_i64vec2().perp() * sign);
        let is_free = gate != I8Vec2::ZERO && partner == I8Vec2::ZERO && ahead != gate.as_i64vec2();
        (behind, (!is_free).then_some(ahead))
    }

    /// Returns whether a shape that the surface stopped still touches it at a new position. `slack`: additional reach
    /// of arcs, in units.
    pub(crate) fn is_still_touched(&self, shape: Shape, position: Position, slack: f64) -> bool {
        let center = self.relative_position(position);
        match (shape.0, self.piece.role) {
            (Form::Circle { radius }, Role::Arc) => {
                MovingCircle { center, radius, motion: I64Vec2::ZERO }.still_touches_corner(&corner(&self.piece), slack)
            }
            _ => touches(&self.piece, shape, center),
        }
    }

    /// Returns whether a box stands with its corner on an end of the face and is about to leave the face there at that
    /// velocity.
    pub(crate) fn is_about_to_leave_end(&self, shape: Shape, position: Position, velocity: DVec2) -> bool {
        let Form::Aabb { half } = shape.0 else { return false };
        let face = face(&self.piece);
        if face.normal.x == 0 || face.normal.y == 0 {
            return false;
        }
        let center = self.relative_position(position);
        let (from_a, from_b) = MovingBox { center, half: half.into(), motion: I64Vec2::ZERO }.along_face(&face);
        let along = tangent(face.normal).as_dvec2().dot(velocity);
        // The outline turns away only at a convex end. At a straight or concave end that a box can reach, the next
        // normal is zero.
        (from_a <= 0 && along < 0.0 && face.before != I64Vec2::ZERO)
            || (from_b >= 0 && along > 0.0 && face.after != I64Vec2::ZERO)
    }
}

/// Rounds a fraction to the nearest integer, halves away from zero. The denominator is positive.
fn round_fraction(numerator: i64, denominator: i64) -> i64 {
    let nearest = (2 * numerator.abs() + denominator) / (2 * denominator);
    nearest * numerator.signum()
}

/// Returns whether a shape touches a piece. The centre of the shape is relative to the cell of the piece.
#[inline]
pub(crate) fn touches(piece: &Piece, shape: Shape, center: I64Vec2) -> bool {
    let motion = I64Vec2::ZERO;
    match shape.0 {
        Form::Aabb { half } => MovingBox { center, half: half.into(), motion }.touches_face(&face(piece)),
        Form::Circle { radius } => {
            let circle = MovingCircle { center, radius, motion };
            match piece.role {
                Role::Arc => !is_behind_line_of_end(piece, center) && circle.touches_corner(&corner(piece)),
                Role::Face | Role::Vertex => circle.touches_face(&face(piece)),
            }
        }
    }
}

/// Returns whether a circle's centre is on or behind the line of the one-way edge that ends at this corner. The edge
/// stops only shapes that come from in front of it.
#[inline]
pub(crate) fn is_behind_line_of_end(arc: &Piece, center: I64Vec2) -> bool {
    arc.gate != I8Vec2::ZERO && arc.gate.as_i64vec2().dot(center - lattice_to_units(arc.a)) <= 0
}

#[inline]
pub(crate) fn lattice_to_units(point: I8Vec2) -> I64Vec2 {
    point.as_i64vec2() * STEP
}

/// Returns a face or a box's vertex piece in units, relative to its cell.
#[inline]
pub(crate) fn face(piece: &Piece) -> Face {
    Face {
        a: lattice_to_units(piece.a),
        b: lattice_to_units(piece.b),
        normal: piece.normal.as_i64vec2(),
        before: piece.before.as_i64vec2(),
        after: piece.after.as_i64vec2(),
    }
}

/// Returns an arc in units, relative to its cell.
#[inline]
pub(crate) fn corner(piece: &Piece) -> Corner {
    Corner { vertex: lattice_to_units(piece.a), first: piece.before.as_i64vec2(), second: piece.after.as_i64vec2() }
}
