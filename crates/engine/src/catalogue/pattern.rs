use super::{LATTICE, point};
use glam::I8Vec2;
#[cfg(feature = "serde")]
use serde::Deserialize;

/// What the edges of a pattern stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Deserialize))]
pub enum PatternKind {
    /// Each path is a closed outline, filled.
    Solid,
    /// Each path is a run of one-sided edges: a body passes from behind and stands in front.
    Open,
    /// Each path stands for its edges and their opposites: an infinitely thin wall with two sides.
    Wall,
}

/// A pattern as drawn: paths on the lattice, walked with the solid on the right hand.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Deserialize), serde(deny_unknown_fields))]
pub struct Pattern {
    /// What a map's legend calls it: letters, digits and underscores.
    pub name: String,
    /// What its edges stand for.
    pub kind: PatternKind,
    /// What it is for, in a few words.
    #[cfg_attr(feature = "serde", serde(rename = "use", default))]
    pub purpose: String,
    /// Points of each path in lattice steps, x right and y up from the tile's lower left corner.
    pub paths: Vec<Vec<(i8, i8)>>,
}

impl PatternKind {
    /// How many one-sided edges a path of so many points has.
    pub(super) fn edges(self, points: usize) -> usize {
        match self {
            PatternKind::Solid => points,
            PatternKind::Open => points.saturating_sub(1),
            PatternKind::Wall => 2 * points.saturating_sub(1),
        }
    }
}

impl Pattern {
    /// The most one-sided edges that a pattern may have, over all its paths.
    pub const MAX_EDGES: usize = 255;

    /// The most characters of a name.
    pub const MAX_NAME: usize = 64;

    /// The paths as lattice points.
    pub(super) fn points(&self) -> impl Iterator<Item = Vec<I8Vec2>> {
        self.paths.iter().map(|path| path.iter().copied().map(point).collect())
    }

    /// Whether it is the whole square, drawn as what lies beyond a map's solid sides is.
    pub(super) fn is_full_block(&self) -> bool {
        self.kind == PatternKind::Solid && self.paths == [[(0, LATTICE), (LATTICE, LATTICE), (LATTICE, 0), (0, 0)]]
    }
}
