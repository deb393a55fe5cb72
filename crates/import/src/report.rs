//! Report of the parts that an import left out: nothing is dropped in silence.

use crate::level::Mark;
use std::fmt;

/// Parts of a level that an import left out, and shapes that are nearly known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Tiles, layers and objects that are not in the map.
    pub left_over: Vec<LeftOver>,
    /// Collision shapes that are nearly, but not quite, those of a tile. The shape itself is not used.
    pub near: Vec<Near>,
}

/// Parts of a level of one kind that an import left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOver {
    /// Description of the parts, with the reason if there is one.
    pub what: String,
    /// Number of such parts.
    pub count: u64,
    /// Column and row of the first one in the map. Rows count up from the lowest one.
    pub first: (i64, i64),
}

/// A collision shape of the editor that is nearly that of a tile.
#[derive(Clone, Debug, PartialEq)]
pub struct Near {
    /// Description of the tile in the editor.
    pub what: String,
    /// Name of the tile with the nearest shape.
    pub tile: String,
    /// Greatest distance between the two outlines, in tiles.
    pub distance: f64,
}

impl Report {
    /// Returns whether the whole level is in the map.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Report::default()
    }

    pub(crate) fn new(left_over: &[(String, (i64, i64))]) -> Report {
        let mut report = Report::default();
        for (what, first) in left_over {
            report.add(what.clone(), *first);
        }
        report
    }

    /// Counts one more part.
    pub(crate) fn add(&mut self, what: String, at: (i64, i64)) {
        let entry = self.entry(what);
        self.count(entry, at);
    }

    /// Returns the number of the entry for parts of a kind.
    pub(crate) fn entry(&mut self, what: String) -> usize {
        let known = self.left_over.iter().position(|entry| entry.what == what);
        known.unwrap_or_else(|| {
            self.left_over.push(LeftOver { what, count: 0, first: (0, 0) });
            self.left_over.len() - 1
        })
    }

    pub(crate) fn count(&mut self, entry: usize, at: (i64, i64)) {
        let entry = &mut self.left_over[entry];
        if entry.count == 0 {
            entry.first = at;
        }
        entry.count += 1;
    }

    pub(crate) fn near(&mut self, mark: &Mark, tile: &str, distance: f64) {
        let near = Near { what: mark.label.clone(), tile: tile.to_owned(), distance };
        if !self.near.contains(&near) {
            self.near.push(near);
        }
    }
}

impl fmt::Display for Report {
    /// Writes a line for each entry.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for LeftOver { what, count, first: (x, y) } in &self.left_over {
            writeln!(f, "left out {count}: {what}; first at ({x}, {y})")?;
        }
        for Near { what, tile, distance } in &self.near {
            writeln!(f, "nearly `{tile}`, {distance:.3} tiles away: {what}")?;
        }
        Ok(())
    }
}
