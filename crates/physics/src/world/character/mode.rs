//! The mode of a character: one value that says what sets its velocity. It is decided before the character moves.

use crate::body::{Body, Character, rescale_counted_ticks};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// What sets a character's velocity. Bodies that are not characters, and characters without abilities, stay at
/// [`Mode::Walk`]: [`Footing`](crate::world::Footing) tells whether they are on the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub(crate) enum Mode {
    /// On the ground, or in the air without a jump: a late jump is possible within the coyote time.
    Walk,
    /// In the air after a jump, a dash or a spawn: no late jump is possible.
    Air,
    /// Rises by a jump that ends early if the player lets go of the button.
    Jump,
    /// The dash sets the velocity.
    Dash,
    /// The climb in a climbable area sets the velocity.
    Climb,
    /// The swim in a liquid sets the velocity.
    Swim,
    /// Hangs on a ledge, or pulls itself up onto it.
    Ledge,
}

impl Mode {
    /// The mode of a body that a command puts in the air or on the ground: it may not jump late there.
    pub(in crate::world) fn after_placement(kind: &Body) -> Mode {
        if kind.character.as_ref().is_some_and(Character::has_jump_state) { Mode::Air } else { Mode::Walk }
    }

    /// Whether an ability sets the velocity: neither input nor gravity changes it.
    #[inline(always)]
    pub(crate) fn is_driven(self) -> bool {
        self as u8 >= Mode::Dash as u8
    }

    /// Whether the character has left the ground by a jump, or counts as if it had.
    pub(super) fn has_jumped(self) -> bool {
        matches!(self, Mode::Air | Mode::Jump)
    }

    /// The mode without the rise of a jump and without an ability: a command has set the velocity, or it contains the speed
    /// of the run.
    pub(in crate::world) fn without_drive(self) -> Mode {
        match self {
            Mode::Jump => Mode::Air,
            driven if driven.is_driven() => Mode::Walk,
            other => other,
        }
    }

    /// The mode once the coyote time is over.
    pub(in crate::world) fn without_late_jump(self) -> Mode {
        if self == Mode::Walk { Mode::Air } else { self }
    }
}

/// Ticks for which a press of jump is still stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(transparent))]
pub(crate) struct JumpBuffer(pub(crate) u8);

impl JumpBuffer {
    pub(crate) const NONE: JumpBuffer = JumpBuffer(0);
    /// The stored press makes the character jump in this tick.
    pub(in crate::world) const DUE: JumpBuffer = JumpBuffer(u8::MAX);
    const MAX_TICKS: u8 = u8::MAX - 1;

    pub(super) fn of_ticks(ticks: f64) -> u8 {
        ticks.min(f64::from(JumpBuffer::MAX_TICKS)) as u8
    }

    #[inline(always)]
    pub(in crate::world) fn is_jump_due(self) -> bool {
        self == JumpBuffer::DUE
    }

    pub(super) fn ticks(self) -> u8 {
        if self.is_jump_due() { 0 } else { self.0 }
    }

    /// Converts the ticks for which the press is stored to another time scale.
    pub(in crate::world) fn rescale(self, paces: (f64, f64)) -> JumpBuffer {
        let ticks = rescale_counted_ticks(self.ticks().into(), paces).min(JumpBuffer::MAX_TICKS.into()) as u8;
        if self.is_jump_due() { self } else { JumpBuffer(ticks) }
    }
}
