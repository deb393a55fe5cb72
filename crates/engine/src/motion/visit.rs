//! Which cells a shape can meet, in an order that lets a long motion stop early.

use super::source::Source;
use super::{Shape, tolerance};
use crate::terrain::BakedCell;
use glam::I64Vec2;
use surefoot_geometry::exact::tolerance::TOUCH;
use surefoot_geometry::{ONE, Position};

/// What a moving shape can reach, in units: its bounds at both ends of the way and touching distance around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) low: I64Vec2,
    pub(crate) high: I64Vec2,
}

impl Bounds {
    /// Empty bounds: they cover nothing and meet nothing.
    pub(crate) const NONE: Bounds = Bounds { low: I64Vec2::MAX, high: I64Vec2::MIN };

    /// Bounds that cover everything.
    pub(crate) const ALL: Bounds = Bounds { low: I64Vec2::MIN, high: I64Vec2::MAX };

    #[inline(always)]
    pub(crate) fn of(shape: Shape, position: Position, motion: I64Vec2) -> Bounds {
        Bounds::around(position, motion, shape.half_units() + TOUCH)
    }

    /// Bounds of a motion that reaches so far around its way.
    #[inline(always)]
    pub(crate) fn around(position: Position, motion: I64Vec2, reach: I64Vec2) -> Bounds {
        let from = position.units();
        let to = from + motion;
        Bounds { low: from.min(to) - reach, high: from.max(to) + reach }
    }

    /// Whether other bounds lie within these.
    #[inline(always)]
    pub(crate) fn covers(&self, other: &Bounds) -> bool {
        self.low.x <= other.low.x
            && self.low.y <= other.low.y
            && other.high.x <= self.high.x
            && other.high.y <= self.high.y
    }

    /// These and what is so many units around them.
    #[inline]
    pub(crate) fn grown(&self, by: i64) -> Bounds {
        Bounds { low: self.low - by, high: self.high + by }
    }

    /// These and others, and what is between them.
    #[inline]
    pub(crate) fn with(&self, other: &Bounds) -> Bounds {
        Bounds { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// These, moved; empty ones stay empty.
    #[inline]
    pub(crate) fn moved(&self, by: I64Vec2) -> Bounds {
        if *self == Bounds::NONE { *self } else { Bounds { low: self.low + by, high: self.high + by } }
    }

    /// How far others are from these on the axis on which that is more, in units; not above 0 if they meet.
    #[inline]
    pub(crate) fn gap(&self, other: &Bounds) -> i64 {
        (other.low - self.high).max(self.low - other.high).max_element()
    }

    /// These without others, cut on the side on which most is left around some bounds within; `None` if those meet the others.
    #[inline]
    pub(crate) fn without(&self, other: &Bounds, within: &Bounds) -> Option<Bounds> {
        let mut left = *self;
        if self.meets(other) {
            let (above, below) = (other.low - within.high, within.low - other.high);
            let most = above.max(below).max_element();
            if most <= 0 {
                return None;
            }
            if above.x == most {
                left.high.x = other.low.x - 1;
            } else if below.x == most {
                left.low.x = other.high.x + 1;
            } else if above.y == most {
                left.high.y = other.low.y - 1;
            } else {
                left.low.y = other.high.y + 1;
            }
        }
        Some(left)
    }

    /// The part of these within others.
    #[inline]
    pub(crate) fn within(&self, other: &Bounds) -> Bounds {
        Bounds { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    pub(crate) fn meets(&self, other: &Bounds) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }

    /// Every cell whose closed square meets these.
    #[inline]
    pub(crate) fn cells(&self) -> CellRange {
        CellRange { low: (first(self.low.x), first(self.low.y)), high: (last(self.high.x), last(self.high.y)) }
    }
}

/// A rectangle of cells, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellRange {
    pub(crate) low: (i32, i32),
    pub(crate) high: (i32, i32),
}

impl CellRange {
    /// Every cell whose closed square comes within touching distance of a moving shape's bounds.
    #[inline]
    pub(crate) fn of(shape: Shape, position: Position, motion: I64Vec2) -> CellRange {
        Bounds::of(shape, position, motion).cells()
    }

    #[inline]
    pub(crate) fn count(&self) -> i64 {
        (i64::from(self.high.0 - self.low.0) + 1) * (i64::from(self.high.1 - self.low.1) + 1)
    }

    /// The bounds of what these cells are enough for: what lies inside their closed squares, by a unit.
    #[inline]
    pub(crate) fn bounds(&self) -> Bounds {
        let corner = |(x, y): (i32, i32), past: i64| I64Vec2::new(i64::from(x) + past, i64::from(y) + past) * ONE;
        Bounds { low: corner(self.low, 0) + 1, high: corner(self.high, 1) - 1 }
    }

    /// These and so many more on each side.
    pub(crate) fn grown(&self, by: i32) -> CellRange {
        CellRange { low: (self.low.0 - by, self.low.1 - by), high: (self.high.0 + by, self.high.1 + by) }
    }

    /// Their lower left corner, in units.
    pub(crate) fn corner(&self) -> I64Vec2 {
        I64Vec2::new(i64::from(self.low.0), i64::from(self.low.1)) * ONE
    }

    /// These cells with some more around them, most where the motion leads.
    pub(crate) fn ahead(&self, motion: I64Vec2) -> CellRange {
        let more = |motion: i64| {
            let far = i32::from(motion.abs() > tolerance::AHEAD_FROM) * tolerance::AHEAD;
            if motion < 0 { (far, 0) } else { (0, far) }
        };
        let (x, y) = (more(motion.x), more(motion.y));
        CellRange { low: (self.low.0 - x.0, self.low.1 - y.0), high: (self.high.0 + x.1, self.high.1 + y.1) }
    }
}

/// Visits every cell of a long motion's bounds that the shape comes near, up to where it is known to stop.
///
/// Slabs of cells across the longer axis, in the order in which the shape comes to them. `see` answers with the time of
/// the earliest contact known so far; what the shape reaches later is not visited.
pub(crate) fn visit_path(
    source: &Source<'_>,
    shape: Shape,
    position: Position,
    motion: I64Vec2,
    range: CellRange,
    mut see: impl FnMut((i32, i32), &BakedCell) -> Option<f64>,
) {
    let steep = motion.y.abs() > motion.x.abs();
    let turn = |v: I64Vec2| if steep { I64Vec2::new(v.y, v.x) } else { v };
    let (from, motion, half) = (turn(source.seen(position)), turn(motion), turn(shape.half_units()));
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
            known = see(cell, source.terrain.cell(cell.0, cell.1));
        }
    }
}

/// Visits the cells that are shown and that the shape comes near on a short motion, row by row.
///
/// `shown` is what [`Terrain::shown`](crate::terrain::Terrain::shown) says of the motion's cells.
#[inline(always)]
pub(crate) fn visit_rows(
    source: &Source<'_>,
    shape: Shape,
    position: Position,
    motion: I64Vec2,
    (range, mut shown): (CellRange, u64),
    mut see: impl FnMut((i32, i32), &BakedCell),
) {
    let columns = (range.high.0 - range.low.0 + 1) as u32;
    let half_cell = ONE / 2;
    let way = motion.as_dvec2();
    let reach = (shape.half_units() + half_cell).as_dvec2() + tolerance::SLAB_ROOM;
    // How far aside of the straight way a cell's middle is, times the way's length: at most that much if the two squares,
    // of the shape's bounds and of the cell, come to meet. What f64 loses of it is less than the room times that length.
    let most = reach.x * way.y.abs() + reach.y * way.x.abs();
    let aside = (source.seen(position) - range.corner() - half_cell).as_dvec2().perp_dot(way);
    let step = way * ONE as f64;
    while shown != 0 {
        let bit = shown.trailing_zeros();
        shown &= shown - 1;
        let (column, row) = (bit % columns, bit / columns);
        let aside = aside - f64::from(column) * step.y + f64::from(row) * step.x;
        if aside.abs() <= most {
            let cell = (range.low.0 + column as i32, range.low.1 + row as i32);
            see(cell, source.terrain.cell(cell.0, cell.1));
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
