use crate::range::{RangeError, within};
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// What an area does to the bodies in it. What is `None` it leaves as it is.
///
/// With the world's gravity `G`, a body's own [`gravity_scale`](crate::body::Body::gravity_scale) `s` and ticks of `dt`
/// seconds, each tick of a body goes on with
///
/// - gravity `g = s * gravity_scale * gravity`, where `gravity` is `G` if none is set, or a character's
///   [own](crate::body::Character::jump_gravity);
/// - acceleration `a = g - buoyancy * part * g + wind`, where `part` is the part of the body's height that is below the
///   area's top when the tick begins, 0 to 1;
/// - its velocity `v / (1 + drag * dt)` in place of `v`. So a body at rest in wind gets as fast as `wind / drag`.
///
/// Up and down are those of [`Settings::up`](crate::world::Settings::up). A character on the ground goes as its player wants,
/// at most [`Effects::speed_scale`] times its walk speed: drag and wind work on it in the air, and lift it off the ground if
/// `a` leads up. A jump begins with the speed that it has outside.
///
/// # Examples
/// ```
/// use surefoot::area::Effects;
///
/// // Half of what floats in it is above its top.
/// let water = Effects { buoyancy: Some(2.0), drag: Some(1.5), speed_scale: Some(0.5), ..Effects::default() };
/// assert!(water.check().is_ok());
/// assert!(Effects { drag: Some(-1.0), ..water }.check().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(default, deny_unknown_fields))]
pub struct Effects {
    /// Gravity in place of the world's, in tiles per second squared, up to 10^6 on an axis.
    pub gravity: Option<DVec2>,
    /// Gravity times this, -1000 to 1000.
    pub gravity_scale: Option<f64>,
    /// How fast velocity is lost, per second, 0 to 1000.
    pub drag: Option<f64>,
    /// What pushes a body out of a liquid, as a factor of its gravity, 0 to 1000: 1 keeps a body afloat that is wholly below the
    /// area's top, 2 one that is half below it.
    pub buoyancy: Option<f64>,
    /// An acceleration, in tiles per second squared, up to 10^6 on an axis.
    pub wind: Option<DVec2>,
    /// The walk speed of characters times this, 0 to 1000, on the ground and in the air.
    pub speed_scale: Option<f64>,
    /// Whether characters climb in it that have a [`climb_speed`](crate::body::Character::climb_speed).
    pub climbable: Option<bool>,
}

/// The greatest acceleration on an axis, in tiles per second squared.
const MAX_ACCELERATION: f64 = 1e6;
/// The greatest factor.
const MAX_FACTOR: f64 = 1000.0;

impl Effects {
    /// Whether it changes nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Effects::default()
    }

    /// Whether it changes how bodies move.
    pub(crate) fn moves(&self) -> bool {
        !Effects { climbable: None, ..*self }.is_empty()
    }

    /// Refuses numbers that are not finite or out of range.
    ///
    /// # Errors
    /// [`RangeError`] for the first of them.
    pub fn check(&self) -> Result<(), RangeError> {
        let mut refused = Ok(());
        self.check_all(|_, error| refused = refused.and(Err(error)));
        refused
    }

    /// Tells of each number that is out of range, with the name of the effect.
    pub(crate) fn check_all(&self, mut tell: impl FnMut(&'static str, RangeError)) {
        let Effects { gravity, gravity_scale, drag, buoyancy, wind, speed_scale: speed_factor, climbable: _ } = *self;
        let acceleration = |value: Option<DVec2>, names: [&'static str; 2]| {
            let [x, y] = value.unwrap_or_default().to_array();
            let check = |name, value| within(name, value, -MAX_ACCELERATION, MAX_ACCELERATION);
            check(names[0], x).and(check(names[1], y))
        };
        let factor = |name, value: Option<f64>, least| within(name, value.unwrap_or_default(), least, MAX_FACTOR);
        let all = [
            ("gravity", acceleration(gravity, ["gravity.x", "gravity.y"])),
            ("gravity_scale", factor("gravity_scale", gravity_scale, -MAX_FACTOR)),
            ("drag", factor("drag", drag, 0.0)),
            ("buoyancy", factor("buoyancy", buoyancy, 0.0)),
            ("wind", acceleration(wind, ["wind.x", "wind.y"])),
            ("speed_scale", factor("speed_scale", speed_factor, 0.0)),
        ];
        for (name, checked) in all {
            if let Err(error) = checked {
                tell(name, error);
            }
        }
    }

    /// These effects, and those of another area where these set nothing.
    pub(crate) fn over(self, below: Effects) -> Effects {
        Effects {
            gravity: self.gravity.or(below.gravity),
            gravity_scale: self.gravity_scale.or(below.gravity_scale),
            drag: self.drag.or(below.drag),
            buoyancy: self.buoyancy.or(below.buoyancy),
            wind: self.wind.or(below.wind),
            speed_scale: self.speed_scale.or(below.speed_scale),
            climbable: self.climbable.or(below.climbable),
        }
    }

    /// Its numbers as bits: all that it is.
    pub(crate) fn bits(&self) -> [u64; 9] {
        let Effects { gravity, gravity_scale, drag, buoyancy, wind, speed_scale: speed_factor, climbable } = *self;
        // What is not set is told apart from every number.
        let bits = |value: Option<f64>| value.map_or(u64::MAX, |value| (value + 0.0).to_bits());
        let axis = |value: Option<DVec2>, of: fn(DVec2) -> f64| bits(value.map(of));
        [
            axis(gravity, |v| v.x),
            axis(gravity, |v| v.y),
            bits(gravity_scale),
            bits(drag),
            bits(buoyancy),
            axis(wind, |v| v.x),
            axis(wind, |v| v.y),
            bits(speed_factor),
            climbable.map_or(u64::MAX, u64::from),
        ]
    }
}
