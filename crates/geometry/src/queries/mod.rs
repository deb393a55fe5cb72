//! Questions about two shapes that stand still.
//!
//! A question matches on the pair of [`AnyShape`]s. Common pairs have a case of their own, all others go through
//! [`Core`](crate::shapes::Core). The match is inlined, so that a call with known types is its own case.
//!
//! Straight shapes are decided by orientations, exactly. Where radii count, f64 with a bound on its error decides, and
//! where that is in doubt exact numbers (overlaps and sweeps) or pairs of f64. So the answer is right and the common
//! case is fast. Everything is computed from differences of coordinates, by forms that commute with swapping and
//! negating them: so mirrors, turns and shifts keep the bits.

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

/// A shape, and what can be asked about it and another one.
///
/// y is up. Lengths are in any unit. Shapes are closed: their boundary belongs to them.
///
/// **The rule at the boundary**, for all pairs: shapes that share no more than their boundaries touch, and do not
/// overlap. Put so that it holds for thin shapes too: two shapes *overlap* if they still have a point in common after any
/// shift of one of them that is short enough. So two segments that cross overlap, and a point inside a circle and the
/// circle; two segments on one line do not, nor does a point on a segment.
///
/// The size of a scene, in what is said about accuracy, is the largest difference of two of its coordinates, extents and
/// radii included.
pub trait Shape: sealed::Sealed {
    /// Is the point in the closed shape?
    ///
    /// The point is in the frame of the shape, y up. It may be any: one that is not finite, or more than 2^900 from 0 on
    /// an axis, is in nothing; coordinates below 2^-200 are taken as 0, as those of shapes are.
    ///
    /// A point on the boundary is in the shape.
    ///
    /// Exact for straight shapes, an [`Obb`] being the polygon of its corners. For circles and capsules it is decided in
    /// 106 bits: wrong at most where the squares of the distance and of the radius differ by less than 2^-100 of
    /// themselves.
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
        contains::contains(self.any(), point)
    }

    /// The point of the shape that is nearest to a point.
    ///
    /// The point is in the frame of the shape, y up. It may be any: coordinates that are NaN are taken as 0, others are
    /// brought to within 2^25, which is as far as a shape with a radius can reach.
    ///
    /// A point that the shape contains is its own answer, to the bit.
    ///
    /// The answer is within [`tolerance::ROUNDING`](crate::tolerance::ROUNDING) of the size of the scene, the point
    /// included, and the rounding of its coordinates to f64. Where the nearest point of a straight shape is a corner, it
    /// is that corner to the bit; of two corners as near as 106 bits can tell, one. It is no promise that
    /// [`contains`](Shape::contains) says yes to the answer: on a slope there may be no f64 point.
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
        closest::closest_point(self.any(), point)
    }

    /// How long is the shortest way between the shapes?
    ///
    /// In lengths. The order of the two changes no bit.
    ///
    /// It is 0.0 if the shapes have a point in common, also one of their boundaries, and more otherwise. Between straight
    /// shapes that is exact: lines are parallel exactly or they meet. Where a radius has a part in it, it is decided in
    /// 106 bits: wrong at most where the square of what the radii must cover and that of their sum differ by less than
    /// 2^-100 of themselves.
    ///
    /// Within [`tolerance::ROUNDING`](crate::tolerance::ROUNDING) of the scene's size.
    ///
    /// Derived here: of two convex shapes that do not meet, an end of one is in the nearest pair of points. So the
    /// distance is the least of all ends from all edges, less the radii.
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
        distance::distance(self.any(), other.any())
    }

    /// The square of the [`distance`](Shape::distance), in lengths squared.
    ///
    /// For straight shapes it is had without a root, and within [`tolerance::ROUNDING`](crate::tolerance::ROUNDING) of
    /// itself, or of the square of ROUNDING times the scene's size, whichever is more. For round ones it is as accurate as
    /// the square of the distance. 0.0 as the distance is.
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
        distance::distance_sq(self.any(), other.any())
    }

    /// Do the interiors meet?
    ///
    /// Shapes that share no more than their boundaries do not overlap, nor do two thin shapes that do not cross: see
    /// [`Shape`]. A radius of more than 0 makes a thin shape fat.
    ///
    /// The answer is exact: decided in f64 where that leaves no doubt, and from exact numbers elsewhere. An [`Obb`] is the
    /// polygon of its rounded corners.
    ///
    /// Source: the separating axis theorem; each axis is an edge, and which side of it a corner is on is an
    /// [`orientation`](crate::orientation).
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
        overlaps::overlaps(self.any(), other.any())
    }

    /// Are the shapes within [`tolerance::TOUCH`](crate::tolerance::TOUCH) of sharing a boundary and nothing else?
    ///
    /// They are not further apart, and a shift of that length parts them if they overlap. So shapes may overlap and touch.
    /// Lines that cross do not touch. Distance and depth are as in [`contact`](Shape::contact), with its accuracy.
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
        touches::touches(self.any(), other.any())
    }

    /// Where and how deep do the shapes meet? `None` if they neither overlap nor touch.
    ///
    /// The normal points from the other shape to this one. The depth is the length of the shortest shift that parts the
    /// two, along the normal: lengths in the unit of the shapes. It is more than 0 exactly where they
    /// [`overlap`](Shape::overlaps). Asked the other way round, the depth is the same to the bit and the normal the
    /// opposite. Of shifts that f64 finds equally short, the one is taken that leads more from the middle of the box around
    /// the other shape's corners to that of the box around this one's, or is told by their sizes: in mirrors and quarter
    /// turns the same one. Where both boxes look the same in a mirror, it is the one that leads more upwards, then to the
    /// right; only of these, asked the other way round it may be another one. Of round shapes with one centre it is the way up.
    ///
    /// Of shapes without ends, those that can be parted have a contact: a ray goes back off a line that it crosses. Two
    /// lines that cross overlap and have none: no shift parts them.
    ///
    /// The depth is within [`tolerance::ROUNDING`](crate::tolerance::ROUNDING) of the scene's size; once this shape has been
    /// moved, the two are within twice that of touching. The point is within four times that, and the rounding of its
    /// coordinates.
    ///
    /// Derived here: the boundary of the Minkowski difference is made of its edges, which are parallel to edges of the two
    /// shapes, and of the radii around its corners. From inside, an edge is nearest; from outside, an edge or a corner.
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
        contact::contact(self.any(), other.any())
    }

    /// Where does a ray first hit the shape?
    ///
    /// A ray hits what it overlaps, by the rule at the boundary: one that passes a corner or goes along a side goes on, and
    /// so does one that only begins on a segment or only meets its end. One that crosses a segment or a line hits it, from
    /// either side; points are never hit. `toi` is the parameter along the ray: 1 at `through`, more beyond. The normal is
    /// of unit length, outward, and against the ray.
    ///
    /// A ray that begins on the boundary of a shape and goes in hits it at 0, with the normal there. One that begins inside
    /// hits it at 0 too, and the normal is the opposite of its direction.
    ///
    /// Whether it hits is decided exactly for straight shapes and to 98 bits for circles and capsules; the point is within
    /// [`tolerance::ROUNDING`](crate::tolerance::ROUNDING) of the scene's size of the boundary, plus its own rounding to f64.
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
        cast_ray(self.any(), ray)
    }
}

pub(crate) mod sealed {
    use crate::shapes::AnyShape;

    /// What every question is asked of.
    pub trait Sealed {
        /// The shape as one of the ten.
        fn any(&self) -> AnyShape<'_>;
    }
}

macro_rules! is_shape {
    ($($kind:ident),*) => {
        $(
            impl sealed::Sealed for $kind {
                #[inline]
                fn any(&self) -> AnyShape<'_> {
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
    fn any(&self) -> AnyShape<'_> {
        *self
    }
}

impl Shape for AnyShape<'_> {}

impl sealed::Sealed for AnyBounded<'_> {
    #[inline]
    fn any(&self) -> AnyShape<'_> {
        self.shape()
    }
}

impl Shape for AnyBounded<'_> {}
