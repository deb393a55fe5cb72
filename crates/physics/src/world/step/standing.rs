//! Finds the contacts of a body at its position, and whether it is on the ground.

use super::StepScratch;
use crate::body::Response;
use crate::event::{BodyId, Event, EventKind};
use crate::motion::{Scene, Touching};
use crate::world::BodyState;
use crate::world::state::Now;

/// Finds the contacts of a body after it was placed or a tile near it was edited. The caller decides whether it is on
/// the ground.
pub(in crate::world) fn find_contacts(scene: &Scene<'_>, state: &mut BodyState, scratch: &mut StepScratch) {
    state.replace_state(|_| {});
    scratch.touched.clear();
    if !passes_through_everything(state) {
        scene.find_touching(state.kind.shape, state.now.position, &mut scratch.touched);
    }
    // Most bodies of a map touch nothing when they are spawned. They need no memory for contacts yet.
    if state.cold.is_none() && scratch.touched.is_empty() {
        return;
    }
    let cold = state.cold_mut();
    cold.set_contacts_if_changed(&scratch.touched);
    // The body may rest for a long time, so give all of its memory back.
    cold.near.clear_and_return_memory(&mut scratch.spare_lists);
}

/// Sets the grounded state of a body that a command has placed or given a velocity. It is on the ground if it touches
/// a floor and does not move off it.
pub(in crate::world) fn update_grounded_after_command(scene: &Scene<'_>, tick: u64, state: &mut BodyState) {
    let (touching, stands) = sides_and_standing_of_body(scene, state);
    let speed = if state.kind.character.is_some() { state.now.velocity.dot(scene.frame.right()) } else { 0.0 };
    state.change(|now| now.set_footing(touching, stands.then_some(speed), tick));
}

/// [`Scene::sides_and_standing`] of a body, faster if nothing touches it.
#[inline(always)]
pub(super) fn sides_and_standing_of_body(scene: &Scene<'_>, state: &BodyState) -> (Touching, bool) {
    let Now { position, velocity, .. } = state.now;
    match state.touched() {
        [] => (Touching::default(), false),
        touched => scene.sides_and_standing(touched, position, velocity),
    }
}

/// Returns whether a body passes through everything: it is carried by a character, or its response is
/// [`Response::Pass`].
pub(in crate::world) fn passes_through_everything(state: &BodyState) -> bool {
    state.now.held || (state.kind.character.is_none() && state.kind.response == Response::Pass)
}

/// Updates the stuck flag of a body that something other than a tick may have freed or overlapped.
pub(in crate::world) fn update_stuck_flag(
    scene: &Scene<'_>,
    tick: u64,
    id: BodyId,
    state: &mut BodyState,
    scratch: &mut StepScratch,
    events: &mut Vec<Event>,
) {
    if !state.now.disturbed {
        return;
    }
    state.change(|now| now.disturbed = false);
    find_contacts(scene, state, scratch);
    let stuck = !passes_through_everything(state) && scene.overlaps_terrain(state.kind.shape, state.now.position);
    let (touching, _) = sides_and_standing_of_body(scene, state);
    // A body that no longer touches a floor is in the air, unless it is stuck. A body in the air stays there, even if
    // it touches a floor now: its next tick decides whether it has landed.
    let speed = state.now.footing.speed().filter(|_| stuck || touching.floor);
    let was_stuck = state.now.stuck;
    state.change(|now| {
        now.set_footing(touching, speed, tick);
        now.stuck = stuck;
    });
    if stuck != was_stuck {
        events.push(Event { body: id, kind: if stuck { EventKind::Stuck } else { EventKind::Unstuck } });
    }
}
