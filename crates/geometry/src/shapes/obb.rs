use super::check::{ShapeError, check_coordinates, check_extent};
use super::core::Corners;
use crate::exact_arith::{normalize_unless_unit, twice_signed_area};
use crate::written::written;
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A box turned by any angle (oriented bounding box): a centre, half-extents and the direction of its width (its own x
/// axis).
///
/// All queries use the four corners of the box, each rounded to f64 when the box is created. Queries are exact for
/// the polygon of these rounded corners. It differs from the ideal box by at most 2^-51 of the largest coordinate.
///
/// Half-extents may be 0, or too small for f64 to tell the corners apart. The box is then a segment or a point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "Unchecked"))]
pub struct Obb {
    center: DVec2,
    half_extents: DVec2,
    axis: DVec2,
    #[cfg_attr(feature = "serde", serde(skip))]
    corners: [DVec2; 4],
    #[cfg_attr(feature = "serde", serde(skip))]
    count: u8,
}

written!(Obb, "Obb", ShapeError, center: DVec2, half_extents: DVec2, axis: DVec2);

impl Obb {
    /// Creates the box around `center` with half-extents `half` (half the width, half the height). Its width points
    /// along `axis`.
    ///
    /// `axis` may have any length above 0. An `axis` of length 1 is stored without rounding.
    ///
    /// To turn the box by an angle, pass `DVec2::from_angle(angle)` as `axis`. Quarter turns are not exact then,
    /// because f64 cannot represent a right angle: a box that should touch another shape may end up slightly apart or
    /// overlapping. For exact quarter turns, pass `DVec2::X`, `DVec2::Y` or their opposites.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if
    /// - a coordinate is not finite or its absolute value exceeds [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24),
    /// - a half-extent is not a number from 0 to [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24),
    /// - or `axis` has length 0.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{DVec2, Obb, dvec2};
    ///
    /// let tipped = Obb::new(dvec2(5.0, 5.0), dvec2(5.0, 0.0), dvec2(3.0, 4.0))?;
    /// assert_eq!(tipped.corners(), &[dvec2(2.0, 1.0), dvec2(8.0, 9.0)]);
    /// assert!(Obb::new(DVec2::ZERO, DVec2::ONE, DVec2::ZERO).is_err());
    ///
    /// // A quarter turn, exactly: the corners are level.
    /// let upright = Obb::new(dvec2(0.3, 0.0), dvec2(0.7, 0.3), DVec2::Y)?;
    /// assert_eq!((upright.corners()[0], upright.corners()[1]), (dvec2(0.6, -0.7), dvec2(0.6, 0.7)));
    /// let angle = std::f64::consts::FRAC_PI_2;
    /// let turned = Obb::new(dvec2(0.3, 0.0), dvec2(0.7, 0.3), DVec2::from_angle(angle))?;
    /// assert_ne!(turned.corners()[0].x, turned.corners()[1].x);
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    pub fn new(center: DVec2, half: DVec2, axis: DVec2) -> Result<Obb, ShapeError> {
        let (center, half) = (check_coordinates(center)?, DVec2::new(check_extent(half.x)?, check_extent(half.y)?));
        let axis = normalize_unless_unit(check_coordinates(axis)?).ok_or(ShapeError::NoDirection { at: axis })?;
        // Clear components so small that reading them back from a file would clear them.
        let axis = check_coordinates(axis)?;
        let (along, across) = (axis * half.x, axis.perp() * half.y);
        let corner = |offset: DVec2| check_coordinates(center + offset);
        let corners =
            [corner(-along - across)?, corner(along - across)?, corner(along + across)?, corner(-along + across)?];
        let is_convex = (0..4).all(|i| twice_signed_area(corners[i], corners[(i + 1) % 4], corners[(i + 2) % 4]) > 0.0);
        let (corners, count) = if is_convex {
            (corners, 4)
        } else {
            let longer = if half.x >= half.y { along } else { across };
            let (a, b) = (corner(-longer)?, corner(longer)?);
            ([a, b, a, b], if a == b { 1 } else { 2 })
        };
        Ok(Obb { center, half_extents: half, axis, corners, count })
    }

    /// Returns a copy of the box moved by `by`, with coordinates rounded to f64.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if
    /// - `by` is not finite,
    /// - or a moved coordinate lies beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24).
    pub fn translated(&self, by: DVec2) -> Result<Obb, ShapeError> {
        Obb::new(self.center + by, self.half_extents, self.axis)
    }

    /// Returns the centre.
    #[must_use]
    pub const fn center(&self) -> DVec2 {
        self.center
    }

    /// Returns half the width and half the height of the box. The width points along [`Obb::axis`].
    #[must_use]
    pub const fn half_extents(&self) -> DVec2 {
        self.half_extents
    }

    /// Returns the direction in which the width of the box points (its own x axis), as a unit vector.
    #[must_use]
    pub const fn axis(&self) -> DVec2 {
        self.axis
    }

    /// Returns the corners in counter-clockwise order: four, or fewer if the box is flat (two) or a point (one).
    #[must_use]
    pub fn corners(&self) -> &[DVec2] {
        &self.corners[..usize::from(self.count)]
    }

    pub(crate) fn as_corners(&self) -> Corners<'_> {
        Corners::Borrowed(self.corners())
    }
}
