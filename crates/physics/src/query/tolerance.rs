//! Limits of queries. Only [`MAX_RADIUS`] affects results. Paths have a margin of
//! [`SLAB_ROOM_UNITS`](crate::motion::tolerance::SLAB_ROOM_UNITS) around them.

/// Maximum search distance of a query for the nearest surface, in tiles.
///
/// Smaller: it finds fewer surfaces. Larger: a query far from everything takes longer, in proportion to the rows of
/// tiles.
pub(crate) const MAX_RADIUS: f64 = 64.0;

/// Bands of tile rows that a ray tests at once and skips if they are empty, the larger ones first. Each with the
/// maximum ratio of horizontal to vertical motion for which it is used.
pub(super) const BANDS: [(i64, u64); 2] = [(32, 2), (8, 16)];

/// Tiles of a ray that are searched first.
///
/// Smaller: rays with a distant hit take longer. Larger: tiles behind a body are searched.
pub(super) const FIRST_PART_TILES: f64 = 48.0;

/// Factor by which each further part of a ray is longer.
pub(super) const PART_GROWTH: f64 = 3.0;

/// Maximum number of bodies that are tested one by one, without a grid.
pub(super) const MAX_WITHOUT_GRID: usize = 32;

/// Maximum blocks along a side of the body grid, as a power of two: 2048 tiles, longer than any ray.
pub(super) const MAX_SIDE_BITS: u32 = 8;

/// Maximum number of blocks of a body in the grid. Every query tests larger bodies.
pub(super) const MAX_BLOCKS_PER_BODY: i64 = 64;
