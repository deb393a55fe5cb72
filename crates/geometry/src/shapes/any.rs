use super::core::{Core, Corners, Extent};
use super::{Aabb, Capsule, Circle, ConvexPolygon, Line, Obb, Point, Ray, Segment, Triangle};
use glam::DVec2;

/// A reference to a shape of any of the ten types, for lists of mixed shapes.
///
/// `AnyShape` has every query of [`Shape`](crate::Shape).
///
/// # Examples
/// ```
/// use surefoot_geometry::{AnyShape, Circle, DVec2, Segment, Shape};
///
/// let (ball, floor) = (Circle::new(DVec2::Y, 0.75)?, Segment::new(DVec2::ZERO, DVec2::X)?);
/// let parts = [AnyShape::from(&ball), AnyShape::from(&floor)];
/// assert!(parts[0].distance(&parts[1]) == 0.25);
/// # Ok::<(), surefoot_geometry::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)] // Each variant is the shape that it is named after.
pub enum AnyShape<'a> {
    Point(&'a Point),
    Line(&'a Line),
    Ray(&'a Ray),
    Segment(&'a Segment),
    Circle(&'a Circle),
    Aabb(&'a Aabb),
    Obb(&'a Obb),
    Capsule(&'a Capsule),
    Triangle(&'a Triangle),
    ConvexPolygon(&'a ConvexPolygon),
}

/// A reference to a shape of finite size (any type except line and ray), for lists of obstacles.
///
/// Sweeps of circles and boxes accept `AnyBounded` as an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnyBounded<'a> {
    shape: AnyShape<'a>,
}

impl<'a> AnyBounded<'a> {
    /// Returns the shape as an [`AnyShape`].
    #[must_use]
    pub const fn shape(self) -> AnyShape<'a> {
        self.shape
    }

    /// Returns the lower left and upper right corner of the shape's bounding box.
    ///
    /// For round shapes the corners are rounded to f64.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{AnyBounded, Capsule, dvec2};
    ///
    /// let pill = Capsule::new(dvec2(1.0, 1.0), dvec2(3.0, 2.0), 0.5)?;
    /// assert_eq!(AnyBounded::from(&pill).bounds(), (dvec2(0.5, 0.5), dvec2(3.5, 2.5)));
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    #[must_use]
    pub fn bounds(self) -> (DVec2, DVec2) {
        let core = self.shape.core();
        let (low, high) = core.bounds();
        (low - core.radius, high + core.radius)
    }

    /// Returns a point in the middle of the shape: the mean of its corners, or the centre of a circle or capsule.
    ///
    /// For a shape without an area, such as a segment, the point lies on the shape, except for rounding.
    #[must_use]
    pub fn middle(self) -> DVec2 {
        let core = self.shape.core();
        let corners = core.corners.as_slice();
        corners.iter().map(|corner| *corner / corners.len() as f64).sum()
    }
}

impl<'a> AnyShape<'a> {
    /// Returns the shape as an [`AnyBounded`] if its size is finite; `None` for lines and rays.
    ///
    /// # Examples
    /// ```
    /// use surefoot_geometry::{AnyShape, Circle, DVec2, Line, Segment, dvec2};
    ///
    /// let (floor, horizon) = (Segment::new(DVec2::ZERO, DVec2::X)?, Line::new(DVec2::ZERO, DVec2::X)?);
    /// let level: [AnyShape<'_>; 2] = [(&floor).into(), (&horizon).into()];
    /// let ball = Circle::new(dvec2(0.5, 2.0), 0.5)?;
    /// let solid = level.iter().filter_map(|shape| shape.bounded());
    /// let first = solid.filter_map(|shape| ball.sweep(dvec2(0.0, -3.0), &shape).hit()).next();
    /// assert_eq!(first.map(|hit| hit.toi), Some(0.5));
    /// # Ok::<(), surefoot_geometry::ShapeError>(())
    /// ```
    #[must_use]
    pub const fn bounded(self) -> Option<AnyBounded<'a>> {
        match self {
            AnyShape::Line(_) | AnyShape::Ray(_) => None,
            shape => Some(AnyBounded { shape }),
        }
    }

    /// The straight parts and the radius of the shape.
    // Always inline: if the kind of shape is known at compile time, the match disappears.
    #[inline(always)]
    pub(crate) fn core(self) -> Core<'a> {
        match self {
            AnyShape::Point(point) => Core::new(Corners::One([point.position()]), 0.0),
            AnyShape::Line(line) => {
                Core { corners: Corners::Two([line.a(), line.b()]), radius: 0.0, extent: Extent::Line }
            }
            AnyShape::Ray(ray) => {
                Core { corners: Corners::Two([ray.origin(), ray.through()]), radius: 0.0, extent: Extent::Ray }
            }
            AnyShape::Segment(segment) => Core::new(Corners::segment(segment.a(), segment.b()), 0.0),
            AnyShape::Circle(circle) => Core::new(Corners::One([circle.center()]), circle.radius()),
            AnyShape::Aabb(aabb) => Core::new(box_corners(aabb), 0.0),
            AnyShape::Obb(obb) => Core::new(obb.as_corners(), 0.0),
            AnyShape::Capsule(capsule) => Core::new(Corners::segment(capsule.a(), capsule.b()), capsule.radius()),
            AnyShape::Triangle(triangle) => Core::new(Corners::Borrowed(triangle.as_slice()), 0.0),
            AnyShape::ConvexPolygon(polygon) => Core::new(Corners::Borrowed(polygon.corners()), 0.0),
        }
    }
}

/// Returns the corners of an axis-aligned box: four, or two or one for a flat box.
#[inline]
fn box_corners(aabb: &Aabb) -> Corners<'static> {
    let (min, max) = (aabb.min(), aabb.max());
    if min.x < max.x && min.y < max.y {
        Corners::Four([min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)])
    } else {
        Corners::segment(min, max)
    }
}

macro_rules! from_reference {
    ($($kind:ident),*) => {
        $(
            impl<'a> From<&'a $kind> for AnyShape<'a> {
                #[inline]
                fn from(shape: &'a $kind) -> AnyShape<'a> {
                    AnyShape::$kind(shape)
                }
            }
        )*
    };
}

from_reference!(Point, Line, Ray, Segment, Circle, Aabb, Obb, Capsule, Triangle, ConvexPolygon);

macro_rules! bounded_from_reference {
    ($($kind:ident),*) => {
        $(
            impl<'a> From<&'a $kind> for AnyBounded<'a> {
                #[inline]
                fn from(shape: &'a $kind) -> AnyBounded<'a> {
                    AnyBounded { shape: AnyShape::$kind(shape) }
                }
            }
        )*
    };
}

bounded_from_reference!(Point, Segment, Circle, Aabb, Obb, Capsule, Triangle, ConvexPolygon);
