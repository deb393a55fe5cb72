//! A ray from the origin against an outline without a radius, where f64 is in doubt.

use super::outline::{Corner, Outline};
use super::precision::{Number, Vector};
use super::rounded::{Meeting, Met, fraction};
use crate::exact_arith::double_double::DoubleDouble;
use crate::exact_arith::{halfway, turn, unit};
use glam::DVec2;
use std::cmp::Ordering;

/// A side of the outline, from a corner to the next one that is another point.
#[derive(Clone, Copy)]
struct Side {
    from: Corner,
    to: Corner,
    direction: Vector<DoubleDouble>,
    /// On which side of the ray it begins and ends: left is positive.
    begins: f64,
    ends: f64,
}

/// Where does a ray by `motion` from the origin first enter the inside of an outline that has one?
///
/// It enters through the side that begins on its left and does not end there, and leaves through the side that begins on
/// its right and does not end there. On which side of these the origin is, is decided exactly.
#[cold]
#[inline(never)]
pub(super) fn cast_exactly(outline: &impl Outline, motion: DVec2) -> Met {
    let way = Vector::<DoubleDouble>::from(motion);
    let sides = || {
        let count = outline.count();
        (0..count).filter_map(move |index| {
            let (from, to) = (outline.corner(index), outline.corner((index + 1) % count));
            let direction = from.to::<DoubleDouble>(to)?;
            let left = |corner: Corner| way.cross(corner.at()).to_f64();
            Some(Side { from, to, direction, begins: left(from), ends: left(to) })
        })
    };
    if sides().all(|side| side.inwards() > 0.0) {
        return Met::Overlapping;
    }
    let enters = sides().find(|side| side.begins > 0.0 && side.ends <= 0.0);
    let leaves = sides().find(|side| side.begins < 0.0 && side.ends >= 0.0);
    let (Some(enters), Some(leaves)) = (enters, leaves) else { return Met::Clear };
    // At an end of the line's way inside: at most grazing.
    if sides().all(|side| side.begins >= 0.0) || sides().all(|side| side.begins <= 0.0) || leaves.inwards() <= 0.0 {
        return Met::Clear;
    }
    // Only touching the side, or before it, where the motion ends.
    let ends_within =
        enters.from.side(enters.to).is_some_and(|side| side.side_of(enters.from.seen(motion)) == Ordering::Less);
    if !ends_within {
        return Met::Clear;
    }
    let time = enters.time(way);
    // Through a corner: the next side is entered too.
    let also = if enters.ends == 0.0 { sides().find(|side| side.begins == 0.0 && side.ends < 0.0) } else { None };
    let toi = fraction(time.to_f64());
    Met::At(match also {
        Some(next) => at_corner(toi, &enters, &next, way),
        None => Meeting::on_side(toi, enters.normal(), enters.from),
    })
}

/// The meeting with the corner between two sides: the normal is that of the side more opposed to the motion, halfway
/// between both if neither is.
fn at_corner(toi: f64, first: &Side, second: &Side, way: Vector<DoubleDouble>) -> Meeting {
    let more = first.opposed(way) * second.length_sq() - second.opposed(way) * first.length_sq();
    let (normal, is_corner) = if more.to_f64() > 0.0 {
        (first.normal(), false)
    } else if more.to_f64() < 0.0 {
        (second.normal(), false)
    } else {
        let (one, other) = (first.normal(), second.normal());
        (halfway(one, other).unwrap_or(one), one != other)
    };
    Meeting { toi, normal, corner: second.from, is_corner }
}

impl Side {
    /// Positive if the origin is inside of the side, 0 if on its line.
    fn inwards(&self) -> f64 {
        if self.from.by == self.to.by {
            turn(self.from.by, self.from.on, self.to.on)
        } else {
            turn(self.from.on, self.from.by, self.to.by)
        }
    }

    /// When the ray is on its line.
    fn time(&self, way: Vector<DoubleDouble>) -> DoubleDouble {
        let beside = |corner: Corner| corner.at().cross(self.direction);
        let gap = -((beside(self.from) + beside(self.to)) * DoubleDouble::from(0.5));
        let approach = -way.cross(self.direction);
        gap.over(approach)
    }

    fn normal(&self) -> DVec2 {
        let Vector { x, y } = self.direction;
        unit(DVec2::new(y.to_f64(), -x.to_f64())).unwrap_or(DVec2::ZERO)
    }

    /// How far the motion goes against its normal, squared with its sign, times the square of the side's length: no root,
    /// so that two sides that are equally opposed are found to be.
    fn opposed(&self, way: Vector<DoubleDouble>) -> DoubleDouble {
        let against = -way.cross(self.direction);
        against * against.abs()
    }

    fn length_sq(&self) -> DoubleDouble {
        self.direction.dot(self.direction)
    }
}
