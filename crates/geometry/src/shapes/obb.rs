use super::check::{ShapeError, coordinates, extent};
use super::core::Corners;
use crate::exact_arith::{direction, turn};
use crate::written::written;
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A box turned by any angle: a centre, half its size, and the direction of its own x axis.
///
/// Every question is asked of its four corners, each rounded to f64 once the box is made; so it is exact as the polygon
/// that it is, and within 2^-51 of the largest coordinate of the box that was meant. Half extents may be 0, or too small
/// for f64 to tell corners apart there: then it is the segment through its middle, or a point.
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
    /// The box around `center`, in lengths, whose own x axis points along `axis`; its length does not matter, and one of
    /// length 1 is kept to the bit.
    ///
    /// For a turn by an angle, `axis` is `DVec2::from_angle(angle)`. Quarter turns are not exact so: no f64 is a right
    /// angle, the cosine of the nearest one is 6e-17, and a box that should touch comes out apart, or overlapping, by as
    /// much of its size. `DVec2::X`, `DVec2::Y` and their opposites turn by right angles exactly.
    ///
    /// # Errors
    /// [`ShapeError`] for coordinates that are not finite or beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE), half extents
    /// that are not numbers from 0 to there, and an axis of length 0.
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
        let (center, half) = (coordinates(center)?, DVec2::new(extent(half.x)?, extent(half.y)?));
        let axis = direction(coordinates(axis)?).ok_or(ShapeError::NoDirection { at: axis })?;
        // What is too small to be read again is not kept either.
        let axis = coordinates(axis)?;
        let (along, across) = (axis * half.x, axis.perp() * half.y);
        let corner = |offset: DVec2| coordinates(center + offset);
        let corners =
            [corner(-along - across)?, corner(along - across)?, corner(along + across)?, corner(-along + across)?];
        let is_convex = (0..4).all(|i| turn(corners[i], corners[(i + 1) % 4], corners[(i + 2) % 4]) > 0.0);
        let (corners, count) = if is_convex {
            (corners, 4)
        } else {
            let longer = if half.x >= half.y { along } else { across };
            let (a, b) = (corner(-longer)?, corner(longer)?);
            ([a, b, a, b], if a == b { 1 } else { 2 })
        };
        Ok(Obb { center, half_extents: half, axis, corners, count })
    }

    /// This shape further on by `by`, its coordinates rounded to f64.
    ///
    /// # Errors
    /// [`ShapeError`] where it would not be within [`MAX_COORDINATE`](crate::MAX_COORDINATE), and for a `by` that is not
    /// finite.
    pub fn translated(&self, by: DVec2) -> Result<Obb, ShapeError> {
        Obb::new(self.center + by, self.half_extents, self.axis)
    }

    /// The centre.
    #[must_use]
    pub const fn center(&self) -> DVec2 {
        self.center
    }

    /// Half its size along its own axes.
    #[must_use]
    pub const fn half_extents(&self) -> DVec2 {
        self.half_extents
    }

    /// The unit vector along its own x axis.
    #[must_use]
    pub const fn axis(&self) -> DVec2 {
        self.axis
    }

    /// The corners, counter-clockwise: four, or two or one of a box without width.
    #[must_use]
    pub fn corners(&self) -> &[DVec2] {
        &self.corners[..usize::from(self.count)]
    }

    pub(crate) fn as_corners(&self) -> Corners<'_> {
        Corners::Borrowed(self.corners())
    }
}
