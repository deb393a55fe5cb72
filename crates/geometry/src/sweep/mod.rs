//! Sweeps: the first hit of a moving shape on an obstacle.

mod aabb;
mod circle;
mod clip;
mod exact_clip;
mod flat;
mod mover;
mod one_sided;
mod outline;
mod precision;
mod rounded;
mod slab;
#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "powers of two are exact")]
mod tests;
mod verdict;

use crate::queries::Shape;
use crate::shapes::{Aabb, AnyBounded, Capsule, Circle, ConvexPolygon, Obb, Point, Segment, Triangle};
use glam::DVec2;
pub use one_sided::Ends;

/// Result of a sweep, which moves a shape in a straight line and tests the motion against an obstacle.
///
/// An obstacle is filled, not hollow, and stops motions from every direction. Shapes that have only boundary points in
/// common do not overlap (see [`Shape`]).
///
/// - `Overlapping`: the shapes overlap before the motion begins.
/// - `Hit`: the shapes do not overlap at the start, but would overlap at some time of the motion, its end included.
///   They touch at the time of impact, and would overlap directly after it.
/// - `Clear`: all other motions, such as grazing a corner, sliding along a side, and no motion at all. Shapes that
///   touch at the start and move along or away are clear too, and so are shapes that touch only at the end.
///
/// Two shapes without any width, such as a point and a segment, cannot overlap. For them, a motion across the other
/// shape is a hit. The motion must begin strictly on one side of the other shape and end strictly on the other side. A
/// point that crosses a segment exactly at its end is a hit too. A motion that starts on the other shape is clear. A
/// point never hits a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sweep<H = Hit> {
    /// The obstacle does not block the motion: the moving shape passes it, or only touches it.
    Clear,
    /// The obstacle stops the motion: the earliest hit.
    Hit(H),
    /// The shapes overlap before the motion begins. The sweep did not examine the motion.
    Overlapping,
}

/// The hit of a moving shape, or of a ray, on an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Time of impact as a fraction of the motion, from 0 (start) to 1 (end).
    ///
    /// For a ray cast: position of the hit along the ray, 0 at the ray's origin, 1 at its second point, larger
    /// beyond.
    pub toi: f64,
    /// Contact point at the time of impact, where the two shapes touch.
    ///
    /// If the shapes touch along a stretch of their boundaries, such as a box on a floor, this is the point of the
    /// stretch closest to the middle of the moving shape.
    pub point: DVec2,
    /// Contact normal: a unit vector that points from the obstacle to the moving shape.
    pub normal: DVec2,
}

impl<H> Sweep<H> {
    /// Returns the hit, or `None` for the results `Clear` and `Overlapping`.
    pub fn hit(self) -> Option<H> {
        match self {
            Sweep::Hit(hit) => Some(hit),
            Sweep::Clear | Sweep::Overlapping => None,
        }
    }
}

/// A shape of finite size: every shape except line and ray. Sweeps of circles and boxes accept it as an obstacle.
pub trait Bounded: Shape {}

macro_rules! bounded {
    ($($kind:ty),*) => {
        $(impl Bounded for $kind {})*
    };
}

bounded!(Point, Segment, Circle, Aabb, Obb, Capsule, Triangle, ConvexPolygon, AnyBounded<'_>);
