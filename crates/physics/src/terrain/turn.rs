//! Directions in the order in which a rotation about a vertex reaches them. `join` and `bake` use it.

use glam::IVec2;
use smallvec::SmallVec;
use std::cmp::Ordering;

/// Direction of a rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    CounterClockwise,
    Clockwise,
}

impl Turn {
    const fn sign(self) -> i32 {
        match self {
            Turn::CounterClockwise => 1,
            Turn::Clockwise => -1,
        }
    }

    /// Returns how far `to` is from `from`, on a scale of four: less than 180 degrees, 180, more than 180, 360.
    /// Direction `from` itself counts as 360.
    pub(super) fn rough_angle_between(self, from: IVec2, to: IVec2) -> Reach {
        match (from.perp_dot(to) * self.sign()).cmp(&0) {
            Ordering::Greater => Reach::BelowHalf,
            Ordering::Less => Reach::BeyondHalf,
            Ordering::Equal if from.dot(to) < 0 => Reach::Half,
            Ordering::Equal => Reach::Whole,
        }
    }

    /// Returns which of two directions the rotation reaches first after `from`.
    pub(super) fn compare(self, from: IVec2, first: IVec2, second: IVec2) -> Ordering {
        let later = first.perp_dot(second) * self.sign();
        self.rough_angle_between(from, first).cmp(&self.rough_angle_between(from, second)).then(0.cmp(&later))
    }

    /// Returns the first axis direction strictly after `from`, which must be primitive.
    pub(super) fn next_axis(self, from: IVec2) -> IVec2 {
        if from.x == 0 || from.y == 0 {
            return perpendicular(from) * self.sign();
        }
        let (x, y) = (from.signum() * IVec2::X, from.signum() * IVec2::Y);
        if self.rough_angle_between(from, x) == Reach::BelowHalf { x } else { y }
    }

    /// Returns `from`, every axis direction strictly between `from` and `to`, and `to`.
    pub(super) fn axis_directions_between(self, from: IVec2, to: IVec2) -> SmallVec<[IVec2; 5]> {
        let mut chain = self.axis_directions_before(from, to);
        chain.push(to);
        chain
    }

    /// Returns `from`, every axis direction strictly between `from` and `to`, and the axis direction after those.
    pub(super) fn axis_directions_past(self, from: IVec2, to: IVec2) -> SmallVec<[IVec2; 5]> {
        let mut chain = self.axis_directions_before(from, to);
        chain.push(self.next_axis(chain[chain.len() - 1]));
        chain
    }

    fn axis_directions_before(self, from: IVec2, to: IVec2) -> SmallVec<[IVec2; 5]> {
        let mut chain = SmallVec::from_slice(&[from]);
        let mut axis = self.next_axis(from);
        while self.compare(from, axis, to) == Ordering::Less {
            chain.push(axis);
            axis = self.next_axis(axis);
        }
        chain
    }
}

/// Size of a rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
    BelowHalf,
    Half,
    BeyondHalf,
    Whole,
}

/// Turns a vector counter-clockwise by 90 degrees: the normal of an edge in that direction.
pub(super) const fn perpendicular(v: IVec2) -> IVec2 {
    IVec2::new(-v.y, v.x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_come_in_the_order_of_the_turn() {
        let from = IVec2::new(2, 1);
        // Expected order of the directions counter-clockwise after (2, 1), found by hand. The direction itself comes
        // last.
        let round = [(1, 1), (0, 1), (-1, 1), (-2, -1), (0, -1), (1, 0), (2, 1)].map(IVec2::from);
        for (i, first) in round.iter().enumerate() {
            for (j, second) in round.iter().enumerate() {
                assert_eq!(Turn::CounterClockwise.compare(from, *first, *second), i.cmp(&j));
                let (f, s, r) = (first.with_y(-first.y), second.with_y(-second.y), from.with_y(-from.y));
                assert_eq!(Turn::Clockwise.compare(r, f, s), i.cmp(&j));
            }
        }
    }

    #[test]
    fn axes_strictly_between_are_listed_once() {
        let axes =
            |from: (i32, i32), to: (i32, i32)| Turn::Clockwise.axis_directions_between(from.into(), to.into()).to_vec();
        let list = |all: &[(i32, i32)]| all.iter().copied().map(IVec2::from).collect::<Vec<_>>();
        assert_eq!(axes((0, 1), (1, 0)), list(&[(0, 1), (1, 0)]), "bounds that are axes are listed once");
        assert_eq!(axes((-1, 1), (1, 1)), list(&[(-1, 1), (0, 1), (1, 1)]));
        assert_eq!(axes((-1, 2), (1, -1)), list(&[(-1, 2), (0, 1), (1, 0), (1, -1)]));
        assert_eq!(axes((0, 1), (0, -1)), list(&[(0, 1), (1, 0), (0, -1)]), "the tip of an upright wall");
        assert_eq!(axes((-1, 1), (1, -1)), list(&[(-1, 1), (0, 1), (1, 0), (1, -1)]), "the tip of a slanted one");
        let free = Turn::Clockwise.axis_directions_past(IVec2::new(-1, 1), IVec2::new(1, 1));
        assert_eq!(free.to_vec(), list(&[(-1, 1), (0, 1), (1, 0)]));
    }
}
