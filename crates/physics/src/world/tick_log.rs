use crate::command::Command;
use crate::event::Event;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// Events and commands of a world around its last tick. Worlds, snapshots and snapshot files contain this list.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields, rename = "Log"))]
pub(crate) struct TickLog {
    /// Events of the last tick.
    pub(crate) events: Vec<Event>,
    /// Commands of the last tick.
    pub(crate) given: Vec<Command>,
    /// Commands since the last tick.
    pub(crate) pending: Vec<Command>,
}

impl TickLog {
    /// Copies into the existing memory.
    pub(crate) fn copy(&mut self, from: &TickLog) {
        let TickLog { events, given, pending } = from;
        copy_list(&mut self.events, events);
        copy_list(&mut self.given, given);
        copy_list(&mut self.pending, pending);
    }
}

/// Copies into the existing memory. Most lists are empty, and two empty ones cost less than a call.
#[inline(always)]
pub(crate) fn copy_list<T: Clone>(to: &mut Vec<T>, from: &[T]) {
    if !to.is_empty() || !from.is_empty() {
        from.clone_into(to);
    }
}
