use crate::body::Body;
use crate::command::Command;
use crate::event::Event;
use crate::map::Map;
#[cfg(feature = "serde")]
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::{Arc, OnceLock};

/// Events and commands of a world around its last tick. Worlds, snapshots and snapshot files contain this list.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields, rename = "Log"))]
pub(crate) struct TickLog {
    /// Events of the last tick.
    pub(crate) events: Vec<Event>,
    /// Commands of the last tick.
    pub(crate) given: Commands,
    /// Commands since the last tick.
    pub(crate) pending: Commands,
}

impl TickLog {
    /// Copies into the existing memory.
    pub(crate) fn copy(&mut self, from: &TickLog) {
        let TickLog { events, given, pending } = from;
        copy_list(&mut self.events, events);
        self.given.copy(given);
        self.pending.copy(pending);
    }
}

/// Commands in the order of the calls.
#[derive(Debug, Default)]
pub(crate) struct Commands {
    list: Vec<Command>,
    /// The spawned bodies of a map, whose commands come before those of `list`.
    spawned: Option<Box<SpawnedBodies>>,
}

/// The commands that spawned all bodies of a map.
///
/// They are made when they are first read: in a level with many bodies, these commands are several times as large as
/// the bodies.
#[derive(Clone, Debug)]
struct SpawnedBodies {
    map: Arc<Map>,
    /// Cache of these commands, followed by those of the list.
    all: OnceLock<Vec<Command>>,
}

impl Commands {
    /// Returns commands that begin with the spawns of all bodies of `map`.
    pub(crate) fn with_spawns_of_map(map: Arc<Map>) -> Commands {
        Commands { list: Vec::new(), spawned: Some(Box::new(SpawnedBodies { map, all: OnceLock::new() })) }
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty() && self.spawned.is_none()
    }

    /// Returns all commands.
    pub(crate) fn as_slice(&self) -> &[Command] {
        let Some(SpawnedBodies { map, all }) = self.spawned.as_deref() else { return &self.list };
        all.get_or_init(|| {
            let mut all = Vec::with_capacity(map.body_count() + self.list.len());
            map.visit_bodies(|position, thing| {
                all.push(Command::Spawn(Box::new(Body { position: Ok(position), ..Body::from(&thing.fields) })));
            });
            all.extend_from_slice(&self.list);
            all
        })
    }

    /// Returns all commands except some that spawn bodies.
    pub(crate) fn without_spawns_of_map(&self) -> &[Command] {
        &self.list
    }

    /// Adds the last command.
    pub(crate) fn push(&mut self, command: Command) {
        if let Some(all) = self.spawned.as_mut().and_then(|spawned| spawned.all.take()) {
            (self.spawned, self.list) = (None, all);
        }
        self.list.push(command);
    }

    pub(crate) fn clear(&mut self) {
        self.drain().for_each(drop);
    }

    /// Removes all commands. Returns those that are listed.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = Command> {
        self.spawned = None;
        self.list.drain(..)
    }

    /// Replaces the commands in the existing memory.
    #[cfg(feature = "record")]
    pub(crate) fn replace(&mut self, commands: &[Command]) {
        self.spawned = None;
        copy_list(&mut self.list, commands);
    }

    /// Copies into the existing memory.
    fn copy(&mut self, from: &Commands) {
        if self.spawned.is_some() || from.spawned.is_some() {
            self.spawned.clone_from(&from.spawned);
        }
        copy_list(&mut self.list, &from.list);
    }
}

impl Clone for Commands {
    fn clone(&self) -> Commands {
        let mut commands = Commands::default();
        commands.copy(self);
        commands
    }
}

impl PartialEq for Commands {
    fn eq(&self, other: &Commands) -> bool {
        self.as_slice() == other.as_slice()
    }
}

#[cfg(feature = "serde")]
impl Serialize for Commands {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize(serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de> Deserialize<'de> for Commands {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Commands, D::Error> {
        Ok(Commands { list: Vec::deserialize(deserializer)?, ..Commands::default() })
    }
}

/// Copies into the existing memory. Most lists are empty, and two empty ones cost less than a call.
#[inline(always)]
pub(crate) fn copy_list<T: Clone>(to: &mut Vec<T>, from: &[T]) {
    if !to.is_empty() || !from.is_empty() {
        from.clone_into(to);
    }
}
