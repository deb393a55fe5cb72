use super::check::{ShapeError, check_coordinates, check_extent};
use crate::written::written;
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// An axis-aligned box, given by its lower left and upper right corner.
///
/// The box may be flat or a single point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "Unchecked"))]
pub struct Aabb {
    min: DVec2,
    max: DVec2,
}

written!(Aabb, "Aabb", ShapeError, min: DVec2, max: DVec2);

impl Aabb {
    /// Creates the box with lower left corner `min` and upper right corner `max`, y up.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if
    /// - a coordinate is not finite or its absolute value exceeds [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24),
    /// - or `min` is greater than `max` on an axis.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{Aabb, DVec2};
    ///
    /// assert_eq!(Aabb::new(DVec2::ZERO, DVec2::new(2.0, 1.0))?.center(), DVec2::new(1.0, 0.5));
    /// assert!(Aabb::new(DVec2::ONE, DVec2::ZERO).is_err());
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    pub fn new(min: DVec2, max: DVec2) -> Result<Aabb, ShapeError> {
        let (min, max) = (check_coordinates(min)?, check_coordinates(max)?);
        if min.x <= max.x && min.y <= max.y { Ok(Aabb { min, max }) } else { Err(ShapeError::Inverted { min, max }) }
    }

    /// Creates the box between two opposite corners, in any order, for example a rectangle dragged with the mouse.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if a coordinate is not finite or its absolute value exceeds
    /// [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24).
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{Aabb, dvec2};
    ///
    /// let dragged = Aabb::from_corners(dvec2(3.0, 1.0), dvec2(-1.0, 2.0))?;
    /// assert_eq!((dragged.min(), dragged.max()), (dvec2(-1.0, 1.0), dvec2(3.0, 2.0)));
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    pub fn from_corners(a: DVec2, b: DVec2) -> Result<Aabb, ShapeError> {
        let (a, b) = (check_coordinates(a)?, check_coordinates(b)?);
        Aabb::new(a.min(b), a.max(b))
    }

    /// Returns the smallest box that contains both this box and `other`.
    #[must_use]
    pub fn union(&self, other: &Aabb) -> Aabb {
        Aabb { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Creates the box around `center` with half-extents `half`: half the width and half the height.
    ///
    /// The corners are rounded to f64.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if
    /// - a coordinate of the centre or of a corner is not finite or its absolute value exceeds
    ///   [`MAX_COORDINATE`](crate::MAX_COORDINATE),
    /// - or a half-extent is not a number from 0 to [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24).
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{Aabb, DVec2, dvec2};
    ///
    /// let door = Aabb::from_center(dvec2(3.0, 1.0), dvec2(0.5, 1.0))?;
    /// assert_eq!((door.min(), door.max()), (dvec2(2.5, 0.0), dvec2(3.5, 2.0)));
    /// assert!(Aabb::from_center(DVec2::ZERO, dvec2(-1.0, 1.0)).is_err());
    /// assert_eq!(Aabb::from_center(DVec2::ONE, DVec2::ZERO)?.min(), DVec2::ONE); // A point.
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    pub fn from_center(center: DVec2, half: DVec2) -> Result<Aabb, ShapeError> {
        let (center, half) = (check_coordinates(center)?, DVec2::new(check_extent(half.x)?, check_extent(half.y)?));
        Aabb::new(center - half, center + half)
    }

    /// Returns a copy of the box moved by `by`, with coordinates rounded to f64.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if
    /// - `by` is not finite,
    /// - or a moved coordinate lies beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24).
    pub fn translated(&self, by: DVec2) -> Result<Aabb, ShapeError> {
        Aabb::new(self.min + by, self.max + by)
    }

    /// Returns the lower left corner.
    #[must_use]
    pub const fn min(&self) -> DVec2 {
        self.min
    }

    /// Returns the upper right corner.
    #[must_use]
    pub const fn max(&self) -> DVec2 {
        self.max
    }

    /// Returns the centre of the box, rounded to f64.
    #[must_use]
    pub fn center(&self) -> DVec2 {
        (self.min + self.max) * 0.5
    }

    /// Returns half the width and half the height of the box, rounded to f64.
    #[must_use]
    pub fn half_extents(&self) -> DVec2 {
        (self.max - self.min) * 0.5
    }
}
