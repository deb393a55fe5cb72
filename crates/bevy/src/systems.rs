//! The step of a tick, and what follows from it.

use crate::event::{AreaEvent, PhysicsEvent};
use crate::physics::Physics;
use crate::thing::Thing;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;
use surefoot::Event;
use surefoot::event::EventKind;

/// Returns whether the world has a level and may step.
pub(crate) fn has_level(physics: Res<Physics>) -> bool {
    !physics.is_waiting
}

/// Gives each thing of the world an entity, and takes the components of things that are gone from their entities.
pub(crate) fn sync_entities_with_world<T: Thing>(
    mut physics: ResMut<Physics>,
    mut commands: Commands,
    defined: Query<(), With<T>>,
    mut unlinked: Local<Vec<T::Id>>,
) {
    for (_, entity) in T::entity_links(&physics).iter().filter(|&(id, _)| !T::contains(&physics.world, id)) {
        if defined.contains(entity) {
            commands.entity(entity).try_remove::<(T, T::Of)>();
        } else {
            commands.entity(entity).try_despawn();
        }
    }
    unlinked.extend(T::all_ids(&physics.world).filter(|&id| T::entity_links(&physics).entity(id).is_none()));
    for id in unlinked.drain(..) {
        let entity = commands.spawn((T::Of::from(id), Transform::default())).id();
        // Link the entity now, because the events of this tick name it.
        T::entity_links_mut(&mut physics).link(id, entity);
    }
}

/// Steps the world and sends the events of the tick.
pub(crate) fn step_world(
    mut physics: ResMut<Physics>,
    mut messages: MessageWriter<PhysicsEvent>,
    mut commands: Commands,
) {
    let physics = &mut *physics;
    physics.world.step();
    let tick = physics.world.tick();
    for event in physics.world.events() {
        // `sync_entities_with_world` has given an entity to each thing in the world.
        let Some(entity) = entity_of_event(physics, event) else { continue };
        let event = PhysicsEvent { entity, tick, kind: event.kind };
        messages.write(event);
        commands.trigger(event);
        let (EventKind::AreaEntered { area } | EventKind::AreaExited { area }) = event.kind else { continue };
        if let Some(area) = physics.areas.entity_even_if_removed(area) {
            commands.trigger(AreaEvent { entity: area, body: entity, tick, kind: event.kind });
        }
    }
    physics.bodies.forget_removed();
    physics.platforms.forget_removed();
    physics.areas.forget_removed();
}

fn entity_of_event(physics: &Physics, event: &Event) -> Option<Entity> {
    match event.kind {
        EventKind::PlatformArrived { platform, .. } => physics.platforms.entity_even_if_removed(platform),
        _ => physics.bodies.entity_even_if_removed(event.body),
    }
}

pub(crate) fn write_transforms<T: Thing>(
    physics: Res<Physics>,
    clock: Res<Time<Fixed>>,
    mut things: Query<(&T::Of, &mut Transform)>,
) {
    let fraction = clock.overstep_fraction();
    for (&of, mut transform) in &mut things {
        let Some(position) = T::position_at(&physics.world, of.into(), fraction) else { continue };
        let to: Vec2 = physics.to_pixels(position);
        // Write only a new position, because Bevy updates everything that depends on a changed transform.
        if transform.translation.truncate() != to {
            transform.translation = to.extend(transform.translation.z);
        }
    }
}

/// Systems for each kind of thing, in their order.
macro_rules! for_each_thing {
    ($system:ident) => {
        // Bodies come last: if an entity has a body and an area, the position of the body replaces the position of the
        // area.
        ($system::<PhysicsArea>, $system::<PhysicsPlatform>, $system::<PhysicsBody>).chain()
    };
}
pub(crate) use for_each_thing;
