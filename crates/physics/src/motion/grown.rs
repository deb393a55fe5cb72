//! A piece of terrain (an edge or a corner) inflated by the moving shape, so that the shape can be tested as a point.
//! This is the Minkowski sum of both. Affects speed only.
//!
//! Most of each test is precomputed when the piece is gathered. Every decision here equals that of
//! [`MovingBox`](surefoot_geometry::exact::MovingBox) or [`MovingCircle`](surefoot_geometry::exact::MovingCircle),
//! from the same numbers. Harder cases are left to those two.

use super::Shape;
use super::floor_span::{Span, interval_within_bounds};
use super::shape::Form;
use super::surface::{Surface, lattice_to_units, touches};
use super::tolerance::SPAN_ROOM_UNITS;
use crate::terrain::Role;
use glam::{DVec2, I8Vec2, I64Vec2};
use surefoot_geometry::Position;
use surefoot_geometry::exact::tangent;
use surefoot_geometry::exact::tolerance::{SIDE_FILTER, TOUCH};

/// A piece inflated by a shape. Coordinates are relative to the corner of the rectangle of gathered cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InflatedPiece {
    pub(super) surface: Surface,
    kind: Kind,
    /// Outward normal. Zero for an arc.
    normal: I64Vec2,
    /// Dot product of the centre with the normal when a box touches the piece. For a circle, the dot product of the
    /// edge itself. In units times the normal's length.
    level: i64,
    /// The centre's dot products with the tangent at which the inflated edge starts and ends.
    start: i64,
    end: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Box against an axis-aligned edge.
    Level,
    /// Box against a slanted edge.
    Slanted,
    /// Circle against an edge.
    Face,
    /// Circle against a corner.
    Arc,
}

impl InflatedPiece {
    /// Returns a piece enlarged by a shape, so that the centre of the shape hits it as the shape hits the piece.
    #[inline]
    pub(super) fn new(shape: Shape, surface: &Surface, corner: I64Vec2) -> InflatedPiece {
        let piece = &surface.piece;
        let normal = piece.normal.as_i64vec2();
        let [a, b] = piece_ends(surface, corner);
        let (kind, support, sides) = match shape.0 {
            Form::Circle { .. } if piece.role == Role::Arc => (Kind::Arc, 0, (0, 0)),
            Form::Circle { .. } => (Kind::Face, 0, (0, 0)),
            Form::Aabb { half: (x, y) } if normal.x == 0 => (Kind::Level, y, (-x, x)),
            Form::Aabb { half: (x, y) } if normal.y == 0 => (Kind::Level, x, (-y, y)),
            Form::Aabb { half } => {
                // One corner of the box touches the face, so the face is moved out by the offset of that corner.
                let corner = normal.signum() * I64Vec2::from(half);
                let side = tangent(normal).dot(corner);
                (Kind::Slanted, normal.dot(corner), (side, side))
            }
        };
        let along = tangent(normal);
        let (start, end) = (along.dot(a) + sides.0, along.dot(b) + sides.1);
        InflatedPiece { surface: *surface, kind, normal, level: normal.dot(a) + support, start, end }
    }

    /// Returns the length of the normal, and the circle's radius times that length.
    #[inline(always)]
    fn normal_length_and_reach(&self, shape: Shape) -> (f64, f64) {
        let length = (self.normal.dot(self.normal) as f64).sqrt();
        (length, shape.half_units().x as f64 * length)
    }

    /// Returns the range in which a shape on the line of the piece touches the piece. A position is the dot product
    /// of the centre with the tangent. The result agrees with [`InflatedPiece::is_touched`].
    pub(super) fn touch_range(&self) -> (i64, i64) {
        let slack = touch_slack_past_face_end(self.normal);
        let piece = &self.surface.piece;
        let short = |next: I8Vec2| match self.kind {
            Kind::Slanted if next == I8Vec2::ZERO => slack,
            // A next normal opposite to the piece's own normal is a special value. It means that the end is concave,
            // and the corner of a box does not fit into it. The next side stops the corner before the end.
            Kind::Slanted if next == -piece.normal => -1,
            _ => 0,
        };
        match self.kind {
            Kind::Level => (self.start + 1, self.end - 1),
            _ => (self.start - short(piece.before), self.end + short(piece.after)),
        }
    }

    /// Returns the interval of a path on which a shape may hit or touch the piece, because it is near the line of the
    /// piece and not past its ends.
    pub(super) fn path_interval_near_piece(
        &self,
        shape: Shape,
        center: I64Vec2,
        corner: I64Vec2,
        motion: DVec2,
    ) -> Option<Span> {
        if self.kind == Kind::Arc {
            // The path within reach of the corner is a chord of a circle. Compute its middle and half of its length.
            let offset = (center - piece_ends(&self.surface, corner)[0]).as_dvec2();
            let (along, aside) = (offset.dot(motion), offset.perp_dot(motion));
            let square = motion.length_squared();
            let reach = (shape.half_units().x + SPAN_ROOM_UNITS) as f64;
            let room = reach * reach * square - aside * aside;
            if room < 0.0 {
                return None;
            }
            let half = room.sqrt() / square + SPAN_ROOM_UNITS as f64;
            return Some((-along / square - half, -along / square + half));
        }
        let normal = self.normal;
        let room = (SPAN_ROOM_UNITS * (normal.x.abs() + normal.y.abs())) as f64;
        let reach = if self.kind == Kind::Face { self.normal_length_and_reach(shape).1 } else { 0.0 };
        let gap = (normal.dot(center) - self.level) as f64 - reach;
        let line = interval_within_bounds(gap, normal.as_dvec2().dot(motion), (-room, room))?;
        let along = tangent(normal);
        let beside = (self.start as f64 - room, self.end as f64 + room);
        let side = interval_within_bounds(along.dot(center) as f64, along.as_dvec2().dot(motion), beside)?;
        let both = (line.0.max(side.0), line.1.min(side.1));
        (both.0 <= both.1).then_some(both)
    }

    /// Returns whether a motion may hit the piece. `false` is certain; `true` only means that an exact test is
    /// needed.
    #[inline]
    pub(super) fn may_hit(&self, shape: Shape, center: I64Vec2, motion: I64Vec2) -> bool {
        if self.kind == Kind::Arc {
            return true;
        }
        let approach = -self.normal.dot(motion);
        if approach <= 0 {
            return false;
        }
        let height = self.normal.dot(center) - self.level;
        if self.kind == Kind::Face {
            // A circle that is certainly still in front of the edge at the end of its motion does not hit the edge.
            let (length, reach) = self.normal_length_and_reach(shape);
            (height - approach) as f64 <= reach + SIDE_FILTER * length
        } else {
            height >= 0 && height < approach
        }
    }

    /// Returns whether the shape touches the piece. `center` is its centre relative to the corner of the gathered
    /// cells.
    #[inline]
    pub(super) fn is_touched(&self, shape: Shape, position: Position, center: I64Vec2) -> bool {
        if self.kind == Kind::Arc {
            return touches(&self.surface.piece, shape, self.surface.relative_position(position));
        }
        let height = self.normal.dot(center) - self.level;
        if height < 0 {
            return false;
        }
        let along = tangent(self.normal).dot(center);
        if self.kind == Kind::Face {
            let (length, reach) = self.normal_length_and_reach(shape);
            let gap = height as f64 - reach;
            gap >= -length && gap <= TOUCH as f64 * length && along >= self.start && along <= self.end
        } else if height > max_touch_gap(self.normal) {
            false
        } else if self.kind == Kind::Level {
            along > self.start && along < self.end
        } else {
            touches(&self.surface.piece, shape, self.surface.relative_position(position))
        }
    }
}

/// Returns the start and the end of a surface's piece, relative to `corner`.
#[inline]
pub(super) fn piece_ends(surface: &Surface, corner: I64Vec2) -> [I64Vec2; 2] {
    let cell = surface.at - corner;
    [cell + lattice_to_units(surface.piece.a), cell + lattice_to_units(surface.piece.b)]
}

/// Returns how far past the end of a slanted face a box on the face's line still certainly touches the face, in units
/// times the normal's length. For a gap of up to two units, the box is then within touching distance on both axes.
fn touch_slack_past_face_end(normal: I64Vec2) -> i64 {
    (TOUCH - 2) * normal.dot(normal) / normal.abs().max_element()
}

/// Returns how far from a face a box still touches it, in units times the normal's length.
#[inline(always)]
fn max_touch_gap(normal: I64Vec2) -> i64 {
    TOUCH * (normal.x.abs() + normal.y.abs())
}
