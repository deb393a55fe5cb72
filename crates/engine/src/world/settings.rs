use crate::motion::{SlopeLimit, Up};
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use surefoot_geometry::Vector;
use thiserror::Error;

/// What holds for a whole world and never changes while it runs.
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
///
/// let moon = Settings::default().gravity((0.0, -6.0))?.floor_limit(SlopeLimit::new(2, 1)?);
/// assert!(moon.tick(0.0).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(try_from = "SettingsFile", into = "SettingsFile"))]
pub struct Settings {
    tick: f64,
    gravity: DVec2,
    up: Up,
    floor_limit: SlopeLimit,
}

/// How settings are written to files.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default, deny_unknown_fields, rename = "Settings"))]
struct SettingsFile {
    tick: f64,
    gravity: (f64, f64),
    up: Up,
    floor_limit: SlopeLimit,
}

/// A setting that is out of range.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("`{field}` is {value}; expected {least} to {most}")]
pub struct SettingsError {
    /// The name of the setting.
    pub field: &'static str,
    /// What was asked for.
    pub value: f64,
    /// The least it may be.
    pub least: f64,
    /// The most it may be.
    pub most: f64,
}

impl Default for Settings {
    /// 60 ticks a second, 40 tiles per second squared down, up towards greater y, floors of up to 45 degrees.
    fn default() -> Settings {
        Settings {
            tick: 1.0 / 60.0,
            gravity: DVec2::new(0.0, -40.0),
            up: Up::PlusY,
            floor_limit: SlopeLimit::ONE_TO_ONE,
        }
    }
}

impl Settings {
    /// With another length of a tick, in seconds, from a millionth to 1.
    ///
    /// # Errors
    /// [`SettingsError`] out of that range.
    pub fn tick(self, seconds: f64) -> Result<Settings, SettingsError> {
        within("tick", seconds, 1e-6, 1.0)?;
        Ok(Settings { tick: seconds, ..self })
    }

    /// With another gravity, in tiles per second squared, up to 10^6 on an axis.
    ///
    /// # Errors
    /// [`SettingsError`] out of that range.
    pub fn gravity(self, acceleration: impl Vector) -> Result<Settings, SettingsError> {
        let gravity = acceleration.to_lengths();
        within("gravity.x", gravity.x, -1e6, 1e6)?;
        within("gravity.y", gravity.y, -1e6, 1e6)?;
        Ok(Settings { gravity, ..self })
    }

    /// With another up. Gravity stays as it is.
    #[must_use]
    pub fn up(self, up: Up) -> Settings {
        Settings { up, ..self }
    }

    /// With another steepest floor.
    #[must_use]
    pub fn floor_limit(self, limit: SlopeLimit) -> Settings {
        Settings { floor_limit: limit, ..self }
    }

    /// The length of a tick in seconds.
    #[must_use]
    pub fn tick_seconds(&self) -> f64 {
        self.tick
    }

    /// Gravity in tiles per second squared.
    #[must_use]
    pub fn gravity_vector(&self) -> DVec2 {
        self.gravity
    }

    /// Which way is up.
    #[must_use]
    pub fn up_direction(&self) -> Up {
        self.up
    }

    /// The steepest floor.
    #[must_use]
    pub fn steepest_floor(&self) -> SlopeLimit {
        self.floor_limit
    }
}

fn within(field: &'static str, value: f64, least: f64, most: f64) -> Result<(), SettingsError> {
    if value >= least && value <= most { Ok(()) } else { Err(SettingsError { field, value, least, most }) }
}

impl Default for SettingsFile {
    fn default() -> SettingsFile {
        Settings::default().into()
    }
}

impl From<Settings> for SettingsFile {
    fn from(Settings { tick, gravity, up, floor_limit }: Settings) -> SettingsFile {
        SettingsFile { tick, gravity: gravity.into(), up, floor_limit }
    }
}

impl TryFrom<SettingsFile> for Settings {
    type Error = SettingsError;

    fn try_from(file: SettingsFile) -> Result<Settings, SettingsError> {
        Ok(Settings::default().tick(file.tick)?.gravity(file.gravity)?.up(file.up).floor_limit(file.floor_limit))
    }
}
