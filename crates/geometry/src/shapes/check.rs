use crate::debug_is_display;
use glam::DVec2;
use thiserror::Error;

/// Largest absolute value of a coordinate, a half-extent or a radius: 2^24, in any unit of length.
///
/// Constructors of shapes return an error for larger numbers. The limit keeps rounding small: at the limit,
/// neighbouring f64 numbers are 2^-29 apart, much less than the contact tolerance
/// [`tolerance::TOUCH`](crate::tolerance::TOUCH), 2^-24. All whole numbers up to the limit are exact in f32 too.
pub const MAX_COORDINATE: f64 = (1_u64 << 24) as f64;

/// Coordinates closer to 0 than 2^-200 count as 0. So a product of four differences of coordinates never underflows.
const SMALLEST: f64 = {
    let step = 1.0 / (1_u64 << 50) as f64;
    step * step * step * step
};

/// Maximum number of corners of a [`ConvexPolygon`](crate::ConvexPolygon): 16.
pub const MAX_CORNERS: usize = 16;

/// Error of creating a shape, such as a circle with a negative radius.
#[derive(Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A coordinate is NaN or infinite.
    #[error("the coordinates ({}, {}) are not finite; expected finite numbers", .at.x, .at.y)]
    NotFinite {
        /// The coordinates that are not finite.
        at: DVec2,
    },
    /// A coordinate is further from 0 than [`MAX_COORDINATE`] (2^24).
    #[error("the coordinates ({}, {}) are out of range; expected numbers from -{MAX_COORDINATE} to {MAX_COORDINATE}", .at.x, .at.y)]
    TooFar {
        /// The coordinates that are out of range.
        at: DVec2,
    },
    /// A radius or half-extent is negative, NaN or more than [`MAX_COORDINATE`] (2^24).
    #[error("the radius or half-extent {extent} is out of range; expected a number from 0 to {MAX_COORDINATE}")]
    BadExtent {
        /// The radius or half-extent given.
        extent: f64,
    },
    /// The corner given as lower left is above or to the right of the corner given as upper right.
    #[error("the box corners ({}, {}) and ({}, {}) are in the wrong order; expected the lower left, then the upper right", .min.x, .min.y, .max.x, .max.y)]
    Inverted {
        /// The corner given as the lower left.
        min: DVec2,
        /// The corner given as the upper right.
        max: DVec2,
    },
    /// A direction is missing: two points are equal, or a direction vector has length 0.
    #[error("({}, {}) gives no direction; expected two different points or a vector that is not zero", .at.x, .at.y)]
    NoDirection {
        /// The point given twice, or the direction vector.
        at: DVec2,
    },
    /// The corners of a triangle are on one line.
    #[error("the three corners of the triangle are on one line; expected corners that span an area")]
    Flat,
    /// A polygon has fewer than 3 corners or more than [`MAX_CORNERS`].
    #[error("the polygon has {count} corners; expected 3 to {MAX_CORNERS}")]
    CornerCount {
        /// Number of corners given.
        count: usize,
    },
    /// The outline of a polygon does not turn in one direction at every corner, so the polygon is not convex.
    ///
    /// The corner is repeated, is in line with its neighbours, or turns in the opposite direction.
    #[error("the polygon is not convex at corner {corner}, counted from 0; expected all turns in one direction")]
    NotConvex {
        /// Index of the corner among the corners given, counted from 0.
        corner: usize,
    },
    /// The outline of a polygon goes around more than once before it closes, such as a five-pointed star drawn in one
    /// line.
    #[error("the polygon winds around more than once; expected one turn")]
    Winding,
}

debug_is_display!(ShapeError);

/// Returns the point if its coordinates are valid for a shape.
pub(super) fn check_coordinates(at: DVec2) -> Result<DVec2, ShapeError> {
    if !at.is_finite() {
        return Err(ShapeError::NotFinite { at });
    }
    if at.x.abs() > MAX_COORDINATE || at.y.abs() > MAX_COORDINATE {
        return Err(ShapeError::TooFar { at });
    }
    Ok(DVec2::new(flush_small_to_zero(at.x), flush_small_to_zero(at.y)))
}

/// Returns the radius or half-extent if it is valid for a shape.
pub(super) fn check_extent(extent: f64) -> Result<f64, ShapeError> {
    // Do not write `extent < 0`: NaN must be rejected too.
    if (0.0..=MAX_COORDINATE).contains(&extent) {
        Ok(flush_small_to_zero(extent))
    } else {
        Err(ShapeError::BadExtent { extent })
    }
}

/// Returns two points if they are valid and different.
pub(super) fn check_distinct_points(a: DVec2, b: DVec2) -> Result<(DVec2, DVec2), ShapeError> {
    let (a, b) = (check_coordinates(a)?, check_coordinates(b)?);
    if a == b { Err(ShapeError::NoDirection { at: a }) } else { Ok((a, b)) }
}

/// Returns the number, or 0 if it is too small; never -0.
#[inline(always)]
pub(crate) fn flush_small_to_zero(number: f64) -> f64 {
    if number.abs() < SMALLEST { 0.0 } else { number }
}
