//! Everything that was done to a run's world, so that it can be run again.

use std::collections::BTreeSet;
use surefoot::command::Command;
use surefoot::map::TileId;

/// A command with when it was given.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// How many ticks had been stepped.
    pub(super) tick: u64,
    /// It is the tick's own input; it was not given between two ticks.
    in_tick: bool,
    pub(super) command: Command,
}

/// The commands of a run, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    entries: Vec<Entry>,
}

impl Record {
    /// Takes down what was given between two ticks.
    pub(super) fn between(&mut self, tick: u64, command: Command) {
        self.entries.push(Entry { tick, in_tick: false, command });
    }

    /// Takes down the input of a tick that is about to be stepped.
    pub(super) fn in_tick(&mut self, tick: u64, command: Command) {
        self.entries.push(Entry { tick, in_tick: true, command });
    }

    /// Cuts off all that came after a tick was reached: its own input, but not what was given before that. Answers with
    /// what was cut off.
    pub(super) fn cut(&mut self, tick: u64) -> Vec<Entry> {
        let from = self.entries.partition_point(|entry| (entry.tick, entry.in_tick) < (tick, true));
        // Of the last tick what was given between two ticks came after the world was gone back to.
        self.entries.split_off(from)
    }

    /// What was given after so many ticks, and not cut off.
    pub(super) fn at(&self, tick: u64) -> impl Iterator<Item = &Command> {
        let from = self.entries.partition_point(|entry| entry.tick < tick);
        self.entries[from..].iter().take_while(move |entry| entry.tick == tick).map(|entry| &entry.command)
    }

    /// The legend's entries that were painted before a tick.
    pub(super) fn painted(&self, before: u64) -> BTreeSet<TileId> {
        let entries = self.entries.iter().take_while(|entry| entry.tick < before);
        let painted = entries.filter_map(|entry| match entry.command {
            Command::SetTile { tile_id: entry, .. } | Command::SetTiles { tile_id: entry, .. } => Some(entry),
            _ => None,
        });
        painted.collect()
    }

    pub(super) fn is_painted(&self) -> bool {
        self.entries.iter().any(|entry| matches!(entry.command, Command::SetTile { .. } | Command::SetTiles { .. }))
    }
}
