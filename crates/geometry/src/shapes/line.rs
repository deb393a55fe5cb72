use super::check::{ShapeError, apart};
use crate::written::written;
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A straight line without ends, through two points.
///
/// Parameters along it are 0 at `a` and 1 at `b`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "Unchecked"))]
pub struct Line {
    a: DVec2,
    b: DVec2,
}

written!(Line, "Line", ShapeError, a: DVec2, b: DVec2);

impl Line {
    /// The line through `a` and `b`, in lengths.
    ///
    /// # Errors
    /// [`ShapeError`] for coordinates that are not finite or beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE), and for
    /// two points that are the same.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{DVec2, Line, ShapeError};
    ///
    /// assert!(Line::new(DVec2::ZERO, DVec2::X).is_ok());
    /// assert_eq!(Line::new(DVec2::X, DVec2::X), Err(ShapeError::NoDirection { at: DVec2::X }));
    /// ```
    pub fn new(a: DVec2, b: DVec2) -> Result<Line, ShapeError> {
        let (a, b) = apart(a, b)?;
        Ok(Line { a, b })
    }

    /// This shape further on by `by`, its coordinates rounded to f64.
    ///
    /// # Errors
    /// [`ShapeError`] where it would not be within [`MAX_COORDINATE`](crate::MAX_COORDINATE), for a `by` that is not
    /// finite, and where rounding makes its two points one.
    pub fn translated(&self, by: DVec2) -> Result<Line, ShapeError> {
        Line::new(self.a + by, self.b + by)
    }

    /// The point with the parameter 0.
    #[must_use]
    pub const fn a(&self) -> DVec2 {
        self.a
    }

    /// The point with the parameter 1.
    #[must_use]
    pub const fn b(&self) -> DVec2 {
        self.b
    }
}
