//! A [Bevy](https://bevy.org) plugin for [surefoot], a deterministic platformer physics engine on tile maps.
//!
//! [`SurefootPlugin`] adds a physics world to an app. Entities with a [`PhysicsBody`] have a body in that world, and
//! their `Transform` follows it. Each fixed tick steps the world once:
//!
//! | set of systems | schedule | what happens |
//! |---|---|---|
//! | [`SurefootSystems::Prepare`] | `FixedPostUpdate` | characters get the input of their [`CharacterControl`] |
//! | [`SurefootSystems::Step`] | `FixedPostUpdate` | the world steps, and [`PhysicsEvent`]s are sent |
//! | [`SurefootSystems::Writeback`] | `RunFixedMainLoop`, after the ticks of the frame | each `Transform` gets a position between the last two ticks |
//!
//! So rules of a game belong in `FixedUpdate`: they run before the step of the same tick, and read the events of the
//! tick before.
//!
//! [`Physics`] is the world as a resource: for queries, edited tiles and all else that has no component.
//!
//! ```
//! use bevy_app::{App, Startup};
//! use bevy_ecs::prelude::*;
//! use bevy_surefoot::prelude::*;
//! use bevy_time::TimePlugin;
//! use surefoot::{Input, Map};
//!
//! fn spawn_hero(mut commands: Commands, physics: Res<Physics>) -> Result {
//!     let start = physics.world.map().marker("start").ok_or("the map has no start")?;
//!     let body = Body::new(Shape::aabb(0.35, 0.45)).at(start).character(Character::default());
//!     commands.spawn((PhysicsBody(body), CharacterControl(Input::walk(1.0))));
//!     Ok(())
//! }
//!
//! let map = Map::from_rows(["........", ".@......", "########"])?;
//! App::new().add_plugins((TimePlugin, SurefootPlugin::new(map))).add_systems(Startup, spawn_hero).update();
//! # Ok::<(), surefoot::map::RowsError>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

mod clock;
mod components;
mod control;
#[cfg(feature = "debug")]
mod debug;
mod event;
#[cfg(feature = "asset")]
mod level;
mod links;
mod physics;
mod plugin;
mod rollback;
mod systems;
mod thing;

pub use clock::FixedClockChanged;
pub use components::{AreaOf, BodyOf, PhysicsArea, PhysicsBody, PhysicsPlatform, PlatformOf};
pub use control::{CharacterButtons, CharacterControl};
#[cfg(feature = "debug")]
pub use debug::{SurefootDebugPlugin, SurefootGizmos};
pub use event::{AreaEvent, PhysicsEvent, SpawnRefused};
#[cfg(feature = "asset")]
pub use level::{CurrentLevel, Level, LevelChange, LevelChanged, LevelLoadError, LevelLoader};
pub use physics::Physics;
pub use plugin::{SurefootPlugin, SurefootSystems};
pub use rollback::{PhysicsSnapshot, capture_physics, restore_physics};
pub use surefoot;
#[cfg(feature = "asset")]
pub use surefoot_import;

/// The types that most games use: `use bevy_surefoot::prelude::*`.
///
/// The engine's `World` and `Event` are not here, because Bevy's prelude has types of these names. Import them, and
/// `Map` and `Input`, from [`surefoot`].
pub mod prelude {
    pub use crate::{
        AreaEvent, AreaOf, BodyOf, CharacterButtons, CharacterControl, Physics, PhysicsArea, PhysicsBody, PhysicsEvent,
        PhysicsPlatform, PlatformOf, SpawnRefused, SurefootPlugin, SurefootSystems,
    };
    #[cfg(feature = "asset")]
    pub use crate::{CurrentLevel, Level, LevelChange, LevelChanged};
    #[doc(no_inline)]
    pub use surefoot::prelude::{Body, BodyId, Buttons, Character, EventKind, Settings, Shape};
}

/// The programs of the README compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
