use crate::motion::{Bounds, tolerance::SLAB_ROOM};
use glam::I64Vec2;

/// A straight way of a point or of a box around it, in units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) from: I64Vec2,
    pub(crate) motion: I64Vec2,
    /// How far it reaches around the point.
    pub(crate) half: I64Vec2,
    /// The part of it that is looked at, as fractions of the motion.
    pub(crate) part: (f64, f64),
}

/// What a way comes near within some rows of cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// The columns, both ends included.
    pub(super) columns: (i64, i64),
    /// Not after the part of the way comes to these rows, as a fraction of its motion.
    pub(super) enter: f64,
}

impl Way {
    pub(crate) fn of_point(from: I64Vec2, motion: I64Vec2) -> Way {
        Way::of_box(from, motion, I64Vec2::ZERO)
    }

    pub(crate) fn of_box(from: I64Vec2, motion: I64Vec2, half: I64Vec2) -> Way {
        Way { from, motion, half, part: (0.0, 1.0) }
    }

    /// Seen from another origin.
    pub(super) fn seen_from(self, origin: I64Vec2) -> Way {
        Way { from: self.from - origin, ..self }
    }

    /// What it reaches, with some room around it.
    pub(super) fn bounds(&self) -> Bounds {
        let (low, high) = (self.from.min(self.from + self.motion), self.from.max(self.from + self.motion));
        let room = self.half + SLAB_ROOM as i64;
        Bounds { low: low - room, high: high + room }
    }

    /// Whether it leads to the right; a way straight up counts as one.
    pub(super) fn is_forward(&self) -> bool {
        self.motion.x >= 0
    }

    /// The rows of cells of 2 to the power of `shift` units that its part comes near, both ends included, in ascending order.
    pub(super) fn rows(&self, shift: u32) -> (i64, i64) {
        let (motion, room) = (self.motion.y as f64, self.half.y as f64 + SLAB_ROOM);
        let (a, b) = (motion * self.part.0, motion * self.part.1);
        let (low, high) = ((a.min(b) - room) as i64, (a.max(b) + room) as i64);
        ((self.from.y + low) >> shift, (self.from.y + high) >> shift)
    }

    /// What its part comes near within some rows, both ends included: no less, and little more.
    ///
    /// Coordinates are relative to where the way begins. They are at most 2^43, so f64 is off by less than the room.
    #[inline]
    pub(super) fn span(&self, (bottom, top): (i64, i64), shift: u32) -> Span {
        let (motion, room) = (self.motion.as_dvec2(), self.half.as_dvec2() + SLAB_ROOM);
        let (enter, leave) = if self.motion.y == 0 {
            self.part
        } else {
            let low = ((bottom << shift) - self.from.y) as f64 - room.y;
            let high = (((top + 1) << shift) - self.from.y) as f64 + room.y;
            let (a, b) = (low / motion.y, high / motion.y);
            (a.min(b).clamp(self.part.0, self.part.1), a.max(b).clamp(self.part.0, self.part.1))
        };
        let (a, b) = (motion.x * enter, motion.x * leave);
        // Cut to whole units, for which there is room: rounding down and up is a call on some machines.
        let left = self.from.x + (a.min(b) - room.x) as i64;
        let right = self.from.x + (a.max(b) + room.x) as i64;
        Span { columns: (left >> shift, right >> shift), enter }
    }

    /// Not after it comes to a column, as a fraction of its motion.
    #[inline]
    pub(super) fn enters(&self, column: i64, shift: u32) -> f64 {
        let room = self.half.x as f64 + SLAB_ROOM;
        let near = if self.motion.x > 0 {
            ((column << shift) - self.from.x) as f64 - room
        } else if self.motion.x < 0 {
            (((column + 1) << shift) - self.from.x) as f64 + room
        } else {
            return 0.0;
        };
        near / self.motion.x as f64
    }

    /// Whether something is true of all the tiles that it comes near, told as rectangles of tiles with both corners included.
    pub(crate) fn each_chunk(&self, is_true: impl Fn((i32, i32), (i32, i32)) -> bool) -> bool {
        const SHIFT: u32 = 37;
        let (bottom, top) = self.rows(SHIFT);
        (bottom..=top).all(|row| {
            let (left, right) = self.span((row, row), SHIFT).columns;
            is_true(((left << 5) as i32, (row << 5) as i32), ((right << 5) as i32, (row << 5) as i32))
        })
    }
}
