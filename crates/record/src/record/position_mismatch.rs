//! Bodies that are not at their recorded positions.

use super::player::Cursor;
use super::{BodyPosition, Checkpoint, Playback, Recording};
use crate::event::BodyId;
use crate::lengths::position_text;
use crate::world::World;
use std::fmt;
use surefoot_geometry::Position;

/// A body that is at another position than in the recording.
///
/// Prints as `after tick 60 the body "hero" is at (3.5, 1.45); expected (3.25, 1.45)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionMismatch {
    /// Tick of the comparison: the number of times that the world had been stepped.
    pub tick: u64,
    /// The body whose position differs from the recorded one.
    pub body: BodyId,
    /// Name of the body in the recording. The id as text if the body has no name.
    pub name: String,
    /// Recorded position of the body's centre.
    pub expected: Position,
    /// Position of the body's centre in the world of the playback.
    pub found: Position,
    /// A few tiles near both positions that may have been edited since the recording, as columns and rows.
    ///
    /// The recording has a checksum of every row and every column of the map. A tile is listed if both its row and
    /// its column have another checksum now. The list is empty if the map has not changed, or if the recording has no
    /// positions.
    pub changed: Vec<(i32, i32)>,
}

impl fmt::Display for PositionMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PositionMismatch { tick, name, expected, found, changed, .. } = self;
        write!(
            f,
            "after tick {tick} the body {name:?} is at {}; expected {}",
            position_text(*found),
            position_text(*expected)
        )?;
        for (i, tile) in changed.iter().enumerate() {
            write!(
                f,
                "{}{tile:?}",
                if i == 0 { "; tiles nearby that have changed since the recording: " } else { ", " }
            )?;
        }
        Ok(())
    }
}

impl Playback {
    /// Returns the recorded positions of the bodies after `tick` ticks of the world.
    ///
    /// Empty if the recording has no positions for that tick.
    #[must_use]
    pub fn expected_positions(&self, tick: u64) -> &[BodyPosition] {
        self.recording().checkpoint_of_tick(tick).map_or(&[], |checkpoint| &checkpoint.positions)
    }

    /// Returns the bodies that are not at their recorded positions, in the order of the recording.
    ///
    /// Not every tick has recorded positions: see [`RecordOptions::positions`](super::RecordOptions::positions). The
    /// list belongs to the last played tick that has them. It is empty if all positions match, even if velocities or
    /// anything else in the world differ.
    #[must_use]
    pub fn mismatches(&self) -> &[PositionMismatch] {
        &self.cursor.mismatches
    }

    /// Plays on until a body is not at the position that the recording has for it, and returns that body.
    ///
    /// Returns `None` if all recorded positions match, or if the recording has no positions. Checksums may differ some
    /// ticks earlier than a recorded position.
    ///
    /// Plays at most to the last tick that has recorded positions. If the recording has no positions, plays no tick.
    pub fn first_mismatch(&mut self) -> Option<&PositionMismatch> {
        let last = self.recording().checkpoints().iter().rfind(|checkpoint| !checkpoint.positions.is_empty())?.tick;
        while self.cursor.mismatches.is_empty() && self.world().tick() < last && self.step().is_some() {}
        self.cursor.mismatches.first()
    }
}

impl Cursor {
    /// Returns the bodies whose positions differ from a checkpoint.
    pub(super) fn differing_bodies<I>(
        &self,
        log: &Recording<I>,
        world: &World,
        Checkpoint { tick, positions, .. }: &Checkpoint,
    ) -> Vec<PositionMismatch> {
        let mismatch = |&BodyPosition { body, position: expected }: &BodyPosition| {
            let found = world.get(body)?.position();
            let name = log.name(body).map_or_else(|| format!("{body:?}"), str::to_owned);
            let changed = |position| match (&log.tiles, &self.tiles) {
                (Some(then), Some(now)) => then.tiles_changed_near(now, world.map(), position),
                _ => Vec::new(),
            };
            (found != expected).then(|| {
                let mut changed = [changed(expected), changed(found)].concat();
                changed.sort_unstable();
                changed.dedup();
                PositionMismatch { tick: *tick, body, name, expected, found, changed }
            })
        };
        positions.iter().filter_map(mismatch).collect()
    }
}
