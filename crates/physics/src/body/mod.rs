//! Descriptions of bodies and characters: [`Body`], [`Character`] and [`Input`].

mod buttons;
mod character;
mod debug;
pub(crate) mod error;
#[cfg(feature = "serde")]
mod file;
mod keys;
mod pace;
mod placed;
mod reach;

pub use buttons::Buttons;
pub use character::{Character, Input, PlatformVelocity};
pub use error::{BodyError, MAX_SPEED};
pub use reach::JumpReach;
pub use surefoot_tiles::Facing;

pub(crate) use debug::Tiles;
pub(crate) use error::{check_velocity, clamp_velocity, limit_velocity};
#[cfg(feature = "serde")]
pub(crate) use file::Configuration;
pub(crate) use keys::Keys;
pub(crate) use pace::{rescale_counted_ticks, rescale_pause_ticks};

pub(crate) use crate::number::{Number, changed_numbers};
pub(crate) use crate::tiles::map::{check_layers, check_mask};

use crate::ids::CollisionLayers;
use crate::map::CollisionLayerError;
use crate::motion::{Shape, Up};
use error::{MAX_MASS, MIN_MASS};
use glam::DVec2;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use surefoot_geometry::{Position, PositionError, Vector};

/// All bits of a configuration: equal for configurations that are equal to the bit, both zeros apart.
pub(crate) type BodyBits = SmallVec<[u64; 64]>;

/// Response of a body when it hits a surface. A character ignores its response.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum Response {
    /// The body slides along the surface: it loses only the part of its velocity that points into the surface. This
    /// is the default.
    #[default]
    Slide,
    /// The body bounces off. The value is the share of its speed against the surface that the bounce keeps, 0 to 1.
    ///
    /// - If the body hits several surfaces at once, for example in a corner, the body bounces back in the direction
    ///   from which it came.
    /// - If the impact is slower than [`Body::rest_speed_threshold`], the body slides instead.
    /// - If the body slides on a floor and hits a wall, the body bounces straight back along the floor.
    Bounce(f64),
    /// The body stops at the surface: it loses its whole velocity, also the velocity along the surface. On a moving
    /// platform, it then moves along with the platform.
    Stop,
    /// The body passes through everything and touches nothing. Areas still detect the body.
    Pass,
}

impl Response {
    /// Returns the fraction of the impact speed that the body has after a bounce.
    pub(crate) fn bounce(self) -> f64 {
        if let Response::Bounce(factor) = self { factor } else { 0.0 }
    }
}

/// Describes a body to spawn: shape, position and physical properties.
///
/// Set the fields directly or chain the builder methods. [`World::spawn`](crate::world::World::spawn) checks all
/// values.
///
/// A world stores everything except position, velocity and facing, and [`BodyState::body`] returns it. At run time,
/// [`Command::SetBody`] replaces the properties and [`Command::SetShape`] the shape.
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
    /// Position of the centre, the origin by default. An error from [`Body::at`] is stored here, and
    /// [`Body::check`] returns it.
    pub position: Result<Position, PositionError>,
    /// Velocity in tiles per second, up to [`MAX_SPEED`] on each axis. With a `time_scale` below 1, these are seconds
    /// of the body's slower time.
    pub velocity: DVec2,
    /// Side that the body faces when it is spawned. Default [`Facing::Unset`].
    ///
    /// [`World::set_facing`](crate::world::World::set_facing) changes it later. Once a side is set, a character turns
    /// by itself when its [`Input::walk`] points to the other side.
    pub facing: Facing,
    /// Shape and size: a circle or an axis-aligned box.
    pub shape: Shape,
    /// Gravity multiplier, -1000 to 1000. With 0, the body floats. With a negative value, it rises. Default 1.
    pub gravity_scale: f64,
    /// Response when the body hits a surface. Default [`Response::Slide`]. Characters ignore the response.
    ///
    /// The [`Material`](crate::map::Material) of a tile can have a bounce too. A body with [`Response::Slide`] then
    /// bounces off that tile.
    pub response: Response,
    /// Coefficient of friction, 0 to 1000. With 0 (the default), the body slides for ever. With 1, friction just keeps
    /// the body at rest on a slope of 45 degrees.
    ///
    /// The friction of a tile's [`Material`](crate::map::Material) multiplies the coefficient. Characters ignore the
    /// coefficient.
    pub friction: f64,
    /// Speed in tiles per second below which the body stops bouncing and comes to rest, 0 to [`MAX_SPEED`]. Default
    /// 0.1.
    ///
    /// The body comes to rest only on a floor where its friction keeps it from sliding. Characters ignore the
    /// threshold.
    pub rest_speed_threshold: f64,
    /// Character controller: makes the body walk and jump by its [`Input`]. `None` (the default) for a body that is
    /// not a character.
    pub character: Option<Character>,
    /// Collision layers that the body is in. The default is the first layer.
    ///
    /// Other bodies use the layers to decide whether they collide with this body. One-way tiles can [let the bodies
    /// of a layer pass](crate::map::TileKind::ignored_by).
    pub collision_layers: CollisionLayers,
    /// Collision layers of other bodies that this body collides with. The default is none: bodies pass through each
    /// other.
    ///
    /// Two bodies collide only if both masks allow it: see [`Body::can_collide_with`]. Tiles and platforms stop the
    /// body whatever its mask is.
    pub collision_mask: CollisionLayers,
    /// Mass, 1e-6 to 1e6, in a unit of your choice. Default 1.
    ///
    /// Mass affects collisions between bodies, and limits which bodies a character can
    /// [push](Character::max_push_mass). Without other bodies, the mass does not matter.
    pub mass: f64,
    /// Whether the body is solid only from above, like a one-way tile. Only a box can be one-way. Default `false`.
    ///
    /// Other bodies land on the top. Bodies that come from the side or from below pass through. A character on top
    /// drops through while its player holds down.
    pub one_way: bool,
    /// A number for your game, such as an entity id. The engine does not use it. Default 0.
    ///
    /// Bodies with equal properties share the memory of these properties. A tag is one of the properties, so bodies
    /// with different tags need more memory.
    pub tag: u64,
    /// Slow motion: how fast time runs for this body compared with the world, 0 to 1. Default 1, full speed. Below
    /// 0.001 the body stands still, as at 0.
    ///
    /// The motion and the timers of the body take `1 / time_scale` times as long. Platforms and other bodies act on the
    /// body at full speed. All velocities of the body count in the body's slower time: at 0.5, a velocity of 4 moves
    /// the body 2 tiles in a second of the world. See `docs/guide/gameplay-effects.md`.
    pub time_scale: f64,
    /// Direction of up of this body alone, for gravity that flips. `None` (the default) is the world's
    /// [`Settings::up`](crate::world::Settings::up).
    ///
    /// Floors, walls and ceilings, jumps and buoyancy follow it, and gravity turns with it. If it is opposite to the
    /// world's, right stays the world's right, for [`Input::walk`] too. If it is sideways, right is up turned clockwise
    /// by 90 degrees.
    pub up: Option<Up>,
}

impl Default for Body {
    /// Returns a box of 1 by 1 tile at the origin and at rest. Gravity acts on the body, and it slides along surfaces.
    fn default() -> Body {
        Body {
            position: Ok(Position::ORIGIN),
            velocity: DVec2::ZERO,
            facing: Facing::Unset,
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
            up: None,
        }
    }
}

impl Body {
    /// Creates a body of `shape` at the origin and at rest. Gravity acts on the body, and it slides along surfaces.
    #[must_use]
    pub fn new(shape: Shape) -> Body {
        Body { shape, ..Body::default() }
    }

    /// Sets the position of the centre: a [`Position`], or a pair, an array or a glam vector in tiles.
    ///
    /// [`Body::check`] reports an invalid position.
    #[must_use]
    pub fn at<P>(self, position: P) -> Body
    where
        P: TryInto<Position>,
        P::Error: Into<PositionError>,
    {
        Body { position: position.try_into().map_err(Into::into), ..self }
    }

    /// Sets the velocity in tiles per second. With a [`Body::time_scale`] below 1, these are seconds of the body's
    /// slower time.
    #[must_use]
    pub fn velocity(self, velocity: impl Vector) -> Body {
        Body { velocity: velocity.to_lengths(), ..self }
    }

    /// Sets the side that the body faces when it is spawned.
    #[must_use]
    pub fn facing(self, facing: Facing) -> Body {
        Body { facing, ..self }
    }

    /// Sets the gravity multiplier, -1000 to 1000. With 0, the body floats. With a negative value, the body rises.
    #[must_use]
    pub fn gravity_scale(self, factor: f64) -> Body {
        Body { gravity_scale: factor, ..self }
    }

    /// Sets the response to [`Response::Bounce`] with `factor`: the share of the speed that a bounce keeps, 0 to 1.
    #[must_use]
    pub fn bounce(self, factor: f64) -> Body {
        self.response(Response::Bounce(factor))
    }

    /// Sets how the body responds when it hits a surface.
    #[must_use]
    pub fn response(self, response: Response) -> Body {
        Body { response, ..self }
    }

    /// Sets the coefficient of friction, 0 to 1000. With 0, the body slides for ever.
    #[must_use]
    pub fn friction(self, coefficient: f64) -> Body {
        Body { friction: coefficient, ..self }
    }

    /// Sets the speed, in tiles per second, below which the body stops bouncing and comes to rest.
    #[must_use]
    pub fn rest_speed_threshold(self, speed: f64) -> Body {
        Body { rest_speed_threshold: speed, ..self }
    }

    /// Makes the body a character that walks and jumps by its [`Input`]. The fields `response`, `friction` and
    /// `rest_speed_threshold` then have no effect.
    #[must_use]
    pub fn character(self, character: Character) -> Body {
        Body { character: Some(character), ..self }
    }

    /// Sets the collision layers that the body is in.
    #[must_use]
    pub fn collision_layers(self, layers: CollisionLayers) -> Body {
        Body { collision_layers: layers, ..self }
    }

    /// Sets the collision mask: the collision layers of other bodies that this body collides with.
    #[must_use]
    pub fn collision_mask(self, mask: CollisionLayers) -> Body {
        Body { collision_mask: mask, ..self }
    }

    /// Sets the mass, 1e-6 to 1e6, in a unit of your choice.
    #[must_use]
    pub fn mass(self, mass: f64) -> Body {
        Body { mass, ..self }
    }

    /// Makes the body solid only from above, like a one-way tile. Only a box can be one-way.
    #[must_use]
    pub fn one_way(self) -> Body {
        Body { one_way: true, ..self }
    }

    /// Sets a number for your game, such as an entity id. The engine does not use it.
    #[must_use]
    pub fn tag(self, tag: u64) -> Body {
        Body { tag, ..self }
    }

    /// Sets how fast time runs for this body compared with the world, 0 to 1: below 1, the body is in slow motion.
    #[must_use]
    pub fn time_scale(self, scale: f64) -> Body {
        Body { time_scale: scale, ..self }
    }

    /// Sets the direction of up of this body: see [`Body::up`].
    #[must_use]
    pub fn up(self, up: Up) -> Body {
        Body { up: Some(up), ..self }
    }

    /// Returns whether two bodies can collide: each must be in at least one collision layer of the other's collision
    /// mask.
    ///
    /// A body with [`Response::Pass`] never collides with another body. Two bodies that overlap when a
    /// tick begins ignore each other in that tick.
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
    /// assert!(!hero.can_collide_with(&ghost) && !ghost.can_collide_with(&hero), "one mask without the other is not enough");
    /// let plain = Body::new(Shape::circle(0.5)).collision_layers(heroes);
    /// assert!(!hero.can_collide_with(&plain), "the default mask is empty");
    /// ```
    #[must_use]
    pub fn can_collide_with(&self, other: &Body) -> bool {
        self.collision_mask.intersects(other.collision_layers) && other.collision_mask.intersects(self.collision_layers)
    }

    /// Checks that the position is valid, the shape has a valid size, and all numbers are finite and in range.
    ///
    /// [`World::spawn`](crate::world::World::spawn) also checks that the map names the collision layers.
    ///
    /// # Errors
    /// Returns [`BodyError`] for the first invalid value.
    pub fn check(&self) -> Result<(), BodyError> {
        self.position?;
        self.shape.check()?;
        check_velocity(self.velocity)?;
        let mut body = self.clone();
        body.numbers().try_for_each(|number| number.check())?;
        if self.one_way && self.shape.is_circle() { Err(BodyError::OneWayCircle) } else { Ok(()) }
    }

    /// Returns each number of the configuration, in the order in which they are checked and hashed. Shape, position,
    /// velocity and facing are handled separately.
    #[doc(hidden)]
    pub fn numbers(&mut self) -> impl Iterator<Item = Number<'_>> {
        let Body {
            position: _,
            velocity: _,
            facing: _,
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
            up: _,
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

    /// Returns the numbers of a body without those of its character and of its response, which files contain
    /// separately.
    #[doc(hidden)]
    pub fn own_numbers(&self) -> Vec<(&'static str, f64)> {
        let own = |body: &Body| Body { response: Response::Slide, character: None, ..*body };
        changed_numbers(own(self).numbers(), own(&Body::default()).numbers())
    }

    /// Returns the configuration: the body at the origin, at rest, without a facing.
    pub(crate) fn configuration(&self) -> Body {
        Body { position: Ok(Position::ORIGIN), velocity: DVec2::ZERO, facing: Facing::Unset, ..*self }
    }

    /// Returns all bits of the configuration, without position, velocity and facing.
    pub(crate) fn bits(&self) -> BodyBits {
        let response = match self.response {
            Response::Slide => 0,
            Response::Bounce(_) => 1,
            Response::Stop => 2,
            Response::Pass => 3,
        };
        let (half, is_circle) = (self.shape.half_units(), self.shape.is_circle());
        let (lift, air_jumps) = self
            .character
            .map_or((3, 0), |character| (character.platform_velocity as u64, u64::from(character.air_jumps)));
        let up = self.up.map_or(0, |up| up as u64 + 1);
        // `kind` determines which numbers follow in the list. So configurations with equal bits are equal.
        let kind =
            response | u64::from(is_circle) << 2 | u64::from(self.one_way) << 3 | lift << 4 | air_jumps << 8 | up << 16;
        let layers = u64::from(self.collision_layers.0) | u64::from(self.collision_mask.0) << 32;
        let mut bits = BodyBits::from_slice(&[kind, half.x as u64, half.y as u64, self.tag, layers]);
        bits.extend(self.clone().numbers().map(|number| number.value.to_bits()));
        let added = self.character.map_or(0, |character| character.count_default_numbers_at_end());
        bits.truncate(bits.len() - added);
        bits
    }

    /// Refuses collision layers that the map does not name. `names` is the number of named layers. The default layers
    /// and mask are valid on every map.
    pub(crate) fn check_layers(&self, names: usize) -> Result<(), CollisionLayerError> {
        check_layers(self.collision_layers, names)?;
        check_mask(self.collision_mask, names)
    }
}
