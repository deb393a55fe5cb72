use super::scene::{self, Scene};
use super::{Ends, quick};
use crate::exact_arith::double_double::{DoubleDouble, Pair};
use crate::exact_arith::unit;
use crate::shapes::{Circle, Segment};
use crate::sweep::{Hit, Sweep};
use crate::tolerance::{ONE_SIDED_SLOP, PARALLEL};
use glam::DVec2;

impl Circle {
    // Derivation: let o be the vector from the end point to the centre, d the motion and r the radius. The time t
    // solves |o + t d| = r. A quarter of the discriminant is
    // D = (o.d)^2 - |d|^2 (|o|^2 - r^2) = (r|d| - |o x d|)(r|d| + |o x d|). The small factor of this product keeps its
    // digits. The earlier root is t = (|o|^2 - r^2) / (-o.d + sqrt D). Its denominator adds two positive numbers, which
    // loses no digits.
    /// Sweeps the circle along `motion` against a one-sided edge and returns the earliest hit.
    ///
    /// A one-sided edge stops only motion against its outward normal, such as a floor that can be passed from below.
    /// The outward normal is on the left when looking from `a` to `b` of `edge`, with y up.
    ///
    /// Hits on the face, the part between the end points:
    /// - The circle must start in front of the face and move against its normal. The contact must lie between the
    ///   ends of the face.
    /// - A motion parallel to the face cannot hit it.
    ///
    /// Hits on end points, only on those that `ends` selects:
    /// - The motion must go against the contact normal, and must not point away from the front of the face. A circle
    ///   can therefore rise past the end of a one-way platform.
    /// - The contact normal must lie between the face's normal and the direction out of that end, a range of 90
    ///   degrees with both its bounds.
    /// - A motion parallel to the face can hit an end point.
    ///
    /// Other rules:
    /// - A circle that touches the edge at the start and moves into it hits at time 0. Moving along or away, touching
    ///   only at the end, and a motion of length 0 are clear.
    /// - A motion that is not finite, or longer than 2^25 on an axis, is [`Sweep::Clear`].
    /// - An edge of length 0 is a point that can be hit from all sides if `ends` selects one of its ends. Otherwise
    ///   it is never hit.
    /// - A circle with radius 0 can hit the face, its ends included. It never hits an end point alone.
    /// - If the edge is deeper inside the circle than [`ONE_SIDED_SLOP`] (2^-34), the result is
    ///   [`Sweep::Overlapping`]. This holds on both sides of the edge and for all `ends`.
    ///
    /// Accuracy: the error of the time of impact is at most 1e-9 along the path, for paths up to 100 and coordinates
    /// up to 1000. If the whole scene is mirrored or turned by 90 degrees, the result is mirrored or turned too, bit
    /// for bit. If the whole scene is shifted and all shifted coordinates are exact in f64, time and normal stay
    /// equal, bit for bit.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{Circle, DVec2, Ends, Segment, Sweep};
    ///
    /// let floor = Segment::new(DVec2::ZERO, DVec2::new(4.0, 0.0))?;
    /// let ball = Circle::new(DVec2::new(1.0, 2.0), 0.5)?;
    ///
    /// let hit = ball.sweep_one_sided(DVec2::new(0.0, -3.0), &floor, Ends::BOTH).hit().unwrap();
    /// assert_eq!((hit.toi, hit.point, hit.normal), (0.5, DVec2::new(1.0, 0.0), DVec2::Y));
    ///
    /// // Upwards through the floor: it has one side.
    /// let below = Circle::new(DVec2::new(1.0, -2.0), 0.5)?;
    /// assert_eq!(below.sweep_one_sided(DVec2::new(0.0, 3.0), &floor, Ends::BOTH), Sweep::Clear);
    ///
    /// // Standing on it: along it is free, into it is a hit at once.
    /// let standing = Circle::new(DVec2::new(1.0, 0.5), 0.5)?;
    /// assert_eq!(standing.sweep_one_sided(DVec2::X, &floor, Ends::BOTH), Sweep::Clear);
    /// assert_eq!(standing.sweep_one_sided(-DVec2::Y, &floor, Ends::BOTH).hit().unwrap().toi, 0.0);
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    #[must_use]
    pub fn sweep_one_sided(&self, motion: DVec2, edge: &Segment, ends: Ends) -> Sweep {
        if !scene::is_accepted_motion(motion) {
            return Sweep::Clear;
        }
        quick::sweep_circle(self, motion, edge, ends)
            .unwrap_or_else(|| sweep_in_double_double(self, motion, edge, ends))
    }
}

/// Sweeps in pairs of f64, for the scenes that plain f64 leaves in doubt.
#[cold]
pub(super) fn sweep_in_double_double(circle: &Circle, motion: DVec2, edge: &Segment, ends: Ends) -> Sweep {
    scene::sweep(&Moving::new(circle, motion, edge), edge, ends)
}

/// A circle, its motion and a segment, with values that both the face and the end points need.
struct Moving<'a> {
    segment: &'a Segment,
    center: DVec2,
    radius: f64,
    motion: Pair,
    /// Displacements from the start and from the end of the segment to the centre.
    from_a: Pair,
    from_b: Pair,
    /// Displacement from start to end, and the same after a quarter turn to the left. Both are as long as the segment.
    tangent: Pair,
    normal: Pair,
    length: DoubleDouble,
    /// Progress of the motion against the normal, times the length of the segment.
    approach: DoubleDouble,
    /// Largest approach at which the motion counts as parallel.
    parallel: f64,
}

impl<'a> Moving<'a> {
    fn new(circle: &Circle, motion: DVec2, segment: &'a Segment) -> Moving<'a> {
        let tangent = Pair::difference(segment.b(), segment.a());
        let (normal, length) = (tangent.perp(), tangent.length());
        let motion = Pair::from(motion);
        Moving {
            segment,
            center: circle.center(),
            radius: circle.radius(),
            motion,
            from_a: Pair::difference(circle.center(), segment.a()),
            from_b: Pair::difference(circle.center(), segment.b()),
            tangent,
            normal,
            length,
            approach: -normal.dot(motion),
            parallel: PARALLEL * length.to_f64() * motion.length().to_f64(),
        }
    }

    /// Returns the radius minus the slop, the depth up to which the circle only touches.
    fn radius_minus_slop(&self) -> DoubleDouble {
        (DoubleDouble::from(self.radius) - DoubleDouble::from(ONE_SIDED_SLOP)).at_least_zero()
    }

    /// Returns twice the distance of the centre from the segment's line, times the length of the segment. Both ends
    /// count equally, so that their order does not matter.
    fn twice_height(&self) -> DoubleDouble {
        self.normal.dot(self.from_a + self.from_b)
    }

    /// Returns the hit on the end point `corner`. `outward` is the direction in which the segment ends there; `None`
    /// for a segment of length 0.
    fn corner_hit(&self, corner: DVec2, outward: Option<Pair>) -> Option<Hit> {
        let (motion, radius) = (self.motion, DoubleDouble::from(self.radius));
        if outward.is_some() && self.approach < -self.parallel {
            return None;
        }
        let from = Pair::difference(self.center, corner);
        let approach = -from.dot(motion);
        let speed = motion.length();
        let offset = from.cross(motion).abs();
        // The motion does not approach the corner, or passes it further away than the radius.
        let along = PARALLEL * from.length().to_f64() * speed.to_f64();
        if approach <= along || offset >= radius * speed {
            return None;
        }
        let root = ((radius * speed - offset) * (radius * speed + offset)).sqrt();
        let clearance = (from.dot(from) - radius * radius).at_least_zero();
        let time = clearance.divided_by(approach + root);
        // The motion ends before the corner, or the circle at most touches the corner at the end. Squared lengths
        // decide this, so no square root adds a rounding error.
        let end = from + motion;
        if end.dot(end) >= radius * radius && approach >= motion.dot(motion) {
            return None;
        }
        let out = from + motion * time;
        if let Some(outward) = outward {
            let behind = -(self.length * ONE_SIDED_SLOP);
            if out.dot(self.normal) < behind || out.dot(outward) < behind {
                return None;
            }
        }
        Some(Hit { toi: time.to_f64(), point: corner, normal: unit(out.to_dvec2())? })
    }
}

impl Scene for Moving<'_> {
    fn overlaps(&self) -> bool {
        let radius = self.radius_minus_slop();
        let distance = if self.tangent.dot(self.from_a) <= 0.0 {
            self.from_a.length()
        } else if self.tangent.dot(self.from_b) >= 0.0 {
            self.from_b.length()
        } else {
            return self.twice_height().abs() < radius * self.length * 2.0;
        };
        distance < radius
    }

    fn face_hit(&self, _: Ends) -> Option<Hit> {
        if self.approach <= self.parallel {
            return None;
        }
        let touch = self.length * ONE_SIDED_SLOP;
        let twice_gap = self.twice_height() - self.length * self.radius * 2.0;
        let twice_approach = self.approach * 2.0;
        // The circle is behind the face, or at most touches it at the end of the motion.
        if twice_gap < -(touch * 2.0) || twice_gap >= twice_approach {
            return None;
        }
        let twice_gap = twice_gap.at_least_zero();
        // All lengths along the face below are multiplied by `length * twice_approach`, so that nothing is divided.
        // `shift`: how far the centre moves along the face until the hit.
        let shift = self.tangent.dot(self.motion) * twice_gap;
        let reach = touch * twice_approach;
        let after_a = self.tangent.dot(self.from_a) * twice_approach + shift;
        let after_b = self.tangent.dot(self.from_b) * twice_approach + shift;
        if after_a < -reach || after_b > reach {
            return None;
        }
        let normal = unit(self.normal.to_dvec2())?;
        let toi = twice_gap.divided_by(twice_approach).to_f64();
        let point = self.center + self.motion.to_dvec2() * toi - normal * self.radius;
        Some(Hit { toi, point, normal })
    }

    fn start_point_hit(&self) -> Option<Hit> {
        self.corner_hit(self.segment.a(), Some(-self.tangent))
    }

    fn end_point_hit(&self) -> Option<Hit> {
        self.corner_hit(self.segment.b(), Some(self.tangent))
    }

    fn zero_length_segment_hit(&self) -> Option<Hit> {
        self.corner_hit(self.segment.a(), None)
    }
}
