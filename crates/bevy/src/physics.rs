//! The world as a resource.

use crate::links::Links;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use std::time::Duration;
use surefoot::World as PhysicsWorld;
use surefoot::area::AreaId;
use surefoot::event::BodyId;
use surefoot::platform::PlatformId;

/// The physics world, and which entity each of its bodies, platforms and areas has.
#[derive(Resource)]
pub struct Physics {
    /// The world: for queries, edited tiles, and commands to bodies.
    ///
    /// Each body, platform and area in it has an entity. If you spawn a body here, the plugin spawns its entity at the
    /// next tick. If you remove one here, its entity loses `PhysicsBody` and `BodyOf` at the next tick. An entity
    /// without a `PhysicsBody`, such as that of a map's body, is despawned. Platforms and areas work the same way.
    pub world: PhysicsWorld,
    pub(crate) pixels_per_tile: Option<f32>,
    /// Whether the first level is not loaded yet. The world then does not step.
    pub(crate) is_waiting: bool,
    /// Length of a tick, as the fixed clock of Bevy must have it.
    pub(crate) timestep: Duration,
    pub(crate) bodies: Links<BodyId>,
    pub(crate) platforms: Links<PlatformId>,
    pub(crate) areas: Links<AreaId>,
}

impl Physics {
    /// Returns the units of Bevy along one side of a tile. With the default 2D camera, a unit is a pixel.
    #[must_use]
    pub fn pixels_per_tile(&self) -> f32 {
        self.pixels_per_tile.unwrap_or(self.world.map().pixels_per_tile() as f32)
    }

    /// Returns a point of Bevy in tiles, for example of the mouse.
    #[must_use]
    pub fn to_tiles(&self, point: Vec2) -> Vec2 {
        point / self.pixels_per_tile()
    }

    /// Returns a point in tiles in units of Bevy. `point` is a `Vec2` of the engine, such as `position.to_vec2()`, or
    /// an array.
    #[must_use]
    pub fn to_pixels(&self, point: impl Into<[f32; 2]>) -> Vec2 {
        Vec2::from(point.into()) * self.pixels_per_tile()
    }

    /// Returns the entity of a body, for example of the other body of a collision.
    #[must_use]
    pub fn entity_of_body(&self, body: BodyId) -> Option<Entity> {
        self.bodies.entity(body)
    }

    /// Returns the entity of a platform.
    #[must_use]
    pub fn entity_of_platform(&self, platform: PlatformId) -> Option<Entity> {
        self.platforms.entity(platform)
    }

    /// Returns the entity of an area, for example of a coin that a body entered.
    #[must_use]
    pub fn entity_of_area(&self, area: AreaId) -> Option<Entity> {
        self.areas.entity(area)
    }
}
