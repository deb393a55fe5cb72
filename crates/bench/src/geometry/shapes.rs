//! Shapes that both libraries have.

use crate::random::Random;
use parry2d_f64::math::{Pose, Rotation, Vector};
use parry2d_f64::query::PointQuery;
use parry2d_f64::query::RayCast;
use parry2d_f64::shape::{self as peer, SupportMap};
use surefoot_geometry::{
    Aabb, AnyShape, Capsule, Circle, ConvexPolygon, DVec2, Obb, Segment, Shape, ShapeError, Triangle, dvec2,
};

/// A shape of ours with its counterpart in parry.
pub trait Both: Shape + Clone + std::fmt::Debug + Sized + 'static {
    /// parry's shape.
    type Peer: peer::Shape + PointQuery + RayCast + 'static;
    /// The name in the tables.
    const NAME: &'static str;

    /// Whether the shape has an area.
    const HAS_AREA: bool = true;

    /// Returns a random shape within a length or two of the origin.
    fn draw(draw: &mut Draw) -> Self;

    /// Returns the shape for parry, in its own frame like the shape of a body. It is exactly the same shape if the
    /// coordinates are multiples of a grain that is not too fine, except for the rounding of rotations.
    fn peer(&self) -> (Pose, Self::Peer);

    /// Returns the shape for lists of mixed kinds.
    fn as_any(&self) -> AnyShape<'_>;
}

/// Calls a function that is generic over a kind of shape once for each kind, and lists the results.
#[macro_export]
macro_rules! for_kinds {
    ($function:ident $arguments:tt: $($kind:ty),+) => {
        [$($function::<$kind> $arguments),+]
    };
}

/// A shape of parry that GJK accepts.
pub trait Supported: Both<Peer: SupportMap> {}

impl<S: Both<Peer: SupportMap>> Supported for S {}

/// Random numbers on a grid.
#[derive(Clone, Debug)]
pub struct Draw {
    /// The source of the numbers.
    pub random: Random,
    /// The numbers are multiples of it: a power of two, at most 1/4.
    pub grain: f64,
}

impl Draw {
    /// Returns a multiple of the grain from `low` to `high`.
    pub fn number(&mut self, low: f64, high: f64) -> f64 {
        let steps = ((high - low) / self.grain) as u64;
        low + self.random.below(steps + 1) as f64 * self.grain
    }

    /// Returns a vector with coordinates up to `reach`.
    pub fn vector(&mut self, reach: f64) -> DVec2 {
        dvec2(self.number(-reach, reach), self.number(-reach, reach))
    }

    /// Returns a vector that is not zero.
    pub fn direction(&mut self, reach: f64) -> DVec2 {
        std::iter::repeat_with(|| self.vector(reach)).find(|&v| v != DVec2::ZERO).expect("not all are zero")
    }

    /// Returns the middle of a shape.
    fn middle(&mut self) -> DVec2 {
        self.vector(1.5)
    }

    fn extents(&mut self) -> DVec2 {
        dvec2(self.number(0.25, 1.0), self.number(0.25, 1.0))
    }

    /// Returns the first valid shape.
    fn first<S>(&mut self, mut make: impl FnMut(&mut Draw) -> Result<S, ShapeError>) -> S {
        std::iter::repeat_with(|| make(self)).find_map(Result::ok).expect("some are shapes")
    }
}

/// Converts a vector to parry.
#[must_use]
pub fn vector(v: DVec2) -> Vector {
    Vector::new(v.x, v.y)
}

/// Converts a vector from parry.
#[must_use]
pub fn from_peer(v: Vector) -> DVec2 {
    dvec2(v.x, v.y)
}

fn at(position: DVec2) -> Pose {
    Pose::translation(position.x, position.y)
}

/// Returns the middle of the bounding box of points. It is a multiple of half their grain.
fn middle(points: &[DVec2]) -> DVec2 {
    let min = points.iter().fold(DVec2::INFINITY, |min, &p| min.min(p));
    let max = points.iter().fold(DVec2::NEG_INFINITY, |max, &p| max.max(p));
    (min + max) * 0.5
}

impl Both for Circle {
    type Peer = peer::Ball;
    const NAME: &'static str = "circle";

    fn draw(draw: &mut Draw) -> Circle {
        draw.first(|draw| Circle::new(draw.middle(), draw.number(0.25, 1.0)))
    }

    fn peer(&self) -> (Pose, peer::Ball) {
        (at(self.center()), peer::Ball::new(self.radius()))
    }

    fn as_any(&self) -> AnyShape<'_> {
        self.into()
    }
}

impl Both for Aabb {
    type Peer = peer::Cuboid;
    const NAME: &'static str = "box";

    fn draw(draw: &mut Draw) -> Aabb {
        draw.first(|draw| Aabb::from_center(draw.middle(), draw.extents()))
    }

    fn peer(&self) -> (Pose, peer::Cuboid) {
        (at(self.center()), peer::Cuboid::new(vector(self.half_extents())))
    }

    fn as_any(&self) -> AnyShape<'_> {
        self.into()
    }
}

impl Both for Obb {
    type Peer = peer::Cuboid;
    const NAME: &'static str = "turned box";

    fn draw(draw: &mut Draw) -> Obb {
        draw.first(|draw| Obb::new(draw.middle(), draw.extents(), draw.direction(1.0)))
    }

    fn peer(&self) -> (Pose, peer::Cuboid) {
        let turn = Rotation::from_cos_sin_unchecked(self.axis().x, self.axis().y);
        (Pose::from_parts(vector(self.center()), turn), peer::Cuboid::new(vector(self.half_extents())))
    }

    fn as_any(&self) -> AnyShape<'_> {
        self.into()
    }
}

impl Both for Segment {
    type Peer = peer::Segment;
    const NAME: &'static str = "segment";
    const HAS_AREA: bool = false;

    fn draw(draw: &mut Draw) -> Segment {
        let (middle, half) = (draw.middle(), draw.direction(1.0));
        draw.first(|_| Segment::new(middle - half, middle + half))
    }

    fn peer(&self) -> (Pose, peer::Segment) {
        let middle = middle(&[self.a(), self.b()]);
        (at(middle), peer::Segment::new(vector(self.a() - middle), vector(self.b() - middle)))
    }

    fn as_any(&self) -> AnyShape<'_> {
        self.into()
    }
}

impl Both for Capsule {
    type Peer = peer::Capsule;
    const NAME: &'static str = "capsule";

    fn draw(draw: &mut Draw) -> Capsule {
        let (middle, half) = (draw.middle(), draw.direction(1.0));
        draw.first(|draw| Capsule::new(middle - half, middle + half, draw.number(0.25, 0.5)))
    }

    fn peer(&self) -> (Pose, peer::Capsule) {
        let middle = middle(&[self.a(), self.b()]);
        let (a, b) = (vector(self.a() - middle), vector(self.b() - middle));
        (at(middle), peer::Capsule::new(a, b, self.radius()))
    }

    fn as_any(&self) -> AnyShape<'_> {
        self.into()
    }
}

impl Both for Triangle {
    type Peer = peer::Triangle;
    const NAME: &'static str = "triangle";

    fn draw(draw: &mut Draw) -> Triangle {
        let middle = draw.middle();
        draw.first(|draw| Triangle::new([(); 3].map(|()| middle + draw.vector(1.0))))
    }

    fn peer(&self) -> (Pose, peer::Triangle) {
        let middle = middle(&self.corners());
        let [a, b, c] = self.corners().map(|corner| vector(corner - middle));
        (at(middle), peer::Triangle::new(a, b, c))
    }

    fn as_any(&self) -> AnyShape<'_> {
        self.into()
    }
}

impl Both for ConvexPolygon {
    type Peer = peer::ConvexPolygon;
    const NAME: &'static str = "polygon";

    /// A hexagon that is not regular.
    fn draw(draw: &mut Draw) -> ConvexPolygon {
        const HEXAGON: [(f64, f64); 6] = [(1.0, 0.0), (0.5, 1.0), (-0.5, 1.0), (-1.0, 0.0), (-0.5, -1.0), (0.5, -1.0)];
        let middle = draw.middle();
        draw.first(|draw| ConvexPolygon::new(&HEXAGON.map(|(x, y)| middle + dvec2(x, y) + draw.vector(0.25))))
    }

    fn peer(&self) -> (Pose, peer::ConvexPolygon) {
        let middle = middle(self.corners());
        let corners = self.corners().iter().map(|&corner| vector(corner - middle)).collect();
        (at(middle), peer::ConvexPolygon::from_convex_polyline_unmodified(corners).expect("it is convex"))
    }

    fn as_any(&self) -> AnyShape<'_> {
        self.into()
    }
}
