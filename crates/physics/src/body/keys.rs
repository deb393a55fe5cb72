use super::Input;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// An [`Input`] in two bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(from = "Input", into = "Input"))]
#[repr(C)]
pub(crate) struct Keys {
    pub(crate) walk: i8,
    buttons: u8,
}

const JUMP: u8 = 1;
const DOWN: u8 = 2;
const UP: u8 = 4;
const DASH: u8 = 8;

impl Keys {
    pub(crate) const NONE: Keys = Keys { walk: 0, buttons: 0 };

    #[inline(always)]
    pub(crate) fn is_jump_held(self) -> bool {
        self.buttons & JUMP != 0
    }

    #[inline(always)]
    pub(crate) fn is_down_held(self) -> bool {
        self.buttons & DOWN != 0
    }

    #[inline(always)]
    pub(crate) fn is_up_held(self) -> bool {
        self.buttons & UP != 0
    }

    #[inline(always)]
    pub(crate) fn is_dash_held(self) -> bool {
        self.buttons & DASH != 0
    }

    /// Returns whether a button is held that does more than walk and drop through.
    #[inline(always)]
    pub(crate) fn has_ability_key(self) -> bool {
        self.buttons & (JUMP | UP | DASH) != 0
    }
}

impl From<Input> for Keys {
    #[inline]
    fn from(input: Input) -> Keys {
        let Input { walk, jump, down, up, dash } = input;
        let bit = |held: bool, button: u8| u8::from(held) * button;
        Keys { walk, buttons: bit(jump, JUMP) | bit(down, DOWN) | bit(up, UP) | bit(dash, DASH) }
    }
}

impl From<Keys> for Input {
    #[inline]
    fn from(keys: Keys) -> Input {
        Input {
            walk: keys.walk,
            jump: keys.is_jump_held(),
            down: keys.is_down_held(),
            up: keys.is_up_held(),
            dash: keys.is_dash_held(),
        }
    }
}
