//! Intersections: the points that two shapes have in common.

mod boxes;
mod cast;
mod chord;
mod linear;
mod lines;
mod round;
mod straight;

use crate::shapes::{Aabb, Capsule, Circle, ConvexPolygon, Line, Obb, Point, Ray, Segment, Triangle};
pub(crate) use cast::cast_ray;
pub use chord::{Chord, ChordPoint};
pub use lines::{Crossing, Intersection};

/// Computes the points that two shapes have in common, if these are a point, a part of a line, or a box.
///
/// | first shape | second shape | result |
/// |---|---|---|
/// | [`Line`], [`Ray`] or [`Segment`] | [`Line`], [`Ray`] or [`Segment`] | [`Intersection`] |
/// | [`Line`], [`Ray`] or [`Segment`] | any other shape | [`Chord`]: the part of the line inside the other shape |
/// | any other shape | [`Line`], [`Ray`] or [`Segment`] | [`Chord`], as above |
/// | [`Aabb`] | [`Aabb`] | `Option` of the common box |
///
/// Other pairs of 2D shapes, such as two circles, are not supported, because this crate has no type for the area that
/// they have in common. Use [`overlaps`](crate::Shape::overlaps) or [`contact`](crate::Shape::contact) for such pairs.
///
/// Shapes include their boundary, so touching shapes have a point in common.
///
/// For shapes without a radius, no rounding affects which variant of the result is returned, even for nearly parallel
/// shapes. For circles and capsules, the decision is correct to 98 bits: a line is a tangent if its distance from the
/// centre equals the radius within a relative 2^-98. A tangent has one point in common with the circle.
///
/// Accuracy. The *scene's size* is the largest difference between two coordinates of both shapes, radii included.
/// - If a resulting point is an end or a corner of a shape, its coordinates are exactly those of the end or corner.
///   `t` or `u` is then exactly 0 at the start of a segment or ray, and exactly 1 at the end of a segment.
/// - Other points are at most 2^-50 ([`tolerance::ROUNDING`](crate::tolerance::ROUNDING)) of the scene's size away
///   from both shapes, plus the rounding of the point to f64. This also holds for nearly parallel shapes. Points
///   never lie outside the bounding box of a segment.
/// - For straight shapes, `t` and `u` (positions along the shapes) have a relative error of at most 2^-51, at any
///   angle.
/// - For circles and capsules, the error of `t` corresponds to at most 2^-48 of the scene's size along the line.
/// - If a line crosses a flat side of a capsule at an angle below 2^-50 radians, the error of `t` has no bound. The
///   point is still on both shapes.
pub trait Intersect<Other> {
    /// Type of the result for this pair of shapes, such as [`Intersection`] or [`Chord`].
    type Shared;

    /// Returns the intersection of the two shapes; [`Intersect`] lists its type for each pair.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{Chord, Circle, DVec2, Intersect, Intersection, Segment, dvec2};
    ///
    /// let slope = Segment::new(DVec2::ZERO, dvec2(4.0, 2.0))?;
    /// let wall = Segment::new(dvec2(2.0, -1.0), dvec2(2.0, 3.0))?;
    /// let Intersection::Point(crossing) = slope.intersect(&wall) else { panic!("they cross") };
    /// assert_eq!((crossing.point, crossing.t, crossing.u), (dvec2(2.0, 1.0), 0.5, 0.5));
    ///
    /// // On one line, but apart.
    /// let further_on = Segment::new(dvec2(6.0, 3.0), dvec2(8.0, 4.0))?;
    /// assert_eq!(slope.intersect(&further_on), Intersection::None);
    ///
    /// // The line y = 1 touches the disc from above.
    /// let ceiling = Segment::new(dvec2(-3.0, 1.0), dvec2(1.0, 1.0))?;
    /// let Chord::Point(top) = ceiling.intersect(&Circle::new(DVec2::ZERO, 1.0)?) else { panic!("they touch") };
    /// assert_eq!((top.point, top.t), (DVec2::Y, 0.75));
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    fn intersect(&self, other: &Other) -> Self::Shared;
}

macro_rules! linear_pairs {
    ($first:ident: $($second:ident),*) => {
        $(
            impl Intersect<$second> for $first {
                type Shared = Intersection;

                fn intersect(&self, other: &$second) -> Intersection {
                    lines::intersection(self.into(), other.into())
                }
            }
        )*
    };
}

linear_pairs!(Line: Line, Ray, Segment);
linear_pairs!(Ray: Line, Ray, Segment);
linear_pairs!(Segment: Line, Ray, Segment);

macro_rules! chords {
    ($linear:ident: $($shape:ident),*) => {
        $(
            impl Intersect<$shape> for $linear {
                type Shared = Chord;

                fn intersect(&self, other: &$shape) -> Chord {
                    chord::chord(self.into(), other.into())
                }
            }

            impl Intersect<$linear> for $shape {
                type Shared = Chord;

                fn intersect(&self, other: &$linear) -> Chord {
                    other.intersect(self)
                }
            }
        )*
    };
}

chords!(Line: Point, Circle, Aabb, Obb, Capsule, Triangle, ConvexPolygon);
chords!(Ray: Point, Circle, Aabb, Obb, Capsule, Triangle, ConvexPolygon);
chords!(Segment: Point, Circle, Aabb, Obb, Capsule, Triangle, ConvexPolygon);
