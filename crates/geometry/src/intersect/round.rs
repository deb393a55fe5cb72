//! Lines, rays and segments against circles and capsules: all points closer to a segment than a radius.

use super::chord::{Chord, ChordPoint};
use super::linear::Linear;
use crate::exact_arith::double_double::{DoubleDouble, Pair};
use crate::exact_arith::{cross, exact_dot, unit};
use crate::sweep::Hit;
use crate::tolerance::TWOFOLD_FILTER;
use glam::DVec2;

/// A linear shape, and a circle (`p == q`) or a capsule.
struct RoundIntersection {
    linear: Linear,
    p: DVec2,
    q: DVec2,
    radius_sq: DoubleDouble,
    radius: f64,
    /// Displacements from `a` to `b` and from `p` to `q`.
    d: Pair,
    e: Pair,
}

/// A point where the line crosses the boundary.
#[derive(Clone, Copy)]
struct BoundaryCrossing {
    t: DoubleDouble,
    part: BoundaryPart,
    /// Whether the line only touches this part of the boundary.
    touches: bool,
}

/// A part of the boundary of a circle or capsule.
#[derive(Clone, Copy)]
enum BoundaryPart {
    /// The arc around this point.
    Arc(DVec2),
    /// The flat side on the left (1) or on the right (-1) when looking from `p` to `q`.
    Flat(f64),
}

/// Location of a point relative to the circle or capsule.
#[derive(Clone, Copy, PartialEq)]
enum Position {
    Inside,
    On,
    Outside,
}

/// A point of the linear shape: its location, the nearest part of the boundary, and the direction of the line there.
///
/// The direction is relative to the nearest point of the middle segment: positive if the line leads away from that
/// point, negative if it leads closer, 0 if perpendicular. For a point outside, the sign also tells where the line can
/// share points with the shape: ahead if negative, else behind. The reason: the whole shape lies on one side of the
/// perpendicular.
#[derive(Clone, Copy)]
struct BoundaryPlacement {
    place: Position,
    part: BoundaryPart,
    outwards: f64,
}

pub(super) fn chord(linear: Linear, p: DVec2, q: DVec2, radius: f64) -> Chord {
    let meeting = RoundIntersection::new(linear, p, q, radius);
    let (a, b) = (ChordPoint { point: linear.a, t: 0.0 }, ChordPoint { point: linear.b, t: 1.0 });
    let begin = meeting.boundary_placement(linear.a);
    if linear.is_point() {
        return if begin.place == Position::Outside { Chord::None } else { Chord::Point(a) };
    }
    let begin = linear.has_start().then_some(begin);
    let end = linear.has_end().then(|| meeting.boundary_placement(linear.b));
    // Handle the cases in which the two shapes share nothing, or only an end of the linear shape.
    match begin {
        Some(BoundaryPlacement { place: Position::Outside, outwards, .. }) if outwards >= 0.0 => return Chord::None,
        Some(begin) if begin.place == Position::On && !meeting.line_continues_inside(begin, 1.0) => {
            return Chord::Point(a);
        }
        _ => {}
    }
    match end {
        Some(BoundaryPlacement { place: Position::Outside, outwards, .. }) if outwards <= 0.0 => return Chord::None,
        Some(end) if end.place == Position::On && !meeting.line_continues_inside(end, -1.0) => return Chord::Point(b),
        _ => {}
    }
    let begins_inside = begin.is_some_and(|begin| begin.place != Position::Outside);
    let ends_inside = end.is_some_and(|end| end.place != Position::Outside);
    let Some((entry, exit)) = meeting.first_and_last_crossing() else {
        // The line touches the shape at most, and rounding may lose the touch. The ends of the linear shape were tested
        // separately. So return an end that is not outside the shape.
        return match (begins_inside, ends_inside) {
            (true, _) => Chord::Point(a),
            (_, true) => Chord::Point(b),
            _ => Chord::None,
        };
    };
    let from = if begins_inside { a } else { linear.point_at(entry.t) };
    let to = if ends_inside { b } else { linear.point_at(exit.t) };
    if meeting.is_single_touch(entry, exit) {
        Chord::Point(from)
    } else if from.point == to.point && (entry.touches || exit.touches) && !meeting.is_parallel() {
        // The line touches the shape at the end of a flat side, so entry and exit round to the same point.
        Chord::Point(if ends_inside { to } else { from })
    } else {
        Chord::with_ordered_ends(from, to)
    }
}

/// Returns where a ray enters the interior.
pub(super) fn cast(ray: Linear, p: DVec2, q: DVec2, radius: f64) -> Option<Hit> {
    let meeting = RoundIntersection::new(ray, p, q, radius);
    if meeting.is_along_side() {
        return None;
    }
    let begin = meeting.boundary_placement(ray.a);
    let at_origin = |normal: Option<DVec2>| normal.map(|normal| Hit { toi: 0.0, point: ray.a, normal });
    match begin.place {
        Position::Inside => at_origin(unit(ray.a - ray.b)),
        Position::On | Position::Outside if begin.outwards >= 0.0 => None,
        Position::On => at_origin(meeting.normal(begin.part, DoubleDouble::ZERO)),
        Position::Outside => {
            let (entry, _) =
                meeting.first_and_last_crossing().filter(|&(entry, exit)| !meeting.is_single_touch(entry, exit))?;
            let met = ray.point_at(entry.t);
            meeting.normal(entry.part, entry.t).map(|normal| Hit { toi: met.t, point: met.point, normal })
        }
    }
}

impl RoundIntersection {
    fn new(linear: Linear, p: DVec2, q: DVec2, radius: f64) -> RoundIntersection {
        RoundIntersection {
            linear,
            p,
            q,
            radius_sq: DoubleDouble::from(radius) * radius,
            radius,
            d: Pair::difference(linear.b, linear.a),
            e: Pair::difference(q, p),
        }
    }

    /// Returns the first and the last crossing of the line with the boundary; the same crossing twice if the line
    /// touches.
    ///
    /// The shape is convex: the union of two discs and the rectangle between them.
    fn first_and_last_crossing(&self) -> Option<(BoundaryCrossing, BoundaryCrossing)> {
        let mut all: Option<(BoundaryCrossing, BoundaryCrossing)> = None;
        let mut add = |found: Option<(BoundaryCrossing, BoundaryCrossing)>| {
            let Some((entry, exit)) = found else { return };
            all = Some(match all {
                None => (entry, exit),
                Some((first, last)) => {
                    (if entry.t < first.t { entry } else { first }, if exit.t > last.t { exit } else { last })
                }
            });
        };
        add(self.arc_crossings(self.p));
        if self.p != self.q {
            add(self.arc_crossings(self.q));
            // Test the near side first: the line enters through it. In a very thin capsule, both flat sides round to
            // the same `t`. Then the first side tested counts as the entry.
            let near = if cross(self.e, self.d) > 0.0 { -1.0 } else { 1.0 };
            for side in [near, -near] {
                add(self.flat_side_crossing(side).map(|pass| (pass, pass)));
            }
        }
        all
    }

    /// Crossings with an arc. With m from `a` to the centre, |a + t d - centre| = r means t d² = m d ± √(r² d² - (d ×
    /// m)²).
    fn arc_crossings(&self, center: DVec2) -> Option<(BoundaryCrossing, BoundaryCrossing)> {
        let m = Pair::difference(center, self.linear.a);
        let length_sq = self.d.dot(self.d);
        let (reach, off) = (self.radius_sq * length_sq, cross(self.d, m));
        let rest = difference_or_zero(reach, off * off);
        if rest < 0.0 {
            return None;
        }
        let (middle, half) = (m.dot(self.d), rest.sqrt());
        let pass = |t: DoubleDouble| BoundaryCrossing {
            t: t.divided_by(length_sq),
            part: BoundaryPart::Arc(center),
            touches: rest == 0.0,
        };
        Some((pass(middle - half), pass(middle + half)))
    }

    /// Returns the crossing of the line with a flat side, where e × (a + t d - p) = ± r |e|.
    fn flat_side_crossing(&self, side: f64) -> Option<BoundaryCrossing> {
        let turns = cross(self.e, self.d);
        if turns == 0.0 {
            return None;
        }
        let from_p = Pair::difference(self.linear.a, self.p);
        let reach = self.e.length() * (side * self.radius);
        let t = (reach - cross(self.e, from_p)).divided_by(turns);
        // `at_p` and `at_q` tell on which side of the line the ends of the flat side at p and q lie. They are the cross
        // product d × (p ± r e⊥ / |e| - a), times |e|.
        let shift = self.d.dot(self.e) * (side * self.radius);
        let end = |at| cross(self.d, Pair::difference(at, self.linear.a)) * self.e.length() + shift;
        let (at_p, at_q) = (end(self.p), end(self.q));
        let is_between = (at_p >= 0.0 && at_q <= 0.0) || (at_p <= 0.0 && at_q >= 0.0);
        is_between.then_some(BoundaryCrossing { t, part: BoundaryPart::Flat(side), touches: false })
    }

    /// Returns whether a point is inside, outside or on the boundary, the nearest part of the boundary, and whether the
    /// line leads outwards there.
    fn boundary_placement(&self, at: DVec2) -> BoundaryPlacement {
        let (from_p, from_q) = (Pair::difference(at, self.p), Pair::difference(at, self.q));
        // Measure from each end separately: the sign is then exact, however thin and long the capsule is.
        let (past_p, past_q) = (exact_dot(from_p, self.e), exact_dot(from_q, self.e));
        let is_beside = self.p != self.q && past_p > 0.0 && past_q < 0.0;
        let (rest, outwards, part) = if is_beside {
            let off = cross(self.e, from_p);
            let side = if off > 0.0 { 1.0 } else { -1.0 };
            let rest = difference_or_zero(self.radius_sq * self.e.dot(self.e), off * off);
            (rest, cross(self.e, self.d) * side, BoundaryPart::Flat(side))
        } else {
            let (center, from) = if past_p > 0.0 { (self.q, from_q) } else { (self.p, from_p) };
            (difference_or_zero(self.radius_sq, from.dot(from)), exact_dot(from, self.d), BoundaryPart::Arc(center))
        };
        let place = if rest > 0.0 {
            Position::Inside
        } else if rest < 0.0 {
            Position::Outside
        } else {
            Position::On
        };
        BoundaryPlacement { place, part, outwards: outwards.to_f64() }
    }

    /// Returns whether the linear shape continues inside the closed shape, forwards (1) or backwards (-1), from a
    /// boundary point.
    fn line_continues_inside(&self, from: BoundaryPlacement, direction_sign: f64) -> bool {
        let onwards = from.outwards * direction_sign;
        if onwards != 0.0 || !self.is_parallel() {
            return onwards < 0.0;
        }
        // The line runs along a flat side, or starts at one of its ends.
        match from.part {
            BoundaryPart::Flat(_) => true,
            BoundaryPart::Arc(center) => {
                let other = if center == self.p { self.q } else { self.p };
                Pair::difference(other, center).dot(self.d) * direction_sign > 0.0
            }
        }
    }

    /// Returns whether entry and exit are the same point.
    fn is_single_touch(&self, entry: BoundaryCrossing, exit: BoundaryCrossing) -> bool {
        entry.touches && exit.touches && !self.is_parallel()
    }

    fn is_parallel(&self) -> bool {
        self.p != self.q && cross(self.e, self.d) == 0.0
    }

    /// Returns whether the line runs along a flat side.
    fn is_along_side(&self) -> bool {
        let off = cross(self.e, Pair::difference(self.linear.a, self.p));
        self.is_parallel() && difference_or_zero(self.radius_sq * self.e.dot(self.e), off * off) <= 0.0
    }

    /// Returns the outward normal at parameter `t`. If the circle is too small for 106 bits, returns the opposite of
    /// the line's direction.
    fn normal(&self, part: BoundaryPart, t: DoubleDouble) -> Option<DVec2> {
        match part {
            BoundaryPart::Arc(center) => {
                let outward = unit((Pair::difference(self.linear.a, center) + self.d * t).to_dvec2());
                outward.or_else(|| unit(self.linear.a - self.linear.b))
            }
            BoundaryPart::Flat(side) => unit(self.e.perp().to_dvec2() * side),
        }
    }
}

/// Returns `one - other`, or 0 if the difference is within the rounding error.
fn difference_or_zero(one: DoubleDouble, other: DoubleDouble) -> DoubleDouble {
    let difference = one - other;
    if difference.abs() <= one * TWOFOLD_FILTER { DoubleDouble::ZERO } else { difference }
}
