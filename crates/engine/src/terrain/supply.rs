//! What the tiles of a streamed terrain are: what the source gives, what was painted over it, and what lies beyond.

use super::chunk::{CELLS, Chunk, SHIFT, SIDE};
use super::directory::ChunkKey;
use super::legend::Legend;
use super::source::TileSource;
use super::{OUTSIDE, Terrain};
use crate::map::{Beyond, EntryId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The tile at which the chunks of a streamed terrain are counted from: before every tile, so that none is negative.
pub(super) const BASE: i32 = -(1 << 30);

/// Cells along one side of a chunk with one ring around it.
pub(super) const WIDE: usize = SIDE + 2;

/// Chunks as the source gave them that are remembered, for their neighbours' joins; and chunks whose memory is kept.
const REMEMBERED: usize = 64;

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
    pub(super) collect_at: usize,
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

/// The entries of a chunk's tiles with one ring around it, row by row, the lowest first.
pub(super) struct Around(pub(super) Box<[EntryId; WIDE * WIDE]>);

impl Terrain {
    /// The entries of a chunk's tiles and of one ring around it, as they are now.
    pub(super) fn around(&self, stream: &mut Stream, key: ChunkKey) -> Around {
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

    pub(super) fn source(&self) -> &Arc<dyn TileSource> {
        &self.source
    }

    pub(super) fn identity(&self) -> u64 {
        self.identity
    }

    /// Keeps a chunk's memory for another one.
    pub(super) fn keep_spare(&mut self, chunk: Chunk) {
        if self.spare.len() < REMEMBERED {
            self.spare.push(chunk);
        }
    }

    /// A chunk of those ids.
    pub(super) fn chunk(&mut self, ids: &[u32; CELLS]) -> Chunk {
        match self.spare.pop() {
            Some(mut chunk) => {
                chunk.refill(ids);
                chunk
            }
            None => Chunk::new(ids),
        }
    }

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
pub(super) fn tile_of(key: ChunkKey, index: usize) -> (i32, i32) {
    let at = |chunk: usize, step: usize| BASE + ((chunk << SHIFT) + step) as i32;
    (at(key.column(), index & (SIDE - 1)), at(key.row(), index >> SHIFT))
}
