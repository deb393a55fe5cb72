//! What a body touches where it was put, and whether it stands there.

use super::StepScratch;
use crate::body::Response;
use crate::event::{BodyId, Event, EventKind};
use crate::motion::{Probe, Scene, Touching, points_into};
use crate::world::BodyState;
use crate::world::state::Known;

/// Works out what a body touches where it was put, or after something around it was painted. Whether that keeps it on the
/// ground is for the caller to say.
pub(in crate::world) fn settle(scene: &Scene<'_>, state: &mut BodyState, scratch: &mut StepScratch) {
    // A body that keeps no pieces, or pieces of elsewhere, is not told of what is painted: see `Nearby::invalidate_tiles`.
    let (passes, shape, position) = (passes(state), state.kind.shape, state.now.position);
    state.known = Known::NOTHING;
    let cold = state.cold();
    cold.near.invalidate();
    if passes {
        cold.touched.clear();
    } else {
        cold.near.open(&mut scratch.room);
        Probe::new(scene, shape, &mut cold.near, &mut scratch.probe).touching(position, &mut scratch.touched);
        cold.touch(&scratch.touched);
        // It may be long until it moves.
        cold.near.close(&mut scratch.room, false);
    }
}

/// Finds whether a body that a command has placed, or given a velocity, is on the ground: it touches a floor and is not on
/// its way off.
pub(in crate::world) fn set_down(scene: &Scene<'_>, tick: u64, state: &mut BodyState) {
    state.known = Known::NOTHING;
    let (touching, stands) = stance(scene, state);
    let speed = if state.kind.character.is_some() { state.now.velocity.dot(scene.frame.right()) } else { 0.0 };
    state.now.take_footing(touching, stands.then_some(speed), tick);
}

/// Which sides of a body touch something, and whether it touches a floor that it is not on its way off, as one that rises past
/// a one-way ledge is.
#[inline(never)]
fn stance(scene: &Scene<'_>, state: &BodyState) -> (Touching, bool) {
    let (mut floors, mut stands) = (false, false);
    let touching = Touching::with_floors(state.touched(), state.now.position, &scene.frame, |surface, normal| {
        floors = true;
        stands |= !points_into(-normal.as_dvec2(), scene.seen_velocity(surface, state.now.velocity));
    });
    // Held by steep surfaces alone, it is not on its way off any.
    (touching, stands || (touching.floor && !floors))
}

/// [`stance`], quicker where nothing is touched.
#[inline(always)]
pub(in crate::world::step) fn sides_of(scene: &Scene<'_>, state: &BodyState) -> (Touching, bool) {
    if state.touched().is_empty() { (Touching::default(), false) } else { stance(scene, state) }
}

pub(in crate::world) fn passes(state: &BodyState) -> bool {
    state.now.held || (state.kind.character.is_none() && state.kind.response == Response::Pass)
}

/// Looks at bodies that something from outside may have freed or built in.
pub(in crate::world) fn free_or_stuck(
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
    state.now.disturbed = false;
    settle(scene, state, scratch);
    let stuck = !passes(state) && scene.overlaps_terrain(state.kind.shape, state.now.position);
    let (touching, _) = sides_of(scene, state);
    // Without a floor it is in the air, but for one that cannot move; whether it has come to one is for its tick to say.
    let speed = state.now.footing.speed().filter(|_| stuck || touching.floor);
    state.now.take_footing(touching, speed, tick);
    if stuck != state.now.stuck {
        state.now.stuck = stuck;
        events.push(Event { body: id, kind: if stuck { EventKind::Stuck } else { EventKind::Unstuck } });
    }
}
