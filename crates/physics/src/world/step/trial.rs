//! Captures a body before its own tick and restores it afterwards. The pair phase uses this to try a tick. It is also
//! used to make a tick again after a chunk on the path had to be loaded.

use super::super::state::{Now, Prediction};
use super::{BodyState, StepScratch, Tick};
use crate::event::BodyId;
use crate::motion::{Path, Touched, Trace};

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
    pub(in crate::world) fn capture(&mut self, state: &mut BodyState, scratch: &StepScratch) {
        (self.state, self.left) = (Some((state.now, state.prediction)), scratch.left_map.len());
        let cold = state.cold_mut();
        self.touched.clear();
        self.touched.extend_from_slice(&cold.touched);
        self.path.clear();
        self.path.extend_from_slice(&cold.path);
    }

    pub(in crate::world) fn restore(&self, state: &mut BodyState, scratch: &mut StepScratch) {
        let Some((now, known)) = self.state else { return };
        (state.now, state.prediction) = (now, known);
        scratch.left_map.truncate(self.left);
        let cold = state.cold_mut();
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
            state.cold_mut().near.take_memory(&mut scratch.spare_lists);
            self.make_own_move(id, state, scratch, trace);
            state.cold_mut().near.return_memory(&mut scratch.spare_lists, true);
        }
        self.update_outside_map_flag(id, state, scratch);
    }
}
