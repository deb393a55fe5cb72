use crate::body::Body;
use crate::motion::{SlopeLimit, Up};
use crate::range::{RangeError, within};
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use surefoot_geometry::Vector;

/// What holds for a whole world and never changes while it runs.
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
    /// The length of a tick in seconds: a millionth to 1.
    pub tick: f64,
    /// Gravity in tiles per second squared, up to 10^6 on an axis.
    pub gravity: DVec2,
    /// Which way is up, for floors, walls and ceilings.
    pub up: Up,
    /// The steepest floor; what is steeper is a wall.
    pub max_floor_slope: SlopeLimit,
}

/// How settings are written to files.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default, deny_unknown_fields, rename = "Settings"))]
struct SettingsFile {
    tick: f64,
    gravity: (f64, f64),
    up: Up,
    max_floor_slope: SlopeLimit,
}

impl Default for Settings {
    /// 60 ticks a second, 40 tiles per second squared down, up towards greater y, floors of up to 45 degrees.
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
    /// What draws a body before its own factor and areas count: gravity, or a character's own.
    pub(crate) fn gravity_of(&self, body: &Body) -> DVec2 {
        let own = body.character.as_ref().and_then(|character| character.own_gravity_at(body.pace(), self.tick));
        own.map_or(self.gravity, |own| self.up.direction().as_dvec2() * -own)
    }

    /// Refuses numbers that are not finite or out of range.
    ///
    /// # Errors
    /// [`RangeError`] for the first of them: a tick outside a millionth to 1 second, or gravity of more than 10^6 tiles per
    /// second squared on an axis.
    pub fn check(&self) -> Result<(), RangeError> {
        let Settings { tick, gravity, up: _, max_floor_slope: _ } = *self;
        within("tick", tick, 1e-6, 1.0)?;
        within("gravity.x", gravity.x, -1e6, 1e6)?;
        within("gravity.y", gravity.y, -1e6, 1e6)
    }

    /// Returns the name of the first setting that differs from `other` in any bit.
    pub(crate) fn first_difference(&self, other: &Settings) -> Option<&'static str> {
        let Settings { tick, gravity, up, max_floor_slope: floor_limit } = *self;
        let bits = |vector: DVec2| vector.to_array().map(f64::to_bits);
        let differs = [
            ("tick", tick.to_bits() != other.tick.to_bits()),
            ("gravity", bits(gravity) != bits(other.gravity)),
            ("up", up != other.up),
            ("max_floor_slope", floor_limit != other.max_floor_slope),
        ];
        differs.into_iter().find(|(_, differs)| *differs).map(|(name, _)| name)
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

    /// With another length of a tick, in seconds.
    #[must_use]
    pub fn tick(self, seconds: f64) -> Settings {
        Settings { tick: seconds, ..self }
    }

    /// With another gravity, in tiles per second squared.
    #[must_use]
    pub fn gravity(self, acceleration: impl Vector) -> Settings {
        Settings { gravity: acceleration.to_lengths(), ..self }
    }

    /// With another up. Gravity stays as it is.
    #[must_use]
    pub fn up(self, up: Up) -> Settings {
        Settings { up, ..self }
    }

    /// With another steepest floor.
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
