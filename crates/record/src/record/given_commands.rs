use super::line::Line;
use super::log::keep_first_ticks;
use super::{Commands, RecordingErrorKind as Kind, Run};
use crate::command::{Command, are_same};

/// The commands that a game with its own inputs gave to its world in consecutive ticks.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct GivenCommands {
    /// The commands that the game gave before the step of each tick.
    runs: Vec<Run<Commands>>,
    /// The commands that the game gave after the step of a tick, in the order of the ticks.
    after: Vec<(u64, Commands)>,
}

impl GivenCommands {
    /// Returns the number of ticks.
    pub(super) fn ticks(&self) -> u64 {
        self.runs.iter().map(|run| run.ticks).sum()
    }

    /// Adds the commands of `tick`, the next tick.
    pub(super) fn add_tick(&mut self, tick: u64, before_step: &[Command], after_step: &[Command]) {
        match self.runs.last_mut() {
            Some(run) if are_same(&run.input, before_step) => run.ticks += 1,
            _ => self.runs.push(Run { ticks: 1, input: before_step.to_vec() }),
        }
        if !after_step.is_empty() {
            self.after.push((tick, after_step.to_vec()));
        }
    }

    /// Adds a line of a recording that starts at the tick `start` and has `recorded` ticks so far. On an error, returns
    /// the name of the invalid field.
    pub(super) fn add_line(
        &mut self,
        runs: Vec<(u64, Commands)>,
        after: Vec<(u64, Commands)>,
        start: u64,
        recorded: u64,
    ) -> Result<(), (Kind, &'static str)> {
        let most = recorded - self.ticks();
        let ticks = runs.iter().fold(0_u64, |ticks, run| ticks.saturating_add(run.0));
        if ticks > most || runs.iter().any(|run| run.0 == 0) {
            return Err((Kind::Ticks { found: ticks, max: most }, "runs"));
        }
        self.runs.extend(runs.into_iter().map(|(ticks, input)| Run { ticks, input }));
        let end = start + self.ticks();
        for (tick, commands) in after {
            let last = self.after.last().map_or(start, |last| last.0);
            if tick <= last || tick > end {
                return Err((Kind::Tick { found: tick, expected: end }, "after"));
            }
            self.after.push((tick, commands));
        }
        Ok(())
    }

    /// Returns the line of a file with these commands. `None` if there are no ticks.
    pub(super) fn into_line<I>(self) -> Option<Line<I>> {
        let runs = self.runs.into_iter().map(|run| (run.ticks, run.input)).collect::<Vec<_>>();
        (!runs.is_empty()).then_some(Line::Given { runs, after: self.after })
    }

    /// Drops everything after `tick`, which is `ticks` ticks after the start of the recording.
    pub(super) fn drop_ticks_after(&mut self, tick: u64, ticks: u64) {
        keep_first_ticks(&mut self.runs, ticks);
        self.after.truncate(self.after.partition_point(|(at, _)| *at <= tick));
    }

    /// Returns whether the game gave commands after the step of a tick.
    pub(super) fn has_commands_after_step(&self, tick: u64) -> bool {
        self.after.binary_search_by_key(&tick, |(at, _)| *at).is_ok()
    }

    /// Returns the commands before each step, in a recording that starts at the tick `start`. Commands that the game
    /// gave after the previous step come first among them.
    pub(super) fn commands_before_steps(&self, start: u64) -> Vec<Run<Commands>> {
        let (mut runs, mut now) = (Vec::new(), start);
        let mut after = self.after.iter().peekable();
        for Run { ticks, input } in &self.runs {
            let end = now + ticks;
            while now < end {
                let (input, until) = match after.next_if(|(tick, _)| *tick == now) {
                    Some((_, first)) => ([&first[..], input].concat(), now + 1),
                    None => (input.clone(), after.peek().map_or(end, |(tick, _)| end.min(*tick))),
                };
                runs.push(Run { ticks: until - now, input });
                now = until;
            }
        }
        runs
    }
}
