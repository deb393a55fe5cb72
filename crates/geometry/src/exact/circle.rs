use super::tolerance::{CONE, CORNER_FILTER, GRAZE, NEAR_GRAZE, SIDE_FILTER, TOUCH};
use super::wide::{nearest_f64, product_difference};
use super::{Corner, Face, FaceOffsets, tangent, wide_cross, wide_dot};
use glam::{DVec2, I64Vec2};

/// A moving circle for sweeps in fixed point: start, radius and motion, in fixed-point units (2^32 units = 1.0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovingCircle {
    /// Centre of the circle at the start of the motion, in fixed-point units (2^32 units = 1.0).
    pub center: I64Vec2,
    /// Radius of the circle in fixed-point units (2^32 units = 1.0), 0 or more.
    pub radius: i64,
    /// Displacement of the circle from start to end, in fixed-point units (2^32 units = 1.0).
    pub motion: I64Vec2,
}

/// The earliest hit of a moving circle on an edge or on an end point of the edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CircleHit {
    /// Time of impact as a fraction of the motion, from 0 (start) to 1 (end).
    pub toi: f64,
    /// Contact normal: a unit vector that points from the edge to the circle.
    pub normal: DVec2,
}

impl MovingCircle {
    /// Returns the time of impact with `face`, as a fraction of the motion from 0 to 1.
    ///
    /// The error of the time is at most 4 units (2^32 units = 1.0) along a motion of up to 2^42 units. Integers
    /// decide exactly on which side of the face the circle starts and ends.
    ///
    /// Returns `None` in these cases:
    /// - The circle moves along the face or away from it.
    /// - The circle starts behind the face, or overlaps the infinite line through the face.
    /// - The circle ends in front of the face, or only touches it there.
    /// - At the time of impact, the circle's centre is beyond an end of the face, measured along the face.
    #[must_use]
    #[inline]
    pub fn against_face(&self, face: &Face) -> Option<f64> {
        self.against_offsets(&self.offsets(face))
    }

    /// Returns the position of the circle relative to `face`, for use with [`MovingCircle::against_offsets`].
    ///
    /// Compute the offsets once to sweep several motions from the same start position.
    #[must_use]
    #[inline(always)]
    pub fn offsets(&self, face: &Face) -> FaceOffsets {
        let along = tangent(face.normal);
        let (a, b) = (self.center - face.a, self.center - face.b);
        FaceOffsets { normal: face.normal, gap: face.normal.dot(a), from_a: along.dot(a), from_b: along.dot(b) }
    }

    /// Returns the same time of impact as [`MovingCircle::against_face`], faster if the circle is swept against a face
    /// more than once.
    ///
    /// `offsets` must come from [`MovingCircle::offsets`] of a circle with the same size and start position; the motion
    /// may differ. The time is a fraction of the motion from 0 to 1.
    #[must_use]
    #[inline(always)]
    pub fn against_offsets(&self, offsets: &FaceOffsets) -> Option<f64> {
        let FaceOffsets { normal, gap: height, from_a, from_b } = *offsets;
        let approach = -normal.dot(self.motion);
        if approach <= 0 {
            return None;
        }
        let end_height = height - approach;
        let length_sq = normal.dot(normal);
        let length = (length_sq as f64).sqrt();
        let reach = self.radius as f64 * length;
        if self.is_in_front_of_line(end_height, length_sq, length, reach)
            || !self.is_in_front_of_line(height, length_sq, length, reach)
        {
            return None;
        }
        // The gap is `(height_sq - reach_sq) / (height + reach)`. Integers compute the difference of squares exactly,
        // so f64 loses no digits.
        let height_sq = i128::from(height) * i128::from(height);
        let reach_sq = i128::from(self.radius) * i128::from(self.radius) * i128::from(length_sq);
        let gap = nearest_f64(height_sq - reach_sq) / (height as f64 + reach).max(1.0);
        let toi = (gap / approach as f64).clamp(0.0, 1.0);
        let passed = tangent(normal).dot(self.motion);
        // Measure from each end separately, so that a mirrored scene rounds in the same way.
        let outside_a = from_a as f64 + toi * (passed as f64) < 0.0;
        let outside_b = from_b as f64 + toi * (passed as f64) > 0.0;
        if !outside_a && !outside_b {
            return Some(toi);
        }
        // At `toi`, the centre is past an end of the face, so the corner's arc should be hit first. If the centre comes
        // over the face soon after, rounding may hide the hit on the arc. Then return the time at which the centre
        // comes over the face.
        let (from, enters) = if outside_a {
            (from_a, passed > 0 && from_a + passed >= 0)
        } else {
            (from_b, passed < 0 && from_b + passed <= 0)
        };
        if !enters {
            return None;
        }
        let entry = -(from as f64) / passed as f64;
        let past = approach as f64 * entry - gap;
        if (0.0..=1.0).contains(&entry) && past <= GRAZE * length { Some(entry) } else { None }
    }

    // Derivation: the time t solves |o + t d| = r, with o from the corner to the circle's centre, d the motion, r the
    // radius. A quarter of the discriminant is D = (r|d| - |o x d|)(r|d| + |o x d|). Where r|d| and |o x d| are nearly
    // equal, f64 would lose the digits of their difference, so integers compute D as r^2 |d|^2 - |o x d|^2. The earlier
    // root is (|o|^2 - r^2) / (-o.d + sqrt D). Its denominator adds two positive numbers, which loses no digits.
    /// Returns the time of impact with `corner`, as a fraction of the motion from 0 to 1.
    ///
    /// Integers decide exactly whether the circle overlaps the corner at the start and at the end.
    ///
    /// Returns `None` in these cases:
    /// - The motion does not bring the circle closer to the corner.
    /// - The circle overlaps the corner at the start.
    /// - The circle passes the corner without a hit.
    /// - The contact normal lies outside the corner's cone, the directions in which the corner can be hit (see
    ///   [`Corner`]).
    #[must_use]
    #[inline]
    pub fn against_corner(&self, corner: &Corner) -> Option<f64> {
        let offset = self.center - corner.vertex;
        let reach_sq = i128::from(self.radius) * i128::from(self.radius);
        let toward = wide_dot(offset, self.motion);
        let room = wide_dot(offset, offset) - reach_sq;
        if toward >= 0 || room < 0 {
            return None;
        }
        let end = offset + self.motion;
        let ends_inside = wide_dot(end, end) < reach_sq;
        let motion_sq = wide_dot(self.motion, self.motion);
        if !ends_inside && toward + motion_sq <= 0 {
            return None;
        }
        let reach = self.radius as f64 * nearest_f64(motion_sq).sqrt();
        let cross = wide_cross(offset, self.motion);
        let aside = nearest_f64(cross).abs();
        let clearance = reach - aside;
        let discriminant = if clearance > NEAR_GRAZE * reach {
            clearance * (reach + aside)
        } else {
            let aside = cross.unsigned_abs();
            product_difference([reach_sq.unsigned_abs(), motion_sq.unsigned_abs()], [aside, aside])
        };
        if !ends_inside && discriminant <= 0.0 {
            return None;
        }
        let toi = (nearest_f64(room) / (-nearest_f64(toward) + discriminant.max(0.0).sqrt())).min(1.0);
        let normal = offset.as_dvec2() + self.motion.as_dvec2() * toi;
        if is_normal_in_cone(corner, normal) { Some(toi) } else { None }
    }

    /// Filters faces before a sweep: returns the offsets of the circle to `face` if its motion may hit the face.
    ///
    /// `None` guarantees that the motion misses the face. `Some` does not guarantee a hit. Pass the offsets to
    /// [`MovingCircle::against_offsets`].
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
        let height = normal.dot(self.center - face.a);
        let lowest = height - (-normal.dot(self.motion)).max(0) - slack;
        let length = (normal.dot(normal) as f64).sqrt();
        let reach = self.radius as f64 * length;
        // No face that a shorter motion hits may be refused here. For a hit, `against_offsets` demands that the motion
        // starts in front of the line and ends behind it. It asks `is_in_front_of_line`, which compares with the same
        // `filter` as the test below. A shorter motion ends no lower than `lowest`, and converting heights to f64 keeps
        // their order. So `against_offsets` finds no hit on a face refused here, and `filter` needs no extra margin.
        let filter = SIDE_FILTER * length;
        if height as f64 - reach < -filter || lowest as f64 - reach > filter {
            return None;
        }
        let offsets = self.offsets(face);
        // `against_offsets` computes in f64 where the centre is along the face. Such a number has up to 2^56 units and
        // a relative error of 2^-52. So its error is at most 16 units, less than `SIDE_FILTER`.
        offsets.may_get_between_face_ends(self.motion, slack + SIDE_FILTER as i64).then_some(offsets)
    }

    // Derivation: a shorter motion lies on the path of the whole motion, except that rounding moves its end by up to
    // `sqrt(2) * stray`. So if a shorter motion comes within the radius of the corner, the whole motion comes within
    // the radius plus `sqrt(2) * stray`. The code allows a little more: the radius plus `2 * stray` plus
    // `CORNER_FILTER`, times the length of the motion. That product is called `reach`. Three distances must be at most
    // `reach`, each also times the length of the motion: how far the corner is from the line of the motion, how far
    // behind its start, and how far beyond its end.
    //
    // `CORNER_FILTER` covers the rounding of f64. Offsets and motions have up to 2^43 units. Each product, and each sum
    // of two products, is wrong by at most 2^-53 of its size. By the Cauchy-Schwarz inequality, the two products are
    // together at most the length of the offset times the length of the motion. So in total, the distances are wrong by
    // at most 2^-51 of the offset plus 2^-51 of the reach. That is less than 2^-7 units.
    /// Filters corners before a sweep: returns whether the motion may hit `corner`.
    ///
    /// `false` guarantees that the motion misses the corner. `true` does not guarantee a hit.
    ///
    /// The result also holds for every shorter motion `t * motion`, with `t` from 0 to 1, even if the shorter motion
    /// was rounded by up to `stray` units (2^32 units = 1.0) on each axis. Pass 0 if your motions are not rounded.
    #[must_use]
    #[inline]
    pub fn may_hit_corner(&self, corner: &Corner, stray: i64) -> bool {
        let (offset, motion) = ((self.center - corner.vertex).as_dvec2(), self.motion.as_dvec2());
        let motion_sq = motion.length_squared();
        let reach = ((self.radius + 2 * stray) as f64 + CORNER_FILTER) * motion_sq.sqrt();
        let toward = offset.dot(motion);
        offset.perp_dot(motion).abs() <= reach && toward <= reach && -toward - motion_sq <= reach
    }

    /// Returns whether the circle, at its start position, touches the front of `face`.
    ///
    /// The gap must be at most [`TOUCH`] units (2^32 units = 1.0). The centre must lie between the ends of the face,
    /// measured along the face.
    #[must_use]
    #[inline]
    pub fn touches_face(&self, face: &Face) -> bool {
        let normal = face.normal;
        let height = normal.dot(self.center - face.a);
        let length = (normal.dot(normal) as f64).sqrt();
        let gap = height as f64 - self.radius as f64 * length;
        if height < 0 || gap < -length || gap > TOUCH as f64 * length {
            return false;
        }
        let along = tangent(normal);
        along.dot(self.center - face.a) >= 0 && along.dot(self.center - face.b) <= 0
    }

    /// Returns whether the circle, at its start position, touches `corner`.
    ///
    /// The gap must be at most [`TOUCH`] units (2^32 units = 1.0). The direction from the corner to the centre must
    /// lie inside the corner's cone, the directions in which the corner can be hit (see [`Corner`]).
    #[must_use]
    #[inline]
    pub fn touches_corner(&self, corner: &Corner) -> bool {
        let offset = self.center - corner.vertex;
        wide_dot(corner.first, offset) >= 0
            && wide_dot(corner.second, offset) >= 0
            && self.is_within_touch_distance(offset, 0.0)
    }

    /// Returns whether the circle touches `corner`, with extra tolerance for a circle that a sweep moved to the
    /// corner.
    ///
    /// The gap may be up to [`TOUCH`] plus `slack` units (2^32 units = 1.0). The direction from the corner to the
    /// centre may lie slightly outside the corner's cone, the directions in which the corner can be hit (see
    /// [`Corner`]). The allowance is as large as the rounding of a sweep, and of a slide along the tangent, can be.
    #[must_use]
    #[inline]
    pub fn still_touches_corner(&self, corner: &Corner, slack: f64) -> bool {
        let offset = self.center - corner.vertex;
        is_normal_in_cone(corner, offset.as_dvec2()) && self.is_within_touch_distance(offset, slack)
    }

    fn is_within_touch_distance(&self, offset: I64Vec2, slack: f64) -> bool {
        let gap = nearest_f64(wide_dot(offset, offset)).sqrt() - self.radius as f64;
        (-1.0..=TOUCH as f64 + slack).contains(&gap)
    }

    /// Returns whether the circle lies in front of a line or touches it. `height` is that of the centre above the line,
    /// times the length of the normal.
    fn is_in_front_of_line(&self, height: i64, length_sq: i64, length: f64, reach: f64) -> bool {
        let gap = height as f64 - reach;
        if gap > SIDE_FILTER * length {
            return true;
        }
        if gap < -SIDE_FILTER * length {
            return false;
        }
        if length_sq == 1 {
            return height >= self.radius;
        }
        let square = |value: i64| i128::from(value) * i128::from(value);
        height >= 0 && square(height) >= square(self.radius) * i128::from(length_sq)
    }
}

fn is_normal_in_cone(corner: &Corner, normal: DVec2) -> bool {
    corner.first.as_dvec2().dot(normal) >= -CONE && corner.second.as_dvec2().dot(normal) >= -CONE
}
