//! A macro that implements operators of number types.

/// Implements an operator from a closure of both operands.
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
