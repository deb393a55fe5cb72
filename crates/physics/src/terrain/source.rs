use super::chunk::CELLS;
use crate::map::TileId;

/// Source of tiles for a world that does not fit in memory or has no end.
///
/// The world requests the tiles of a chunk, 32 by 32 tiles, when a body comes near. When no body is near, the world
/// drops the chunk. When a body comes back, the world requests the same chunk again.
///
/// A source must be pure: each chunk has the same tiles every time, on every machine, in any order, from any thread.
/// Then results do not depend on when chunks are loaded. With an impure source, bodies fall through floors that were
/// there before, and replays diverge.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use surefoot::prelude::*;
/// use surefoot::{Map, World};
///
/// /// A floor without end at y = 0, with a gap in every hundredth column.
/// struct Floor(TileId);
///
/// impl TileSource for Floor {
///     fn fill(&self, _layer: usize, chunk: (i32, i32), cells: &mut [TileId; 1024]) {
///         // The top row of the chunks below y = 0.
///         for column in (0..32).filter(|column| chunk.1 == -1 && (chunk.0 * 32 + column) % 100 != 0) {
///             cells[31 * 32 + column as usize] = self.0;
///         }
///     }
/// }
///
/// // The template gives the legend, the tile layers and the sides. Its own cell is not used.
/// let template = Map::from_ron("Map(format: 1, tiles: [\".\"])")?;
/// let block = template.find_tile('#').ok_or("no block")?;
/// let mut world = World::streamed(template, Arc::new(Floor(block)), Settings::default());
/// let ball = world.spawn(Body::new(Shape::circle(0.25)).at((123_456_789.5, 1.0)))?;
/// (0..60).for_each(|_| world.step());
/// assert_eq!(world[ball].position(), Position::new(123_456_789.5, 0.25)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait TileSource: Send + Sync {
    /// Writes the tile kinds of a chunk in one tile layer.
    ///
    /// Chunk `(cx, cy)` covers columns `32 cx` to `32 cx + 31` and rows `32 cy` to `32 cy + 31`. The slice `cells`
    /// contains the rows of the chunk, the lowest first, each row from left to right. All cells are empty before the
    /// call.
    ///
    /// The world calls `fill` once for each tile layer of the template that collides, in order. The parameter `layer`
    /// is the index among all tile layers of the template. The world never requests tile layers that do not collide:
    /// your game draws those from its own data.
    ///
    /// The world replaces a tile that `fill` wrote by an empty cell in these cases:
    ///
    /// - The legend of the template has no such tile id.
    /// - The shape of the tile cannot be combined with the tiles of earlier tile layers in the same cell, see
    ///   [`Catalogue::check_stack`](crate::catalogue::Catalogue::check_stack).
    fn fill(&self, layer: usize, chunk: (i32, i32), cells: &mut [TileId; CHUNK_CELLS]);

    /// Returns the rectangle in which the source has tiles. `None`, the default, means everywhere.
    ///
    /// Beyond the bounds, the world is solid or open, as the borders of the template map are. Bounds are cut to
    /// [`Position::LIMIT`](surefoot_geometry::Position::LIMIT) tiles from the origin on every side. The world calls
    /// this method once.
    fn bounds(&self) -> Option<TileBounds> {
        None
    }

    /// Returns a number that identifies the source, such as the seed of a generator.
    ///
    /// The number is part of the checksum of a world. Replays and snapshots contain that checksum, so they refuse to
    /// continue with a source that returns another number. With the default 0, they cannot tell two sources apart. The
    /// world calls this method once.
    fn identity(&self) -> u64 {
        0
    }
}

/// Number of tiles along one side of a chunk, the block of tiles that loads at once: 32.
pub const CHUNK_SIDE: usize = super::chunk::SIDE;

/// Number of tiles in a chunk: 1024, which is 32 by 32.
pub const CHUNK_CELLS: usize = CELLS;

/// Rectangle of tiles: column and row of its lower left tile, then of its upper right tile, both included.
pub type TileCorners = ((i32, i32), (i32, i32));

/// Rectangle of tiles, given by its lower left tile and its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TileBounds {
    /// Column and row of the lower left tile.
    pub origin: (i32, i32),
    /// Number of columns and rows. A number of 0 counts as 1.
    pub size: (u32, u32),
}

impl TileBounds {
    /// Maximum distance of tiles from tile (0, 0) on every side.
    const LIMIT: i64 = 1 << 29;

    /// The whole range of valid positions.
    pub(super) const EVERYTHING: TileBounds = TileBounds { origin: (-(1 << 29), -(1 << 29)), size: (1 << 30, 1 << 30) };

    /// Returns the tile above and to the right of the last one. No overflow: the origin and size of a map and of a
    /// source are limited.
    pub(super) fn end_corner(self) -> (i32, i32) {
        (self.origin.0 + self.size.0 as i32, self.origin.1 + self.size.1 as i32)
    }

    /// Returns the part of the bounds with valid positions, at least one tile.
    pub(super) fn clamped_to_limit(self) -> TileBounds {
        let axis = |from: i32, count: u32| {
            let low = i64::from(from).clamp(-Self::LIMIT, Self::LIMIT - 1);
            let end = (i64::from(from) + i64::from(count)).clamp(low + 1, Self::LIMIT);
            (low as i32, (end - low) as u32)
        };
        let (x, width) = axis(self.origin.0, self.size.0);
        let (y, height) = axis(self.origin.1, self.size.1);
        TileBounds { origin: (x, y), size: (width, height) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tile_bounds_are_clamped_to_the_limit() {
        let cut = |x, width| {
            let cut = TileBounds { origin: (x, 0), size: (width, 1) }.clamped_to_limit();
            (cut.origin.0, cut.size.0)
        };
        assert_eq!(cut(-3, 7), (-3, 7));
        assert_eq!(cut(-3, 0), (-3, 1));
        assert_eq!(cut(i32::MIN, u32::MAX), (-(1 << 29), 1 << 30));
        assert_eq!(cut(i32::MIN, 5), (-(1 << 29), 1));
        assert_eq!(cut(i32::MAX, 5), ((1 << 29) - 1, 1));
        assert_eq!(TileBounds::EVERYTHING.clamped_to_limit(), TileBounds::EVERYTHING);
    }
}
