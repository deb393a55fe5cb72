use super::check::{ShapeError, coordinates, extent};
use crate::written::written;
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// All that is within a radius of a segment. With a radius of 0 it is the segment, with equal ends a circle.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "Unchecked"))]
pub struct Capsule {
    a: DVec2,
    b: DVec2,
    radius: f64,
}

written!(Capsule, "Capsule", ShapeError, a: DVec2, b: DVec2, radius: f64);

impl Capsule {
    /// The capsule around the segment from `a` to `b`, in lengths.
    ///
    /// # Errors
    /// [`ShapeError`] for coordinates that are not finite or beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE) and a
    /// radius that is not a number from 0 to there.
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
        Ok(Capsule { a: coordinates(a)?, b: coordinates(b)?, radius: extent(radius)? })
    }

    /// This shape further on by `by`, its coordinates rounded to f64.
    ///
    /// # Errors
    /// [`ShapeError`] where it would not be within [`MAX_COORDINATE`](crate::MAX_COORDINATE), and for a `by` that is not
    /// finite.
    pub fn translated(&self, by: DVec2) -> Result<Capsule, ShapeError> {
        Capsule::new(self.a + by, self.b + by, self.radius)
    }

    /// The centre of the round end where its segment starts.
    #[must_use]
    pub const fn a(&self) -> DVec2 {
        self.a
    }

    /// The centre of the round end where its segment ends.
    #[must_use]
    pub const fn b(&self) -> DVec2 {
        self.b
    }

    /// The radius, 0 or more.
    #[must_use]
    pub const fn radius(&self) -> f64 {
        self.radius
    }
}
