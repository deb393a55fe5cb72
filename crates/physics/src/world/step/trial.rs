//! Saves a body before its own tick and restores it afterwards. The pair phase uses this to try a tick. It is also
//! used to make a tick again after a chunk on the path had to be loaded.

use super::super::state::{Now, Prediction};
use super::{BodyState, StepScratch, Tick};
use crate::controller::Intent;
use crate::event::BodyId;
use crate::motion::{Path, Probe, Touch, Touched, Trace};
use crate::walker::{self, MotionPart};
use glam::DVec2;

/// State of a body before its own tick: everything that the tick changes.
#[derive(Debug, Default)]
pub(in crate::world) struct Before {
    state: Option<(Now, Prediction)>,
    touched: Touched,
    path: Path,
    /// Number of bodies that had left the map.
    left: usize,
}

impl Before {
    pub(in crate::world) fn save(&mut self, state: &mut BodyState, scratch: &StepScratch) {
        (self.state, self.left) = (Some((state.now, state.prediction)), scratch.left_map.len());
        let cold = state.cold();
        self.touched.clear();
        self.touched.extend_from_slice(&cold.touched);
        self.path.clear();
        self.path.extend_from_slice(&cold.path);
    }

    pub(in crate::world) fn restore(&self, state: &mut BodyState, scratch: &mut StepScratch) {
        let Some((now, known)) = self.state else { return };
        (state.now, state.prediction) = (now, known);
        scratch.left_map.truncate(self.left);
        let cold = state.cold();
        cold.touched.clear();
        cold.touched.extend_from_slice(&self.touched);
        cold.path.clear();
        cold.path.extend_from_slice(&self.path);
    }
}

impl Tick<'_> {
    /// Moves a body without predictions from earlier ticks, and records the straight parts of its path.
    pub(in crate::world) fn move_traced<T: Trace>(
        &mut self,
        id: BodyId,
        state: &mut BodyState,
        scratch: &mut StepScratch,
        trace: T,
    ) {
        self.begin_tick(state, scratch);
        if !state.now.stuck {
            state.cold().near.take_memory(&mut scratch.spare_lists);
            if state.kind.character.is_some() {
                self.walk_traced(id, state, scratch, trace);
            } else {
                self.step_dynamic(id, state, scratch, trace);
            }
            state.cold().near.return_memory(&mut scratch.spare_lists, true);
        }
        self.update_outside(id, state, scratch);
    }

    fn walk_traced<T: Trace>(&mut self, id: BodyId, state: &mut BodyState, scratch: &mut StepScratch, trace: T) {
        let drops = state.is_dropping_through();
        let BodyState { kind, now, cold: Some(cold), .. } = &mut *state else { return };
        let Some(character) = &kind.character else { return };
        let pieces = if drops { &mut scratch.near } else { &mut cold.near };
        let scene = if drops { &self.scene_for_drop_through() } else { &self.scene };
        let mut probe = Probe::new(scene, kind.shape, pieces, &mut scratch.probe);
        let mut touch = Touch::start_with(&cold.touched, &mut scratch.touched);
        let on_floor = !drops || probe.refresh_after_drop(now.position, &mut touch);
        let mut ground = if on_floor && !self.is_lifted::<false>(kind) { now.footing.speed() } else { None };
        let intent = self.intent::<false>(scene, (kind, character), now, ground, (touch.now(), cold.timers.air_jumps));
        if intent.is_jump() {
            self.jumped = Some(id);
        }
        let (position, mut velocity) = (now.position, now.velocity);
        let next = match intent {
            Intent::Walk { length: 0.0, speed: 0.0 } => {
                (ground, velocity) = (Some(0.0), DVec2::ZERO);
                MotionPart::Done
            }
            intent => walker::start_tick(intent, position, &mut ground, &mut velocity),
        };
        let (at, lists) = ((position, velocity, ground), (&mut scratch.path, &mut scratch.hits));
        let (ground, news) = self.walk_among((kind, now), (probe, touch), next, at, lists, trace);
        self.end_walk(id, state, scratch, ground, news, drops);
    }
}
