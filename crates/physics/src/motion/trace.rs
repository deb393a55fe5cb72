//! Recording of the straight parts of a move, while the move is made.

use glam::I64Vec2;
use surefoot_geometry::Position;

/// Receives the straight parts of a move with their times. [`Untraced`] is for moves that are not recorded, and
/// compiles to nothing.
pub(crate) trait Trace: Copy {
    /// Whether the parts are recorded. If so, no shortcut skips a part.
    const RECORDS: bool;

    /// Returns the trace for a part of the move that begins at the time `begin` and ends with the move.
    fn starting_at(self, begin: f64) -> Self;

    /// Records a straight part. `time` returns its begin and end as fractions of the move.
    fn record(self, from: Position, motion: I64Vec2, time: impl FnOnce() -> (f64, f64));
}

/// A move that is not recorded.
#[derive(Clone, Copy)]
pub(crate) struct Untraced;

impl Trace for Untraced {
    const RECORDS: bool = false;

    #[inline(always)]
    fn starting_at(self, _begin: f64) -> Untraced {
        self
    }

    #[inline(always)]
    fn record(self, _from: Position, _way: I64Vec2, _time: impl FnOnce() -> (f64, f64)) {}
}
