use crate::shapes::AnyShape;
use glam::DVec2;

/// How two shapes meet: `a.contact(&b)` is what keeps `a` out of `b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// A point on the boundary of the other shape; of a shared stretch, its middle.
    pub point: DVec2,
    /// Unit normal, from the other shape to this one.
    pub normal: DVec2,
    /// How far this shape must go along the normal until the two only touch: more than 0 exactly if they overlap; 0 or
    /// less, down to -[`tolerance::TOUCH`](crate::tolerance::TOUCH), if they only touch.
    pub depth: f64,
}

pub(super) fn contact(_a: AnyShape<'_>, _b: AnyShape<'_>) -> Option<Contact> {
    todo!()
}
