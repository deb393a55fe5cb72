//! Flags of a body that change in few ticks. They share two bytes, because the record of a body has no room for a
//! byte each.

use super::character::LastingAbility;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// Flags that the last events of a body reported, and other flags that change in few ticks, in two bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(from = "FlagsFile", into = "FlagsFile"))]
pub(crate) struct Flags {
    ground: bool,
    /// Bits 1 to 3 hold the ability. Each other bit is a flag.
    others: u8,
}

/// Defines each flag by one row: getter, setter and bit. Snapshots contain the flags in the order of the rows, and
/// checksums hash all bits. Add new flags at the end.
macro_rules! flags {
    (
        { $($(#[$doc:meta])* $flag:ident, $set:ident, $bit:literal;)* }
        ability;
        { $($(#[$more_doc:meta])* $more:ident, $set_more:ident, $more_bit:literal;)* }
    ) => {
        impl Flags {
            flags!(@ $($(#[$doc])* $flag, $set, $bit;)* $($(#[$more_doc])* $more, $set_more, $more_bit;)*);
        }

        /// The form of [`Flags`] in a file.
        #[cfg(feature = "serde")]
        #[derive(Serialize, Deserialize)]
        #[serde(deny_unknown_fields, rename = "Flags")]
        struct FlagsFile {
            ground: bool,
            $($flag: bool,)*
            ability: Option<LastingAbility>,
            $($more: bool,)*
        }

        #[cfg(feature = "serde")]
        impl From<Flags> for FlagsFile {
            fn from(flags: Flags) -> FlagsFile {
                FlagsFile {
                    ground: flags.is_reported_on_ground(),
                    $($flag: flags.$flag(),)*
                    ability: flags.ability(),
                    $($more: flags.$more(),)*
                }
            }
        }

        #[cfg(feature = "serde")]
        impl From<FlagsFile> for Flags {
            fn from(file: FlagsFile) -> Flags {
                let mut flags = Flags::NONE;
                flags.set_reported_on_ground(file.ground);
                flags.set_reported_ability(file.ability);
                $(flags.$set(file.$flag);)*
                $(flags.$set_more(file.$more);)*
                flags
            }
        }
    };
    (@ $($(#[$doc:meta])* $flag:ident, $set:ident, $bit:literal;)*) => {
        const _BITS_DIFFER: () = assert!(Flags::ABILITY as u32 $(+ (1 << $bit))* == Flags::ABILITY as u32 $(| 1 << $bit)*);

        $(
            $(#[$doc])*
            #[inline(always)]
            pub(crate) fn $flag(self) -> bool {
                self.others & 1 << $bit != 0
            }

            #[inline(always)]
            pub(crate) fn $set(&mut self, value: bool) {
                self.others = self.others & !(1 << $bit) | u8::from(value) << $bit;
            }
        )*
    };
}

flags! {
    {
        /// Whether the last events reported that it has left the map.
        outside, set_outside, 0;
    }
    ability;
    {}
}

impl Flags {
    pub(crate) const NONE: Flags = Flags { ground: false, others: 0 };
    /// Bits of the ability.
    const ABILITY: u8 = 0b1110;

    /// Whether the body was on the ground according to the last event, or was spawned there. Commands change the
    /// footing without an event.
    #[inline(always)]
    pub(crate) fn is_reported_on_ground(self) -> bool {
        self.ground
    }

    #[inline(always)]
    pub(crate) fn set_reported_on_ground(&mut self, ground: bool) {
        self.ground = ground;
    }

    /// Returns whether the begin of an ability was reported and its end was not.
    #[inline(always)]
    pub(crate) fn has_ability(self) -> bool {
        self.others & Flags::ABILITY != 0
    }

    /// Returns the ability whose begin was reported and whose end was not.
    pub(crate) fn ability(self) -> Option<LastingAbility> {
        LastingAbility::ALL.get(usize::from((self.others & Flags::ABILITY) >> 1).wrapping_sub(1)).copied()
    }

    pub(crate) fn set_reported_ability(&mut self, ability: Option<LastingAbility>) {
        self.others = self.others & !Flags::ABILITY | ability.map_or(0, |ability| ability as u8) << 1;
    }

    /// Returns all bits except [`Flags::is_reported_on_ground`], for checksums.
    #[inline(always)]
    pub(super) fn bits(self) -> u8 {
        self.others
    }
}
