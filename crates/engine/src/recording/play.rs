use super::{PlayError, RecordedState, Recording};
use crate::checksum::PHYSICS_VERSION;
use crate::replay::{Checkpoint, Difference, Divergence, Summary};
use crate::snapshot::Snapshot;
use crate::world::World;

impl<I> Recording<I> {
    /// Whether it was made by another physics version, so that only the motion is compared.
    #[must_use]
    pub fn is_motion_only(&self) -> bool {
        self.physics != PHYSICS_VERSION
    }

    /// Runs the recording on a world on its map, from the state it begins with, and compares the checksums; at most to the
    /// first tick that differs.
    ///
    /// `game` is what the game does in a tick, the one step of the world included. It is given each tick's input.
    ///
    /// # Errors
    /// [`PlayError::Diverges`] names the first tick that differs, as far as there are checksums for it. The world is as it
    /// was then, so that one can look at it.
    pub fn replay(&self, world: &mut World, mut game: impl FnMut(&mut World, &I)) -> Result<Summary, PlayError> {
        load(world, &self.start)?;
        let mut run = Comparing::new(self);
        for input in self.inputs() {
            advance(world, &mut game, input)?;
            run.compare(world)?;
        }
        Ok(Summary {
            ticks: self.ticks,
            checksum: world.checksum(),
            compared: run.next,
            motion_only: self.is_motion_only(),
            map_changed: false,
        })
    }
}

/// Compares a world with the checksums of a recording, tick by tick.
pub(super) struct Comparing<'a> {
    checkpoints: &'a [Checkpoint],
    motion_only: bool,
    next: usize,
    /// The last tick that was as recorded.
    pub(super) good: u64,
}

impl<'a> Comparing<'a> {
    pub(super) fn new<I>(recording: &'a Recording<I>) -> Comparing<'a> {
        let (checkpoints, motion_only) = (&recording.checkpoints[..], recording.is_motion_only());
        let at_first = checkpoints.iter().take_while(|checkpoint| checkpoint.tick <= recording.start.tick()).count();
        Comparing { checkpoints, motion_only, next: at_first, good: recording.start.tick() }
    }

    pub(super) fn compare(&mut self, world: &World) -> Result<(), Divergence> {
        let tick = world.tick();
        let Some(checkpoint) = self.checkpoints.get(self.next).filter(|checkpoint| checkpoint.tick == tick) else {
            return Ok(());
        };
        let differs = |what, expected, found| Err(Divergence { tick, expected, found, what });
        let found = world.motion_checksum();
        if found != checkpoint.motion {
            return differs(Difference::Motion, checkpoint.motion, found);
        }
        if !self.motion_only {
            let found = world.checksum();
            if found != checkpoint.state {
                return differs(Difference::State, checkpoint.state, found);
            }
        }
        (self.next, self.good) = (self.next + 1, tick);
        Ok(())
    }
}

/// Makes a world what it was in a state.
pub(super) fn load(world: &mut World, state: &Snapshot) -> Result<(), PlayError> {
    world.load(state).map_err(|error| PlayError::State { tick: state.tick(), error: Box::new(error) })
}

/// One tick of a game.
pub(super) fn advance<I>(world: &mut World, game: &mut impl FnMut(&mut World, &I), input: &I) -> Result<(), PlayError> {
    let expected = world.tick() + 1;
    game(world, input);
    let found = world.tick();
    if found == expected { Ok(()) } else { Err(PlayError::Ticks { expected, found }) }
}

impl RecordedState {
    pub(super) fn snapshot(&self) -> Result<Snapshot, PlayError> {
        Snapshot::from_bytes(&self.bytes).map_err(|error| PlayError::State { tick: self.tick, error: Box::new(error) })
    }
}
