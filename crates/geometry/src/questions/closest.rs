use crate::shapes::AnyShape;
use glam::DVec2;

#[inline]
pub(super) fn closest_point(_shape: AnyShape<'_>, _point: DVec2) -> DVec2 {
    todo!()
}
