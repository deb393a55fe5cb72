//! The loop over the bodies of a step: each body's own move, after the pair phase has moved the bodies that collide.

use super::super::near::{Loading, needs_loading};
use super::super::state::Now;
use super::super::{TickLog, World};
use super::{BodyState, Rules, Stance, Tick};
use crate::event::{Event, EventKind};

impl World {
    /// Moves the bodies, in the order of the slots. For bodies of the pair phase it only writes the results.
    pub(super) fn move_bodies(&mut self) {
        if !self.has_only_terrain() || !self.areas.active_effects().is_empty() {
            return self.move_each_body();
        }
        // Fast path: no body collides with others, no area acts on one, and all bodies are in the same loaded terrain.
        let scene = self.platforms.scene(&self.terrain, &self.settings);
        let rules = Rules::of_next_tick(&self.settings, &self.terrain, self.tick);
        let mut tick = Tick::new(scene, rules, &mut self.log.events);
        for (id, state) in self.bodies.iter_mut() {
            tick.move_body(id, state, &mut self.scratch);
        }
    }

    /// Returns whether bodies meet only platforms and the terrain, which is loaded and the same for all of them.
    #[inline]
    pub(in crate::world) fn has_only_terrain(&self) -> bool {
        !self.bodies.features_in_use().collide
            && !self.bodies.features_in_use().have_ups
            && self.terrain.layers_let_through().is_empty()
            && !self.terrain.is_streamed()
    }

    /// Reports bodies that left the map.
    #[inline(always)]
    pub(super) fn send_left_map_events(&mut self) {
        let left = self.scratch.left_map.drain(..).map(|body| Event { body, kind: EventKind::LeftMap });
        self.log.events.extend(left);
    }

    /// Returns whether all bodies that can collide sleep, and no streamed chunk can change one. `all_asleep` is true
    /// only from the second tick after a change on. In the first one, areas have found the bodies inside. A paused body
    /// does not sleep.
    fn can_world_sleep(&self) -> bool {
        self.bodies.features_in_use().collide && !self.terrain.is_streamed() && self.scratch.pairs.all_asleep()
    }

    /// Moves the bodies one by one, with the steps that each needs besides its own move.
    #[inline(never)]
    fn move_each_body(&mut self) {
        let mut sleeps = self.can_world_sleep();
        let World {
            terrain,
            platforms,
            areas,
            settings,
            bodies,
            scratch,
            log: TickLog { events, .. },
            tick: ticks,
            ..
        } = self;
        let mut acting = areas.active_effects();
        let differ = !terrain.layers_let_through().is_empty() || bodies.features_in_use().have_ups;
        let is_streamed = terrain.is_streamed();
        let collide = bodies.features_in_use().collide;
        let is_calm = acting.is_empty() && platforms.is_empty();
        let pairs = std::mem::take(&mut scratch.pairs);
        if cfg!(debug_assertions) && is_streamed {
            terrain.clear_and_unshare_missed_chunks();
        }
        let mut scene = platforms.scene(terrain, settings);
        let rules = Rules::of_next_tick(settings, terrain, *ticks);
        let mut tick = Tick::new(scene, rules, events);
        let (slots, bodies) = bodies.iter_mut_with_slots();
        for (slot, state) in bodies {
            let is_asleep = |state: &BodyState| state.now.quiet == Now::AT_REST && pairs.has_no_body_near(slot);
            if is_calm && is_asleep(state) {
                state.run_tick_at_rest();
                continue;
            }
            sleeps = false;
            let id = || slots.id(slot);
            if differ {
                tick.scene = scene.of_kind(&state.kind);
            }
            let acts = if is_calm { None } else { acting.take_next_effects(id()) };
            if !is_calm {
                tick.rules = rules.with_area_effects(acts);
                if acts.is_none() && is_asleep(state) {
                    state.run_tick_at_rest();
                    scratch.carries.skip_carried_body(id());
                    continue;
                }
            }
            let never_rests =
                |state: &BodyState| state.kind.character.is_some() || !Stance::of_state(&state.now).is_standing();
            if !is_streamed && state.now.quiet == 0 && pairs.has_no_body_near(slot) && never_rests(state) {
                // The body touches no other body and does not fall asleep, so its own move is all that it needs.
                tick.move_body(id, state, scratch);
                continue;
            }
            let solver_body = pairs.moved_or_sleeping_body(slot);
            if is_streamed && (solver_body.is_some() || needs_loading(&tick, state)) {
                let mut loading = Loading { terrain, platforms, rules: rules.with_area_effects(acts), scratch, events };
                loading.move_body(&pairs, (slot, id(), state), solver_body);
                scene = platforms.scene(terrain, settings);
                tick = Tick::new(scene, rules, events);
                continue;
            }
            if let Some(solver_body) = solver_body {
                tick.finish_collided_body(&pairs, solver_body, state, scratch);
                continue;
            }
            let before = Stance::of_state(&state.now);
            tick.move_body(id, state, scratch);
            if collide || is_streamed {
                tick.finish_own_tick(&pairs, slot, id(), state, before);
            }
        }
        debug_assert!(
            !is_streamed || terrain.take_first_missed_chunk().is_none(),
            "a step looks only at what is loaded"
        );
        scratch.pairs = pairs;
        scratch.sleep.is_complete = sleeps;
    }
}
