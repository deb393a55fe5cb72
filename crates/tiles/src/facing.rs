#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// Side that a body faces. See [`World::set_facing`](../world/struct.World.html#method.set_facing).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[repr(i8)]
pub enum Facing {
    /// Left, as seen with the world's up direction at the top.
    Left = -1,
    /// No side. The default until the map or the game sets one.
    #[default]
    Unset = 0,
    /// Right, as seen with the world's up direction at the top.
    Right = 1,
}

impl Facing {
    /// Sides by their names in files.
    #[doc(hidden)]
    pub const NAMES: (&[&str], &[Facing]) =
        (&["Left", "Unset", "Right"], &[Facing::Left, Facing::Unset, Facing::Right]);

    /// Returns -1 for left, 1 for right and 0 for unset: a factor that mirrors a sprite or a shot.
    #[must_use]
    pub const fn sign(self) -> f64 {
        self as i8 as f64
    }

    /// Returns the opposite side if `is_swapped`, else the same side.
    #[doc(hidden)]
    #[must_use]
    pub fn swapped_if(self, is_swapped: bool) -> Facing {
        if is_swapped { Facing::from_sign(-(self as i8)) } else { self }
    }

    /// Returns right for a positive sign, left for a negative one, else neither.
    #[doc(hidden)]
    #[must_use]
    pub fn from_sign(sign: i8) -> Facing {
        match sign {
            ..0 => Facing::Left,
            0 => Facing::Unset,
            1.. => Facing::Right,
        }
    }
}
