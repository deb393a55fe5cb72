//! Undoes and redoes brush strokes.

use surefoot::map::TileId;

/// A tile before and after a stroke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edit {
    pub(crate) tile: (i32, i32),
    pub(crate) before: TileId,
    pub(crate) after: TileId,
}

/// The strokes that can be undone, and those that can be redone, the latest last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Edits {
    done: Vec<Vec<Edit>>,
    undone: Vec<Vec<Edit>>,
}

/// Maximum number of strokes that can be undone.
const MAX_STROKES: usize = 1000;

impl Edits {
    /// Begins a stroke. Strokes that were undone can no longer be redone.
    pub(crate) fn begin(&mut self) {
        self.undone.clear();
        // A stroke that changed nothing is none.
        self.done.pop_if(|stroke| stroke.is_empty());
        if self.done.len() == MAX_STROKES {
            self.done.remove(0);
        }
        self.done.push(Vec::new());
    }

    /// Adds a tile to the current stroke.
    pub(crate) fn add(&mut self, edit: Edit) {
        if let Some(stroke) = self.done.last_mut() {
            stroke.push(edit);
        }
    }

    /// Returns the tiles of the last stroke with their contents before it, in the order in which to set them.
    pub(crate) fn undo(&mut self) -> Vec<((i32, i32), TileId)> {
        self.done.pop_if(|stroke| stroke.is_empty());
        let Some(stroke) = self.done.pop() else { return Vec::new() };
        let tiles = stroke.iter().rev().map(|edit| (edit.tile, edit.before)).collect();
        self.undone.push(stroke);
        tiles
    }

    /// Returns the tiles of the last undone stroke with their contents after it.
    pub(crate) fn redo(&mut self) -> Vec<((i32, i32), TileId)> {
        let Some(stroke) = self.undone.pop() else { return Vec::new() };
        let tiles = stroke.iter().map(|edit| (edit.tile, edit.after)).collect();
        self.done.push(stroke);
        tiles
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(x: i32, before: u16, after: u16) -> Edit {
        Edit { tile: (x, 0), before: TileId(before), after: TileId(after) }
    }

    #[test]
    fn strokes_are_undone_and_redone_in_order() {
        let mut edits = Edits::default();
        assert_eq!((edits.undo(), edits.redo()), (vec![], vec![]));
        edits.begin();
        edits.add(edit(1, 0, 5));
        edits.add(edit(1, 5, 6));
        edits.begin();
        edits.begin();
        edits.add(edit(2, 0, 7));
        edits.begin();
        assert_eq!(edits.undo(), [((2, 0), TileId(0))]);
        assert_eq!(edits.undo(), [((1, 0), TileId(5)), ((1, 0), TileId(0))], "the last change first");
        assert_eq!(edits.redo(), [((1, 0), TileId(5)), ((1, 0), TileId(6))]);
        edits.begin();
        assert_eq!(edits.redo(), [], "a new stroke ends what can be redone");
        assert_eq!(edits.undo(), [((1, 0), TileId(5)), ((1, 0), TileId(0))]);
    }
}
