//! Random spheres, planes, segments, rays and triangles in 3D.

use crate::cases::{Texture, coordinate};
use proptest::prelude::*;
use surefoot_geometry::space::{DVec3, Plane, Ray3, Segment3, SpaceError, Sphere, Triangle3, dvec3};

pub(crate) fn vector(texture: Texture) -> BoxedStrategy<DVec3> {
    [coordinate(texture), coordinate(texture), coordinate(texture)].prop_map(DVec3::from_array).boxed()
}

pub(crate) fn sphere(texture: Texture) -> BoxedStrategy<Sphere> {
    made((vector(texture), crate::cases::extent(texture)), |(center, radius)| Sphere::new(center, radius))
}

/// Two spheres. Half of the pairs are as close to touching as rounding allows.
pub(crate) fn spheres(texture: Texture) -> BoxedStrategy<(Sphere, Sphere)> {
    (sphere(texture), sphere(texture), any::<bool>(), -2..=2_i32)
        .prop_filter_map("no such sphere", |(a, b, is_near, bits)| {
            if !is_near {
                return Some((a, b));
            }
            let reach = (a.center() - b.center()).length() - a.radius();
            let radius = reach * (1.0 + f64::from(bits) * f64::EPSILON);
            Some((a, Sphere::new(b.center(), radius).ok()?))
        })
        .boxed()
}

pub(crate) fn plane(texture: Texture) -> BoxedStrategy<Plane> {
    prop_oneof![
        made([vector(texture), vector(texture)], |[point, normal]| Plane::new(point, normal)),
        made([vector(texture), vector(texture), vector(texture)], Plane::through),
    ]
    .boxed()
}

pub(crate) fn segment(texture: Texture) -> BoxedStrategy<Segment3> {
    made([vector(texture), vector(texture)], |[a, b]| Segment3::new(a, b))
}

pub(crate) fn ray(texture: Texture) -> BoxedStrategy<Ray3> {
    made([vector(texture), vector(texture)], |[a, b]| Ray3::new(a, b))
}

pub(crate) fn triangle(texture: Texture) -> BoxedStrategy<Triangle3> {
    made([vector(texture), vector(texture), vector(texture)], Triangle3::new)
}

/// A triangle and two points on a line. The line goes through a corner, an edge or the inside (up to rounding), or past
/// the triangle. The second point is on the triangle's plane or beyond.
pub(crate) fn aimed(texture: Texture) -> BoxedStrategy<(Triangle3, DVec3, DVec3)> {
    let parts = [-1..=4_i32, -1..=4_i32, -1..=4_i32];
    (triangle(texture), vector(texture), parts, 0..=3_i32, vector(texture))
        .prop_filter_map("two points that differ", |(triangle, from, parts, far, anywhere)| {
            let target = target(&triangle, parts);
            let to = match far {
                0 => target,
                1 => from + (target - from) * 2.0,
                2 => from + (target - from) * 0.5,
                _ => anywhere,
            };
            Ray3::new(from, to).ok().map(|ray| (triangle, ray.origin(), ray.through()))
        })
        .boxed()
}

/// Returns the point of the triangle's plane with these weights of the corners.
pub(crate) fn target(triangle: &Triangle3, parts: [i32; 3]) -> DVec3 {
    let [a, b, c] = triangle.corners();
    let [u, v, w] = if parts.iter().sum::<i32>() == 0 { [1.0, 0.0, 0.0] } else { parts.map(f64::from) };
    (a * u + b * v + c * w) / (u + v + w)
}

/// Returns the largest difference of two coordinates.
pub(crate) fn size(points: &[DVec3]) -> f64 {
    let min = points.iter().fold(DVec3::INFINITY, |min, &p| min.min(p));
    let max = points.iter().fold(DVec3::NEG_INFINITY, |max, &p| max.max(p));
    (max - min).max_element()
}

/// Applies one of the 48 mirrors and axis permutations of space, with `which` from 0 to 47.
pub(crate) fn symmetry(which: usize, v: DVec3) -> DVec3 {
    let [x, y, z] = v.to_array();
    let (x, y, z) = [(x, y, z), (y, z, x), (z, x, y), (y, x, z), (x, z, y), (z, y, x)][which / 8];
    let sign = |bit: usize| if which & bit == 0 { 1.0 } else { -1.0 };
    // Adding zero turns -0 into 0.
    dvec3(sign(1) * x, sign(2) * y, sign(4) * z) + DVec3::ZERO
}

fn made<S: Strategy + 'static, T: std::fmt::Debug + 'static>(
    strategy: S,
    make: impl Fn(S::Value) -> Result<T, SpaceError> + 'static,
) -> BoxedStrategy<T> {
    strategy.prop_filter_map("no such shape", move |value| make(value).ok()).boxed()
}
