use super::changes::painted;
use std::collections::VecDeque;
use std::time::Instant;
use surefoot::event::BodyId;
use surefoot::geometry::Position;
use surefoot::motion::Shape;
use surefoot::record::{Divergence, Playback, TickComparison};
use surefoot::replay::Replay;

/// What is to be seen of a replay besides its world.
#[derive(Clone, Debug, PartialEq)]
pub struct Watched<'a> {
    /// How many ticks it has.
    pub ticks: u64,
    /// The first tick that was not as recorded, and how; it stays known when time goes back.
    pub divergence: Option<Divergence>,
    /// The bodies that were not where the recording has them, after the last tick that it has places for.
    pub expected: Vec<Expected<'a>>,
}

/// Where a body should be.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected<'a> {
    /// The body's name.
    pub name: &'a str,
    /// Its shape.
    pub shape: Shape,
    /// Where it was when the run was recorded.
    pub position: Position,
}

/// A replay that is watched.
#[derive(Debug)]
pub(super) struct Watch {
    replay: Replay,
    pub(super) player: Playback,
    /// The player as it was at some ticks, the oldest first.
    kept: VecDeque<Playback>,
    /// How many ticks can be gone back from the last that was reached, and to which tick that is.
    keep: u64,
    earliest: u64,
    divergence: Option<Divergence>,
}

/// After how many ticks a player is kept.
const EVERY: u64 = 30;

impl Watch {
    /// Before the first tick.
    pub(super) fn new(replay: Replay, keep: u64) -> Watch {
        let player = Playback::new(&replay);
        Watch { replay, player, kept: VecDeque::new(), keep, earliest: 0, divergence: None }
    }

    /// Steps a tick, and says how many microseconds that took, and which tiles have been painted; `None` at the end.
    pub(super) fn step(&mut self) -> Option<(f64, Vec<(i32, i32)>)> {
        let tick = self.tick();
        if tick >= self.player.recording().ticks() {
            return None;
        }
        if tick.is_multiple_of(EVERY) && self.kept.back().is_none_or(|last| last.world().tick() < tick) {
            self.kept.push_back(self.player.clone());
        }
        self.earliest = self.earliest.max((tick + 1).saturating_sub(self.keep));
        while self.kept.get(1).is_some_and(|second| second.world().tick() <= self.earliest) {
            self.kept.pop_front();
        }
        let begin = Instant::now();
        let verdict = self.player.step()?;
        let micros = begin.elapsed().as_secs_f64() * 1e6;
        if let TickComparison::Differs(divergence) = verdict {
            self.divergence.get_or_insert(divergence);
        }
        Some((micros, self.player.world().commands().iter().flat_map(painted).collect()))
    }

    /// How many ticks can be gone back.
    pub(super) fn rewindable(&self) -> u64 {
        self.tick() - self.earliest
    }

    /// Goes back so many ticks, of those that can be, and answers with the tiles that are no longer painted.
    pub(super) fn back(&mut self, ticks: u64) -> Vec<(i32, i32)> {
        let (now, ticks) = (self.tick(), ticks.min(self.rewindable()));
        let tick = now - ticks;
        while self.kept.len() > 1 && self.kept.back().is_some_and(|last| last.world().tick() > tick) {
            self.kept.pop_back();
        }
        let Some(from) = self.kept.back().filter(|_| ticks > 0) else { return Vec::new() };
        self.player = from.clone();
        while self.tick() < tick && self.player.step().is_some() {}
        let undone = self.player.recording().commands().filter(|(given, _)| (tick..now).contains(given));
        undone.flat_map(|(_, command)| painted(command)).collect()
    }

    /// From the beginning.
    pub(super) fn again(&self) -> Watch {
        Watch::new(self.replay.clone(), self.keep)
    }

    /// The first character in the world.
    pub(super) fn hero(&self) -> Option<BodyId> {
        first_character(&self.player)
    }

    pub(super) fn watched(&self) -> Watched<'_> {
        let ticks = self.player.recording().ticks();
        Watched { ticks, divergence: self.divergence, expected: expected(&self.player) }
    }

    fn tick(&self) -> u64 {
        self.player.world().tick()
    }
}

/// The first character in a player's world.
pub(super) fn first_character(player: &Playback) -> Option<BodyId> {
    player.world().bodies().find(|(_, state)| state.character().is_some()).map(|(id, _)| id)
}

/// The bodies that were not where the replay had them when it last said where they are.
fn expected(player: &Playback) -> Vec<Expected<'_>> {
    let shape = |body| player.world().get(body).map(|state| state.shape());
    let mismatch = player.mismatches().iter();
    let expected = mismatch
        .filter_map(|body| Some(Expected { name: &body.name, shape: shape(body.body)?, position: body.expected }));
    expected.collect()
}
