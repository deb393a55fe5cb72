use super::{LATTICE, VariantNameError};
use glam::I8Vec2;
use std::fmt;

/// How a tile shape is placed in a cell: mirrored left to right or not, then turned clockwise by 0 to 3 quarter turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    mirrored: bool,
    turns: u8,
}

impl Placement {
    /// Number of placements.
    pub(crate) const COUNT: usize = 8;

    /// Creates a placement: mirrors left to right if `mirrored`, then turns clockwise by `turns` quarter turns.
    ///
    /// `turns` counts modulo 4, since four quarter turns change nothing.
    #[must_use]
    pub const fn new(mirrored: bool, turns: u8) -> Placement {
        Placement { mirrored, turns: turns % 4 }
    }

    /// Returns all eight placements: first the four without mirroring, with 0 to 3 turns, then the four with
    /// mirroring, with 0 to 3 turns.
    pub fn all() -> impl Iterator<Item = Placement> {
        (0..Self::COUNT as u8).map(|i| Placement::new(i >= 4, i))
    }

    /// Returns whether the placement mirrors the tile left to right. Mirroring comes before turning.
    #[must_use]
    pub const fn mirrored(self) -> bool {
        self.mirrored
    }

    /// Returns the number of clockwise quarter turns, 0 to 3.
    #[must_use]
    pub const fn turns(self) -> u8 {
        self.turns
    }

    /// Returns the single placement that has the same effect as placing a tile by `self` and then by `next`.
    #[must_use]
    pub const fn then(self, next: Placement) -> Placement {
        // A mirror m reverses the direction of a quarter turn r: m * r^k = r^-k * m.
        let turns = if next.mirrored { next.turns + 4 - self.turns } else { next.turns + self.turns };
        Placement::new(self.mirrored != next.mirrored, turns)
    }

    /// Returns where `point` of a tile lies after this placement has mirrored and turned the tile. Points count in 1/16
    /// tile.
    #[must_use]
    #[doc(hidden)]
    pub const fn apply(self, point: I8Vec2) -> I8Vec2 {
        let mut at = if self.mirrored { I8Vec2::new(LATTICE - point.x, point.y) } else { point };
        let mut turns = self.turns;
        while turns > 0 {
            at = I8Vec2::new(at.y, LATTICE - at.x);
            turns -= 1;
        }
        at
    }

    pub(super) const fn index(self) -> usize {
        self.mirrored as usize * 4 + self.turns as usize
    }

    /// Returns the placement that the words after a pattern's name mean.
    pub(super) fn from_words<'a>(
        pattern: &str,
        words: impl Iterator<Item = &'a str>,
    ) -> Result<Placement, VariantNameError> {
        let mut placement = Placement::default();
        let mut turned = false;
        for word in words {
            let bad = || VariantNameError::BadPlacement { word: word.to_owned() };
            match word {
                "m" if !placement.mirrored && !turned => placement.mirrored = true,
                "r0" | "r1" | "r2" | "r3" if !turned => {
                    turned = true;
                    placement.turns = word.as_bytes()[1] - b'0';
                }
                "m" if !placement.mirrored => {
                    let meant = placement.then(Placement::new(true, 0));
                    return Err(VariantNameError::MirrorLast { meant: format!("{pattern}{meant}") });
                }
                _ => return Err(bad()),
            }
        }
        Ok(placement)
    }
}

impl fmt::Display for Placement {
    /// Prints the placement as in the name of a tile, such as ` m r1`, with a space before each word. Prints nothing
    /// for a tile that is neither mirrored nor turned.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.mirrored {
            f.write_str(" m")?;
        }
        if self.turns > 0 {
            write!(f, " r{}", self.turns)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_turns_and_two_mirrors_give_the_start() {
        let point = I8Vec2::new(3, 5);
        for placement in Placement::all() {
            let mut at = placement;
            for _ in 0..4 {
                at = at.then(Placement::new(false, 1));
            }
            assert_eq!(at.apply(point), placement.apply(point));
            let twice = placement.then(Placement::new(true, 0)).then(Placement::new(true, 0));
            assert_eq!(twice.apply(point), placement.apply(point));
        }
    }

    #[test]
    fn composition_agrees_with_applying_one_after_the_other() {
        for first in Placement::all() {
            for second in Placement::all() {
                for point in [I8Vec2::new(3, 5), I8Vec2::new(0, 16), I8Vec2::new(16, 1)] {
                    assert_eq!(first.then(second).apply(point), second.apply(first.apply(point)));
                }
            }
        }
    }

    #[test]
    fn a_quarter_turn_is_clockwise() {
        // The upper left corner moves to the upper right, with y upwards.
        assert_eq!(Placement::new(false, 1).apply(I8Vec2::new(0, 16)), I8Vec2::new(16, 16));
        assert_eq!(Placement::new(true, 0).apply(I8Vec2::new(2, 7)), I8Vec2::new(14, 7));
    }
}
