use super::{Script, ScriptError, ScriptErrorKind};
use crate::body::Input;
use crate::event::BodyId;
use crate::world::World;
use surefoot_geometry::{ONE, Position};

/// Plays a [`Script`]: returns the input of each tick, and checks the lines `until` and `at` between the ticks.
///
/// The inputs depend only on the script and on the states of the world, so they are the same in every run.
///
/// # Examples
/// ```
/// use surefoot::prelude::*;
/// use surefoot::replay::Script;
/// use surefoot::{Map, World};
///
/// let mut world = World::new(Map::from_rows(["........#", "........#", "========="])?, Settings::default());
/// let hero = world.spawn(Body::new(Shape::circle(0.3)).at((1.0, 1.3)).character(Character::default()))?;
/// let mut player = Script::parse("right until x > 3\n right jump until air\n 60 right until floor")?.player();
/// while let Some(input) = player.next_input(&world, hero)? {
///     world.set_input(hero, input);
///     world.step();
/// }
/// assert!(world[hero].on_floor() && world[hero].position().to_dvec2().x > 3.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ScriptPlayer {
    script: Script,
    /// Index of the current run, and the number of its ticks that were given out.
    run: usize,
    done: u64,
    /// Index of the next stop.
    stop: usize,
    ticks: u64,
}

impl ScriptPlayer {
    pub(super) fn new(script: Script) -> ScriptPlayer {
        ScriptPlayer { script, run: 0, done: 0, stop: 0, ticks: 0 }
    }

    /// Returns the input of `body` for the next tick, or `None` at the end of the script. Call this method once before
    /// each tick, and once more at the end.
    ///
    /// # Errors
    /// Returns [`ScriptError`] with line and column in these cases:
    ///
    /// - The condition after `until` does not hold after the most ticks that the line allows.
    /// - The body is not at the marker of a line `at`, or the map has no such marker.
    /// - The body is not in the world.
    pub fn next_input(&mut self, world: &World, body: BodyId) -> Result<Option<Input>, ScriptError> {
        if self.is_current_run_over(world, body)? {
            (self.run, self.done) = (self.run + 1, 0);
        }
        self.check_and_pass_due_stops(world, body)?;
        let Some(run) = self.script.runs.get(self.run) else { return Ok(None) };
        (self.done, self.ticks) = (self.done + 1, self.ticks + 1);
        Ok(Some(run.input))
    }

    /// Returns the script.
    #[must_use]
    pub fn script(&self) -> &Script {
        &self.script
    }

    fn is_current_run_over(&self, world: &World, body: BodyId) -> Result<bool, ScriptError> {
        let Some(run) = self.script.runs.get(self.run).filter(|_| self.done > 0) else { return Ok(false) };
        let Some(until) = &run.until else { return Ok(self.done == run.ticks) };
        let fail = |kind| Err(ScriptError { file: None, line: run.line, column: run.column, kind });
        let (Some(holds), Some(state)) = (until.condition.is_fulfilled(world, body), world.get(body)) else {
            return fail(ScriptErrorKind::MissingBody { ticks: self.ticks });
        };
        if !holds && self.done == run.ticks {
            let (condition, found) = (until.text.clone(), state.position());
            return fail(ScriptErrorKind::NotReached { condition, ticks: run.ticks, found });
        }
        Ok(holds)
    }

    /// Checks the lines `at` before the next input.
    fn check_and_pass_due_stops(&mut self, world: &World, body: BodyId) -> Result<(), ScriptError> {
        while let Some(stop) = self.script.stops.get(self.stop).filter(|stop| stop.runs == self.run && self.done == 0) {
            self.stop += 1;
            stop.check_marker(world.map())?;
            let fail = |kind| Err(ScriptError { file: None, line: stop.line, column: stop.column, kind });
            let Some(state) = world.get(body) else { return fail(ScriptErrorKind::MissingBody { ticks: self.ticks }) };
            let found = state.position();
            let is_near = |at: Position| (found.units() - at.units()).abs().max_element() <= ONE;
            if !world.map().markers(&stop.marker).any(is_near) {
                let marker = stop.marker.clone();
                return fail(ScriptErrorKind::NotThere { marker, ticks: self.ticks, found });
            }
        }
        Ok(())
    }
}
