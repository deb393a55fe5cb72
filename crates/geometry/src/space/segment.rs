use super::check::{SpaceError, check_coordinates};
use super::pierce::{Line, Pierce, pierce};
use super::{Plane, Triangle3};
use crate::intersect::Intersect;
use crate::written::written;
use glam::DVec3;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A straight segment in 3D from `a` to `b`, both ends included. The segment may be a single point.
///
/// Queries give positions on the segment as a number `t`, from 0 at `a` to 1 at `b`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "Unchecked"))]
pub struct Segment3 {
    a: DVec3,
    b: DVec3,
}

written!(Segment3, "Segment3", SpaceError, a: DVec3, b: DVec3);

/// The points that a segment and a plane have in common, returned by [`Intersect`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlaneCrossing {
    /// The segment and the plane have no point in common.
    None,
    /// The segment and the plane have one point in common.
    Point {
        /// Position of the point.
        point: DVec3,
        /// Position of the point along the segment, from 0 at `a` to 1 at `b`.
        t: f64,
    },
    /// The whole segment lies in the plane.
    Segment,
}

/// The points that a segment and a triangle have in common, returned by [`Intersect`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TriangleCrossing {
    /// The segment and the triangle have no point in common.
    None,
    /// The segment and the triangle have one point in common.
    Point {
        /// Position of the point.
        point: DVec3,
        /// Position of the point along the segment, from 0 at `a` to 1 at `b`.
        t: f64,
        /// Barycentric coordinates of the point: the weight of each corner, 0 or more. The sum is 1.
        barycentric: [f64; 3],
    },
    /// The segment lies in the plane of the triangle. It may be inside or outside the triangle.
    ///
    /// To find the points that the two have in common, project them to 2D and use [`Segment`](crate::Segment) and
    /// [`Triangle`](crate::Triangle).
    InPlane,
}

impl Segment3 {
    /// Creates the segment from `a` to `b`.
    ///
    /// # Errors
    /// Returns [`SpaceError`] if a coordinate is not finite or its absolute value exceeds
    /// [`MAX_COORDINATE`](crate::MAX_COORDINATE) (2^24).
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::space::{DVec3, Segment3, SpaceError};
    ///
    /// assert_eq!(Segment3::new(DVec3::ZERO, DVec3::Z)?.b(), DVec3::Z);
    /// assert!(Segment3::new(DVec3::ZERO, DVec3::NAN).is_err());
    /// assert!(Segment3::new(DVec3::ONE, DVec3::ONE).is_ok()); // A point.
    /// # Ok::<(), SpaceError>(())
    /// ```
    pub fn new(a: DVec3, b: DVec3) -> Result<Segment3, SpaceError> {
        Ok(Segment3 { a: check_coordinates(a)?, b: check_coordinates(b)? })
    }

    /// Returns the start of the segment.
    #[must_use]
    pub const fn a(&self) -> DVec3 {
        self.a
    }

    /// Returns the end of the segment.
    #[must_use]
    pub const fn b(&self) -> DVec3 {
        self.b
    }
}

impl Intersect<Plane> for Segment3 {
    type Shared = PlaneCrossing;

    /// Returns the points that the segment and `plane` have in common: nothing, one point or the whole segment.
    ///
    /// The ends of the segment belong to it. If only an end is on the plane, `t` is exactly 0 or 1. Which variant of
    /// [`PlaneCrossing`] is returned is decided without rounding.
    ///
    /// The relative error of `t` is at most [`tolerance::ROUNDING`](crate::tolerance::ROUNDING) (2^-50). The error of
    /// the point is at most 2^-50 times the length of the segment, plus the rounding of the point to f64.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::Intersect;
    /// use surefoot_geometry::space::{DVec3, Plane, PlaneCrossing, Segment3, dvec3};
    ///
    /// let ground = Plane::new(DVec3::ZERO, DVec3::Y)?;
    /// let fall = Segment3::new(dvec3(2.0, 3.0, 0.0), dvec3(2.0, -1.0, 0.0))?;
    /// assert_eq!(fall.intersect(&ground), PlaneCrossing::Point { point: dvec3(2.0, 0.0, 0.0), t: 0.75 });
    ///
    /// let above = Segment3::new(dvec3(2.0, 3.0, 0.0), dvec3(2.0, 1.0, 0.0))?;
    /// assert_eq!(above.intersect(&ground), PlaneCrossing::None);
    ///
    /// let onto = Segment3::new(dvec3(2.0, 3.0, 0.0), DVec3::X)?;
    /// assert_eq!(onto.intersect(&ground), PlaneCrossing::Point { point: DVec3::X, t: 1.0 });
    /// assert_eq!(Segment3::new(DVec3::X, DVec3::Z)?.intersect(&ground), PlaneCrossing::Segment);
    /// # Ok::<(), surefoot_geometry::space::SpaceError>(())
    /// ```
    fn intersect(&self, plane: &Plane) -> PlaneCrossing {
        let (at_a, at_b) = (plane.height(self.a), plane.height(self.b));
        if at_a == 0.0 && at_b == 0.0 {
            return PlaneCrossing::Segment;
        }
        if (at_a > 0.0 && at_b > 0.0) || (at_a < 0.0 && at_b < 0.0) {
            return PlaneCrossing::None;
        }
        // The heights have different signs, so the subtraction loses no digits. Adding zero turns -0 into 0.
        let t = at_a / (at_a - at_b) + 0.0;
        PlaneCrossing::Point { point: self.point_at(t, at_b == 0.0), t }
    }
}

impl Intersect<Triangle3> for Segment3 {
    type Shared = TriangleCrossing;

    /// Returns the points that the segment and `triangle` have in common: nothing or one point.
    ///
    /// A segment in the plane of the triangle gives [`TriangleCrossing::InPlane`] instead. The edges and corners of
    /// the triangle and the ends of the segment belong to the shapes. Which variant of [`TriangleCrossing`] is
    /// returned is decided without rounding.
    ///
    /// `t`, the barycentric coordinates and the sum of these coordinates have a relative error of at most
    /// [`tolerance::ROUNDING`](crate::tolerance::ROUNDING) (2^-50). The error of the point is at most 2^-50 times the
    /// length of the segment, plus the rounding of the point to f64.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::Intersect;
    /// use surefoot_geometry::space::{DVec3, Segment3, Triangle3, TriangleCrossing, dvec3};
    ///
    /// let floor = Triangle3::new([DVec3::ZERO, dvec3(4.0, 0.0, 0.0), dvec3(0.0, 0.0, 4.0)])?;
    /// let fall = |x: f64, z: f64| Segment3::new(dvec3(x, 1.0, z), dvec3(x, -1.0, z));
    /// let TriangleCrossing::Point { point, t, barycentric } = fall(1.0, 2.0)?.intersect(&floor) else { panic!() };
    /// assert_eq!((point, t, barycentric), (dvec3(1.0, 0.0, 2.0), 0.5, [0.25, 0.25, 0.5]));
    ///
    /// assert_eq!(fall(3.0, 2.0)?.intersect(&floor), TriangleCrossing::None);
    ///
    /// // On the long edge; then along the floor.
    /// let TriangleCrossing::Point { barycentric, .. } = fall(2.0, 2.0)?.intersect(&floor) else { panic!() };
    /// assert_eq!(barycentric, [0.0, 0.5, 0.5]);
    /// let walk = Segment3::new(DVec3::ZERO, DVec3::X)?;
    /// assert_eq!(walk.intersect(&floor), TriangleCrossing::InPlane);
    /// # Ok::<(), surefoot_geometry::space::SpaceError>(())
    /// ```
    fn intersect(&self, triangle: &Triangle3) -> TriangleCrossing {
        match pierce(Line { from: self.a, to: self.b, is_ray: false }, triangle) {
            Pierce::None => TriangleCrossing::None,
            Pierce::InPlane => TriangleCrossing::InPlane,
            Pierce::Point { t, is_end, barycentric, .. } => {
                TriangleCrossing::Point { point: self.point_at(t, is_end), t, barycentric }
            }
        }
    }
}

impl Segment3 {
    fn point_at(&self, t: f64, is_end: bool) -> DVec3 {
        if is_end { self.b } else { self.a + (self.b - self.a) * t }
    }
}
