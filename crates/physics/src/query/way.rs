use crate::motion::{Bounds, tolerance::SLAB_ROOM_UNITS};
use glam::I64Vec2;

/// A straight path of a point, or of a box around it, in units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StraightPath {
    pub(crate) from: I64Vec2,
    pub(crate) motion: I64Vec2,
    /// Half size of the box around the point.
    pub(crate) half: I64Vec2,
    /// The part of the path that is searched, as fractions of the motion.
    pub(crate) part: (f64, f64),
}

/// The cells near a path within some rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// Columns, both ends inclusive.
    pub(super) columns: (i64, i64),
    /// Lower bound of the time at which the part enters these rows, as a fraction of the motion.
    pub(super) enter: f64,
}

impl StraightPath {
    pub(crate) fn of_point(from: I64Vec2, motion: I64Vec2) -> StraightPath {
        StraightPath::of_box(from, motion, I64Vec2::ZERO)
    }

    pub(crate) fn of_box(from: I64Vec2, motion: I64Vec2, half: I64Vec2) -> StraightPath {
        StraightPath { from, motion, half, part: (0.0, 1.0) }
    }

    /// Returns the path seen from another origin.
    pub(super) fn relative_to(self, origin: I64Vec2) -> StraightPath {
        StraightPath { from: self.from - origin, ..self }
    }

    /// Returns the bounds of the path, with a margin.
    pub(super) fn bounds(&self) -> Bounds {
        let (low, high) = (self.from.min(self.from + self.motion), self.from.max(self.from + self.motion));
        let room = self.half + SLAB_ROOM_UNITS as i64;
        Bounds { low: low - room, high: high + room }
    }

    /// Returns whether the path leads to the right. A vertical path counts as such.
    pub(super) fn is_forward(&self) -> bool {
        self.motion.x >= 0
    }

    /// Returns the rows of cells with sides of 2^`shift` units near the part, both ends inclusive, in ascending order.
    pub(super) fn rows(&self, shift: u32) -> (i64, i64) {
        let (motion, room) = (self.motion.y as f64, self.half.y as f64 + SLAB_ROOM_UNITS);
        let (a, b) = (motion * self.part.0, motion * self.part.1);
        let (low, high) = ((a.min(b) - room) as i64, (a.max(b) + room) as i64);
        ((self.from.y + low) >> shift, (self.from.y + high) >> shift)
    }

    /// Returns the columns near the part within some rows, both ends inclusive. It never misses a column, and adds
    /// only few.
    ///
    /// Coordinates are relative to the start of the path. They are at most 2^43, so rounding in f64 is less than the
    /// margin.
    #[inline]
    pub(super) fn columns_within_rows(&self, (bottom, top): (i64, i64), shift: u32) -> Span {
        let (motion, room) = (self.motion.as_dvec2(), self.half.as_dvec2() + SLAB_ROOM_UNITS);
        let (enter, leave) = if self.motion.y == 0 {
            self.part
        } else {
            let low = ((bottom << shift) - self.from.y) as f64 - room.y;
            let high = (((top + 1) << shift) - self.from.y) as f64 + room.y;
            let (a, b) = (low / motion.y, high / motion.y);
            (a.min(b).clamp(self.part.0, self.part.1), a.max(b).clamp(self.part.0, self.part.1))
        };
        let (a, b) = (motion.x * enter, motion.x * leave);
        // The casts round towards 0. The margin in `room` is larger than this error. `floor` and `ceil` would be
        // slower: they are function calls on some machines.
        let left = self.from.x + (a.min(b) - room.x) as i64;
        let right = self.from.x + (a.max(b) + room.x) as i64;
        Span { columns: (left >> shift, right >> shift), enter }
    }

    /// Returns a lower bound of the time at which the path enters a column, as a fraction of the motion.
    #[inline]
    pub(super) fn column_entry_time(&self, column: i64, shift: u32) -> f64 {
        let room = self.half.x as f64 + SLAB_ROOM_UNITS;
        let near = if self.motion.x > 0 {
            ((column << shift) - self.from.x) as f64 - room
        } else if self.motion.x < 0 {
            (((column + 1) << shift) - self.from.x) as f64 + room
        } else {
            return 0.0;
        };
        near / self.motion.x as f64
    }

    /// Returns whether a condition holds for all tiles near the path. `is_true` receives rectangles of tiles, both
    /// corners inclusive.
    pub(crate) fn holds_for_all_chunks(&self, is_true: impl Fn((i32, i32), (i32, i32)) -> bool) -> bool {
        const SHIFT: u32 = 37;
        let (bottom, top) = self.rows(SHIFT);
        (bottom..=top).all(|row| {
            let (left, right) = self.columns_within_rows((row, row), SHIFT).columns;
            is_true(((left << 5) as i32, (row << 5) as i32), ((right << 5) as i32, (row << 5) as i32))
        })
    }
}
