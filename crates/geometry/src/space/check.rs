use crate::debug_is_display;
use crate::shapes::{MAX_COORDINATE, flush_small_to_zero};
use glam::{DVec3, dvec3};
use thiserror::Error;

/// Error of creating a shape in 3D, such as a sphere with a negative radius.
#[derive(Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum SpaceError {
    /// A coordinate is NaN or infinite.
    #[error("the coordinates ({}, {}, {}) are not finite; expected finite numbers", .at.x, .at.y, .at.z)]
    NotFinite {
        /// The coordinates that are not finite.
        at: DVec3,
    },
    /// A coordinate is further from 0 than [`MAX_COORDINATE`] (2^24).
    #[error("the coordinates ({}, {}, {}) are out of range; expected numbers from -{MAX_COORDINATE} to {MAX_COORDINATE}", .at.x, .at.y, .at.z)]
    TooFar {
        /// The coordinates that are out of range.
        at: DVec3,
    },
    /// A radius is negative, NaN or more than [`MAX_COORDINATE`] (2^24).
    #[error("the radius {radius} is out of range; expected a number from 0 to {MAX_COORDINATE}")]
    BadRadius {
        /// The radius given.
        radius: f64,
    },
    /// A direction is missing: two points are equal, or a direction vector has length 0.
    #[error("({}, {}, {}) gives no direction; expected two different points or a vector that is not zero", .at.x, .at.y, .at.z)]
    NoDirection {
        /// The point given twice, or the direction vector.
        at: DVec3,
    },
    /// The three points of a triangle or a plane are on one line, so they span no area.
    #[error("the three points of the triangle or plane are on one line; expected points that span an area")]
    Flat,
}

debug_is_display!(SpaceError);

/// Returns the point if its coordinates are valid for a shape.
pub(super) fn check_coordinates(at: DVec3) -> Result<DVec3, SpaceError> {
    if !at.is_finite() {
        return Err(SpaceError::NotFinite { at });
    }
    if at.abs().max_element() > MAX_COORDINATE {
        return Err(SpaceError::TooFar { at });
    }
    Ok(dvec3(flush_small_to_zero(at.x), flush_small_to_zero(at.y), flush_small_to_zero(at.z)))
}

/// Returns three points if they are valid and not on one line.
pub(super) fn check_corners([a, b, c]: [DVec3; 3]) -> Result<[DVec3; 3], SpaceError> {
    let corners = [check_coordinates(a)?, check_coordinates(b)?, check_coordinates(c)?];
    if super::formula::are_collinear(corners) { Err(SpaceError::Flat) } else { Ok(corners) }
}

/// Returns the radius if it is valid for a shape.
pub(super) fn check_radius(radius: f64) -> Result<f64, SpaceError> {
    // Do not write `radius < 0`: NaN must be rejected too.
    if (0.0..=MAX_COORDINATE).contains(&radius) {
        Ok(flush_small_to_zero(radius))
    } else {
        Err(SpaceError::BadRadius { radius })
    }
}
