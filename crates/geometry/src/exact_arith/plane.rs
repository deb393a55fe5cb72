//! Exact decisions about points, directions and radii in 2D. Queries use them if rounding in f64 leaves a doubt.

use super::double_double::DoubleDouble;
use super::formula::{Formula, Number, compare_with_zero};
use glam::DVec2;
use std::cmp::Ordering;

/// A displacement from one point to another, minus a step. Exact, even if f64 could not hold the difference.
#[derive(Clone, Copy)]
pub(crate) struct Displacement {
    pub(crate) from: DVec2,
    pub(crate) to: DVec2,
    pub(crate) less: DVec2,
}

struct Dot(Displacement, Displacement);

struct Cross(Displacement, Displacement);

/// Square of the sum of two radii, minus the square of a displacement.
struct Reach([f64; 2], Displacement);

/// Squared displacement times the squared sum of two radii, minus the squared cross product with another displacement.
struct ReachAside([f64; 2], Displacement, Displacement);

impl Displacement {
    #[inline]
    pub(crate) fn between(from: DVec2, to: DVec2) -> Displacement {
        Displacement { from, to, less: DVec2::ZERO }
    }

    /// Returns whether the displacement is shorter than the sum of two radii.
    pub(crate) fn is_shorter_than_sum(self, radii: [f64; 2]) -> bool {
        match self.is_vertical_if_along_axis() {
            Some(of_y) => self.is_component_below_sum_of_radii(of_y, radii),
            None => compare_with_zero(&Reach(radii, self)) == Ordering::Greater,
        }
    }

    /// Returns whether the end of `other` is closer to the line along `self` than the sum of two radii. Both start at
    /// the same point.
    pub(crate) fn is_line_near_end_of(self, other: Displacement, radii: [f64; 2]) -> bool {
        // Lines along an axis need no squares. This case is common: a shape that slides on a floor touches it exactly.
        match self.is_vertical_if_along_axis() {
            Some(of_y) => other.is_component_below_sum_of_radii(!of_y, radii),
            None => compare_with_zero(&ReachAside(radii, self, other)) == Ordering::Greater,
        }
    }

    /// Returns whether one coordinate of the displacement is smaller than the sum of the radii: y if `of_y`, else x.
    fn is_component_below_sum_of_radii(self, of_y: bool, radii: [f64; 2]) -> bool {
        let (to, from, less) = self.terms_of_component(of_y);
        if less == 0.0 {
            return DoubleDouble::difference(to, from).abs() < DoubleDouble::difference(radii[0], -radii[1]);
        }
        let axis = if of_y { DVec2::Y } else { DVec2::X };
        let along = Displacement { from: self.from * axis, to: self.to * axis, less: self.less * axis };
        compare_with_zero(&Reach(radii, along)) == Ordering::Greater
    }

    /// Returns on which side of `self` the displacement `other` points: `Greater` is left. `self` must not be zero.
    pub(crate) fn side_of(self, other: Displacement) -> Ordering {
        match self.is_vertical_if_along_axis() {
            // Along an axis, the cross product has only one term.
            Some(of_y) => {
                let side = if self.component_sign(of_y) == Ordering::Less { Ordering::reverse } else { |side| side };
                let beyond = other.component_sign(!of_y);
                side(if of_y { beyond.reverse() } else { beyond })
            }
            None => compare_with_zero(&Cross(self, other)),
        }
    }

    /// Returns whether `other` points forwards along `self` (`Greater`) or backwards (`Less`).
    pub(crate) fn dot_sign(self, other: Displacement) -> Ordering {
        compare_with_zero(&Dot(self, other))
    }

    /// Returns the sign of one coordinate of the displacement: y if `of_y`, else x.
    fn component_sign(self, of_y: bool) -> Ordering {
        let (to, from, less) = self.terms_of_component(of_y);
        DoubleDouble::difference(to, from).partial_cmp(&less).unwrap_or(Ordering::Equal)
    }

    /// Returns `to`, `from` and `less` on one axis: y if `of_y`, else x.
    fn terms_of_component(self, of_y: bool) -> (f64, f64, f64) {
        if of_y { (self.to.y, self.from.y, self.less.y) } else { (self.to.x, self.from.x, self.less.x) }
    }

    /// Returns whether the displacement is vertical (`true`) or horizontal (`false`); `None` for neither.
    fn is_vertical_if_along_axis(self) -> Option<bool> {
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
    fn components<N: Number>(self) -> [N; 2] {
        let part = |to: f64, from: f64, less: f64| {
            let way = N::difference(to, from);
            // In most displacements `less` is 0, which needs no second subtraction.
            if less == 0.0 { way } else { way - N::difference(less, 0.0) }
        };
        [part(self.to.x, self.from.x, self.less.x), part(self.to.y, self.from.y, self.less.y)]
    }
}

fn square<N: Number>(number: N) -> N {
    number.clone() * number
}

impl Formula for Dot {
    fn evaluate_in<N: Number>(&self) -> N {
        let ([ax, ay], [bx, by]) = (self.0.components::<N>(), self.1.components::<N>());
        ax * bx + ay * by
    }
}

impl Formula for Cross {
    fn evaluate_in<N: Number>(&self) -> N {
        let ([ax, ay], [bx, by]) = (self.0.components::<N>(), self.1.components::<N>());
        ax * by - ay * bx
    }
}

impl Formula for Reach {
    fn evaluate_in<N: Number>(&self) -> N {
        let Reach([one, other], way) = *self;
        let [x, y] = way.components::<N>();
        square(N::difference(one, -other)) - (square(x) + square(y))
    }
}

impl Formula for ReachAside {
    fn evaluate_in<N: Number>(&self) -> N {
        let ReachAside([one, other], way, to) = *self;
        let [x, y] = way.components::<N>();
        let length_sq = square(x) + square(y);
        square(N::difference(one, -other)) * length_sq - square(Cross(way, to).evaluate_in::<N>())
    }
}
