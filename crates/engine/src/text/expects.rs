//! What a reader of some kind of file knows of its fields, beyond what their types say; for messages.

use super::tree::Shape;

/// What is known of a kind of file.
#[derive(Clone, Copy)]
pub(crate) struct Expects {
    /// What the parts of an enum's variant are, by its name.
    pub(crate) parts: fn(&str) -> Option<&'static str>,
    /// The integers that a field, or a variant with integers in it, may hold.
    pub(crate) range: fn(&str) -> Option<&'static str>,
    /// What the two values of a field are.
    pub(crate) pair: fn(&str) -> &'static str,
    /// What something of that shape and source was meant to be where an enum of that name is expected.
    pub(crate) variant: fn(&str, Shape, &str) -> Option<String>,
}

/// Source that is short enough to be repeated in a hint.
pub(crate) fn is_short(source: &str) -> bool {
    source.len() <= 60 && !source.contains('\n')
}
