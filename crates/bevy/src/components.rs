//! Components of bodies, platforms and areas.

use crate::links::Links;
use crate::physics::Physics;
use crate::thing::{Thing, despawn_thing, despawn_thing_of_lost_id, link_thing, spawn_thing};
use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::{Reflect, ReflectDeserialize, ReflectSerialize};
use bevy_transform::components::Transform;
#[cfg(feature = "reflect")]
use serde::{Deserialize, Serialize};
use surefoot::World as PhysicsWorld;
use surefoot::area::{Area, AreaId};
use surefoot::body::Body;
use surefoot::command::CommandError;
use surefoot::event::BodyId;
use surefoot::platform::{Platform, PlatformId};

/// Initial state of an entity's body. Inserting the component spawns the body.
///
/// The body is spawned when the command that inserts the component runs, and the entity gets a [`BodyOf`]. Removing the
/// component or the entity removes the body. Inserting the component again replaces the body by a new one.
///
/// If the world refuses the body, the entity stays without one, and a [`SpawnRefused`](crate::SpawnRefused) is sent.
///
/// `Transform` follows the body. The plugin writes the position in the world, and Bevy adds that of the parent: a
/// parent must stay at the origin.
#[derive(Component, Clone, Debug, PartialEq)]
#[require(Transform)]
#[component(immutable, on_insert = spawn_thing::<PhysicsBody>, on_discard = despawn_thing::<PhysicsBody>)]
#[cfg_attr(feature = "reflect", derive(Reflect, Serialize, Deserialize), serde(transparent))]
#[cfg_attr(feature = "reflect", reflect(opaque, Component, Clone, Debug, PartialEq, Serialize, Deserialize))]
pub struct PhysicsBody(pub Body);

/// Initial state of an entity's platform. Works as [`PhysicsBody`] does.
///
/// `Transform` follows the lower left corner of the platform's tile (0, 0). The platforms of a map have entities too:
/// these have only a [`PlatformOf`].
#[derive(Component, Clone, Debug, PartialEq)]
#[require(Transform)]
#[component(immutable, on_insert = spawn_thing::<PhysicsPlatform>, on_discard = despawn_thing::<PhysicsPlatform>)]
#[cfg_attr(feature = "reflect", derive(Reflect, Serialize, Deserialize), serde(transparent))]
#[cfg_attr(feature = "reflect", reflect(opaque, Component, Clone, Debug, PartialEq, Serialize, Deserialize))]
pub struct PhysicsPlatform(pub Platform);

/// Initial state of an entity's area (a sensor). Works as [`PhysicsBody`] does.
///
/// `Transform` follows the position of the area. The areas of a map have entities too: these have only an [`AreaOf`].
#[derive(Component, Clone, Debug, PartialEq)]
#[require(Transform)]
#[component(immutable, on_insert = spawn_thing::<PhysicsArea>, on_discard = despawn_thing::<PhysicsArea>)]
#[cfg_attr(feature = "reflect", derive(Reflect, Serialize, Deserialize), serde(transparent))]
#[cfg_attr(feature = "reflect", reflect(opaque, Component, Clone, Debug, PartialEq, Serialize, Deserialize))]
pub struct PhysicsArea(pub Area);

macro_rules! id_component {
    ($(#[$doc:meta])* $name:ident, $id:ident, $thing:ident) => {
        $(#[$doc])*
        #[derive(Component, Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[component(immutable, on_insert = link_thing::<$thing>, on_remove = despawn_thing_of_lost_id::<$thing>)]
        // Do not reflect `Component`, so that scenes leave the id out. An id means nothing in another world.
        #[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Clone, Debug, PartialEq, Hash))]
        pub struct $name(pub $id);

        impl From<$id> for $name {
            fn from(id: $id) -> $name {
                $name(id)
            }
        }

        impl From<$name> for $id {
            fn from($name(id): $name) -> $id {
                id
            }
        }
    };
}

id_component!(
    /// Id of the entity's body. The plugin inserts it: see [`PhysicsBody`].
    ///
    /// Each body of the world has an entity. Bodies that a map places, and bodies that code spawns in
    /// [`Physics::world`], get entities with a `BodyOf` and a `Transform` at the next tick. To add a
    /// sprite to the body of a map, observe `On<Add<BodyOf>>`.
    ///
    /// Scenes leave it out: in another world, the id names another body. The `PhysicsBody` of a scene spawns a new
    /// body.
    BodyOf,
    BodyId,
    PhysicsBody
);
id_component!(
    /// The platform that an entity has. The plugin inserts it: see [`PhysicsPlatform`] and [`BodyOf`].
    PlatformOf,
    PlatformId,
    PhysicsPlatform
);
id_component!(
    /// The area that an entity has. The plugin inserts it: see [`PhysicsArea`] and [`BodyOf`].
    AreaOf,
    AreaId,
    PhysicsArea
);

/// Registers all types that have it with Bevy's reflection, for inspectors and scenes.
#[cfg(feature = "reflect")]
pub(crate) fn register_types(app: &mut bevy_app::App) {
    app.register_type::<PhysicsBody>()
        .register_type::<PhysicsPlatform>()
        .register_type::<PhysicsArea>()
        .register_type::<BodyOf>()
        .register_type::<PlatformOf>()
        .register_type::<AreaOf>()
        .register_type::<crate::CharacterControl>()
        .register_type::<crate::CharacterButtons>()
        .register_type::<crate::PhysicsEvent>()
        .register_type::<crate::AreaEvent>()
        .register_type::<crate::SpawnRefused>()
        .register_type::<crate::FixedClockChanged>()
        .register_type::<crate::PhysicsSnapshot>();
}

macro_rules! impl_thing {
    ($thing:ident, $of:ident, $id:ident, $spawn:ident, $despawn:ident, $get:ident, $all:ident) => {
        impl Thing for $thing {
            type Id = $id;
            type Of = $of;

            fn spawn(self, world: &mut PhysicsWorld) -> Result<$id, CommandError> {
                world.$spawn(self.0)
            }

            fn despawn(world: &mut PhysicsWorld, id: $id) {
                // Despawning fails only if the thing is already gone.
                let _ = world.$despawn(id);
            }

            fn contains(world: &PhysicsWorld, id: $id) -> bool {
                world.$get(id).is_some()
            }

            fn all_ids(world: &PhysicsWorld) -> impl Iterator<Item = $id> {
                world.$all().map(|(id, _)| id)
            }

            fn position_at(world: &PhysicsWorld, id: $id, fraction: f32) -> Option<[f32; 2]> {
                world.$get(id).map(|state| state.position_at(fraction).to_array())
            }

            fn entity_links(physics: &Physics) -> &Links<$id> {
                &physics.$all
            }

            fn entity_links_mut(physics: &mut Physics) -> &mut Links<$id> {
                &mut physics.$all
            }
        }
    };
}

impl_thing!(PhysicsBody, BodyOf, BodyId, spawn, despawn, get, bodies);
impl_thing!(PhysicsPlatform, PlatformOf, PlatformId, spawn_platform, despawn_platform, platform, platforms);
impl_thing!(PhysicsArea, AreaOf, AreaId, spawn_area, despawn_area, area, areas);
