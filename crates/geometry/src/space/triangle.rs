use super::check::{SpaceError, check_corners};
use super::formula::normal_of_plane;
use crate::written::written;
use glam::DVec3;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A triangle in 3D: three corners that are not on one line. Rays hit it from both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "Unchecked"))]
pub struct Triangle3 {
    corners: [DVec3; 3],
}

written!(Triangle3, "Triangle3", SpaceError, corners: [DVec3; 3]);

impl Triangle3 {
    /// Creates the triangle from its three corners. The triangle keeps the order of the corners, clockwise or not.
    ///
    /// # Errors
    /// Returns [`SpaceError`] if
    /// - a coordinate is not finite or its absolute value exceeds [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24),
    /// - or the corners are exactly on one line ([`SpaceError::Flat`]).
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::space::{DVec3, SpaceError, Triangle3};
    ///
    /// let floor = Triangle3::new([DVec3::Z, DVec3::X, DVec3::ZERO])?;
    /// assert_eq!(floor.normal(), DVec3::Y);
    /// assert_eq!(Triangle3::new([DVec3::ZERO, DVec3::ONE, DVec3::splat(3.0)]), Err(SpaceError::Flat));
    /// # Ok::<(), SpaceError>(())
    /// ```
    pub fn new(points: [DVec3; 3]) -> Result<Triangle3, SpaceError> {
        Ok(Triangle3 { corners: check_corners(points)? })
    }

    /// Returns the corners in the order in which they were given.
    #[must_use]
    pub const fn corners(&self) -> [DVec3; 3] {
        self.corners
    }

    /// Returns the normal as a unit vector, on the side from which the corners appear counter-clockwise.
    ///
    /// The error of the normal is at most [`tolerance::ROUNDING`](crate::tolerance::ROUNDING) (2^-50).
    #[must_use]
    pub fn normal(&self) -> DVec3 {
        normal_of_plane(self.corners)
    }
}
