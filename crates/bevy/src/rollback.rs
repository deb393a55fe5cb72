//! Saving and restoring the whole physics.

use crate::physics::Physics;
use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use surefoot::snapshot::SnapshotError;
use surefoot::world::Snapshot;

/// State of the whole physics at the end of a tick, for rewinding and for rollback in network games.
///
/// It is all that the physics has to save. Components of the game are not in it, nor is
/// [`CharacterButtons`](crate::CharacterButtons). Keep one in a list of your own for
/// each tick, or let a library for rollback save this resource as a clone. Such a library also restores entities: let
/// it restore [`BodyOf`](crate::BodyOf), [`PlatformOf`](crate::PlatformOf) and [`AreaOf`](crate::AreaOf), and never
/// [`PhysicsBody`](crate::PhysicsBody), [`PhysicsPlatform`](crate::PhysicsPlatform) or
/// [`PhysicsArea`](crate::PhysicsArea): inserting these spawns.
///
/// Entities follow in the tick after a restore. A body without an entity gets a new one, with a `BodyOf` and a
/// `Transform`. An entity whose body is not in the snapshot loses its `PhysicsBody` and `BodyOf`, or is despawned if it
/// has no `PhysicsBody`.
#[derive(Resource, Clone, Debug, Default)]
// Do not reflect `Resource`, so that scenes leave the snapshot out.
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Default, Clone, Debug))]
pub struct PhysicsSnapshot(pub Snapshot);

/// System that captures the physics into the resource [`PhysicsSnapshot`]. Not added by the plugin.
pub fn capture_physics(physics: Res<Physics>, mut saved: ResMut<PhysicsSnapshot>) {
    physics.world.capture_into(&mut saved.0);
}

/// System that restores the physics from the resource [`PhysicsSnapshot`]. Not added by the plugin.
///
/// # Errors
/// Returns [`SnapshotError`] if the snapshot is of another map or of other settings. The physics then stays as it is.
pub fn restore_physics(mut physics: ResMut<Physics>, saved: Res<PhysicsSnapshot>) -> Result<(), SnapshotError> {
    physics.world.restore(&saved.0)
}
