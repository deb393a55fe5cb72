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

use crate::questions::Shape;
use crate::shapes::{Aabb, Capsule, Circle, ConvexPolygon, Obb, Point, Segment, Triangle};
use glam::DVec2;
pub use one_sided::Ends;

/// What a sweep of a moving shape against an obstacle finds.
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

impl Bounded for Point {}
impl Bounded for Segment {}
impl Bounded for Circle {}
impl Bounded for Aabb {}
impl Bounded for Obb {}
impl Bounded for Capsule {}
impl Bounded for Triangle {}
impl Bounded for ConvexPolygon {}
