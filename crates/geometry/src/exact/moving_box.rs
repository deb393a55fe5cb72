use super::tolerance::TOUCH;
use super::{Face, FaceOffsets, Fraction, tangent};
use glam::I64Vec2;

/// A moving axis-aligned box: start, half-extents and motion, in units of 2^-32 lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovingBox {
    /// Position of the centre at the start of the motion, in units.
    pub center: I64Vec2,
    /// Half the size of the box on each axis in units, not negative.
    pub half: I64Vec2,
    /// Displacement of the box over the whole motion, in units.
    pub motion: I64Vec2,
}

/// The earliest hit of a moving box on an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoxHit {
    /// Time of impact as an exact fraction of the motion.
    pub toi: Fraction,
    /// Outward normal of the hit surface: an integer vector whose components have no common divisor above 1.
    pub normal: I64Vec2,
}

/// A hit of a moving box on one face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaceHit {
    /// Time of impact as an exact fraction of the motion.
    pub toi: Fraction,
    /// Normal of the neighbouring face if the hit is exactly at the end of the face; zero otherwise.
    ///
    /// The box may hit the neighbouring face at exactly the same time.
    pub tie: I64Vec2,
}

impl MovingBox {
    /// Returns the hit of the box on `face`, with the exact time as a fraction of the motion.
    ///
    /// Returns `None` if
    /// - the box moves along the face or away from it,
    /// - the box starts behind the face (an overlapping box is behind it),
    /// - the box ends in front of the face or only touches it there,
    /// - or the box passes beyond an end of the face.
    ///
    /// Touching at the start and moving in is a hit at time 0.
    ///
    /// At a convex end, a box exactly in line with the end of the face needs more for a hit. The motion must also go
    /// against the next normal around the corner. At a flat or concave end, only slanted faces are hit. An axis-aligned
    /// face shares no length with the box there.
    ///
    /// Derived here: the sweep is a point cast against the face, moved outwards by the support of the box.
    #[must_use]
    #[inline]
    pub fn against_face(&self, face: &Face) -> Option<FaceHit> {
        self.against_offsets(&self.offsets(face), [face.before, face.after])
    }

    /// Returns the offsets of the box to `face`, for use with [`MovingBox::against_offsets`].
    #[must_use]
    #[inline(always)]
    pub fn offsets(&self, face: &Face) -> FaceOffsets {
        let (from_a, from_b) = self.along_face(face);
        FaceOffsets { normal: face.normal, gap: self.gap(face), from_a, from_b }
    }

    /// Returns the hit on a face that has these `offsets`; same result as [`MovingBox::against_face`].
    ///
    /// `before` and `after` are the fields of the same names in [`Face`].
    #[must_use]
    #[inline(always)]
    pub fn against_offsets(&self, offsets: &FaceOffsets, [before, after]: [I64Vec2; 2]) -> Option<FaceHit> {
        let FaceOffsets { normal, gap, from_a, from_b } = *offsets;
        let approach = -normal.dot(self.motion);
        if approach <= 0 || gap < 0 || gap >= approach {
            return None;
        }
        let passed = tangent(normal).dot(self.motion);
        let hit = |tie| Some(FaceHit { toi: Fraction { num: gap, den: approach }, tie });
        if from_a.min(from_a + passed) > 0 && from_b.max(from_b + passed) < 0 {
            return hit(I64Vec2::ZERO);
        }
        // Where along the face the contact is, times the approach.
        let at_hit = |from: i64| i128::from(from) * i128::from(approach) + i128::from(passed) * i128::from(gap);
        let (past_a, past_b) = (at_hit(from_a), at_hit(from_b));
        if past_a < 0 || past_b > 0 {
            return None;
        }
        if past_a > 0 && past_b < 0 {
            return hit(I64Vec2::ZERO);
        }
        let next = if past_a == 0 { before } else { after };
        let counts = if next == I64Vec2::ZERO { slanted(normal) } else { next.dot(self.motion) < 0 };
        if counts { hit(next) } else { None }
    }

    /// Returns the offsets of the box to `face` if the motion, or a part of it, may hit the face.
    ///
    /// `None` guarantees that no part of the motion hits the face. `Some` does not guarantee a hit. Integers decide.
    ///
    /// A part is any `t * motion` with `t` in [0, 1], shifted by at most `stray` units on each axis. It stands for a
    /// shortened motion that was rounded.
    #[must_use]
    #[inline(always)]
    pub fn nears_face(&self, face: &Face, stray: i64) -> Option<FaceOffsets> {
        let normal = face.normal;
        // A part approaches by at most this more than the whole motion, and goes at most this much further along the face:
        // `stray` times the sum of the normal's components, which is not more than the sum of their squares.
        let slack = stray * normal.dot(normal);
        let gap = self.gap(face);
        if gap < 0 || gap >= (-normal.dot(self.motion)).max(0) + slack {
            return None;
        }
        let offsets = self.offsets(face);
        offsets.nears(self.motion, slack).then_some(offsets)
    }

    /// Returns whether the box at its start position touches `face` from the front.
    ///
    /// The gap must be at most [`TOUCH`] units on each axis. In addition, the box must be next to the face:
    /// - Axis-aligned face: the box and the face share at least one unit of length.
    /// - Slanted face: the supporting corner of the box lies on the face. At a flat or concave end, the corner may lie
    ///   beyond the end by the same tolerance. The bounds of box and face are at most [`TOUCH`] units apart on each
    ///   axis.
    ///
    /// If the box's corner has no room at an end (see [`Face::before`]), the end itself does not count as touched.
    #[must_use]
    #[inline]
    pub fn touches_face(&self, face: &Face) -> bool {
        let normal = face.normal;
        let gap = self.gap(face);
        if gap < 0 || gap > TOUCH * (normal.x.abs() + normal.y.abs()) {
            return false;
        }
        let (from_a, from_b) = self.beside(tangent(normal), face.a, face.b, normal);
        if !slanted(normal) {
            return from_a > 0 && from_b < 0;
        }
        // Where the outline turns towards the air, a box stops as far short of the face's end as of the face itself.
        // Where its corner has no room, it is at least a unit away from the end.
        let short = |next: I64Vec2| match next {
            I64Vec2::ZERO => TOUCH * (normal.x.abs() + normal.y.abs()),
            next if next == -normal => -1,
            _ => 0,
        };
        from_a >= -short(face.before) && from_b <= short(face.after) && self.is_near(face)
    }

    /// Whether the box's bounds come within [`TOUCH`] units of the face's on both axes. A slanted face may be touched past
    /// its end and off its line at once: what looks for faces by their bounds finds all that is touched, and nothing that
    /// is further away counts.
    fn is_near(&self, face: &Face) -> bool {
        let reach = self.half + TOUCH;
        let (low, high) = (face.a.min(face.b), face.a.max(face.b));
        (self.center - reach).cmple(high).all() && low.cmple(self.center + reach).all()
    }

    /// Returns how far the box is in front of the face's line, in units times the length of the normal; negative behind
    /// it.
    #[must_use]
    #[inline]
    pub fn gap(&self, face: &Face) -> i64 {
        face.normal.dot(self.center - face.a) - self.half.dot(face.normal.abs())
    }

    /// Returns how far the box's centre is past the start and the end of the inflated face, along the face.
    ///
    /// The centre is on the face if the first number is 0 or more and the second is 0 or less. Both are in units times
    /// the length of the normal.
    #[must_use]
    #[inline]
    pub fn along_face(&self, face: &Face) -> (i64, i64) {
        self.beside(tangent(face.normal), face.a, face.b, face.normal)
    }

    #[inline]
    fn beside(&self, along: I64Vec2, a: I64Vec2, b: I64Vec2, normal: I64Vec2) -> (i64, i64) {
        let (from_a, from_b) = (along.dot(self.center - a), along.dot(self.center - b));
        if slanted(normal) {
            // One corner of the box supports it; the face moves out with that corner.
            let support = along.dot(normal.signum() * self.half);
            (from_a - support, from_b - support)
        } else {
            // A whole side supports it; the face grows by half that side at both ends.
            let side = self.half.dot(along.abs());
            (from_a + side, from_b - side)
        }
    }
}

#[inline]
fn slanted(normal: I64Vec2) -> bool {
    normal.x != 0 && normal.y != 0
}
