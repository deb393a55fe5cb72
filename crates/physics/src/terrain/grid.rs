//! Bakes a whole map, one row of chunks after another.

use super::BORDER_RINGS;
use super::bake::bake_pieces;
use super::chunk::{CELLS, Chunk, SHIFT, SIDE};
use super::intern::{self, Cells, Key};
use super::legend::{Legend, StackId};
use crate::map::{Border, Map, TileId};
use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Bakes a map. Returns the chunks row by row from the lowest, and their cells.
///
/// Adds stacks of tiles that are new to the legend.
pub(super) fn bake_map(map: &Map, legend: &mut Legend) -> (Vec<Chunk>, Cells) {
    let (mut cells, mut memo) = (Cells::with_empty_cell(), Memo::default());
    let mut baker = Baker { cells: &mut cells, memo: &mut memo };
    let mut chunks = Vec::new();
    let mut uniform: HashMap<u32, Chunk> = HashMap::new();
    let (width, height) = (map.size().0 as usize + 2 * BORDER_RINGS, map.size().1 as usize + 2 * BORDER_RINGS);
    let columns = width.div_ceil(SIDE);
    // A stack is all tiles of one cell. Keep only the rows of stacks that the current row of chunks needs.
    let mut rows = vec![find_or_add_stacks_of_padded_row(map, 0, legend); 2];
    let (mut ids, mut before) = ([0; CELLS], [0; CELLS]);
    for bottom in (0..height).step_by(SIDE) {
        let count = SIDE.min(height - bottom);
        rows.drain(..rows.len() - 2);
        rows.extend((1..=count).map(|up| find_or_add_stacks_of_padded_row(map, bottom + up, legend)));
        for column in 0..columns {
            let left = column << SHIFT;
            ids.fill(0);
            for (y, around) in rows.windows(3).enumerate() {
                for x in left..width.min(left + SIDE) {
                    ids[(y << SHIFT) + x - left] = baker
                        .find_or_bake_cell(legend, [&around[0][x..x + 3], &around[1][x..x + 3], &around[2][x..x + 3]]);
                }
            }
            let is_blank = |id| baker.cells.is_blank(id, legend);
            let chunk = match chunks.last() {
                // The chunks of a long floor are equal and share their cells until one is edited.
                Some(last) if column > 0 && ids == before => Chunk::clone(last),
                _ if ids.iter().all(|id| *id == ids[0]) => {
                    uniform.entry(ids[0]).or_insert_with(|| Chunk::new(&ids, is_blank)).clone()
                }
                _ => Chunk::new(&ids, is_blank),
            };
            chunks.push(chunk);
            before = ids;
        }
    }
    (chunks, cells)
}

/// Returns the stacks of one row of the baked grid, with one more cell at either end. Rows and ends further out repeat.
fn find_or_add_stacks_of_padded_row(map: &Map, row: usize, legend: &mut Legend) -> Vec<StackId> {
    let (width, height) = (map.size().0 as usize, map.size().1 as usize);
    let sides = map.borders();
    let beyond = |side: Border| side == Border::Solid;
    let (low, high) = (row < BORDER_RINGS, row >= height + BORDER_RINGS);
    let across = low && beyond(sides.bottom) || high && beyond(sides.top);
    let fill =
        |solid: bool| std::iter::repeat_n(if solid { StackId::OUTSIDE } else { StackId::EMPTY }, BORDER_RINGS + 1);
    let mut all = Vec::with_capacity(width + 2 * BORDER_RINGS + 2);
    all.extend(fill(across || beyond(sides.left)));
    if low || high {
        all.extend(std::iter::repeat_n(if across { StackId::OUTSIDE } else { StackId::EMPTY }, width));
    } else {
        let (left, bottom) = map.origin();
        let y = bottom + (row - BORDER_RINGS) as i32;
        let cells = |layer: &usize| map.layers()[*layer].row(y, left, map.size().0);
        let layers: Vec<Cow<'_, [TileId]>> = legend.layers().iter().map(cells).collect();
        if let [cells] = &layers[..] {
            all.extend(cells.iter().map(|entry| StackId(entry.0.into())));
        } else {
            let mut entries = vec![TileId::EMPTY; layers.len()];
            all.extend((0..width).map(|x| {
                entries.iter_mut().zip(&layers).for_each(|(entry, cells)| *entry = cells[x]);
                legend.find_or_add_stack(&entries)
            }));
        }
    }
    all.extend(fill(across || beyond(sides.right)));
    all
}

/// Bakes cells, and remembers the results of neighbourhoods.
pub(super) struct Baker<'a> {
    pub(super) cells: &'a mut Cells,
    pub(super) memo: &'a mut Memo,
}

/// Remembered results of neighbourhoods: ids in one list of cells. Cache: does not affect results. A copy starts empty.
#[derive(Debug, Default)]
pub(super) struct Memo {
    /// By the stacks of a cell and its neighbours, row by row, the lowest row first. Blank neighbours are
    /// [`StackId::EMPTY`].
    pub(super) baked: HashMap<[StackId; 9], u32, BuildHasherDefault<Fold>>,
    /// For each stack, the id of the cell without pieces, filled on demand: among full blocks, or blank.
    /// The first one is outside the map.
    without_pieces: Vec<Option<u32>>,
}

impl Clone for Memo {
    fn clone(&self) -> Memo {
        Memo::default()
    }
}

impl Baker<'_> {
    pub(super) fn find_or_bake_cell(&mut self, legend: &Legend, rows: [&[StackId]; 3]) -> u32 {
        let middle = rows[1][1];
        if middle == StackId::EMPTY {
            return intern::EMPTY;
        }
        let (own, full) = (legend.shape(middle), |stack| legend.shape(stack).is_full());
        if own.is_blank() || (own.is_full() && [rows[0][1], rows[1][0], rows[1][2], rows[2][1]].into_iter().all(full)) {
            return self.intern_cell_without_pieces(middle);
        }
        // Blank neighbours are as empty ones: a floor below coins is baked once, whatever the coins are.
        let around = std::array::from_fn(|i| match rows[i / 3][i % 3] {
            stack if i != 4 && legend.shape(stack).is_blank() => StackId::EMPTY,
            stack => stack,
        });
        if let Some(id) = self.memo.baked.get(&around) {
            return *id;
        }
        let pieces = bake_pieces(&around.map(|stack| legend.shape(stack)));
        let solid_faces = pieces.solid_face_count(own);
        let id = self.cells.intern(Key { stack: middle, pieces: pieces.into_vec() }, solid_faces);
        self.memo.baked.insert(around, id);
        id
    }

    fn intern_cell_without_pieces(&mut self, stack: StackId) -> u32 {
        let index = stack.0.wrapping_add(1) as usize;
        let known = &mut self.memo.without_pieces;
        if known.len() <= index {
            known.resize(index + 1, None);
        }
        *known[index].get_or_insert_with(|| self.cells.intern(Key { stack, pieces: Vec::new() }, 0))
    }
}

/// A fast hash for internal keys: collision attacks gain nothing, and a map has many cells.
#[derive(Default)]
pub(super) struct Fold(u64);

impl Hasher for Fold {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(23) ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 ^= self.0 >> 29;
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }
}
