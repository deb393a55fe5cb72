//! Two moving shapes, each a circle or an axis-aligned box: whether they overlap, touch, and when they meet.
//!
//! Seen from one of the two, the other moves by the difference of both motions: a pair is a point on its way to the sum of the
//! two shapes (Minkowski), which is a box, a circle or a box with round corners. So both motions count, and nothing here is new:
//! boxes are decided in integers, circles by [`MovingCircle`].
//!
//! Offsets and relative motions may be up to 2^43 units (2048 lengths) on each axis.

use super::tolerance::{ARC_LEAD, TOUCH};
use super::{Corner, Face, Fraction, MovingCircle, tangent, wide_dot};
use crate::sweep::Sweep;
use glam::{DVec2, I64Vec2};

/// One of two shapes, around its centre, in units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairShape {
    /// A circle.
    Circle {
        /// Its radius, above 0.
        radius: i64,
    },
    /// An axis-aligned box.
    Box {
        /// Half its size on each axis, above 0.
        half: I64Vec2,
    },
}

/// The moment in which two shapes meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairHit {
    /// Time of impact as a fraction of the relative motion, in [0, 1]: of two boxes the nearest f64 to the exact fraction.
    pub toi: f64,
    /// Unit normal, from the second shape to the first.
    pub normal: DVec2,
}

/// A contact of two shapes where they stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairContact {
    /// Unit normal, from the second shape to the first.
    pub normal: DVec2,
    /// How far they are apart along the normal, in units, at most [`TOUCH`]: exact where they are flat on each other. Round ones
    /// that touch may seem to overlap by less than a unit.
    pub gap: f64,
    /// Whether a side of a box lies flat against the other shape.
    pub is_flat: bool,
}

impl PairShape {
    /// Whether the interiors of two shapes meet, the first of which is `offset` away from the second. Touching is no overlap.
    /// Decided in integers.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::I64Vec2;
    /// use surefoot_geometry::exact::PairShape;
    ///
    /// let ball = PairShape::Circle { radius: 5 };
    /// // The way (3, 4) is 5 long, (6, 8) is 10.
    /// assert!(ball.overlaps(ball, I64Vec2::new(3, 4)));
    /// assert!(!ball.overlaps(ball, I64Vec2::new(6, 8)), "they touch");
    /// ```
    #[must_use]
    pub fn overlaps(self, other: PairShape, offset: I64Vec2) -> bool {
        match (self, other) {
            (PairShape::Circle { radius: a }, PairShape::Circle { radius: b }) => {
                wide_dot(offset, offset) < square(a + b)
            }
            (PairShape::Box { half: a }, PairShape::Box { half: b }) => offset.abs().cmplt(a + b).all(),
            (PairShape::Circle { radius }, PairShape::Box { half })
            | (PairShape::Box { half }, PairShape::Circle { radius }) => {
                let outside = (offset.abs() - half).max(I64Vec2::ZERO);
                wide_dot(outside, outside) < square(radius)
            }
        }
    }

    /// Whether two shapes touch where they stand, the first `offset` away from the second; `None` if they overlap by a unit or
    /// more, or are more than [`TOUCH`] units apart.
    ///
    /// Two boxes touch if they are beside each other by at least one unit: a corner on a corner is no contact. A circle is
    /// flat on the side of a box if its centre is beside it.
    #[must_use]
    pub fn contact(self, other: PairShape, offset: I64Vec2) -> Option<PairContact> {
        let sign = offset.signum();
        let flat = |gaps: I64Vec2| {
            // Nearer on one axis than on the other: on the axis on which they are apart.
            let axis = if gaps.x > gaps.y { I64Vec2::X } else { I64Vec2::Y };
            let (gap, beside) = (gaps.dot(axis), gaps.dot(I64Vec2::ONE - axis));
            let contact = PairContact { normal: (axis * sign).as_dvec2(), gap: gap as f64, is_flat: true };
            ((0..=TOUCH).contains(&gap) && beside < 0).then_some(contact)
        };
        let round = |way: DVec2, reach: i64| {
            let (distance, gap) = (way.length(), way.length() - reach as f64);
            (-1.0..=TOUCH as f64).contains(&gap).then(|| PairContact { normal: way / distance, gap, is_flat: false })
        };
        match (self, other) {
            (PairShape::Circle { radius: a }, PairShape::Circle { radius: b }) => round(offset.as_dvec2(), a + b),
            (PairShape::Box { half: a }, PairShape::Box { half: b }) => flat(offset.abs() - a - b),
            (PairShape::Circle { radius }, PairShape::Box { half })
            | (PairShape::Box { half }, PairShape::Circle { radius }) => {
                let beyond = offset.abs() - half;
                if beyond.min_element() > 0 {
                    return round((beyond * sign).as_dvec2(), radius);
                }
                let axis = if beyond.x > beyond.y { I64Vec2::X } else { I64Vec2::Y };
                let gap = beyond.dot(axis) - radius;
                let contact = PairContact { normal: (axis * sign).as_dvec2(), gap: gap as f64, is_flat: true };
                (0..=TOUCH).contains(&gap).then_some(contact)
            }
        }
    }

    /// When two shapes meet, the first of which is `offset` away from the second and moves by `motion` as seen from it.
    ///
    /// Touching at the start and moving in is a hit at 0; touching at the end is clear, and so are a graze and no motion. Two
    /// boxes that come exactly corner to corner meet along `up`, a unit axis: one comes to stand on the other.
    ///
    /// Whether the shapes overlap at the start and at the end is decided in integers, for two boxes everything. The time of
    /// circles, of a radius of at least 2^16 units, is f64: along the way they are where they meet to within 16 units, and a graze
    /// of less than 4 units between start and end may pass. The same for both shapes in exchanged roles, for mirrors and for quarter turns, to the bit.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{DVec2, I64Vec2, Sweep};
    /// use surefoot_geometry::exact::{PairHit, PairShape};
    ///
    /// let crate_ = PairShape::Box { half: I64Vec2::new(2, 2) };
    /// let meet = |offset, motion| crate_.sweep(crate_, offset, motion, I64Vec2::Y);
    /// // Six apart, tops and undersides level: two units lie between them, a quarter of the way.
    /// let hit = PairHit { toi: 0.25, normal: DVec2::X };
    /// assert_eq!(meet(I64Vec2::new(6, 0), I64Vec2::new(-8, 0)), Sweep::Hit(hit));
    /// assert_eq!(meet(I64Vec2::new(6, 0), I64Vec2::new(-2, 0)), Sweep::Clear, "they end touching");
    /// assert_eq!(meet(I64Vec2::new(3, 0), I64Vec2::new(8, 0)), Sweep::Overlapping);
    /// ```
    #[must_use]
    pub fn sweep(self, other: PairShape, offset: I64Vec2, motion: I64Vec2, up: I64Vec2) -> Sweep<PairHit> {
        if self.overlaps(other, offset) {
            return Sweep::Overlapping;
        }
        let hit = match (self, other) {
            (PairShape::Circle { radius: a }, PairShape::Circle { radius: b }) => meet_point(offset, a + b, motion),
            (PairShape::Box { half: a }, PairShape::Box { half: b }) => meet_box(offset, a + b, motion, up),
            (PairShape::Circle { radius }, PairShape::Box { half }) => meet_round_box(offset, radius, half, motion),
            // The box stands, and the circle comes the other way.
            (PairShape::Box { half }, PairShape::Circle { radius }) => {
                let hit = meet_round_box(-offset, radius, half, -motion);
                hit.map(|PairHit { toi, normal }| PairHit { toi, normal: -normal })
            }
        };
        hit.map_or(Sweep::Clear, Sweep::Hit)
    }
}

/// A point against a box around the origin.
fn meet_box(offset: I64Vec2, half: I64Vec2, motion: I64Vec2, up: I64Vec2) -> Option<PairHit> {
    [I64Vec2::X, I64Vec2::Y].into_iter().find_map(|axis| {
        let beside = I64Vec2::ONE - axis;
        let [at, way, half_along] = [offset, motion, half].map(|v| v.dot(axis));
        let [at_beside, way_beside, half_beside] = [offset, motion, half].map(|v| v.dot(beside));
        let (side, den) = (-way.signum(), way.abs());
        let gap = side * at - half_along;
        if !(0..den).contains(&gap) {
            return None;
        }
        // Where it is on the other axis then, times the motion.
        let there = i128::from(at_beside) * i128::from(den) + i128::from(way_beside) * i128::from(gap);
        let past = there.abs() - i128::from(half_beside) * i128::from(den);
        let comes_in = there.signum() * i128::from(way_beside) < 0;
        let normal = match past {
            ..0 => axis * side,
            0 if comes_in && up.dot(axis) != 0 => axis * side,
            0 if comes_in => beside * -way_beside.signum(),
            _ => return None,
        };
        Some(PairHit { toi: Fraction { num: gap, den }.to_f64(), normal: normal.as_dvec2() })
    })
}

/// A point against a circle around the origin.
fn meet_point(offset: I64Vec2, radius: i64, motion: I64Vec2) -> Option<PairHit> {
    let at = I64Vec2::ZERO;
    let toi = MovingCircle { center: offset, radius, motion }.against_corner(&Corner { at, first: at, second: at })?;
    Some(PairHit { toi, normal: direction(offset, motion, toi) })
}

/// A circle against a box around the origin.
fn meet_round_box(offset: I64Vec2, radius: i64, half: I64Vec2, motion: I64Vec2) -> Option<PairHit> {
    let circle = MovingCircle { center: offset, radius, motion };
    // Seen so, the way leads to the left and down, or along an axis: only two sides are in its way, and three corners.
    let faces = [I64Vec2::X, I64Vec2::Y].into_iter().filter_map(|axis| {
        let normal = axis * -motion.dot(axis).signum();
        let along = tangent(normal);
        let (a, b) = ((normal - along) * half, (normal + along) * half);
        let toi = circle.against_face(&Face { a, b, normal, before: I64Vec2::ZERO, after: I64Vec2::ZERO })?;
        Some(PairHit { toi, normal: normal.as_dvec2() })
    });
    let corners = [(1, 1), (-1, 1), (1, -1), (-1, -1)].into_iter().filter_map(|(x, y)| {
        let at = I64Vec2::new(x, y) * half;
        let toi = circle.against_corner(&Corner { at, first: I64Vec2::new(x, 0), second: I64Vec2::new(0, y) })?;
        Some(PairHit { toi, normal: direction(offset - at, motion, toi) })
    });
    let first = |hits: &mut dyn Iterator<Item = PairHit>| hits.reduce(|a, b| if b.toi < a.toi { b } else { a });
    let (face, corner) = (first(&mut faces.into_iter()), first(&mut corners.into_iter()));
    match (face, corner) {
        (Some(face), Some(corner)) if corner.toi + ARC_LEAD < face.toi => Some(corner),
        (face, corner) => face.or(corner),
    }
}

/// The unit vector to a point on its way.
fn direction(offset: I64Vec2, motion: I64Vec2, toi: f64) -> DVec2 {
    (offset.as_dvec2() + motion.as_dvec2() * toi).normalize_or_zero()
}

fn square(length: i64) -> i128 {
    i128::from(length) * i128::from(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BALL: PairShape = PairShape::Circle { radius: 5 };
    const CRATE: PairShape = PairShape::Box { half: I64Vec2::new(3, 2) };

    fn vec(x: i64, y: i64) -> I64Vec2 {
        I64Vec2::new(x, y)
    }

    /// Checks a sweep in steps of 2^20 units, and the same with the roles exchanged. Square roots round the last bit of a normal.
    fn check(a: PairShape, b: PairShape, offset: (i64, i64), motion: (i64, i64), expected: Sweep<(f64, (f64, f64))>) {
        let (offset, motion) = (I64Vec2::from(offset) << 20_i64, I64Vec2::from(motion) << 20_i64);
        let [a, b] = [a, b].map(|shape| match shape {
            PairShape::Circle { radius } => PairShape::Circle { radius: radius << 20 },
            PairShape::Box { half } => PairShape::Box { half: half << 20_i64 },
        });
        for (found, sign) in
            [(a.sweep(b, offset, motion, I64Vec2::Y), 1.0), (b.sweep(a, -offset, -motion, I64Vec2::Y), -1.0)]
        {
            let is_expected = match (found, expected) {
                (Sweep::Hit(hit), Sweep::Hit((toi, normal))) => {
                    hit.toi == toi && (hit.normal * sign).distance(normal.into()) < 2.0 * f64::EPSILON
                }
                (Sweep::Clear, Sweep::Clear) | (Sweep::Overlapping, Sweep::Overlapping) => true,
                _ => false,
            };
            assert!(is_expected, "{found:?} not {expected:?}: {a:?} {b:?} {offset} {motion} {sign}");
        }
    }

    #[test]
    fn balls_meet_where_their_radii_add_up() {
        // From 30 off head-on: the first 20 of 40 are free.
        check(BALL, BALL, (30, 0), (-40, 0), Sweep::Hit((0.5, (1.0, 0.0))));
        // Along y = 6 they touch at x = 8, since 6, 8, 10 is a right triangle: 12 of 40.
        check(BALL, BALL, (20, 6), (-40, 0), Sweep::Hit((0.3, (0.8, 0.6))));
        check(BALL, BALL, (20, 10), (-40, 0), Sweep::Clear);
        check(BALL, BALL, (30, 0), (-20, 0), Sweep::Clear);
        check(BALL, BALL, (10, 0), (-1, 0), Sweep::Hit((0.0, (1.0, 0.0))));
        check(BALL, BALL, (10, 0), (1, 0), Sweep::Clear);
        check(BALL, BALL, (6, 8), (0, 0), Sweep::Clear);
        check(BALL, BALL, (6, 7), (9, 9), Sweep::Overlapping);
    }

    #[test]
    fn boxes_meet_on_the_side_that_comes_last() {
        // Halves add up to (6, 4). From (10, 0) by (-8, 0): 4 of 8.
        check(CRATE, CRATE, (10, 0), (-8, 0), Sweep::Hit((0.5, (1.0, 0.0))));
        // From (10, 6) by (-8, -4): level after 1/2, when it is at x = 6 exactly: corner on corner, from above.
        check(CRATE, CRATE, (10, 6), (-8, -4), Sweep::Hit((0.5, (0.0, 1.0))));
        // A unit nearer it is inside in x by then, a unit further it comes to the side first.
        check(CRATE, CRATE, (9, 6), (-8, -4), Sweep::Hit((0.5, (0.0, 1.0))));
        check(CRATE, CRATE, (11, 6), (-8, -4), Sweep::Hit((0.625, (1.0, 0.0))));
        // Along a side it grazes, also past the corner.
        check(CRATE, CRATE, (10, 4), (-20, 0), Sweep::Clear);
        check(CRATE, CRATE, (6, 4), (-1, 1), Sweep::Clear);
        check(CRATE, CRATE, (6, 3), (-1, 0), Sweep::Hit((0.0, (1.0, 0.0))));
        check(CRATE, CRATE, (5, 3), (-1, 0), Sweep::Overlapping);
    }

    #[test]
    fn up_decides_for_boxes_that_meet_corner_to_corner() {
        let meet = |up| CRATE.sweep(CRATE, vec(10, 6), vec(-8, -4), up).hit().map(|hit| hit.normal);
        assert_eq!([I64Vec2::Y, I64Vec2::NEG_Y].map(meet), [Some(DVec2::Y); 2]);
        assert_eq!([I64Vec2::X, I64Vec2::NEG_X].map(meet), [Some(DVec2::X); 2]);
    }

    #[test]
    fn a_ball_meets_a_side_or_a_corner_of_a_box() {
        // The side is at x = 3, the ball's at 8 when it touches: 12 of 24.
        check(BALL, CRATE, (20, 1), (-24, 0), Sweep::Hit((0.5, (1.0, 0.0))));
        // Past the side along y = 5 it comes to the corner (3, 2) when 4 to the right of it: 3, 4, 5.
        check(BALL, CRATE, (17, 5), (-20, 0), Sweep::Hit((0.5, (0.8, 0.6))));
        check(BALL, CRATE, (20, 7), (-40, 0), Sweep::Clear);
        check(BALL, CRATE, (0, 7), (0, -1), Sweep::Hit((0.0, (0.0, 1.0))));
        check(BALL, CRATE, (7, 5), (0, 0), Sweep::Clear);
        check(BALL, CRATE, (6, 5), (0, 1), Sweep::Overlapping);
        check(BALL, CRATE, (1, 1), (0, 9), Sweep::Overlapping);
    }

    #[test]
    fn what_touches_says_how_near_it_is() {
        let flat = |x, y, gap| Some(PairContact { normal: DVec2::new(x, y), gap, is_flat: true });
        assert_eq!(CRATE.contact(CRATE, vec(0, 4)), flat(0.0, 1.0, 0.0));
        assert_eq!(CRATE.contact(CRATE, vec(-5, -4)), flat(0.0, -1.0, 0.0));
        assert_eq!(CRATE.contact(CRATE, vec(22, 3)), flat(1.0, 0.0, 16.0));
        for apart in [(6, 4), (23, 0), (0, 21), (5, 3), (7, 4)] {
            assert_eq!(CRATE.contact(CRATE, apart.into()), None, "{apart:?}");
        }
        assert_eq!(BALL.contact(CRATE, vec(3, -7)), flat(0.0, -1.0, 0.0));
        assert_eq!(BALL.contact(CRATE, vec(-9, 2)), flat(-1.0, 0.0, 1.0));
        // A corner (4, 3) off, and centres (6, -8): 3, 4, 5.
        for (found, normal) in
            [(BALL.contact(CRATE, vec(7, 5)), (0.8, 0.6)), (BALL.contact(BALL, vec(6, -8)), (0.6, -0.8))]
        {
            let found = found.unwrap();
            assert!(found.normal.distance(normal.into()) < 2.0 * f64::EPSILON && found.gap == 0.0 && !found.is_flat);
        }
        assert_eq!(BALL.contact(BALL, vec(27, 0)), None);
        assert_eq!(BALL.contact(BALL, vec(5, 4)), None);
    }
}
