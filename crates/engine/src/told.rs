//! Errors that a program gives up with.

/// Has errors print themselves for `{:?}` as for `{}`: that is what a program shows which ends with one, or unwraps it.
macro_rules! debug_is_display {
    ($($error:ty),+) => {
        $(
            impl std::fmt::Debug for $error {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    std::fmt::Display::fmt(self, f)
                }
            }
        )+
    };
}

pub(crate) use debug_is_display;
