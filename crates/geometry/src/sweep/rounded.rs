//! A ray from the origin against an outline grown by a radius: what a sweep is if the mover or the obstacle is round.

use super::outline::{Corner, Outline};
use super::precision::{Number, Vector};
use crate::exact_arith::unit;
use crate::tolerance::{PARALLEL, ROUNDING, STEEP, TWOFOLD_FILTER};
use glam::DVec2;

/// What the ray finds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Met {
    Clear,
    Overlapping,
    At(Meeting),
}

/// Where the ray enters the grown outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Meeting {
    pub(super) toi: f64,
    pub(super) normal: DVec2,
    /// The corner that is met, or the one where the side that is met begins.
    pub(super) corner: Corner,
    pub(super) is_corner: bool,
}

/// The radius and the motion, with what the errors of f64 are measured by.
struct Scene<N> {
    radius: N,
    motion: Vector<N>,
    /// A length that is at least the motion's.
    path: f64,
    /// A length that is at least the distance of any corner from the mover, and at least the radius.
    size: f64,
}

/// The time at which the line along the motion enters.
enum Entry<N> {
    Never,
    /// Before the motion begins.
    Behind,
    Ahead(Ahead<N>),
}

struct Ahead<N> {
    time: N,
    /// Sure to be before the motion ends.
    is_within: bool,
    /// Normal to what is met, of any length.
    across: DVec2,
    corner: Corner,
    is_corner: bool,
    /// How head-on the arc is met: of arcs that are met at one time, the one with the largest value counts.
    head_on: f64,
}

/// Where does a ray by `motion` from the origin first enter an outline grown by the sum of the radii? `None` if the
/// type of number cannot tell.
///
/// A ray enters through the side whose straight part, moved out by the radius, has its start on the left of the ray and
/// its end not. If there is none, it enters through the arc at a corner, and that is the first of the arcs which it meets.
#[inline(always)]
pub(super) fn cast<N: Number>(outline: &impl Outline, radii: [f64; 2], motion: DVec2) -> Option<Met> {
    let radius = N::from(radii[0]) + N::from(radii[1]);
    let mut size = radius.to_f64();
    for index in 0..outline.count() {
        let at = outline.corner(index).at::<f64>();
        size = size.max(at.x.abs() + at.y.abs());
    }
    // The arcs of so small a radius are lost in the rounding of f64.
    if radius.is_slight(size * STEEP * STEEP) {
        return None;
    }
    let scene = Scene { radius, motion: motion.into(), path: motion.x.abs() + motion.y.abs(), size };
    match scene.enter(outline)? {
        Entry::Never => Some(Met::Clear),
        Entry::Ahead(ahead) if ahead.is_within => {
            let normal = unit(ahead.across).or(unit(-motion)).unwrap_or(DVec2::ZERO);
            let toi = fraction(ahead.time.to_f64());
            Some(Met::At(Meeting { toi, normal, corner: ahead.corner, is_corner: ahead.is_corner }))
        }
        Entry::Ahead(_) => Some(Met::Clear),
        Entry::Behind => {
            // Left behind too? Then the way back from here leads in.
            let back = Scene { motion: Vector { x: -scene.motion.x, y: -scene.motion.y }, ..scene };
            Some(if matches!(back.enter(outline)?, Entry::Behind) { Met::Overlapping } else { Met::Clear })
        }
    }
}

/// A time brought into the motion, where rounding left it: from 0, never -0, to 1.
#[inline]
pub(super) fn fraction(time: f64) -> f64 {
    time.clamp(0.0, 1.0) + 0.0
}

impl<N: Number> Scene<N> {
    #[inline]
    fn enter(&self, outline: &impl Outline) -> Option<Entry<N>> {
        let count = outline.count();
        if count > 1 {
            let mut corner = outline.corner(count - 1);
            for index in 0..count {
                let next = outline.corner(index);
                if let Some(side) = corner.to::<N>(next)
                    && self.motion.cross(side).to_f64() < 0.0
                    && let Some(entry) = self.side([corner, next], side, 0.0)
                {
                    return entry;
                }
                corner = next;
            }
        }
        let mut first: Option<Ahead<N>> = None;
        for index in 0..count {
            match self.arc(outline.corner(index))? {
                Entry::Never => {}
                Entry::Behind => return Some(Entry::Behind),
                Entry::Ahead(ahead) => {
                    let is_first = |first: &Ahead<N>| {
                        let later = (first.time - ahead.time).to_f64();
                        let level = later == 0.0 && ahead.head_on == first.head_on;
                        later > 0.0
                            || (later == 0.0 && ahead.head_on > first.head_on)
                            || (level && self.is_sooner(ahead.corner, first.corner))
                    };
                    if first.as_ref().is_none_or(is_first) {
                        first = Some(ahead);
                    }
                }
            }
        }
        // An arc beyond the end of the motion is behind what 106 bits do not see.
        let is_missed = |first: &Ahead<N>| (first.time - N::from(1.0)).to_f64() > 0.0;
        if N::ENTERS && first.as_ref().is_none_or(is_missed) {
            first = self.nearest(outline).or(first);
        }
        Some(first.map_or(Entry::Never, Entry::Ahead))
    }

    /// Is the one corner before the other along the motion, or beside it and nearer to the ray? By the way between them, which
    /// is exact enough where seen from the mover both are the same point.
    fn is_sooner(&self, corner: Corner, other: Corner) -> bool {
        let way = (corner.on - other.on) - (corner.by - other.by);
        let motion = self.motion.to_dvec2();
        let along = motion.dot(way);
        // More than 0 if it is further to the left, of a ray that both are on the left of, or to the right.
        let outwards = || motion.perp_dot(way) * self.motion.cross(corner.at()).to_f64();
        along < 0.0 || (along == 0.0 && outwards() < 0.0)
    }

    /// The side from one corner to the next, moved out: `None` if the ray passes it by more than the doubt, `Some(None)` if
    /// this number cannot tell.
    #[inline]
    fn side(&self, ends: [Corner; 2], side: Vector<N>, doubt: f64) -> Option<Option<Entry<N>>> {
        let length = side.dot(side).root();
        let moved_out = (self.radius * self.motion.dot(side)).over(length);
        // Its ends belong to it, so that it does not matter from which of them it is seen.
        let [start, end] = ends.map(|corner| (self.motion.cross(corner.at()) - moved_out).to_f64());
        if start >= -doubt && end <= doubt { Some(self.face(ends, side, length)) } else { None }
    }

    #[inline]
    fn face(&self, [corner, next]: [Corner; 2], side: Vector<N>, length: N) -> Option<Entry<N>> {
        let (start, end) = (corner.at::<N>(), next.at::<N>());
        let error = 2.0 * ROUNDING * length.to_f64();
        // Times the length of the side. Both ends count for the same, so that it does not matter which one comes first.
        let gap = -((start.cross(side) + end.cross(side)) * N::from(0.5) + self.radius * length);
        let approach = -self.motion.cross(side);
        if !N::ENTERS && gap.sign(error * self.size)? < 0.0 {
            return Some(Entry::Behind);
        }
        let is_within = N::ENTERS || (approach - gap).sign(error * (self.size + self.path))? > 0.0;
        if is_within && approach.is_slight(self.path * length.to_f64()) {
            return None;
        }
        let is_slight = N::ENTERS && approach.to_f64() < self.path * length.to_f64() * PARALLEL;
        let time = if is_slight {
            self.slight([start, end], side, [gap, approach], TWOFOLD_FILTER * length.to_f64() * self.size)
        } else {
            gap.over(approach)
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

    /// When a path that is all but parallel to a side comes to it, at the earliest: 106 bits do not tell the time of that,
    /// and what is seen later is overlapped before.
    #[cold]
    #[inline(never)]
    fn slight(&self, ends: [Vector<N>; 2], side: Vector<N>, [gap, approach]: [N; 2], doubt: f64) -> N {
        let along = self.motion.dot(side);
        let [start, end] = ends.map(|end| end.dot(side).over(along));
        // While it is beside the side.
        let (first, last) = if along.to_f64() > 0.0 { (start, end) } else { (end, start) };
        // Of what is no number, since nothing approaches, the other one.
        let later = |one: N, other: N| if (one - other).to_f64() > 0.0 { one } else { other };
        let time = later((gap - N::from(doubt)).over(approach), first);
        if (time - last).to_f64() > 0.0 { last } else { time }
    }

    /// The circle around a corner.
    ///
    /// With `at` the way to the corner, the ray is on the circle where `t^2 d.d - 2 t d.at + at.at - r^2 = 0`. A quarter of
    /// the discriminant is `r^2 d.d - (d x at)^2`: nothing is squared in it that could be small beside its error, as in
    /// `(d.at)^2 - d.d (at.at - r^2)`.
    #[inline]
    fn arc(&self, corner: Corner) -> Option<Entry<N>> {
        let at = corner.at::<N>();
        let path_sq = self.motion.dot(self.motion);
        let radius_sq = self.radius * self.radius;
        let (aside, whole) = (self.motion.cross(at), radius_sq * path_sq);
        let quarter = whole - aside * aside;
        let error = 4.0 * ROUNDING * self.size * self.size;
        if quarter.sign(error * self.path * self.path)? <= 0.0 {
            return Some(Entry::Never);
        }
        let (away, ahead) = (at.dot(at) - radius_sq, self.motion.dot(at));
        if N::ENTERS {
            // What is entered ahead is not entered behind: rounding sees an arc that is missed.
            if ahead.to_f64() <= 0.0 {
                return Some(Entry::Never);
            }
        } else if away.sign(error)? < 0.0 || ahead.sign(ROUNDING * self.size * self.path)? <= 0.0 {
            return Some(Entry::Behind);
        }
        let is_within = N::ENTERS || (path_sq - ahead).to_f64() > 0.0 || {
            let rest = at.minus(self.motion);
            (rest.dot(rest) - radius_sq).sign(error + 4.0 * ROUNDING * self.path * (self.size + self.path))? < 0.0
        };
        if is_within && quarter.is_slight(whole.to_f64() * STEEP) {
            return None;
        }
        let root = quarter.root();
        let time = away.over(ahead + root);
        Some(Entry::Ahead(self.on_arc(corner, aside, root, time, is_within)))
    }

    /// Where it first is as near as the radius but for the last of 98 bits: if it is known to enter, and 106 bits see it pass
    /// each side and each arc.
    #[cold]
    #[inline(never)]
    fn nearest(&self, outline: &impl Outline) -> Option<Ahead<N>> {
        let path_sq = self.motion.dot(self.motion);
        let doubt = TWOFOLD_FILTER * self.size * self.path;
        let reach = self.radius * path_sq.root() + N::from(doubt);
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
        let along = |corner: Corner| self.motion.dot(corner.at());
        let is_ahead = |along: N| along.to_f64() > 0.0;
        // Beyond the end by less than the doubt is at the end.
        let is_within = |along: N| (path_sq - along).to_f64() >= -doubt;
        let mut corner = outline.corner(outline.count() - 1);
        let mut before = along(corner);
        for index in 0..outline.count() {
            let next = outline.corner(index);
            let ahead = along(next);
            if let Some(side) = corner.to::<N>(next)
                && self.motion.cross(side).to_f64() < 0.0
                && (is_ahead(before) || is_ahead(ahead))
                && (is_within(before) || is_within(ahead))
                && let Some(Some(Entry::Ahead(met))) = self.side([corner, next], side, doubt)
            {
                offer(met);
            }
            let aside = self.motion.cross(next.at());
            let outwards = if aside.to_f64() < 0.0 { -aside } else { aside };
            if is_ahead(ahead) && is_within(ahead) && (reach - outwards).to_f64() >= 0.0 {
                let time = if (path_sq - ahead).to_f64() > 0.0 { ahead.over(path_sq) } else { N::from(1.0) };
                offer(self.on_arc(next, aside, N::from(0.0), time, true));
            }
            (corner, before) = (next, ahead);
        }
        nearest
    }

    /// Met on the arc around a corner, that `root` is before the middle of what the ray has inside of the circle.
    #[inline(always)]
    fn on_arc(&self, corner: Corner, aside: N, root: N, time: N, is_within: bool) -> Ahead<N> {
        // From the corner to where the mover then is, times the square of the motion: by its parts along the motion and
        // across it, since of a small circle the difference of the two places would be nothing but rounding.
        let square_to_motion = Vector { x: -self.motion.y, y: self.motion.x };
        let across = square_to_motion.times(-aside).minus(self.motion.times(root)).to_dvec2();
        Ahead { time, is_within, across, corner, is_corner: true, head_on: -aside.to_f64().abs() }
    }
}
