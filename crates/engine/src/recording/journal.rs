use super::line::{push, push_hex};
use super::{JournalError, Recording};
use crate::checksum::PHYSICS_VERSION;
use crate::io::create_new;
use crate::snapshot::Snapshot;
use crate::text::quoted;
use crate::world::World;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::Write;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// How many bytes are kept back at most.
const KEPT: usize = 64 << 10;

/// Writes a [`Recording`] to a file while a game runs.
///
/// What it is given goes to the operating system at least once in a second of ticks, so that a program that dies loses no
/// more than that; what was written is never touched again. A journal that is dropped writes what it has, but no end.
///
/// # Examples
/// See [`Recording`].
#[derive(Debug)]
pub struct Journal<I> {
    file: File,
    path: PathBuf,
    options: JournalOptions,
    /// Lines that the system does not have yet.
    text: String,
    /// The checksum of the last line.
    sum: u32,
    /// How many bytes the system has.
    size: u64,
    /// The tick that it begins with.
    first: u64,
    ticks: u64,
    /// Ticks in a second.
    second: u64,
    run: InputRun,
    /// The ticks of the last checksums and the last state.
    last: (u64, u64),
    snapshot: Snapshot,
    /// Commands given since the last step, when that was shown.
    pending: usize,
    /// Commands of the first tick that were given before the journal began.
    before: usize,
    over: bool,
    inputs: PhantomData<fn(&I)>,
}

/// The input of the last ticks.
#[derive(Debug)]
struct InputRun {
    /// How it is written; `None` before the first tick.
    input: Option<String>,
    /// Whether it is written already.
    told: bool,
    /// Ticks that are not written yet.
    ticks: u64,
}

/// How often a journal takes down what to compare by; 0 is at the end only, and for states never.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Every {
    /// Ticks from one pair of checksums to the next. They take time in proportion to the bodies.
    pub checksums: u32,
    /// Ticks from one whole state to the next, with checksums. They take room in proportion to the bodies.
    pub states: u32,
}

impl Default for Every {
    /// Checksums once a second and a state every ten, at 60 ticks a second.
    fn default() -> Every {
        Every { checksums: 60, states: 600 }
    }
}

/// How a journal is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JournalOptions {
    /// What to compare by.
    pub every: Every,
    /// The map's file, for whoever replays the recording; nothing reads it by itself.
    pub map_file: Option<String>,
    /// Waits each time until the disk has it: then not even a loss of power costs more than a second. It may take longer
    /// than a frame.
    pub sync: bool,
}

impl From<Every> for JournalOptions {
    fn from(every: Every) -> JournalOptions {
        JournalOptions { every, ..JournalOptions::default() }
    }
}

impl<I> Journal<I> {
    /// The largest file that is written or read, in bytes: 1 GiB.
    pub const MAX_SIZE: u64 = 1 << 30;

    /// Begins a recording in a new file, with the world as it is now; options are an [`Every`] or [`JournalOptions`].
    ///
    /// # Errors
    /// [`JournalError::Exists`] for a file that is there already, and what the system says.
    pub fn create(
        path: impl AsRef<Path>,
        world: &World,
        options: impl Into<JournalOptions>,
    ) -> Result<Journal<I>, JournalError> {
        let path = path.as_ref().to_owned();
        let file = create_new(&path).map_err(|source| match source.kind() {
            std::io::ErrorKind::AlreadyExists => JournalError::Exists { path: path.clone() },
            _ => JournalError::Io { path: path.clone(), source },
        })?;
        let options = options.into();
        let file_of_map = options.map_file.as_ref().map(|name| format!(", file: {}", quoted(name)));
        let header = format!(
            "Recording(format: {}, physics: {PHYSICS_VERSION}, map: \"{}\"{})",
            Recording::<I>::FORMAT,
            world.identity(),
            file_of_map.unwrap_or_default()
        );
        let tick = world.tick();
        let mut journal = Journal {
            file,
            path,
            options,
            text: String::new(),
            sum: 0,
            size: 0,
            first: tick,
            ticks: 0,
            second: ticks_in_a_second(world.settings().tick_seconds()),
            run: InputRun { input: None, told: false, ticks: 0 },
            last: (tick, tick),
            snapshot: Snapshot::default(),
            pending: world.pending.len(),
            before: world.pending.len(),
            over: false,
            inputs: PhantomData,
        };
        journal.push(&header);
        journal.push_state(world);
        journal.hand_over().inspect_err(|_| journal.over = true)?;
        Ok(journal)
    }

    /// How many ticks it has.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// How many of the commands that the world was given for its last tick the recording has in its first state.
    pub(super) fn known_commands(&self) -> usize {
        if self.ticks == 0 { self.before } else { 0 }
    }

    /// Ends the recording with the checksums and the state of the world as it is after the last tick; without those if
    /// commands were given since.
    ///
    /// # Errors
    /// [`JournalError`] for ticks that were not shown, and what the system says. What was written stays.
    pub fn finish(mut self, world: &World) -> Result<(), JournalError> {
        self.check_tick(world, self.first + self.ticks)?;
        self.end_run();
        if self.ticks > 0 && world.pending.len() == self.pending {
            self.checkpoint(world, self.options.every.states > 0);
        }
        self.push(&format!("End(ticks: {})", self.ticks));
        let done = self.hand_over();
        self.over = true;
        done
    }

    /// Whether it goes on, and the world is where it should be.
    fn check_tick(&self, world: &World, expected: u64) -> Result<(), JournalError> {
        if self.over {
            return Err(JournalError::Over);
        }
        let found = world.tick();
        if found == expected { Ok(()) } else { Err(JournalError::MissedTick { expected, found }) }
    }

    fn push(&mut self, content: &str) {
        self.sum = push(&mut self.text, self.sum, content);
    }

    fn push_state(&mut self, world: &World) {
        world.save(&mut self.snapshot);
        let mut content = format!("State(tick: {}, bytes: \"", world.tick());
        push_hex(&mut content, &self.snapshot.to_bytes());
        content.push_str("\")");
        self.push(&content);
    }

    /// The line of the ticks that are not written yet.
    fn end_run(&mut self) {
        let InputRun { input, told, ticks } = &mut self.run;
        let ticks = std::mem::take(ticks);
        let content = match input {
            Some(_) if *told => format!("Same(ticks: {ticks})"),
            Some(input) => format!("Inputs(ticks: {ticks}, input: {input})"),
            None => return,
        };
        if ticks > 0 {
            *told = true;
            self.push(&content);
        }
    }

    fn checkpoint(&mut self, world: &World, with_state: bool) {
        self.end_run();
        let tick = world.tick();
        if self.last.0 != tick {
            let (state, motion) = (world.checksum(), world.motion_checksum());
            self.push(&format!("Sums(tick: {tick}, state: \"{state}\", motion: \"{motion}\")"));
            self.last.0 = tick;
        }
        if with_state && self.last.1 != tick {
            self.push_state(world);
            self.last.1 = tick;
        }
    }

    /// Gives the system what it does not have yet.
    fn hand_over(&mut self) -> Result<(), JournalError> {
        let io = |source| JournalError::Io { path: self.path.clone(), source };
        let size = self.size + self.text.len() as u64;
        if size > Self::MAX_SIZE {
            return Err(JournalError::TooLarge { path: self.path.clone() });
        }
        self.file.write_all(self.text.as_bytes()).map_err(io)?;
        if self.options.sync {
            self.file.sync_data().map_err(io)?;
        }
        self.size = size;
        self.text.clear();
        Ok(())
    }
}

impl<I: Serialize + DeserializeOwned> Journal<I> {
    /// Writes down the tick that the world has just stepped, and the input that it was stepped with. To be called after
    /// each step.
    ///
    /// # Errors
    /// [`JournalError`]. The journal is then over, with all ticks before; the game can go on.
    pub fn tick(&mut self, world: &World, input: &I) -> Result<(), JournalError> {
        let done = self.take_down(world, input);
        if done.is_err() && !self.over {
            self.end_run();
            // What has gone wrong first is told.
            let _ = self.hand_over();
            self.over = true;
        }
        done
    }

    fn take_down(&mut self, world: &World, input: &I) -> Result<(), JournalError> {
        self.check_tick(world, self.first + self.ticks + 1)?;
        if self.ticks >= Recording::<I>::MAX_TICKS {
            return Err(JournalError::TooManyTicks);
        }
        let text = ron::to_string(input).map_err(|error| JournalError::Unwritable { error })?;
        // Inputs are the same if their texts are: then both zeros are different.
        if self.run.input.as_ref() != Some(&text) {
            let back = ron::from_str::<I>(&text).ok().and_then(|back| ron::to_string(&back).ok());
            if back.as_ref() != Some(&text) || text.contains(['\n', '\r']) {
                return Err(JournalError::ReadsOtherwise { text });
            }
            self.end_run();
            self.run = InputRun { input: Some(text), told: false, ticks: 0 };
        }
        self.run.ticks += 1;
        self.ticks += 1;
        self.pending = world.pending.len();
        let due = |every: u32| every > 0 && self.ticks.is_multiple_of(every.into());
        let (sums, state) = (due(self.options.every.checksums), due(self.options.every.states));
        if sums || state {
            self.checkpoint(world, state);
        }
        if self.ticks.is_multiple_of(self.second) || self.text.len() >= KEPT {
            self.end_run();
            self.hand_over().inspect_err(|_| self.over = true)?;
        }
        Ok(())
    }
}

/// How many whole ticks there are in a second, at least one.
fn ticks_in_a_second(tick: f64) -> u64 {
    let about = (1.0 / tick) as u64;
    // The quotient was rounded.
    if (about + 1) as f64 * tick <= 1.0 { about + 1 } else { about.max(1) }
}

impl<I> Drop for Journal<I> {
    fn drop(&mut self) {
        if !self.over {
            self.end_run();
            // Nobody is left to tell.
            let _ = self.hand_over();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_has_as_many_ticks_as_fit_into_it() {
        for (tick, ticks) in [(1.0 / 60.0, 60), (1.0 / 49.0, 49), (0.4, 2), (0.5, 2), (1.0, 1), (1e-6, 1_000_000)] {
            assert_eq!(ticks_in_a_second(tick), ticks, "{tick}");
        }
    }
}
