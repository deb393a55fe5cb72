use crate::shapes::AnyShape;

#[inline]
pub(super) fn overlaps(_a: AnyShape<'_>, _b: AnyShape<'_>) -> bool {
    todo!()
}
