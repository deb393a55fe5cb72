//! Two-dimensional shapes and every test that a game asks of them.
//!
//! - y is up, x to the right. An edge's outward normal is on the left of the way from its start to its end.
//! - Sharing a boundary is touching, not overlapping.
//! - Touching at the start and moving in is a hit at time 0; moving along or away is clear.

pub mod exact;
mod intersect;
mod number;
mod place;
mod questions;
mod shapes;
pub mod space;
mod sweep;
pub mod tolerance;

pub use glam::{DVec2, I64Vec2, Vec2, dvec2};
pub use intersect::{Chord, ChordPoint, Crossing, Intersect, Intersection};
pub use number::{Orientation, orientation};
pub use place::{ONE, Place, PlaceError, UnitsOutOfRange, to_lengths, to_units};
pub use questions::{Contact, Shape};
pub use shapes::{
    Aabb, AnyShape, Capsule, Circle, ConvexPolygon, Line, MAX_COORDINATE, MAX_CORNERS, Obb, Point, Ray, Segment,
    ShapeError, Triangle,
};
pub use sweep::{Bounded, Ends, Hit, Sweep};
