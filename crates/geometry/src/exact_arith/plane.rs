//! What is decided exactly of points, directions and radii in the plane, where rounding leaves it in doubt.

use super::double_double::DoubleDouble;
use super::formula::{Formula, Number, compare};
use glam::DVec2;
use std::cmp::Ordering;

/// The way from one point to another one, less a step: a difference that is exact but that f64 need not hold.
#[derive(Clone, Copy)]
pub(crate) struct Way {
    pub(crate) from: DVec2,
    pub(crate) to: DVec2,
    pub(crate) less: DVec2,
}

struct Dot(Way, Way);

struct Cross(Way, Way);

/// The square of the sum of two radii, less the square of a way.
struct Reach([f64; 2], Way);

/// The square of a way times that of the sum of two radii, less the square of the cross product with another way.
struct ReachAside([f64; 2], Way, Way);

impl Way {
    #[inline]
    pub(crate) fn between(from: DVec2, to: DVec2) -> Way {
        Way { from, to, less: DVec2::ZERO }
    }

    /// Is the way shorter than the sum of two radii?
    pub(crate) fn is_within(self, radii: [f64; 2]) -> bool {
        match self.is_upright() {
            Some(is_upright) => self.is_within_along(is_upright, radii),
            None => compare(&Reach(radii, self)) == Ordering::Greater,
        }
    }

    /// Is the end of another way from the same point nearer to the line along this one than the sum of two radii?
    pub(crate) fn is_beside(self, other: Way, radii: [f64; 2]) -> bool {
        // Nothing is squared where the line is along an axis: what slides on a floor touches it exactly, all the time.
        match self.is_upright() {
            Some(is_upright) => other.is_within_along(!is_upright, radii),
            None => compare(&ReachAside(radii, self, other)) == Ordering::Greater,
        }
    }

    fn is_within_along(self, is_upright: bool, radii: [f64; 2]) -> bool {
        let (to, from, less) = self.coordinates(is_upright);
        if less == 0.0 {
            return DoubleDouble::difference(to, from).abs() < DoubleDouble::difference(radii[0], -radii[1]);
        }
        let axis = if is_upright { DVec2::Y } else { DVec2::X };
        let along = Way { from: self.from * axis, to: self.to * axis, less: self.less * axis };
        compare(&Reach(radii, along)) == Ordering::Greater
    }

    /// On which side of this way another one leads: more is left. This one has a length.
    pub(crate) fn side_of(self, other: Way) -> Ordering {
        match self.is_upright() {
            // Of the cross product there is one term.
            Some(is_upright) => {
                let side = if self.sign(is_upright) == Ordering::Less { Ordering::reverse } else { |side| side };
                let beyond = other.sign(!is_upright);
                side(if is_upright { beyond.reverse() } else { beyond })
            }
            None => compare(&Cross(self, other)),
        }
    }

    /// Does another way lead on along this one, or back?
    pub(crate) fn along(self, other: Way) -> Ordering {
        compare(&Dot(self, other))
    }

    /// Whether it leads up or down, or to the right or to the left.
    fn sign(self, is_upright: bool) -> Ordering {
        let (to, from, less) = self.coordinates(is_upright);
        DoubleDouble::difference(to, from).partial_cmp(&less).unwrap_or(Ordering::Equal)
    }

    fn coordinates(self, is_upright: bool) -> (f64, f64, f64) {
        if is_upright { (self.to.y, self.from.y, self.less.y) } else { (self.to.x, self.from.x, self.less.x) }
    }

    /// Whether it leads along the second axis, or along the first; `None` for neither.
    fn is_upright(self) -> Option<bool> {
        let is_level = |to: f64, from: f64, less: f64| to == from && less == 0.0;
        if is_level(self.to.x, self.from.x, self.less.x) {
            Some(true)
        } else if is_level(self.to.y, self.from.y, self.less.y) {
            Some(false)
        } else {
            None
        }
    }

    #[inline]
    fn parts<N: Number>(self) -> [N; 2] {
        let part = |to: f64, from: f64, less: f64| {
            let way = N::difference(to, from);
            // Most ways are differences, which need no more sums.
            if less == 0.0 { way } else { way - N::difference(less, 0.0) }
        };
        [part(self.to.x, self.from.x, self.less.x), part(self.to.y, self.from.y, self.less.y)]
    }
}

fn square<N: Number>(number: N) -> N {
    number.clone() * number
}

impl Formula for Dot {
    fn value<N: Number>(&self) -> N {
        let ([ax, ay], [bx, by]) = (self.0.parts::<N>(), self.1.parts::<N>());
        ax * bx + ay * by
    }
}

impl Formula for Cross {
    fn value<N: Number>(&self) -> N {
        let ([ax, ay], [bx, by]) = (self.0.parts::<N>(), self.1.parts::<N>());
        ax * by - ay * bx
    }
}

impl Formula for Reach {
    fn value<N: Number>(&self) -> N {
        let Reach([one, other], way) = *self;
        let [x, y] = way.parts::<N>();
        square(N::difference(one, -other)) - (square(x) + square(y))
    }
}

impl Formula for ReachAside {
    fn value<N: Number>(&self) -> N {
        let ReachAside([one, other], way, to) = *self;
        let [x, y] = way.parts::<N>();
        let length_sq = square(x) + square(y);
        square(N::difference(one, -other)) * length_sq - square(Cross(way, to).value::<N>())
    }
}
