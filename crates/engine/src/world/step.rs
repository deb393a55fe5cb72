//! The order of a tick, and what is asked of each body at each of its points.

use super::{BodyState, Settings, World};
use crate::ballistic::Thrown;
use crate::body::{MAX_SPEED, Response};
use crate::event::{BodyId, Event, EventKind};
use crate::motion::{Probe, Scene, Scratch, Side, Surfaces, Touching, points_into};
use crate::terrain::Terrain;
use crate::travel::{Struck, StruckOnce, Travel};
use crate::walker::Walker;
use glam::DVec2;
use surefoot_geometry::{ONE, Place};

impl World {
    /// Moves the world on by one tick. It cannot fail, and allocates nothing once its lists have grown.
    pub fn step(&mut self) {
        self.events.clear();
        // 1. Commands have been carried out as they were given; they become those of this tick.
        std::mem::swap(&mut self.pending, &mut self.given);
        self.pending.clear();
        let scene = super::scene(&self.terrain, &self.settings);
        // 2. What was built into or set free.
        for (id, state) in &mut self.bodies {
            free_or_stuck(&scene, id, state, &mut self.scratch, &mut self.events);
        }
        // 3. Characters turn input into velocity, gravity acts, bodies move, contacts and events.
        if self.terrain.is_streamed() {
            self.move_streamed();
        } else {
            for (id, state) in &mut self.bodies {
                move_body(&scene, &self.settings, id, state, &mut self.scratch, &mut self.events);
            }
        }
        // 4. Who has left the map.
        for (id, state) in &mut self.bodies {
            leave_map(&self.terrain, id, state, &mut self.events);
        }
        self.tick += 1;
    }
}

/// The lists that every step fills again.
#[derive(Clone, Debug, Default)]
pub(super) struct StepScratch {
    probe: Scratch,
    before: Surfaces,
    hits: Vec<StruckOnce>,
}

/// Works out what a body touches where it was put, or after something around it was painted.
pub(super) fn settle(scene: &Scene<'_>, state: &mut BodyState, scratch: &mut StepScratch) {
    if passes(state) {
        state.surfaces.clear();
    } else {
        Probe::new(*scene, state.shape, &mut scratch.probe).touching(state.place, &mut state.surfaces);
    }
    state.touching = Touching::of(&state.surfaces, state.place, &scene.frame);
}

/// Has a character that was put somewhere, or given a velocity, stand if it is on a floor and not on its way off it.
pub(super) fn set_down(scene: &Scene<'_>, state: &mut BodyState) {
    let stands = stands(scene, state);
    if let Some((_, character)) = &mut state.character {
        character.standing = stands;
        character.speed = state.velocity.dot(scene.frame.right());
    }
}

/// Whether a body touches a floor and is not on its way off it, as one that rises past a one-way ledge is.
pub(super) fn stands(scene: &Scene<'_>, state: &BodyState) -> bool {
    let normals = state.surfaces.iter().map(|surface| surface.normal(state.place));
    let mut floors = normals.filter(|normal| scene.frame.is_floor(*normal)).peekable();
    let wedged = floors.peek().is_none();
    state.touching.floor && (wedged || floors.any(|normal| !points_into(-normal.as_dvec2(), state.velocity)))
}

pub(super) fn passes(state: &BodyState) -> bool {
    state.character.is_none() && state.response == Response::Pass
}

/// Looks at bodies that something from outside may have freed or built in.
fn free_or_stuck(
    scene: &Scene<'_>,
    id: BodyId,
    state: &mut BodyState,
    scratch: &mut StepScratch,
    events: &mut Vec<Event>,
) {
    if !state.disturbed {
        return;
    }
    state.disturbed = false;
    settle(scene, state, scratch);
    let stuck = !passes(state) && scene.overlaps_solid(state.shape, state.place);
    if stuck != state.stuck {
        state.stuck = stuck;
        events.push(Event { body: id, kind: if stuck { EventKind::Stuck } else { EventKind::Freed } });
    }
}

pub(super) fn move_body(
    scene: &Scene<'_>,
    settings: &Settings,
    id: BodyId,
    state: &mut BodyState,
    scratch: &mut StepScratch,
    events: &mut Vec<Event>,
) {
    state.previous = state.place;
    state.path.clear();
    if state.stuck {
        return;
    }
    let mut scene = *scene;
    scratch.before.clear();
    scratch.hits.clear();
    scratch.before.extend_from_slice(&state.surfaces);
    let mut on_floor = state.touching.floor;
    if state.character.is_some() && state.input.down {
        scene.terrain = scene.terrain.dropped();
        Probe::new(scene, state.shape, &mut scratch.probe).touching(state.place, &mut state.surfaces);
        on_floor = Touching::of(&state.surfaces, state.place, &scene.frame).floor;
    }
    let mut probe = Probe::new(scene, state.shape, &mut scratch.probe);
    let mut travel = Travel {
        place: state.place,
        velocity: state.velocity,
        path: &mut state.path,
        surfaces: &mut state.surfaces,
        hits: Struck { known: &scratch.before, start: state.velocity, list: &mut scratch.hits },
    };
    let gravity = settings.gravity_vector() * state.gravity_scale;
    let tick = settings.tick_seconds();
    if let Some((character, memory)) = &mut state.character {
        Walker { probe: &mut probe, character, input: state.input, on_floor, gravity, tick }.step(memory, &mut travel);
    } else {
        let (response, friction, rest_speed) = (state.response, state.friction, state.rest_speed);
        Thrown { probe: &mut probe, response, friction, rest_speed, gravity, tick }.step(&mut travel);
    }
    state.place = travel.place;
    // Adding nothing makes a negative zero positive.
    state.velocity = travel.velocity.clamp(DVec2::splat(-MAX_SPEED), DVec2::splat(MAX_SPEED)) + DVec2::ZERO;
    for hit in &scratch.hits {
        let normal = hit.surface.normal(hit.place);
        let side = scene.frame.side(normal);
        // To a character floors are no obstacles.
        if state.character.is_none() || side != Side::Floor {
            let normal = normal.as_dvec2().normalize_or_zero();
            let kind = EventKind::Hit { side, speed: hit.speed, normal, tile: hit.surface.cell, place: hit.place };
            events.push(Event { body: id, kind });
        }
    }
    state.touching = Touching::of(&state.surfaces, state.place, &scene.frame);
    let stands = stands(&scene, state);
    if stands != state.stands {
        let kind = if stands { EventKind::Landed } else { EventKind::LeftFloor };
        events.push(Event { body: id, kind });
    }
    state.stands = stands;
}

fn leave_map(terrain: &Terrain, id: BodyId, state: &mut BodyState, events: &mut Vec<Event>) {
    let outside = is_outside(terrain, state.place, state);
    if outside && !state.outside {
        events.push(Event { body: id, kind: EventKind::LeftMap });
    }
    state.outside = outside;
}

/// Whether the whole of a body lies beyond the map's edges.
fn is_outside(terrain: &Terrain, place: Place, state: &BodyState) -> bool {
    let (low, size) = (terrain.origin(), terrain.size());
    let half = state.shape.half();
    let beyond = |at: i64, half: i64, low: i32, size: u32| {
        let low = i64::from(low) * ONE;
        at + half <= low || at - half >= low + i64::from(size) * ONE
    };
    let at = place.units();
    beyond(at.x, half.x, low.0, size.0) || beyond(at.y, half.y, low.1, size.1)
}
