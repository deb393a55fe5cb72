use super::tolerance::ARC_LEAD;
use super::{BoxHit, CircleHit, Corner, Face, FaceHit, MAX_NORMAL, MovingBox, MovingCircle, tangent};
use crate::debug_is_display;
use crate::position::{Position, to_lengths};
use crate::sweep::Sweep;
use glam::I64Vec2;
use thiserror::Error;

/// A one-sided edge between two positions, for sweeps in fixed point.
///
/// The edge stops only motion against its outward normal. This normal is on the left when looking from `a` to `b`: an
/// edge from left to right is a floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    a: Position,
    b: Position,
    normal: I64Vec2,
    start: EdgeEnd,
    end: EdgeEnd,
}

/// Kind of an end point of an [`Edge`]: decides whether, and from which directions, a sweep can hit the end point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EdgeEnd {
    /// A sweep never hits the end point itself, only the edge. This is the default.
    ///
    /// Use this kind where the next edge continues straight, or where it turns towards the open side (a concave corner,
    /// such as where a floor ends at a wall).
    #[default]
    Joined,
    /// A convex corner (one that sticks out) between this edge and a neighbouring edge, such as where a floor ends at a
    /// cliff.
    ///
    /// A sweep can hit the corner if the contact normal lies between the outward normals of the two edges. If the
    /// corner is concave, the end point acts as [`EdgeEnd::Joined`].
    Convex {
        /// Outward normal of the neighbouring edge, of any length.
        normal: I64Vec2,
    },
    /// A free end, without a neighbouring edge, such as the end of a one-way platform.
    ///
    /// A sweep can hit the end if the contact normal lies between the edge's outward normal and the direction in
    /// which the edge would continue. A circle passes the end if its centre starts on the edge's line or behind it.
    Free,
}

/// Error of creating an [`Edge`] from two positions.
#[derive(Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EdgeError {
    /// The two positions are equal, so the edge has length 0 and no normal.
    #[error("the edge has length 0; expected two different positions")]
    NoLength,
    /// The direction of the edge is not a ratio of small integers.
    ///
    /// The direction is the difference of the two positions, divided by the greatest common divisor of its
    /// components. A component of the direction exceeds [`MAX_NORMAL`].
    #[error("the edge direction ({x}, {y}) is out of range; expected a ratio of integers up to {MAX_NORMAL}")]
    Direction {
        /// The x component of the direction, after the division.
        x: i64,
        /// The y component of the direction, after the division.
        y: i64,
    },
}

debug_is_display!(EdgeError);

impl Edge {
    /// Creates the edge from `a` to `b`. Both end points are of the kind [`EdgeEnd::Joined`]: a sweep does not hit
    /// them.
    ///
    /// # Errors
    /// - Returns [`EdgeError::NoLength`] if the positions are equal.
    /// - Returns [`EdgeError::Direction`] if a component of `b - a`, divided by the greatest common divisor of both
    ///   components, exceeds [`MAX_NORMAL`].
    pub fn new(a: Position, b: Position) -> Result<Edge, EdgeError> {
        let direction = divide_by_gcd(b - a).ok_or(EdgeError::NoLength)?;
        if direction.abs().max_element() > MAX_NORMAL {
            return Err(EdgeError::Direction { x: direction.x, y: direction.y });
        }
        let normal = I64Vec2::new(-direction.y, direction.x);
        Ok(Edge { a, b, normal, start: EdgeEnd::Joined, end: EdgeEnd::Joined })
    }

    /// Returns a copy of the edge with the kind `start` for its end point `a`, and the kind `end` for its end point
    /// `b`.
    #[must_use]
    pub fn with_ends(self, start: EdgeEnd, end: EdgeEnd) -> Edge {
        Edge { start, end, ..self }
    }

    /// Returns the position where the edge starts.
    #[must_use]
    pub fn a(&self) -> Position {
        self.a
    }

    /// Returns the position where the edge ends.
    #[must_use]
    pub fn b(&self) -> Position {
        self.b
    }

    /// Returns the outward normal of the edge, as an integer vector, not a unit vector. Its components have no common
    /// divisor above 1.
    #[must_use]
    pub fn normal(&self) -> I64Vec2 {
        self.normal
    }

    /// Returns the normals of the grown outline around an end, in the order of the turn that begins at this edge's
    /// normal: the axis directions strictly inside the turn, then the direction that bounds the turn.
    fn directions_around_end(&self, end: EdgeEnd, outward: I64Vec2) -> EndDirections {
        let last = match end {
            EdgeEnd::Joined => return EndDirections::default(),
            EdgeEnd::Convex { normal } => match divide_by_gcd(normal) {
                Some(normal) if normal != self.normal => normal,
                _ => return EndDirections::default(),
            },
            EdgeEnd::Free => outward,
        };
        // `side` is 1 if the turn from the normal to `outward` is counter-clockwise, else -1.
        let side = cross(self.normal, outward).signum();
        if cross(self.normal, last) * side < 0 {
            return EndDirections::default();
        }
        let mut directions = [I64Vec2::ZERO; 4];
        let mut count = 0;
        let mut axis = next_axis_direction_of_turn(self.normal, side);
        while count < 3 && turn_passes_axis(self.normal, axis, last, side) {
            directions[count] = axis;
            count += 1;
            axis = next_axis_direction_of_turn(axis, side);
        }
        // The last entry bounds the turn: for a corner, the normal of the neighbouring edge. A free end has no
        // neighbour, so take the next axis direction. A box whose side is exactly in line with the end hits only if it
        // also moves against the last entry. So a box that falls straight down passes the end of a floor.
        directions[count] = if end == EdgeEnd::Free { axis } else { last };
        EndDirections { directions, axes: count, last }
    }
}

/// Directions of a grown outline around one end of an edge.
#[derive(Clone, Copy, Default)]
struct EndDirections {
    /// The axis directions strictly inside the turn, then the direction that bounds it.
    directions: [I64Vec2; 4],
    axes: usize,
    /// Direction at which the turn ends. It is zero if the edge does not turn at this end: no body hits such an end.
    last: I64Vec2,
}

/// Returns the first hit of a moving box on an edge or on an end point of the edge. The result is exact.
///
/// - `center`: centre of the box at the start.
/// - `half`: half the width and half the height of the box, in fixed-point units (2^32 units = 1.0).
/// - `motion`: displacement of the box, in units.
///
/// Rules:
/// - If the interior of the box overlaps the edge at the start, the result is [`Sweep::Overlapping`].
/// - A box that touches the edge at the start and moves into it hits at time 0.
/// - A motion along the edge or away from it gives [`Sweep::Clear`], and so does a motion of length 0.
/// - The motion, and the distances from `center` to both ends of the edge, must be at most 2^42 units on each axis,
///   which is 1024.0. Beyond 2^46 units, the result is [`Sweep::Clear`].
///
/// # Examples
/// ```
/// use surefoot_geometry::exact::{Edge, Fraction, sweep_box};
/// use surefoot_geometry::{I64Vec2, ONE, Position, Sweep};
///
/// let floor = Edge::new(Position::new(0.0, 0.0)?, Position::new(4.0, 0.0)?)?;
/// let half = I64Vec2::splat(ONE / 2);
/// let fall = I64Vec2::new(0, -2 * ONE);
/// // The box starts 1 above the floor and falls 2: it lands halfway.
/// let hit = sweep_box(Position::new(2.0, 1.5)?, half, fall, &floor).hit().expect("it lands");
/// assert_eq!((hit.toi, hit.normal), (Fraction { num: 1, den: 2 }, I64Vec2::Y));
/// // Beside the floor it falls past, also when its side is in line with the end.
/// assert_eq!(sweep_box(Position::new(4.5, 1.5)?, half, fall, &floor), Sweep::Clear);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn sweep_box(center: Position, half: I64Vec2, motion: I64Vec2, edge: &Edge) -> Sweep<BoxHit> {
    let start = MovingBox { center: I64Vec2::ZERO, half, motion };
    let (a, b) = (edge.a - center, edge.b - center);
    if is_any_component_too_large([a, b, half, motion]) {
        return Sweep::Clear;
    }
    if box_overlaps_segment(half, a, b, edge.normal) {
        return Sweep::Overlapping;
    }
    let along = tangent(edge.normal);
    let (before, after) = (edge.directions_around_end(edge.start, -along), edge.directions_around_end(edge.end, along));
    let face = Face { a, b, normal: edge.normal, before: before.directions[0], after: after.directions[0] };
    let mut best: Option<BoxHit> = None;
    let mut offer = |face: &Face| {
        if let Some(FaceHit { toi, .. }) = start.against_face(face)
            && best.is_none_or(|best| toi < best.toi)
        {
            best = Some(BoxHit { toi, normal: face.normal });
        }
    };
    offer(&face);
    for (turn, at, ccw) in [(&before, a, true), (&after, b, false)] {
        for i in 0..turn.axes {
            let nearer = if i == 0 { edge.normal } else { turn.directions[i - 1] };
            let farther = turn.directions[i + 1];
            // `before` and `after` are the normals of the neighbouring parts. The outline runs clockwise. So at the
            // start of the edge, the part before this one has the farther direction. At the end of the edge, the part
            // after has it.
            let (before, after) = if ccw { (farther, nearer) } else { (nearer, farther) };
            let free = if ccw { edge.start } else { edge.end } == EdgeEnd::Free;
            if !free || edge.normal.dot(motion) < 0 {
                offer(&Face { a: at, b: at, normal: turn.directions[i], before, after });
            }
        }
    }
    best.map_or(Sweep::Clear, Sweep::Hit)
}

/// Returns the first hit of a moving circle on an edge or on an end point of the edge.
///
/// - `center`: centre of the circle at the start.
/// - `radius`: radius in fixed-point units (2^32 units = 1.0). 0 sweeps a moving point.
/// - `motion`: displacement of the circle, in units.
///
/// The rules for touching, overlap, motions of length 0 and long distances are those of [`sweep_box`].
///
/// Integers decide exactly on which side of the edge the circle starts and ends. The error of the time of impact is
/// at most 4 units along the motion.
///
/// # Examples
/// ```
/// use surefoot_geometry::exact::{Edge, sweep_circle};
/// use surefoot_geometry::{DVec2, I64Vec2, ONE, Position, Sweep};
///
/// let floor = Edge::new(Position::new(0.0, 0.0)?, Position::new(4.0, 0.0)?)?;
/// let hit = sweep_circle(Position::new(2.0, 2.0)?, ONE, I64Vec2::new(0, -4 * ONE), &floor).hit().expect("it lands");
/// assert_eq!((hit.toi, hit.normal), (0.25, DVec2::Y));
/// // Its end points are not tested unless the edge says so.
/// assert_eq!(sweep_circle(Position::new(4.5, 2.0)?, ONE, I64Vec2::new(0, -4 * ONE), &floor), Sweep::Clear);
/// // From below it passes.
/// assert_eq!(sweep_circle(Position::new(2.0, -2.0)?, ONE, I64Vec2::new(0, 4 * ONE), &floor), Sweep::Clear);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn sweep_circle(center: Position, radius: i64, motion: I64Vec2, edge: &Edge) -> Sweep<CircleHit> {
    let start = MovingCircle { center: I64Vec2::ZERO, radius, motion };
    let (a, b) = (edge.a - center, edge.b - center);
    if is_any_component_too_large([a, b, I64Vec2::splat(radius), motion]) {
        return Sweep::Clear;
    }
    if circle_overlaps_segment(radius, a, b, edge.normal) {
        return Sweep::Overlapping;
    }
    let along = tangent(edge.normal);
    let face = Face { a, b, normal: edge.normal, before: I64Vec2::ZERO, after: I64Vec2::ZERO };
    let mut best = start.against_face(&face).map(|toi| {
        let normal = edge.normal.as_dvec2().normalize();
        CircleHit { toi, normal }
    });
    for (end, at, outward) in [(edge.start, a, -along), (edge.end, b, along)] {
        let last = edge.directions_around_end(end, outward).last;
        let against = edge.normal.dot(motion) < 0;
        // A free end stops only circles that come from in front of the edge's line.
        let passes = end == EdgeEnd::Free && (!against || edge.normal.dot(-at) <= 0);
        if last == I64Vec2::ZERO || passes {
            continue;
        }
        // The contact normal must lie between the edge's normal and `last`. `first` is perpendicular to the edge's
        // normal, `second` to `last`. Both point to the side of the allowed normals.
        let second = if end == EdgeEnd::Free {
            edge.normal
        } else {
            let square = tangent(last);
            if outward == along { -square } else { square }
        };
        let corner = Corner { vertex: at, first: outward, second };
        if let Some(toi) = start.against_corner(&corner)
            && best.is_none_or(|best| toi < best.toi - ARC_LEAD)
        {
            let contact = (to_lengths(-at) + to_lengths(motion) * toi).normalize_or(edge.normal.as_dvec2().normalize());
            best = Some(CircleHit { toi, normal: contact });
        }
    }
    best.map_or(Sweep::Clear, Sweep::Hit)
}

/// Returns whether a component exceeds 2^46 units, so that products might overflow. This is 16 times the documented
/// range.
pub(super) fn is_any_component_too_large(vectors: [I64Vec2; 4]) -> bool {
    const MAX_UNITS: u64 = 1 << 46;
    vectors.iter().any(|v| v.x.unsigned_abs() > MAX_UNITS || v.y.unsigned_abs() > MAX_UNITS)
}

/// Returns whether the interior of a box around the origin overlaps the segment from `a` to `b`; exact.
///
/// All lengths are in fixed-point units (2^32 units = 1.0). `half` is half the width and half the height of the box.
/// `normal` is a normal of the segment in integers without a common divisor above 1 (see
/// [`MAX_NORMAL`](super::MAX_NORMAL)). A box that only touches the segment does not overlap it.
#[must_use]
pub fn box_overlaps_segment(half: I64Vec2, a: I64Vec2, b: I64Vec2, normal: I64Vec2) -> bool {
    let (low, high) = (a.min(b), a.max(b));
    let beside = low.x >= half.x || high.x <= -half.x || low.y >= half.y || high.y <= -half.y;
    !beside && normal.dot(a).abs() < half.dot(normal.abs())
}

/// Returns whether the interior of a circle around the origin overlaps the segment from `a` to `b`; exact.
///
/// All lengths are in fixed-point units (2^32 units = 1.0). `normal` is a normal of the segment in integers without a
/// common divisor above 1 (see [`MAX_NORMAL`](super::MAX_NORMAL)). A circle that only touches the segment does not
/// overlap it.
#[must_use]
pub fn circle_overlaps_segment(radius: i64, a: I64Vec2, b: I64Vec2, normal: I64Vec2) -> bool {
    let reach_sq = i128::from(radius) * i128::from(radius);
    let inside = |p: I64Vec2| super::wide_dot(p, p) < reach_sq;
    let along = tangent(normal);
    let beside_face = along.dot(-a) >= 0 && along.dot(-b) <= 0;
    let height = i128::from(normal.dot(a));
    inside(a) || inside(b) || (beside_face && height * height < reach_sq * i128::from(normal.dot(normal)))
}

fn divide_by_gcd(v: I64Vec2) -> Option<I64Vec2> {
    let (mut a, mut b) = (v.x.unsigned_abs(), v.y.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    if a == 0 { None } else { Some(v / a as i64) }
}

fn cross(a: I64Vec2, b: I64Vec2) -> i64 {
    a.x * b.y - a.y * b.x
}

/// Returns the first axis direction strictly after `from`, counter-clockwise for `turn_sign` 1, clockwise for -1.
fn next_axis_direction_of_turn(from: I64Vec2, turn_sign: i64) -> I64Vec2 {
    let square = I64Vec2::new(-from.y, from.x) * turn_sign;
    let candidates = [
        from.signum() * I64Vec2::X,
        from.signum() * I64Vec2::Y,
        square.signum() * I64Vec2::X,
        square.signum() * I64Vec2::Y,
    ];
    candidates
        .into_iter()
        .filter(|axis| *axis != I64Vec2::ZERO && cross(from, *axis) * turn_sign > 0)
        // Keep the axis with the smallest angle from `from`.
        .reduce(|best, axis| if cross(axis, best) * turn_sign > 0 { axis } else { best })
        .unwrap_or(square)
}

/// Returns whether the turn from `from` to `to` passes `axis` before the end: counter-clockwise for `turn_sign` 1,
/// clockwise for -1. `to` is at most half a turn away.
fn turn_passes_axis(from: I64Vec2, axis: I64Vec2, to: I64Vec2, turn_sign: i64) -> bool {
    let straight = cross(from, to) == 0;
    cross(from, axis) * turn_sign > 0 && (straight || cross(axis, to) * turn_sign > 0)
}
