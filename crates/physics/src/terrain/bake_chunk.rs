//! Bakes single chunks of a streamed terrain, and keeps its list of distinct cells short.

use super::chunk::{CELLS, SHIFT, SIDE};
use super::directory::{ChunkKey, Directory};
use super::grid::{Baker, Memo};
use super::intern::{Cells, Key};
use super::legend::{Legend, StackId};
use super::supply::{Around, SIDE_WITH_RING, Stream};
use super::{OUTSIDE, Terrain};
use crate::map::TileId;
use std::ops::Range;
use std::sync::Arc;

/// Maximum number of neighbourhoods whose result is remembered. Beyond it, all are forgotten.
const MAX_NEIGHBOURHOODS: usize = 1 << 15;

/// Number of distinct cells above which unused cells are searched and dropped.
const MIN_CELLS_TO_COLLECT: usize = 4096;

impl Terrain {
    /// Bakes some cells of a chunk, given as columns and rows. Calls `put` with each id and its index in the chunk.
    fn bake_chunk(
        &mut self,
        around: &Around,
        (columns, rows): (Range<usize>, Range<usize>),
        mut put: impl FnMut(usize, u32),
    ) {
        if self.memo.baked.len() > MAX_NEIGHBOURHOODS {
            self.memo = Memo::default();
        }
        let stacks = self.find_or_add_stacks_of_chunk(around);
        let mut baker = Baker { cells: Arc::make_mut(&mut self.cells), memo: &mut self.memo };
        for y in rows {
            let row = |i: usize| &stacks[(y + i) * SIDE_WITH_RING..][..SIDE_WITH_RING];
            for x in columns.clone() {
                let id =
                    baker.find_or_bake_cell(&self.legend, [&row(0)[x..x + 3], &row(1)[x..x + 3], &row(2)[x..x + 3]]);
                put(y << SHIFT | x, id);
            }
        }
    }

    /// Returns for each tile of a chunk and of the ring around it the stack of tiles, which is the tile in every
    /// colliding layer. Adds new stacks to the legend.
    fn find_or_add_stacks_of_chunk(&mut self, around: &Around) -> Box<[StackId; SIDE_WITH_RING * SIDE_WITH_RING]> {
        let mut stacks = Box::new([StackId::EMPTY; SIDE_WITH_RING * SIDE_WITH_RING]);
        let count = self.legend.layers().len();
        let mut entries = vec![TileId::EMPTY; count];
        for (i, stack) in stacks.iter_mut().enumerate() {
            let first = around.0[0][i];
            *stack = match count {
                _ if first == OUTSIDE => StackId::OUTSIDE,
                1 => StackId(first.0.into()),
                _ => {
                    entries.iter_mut().zip(&around.0).for_each(|(entry, layer)| *entry = layer[i]);
                    Legend::intern_stack_in_shared(&mut self.legend, &entries)
                }
            };
        }
        stacks
    }

    /// Bakes some cells of a loaded chunk again, given as columns and rows, for the terrain and all of its forms.
    pub(super) fn rebake_cells_in_all_forms(
        &mut self,
        key: ChunkKey,
        around: &Around,
        cells: (Range<usize>, Range<usize>),
    ) {
        self.terrains_of_forms_mut().for_each(|inner| inner.rebake_cells_in_all_forms(key, around, cells.clone()));
        let mut baked = Vec::new();
        self.bake_chunk(around, cells, |at, id| baked.push((at, id)));
        if let Some(chunk) = self.chunks.chunk_at_mut(key.column(), key.row()) {
            baked.into_iter().for_each(|(at, id)| chunk.set(at, id, self.cells.is_blank(id, &self.legend)));
        }
    }

    /// Bakes a chunk and stores it, for the terrain and all of its forms.
    pub(super) fn bake_chunk_in_all_forms(&mut self, stream: &mut Stream, key: ChunkKey, around: &Around) {
        self.terrains_of_forms_mut().for_each(|inner| inner.bake_chunk_in_all_forms(stream, key, around));
        let mut ids = [0; CELLS];
        self.bake_chunk(around, (0..SIDE, 0..SIDE), |at, id| ids[at] = id);
        let chunk = stream.new_chunk(&ids, |id| self.cells.is_blank(id, &self.legend));
        if let Some(sparse) = self.sparse_mut() {
            sparse.insert(key, chunk);
        }
    }

    /// Keeps the list of distinct cells from growing without limit.
    pub(super) fn drop_unused_cells_if_many(&mut self) {
        if self.stream.as_ref().is_some_and(|stream| self.cells.len() >= stream.collect_at.max(MIN_CELLS_TO_COLLECT)) {
            self.drop_unused_cells();
            let collect_at = 2 * self.cells.len();
            self.stream.iter_mut().for_each(|stream| stream.collect_at = collect_at);
        }
    }

    /// Drops cells that no loaded chunk has any longer, and stacks of tiles that no remaining cell has.
    fn drop_unused_cells(&mut self) {
        self.terrains_of_forms_mut().for_each(Terrain::drop_unused_cells);
        let Terrain { chunks: Directory::Sparse(sparse), cells, memo, legend, .. } = self else { return };
        *memo = Memo::default();
        let mut used = vec![false; cells.len()];
        // Cells 0 and 1 are always used: the empty cell and the placeholder for cells that are not loaded.
        used[..2].fill(true);
        let sparse = Arc::make_mut(sparse);
        for chunk in sparse.chunks_mut() {
            chunk.for_each(|_, id| used[id as usize] = true);
        }
        let mut kept = Cells::default();
        let mut renewed = legend.without_added_stacks();
        let mut keep = |id: u32| {
            let Key { stack, pieces } = cells.key(id);
            kept.intern(
                Key { stack: renewed.find_or_add_equal_stack(legend, stack), pieces },
                cells.get(id).solid_face_count(),
            )
        };
        let ids: Vec<u32> = (0..cells.len() as u32).map(|id| if used[id as usize] { keep(id) } else { 0 }).collect();
        *legend = Arc::new(renewed);
        for chunk in sparse.chunks_mut() {
            let mut renamed = [0; CELLS];
            chunk.for_each(|at, id| renamed[at] = ids[id as usize]);
            chunk.refill(&renamed, |id| kept.is_blank(id, legend));
        }
        *cells = Arc::new(kept);
    }

    /// Returns the number of remembered distinct cells.
    #[cfg(test)]
    pub(crate) fn distinct_cell_count(&self) -> usize {
        self.cells.len()
    }

    /// Returns the number of remembered stacks of tiles.
    #[cfg(test)]
    pub(crate) fn distinct_stack_count(&self) -> usize {
        self.legend.stack_count()
    }
}
