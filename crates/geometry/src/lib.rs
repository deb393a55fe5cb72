//! 2D collision geometry for games: overlap, contact, intersection, distance, ray casts and sweeps of ten shapes.
//!
//! Vectors are glam's f64 vectors. No query allocates memory. The crate is independent of tile maps and of the engine.
//!
//! ```
//! use surefoot_geometry::{Aabb, Circle, Segment, Shape, dvec2};
//!
//! let ball = Circle::new(dvec2(0.0, 3.0), 0.5)?;
//! let floor = Aabb::new(dvec2(-4.0, -1.0), dvec2(4.0, 0.0))?;
//! let ramp = Segment::new(dvec2(-1.0, 0.0), dvec2(3.0, 2.0))?;
//!
//! assert_eq!(ball.distance(&floor), 2.5);
//! assert!(!ball.overlaps(&ramp));
//! let hit = ball.sweep(dvec2(0.0, -5.0), &floor).hit().expect("it falls onto the floor");
//! assert_eq!((hit.toi, hit.normal), (0.5, dvec2(0.0, 1.0)));
//! # Ok::<(), surefoot_geometry::ShapeError>(())
//! ```
//!
//! # Queries by pair of shapes
//!
//! **Every pair of the ten shapes** has [`distance`](Shape::distance), [`distance_sq`](Shape::distance_sq),
//! [`overlaps`](Shape::overlaps), [`touches`](Shape::touches) and [`contact`](Shape::contact). The table shows further
//! queries. Rows are the first shape (the mover), columns are the second shape (the obstacle).
//!
//! | | [`Point`] | [`Line`] | [`Ray`] | [`Segment`] | [`Circle`] | [`Aabb`] | [`Obb`] | [`Capsule`] | [`Triangle`] | [`ConvexPolygon`] |
//! |---|---|---|---|---|---|---|---|---|---|---|
//! | [`Point`] | in near | i | i r | i | · | · | · | · | · | · |
//! | [`Line`] | in near i | i | i r | i | i | i | i | i | i | i |
//! | [`Ray`] | in near i | i | i r | i | i | i | i | i | i | i |
//! | [`Segment`] | in near i | i | i r | i | i | i | i | i | i | i |
//! | [`Circle`] | in near s | i | i r | i s e | s | s | s | s | s | s |
//! | [`Aabb`] | in near s | i | i r | i s e | s | i s | s | s | s | s |
//! | [`Obb`] | in near | i | i r | i | · | · | · | · | · | · |
//! | [`Capsule`] | in near | i | i r | i | · | · | · | · | · | · |
//! | [`Triangle`] | in near | i | i r | i | · | · | · | · | · | · |
//! | [`ConvexPolygon`] | in near | i | i r | i | · | · | · | · | · | · |
//!
//! - `in`: [`contains`](Shape::contains), whether the shape contains a point, given as a vector.
//! - `near`: [`closest_point`](Shape::closest_point), the point of the shape closest to a point, given as a vector.
//! - `i`: [`intersect`](Intersect::intersect), the points that the two have in common, with their positions `t` along a
//!   line, ray or segment.
//! - `r`: [`cast_ray`](Shape::cast_ray), the first hit of a ray, with its normal.
//! - `s`: [`sweep`](Circle::sweep) and [`sweep_moving`](Circle::sweep_moving), of a circle or a [box](Aabb::sweep)
//!   against a fixed or moving solid of any finite shape.
//! - `e`: [`sweep_one_sided`](Circle::sweep_one_sided), of a circle or a [box](Aabb::sweep_one_sided) against an edge
//!   that stops motion from its outer side only.
//!
//! For lists of mixed shapes, use [`AnyShape`]. It has every query of [`Shape`]. As the obstacle of a sweep, pass
//! [`AnyShape::bounded`].
//!
//! [`orientation`] decides exactly on which side of a line a point lies. [`space`] has a few tests for 2D games in a 3D
//! scene.
//!
//! # Rules
//!
//! - y is up, x to the right. The outward normal of an edge is on the left when looking from its start to its end.
//! - Shapes include their boundary. Constructors check shapes: finite, sizes not negative, convex, and coordinates up
//!   to [`MAX_COORDINATE`] (2^24). For accepted shapes, no query panics or returns NaN.
//! - **Sharing a boundary is touching, not overlapping**, for all pairs of shapes: see [`Shape`].
//! - Normals have unit length and point from the second shape (the obstacle) to the first (the mover).
//! - A shape that touches the obstacle at the start and moves into it hits at time 0. Moving along or away is not a hit.
//! - A mirrored or turned scene gives the mirrored or turned result, bit for bit.
//! - If a scene is shifted and all shifted coordinates are exact in f64, the results are the same, bit for bit. Only
//!   points may differ, in the last bit.
//! - A symmetric scene may have several equally good results, such as the normal between concentric circles. The query
//!   returns one of them.
//! - Among straight shapes, every decision is exact. With radii, decisions use about a hundred bits.
//! - Errors of lengths and points are at most 2^-50 ([`tolerance::ROUNDING`]) of the scene's size, unless a function
//!   says otherwise. The scene's size is the largest difference between two coordinates of both shapes.
//!
//! # Sweeps
//!
//! The mover is blue: at its start, at its hit, and dashed at the end of its motion without the obstacle. The hit's
//! point and normal are orange.
//!
//! A circle against each kind of shape:
//! <div style="max-width: 100%; overflow-x: auto">
#![doc = include_str!("../doc/sweep_circle.svg")]
//! </div>
//!
//! A box against each kind of shape:
//! <div style="max-width: 100%; overflow-x: auto">
#![doc = include_str!("../doc/sweep_aabb.svg")]
//! </div>
//!
//! Against a one-sided edge:
//! <div style="max-width: 100%; overflow-x: auto">
#![doc = include_str!("../doc/sweep_one_sided.svg")]
//! </div>
//!
//! # Contacts
//!
//! The first shape is blue. The dashed outline shows it moved along the contact's normal by the contact's depth:
//! <div style="max-width: 100%; overflow-x: auto">
#![doc = include_str!("../doc/contact.svg")]
//! </div>
//!
//! # In fixed point
//!
//! [`exact`] has the deterministic sweeps of the surefoot engine, in whole units of 2^-32. So 1.0 is
//! [`ONE`] units, and a [`Position`] is a point in whole units.
//!
//! - [`exact::sweep_box`] and [`exact::sweep_circle`] sweep a shape against a one-sided edge.
//! - [`exact::sweep_pair`] sweeps two moving shapes against each other.
//!
//! The time of impact of a box is an exact fraction of integers. The time of impact of a circle is f64, but integers
//! decide on which side of the edge the circle starts and ends.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod exact;
mod exact_arith;
mod intersect;
mod position;
mod queries;
mod shapes;
pub mod space;
mod sweep;
#[cfg(test)]
mod testing;
mod told;
pub mod tolerance;
mod written;

pub use exact_arith::{Orientation, orientation};
pub use glam::{DVec2, I64Vec2, Vec2, dvec2};
pub use intersect::{Chord, ChordPoint, Crossing, Intersect, Intersection};
pub use position::{ONE, Position, PositionError, Vector, to_lengths, to_units};
pub use queries::{Contact, Shape};
pub use shapes::{
    Aabb, AnyBounded, AnyShape, Capsule, Circle, ConvexPolygon, Line, MAX_COORDINATE, MAX_CORNERS, Obb, Point, Ray,
    Segment, ShapeError, Triangle,
};
pub use sweep::{Bounded, Ends, Hit, Sweep};
