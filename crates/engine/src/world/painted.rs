use crate::map::EntryId;
use crate::terrain::OUTSIDE;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Cells along one side of a block, as a shift.
const SHIFT: u32 = 5;
/// Cells along one side of a block.
const SIDE: i32 = 1 << SHIFT;
/// Stands for a cell that is as the map has it: no legend has this entry.
const AS_LOADED: EntryId = OUTSIDE;

/// The cells of a world that are not as its map has them, in blocks of 32 by 32.
#[derive(Clone, Debug, Default)]
pub(crate) struct Painted {
    /// By layer, row and column of the blocks; none of them is without a painted cell.
    blocks: BTreeMap<(usize, i32, i32), Arc<Block>>,
}

#[derive(Clone, Debug)]
struct Block {
    painted: u32,
    cells: [EntryId; (SIDE * SIDE) as usize],
}

impl Painted {
    /// What a cell has been painted with, if it is not as the map has it.
    pub(crate) fn get(&self, layer: usize, tile: (i32, i32)) -> Option<EntryId> {
        let (key, index) = place(layer, tile);
        self.blocks.get(&key).map(|block| block.cells[index]).filter(|&entry| entry != AS_LOADED)
    }

    /// Takes down that a cell has been painted, or with `None` that it is as the map has it.
    pub(crate) fn set(&mut self, layer: usize, tile: (i32, i32), entry: Option<EntryId>) {
        let (key, index) = place(layer, tile);
        let entry = entry.unwrap_or(AS_LOADED);
        if entry == AS_LOADED && !self.blocks.contains_key(&key) {
            return;
        }
        let empty = || Arc::new(Block { painted: 0, cells: [AS_LOADED; (SIDE * SIDE) as usize] });
        let block = Arc::make_mut(self.blocks.entry(key).or_insert_with(empty));
        let before = std::mem::replace(&mut block.cells[index], entry);
        block.painted += u32::from(before == AS_LOADED);
        block.painted -= u32::from(entry == AS_LOADED);
        if block.painted == 0 {
            self.blocks.remove(&key);
        }
    }

    /// The painted cells of a layer from the lowest row up and from left to right, each with its entry.
    pub(crate) fn cells(&self, layer: usize) -> impl Iterator<Item = ((i32, i32), EntryId)> + '_ {
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

/// The block of a cell, and where in it the cell is.
fn place(layer: usize, (x, y): (i32, i32)) -> ((usize, i32, i32), usize) {
    let within = ((y & (SIDE - 1)) << SHIFT) | (x & (SIDE - 1));
    ((layer, y >> SHIFT, x >> SHIFT), within as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_come_row_by_row_and_layer_by_layer() {
        let mut painted = Painted::default();
        let mut tiles = [(40, 3), (-1, 3), (5, 3), (0, -70), (31, -33), (32, -32), (0, 2_000), (-40, 3)];
        for (i, &tile) in tiles.iter().enumerate() {
            painted.set(2, tile, Some(EntryId(i as u16)));
        }
        painted.set(1, (0, 0), Some(EntryId(9)));
        let found: Vec<_> = painted.cells(2).collect();
        assert!(found.iter().all(|(tile, entry)| tiles[usize::from(entry.0)] == *tile), "{found:?}");
        tiles.sort_unstable_by_key(|&(x, y)| (y, x));
        assert_eq!(found.iter().map(|(tile, _)| *tile).collect::<Vec<_>>(), tiles);
        assert_eq!(painted.cells(0).count(), 0);
        assert_eq!((painted.get(1, (0, 0)), painted.get(2, (0, 0))), (Some(EntryId(9)), None));
    }

    #[test]
    fn what_is_as_loaded_takes_no_room() {
        let mut painted = Painted::default();
        for round in 0..3 {
            for x in 0..1000 {
                painted.set(0, (x, x / 7), Some(EntryId(round)));
            }
        }
        assert_eq!(painted.cells(0).count(), 1000);
        for x in 0..1001 {
            painted.set(0, (x, x / 7), None);
        }
        assert!(painted.blocks.is_empty());
    }
}
