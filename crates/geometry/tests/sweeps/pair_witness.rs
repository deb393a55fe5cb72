//! Witness of two moving shapes: a list of moments in exact fractions.
//!
//! The distance of two convex shapes, one of which moves straight, is a convex function of time. Its minimum is among
//! the moments at which the formula of the distance changes or is stationary. If both shapes have only straight sides,
//! overlap changes when sides are in line. So the witness tests only these moments: whether the interiors overlap, and
//! that they do not before a given time. Unbounded integers decide; no quadratic equation is solved.

use crate::pair_scene::PairScene;
use num_bigint::BigInt;
use num_rational::BigRational;
use surefoot_geometry::exact::Collider;
use surefoot_geometry::{DVec2, I64Vec2};

/// A time as a fraction of the motion, with a positive denominator, not in lowest terms.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    num: BigInt,
    den: BigInt,
}

impl Moment {
    fn new(num: BigInt, den: BigInt) -> Moment {
        if den < BigInt::ZERO { Moment { num: -num, den: -den } } else { Moment { num, den } }
    }

    fn whole(time: i64) -> Moment {
        Moment { num: time.into(), den: 1.into() }
    }

    pub(crate) fn of_f64(time: f64) -> Moment {
        let (num, den) = BigRational::from_float(time).expect("a time is finite").into();
        Moment { num, den }
    }

    pub(crate) fn plus(&self, other: &Moment) -> Moment {
        Moment { num: &self.num * &other.den + &other.num * &self.den, den: &self.den * &other.den }
    }

    pub(crate) fn is_before(&self, other: &Moment) -> bool {
        &self.num * &other.den < &other.num * &self.den
    }

    pub(crate) fn equals(&self, num: i64, den: i64) -> bool {
        &self.num * den == &self.den * num
    }

    fn middle(&self, other: &Moment) -> Moment {
        let sum = self.plus(other);
        Moment { num: sum.num, den: sum.den * 2 }
    }

    fn is_within_motion(&self) -> bool {
        BigInt::ZERO <= self.num && self.num <= self.den
    }
}

/// The expected result of the sweep.
#[derive(Clone, Debug)]
pub(crate) enum Expected {
    Overlapping,
    Clear,
    /// Two boxes: the time and the normal.
    Flat(Moment, I64Vec2),
    /// A moment after the first contact, at which the interiors overlap.
    Round(Moment),
}

/// Returns the largest box around `b` that the centre of `a` stays out of, and the radius added to it.
fn sizes(scene: &PairScene) -> (I64Vec2, i64) {
    match (scene.a, scene.b) {
        (Collider::Circle { radius }, Collider::Circle { radius: other }) => (I64Vec2::ZERO, radius + other),
        (Collider::Aabb { half }, Collider::Aabb { half: other }) => (half + other, 0),
        (Collider::Aabb { half }, Collider::Circle { radius })
        | (Collider::Circle { radius }, Collider::Aabb { half }) => (half, radius),
    }
}

/// Returns whether the interiors overlap at a moment.
pub(crate) fn inside(scene: &PairScene, moment: &Moment) -> bool {
    let (half, radius) = sizes(scene);
    // For each axis, the distance outside the box, times the denominator of the moment. It is negative inside.
    let [x, y] = [(scene.offset.x, scene.motion.x, half.x), (scene.offset.y, scene.motion.y, half.y)].map(
        |(offset, motion, half)| {
            let at = &moment.den * offset + &moment.num * motion;
            let distance = if at < BigInt::ZERO { -at } else { at };
            distance - &moment.den * half
        },
    );
    if radius == 0 {
        return x < BigInt::ZERO && y < BigInt::ZERO;
    }
    let square = |v: BigInt| if v > BigInt::ZERO { &v * &v } else { BigInt::ZERO };
    square(x) + square(y) < square(&moment.den * radius)
}

pub(crate) fn expected(scene: &PairScene) -> Expected {
    let (half, radius) = sizes(scene);
    if inside(scene, &Moment::whole(0)) {
        return Expected::Overlapping;
    }
    let (offset, motion) = (scene.offset, scene.motion);
    let mut moments = vec![Moment::whole(0), Moment::whole(1)];
    for side in [-1, 1] {
        for (half, offset, motion) in [(half.x, offset.x, motion.x), (half.y, offset.y, motion.y)] {
            if motion != 0 {
                moments.push(Moment::new((side * half - offset).into(), motion.into()));
            }
        }
        for other in [-1, 1] {
            // The mover is nearest to a corner when the displacement to the corner is perpendicular to the motion.
            let way = I64Vec2::new(side * half.x, other * half.y) - offset;
            let dot = |v: I64Vec2| BigInt::from(v.x) * motion.x + BigInt::from(v.y) * motion.y;
            if radius > 0 && motion != I64Vec2::ZERO {
                moments.push(Moment::new(dot(way), dot(motion)));
            }
        }
    }
    moments.retain(Moment::is_within_motion);
    if radius > 0 {
        let inside = moments.into_iter().find(|moment| inside(scene, moment));
        return inside.map_or(Expected::Clear, Expected::Round);
    }
    moments.sort_by(|a, b| (&a.num * &b.den).cmp(&(&b.num * &a.den)));
    let meet = moments.windows(2).find(|pair| pair[0].is_before(&pair[1]) && inside(scene, &pair[0].middle(&pair[1])));
    let Some(from) = meet.map(|pair| pair[0].clone()) else { return Expected::Clear };
    // When the interiors start to overlap, the mover is exactly on the line of the side that it hits, and moves across
    // this line. At a corner this holds for two sides, and the side along `up` counts.
    let in_line = |axis: I64Vec2| {
        let at = &from.den * axis.dot(offset) + &from.num * axis.dot(motion);
        let is = at == &from.den * axis.dot(half) || at == -(&from.den * axis.dot(half));
        is && axis.dot(motion) != 0
    };
    let (up, across) = (scene.up.abs(), scene.up.perp().abs());
    let axis = if in_line(up) { up } else { across };
    assert!(in_line(axis), "{scene:?} meets at no side");
    let normal = -axis * axis.dot(motion).signum();
    Expected::Flat(from, normal)
}

/// Returns whether the interiors first overlap at `toi`, within a tolerance: not earlier, and at that time or later.
pub(crate) fn is_first(scene: &PairScene, inside_at: &Moment, toi: f64, tolerance: f64) -> bool {
    let toi = Moment::of_f64(toi);
    let early = toi.plus(&Moment::of_f64(-tolerance));
    let late = toi.plus(&Moment::of_f64(tolerance));
    // Overlap lasts for one time span. So an earlier moment without overlap is before the first contact.
    let is_early = early.is_before(inside_at) && !inside(scene, &early);
    is_early && (inside(scene, &late) || inside_at.is_before(&late))
}

/// Returns the direction and the distance by which `a` is out of the box of [`sizes`] at a time.
pub(crate) fn displacement_out_of_box(scene: &PairScene, toi: f64) -> (f64, f64) {
    let (half, _) = sizes(scene);
    let moment = Moment::of_f64(toi);
    let out = |offset: i64, motion: i64, half: i64| {
        let at = &moment.den * offset + &moment.num * motion;
        let edge = &moment.den * half;
        let out = if at > edge {
            at - edge
        } else if at < -&edge {
            at + edge
        } else {
            BigInt::ZERO
        };
        let [num, den] = [&out, &moment.den].map(|v| BigRational::from(v.clone()));
        to_f64(&(num / den))
    };
    (out(scene.offset.x, scene.motion.x, half.x), out(scene.offset.y, scene.motion.y, half.y))
}

fn to_f64(v: &BigRational) -> f64 {
    num_traits::ToPrimitive::to_f64(v).expect("a length is finite")
}

/// Returns whether a round shape touches a side exactly at the time `num / den`, ends of the side included.
pub(crate) fn is_on_side(scene: &PairScene, num: i64, den: i64, normal: DVec2) -> bool {
    let (half, radius) = sizes(scene);
    let at = |axis: I64Vec2| BigInt::from(axis.dot(scene.offset)) * den + BigInt::from(axis.dot(scene.motion)) * num;
    let along = normal.as_i64vec2();
    let across = along.perp();
    let side = across.abs().dot(half);
    let aside = at(across);
    along.as_dvec2() == normal
        && at(along) == BigInt::from(along.abs().dot(half) + radius) * den
        && side > 0
        && BigInt::from(-side) * den <= aside
        && aside <= BigInt::from(side) * den
}

/// How two shapes touch. `Flat` has the axis of the touched side, and the gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Touch {
    Not,
    Flat(I64Vec2, i64),
    /// The displacement from the nearest point of the box, and the radius.
    Round(I64Vec2, i64),
}

/// Returns how two shapes touch at the start, within a distance.
pub(crate) fn touch(scene: &PairScene, within: i64) -> Touch {
    let (half, radius) = sizes(scene);
    let offset = scene.offset;
    let beyond = |at: i64, half: i64| (at.abs() - half).max(0) * at.signum();
    let out = I64Vec2::new(beyond(offset.x, half.x), beyond(offset.y, half.y));
    let flat = |axis: I64Vec2, at: i64, half: i64, across: i64, side: i64| {
        let beside = if radius == 0 { across.abs() < side } else { across.abs() <= side && side > 0 };
        let gap = at.abs() - half - radius;
        (beside && (0..=within).contains(&gap)).then_some(Touch::Flat(axis * at.signum(), gap))
    };
    let sides = flat(I64Vec2::X, offset.x, half.x, offset.y, half.y)
        .or_else(|| flat(I64Vec2::Y, offset.y, half.y, offset.x, half.x));
    if let Some(touch) = sides {
        return touch;
    }
    let square = |v: i64| BigInt::from(v) * v;
    let distance_sq = square(out.x) + square(out.y);
    let near = square(radius) <= distance_sq && distance_sq <= square(radius + within);
    if radius > 0 && near { Touch::Round(out, radius) } else { Touch::Not }
}

/// Returns whether a gap is the length of a vector minus a radius, up to a fraction of the gap.
pub(crate) fn is_gap(gap: f64, out: I64Vec2, radius: i64, part: f64) -> bool {
    let exact = |v: f64| BigRational::from_float(v).expect("a gap is finite");
    let square = |v: BigRational| &v * &v;
    let reach = BigRational::from(BigInt::from(radius)) + exact(gap);
    let distance_sq = BigRational::from(BigInt::from(out.x) * out.x + BigInt::from(out.y) * out.y);
    let off = exact(gap * part);
    square(&reach - &off) <= distance_sq && distance_sq <= square(&reach + &off)
}
