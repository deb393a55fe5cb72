use super::check::{SpaceError, check_coordinates, check_corners};
use super::formula::{Dot, Volume, normal_of_plane, unit};
use crate::exact_arith::formula::evaluate;
use glam::DVec3;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// An infinite plane in 3D. Its normal points out of its front side.
///
/// The plane stores the numbers from which it was created, without rounding. Queries can therefore decide exactly on
/// which side of the plane a point lies.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "Written", into = "Written"))]
pub struct Plane(Written);

/// Definition of a plane, stored as given.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename = "Plane", deny_unknown_fields))]
enum Written {
    /// By a point and a normal of any length.
    Normal { point: DVec3, normal: DVec3 },
    /// By three points.
    Through([DVec3; 3]),
}

impl Plane {
    /// Creates the plane through `point` with the normal `normal`, of any length above 0.
    ///
    /// # Errors
    /// Returns [`SpaceError`] if
    /// - a coordinate is not finite or its absolute value exceeds [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24),
    /// - or `normal` has length 0.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::space::{DVec3, Plane, SpaceError, dvec3};
    ///
    /// let ground = Plane::new(dvec3(7.0, 1.0, 7.0), dvec3(0.0, 3.0, 0.0))?;
    /// assert_eq!(ground.normal(), DVec3::Y);
    /// assert_eq!(Plane::new(DVec3::ONE, DVec3::ZERO), Err(SpaceError::NoDirection { at: DVec3::ZERO }));
    /// # Ok::<(), SpaceError>(())
    /// ```
    pub fn new(point: DVec3, normal: DVec3) -> Result<Plane, SpaceError> {
        let (point, normal) = (check_coordinates(point)?, check_coordinates(normal)?);
        if normal == DVec3::ZERO {
            return Err(SpaceError::NoDirection { at: normal });
        }
        Ok(Plane(Written::Normal { point, normal }))
    }

    /// Creates the plane through three points. Seen from the front side, the points run counter-clockwise.
    ///
    /// # Errors
    /// Returns [`SpaceError`] if
    /// - a coordinate is not finite or its absolute value exceeds [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24),
    /// - or the points are exactly on one line ([`SpaceError::Flat`]).
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::space::{DVec3, Plane, SpaceError};
    ///
    /// assert_eq!(Plane::through([DVec3::Z, DVec3::X, DVec3::ZERO])?.normal(), DVec3::Y);
    /// assert_eq!(Plane::through([DVec3::ZERO, DVec3::ONE, DVec3::splat(3.0)]), Err(SpaceError::Flat));
    /// # Ok::<(), SpaceError>(())
    /// ```
    pub fn through(points: [DVec3; 3]) -> Result<Plane, SpaceError> {
        Ok(Plane(Written::Through(check_corners(points)?)))
    }

    /// Returns the normal as a unit vector. Its error is at most [`tolerance::ROUNDING`](crate::tolerance::ROUNDING)
    /// (2^-50).
    #[must_use]
    pub fn normal(&self) -> DVec3 {
        match self.0 {
            Written::Normal { normal, .. } => unit(normal).unwrap_or(DVec3::Y),
            Written::Through(points) => normal_of_plane(points),
        }
    }

    /// Returns a point on the plane: one from which the plane was created.
    #[must_use]
    pub const fn point(&self) -> DVec3 {
        match self.0 {
            Written::Normal { point, .. } | Written::Through([point, ..]) => point,
        }
    }

    /// Returns how far a point is in front of the plane, in a scale of the plane's own. The sign is exact, the value is
    /// right to the last bit but one.
    pub(super) fn height(&self, at: DVec3) -> f64 {
        match self.0 {
            Written::Normal { point, normal } => evaluate(&Dot((at, point), normal)),
            Written::Through([a, b, c]) => evaluate(&Volume([(at, a), (b, a), (c, a)])),
        }
    }
}

impl From<Plane> for Written {
    fn from(Plane(written): Plane) -> Written {
        written
    }
}

impl TryFrom<Written> for Plane {
    type Error = SpaceError;

    fn try_from(written: Written) -> Result<Plane, SpaceError> {
        match written {
            Written::Normal { point, normal } => Plane::new(point, normal),
            Written::Through(points) => Plane::through(points),
        }
    }
}
