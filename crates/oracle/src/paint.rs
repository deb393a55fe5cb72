//! Paints tile patterns into a scene, mirrored and turned.

use crate::Scene;

/// The meaning of the paths of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Closed outlines that are filled.
    Solid,
    /// Chains of one-sided edges with the air on the left.
    Open,
    /// Chains of thin walls.
    Wall,
}

/// Mirrors lattice points if `mirrored` (x becomes 16 - x), then applies `turns` clockwise quarter turns ((x, y)
/// becomes (y, 16 - x)). Keeps the order of the points.
#[must_use]
pub fn mirror_and_turn(points: &[(i32, i32)], mirrored: bool, turns: u8) -> Vec<(i32, i32)> {
    let mirror = |(x, y)| if mirrored { (16 - x, y) } else { (x, y) };
    let turn = |(x, y): (i32, i32)| match turns % 4 {
        0 => (x, y),
        1 => (y, 16 - x),
        2 => (16 - x, 16 - y),
        _ => (16 - y, x),
    };
    points.iter().map(|&point| turn(mirror(point))).collect()
}

impl Scene {
    /// Paints a pattern into a cell. `paths` are as drawn, with the air on the left of each edge, before mirror and
    /// turns.
    ///
    /// # Panics
    /// Like [`Scene::add_solid`] and [`Scene::add_one_sided_edge`].
    pub fn paint(&mut self, cell: (i32, i32), kind: Kind, paths: &[Vec<(i32, i32)>], mirrored: bool, turns: u8) {
        for path in paths {
            let mut path = mirror_and_turn(path, mirrored, turns);
            if mirrored {
                // A mirror swaps left and right, so reverse the path to get the air on the left again.
                path.reverse();
            }
            match kind {
                Kind::Solid => self.add_solid(cell, &path),
                Kind::Open => path.windows(2).for_each(|ends| self.add_one_sided_edge(cell, ends[0], ends[1])),
                Kind::Wall => path.windows(2).for_each(|ends| self.add_wall(cell, ends[0], ends[1])),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Manner, Shape};

    #[test]
    fn mirrors_come_before_turns() {
        assert_eq!(mirror_and_turn(&[(0, 16), (3, 5)], false, 1), [(16, 16), (5, 13)]);
        assert_eq!(mirror_and_turn(&[(0, 16), (3, 5)], true, 0), [(16, 16), (13, 5)]);
        assert_eq!(mirror_and_turn(&[(3, 5)], true, 1), [(5, 3)]);
        for turns in 0..8 {
            let once = mirror_and_turn(&[(3, 5), (16, 1)], false, turns);
            assert_eq!(mirror_and_turn(&once, false, 1), mirror_and_turn(&[(3, 5), (16, 1)], false, turns + 1));
        }
    }

    #[test]
    fn the_air_stays_on_the_same_side_of_a_mirrored_edge() {
        // The mirrored floor is still a floor. The mirrored right side wall is a left side wall with the air on the
        // left.
        let floor_and_wall = [vec![(0, 16), (16, 16), (16, 0)]];
        let mut scene = Scene::new();
        scene.paint((0, 0), Kind::Open, &floor_and_wall, true, 0);
        let shape = Shape::Box { half: (1 << 28, 1 << 28) };
        let crossed = |from, to| scene.find_crossing(&shape, from, to).map(|crossing| crossing.manner);
        let cell = 1 << 32;
        assert_eq!(crossed((cell / 2, 2 * cell), (cell / 2, cell / 2)), Some(Manner::Front));
        assert_eq!(crossed((cell / 2, cell / 2), (cell / 2, 2 * cell)), None);
        assert_eq!(crossed((-cell, cell / 2), (cell / 2, cell / 2)), Some(Manner::Front));
        assert_eq!(crossed((cell / 2, cell / 2), (-cell, cell / 2)), None);
        assert_eq!(crossed((2 * cell, cell / 2), (cell / 2, cell / 2)), None);
    }
}
