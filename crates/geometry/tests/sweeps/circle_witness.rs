//! Witness of a circle against an edge, by bisection of time.
//!
//! The distance of a point on a straight path from a segment is a convex function of time. So there is at most one
//! entry, and it lies before any moment inside. Unbounded integers decide whether the circle overlaps at a moment.
//! Moments are multiples of 2^-48 of the motion, less than 2^-8 of a unit along the longest path. No quadratic equation
//! is solved.

use crate::scene::{End, Scene};
use num_bigint::BigInt;
use surefoot_geometry::{I64Vec2, Sweep};

const BITS: u32 = 48;
/// The moment at which the motion ends.
pub(crate) const LAST: i64 = 1 << BITS;

/// The expected result of the sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Expected {
    Overlapping,
    Clear,
    /// At this fraction of the motion.
    Hit(f64),
    /// At one of these fractions of the motion, or clear: the scene is closer to a border than the margins.
    Either(f64, f64),
    /// Any result is right. The circle overlaps by less than a margin at the start, grazes an end within one moment, or
    /// enters where nothing stops it.
    Barely,
}

/// Distances, in units, within which the result may go either way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Margins {
    /// Overlap at the start.
    pub(crate) start: i64,
    /// Distance of a contact from the border between two parts of the outline.
    pub(crate) border: i64,
    /// How far behind the face's line a circle may be when it hits the face beyond a joined end.
    pub(crate) past: i64,
    /// Whether a motion that is parallel up to 2^-47 may count as parallel.
    pub(crate) parallel: bool,
}

#[derive(Clone)]
struct Vector {
    x: BigInt,
    y: BigInt,
}

impl Vector {
    fn new(v: I64Vec2) -> Vector {
        Vector { x: v.x.into(), y: v.y.into() }
    }

    fn dot(&self, v: &Vector) -> BigInt {
        &self.x * &v.x + &self.y * &v.y
    }

    fn cross(&self, v: &Vector) -> BigInt {
        &self.x * &v.y - &self.y * &v.x
    }

    fn minus(&self, v: &Vector) -> Vector {
        Vector { x: &self.x - &v.x, y: &self.y - &v.y }
    }

    /// Returns whether the component along a direction is less than `units` in absolute value.
    fn is_level(&self, direction: &Vector, units: i64) -> bool {
        let along = self.dot(direction);
        let margin: BigInt = BigInt::from(units) << BITS;
        &along * &along <= &margin * &margin * direction.dot(direction)
    }
}

/// The path of the centre, relative to the start of the edge. Lengths are units times 2^48.
struct Path {
    from: Vector,
    motion: Vector,
    tangent: Vector,
    /// The tangent times 2^48, which is the end of the edge.
    end: Vector,
}

impl Path {
    fn new(scene: &Scene) -> Path {
        let scaled = |v: I64Vec2| Vector { x: BigInt::from(v.x) << BITS, y: BigInt::from(v.y) << BITS };
        Path {
            from: scaled(scene.center - scene.a),
            motion: Vector::new(scene.motion),
            tangent: Vector::new(scene.tangent()),
            end: scaled(scene.tangent()),
        }
    }

    fn at(&self, moment: i64) -> Vector {
        Vector { x: &self.from.x + &self.motion.x * moment, y: &self.from.y + &self.motion.y * moment }
    }

    /// Returns whether the interior of the circle overlaps the edge. The radius is in units.
    fn overlaps(&self, moment: i64, radius: i64) -> bool {
        let reach: BigInt = BigInt::from(radius) << BITS;
        let reach_sq = &reach * &reach;
        let at = self.at(moment);
        let beyond = at.minus(&self.end);
        let zero = BigInt::ZERO;
        if radius <= 0 {
            false
        } else if self.tangent.dot(&at) <= zero {
            at.dot(&at) < reach_sq
        } else if self.tangent.dot(&beyond) >= zero {
            beyond.dot(&beyond) < reach_sq
        } else {
            let height = self.tangent.cross(&at);
            &height * &height < reach_sq * self.tangent.dot(&self.tangent)
        }
    }

    /// Returns moments, of which one is nearest to the edge up to rounding: the ends of the path, and where it is
    /// nearest to the edge's ends or crosses the edge's line.
    fn nearest(&self) -> Vec<i64> {
        let beyond = self.from.minus(&self.end);
        let quotients = [
            (-self.from.dot(&self.motion), self.motion.dot(&self.motion)),
            (-beyond.dot(&self.motion), self.motion.dot(&self.motion)),
            (-self.tangent.cross(&self.from), self.tangent.cross(&self.motion)),
        ];
        let clamped = quotients.into_iter().filter(|(_, by)| *by != BigInt::ZERO).map(|(a, b)| {
            let moment: BigInt = (a / b).clamp(BigInt::ZERO, BigInt::from(LAST));
            i64::try_from(moment).unwrap()
        });
        clamped.chain([0, LAST]).collect()
    }

    /// Returns the moment at which the centre is level with an end of the edge.
    fn at_end(&self, end: bool) -> Option<i64> {
        let speed = self.tangent.dot(&self.motion);
        let from = if end { self.from.minus(&self.end) } else { self.from.clone() };
        if speed == BigInt::ZERO { None } else { i64::try_from(-self.tangent.dot(&from) / speed).ok() }
    }

    /// Returns whether the circle of that radius overlaps the edge's line.
    fn is_past(&self, moment: i64, radius: i64) -> bool {
        let reach: BigInt = BigInt::from(radius) << BITS;
        let height = self.tangent.cross(&self.at(moment));
        radius > 0 && &height * &height < &reach * &reach * self.tangent.dot(&self.tangent)
    }

    /// Returns a moment at which the circle of that radius overlaps.
    fn inside(&self, radius: i64) -> Option<i64> {
        self.nearest().into_iter().find(|&moment| self.overlaps(moment, radius))
    }
}

pub(crate) fn expected(scene: &Scene, margins: Margins) -> Expected {
    let radius = scene.half.x;
    let path = Path::new(scene);
    if path.overlaps(0, radius) {
        let deep = margins.start == 0 || path.overlaps(0, radius - margins.start);
        return if deep { Expected::Overlapping } else { Expected::Barely };
    }
    let Some(inside) = path.inside(radius) else {
        // A graze may be so shallow that it lies between two moments. At the start of the motion, it only counts if the
        // circle moves inwards.
        let crossing = path.tangent.cross(&path.motion);
        let between = |&moment: &i64| {
            let goes_on = moment > 0 || crossing < BigInt::ZERO;
            goes_on && moment < LAST && path.overlaps(moment, radius + 1)
        };
        let grazes = crossing != BigInt::ZERO && path.nearest().iter().any(between);
        return if grazes { Expected::Barely } else { Expected::Clear };
    };
    let (mut before, mut after) = (0, inside);
    while after - before > 1 {
        let middle = before + (after - before) / 2;
        if path.overlaps(middle, radius) { after = middle } else { before = middle }
    }
    let time = fraction(after);
    let answer = |hits, close| match (hits, close) {
        (_, true) => Expected::Either(time, time),
        (true, false) => Expected::Hit(time),
        (false, false) => Expected::Clear,
    };

    let normal = Vector { x: -&path.tangent.y, y: path.tangent.x.clone() };
    let along = normal.dot(&path.motion);
    let zero = BigInt::ZERO;
    let nearly_parallel = margins.parallel && {
        let sine_sq: BigInt = (&along * &along) << 94;
        sine_sq <= normal.dot(&normal) * path.motion.dot(&path.motion)
    };
    let at = path.at(after);
    let beyond = at.minus(&path.end);
    let before_start = path.tangent.dot(&at) < zero;
    let after_end = path.tangent.dot(&beyond) > zero;
    let at_border = at.is_level(&path.tangent, margins.border) || beyond.is_level(&path.tangent, margins.border);
    if !before_start && !after_end {
        let from_front = along < zero && normal.dot(&at) > zero;
        let can_differ = at_border && (scene.start == End::Joined || scene.end == End::Joined);
        // A circle from behind may pass the end of a thin wall so closely that it hits that end.
        let past_tip = at_border && [scene.start, scene.end].iter().any(|end| matches!(end, End::Convex(_)));
        return answer(from_front, if from_front { nearly_parallel || can_differ } else { past_tip });
    }
    let (end, other, out, outward) = if before_start {
        (scene.start, scene.end, at, Vector::new(-scene.tangent()))
    } else {
        (scene.end, scene.start, beyond, Vector::new(scene.tangent()))
    };
    let in_front = normal.dot(&out) >= zero;
    let level = out.is_level(&normal, margins.border);
    let answered = match end {
        End::Joined if along < zero => {
            // The circle enters beyond a joined end. When its centre comes over the face, it may be at most
            // `margins.past` behind the face's line. Then the sweep may also report this later time.
            let entry = path.at_end(after_end).unwrap_or(after);
            let reached = (after..=LAST).contains(&entry) && !path.is_past(entry, radius - margins.past);
            if reached { Expected::Either(time, fraction(entry)) } else { answer(false, at_border) }
        }
        // The circle moves along the face or away from it, and overlaps by at most `margins.past`. It may then hit the
        // other end, so any result is right.
        End::Joined if path.inside(radius - margins.past).is_none() => Expected::Barely,
        End::Joined => Expected::Clear,
        End::Rim => answer(in_front && along <= zero, level || nearly_parallel),
        End::Free => answer(in_front && along < zero, level && along < zero),
        End::Convex(last) => {
            // Bounds of the cone: the outward direction, and the perpendicular of `last` on the side of the normal.
            let last = Vector::new(last);
            if outward.dot(&last) < zero || (outward.dot(&last) == zero && normal.dot(&last) > zero) {
                return answer(false, at_border);
            }
            let square = if after_end {
                Vector { x: -&last.y, y: last.x.clone() }
            } else {
                Vector { x: last.y.clone(), y: -&last.x }
            };
            let inside = out.dot(&square) >= zero;
            answer(inside, out.is_level(&square, margins.border))
        }
    };
    // A corner stops a circle from any direction. So it may also stop a circle that entered at the other end.
    let goes_on = answered == Expected::Clear && matches!(other, End::Convex(_));
    if goes_on { Expected::Barely } else { answered }
}

fn fraction(moment: i64) -> f64 {
    moment as f64 / LAST as f64
}

/// Counts of the results of many scenes.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    scenes: u64,
    hits: u64,
    overlaps: u64,
    close: u64,
}

impl Tally {
    pub(crate) fn check(
        &mut self,
        found: Sweep<f64>,
        expected: Expected,
        same_time: impl Fn(f64, f64) -> bool,
        scene: &Scene,
    ) {
        let agrees = match (found, expected) {
            (Sweep::Overlapping, Expected::Overlapping) | (_, Expected::Barely) => true,
            (Sweep::Clear, Expected::Clear | Expected::Either(..)) => true,
            (Sweep::Hit(toi), Expected::Hit(time)) => same_time(toi, time),
            (Sweep::Hit(toi), Expected::Either(one, other)) => same_time(toi, one) || same_time(toi, other),
            _ => false,
        };
        assert!(agrees, "scene {}: {scene:?}\nfound {found:?}, not {expected:?}", self.scenes);
        self.scenes += 1;
        self.hits += u64::from(matches!(expected, Expected::Hit(_)));
        self.overlaps += u64::from(expected == Expected::Overlapping);
        self.close += u64::from(matches!(expected, Expected::Either(..) | Expected::Barely));
    }

    pub(crate) fn finish(&self, name: &str) {
        println!("{name}: {self:?}");
        assert!(self.hits * 5 > self.scenes && self.overlaps * 50 > self.scenes && self.close * 4 < self.scenes);
    }
}
