//! Beginning of a step: takes over the commands given since the last tick, and updates the stuck bodies after tile
//! edits.

use super::scratch::Sleep;
use super::standing::update_stuck_flag;
use crate::command::Command;
use crate::version::Version;
use crate::world::state::Now;
use crate::world::{BodyState, World};

impl World {
    /// Clears the events of the last tick, and makes the commands given since then those of this tick. Each of them
    /// already took effect when it was given.
    #[inline(always)]
    pub(super) fn begin_tick_log(&mut self) {
        self.log.events.clear();
        self.queries.release_extended_copy();
        std::mem::swap(&mut self.log.pending, &mut self.log.given);
        if !self.log.pending.is_empty() {
            self.recycle_spawn_commands();
        }
    }

    /// Returns whether nothing moved in the last tick and nothing has changed since. If not, the tick begins. This does
    /// not look at inputs, because they move only characters, and a world with a character never sleeps.
    #[inline(always)]
    pub(super) fn try_stay_asleep(&mut self) -> bool {
        let Sleep { is_complete, moment } = &mut self.scratch.sleep;
        let is_same = *moment == self.bodies.moment;
        *is_complete &= is_same;
        if *is_complete {
            return true;
        }
        self.bodies.moment = Version::next();
        if is_same {
            // Nothing has changed the world since the last tick, so the caches of that tick are still valid. Give them
            // the version of the new tick.
            *moment = self.bodies.moment;
        }
        false
    }

    /// Frees bodies that no longer overlap solid tiles, and stops those that do.
    #[inline(always)]
    pub(super) fn update_stuck_of_disturbed_bodies(&mut self) {
        if std::mem::take(&mut self.bodies.disturbed) {
            self.update_stuck_of_all_bodies();
        }
    }

    /// Wakes marked bodies, and updates the stuck flag of bodies that something other than a tick may have freed or
    /// overlapped.
    #[inline(never)]
    fn update_stuck_of_all_bodies(&mut self) {
        let resting = |state: &BodyState| state.now.disturbed && state.now.quiet == Now::AT_REST;
        loop {
            let found = self.bodies.iter().find(|(_, state)| resting(state)).map(|(id, _)| id);
            let Some(body) = found else { break };
            self.wake_with_bodies_on_top(body);
        }
        let scene = self.platforms.scene(&self.terrain, &self.settings);
        for (id, state) in self.bodies.iter_mut() {
            let scene = scene.of_kind(&state.kind);
            update_stuck_flag(&scene, self.tick + 1, id(), state, &mut self.scratch, &mut self.log.events);
        }
    }

    /// Drops the commands of the tick before the last one. Their spawned bodies are kept as memory for new ones.
    #[inline(never)]
    fn recycle_spawn_commands(&mut self) {
        for command in self.log.pending.drain() {
            if let Command::Spawn(body) = command
                && self.bodies.spare_spawns.len() < self.bodies.capacity()
            {
                self.bodies.spare_spawns.push(body);
            }
        }
    }
}
