use super::player::restore_state;
use super::{Divergence, DivergenceKind, Playback, PlaybackError, Recording, TickComparison};
use crate::snapshot::FieldDifference;
use crate::world::World;
use std::fmt;
use std::sync::Arc;

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
/// One of the two worlds plays the run from its start. The other world is restored from a recorded state and plays on
/// from there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FirstDifference {
    /// The two worlds became different, although they began with equal states and got the same inputs.
    ///
    /// So the game's tick function depends on something that is neither in the world nor in the input, such as a
    /// clock or a random number.
    SideBySide {
        /// First tick after which the two worlds differ.
        tick: u64,
        /// The field that differs. `first` is its value in the world restored from the recorded state, `second` its
        /// value in the world played from the start.
        difference: FieldDifference,
    },
    /// The two worlds stay equal to each other, but both differ from the next recorded state.
    ///
    /// So the game's tick function, the physics or the tiles have changed since the recording.
    Recorded {
        /// Tick of the recorded state that differs.
        tick: u64,
        /// The field that differs. `first` is its recorded value, `second` its value in the two worlds.
        difference: FieldDifference,
    },
    /// The differing field cannot be found: the two worlds stay equal, and no recorded state differs from them. Only
    /// checksums differ.
    ///
    /// Record states more often: see [`RecordOptions::snapshot_interval`](super::RecordOptions::snapshot_interval).
    Unknown,
}

impl fmt::Display for DivergenceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DivergenceReport { divergence, last_matching_tick, from_tick: from, found } = self;
        write!(f, "{divergence}; the last matching tick is {last_matching_tick}. ")?;
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

impl Playback {
    /// Plays a recording and returns the first body and field that differ from it, or `None` if the whole run matches.
    ///
    /// - `log`: the recording, which must contain states of the world: see
    ///   [`RecordOptions::snapshot_interval`](super::RecordOptions::snapshot_interval).
    /// - `world`: any world on the recording's map, as in [`Playback::with_game`].
    /// - `game`: the state of the game outside the world at the start of the recording; `()` if there is none.
    /// - `tick`: the tick function of the game, such as `Game::tick`. It steps the world exactly once per call.
    ///
    /// The method plays the run three times, each time with a clone of the game's tick function.
    ///
    /// # Errors
    /// - Returns [`PlaybackError::State`] if a recorded state cannot be restored on the map of the world: for
    ///   example, it was recorded on another map.
    /// - Returns [`PlaybackError::Diverges`] if the game's tick function does not step the world exactly once per
    ///   call.
    /// - Returns [`PlaybackError::Diverges`] if the world has another [`TileSource`](crate::terrain::TileSource) than
    ///   the recorded world.
    ///
    /// # Examples
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::record::{Playback, RecordOptions};
    /// use surefoot::{Map, World};
    ///
    /// #[derive(Clone)]
    /// struct Game {
    ///     ball: BodyId,
    ///     speed: f64,
    /// }
    ///
    /// impl Game {
    ///     fn tick(&mut self, world: &mut World, push: &f64) {
    ///         let _ = world.set_velocity(self.ball, (self.speed * push, 0.0));
    ///         world.step();
    ///     }
    /// }
    ///
    /// let mut world = World::new(Map::from_rows(["........", "========"])?, Settings::default());
    /// let ball = world.spawn(Body::new(Shape::circle(0.3)).at((1.0, 1.5)))?;
    /// let options = RecordOptions { snapshot_interval: 30, ..RecordOptions::default() };
    /// let (fresh, mut recorder) = (world.clone(), Recorder::new(&world, options));
    /// let mut game = Game { ball, speed: 2.0 };
    /// for _ in 0..60 {
    ///     game.tick(&mut world, &1.0);
    ///     recorder.record_tick_with(&world, &1.0)?;
    /// }
    /// let recording = recorder.finish(&world)?;
    /// let faster = Game { ball, speed: 2.5 };
    /// let report = Playback::explain(recording, fresh, faster, Game::tick)?.ok_or("the run matches")?;
    /// assert!(report.to_string().contains("`position[0]`"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain<I, S: Clone>(
        log: impl Into<Arc<Recording<I>>>,
        world: World,
        game: S,
        tick: impl Fn(&mut S, &mut World, &I),
    ) -> Result<Option<DivergenceReport>, PlaybackError> {
        let (log, tick) = (log.into(), &tick);
        let start = || {
            let mut game = game.clone();
            let game = move |world: &mut World, input: &I| tick(&mut game, world, input);
            Playback::with_game(log.clone(), world.clone(), game)
        };
        let mut first = start()?;
        let Err(divergence) = first.run() else { return Ok(None) };
        if !matches!(divergence.kind, DivergenceKind::Motion | DivergenceKind::ChangedMap | DivergenceKind::State) {
            return Err(divergence.into());
        }
        let (last_matching_tick, states) = (first.cursor.last_matching_tick, &log.snapshot_ticks);
        let known = states.partition_point(|state| state.tick <= last_matching_tick);
        let state = known.checked_sub(1).map(|last| states[last].snapshot()).transpose()?;
        let next = states.get(known);
        let from = state.as_ref().map_or(log.start.tick(), |state| state.tick());
        let to = next.map_or(divergence.tick, |next| next.tick);
        let explained = |found| Ok(Some(DivergenceReport { divergence, last_matching_tick, from_tick: from, found }));

        let [mut fresh, mut restored] = [start()?, start()?];
        fresh.advance(from)?;
        restored.advance(from)?;
        if let Some(state) = &state {
            restore_state(&mut restored.world, state)?;
        }
        loop {
            let tick = fresh.world.tick();
            if let Some(difference) = find_difference(&restored.world, &fresh.world) {
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
}

impl<I, G: FnMut(&mut World, &I)> Playback<I, G> {
    /// Steps to a tick, whether it differs or not.
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

/// Returns the first field in which two worlds differ.
fn find_difference(one: &World, other: &World) -> Option<FieldDifference> {
    // Compare the checksums first: the search for the field is slow.
    let same = one.checksum() == other.checksum();
    if same { None } else { one.capture().first_difference(&other.capture()) }
}
