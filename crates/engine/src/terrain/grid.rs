//! The bake of a whole map, row of chunks by row of chunks.

use super::bake::bake;
use super::chunk::{CELLS, Chunk, SHIFT, SIDE};
use super::intern::{self, Cells, Key};
use super::legend::Legend;
use super::{OUTSIDE, RINGS};
use crate::map::{Beyond, EntryId, Map};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// What a bake gives: the chunks row by row from the lowest, and the cells that they name.
pub(super) fn bake_map(map: &Map, legend: &Legend) -> (Vec<Chunk>, Cells) {
    let mut baker = Baker::new(legend);
    let mut chunks = Vec::new();
    let mut uniform: HashMap<u32, Chunk> = HashMap::new();
    let (width, height) = (map.size().0 as usize + 2 * RINGS, map.size().1 as usize + 2 * RINGS);
    let columns = width.div_ceil(SIDE);
    let mut rows = [padded_row(map, 0), padded_row(map, 0), padded_row(map, 1)];
    let mut ids = vec![0; columns << SHIFT << SHIFT];
    for bottom in (0..height).step_by(SIDE) {
        ids.fill(0);
        for y in bottom..height.min(bottom + SIDE) {
            if y > 0 {
                rows.rotate_left(1);
                rows[2] = padded_row(map, y + 1);
            }
            for x in 0..width {
                let chunk = (x >> SHIFT) * CELLS;
                ids[chunk + ((y - bottom) << SHIFT) + (x & (SIDE - 1))] =
                    baker.id([&rows[0][x..x + 3], &rows[1][x..x + 3], &rows[2][x..x + 3]]);
            }
        }
        chunks.extend(ids.as_chunks::<CELLS>().0.iter().map(|ids| {
            if ids.iter().all(|id| *id == ids[0]) {
                uniform.entry(ids[0]).or_insert_with(|| Chunk::new(ids)).clone()
            } else {
                Chunk::new(ids)
            }
        }));
    }
    (chunks, baker.cells)
}

/// The entries of one row of the baked grid, with one cell more at either end; rows and ends further out repeat.
fn padded_row(map: &Map, row: usize) -> Vec<EntryId> {
    let (width, height) = (map.size().0 as usize, map.size().1 as usize);
    let sides = map.sides();
    let beyond = |side: Beyond| side == Beyond::Solid;
    let (low, high) = (row < RINGS, row >= height + RINGS);
    let across = low && beyond(sides.bottom) || high && beyond(sides.top);
    let fill = |solid: bool| std::iter::repeat_n(if solid { OUTSIDE } else { EntryId::EMPTY }, RINGS + 1);
    let mut all = Vec::with_capacity(width + 2 * RINGS + 2);
    all.extend(fill(across || beyond(sides.left)));
    if low || high {
        all.extend(std::iter::repeat_n(if across { OUTSIDE } else { EntryId::EMPTY }, width));
    } else {
        all.extend_from_slice(&map.cells()[(row - RINGS) * width..][..width]);
    }
    all.extend(fill(across || beyond(sides.right)));
    all
}

/// Bakes cells and remembers what neighbourhoods have become.
pub(super) struct Baker<'a> {
    legend: &'a Legend,
    pub(super) cells: Cells,
    pub(super) memo: Memo,
}

/// What neighbourhoods have become: ids in one list of cells.
#[derive(Debug, Default)]
pub(super) struct Memo {
    baked: HashMap<Entries, u32, BuildHasherDefault<Fold>>,
    /// For each entry that is a full block: the cell without a piece. Filled as they come.
    buried: Vec<Option<u32>>,
}

impl Memo {
    /// How many neighbourhoods it remembers.
    pub(super) fn len(&self) -> usize {
        self.baked.len()
    }
}

/// The entries of a cell and its neighbours, row by row, the lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Entries([EntryId; 9]);

impl<'a> Baker<'a> {
    fn new(legend: &'a Legend) -> Baker<'a> {
        Baker { legend, cells: Cells::with_empty(), memo: Memo::default() }
    }

    /// One that goes on with what another has left.
    pub(super) fn resumed(legend: &'a Legend, cells: Cells, memo: Memo) -> Baker<'a> {
        Baker { legend, cells, memo }
    }

    pub(super) fn id(&mut self, rows: [&[EntryId]; 3]) -> u32 {
        let middle = rows[1][1];
        if middle == EntryId::EMPTY {
            return intern::EMPTY;
        }
        let full = |entry| self.legend.shape(entry).is_full();
        if full(middle) && [rows[0][1], rows[1][0], rows[1][2], rows[2][1]].into_iter().all(full) {
            return self.buried(middle);
        }
        let entries = Entries(std::array::from_fn(|i| rows[i / 3][i % 3]));
        if let Some(id) = self.memo.baked.get(&entries) {
            return *id;
        }
        let pieces = bake(&entries.0.map(|entry| self.legend.shape(entry))).into_vec();
        let shape = self.legend.shape(middle);
        let id = self.cells.intern(Key { entry: middle, pieces }, shape.is_solid());
        self.memo.baked.insert(entries, id);
        id
    }

    fn buried(&mut self, entry: EntryId) -> u32 {
        let index = usize::from(entry.0);
        let buried = &mut self.memo.buried;
        if buried.len() <= index {
            buried.resize(index + 1, None);
        }
        let cells = &mut self.cells;
        *buried[index].get_or_insert_with(|| cells.intern(Key { entry, pieces: Vec::new() }, true))
    }
}

/// A quick hash for keys of our own making: nobody gains from collisions, and a map has many cells.
#[derive(Default)]
struct Fold(u64);

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

    fn write_u16(&mut self, value: u16) {
        self.write_u64(u64::from(value));
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }
}
