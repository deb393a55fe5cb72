use super::check::{ShapeError, check_distinct_points};
use crate::written::written;
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A half-line that starts at a point and passes through a second point.
///
/// Queries give positions on the ray as a number `t`: 0 is the `origin`, 1 is the second point `through`, and larger
/// numbers are beyond `through`.
///
/// The ray stores two points instead of a point and a direction. Queries can therefore decide exactly on which side
/// of the ray a point lies.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "Unchecked"))]
pub struct Ray {
    origin: DVec2,
    through: DVec2,
}

written!(Ray, "Ray", ShapeError, origin: DVec2, through: DVec2);

impl Ray {
    /// Creates the ray from `origin` through the point `through`.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if
    /// - a coordinate is not finite or its absolute value exceeds [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24),
    /// - or the two points are equal.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{DVec2, Ray, ShapeError, dvec2};
    ///
    /// let (muzzle, mouse) = (dvec2(1.0, 1.0), dvec2(4.0, 5.0));
    /// assert_eq!(Ray::new(muzzle, mouse)?.origin(), muzzle);
    /// assert_eq!(Ray::new(muzzle, muzzle), Err(ShapeError::NoDirection { at: muzzle }));
    /// # Ok::<(), ShapeError>(())
    /// ```
    pub fn new(origin: DVec2, through: DVec2) -> Result<Ray, ShapeError> {
        let (origin, through) = check_distinct_points(origin, through)?;
        Ok(Ray { origin, through })
    }

    /// Creates the ray from `origin` in the direction `direction`, of any length above 0.
    ///
    /// The ray passes through the point `origin + direction`, rounded to f64.
    ///
    /// # Errors
    /// - Returns the errors of [`Ray::new`].
    /// - Returns [`ShapeError::NoDirection`] also if `direction` is so short that `origin + direction` rounds to
    ///   `origin`.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{DVec2, Ray};
    ///
    /// let ray = Ray::towards(DVec2::new(2.0, 1.0), DVec2::X)?;
    /// assert_eq!(ray.through(), DVec2::new(3.0, 1.0));
    /// assert!(Ray::towards(DVec2::ONE, DVec2::ZERO).is_err());
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    pub fn towards(origin: DVec2, direction: DVec2) -> Result<Ray, ShapeError> {
        Ray::new(origin, origin + direction)
    }

    /// Returns a copy of the ray moved by `by`, with coordinates rounded to f64.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if
    /// - `by` is not finite,
    /// - a moved coordinate lies beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24),
    /// - or rounding makes the two points of the ray equal.
    pub fn translated(&self, by: DVec2) -> Result<Ray, ShapeError> {
        Ray::new(self.origin + by, self.through + by)
    }

    /// Returns the point where the ray starts.
    #[must_use]
    pub const fn origin(&self) -> DVec2 {
        self.origin
    }

    /// Returns the second point that defines the ray: the point at `t` = 1 in query results. The ray goes on beyond
    /// this point.
    #[must_use]
    pub const fn through(&self) -> DVec2 {
        self.through
    }
}
