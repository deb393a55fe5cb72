//! Bounds of queries. None of them decides about an answer but [`MAX_RADIUS`]; ways have the room of
//! [`SLAB_ROOM`](crate::motion::tolerance::SLAB_ROOM) around them.

/// How far a query for the nearest surface looks, in tiles.
///
/// Smaller: less is found. Larger: a query where nothing is takes longer, in proportion to the rows of tiles.
pub(crate) const MAX_RADIUS: f64 = 64.0;

/// Rows of tiles that a ray looks at at once, to pass over them where they are empty, the larger ones first; and up to how many
/// times it may go further sideways than up or down for that.
pub(super) const BANDS: [(i64, u64); 2] = [(32, 2), (8, 16)];

/// How many tiles of a ray are looked at first.
///
/// Smaller: rays that meet something far away take longer. Larger: tiles are looked at that lie behind a body.
pub(super) const FIRST_PART: f64 = 48.0;

/// How many times as far a ray is looked at each time after that.
pub(super) const MORE: f64 = 3.0;

/// Up to how many bodies all are looked at, without a grid.
pub(super) const FEW: usize = 32;

/// The most blocks along a side of the grid of bodies, as a power of two: 2048 tiles, further than a ray goes.
pub(super) const MOST_BITS: u32 = 8;

/// A body over more blocks than that is looked at by every query.
pub(super) const MOST_BLOCKS: i64 = 64;
