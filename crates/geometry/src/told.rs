//! Readable errors: `{:?}` prints the sentence of `{}`, so that `unwrap()` and `fn main() -> Result` show it.

/// Implements `Debug` of error types by their `Display`. Meant for the crates of this workspace only.
#[doc(hidden)]
#[macro_export]
macro_rules! debug_is_display {
    ($($error:ty),+ $(,)?) => {
        $(
            impl ::std::fmt::Debug for $error {
                fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                    ::std::fmt::Display::fmt(self, f)
                }
            }
        )+
    };
}
