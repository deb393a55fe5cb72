use super::tolerance::TOUCH;
use super::{Face, FaceOffsets, Fraction, tangent};
use glam::I64Vec2;

/// A moving axis-aligned box for sweeps in fixed point: start, half-extents and motion, in fixed-point units (2^32
/// units = 1.0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovingBox {
    /// Centre of the box at the start of the motion, in fixed-point units (2^32 units = 1.0).
    pub center: I64Vec2,
    /// Half the width and half the height of the box in fixed-point units (2^32 units = 1.0), each 0 or more.
    pub half: I64Vec2,
    /// Displacement of the box from start to end, in fixed-point units (2^32 units = 1.0).
    pub motion: I64Vec2,
}

/// The earliest hit of a moving box on an edge or on an end point of the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoxHit {
    /// Time of impact as an exact fraction of the motion, from 0 (start) to less than 1 (end).
    pub toi: Fraction,
    /// Outward normal of the surface that was hit, as an integer vector, not a unit vector.
    ///
    /// Its components have no common divisor above 1.
    pub normal: I64Vec2,
}

/// A hit of a moving box on one [`Face`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaceHit {
    /// Time of impact as an exact fraction of the motion, from 0 (start) to less than 1 (end).
    pub toi: Fraction,
    /// Normal of the neighbouring face, if the box hits the face exactly at its end; zero otherwise.
    ///
    /// If `tie` is not zero, the box may hit the neighbouring face at the same time.
    pub tie: I64Vec2,
}

impl MovingBox {
    // Derivation: shift the face outwards by the extent of the box from its centre along the face's normal. Then cast
    // the centre against the shifted face.
    /// Returns the hit of the box on `face`, with its time as an exact fraction of the motion.
    ///
    /// A box that touches the face at the start and moves into it hits at time 0. Returns `None` in these cases:
    /// - The box moves along the face or away from it.
    /// - The box starts behind the face, or overlaps it.
    /// - The box ends in front of the face, or only touches it there.
    /// - The box passes beyond an end of the face.
    ///
    /// Special cases for a box exactly in line with an end of the face:
    /// - Convex end: the box hits only if the motion also goes against the normal of the next face around the corner.
    ///   Otherwise the box passes.
    /// - Straight or concave end: the box hits only a slanted face. It passes an axis-aligned face, because the side
    ///   of the box only shares a point with it.
    #[must_use]
    #[inline]
    pub fn against_face(&self, face: &Face) -> Option<FaceHit> {
        self.against_offsets(&self.offsets(face), [face.before, face.after])
    }

    /// Returns the position of the box relative to `face`, for use with [`MovingBox::against_offsets`].
    ///
    /// Compute the offsets once to sweep several motions from the same start position.
    #[must_use]
    #[inline(always)]
    pub fn offsets(&self, face: &Face) -> FaceOffsets {
        let (from_a, from_b) = self.along_face(face);
        FaceOffsets { normal: face.normal, gap: self.gap(face), from_a, from_b }
    }

    /// Returns the same hit as [`MovingBox::against_face`], faster if the box is swept against a face more than once.
    ///
    /// `offsets` must come from [`MovingBox::offsets`] of a box with the same size and start position; the motion may
    /// differ. `before` and `after` are the fields of the face with these names (see [`Face`]).
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
        // Multiply the offsets at the hit by the approach, so that integers need no division.
        let at_hit = |from: i64| i128::from(from) * i128::from(approach) + i128::from(passed) * i128::from(gap);
        let (past_a, past_b) = (at_hit(from_a), at_hit(from_b));
        if past_a < 0 || past_b > 0 {
            return None;
        }
        if past_a > 0 && past_b < 0 {
            return hit(I64Vec2::ZERO);
        }
        let next = if past_a == 0 { before } else { after };
        let counts = if next == I64Vec2::ZERO { is_slanted(normal) } else { next.dot(self.motion) < 0 };
        if counts { hit(next) } else { None }
    }

    /// Filters faces before a sweep: returns the offsets of the box to `face` if its motion may hit the face.
    ///
    /// `None` guarantees that the motion misses the face. `Some` does not guarantee a hit. Pass the offsets to
    /// [`MovingBox::against_offsets`]. All decisions are made in integers.
    ///
    /// The result also holds for every shorter motion `t * motion`, with `t` from 0 to 1, even if the shorter motion
    /// was rounded by up to `stray` units (2^32 units = 1.0) on each axis. Pass 0 if your motions are not rounded.
    #[must_use]
    #[inline(always)]
    pub fn nears_face(&self, face: &Face, stray: i64) -> Option<FaceOffsets> {
        let normal = face.normal;
        // A shorter motion, rounded by up to `stray`, may approach the face by at most `slack` more than the whole
        // motion. The same holds for its progress along the face. The exact bound is `stray` times the sum of the
        // absolute components of the normal. That sum is at most the sum of their squares.
        let slack = stray * normal.dot(normal);
        let gap = self.gap(face);
        if gap < 0 || gap >= (-normal.dot(self.motion)).max(0) + slack {
            return None;
        }
        let offsets = self.offsets(face);
        offsets.may_get_between_face_ends(self.motion, slack).then_some(offsets)
    }

    /// Returns whether the box, at its start position, touches the front of `face`.
    ///
    /// The gap must be at most [`TOUCH`] units (2^32 units = 1.0) on each axis. The box must also be beside the face:
    /// - Axis-aligned face: the box and the face share at least one unit of length.
    /// - Slanted face: the corner of the box that is closest to the face's line lies between the ends of the face. At
    ///   a straight or concave end, this corner may lie up to the same tolerance beyond. The bounding boxes of box
    ///   and face are at most [`TOUCH`] units apart on each axis.
    ///
    /// An end of the face where a box has no room (see [`Face::before`]) does not count as touched.
    #[must_use]
    #[inline]
    pub fn touches_face(&self, face: &Face) -> bool {
        let normal = face.normal;
        let gap = self.gap(face);
        if gap < 0 || gap > TOUCH * (normal.x.abs() + normal.y.abs()) {
            return false;
        }
        let (from_a, from_b) = self.offsets_from_ends(tangent(normal), face.a, face.b, normal);
        if !is_slanted(normal) {
            return from_a > 0 && from_b < 0;
        }
        // `short` tells how far past an end of the face the box may be and still touch the face:
        // - Straight or concave end (`ZERO`): the tolerance.
        // - End where a box has no room (`-normal`): the box must be at least one unit short of the end.
        // - Convex end: not past the end.
        let short = |next: I64Vec2| match next {
            I64Vec2::ZERO => TOUCH * (normal.x.abs() + normal.y.abs()),
            next if next == -normal => -1,
            _ => 0,
        };
        from_a >= -short(face.before) && from_b <= short(face.after) && self.are_bounds_within_touch_distance(face)
    }

    /// Returns whether the bounds of the box come within [`TOUCH`] units of the bounds of the face on both axes.
    ///
    /// A box may touch a slanted face past its end and off its line at the same time. This check drops such touches: a
    /// search by bounds finds all touched faces, so a face beyond the bounds must not count.
    fn are_bounds_within_touch_distance(&self, face: &Face) -> bool {
        let reach = self.half + TOUCH;
        let (low, high) = (face.a.min(face.b), face.a.max(face.b));
        (self.center - reach).cmple(high).all() && low.cmple(self.center + reach).all()
    }

    /// Returns the distance of the box from the face's line: positive in front of the face, negative behind it.
    ///
    /// In fixed-point units (2^32 units = 1.0) times the length of the face's normal.
    #[must_use]
    #[inline]
    pub fn gap(&self, face: &Face) -> i64 {
        face.normal.dot(self.center - face.a) - self.half.dot(face.normal.abs())
    }

    /// Returns how far the box's centre, before the motion, is past the first and past the last place where the box
    /// can touch the face.
    ///
    /// A face along an axis is touched by a side of the box, a slanted one by a corner. Both distances count in the
    /// direction from the face's start to its end and are negative before that place. So the box is beside the face
    /// if the first distance is at least 0 and the second at most 0.
    ///
    /// The unit is that of [`MovingBox::gap`]: fixed-point units (2^32 units = 1.0), multiplied by the length of the
    /// face's normal.
    #[must_use]
    #[inline]
    pub fn along_face(&self, face: &Face) -> (i64, i64) {
        self.offsets_from_ends(tangent(face.normal), face.a, face.b, face.normal)
    }

    #[inline]
    fn offsets_from_ends(&self, along: I64Vec2, a: I64Vec2, b: I64Vec2, normal: I64Vec2) -> (i64, i64) {
        let (from_a, from_b) = (along.dot(self.center - a), along.dot(self.center - b));
        if is_slanted(normal) {
            // Only one corner of the box can touch a slanted face. Move both ends of the face by the offset of that
            // corner from the centre.
            let support = along.dot(normal.signum() * self.half);
            (from_a - support, from_b - support)
        } else {
            // A whole side of the box touches a face along an axis: extend the face by half that side at both ends.
            let side = self.half.dot(along.abs());
            (from_a + side, from_b - side)
        }
    }
}

#[inline]
fn is_slanted(normal: I64Vec2) -> bool {
    normal.x != 0 && normal.y != 0
}
