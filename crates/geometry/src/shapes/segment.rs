use super::check::{ShapeError, check_coordinates};
use crate::exact_arith::unit;
use crate::written::written;
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A straight segment from `a` to `b`, both ends included. The segment may be a single point.
///
/// Queries give positions on the segment as a number `t`, from 0 at `a` to 1 at `b`. For most queries, the order of
/// the ends does not matter.
///
/// The order matters for one-sided sweeps such as [`Circle::sweep_one_sided`](crate::Circle::sweep_one_sided), in
/// which the segment stops motion from one side only. That side is on the left when looking from `a` to `b`, so a
/// segment from left to right is a floor.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "Unchecked"))]
pub struct Segment {
    a: DVec2,
    b: DVec2,
}

written!(Segment, "Segment", ShapeError, a: DVec2, b: DVec2);

impl Segment {
    /// Creates the segment from `a` to `b`.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if a coordinate is not finite or its absolute value exceeds
    /// [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24).
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{DVec2, Segment};
    ///
    /// let floor = Segment::new(DVec2::new(0.0, 1.0), DVec2::new(4.0, 1.0))?;
    /// assert_eq!(floor.normal(), Some(DVec2::Y));
    /// assert_eq!(Segment::new(DVec2::ONE, DVec2::ONE)?.normal(), None);
    /// assert!(Segment::new(DVec2::NAN, DVec2::ONE).is_err());
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    pub fn new(a: DVec2, b: DVec2) -> Result<Segment, ShapeError> {
        Ok(Segment { a: check_coordinates(a)?, b: check_coordinates(b)? })
    }

    /// Returns a copy of the segment moved by `by`, with coordinates rounded to f64.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if
    /// - `by` is not finite,
    /// - or a moved coordinate lies beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24).
    pub fn translated(&self, by: DVec2) -> Result<Segment, ShapeError> {
        Segment::new(self.a + by, self.b + by)
    }

    /// Returns the start of the segment.
    #[must_use]
    pub const fn a(&self) -> DVec2 {
        self.a
    }

    /// Returns the end of the segment.
    #[must_use]
    pub const fn b(&self) -> DVec2 {
        self.b
    }

    /// Returns the unit normal on the left when looking from `a` to `b`; `None` if the segment has length 0.
    #[must_use]
    pub fn normal(&self) -> Option<DVec2> {
        unit((self.b - self.a).perp())
    }
}
