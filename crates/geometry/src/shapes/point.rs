use super::check::{ShapeError, check_coordinates};
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A single point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "DVec2", into = "DVec2"))]
pub struct Point {
    position: DVec2,
}

impl Point {
    /// Creates the point at the coordinates `at`.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if a coordinate is not finite or its absolute value exceeds
    /// [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24).
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{DVec2, Point};
    ///
    /// assert_eq!(Point::new(DVec2::new(1.0, 2.0))?.position(), DVec2::new(1.0, 2.0));
    /// assert!(Point::new(DVec2::new(f64::NAN, 0.0)).is_err());
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    pub fn new(at: DVec2) -> Result<Point, ShapeError> {
        Ok(Point { position: check_coordinates(at)? })
    }

    /// Returns a copy of the point moved by `by`, with coordinates rounded to f64.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if
    /// - `by` is not finite,
    /// - or a moved coordinate lies beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24).
    pub fn translated(&self, by: DVec2) -> Result<Point, ShapeError> {
        Point::new(self.position + by)
    }

    /// Returns the coordinates of the point.
    #[must_use]
    pub const fn position(&self) -> DVec2 {
        self.position
    }
}

impl TryFrom<DVec2> for Point {
    type Error = ShapeError;

    fn try_from(at: DVec2) -> Result<Point, ShapeError> {
        Point::new(at)
    }
}

impl From<Point> for DVec2 {
    fn from(point: Point) -> DVec2 {
        point.position
    }
}
