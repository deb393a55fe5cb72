use super::check::{ShapeError, coordinates};
use crate::exact_arith::turn;
use crate::written::written;
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// Three corners that are not on one line, counter-clockwise.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "Unchecked"))]
pub struct Triangle {
    corners: [DVec2; 3],
}

written!(Triangle, "Triangle", ShapeError, corners: [DVec2; 3]);

impl Triangle {
    /// The triangle with those corners, in lengths; clockwise ones are put right: the second and the third change places.
    ///
    /// # Errors
    /// [`ShapeError`] for coordinates that are not finite or beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE), and
    /// [`ShapeError::Flat`] for corners exactly on one line.
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
        let (a, b, c) = (coordinates(a)?, coordinates(b)?, coordinates(c)?);
        let turn = turn(a, b, c);
        if turn > 0.0 {
            Ok(Triangle { corners: [a, b, c] })
        } else if turn < 0.0 {
            Ok(Triangle { corners: [a, c, b] })
        } else {
            Err(ShapeError::Flat)
        }
    }

    /// This shape further on by `by`, its coordinates rounded to f64.
    ///
    /// # Errors
    /// [`ShapeError`] where it would not be within [`MAX_COORDINATE`](crate::MAX_COORDINATE), for a `by` that is not
    /// finite, and [`ShapeError::Flat`] where rounding puts its corners on one line.
    pub fn translated(&self, by: DVec2) -> Result<Triangle, ShapeError> {
        Triangle::new(self.corners.map(|corner| corner + by))
    }

    /// The corners, counter-clockwise.
    #[must_use]
    pub const fn corners(&self) -> [DVec2; 3] {
        self.corners
    }

    pub(crate) const fn as_slice(&self) -> &[DVec2] {
        &self.corners
    }
}
