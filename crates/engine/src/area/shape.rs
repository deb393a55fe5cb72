use super::AreaError;
use crate::motion::{Bounds, Form, Shape};
use glam::{DVec2, I64Vec2};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use surefoot_geometry::{
    Aabb, AnyBounded, Capsule, Circle, ConvexPolygon, ONE, Obb, Shape as _, ShapeError, Triangle, to_lengths, to_units,
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
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[allow(missing_docs)] // Each variant is the shape that it is named after.
pub enum AreaShape {
    Circle(Circle),
    Aabb(Aabb),
    Obb(Obb),
    Capsule(Capsule),
    Triangle(Triangle),
    Polygon(ConvexPolygon),
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

from_shape!(Circle(Circle) Aabb(Aabb) Obb(Obb) Capsule(Capsule) Triangle(Triangle) Polygon(ConvexPolygon));

/// Fraction of a circle's radius for which a box around its centre is wholly inside the circle.
///
/// Less than the square root of 1/2, which is 0.7071. Affects speed only. Larger: bodies outside would count as inside.
/// Smaller: more bodies need an exact test. Tested by `what_is_within_is_inside`.
const WITHIN_CIRCLE: f64 = 0.7;

impl AreaShape {
    /// Maximum distance of any point of a shape from the area's position, on each axis, in tiles: 2^16.
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

    /// Returns the shape as a type of the geometry crate, in tiles relative to the area's position.
    #[must_use]
    pub fn bounded(&self) -> AnyBounded<'_> {
        match self {
            AreaShape::Circle(circle) => circle.into(),
            AreaShape::Aabb(aabb) => aabb.into(),
            AreaShape::Obb(obb) => obb.into(),
            AreaShape::Capsule(capsule) => capsule.into(),
            AreaShape::Triangle(triangle) => triangle.into(),
            AreaShape::Polygon(polygon) => polygon.into(),
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
        };
        if !has_size {
            return Err(AreaError::NoInterior);
        }
        let (low, high) = self.bounded().bounds();
        let distance = low.abs().max(high.abs()).max_element();
        if distance > Self::MAX_REACH { Err(AreaError::TooLarge { distance }) } else { Ok(()) }
    }

    /// Returns the moved shape, with coordinates rounded to f64. `None` if a coordinate would be out of range for a
    /// shape.
    pub(crate) fn translated(&self, by: DVec2) -> Option<AreaShape> {
        let moved = match self {
            AreaShape::Circle(circle) => circle.translated(by).map(AreaShape::from),
            AreaShape::Aabb(aabb) => aabb.translated(by).map(AreaShape::from),
            AreaShape::Obb(obb) => obb.translated(by).map(AreaShape::from),
            AreaShape::Capsule(capsule) => capsule.translated(by).map(AreaShape::from),
            AreaShape::Triangle(triangle) => triangle.translated(by).map(AreaShape::from),
            AreaShape::Polygon(polygon) => polygon.translated(by).map(AreaShape::from),
        };
        moved.ok()
    }

    /// Returns its kind and all of its numbers.
    pub(crate) fn numbers(&self) -> (u8, SmallVec<[f64; 8]>) {
        let mut numbers = SmallVec::new();
        let mut points = |points: &[DVec2]| points.iter().for_each(|point| numbers.extend(point.to_array()));
        let (kind, radius) = match self {
            AreaShape::Circle(circle) => {
                points(&[circle.center()]);
                (0, Some(circle.radius()))
            }
            AreaShape::Aabb(aabb) => {
                points(&[aabb.min(), aabb.max()]);
                (1, None)
            }
            AreaShape::Obb(obb) => {
                points(obb.corners());
                (2, None)
            }
            AreaShape::Capsule(capsule) => {
                points(&[capsule.a(), capsule.b()]);
                (3, Some(capsule.radius()))
            }
            AreaShape::Triangle(triangle) => {
                points(&triangle.corners());
                (4, None)
            }
            AreaShape::Polygon(polygon) => {
                points(polygon.corners());
                (5, None)
            }
        };
        numbers.extend(radius);
        // -0.0 and 0.0 are equal positions.
        numbers.iter_mut().for_each(|number| *number += 0.0);
        (kind, numbers)
    }

    /// Returns the lower left and upper right corner of a box around it, in units from its position, at most one unit
    /// too large.
    pub(crate) fn bounds(&self) -> (I64Vec2, I64Vec2) {
        let (low, high) = self.bounded().bounds();
        let units = |at: DVec2| I64Vec2::new(to_units(at.x), to_units(at.y));
        (units(low) - 1, units(high) + 1)
    }

    /// Returns the lower left and upper right corner of a box inside it, in units from its position. `None` for shapes
    /// for which none is computed.
    pub(crate) fn within(&self) -> Option<(I64Vec2, I64Vec2)> {
        let (low, high) = match self {
            AreaShape::Aabb(aabb) => (aabb.min(), aabb.max()),
            AreaShape::Circle(circle) => {
                let half = DVec2::splat(circle.radius() * WITHIN_CIRCLE);
                (circle.center() - half, circle.center() + half)
            }
            _ => return None,
        };
        let units = |at: DVec2| I64Vec2::new(to_units(at.x), to_units(at.y));
        let (low, high) = (units(low) + 1, units(high) - 1);
        low.cmplt(high).all().then_some((low, high))
    }

    /// Returns the distance of its top above its position, in units along an axis of length 1.
    pub(crate) fn top(&self, up: I64Vec2) -> i64 {
        let (low, high) = self.bounded().bounds();
        let along = |at: DVec2| at.x * up.x as f64 + at.y * up.y as f64;
        to_units(if along(low) > along(high) { along(low) } else { along(high) })
    }

    /// Returns whether its interior and a body's interior intersect. `at`: the body's centre, in units from its
    /// position.
    pub(crate) fn overlaps(&self, body: Shape, at: I64Vec2) -> bool {
        let at = to_lengths(at);
        // A faster equal test: two boxes are apart if they are apart on one axis.
        if let (AreaShape::Aabb(own), Form::Aabb { half }) = (self, body.0) {
            let half = to_lengths(half.into());
            return (at - half).cmplt(own.max()).all() && (at + half).cmpgt(own.min()).all();
        }
        let shape = self.bounded();
        match body.0 {
            Form::Circle { radius } => Circle::new(at, length(radius)).is_ok_and(|circle| shape.overlaps(&circle)),
            Form::Aabb { half } => {
                Aabb::from_center(at, to_lengths(half.into())).is_ok_and(|aabb| shape.overlaps(&aabb))
            }
        }
    }

    /// Returns whether its interior intersects that of a body on a straight path between two positions, in units from
    /// its position.
    pub(crate) fn overlaps_way(&self, body: Shape, from: I64Vec2, to: I64Vec2) -> bool {
        if from == to {
            return self.overlaps(body, to);
        }
        let shape = self.bounded();
        match body.0 {
            Form::Circle { radius } => {
                let way = Capsule::new(to_lengths(from), to_lengths(to), length(radius));
                way.is_ok_and(|way| shape.overlaps(&way))
            }
            Form::Aabb { half } => {
                let half = I64Vec2::from(half);
                let (low, high) = (from.min(to), from.max(to));
                if from.x == to.x || from.y == to.y {
                    let way = Aabb::new(to_lengths(low - half), to_lengths(high + half));
                    return way.is_ok_and(|way| shape.overlaps(&way));
                }
                // The region that the moving box covers is a box without two opposite corners.
                let rises = (to.x > from.x) == (to.y > from.y);
                let corners = if rises {
                    [(low, -1, -1), (low, 1, -1), (high, 1, -1), (high, 1, 1), (high, -1, 1), (low, -1, 1)]
                } else {
                    let (left, right) = (I64Vec2::new(low.x, high.y), I64Vec2::new(high.x, low.y));
                    [(left, -1, -1), (right, -1, -1), (right, 1, -1), (right, 1, 1), (left, 1, 1), (left, -1, 1)]
                };
                let corners = corners.map(|(at, x, y)| to_lengths(at + half * I64Vec2::new(x, y)));
                ConvexPolygon::new(&corners).is_ok_and(|way| shape.overlaps(&way))
            }
        }
    }
}

/// Returns bounds in which the centre of a body can be while the body intersects a box, if it is in them. All in units
/// from one position.
pub(crate) fn meets_within(within: &Bounds, body: Shape, at: I64Vec2) -> Option<Bounds> {
    let grown = |by: I64Vec2| Bounds { low: within.low - by, high: within.high + by };
    let holds = |bounds: &Bounds| bounds.low.cmple(at).all() && at.cmple(bounds.high).all();
    // One unit further out, they would only touch.
    match body.0 {
        Form::Aabb { half } => Some(grown(I64Vec2::from(half) - 1)).filter(holds),
        // A circle can pass the corners of the box.
        Form::Circle { radius } => {
            let sides = [I64Vec2::new(radius - 1, 0), I64Vec2::new(0, radius - 1)];
            sides.into_iter().map(grown).find(holds)
        }
    }
}

fn length(units: i64) -> f64 {
    units as f64 / ONE as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;
    use surefoot_geometry::dvec2;

    fn shapes() -> Vec<AreaShape> {
        vec![
            AreaShape::circle(1.5).unwrap(),
            AreaShape::aabb(2.0, 0.75).unwrap(),
            Obb::new(DVec2::ZERO, dvec2(2.0, 0.5), dvec2(3.0, 4.0)).unwrap().into(),
            Capsule::new(dvec2(-1.0, 0.0), dvec2(1.0, 0.5), 0.5).unwrap().into(),
            Triangle::new([dvec2(-1.5, -1.0), dvec2(1.5, -1.0), dvec2(0.0, 1.0)]).unwrap().into(),
            ConvexPolygon::new(&[dvec2(0.0, -1.0), dvec2(1.0, 0.0), dvec2(0.0, 1.0), dvec2(-2.0, 0.0)]).unwrap().into(),
        ]
    }

    fn random_place(random: &mut Random, reach: i64) -> I64Vec2 {
        let mut one = || (random.below(1 << 20) as i64 - (1 << 19)) * ((reach * ONE) >> 19);
        I64Vec2::new(one(), one())
    }

    #[test]
    fn what_is_within_is_inside() {
        let mut random = Random(3);
        let (mut within, mut beyond) = (0, 0);
        for shape in shapes() {
            let bounds = shape.bounds();
            for _ in 0..2000 {
                let body = if random.below(2) == 0 { Shape::aabb(0.25, 0.125) } else { Shape::circle(0.25) };
                let at = random_place(&mut random, 4);
                let (low, high) = (at - body.half_units(), at + body.half_units());
                let own = shape.within().map(|(low, high)| Bounds { low, high });
                if let Some(free) = own.and_then(|own| meets_within(&own, body, at)) {
                    within += 1;
                    let corners = [free.low, free.high, I64Vec2::new(free.low.x, free.high.y)];
                    for at in corners.into_iter().chain([at]) {
                        assert!(shape.overlaps(body, at), "{shape:?} {body:?} {at}");
                    }
                }
                if high.cmple(bounds.0).any() || low.cmpge(bounds.1).any() {
                    beyond += 1;
                    assert!(!shape.overlaps(body, at), "{shape:?} {at}");
                }
            }
        }
        assert!(within > 100 && beyond > 1000, "{within} {beyond}");
    }

    #[test]
    fn touching_is_not_inside() {
        let pond = AreaShape::aabb(2.0, 1.0).unwrap();
        let half = ONE / 2;
        for body in [Shape::aabb_units((half, half)), Shape::circle_units(half)] {
            assert!(!pond.overlaps(body, I64Vec2::new(2 * ONE + half, 0)));
            assert!(pond.overlaps(body, I64Vec2::new(2 * ONE + half - 1, 0)), "one unit further in");
        }
        // The circle passes the corner that the box covers.
        let corner = I64Vec2::new(2 * ONE + half - 1, ONE + half - 1);
        assert!(pond.overlaps(Shape::aabb_units((half, half)), corner));
        assert!(!pond.overlaps(Shape::circle_units(half), corner));
    }

    /// A path overlaps if a position on it does. If the path overlaps, one of many positions on it almost does.
    #[test]
    fn a_way_overlaps_where_a_place_on_it_does() {
        let mut random = Random(5);
        let (mut crossings, mut clear) = (0, 0);
        for shape in shapes() {
            for body in [Shape::circle(0.25), Shape::aabb(0.25, 0.125)] {
                for _ in 0..300 {
                    let (from, to) = (random_place(&mut random, 4), random_place(&mut random, 4));
                    let meets = shape.overlaps_way(body, from, to);
                    assert_eq!(meets, shape.overlaps_way(body, to, from), "there and back");
                    let steps = 64;
                    let mut places = (0..=steps).map(|i| from + (to - from) / steps * i);
                    let met = places.any(|at| shape.overlaps(body, at));
                    assert!(meets || !met, "{shape:?} {body:?} {from} {to}");
                    // A body larger by one step intersects it at one of the positions.
                    let larger = body.half_units() + (to - from).abs() / steps + steps;
                    let mut places = (0..=steps).map(|i| from + (to - from) / steps * i);
                    assert!(!meets || places.any(|at| shape.overlaps(Shape::aabb_units(larger), at)));
                    if meets { crossings += 1 } else { clear += 1 }
                }
            }
        }
        assert!(crossings > 500 && clear > 500, "{crossings} {clear}");
    }
}
