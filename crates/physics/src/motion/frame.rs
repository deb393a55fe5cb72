use super::surface::Surface;
use crate::told::debug_is_display;
use glam::{DVec2, I64Vec2};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use surefoot_geometry::Position;
pub use surefoot_tiles::Up;
use thiserror::Error;

/// Returns whether two directions of up are opposite.
pub(crate) fn are_opposite(one: Up, other: Up) -> bool {
    one.direction() == -other.direction()
}

/// Converts a vector between a world with the up direction `from` and a body with the up direction `to`. The
/// components along up and along right stay the same. Opposite ups share one direction of right.
pub(crate) fn turn_vector_to_up(v: DVec2, from: Up, to: Up) -> DVec2 {
    if from == to {
        return v;
    }
    let (up, right) = (from.direction().as_dvec2(), from.right().as_dvec2());
    let right_of_body = if are_opposite(from, to) { right } else { to.right().as_dvec2() };
    right_of_body * v.dot(right) + to.direction().as_dvec2() * v.dot(up) + DVec2::ZERO
}

/// Steepest slope that counts as floor, as rise over run. Default: 1 over 1, 45 degrees.
///
/// A slope of exactly the limit is a floor. A steeper slope is a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "(u16, u16)", into = "(u16, u16)"))]
pub struct SlopeLimit {
    rise: u16,
    run: u16,
}

/// Error for a slope limit whose run is 0.
#[derive(Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "the slope limit has rise {rise} and run {run}; expected a run of at least 1, such as rise 1 and run 1 for 45 degrees"
)]
pub struct SlopeLimitError {
    /// The rise passed to [`SlopeLimit::new`], together with the refused run.
    pub rise: u16,
    /// The run passed to [`SlopeLimit::new`]. It is 0, which is refused.
    pub run: u16,
}

debug_is_display!(SlopeLimitError);

impl SlopeLimit {
    /// Slope limit of 45 degrees: rise 1 over run 1. This is the default.
    pub const ONE_TO_ONE: SlopeLimit = SlopeLimit { rise: 1, run: 1 };

    /// Creates a limit of `rise` over `run`: `new(1, 2)` allows slopes that rise 1 tile over 2 tiles.
    ///
    /// With a `rise` of 0, only flat ground is floor.
    ///
    /// # Errors
    /// Returns a [`SlopeLimitError`] if `run` is 0.
    pub const fn new(rise: u16, run: u16) -> Result<SlopeLimit, SlopeLimitError> {
        if run == 0 { Err(SlopeLimitError { rise, run }) } else { Ok(SlopeLimit { rise, run }) }
    }
}

impl Default for SlopeLimit {
    fn default() -> SlopeLimit {
        SlopeLimit::ONE_TO_ONE
    }
}

impl TryFrom<(u16, u16)> for SlopeLimit {
    type Error = SlopeLimitError;

    fn try_from((rise, run): (u16, u16)) -> Result<SlopeLimit, SlopeLimitError> {
        SlopeLimit::new(rise, run)
    }
}

impl From<SlopeLimit> for (u16, u16) {
    fn from(limit: SlopeLimit) -> (u16, u16) {
        (limit.rise, limit.run)
    }
}

/// Kind of a surface that a shape touches or hits: floor, wall or ceiling, relative to the up direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum Side {
    /// A floor: flat, or a slope at most as steep as the maximum floor slope of the world or mover.
    Floor,
    /// A wall to the left of the shape, or a slope there that is too steep to stand on.
    WallLeft,
    /// A wall to the right of the shape, or a slope there that is too steep to stand on.
    WallRight,
    /// A ceiling: any surface that faces down, flat or slanted.
    Ceiling,
}

impl Side {
    /// Returns the same side, with left and right exchanged if `is_swapped`.
    pub(crate) fn swapped_if(self, is_swapped: bool) -> Side {
        match self {
            Side::WallLeft if is_swapped => Side::WallRight,
            Side::WallRight if is_swapped => Side::WallLeft,
            side => side,
        }
    }
}

/// Which surfaces are floors: the direction of up, and the steepest slope that counts as a floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// Direction of up.
    axis: I64Vec2,
    /// Steepest floor.
    limit: SlopeLimit,
}

impl Default for Frame {
    fn default() -> Frame {
        Frame::new(Up::default(), SlopeLimit::default())
    }
}

impl Frame {
    pub(crate) fn new(up: Up, limit: SlopeLimit) -> Frame {
        Frame { axis: up.direction(), limit }
    }

    /// Returns this frame with another up direction.
    #[inline]
    pub(crate) fn with_up(self, up: Up) -> Frame {
        Frame::new(up, self.limit)
    }

    /// Returns this frame with another steepest floor.
    pub(crate) fn with_slope_limit(self, limit: SlopeLimit) -> Frame {
        Frame { limit, ..self }
    }

    /// Direction of up, of length 1.
    #[inline]
    pub(crate) fn up_axis(&self) -> I64Vec2 {
        self.axis
    }

    /// Returns whether a surface with that outward normal (of any length) is a floor, a wall or a ceiling.
    ///
    /// Up to the slope limit, a surface that faces up is a floor and one that faces down is a ceiling. A steeper
    /// surface is a wall. The decision is exact, in integers.
    #[must_use]
    #[inline]
    pub(crate) fn side(&self, normal: I64Vec2) -> Side {
        let (rises, leans) = self.components_up_and_right(normal);
        let (rise, run) = (i64::from(self.limit.rise), i64::from(self.limit.run));
        if rises > 0 && leans.abs() * run <= rises * rise {
            Side::Floor
        } else if rises < 0 && leans.abs() * run <= -rises * rise {
            Side::Ceiling
        } else if leans > 0 {
            Side::WallLeft
        } else if leans < 0 {
            Side::WallRight
        } else if rises > 0 {
            Side::Floor
        } else {
            Side::Ceiling
        }
    }

    /// Returns whether a surface with that normal is a floor.
    #[must_use]
    #[inline]
    pub(crate) fn is_floor(&self, normal: I64Vec2) -> bool {
        let (rises, leans) = self.components_up_and_right(normal);
        rises > 0 && leans.abs() * i64::from(self.limit.run) <= rises * i64::from(self.limit.rise)
    }

    /// Returns whether a surface that a shape touches or hits at `position` is a floor. The end of a one-way edge is a
    /// floor only if it stops motion straight down.
    #[must_use]
    #[inline]
    pub(crate) fn is_floor_of(&self, surface: &Surface, position: Position) -> bool {
        self.is_floor(surface.normal(position)) && !surface.lets_pass(-self.axis)
    }

    /// Returns whether a floor is among surfaces that a shape touches or hits at `position`.
    #[must_use]
    #[inline]
    pub(crate) fn has_floor(&self, surfaces: &[Surface], position: Position) -> bool {
        surfaces.iter().any(|surface| self.is_floor_of(surface, position))
    }

    /// Returns the components of a vector along up and along right.
    ///
    /// Normals have components below 2^40, the offsets of the largest circle. Times a slope limit's 2^16 they fit into
    /// i64.
    #[inline]
    pub(crate) fn components_up_and_right(&self, v: I64Vec2) -> (i64, i64) {
        let I64Vec2 { x, y } = self.axis;
        (v.x * x + v.y * y, v.x * y - v.y * x)
    }

    /// Direction of up, in f64.
    #[inline]
    pub(crate) fn up(&self) -> DVec2 {
        self.axis.as_dvec2()
    }

    /// Direction of right, in f64.
    #[inline]
    pub(crate) fn right(&self) -> DVec2 {
        I64Vec2::new(self.axis.y, -self.axis.x).as_dvec2()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_itself_is_floor() {
        for (limit, on, beyond) in [((1, 1), (-7, 7), (-8, 7)), ((1, 2), (4, 8), (5, 8)), ((0, 1), (0, 1), (1, 100))] {
            let limit = SlopeLimit::try_from(limit).unwrap();
            let (mut on, mut beyond) = (I64Vec2::from(on), I64Vec2::from(beyond));
            // Each up direction is turned counter-clockwise by 90 degrees from the one before.
            for up in [Up::PlusY, Up::MinusX, Up::MinusY, Up::PlusX] {
                let frame = Frame::new(up, limit);
                assert_eq!(frame.side(on), Side::Floor, "{frame:?} {on}");
                assert!(matches!(frame.side(beyond), Side::WallLeft | Side::WallRight), "{frame:?} {beyond}");
                (on, beyond) = (on.perp(), beyond.perp());
            }
        }
    }

    #[test]
    fn a_surface_that_faces_right_is_the_wall_on_the_left() {
        let frame = Frame::default();
        assert_eq!(frame.side(I64Vec2::X), Side::WallLeft, "a wall on the left faces right");
        assert_eq!(frame.side(I64Vec2::NEG_X), Side::WallRight);
        assert_eq!(frame.side(I64Vec2::new(1, -1)), Side::Ceiling);
        assert_eq!(frame.side(I64Vec2::new(-2, -1)), Side::WallRight);
    }
}
