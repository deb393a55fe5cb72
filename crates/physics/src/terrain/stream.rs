//! Streamed terrain: tiles come from a source, chunks are baked on demand, and dropped when nothing holds them.
//!
//! `directory` stores the chunks. `supply` returns their tiles (from the source, edited, or beyond the bounds), and
//! `bake_chunk` bakes them.

use super::bake::bake_pieces;
use super::chunk::{CELLS, Chunk, SHIFT, SIDE};
use super::directory::{ChunkKey, Directory, Sparse};
use super::intern::{Cells, Key};
use super::legend::{Legend, StackId};
use super::reference_counts::ReferenceCounts;
use super::source::{TileBounds, TileCorners, TileSource};
use super::supply::{MIN_TILE, Stream, tile_of};
use super::{BakedTiles, Terrain};
use crate::map::{Borders, Map, TileId};
use std::sync::Arc;

/// Chunks of a streamed terrain, by column and row, both ends inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    low: (u32, u32),
    high: (u32, u32),
}

impl Area {
    /// No chunks.
    pub(crate) const NONE: Area = Area { low: (1, 1), high: (0, 0) };

    pub(super) fn chunks(self) -> impl Iterator<Item = ChunkKey> {
        let Area { low, high } = self;
        (low.1..=high.1).flat_map(move |row| (low.0..=high.0).map(move |x| ChunkKey::new(x as usize, row as usize)))
    }

    /// Returns the first tile of the first chunk and the last tile of the last.
    fn corner_tiles(self) -> TileCorners {
        let first = |chunk: u32| MIN_TILE + ((chunk as i32) << SHIFT);
        let last = |chunk: u32| first(chunk) + (SIDE as i32 - 1);
        ((first(self.low.0), first(self.low.1)), (last(self.high.0), last(self.high.1)))
    }
}

impl Terrain {
    /// Creates a terrain that takes its tiles from `source`, with no chunk loaded.
    ///
    /// The map `template` gives the catalogue of tile shapes, the legend, the tile layers and the borders. The tiles,
    /// origin and size of `template` are not used: the source gives the tiles and the bounds.
    ///
    /// A chunk (32 by 32 tiles) that is not loaded is solid. A game that moves its own entities
    /// [loads](Terrain::load_chunks) all chunks that they can reach before it moves them. From time to time, it
    /// [drops](Terrain::unload_chunks_outside) the other chunks. A [`World`](crate::world::World) loads and drops
    /// chunks by itself.
    ///
    /// # Examples
    /// ```
    /// use std::sync::Arc;
    /// use surefoot::prelude::*;
    /// use surefoot::Map;
    ///
    /// /// Blocks below y = 0.
    /// struct Ground(TileId);
    ///
    /// impl TileSource for Ground {
    ///     fn fill(&self, _layer: usize, chunk: (i32, i32), cells: &mut [TileId; 1024]) {
    ///         cells.fill(if chunk.1 < 0 { self.0 } else { TileId::EMPTY });
    ///     }
    /// }
    ///
    /// let template = Map::from_ron("Map(format: 1, tiles: [\".\"])")?;
    /// let block = template.find_tile('#').ok_or("no block")?;
    /// let mut terrain = Terrain::streamed(&template, Arc::new(Ground(block)));
    /// terrain.load_chunks((-5, -5), (5, 5));
    /// assert_eq!(terrain.loaded_chunks(), 4);
    /// let shape = Shape::aabb(0.5, 0.5);
    /// let moved = Mover::new(&terrain).slide(shape, Position::new(0.0, 2.0)?, (3.0, -3.0));
    /// assert_eq!(moved.position, Position::new(3.0, 0.5)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn streamed(template: &Map, source: Arc<dyn TileSource>) -> Terrain {
        let legend = Legend::from_map(template);
        let bounds = source.bounds().map_or(TileBounds::EVERYTHING, TileBounds::clamped_to_limit);
        let drops = (0..template.kinds().len()).any(|i| legend.is_drop_through(TileId(i as u16)));
        let dropped =
            drops.then(|| Arc::new(Terrain::unloaded(template.borders(), bounds, legend.without_drop_through_tiles())));
        let stream = Stream::new(source);
        let terrain = Terrain::unloaded(template.borders(), bounds, legend);
        Terrain { dropped, stream: Some(Box::new(stream)), ..terrain }
    }

    pub(super) fn unloaded(sides: Borders, bounds: TileBounds, legend: Legend) -> Terrain {
        let mut cells = Cells::with_empty_cell();
        let alone = std::array::from_fn(|i| legend.shape(if i == 4 { StackId::OUTSIDE } else { StackId::EMPTY }));
        let pieces = bake_pieces(&alone);
        let solid_faces = pieces.solid_face_count(alone[4]);
        let missing = cells.intern(Key { stack: StackId::OUTSIDE, pieces: pieces.into_vec() }, solid_faces);
        let baked = BakedTiles { base: (MIN_TILE, MIN_TILE), ..BakedTiles::for_bounds(bounds) };
        let chunks = Directory::Sparse(Arc::new(Sparse::new(Chunk::new(&[missing; CELLS], |_| false))));
        // References are not counted: `drop_unused_cells_if_many` drops unused cells from time to time.
        let references = ReferenceCounts::from_id(u32::MAX);
        Terrain::new_without_forms(baked, chunks, cells, references, legend, bounds, sides)
    }

    /// Returns whether the tiles come from a [`TileSource`], as [`Terrain::streamed`] makes them, rather than from a
    /// map.
    #[must_use]
    pub fn is_streamed(&self) -> bool {
        self.sparse().is_some()
    }

    /// Returns the identity of its source, see [`TileSource::identity`].
    #[doc(hidden)]
    pub fn source_identity(&self) -> Option<u64> {
        self.stream.as_ref().map(|stream| stream.identity)
    }

    /// Returns the number of loaded chunks of 32 by 32 tiles. 0 for the terrain of a map, which always has all its
    /// tiles.
    #[must_use]
    pub fn loaded_chunks(&self) -> usize {
        self.sparse().map_or(0, Sparse::len)
    }

    /// Returns whether a tile is loaded. Always `true` for the terrain of a map.
    #[must_use]
    pub fn is_loaded(&self, tile: (i32, i32)) -> bool {
        let key = self.chunk_of(tile);
        self.sparse().is_none_or(|sparse| sparse.contains(key))
    }

    /// Loads every chunk (32 by 32 tiles) that overlaps the rectangle of tiles from `low` to `high`, both corners
    /// included.
    ///
    /// Chunks that are loaded stay as they are. The call does nothing for the terrain of a map. A typical chunk takes
    /// tens of microseconds and 2 KB, in addition to the time and memory of the source.
    pub fn load_chunks(&mut self, low: (i32, i32), high: (i32, i32)) {
        if self.is_streamed() {
            self.chunks_touched_by(low, high).chunks().for_each(|key| self.load_chunk(key));
        }
    }

    /// Drops every chunk (32 by 32 tiles) that is outside all rectangles of tiles in `kept`.
    ///
    /// The terrain remembers tiles that the game has set in a dropped chunk, and sets them again when the chunk is
    /// loaded. Only a streamed terrain drops chunks: for a terrain that was baked from a whole map, the call does
    /// nothing.
    pub fn unload_chunks_outside(&mut self, kept: &[TileCorners]) {
        let areas: Vec<_> = kept.iter().map(|(low, high)| self.chunks_touched_by(*low, *high)).collect();
        let wanted = |key: &ChunkKey| {
            let (x, y) = (key.column() as u32, key.row() as u32);
            areas.iter().any(|a| (a.low.0..=a.high.0).contains(&x) && (a.low.1..=a.high.1).contains(&y))
        };
        let far: Vec<_> = self.sparse().map(Sparse::keys).unwrap_or_default();
        far.into_iter().filter(|key| !wanted(key)).for_each(|key| self.drop_chunk_if_unheld(key));
    }

    /// Returns the chunks that a rectangle of tiles touches. Tiles beyond the baked ones around the bounds count as the
    /// last baked ones.
    pub(crate) fn chunks_touched_by(&self, low: (i32, i32), high: (i32, i32)) -> Area {
        let chunk = |tile| {
            let key = self.chunk_of(tile);
            (key.column() as u32, key.row() as u32)
        };
        Area { low: chunk(low), high: chunk(high) }
    }

    /// Returns the tiles whose lookups end in an area. If the area contains the outermost tiles, these include all
    /// tiles further out.
    pub(crate) fn tiles_served_by(&self, area: Area) -> TileCorners {
        let (low, high) = area.corner_tiles();
        let from = |at: i32, least: i32| if at <= least { MIN_TILE } else { at };
        let to = |at: i32, most: i32| if at >= most { -MIN_TILE } else { at };
        (
            (from(low.0, self.baked.low.0), from(low.1, self.baked.low.1)),
            (to(high.0, self.baked.high.0), to(high.1, self.baked.high.1)),
        )
    }

    pub(super) fn chunk_of(&self, tile: (i32, i32)) -> ChunkKey {
        let x = (tile.0.clamp(self.baked.low.0, self.baked.high.0) - self.baked.base.0) as usize;
        let y = (tile.1.clamp(self.baked.low.1, self.baked.high.1) - self.baked.base.1) as usize;
        ChunkKey::new(x >> SHIFT, y >> SHIFT)
    }

    /// Loads an area and keeps it until it is [released](Terrain::release_held_chunks) as often as it was held.
    pub(crate) fn load_and_hold_chunks(&mut self, area: Area) {
        for key in area.chunks() {
            self.load_chunk(key);
            self.sparse_mut().map(|sparse| sparse.change_hold_count(key, 1));
        }
    }

    /// Drops the chunks of an area that nothing else holds.
    pub(crate) fn release_held_chunks(&mut self, area: Area) {
        for key in area.chunks() {
            if self.sparse_mut().is_some_and(|sparse| sparse.change_hold_count(key, -1) == 0) {
                self.drop_chunk_if_unheld(key);
            }
        }
    }

    /// Clears the record of missed chunks, and stops sharing it with copies of this terrain. From then on, only
    /// lookups in this terrain count.
    pub(crate) fn clear_and_unshare_missed_chunks(&mut self) {
        // `sparse_mut` copies the record if other terrains share it, so only the record of this terrain is cleared.
        self.sparse_mut().map(|sparse| sparse.take_first_missed_chunk());
        self.terrains_of_forms_mut().for_each(Terrain::clear_and_unshare_missed_chunks);
    }

    /// Returns the first missed chunk since the last call.
    pub(crate) fn take_first_missed_chunk(&self) -> Option<ChunkKey> {
        // Call every form, even if one has already returned a chunk: each call also clears the record of that form.
        let missed = self.terrains_of_forms().fold(None, |missed, inner| inner.take_first_missed_chunk().or(missed));
        self.sparse()?.take_first_missed_chunk().or(missed)
    }

    /// Returns the first chunk that is not loaded among those that a rectangle of tiles touches, both corners
    /// inclusive: row by row from the lowest. `None` if all are loaded, as in a map's terrain.
    pub(crate) fn first_missing_chunk(&self, low: (i32, i32), high: (i32, i32)) -> Option<ChunkKey> {
        let sparse = self.sparse()?;
        self.chunks_touched_by(low, high).chunks().find(|key| !sparse.contains(*key))
    }

    /// Loads a chunk, if it is not loaded.
    pub(crate) fn load_chunk(&mut self, key: ChunkKey) {
        if self.sparse().is_none_or(|sparse| sparse.contains(key)) {
            return;
        }
        self.renew_version();
        let Some(mut stream) = self.stream.take() else { return };
        let around = self.entries_around(&mut stream, key);
        self.bake_chunk_in_all_forms(&mut stream, key, &around);
        self.stream = Some(stream);
        self.drop_unused_cells_if_many();
    }

    /// Drops a chunk that nothing holds.
    pub(crate) fn drop_chunk_if_unheld(&mut self, key: ChunkKey) {
        // The forms of the terrain have the same chunks loaded, so this one count is enough. There is a form for each
        // set of collision layers that needs its own terrain.
        if self.sparse().is_some_and(|sparse| sparse.hold_count(key) > 0) {
            return;
        }
        self.renew_version();
        let Some(mut stream) = self.stream.take() else { return };
        self.remove_chunk(&mut stream, key);
        self.stream = Some(stream);
    }

    fn remove_chunk(&mut self, stream: &mut Stream, key: ChunkKey) {
        if let Some(chunk) = self.sparse_mut().and_then(|sparse| sparse.remove(key)) {
            stream.keep_spare_chunk(chunk);
        }
        self.terrains_of_forms_mut().for_each(|inner| inner.remove_chunk(stream, key));
    }

    /// Returns the loaded tiles that can have visible sides, as rectangles: within a row of chunks from left to right,
    /// the lowest row first. A map's terrain is one rectangle, with the ring around it.
    pub(super) fn loaded_bands(&self) -> Vec<Band> {
        let (low, high) =
            ((self.baked.low.0 + 1, self.baked.low.1 + 1), (self.baked.high.0 - 1, self.baked.high.1 - 1));
        let Some(sparse) = self.sparse() else {
            return vec![Band { rows: (low.1, high.1), columns: vec![(low.0, high.0)] }];
        };
        let mut bands: Vec<Band> = Vec::new();
        for key in sparse.keys() {
            let (first, last) = (tile_of(key, 0), tile_of(key, CELLS - 1));
            let rows = (first.1.max(low.1), last.1.min(high.1));
            let columns = (first.0.max(low.0), last.0.min(high.0));
            match bands.last_mut() {
                Some(band) if band.rows == rows => band.columns.push(columns),
                _ => bands.push(Band { rows, columns: vec![columns] }),
            }
        }
        bands
    }

    pub(super) fn sparse(&self) -> Option<&Sparse> {
        match &self.chunks {
            Directory::Sparse(sparse) => Some(sparse),
            Directory::Dense { .. } => None,
        }
    }

    pub(super) fn sparse_mut(&mut self) -> Option<&mut Sparse> {
        match &mut self.chunks {
            Directory::Sparse(sparse) => Some(Arc::make_mut(sparse)),
            Directory::Dense { .. } => None,
        }
    }
}

/// A band of rows and its loaded columns.
pub(super) struct Band {
    /// The lowest and the highest row.
    pub(super) rows: (i32, i32),
    /// Stretches of columns, each from its first to its last.
    pub(super) columns: Vec<(i32, i32)>,
}
