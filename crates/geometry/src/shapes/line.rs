use super::check::{ShapeError, check_distinct_points};
use crate::written::written;
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// An infinite straight line through two points `a` and `b`.
///
/// Queries give positions on the line as a number `t`: the point is `a + t * (b - a)`, so 0 is `a` and 1 is `b`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "Unchecked"))]
pub struct Line {
    a: DVec2,
    b: DVec2,
}

written!(Line, "Line", ShapeError, a: DVec2, b: DVec2);

impl Line {
    /// Creates the line through `a` and `b`.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if
    /// - a coordinate is not finite or its absolute value exceeds [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24),
    /// - or the two points are equal.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{DVec2, Line, ShapeError};
    ///
    /// assert!(Line::new(DVec2::ZERO, DVec2::X).is_ok());
    /// assert_eq!(Line::new(DVec2::X, DVec2::X), Err(ShapeError::NoDirection { at: DVec2::X }));
    /// ```
    pub fn new(a: DVec2, b: DVec2) -> Result<Line, ShapeError> {
        let (a, b) = check_distinct_points(a, b)?;
        Ok(Line { a, b })
    }

    /// Returns a copy of the line moved by `by`, with coordinates rounded to f64.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if
    /// - `by` is not finite,
    /// - a moved coordinate lies beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24),
    /// - or rounding makes the two points of the line equal.
    pub fn translated(&self, by: DVec2) -> Result<Line, ShapeError> {
        Line::new(self.a + by, self.b + by)
    }

    /// Returns the first point that defines the line: the point at `t` = 0 in query results.
    #[must_use]
    pub const fn a(&self) -> DVec2 {
        self.a
    }

    /// Returns the second point that defines the line: the point at `t` = 1 in query results.
    #[must_use]
    pub const fn b(&self) -> DVec2 {
        self.b
    }
}
