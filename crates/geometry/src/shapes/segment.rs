use super::check::{ShapeError, coordinates};
use crate::exact_arith::unit;
use crate::written::written;
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A straight stretch from `a` to `b`, ends included. It may be a single point.
///
/// Parameters along it are 0 at `a` and 1 at `b`. Questions about shapes do not ask in which order its ends come; as a
/// one-sided edge it has its outward normal on the left of the way from `a` to `b`, so that from left to right it is a
/// floor.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "Unchecked"))]
pub struct Segment {
    a: DVec2,
    b: DVec2,
}

written!(Segment, "Segment", ShapeError, a: DVec2, b: DVec2);

impl Segment {
    /// The segment from `a` to `b`, in lengths.
    ///
    /// # Errors
    /// [`ShapeError`] for coordinates that are not finite or beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE).
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
        Ok(Segment { a: coordinates(a)?, b: coordinates(b)? })
    }

    /// This shape further on by `by`, its coordinates rounded to f64.
    ///
    /// # Errors
    /// [`ShapeError`] where it would not be within [`MAX_COORDINATE`](crate::MAX_COORDINATE), and for a `by` that is not
    /// finite.
    pub fn translated(&self, by: DVec2) -> Result<Segment, ShapeError> {
        Segment::new(self.a + by, self.b + by)
    }

    /// Where the segment starts.
    #[must_use]
    pub const fn a(&self) -> DVec2 {
        self.a
    }

    /// Where the segment ends.
    #[must_use]
    pub const fn b(&self) -> DVec2 {
        self.b
    }

    /// The unit normal on the left of the way from `a` to `b`; `None` for a segment of zero length.
    #[must_use]
    pub fn normal(&self) -> Option<DVec2> {
        unit((self.b - self.a).perp())
    }
}
