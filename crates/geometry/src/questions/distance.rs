use crate::shapes::AnyShape;

#[inline]
pub(super) fn distance(_a: AnyShape<'_>, _b: AnyShape<'_>) -> f64 {
    todo!()
}

#[inline]
pub(super) fn distance_sq(_a: AnyShape<'_>, _b: AnyShape<'_>) -> f64 {
    todo!()
}
