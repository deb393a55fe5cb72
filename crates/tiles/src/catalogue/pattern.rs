use super::{LATTICE, lattice_point};
use glam::I8Vec2;
#[cfg(feature = "serde")]
use serde::Deserialize;

/// Kind of a pattern (tile shape): solid tile, one-way tile or thin wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Deserialize))]
pub enum PatternKind {
    /// Solid tile. Each path is the closed outline of a solid.
    Solid,
    /// One-way tile, such as `one_way`. Each path is a chain of one-way edges. A one-way edge stops bodies that come
    /// from its front, and lets bodies that come from behind pass.
    ///
    /// The front is on the left-hand side when following the path from point to point.
    Open,
    /// Thin wall. Each path is an infinitely thin wall that stops bodies from both sides.
    Wall,
}

/// A tile shape, made of paths of straight edges.
///
/// The solid is on the right-hand side when following a path from point to point. A catalogue makes variants of the
/// pattern by mirroring and turning it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Deserialize), serde(deny_unknown_fields))]
pub struct Pattern {
    /// Name of the pattern, by which maps refer to it: 1 to [`Pattern::MAX_NAME`] letters, digits and underscores.
    pub name: String,
    /// Kind of the pattern: solid tile, one-way tile or thin wall.
    pub kind: PatternKind,
    /// Short description for people: what the pattern is for. The engine ignores the text.
    #[cfg_attr(feature = "serde", serde(rename = "use", default))]
    pub purpose: String,
    /// Points of each path, in lattice steps (1/16 tile) from the tile's lower left corner: x to the right, y up.
    ///
    /// Each coordinate is from 0 to [`LATTICE`](super::LATTICE).
    ///
    /// The outline of a solid runs clockwise and closes by itself: do not repeat the first point at the end.
    pub paths: Vec<Vec<(i8, i8)>>,
}

impl PatternKind {
    /// Returns the number of one-way edges of a path with `points` points.
    pub(super) fn edge_count(self, points: usize) -> usize {
        match self {
            PatternKind::Solid => points,
            PatternKind::Open => points.saturating_sub(1),
            PatternKind::Wall => 2 * points.saturating_sub(1),
        }
    }
}

impl Pattern {
    /// Maximum number of edges of a pattern, all its paths together: 255. A thin wall counts two edges per segment, one
    /// for each side.
    pub const MAX_EDGES: usize = 255;

    /// Maximum number of characters in a pattern's name: 64.
    pub const MAX_NAME: usize = 64;

    /// Returns the paths as lattice points.
    pub(super) fn lattice_paths(&self) -> impl Iterator<Item = Vec<I8Vec2>> {
        self.paths.iter().map(|path| path.iter().copied().map(lattice_point).collect())
    }

    /// Returns whether the pattern is the whole square, drawn like the blocks beyond a map's solid sides.
    pub(super) fn is_full_block(&self) -> bool {
        self.kind == PatternKind::Solid && self.paths == [[(0, LATTICE), (LATTICE, LATTICE), (LATTICE, 0), (0, 0)]]
    }
}
