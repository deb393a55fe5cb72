//! The obstacle grown by the mover (Minkowski difference). The mover shrinks to a point at the origin.

use super::precision::{Number, Vector};
use crate::exact_arith::plane::Displacement;
use crate::shapes::MAX_CORNERS;
use glam::DVec2;

/// A corner of the grown outline: a corner of the obstacle relative to a corner of the mover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corner {
    /// The corner of the obstacle.
    pub(super) on: DVec2,
    /// The corner of the mover.
    pub(super) by: DVec2,
}

impl Corner {
    #[inline]
    pub(super) fn position<N: Number>(self) -> Vector<N> {
        N::difference(self.on, self.by)
    }

    /// Returns the direction of the side from here to the next corner; `None` if both are the same point. The two must
    /// share a corner of the obstacle or of the mover.
    ///
    /// The direction is as long as the side. Along an axis it has length 1, so that nothing is rounded.
    #[inline]
    pub(super) fn direction_to<N: Number>(self, next: Corner) -> Option<Vector<N>> {
        let (from, to) = self.side_ends(next);
        let towards = |from: f64, to: f64| if to > from { 1.0 } else { -1.0 };
        if from.x != to.x && from.y != to.y {
            Some(N::difference(to, from))
        } else if from.x != to.x {
            Some(DVec2::new(towards(from.x, to.x), 0.0).into())
        } else if from.y != to.y {
            Some(DVec2::new(0.0, towards(from.y, to.y)).into())
        } else {
            None
        }
    }

    /// Returns the side from here to the next corner as an exact displacement; `None` if both are the same point.
    pub(super) fn displacement_to(self, next: Corner) -> Option<Displacement> {
        let (from, to) = self.side_ends(next);
        (from != to).then(|| Displacement::between(from, to))
    }

    #[inline]
    fn side_ends(self, next: Corner) -> (DVec2, DVec2) {
        if self.by == next.by { (self.on, next.on) } else { (next.by, self.by) }
    }
}

/// A closed outline of counter-clockwise corners.
///
/// Neighbours may be equal or in line. All corners may be on one line, listed there and back.
pub(super) trait Outline {
    fn corner_count(&self) -> usize;

    fn corner(&self, index: usize) -> Corner;
}

/// The obstacle's own outline, for a mover whose corners are all one point.
pub(super) struct Around<'a> {
    pub(super) corners: &'a [DVec2],
    pub(super) center: DVec2,
}

impl Outline for Around<'_> {
    #[inline]
    fn corner_count(&self) -> usize {
        self.corners.len()
    }

    #[inline]
    fn corner(&self, index: usize) -> Corner {
        Corner { on: self.corners[index], by: self.center }
    }
}

/// The outline grown by a box.
pub(super) struct Grown {
    corners: [Corner; MAX_CORNERS + 4],
    count: usize,
}

impl Grown {
    /// Returns the Minkowski difference of a counter-clockwise outline and the box from `min` to `max`: the sides of
    /// both, sorted by direction.
    pub(super) fn new(corners: &[DVec2], min: DVec2, max: DVec2) -> Grown {
        // `by[i]` is the corner of the box that touches a side of the obstacle whose direction lies in quarter `i`.
        let by = [DVec2::new(min.x, max.y), min, DVec2::new(max.x, min.y), max];
        let nowhere = Corner { on: DVec2::ZERO, by: DVec2::ZERO };
        let mut grown = Grown { corners: [nowhere; MAX_CORNERS + 4], count: 0 };
        let count = corners.len();
        let side = |index: usize| direction_quarter(corners[index], corners[(index + 1) % count]);
        let mut now = if count > 1 { side(count - 1) } else { 0 };
        for (index, &on) in corners.iter().enumerate() {
            let turns = if count > 1 { (side(index) + 4 - now) % 4 } else { 3 };
            grown.push_corner(Corner { on, by: by[now] });
            for _ in 0..turns {
                now = (now + 1) % 4;
                grown.push_corner(Corner { on, by: by[now] });
            }
        }
        grown
    }

    /// Removes corners inside a side along an axis. The order in which mover and obstacle add their parts of that side
    /// would change in a mirror.
    #[cold]
    #[inline(never)]
    pub(super) fn drop_corners_on_axis_sides(&mut self) {
        let (all, count) = (self.corners, self.count);
        self.count = 0;
        for index in 0..count {
            let (before, here, after) = (all[(index + count - 1) % count], all[index], all[(index + 1) % count]);
            let way = |from: Corner, to: Corner| from.direction_to::<f64>(to).map(|way| way.to_dvec2());
            if way(before, here).is_none() || way(before, here) != way(here, after) {
                self.push_corner(here);
            }
        }
    }

    fn push_corner(&mut self, corner: Corner) {
        self.corners[self.count] = corner;
        self.count += 1;
    }
}

impl Outline for Grown {
    #[inline]
    fn corner_count(&self) -> usize {
        self.count
    }

    #[inline]
    fn corner(&self, index: usize) -> Corner {
        self.corners[index]
    }
}

/// Returns the quarter of directions in which a displacement points, counter-clockwise from +x. +x belongs to the first
/// quarter.
fn direction_quarter(from: DVec2, to: DVec2) -> usize {
    if to.x > from.x && to.y >= from.y {
        0
    } else if to.y > from.y {
        1
    } else if to.x < from.x {
        2
    } else {
        3
    }
}
