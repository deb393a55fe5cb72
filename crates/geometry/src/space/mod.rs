//! Tests for two-dimensional play in a three-dimensional scene.
//!
//! Coordinates are right-handed, x to the right, y up, z towards the viewer; lengths are in any unit. The rule at the
//! boundary is that of the plane: shapes are closed, and those that share no more than boundary touch and do not overlap.
//! Their constructors let the same numbers through as in the plane, up to [`MAX_COORDINATE`](crate::MAX_COORDINATE);
//! nothing panics and nothing is NaN for what they let through.
//!
//! | question | of | answer |
//! |---|---|---|
//! | [`Sphere::overlaps`] | two spheres | do the interiors meet |
//! | [`Sphere::touches`] | two spheres | do they meet at the boundary alone, within [`TOUCH`](crate::tolerance::TOUCH) |
//! | [`Sphere::distance`] | two spheres | the length between them |
//! | [`Sphere::contact`] | two spheres | where, along what, and how deep they meet |
//! | [`Segment3::intersect`](Segment3#impl-Intersect<Plane>-for-Segment3) | a segment and a [`Plane`] | nothing, a point, or all of it |
//! | [`Segment3::intersect`](Segment3#impl-Intersect<Triangle3>-for-Segment3) | a segment and a [`Triangle3`] | nothing, a point with barycentric coordinates, or that it is in the plane |
//! | [`Ray3::cast_ray`] | a ray and a [`Triangle3`] | the hit, with barycentric coordinates |
//! | [`pick`] | a ray and many triangles | the nearest hit |
//!
//! All of these are decided exactly for the numbers given, without an epsilon.

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
