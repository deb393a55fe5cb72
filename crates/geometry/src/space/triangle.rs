use super::check::{SpaceError, corners};
use super::formula::normal;
use crate::written::written;
use glam::DVec3;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// Three corners that are not on one line, in any order. It can be met from both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "Unchecked"))]
pub struct Triangle3 {
    corners: [DVec3; 3],
}

written!(Triangle3, "Triangle3", SpaceError, corners: [DVec3; 3]);

impl Triangle3 {
    /// The triangle with those corners, in lengths; they stay in their order.
    ///
    /// # Errors
    /// [`SpaceError`] for coordinates that are not finite or beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE), and
    /// [`SpaceError::Flat`] for corners exactly on one line.
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
        Ok(Triangle3 { corners: corners(points)? })
    }

    /// The corners.
    #[must_use]
    pub const fn corners(&self) -> [DVec3; 3] {
        self.corners
    }

    /// The unit normal on the side from which the corners go round counter-clockwise, right to within
    /// [`tolerance::ROUNDING`](crate::tolerance::ROUNDING).
    #[must_use]
    pub fn normal(&self) -> DVec3 {
        normal(self.corners)
    }
}
