//! What a character takes along of the velocity of what it rides when it leaves it.
//!
//! Whatever falls off a platform goes on with all of its velocity. A jump takes what the character says, and for a while
//! after a platform has stopped still what it had last.

use super::super::state::Lifted;
use super::{BodyState, Tick};
use crate::body::Character;
use crate::motion::Owner;
use glam::DVec2;

/// Whether a character jumps off its floor in the tick under way, as far as its input goes.
pub(super) fn may_jump(state: &BodyState) -> bool {
    let now = &state.now;
    state.kind.character.is_some() && now.footing.is_ground() && now.asks_to_jump()
}

/// What a jump takes along of the velocity of what the character rides, or of how fast that went last, in the tick that ends with a number and
/// is so many seconds long.
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
    /// The velocity that a body takes along of what it rode when its tick began, which goes at `velocity`. A body that is on a
    /// floor, or no character, takes all of it.
    pub(super) fn taken_along(&self, state: &BodyState, velocity: DVec2, may_jump: bool) -> DVec2 {
        let (up, now) = (self.scene.frame.up(), &state.now);
        let Some(character) = &state.kind.character else { return velocity };
        // It may have dropped through the floor instead.
        let jumps = may_jump && !state.on_floor() && (!now.input.down() || now.velocity.dot(up) > 0.0);
        let times = (self.rules.end, self.rules.settings.tick);
        if jumps { taken_by_jump(character, (velocity, state.lift()), times, up) } else { velocity }
    }

    /// Notes how fast what a character rides goes, at the end of its tick, for when it has stopped. `before` is what it rode
    /// when the tick began, `rides` what it rides now.
    #[inline]
    pub(super) fn note_lift(&self, state: &mut BodyState, velocity: DVec2, before: &[Owner], rides: &[Owner]) {
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
