//! Questions about two shapes that stand still.

mod closest;
mod contact;
mod contains;
mod distance;
mod overlaps;
mod touches;

use crate::intersect::cast_ray;
use crate::shapes::{Aabb, AnyShape, Capsule, Circle, ConvexPolygon, Line, Obb, Point, Ray, Segment, Triangle};
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
    /// Is the point in the shape, its boundary included?
    #[must_use]
    fn contains(&self, point: DVec2) -> bool
    where
        Self: Sized,
    {
        contains::contains(self.any(), point)
    }

    /// The point of the shape that is nearest to a point: the point itself if the shape contains it.
    #[must_use]
    fn closest_point(&self, point: DVec2) -> DVec2
    where
        Self: Sized,
    {
        closest::closest_point(self.any(), point)
    }

    /// The length of the shortest way between the shapes: 0 if they have a point in common.
    #[must_use]
    fn distance(&self, other: &impl Shape) -> f64
    where
        Self: Sized,
    {
        distance::distance(self.any(), other.any())
    }

    /// The square of the [`distance`](Shape::distance).
    #[must_use]
    fn distance_sq(&self, other: &impl Shape) -> f64
    where
        Self: Sized,
    {
        distance::distance_sq(self.any(), other.any())
    }

    /// Do the interiors meet?
    #[must_use]
    fn overlaps(&self, other: &impl Shape) -> bool
    where
        Self: Sized,
    {
        overlaps::overlaps(self.any(), other.any())
    }

    /// Are the shapes within [`tolerance::TOUCH`](crate::tolerance::TOUCH) of sharing a boundary and nothing else?
    #[must_use]
    fn touches(&self, other: &impl Shape) -> bool
    where
        Self: Sized,
    {
        touches::touches(self.any(), other.any())
    }

    /// Where and how deep do the shapes meet?
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
