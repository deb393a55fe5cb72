use super::changes::tiles_set_by;
use crate::stopwatch::Stopwatch;
use std::collections::BTreeMap;
use surefoot::event::BodyId;
use surefoot::geometry::Position;
use surefoot::motion::Shape;
use surefoot::record::{Divergence, Playback, TickComparison};
use surefoot::replay::Replay;
use surefoot::world::World;

/// The state of a watched run, besides its world.
#[derive(Clone, Debug, PartialEq)]
pub struct Watched<'a> {
    /// Number of ticks.
    pub ticks: u64,
    /// Version of the physics that recorded the run.
    pub physics: u32,
    /// The first tick of a replay that diverged from the recording. It stays known after rewinding. Always `None` for a
    /// game with rules of its own, which says so in [`Session::status`](super::Session::status).
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
    /// Copies of the playback at some ticks, for rewinding and seeking: close to each other around the present tick,
    /// sparse elsewhere.
    kept: BTreeMap<u64, Playback>,
    /// Maximum number of ticks to rewind, and the earliest tick to which time may be rewound.
    keep: u64,
    earliest: u64,
    divergence: Option<Divergence>,
}

/// Interval in ticks between copies of the playback.
const COPY_INTERVAL_TICKS: u64 = 30;
/// Maximum number of copies far from the present tick, and the smallest number of ticks between two of them.
const MAX_SPARSE_COPIES: u64 = 64;
const SPARSE_INTERVAL_TICKS: u64 = 600;

impl Watch {
    /// Creates a watched replay before its first tick.
    pub(super) fn new(replay: Replay, keep: u64) -> Watch {
        let player = Playback::new(&replay);
        Watch { replay, player, kept: BTreeMap::new(), keep, earliest: 0, divergence: None }
    }

    /// Steps a tick. Returns its duration in microseconds and the edited tiles; `None` at the end.
    pub(super) fn step(&mut self) -> Option<(f64, Vec<(i32, i32)>)> {
        let tick = self.tick();
        if tick >= self.player.recording().ticks() {
            return None;
        }
        if tick.is_multiple_of(COPY_INTERVAL_TICKS) && !self.kept.contains_key(&tick) {
            self.kept.insert(tick, self.player.clone());
            let most = self.player.recording().ticks() / MAX_SPARSE_COPIES;
            let sparse = most.next_multiple_of(COPY_INTERVAL_TICKS).max(SPARSE_INTERVAL_TICKS);
            let keep = self.keep + COPY_INTERVAL_TICKS;
            self.kept.retain(|own, _| own.is_multiple_of(sparse) || own.abs_diff(tick) <= keep);
        }
        self.earliest = self.earliest.max((tick + 1).saturating_sub(self.keep));
        let watch = Stopwatch::start();
        let verdict = self.player.step()?;
        let micros = watch.micros();
        if let TickComparison::Differs(divergence) = verdict {
            self.divergence.get_or_insert(divergence);
        }
        Some((micros, self.player.world().commands().iter().flat_map(tiles_set_by).collect()))
    }

    /// Returns how many ticks can be rewound.
    pub(super) fn rewindable(&self) -> u64 {
        self.tick() - self.earliest
    }

    /// Rewinds up to `ticks` ticks. Returns the tiles whose edits were undone.
    pub(super) fn rewind_by(&mut self, ticks: u64) -> Vec<(i32, i32)> {
        let (now, ticks) = (self.tick(), ticks.min(self.rewindable()));
        let tick = now - ticks;
        if ticks > 0 {
            self.try_restore_copy_before(tick);
            while self.tick() < tick && self.player.step().is_some() {}
        }
        let undone = self.player.recording().commands().filter(|(given, _)| (tick..now).contains(given));
        undone.flat_map(|(_, command)| tiles_set_by(command)).collect()
    }

    /// Goes to the last copy at or before `tick`, unless the present tick is nearer to `tick`. Returns whether it went
    /// there. The replay is stepped on from the copy, and time may be rewound to it.
    pub(super) fn try_go_to_copy(&mut self, tick: u64) -> bool {
        let has_moved = self.try_restore_copy_before(tick);
        if has_moved {
            let at = self.tick();
            self.earliest = self.earliest.min(at).max(at.saturating_sub(self.keep));
        }
        has_moved
    }

    /// Replaces the playback by the last copy at or before `tick`, if that is nearer to `tick`. Returns whether it did.
    fn try_restore_copy_before(&mut self, tick: u64) -> bool {
        let now = self.tick();
        let copy = self.kept.range(..=tick).next_back().filter(|(at, _)| tick < now || **at > now);
        if let Some((_, copy)) = copy {
            self.player = copy.clone();
        }
        copy.is_some()
    }

    /// Returns the replay at its beginning.
    pub(super) fn restarted(&self) -> Watch {
        Watch::new(self.replay.clone(), self.keep)
    }

    pub(super) fn replay(&self) -> &Replay {
        &self.replay
    }

    /// Returns the first character in the world.
    pub(super) fn hero(&self) -> Option<BodyId> {
        first_character(self.player.world())
    }

    pub(super) fn watched(&self) -> Watched<'_> {
        let ticks = self.player.recording().ticks();
        let physics = self.replay.physics();
        Watched { ticks, physics, divergence: self.divergence, expected: diverged_bodies(&self.player) }
    }

    fn tick(&self) -> u64 {
        self.player.world().tick()
    }
}

/// Returns the first character in a world.
pub(super) fn first_character(world: &World) -> Option<BodyId> {
    world.bodies().find(|(_, state)| state.character().is_some()).map(|(id, _)| id)
}

/// Returns the bodies that differ from the last positions in the recording.
fn diverged_bodies(player: &Playback) -> Vec<Expected<'_>> {
    let shape = |body| player.world().get(body).map(|state| state.shape());
    let mismatch = player.mismatches().iter();
    let expected = mismatch
        .filter_map(|body| Some(Expected { name: &body.name, shape: shape(body.body)?, position: body.expected }));
    expected.collect()
}
