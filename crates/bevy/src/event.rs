//! Messages and events that the plugin sends.

use bevy_ecs::prelude::*;
use surefoot::command::CommandError;
use surefoot::event::EventKind;

/// Something that happened to a body or a platform in a tick, such as a landing.
///
/// The plugin sends it twice, in the order of [`World::events`](surefoot::World::events): as a message, and as an event for
/// observers of the entity.
#[derive(Message, EntityEvent, Clone, Copy, PartialEq, Debug)]
pub struct PhysicsEvent {
    /// Entity of the body, or of the platform for [`EventKind::PlatformArrived`]. The entity may be gone: it
    /// may have been despawned before this tick.
    pub entity: Entity,
    /// Tick at whose end the event is sent.
    pub tick: u64,
    /// Kind of the event, such as a landing.
    pub kind: EventKind,
}

/// The world refused the body, the platform or the area of a component. The plugin also logs the error.
///
/// Sent as a message and as an event for observers. An observer that `commands.spawn(..).observe(..)` adds comes
/// too late for that spawn: use `App::add_observer`.
#[derive(Message, EntityEvent, Clone, PartialEq, Debug)]
pub struct SpawnRefused {
    /// Entity that stays without a body, a platform or an area.
    pub entity: Entity,
    /// Reason for the refusal.
    pub error: CommandError,
}
