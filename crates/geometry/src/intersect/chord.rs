use super::linear::Linear;
use super::{Crossing, Intersection, lines, round, straight};
use crate::shapes::AnyShape;
use glam::DVec2;

/// The part of a line, ray or segment that lies inside another shape, returned by [`Intersect`](crate::Intersect).
///
/// The other shape is a [`Point`](crate::Point) or a shape with an area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Chord {
    /// The two shapes have no point in common.
    None,
    /// The two shapes have one point in common.
    Point(ChordPoint),
    /// The two shapes have a segment in common: its start and its end, in the direction of the line, ray or segment.
    Segment(ChordPoint, ChordPoint),
}

/// A point on a line, ray or segment: its coordinates, and its position `t` along the line, ray or segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChordPoint {
    /// Coordinates of the point, in the units of the two shapes.
    pub point: DVec2,
    /// Position of the point along the line, ray or segment: 0 at the first and 1 at the second of the two points that
    /// define the line, ray or segment.
    ///
    /// On a segment, `t` is from 0 to 1. On a ray, `t` is 0 or more. On a segment of length 0, `t` is 0.
    pub t: f64,
}

impl Chord {
    /// Returns the chord between two points that were computed separately. Rounding must not swap their order.
    pub(super) fn with_ordered_ends(from: ChordPoint, to: ChordPoint) -> Chord {
        Chord::Segment(from, ChordPoint { t: to.t.max(from.t), ..to })
    }
}

impl From<Crossing> for ChordPoint {
    fn from(crossing: Crossing) -> ChordPoint {
        ChordPoint { point: crossing.point, t: crossing.t }
    }
}

/// Returns the part of a linear shape inside a closed shape that is not linear.
pub(super) fn chord(linear: Linear, shape: AnyShape<'_>) -> Chord {
    let core = shape.core();
    match (core.corners.as_slice(), core.radius > 0.0) {
        (&[center], true) => round::chord(linear, center, center, core.radius),
        (&[p, q], true) => round::chord(linear, p, q, core.radius),
        (&[at], false) => {
            linear.parameter_if_on_shape(at).map_or(Chord::None, |t| Chord::Point(ChordPoint { point: at, t }))
        }
        (&[a, b], false) => chord_through_flat_shape(linear, Linear::side_from_nearer_end(a, b, linear)),
        (corners, _) => straight::chord(linear, corners),
    }
}

/// Returns the common part of the linear shape and of a shape that is itself a segment, such as a flat box.
fn chord_through_flat_shape(linear: Linear, flat: Linear) -> Chord {
    match lines::intersection(linear, flat) {
        Intersection::Point(at) => Chord::Point(at.into()),
        Intersection::Segment(from, to) => Chord::Segment(from.into(), to.into()),
        // The common part cannot be a ray or a line, because `flat` is a segment.
        Intersection::None | Intersection::Ray(_) | Intersection::Line => Chord::None,
    }
}
