use crate::shapes::AnyShape;
use glam::DVec2;

#[inline]
pub(super) fn contains(_shape: AnyShape<'_>, _point: DVec2) -> bool {
    todo!()
}
