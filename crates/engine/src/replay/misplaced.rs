//! Which bodies are not where they were when a replay was recorded.

use super::write::shown;
use super::{Checkpoint, NamedPlace, Player};
use std::fmt;
use surefoot_geometry::Place;

/// A body that is not where it was when the replay was recorded.
///
/// It prints as `after tick 60 the body "hero" is at (3.5, 1.45); expected (3.25, 1.45)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misplaced {
    /// How many ticks had been stepped.
    pub tick: u64,
    /// The body's name.
    pub name: String,
    /// Where it was when the replay was recorded.
    pub expected: Place,
    /// Where it is in the player's world.
    pub found: Place,
}

impl fmt::Display for Misplaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Misplaced { tick, name, expected, found } = self;
        write!(f, "after tick {tick} the body {name:?} is at {}; expected {}", shown(*found), shown(*expected))
    }
}

impl Player {
    /// Where bodies were after that many ticks when the replay was recorded; nothing for a tick that the replay has no
    /// places for.
    #[must_use]
    pub fn expected_places(&self, tick: u64) -> &[NamedPlace] {
        let checkpoints = self.replay().checksums();
        let found = checkpoints.binary_search_by_key(&tick, |checkpoint| checkpoint.tick);
        found.map_or(&[], |at| &checkpoints[at].places)
    }

    /// The bodies that were elsewhere than recorded when places were last compared, in the replay's order: after the last
    /// tick that the replay has places for. [`Recorder::with_places`](super::Recorder::with_places) writes them down.
    ///
    /// Of a tick that differs nothing is listed if only velocities or the rest of the state are different.
    #[must_use]
    pub fn misplaced(&self) -> &[Misplaced] {
        &self.misplaced
    }

    /// The first body that is elsewhere than recorded, now or later: what differs first need not have moved anybody yet.
    /// It plays on until places show one, at most to the last places; a replay without places is not played on.
    pub(super) fn first_misplaced(&mut self) -> Option<&Misplaced> {
        let last = self.replay().checksums().iter().rfind(|checkpoint| !checkpoint.places.is_empty())?.tick;
        while self.misplaced.is_empty() && self.world().tick() < last && self.step().is_some() {}
        self.misplaced.first()
    }

    /// The bodies that are elsewhere than a checkpoint says.
    pub(super) fn differing(&self, Checkpoint { tick, places, .. }: &Checkpoint) -> Vec<Misplaced> {
        let misplaced = |NamedPlace { name, place: expected }: &NamedPlace| {
            // What a checkpoint names is in the world then.
            let found = self.world().get(self.body(name)?)?.place();
            (found != *expected).then(|| Misplaced { tick: *tick, name: name.clone(), expected: *expected, found })
        };
        places.iter().filter_map(misplaced).collect()
    }
}
