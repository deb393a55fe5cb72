use super::error::MAX_SPEED;
use super::{Character, Response};
use crate::motion::Shape;
use crate::range::{RangeError, within};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// What a body is, apart from where it is and what it does. Only how a character moves changes between its spawn and its
/// removal, by a command; the body then has another kind, and the list of bodies another version.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub(crate) struct Kind {
    pub(crate) shape: Shape,
    pub(crate) gravity_scale: f64,
    pub(crate) response: Response,
    pub(crate) friction: f64,
    pub(crate) rest_speed: f64,
    pub(crate) character: Option<Character>,
}

/// A number of a configuration: what checks, texts, hashes and comparisons know of it.
pub(crate) struct Number<'a> {
    /// The name in texts and errors; numbers of a character begin with `character.`.
    pub(crate) name: &'static str,
    pub(crate) value: &'a mut f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl Number<'_> {
    /// Refuses a value out of range, and NaN.
    pub(crate) fn check(&self) -> Result<(), RangeError> {
        within(self.name, *self.value, self.least, self.most)
    }
}

/// All bits of a configuration: equal for configurations that are equal to the bit, both zeros apart.
pub(crate) type KindBits = SmallVec<[u64; 16]>;

impl Kind {
    /// The configuration of a body with all defaults.
    pub(crate) fn new(shape: Shape) -> Kind {
        Kind { shape, gravity_scale: 1.0, response: Response::Slide, friction: 0.0, rest_speed: 0.1, character: None }
    }

    /// Each number of the configuration, in the order in which they are checked.
    pub(crate) fn numbers(&mut self) -> impl Iterator<Item = Number<'_>> {
        let Kind { shape: _, gravity_scale, response, friction, rest_speed, character } = self;
        let own = [
            Number { name: "gravity_scale", value: gravity_scale, least: -1000.0, most: 1000.0 },
            Number { name: "friction", value: friction, least: 0.0, most: 1000.0 },
            Number { name: "rest_speed", value: rest_speed, least: 0.0, most: MAX_SPEED },
        ];
        let bounce = match response {
            Response::Bounce(value) => Some(Number { name: "bounce", value, least: 0.0, most: 1.0 }),
            Response::Slide | Response::Stop | Response::Pass => None,
        };
        own.into_iter().chain(bounce).chain(character.iter_mut().flat_map(Character::numbers))
    }

    pub(crate) fn bits(mut self) -> KindBits {
        let response = match self.response {
            Response::Slide => 0,
            Response::Bounce(_) => 1,
            Response::Stop => 2,
            Response::Pass => 3,
        };
        let (half, is_circle) = (self.shape.half(), self.shape.is_circle());
        let mut bits = KindBits::from_slice(&[u64::from(is_circle), half.x as u64, half.y as u64, response]);
        bits.extend(self.numbers().map(|number| number.value.to_bits()));
        bits
    }
}
