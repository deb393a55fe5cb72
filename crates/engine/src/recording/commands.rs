//! The engine's own commands as a game's input.

use super::play::{Comparing, advance, load};
use super::{Journal, JournalError, PlayError, Recording};
use crate::command::Command;
use crate::replay::{MapSource, RecordError, Recorder, Replay};
use crate::snapshot::{FieldDifference, Snapshot};
use crate::world::World;
use thiserror::Error;

/// How often a replay that comes from a recording has checksums, in ticks.
const EVERY: u32 = 60;

/// Why a recording of commands makes no replay.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RecoverError {
    /// It does not run as it was recorded.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// It begins in the middle, or is nothing that a replay can be.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// It begins with a world that was not new: there is more in it than its commands have done.
    #[error("the recording begins with a world that was not new: {difference}")]
    NotNew {
        /// First what a new world has, second what the recording begins with.
        difference: FieldDifference,
    },
}

/// One tick of a game whose input is the commands of the tick: they are carried out in order, then the world is stepped.
///
/// What is refused is passed over: in a recording nothing is, unless the replay differs already.
// A recording's inputs are lists; `replay` hands out references to them.
#[allow(clippy::ptr_arg)]
pub fn carry_out(world: &mut World, commands: &Vec<Command>) {
    for command in commands {
        let _ = world.apply(command.clone());
    }
    world.step();
}

impl Journal<Vec<Command>> {
    /// Writes down the tick that the world has just stepped, with the commands that it was given for it. To be called
    /// after each step; [`carry_out`] replays such a recording.
    ///
    /// # Errors
    /// As [`Journal::tick`].
    pub fn tick_commands(&mut self, world: &World) -> Result<(), JournalError> {
        // What was given before the journal began is in the state that it begins with.
        let given = world.commands().get(self.known_commands()..).unwrap_or_default();
        self.tick(world, &given.to_vec())
    }
}

impl Recording<Vec<Command>> {
    /// The recording as a replay with bodies by name, also one that was cut off by a crash: as far as it goes. It must
    /// begin with a world that was not stepped, and that only commands have been given to.
    ///
    /// The world is one on the recording's map and stays as it is; where the replay has its map is for
    /// [`Recorder::finish`], as is which maps can be.
    ///
    /// # Errors
    /// [`RecoverError`]; also if it runs otherwise than recorded.
    pub fn to_replay(&self, world: &World, map: MapSource) -> Result<Replay, RecoverError> {
        let mut world = world.clone();
        load(&mut world, &self.start)?;
        if world.tick() > 0 {
            return Err(RecordError::NotFresh { tick: world.tick() }.into());
        }
        let settings = self.start.settings;
        load(&mut world, &Snapshot { identity: self.map, settings, ..Snapshot::fresh() })?;
        for command in &self.start.pending {
            // What is refused shows in the comparison.
            let _ = world.apply(command.clone());
        }
        if let Some(difference) = world.snapshot().first_difference(&self.start) {
            return Err(RecoverError::NotNew { difference });
        }
        let mut recorder = Recorder::new(&world, EVERY)?;
        let mut run = Comparing::new(self);
        for commands in self.inputs() {
            advance(&mut world, &mut carry_out, commands)?;
            recorder.tick(&world);
            run.compare(&world).map_err(PlayError::from)?;
        }
        Ok(recorder.finish(&world, map)?)
    }
}
