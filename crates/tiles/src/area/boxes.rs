use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use surefoot_geometry::Aabb;

/// Number of boxes, or of nodes, in a node of the tree. Affects speed only.
const NODE_SIZE: usize = 16;

/// Side of a square in which boxes are sorted next to each other, in tiles. Affects speed only.
const SQUARE_TILES: f64 = 32.0;

/// Union of boxes: the shape of an area such as a pool that is not a rectangle.
///
/// The boxes may touch and overlap: a body enters and exits all of them together. Their order does not matter. Clones
/// share the memory.
///
/// # Examples
/// ```
/// use surefoot::area::{AreaShape, Boxes};
/// use surefoot::geometry::{Aabb, dvec2};
///
/// let shallow = Aabb::new(dvec2(0.0, 1.0), dvec2(6.0, 2.0))?;
/// let deep = Aabb::new(dvec2(2.0, -1.0), dvec2(4.0, 1.0))?;
/// let pool = Boxes::new([shallow, deep]);
/// assert_eq!(pool.as_slice().len(), 2);
/// assert!(AreaShape::from(pool).check().is_ok());
/// # Ok::<(), surefoot::geometry::ShapeError>(())
/// ```
#[derive(Clone)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(from = "Vec<Aabb>", into = "Vec<Aabb>"))]
pub struct Boxes(Arc<Tree>);

struct Tree {
    /// Boxes sorted by the 32-tile square of their lower left corner, then by that corner.
    boxes: Vec<Aabb>,
    /// Boxes around [`NODE_SIZE`] boxes each, then around as many of these, and so on. The last list has at most
    /// [`NODE_SIZE`].
    levels: Vec<Vec<Aabb>>,
}

impl Boxes {
    /// Creates the union of `boxes`. [`AreaShape::check`](super::AreaShape::check) refuses an empty list.
    #[must_use]
    pub fn new(boxes: impl IntoIterator<Item = Aabb>) -> Boxes {
        let mut boxes: Vec<Aabb> = boxes.into_iter().collect();
        let key = |aabb: &Aabb| {
            let (square, at) = ((aabb.min() / SQUARE_TILES).floor(), aabb.min());
            [square.y, square.x, at.y, at.x, aabb.max().y, aabb.max().x]
        };
        boxes.sort_by(|a, b| key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal));
        let around = |boxes: &[Aabb]| -> Vec<Aabb> {
            let nodes = boxes.chunks(NODE_SIZE).filter_map(|node| node.iter().copied().reduce(|a, b| a.union(&b)));
            nodes.collect()
        };
        let mut levels: Vec<Vec<Aabb>> = Vec::new();
        while let Some(last) = Some(levels.last().unwrap_or(&boxes)).filter(|last| last.len() > NODE_SIZE) {
            levels.push(around(last));
        }
        Boxes(Arc::new(Tree { boxes, levels }))
    }

    /// Returns the boxes, sorted by their positions.
    #[must_use]
    pub fn as_slice(&self) -> &[Aabb] {
        &self.0.boxes
    }

    /// Returns the smallest box around all boxes. `None` without a box.
    pub(super) fn bounding_box(&self) -> Option<Aabb> {
        self.boxes_of_level(self.0.levels.len()).iter().copied().reduce(|a, b| a.union(&b))
    }

    /// Returns whether `test` returns `true` for any of the boxes that overlap or touch the rectangle from `low` to
    /// `high`.
    #[doc(hidden)]
    pub fn any_near(&self, low: DVec2, high: DVec2, mut test: impl FnMut(&Aabb) -> bool) -> bool {
        let top = self.0.levels.len();
        self.any_box_near_passes_test(top, 0..self.boxes_of_level(top).len(), (low, high), &mut test)
    }

    /// Returns the boxes, or the nodes of a level. Level 0 has the boxes.
    fn boxes_of_level(&self, level: usize) -> &[Aabb] {
        level.checked_sub(1).map_or(&self.0.boxes, |node| &self.0.levels[node])
    }

    /// Calls `test` with the boxes near a rectangle, in a part of the tree, until it returns `true`. Returns whether
    /// it did.
    fn any_box_near_passes_test(
        &self,
        level: usize,
        range: Range<usize>,
        (low, high): (DVec2, DVec2),
        test: &mut impl FnMut(&Aabb) -> bool,
    ) -> bool {
        for i in range {
            let own = &self.boxes_of_level(level)[i];
            if own.min().cmpgt(high).any() || own.max().cmplt(low).any() {
                continue;
            }
            let is_found = match level.checked_sub(1) {
                None => test(own),
                Some(below) => {
                    let range = i * NODE_SIZE..((i + 1) * NODE_SIZE).min(self.boxes_of_level(below).len());
                    self.any_box_near_passes_test(below, range, (low, high), test)
                }
            };
            if is_found {
                return true;
            }
        }
        false
    }
}

impl PartialEq for Boxes {
    fn eq(&self, other: &Boxes) -> bool {
        self.0.boxes == other.0.boxes
    }
}

impl fmt::Debug for Boxes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

impl From<Vec<Aabb>> for Boxes {
    fn from(boxes: Vec<Aabb>) -> Boxes {
        Boxes::new(boxes)
    }
}

impl From<Boxes> for Vec<Aabb> {
    fn from(boxes: Boxes) -> Vec<Aabb> {
        boxes.as_slice().to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn boxes_near_a_rectangle_are_those_that_touch_it() {
        let mut random = Random(7);
        for count in [0, 1, 15, 16, 17, 300, 5000] {
            let mut at = || DVec2::new(random.below(400) as f64, random.below(400) as f64);
            let all: Vec<Aabb> = (0..count)
                .map(|_| {
                    let low = at();
                    Aabb::new(low, low + at() / 80.0).unwrap()
                })
                .collect();
            let boxes = Boxes::new(all.clone());
            for _ in 0..50 {
                let low = at();
                let high = low + at() / 10.0;
                let touches = |aabb: &&Aabb| aabb.min().cmple(high).all() && aabb.max().cmpge(low).all();
                let mut found = Vec::new();
                let none = boxes.any_near(low, high, |aabb| {
                    found.push(*aabb);
                    false
                });
                let expected: Vec<Aabb> = boxes.as_slice().iter().filter(touches).copied().collect();
                assert_eq!((none, found), (false, expected));
                assert_eq!(boxes.any_near(low, high, |_| true), all.iter().any(|aabb| touches(&aabb)));
            }
            let reversed: Vec<Aabb> = all.iter().rev().copied().collect();
            assert_eq!(Boxes::new(reversed), boxes, "the order does not matter");
        }
    }
}
