use crate::mesh::Mesh;
use std::collections::BTreeMap;
use surefoot_draw::{Pass, Region, TerrainPainter, View};

/// Tiles along one side of a chunk.
const CHUNK: i32 = 16;

/// How far what is painted of a tile depends on others, in tiles: the faces of its neighbours change with it, and a band or
/// a shade along these may reach one tile further.
const REACH: i32 = 2;

/// More chunks than this are not kept besides those that are seen.
const KEPT: usize = 1024;

/// The terrain as meshes, kept from frame to frame: by chunks of tiles, and by what is painted one over the other.
///
/// A mesh is made when it is first needed. It is not noticed when the terrain changes: [`invalidate`](TerrainCache::invalidate) has
/// to be told of each tile, and [`clear`](TerrainCache::clear) of another map, world or palette.
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
/// use surefoot::{Map, World};
/// use surefoot_draw::{Palette, Pass, Region, TerrainPainter};
/// use surefoot_play::{Mesh, TerrainCache};
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
#[derive(Clone, Debug)]
pub struct TerrainCache {
    scale: f64,
    chunks: BTreeMap<(i32, i32), Chunk>,
}

/// A mesh for each pass that was needed.
type Chunk = [Option<Mesh>; Pass::ALL.len()];

impl TerrainCache {
    /// An empty one, for so many pixels along one side of a tile.
    #[must_use]
    pub fn new(scale: f64) -> TerrainCache {
        TerrainCache { scale, chunks: BTreeMap::new() }
    }

    /// Pixels along one side of a tile.
    #[must_use]
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Changes the pixels along one side of a tile. If it is another number, all meshes are made anew.
    pub fn set_scale(&mut self, scale: f64) {
        if self.scale != scale {
            self.scale = scale;
            self.clear();
        }
    }

    /// Drops everything.
    pub fn clear(&mut self) {
        self.chunks.clear();
    }

    /// Drops what the change of a tile can change.
    pub fn invalidate(&mut self, tile: (i32, i32)) {
        let (low, high) = (chunk_of((tile.0 - REACH, tile.1 - REACH)), chunk_of((tile.0 + REACH, tile.1 + REACH)));
        for chunk in between(low, high) {
            self.chunks.remove(&chunk);
        }
    }

    /// Adds the chunks with these tiles to a mesh, one pass after the other as they are given. Meshes are in pixels from the
    /// map's top left corner, and are moved by so many pixels to the right and down.
    ///
    /// Tiles may lie outside the map. What reaches out of a tile into these is there, too, but for long names of markers.
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
        let (low, high) = (chunk_of((low.0 - 1, low.1 - 1)), chunk_of((high.0 + 1, high.1 + 1)));
        let view = view_of(painter, self.scale);
        for &pass in passes {
            for chunk in between(low, high) {
                let meshes = self.chunks.entry(chunk).or_default();
                let made = meshes[pass as usize].get_or_insert_with(|| {
                    let mut made = Mesh::new();
                    painter.paint(&mut made, &view, pass, tiles_of(chunk));
                    made
                });
                mesh.append(made, dx, dy);
            }
        }
        if self.chunks.len() > KEPT {
            self.chunks.retain(|chunk, _| (low.0..=high.0).contains(&chunk.0) && (low.1..=high.1).contains(&chunk.1));
        }
    }
}

/// The view that shows the map's top left corner at the top left.
fn view_of(painter: &TerrainPainter<'_>, scale: f64) -> View {
    let ((left, bottom), (_, rows)) = (painter.map().origin(), painter.map().size());
    View { left: left.into(), top: f64::from(bottom) + f64::from(rows), scale }
}

fn chunk_of(tile: (i32, i32)) -> (i32, i32) {
    (tile.0.div_euclid(CHUNK), tile.1.div_euclid(CHUNK))
}

fn tiles_of(chunk: (i32, i32)) -> Region {
    let low = (chunk.0 * CHUNK, chunk.1 * CHUNK);
    Region::spanning(low, (low.0 + CHUNK - 1, low.1 + CHUNK - 1))
}

fn between(low: (i32, i32), high: (i32, i32)) -> impl Iterator<Item = (i32, i32)> {
    (low.1..=high.1).flat_map(move |y| (low.0..=high.0).map(move |x| (x, y)))
}

#[cfg(test)]
mod tests;
