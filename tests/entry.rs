//! Witness of one-way edges that shares no code with the engine: where a shape enters the range of an edge.
//!
//! The centres at which a shape overlaps an edge form a convex set: the Minkowski sum of the edge and the mirrored
//! shape, a hexagon for a box and a stadium for a circle. Its front is where its outward normal points to the side of
//! the edge's normal. The shape hits the edge if its centre enters the set through the front, on a motion against the
//! edge's normal.
//!
//! Everything else passes: entering from behind or from the side, moving along the edge, and starting inside the set.
//! So a circle whose centre starts on the edge's line or behind it passes both ends.

use crate::scene::I64Vec2;
use surefoot::geometry::DVec2;

/// A straight one-way edge, in units.
#[derive(Clone, Copy, Debug)]
pub struct Ledge {
    pub a: I64Vec2,
    pub b: I64Vec2,
    /// Normal towards the front, in integers without a common divisor.
    pub normal: I64Vec2,
}

/// The size of a shape, in units.
#[derive(Clone, Copy, Debug)]
pub enum Size {
    Box(I64Vec2),
    Circle(i64),
}

/// How a motion enters the range of a one-way edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Entry {
    /// The shape does not enter.
    Never,
    /// The shape enters from behind or from a side, or starts inside.
    Passes,
    /// The shape enters from the front: the fraction of the motion, and the unit normal of the front there.
    Front { time: f64, normal: DVec2 },
    /// So close that rounding decides.
    Unsure,
}

/// Error bound of the times of circles, in units along the path: a foot may enter a face late.
const GRAZE: i64 = 64;

impl Ledge {
    /// Returns how a shape that moves from a centre enters the range of the edge.
    pub fn entry(&self, size: Size, from: I64Vec2, motion: I64Vec2) -> Entry {
        // Most motions stay far from the edge.
        let reach = match size {
            Size::Box(half) => half,
            Size::Circle(radius) => I64Vec2::splat(radius + 2 * GRAZE),
        };
        let (low, high) = (self.a.min(self.b) - reach, self.a.max(self.b) + reach);
        let to = from + motion;
        if from.max(to).cmplt(low).any() || from.min(to).cmpgt(high).any() {
            return Entry::Never;
        }
        let entry = match size {
            Size::Box(half) => self.entry_of_box(half, from, motion),
            Size::Circle(radius) => {
                let at = |grown| self.entry_of_circle((radius + grown) as f64, from, motion);
                let all = [at(0), at(GRAZE), at(-GRAZE)];
                let kinds = all.map(|entry| std::mem::discriminant(&entry));
                if kinds[0] == kinds[1] && kinds[0] == kinds[2] { all[0] } else { Entry::Unsure }
            }
        };
        match entry {
            Entry::Front { .. } if self.normal.dot(motion) >= 0 => Entry::Passes,
            other => other,
        }
    }

    /// Returns whether a shape overlaps the edge at a centre by more than a few units.
    pub fn is_deep_in(&self, size: Size, at: I64Vec2) -> bool {
        match size {
            Size::Box(half) => self.sides(half).iter().all(|(side, reach)| side.dot(at) < *reach),
            Size::Circle(radius) => self.distance(at) < (radius - GRAZE) as f64,
        }
    }

    /// Returns the normals of the sum with a box, each with the distance of its side.
    fn sides(&self, half: I64Vec2) -> Vec<(I64Vec2, i64)> {
        let mut normals = vec![I64Vec2::X, I64Vec2::Y, I64Vec2::NEG_X, I64Vec2::NEG_Y];
        normals.extend([self.normal, -self.normal].into_iter().filter(|n| n.x != 0 && n.y != 0));
        normals.into_iter().map(|n| (n, n.dot(self.a).max(n.dot(self.b)) + n.abs().dot(half))).collect()
    }

    fn entry_of_box(&self, half: I64Vec2, from: I64Vec2, motion: I64Vec2) -> Entry {
        // Times are fractions. Comparing them needs products of up to 90 bits.
        let less = |a: (i64, i64), b: (i64, i64)| i128::from(a.0) * i128::from(b.1) < i128::from(b.0) * i128::from(a.1);
        let mut enters: Option<((i64, i64), I64Vec2)> = None;
        let mut leaves: Option<(i64, i64)> = None;
        let mut tied = false;
        for (side, reach) in self.sides(half) {
            let (outside, speed) = (side.dot(from) - reach, side.dot(motion));
            if speed == 0 && outside >= 0 {
                return Entry::Never;
            } else if speed < 0 {
                let time = (outside, -speed);
                tied = match enters {
                    Some((known, _)) if less(time, known) => tied,
                    Some((known, _)) => !less(known, time),
                    None => false,
                };
                if enters.is_none_or(|(known, _)| less(known, time)) {
                    enters = Some((time, side));
                }
            } else if speed > 0 && leaves.is_none_or(|known| less((-outside, speed), known)) {
                leaves = Some((-outside, speed));
            }
        }
        let (Some((time, side)), Some(leaves)) = (enters, leaves) else { return Entry::Never };
        if !less(time, leaves) {
            return if less(leaves, time) { Entry::Never } else { Entry::Unsure };
        }
        match (time.0, time.0 - time.1) {
            (..0, _) if leaves.0 <= 0 => Entry::Never,
            (..0, _) => Entry::Passes,
            (_, 1..) => Entry::Never,
            (_, 0) => Entry::Unsure,
            _ if tied => Entry::Unsure,
            _ if side.dot(self.normal) <= 0 => Entry::Passes,
            _ => Entry::Front { time: time.0 as f64 / time.1 as f64, normal: side.as_dvec2().normalize() },
        }
    }

    fn distance(&self, at: I64Vec2) -> f64 {
        let (along, off) = ((self.b - self.a).as_dvec2(), (at - self.a).as_dvec2());
        let part = (off.dot(along) / along.dot(along)).clamp(0.0, 1.0);
        (off - along * part).length()
    }

    fn entry_of_circle(&self, radius: f64, from: I64Vec2, motion: I64Vec2) -> Entry {
        if self.distance(from) < radius {
            return Entry::Passes;
        }
        let (way, normal) = (motion.as_dvec2(), self.normal.as_dvec2().normalize());
        let (along, off) = ((self.b - self.a).as_dvec2(), (from - self.a).as_dvec2());
        let mut first: Option<(f64, DVec2)> = None;
        let mut offer = |time: f64, normal: DVec2| {
            if (0.0..1.0).contains(&time) && first.is_none_or(|(known, _)| time < known) {
                first = Some((time, normal));
            }
        };
        for front in [normal, -normal] {
            let (above, speed) = (front.dot(off) - radius, front.dot(way));
            if above >= 0.0 && speed < 0.0 {
                let time = above / -speed;
                let foot = along.dot(off + way * time);
                if (0.0..=along.dot(along)).contains(&foot) {
                    offer(time, front);
                }
            }
        }
        for end in [self.a, self.b] {
            let off = (from - end).as_dvec2();
            let (nears, over) = (off.dot(way), off.dot(off) - radius * radius);
            let under = nears * nears - way.dot(way) * over;
            if nears < 0.0 && under >= 0.0 {
                let time = (-nears - under.sqrt()) / way.dot(way);
                offer(time, (off + way * time) / radius);
            }
        }
        match first {
            None => Entry::Never,
            // This is exact: a centre that starts behind the edge and moves back is even further behind when the circle
            // reaches an end.
            Some(_) if self.normal.dot(from - self.a) <= 0 && self.normal.dot(motion) <= 0 => Entry::Passes,
            Some((_, met)) if met.dot(normal).abs() < 1e-6 => Entry::Unsure,
            Some((_, met)) if met.dot(normal) < 0.0 => Entry::Passes,
            Some((time, normal)) => Entry::Front { time, normal },
        }
    }
}
