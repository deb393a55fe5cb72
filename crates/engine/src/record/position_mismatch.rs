//! Bodies that are not at their recorded positions.

use super::{BodyPosition, Checkpoint, Playback};
use crate::event::BodyId;
use crate::lengths::shown;
use crate::world::World;
use std::fmt;
use surefoot_geometry::Position;

/// A body that is not at its recorded position.
///
/// Prints as `after tick 60 the body "hero" is at (3.5, 1.45); expected (3.25, 1.45)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionMismatch {
    /// Number of ticks that had been stepped.
    pub tick: u64,
    /// The body.
    pub body: BodyId,
    /// Name of the body. The id, as text, if the body has no name.
    pub name: String,
    /// Recorded position.
    pub expected: Position,
    /// Position in the world of the playback.
    pub found: Position,
    /// Up to a few tiles near both positions that may have changed since the recording: tiles whose row and column both
    /// changed. Filled only if the map has changed and the recording has positions.
    pub changed: Vec<(i32, i32)>,
}

impl fmt::Display for PositionMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PositionMismatch { tick, name, expected, found, changed, .. } = self;
        write!(f, "after tick {tick} the body {name:?} is at {}; expected {}", shown(*found), shown(*expected))?;
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

impl<I, G: FnMut(&mut World, &I)> Playback<I, G> {
    /// Returns the recorded positions of the bodies after `tick` ticks. Empty if the recording has no positions for
    /// that tick.
    #[must_use]
    pub fn expected_positions(&self, tick: u64) -> &[BodyPosition] {
        let checkpoints = self.recording().checkpoints();
        let found = checkpoints.binary_search_by_key(&tick, |checkpoint| checkpoint.tick);
        found.map_or(&[], |at| &checkpoints[at].positions)
    }

    /// Returns the bodies that are not at their recorded positions, in the order of the recording. The comparison is
    /// from the last played tick with recorded positions.
    ///
    /// [`RecordOptions::positions`](super::RecordOptions::positions) records positions. If only velocities or the rest
    /// of the state differ, the list is empty.
    #[must_use]
    pub fn mismatches(&self) -> &[PositionMismatch] {
        &self.mismatches
    }

    /// Plays on until a body is not at its recorded position, and returns that body. `None` if all recorded positions
    /// match or the recording has none.
    ///
    /// A checksum may differ some ticks before a body is at another position. Plays at most to the last tick with
    /// positions. A recording without positions is not stepped.
    pub fn first_mismatch(&mut self) -> Option<&PositionMismatch> {
        let last = self.recording().checkpoints().iter().rfind(|checkpoint| !checkpoint.positions.is_empty())?.tick;
        while self.mismatches.is_empty() && self.world().tick() < last && self.step().is_some() {}
        self.mismatches.first()
    }

    /// The bodies that are elsewhere than a checkpoint says.
    pub(super) fn differing(&self, Checkpoint { tick, positions, .. }: &Checkpoint) -> Vec<PositionMismatch> {
        let mismatch = |&BodyPosition { body, position: expected }: &BodyPosition| {
            let found = self.world().get(body)?.position();
            let name = self.recording().name(body).map_or_else(|| format!("{body:?}"), str::to_owned);
            let changed = |position| match (&self.recording().tiles, &self.tiles) {
                (Some(then), Some(now)) => then.changed_near(now, self.world().map(), position),
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
