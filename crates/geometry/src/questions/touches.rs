use crate::shapes::AnyShape;

#[inline]
pub(super) fn touches(_a: AnyShape<'_>, _b: AnyShape<'_>) -> bool {
    todo!()
}
