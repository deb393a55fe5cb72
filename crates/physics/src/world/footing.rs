//! Footing: whether a body is on the ground or in the air, as one value. On the ground it includes the speed along
//! the ground, in the air the first tick there.
//!
//! The character controller, `on_floor`, the floor in `touching` and the events are derived from the footing. It is
//! set at the end of a tick, by commands that move a body or set its velocity, and when an edit removes the floor.

use crate::body::MAX_SPEED;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// Whether a body is on the ground or in the air. [`BodyState::footing`](super::BodyState::footing) returns it.
///
/// The body is on the ground exactly if [`BodyState::on_floor`](super::BodyState::on_floor) is true. The events
/// [`Landed`] and [`LeftFloor`] report a change. [`World::contacts`](super::World::contacts) returns the surfaces that
/// the body rests on. While a body is stuck (overlaps a solid), its footing does not change.
///
/// [`Landed`]: crate::event::EventKind::Landed
/// [`LeftFloor`]: crate::event::EventKind::LeftFloor
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub enum Footing {
    /// The body is on the ground: it stands on a floor or is wedged between steep surfaces, and does not move away from
    /// them.
    Ground {
        /// Speed of a character along the ground, in tiles per second: positive to the right, negative to the left.
        ///
        /// With a [`Body::time_scale`](crate::body::Body::time_scale) below 1, these are seconds of the body's slower
        /// time.
        ///
        /// For a body that is not a character, 0: use [`BodyState::velocity`](super::BodyState::velocity) for such a
        /// body.
        speed: f64,
    },
    /// The body is in the air.
    Air {
        /// Number of the first tick in the air after the body left the ground or was spawned.
        /// [`World::tick`](super::World::tick) counts the ticks.
        since: u64,
    },
}

impl Footing {
    pub(crate) fn is_ground(&self) -> bool {
        self.speed().is_some()
    }

    /// Returns the speed along the ground if the body is on the ground.
    #[inline(always)]
    pub(crate) fn speed(&self) -> Option<f64> {
        match *self {
            Footing::Ground { speed } => Some(speed),
            Footing::Air { .. } => None,
        }
    }

    /// Returns the next footing: on the ground with this speed, or in the air, from now on or as long as before.
    #[inline(always)]
    pub(super) fn next_footing(self, speed: Option<f64>, now: u64) -> Footing {
        match (speed, self) {
            (Some(speed), _) if speed.abs() <= MAX_SPEED => Footing::Ground { speed },
            (Some(speed), _) => Footing::Ground { speed: speed.clamp(-MAX_SPEED, MAX_SPEED) },
            (None, Footing::Ground { .. }) => Footing::Air { since: now },
            (None, air) => air,
        }
    }

    /// Changes the speed along the ground if the body is on the ground.
    pub(super) fn add_ground_speed(&mut self, change: f64) {
        if let Footing::Ground { speed } = self {
            *speed = (*speed + change).clamp(-MAX_SPEED, MAX_SPEED);
        }
    }

    /// Returns bits that are equal exactly for bitwise equal values.
    #[inline(always)]
    pub(crate) fn bits(&self) -> (bool, u64) {
        match *self {
            Footing::Ground { speed } => (true, speed.to_bits()),
            Footing::Air { since } => (false, since),
        }
    }
}
