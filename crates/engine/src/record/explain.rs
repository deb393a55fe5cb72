use super::player::load;
use super::{Divergence, DivergenceKind, Playback, PlaybackError, TickComparison};
use crate::snapshot::FieldDifference;
use crate::world::World;
use std::fmt;

/// Why a log runs otherwise than it was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DivergenceReport {
    /// The first checksums that differ.
    pub divergence: Divergence,
    /// The last tick before that which was as recorded; the difference came after.
    pub last_matching_tick: u64,
    /// The tick of the recorded state from which on it was looked at closely.
    pub from_tick: u64,
    /// What was found there.
    pub found: FirstDifference,
}

/// The first body and field that differ.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FirstDifference {
    /// Two worlds in the same state and with the same input went apart: what the game's function does depends on something
    /// that is neither.
    SideBySide {
        /// After which tick.
        tick: u64,
        /// First what it is in the world that was restored from the recorded state, second in the one that ran from the
        /// beginning.
        difference: FieldDifference,
    },
    /// Both ran alike, and came to another state than the recorded one: the game's function, the physics or the tiles are
    /// no longer those that it was recorded with.
    Recorded {
        /// The tick of that state.
        tick: u64,
        /// First what was recorded, second what it is now.
        difference: FieldDifference,
    },
    /// Both ran alike, and no state that differs is recorded.
    Unknown,
}

impl fmt::Display for DivergenceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DivergenceReport { divergence, last_matching_tick: good, from_tick: from, found } = self;
        write!(f, "{divergence}; tick {good} was as recorded. ")?;
        match found {
            FirstDifference::SideBySide { tick, difference } => write!(
                f,
                "From the state of tick {from} on, two worlds with the same inputs differ after tick {tick}: {difference}"
            ),
            FirstDifference::Recorded { tick, difference } => write!(
                f,
                "From the state of tick {from} on, two worlds with the same inputs run alike, and differ from the state \
                 recorded at tick {tick}: {difference}"
            ),
            FirstDifference::Unknown => write!(
                f,
                "From the state of tick {from} on, two worlds with the same inputs run alike; no later state is recorded \
                 that differs"
            ),
        }
    }
}

impl<I, G: FnMut(&mut World, &I) + Clone> Playback<I, G> {
    /// Looks for the first body and field that make the log differ; `None` if it does not. To be asked of a player at the
    /// beginning of its log, which it stays.
    ///
    /// From the last recorded state that is still as recorded, a world restored from it runs beside one that comes from the
    /// beginning, tick by tick. If both run alike, they are held against the next recorded state. Each of three runs has a
    /// copy of the game's function.
    ///
    /// # Errors
    /// [`PlaybackError`] for a recorded state that does not fit this world, for a function that does not make one tick each, and
    /// for another source of tiles.
    pub fn explain(&self) -> Result<Option<DivergenceReport>, PlaybackError>
    where
        I: Clone,
    {
        let mut first = self.clone();
        let Err(divergence) = first.run() else { return Ok(None) };
        if !matches!(divergence.kind, DivergenceKind::Motion | DivergenceKind::ChangedMap | DivergenceKind::State) {
            return Err(divergence.into());
        }
        let (good, states) = (first.good, &self.recording().snapshot_ticks);
        let known = states.partition_point(|state| state.tick <= good);
        let state = known.checked_sub(1).map(|last| states[last].snapshot()).transpose()?;
        let next = states.get(known);
        let from = state.as_ref().map_or(self.world.tick(), |state| state.tick());
        let to = next.map_or(divergence.tick, |next| next.tick);
        let explained =
            |found| Ok(Some(DivergenceReport { divergence, last_matching_tick: good, from_tick: from, found }));

        let mut fresh = self.clone();
        fresh.advance(from)?;
        let mut restored = fresh.clone();
        restored.game = self.game.clone();
        if let Some(state) = &state {
            load(&mut restored.world, state)?;
        }
        loop {
            let tick = fresh.world.tick();
            if let Some(difference) = differ(&restored.world, &fresh.world) {
                return explained(FirstDifference::SideBySide { tick, difference });
            }
            if tick >= to {
                break;
            }
            restored.advance(tick + 1)?;
            fresh.advance(tick + 1)?;
        }
        let Some(next) = next else { return explained(FirstDifference::Unknown) };
        explained(match next.snapshot()?.first_difference(&fresh.world.capture()) {
            Some(difference) => FirstDifference::Recorded { tick: next.tick, difference },
            None => FirstDifference::Unknown,
        })
    }

    /// Steps to a tick whatever differs on the way.
    fn advance(&mut self, tick: u64) -> Result<(), PlaybackError> {
        while self.world.tick() < tick {
            match self.step() {
                Some(TickComparison::Differs(divergence)) if divergence.kind == DivergenceKind::Ticks => {
                    return Err(divergence.into());
                }
                Some(_) => {}
                None => break,
            }
        }
        Ok(())
    }
}

/// The first field in which two worlds differ.
fn differ(one: &World, other: &World) -> Option<FieldDifference> {
    // The field is looked for only where there is one: that takes longer.
    let same = one.checksum() == other.checksum();
    if same { None } else { one.capture().first_difference(&other.capture()) }
}
