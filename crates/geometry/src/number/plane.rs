//! What is decided exactly of points, directions and radii in the plane, where rounding leaves it in doubt.

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

/// The sum of two radii, less how far a way goes along an axis, given with its sign.
struct ReachAlong([f64; 2], DVec2, Way);

impl Way {
    #[inline]
    pub(crate) fn between(from: DVec2, to: DVec2) -> Way {
        Way { from, to, less: DVec2::ZERO }
    }

    /// Is the way shorter than the sum of two radii?
    pub(crate) fn is_within(self, radii: [f64; 2]) -> bool {
        if self.is_level(|at| at.x) {
            self.is_within_along(DVec2::Y, radii)
        } else if self.is_level(|at| at.y) {
            self.is_within_along(DVec2::X, radii)
        } else {
            compare(&Reach(radii, self)) == Ordering::Greater
        }
    }

    /// Is the end of another way from the same point nearer to the line along this one than the sum of two radii?
    pub(crate) fn is_beside(self, other: Way, radii: [f64; 2]) -> bool {
        // Nothing is squared where the line is along an axis: what slides on a floor touches it exactly, all the time.
        let axis = if self.is_level(|at| at.x) {
            DVec2::X
        } else if self.is_level(|at| at.y) {
            DVec2::Y
        } else {
            return compare(&ReachAside(radii, self, other)) == Ordering::Greater;
        };
        other.is_within_along(axis, radii)
    }

    fn is_within_along(self, axis: DVec2, radii: [f64; 2]) -> bool {
        [axis, -axis].into_iter().all(|axis| compare(&ReachAlong(radii, axis, self)) == Ordering::Greater)
    }

    /// On which side of this way another one leads: more is left.
    pub(crate) fn side_of(self, other: Way) -> Ordering {
        compare(&Cross(self, other))
    }

    /// Does another way lead on along this one, or back?
    pub(crate) fn along(self, other: Way) -> Ordering {
        compare(&Dot(self, other))
    }

    fn is_level(self, of: fn(DVec2) -> f64) -> bool {
        of(self.from) == of(self.to) && of(self.less) == 0.0
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

impl Formula for ReachAlong {
    fn value<N: Number>(&self) -> N {
        let ReachAlong([one, other], axis, way) = *self;
        let [x, y] = way.parts::<N>();
        let radius = N::difference(one, -other);
        if axis.x > 0.0 {
            radius - x
        } else if axis.x < 0.0 {
            radius + x
        } else if axis.y > 0.0 {
            radius - y
        } else {
            radius + y
        }
    }
}
