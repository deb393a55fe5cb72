use glam::I64Vec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// Direction that counts as up: decides which surfaces are floors, walls and ceilings.
///
/// Gravity of the world does not follow this direction:
/// [`Settings::gravity`](../world/struct.Settings.html#structfield.gravity) is a separate vector. It turns for a body
/// with [another up](../body/struct.Body.html#structfield.up).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum Up {
    /// Up is towards greater y, as maps are drawn. The default.
    #[default]
    PlusY,
    /// Up is towards smaller x.
    MinusX,
    /// Up is towards smaller y.
    MinusY,
    /// Up is towards greater x.
    PlusX,
}

impl Up {
    /// Returns the up direction: (1, 0), (-1, 0), (0, 1) or (0, -1).
    #[must_use]
    pub const fn direction(self) -> I64Vec2 {
        match self {
            Up::PlusY => I64Vec2::Y,
            Up::MinusX => I64Vec2::NEG_X,
            Up::MinusY => I64Vec2::NEG_Y,
            Up::PlusX => I64Vec2::X,
        }
    }

    /// Returns the direction of right as a unit vector: up turned clockwise by 90 degrees.
    #[must_use]
    pub const fn right(self) -> I64Vec2 {
        let up = self.direction();
        I64Vec2::new(up.y, -up.x)
    }

    /// Directions by their names in files.
    #[doc(hidden)]
    pub const NAMES: (&[&str], &[Up]) =
        (&["PlusY", "MinusX", "MinusY", "PlusX"], &[Up::PlusY, Up::MinusX, Up::MinusY, Up::PlusX]);
}
