use super::chunk::CELLS;
use crate::map::TileId;

/// Where the tiles of a world come from that does not fit in memory, or has no end.
///
/// A world asks for the tiles of a chunk, 32 by 32 tiles, when a body comes near, forgets them when nothing is near any
/// more, and asks again when something comes back; so the same answer has to be given every time, on every machine, in
/// any order and from any thread. Then nothing that happens in the world depends on when a chunk was loaded. A source
/// that answers differently breaks replays, and has bodies fall through floors that were there before, but nothing else.
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
/// // Where the legend, the layers and the sides come from; its own cell is not used.
/// let template = Map::from_ron("Map(format: 1, tiles: [\".\"])")?;
/// let block = template.find_tile('#').ok_or("no block")?;
/// let mut world = World::streamed(template, Arc::new(Floor(block)), Settings::default());
/// let ball = world.spawn(Body::new(Shape::circle(0.25)).at((123_456_789.5, 1.0)))?;
/// (0..60).for_each(|_| world.step());
/// assert_eq!(world[ball].position(), Position::new(123_456_789.5, 0.25)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait TileSource: Send + Sync {
    /// Writes the kinds of a chunk's tiles of one layer.
    ///
    /// Chunk `(cx, cy)` covers the tiles from `32 cx` to `32 cx + 31` and from `32 cy` to `32 cy + 31`; its cells come
    /// row by row, the lowest first, from left to right, and are empty before the call.
    ///
    /// It is asked once for each layer of the template that collides, in order, counted as the template's layers are. One
    /// that does not collide is for the game alone to show, which asks its own source for it.
    ///
    /// Entries that the template's legend lacks are empty cells, and so are those whose variants cannot share a cell with
    /// those of the layers before, see [`Catalogue::check_stack`](crate::catalogue::Catalogue::check_stack).
    fn fill(&self, layer: usize, chunk: (i32, i32), cells: &mut [TileId; CHUNK_CELLS]);

    /// Which tiles there are. Beyond them the world goes on as the sides of its template say, and `fill` has no say.
    ///
    /// `None`, which is what a source says that does not say otherwise, is everything up to
    /// [`Position::LIMIT`](surefoot_geometry::Position::LIMIT) on every side; bounds are cut to that. Asked once.
    fn bounds(&self) -> Option<TileBounds> {
        None
    }

    /// A number that tells this source from others of its kind, like the seed that it makes its tiles from.
    ///
    /// It is part of a world's checksum and of its replays, so that a replay is not played over other tiles. 0, which is
    /// what a source says that does not say otherwise, tells nothing. Asked once.
    fn identity(&self) -> u64 {
        0
    }
}

/// Tiles along one side of a chunk.
pub const CHUNK_SIDE: usize = super::chunk::SIDE;

/// Tiles in a chunk.
pub const CHUNK_CELLS: usize = CELLS;

/// The lower left and the upper right tile of a rectangle; both belong to it.
pub type TileCorners = ((i32, i32), (i32, i32));

/// A rectangle of tiles, as a map's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TileBounds {
    /// The lower left tile.
    pub origin: (i32, i32),
    /// Columns and rows; 0 counts as 1.
    pub size: (u32, u32),
}

impl TileBounds {
    /// How far tiles go from tile (0, 0) on every side.
    const LIMIT: i64 = 1 << 29;

    /// Everything that a place can be in.
    pub(super) const EVERYTHING: TileBounds = TileBounds { origin: (-(1 << 29), -(1 << 29)), size: (1 << 30, 1 << 30) };

    /// The part of the bounds that places can be in, at least one tile.
    pub(super) fn cut(self) -> TileBounds {
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
    fn bounds_are_cut_to_where_places_are() {
        let cut = |x, width| {
            let cut = TileBounds { origin: (x, 0), size: (width, 1) }.cut();
            (cut.origin.0, cut.size.0)
        };
        assert_eq!(cut(-3, 7), (-3, 7));
        assert_eq!(cut(-3, 0), (-3, 1));
        assert_eq!(cut(i32::MIN, u32::MAX), (-(1 << 29), 1 << 30));
        assert_eq!(cut(i32::MIN, 5), (-(1 << 29), 1));
        assert_eq!(cut(i32::MAX, 5), ((1 << 29) - 1, 1));
        assert_eq!(TileBounds::EVERYTHING.cut(), TileBounds::EVERYTHING);
    }
}
