//! Floor spans: stretches of straight floor with nothing else near. A walk on a span needs no collision queries.
//! Affects speed only.
//!
//! A span is proven, not guessed. Everywhere on it the shape touches the floor and nothing else. No other piece of
//! terrain comes within [`tolerance::SPAN_ROOM_UNITS`](super::tolerance::SPAN_ROOM_UNITS), which is more than
//! touching distance and all rounding. So an ordinary walk would hit nothing there and would end after a whole number
//! of tangent steps. The fast walk makes the same number of the same steps.
//!
//! A body's cache holds the pieces gathered in a rectangle of cells around the body. If a span ends only because that
//! rectangle ends, the walk gathers further and extends the span. If no span is known, such as after a landing, the
//! walk searches for one before it goes leg by leg.

use super::cast::Probe;
use super::grown::{InflatedPiece, piece_ends};
use super::nearby::Nearby;
use super::surface::Surface;
use super::visit::Bounds;
use super::walk::{WalkEnd, round_to_nearest, unit_vector};
use super::{Mover, Shape, Touch, tolerance};
use crate::terrain::Role;
use glam::{DVec2, I64Vec2};
use smallvec::{Array, SmallVec};
use surefoot_geometry::exact::tangent;
use surefoot_geometry::{ONE, Position};

/// A stretch of straight floor. Coordinates are relative to the corner of the rectangle of gathered cells.
///
/// A position on the span is given as the dot product of the shape's centre with the tangent.
#[derive(Clone, Copy, Debug)]
pub(super) struct FloorSpan {
    normal: I64Vec2,
    /// Direction to the right along the floor.
    tangent: I64Vec2,
    /// Length of the tangent, and the tangent scaled to length 1.
    length: f64,
    direction: DVec2,
    /// Squared length of the tangent: the change of the position on the span per step.
    stride: i64,
    /// Dot product of the centre with the normal, on the whole span.
    level: i64,
    /// Positions between which the shape stands on the floor and nothing else is near, both inclusive.
    free: (i64, i64),
    /// For each end of `free`: whether the span ends there only because the gathered pieces end.
    open: (bool, bool),
    /// Positions between which the shape touches the same tiles as at the last search.
    same: (i64, i64),
}

impl FloorSpan {
    /// An empty span, with no position on it.
    pub(super) const NONE: FloorSpan = FloorSpan {
        normal: I64Vec2::ZERO,
        tangent: I64Vec2::ZERO,
        length: 1.0,
        direction: DVec2::ZERO,
        stride: 1,
        level: -1,
        free: (0, -1),
        open: (false, false),
        same: (0, -1),
    };

    /// Returns whether the span is not empty.
    pub(super) fn is_known(&self) -> bool {
        self.free.0 <= self.free.1
    }

    /// Returns the bounds of the area that the span says to be free, relative to the corner of the gathered cells.
    pub(super) fn bounds(&self, shape: Shape) -> Option<Bounds> {
        let at = |along: i64| {
            let whole = self.normal.as_dvec2() * self.level as f64 + self.tangent.as_dvec2() * along as f64;
            (whole / self.stride as f64).as_i64vec2()
        };
        self.is_known().then(|| {
            let (from, to) = (at(self.free.0), at(self.free.1));
            // The span was found with a margin of `SPAN_ROOM_UNITS`. Promise only half of it: rounding in f64 is far
            // less than the other half.
            let reach = shape.half_units() + tolerance::SPAN_ROOM_UNITS / 2;
            Bounds { low: from.min(to) - reach, high: from.max(to) + reach }
        })
    }

    /// Returns whether a centre is on the line of the span, also beyond its ends.
    #[inline(always)]
    fn is_on_span_line(&self, center: I64Vec2) -> bool {
        self.normal.dot(center) == self.level
    }

    #[inline(always)]
    fn contains(&self, center: I64Vec2) -> bool {
        let along = self.tangent.dot(center);
        self.is_on_span_line(center) && self.free.0 <= along && along <= self.free.1
    }
}

/// A tile of a span's floor: the positions between which it is touched, and the index of its piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tile {
    start: i64,
    end: i64,
    piece: u32,
}

/// A walk that stays on a span.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FastWalk {
    pub(crate) displacement: I64Vec2,
    /// Unit direction to the right along the floor.
    direction: DVec2,
    /// Whether the touched tiles change during the walk.
    pub(crate) steps_over: bool,
    /// Start and end, as positions on the span.
    start: i64,
    end: i64,
}

impl Nearby {
    /// Returns whether a walk of that length reaches an end of the span at which only the gathered pieces end.
    #[inline]
    pub(super) fn walk_reaches_gathered_end(&self, position: Position, length: f64) -> bool {
        let open = if length.is_sign_negative() { self.span.open.0 } else { self.span.open.1 };
        open && length.abs() <= Mover::MAX_MOTION && self.span.contains(self.relative_position(position))
    }

    /// Forgets which tiles are touched, because the contacts are found by other means than the span.
    pub(crate) fn forget_touched_tiles(&mut self) {
        self.span.same = FloorSpan::NONE.same;
    }

    /// Returns the walk of `length` tiles, to the right if positive. `None` unless all of it is on the known span.
    #[inline(always)]
    pub(crate) fn find_fast_walk(&self, position: Position, length: f64) -> Option<FastWalk> {
        let (span, center) = (&self.span, self.relative_position(position));
        // A span is a few tiles long. A longer walk is not on it, and its steps might overflow.
        if !span.is_on_span_line(center) || length.abs() > Mover::MAX_MOTION {
            return None;
        }
        let steps = round_to_nearest(length.abs() * ONE as f64 / span.length);
        let steps = if length.is_sign_negative() { -steps } else { steps };
        let start = span.tangent.dot(center);
        let end = start + steps * span.stride;
        let (low, high) = (start.min(end), start.max(end));
        if low < span.free.0 || high > span.free.1 {
            return None;
        }
        let steps_over = steps != 0 && (low < span.same.0 || high > span.same.1);
        Some(FastWalk { displacement: span.tangent * steps, direction: span.direction, steps_over, start, end })
    }

    /// Returns how many more walks like `fast_walk` fit on the span while the touched tiles stay the same.
    #[inline]
    pub(crate) fn count_repeats(&self, fast_walk: &FastWalk) -> u32 {
        let FloorSpan { free, same, .. } = self.span;
        let steps = fast_walk.end - fast_walk.start;
        if steps == 0 || fast_walk.end < same.0 || fast_walk.end > same.1 {
            return 0;
        }
        let room = if steps > 0 { free.1.min(same.1) - fast_walk.end } else { fast_walk.end - free.0.max(same.0) };
        u32::try_from(room / steps.abs()).unwrap_or(u32::MAX)
    }

    /// Fills `surfaces` with the touched floor tiles at the end of a fast walk that changes them.
    #[inline(never)]
    pub(crate) fn fill_with_next_tiles<A: Array<Item = Surface>>(
        &mut self,
        fast_walk: &FastWalk,
        surfaces: &mut SmallVec<A>,
    ) {
        surfaces.clear();
        let along = fast_walk.end;
        let (mut low, mut high) = self.span.free;
        for &Tile { start, end, piece } in &self.floor {
            if along < start {
                high = high.min(start - 1);
            } else if along > end {
                low = low.max(end + 1);
            } else {
                (low, high) = (low.max(start), high.min(end));
                surfaces.extend(self.pieces.get(piece as usize).copied());
            }
        }
        self.span.same = (low, high);
    }
}

impl Probe<'_> {
    /// Returns the displacement and the end of a walk that needs no query because it stays on a span; `None` for other
    /// walks.
    #[inline(always)]
    pub(crate) fn find_cached_walk(
        &mut self,
        position: Position,
        length: f64,
        touch: &mut Touch<'_>,
    ) -> Option<(I64Vec2, WalkEnd)> {
        let fast_walk = self.near.find_fast_walk(position, length)?;
        if fast_walk.steps_over {
            self.near.fill_with_next_tiles(&fast_walk, touch.start_floor_refresh());
        }
        Some((fast_walk.displacement, WalkEnd::OnFloor(fast_walk.direction)))
    }

    /// Gathers the pieces again, further in the walk direction, and searches for the span there.
    #[inline(never)]
    pub(super) fn extend_span(&mut self, touched: &[Surface], position: Position, length: f64) {
        let displacement = self.near.span.tangent * (length * ONE as f64) as i64;
        self.near.gather_around_path(self.scene, self.shape, position, displacement);
        self.near.span = self
            .gather_floor_tiles_and_find_span(touched, self.near.relative_position(position))
            .unwrap_or(FloorSpan::NONE);
    }

    /// Searches for a span for a walk: at its start, or where the known span ends with the gathered pieces. Returns
    /// whether it found another span.
    #[inline(always)]
    pub(super) fn try_find_span(&mut self, touched: &[Surface], position: Position, length: f64) -> bool {
        if self.near.walk_reaches_gathered_end(position, length) {
            self.extend_span(touched, position, length);
            return true;
        }
        self.near.benefits_from_spans() && self.find_span(touched, position)
    }

    /// Searches for a span at a position that is not on the known one. Returns whether it found one.
    #[inline]
    pub(super) fn find_span(&mut self, touched: &[Surface], position: Position) -> bool {
        let center = self.near.relative_position(position);
        if self.near.span.contains(center) {
            return false;
        }
        self.near.span = self.gather_floor_tiles_and_find_span(touched, center).unwrap_or(FloorSpan::NONE);
        self.near.span.contains(center)
    }

    /// Returns the span on which a shape with its centre there stands. Its range `same` is still empty.
    #[inline(never)]
    fn gather_floor_tiles_and_find_span(&mut self, touched: &[Surface], center: I64Vec2) -> Option<FloorSpan> {
        let first = touched.first()?;
        let normal = first.piece.normal.as_i64vec2();
        let is_level =
            |surface: &Surface| surface.piece.role == Role::Face && surface.piece.normal == first.piece.normal;
        if !self.scene.frame.is_floor(normal) || !touched.iter().all(is_level) {
            return None;
        }
        let (shape, corner) = (self.shape, self.near.corner);
        let Nearby { pieces, floor: tiles, .. } = &mut *self.near;
        let line = line_offset_along_normal(first, corner);
        let tangent = tangent(normal);
        let stride = tangent.dot(tangent);
        let along = tangent.dot(center);
        tiles.clear();
        let mut is_known = false;
        for (piece, surface) in (0..).zip(&*pieces) {
            if is_face_on_line(surface, first, line, corner) {
                let (start, end) = InflatedPiece::new(shape, surface, corner).touch_range();
                is_known |= start <= along && along <= end;
                tiles.push(Tile { start, end, piece });
            }
        }
        if !is_known {
            return None;
        }
        // Extend the range of the floor tile by tile, as long as there is no gap. The tiles are sorted to the right
        // or to the left, so scan them in both orders.
        let (mut low, mut high) = (along, along);
        for tile in tiles.iter().chain(tiles.iter().rev()) {
            if tile.start <= high + 1 && tile.end >= low - 1 {
                (low, high) = (low.min(tile.start), high.max(tile.end));
            }
        }
        // Beyond the gathered pieces nothing is known, so the span ends there at the latest.
        let known = self.near.bounds_with_complete_pieces(self.scene);
        let (back, forth) = self.near.max_steps_within(&known, shape, center, tangent)?;
        let seen = (low.max(along - back * stride), high.min(along + forth * stride));
        // End the span where a piece that does not belong to its floor comes near the path.
        let mut free = seen;
        let direction = tangent.as_dvec2() / stride as f64;
        let way_to = |along_there: i64| tangent * ((along_there - along) / stride);
        let ends = (way_to(free.0) - tangent, way_to(free.1) + tangent);
        let mut tiles = self.near.floor.iter().map(|tile| tile.piece).peekable();
        for (piece, surface) in self.near.pieces_near_path(center, ends, shape.half_units()) {
            while tiles.next_if(|tile| *tile < piece).is_some() {}
            if tiles.peek() == Some(&piece) {
                continue;
            }
            match InflatedPiece::new(shape, surface, corner).path_interval_near_piece(shape, center, corner, direction)
            {
                Some((_, end)) if end < 0.0 => free.0 = free.0.max(along + end as i64 + 2),
                Some((start, _)) if start > 0.0 => free.1 = free.1.min(along + start as i64 - 2),
                Some(_) => return None,
                None => {}
            }
        }
        let direction = unit_vector(tangent);
        let length = tangent.as_dvec2().length();
        let level = normal.dot(center);
        // The span is open at an end where the gathered pieces end: gathering more pieces may extend it there.
        let open = (free.0 == seen.0 && seen.0 > low, free.1 == seen.1 && seen.1 < high);
        let span = FloorSpan { normal, tangent, length, direction, stride, level, free, open, same: (0, -1) };
        (free.0 <= along && along <= free.1).then_some(span)
    }
}

/// Returns the dot product of a face's line with its normal, seen from a corner.
#[inline]
fn line_offset_along_normal(face: &Surface, corner: I64Vec2) -> i64 {
    face.piece.normal.as_i64vec2().dot(piece_ends(face, corner)[0])
}

/// Returns whether `surface` is a face with the normal of `other`, on that line.
#[inline]
fn is_face_on_line(surface: &Surface, other: &Surface, line: i64, corner: I64Vec2) -> bool {
    surface.piece.normal == other.piece.normal
        && surface.piece.role == Role::Face
        && line_offset_along_normal(surface, corner) == line
}

/// An interval of a straight path, as multiples of the path's direction vector from its start.
pub(super) type Span = (f64, f64);

/// Returns the interval in which a value that grows at `rate` is within bounds.
pub(super) fn interval_within_bounds(value: f64, rate: f64, (low, high): (f64, f64)) -> Option<Span> {
    if rate == 0.0 {
        return (low <= value && value <= high).then_some((f64::NEG_INFINITY, f64::INFINITY));
    }
    let (a, b) = ((low - value) / rate, (high - value) / rate);
    Some(if a < b { (a, b) } else { (b, a) })
}
