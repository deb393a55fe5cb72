//! Answers of a search.

use crate::{FoundRun, NotCovered};
use glam::DVec2;
use std::fmt;
use surefoot::geometry::Position;
use surefoot::replay::InputRun;

/// Answer of a search.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A run reaches the goal.
    Reachable(FoundRun),
    /// The search found no run. The goal may be reachable all the same.
    NotFound(Nearest),
    /// No run reaches the goal: the bound of the body's motion proves it.
    Unreachable(Proof),
}

/// Place that no motion of the body reaches, as [`Bound`](crate::Bound) proves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proof {
    /// Middle of the place, in tiles.
    pub place: DVec2,
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DVec2 { x, y } = self.place;
        write!(f, "no motion of the body reaches ({x:.1}, {y:.1}), whatever its inputs")
    }
}

/// End of a search without a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`Options::max_states`](crate::Options::max_states) was reached.
    States,
    /// [`Options::max_memory`](crate::Options::max_memory) was reached.
    Memory,
    /// [`Options::max_time`](crate::Options::max_time) was reached.
    Time,
    /// All states were tried that the smallest cells tell apart.
    Exhausted,
    /// All states were tried that the beam kept.
    Beam,
}

/// Nearest approach to the goal of a search that found no run.
#[derive(Clone, Debug)]
pub struct Nearest {
    /// Reason for the end of the search.
    pub limit: Limit,
    /// Number of states found.
    pub states: usize,
    /// Position of the body's centre at the nearest approach.
    pub position: Position,
    /// Estimated distance that is left, in tiles: for several markers, to all that are left, one after the other. 0 if
    /// the goal has no place, and infinite if no state was tried.
    pub distance: f64,
    /// Inputs that lead to the nearest approach.
    pub inputs: Vec<InputRun>,
    /// Reason why the bound proves nothing about this goal. `None` if it covers the level, but does not rule the goal
    /// out.
    pub not_covered: Option<NotCovered>,
    pub(crate) words: String,
}

impl Nearest {
    /// Returns the number of ticks of the run to the nearest approach.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.inputs.iter().map(|run| run.ticks).sum()
    }
}

impl fmt::Display for Nearest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::States => "the limit of states",
            Limit::Memory => "the limit of memory",
            Limit::Time => "the limit of time",
            Limit::Exhausted => "all states were tried",
            Limit::Beam => "the beam has dropped all other states",
        })
    }
}
