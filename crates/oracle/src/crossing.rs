//! Which one-sided edges and walls a path goes through.
//!
//! A box meets a segment while its centre is inside the segment grown by the box: a convex hexagon, or a rectangle for
//! an edge along an axis. A disc meets it while its centre is inside a rounded bar. A body that was in front answers for
//! the edge by where it enters that outline: see [`Manner`].

use crate::convex::{along, meeting, normal, support};
use crate::disc::{distance_of_segment, meets_segment};
use crate::scene::Shape;
use crate::time::Time;
use crate::{Vector, dot, vertex};

/// An edge or a wall that a shape passed and should not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The cell it belongs to.
    pub cell: (i32, i32),
    /// Where it starts, in lattice steps.
    pub a: (i32, i32),
    /// Where it ends; the air is on the left hand of the way from `a` to `b`.
    pub b: (i32, i32),
    /// How it was entered.
    pub manner: Manner,
}

/// Where a shape first meets a segment that it passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Against the normal: the shape was wholly in front, or touching, until it met the edge.
    Front,
    /// At an end, with a side of the box that faces partly against the edge's normal: only on slanted edges.
    Beside,
    /// A wall, by its tip or from any other side.
    Wall,
}

/// Slack in units for a disc between the ends of its path, which are judged in f64.
const DISC_SLACK: f64 = 64.0;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) a: (i32, i32),
    pub(crate) b: (i32, i32),
    /// Blocks from everywhere, not only against its normal.
    pub(crate) wall: bool,
}

impl Edge {
    /// How the path from 0 along `motion` crosses the edge, if it does.
    pub(crate) fn crossed(&self, shape: &Shape, motion: Vector, origin: Vector) -> Option<Manner> {
        match *shape {
            Shape::Box { half } => self.crossed_by_box((half.0.into(), half.1.into()), motion, origin),
            Shape::Circle { radius } if self.wall => self.wall_met_by_disc(radius.into(), motion, origin),
            Shape::Circle { radius } => self.crossed_by_disc(radius.into(), motion, origin),
        }
    }

    /// Whether a shape at rest at 0 meets the inside of the edge, from whatever side.
    pub(crate) fn met_at_rest(&self, shape: &Shape, origin: Vector) -> bool {
        match *shape {
            Shape::Box { half } => meeting((half.0.into(), half.1.into()), (0, 0), origin, &[self.a, self.b]).is_some(),
            Shape::Circle { radius } => meets_segment((0, 0), radius.into(), origin, self.a, self.b),
        }
    }

    /// Whether the path from 0 along `motion` meets the inside of the edge, from whatever side.
    pub(crate) fn met(&self, shape: &Shape, motion: Vector, origin: Vector) -> bool {
        match *shape {
            Shape::Box { half } => meeting((half.0.into(), half.1.into()), motion, origin, &[self.a, self.b])
                .is_some_and(|span| span.meets_motion()),
            Shape::Circle { radius } => {
                distance_of_segment((0, 0), motion, origin, self.a, self.b) < radius as f64 - DISC_SLACK
            }
        }
    }

    fn crossed_by_box(&self, half: Vector, motion: Vector, origin: Vector) -> Option<Manner> {
        let ends = [self.a, self.b];
        let span = meeting(half, motion, origin, &ends).filter(|span| span.meets_motion())?;
        if self.wall {
            return (span.enter >= Time::ZERO).then_some(Manner::Wall);
        }
        let normal = normal(self.a, self.b);
        if -dot(normal, vertex(origin, self.a)) < support(normal, half) {
            return None;
        }
        // The sides of the hexagon that are entered at the time at which it is entered.
        let entered = |axis| along(axis, half, motion, origin, &ends).is_some_and(|axis| axis.enter == span.enter);
        let against = |axis| dot(axis, motion) != 0 && dot(axis, normal) * dot(axis, motion) < 0;
        if entered(normal) {
            Some(Manner::Front)
        } else {
            [(1, 0), (0, 1)].into_iter().any(|axis| entered(axis) && against(axis)).then_some(Manner::Beside)
        }
    }

    fn wall_met_by_disc(&self, radius: i128, motion: Vector, origin: Vector) -> Option<Manner> {
        let met_at = |c| meets_segment(c, radius, origin, self.a, self.b);
        let nearest = distance_of_segment((0, 0), motion, origin, self.a, self.b);
        (!met_at((0, 0)) && (met_at(motion) || nearest < radius as f64 - DISC_SLACK)).then_some(Manner::Wall)
    }

    /// Enters from the front exactly if it meets the edge while its centre is not yet behind the edge's line.
    fn crossed_by_disc(&self, radius: i128, motion: Vector, origin: Vector) -> Option<Manner> {
        let normal = normal(self.a, self.b);
        let height = -dot(normal, vertex(origin, self.a));
        if height < 0 || height * height < radius * radius * dot(normal, normal) {
            return None;
        }
        let sinks = -dot(normal, motion);
        if sinks < height {
            let met = meets_segment(motion, radius, origin, self.a, self.b);
            let nearest = distance_of_segment((0, 0), motion, origin, self.a, self.b);
            return (met || nearest < radius as f64 - DISC_SLACK).then_some(Manner::Front);
        }
        // The centre reaches the line at height / sinks; up to two units beyond do no harm beside the slack.
        let at_line = (motion.0 * height / sinks, motion.1 * height / sinks);
        let nearest = distance_of_segment((0, 0), at_line, origin, self.a, self.b);
        (nearest < radius as f64 - DISC_SLACK).then_some(Manner::Front)
    }
}
