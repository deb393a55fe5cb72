use super::{LATTICE, point};
use glam::I8Vec2;
#[cfg(feature = "serde")]
use serde::Deserialize;

/// How the edges of a pattern stop bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Deserialize))]
pub enum PatternKind {
    /// Each path is the closed outline of a solid.
    Solid,
    /// Each path is a row of one-way edges: bodies pass from behind and are stopped from the front.
    Open,
    /// Each path is an infinitely thin wall that stops bodies from both sides.
    Wall,
}

/// A pattern: a tile shape as paths on the lattice, with the solid on the right-hand side of each path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Deserialize), serde(deny_unknown_fields))]
pub struct Pattern {
    /// The name in map legends: 1 to [`Pattern::MAX_NAME`] letters, digits and underscores.
    pub name: String,
    /// How the edges stop bodies.
    pub kind: PatternKind,
    /// A short description of what the pattern is for.
    #[cfg_attr(feature = "serde", serde(rename = "use", default))]
    pub purpose: String,
    /// The points of each path in lattice steps from the tile's lower left corner: x to the right, y up.
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
    /// Maximum number of edges of a pattern, over all its paths. A wall has two edges per segment.
    pub const MAX_EDGES: usize = 255;

    /// Maximum number of characters in a pattern's name.
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
