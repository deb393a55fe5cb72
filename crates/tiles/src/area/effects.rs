use crate::range::{RangeError, check_in_range};
use crate::up::Up;
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// Effects of an area on the bodies inside. An effect that is `None` changes nothing by itself.
///
/// In each tick of `dt` seconds, the effects change gravity, acceleration and velocity of a body as follows:
///
/// | quantity | value |
/// |---|---|
/// | gravity `g` | `body_scale * gravity_scale * gravity` |
/// | acceleration | `g - buoyancy * part * g + wind` |
/// | velocity `v` at the start of the tick | `v / (1 + drag * dt)` |
///
/// - `body_scale` is the [`gravity_scale`](../body/struct.Body.html#structfield.gravity_scale) of the body.
///   `gravity_scale` is that of the area.
/// - `gravity` is the gravity of the area, or the world's gravity if the area sets none. For a character with a
///   [gravity of its own](../body/struct.Character.html#method.jump_gravity), it is always the character's gravity.
/// - Another effect that is `None` changes nothing: `gravity_scale` counts as 1, `buoyancy`, `wind` and `drag` count as
///   0.
/// - `part` says how much of the body is under the surface of the liquid: the share of its height that is below the top
///   of the area when the tick starts, 0 to 1.
/// - With wind and drag, a body at rest speeds up towards the velocity `wind / drag`.
///
/// Up and the top of the area follow the up of the body, and gravity turns with it: see
/// [`Body::up`](../body/struct.Body.html#structfield.up).
///
/// A character on the ground runs as its input says, at up to [`Effects::speed_scale`] times its walk speed. Drag and
/// wind act on characters only in the air, and [`Effects::ground_wind`] only on the ground. A character leaves the
/// ground if the acceleration points up. A jump starts with the same speed as outside the area.
///
/// # Examples
/// ```
/// use surefoot::area::Effects;
///
/// // Bodies float half above the top of the water.
/// let water = Effects { buoyancy: Some(2.0), drag: Some(1.5), speed_scale: Some(0.5), ..Effects::default() };
/// assert!(water.check().is_ok());
/// assert!(Effects { drag: Some(-1.0), ..water }.check().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
pub struct Effects {
    /// Gravity inside the area instead of the world's, in tiles/s². At most 10^6 on each axis. `None` keeps the world's
    /// gravity.
    pub gravity: Option<DVec2>,
    /// Factor that multiplies the gravity of the bodies inside, -1000 to 1000. `None` leaves their gravity as it is.
    pub gravity_scale: Option<f64>,
    /// Linear damping per second, 0 to 1000. Slows a body in proportion to the body's velocity.
    pub drag: Option<f64>,
    /// Upward acceleration in a liquid, as a multiple of the body's gravity, 0 to 1000.
    ///
    /// The top of the area is the surface of the liquid. The acceleration is proportional to how much of the body is
    /// below the surface. With 1, a body floats just below the surface. With 2, half of the body is above the surface,
    /// and with 4, three quarters.
    pub buoyancy: Option<f64>,
    /// Constant acceleration of the bodies inside, in tiles/s², for example of a fan. At most 10^6 on each axis.
    pub wind: Option<DVec2>,
    /// Multiplier of the walk speed of the characters inside, on the ground and in the air, 0 to 1000.
    pub speed_scale: Option<f64>,
    /// Whether the area is a ladder for characters with a
    /// [`climb_speed`](../body/struct.Character.html#structfield.climb_speed).
    pub climbable: Option<bool>,
    /// Velocity at which wind carries characters that stand on the ground, in tiles/s. At most 10^6 on each axis.
    ///
    /// Its part to the left or right adds to the speed that the input asks for. So a character that stands is carried
    /// along, and walks slower against the wind than with it. The character reaches the speed by its
    /// [`ground_acceleration`](../body/struct.Character.html#structfield.ground_acceleration). In the air and for
    /// bodies that are not characters, only `wind` counts: it moves them if it is stronger than their friction.
    pub ground_wind: Option<DVec2>,
    /// Direction of up of the bodies inside, instead of their own: see
    /// [`Body::up`](../body/struct.Body.html#structfield.up).
    pub up: Option<Up>,
}

/// Maximum acceleration on an axis, in tiles per second squared.
const MAX_ACCELERATION: f64 = 1e6;
/// Maximum factor.
const MAX_FACTOR: f64 = 1000.0;

impl Effects {
    /// Returns whether all effects are `None`.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Effects::default()
    }

    /// Returns whether it affects the motion of bodies.
    #[doc(hidden)]
    pub fn moves(&self) -> bool {
        !Effects { climbable: None, ..*self }.is_empty()
    }

    /// Checks that the numbers of the effects are finite and in range.
    ///
    /// # Errors
    /// Returns a [`RangeError`] for the first number that is not finite or out of range.
    pub fn check(&self) -> Result<(), RangeError> {
        let mut refused = Ok(());
        self.report_out_of_range(|_, error| refused = refused.and(Err(error)));
        refused
    }

    /// Reports each number out of range, with the name of the effect.
    pub(crate) fn report_out_of_range(&self, mut tell: impl FnMut(&'static str, RangeError)) {
        let mut refused = None;
        for (name, value, (least, most)) in self.named_numbers_with_ranges() {
            // Only the first wrong coordinate of a vector is reported.
            let field = name.split('.').next().unwrap_or(name);
            if let Err(error) = check_in_range(name, value.unwrap_or_default(), least, most)
                && refused.replace(field) != Some(field)
            {
                tell(field, error);
            }
        }
    }

    /// Returns the name, the value and the range of each number.
    fn named_numbers_with_ranges(&self) -> [(&'static str, Option<f64>, (f64, f64)); 10] {
        let Effects { gravity, gravity_scale, drag, buoyancy, wind, speed_scale, climbable: _, ground_wind, up: _ } =
            *self;
        let acceleration = (-MAX_ACCELERATION, MAX_ACCELERATION);
        [
            ("gravity.x", gravity.map(|v| v.x), acceleration),
            ("gravity.y", gravity.map(|v| v.y), acceleration),
            ("gravity_scale", gravity_scale, (-MAX_FACTOR, MAX_FACTOR)),
            ("drag", drag, (0.0, MAX_FACTOR)),
            ("buoyancy", buoyancy, (0.0, MAX_FACTOR)),
            ("wind.x", wind.map(|v| v.x), acceleration),
            ("wind.y", wind.map(|v| v.y), acceleration),
            ("speed_scale", speed_scale, (0.0, MAX_FACTOR)),
            ("ground_wind.x", ground_wind.map(|v| v.x), acceleration),
            ("ground_wind.y", ground_wind.map(|v| v.y), acceleration),
        ]
    }

    /// Returns these effects, with unset ones taken from `below`.
    #[doc(hidden)]
    pub fn over(self, below: Effects) -> Effects {
        Effects {
            gravity: self.gravity.or(below.gravity),
            gravity_scale: self.gravity_scale.or(below.gravity_scale),
            drag: self.drag.or(below.drag),
            buoyancy: self.buoyancy.or(below.buoyancy),
            wind: self.wind.or(below.wind),
            speed_scale: self.speed_scale.or(below.speed_scale),
            climbable: self.climbable.or(below.climbable),
            ground_wind: self.ground_wind.or(below.ground_wind),
            up: self.up.or(below.up),
        }
    }

    /// Returns all values as bits. An unset `ground_wind` or `up`, which are younger than the first checksums, has
    /// none.
    #[doc(hidden)]
    pub fn bits(&self) -> SmallVec<[u64; 12]> {
        let numbers = self.named_numbers_with_ranges();
        let (first, younger) = numbers.split_at(8);
        // An unset value becomes `u64::MAX`, the bits of a NaN. No valid number has these bits.
        let bits = |(_, value, _): &(_, Option<f64>, _)| value.map_or(u64::MAX, |value| (value + 0.0).to_bits());
        let climbable = self.climbable.map_or(u64::MAX, u64::from);
        let younger = younger.iter().filter(|(_, value, _)| value.is_some());
        let numbers = first.iter().map(bits).chain([climbable]).chain(younger.map(bits));
        numbers.chain(self.up.map(|up| up as u64)).collect()
    }
}
