use super::bake::bake_pieces;
use super::chunk::{CELLS, Chunk, SHIFT, SIDE};
use super::intern::Key;
use super::legend::{Legend, StackId};
use super::{BORDER_RINGS, Terrain};
use crate::map::{TileError, TileId};
use std::sync::Arc;

impl Terrain {
    /// Maximum number of tiles that one call of [`Terrain::set_tiles`] can set in a [streamed](Terrain::streamed)
    /// terrain: 2^20. Other terrains have no such limit.
    pub const MAX_FILL_TILES: u64 = crate::tiles::map::MAX_FILL;

    /// Sets one tile of tile layer `layer`, counted from 0. [`TileId::EMPTY`] clears the cell.
    ///
    /// Afterwards, the terrain equals the terrain of a map with that tile. Clones of the terrain made before the call
    /// do not change. A terrain contains no bodies, so the call does not check whether the new tile overlaps a body.
    ///
    /// # Errors
    /// Returns a [`TileError`] and changes nothing in these cases:
    ///
    /// - The layer is unknown or does not collide.
    /// - The map has no tile kind `tile_id`.
    /// - The tile is outside the map.
    /// - The tile kind cannot share a cell with the tiles of the other tile layers.
    pub fn set_tile(&mut self, layer: usize, tile: (i32, i32), tile_id: TileId) -> Result<(), TileError> {
        self.set_tiles(layer, tile, tile, tile_id)
    }

    /// Sets all tiles of a rectangle in tile layer `layer`. The tiles `from` and `to` are two opposite corners, both
    /// included.
    ///
    /// The time of the call depends on the rectangle, not on the size of the map. The call computes the collision
    /// geometry of each tile along the border of the rectangle and just outside. If only one tile layer collides, all
    /// inner tiles share a geometry that is computed once.
    ///
    /// # Errors
    /// Returns a [`TileError`] as [`Terrain::set_tile`] does, and changes nothing:
    ///
    /// - [`TileError::Outside`] names a corner that is outside the map.
    /// - [`TileError::TooLarge`] is returned in a [streamed](Terrain::streamed) terrain for more than
    ///   [`Terrain::MAX_FILL_TILES`] tiles.
    ///
    /// # Examples
    /// ```
    /// use surefoot::map::{TileId, Map};
    /// use surefoot::terrain::Terrain;
    ///
    /// let map = Map::from_ron("Map(format: 1, tiles: [\"....\", \"####\"])")?;
    /// let mut terrain = Terrain::bake(&map);
    /// terrain.set_tiles(0, (1, 0), (2, 0), TileId::EMPTY)?;
    /// assert_eq!((0..4).map(|x| terrain.variant_at(0, (x, 0)).is_some()).collect::<Vec<_>>(), [true, false, false, true]);
    /// assert!(terrain.set_tiles(0, (1, 0), (4, 0), TileId::EMPTY).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_tiles(
        &mut self,
        layer: usize,
        from: (i32, i32),
        to: (i32, i32),
        entry: TileId,
    ) -> Result<(), TileError> {
        let own = self.legend.layers();
        let unknown = TileError::UnknownLayer { layer, layers: own.len() };
        let colliding_layer = own.iter().position(|own| *own == layer).ok_or(unknown)?;
        self.check_fill(from, to, entry)?;
        let (low, high) = ((from.0.min(to.0), from.1.min(to.1)), (from.0.max(to.0), from.1.max(to.1)));
        if self.is_streamed() {
            let painted = self.edit_streamed_tiles((low, high), colliding_layer, entry);
            self.renew_versions_after_edit();
            return painted;
        }
        if self.legend.layers().len() > 1 {
            for tile in (low.1..=high.1).flat_map(|y| (low.0..=high.0).map(move |x| (x, y))) {
                let check = self.legend.check_fits_in_stack(self.stack_at(tile), colliding_layer, entry);
                check.map_err(|error| TileError::CannotShare { tile, error })?;
            }
        }
        if from == to && self.legend.entry_of_stack(self.stack_at(from), colliding_layer) == entry {
            return Ok(());
        }
        if self.legend.is_drop_through(entry) {
            self.add_missing_drop_through_forms();
        }
        self.bake_rectangle_in_all_forms(low, high, colliding_layer, entry);
        self.renew_versions_after_edit();
        Ok(())
    }

    /// Adds the forms for bodies that drop through tiles, if there are none yet. There was no drop-through tile
    /// until now, so they start as copies of the ordinary terrain.
    fn add_missing_drop_through_forms(&mut self) {
        if self.dropped.is_none() {
            let legend = Arc::new(self.legend.without_drop_through_tiles());
            self.dropped = Some(Arc::new(Terrain { legend, forms: Arc::default(), ..self.clone() }));
        }
        self.forms_mut().iter_mut().for_each(|(_, form)| Arc::make_mut(form).add_missing_drop_through_forms());
    }

    /// Does [`Terrain::bake_rectangle`] for the terrain and all of its forms.
    fn bake_rectangle_in_all_forms(&mut self, low: (i32, i32), high: (i32, i32), layer: usize, entry: TileId) {
        self.terrains_of_forms_mut().for_each(|inner| inner.bake_rectangle_in_all_forms(low, high, layer, entry));
        self.bake_rectangle(low, high, layer, entry);
    }

    /// Checks that a rectangle is on the map and that the legend has the entry.
    pub(crate) fn check_fill(&self, from: (i32, i32), to: (i32, i32), entry: TileId) -> Result<(), TileError> {
        if let Some(tile) = [from, to].into_iter().find(|tile| !self.contains(*tile)) {
            return Err(TileError::Outside { tile, origin: self.bounds.origin, size: self.bounds.size });
        }
        if !self.legend.has_entry(entry) {
            return Err(TileError::UnknownTile { tile_id: entry });
        }
        let count = |from: i32, to: i32| u64::from(from.abs_diff(to)) + 1;
        let tiles = count(from.0, to.0) * count(from.1, to.1);
        if self.is_streamed() && tiles > Self::MAX_FILL_TILES {
            return Err(TileError::TooLarge { tiles });
        }
        Ok(())
    }

    /// Bakes a rectangle and the ring around it again, with another entry in one of the colliding layers. `layer`
    /// counts only colliding layers. Returns the number of baked cells.
    pub(super) fn bake_rectangle(&mut self, low: (i32, i32), high: (i32, i32), layer: usize, entry: TileId) -> usize {
        let mut baked = 0;
        let alone = self.legend.layers().len() == 1;
        // If there is no other layer, all cells away from the border of the rectangle are equal, so bake one of them.
        let is_deep = |(x, y): (i32, i32)| alone && low.0 < x && x < high.0 && low.1 < y && y < high.1;
        for y in low.1 - 1..=high.1 + 1 {
            let mut x = low.0 - 1;
            while x <= high.0 + 1 {
                if is_deep((x, y)) {
                    x = high.0;
                }
                let id = self.find_or_add_cell_after_fill((x, y), low, high, layer, entry);
                self.store_cell((x, y), id);
                (x, baked) = (x + 1, baked + 1);
            }
        }
        let deep = ((low.0 + 1, low.1 + 1), (high.0 - 1, high.1 - 1));
        if is_deep(deep.0) {
            let id = self.find_or_add_cell_after_fill(deep.0, low, high, layer, entry);
            self.fill_rectangle_with_cell(deep.0, deep.1, id);
            baked += 1;
        }
        baked
    }

    /// Returns the id of a cell as if a rectangle were filled with an entry. Store it before the next call.
    fn find_or_add_cell_after_fill(
        &mut self,
        tile: (i32, i32),
        low: (i32, i32),
        high: (i32, i32),
        layer: usize,
        entry: TileId,
    ) -> u32 {
        // While the rectangle is edited, some of its cells have the new tile and some do not yet. So use the new tile
        // for all of them. The cells around `tile` are always baked: they are on the map or in the two rings around it.
        let around: [StackId; 9] = std::array::from_fn(|i| {
            let at = neighbour(tile, i);
            let painted = low.0 <= at.0 && at.0 <= high.0 && low.1 <= at.1 && at.1 <= high.1;
            if painted { self.find_or_add_stack_with_entry(at, layer, entry) } else { self.stack_at(at) }
        });
        let shapes = around.map(|stack| self.legend.shape(stack));
        let pieces = bake_pieces(&shapes);
        let solid_faces = pieces.solid_face_count(shapes[4]);
        let key = Key { stack: around[4], pieces: pieces.into_vec() };
        if let Some(id) = self.cells.find(&key) {
            return id;
        }
        let cells = Arc::make_mut(&mut self.cells);
        let references = Arc::make_mut(&mut self.references);
        match references.take_unused_id() {
            Some(id) => cells.reuse_id(id, key, solid_faces),
            None => {
                references.add_unused_id();
                cells.intern(key, solid_faces)
            }
        }
    }

    /// Returns the stack of a tile with another entry in one of the colliding layers. Adds it to the legend.
    fn find_or_add_stack_with_entry(&mut self, tile: (i32, i32), layer: usize, entry: TileId) -> StackId {
        let before = self.stack_at(tile);
        if self.legend.layers().len() == 1 {
            return StackId(entry.0.into());
        }
        let entries = self.legend.entries_with_replaced(before, layer, entry);
        Legend::intern_stack_in_shared(&mut self.legend, &entries)
    }

    pub(super) fn contains(&self, tile: (i32, i32)) -> bool {
        let (first, past) = (self.bounds.origin, self.bounds.end_corner());
        (first.0..past.0).contains(&tile.0) && (first.1..past.1).contains(&tile.1)
    }

    /// Returns the distance of a baked tile from the first one.
    fn offset_from_first_tile(&self, tile: (i32, i32)) -> (usize, usize) {
        ((tile.0 - self.baked.low.0) as usize, (tile.1 - self.baked.low.1) as usize)
    }

    fn store_cell(&mut self, tile: (i32, i32), id: u32) {
        let (x, y) = self.offset_from_first_tile(tile);
        let within = ((y & (SIDE - 1)) << SHIFT) | (x & (SIDE - 1));
        let before = self.chunks.chunk_at(x >> SHIFT, y >> SHIFT).get(within);
        if before != id
            && let Some(chunk) = self.chunks.chunk_at_mut(x >> SHIFT, y >> SHIFT)
        {
            chunk.set(within, id, self.cells.is_blank(id, &self.legend));
            self.transfer_cell_reference(before, id);
        }
    }

    /// Fills a rectangle with one cell. Whole chunks are shared.
    fn fill_rectangle_with_cell(&mut self, low: (i32, i32), high: (i32, i32), id: u32) {
        let (first, last) = (self.offset_from_first_tile(low), self.offset_from_first_tile(high));
        let mut whole: Option<Chunk> = None;
        for row in first.1 >> SHIFT..=last.1 >> SHIFT {
            for column in first.0 >> SHIFT..=last.0 >> SHIFT {
                let corner = (column << SHIFT, row << SHIFT);
                let from = (corner.0.max(first.0), corner.1.max(first.1));
                let to = ((corner.0 + SIDE - 1).min(last.0), (corner.1 + SIDE - 1).min(last.1));
                if (to.0 + 1 - from.0) * (to.1 + 1 - from.1) < CELLS {
                    for y in from.1..=to.1 {
                        (from.0..=to.0).for_each(|x| {
                            self.store_cell((self.baked.low.0 + x as i32, self.baked.low.1 + y as i32), id)
                        });
                    }
                    continue;
                }
                let is_blank = |id| self.cells.is_blank(id, &self.legend);
                let whole = whole.get_or_insert_with(|| Chunk::new(&[id; CELLS], is_blank)).clone();
                let Some(chunk) = self.chunks.chunk_at_mut(column, row) else { continue };
                let before = std::mem::replace(chunk, whole);
                before.for_each(|_, before| self.transfer_cell_reference(before, id));
            }
        }
    }

    /// Counts that a tile now has another cell.
    fn transfer_cell_reference(&mut self, before: u32, now: u32) {
        if self.references.is_counted(before) || self.references.is_counted(now) {
            Arc::make_mut(&mut self.references).transfer_reference(before, now);
        }
    }
}

/// Returns one of the nine cells around a cell, row by row, the lowest row first.
fn neighbour(middle: (i32, i32), index: usize) -> (i32, i32) {
    const { assert!(BORDER_RINGS >= 2, "the neighbours of a neighbour of a tile are baked cells") };
    (middle.0 + index as i32 % 3 - 1, middle.1 + index as i32 / 3 - 1)
}
