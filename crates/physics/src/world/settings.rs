use crate::body::Body;
use crate::motion::{SlopeLimit, Up, turn_vector_to_up};
use crate::range::{RangeError, check_in_range};
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use surefoot_geometry::Vector;

/// Settings of a world: tick length, gravity, up direction and maximum floor slope. They never change while the world
/// runs. A body may have [its own up](crate::body::Body::up).
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
///
/// let moon = Settings::default().gravity((0.0, -6.0)).max_floor_slope(SlopeLimit::new(2, 1)?);
/// assert!(moon.check().is_ok());
/// assert!(Settings { tick: 0.0, ..moon }.check().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "SettingsFile", into = "SettingsFile"))]
pub struct Settings {
    /// Length of a tick in seconds, 1e-6 to 1. Default 1/60.
    pub tick: f64,
    /// Gravity in tiles per second squared, up to 1e6 on each axis. Default (0, -40).
    pub gravity: DVec2,
    /// Direction that counts as up: decides which surfaces are floors, walls and ceilings. Default: +y.
    pub up: Up,
    /// Maximum slope of a floor. A surface steeper than this is a wall. Default: 45 degrees.
    pub max_floor_slope: SlopeLimit,
}

/// File format of the settings.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default, deny_unknown_fields, rename = "Settings"))]
struct SettingsFile {
    tick: f64,
    gravity: (f64, f64),
    up: Up,
    max_floor_slope: SlopeLimit,
}

impl Default for Settings {
    /// Returns 60 ticks per second, gravity (0, -40) in tiles per second squared, up along +y, and floors up to 45
    /// degrees.
    fn default() -> Settings {
        Settings {
            tick: 1.0 / 60.0,
            gravity: DVec2::new(0.0, -40.0),
            up: Up::PlusY,
            max_floor_slope: SlopeLimit::ONE_TO_ONE,
        }
    }
}

impl Settings {
    /// Returns gravity before the body's scale and areas apply: the world's, or a character's own. `up`: the body's.
    pub(crate) fn gravity_of(&self, body: &Body, up: Up) -> DVec2 {
        let own = body
            .character
            .as_ref()
            .and_then(|character| character.jump_gravity_in_world_time(body.time_factor(), self.tick));
        own.map_or_else(|| turn_vector_to_up(self.gravity, self.up, up), |own| up.direction().as_dvec2() * -own)
    }

    /// Checks that all numbers are finite and in range.
    ///
    /// # Errors
    /// Returns [`RangeError`] for the first number out of range: a tick outside 1e-6 to 1 second, or gravity above
    /// 1e6 tiles per second squared on an axis.
    pub fn check(&self) -> Result<(), RangeError> {
        let Settings { tick, gravity, up: _, max_floor_slope: _ } = *self;
        check_in_range("tick", tick, 1e-6, 1.0)?;
        check_in_range("gravity.x", gravity.x, -1e6, 1e6)?;
        check_in_range("gravity.y", gravity.y, -1e6, 1e6)
    }

    /// Returns the name of the first setting that differs from `other` in any bit.
    pub(crate) fn first_difference(&self, other: &Settings) -> Option<&'static str> {
        let Settings { tick, gravity, up, max_floor_slope: floor_limit } = *self;
        let bits = |vector: DVec2| vector.to_array().map(f64::to_bits);
        if tick.to_bits() != other.tick.to_bits() {
            Some("tick")
        } else if bits(gravity) != bits(other.gravity) {
            Some("gravity")
        } else if up != other.up {
            Some("up")
        } else {
            (floor_limit != other.max_floor_slope).then_some("max_floor_slope")
        }
    }

    /// Returns the setting called `name` as a text for errors.
    pub(crate) fn text_of(&self, name: &str) -> String {
        match name {
            "tick" => format!("{:?}", self.tick),
            "gravity" => format!("({:?}, {:?})", self.gravity.x, self.gravity.y),
            "up" => format!("{:?}", self.up),
            _ => {
                let (rise, run) = self.max_floor_slope.into();
                format!("{rise}:{run}")
            }
        }
    }

    /// Sets the length of a tick in seconds, 1e-6 to 1. Default 1/60.
    #[must_use]
    pub fn tick(self, seconds: f64) -> Settings {
        Settings { tick: seconds, ..self }
    }

    /// Sets the gravity in tiles per second squared, up to 1e6 on each axis. Default (0, -40).
    #[must_use]
    pub fn gravity(self, acceleration: impl Vector) -> Settings {
        Settings { gravity: acceleration.to_lengths(), ..self }
    }

    /// Sets the direction that counts as up, which decides which surfaces are floors. The direction of gravity does
    /// not change.
    #[must_use]
    pub fn up(self, up: Up) -> Settings {
        Settings { up, ..self }
    }

    /// Sets the maximum slope of a floor. A steeper surface is a wall. Default 45 degrees.
    #[must_use]
    pub fn max_floor_slope(self, limit: SlopeLimit) -> Settings {
        Settings { max_floor_slope: limit, ..self }
    }
}

impl Default for SettingsFile {
    fn default() -> SettingsFile {
        Settings::default().into()
    }
}

impl From<Settings> for SettingsFile {
    fn from(Settings { tick, gravity, up, max_floor_slope: floor_limit }: Settings) -> SettingsFile {
        SettingsFile { tick, gravity: gravity.into(), up, max_floor_slope: floor_limit }
    }
}

impl TryFrom<SettingsFile> for Settings {
    type Error = RangeError;

    fn try_from(file: SettingsFile) -> Result<Settings, RangeError> {
        let SettingsFile { tick, gravity, up, max_floor_slope: floor_limit } = file;
        let settings = Settings { tick, gravity: gravity.into(), up, max_floor_slope: floor_limit };
        settings.check().map(|()| settings)
    }
}
