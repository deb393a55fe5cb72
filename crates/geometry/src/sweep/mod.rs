//! Where a moving shape meets another one.

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

/// Result of a sweep: a moving shape against an obstacle.
///
/// Obstacles are solid and have two sides. [`Shape`] defines overlap: shapes that share only a boundary do not overlap.
///
/// - `Overlapping`: the shapes overlap before the motion begins.
/// - `Hit`: the shapes do not overlap at the start, but would overlap at some time of the motion, its end included. At
///   the time of impact the shapes touch, and directly after it they would overlap.
/// - `Clear`: all other motions. Examples are grazing a corner, sliding along a side, and no motion. Touching at the
///   start and moving along or away is clear too, and so is only touching at the end.
///
/// Two shapes without any width (a point and a segment, or two flat boxes) cannot overlap. For such shapes, a motion
/// across the other shape is a hit. It must begin strictly on one side and end strictly on the other. The ends of the
/// segment count. A motion that starts on the other shape is clear. A point never hits a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sweep<H = Hit> {
    /// The obstacle does not block the motion.
    Clear,
    /// The earliest hit on the path.
    Hit(H),
    /// The interiors overlap before the motion begins. The sweep then gives no information about the motion.
    Overlapping,
}

/// The hit of a moving shape or a ray on an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Time of impact as a fraction of the motion, in [0, 1]; for a ray cast, the parameter along the ray, 0 or more.
    pub toi: f64,
    /// Contact point, where the two shapes touch.
    ///
    /// On a shared stretch of boundary, the contact point is the one nearest to the middle of the moving shape.
    pub point: DVec2,
    /// Contact normal: a unit vector pointing from the obstacle to the moving shape.
    pub normal: DVec2,
}

impl<H> Sweep<H> {
    /// Returns the hit, or `None` if the sweep is clear or the shapes overlap at the start.
    pub fn hit(self) -> Option<H> {
        match self {
            Sweep::Hit(hit) => Some(hit),
            Sweep::Clear | Sweep::Overlapping => None,
        }
    }
}

/// A shape of finite size, accepted as an obstacle by sweeps of circles and boxes.
///
/// Every shape except line and ray is bounded.
pub trait Bounded: Shape {}

macro_rules! bounded {
    ($($kind:ty),*) => {
        $(impl Bounded for $kind {})*
    };
}

bounded!(Point, Segment, Circle, Aabb, Obb, Capsule, Triangle, ConvexPolygon, AnyBounded<'_>);
