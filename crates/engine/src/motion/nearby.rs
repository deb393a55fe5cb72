//! The pieces around a shape: gathered once, asked often, and kept by a body from tick to tick while it stays near them.
//!
//! Nothing here decides what a shape meets, only what is looked at: always every piece that the shape's bounds reach,
//! and now and then one more, which the sweep then does not meet. The pieces are no state: copies begin without them,
//! checksums do not read them, and a body forgets them when a tile near the body is painted.
//!
//! - Pieces are gathered a little ahead of the motion, with their bounds packed four to a word. For a motion over more
//!   cells than [`tolerance::GATHERED`] nothing is kept: its cells are looked at row by row, or along the path if they
//!   are more than [`tolerance::BY_ROWS`].
//! - Bounds without any piece are asked first. They are the plainly empty cells around the body, as the rows of the
//!   chunk tell (`Terrain::empty_around`). Near pieces they are found by leaving out each piece on the side with the
//!   most room.
//! - A body whose ticks are the same for ever gives its pieces away. The memory of picked pieces is shared by all
//!   bodies.

use super::cast::Scene;
use super::floor_span::{Blocked, FloorSpan, Tile};
use super::grown::Grown;
use super::source::{Held, Owner, Surroundings};
use super::surface::Surface;
use super::visit::{Bounds, CellRange};
use super::{Air, Shape, tolerance};
use crate::terrain::{Piece, STEP};
use glam::I64Vec2;
use smallvec::SmallVec;
use surefoot_geometry::Position;

/// The memory of lists that bodies need only in some of their ticks.
#[derive(Debug, Default)]
pub(crate) struct Room {
    picked: Vec<Grown>,
    /// Lists of bodies that keep no pieces now.
    lists: Vec<Lists>,
}

#[derive(Debug)]
struct Lists {
    keys: Vec<Key>,
    pieces: Vec<Surface>,
    floor: Vec<Tile>,
}

/// The pieces of a rectangle of cells, grown by a shape, and those of them that its next motions may meet.
#[derive(Debug)]
pub(crate) struct Nearby {
    /// Nothing is ever gathered: the terrain is looked at each time.
    single: bool,
    /// It is kept for the next moves too: it looks further than asked for, and takes more room than it needs.
    is_kept: bool,
    /// What the rectangle covers, in units; nothing at all before the first look.
    covered: Bounds,
    /// What everything else counts from: the lower left corner of the rectangle.
    pub(super) corner: I64Vec2,
    keys: Vec<Key>,
    pub(super) pieces: Vec<Surface>,
    /// The platforms that pieces may come from, as they stood.
    held: SmallVec<[Held; 2]>,
    /// Bounds in which there is no piece.
    clear: Bounds,
    /// Bounds whose pieces are all picked.
    within: Bounds,
    /// The pieces within these bounds, grown by the shape.
    picked: Vec<Grown>,
    /// A span among the pieces, and the tiles of its floor.
    pub(super) span: FloorSpan,
    pub(super) floor: Vec<Tile>,
    /// A way that is known to be blocked.
    pub(super) blocked: Option<Blocked>,
}

impl Nearby {
    /// Nothing gathered yet. The first look takes room for more than there mostly is, so that later steps do not
    /// allocate.
    pub(crate) fn new() -> Nearby {
        Nearby { is_kept: true, ..Nearby::once() }
    }

    /// Nothing is ever gathered, so that the terrain is looked at each time.
    #[cfg(test)]
    pub(crate) fn none() -> Nearby {
        Nearby { single: true, ..Nearby::once() }
    }

    /// Nothing gathered yet, for a single move.
    pub(crate) fn once() -> Nearby {
        Nearby {
            single: false,
            is_kept: false,
            covered: Bounds::NONE,
            corner: I64Vec2::ZERO,
            keys: Vec::new(),
            pieces: Vec::new(),
            held: SmallVec::new(),
            clear: Bounds::NONE,
            within: Bounds::NONE,
            picked: Vec::new(),
            span: FloorSpan::NONE,
            floor: Vec::new(),
            blocked: None,
        }
    }

    /// Forgets all pieces: they are of another shape or terrain.
    pub(crate) fn clear(&mut self) {
        (self.covered, self.within, self.clear) = (Bounds::NONE, Bounds::NONE, Bounds::NONE);
        (self.span, self.blocked) = (FloorSpan::NONE, None);
        // A shape too large for anything to be gathered around it must not find them again, see `Probe::find_span`.
        self.keys.clear();
        self.pieces.clear();
        self.picked.clear();
        self.held.clear();
    }

    /// Forgets all pieces if some are of platforms that have moved or were painted since, or if a platform has come near.
    #[inline(always)]
    pub(crate) fn follow(&mut self, around: &Surroundings<'_>) {
        let is_current = match &self.held[..] {
            [] => around.keeps_terrain_alone(),
            [held] => around.holds_alone(held, [&self.covered, &self.clear]),
            _ => false,
        };
        if !is_current {
            self.follow_platforms(around);
        }
    }

    #[inline(never)]
    fn follow_platforms(&mut self, around: &Surroundings<'_>) {
        if around.keeps_terrain_alone() {
            return self.clear();
        }
        if self.held.is_empty() && around.has_none_within(&self.covered) && around.has_none_within(&self.clear) {
            return;
        }
        if self.covered == Bounds::NONE {
            // A way that is blocked is known without any pieces too.
            self.blocked = None;
        } else if !around.held_within(&self.covered).eq(self.held.iter().copied()) {
            self.clear();
        }
        if self.clear != Bounds::NONE && !self.covered.covers(&self.clear) && around.has_platform_within(&self.clear) {
            self.clear = Bounds::NONE;
        }
    }

    /// Adds to bounds those of the span that is known.
    pub(crate) fn with_span(&self, bounds: Bounds, shape: Shape) -> Bounds {
        self.span.bounds(shape).map_or(bounds, |span| bounds.with(&span.moved(self.corner)))
    }

    /// Adds to bounds those in which it is known what is there or that nothing is.
    pub(crate) fn zone(&self, bounds: Bounds, shape: Shape) -> Bounds {
        let zone = if self.clear == Bounds::NONE { bounds } else { bounds.with(&self.clear) };
        self.with_span(zone, shape)
    }

    /// Forgets beyond bounds that no piece is there; all of it if a body's own are not within what is left. Answers whether
    /// some is.
    pub(crate) fn keep_clear_within(&mut self, bounds: &Bounds, own: &Bounds) -> bool {
        let clear = self.clear.within(bounds);
        let holds = clear.covers(own);
        self.clear = if holds { clear } else { Bounds::NONE };
        holds
    }

    /// Adds to bounds all that is known and all that was looked at for it.
    pub(crate) fn whole_zone(&self, bounds: Bounds) -> Bounds {
        let all = [&self.covered, &self.clear].into_iter().filter(|known| **known != Bounds::NONE);
        all.fold(bounds, |zone, known| zone.with(known))
    }

    /// Forgets all pieces if some are of platforms.
    pub(crate) fn keep_terrain_alone(&mut self) {
        if !self.held.is_empty() {
            self.clear();
        }
    }

    /// Forgets the span that is known.
    pub(crate) fn forget_span(&mut self) -> bool {
        std::mem::replace(&mut self.span, FloorSpan::NONE).is_known()
    }

    /// Forgets in which bounds there is no piece; answers whether it was known.
    pub(crate) fn forget_clear(&mut self) -> bool {
        std::mem::replace(&mut self.clear, Bounds::NONE) != Bounds::NONE
    }

    /// Goes along with a platform that stands there now, of which all pieces are.
    pub(crate) fn go_along(&mut self, platform: u32, origin: I64Vec2) {
        let [Held { platform: held, origin: before, came, .. }] = &mut self.held[..] else { return self.clear() };
        if *held != platform || came.is_some() {
            return self.clear();
        }
        let by = origin - *before;
        if by == I64Vec2::ZERO {
            return;
        }
        *before = origin;
        // Where nothing is but what is known to be there stands still.
        self.clear = if self.covered.covers(&self.clear) { self.clear.moved(by) } else { Bounds::NONE };
        self.covered = self.covered.moved(by);
        self.corner += by;
        self.pieces.iter_mut().for_each(|piece| piece.at += by);
        if let Some(Blocked { position, .. }) = &mut self.blocked {
            *position = *position + by;
        }
    }

    /// Takes the room for a look at the pieces.
    #[inline(always)]
    pub(crate) fn open(&mut self, room: &mut Room) {
        debug_assert!(self.within == Bounds::NONE, "what is picked stays open between looks");
        std::mem::swap(&mut self.picked, &mut room.picked);
        if self.keys.capacity() == 0
            && let Some(Lists { keys, pieces, floor }) = room.lists.pop()
        {
            (self.keys, self.pieces, self.floor) = (keys, pieces, floor);
        }
    }

    /// Gives back the room that it does not need until the next look; all of it if the pieces are not `kept`.
    #[inline(always)]
    pub(crate) fn close(&mut self, room: &mut Room, kept: bool) {
        self.within = Bounds::NONE;
        self.picked.clear();
        std::mem::swap(&mut self.picked, &mut room.picked);
        if !kept {
            self.clear();
        }
        if self.keys.is_empty() && self.keys.capacity() > 0 {
            room.lists.push(Lists {
                keys: std::mem::take(&mut self.keys),
                pieces: std::mem::take(&mut self.pieces),
                floor: std::mem::take(&mut self.floor),
            });
        }
    }

    /// Forgets the pieces if a cell of a rectangle or one beside it is among theirs: it was painted. Answers whether it was.
    pub(crate) fn invalidate_tiles(&mut self, low: (i32, i32), high: (i32, i32)) -> bool {
        let around = CellRange {
            low: (low.0.saturating_sub(1), low.1.saturating_sub(1)),
            high: (high.0.saturating_add(1), high.1.saturating_add(1)),
        };
        let met = self.covered.meets(&around.bounds()) || self.clear.meets(&around.bounds());
        if met {
            self.clear();
        }
        met
    }

    /// Makes sure that every piece that a motion within these bounds may meet is picked; `false` for a motion so long that
    /// it is better looked at cell by cell, and where not all chunks are loaded.
    #[inline(always)]
    pub(super) fn reaches(&mut self, scene: &Scene<'_>, shape: Shape, bounds: &Bounds, motion: I64Vec2) -> bool {
        self.within.covers(bounds) || self.pick(scene, shape, *bounds, motion)
    }

    /// Whether every piece that a motion within these bounds may meet is picked.
    pub(super) fn holds(&self, bounds: &Bounds) -> bool {
        self.within.covers(bounds)
    }

    /// Whether nothing is met on the way of a motion and nothing touched at its end, as far as a quick look can tell.
    #[inline(always)]
    pub(crate) fn is_clear(&mut self, scene: &Scene<'_>, shape: Shape, position: Position, motion: I64Vec2) -> bool {
        let bounds = Bounds::of(shape, position, motion);
        self.clear.covers(&bounds) || self.is_clear_among(scene, shape, position, motion)
    }

    /// Where around a place nothing is within the shape's reach, as far as is known and the map goes.
    #[inline(always)]
    pub(crate) fn air(&self, shape: Shape, position: Position, (low, high): (I64Vec2, I64Vec2)) -> Air {
        if self.clear.covers(&Bounds::of(shape, position, I64Vec2::ZERO)) {
            Air::of(&self.clear, shape, &Bounds { low, high })
        } else {
            Air::NONE
        }
    }

    /// Within which bounds the pieces tell all that is there.
    pub(super) fn known(&self, scene: &Scene<'_>) -> Bounds {
        self.covered.within(&scene.around.limit())
    }

    /// Looks for empty cells around bounds, without a look at any piece.
    #[inline]
    fn find_empty(&mut self, scene: &Scene<'_>, bounds: &Bounds) -> bool {
        let cells = bounds.cells();
        if self.single || !scene.around.limit().covers(bounds) || !is_loaded(scene, cells) {
            return false;
        }
        // More of them are of use to the next moves alone.
        let more = if self.is_kept { tolerance::AHEAD_EMPTY } else { 0 };
        let Some((low, high)) = scene.around.terrain().terrain.empty_around(cells.low, cells.high, more) else {
            return false;
        };
        let mut clear = CellRange { low, high }.bounds().within(&scene.around.limit());
        if !scene.around.keeps_terrain_alone() {
            let whole = clear;
            for platform in scene.around.bounds_within(&whole) {
                // Half of the way to it is left for it to move in.
                let away = bounds.gap(&platform).max(0) / 2;
                let Some(less) = clear.without(&platform.grown(away), bounds) else { return false };
                clear = less;
            }
        }
        self.clear = clear;
        true
    }

    /// Looks for bounds without a piece around others, among pieces gathered anew if need be.
    fn find_clear(&mut self, scene: &Scene<'_>, shape: Shape, bounds: &Bounds, motion: I64Vec2) -> bool {
        if self.single || !self.gathers(scene, shape, bounds, motion) {
            return false;
        }
        let mut clear = self.known(scene);
        for key in &self.keys {
            let Some(less) = clear.without(&key.bounds(self.corner), bounds) else { return false };
            clear = less;
        }
        self.clear = clear;
        true
    }

    /// Makes sure that the pieces within bounds are gathered; `false` if that is too much.
    #[inline]
    fn gathers(&mut self, scene: &Scene<'_>, shape: Shape, bounds: &Bounds, motion: I64Vec2) -> bool {
        if !scene.around.limit().covers(bounds) {
            return false;
        }
        if !self.covered.covers(bounds) {
            let range = bounds.cells();
            if range.count() > tolerance::GATHERED {
                return false;
            }
            let ahead = if self.is_kept { range.ahead(motion) } else { range };
            // A platform further on is not looked at before it has to be.
            let leads_on = ahead != range && scene.around.leads_to_platforms(&ahead.bounds(), &range.bounds());
            let range = if leads_on { range } else { ahead };
            if !is_loaded(scene, range) {
                return false;
            }
            self.gather(scene, shape, range);
        }
        true
    }

    #[inline(never)]
    fn is_clear_among(&mut self, scene: &Scene<'_>, shape: Shape, position: Position, motion: I64Vec2) -> bool {
        let bounds = Bounds::of(shape, position, motion);
        if self.find_empty(scene, &bounds) || self.find_clear(scene, shape, &bounds, motion) {
            return true;
        }
        self.reaches(scene, shape, &bounds, motion) && {
            let from = self.seen(position);
            let mut picked = self.picked();
            picked.all(|piece| {
                !piece.may_meet(shape, from, motion) && !piece.is_touched(shape, position + motion, from + motion)
            })
        }
    }

    /// The pieces picked last.
    #[inline(always)]
    pub(super) fn picked(&self) -> impl Iterator<Item = &Grown> {
        self.picked.iter()
    }

    /// How many steps back and forth from a centre a shape stays within bounds in which the pieces are
    /// known; `None` if it is not.
    pub(super) fn steps_within(
        &self,
        known: &Bounds,
        shape: Shape,
        center: I64Vec2,
        step: I64Vec2,
    ) -> Option<(i64, i64)> {
        let reach = shape.half_units() + tolerance::SPAN_ROOM;
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

    /// The pieces whose bounds a shape comes near on its way from one displacement of a centre to another, each with its
    /// number.
    pub(super) fn along(
        &self,
        center: I64Vec2,
        (from, to): (I64Vec2, I64Vec2),
        half: I64Vec2,
    ) -> impl Iterator<Item = (u32, &Surface)> {
        let (from, to) = (center + from, center + to);
        let reach = half + tolerance::SPAN_ROOM;
        let bounds = Bounds { low: from.min(to) - reach, high: from.max(to) + reach };
        let seen = Bounds { low: self.covered.low - self.corner, high: self.covered.high - self.corner };
        let query = Query::of(&bounds.within(&seen), I64Vec2::ZERO);
        let pieces = (0..).zip(self.keys.iter().zip(&self.pieces));
        pieces.filter(move |(_, (key, _))| query.meets(**key)).map(|(piece, (_, surface))| (piece, surface))
    }

    /// A place seen from the corner that the pieces count from.
    #[inline(always)]
    pub(super) fn seen(&self, position: Position) -> I64Vec2 {
        position.units() - self.corner
    }

    #[inline(never)]
    fn pick(&mut self, scene: &Scene<'_>, shape: Shape, bounds: Bounds, motion: I64Vec2) -> bool {
        if self.single || !self.gathers(scene, shape, &bounds, motion) {
            return false;
        }
        self.picked.clear();
        self.within = bounds;
        let query = Query::of(&self.within, self.corner);
        for (key, surface) in self.keys.iter().zip(&self.pieces) {
            if query.meets(*key) {
                self.picked.push(Grown::of(shape, surface, self.corner));
            }
        }
        if self.picked.len() == self.keys.len() {
            self.within = self.known(scene);
        } else if self.picked.is_empty() {
            self.clear = self.within;
        }
        true
    }

    /// Whether spans are looked for: only the next moves profit by them.
    pub(super) fn looks_for_spans(&self) -> bool {
        self.is_kept
    }

    /// Gathers what lies within bounds; if that is too much, nothing is known any more.
    pub(super) fn look(&mut self, scene: &Scene<'_>, shape: Shape, bounds: &Bounds) {
        if !self.reaches(scene, shape, bounds, I64Vec2::ZERO) {
            self.clear();
        }
    }

    /// Gathers the pieces around a place and on a way from there anew.
    pub(super) fn gather_around(&mut self, scene: &Scene<'_>, shape: Shape, position: Position, way: I64Vec2) {
        let range = CellRange::of(shape, position, way);
        let ahead = range.ahead(way);
        // Of a streamed world no more is loaded.
        let is_streamed = scene.around.terrain().terrain.is_streamed();
        let ahead = if is_streamed { ahead } else { ahead.ahead(way) };
        if range.count() <= tolerance::GATHERED && is_loaded(scene, ahead) {
            self.gather(scene, shape, ahead);
        }
    }

    /// Takes room for more than there mostly is, so that later steps do not allocate.
    #[inline(never)]
    fn make_room(&mut self) {
        self.keys.reserve(tolerance::KEPT);
        self.pieces.reserve(tolerance::KEPT);
        self.floor.reserve(tolerance::KEPT_TILES);
    }

    /// Gathers the pieces of a rectangle of cells.
    #[inline(never)]
    fn gather(&mut self, scene: &Scene<'_>, shape: Shape, range: CellRange) {
        self.covered = range.bounds();
        self.corner = range.corner();
        (self.span, self.clear, self.within) = (FloorSpan::NONE, Bounds::NONE, Bounds::NONE);
        self.keys.clear();
        self.pieces.clear();
        if self.is_kept && self.keys.capacity() == 0 {
            self.make_room();
        }
        let (corner, covered) = (self.corner, self.covered);
        let mut keep = |owner: Owner, at: I64Vec2, pieces: &[Piece]| {
            let cell = CellKey::of(at - corner);
            self.keys.extend(pieces.iter().map(|piece| cell.key(piece)));
            self.pieces.extend(pieces.iter().map(|piece| Surface { owner, at, piece: *piece }));
        };
        scene.around.terrain().each_shown(shape, range, &mut keep);
        if scene.around.keeps_terrain_alone() {
            return self.held.clear();
        }
        for platform in scene.around.platforms_within(&covered) {
            platform.each_shown(shape, platform.cells(&covered), &mut keep);
        }
        self.held.clear();
        self.held.extend(scene.around.held_within(&covered));
    }
}

/// Whether all chunks of some cells are there: nothing is kept of what stands for those that are not.
fn is_loaded(scene: &Scene<'_>, CellRange { low, high }: CellRange) -> bool {
    scene.around.terrain().terrain.first_missing(low, high).is_none()
}

#[cfg(test)]
impl Nearby {
    /// The first and the last of the cells whose pieces it has, if it has any.
    pub(crate) fn gathered(&self) -> Option<((i32, i32), (i32, i32))> {
        let CellRange { low, high } = self.covered.cells();
        (self.covered != Bounds::NONE).then_some((low, high))
    }

    /// Whether its pieces are those that a terrain has there.
    pub(crate) fn agrees(&self, scene: &Scene<'_>, shape: Shape) -> bool {
        let mut other = Nearby::new();
        other.gather(scene, shape, self.covered.cells());
        other.pieces == self.pieces
    }
}

/// A copy starts with nothing: what is near is found again, and is the same.
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

/// The bounds of a piece in lattice steps from a corner, four numbers of 16 bits: the upper ends of x and y as they are,
/// the lower ends negated, each with an offset that keeps it positive.
#[derive(Clone, Copy, Debug)]
struct Key(u64);

/// Bounds to compare with: added to a key, each of its numbers has its highest bit set exactly if that end is met.
#[derive(Clone, Copy, Debug)]
struct Query(u64);

const OFFSET: i64 = 0x2000;
const STEP_BITS: u32 = STEP.trailing_zeros();
const MET: u64 = 0x8000_8000_8000_8000;

/// What the keys of all pieces of a cell have in common.
#[derive(Clone, Copy, Debug)]
struct CellKey(u64);

impl CellKey {
    /// The base of the cell with its lower left corner there, seen from the corner that keys count from.
    #[inline]
    fn of(at: I64Vec2) -> CellKey {
        // Rounded outwards to lattice steps.
        let (low, high) = (at >> STEP_BITS, (at + (STEP - 1)) >> STEP_BITS);
        CellKey(packed([high.x + OFFSET, high.y + OFFSET, OFFSET - low.x, OFFSET - low.y]))
    }

    /// The bounds of a piece of the cell.
    #[inline]
    fn key(self, piece: &Piece) -> Key {
        let (low, high) = (piece.a.min(piece.b).as_i64vec2(), piece.a.max(piece.b).as_i64vec2());
        // The sum of packed numbers is the packed sums, as no sum is negative or too large, whatever is carried on the way.
        Key(self.0.wrapping_add(packed([high.x, high.y, -low.x, -low.y])))
    }
}

impl Key {
    /// The bounds of the piece, in units: at most a step too large.
    #[inline]
    fn bounds(self, corner: I64Vec2) -> Bounds {
        let number = |shift: u32| i64::from((self.0 >> shift) as u16) - OFFSET;
        let (high, low) = (I64Vec2::new(number(0), number(16)), -I64Vec2::new(number(32), number(48)));
        Bounds { low: corner + low * crate::terrain::STEP, high: corner + high * crate::terrain::STEP }
    }
}

impl Query {
    /// Bounds in units, rounded outwards to lattice steps.
    #[inline]
    fn of(bounds: &Bounds, corner: I64Vec2) -> Query {
        let (low, high) = (bounds.low - corner, bounds.high - corner);
        let rest = 0x8000 - OFFSET;
        Query(packed([
            rest - (low.x >> STEP_BITS),
            rest - (low.y >> STEP_BITS),
            rest + (high.x >> STEP_BITS) + 1,
            rest + (high.y >> STEP_BITS) + 1,
        ]))
    }

    #[inline]
    fn meets(self, key: Key) -> bool {
        (self.0 + key.0) & MET == MET
    }
}

/// Four numbers of 16 bits in one of 64. A rectangle of cells is far smaller than the offset, so none spills over.
#[inline]
fn packed(numbers: [i64; 4]) -> u64 {
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
            // A walk through small numbers with strides that share no factor.
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
            let key = CellKey::of(at(I8Vec2::ZERO) - corner).key(&piece);
            let quick = Query::of(&bounds, corner).meets(key);
            assert_eq!(key.bounds(corner), Bounds { low: first, high: second });
            assert!(quick || !meets, "{bounds:?} {piece:?} {cell:?}");
            // Rounded outwards by less than two steps.
            let wide = Bounds { low: bounds.low - 2 * step, high: bounds.high + 2 * step };
            let near = second.cmpge(wide.low).all() && first.cmple(wide.high).all();
            assert!(near || !quick, "{bounds:?} {piece:?} {cell:?}");
        }
    }
}
