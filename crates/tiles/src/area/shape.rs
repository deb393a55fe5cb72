use super::{AreaError, Boxes};
use glam::{DVec2, I64Vec2};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};
use surefoot_geometry::{
    Aabb, AnyBounded, Capsule, Circle, ConvexPolygon, Obb, Shape as _, ShapeError, Triangle, to_units,
};

/// Shape of an area, in tiles relative to the area's position: a shape of the geometry crate.
///
/// # Examples
/// ```
/// use surefoot::area::AreaShape;
/// use surefoot::geometry::{Triangle, dvec2};
///
/// let ramp: AreaShape = Triangle::new([dvec2(0.0, 0.0), dvec2(4.0, 0.0), dvec2(4.0, 2.0)])?.into();
/// assert!(ramp.check().is_ok());
/// assert!(AreaShape::aabb(2.0, 0.0)?.check().is_err(), "a box of height 0 has no interior");
/// assert!(AreaShape::circle(-1.0).is_err());
/// # Ok::<(), surefoot::geometry::ShapeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[allow(missing_docs)] // Each variant is the shape that it is named after.
pub enum AreaShape {
    Circle(Circle),
    Aabb(Aabb),
    Obb(Obb),
    Capsule(Capsule),
    Triangle(Triangle),
    Polygon(ConvexPolygon),
    Boxes(Boxes),
}

macro_rules! from_shape {
    ($($variant:ident($shape:ident))+) => {
        $(impl From<$shape> for AreaShape {
            fn from(shape: $shape) -> AreaShape {
                AreaShape::$variant(shape)
            }
        })+
    };
}

from_shape!(Circle(Circle) Aabb(Aabb) Obb(Obb) Capsule(Capsule) Triangle(Triangle) Polygon(ConvexPolygon) Boxes(Boxes));

/// Half the side of a square that lies wholly inside a circle with the same centre, as a fraction of the radius.
///
/// It must be less than the square root of 1/2, which is 0.7071. A greater value would count bodies as inside that
/// are not. A smaller one only costs speed, because more bodies are tested exactly. Pinned by
/// `bodies_within_an_area_overlap_it`.
const INSCRIBED_BOX_RATIO: f64 = 0.7;

impl AreaShape {
    /// Maximum distance that a shape can reach from the area's position, on each axis, in tiles: 2^16.
    ///
    /// Within this distance, positions are exact in f64. So the world decides exactly which bodies are inside an
    /// area.
    pub const MAX_REACH: f64 = 65_536.0;

    /// Creates a circle around the area's position, with `radius` in tiles.
    ///
    /// # Errors
    /// Returns a [`ShapeError`] if `radius` is negative or not finite.
    pub fn circle(radius: f64) -> Result<AreaShape, ShapeError> {
        Ok(Circle::new(DVec2::ZERO, radius)?.into())
    }

    /// Creates an axis-aligned box around the area's position, from half of its width and height in tiles.
    ///
    /// # Errors
    /// Returns a [`ShapeError`] if `half_width` or `half_height` is negative or not finite.
    pub fn aabb(half_width: f64, half_height: f64) -> Result<AreaShape, ShapeError> {
        Ok(Aabb::from_center(DVec2::ZERO, DVec2::new(half_width, half_height))?.into())
    }

    /// Returns the shape as types of the geometry crate, in tiles relative to the area's position: one, or each box of
    /// [`AreaShape::Boxes`].
    pub fn pieces(&self) -> impl Iterator<Item = AnyBounded<'_>> {
        let boxes = if let AreaShape::Boxes(boxes) = self { boxes.as_slice() } else { &[] };
        boxes.iter().map(AnyBounded::from).chain(self.as_single_shape())
    }

    /// Returns the shape as a type of the geometry crate. `None` for several boxes.
    fn as_single_shape(&self) -> Option<AnyBounded<'_>> {
        Some(match self {
            AreaShape::Circle(shape) => shape.into(),
            AreaShape::Aabb(shape) => shape.into(),
            AreaShape::Obb(shape) => shape.into(),
            AreaShape::Capsule(shape) => shape.into(),
            AreaShape::Triangle(shape) => shape.into(),
            AreaShape::Polygon(shape) => shape.into(),
            AreaShape::Boxes(_) => return None,
        })
    }

    /// Returns the lower left and the upper right corner of the smallest box around the shape, in tiles relative to the
    /// area's position.
    #[must_use]
    pub fn bounds_tiles(&self) -> (DVec2, DVec2) {
        match self {
            AreaShape::Boxes(boxes) => {
                boxes.bounding_box().map_or((DVec2::ZERO, DVec2::ZERO), |all| (all.min(), all.max()))
            }
            _ => self.as_single_shape().map_or((DVec2::ZERO, DVec2::ZERO), |shape| shape.bounds()),
        }
    }

    /// Checks that the shape has an interior and is not too large.
    ///
    /// # Errors
    /// - Returns [`AreaError::NoInterior`] if the shape has no interior.
    /// - Returns [`AreaError::TooLarge`] if the shape reaches further than [`AreaShape::MAX_REACH`].
    pub fn check(&self) -> Result<(), AreaError> {
        let has_size = match self {
            AreaShape::Circle(circle) => circle.radius() > 0.0,
            AreaShape::Aabb(aabb) => aabb.min().cmplt(aabb.max()).all(),
            AreaShape::Obb(obb) => obb.corners().len() == 4,
            AreaShape::Capsule(capsule) => capsule.radius() > 0.0,
            AreaShape::Triangle(_) | AreaShape::Polygon(_) => true,
            AreaShape::Boxes(boxes) => {
                let boxes = boxes.as_slice();
                !boxes.is_empty() && boxes.iter().all(|aabb| aabb.min().cmplt(aabb.max()).all())
            }
        };
        if !has_size {
            return Err(AreaError::NoInterior);
        }
        let (low, high) = self.bounds_tiles();
        let distance = low.abs().max(high.abs()).max_element();
        if distance > Self::MAX_REACH { Err(AreaError::TooLarge { distance }) } else { Ok(()) }
    }

    /// Returns whether the point is in the shape or on its border.
    #[doc(hidden)]
    #[must_use]
    pub fn contains(&self, point: DVec2) -> bool {
        match self {
            AreaShape::Boxes(boxes) => boxes.any_near(point, point, |aabb| aabb.contains(point)),
            _ => self.as_single_shape().is_some_and(|shape| shape.shape().contains(point)),
        }
    }

    /// Returns whether the interiors of the shape at the position `at` and of another shape overlap.
    #[doc(hidden)]
    #[must_use]
    pub fn overlaps_at(&self, at: DVec2, other: AnyBounded<'_>) -> bool {
        let overlaps_box = |aabb: &Aabb| aabb.translated(at).is_ok_and(|own| other.overlaps(&own));
        match self {
            AreaShape::Circle(shape) => shape.translated(at).is_ok_and(|own| other.overlaps(&own)),
            AreaShape::Aabb(shape) => overlaps_box(shape),
            AreaShape::Obb(shape) => shape.translated(at).is_ok_and(|own| other.overlaps(&own)),
            AreaShape::Capsule(shape) => shape.translated(at).is_ok_and(|own| other.overlaps(&own)),
            AreaShape::Triangle(shape) => shape.translated(at).is_ok_and(|own| other.overlaps(&own)),
            AreaShape::Polygon(shape) => shape.translated(at).is_ok_and(|own| other.overlaps(&own)),
            AreaShape::Boxes(boxes) => {
                let (low, high) = other.bounds();
                boxes.any_near(low - at, high - at, overlaps_box)
            }
        }
    }

    /// Returns the kind and the numbers of the shape, which determine it completely.
    #[doc(hidden)]
    pub fn numbers(&self) -> (u8, SmallVec<[f64; 8]>) {
        let (kind, points, radius): (u8, SmallVec<[DVec2; 4]>, _) = match self {
            AreaShape::Circle(circle) => (0, smallvec![circle.center()], Some(circle.radius())),
            AreaShape::Aabb(aabb) => (1, smallvec![aabb.min(), aabb.max()], None),
            AreaShape::Obb(obb) => (2, obb.corners().into(), None),
            AreaShape::Capsule(capsule) => (3, smallvec![capsule.a(), capsule.b()], Some(capsule.radius())),
            AreaShape::Triangle(triangle) => (4, triangle.corners().as_slice().into(), None),
            AreaShape::Polygon(polygon) => (5, polygon.corners().into(), None),
            AreaShape::Boxes(boxes) => {
                (6, boxes.as_slice().iter().flat_map(|aabb| [aabb.min(), aabb.max()]).collect(), None)
            }
        };
        // Adding 0.0 turns -0.0 into 0.0: both mean the same position.
        let numbers =
            points.iter().flat_map(|point| point.to_array()).chain(radius).map(|number| number + 0.0).collect();
        (kind, numbers)
    }

    /// Returns the lower left and the upper right corner of a box around the shape, relative to the area's position, in
    /// fixed-point units (2^32 units are a tile). Each side of the box lies at most 1 unit outside the shape.
    #[doc(hidden)]
    pub fn bounds(&self) -> (I64Vec2, I64Vec2) {
        let (low, high) = self.bounds_tiles();
        let units = |at: DVec2| I64Vec2::new(to_units(at.x), to_units(at.y));
        (units(low) - 1, units(high) + 1)
    }

    /// Returns a box that lies wholly inside the shape: its lower left and upper right corners, in units from the
    /// area's position. `None` for shapes other than boxes and circles.
    ///
    /// A body whose centre is in the box is inside the area without a further test. Affects speed only.
    #[doc(hidden)]
    pub fn inner_box(&self) -> Option<(I64Vec2, I64Vec2)> {
        let (low, high) = match self {
            AreaShape::Aabb(aabb) => return inner_box_of(aabb),
            AreaShape::Circle(circle) => {
                let half = DVec2::splat(circle.radius() * INSCRIBED_BOX_RATIO);
                (circle.center() - half, circle.center() + half)
            }
            _ => return None,
        };
        shrink_by_unit(low, high)
    }

    /// Returns the height of the shape's top above the area's position, in units. `up` is a unit vector along an axis.
    #[doc(hidden)]
    pub fn top(&self, up: I64Vec2) -> i64 {
        let (low, high) = self.bounds_tiles();
        let along = |at: DVec2| at.x * up.x as f64 + at.y * up.y as f64;
        to_units(if along(low) > along(high) { along(low) } else { along(high) })
    }
}

/// Returns the box in units, without its sides: its lower left and upper right corners.
#[doc(hidden)]
#[must_use]
pub fn inner_box_of(aabb: &Aabb) -> Option<(I64Vec2, I64Vec2)> {
    shrink_by_unit(aabb.min(), aabb.max())
}

fn shrink_by_unit(low: DVec2, high: DVec2) -> Option<(I64Vec2, I64Vec2)> {
    let units = |at: DVec2| I64Vec2::new(to_units(at.x), to_units(at.y));
    let (low, high) = (units(low) + 1, units(high) - 1);
    low.cmplt(high).all().then_some((low, high))
}
