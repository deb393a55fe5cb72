//! Velocity that a character inherits from its platform when it leaves the platform.
//!
//! A body that falls off a platform keeps all of the platform's velocity. A jump inherits the part that the
//! character's settings allow. For a while after a platform has stopped, a jump still inherits the platform's last
//! velocity.

use super::super::state::Lifted;
use super::{BodyState, Tick};
use crate::body::Character;
use crate::motion::Owner;
use glam::DVec2;

/// Returns whether the input of a character makes it jump off its floor in this tick.
pub(super) fn may_jump(state: &BodyState) -> bool {
    let now = &state.now;
    state.kind.character.is_some() && now.footing.is_ground() && now.leaves_ground_by_input()
}

/// Returns the velocity that a jump inherits from the ridden platform: `velocity`, or `last` within the grace time.
/// `end`: number of the tick; `tick`: its length in seconds.
pub(in crate::world) fn taken_by_jump(
    character: &Character,
    (velocity, last): (DVec2, Option<Lifted>),
    (end, tick): (u64, f64),
    up: DVec2,
) -> DVec2 {
    let ticks = (character.platform_velocity_grace / tick).round();
    let last = last.filter(|last| velocity == DVec2::ZERO && (end - last.tick) as f64 <= ticks);
    character.platform_velocity.of(last.map_or(velocity, |last| last.velocity), up)
}

impl Tick<'_> {
    /// Returns the velocity that a body inherits from the platform that it rode when its tick began. `velocity` is
    /// the platform's. A body on a floor, or without a character, inherits all of it.
    pub(super) fn taken_along(&self, state: &BodyState, velocity: DVec2, may_jump: bool) -> DVec2 {
        let (up, now) = (self.scene.frame.up(), &state.now);
        let Some(character) = &state.kind.character else { return velocity };
        // The character may have dropped through the floor instead.
        let jumps = may_jump && !state.on_floor() && (!now.input.down() || now.velocity.dot(up) > 0.0);
        let times = (self.rules.end, self.rules.settings.tick);
        if jumps { taken_by_jump(character, (velocity, state.lift()), times, up) } else { velocity }
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
        if !has_grace && state.lift().is_none() {
            return;
        }
        let goes_on = || rides.iter().any(|owner| *owner != Owner::Terrain && before.contains(owner));
        let lift = match state.lift() {
            _ if !has_grace || !(state.on_floor() || state.holds_on_to().is_some()) => None,
            _ if velocity != DVec2::ZERO => Some(Lifted { velocity, tick: self.rules.end }),
            last => last.filter(|_| goes_on()),
        };
        if lift != state.lift() {
            state.cold().lift = lift;
        }
    }
}
