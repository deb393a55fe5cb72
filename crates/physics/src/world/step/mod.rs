//! One step of the world: its phases, in order.
//!
//! Each phase is a method in a file of its own. A phase without work to do costs a test of a few flags. Each body
//! moves once: with the platform that carries it, together with the bodies that it collides with ([`pairs`]), or by
//! its own tick ([`body_tick`]). `walker` moves characters and `ballistic` all other bodies. Both use `motion` to
//! find the terrain and platforms that a body hits.

mod areas;
mod begin;
mod body_tick;
mod frame_change;
mod islands;
mod own_move;
mod pairs;
mod platform_clearance;
mod platforms;
mod prediction;
mod riding;
mod scratch;
mod shift;
pub(super) mod standing;
#[cfg(test)]
mod tests;
mod trial;

use super::{BodyState, World};
pub(super) use body_tick::{Extent, Rules, Tick};
pub(super) use frame_change::velocity_inherited_by_jump;
pub(super) use pairs::{Pairs, SolverBody, Stance, can_collide_now, lies_on, may_collide};
pub(super) use platform_clearance::{Clearance, Isolation};
pub(super) use riding::Riding;
pub(super) use scratch::StepScratch;
use standing::sides_and_standing_of_body;
pub(super) use standing::{find_contacts, passes_through_everything, update_grounded_after_command};

impl World {
    /// Advances the world by one tick of [`Settings::tick`](crate::world::Settings::tick) seconds. [`World::events`]
    /// then lists what happened.
    ///
    /// The call cannot fail. Once its internal lists have grown to the size that the scene needs, it allocates
    /// nothing.
    pub fn step(&mut self) {
        self.begin_tick_log();
        if self.try_stay_asleep() {
            self.tick += 1;
            return;
        }
        self.update_stuck_of_disturbed_bodies();
        // No area is added or removed before the step ends.
        let has_areas = !self.areas.is_idle();
        if has_areas {
            self.update_ups_from_areas();
        }
        self.clear_and_find_shifts();
        self.count_down_pauses_and_freeze();
        if has_areas {
            self.apply_area_effects();
        }
        self.choose_modes();
        self.move_platforms_and_riders();
        self.move_colliding_bodies();
        self.move_bodies();
        self.update_riders();
        self.update_held_bodies();
        self.restore_inputs_and_unfreeze();
        self.add_shifts_to_paths();
        self.send_left_map_events();
        if has_areas {
            self.update_bodies_in_areas();
        }
        self.tick += 1;
    }
}
