//! Options and progress of a search.

use std::time::Duration;
use surefoot::Input;
use surefoot::geometry::Position;

/// Maximum number of [`Options::extra_inputs`].
pub(crate) const MAX_EXTRA_INPUTS: usize = 16;

/// Limits and choices of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Maximum number of states that the search keeps. Default: 2 million.
    pub max_states: usize,
    /// Maximum memory in bytes. Default: 2^31.
    ///
    /// All lists of states count, and the states that are tried at the same time. The flood fills that estimate the way
    /// to the goal count too, and take at most a quarter. The memory of the game's state is estimated from its first
    /// state. The worlds in which the threads play are not counted.
    ///
    /// The search counts an upper estimate that is the same on every machine. If less than 160 MiB are left after the
    /// flood fills, nothing is proven unreachable: the bound might take more.
    pub max_memory: usize,
    /// Maximum time, or `None` for no limit. Default: `None`.
    ///
    /// A limit of time may end the search anywhere: the answer then depends on the speed of the machine. The flood
    /// fills and the bound come first. They always run to their end, which takes some seconds for the largest maps. Not
    /// available on wasm32-unknown-unknown, which has no clock.
    pub max_time: Option<Duration>,
    /// Width of the beam: number of states that the search continues in each 6 ticks of a run. It drops the others.
    /// `None` continues all, the most promising state first. Default: `None`.
    pub beam: Option<usize>,
    /// Weight of the estimated way to the goal against the ticks so far, 0 to 1000. A large weight finds a run fast,
    /// 1 finds short runs. Default: 3.
    pub weight: f64,
    /// Seed for the order of states with equal estimates. 0 keeps the order in which they were found. Default: 0.
    pub seed: u64,
    /// Number of threads. 0 uses all cores. Default: 1.
    ///
    /// Without a limit of time, the answer, the run and the number of states are the same for any number of threads.
    /// Not after [`Search::improve`](crate::Search::improve): how far it comes depends on the time that the machine
    /// needs.
    pub threads: usize,
    /// Inputs that are tried in every state, besides those that the physics can use. At most 16. Default: none.
    ///
    /// List the inputs that mean something else in the rules of a game. If a button makes the character pull the crate
    /// next to it, list that button with both directions of walking.
    pub extra_inputs: Vec<Input>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            max_states: 2_000_000,
            max_memory: 1 << 31,
            max_time: None,
            beam: None,
            weight: 3.0,
            seed: 0,
            threads: 1,
            extra_inputs: Vec::new(),
        }
    }
}

/// Progress of a search. See [`Search::on_progress`](crate::Search::on_progress).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Number of states found so far.
    pub states: usize,
    /// Number of states that wait to be continued.
    pub waiting: usize,
    /// Least estimated distance from a state to the goal, in tiles.
    pub distance: f64,
    /// Position of the body in that state. In a survey, the position at the start.
    pub position: Position,
    /// Number of the pass, from 0. Each pass tells states apart by smaller cells than the one before.
    pub level: usize,
}
