//! A world and the state of its game, which the search steps together.

use crate::goal::Targets;
use glam::DVec2;
use serde::Serialize;
use surefoot::prelude::*;
use surefoot::record::GameTick;
use surefoot::snapshot::{Snapshot, SnapshotKey};
use surefoot::{Input, World};

/// State of the world and the game, with what the search remembers of the way to it. The snapshot is in an arena.
pub(crate) struct Kept<G> {
    pub(crate) snapshot: SnapshotKey,
    pub(crate) game: G,
    pub(crate) memory: Memory,
}

/// Facts about the way to a state that the world does not store.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Memory {
    /// Targets that were visited.
    pub(crate) visited: u64,
}

/// The world and the game that a thread steps.
#[derive(Clone)]
pub(crate) struct Simulation<G> {
    pub(crate) world: World,
    pub(crate) game: G,
    pub(crate) memory: Memory,
    pub(crate) body: BodyId,
    tick: Option<GameTick<G, Inputs>>,
}

impl<G: Clone> Simulation<G> {
    pub(crate) fn new(world: World, game: G, body: BodyId, tick: Option<GameTick<G, Inputs>>) -> Simulation<G> {
        Simulation { world, game, memory: Memory::default(), body, tick }
    }

    pub(crate) fn restore_state(&mut self, snapshot: &Snapshot, game: &G, memory: Memory) {
        // The snapshot is of this world's own past, so it fits.
        let _ = self.world.restore(snapshot);
        self.game.clone_from(game);
        self.memory = memory;
    }

    /// Returns an estimate of the memory of the game's state in bytes, the same on all targets.
    pub(crate) fn game_bytes(&self) -> usize
    where
        G: Serialize,
    {
        // A serialized game is smaller than the game in memory: numbers take fewer bytes, and lists have no unused
        // room.
        postcard::to_allocvec(&self.game).map_or(0, |bytes| 8 * bytes.len())
    }

    /// Plays a tick. Returns whether the goal is reached.
    pub(crate) fn step_and_check_goal(&mut self, input: Input, targets: &Targets<'_, G>) -> bool {
        match self.tick {
            None => {
                self.world.set_input(self.body, input);
                self.world.step();
            }
            Some(tick) => tick(&mut self.world, &mut self.game, &Inputs::from(input)),
        }
        targets.mark_visited_and_check_goal(&self.world, &self.game, self.body, &mut self.memory.visited)
    }

    pub(crate) fn hero(&self) -> Option<&BodyState> {
        self.world.get(self.body)
    }

    pub(crate) fn position(&self) -> Option<DVec2> {
        self.hero().map(|hero| hero.position().to_dvec2())
    }
}
