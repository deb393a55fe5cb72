use super::player::load;
use super::{Divergence, DivergenceKind, Playback, PlaybackError, TickComparison};
use crate::snapshot::FieldDifference;
use crate::world::World;
use std::fmt;

/// Reason why a run differs from its recording: the first body and field that differ. [`Playback::explain`] returns it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DivergenceReport {
    /// The first difference between the checksums of the run and those of the recording.
    pub divergence: Divergence,
    /// Last tick with equal checksums. The difference arose after this tick.
    pub last_matching_tick: u64,
    /// Tick at which the comparison field by field begins: the last tick with a recorded state that still matches, or
    /// the start of the recording.
    pub from_tick: u64,
    /// The first body and field that differ.
    pub found: FirstDifference,
}

/// The first body and field that differ, found by two worlds that play the run side by side.
///
/// One world plays the run from its start. The other is restored from a recorded state and plays on from there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FirstDifference {
    /// The two worlds became different, although they began with equal states and got the same inputs.
    ///
    /// So the game's function depends on something that is neither in the world nor in the input.
    SideBySide {
        /// First tick after which the two worlds differ.
        tick: u64,
        /// The field that differs. `first` is its value in the world restored from the recorded state, `second` its
        /// value in the world played from the start.
        difference: FieldDifference,
    },
    /// The two worlds stay equal, but differ from the next recorded state.
    ///
    /// So the game's function, the physics or the tiles have changed since the recording.
    Recorded {
        /// Tick of the recorded state that differs.
        tick: u64,
        /// The field that differs. `first` is its recorded value, `second` its value in the two worlds.
        difference: FieldDifference,
    },
    /// The two worlds stay equal, and no recorded state differs from them. So the field is unknown.
    ///
    /// Record states more often: see [`RecordOptions::snapshot_interval`](super::RecordOptions::snapshot_interval).
    Unknown,
}

impl fmt::Display for DivergenceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DivergenceReport { divergence, last_matching_tick: good, from_tick: from, found } = self;
        write!(f, "{divergence}; the last matching tick is {good}. ")?;
        match found {
            FirstDifference::SideBySide { tick, difference } => write!(
                f,
                "From the state at tick {from}, two worlds with the same inputs differ after tick {tick}: {difference}"
            ),
            FirstDifference::Recorded { tick, difference } => write!(
                f,
                "From the state at tick {from}, two worlds with the same inputs are equal, but differ from the state \
                 recorded at tick {tick}: {difference}"
            ),
            FirstDifference::Unknown => write!(
                f,
                "From the state at tick {from}, two worlds with the same inputs are equal, and no recorded state differs \
                 from them"
            ),
        }
    }
}

impl<I, G: FnMut(&mut World, &I) + Clone> Playback<I, G> {
    /// Returns the first body and field that differ from the recording, or `None` if the whole run matches.
    ///
    /// Call this method before the first step of the playback. The playback does not change. The recording needs states
    /// of the world: see [`RecordOptions::snapshot_interval`](super::RecordOptions::snapshot_interval).
    ///
    /// The method plays the run three times, each time with its own clone of the game's function.
    ///
    /// # Errors
    /// - Returns [`PlaybackError::State`] if a recorded state does not fit the map of the world.
    /// - Returns [`PlaybackError::Diverges`] if the game's function does not step the world exactly once per call.
    /// - Returns [`PlaybackError::Diverges`] if the world has another tile source than the recording.
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
