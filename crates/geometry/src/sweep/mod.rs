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

/// What a sweep of a moving shape against an obstacle finds.
///
/// Obstacles are solid and have two sides. Overlap is what [`Shape`] says it is: sharing only a boundary is no overlap.
/// A sweep is
///
/// - `Overlapping` if the shapes overlap before the motion begins;
/// - else a `Hit` if they would overlap at some time of the motion, its end included, at the earliest time from which on
///   they would: at that time they touch, and going on they overlap;
/// - else `Clear`. So touching at the start and moving along or away is clear, as are grazing a corner, sliding along a
///   side, only touching where the motion ends, and no motion.
///
/// Two shapes that cannot overlap, since together they have no width (a point and a segment, two flat boxes): a motion
/// that takes one from strictly one side of the other to strictly the other side is a hit, the ends of the segment
/// included. Starting on it is free. A point never meets a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sweep<H = Hit> {
    /// The motion is free.
    Clear,
    /// The earliest contact on the way.
    Hit(H),
    /// The interiors meet before the motion begins; the obstacle says nothing about the motion.
    Overlapping,
}

/// A contact on the way of a moving shape, in lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Time of impact as a fraction of the motion, in [0, 1].
    pub toi: f64,
    /// Where the two shapes touch; of a shared interval, the point nearest to the middle of the moving shape.
    pub point: DVec2,
    /// Unit normal, from the obstacle to the mover.
    pub normal: DVec2,
}

impl<H> Sweep<H> {
    /// The hit, if there is one.
    pub fn hit(self) -> Option<H> {
        match self {
            Sweep::Hit(hit) => Some(hit),
            Sweep::Clear | Sweep::Overlapping => None,
        }
    }
}

/// A shape of finite size: what a circle or a box can be swept against.
pub trait Bounded: Shape {}

macro_rules! bounded {
    ($($kind:ty),*) => {
        $(impl Bounded for $kind {})*
    };
}

bounded!(Point, Segment, Circle, Aabb, Obb, Capsule, Triangle, ConvexPolygon, AnyBounded<'_>);
