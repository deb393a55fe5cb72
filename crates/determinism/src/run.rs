use crate::fold::Fold;
use crate::{replays, scenes, searches, storms};
use std::fmt;
use surefoot::World;
use surefoot::prelude::*;

/// A simulation that is stepped tick by tick.
pub(crate) trait Simulation {
    /// Gives this tick's commands and steps the world. After the last tick, does nothing and returns false.
    fn step_unless_finished(&mut self) -> bool;

    fn world(&self) -> &World;

    fn checksum(&self) -> Checksum {
        self.world().checksum()
    }
}

/// A named run. Each call of [`Run::play`] plays it from the beginning.
pub struct Run {
    pub(crate) name: &'static str,
    pub(crate) start: Box<dyn Fn() -> Box<dyn Simulation>>,
}

/// The result of a run. Prints as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The name of the run.
    pub name: &'static str,
    /// Number of ticks.
    pub ticks: u64,
    /// A hash of the checksums and events of all ticks.
    pub folded: u64,
    /// Checksum of the state after the last tick.
    pub last: Checksum,
}

/// The result of one tick of a run. Prints as one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tick {
    /// Number of ticks stepped so far.
    pub tick: u64,
    /// A hash of the checksums and events of all ticks so far.
    pub folded: u64,
    /// Checksum of the state.
    pub checksum: Checksum,
}

impl Run {
    pub(crate) fn new<P: Simulation + 'static>(name: &'static str, start: impl Fn() -> P + 'static) -> Run {
        Run { name, start: Box::new(move || Box::new(start())) }
    }

    /// Returns the unique name of the run, which contains no spaces.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Plays the run. Calls `each` after each tick.
    pub fn play(&self, mut each: impl FnMut(Tick)) -> Line {
        let mut play = (self.start)();
        let mut fold = Fold::default();
        let mut last = play.checksum();
        while play.step_unless_finished() {
            last = play.checksum();
            fold.add_tick(last, play.world().events());
            each(Tick { tick: play.world().tick(), folded: fold.0, checksum: last });
        }
        Line { name: self.name, ticks: play.world().tick(), folded: fold.0, last }
    }
}

/// Returns all runs: recorded runs, scenes, storms, then searches.
#[must_use]
pub fn runs() -> Vec<Run> {
    let scenes = scenes::all_scenes().into_iter().map(|(name, start)| Run::new(name, start));
    replays::recorded_runs()
        .into_iter()
        .chain(scenes)
        .chain(storms::storm_runs())
        .chain(searches::search_runs())
        .collect()
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {:016x} {}", self.name, self.ticks, self.folded, self.last)
    }
}

impl fmt::Display for Tick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:016x} {}", self.tick, self.folded, self.checksum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Write the file again with the command below after an intended change of physics or checksums.
    #[test]
    fn every_run_gives_its_line_of_hashes_txt() {
        let runs = runs();
        let written: Vec<&str> = include_str!("../hashes.txt").lines().collect();
        let here: Vec<String> = runs.iter().map(|run| run.play(|_| ()).to_string()).collect();
        assert_eq!(
            here, written,
            "after a change that is meant: cargo run --release -p surefoot-determinism --example hashes > crates/determinism/hashes.txt"
        );
    }

    #[test]
    fn names_of_runs_are_words_and_unique() {
        let mut names: Vec<&str> = runs().iter().map(Run::name).collect();
        assert!(names.iter().all(|name| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')));
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn a_different_tick_changes_all_later_hashes() {
        let [mut one, mut other] = [Fold::default(); 2];
        for tick in 0..100 {
            one.add_tick(Checksum(tick), &[]);
            other.add_tick(Checksum(tick + u64::from(tick == 40)), &[]);
            assert_eq!(one.0 == other.0, tick < 40);
        }
    }
}
