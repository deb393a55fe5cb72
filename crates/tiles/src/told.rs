//! Readable errors: `{:?}` prints the sentence of `{}`, so that `unwrap()` and `fn main() -> Result` show it.

pub(crate) use surefoot_geometry::debug_is_display;

/// Implements `Debug` of an error enum by its `Display`. Also implements `variant`, from which `check` makes the
/// codes of mistakes.
#[cfg(feature = "record")]
#[doc(hidden)]
#[macro_export]
macro_rules! named_variants {
    ($error:ident: $($variant:ident)+) => {
        $crate::internals::debug_is_display!($error);

        impl $error {
            /// Returns the name of the variant.
            #[must_use]
            #[doc(hidden)]
            pub fn variant(&self) -> &'static str {
                match self {
                    $($error::$variant { .. } => stringify!($variant),)+
                }
            }
        }
    };
}

/// Implements `Debug` of an error enum by its `Display`.
#[cfg(not(feature = "record"))]
#[doc(hidden)]
#[macro_export]
macro_rules! named_variants {
    ($error:ident: $($variant:ident)+) => {
        $crate::internals::debug_is_display!($error);
    };
}

pub(crate) use named_variants;

/// Returns a number of things with their name.
pub(crate) fn count_with_name(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}
