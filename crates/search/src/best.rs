//! The shortest run so far, with states along it from which changed runs begin.

use crate::goal::Targets;
use crate::run::{input_of_each_tick, join_equal_inputs};
use crate::search::Search;
use crate::simulation::{Memory, Simulation};
use glam::DVec2;
use serde::Serialize;
use surefoot::Input;
use surefoot::replay::InputRun;
use surefoot::snapshot::Snapshot;

/// Ticks between two saved states of the run.
pub(crate) const SAVE_TICKS: usize = 32;

/// The shortest run so far.
pub(crate) struct Best<G> {
    /// Input of each tick.
    pub(crate) inputs: Vec<Input>,
    /// Position of the body after each tick.
    pub(crate) positions: Vec<DVec2>,
    /// States of the run before tick 0, 32, 64 and so on.
    saved: Vec<(Snapshot, G, Memory)>,
    simulation: Simulation<G>,
}

impl<G: Clone + Serialize + Send + Sync> Best<G> {
    pub(crate) fn new(search: &Search<'_, G>, inputs: &[InputRun], targets: &Targets<'_, G>) -> Best<G> {
        let mut best = Best {
            inputs: Vec::new(),
            positions: Vec::new(),
            saved: Vec::new(),
            simulation: search.simplified_simulation(),
        };
        best.replace_run(input_of_each_tick(inputs).collect(), 0, targets);
        best
    }

    pub(crate) fn ticks(&self) -> u64 {
        self.inputs.len() as u64
    }

    /// Returns the inputs, neighbours with equal inputs joined.
    pub(crate) fn joined_inputs(&self) -> Vec<InputRun> {
        join_equal_inputs(self.inputs.iter().map(|&input| InputRun { ticks: 1, input }))
    }

    /// Replaces the run by one that differs from the tick `from` on.
    pub(crate) fn replace_run(&mut self, inputs: Vec<Input>, from: usize, targets: &Targets<'_, G>) {
        self.inputs = inputs;
        self.saved.truncate(from / SAVE_TICKS + 1);
        let mut first = 0;
        if let Some(saved) = self.saved.last() {
            self.simulation.restore_state(&saved.0, &saved.1, saved.2);
            first = (self.saved.len() - 1) * SAVE_TICKS;
        }
        self.positions.truncate(first);
        for (tick, &input) in self.inputs.iter().enumerate().skip(first) {
            if tick == self.saved.len() * SAVE_TICKS {
                let simulation = &self.simulation;
                self.saved.push((simulation.world.capture(), simulation.game.clone(), simulation.memory));
            }
            self.simulation.step_and_check_goal(input, targets);
            self.positions.push(self.simulation.position().unwrap_or_default());
        }
    }

    /// Puts the simulation into the state of the run before the tick `tick`.
    pub(crate) fn restore_simulation_at_tick(
        &self,
        tick: usize,
        simulation: &mut Simulation<G>,
        targets: &Targets<'_, G>,
    ) {
        let saved = (tick / SAVE_TICKS).min(self.saved.len().saturating_sub(1));
        let Some((snapshot, game, memory)) = self.saved.get(saved) else { return };
        simulation.restore_state(snapshot, game, *memory);
        for &input in &self.inputs[saved * SAVE_TICKS..tick] {
            simulation.step_and_check_goal(input, targets);
        }
    }

    /// Plays inputs that differ from those of the run from the tick `from` on. Their number is made equal to that of
    /// the run: extra ones are cut off, and missing ones repeat the last. Returns the inputs up to the goal, or `None`
    /// if nothing differs or the goal is not reached.
    pub(crate) fn try_changed_inputs(
        &self,
        mut inputs: Vec<Input>,
        from: usize,
        simulation: &mut Simulation<G>,
        targets: &Targets<'_, G>,
    ) -> Option<Vec<Input>> {
        if inputs[from..] == self.inputs[from..] {
            return None;
        }
        inputs.resize(self.inputs.len(), *inputs.last()?);
        self.restore_simulation_at_tick(from, simulation, targets);
        for tick in from..inputs.len() {
            if simulation.step_and_check_goal(inputs[tick], targets) {
                inputs.truncate(tick + 1);
                return Some(inputs);
            }
            simulation.hero()?;
        }
        None
    }
}
