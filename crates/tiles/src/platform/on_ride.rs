//! Reactions of platforms to riders: start the path, fall or crumble.

use super::Path;
use crate::told::debug_is_display;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Reaction of a platform when a body first rides it.
///
/// # Examples
/// ```
/// use surefoot::platform::{OnRide, Platform};
/// use surefoot::prelude::*;
/// use surefoot::{Map, World};
///
/// let map = Map::from_rows(["....", "....", "===="])?;
/// let plank = Platform::from_rows(&map, ["=="])?.at((1.0, 1.0));
/// let mut world = World::new(map, Settings::default());
/// let plank = world.spawn_platform(plank.on_ride(OnRide::Crumble { delay: 0.5, respawn_time: Some(2.0) }))?;
/// world.spawn(Body::new(Shape::aabb(0.35, 0.5)).at((2.0, 2.5)).character(Character::default()))?;
/// let mut is_present = |ticks: u32| {
///     (0..ticks).for_each(|_| world.step());
///     world.platform(plank).unwrap().is_present()
/// };
/// // It is ridden in the first tick, and stays for another half of a second.
/// assert!(is_present(31));
/// assert!(!is_present(1));
/// assert!(!is_present(119));
/// assert!(is_present(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum OnRide {
    /// Nothing changes: the platform continues its motion.
    #[default]
    Nothing,
    /// The platform starts to follow its path or circle. Until then, it stands still.
    Start,
    /// The platform falls with the world's gravity until it has left the map. Then it disappears and collides with
    /// nothing.
    ///
    /// A falling platform passes through the terrain, and carries and pushes bodies.
    Fall {
        /// Seconds from the first ride until the platform falls, at least 0.
        delay: f64,
        /// Seconds from the disappearance of the platform until it returns. The platform then is at the position that
        /// its path has reached by that time. With `None`, the platform never returns.
        respawn_time: Option<f64>,
    },
    /// The platform disappears after a delay, and collides with nothing until it returns.
    Crumble {
        /// Seconds from the first ride until the platform disappears, at least 0.
        delay: f64,
        /// Seconds from the disappearance of the platform until it returns. The platform then is at the position that
        /// its path has reached by that time. With `None`, the platform never returns.
        respawn_time: Option<f64>,
    },
}

/// Error for a delay or a duration in [`OnRide`] that is out of range.
#[derive(Clone, Copy, PartialEq, Error)]
#[error("`{field}` is {value} seconds; expected at least 0 seconds, and at most {} ticks", Path::MAX_TICKS)]
pub struct DelayError {
    /// Name of the field: `delay` or `respawn_time`.
    pub field: &'static str,
    /// Refused time, in seconds.
    pub value: f64,
}

debug_is_display!(DelayError);

impl OnRide {
    /// Checks that the delay and the respawn time are 0 to [`Path::MAX_TICKS`] ticks long, in a world with ticks of
    /// `tick` seconds.
    ///
    /// # Errors
    /// Returns a [`DelayError`] for the first time that is out of range.
    pub fn check(&self, tick: f64) -> Result<(), DelayError> {
        let Some((after, back)) = self.delays() else { return Ok(()) };
        check_delay("delay", after, tick)?;
        back.map_or(Ok(()), |back| check_delay("respawn_time", back, tick))
    }

    /// Returns the seconds until it falls or crumbles, and until it returns.
    #[doc(hidden)]
    pub fn delays(&self) -> Option<(f64, Option<f64>)> {
        match *self {
            OnRide::Nothing | OnRide::Start => None,
            OnRide::Fall { delay: after, respawn_time: back }
            | OnRide::Crumble { delay: after, respawn_time: back } => Some((after, back)),
        }
    }
}

/// Refuses a time that is not a valid number of ticks of `tick` seconds.
pub(crate) fn check_delay(field: &'static str, value: f64, tick: f64) -> Result<(), DelayError> {
    let is_time = value >= 0.0 && (value / tick).round() <= f64::from(Path::MAX_TICKS);
    if is_time { Ok(()) } else { Err(DelayError { field, value }) }
}

/// Converts seconds to the nearest number of ticks, within the allowed range.
pub fn ticks_of(seconds: f64, tick: f64) -> u32 {
    (seconds / tick).round().clamp(0.0, f64::from(Path::MAX_TICKS)) as u32
}
