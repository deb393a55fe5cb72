use super::tolerance::TOUCH;
use super::{Face, FaceOffsets, Fraction, tangent};
use glam::I64Vec2;

/// An axis-aligned box on its way, in units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovingBox {
    /// Where its centre starts.
    pub center: I64Vec2,
    /// Half its size on each axis, not negative.
    pub half: I64Vec2,
    /// The whole motion.
    pub motion: I64Vec2,
}

/// The earliest contact of a moving box with an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoxHit {
    /// Time of impact as a fraction of the motion.
    pub toi: Fraction,
    /// Outward normal of the surface that was hit, a primitive integer vector.
    pub normal: I64Vec2,
}

/// A contact of a moving box with one face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaceHit {
    /// Time of impact as a fraction of the motion.
    pub toi: Fraction,
    /// The neighbour's normal if the hit is exactly at the end of the face, so that the neighbour may be hit at the very
    /// same time; zero if not.
    pub tie: I64Vec2,
}

impl MovingBox {
    /// Where the box runs into a face: exactly, as a fraction of its motion.
    ///
    /// `None` if it moves along the face or away from it, if it starts behind it (an overlap is behind), if it ends in front
    /// of it or just touching, or if it passes beside it. Touching at the start and moving in is a hit at time 0.
    /// Exactly at the end of a face: the face is hit there only if the motion also goes against what comes next around
    /// the corner, and at a flat or concave join only by slanted faces (an axis-aligned one shares no length with the box
    /// there). Derived here: a point cast at the face moved out by the support of the box.
    #[must_use]
    #[inline]
    pub fn against_face(&self, face: &Face) -> Option<FaceHit> {
        self.against_offsets(&self.offsets(face), [face.before, face.after])
    }

    /// How the box stands before a face.
    #[must_use]
    #[inline(always)]
    pub fn offsets(&self, face: &Face) -> FaceOffsets {
        let (from_a, from_b) = self.along_face(face);
        FaceOffsets { normal: face.normal, gap: self.gap(face), from_a, from_b }
    }

    /// What [`MovingBox::against_face`] answers for a face with these offsets, and with these normals before and after it.
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

    /// How the box stands before a face that the motion, or a part of it, may run into; `None` only if none does.
    ///
    /// A part is any `t * motion` with `t` in [0, 1], moved by at most `stray` units on each axis: a shortened motion that
    /// was rounded. Decided in integers.
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

    /// Whether the box, where it starts, touches a face from the front: its gap is at most [`TOUCH`] units on each axis
    /// and it stands beside the face: by at least one unit if the face is axis-aligned, and with its supporting corner on
    /// the face, or as near to a flat or concave end, if it is slanted. Further than that from the face's bounds on an axis
    /// it touches nothing. Where [`Face`] says that the corner has no room at
    /// the end, the end itself is not touched.
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

    /// How far the box is in front of a face's line, in units times the length of the normal; negative behind.
    #[must_use]
    #[inline]
    pub fn gap(&self, face: &Face) -> i64 {
        face.normal.dot(self.center - face.a) - self.half.dot(face.normal.abs())
    }

    /// How far the centre is past the grown face's two ends, along its direction: on the face if not negative and not
    /// positive. In units times the length of the direction.
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
