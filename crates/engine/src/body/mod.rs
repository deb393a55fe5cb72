//! Bodies as plain data: what a game says about them.

mod character;
mod debug;
mod error;
#[cfg(feature = "serde")]
mod file;
mod keys;
mod number;
mod pace;
mod reach;

pub use character::{Character, Input, PlatformVelocity};
pub use error::{BodyError, MAX_SPEED};
pub use reach::JumpReach;

pub(crate) use debug::Tiles;
pub(crate) use error::check_velocity;
#[cfg(feature = "serde")]
pub(crate) use file::Configuration;
pub(crate) use keys::Keys;
pub(crate) use number::{BodyBits, Number, changed};
pub(crate) use pace::{counted, paused};

use crate::map::{CollisionLayerError, CollisionLayers};
use crate::motion::Shape;
use error::{MAX_MASS, MIN_MASS};
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
    /// back. Below the body's rest speed it slides. A body that slides on a floor goes straight back from a wall, along the
    /// floor.
    Bounce(f64),
    /// Its motion ends there, and its velocity is gone.
    Stop,
    /// It passes through everything and touches nothing.
    Pass,
}

/// A body to be: a shape with a position and how it moves. Its fields are set one by one or by its methods, and checked
/// when it is spawned.
///
/// What is apart from position and velocity stays with the body in its world, see [`BodyState::body`]. It changes by [`Command::SetBody`],
/// and its shape by [`Command::SetShape`].
///
/// [`BodyState::body`]: crate::world::BodyState::body
/// [`Command::SetBody`]: crate::command::Command::SetBody
/// [`Command::SetShape`]: crate::command::Command::SetShape
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
///
/// let ball = Body::new(Shape::circle(0.25)).at((4.5, 9.0)).velocity((3.0, 0.0)).bounce(0.6);
/// assert!(ball.check().is_ok());
/// let slow = Body { friction: 0.5, rest_speed_threshold: 0.2, ..ball };
/// assert!(slow.check().is_ok());
/// assert!(Body::new(Shape::circle(-1.0)).check().is_err());
/// ```
#[derive(Clone, PartialEq)]
pub struct Body {
    /// Where its centre is; or why what [`Body::at`] was given is no position, which [`Body::check`] then answers.
    pub position: Result<Position, PositionError>,
    /// Tiles per second, up to [`MAX_SPEED`] on an axis.
    pub velocity: DVec2,
    /// Its shape and size.
    pub shape: Shape,
    /// Gravity times this, from -1000 to 1000; 0 floats.
    pub gravity_scale: f64,
    /// What it does when it runs into something; a character has none. The [`Material`](crate::map::Material) of a tile may
    /// throw back what slides or bounces.
    pub response: Response,
    /// The coefficient of friction, 0 to 1000: the share of the force into a surface that works against sliding along it. 0
    /// slides for ever, 1 stands on 45 degrees. The [`Material`](crate::map::Material) of a tile has a factor for it. A
    /// character has none.
    pub friction: f64,
    /// The speed in tiles per second, 0 to [`MAX_SPEED`], below which it comes to rest on a floor that its friction can
    /// hold it on, and no longer bounces. A character has none.
    pub rest_speed_threshold: f64,
    /// How it walks and jumps by its input, if it is a character.
    pub character: Option<Character>,
    /// The collision layers that it is in: what it is to one-way tiles, which may [let it
    /// pass](crate::map::TileKind::ignored_by), and to other bodies. A body that says nothing is in the first one.
    pub collision_layers: CollisionLayers,
    /// The collision layers that it meets of other bodies; no layer, if it says nothing. Two bodies meet only where both
    /// masks say so, see [`Body::can_collide_with`]. Tiles and platforms are in no layer: it meets them whatever is here.
    pub collision_mask: CollisionLayers,
    /// How heavy it is beside other bodies, 1e-6 to 1e6, in a unit of the game's choice: for impacts of two, and for what a
    /// character [pushes](Character::max_push_mass). What it does alone, as to fall and to slide, does not depend on it.
    pub mass: f64,
    /// Other bodies meet it only from above, where they land on its top: what comes from the side or from below passes through
    /// it, and a character that holds down drops through it. A box only.
    pub one_way: bool,
    /// A number of the game's own, such as which entity of it the body is; it does nothing. Bodies that are equal but for it are stored
    /// one by one.
    pub tag: u64,
    /// How fast its own time goes, 0 to 1: what it does of itself takes so many times as long, its timers too. Below 0.001 it stands still as
    /// at 0. What platforms and other bodies do to it, they do as ever. All velocities that a game gives and gets are of the body's own time: in
    /// the world it comes so much less far. See `docs/guide/gameplay-effects.md`.
    pub time_scale: f64,
}

impl Default for Body {
    /// A box of one tile at the origin, at rest, that falls with the world's gravity and slides along what it hits.
    fn default() -> Body {
        Body {
            position: Ok(Position::ORIGIN),
            velocity: DVec2::ZERO,
            shape: Shape::aabb(0.5, 0.5),
            gravity_scale: 1.0,
            response: Response::Slide,
            friction: 0.0,
            rest_speed_threshold: 0.1,
            character: None,
            collision_layers: CollisionLayers::FIRST,
            collision_mask: CollisionLayers::NONE,
            mass: 1.0,
            one_way: false,
            tag: 0,
            time_scale: 1.0,
        }
    }
}

impl Body {
    /// A body of that shape at the origin, at rest, that falls with the world's gravity and slides along what it hits.
    #[must_use]
    pub fn new(shape: Shape) -> Body {
        Body { shape, ..Body::default() }
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

    /// With a velocity in tiles per second of its own time.
    #[must_use]
    pub fn velocity(self, velocity: impl Vector) -> Body {
        Body { velocity: velocity.to_lengths(), ..self }
    }

    /// With gravity times a factor; 0 floats.
    #[must_use]
    pub fn gravity_scale(self, factor: f64) -> Body {
        Body { gravity_scale: factor, ..self }
    }

    /// That bounces with this part of its speed, 0 to 1.
    #[must_use]
    pub fn bounce(self, factor: f64) -> Body {
        self.response(Response::Bounce(factor))
    }

    /// With another response to what it runs into.
    #[must_use]
    pub fn response(self, response: Response) -> Body {
        Body { response, ..self }
    }

    /// With another coefficient of friction.
    #[must_use]
    pub fn friction(self, coefficient: f64) -> Body {
        Body { friction: coefficient, ..self }
    }

    /// With another speed below which it comes to rest, in tiles per second.
    #[must_use]
    pub fn rest_speed_threshold(self, speed: f64) -> Body {
        Body { rest_speed_threshold: speed, ..self }
    }

    /// That walks and jumps by its input. A character has no response, friction and rest speed.
    #[must_use]
    pub fn character(self, character: Character) -> Body {
        Body { character: Some(character), ..self }
    }

    /// In those collision layers.
    #[must_use]
    pub fn collision_layers(self, layers: CollisionLayers) -> Body {
        Body { collision_layers: layers, ..self }
    }

    /// That meets bodies of those collision layers.
    #[must_use]
    pub fn collision_mask(self, mask: CollisionLayers) -> Body {
        Body { collision_mask: mask, ..self }
    }

    /// With another mass.
    #[must_use]
    pub fn mass(self, mass: f64) -> Body {
        Body { mass, ..self }
    }

    /// That other bodies meet from above alone.
    #[must_use]
    pub fn one_way(self) -> Body {
        Body { one_way: true, ..self }
    }

    /// With a number of the game's own.
    #[must_use]
    pub fn tag(self, tag: u64) -> Body {
        Body { tag, ..self }
    }

    /// With a time that goes so fast, 0 to 1.
    #[must_use]
    pub fn time_scale(self, scale: f64) -> Body {
        Body { time_scale: scale, ..self }
    }

    /// Whether two bodies are to meet by their collision layers: each has to be in a layer that the other one's mask holds.
    ///
    /// A body of [`Response::Pass`] meets no other whatever is here, nor do two that overlap when a tick begins.
    ///
    /// # Examples
    /// ```
    /// use surefoot::map::CollisionLayers;
    /// use surefoot::prelude::*;
    ///
    /// let (heroes, ghosts) = (CollisionLayers(0b01), CollisionLayers(0b10));
    /// let hero = Body::new(Shape::circle(0.5)).collision_layers(heroes).collision_mask(CollisionLayers::ALL);
    /// let ghost = Body::new(Shape::circle(0.5)).collision_layers(ghosts).collision_mask(ghosts);
    /// assert!(hero.can_collide_with(&hero) && ghost.can_collide_with(&ghost));
    /// assert!(!hero.can_collide_with(&ghost) && !ghost.can_collide_with(&hero), "one that does not meet the other is enough");
    /// let plain = Body::new(Shape::circle(0.5)).collision_layers(heroes);
    /// assert!(!hero.can_collide_with(&plain), "a body that says nothing meets no other");
    /// ```
    #[must_use]
    pub fn can_collide_with(&self, other: &Body) -> bool {
        self.collision_mask.intersects(other.collision_layers) && other.collision_mask.intersects(self.collision_layers)
    }

    /// Refuses numbers that are not finite or out of range. Which collision layers there are is the map's to say: a world
    /// refuses others.
    ///
    /// # Errors
    /// [`BodyError`] for the first thing that is wrong.
    pub fn check(&self) -> Result<(), BodyError> {
        self.position?;
        self.shape.check()?;
        check_velocity(self.velocity)?;
        let mut body = self.clone();
        body.numbers().try_for_each(|number| number.check())?;
        if self.one_way && self.shape.is_circle() { Err(BodyError::OneWayCircle) } else { Ok(()) }
    }

    /// Each number of the configuration, in the order in which they are checked and hashed. Shape, position and velocity
    /// are checked and written by themselves.
    pub(crate) fn numbers(&mut self) -> impl Iterator<Item = Number<'_>> {
        let Body {
            position: _,
            velocity: _,
            shape: _,
            gravity_scale,
            response,
            friction,
            rest_speed_threshold: rest_speed,
            character,
            collision_layers: _,
            collision_mask: _,
            mass,
            one_way: _,
            tag: _,
            time_scale,
        } = self;
        let own = [
            Number { name: "gravity_scale", value: gravity_scale, least: -1000.0, most: 1000.0 },
            Number { name: "friction", value: friction, least: 0.0, most: 1000.0 },
            Number { name: "rest_speed_threshold", value: rest_speed, least: 0.0, most: MAX_SPEED },
            Number { name: "mass", value: mass, least: MIN_MASS, most: MAX_MASS },
            Number { name: "time_scale", value: time_scale, least: 0.0, most: 1.0 },
        ];
        let bounce = match response {
            Response::Bounce(value) => Some(Number { name: "bounce", value, least: 0.0, most: 1.0 }),
            Response::Slide | Response::Stop | Response::Pass => None,
        };
        own.into_iter().chain(bounce).chain(character.iter_mut().flat_map(Character::numbers))
    }

    /// The numbers of a body with neither a character nor a factor of its response, which are written by themselves.
    pub(crate) fn own_numbers(&self) -> Vec<(&'static str, f64)> {
        let own = |body: &Body| Body { response: Response::Slide, character: None, ..*body };
        changed(own(self).numbers(), own(&Body::default()).numbers())
    }

    /// The configuration alone: at the origin, at rest.
    pub(crate) fn configuration(&self) -> Body {
        Body { position: Ok(Position::ORIGIN), velocity: DVec2::ZERO, ..*self }
    }

    /// All bits of the configuration; position and velocity are not part of it.
    pub(crate) fn bits(&self) -> BodyBits {
        let response = match self.response {
            Response::Slide => 0,
            Response::Bounce(_) => 1,
            Response::Stop => 2,
            Response::Pass => 3,
        };
        let (half, is_circle) = (self.shape.half_units(), self.shape.is_circle());
        let lift = self.character.map_or(3, |character| character.platform_velocity as u64);
        // This word says which numbers follow: no two configurations have the same bits.
        let kind = response | u64::from(is_circle) << 2 | u64::from(self.one_way) << 3 | lift << 4;
        let layers = u64::from(self.collision_layers.0) | u64::from(self.collision_mask.0) << 32;
        let mut bits = BodyBits::from_slice(&[kind, half.x as u64, half.y as u64, self.tag, layers]);
        bits.extend(self.clone().numbers().map(|number| number.value.to_bits()));
        bits
    }

    /// Refuses collision layers that a map with so many names does not name. What a body is in and meets that says nothing
    /// is in order on every map.
    pub(crate) fn check_layers(&self, names: usize) -> Result<(), CollisionLayerError> {
        check_layers(self.collision_layers, names)?;
        check_mask(self.collision_mask, names)
    }
}

/// Refuses layers for a body to be in that a map with so many names does not name.
pub(crate) fn check_layers(layers: CollisionLayers, names: usize) -> Result<(), CollisionLayerError> {
    if layers == CollisionLayers::FIRST { Ok(()) } else { layers.check_named(names) }
}

/// Refuses layers for a body to meet that a map with so many names does not name. All layers and no layer need no names.
pub(crate) fn check_mask(mask: CollisionLayers, names: usize) -> Result<(), CollisionLayerError> {
    if mask == CollisionLayers::ALL { Ok(()) } else { check_layers(mask, names) }
}
