//! The shapes. Constructors check all numbers once, so queries need no further checks.

mod aabb;
mod any;
mod capsule;
mod check;
mod circle;
mod core;
mod line;
mod obb;
mod point;
mod polygon;
mod ray;
mod segment;
mod triangle;

#[cfg(test)]
pub(crate) use self::core::Corners;
pub(crate) use self::core::{Core, Extent};
pub use aabb::Aabb;
pub use any::{AnyBounded, AnyShape};
pub use capsule::Capsule;
pub(crate) use check::flush_small_to_zero;
pub use check::{MAX_COORDINATE, MAX_CORNERS, ShapeError};
pub use circle::Circle;
pub use line::Line;
pub use obb::Obb;
pub use point::Point;
pub use polygon::ConvexPolygon;
pub use ray::Ray;
pub use segment::Segment;
pub use triangle::Triangle;
