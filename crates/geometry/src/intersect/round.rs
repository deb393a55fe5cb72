//! A line, a ray or a segment within all that is less than a radius from a segment: circles and capsules.

use super::chord::{Chord, ChordPoint};
use super::linear::Linear;
use crate::number::twofold::{Pair, Twofold};
use crate::number::{cross, unit};
use crate::sweep::Hit;
use glam::DVec2;

/// What two squares of 106 bits may differ by and still count as equal, as a fraction of them: 2^-98. Each is right to
/// 2^-99: cross products to 2^-100, and squares double that.
const DOUBT: f64 = {
    let part = 1.0 / (1_u64 << 49) as f64;
    part * part
};

/// A circle (`p == q`) or a capsule and the shape that meets it.
struct Meeting {
    linear: Linear,
    p: DVec2,
    q: DVec2,
    radius_sq: Twofold,
    radius: f64,
    /// From `a` to `b`, from `p` to `q`.
    d: Pair,
    e: Pair,
}

/// Where its line goes through the boundary.
#[derive(Clone, Copy)]
struct Pass {
    t: Twofold,
    part: Part,
}

/// Which part of the boundary.
#[derive(Clone, Copy)]
enum Part {
    /// The arc around this point.
    Arc(DVec2),
    /// The flat side on the left (1) or on the right (-1) of the way from `p` to `q`.
    Flat(f64),
}

/// Where a point of the linear shape is.
#[derive(Clone, Copy)]
enum Place {
    Inside,
    On {
        /// Does going on along the linear shape lead out (positive), in (negative), or along?
        outwards: f64,
        part: Part,
    },
    Outside,
}

pub(super) fn chord(linear: Linear, p: DVec2, q: DVec2, radius: f64) -> Chord {
    let meeting = Meeting::new(linear, p, q, radius);
    let (a, b) = (ChordPoint { point: linear.a, t: 0.0 }, ChordPoint { point: linear.b, t: 1.0 });
    let place = meeting.place_of(linear.a);
    if linear.is_point() {
        return if matches!(place, Place::Outside) { Chord::None } else { Chord::Point(a) };
    }
    let begin = linear.has_start().then_some(place);
    let end = linear.has_end().then(|| meeting.place_of(linear.b));
    if matches!(begin, Some(Place::On { outwards, .. }) if outwards > 0.0) {
        return Chord::Point(a);
    }
    if matches!(end, Some(Place::On { outwards, .. }) if outwards < 0.0) {
        return Chord::Point(b);
    }
    let Some((entry, exit)) = meeting.passes() else {
        // The line only touches, and the decision about an end of the shape sees it where the one about the line does not.
        return match (begin, end) {
            (Some(Place::Inside | Place::On { .. }), _) => Chord::Point(a),
            (_, Some(Place::Inside | Place::On { .. })) => Chord::Point(b),
            _ => Chord::None,
        };
    };
    let middle_twice = entry.t + exit.t;
    let from = match begin {
        None => linear.at(entry.t),
        Some(Place::Outside) if middle_twice < 0.0 => return Chord::None,
        Some(Place::Outside) => linear.at(entry.t),
        Some(Place::On { .. }) if !(exit.t > 0.0) => return Chord::Point(a),
        Some(Place::On { .. } | Place::Inside) => a,
    };
    let to = match end {
        None => linear.at(exit.t),
        Some(Place::Outside) if middle_twice > 2.0 => return Chord::None,
        Some(Place::Outside) => linear.at(exit.t),
        Some(Place::On { .. }) if !(entry.t < 1.0) => return Chord::Point(b),
        Some(Place::On { .. } | Place::Inside) => b,
    };
    if entry.t < exit.t { Chord::in_order(from, to) } else { Chord::Point(from) }
}

/// Where a ray gets into the interior.
pub(super) fn cast(ray: Linear, p: DVec2, q: DVec2, radius: f64) -> Option<Hit> {
    let meeting = Meeting::new(ray, p, q, radius);
    if meeting.is_along_side() {
        return None;
    }
    let at_origin = |normal: Option<DVec2>| normal.map(|normal| Hit { toi: 0.0, point: ray.a, normal });
    match meeting.place_of(ray.a) {
        Place::Inside => at_origin(unit(ray.a - ray.b)),
        Place::On { outwards, part } if outwards < 0.0 => at_origin(meeting.normal(part, Twofold::ZERO)),
        Place::On { .. } => None,
        Place::Outside => {
            let (entry, exit) = meeting.passes().filter(|(entry, exit)| entry.t < exit.t)?;
            if entry.t + exit.t < 0.0 {
                return None;
            }
            let met = ray.at(entry.t);
            meeting.normal(entry.part, entry.t).map(|normal| Hit { toi: met.t, point: met.point, normal })
        }
    }
}

impl Meeting {
    fn new(linear: Linear, p: DVec2, q: DVec2, radius: f64) -> Meeting {
        Meeting {
            linear,
            p,
            q,
            radius_sq: Twofold::from(radius) * radius,
            radius,
            d: Pair::difference(linear.b, linear.a),
            e: Pair::difference(q, p),
        }
    }

    /// The first and the last of the points where the line goes through the boundary, which are the same if it touches.
    /// The shape is what its two discs and the rectangle between them cover, and is convex.
    fn passes(&self) -> Option<(Pass, Pass)> {
        let mut all: Option<(Pass, Pass)> = None;
        let mut add = |found: Option<(Pass, Pass)>| {
            let Some((entry, exit)) = found else { return };
            all = Some(match all {
                None => (entry, exit),
                Some((first, last)) => {
                    (if entry.t < first.t { entry } else { first }, if exit.t > last.t { exit } else { last })
                }
            });
        };
        add(self.arc_passes(self.p));
        if self.p != self.q {
            add(self.arc_passes(self.q));
            for side in [1.0, -1.0] {
                add(self.flat_pass(side).map(|pass| (pass, pass)));
            }
        }
        all
    }

    /// With m from `a` to the centre, |a + t d - centre| = r is t d² = m d ± √(r² d² - (d × m)²).
    fn arc_passes(&self, center: DVec2) -> Option<(Pass, Pass)> {
        let m = Pair::difference(center, self.linear.a);
        let length_sq = self.d.dot(self.d);
        let (reach, off) = (self.radius_sq * length_sq, cross(self.d, m));
        let rest = difference_in_doubt(reach, off * off);
        if rest < 0.0 {
            return None;
        }
        let (middle, half) = (m.dot(self.d), rest.sqrt());
        let pass = |t: Twofold| Pass { t: t.divided_by(length_sq), part: Part::Arc(center) };
        Some((pass(middle - half), pass(middle + half)))
    }

    /// Where the line goes through a flat side: where e × (a + t d - p) = ± r |e|.
    fn flat_pass(&self, side: f64) -> Option<Pass> {
        let turns = cross(self.e, self.d);
        if turns == 0.0 {
            return None;
        }
        let from_p = Pair::difference(self.linear.a, self.p);
        let reach = self.e.length() * (side * self.radius);
        let t = (reach - cross(self.e, from_p)).divided_by(turns);
        let along = self.e.dot(from_p) + self.e.dot(self.d) * t;
        (along >= 0.0 && along <= self.e.dot(self.e)).then_some(Pass { t, part: Part::Flat(side) })
    }

    fn place_of(&self, at: DVec2) -> Place {
        let (from_p, from_q) = (Pair::difference(at, self.p), Pair::difference(at, self.q));
        let length_sq = self.e.dot(self.e);
        let along = from_p.dot(self.e);
        let is_beside = self.p != self.q && along > 0.0 && along < length_sq;
        let (rest, outwards, part) = if is_beside {
            let off = cross(self.e, from_p);
            let side = if off > 0.0 { 1.0 } else { -1.0 };
            let rest = difference_in_doubt(self.radius_sq * length_sq, off * off);
            (rest, cross(self.e, self.d) * side, Part::Flat(side))
        } else {
            let (center, from) = if along > 0.0 { (self.q, from_q) } else { (self.p, from_p) };
            (difference_in_doubt(self.radius_sq, from.dot(from)), from.dot(self.d), Part::Arc(center))
        };
        if rest > 0.0 {
            Place::Inside
        } else if rest < 0.0 {
            Place::Outside
        } else {
            Place::On { outwards: outwards.to_f64(), part }
        }
    }

    /// Does the line go along a flat side?
    fn is_along_side(&self) -> bool {
        let off = cross(self.e, Pair::difference(self.linear.a, self.p));
        self.p != self.q
            && cross(self.e, self.d) == 0.0
            && !(difference_in_doubt(self.radius_sq * self.e.dot(self.e), off * off) > 0.0)
    }

    /// The outward normal where the parameter is `t`.
    fn normal(&self, part: Part, t: Twofold) -> Option<DVec2> {
        match part {
            Part::Arc(center) => unit((Pair::difference(self.linear.a, center) + self.d * t).to_dvec2()),
            Part::Flat(side) => unit(self.e.perp().to_dvec2() * side),
        }
    }
}

/// `one - other`, or 0 where that is not known to be anything else.
fn difference_in_doubt(one: Twofold, other: Twofold) -> Twofold {
    let difference = one - other;
    if difference.abs() <= one * DOUBT { Twofold::ZERO } else { difference }
}
