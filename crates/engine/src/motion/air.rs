use super::visit::Bounds;
use super::{Shape, tolerance};
use glam::I64Vec2;
use surefoot_geometry::exact::tolerance::TOUCH;

/// Where the centre of a shape can be for nothing to be within its reach: a rectangle.
///
/// A motion from one place in it to another meets nothing on its way, and nothing is touched at its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Air {
    /// The lower left corner, in units.
    low: I64Vec2,
    /// Width and height, in steps of 2^[`tolerance::AIR_STEP`] units.
    room: (u32, u32),
}

impl Air {
    /// A rectangle without a place in it.
    pub(crate) const NONE: Air = Air { low: I64Vec2::ZERO, room: (0, 0) };

    /// The places at which a shape's reach is within bounds in which there is nothing, and its centre within a map's.
    pub(super) fn of(clear: &Bounds, shape: Shape, map: &Bounds) -> Air {
        let reach = shape.half_units() + TOUCH;
        let Bounds { low, high } = Bounds { low: clear.low + reach, high: clear.high - reach }.within(map);
        if low.cmpgt(high).any() {
            return Air::NONE;
        }
        let steps = |low: i64, high: i64| u32::try_from((high - low) >> tolerance::AIR_STEP).unwrap_or(u32::MAX);
        Air { low, room: (steps(low.x, high.x), steps(low.y, high.y)) }
    }

    /// The places of these at which a shape's reach is within bounds.
    pub(crate) fn within(&self, bounds: &Bounds, shape: Shape) -> Air {
        let room = I64Vec2::new(self.room.0.into(), self.room.1.into()) << tolerance::AIR_STEP;
        Air::of(bounds, shape, &Bounds { low: self.low, high: self.low + room })
    }

    #[inline(always)]
    pub(crate) fn is_none(&self) -> bool {
        self.room.0 == 0
    }

    /// Whether the rectangle holds a place, in units.
    #[inline(always)]
    pub(crate) fn holds(&self, units: I64Vec2) -> bool {
        // A place below wraps round to a very large number.
        let steps = |at: i64, low: i64| (at.wrapping_sub(low) as u64) >> tolerance::AIR_STEP;
        steps(units.x, self.low.x) < u64::from(self.room.0) && steps(units.y, self.low.y) < u64::from(self.room.1)
    }
}
