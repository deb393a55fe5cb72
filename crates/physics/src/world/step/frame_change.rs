//! Change of a body's frame at the end of its own move: from the platform that it rode to the one that it rides now.
//!
//! A body's velocity is relative to the platform that it rides. A body that falls off a platform keeps all of the
//! platform's velocity. A jump inherits the part that the character's settings allow. For a while after a platform has
//! stopped, a jump inherits its last velocity.

use super::super::state::Lifted;
use super::riding::find_push_limits_and_bounce;
use super::{BodyState, Isolation, Riding, StepScratch, Tick};
use crate::body::{Character, limit_velocity};
use crate::motion::{Owner, Surface, Surfaces, keep_fastest_rising, project_out_of_surfaces, project_velocity};
use glam::DVec2;

/// Returns the velocity that a jump inherits from the ridden platform: `velocity`, or `last` within the grace time.
/// `end`: number of the tick; `tick`: its length in seconds.
pub(in crate::world) fn velocity_inherited_by_jump(
    character: &Character,
    (velocity, last): (DVec2, Option<Lifted>),
    (end, tick): (u64, f64),
    up: DVec2,
) -> DVec2 {
    let ticks = (character.platform_velocity_grace / tick).round();
    let last = last.filter(|last| velocity == DVec2::ZERO && (end - last.tick) as f64 <= ticks);
    character.platform_velocity.part_inherited_by_jump(last.map_or(velocity, |last| last.velocity), up)
}

impl Tick<'_> {
    /// Gives a body after its own move the frame of the platform that it rides now.
    pub(in crate::world) fn switch_to_ridden_frame(
        &self,
        state: &mut BodyState,
        scratch: &StepScratch,
        riding: &Riding,
    ) {
        if state.now.stuck {
            // A stuck body does not move with platforms. It keeps its velocity until it becomes free.
            if let Some(cold) = &mut state.cold {
                cold.carried = DVec2::ZERO;
            }
            return;
        }
        let scene = &self.scene;
        let before = self.inherited_velocity(state, riding.velocity, riding.may_jump);
        let mut rides = state.ridden_sources(&scene.frame);
        // Leave out platforms that crushed the body: it may still hold on to one of them.
        rides.retain(|owner| !matches!(owner, Owner::Platform(slot) if riding.carried.ignored.contains(slot)));
        keep_fastest_rising(&mut rides, |owner| scene.around.velocity(owner).dot(scene.frame.up()));
        let after = scene.around.combined_velocity(rides.iter().copied());
        self.store_platform_velocity(state, after, &riding.carried.rides, &rides);
        // Convert the velocity to the frame of the new ride. A body that holds on to a platform, such as by a ledge or
        // a ladder, keeps its velocity, which is relative to that platform.
        if before != after && state.held_platform().is_none() {
            let change = before - after;
            state.now.velocity = limit_velocity(state.now.velocity + change);
            if state.kind.character.is_some() {
                state.now.footing.add_ground_speed(change.dot(scene.frame.right()));
                if state.on_floor() {
                    state.now.velocity = self.velocity_along_floors(state, &rides);
                }
            }
        }
        let pushers = riding.pushers(&scratch.carries);
        let is_pushed = !pushers.is_empty();
        if is_pushed {
            self.raise_velocity_to_push(state, after, pushers);
        }
        if let Some(cold) = &mut state.cold {
            cold.carried = after;
        }
        if riding.carried.ignored.is_empty() {
            let own_displacement = state.now.position - riding.start;
            state.update_isolation(&scene.around, &rides, own_displacement, self.rules.end);
        }
        // The next tick cannot repeat this tick if the velocity has changed, or if platforms pushed or moved the body.
        let is_brought = state.prediction.isolation != Isolation::Riding && riding.carried.from != riding.start;
        if before != after || is_pushed || is_brought {
            state.prediction.drop_predicted_repeats();
        }
    }

    /// Returns the velocity of a character along the floors on which it has just landed. It moved onto them as if
    /// they did not move.
    fn velocity_along_floors(&self, state: &BodyState, rides: &[Owner]) -> DVec2 {
        let (position, frame) = (state.now.position, &self.scene.frame);
        let is_floor = |surface: &&Surface| rides.contains(&surface.owner) && frame.is_floor(surface.normal(position));
        let floors: Surfaces = state.touched().iter().filter(is_floor).copied().collect();
        // Project twice, the second time with reversed sign. So the velocity points neither into the floors nor away
        // from them.
        -project_velocity(&floors, position, -project_velocity(&floors, position, state.now.velocity)) + DVec2::ZERO
    }

    /// Gives a body that platforms have pushed at least their velocity.
    fn raise_velocity_to_push(&self, state: &mut BodyState, frame_velocity: DVec2, pushers: &[Surface]) {
        let world = state.now.velocity + frame_velocity;
        let (limits, bounce) = find_push_limits_and_bounce(&self.scene, state, pushers);
        let raised = project_out_of_surfaces(world, &limits, bounce);
        if raised != world {
            state.now.velocity = limit_velocity(raised - frame_velocity);
        }
    }

    /// Returns the velocity that a body inherits from the platform that it rode when its tick began. `velocity` is
    /// the platform's. A body on a floor, or without a character, inherits all of it.
    fn inherited_velocity(&self, state: &BodyState, velocity: DVec2, may_jump: bool) -> DVec2 {
        let (up, now) = (self.scene.frame.up(), &state.now);
        let Some(character) = &state.kind.character else { return velocity };
        // A character in the air that holds the down button may have dropped through its floor instead of jumping. It
        // has jumped only if it rises.
        let jumps = may_jump && !state.on_floor() && (!now.input.is_down_held() || now.velocity.dot(up) > 0.0);
        let times = (self.rules.end, self.rules.settings.tick);
        if jumps {
            velocity_inherited_by_jump(character, (velocity, state.inheritable_velocity()), times, up)
        } else {
            velocity
        }
    }

    /// Stores the platform velocity of a rider at the end of its tick, for jumps after the platform has stopped.
    /// `before`: ridden owners when the tick began; `rides`: ridden owners now.
    #[inline]
    pub(super) fn store_platform_velocity(
        &self,
        state: &mut BodyState,
        velocity: DVec2,
        before: &[Owner],
        rides: &[Owner],
    ) {
        let has_grace = state.kind.character.is_some_and(|character| character.platform_velocity_grace > 0.0);
        if !has_grace && state.inheritable_velocity().is_none() {
            return;
        }
        let goes_on = || rides.iter().any(|owner| *owner != Owner::Terrain && before.contains(owner));
        let lift = match state.inheritable_velocity() {
            _ if !has_grace || !(state.on_floor() || state.held_platform().is_some()) => None,
            _ if velocity != DVec2::ZERO => Some(Lifted { velocity, tick: self.rules.end }),
            last => last.filter(|_| goes_on()),
        };
        if lift != state.inheritable_velocity() {
            state.cold_mut().lift = lift;
        }
    }
}
