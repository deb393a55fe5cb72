use super::changes::set_tiles;
use crate::stopwatch::Stopwatch;
use std::collections::VecDeque;
use surefoot::event::BodyId;
use surefoot::geometry::Position;
use surefoot::motion::Shape;
use surefoot::record::{Divergence, Playback, TickComparison};
use surefoot::replay::Replay;

/// The state of a watched replay, besides its world.
#[derive(Clone, Debug, PartialEq)]
pub struct Watched<'a> {
    /// Number of ticks.
    pub ticks: u64,
    /// Version of the physics that recorded the run.
    pub physics: u32,
    /// The first tick that diverged from the recording. It stays known after rewinding.
    pub divergence: Option<Divergence>,
    /// Bodies that differ from the recording, at the last tick for which the recording has positions.
    pub expected: Vec<Expected<'a>>,
}

/// The expected position of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected<'a> {
    /// Name of the body.
    pub name: &'a str,
    /// Shape of the body.
    pub shape: Shape,
    /// Position in the recording.
    pub position: Position,
}

/// A watched replay.
#[derive(Debug)]
pub(super) struct Watch {
    replay: Replay,
    pub(super) player: Playback,
    /// Copies of the playback at some ticks, the oldest first, for rewinding.
    kept: VecDeque<Playback>,
    /// Maximum number of ticks to rewind, and the furthest tick reached.
    keep: u64,
    earliest: u64,
    divergence: Option<Divergence>,
}

/// Interval in ticks between copies of the playback.
const COPY_INTERVAL_TICKS: u64 = 30;

impl Watch {
    /// Creates a watched replay before its first tick.
    pub(super) fn new(replay: Replay, keep: u64) -> Watch {
        let player = Playback::new(&replay);
        Watch { replay, player, kept: VecDeque::new(), keep, earliest: 0, divergence: None }
    }

    /// Steps a tick. Returns its duration in microseconds and the edited tiles; `None` at the end.
    pub(super) fn step(&mut self) -> Option<(f64, Vec<(i32, i32)>)> {
        let tick = self.tick();
        if tick >= self.player.recording().ticks() {
            return None;
        }
        if tick.is_multiple_of(COPY_INTERVAL_TICKS) && self.kept.back().is_none_or(|last| last.world().tick() < tick) {
            self.kept.push_back(self.player.clone());
        }
        self.earliest = self.earliest.max((tick + 1).saturating_sub(self.keep));
        while self.kept.get(1).is_some_and(|second| second.world().tick() <= self.earliest) {
            self.kept.pop_front();
        }
        let watch = Stopwatch::start();
        let verdict = self.player.step()?;
        let micros = watch.micros();
        if let TickComparison::Differs(divergence) = verdict {
            self.divergence.get_or_insert(divergence);
        }
        Some((micros, self.player.world().commands().iter().flat_map(set_tiles).collect()))
    }

    /// Returns how many ticks can be rewound.
    pub(super) fn rewindable(&self) -> u64 {
        self.tick() - self.earliest
    }

    /// Rewinds up to `ticks` ticks. Returns the tiles whose edits were undone.
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
        undone.flat_map(|(_, command)| set_tiles(command)).collect()
    }

    /// Returns the replay at its beginning.
    pub(super) fn again(&self) -> Watch {
        Watch::new(self.replay.clone(), self.keep)
    }

    pub(super) fn replay(&self) -> &Replay {
        &self.replay
    }

    /// Returns the first character in the world.
    pub(super) fn hero(&self) -> Option<BodyId> {
        first_character(&self.player)
    }

    pub(super) fn watched(&self) -> Watched<'_> {
        let ticks = self.player.recording().ticks();
        let physics = self.replay.physics();
        Watched { ticks, physics, divergence: self.divergence, expected: expected(&self.player) }
    }

    fn tick(&self) -> u64 {
        self.player.world().tick()
    }
}

/// Returns the first character in a playback's world.
pub(super) fn first_character(player: &Playback) -> Option<BodyId> {
    player.world().bodies().find(|(_, state)| state.character().is_some()).map(|(id, _)| id)
}

/// Returns the bodies that differ from the last positions in the recording.
fn expected(player: &Playback) -> Vec<Expected<'_>> {
    let shape = |body| player.world().get(body).map(|state| state.shape());
    let mismatch = player.mismatches().iter();
    let expected = mismatch
        .filter_map(|body| Some(Expected { name: &body.name, shape: shape(body.body)?, position: body.expected }));
    expected.collect()
}
