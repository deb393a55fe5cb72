use super::player::load;
use super::{Divergence, DivergenceKind, Playback, PlaybackError, TickComparison};
use crate::snapshot::FieldDifference;
use crate::world::World;
use std::fmt;

/// Explanation of why a run differs from its recording: the first body and field that differ. See
/// [`Playback::explain`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DivergenceReport {
    /// First checksums that differ.
    pub divergence: Divergence,
    /// Last tick whose checksums matched. The difference arose after this tick.
    pub last_matching_tick: u64,
    /// First tick of the field-by-field comparison: the tick of a recorded snapshot, or the
    /// start of the recording.
    pub from_tick: u64,
    /// The difference that was found.
    pub found: FirstDifference,
}

/// The first body and field that differ, and between which two worlds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FirstDifference {
    /// Two worlds in the same state with the same inputs became different. The game's function depends on something
    /// that is neither in the world nor in the input.
    SideBySide {
        /// Tick after which the worlds differ.
        tick: u64,
        /// The field: `first` is the value in the world restored from the recorded state, `second` in the world played
        /// from the start.
        difference: FieldDifference,
    },
    /// Both worlds are equal but differ from the recorded state. The game's function, the physics or the tiles have
    /// changed since the recording.
    Recorded {
        /// Tick of the recorded state.
        tick: u64,
        /// The field: `first` is the recorded value, `second` the value now.
        difference: FieldDifference,
    },
    /// Both worlds are equal, and no recorded state differs from them. Record more states with
    /// [`RecordOptions::snapshot_interval`](super::RecordOptions::snapshot_interval).
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
    /// Call it on a playback that has not been stepped; the playback is not changed. The recording needs states: see
    /// [`RecordOptions::snapshot_interval`](super::RecordOptions::snapshot_interval).
    ///
    /// Two worlds run side by side from the last recorded state that still matches. One is restored from that state,
    /// the other is played from the start. If both stay equal, they are compared with the next recorded state. The run
    /// is played three times, each time with its own clone of the game's function.
    ///
    /// # Errors
    /// - Returns [`PlaybackError::State`] if a recorded state does not fit the world.
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
