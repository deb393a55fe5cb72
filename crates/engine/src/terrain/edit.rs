use super::bake::bake;
use super::chunk::{SHIFT, SIDE};
use super::intern::Key;
use super::{RINGS, Terrain};
use crate::map::EntryId;
use std::sync::Arc;
use thiserror::Error;

/// Why a tile cannot be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TileError {
    /// The tile is not one of the map's.
    #[error(
        "tile ({}, {}) is outside the map of {} by {} tiles from ({}, {})",
        tile.0, tile.1, size.0, size.1, origin.0, origin.1
    )]
    Outside {
        /// The tile asked for.
        tile: (i32, i32),
        /// The map's lower left tile.
        origin: (i32, i32),
        /// The map's columns and rows.
        size: (u32, u32),
    },
    /// The map's legend has no such entry.
    #[error("the legend has no entry {}", entry.0)]
    UnknownEntry {
        /// The entry asked for.
        entry: EntryId,
    },
}

impl Terrain {
    /// Makes a tile another entry of the map's legend, [`EntryId::EMPTY`] to clear it.
    ///
    /// The terrain is then as if the map had been painted so. Copies made before keep what they were; only the chunks
    /// that the tile and its eight neighbours lie in are copied. Bodies are not asked: one may be built in.
    ///
    /// # Errors
    /// [`TileError`] for a tile outside the map and for an entry that the legend lacks; nothing changes then.
    pub fn set(&mut self, tile: (i32, i32), entry: EntryId) -> Result<(), TileError> {
        if !self.contains(tile) {
            return Err(TileError::Outside { tile, origin: self.origin, size: self.size });
        }
        if !self.legend.has(entry) {
            return Err(TileError::UnknownEntry { entry });
        }
        if self.is_streamed() {
            self.paint_streamed(tile, tile, entry);
            return Ok(());
        }
        if self.entry(tile) == entry {
            return Ok(());
        }
        if self.dropped.is_none() && self.legend.drops(entry) {
            // Until now there was nothing to drop through, so the two are the same but for what the legend will paint.
            let legend = Arc::new(self.legend.without_drops());
            self.dropped = Some(Arc::new(Terrain { legend, ..self.clone() }));
        }
        if let Some(dropped) = &mut self.dropped {
            Arc::make_mut(dropped).paint(tile, entry);
        }
        self.paint(tile, entry);
        Ok(())
    }

    /// Bakes a tile and its eight neighbours anew with another entry in it.
    fn paint(&mut self, tile: (i32, i32), entry: EntryId) {
        let legend = self.legend.clone();
        // Two rings lie around the map, so no cell here is brought in from further out.
        let entry_at = |terrain: &Terrain, at| if at == tile { entry } else { terrain.entry(at) };
        let mut baked = [((0, 0), 0); 9];
        for (i, slot) in baked.iter_mut().enumerate() {
            let middle = neighbour(tile, i);
            let around = std::array::from_fn(|j| legend.shape(entry_at(self, neighbour(middle, j))));
            let own = entry_at(self, middle);
            let shape = legend.shape(own);
            let key = Key { entry: own, pieces: bake(&around).into_vec() };
            let id = match self.cells.find(&key) {
                Some(id) => id,
                None => Arc::make_mut(&mut self.cells).intern(key, shape.is_solid()),
            };
            *slot = (middle, id);
        }
        for (at, id) in baked {
            self.put(at, id);
        }
    }

    pub(super) fn contains(&self, tile: (i32, i32)) -> bool {
        let within =
            |at: i32, from: i32, count: u32| (0..i64::from(count)).contains(&(i64::from(at) - i64::from(from)));
        within(tile.0, self.origin.0, self.size.0) && within(tile.1, self.origin.1, self.size.1)
    }

    fn put(&mut self, tile: (i32, i32), id: u32) {
        let (x, y) = ((tile.0 - self.base.0) as usize, (tile.1 - self.base.1) as usize);
        let (column, row) = (x >> SHIFT, y >> SHIFT);
        let within = ((y & (SIDE - 1)) << SHIFT) | (x & (SIDE - 1));
        if self.chunks.at(column, row).get(within) != id
            && let Some(chunk) = self.chunks.at_mut(column, row)
        {
            chunk.set(within, id);
        }
    }
}

/// One of the nine cells around a cell, row by row, the lowest first.
fn neighbour(middle: (i32, i32), index: usize) -> (i32, i32) {
    const { assert!(RINGS >= 2, "the neighbours of a neighbour of a tile are baked cells") };
    (middle.0 + index as i32 % 3 - 1, middle.1 + index as i32 / 3 - 1)
}
