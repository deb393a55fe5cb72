//! Messages and events that the plugin sends.

use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::Reflect;
use surefoot::command::CommandError;
use surefoot::event::EventKind;

/// Something that happened to a body or a platform in a tick, such as a landing.
///
/// The plugin sends it twice, in the order of [`World::events`](surefoot::World::events): as a message, and as an event
/// for observers of the entity. Observers of an area's entity get an [`AreaEvent`].
#[derive(Message, EntityEvent, Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Event, Message, Clone, Debug, PartialEq))]
pub struct PhysicsEvent {
    /// Entity of the body, or of the platform for [`EventKind::PlatformArrived`]. The entity may be gone: it
    /// may have been despawned before this tick.
    pub entity: Entity,
    /// Tick at whose end the event is sent.
    pub tick: u64,
    /// Kind of the event, such as a landing.
    pub kind: EventKind,
}

/// A body entered or left an area in a tick. An event for observers of the area's entity, such as a coin.
///
/// It follows the [`PhysicsEvent`] of the body, which has the same tick and kind. To read both as messages, read
/// `PhysicsEvent`.
///
/// ```
/// # use bevy_ecs::prelude::*;
/// # use bevy_surefoot::prelude::*;
/// fn collect_coin(event: On<AreaEvent>, mut commands: Commands) {
///     if matches!(event.kind, EventKind::AreaEntered { .. }) {
///         commands.entity(event.entity).despawn();
///     }
/// }
/// ```
#[derive(EntityEvent, Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Event, Clone, Debug, PartialEq))]
pub struct AreaEvent {
    /// Entity of the area. It may be gone: it may have been despawned before this tick.
    pub entity: Entity,
    /// Entity of the body that entered or left. It may be gone too.
    pub body: Entity,
    /// Tick at whose end the event is sent.
    pub tick: u64,
    /// [`EventKind::AreaEntered`] or [`EventKind::AreaExited`].
    pub kind: EventKind,
}

/// The world refused the body, the platform or the area of a component. The plugin also logs the error.
///
/// Sent as a message and as an event for observers. An observer that `commands.spawn(..).observe(..)` adds comes
/// too late for that spawn: use `App::add_observer`.
#[derive(Message, EntityEvent, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Event, Message, Clone, Debug, PartialEq))]
pub struct SpawnRefused {
    /// Entity that stays without a body, a platform or an area.
    pub entity: Entity,
    /// Reason for the refusal.
    pub error: CommandError,
}
