//! A level as both editors describe it, before its meaning is decided: grids of tiles with descriptions, and objects.
//!
//! Rows count from the top and y points down, as in the editors. `build` turns a level into a map.

use crate::art::Frame;
use crate::names::OwnNames;
use crate::outline::Outline;
use crate::report::Reporter;
use std::collections::BTreeMap;
use std::sync::Arc;
use surefoot::catalogue::Catalogue;
use surefoot::map::{Map, Value};

/// Properties of a tile, a layer or an object, by name.
pub(crate) type Properties = BTreeMap<String, Value>;

/// A level of an editor.
#[derive(Debug, Default)]
pub(crate) struct Level {
    /// Name of the level: empty in Tiled, where a file is one level.
    pub(crate) name: String,
    /// Width and height of a tile in pixels.
    pub(crate) tile: (f64, f64),
    /// Columns and rows of the level.
    pub(crate) size: (u32, u32),
    /// Tile layers, from back to front.
    pub(crate) grids: Vec<Grid>,
    /// Descriptions of the tiles in the grids: names, classes and collision shapes.
    pub(crate) editor_tiles: Vec<EditorTile>,
    /// Looks: the different stacks of tiles that cells show, each from back to front. In LDtk, look 0 is the empty
    /// stack. Empty unless [`Options::art`] is set.
    ///
    /// [`Options::art`]: crate::Options::art
    pub(crate) looks: Vec<Vec<Cell>>,
    /// Objects (Tiled) or entities (LDtk), from back to front.
    pub(crate) objects: Vec<Object>,
    pub(crate) properties: Properties,
    /// The map of names of the level, if there is one.
    pub(crate) own: Option<Arc<OwnNames>>,
    /// Parts of the file that the reader had to leave out.
    pub(crate) report: Reporter,
    /// Directions and names of the neighbour levels.
    pub(crate) neighbours: Vec<(String, String)>,
    /// Number of cells in all grids, and number of those that the file writes down.
    pub(crate) total: (u64, u64),
}

impl Level {
    /// Returns the catalogue of the level: that of its map of names, or the built-in one.
    pub(crate) fn catalogue(&self) -> Arc<Catalogue> {
        self.own.as_ref().map_or_else(Catalogue::builtin, |own| own.map.catalogue().clone())
    }

    /// Counts the cells of a grid before memory is taken for them, and refuses too many: see [`check_cell_count`].
    ///
    /// # Errors
    /// Returns the problem and what was expected instead.
    pub(crate) fn count_and_limit_cells(
        &mut self,
        width: u64,
        height: u64,
        written: u64,
    ) -> Result<(), (String, String)> {
        check_cell_count(width, height, written)?;
        self.total = (self.total.0 + width * height, self.total.1.saturating_add(written));
        check_cell_count(self.total.0, 1, self.total.1)
            .map_err(|(_, expected)| (format!("all layers up to this one have {} cells", self.total.0), expected))
    }

    /// Sets the size of the level to the rectangle around all its tiles, for maps without a size of their own. The
    /// upper left cell of the rectangle becomes cell (0, 0).
    pub(crate) fn fit_to_tiles(&mut self) {
        self.grids.iter_mut().for_each(Grid::crop_empty_sides);
        let filled = self.grids.iter().filter(|grid| grid.size.0 > 0 && grid.size.1 > 0);
        let sides = filled.map(|grid| {
            let (left, top) = grid.origin;
            [left, top, left + i64::from(grid.size.0), top + i64::from(grid.size.1)]
        });
        let around = sides.reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]);
        let [left, top, right, bottom] = around.unwrap_or_default();
        let side = |length: i64| u32::try_from(length).unwrap_or(u32::MAX);
        self.size = (side(right - left), side(bottom - top));
        for grid in &mut self.grids {
            grid.origin = (grid.origin.0 - left, grid.origin.1 - top);
        }
        let (dx, dy) = (left as f64 * self.tile.0, top as f64 * self.tile.1);
        self.report.shift_first_cells((left, top));
        for object in &mut self.objects {
            object.at = (object.at.0 - dx, object.at.1 - dy);
            match &mut object.shape {
                ObjectShape::Polygon(points) | ObjectShape::Polyline(points) => {
                    points.iter_mut().for_each(|point| *point = (point.0 - dx, point.1 - dy));
                }
                ObjectShape::Capsule { ends, .. } => ends.iter_mut().for_each(|end| *end = (end.0 - dx, end.1 - dy)),
                ObjectShape::Point | ObjectShape::Rectangle | ObjectShape::Ellipse => {}
            }
        }
    }
}

/// Maximum number of cells of a rectangle, even if the file writes down none of them.
const MAX_SPARSE_CELLS: u64 = 1 << 22;
/// Maximum number of cells of all layers of a file together.
const MAX_TOTAL_CELLS: u64 = Map::MAX_CELLS / 2;
/// Maximum number of cells of a larger rectangle, for each cell that the file writes down.
const MAX_CELLS_PER_WRITTEN: u64 = 16;

/// Returns the words for a number of cells.
pub(crate) fn cell_count_text(count: u64) -> String {
    if count == 1 { "1 cell".to_owned() } else { format!("{count} cells") }
}

/// Returns a name from a file in quotes for a message: at most 64 characters of it.
pub(crate) fn quoted(name: &str) -> String {
    match name.char_indices().nth(64) {
        Some((end, _)) => format!("{:?}...", &name[..end]),
        None => format!("{name:?}"),
    }
}

/// Checks the size of a rectangle of cells. `written`: number of cells that the file writes down. A small file must
/// not take much memory.
///
/// # Errors
/// Returns the problem and what was expected instead.
pub(crate) fn check_cell_count(width: u64, height: u64, written: u64) -> Result<(), (String, String)> {
    let most = MAX_SPARSE_CELLS.max(written.saturating_mul(MAX_CELLS_PER_WRITTEN)).min(MAX_TOTAL_CELLS);
    if width.saturating_mul(height) <= most {
        return Ok(());
    }
    let expected = format!("at most {most} cells, since the file lists only {written}");
    Err((format!("the rectangle of tiles is {width} x {height} cells"), expected))
}

/// A tile layer.
#[derive(Debug)]
pub(crate) struct Grid {
    pub(crate) name: String,
    pub(crate) class: String,
    pub(crate) properties: Properties,
    /// Column and row of the upper left cell in the level.
    pub(crate) origin: (i64, i64),
    /// Columns and rows.
    pub(crate) size: (u32, u32),
    /// Cells row by row from the top.
    pub(crate) cells: Cells,
    /// For each cell the index of its look in [`Level::looks`]. Empty if each cell shows its own tile.
    pub(crate) looks: Vec<u32>,
}

impl Grid {
    /// Cuts off rows and columns without tiles at all sides.
    fn crop_empty_sides(&mut self) {
        let columns = self.size.0 as usize;
        let filled = self.cells.iter().enumerate().filter(|(_, cell)| *cell != Cell::EMPTY);
        let sides = filled.map(|(i, _)| [i % columns, i / columns, i % columns + 1, i / columns + 1]);
        let around = sides.reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]);
        let [left, top, right, bottom] = around.unwrap_or_default();
        let row = |row: usize| (left..right).map(move |column| row * columns + column);
        self.cells = (top..bottom).flat_map(row).map(|index| self.cells.get(index)).collect();
        self.size = ((right - left) as u32, (bottom - top) as u32);
        self.origin = (self.origin.0 + left as i64, self.origin.1 + top as i64);
    }
}

/// A cell: nothing, or an editor tile with the flips of its tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cell(u32);

impl Cell {
    pub(crate) const EMPTY: Cell = Cell(0);

    /// Creates a cell with the editor tile at `index`.
    pub(crate) fn new(index: usize, flips: Flips) -> Cell {
        let Flips { horizontal, vertical, diagonal } = flips;
        let bits = u32::from(horizontal) | u32::from(vertical) << 1 | u32::from(diagonal) << 2;
        Cell((index as u32 + 1) << 3 | bits)
    }

    /// Returns the index of the editor tile, and the flips.
    pub(crate) fn editor_tile_and_flips(self) -> Option<(usize, Flips)> {
        let bit = |i: u32| self.0 >> i & 1 == 1;
        let flips = Flips { horizontal: bit(0), vertical: bit(1), diagonal: bit(2) };
        (self.0 >> 3).checked_sub(1).map(|index| (index as usize, flips))
    }
}

/// Cells of a grid. Each takes two bytes as long as all fit in them, and four otherwise: the text of a level with
/// millions of cells is still in memory when they are read.
#[derive(Debug)]
pub(crate) enum Cells {
    Narrow(Vec<u16>),
    Wide(Vec<Cell>),
}

impl Cells {
    /// Creates `count` empty cells.
    pub(crate) fn empty(count: usize) -> Cells {
        Cells::Narrow(vec![0; count])
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Cells::Narrow(cells) => cells.len(),
            Cells::Wide(cells) => cells.len(),
        }
    }

    pub(crate) fn get(&self, index: usize) -> Cell {
        match self {
            Cells::Narrow(cells) => Cell(cells[index].into()),
            Cells::Wide(cells) => cells[index],
        }
    }

    pub(crate) fn set(&mut self, index: usize, cell: Cell) {
        match (&mut *self, u16::try_from(cell.0)) {
            (Cells::Narrow(cells), Ok(narrow)) => cells[index] = narrow,
            (Cells::Wide(cells), _) => cells[index] = cell,
            (Cells::Narrow(_), Err(_)) => self.convert_to_wide_cells()[index] = cell,
        }
    }

    pub(crate) fn push(&mut self, cell: Cell) {
        match (&mut *self, u16::try_from(cell.0)) {
            (Cells::Narrow(cells), Ok(narrow)) => cells.push(narrow),
            (Cells::Wide(cells), _) => cells.push(cell),
            (Cells::Narrow(_), Err(_)) => self.convert_to_wide_cells().push(cell),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Stores narrow cells as wide ones. Returns the wide cells.
    fn convert_to_wide_cells(&mut self) -> &mut Vec<Cell> {
        if let Cells::Narrow(cells) = self {
            *self = Cells::Wide(cells.iter().map(|&cell| Cell(cell.into())).collect());
        }
        match self {
            Cells::Wide(cells) => cells,
            Cells::Narrow(_) => unreachable!("narrow cells became wide above"),
        }
    }
}

impl FromIterator<Cell> for Cells {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Cells {
        let mut all = Cells::Narrow(Vec::new());
        cells.into_iter().for_each(|cell| all.push(cell));
        all
    }
}

/// Flips of a tile as the editors write them. `diagonal` swaps x and y before the other flips.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flips {
    pub(crate) horizontal: bool,
    pub(crate) vertical: bool,
    pub(crate) diagonal: bool,
}

/// Description of a tile of a tileset or of a value of an IntGrid, as the editor stores it.
#[derive(Debug, Default)]
pub(crate) struct EditorTile {
    /// Text that stands for the tile in reports, such as `tile 12 of tileset "ground"`.
    pub(crate) label: String,
    /// Name of the tile set and the number in it, such as `ground/12`: a name that a map of names can use.
    pub(crate) key: String,
    /// Name of a variant, if the tile has one: see [`VARIANT`](crate::tiled::VARIANT).
    pub(crate) variant: Option<String>,
    /// Class of the tile, or name of the IntGrid value. The string is empty if there is none.
    pub(crate) class: String,
    /// Collision shape of the tile; an error says why it cannot be compared with a variant.
    pub(crate) outline: Option<Result<Outline, String>>,
    /// Parts of pictures that show the tile, one after the other. Empty unless [`Options::art`] is set.
    ///
    /// [`Options::art`]: crate::Options::art
    pub(crate) frames: Vec<Frame>,
}

/// An object (Tiled) or an entity (LDtk).
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Object {
    /// Name that the object has in the editor. The string is empty if it has no name.
    pub(crate) name: String,
    /// Class (Tiled) or identifier (LDtk).
    pub(crate) class: String,
    /// Reference by which properties of other objects name this one.
    pub(crate) id: String,
    /// Text that stands for the object in reports and errors, such as `object 7 of layer "things"`.
    pub(crate) label: String,
    /// Upper left corner of the shape's box, in pixels from the upper left corner of the level.
    pub(crate) at: (f64, f64),
    /// Width and height in pixels.
    pub(crate) size: (f64, f64),
    pub(crate) shape: ObjectShape,
    /// Properties; a reference to another object is a text with [`REFERENCE`] before its id.
    pub(crate) properties: Properties,
}

/// Prefix of the text by which a property refers to another object, until the names are known.
pub(crate) const REFERENCE: &str = "\u{1}object ";

/// Shape of an object. Points are in pixels from the upper left corner of the level.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum ObjectShape {
    #[default]
    Point,
    Rectangle,
    Ellipse,
    /// Everything within the radius of a segment.
    Capsule {
        ends: [(f64, f64); 2],
        radius: f64,
    },
    Polygon(Vec<(f64, f64)>),
    Polyline(Vec<(f64, f64)>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_keeps_its_editor_tile_and_flips() {
        for i in 0..8 {
            let flips = Flips { horizontal: i & 1 != 0, vertical: i & 2 != 0, diagonal: i & 4 != 0 };
            assert_eq!(Cell::new(12 + i, flips).editor_tile_and_flips(), Some((12 + i, flips)));
        }
        assert_eq!(Cell::EMPTY.editor_tile_and_flips(), None);
    }

    /// Two bytes hold the editor tiles up to 8190.
    #[test]
    fn cells_become_wide_when_an_editor_tile_does_not_fit() {
        for wide in [8190, 8191, 1 << 20] {
            let wanted = [Cell::new(0, Flips::default()), Cell::EMPTY, Cell::new(wide, Flips::default())];
            let pushed: Cells = wanted.into_iter().collect();
            let mut written = Cells::empty(3);
            (0..3).for_each(|i| written.set(i, wanted[i]));
            for cells in [pushed, written] {
                assert_eq!(matches!(cells, Cells::Wide(_)), wide > 8190);
                assert_eq!(cells.iter().collect::<Vec<_>>(), wanted);
            }
        }
    }
}
