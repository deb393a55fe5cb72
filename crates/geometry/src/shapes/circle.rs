use super::check::{ShapeError, coordinates, extent};
use crate::written::written;
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A disc around a centre. With a radius of 0 it is a point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "Unchecked"))]
pub struct Circle {
    center: DVec2,
    radius: f64,
}

written!(Circle, "Circle", ShapeError, center: DVec2, radius: f64);

impl Circle {
    /// The disc of that radius, in lengths.
    ///
    /// # Errors
    /// [`ShapeError`] for a centre that is not finite or beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE) and a radius
    /// that is not a number from 0 to there.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{Circle, DVec2, ShapeError};
    ///
    /// assert!(Circle::new(DVec2::ZERO, 0.5).is_ok());
    /// assert_eq!(Circle::new(DVec2::ZERO, -0.5), Err(ShapeError::BadExtent { extent: -0.5 }));
    /// ```
    pub fn new(center: DVec2, radius: f64) -> Result<Circle, ShapeError> {
        Ok(Circle { center: coordinates(center)?, radius: extent(radius)? })
    }

    /// This shape further on by `by`, its coordinates rounded to f64.
    ///
    /// # Errors
    /// [`ShapeError`] where it would not be within [`MAX_COORDINATE`](crate::MAX_COORDINATE), and for a `by` that is not
    /// finite.
    pub fn translated(&self, by: DVec2) -> Result<Circle, ShapeError> {
        Circle::new(self.center + by, self.radius)
    }

    /// The centre.
    #[must_use]
    pub const fn center(&self) -> DVec2 {
        self.center
    }

    /// The radius, 0 or more.
    #[must_use]
    pub const fn radius(&self) -> f64 {
        self.radius
    }
}
