//! Finds the one-sided edges and walls that a path goes through.
//!
//! A box overlaps a segment while its centre is inside the segment inflated by the box: a convex hexagon, or a
//! rectangle for an edge along an axis. A disc overlaps it while its centre is inside a rounded bar. The side at which
//! a shape enters that outline decides whether it crossed the edge, see [`Manner`].

use crate::convex::{axis_span, extent_along, left_normal, overlap_span};
use crate::disc::{disc_overlaps_segment, path_distance_to_segment};
use crate::scene::Shape;
use crate::time::Time;
use crate::{Vector, dot, vertex_in_units};

/// An edge or a wall that a shape went through although it should block the shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The cell of the edge.
    pub cell: (i32, i32),
    /// Start of the edge, in lattice steps.
    pub a: (i32, i32),
    /// End of the edge; the air is on the left of the direction from `a` to `b`.
    pub b: (i32, i32),
    /// The side at which the shape entered the edge.
    pub manner: Manner,
}

/// The side at which a shape enters a segment that it goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Against the normal: the whole shape was in front of the edge, or touching it, until it entered.
    Front,
    /// At an end, with a side of the box that faces partly against the edge's normal. Only slanted edges have this
    /// case.
    Beside,
    /// From any side or at a tip of a wall.
    Wall,
}

/// Tolerance in units for a disc between the ends of its path, where distances are computed in f64.
const DISC_TOLERANCE: f64 = 64.0;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) a: (i32, i32),
    pub(crate) b: (i32, i32),
    /// Blocks from every side, not only against its normal.
    pub(crate) wall: bool,
}

impl Edge {
    /// Returns how the path from 0 along `motion` crosses the edge, if it does.
    pub(crate) fn crossing_manner(&self, shape: &Shape, motion: Vector, origin: Vector) -> Option<Manner> {
        match *shape {
            Shape::Box { half } => self.how_box_crosses((half.0.into(), half.1.into()), motion, origin),
            Shape::Circle { radius } if self.wall => self.how_disc_crosses_wall(radius.into(), motion, origin),
            Shape::Circle { radius } => self.how_disc_crosses(radius.into(), motion, origin),
        }
    }

    /// Returns whether a shape at 0 overlaps the edge without its ends.
    pub(crate) fn is_overlapped_at_start(&self, shape: &Shape, origin: Vector) -> bool {
        match *shape {
            Shape::Box { half } => {
                overlap_span((half.0.into(), half.1.into()), (0, 0), origin, &[self.a, self.b]).is_some()
            }
            Shape::Circle { radius } => disc_overlaps_segment((0, 0), radius.into(), origin, self.a, self.b),
        }
    }

    /// Returns whether a shape on the path from 0 along `motion` overlaps the edge, whatever side it comes from.
    pub(crate) fn is_overlapped_along(&self, shape: &Shape, motion: Vector, origin: Vector) -> bool {
        match *shape {
            Shape::Box { half } => overlap_span((half.0.into(), half.1.into()), motion, origin, &[self.a, self.b])
                .is_some_and(|span| span.overlaps_motion()),
            Shape::Circle { radius } => {
                path_distance_to_segment((0, 0), motion, origin, self.a, self.b) < radius as f64 - DISC_TOLERANCE
            }
        }
    }

    /// Returns how a moving box crosses the edge, or `None` if it does not.
    fn how_box_crosses(&self, half: Vector, motion: Vector, origin: Vector) -> Option<Manner> {
        let ends = [self.a, self.b];
        let span = overlap_span(half, motion, origin, &ends).filter(|span| span.overlaps_motion())?;
        if self.wall {
            return (span.enter >= Time::ZERO).then_some(Manner::Wall);
        }
        let normal = left_normal(self.a, self.b);
        if -dot(normal, vertex_in_units(origin, self.a)) < extent_along(normal, half) {
            return None;
        }
        // The edge grown by the box is a hexagon. `entered` returns whether the centre enters it through the side of
        // this axis.
        let entered = |axis| axis_span(axis, half, motion, origin, &ends).is_some_and(|axis| axis.enter == span.enter);
        let against = |axis| dot(axis, motion) != 0 && dot(axis, normal) * dot(axis, motion) < 0;
        if entered(normal) {
            Some(Manner::Front)
        } else {
            [(1, 0), (0, 1)].into_iter().any(|axis| entered(axis) && against(axis)).then_some(Manner::Beside)
        }
    }

    /// Returns how a moving disc crosses the edge of a wall, or `None` if it does not.
    fn how_disc_crosses_wall(&self, radius: i128, motion: Vector, origin: Vector) -> Option<Manner> {
        let overlaps_at = |c| disc_overlaps_segment(c, radius, origin, self.a, self.b);
        let nearest = path_distance_to_segment((0, 0), motion, origin, self.a, self.b);
        (!overlaps_at((0, 0)) && (overlaps_at(motion) || nearest < radius as f64 - DISC_TOLERANCE))
            .then_some(Manner::Wall)
    }

    /// A disc enters from the front exactly if it overlaps the edge while its centre is not yet behind the edge's line.
    fn how_disc_crosses(&self, radius: i128, motion: Vector, origin: Vector) -> Option<Manner> {
        let normal = left_normal(self.a, self.b);
        let height = -dot(normal, vertex_in_units(origin, self.a));
        if height < 0 || height * height < radius * radius * dot(normal, normal) {
            return None;
        }
        let sinks = -dot(normal, motion);
        if sinks < height {
            let overlaps = disc_overlaps_segment(motion, radius, origin, self.a, self.b);
            let nearest = path_distance_to_segment((0, 0), motion, origin, self.a, self.b);
            return (overlaps || nearest < radius as f64 - DISC_TOLERANCE).then_some(Manner::Front);
        }
        // The centre reaches the line after the part height / sinks of the motion. Rounding by up to two units is small
        // compared with the tolerance.
        let at_line = (motion.0 * height / sinks, motion.1 * height / sinks);
        let nearest = path_distance_to_segment((0, 0), at_line, origin, self.a, self.b);
        (nearest < radius as f64 - DISC_TOLERANCE).then_some(Manner::Front)
    }
}
