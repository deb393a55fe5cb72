use super::check::{ShapeError, check_coordinates};
use crate::exact_arith::twice_signed_area;
use crate::written::written;
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A triangle: three corners that are not on one line, in counter-clockwise order.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "Unchecked"))]
pub struct Triangle {
    corners: [DVec2; 3],
}

written!(Triangle, "Triangle", ShapeError, corners: [DVec2; 3]);

impl Triangle {
    /// Creates the triangle with three corners, in clockwise or counter-clockwise order.
    ///
    /// If the corners are clockwise, the triangle swaps the second and the third corner.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if
    /// - a coordinate is not finite or its absolute value exceeds [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24),
    /// - or the corners are exactly on one line ([`ShapeError::Flat`]).
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{DVec2, ShapeError, Triangle};
    ///
    /// let clockwise = Triangle::new([DVec2::ZERO, DVec2::Y, DVec2::X])?;
    /// assert_eq!(clockwise.corners(), [DVec2::ZERO, DVec2::X, DVec2::Y]);
    /// assert_eq!(Triangle::new([DVec2::ZERO, DVec2::ONE, DVec2::splat(3.0)]), Err(ShapeError::Flat));
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    pub fn new([a, b, c]: [DVec2; 3]) -> Result<Triangle, ShapeError> {
        let (a, b, c) = (check_coordinates(a)?, check_coordinates(b)?, check_coordinates(c)?);
        let turn = twice_signed_area(a, b, c);
        if turn > 0.0 {
            Ok(Triangle { corners: [a, b, c] })
        } else if turn < 0.0 {
            Ok(Triangle { corners: [a, c, b] })
        } else {
            Err(ShapeError::Flat)
        }
    }

    /// Returns a copy of the triangle moved by `by`, with coordinates rounded to f64.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if
    /// - `by` is not finite,
    /// - a moved coordinate lies beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24),
    /// - or rounding puts the corners on one line ([`ShapeError::Flat`]).
    pub fn translated(&self, by: DVec2) -> Result<Triangle, ShapeError> {
        Triangle::new(self.corners.map(|corner| corner + by))
    }

    /// Returns the corners in counter-clockwise order.
    #[must_use]
    pub const fn corners(&self) -> [DVec2; 3] {
        self.corners
    }

    pub(crate) const fn as_slice(&self) -> &[DVec2] {
        &self.corners
    }
}
