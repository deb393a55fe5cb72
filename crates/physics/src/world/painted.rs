use crate::map::TileId;
use crate::terrain::OUTSIDE;
use crate::version::{HashedVersion, Version};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Cells along one side of a block, as a power of two.
const SHIFT: u32 = 5;
/// Cells along one side of a block.
const SIDE: i32 = 1 << SHIFT;
/// Marks an unedited cell. No legend has this entry.
const AS_LOADED: TileId = OUTSIDE;

/// The lower left and the upper right cell of a rectangle.
pub(crate) type Rectangle = ((i32, i32), (i32, i32));

/// Tile edits of a world as a difference to its map, in blocks of 32 by 32 cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Painted {
    /// Blocks by layer, row and column. Each has at least one edited cell.
    blocks: BTreeMap<BlockKey, Arc<Block>>,
    /// Identifies the edits, with a hash of each layer. The hashes are valid for one map only.
    pub(crate) version: HashedVersion<Vec<(usize, u64)>>,
}

/// Layer, row and column of a block.
type BlockKey = (usize, i32, i32);

#[derive(Clone, Debug)]
struct Block {
    painted: u32,
    cells: [TileId; (SIDE * SIDE) as usize],
}

impl Painted {
    /// Returns the tile of an edited cell, or `None` for an unedited cell.
    pub(crate) fn get(&self, layer: usize, tile: (i32, i32)) -> Option<TileId> {
        let block = self.blocks.get(&(layer, tile.1 >> SHIFT, tile.0 >> SHIFT));
        block.map(|block| block.cells[index_in_block(tile)]).filter(|&entry| entry != AS_LOADED)
    }

    /// Records that all cells of a rectangle were set to one tile.
    ///
    /// `loaded` returns the map's tile of a cell. `counts` receives the former tile of each changed cell. Returns the
    /// smallest rectangle around the changed cells for which `counts` returns true, if any.
    pub(crate) fn record_fill(
        &mut self,
        layer: usize,
        (low, high): Rectangle,
        entry: TileId,
        loaded: impl Fn((i32, i32)) -> Option<TileId>,
        counts: impl Fn(Option<TileId>) -> bool,
    ) -> Option<Rectangle> {
        let (mut any, mut around): (bool, Option<Rectangle>) = (false, None);
        let mut see = |tile: (i32, i32), before| {
            any = true;
            if counts(before) {
                let (low, high) = around.unwrap_or((tile, tile));
                let (low, high) = ((low.0.min(tile.0), low.1.min(tile.1)), (high.0.max(tile.0), high.1.max(tile.1)));
                around = Some((low, high));
            }
        };
        for row in low.1 >> SHIFT..=high.1 >> SHIFT {
            for column in low.0 >> SHIFT..=high.0 >> SHIFT {
                let from = (low.0.max(column << SHIFT), low.1.max(row << SHIFT));
                let to = (high.0.min((column << SHIFT) + SIDE - 1), high.1.min((row << SHIFT) + SIDE - 1));
                let key = (layer, row, column);
                let block = self.blocks.entry(key).or_insert_with(Block::new_unpainted_block);
                Arc::make_mut(block).fill((from, to), entry, &loaded, &mut see);
                if block.painted == 0 {
                    self.blocks.remove(&key);
                }
            }
        }
        if any {
            self.version.renew();
        }
        around
    }

    /// Returns the version of the edits; see [`Version`]. Equal versions mean equal edits, among copies of one world.
    pub(crate) fn version(&self) -> Version {
        self.version.version()
    }

    /// Returns the number of blocks with edited cells.
    #[cfg(feature = "record")]
    pub(crate) fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// Becomes a copy of other edits. Does nothing if the versions are equal.
    pub(crate) fn copy(&mut self, other: &Painted) {
        if self.version() != other.version() {
            self.clone_from(other);
        }
    }

    /// Returns the layers with edits, in order.
    pub(crate) fn layers(&self) -> Vec<usize> {
        let mut layers: Vec<usize> = self.blocks.keys().map(|key| key.0).collect();
        layers.dedup();
        layers
    }

    /// Returns the cells in which two sets of edits differ, each with its layer. Skips blocks that both share.
    pub(crate) fn differing_cells(&self, other: &Painted) -> Vec<(usize, (i32, i32))> {
        let unpainted = Block::new_unpainted_block();
        let keys: BTreeSet<&BlockKey> = self.blocks.keys().chain(other.blocks.keys()).collect();
        let mut cells = Vec::new();
        for key in keys {
            let [own, others] = [self, other].map(|painted| painted.blocks.get(key).unwrap_or(&unpainted));
            if Arc::ptr_eq(own, others) {
                continue;
            }
            for (i, (own, others)) in (0..).zip(own.cells.iter().zip(&others.cells)) {
                if own != others {
                    cells.push((key.0, ((key.2 << SHIFT) + (i & (SIDE - 1)), (key.1 << SHIFT) + (i >> SHIFT))));
                }
            }
        }
        cells
    }

    /// Returns the edited cells of a layer with their tiles, from the lowest row up and from left to right.
    pub(crate) fn cells(&self, layer: usize) -> impl Iterator<Item = ((i32, i32), TileId)> + '_ {
        let blocks = self.blocks.range((layer, i32::MIN, i32::MIN)..=(layer, i32::MAX, i32::MAX));
        let mut rows: Vec<i32> = blocks.map(|(key, _)| key.1).collect();
        rows.dedup();
        rows.into_iter().flat_map(move |row| {
            (0..SIDE).flat_map(move |y| {
                let blocks = self.blocks.range((layer, row, i32::MIN)..=(layer, row, i32::MAX));
                blocks.flat_map(move |(key, block)| {
                    let cells = &block.cells[(y << SHIFT) as usize..][..SIDE as usize];
                    let tile = move |x: usize| ((key.2 << SHIFT) + x as i32, (row << SHIFT) + y);
                    let cells = cells.iter().enumerate().filter(|(_, entry)| **entry != AS_LOADED);
                    cells.map(move |(x, entry)| (tile(x), *entry))
                })
            })
        })
    }
}

impl Block {
    fn new_unpainted_block() -> Arc<Block> {
        Arc::new(Block { painted: 0, cells: [AS_LOADED; (SIDE * SIDE) as usize] })
    }

    /// Fills a rectangle. Calls `see` with each cell that changes and its former tile.
    fn fill(
        &mut self,
        (low, high): Rectangle,
        entry: TileId,
        loaded: impl Fn((i32, i32)) -> Option<TileId>,
        mut see: impl FnMut((i32, i32), Option<TileId>),
    ) {
        for y in low.1..=high.1 {
            for x in low.0..=high.0 {
                let (loaded, cell) = (loaded((x, y)), &mut self.cells[index_in_block((x, y))]);
                let before = if *cell == AS_LOADED { loaded } else { Some(*cell) };
                if before == Some(entry) {
                    continue;
                }
                self.painted -= u32::from(*cell != AS_LOADED);
                *cell = if loaded == Some(entry) { AS_LOADED } else { entry };
                self.painted += u32::from(*cell != AS_LOADED);
                see((x, y), before);
            }
        }
    }
}

/// Returns the index of a cell in its block.
fn index_in_block((x, y): (i32, i32)) -> usize {
    (((y & (SIDE - 1)) << SHIFT) | (x & (SIDE - 1))) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit_one_tile(painted: &mut Painted, layer: usize, tile: (i32, i32), entry: u16) {
        // On the map, every cell has entry 7.
        painted.record_fill(layer, (tile, tile), TileId(entry), |_| Some(TileId(7)), |_| true);
    }

    #[test]
    fn cells_come_row_by_row_and_layer_by_layer() {
        let mut painted = Painted::default();
        let mut tiles = [(40, 3), (-1, 3), (5, 3), (0, -70), (31, -33), (32, -32), (0, 2_000)];
        for (i, &tile) in tiles.iter().enumerate() {
            edit_one_tile(&mut painted, 2, tile, i as u16);
        }
        edit_one_tile(&mut painted, 1, (0, 0), 9);
        let found: Vec<_> = painted.cells(2).collect();
        assert!(found.iter().all(|(tile, entry)| tiles[usize::from(entry.0)] == *tile), "{found:?}");
        tiles.sort_unstable_by_key(|&(x, y)| (y, x));
        assert_eq!(found.iter().map(|(tile, _)| *tile).collect::<Vec<_>>(), tiles);
        assert_eq!(painted.cells(0).count(), 0);
        assert_eq!((painted.get(1, (0, 0)), painted.get(2, (0, 0))), (Some(TileId(9)), None));
    }

    #[test]
    fn tiles_edited_back_take_no_memory() {
        let mut painted = Painted::default();
        for entry in [1, 2, 1, 7] {
            for x in 0..1000 {
                edit_one_tile(&mut painted, 0, (x, x / 7), entry);
            }
            assert_eq!(painted.cells(0).count(), if entry == 7 { 0 } else { 1000 });
        }
        assert!(painted.blocks.is_empty());
    }

    #[test]
    fn changed_rectangle_is_as_small_as_possible() {
        let mut painted = Painted::default();
        let mut fill =
            |from, to, entry| painted.record_fill(0, (from, to), TileId(entry), |_| Some(TileId(7)), |_| true);
        assert_eq!(fill((-40, -3), (70, 50), 7), None);
        assert_eq!(fill((-40, -3), (70, 50), 1), Some(((-40, -3), (70, 50))));
        assert_eq!(fill((-40, -3), (70, 49), 1), None);
        assert_eq!(fill((-50, 40), (60, 60), 1), Some(((-50, 40), (60, 60))));
        assert_eq!(fill((-35, 45), (20, 47), 2), Some(((-35, 45), (20, 47))));
        assert_eq!(fill((-100, 40), (100, 48), 2), Some(((-100, 40), (100, 48))));
        assert_eq!(fill((-34, 46), (19, 46), 3), Some(((-34, 46), (19, 46))));
        // In this rectangle, only the cells of the last fill have another entry than 2 so far.
        assert_eq!(fill((-36, 44), (25, 48), 2), Some(((-34, 46), (19, 46))));
    }

    #[test]
    fn rectangle_surrounds_only_cells_whose_former_tile_counts() {
        let mut painted = Painted::default();
        let (from, to) = ((-40, 0), (40, 0));
        let row = |painted: &mut Painted, entry| {
            // Entry 7 left of column 20, entry 8 from there on. Only entry 8 counts.
            let loaded = |(x, _): (i32, i32)| Some(TileId(if x < 20 { 7 } else { 8 }));
            painted.record_fill(0, (from, to), TileId(entry), loaded, |before| before != Some(TileId(7)))
        };
        assert_eq!(row(&mut painted, 7), Some(((20, 0), (40, 0))));
        let version = painted.version();
        assert_eq!(row(&mut painted, 1), None);
        assert_ne!(painted.version(), version, "it is another painting all the same");
        assert_eq!(painted.get(0, (-40, 0)), Some(TileId(1)));
    }
}
