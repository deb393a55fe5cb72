//! Records all commands of a run, so that the run can be repeated.

use std::collections::BTreeSet;
use surefoot::command::Command;
use surefoot::map::TileId;

/// A command and its time.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Number of ticks before it.
    pub(super) tick: u64,
    /// True for the input of a tick; false for a command between two ticks.
    in_tick: bool,
    pub(super) command: Command,
}

/// The commands of a run, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    entries: Vec<Entry>,
}

impl Record {
    /// Records a command between two ticks.
    pub(super) fn record_between_ticks(&mut self, tick: u64, command: Command) {
        self.entries.push(Entry { tick, in_tick: false, command });
    }

    /// Records the input of the next tick.
    pub(super) fn record_input(&mut self, tick: u64, command: Command) {
        self.entries.push(Entry { tick, in_tick: true, command });
    }

    /// Removes the entries that come after the state at a tick: the commands of later ticks and the input of the next
    /// tick, but not the commands given before it. Returns the removed entries.
    pub(super) fn drop_entries_after(&mut self, tick: u64) -> Vec<Entry> {
        let from = self.entries.partition_point(|entry| (entry.tick, entry.in_tick) < (tick, true));
        self.entries.split_off(from)
    }

    /// Returns the commands that were given after `tick` ticks, before the input of the next tick.
    pub(super) fn commands_at(&self, tick: u64) -> impl Iterator<Item = &Command> {
        let from = self.entries.partition_point(|entry| entry.tick < tick);
        self.entries[from..].iter().take_while(move |entry| entry.tick == tick).map(|entry| &entry.command)
    }

    /// Returns the tile kinds that were painted before a tick.
    pub(super) fn painted_kinds(&self, before: u64) -> BTreeSet<TileId> {
        let entries = self.entries.iter().take_while(|entry| entry.tick < before);
        let painted = entries.filter_map(|entry| match entry.command {
            Command::SetTile { tile_id: entry, .. } | Command::SetTiles { tile_id: entry, .. } => Some(entry),
            _ => None,
        });
        painted.collect()
    }

    pub(super) fn has_edited_tiles(&self) -> bool {
        self.entries.iter().any(|entry| matches!(entry.command, Command::SetTile { .. } | Command::SetTiles { .. }))
    }
}
