//! The short form of a recording, for links and for files that end in `.run.ron`: the inputs and some checksums.
//!
//! A link should be short, and only the program that has the game plays it. So the text leaves out what the game itself
//! has: the start of the run with its world, and the commands that the rules give. It also leaves out what a player
//! does not miss: states and positions, which only help to find the cause of a difference. `docs/formats/recording.md`
//! lists the fields.

use super::{Checkpoint, Line, RecorderError, Recording, RecordingError, RecordingErrorKind as Kind, Run};
use crate::checksum::Checksum;
use crate::text::{Tree, error_line_and_column, from_ron, to_ron};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Content of the text.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Run")]
struct Short<I> {
    format: u32,
    physics: u32,
    map: Checksum,
    /// Runs of ticks with the same input.
    inputs: Vec<(u64, I)>,
    /// Ticks with the checksums of the world's state, of its motion, and of the game's own state.
    sums: Vec<(u64, Checksum, Checksum, Option<Checksum>)>,
}

impl<I: Serialize> Recording<I> {
    /// Returns the run of a game as a short text for a link: its inputs and its checksums.
    ///
    /// The text leaves out the start of the run, because each new game has it. It also leaves out states and positions.
    /// [`Recording::from_short_ron`] reads the text. For a shorter text, call [`Recording::with_fewer_checkpoints`]
    /// first.
    ///
    /// # Errors
    /// Returns [`RecorderError::NoNewGame`] if the run does not begin with a new game, and
    /// [`RecorderError::Unwritable`] if an input cannot be written.
    pub fn to_short_ron(&self) -> Result<String, RecorderError> {
        if self.start.tick() > 0 {
            return Err(RecorderError::NoNewGame { tick: self.start.tick() });
        }
        let inputs = self.runs.iter().map(|Run { ticks, input }| (*ticks, input)).collect();
        // Every new game has the same start, so its checksums say nothing about the run.
        let after_start = self.checkpoints.iter().filter(|at| at.tick > 0);
        let sums = after_start.map(|at| (at.tick, at.state, at.motion, at.game)).collect();
        let short = Short { format: Recording::<()>::FORMAT, physics: self.physics, map: self.map, inputs, sums };
        to_ron(&short, None).map_err(|error| RecorderError::Unwritable { error })
    }
}

impl<I: DeserializeOwned> Recording<I> {
    /// Reads a text of [`Recording::to_short_ron`]. `new_game`: the recording of a new game; its start becomes the
    /// start of the run.
    ///
    /// If new games started in another way when the run was recorded, [`GameRun::play`](super::GameRun::play) reports a
    /// difference at the first checksum.
    ///
    /// # Errors
    /// Returns [`RecordingError`] if the text is not such a run, or if the map of the new game is not the map of the
    /// run.
    pub fn from_short_ron(text: &str, new_game: &Recording<I>) -> Result<Recording<I>, RecordingError> {
        let wrong = |kind: Kind| kind.error_at(1, 1);
        // Another format may have other fields. So read its number first.
        let format = Tree::new(text).integer_field("format");
        if let Some(found) = format.filter(|&found| found != i64::from(Recording::<()>::FORMAT)) {
            return Err(wrong(Kind::Format { found }));
        }
        let short: Short<I> = from_ron(text).map_err(|error| {
            let (line, column) = error_line_and_column(text, &error);
            Kind::Syntax { error: error.code }.error_at(line, column)
        })?;
        if short.map != new_game.map {
            return Err(wrong(Kind::OtherGame { found: short.map, expected: new_game.map }));
        }
        let start = new_game.start.clone();
        let mut run = Recording::new(short.physics, short.map, new_game.source, new_game.map_file.clone(), start);
        (run.game_states, run.names) = (new_game.game_states.clone(), new_game.names.clone());
        run.game_states.truncate(1);
        for (ticks, input) in short.inputs {
            run.add_line(Line::Inputs { ticks, input }).map_err(|(kind, _)| wrong(kind))?;
        }
        for (tick, state, motion, game) in short.sums {
            let (after, end) = (run.checkpoints.last().map_or(run.start.tick(), |last| last.tick), run.end());
            if tick <= after || tick > end {
                return Err(wrong(Kind::ChecksumTick { found: tick, after, end }));
            }
            run.checkpoints.push(Checkpoint { tick, state, motion, positions: Vec::new(), game });
        }
        Ok(run.marked_complete())
    }
}
