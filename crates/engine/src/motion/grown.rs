//! A piece of the terrain grown by one shape: most of what is asked of it has been worked out when it was gathered.
//!
//! Whatever is decided here is what [`MovingBox`](surefoot_geometry::exact::MovingBox) and
//! [`MovingCircle`](surefoot_geometry::exact::MovingCircle) decide, with the same numbers; what takes more is left to them.

use super::Shape;
use super::run::{Span, span_within};
use super::shape::Form;
use super::surface::{Surface, lattice, relative, touches};
use super::tolerance::RUN_ROOM;
use crate::terrain::Role;
use glam::{DVec2, I8Vec2, I64Vec2};
use surefoot_geometry::Place;
use surefoot_geometry::exact::tangent;
use surefoot_geometry::tolerance::{SIDE_FILTER, TOUCH};

/// A piece and what a shape's centre is compared with, all from one corner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grown {
    pub(super) surface: Surface,
    kind: Kind,
    /// The outward normal; none for an arc.
    normal: I64Vec2,
    /// The centre's part along the normal where a box touches, or where the edge is; in units times the normal's length.
    level: i64,
    /// The centre's parts along the edge at which the grown edge starts and ends.
    start: i64,
    end: i64,
    /// Where the piece starts and ends.
    ends: [I64Vec2; 2],
    /// The length of the normal, and the radius times it; for a box how far off it still touches.
    length: f64,
    reach: f64,
    slack: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A box and an edge along an axis.
    Level,
    /// A box and a slanted edge.
    Slanted,
    /// A circle and an edge.
    Face,
    /// A circle and a corner.
    Arc,
}

impl Grown {
    pub(super) fn of(shape: Shape, surface: Surface, corner: I64Vec2) -> Grown {
        let piece = &surface.piece;
        let normal = piece.normal.as_i64vec2();
        let along = tangent(normal);
        // Where the cell is, seen from the corner.
        let cell = Place::ORIGIN.units() - relative(Place::ORIGIN, surface.cell) - corner;
        let (a, b) = (cell + lattice(piece.a), cell + lattice(piece.b));
        let length = (normal.dot(normal) as f64).sqrt();
        let slanted = normal.x != 0 && normal.y != 0;
        let (kind, support, sides) = match shape.0 {
            Form::Circle { .. } if piece.role == Role::Arc => (Kind::Arc, 0, (0, 0)),
            Form::Circle { .. } => (Kind::Face, 0, (0, 0)),
            Form::Aabb { half } => {
                let half = I64Vec2::from(half);
                let support = half.dot(normal.abs());
                if slanted {
                    // One corner of the box supports it; the face moves out with that corner.
                    let corner = along.dot(normal.signum() * half);
                    (Kind::Slanted, support, (corner, corner))
                } else {
                    // A whole side supports it; the face grows by half that side at both ends.
                    let side = half.dot(along.abs());
                    (Kind::Level, support, (-side, side))
                }
            }
        };
        Grown {
            surface,
            kind,
            normal,
            level: normal.dot(a) + support,
            start: along.dot(a) + sides.0,
            end: along.dot(b) + sides.1,
            ends: [a, b],
            length,
            reach: shape.half().x as f64 * length,
            slack: TOUCH * (normal.x.abs() + normal.y.abs()),
        }
    }

    /// Whether it is a face with that normal on that line.
    pub(super) fn is_on(&self, normal: I64Vec2, line: i64) -> bool {
        self.surface.piece.role == Role::Face && self.normal == normal && self.line() == line
    }

    /// The part of its line along its normal.
    pub(super) fn line(&self) -> i64 {
        self.normal.dot(self.ends[0])
    }

    /// Between which parts of a centre along its tangent a shape that stands on its line touches it, as
    /// [`Grown::is_touched`] has it.
    pub(super) fn touched_between(&self) -> (i64, i64) {
        let short = |next: I8Vec2| if self.kind == Kind::Slanted && next == I8Vec2::ZERO { self.slack } else { 0 };
        let piece = &self.surface.piece;
        match self.kind {
            Kind::Level => (self.start + 1, self.end - 1),
            _ => (self.start - short(piece.before), self.end + short(piece.after)),
        }
    }

    /// On which stretches of a way from a centre a shape is about to touch the piece's line, and beside the piece: it may
    /// meet or touch the piece only where both are so.
    pub(super) fn nears(&self, shape: Shape, center: I64Vec2, way: DVec2) -> [Span; 2] {
        if self.kind == Kind::Arc {
            // The chord within reach of the corner, by its middle and half its length.
            let offset = (center - self.ends[0]).as_dvec2();
            let (along, aside) = (offset.dot(way), offset.perp_dot(way));
            let square = way.length_squared();
            let reach = (shape.half().x + RUN_ROOM) as f64;
            let half = ((reach * reach * square - aside * aside).max(0.0)).sqrt() / square + RUN_ROOM as f64;
            if aside * aside > reach * reach * square {
                return [(f64::NAN, f64::NAN); 2];
            }
            return [(-along / square - half, -along / square + half); 2];
        }
        let normal = self.normal;
        let room = (RUN_ROOM * (normal.x.abs() + normal.y.abs())) as f64;
        let reach = if self.kind == Kind::Face { self.reach } else { 0.0 };
        let gap = (normal.dot(center) - self.level) as f64 - reach;
        let line = span_within(gap, normal.as_dvec2().dot(way), (-room, room));
        let along = tangent(normal);
        let beside = (self.start as f64 - room, self.end as f64 + room);
        [line, span_within(along.dot(center) as f64, along.as_dvec2().dot(way), beside)]
    }

    /// Whether a motion may meet the piece: `false` only if it surely does not.
    #[inline]
    pub(super) fn may_meet(&self, center: I64Vec2, motion: I64Vec2) -> bool {
        if self.kind == Kind::Arc {
            return true;
        }
        let approach = -self.normal.dot(motion);
        if approach <= 0 {
            return false;
        }
        let height = self.normal.dot(center) - self.level;
        if self.kind == Kind::Face {
            // Surely in front at the end.
            (height - approach) as f64 <= self.reach + SIDE_FILTER * self.length
        } else {
            height >= 0 && height < approach
        }
    }

    /// Whether the shape with its centre there, seen from the corner, touches the piece.
    #[inline]
    pub(super) fn is_touched(&self, shape: Shape, place: Place, center: I64Vec2) -> bool {
        if self.kind == Kind::Arc {
            return touches(&self.surface.piece, shape, relative(place, self.surface.cell));
        }
        let height = self.normal.dot(center) - self.level;
        if height < 0 {
            return false;
        }
        let along = tangent(self.normal).dot(center);
        if self.kind == Kind::Face {
            let gap = height as f64 - self.reach;
            gap >= -self.length && gap <= TOUCH as f64 * self.length && along >= self.start && along <= self.end
        } else if height > self.slack {
            false
        } else if self.kind == Kind::Level {
            along > self.start && along < self.end
        } else {
            touches(&self.surface.piece, shape, relative(place, self.surface.cell))
        }
    }
}
