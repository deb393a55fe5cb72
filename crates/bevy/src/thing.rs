//! Bodies, platforms and areas: the things of a world that are entities.
//!
//! A component defines a thing, and its hooks spawn and remove the thing in the order of commands. A system over
//! `Added` would go through the entities in an order that depends on their other components, and the order decides the
//! ids and the bits of a run.

use crate::event::SpawnRefused;
use crate::links::Links;
use crate::physics::Physics;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use slotmap::Key;
use surefoot::World as PhysicsWorld;
use surefoot::command::CommandError;

/// A component that defines a thing of the world, such as a body.
pub(crate) trait Thing: Component + Clone {
    /// Id of the thing in the world.
    type Id: Key + Send + Sync;
    /// Component with the id.
    type Of: Component + Copy + From<Self::Id> + Into<Self::Id>;

    fn spawn(self, world: &mut PhysicsWorld) -> Result<Self::Id, CommandError>;
    fn despawn(world: &mut PhysicsWorld, id: Self::Id);
    fn contains(world: &PhysicsWorld, id: Self::Id) -> bool;
    fn all_ids(world: &PhysicsWorld) -> impl Iterator<Item = Self::Id>;
    /// Returns the position in tiles at a fraction of the tick in progress.
    fn position_at(world: &PhysicsWorld, id: Self::Id, fraction: f32) -> Option<[f32; 2]>;
    fn entity_links(physics: &Physics) -> &Links<Self::Id>;
    fn entity_links_mut(physics: &mut Physics) -> &mut Links<Self::Id>;
}

/// Spawns the thing of a new component.
pub(crate) fn spawn_thing<T: Thing>(mut world: DeferredWorld<'_>, HookContext { entity, .. }: HookContext) {
    let Some(thing) = world.get::<T>(entity).cloned() else { return };
    let Some(mut physics) = physics_of(&mut world) else {
        log::error!("{entity}: there is no physics world; add `SurefootPlugin` before the first entity");
        return;
    };
    match thing.spawn(&mut physics.world) {
        Ok(id) => {
            T::entity_links_mut(&mut physics).link(id, entity);
            world.commands().entity(entity).try_insert(T::Of::from(id));
        }
        Err(error) => {
            log::error!("{entity}: the spawn is refused: {error}");
            let refused = SpawnRefused { entity, error };
            world.write_message(refused.clone());
            world.commands().trigger(refused);
        }
    }
}

/// Removes the thing of a component that is removed or replaced.
pub(crate) fn despawn_thing<T: Thing>(mut world: DeferredWorld<'_>, HookContext { entity, .. }: HookContext) {
    if try_unlink_and_despawn::<T>(&mut world, entity) {
        world.commands().entity(entity).try_remove::<T::Of>();
    }
}

/// Links an entity that gets the id of a thing, for example from a library that restores entities.
pub(crate) fn link_thing<T: Thing>(mut world: DeferredWorld<'_>, HookContext { entity, .. }: HookContext) {
    let Some(&of) = world.get::<T::Of>(entity) else { return };
    let Some(mut physics) = physics_of(&mut world) else { return };
    if T::entity_links(&physics).id(entity) != Some(of.into()) {
        T::entity_links_mut(&mut physics).link(of.into(), entity);
    }
}

/// Removes the thing of an entity that loses its id.
pub(crate) fn despawn_thing_of_lost_id<T: Thing>(
    mut world: DeferredWorld<'_>,
    HookContext { entity, .. }: HookContext,
) {
    let Some(&of) = world.get::<T::Of>(entity) else { return };
    // If a new thing has replaced this one, the entity is already linked to the new thing, which has to stay.
    if physics_of(&mut world).is_some_and(|physics| T::entity_links(&physics).id(entity) == Some(of.into())) {
        try_unlink_and_despawn::<T>(&mut world, entity);
    }
}

fn try_unlink_and_despawn<T: Thing>(world: &mut DeferredWorld<'_>, entity: Entity) -> bool {
    let Some(mut physics) = physics_of(world) else { return false };
    let id = T::entity_links_mut(&mut physics).unlink(entity);
    id.inspect(|&id| T::despawn(&mut physics.world, id)).is_some()
}

fn physics_of<'w>(world: &'w mut DeferredWorld<'_>) -> Option<Mut<'w, Physics>> {
    world.get_resource_mut::<Physics>()
}
