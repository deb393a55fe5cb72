//! The beginning of a step: commands become those of this tick, bodies overlapped by new tiles are freed or get stuck.

use super::standing::free_or_stuck;
use crate::command::Command;
use crate::world::state::Now;
use crate::world::{BodyState, World};

impl World {
    /// Makes the commands given since the last tick those of this tick. Each of them was carried out when it was given.
    #[inline(always)]
    pub(super) fn begin_commands(&mut self) {
        self.events.clear();
        self.queries.invalidate();
        std::mem::swap(&mut self.pending, &mut self.given);
        if !self.pending.is_empty() {
            self.keep_spawned();
        }
    }

    /// Whether nothing moved in the last tick and nothing has come to the world since.
    #[inline(always)]
    pub(super) fn stays_asleep(&mut self) -> bool {
        let sleeps = std::mem::take(&mut self.scratch.sleeps) && self.given.is_empty() && !self.disturbed;
        self.scratch.sleeps = sleeps;
        sleeps
    }

    /// Frees bodies that no longer overlap solid tiles, and stops those that do.
    #[inline(always)]
    pub(super) fn free_disturbed(&mut self) {
        if std::mem::take(&mut self.disturbed) {
            self.look_at_disturbed();
        }
    }

    /// Looks at the bodies that something from outside may have freed or built in.
    #[inline(never)]
    fn look_at_disturbed(&mut self) {
        let resting = |state: &BodyState| state.now.disturbed && state.now.quiet == Now::AT_REST;
        loop {
            let found = self.bodies.iter().find(|(_, state)| resting(state)).map(|(id, _)| id);
            let Some(body) = found else { break };
            self.wake(body);
        }
        let scene = self.platforms.scene(&self.terrain, &self.settings);
        for (id, state) in self.bodies.iter_mut() {
            let scene = scene.of_layers(state.kind.collision_layers);
            free_or_stuck(&scene, self.tick + 1, id, state, &mut self.scratch, &mut self.events);
        }
    }

    /// Drops the commands of the tick before the last one; the memory of their spawns is kept for the next ones.
    #[inline(never)]
    fn keep_spawned(&mut self) {
        for command in self.pending.drain(..) {
            if let Command::Spawn(body) = command
                && self.spawned.len() < self.bodies.room()
            {
                self.spawned.push(body);
            }
        }
    }
}
