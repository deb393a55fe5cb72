use super::scene::{self, Scene};
use super::shape::{Aabb, Ends, Segment, unit};
use super::tolerance::{PARALLEL, TOUCH};
use super::twofold::{Pair, Twofold};
use crate::sweep::{Hit, Sweep};
use glam::DVec2;

/// Where does a box that moves by `motion` first meet a one-sided segment?
///
/// Lengths in any unit, y up. The motion must be finite; anything else is [`Sweep::Clear`].
///
/// - The face is hit when the motion goes against its normal, the box starts in front, and it is the face that the box
///   meets, not what lies beyond its ends. Contact normals are the face's.
/// - An end point that `ends` lets be hit is hit by the one side of the box whose contact normal lies in the quarter
///   turn from the face's normal to the outward tangent (the tangent included), when the motion goes against that normal
///   and not along the face's. So a box that rises past a platform's rim is free.
/// - Touching at the start and moving in is a hit at time 0; moving along or away, or only touching where the motion
///   ends, is clear. So is no motion at all.
/// - Parallel to the face: the face is not hit, an end point may be.
/// - A side of the box in line with an end point: a face along an axis is not met there, a slanted one is. If the end
///   point can be hit, both are met only when the motion goes in against the next axis direction around the rim too;
///   else the box grazes and falls past.
/// - A segment of zero length is a point if one of its ends can be hit, with normals all around, else nothing. A corner
///   of the box that meets it exactly is stopped by the side more opposed to the motion, by both if they are equal.
/// - Half extents of 0: a flat box or a point. It overlaps nothing; its face may be met in a single point.
/// - The box is overlapping if the segment goes deeper into it than [`TOUCH`] on each axis, from whichever side, whatever
///   `ends` says.
///
/// Accurate to 1e-9 lengths along the path, for paths up to 100 and coordinates up to 1000 lengths.
///
/// # Examples
/// ```
/// use surefoot_geometry::float::{Aabb, Ends, Segment, sweep_aabb_segment};
/// use surefoot_geometry::{DVec2, Sweep};
///
/// let floor = Segment::new(DVec2::ZERO, DVec2::new(4.0, 0.0))?;
/// let crate_above = Aabb::new(DVec2::new(1.0, 2.0), DVec2::splat(0.5))?;
///
/// let hit = sweep_aabb_segment(&crate_above, DVec2::new(0.0, -3.0), &floor, Ends::BOTH).hit().unwrap();
/// assert_eq!((hit.toi, hit.point, hit.normal), (0.5, DVec2::new(1.0, 0.0), DVec2::Y));
///
/// // Past the floor's end.
/// let beside = Aabb::new(DVec2::new(5.0, 2.0), DVec2::splat(0.5))?;
/// assert_eq!(sweep_aabb_segment(&beside, DVec2::new(0.0, -3.0), &floor, Ends::BOTH), Sweep::Clear);
///
/// // Its side in line with the floor's end: it falls past.
/// let in_line = Aabb::new(DVec2::new(4.5, 2.0), DVec2::splat(0.5))?;
/// assert_eq!(sweep_aabb_segment(&in_line, DVec2::new(0.0, -3.0), &floor, Ends::BOTH), Sweep::Clear);
/// # Ok::<(), surefoot_geometry::float::ShapeError>(())
/// ```
#[must_use]
pub fn sweep_aabb_segment(aabb: &Aabb, motion: DVec2, segment: &Segment, ends: Ends) -> Sweep {
    scene::sweep(&Moving::new(aabb, motion, segment), motion, segment, ends)
}

/// One of the four directions along the axes.
#[derive(Clone, Copy, PartialEq)]
enum Axis {
    X(f64),
    Y(f64),
}

use Axis::{X, Y};

impl Axis {
    const ALL: [Axis; 4] = [X(1.0), Y(1.0), X(-1.0), Y(-1.0)];

    fn of(self, v: Pair) -> Twofold {
        match self {
            X(sign) => v.x * sign,
            Y(sign) => v.y * sign,
        }
    }

    fn of_extent(self, half: DVec2) -> f64 {
        match self {
            X(_) => half.x,
            Y(_) => half.y,
        }
    }

    fn unit(self) -> DVec2 {
        match self {
            X(sign) => DVec2::new(sign, 0.0),
            Y(sign) => DVec2::new(0.0, sign),
        }
    }

    /// The direction across, on the side where `v` points; the positive one where it points to neither.
    fn across(self, v: Pair) -> Axis {
        let sign = |along: Twofold| if along < 0.0 { -1.0 } else { 1.0 };
        match self {
            X(_) => Y(sign(v.y)),
            Y(_) => X(sign(v.x)),
        }
    }
}

/// A box, its motion and a segment, with what the face and the end points both need.
struct Moving<'a> {
    segment: &'a Segment,
    center: DVec2,
    half: DVec2,
    motion: Pair,
    /// From the start and from the end of the segment to the centre.
    from_a: Pair,
    from_b: Pair,
    /// From the start to the end, and a quarter turn left of it: as long as the segment, not of unit length.
    tangent: Pair,
    normal: Pair,
    /// How far the motion goes against the normal, times the segment's length.
    approach: Twofold,
    /// Up to what approach the motion counts as parallel.
    parallel: f64,
}

impl<'a> Moving<'a> {
    fn new(aabb: &Aabb, motion: DVec2, segment: &'a Segment) -> Moving<'a> {
        let tangent = Pair::difference(segment.b(), segment.a());
        let normal = tangent.perp();
        let motion = Pair::from(motion);
        Moving {
            segment,
            center: aabb.center(),
            half: aabb.half(),
            motion,
            from_a: Pair::difference(aabb.center(), segment.a()),
            from_b: Pair::difference(aabb.center(), segment.b()),
            tangent,
            normal,
            approach: -normal.dot(motion),
            parallel: PARALLEL * tangent.length().to_f64() * motion.length().to_f64(),
        }
    }

    /// How far a box of those half extents reaches along the normal, times the segment's length.
    fn reach(&self, half: Pair) -> Twofold {
        self.normal.x.abs() * half.x + self.normal.y.abs() * half.y
    }

    /// How far inside an end of the face the box's supporting side or corner is when it meets the face's line, in
    /// lengths. `inwards` leads from that end into the face.
    fn inward(&self, from: Pair, inwards: Pair, twice_gap: Twofold, twice_approach: Twofold) -> f64 {
        // The side reaches over the end; of a slanted face, the corner towards it counts.
        let (nx, ny) = (self.normal.x.to_f64(), self.normal.y.to_f64());
        let support = |half: f64, normal: f64, inwards: Twofold| {
            Twofold::from(if normal != 0.0 { -half.copysign(normal) } else { half.copysign(inwards.to_f64()) })
        };
        let from =
            Pair { x: from.x + support(self.half.x, nx, inwards.x), y: from.y + support(self.half.y, ny, inwards.y) };
        let along = inwards.dot(from) * twice_approach + inwards.dot(self.motion) * twice_gap;
        along.divided_by(twice_approach * inwards.length()).to_f64()
    }

    /// Does the face, met `inward` of one of its ends, stop the box?
    fn meets_end(&self, inward: f64, outward: Pair, can_be_hit: bool) -> bool {
        if can_be_hit {
            inward > TOUCH || (inward >= -TOUCH && self.goes_against(self.rim(outward)))
        } else if self.is_wide_along_face() {
            inward > TOUCH
        } else {
            inward >= -TOUCH
        }
    }

    /// Whether the box meets the face with a side that has a length, not with a corner.
    fn is_wide_along_face(&self) -> bool {
        (self.normal.x == 0.0 && self.half.x > TOUCH) || (self.normal.y == 0.0 && self.half.y > TOUCH)
    }

    /// The axis direction from the normal (without it) to the outward tangent: there is exactly one.
    fn rim(&self, outward: Pair) -> Axis {
        let inside = |axis: &Axis| axis.of(outward) > 0.0 && axis.of(self.normal) >= 0.0;
        Axis::ALL.into_iter().find(inside).unwrap_or(X(1.0))
    }

    fn goes_against(&self, direction: Axis) -> bool {
        direction.of(self.motion) < 0.0
    }

    /// The end point `corner`: `outward` is the direction in which the segment ends there.
    fn corner(&self, corner: DVec2, outward: Pair) -> Option<Hit> {
        if self.approach < -self.parallel {
            return None;
        }
        let rim = self.rim(outward);
        // Where the corner of the box meets the end point, the grown face is next on one side, the next axis direction
        // on the other.
        let facing = rim.across(self.normal);
        self.side(
            corner,
            rim,
            |side| {
                if side == facing { self.approach > self.parallel } else { self.goes_against(side) }
            },
        )
    }

    /// The point `corner` met by the side of the box that faces against `normal`. `stopped_by` says whether a corner of
    /// the box exactly on the point is stopped there, given on which side of the point the middle of the box is.
    fn side(&self, corner: DVec2, normal: Axis, stopped_by: impl Fn(Axis) -> bool) -> Option<Hit> {
        let from = Pair::difference(self.center, corner);
        let approach = -normal.of(self.motion);
        let gap = normal.of(from) - Twofold::from(normal.of_extent(self.half));
        // Away; behind; at most touching where the motion ends.
        if approach <= 0.0 || gap < -TOUCH || gap >= approach {
            return None;
        }
        let gap = gap.max_zero();
        let time = gap.divided_by(approach);
        let at = from + self.motion * time;
        let side = normal.across(at);
        let inward = Twofold::from(side.of_extent(self.half)) - side.of(at);
        if inward < -TOUCH || (inward <= TOUCH && !stopped_by(side)) {
            return None;
        }
        Some(Hit { toi: time.to_f64(), point: corner, normal: normal.unit() })
    }
}

impl Scene for Moving<'_> {
    fn overlaps(&self) -> bool {
        let touch = Twofold::from(TOUCH);
        let half = Pair { x: Twofold::from(self.half.x) - touch, y: Twofold::from(self.half.y) - touch };
        // The segment is apart along an axis if both its ends lie beyond the same side.
        let apart = |a: Twofold, b: Twofold, half: Twofold| (a >= half && b >= half) || (a <= -half && b <= -half);
        if half.x <= 0.0
            || half.y <= 0.0
            || apart(self.from_a.x, self.from_b.x, half.x)
            || apart(self.from_a.y, self.from_b.y, half.y)
        {
            return false;
        }
        let twice_height = self.normal.dot(self.from_a + self.from_b).abs();
        // A lone point has no normal; the axes have decided.
        twice_height < self.reach(half) * 2.0 || (self.normal.x == 0.0 && self.normal.y == 0.0)
    }

    fn face(&self, ends: Ends) -> Option<Hit> {
        if self.approach <= self.parallel {
            return None;
        }
        // Twice, because the height is taken from both ends at once and does not depend on which of them comes first.
        let twice_gap = self.normal.dot(self.from_a + self.from_b) - self.reach(self.half.into()) * 2.0;
        let twice_approach = self.approach * 2.0;
        // Behind the face, or at most touching where the motion ends.
        if twice_gap < -(self.reach(DVec2::splat(TOUCH).into()) * 2.0) || twice_gap >= twice_approach {
            return None;
        }
        let twice_gap = twice_gap.max_zero();
        let inward_a = self.inward(self.from_a, self.tangent, twice_gap, twice_approach);
        let inward_b = self.inward(self.from_b, -self.tangent, twice_gap, twice_approach);
        if !(self.meets_end(inward_a, -self.tangent, ends.start) && self.meets_end(inward_b, self.tangent, ends.end)) {
            return None;
        }
        let normal = unit(self.normal.to_dvec2());
        let toi = twice_gap.divided_by(twice_approach).to_f64();
        let center = self.center + self.motion.to_dvec2() * toi;
        // Of a face along an axis the part nearest to the middle of the box, else the corner of the box that meets it.
        let along = |center: f64, half: f64, normal: f64, a: f64, b: f64| {
            if normal == 0.0 { center.clamp(a.min(b), a.max(b)) } else { center - half.copysign(normal) }
        };
        let (a, b) = (self.segment.a(), self.segment.b());
        let point = DVec2::new(
            along(center.x, self.half.x, normal.x, a.x, b.x),
            along(center.y, self.half.y, normal.y, a.y, b.y),
        );
        Some(Hit { toi, point, normal })
    }

    fn start(&self) -> Option<Hit> {
        self.corner(self.segment.a(), -self.tangent)
    }

    fn end(&self) -> Option<Hit> {
        self.corner(self.segment.b(), self.tangent)
    }

    fn lone_point(&self) -> Option<Hit> {
        let hits = Axis::ALL.map(|axis| self.side(self.segment.a(), axis, |side| self.goes_against(side)));
        let mut hits = hits.into_iter().flatten();
        let first = hits.next()?;
        // A corner of the box on the point: both of its sides.
        let Some(second) = hits.next() else { return Some(first) };
        let motion = self.motion.to_dvec2();
        let (one, other) = (-first.normal.dot(motion), -second.normal.dot(motion));
        Some(if one > other {
            first
        } else if other > one {
            second
        } else {
            Hit { normal: unit(first.normal + second.normal), ..first }
        })
    }
}
