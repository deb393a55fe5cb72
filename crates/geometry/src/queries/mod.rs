//! Queries on two shapes that do not move.
//!
//! A query matches on the pair of [`AnyShape`]s. Common pairs have a case of their own. All others use
//! [`Core`](crate::shapes::Core). The match is inlined, so a call with known types compiles to its own case.
//!
//! Orientations decide straight shapes exactly. If radii matter, f64 with an error bound decides first. If f64 is in
//! doubt, exact numbers (overlaps and sweeps) or pairs of f64 decide. So results are right, and the common case is
//! fast.
//!
//! Formulas use only differences of coordinates, and commute with swapping and negating coordinates. So mirrored,
//! turned and shifted scenes keep every bit.

mod closest;
mod contact;
mod contains;
mod distance;
mod feature;
mod overlaps;
mod raw;
mod touches;

use crate::intersect::cast_ray;
use crate::shapes::{
    Aabb, AnyBounded, AnyShape, Capsule, Circle, ConvexPolygon, Line, Obb, Point, Ray, Segment, Triangle,
};
use crate::sweep::Hit;
pub use contact::Contact;
use glam::DVec2;

/// A shape and its queries against another shape, a point or a ray.
///
/// y is up. Lengths are in any unit. The boundary of a shape belongs to the shape.
///
/// **The rule at the boundary**, for all pairs: shapes that have only boundary points in common touch and do not
/// overlap.
///
/// The rule also covers thin shapes, such as segments. Two shapes *overlap* if no tiny shift of one of them separates
/// them, whatever the direction of the shift:
///
/// - Two segments that cross overlap, and so do a circle and a point inside it.
/// - Two segments on one line do not overlap, nor do a segment and a point on it.
///
/// Bounds on errors refer to the *scene's size*: the largest difference between two coordinates of both shapes, radii
/// and half-extents included.
pub trait Shape: sealed::Sealed {
    /// Returns whether `point` is inside the shape or on its boundary.
    ///
    /// `point` may have any coordinates. No shape contains a point with a coordinate that is not finite or beyond
    /// 2^900. Coordinates below 2^-200 count as 0, in `point` as in shapes.
    ///
    /// The result is exact for straight shapes; an [`Obb`] counts as the polygon of its four rounded corners. For
    /// circles and capsules, the result can be wrong only if the squares of distance and radius differ by less than a
    /// relative 2^-100.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{Circle, Segment, Shape, dvec2};
    ///
    /// let ball = Circle::new(dvec2(1.0, 1.0), 5.0)?;
    /// assert!(ball.contains(dvec2(2.0, 3.0)));
    /// assert!(!ball.contains(dvec2(4.5, 5.0)));
    /// assert!(ball.contains(dvec2(4.0, 5.0))); // On the circle.
    ///
    /// // A third of the way is on the segment; what f64 makes of 0.1 and 0.3 is not.
    /// let slope = Segment::new(dvec2(0.0, 0.0), dvec2(3.0, 9.0))?;
    /// assert!(slope.contains(dvec2(1.0, 3.0)) && !slope.contains(dvec2(0.1, 0.3)));
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    #[must_use]
    fn contains(&self, point: DVec2) -> bool
    where
        Self: Sized,
    {
        contains::contains(self.as_any_shape(), point)
    }

    /// Returns the point of the shape that is closest to `point`.
    ///
    /// If the shape contains `point`, the result is `point` itself, bit for bit. `point` may have any coordinates: NaN
    /// counts as 0, and coordinates beyond -2^25 or 2^25 (the furthest that a shape with a radius can reach) count as
    /// that limit.
    ///
    /// The error is at most [`tolerance::ROUNDING`](crate::tolerance::ROUNDING) (2^-50) of the scene's size, plus the
    /// rounding of the result to f64. The scene's size is the largest difference between two coordinates of the shape
    /// and `point`. If the closest point of a straight shape is a corner, the result is exactly that corner. If two
    /// corners are equally close (to 106 bits), the result is one of the two.
    ///
    /// Because of rounding, [`contains`](Shape::contains) may return `false` for the result: often no point with f64
    /// coordinates lies exactly on a slope.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{Segment, Shape, dvec2};
    ///
    /// let slope = Segment::new(dvec2(0.0, 0.0), dvec2(4.0, 4.0))?;
    /// assert_eq!(slope.closest_point(dvec2(0.0, 2.0)), dvec2(1.0, 1.0));
    /// assert_eq!(slope.closest_point(dvec2(6.0, 5.0)), dvec2(4.0, 4.0)); // Beyond the end.
    /// assert_eq!(slope.closest_point(dvec2(3.0, 3.0)), dvec2(3.0, 3.0)); // On it already.
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    #[must_use]
    fn closest_point(&self, point: DVec2) -> DVec2
    where
        Self: Sized,
    {
        closest::closest_point(self.as_any_shape(), point)
    }

    // Derivation: if two convex shapes are apart, one of their two nearest points is an end of an edge. So the distance
    // is the least distance of all ends from all edges, less the radii.
    /// Returns the shortest distance between the shapes, in their unit of length; 0.0 if they touch or overlap.
    ///
    /// The result is 0.0 if the shapes have a point in common, boundaries included, and only then. The order of the
    /// two shapes does not change a bit of the result.
    ///
    /// The error is at most [`tolerance::ROUNDING`](crate::tolerance::ROUNDING) (2^-50) of the scene's size: the
    /// largest difference between two coordinates of both shapes, radii included.
    ///
    /// For straight shapes, rounding never affects whether the result is 0. For shapes with a radius, it can do so
    /// only if the shapes touch within a relative 2^-100.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{Aabb, Circle, Segment, Shape, dvec2};
    ///
    /// let ball = Circle::new(dvec2(5.0, 6.0), 2.0)?;
    /// let chest = Aabb::new(dvec2(0.0, 0.0), dvec2(2.0, 2.0))?;
    /// assert_eq!(ball.distance(&chest), 3.0);
    /// assert_eq!(ball.distance(&Segment::new(dvec2(0.0, 6.0), dvec2(9.0, 6.0))?), 0.0); // Through it.
    /// assert_eq!(ball.distance(&Segment::new(dvec2(0.0, 8.0), dvec2(9.0, 8.0))?), 0.0); // Touches it.
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    #[must_use]
    fn distance(&self, other: &impl Shape) -> f64
    where
        Self: Sized,
    {
        distance::distance(self.as_any_shape(), other.as_any_shape())
    }

    /// Returns the square of the [`distance`](Shape::distance); 0.0 if the shapes touch or overlap, and only then.
    ///
    /// Faster than `distance` for straight shapes, because no square root is needed. For straight shapes, the error
    /// is at most the larger of two numbers, with [`ROUNDING`](crate::tolerance::ROUNDING) = 2^-50:
    /// - `ROUNDING` times the result;
    /// - the square of (`ROUNDING` times the scene's size). The scene's size is the largest difference between two
    ///   coordinates of both shapes.
    ///
    /// For circles and capsules, the result is as accurate as the square of `distance`.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{Point, Segment, Shape, dvec2};
    ///
    /// let (origin, floor) = (Point::new(dvec2(0.0, 0.0))?, Segment::new(dvec2(-1.0, 2.0), dvec2(2.0, -1.0))?);
    /// assert_eq!(origin.distance_sq(&floor), 0.5);
    /// assert_eq!(origin.distance_sq(&Point::new(dvec2(1.0, 1.0))?), 2.0);
    /// assert_eq!(Point::new(dvec2(1.0, 0.0))?.distance_sq(&floor), 0.0); // On it.
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    #[must_use]
    fn distance_sq(&self, other: &impl Shape) -> f64
    where
        Self: Sized,
    {
        distance::distance_sq(self.as_any_shape(), other.as_any_shape())
    }

    /// Returns whether the interiors of the shapes overlap; exact.
    ///
    /// Shapes that have only boundary points in common do not overlap. Two segments overlap if they cross (see
    /// [`Shape`]). A capsule with a radius above 0 has an interior, even if its segment is a point. An [`Obb`] counts
    /// as the polygon of its four rounded corners.
    ///
    /// Source: the separating axis theorem. Each axis is an edge, and [`orientation`](crate::orientation) decides on
    /// which side of the edge a corner lies.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{Aabb, Circle, DVec2, Segment, Shape, dvec2};
    ///
    /// let ground = Aabb::new(dvec2(0.0, -1.0), dvec2(10.0, 0.0))?;
    /// assert!(Circle::new(dvec2(3.0, 0.75), 1.0)?.overlaps(&ground));
    /// assert!(!Circle::new(dvec2(3.0, 1.25), 1.0)?.overlaps(&ground));
    /// // Touching, on the side and at the corner: 3, 4 and 5 are the sides of a right triangle.
    /// assert!(!Circle::new(dvec2(3.0, 1.0), 1.0)?.overlaps(&ground));
    /// assert!(!Circle::new(dvec2(13.0, 4.0), 5.0)?.overlaps(&ground));
    ///
    /// // Segments overlap where they cross, not where one ends on the other.
    /// let level = Segment::new(DVec2::ZERO, dvec2(4.0, 0.0))?;
    /// assert!(level.overlaps(&Segment::new(dvec2(1.0, -1.0), dvec2(1.0, 1.0))?));
    /// assert!(!level.overlaps(&Segment::new(dvec2(1.0, 0.0), dvec2(1.0, 1.0))?));
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    #[must_use]
    fn overlaps(&self, other: &impl Shape) -> bool
    where
        Self: Sized,
    {
        overlaps::overlaps(self.as_any_shape(), other.as_any_shape())
    }

    /// Returns whether the shapes touch, with a tolerance: at most [`tolerance::TOUCH`](crate::tolerance::TOUCH)
    /// (2^-24) apart, or at most that deep in each other.
    ///
    /// Shapes touch in two cases:
    /// - They are apart by at most this tolerance.
    /// - They overlap, but a shift by at most this tolerance separates them. So shapes can overlap and touch at the
    ///   same time.
    ///
    /// Two lines that cross never touch. Distances and depths are those of [`contact`](Shape::contact), with the same
    /// accuracy.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{Aabb, Shape, dvec2, tolerance};
    ///
    /// let ground = Aabb::new(dvec2(0.0, -1.0), dvec2(10.0, 0.0))?;
    /// let box_at = |y: f64| Aabb::new(dvec2(4.0, y), dvec2(5.0, y + 1.0));
    /// assert!(box_at(0.0)?.touches(&ground));
    /// assert!(!box_at(0.5)?.touches(&ground) && !box_at(-0.5)?.touches(&ground));
    /// assert!(box_at(tolerance::TOUCH)?.touches(&ground) && box_at(-tolerance::TOUCH)?.touches(&ground));
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    #[must_use]
    fn touches(&self, other: &impl Shape) -> bool
    where
        Self: Sized,
    {
        touches::touches(self.as_any_shape(), other.as_any_shape())
    }

    // Derivation: the boundary of the Minkowski difference consists of edges and of arcs around its corners. Its
    // edges are parallel to edges of the two shapes, and the arcs come from the radii. The contact is at the part of
    // the boundary that is nearest to the origin. If the cores (the shapes without radii) overlap, this part is an
    // edge. If the cores are apart, this part is an edge or an arc.
    /// Returns the contact between the shapes; `None` if they neither overlap nor touch.
    ///
    /// The normal points from the other shape to this shape. The depth is the length of the shortest shift along the
    /// normal that separates the two. The depth is above 0 if the shapes [`overlap`](Shape::overlaps), and only then.
    /// Swapped shapes give the same depth, bit for bit, and the opposite normal.
    ///
    /// If several shifts are equally short in f64, these rules choose the normal, in this order. The rules compare the
    /// bounding boxes of the corners of both shapes. Radii do not count.
    /// 1. The normal that points more from the middle of the other shape's box to the middle of this shape's box.
    /// 2. The less slanted normal, which is nearer to the x or y axis. Of two equally slanted normals, the one along
    ///    which a box is longer.
    /// 3. If both boxes look the same in a mirror, the normal that points more upwards, then more to the right.
    ///
    /// The first two rules choose the corresponding normal in mirrored and quarter-turned scenes. Only the third rule
    /// may choose another normal for swapped shapes. Round shapes with a common centre get a normal that points up.
    ///
    /// A line or ray has a contact if a finite shift separates the two shapes. For example, a ray can move backwards
    /// off a line that it crosses. Two lines that cross overlap, but no shift separates them, so they have no
    /// contact.
    ///
    /// Accuracy, as fractions of the scene's size (the largest difference between two coordinates of both shapes,
    /// radii included), with [`ROUNDING`](crate::tolerance::ROUNDING) = 2^-50:
    /// - The error of the depth is at most `ROUNDING`.
    /// - After this shape moves by the depth, the gap or overlap between the shapes is at most `2 * ROUNDING`.
    /// - The error of the point is at most `4 * ROUNDING`, plus the rounding of the point to f64.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{Aabb, Circle, Contact, DVec2, Shape, dvec2};
    ///
    /// let ground = Aabb::new(dvec2(0.0, -1.0), dvec2(10.0, 0.0))?;
    /// let sunk = Circle::new(dvec2(3.0, 0.75), 1.0)?.contact(&ground);
    /// assert_eq!(sunk, Some(Contact { point: dvec2(3.0, 0.0), normal: DVec2::Y, depth: 0.25 }));
    /// assert_eq!(Circle::new(dvec2(3.0, 1.25), 1.0)?.contact(&ground), None);
    ///
    /// // Resting half over the edge: touching, and in the middle of what the two share.
    /// let resting = Aabb::new(dvec2(9.0, 0.0), dvec2(11.0, 1.0))?.contact(&ground);
    /// assert_eq!(resting, Some(Contact { point: dvec2(9.5, 0.0), normal: DVec2::Y, depth: 0.0 }));
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    #[must_use]
    fn contact(&self, other: &impl Shape) -> Option<Contact>
    where
        Self: Sized,
    {
        contact::contact(self.as_any_shape(), other.as_any_shape())
    }

    /// Returns the first hit of `ray` on the shape; `None` if the ray misses.
    ///
    /// [`Hit::toi`] is the position of the hit along the ray: 0 at the ray's origin, 1 at its second point `through`,
    /// larger beyond. The normal is a unit vector that points out of the shape, against the ray.
    ///
    /// A ray hits exactly the shapes that it overlaps (see [`Shape`]):
    /// - A ray that passes a corner or runs along a side misses.
    /// - A ray that crosses a segment or a line hits it, from either side.
    /// - A ray that starts on a segment, or only touches the end of a segment, misses.
    /// - A ray never hits a point.
    ///
    /// Two cases give a `toi` of 0:
    /// - If the ray starts on the boundary of the shape and goes in, the normal is that of the boundary.
    /// - If the ray starts inside, the normal is the opposite of the ray's direction.
    ///
    /// Hit or miss is exact for straight shapes, and decided to 98 bits for circles and capsules. The point is at
    /// most [`tolerance::ROUNDING`](crate::tolerance::ROUNDING) (2^-50) of the scene's size away from the boundary,
    /// plus the rounding of the point to f64. The scene's size is the largest difference between two coordinates of
    /// ray and shape.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{Aabb, DVec2, Ray, Shape, dvec2};
    ///
    /// let crate_on_floor = Aabb::new(dvec2(4.0, 0.0), dvec2(6.0, 2.0))?;
    /// let hit = crate_on_floor.cast_ray(&Ray::towards(dvec2(0.0, 1.0), dvec2(2.0, 0.0))?).unwrap();
    /// assert_eq!((hit.toi, hit.point, hit.normal), (2.0, dvec2(4.0, 1.0), DVec2::NEG_X));
    ///
    /// assert!(crate_on_floor.cast_ray(&Ray::towards(dvec2(0.0, 1.0), DVec2::NEG_X)?).is_none());
    /// // Along its top.
    /// assert!(crate_on_floor.cast_ray(&Ray::towards(dvec2(0.0, 2.0), DVec2::X)?).is_none());
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    #[must_use]
    fn cast_ray(&self, ray: &Ray) -> Option<Hit>
    where
        Self: Sized,
    {
        cast_ray(self.as_any_shape(), ray)
    }
}

pub(crate) mod sealed {
    use crate::shapes::AnyShape;

    /// The shapes of this crate: no other crate can implement [`Shape`](crate::Shape).
    pub trait Sealed {
        /// Converts the shape to [`AnyShape`].
        fn as_any_shape(&self) -> AnyShape<'_>;
    }
}

macro_rules! is_shape {
    ($($kind:ident),*) => {
        $(
            impl sealed::Sealed for $kind {
                #[inline]
                fn as_any_shape(&self) -> AnyShape<'_> {
                    AnyShape::$kind(self)
                }
            }

            impl Shape for $kind {}
        )*
    };
}

is_shape!(Point, Line, Ray, Segment, Circle, Aabb, Obb, Capsule, Triangle, ConvexPolygon);

impl sealed::Sealed for AnyShape<'_> {
    #[inline]
    fn as_any_shape(&self) -> AnyShape<'_> {
        *self
    }
}

impl Shape for AnyShape<'_> {}

impl sealed::Sealed for AnyBounded<'_> {
    #[inline]
    fn as_any_shape(&self) -> AnyShape<'_> {
        self.shape()
    }
}

impl Shape for AnyBounded<'_> {}
