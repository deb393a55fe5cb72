use super::play::{Comparing, advance, load};
use super::{PlayError, Recording};
use crate::replay::Divergence;
use crate::snapshot::FieldDifference;
use crate::world::World;
use std::fmt;

/// Why a recording runs otherwise than it was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The first checksums that differ.
    pub divergence: Divergence,
    /// The last tick before that which was as recorded; the difference came after.
    pub good: u64,
    /// The tick of the recorded state from which on it was looked at closely.
    pub from: u64,
    /// What was found there.
    pub found: Finding,
}

/// The first body and field that differ.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finding {
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

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Explanation { divergence, good, from, found } = self;
        write!(f, "{divergence}; tick {good} was as recorded. ")?;
        match found {
            Finding::SideBySide { tick, difference } => write!(
                f,
                "From the state of tick {from} on, two worlds with the same inputs differ after tick {tick}: {difference}"
            ),
            Finding::Recorded { tick, difference } => write!(
                f,
                "From the state of tick {from} on, two worlds with the same inputs run alike, and differ from the state \
                 recorded at tick {tick}: {difference}"
            ),
            Finding::Unknown => write!(
                f,
                "From the state of tick {from} on, two worlds with the same inputs run alike; no later state is recorded \
                 that differs"
            ),
        }
    }
}

impl<I> Recording<I> {
    /// Looks for the first body and field that make a replay differ; `None` if it does not.
    ///
    /// From the last recorded state that is still as recorded, a world restored from it runs beside one that comes from the
    /// beginning, tick by tick. If both run alike, they are held against the next recorded state. The given world is on the
    /// recording's map and stays as it is; `game` makes what [`Recording::replay`] takes, anew for each of three runs.
    ///
    /// # Errors
    /// [`PlayError`] for a recorded state that is none of this world, and a function that does not make one tick each.
    pub fn explain<G: FnMut(&mut World, &I)>(
        &self,
        world: &World,
        mut game: impl FnMut() -> G,
    ) -> Result<Option<Explanation>, PlayError> {
        let Some((divergence, good)) = self.first_divergence(world, game())? else { return Ok(None) };
        let known = self.states.iter().take_while(|state| state.tick <= good).count();
        let state = known.checked_sub(1).map(|last| self.states[last].snapshot()).transpose()?;
        let state = state.as_ref().unwrap_or(&self.start);
        let next = self.states.get(known);
        let (from, to) = (state.tick(), next.map_or(divergence.tick, |next| next.tick));
        let explained = |found| Ok(Some(Explanation { divergence, good, from, found }));

        let (mut fresh, mut game_of_fresh) = (world.clone(), game());
        let mut inputs = self.inputs();
        load(&mut fresh, &self.start)?;
        for input in inputs.by_ref().take((from - self.start.tick()) as usize) {
            advance(&mut fresh, &mut game_of_fresh, input)?;
        }
        let (mut restored, mut game_of_restored) = (world.clone(), game());
        load(&mut restored, state)?;
        loop {
            if let Some(difference) = differ(&restored, &fresh) {
                return explained(Finding::SideBySide { tick: fresh.tick(), difference });
            }
            let Some(input) = inputs.next().filter(|_| fresh.tick() < to) else { break };
            advance(&mut restored, &mut game_of_restored, input)?;
            advance(&mut fresh, &mut game_of_fresh, input)?;
        }
        let Some(next) = next else { return explained(Finding::Unknown) };
        explained(match next.snapshot()?.first_difference(&fresh.snapshot()) {
            Some(difference) => Finding::Recorded { tick: next.tick, difference },
            None => Finding::Unknown,
        })
    }

    /// The first checksums that differ, and the last tick before.
    fn first_divergence(
        &self,
        world: &World,
        mut game: impl FnMut(&mut World, &I),
    ) -> Result<Option<(Divergence, u64)>, PlayError> {
        let mut world = world.clone();
        load(&mut world, &self.start)?;
        let mut run = Comparing::new(self);
        for input in self.inputs() {
            advance(&mut world, &mut game, input)?;
            if let Err(divergence) = run.compare(&world) {
                return Ok(Some((divergence, run.good)));
            }
        }
        Ok(None)
    }
}

/// The first field in which two worlds differ.
fn differ(one: &World, other: &World) -> Option<FieldDifference> {
    // The field is looked for only where there is one: that takes longer.
    let same = one.checksum() == other.checksum();
    if same { None } else { one.snapshot().first_difference(&other.snapshot()) }
}
