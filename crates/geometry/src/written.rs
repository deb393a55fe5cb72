//! Reading shapes from files.

/// Implements reading a shape from a file: the file has exactly the listed fields, and `new` checks them.
macro_rules! written {
    ($shape:ident, $name:literal, $error:ident, $($field:ident: $kind:ty),*) => {
        #[cfg(feature = "serde")]
        #[derive(Deserialize)]
        #[serde(rename = $name, deny_unknown_fields)]
        struct Unchecked {
            $($field: $kind),*
        }

        #[cfg(feature = "serde")]
        impl TryFrom<Unchecked> for $shape {
            type Error = $error;

            fn try_from(written: Unchecked) -> Result<$shape, $error> {
                $shape::new($(written.$field),*)
            }
        }
    };
}

pub(crate) use written;
