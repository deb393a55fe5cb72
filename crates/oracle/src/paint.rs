//! Patterns as drawn, under mirror and quarter turns.

use crate::Scene;

/// What the paths of a pattern stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Closed outlines, filled.
    Solid,
    /// Runs of one-sided edges, air on the left.
    Open,
    /// Runs of thin walls.
    Wall,
}

/// Lattice points mirrored first (x becomes 16 - x) if asked for, then turned clockwise by quarters ((x, y) becomes
/// (y, 16 - x)). The order of the points stays.
#[must_use]
pub fn place(points: &[(i32, i32)], mirrored: bool, turns: u8) -> Vec<(i32, i32)> {
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
    /// Paints a pattern into a cell: its paths as drawn, the air on the left of each edge, then mirrored and turned.
    ///
    /// # Panics
    /// As [`Scene::solid`] and [`Scene::edge`].
    pub fn paint(&mut self, cell: (i32, i32), kind: Kind, paths: &[Vec<(i32, i32)>], mirrored: bool, turns: u8) {
        for path in paths {
            let mut path = place(path, mirrored, turns);
            if mirrored {
                // A mirror swaps left and right: walked backwards, the air is on the left again.
                path.reverse();
            }
            match kind {
                Kind::Solid => self.solid(cell, &path),
                Kind::Open => path.windows(2).for_each(|ends| self.edge(cell, ends[0], ends[1])),
                Kind::Wall => path.windows(2).for_each(|ends| self.wall(cell, ends[0], ends[1])),
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
        assert_eq!(place(&[(0, 16), (3, 5)], false, 1), [(16, 16), (5, 13)]);
        assert_eq!(place(&[(0, 16), (3, 5)], true, 0), [(16, 16), (13, 5)]);
        assert_eq!(place(&[(3, 5)], true, 1), [(5, 3)]);
        for turns in 0..8 {
            let once = place(&[(3, 5), (16, 1)], false, turns);
            assert_eq!(place(&once, false, 1), place(&[(3, 5), (16, 1)], false, turns + 1));
        }
    }

    #[test]
    fn the_air_stays_on_the_same_side_of_a_mirrored_edge() {
        // A floor, mirrored: still a floor. Its right side wall, mirrored: a left side wall, air on the left.
        let ledge = [vec![(0, 16), (16, 16), (16, 0)]];
        let mut scene = Scene::new();
        scene.paint((0, 0), Kind::Open, &ledge, true, 0);
        let shape = Shape::Box { half: (1 << 28, 1 << 28) };
        let crossed = |from, to| scene.crossed(&shape, from, to).map(|crossing| crossing.manner);
        let cell = 1 << 32;
        assert_eq!(crossed((cell / 2, 2 * cell), (cell / 2, cell / 2)), Some(Manner::Front));
        assert_eq!(crossed((cell / 2, cell / 2), (cell / 2, 2 * cell)), None);
        assert_eq!(crossed((-cell, cell / 2), (cell / 2, cell / 2)), Some(Manner::Front));
        assert_eq!(crossed((cell / 2, cell / 2), (-cell, cell / 2)), None);
        assert_eq!(crossed((2 * cell, cell / 2), (cell / 2, cell / 2)), None);
    }
}
