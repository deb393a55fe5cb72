//! Random shapes: ordinary ones, and those that are hard for f64.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use surefoot_geometry::{
    Aabb, AnyShape, Capsule, Circle, ConvexPolygon, DVec2, Line, MAX_COORDINATE, Obb, Orientation, Point, Ray, Segment,
    ShapeError, Triangle, dvec2, orientation,
};

/// Fixed seed, and `SUREFOOT_CASES` cases. Failed cases are stored next to the tests.
pub(crate) fn config(everyday: u32) -> ProptestConfig {
    let cases = match std::env::var("SUREFOOT_CASES") {
        Ok(count) => count.parse().expect("SUREFOOT_CASES is a number"),
        Err(_) => everyday,
    };
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(0x5EED_5EED),
        max_global_rejects: u32::MAX,
        max_local_rejects: u32::MAX,
        ..Default::default()
    }
}

/// The kind of coordinates in a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Texture {
    /// Small whole numbers: many points are in line or equal, and many shapes touch.
    Whole,
    /// Multiples of 2^-10 up to 1024: exact to shift, mirror and turn.
    Lattice,
    /// Any numbers up to 16.
    Plain,
    /// Multiples of 0.1, 1/60 and 1/3 up to 16, rounded to f64: not f32 values, and their sums are rounded.
    Fraction,
    /// Numbers around 12 that differ in their last bits.
    Close,
    /// Up to the largest coordinate.
    Far,
    /// Any size from 2^-200 up.
    Mixed,
}

pub(crate) fn texture() -> BoxedStrategy<Texture> {
    use Texture::{Close, Far, Fraction, Lattice, Mixed, Plain, Whole};
    prop_oneof![
        3 => Just(Whole), 2 => Just(Lattice), 4 => Just(Plain), 3 => Just(Fraction), 2 => Just(Close), 1 => Just(Far),
        1 => Just(Mixed)
    ]
    .boxed()
}

pub(crate) fn coordinate(texture: Texture) -> BoxedStrategy<f64> {
    match texture {
        Texture::Whole => (-4..=4_i32).prop_map(f64::from).boxed(),
        Texture::Lattice => (-(1 << 20)..=1 << 20_i32).prop_map(|n| f64::from(n) / 1024.0).boxed(),
        Texture::Plain => (-16.0..16.0).boxed(),
        Texture::Fraction => prop_oneof![
            (-160..=160_i32).prop_map(|n| f64::from(n) * 0.1),
            (-160..=160_i32).prop_map(|n| f64::from(n) / 10.0),
            (-960..=960_i32).prop_map(|n| f64::from(n) / 60.0),
            (-48..=48_i32).prop_map(|n| f64::from(n) / 3.0),
        ]
        .boxed(),
        Texture::Close => (-4..=4_i32, 0..=2_i32)
            .prop_map(|(ulps, whole)| 12.0 + f64::from(whole) + f64::from(ulps) * f64::EPSILON * 8.0)
            .boxed(),
        Texture::Far => (-MAX_COORDINATE..=MAX_COORDINATE).boxed(),
        Texture::Mixed => (-1.0..1.0, -200..24_i32).prop_map(|(m, e)| m * f64::powi(2.0, e)).boxed(),
    }
}

pub(crate) fn extent(texture: Texture) -> BoxedStrategy<f64> {
    prop_oneof![1 => Just(0.0), 12 => coordinate(texture).prop_map(f64::abs)].boxed()
}

pub(crate) fn vector(texture: Texture) -> BoxedStrategy<DVec2> {
    (coordinate(texture), coordinate(texture)).prop_map(|(x, y)| dvec2(x, y)).boxed()
}

pub(crate) fn point(texture: Texture) -> BoxedStrategy<Point> {
    vector(texture).prop_map(|at| Point::new(at).unwrap()).boxed()
}

pub(crate) fn line(texture: Texture) -> BoxedStrategy<Line> {
    made((vector(texture), vector(texture)), |(a, b)| Line::new(a, b))
}

pub(crate) fn ray(texture: Texture) -> BoxedStrategy<Ray> {
    made((vector(texture), vector(texture)), |(a, b)| Ray::new(a, b))
}

pub(crate) fn segment(texture: Texture) -> BoxedStrategy<Segment> {
    made((vector(texture), vector(texture)), |(a, b)| Segment::new(a, b))
}

pub(crate) fn circle(texture: Texture) -> BoxedStrategy<Circle> {
    made((vector(texture), extent(texture)), |(center, radius)| Circle::new(center, radius))
}

pub(crate) fn capsule(texture: Texture) -> BoxedStrategy<Capsule> {
    made((vector(texture), vector(texture), extent(texture)), |(a, b, radius)| Capsule::new(a, b, radius))
}

pub(crate) fn aabb(texture: Texture) -> BoxedStrategy<Aabb> {
    made((vector(texture), vector(texture)), |(a, b)| Aabb::new(a.min(b), a.max(b)))
}

pub(crate) fn obb(texture: Texture) -> BoxedStrategy<Obb> {
    let half = (extent(texture), extent(texture)).prop_map(|(x, y)| dvec2(x, y));
    made((vector(texture), half, vector(texture)), |(center, half, axis)| Obb::new(center, half, axis))
}

pub(crate) fn triangle(texture: Texture) -> BoxedStrategy<Triangle> {
    made([vector(texture), vector(texture), vector(texture)], Triangle::new)
}

pub(crate) fn polygon(texture: Texture) -> BoxedStrategy<ConvexPolygon> {
    made(vec(vector(texture), 3..12), |points| ConvexPolygon::new(&hull(points)))
}

/// A shape that owns its data.
#[derive(Clone, Debug)]
pub(crate) enum Owned {
    Point(Point),
    Line(Line),
    Ray(Ray),
    Segment(Segment),
    Circle(Circle),
    Aabb(Aabb),
    Obb(Obb),
    Capsule(Capsule),
    Triangle(Triangle),
    ConvexPolygon(ConvexPolygon),
}

impl Owned {
    pub(crate) fn any(&self) -> AnyShape<'_> {
        match self {
            Owned::Point(shape) => shape.into(),
            Owned::Line(shape) => shape.into(),
            Owned::Ray(shape) => shape.into(),
            Owned::Segment(shape) => shape.into(),
            Owned::Circle(shape) => shape.into(),
            Owned::Aabb(shape) => shape.into(),
            Owned::Obb(shape) => shape.into(),
            Owned::Capsule(shape) => shape.into(),
            Owned::Triangle(shape) => shape.into(),
            Owned::ConvexPolygon(shape) => shape.into(),
        }
    }

    /// Returns the shape with all points mirrored, turned or shifted. `turn` is the change without the shift, for
    /// directions.
    ///
    /// # Errors
    /// Returns an error if the shape is not valid there.
    pub(crate) fn moved(
        &self,
        to: &impl Fn(DVec2) -> DVec2,
        turn: &impl Fn(DVec2) -> DVec2,
    ) -> Result<Owned, ShapeError> {
        Ok(match self {
            Owned::Point(s) => Owned::Point(Point::new(to(s.position()))?),
            Owned::Line(s) => Owned::Line(Line::new(to(s.a()), to(s.b()))?),
            Owned::Ray(s) => Owned::Ray(Ray::new(to(s.origin()), to(s.through()))?),
            Owned::Segment(s) => Owned::Segment(Segment::new(to(s.a()), to(s.b()))?),
            Owned::Circle(s) => Owned::Circle(Circle::new(to(s.center()), s.radius())?),
            Owned::Aabb(s) => {
                let (a, b) = (to(s.min()), to(s.max()));
                Owned::Aabb(Aabb::new(a.min(b), a.max(b))?)
            }
            Owned::Obb(s) => Owned::Obb(Obb::new(to(s.center()), s.half_extents(), turn(s.axis()))?),
            Owned::Capsule(s) => Owned::Capsule(Capsule::new(to(s.a()), to(s.b()), s.radius())?),
            Owned::Triangle(s) => Owned::Triangle(Triangle::new(s.corners().map(to))?),
            Owned::ConvexPolygon(s) => {
                let corners: Vec<DVec2> = s.corners().iter().map(|&corner| to(corner)).collect();
                Owned::ConvexPolygon(ConvexPolygon::new(&corners)?)
            }
        })
    }

    /// Returns the shape after one of the [`SYMMETRIES`]. It is always valid, because the coordinate range is a square.
    pub(crate) fn turned(&self, turn: fn(DVec2) -> DVec2) -> Owned {
        self.moved(&turn, &turn).expect("a shape that is turned")
    }

    /// Returns the shape moved by `by`.
    pub(crate) fn shifted(&self, by: DVec2) -> Owned {
        self.moved(&|v| v + by, &|v| v).expect("a shape within the cap")
    }

    /// Returns the corners of the shape without its radius, each once: two for a flat shape, one for a point.
    pub(crate) fn corners(&self) -> Vec<DVec2> {
        let mut corners = match self {
            Owned::Point(s) => vec![s.position()],
            Owned::Line(s) => vec![s.a(), s.b()],
            Owned::Ray(s) => vec![s.origin(), s.through()],
            Owned::Segment(s) => vec![s.a(), s.b()],
            Owned::Circle(s) => vec![s.center()],
            Owned::Aabb(s) if s.min().x < s.max().x && s.min().y < s.max().y => {
                vec![s.min(), dvec2(s.max().x, s.min().y), s.max(), dvec2(s.min().x, s.max().y)]
            }
            Owned::Aabb(s) => vec![s.min(), s.max()],
            Owned::Obb(s) => s.corners().to_vec(),
            Owned::Capsule(s) => vec![s.a(), s.b()],
            Owned::Triangle(s) => s.corners().to_vec(),
            Owned::ConvexPolygon(s) => s.corners().to_vec(),
        };
        corners.dedup();
        corners
    }

    /// Returns the radius around the corners.
    pub(crate) fn radius(&self) -> f64 {
        match self {
            Owned::Circle(s) => s.radius(),
            Owned::Capsule(s) => s.radius(),
            _ => 0.0,
        }
    }

    /// Returns the smallest and largest coordinates, extents included, for the size of a scene.
    pub(crate) fn reach(&self) -> (DVec2, DVec2) {
        if let Owned::Obb(s) = self {
            return (s.center() - s.half_extents().length(), s.center() + s.half_extents().length());
        }
        let corners = self.corners();
        let min = corners.iter().fold(DVec2::INFINITY, |min, &p| min.min(p));
        let max = corners.iter().fold(DVec2::NEG_INFINITY, |max, &p| max.max(p));
        (min - self.radius(), max + self.radius())
    }
}

/// Returns the size of a scene: the largest difference of two coordinates, extents included.
pub(crate) fn size(shapes: &[&Owned]) -> f64 {
    let (mut min, mut max) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    for shape in shapes {
        let (low, high) = shape.reach();
        (min, max) = (min.min(low), max.max(high));
    }
    (max - min).max_element()
}

/// A bounded shape.
pub(crate) fn bounded(texture: Texture) -> BoxedStrategy<Owned> {
    prop_oneof![
        point(texture).prop_map(Owned::Point),
        segment(texture).prop_map(Owned::Segment),
        circle(texture).prop_map(Owned::Circle),
        aabb(texture).prop_map(Owned::Aabb),
        obb(texture).prop_map(Owned::Obb),
        capsule(texture).prop_map(Owned::Capsule),
        triangle(texture).prop_map(Owned::Triangle),
        polygon(texture).prop_map(Owned::ConvexPolygon),
    ]
    .boxed()
}

/// Any of the ten shapes.
pub(crate) fn shape(texture: Texture) -> BoxedStrategy<Owned> {
    prop_oneof![
        8 => bounded(texture),
        1 => line(texture).prop_map(Owned::Line),
        1 => ray(texture).prop_map(Owned::Ray),
    ]
    .boxed()
}

/// Two shapes of the same texture.
pub(crate) fn pair() -> BoxedStrategy<(Owned, Owned)> {
    texture().prop_flat_map(|texture| (shape(texture), shape(texture))).boxed()
}

/// A shape that [shifts](Owned::shifted) by numbers of [`shift`] move exactly.
pub(crate) fn shiftable() -> BoxedStrategy<Owned> {
    prop_oneof![shape(Texture::Whole), shape(Texture::Lattice)]
        .prop_filter("the corners of a turned box are rounded where it is", |shape| !matches!(shape, Owned::Obb(_)))
        .boxed()
}

/// A shift that is exact for numbers of small textures.
pub(crate) fn shift() -> BoxedStrategy<DVec2> {
    vector(Texture::Lattice).boxed()
}

/// The mirrors and quarter turns of the plane.
pub(crate) const SYMMETRIES: [fn(DVec2) -> DVec2; 8] = [
    |v| v,
    |v| dvec2(-v.y, v.x),
    |v| dvec2(-v.x, -v.y),
    |v| dvec2(v.y, -v.x),
    |v| dvec2(-v.x, v.y),
    |v| dvec2(v.x, -v.y),
    |v| dvec2(v.y, v.x),
    |v| dvec2(-v.y, -v.x),
];

/// Keeps the values that a constructor accepts.
fn made<S: Strategy + 'static, T: std::fmt::Debug + 'static>(
    strategy: S,
    make: impl Fn(S::Value) -> Result<T, ShapeError> + 'static,
) -> BoxedStrategy<T> {
    strategy.prop_filter_map("no such shape", move |value| make(value).ok()).boxed()
}

/// Returns the corners of the convex hull; exact.
fn hull(mut points: Vec<DVec2>) -> Vec<DVec2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    hull_of_sorted(&points, |a, b, point| orientation(*a, *b, *point) == Orientation::CounterClockwise)
}

/// Returns the corners of the convex hull, counter-clockwise. `points` are sorted by x, then by y. `is_left` returns
/// whether a path through three points turns to the left.
pub(crate) fn hull_of_sorted<P: Clone>(points: &[P], is_left: impl Fn(&P, &P, &P) -> bool) -> Vec<P> {
    let half = |points: &mut dyn Iterator<Item = &P>| {
        let mut chain: Vec<P> = Vec::new();
        for point in points {
            while let [.., a, b] = &chain[..]
                && !is_left(a, b, point)
            {
                chain.pop();
            }
            chain.push(point.clone());
        }
        chain.pop();
        chain
    };
    let mut corners = half(&mut points.iter());
    corners.extend(half(&mut points.iter().rev()));
    corners
}
