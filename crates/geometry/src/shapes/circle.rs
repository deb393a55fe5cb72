use super::check::{ShapeError, check_coordinates, check_extent};
use crate::written::written;
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A solid circle (disc) around a centre.
///
/// A circle with radius 0 is a point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "Unchecked"))]
pub struct Circle {
    center: DVec2,
    radius: f64,
}

written!(Circle, "Circle", ShapeError, center: DVec2, radius: f64);

impl Circle {
    /// Creates the circle around `center` with radius `radius`.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if
    /// - a coordinate is not finite or its absolute value exceeds [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24),
    /// - or `radius` is not a number from 0 to [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24).
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{Circle, DVec2, ShapeError};
    ///
    /// assert!(Circle::new(DVec2::ZERO, 0.5).is_ok());
    /// assert_eq!(Circle::new(DVec2::ZERO, -0.5), Err(ShapeError::BadExtent { extent: -0.5 }));
    /// ```
    pub fn new(center: DVec2, radius: f64) -> Result<Circle, ShapeError> {
        Ok(Circle { center: check_coordinates(center)?, radius: check_extent(radius)? })
    }

    /// Returns a copy of the circle moved by `by`, with coordinates rounded to f64.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if
    /// - `by` is not finite,
    /// - or a moved coordinate lies beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24).
    pub fn translated(&self, by: DVec2) -> Result<Circle, ShapeError> {
        Circle::new(self.center + by, self.radius)
    }

    /// Returns the centre.
    #[must_use]
    pub const fn center(&self) -> DVec2 {
        self.center
    }

    /// Returns the radius, 0 or more.
    #[must_use]
    pub const fn radius(&self) -> f64 {
        self.radius
    }
}
