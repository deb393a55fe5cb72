//! Terrain: the collision geometry of a map, whole or streamed in chunks.
//!
//! A [`Terrain`] is computed (baked) from a [`Map`], or takes its tiles from a [`TileSource`]. The bake joins the
//! edges of neighbouring tiles, so a flat row of tiles is one floor without seams. A [`World`](crate::World) bakes
//! and updates its own terrain. A game without a world bakes one for its [`Mover`](crate::motion::Mover).
//!
//! - Edges between two neighbouring solid tiles are removed. One-way edges and thin walls stay whole and remove no
//!   other edges.
//! - Beyond the map, the terrain continues for ever: solid or open, as the borders of the map say.
//! - A change of tiles takes time in proportion to the changed tiles, not to the map.
//! - The memory does not grow when tiles change again and again.

// - The bake removes the shared interval where borders of two closed solids coincide and face each other. At each
//   vertex, it finds for each edge the edge that continues it. The result is stored per tile as pieces.
// - Each end of an edge is a convex corner, flat, concave, or free. Only convex corners and free ends can be hit, and
//   only with normals between those of the two edges.
// - The tiles of a cell in several tile layers are composed once. Bake, joins and motion know nothing of tile layers.
//   A piece only stores which edge of which layer it is from.
// - A terrain with drop-through tiles is baked twice: with them, and as if they were empty. Bodies that drop through
//   move over the second terrain, so the edges there join as if the drop-through tiles did not exist. The same holds
//   for tiles that let collision layers pass: `form` has a terrain for each set of tiles that some body passes.
// - Two rings around a map are baked, and cells further out repeat the outer one. So a terrain has no border.
// - Equal cells are stored once.

mod bake;
mod bake_chunk;
mod chunk;
mod directory;
mod edit;
mod form;
mod grid;
mod intern;
mod join;
mod legend;
mod piece;
mod query;
mod reference_counts;
mod shape;
mod source;
mod stream;
mod supply;
mod turn;

#[cfg(test)]
mod tests;

pub use crate::map::TileError;
pub(crate) use directory::ChunkKey;
pub(crate) use intern::BakedCell;
pub(crate) use legend::Source;
pub(crate) use piece::{Piece, Role, STEP};
pub use query::ExposedFace;
pub use source::{CHUNK_CELLS, CHUNK_SIDE, TileBounds, TileCorners, TileSource};
pub(crate) use stream::Area;

use crate::catalogue::{Catalogue, VariantId};
use crate::map::{Border, Borders, CollisionLayers, Map, TileId};
use crate::version::Version;
use chunk::{SHIFT, SIDE};
use directory::Directory;
use grid::Memo;
use intern::Cells;
use legend::{Legend, StackId, Surfaced};
use reference_counts::ReferenceCounts;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use supply::Stream;

/// Tile id of every tile beyond a solid border of a map, and of every tile that is not loaded in a
/// [streamed](crate::World::streamed) world.
///
/// Such a tile is a full block. No tile kind of a map has this id.
pub const OUTSIDE: TileId = TileId(u16::MAX);

/// Number of baked rings of tiles around the map. The pieces of the first ring depend on the map's tiles. Those of the
/// second are constant outwards, so they represent all tiles further out.
const BORDER_RINGS: usize = 2;

/// Collision geometry of a map: the joined edges of the tiles in all tile layers that collide.
///
/// A clone is cheap: it shares all data with the original until one of the two changes.
///
/// # Examples
/// ```
/// use surefoot::map::{TileId, Map};
/// use surefoot::terrain::Terrain;
///
/// let map = Map::from_ron("Map(format: 1, tiles: [\"...\", \"###\"])")?;
/// let mut terrain = Terrain::bake(&map);
/// // Three tops, three undersides and the two ends. The borders between the blocks are removed.
/// assert_eq!(terrain.exposed_faces().count(), 8);
///
/// terrain.set_tile(0, (1, 0), TileId::EMPTY)?;
/// assert_eq!(terrain.exposed_faces().count(), 8);
/// assert!(terrain.set_tile(0, (3, 0), TileId::EMPTY).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Terrain {
    baked: BakedTiles,
    chunks: Directory,
    cells: Arc<Cells>,
    references: Arc<ReferenceCounts>,
    legend: Arc<Legend>,
    bounds: TileBounds,
    borders: Borders,
    /// Terrain of the same map without the tiles that bodies may drop through, joined by itself. `None` if the map has
    /// no such tiles: this terrain then serves for dropping bodies too.
    dropped: Option<Arc<Terrain>>,
    /// Collision layers that some tile kind lets pass.
    lets_pass: CollisionLayers,
    /// For each set of collision layers that passes some tiles: the terrain without those tiles.
    forms: Arc<Vec<(CollisionLayers, Arc<Terrain>)>>,
    /// Source of the tiles of a streamed terrain. `None` if they come from a map.
    stream: Option<Box<Stream>>,
    memo: Memo,
    pub(crate) surfaced: Surfaced,
    /// Changes with every edit.
    version: Version,
    /// The versions of the tiles after and before the last edit. Loaded chunks do not change them.
    tiles: (Version, Version),
}

/// The tiles that have collision geometry: those of the map and [`BORDER_RINGS`] of tiles around it.
#[derive(Clone, Copy, Debug)]
struct BakedTiles {
    /// The first tile.
    low: (i32, i32),
    /// The last tile.
    high: (i32, i32),
    /// The lower left tile of the chunk in column and row 0.
    base: (i32, i32),
}

impl BakedTiles {
    /// The baked tiles of a terrain with those bounds. Chunks are counted from the first of these tiles.
    fn for_bounds(bounds: TileBounds) -> BakedTiles {
        let (rings, past) = (BORDER_RINGS as i32, bounds.end_corner());
        let low = (bounds.origin.0 - rings, bounds.origin.1 - rings);
        let high = (past.0 - 1 + rings, past.1 - 1 + rings);
        BakedTiles { low, high, base: low }
    }
}

impl Terrain {
    /// Creates an empty terrain.
    pub(crate) fn empty() -> Terrain {
        let empty = Map::from_parts(crate::map::MapParts::new(1, 1));
        Terrain::bake(&empty.unwrap_or_else(|error| panic!("an empty map of one cell: {error}")))
    }

    /// Computes the collision geometry of a map: joins the edges of neighbouring tiles.
    #[must_use]
    pub fn bake(map: &Map) -> Terrain {
        let terrain = Terrain::bake_with_legend(map, Legend::from_map(map));
        let legend = &terrain.legend;
        let cells = |layer: &usize| map.layers()[*layer].cells.iter();
        let drops = legend.layers().iter().flat_map(cells).any(|&entry| legend.is_drop_through(entry));
        let dropped = drops.then(|| Arc::new(Terrain::bake_with_legend(map, legend.without_drop_through_tiles())));
        Terrain { dropped, ..terrain }
    }

    fn bake_with_legend(map: &Map, mut legend: Legend) -> Terrain {
        let (chunks, cells) = grid::bake_map(map, &mut legend);
        let bounds = TileBounds { origin: map.origin(), size: map.size() };
        let columns = (bounds.size.0 as usize + 2 * BORDER_RINGS).div_ceil(SIDE);
        let references = ReferenceCounts::from_id(cells.len() as u32);
        let chunks = Directory::Dense { columns, chunks: chunks.into() };
        Terrain::new_without_forms(
            BakedTiles::for_bounds(bounds),
            chunks,
            cells,
            references,
            legend,
            bounds,
            map.borders(),
        )
    }

    /// Creates a terrain without forms (see [`form`]).
    fn new_without_forms(
        baked: BakedTiles,
        chunks: Directory,
        cells: Cells,
        references: ReferenceCounts,
        legend: Legend,
        bounds: TileBounds,
        borders: Borders,
    ) -> Terrain {
        Terrain {
            baked,
            chunks,
            cells: Arc::new(cells),
            references: Arc::new(references),
            surfaced: legend.material_features(),
            lets_pass: legend.layers_let_through(),
            legend: Arc::new(legend),
            bounds,
            borders,
            dropped: None,
            forms: Arc::default(),
            stream: None,
            memo: Memo::default(),
            version: Version::next(),
            tiles: (Version::next(), Version::default()),
        }
    }

    /// Returns whether the terrain is the unedited terrain of `map`: catalogue of tile shapes, legend, borders and
    /// tiles are equal.
    ///
    /// A [streamed](Terrain::streamed) terrain matches no map.
    #[must_use]
    pub fn matches_map(&self, map: &Map) -> bool {
        let legend = |a: &Arc<Catalogue>| Arc::ptr_eq(a, map.catalogue());
        let like = (self.bounds.origin, self.bounds.size, self.borders) == (map.origin(), map.size(), map.borders());
        let (left, bottom) = self.bounds.origin;
        let shows_row = |index: usize, layer: &usize, y: i32| {
            let row = map.layers()[*layer].row(y, left, self.bounds.size.0);
            row.iter().zip(left..).all(|(entry, x)| *entry == self.legend.entry_of_stack(self.stack_at((x, y)), index))
        };
        let shows = |(index, layer)| (bottom..self.bounds.end_corner().1).all(|y| shows_row(index, layer, y));
        !self.is_streamed()
            && like
            && legend(&self.legend.catalogue)
            && self.legend.has_same_entries(map)
            && self.legend.layers().iter().enumerate().all(shows)
    }

    /// Returns the tile kind of a tile in tile layer `layer`, counted from 0. Returns `None` for a layer that is
    /// unknown or does not collide.
    ///
    /// - Returns [`OUTSIDE`] beyond a solid border of the map, and for a tile of a [streamed](Terrain::streamed)
    ///   terrain that is not loaded.
    /// - Returns [`TileId::EMPTY`] beyond an open border of the map.
    #[must_use]
    pub fn tile_at(&self, layer: usize, tile: (i32, i32)) -> Option<TileId> {
        let index = self.legend.layers().iter().position(|own| *own == layer)?;
        Some(self.legend.entry_of_stack(self.stack_at(tile), index))
    }

    /// Returns the variant of a tile in tile layer `layer`, counted from 0: its outline in the catalogue of tile
    /// shapes.
    ///
    /// Returns `None` for an empty tile, and for a layer that is unknown or does not collide. Beyond a solid border
    /// of the map, returns the catalogue's `full_block`, or `None` if the catalogue has no such pattern.
    #[must_use]
    pub fn variant_at(&self, layer: usize, tile: (i32, i32)) -> Option<VariantId> {
        self.tile_at(layer, tile).and_then(|tile_id| self.legend.variant(tile_id))
    }

    /// Returns the indices of the tile layers that collide, in ascending order. The terrain contains only these
    /// layers.
    #[must_use]
    pub fn layers(&self) -> &[usize] {
        self.legend.layers()
    }

    /// Returns the catalogue: the tile shapes that the terrain can use.
    #[must_use]
    pub fn catalogue(&self) -> &Arc<Catalogue> {
        &self.legend.catalogue
    }

    /// Returns column and row of the lower left tile of the terrain.
    ///
    /// A terrain made from a map covers the map. A terrain made from a [`TileSource`] covers [`TileSource::bounds`].
    #[must_use]
    pub fn origin(&self) -> (i32, i32) {
        self.bounds.origin
    }

    /// Returns the size of the terrain: the number of columns, then the number of rows.
    ///
    /// A terrain made from a map covers the map. A terrain made from a [`TileSource`] covers [`TileSource::bounds`].
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        self.bounds.size
    }

    /// Returns for each border of the map whether the terrain beyond is solid or open.
    #[must_use]
    pub fn borders(&self) -> Borders {
        self.borders
    }

    /// Returns the terrain for bodies that drop through tiles, as if drop-through tiles were empty.
    pub(crate) fn without_drop_through(&self) -> &Terrain {
        self.dropped.as_deref().unwrap_or(self)
    }

    /// Returns the version of the terrain, which changes with every edit.
    #[inline]
    pub(crate) fn version(&self) -> Version {
        self.version
    }

    /// Returns the versions of the tiles after and before the last edit. A form has those of its terrain.
    #[inline]
    pub(crate) fn tile_versions(&self) -> (Version, Version) {
        self.tiles
    }

    /// Changes the versions of the tiles and of the terrain, and those of its forms, after an edit.
    fn renew_versions_after_edit(&mut self) {
        self.set_tile_versions((Version::next(), self.tiles.0));
        self.renew_version();
    }

    fn set_tile_versions(&mut self, tiles: (Version, Version)) {
        self.tiles = tiles;
        self.terrains_of_forms_mut().for_each(|inner| inner.set_tile_versions(tiles));
    }

    /// Changes the version of the terrain and of its forms, after an edit or after chunks were loaded.
    fn renew_version(&mut self) {
        self.version = Version::next();
        self.terrains_of_forms_mut().for_each(Terrain::renew_version);
    }

    /// Returns the baked cell of a tile.
    #[inline(always)]
    pub(crate) fn cell(&self, x: i32, y: i32) -> &BakedCell {
        let x = (x.max(self.baked.low.0).min(self.baked.high.0) - self.baked.base.0) as usize;
        let y = (y.max(self.baked.low.1).min(self.baked.high.1) - self.baked.base.1) as usize;
        let chunk = self.chunks.chunk_at(x >> SHIFT, y >> SHIFT);
        self.cells.get(chunk.get(((y & (SIDE - 1)) << SHIFT) | (x & (SIDE - 1))))
    }

    /// Calls `see` with every cell of a rectangle, both ends inclusive, that is not blank: row by row from the lowest.
    #[inline]
    pub(crate) fn for_each_cell(&self, low: (i32, i32), high: (i32, i32), mut see: impl FnMut((i32, i32), &BakedCell)) {
        if !self.has_baked_cells(low, high) {
            for y in low.1..=high.1 {
                (low.0..=high.0).for_each(|x| see((x, y), self.cell(x, y)));
            }
            return;
        }
        let (bottom, top) = ((low.1 - self.baked.base.1) as usize, (high.1 - self.baked.base.1) as usize);
        let (left, right) = ((low.0 - self.baked.base.0) as usize, (high.0 - self.baked.base.0) as usize);
        let chunk_and_columns = |column: usize, row: usize| {
            (self.chunks.chunk_at(column, row >> SHIFT), column_bits_of_chunk(column, left, right))
        };
        // Usually, the whole rectangle is within one chunk. Otherwise, search each chunk for its part of a row.
        let one = (left >> SHIFT == right >> SHIFT && bottom >> SHIFT == top >> SHIFT)
            .then(|| chunk_and_columns(left >> SHIFT, bottom));
        let mut row = bottom;
        while row <= top {
            let mut column = left >> SHIFT;
            while column << SHIFT <= right {
                let (chunk, columns) = one.unwrap_or_else(|| chunk_and_columns(column, row));
                let mut shown = chunk.bits_of_cells_with_pieces()[row & (SIDE - 1)] & columns;
                while shown != 0 {
                    let step = shown.trailing_zeros() as usize;
                    shown &= shown - 1;
                    let id = chunk.get((row & (SIDE - 1)) << SHIFT | step);
                    let tile = (self.baked.base.0 + (column << SHIFT | step) as i32, self.baked.base.1 + row as i32);
                    see(tile, self.cells.get(id));
                }
                column += 1;
            }
            row += 1;
        }
    }

    /// Returns which cells of a rectangle of at most 64, both ends inclusive, may have pieces: one bit each, row by row
    /// from the lowest, the lowest bit first.
    #[inline]
    pub(crate) fn bits_of_rectangle_with_pieces(&self, low: (i32, i32), high: (i32, i32)) -> u64 {
        let (columns, rows) = ((high.0 - low.0 + 1) as usize, (high.1 - low.1 + 1) as usize);
        if !self.has_baked_cells(low, high) {
            return u64::MAX >> (64 - columns * rows);
        }
        let (left, bottom) = ((low.0 - self.baked.base.0) as usize, (low.1 - self.baked.base.1) as usize);
        let mut shown = 0;
        let (skip, above) = (left & (SIDE - 1), bottom & (SIDE - 1));
        if skip + columns <= SIDE && above + rows <= SIDE {
            let within = u32::MAX >> (SIDE - columns);
            let mut at = 0;
            for bits in
                &self.chunks.chunk_at(left >> SHIFT, bottom >> SHIFT).bits_of_cells_with_pieces()[above..above + rows]
            {
                shown |= u64::from(bits >> skip & within) << at;
                at += columns;
            }
            return shown;
        }
        // Combine the parts of the rectangle in several chunks.
        let mut y = 0;
        while y < rows {
            let above = (bottom + y) & (SIDE - 1);
            let height = (rows - y).min(SIDE - above);
            let mut x = 0;
            while x < columns {
                let skip = (left + x) & (SIDE - 1);
                let width = (columns - x).min(SIDE - skip);
                let within = u32::MAX >> (SIDE - width);
                let chunk = self.chunks.chunk_at((left + x) >> SHIFT, (bottom + y) >> SHIFT);
                let mut at = y * columns + x;
                for bits in &chunk.bits_of_cells_with_pieces()[above..above + height] {
                    shown |= u64::from(bits >> skip & within) << at;
                    at += columns;
                }
                x += width;
            }
            y += height;
        }
        shown
    }

    /// Returns the rectangle of cells, both ends inclusive, beyond which all cells are empty. `None` if a side of the
    /// map is solid.
    pub(crate) fn visible_cell_range(&self) -> Option<((i32, i32), (i32, i32))> {
        let Borders { left, right, bottom, top } = self.borders;
        [left, right, bottom, top].iter().all(|side| *side == Border::Open).then_some((self.baked.low, self.baked.high))
    }

    /// Returns the row of tiles from which rows of chunks are counted.
    #[inline]
    pub(crate) fn first_tile_row(&self) -> i64 {
        i64::from(self.baked.base.1)
    }

    /// Returns whether a cell of a rectangle, both ends inclusive, may have pieces. Its rows must be in one row of
    /// chunks.
    #[inline]
    pub(crate) fn may_have_pieces_within(&self, low: (i32, i32), high: (i32, i32)) -> bool {
        // Cells further out equal the last baked one, so read that one instead.
        let column = |x: i32| (x.clamp(self.baked.low.0, self.baked.high.0) - self.baked.base.0) as usize;
        let row = |y: i32| (y.clamp(self.baked.low.1, self.baked.high.1) - self.baked.base.1) as usize;
        let (left, right, bottom, top) = (column(low.0), column(high.0), row(low.1), row(high.1));
        debug_assert_eq!(bottom >> SHIFT, top >> SHIFT);
        let (first, last) = (bottom & (SIDE - 1), top & (SIDE - 1));
        (left >> SHIFT..=right >> SHIFT).any(|column| {
            let shown = &self.chunks.chunk_at(column, bottom >> SHIFT).bits_of_cells_with_pieces()[first..=last];
            shown.iter().fold(0, |all, row| all | row) & column_bits_of_chunk(column, left, right) != 0
        })
    }

    /// Calls `see` with the cells of a part of a row that are not blank, in either direction, until it returns that it
    /// is done.
    #[inline]
    pub(crate) fn for_each_cell_on_row<'a>(
        &'a self,
        y: i32,
        (left, right): (i32, i32),
        forward: bool,
        mut see: impl FnMut((i32, i32), &'a BakedCell) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if left < self.baked.low.0 || right > self.baked.high.0 {
            return self.for_each_cell_on_repeated_row(y, (left, right), forward, &mut see);
        }
        let row = (y.clamp(self.baked.low.1, self.baked.high.1) - self.baked.base.1) as usize;
        let (from, to) = ((left - self.baked.base.0) as usize, (right - self.baked.base.0) as usize);
        let (first, last) = (from >> SHIFT, to >> SHIFT);
        for step in 0..=last - first {
            let column = if forward { first + step } else { last - step };
            let chunk = self.chunks.chunk_at(column, row >> SHIFT);
            let mut shown =
                chunk.bits_of_cells_with_pieces()[row & (SIDE - 1)] & column_bits_of_chunk(column, from, to);
            while shown != 0 {
                let at = if forward { shown.trailing_zeros() } else { 31 - shown.leading_zeros() };
                shown &= !(1 << at);
                let id = chunk.get((row & (SIDE - 1)) << SHIFT | at as usize);
                see((self.baked.base.0 + (column << SHIFT | at as usize) as i32, y), self.cells.get(id))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Does [`Terrain::for_each_cell_on_row`] for a part of a row that extends beyond the baked cells, where the row
    /// repeats its end.
    #[inline(never)]
    fn for_each_cell_on_repeated_row<'a>(
        &'a self,
        y: i32,
        (left, right): (i32, i32),
        forward: bool,
        see: &mut dyn FnMut((i32, i32), &'a BakedCell) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let parts = [
            (left, right.min(self.baked.low.0 - 1)),
            (left.max(self.baked.low.0), right.min(self.baked.high.0)),
            (left.max(self.baked.high.0 + 1), right),
        ];
        for i in 0..3 {
            let (part, i) = if forward { (parts[i], i) } else { (parts[2 - i], 2 - i) };
            if part.0 > part.1 {
                continue;
            }
            if i == 1 {
                self.for_each_cell_on_row(y, part, forward, &mut *see)?;
            } else if self.may_have_pieces_within((part.0, y), (part.0, y)) {
                for step in 0..=part.1 - part.0 {
                    let x = if forward { part.0 + step } else { part.1 - step };
                    see((x, y), self.cell(x, y))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns whether all cells of a rectangle and of `more` rows and columns around it are empty. `false` if there
    /// are too many to tell.
    pub(crate) fn is_empty_around(&self, low: (i32, i32), high: (i32, i32), more: i32) -> bool {
        let (low, high) = ((low.0 - more, low.1 - more), (high.0 + more, high.1 + more));
        let count = (i64::from(high.0) - i64::from(low.0) + 1) * (i64::from(high.1) - i64::from(low.1) + 1);
        count <= 64 && self.bits_of_rectangle_with_pieces(low, high) == 0
    }

    /// Returns a rectangle of empty cells around another one, both ends inclusive: at most `more` rows further up and
    /// down, and sideways to the ends of the chunk. `None` if a cell of the inner rectangle may have pieces, or if it
    /// is not in one chunk.
    #[inline]
    pub(crate) fn empty_rectangle_around(
        &self,
        low: (i32, i32),
        high: (i32, i32),
        more: usize,
    ) -> Option<((i32, i32), (i32, i32))> {
        if !self.has_baked_cells(low, high) {
            return None;
        }
        let (left, bottom) = ((low.0 - self.baked.base.0) as usize, (low.1 - self.baked.base.1) as usize);
        let (right, top) = ((high.0 - self.baked.base.0) as usize, (high.1 - self.baked.base.1) as usize);
        let (column, row) = (left >> SHIFT, bottom >> SHIFT);
        if right >> SHIFT != column || top >> SHIFT != row {
            return None;
        }
        let rows = self.chunks.chunk_at(column, row).bits_of_cells_with_pieces();
        let [left, bottom, right, top] = [left, bottom, right, top].map(|at| at & (SIDE - 1));
        let across = (u32::MAX << left) & (u32::MAX >> (SIDE - 1 - right));
        let mut shown = rows[bottom..=top].iter().fold(0, |shown, row| shown | row);
        if shown & across != 0 {
            return None;
        }
        let mut is_empty = |row: &&u32| {
            let empty = *row & across == 0;
            shown |= if empty { **row } else { 0 };
            empty
        };
        let above = rows[top + 1..].iter().take(more).take_while(&mut is_empty).count();
        let below = rows[..bottom].iter().rev().take(more).take_while(&mut is_empty).count();
        // `after` and `before`: number of empty columns right and left of the rectangle, within the chunk.
        let after = ((shown >> right).trailing_zeros() as usize - 1).min(SIDE - 1 - right);
        let before = ((shown << (SIDE - 1 - left)).leading_zeros() as usize - 1).min(left);
        Some((
            ((low.0 - before as i32).max(self.baked.low.0), (low.1 - below as i32).max(self.baked.low.1)),
            ((high.0 + after as i32).min(self.baked.high.0), (high.1 + above as i32).min(self.baked.high.1)),
        ))
    }

    /// Returns whether all cells of a rectangle are baked.
    #[inline]
    fn has_baked_cells(&self, low: (i32, i32), high: (i32, i32)) -> bool {
        low.0 >= self.baked.low.0
            && low.1 >= self.baked.low.1
            && high.0 <= self.baked.high.0
            && high.1 <= self.baked.high.1
    }

    /// Returns the stack of a tile in all colliding layers.
    fn stack_at(&self, tile: (i32, i32)) -> StackId {
        self.cell(tile.0, tile.1).stack()
    }

    /// Returns the origin of a piece of a tile.
    // Inlined, because each hit calls it, and a call copies the result. Affects speed only.
    #[inline]
    pub(crate) fn source_of(&self, tile: (i32, i32), piece: &Piece) -> Source {
        self.legend.origin_of_side(self.stack_at(tile), piece.edge)
    }

    /// Returns the visible sides of closed solids in a cell.
    pub(crate) fn solid_faces(&self, cell: &BakedCell) -> &[Piece] {
        self.cells.solid_faces(cell)
    }

    /// Returns the pieces that a box can hit in a cell: faces, then vertices.
    #[inline]
    pub(crate) fn box_pieces(&self, cell: &BakedCell) -> &[Piece] {
        self.cells.box_pieces(cell)
    }

    /// Returns the pieces that a circle can hit in a cell: arcs, then faces.
    #[inline]
    pub(crate) fn circle_pieces(&self, cell: &BakedCell) -> &[Piece] {
        self.cells.circle_pieces(cell)
    }
}

/// Returns the bits of a chunk's row between two columns of tiles, both ends inclusive.
#[inline(always)]
fn column_bits_of_chunk(chunk: usize, left: usize, right: usize) -> u32 {
    let from = left.max(chunk << SHIFT) & (SIDE - 1);
    let past = SIDE - 1 - (right - (chunk << SHIFT)).min(SIDE - 1);
    (u32::MAX << from) & (u32::MAX >> past)
}

impl fmt::Debug for Terrain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terrain")
            .field("origin", &self.bounds.origin)
            .field("size", &self.bounds.size)
            .field("sides", &self.borders)
            .finish_non_exhaustive()
    }
}
