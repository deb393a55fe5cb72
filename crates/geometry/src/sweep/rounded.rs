//! Casts a ray from the origin against an outline grown by a radius: the sweep if the mover or the obstacle is round.

use super::outline::{Corner, Outline};
use super::precision::{Number, Vector};
use crate::exact_arith::unit;
use crate::tolerance::{PARALLEL, ROUNDING, STEEP, TWOFOLD_FILTER};
use glam::DVec2;

/// Result of casting the ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CastResult {
    Clear,
    Overlapping,
    At(CastHit),
}

/// The point where the ray enters the grown outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CastHit {
    pub(super) toi: f64,
    pub(super) normal: DVec2,
    /// The corner that is hit, or the corner at which the hit side starts.
    pub(super) corner: Corner,
    pub(super) is_corner: bool,
}

/// The radius and the motion, with the sizes on which the error bounds of f64 depend.
struct Scene<N> {
    radius: N,
    motion: Vector<N>,
    /// A length not shorter than the motion.
    path: f64,
    /// A length not shorter than the radius, or the distance of any corner from the mover.
    size: f64,
}

/// Where the infinite line along the motion enters.
enum Entry<N> {
    Never,
    /// The line enters before the motion starts.
    Behind,
    Ahead(Ahead<N>),
}

struct Ahead<N> {
    time: N,
    /// Whether the line certainly enters before the motion ends.
    is_within: bool,
    /// Normal of the hit feature, of any length.
    across: DVec2,
    corner: Corner,
    is_corner: bool,
    /// How directly the ray hits the arc. Of arcs hit at the same time, the one with the largest value counts.
    head_on: f64,
}

/// Casts a ray by `motion` from the origin against an outline grown by the sum of the radii. `None` if the number type
/// cannot tell.
///
/// The ray enters through the side that, moved out by the radius, starts on the left of the ray and does not end there.
/// If there is no such side, the ray enters through the first arc that it hits.
#[inline(always)]
pub(super) fn cast<N: Number>(outline: &impl Outline, radii: [f64; 2], motion: DVec2) -> Option<CastResult> {
    let radius = N::from(radii[0]) + N::from(radii[1]);
    let mut size = radius.to_f64();
    for index in 0..outline.corner_count() {
        let at = outline.corner(index).position::<f64>();
        size = size.max(at.x.abs() + at.y.abs());
    }
    // f64 is too inaccurate for the arcs of such a small radius. So `None` leaves the sweep to numbers of 106 bits.
    if radius.is_poor_divisor(size * STEEP * STEEP) {
        return None;
    }
    let scene = Scene { radius, motion: motion.into(), path: motion.x.abs() + motion.y.abs(), size };
    match scene.first_entry(outline)? {
        Entry::Never => Some(CastResult::Clear),
        Entry::Ahead(ahead) if ahead.is_within => {
            let normal = unit(ahead.across).or(unit(-motion)).unwrap_or(DVec2::ZERO);
            let toi = clamp_time_to_motion(ahead.time.to_f64());
            Some(CastResult::At(CastHit { toi, normal, corner: ahead.corner, is_corner: ahead.is_corner }))
        }
        Entry::Ahead(_) => Some(CastResult::Clear),
        Entry::Behind => {
            // The ray entered the outline before its origin. If the reversed ray did so too, the origin is inside.
            // Otherwise the outline lies behind the origin.
            let back = Scene { motion: Vector { x: -scene.motion.x, y: -scene.motion.y }, ..scene };
            Some(if matches!(back.first_entry(outline)?, Entry::Behind) {
                CastResult::Overlapping
            } else {
                CastResult::Clear
            })
        }
    }
}

/// Clamps a rounded time to the motion: from 0 (never -0) to 1.
#[inline]
pub(super) fn clamp_time_to_motion(time: f64) -> f64 {
    time.clamp(0.0, 1.0) + 0.0
}

impl<N: Number> Scene<N> {
    #[inline]
    fn first_entry(&self, outline: &impl Outline) -> Option<Entry<N>> {
        let count = outline.corner_count();
        if count > 1 {
            let mut corner = outline.corner(count - 1);
            for index in 0..count {
                let next = outline.corner(index);
                if let Some(side) = corner.direction_to::<N>(next)
                    && self.motion.cross(side).to_f64() < 0.0
                    && let Some(entry) = self.entry_through_side([corner, next], side, 0.0)
                {
                    return entry;
                }
                corner = next;
            }
        }
        let mut first: Option<Ahead<N>> = None;
        for index in 0..count {
            match self.entry_into_circle_around_corner(outline.corner(index))? {
                Entry::Never => {}
                Entry::Behind => return Some(Entry::Behind),
                Entry::Ahead(ahead) => {
                    let is_first = |first: &Ahead<N>| {
                        let later = (first.time - ahead.time).to_f64();
                        let level = later == 0.0 && ahead.head_on == first.head_on;
                        later > 0.0
                            || (later == 0.0 && ahead.head_on > first.head_on)
                            || (level && self.is_hit_earlier(ahead.corner, first.corner))
                    };
                    if first.as_ref().is_none_or(is_first) {
                        first = Some(ahead);
                    }
                }
            }
        }
        // If `ENTERS` is set, the ray is known to enter. But even with 106 bits, the ray may seem to miss every arc. Or
        // the ray may seem to hit an arc only beyond the end of the motion. Then search for the nearest feature.
        let is_missed = |first: &Ahead<N>| (first.time - N::from(1.0)).to_f64() > 0.0;
        if N::ENTERS && first.as_ref().is_none_or(is_missed) {
            first = self.first_feature_within_radius(outline).or(first);
        }
        Some(first.map_or(Entry::Never, Entry::Ahead))
    }

    /// Returns whether `corner` comes before `other` along the motion, or is beside it and closer to the ray.
    ///
    /// The displacement between the two decides: it is accurate even if both look like the same point from the mover.
    fn is_hit_earlier(&self, corner: Corner, other: Corner) -> bool {
        let way = (corner.on - other.on) - (corner.by - other.by);
        let motion = self.motion.to_dvec2();
        let along = motion.dot(way);
        // Positive if `corner` is further away from the ray than `other`, on their common side of the ray.
        let outwards = || motion.perp_dot(way) * self.motion.cross(corner.position()).to_f64();
        along < 0.0 || (along == 0.0 && outwards() < 0.0)
    }

    /// Returns the entry through the side from one corner to the next, moved out by the radius. `None` if the ray
    /// passes the side by more than `doubt`, `Some(None)` if this number type cannot tell.
    #[inline]
    fn entry_through_side(&self, ends: [Corner; 2], side: Vector<N>, doubt: f64) -> Option<Option<Entry<N>>> {
        let length = side.dot(side).square_root();
        let moved_out = (self.radius * self.motion.dot(side)).quotient(length);
        // Both tests include the end itself, so that the order of the ends does not matter.
        let [start, end] = ends.map(|corner| (self.motion.cross(corner.position()) - moved_out).to_f64());
        if start >= -doubt && end <= doubt { Some(self.entry_through_face(ends, side, length)) } else { None }
    }

    #[inline]
    fn entry_through_face(&self, [corner, next]: [Corner; 2], side: Vector<N>, length: N) -> Option<Entry<N>> {
        let (start, end) = (corner.position::<N>(), next.position::<N>());
        let error = 2.0 * ROUNDING * length.to_f64();
        // `gap` and `approach` are multiplied by the length of the side. `gap` uses both ends equally, so that their
        // order does not matter.
        let gap = -((start.cross(side) + end.cross(side)) * N::from(0.5) + self.radius * length);
        let approach = -self.motion.cross(side);
        if !N::ENTERS && gap.sign_if_certain(error * self.size)? < 0.0 {
            return Some(Entry::Behind);
        }
        let is_within = N::ENTERS || (approach - gap).sign_if_certain(error * (self.size + self.path))? > 0.0;
        if is_within && approach.is_poor_divisor(self.path * length.to_f64()) {
            return None;
        }
        let is_slight = N::ENTERS && approach.to_f64() < self.path * length.to_f64() * PARALLEL;
        let time = if is_slight {
            self.earliest_time_if_nearly_parallel(
                [start, end],
                side,
                [gap, approach],
                TWOFOLD_FILTER * length.to_f64() * self.size,
            )
        } else {
            gap.quotient(approach)
        };
        Some(Entry::Ahead(Ahead {
            time,
            is_within,
            across: DVec2::new(side.y.to_f64(), -side.x.to_f64()),
            corner,
            is_corner: false,
            head_on: 0.0,
        }))
    }

    /// Returns the earliest time at which a path nearly parallel to a side can reach it.
    ///
    /// 106 bits cannot tell the exact time. With a later time, the shapes would already overlap.
    #[cold]
    #[inline(never)]
    fn earliest_time_if_nearly_parallel(
        &self,
        ends: [Vector<N>; 2],
        side: Vector<N>,
        [gap, approach]: [N; 2],
        doubt: f64,
    ) -> N {
        let along = self.motion.dot(side);
        let [start, end] = ends.map(|end| end.dot(side).quotient(along));
        // Between these two times, the mover is next to the side, not beyond one of its ends.
        let (first, last) = if along.to_f64() > 0.0 { (start, end) } else { (end, start) };
        // If `approach` is 0, the quotient may be NaN. Then the comparison is false, and `later` returns `first`.
        let later = |one: N, other: N| if (one - other).to_f64() > 0.0 { one } else { other };
        let time = later((gap - N::from(doubt)).quotient(approach), first);
        if (time - last).to_f64() > 0.0 { last } else { time }
    }

    /// Returns the entry into the circle around a corner.
    ///
    /// With the displacement `at` to the corner, the ray is on the circle if `t^2 d.d - 2 t d.at + at.at - r^2 = 0`. A
    /// quarter of the discriminant is `r^2 d.d - (d x at)^2`. This form squares no number that is small compared with
    /// its error, unlike `(d.at)^2 - d.d (at.at - r^2)`.
    #[inline]
    fn entry_into_circle_around_corner(&self, corner: Corner) -> Option<Entry<N>> {
        let at = corner.position::<N>();
        let path_sq = self.motion.dot(self.motion);
        let radius_sq = self.radius * self.radius;
        let (aside, whole) = (self.motion.cross(at), radius_sq * path_sq);
        let quarter = whole - aside * aside;
        let error = 4.0 * ROUNDING * self.size * self.size;
        if quarter.sign_if_certain(error * self.path * self.path)? <= 0.0 {
            return Some(Entry::Never);
        }
        let (away, ahead) = (at.dot(at) - radius_sq, self.motion.dot(at));
        if N::ENTERS {
            // The ray never hits an arc whose centre is not ahead. A computed hit on such an arc would be a rounding
            // error.
            if ahead.to_f64() <= 0.0 {
                return Some(Entry::Never);
            }
        } else if away.sign_if_certain(error)? < 0.0 || ahead.sign_if_certain(ROUNDING * self.size * self.path)? <= 0.0
        {
            return Some(Entry::Behind);
        }
        let is_within = N::ENTERS || (path_sq - ahead).to_f64() > 0.0 || {
            let rest = at.minus(self.motion);
            (rest.dot(rest) - radius_sq)
                .sign_if_certain(error + 4.0 * ROUNDING * self.path * (self.size + self.path))?
                < 0.0
        };
        if is_within && quarter.is_poor_divisor(whole.to_f64() * STEEP) {
            return None;
        }
        let root = quarter.square_root();
        let time = away.quotient(ahead + root);
        Some(Entry::Ahead(self.entry_through_arc(corner, aside, root, time, is_within)))
    }

    /// Returns the first feature that the ray reaches within the radius, up to an error of 98 bits.
    ///
    /// Used for a ray that is known to enter, although with 106 bits it seems to pass each side and each arc.
    #[cold]
    #[inline(never)]
    fn first_feature_within_radius(&self, outline: &impl Outline) -> Option<Ahead<N>> {
        let path_sq = self.motion.dot(self.motion);
        let doubt = TWOFOLD_FILTER * self.size * self.path;
        let reach = self.radius * path_sq.square_root() + N::from(doubt);
        let mut nearest: Option<Ahead<N>> = None;
        let mut offer = |met: Ahead<N>| {
            let is_first = |nearest: &Ahead<N>| {
                let later = (nearest.time - met.time).to_f64();
                later > 0.0 || (later == 0.0 && met.head_on > nearest.head_on)
            };
            if nearest.as_ref().is_none_or(is_first) {
                nearest = Some(met);
            }
        };
        let along = |corner: Corner| self.motion.dot(corner.position());
        let is_ahead = |along: N| along.to_f64() > 0.0;
        // A corner that is less than `doubt` beyond the end of the motion counts as at the end.
        let is_within = |along: N| (path_sq - along).to_f64() >= -doubt;
        let mut corner = outline.corner(outline.corner_count() - 1);
        let mut before = along(corner);
        for index in 0..outline.corner_count() {
            let next = outline.corner(index);
            let ahead = along(next);
            if let Some(side) = corner.direction_to::<N>(next)
                && self.motion.cross(side).to_f64() < 0.0
                && (is_ahead(before) || is_ahead(ahead))
                && (is_within(before) || is_within(ahead))
                && let Some(Some(Entry::Ahead(met))) = self.entry_through_side([corner, next], side, doubt)
            {
                offer(met);
            }
            let aside = self.motion.cross(next.position());
            let outwards = if aside.to_f64() < 0.0 { -aside } else { aside };
            if is_ahead(ahead) && is_within(ahead) && (reach - outwards).to_f64() >= 0.0 {
                let time = if (path_sq - ahead).to_f64() > 0.0 { ahead.quotient(path_sq) } else { N::from(1.0) };
                offer(self.entry_through_arc(next, aside, N::from(0.0), time, true));
            }
            (corner, before) = (next, ahead);
        }
        nearest
    }

    /// Returns the entry through the arc around a corner. `root` is half the chord of the ray inside the circle, times
    /// the length of the motion.
    #[inline(always)]
    fn entry_through_arc(&self, corner: Corner, aside: N, root: N, time: N, is_within: bool) -> Ahead<N> {
        // `across` is the displacement from the corner to the mover at the hit, times the squared length of the motion.
        // Add `across` up from its parts along the motion and across it. For a small circle, the difference of the two
        // positions would be only rounding.
        let square_to_motion = Vector { x: -self.motion.y, y: self.motion.x };
        let across = square_to_motion.times(-aside).minus(self.motion.times(root)).to_dvec2();
        Ahead { time, is_within, across, corner, is_corner: true, head_on: -aside.to_f64().abs() }
    }
}
