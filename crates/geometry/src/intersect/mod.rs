//! What two shapes share.

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

/// What this shape and another one have in common, where that is a point or a stretch.
///
/// - [`Line`], [`Ray`] and [`Segment`] with each other: an [`Intersection`].
/// - Each of them with any other shape, in either order: a [`Chord`], the stretch within the closed shape.
/// - [`Aabb`] with [`Aabb`]: the box that they share, as an `Option`.
///
/// Two shapes with areas share an area; except for two boxes it has no type of its own here: to give its corners would
/// take memory that the questions of this crate do without. Ask [`overlaps`](crate::Shape::overlaps) or
/// [`contact`](crate::Shape::contact).
///
/// Shapes are closed: touching is sharing a point. Which case it is is decided exactly where no radius is involved, however
/// nearly parallel or far apart in size the shapes are. Circles and capsules are decided to 98 bits: a line whose distance
/// from the centre is the radius but for 2^-98 of it is a tangent and shares one point.
///
/// Where the answer is an end or a corner of a shape, it is that to the bit, and a parameter at an end of a segment or at
/// the origin of a ray exactly 0 or 1. Other points are within 2^-50 ([`tolerance::ROUNDING`](crate::tolerance::ROUNDING))
/// of the scene's size of both shapes, plus the rounding of their own coordinates to f64, for nearly parallel ones too, and
/// never outside the box around a segment. Their parameters are right to 2^-51 of themselves between straight shapes at any
/// angle. On circles and capsules they are right to 2^-48 of the scene's size along the way; only where a line meets a flat
/// side of a capsule at an angle of less than 2^-50 is nothing said of them but that the point is on both.
pub trait Intersect<Other> {
    /// What the answer is made of.
    type Shared;

    /// What do the two shapes share?
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
