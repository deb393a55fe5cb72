//! Report of the parts that an import left out.

use crate::level::EditorTile;
use std::collections::BTreeMap;
use std::fmt;

/// Parts of a level that an import left out, collision shapes that nearly equal a tile, and names of the map of names
/// that nothing in the level has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Tiles, layers and objects that are not in the map.
    pub left_over: Vec<LeftOver>,
    /// Collision shapes that are nearly, but not quite, those of a tile. The shape itself is not used.
    pub near: Vec<Near>,
    /// Names of [`Options::names`](crate::Options::names) that nothing in the level has. Of a file with several levels,
    /// the last report has the names that no level has.
    pub unused_names: Vec<String>,
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
    /// Returns whether the report has no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Report::default()
    }
}

/// Maximum number of entries of a report. Parts beyond it are counted together.
const MAX_ENTRIES: usize = 1000;
/// Entry of the parts beyond [`MAX_ENTRIES`].
const OTHERS: &str = "parts of other kinds";

/// A report in the making, whose entries are found by their words.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reporter {
    report: Report,
    entries: BTreeMap<String, usize>,
}

impl Reporter {
    /// Counts one more part.
    pub(crate) fn count_part(&mut self, what: String, at: (i64, i64)) {
        let entry = self.find_or_add_entry(what);
        self.count_in_entry(entry, at);
    }

    /// Returns the number of the entry for parts of a kind.
    pub(crate) fn find_or_add_entry(&mut self, what: String) -> usize {
        let known = self.entries.len() < MAX_ENTRIES || self.entries.contains_key(&what);
        let what = if known { what } else { OTHERS.to_owned() };
        let left_over = &mut self.report.left_over;
        *self.entries.entry(what).or_insert_with_key(|what| {
            left_over.push(LeftOver { what: what.clone(), count: 0, first: (0, 0) });
            left_over.len() - 1
        })
    }

    pub(crate) fn count_in_entry(&mut self, entry: usize, at: (i64, i64)) {
        let entry = &mut self.report.left_over[entry];
        if entry.count == 0 {
            entry.first = at;
        }
        entry.count += 1;
    }

    pub(crate) fn add_near(&mut self, editor_tile: &EditorTile, tile: &str, distance: f64) {
        let near = Near { what: editor_tile.label.clone(), tile: tile.to_owned(), distance };
        if self.report.near.len() < MAX_ENTRIES && !self.report.near.contains(&near) {
            self.report.near.push(near);
        }
    }

    /// Moves the first cells of all entries: subtracts `by`.
    pub(crate) fn shift_first_cells(&mut self, by: (i64, i64)) {
        let cells = self.report.left_over.iter_mut().map(|part| &mut part.first);
        cells.for_each(|(x, y)| (*x, *y) = (x.saturating_sub(by.0), y.saturating_sub(by.1)));
    }

    /// Changes the rows of all entries from counting down from the top to counting up from the lowest of `rows`.
    pub(crate) fn flip_rows(mut self, rows: u32) -> Reporter {
        let cells = self.report.left_over.iter_mut().map(|part| &mut part.first);
        cells.for_each(|(_, y)| *y = (i64::from(rows) - 1).saturating_sub(*y));
        self
    }

    /// Returns the descriptions of the first parts.
    pub(crate) fn first_descriptions(&self, count: usize) -> Vec<String> {
        self.report.left_over.iter().take(count).map(|part| part.what.clone()).collect()
    }

    pub(crate) fn into_report(self) -> Report {
        self.report
    }
}

impl fmt::Display for Report {
    /// Writes a line for each entry.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for LeftOver { what, count, first: (x, y) } in &self.left_over {
            let times = if *count == 1 { "time" } else { "times" };
            writeln!(f, "left out {count} {times}: {what}; first at column {x}, row {y} from the bottom")?;
        }
        for Near { what, tile, distance } in &self.near {
            writeln!(
                f,
                "{what}: its collision shape is only nearly `{tile}` (corners up to {distance:.3} tiles off), so it does not count"
            )?;
        }
        for name in &self.unused_names {
            writeln!(f, "nothing has the name {name:?} of the map of names")?;
        }
        Ok(())
    }
}
