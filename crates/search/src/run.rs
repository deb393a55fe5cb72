//! Found runs.

use crate::NotCovered;
use surefoot::Input;
use surefoot::replay::InputRun;

/// Run that reaches the goal, played again once to be sure.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundRun {
    /// Inputs of the run from the state at which the search began.
    pub inputs: Vec<InputRun>,
    /// Number of states that the search found.
    pub states: usize,
    /// Number of ticks that every run needs at least, by the bound of the body's motion. 0 if none is known.
    pub least_ticks: u64,
    /// Reason why no bound of the ticks is known. `None` if the bound covers the level.
    pub not_covered: Option<NotCovered>,
    /// Number of the pass that found the first run, from 0. Each pass tells states apart by smaller cells than the one
    /// before. [`Search::improve`](crate::Search::improve) keeps the number.
    pub level: usize,
    /// `Some(n)` if [`Search::improve`](crate::Search::improve) found no shorter run while states in the same cell, 1/n
    /// of a tile wide, and with similar speeds counted as one. `None` if that is not known.
    ///
    /// This proves nothing about all runs: a shorter one may lead through a state that counted as another one, or need
    /// an input that the search does not try.
    pub shortest_cells: Option<i64>,
}

impl FoundRun {
    /// Returns the number of ticks of the run.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.inputs.iter().map(|run| run.ticks).sum()
    }
}

/// Joins neighbours with equal inputs.
pub(crate) fn join_equal_inputs(inputs: impl IntoIterator<Item = InputRun>) -> Vec<InputRun> {
    let mut runs: Vec<InputRun> = Vec::new();
    for run in inputs {
        match runs.last_mut() {
            Some(last) if last.input == run.input => last.ticks += run.ticks,
            _ if run.ticks == 0 => {}
            _ => runs.push(run),
        }
    }
    runs
}

/// Returns the input of each tick.
pub(crate) fn input_of_each_tick(inputs: &[InputRun]) -> impl Iterator<Item = Input> {
    inputs.iter().flat_map(|run| (0..run.ticks).map(|_| run.input))
}
