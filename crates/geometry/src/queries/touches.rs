use super::contact::contact;
use crate::shapes::AnyShape;
use crate::tolerance::TOUCH;

pub(super) fn touches(a: AnyShape<'_>, b: AnyShape<'_>) -> bool {
    contact(a, b).is_some_and(|contact| contact.depth <= TOUCH)
}
