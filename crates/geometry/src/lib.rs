//! Two-dimensional shapes and every test that a game asks of them, in glam's f64 vectors. It allocates nothing and knows no
//! tiles.
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
//! # Which questions, of which pairs
//!
//! **Every pair of the ten shapes** answers [`distance`](Shape::distance) and [`distance_sq`](Shape::distance_sq),
//! [`overlaps`](Shape::overlaps), [`touches`](Shape::touches) and [`contact`](Shape::contact). What there is besides:
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
//! The first shape is the row's, the one that moves or that is asked; the second is the column's.
//!
//! - `in` [`contains`](Shape::contains), `near` [`closest_point`](Shape::closest_point): about a point, given as a vector;
//! - `i` [`intersect`](Intersect::intersect): what the two share, with parameters; `r` [`cast_ray`](Shape::cast_ray): where
//!   a ray first hits, and its normal there;
//! - `s` [`sweep`](Circle::sweep) and [`sweep_moving`](Circle::sweep_moving), one or both moving: a circle or a
//!   [box](Aabb::sweep) against a solid of any finite shape;
//! - `e` [`sweep_one_sided`](Circle::sweep_one_sided), also of a [box](Aabb::sweep_one_sided): against an edge that stops
//!   what comes from its outer side only.
//!
//! Shapes in lists of mixed kinds are an [`AnyShape`], of which all that can be asked of a [`Shape`] can be asked; to be
//! swept against, [`AnyShape::bounded`].
//! [`orientation`] says exactly on which side of a line a point lies. [`space`] has a few tests for 2D games in a 3D scene.
//!
//! # Rules
//!
//! - y is up, x to the right. An edge's outward normal is on the left of the way from its start to its end.
//! - Shapes are closed, and come from constructors that check them: finite, sizes not negative, convex, coordinates up to
//!   [`MAX_COORDINATE`]. Nothing that a constructor lets through makes a question panic or answer NaN.
//! - **Sharing a boundary is touching, not overlapping**, for all pairs alike: see [`Shape`].
//! - Normals are of unit length and lead from the second shape, the obstacle, to the first, the mover.
//! - Touching at the start and moving in is a hit at time 0; moving along or away is clear.
//! - A mirrored or turned scene gives the mirrored or turned answer, bit for bit. A scene shifted by amounts that f64 can
//!   add without rounding gives the same bits but in the last place of points. Where a symmetric scene has several answers
//!   that are equally good, such as the normal between concentric circles, one of them is chosen.
//! - Among straight shapes every yes or no is decided exactly. Where radii count it is decided in some hundred bits.
//! - Lengths and points are right to 2^-50 of the scene's size ([`tolerance::ROUNDING`]) unless a function says otherwise.
//!
//! # Sweeps
//!
//! The mover is blue: where it starts, where it hits, and dashed where it would have ended. The hit's point and normal are
//! orange.
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
//! Each first shape in blue, and dashed where the contact's normal and depth put it:
//! <div style="max-width: 100%; overflow-x: auto">
#![doc = include_str!("../doc/contact.svg")]
//! </div>
//!
//! # In fixed point
//!
//! [`exact`] has the sweeps that the surefoot engine casts with, in whole units of 2^-32 ([`ONE`] is a length of 1; a
//! [`Position`] is a point in whole units): [`exact::sweep_box`] and [`exact::sweep_circle`] against one-sided edges, and
//! [`exact::sweep_pair`] of two that both move. A box's time of impact is a fraction of integers; a circle's is f64, but on
//! which side it starts and ends is decided in integers.

pub mod exact;
mod exact_arith;
mod intersect;
mod position;
mod queries;
mod shapes;
pub mod space;
mod sweep;
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
