use glam::DVec2;
use thiserror::Error;

/// A one-sided segment from `a` to `b`; its outward normal is on the left of the way from `a` to `b`.
///
/// From left to right it is a floor. A segment of zero length has no face and no normal, only its end points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    a: DVec2,
    b: DVec2,
}

/// A disc around a centre. With a radius of 0 it is a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    center: DVec2,
    radius: f64,
}

/// A box with sides along the axes, by its centre and half its size. It may be flat or a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    center: DVec2,
    half: DVec2,
}

/// Which end points of a segment can be hit: convex corners and free ends, but not joins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ends {
    /// The end point `a`.
    pub start: bool,
    /// The end point `b`.
    pub end: bool,
}

/// Why numbers are no shape.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A coordinate is NaN or infinite.
    #[error("({}, {}) is not finite", .at.x, .at.y)]
    NotFinite {
        /// The point, or the pair of half extents.
        at: DVec2,
    },
    /// A radius or half extent is negative, NaN or infinite.
    #[error("an extent of {extent} is not a finite number that is 0 or more")]
    BadExtent {
        /// The extent given.
        extent: f64,
    },
}

impl Segment {
    /// The segment from `a` to `b`, normal on the left.
    ///
    /// # Errors
    /// [`ShapeError::NotFinite`].
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{DVec2, float::Segment};
    ///
    /// let floor = Segment::new(DVec2::new(0.0, 1.0), DVec2::new(4.0, 1.0))?;
    /// assert_eq!(floor.normal(), Some(DVec2::Y));
    /// assert_eq!(Segment::new(DVec2::ONE, DVec2::ONE)?.normal(), None);
    /// assert!(Segment::new(DVec2::NAN, DVec2::ONE).is_err());
    /// # Ok::<(), surefoot_geometry::float::ShapeError>(())
    /// ```
    pub fn new(a: DVec2, b: DVec2) -> Result<Segment, ShapeError> {
        Ok(Segment { a: finite(a)?, b: finite(b)? })
    }

    /// Where it starts.
    #[must_use]
    pub const fn a(&self) -> DVec2 {
        self.a
    }

    /// Where it ends.
    #[must_use]
    pub const fn b(&self) -> DVec2 {
        self.b
    }

    /// The outward unit normal; `None` for a segment of zero length.
    #[must_use]
    pub fn normal(&self) -> Option<DVec2> {
        (self.a != self.b).then(|| unit((self.b - self.a).perp()))
    }
}

impl Circle {
    /// The disc of that radius.
    ///
    /// # Errors
    /// [`ShapeError`] for a centre that is not finite and a radius that is negative or not finite.
    pub fn new(center: DVec2, radius: f64) -> Result<Circle, ShapeError> {
        Ok(Circle { center: finite(center)?, radius: extent(radius)? })
    }

    /// The centre.
    #[must_use]
    pub const fn center(&self) -> DVec2 {
        self.center
    }

    /// The radius, 0 or more.
    #[must_use]
    pub const fn radius(&self) -> f64 {
        self.radius
    }
}

impl Aabb {
    /// The box that reaches `half` to each side of its centre.
    ///
    /// # Errors
    /// [`ShapeError`] for a centre that is not finite and half extents that are negative or not finite.
    pub fn new(center: DVec2, half: DVec2) -> Result<Aabb, ShapeError> {
        Ok(Aabb { center: finite(center)?, half: DVec2::new(extent(half.x)?, extent(half.y)?) })
    }

    /// The centre.
    #[must_use]
    pub const fn center(&self) -> DVec2 {
        self.center
    }

    /// Half its width and half its height, 0 or more.
    #[must_use]
    pub const fn half(&self) -> DVec2 {
        self.half
    }
}

impl Ends {
    /// Both end points can be hit.
    pub const BOTH: Ends = Ends { start: true, end: true };

    /// Only the face can be hit.
    pub const NEITHER: Ends = Ends { start: false, end: false };
}

/// `v` with length 1. Along an axis the answer is exact, and swapping or negating coordinates commutes with it.
pub(super) fn unit(v: DVec2) -> DVec2 {
    // Adding zero turns -0 into 0.
    v / (v.x * v.x + v.y * v.y).sqrt() + DVec2::ZERO
}

fn finite(at: DVec2) -> Result<DVec2, ShapeError> {
    if at.is_finite() { Ok(at) } else { Err(ShapeError::NotFinite { at }) }
}

fn extent(extent: f64) -> Result<f64, ShapeError> {
    // Not `extent < 0`: NaN must be refused too.
    if extent >= 0.0 && extent.is_finite() { Ok(extent) } else { Err(ShapeError::BadExtent { extent }) }
}
