//! A body's own tick that may be taken back: it is made on trial where bodies collide, and again after a chunk on its way had to be
//! loaded.

use super::super::state::{Known, Now};
use super::{BodyState, StepScratch, Tick, within_limits};
use crate::event::BodyId;
use crate::motion::{Path, Probe, Touch, Touched, Toucher, Trace};
use crate::movement::{Hits, Movement};
use crate::walker::{Intent, Next, Walker};
use glam::DVec2;

/// What a body's own tick changes, as it was before the tick.
#[derive(Debug, Default)]
pub(in crate::world) struct Before {
    state: Option<(Now, Known)>,
    touched: Touched,
    path: Path,
    /// Number of bodies that had left the map.
    left: usize,
}

impl Before {
    pub(in crate::world) fn save(&mut self, state: &mut BodyState, scratch: &StepScratch) {
        (self.state, self.left) = (Some((state.now, state.known)), scratch.left.len());
        let cold = state.cold();
        self.touched.clear();
        self.touched.extend_from_slice(&cold.touched);
        self.path.clear();
        self.path.extend_from_slice(&cold.path);
    }

    pub(in crate::world) fn restore(&self, state: &mut BodyState, scratch: &mut StepScratch) {
        let Some((now, known)) = self.state else { return };
        (state.now, state.known) = (now, known);
        scratch.left.truncate(self.left);
        let cold = state.cold();
        cold.touched.clear();
        cold.touched.extend_from_slice(&self.touched);
        cold.path.clear();
        cold.path.extend_from_slice(&self.path);
    }
}

impl Tick<'_> {
    /// Moves a body without what is known from earlier ticks, and records the straight parts of its way.
    pub(in crate::world) fn move_traced<T: Trace>(
        &mut self,
        id: BodyId,
        state: &mut BodyState,
        scratch: &mut StepScratch,
        trace: T,
    ) {
        self.begin_tick(state, scratch);
        if !state.now.stuck {
            state.cold().near.open(&mut scratch.room);
            if state.kind.character.is_some() {
                self.walk_traced(id, state, scratch, trace);
            } else {
                self.throw_traced(id, state, scratch, trace);
            }
            state.cold().near.close(&mut scratch.room, true);
        }
        self.note_outside(id, state, scratch);
    }

    fn walk_traced<T: Trace>(&mut self, id: BodyId, state: &mut BodyState, scratch: &mut StepScratch, trace: T) {
        let drops = state.drops();
        let BodyState { kind, now, cold: Some(cold), .. } = &mut *state else { return };
        let Some(character) = &kind.character else { return };
        let own = if drops { &mut scratch.near } else { &mut cold.near };
        let scene = if drops { &self.dropped() } else { &self.scene };
        let mut probe = Probe::new(scene, kind.shape, own, &mut scratch.probe);
        let mut touch = Touch::begin(&cold.touched, &mut scratch.touched);
        let on_floor = !drops || probe.dropped(now.position, &mut touch);
        let mut ground = if on_floor && !self.is_lifted::<false>(kind) { now.footing.speed() } else { None };
        let intent = self.intent::<false>(scene, (kind, character), now, ground, (touch.now(), cold.timers.air_jumps));
        let toucher = Toucher { shape: &kind.shape, frame: &scene.frame, faces: now.facing as i8 };
        let hits = Hits { known: touch.before, start: now.velocity, toucher, list: &mut scratch.hits };
        let (position, velocity, path) = (now.position, now.velocity, &mut scratch.path);
        let mut movement = Movement { position, velocity, path, touch, hits, took_run: false };
        let next = match intent {
            Intent::Walk { length: 0.0, speed: 0.0 } => {
                (ground, movement.velocity) = (Some(0.0), DVec2::ZERO);
                Next::Done
            }
            intent => Walker::begin(intent, &mut ground, &mut movement),
        };
        let (gravity, settings) = (self.gravity_of(kind), self.rules.settings);
        let mut walker = Walker { probe, character, input: now.input, gravity, settings };
        walker.go_on(next, &mut ground, &mut movement, trace);
        (now.position, now.velocity) = (movement.position, within_limits(movement.velocity));
        if movement.took_run {
            now.leap.end_rise();
        }
        let news = movement.touch.news();
        self.end_walk(id, state, scratch, ground, news, drops);
    }

    fn throw_traced<T: Trace>(&mut self, id: BodyId, state: &mut BodyState, scratch: &mut StepScratch, trace: T) {
        let BodyState { kind, now, cold: Some(cold), .. } = &mut *state else { return };
        let mut probe = Probe::new(&self.scene, kind.shape, &mut cold.near, &mut scratch.probe);
        let touch = Touch::begin(&cold.touched, &mut scratch.touched);
        let toucher = Toucher { shape: &kind.shape, frame: &self.scene.frame, faces: now.facing as i8 };
        let hits = Hits { known: touch.before, start: now.velocity, toucher, list: &mut scratch.hits };
        let (position, velocity, path) = (now.position, now.velocity, &mut scratch.path);
        let mut movement = Movement { position, velocity, path, touch, hits, took_run: false };
        let mut step = self.thrown(kind, &mut probe);
        let way = step.begin(&mut movement);
        step.go_on(way, &mut movement, trace);
        (now.position, now.velocity) = (movement.position, within_limits(movement.velocity));
        let refreshed = movement.touch.is_refreshed();
        self.end_dynamic(id, state, scratch, refreshed);
    }
}
