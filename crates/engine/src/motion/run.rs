//! Runs: stretches of straight floor on which a shape can walk with nothing in its way, so that nothing need be asked.
//!
//! A run is a fact about the terrain, not a guess: everywhere on it the shape touches the floor and nothing else, and no
//! piece but the floor's comes near. So a way that stays on it ends where walking it leg by leg would end.

use super::cast::Probe;
use super::grown::Grown;
use super::nearby::Nearby;
use super::surface::Surface;
use super::walk::{Walk, nearest, unit};
use super::{Shape, Surfaces};
use crate::terrain::Role;
use glam::{DVec2, I64Vec2};
use surefoot_geometry::exact::tangent;
use surefoot_geometry::{ONE, Place};

/// A stretch of straight floor, seen from the corner that the pieces nearby count from.
///
/// Places on it are told by the centre's part along the tangent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    normal: I64Vec2,
    /// To the right along the floor.
    tangent: I64Vec2,
    /// The tangent's length, and itself with length 1.
    length: f64,
    direction: DVec2,
    /// The tangent's length squared: a step along it.
    stride: i64,
    /// The floor's part along the normal, and the centre's on it.
    line: i64,
    level: i64,
    /// Between which places it stands on the floor and nothing else is near; both included.
    free: (i64, i64),
    /// Between which it touches the same tiles as when that was last looked at.
    same: (i64, i64),
}

impl Run {
    /// None: no place is on it.
    pub(super) const NONE: Run = Run {
        normal: I64Vec2::ZERO,
        tangent: I64Vec2::ZERO,
        length: 1.0,
        direction: DVec2::ZERO,
        stride: 1,
        line: 0,
        level: -1,
        free: (0, -1),
        same: (0, -1),
    };

    #[inline(always)]
    fn leads_from(&self, center: I64Vec2) -> bool {
        self.normal.dot(center) == self.level
    }
}

/// A way on a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stroll {
    pub(crate) way: I64Vec2,
    /// To the right along the floor.
    pub(crate) direction: DVec2,
    /// Which tiles are touched changes on the way.
    pub(crate) steps_over: bool,
    /// Where it ends, by the centre's part along the tangent.
    end: i64,
}

impl Nearby {
    /// The way of a length in tiles along the floor, to the right if positive, if all of it is on a run that is known.
    #[inline(always)]
    pub(crate) fn stroll(&self, place: Place, length: f64) -> Option<Stroll> {
        let run = &self.run;
        let center = self.seen(place);
        if !run.leads_from(center) {
            return None;
        }
        let steps = nearest(length.abs() * ONE as f64 / run.length);
        let steps = if length.is_sign_negative() { -steps } else { steps };
        let from = run.tangent.dot(center);
        let end = from + steps * run.stride;
        let (low, high) = (from.min(end), from.max(end));
        if low < run.free.0 || high > run.free.1 {
            return None;
        }
        let steps_over = steps != 0 && (low < run.same.0 || high > run.same.1);
        Some(Stroll { way: run.tangent * steps, direction: run.direction, steps_over, end })
    }

    /// What is touched where a stroll ends that has stepped over something.
    #[inline(never)]
    pub(crate) fn step_over(&mut self, shape: Shape, stroll: &Stroll, place: Place, surfaces: &mut Surfaces) {
        surfaces.clear();
        let center = self.seen(place);
        surfaces.extend(self.pieces.iter().filter(|g| g.is_touched(shape, place, center)).map(|g| g.surface));
        self.run.same = same(&self.run, &self.pieces, stroll.end);
    }
}

impl Probe<'_> {
    /// Looks for a run where a walk has ended, so that the next ones may be strolls.
    #[inline]
    pub(crate) fn find_run(&mut self, walk: &Walk<'_, '_>) {
        let run = &self.near.run;
        let center = self.near.seen(walk.place);
        let along = run.tangent.dot(center);
        if !run.leads_from(center) || along < run.free.0 || along > run.free.1 {
            self.near.run = self.run_under(walk.touch.now(), center).unwrap_or(Run::NONE);
        }
    }

    #[inline(never)]
    fn run_under(&self, touched: &[Surface], center: I64Vec2) -> Option<Run> {
        let first = touched.first()?;
        let normal = first.piece.normal.as_i64vec2();
        let is_level =
            |surface: &Surface| surface.piece.role == Role::Face && surface.piece.normal == first.piece.normal;
        if !self.scene.frame.is_floor(normal) || !touched.iter().all(is_level) {
            return None;
        }
        let pieces = &self.near.pieces;
        let floor = pieces.iter().find(|grown| grown.surface == *first)?;
        let tangent = tangent(normal);
        let stride = tangent.dot(tangent);
        let along = tangent.dot(center);
        // The floor as far as it goes on without a gap.
        let (mut low, mut high) = floor.touched_between();
        loop {
            let before = (low, high);
            for grown in pieces.iter().filter(|grown| grown.is_on(normal, floor.line())) {
                let (start, end) = grown.touched_between();
                if start <= high + 1 && end >= low - 1 {
                    (low, high) = (low.min(start), high.max(end));
                }
            }
            if before == (low, high) {
                break;
            }
        }
        let mut cut = |spans: [Span; 2]| {
            // From where both are so, up to where one of them no longer is.
            let [(first, last), (other_first, other_last)] = spans;
            if first.is_nan() || other_first.is_nan() {
                return Some(());
            }
            let (start, end) = (first.max(other_first), last.min(other_last));
            if start > end {
                return Some(());
            }
            if end < 0.0 {
                low = low.max(along + end.ceil() as i64 + 1);
            } else if start > 0.0 {
                high = high.min(along + start.floor() as i64 - 1);
            } else {
                return None;
            }
            Some(())
        };
        let way = tangent.as_dvec2() / stride as f64;
        // The pieces nearby reach only so far.
        for [out, all] in self.near.ends(center, self.shape.half(), way) {
            cut([out, all])?;
        }
        for grown in pieces.iter().filter(|grown| !grown.is_on(normal, floor.line())) {
            cut(grown.nears(self.shape, center, way))?;
        }
        let direction = unit(tangent);
        let length = tangent.as_dvec2().length();
        let (free, line, level) = ((low, high), floor.line(), normal.dot(center));
        let mut run = Run { normal, tangent, length, direction, stride, line, level, free, same: (0, -1) };
        run.same = same(&run, pieces, along);
        (low <= along && along <= high).then_some(run)
    }
}

/// A stretch of a way, from here, NaN for none; as a multiple of what one unit of the place along the tangent is.
pub(super) type Span = (f64, f64);

/// Where a value that grows at a rate is within bounds.
pub(super) fn span_within(value: f64, rate: f64, (low, high): (f64, f64)) -> Span {
    if rate == 0.0 {
        return if low <= value && value <= high { (f64::NEG_INFINITY, f64::INFINITY) } else { (f64::NAN, f64::NAN) };
    }
    let (a, b) = ((low - value) / rate, (high - value) / rate);
    (a.min(b), a.max(b))
}

/// Between which places on a run the shape touches the same tiles as at one of them.
fn same(run: &Run, pieces: &[Grown], along: i64) -> (i64, i64) {
    let (mut low, mut high) = run.free;
    for grown in pieces.iter().filter(|grown| grown.is_on(run.normal, run.line)) {
        let (start, end) = grown.touched_between();
        if along < start {
            high = high.min(start - 1);
        } else if along > end {
            low = low.max(end + 1);
        } else {
            (low, high) = (low.max(start), high.min(end));
        }
    }
    (low, high)
}
