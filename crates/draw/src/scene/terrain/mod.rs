use crate::scene::mesh::Mesh;
use crate::{Pass, Region, TerrainPainter, View};
use std::collections::BTreeMap;
use surefoot::prelude::Terrain;

/// Size of a chunk in tiles.
const CHUNK: i32 = 16;

/// Distance in tiles at which a change can alter the drawing of a tile. A change alters the faces of its neighbours,
/// and their bands and shades may extend one tile further.
const CHANGE_REACH_TILES: i32 = 2;

/// Maximum number of cached chunks outside the window.
const MAX_HIDDEN_CHUNKS: usize = 1024;

/// The terrain as cached meshes, one per chunk of tiles and pass.
///
/// Meshes are made when first needed, and again when a streamed world loads or drops chunks there. The cache does not
/// notice other changes: call [`invalidate`](TerrainCache::invalidate) for each changed tile, and
/// [`clear`](TerrainCache::clear) for another map, world or palette.
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
/// use surefoot::{Map, World};
/// use surefoot_draw::{Palette, Pass, Region, TerrainPainter};
/// use surefoot_draw::scene::{Mesh, TerrainCache};
///
/// let map = Map::from_ron(r#"Map(format: 1, tiles: ["@./=", "===="])"#)?;
/// let mut world = World::new(map, Settings::default());
/// let (mut cache, mut frame) = (TerrainCache::new(32.0), Mesh::new());
/// let seen = Region::of(world.map());
/// cache.append_to(&mut frame, &TerrainPainter::of_world(&world, &Palette::NIGHT), &Pass::ALL, seen, 0.0, 0.0);
/// assert!(!frame.is_empty());
///
/// world.set_tile(0, (1, 1), TileId::EMPTY)?;
/// cache.invalidate((1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct TerrainCache {
    scale: f64,
    chunks: BTreeMap<(i32, i32), Chunk>,
}

#[derive(Clone, Debug, Default)]
struct Chunk {
    /// One mesh per pass, made when needed.
    meshes: [Option<Mesh>; Pass::ALL.len()],
    /// Whether the terrain at each corner was loaded when the meshes were made. The chunks of a streamed terrain are
    /// larger than this one, so its corners are in all of them that it overlaps.
    loaded: [bool; 4],
}

impl Chunk {
    /// Returns whether the terrain is loaded at each corner of a chunk.
    fn are_corners_loaded(chunk: (i32, i32), terrain: &Terrain) -> [bool; 4] {
        let ((left, bottom), (right, top)) = (tiles_of_chunk(chunk).low(), tiles_of_chunk(chunk).high());
        let (left, bottom) = (left.saturating_sub(CHANGE_REACH_TILES), bottom.saturating_sub(CHANGE_REACH_TILES));
        let (right, top) = (right.saturating_add(CHANGE_REACH_TILES), top.saturating_add(CHANGE_REACH_TILES));
        [(left, bottom), (right, bottom), (left, top), (right, top)].map(|tile| terrain.is_loaded(tile))
    }
}

impl TerrainCache {
    /// Creates an empty cache. `scale`: pixels per tile.
    #[must_use]
    pub fn new(scale: f64) -> TerrainCache {
        TerrainCache { scale, chunks: BTreeMap::new() }
    }

    /// Returns the pixels per tile.
    #[must_use]
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Changes the pixels per tile. A different value drops all meshes.
    pub fn set_scale(&mut self, scale: f64) {
        if self.scale != scale {
            self.scale = scale;
            self.clear();
        }
    }

    /// Returns the number of meshes.
    #[cfg(test)]
    pub(super) fn mesh_count(&self) -> usize {
        self.chunks.values().flat_map(|chunk| &chunk.meshes).flatten().count()
    }

    /// Removes all meshes.
    pub fn clear(&mut self) {
        self.chunks.clear();
    }

    /// Removes the meshes that a change of the tile can alter.
    pub fn invalidate(&mut self, tile: (i32, i32)) {
        self.invalidate_between(tile, tile);
    }

    /// Removes the meshes that a change of any tile between two corners can alter.
    pub(super) fn invalidate_between(&mut self, from: (i32, i32), to: (i32, i32)) {
        let (low, high) = (
            chunk_of_tile((from.0.min(to.0) - CHANGE_REACH_TILES, from.1.min(to.1) - CHANGE_REACH_TILES)),
            chunk_of_tile((from.0.max(to.0) + CHANGE_REACH_TILES, from.1.max(to.1) + CHANGE_REACH_TILES)),
        );
        for chunk in chunks_between(low, high) {
            self.chunks.remove(&chunk);
        }
    }

    /// Adds the chunks that overlap the region `tiles` to a mesh, pass by pass in the given order. The meshes of chunks
    /// are in pixels from the map's top left corner. This moves them by `dx` and `dy` pixels to the right and down.
    ///
    /// Tiles may be outside the map. Shapes that extend into the region from outside are included, except long marker
    /// names.
    pub fn append_to(
        &mut self,
        mesh: &mut Mesh,
        painter: &TerrainPainter<'_>,
        passes: &[Pass],
        tiles: Region,
        dx: f64,
        dy: f64,
    ) {
        let (low, high) = (tiles.low(), tiles.high());
        let (low, high) = (chunk_of_tile((low.0 - 1, low.1 - 1)), chunk_of_tile((high.0 + 1, high.1 + 1)));
        let view = view_with_map_corner_at_top_left(painter, self.scale);
        if painter.terrain.is_streamed() {
            for chunk in chunks_between(low, high) {
                let (own, loaded) =
                    (self.chunks.entry(chunk).or_default(), Chunk::are_corners_loaded(chunk, painter.terrain));
                if own.loaded != loaded {
                    *own = Chunk { loaded, ..Chunk::default() };
                }
            }
        }
        for &pass in passes {
            for chunk in chunks_between(low, high) {
                let own = self.chunks.entry(chunk).or_default();
                let made = own.meshes[pass as usize].get_or_insert_with(|| {
                    let mut made = Mesh::new();
                    painter.paint(&mut made, &view, pass, tiles_of_chunk(chunk));
                    made
                });
                mesh.append(made, dx, dy);
            }
        }
        if self.chunks.len() > MAX_HIDDEN_CHUNKS {
            self.chunks.retain(|chunk, _| (low.0..=high.0).contains(&chunk.0) && (low.1..=high.1).contains(&chunk.1));
        }
    }
}

/// Returns the view with the map's top left corner at the top left.
fn view_with_map_corner_at_top_left(painter: &TerrainPainter<'_>, scale: f64) -> View {
    let ((left, bottom), (_, rows)) = (painter.map().origin(), painter.map().size());
    View { left: left.into(), top: f64::from(bottom) + f64::from(rows), scale }
}

fn chunk_of_tile(tile: (i32, i32)) -> (i32, i32) {
    (tile.0.div_euclid(CHUNK), tile.1.div_euclid(CHUNK))
}

fn tiles_of_chunk(chunk: (i32, i32)) -> Region {
    let low = (chunk.0 * CHUNK, chunk.1 * CHUNK);
    Region::spanning(low, (low.0 + CHUNK - 1, low.1 + CHUNK - 1))
}

fn chunks_between(low: (i32, i32), high: (i32, i32)) -> impl Iterator<Item = (i32, i32)> {
    (low.1..=high.1).flat_map(move |y| (low.0..=high.0).map(move |x| (x, y)))
}

#[cfg(test)]
mod tests;
