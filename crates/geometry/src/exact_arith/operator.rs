//! How numbers get their operators.

/// An operator of a type, as a function of both sides.
macro_rules! operator {
    ($trait:ident $method:ident, $left:ty, $right:ty: $value:expr) => {
        impl std::ops::$trait<$right> for $left {
            type Output = $left;

            fn $method(self, other: $right) -> $left {
                $value(self, other)
            }
        }
    };
}

pub(super) use operator;
