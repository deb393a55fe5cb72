//! Bodies as plain data: what a game says about them.

mod character;
mod error;
#[cfg(feature = "serde")]
mod file;
mod kind;

pub use character::{Character, Input};
pub use error::{BodyError, MAX_SPEED};

pub(crate) use error::check_velocity;
pub(crate) use kind::{Kind, KindBits, Number};

use crate::motion::Shape;
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use surefoot_geometry::{Position, PositionError, Vector};

/// What a body does when it runs into something.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum Response {
    /// It slides on along the surface.
    #[default]
    Slide,
    /// It is thrown back with this part of its speed along the normal, 0 to 1; from several surfaces at once, straight
    /// back. Below the body's rest speed it slides.
    Bounce(f64),
    /// Its motion ends there, and its velocity is gone.
    Stop,
    /// It passes through everything and touches nothing.
    Pass,
}

/// A body to be: a shape with a position and how it moves. Built up by its methods, checked when it is spawned.
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
///
/// let ball = Body::new(Shape::circle(0.25)).at((4.5, 9.0)).moving((3.0, 0.0)).bounce(0.6);
/// assert!(ball.check().is_ok());
/// assert!(Body::new(Shape::circle(-1.0)).check().is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    pub(crate) position: Result<Position, PositionError>,
    pub(crate) velocity: DVec2,
    pub(crate) kind: Kind,
}

impl Body {
    /// A body of that shape at the origin, at rest, that falls with the world's gravity and slides along what it hits.
    #[must_use]
    pub fn new(shape: Shape) -> Body {
        Body { position: Ok(Position::ORIGIN), velocity: DVec2::ZERO, kind: Kind::new(shape) }
    }

    /// With its centre there: a [`Position`], or a pair, an array or a glam vector in tiles.
    #[must_use]
    pub fn at<P>(self, position: P) -> Body
    where
        P: TryInto<Position>,
        P::Error: Into<PositionError>,
    {
        Body { position: position.try_into().map_err(Into::into), ..self }
    }

    /// With a velocity in tiles per second.
    #[must_use]
    pub fn moving(self, velocity: impl Vector) -> Body {
        Body { velocity: velocity.to_lengths(), ..self }
    }

    /// With gravity times a factor; 0 floats.
    #[must_use]
    pub fn gravity_scale(self, factor: f64) -> Body {
        Body { kind: Kind { gravity_scale: factor, ..self.kind }, ..self }
    }

    /// That bounces with this part of its speed, 0 to 1.
    #[must_use]
    pub fn bounce(self, factor: f64) -> Body {
        self.response(Response::Bounce(factor))
    }

    /// With another response to what it runs into.
    #[must_use]
    pub fn response(self, response: Response) -> Body {
        Body { kind: Kind { response, ..self.kind }, ..self }
    }

    /// With a coefficient of friction: the share of the force into a surface that works against sliding along it. 0 slides
    /// for ever, 1 stands on 45 degrees.
    #[must_use]
    pub fn friction(self, coefficient: f64) -> Body {
        Body { kind: Kind { friction: coefficient, ..self.kind }, ..self }
    }

    /// With the speed in tiles per second below which it comes to rest on a floor that its friction can hold it on, and
    /// no longer bounces.
    #[must_use]
    pub fn rest_speed(self, speed: f64) -> Body {
        Body { kind: Kind { rest_speed: speed, ..self.kind }, ..self }
    }

    /// That walks and jumps by its input. A character has no response, friction and rest speed.
    #[must_use]
    pub fn character(self, character: Character) -> Body {
        Body { kind: Kind { character: Some(character), ..self.kind }, ..self }
    }

    /// Refuses numbers that are not finite or out of range.
    ///
    /// # Errors
    /// [`BodyError`] for the first thing that is wrong.
    pub fn check(&self) -> Result<(), BodyError> {
        self.position?;
        self.kind.shape.check()?;
        check_velocity(self.velocity)?;
        let mut kind = self.kind;
        Ok(kind.numbers().try_for_each(|number| number.check())?)
    }
}
