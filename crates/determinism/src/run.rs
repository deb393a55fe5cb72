use crate::fold::Fold;
use crate::{replays, scenes, storms};
use std::fmt;
use surefoot::World;
use surefoot::prelude::*;

/// Something that moves on tick by tick.
pub(crate) trait Play {
    /// Gives this tick's commands and steps; false, and nothing happens, after the last tick.
    fn step(&mut self) -> bool;

    fn world(&self) -> &World;

    fn checksum(&self) -> Checksum {
        self.world().checksum()
    }
}

/// A run by its name, which is played from the beginning each time.
pub struct Run {
    pub(crate) name: &'static str,
    pub(crate) start: Box<dyn Fn() -> Box<dyn Play>>,
}

/// What a run comes to. It prints as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The run's name.
    pub name: &'static str,
    /// How many ticks it has.
    pub ticks: u64,
    /// A hash of the checksums and events of all ticks.
    pub folded: u64,
    /// The checksum of the state after the last tick.
    pub last: Checksum,
}

/// One tick of a run. It prints as one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tick {
    /// Ticks stepped.
    pub tick: u64,
    /// A hash of the checksums and events up to here.
    pub folded: u64,
    /// The checksum of the state.
    pub checksum: Checksum,
}

impl Run {
    pub(crate) fn new<P: Play + 'static>(name: &'static str, start: impl Fn() -> P + 'static) -> Run {
        Run { name, start: Box::new(move || Box::new(start())) }
    }

    /// The run's name: no other run has it, and there is no space in it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Plays it, and says what each tick came to.
    pub fn play(&self, mut each: impl FnMut(Tick)) -> Line {
        let mut play = (self.start)();
        let mut fold = Fold::default();
        let mut last = play.checksum();
        while play.step() {
            last = play.checksum();
            fold.tick(last, play.world().events());
            each(Tick { tick: play.world().tick(), folded: fold.0, checksum: last });
        }
        Line { name: self.name, ticks: play.world().tick(), folded: fold.0, last }
    }
}

/// All runs: the recorded ones, the scenes, the random ones.
#[must_use]
pub fn runs() -> Vec<Run> {
    let scenes = scenes::all().into_iter().map(|(name, start)| Run::new(name, start));
    replays::all().into_iter().chain(scenes).chain(storms::all()).collect()
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

    /// After a change of physics or checksums the file is written anew, by the command below.
    #[test]
    fn every_run_comes_to_what_is_written_down() {
        let runs = runs();
        let written: Vec<&str> = include_str!("../hashes.txt").lines().collect();
        let here: Vec<String> = runs.iter().map(|run| run.play(|_| ()).to_string()).collect();
        assert_eq!(
            here, written,
            "after a change that is meant: cargo run --release -p surefoot-determinism --example hashes > crates/determinism/hashes.txt"
        );
    }

    #[test]
    fn names_are_words_and_differ() {
        let mut names: Vec<&str> = runs().iter().map(Run::name).collect();
        assert!(names.iter().all(|name| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')));
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn one_other_tick_changes_all_that_follow() {
        let [mut one, mut other] = [Fold::default(); 2];
        for tick in 0..100 {
            one.tick(Checksum(tick), &[]);
            other.tick(Checksum(tick + u64::from(tick == 40)), &[]);
            assert_eq!(one.0 == other.0, tick < 40);
        }
    }
}
