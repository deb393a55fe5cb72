//! A world and the state of its game, which the search steps together.

use crate::goal::Targets;
use glam::DVec2;
use serde::Serialize;
use surefoot::command::Command;
use surefoot::event::JumpFrom;
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
    /// Sum of the hashes of all edits of tiles and areas so far.
    pub(crate) edits: u64,
    /// Number of jumps in the air since the character stood, climbed or swam.
    pub(crate) air_jumps: u8,
    /// Whether the character has dashed since it stood, climbed or swam.
    pub(crate) dashed: bool,
}

/// The world and the game that a thread steps.
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
    pub(crate) fn step(&mut self, input: Input, targets: &Targets<'_, G>) -> bool {
        match self.tick {
            None => {
                self.world.set_input(self.body, input);
                self.world.step();
            }
            Some(tick) => {
                tick(&mut self.world, &mut self.game, &Inputs::from(input));
                self.remember_edits();
            }
        }
        self.remember_air_moves();
        targets.visit_reached_boxes(&self.world, &self.game, self.body, &mut self.memory.visited)
    }

    pub(crate) fn hero(&self) -> Option<&BodyState> {
        self.world.get(self.body)
    }

    /// Adds the edits of the last tick to the memory. Only edits of tiles and areas count: bodies and platforms are
    /// part of a cell anyway, and shots come and go.
    fn remember_edits(&mut self) {
        for command in self.world.commands() {
            let edits = matches!(
                command,
                Command::SetTile { .. }
                    | Command::SetTiles { .. }
                    | Command::SetPlatformTile { .. }
                    | Command::SpawnArea(..)
                    | Command::DespawnArea(..)
            );
            if edits {
                // A sum does not depend on the order of the edits.
                self.memory.edits = self.memory.edits.wrapping_add(crate::cell::hash_of(command));
            }
        }
    }

    fn remember_air_moves(&mut self) {
        let Some(hero) = self.world.get(self.body) else { return };
        if hero.on_floor() || hero.is_climbing() || hero.is_swimming() {
            (self.memory.air_jumps, self.memory.dashed) = (0, false);
        }
        for event in self.world.events().iter().filter(|event| event.body == self.body) {
            match event.kind {
                EventKind::Jumped { from: JumpFrom::Air, .. } => {
                    self.memory.air_jumps = self.memory.air_jumps.saturating_add(1);
                }
                EventKind::Dashed => self.memory.dashed = true,
                _ => {}
            }
        }
    }

    pub(crate) fn position(&self) -> Option<DVec2> {
        self.hero().map(|hero| hero.position().to_dvec2())
    }
}
