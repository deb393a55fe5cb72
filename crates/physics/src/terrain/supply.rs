//! Tiles of a streamed terrain: from the source, edited, or beyond the bounds.

use super::chunk::{CELLS, Chunk, SHIFT, SIDE};
use super::directory::ChunkKey;
use super::legend::Legend;
use super::source::{TileCorners, TileSource};
use super::{OUTSIDE, Terrain, TileError};
use crate::map::{Border, TileId};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The tile from which chunks of a streamed terrain are counted: below every tile, so that no chunk index is negative.
pub(super) const MIN_TILE: i32 = -(1 << 30);

/// Cells along one side of a chunk with one ring around it.
pub(super) const SIDE_WITH_RING: usize = SIDE + 2;

/// Number of chunks whose source tiles are remembered, for the joins of their neighbours. Also the number of dropped
/// chunks whose memory is kept.
const MAX_CACHED_CHUNKS: usize = 64;

/// Data of a streamed terrain in addition to its chunks.
#[derive(Clone)]
pub(super) struct Stream {
    source: Arc<dyn TileSource>,
    pub(super) identity: u64,
    /// Edited tiles, by chunk, by colliding layer, and by index in the chunk.
    painted: Arc<BTreeMap<(ChunkKey, u16, u16), Painted>>,
    given: Given,
    /// Dropped chunks, whose memory is reused.
    spare: Vec<Chunk>,
    /// Number of distinct cells from which unused ones are collected.
    pub(super) collect_at: usize,
}

/// An edited tile.
#[derive(Clone, Copy)]
struct Painted {
    now: TileId,
    was: TileId,
}

/// Source tiles of some chunks. Cache: does not affect results. A copy starts empty.
#[derive(Default)]
struct Given {
    /// Cells of each chunk, in every colliding layer.
    chunks: Vec<(ChunkKey, Box<[[TileId; CELLS]]>)>,
    oldest: usize,
}

impl Clone for Given {
    fn clone(&self) -> Given {
        Given::default()
    }
}

/// Legend entries of a chunk's tiles and of one ring of tiles around it, row by row, the lowest row first. There is one
/// array for each colliding layer, and at least one in all.
pub(super) struct Around(pub(super) Box<[[TileId; SIDE_WITH_RING * SIDE_WITH_RING]]>);

impl Terrain {
    /// Returns the present entries of a chunk's tiles and of one ring around it.
    pub(super) fn entries_around(&self, stream: &mut Stream, key: ChunkKey) -> Around {
        let corner = tile_of(key, 0);
        let count = self.legend.layers().len().max(1);
        let mut all = Around(vec![[TileId::EMPTY; SIDE_WITH_RING * SIDE_WITH_RING]; count].into());
        for (row, down) in [(key.row() - 1, -1), (key.row(), 0), (key.row() + 1, 1)] {
            for (column, left) in [(key.column() - 1, -1), (key.column(), 0), (key.column() + 1, 1)] {
                let key = ChunkKey::new(column, row);
                let (xs, ys) = (neighbour_cells_in_ring(left), neighbour_cells_in_ring(down));
                // `at`: index in `Around` of the tile at (x, y) of chunk `key`.
                let at = |x: usize, y: usize| {
                    let (x, y) = (x as i32 + left * SIDE as i32 + 1, y as i32 + down * SIDE as i32 + 1);
                    y as usize * SIDE_WITH_RING + x as usize
                };
                if self.is_out_of_bounds(key) {
                    continue;
                }
                let given = stream.read_source_tiles(key, &self.legend);
                for (all, given) in all.0.iter_mut().zip(given) {
                    for y in ys.clone() {
                        all[at(xs.start, y)..][..xs.len()].copy_from_slice(&given[y << SHIFT..][xs.clone()]);
                    }
                }
                for (layer, index, painted) in stream.edits_in_chunk(key) {
                    let (x, y) = (index & (SIDE - 1), index >> SHIFT);
                    if xs.contains(&x) && ys.contains(&y) {
                        all.0[layer][at(x, y)] = painted.now;
                    }
                }
            }
        }
        let inside = self.contains((corner.0 - 1, corner.1 - 1))
            && self.contains((corner.0 + SIDE as i32, corner.1 + SIDE as i32));
        if !inside {
            for i in 0..SIDE_WITH_RING * SIDE_WITH_RING {
                let tile = (corner.0 - 1 + (i % SIDE_WITH_RING) as i32, corner.1 - 1 + (i / SIDE_WITH_RING) as i32);
                if let Some(beyond) = self.entry_if_out_of_bounds(tile) {
                    all.0.iter_mut().for_each(|layer| layer[i] = beyond);
                }
            }
        }
        all
    }

    /// Returns whether no tile of a chunk is within the bounds. The source is then not called.
    fn is_out_of_bounds(&self, key: ChunkKey) -> bool {
        let (low, high) = (tile_of(key, 0), tile_of(key, CELLS - 1));
        let (first, past) = (self.bounds.origin, self.bounds.end_corner());
        high.0 < first.0 || low.0 >= past.0 || high.1 < first.1 || low.1 >= past.1
    }

    /// Returns the entry of a tile outside the bounds: solid beyond a solid side. `None` inside the bounds.
    fn entry_if_out_of_bounds(&self, tile: (i32, i32)) -> Option<TileId> {
        let (first, past) = (self.bounds.origin, self.bounds.end_corner());
        let sides = [
            (tile.0 < first.0, self.borders.left),
            (tile.0 >= past.0, self.borders.right),
            (tile.1 < first.1, self.borders.bottom),
            (tile.1 >= past.1, self.borders.top),
        ];
        let is_solid = sides.into_iter().any(|(is_beyond, side)| is_beyond && side == Border::Solid);
        (!self.contains(tile)).then_some(if is_solid { OUTSIDE } else { TileId::EMPTY })
    }

    /// Edits a rectangle of a streamed terrain in one of the colliding layers. `layer` counts only colliding layers.
    /// Loaded cells of it and of the ring around it are baked again, the others when they are loaded. The rectangle
    /// must be within the bounds, and the legend must have the entry.
    ///
    /// Refused without any change if a tile cannot share a cell with the tiles of the other layers.
    pub(super) fn edit_streamed_tiles(
        &mut self,
        corners: TileCorners,
        layer: usize,
        entry: TileId,
    ) -> Result<(), TileError> {
        let Some(mut stream) = self.stream.take() else { return Ok(()) };
        let checked = self.check_entry_fits_other_layers(&mut stream, corners, layer, entry);
        if checked.is_ok() {
            self.edit_checked_rectangle(&mut stream, corners, layer, entry);
        }
        self.stream = Some(stream);
        self.drop_unused_cells_if_many();
        checked
    }

    /// Checks that an entry can fill a rectangle together with the tiles of the other layers.
    fn check_entry_fits_other_layers(
        &self,
        stream: &mut Stream,
        (low, high): TileCorners,
        layer: usize,
        entry: TileId,
    ) -> Result<(), TileError> {
        let count = self.legend.layers().len();
        if count < 2 {
            return Ok(());
        }
        let mut entries = vec![TileId::EMPTY; count];
        for key in self.chunks_touched_by(low, high).chunks() {
            let corner = tile_of(key, 0);
            let mut now: Vec<[TileId; CELLS]> = stream.read_source_tiles(key, &self.legend).to_vec();
            for (layer, cell, painted) in stream.edits_in_chunk(key) {
                now[layer][cell] = painted.now;
            }
            for y in cells_of_chunk_between(low.1, high.1, corner.1) {
                for at in cells_of_chunk_between(low.0, high.0, corner.0).map(|x| y << SHIFT | x) {
                    entries.iter_mut().zip(&now).for_each(|(entry, cells)| *entry = cells[at]);
                    entries[layer] = entry;
                    if self.legend.find_stack(&entries).is_none() {
                        let check = self.legend.check_entries(&entries);
                        check.map_err(|error| TileError::CannotShare { tile: tile_of(key, at), error })?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Paints a rectangle that was checked, and bakes the loaded cells in and around it again.
    fn edit_checked_rectangle(&mut self, stream: &mut Stream, (low, high): TileCorners, layer: usize, entry: TileId) {
        for key in self.chunks_touched_by(low, high).chunks() {
            let corner = tile_of(key, 0);
            let given = stream.read_source_tiles(key, &self.legend)[layer];
            let painted = Arc::make_mut(&mut stream.painted);
            for y in cells_of_chunk_between(low.1, high.1, corner.1) {
                for at in cells_of_chunk_between(low.0, high.0, corner.0).map(|x| y << SHIFT | x) {
                    // A chunk has few layers and cells, so their indices fit into 16 bits.
                    let (was, position) = (given[at], (key, layer as u16, at as u16));
                    if was == entry {
                        painted.remove(&position);
                    } else {
                        painted.insert(position, Painted { now: entry, was });
                    }
                }
            }
        }
        let (low, high) = ((low.0 - 1, low.1 - 1), (high.0 + 1, high.1 + 1));
        for key in self.chunks_touched_by(low, high).chunks() {
            if !self.sparse().is_some_and(|sparse| sparse.contains(key)) {
                continue;
            }
            let around = self.entries_around(stream, key);
            let corner = tile_of(key, 0);
            let (columns, rows) =
                (cells_of_chunk_between(low.0, high.0, corner.0), cells_of_chunk_between(low.1, high.1, corner.1));
            self.rebake_cells_in_all_forms(key, &around, (columns, rows));
        }
    }

    /// Returns the source's entry of an edited tile. `None` for an unedited tile, and for a layer that does not
    /// collide.
    pub(crate) fn source_tile_before_edit(&self, layer: usize, tile: (i32, i32)) -> Option<TileId> {
        let painted = &self.stream.as_ref()?.painted;
        let index = self.legend.layers().iter().position(|own| *own == layer)?;
        let step = |at: i32| (at & (SIDE as i32 - 1)) as u16;
        let at = step(tile.1) << SHIFT | step(tile.0);
        painted.get(&(self.chunk_of(tile), index as u16, at)).map(|painted| painted.was)
    }
}

impl Stream {
    pub(super) fn new(source: Arc<dyn TileSource>) -> Stream {
        Stream {
            identity: source.identity(),
            source,
            painted: Arc::default(),
            given: Given::default(),
            spare: Vec::new(),
            collect_at: 0,
        }
    }

    /// Keeps a chunk's memory for another one.
    pub(super) fn keep_spare_chunk(&mut self, chunk: Chunk) {
        if self.spare.len() < MAX_CACHED_CHUNKS {
            self.spare.push(chunk);
        }
    }

    /// Creates a chunk with those ids.
    pub(super) fn new_chunk(&mut self, ids: &[u32; CELLS], is_blank: impl Fn(u32) -> bool) -> Chunk {
        match self.spare.pop() {
            Some(mut chunk) => {
                chunk.refill(ids, is_blank);
                chunk
            }
            None => Chunk::new(ids, is_blank),
        }
    }

    /// Returns the edited tiles of a chunk: index among the colliding layers, index in the chunk, and tile.
    fn edits_in_chunk(&self, key: ChunkKey) -> impl Iterator<Item = (usize, usize, &Painted)> {
        let all = self.painted.range((key, 0, 0)..=(key, u16::MAX, u16::MAX));
        all.map(|(&(_, layer, index), painted)| (usize::from(layer), usize::from(index), painted))
    }

    /// Returns a chunk's source tiles, by colliding layer. Entries that the legend lacks become empty, and so do
    /// entries that conflict with earlier layers.
    fn read_source_tiles(&mut self, key: ChunkKey, legend: &Legend) -> &[[TileId; CELLS]] {
        let Given { chunks, oldest } = &mut self.given;
        if let Some(at) = chunks.iter().position(|(known, _)| *known == key) {
            return &chunks[at].1;
        }
        let at = if chunks.len() < MAX_CACHED_CHUNKS {
            chunks.push((key, vec![[TileId::EMPTY; CELLS]; legend.layers().len()].into()));
            chunks.len() - 1
        } else {
            let at = *oldest;
            *oldest = (at + 1) % MAX_CACHED_CHUNKS;
            chunks[at].0 = key;
            chunks[at].1.iter_mut().for_each(|layer| layer.fill(TileId::EMPTY));
            at
        };
        let given = &mut chunks[at].1;
        let first = tile_of(key, 0);
        for (layer, cells) in legend.layers().iter().zip(given.iter_mut()) {
            self.source.fill(*layer, (first.0 >> SHIFT, first.1 >> SHIFT), cells);
            cells.iter_mut().filter(|entry| !legend.has_entry(**entry)).for_each(|entry| *entry = TileId::EMPTY);
        }
        remove_conflicts(given, legend);
        given
    }
}

/// Empties the cells of each layer that conflict with earlier layers.
fn remove_conflicts(layers: &mut [[TileId; CELLS]], legend: &Legend) {
    if layers.len() < 2 {
        return;
    }
    let mut fitting: HashMap<Vec<TileId>, Box<[TileId]>> = HashMap::new();
    for at in 0..CELLS {
        let entries: Vec<TileId> = layers.iter().map(|layer| layer[at]).collect();
        // Entries that are a stack of the legend fit together, because the legend has no stacks with conflicts.
        if entries.iter().filter(|entry| **entry != TileId::EMPTY).count() < 2 || legend.find_stack(&entries).is_some()
        {
            continue;
        }
        let fitting = fitting.entry(entries).or_insert_with_key(|entries| legend.entries_without_conflicts(entries));
        layers.iter_mut().zip(fitting.iter()).for_each(|(layer, entry)| layer[at] = *entry);
    }
}

/// Returns which columns or rows of the neighbour at `step` (-1, 0 or 1) are in a chunk or in the ring around it.
fn neighbour_cells_in_ring(step: i32) -> std::ops::Range<usize> {
    match step {
        -1 => SIDE - 1..SIDE,
        0 => 0..SIDE,
        _ => 0..1,
    }
}

/// Returns which columns or rows of a chunk are between two tiles, both inclusive.
fn cells_of_chunk_between(low: i32, high: i32, corner: i32) -> std::ops::Range<usize> {
    let step = |tile: i32| (tile - corner).clamp(0, SIDE as i32) as usize;
    step(low)..step(high + 1)
}

/// Returns a tile of a chunk by its index.
pub(super) fn tile_of(key: ChunkKey, index: usize) -> (i32, i32) {
    let at = |chunk: usize, step: usize| MIN_TILE + ((chunk << SHIFT) + step) as i32;
    (at(key.column(), index & (SIDE - 1)), at(key.row(), index >> SHIFT))
}
