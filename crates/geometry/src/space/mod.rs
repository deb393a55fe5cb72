//! Tests for 2D gameplay in a 3D scene: spheres, planes, segments, rays and triangles.
//!
//! Coordinates are right-handed: x to the right, y up, z towards the viewer. Lengths are in any unit.
//!
//! Shapes include their boundary. Shapes that have only boundary points in common touch and do not overlap. The same
//! rule holds for [`Shape`](crate::Shape) in 2D.
//!
//! Constructors accept the same numbers as in 2D, up to [`MAX_COORDINATE`](crate::MAX_COORDINATE). For accepted
//! numbers, no test panics and no result is NaN.
//!
//! | test | between | result |
//! |---|---|---|
//! | [`Sphere::overlaps`] | two spheres | whether the interiors overlap |
//! | [`Sphere::touches`] | two spheres | whether they share only their boundaries, within [`TOUCH`](crate::tolerance::TOUCH) |
//! | [`Sphere::distance`] | two spheres | the shortest distance |
//! | [`Sphere::contact`] | two spheres | contact point, normal and depth |
//! | [`Segment3::intersect`](Segment3#impl-Intersect<Plane>-for-Segment3) | a segment and a [`Plane`] | nothing, a point, or the whole segment |
//! | [`Segment3::intersect`](Segment3#impl-Intersect<Triangle3>-for-Segment3) | a segment and a [`Triangle3`] | nothing, a point with barycentric coordinates, or that the segment lies in the plane |
//! | [`Ray3::cast_ray`] | a ray and a [`Triangle3`] | the hit, with barycentric coordinates |
//! | [`pick`] | a ray and many triangles | the nearest hit |
//!
//! All decisions are exact for the numbers given, without an epsilon.

mod check;
mod formula;
mod pierce;
mod plane;
mod ray;
mod segment;
mod sphere;
mod triangle;

pub use check::SpaceError;
#[cfg(test)]
pub(crate) use formula::Volume;
pub use glam::{DVec3, dvec3};
pub use plane::Plane;
pub use ray::{Pick, Ray3, RayHit3, pick};
pub use segment::{PlaneCrossing, Segment3, TriangleCrossing};
pub use sphere::{Contact3, Sphere};
pub use triangle::Triangle3;
