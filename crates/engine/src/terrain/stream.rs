//! Terrain whose tiles come from a source: chunks are baked when somebody wants them, and dropped when nobody does.

use super::bake::bake;
use super::chunk::{CELLS, Chunk, SHIFT, SIDE};
use super::directory::{ChunkKey, Directory, Sparse};
use super::grid::{Baker, Memo};
use super::intern::{Cells, Key};
use super::legend::Legend;
use super::source::{TileBounds, TileSource};
use super::{OUTSIDE, RINGS, Terrain};
use crate::map::{Beyond, EntryId, Map, Sides};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The tile at which the chunks of a streamed terrain are counted from: before every tile, so that none is negative.
const BASE: i32 = -(1 << 30);

/// Cells along one side of a chunk with one ring around it.
const WIDE: usize = SIDE + 2;

/// Chunks as the source gave them that are remembered, for their neighbours' joins.
const REMEMBERED: usize = 64;

/// Neighbourhoods that are remembered; then it begins anew.
const NEIGHBOURHOODS: usize = 1 << 15;

/// What a streamed terrain has besides its chunks.
#[derive(Clone)]
pub(super) struct Stream {
    source: Arc<dyn TileSource>,
    identity: u64,
    /// Tiles that are not as the source gives them, by chunk.
    painted: Arc<BTreeMap<(ChunkKey, u16), Painted>>,
    given: Given,
    /// Chunks that were dropped, whose memory the next ones take.
    spare: Vec<Chunk>,
    /// How many different cells there may be until those that no chunk shows are looked for.
    collect_at: usize,
}

/// A tile that is not as the source gives it.
#[derive(Clone, Copy)]
struct Painted {
    now: EntryId,
    was: EntryId,
}

/// Some chunks as the source gave them. A copy begins without any.
#[derive(Default)]
struct Given {
    chunks: Vec<(ChunkKey, Box<[EntryId; CELLS]>)>,
    oldest: usize,
}

impl Clone for Given {
    fn clone(&self) -> Given {
        Given::default()
    }
}

/// What a streamed terrain remembers of the neighbourhoods that it has baked. A copy begins with nothing.
#[derive(Default)]
pub(super) struct Remembered(Memo);

impl Clone for Remembered {
    fn clone(&self) -> Remembered {
        Remembered::default()
    }
}

/// Chunks of a streamed terrain, by column and row; both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    low: (u32, u32),
    high: (u32, u32),
}

impl Area {
    /// No chunks.
    pub(crate) const NONE: Area = Area { low: (1, 1), high: (0, 0) };

    fn chunks(self) -> impl Iterator<Item = ChunkKey> {
        let Area { low, high } = self;
        (low.1..=high.1).flat_map(move |row| (low.0..=high.0).map(move |x| ChunkKey::new(x as usize, row as usize)))
    }

    /// The first tile of the first chunk and the last of the last.
    fn tiles(self) -> ((i32, i32), (i32, i32)) {
        let first = |chunk: u32| BASE + ((chunk as i32) << SHIFT);
        let last = |chunk: u32| first(chunk) + (SIDE as i32 - 1);
        ((first(self.low.0), first(self.low.1)), (last(self.high.0), last(self.high.1)))
    }
}

impl Terrain {
    /// A terrain whose tiles come from a source; no chunk of it is loaded yet.
    ///
    /// Catalogue, legend, layers and sides are those of a template. Its cells, its origin and its size play no part: how
    /// far the tiles go is the source's to say.
    ///
    /// What is not loaded is solid: nothing falls through it. A game that moves its own bodies over this terrain
    /// [loads](Terrain::load) what they can reach before it moves them, and [drops](Terrain::unload_beyond) the rest from
    /// time to time; a [`World`](crate::world::World) does so by itself.
    ///
    /// # Examples
    /// ```
    /// use std::sync::Arc;
    /// use surefoot::prelude::*;
    ///
    /// /// Blocks below y = 0.
    /// struct Ground(EntryId);
    ///
    /// impl TileSource for Ground {
    ///     fn fill(&self, _layer: usize, chunk: (i32, i32), cells: &mut [EntryId; 1024]) {
    ///         cells.fill(if chunk.1 < 0 { self.0 } else { EntryId::EMPTY });
    ///     }
    /// }
    ///
    /// let template = Map::from_ron("Map(format: 1, tiles: [\".\"])")?;
    /// let block = template.find_entry('#').ok_or("no block")?;
    /// let mut terrain = Terrain::streamed(&template, Arc::new(Ground(block)));
    /// terrain.load((-5, -5), (5, 5));
    /// assert_eq!(terrain.loaded_chunks(), 4);
    /// let shape = Shape::aabb(0.5, 0.5);
    /// let moved = Mover::new(&terrain).slide(shape, Place::new(0.0, 2.0)?, (3.0, -3.0));
    /// assert_eq!(moved.place, Place::new(3.0, 0.5)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn streamed(template: &Map, source: Arc<dyn TileSource>) -> Terrain {
        let legend = Legend::of(template);
        let bounds = source.bounds().map_or(TileBounds::EVERYTHING, TileBounds::cut);
        let drops = (0..template.legend().len()).any(|i| legend.drops(EntryId(i as u16)));
        let dropped = drops.then(|| Arc::new(Terrain::unloaded(template.sides(), bounds, legend.without_drops())));
        let stream = Stream {
            identity: source.identity(),
            source,
            painted: Arc::default(),
            given: Given::default(),
            spare: Vec::new(),
            collect_at: Self::COLLECT_FROM,
        };
        let terrain = Terrain::unloaded(template.sides(), bounds, legend);
        Terrain { dropped, stream: Some(Box::new(stream)), ..terrain }
    }

    fn unloaded(sides: Sides, bounds: TileBounds, legend: Legend) -> Terrain {
        let mut cells = Cells::with_empty();
        let alone = std::array::from_fn(|i| legend.shape(if i == 4 { OUTSIDE } else { EntryId::EMPTY }));
        let missing = cells.intern(Key { entry: OUTSIDE, pieces: bake(&alone).into_vec() }, true);
        let rings = RINGS as i32;
        let TileBounds { origin, size } = bounds;
        Terrain {
            low: (origin.0 - rings, origin.1 - rings),
            high: (origin.0 + size.0 as i32 - 1 + rings, origin.1 + size.1 as i32 - 1 + rings),
            base: (BASE, BASE),
            chunks: Directory::Sparse(Arc::new(Sparse::new(Chunk::new(&[missing; CELLS])))),
            cells: Arc::new(cells),
            legend: Arc::new(legend),
            origin,
            size,
            sides,
            dropped: None,
            stream: None,
            memo: Remembered::default(),
        }
    }

    /// Different cells up to which none are looked for that no chunk shows.
    const COLLECT_FROM: usize = 4096;

    /// Whether its tiles come from a source.
    #[must_use]
    pub fn is_streamed(&self) -> bool {
        self.stream.is_some()
    }

    /// Where its tiles come from; `None` for a map's terrain.
    #[must_use]
    pub fn source(&self) -> Option<&Arc<dyn TileSource>> {
        self.stream.as_ref().map(|stream| &stream.source)
    }

    /// What its source said of itself, see [`TileSource::identity`].
    pub(crate) fn source_identity(&self) -> Option<u64> {
        self.stream.as_ref().map(|stream| stream.identity)
    }

    /// How many chunks are loaded; 0 for a map's terrain, all of which is there.
    #[must_use]
    pub fn loaded_chunks(&self) -> usize {
        self.sparse().map_or(0, Sparse::len)
    }

    /// Whether a tile is loaded; every tile of a map's terrain is.
    #[must_use]
    pub fn is_loaded(&self, tile: (i32, i32)) -> bool {
        let key = self.chunk_of(tile);
        self.sparse().is_none_or(|sparse| sparse.contains(key))
    }

    /// Loads every chunk that a rectangle of tiles touches, both corners included. Nothing happens to those that are
    /// loaded, and to a map's terrain.
    ///
    /// A chunk of common scenery takes tens of microseconds and 2 KB, besides what the source does.
    pub fn load(&mut self, low: (i32, i32), high: (i32, i32)) {
        if self.is_streamed() {
            self.area(low, high).chunks().for_each(|key| self.load_chunk(key));
        }
    }

    /// Drops every chunk that none of some rectangles of tiles touches, both corners included. What was painted there is
    /// remembered. Nothing happens to a map's terrain.
    pub fn unload_beyond(&mut self, kept: &[((i32, i32), (i32, i32))]) {
        let areas: Vec<_> = kept.iter().map(|(low, high)| self.area(*low, *high)).collect();
        let wanted = |key: &ChunkKey| {
            let (x, y) = (key.column() as u32, key.row() as u32);
            areas.iter().any(|a| (a.low.0..=a.high.0).contains(&x) && (a.low.1..=a.high.1).contains(&y))
        };
        let far: Vec<_> = self.sparse().map(Sparse::keys).unwrap_or_default();
        far.into_iter().filter(|key| !wanted(key)).for_each(|key| self.drop_unheld(key));
    }

    /// The chunks that a rectangle of tiles touches. What lies further out than what is baked around the bounds is as
    /// the last that is.
    pub(crate) fn area(&self, low: (i32, i32), high: (i32, i32)) -> Area {
        let chunk = |tile| {
            let key = self.chunk_of(tile);
            (key.column() as u32, key.row() as u32)
        };
        Area { low: chunk(low), high: chunk(high) }
    }

    /// The tiles whose lookups end in an area: where it reaches the outermost tiles, all that lie further out too.
    pub(crate) fn covered(&self, area: Area) -> ((i32, i32), (i32, i32)) {
        let (low, high) = area.tiles();
        let from = |at: i32, least: i32| if at <= least { BASE } else { at };
        let to = |at: i32, most: i32| if at >= most { -BASE } else { at };
        ((from(low.0, self.low.0), from(low.1, self.low.1)), (to(high.0, self.high.0), to(high.1, self.high.1)))
    }

    fn chunk_of(&self, tile: (i32, i32)) -> ChunkKey {
        let x = (tile.0.clamp(self.low.0, self.high.0) - self.base.0) as usize;
        let y = (tile.1.clamp(self.low.1, self.high.1) - self.base.1) as usize;
        ChunkKey::new(x >> SHIFT, y >> SHIFT)
    }

    /// Loads an area and keeps it until it is [released](Terrain::release) as often as it was held.
    pub(crate) fn hold(&mut self, area: Area) {
        for key in area.chunks() {
            self.load_chunk(key);
            self.sparse_mut().map(|sparse| sparse.hold(key, 1));
        }
    }

    /// Drops of an area what nobody else holds.
    pub(crate) fn release(&mut self, area: Area) {
        for key in area.chunks() {
            if self.sparse_mut().is_some_and(|sparse| sparse.hold(key, -1) == 0) {
                self.drop_unheld(key);
            }
        }
    }

    /// The first chunk that somebody looked for since this was last asked, and which was not there.
    pub(crate) fn take_missed(&self) -> Option<ChunkKey> {
        let dropped = self.dropped.as_ref().and_then(|dropped| dropped.sparse()?.take_missed());
        self.sparse()?.take_missed().or(dropped)
    }

    /// Loads a chunk, if it is not there.
    pub(crate) fn load_chunk(&mut self, key: ChunkKey) {
        if self.sparse().is_none_or(|sparse| sparse.contains(key)) {
            return;
        }
        let Some(mut stream) = self.stream.take() else { return };
        let around = self.around(&mut stream, key);
        if let Some(dropped) = &mut self.dropped {
            Arc::make_mut(dropped).put_chunk(&mut stream, key, &around);
        }
        self.put_chunk(&mut stream, key, &around);
        self.stream = Some(stream);
        self.tidy();
    }

    /// Drops a chunk that nobody holds.
    pub(crate) fn drop_unheld(&mut self, key: ChunkKey) {
        let Some(stream) = &mut self.stream else { return };
        let terrains =
            [Some(&mut self.chunks), self.dropped.as_mut().map(|dropped| &mut Arc::make_mut(dropped).chunks)];
        for chunks in terrains.into_iter().flatten() {
            let Directory::Sparse(sparse) = chunks else { continue };
            if sparse.holds(key) == 0
                && let Some(chunk) = Arc::make_mut(sparse).remove(key)
                && stream.spare.len() < REMEMBERED
            {
                stream.spare.push(chunk);
            }
        }
    }

    /// Bakes a chunk and puts it where it belongs.
    fn put_chunk(&mut self, stream: &mut Stream, key: ChunkKey, around: &Around) {
        let mut ids = [0; CELLS];
        self.bake_chunk(around, 0..SIDE, 0..SIDE, |at, id| ids[at] = id);
        let chunk = match stream.spare.pop() {
            Some(mut chunk) => {
                chunk.refill(&ids);
                chunk
            }
            None => Chunk::new(&ids),
        };
        if let Some(sparse) = self.sparse_mut() {
            sparse.insert(key, chunk);
        }
    }

    /// The ids of some cells of a chunk, given to `put` with where they are in it.
    fn bake_chunk(
        &mut self,
        around: &Around,
        columns: std::ops::Range<usize>,
        rows: std::ops::Range<usize>,
        mut put: impl FnMut(usize, u32),
    ) {
        if self.memo.0.len() > NEIGHBOURHOODS {
            self.memo = Remembered::default();
        }
        let memo = std::mem::take(&mut self.memo.0);
        let cells = std::mem::take(Arc::make_mut(&mut self.cells));
        let mut baker = Baker::resumed(&self.legend, cells, memo);
        for y in rows {
            let row = |i: usize| &around.0[(y + i) * WIDE..][..WIDE];
            for x in columns.clone() {
                let id = baker.id([&row(0)[x..x + 3], &row(1)[x..x + 3], &row(2)[x..x + 3]]);
                put(y << SHIFT | x, id);
            }
        }
        let (cells, memo) = (baker.cells, baker.memo);
        *Arc::make_mut(&mut self.cells) = cells;
        self.memo = Remembered(memo);
    }

    /// The entries of a chunk's tiles and of one ring around it, as they are now.
    fn around(&self, stream: &mut Stream, key: ChunkKey) -> Around {
        let corner = tile_of(key, 0);
        let mut all = Around(Box::new([EntryId::EMPTY; WIDE * WIDE]));
        for (row, down) in [(key.row() - 1, -1), (key.row(), 0), (key.row() + 1, 1)] {
            for (column, left) in [(key.column() - 1, -1), (key.column(), 0), (key.column() + 1, 1)] {
                let key = ChunkKey::new(column, row);
                let (xs, ys) = (seam(left), seam(down));
                // From a chunk's own coordinates to those of the whole.
                let at = |x: usize, y: usize| {
                    let (x, y) = (x as i32 + left * SIDE as i32 + 1, y as i32 + down * SIDE as i32 + 1);
                    y as usize * WIDE + x as usize
                };
                if self.is_all_beyond(key) {
                    continue;
                }
                let given = stream.given(key, &self.legend);
                for y in ys.clone() {
                    all.0[at(xs.start, y)..][..xs.len()].copy_from_slice(&given[y << SHIFT..][xs.clone()]);
                }
                for (&(_, index), painted) in stream.painted.range((key, 0)..=(key, u16::MAX)) {
                    let (x, y) = (usize::from(index) & (SIDE - 1), usize::from(index) >> SHIFT);
                    if xs.contains(&x) && ys.contains(&y) {
                        all.0[at(x, y)] = painted.now;
                    }
                }
            }
        }
        let inside = self.contains((corner.0 - 1, corner.1 - 1))
            && self.contains((corner.0 + SIDE as i32, corner.1 + SIDE as i32));
        if !inside {
            for (i, entry) in all.0.iter_mut().enumerate() {
                let tile = (corner.0 - 1 + (i % WIDE) as i32, corner.1 - 1 + (i / WIDE) as i32);
                if let Some(beyond) = self.beyond(tile) {
                    *entry = beyond;
                }
            }
        }
        all
    }

    /// Whether no tile of a chunk lies within the bounds: the source is not asked for it.
    fn is_all_beyond(&self, key: ChunkKey) -> bool {
        let (low, high) = (tile_of(key, 0), tile_of(key, CELLS - 1));
        let apart = |low: i32, high: i32, from: i32, count: u32| {
            i64::from(high) < i64::from(from) || i64::from(low) >= i64::from(from) + i64::from(count)
        };
        apart(low.0, high.0, self.origin.0, self.size.0) || apart(low.1, high.1, self.origin.1, self.size.1)
    }

    /// What a tile outside the bounds is: solid if it lies beyond a side that is; `None` for one inside.
    fn beyond(&self, tile: (i32, i32)) -> Option<EntryId> {
        let end = (self.origin.0 + self.size.0 as i32, self.origin.1 + self.size.1 as i32);
        let sides = [
            (tile.0 < self.origin.0, self.sides.left),
            (tile.0 >= end.0, self.sides.right),
            (tile.1 < self.origin.1, self.sides.bottom),
            (tile.1 >= end.1, self.sides.top),
        ];
        let mut beyond = sides.into_iter().filter(|(is_beyond, _)| *is_beyond).peekable();
        beyond.peek()?;
        Some(if beyond.any(|(_, side)| side == Beyond::Solid) { OUTSIDE } else { EntryId::EMPTY })
    }

    /// Paints a rectangle of a streamed terrain: what is loaded of it and of the ring around it is baked anew, the rest
    /// when it is loaded. The rectangle lies within the bounds, and the legend has the entry.
    pub(super) fn paint_streamed(&mut self, low: (i32, i32), high: (i32, i32), entry: EntryId) {
        let Some(mut stream) = self.stream.take() else { return };
        for key in self.area(low, high).chunks() {
            let corner = tile_of(key, 0);
            let given = *stream.given(key, &self.legend);
            let painted = Arc::make_mut(&mut stream.painted);
            for y in within(low.1, high.1, corner.1) {
                for index in within(low.0, high.0, corner.0).map(|x| y << SHIFT | x) {
                    let was = given[index];
                    if was == entry {
                        painted.remove(&(key, index as u16));
                    } else {
                        painted.insert((key, index as u16), Painted { now: entry, was });
                    }
                }
            }
        }
        let (low, high) = ((low.0 - 1, low.1 - 1), (high.0 + 1, high.1 + 1));
        for key in self.area(low, high).chunks() {
            if !self.sparse().is_some_and(|sparse| sparse.contains(key)) {
                continue;
            }
            let around = self.around(&mut stream, key);
            let corner = tile_of(key, 0);
            let (columns, rows) = (within(low.0, high.0, corner.0), within(low.1, high.1, corner.1));
            if let Some(dropped) = &mut self.dropped {
                Arc::make_mut(dropped).rebake(key, &around, columns.clone(), rows.clone());
            }
            self.rebake(key, &around, columns, rows);
        }
        self.stream = Some(stream);
        self.tidy();
    }

    /// Bakes some cells of a loaded chunk anew.
    fn rebake(
        &mut self,
        key: ChunkKey,
        around: &Around,
        columns: std::ops::Range<usize>,
        rows: std::ops::Range<usize>,
    ) {
        let mut baked = Vec::new();
        self.bake_chunk(around, columns, rows, |at, id| baked.push((at, id)));
        if let Some(chunk) = self.chunks.at_mut(key.column(), key.row()) {
            baked.into_iter().for_each(|(at, id)| chunk.set(at, id));
        }
    }

    /// Which entry a tile is, loaded or not.
    pub(crate) fn find_entry(&mut self, tile: (i32, i32)) -> EntryId {
        let Some(mut stream) = self.stream.take() else { return self.entry(tile) };
        let (key, index) = self.place_of(tile);
        let entry = match stream.painted.get(&(key, index)) {
            _ if !self.contains(tile) => self.beyond(tile).unwrap_or_default(),
            Some(painted) => painted.now,
            None => stream.given(key, &self.legend)[usize::from(index)],
        };
        self.stream = Some(stream);
        entry
    }

    /// What a source gave for a tile that is painted otherwise; `None` for a tile that is as it came.
    pub(crate) fn unpainted(&self, tile: (i32, i32)) -> Option<EntryId> {
        let painted = &self.stream.as_ref()?.painted;
        painted.get(&self.place_of(tile)).map(|painted| painted.was)
    }

    /// The chunk of a tile, and where in it the tile is.
    fn place_of(&self, tile: (i32, i32)) -> (ChunkKey, u16) {
        let step = |at: i32| (at & (SIDE as i32 - 1)) as u16;
        (self.chunk_of(tile), step(tile.1) << SHIFT | step(tile.0))
    }

    /// The loaded tiles that can have sides that show, as rectangles: within a row of chunks from left to right, the
    /// lowest row first. A map's terrain is one rectangle, with the ring around it.
    pub(super) fn bands(&self) -> Vec<Band> {
        let (low, high) = ((self.low.0 + 1, self.low.1 + 1), (self.high.0 - 1, self.high.1 - 1));
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

    /// Keeps the list of different cells from growing for ever.
    fn tidy(&mut self) {
        if self.stream.as_ref().is_some_and(|stream| self.cells.len() >= stream.collect_at) {
            self.collect();
            let collect_at = Self::COLLECT_FROM.max(2 * self.cells.len());
            self.stream.iter_mut().for_each(|stream| stream.collect_at = collect_at);
        }
    }

    /// Forgets the cells that no loaded chunk shows any more.
    fn collect(&mut self) {
        if let Some(dropped) = &mut self.dropped {
            Arc::make_mut(dropped).collect();
        }
        let Terrain { chunks: Directory::Sparse(sparse), cells, memo, .. } = self else { return };
        *memo = Remembered::default();
        let mut used = vec![false; cells.len()];
        // The empty cell, and the one that stands for what is not loaded.
        used[..2].fill(true);
        let sparse = Arc::make_mut(sparse);
        for chunk in sparse.chunks_mut() {
            chunk.each(0..CELLS, |_, id| used[id as usize] = true);
        }
        let mut kept = Cells::default();
        let ids: Vec<u32> = (0..cells.len() as u32)
            .map(|id| if used[id as usize] { kept.intern(cells.key(id), cells.get(id).is_solid_kind()) } else { 0 })
            .collect();
        for chunk in sparse.chunks_mut() {
            let mut renamed = [0; CELLS];
            chunk.each(0..CELLS, |at, id| renamed[at] = ids[id as usize]);
            chunk.refill(&renamed);
        }
        *cells = Arc::new(kept);
    }

    /// How many different cells are remembered.
    #[cfg(test)]
    pub(crate) fn different_cells(&self) -> usize {
        self.cells.len()
    }

    fn sparse(&self) -> Option<&Sparse> {
        match &self.chunks {
            Directory::Sparse(sparse) => Some(sparse),
            Directory::Dense { .. } => None,
        }
    }

    fn sparse_mut(&mut self) -> Option<&mut Sparse> {
        match &mut self.chunks {
            Directory::Sparse(sparse) => Some(Arc::make_mut(sparse)),
            Directory::Dense { .. } => None,
        }
    }
}

/// A stretch of rows and what of each is there.
pub(super) struct Band {
    /// The lowest and the highest.
    pub(super) rows: (i32, i32),
    /// Each from its first column to its last.
    pub(super) columns: Vec<(i32, i32)>,
}

/// The entries of a chunk's tiles with one ring around it, row by row, the lowest first.
struct Around(Box<[EntryId; WIDE * WIDE]>);

impl Stream {
    /// A chunk as the source gives it, with entries that the legend lacks as empty cells.
    fn given(&mut self, key: ChunkKey, legend: &Legend) -> &[EntryId; CELLS] {
        let Given { chunks, oldest } = &mut self.given;
        if let Some(at) = chunks.iter().position(|(known, _)| *known == key) {
            return &chunks[at].1;
        }
        let at = if chunks.len() < REMEMBERED {
            chunks.push((key, Box::new([EntryId::EMPTY; CELLS])));
            chunks.len() - 1
        } else {
            let at = *oldest;
            *oldest = (at + 1) % REMEMBERED;
            chunks[at].0 = key;
            chunks[at].1.fill(EntryId::EMPTY);
            at
        };
        let cells = &mut chunks[at].1;
        let first = tile_of(key, 0);
        self.source.fill(0, (first.0 >> SHIFT, first.1 >> SHIFT), cells);
        cells.iter_mut().filter(|entry| !legend.has(**entry)).for_each(|entry| *entry = EntryId::EMPTY);
        cells
    }
}

/// Which of a chunk's columns or rows lie in one that is so many further on, or in the ring around it.
fn seam(step: i32) -> std::ops::Range<usize> {
    match step {
        -1 => SIDE - 1..SIDE,
        0 => 0..SIDE,
        _ => 0..1,
    }
}

/// Which of a chunk's columns or rows lie between two tiles, both included.
fn within(low: i32, high: i32, corner: i32) -> std::ops::Range<usize> {
    let step = |tile: i32| (tile - corner).clamp(0, SIDE as i32) as usize;
    step(low)..step(high + 1)
}

/// A tile of a chunk by its index.
fn tile_of(key: ChunkKey, index: usize) -> (i32, i32) {
    let at = |chunk: usize, step: usize| BASE + ((chunk << SHIFT) + step) as i32;
    (at(key.column(), index & (SIDE - 1)), at(key.row(), index >> SHIFT))
}
