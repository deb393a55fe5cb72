use super::check::{ShapeError, check_coordinates, check_extent};
use crate::written::written;
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A capsule: all points within a radius of a segment.
///
/// A capsule with radius 0 is the segment. A capsule whose segment has equal ends is a circle.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "Unchecked"))]
pub struct Capsule {
    a: DVec2,
    b: DVec2,
    radius: f64,
}

written!(Capsule, "Capsule", ShapeError, a: DVec2, b: DVec2, radius: f64);

impl Capsule {
    /// Creates the capsule around the segment from `a` to `b`: all points at most `radius` from the segment.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if
    /// - a coordinate is not finite or its absolute value exceeds [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24),
    /// - or `radius` is not a number from 0 to [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24).
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{Capsule, Shape, ShapeError, dvec2};
    ///
    /// let hero = Capsule::new(dvec2(0.0, 0.5), dvec2(0.0, 1.5), 0.5)?;
    /// assert!(hero.contains(dvec2(0.0, 2.0)) && !hero.contains(dvec2(0.5, 2.0)));
    /// let bad = Capsule::new(dvec2(0.0, 0.5), dvec2(0.0, 1.5), f64::INFINITY);
    /// assert_eq!(bad, Err(ShapeError::BadExtent { extent: f64::INFINITY }));
    /// // With equal ends it is a circle.
    /// assert_eq!(Capsule::new(dvec2(1.0, 1.0), dvec2(1.0, 1.0), 2.0)?.closest_point(dvec2(9.0, 1.0)), dvec2(3.0, 1.0));
    /// # Ok::<(), ShapeError>(())
    /// ```
    pub fn new(a: DVec2, b: DVec2, radius: f64) -> Result<Capsule, ShapeError> {
        Ok(Capsule { a: check_coordinates(a)?, b: check_coordinates(b)?, radius: check_extent(radius)? })
    }

    /// Returns a copy of the capsule moved by `by`, with coordinates rounded to f64.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if
    /// - `by` is not finite,
    /// - or a moved coordinate lies beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24).
    pub fn translated(&self, by: DVec2) -> Result<Capsule, ShapeError> {
        Capsule::new(self.a + by, self.b + by, self.radius)
    }

    /// Returns the start of the capsule's segment, which is the centre of one round end.
    #[must_use]
    pub const fn a(&self) -> DVec2 {
        self.a
    }

    /// Returns the end of the capsule's segment, which is the centre of the other round end.
    #[must_use]
    pub const fn b(&self) -> DVec2 {
        self.b
    }

    /// Returns the radius, 0 or more.
    #[must_use]
    pub const fn radius(&self) -> f64 {
        self.radius
    }
}
