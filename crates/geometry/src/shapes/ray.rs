use super::check::{ShapeError, apart};
use crate::written::written;
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A half-line: from a point, through another one and on for ever.
///
/// It is kept as two points and not as a point and a direction, so that on which side of it something lies is decided
/// exactly. Parameters along it are 0 at its origin and 1 at `through`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "Unchecked"))]
pub struct Ray {
    origin: DVec2,
    through: DVec2,
}

written!(Ray, "Ray", ShapeError, origin: DVec2, through: DVec2);

impl Ray {
    /// The ray from `origin` through another point, in lengths.
    ///
    /// # Errors
    /// [`ShapeError`] for coordinates that are not finite or beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE), and for
    /// two points that are the same.
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
        let (origin, through) = apart(origin, through)?;
        Ok(Ray { origin, through })
    }

    /// The ray from `origin` in a direction: through `origin + direction`, rounded to f64.
    ///
    /// # Errors
    /// As [`Ray::new`]. A direction too short to lead to another f64 is [`ShapeError::NoDirection`].
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

    /// This shape further on by `by`, its coordinates rounded to f64.
    ///
    /// # Errors
    /// [`ShapeError`] where it would not be within [`MAX_COORDINATE`](crate::MAX_COORDINATE), for a `by` that is not
    /// finite, and where rounding makes its two points one.
    pub fn translated(&self, by: DVec2) -> Result<Ray, ShapeError> {
        Ray::new(self.origin + by, self.through + by)
    }

    /// Where the ray begins.
    #[must_use]
    pub const fn origin(&self) -> DVec2 {
        self.origin
    }

    /// The point with the parameter 1.
    #[must_use]
    pub const fn through(&self) -> DVec2 {
        self.through
    }
}
