//! The order of a tick, and what is asked of each body at each of its points.

#[cfg(test)]
mod plain;

use super::{BodyState, Settings, World};
use crate::ballistic::Thrown;
use crate::body::{MAX_SPEED, Response};
use crate::event::{BodyId, Event, EventKind};
use crate::motion::{Frame, Nearby, Probe, Scene, Scratch, Shape, Side, Touching, points_into};
use crate::terrain::Terrain;
use crate::travel::{Struck, StruckOnce, Travel};
use crate::walker::{Gait, Intent, Walker};
use glam::{DVec2, I64Vec2};
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
        if std::mem::take(&mut self.disturbed) {
            for (id, state) in self.bodies.iter_mut() {
                free_or_stuck(&scene, id, state, &mut self.scratch, &mut self.events);
            }
        }
        // 3. Characters turn input into velocity, gravity acts, bodies move, contacts and events.
        self.scratch.left.clear();
        if self.terrain.is_streamed() {
            self.move_streamed();
        } else {
            let map = Extent::of(&self.terrain);
            let mut tick = Tick { scene, settings: &self.settings, map, events: &mut self.events };
            for (id, state) in self.bodies.iter_mut() {
                tick.move_body(id, state, &mut self.scratch);
            }
        }
        // 4. Who has left the map.
        self.events.extend(self.scratch.left.iter().map(|&body| Event { body, kind: EventKind::LeftMap }));
        self.tick += 1;
    }
}

/// The lists that every step fills again.
#[derive(Clone, Debug, Default)]
pub(super) struct StepScratch {
    probe: Scratch,
    /// For who drops through what may be dropped through: another terrain.
    near: Nearby,
    hits: Vec<StruckOnce>,
    /// Who has left the map in this tick.
    pub(super) left: Vec<BodyId>,
}

/// Works out what a body touches where it was put, or after something around it was painted.
pub(super) fn settle(scene: &Scene<'_>, state: &mut BodyState, scratch: &mut StepScratch) {
    // Whoever keeps no pieces, or those of elsewhere, is not told of what is painted: see `Nearby::forget`.
    state.freshen();
    state.near.doubt();
    if passes(state) {
        state.touched.renew().clear();
    } else {
        Probe::new(*scene, state.kind.shape, &mut state.near, &mut scratch.probe)
            .touching(state.now.place, state.touched.renew());
    }
    state.now.touching = Touching::of(state.touched.now(), state.now.place, &scene.frame);
}

/// Has a character that was put somewhere, or given a velocity, stand if it is on a floor and not on its way off it.
pub(super) fn set_down(scene: &Scene<'_>, state: &mut BodyState) {
    let stands = stands(scene, state);
    if state.kind.character.is_some() {
        state.now.memory.standing = stands;
        state.now.memory.speed = state.now.velocity.dot(scene.frame.right());
    }
}

/// Whether a body touches a floor and is not on its way off it, as one that rises past a one-way ledge is.
pub(super) fn stands(scene: &Scene<'_>, state: &BodyState) -> bool {
    stance(&scene.frame, state).1
}

/// Which sides of a body touch something, and whether it stands.
fn stance(frame: &Frame, state: &BodyState) -> (Touching, bool) {
    let (mut floors, mut stands) = (false, false);
    let touching = Touching::with_floors(state.touched.now(), state.now.place, frame, |normal| {
        floors = true;
        stands |= !points_into(-normal.as_dvec2(), state.now.velocity);
    });
    // Held by steep surfaces alone, it is not on its way off any.
    (touching, stands || (touching.floor && !floors))
}

pub(super) fn passes(state: &BodyState) -> bool {
    state.kind.character.is_none() && state.kind.response == Response::Pass
}

/// Looks at bodies that something from outside may have freed or built in.
fn free_or_stuck(
    scene: &Scene<'_>,
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
    let stuck = !passes(state) && scene.overlaps_solid(state.kind.shape, state.now.place);
    if stuck != state.now.stuck {
        state.now.stuck = stuck;
        events.push(Event { body: id, kind: if stuck { EventKind::Stuck } else { EventKind::Freed } });
    }
}

/// What a body is moved by.
#[derive(Clone, Copy)]
enum Will {
    /// Nothing but gravity.
    None { gravity: DVec2 },
    /// What its player and gravity ask for.
    Character(Intent),
    /// The same, without what may be dropped through.
    Drop { gravity: DVec2 },
}

/// A velocity within the limits; adding nothing makes a negative zero positive.
#[inline(always)]
fn within_limits(velocity: DVec2) -> DVec2 {
    velocity.clamp(DVec2::splat(-MAX_SPEED), DVec2::splat(MAX_SPEED)) + DVec2::ZERO
}

/// One tick under way: what all bodies have in common.
pub(super) struct Tick<'a> {
    pub(super) scene: Scene<'a>,
    pub(super) settings: &'a Settings,
    pub(super) map: Extent,
    pub(super) events: &'a mut Vec<Event>,
}

impl Tick<'_> {
    pub(super) fn move_body(&mut self, id: BodyId, state: &mut BodyState, scratch: &mut StepScratch) {
        state.freshen();
        state.now.previous = state.now.place;
        state.path.clear();
        if !state.now.stuck {
            self.travel(id, state, scratch);
        }
        let outside = self.map.leaves_out(state.now.place, state.kind.shape);
        if outside && !state.now.outside {
            scratch.left.push(id);
        }
        state.now.outside = outside;
    }

    /// Moves a body that is not stuck.
    #[inline(always)]
    fn travel(&mut self, id: BodyId, state: &mut BodyState, scratch: &mut StepScratch) {
        let gravity = self.settings.gravity_vector() * state.kind.gravity_scale;
        let Some(character) = &state.kind.character else {
            return self.travel_among(id, state, scratch, Will::None { gravity });
        };
        let (input, tick) = (state.now.input, self.settings.tick_seconds());
        let gait = Gait { character, input, frame: self.scene.frame, gravity, tick };
        if input.down {
            return self.drop(id, state, scratch, gravity);
        }
        let intent = gait.intent(&state.now.memory, state.now.touching.floor, state.now.velocity);
        state.now.memory.jump_held = input.jump;
        let stands = match intent {
            Intent::Walk { length, speed } => {
                if length == 0.0 && speed == 0.0 {
                    (state.now.memory.speed, state.now.velocity) = (speed, DVec2::ZERO);
                } else if state.near.blocks(state.now.place, length) {
                    (state.now.memory.speed, state.now.velocity) = (0.0, DVec2::ZERO);
                } else {
                    let mut stroll = state.near.stroll(state.now.place, length);
                    if stroll.is_none() && state.near.may_run_on(state.now.place, length) {
                        let mut probe = Probe::new(self.scene, state.kind.shape, &mut state.near, &mut scratch.probe);
                        probe.run_on(state.touched.now(), state.now.place, length);
                        stroll = state.near.stroll(state.now.place, length);
                    }
                    let Some(stroll) = stroll else {
                        return self.travel_among(id, state, scratch, Will::Character(intent));
                    };
                    (state.now.memory.speed, state.now.velocity) = (speed, within_limits(stroll.direction * speed));
                    if stroll.way != I64Vec2::ZERO {
                        state.now.place = state.now.place + stroll.way;
                        state.path.push(state.now.place);
                    }
                    if stroll.steps_over {
                        state.near.step_over(&stroll, state.touched.renew());
                    }
                    state.now.touching = Touching::FLOOR;
                }
                true
            }
            Intent::Fly { motion, velocity } => {
                if !state.near.is_clear(&self.scene, state.kind.shape, state.now.place, motion) {
                    return self.travel_among(id, state, scratch, Will::Character(intent));
                }
                (state.now.memory.standing, state.now.velocity) = (false, within_limits(velocity));
                if motion != I64Vec2::ZERO {
                    state.now.place = state.now.place + motion;
                    state.path.push(state.now.place);
                }
                state.touched.renew().clear();
                state.now.touching = Touching::default();
                false
            }
        };
        self.stand(id, state, stands);
    }

    /// Moves a character that drops through what may be dropped through.
    #[inline(never)]
    fn drop(&mut self, id: BodyId, state: &mut BodyState, scratch: &mut StepScratch, gravity: DVec2) {
        let will = Will::Drop { gravity };
        self.travel_among(id, state, scratch, will);
    }

    /// Moves a body among pieces that it may meet.
    #[inline(never)]
    fn travel_among(&mut self, id: BodyId, state: &mut BodyState, scratch: &mut StepScratch, will: Will) {
        let frame = self.scene.frame;
        let tick = self.settings.tick_seconds();
        scratch.hits.clear();
        state.near.doubt();
        let mut touch = state.touched.begin();
        let mut on_floor = state.now.touching.floor;
        let mut probe = if matches!(will, Will::Drop { .. }) {
            let scene = Scene { terrain: self.scene.terrain.dropped(), frame };
            scratch.near.clear();
            let mut probe = Probe::new(scene, state.kind.shape, &mut scratch.near, &mut scratch.probe);
            probe.touching(state.now.place, touch.renew());
            on_floor = Touching::of(touch.now(), state.now.place, &frame).floor;
            probe
        } else {
            Probe::new(self.scene, state.kind.shape, &mut state.near, &mut scratch.probe)
        };
        let hits = Struck { known: touch.before, start: state.now.velocity, list: &mut scratch.hits };
        let mut travel =
            Travel { place: state.now.place, velocity: state.now.velocity, path: &mut state.path, touch, hits };
        let memory = &mut state.now.memory;
        match (will, &state.kind.character) {
            (Will::Character(intent), Some(_)) => {
                Walker { probe: &mut probe }.step(intent, memory, &mut travel);
            }
            (Will::Drop { gravity }, Some(character)) => {
                let gait = Gait { character, input: state.now.input, frame, gravity, tick };
                let intent = gait.intent(memory, on_floor, state.now.velocity);
                memory.jump_held = state.now.input.jump;
                Walker { probe: &mut probe }.step(intent, memory, &mut travel);
            }
            (Will::None { gravity } | Will::Drop { gravity }, _) => {
                let (response, friction, rest_speed) =
                    (state.kind.response, state.kind.friction, state.kind.rest_speed);
                Thrown { probe: &mut probe, response, friction, rest_speed, gravity, tick }.step(&mut travel);
            }
            (Will::Character(_), None) => {}
        }
        state.now.place = travel.place;
        state.now.velocity = within_limits(travel.velocity);
        let fresh = travel.touch.is_fresh();
        state.touched.end(fresh);
        for hit in &scratch.hits {
            self.report(id, hit, state.kind.character.is_some());
        }
        let (touching, stands) = stance(&frame, state);
        state.now.touching = touching;
        self.stand(id, state, stands);
    }

    #[inline(always)]
    fn stand(&mut self, body: BodyId, state: &mut BodyState, stands: bool) {
        if stands != state.now.stands {
            let kind = if stands { EventKind::Landed } else { EventKind::LeftFloor };
            self.events.push(Event { body, kind });
            state.now.stands = stands;
        }
    }

    fn report(&mut self, body: BodyId, hit: &StruckOnce, is_character: bool) {
        let normal = hit.surface.normal(hit.place);
        let side = self.scene.frame.side(normal);
        // To a character floors are no obstacles.
        if !is_character || side != Side::Floor {
            let normal = normal.as_dvec2().normalize_or_zero();
            let kind = EventKind::Hit { side, speed: hit.speed, normal, tile: hit.surface.cell, place: hit.place };
            self.events.push(Event { body, kind });
        }
    }
}

/// The rectangle of a map, in units.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    low: I64Vec2,
    high: I64Vec2,
}

impl Extent {
    pub(super) fn of(terrain: &Terrain) -> Extent {
        let (origin, size) = (terrain.origin(), terrain.size());
        let low = I64Vec2::new(i64::from(origin.0), i64::from(origin.1));
        let size = I64Vec2::new(i64::from(size.0), i64::from(size.1));
        Extent { low: low * ONE, high: (low + size) * ONE }
    }

    /// Whether the whole of a shape lies beyond the map's edges.
    #[inline]
    fn leaves_out(&self, place: Place, shape: Shape) -> bool {
        let (at, half) = (place.units(), shape.half());
        at.x + half.x <= self.low.x
            || at.x - half.x >= self.high.x
            || at.y + half.y <= self.low.y
            || at.y - half.y >= self.high.y
    }
}
