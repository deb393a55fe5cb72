use super::visit::Bounds;
use super::{Shape, tolerance};
use glam::I64Vec2;
use surefoot_geometry::exact::tolerance::TOUCH;

/// A rectangle of centre positions at which the shape touches nothing.
///
/// A motion from one position in the rectangle to another hits nothing on its path and touches nothing at its end.
/// Cache: does not affect results.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Air {
    /// Lower left corner, in units.
    low: I64Vec2,
    /// Width and height, in steps of 2^[`tolerance::AIR_STEP_SHIFT`] units.
    size: (u32, u32),
}

impl Air {
    /// An empty rectangle.
    pub(crate) const NONE: Air = Air { low: I64Vec2::ZERO, size: (0, 0) };

    /// Returns the centres at which the shape touches nothing. `clear` is known to contain no piece of terrain; the
    /// centres stay in the bounds of the map.
    pub(super) fn from_clear_bounds(clear: &Bounds, shape: Shape, map: &Bounds) -> Air {
        let reach = shape.half_units() + TOUCH;
        let Bounds { low, high } = Bounds { low: clear.low + reach, high: clear.high - reach }.intersection(map);
        if low.cmpgt(high).any() {
            return Air::NONE;
        }
        let steps = |low: i64, high: i64| u32::try_from((high - low) >> tolerance::AIR_STEP_SHIFT).unwrap_or(u32::MAX);
        Air { low, size: (steps(low.x, high.x), steps(low.y, high.y)) }
    }

    /// Returns the part of this rectangle in which the shape stays inside `bounds`.
    pub(crate) fn limited_to(&self, bounds: &Bounds, shape: Shape) -> Air {
        let room = I64Vec2::new(self.size.0.into(), self.size.1.into()) << tolerance::AIR_STEP_SHIFT;
        Air::from_clear_bounds(bounds, shape, &Bounds { low: self.low, high: self.low + room })
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.size.0 == 0
    }

    /// Returns whether the rectangle contains a position, in units.
    #[inline(always)]
    pub(crate) fn contains(&self, units: I64Vec2) -> bool {
        // For a position below the rectangle, the difference wraps round to a very large number, so it is not inside.
        let steps = |at: i64, low: i64| (at.wrapping_sub(low) as u64) >> tolerance::AIR_STEP_SHIFT;
        steps(units.x, self.low.x) < u64::from(self.size.0) && steps(units.y, self.low.y) < u64::from(self.size.1)
    }
}
