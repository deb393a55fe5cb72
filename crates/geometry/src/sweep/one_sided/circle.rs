use super::scene::{self, Scene};
use super::{Ends, quick};
use crate::exact_arith::double_double::{DoubleDouble, Pair};
use crate::exact_arith::unit;
use crate::shapes::{Circle, Segment};
use crate::sweep::{Hit, Sweep};
use crate::tolerance::{ONE_SIDED_SLOP, PARALLEL};
use glam::DVec2;

impl Circle {
    /// Sweeps the circle along `motion` against a one-sided edge and returns the earliest hit.
    ///
    /// A one-sided edge stops motion against its outward normal only. y is up. The edge's outward normal is on the left
    /// when looking from its start to its end. `ends` lists the end points that can be hit. A motion that is not
    /// finite, or more than 2^25 lengths along an axis, is [`Sweep::Clear`].
    ///
    /// - The circle hits the face if it starts in front and the motion goes against the face's normal. The contact must
    ///   lie on the face, not beyond its ends.
    /// - The circle can hit an end point listed in `ends`. The motion must go against the contact normal, and not
    ///   outwards along the face's normal. The contact normal must lie in the quarter turn from the face's normal to
    ///   the outward tangent, bounds included. Therefore a circle can rise past the rim of a one-way platform.
    /// - Touching at the start and moving in is a hit at time 0. Moving along or away, only touching at the end of the
    ///   motion, and no motion are clear.
    /// - A motion parallel to the face cannot hit the face, but can hit an end point.
    /// - A segment of length 0 is a point with normals all around if `ends` lists one of its ends. Otherwise it is
    ///   never hit.
    /// - A circle with radius 0 is a point. It can hit the face, ends included, but never an end point alone, because
    ///   nothing would overlap there.
    /// - The result is [`Sweep::Overlapping`] if the segment is deeper in the circle than [`ONE_SIDED_SLOP`]. Side and
    ///   `ends` do not matter for it.
    ///
    /// The error is at most 1e-9 lengths along the path. This bound holds for paths up to 100 lengths and coordinates
    /// up to 1000 lengths. Where f64 decides, the error is within
    /// [`ONE_SIDED_ACCURACY`](crate::tolerance::ONE_SIDED_ACCURACY). Elsewhere pairs of f64 decide. Mirrored and turned
    /// scenes give the same bits. A shift that is exact in f64 keeps the bits of the time and the normal.
    ///
    /// Derived here: let o be the vector from the end point to the centre, d the motion and r the radius. The equation
    /// |o + t d| = r has the discriminant (o.d)^2 - |d|^2 (|o|^2 - r^2) = (r|d| - |o x d|)(r|d| + |o x d|). The small
    /// factor of this product keeps its digits. The earlier root is t = (|o|^2 - r^2) / (-o.d + sqrt disc). Its
    /// denominator adds two positive numbers.
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
        if !scene::is_swept(motion) {
            return Sweep::Clear;
        }
        quick::sweep_circle(self, motion, edge, ends).unwrap_or_else(|| careful(self, motion, edge, ends))
    }
}

/// Sweeps in pairs of f64, for the scenes that plain f64 leaves in doubt.
#[cold]
pub(super) fn careful(circle: &Circle, motion: DVec2, edge: &Segment, ends: Ends) -> Sweep {
    scene::sweep(&Moving::new(circle, motion, edge), edge, ends)
}

/// A circle, its motion and a segment, with what the face and the end points both need.
struct Moving<'a> {
    segment: &'a Segment,
    center: DVec2,
    radius: f64,
    motion: Pair,
    /// The ways from the start and from the end of the segment to the centre.
    from_a: Pair,
    from_b: Pair,
    /// The way from the start to the end, and that way a quarter turn to the left: as long as the segment, not of unit
    /// length.
    tangent: Pair,
    normal: Pair,
    length: DoubleDouble,
    /// How far the motion goes against the normal, times the length.
    approach: DoubleDouble,
    /// Up to what approach the motion counts as parallel.
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

    /// The depth up to which the circle only touches, taken off its radius.
    fn shallow_radius(&self) -> DoubleDouble {
        (DoubleDouble::from(self.radius) - DoubleDouble::from(ONE_SIDED_SLOP)).max_zero()
    }

    /// Twice the distance of the centre from the segment's line, times the length. From both ends at once, so that it
    /// does not depend on which of them comes first.
    fn twice_height(&self) -> DoubleDouble {
        self.normal.dot(self.from_a + self.from_b)
    }

    /// The end point `corner`: `outward` is the direction in which the segment ends there; none for a lone point.
    fn corner(&self, corner: DVec2, outward: Option<Pair>) -> Option<Hit> {
        let (motion, radius) = (self.motion, DoubleDouble::from(self.radius));
        if outward.is_some() && self.approach < -self.parallel {
            return None;
        }
        let from = Pair::difference(self.center, corner);
        let approach = -from.dot(motion);
        let speed = motion.length();
        let offset = from.cross(motion).abs();
        // Along or away, or past the corner.
        let along = PARALLEL * from.length().to_f64() * speed.to_f64();
        if approach <= along || offset >= radius * speed {
            return None;
        }
        let root = ((radius * speed - offset) * (radius * speed + offset)).sqrt();
        let clearance = (from.dot(from) - radius * radius).max_zero();
        let time = clearance.divided_by(approach + root);
        // Not reached, or at most touching where the motion ends: decided without the root, so that it is exact.
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
        let radius = self.shallow_radius();
        let distance = if self.tangent.dot(self.from_a) <= 0.0 {
            self.from_a.length()
        } else if self.tangent.dot(self.from_b) >= 0.0 {
            self.from_b.length()
        } else {
            return self.twice_height().abs() < radius * self.length * 2.0;
        };
        distance < radius
    }

    fn face(&self, _: Ends) -> Option<Hit> {
        if self.approach <= self.parallel {
            return None;
        }
        let touch = self.length * ONE_SIDED_SLOP;
        let twice_gap = self.twice_height() - self.length * self.radius * 2.0;
        let twice_approach = self.approach * 2.0;
        // Behind the face, or at most touching where the motion ends.
        if twice_gap < -(touch * 2.0) || twice_gap >= twice_approach {
            return None;
        }
        let twice_gap = twice_gap.max_zero();
        // How far along the face the centre is at that time, times twice the length and the approach.
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

    fn start(&self) -> Option<Hit> {
        self.corner(self.segment.a(), Some(-self.tangent))
    }

    fn end(&self) -> Option<Hit> {
        self.corner(self.segment.b(), Some(self.tangent))
    }

    fn lone_point(&self) -> Option<Hit> {
        self.corner(self.segment.a(), None)
    }
}
