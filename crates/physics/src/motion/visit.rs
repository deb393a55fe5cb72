//! Cell traversal: the cells that a moving shape can reach, in an order in which a long motion can stop early.

use super::source::Source;
use super::{Shape, tolerance};
use crate::terrain::BakedCell;
use glam::I64Vec2;
use surefoot_geometry::exact::tolerance::TOUCH;
use surefoot_geometry::{ONE, Position};

/// Bounds that a moving shape can reach, in units: at both ends of its path, plus touching distance.
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
    pub(crate) fn of_motion(shape: Shape, position: Position, motion: I64Vec2) -> Bounds {
        Bounds::around_motion(position, motion, shape.half_units() + TOUCH)
    }

    /// Returns the bounds of a motion that extends by `reach` around its path.
    #[inline(always)]
    pub(crate) fn around_motion(position: Position, motion: I64Vec2, reach: I64Vec2) -> Bounds {
        let from = position.units();
        let to = from + motion;
        Bounds { low: from.min(to) - reach, high: from.max(to) + reach }
    }

    /// Returns whether other bounds lie within these.
    #[inline(always)]
    pub(crate) fn covers(&self, other: &Bounds) -> bool {
        self.low.x <= other.low.x
            && self.low.y <= other.low.y
            && other.high.x <= self.high.x
            && other.high.y <= self.high.y
    }

    /// Returns these bounds, extended by `by` units on each side.
    #[inline]
    pub(crate) fn grown(&self, by: i64) -> Bounds {
        Bounds { low: self.low - by, high: self.high + by }
    }

    /// Returns the smallest bounds that contain both.
    #[inline]
    pub(crate) fn union(&self, other: &Bounds) -> Bounds {
        Bounds { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Returns these bounds, moved. Empty bounds stay empty.
    #[inline]
    pub(crate) fn moved(&self, by: I64Vec2) -> Bounds {
        if *self == Bounds::NONE { *self } else { Bounds { low: self.low + by, high: self.high + by } }
    }

    /// Returns the distance between two bounds on the axis on which it is larger, in units. At most 0 if they meet.
    #[inline]
    pub(crate) fn gap(&self, other: &Bounds) -> i64 {
        (other.low - self.high).max(self.low - other.high).max_element()
    }

    /// Returns these bounds without `other`, cut on the side that leaves the most room around `within`. `None` if
    /// `within` meets `other`.
    #[inline]
    pub(crate) fn part_without(&self, other: &Bounds, within: &Bounds) -> Option<Bounds> {
        let mut rest = *self;
        if self.intersects(other) {
            let (above, below) = (other.low - within.high, within.low - other.high);
            let most = above.max(below).max_element();
            if most <= 0 {
                return None;
            }
            if above.x == most {
                rest.high.x = other.low.x - 1;
            } else if below.x == most {
                rest.low.x = other.high.x + 1;
            } else if above.y == most {
                rest.high.y = other.low.y - 1;
            } else {
                rest.low.y = other.high.y + 1;
            }
        }
        Some(rest)
    }

    /// Returns the intersection of both bounds.
    #[inline]
    pub(crate) fn intersection(&self, other: &Bounds) -> Bounds {
        Bounds { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    pub(crate) fn intersects(&self, other: &Bounds) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }

    /// Returns every cell whose closed square meets these bounds.
    #[inline]
    pub(crate) fn cells(&self) -> CellRange {
        CellRange {
            low: (lowest_cell_touching(self.low.x), lowest_cell_touching(self.low.y)),
            high: (highest_cell_touching(self.high.x), highest_cell_touching(self.high.y)),
        }
    }
}

/// A rectangle of cells, both ends inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellRange {
    pub(crate) low: (i32, i32),
    pub(crate) high: (i32, i32),
}

impl CellRange {
    /// Returns every cell whose closed square is within touching distance of a moving shape's bounds.
    #[inline]
    pub(crate) fn of_motion(shape: Shape, position: Position, motion: I64Vec2) -> CellRange {
        Bounds::of_motion(shape, position, motion).cells()
    }

    #[inline]
    pub(crate) fn cell_count(&self) -> i64 {
        (i64::from(self.high.0 - self.low.0) + 1) * (i64::from(self.high.1 - self.low.1) + 1)
    }

    /// Returns the bounds that these cells cover completely: the inside of their closed squares, smaller by one unit.
    #[inline]
    pub(crate) fn bounds(&self) -> Bounds {
        let corner = |(x, y): (i32, i32), past: i64| I64Vec2::new(i64::from(x) + past, i64::from(y) + past) * ONE;
        Bounds { low: corner(self.low, 0) + 1, high: corner(self.high, 1) - 1 }
    }

    /// Returns these cells and `by` more on each side.
    pub(crate) fn grown(&self, by: i32) -> CellRange {
        CellRange { low: (self.low.0 - by, self.low.1 - by), high: (self.high.0 + by, self.high.1 + by) }
    }

    /// Returns the lower left corner, in units.
    pub(crate) fn corner(&self) -> I64Vec2 {
        I64Vec2::new(i64::from(self.low.0), i64::from(self.low.1)) * ONE
    }

    /// Returns these cells and some more around them, most of them in the direction of motion.
    pub(crate) fn extended_ahead(&self, motion: I64Vec2) -> CellRange {
        let more = |motion: i64| {
            let far = i32::from(motion.abs() > tolerance::MIN_AHEAD_MOTION_UNITS) * tolerance::AHEAD_CELLS;
            if motion < 0 { (far, 0) } else { (0, far) }
        };
        let (x, y) = (more(motion.x), more(motion.y));
        CellRange { low: (self.low.0 - x.0, self.low.1 - y.0), high: (self.high.0 + x.1, self.high.1 + y.1) }
    }
}

/// Visits every cell near the path of a long motion, up to the known hit.
/// Goes through slabs of cells across the longer axis, in the order in which the shape reaches them. `see` returns
/// the time of the earliest contact known so far. Cells that the shape reaches later are not visited.
pub(crate) fn visit_cells_along_path(
    source: &Source<'_>,
    shape: Shape,
    position: Position,
    motion: I64Vec2,
    range: CellRange,
    mut see: impl FnMut((i32, i32), &BakedCell) -> Option<f64>,
) {
    let steep = motion.y.abs() > motion.x.abs();
    let turn = |v: I64Vec2| if steep { I64Vec2::new(v.y, v.x) } else { v };
    let (from, motion, half) = (turn(source.relative_position(position)), turn(motion), turn(shape.half_units()));
    let CellRange { low, high } = range;
    let (low, high) = if steep { ((low.1, low.0), (high.1, high.0)) } else { (low, high) };
    let forward = motion.x >= 0;
    let mut known: Option<f64> = None;
    for step in 0..=(high.0 - low.0) {
        let slab = if forward { low.0 + step } else { high.0 - step };
        let (enter, leave) = enter_and_leave_times_of_slab(slab, from.x, motion.x, half.x);
        if known.is_some_and(|known| known < enter) {
            return;
        }
        let (a, b) = (motion.y as f64 * enter, motion.y as f64 * leave);
        let room = half.y as f64 + tolerance::SLAB_ROOM_UNITS;
        let bottom = lowest_cell_touching(from.y + (a.min(b) - room).floor() as i64).max(low.1);
        let top = highest_cell_touching(from.y + (a.max(b) + room).ceil() as i64).min(high.1);
        for across in bottom..=top {
            let cell = if steep { (across, slab) } else { (slab, across) };
            known = see(cell, source.terrain.cell(cell.0, cell.1));
        }
    }
}

/// Visits the cells with pieces near the path of a short motion, row by row.
///
/// `shown` is the result of
/// [`Terrain::bits_of_rectangle_with_pieces`](crate::terrain::Terrain::bits_of_rectangle_with_pieces) for the motion's
/// cells.
#[inline(always)]
pub(crate) fn visit_cells_by_rows(
    source: &Source<'_>,
    shape: Shape,
    position: Position,
    motion: I64Vec2,
    (range, mut shown): (CellRange, u64),
    mut see: impl FnMut((i32, i32), &BakedCell),
) {
    let columns = (range.high.0 - range.low.0 + 1) as u32;
    let half_cell = ONE / 2;
    let path = motion.as_dvec2();
    let reach = (shape.half_units() + half_cell).as_dvec2() + tolerance::SLAB_ROOM_UNITS;
    // Separating-axis test along the path's normal. If the shape's bounds meet a cell on the path, the sideways
    // distance from the path to the cell's middle, times the path length, is at most `most`. The margin covers f64
    // rounding.
    let most = reach.x * path.y.abs() + reach.y * path.x.abs();
    let aside = (source.relative_position(position) - range.corner() - half_cell).as_dvec2().perp_dot(path);
    let step = path * ONE as f64;
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

/// Returns when a shape enters and leaves a slab of cells, as fractions of its motion within [0, 1], with a margin.
fn enter_and_leave_times_of_slab(slab: i32, from: i64, motion: i64, half: i64) -> (f64, f64) {
    if motion == 0 {
        return (0.0, 1.0);
    }
    let near = ((i64::from(slab) << 32) - from - half) as f64 - tolerance::SLAB_ROOM_UNITS;
    let far = (((i64::from(slab) + 1) << 32) - from + half) as f64 + tolerance::SLAB_ROOM_UNITS;
    let (a, b) = (near / motion as f64, far / motion as f64);
    (a.min(b).clamp(0.0, 1.0), a.max(b).clamp(0.0, 1.0))
}

/// Returns the first cell whose closed square reaches up to a coordinate.
#[inline]
fn lowest_cell_touching(units: i64) -> i32 {
    ((units - 1) >> 32) as i32
}

/// Returns the last cell whose closed square reaches down to a coordinate.
#[inline]
fn highest_cell_touching(units: i64) -> i32 {
    (units >> 32) as i32
}
