//! What two shapes share.

mod chord;
mod lines;

pub use chord::{Chord, ChordPoint};
pub use lines::{Crossing, Intersection};

/// What this shape and another one have in common, where that is a point or a stretch.
pub trait Intersect<Other> {
    /// What the answer is made of.
    type Shared;

    /// What do the two shapes share?
    fn intersect(&self, other: &Other) -> Self::Shared;
}
