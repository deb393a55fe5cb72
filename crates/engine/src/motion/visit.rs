//! Which cells a shape can meet, in an order that lets a long motion stop early.

use super::{Shape, tolerance};
use crate::terrain::{BakedCell, Terrain};
use glam::I64Vec2;
use surefoot_geometry::Place;
use surefoot_geometry::tolerance::TOUCH;

/// A rectangle of cells, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellRange {
    pub(crate) low: (i32, i32),
    pub(crate) high: (i32, i32),
}

impl CellRange {
    /// No cells at all.
    pub(crate) const NONE: CellRange = CellRange { low: (0, 0), high: (-1, -1) };

    /// Every cell whose closed square comes within touching distance of a moving shape's bounds.
    #[inline]
    pub(crate) fn of(shape: Shape, place: Place, motion: I64Vec2) -> CellRange {
        let reach = shape.half() + TOUCH;
        let from = place.units();
        let to = from + motion;
        let (low, high) = (from.min(to) - reach, from.max(to) + reach);
        CellRange { low: (first(low.x), first(low.y)), high: (last(high.x), last(high.y)) }
    }

    #[inline]
    pub(crate) fn count(&self) -> i64 {
        (i64::from(self.high.0 - self.low.0) + 1) * (i64::from(self.high.1 - self.low.1) + 1)
    }

    #[inline]
    pub(crate) fn contains(&self, other: &CellRange) -> bool {
        self.low.0 <= other.low.0
            && self.low.1 <= other.low.1
            && other.high.0 <= self.high.0
            && other.high.1 <= self.high.1
    }
}

/// Visits every cell of a long motion's bounds that the shape comes near, up to where it is known to stop.
///
/// Slabs of cells across the longer axis, in the order in which the shape comes to them. `see` answers with the time of
/// the earliest contact known so far; what the shape reaches later is not visited.
pub(crate) fn visit_path(
    terrain: &Terrain,
    shape: Shape,
    place: Place,
    motion: I64Vec2,
    range: CellRange,
    mut see: impl FnMut((i32, i32), &BakedCell) -> Option<f64>,
) {
    let steep = motion.y.abs() > motion.x.abs();
    let turn = |v: I64Vec2| if steep { I64Vec2::new(v.y, v.x) } else { v };
    let (from, motion, half) = (turn(place.units()), turn(motion), turn(shape.half()));
    let CellRange { low, high } = range;
    let (low, high) = if steep { ((low.1, low.0), (high.1, high.0)) } else { (low, high) };
    let forward = motion.x >= 0;
    let mut known: Option<f64> = None;
    for step in 0..=(high.0 - low.0) {
        let slab = if forward { low.0 + step } else { high.0 - step };
        let (enter, leave) = slab_times(slab, from.x, motion.x, half.x);
        if known.is_some_and(|known| known < enter) {
            return;
        }
        let (a, b) = (motion.y as f64 * enter, motion.y as f64 * leave);
        let room = half.y as f64 + tolerance::SLAB_ROOM;
        let bottom = first(from.y + (a.min(b) - room).floor() as i64).max(low.1);
        let top = last(from.y + (a.max(b) + room).ceil() as i64).min(high.1);
        for across in bottom..=top {
            let cell = if steep { (across, slab) } else { (slab, across) };
            known = see(cell, terrain.cell(cell.0, cell.1));
        }
    }
}

/// When a shape enters and leaves a slab of cells, as fractions of its motion within [0, 1], with some room.
fn slab_times(slab: i32, from: i64, motion: i64, half: i64) -> (f64, f64) {
    if motion == 0 {
        return (0.0, 1.0);
    }
    let near = ((i64::from(slab) << 32) - from - half) as f64 - tolerance::SLAB_ROOM;
    let far = (((i64::from(slab) + 1) << 32) - from + half) as f64 + tolerance::SLAB_ROOM;
    let (a, b) = (near / motion as f64, far / motion as f64);
    (a.min(b).clamp(0.0, 1.0), a.max(b).clamp(0.0, 1.0))
}

/// The first cell whose closed square reaches up to a coordinate.
#[inline]
fn first(units: i64) -> i32 {
    ((units - 1) >> 32) as i32
}

/// The last cell whose closed square reaches down to a coordinate.
#[inline]
fn last(units: i64) -> i32 {
    (units >> 32) as i32
}
