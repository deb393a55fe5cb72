//! Per-body cache of the pieces of terrain around a shape: gathered once, searched often, kept from tick to tick. A
//! piece is an edge or a corner of a tile. Affects speed only.
//!
//! The cache never decides what a shape hits, only which pieces are examined. It examines every piece within the
//! shape's bounds, and sometimes one more, which the sweep then does not hit. The pieces are not part of the saved
//! state: copies start without them, and checksums skip them. They have the version of their tiles, which is checked
//! when they are used. Pieces away from an edit take over the new version ([`Nearby::drop_if_edited`]).
//!
//! Pieces are gathered from a rectangle of cells that reaches a little ahead of the motion. Their bounds are packed,
//! four numbers to a word. A motion over more cells than [`tolerance::MAX_GATHERED_CELLS`] gathers nothing. Its cells
//! are searched row by row, or along the path if there are more than [`tolerance::MAX_CELLS_BY_ROWS`].
//! - The pieces that the next motions may hit are inflated by the shape and stored in a second, shorter list: the
//!   *picked* pieces.
//! - Before any list, bounds that are known to contain no piece are tested (`clear`). They come from the empty cells
//!   around the body, which each chunk knows row by row (`Terrain::empty_rectangle_around`). Pieces near the body cut
//!   these bounds on the side where the most space remains.
//! - A body whose next ticks are all equal gives its pieces away. All bodies share the memory of the picked pieces.

use super::cast::Scene;
use super::floor_span::{FloorSpan, Tile};
use super::grown::InflatedPiece;
use super::source::{Owner, PlatformKey, Surroundings};
use super::surface::Surface;
use super::visit::{Bounds, CellRange};
use super::{Air, Shape, tolerance};
use crate::terrain::{Piece, STEP, Terrain};
use crate::version::Version;
use glam::I64Vec2;
use surefoot_geometry::Position;

/// Spare lists for bodies that need them only in some ticks.
#[derive(Debug, Default)]
pub(crate) struct SpareLists {
    picked: Vec<InflatedPiece>,
    /// Lists of bodies that keep no pieces at present.
    lists: Vec<Lists>,
}

#[derive(Debug)]
struct Lists {
    keys: Vec<Key>,
    pieces: Vec<Surface>,
    floor: Vec<Tile>,
}

/// The pieces of a rectangle of cells, and the inflated pieces that the next motions may hit.
#[derive(Debug)]
pub(crate) struct Nearby {
    /// Whether nothing is ever gathered, so that each search reads the terrain.
    single: bool,
    /// Whether the pieces are kept for later moves. If so, the search covers more than the motion needs and reserves
    /// more memory.
    is_kept: bool,
    /// Version of the tiles that the pieces come from.
    tiles: Version,
    /// Bounds of the rectangle, in units. Empty before the first search.
    covered: Bounds,
    /// Origin of all stored coordinates: the lower left corner of the rectangle.
    pub(super) corner: I64Vec2,
    keys: Vec<Key>,
    pub(super) pieces: Vec<Surface>,
    /// Platforms that the pieces may come from, with their positions at the time.
    held: Vec<PlatformKey>,
    /// Bounds that contain no piece.
    clear: Bounds,
    /// Bounds whose pieces are all picked.
    within: Bounds,
    /// The inflated pieces within `within`.
    picked: Vec<InflatedPiece>,
    /// A span among the pieces, and the tiles of its floor.
    pub(super) span: FloorSpan,
    pub(super) floor: Vec<Tile>,
}

impl Nearby {
    /// Creates an empty cache. The first search reserves more memory than is usually needed, so that later ticks do not
    /// allocate.
    pub(crate) fn new() -> Nearby {
        Nearby { is_kept: true, ..Nearby::new_temporary() }
    }

    /// Creates a cache that never gathers, so that each search reads the terrain.
    #[cfg(test)]
    pub(crate) fn new_without_gathering() -> Nearby {
        Nearby { single: true, ..Nearby::new_temporary() }
    }

    /// Creates an empty cache for a single move.
    pub(crate) fn new_temporary() -> Nearby {
        Nearby {
            single: false,
            is_kept: false,
            tiles: Version::default(),
            covered: Bounds::NONE,
            corner: I64Vec2::ZERO,
            keys: Vec::new(),
            pieces: Vec::new(),
            held: Vec::new(),
            clear: Bounds::NONE,
            within: Bounds::NONE,
            picked: Vec::new(),
            span: FloorSpan::NONE,
            floor: Vec::new(),
        }
    }

    /// Drops all pieces, because they belong to another shape or terrain.
    pub(crate) fn clear(&mut self) {
        (self.covered, self.within, self.clear) = (Bounds::NONE, Bounds::NONE, Bounds::NONE);
        self.span = FloorSpan::NONE;
        // Empty the lists too: `Probe::find_span` reads `pieces` before it checks `covered`. A shape that is too large
        // for a new search would find the old pieces.
        self.keys.clear();
        self.pieces.clear();
        self.picked.clear();
        self.held.clear();
    }

    /// Drops all pieces if the tiles were edited, if a platform that they come from has moved or was edited, or if
    /// another platform has come near.
    #[inline(always)]
    pub(crate) fn drop_if_outdated(&mut self, around: &Surroundings<'_>) {
        let is_current = match &self.held[..] {
            [] => around.caches_only_terrain(),
            [held] => around.contains_only_platform(held, [&self.covered, &self.clear]),
            _ => false,
        };
        if !is_current || self.tiles != around.tile_version() {
            self.drop_pieces_if_platforms_changed(around);
        }
    }

    #[inline(never)]
    fn drop_pieces_if_platforms_changed(&mut self, around: &Surroundings<'_>) {
        if around.caches_only_terrain() || self.tiles != around.tile_version() {
            self.tiles = around.tile_version();
            return self.clear();
        }
        if self.held.is_empty()
            && around.is_free_of_platforms(&self.covered)
            && around.is_free_of_platforms(&self.clear)
        {
            return;
        }
        if self.covered != Bounds::NONE && !around.platform_keys_within(&self.covered).eq(self.held.iter().copied()) {
            self.clear();
        }
        if self.clear != Bounds::NONE && !self.covered.covers(&self.clear) && around.has_platform_within(&self.clear) {
            self.clear = Bounds::NONE;
        }
    }

    /// Returns the union of `bounds` and the bounds of the known span.
    pub(crate) fn union_with_span(&self, bounds: Bounds, shape: Shape) -> Bounds {
        self.span.bounds(shape).map_or(bounds, |span| bounds.union(&span.moved(self.corner)))
    }

    /// Returns the union of `bounds`, the bounds known to be empty, and the bounds of the known span.
    pub(crate) fn union_with_known_zone(&self, bounds: Bounds, shape: Shape) -> Bounds {
        let zone = if self.clear == Bounds::NONE { bounds } else { bounds.union(&self.clear) };
        self.union_with_span(zone, shape)
    }

    /// Limits the bounds known to be empty to `bounds`. Drops them if they no longer cover the body's `own` bounds.
    /// Returns whether they still cover `own`.
    pub(crate) fn try_limit_or_drop_clear_bounds(&mut self, bounds: &Bounds, own: &Bounds) -> bool {
        let clear = self.clear.intersection(bounds);
        let holds = clear.covers(own);
        self.clear = if holds { clear } else { Bounds::NONE };
        holds
    }

    /// Returns the union of `bounds` and everything that is known or was searched.
    pub(crate) fn union_with_known_and_searched_zones(&self, bounds: Bounds) -> Bounds {
        let all = [&self.covered, &self.clear].into_iter().filter(|known| **known != Bounds::NONE);
        all.fold(bounds, |zone, known| zone.union(known))
    }

    /// Drops all pieces if some come from platforms.
    pub(crate) fn clear_if_from_platforms(&mut self) {
        if !self.held.is_empty() {
            self.clear();
        }
    }

    /// Drops the known span. Returns whether there was one.
    pub(crate) fn forget_span_if_any(&mut self) -> bool {
        std::mem::replace(&mut self.span, FloorSpan::NONE).is_known()
    }

    /// Drops the bounds known to be empty. Returns whether there were any.
    pub(crate) fn forget_clear_bounds_if_any(&mut self) -> bool {
        std::mem::replace(&mut self.clear, Bounds::NONE) != Bounds::NONE
    }

    /// Moves all pieces along with a platform that is now at `origin`. All of them must come from that platform.
    pub(crate) fn move_with_platform(&mut self, platform: u32, origin: I64Vec2) {
        let [PlatformKey { platform: held, origin: before, approach, .. }] = &mut self.held[..] else {
            return self.clear();
        };
        if *held != platform || approach.is_some() {
            return self.clear();
        }
        let by = origin - *before;
        if by == I64Vec2::ZERO {
            return;
        }
        *before = origin;
        // The gathered cells are those of the platform and move with it, and so do the bounds without pieces (`clear`)
        // that lie within these cells. Drop larger ones: outside the cells, they were tested against terrain at rest,
        // which does not move along, so the moved bounds might contain some of it.
        self.clear = if self.covered.covers(&self.clear) { self.clear.moved(by) } else { Bounds::NONE };
        self.covered = self.covered.moved(by);
        self.corner += by;
        self.pieces.iter_mut().for_each(|piece| piece.at += by);
    }

    /// Takes memory from `room` for a search.
    #[inline(always)]
    pub(crate) fn take_memory(&mut self, room: &mut SpareLists) {
        debug_assert!(self.within == Bounds::NONE, "what is picked stays open between looks");
        std::mem::swap(&mut self.picked, &mut room.picked);
        if self.keys.capacity() == 0
            && let Some(Lists { keys, pieces, floor }) = room.lists.pop()
        {
            (self.keys, self.pieces, self.floor) = (keys, pieces, floor);
        }
    }

    /// Gives unused memory back to `room` until the next search, or all of it if the pieces are not `kept`.
    #[inline(always)]
    pub(crate) fn return_memory(&mut self, room: &mut SpareLists, kept: bool) {
        self.within = Bounds::NONE;
        self.picked.clear();
        std::mem::swap(&mut self.picked, &mut room.picked);
        if !kept {
            self.clear();
        }
        self.move_empty_lists_to_spare(room);
    }

    /// Drops all pieces and gives their memory to `room`, because the body was placed elsewhere or its tiles changed.
    pub(crate) fn clear_and_return_memory(&mut self, room: &mut SpareLists) {
        self.clear();
        self.move_empty_lists_to_spare(room);
    }

    /// Moves the lists of pieces to the spare lists if they are empty.
    #[inline(always)]
    fn move_empty_lists_to_spare(&mut self, spare: &mut SpareLists) {
        if self.keys.is_empty() && self.keys.capacity() > 0 {
            spare.lists.push(Lists {
                keys: std::mem::take(&mut self.keys),
                pieces: std::mem::take(&mut self.pieces),
                floor: std::mem::take(&mut self.floor),
            });
        }
    }

    /// Keeps the pieces through the last edit of the tiles, if no edited cell and no cell next to one is among theirs.
    /// Returns whether one is.
    pub(crate) fn drop_if_edited(&mut self, terrain: &Terrain, low: (i32, i32), high: (i32, i32)) -> bool {
        let around = CellRange {
            low: (low.0.saturating_sub(1), low.1.saturating_sub(1)),
            high: (high.0.saturating_add(1), high.1.saturating_add(1)),
        };
        let met = self.covered.intersects(&around.bounds()) || self.clear.intersects(&around.bounds());
        let (after, before) = terrain.tile_versions();
        if met {
            self.clear();
        } else if self.tiles == before && self.held.is_empty() {
            // If some pieces come from platforms (`held`), the bounds may have moved along with a platform. Then they
            // do not tell which cells the pieces come from. So keep the old version: the pieces are dropped at their
            // next use, and gathered again.
            self.tiles = after;
        }
        met
    }

    /// Makes sure that every piece that a motion within `bounds` may hit is picked. Returns `false` if the motion is so
    /// long that a search by cells is better, or if a chunk is not loaded.
    #[inline(always)]
    pub(super) fn try_pick_pieces(
        &mut self,
        scene: &Scene<'_>,
        shape: Shape,
        bounds: &Bounds,
        motion: I64Vec2,
    ) -> bool {
        self.within.covers(bounds) || self.try_pick_pieces_within(scene, shape, *bounds, motion)
    }

    /// Returns whether every piece that a motion within `bounds` may hit is picked.
    pub(super) fn has_picked_all_within(&self, bounds: &Bounds) -> bool {
        self.within.covers(bounds)
    }

    /// Returns whether a quick test shows that a motion hits nothing and touches nothing at its end.
    #[inline(always)]
    pub(crate) fn test_if_surely_clear(
        &mut self,
        scene: &Scene<'_>,
        shape: Shape,
        position: Position,
        motion: I64Vec2,
    ) -> bool {
        let bounds = Bounds::of_motion(shape, position, motion);
        self.clear.covers(&bounds) || self.gather_and_test_if_clear(scene, shape, position, motion)
    }

    /// Returns the rectangle around a position in which nothing is within the shape's reach, as far as is known and
    /// within the map.
    #[inline(always)]
    pub(crate) fn free_air_around(&self, shape: Shape, position: Position, (low, high): (I64Vec2, I64Vec2)) -> Air {
        if self.clear.covers(&Bounds::of_motion(shape, position, I64Vec2::ZERO)) {
            Air::from_clear_bounds(&self.clear, shape, &Bounds { low, high })
        } else {
            Air::NONE
        }
    }

    /// Returns the bounds in which the gathered pieces are complete.
    pub(super) fn bounds_with_complete_pieces(&self, scene: &Scene<'_>) -> Bounds {
        self.covered.intersection(&scene.around.cache_limit())
    }

    /// Sets `clear` to bounds of empty cells around `bounds`, without examining any piece. Returns whether there are
    /// such cells.
    #[inline]
    fn try_set_clear_bounds_from_cells(&mut self, scene: &Scene<'_>, bounds: &Bounds) -> bool {
        let cells = bounds.cells();
        if self.single || !scene.around.cache_limit().covers(bounds) || !are_chunks_of_cells_loaded(scene, cells) {
            return false;
        }
        // Empty rows further out only save work in later ticks, so a cache for a single move does not search them.
        let more = if self.is_kept { tolerance::MAX_AHEAD_EMPTY_ROWS } else { 0 };
        let Some((low, high)) = scene.around.terrain().terrain.empty_rectangle_around(cells.low, cells.high, more)
        else {
            return false;
        };
        let mut clear = CellRange { low, high }.bounds().intersection(&scene.around.cache_limit());
        if !scene.around.caches_only_terrain() {
            let whole = clear;
            for platform in scene.around.platform_bounds_within(&whole) {
                // Leave half of the distance for the platform to move in.
                let away = bounds.gap(&platform).max(0) / 2;
                let Some(less) = clear.part_without(&platform.grown(away), bounds) else { return false };
                clear = less;
            }
        }
        self.clear = clear;
        true
    }

    /// Sets `clear` to larger bounds around `bounds` that contain no piece. Gathers the pieces again if needed. Returns
    /// whether there are such bounds.
    fn try_set_clear_bounds_from_pieces(
        &mut self,
        scene: &Scene<'_>,
        shape: Shape,
        bounds: &Bounds,
        motion: I64Vec2,
    ) -> bool {
        if self.single || !self.try_gather_pieces_within(scene, shape, bounds, motion) {
            return false;
        }
        let mut clear = self.bounds_with_complete_pieces(scene);
        for key in &self.keys {
            let Some(less) = clear.part_without(&key.bounds(self.corner), bounds) else { return false };
            clear = less;
        }
        self.clear = clear;
        true
    }

    /// Makes sure that the pieces within `bounds` are gathered. Returns `false` if there are too many cells.
    #[inline]
    fn try_gather_pieces_within(&mut self, scene: &Scene<'_>, shape: Shape, bounds: &Bounds, motion: I64Vec2) -> bool {
        if !scene.around.cache_limit().covers(bounds) {
            return false;
        }
        if !self.covered.covers(bounds) {
            let range = bounds.cells();
            if range.cell_count() > tolerance::MAX_GATHERED_CELLS {
                return false;
            }
            let ahead = if self.is_kept { range.extended_ahead(motion) } else { range };
            // Gathering ahead must not reach more platforms: when such a platform moves, all pieces are dropped.
            let leads_on = ahead != range && scene.around.reaches_more_platforms(&ahead.bounds(), &range.bounds());
            let range = if leads_on { range } else { ahead };
            if !are_chunks_of_cells_loaded(scene, range) {
                return false;
            }
            self.gather_cells(scene, shape, range);
        }
        true
    }

    /// Gathers the pieces near a motion. Returns whether the motion surely neither hits nor ends at any of them.
    #[inline(never)]
    fn gather_and_test_if_clear(
        &mut self,
        scene: &Scene<'_>,
        shape: Shape,
        position: Position,
        motion: I64Vec2,
    ) -> bool {
        let bounds = Bounds::of_motion(shape, position, motion);
        if self.try_set_clear_bounds_from_cells(scene, &bounds)
            || self.try_set_clear_bounds_from_pieces(scene, shape, &bounds, motion)
        {
            return true;
        }
        self.try_pick_pieces(scene, shape, &bounds, motion) && {
            let from = self.relative_position(position);
            let mut picked = self.picked_pieces();
            picked.all(|piece| {
                !piece.may_hit(shape, from, motion) && !piece.is_touched(shape, position + motion, from + motion)
            })
        }
    }

    /// The pieces picked last.
    #[inline(always)]
    pub(super) fn picked_pieces(&self) -> impl Iterator<Item = &InflatedPiece> {
        self.picked.iter()
    }

    /// Returns how many steps back and forth from a centre a shape stays within the bounds of the gathered pieces.
    /// `None` if it starts outside.
    pub(super) fn max_steps_within(
        &self,
        known: &Bounds,
        shape: Shape,
        center: I64Vec2,
        step: I64Vec2,
    ) -> Option<(i64, i64)> {
        let reach = shape.half_units() + tolerance::SPAN_ROOM_UNITS;
        let low = center - reach - (known.low - self.corner);
        let high = known.high - self.corner - center - reach;
        if low.min_element() < 0 || high.min_element() < 0 {
            return None;
        }
        let steps = |low: i64, high: i64, step: i64| match step {
            0 => (i64::MAX, i64::MAX),
            1.. => (low / step, high / step),
            _ => (high / -step, low / -step),
        };
        let (x, y) = (steps(low.x, high.x, step.x), steps(low.y, high.y, step.y));
        Some((x.0.min(y.0), x.1.min(y.1)))
    }

    /// Returns the pieces near a path between two displacements of a centre, each with its index.
    pub(super) fn pieces_near_path(
        &self,
        center: I64Vec2,
        (from, to): (I64Vec2, I64Vec2),
        half: I64Vec2,
    ) -> impl Iterator<Item = (u32, &Surface)> {
        let (from, to) = (center + from, center + to);
        let reach = half + tolerance::SPAN_ROOM_UNITS;
        let bounds = Bounds { low: from.min(to) - reach, high: from.max(to) + reach };
        let seen = Bounds { low: self.covered.low - self.corner, high: self.covered.high - self.corner };
        let query = Query::from_bounds(&bounds.intersection(&seen), I64Vec2::ZERO);
        let pieces = (0..).zip(self.keys.iter().zip(&self.pieces));
        pieces.filter(move |(_, (key, _))| query.intersects(**key)).map(|(piece, (_, surface))| (piece, surface))
    }

    /// Returns a position relative to the corner of the gathered cells.
    #[inline(always)]
    pub(super) fn relative_position(&self, position: Position) -> I64Vec2 {
        position.units() - self.corner
    }

    /// Picks the pieces that meet `bounds` from the gathered ones. Returns `false` if the pieces could not be
    /// gathered.
    #[inline(never)]
    fn try_pick_pieces_within(&mut self, scene: &Scene<'_>, shape: Shape, bounds: Bounds, motion: I64Vec2) -> bool {
        if self.single || !self.try_gather_pieces_within(scene, shape, &bounds, motion) {
            return false;
        }
        self.picked.clear();
        self.within = bounds;
        let query = Query::from_bounds(&self.within, self.corner);
        for (key, surface) in self.keys.iter().zip(&self.pieces) {
            if query.intersects(*key) {
                self.picked.push(InflatedPiece::new(shape, surface, self.corner));
            }
        }
        if self.picked.len() == self.keys.len() {
            self.within = self.bounds_with_complete_pieces(scene);
        } else if self.picked.is_empty() {
            self.clear = self.within;
        }
        true
    }

    /// Returns whether to search for spans: only later moves benefit from them.
    pub(super) fn benefits_from_spans(&self) -> bool {
        self.is_kept
    }

    /// Gathers everything within `bounds`. If there are too many cells, drops everything.
    pub(super) fn gather_pieces_within(&mut self, scene: &Scene<'_>, shape: Shape, bounds: &Bounds) {
        if !self.try_pick_pieces(scene, shape, bounds, I64Vec2::ZERO) {
            self.clear();
        }
    }

    /// Gathers the pieces around a position and along a path from it again.
    pub(super) fn gather_around_path(&mut self, scene: &Scene<'_>, shape: Shape, position: Position, motion: I64Vec2) {
        let range = CellRange::of_motion(shape, position, motion);
        let ahead = range.extended_ahead(motion);
        // In a streamed world, do not load more chunks than necessary.
        let is_streamed = scene.around.terrain().terrain.is_streamed();
        let ahead = if is_streamed { ahead } else { ahead.extended_ahead(motion) };
        if range.cell_count() <= tolerance::MAX_GATHERED_CELLS && are_chunks_of_cells_loaded(scene, ahead) {
            self.gather_cells(scene, shape, ahead);
        }
    }

    /// Reserves more memory than is usually needed, so that later ticks do not allocate.
    #[inline(never)]
    fn reserve_memory(&mut self) {
        self.keys.reserve(tolerance::INITIAL_PIECES);
        self.pieces.reserve(tolerance::INITIAL_PIECES);
        self.floor.reserve(tolerance::INITIAL_FLOOR_TILES);
    }

    /// Gathers the pieces of a rectangle of cells.
    #[inline(never)]
    fn gather_cells(&mut self, scene: &Scene<'_>, shape: Shape, range: CellRange) {
        self.covered = range.bounds();
        self.corner = range.corner();
        (self.span, self.clear, self.within) = (FloorSpan::NONE, Bounds::NONE, Bounds::NONE);
        self.keys.clear();
        self.pieces.clear();
        if self.is_kept && self.keys.capacity() == 0 {
            self.reserve_memory();
        }
        let (corner, covered) = (self.corner, self.covered);
        let mut keep = |owner: Owner, at: I64Vec2, pieces: &[Piece]| {
            let cell = CellKey::of_cell_at(at - corner);
            self.keys.extend(pieces.iter().map(|piece| cell.key_of_piece(piece)));
            self.pieces.extend(pieces.iter().map(|piece| Surface { owner, at, piece: *piece }));
        };
        scene.around.terrain().visit_pieces_by_cell(shape, range, &mut keep);
        if scene.around.caches_only_terrain() {
            return self.held.clear();
        }
        for platform in scene.around.platforms_within(&covered) {
            platform.visit_pieces_by_cell(shape, platform.cells(&covered), &mut keep);
        }
        self.held.clear();
        self.held.extend(scene.around.platform_keys_within(&covered));
    }
}

/// Returns whether all chunks of some cells are loaded. Never cache the solid stand-in for a missing chunk.
fn are_chunks_of_cells_loaded(scene: &Scene<'_>, CellRange { low, high }: CellRange) -> bool {
    scene.around.terrain().terrain.first_missing_chunk(low, high).is_none()
}

#[cfg(test)]
impl Nearby {
    /// Returns the first and the last of the gathered cells, if there are any.
    pub(crate) fn gathered_tiles(&self) -> Option<((i32, i32), (i32, i32))> {
        let CellRange { low, high } = self.covered.cells();
        (self.covered != Bounds::NONE).then_some((low, high))
    }

    /// Returns whether the pieces are those of the terrain there.
    pub(crate) fn is_of_current_terrain(&self, scene: &Scene<'_>, shape: Shape) -> bool {
        let mut other = Nearby::new();
        other.gather_cells(scene, shape, self.covered.cells());
        other.pieces == self.pieces
    }
}

/// A copy starts empty. It gathers the same pieces again.
impl Clone for Nearby {
    fn clone(&self) -> Nearby {
        Nearby::new()
    }
}

impl Default for Nearby {
    fn default() -> Nearby {
        Nearby::new()
    }
}

/// Bounds of a piece in lattice steps from a corner, as four 16-bit numbers: the upper ends of x and y as they are, the
/// lower ends negated. Each has an offset that keeps it positive.
#[derive(Clone, Copy, Debug)]
struct Key(u64);

/// Bounds that are compared with those of a piece, as four 16-bit numbers. Add them to a [`Key`]: the highest bit of
/// each number of the sum is set exactly if the two bounds meet at that end.
#[derive(Clone, Copy, Debug)]
struct Query(u64);

const OFFSET: i64 = 0x2000;
const STEP_BITS: u32 = STEP.trailing_zeros();
const MET: u64 = 0x8000_8000_8000_8000;

/// The part of the keys that is common to all pieces of a cell.
#[derive(Clone, Copy, Debug)]
struct CellKey(u64);

impl CellKey {
    /// Returns the key of the cell with its lower left corner at `at`, relative to the corner of the gathered cells.
    #[inline]
    fn of_cell_at(at: I64Vec2) -> CellKey {
        // Round outwards to lattice steps.
        let (low, high) = (at >> STEP_BITS, (at + (STEP - 1)) >> STEP_BITS);
        CellKey(pack_numbers([high.x + OFFSET, high.y + OFFSET, OFFSET - low.x, OFFSET - low.y]))
    }

    /// Returns the bounds of a piece of the cell.
    #[inline]
    fn key_of_piece(self, piece: &Piece) -> Key {
        let (low, high) = (piece.a.min(piece.b).as_i64vec2(), piece.a.max(piece.b).as_i64vec2());
        // No sum is negative or too large, so the sum of packed numbers equals the packed sums.
        Key(self.0.wrapping_add(pack_numbers([high.x, high.y, -low.x, -low.y])))
    }
}

impl Key {
    /// Returns the bounds of the piece in units, at most one step too large.
    #[inline]
    fn bounds(self, corner: I64Vec2) -> Bounds {
        let number = |shift: u32| i64::from((self.0 >> shift) as u16) - OFFSET;
        let (high, low) = (I64Vec2::new(number(0), number(16)), -I64Vec2::new(number(32), number(48)));
        Bounds { low: corner + low * crate::terrain::STEP, high: corner + high * crate::terrain::STEP }
    }
}

impl Query {
    /// Converts bounds in units, rounded outwards to lattice steps.
    #[inline]
    fn from_bounds(bounds: &Bounds, cells_corner: I64Vec2) -> Query {
        let (low, high) = (bounds.low - cells_corner, bounds.high - cells_corner);
        let rest = 0x8000 - OFFSET;
        Query(pack_numbers([
            rest - (low.x >> STEP_BITS),
            rest - (low.y >> STEP_BITS),
            rest + (high.x >> STEP_BITS) + 1,
            rest + (high.y >> STEP_BITS) + 1,
        ]))
    }

    #[inline]
    fn intersects(self, key: Key) -> bool {
        (self.0 + key.0) & MET == MET
    }
}

/// Packs four 16-bit numbers into one of 64 bits. A rectangle of cells is far smaller than the offset, so no number
/// overflows.
#[inline]
fn pack_numbers(numbers: [i64; 4]) -> u64 {
    let [a, b, c, d] = numbers.map(|n| n as u64);
    a.wrapping_add(b << 16).wrapping_add(c << 32).wrapping_add(d << 48)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::Role;
    use glam::I8Vec2;
    use surefoot_geometry::ONE;

    #[test]
    fn packed_bounds_meet_as_plain_ones_do() {
        let step = crate::terrain::STEP;
        let point = |x: i64, y: i64| I8Vec2::new(x as i8, y as i8);
        let corner = I64Vec2::new(-3 * ONE, 5 * ONE);
        for n in 0..4096_i64 {
            // Choose numbers with strides that share no factor, so that many combinations occur.
            let pick = |stride: i64, below: i64| (n * stride + n / 7) % below;
            let (a, b) = (point(pick(5, 17), pick(7, 17)), point(pick(11, 17), pick(3, 17)));
            let cell = (pick(13, 6) as i32, pick(17, 6) as i32);
            let none = I8Vec2::ZERO;
            let piece = Piece {
                role: Role::Face,
                edge: 0,
                a,
                b,
                normal: none,
                before: none,
                after: none,
                gate: none,
                partner: none,
            };
            let low = corner + I64Vec2::new(pick(19, 96), pick(23, 96)) * step - I64Vec2::splat(pick(29, 3));
            let bounds = Bounds { low, high: low + I64Vec2::new(pick(31, 40), pick(37, 40)) * step };
            let at =
                |p: I8Vec2| corner + I64Vec2::new(i64::from(cell.0), i64::from(cell.1)) * ONE + p.as_i64vec2() * step;
            let (first, second) = (at(a.min(b)), at(a.max(b)));
            let meets = second.cmpge(bounds.low).all() && first.cmple(bounds.high).all();
            let key = CellKey::of_cell_at(at(I8Vec2::ZERO) - corner).key_of_piece(&piece);
            let quick = Query::from_bounds(&bounds, corner).intersects(key);
            assert_eq!(key.bounds(corner), Bounds { low: first, high: second });
            assert!(quick || !meets, "{bounds:?} {piece:?} {cell:?}");
            // The packed bounds are rounded outwards by less than two steps.
            let wide = Bounds { low: bounds.low - 2 * step, high: bounds.high + 2 * step };
            let near = second.cmpge(wide.low).all() && first.cmple(wide.high).all();
            assert!(near || !quick, "{bounds:?} {piece:?} {cell:?}");
        }
    }
}
