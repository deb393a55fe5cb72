//! Which bodies are not where they were when a run was recorded.

use super::{BodyPosition, Checkpoint, Playback};
use crate::event::BodyId;
use crate::lengths::shown;
use crate::world::World;
use std::fmt;
use surefoot_geometry::Position;

/// A body that is not where it was when the run was recorded.
///
/// It prints as `after tick 60 the body "hero" is at (3.5, 1.45); expected (3.25, 1.45)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionMismatch {
    /// How many ticks had been stepped.
    pub tick: u64,
    /// The body.
    pub body: BodyId,
    /// Its name; a body without one is named by its id.
    pub name: String,
    /// Where it was when the run was recorded.
    pub expected: Position,
    /// Where it is in the player's world.
    pub found: Position,
    /// Tiles near either place that have changed since, at most a few: those whose row and column both have. Only a log
    /// with places on a map that has changed knows of them.
    pub changed: Vec<(i32, i32)>,
}

impl fmt::Display for PositionMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PositionMismatch { tick, name, expected, found, changed, .. } = self;
        write!(f, "after tick {tick} the body {name:?} is at {}; expected {}", shown(*found), shown(*expected))?;
        for (i, tile) in changed.iter().enumerate() {
            write!(f, "{}{tile:?}", if i == 0 { "; tiles near there that have changed since: " } else { ", " })?;
        }
        Ok(())
    }
}

impl<I, G: FnMut(&mut World, &I)> Playback<I, G> {
    /// Where bodies were after that many ticks when the run was recorded; nothing for a tick that the log has no places
    /// for.
    #[must_use]
    pub fn expected_positions(&self, tick: u64) -> &[BodyPosition] {
        let checkpoints = self.recording().checkpoints();
        let found = checkpoints.binary_search_by_key(&tick, |checkpoint| checkpoint.tick);
        found.map_or(&[], |at| &checkpoints[at].positions)
    }

    /// The bodies that were elsewhere than recorded when places were last compared, in the log's order: after the last
    /// tick that the log has places for. [`RecordOptions::positions`](super::RecordOptions::positions) has them written down.
    ///
    /// Of a tick that differs nothing is listed if only velocities or the rest of the state are different.
    #[must_use]
    pub fn mismatches(&self) -> &[PositionMismatch] {
        &self.mismatches
    }

    /// The first body that is elsewhere than recorded, now or later: what differs first need not have moved a body yet.
    /// It plays on until places show one, at most to the last places; a log without places is not played on.
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
