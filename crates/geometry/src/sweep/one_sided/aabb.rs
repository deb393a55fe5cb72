use super::scene::{self, Scene};
use super::{Ends, quick};
use crate::exact_arith::double_double::{DoubleDouble, Pair};
use crate::exact_arith::unit;
use crate::shapes::{Aabb, Segment};
use crate::sweep::{Hit, Sweep};
use crate::tolerance::{ONE_SIDED_SLOP, PARALLEL};
use glam::DVec2;

impl Aabb {
    /// Sweeps the box along `motion` against a one-sided edge and returns the earliest hit.
    ///
    /// A one-sided edge stops only motion against its outward normal, such as a floor that can be passed from below.
    /// The outward normal is on the left when looking from `a` to `b` of `edge`, with y up.
    ///
    /// Hits on the face, the part between the end points:
    /// - The box must start in front of the face and move against its normal. The contact must lie between the ends
    ///   of the face. The contact normal is that of the face.
    /// - A motion parallel to the face cannot hit it.
    ///
    /// Hits on end points, only on those that `ends` selects:
    /// - The side of the box that hits must face in the direction of the motion. The motion must not point away from
    ///   the front of the face: a box can rise past the end of a one-way platform.
    /// - The contact normal must lie between the face's normal and the direction out of that end, a range of 90
    ///   degrees that includes the latter direction.
    /// - A motion parallel to the face can hit an end point.
    ///
    /// A side of the box that is exactly in line with an end point:
    /// - The box hits a slanted face there, but not an axis-aligned face.
    /// - If `ends` selects the end point, the motion must also go against the next axis direction around the end.
    ///   Otherwise the box grazes the end and passes.
    ///
    /// Other rules:
    /// - A box that touches the edge at the start and moves into it hits at time 0. Moving along or away, touching
    ///   only at the end, and a motion of length 0 are clear.
    /// - A motion that is not finite, or longer than 2^25 on an axis, is [`Sweep::Clear`].
    /// - An edge of length 0 is a point that can be hit from all sides if `ends` selects one of its ends. Otherwise
    ///   it is never hit. If a corner of the box hits the point exactly, the side of the box that faces the motion
    ///   more counts, or both if they face it equally.
    /// - A box of width or height 0 overlaps nothing. It can hit the face in a single point.
    /// - If the edge is deeper inside the box than [`ONE_SIDED_SLOP`] (2^-34) on each axis, the result is
    ///   [`Sweep::Overlapping`]. This holds on both sides of the edge and for all `ends`.
    ///
    /// Accuracy: the error of the time of impact is at most 1e-9 along the path, for paths up to 100 and coordinates
    /// up to 1000. If the whole scene is mirrored or turned by 90 degrees, the result is mirrored or turned too, bit
    /// for bit. If the whole scene is shifted and all shifted coordinates are exact in f64, time and normal stay
    /// equal, bit for bit.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{Aabb, DVec2, Ends, Segment, Sweep};
    ///
    /// let floor = Segment::new(DVec2::ZERO, DVec2::new(4.0, 0.0))?;
    /// let crate_above = Aabb::from_center(DVec2::new(1.0, 2.0), DVec2::splat(0.5))?;
    ///
    /// let hit = crate_above.sweep_one_sided(DVec2::new(0.0, -3.0), &floor, Ends::BOTH).hit().unwrap();
    /// assert_eq!((hit.toi, hit.point, hit.normal), (0.5, DVec2::new(1.0, 0.0), DVec2::Y));
    ///
    /// // Past the floor's end.
    /// let beside = Aabb::from_center(DVec2::new(5.0, 2.0), DVec2::splat(0.5))?;
    /// assert_eq!(beside.sweep_one_sided(DVec2::new(0.0, -3.0), &floor, Ends::BOTH), Sweep::Clear);
    ///
    /// // Its side in line with the floor's end: it falls past.
    /// let in_line = Aabb::from_center(DVec2::new(4.5, 2.0), DVec2::splat(0.5))?;
    /// assert_eq!(in_line.sweep_one_sided(DVec2::new(0.0, -3.0), &floor, Ends::BOTH), Sweep::Clear);
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    #[must_use]
    pub fn sweep_one_sided(&self, motion: DVec2, edge: &Segment, ends: Ends) -> Sweep {
        if !scene::is_accepted_motion(motion) {
            return Sweep::Clear;
        }
        quick::sweep_aabb(self, motion, edge, ends).unwrap_or_else(|| sweep_in_double_double(self, motion, edge, ends))
    }
}

/// Sweeps in pairs of f64, for the scenes that plain f64 leaves in doubt.
#[cold]
pub(super) fn sweep_in_double_double(aabb: &Aabb, motion: DVec2, edge: &Segment, ends: Ends) -> Sweep {
    scene::sweep(&Moving::new(aabb, motion, edge), edge, ends)
}

/// Returns the point where the box, after moving by `moved`, touches a face with this normal of any length.
///
/// On a face along an axis, it is the point nearest to the middle of the box. Otherwise it is the box corner that
/// touches the face.
pub(super) fn point_on_face(aabb: &Aabb, moved: DVec2, normal: DVec2, edge: &Segment) -> DVec2 {
    let (center, half) = (aabb.center() + moved, aabb.half_extents());
    let along = |center: f64, half: f64, normal: f64, a: f64, b: f64| {
        if normal == 0.0 { center.clamp(a.min(b), a.max(b)) } else { center - half.copysign(normal) }
    };
    let (a, b) = (edge.a(), edge.b());
    DVec2::new(along(center.x, half.x, normal.x, a.x, b.x), along(center.y, half.y, normal.y, a.y, b.y))
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

    fn component_of(self, v: Pair) -> DoubleDouble {
        match self {
            X(sign) => v.x * sign,
            Y(sign) => v.y * sign,
        }
    }

    fn extent_component_of(self, half: Pair) -> DoubleDouble {
        match self {
            X(_) => half.x,
            Y(_) => half.y,
        }
    }

    fn to_unit_vector(self) -> DVec2 {
        match self {
            X(sign) => DVec2::new(sign, 0.0),
            Y(sign) => DVec2::new(0.0, sign),
        }
    }

    /// Returns the perpendicular direction on the side to which `v` points; the positive one if `v` points to neither
    /// side.
    fn perpendicular_towards(self, v: Pair) -> Axis {
        let sign = |along: DoubleDouble| if along < 0.0 { -1.0 } else { 1.0 };
        match self {
            X(_) => Y(sign(v.y)),
            Y(_) => X(sign(v.x)),
        }
    }
}

/// A box, its motion and a segment, with values that both the face and the end points need.
struct Moving<'a> {
    segment: &'a Segment,
    aabb: &'a Aabb,
    half: Pair,
    motion: Pair,
    /// Displacements from the start and from the end of the segment to the centre.
    from_a: Pair,
    from_b: Pair,
    /// Displacement from start to end, and the same after a quarter turn to the left. Both are as long as the segment.
    tangent: Pair,
    normal: Pair,
    /// Progress of the motion against the normal, times the length of the segment.
    approach: DoubleDouble,
    /// Largest approach at which the motion counts as parallel.
    parallel: f64,
}

impl<'a> Moving<'a> {
    fn new(aabb: &'a Aabb, motion: DVec2, segment: &'a Segment) -> Moving<'a> {
        let tangent = Pair::difference(segment.b(), segment.a());
        let normal = tangent.perp();
        let motion = Pair::from(motion);
        Moving {
            segment,
            aabb,
            half: Pair::difference(aabb.max(), aabb.min()) * DoubleDouble::from(0.5),
            motion,
            from_a: displacement_from_point(aabb, segment.a()),
            from_b: displacement_from_point(aabb, segment.b()),
            tangent,
            normal,
            approach: -normal.dot(motion),
            parallel: PARALLEL * tangent.length().to_f64() * motion.length().to_f64(),
        }
    }

    /// Returns the reach of a box with half-extents `half` along the normal, times the length of the segment.
    fn reach_along_normal(&self, half: Pair) -> DoubleDouble {
        self.normal.x.abs() * half.x + self.normal.y.abs() * half.y
    }

    /// Returns how far the touching side or corner of the box is inside of an end of the face when the box reaches the
    /// face's line, as a length. `inwards` points from that end into the face.
    fn depth_inside_end(
        &self,
        from: Pair,
        inwards: Pair,
        twice_gap: DoubleDouble,
        twice_approach: DoubleDouble,
    ) -> f64 {
        // A face along an axis is touched by a whole side of the box. Of the two corners of that side, the one that
        // lies furthest along `inwards` counts. A slanted face is touched by one corner only: the one towards the face.
        let (nx, ny) = (self.normal.x.to_f64(), self.normal.y.to_f64());
        let support = |half: DoubleDouble, normal: f64, inwards: DoubleDouble| {
            let is_back = if normal == 0.0 { inwards < 0.0 } else { normal > 0.0 };
            if is_back { -half } else { half }
        };
        let from =
            Pair { x: from.x + support(self.half.x, nx, inwards.x), y: from.y + support(self.half.y, ny, inwards.y) };
        let along = inwards.dot(from) * twice_approach + inwards.dot(self.motion) * twice_gap;
        along.divided_by(twice_approach * inwards.length()).to_f64()
    }

    /// Returns whether the face, hit at the distance `inward` from one of its ends, stops the box.
    fn face_stops_box_near_end(&self, inward: f64, outward: Pair, can_be_hit: bool) -> bool {
        if can_be_hit {
            inward > ONE_SIDED_SLOP
                || (inward >= -ONE_SIDED_SLOP && self.moves_against(self.axis_between_normal_and_tangent(outward)))
        } else if self.touches_face_with_side() {
            inward > ONE_SIDED_SLOP
        } else {
            inward >= -ONE_SIDED_SLOP
        }
    }

    /// Returns whether a side of the box, not only a corner, touches the face.
    fn touches_face_with_side(&self) -> bool {
        (self.normal.x == 0.0 && self.half.x > ONE_SIDED_SLOP) || (self.normal.y == 0.0 && self.half.y > ONE_SIDED_SLOP)
    }

    /// Returns the only axis direction between the normal (exclusive) and the outward tangent.
    fn axis_between_normal_and_tangent(&self, outward: Pair) -> Axis {
        let inside = |axis: &Axis| axis.component_of(outward) > 0.0 && axis.component_of(self.normal) >= 0.0;
        Axis::ALL.into_iter().find(inside).unwrap_or(X(1.0))
    }

    fn moves_against(&self, direction: Axis) -> bool {
        direction.component_of(self.motion) < 0.0
    }

    /// Returns the hit on the end point `corner`. `outward` is the direction in which the segment ends there.
    fn corner_hit(&self, corner: DVec2, outward: Pair) -> Option<Hit> {
        if self.approach < -self.parallel {
            return None;
        }
        let rim = self.axis_between_normal_and_tangent(outward);
        // Imagine the box shrunk to its middle, and the end point grown to a box of the same size. The middle hits the
        // side of the grown box with the normal `rim`. At one end of this side, towards `facing`, the face continues.
        // At the other end, the next side of the grown box begins.
        // If the middle hits an end of this side exactly, a corner of the real box hits the end point. The end point
        // stops the box only if the motion also goes against the part that follows there. Otherwise, the box slides
        // past.
        let facing = rim.perpendicular_towards(self.normal);
        self.hit_of_box_side_on_point(corner, rim, |side| {
            if side == facing { self.approach > self.parallel } else { self.moves_against(side) }
        })
    }

    /// Returns the hit of the box side that faces against `normal` on the point `corner`.
    ///
    /// `stopped_by` decides whether the point stops the box if a corner of the box hits the point exactly. Its argument
    /// is the direction, perpendicular to `normal`, in which the middle of the box lies from the point.
    fn hit_of_box_side_on_point(&self, corner: DVec2, normal: Axis, stopped_by: impl Fn(Axis) -> bool) -> Option<Hit> {
        let from = displacement_from_point(self.aabb, corner);
        let approach = -normal.component_of(self.motion);
        let gap = normal.component_of(from) - normal.extent_component_of(self.half);
        // The box moves away, is past the point, or at most touches it at the end of the motion.
        if approach <= 0.0 || gap < -ONE_SIDED_SLOP || gap >= approach {
            return None;
        }
        let gap = gap.at_least_zero();
        let time = gap.divided_by(approach);
        let at = from + self.motion * time;
        let side = normal.perpendicular_towards(at);
        let inward = side.extent_component_of(self.half) - side.component_of(at);
        if inward < -ONE_SIDED_SLOP || (inward <= ONE_SIDED_SLOP && !stopped_by(side)) {
            return None;
        }
        Some(Hit { toi: time.to_f64(), point: corner, normal: normal.to_unit_vector() })
    }
}

/// Returns the displacement from a point to the middle of the box. It uses only differences, so a shift of the scene
/// does not change it.
fn displacement_from_point(aabb: &Aabb, point: DVec2) -> Pair {
    (Pair::difference(aabb.min(), point) + Pair::difference(aabb.max(), point)) * DoubleDouble::from(0.5)
}

impl Scene for Moving<'_> {
    fn overlaps(&self) -> bool {
        let slop = DoubleDouble::from(ONE_SIDED_SLOP);
        let half = Pair { x: self.half.x - slop, y: self.half.y - slop };
        // The segment is apart along an axis if both of its ends lie beyond the same side of the box.
        let apart = |a: DoubleDouble, b: DoubleDouble, half: DoubleDouble| {
            (a >= half && b >= half) || (a <= -half && b <= -half)
        };
        if half.x <= 0.0
            || half.y <= 0.0
            || apart(self.from_a.x, self.from_b.x, half.x)
            || apart(self.from_a.y, self.from_b.y, half.y)
        {
            return false;
        }
        let twice_height = self.normal.dot(self.from_a + self.from_b).abs();
        // A segment of length 0 has no normal, so the tests along the axes have decided already.
        twice_height < self.reach_along_normal(half) * 2.0 || (self.normal.x == 0.0 && self.normal.y == 0.0)
    }

    fn face_hit(&self, ends: Ends) -> Option<Hit> {
        if self.approach <= self.parallel {
            return None;
        }
        // Add up both ends, so that their order does not matter. The sum is twice the gap.
        let twice_gap = self.normal.dot(self.from_a + self.from_b) - self.reach_along_normal(self.half) * 2.0;
        let twice_approach = self.approach * 2.0;
        // The box is behind the face, or at most touches it at the end of the motion.
        if twice_gap < -(self.reach_along_normal(DVec2::splat(ONE_SIDED_SLOP).into()) * 2.0)
            || twice_gap >= twice_approach
        {
            return None;
        }
        let twice_gap = twice_gap.at_least_zero();
        let inward_a = self.depth_inside_end(self.from_a, self.tangent, twice_gap, twice_approach);
        let inward_b = self.depth_inside_end(self.from_b, -self.tangent, twice_gap, twice_approach);
        if !(self.face_stops_box_near_end(inward_a, -self.tangent, ends.start)
            && self.face_stops_box_near_end(inward_b, self.tangent, ends.end))
        {
            return None;
        }
        let normal = unit(self.normal.to_dvec2())?;
        let toi = twice_gap.divided_by(twice_approach).to_f64();
        let point = point_on_face(self.aabb, self.motion.to_dvec2() * toi, normal, self.segment);
        Some(Hit { toi, point, normal })
    }

    fn start_point_hit(&self) -> Option<Hit> {
        self.corner_hit(self.segment.a(), -self.tangent)
    }

    fn end_point_hit(&self) -> Option<Hit> {
        self.corner_hit(self.segment.b(), self.tangent)
    }

    fn zero_length_segment_hit(&self) -> Option<Hit> {
        let hits = Axis::ALL
            .map(|axis| self.hit_of_box_side_on_point(self.segment.a(), axis, |side| self.moves_against(side)));
        let mut hits = hits.into_iter().flatten();
        let first = hits.next()?;
        // If two sides of the box hit the point, their common corner hits it. The side that opposes the motion more
        // gives the normal.
        let Some(second) = hits.next() else { return Some(first) };
        let motion = self.motion.to_dvec2();
        let (one, other) = (-first.normal.dot(motion), -second.normal.dot(motion));
        Some(if one > other {
            first
        } else if other > one {
            second
        } else {
            Hit { normal: unit(first.normal + second.normal)?, ..first }
        })
    }
}
