//! Finds the contacts of a body at its position, and whether it is on the ground.

use super::StepScratch;
use crate::body::Response;
use crate::event::{BodyId, Event, EventKind};
use crate::motion::{Probe, Scene, Touching, points_into};
use crate::world::BodyState;

/// Finds the contacts of a body after it was placed or a tile near it was edited. The caller decides whether it is on
/// the ground.
pub(in crate::world) fn settle(scene: &Scene<'_>, state: &mut BodyState, scratch: &mut StepScratch) {
    let (passes, shape, position) = (passes(state), state.kind.shape, state.now.position);
    state.outdate();
    let cold = state.cold();
    if passes {
        cold.touched.clear();
    } else {
        cold.near.open(&mut scratch.room);
        Probe::new(scene, shape, &mut cold.near, &mut scratch.probe).touching(position, &mut scratch.touched);
        cold.touch(&scratch.touched);
        // The body may not move for a long time.
        cold.near.close(&mut scratch.room, false);
    }
}

/// Sets the grounded state of a body that a command has placed or given a velocity. It is on the ground if it touches
/// a floor and does not move off it.
pub(in crate::world) fn set_down(scene: &Scene<'_>, tick: u64, state: &mut BodyState) {
    let (touching, stands) = stance(scene, state);
    let speed = if state.kind.character.is_some() { state.now.velocity.dot(scene.frame.right()) } else { 0.0 };
    state.change(|now| now.take_footing(touching, stands.then_some(speed), tick));
}

/// Returns the sides of a body that touch something, and whether it stands on a floor. It does not stand on a floor
/// that it moves off, for example when it rises past a one-way tile.
#[inline(never)]
fn stance(scene: &Scene<'_>, state: &BodyState) -> (Touching, bool) {
    let (mut floors, mut stands) = (false, false);
    let touching = Touching::with_floors(state.touched(), state.now.position, &scene.frame, |surface, normal| {
        floors = true;
        stands |= !points_into(-normal.as_dvec2(), scene.seen_velocity(surface, state.now.velocity));
    });
    // A body held only by steep surfaces does not move off any.
    (touching, stands || (touching.floor && !floors))
}

/// [`stance`], faster if nothing touches the body.
#[inline(always)]
pub(in crate::world::step) fn sides_of(scene: &Scene<'_>, state: &BodyState) -> (Touching, bool) {
    if state.touched().is_empty() { (Touching::default(), false) } else { stance(scene, state) }
}

/// Returns whether a body passes through everything: it is carried by a character, or its response is
/// [`Response::Pass`].
pub(in crate::world) fn passes(state: &BodyState) -> bool {
    state.now.held || (state.kind.character.is_none() && state.kind.response == Response::Pass)
}

/// Updates the stuck flag of a body that something other than a tick may have freed or overlapped.
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
    state.change(|now| now.disturbed = false);
    settle(scene, state, scratch);
    let stuck = !passes(state) && scene.overlaps_terrain(state.kind.shape, state.now.position);
    let (touching, _) = sides_of(scene, state);
    // Without a floor the body is in the air, unless it is stuck. The next tick decides whether it has landed.
    let speed = state.now.footing.speed().filter(|_| stuck || touching.floor);
    let was_stuck = state.now.stuck;
    state.change(|now| {
        now.take_footing(touching, speed, tick);
        now.stuck = stuck;
    });
    if stuck != was_stuck {
        events.push(Event { body: id, kind: if stuck { EventKind::Stuck } else { EventKind::Unstuck } });
    }
}
